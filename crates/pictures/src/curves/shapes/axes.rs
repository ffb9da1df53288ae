//! Draws the axes of a frame: its grid, the lines through 0, and the ticks.

use super::{AXIS, FramePen};
use crate::curves::plan::PlanFrame;
use crate::curves::ticks::small_ticks;
use crate::curves::window::ChartAxis;
use crate::shapes::{Ink, Stroke};

/// The length of a tick.
const TICK: f64 = 5.0;
/// The length of a small tick of a logarithmic axis.
const SMALL_TICK: f64 = 3.0;

/// An axis of a frame.
struct FrameAxis<'p> {
    frame: &'p PlanFrame<'p>,
    /// Whether it is the vertical axis.
    is_up: bool,
    /// Its range and its scale.
    numbers: ChartAxis,
    /// The ticks, as fractions of the axis.
    ticks: &'p [f64],
}

impl<'p> FrameAxis<'p> {
    fn both(frame: &'p PlanFrame<'p>) -> [FrameAxis<'p>; 2] {
        let window = &frame.chart.window;
        let axis = |is_up, numbers, ticks| FrameAxis {
            frame,
            is_up,
            numbers,
            ticks,
        };
        [
            axis(true, window.up, &frame.up),
            axis(false, window.across, &frame.across),
        ]
    }

    /// The place at a fraction of the axis, and at a fraction of the other axis.
    fn place(&self, fraction: f64, aside: f64) -> (f64, f64) {
        self.frame.place(if self.is_up {
            (aside, fraction)
        } else {
            (fraction, aside)
        })
    }

    /// The small ticks of a logarithmic axis, as fractions of the axis, if there is room for them.
    fn small_ticks(&self) -> Vec<f64> {
        let (width, height) = self.frame.size();
        let length = if self.is_up { height } else { width };
        let places = small_ticks(self.numbers, length).into_iter();
        let fractions = places.map(|place| self.numbers.fraction(place));
        let has_label = |at: &f64| self.ticks.iter().any(|tick| (tick - at).abs() < 1e-9);
        fractions.filter(|at| !has_label(at)).collect()
    }
}

impl FramePen<'_> {
    /// Draws the grid, the lines through 0 on top of it, and the ticks of both axes.
    pub(super) fn draw_axes(&mut self) {
        let axes = FrameAxis::both(self.frame);
        for axis in &axes {
            self.draw_lines_across(axis, axis.ticks, Stroke::solid(Ink::Grid, 1.0));
        }
        for axis in &axes {
            self.draw_lines_across(axis, axis.numbers.zero().as_slice(), AXIS);
        }
        for axis in &axes {
            self.draw_ticks(axis, axis.ticks, TICK);
            self.draw_ticks(axis, &axis.small_ticks(), SMALL_TICK);
        }
    }

    /// Draws lines across the frame at these fractions of an axis.
    fn draw_lines_across(&mut self, axis: &FrameAxis, fractions: &[f64], line: Stroke) {
        for &fraction in fractions {
            let (from, to) = (axis.place(fraction, 0.0), axis.place(fraction, 1.0));
            self.sketch.line(from, to, line);
        }
    }

    /// Draws ticks at these fractions of an axis, from the frame outwards.
    fn draw_ticks(&mut self, axis: &FrameAxis, fractions: &[f64], length: f64) {
        for &fraction in fractions {
            let (x, y) = axis.place(fraction, 0.0);
            if axis.is_up {
                self.sketch.line((x - length, y), (x, y), AXIS);
            } else {
                self.sketch.line((x, y), (x, y + length), AXIS);
            }
        }
    }
}

/// The ends and the name of an axis: `-5 5 a`, `0 2 a (log)`.
pub(super) fn axis_key(axis: &ChartAxis, name: &str) -> String {
    let (from, to) = axis.range;
    let remark = if axis.scale.is_logarithmic() {
        " (log)"
    } else {
        ""
    };
    format!("{from} {to} {name}{remark}")
}

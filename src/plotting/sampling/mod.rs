//! Samples expressions for `:plot`: curves over one leaf, and maps over two, on a grid that is regular along both axes. The
//! view draws them, and chooses the levels and the contour lines of maps. An expression becomes a plan, so the graph does
//! not change.
//!
//! An axis along which an expression is sampled is linear or logarithmic, and is divided into intervals. A place is the
//! coordinate of a number on the [`Scale`] of the axis. The first and the last number stay exactly as the user typed them.

mod curve;

pub(crate) use self::curve::{built_curve, gradient, sample_curves};

use std::rc::Rc;

use chainrule_engine::graph::{Node, Plan};
use chainrule_report::{PlotMap, Scale};
use chainrule_stop as stop;

/// The usual number of intervals along each axis: a terminal has no finer dots.
pub(crate) const MAP_INTERVALS: usize = 100;
/// The number of intervals for a picture in a file.
pub(crate) const FINE_MAP_INTERVALS: usize = 200;
/// The number of intervals for logarithmic levels. Some of these levels lie deep in narrow valleys.
pub(crate) const FINEST_MAP_INTERVALS: usize = 600;
/// The fewest intervals, even for a large graph: a coarser map has no shape.
const FEWEST_INTERVALS: usize = 20;
/// About the most evaluations of nodes for one plot. Large graphs get fewer places, and maps of them a coarser grid.
const MOST_EVALUATIONS: usize = 1 << 24;

/// A range of numbers, and the scale along it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SampleAxis {
    /// The first and the last number; the last one is not less than the first.
    pub(crate) range: (f64, f64),
    /// The scale. Both ends are above 0 if it is logarithmic.
    pub(crate) scale: Scale,
}

impl SampleAxis {
    /// Returns the places of the first and the last number.
    pub(crate) fn ends(&self) -> (f64, f64) {
        self.scale.coordinates(self.range)
    }

    /// Returns the number at a place on the axis.
    pub(crate) fn number_at(&self, place: f64) -> f64 {
        if self.scale == Scale::Linear {
            return place;
        }
        let (first, last) = self.ends();
        // The power of an end may differ from the end in its last digits.
        if place <= first {
            self.range.0
        } else if place >= last {
            self.range.1
        } else {
            10_f64.powf(place).clamp(self.range.0, self.range.1)
        }
    }

    /// Divides the axis into this many intervals of equal length, and returns their ends as places on the axis.
    pub(crate) fn places(&self, intervals: usize) -> Vec<f64> {
        let (first, last) = self.ends();
        // The whole width may overflow.
        let half_width = last / 2.0 - first / 2.0;
        let inner = (1..intervals).map(|index| {
            let fraction = index as f64 / intervals as f64;
            nearest_decimal(first * (1.0 - fraction) + last * fraction, half_width)
        });
        let all = std::iter::once(first).chain(inner).chain([last]);
        let mut places: Vec<f64> = all.collect();
        // Rounding can make neighbours on a very narrow axis equal.
        places.dedup_by(|next, place| *next <= *place);
        places
    }
}

/// Returns the short decimal number that a place has only missed by rounding, or else the place. Steps of 0.08 add up to
/// 0.24000000000000005, which means 0.24.
///
/// The last decimal that is tried is a millionth of the leading decimal place of `half_width`, far below the step of a
/// grid of some hundred intervals.
fn nearest_decimal(place: f64, half_width: f64) -> f64 {
    let decimals = 6.0 - half_width.log10().floor();
    // A text has at least 0 decimals, and doubles have hardly more than 300. For a width of 0 this is infinity.
    if !(0.0..=300.0).contains(&decimals) {
        return place;
    }
    let text = format!("{place:.*}", decimals as usize);
    match text.parse::<f64>() {
        // Rounding errors are smaller than this, and the decimals that were cut off are hardly ever.
        Ok(decimal) if (decimal - place).abs() <= 1e-12 * half_width => decimal,
        _ => place,
    }
}

/// Returns the map of a root, without labels, while two leaves move through their ranges.
pub(crate) fn sample_map(
    root: &Rc<Node>,
    leaves: [&Rc<Node>; 2],
    axes: [SampleAxis; 2],
    intervals: usize,
) -> PlotMap {
    let mut plan = Plan::of(root);
    let nodes = plan.order().nodes().len();
    let slots = leaves.map(|leaf| plan.order().slot(leaf));
    // A root may be constant, and its plan empty.
    let affordable = (MOST_EVALUATIONS / nodes.max(1)).isqrt();
    let affordable_intervals = intervals.min(affordable.max(FEWEST_INTERVALS));
    let value_at = |data: [f64; 2]| evaluate(&mut plan, slots, data);
    built_map(axes, affordable_intervals, value_at)
}

/// Returns the root's data while the leaves at these slots have this data.
fn evaluate(plan: &mut Plan, slots: [Option<usize>; 2], data: [f64; 2]) -> f64 {
    for (slot, number) in slots.into_iter().zip(data) {
        if let Some(slot) = slot {
            plan.set(slot, number);
        }
    }
    plan.forward(None);
    plan.root_data()
}

/// Returns the map of an expression that `value` builds again for each point, because the expression takes decisions by the
/// leaves.
pub(crate) fn built_map(
    axes: [SampleAxis; 2],
    intervals: usize,
    mut value: impl FnMut([f64; 2]) -> f64,
) -> PlotMap {
    let [columns, rows] = axes.map(|axis| -> Vec<f64> {
        let places = axis.places(intervals).into_iter();
        places.map(|place| axis.number_at(place)).collect()
    });
    let mut values = Vec::with_capacity(columns.len() * rows.len());
    for &up in &rows {
        stop::ask_now();
        values.extend(columns.iter().map(|&across| value([across, up])));
    }
    PlotMap {
        columns,
        rows,
        values,
        ..PlotMap::default()
    }
}

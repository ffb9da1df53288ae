//! Draws a chart as shapes, for files: its texts, its legend and its frames.
//!
//! A [`FramePen`] draws a frame: `axes.rs` draws the grid and the ticks, `map.rs` the shades of a map, and `marks.rs` the
//! curves, dots and points. Lines and points on a map are black and white, so they can be seen on every shade.

mod axes;
mod map;
mod marks;
mod places;
mod size;

use self::axes::axis_key;
use self::marks::{MARK, draw_arrow, draw_sign, strokes};
use self::places::{CELL, place};
use self::size::SizedPlan;
use super::chart::{Chart, LineLook, Mark, MarkShape};
use super::field::MapLevels;
use super::plan::{PlanFrame, PlanText, SAMPLE};
use crate::shapes::letters::Font;
use crate::shapes::{Contour, Ink, Scene, SceneGroup, SceneText, Sketch, Stroke, letters};
use chainrule_style::theme::Role;

/// The height of letters.
const LETTERS: f64 = 14.0;
/// The line of an axis and of the frame.
const AXIS: Stroke = Stroke::solid(Ink::Wire, 1.25);

/// The picture of a chart. Readers who do not see it get the title. `page_width` is the width of a narrow page in pixels.
pub(crate) fn scene(chart: &Chart, title: String, page_width: Option<usize>) -> Scene {
    let sized = SizedPlan::of(chart, page_width);
    let plan = &sized.plan;
    let mut sketch = Sketch::default();
    for text in &plan.texts {
        draw_text(place(text.at), text, &mut sketch);
    }
    for (at, mark) in &plan.samples {
        draw_sample(mark, place(*at), &mut sketch);
    }
    for frame in &plan.frames {
        let mut pen = FramePen {
            frame,
            sketch: &mut sketch,
        };
        pen.draw_frame(plan.levels.as_ref());
    }
    let mut description = chart.description.clone();
    for remark in &chart.points_in_words {
        description.extend([" ", remark, "."]);
    }
    Scene {
        width: sized.width,
        height: sized.height,
        zoom: Some(sized.zoom),
        is_for_print: chart.size.is_some_and(|size| size.is_for_print),
        font: Font::Sans,
        title,
        description,
        shapes: sketch.shapes,
    }
}

/// Draws a line of text. The place is halfway down the line.
fn draw_text((x, y): (f64, f64), text: &PlanText, sketch: &mut Sketch) {
    let is_faint = text.role == Role::Dim;
    let ink = if is_faint { Ink::Faint } else { Ink::Words };
    let half = LETTERS * letters::CAPITAL / 2.0;
    let at = if text.is_upright {
        (x + half, y)
    } else {
        (x, y + half)
    };
    sketch.text(SceneText {
        anchor: text.anchor,
        is_bold: text.role == Role::Heading,
        is_upright: text.is_upright,
        ..SceneText::new(at, LETTERS, ink, &text.text)
    });
}

/// Draws a sample of a mark for the legend.
fn draw_sample(mark: &Mark, (x, y): (f64, f64), sketch: &mut Sketch) {
    let long = SAMPLE as f64 * CELL.0;
    match mark.shape {
        MarkShape::Point(..) => draw_arrow((x, y), (x + 3.0 * CELL.0, y), sketch),
        MarkShape::Dots(_) => draw_sign(mark.series, (x + CELL.0 / 2.0, y), MARK, sketch),
        MarkShape::Line(LineLook::Band | LineLook::Bars, _) => {
            sketch.area(rectangle([x, y - MARK, long, 2.0 * MARK]), Ink::Grid);
        }
        MarkShape::Line(look, _) => {
            for stroke in strokes(look, mark.series) {
                sketch.line((x, y), (x + long, y), stroke);
            }
        }
    }
}

/// A rectangle with this left edge, upper edge, width and height.
fn rectangle(sides: [f64; 4]) -> Contour {
    Contour::Rectangle { sides, radius: 0.0 }
}

/// Draws the parts of a frame.
struct FramePen<'p> {
    frame: &'p PlanFrame<'p>,
    sketch: &'p mut Sketch,
}

impl FramePen<'_> {
    /// Draws the frame with its map, the bar that explains the shades, and all marks.
    fn draw_frame(&mut self, levels: Option<&MapLevels>) {
        let chart = self.frame.chart;
        self.draw_axes();
        if let Some((map, levels)) = chart.map.zip(levels) {
            self.draw_map(map, levels);
            self.draw_bar(levels);
        }
        let (left, top) = self.frame.place((0.0, 1.0));
        let (width, height) = self.frame.size();
        // A page finds the numbers under the pointer by this key.
        let mut key = axis_key(&chart.window.across, &chart.across);
        if chart.map.is_some() {
            key = format!("{key}, {}", axis_key(&chart.window.up, &chart.up));
        }
        let group = SceneGroup::new("frame", key, String::new());
        self.sketch.group(group, |sketch| {
            sketch.figure(rectangle([left, top, width, height]), None, Some(AXIS));
        });
        for mark in &chart.marks {
            self.draw_mark_with_tip(mark);
        }
    }
}

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
use self::marks::{MARK, WIDTH, draw_arrow, draw_letter, draw_sign, strokes};
use self::places::{CELL, place};
use self::size::SizedPlan;
use super::chart::{Chart, LineLook, Mark, MarkShape};
use super::field::MapLevels;
use super::plan::{PlanFrame, PlanText, SAMPLE};
use crate::shapes::letters::Font;
use crate::shapes::{
    Anchor, Contour, Ink, Scene, SceneGroup, SceneShape, SceneText, Sketch, Stroke, letters,
    typeset,
};
use chainrule_style::theme::Role;

/// The height of letters.
const LETTERS: f64 = 14.0;
/// The line of an axis and of the frame.
const AXIS: Stroke = Stroke::solid(Ink::Wire, 1.25);

/// The width of curves and the size of marks in print, in points.
const PRINTED_CURVE: f64 = 0.8;
const PRINTED_MARK: f64 = 4.0;

/// The picture of a chart, or why there is none. Readers who do not see it get the title. `page_width` is the width of a
/// narrow page in pixels.
pub(crate) fn scene(
    chart: &Chart,
    title: String,
    page_width: Option<usize>,
) -> Result<Scene, String> {
    let sized = SizedPlan::of(chart, page_width)?;
    let plan = &sized.plan;
    let mut sketch = Sketch::default();
    for text in &plan.texts {
        draw_text(place(text.at), text, &mut sketch);
    }
    for (at, mark) in &plan.samples {
        draw_sample(mark, mark_size(chart), place(*at), &mut sketch);
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
    if chart.letters().is_some() {
        let factor = line_factor(chart);
        for shape in &mut sketch.shapes {
            if let SceneShape::Figure {
                line: Some(line), ..
            } = shape
            {
                line.width *= factor;
            }
        }
    }
    Ok(Scene {
        width: sized.width,
        height: sized.height,
        origin: (sized.cut_edge, sized.cut_edge),
        zoom: Some(sized.zoom),
        is_for_print: chart.letters().is_some(),
        font: Font::Sans,
        title,
        description,
        cut: sized.plan.cut,
        shapes: sketch.shapes,
    })
}

/// The factor of the widths of all lines. In print, curves have one width.
fn line_factor(chart: &Chart) -> f64 {
    let printed = |letters: f64| PRINTED_CURVE * LETTERS / letters / WIDTH;
    chart.letters().map_or(1.0, printed)
}

/// The size of the marks of a chart.
fn mark_size(chart: &Chart) -> f64 {
    let printed = |letters: f64| PRINTED_MARK / 2.0 * LETTERS / letters;
    chart.letters().map_or(MARK, printed)
}

/// Draws a line of text. The place is halfway down the line.
fn draw_text((x, y): (f64, f64), text: &PlanText, sketch: &mut Sketch) {
    let is_faint = text.role == Role::Dim;
    let ink = if is_faint { Ink::Faint } else { Ink::Words };
    let half = LETTERS * letters::CAPITAL / 2.0;
    // The place along the text and below its baseline.
    let at = |along: f64, below: f64| {
        if text.is_upright {
            (x + half + below, y - along)
        } else {
            (x + along, y + half + below)
        }
    };
    let runs = typeset::runs(&text.text);
    let is_part = runs.len() > 1;
    let width = typeset::width(&text.text, LETTERS);
    let (mut along, anchor) = match text.anchor {
        anchor if !is_part => (0.0, anchor),
        Anchor::Start => (0.0, Anchor::Start),
        Anchor::Middle => (-width / 2.0, Anchor::Start),
        Anchor::End => (-width, Anchor::Start),
    };
    for run in runs {
        sketch.text(SceneText {
            anchor,
            is_upright: text.is_upright,
            is_part,
            ..SceneText::new(
                at(along, -run.rise * LETTERS),
                run.size() * LETTERS,
                ink,
                &run.text,
            )
        });
        along += run.width(LETTERS);
    }
}

/// Draws a sample of a mark for the legend.
fn draw_sample(mark: &Mark, size: f64, (x, y): (f64, f64), sketch: &mut Sketch) {
    let long = SAMPLE * CELL.0;
    match mark.shape {
        MarkShape::Point(..) => draw_arrow((x, y), (x + 3.0 * CELL.0, y), sketch),
        MarkShape::Dots(_) => draw_sign(mark, (x + CELL.0 / 2.0, y), size, sketch),
        MarkShape::Line(look @ (LineLook::Band | LineLook::Bars), _) => {
            let ink = match look {
                LineLook::Band => Ink::Band(mark.series),
                _ => Ink::Grid,
            };
            sketch.area(rectangle([x, y - MARK, long, 2.0 * MARK]), ink);
        }
        MarkShape::Line(look, _) => {
            for stroke in strokes(look, mark.series) {
                sketch.line((x, y), (x + long, y), stroke);
            }
            draw_letter(mark, (x + long / 2.0, y), sketch);
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

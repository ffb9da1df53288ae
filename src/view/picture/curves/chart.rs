//! Curves as a picture for files: axes with round ticks, a light grid, the curves, the present point and its tangent.
//!
//! Which ticks the axes have is worked out in `ticks.rs`, and how far up they go in `window.rs`.

use std::fmt::Write as _;

use super::axes::{AxesFrame, EDGE, FOOT, LETTERS, LINE, TICKS, faint, shortened, size, text};
use super::marks::{MARK, dots, mark, marks};
use super::ticks;
use super::ticks::Ticks;
use super::window::{PlotArea, Window, clipped, inside, upright};
use super::words::{said, title, title_of_all};
use crate::report::Curve;
use crate::report::Plot;
use crate::view::picture::shapes::letters;
use crate::view::picture::shapes::{
    Anchor, Contour, Ink, PathStep, Scene, SceneGroup, SceneShape, SceneText, Stroke,
};
use crate::view::{Style, number};

/// The height of a second plot below, and its most ticks up.
const BELOW: f64 = 120.0;
const TICKS_BELOW: usize = 4;
/// How wide a curve is.
const WIDTH: f64 = 2.5;
/// How far tangents reach to both sides where there are several curves, as part of the width.
const REACH: f64 = 0.15;
/// The most curves for which the numbers of the present point are written out.
const NUMBERED: usize = 2;

/// The picture of a plot.
pub(crate) fn scene(plot: &Plot, style: &Style) -> Scene {
    let (width, asked) = size(plot.size);
    let below = plot.below.as_deref();
    let panel = Panel::of(plot, TICKS.1);
    let lower = below.map(|below| Panel::of(below, TICKS_BELOW));
    let labels = |panel: &Panel| panel.widest_label();
    let left = EDGE + labels(&panel).max(lower.as_ref().map_or(0.0, labels)) + 10.0;
    let mut shapes = Vec::new();
    let top = head(&panel, width, style, &mut shapes);
    // A second plot is added below, unless that makes the picture larger than it was asked to be.
    let more = if lower.is_some() && plot.size.is_some() {
        LINE + 10.0 + BELOW
    } else {
        0.0
    };
    let room = PlotArea {
        left,
        top,
        width: (width - left - EDGE).max(1.0),
        height: (asked - top - FOOT - more).max(1.0),
    };
    panel.draw(&room, below.is_none(), style, &mut shapes);
    let mut height = asked;
    if let Some(lower) = &lower {
        let top = room.top + room.height + LINE + 10.0;
        let at = (left, top - 8.0);
        let names: Vec<String> = lower.plot.curves.iter().map(title).collect();
        let names = shortened(&names.join(", "), room.width, LETTERS.2);
        shapes.push(faint(at, Anchor::Start, &names));
        let room = PlotArea {
            top,
            height: BELOW,
            ..room
        };
        lower.draw(&room, true, style, &mut shapes);
        height = height.max(top + BELOW + FOOT);
    }
    Scene {
        width,
        height,
        title: title_of_all(plot),
        description: description(&panel, style),
        shapes,
    }
}

/// Axes with curves.
struct Panel<'p> {
    plot: &'p Plot,
    /// The plot with logarithms where it is drawn with them.
    upright: Plot,
    window: Window,
    upwards: Ticks,
}

impl Panel<'_> {
    fn of(plot: &Plot, ticks: usize) -> Panel<'_> {
        let upright = upright(plot);
        let window = Window::of(&upright);
        Panel {
            plot,
            upwards: ticks::along(plot.logarithmic, window.up, ticks),
            upright,
            window,
        }
    }

    fn widest_label(&self) -> f64 {
        let labels = self.upwards.1.iter();
        let widths = labels.map(|label| letters::width(label, LETTERS.2));
        widths.fold(0.0, f64::max)
    }

    /// Draws all of it; below the axis to the right only what `named` asks for.
    fn draw(&self, room: &PlotArea, named: bool, style: &Style, shapes: &mut Vec<SceneShape>) {
        let Panel {
            plot,
            upright,
            window,
            upwards,
        } = self;
        let axes = AxesFrame {
            across: &plot.across,
            logarithmic: (plot.logarithmic_across, plot.logarithmic),
            window,
            room,
        };
        axes.draw((upwards, named), true, shapes);
        let reach = if plot.curves.len() == 1 { 1.0 } else { REACH };
        for tangent in &upright.present {
            if let Some([from, to]) = window.tangent(tangent, reach) {
                let stroke = Stroke::dashed(Ink::Curve(tangent.curve as u8), 1.5);
                shapes.push(SceneShape::line(room.place(from), room.place(to), stroke));
            }
        }
        let several = plot.connected().count() > 1;
        for (number, curve) in upright.curves.iter().enumerate().rev() {
            draw(curve, number, window, room, shapes);
            if several && !curve.dots {
                let present = upright.present.iter().find(|it| it.curve == number);
                let present = present.map(|it| window.right(it.at));
                marks(curve, (number, present), (window, room), shapes);
            }
            shapes.push(SceneShape::Close);
        }
        for (tangent, told) in upright.present.iter().zip(&plot.present) {
            let place = window.place((tangent.at, tangent.value));
            if let Some(curve) = plot.curves.get(tangent.curve).filter(|_| inside(place)) {
                shapes.push(SceneShape::Open(SceneGroup {
                    class: "present".to_string(),
                    key: String::new(),
                    tip: said(&plot.across, curve, told, true, style),
                }));
                shapes.push(SceneShape::Figure {
                    contour: Contour::Circle {
                        middle: room.place(place),
                        radius: 6.0,
                    },
                    fill: Some(Ink::Curve(tangent.curve as u8)),
                    line: Some(Stroke::solid(Ink::Ground, 2.0)),
                });
                shapes.push(SceneShape::Close);
            }
        }
    }
}

/// The title, or the legend; then the present point. Says where it ends.
fn head(panel: &Panel, width: f64, style: &Style, shapes: &mut Vec<SceneShape>) -> f64 {
    let plot = panel.plot;
    let mut y = EDGE + LETTERS.0 / 2.0;
    let room = width - 2.0 * EDGE;
    let scale = match (plot.logarithmic_across, plot.logarithmic) {
        (true, true) => "logarithmic scales",
        (true, false) | (false, true) => "logarithmic scale",
        (false, false) => "",
    };
    if let [curve] = &plot.curves[..] {
        let beside = letters::width(scale, LETTERS.2);
        let title = shortened(&title(curve), room - beside, LETTERS.0);
        shapes.push(SceneShape::Text(SceneText {
            bold: true,
            ..SceneText::new((EDGE, y + 4.0), LETTERS.0, Ink::Words, &title)
        }));
        if !scale.is_empty() {
            shapes.push(faint((width - EDGE, y + 4.0), Anchor::End, scale));
        }
    } else {
        let solid = plot.connected().count() > 1;
        y = legend(&plot.curves, solid, (y, room), shapes);
        if !scale.is_empty() {
            y += LINE;
            shapes.push(faint((EDGE, y + 4.0), Anchor::Start, scale));
        }
    }
    if plot.connected().count() <= NUMBERED {
        for (tangent, upright) in plot.present.iter().zip(&panel.upright.present) {
            if let Some(curve) = plot.curves.get(tangent.curve) {
                y += LINE;
                let is_drawn = panel.window.shows(upright);
                let said = said(&plot.across, curve, tangent, is_drawn, style);
                let said = shortened(&said, room, LETTERS.2);
                let at = (EDGE, y + 4.0);
                shapes.push(faint(at, Anchor::Start, &said));
            }
        }
    }
    y + LINE
}

/// The signs and the names of curves, in as many lines as it takes. Says where the last one is.
pub(super) fn legend(
    curves: &[Curve],
    are_marked: bool,
    (mut y, room): (f64, f64),
    shapes: &mut Vec<SceneShape>,
) -> f64 {
    let mut x = EDGE;
    for (number, curve) in curves.iter().enumerate() {
        let label = shortened(&curve.label, room - 50.0, LETTERS.1);
        let wide = 40.0 + letters::width(&label, LETTERS.1);
        if x > EDGE && x + wide > EDGE + room {
            x = EDGE;
            y += LINE;
        }
        if !curve.dots {
            let stroke = Stroke::solid(Ink::Curve(number as u8), WIDTH);
            shapes.push(SceneShape::line((x, y), (x + 30.0, y), stroke));
        }
        if curve.dots || are_marked {
            shapes.push(mark(number, (x + 15.0, y), MARK));
        }
        let at = (x + 38.0, y + 5.0);
        shapes.push(text(at, Anchor::Start, LETTERS.1, Ink::Words, &label));
        x += wide + 26.0;
    }
    y
}

/// One curve or the dots of one, in a group that its marks may join.
fn draw(
    curve: &Curve,
    number: usize,
    window: &Window,
    room: &PlotArea,
    shapes: &mut Vec<SceneShape>,
) {
    shapes.push(SceneShape::Open(SceneGroup {
        class: if curve.dots { "dots" } else { "curve" }.to_string(),
        key: number.to_string(),
        tip: title(curve),
    }));
    if curve.dots {
        dots(curve, number, (window, room), shapes);
        return;
    }
    let mut steps = Vec::new();
    for stretch in curve.stretches() {
        let places = window.places(stretch);
        if let [place] = places[..]
            && (0.0..=1.0).contains(&place.1)
        {
            // A value without neighbours is a dot.
            let (x, y) = room.place(place);
            steps.extend([PathStep::Move(x - 1.25, y), PathStep::Line(x + 1.25, y)]);
        }
        steps.extend(polyline(&places, room));
    }
    let stroke = Stroke::solid(Ink::Curve(number as u8), WIDTH);
    shapes.push(SceneShape::path(steps, stroke));
}

/// A line through places of the window, without what is outside of it.
pub(super) fn polyline(places: &[(f64, f64)], room: &PlotArea) -> Vec<PathStep> {
    let mut steps = Vec::new();
    let mut end = None;
    for pair in places.windows(2) {
        let Some([from, to]) = clipped(pair[0], pair[1]) else {
            end = None;
            continue;
        };
        if end != Some(from) {
            let (x, y) = room.place(from);
            steps.push(PathStep::Move(x, y));
        }
        let (x, y) = room.place(to);
        steps.push(PathStep::Line(x, y));
        end = Some(to);
    }
    steps
}

fn description(panel: &Panel, style: &Style) -> String {
    let plot = panel.plot;
    let (from, to) = plot.range;
    let digits = style.table_digits;
    let mut text = format!(
        "{} goes from {} to {}.",
        plot.across,
        number::text(from, digits),
        number::text(to, digits)
    );
    for (is_logarithmic, axis) in [
        (plot.logarithmic_across, "horizontal"),
        (plot.logarithmic, "vertical"),
    ] {
        if is_logarithmic {
            let _ = write!(text, " The {axis} axis is logarithmic.");
        }
    }
    for (tangent, upright) in plot.present.iter().zip(&panel.upright.present) {
        if let Some(curve) = plot.curves.get(tangent.curve) {
            let is_drawn = panel.window.shows(upright);
            text.push(' ');
            text.push_str(&said(&plot.across, curve, tangent, is_drawn, style));
            text.push('.');
        }
    }
    text
}

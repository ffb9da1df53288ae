//! Curves as a picture for files: axes with round ticks, a light grid, the curves, the present point and its tangent.
//!
//! Which ticks the axes have is worked out in `ticks.rs`, and how far up they go in `window.rs`.

use super::marks::{MARK, dots, mark, marks};
use super::ticks;
use super::ticks::Ticks;
use super::window::PlotArea;
use super::window::{Window, clipped, inside, upright};
use super::words::{said, title};
use crate::report::Curve;
use crate::report::Plot;
use crate::view::picture::shapes::letters;
use crate::view::picture::shapes::{
    Anchor, Contour, Ink, PathStep, Scene, SceneGroup, SceneShape, SceneText, Stroke,
};
use crate::view::{Style, number};

/// The size of the picture.
const SIZE: (f64, f64) = (800.0, 520.0);
/// The empty edge around what is drawn.
const EDGE: f64 = 24.0;
/// The heights of letters: of the title, of the legend, of the ticks.
const LETTERS: (f64, f64, f64) = (18.0, 15.0, 13.0);
/// How much room a line of the title, of the legend and of the numbers takes.
const LINE: f64 = 24.0;
/// The most ticks across and up.
const TICKS: (usize, usize) = (13, 8);
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
    let below = plot.below.as_deref();
    let panel = Panel::of(plot, TICKS.1);
    let lower = below.map(|below| Panel::of(below, TICKS_BELOW));
    let labels = |panel: &Panel| panel.widest_label();
    let left = EDGE + labels(&panel).max(lower.as_ref().map_or(0.0, labels)) + 10.0;
    let mut shapes = Vec::new();
    let top = head(plot, style, &mut shapes);
    let room = PlotArea {
        left,
        top,
        width: SIZE.0 - left - EDGE,
        height: SIZE.1 - top - 62.0,
    };
    panel.draw(&room, below.is_none(), style, &mut shapes);
    let mut height = SIZE.1;
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
        height = top + BELOW + 62.0;
    }
    let names: Vec<String> = plot.curves.iter().map(title).collect();
    Scene {
        width: SIZE.0,
        height,
        title: format!("{} over {}", names.join(", "), plot.across),
        description: description(plot, style),
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
            upwards: ticks::upwards(plot.logarithmic, window.up, ticks),
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
        axes(plot, window, room, (upwards, named), shapes);
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
                let present = plot.present.iter().find(|it| it.curve == number);
                let present = present.map(|it| window.right(it.at));
                marks(curve, (number, present), (window, room), shapes);
            }
            shapes.push(SceneShape::Close);
        }
        for tangent in &upright.present {
            let place = window.place((tangent.at, tangent.value));
            if let Some(curve) = plot.curves.get(tangent.curve).filter(|_| inside(place)) {
                shapes.push(SceneShape::Open(SceneGroup {
                    class: "present".to_string(),
                    key: String::new(),
                    tip: said(&plot.across, curve, tangent, style),
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
fn head(plot: &Plot, style: &Style, shapes: &mut Vec<SceneShape>) -> f64 {
    let mut y = EDGE + LETTERS.0 / 2.0;
    let room = SIZE.0 - 2.0 * EDGE;
    if let [curve] = &plot.curves[..] {
        let title = shortened(&title(curve), room, LETTERS.0);
        shapes.push(SceneShape::Text(SceneText {
            bold: true,
            ..SceneText::new((EDGE, y + 4.0), LETTERS.0, Ink::Words, &title)
        }));
        if plot.logarithmic {
            let (at, scale) = ((SIZE.0 - EDGE, y + 4.0), "logarithmic scale");
            shapes.push(faint(at, Anchor::End, scale));
        }
    } else {
        let mut x = EDGE;
        for (number, curve) in plot.curves.iter().enumerate() {
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
            if curve.dots || plot.connected().count() > 1 {
                shapes.push(mark(number, (x + 15.0, y), MARK));
            }
            let at = (x + 38.0, y + 5.0);
            shapes.push(text(at, Anchor::Start, LETTERS.1, Ink::Words, &label));
            x += wide + 26.0;
        }
    }
    if plot.curves.len() <= NUMBERED {
        for tangent in &plot.present {
            if let Some(curve) = plot.curves.get(tangent.curve) {
                y += LINE;
                let said = shortened(&said(&plot.across, curve, tangent, style), room, LETTERS.2);
                let at = (EDGE, y + 4.0);
                shapes.push(faint(at, Anchor::Start, &said));
            }
        }
    }
    y + LINE
}

fn axes(
    plot: &Plot,
    window: &Window,
    room: &PlotArea,
    ((heights, labels), named): (&Ticks, bool),
    shapes: &mut Vec<SceneShape>,
) {
    let grid = Stroke::solid(Ink::Grid, 1.0);
    let straight = |from, to, stroke| SceneShape::line(room.place(from), room.place(to), stroke);
    // On top of the grid.
    let mut drawn = vec![((0.0, 0.0), (1.0, 0.0)), ((0.0, 0.0), (0.0, 1.0))];
    for (height, label) in heights.iter().zip(labels) {
        let up = window.height(*height);
        shapes.push(straight((0.0, up), (1.0, up), grid));
        if *height == 0.0 && !plot.logarithmic {
            drawn.push(((0.0, up), (1.0, up)));
        }
        let (x, y) = room.place((0.0, up));
        shapes.push(faint((x - 8.0, y + 4.5), Anchor::End, label));
    }
    let fits = |(_, labels): &Ticks| {
        let widths = labels
            .iter()
            .map(|label| letters::width(label, LETTERS.2) + 16.0);
        widths.fold(0.0, f64::max) * labels.len() as f64 <= room.width + 16.0
    };
    let (places, labels) = ticks::fitting(window.across, TICKS.0, fits).unwrap_or_default();
    for (place, label) in places.iter().zip(&labels) {
        let right = window.right(*place);
        shapes.push(straight((right, 0.0), (right, 1.0), grid));
        if *place == 0.0 {
            drawn.push(((right, 0.0), (right, 1.0)));
        }
        if named {
            let (x, y) = room.place((right, 0.0));
            shapes.push(faint((x, y + 19.0), Anchor::Middle, label));
        }
    }
    let axis = Stroke::solid(Ink::Wire, 1.25);
    shapes.extend(drawn.into_iter().map(|(from, to)| straight(from, to, axis)));
    if !named {
        return;
    }
    let (x, y) = room.place((0.5, 0.0));
    let name = shortened(&plot.across, room.width, LETTERS.1);
    let at = (x, y + 43.0);
    shapes.push(text(at, Anchor::Middle, LETTERS.1, Ink::Words, &name));
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
        let mut end = None;
        if let [place] = places[..]
            && (0.0..=1.0).contains(&place.1)
        {
            // A value without neighbours is a dot.
            let (x, y) = room.place(place);
            steps.extend([PathStep::Move(x - 1.25, y), PathStep::Line(x + 1.25, y)]);
        }
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
    }
    let stroke = Stroke::solid(Ink::Curve(number as u8), WIDTH);
    shapes.push(SceneShape::path(steps, stroke));
}

fn description(plot: &Plot, style: &Style) -> String {
    let (from, to) = plot.range;
    let digits = style.table_digits;
    let mut text = format!(
        "{} goes from {} to {}.",
        plot.across,
        number::text(from, digits),
        number::text(to, digits)
    );
    for tangent in &plot.present {
        if let Some(curve) = plot.curves.get(tangent.curve) {
            text.push(' ');
            text.push_str(&said(&plot.across, curve, tangent, style));
            text.push('.');
        }
    }
    text
}

fn faint(at: (f64, f64), anchor: Anchor, words: &str) -> SceneShape {
    text(at, anchor, LETTERS.2, Ink::Faint, words)
}

fn text(at: (f64, f64), anchor: Anchor, size: f64, ink: Ink, text: &str) -> SceneShape {
    SceneShape::Text(SceneText {
        anchor,
        ..SceneText::new(at, size, ink, text)
    })
}

/// As much of a text as has room.
fn shortened(text: &str, room: f64, size: f64) -> String {
    let places = letters::places(room, size);
    crate::view::characters::shorten_end(text, places, false).into_owned()
}

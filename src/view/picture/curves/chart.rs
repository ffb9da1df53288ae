//! Curves as a picture for files: axes with round ticks, a light grid, the curves, the present point and its tangent.
//!
//! What stands on the axes is the ticks' affair, how far up they go the window's; the points themselves, for programs,
//! are in `values`.

use super::marks::{mark, marks};
use super::terminal::{said, title};
use super::ticks;
use super::window::PlotArea;
use super::window::{Window, clipped, upright};
use crate::report::Curve;
use crate::report::Plot;
use crate::view::picture::shapes::letters;
use crate::view::picture::shapes::{Anchor, Ink, PathStep, Scene, SceneGroup, SceneShape, Stroke};
use crate::view::{Style, number};

/// The size of the picture.
const SIZE: (f64, f64) = (800.0, 520.0);
/// `PlotArea` around what is drawn.
const EDGE: f64 = 24.0;
/// The heights of letters: of the title, of the legend, of the ticks.
const LETTERS: (f64, f64, f64) = (18.0, 15.0, 13.0);
/// How much room a line of the title, of the legend and of the numbers takes.
const LINE: f64 = 24.0;
/// The most ticks across and up.
const TICKS: (usize, usize) = (13, 8);
/// How wide a curve is.
const WIDTH: f64 = 2.5;
/// So far tangents reach to both sides where there are several curves, in parts of the width.
const REACH: f64 = 0.15;
/// Of so many curves the numbers of the present point are written out.
const NUMBERED: usize = 2;

/// The picture of a plot.
pub(crate) fn scene(plot: &Plot, style: &Style) -> Scene {
    let upright = upright(plot);
    let window = Window::of(&upright);
    let (heights, labels) = upwards(plot, &window);
    let widest = labels.iter().map(|label| letters::width(label, LETTERS.2));
    let left = EDGE + widest.fold(0.0, f64::max) + 10.0;
    let mut shapes = Vec::new();
    let top = head(plot, style, &mut shapes);
    let room = PlotArea {
        left,
        top,
        width: SIZE.0 - left - EDGE,
        height: SIZE.1 - top - 62.0,
    };
    axes(plot, &window, &room, (&heights, &labels), &mut shapes);
    let reach = if plot.curves.len() == 1 { 1.0 } else { REACH };
    for tangent in &upright.present {
        if let Some([from, to]) = window.tangent(tangent, reach) {
            let line = Stroke::dashed(Ink::Curve(tangent.curve as u8), 1.5);
            line_shape(room.place(from), room.place(to), line, &mut shapes);
        }
    }
    for (number, curve) in upright.curves.iter().enumerate().rev() {
        draw(curve, number, &window, &room, &mut shapes);
        if plot.curves.len() > 1 {
            let present = plot.present.iter().find(|it| it.curve == number);
            let present = present.map(|it| window.right(it.at));
            marks(curve, (number, present), (&window, &room), &mut shapes);
        }
        shapes.push(SceneShape::Close);
    }
    for tangent in &upright.present {
        let (x, y) = (window.right(tangent.at), window.height(tangent.value));
        let inside = (0.0..=1.0).contains(&x) && (0.0..=1.0).contains(&y);
        if let Some(curve) = plot.curves.get(tangent.curve).filter(|_| inside) {
            let (x, y) = room.place((x, y));
            shapes.push(SceneShape::Open(SceneGroup {
                class: "present".to_string(),
                key: String::new(),
                tip: said(&plot.across, curve, tangent, style),
            }));
            shapes.push(SceneShape::Disc {
                x,
                y,
                radius: 6.0,
                fill: Some(Ink::Curve(tangent.curve as u8)),
                line: Some(Stroke::solid(Ink::Ground, 2.0)),
            });
            shapes.push(SceneShape::Close);
        }
    }
    let names: Vec<String> = plot.curves.iter().map(title).collect();
    Scene {
        width: SIZE.0,
        height: SIZE.1,
        title: format!("{} over {}", names.join(", "), plot.across),
        description: description(plot, style),
        shapes,
    }
}

fn upwards(plot: &Plot, window: &Window) -> (Vec<f64>, Vec<String>) {
    let (from, to) = window.up;
    if plot.logarithmic {
        return ticks::powers(from, to, TICKS.1);
    }
    let ticks = ticks::ticks(from, to, TICKS.1);
    let labels = ticks::labels(&ticks);
    (ticks, labels)
}

/// The title, or the legend; then the present point. Says where it ends.
fn head(plot: &Plot, style: &Style, shapes: &mut Vec<SceneShape>) -> f64 {
    let mut y = EDGE + LETTERS.0 / 2.0;
    let room = SIZE.0 - 2.0 * EDGE;
    if let [curve] = &plot.curves[..] {
        let title = shortened(&title(curve), room, LETTERS.0);
        text(
            (EDGE, y + 4.0),
            Anchor::Start,
            LETTERS.0,
            Ink::Words,
            &title,
            shapes,
        );
        if let Some(SceneShape::Text { bold, .. }) = shapes.last_mut() {
            *bold = true;
        }
        if plot.logarithmic {
            let place = (SIZE.0 - EDGE, y + 4.0);
            text(
                place,
                Anchor::End,
                LETTERS.2,
                Ink::Faint,
                "logarithmic scale",
                shapes,
            );
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
            let line = Stroke::solid(Ink::Curve(number as u8), WIDTH);
            line_shape((x, y), (x + 30.0, y), line, shapes);
            shapes.push(mark(number, (x + 15.0, y)));
            text(
                (x + 38.0, y + 5.0),
                Anchor::Start,
                LETTERS.1,
                Ink::Words,
                &label,
                shapes,
            );
            x += wide + 26.0;
        }
    }
    if plot.curves.len() <= NUMBERED {
        for tangent in &plot.present {
            if let Some(curve) = plot.curves.get(tangent.curve) {
                y += LINE;
                let said = shortened(&said(&plot.across, curve, tangent, style), room, LETTERS.2);
                text(
                    (EDGE, y + 4.0),
                    Anchor::Start,
                    LETTERS.2,
                    Ink::Faint,
                    &said,
                    shapes,
                );
            }
        }
    }
    y + LINE
}

fn axes(
    plot: &Plot,
    window: &Window,
    room: &PlotArea,
    (heights, labels): (&[f64], &[String]),
    shapes: &mut Vec<SceneShape>,
) {
    let grid = Stroke::solid(Ink::Grid, 1.0);
    let axis = Stroke::solid(Ink::Wire, 1.25);
    let faint = LETTERS.2;
    // On top of the grid.
    let mut drawn = vec![((0.0, 0.0), (1.0, 0.0)), ((0.0, 0.0), (0.0, 1.0))];
    for (height, label) in heights.iter().zip(labels) {
        let up = window.height(*height);
        line_shape(room.place((0.0, up)), room.place((1.0, up)), grid, shapes);
        if *height == 0.0 && !plot.logarithmic {
            drawn.push(((0.0, up), (1.0, up)));
        }
        let (x, y) = room.place((0.0, up));
        text(
            (x - 8.0, y + 4.5),
            Anchor::End,
            faint,
            Ink::Faint,
            label,
            shapes,
        );
    }
    let (from, to) = window.across;
    let fitting = (2..=TICKS.0).rev().map(|most| {
        let ticks = ticks::ticks(from, to, most);
        let labels = ticks::labels(&ticks);
        (ticks, labels)
    });
    let room_for = |labels: &[String]| {
        let widths = labels
            .iter()
            .map(|label| letters::width(label, faint) + 16.0);
        widths.fold(0.0, f64::max) * labels.len() as f64 <= room.width + 16.0
    };
    let (places, labels) = fitting
        .into_iter()
        .find(|(_, labels)| room_for(labels))
        .unwrap_or_default();
    for (place, label) in places.iter().zip(&labels) {
        let right = window.right(*place);
        line_shape(
            room.place((right, 0.0)),
            room.place((right, 1.0)),
            grid,
            shapes,
        );
        if *place == 0.0 {
            drawn.push(((right, 0.0), (right, 1.0)));
        }
        let (x, y) = room.place((right, 0.0));
        text(
            (x, y + 19.0),
            Anchor::Middle,
            faint,
            Ink::Faint,
            label,
            shapes,
        );
    }
    for (from, to) in drawn {
        line_shape(room.place(from), room.place(to), axis, shapes);
    }
    let (x, y) = room.place((0.5, 0.0));
    let name = shortened(&plot.across, room.width, LETTERS.1);
    text(
        (x, y + 43.0),
        Anchor::Middle,
        LETTERS.1,
        Ink::Words,
        &name,
        shapes,
    );
}

/// One curve, in a group that its marks may join.
fn draw(
    curve: &Curve,
    number: usize,
    window: &Window,
    room: &PlotArea,
    shapes: &mut Vec<SceneShape>,
) {
    let mut steps = Vec::new();
    for stretch in curve.stretches() {
        let places = window.places(stretch);
        let mut end = None;
        if let [(x, y)] = places[..]
            && (0.0..=1.0).contains(&y)
        {
            // A value without neighbours is a dot.
            let (x, y) = room.place((x, y));
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
    shapes.push(SceneShape::Open(SceneGroup {
        class: "curve".to_string(),
        key: number.to_string(),
        tip: title(curve),
    }));
    shapes.push(SceneShape::Path {
        steps,
        line: Some(Stroke::solid(Ink::Curve(number as u8), WIDTH)),
        fill: None,
    });
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

fn line_shape(from: (f64, f64), to: (f64, f64), line: Stroke, shapes: &mut Vec<SceneShape>) {
    shapes.push(SceneShape::Path {
        steps: vec![PathStep::Move(from.0, from.1), PathStep::Line(to.0, to.1)],
        line: Some(line),
        fill: None,
    });
}

fn text(
    (x, y): (f64, f64),
    anchor: Anchor,
    size: f64,
    ink: Ink,
    text: &str,
    shapes: &mut Vec<SceneShape>,
) {
    shapes.push(SceneShape::Text {
        x,
        y,
        anchor,
        size,
        bold: false,
        ink,
        part: "",
        text: text.to_string(),
    });
}

/// As much of a text as has room.
fn shortened(text: &str, room: f64, size: f64) -> String {
    let places = letters::places(room, size);
    crate::view::characters::shorten_end(text, places, false).into_owned()
}

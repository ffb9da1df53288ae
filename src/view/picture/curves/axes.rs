//! Axes of a picture for files: ticks with their labels, a light grid, the name of what goes to the right; and the words
//! around them.
//!
//! What is drawn between the axes is not known here.

use super::ticks;
use super::ticks::Ticks;
use super::window::{PlotArea, Window};
use crate::view::picture::shapes::letters;
use crate::view::picture::shapes::{Anchor, Ink, SceneShape, SceneText, Stroke};

/// The size of the picture if none was asked for.
pub(super) const SIZE: (f64, f64) = (800.0, 520.0);
/// The empty edge around what is drawn.
pub(super) const EDGE: f64 = 24.0;
/// The least empty space between two labels of an axis.
const GAP: f64 = 16.0;
/// Room for labels and the name below the lowest axis.
pub(super) const FOOT: f64 = 62.0;
/// The heights of letters: of the title, of the legend, of the ticks.
pub(super) const LETTERS: (f64, f64, f64) = (18.0, 15.0, 13.0);
/// How much room a line of the title, of the legend and of the numbers takes.
pub(super) const LINE: f64 = 24.0;
/// The most ticks across and up.
pub(super) const TICKS: (usize, usize) = (13, 8);

/// The width and the height, as asked for or the usual ones.
pub(super) fn size(asked: Option<(u32, u32)>) -> (f64, f64) {
    asked.map_or(SIZE, |(width, height)| {
        (f64::from(width), f64::from(height))
    })
}

/// Two axes with their ticks.
pub(super) struct AxesFrame<'p> {
    /// What goes to the right is called.
    pub across: &'p str,
    /// Whether the axes to the right and upwards are logarithmic.
    pub logarithmic: (bool, bool),
    pub window: &'p Window,
    pub room: &'p PlotArea,
}

impl AxesFrame<'_> {
    /// Draws them; with their labels to the right only if `named`, and with lines through the room only if `grid`.
    pub(super) fn draw(
        &self,
        ((heights, labels), named): (&Ticks, bool),
        grid: bool,
        shapes: &mut Vec<SceneShape>,
    ) {
        let AxesFrame {
            across,
            logarithmic,
            window,
            room,
        } = self;
        let thin = Stroke::solid(Ink::Grid, 1.0);
        let axis = Stroke::solid(Ink::Wire, 1.25);
        let straight =
            |from, to, stroke| SceneShape::line(room.place(from), room.place(to), stroke);
        // On top of the grid.
        let mut drawn = vec![((0.0, 0.0), (1.0, 0.0)), ((0.0, 0.0), (0.0, 1.0))];
        for (height, label) in heights.iter().zip(labels) {
            let up = window.height(*height);
            let (x, y) = room.place((0.0, up));
            if grid {
                shapes.push(straight((0.0, up), (1.0, up), thin));
            } else {
                shapes.push(SceneShape::line((x - 5.0, y), (x, y), axis));
            }
            if *height == 0.0 && !logarithmic.1 && grid {
                drawn.push(((0.0, up), (1.0, up)));
            }
            shapes.push(faint((x - 8.0, y + 4.5), Anchor::End, label));
        }
        // Labels stand below their ticks, those at the ends within the picture.
        let places = |(places, labels): &Ticks| -> Vec<(f64, f64)> {
            let place = |(place, label): (&f64, &String)| {
                let wide = letters::width(label, LETTERS.2);
                let (x, _) = room.place((window.right(*place), 0.0));
                let most = room.left + room.width + EDGE - 4.0 - wide;
                ((x - wide / 2.0).min(most).max(4.0), wide)
            };
            places.iter().zip(labels).map(place).collect()
        };
        let fits = |ticks: &Ticks| {
            let places = places(ticks);
            places
                .windows(2)
                .all(|two| two[0].0 + two[0].1 + GAP <= two[1].0)
        };
        let ticks = ticks::fitting(logarithmic.0, window.across, TICKS.0, fits).unwrap_or_default();
        let starts = places(&ticks);
        for ((place, label), (start, wide)) in ticks.0.iter().zip(&ticks.1).zip(starts) {
            let right = window.right(*place);
            let (x, y) = room.place((right, 0.0));
            if grid {
                shapes.push(straight((right, 0.0), (right, 1.0), thin));
            } else {
                shapes.push(SceneShape::line((x, y), (x, y + 5.0), axis));
            }
            if *place == 0.0 && !logarithmic.0 && grid {
                drawn.push(((right, 0.0), (right, 1.0)));
            }
            if named {
                let at = (start + wide / 2.0, y + 19.0);
                shapes.push(faint(at, Anchor::Middle, label));
            }
        }
        shapes.extend(drawn.into_iter().map(|(from, to)| straight(from, to, axis)));
        if !named {
            return;
        }
        let (x, y) = room.place((0.5, 0.0));
        let name = shortened(across, room.width, LETTERS.1);
        let at = (x, y + 43.0);
        shapes.push(text(at, Anchor::Middle, LETTERS.1, Ink::Words, &name));
    }
}

pub(super) fn faint(at: (f64, f64), anchor: Anchor, words: &str) -> SceneShape {
    text(at, anchor, LETTERS.2, Ink::Faint, words)
}

pub(super) fn text(at: (f64, f64), anchor: Anchor, size: f64, ink: Ink, text: &str) -> SceneShape {
    SceneShape::Text(SceneText {
        anchor,
        ..SceneText::new(at, size, ink, text)
    })
}

/// As much of a text as has room.
pub(super) fn shortened(text: &str, room: f64, size: f64) -> String {
    let places = letters::places(room, size);
    crate::view::characters::shorten_end(text, places, false).into_owned()
}

//! Parts of drawings on the terminal: the frame with its ticks, signs of dots, lines of a legend.
//!
//! What is drawn within the frame is not known here.

use std::collections::HashMap;

use super::canvas::Canvas;
use super::ticks;
use super::ticks::Ticks;
use super::window::{Window, inside};
use crate::report::Curve;
use crate::view::theme::Role;
use crate::view::{Style, characters};

/// The narrowest drawing.
const NARROWEST: usize = 24;
/// The signs of curves in plain style.
pub(crate) const MARKS: [char; 6] = ['*', '+', 'o', 'x', '#', '%'];
/// The signs of dots, for each curve.
const DOTS: [char; 6] = ['•', '◦', '▪', '▫', '▴', '▵'];
/// More dots than this for each column run into each other.
pub(crate) const MANY: usize = 2;

/// The signs of dots.
pub(crate) struct DotSigns {
    signs: [char; 6],
    /// Where dots of several curves share a place.
    pub shared: char,
}

impl DotSigns {
    /// For a terminal, or in plain style.
    pub(crate) fn of(plain: bool) -> DotSigns {
        if plain {
            DotSigns {
                signs: MARKS,
                shared: '&',
            }
        } else {
            DotSigns {
                signs: DOTS,
                shared: '*',
            }
        }
    }

    /// The sign of a curve.
    pub(crate) fn of_curve(&self, curve: u8) -> char {
        self.signs[usize::from(curve) % self.signs.len()]
    }
}

/// A sign of the frame, in plain style its ASCII spelling.
pub(crate) fn sign(drawn: char, plain: bool) -> char {
    match drawn {
        _ if !plain => drawn,
        '│' => '|',
        '─' => '-',
        '●' => '@',
        _ => '+',
    }
}

/// A line in the making: characters with their roles.
pub(crate) type Cells = Vec<(char, Role)>;

/// The columns and rows that were asked for, as far as the window is wide.
pub(crate) fn asked_size(asked: Option<(u32, u32)>, style: &Style) -> Option<(usize, usize)> {
    let (columns, rows) = asked?;
    let most = style.width.map_or(usize::MAX, |width| width.max(NARROWEST));
    let columns = (columns as usize).clamp(NARROWEST, most);
    Some((columns, rows as usize))
}

/// Whose dots are at a place.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum DotOwner {
    One(u8),
    Several,
}

/// The characters of dots, each with its curve. So many that they would run into each other are smaller, and on the
/// canvas.
pub(crate) fn dots(
    curves: &[Curve],
    window: &Window,
    canvas: &Canvas,
    columns: usize,
) -> HashMap<(usize, usize), DotOwner> {
    let mut found = HashMap::new();
    for (number, curve) in curves.iter().enumerate() {
        if !curve.dots || curve.points.len() > MANY * columns {
            continue;
        }
        let own = DotOwner::One(number as u8);
        for place in window.places(&curve.points) {
            if inside(place) {
                let owner = found.entry(canvas.place(place.0, place.1)).or_insert(own);
                if *owner != own {
                    *owner = DotOwner::Several;
                }
            }
        }
    }
    found
}

/// Entries of a legend: a sign and what it stands for, as many on a line as have room.
pub(crate) fn entries_in_lines(
    entries: impl Iterator<Item = (String, Role, String)>,
    width: usize,
    style: &Style,
    out: &mut String,
) {
    let mut cells = Cells::new();
    let mut used = 0;
    for (sample, role, label) in entries {
        let lead = sample.chars().count() + usize::from(!sample.is_empty());
        let clean = characters::clean(&label, style.ascii);
        let label = characters::shorten_end(&clean, width.saturating_sub(lead), style.ascii);
        let wide = lead + characters::width(&label);
        if used > 0 && used + 3 + wide > width {
            finish(std::mem::take(&mut cells), style, out);
            used = 0;
        }
        if used > 0 {
            push("   ", Role::Plain, &mut cells);
            used += 3;
        }
        if !sample.is_empty() {
            push(&sample, role, &mut cells);
            push(" ", Role::Plain, &mut cells);
        }
        let what = if sample.is_empty() {
            Role::Dim
        } else {
            Role::Formula
        };
        push(&label, what, &mut cells);
        used += wide;
    }
    finish(cells, style, out);
}

/// The frame's lower side; with the name of what goes to the right, the labels below it too.
pub(crate) fn below(
    name: Option<&str>,
    (window, is_logarithmic): (&Window, bool),
    canvas: &Canvas,
    (margin, columns): (usize, usize),
    style: &Style,
    out: &mut String,
) {
    let (ticks, labels) = fitting(is_logarithmic, window, canvas, columns);
    let places: Vec<usize> = (ticks.iter())
        .map(|tick| canvas.place(window.right(*tick), 0.0).0)
        .collect();
    let mut cells = Cells::new();
    push(&" ".repeat(margin + 1), Role::Plain, &mut cells);
    cells.push((sign('└', style.ascii), Role::Dim));
    for column in 0..columns {
        let is_tick = places.contains(&column);
        let edge = if is_tick { '┬' } else { '─' };
        cells.push((sign(edge, style.ascii), Role::Dim));
    }
    let Some(name) = name else {
        finish(cells, style, out);
        return;
    };
    cells.push((' ', Role::Plain));
    push(name, Role::Name, &mut cells);
    finish(cells, style, out);
    let mut line = vec![' '; columns];
    for (place, label) in places.iter().zip(&labels) {
        let start = label_start(*place, label.len(), columns);
        for (at, character) in label.chars().enumerate() {
            line[start + at] = character;
        }
    }
    let line: String = line.into_iter().collect();
    let mut cells = Cells::new();
    push(&" ".repeat(margin + 2), Role::Plain, &mut cells);
    push(&line, Role::Dim, &mut cells);
    finish(cells, style, out);
}

/// As many ticks as have room for their labels; the first alone where two have none.
fn fitting(is_logarithmic: bool, window: &Window, canvas: &Canvas, columns: usize) -> Ticks {
    let fits = |(ticks, labels): &Ticks| {
        let mut free = 0;
        ticks.iter().zip(labels).all(|(tick, label)| {
            let place = canvas.place(window.right(*tick), 0.0).0;
            let start = label_start(place, label.len(), columns);
            let fits = start >= free && label.len() <= columns;
            free = start + label.len() + 2;
            fits
        })
    };
    ticks::fitting(is_logarithmic, window.across, columns / 8 + 2, fits).unwrap_or_else(|| {
        let (ticks, labels) = ticks::along(is_logarithmic, window.across, 2);
        let first = ticks.into_iter().zip(labels).take(1);
        first.filter(|(_, label)| label.len() <= columns).unzip()
    })
}

fn label_start(place: usize, length: usize, columns: usize) -> usize {
    place
        .saturating_sub(length / 2)
        .min(columns.saturating_sub(length))
}

pub(crate) fn push(text: &str, role: Role, cells: &mut Cells) {
    cells.extend(text.chars().map(|character| (character, role)));
}

/// Ends a line: characters of one role are painted together, blanks at the end are left out.
pub(crate) fn finish(mut cells: Cells, style: &Style, out: &mut String) {
    while cells.pop_if(|(character, _)| *character == ' ').is_some() {}
    let mut text = String::new();
    for run in cells.chunk_by(|one, other| one.1 == other.1) {
        text.clear();
        text.extend(run.iter().map(|(character, _)| character));
        style.paint(&text, run[0].1, out);
    }
    out.push('\n');
}

//! A graph on the terminal: the best form that fits, and what is to be said below it.
//!
//! Forms are tried from the fullest to the smallest, from left to right before from top to bottom. What fits in none is
//! drawn in part, from the root as far as there is room.

use std::cmp::Reverse;

use super::layers::layers;
use crate::report::diagram::{Diagram, Kind, Vertex};
use crate::report::{Line, Piece};
use crate::view::theme::{Role, paint};
use crate::view::{Style, characters, text};
use boxes::{Form, Size};
use cells::Sheet;
use geometry::Geometry;

mod boxes;
mod cells;
mod channel;
mod geometry;
mod places;

/// What a picture may be at most.
#[derive(Clone, Copy)]
struct Room {
    width: usize,
    height: usize,
}

/// Cells of the largest picture in a pipe, where no width is given.
const MOST_CELLS: usize = 1_000_000;
/// A picture that is higher is drawn in less rows, if there is a way.
const HIGH: usize = 100;
/// Columns that anything takes from one rank to the next, or beside its neighbour: what cannot fit is not tried.
const LEAST: usize = 4;

/// The forms, best first.
const FORMS: [Form; 9] = [
    form(Size::Full, 40, true, false),
    form(Size::Full, 20, false, false),
    form(Size::Full, 12, false, false),
    form(Size::Short, 12, false, false),
    form(Size::Full, 24, true, true),
    form(Size::Full, 12, false, true),
    form(Size::Short, 12, false, true),
    form(Size::Line, 12, false, false),
    form(Size::Line, 12, false, true),
];

const fn form(size: Size, label: usize, roomy: bool, downwards: bool) -> Form {
    Form {
        size,
        label,
        roomy,
        downwards,
    }
}

/// Appends the picture and what is to be known of it.
pub fn write(diagram: &Diagram, style: &Style, out: &mut String) {
    if diagram.vertices.is_empty() {
        return;
    }
    let width = style.width.unwrap_or(usize::MAX);
    let room = Room {
        width,
        height: usize::MAX,
    };
    let (geometry, left) = whole(diagram, room, style)
        .map(|geometry| (geometry, 0))
        .unwrap_or_else(|| part(diagram, room, style));
    geometry.sheet().write(style.color, out);
    if geometry.marked() {
        let marks = if style.ascii { "1 2" } else { "¹ ²" };
        paint(marks, Role::Plain, style.color, out);
        let words = ": which operand, where the upper is not the first\n";
        paint(words, Role::Dim, style.color, out);
    }
    if left > 0 {
        remark(&left_out(diagram, left), style, out);
    }
    if !diagram.caption.is_empty() {
        remark(&diagram.caption, style, out);
    }
}

/// Everything, in the first form that fits and is not too high; else in the lowest that fits.
fn whole<'d>(diagram: &'d Diagram, room: Room, style: &'d Style) -> Option<Geometry<'d>> {
    let (ranks, widest) = extent(diagram);
    let possible = |form: &&Form| {
        let least = if form.downwards { widest } else { ranks };
        least.saturating_mul(LEAST) <= room.width
    };
    if !FORMS.iter().any(|form| possible(&form)) {
        return None;
    }
    let layers = layers(diagram);
    let mut best: Option<Geometry> = None;
    for form in FORMS.iter().filter(possible) {
        let geometry = Geometry::new(diagram, &layers, *form, style);
        if geometry.width > room.width
            || style.width.is_none() && geometry.width * geometry.height > MOST_CELLS
        {
            continue;
        }
        if geometry.height <= HIGH {
            return Some(geometry);
        }
        // Much lower, or it is not worth the smaller form.
        if best
            .as_ref()
            .is_none_or(|best| geometry.height * 2 < best.height)
        {
            best = Some(geometry);
        }
    }
    best
}

/// From the root as far as there is room, and how many nodes that leaves out.
fn part<'d>(diagram: &'d Diagram, room: Room, style: &'d Style) -> (Geometry<'d>, usize) {
    let _ = (diagram, room, style);
    let layers = layers(diagram);
    (Geometry::new(diagram, &layers, FORMS[8], style), 0)
}

/// How many ranks of values there are, and how many values at most in one.
fn extent(diagram: &Diagram) -> (usize, usize) {
    let depths = depths(diagram);
    let mut counts: Vec<usize> = Vec::new();
    for depth in depths {
        if counts.len() <= depth {
            counts.resize(depth + 1, 0);
        }
        counts[depth] += 1;
    }
    (counts.len(), counts.into_iter().max().unwrap_or(0))
}

/// How far from the root each vertex stands.
fn depths(diagram: &Diagram) -> Vec<usize> {
    let mut depths = vec![0; diagram.vertices.len()];
    for (user, vertex) in diagram.vertices.iter().enumerate() {
        for &operand in &vertex.operands {
            depths[operand] = depths[operand].max(depths[user] + 1);
        }
    }
    depths
}

fn left_out(diagram: &Diagram, count: usize) -> Line {
    let label = &diagram.vertices[0].label;
    let target = if label.chars().count() <= 24 {
        label
    } else {
        "T"
    };
    vec![
        Piece::dim(format!(
            "{count} of {} nodes left out; all: ",
            diagram.vertices.len()
        )),
        Piece::typed(format!(":graph {target} FILE.svg")),
    ]
}

/// A line below the picture, broken where the terminal ends.
fn remark(line: &Line, style: &Style, out: &mut String) {
    text::line(line, style, out);
    out.push('\n');
}

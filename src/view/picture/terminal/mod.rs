//! A graph on the terminal: the best form that fits, and remarks below it.
//!
//! Forms are tried from the fullest to the smallest, from left to right before from top to bottom. A graph that fits in
//! none is drawn in part, from the root as far as there is room.

mod boxes;
mod cells;
mod form;
mod geometry;
mod occupants;
#[cfg(test)]
mod tests;
mod weights;

use std::collections::HashMap;

use self::form::{BoxSize, Form, down, right};
use self::geometry::Geometry;
use super::layout::layers::Layers;
use super::layout::ranks::depths;
use crate::report::{Connections, Diagram, Kind, Network, Vertex};
use crate::report::{Line, Piece};
use crate::view::{Style, pieces};

/// Cells of the largest picture in a pipe, where no width is given.
const MOST_CELLS: usize = 500_000;
/// A picture with more rows is drawn in another form if one is much lower.
const HIGH: usize = 100;
/// Columns that a rank takes at least in a picture from left to right.
const LEAST_RANK: usize = 12;
/// Columns that a box takes at least.
const LEAST_BOX: usize = 8;
/// Columns that a constant takes at least.
const LEAST_CONSTANT: usize = 2;
/// Values and bends of the largest picture: a larger one could not be read, and would take long.
const MOST_ITEMS: usize = 4_000;
/// How many depths are tried for a part of a graph, times its nodes.
const MOST_TRIED: usize = 2_000;

/// The forms, best first.
const FORMS: [Form; 12] = [
    right(BoxSize::Full, 40).roomy(),
    right(BoxSize::Full, 20),
    right(BoxSize::Full, 12),
    right(BoxSize::Short, 12),
    down(BoxSize::Full, 24).roomy(),
    down(BoxSize::Full, 12),
    down(BoxSize::Short, 12),
    down(BoxSize::Full, 24).lean(),
    down(BoxSize::Full, 12).lean(),
    down(BoxSize::Short, 12).lean(),
    right(BoxSize::Line, 12),
    down(BoxSize::Line, 12).lean(),
];

/// The forms for a part of a graph: the one that has room for most nodes is taken.
const PARTS: [Form; 5] = [
    right(BoxSize::Short, 12),
    down(BoxSize::Short, 12),
    down(BoxSize::Short, 12).lean(),
    right(BoxSize::Short, 12).digits(6),
    down(BoxSize::Short, 12).lean().digits(6),
];

/// The smallest there is.
const TINY: Form = down(BoxSize::Short, 8).digits(3);

/// Appends the picture and its remarks.
pub(crate) fn write(diagram: &Diagram, style: &Style, out: &mut String) {
    if diagram.vertices.is_empty() {
        return;
    }
    let (geometry, left) = match whole(diagram, style) {
        Some(geometry) => (geometry, 0),
        None => part(diagram, style),
    };
    geometry.sheet().write(style.color, out);
    if geometry.marked() {
        let marks = if style.ascii { "1 2" } else { "¹ ²" };
        let words = "mark operands that do not stand in their order";
        remark(
            &[Piece::plain(marks), Piece::dim(" "), Piece::dim(words)],
            style,
            out,
        );
    }
    if left > 0 {
        remark(&left_out(diagram, left), style, out);
    }
    if !diagram.caption.is_empty() {
        remark(&diagram.caption, style, out);
    }
    let wires = || {
        let vertices = diagram.vertices.iter();
        vertices.flat_map(|vertex| &vertex.connections.wires)
    };
    let weighs = |network: &Network| wires().any(|wire| wire.shown(network.grads).is_some());
    if let Some(network) = diagram.network.filter(weighs) {
        remark(&weights::legend(network, geometry.form, style), style, out);
    }
}

fn fits(geometry: &Geometry, style: &Style) -> bool {
    match style.width {
        Some(width) => geometry.width <= width,
        None => geometry.width * geometry.height <= MOST_CELLS,
    }
}

/// Everything, in the first form that fits and is not too high; else in the lowest that fits.
fn whole(diagram: &Diagram, style: &Style) -> Option<Geometry> {
    let extent = Extent::of(diagram);
    let possible = |form: &&Form| form.runs(diagram.flow) && extent.may_fit(**form, style);
    if !FORMS.iter().any(|form| possible(&form)) {
        return None;
    }
    let layers = Layers::new(diagram);
    let mut best: Option<Geometry> = None;
    for form in FORMS.iter().filter(possible) {
        let geometry = Geometry::new(diagram, &layers, *form, style);
        if !fits(&geometry, style) {
            continue;
        }
        if geometry.height <= HIGH {
            return Some(geometry);
        }
        // Only a much lower picture is worth a smaller form.
        let lower = |best: &Geometry| geometry.height * 2 < best.height;
        if best.as_ref().is_none_or(lower) {
            best = Some(geometry);
        }
    }
    best
}

/// From the root as far as there is room, and how many nodes that leaves out.
fn part(diagram: &Diagram, style: &Style) -> (Geometry, usize) {
    let depths = depths(diagram);
    let deepest = depths.iter().copied().max().unwrap_or(0);
    let mut known: HashMap<usize, (Diagram, Extent, Option<Layers>)> = HashMap::new();
    let mut measure = |depth: usize, form: Form| {
        let (part, extent, known) = known.entry(depth).or_insert_with(|| {
            let part = down_to(diagram, &depths, depth);
            let extent = Extent::of(&part);
            (part, extent, None)
        });
        if !extent.may_fit(form, style) {
            return None;
        }
        let layers = known.get_or_insert_with(|| Layers::new(part));
        let geometry = Geometry::new(part, layers, form, style);
        fits(&geometry, style).then_some(geometry)
    };
    let tried = (MOST_TRIED / diagram.vertices.len()).max(1);
    let mut best: Option<(usize, Geometry)> = None;
    for form in PARTS.into_iter().filter(|form| form.runs(diagram.flow)) {
        // Searches for a depth beyond that of the forms before, first in growing steps, then in shrinking ones. A part
        // may fit although one of less depth does not, as dots take room, too.
        let mut step = 1;
        let mut grows = true;
        loop {
            let next = best.as_ref().map_or(0, |(depth, _)| depth + step);
            let found = (next..deepest)
                .take(tried)
                .find_map(|depth| Some((depth, measure(depth, form)?)));
            grows &= found.is_some();
            best = match found {
                Some(_) => found,
                None if step == 1 => break,
                None => best,
            };
            step = if grows { step * 2 } else { (step / 2).max(1) };
        }
    }
    let (depth, geometry) = best.unwrap_or_else(|| {
        let root = down_to(diagram, &depths, 0);
        let geometry = Geometry::new(&root, &Layers::new(&root), TINY, style);
        (0, geometry)
    });
    let left = depths.iter().filter(|&&at| at > depth).count();
    (geometry, left)
}

/// The diagram from the root down to a depth; deeper operands are dots, separate ones for each user.
fn down_to(diagram: &Diagram, depths: &[usize], depth: usize) -> Diagram {
    let mut places = vec![None; depths.len()];
    let mut count = 0;
    for (at, place) in places.iter_mut().enumerate() {
        if depths[at] <= depth {
            *place = Some(count);
            count += 1;
        }
    }
    let mut dots = Vec::new();
    let kept = diagram.vertices.iter().zip(depths);
    let mut vertices: Vec<Vertex> = Vec::new();
    for (vertex, _) in kept.filter(|&(_, &at)| at <= depth) {
        let mut vertex = vertex.clone();
        let mut own: HashMap<usize, usize> = HashMap::new();
        for operand in &mut vertex.operands {
            *operand = places[*operand].unwrap_or_else(|| {
                *own.entry(*operand).or_insert_with(|| {
                    dots.push(Vertex {
                        label: "…".to_string(),
                        formula: String::new(),
                        kind: Kind::Constant,
                        operation: None,
                        operands: Vec::new(),
                        first: false,
                        list: None,
                        on_wires: Vec::new(),
                        connections: Connections::default(),
                        ..diagram.vertices[*operand].clone()
                    });
                    count + dots.len() - 1
                })
            });
        }
        vertices.push(vertex);
    }
    vertices.extend(dots);
    Diagram {
        program: None,
        network: diagram.network,
        vertices,
        caption: Line::new(),
        flow: diagram.flow,
        typed: String::new(),
    }
}

/// What is known of the size of a picture before it is measured.
struct Extent {
    /// Columns from left to right, at least.
    right: usize,
    /// Columns from top to bottom, at least.
    down: usize,
    /// Values and bends.
    items: usize,
}

impl Extent {
    fn of(diagram: &Diagram) -> Extent {
        let depths = depths(diagram);
        let ranks = depths.iter().copied().max().unwrap_or(0) + 1;
        let mut columns = vec![0; ranks];
        let mut nearest = depths.clone();
        for (user, vertex) in diagram.vertices.iter().enumerate() {
            columns[depths[user]] += match vertex.kind {
                Kind::Constant => LEAST_CONSTANT,
                _ => LEAST_BOX,
            };
            for &operand in &vertex.operands {
                nearest[operand] = nearest[operand].min(depths[user] + 1);
            }
        }
        let trunks = depths.iter().zip(nearest);
        Extent {
            right: (ranks - 1) * LEAST_RANK,
            down: columns.into_iter().max().unwrap_or(1) - 1,
            items: trunks.map(|(depth, nearest)| 1 + depth - nearest).sum(),
        }
    }

    fn may_fit(&self, form: Form, style: &Style) -> bool {
        let columns = if form.downwards {
            self.down
        } else {
            self.right
        };
        columns <= style.width.unwrap_or(usize::MAX) && self.items <= MOST_ITEMS
    }
}

fn left_out(diagram: &Diagram, count: usize) -> Line {
    let things = match diagram.network {
        Some(_) => "boxes",
        None => "nodes",
    };
    vec![
        Piece::dim(format!(
            "{count} of {} {things} left out; all: ",
            diagram.vertices.len()
        )),
        Piece::typed(diagram.typed.as_str()),
    ]
}

/// A line below the picture, broken between words where the terminal ends; what is to be typed stays in one piece.
fn remark(line: &[Piece], style: &Style, out: &mut String) {
    pieces::flow(line, (0, 0), style.columns(), style, out);
    out.push('\n');
}

//! What stands in the boxes of a graph, and how large boxes and ovals are.
//!
//! Boxes of one rank that look alike share the widths of their cells, so that numbers stand below each other like in a
//! table.

use super::connections;
use super::labels;
use super::letters;
use crate::report::{Diagram, Flow, Kind, OnWire, Vertex};
use crate::view::picture::layout::layers::Layers;
use crate::view::{Style, characters, number};

/// The letters of labels and numbers.
pub(crate) const SIZE: f64 = 14.0;
/// The letters of the words `data` and `grad`.
pub(crate) const SMALL: f64 = 11.0;
/// Between the words and the edge of a cell.
pub(crate) const PAD: f64 = 9.0;
/// Between the word `data` and its number.
pub(crate) const SPACE: f64 = 5.0;
/// How high a row is that stands alone; one of several; one of a constant.
const ROW: [f64; 3] = [32.0, 25.0, 24.0];
/// How high an operation is at least, and how wide.
pub(crate) const OVAL: f64 = 30.0;
/// Between the points where operands enter an operation whose wires have no numbers.
pub(crate) const PORTS: f64 = 10.0;
/// How high the label of a number on a wire is.
pub(crate) const NUMBER_HIGH: f64 = 15.0;
/// Between such labels, and around the head of an arrow.
pub(crate) const NUMBER_GAP: f64 = 3.0;
/// Between the edge of such a label and its text.
const NUMBER_PAD: f64 = 4.0;
/// The room that a wire takes when it passes a rank.
const BEND: f64 = 4.0;
/// From a box to the next operation, at least and at most.
const WIRES: (f64, f64) = (40.0, 130.0);
/// From a box of a network to the next box, and where weights are written on the wires.
const NETWORK_WIRES: (f64, f64) = (150.0, 280.0);
const WRITTEN_WIRES: (f64, f64) = (240.0, 320.0);
/// The most letters of a label that stands beside its numbers.
const BESIDE: usize = 16;

/// Boxes share their widths if the widest is at most this many times as wide as the narrowest.
const ALIKE: f64 = 1.6;

/// How label, data and grad stand in a box.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// Beside each other.
    Row,
    /// The label above the numbers.
    Stack,
    /// Each above the next.
    Tower,
}

impl Form {
    /// Longer labels are shortened: the whole stands in the tip.
    fn longest_label(self) -> usize {
        match self {
            Form::Row | Form::Stack => letters::LONGEST_LABEL,
            Form::Tower => 20,
        }
    }
}

/// From the widest and lowest to the narrowest and highest.
pub(crate) const FORMS: [Form; 3] = [Form::Row, Form::Stack, Form::Tower];

/// A cell of a box.
#[derive(Clone, Debug)]
pub(crate) struct BoxCell {
    /// `data`, `grad`; nothing before a label.
    pub name: &'static str,
    /// What stands in it.
    pub text: String,
    /// With room around it.
    pub width: f64,
}

/// What stands in a box, and how large it is.
#[derive(Clone, Debug)]
pub(crate) struct Content {
    /// The label first, from left to right and from top to bottom.
    pub cells: Vec<BoxCell>,
    /// How they stand.
    pub form: Form,
    /// Beside the label: `frozen`.
    pub words: String,
    /// A constant's is smaller.
    pub small: bool,
    /// It is at least so wide.
    least: f64,
}

/// The sizes of everything in a picture.
#[derive(Clone)]
pub(crate) struct Sizes {
    contents: Vec<Content>,
    /// The width and height of each vertex's operation; 0 where there is none.
    ovals: Vec<(f64, f64)>,
    /// How far the ports of each operation are from each other, and the room for numbers on its wires.
    ports: Vec<(f64, f64)>,
    /// How many operands each has.
    operands: Vec<usize>,
    /// Which way the picture runs.
    pub flow: Flow,
    /// How long wires are, at least and at most.
    pub wires: (f64, f64),
    /// Digits of numbers.
    pub digits: u8,
}

impl Sizes {
    /// Measures what is to be written. Every number has room for at least `room` letters.
    pub(crate) fn new(
        diagram: &Diagram,
        layers: &Layers,
        (form, flow): (Form, Flow),
        room: usize,
        style: &Style,
    ) -> Sizes {
        let ports = |vertex| ports(vertex, flow);
        let ports: Vec<(f64, f64)> = diagram.vertices.iter().map(ports).collect();
        let ovals = diagram.vertices.iter().zip(&ports).map(|(vertex, ports)| {
            vertex.operation.map_or((0.0, 0.0), |(sign, _)| {
                let width = (letters::width(sign, SIZE) + 2.0 * PAD).max(OVAL);
                // The side where operands enter has room for all of them.
                let side = vertex.operands.len().saturating_sub(1) as f64 * ports.0 + PORTS;
                match flow {
                    Flow::Right => (width, side.max(OVAL)),
                    Flow::Down => (width.max(side), OVAL),
                }
            })
        });
        let contents = diagram.vertices.iter();
        let mut sizes = Sizes {
            ovals: ovals.collect(),
            contents: contents
                .map(|vertex| Content::new(vertex, form, room, style))
                .collect(),
            operands: diagram
                .vertices
                .iter()
                .map(|it| it.operands.len())
                .collect(),
            ports,
            flow,
            wires: match diagram.network {
                Some(network) if connections::are_written(network) => WRITTEN_WIRES,
                Some(_) => NETWORK_WIRES,
                None => WIRES,
            },
            digits: style.table_digits,
        };
        // Boxes beside each other are no table.
        if flow == Flow::Right {
            for points in &layers.ranks {
                sizes.share(points);
                if diagram.network.is_some() {
                    sizes.widen(points);
                }
            }
        }
        sizes
    }

    /// How much room a point takes across the picture, be it the box of a value with its operation, or a bend.
    pub(crate) fn across(&self, point: usize) -> f64 {
        let Some(content) = self.contents.get(point) else {
            return BEND;
        };
        let side = |(width, height)| match self.flow {
            Flow::Right => height,
            Flow::Down => width,
        };
        let ports = match self.before(point) {
            0.0 => 0.0,
            _ => self.operands[point] as f64 * self.ports[point].0,
        };
        side(content.sizes())
            .max(side(self.ovals[point]))
            .max(ports)
    }

    /// Where the wire of a port enters an operation, across the picture from the operation's middle; in a network, a box,
    /// which does not grow with its wires. A bend has one port.
    pub(crate) fn port(&self, point: usize, port: usize) -> f64 {
        let count = self.operands.get(point).copied().unwrap_or(0).max(1);
        let mut pitch = self.ports.get(point).map_or(PORTS, |ports| ports.0);
        if count > 1 && !self.is_made(point) {
            let room = self.across(point) - 2.0 * PAD;
            pitch = pitch.min(room / (count - 1) as f64);
        }
        (port as f64 - (count - 1) as f64 / 2.0) * pitch
    }

    /// The room before a vertex's operation for the numbers on its wires.
    pub(crate) fn before(&self, vertex: usize) -> f64 {
        self.ports[vertex].1
    }

    /// How long a point's operation, with the numbers before it, and its value are along the picture.
    pub(crate) fn along(&self, point: usize) -> [f64; 2] {
        let side = |(width, height)| match self.flow {
            Flow::Right => width,
            Flow::Down => height,
        };
        let content = self.contents.get(point);
        content.map_or([0.0; 2], |content| {
            let operation = self.before(point) + side(self.ovals[point]);
            [operation, side(content.sizes())]
        })
    }

    /// What stands in the box of a vertex.
    pub(crate) fn content(&self, vertex: usize) -> &Content {
        &self.contents[vertex]
    }

    /// The width and height of the operation that makes a vertex.
    pub(crate) fn oval(&self, vertex: usize) -> (f64, f64) {
        self.ovals[vertex]
    }

    /// A point along and across the picture, from the left and from above.
    pub(crate) fn point(&self, (along, across): (f64, f64)) -> (f64, f64) {
        match self.flow {
            Flow::Right => (along, across),
            Flow::Down => (across, along),
        }
    }

    /// Whether an operation makes it.
    pub(crate) fn is_made(&self, vertex: usize) -> bool {
        self.ovals[vertex].0 > 0.0
    }

    /// All boxes of a rank become as wide as the widest. In front of a narrower one its wires, which are close together,
    /// would run on side by side.
    fn widen(&mut self, points: &[usize]) {
        let boxes = || points.iter().filter(|&&point| point < self.contents.len());
        let widths = boxes().map(|&point| self.contents[point].sizes().0);
        let widest = widths.fold(0.0, f64::max);
        for &point in points {
            if let Some(content) = self.contents.get_mut(point) {
                content.least = widest;
            }
        }
    }

    /// Boxes of a rank that look alike are as wide as the widest, unless it is much wider than they are. Constants
    /// stay small.
    fn share(&mut self, points: &[usize]) {
        let shares = |&point: &usize| self.contents.get(point).is_some_and(|it| !it.small);
        let mut vertices: Vec<usize> = points.iter().copied().filter(shares).collect();
        let kind = |sizes: &Sizes, vertex: usize| {
            let content = &sizes.contents[vertex];
            (sizes.is_made(vertex), content.form, content.cells.len())
        };
        vertices.sort_by(|&one, &other| {
            let wide = |vertex: usize| self.contents[vertex].sizes().0;
            wide(one).total_cmp(&wide(other))
        });
        // From the narrowest on, each group ends before the box that is too wide for its first.
        while let Some(&first) = vertices.first() {
            let most = self.contents[first].sizes().0 * ALIKE;
            let alike: Vec<usize> = vertices
                .iter()
                .copied()
                .filter(|&vertex| {
                    kind(self, vertex) == kind(self, first)
                        && self.contents[vertex].sizes().0 <= most
                })
                .collect();
            vertices.retain(|vertex| !alike.contains(vertex));
            for cell in 0..self.contents[first].cells.len() {
                let widths = alike
                    .iter()
                    .map(|&vertex| self.contents[vertex].cells[cell].width);
                let most = widths.fold(0.0, f64::max);
                for &vertex in &alike {
                    self.contents[vertex].cells[cell].width = most;
                }
            }
        }
    }
}

impl Content {
    fn new(vertex: &Vertex, form: Form, room: usize, style: &Style) -> Content {
        let numbers = labels::numbers(vertex, style);
        let small = vertex.kind == Kind::Constant;
        let form = if small { Form::Row } else { form };
        let label = labels::label(vertex, form.longest_label(), style);
        let form = match form {
            Form::Row if !small && characters::width(&label) > BESIDE => Form::Stack,
            form => form,
        };
        let words = labels::words(vertex);
        let size = if small { SIZE - 2.0 } else { SIZE };
        let mut cells = vec![BoxCell {
            name: "",
            width: letters::width(&label, size) + named(&words) + 2.0 * PAD,
            text: label,
        }];
        cells.extend(numbers.into_iter().map(|(name, text)| {
            let places = characters::width(&text).max(room) as f64;
            BoxCell {
                name,
                text,
                width: places * letters::ADVANCE * size + named(name) + 2.0 * PAD,
            }
        }));
        Content {
            cells,
            form,
            words,
            small,
            least: 0.0,
        }
    }

    /// The cells of each row.
    pub(crate) fn rows(&self) -> Vec<&[BoxCell]> {
        match self.form {
            Form::Row => vec![&self.cells],
            Form::Stack => vec![&self.cells[..1], &self.cells[1..]],
            Form::Tower => self.cells.chunks(1).collect(),
        }
    }

    /// Width and height.
    pub(crate) fn sizes(&self) -> (f64, f64) {
        let rows = self.rows();
        let widths = rows.iter().map(|cells| wide(cells));
        let width = widths.fold(self.least, f64::max);
        (width, rows.len() as f64 * self.row(rows.len()))
    }

    /// How high a row is.
    pub(crate) fn row(&self, rows: usize) -> f64 {
        let [alone, several, small] = ROW;
        match rows {
            _ if self.small => small,
            1 => alone,
            _ => several,
        }
    }

    /// The height of its letters.
    pub(crate) fn size(&self) -> f64 {
        if self.small { SIZE - 2.0 } else { SIZE }
    }
}

/// How far the ports of an operation are from each other, and the room along its wires for their numbers.
fn ports(vertex: &Vertex, flow: Flow) -> (f64, f64) {
    let widths = vertex.on_wires.iter().flatten().map(number_width);
    let widest = widths.fold(0.0, f64::max);
    match flow {
        _ if widest == 0.0 => (PORTS, 0.0),
        Flow::Right => (NUMBER_HIGH + NUMBER_GAP, widest + 2.0 * NUMBER_GAP),
        Flow::Down => (widest + NUMBER_GAP, NUMBER_HIGH + 2.0 * NUMBER_GAP),
    }
}

/// How wide the label of a number on a wire is.
pub(crate) fn number_width(on_wire: &OnWire) -> f64 {
    letters::width(&number::terse(on_wire.number), SMALL) + 2.0 * NUMBER_PAD
}

/// How wide cells beside each other are.
pub(crate) fn wide(cells: &[BoxCell]) -> f64 {
    cells.iter().map(|cell| cell.width).sum()
}

/// The room that a small word and the space beside it take.
pub(crate) fn named(word: &str) -> f64 {
    if word.is_empty() {
        0.0
    } else {
        letters::width(word, SMALL) + SPACE
    }
}

//! A node as lines of text: a box with its label and its numbers, a smaller box, one line, or a number alone.
//!
//! A box is measured before the layout, and drawn when the layout has found its place.

use super::form::{BoxSize, Form};
use crate::char_sheet::CharSheet;
use crate::shapes::labels::Face;
use chainrule_report::characters;
use chainrule_report::{Diagram, Kind, OnWire, Stage, Vertex};
use chainrule_style::number;
use chainrule_style::theme::Role;

/// The most numbers beside the sign of an operation.
const MOST_ON_WIRES: usize = 5;

/// Pieces of text, each with its role.
type BoxRow = Vec<(String, Role)>;

/// A box, measured in characters.
pub(crate) struct CellBox {
    /// The role of its outline and its label.
    role: Role,
    /// The text in its upper edge.
    title: String,
    rows: Vec<BoxRow>,
    /// Whether it has a frame, which may be made wider; otherwise it is one row of text.
    pub is_framed: bool,
    /// Whether the picture runs from top to bottom.
    downwards: bool,
    /// The sign of the operation before it, and its role.
    pub sign: Option<(String, Role)>,
    /// Whether wires come to it, and whether wires leave it.
    joined: [bool; 2],
    /// The characters of the outline: the corners from the upper left to the lower right one, the horizontal and the
    /// vertical line, those where a wire leaves or comes (right, left, below, above), and two brackets.
    signs: &'static str,
    /// Columns.
    pub width: usize,
    /// Rows.
    pub height: usize,
    /// The row, counted from its first one, that wires meet in a picture from left to right.
    pub port: usize,
}

/// The box of a vertex.
pub(crate) fn cell_box((diagram, at): (&Diagram, usize), face: Face, form: Form) -> CellBox {
    let vertex = &diagram.vertices[at];
    let role = face.ink;
    let mut title = face.label;
    if !face.words.is_empty() {
        title = format!("{title} {}", characters::clean(&face.words));
    }
    let signs = match vertex.stage {
        Some(Stage::Current) => "┏┓┗┛━┃┠┨┯┷┃┃",
        Some(Stage::Coming) => "┌┐└┘╌┆├┤┬┴┆┆",
        _ => "╭╮╰╯─│├┤┬┴[]",
    };
    let sign = face.operation.map(|operation| sign_text(vertex, operation));
    let joined = [!vertex.operands.is_empty(), at != 0];
    let unframed = |rows: Vec<BoxRow>| CellBox {
        role,
        title: String::new(),
        width: rows.first().map_or(0, |row| columns(row)),
        rows,
        is_framed: false,
        downwards: form.downwards,
        sign,
        joined,
        signs,
        height: 1,
        port: 0,
    };
    if vertex.kind == Kind::Constant && vertex.list.is_none() {
        let space = if form.downwards { "" } else { " " };
        return unframed(vec![vec![(title + space, role)]]);
    }
    let numbers = face.numbers;
    if form.size == BoxSize::Line {
        let pieces = numbers.into_iter().flat_map(|(name, text, role)| {
            let sign = if name == "grad" { " ∂" } else { " " };
            [(sign.to_string(), Role::Dim), (text, role)]
        });
        let [left, right] = [10, 11].map(|at| (nth(signs, at), role));
        let row = [left, (title, role)].into_iter().chain(pieces);
        return unframed(vec![row.chain([right]).collect()]);
    }
    let before = numbers.iter().map(|(_, text, _)| point(text)).max();
    let before = before.unwrap_or(0);
    let rows = numbers.into_iter().map(|(name, text, role)| {
        let name = match (name, form.size) {
            ("", _) => String::new(),
            (name, BoxSize::Full) => format!("{name} "),
            ("grad", _) => "∂ ".to_string(),
            _ => "  ".to_string(),
        };
        let text = format!("{}{text}", " ".repeat(before - point(&text)));
        vec![(name, Role::Dim), (text, role)]
    });
    let mut rows: Vec<_> = rows.collect();
    let inner = rows.iter().map(|row| columns(row)).max().unwrap_or(0);
    let inner = inner.max(characters::width(&title));
    if form.downwards {
        rows.insert(0, vec![(std::mem::take(&mut title), role)]);
    }
    CellBox {
        title,
        height: rows.len() + 2,
        is_framed: true,
        width: inner + 4,
        port: 1,
        ..unframed(rows)
    }
}

/// The columns of a number before its point. In a range the first number counts.
fn point(text: &str) -> usize {
    match text {
        // The dot for a missing number stands where a digit would.
        "·" => 1,
        _ => number::point(text.split(' ').next().unwrap_or(text)),
    }
}

/// The sign of an operation, in its oval, with the numbers on its wires: `(* -3, 2)`.
fn sign_text(vertex: &Vertex, (sign, ink): (&str, Role)) -> (String, Role) {
    let mut text = sign.to_string();
    let on_wires = || vertex.on_wires.iter().flatten();
    if on_wires().next().is_some() {
        let number = |on_wire: &Option<OnWire>| match on_wire {
            Some(on_wire) => number::short(on_wire.number),
            None => "·".to_string(),
        };
        let numbers = vertex.on_wires.iter().take(MOST_ON_WIRES).map(number);
        let more = (vertex.on_wires.len() > MOST_ON_WIRES).then(|| "…".to_string());
        let numbers: Vec<String> = numbers.chain(more).collect();
        text = format!("{text} {}", numbers.join(", "));
    }
    let role = if on_wires().any(|on_wire| !on_wire.number.is_finite()) {
        Role::NotFinite
    } else {
        ink
    };
    (format!("({})", characters::clean(&text)), role)
}

/// One of several signs.
fn nth(signs: &str, at: usize) -> String {
    signs.chars().skip(at).take(1).collect()
}

fn columns(row: &[(String, Role)]) -> usize {
    row.iter().map(|(text, _)| characters::width(text)).sum()
}

impl CellBox {
    /// The width of the sign of its operation.
    pub(crate) fn sign_width(&self) -> usize {
        (self.sign.as_ref()).map_or(0, |(sign, _)| characters::width(sign))
    }

    /// Draws it with this width and with its upper left corner at this place.
    pub(crate) fn draw(&self, sheet: &mut CharSheet, (x, y): (usize, usize), width: usize) {
        if !self.is_framed {
            return self.write(sheet, 0, (x, y));
        }
        let sign = |at: usize| nth(self.signs, at);
        let lying = |count: usize| sign(4).repeat(count);
        let [comes, leaves] = self.joined;
        // If the picture runs downwards, wires meet the upper and the lower edge; otherwise the upper edge has the title.
        let edge = |[left, right]: [usize; 2], title: &str, gate: Option<usize>| {
            let inner = match gate.filter(|_| self.downwards) {
                Some(gate) => {
                    let column = (width - 1) / 2;
                    lying(column - 1) + &sign(gate) + &lying(width - 2 - column)
                }
                None => title.to_string() + &lying(width - 2 - characters::width(title)),
            };
            sign(left) + &inner + &sign(right)
        };
        let title = match &*self.title {
            "" => String::new(),
            title => format!(" {title} "),
        };
        let upper = edge([0, 1], &title, comes.then_some(9));
        let lower = edge([2, 3], "", leaves.then_some(8));
        sheet.text((x, y), &upper, self.role);
        for (at, row) in self.rows.iter().enumerate() {
            let y = y + 1 + at;
            let open = !self.downwards && at + 1 == self.port;
            let [left, right] = [(comes, 7), (leaves, 6)]
                .map(|(yes, gate)| sign(if open && yes { gate } else { 5 }));
            sheet.text((x, y), &left, self.role);
            // A label within the box stands in its middle.
            let indent = if self.downwards && at == 0 {
                (width - 4 - columns(row)) / 2
            } else {
                0
            };
            self.write(sheet, at, (x + 2 + indent, y));
            sheet.text((x + width - 1, y), &right, self.role);
        }
        sheet.text((x, y + self.height - 1), &lower, self.role);
    }

    fn write(&self, sheet: &mut CharSheet, at: usize, (mut x, y): (usize, usize)) {
        for (text, role) in &self.rows[at] {
            sheet.text((x, y), text, *role);
            x += characters::width(text);
        }
    }
}

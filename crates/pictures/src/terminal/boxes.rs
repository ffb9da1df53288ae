//! Draws a node as lines of text: a box with its label and its numbers, a smaller box, one line, or a number alone.
//!
//! A box is measured before the layout, and drawn when the layout has found its place.

use super::form::{BoxSize, Form};
use crate::char_sheet::CharSheet;
use crate::shapes::labels::{Face, FaceNumber};
use chainrule_report::characters;
use chainrule_report::{Diagram, Kind, OnWire, Stage, Vertex};
use chainrule_style::number;
use chainrule_style::theme::Role;

/// The most numbers beside the sign of an operation.
const MOST_ON_WIRES: usize = 5;
/// The columns at each side of a frame: an edge and a blank.
const SIDE: usize = 2;

/// Pieces of text, each with its role.
type BoxRow = Vec<(String, Role)>;

/// The characters of the frame of a box.
struct FrameChars {
    upper_corners: [char; 2],
    lower_corners: [char; 2],
    horizontal: char,
    vertical: char,
    /// The places where wires come and leave: on the left, on the right, above and below.
    gates: [char; 4],
    /// The ends of a box of one row.
    brackets: [char; 2],
}

/// The frame of most nodes.
const USUAL: FrameChars = FrameChars {
    upper_corners: ['╭', '╮'],
    lower_corners: ['╰', '╯'],
    horizontal: '─',
    vertical: '│',
    gates: ['┤', '├', '┴', '┬'],
    brackets: ['[', ']'],
};

/// The frame of the current stop of a walk.
const CURRENT: FrameChars = FrameChars {
    upper_corners: ['┏', '┓'],
    lower_corners: ['┗', '┛'],
    horizontal: '━',
    vertical: '┃',
    gates: ['┨', '┠', '┷', '┯'],
    brackets: ['┃', '┃'],
};

/// The frame of a node that the walk has not reached.
const COMING: FrameChars = FrameChars {
    upper_corners: ['┌', '┐'],
    lower_corners: ['└', '┘'],
    horizontal: '╌',
    vertical: '┆',
    brackets: ['┆', '┆'],
    ..USUAL
};

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
    is_downwards: bool,
    /// The sign of the operation before it, and its role.
    pub sign: Option<(String, Role)>,
    /// The gate where wires come, if it has operands.
    gate_before: Option<char>,
    /// The gate where wires leave, if it has users.
    gate_after: Option<char>,
    frame: &'static FrameChars,
    /// The number of columns.
    pub width: usize,
    /// The number of rows.
    pub height: usize,
    /// In a picture from left to right, the row where wires come and leave, counted from 0.
    pub port: usize,
}

/// The box of a vertex.
pub(crate) fn cell_box(diagram: &Diagram, index: usize, face: Face, form: Form) -> CellBox {
    let vertex = &diagram.vertices[index];
    let mut title = face.label;
    if !face.words.is_empty() {
        title = format!("{title} {}", characters::clean(&face.words));
    }
    let frame = match vertex.stage {
        Some(Stage::Current) => &CURRENT,
        Some(Stage::Coming) => &COMING,
        _ => &USUAL,
    };
    let [left_gate, right_gate, upper_gate, lower_gate] = frame.gates;
    let (before, after) = if form.is_downwards {
        (upper_gate, lower_gate)
    } else {
        (left_gate, right_gate)
    };
    let operation = face.operation;
    let empty = CellBox {
        role: face.ink,
        title: String::new(),
        rows: Vec::new(),
        is_framed: false,
        is_downwards: form.is_downwards,
        sign: operation.map(|(sign, ink)| sign_text(vertex, sign, ink)),
        gate_before: (!vertex.operands.is_empty()).then_some(before),
        // The root comes first, and only it has no user.
        gate_after: (index != 0).then_some(after),
        frame,
        width: 0,
        height: 1,
        port: 0,
    };
    // A constant has no frame; a blank separates it from the wire on its right.
    if vertex.kind == Kind::Constant && vertex.list.is_none() {
        let space = if form.is_downwards { "" } else { " " };
        return empty.with_row(vec![(title + space, face.ink)]);
    }
    match form.size {
        BoxSize::Line => {
            let [open, close] = frame.brackets.map(|it| (it.to_string(), face.ink));
            let mut row = vec![open, (title, face.ink)];
            for number in face.numbers {
                let mark = if number.name == "grad" { " ∂" } else { " " };
                row.push((mark.to_string(), Role::Dim));
                row.push((number.text, number.ink));
            }
            row.push(close);
            empty.with_row(row)
        }
        BoxSize::Full | BoxSize::Short => {
            empty.with_frame(title, number_rows(face.numbers, form.size))
        }
    }
}

/// The rows of numbers in a frame, with their points below each other.
fn number_rows(numbers: Vec<FaceNumber>, size: BoxSize) -> Vec<BoxRow> {
    let points = numbers.iter().map(|number| point_column(&number.text));
    let rightmost = points.max().unwrap_or(0);
    let mut rows = Vec::new();
    for number in numbers {
        let name = match (number.name, size) {
            ("", _) => String::new(),
            (name, BoxSize::Full) => format!("{name} "),
            ("grad", _) => "∂ ".to_string(),
            _ => "  ".to_string(),
        };
        let blanks = " ".repeat(rightmost - point_column(&number.text));
        rows.push(vec![(name, Role::Dim), (blanks + &number.text, number.ink)]);
    }
    rows
}

/// The number of columns before the point of a number. In a range the first number counts.
fn point_column(text: &str) -> usize {
    match text {
        // The dot for a missing number stands where a digit would.
        "·" => 1,
        _ => number::point(text.split(' ').next().unwrap_or(text)),
    }
}

/// The sign of an operation in an oval, with the numbers on its wires: `(* -3, 2)`. Returns it with its role.
fn sign_text(vertex: &Vertex, sign: &str, ink: Role) -> (String, Role) {
    let mut text = sign.to_string();
    if vertex.on_wires.iter().any(Option::is_some) {
        let number = |on_wire: &Option<OnWire>| match on_wire {
            Some(on_wire) => number::short(on_wire.number),
            None => "·".to_string(),
        };
        let numbers = vertex.on_wires.iter().take(MOST_ON_WIRES).map(number);
        let more = (vertex.on_wires.len() > MOST_ON_WIRES).then(|| "…".to_string());
        let numbers: Vec<String> = numbers.chain(more).collect();
        text = format!("{text} {}", numbers.join(", "));
    }
    let mut on_wires = vertex.on_wires.iter().flatten();
    let role = if on_wires.any(|on_wire| !on_wire.number.is_finite()) {
        Role::NotFinite
    } else {
        ink
    };
    (format!("({})", characters::clean(&text)), role)
}

/// The width of a row.
fn columns(row: &[(String, Role)]) -> usize {
    row.iter().map(|(text, _)| characters::width(text)).sum()
}

impl CellBox {
    /// The same box as one row of text.
    fn with_row(self, row: BoxRow) -> CellBox {
        CellBox {
            width: columns(&row),
            rows: vec![row],
            ..self
        }
    }

    /// The same box with a frame around these rows. If the picture runs downwards, wires come to its upper edge, so the
    /// title is in a row of its own.
    fn with_frame(self, title: String, mut rows: Vec<BoxRow>) -> CellBox {
        let widths = rows.iter().map(|row| columns(row));
        let inner = widths.fold(characters::width(&title), usize::max);
        let upper = if self.is_downwards {
            rows.insert(0, vec![(title, self.role)]);
            String::new()
        } else {
            title
        };
        CellBox {
            title: upper,
            height: rows.len() + 2,
            rows,
            is_framed: true,
            width: inner + 2 * SIDE,
            port: 1,
            ..self
        }
    }

    /// The width of the sign of its operation.
    pub(crate) fn sign_width(&self) -> usize {
        (self.sign.as_ref()).map_or(0, |(sign, _)| characters::width(sign))
    }

    /// Draws the box with this width and with its upper left corner at this place.
    pub(crate) fn draw(&self, sheet: &mut CharSheet, (x, y): (usize, usize), width: usize) {
        if !self.is_framed {
            return self.write_row(sheet, 0, (x, y));
        }
        let title = match &*self.title {
            "" => String::new(),
            title => format!(" {title} "),
        };
        let upper = self.edge(self.frame.upper_corners, &title, self.gate_before, width);
        sheet.text((x, y), &upper, self.role);
        for (index, row) in self.rows.iter().enumerate() {
            let row_y = y + 1 + index;
            let is_port = !self.is_downwards && index + 1 == self.port;
            let [left, right] = [self.gate_before, self.gate_after].map(|gate| {
                let edge = gate.filter(|_| is_port).unwrap_or(self.frame.vertical);
                edge.to_string()
            });
            sheet.text((x, row_y), &left, self.role);
            // A label inside the box is centred.
            let indent = if self.is_downwards && index == 0 {
                (width - 2 * SIDE - columns(row)) / 2
            } else {
                0
            };
            self.write_row(sheet, index, (x + SIDE + indent, row_y));
            sheet.text((x + width - 1, row_y), &right, self.role);
        }
        let lower = self.edge(self.frame.lower_corners, "", self.gate_after, width);
        sheet.text((x, y + self.height - 1), &lower, self.role);
    }

    /// The upper or the lower edge of the frame. If the picture runs downwards, it has the gate for wires; otherwise it has
    /// the title.
    fn edge(&self, corners: [char; 2], title: &str, gate: Option<char>, width: usize) -> String {
        let line = |count: usize| self.frame.horizontal.to_string().repeat(count);
        let inner = match gate.filter(|_| self.is_downwards) {
            Some(gate) => {
                let column = (width - 1) / 2;
                format!("{}{gate}{}", line(column - 1), line(width - 2 - column))
            }
            None => title.to_string() + &line(width - 2 - characters::width(title)),
        };
        format!("{}{inner}{}", corners[0], corners[1])
    }

    /// Writes a row from a column and a row of the sheet on.
    fn write_row(&self, sheet: &mut CharSheet, index: usize, (mut x, y): (usize, usize)) {
        for (text, role) in &self.rows[index] {
            sheet.text((x, y), text, *role);
            x += characters::width(text);
        }
    }
}

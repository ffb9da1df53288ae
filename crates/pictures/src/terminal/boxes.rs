//! Draws a node as lines of text: a box with its label and its numbers, a smaller box, one line, or a number alone.
//!
//! A box is measured before the layout, and drawn when the layout has found its place.

use super::{BoxSize, Form};
use crate::char_sheet::CharSheet;
use crate::shapes::labels::{Face, FaceNumber};
use chainrule_report::{Diagram, Kind, OnWire, Stage, Vertex, characters};
use chainrule_style::number;
use chainrule_style::theme::Role;

/// The most numbers beside the sign of an operation.
const MOST_ON_WIRES: usize = 5;
/// The columns on each side of the rows in a frame: an edge and a blank.
const SIDE: usize = 2;

/// Pieces of text, each with its role.
type BoxRow = Vec<(String, Role)>;

/// The characters of the frame of a box.
struct FrameChars {
    /// The upper two corners, then the lower two, each pair from left to right.
    corners: [char; 4],
    horizontal: char,
    vertical: char,
    /// The places where wires come and leave: on the left, on the right, above and below.
    gates: [char; 4],
    /// The ends of a box of one row.
    brackets: [char; 2],
}

/// The frame of most nodes.
const USUAL: FrameChars = FrameChars {
    corners: ['╭', '╮', '╰', '╯'],
    horizontal: '─',
    vertical: '│',
    gates: ['┤', '├', '┴', '┬'],
    brackets: ['[', ']'],
};

/// The frame of the current stop of a walk.
const CURRENT: FrameChars = FrameChars {
    corners: ['┏', '┓', '┗', '┛'],
    horizontal: '━',
    vertical: '┃',
    gates: ['┨', '┠', '┷', '┯'],
    brackets: ['┃', '┃'],
};

/// The frame of a node that the walk has not reached.
const COMING: FrameChars = FrameChars {
    corners: ['┌', '┐', '└', '┘'],
    horizontal: '╌',
    vertical: '┆',
    brackets: ['┆', '┆'],
    ..USUAL
};

/// The box of a node. Lengths are columns and rows.
pub(crate) struct CellBox {
    /// The role of its outline and its label.
    role: Role,
    content: BoxContent,
    /// Whether the picture runs from top to bottom.
    is_downwards: bool,
    /// The sign of the operation before it, and its role.
    pub sign: Option<(String, Role)>,
    /// The gate where wires come, if it has operands.
    gate_before: Option<char>,
    /// The gate where wires leave, if it has users.
    gate_after: Option<char>,
    frame: &'static FrameChars,
}

/// The texts of a box.
enum BoxContent {
    /// One row without a frame.
    Row(BoxRow),
    /// A title and rows of numbers in a frame. The title is in the upper edge. If the picture runs downwards, the upper
    /// edge has the gate for wires, and the title is a row of its own.
    Framed { title: String, rows: Vec<BoxRow> },
}

/// The box of a vertex.
pub(super) fn cell_box(diagram: &Diagram, index: usize, face: Face, form: Form) -> CellBox {
    let vertex = &diagram.vertices[index];
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
    CellBox {
        role: face.ink,
        is_downwards: form.is_downwards,
        sign: operation.map(|(sign, ink)| sign_text(vertex, sign, ink)),
        gate_before: (!vertex.operands.is_empty()).then_some(before),
        // The root comes first, and only it has no user.
        gate_after: (index != 0).then_some(after),
        frame,
        content: content(vertex, face, frame, form),
    }
}

fn content(vertex: &Vertex, face: Face, frame: &FrameChars, form: Form) -> BoxContent {
    let mut title = face.label;
    if !face.words.is_empty() {
        title = format!("{title} {}", characters::clean(&face.words));
    }
    if vertex.kind == Kind::Constant && vertex.list.is_none() {
        // A blank separates the constant, which has no frame, from the wire on its right.
        let blank = if form.is_downwards { "" } else { " " };
        return BoxContent::Row(vec![(title + blank, face.ink)]);
    }
    if form.size != BoxSize::Line {
        let rows = number_rows(face.numbers, form.size);
        return BoxContent::Framed { title, rows };
    }
    let [open, close] = frame.brackets.map(|it| (it.to_string(), face.ink));
    let mut row = vec![open, (title, face.ink)];
    for number in face.numbers {
        let mark = if number.name == "grad" { " ∂" } else { " " };
        row.push((mark.to_string(), Role::Dim));
        row.push((number.text, number.ink));
    }
    row.push(close);
    BoxContent::Row(row)
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
    let on_wires = &vertex.on_wires;
    let mut text = sign.to_string();
    if on_wires.iter().any(Option::is_some) {
        let number = |on_wire: &Option<OnWire>| match on_wire {
            Some(on_wire) => number::short(on_wire.number),
            None => "·".to_string(),
        };
        let mut numbers: Vec<String> = on_wires.iter().take(MOST_ON_WIRES).map(number).collect();
        if on_wires.len() > MOST_ON_WIRES {
            numbers.push("…".to_string());
        }
        text = format!("{text} {}", numbers.join(", "));
    }
    let is_finite = |on_wire: &OnWire| on_wire.number.is_finite();
    let role = if on_wires.iter().flatten().all(is_finite) {
        ink
    } else {
        Role::NotFinite
    };
    (format!("({})", characters::clean(&text)), role)
}

/// The width of a row.
fn columns(row: &[(String, Role)]) -> usize {
    row.iter().map(|(text, _)| characters::width(text)).sum()
}

impl CellBox {
    /// Whether it has a frame, which may be made wider.
    pub(crate) fn is_framed(&self) -> bool {
        matches!(self.content, BoxContent::Framed { .. })
    }

    /// The number of columns.
    pub(crate) fn width(&self) -> usize {
        match &self.content {
            BoxContent::Row(row) => columns(row),
            BoxContent::Framed { title, rows } => {
                let widths = rows.iter().map(|row| columns(row));
                widths.fold(characters::width(title), usize::max) + 2 * SIDE
            }
        }
    }

    /// The number of rows.
    pub(crate) fn height(&self) -> usize {
        match &self.content {
            BoxContent::Row(_) => 1,
            BoxContent::Framed { rows, .. } => rows.len() + usize::from(self.is_downwards) + 2,
        }
    }

    /// In a picture from left to right, the row where wires come and leave, counted from 0.
    pub(crate) fn port(&self) -> usize {
        usize::from(self.is_framed())
    }

    /// The width of the sign of its operation.
    pub(crate) fn sign_width(&self) -> usize {
        (self.sign.as_ref()).map_or(0, |(sign, _)| characters::width(sign))
    }

    /// Draws the box with this width and with its upper left corner at this place.
    pub(crate) fn draw(&self, sheet: &mut CharSheet, (x, y): (usize, usize), width: usize) {
        let (title, rows) = match &self.content {
            BoxContent::Row(row) => return write_row(sheet, row, (x, y)),
            BoxContent::Framed { title, rows } => (title, rows),
        };
        self.draw_edges(sheet, (x, y), width, title);
        self.draw_sides(sheet, (x, y), width);
        if self.is_downwards {
            let centred_x = x + (width - characters::width(title)) / 2;
            sheet.text((centred_x, y + 1), title, self.role);
        }
        let first_row = y + 1 + usize::from(self.is_downwards);
        for (row, row_y) in rows.iter().zip(first_row..) {
            write_row(sheet, row, (x + SIDE, row_y));
        }
    }

    /// Draws the upper and the lower edge of the frame. In a picture that runs downwards they have the gates; otherwise the
    /// upper edge has the title.
    fn draw_edges(&self, sheet: &mut CharSheet, (x, y): (usize, usize), width: usize, title: &str) {
        let inner_width = width - 2;
        let mut upper = self.line(inner_width);
        let mut lower = self.line(inner_width);
        if self.is_downwards {
            upper = self.line_with_gate(self.gate_before, inner_width);
            lower = self.line_with_gate(self.gate_after, inner_width);
        } else if !title.is_empty() {
            let rest = self.line(inner_width - 2 - characters::width(title));
            upper = format!(" {title} {rest}");
        }
        let [upper_left, upper_right, lower_left, lower_right] = self.frame.corners;
        upper = format!("{upper_left}{upper}{upper_right}");
        lower = format!("{lower_left}{lower}{lower_right}");
        sheet.text((x, y), &upper, self.role);
        sheet.text((x, y + self.height() - 1), &lower, self.role);
    }

    /// A horizontal line of this width, with a gate in its middle if there is one.
    fn line_with_gate(&self, gate: Option<char>, width: usize) -> String {
        let middle = gate.unwrap_or(self.frame.horizontal);
        let [before, after] = [(width - 1) / 2, width / 2].map(|part| self.line(part));
        format!("{before}{middle}{after}")
    }

    fn line(&self, width: usize) -> String {
        self.frame.horizontal.to_string().repeat(width)
    }

    /// Draws the left and the right side of the frame. In a picture from left to right they have the gates.
    fn draw_sides(&self, sheet: &mut CharSheet, (x, y): (usize, usize), width: usize) {
        for row in 1..self.height() - 1 {
            let has_gates = !self.is_downwards && row == self.port();
            for (column, gate) in [(x, self.gate_before), (x + width - 1, self.gate_after)] {
                let side = gate.filter(|_| has_gates).unwrap_or(self.frame.vertical);
                sheet.text((column, y + row), &side.to_string(), self.role);
            }
        }
    }
}

/// Writes pieces of text one after the other, beginning at this place of the sheet.
fn write_row(sheet: &mut CharSheet, row: &BoxRow, (mut x, y): (usize, usize)) {
    for (text, role) in row {
        sheet.text((x, y), text, *role);
        x += characters::width(text);
    }
}

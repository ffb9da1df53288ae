//! A node as lines of text: a box with its label and its numbers, a smaller one, one line, or a plain number.
//!
//! A face is measured first; it is drawn once the layout has found its place.

use super::cells::Sheet;
use super::form::{BoxSize, Form};
use crate::report::{Diagram, Kind, OnWire, Stage, Vertex};
use crate::view::picture::shapes::labels;
use crate::view::theme::Role;
use crate::view::{Style, characters, number};

/// The most numbers beside the sign of an operation.
const MOST_ON_WIRES: usize = 5;

/// A node's looks.
pub(crate) struct Face {
    /// What its outline and label are.
    pub role: Role,
    /// What is inside: a row of pieces, each with its role.
    rows: Vec<Vec<(String, Role)>>,
    title: String,
    kind: Looks,
    /// Columns of its numbers before their points.
    pub before: usize,
    /// Columns.
    pub width: usize,
    /// Rows.
    pub height: usize,
    /// The row, from its first, that wires meet in a picture from left to right.
    pub port: usize,
}

/// Where wires meet an outline.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ports {
    /// One comes.
    pub before: bool,
    /// One leaves.
    pub behind: bool,
    /// In a picture that runs downwards, the column of both.
    pub column: Option<usize>,
}

/// The signs of an outline.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Looks {
    Bare,
    Line(&'static str),
    Frame {
        /// Upper left to lower right corner, then the lying and the upright line.
        signs: &'static str,
        /// Where a wire leaves or comes: right, left, below, above.
        ports: &'static str,
    },
}

/// The looks of a vertex.
pub(crate) fn face(
    diagram: &Diagram,
    at: usize,
    (form, grads): (Form, bool),
    style: &Style,
) -> Face {
    let vertex = &diagram.vertices[at];
    let role = role(vertex, at);
    let label = characters::clean(&vertex.label, style.ascii);
    let label = characters::shorten_middle(&label, form.label(), style.ascii).into_owned();
    let words = characters::clean_name(&labels::words(vertex), style.ascii).into_owned();
    let label = if words.is_empty() {
        label
    } else {
        format!("{label} {words}")
    };
    if vertex.kind == Kind::Constant && vertex.list.is_none() {
        let space = if form.downwards { "" } else { " " };
        return Face::row(role, Looks::Bare, vec![(label + space, role)]);
    }
    let numbers = numbers(vertex, grads, style);
    match form.size {
        BoxSize::Line => line(vertex, label, numbers, role, style),
        size => frame(vertex, label, numbers, role, (size, form.downwards), style),
    }
}

/// The sign of an operation, in its oval, with the numbers on its wires: `(* -3, 2)`.
pub(crate) fn operation(vertex: &Vertex, style: &Style) -> Option<(String, Role)> {
    let mut text = vertex.operation?.0.to_string();
    let numbers = vertex.on_wires.iter();
    let mut numbers: Vec<String> = numbers
        .take(MOST_ON_WIRES)
        .map(|on_wire| {
            let number = on_wire
                .as_ref()
                .map(|on_wire| number::terse(on_wire.number));
            number.unwrap_or_else(|| "·".to_string())
        })
        .collect();
    if vertex.on_wires.len() > MOST_ON_WIRES {
        numbers.push("…".to_string());
    }
    if vertex.on_wires.iter().any(Option::is_some) {
        text = format!("{text} {}", numbers.join(", "));
    }
    let broken = |on_wire: &OnWire| !on_wire.number.is_finite();
    let role = if vertex.on_wires.iter().flatten().any(broken) {
        Role::NotFinite
    } else {
        Role::Operation
    };
    Some((format!("({})", characters::clean(&text, style.ascii)), role))
}

fn role(vertex: &Vertex, at: usize) -> Role {
    match (vertex.stage, vertex.kind) {
        (Some(Stage::Current), _) => Role::Current,
        (Some(Stage::Coming), _) => Role::Coming,
        _ if vertex.first => Role::NotFinite,
        (_, Kind::Constant) if vertex.data.is_some_and(|data| !data.is_finite()) => Role::NotFinite,
        (_, Kind::Constant) => Role::Dim,
        (_, Kind::Leaf) => Role::Leaf,
        (_, Kind::Frozen) => Role::Frozen,
        (_, Kind::Computed) if at == 0 => Role::Root,
        (_, Kind::Computed) => Role::Computed,
    }
}

/// A number of a node: `data` or `grad`, its text, and its role.
type NumberText = (&'static str, String, Role);

fn numbers(vertex: &Vertex, grads: bool, style: &Style) -> Vec<NumberText> {
    let numbers = labels::numbers(vertex, grads, style.table_digits);
    let number = |(name, text): (&'static str, String)| {
        let role = match (name, vertex.list.is_some()) {
            (_, true) => None,
            ("grad", _) => vertex.grad.map(Role::of_grad),
            _ => vertex.data.map(Role::of),
        };
        let text = characters::clean(&text, style.ascii).into_owned();
        (name, text, role.unwrap_or(Role::Number))
    };
    numbers.into_iter().map(number).collect()
}

/// `[a 2 ∂6]`.
fn line(
    vertex: &Vertex,
    title: String,
    numbers: Vec<NumberText>,
    role: Role,
    style: &Style,
) -> Face {
    let brackets = match (vertex.stage, style.ascii) {
        (Some(Stage::Current), false) => "┃┃",
        (Some(Stage::Coming), false) => "┆┆",
        (Some(Stage::Current), true) => "##",
        (Some(Stage::Coming), true) => "::",
        _ => "[]",
    };
    let partial = if style.ascii { " d" } else { " ∂" };
    let mut row = vec![(title, role)];
    for (name, text, role) in numbers {
        if name == "grad" {
            row.extend([(partial.to_string(), Role::Dim), (text, role)]);
        } else if !vertex.first {
            // `first NaN` says it already.
            row.extend([(" ".to_string(), Role::Plain), (text, role)]);
        }
    }
    Face::row(role, Looks::Line(brackets), row)
}

fn frame(
    vertex: &Vertex,
    title: String,
    numbers: Vec<NumberText>,
    role: Role,
    (size, downwards): (BoxSize, bool),
    style: &Style,
) -> Face {
    let (signs, ports) = match (vertex.stage, style.ascii) {
        (Some(Stage::Current), false) => ("┏┓┗┛━┃", "┠┨┯┷"),
        (Some(Stage::Coming), false) => ("┌┐└┘╌┆", "├┤┬┴"),
        (_, false) => ("╭╮╰╯─│", "├┤┬┴"),
        (Some(Stage::Current), true) => ("####=#", "++++"),
        (Some(Stage::Coming), true) => (".....:", "++++"),
        (_, true) => ("++++-|", "++++"),
    };
    // Numbers stand with their points below each other; of a range, the first of the two.
    let point = |text: &str| match text {
        // The dot for a missing number stands where a digit would.
        "." | "·" => 1,
        _ => number::point(text.split(' ').next().unwrap_or(text)),
    };
    let before = numbers.iter().map(|(_, text, _)| point(text)).max();
    let named = |name: &str| match (size, name) {
        (_, "") => String::new(),
        (BoxSize::Full, name) => format!("{name} "),
        (_, "grad") => (if style.ascii { "d " } else { "∂ " }).to_string(),
        _ => "  ".to_string(),
    };
    let mut rows: Vec<Vec<(String, Role)>> = numbers
        .into_iter()
        .map(|(name, text, role)| {
            let blanks = before.unwrap_or(0) - point(&text);
            vec![
                (named(name), Role::Dim),
                (format!("{}{text}", " ".repeat(blanks)), role),
            ]
        })
        .collect();
    let mut inner = rows.iter().map(|row| columns(row)).max().unwrap_or(0);
    inner = inner.max(characters::width(&title));
    let title = if downwards {
        rows.insert(0, vec![(title, role)]);
        String::new()
    } else {
        title
    };
    Face {
        role,
        height: rows.len() + 2,
        rows,
        title,
        kind: Looks::Frame { signs, ports },
        before: before.unwrap_or(0),
        width: inner + 4,
        port: 1,
    }
}

fn columns(row: &[(String, Role)]) -> usize {
    row.iter().map(|(text, _)| characters::width(text)).sum()
}

impl Face {
    /// A face of one row.
    fn row(role: Role, kind: Looks, row: Vec<(String, Role)>) -> Face {
        let around = if kind == Looks::Bare { 0 } else { 2 };
        Face {
            role,
            width: columns(&row) + around,
            rows: vec![row],
            title: String::new(),
            kind,
            before: 0,
            height: 1,
            port: 0,
        }
    }

    /// Whether it may be made wider.
    pub(crate) fn stretches(&self) -> bool {
        matches!(self.kind, Looks::Frame { .. })
    }

    /// Moves the numbers to the right, so that their points stand below those of other boxes, if they have room.
    pub(crate) fn align(&mut self, before: usize, width: usize) {
        let used = self.rows.iter().map(|row| columns(row)).max().unwrap_or(0);
        let room = width.saturating_sub(used + 4);
        let blanks = " ".repeat(before.saturating_sub(self.before).min(room));
        for (text, _) in self.rows.iter_mut().filter_map(|row| row.get_mut(1)) {
            text.insert_str(0, &blanks);
        }
    }

    /// Draws it, this wide, with its upper left corner there.
    pub(crate) fn draw(
        &self,
        sheet: &mut Sheet,
        (x, y): (usize, usize),
        width: usize,
        ports: Ports,
    ) {
        let (signs, gates) = match self.kind {
            Looks::Bare => return self.write(sheet, 0, (x, y)),
            Looks::Line(brackets) => {
                let (left, right) = brackets.split_at(brackets.len() / 2);
                sheet.text((x, y), left, self.role);
                self.write(sheet, 0, (x + 1, y));
                return sheet.text((x + self.width - 1, y), right, self.role);
            }
            Looks::Frame { signs, ports } => (signs, ports),
        };
        let sign = |at: usize| signs.chars().nth(at).unwrap_or(' ');
        let gate = |at: usize| gates.chars().nth(at).unwrap_or(' ');
        let lying = |count: usize| sign(4).to_string().repeat(count);
        let title = if self.title.is_empty() {
            lying(width - 2)
        } else {
            let rest = width - 4 - characters::width(&self.title);
            format!(" {} {}", self.title, lying(rest))
        };
        let mut upper = format!("{}{title}{}", sign(0), sign(1));
        let mut lower = format!("{}{}{}", sign(2), lying(width - 2), sign(3));
        if let Some(column) = ports.column {
            let open = |line: &str, yes: bool, gate: char| -> String {
                let signs = line.chars().enumerate();
                signs
                    .map(|(place, sign)| if yes && place == column { gate } else { sign })
                    .collect()
            };
            upper = open(&upper, ports.before, gate(3));
            lower = open(&lower, ports.behind, gate(2));
        }
        sheet.text((x, y), &upper, self.role);
        for (at, row) in self.rows.iter().enumerate() {
            let open = ports.column.is_none() && at + 1 == self.port;
            let [left, right] = [(ports.before, 1), (ports.behind, 0)]
                .map(|(yes, side)| if open && yes { gate(side) } else { sign(5) });
            sheet.text((x, y + 1 + at), &left.to_string(), self.role);
            let indent = if ports.column.is_some() && at == 0 {
                (width - 4 - columns(row)) / 2
            } else {
                0
            };
            self.write(sheet, at, (x + 2 + indent, y + 1 + at));
            sheet.text((x + width - 1, y + 1 + at), &right.to_string(), self.role);
        }
        sheet.text((x, y + self.height - 1), &lower, self.role);
    }

    fn write(&self, sheet: &mut Sheet, at: usize, (mut x, y): (usize, usize)) {
        for (text, role) in &self.rows[at] {
            sheet.text((x, y), text, *role);
            x += characters::width(text);
        }
    }
}

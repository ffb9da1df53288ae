//! A sheet of character cells: wires as arms that leave a cell in up to four directions, and text on top of them.
//!
//! A wire's character follows from the arms it has in its cell. Where two wires cross, the upright one passes over the
//! other: `─│─`; all four arms are only drawn where a wire forks or wires meet.

use crate::characters;
use crate::view::placed_row::PlacedRow;
use crate::view::theme::{Role, Theme};

const LEFT: u8 = 1;
const RIGHT: u8 = 2;
const UP: u8 = 4;
const DOWN: u8 = 8;
/// A wire of the picture's main direction passes.
const PASSES: u8 = 16;

/// The character of a wire's cell by its arms: [`LEFT`], [`RIGHT`], [`UP`], [`DOWN`].
const SIGNS: [char; 16] = [
    ' ', '─', '─', '─', '│', '╯', '╰', '┴', '│', '╮', '╭', '┬', '│', '┤', '├', '┼',
];
/// The same in plain style.
const PLAIN_SIGNS: [char; 16] = [
    ' ', '-', '-', '-', '|', '+', '+', '+', '|', '+', '+', '+', '|', '+', '+', '+',
];

/// A text somewhere on the sheet.
struct CellLabel {
    x: usize,
    width: usize,
    text: String,
    role: Role,
}

/// The sheet. Positions are given along and across the picture's main direction.
pub(crate) struct Sheet {
    /// The picture runs downwards.
    downwards: bool,
    ascii: bool,
    width: usize,
    cells: Vec<Vec<u8>>,
    labels: Vec<Vec<CellLabel>>,
}

impl Sheet {
    /// An empty one.
    pub(crate) fn new(width: usize, height: usize, downwards: bool, ascii: bool) -> Sheet {
        Sheet {
            downwards,
            ascii,
            width,
            cells: vec![vec![0; width]; height],
            labels: (0..height).map(|_| Vec::new()).collect(),
        }
    }

    /// A wire in the main direction, on a line, from one cell to another.
    pub(crate) fn along(&mut self, line: usize, from: usize, to: usize) {
        for main in from..=to {
            let passes = if from < main && main < to { PASSES } else { 0 };
            let arms = arms(self.downwards, (from, to), main);
            self.add(self.place(main, line), arms | passes);
        }
    }

    /// A wire across the main direction.
    pub(crate) fn across(&mut self, track: usize, from: usize, to: usize) {
        for line in from..=to {
            let arms = arms(!self.downwards, (from, to), line);
            self.add(self.place(track, line), arms);
        }
    }

    /// The column and the row of a cell along the picture, on a line.
    pub(crate) fn place(&self, main: usize, line: usize) -> (usize, usize) {
        if self.downwards {
            (line, main)
        } else {
            (main, line)
        }
    }

    fn add(&mut self, (x, y): (usize, usize), bits: u8) {
        if let Some(cell) = self.cells.get_mut(y).and_then(|row| row.get_mut(x)) {
            *cell |= bits;
        }
    }

    /// A text, in columns and rows. It must have been cleaned.
    pub(crate) fn text(&mut self, (x, y): (usize, usize), text: &str, role: Role) {
        if let (Some(row), false) = (self.labels.get_mut(y), text.is_empty()) {
            row.push(CellLabel {
                x,
                width: characters::width(text),
                text: text.to_string(),
                role,
            });
        }
    }

    /// The sheet as lines without blanks at their ends.
    pub(crate) fn write(mut self, color: Option<Theme>, out: &mut String) {
        for (row, mut labels) in self.cells.iter().zip(std::mem::take(&mut self.labels)) {
            labels.sort_by_key(|label| label.x);
            let mut line = PlacedRow::new(color, out);
            let mut x = 0;
            for label in &labels {
                line.put(&self.wires(row, x, label.x), Role::Plain, x);
                line.put(&label.text, label.role, label.x);
                x = label.x + label.width;
            }
            line.put(&self.wires(row, x, self.width), Role::Plain, x);
            line.end();
        }
    }

    fn wires(&self, row: &[u8], from: usize, to: usize) -> String {
        let cells = row.get(from..to).unwrap_or_default();
        cells.iter().map(|&cell| self.sign(cell)).collect()
    }

    fn sign(&self, cell: u8) -> char {
        let arms = cell & !PASSES;
        let crossing = cell & PASSES != 0 && arms == LEFT | RIGHT | UP | DOWN;
        let signs = if self.ascii { PLAIN_SIGNS } else { SIGNS };
        signs[usize::from(if crossing { UP | DOWN } else { arms })]
    }
}

/// The arms of one cell of a straight wire.
fn arms(upright: bool, (from, to): (usize, usize), at: usize) -> u8 {
    let (back, on) = if upright { (UP, DOWN) } else { (LEFT, RIGHT) };
    let back = if at > from { back } else { 0 };
    back | if at < to { on } else { 0 }
}

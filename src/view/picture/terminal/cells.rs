//! A sheet of character cells: wires that know where they lead, and text on top of them.
//!
//! A wire's character follows from the directions it leaves a cell in. Where two wires cross, the upright one passes
//! over the other: `─│─`; all four arms are only drawn where a wire forks or wires meet.

use crate::view::characters;
use crate::view::theme::{Role, Theme, paint};

const LEFT: u8 = 1;
const RIGHT: u8 = 2;
const UP: u8 = 4;
const DOWN: u8 = 8;
/// A wire of the picture's main direction passes.
const PASSES: u8 = 16;

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
        let (back, on) = if self.downwards {
            (UP, DOWN)
        } else {
            (LEFT, RIGHT)
        };
        for at in from..=to {
            let mut bits = 0;
            if at > from {
                bits |= back;
            }
            if at < to {
                bits |= on;
            }
            if at > from && at < to {
                bits |= PASSES;
            }
            self.add(at, line, bits);
        }
    }

    /// A wire across the main direction.
    pub(crate) fn across(&mut self, track: usize, from: usize, to: usize) {
        let (back, on) = if self.downwards {
            (LEFT, RIGHT)
        } else {
            (UP, DOWN)
        };
        for line in from..=to {
            let mut bits = 0;
            if line > from {
                bits |= back;
            }
            if line < to {
                bits |= on;
            }
            self.add(track, line, bits);
        }
    }

    fn add(&mut self, main: usize, line: usize, bits: u8) {
        let (x, y) = if self.downwards {
            (line, main)
        } else {
            (main, line)
        };
        if let Some(cell) = self.cells.get_mut(y).and_then(|row| row.get_mut(x)) {
            *cell |= bits;
        }
    }

    /// A text, in columns and rows. It must have been cleaned.
    pub(crate) fn text(&mut self, x: usize, y: usize, text: &str, role: Role) {
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
            let mut line = CellLine {
                out: &mut *out,
                blanks: 0,
                color,
            };
            let mut x = 0;
            for label in &labels {
                line.wires(&self.wires(row, x, label.x));
                line.text(&label.text, label.role);
                x = label.x + label.width;
            }
            line.wires(&self.wires(row, x, self.width));
            out.push('\n');
        }
    }

    fn wires(&self, row: &[u8], from: usize, to: usize) -> String {
        let cells = row.get(from..to).unwrap_or_default();
        cells.iter().map(|&cell| self.sign(cell)).collect()
    }

    fn sign(&self, cell: u8) -> char {
        let arms = cell & !PASSES;
        let crossing = cell & PASSES != 0 && arms == LEFT | RIGHT | UP | DOWN;
        let lying = arms & (LEFT | RIGHT) != 0;
        let upright = arms & (UP | DOWN) != 0;
        if self.ascii {
            return match (lying, upright) {
                _ if crossing => '|',
                (true, true) => '+',
                (true, false) => '-',
                (false, true) => '|',
                (false, false) => ' ',
            };
        }
        if crossing {
            return '│';
        }
        match (
            arms & LEFT != 0,
            arms & RIGHT != 0,
            arms & UP != 0,
            arms & DOWN != 0,
        ) {
            (true, true, true, true) => '┼',
            (true, true, true, false) => '┴',
            (true, true, false, true) => '┬',
            (true, false, true, true) => '┤',
            (false, true, true, true) => '├',
            (true, false, true, false) => '╯',
            (true, false, false, true) => '╮',
            (false, true, true, false) => '╰',
            (false, true, false, true) => '╭',
            _ if lying => '─',
            _ if upright => '│',
            _ => ' ',
        }
    }
}

/// A line on its way out: blanks wait until something follows them.
struct CellLine<'o> {
    out: &'o mut String,
    blanks: usize,
    color: Option<Theme>,
}

impl CellLine<'_> {
    fn wires(&mut self, text: &str) {
        let kept = text.trim_end();
        let start = kept.trim_start();
        self.blanks += kept.len() - start.len();
        if start.is_empty() {
            self.blanks += text.len() - kept.len();
            return;
        }
        self.flush();
        self.out.push_str(start);
        self.blanks = text.len() - kept.len();
    }

    fn text(&mut self, text: &str, role: Role) {
        self.wires_end(text, role);
    }

    fn wires_end(&mut self, text: &str, role: Role) {
        if text.trim().is_empty() {
            self.blanks += characters::width(text);
            return;
        }
        self.flush();
        let kept = text.trim_end_matches(' ');
        paint(kept, role, self.color, self.out);
        self.blanks = text.len() - kept.len();
    }

    fn flush(&mut self) {
        self.out.extend(std::iter::repeat_n(' ', self.blanks));
        self.blanks = 0;
    }
}

//! A sheet of character cells, on which the terminal draws graphs and charts: wires as arms that leave a cell in up to four
//! directions, and text on top of them.
//!
//! The arms of a wire in a cell give its character. Where two wires cross, the vertical one passes over the other: `─│─`.
//! All four arms are drawn only where a wire forks or wires meet.

use std::ops::Range;

use chainrule_report::characters;
use chainrule_style::placed_row::PlacedRow;
use chainrule_style::theme::{Role, Theme, map_scale};

const LEFT: u8 = 1;
const RIGHT: u8 = 2;
const UP: u8 = 4;
const DOWN: u8 = 8;
/// A wire of the picture's main direction passes through the cell.
const PASSES: u8 = 16;

/// The character of a wire's cell by its arms: [`LEFT`], [`RIGHT`], [`UP`], [`DOWN`].
const WIRE_CHARS: [char; 16] = [
    ' ', '─', '─', '─', '│', '╯', '╰', '┴', '│', '╮', '╭', '┬', '│', '┤', '├', '┼',
];

/// A text in a row.
struct SheetText {
    /// The column where it begins.
    column: usize,
    text: String,
    role: Role,
    /// The shade of a map behind it.
    shade: Option<u8>,
}

/// A sheet of cells. Wires are placed along and across the picture's main direction.
pub(crate) struct CharSheet {
    /// Whether the picture runs downwards.
    is_downwards: bool,
    width: usize,
    cells: Vec<Vec<u8>>,
    texts: Vec<Vec<SheetText>>,
}

impl CharSheet {
    /// An empty sheet. Wires stay within this width; texts may stand beyond it.
    pub(crate) fn new(width: usize, height: usize, is_downwards: bool) -> CharSheet {
        CharSheet {
            is_downwards,
            width,
            cells: vec![vec![0; width]; height],
            texts: (0..height).map(|_| Vec::new()).collect(),
        }
    }

    /// Draws a wire in the main direction, on a line, from one cell to another.
    pub(crate) fn wire_along(&mut self, line: usize, from: usize, to: usize) {
        for main in from..=to {
            let passes = if from < main && main < to { PASSES } else { 0 };
            let ends = arms(self.is_downwards, (from, to), main);
            self.add(self.place(main, line), ends | passes);
        }
    }

    /// Draws a wire across the main direction.
    pub(crate) fn wire_across(&mut self, track: usize, from: usize, to: usize) {
        for line in from..=to {
            let ends = arms(!self.is_downwards, (from, to), line);
            self.add(self.place(track, line), ends);
        }
    }

    /// The column and the row of a cell. `main` counts the cells in the main direction, and `line` the cells across it.
    pub(crate) fn place(&self, main: usize, line: usize) -> (usize, usize) {
        if self.is_downwards {
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

    /// Writes a text at a column and a row.
    pub(crate) fn text(&mut self, place: (usize, usize), text: &str, role: Role) {
        self.text_on(place, text, role, None);
    }

    /// Writes a text at a column and a row, perhaps on a shade of a map.
    pub(crate) fn text_on(
        &mut self,
        (column, row): (usize, usize),
        text: &str,
        role: Role,
        shade: Option<u8>,
    ) {
        if let Some(texts) = self.texts.get_mut(row) {
            texts.push(SheetText {
                column,
                text: characters::clean(text).into_owned(),
                role,
                shade,
            });
        }
    }

    /// The sheet as lines without blanks at their ends.
    pub(crate) fn write(mut self, theme: Option<Theme>, out: &mut String) {
        for (row, mut texts) in self.cells.iter().zip(std::mem::take(&mut self.texts)) {
            texts.sort_by_key(|text| text.column);
            let mut line = PlacedRow::new(theme, out);
            // The column after the last text.
            let mut end = 0;
            for text in texts {
                let column = text.column;
                line.write_at(&wire_chars(row, end..column), Role::Plain, end);
                end = column + characters::width(&text.text);
                match text.shade {
                    None => line.write_at(&text.text, text.role, column),
                    Some(shade) => line.write_painted(&text.text, column, |part, end_of_line| {
                        map_scale::paint_on(shade, part, text.role, end_of_line);
                    }),
                }
            }
            line.write_at(&wire_chars(row, end..self.width), Role::Plain, end);
            line.end();
        }
    }
}

/// The wires in some columns of a row, as characters.
fn wire_chars(row: &[u8], columns: Range<usize>) -> String {
    let wire_char = |cell: &u8| {
        let arms = cell & !PASSES;
        let is_crossing = cell & PASSES != 0 && arms == LEFT | RIGHT | UP | DOWN;
        WIRE_CHARS[usize::from(if is_crossing { UP | DOWN } else { arms })]
    };
    let cells = row.get(columns).unwrap_or_default();
    cells.iter().map(wire_char).collect()
}

/// The arms of one cell of a straight wire.
fn arms(is_vertical: bool, (from, to): (usize, usize), at: usize) -> u8 {
    let (to_begin, to_end) = if is_vertical {
        (UP, DOWN)
    } else {
        (LEFT, RIGHT)
    };
    (u8::from(at > from) * to_begin) | (u8::from(at < to) * to_end)
}

//! The columns of a table: the text of their cells, formatted and measured, and bars in them.
//!
//! `table` decides which columns are shown and how narrow they get, and writes the rows.

use crate::report::{Cell, Column};
use crate::stop;
use crate::view::theme::Role;
use crate::view::{Style, characters, number};

/// A text with its width to the left and right of the alignment point.
pub(crate) struct CellPart {
    /// The text, cleaned, and rounded if it is a number.
    pub text: String,
    /// The columns before the decimal point; all columns for words.
    pub left: usize,
    /// The columns from the decimal point on.
    pub right: usize,
    pub role: Role,
}

/// A cell as text.
pub(crate) enum CellText {
    /// Empty.
    Blank,
    /// Aligned to the left, shortened if there is too little room.
    Words(CellPart),
    /// Aligned on the decimal point.
    Number(CellPart),
    /// A number before and after a change, or the ends of a range, each aligned on its decimal point. The sign stands
    /// between them.
    Pair(CellPart, &'static str, CellPart),
    /// Shorter if there is too little room.
    Bar(TextBar),
}

impl CellText {
    /// The text of a cell, with this many digits.
    pub(crate) fn new(cell: &Cell, grads: bool, digits: u8, style: &Style) -> CellText {
        let of: fn(f64) -> Role = if grads { Role::of_grad } else { Role::of };
        match cell {
            Cell::Empty => CellText::Blank,
            Cell::Missing => CellText::Number(CellPart::words("·", Role::Dim, style)),
            Cell::Count(count) => {
                CellText::Number(CellPart::number(count.to_string(), Role::Number))
            }
            Cell::Number(value) => {
                let text = number::text(*value, digits);
                CellText::Number(CellPart::number(text, of(*value)))
            }
            Cell::Share(part) => CellText::Number(share(*part, style)),
            Cell::Bar(part, sides) => CellText::Bar(TextBar {
                part: *part,
                sides: *sides,
            }),
            Cell::First(value) => {
                let text = format!("first {}", number::text(*value, digits));
                CellText::Number(CellPart::number(text, Role::of(*value)))
            }
            Cell::Apart(value, other) => {
                CellText::Number(CellPart::apart(*value, *other, digits, of))
            }
            Cell::Change(before, after) => {
                CellText::pair(*before, arrow(style), *after, digits, of)
            }
            Cell::Range(least, most) => CellText::pair(*least, dots(style), *most, digits, of),
            words => {
                let role = match words {
                    Cell::Name(_) | Cell::Names(_) => Role::Name,
                    Cell::Formula(_) => Role::Formula,
                    Cell::Dim(_) => Role::Dim,
                    _ => Role::Plain,
                };
                CellText::Words(CellPart::words(&words.words(), role, style))
            }
        }
    }
}

/// The most characters of the bar beside a share.
const BAR: f64 = 10.0;

/// A part of a whole in per cent, with a bar on a terminal.
fn share(part: f64, style: &Style) -> CellPart {
    let percent = (100.0 * part).round() + 0.0;
    let mut text = format!("{percent} %");
    let left = text.len() - " %".len();
    if part < 0.0 {
        text.push_str("   (correlated)");
    } else if style.width.is_some() {
        let sign = if style.ascii { "#" } else { "■" };
        let count = (BAR * part.min(1.0)).round() as usize;
        if count > 0 {
            text.push(' ');
            text.push_str(&sign.repeat(count));
        }
    }
    CellPart {
        left,
        right: characters::width(&text) - left,
        text,
        role: Role::Number,
    }
}

impl CellText {
    /// Two numbers with a sign between them; one number if they are the same.
    fn pair(one: f64, sign: &'static str, other: f64, digits: u8, of: fn(f64) -> Role) -> CellText {
        let first = CellPart::apart(one, other, digits, of);
        if one.to_bits() == other.to_bits() || one.is_nan() && other.is_nan() {
            CellText::Number(first)
        } else {
            CellText::Pair(first, sign, CellPart::apart(other, one, digits, of))
        }
    }
}

impl CellPart {
    /// Words, with control characters escaped.
    pub(crate) fn words(text: &str, role: Role, style: &Style) -> CellPart {
        let text = match role {
            Role::Name | Role::Dim => characters::clean_name(text, style.ascii),
            _ => characters::clean(text, style.ascii),
        };
        let text = text.into_owned();
        CellPart {
            left: characters::width(&text),
            right: 0,
            text,
            role,
        }
    }

    /// A bar in so much room.
    pub(crate) fn bar(bar: &TextBar, room: usize, style: &Style) -> CellPart {
        let text = bar.drawn(room, style);
        CellPart {
            left: characters::width(&text),
            right: 0,
            text,
            role: Role::of_grad(bar.part),
        }
    }

    pub(crate) fn number(text: String, role: Role) -> CellPart {
        let left = number::point(&text);
        CellPart {
            left,
            right: text.len() - left,
            text,
            role,
        }
    }

    /// A number with enough digits to distinguish it from another one.
    fn apart(value: f64, other: f64, digits: u8, of: fn(f64) -> Role) -> CellPart {
        CellPart::number(number::apart(value, other, digits), of(value))
    }
}

/// The largest widths of parts that are aligned on their decimal points.
#[derive(Clone, Copy, Default)]
pub(crate) struct Extent {
    pub left: usize,
    pub right: usize,
}

impl Extent {
    pub(crate) fn take(&mut self, part: &CellPart) {
        self.left = self.left.max(part.left);
        self.right = self.right.max(part.right);
    }

    pub(crate) fn width(self) -> usize {
        self.left + self.right
    }
}

/// A column, laid out: its entries and the widths they need.
pub(crate) struct TextColumn {
    /// Its place in the table.
    pub place: usize,
    /// The column's title.
    pub title: CellPart,
    /// See [`crate::report::Column::rank`].
    pub rank: u8,
    /// One entry for each row.
    pub entries: Vec<CellText>,
    /// The widest entry that is words.
    pub words: usize,
    /// The extent of numbers, and of those before an arrow or another sign.
    pub before: Extent,
    /// The extent of numbers after a sign.
    pub after: Extent,
    /// The width of the widest sign.
    pub sign: usize,
    /// Whether any entry is a number. If so, words and the title are aligned to the right, above the numbers.
    pub numeric: bool,
}

impl TextColumn {
    /// The column of the cells in this place of each row.
    pub(crate) fn new(
        column: &Column,
        (rows, index): (&[Vec<Cell>], usize),
        digits: u8,
        style: &Style,
    ) -> TextColumn {
        let mut track = TextColumn {
            place: index,
            title: CellPart::words(&column.title, Role::Heading, style),
            rank: column.rank,
            entries: Vec::with_capacity(rows.len()),
            words: 0,
            before: Extent::default(),
            after: Extent::default(),
            sign: 0,
            numeric: false,
        };
        for row in stop::asking(rows.iter()) {
            let entry = row.get(index).map_or(CellText::Blank, |cell| {
                CellText::new(cell, column.grads, digits, style)
            });
            match &entry {
                CellText::Blank => {}
                CellText::Words(part) => track.words = track.words.max(part.left),
                CellText::Bar(bar) => track.words = track.words.max(bar.width()),
                CellText::Number(part) => track.before.take(part),
                CellText::Pair(before, sign, after) => {
                    track.sign = track.sign.max(characters::width(sign));
                    track.before.take(before);
                    track.after.take(after);
                }
            }
            track.numeric |= matches!(entry, CellText::Number(_) | CellText::Pair(..));
            track.entries.push(entry);
        }
        track
    }

    pub(crate) fn is_blank(&self) -> bool {
        self.entries
            .iter()
            .all(|entry| matches!(entry, CellText::Blank))
    }

    /// The width of titles, words and the numbers before a sign.
    pub(crate) fn front(&self) -> usize {
        self.title.left.max(self.words).max(self.before.width())
    }

    /// The whole width, including signs.
    pub(crate) fn width(&self) -> usize {
        self.front() + self.sign + self.after.width()
    }
}

/// Between the ends of a range.
fn dots(style: &Style) -> &'static str {
    if style.ascii { " ... " } else { " … " }
}

/// Between a number before and after a change.
fn arrow(style: &Style) -> &'static str {
    if style.ascii { " -> " } else { " → " }
}

/// The most characters of a bar on one side of the line.
const SIDE: usize = 16;

/// A bar to the left of a line for numbers below zero, else to the right, as long as its column has room for: all bars of
/// a column have the same room, so their lengths stay in proportion.
pub(crate) struct TextBar {
    /// See [`crate::report::Cell::Bar`].
    pub part: f64,
    /// On which sides of the line the column has bars.
    pub sides: [bool; 2],
}

impl TextBar {
    /// The columns that it takes if there is room enough.
    pub(crate) fn width(&self) -> usize {
        1 + SIDE * self.count()
    }

    fn count(&self) -> usize {
        self.sides.iter().filter(|side| **side).count()
    }

    /// The bar with its line, in so much room.
    pub(crate) fn drawn(&self, room: usize, style: &Style) -> String {
        let [whole, line, left_end, right_end] = if style.ascii {
            ["#", "|", "<", ">"]
        } else {
            ["█", "│", "◄", "►"]
        };
        let side = (room.saturating_sub(1) / self.count().max(1)).clamp(1, SIDE);
        let size = if self.part.is_nan() {
            0.0
        } else {
            self.part.abs()
        };
        // A bar is seen, however short it is.
        let length = ((side as f64 * size.min(1.0)).round() as usize).max(usize::from(size > 0.0));
        let bar = match (self.part < 0.0, size.is_infinite()) {
            (true, true) => format!("{left_end}{}", whole.repeat(length - 1)),
            (false, true) => format!("{}{right_end}", whole.repeat(length - 1)),
            _ => whole.repeat(length),
        };
        let [left, right] = if self.part < 0.0 {
            [bar.as_str(), ""]
        } else {
            ["", bar.as_str()]
        };
        let before = if self.sides[0] { side } else { 0 };
        format!("{left:>before$}{line}{right}")
    }
}

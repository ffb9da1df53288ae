//! The columns of a table as text: cells rounded, cleaned and measured, with the widths they need.
//!
//! Not here: which columns are shown, what gives way on a narrow terminal, the writing of rows.

use crate::report::{Cell, Table};
use crate::stop;
use crate::view::theme::Role;
use crate::view::{Style, characters, number};

/// A text with its place: what stands before the decimal point, and the rest.
pub(crate) struct CellPart {
    /// Clean, and rounded where it is a number.
    pub text: String,
    /// Columns before the decimal point; all of them where the text is words.
    pub left: usize,
    /// Columns from the decimal point on.
    pub right: usize,
    /// Its colour.
    pub role: Role,
}

/// A cell as text.
pub(crate) enum CellText {
    /// Nothing.
    Blank,
    /// Aligned to the left, shortened where room is scarce.
    Words(CellPart),
    /// Aligned on its decimal point.
    Number(CellPart),
    /// Before and after, each aligned on its point.
    Change(CellPart, CellPart),
}

impl CellText {
    /// A cell with this many digits.
    pub(crate) fn new(cell: &Cell, digits: u8, style: &Style) -> CellText {
        let words = |text: &str, role| CellText::Words(CellPart::words(text, role, style));
        match cell {
            Cell::Empty => CellText::Blank,
            Cell::Missing => CellText::Number(CellPart::words("·", Role::Dim, style)),
            Cell::Name(text) => words(text, Role::Name),
            Cell::Formula(text) => words(text, Role::Formula),
            Cell::Text(text) => words(text, Role::Plain),
            Cell::Dim(text) => words(text, Role::Dim),
            Cell::Flag(flag) => words(if *flag { "yes" } else { "no" }, Role::Plain),
            Cell::Names(names) => words(&names.join(", "), Role::Name),
            Cell::Counts(counts) => {
                let counts: Vec<String> = counts.iter().map(u64::to_string).collect();
                words(&counts.join(", "), Role::Number)
            }
            Cell::Count(count) => {
                CellText::Number(CellPart::number(count.to_string(), Role::Number))
            }
            Cell::Number(value) => {
                let text = number::text(*value, digits);
                CellText::Number(CellPart::number(text, Role::of(*value)))
            }
            Cell::First(value) => {
                let text = format!("first {}", number::text(*value, digits));
                CellText::Number(CellPart::number(text, Role::of(*value)))
            }
            Cell::Apart(value, other) => CellText::Number(CellPart::apart(*value, *other, digits)),
            Cell::Change(before, after) => {
                let first = CellPart::apart(*before, *after, digits);
                if before.to_bits() == after.to_bits() || before.is_nan() && after.is_nan() {
                    CellText::Number(first)
                } else {
                    CellText::Change(first, CellPart::apart(*after, *before, digits))
                }
            }
        }
    }
}

impl CellPart {
    /// Words, cleaned.
    pub(crate) fn words(text: &str, role: Role, style: &Style) -> CellPart {
        let text = characters::clean(text, style.ascii).into_owned();
        CellPart {
            left: characters::width(&text),
            right: 0,
            text,
            role,
        }
    }

    /// A number's text.
    pub(crate) fn number(text: String, role: Role) -> CellPart {
        let left = number::point(&text);
        CellPart {
            left,
            right: text.len() - left,
            text,
            role,
        }
    }

    /// A number that is to be told from another one.
    fn apart(value: f64, other: f64, digits: u8) -> CellPart {
        CellPart::number(number::apart(value, other, digits), Role::of(value))
    }
}

/// The widest of parts that are aligned on their points.
#[derive(Clone, Copy, Default)]
pub(crate) struct Extent {
    /// Columns before the point.
    pub left: usize,
    /// Columns from the point on.
    pub right: usize,
}

impl Extent {
    fn take(&mut self, part: &CellPart) {
        self.left = self.left.max(part.left);
        self.right = self.right.max(part.right);
    }

    fn width(self) -> usize {
        self.left + self.right
    }
}

/// A column as text, with what its width is made of.
pub(crate) struct Track {
    /// The head.
    pub title: CellPart,
    /// See [`crate::report::Column::rank`].
    pub rank: u8,
    /// One for each row.
    pub entries: Vec<CellText>,
    /// The widest of the entries that are words.
    pub words: usize,
    /// Numbers, and those before an arrow.
    pub before: Extent,
    /// Those after an arrow.
    pub after: Extent,
    /// Whether any entry is a number: words and head are then aligned to the right, over the numbers.
    pub numeric: bool,
}

impl Track {
    /// The column at this index.
    pub(crate) fn new(table: &Table, index: usize, digits: u8, style: &Style) -> Track {
        let column = &table.columns[index];
        let mut track = Track {
            title: CellPart::words(&column.title, Role::Heading, style),
            rank: column.rank,
            entries: Vec::with_capacity(table.rows.len()),
            words: 0,
            before: Extent::default(),
            after: Extent::default(),
            numeric: false,
        };
        for row in stop::asking(table.rows.iter()) {
            let entry = row
                .get(index)
                .map_or(CellText::Blank, |cell| CellText::new(cell, digits, style));
            match &entry {
                CellText::Blank => {}
                CellText::Words(part) => track.words = track.words.max(part.left),
                CellText::Number(part) => track.before.take(part),
                CellText::Change(before, after) => {
                    track.before.take(before);
                    track.after.take(after);
                }
            }
            track.numeric |= matches!(entry, CellText::Number(_) | CellText::Change(..));
            track.entries.push(entry);
        }
        track
    }

    /// Whether no row has anything here.
    pub(crate) fn is_blank(&self) -> bool {
        self.entries
            .iter()
            .all(|entry| matches!(entry, CellText::Blank))
    }

    /// Where heads, words and the numbers before an arrow end.
    pub(crate) fn front(&self) -> usize {
        self.title.left.max(self.words).max(self.before.width())
    }

    /// All of it, arrows included.
    pub(crate) fn width(&self, style: &Style) -> usize {
        let after = self.after.width();
        let arrow = if after > 0 {
            characters::width(arrow(style))
        } else {
            0
        };
        self.front() + arrow + after
    }
}

/// Between a number that was and the number that is.
pub(crate) fn arrow(style: &Style) -> &'static str {
    if style.ascii { " -> " } else { " → " }
}

//! The columns of a table: formats and measures the texts and the bars of their cells.
//!
//! On a terminal the view decides which columns are shown and how narrow they get; the page of a graph shows all.

use crate::theme::Role;
use crate::{GAP, Style, number};
use chainrule_report::characters;
use chainrule_report::{Audience, Cell, Column};
use chainrule_stop as stop;

/// A text in a cell. A change or a range is three texts: two numbers and the sign between them.
pub struct CellPart {
    /// The text, cleaned, and rounded if it is a number.
    pub text: String,
    /// Its meaning, which decides its colour.
    pub role: Role,
    /// Its columns on a terminal.
    pub width: usize,
    /// The columns before the decimal point of a number, or before the line of a bar; `None` for words.
    point: Option<usize>,
}

impl CellPart {
    /// Words, with control characters escaped.
    fn words(text: &str, role: Role) -> CellPart {
        let clean = characters::clean(text);
        CellPart {
            width: characters::width(&clean),
            text: clean.into_owned(),
            role,
            point: None,
        }
    }

    fn number(text: String, role: Role) -> CellPart {
        CellPart {
            width: text.len(),
            point: Some(number::point(&text)),
            text,
            role,
        }
    }

    /// A part of a whole in per cent, on a terminal or a page with a bar.
    fn share(part: f64, style: &Style) -> CellPart {
        let percent = (100.0 * part).round() + 0.0;
        let mut text = format!("{percent}");
        let point = text.len();
        text.push_str(" %");
        if part < 0.0 {
            text.push_str("   (correlated)");
        } else if style.width.is_some() || style.is_page() {
            let count = (SHARE_BAR * part.min(1.0)).round() as usize;
            text.push_str(if count > 0 { " " } else { "" });
            text.push_str(&WHOLE.repeat(count));
        }
        CellPart {
            point: Some(point),
            ..CellPart::words(&text, Role::Number)
        }
    }

    /// A bar, to the left of a line for a number below zero and to the right for others. The longest bar of a table is as long
    /// as the window allows, and the others are in proportion to it.
    fn bar(part: f64, style: &Style) -> CellPart {
        let longest = (style.columns() / BARS_IN_WINDOW).clamp(1, LONGEST) as f64;
        let size = if part.is_nan() { 0.0 } else { part.abs() };
        // A bar that is not 0 has at least one character, so that it can be seen.
        let length = ((longest * size.min(1.0)).round() as usize).max(usize::from(size > 0.0));
        let bar = WHOLE.repeat(length);
        let (text, before) = if part < 0.0 {
            (format!("{bar}│"), length)
        } else {
            (format!("│{bar}"), 0)
        };
        CellPart {
            point: Some(before),
            ..CellPart::words(&text, Role::of_grad(part))
        }
    }

    /// The columns to the left of the point. Words among numbers end there.
    fn width_before_point(&self) -> usize {
        self.point.unwrap_or(self.width)
    }
}

/// The character of a bar.
const WHOLE: &str = "■";
/// The most characters of the bar beside a share.
const SHARE_BAR: f64 = 10.0;
/// The most characters of a bar on one side of its line.
const LONGEST: usize = 16;
/// A window must have room for this many of the longest bars: two sides, and the columns beside them.
const BARS_IN_WINDOW: usize = 5;

/// The text of a cell in a table.
pub fn cell_text(cell: &Cell, style: &Style) -> String {
    let parts = parts(cell, &Column::people(""), style);
    parts.into_iter().map(|part| part.text).collect()
}

/// The texts of a cell; none for an empty one.
fn parts(cell: &Cell, column: &Column, style: &Style) -> Vec<CellPart> {
    let digits = style.table_digits;
    let role: fn(f64) -> Role = if column.shows_sign {
        Role::of_grad
    } else {
        Role::of
    };
    let words = |words_role| CellPart::words(cell.words(), words_role);
    let is_number = cell.as_number().is_some() || matches!(cell, Cell::Range(..));
    let part = match cell {
        _ if style.has_gaps && column.shows_sign && is_number => CellPart::words(GAP, Role::Plain),
        Cell::Bar(_) if style.has_gaps => return Vec::new(),
        Cell::Empty | Cell::Absent | Cell::Fact(_) => return Vec::new(),
        Cell::Change(before, after) => return pair([*before, *after], " → ", role, digits),
        Cell::Range(least, most) => return pair([*least, *most], " … ", role, digits),
        Cell::Missing => CellPart {
            point: Some(1),
            ..CellPart::words("·", Role::Dim)
        },
        Cell::Count(count) => CellPart::number(count.to_string(), Role::Number),
        Cell::Number(value) => CellPart::number(number::text(*value, digits), role(*value)),
        Cell::Value(of) => {
            let ([value, _], power) = number::measurement(of, digits);
            CellPart::number(value + &power, role(of.value))
        }
        Cell::Sigma(of) => {
            let ([_, sigma], power) = number::measurement(of, digits);
            CellPart::number(sigma + &power, role(of.sigma))
        }
        Cell::Share(part) => CellPart::share(*part, style),
        Cell::Bar(part) => CellPart::bar(*part, style),
        Cell::FirstNotFinite(value) => {
            let text = format!("first {}", number::text(*value, digits));
            CellPart::number(text, Role::of(*value))
        }
        Cell::Distinct(value, other) => {
            CellPart::number(number::distinct(*value, *other, digits), role(*value))
        }
        Cell::Name(_) => words(Role::Name),
        Cell::Formula(_) => words(Role::Formula),
        Cell::Dim(_) => words(Role::Dim),
        Cell::Text(_) => words(Role::Plain),
    };
    vec![part]
}

/// Two numbers with enough digits to distinguish them, and a sign between them. If both are the same, one is enough.
fn pair([one, other]: [f64; 2], sign: &str, role: fn(f64) -> Role, digits: u8) -> Vec<CellPart> {
    let part = |value, beside| {
        let text = number::distinct(value, beside, digits);
        CellPart::number(text, role(value))
    };
    if one.to_bits() == other.to_bits() || one.is_nan() && other.is_nan() {
        return vec![part(one, other)];
    }
    vec![
        part(one, other),
        CellPart::words(sign, Role::Dim),
        part(other, one),
    ]
}

/// The largest widths of parts that are aligned on their points.
#[derive(Clone, Copy, Default)]
struct Extent {
    left: usize,
    right: usize,
}

impl Extent {
    fn width(self) -> usize {
        self.left + self.right
    }
}

/// A column, laid out: its entries and the widths they need.
pub struct TextColumn {
    /// Its index in the table.
    pub place: usize,
    /// The column's title.
    pub title: CellPart,
    /// See [`chainrule_report::Column::rank`].
    pub rank: u8,
    /// One entry for each row.
    pub entries: Vec<Vec<CellPart>>,
    /// Whether any entry is a number. If so, the title is aligned to the right, above the numbers.
    pub is_numeric: bool,
    /// The extents of the first texts of the entries, of the signs after them, and of the numbers after the signs.
    extents: [Extent; 3],
}

impl TextColumn {
    /// The columns of a table that people see, without those that have no entries.
    pub fn of_table(columns: &[Column], rows: &[Vec<Cell>], style: &Style) -> Vec<TextColumn> {
        let mut text_columns = Vec::new();
        for (place, column) in columns.iter().enumerate() {
            if column.audience != Audience::Machines {
                text_columns.push(TextColumn::new(column, rows, place, style));
            }
        }
        text_columns.retain(|column| !column.entries.iter().all(Vec::is_empty));
        text_columns
    }

    /// The column of the cells in this place of each row.
    fn new(column: &Column, rows: &[Vec<Cell>], place: usize, style: &Style) -> TextColumn {
        let mut text_column = TextColumn {
            place,
            title: CellPart::words(&column.title, Role::Heading),
            rank: column.rank,
            entries: Vec::with_capacity(rows.len()),
            is_numeric: false,
            extents: [Extent::default(); 3],
        };
        for row in stop::with_checks(rows.iter()) {
            let parts = parts(row.get(place).unwrap_or(&Cell::Empty), column, style);
            for (extent, part) in text_column.extents.iter_mut().zip(&parts) {
                extent.left = extent.left.max(part.width_before_point());
                extent.right = extent.right.max(part.width - part.width_before_point());
                text_column.is_numeric |= part.point.is_some();
            }
            text_column.entries.push(parts);
        }
        text_column
    }

    /// The width of titles and of first texts.
    pub fn front_width(&self) -> usize {
        self.title.width.max(self.extents[0].width())
    }

    /// The whole width, including signs.
    pub fn width(&self) -> usize {
        self.front_width() + self.extents[1].width() + self.extents[2].width()
    }

    /// The texts of a row among numbers, each with its place in the column.
    pub fn placed_parts(&self, row: usize) -> impl Iterator<Item = (usize, &CellPart)> {
        let mut start = self.front_width() - self.extents[0].width();
        let parts = self.entries[row].iter().zip(self.extents);
        parts.map(move |(part, extent)| {
            let at = start + extent.left - part.width_before_point();
            start += extent.width();
            (at, part)
        })
    }
}

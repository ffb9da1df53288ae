//! Formats and measures the columns of a table: the texts of their cells.
//!
//! On a terminal the view decides which columns are shown and how narrow they get; a page of HTML shows all.

use crate::{Style, number};
use chainrule_report::{Audience, Cell, Column, Role, Table, characters};
use chainrule_stop as stop;

/// The character of a bar.
const BAR_CHARACTER: &str = "■";
/// The most characters of the bar beside a share.
const SHARE_BAR: f64 = 10.0;

/// A piece of text in a cell. A change or a range has three: two numbers and the sign between them.
pub struct CellText {
    /// The text, cleaned, and rounded if it is a number.
    pub text: String,
    /// Its meaning, which decides its colour.
    pub role: Role,
    /// Its width in characters on a terminal.
    pub width: usize,
    /// The number of characters before the decimal point of a number; `None` for words.
    point: Option<usize>,
}

impl CellText {
    /// Words, with control characters escaped.
    fn words(text: &str, role: Role) -> CellText {
        let clean = characters::clean(text);
        CellText {
            width: characters::width(&clean),
            text: clean.into_owned(),
            role,
            point: None,
        }
    }

    fn number(text: String, role: Role) -> CellText {
        CellText {
            width: text.len(),
            point: Some(number::point(&text)),
            text,
            role,
        }
    }

    /// A share of a whole in per cent, with a bar on a terminal and on a page.
    fn share(share: f64, is_correlated: bool, style: &Style) -> CellText {
        // Adding 0 turns -0 into 0.
        let percent = ((100.0 * share).round() + 0.0).to_string();
        let shows_bar = style.width.is_some() || style.is_page();
        let bar_length = (SHARE_BAR * share.min(1.0)).round() as usize;
        let after = match bar_length {
            _ if is_correlated => "   (correlated)".to_owned(),
            1.. if shows_bar => format!(" {}", BAR_CHARACTER.repeat(bar_length)),
            _ => String::new(),
        };
        CellText {
            point: Some(percent.len()),
            ..CellText::words(&format!("{percent} %{after}"), Role::Number)
        }
    }

    /// The number of characters to the left of the point. Words among numbers end there.
    fn width_before_point(&self) -> usize {
        self.point.unwrap_or(self.width)
    }
}

/// The text of a cell in a table.
pub fn cell_text(cell: &Cell, style: &Style) -> String {
    let texts = cell_texts(cell, &Column::people(""), style);
    texts.into_iter().map(|it| it.text).collect()
}

/// The texts of a cell; none for an empty one.
fn cell_texts(cell: &Cell, column: &Column, style: &Style) -> Vec<CellText> {
    let role: fn(f64) -> Role = if column.shows_sign {
        Role::of_grad
    } else {
        Role::of
    };
    match cell {
        Cell::Empty | Cell::Absent | Cell::Fact(_) => Vec::new(),
        Cell::Change(before, after) => pair([*before, *after], " → ", role, style),
        Cell::Range(least, most) => pair([*least, *most], " … ", role, style),
        _ => vec![single_text(cell, role, style)],
    }
}

/// The text of a cell with one text.
fn single_text(cell: &Cell, role: fn(f64) -> Role, style: &Style) -> CellText {
    let digits = style.table_digits;
    let number_text = |text| CellText::number(text, cell.as_number().map_or(Role::Number, role));
    match cell {
        Cell::Missing => CellText {
            point: Some(1),
            ..CellText::words("·", Role::Dim)
        },
        Cell::Count(count) => CellText::number(count.to_string(), Role::Number),
        Cell::Number(value) => number_text(number::text(*value, digits)),
        Cell::Value(of) => number_text(number::like_measurement(of.value, of, digits)),
        Cell::Sigma(of) => number_text(number::sigma_text(of, digits)),
        Cell::Share(share) => CellText::share(*share, false, style),
        Cell::CorrelatedShare(share) => CellText::share(*share, true, style),
        Cell::FirstNotFinite(value) => {
            number_text(format!("first {}", number::text(*value, digits)))
        }
        Cell::Distinct(value, other) => number_text(number::distinct(*value, *other, digits)),
        Cell::Name(words) => CellText::words(words, Role::Name),
        Cell::Formula(words) => CellText::words(words, Role::Formula),
        Cell::Dim(words) => CellText::words(words, Role::Dim),
        // `Cell::Text`
        _ => CellText::words(cell.words(), Role::Plain),
    }
}

/// Two numbers with enough digits to distinguish them, and a sign between them. If both are the same, one is enough.
fn pair(numbers: [f64; 2], sign: &str, role: fn(f64) -> Role, style: &Style) -> Vec<CellText> {
    let [first, second] = numbers;
    let text = |value, beside| {
        let shown = number::distinct(value, beside, style.table_digits);
        CellText::number(shown, role(value))
    };
    let first_text = text(first, second);
    if number::is_same(first, second) {
        return vec![first_text];
    }
    let sign_text = CellText::words(sign, Role::Dim);
    vec![first_text, sign_text, text(second, first)]
}

/// The largest widths to the left and to the right of the points of texts that are aligned on them.
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
    pub index: usize,
    /// The column's title.
    pub title: CellText,
    /// See [`chainrule_report::Column::rank`].
    pub rank: u8,
    /// One entry for each row.
    pub entries: Vec<Vec<CellText>>,
    /// Whether any entry is aligned on a point: a number, or the dot of a missing number. If so, the title is
    /// aligned to the right.
    pub is_aligned: bool,
    /// The extents of the first texts of the entries, of the signs after them, and of the numbers after the signs.
    extents: [Extent; 3],
}

impl TextColumn {
    /// The columns of a table that people see, without those that have no entries.
    pub fn of_table(table: &Table, style: &Style) -> Vec<TextColumn> {
        let rows: Vec<Vec<Cell>> = table.rows.each().collect();
        let numbered = table.columns.iter().enumerate();
        let for_people = numbered.filter(|(_, column)| column.audience != Audience::Machines);
        let laid_out = for_people.map(|(at, column)| TextColumn::new(column, &rows, at, style));
        let with_entries = laid_out.filter(|it| !it.entries.iter().all(Vec::is_empty));
        with_entries.collect()
    }

    /// The column of the cells at this index of each row.
    fn new(column: &Column, rows: &[Vec<Cell>], index: usize, style: &Style) -> TextColumn {
        let mut text_column = TextColumn {
            index,
            title: CellText::words(&column.title, Role::Heading),
            rank: column.rank,
            entries: Vec::with_capacity(rows.len()),
            is_aligned: false,
            extents: [Extent::default(); 3],
        };
        for row in stop::with_checks(rows.iter()) {
            let texts = cell_texts(row.get(index).unwrap_or(&Cell::Empty), column, style);
            for (extent, text) in text_column.extents.iter_mut().zip(&texts) {
                extent.left = extent.left.max(text.width_before_point());
                extent.right = extent.right.max(text.width - text.width_before_point());
                text_column.is_aligned |= text.point.is_some();
            }
            text_column.entries.push(texts);
        }
        text_column
    }

    /// The width of titles and of first texts.
    fn front_width(&self) -> usize {
        self.title.width.max(self.extents[0].width())
    }

    /// The distance of the title from the left edge of the column: above numbers it is aligned to the right.
    pub fn title_place(&self) -> usize {
        let room = self.front_width() - self.title.width;
        if self.is_aligned { room } else { 0 }
    }

    /// The whole width, including signs.
    pub fn width(&self) -> usize {
        self.front_width() + self.extents[1].width() + self.extents[2].width()
    }

    /// The texts of a row, each with its distance from the left edge of the column.
    pub fn placed_texts(&self, row: usize) -> impl Iterator<Item = (usize, &CellText)> {
        let mut start = self.front_width() - self.extents[0].width();
        let texts = self.entries[row].iter().zip(self.extents);
        texts.map(move |(text, extent)| {
            // The point of each text is `extent.left` to the right of where its part of the column starts.
            let at = start + extent.left - text.width_before_point();
            start += extent.width();
            (if self.is_aligned { at } else { 0 }, text)
        })
    }
}

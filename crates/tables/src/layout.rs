//! Finds the layout of a table in a text: the separator of its cells, its first row, and its heading.
//!
//! Each separator is tried on the first lines, and the best one is taken. `header` reads the heading, and `rows` the rows.

use std::ops::Range;

use super::header::{HeadingReader, has_only_units, headings};
use super::text_line::{CellKind, TextLine, first_lines};

/// The separators of cells, best first.
const SEPARATORS: [u8; 5] = *b"\t;|, ";
/// The index of the comma in [`SEPARATORS`].
const COMMA: usize = 3;
/// The index of the blank in [`SEPARATORS`].
const BLANK: usize = 4;
const _: () = assert!(SEPARATORS[COMMA] == b',' && SEPARATORS[BLANK] == b' ');

/// The layout of a table in its text.
#[derive(Debug)]
pub(super) struct TableLayout {
    pub(super) separator: u8,
    /// The number of lines with cells above the first row.
    pub(super) above: usize,
    /// The names of the columns, with their units, if there are any.
    pub(super) header: Option<Vec<String>>,
    /// The number of cells in a row, or in the heading if there are no numbers.
    pub(super) width: usize,
    /// Whether the first row of the longest run begins with a number.
    pub(super) has_number_first: bool,
    /// The number of rows in the first lines.
    rows: usize,
    /// The number of words in these rows.
    words: usize,
    /// The byte where the first row ends, if it is below a line of names and has as many cells, which are several.
    row_below_names: Option<usize>,
    /// The number of lines that are skipped above the heading, or above the first row if there is no heading.
    pub(super) skipped: usize,
    /// The byte where the first line that is not skipped ends, behind its line break. `None` without such a line.
    pub(super) first_line_end: Option<usize>,
}

impl TableLayout {
    /// Finds the layout of a text. The separator may be known.
    pub(super) fn of(text: &str, known: Option<u8>) -> TableLayout {
        if let Some(separator) = known {
            return TableLayout::with(text, separator);
        }
        let tried = SEPARATORS.map(|separator| TableLayout::with(text, separator));
        let best = best_layout(&tried);
        tried.into_iter().nth(best).expect("it has been tried")
    }

    /// The layout with this separator.
    fn with(text: &str, separator: u8) -> TableLayout {
        let lines = first_lines(text, separator);
        let run = longest_run(&lines);
        let rows = &lines[run.clone()];
        let kinds = rows.iter().flat_map(|line| &line.kinds);
        let words = kinds.filter(|kind| **kind == CellKind::Word).count();
        let first = rows.first();
        let count_titles = |title: &TextLine| headings(&title.cells, separator).len();
        let width = match first {
            Some(first) => first.kinds.len(),
            None => lines.first().map_or(0, count_titles),
        };
        let above = first_row(text, &lines, &run, separator);
        let reader = HeadingReader {
            text,
            separator,
            lines: &lines,
            first,
            above,
            width,
        };
        let (header, heading_lines) = reader.heading().unzip();
        let skipped = above - heading_lines.unwrap_or(0);
        let has_names = heading_lines > Some(0) && width > 1;
        let fits_names = |row: &&TextLine| has_names && row.cells.len() == width;
        TableLayout {
            separator,
            above,
            header,
            width,
            has_number_first: first.is_some_and(|first| first.kinds[0] == CellKind::Number),
            rows: rows.len(),
            words,
            row_below_names: lines.get(above).filter(fits_names).map(|row| row.end),
            skipped,
            first_line_end: lines.get(skipped).map(|line| line.end),
        }
    }
}

/// The index of the best layout: the first one that makes columns, and at least half as many rows as any other that does.
/// A text without columns is read with commas.
fn best_layout(layouts: &[TableLayout; 5]) -> usize {
    let tables = layouts.iter().filter(|layout| layout.width > 1);
    let most_rows = tables.map(|layout| layout.rows).max().unwrap_or(0);
    let is_usable = |layout: &TableLayout| layout.width > 1 && layout.rows * 2 >= most_rows;
    let chosen = layouts.iter().position(is_usable).unwrap_or(COMMA);
    // The commas may be decimal commas in cells between blanks: with blanks as separators no word is left then.
    let (commas, blanks) = (&layouts[COMMA], &layouts[BLANK]);
    let has_decimal_commas = commas.words > 0 && blanks.words == 0 && blanks.rows >= commas.rows;
    if chosen == COMMA && has_decimal_commas {
        return BLANK;
    }
    // Where blanks neither make numbers of all cells nor names of the line above the first row, another separator that is in
    // both lines is better.
    let is_in_both = |layout: &TableLayout| {
        layout.row_below_names.is_some() && layout.row_below_names == blanks.first_line_end
    };
    let is_in_doubt = chosen == BLANK && blanks.words > 0 && blanks.header.is_none();
    let better = layouts.iter().position(is_in_both);
    better.filter(|_| is_in_doubt).unwrap_or(chosen)
}

/// The first of the longest runs of lines of one length with numbers. If no line has numbers, the run is empty and begins
/// below a title.
fn longest_run(lines: &[TextLine]) -> Range<usize> {
    let below_title = usize::from(!lines.is_empty());
    let mut longest = below_title..below_title;
    let mut start = 0;
    let are_in_one_run = |line: &TextLine, next: &TextLine| {
        line.kinds.len() == next.kinds.len()
            && line.has(CellKind::Number)
            && next.has(CellKind::Number)
    };
    for run in lines.chunk_by(are_in_one_run) {
        let end = start + run.len();
        if run.len() > longest.len() && run[0].has(CellKind::Number) {
            longest = start..end;
        }
        start = end;
    }
    // A row of units may have numbers, too: Rigol's, or `s,1`. The run begins with it. Its words above numbers, at least two,
    // tell it from the rows; a single word may stand for a missing number, unless it is a unit below a heading.
    if longest.len() > 1 {
        let words = words_over_numbers(&lines[longest.start..]);
        let has_units = || longest.start > 0 && has_only_units(&lines[longest.start]);
        longest.start += usize::from(words > 1 || words == 1 && has_units());
    }
    longest
}

/// The number of words in the first line that stand above numbers in the second one.
fn words_over_numbers(lines: &[TextLine]) -> usize {
    let pairs = lines[0].kinds.iter().zip(&lines[1].kinds);
    let words = pairs.filter(|pair| *pair == (&CellKind::Word, &CellKind::Number));
    words.count()
}

/// The first row: the first line that is like the first line of the longest run. So a word among numbers, which ends a run,
/// does not cut off the rows above it.
fn first_row(text: &str, lines: &[TextLine], run: &Range<usize>, separator: u8) -> usize {
    let Some(first) = lines[run.clone()].first() else {
        return run.start;
    };
    let top = top_of_rows(text, &lines[..run.start], first, separator);
    let mut candidates = top..run.start;
    let like_first = candidates.find(|line| lines[*line].is_like(first));
    like_first.unwrap_or(run.start)
}

/// The number of lines that are no rows, even if they look like the first row of the longest run, as the setting
/// `Serial,12345` may. An empty line and a line of names below them show that the table begins there.
fn top_of_rows(text: &str, lines: &[TextLine], first: &TextLine, separator: u8) -> usize {
    let follows_empty_line = |line: &TextLine| {
        let line_above = text[..line.end].trim_end().lines().rev().nth(1);
        let is_blank = |c: char| c == char::from(separator) || c.is_whitespace();
        line_above.is_some_and(|it| it.chars().all(is_blank))
    };
    let names = vec![CellKind::Word; first.kinds.len()];
    let has_names = |line: &TextLine| line.kinds == names && follows_empty_line(line);
    let last_names = (1..lines.len()).rev().find(|&line| has_names(&lines[line]));
    last_names.map_or(0, |line| line + 1)
}

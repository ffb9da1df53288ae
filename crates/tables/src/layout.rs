//! Finds the layout of a table in a text: the separator of its cells, its first row, and its heading.
//!
//! Each separator is tried on the first lines, and the best one is taken. `lib.rs` reads the rows.

use std::ops::Range;

use csv::{Reader, ReaderBuilder, StringRecord};

use super::column::is_missing;
use super::dates::DateReader;
use super::number::CellNumber;
use super::trim_cell;
use chainrule_stop as stop;

/// The most lines that are searched for the heading. No instrument writes more above its numbers.
const MAX_HEAD_LINES: usize = 1000;
/// The most bytes that are searched for the heading. Long lines may have more bytes: the first lines are always searched.
const MAX_HEAD_BYTES: u64 = 256 << 10;
/// The number of lines that are searched even if they have more bytes.
const MIN_HEAD_LINES: usize = 10;

/// The separators of cells, best first.
const SEPARATORS: [u8; 5] = *b"\t;|, ";
/// The indices of the comma and of the blank in [`SEPARATORS`].
const COMMA: usize = 3;
const BLANK: usize = 4;

/// Units that may have a prefix.
const UNITS: &str =
    " m s sec g A K V W J N C F H T S Hz Pa Ω Ohm ohm l L eV bar rad mol cd lx lm Bq Sv Gy Wb ";
/// Units that have no prefix, and words that instruments write for units.
const OTHER_UNITS: &str = " min h d a ° °C °F deg degC % ‰ dB dBm ppm ppb psi atm Torr rpm px au counts cps pixel volt \
    volts second seconds ampere amperes amp amps ohm ohms kelvin celsius meter meters hertz watt watts newton sequence ";
/// The prefixes of units.
const PREFIXES: &str = "pnuµμmcdhkMGT";

/// The first words of a line that sums up the rows above it.
const SUMS: &str =
    " total totals subtotal sum summe gesamt somme suma mean average mittelwert std sd stdev ";

/// The words of instruments for a number that is too large for them.
const TOO_LARGE: &str = " ol ovl ovld over overload overflow overrange ";

/// The layout of a table in its text.
#[derive(Debug)]
pub(super) struct TableLayout {
    /// The separator of cells.
    pub(super) separator: u8,
    /// The number of lines with cells above the first row.
    pub(super) above: usize,
    /// The headings of the columns, with their units, if there are any.
    pub(super) header: Option<Vec<String>>,
    /// The number of cells in a row, or in the heading if there are no numbers.
    pub(super) width: usize,
    /// The number of rows in the first lines.
    rows: usize,
    /// The number of words in these rows.
    words: usize,
    /// The number of lines that are skipped above the heading, or above the first row if there is no heading.
    pub(super) skipped: usize,
    /// The byte where the skipped lines end.
    pub(super) begin: usize,
}

/// The kind of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum CellKind {
    Nothing,
    /// A word in place of a number: `NA`, `OVLD`, `<0.01`.
    Gap,
    Number,
    Word,
}

/// A line with cells.
struct TextLine {
    cells: Vec<String>,
    kinds: Vec<CellKind>,
    /// The byte of the text where the line ends.
    end: usize,
}

impl TextLine {
    /// Whether the line has numbers, as a row does.
    fn has_numbers(&self) -> bool {
        self.kinds.contains(&CellKind::Number)
    }

    /// Whether all cells are words, as the names of columns are.
    fn is_all_words(&self) -> bool {
        self.kinds.iter().all(|kind| *kind == CellKind::Word)
    }

    /// Whether the line may be a row above `row`: it has as many cells, a number or a gap, and no words above numbers.
    fn is_like(&self, row: &TextLine) -> bool {
        let mut pairs = self.kinds.iter().zip(&row.kinds);
        self.kinds.len() == row.kinds.len()
            && (self.has_numbers() || self.kinds.contains(&CellKind::Gap))
            && pairs.all(|(kind, below)| *below != CellKind::Number || *kind != CellKind::Word)
    }
}

impl TableLayout {
    /// Finds the layout of a text. The separator may be known.
    pub(super) fn of(text: &str, known: Option<u8>) -> TableLayout {
        if let Some(separator) = known {
            return TableLayout::with(text, separator);
        }
        let layouts = SEPARATORS
            .iter()
            .map(|separator| TableLayout::with(text, *separator));
        let mut layouts: Vec<TableLayout> = layouts.collect();
        let has_columns = |layout: &&TableLayout| layout.width > 1;
        let tables = layouts.iter().filter(has_columns);
        let most_rows = tables.map(|layout| layout.rows).max();
        let is_usable =
            |layout: &TableLayout| has_columns(&layout) && Some(layout.rows * 2) >= most_rows;
        let mut chosen = layouts.iter().position(is_usable).unwrap_or(COMMA);
        // The commas may be decimal commas in cells between blanks: with blanks as separators no word is left then.
        let (commas, blanks) = (&layouts[COMMA], &layouts[BLANK]);
        let has_decimal_commas =
            commas.words > 0 && blanks.words == 0 && blanks.rows >= commas.rows;
        if chosen == COMMA && has_decimal_commas {
            chosen = BLANK;
        }
        layouts.swap_remove(chosen)
    }

    /// The layout with this separator. The rows begin with the first line that is like the first one of the longest run of
    /// lines with numbers: a word among numbers does not cut off the lines above it.
    fn with(text: &str, separator: u8) -> TableLayout {
        let lines = first_lines(text, separator);
        let run = longest_run(&lines);
        let kinds = lines[run.clone()].iter().flat_map(|line| &line.kinds);
        let words = kinds.filter(|kind| **kind == CellKind::Word).count();
        let first = lines[run.clone()].first();
        let above = first.map_or(run.start, |first| {
            let top = top_of_rows(text, &lines[..run.start], first, separator);
            let rows = &lines[top..run.start];
            let like_first = rows.iter().position(|line| line.is_like(first));
            like_first.map_or(run.start, |line| top + line)
        });
        let title_width = || {
            lines
                .first()
                .map_or(0, |line| headings(&line.cells, separator).len())
        };
        let width = first.map_or_else(title_width, |first| first.kinds.len());
        let names = NameReader {
            lines: &lines,
            first,
            above,
            width,
            separator,
        };
        let (mut header, heading_lines) = names.header();
        if header.is_none() {
            let end_above = above.checked_sub(1).map_or(0, |line| lines[line].end);
            let comment = comment_headings(&text[end_above..], separator);
            header = comment.filter(|it| it.len() == width);
        }
        let skipped = above - heading_lines;
        TableLayout {
            separator,
            above,
            header,
            width,
            rows: run.len(),
            words,
            skipped,
            begin: lines.get(skipped).map_or(0, |line| line.end),
        }
    }
}

/// The first of the longest runs of lines of one length with numbers. If no line has numbers, the run is empty and begins
/// below a title.
fn longest_run(lines: &[TextLine]) -> Range<usize> {
    let below_title = usize::from(!lines.is_empty());
    let mut longest = below_title..below_title;
    let mut start = 0;
    let are_in_one_run = |line: &TextLine, next: &TextLine| {
        line.kinds.len() == next.kinds.len() && line.has_numbers() && next.has_numbers()
    };
    for run in lines.chunk_by(are_in_one_run) {
        let end = start + run.len();
        if run.len() > longest.len() && run[0].has_numbers() {
            longest = start..end;
        }
        start = end;
    }
    if longest.len() > 1 && words_over_numbers(&lines[longest.start..]) > 1 {
        // Rigol writes numbers into its row of units.
        longest.start += 1;
    }
    longest
}

/// The number of words in the first line that stand above numbers.
fn words_over_numbers(lines: &[TextLine]) -> usize {
    let pairs = lines[0].kinds.iter().zip(&lines[1].kinds);
    pairs
        .filter(|pair| *pair == (&CellKind::Word, &CellKind::Number))
        .count()
}

/// The line below the last line of names that follows an empty line. The lines above it are no rows, even if they look like
/// the first row of the longest run.
fn top_of_rows(text: &str, lines: &[TextLine], first: &TextLine, separator: u8) -> usize {
    let follows_empty_line = |line: &TextLine| {
        let before = text[..line.end].trim_end().lines().rev().nth(1);
        let is_blank = |c: char| c == char::from(separator) || c.is_whitespace();
        before.is_some_and(|it| it.chars().all(is_blank))
    };
    let has_names = |line: &TextLine| {
        line.is_all_words() && line.kinds.len() == first.kinds.len() && follows_empty_line(line)
    };
    let last = (1..lines.len()).rev().find(|&line| has_names(&lines[line]));
    last.map_or(0, |line| line + 1)
}

/// Reads the heading above the rows.
struct NameReader<'l> {
    lines: &'l [TextLine],
    /// The first row of the longest run.
    first: Option<&'l TextLine>,
    /// The number of lines above the rows.
    above: usize,
    /// The number of columns.
    width: usize,
    separator: u8,
}

impl NameReader<'_> {
    /// The heading, and the number of its lines: names, or names above units.
    fn header(&self) -> (Option<Vec<String>>, usize) {
        let fits_name = |(name, unit): (&String, &String)| {
            unit.is_empty()
                || !name.is_empty() && is_unit(unit)
                || CellKind::of(unit) == CellKind::Number
        };
        if let (Some(units), Some(names)) = (self.names(1, true), self.names(2, false))
            && names.iter().zip(&units).all(fits_name)
        {
            let names = names.into_iter().zip(&units).map(with_unit);
            return (Some(names.collect()), 2);
        }
        let names = self.names(1, false);
        let lines = usize::from(names.is_some());
        (names, lines)
    }

    /// The names in a line this far above the rows, if it has one for each column.
    fn names(&self, distance: usize, can_have_gaps: bool) -> Option<Vec<String>> {
        let line = &self.lines[self.above.checked_sub(distance)?];
        let first = self.first.into_iter().flat_map(|first| &first.kinds);
        let mut pairs = line.kinds.iter().zip(first);
        let has_names = line.kinds.contains(&CellKind::Word)
            && (can_have_gaps || !line.kinds.contains(&CellKind::Gap))
            && pairs.all(|(kind, below)| *kind != CellKind::Number || *below == CellKind::Nothing);
        let names = self.fit_to_rows(headings(&line.cells, self.separator));
        // A single number with a decimal comma below a name makes its row too long; that name is no title of the file.
        let fits = names.len() == self.width || self.above == 1 && self.separator == b',';
        (has_names && fits).then_some(names)
    }

    /// Adds or removes a name if the heading has one more or one less than the rows, as some programs write it.
    fn fit_to_rows(&self, mut names: Vec<String>) -> Vec<String> {
        let row = self.lines.get(self.above);
        let begin = row.and_then(|row| row.kinds.first());
        let end = row.and_then(|row| row.kinds.last());
        let is_spare = |name: &String| name.is_empty() || name == "Comment";
        if names.len() == self.width + 1 && names.last().is_some_and(is_spare) {
            // The heading ends with a separator, or with LabVIEW's column for comments.
            names.pop();
        } else if names.len() + 1 == self.width && end == Some(&CellKind::Nothing) {
            // The rows end with a separator.
            names.push(String::new());
        } else if names.len() + 1 == self.width && begin == Some(&CellKind::Word) {
            // R writes no heading above the names of the rows.
            names.insert(0, String::new());
        }
        names
    }
}

/// Reads the rows of a text.
pub(super) fn reader(text: &str, separator: u8) -> Reader<&[u8]> {
    ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .delimiter(separator)
        .comment(Some(b'#'))
        .from_reader(text.as_bytes())
}

/// The first lines that have cells.
fn first_lines(text: &str, separator: u8) -> Vec<TextLine> {
    let mut reader = reader(text, separator);
    let mut record = StringRecord::new();
    let mut lines = Vec::new();
    let is_near = |count: usize, at: u64| {
        count < MIN_HEAD_LINES || count < MAX_HEAD_LINES && at < MAX_HEAD_BYTES
    };
    while is_near(lines.len(), reader.position().byte())
        && reader.read_record(&mut record).unwrap_or(false)
    {
        stop::ask_now();
        let cells = cells(&record, separator);
        if !is_blank(&cells) {
            lines.push(TextLine {
                kinds: cells.iter().map(|cell| CellKind::of(cell)).collect(),
                cells: cells.into_iter().map(str::to_owned).collect(),
                end: reader.position().byte() as usize,
            });
        }
    }
    lines
}

/// The cells of a row. Several blanks are one separator.
pub(super) fn cells(record: &StringRecord, separator: u8) -> Vec<&str> {
    let cells = record.iter().map(trim_cell);
    cells
        .filter(|cell| separator != b' ' || !cell.is_empty())
        .collect()
}

/// Whether a line is blank. Spreadsheets write separators even there.
pub(super) fn is_blank(cells: &[&str]) -> bool {
    cells.iter().all(|cell| cell.is_empty())
}

/// Whether a line may stand below the table: it is a sum, or it begins with a word and is shorter or longer than a row.
pub(super) fn is_below(cells: &[&str], width: usize) -> bool {
    let Some(first) = cells.iter().find(|cell| !cell.is_empty()) else {
        return false;
    };
    let is_sum = || {
        let word = first.trim_end_matches([':', '=', ' ']).to_lowercase();
        SUMS.contains(&format!(" {word} "))
    };
    cells.len() != width && CellKind::of(first) == CellKind::Word
        || first.starts_with(char::is_alphabetic) && is_sum()
}

impl CellKind {
    fn of(cell: &str) -> CellKind {
        let is_too_large = || TOO_LARGE.contains(&format!(" {} ", cell.to_lowercase()));
        let bound = cell.trim_start_matches(['<', '>', '≤', '≥', ' ']);
        let is_number = |text: &str| CellNumber::read(text).is_some();
        match cell {
            "" => CellKind::Nothing,
            _ if is_missing(cell) || is_too_large() => CellKind::Gap,
            _ if bound.len() < cell.len() && is_number(bound) => CellKind::Gap,
            _ if is_number(cell) || DateReader::default().read(cell).is_some() => CellKind::Number,
            _ => CellKind::Word,
        }
    }
}

/// The headings in the cells of a line. Between blanks a unit belongs to the name before it: `t [s]`.
fn headings<S: AsRef<str>>(cells: &[S], separator: u8) -> Vec<String> {
    let mut headings: Vec<String> = Vec::with_capacity(cells.len());
    for cell in cells.iter().map(AsRef::as_ref) {
        match headings.last_mut() {
            Some(heading) if separator == b' ' && cell.starts_with(['[', '(']) => {
                *heading += " ";
                *heading += cell;
            }
            _ => headings.push(cell.to_owned()),
        }
    }
    headings
}

/// The headings in the last comment before the first row, where numpy writes them: `# t U`.
fn comment_headings(text: &str, separator: u8) -> Option<Vec<String>> {
    let comments = text
        .lines()
        .take_while(|line| line.starts_with('#') || line.trim().is_empty());
    let last = comments.filter(|line| line.starts_with('#')).last()?;
    let words = last.trim_start_matches('#').trim();
    let cells: Vec<&str> = match separator {
        b' ' => words.split_whitespace().collect(),
        _ => words.split(char::from(separator)).map(trim_cell).collect(),
    };
    let kinds: Vec<CellKind> = cells.iter().map(|cell| CellKind::of(cell)).collect();
    let is_header = kinds.contains(&CellKind::Word) && !kinds.contains(&CellKind::Number);
    is_header.then(|| headings(&cells, separator))
}

/// A name with the unit from the line below it: `t [s]` from `t` and `(s)`.
fn with_unit((name, unit): (String, &String)) -> String {
    match unit.trim_matches(BRACKETS) {
        "" => name,
        unit => format!("{name} [{unit}]"),
    }
}

const BRACKETS: [char; 4] = ['(', ')', '[', ']'];

/// Whether a cell is in brackets, or has only units: `mV`, `m/s^2`, `Volt`.
fn is_unit(cell: &str) -> bool {
    let has_brackets = cell.starts_with(['(', '[']) && cell.ends_with([')', ']']);
    let separates = |c: char| "/*·.^ -²³⁻¹".contains(c) || c.is_ascii_digit();
    has_brackets || cell.split(separates).all(is_known_unit)
}

/// Whether this is a unit, perhaps with a prefix, or nothing.
fn is_known_unit(part: &str) -> bool {
    let is_listed = |all: &str, unit: &str| all.contains(&format!(" {unit} "));
    let mut letters = part.chars();
    let has_prefix = letters.next().is_some_and(|it| PREFIXES.contains(it));
    part.is_empty()
        || is_listed(UNITS, part)
        || is_listed(OTHER_UNITS, &part.to_lowercase())
        || is_listed(OTHER_UNITS, part)
        || has_prefix && is_listed(UNITS, letters.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_look_at_long_lines_ends_early() {
        let looked_at = |line: &str| first_lines(&line.repeat(2000), b',').len();
        let [short, long, longest] = [1, 1000, 20_000].map(|cells| "1,".repeat(cells) + "1\n");
        assert_eq!(looked_at(&short), MAX_HEAD_LINES);
        // 256 KiB have 131 lines of 2,002 bytes.
        assert_eq!(looked_at(&long), 131);
        assert_eq!(looked_at(&longest), MIN_HEAD_LINES);
    }
}

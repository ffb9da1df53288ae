//! The layout of a table in a text: what separates its cells, where its rows begin, and which lines are its heading.
//! `table` reads the rows.

use csv::{Reader, ReaderBuilder, StringRecord};

use super::column::is_missing;
use super::dates::DateReader;
use super::number::CellNumber;
use super::trimmed;
use chainrule_stop as stop;

/// The most lines that are searched for the heading, and the most bytes in lines after the first few. No instrument writes
/// more above its numbers.
const LOOKED_AT: usize = 1000;
const LOOKED_BYTES: u64 = 256 << 10;
const FEW: usize = 10;

/// What may separate cells. The first one that makes several columns does.
const SEPARATORS: [u8; 5] = *b"\t;|, ";
const COMMAS: usize = 3;

/// Units that may have a prefix, units that have none, and words that instruments write for units.
const UNITS: &str =
    " m s sec g A K V W J N C F H T S Hz Pa Ω Ohm ohm l L eV bar rad mol cd lx lm Bq Sv Gy Wb ";
const OTHER_UNITS: &str = " min h d a ° °C °F deg degC % ‰ dB dBm ppm ppb psi atm Torr rpm px au counts cps pixel volt \
    volts second seconds ampere amperes amp amps ohm ohms kelvin celsius meter meters hertz watt watts newton sequence ";
const PREFIXES: &str = "pnuµμmcdhkMGT";

/// How the table lies in the text.
#[derive(Debug)]
pub(super) struct TableLayout {
    /// What separates the cells.
    pub(super) separator: u8,
    /// How many lines with cells stand above the first row.
    pub(super) above: usize,
    /// The headings of the columns, with their units, if there are any.
    pub(super) header: Option<Vec<String>>,
    /// How many cells a row has, or the heading if there are no numbers.
    pub(super) width: usize,
    /// How many of the lines looked at are rows, and how many of their cells are words.
    rows: usize,
    words: usize,
    /// How many lines above the heading, or the first row without one, are skipped.
    pub(super) skipped: usize,
    /// Where the line after these ends.
    pub(super) begin: usize,
}

/// What begins a line that sums up the rows above it.
const SUMS: &str =
    " total totals subtotal sum summe gesamt somme suma mean average mittelwert std sd stdev ";

/// What instruments write where a number is too large for them.
const TOO_LARGE: &str = " ol ovl ovld over overload overflow overrange ";

/// What a cell is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Seen {
    Nothing,
    /// A word in place of a number: `NA`, `OVLD`, `<0.01`.
    Gap,
    Number,
    Word,
}

impl TableLayout {
    /// The layout of a text. The separator may be known.
    pub(super) fn of(text: &str, known: Option<u8>) -> TableLayout {
        if let Some(separator) = known {
            return TableLayout::with(text, separator);
        }
        let all = SEPARATORS.iter().map(|it| TableLayout::with(text, *it));
        let mut all: Vec<TableLayout> = all.collect();
        let several = |layout: &TableLayout| layout.width > 1;
        let longest = all.iter().filter(|it| several(it)).map(|it| it.rows).max();
        let is_usable = |it: &TableLayout| several(it) && Some(it.rows * 2) >= longest;
        let chosen = all.iter().position(is_usable).unwrap_or(COMMAS);
        // Decimal commas may stand between blanks.
        let (commas, blanks) = (&all[COMMAS], &all[COMMAS + 1]);
        let decimal = commas.words > 0 && blanks.words == 0 && blanks.rows >= commas.rows;
        all.swap_remove(chosen + usize::from(chosen == COMMAS && decimal))
    }

    /// The layout if this separates the cells. The rows begin with the first line that is like the first one of the
    /// longest run of lines with numbers: a word among numbers does not cut off what stands above it.
    fn with(text: &str, separator: u8) -> TableLayout {
        let (lines, ends) = lines(text, separator);
        let seen: Vec<Vec<Seen>> = lines
            .iter()
            .map(|line| {
                stop::ask_now();
                line.iter().map(|cell| Seen::of(cell)).collect()
            })
            .collect();
        let is_row = |line: &[Seen]| line.contains(&Seen::Number);
        let (mut place, mut start, mut rows) = (0, usize::from(!lines.is_empty()), 0);
        for run in seen.chunk_by(|a, b| a.len() == b.len() && is_row(a) && is_row(b)) {
            if run.len() > rows && is_row(&run[0]) {
                (start, rows) = (place, run.len());
            }
            place += run.len();
        }
        // Rigol writes numbers into its row of units.
        let words_above = |line: usize| {
            let pairs = seen[line].iter().zip(&seen[line + 1]);
            pairs
                .filter(|it| *it == (&Seen::Word, &Seen::Number))
                .count()
        };
        if rows > 1 && words_above(start) > 1 {
            (start, rows) = (start + 1, rows - 1);
        }
        let cells = seen.iter().skip(start).take(rows).flatten();
        let words = cells.filter(|it| **it == Seen::Word).count();
        let first = seen.get(start).filter(|_| rows > 0);
        let is_alike = |line: &Vec<Seen>| {
            let mut pairs = line.iter().zip(first.into_iter().flatten());
            Some(line.len()) == first.map(Vec::len)
                && (is_row(line) || line.contains(&Seen::Gap))
                && pairs.all(|(cell, first)| *first != Seen::Number || *cell != Seen::Word)
        };
        let is_after_gap = |line: usize| {
            let before = text[..ends[line]].trim_end().lines().rev().nth(1);
            let is_blank = |c: char| c == char::from(separator) || c.is_whitespace();
            before.is_some_and(|it| it.chars().all(is_blank))
        };
        // What stands above an empty line and a name for each column is no row, even if it is like one.
        let begins = |&line: &usize| {
            let is_named = seen[line].iter().all(|cell| *cell == Seen::Word);
            is_named && first.map(Vec::len) == Some(seen[line].len()) && is_after_gap(line)
        };
        let top = (1..start).rev().find(begins).map_or(0, |line| line + 1);
        let alike = seen[top..start].iter().position(is_alike);
        let above = alike.map_or(start, |line| top + line);
        let title = lines.first().map_or(0, |it| headings(it, separator).len());
        let width = first.map_or(title, Vec::len);
        let ends_empty = seen.get(above).and_then(|row| row.last()) == Some(&Seen::Nothing);
        // R writes no heading above the names of the rows.
        let begins_with_word = seen.get(above).and_then(|row| row.first()) == Some(&Seen::Word);
        let names = |line: usize, may_have_gaps: bool| {
            let line = above.checked_sub(line)?;
            let mut pairs = seen[line].iter().zip(first.into_iter().flatten());
            let is_name = seen[line].contains(&Seen::Word)
                && (may_have_gaps || !seen[line].contains(&Seen::Gap))
                && pairs.all(|(cell, row)| *cell != Seen::Number || *row == Seen::Nothing);
            let mut names = headings(&lines[line], separator);
            // The heading may end with a separator where the rows do not, or the other way round; LabVIEW's has a
            // column for comments.
            if names.len() == width + 1
                && names
                    .last()
                    .is_some_and(|it| it.is_empty() || it == "Comment")
            {
                names.pop();
            } else if names.len() + 1 == width && ends_empty {
                names.push(String::new());
            } else if names.len() + 1 == width && begins_with_word {
                names.insert(0, String::new());
            }
            // Where a single number with a decimal comma stands below a name, the row is too long, and no title above it.
            let fits = names.len() == width || above == 1 && separator == b',';
            (is_name && fits).then_some(names)
        };
        let has_unit = |(name, unit): (&String, &String)| {
            unit.is_empty() || !name.is_empty() && is_unit(unit) || Seen::of(unit) == Seen::Number
        };
        let (mut header, lines_of_heading) = match (names(1, true), names(2, false)) {
            (Some(units), Some(names)) if names.iter().zip(&units).all(has_unit) => {
                let names = names.into_iter().zip(&units).map(with_unit);
                (Some(names.collect()), 2)
            }
            _ => {
                let heading = names(1, false);
                let lines = usize::from(heading.is_some());
                (heading, lines)
            }
        };
        if header.is_none() {
            let before = above.checked_sub(1).map_or(0, |line| ends[line]);
            let comment = commented(&text[before..], separator);
            header = comment.filter(|header| header.len() == width);
        }
        let skipped = above - lines_of_heading;
        TableLayout {
            separator,
            above,
            header,
            width,
            rows,
            words,
            skipped,
            begin: ends.get(skipped).copied().unwrap_or_default(),
        }
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

/// The cells of the first lines that have some, and where each line ends.
fn lines(text: &str, separator: u8) -> (Vec<Vec<String>>, Vec<usize>) {
    let mut reader = reader(text, separator);
    let mut record = StringRecord::new();
    let (mut lines, mut ends) = (Vec::new(), Vec::new());
    let is_near = |count: usize, at: u64| count < FEW || count < LOOKED_AT && at < LOOKED_BYTES;
    while is_near(lines.len(), reader.position().byte())
        && reader.read_record(&mut record).unwrap_or(false)
    {
        let cells = cells(&record, separator);
        if !is_blank(&cells) {
            lines.push(cells.into_iter().map(str::to_owned).collect());
            ends.push(reader.position().byte() as usize);
        }
    }
    (lines, ends)
}

/// The cells of a row. Several blanks separate as one does.
pub(super) fn cells(record: &StringRecord, separator: u8) -> Vec<&str> {
    let cells = record.iter().map(trimmed);
    cells
        .filter(|cell| separator != b' ' || !cell.is_empty())
        .collect()
}

/// Spreadsheets write the separators of blank lines.
pub(super) fn is_blank(cells: &[&str]) -> bool {
    cells.iter().all(|cell| cell.is_empty())
}

/// Whether a line may stand below the table: a sum, or one that begins with a word and is no row.
pub(super) fn is_below(cells: &[&str], width: usize) -> bool {
    let Some(first) = cells.iter().find(|cell| !cell.is_empty()) else {
        return false;
    };
    let is_sum = |first: &str| {
        let first = first.trim_end_matches([':', '=', ' ']).to_lowercase();
        SUMS.contains(&format!(" {first} "))
    };
    cells.len() != width && Seen::of(first) == Seen::Word
        || first.starts_with(char::is_alphabetic) && is_sum(first)
}

impl Seen {
    fn of(cell: &str) -> Seen {
        let is_too_large = || TOO_LARGE.contains(&format!(" {} ", cell.to_lowercase()));
        let bound = cell.trim_start_matches(['<', '>', '≤', '≥', ' ']);
        let is_number = |text: &str| CellNumber::read(text).is_some();
        match cell {
            "" => Seen::Nothing,
            _ if is_missing(cell) || is_too_large() => Seen::Gap,
            _ if bound.len() < cell.len() && is_number(bound) => Seen::Gap,
            _ if is_number(cell) || DateReader::default().read(cell).is_some() => Seen::Number,
            _ => Seen::Word,
        }
    }
}

/// The headings of a header. Among blanks a unit belongs to what stands before it: `t [s]`.
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
fn commented(text: &str, separator: u8) -> Option<Vec<String>> {
    let comments = text
        .lines()
        .take_while(|line| line.starts_with('#') || line.trim().is_empty());
    let last = comments.filter(|line| line.starts_with('#')).last()?;
    let words = last.trim_start_matches('#').trim();
    let cells: Vec<&str> = match separator {
        b' ' => words.split_whitespace().collect(),
        _ => words.split(char::from(separator)).map(trimmed).collect(),
    };
    let seen: Vec<Seen> = cells.iter().map(|cell| Seen::of(cell)).collect();
    let is_header = seen.contains(&Seen::Word) && !seen.contains(&Seen::Number);
    is_header.then(|| headings(&cells, separator))
}

/// A heading and what stands below it: `t [s]` of `t` and `(s)`.
fn with_unit((name, unit): (String, &String)) -> String {
    match unit.trim_matches(BRACKETS) {
        "" => name,
        unit => format!("{name} [{unit}]"),
    }
}

const BRACKETS: [char; 4] = ['(', ')', '[', ']'];

/// Whether a cell is in brackets, or has only units: `mV`, `m/s^2`, `Volt`.
fn is_unit(cell: &str) -> bool {
    let is_known = |part: &str| {
        let listed = |all: &str, unit: &str| all.contains(&format!(" {unit} "));
        let mut letters = part.chars();
        let prefixed = letters.next().is_some_and(|it| PREFIXES.contains(it));
        part.is_empty()
            || listed(UNITS, part)
            || listed(OTHER_UNITS, &part.to_lowercase())
            || listed(OTHER_UNITS, part)
            || prefixed && listed(UNITS, letters.as_str())
    };
    let between = |c: char| "/*·.^ -²³⁻¹".contains(c) || c.is_ascii_digit();
    cell.starts_with(['(', '[']) && cell.ends_with([')', ']']) || cell.split(between).all(is_known)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_look_at_long_lines_ends_early() {
        let looked_at = |line: &str| lines(&line.repeat(2000), b',').0.len();
        let [short, long, longest] = [1, 1000, 20_000].map(|cells| "1,".repeat(cells) + "1\n");
        assert_eq!(looked_at(&short), LOOKED_AT);
        // 256 KiB have 131 lines of 2,002 bytes.
        assert_eq!(looked_at(&long), 131);
        assert_eq!(looked_at(&longest), FEW);
    }
}

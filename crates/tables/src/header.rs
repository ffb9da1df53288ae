//! Finds the heading of a table: the names of its columns, with their units.

use super::lines::trim_cell;
use super::text_line::{CellKind, TextLine};

/// Units that may have a prefix.
const UNITS: &str =
    " m s sec g A K V W J N C F H T S Hz Pa Ω Ohm ohm l L eV bar rad mol cd lx lm Bq Sv Gy Wb ";
/// Units that have no prefix, and words that instruments write for units.
const OTHER_UNITS: &str = " min h d a ° °C °F deg degC % ‰ dB dBm ppm ppb psi atm Torr rpm px au counts cps pixel volt \
    volts second seconds ampere amperes amp amps ohm ohms kelvin celsius meter meters hertz watt watts newton sequence ";
/// The prefixes of units.
const PREFIXES: &str = "pnuµμmcdhkMGT";

/// Reads the heading above the rows.
pub(super) struct HeadingReader<'l> {
    pub(super) text: &'l str,
    pub(super) separator: u8,
    /// The first lines of the text that have cells.
    pub(super) lines: &'l [TextLine],
    /// The first row of the longest run.
    pub(super) first: Option<&'l TextLine>,
    /// The number of lines above the rows.
    pub(super) above: usize,
    /// The number of columns.
    pub(super) width: usize,
}

impl HeadingReader<'_> {
    /// The names above the rows, which may have a line of units below them, or else the names in a comment. Beside them
    /// stands the number of lines with cells that they take; a comment has none.
    pub(super) fn heading(&self) -> Option<(Vec<String>, usize)> {
        if let Some(names) = self.names_above_units() {
            return Some((names, 2));
        }
        if let Some(names) = self.names(1) {
            return Some((names, 1));
        }
        let last_above = self.lines[..self.above].last();
        let end_above = last_above.map_or(0, |line| line.end);
        let names = comment_headings(&self.text[end_above..], self.separator)?;
        (names.len() == self.width).then_some((names, 0))
    }

    /// The names in the second line above the rows, if the first line has units. They are joined: `t [s]`.
    fn names_above_units(&self) -> Option<Vec<String>> {
        let units = self.words(1)?;
        let mut names = self.names(2)?;
        for (name, unit) in names.iter_mut().zip(&units) {
            let fits = unit.is_empty()
                || !name.is_empty() && is_unit(unit)
                || CellKind::of(unit) == CellKind::Number;
            if !fits {
                return None;
            }
            let bare = unit.trim_matches(['(', ')', '[', ']']);
            if !bare.is_empty() {
                *name = format!("{name} [{bare}]");
            }
        }
        Some(names)
    }

    /// The words in a line this far above the rows, if it has one for each column and no gap.
    fn names(&self, distance: usize) -> Option<Vec<String>> {
        let line = &self.lines[self.above.checked_sub(distance)?];
        self.words(distance).filter(|_| !line.has(CellKind::Gap))
    }

    /// The words in a line this far above the rows, if it has one for each column. A gap counts as a word.
    fn words(&self, distance: usize) -> Option<Vec<String>> {
        let line = &self.lines[self.above.checked_sub(distance)?];
        let first = self.first.into_iter().flat_map(|first| &first.kinds);
        let mut pairs = line.kinds.iter().zip(first);
        // A number can be a name only above an empty cell; a 1 can be a unit.
        let can_have_number = distance == 1 && self.above > 1 && has_only_units(line);
        let can_be_word = |(kind, below): (&CellKind, &CellKind)| {
            can_have_number || *kind != CellKind::Number || *below == CellKind::Nothing
        };
        let has_words = line.has(CellKind::Word) && pairs.all(can_be_word);
        let words = self.fit_to_rows(headings(&line.cells, self.separator));
        // A single number with a decimal comma below a name makes its row too long; that name is no title of the file.
        let fits = words.len() == self.width || self.above == 1 && self.separator == b',';
        (has_words && fits).then_some(words)
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

/// The headings in the cells of a line. Between blanks a unit belongs to the name before it: `t [s]`. A line that begins
/// with a unit has only units: `[s] [V]`.
pub(super) fn headings<S: AsRef<str>>(cells: &[S], separator: u8) -> Vec<String> {
    let mut headings: Vec<String> = Vec::with_capacity(cells.len());
    let first = cells.first().map_or("", AsRef::as_ref);
    let are_units = first == "-" || first.starts_with(['[', '(']);
    // Whether a bracket is open: the unit `(10^3 Pa)` has a blank.
    let mut is_open = false;
    for cell in cells.iter().map(AsRef::as_ref) {
        let is_unit = is_open || !are_units && cell.starts_with(['[', '(']);
        match headings.last_mut() {
            Some(heading) if separator == b' ' && is_unit => {
                *heading += " ";
                *heading += cell;
            }
            _ => headings.push(cell.to_owned()),
        }
        if let Some(bracket) = cell.rfind(['[', '(', ']', ')']) {
            is_open = cell[bracket..].starts_with(['[', '(']);
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

/// Whether the cells of a line are units, which may be a 1: `s,1`.
pub(super) fn has_only_units(line: &TextLine) -> bool {
    let mut cells = line.cells.iter().zip(&line.kinds);
    cells.all(|(cell, kind)| is_unit(cell) && (*kind != CellKind::Number || cell == "1"))
}

/// Whether a cell is in brackets, or has only units: `mV`, `m/s^2`, `Volt`.
fn is_unit(cell: &str) -> bool {
    let has_brackets = cell.starts_with(['(', '[']) && cell.ends_with([')', ']']);
    let separates = |c: char| "/*·.^ -⁻⁰¹²³⁴⁵⁶⁷⁸⁹".contains(c) || c.is_ascii_digit();
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

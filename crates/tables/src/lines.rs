//! Divides a text into lines of cells, and counts line breaks.

use csv::{Reader, ReaderBuilder, StringRecord};

/// Reads the lines of a text, without its comments.
pub(super) fn reader(text: &str, separator: u8) -> Reader<&[u8]> {
    ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .delimiter(separator)
        .comment(Some(b'#'))
        .from_reader(text.as_bytes())
}

/// The cells of a line. Several blanks are one separator.
pub(super) fn cells(record: &StringRecord, separator: u8) -> Vec<&str> {
    let is_cell = |cell: &&str| separator != b' ' || !cell.is_empty();
    record.iter().map(trim_cell).filter(is_cell).collect()
}

/// Removes the blanks around a cell, and quotes after these blanks, which the reader of CSV does not know: `1, "2"`.
pub(super) fn trim_cell(cell: &str) -> &str {
    let bare = cell.trim();
    let rest = bare.strip_prefix('"');
    let quoted = rest.and_then(|rest| rest.strip_suffix('"'));
    quoted.map_or(bare, str::trim)
}

/// Whether a line is blank. Spreadsheets write separators even there.
pub(super) fn is_blank(cells: &[&str]) -> bool {
    cells.iter().all(|cell| cell.is_empty())
}

/// The number of line breaks.
pub(super) fn line_ends(text: &[u8]) -> usize {
    text.split(|byte| *byte == b'\n').count() - 1
}

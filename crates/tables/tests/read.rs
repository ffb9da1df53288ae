//! What is read of tables as instruments, spreadsheets and people write them: of each group in `tables.txt`, below `--`.
//!
//! A group begins with its title; `dmy`, `mdy`, `seconds` or `thousands` at its end is what the user says of the cells.
//! A column stands behind its heading or its number, with `-` for NaN. `UPDATE=1 cargo test -p chainrule-tables`
//! records what is read; compare it with the table above it before you commit it.

// A test is read from top to bottom: it may be long, and use a short name twice.
#![allow(clippy::shadow_unrelated, clippy::too_many_lines)]

use std::env;
use std::fmt::Write;
use std::fs;
use std::path::Path;

use chainrule_report::{Line, Piece};
use chainrule_tables::{
    CellFault, CellReading, ColumnKind, DateOrder, NumberTable, TableColumn, TableError,
    TableFault, read,
};

const MOST: usize = 10_000_000;

fn words(line: &Line) -> String {
    line.iter().map(Piece::words).collect()
}

/// What is known of a column besides its numbers.
fn about(column: &TableColumn) -> String {
    let mut about = match column.kind {
        ColumnKind::Empty => " (empty)".to_owned(),
        ColumnKind::Numbers => String::new(),
        ColumnKind::Dates => format!(" (days since {})", column.first_text),
        ColumnKind::Times => format!(" (seconds since {})", column.first_text),
        ColumnKind::Durations => format!(" (durations from {} on)", column.first_text),
        ColumnKind::Text => " (text)".to_owned(),
        ColumnKind::Classes => format!(" (classes {})", column.words.join(", ")),
    };
    for (row, word) in &column.word_rows {
        let word = &column.words[usize::from(*word)];
        let _ = write!(about, ", {word} in row {}", row + 1);
    }
    if let Some(error) = &column.fault {
        let _ = write!(about, ", error: {error}");
    }
    about
}

/// A table as the record has it.
fn table_text(read: &Result<NumberTable, TableError>) -> String {
    let table = match read {
        Ok(table) => table,
        Err(error) => return format!("error: {error}\n"),
    };
    let mut out = String::new();
    for (at, column) in table.columns.iter().enumerate() {
        let heading = match &table.header {
            Some(header) => header[at].clone(),
            None => (at + 1).to_string(),
        };
        let width = |place: usize| match table.widths.get(place) {
            Some(width) if *width > 0.0 => format!("±{width}"),
            _ => String::new(),
        };
        let places = (at..table.numbers.len()).step_by(table.columns.len());
        let numbers = places.map(|place| match table.numbers[place] {
            number if number.is_nan() => "-".to_owned(),
            number => format!("{number}{}", width(place)),
        });
        let numbers: Vec<String> = numbers.collect();
        let _ = writeln!(out, "{heading}: {}{}", numbers.join(" "), about(column));
    }
    for note in table.notes.iter().map(|note| &note.message) {
        let _ = writeln!(out, "note: {}", words(note));
    }
    out
}

/// A table in the encodings that programs write, and whether that is a guess.
fn encodings(text: &str) -> Vec<(Vec<u8>, bool)> {
    let marked = format!("\u{feff}{text}");
    let units = || marked.encode_utf16();
    let mut all = vec![
        (text.as_bytes().to_vec(), false),
        (text.replace('\n', "\r\n").into_bytes(), false),
        (text.trim_end_matches('\n').as_bytes().to_vec(), false),
        (marked.as_bytes().to_vec(), false),
        (units().flat_map(u16::to_le_bytes).collect(), false),
        (units().flat_map(u16::to_be_bytes).collect(), false),
    ];
    let latin = text.chars().map(|it| u8::try_from(it).ok());
    all.extend(
        latin
            .collect::<Option<Vec<u8>>>()
            .map(|it| (it, !text.is_ascii())),
    );
    all
}

/// A group as it is now.
fn group_now(group: &str) -> String {
    let (title, rest) = group.split_once('\n').expect("a group has a title");
    let rest = format!("\n{rest}");
    let (text, _) = rest.split_once("\n--\n").expect("a group has a table");
    let text = match text.strip_prefix('\n') {
        Some(text) => format!("{text}\n"),
        None => String::new(),
    };
    let option = title.rsplit(' ').next();
    let dates = CellReading {
        order: match option {
            Some("dmy") => Some(DateOrder::DayFirst),
            Some("mdy") => Some(DateOrder::MonthFirst),
            _ => None,
        },
        has_durations: option == Some("seconds"),
        has_thousands: option == Some("thousands"),
    };
    let first = table_text(&read(text.as_bytes(), "f", dates, MOST));
    for (bytes, is_guess) in encodings(&text) {
        let now = table_text(&read(&bytes, "f", dates, MOST));
        let guess = "note: f is not in UTF-8 and was read as Windows-1252: line ";
        let is_same = |line: &&str| !(is_guess && line.starts_with(guess));
        let same: String = now.split_inclusive('\n').filter(is_same).collect();
        assert_eq!(same, first, "{title}: {bytes:?}");
        assert_eq!(now.len() > same.len(), is_guess, "{title}");
    }
    format!("{title}\n{text}--\n{first}")
}

#[test]
fn tables_are_read_as_recorded() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/tables.txt");
    let recorded = fs::read_to_string(&path).expect("the record is there");
    let (head, groups) = recorded.split_once("\n== ").expect("it has groups");
    let groups = groups.split("\n== ");
    let now: Vec<String> = groups.map(group_now).collect();
    let now = format!("{head}\n== {}", now.join("\n== "));
    if env::var_os("UPDATE").is_some() {
        fs::write(&path, now).expect("the record can be written");
        return;
    }
    for (was, is) in recorded.lines().zip(now.lines()) {
        assert_eq!(is, was);
    }
    assert_eq!(now, recorded);
}

#[test]
fn errors_have_their_place_and_what_a_message_needs() {
    let cell = |text: &str, fault| TableFault::Cell {
        text: text.to_owned(),
        fault,
    };
    let row = |cells, width, separator| TableFault::RowLength {
        cells,
        width,
        separator,
    };
    for (bytes, place, fault) in [
        // A workbook, and UTF-16 without its mark.
        (&b"PK\x03\x04\xff"[..], "f", TableFault::NoText),
        (b"x\0\n\x001\0\n\0", "f", TableFault::NoText),
        (b"", "f", TableFault::Empty),
        (b"\xef\xbb\xbf\r\n", "f", TableFault::Empty),
        (b"# c\n", "f", TableFault::NoNumbers),
        (b"x,y\n", "f", TableFault::OnlyHeader),
        (b"x;y\n1;2\n3\n", "f:3", row(1, 2, ';')),
        (b"x\n1,5\n", "f:2", row(2, 1, ',')),
        (b"x\n1\n2\n3\n4\n", "f:5", TableFault::TooMany { most: 3 }),
    ] {
        let error = read(bytes, "f", CellReading::default(), 3).expect_err("it is no table");
        let place = place.to_owned();
        assert_eq!(error, TableError { place, fault });
    }
    // Line ends of old Macintoshes; a date that may be of March or of April.
    for (bytes, place, fault) in [
        (&b"x\r1\rb\r"[..], "f:3:1", cell("b", CellFault::Word)),
        (
            b"x,d\n1,03/04/2024\n",
            "f:2:2",
            cell("03/04/2024", CellFault::NoOrder),
        ),
    ] {
        let mut columns = read(bytes, "f", CellReading::default(), MOST)
            .expect("it is a table")
            .columns;
        let error = columns.pop().and_then(|it| it.fault);
        let place = place.to_owned();
        assert_eq!(error, Some(TableError { place, fault }));
    }
}

/// Fifty words are classes, more are text that is left out; neither takes quadratic time.
#[test]
fn a_long_table() {
    let row = |at: usize| format!("{at},w{at},c{}\n", at % 50);
    let rows: String = (0..200_000).map(row).collect();
    let table = read(
        format!("n,w,c\n{rows}").as_bytes(),
        "f",
        CellReading::default(),
        MOST,
    );
    let table = table.expect("it is a table");
    let kinds: Vec<ColumnKind> = table.columns.iter().map(|it| it.kind).collect();
    assert_eq!(
        kinds,
        [ColumnKind::Numbers, ColumnKind::Text, ColumnKind::Classes]
    );
    let sum = |at: usize| table.numbers.iter().skip(at).step_by(3).sum::<f64>();
    assert_eq!((sum(0), sum(2)), (19_999_900_000.0, 4_900_000.0));
}

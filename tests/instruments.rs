//! Files as instruments, spreadsheets and web sites write them: each is read by one line, or refused with the line to
//! type. They are in `tests/tables`; those with another encoding than UTF-8 are encoded here.
#![cfg(unix)]

use std::fs;
use std::path::Path;

use crate::common::process::{Folder, feed, program};

/// The file of the line, the line, all that it and the statements behind it say but for the places of notes, and these
/// statements.
const FILES: &[(&str, &str, &str, &str)] = &[
    (
        "oscilloscope.csv",
        "",
        "TIME, CH1, CH2: 4 rows\n[-0.0004, -0.0002, 0, 0.0002]\n[1.204, 1.207, 1.199, 1.201]\n\
         note: the table begins in line 8: 6 lines above it skipped\n",
        "TIME; CH2",
    ),
    (
        "multimeter.csv",
        "Time, U",
        "Time, U: 10 rows\n[0, 0.1, 0.3, 0.4]\n[1.2031, 1.2033, 1.204, 1.2042]\nnote: 1 row left out: OVLD in U\n",
        "Time[1..4]; U[1..4]",
    ),
    (
        "excel.csv",
        "",
        "Größe, Datum, Masse, Preis: 2 rows\n[1, 3]\n[0, 2]\n[12.5, 13.25]\n[1234.56, 1100]\n\
         note: excel.csv is not in UTF-8 and was read as Windows-1252: line 2 has ö\n\
         note: 1 line below the table skipped: Summe  25,75 3.321,56\n\
         note: Größe: 1 A, 2 B, 3 C\n\
         note: Datum is in days since 2024-03-15\n\
         note: 1 row left out: a cell in column Masse is missing; :data excel.csv Größe, Datum, Preis keeps them\n",
        "Größe; Datum; Masse; Preis",
    ),
    (
        "logger.csv",
        "Datum, Zeit, T",
        "Datum, Zeit, T: 3 rows\n[0, 1, 2]\n[0, -85800, -84600]\n[3.5, 3.4, 3.1]\n\
         note: Datum is in days since 2023-12-30\n\
         note: Zeit is in seconds since 23:50:00; they start again at logger.csv:3:2\n\
         note: 1 row left out: a cell in column T is missing; :data logger.csv Datum, Zeit keeps them\n",
        "Datum; Zeit; T",
    ),
    (
        "stocks.csv",
        "Date, Close",
        "Date, Close: 3 rows\n[0, 3, 17]\n[12300.5, 12410, 9999.25]\nnote: Date is in days since 2024-03-15\n",
        "Date; Close",
    ),
    (
        "station.csv",
        "",
        "STATION, DATE, PRCP, TMAX: 2 rows\n[1, 1]\n[0, 2]\n[11.7, 17.2]\n\
         note: STATION: 1 USW00094728\n\
         note: DATE is in days since 2024-03-01\n\
         note: 1 row left out: a cell in column TMAX is missing; :data station.csv STATION, DATE, PRCP keeps them\n",
        "STATION; DATE; TMAX",
    ),
    (
        "iris.csv",
        "",
        "sepal_length, petal_length, species: 5 rows\n[1, 1, 2, 3, 4]\n\
         note: species: 1 setosa, 2 versicolor, 3 virginica, 4 missing\n",
        "species",
    ),
    (
        "libreoffice.tsv",
        "",
        "Zeit, Länge, Bemerkung: 3 rows\n[0, 1, 2]\n[1.5, 2.5, 3.75]\n[1, 2, 2]\n\
         note: Bemerkung: 1 Anfang, 2 missing\n",
        "Zeit; Länge; Bemerkung",
    ),
    (
        "vernier.txt",
        "",
        "t, x, v: 3 rows\n[0, 0.05, 0.1]\n[0.01, 0.02, 0.05]\n\
         note: the table begins in line 5: 4 lines above it skipped\n",
        "t; v",
    ),
    (
        "gnuplot.dat",
        "",
        "t, U: 4 rows\n[0, 0.5, 1, 1.5]\n[1, 1.6, 2.7, 4.4]\n",
        "t; U",
    ),
    (
        "bill.csv",
        "Count, Price",
        "Count, Price: 2 rows\n[3, 4]\n[0.5, 0.75]\nnote: 1 line below the table skipped: Total 7 1,25\n",
        "Count; Price",
    ),
    (
        "spectrometer.txt",
        "as w, I",
        "w, I: 3 rows\n[339.09, 339.47, 339.86]\n[12.5, 12.9, 13.1]\n\
         note: the table begins in line 9: 8 lines above it skipped\n\
         note: 1 line below the table skipped: >>>>>End Processed Spectral Data<<<<<\n",
        "w; I",
    ),
    (
        "spectrometer.txt",
        "",
        "error: the first line of the table has numbers and no names\n\
         help: name each column, as in :data spectrometer.txt as x y, or the list of all rows, as in :data spectrometer.txt as M\n",
        "",
    ),
    (
        "arduino.csv",
        "",
        "time, ax, ay: 3 rows\n[0, 0.1, 0.2]\n[0.01, 0.02, -0.01]\n\
         note: time is in seconds since 12:30:05.000\n",
        "round(time, 6); ax",
    ),
    (
        "zoned.csv",
        "",
        "time, value: 3 rows\n[0, 3600, 5400.5]\n\
         note: time is in days since 2024-03-15T12:00:00+01:00\n",
        "round(86400time, 6)",
    ),
    (
        "slashes.csv",
        "",
        "error: slashes.csv:2:1: 03/04/2024 begins with the day or with the month\n\
         help: :data slashes.csv dmy if with the day, :data slashes.csv mdy if with the month\n",
        "",
    ),
    (
        "slashes.csv",
        "dmy",
        "day, T: 2 rows\n[0, 30]\nnote: day is in days since 2024-04-03\n",
        "day",
    ),
    (
        "slashes.csv",
        "day mdy",
        "day: 2 rows\n[0, 1]\nnote: day is in days since 2024-03-04\n",
        "day",
    ),
    (
        "rigol.csv",
        "",
        "X, CH1, CH2: 3 rows\n[0, 1, 2]\n[0.12, 0.124, 0.128]\n\
         note: column Start left out: all cells are empty; column Increment_1_000000e_06 left out: all cells are empty\n",
        "X; CH1",
    ),
    (
        "tektronix.csv",
        "as t U",
        "t, U: 16 rows\n[-0.0005, -0.0004996]\n\
         note: column 1 left out: Record Length is no number; column 2 left out: most of its cells are missing; \
         column 3 left out: all cells are empty; column 6 left out: all cells are empty\n",
        "t[1..2]",
    ),
    (
        "labview.lvm",
        "",
        "X_Value, Untitled: 3 rows\n[1.2, 1.3, 1.4]\nnote: the table begins in line 12: 10 lines above it skipped\n",
        "Untitled",
    ),
    (
        "rtable.txt",
        "",
        "column1, mpg, cyl, disp: 3 rows\n[21, 21, 22.8]\nnote: no heading is called column1\n\
         note: column1: 1 Mazda RX4, 2 Mazda RX4 Wag, 3 Datsun 710\n",
        "mpg",
    ),
    (
        "yahoo.csv",
        "Date, Volume",
        "Date, Volume: 3 rows\n[0, -1, -2]\n[121664700, 72913500, 52488700]\nnote: Date is in days since 2024-03-15\n",
        "Date; Volume",
    ),
    (
        "bank.csv",
        "Datum, Betrag",
        "Datum, Betrag: 3 rows\n[0, 1, 3]\n[1234.56, 99, -12.5]\nnote: Datum is in days since 2024-03-15\n",
        "Datum; Betrag",
    ),
    (
        "bank.csv",
        "Anteil",
        "Anteil: 2 rows\n[12.5, 80]\nnote: 1 row left out: a cell in column Anteil is missing\n",
        "Anteil",
    ),
    (
        "title.csv",
        "",
        "t, U, I: 3 rows\n[1.2, 1.3, 1.5]\nnote: the table begins in line 2: 1 line above it skipped\n",
        "U",
    ),
];

/// The bytes of a file, in the encoding in which such files come.
fn encoded(name: &str) -> Vec<u8> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/tables");
    let text = fs::read_to_string(path.join(name)).expect("the file is there");
    match name {
        "excel.csv" => {
            let lines = text.replace('\n', "\r\n");
            lines
                .chars()
                .map(|it| u8::try_from(it).expect("it is Latin"))
                .collect()
        }
        "libreoffice.tsv" => {
            let units = text.encode_utf16().flat_map(u16::to_le_bytes);
            [0xff, 0xfe].into_iter().chain(units).collect()
        }
        _ => text.into_bytes(),
    }
}

#[test]
fn files_of_instruments_and_spreadsheets_are_read() {
    for (name, words, expected, shown) in FILES {
        let folder = Folder::new();
        folder.file(name, encoded(name));
        let mut command = program(&["--keep-going"]);
        command.current_dir(&folder.0);
        let script = format!(":data {name} {words}\n{}\n", shown.replace("; ", "\n"));
        let ran = feed(command, script.as_bytes());
        let is_said = |line: &&str| {
            ["note: ", "error: ", "help: "]
                .iter()
                .any(|word| line.starts_with(word))
        };
        let notes = ran.err.lines().filter(is_said);
        let said: String = notes.fold(ran.out.clone(), |all, line| all + line + "\n");
        assert_eq!(said.replace('`', ""), *expected, "{name} {words}");
    }
}

/// What a column of words stands for is said by `:vars` and kept by `:save`, and a picture writes it at the axis.
#[test]
fn words_of_classes_are_kept() {
    let folder = Folder::new();
    folder.file("iris.csv", encoded("iris.csv"));
    let run = |script: &str| {
        let mut command = program(&["--keep-going"]);
        command.current_dir(&folder.0);
        feed(command, script.as_bytes())
    };
    let words = "species: 1 setosa, 2 versicolor, 3 virginica, 4 missing";
    let ran = run(":data iris.csv;\n:vars\n:save s.calc\n:plot petal_length over species p.svg\n");
    assert!(ran.out.contains(words), "{ran:?}");
    let saved = fs::read_to_string(folder.0.join("s.calc")).expect("it was saved");
    assert!(saved.contains(&format!("# {words}\n")), "{saved}");
    let picture = fs::read_to_string(folder.0.join("p.svg")).expect("it was drawn");
    assert!(picture.contains(words));
    assert_eq!(run(":load s.calc;\nsum(species)\n").out, "11\n");
    // The words of classes are no words among numbers.
    let rows: String = (0..10).map(|at| format!("{at},ok\n")).collect();
    folder.file("f.csv", format!("U,state\n{rows}OVLD,bad\n"));
    let ran = run(":data f.csv\n");
    assert!(ran.err.contains("1 row left out: OVLD in U\n"), "{ran:?}");
    // Numbers that are spoilt, and words of which there are many, are no classes.
    let many: String = (0..51).map(|at| format!("w{at},{at}\n")).collect();
    for (table, kept) in [
        ("word,x\na,1\nb,2\n".to_owned(), true),
        ("word,x\n5 V,1\n6 V,2\n".to_owned(), false),
        (format!("word,x\n{many}"), false),
    ] {
        folder.file("f.csv", &table);
        let out = run(":data f.csv\n").out;
        assert_eq!(out.starts_with("word, x"), kept, "{out}");
    }
}

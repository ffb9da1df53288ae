//! Data: `:data` with real files, and the networks and fits that are trained on them. The figures of micrograd's demo
//! are those that micrograd prints.
#![cfg(unix)]

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::common::process::{Folder, Ran, feed, program};

/// Runs a script in a folder with these files.
fn run_with(files: &[(&str, &[u8])], arguments: &[&str], script: &str) -> Ran {
    let folder = Folder::new();
    for (name, bytes) in files {
        folder.file(name, bytes);
    }
    run_in(&folder, arguments, script)
}

fn run_in(folder: &Folder, arguments: &[&str], script: &str) -> Ran {
    let mut command = program(arguments);
    command.current_dir(&folder.0);
    feed(command, script.as_bytes())
}

/// The answers and the errors to a script that goes on after failures.
fn said(files: &[(&str, &[u8])], script: &str) -> String {
    let ran = run_with(files, &["--keep-going"], script);
    ran.out + &ran.err
}

/// The objects that a run printed.
fn objects(ran: &Ran) -> Vec<Value> {
    let object = |line: &str| serde_json::from_str(line).expect("answers are JSON");
    ran.out.lines().map(object).collect()
}

#[test]
fn files_of_every_kind_are_read() {
    for (text, script, expected) in [
        ("x,y\n1,2\n3,4\n", "x; y", "x, y: 2 rows\n[1, 3]\n[2, 4]\n"),
        ("x,y\r\n1,2\r\n3,4", "y", "x, y: 2 rows\n[2, 4]\n"),
        ("x,y\r1,2\r3,4\r", "y", "x, y: 2 rows\n[2, 4]\n"),
        (
            "\u{feff}x;y\n1,5;-2\n3;4,25e1\n",
            "x; y",
            "x, y: 2 rows\n[1.5, 3]\n[-2, 42.5]\n",
        ),
        (
            "x\ty\n1.5\t 2\n-.5\t+4.\n",
            "x; y",
            "x, y: 2 rows\n[1.5, -0.5]\n[2, 4]\n",
        ),
        (
            "\"x\", \"y\"\n\"1\", \"2\"\n3, 4 \n",
            "y",
            "x, y: 2 rows\n[2, 4]\n",
        ),
        (
            "# from 1993\n\nx, y\n\n  \n1, 2\n# and\n3, 4\n\n",
            "y",
            "x, y: 2 rows\n[2, 4]\n",
        ),
        ("x y\n1,5 2,5\n", "y", "x, y: 1 row\n[2.5]\n"),
        ("sep=|\nx|y\n1|2\n", "y", "x, y: 1 row\n[2]\n"),
        ("x,y\n(s),V\n1,2\n", "y", "x, y: 1 row\n[2]\n"),
        ("s,V\n1,2\n", "V", "s, V: 1 row\n[2]\n"),
        ("x\n1\n2\n", "x", "x: 2 rows\n[1, 2]\n"),
        ("x\n1\n", "x", "x: 1 row\n[1]\n"),
        ("x\ninf\n-inf\n", "1/x", "x: 2 rows\n[0, -0]\n"),
        ("Größe\n−2\n", "Größe", "Größe: 1 row\n[-2]\n"),
    ] {
        let ran = run_with(
            &[("f.csv", text.as_bytes())],
            &[],
            &format!(":data f.csv\n{}\n", script.replace("; ", "\n")),
        );
        assert_eq!((ran.status, &*ran.err), (Some(0), ""), "{text:?}");
        assert_eq!(ran.out, expected, "{text:?}");
    }
}

/// A table of Greek letters, in each encoding that programs write.
#[test]
fn texts_of_several_encodings_are_read() {
    let text = "Länge µm;y\r\n1;2\r\n";
    let units = || text.encode_utf16();
    let low: Vec<u8> = [0xff, 0xfe]
        .into_iter()
        .chain(units().flat_map(u16::to_le_bytes))
        .collect();
    let high: Vec<u8> = [0xfe, 0xff]
        .into_iter()
        .chain(units().flat_map(u16::to_be_bytes))
        .collect();
    let latin: Vec<u8> = text.chars().map(|it| it as u8).collect();
    let guess = "note: f.csv is not in UTF-8 and was read as Windows-1252: line 1 has ä\n";
    for (bytes, note) in [
        (text.as_bytes(), ""),
        (&low, ""),
        (&high, ""),
        (&latin, guess),
    ] {
        let ran = run_with(&[("f.csv", bytes)], &[], ":data f.csv\nLänge_µm\n");
        assert_eq!(ran.out, "Länge_µm, y: 1 row\n[1]\n", "{}", ran.err);
        assert_eq!(ran.err.contains("UTF-8"), !note.is_empty());
        assert!(ran.err.contains(note), "{}", ran.err);
    }
}

/// Axes are called as the columns are in the file.
#[test]
fn axes_have_the_headings_of_columns() {
    let table: &[(&str, &[u8])] = &[("f.csv", "t [s],v [m/s],n\n1,2,1\n2,5,1\n3,6,2\n".as_bytes())];
    let told = |script: &str| {
        let ran = run_with(
            table,
            &["--json", "--keep-going"],
            &format!(":data f.csv as t v n\n{script}\n"),
        );
        let last = ran.out.lines().last().expect("it answers").to_owned();
        let answer: serde_json::Value = serde_json::from_str(&last).expect("it is JSON");
        let label = |key: &str| answer[key].as_str().unwrap_or_default().to_owned();
        (label("across"), label("upwards"))
    };
    for (script, across, up) in [
        (":plot v over t", "t [s]", "v [m/s]"),
        (":plot n over t", "t [s]", ""),
        (":plot v, n over t", "t [s]", ""),
        (":plot 2v over t/60", "t/60", ""),
        (":plot v", "item", "v [m/s]"),
        ("w = v; t = [7, 8, 9]\n:plot w over t", "t", "v [m/s]"),
        ("v = [1, 2, 3]\n:undo\n:plot v over t", "t [s]", "v [m/s]"),
    ] {
        assert_eq!(told(script), (across.to_owned(), up.to_owned()), "{script}");
    }
    let ran = run_with(table, &[], ":data f.csv\n:plot v over t size 40x8\n");
    assert!(
        ran.out.contains("v [m/s]\n") && ran.out.contains("t [s]\n"),
        "{}",
        ran.out
    );
}

/// Five files as instruments and spreadsheets write them.
#[test]
fn files_of_instruments_are_read() {
    let oscilloscope = "\
# Oscilloscope DS1054Z, 2024-03-01
# Timebase: 1 ms

Time (s),CH1 (V),CH2 (V),
-0.002,0.012,1.204,
-0.001,0.015,1.207,
0.000,0.011,,
0.001,0.013,1.199,
";
    let spectrometer = "\
  Wavelength [nm]   Intensity [counts]
  400.10   1.25e+03
  400.60      1302
 401.1\t  nan
";
    let spreadsheet = "\
Probe;Datum;Masse [g];Bemerkung\r
A1;1.3.2024;12,5;\r
A2;2.3.2024;;neu\r
A3;4.3.2024 12:00;13,25;\"rot; klein\"\r
";
    let station = "\
\"date\",\"T [°C]\",\"station\"
\"2024-02-28T18:00:00Z\",\"3.5\",\"KA\"
\"2024-02-29T18:00:00Z\",\"4.25\",\"KA\"
\"2024-03-02T06:00:00Z\",\"-1\",\"KA\"
";
    let lab = "t [s],U [V],sigma\n0,1.02,0.05\n1,2.05,0.05\n2,2.93,0.05\n";
    let files = [
        ("oscilloscope.csv", oscilloscope.as_bytes()),
        ("spectrometer.txt", spectrometer.as_bytes()),
        ("spreadsheet.csv", spreadsheet.as_bytes()),
        ("station.csv", station.as_bytes()),
        ("lab.csv", lab.as_bytes()),
    ];
    for (script, out, notes) in [
        (
            ":data oscilloscope.csv\nTime\nCH2\n",
            "Time, CH1, CH2: 3 rows\n[-0.002, -0.001, 0.001]\n[1.204, 1.207, 1.199]\n",
            &[
                "note: column column4 left out: all cells are empty",
                "note: 1 row left out: a cell in column CH2 is missing; :data oscilloscope.csv Time, CH1 keeps them",
            ][..],
        ),
        // Only the columns that are used count.
        (
            ":data oscilloscope.csv Time, CH1 as t, U\nt\n",
            "t, U: 4 rows\n[-0.002, -0.001, 0, 0.001]\n",
            &[],
        ),
        (
            ":data spectrometer.txt\nWavelength\nIntensity\n",
            "Wavelength, Intensity: 2 rows\n[400.1, 400.6]\n[1250, 1302]\n",
            &[
                "note: 1 row left out: a cell in column Intensity is missing; :data spectrometer.txt Wavelength keeps them",
            ],
        ),
        (
            ":data spreadsheet.csv\nDatum\nBemerkung\n",
            "Probe, Datum, Masse, Bemerkung: 2 rows\n[0, 3.5]\n[3, 2]\n",
            &[
                "note: Probe: 1 A1, 2 A2, 3 A3",
                "note: Datum is in days since 2024-03-01",
                "note: Bemerkung: 1 neu, 2 rot; klein, 3 missing",
                "note: 1 row left out: a cell in column Masse is missing; :data spreadsheet.csv Probe, Datum, Bemerkung keeps them",
            ],
        ),
        (
            ":data spreadsheet.csv Datum\nDatum\n",
            "Datum: 3 rows\n[0, 1, 3.5]\n",
            &["note: Datum is in days since 2024-03-01"],
        ),
        (
            ":data station.csv date, T\ndate\nT\n",
            "date, T: 3 rows\n[0, 1, 2.5]\n[3.5, 4.25, -1]\n",
            &["note: date is in days since 2024-02-28T18:00:00Z"],
        ),
        (
            ":data lab.csv\nt\nU\nsigma\n",
            "t, U, sigma: 3 rows\n[0, 1, 2]\n[1.02, 2.05, 2.93]\n[0.05, 0.05, 0.05]\n",
            &[],
        ),
        // By the heading or by the name, in any order.
        (
            ":data lab.csv U t as V\nV\n",
            "V: 3 rows\n[[1.02, 0], [2.05, 1], [2.93, 2]]\n",
            &[],
        ),
    ] {
        let ran = run_with(&files, &[], script);
        assert_eq!(
            (ran.status, &*ran.out),
            (Some(0), out),
            "{script}{}",
            ran.err
        );
        let told: Vec<&str> = ran
            .err
            .lines()
            .filter(|line| line.starts_with("note: ") && !line.contains(" is called "))
            .collect();
        assert_eq!(told, notes, "{script}");
    }
    let axes = |script: &str| {
        let ran = run_with(&files, &["--json"], script);
        let last = objects(&ran).pop().expect("it answers");
        [&last["across"], &last["upwards"]].map(|it| it.as_str().unwrap_or_default().to_owned())
    };
    assert_eq!(
        axes(":data station.csv\n:plot T over date"),
        ["date [d]", "T [°C]"]
    );
    assert_eq!(
        axes(":data spreadsheet.csv Datum, Masse as d, m\n:plot m over d"),
        ["Datum [d]", "Masse [g]"]
    );
    assert_eq!(
        axes(":data lab.csv t, U as T, V\n:plot V over T"),
        ["t [s]", "U [V]"]
    );
}

/// The six lines of the manual, with the file that it shows. The package `uncertainties`, with scipy's `curve_fit`, has
/// C = 0.00098928218924 ± 0.000012514382, and RC*ln(U0/5) = 6.9232567137 ± 0.0430637329.
#[test]
fn six_lines_lead_from_a_file_to_a_picture_and_results() {
    let page = include_str!("../docs/your_data.md");
    let block = |begin: &str| {
        let (_, rest) = page.split_once(begin).expect("the manual has it");
        rest.split_once("\n```").expect("it ends").0
    };
    let csv = block("```csv\n");
    let session = block("is left:\n\n```\n");
    let typed: Vec<&str> = session
        .lines()
        .filter_map(|line| line.strip_prefix("∂> "))
        .collect();
    assert_eq!(typed.len(), 6);
    let folder = Folder::new();
    folder.file("discharge.csv", csv);
    let ran = run_in(&folder, &["--json"], &(typed.join("\n") + "\n"));
    assert_eq!(ran.status, Some(0), "{}", ran.err);
    let found = objects(&ran);
    let c = &found[3]["bindings"][0];
    let near = |key: &str, want: f64| {
        let got = c[key].as_f64().expect("a number");
        assert!((got / want - 1.0).abs() < 1e-7, "{key}: {got}");
    };
    near("data", 0.000_989_282_189_244_281_9);
    near("sigma", 1.251_438_207_777_607_5e-05);
    let half = &found[5]["rows"][0];
    for (key, want) in [
        ("after", 6.923_256_713_746_231),
        ("sigma", 0.043_063_732_855_038_06),
    ] {
        let got = half[key].as_f64().expect("a number");
        assert!((got / want - 1.0).abs() < 1e-7, "{key}: {got}");
    }
    let picture = fs::read_to_string(folder.0.join("discharge.svg")).expect("it was drawn");
    assert!(picture.contains("t [s]") && picture.contains("U [V]"));
    // What the manual shows.
    let shown = run_in(&folder, &[], &(typed.join("\n") + "\n")).out;
    for line in [
        "t, U, sigma: 8 rows",
        "R = 10000 ± 100",
        "C = 0.000989 ± 0.000013",
        "  half        1   6.923   0.043",
    ] {
        assert!(shown.contains(line) && session.contains(line), "{shown}");
    }
}

/// What numpy's `savetxt` writes, and what gnuplot reads: names stand in a comment, if anywhere.
#[test]
fn blanks_separate_cells() {
    for (text, script, expected) in [
        (
            "# t U\n0.0 1.0\n1.0e+00 2.5\n",
            "U",
            "t, U: 2 rows\n[1, 2.5]\n",
        ),
        (
            "# made by hand\n#\n# t U [V]\n 0   1\n\n 1  2.5  \n",
            "U",
            "t, U: 2 rows\n[1, 2.5]\n",
        ),
        ("# t,U\n0,1\n1,2.5\n", "U", "t, U: 2 rows\n[1, 2.5]\n"),
        ("\"t in s\" U\n0 1\n", "t_in_s", "t_in_s, U: 1 row\n[0]\n"),
        (
            "length of rod\n3\n4\n",
            "length_of_rod",
            "length_of_rod: 2 rows\n[3, 4]\n",
        ),
        ("t U\n0 1\n1 nan\n", "t", "t, U: 1 row\n[0]\n"),
    ] {
        let ran = run_with(
            &[("f.txt", text.as_bytes())],
            &[],
            &format!(":data f.txt\n{script}\n"),
        );
        assert_eq!(ran.out, expected, "{text:?} {}", ran.err);
    }
    let bare: &[(&str, &[u8])] = &[("f.dat", b"# 21 points from 1993\n0 1\n1 2\n")];
    let told = said(bare, ":data \"f.dat\" as t U\nU\n:data \"f.dat\"\n");
    assert!(told.starts_with("t, U: 2 rows\n[1, 2]\n"), "{told}");
    assert!(told.contains("numbers and no names"), "{told}");
}

#[test]
fn columns_are_asked_for_by_name() {
    let files: &[(&str, &[u8])] = &[
        ("f.csv", b"t (s),U [V],who\n0,1,me\n1,3,me\n2,5,me\n"),
        ("under.csv", b"t_s,U\n0,1\n1,3\n2,5\n"),
        ("bad.csv", b"t,U\n0,1\n1,x\n"),
        ("bare.csv", b"0,1\n"),
        ("text.csv", b"n,p,a\n1,10mV,3\n"),
        ("percent.csv", b"p\n10mV\n"),
        ("heading.csv", b"\"Height, m\",m\n1,2\n"),
    ];
    for (line, message, help) in [
        (
            ":data under.csv t, U",
            "no column is called `t`",
            "did you mean `t_s`?",
        ),
        (
            ":data f.csv t_s, U",
            "no column is called `t_s`",
            "did you mean `t`?",
        ),
        (
            ":data f.csv t, W",
            "no column is called `W`",
            "there are `t`, `U`, `who`",
        ),
        (":data f.csv who", "", ""),
        (":data f.csv as t U", "", ""),
        (
            ":data text.csv p",
            "`p` has no numbers",
            "`10mV` is no number",
        ),
        (
            ":data percent.csv",
            "`percent.csv` has no column of numbers",
            "column p left out: `10mV` is no number",
        ),
        (
            ":data text.csv as n p a",
            "the table has 2 columns, and 3 names are given",
            "column p left out: `10mV` is no number; name each column, as in `:data text.csv as x y`, or the list of all rows, as in `:data text.csv as M`",
        ),
        (
            ":data heading.csv \"Height, m\"",
            "`\"Height, m\"` cannot be the name of a column",
            "without quotes, it is called `Height_m`",
        ),
        (":data heading.csv Height_m", "", ""),
        (
            ":data heading.csv \"other.csv\"",
            "`:data` takes one file at a time",
            "",
        ),
        (
            ":data f.csv U, U",
            "`U` is given twice",
            "each column needs a name of its own",
        ),
        (":data f.csv t, U as t", "", ""),
        (
            ":data f.csv t as t, U",
            "the table has 1 column, and 2 names are given",
            "",
        ),
        (":data bad.csv t", "", ""),
        (
            ":data bad.csv t, U",
            "`bad.csv:3:2`: `x` is not a number",
            "",
        ),
        (
            ":data bare.csv t",
            "no column is called `t`",
            "without a header, name all columns: `:data FILE as x y`",
        ),
        // The name of a leaf may be near to that of a column; only a fit that fails tells of it.
        (
            ":data under.csv; :fit U ~ a + b*t",
            "the data do not tell `a`, `t` apart where the search ended, at a = 0, b = 3, t = 1",
            "leave one of them out, fix one with `:freeze` or `const`, or `:set` another start; the fit does not use `t_s`",
        ),
        (":data under.csv; t = 1; :fit U ~ t + b*t_s", "", ""),
        (":data f.csv as tim, U; :fit U ~ tim0", "", ""),
        (":data under.csv; :fit U ~ U0 + b*t_s", "", ""),
    ] {
        let ran = run_with(files, &["--json", "--keep-going"], &format!("{line}\n"));
        let last = objects(&ran).pop().expect("it answers");
        let text = |key: &str| last[key].as_str().unwrap_or_default().to_owned();
        assert_eq!(text("message"), message, "{line}");
        assert!(
            help.is_empty() || text("help") == help,
            "{line}: {}",
            text("help")
        );
    }
}

#[test]
fn names_are_given_by_as_and_one_name_takes_the_rows() {
    let table: &[(&str, &[u8])] = &[
        ("bare.csv", b"1,2\n3,4\n5,6\n"),
        ("head.csv", b"x,y\n1,2\n3,4\n5,6\n"),
        ("one.csv", b"1\n2\n"),
        ("row.csv", b"1,2,3\n"),
    ];
    for (script, expected) in [
        (":data bare.csv as a b", "a, b: 3 rows\n"),
        (":data bare.csv as a, b\nb", "a, b: 3 rows\n[2, 4, 6]\n"),
        (":data head.csv as a b\na", "a, b: 3 rows\n[1, 3, 5]\n"),
        (":data head.csv as M\nM[2][1]", "M: 3 rows\n3\n"),
        (
            ":data bare.csv as M\nlen(M)\nsum(flat(M))",
            "M: 3 rows\n3\n21\n",
        ),
        (":data one.csv as v\nv", "v: 2 rows\n[1, 2]\n"),
        (
            ":data row.csv as M\nlen(M)\nM[1]",
            "M: 1 row\n1\n[1, 2, 3]\n",
        ),
        (":data row.csv as a b c\nb", "a, b, c: 1 row\n[2]\n"),
    ] {
        assert_eq!(said(table, &format!("{script}\n")), expected, "{script}");
    }
}

#[test]
fn names_of_a_header_are_cleaned_and_told() {
    let table: &[u8] = b"length (mm),x,x,,ans\n1,2,3,4,5\n";
    let told = said(&[("f.csv", table)], ":data f.csv\nx2 + column4 + _ans\n");
    assert!(
        told.starts_with("length, x, x2, column4, _ans: 1 row\n[12]\n"),
        "{told}"
    );
    let told = told.split_whitespace().collect::<Vec<_>>().join(" ");
    let note = "note: x is called x2, no heading is called column4 \
                and ans is called _ans";
    assert!(told.contains(note), "{told}");
}

#[test]
fn what_is_no_table_of_numbers_is_refused_with_its_place() {
    let word: String = (1..=20).fold("x,y\n".to_string(), |mut text, at| {
        let cell = if at >= 16 { "over" } else { "1.5" };
        let _ = writeln!(text, "{at},{cell}");
        text
    });
    for (text, message) in [
        (word.as_bytes(), "`f.csv:17:2`: `over` is not a number"),
        (
            b"x,y\n1,2\n\n# c\n 3 , b c \n",
            "`f.csv:5:2`: `b c` is not a number",
        ),
        (
            b"x,y\n1,2\n3\n",
            "`f.csv:3`: this row has 1 cell, the first line has 2",
        ),
        (
            b"x,y\n1,2\n3,4,5\n",
            "`f.csv:3`: this row has 3 cells, the first line has 2",
        ),
        (
            b"x\n1,5\n",
            "`f.csv:2`: this row has 2 cells, the first line has 1",
        ),
        (
            b"x,y\n1,\nnan,2\n",
            "every row of `f.csv` has a missing cell",
        ),
        (
            b"x,y\na,2024-01-01\nb,c\n",
            "`f.csv:3:2`: `c` is no date as those above it",
        ),
        (b"x,y\na,b\n", "`f.csv` has no column of numbers"),
        (
            b"x,y\n1,1e999\n",
            "`f.csv:2:2`: `1e999` is too large for a number",
        ),
        (
            b"x\ty\n0,234\t1.5\n",
            "`f.csv:2:2`: `1.5` has another decimal mark than other numbers of the file",
        ),
        (
            b"x;y\n1,5;1.00\n",
            "`f.csv:2:2`: `1.00` has another decimal mark than other numbers of the file",
        ),
        // A workbook, and UTF-16 without its mark.
        (b"PK\x03\x04\xff", "`f.csv` is not a file of text"),
        (b"x\0\n\x001\0\n\0", "`f.csv` is not a file of text"),
        (b"x\r1\rb\r", "`f.csv:3:1`: `b` is not a number"),
        (
            b"1,x\n2,3\n",
            "the first line of the table has numbers and no names",
        ),
        (
            b"1,2\n2,3\n",
            "the first line of the table has numbers and no names",
        ),
        (b"", "`f.csv` is empty"),
        (b"\xef\xbb\xbf\r\n", "`f.csv` is empty"),
        (b"# c\n", "`f.csv` has no numbers"),
        (b"x,y\n", "`f.csv` has a header, and no numbers below it"),
    ] {
        let told = said(&[("f.csv", text)], "x = 7;\n:data f.csv\nx\n:log\n");
        let expected =
            format!("7\n  undo   1   x = 7\nerror: {message}\n --> -:2:7\n2 | :data f.csv\n");
        assert!(told.starts_with(&expected), "{told}\nnot {expected}");
    }
}

/// A row that has no numbers is a row, and no header, where cells are missing or say that a number is out of range.
#[test]
fn a_header_has_a_name_for_each_column() {
    let classes = "Instrument,X200\nSerial,12345\n\ntemp,U\na,22632\nb,22640\nb,22650\n";
    for (text, line, told) in [
        (
            "species,mass\nAdelie,NA\nAdelie,3750\nGentoo,3800\n",
            "mass",
            "species, mass: 2 rows\n[3750, 3800]\n",
        ),
        ("t\nNA\n1\n2\n", "t", "t: 2 rows\n[1, 2]\n"),
        ("a,b\n-,-\n1,2\n", "b", "a, b: 1 row\n[2]\n"),
        (
            "y\nover\n1\n2\n",
            "1",
            "error: `f.csv:2:1`: `over` is not a number",
        ),
        (
            "value\n<0.01\n0.5\n0.7\n",
            "1",
            "error: `f.csv:2:1`: `<0.01` is not a number",
        ),
        ("U,I,r\nV,A,-\n1,2,3\n", "r", "U, I, r: 1 row\n[3]\n"),
        (
            "| U | I |\n| --- | --- |\n| 1 | 2 |\n| 3 | 4 |\n",
            "I",
            "U, I: 2 rows\n[2, 4]\n",
        ),
        (
            classes,
            "temp; U",
            "temp, U: 3 rows\n[1, 2, 2]\n[22632, 22640, 22650]\n",
        ),
    ] {
        let endings = [text.to_owned(), text.replace('\n', "\r\n")];
        for text in endings {
            let script = format!(":data f.csv\n{}\n", line.replace("; ", "\n"));
            let said = said(&[("f.csv", text.as_bytes())], &script);
            assert!(said.contains(told), "{text}{said}");
        }
    }
}

/// What a file proves of its separators holds in whatever row it stands.
#[test]
fn rows_may_stand_in_any_order() {
    for rows in [
        "890;197,5\n79.512;10.014,82\n",
        "79.512;10.014,82\n890;197,5\n",
    ] {
        let text = format!("a;U\n{rows}");
        let said = said(
            &[("f.csv", text.as_bytes())],
            ":data f.csv\nsum(a)\nsum(U)\n",
        );
        assert!(
            said.starts_with("a, U: 2 rows\n80402\n10212.32\n"),
            "{said}"
        );
    }
    let text = b"Umsatz;Preis\n1.234;3,50\n12.345;3,70\n";
    let said = said(&[("f.csv", text)], ":data f.csv\nUmsatz\nPreis\n");
    let told = "Umsatz, Preis: 2 rows\n[1234, 12345]\n[3.5, 3.7]\n";
    assert!(said.starts_with(told), "{said}");
    let note = "note: 1.234 has no decimals: its point groups digits";
    assert!(said.contains(note), "{said}");
}

/// Few words are told and left out with their rows, and what means that there is no value is missing.
#[test]
fn words_among_numbers_are_left_out() {
    let mut text = "t,U,V\n".to_owned();
    for at in 1_usize..=30 {
        let voltage = ["OVLD", "OL", "OVLD", "-", "#DIV/0!", "NA", "null"];
        let _ = writeln!(
            text,
            "{at},{},{at}",
            voltage.get(at.wrapping_sub(10)).unwrap_or(&"1.5")
        );
    }
    text = text.replace(",20\n", ",err\n").replace("\n30,", "\n#N/A,");
    for (line, told) in [
        (
            ":data f.csv",
            "t, U, V: 21 rows\nnote: 4 rows left out: OVLD in U, OL in U and err in V\nnote: 5 rows left out: a cell in \
             column t, U is missing; :data f.csv V keeps them\n",
        ),
        (
            ":data f.csv V U",
            "V, U: 22 rows\nnote: 4 rows left out: err in V, OVLD in U and OL in U\nnote: 4 rows left out",
        ),
        (
            ":data f.csv t",
            "t: 29 rows\nnote: 1 row left out: a cell in column t is missing\n",
        ),
    ] {
        let said = said(&[("f.csv", text.as_bytes())], &format!("{line}\n"));
        let is_said = |line: &&str| !line.starts_with([' ', '1']);
        let found: Vec<&str> = said.lines().filter(is_said).collect();
        let found = found.join("\n") + "\n";
        assert!(found.starts_with(told), "{said}");
    }
}

/// A sum below a table is no row of it, and nothing that instruments write below is.
#[test]
fn what_stands_below_a_table_is_skipped() {
    for (text, told) in [
        (
            "x;y\na;1\nb;2\nTotal;3\n",
            "note: 1 line below the table skipped: Total 3",
        ),
        (
            "x;y\n1;1\n2;2\n;3\nMean:;2\nSource: NOAA\n",
            "note: 2 lines below the table skipped: Mean: 2",
        ),
        (
            "x;y\n1;1\nTotal;1\n2;2\n",
            "error: `f.csv:3:1`: `Total` is not a number",
        ),
        (
            "x;y\n1;1\nend\n2;2\n",
            "error: `f.csv:3`: this row has 1 cell, the first line has 2",
        ),
        (
            "x;y\n1;1\n2\n",
            "error: `f.csv:3`: this row has 1 cell, the first line has 2",
        ),
    ] {
        let said = said(&[("f.csv", text.as_bytes())], ":data f.csv\nsum(y)\n");
        assert!(said.contains(told), "{said}");
        assert_eq!(
            said.starts_with("error"),
            told.starts_with("error"),
            "{said}"
        );
    }
}

#[test]
fn what_cannot_be_read_or_named_is_refused() {
    let folder = Folder::new();
    folder.file("f.csv", "1,2,3\n");
    fs::create_dir(folder.0.join("d.csv")).expect("a folder in it");
    for (line, message, help) in [
        (":data nowhere.csv", "there is no file `nowhere.csv`", ""),
        (
            ":data d.csv",
            "`d.csv` is a folder, a table was expected",
            "name a file in it",
        ),
        (
            ":data /dev/null",
            "`/dev/null` cannot be read: it is a device or a pipe, not a file",
            "",
        ),
        (
            ":data",
            "`:data` needs `FILE`",
            "usage: `:data FILE [dmy] [mdy] [COLUMN…] [as NAME…]`; `:help data` has an example",
        ),
        (
            ":data f.csv",
            "the first line of the table has numbers and no names",
            "name each column, as in `:data f.csv as x1 x2 x3`, or the list of all rows, as in `:data f.csv as M`",
        ),
        (
            ":data f.csv as a b",
            "the table has 3 columns, and 2 names are given",
            "name each column, as in `:data f.csv as x1 x2 x3`, or the list of all rows, as in `:data f.csv as M`",
        ),
        (
            ":data f.csv as a b a",
            "`a` is given twice",
            "each column needs a name of its own",
        ),
        (
            ":data f.csv as 2a",
            "`2a` cannot be the name of a column",
            "letters, digits and `_`, no digit first; `ans` and `_` are the last result",
        ),
        (
            ":data f.csv as ans",
            "`ans` cannot be the name of a column",
            "letters, digits and `_`, no digit first; `ans` and `_` are the last result",
        ),
        (
            ":data /dev/stdin as x",
            "the statements are read from `/dev/stdin`, so no data can come from there",
            "put the statements into a file, and run `chainrule FILE.calc < DATA.csv`",
        ),
    ] {
        let ran = run_in(
            &folder,
            &["--json", "--keep-going"],
            &format!("{line}\n1 + 1\n"),
        );
        let objects = objects(&ran);
        let text = |key: &str| objects[0][key].as_str().unwrap_or_default().to_string();
        assert_eq!(
            (text("message"), text("help")),
            (message.into(), help.into()),
            "{line}"
        );
        assert_eq!(
            (objects[1]["data"].as_f64(), ran.status),
            (Some(2.0), Some(1)),
            "{line}"
        );
    }
}

#[test]
fn it_is_one_change_and_leaves_notes_about_what_was_rebound() {
    let files: &[(&str, &[u8])] = &[("f.csv", b"x,y\n1,2\n3,4\n"), ("g.csv", b"x\n5\n6\n7\n")];
    let told = said(
        files,
        ":data f.csv;\ns = sum(x*y)\n:data g.csv\ns\nsum(x)\nx@1\n:log\n:undo\nsum(x)\n:undo 2\n:vars\n:redo 3\nx\n",
    );
    let expected = "\
s = 14
x: 3 rows
14
18
[1, 3]
  undo   3   :data f.csv
  undo   2   s = sum(x*y)
  undo   1   :data g.csv
undone: :data g.csv
4
undone: s = sum(x*y)
undone: :data f.csv
no names yet: a = 2 makes one
";
    assert!(told.starts_with(expected), "{told}");
    assert!(told.contains("[5, 6, 7]\n"), "{told}");
    assert!(told.contains("note: s still uses the old x"), "{told}");
}

#[test]
fn the_leaves_are_frozen_and_their_items_are_nodes() {
    let told = said(
        &[("f.csv", b"x,y\n1,2\n2,4\n")],
        ":data f.csv\nw = 1\nL = mean((w*x - y)^2)\n:step 0.1 of L;\nw\nx\n:set y[2] 10;\ny\n:thaw x\n:grad L wrt x[1]\n",
    );
    assert!(
        told.contains("x, y: 2 rows\nw = 1\nL = 2.5\n1.5\n[1, 2]\n[2, 10]\nfree: "),
        "{told}"
    );
}

#[test]
fn json_tells_path_names_and_rows() {
    let ran = run_with(
        &[("a b.csv", b"x,y\n1,2\n")],
        &["--json"],
        ":data 'a b.csv'\n",
    );
    assert_eq!(
        ran.out,
        "{\"kind\":\"data\",\"file\":\"-\",\"line\":1,\"path\":\"a b.csv\",\"names\":[\"x\",\"y\"],\"rows\":1,\"notes\":[]}\n"
    );
}

#[test]
fn what_is_saved_needs_no_file() {
    let folder = Folder::new();
    folder.file("f.csv", "x,y\n0.1,2e-300\n-3,1e22\n");
    let asked = "x\ny\nsum(x*y)\n";
    let before = run_in(
        &folder,
        &["--json"],
        &format!(":data f.csv;\n:save s.calc;\n{asked}"),
    );
    fs::remove_file(folder.0.join("f.csv")).expect("it was there");
    let after = run_in(&folder, &["--json"], &format!(":load s.calc;\n\n{asked}"));
    assert_eq!(
        (before.status, after.status),
        (Some(0), Some(0)),
        "{after:?}"
    );
    assert_eq!(before.out, after.out);
    let saved = fs::read_to_string(folder.0.join("s.calc")).expect("it was saved");
    assert!(saved.contains("const x = [0.1, -3]"), "{saved}");
}

#[test]
fn paths_begin_at_the_folder_of_the_script() {
    let folder = Folder::new();
    fs::create_dir(folder.0.join("sub")).expect("a folder in it");
    folder.file("sub/f.csv", "x\n1\n2\n");
    folder.file("sub/s.calc", ":data f.csv\n");
    folder.file("main.calc", ":load sub/s.calc\nsum(x)\n:undo\n:vars\n");
    let ran = run_in(&folder, &["main.calc"], "");
    assert_eq!(
        ran.out,
        "x: 2 rows\nloaded sub/s.calc: 1 statement\n3\nundone: :load sub/s.calc\nno names yet: a = 2 makes one\n",
        "{}",
        ran.err
    );
    // From here there is no such file, and what was loaded before it failed is taken back.
    folder.file("lost.calc", "a = 1;\n:data f.csv\n");
    let ran = run_in(&folder, &["--keep-going"], ":load lost.calc\n:vars\n");
    assert_eq!(ran.out, "no names yet: a = 2 makes one\n");
    assert!(ran.err.contains("there is no file `f.csv`"), "{}", ran.err);
    assert!(
        ran.err
            .contains("help: a path in a file begins at the folder of the file"),
        "{}",
        ran.err
    );
}

#[test]
fn a_script_reads_what_is_piped_in() {
    let folder = Folder::new();
    folder.file("s.calc", ":data /dev/stdin as x\nsum(x)\n");
    let ran = run_in(&folder, &["s.calc"], "1\n2\n39\n");
    assert_eq!(
        (ran.status, &*ran.out),
        (Some(0), "x: 3 rows\n42\n"),
        "{}",
        ran.err
    );
    let ran = run_in(&folder, &["-e", ":data /dev/stdin", "-e", "x"], "x\n1\n");
    assert_eq!(ran.out, "x: 1 row\n[1]\n", "{}", ran.err);
    let ran = run_in(&folder, &["s.calc"], "");
    assert!(ran.err.contains("`/dev/stdin` is empty"), "{}", ran.err);
    for arguments in [&["s.calc", "-"][..], &["/dev/stdin"]] {
        let ran = run_in(&folder, arguments, ":data /dev/stdin as x\n");
        assert!(
            ran.err.contains("no data can come from there"),
            "{arguments:?} {}",
            ran.err
        );
    }
}

/// Three columns of a million rows; no answer has a row for each leaf.
#[test]
fn a_million_rows() {
    let mut text = String::from("a,b,c\n");
    let mut state = 1_u64;
    for at in 0..1_000_000 {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        let _ = writeln!(
            text,
            "{at},{},{}",
            state as f64 / 1e19,
            (state >> 32) as f64 * -1e-5
        );
    }
    let ran = run_with(
        &[("f.csv", text.as_bytes())],
        &[],
        ":data f.csv\nsum(a)\n:undo\n:redo\n",
    );
    assert_eq!(
        ran.out, "a, b, c: 1000000 rows\n499999500000\nundone: :data f.csv\nredone: :data f.csv\n",
        "{}",
        ran.err
    );
}

/// The text of an example.
fn example(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("examples")
        .join(name);
    fs::read_to_string(path).expect("the example is there")
}

fn close(found: f64, expected: f64) -> bool {
    (found - expected).abs() <= 1e-12 * expected.abs()
}

/// All losses and accuracies of the moons, and that both ways to write the steps are the same.
#[test]
fn the_moons_are_those_of_micrograd() {
    let recorded = include_str!("reference/moons.csv");
    let rows = recorded
        .lines()
        .filter(|line| line.starts_with(|c: char| c.is_ascii_digit()));
    let expected: Vec<[f64; 3]> = rows
        .map(|row| {
            let mut cells = row.split(',').map(|cell| cell.parse().expect("a number"));
            [(); 3].map(|()| cells.next().expect("three cells"))
        })
        .collect();
    assert_eq!(expected.len(), 100);

    let script = example("moons.calc");
    let folder = Folder::new();
    folder.file("moons.csv", example("moons.csv"));
    let objects_of = |script: &str| {
        let ran = run_in(&folder, &["--json"], script);
        assert_eq!(
            ran.status,
            Some(0),
            "{} {}",
            ran.out.lines().last().unwrap_or_default(),
            ran.err
        );
        objects(&ran)
    };
    let all = objects_of(&script);
    let step = all
        .iter()
        .find(|object| object["kind"] == "step")
        .expect("there are steps");
    let losses = step["values"].as_array().expect("the losses");
    let (before, _) = script.split_once(":step").expect("the example has steps");
    let single: String = (0..100).fold(before.to_string(), |mut script, k| {
        let _ = writeln!(script, "loss\naccuracy\n:step (1 - 0.9*{k}/100) of loss;");
        script
    });
    let single = objects_of(&single);
    let mut values = single
        .iter()
        .filter(|object| object["kind"] == "value")
        .skip(1);
    for (k, [_, loss, accuracy]) in expected.into_iter().enumerate() {
        let mut next = || {
            values
                .next()
                .and_then(|object| object["data"].as_f64())
                .expect("a value")
        };
        let found = next();
        assert!(close(found, loss), "step {k}: {found}, not {loss}");
        assert_eq!(losses[k].as_f64(), Some(found), "step {k}");
        assert_eq!(next(), accuracy, "step {k}");
    }
}

/// The line that descent finds is the one of the formula.
#[test]
fn regression_ends_at_the_least_squares() {
    let folder = Folder::new();
    folder.file("regression.csv", example("regression.csv"));
    let script = example("regression.calc") + "\na\nb\n";
    let ran = run_in(&folder, &["--json"], &script);
    let objects = objects(&ran);
    let values: Vec<f64> = objects
        .iter()
        .filter_map(|object| object["data"].as_f64())
        .collect();
    // numpy.polyfit of the same points.
    for (found, expected) in values
        .iter()
        .rev()
        .zip([0.794_370_629_370_629_3, 2.617_424_242_424_242_7])
    {
        assert!((found - expected).abs() < 1e-6, "{found}, not {expected}");
    }
}

/// The ticks are those of a calendar, in the time in which the first date is written, in the terminal and in files.
#[test]
fn pictures_over_dates_have_the_ticks_of_a_calendar() {
    let mut table = "when,T\n".to_owned();
    for hour in 0..40 {
        let (day, hour) = (14 + (20 + hour) / 24, (20 + hour) % 24);
        let _ = writeln!(table, "2024-03-{day}T{hour:02}:10:00+05:30,{}", hour * 3);
    }
    let folder = Folder::new();
    folder.file("w.csv", table.as_bytes());
    let ran = run_in(
        &folder,
        &[],
        ":data w.csv\n:plot T over when\n:fit T ~ a*when + b fit.svg\n:plot 72d + 1 d=0..1 with when, T d.svg\n:save w.calc\n",
    );
    let words = |line: &str| line.split_whitespace().collect::<Vec<_>>().join(" ");
    let last: Vec<String> = ran.out.lines().map(words).collect();
    assert!(
        last.contains(&"15 Mar 06:00 12:00 18:00 16 Mar 06:00 12:00".to_owned()),
        "{}",
        ran.out
    );
    let read = |name: &str| fs::read_to_string(folder.0.join(name)).expect("it was written");
    for (file, name) in [
        ("fit.svg", "when, 2024-03-14 20:10 to 2024-03-16 11:10"),
        ("d.svg", "d, 2024-03-14 20:10 to 2024-03-15 20:10"),
    ] {
        let svg = read(file);
        for text in [">15 Mar<", ">06:00<", ">18:00<", &format!(">{name}<")] {
            assert!(svg.contains(text), "{text} in {file}");
        }
        assert!(!svg.contains("[d]"), "{file}");
    }
    assert!(read("w.calc").contains(
        "# when [d] since 2024-03-14T20:10:00+05:30\nconst when = [0, 0.04166666666666666"
    ));
}

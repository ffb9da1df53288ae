//! The formats of f-strings, compared with Python's output; see `reference/formats.py`.

use std::collections::HashMap;

use crate::common::process::run;

const REFERENCE: &str = include_str!("reference/formats.txt");

/// The output of `print` for each number with its format; empty if the format is refused.
fn printed_numbers<'r>(rows: &[(&'r str, &'r str)]) -> Vec<Option<String>> {
    let lines = rows.iter().enumerate().map(|(at, (number, format))| {
        format!("x = {number};\nprint(f\"{at}:[{{x:{format}}}]\")\n")
    });
    let ran = run(&["--keep-going", "-"], lines.collect::<String>());
    let answers = ran.out.lines().filter_map(|line| line.split_once(':'));
    let mut answers: HashMap<&str, &str> = answers.collect();
    let answer = |at: usize| answers.remove(at.to_string().as_str()).map(String::from);
    (0..rows.len()).map(answer).collect()
}

#[test]
fn numbers_are_written_as_python_writes_them() {
    let lines = REFERENCE.lines().filter(|line| !line.starts_with('#'));
    let cells = lines.map(|line| line.split('\t').collect::<Vec<_>>());
    let cells: Vec<Vec<&str>> = cells.collect();
    let rows: Vec<(&str, &str)> = cells.iter().map(|row| (row[0], row[1])).collect();
    assert!(rows.len() > 500);
    for (row, found) in cells.iter().zip(printed_numbers(&rows)) {
        let expected = Some(row[2]).filter(|text| *text != "refused");
        assert_eq!(found.as_deref(), expected, "{row:?}");
    }
}

#[test]
fn formats_that_are_not_understood_are_refused() {
    let formats = "s|x|b|c|n|#g|z.1f|.f|.2d|2.2.2f|5 |f2|.2ff|,_|,,|+-3f|1001|.1001f|q|99999999999999999999f|é|*^12.2f\
                   |=10|>010|.3|010,|E";
    let rows: Vec<(&str, &str)> = formats.split('|').map(|format| ("2", format)).collect();
    for (row, found) in rows.iter().zip(printed_numbers(&rows)) {
        assert_eq!(found, None, "{row:?}");
    }
}

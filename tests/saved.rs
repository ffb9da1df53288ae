//! Sessions that chainrule 0.2.0 has saved, in `tests/saved/`, load to the numbers that they had there.

use serde_json::Value;

use crate::common::close;
use crate::common::process::run;
use crate::common::project::{Source, at, files};

/// What `:vars` said of them: session, name, data and grad.
const NUMBERS: &str = include_str!("saved/numbers.txt");

/// The rows of `:vars` after this session was loaded.
fn rows(session: &str) -> Vec<Value> {
    let load = format!(":load '{}'", at(session).display());
    let ran = run(&["--no-init", "--json", "-e", &load, "-e", ":vars"], "");
    assert_eq!(ran.status, Some(0), "{session}: {}", ran.err);
    let last = ran.out.lines().last().expect("it answers");
    let answer: Value = serde_json::from_str(last).expect("it is JSON");
    answer["rows"].as_array().expect("it has rows").clone()
}

#[test]
fn sessions_that_an_older_version_has_saved_load_to_equal_numbers() {
    let mut compared = 0;
    for Source { path, .. } in files("tests/saved", ".calc") {
        let rows = rows(&path);
        let of_session = NUMBERS.lines().filter_map(|line| {
            let (session, rest) = line.split_once('\t')?;
            path.ends_with(&format!("/{session}.calc")).then_some(rest)
        });
        for line in of_session {
            let columns: Vec<&str> = line.split('\t').collect();
            let row = rows.iter().find(|row| row["name"] == columns[0]);
            let row = row.unwrap_or_else(|| panic!("{path} has no {}", columns[0]));
            for (key, typed) in ["data", "grad"].into_iter().zip(&columns[1..]) {
                let (got, want) = (row[key].as_f64(), typed.parse::<f64>().ok());
                let is_equal = match (got, want) {
                    (Some(got), Some(want)) => close(got, want, 1e-14, 0.0),
                    (got, want) => got == want,
                };
                assert!(is_equal, "{path}: {line}: {key} is {got:?}");
                compared += 1;
            }
        }
    }
    assert_eq!(compared, 2 * 122);
}

//! The examples of `examples/lab`: ten jobs from a file of data to a picture, in at most eight statements each. Their
//! numbers are compared with those of scipy, lmfit and uncertainties, see `reference/lab.py`.

use std::collections::BTreeMap;
use std::fs;

use super::common::process::{Folder, Ran};

const REFERENCE: &str = include_str!("reference/lab.txt");

/// The relative differences that are allowed. The others differentiate numerically, which limits their uncertainties.
const VALUE: f64 = 1e-6;
const UNCERTAINTY: f64 = 2e-5;

/// The numbers of CSV tables, by row and column. If two tables have the same row and column, the last one counts.
fn entries(tables: &str) -> BTreeMap<(String, String), f64> {
    let mut entries = BTreeMap::new();
    for table in tables.split("\r\n\r\n") {
        let mut reader = csv::Reader::from_reader(table.as_bytes());
        let titles = reader.headers().expect("a header").clone();
        for record in reader.records() {
            let record = record.expect("it is CSV");
            for (title, field) in titles.iter().zip(&record) {
                if let Ok(number) = field.parse() {
                    entries.insert((record[0].to_owned(), title.to_owned()), number);
                }
            }
        }
    }
    entries
}

#[test]
fn ten_jobs_have_the_numbers_of_scipy_lmfit_and_uncertainties() {
    let mut by_job: BTreeMap<&str, Vec<[&str; 3]>> = BTreeMap::new();
    for line in REFERENCE.lines().filter(|line| !line.starts_with('#')) {
        let fields: Vec<&str> = line.split('\t').collect();
        let [job, row, column, number] = fields[..] else {
            panic!("four fields: {line}");
        };
        by_job.entry(job).or_default().push([row, column, number]);
    }
    assert_eq!(by_job.len(), 10);
    for (job, wanted) in by_job {
        let (folder, path) = Folder::of_script(&format!("examples/lab/{job}.calc"));
        let script = fs::read_to_string(&path).expect("the script");
        let Ran { status, out, err } = folder.run(&["--csv", &path], "");
        assert_eq!(status, Some(0), "{job}: {err}");
        let statements = script.lines().filter(|line| !line.starts_with('#')).count();
        assert!(statements <= 8, "{job}: {statements} statements");
        assert!(folder.text(&format!("{job}.svg")).contains("<svg"), "{job}");
        let found = entries(&out);
        for [row, column, number] in wanted {
            let want: f64 = number.parse().expect("a number");
            let key = (row.to_owned(), column.to_owned());
            let got = found
                .get(&key)
                .unwrap_or_else(|| panic!("{job}: no {row} {column}"));
            let is_uncertainty = ["sigma", "half_width"].contains(&column) || row == "half_width";
            let allowed = if is_uncertainty { UNCERTAINTY } else { VALUE };
            let off = (got - want).abs() / want.abs();
            assert!(
                off <= allowed,
                "{job} {row} {column}: {got}, others have {want}"
            );
        }
    }
}

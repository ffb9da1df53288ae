//! Tables for other programs: CSV is read back by a reader of its own and compared with JSON, number by number. The
//! inputs and outputs of scripts as programs are recorded in `tests/screens/programs.txt`.
#![cfg(unix)]

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use serde_json::Value;

use crate::common::process::{Folder, Ran, feed, out, program, run};

/// The last lines of standard error with this beginning, without it.
fn messages<'r>(ran: &'r Ran, begin: &str) -> Vec<&'r str> {
    (ran.err.lines())
        .filter_map(|line| line.strip_prefix(begin))
        .collect()
}

/// The objects of JSON output.
fn objects(text: &str) -> Vec<Value> {
    (text.lines())
        .map(|line| serde_json::from_str(line).expect("each line is JSON"))
        .collect()
}

const STATE: &str = "a, b, w = 2, -3, [1, 2, 3]\nL = a*b - 2\n:grad L;\n";

#[test]
fn a_condition_leaves_nothing_behind() {
    let after = "ans\nx = a + 1\n@5\nuniform(0, 1)\n:log\n:vars\n:tree x\n:grad L";
    let without = out(&["-"], format!("{STATE}a*7\n{after}\n"));
    let with = out(
        &["-"],
        format!(
            "{STATE}a*7\n:assert L + a*99 + sum(w) + uniform(0, 1) > -1e9\n:assert pi == 3 ± 1\n{after}\n"
        ),
    );
    assert_eq!(with, without);
    let failing = run(
        &["--keep-going", "-"],
        format!("{STATE}a*7\n:assert L + a*99 + uniform(0, 1) == 17\n{after}\n"),
    );
    assert_eq!(failing.out, without);
}

/// The records of comma-separated values. Each has as many fields as the header.
fn records(text: &str) -> Vec<Vec<String>> {
    let mut reader = csv::ReaderBuilder::new()
        .has_headers(false)
        .from_reader(text.as_bytes());
    let records: Result<Vec<_>, _> = reader.records().collect();
    let fields = |record: &csv::StringRecord| record.iter().map(str::to_owned).collect();
    records.expect("it is CSV").iter().map(fields).collect()
}

/// The numbers of a column.
fn column(records: &[Vec<String>], title: &str) -> Vec<f64> {
    let at = records[0].iter().position(|found| found == title);
    let at = at.unwrap_or_else(|| panic!("no column {title} in {:?}", records[0]));
    let number = |row: &Vec<String>| row[at].parse().expect("a number");
    records[1..].iter().map(number).collect()
}

/// The numbers of a key in the rows of a JSON answer.
fn json_column(answer: &Value, key: &str) -> Vec<f64> {
    let rows = answer["rows"].as_array().expect("rows");
    let number = |row: &Value| match &row[key] {
        Value::String(text) => text.parse().expect("NaN or an infinity"),
        number => number.as_f64().expect("a number"),
    };
    rows.iter().map(number).collect()
}

fn bits(numbers: &[f64]) -> Vec<u64> {
    numbers.iter().map(|number| number.to_bits()).collect()
}

const MODEL: &str = "a, b = 0.1, -1/3\nw = [k/7 for k in 1..200];\nz = 0\nα_1 = 1e-300\nL = sum(w)*a/b + α_1*z + exp(a)*1e3\n";

#[test]
fn files_have_every_row_and_every_digit() {
    let folder = Folder::new();
    let path = |name: &str| folder.0.join(name).to_string_lossy().into_owned();
    for (line, columns) in [
        (":grad L", &["data", "grad"][..]),
        (":vars", &["data"]),
        (":check L", &["grad", "difference", "error"]),
        (":step 1e-9 of L", &["before", "change", "new_grad"]),
        (":budget L", &["grad"]),
        (":backward L", &["grad"]),
    ] {
        let file = path("table.csv");
        let shown = run(&["--json", "-"], format!("{MODEL}{line}\n")).out;
        let answer = objects(&shown).pop().expect("an answer");
        let said = run(&["-"], format!("{MODEL}{line} {file}\n")).out;
        let rows = answer["rows"].as_array().expect("rows").len();
        assert!(
            said.contains(&format!("wrote {rows} rows into {file}")),
            "{said}"
        );
        let text = fs::read_to_string(&file).expect("it was written");
        assert_eq!(text.matches("\r\n").count(), text.matches('\n').count());
        let found = records(&text);
        for key in columns {
            let expected = json_column(&answer, key);
            assert_eq!(bits(&column(&found, key)), bits(&expected), "{line} {key}");
        }
        fs::remove_file(&file).expect("it is there");
    }
}

#[test]
fn a_table_that_cannot_be_written_leaves_no_trace() {
    let script = "a, b = 2, 3\nL = a*b\n";
    let after = ":vars\n:log\n:next\n";
    let without = run(&["--keep-going", "-"], format!("{script}{after}"));
    for line in [
        ":grad L /nowhere/x.csv",
        ":set a 7 /nowhere/x.csv",
        ":step 0.1 of L /nowhere/x.csv",
        ":topo L /nowhere/x.csv",
        ":minimize (a - 1)^2 /nowhere/x.csv",
        ":set a 2 x.csv",
        ":config digits 5 x.csv",
        ":grad L x.txt",
        ":vars L",
    ] {
        let ran = run(&["--keep-going", "-"], format!("{script}{line}\n{after}"));
        assert_eq!(ran.out, without.out, "{line}");
        assert_eq!(
            messages(&ran, "error: ").len(),
            messages(&without, "error: ").len() + 1,
            "{line}: {}",
            ran.err
        );
    }
}

#[test]
fn every_table_of_the_output_can_be_read_by_itself() {
    let shown = out(&["--csv", "-"], format!("{MODEL}:grad L\n:vars\n:config\n"));
    let tables: Vec<_> = shown.split("\r\n\r\n").map(records).collect();
    assert_eq!(tables.len(), 4);
    assert!(tables[1].len() > 200, "all rows: {}", tables[1].len());
}

#[test]
fn an_example_is_a_command() {
    let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/pendulum.calc");
    let mode = fs::metadata(&example)
        .expect("it is there")
        .permissions()
        .mode();
    assert_eq!(mode & 0o111, 0o111, "it is executable");
    let mut command = program(&["--set", "T=2.2"]);
    command.arg(&example);
    let ran = feed(command, b"");
    assert_eq!(ran.status, Some(0), "{}", ran.err);
    assert!(ran.out.contains("g = 8.10"), "{}", ran.out);
}

//! Tables with a row for each of many nodes: every row is right, however the table is written, and the memory that
//! writing takes does not grow with it.

use std::cell::Cell as Count;
use std::collections::HashMap;
use std::fmt::Write as _;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::rc::Rc;

use serde_json::Value;

use crate::common::Desk;
use crate::common::process::{Folder, out, program};
use chainrule_report::{Block, Cell, Column, Report, ReportKind, Table, TableRows};
use chainrule_stop as stop;
use chainrule_view::{AnswerSink, json};

/// How much of a node goes into the next, twice.
const PART: f64 = 0.499;

/// Nodes `x1`, `x2`, …, each above two with the same formula.
fn chain(length: usize) -> String {
    let mut script = String::from("x0 = 1.5;\n");
    for at in 1..=length {
        let below = at - 1;
        let _ = writeln!(script, "x{at} = x{below}*{PART} + x{below}*{PART};");
    }
    script
}

/// The data and the grads of `x0`, `x1`, …, worked out here.
fn truth(length: usize) -> Vec<[f64; 2]> {
    let mut numbers = vec![[1.5, 0.0]];
    for at in 0..length {
        let half = numbers[at][0] * PART;
        numbers.push([half + half, 0.0]);
    }
    numbers[length][1] = 1.0;
    for at in (0..length).rev() {
        let half = numbers[at + 1][1] * PART;
        numbers[at][1] = half + half;
    }
    numbers
}

/// The rows of the only object.
fn rows(json: &str) -> Vec<Value> {
    let answer: Value = serde_json::from_str(json).expect("one object");
    answer["rows"].as_array().expect("it has rows").clone()
}

fn text<'r>(row: &'r Value, key: &str) -> &'r str {
    row[key].as_str().expect("it is text")
}

/// The data and the grad of a row.
fn numbers(row: &Value) -> [f64; 2] {
    ["data", "grad"].map(|key| row[key].as_f64().expect("a number"))
}

#[test]
fn every_row_of_a_long_table_is_right() {
    const LENGTH: usize = 2_000;
    let script = chain(LENGTH);
    let answer = |option: &str, line: String| out(&[option], format!("{script}{line}\n"));
    let rows = rows(&answer("--json", format!(":grad x{LENGTH}")));
    assert_eq!(rows.len(), 3 * LENGTH + 1);
    let by_label: HashMap<&str, &Value> = rows.iter().map(|row| (text(row, "node"), row)).collect();
    assert_eq!(by_label.len(), rows.len(), "no two rows are shown alike");
    let truth = truth(LENGTH);
    for (at, [data, grad]) in truth.iter().enumerate() {
        let row = by_label[&*format!("x{at}")];
        assert_eq!(numbers(row), [*data, *grad], "{row}");
        assert_eq!(
            (&row["leaf"], &row["free"]),
            (&(at == 0).into(), &(at == 0).into())
        );
        let Some(below) = at.checked_sub(1) else {
            assert_eq!((text(row, "expression"), text(row, "op")), ("", ""));
            continue;
        };
        let half = format!("x{below}*{PART}");
        assert_eq!(row["expression"], format!("{half} + {half}"));
        assert_eq!(row["op"], "+");
        let [first, second] = [0, 1].map(|operand| &row["operands"][operand]);
        let later = format!("{half} @{second}");
        for (label, id) in [(&half, first), (&later, second)] {
            let row = by_label[&**label];
            assert_eq!((&row["id"], &row["expression"]), (id, &half.clone().into()));
            assert_eq!(numbers(row), [truth[below][0] * PART, *grad], "{row}");
            assert_eq!(row["operands"][0], by_label[&*format!("x{below}")]["id"]);
        }
    }
    let ids: HashMap<&Value, usize> = rows.iter().map(|row| &row["id"]).zip(0..).collect();
    for (place, row) in rows.iter().enumerate() {
        let operands = row["operands"].as_array().expect("ids").iter();
        let mut places = operands.filter_map(|id| ids.get(id));
        assert!(
            places.all(|operand| *operand > place),
            "users come first: {row}"
        );
    }
    // All formats have the same rows.
    let folder = Folder::new();
    let file = folder.0.join("table.csv");
    let table = answer("--csv", format!(":grad x{LENGTH}"));
    answer("--quiet", format!(":grad x{LENGTH} {}", file.display()));
    assert_eq!(fs::read_to_string(&file).expect("the file is there"), table);
    let mut lines = table.split_terminator("\r\n");
    assert_eq!(lines.next(), Some("node,expression,data,grad"));
    assert_eq!(lines.clone().count(), rows.len());
    for (line, row) in lines.zip(&rows) {
        let fields: Vec<&str> = line.split(',').collect();
        let label = text(row, "node");
        let expression = match text(row, "expression") {
            _ if row["leaf"] == true => "leaf",
            // A label that is the expression is not repeated.
            expression if label.starts_with(expression) => "",
            expression => expression,
        };
        assert_eq!(fields[..2], [label, expression], "{line}");
        let found = [2, 3].map(|at| fields[at].parse::<f64>().expect("a number"));
        assert_eq!(found, numbers(row), "{line}");
    }
    let vars = self::rows(&answer("--json", ":vars".to_string()));
    assert_eq!(vars.len(), LENGTH + 1);
    for (at, (row, [data, _])) in vars.iter().zip(truth).enumerate() {
        assert_eq!(
            (text(row, "name"), row["data"].as_f64()),
            (&*format!("x{at}"), Some(data))
        );
    }
}

/// Takes what is written away after each row, and stops after some rows.
struct Reader {
    text: String,
    taken: Vec<String>,
    most: usize,
}

impl AnswerSink for Reader {
    fn text(&mut self) -> &mut String {
        &mut self.text
    }

    fn row_ends(&mut self) {
        self.taken.push(std::mem::take(&mut self.text));
        if self.taken.len() > self.most {
            stop::unwind();
        }
    }
}

#[test]
fn a_row_is_made_when_the_rows_before_it_have_been_written() {
    let made = Rc::new(Count::new(0));
    let counter = Rc::clone(&made);
    let row = move |at: usize| {
        counter.set(counter.get() + 1);
        vec![Cell::Count(at as u64)]
    };
    let table = Table {
        key: "rows",
        columns: vec![Column::new("id", "id")],
        rows: TableRows::new(1_000, row),
        omitted: None,
    };
    let report = Report::new(ReportKind::Value, Vec::new(), vec![Block::Table(table)]);
    for most in [10, usize::MAX] {
        made.set(0);
        let mut reader = Reader {
            text: String::new(),
            taken: Vec::new(),
            most,
        };
        let done =
            stop::run_until_stopped(|| false, || json::report(&report, &[], "-", 1, &mut reader));
        let rows = 1_000.min(most.saturating_add(1));
        assert_eq!(done.is_ok(), rows == 1_000);
        assert_eq!((made.get(), reader.taken.len()), (rows, rows));
        assert!(
            reader.taken[1..]
                .iter()
                .all(|text| text.len() <= ",{\"id\":999}".len())
        );
        if done.is_ok() {
            let mut whole = String::new();
            json::report(&report, &[], "-", 1, &mut whole);
            assert_eq!(reader.taken.concat() + &reader.text, whole);
        }
    }
}

/// An answer is a snapshot of names: what is typed after it changes nothing in it.
#[test]
fn an_answer_keeps_the_names_it_was_given_with() {
    let mut desk = Desk::with(&["a = 2;", "L = a*3;"]);
    desk.session.show.reader = chainrule_session::Reader::Program;
    let reply = desk.try_line(":grad L").remove(0).expect("it answers");
    let report = reply.report.expect("it has a table");
    let text = || {
        let mut out = String::new();
        json::report(&report, &[], "-", 1, &mut out);
        out
    };
    let before = text();
    desk.line(":del L; b = a; L = 5; a = 7; :reset");
    assert_eq!(text(), before);
    assert!(
        before.contains(r#""node":"L","expression":"a*3""#),
        "{before}"
    );
}

/// The most memory that a process has had so far, in bytes.
#[cfg(target_os = "linux")]
fn peak(process: u32) -> usize {
    let status = fs::read_to_string(format!("/proc/{process}/status")).expect("it runs");
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes = line.and_then(|line| line.split_whitespace().next()?.parse::<usize>().ok());
    kilobytes.expect("its memory is told") << 10
}

#[cfg(target_os = "linux")]
#[test]
fn memory_does_not_grow_with_what_is_written() {
    const LENGTH: usize = 8_000;
    /// For the place of a row in the order; the shortest row that is written has 60.
    const BYTES_PER_ROW: usize = 24;
    /// The C library takes memory from the system in large pieces, which this allows for.
    const PIECE: usize = 256 << 10;
    for (option, line, rows) in [
        ("--json", format!(":grad x{LENGTH}"), 3 * LENGTH),
        ("--json", ":vars".to_string(), LENGTH),
        ("--csv", format!(":grad x{LENGTH}"), 3 * LENGTH),
    ] {
        let mut child = program(&[option])
            // The C library gives memory back at once, so that the peak is what is in use.
            .env("MALLOC_MMAP_THRESHOLD_", "65536")
            .env("MALLOC_TRIM_THRESHOLD_", "65536")
            .spawn()
            .expect("the program can be started");
        let mut stdin = child.stdin.take().expect("it is piped");
        let mut answers = BufReader::new(child.stdout.take().expect("it is piped"));
        // The small answer makes what the session keeps from then on, such as its index of names.
        let script = format!("{}:grad x1\n:grad x{LENGTH};\n", chain(LENGTH));
        let mut written = 0;
        // Types something, and reads all up to the answer of the line that follows.
        let mut read_on = |line: &str, end: &str| {
            write!(stdin, "{line}\n{end} = 1\n").expect("it reads");
            let mut text = String::new();
            while !text.contains(end) {
                text.clear();
                written += answers.read_line(&mut text).expect("it answers");
            }
            written
        };
        let before = read_on(&script, "the_end");
        let first = peak(child.id());
        let size = read_on(&line, "the_very_end") - before;
        let more = peak(child.id()) - first;
        assert!(size > 60 * rows, "{line}: {size} bytes");
        assert!(
            more < BYTES_PER_ROW * rows + PIECE,
            "{option} {line}: {rows} rows of {size} bytes took {more} bytes of memory"
        );
        drop(stdin);
        child.wait().expect("it ends");
    }
}

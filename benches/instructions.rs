//! Counts the instructions of fixed workloads and compares them with recorded counts, which shows a regression even on
//! a busy machine.
//!
//! The program runs under `valgrind --tool=callgrind`; without valgrind this bench is skipped. Counts depend on the
//! compiler and the C library and are for x86-64. With others, record them first (`UPDATE=1 cargo bench --bench
//! instructions`), then compare what a change does to them.

// Like a test, a benchmark is read from top to bottom.
#![allow(clippy::shadow_unrelated, clippy::too_many_lines)]

mod common;

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use common::recipe::{Sums, chain, dag, moons, neuron};
use common::{assignments, counted, row, table};

/// A larger ratio to the recorded count is reported.
const SLACK: f64 = 1.02;

fn main() {
    if !counted::is_available() {
        table(
            "instructions: SKIPPED, they are counted by valgrind and it is not there",
            &[],
        );
        return;
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/instructions.txt");
    let record = fs::read_to_string(&path).unwrap_or_default();
    let on_record = |name: &str| {
        let line = record.lines().find_map(|line| line.strip_prefix(name))?;
        line.trim().parse::<u64>().ok()
    };
    let mut rows = vec![row(["", "millions", "on record", "ratio", ""])];
    let mut text = String::new();
    for (name, input) in works() {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
        let (count, ended_well) = counted::count(&input, &[], folder);
        assert!(ended_well, "{name}");
        let _ = writeln!(text, "{name} {count}");
        let known = on_record(name);
        let ratio = known.map(|known| count as f64 / known as f64);
        let millions = |count: u64| format!("{:.2}", count as f64 / 1e6);
        rows.push(vec![
            name.to_string(),
            millions(count),
            known.map_or_else(String::new, millions),
            ratio.map_or_else(String::new, |ratio| format!("{ratio:.3}")),
            ratio
                .map_or("", |ratio| if ratio > SLACK { "MORE" } else { "" })
                .to_string(),
        ]);
    }
    table("instructions", &rows);
    if std::env::var_os("UPDATE").is_some() {
        fs::write(&path, text).expect("the record can be written");
    }
}

/// The name and the input of each workload. All but the first include the start of the program.
fn works() -> Vec<(&'static str, String)> {
    let with = |mut script: String, more: &str| {
        script += more;
        script
    };
    let mut large = chain(10_000).script();
    large += "side = 2; other = side*side + 1;\n";
    vec![
        ("start", String::new()),
        ("lines_10000", assignments(10_000)),
        (
            "w1_steps_100000",
            with(neuron().script(), ":step 1e-6 100000;\n"),
        ),
        ("w2_dag_1000", dag(1_000).script()),
        (
            "w2_dag_1000_steps_200",
            with(dag(1_000).script(), ":step 1e-12 200;\n"),
        ),
        ("w3_moons", moons(Sums::Chains).script()),
        (
            "w3_moons_steps_20",
            with(moons(Sums::Chains).script(), ":step 1e-3 20;\n"),
        ),
        (
            "w3_moons_whole_sums_steps_20",
            with(moons(Sums::Whole).script(), ":step 1e-3 20;\n"),
        ),
        (
            "w5_chain_10000_steps_20",
            with(chain(10_000).script(), ":step 1e-9 20;\n"),
        ),
        (
            "set_1000",
            with(large, &":set side 3;\n:set side 4;\n".repeat(500)),
        ),
    ]
}

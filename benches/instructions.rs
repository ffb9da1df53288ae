//! Counts the instructions of fixed workloads and compares them with recorded counts, which shows a regression even on
//! a busy machine.
//!
//! The program runs under `valgrind --tool=callgrind`; without valgrind this bench is skipped. Counts depend on the
//! compiler and the C library and are for x86-64. With others, record them first (`UPDATE=1 cargo bench --bench
//! instructions`), then compare what a change does to them.

mod common;

use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;

use common::recipe::{Sums, chain, dag, moons, neuron};
use common::{assignments, row, table};

/// A larger ratio to the recorded count is reported.
const SLACK: f64 = 1.02;

fn main() {
    let available = Command::new("valgrind").arg("--version").output();
    if !available.is_ok_and(|output| output.status.success()) {
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
        let count = count(&input);
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
            "w5_chain_10000_steps_20",
            with(chain(10_000).script(), ":step 1e-9 20;\n"),
        ),
        (
            "set_1000",
            with(large, &":set side 3;\n:set side 4;\n".repeat(500)),
        ),
    ]
}

/// The number of instructions of one run of the program on this input.
fn count(input: &str) -> u64 {
    let mut child = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .arg(env!("CARGO_BIN_EXE_chainrule"))
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("valgrind starts");
    let mut pipe = child.stdin.take().expect("its input is a pipe");
    let output = thread::scope(|scope| {
        scope.spawn(move || {
            // If the program fails early it does not read all input; its exit status tells.
            let _ = pipe.write_all(input.as_bytes());
        });
        child.wait_with_output().expect("it is our child")
    });
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let told = String::from_utf8_lossy(&output.stderr);
    let line = told.lines().find_map(|line| line.split_once("Collected :"));
    line.and_then(|(_, count)| count.trim().parse().ok())
        .expect("callgrind tells what it counted")
}

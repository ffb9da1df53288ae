//! Counts the instructions of fixed workloads and compares them with recorded counts, which shows a regression even on
//! a busy machine.
//!
//! The program runs under `valgrind --tool=callgrind`; without valgrind this bench is skipped. Counts depend on the
//! compiler and the C library and are for x86-64. With others, record them first (`UPDATE=1 cargo bench --bench
//! instructions`), then compare what a change does to them.
//!
//! A second table counts lines about lists and about lists that are four times as long: work for each item then costs
//! four times as much.

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
/// The most that four times as many items may cost.
const GROWTH: f64 = 4.5;

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
    growth();
}

/// What a line about lists of n items costs, and one about lists of 4n.
fn growth() {
    const ITEMS: usize = 500;
    let of = |script: &str, items: usize| count(&script.replace("{n}", &items.to_string()));
    let before = [of(BEFORE, ITEMS), of(BEFORE, 4 * ITEMS)];
    let mut rows = vec![row(["", "instructions an item", "of 4n to n", ""])];
    for line in LISTS {
        let script = format!("{BEFORE}{line}\n");
        let one = (of(&script, ITEMS) - before[0]) as f64;
        let four = (of(&script, 4 * ITEMS) - before[1]) as f64;
        rows.push(vec![
            line.to_string(),
            format!("{:.0}", one / ITEMS as f64),
            format!("{:.2}", four / one),
            if four > GROWTH * one { "MORE" } else { "" }.to_string(),
        ]);
    }
    table("lines about lists of n items", &rows);
}

/// What the lines about lists use.
const BEFORE: &str = "\
a = 0.5
u, w = [k/2 for k in 1..{n}], [k/3 for k in 1..{n}];
T = [[k, k/2, k/3, k/4] for k in 1..{n}];
f(v) = sum(v^2)
g(v) = [tanh(x) for x in v]
alike, unlike = sum(relu(1 - u*w)), sum(k*u[k]^k for k in 1..{n});
";

const LISTS: [&str; 24] = [
    "v = [a*k^2 + 1 for k in 1..{n}];",
    "v = [k for k in 1..{n}];",
    "V = [[a*k*j for j in 1..4] for k in 1..{n}];",
    "v = tanh(2u + 1) - w;",
    "s = sum(u);",
    "s = max(u);",
    "s = dot(u, w);",
    "v = dot(T, [1, 2, 3, 4]);",
    "v = zip(u, w);",
    "b, c, d, e = zip(T);",
    "s = sum(b*c for b, c in zip(u, w));",
    "v = [b*e - c*d for b, c, d, e in T];",
    "v = [u[k] + 1 for k in 1..{n}];",
    "v = [T[k][2] + 1 for k in 1..{n}];",
    "v = [sum(u[k..k + 3]) for k in 1..{n} - 3];",
    "v = flat([T, T]);",
    "v = [f([k, k + 1]) for k in 1..{n}];",
    "v = g(u);",
    "v = grad(f(u), u);",
    "T",
    ":grad alike",
    ":grad unlike",
    ":step 0.01 3 of alike",
    ":set u 2",
];

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

//! The cost of whole runs of the program, compared with Python on the same lines: starting, and long scripts from a
//! pipe.
//!
//! Compare processor time (user and system) and peak resident memory. Both are read from `/proc`, so there are no
//! figures on systems other than Linux. Without `python3` its columns stay empty. `cargo bench --bench script`

// Like a test, a benchmark is read from top to bottom.
#![allow(clippy::shadow_unrelated, clippy::too_many_lines)]

mod common;

use std::process::Command;

use common::peer::python;
use common::process::{Cost, has_figures, least};
use common::{assignments, row, table};

/// The limits that the project sets itself, as parts of Python's time.
const START: f64 = 0.18;
const SCRIPT: f64 = 0.45;

fn main() {
    if !has_figures() {
        table("script: needs Linux", &[]);
        return;
    }
    let python = python();
    let ours = || Command::new(env!("CARGO_BIN_EXE_chainrule"));
    // `-I` ignores the user's environment and packages, which would change the result.
    let theirs = |arguments: &[&str]| {
        let mut command = Command::new(python.as_deref()?);
        command.arg("-I").arg("-S").args(arguments);
        Some(command)
    };
    let mut rows = vec![row([
        "",
        "ms",
        "MiB",
        "python ms",
        "MiB",
        "ratio",
        "limit",
        "limit MiB",
    ])];
    let mut evaluate = ours();
    evaluate.args(["-e", "1+1"]);
    let start = least(20, &mut evaluate, "");
    let start_of_peer = theirs(&["-c", "pass"]).map(|mut command| least(20, &mut command, ""));
    rows.push(comparison(
        "start: -e 1+1",
        start,
        start_of_peer,
        START,
        "7",
    ));
    for (count, rounds, limit) in [(10_000, 5, ""), (100_000, 3, "56"), (1_000_000, 1, "")] {
        let text = assignments(count);
        let cost = least(rounds, &mut ours(), &text);
        let peer = theirs(&["-"]).map(|mut command| least(rounds, &mut command, &text));
        rows.push(comparison(
            &format!("{count} lines"),
            cost,
            peer,
            SCRIPT,
            limit,
        ));
    }
    table("whole runs", &rows);
}

fn comparison(name: &str, ours: Cost, peer: Option<Cost>, limit: f64, memory: &str) -> Vec<String> {
    let time = |cost: Cost| format!("{:.1}", cost.time as f64 / 1e6);
    let mebibytes = |cost: Cost| format!("{:.1}", cost.memory as f64 / 1024.0);
    let ratio = |other: Cost| format!("{:.2}", ours.time as f64 / other.time as f64);
    vec![
        name.to_string(),
        time(ours),
        mebibytes(ours),
        peer.map_or_else(String::new, time),
        peer.map_or_else(String::new, mebibytes),
        peer.map_or_else(String::new, ratio),
        format!("{limit}"),
        memory.to_string(),
    ]
}

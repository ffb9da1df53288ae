//! The cost of whole runs of the program, compared with Python on the same lines: starting, and long scripts from a
//! pipe.
//!
//! Compare processor time (user and system) and peak resident memory. Both are read from `/proc`, so there are no
//! figures on systems other than Linux. Without `python3` its columns stay empty. `cargo bench --bench script`

// Like a test, a benchmark is read from top to bottom.
#![allow(clippy::shadow_unrelated, clippy::too_many_lines)]

mod common;

use std::fs::{self, DirEntry};
use std::io::Write as _;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

use common::peer::python;
use common::{assignments, row, table};

/// The limits that the project sets itself, as parts of Python's time.
const START: f64 = 0.18;
const SCRIPT: f64 = 0.45;

fn main() {
    if !fs::exists("/proc/self/schedstat").unwrap_or(false) {
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

/// Processor time in nanoseconds and the most resident memory in KiB.
#[derive(Clone, Copy)]
struct Cost {
    time: u64,
    memory: u64,
}

/// The shortest time and the largest memory of several runs.
fn least(rounds: u32, command: &mut Command, input: &str) -> Cost {
    let runs: Vec<Cost> = (0..rounds).map(|_| run(command, input)).collect();
    Cost {
        time: runs.iter().map(|run| run.time).min().unwrap_or(0),
        memory: runs.iter().map(|run| run.memory).max().unwrap_or(0),
    }
}

/// Runs a process to its end.
fn run(command: &mut Command, input: &str) -> Cost {
    command.stdin(Stdio::piped()).stdout(Stdio::null());
    let mut child = command.spawn().expect("the program is there");
    let mut pipe = child.stdin.take().expect("its input is a pipe");
    let cost = thread::scope(|scope| {
        scope.spawn(move || {
            // A program that fails early does not read all input; its exit status reports that.
            let _ = pipe.write_all(input.as_bytes());
        });
        watch(&child)
    });
    let status = child.wait().expect("it is our child");
    assert!(status.success(), "{command:?} failed");
    cost
}

/// Waits until a process has ended. Its own entry in `/proc` stays until `wait`; those of its threads go as they end,
/// so their last known times are added.
fn watch(child: &Child) -> Cost {
    let (mut threads, mut memory) = (0, 0);
    loop {
        threads = time_of_threads(child).max(threads);
        let status = statistic(child, "status").unwrap_or_default();
        let field = |name: &str| {
            status
                .lines()
                .find_map(|line| line.strip_prefix(name))
                .map(str::trim)
        };
        memory = field("VmHWM:")
            .and_then(|text| text.trim_end_matches(" kB").parse().ok())
            .unwrap_or(memory);
        if field("State:").is_none_or(|state| state.starts_with('Z')) {
            let time = statistic(child, "schedstat").as_deref().and_then(on_cpu);
            return Cost {
                time: time.unwrap_or(0) + threads,
                memory,
            };
        }
        thread::sleep(Duration::from_micros(100));
    }
}

/// The time that the threads of a process have had, without its first one.
fn time_of_threads(child: &Child) -> u64 {
    let id = child.id().to_string();
    let threads = fs::read_dir(format!("/proc/{id}/task"))
        .into_iter()
        .flatten();
    let others = threads
        .flatten()
        .filter(|thread| *thread.file_name() != *id);
    let time = |thread: DirEntry| {
        let text = fs::read_to_string(thread.path().join("schedstat"));
        on_cpu(&text.ok()?)
    };
    others.filter_map(time).sum()
}

/// The nanoseconds on a processor, of a `schedstat`.
fn on_cpu(schedstat: &str) -> Option<u64> {
    schedstat.split(' ').next()?.parse().ok()
}

fn statistic(child: &Child, name: &str) -> Option<String> {
    fs::read_to_string(format!("/proc/{}/{name}", child.id())).ok()
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

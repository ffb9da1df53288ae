//! What a whole process costs. Linux has the figures in `/proc`; other systems have none.

use std::fs::{self, DirEntry};
use std::io::Write as _;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

/// Whether this system has the figures.
pub fn has_figures() -> bool {
    fs::exists("/proc/self/schedstat").unwrap_or(false)
}

/// Processor time in nanoseconds and the most resident memory in KiB.
#[derive(Clone, Copy)]
pub struct Cost {
    pub time: u64,
    pub memory: u64,
}

/// The shortest time and the largest memory of several runs.
pub fn least(rounds: u32, command: &mut Command, input: &str) -> Cost {
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

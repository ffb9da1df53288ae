//! Signals: Ctrl-C and requests to end, during all kinds of work. `prompt.rs` tests Ctrl-C at the prompt, and
//! `interrupt.rs` tests that long work asks whether to stop.
#![cfg(unix)]

use std::process::Command;
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::common::process::{Folder, Talk, wait_for_end};

/// A run that is interrupted.
struct Case<'s> {
    argument: &'s str,
    /// The script. It prints 1 before the long work, and would print 2 after it.
    script: &'s str,
    /// The milliseconds between the 1 and the signal.
    after: u64,
    told: &'s str,
}

#[test]
fn ctrl_c_ends_whatever_the_program_does() {
    // Many terms, because ten million steps over a few nodes take less than half a second.
    let many = " + tanh(x)".repeat(200);
    let stepping = format!("x = 1; L = x^2{many};\n1\n:step 1e-9 10000000 of L\n2\n");
    let building = format!("x = 1;\n1\ny = {}\n2\n", vec!["x"; 3_000_000].join("+"));
    let case = |argument, script, after, told| Case {
        argument,
        script,
        after,
        told,
    };
    let cases = [
        case("-", "1\n", 0, ""),
        case("pipe", "", 300, ""),
        case("-", &building, 50, ""),
        case(
            "-",
            "1\n:load long.calc\n2\n",
            500,
            "nothing of long.calc was kept",
        ),
        case("--json", &stepping, 300, ""),
    ];
    let folder = Folder::with(&[("long.calc", &stepping.replace("\n1\n", "\n3\n"))]);
    let made = Command::new("mkfifo").arg(folder.0.join("pipe")).status();
    assert!(made.is_ok_and(|status| status.success()), "a pipe");
    for Case {
        argument,
        script,
        after,
        told,
    } in cases
    {
        let what = format!("{argument} {}", &script[..script.len().min(30)]);
        let mut talk = Talk::with(folder.program(&[argument]));
        let answers = |line: &str, number| {
            line == format!("{number}") || line.contains(&format!("\"data\":{number},"))
        };
        if !script.is_empty() {
            talk.say(script);
            while !answers(&talk.hear(), 1) {}
        }
        sleep(Duration::from_millis(after));
        let start = Instant::now();
        talk.signal("-INT");
        // On a busy machine the end of the input would come before the signal.
        sleep(Duration::from_millis(200));
        let (status, rest, err) = talk.end();
        assert_eq!(status, Some(130), "{what}: {rest:?} {err}");
        assert!(start.elapsed() < Duration::from_secs(20), "{what}");
        assert!(err.contains(told), "{what}: {err}");
        // The statements after it do not run, and an interrupted one binds nothing.
        let runs_on = |line: &String| answers(line, 2) || line.starts_with("y = ");
        assert!(!rest.iter().any(runs_on), "{what}: {rest:?}");
        if let Some(step) = rest.iter().find(|line| line.contains("\"kind\":\"step\"")) {
            let step: serde_json::Value = serde_json::from_str(step).expect("a JSON object");
            let steps = step["steps"].as_u64().expect("a number") as usize;
            assert!(steps < 10_000_000);
            assert_eq!(step["values"].as_array().map(Vec::len), Some(steps + 1));
        }
    }
}

/// Whether SIGHUP is ignored. It is the first signal in the mask of ignored signals.
fn hangups_are_ignored() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.is_some_and(|mask| u64::from_str_radix(mask.trim(), 16).is_ok_and(|mask| mask & 1 == 1))
}

#[test]
fn a_request_to_end_is_followed_at_once() {
    let many = " + tanh(x)".repeat(200);
    let stepping = format!("x = 1; y = x^2{many}; :step 1e-9 10000000\n");
    for statement in ["", &stepping] {
        for name in ["-TERM", "-HUP"] {
            // `nohup` makes a process and its children ignore SIGHUP.
            if name == "-HUP" && hangups_are_ignored() {
                continue;
            }
            let mut talk = Talk::start(&[]);
            talk.say("1\n");
            assert_eq!(talk.hear(), "1");
            talk.say(statement);
            sleep(Duration::from_millis(100));
            let start = Instant::now();
            talk.signal(name);
            let status = wait_for_end(&mut talk.child);
            assert!(!status.success(), "{name}: {status}");
            assert!(start.elapsed() < Duration::from_mins(1), "{name}");
        }
    }
}

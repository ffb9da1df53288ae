//! Counts the instructions of one run of the program with valgrind.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;

/// Whether valgrind is there.
pub fn is_available() -> bool {
    let version = Command::new("valgrind").arg("--version").output();
    version.is_ok_and(|output| output.status.success())
}

/// The number of instructions of one run on this input, and whether its exit status was 0. It runs in `folder`, where
/// it may write files.
pub fn count(input: &str, options: &[String], folder: &Path) -> (u64, bool) {
    let mut child = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .arg(env!("CARGO_BIN_EXE_chainrule"))
        .args(options)
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("valgrind starts");
    let mut pipe = child.stdin.take().expect("its input is a pipe");
    let output = thread::scope(|scope| {
        scope.spawn(move || {
            // A program that fails early does not read all input; its exit status reports that.
            let _ = pipe.write_all(input.as_bytes());
        });
        child.wait_with_output().expect("it is our child")
    });
    let told = String::from_utf8_lossy(&output.stderr);
    let line = told.lines().find_map(|line| line.split_once("Collected :"));
    let count = line.and_then(|(_, count)| count.trim().parse().ok());
    let count = count.expect("callgrind tells what it counted");
    (count, output.status.success())
}

//! The release for Linux, linked statically so that it needs no library. `.ci/run` builds it under CI, with the profile of
//! the usual program, and the tests compare the instructions of both.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::common::browser::{report_skip, say_skipped};
use crate::common::process::Folder;
use crate::counted;

const SCRIPT: &str = "a, b = 2, -3\nL = tanh(a*b + 6.5)^2\n:grad L\n:step 0.1 20\n1/0 +\n";

/// The static program and the usual one.
struct Programs {
    alone: PathBuf,
    usual: PathBuf,
}

fn programs(test: &str) -> Option<Programs> {
    let target = Path::new(env!("CARGO_MANIFEST_DIR")).join("target");
    let programs = Programs {
        alone: target.join("x86_64-unknown-linux-gnu/release/chainrule"),
        usual: target.join("release/chainrule"),
    };
    if programs.alone.is_file() && programs.usual.is_file() {
        return Some(programs);
    }
    say_skipped(test, "the static program, which .ci/run builds under CI,");
    None
}

#[test]
fn the_static_program_needs_no_library_and_answers_alike() {
    let Some(Programs { alone, usual }) = programs("the static program") else {
        return;
    };
    let needs_a_library = |program: &Path| {
        let output = Command::new("ldd").arg(program).output();
        let libraries = output.expect("every Linux has ldd").stdout;
        String::from_utf8_lossy(&libraries).contains("libc.so")
    };
    assert!(needs_a_library(&usual));
    assert!(!needs_a_library(&alone));
    let folder = Folder::new();
    let script = folder.file("script.calc", SCRIPT);
    let answers = |program: &Path| {
        let mut command = Command::new(program);
        command
            .arg("--keep-going")
            .arg(&script)
            .env("NO_COLOR", "1");
        command.output().expect("the program starts")
    };
    let output = answers(&alone);
    assert_eq!(output, answers(&usual));
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stdout).contains("20 steps"));
}

#[test]
fn the_static_program_is_as_fast_as_the_usual_one() {
    let Some(Programs { alone, usual }) = programs("the cost of the static program") else {
        return;
    };
    if !counted::is_available() {
        return report_skip("the cost of the static program", "valgrind");
    }
    let folder = Folder::new();
    let cost = |program: &Path, input: &str| {
        let (count, ended_well) = counted::count_of(program, input, &[], &folder.0);
        assert!(ended_well);
        count
    };
    assert!(cost(&alone, "1 + 1\n") <= cost(&usual, "1 + 1\n"));
    // A tenth of the 100,000 statements of `cargo bench --bench script` is enough: the cost of a statement does not grow.
    let statements: String = (1..10_000)
        .map(|k| format!("x{k} = x{} * 1.0001 + 0.5;\n", k - 1))
        .collect();
    let statements = format!("x0 = 1.0;\n{statements}");
    let ratio = cost(&alone, &statements) as f64 / cost(&usual, &statements) as f64;
    assert!(ratio <= 1.1, "{ratio:.2} times the instructions");
}

//! The peer of the passes: a library that differentiates the same recipes, as far as this machine has one.
//!
//! `CoDiPack` and Adept are libraries for C++. `c++` finds their headers in its usual folders or in the one that the
//! variable `CODIPACK` or `ADEPT` names. Without both, `python3` runs a program in the manner of micrograd. The
//! programs in `benches/peers` read a recipe and print nanoseconds, the value of the root and the leaves' gradients.

use std::env;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use super::recipe::Recipe;

/// A library for C++: its program, and the variable that names the folder of its headers.
const LIBRARIES: [(&str, &str, &str); 2] = [
    ("CoDiPack", "codipack.cpp", "CODIPACK"),
    ("Adept", "adept.cpp", "ADEPT"),
];

/// The size that Python runs in a few seconds.
const MOST_IN_PYTHON: usize = 100_000;

pub struct Peer {
    pub name: &'static str,
    /// The program with its arguments.
    words: Vec<String>,
    /// The most operations of a recipe for this peer.
    most: usize,
}

/// The output of a peer for a recipe.
pub struct Measured {
    /// The nanoseconds of recording all operations and going backward.
    pub pass: f64,
    /// The value of the root, then the gradients of the leaves.
    pub numbers: Vec<f64>,
}

impl Peer {
    /// The first peer that this machine has, and why the ones before it are missing.
    pub fn find() -> (Option<Peer>, Vec<String>) {
        let mut missing = Vec::new();
        for (name, file, variable) in LIBRARIES {
            match compile(file, variable) {
                Ok(program) => {
                    let words = vec![program];
                    let most = usize::MAX;
                    return (Some(Peer { name, words, most }), missing);
                }
                Err(why) => missing.push(format!("no {name}: {why}")),
            }
        }
        let python = python().map(|python| Peer {
            name: "Python",
            words: vec![python, "-I".into(), "-S".into(), source("closures.py")],
            most: MOST_IN_PYTHON,
        });
        if python.is_none() {
            missing.push("no Python: `python3` does not run".into());
        }
        (python, missing)
    }

    /// Runs a recipe; nothing if it is too large for this peer.
    pub fn run(&self, recipe: &Recipe) -> Option<Measured> {
        if recipe.operations() > self.most {
            return None;
        }
        let mut child = Command::new(&self.words[0])
            .args(&self.words[1..])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the peer starts");
        // It reads everything before it prints.
        let mut pipe = child.stdin.take().expect("its input is a pipe");
        let written = pipe.write_all(recipe.text().as_bytes());
        drop(pipe);
        let output = child.wait_with_output().expect("it is our child");
        assert!(
            written.is_ok() && output.status.success(),
            "{} failed on a recipe",
            self.name
        );
        let text = String::from_utf8_lossy(&output.stdout);
        let mut numbers = text
            .lines()
            .map(|line| line.parse().expect("it prints numbers"));
        Some(Measured {
            pass: numbers.next().expect("it prints its time"),
            numbers: numbers.collect(),
        })
    }
}

/// The path of the interpreter itself: `python3` in the search path may be a wrapper script.
pub fn python() -> Option<String> {
    let asked = Command::new("python3")
        .args(["-I", "-c", "import sys; print(sys.executable)"])
        .output()
        .ok()?;
    let path = String::from_utf8(asked.stdout).ok()?;
    asked.status.success().then(|| path.trim().to_string())
}

pub fn source(file: &str) -> String {
    format!("{}/benches/peers/{file}", env!("CARGO_MANIFEST_DIR"))
}

/// Compiles a program and returns its path, or why that failed.
fn compile(file: &str, variable: &str) -> Result<String, String> {
    let program = Path::new(env!("CARGO_TARGET_TMPDIR")).join(file.replace(".cpp", ""));
    let mut command = Command::new("c++");
    command
        .args(["-O3", "-std=c++17", "-w", "-o"])
        .arg(&program);
    if let Some(folder) = env::var_os(variable) {
        command.arg("-I").arg(folder);
    }
    let output = command
        .arg(source(file))
        .output()
        .map_err(|error| format!("`c++` does not run: {error}"))?;
    if output.status.success() {
        return Ok(program.to_string_lossy().into_owned());
    }
    let told = String::from_utf8_lossy(&output.stderr);
    let why = told.lines().find_map(|line| line.split_once("error: "));
    let why = why.map_or("`c++` fails", |(_, why)| why);
    Err(format!(
        "{why} (`{variable}=FOLDER` names the folder of its headers)"
    ))
}

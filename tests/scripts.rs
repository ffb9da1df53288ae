//! Whole sessions: the output of the scripts in `examples/` and `tests/scripts/` is recorded in `tests/scripts/`.
//!
//! `UPDATE=1 cargo test scripts::` records them again; read the difference before you commit it.

use std::path::Path;
use std::process::Command;

use crate::common::project::{at, hold, scripts};

/// The output of a script: standard output, a separator, standard error, and the exit status if it is not 0.
fn output(script: &Path) -> String {
    let name = script.file_name().expect("a script has a name");
    let output = Command::new(env!("CARGO_BIN_EXE_chainrule"))
        .current_dir(script.parent().expect("a script is in a folder"))
        .args(["--no-init", "--keep-going"])
        .arg(name)
        .output()
        .expect("the program runs");
    let mut text = String::from_utf8(output.stdout).expect("answers are text");
    if !output.stderr.is_empty() {
        text.push_str("== standard error ==\n");
        text.push_str(&String::from_utf8(output.stderr).expect("errors are text"));
    }
    if !output.status.success() {
        let status = output.status.code().unwrap_or(-1);
        text = format!("{text}== status {status} ==\n");
    }
    text
}

#[test]
fn scripts_print_what_was_recorded() {
    for script in scripts() {
        let path = at(&script.path);
        let name = path.file_stem().expect("a script has a name").display();
        hold(&format!("tests/scripts/{name}.out"), &output(&path));
    }
}

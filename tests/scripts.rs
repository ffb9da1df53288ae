//! Whole sessions: the scripts in `examples/` and `tests/scripts/` print what is recorded beside them.
//!
//! `UPDATE=1 cargo test scripts::` records them again; read the difference before you commit it.

use std::path::{Path, PathBuf};
use std::process::Command;

fn scripts(folder: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let entries = std::fs::read_dir(folder).expect("the folder is there");
    let mut scripts: Vec<PathBuf> = entries
        .map(|entry| entry.expect("it can be listed").path())
        .collect();
    scripts.retain(|path| path.extension().is_some_and(|ending| ending == "calc"));
    scripts.sort();
    scripts
}

/// The output of a script: standard output, a separator, standard error, and the exit status if it is not 0.
fn printed(script: &Path) -> String {
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
    for script in scripts("examples")
        .into_iter()
        .chain(scripts("tests/scripts"))
    {
        let name = script
            .file_stem()
            .expect("a script has a name")
            .to_string_lossy()
            .into_owned();
        let recorded = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("tests/scripts")
            .join(format!("{name}.out"));
        let text = printed(&script);
        if std::env::var_os("UPDATE").is_some() {
            std::fs::write(&recorded, &text).expect("the record can be written");
        }
        let record = std::fs::read_to_string(&recorded).unwrap_or_default();
        assert_eq!(
            text,
            record,
            "{}: run `UPDATE=1 cargo test scripts::` and read the difference",
            script.display()
        );
    }
}

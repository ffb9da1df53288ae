//! Sessions on the screen: the files in `tests/screens/` record the answer to each line.
//!
//! A group begins with its title, and is a session of its own, which begins with the lines above the first group. After a
//! line `--` a new session begins with the lines above the first `--` of the group. A line after `# `, right above
//! another line, says what to look at.
//!
//! A line after `∂> ` is typed, and a line after `... ` continues it; a line after `person> ` is typed at the prompt, where
//! letters need no numbers; a line after `>>> ` is a line of Python; `json> `
//! shows the answers as JSON. Some lines are not entered. The cursor is at their end or at the `|` in them: `tab> ` shows
//! the offers of Tab there, `typing> ` the live result beside the line, or whether Enter would run it, and `tokens> ` a
//! letter for each character, which names its colour (`crate::typing`). `saved>` shows the statements that are saved. A
//! condition after `wish> ` must hold after the line was typed that the help of the error above proposes
//! (`crate::refused`).
//!
//! A line after `$ ` runs in a shell, in an empty folder, where `$EXAMPLES` is the folder of the examples: lines after
//! `< ` are the input, and output, errors and an exit status other than 0 are recorded. A line after `tty> ` runs
//! in a terminal, in a window of 80 columns or of the size at its beginning. A line after `keys> ` has keys: letters stand
//! for themselves, others have names such as `<Enter>`, `<Tab>` and `<C-c>`, and a size such as `<40x100>` resizes the window.
//! The screen follows, from the first row that has changed. `sent> ` names text that the program must have written so far,
//! `never> ` text that it must not have written, with `\e` for the escape character.
//!
//! `UPDATE=1 cargo test screens::` records the answers of the program; read it as a user would before you commit it. Each
//! file is a test: `cargo test lines::goals`.

use std::collections::BTreeSet;

use crate::common::project::{files, scripts};
use crate::records::Record;

/// A test for each record, in a module for each folder.
macro_rules! records {
    ($($(#[$only:meta])? $module:ident $folder:literal { $($name:ident)* })*) => {
        $($(#[$only])? mod $module {
            $(#[test] fn $name() {
                crate::records::Record::read(concat!($folder, stringify!($name))).hold();
            })*
        })*
        const RECORDS: &[&str] = &[$($(concat!($folder, stringify!($name))),*),*];
    };
}

records! {
    lines "" {
        arguments blocks checks commands completion data echo explain exports files fits formulas functions goals heads
        graphs guess json lecture lessons letters lists numbers once_wrong one_language parameters passes plots
        process programs python_lines ranges rates sessions shown targets transcripts trees typed_freely typing
        uncertainties waiting walks wrong
    }
    #[cfg(target_os = "linux")]
    system "" { linux }
    cells "cells/" { demo exercise lecture networks readme }
    #[cfg(unix)]
    keys "keys/" { completion entries history leaving lessons looks pastes typing }
    refused "refused/" {
        arguments commands functions habits lists mistyped plots python ranges searches steps uncertainties waiting
    }
    scripts "scripts/" { iris lab lessons moons pendulum regression }
}

#[test]
fn every_record_is_a_test() {
    let listed: BTreeSet<String> = RECORDS
        .iter()
        .map(|name| format!("tests/screens/{name}.txt"))
        .collect();
    let found = files("tests/screens", ".txt").into_iter();
    assert_eq!(listed, found.map(|file| file.path).collect());
}

#[test]
fn every_script_is_recorded() {
    let records = Record::all("scripts");
    let lines: Vec<&str> = (records.iter().flat_map(Record::lines))
        .map(|line| &*line.text)
        .collect();
    for script in scripts() {
        let name = script.path.rsplit('/').next().expect("it has a name");
        assert!(
            lines.iter().any(|line| line.ends_with(&format!(" {name}"))),
            "{name}"
        );
    }
}

//! Sessions as they stand on the screen: what each line of the files in `tests/screens/` answers.
//!
//! A group begins with its title and is a session of its own; a line that starts with `#` says what to look at.
//! `UPDATE=1 cargo test screens::` records what the program answers; read it as a user would before you commit it.

use std::fs;
use std::path::Path;

use crate::readme::replayed;

/// A session as it is now, under its title and what is said about it.
fn answered(group: &str) -> String {
    let lines = group.lines();
    let above = lines.take_while(|line| !line.starts_with("∂> "));
    let mut text: String = above.flat_map(|line| [line, "\n"]).collect();
    text.push_str(&replayed(group));
    text
}

#[test]
fn sessions_look_as_recorded() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/screens");
    let mut different = Vec::new();
    for entry in fs::read_dir(folder).expect("the folder is there") {
        let path = entry.expect("it can be listed").path();
        let record = fs::read_to_string(&path).expect("a record is text");
        let mut groups = record.split("\n== ");
        let mut text = groups.next().expect("a file has a head").to_string();
        for group in groups {
            let now = answered(group);
            if now.trim_end() != group.trim_end() {
                different.push(now.clone());
            }
            text.extend(["\n== ", &now]);
        }
        if std::env::var_os("UPDATE").is_some() {
            fs::write(&path, text).expect("the record can be written");
        }
    }
    let updates = std::env::var_os("UPDATE").is_some();
    assert!(updates || different.is_empty(), "{}", different.join("\n"));
}

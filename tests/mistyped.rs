//! Lines with a slip in them, or in the way of another language, and what the program says of each.
//!
//! `tests/mistyped.txt` is a table for people: a line as it is typed, and below it the message and the help. `UPDATE=1
//! cargo test mistyped::` records what the program says; read it as a user would before you commit it. What the help
//! says to type is typed here as well, and must run.

use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;

use crate::common::Desk;

/// A group of lines with its title.
struct Group {
    title: String,
    lines: Vec<Mistyped>,
}

/// A line, and what the program says of it.
struct Mistyped {
    line: String,
    said: Vec<String>,
}

fn path() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/mistyped.txt")
}

/// The comment at the top, the lines that make the session, and the groups.
fn table() -> (String, Vec<String>, Vec<Group>) {
    let text = fs::read_to_string(path()).expect("the table is there");
    let mut groups = text.split("\n== ");
    let head = groups.next().expect("a table has a head").to_string();
    let session = head.lines().filter(|line| !line.starts_with('#'));
    let session = session.map(str::to_string).collect();
    let groups = groups.map(|group| {
        let (title, rest) = group.split_once('\n').expect("a group has a title");
        let mut lines: Vec<Mistyped> = Vec::new();
        for line in rest.lines().filter(|line| !line.is_empty()) {
            match (line.strip_prefix("    "), lines.last_mut()) {
                (Some(said), Some(last)) => last.said.push(said.to_string()),
                _ => lines.push(Mistyped {
                    line: line.to_string(),
                    said: Vec::new(),
                }),
            }
        }
        Group {
            title: title.to_string(),
            lines,
        }
    });
    (head.clone(), session, groups.collect())
}

/// What the session answers to `:vars` and `:log`.
fn state(desk: &mut Desk) -> String {
    desk.screen(":vars") + &desk.screen(":log")
}

#[test]
fn every_mistyped_line_is_answered_with_a_line_to_type() {
    let (head, session, groups) = table();
    let mut desk = Desk::with(&session);
    let before = state(&mut desk);
    let mut record = head;
    let mut count = 0;
    let mut different = Vec::new();
    for Group { title, lines } in &groups {
        let _ = write!(record, "\n== {title}\n");
        for Mistyped { line, said } in lines {
            let error = desk.error(line);
            let help = error.help.unwrap_or_else(|| panic!("`{line}` has no help"));
            let says = [error.message, help];
            assert_eq!(state(&mut desk), before, "`{line}` changed the session");
            let _ = write!(record, "{line}\n    {}\n    {}\n", says[0], says[1]);
            if *said != says {
                different.push(format!("{line}\n    {}\n    {}", says[0], says[1]));
            }
            count += 1;
        }
    }
    if std::env::var_os("UPDATE").is_some() {
        fs::write(path(), record).expect("the record can be written");
        return;
    }
    assert!(different.is_empty(), "{}", different.join("\n"));
    assert!(count >= 120, "{count} lines");
}

/// The lines that a help says to type: in backticks after `write`, `type` or `as in`.
fn to_type(help: &str) -> Vec<&str> {
    let mut lines = Vec::new();
    for part in help.split("; ") {
        let begins = ["write `", "type `", "as in `"];
        if let Some(rest) = begins.iter().find_map(|begin| part.split_once(begin)) {
            let line = rest.1.split('`').next().unwrap_or_default();
            lines.push(line);
        }
    }
    lines
}

#[test]
fn what_the_help_says_to_type_runs() {
    let (_, session, groups) = table();
    let mut typed = 0;
    for line in groups.iter().flat_map(|group| &group.lines) {
        let help = line.said.get(1).map_or("", String::as_str);
        for suggested in to_type(help) {
            // A file, or what the user has to fill in.
            let open = ["…", "VALUE", "FILE", ".csv", ".calc", ".svg", ":quit"];
            if open.iter().any(|open| suggested.contains(open)) {
                continue;
            }
            let mut desk = Desk::with(&session);
            let answers = desk.try_line(suggested);
            let error = answers.into_iter().find_map(Result::err);
            let error = error.map(|error| error.message);
            assert_eq!(error, None, "`{}` leads to `{suggested}`", line.line);
            typed += 1;
        }
    }
    assert!(typed >= 80, "{typed} lines were typed");
}

//! The README runs: its sessions are replayed, its tables compared with the code's.
//!
//! `UPDATE=1 cargo test --test readme` writes what it should say; read the difference before committing it.

use crate::common::Desk;
use chainrule::commands::COMMANDS;
use chainrule::ops::{Domain, Op, TABLE};

const PATH: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/README.md");

/// Replays a session: typed lines stay, what stands between them is what the screen answers.
pub fn replayed(session: &str) -> String {
    let mut desk = Desk::default();
    let mut out = String::new();
    for line in session.lines() {
        if let Some(typed) = line.strip_prefix("∂> ") {
            out.push_str(line);
            out.push('\n');
            out.push_str(&desk.screen(typed));
        }
    }
    out
}

fn commands() -> String {
    let mut rows = vec![
        "| command | what it does |".to_string(),
        "| --- | --- |".to_string(),
    ];
    for command in COMMANDS {
        let aliases: String = command
            .aliases
            .iter()
            .map(|alias| format!(" `:{alias}`"))
            .collect();
        rows.push(format!(
            "| `{}`{aliases} | {} |",
            command.usage(),
            command.summary.replace('|', "\\|")
        ));
    }
    rows.join("\n")
}

/// As `:ops` writes it.
fn listed(op: &Op) -> Vec<String> {
    let mut desk = Desk::default();
    let rows = desk.line(&format!(":ops {}", op.spelling))[0]["rows"].clone();
    let row = rows
        .as_array()
        .and_then(|rows| rows.iter().find(|row| row["name"] == op.name))
        .cloned();
    let row = row.unwrap_or_else(|| panic!("`:ops {}` does not list it", op.name));
    ["operation", "derivatives", "domain"]
        .map(|key| row[key].as_str().unwrap_or("").to_string())
        .to_vec()
}

fn operations() -> String {
    let mut rows = vec![
        "| operation | derivatives | defined for | what it is |".to_string(),
        "| --- | --- | --- | --- |".to_string(),
    ];
    for op in TABLE {
        let cells = listed(op);
        let code = |text: &str| {
            if text.is_empty() {
                String::new()
            } else {
                format!("`{text}`")
            }
        };
        let domain = if matches!(op.domain, Domain::Everywhere) {
            String::new()
        } else {
            cells[2].clone()
        };
        rows.push(format!(
            "| {} | {} | {domain} | {} |",
            code(&cells[0]),
            code(&cells[1]),
            op.summary
        ));
    }
    rows.join("\n")
}

fn kinks() -> String {
    let mut rows = vec![
        "| operation | at | convention |".to_string(),
        "| --- | --- | --- |".to_string(),
    ];
    for op in TABLE {
        for kink in op.kinks {
            rows.push(format!(
                "| `{}` | {} | {} |",
                op.spelling, kink.at, kink.convention
            ));
        }
    }
    rows.join("\n")
}

fn options() -> String {
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_chainrule"))
        .arg("--help")
        .env_remove("COLUMNS")
        .output();
    let output = output.expect("the program runs");
    format!(
        "```\n{}\n```",
        String::from_utf8_lossy(&output.stdout).trim_end()
    )
}

fn settings() -> String {
    use chainrule::session::settings::SETTINGS;
    let mut rows = vec![
        "| setting | default | can be | what it is |".to_string(),
        "| --- | --- | --- | --- |".to_string(),
    ];
    for choice in SETTINGS {
        rows.push(format!(
            "| `{}` | `{}` | {} | {} |",
            choice.key,
            choice.typed(&choice.default),
            choice.possible(),
            choice.summary
        ));
    }
    rows.join("\n")
}

fn limits() -> String {
    use chainrule::{session, syntax};
    let rows = [
        ("brackets in brackets", syntax::MAX_NESTING.to_string()),
        (
            "bytes of a line, and of a statement",
            chainrule::shell::MAX_LINE.to_string(),
        ),
        (
            "words and signs of a statement",
            syntax::MAX_TOKENS.to_string(),
        ),
        (
            "lines of a statement that goes on",
            syntax::MAX_CONTINUATION.to_string(),
        ),
        (
            "nodes a label goes into before `…`",
            session::labels::LABEL_NODES.to_string(),
        ),
        (
            "nodes made by one statement",
            session::functions::STATEMENT_NODES.to_string(),
        ),
        (
            "arguments of one call",
            chainrule::ops::MOST_OPERANDS.to_string(),
        ),
        (
            "rows of a text table, unless set",
            session::settings::TABLE_ROWS.to_string(),
        ),
        (
            "results kept as `$1`, `$2`, …",
            session::results::RESULTS.to_string(),
        ),
        (
            "watches at a time",
            session::watches::MOST_WATCHES.to_string(),
        ),
        (
            "changes `:undo` can take back, unless set",
            session::undo::UNDO_STEPS.to_string(),
        ),
        (
            "bytes the way back may take",
            session::undo::UNDO_BYTES.to_string(),
        ),
        (
            "files that load one another at a time",
            chainrule::shell::MOST_LOADS.to_string(),
        ),
        (
            "steps of one `:step`",
            chainrule::commands::MOST_STEPS.to_string(),
        ),
        (
            "contributions of one `:wrong`",
            chainrule::graph::mistaken::MOST_CONTRIBUTIONS.to_string(),
        ),
        (
            "levels of a `:tree` in text",
            chainrule::commands::DEEPEST.to_string(),
        ),
        (
            "paths `:explain` lists, eight of them as text",
            session::explanation::MOST_PATHS.to_string(),
        ),
        (
            "characters of a closed form",
            session::closed::LONGEST.to_string(),
        ),
    ];
    let mut lines = vec![
        "| what | at most |".to_string(),
        "| --- | --- |".to_string(),
    ];
    lines.extend(rows.map(|(what, most)| format!("| {what} | {} |", grouped(&most))));
    lines.join("\n")
}

/// `1000000` as `1,000,000`
fn grouped(digits: &str) -> String {
    let mut out = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// What stands between the marks of a part, replaced.
fn with_part(text: &str, mark: &str, part: &str) -> String {
    let begin = text
        .find(&format!("<!-- {mark}: "))
        .unwrap_or_else(|| panic!("no part {mark}"));
    let start = begin
        + text[begin..]
            .find('\n')
            .expect("the mark has a line of its own")
        + 1;
    let end = start + text[start..].find("<!-- end -->").expect("the part ends");
    format!("{}\n{part}\n\n{}", &text[..start], &text[end..])
}

fn with_sessions(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(found) = rest.find("```session\n") {
        let start = found + "```session\n".len();
        let end = start + rest[start..].find("```").expect("a session ends");
        out.push_str(&rest[..start]);
        out.push_str(&replayed(&rest[start..end]));
        rest = &rest[end..];
        out.push_str("```");
        rest = &rest[3..];
    }
    out.push_str(rest);
    out
}

#[test]
fn the_readme_says_what_the_program_does() {
    let written = std::fs::read_to_string(PATH).expect("there is a README");
    let mut wanted = with_sessions(&written);
    for (mark, part) in [
        ("commands", commands()),
        ("operations", operations()),
        ("kinks", kinks()),
        ("settings", settings()),
        ("options", options()),
        ("limits", limits()),
    ] {
        wanted = with_part(&wanted, mark, &part);
    }
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(PATH, &wanted).expect("the README can be written");
        return;
    }
    for (number, (is, should)) in written.lines().zip(wanted.lines()).enumerate() {
        assert_eq!(is, should, "line {} of the README", number + 1);
    }
    assert_eq!(
        written.lines().count(),
        wanted.lines().count(),
        "the README is too long or too short"
    );
}

#[test]
fn the_json_of_the_readme_is_what_comes_out() {
    use std::io::Write;
    let written = std::fs::read_to_string(PATH).expect("there is a README");
    let start = written
        .find("```json\n")
        .expect("there is an example of JSON")
        + "```json\n".len();
    let shown = &written[start..start + written[start..].find("```").expect("the example ends")];
    let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_chainrule"))
        .args(["--no-init", "--json"])
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .spawn()
        .expect("the program runs");
    let script = "a, b = 2, -3\nL = a*b\n:grad L\nd = q + 1\n";
    child
        .stdin
        .take()
        .expect("it reads")
        .write_all(script.as_bytes())
        .expect("it takes the script");
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(String::from_utf8_lossy(&output.stdout), shown);
}

#[test]
fn every_dependency_has_its_reason() {
    let manifest = include_str!("../Cargo.toml");
    let written = std::fs::read_to_string(PATH).expect("there is a README");
    let mut section = "";
    for line in manifest.lines() {
        if line.starts_with('[') {
            section = line;
        } else if let (true, Some((name, _))) =
            (section.contains("dependencies"), line.split_once(" = "))
        {
            assert!(
                written.contains(&format!("`{name}`")),
                "the README does not say what {name} is for"
            );
        }
    }
    // And none is named that is not there.
    let table = &written[written
        .find("| dependency | why |")
        .expect("there is a table")..];
    for row in table
        .lines()
        .skip(2)
        .take_while(|line| line.starts_with('|'))
    {
        for name in row.split('|').nth(1).unwrap_or("").split(", ") {
            let name = name.trim().trim_matches('`');
            assert!(
                manifest.contains(&format!("\n{name} = ")),
                "{name} is no dependency"
            );
        }
    }
}

//! Sessions as they stand on the screen: what each line of the files in `tests/screens/` answers.
//!
//! A group begins with its title, and is a session of its own. A line behind `∂> ` is typed, and one behind `... `
//! belongs to the line above it; lines behind `>>> ` are those of a paste; `json> ` shows the answers as JSON. A line
//! that starts with `# ` says what to look at. Behind a line `--` the session begins anew, with what stands above the
//! first `--` of the group.
//!
//! `UPDATE=1 cargo test screens::` records what the program answers; read it as a user would before you commit it.

use std::fs;
use std::path::Path;

use crate::common::{Desk, needs_shell, replayed_by_the_program, typed};

/// What a line of a record is for.
enum Line<'r> {
    Remark,
    Typed(&'r str),
    Pasted(&'r str),
    Json(&'r str),
    Continued(&'r str),
    Answer,
}

fn read(line: &str) -> Line<'_> {
    let behind = |prompt| line.strip_prefix(prompt);
    if line.starts_with("# ") {
        return Line::Remark;
    }
    let typed = behind("∂> ").map(Line::Typed);
    let typed = typed.or_else(|| behind(">>> ").map(Line::Pasted));
    let typed = typed.or_else(|| behind("json> ").map(Line::Json));
    let typed = typed.or_else(|| behind("... ").map(Line::Continued));
    typed.unwrap_or(Line::Answer)
}

/// The lines of a part, each typed one with its answer.
fn with_answers(part: &str, mut answer: impl FnMut(&Line, &str) -> String) -> String {
    let mut lines = part.lines().peekable();
    let mut out = String::new();
    while let Some(line) = lines.next() {
        let kind = read(line);
        if !matches!(kind, Line::Answer) {
            out.extend([line, "\n"]);
        }
        let (Line::Typed(text) | Line::Pasted(text) | Line::Json(text)) = kind else {
            continue;
        };
        let mut text = text.to_string();
        while let Some(Line::Continued(rest)) = lines.peek().map(|line| read(line)) {
            text.extend(["\n", rest]);
            out.extend(["... ", rest, "\n"]);
            lines.next();
        }
        out.push_str(&answer(&kind, &text));
    }
    out
}

/// Types the lines of a part into a session.
fn typed_in(desk: &mut Desk, part: &str) -> String {
    let pasted = part.lines().filter_map(|line| match read(line) {
        Line::Pasted(text) | Line::Continued(text) => Some(text),
        _ => None,
    });
    let paste = pasted.collect::<Vec<_>>().join("\n");
    desk.session.set_paste(&paste);
    with_answers(part, |kind, text| match kind {
        Line::Json(_) => desk.json(text),
        _ => desk.screen(text),
    })
}

/// A part of a session as it is now: `before` is typed first, and not shown.
fn answered(before: &str, part: &str) -> String {
    let session = format!("{before}{part}");
    if needs_shell(&session) {
        let shown = format!("\n{}", replayed_by_the_program(&session));
        let answers = shown.split("\n∂> ").skip(1 + typed(before).count());
        let mut answers = answers.map(|line| match line.trim_end().split_once('\n') {
            Some((_, answer)) => answer.to_string() + "\n",
            None => String::new(),
        });
        return with_answers(part, |_, _| answers.next().unwrap_or_default());
    }
    let mut desk = Desk::default();
    typed_in(&mut desk, before);
    typed_in(&mut desk, part)
}

/// A group as it is now, under its title.
fn group_now(group: &str) -> String {
    let (title, session) = group.split_once('\n').expect("a group has a title");
    let mut parts = format!("\n{session}")
        .split("\n--\n")
        .map(|part| part.trim_start_matches('\n').to_string() + "\n")
        .collect::<Vec<_>>()
        .into_iter();
    let first = parts.next().unwrap_or_default();
    let mut now = format!("{title}\n{}", answered("", &first));
    for part in parts {
        now.extend(["--\n", &answered(&first, &part)]);
    }
    now
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
            let now = group_now(group);
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

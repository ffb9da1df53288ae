//! Sessions on the screen: the files in `tests/screens/` record the answer to each line.
//!
//! A group begins with its title, and is a session of its own. A line after `∂> ` is typed, and a line after `... `
//! continues it; lines after `>>> ` are pasted together; `json> ` shows the answers as JSON. A line after `# `, right
//! above a typed line, says what to look at. After a line `--` a new session begins with the lines above the first `--`
//! of the group. A part with lines after `$ ` runs in a shell, in an empty folder: lines after `< ` are the input, and
//! output, errors and an exit status other than 0 are recorded. `linux.txt` has the parts for Linux only.
//!
//! Some lines are not entered. The cursor is at their end or at the `|` in them: `tab> ` shows the offers of Tab there,
//! `typing> ` the live result beside the line, or whether Enter would run it, and `tokens> ` a letter for each character,
//! which names its colour (`crate::typing`).
//!
//! `UPDATE=1 cargo test screens::` records the answers of the program; read it as a user would before you commit it.

use crate::common::process::{Folder, shell_output};
use crate::common::project::{Source, files, hold};
use crate::common::{Desk, needs_shell, replayed_by_the_program, typed_lines};
use crate::typing;

/// The part of the prompt to look at while a line is typed.
type LookAt = fn(&mut Desk, &str) -> String;

/// The prompts of lines that are not entered.
const LOOKS: [(&str, LookAt); 3] = [
    ("tab> ", typing::offers),
    ("typing> ", typing::preview),
    ("tokens> ", typing::token_letters),
];

/// The kind of a line of a record.
enum Line<'r> {
    Remark,
    Typed(&'r str),
    Pasted(&'r str),
    Json(&'r str),
    Begun(&'r str, LookAt),
    Continued(&'r str),
    Shell(&'r str),
    Fed(&'r str),
    Answer,
}

fn read(line: &str) -> Line<'_> {
    let behind = |prompt| line.strip_prefix(prompt);
    if line.starts_with("# ") {
        return Line::Remark;
    }
    if line == "<" {
        return Line::Fed("");
    }
    let typed = behind("∂> ").map(Line::Typed);
    let typed = typed.or_else(|| behind(">>> ").map(Line::Pasted));
    let typed = typed.or_else(|| behind("json> ").map(Line::Json));
    let begun = LOOKS.into_iter();
    let mut begun = begun.filter_map(|(prompt, look)| Some(Line::Begun(behind(prompt)?, look)));
    let typed = typed.or_else(|| begun.next());
    let typed = typed.or_else(|| behind("... ").map(Line::Continued));
    let typed = typed.or_else(|| behind("$ ").map(Line::Shell));
    let typed = typed.or_else(|| behind("< ").map(Line::Fed));
    typed.unwrap_or(Line::Answer)
}

/// The lines of a part, each typed line with its continuation and its answer.
fn with_answers(part: &str, mut answer: impl FnMut(&Line, &str) -> String) -> String {
    let mut lines = part.lines().peekable();
    let mut out = String::new();
    let mut remarks = String::new();
    let is_of_shell = part
        .lines()
        .any(|line| matches!(read(line), Line::Shell(_)));
    while let Some(line) = lines.next() {
        let kind = match read(line) {
            // The output of a shell may look like a session.
            Line::Typed(_) | Line::Pasted(_) | Line::Json(_) if is_of_shell => Line::Answer,
            kind => kind,
        };
        match kind {
            Line::Remark => remarks.extend([line, "\n"]),
            Line::Answer => remarks.clear(),
            _ => out.extend([&remarks, line, "\n"]),
        }
        let (Line::Typed(text)
        | Line::Pasted(text)
        | Line::Json(text)
        | Line::Begun(text, _)
        | Line::Shell(text)) = kind
        else {
            continue;
        };
        let mut text = text.to_string();
        while let Some(below) = lines.peek()
            && let Line::Continued(rest) | Line::Fed(rest) = read(below)
        {
            text.extend(["\n", rest]);
            out.extend([below, "\n"]);
            lines.next();
        }
        out.push_str(&answer(&kind, &text));
        remarks.clear();
    }
    if out.is_empty() { remarks } else { out }
}

/// Types the lines of a part into a session.
fn typed_in(desk: &mut Desk, part: &str) -> String {
    let pasted = part.lines().filter_map(|line| match read(line) {
        Line::Pasted(text) | Line::Continued(text) => Some(text),
        _ => None,
    });
    let paste = pasted.collect::<Vec<_>>().join("\n");
    desk.session.show.paste = paste.as_str().into();
    with_answers(part, |kind, text| match kind {
        Line::Json(_) => desk.json(text),
        Line::Begun(_, look) => look(desk, text),
        _ => desk.screen(text),
    })
}

/// The present answers of a part of a session: `before` is typed first, and not shown.
fn record(before: &str, part: &str) -> String {
    let session = format!("{before}{part}");
    if session
        .lines()
        .any(|line| matches!(read(line), Line::Shell(_)))
    {
        let folder = Folder::new();
        with_answers(before, |_, text| shell_output(&folder, text));
        return with_answers(part, |_, text| shell_output(&folder, text));
    }
    if needs_shell(&session) {
        let shown = format!("\n{}", replayed_by_the_program(&session));
        let answers = shown.split("\n∂> ").skip(1 + typed_lines(before).count());
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

/// The present answers of a group, under its title.
fn group_now(group: &str) -> String {
    let (title, session) = group.split_once('\n').expect("a group has a title");
    let mut parts = format!("\n{session}")
        .split("\n--\n")
        .map(|part| part.trim_start_matches('\n').to_string() + "\n")
        .collect::<Vec<_>>()
        .into_iter();
    let first = parts.next().unwrap_or_default();
    let mut now = format!("{title}\n{}", record("", &first));
    for part in parts {
        now.extend(["--\n", &record(&first, &part)]);
    }
    now
}

#[test]
fn sessions_look_as_recorded() {
    for Source { path, text } in files("tests/screens", ".txt") {
        if path.ends_with("/linux.txt") && !cfg!(target_os = "linux") {
            continue;
        }
        let mut groups = text.split("\n== ");
        let mut now = vec![groups.next().expect("a file has a head").to_string()];
        now.extend(groups.map(|group| group_now(group).trim_end().to_string() + "\n"));
        hold(&path, &now.join("\n== "));
    }
}

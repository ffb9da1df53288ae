//! Lines with a slip in them, or in the way of another language, and what the program says of each.
//!
//! `tests/mistyped.txt` and the files in `tests/refused/` are tables for people: a line as it is typed, and below it the
//! place, the message and the help. Lines behind `∂> ` make the session of a group; a group without them is typed in the
//! session of the head. `UPDATE=1 cargo test mistyped::` records what the program says; read it as a user would before
//! you commit it. What the help says to type is typed here as well, after the line that failed, and must run. If another
//! meaning of the line is near, a line `wish: CONDITION` below the help says what must hold after its first sentence was
//! typed.

use std::fmt::Write as _;

use crate::common::invariants::sound;
use crate::common::project::{Source, files, hold};
use crate::common::{Desk, target};
use chainrule::commands::find;
use chainrule_report::diagnostic::Diagnostic;

/// A file of such lines.
struct Table {
    path: String,
    /// The comment at the top, and the lines that make the session.
    head: String,
    groups: Vec<Group>,
}

/// A group of lines with its title, and the lines that make its session if it has one of its own.
struct Group {
    title: String,
    session: Vec<String>,
    lines: Vec<Mistyped>,
}

/// A line, and what the program says of it.
struct Mistyped {
    line: String,
    said: Vec<String>,
    /// What must hold after the line of the help was typed.
    wish: Option<String>,
}

/// The beginning of the line with a wish.
const WISH: &str = "    wish: ";

fn tables() -> Vec<Table> {
    let mut tables: Vec<Table> = files("tests/refused", ".txt")
        .into_iter()
        .map(table)
        .collect();
    tables.extend(files("tests", "/mistyped.txt").into_iter().map(table));
    tables
}

fn table(Source { path, text }: Source) -> Table {
    let mut groups = text.split("\n== ");
    let head = groups.next().expect("a table has a head").to_string();
    let of_head: Vec<String> = head
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .map(str::to_string)
        .collect();
    let groups = groups.map(|group| {
        let (title, rest) = group.split_once('\n').expect("a group has a title");
        let mut session = Vec::new();
        let mut lines: Vec<Mistyped> = Vec::new();
        for line in rest.lines().filter(|line| !line.is_empty()) {
            let is_place = line.trim_start().starts_with(['^', '|'])
                && lines.last().is_some_and(|last| last.said.is_empty());
            if let Some(made) = line.strip_prefix("∂> ") {
                session.push(made.to_string());
            } else if let (Some(wish), Some(last)) = (line.strip_prefix(WISH), lines.last_mut()) {
                last.wish = Some(wish.to_string());
            } else if let Some(last) = lines
                .last_mut()
                .filter(|_| is_place || line.starts_with("    "))
            {
                last.said.push(line.to_string());
            } else {
                let line = line.to_string();
                lines.push(Mistyped {
                    line,
                    said: Vec::new(),
                    wish: None,
                });
            }
        }
        Group {
            title: title.to_string(),
            session,
            lines,
        }
    });
    let mut groups: Vec<Group> = groups.collect();
    for group in groups.iter_mut().filter(|group| group.session.is_empty()) {
        group.session.clone_from(&of_head);
    }
    Table { path, head, groups }
}

/// What an error may not change: names and data, the log, the pass, the default target, how many nodes were made.
fn state(desk: &mut Desk) -> String {
    let session = &desk.session;
    sound(session);
    let pass = session.pass().map(|pass| {
        let grads: Vec<u64> = pass.grads().iter().map(|grad| grad.to_bits()).collect();
        (session.label(pass.root()), pass.roots().len(), grads)
    });
    let target = target(session).map(|node| node.id());
    let rest = format!("{pass:?} {target:?} {} nodes", session.newest_id());
    desk.screen(":vars") + &desk.screen(":log") + &rest
}

/// Carets below the place of an error, with the words beside them; `|` for an empty place.
fn place(line: &str, error: &Diagnostic) -> Option<String> {
    // Of a translated line the place is one in the translation.
    let span = error.span.clone().filter(|_| error.translated.is_none())?;
    let blanks = line[..span.start].chars().count();
    let carets = match line[span].chars().count() {
        0 => "|".to_string(),
        count => "^".repeat(count),
    };
    let place = format!("{:blanks$}{carets} {}", "", error.label);
    Some(place.trim_end().to_string())
}

#[test]
fn every_mistyped_line_is_answered_with_a_line_to_type() {
    for Table { path, head, groups } in tables() {
        let mut record = head.clone();
        for Group {
            title,
            session,
            lines,
        } in &groups
        {
            let mut desk = Desk::with(session);
            let before = state(&mut desk);
            let _ = write!(record, "\n== {title}\n");
            if !head.contains(&session.join("\n")) {
                for line in session {
                    let _ = writeln!(record, "∂> {line}");
                }
            }
            for Mistyped { line, wish, .. } in lines {
                let error = desk.error(line);
                assert_eq!(state(&mut desk), before, "`{line}` changed the session");
                let mut says: Vec<String> = place(line, &error).into_iter().collect();
                says.push(format!("    {}", error.message));
                says.extend(error.help.map(|help| format!("    {help}")));
                says.extend(wish.iter().map(|wish| format!("{WISH}{wish}")));
                let _ = writeln!(record, "{line}\n{}", says.join("\n"));
            }
        }
        hold(&path, &record);
    }
}

/// The lines that a sentence of a help says to type, one after the other. A word or a sign alone is only named. What the
/// user has to fill in is a `…` or a word of capitals, and ends the lines that can be typed as they are.
fn lines_to_type(sentence: &str) -> Vec<&str> {
    let is_line = |quoted: &&str| {
        let is_of_word = |c: char| c.is_alphanumeric() || "_-.'".contains(c);
        let word = quoted.strip_prefix(':').unwrap_or(quoted);
        // An ending of a file begins with a point.
        !quoted.starts_with('.')
            && quoted.contains(char::is_alphanumeric)
            && !word.chars().all(is_of_word)
    };
    let is_open = |quoted: &&str| {
        let mut words = quoted.split(|c: char| !c.is_ascii_alphanumeric());
        let is_gap = |word: &str| word.len() > 1 && word.chars().all(|c| c.is_ascii_uppercase());
        quoted.contains('…') || words.any(is_gap)
    };
    if sentence.starts_with("usage: ") {
        return Vec::new();
    }
    let quoted = sentence.split('`').skip(1).step_by(2);
    quoted
        .filter(is_line)
        .take_while(|it| !is_open(it))
        .collect()
}

/// Whether a line leaves the program, is for a shell, or reads a file of the user's, which a test has not.
fn needs_the_user(line: &str) -> bool {
    [":quit", ":load", ":data", "chainrule "]
        .iter()
        .any(|it| line.starts_with(it))
}

#[test]
fn what_the_help_says_to_type_runs() {
    let (mut typed, mut wishes) = (0, 0);
    let mut failures = String::new();
    let tables = tables();
    for group in tables.iter().flat_map(|table| &table.groups) {
        for Mistyped { line, said, wish } in &group.lines {
            // The help stands below the message, and above it may stand the place.
            let is_place = |said: &&String| said.trim_start().starts_with(['^', '|']);
            let Some(help) = said.iter().skip_while(is_place).nth(1) else {
                continue;
            };
            for (nth, sentence) in help.trim().split("; ").enumerate() {
                let mut desk = Desk::with(&group.session);
                desk.error(line);
                let mut lines = lines_to_type(sentence);
                lines.retain(|it| !needs_the_user(it));
                let wished = wish.as_ref().filter(|_| nth == 0);
                let assertion = wished.map(|it| format!(":assert {it}"));
                typed += lines.len();
                wishes += usize::from(wished.is_some());
                for suggested in lines.into_iter().chain(assertion.as_deref()) {
                    if let Some(Err(error)) = desk.try_line(suggested).pop() {
                        let message = error.message;
                        let _ = writeln!(failures, "`{line}` leads to `{suggested}`: {message}");
                    }
                }
            }
        }
    }
    assert!(failures.is_empty(), "{failures}");
    assert!(
        typed >= 450 && wishes >= 30,
        "{typed} lines, {wishes} wishes"
    );
}

/// Whether a text has the words of a template in their order, with anything in place of its braces.
fn fits(template: &str, text: &str) -> bool {
    let mut parts = template
        .split('{')
        .map(|part| part.split_once('}').map_or(part, |it| it.1));
    let begin = parts.next().unwrap_or_default();
    let rest = text.strip_prefix(begin);
    let end = |rest: &str, part: &str| rest.find(part).map(|at| at + part.len());
    rest.is_some_and(|rest| {
        parts
            .try_fold(rest, |rest, part| end(rest, part).map(|at| &rest[at..]))
            .is_some()
    })
}

/// Each row of the table of hints that refuses a line is tried in one of the tables.
#[test]
fn every_hint_is_tried() {
    let tables = tables();
    let groups = tables.iter().flat_map(|table| &table.groups);
    let lines: Vec<&Mistyped> = groups.flat_map(|group| &group.lines).collect();
    let rows = include_str!("../src/interpret/python/patterns.txt").lines();
    for row in rows.filter(|row| !row.starts_with('#')) {
        let Some((_, hint)) = row.split_once(" → ") else {
            continue;
        };
        let help = hint.rsplit(" → ").next().unwrap_or_default();
        let is_tried = |line: &&Mistyped| line.said.last().is_some_and(|it| fits(help, it.trim()));
        assert!(lines.iter().any(is_tried), "no line is told: {row}");
    }
}

#[test]
fn every_command_that_an_error_names_exists() {
    let tables = tables();
    let lines = tables
        .iter()
        .flat_map(|table| &table.groups)
        .flat_map(|group| &group.lines);
    for line in lines {
        // Commands that do not exist were typed; the help and the message name none.
        let said = line.said.join(" ");
        for quoted in said.split('`').skip(1).step_by(2) {
            let word = quoted.strip_prefix(':').unwrap_or_default();
            let word = word.split([' ', ';']).next().unwrap_or_default();
            let typed = line.line.contains(&format!(":{word}"));
            assert!(
                word.is_empty() || typed || find(word).is_ok(),
                "`{}` is told of `:{word}`",
                line.line
            );
        }
    }
}

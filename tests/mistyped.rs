//! Lines with a slip in them, or in the way of another language, and what the program says of each.
//!
//! `tests/mistyped.txt` and the files in `tests/refused/` are tables for people: a line as it is typed, and below it the
//! place, the message and the help. Lines behind `∂> ` make the session of a group; a group without them is typed in the
//! session of the head. `UPDATE=1 cargo test mistyped::` records what the program says; read it as a user would before
//! you commit it. What the help says to type is typed here as well, and must run.

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
}

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
            for Mistyped { line, .. } in lines {
                let error = desk.error(line);
                assert_eq!(state(&mut desk), before, "`{line}` changed the session");
                let mut says: Vec<String> = place(line, &error).into_iter().collect();
                says.push(format!("    {}", error.message));
                says.extend(error.help.map(|help| format!("    {help}")));
                let _ = writeln!(record, "{line}\n{}", says.join("\n"));
            }
        }
        hold(&path, &record);
    }
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
    let mut typed = 0;
    let tables = tables();
    // What is refused may have a help that is only the form of a line: `f(x)`.
    let mistyped = tables
        .iter()
        .filter(|table| table.path.ends_with("mistyped.txt"));
    for group in mistyped.flat_map(|table| &table.groups) {
        for line in &group.lines {
            for suggested in line.said.last().map_or(Vec::new(), |help| to_type(help)) {
                // A file, or what the user has to fill in.
                let open = ["…", "VALUE", "FILE", ".csv", ".calc", ".svg", ":quit"];
                if open.iter().any(|open| suggested.contains(open)) {
                    continue;
                }
                let mut desk = Desk::with(&group.session);
                let answers = desk.try_line(suggested);
                let error = answers.into_iter().find_map(Result::err);
                let error = error.map(|error| error.message);
                assert_eq!(error, None, "`{}` leads to `{suggested}`", line.line);
                typed += 1;
            }
        }
    }
    assert!(typed >= 80, "{typed} lines were typed");
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

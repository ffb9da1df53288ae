//! Lines with a slip in them, or in the way of another language: an error changes nothing, and what its help says to type
//! runs.
//!
//! The files in `tests/screens/refused/` record the lines and what the program says of each. What the help says to type is
//! typed here after the line that failed, and must run. If another meaning of the line is near, a condition after `wish> `
//! says what must hold after its first sentence was typed.

use std::fmt::Write as _;
use std::sync::LazyLock;

use crate::common::invariants::sound;
use crate::common::{Desk, everything};
use crate::records::{Kind, Line, Record};
use chainrule::commands::find;
use chainrule_report::diagnostic::Diagnostic;

/// A line that is refused.
struct Refused {
    /// The lines that make its session.
    session: Vec<String>,
    line: String,
    /// Whether letters need no numbers there.
    reads_letters: bool,
    error: Diagnostic,
    /// What must hold after the line of the help was typed.
    wish: Option<String>,
}

/// All refused lines of the records.
static REFUSED: LazyLock<Vec<Refused>> = LazyLock::new(|| {
    let records = Record::all("refused");
    let groups = records.iter().flat_map(|record| &record.groups);
    let parts = groups.flat_map(|group| &group.parts);
    parts
        .flat_map(|part| refused_in(part.begin.iter().chain(&part.lines)))
        .collect()
});

/// The refused lines of a session, none of which may change it.
fn refused_in<'r>(lines: impl Iterator<Item = &'r Line>) -> Vec<Refused> {
    let mut refused: Vec<Refused> = Vec::new();
    let (mut desk, mut session) = (Desk::default(), Vec::new());
    for Line { kind, text, .. } in lines {
        if *kind == Kind::Wish {
            let last = refused.last_mut().expect("an error is above a wish");
            last.wish = Some(text.clone());
            continue;
        }
        sound(&desk.session);
        desk.session.show.reads_letters = *kind == Kind::Person;
        let before = everything(&desk.session);
        match desk.try_line(text).pop() {
            Some(Err(error)) => {
                let after = everything(&desk.session);
                assert_eq!(after, before, "`{text}` changed the session");
                refused.push(Refused {
                    session: session.clone(),
                    line: text.clone(),
                    reads_letters: *kind == Kind::Person,
                    error,
                    wish: None,
                });
            }
            _ => session.push(text.clone()),
        }
    }
    refused
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
    [":quit", ":load", ":data", "chainrule ", "rsvg-convert "]
        .iter()
        .any(|it| line.starts_with(it))
}

#[test]
fn what_the_help_says_to_type_runs() {
    let (mut typed, mut wishes) = (0, 0);
    let mut failures = String::new();
    for refused in &*REFUSED {
        let help = refused.error.help.as_deref().unwrap_or_default();
        for (nth, sentence) in help.split("; ").enumerate() {
            let mut desk = Desk::default();
            desk.session.show.reads_letters = refused.reads_letters;
            for line in &refused.session {
                desk.screen(line);
            }
            desk.error(&refused.line);
            let mut lines = lines_to_type(sentence);
            lines.retain(|it| !needs_the_user(it));
            let wished = refused.wish.as_ref().filter(|_| nth == 0);
            let assertion = wished.map(|it| format!(":assert {it}"));
            typed += lines.len();
            wishes += usize::from(wished.is_some());
            for suggested in lines.into_iter().chain(assertion.as_deref()) {
                if let Some(Err(error)) = desk.try_line(suggested).pop() {
                    let (line, message) = (&refused.line, error.message);
                    let _ = writeln!(failures, "`{line}` leads to `{suggested}`: {message}");
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

/// Each row of the table of hints that refuses a line is tried in one of the records.
#[test]
fn every_hint_is_tried() {
    let rows = include_str!("../src/interpret/python/patterns.txt").lines();
    for row in rows.filter(|row| !row.starts_with('#')) {
        let Some((_, hint)) = row.split_once(" → ") else {
            continue;
        };
        let help = hint.rsplit(" → ").next().unwrap_or_default();
        let is_tried = |Refused { error, .. }: &Refused| {
            fits(help, error.help.as_deref().unwrap_or(&error.message))
        };
        assert!(REFUSED.iter().any(is_tried), "no line is told: {row}");
    }
}

#[test]
fn every_command_that_an_error_names_exists() {
    for Refused { line, error, .. } in &*REFUSED {
        // Commands that do not exist were typed; the help and the message name none.
        let help = error.help.as_deref().unwrap_or_default();
        let said = format!("{} {} {help}", error.label, error.message);
        for quoted in said.split('`').skip(1).step_by(2) {
            let word = quoted.strip_prefix(':').unwrap_or_default();
            let word = word.split([' ', ';']).next().unwrap_or_default();
            let is_typed = line.contains(&format!(":{word}"));
            assert!(
                word.is_empty() || is_typed || find(word).is_ok(),
                "`{line}` is told of `:{word}`"
            );
        }
    }
}

//! Completion for every argument of every command, and in sessions of any size. Offers at all kinds of places are recorded
//! in `tests/screens/completion.txt`.

use std::time::{Duration, Instant};

use crate::common::{Desk, Random};
use crate::records::Record;
use crate::typing;
use crate::typing::completions_at;
use chainrule::command::Command;
use chainrule::command::args::{Argument, ArgumentKind};
use chainrule::commands::COMMANDS;
use chainrule::interpret::{MOST_CANDIDATES, completions};
use chainrule_engine::ops;
use chainrule_session::settings::SETTINGS;

fn desk() -> Desk {
    Desk::with(&[
        "alpha, b = 2, -3",
        "const k = 5",
        "L = alpha*b + k",
        "f(x) = 3x^2 - 4x",
        "two(x, y) = x*y",
        "old = 1; y = old; old = 2",
    ])
}

/// Is the text among the completions?
fn is_offered(desk: &Desk, line: &str, wanted: &str) -> bool {
    let found = completions_at(desk, line);
    found.candidates.iter().any(|found| found.text == wanted)
}

/// A line that leads up to an argument, with all words needed before it.
fn leading(command: &Command, argument: &Argument) -> String {
    let mut line = format!(":{}", command.name);
    for earlier in command.arguments {
        if earlier.name == argument.name {
            break;
        }
        // Only arguments that must come before it are included.
        let passes = argument.keyword.is_none() || earlier.is_required;
        if passes && earlier.keyword.is_none() {
            line.push_str(match earlier.name {
                "KEY" => " digits",
                "RULE" => " overwrite",
                "RATE" => " 0.1",
                "LEAF VALUE, …" => " alpha 2",
                // A range may stand in its place.
                "N" if argument.kind == ArgumentKind::Range => "",
                _ => " alpha",
            });
        }
    }
    // Its keyword is a keyword only after an operand; a node comes before `of`.
    if argument.must_follow_operand && argument.keyword != Some("of") {
        line.push_str(" alpha");
    }
    if let Some(keyword) = argument
        .keyword
        .filter(|_| argument.kind != ArgumentKind::Flag)
    {
        line.push(' ');
        line.push_str(keyword);
    }
    line + " "
}

/// `tests/screens/arguments.txt` records the offers of Tab for each argument, and after the beginning of a name.
#[test]
fn every_argument_of_every_command_is_completed() {
    let mut desk = desk();
    desk.line(":walk L");
    let record = Record::read("arguments");
    let mut missing = Vec::new();
    for command in COMMANDS {
        for argument in command.arguments {
            let lead = leading(command, argument);
            for candidate in completions_at(&desk, &lead).candidates {
                let begun = candidate.text.trim_end_matches([' ', '(', '=']);
                let line = format!("{lead}{begun}");
                let is_word = begun.ends_with(char::is_alphanumeric);
                assert!(
                    !is_word || is_offered(&desk, &line, &candidate.text),
                    "{line}"
                );
                assert!(!candidate.about.is_empty(), "{line}");
            }
            let lines = [lead.clone() + "|", lead + "alp|"].into_iter();
            missing.extend(lines.filter(|line| record.lines().all(|it| it.text != *line)));
        }
    }
    assert!(missing.is_empty(), "not in the record: {missing:?}");
}

#[test]
fn every_word_that_is_known_is_offered() {
    let desk = Desk::default();
    for command in COMMANDS {
        let blank = if command.arguments.is_empty() {
            ""
        } else {
            " "
        };
        let (line, word) = (
            format!(":{}", command.name),
            format!("{}{blank}", command.name),
        );
        assert!(is_offered(&desk, &line, &word), "{line}");
    }
    for name in ops::function_names() {
        assert!(is_offered(&desk, name, &format!("{name}(")), "{name}");
    }
    for (name, ..) in ops::CONSTANTS {
        assert!(is_offered(&desk, name, name), "{name}");
    }
    for setting in SETTINGS {
        assert!(
            is_offered(&desk, ":config ", setting.key),
            "{}",
            setting.key
        );
    }
}

/// The time allowed; more for a debug build, which may run on a slow machine.
const PATIENCE: Duration = Duration::from_millis(if cfg!(debug_assertions) { 4_000 } else { 60 });

#[test]
fn a_large_session_is_as_quick() {
    let mut desk = Desk::default();
    for some in 0..100 {
        let names: Vec<String> = (0..1_000)
            .map(|name| format!("name{}", some * 1_000 + name))
            .collect();
        let values = vec!["1"; names.len()].join(", ");
        desk.line(&format!("{} = {values};", names.join(", ")));
    }
    for marked in [
        "|",
        "nam|",
        "NAM|",
        "naem|",
        "qqqq|",
        ":grad |",
        ":set nam|",
        ":del nam|",
        ":freeze nam|",
    ] {
        let start = Instant::now();
        let found = completions_at(&desk, marked);
        assert!(
            start.elapsed() < PATIENCE,
            "{marked}: {:?}",
            start.elapsed()
        );
        let listed = found.candidates.len();
        assert!(listed <= MOST_CANDIDATES + 8, "{marked}: {listed}");
        if marked.to_lowercase().contains("nam|") {
            let (more, common) = found.more.expect(marked);
            assert_eq!(
                (more, common.as_str()),
                (100_000 - MOST_CANDIDATES, "name"),
                "{marked}"
            );
        }
    }
}

#[test]
fn no_line_is_too_much() {
    let mut desk = desk();
    desk.line("α, 長い = 1, 2");
    assert_eq!(
        typing::offers(&mut desk, "2*長"),
        "2*長い|   長い: leaf = 2\n"
    );
    let long = "1+".repeat(1_000_000);
    assert!(
        completions(&desk.session, &long, long.len())
            .candidates
            .is_empty()
    );
    let deep = "(".repeat(15_000) + "alp";
    let start = Instant::now();
    assert_eq!(
        completions(&desk.session, &deep, deep.len())
            .candidates
            .len(),
        1
    );
    assert!(start.elapsed() < PATIENCE, "{:?}", start.elapsed());
    let pieces = [
        "a", "alpha", "長", "α", ":", ":grad", ":set", ":graph", ":load", ":del", ":help",
        ":config", " ", "\n", "\\\n", ";", ",", "(", ")", "[", "\"", "'", "’", ".", "..", "@",
        "@1", "$", "$1", "^", "-", "2", "²", "⁻", "√", "*", "**", "=", "==", "!", "#", " # ",
        "const", "wrt", "of", "\t", "\u{1b}", "\u{202e}", "?", "digits", "~/",
    ];
    let mut random = Random(11);
    for _ in 0..20_000 {
        let line: String = (0..random.below(12))
            .map(|_| pieces[random.below(pieces.len())])
            .collect();
        let cursor = random.below(line.len() + 2);
        let found = completions(&desk.session, &line, cursor);
        assert!(
            found.start <= cursor && line.is_char_boundary(found.start),
            "{line:?} {cursor}"
        );
    }
}

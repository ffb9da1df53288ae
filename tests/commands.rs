//! Commands: their names, undo, and limits. Their answers are recorded in `tests/screens/commands.txt`, their errors in
//! `tests/screens/refused/commands.txt`.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::common::{Desk, close, number};
use chainrule::commands;
use chainrule::commands::COMMANDS;
use serde_json::json;

/// The lecture's first graph.
const LECTURE: &[&str] = &["a, b, c, f = 2, -3, 10, -2", "L = (a*b + c) * f"];

fn lecture() -> Desk {
    Desk::with(LECTURE)
}

/// The part of the state that `:undo` restores.
fn state(desk: &mut Desk) -> String {
    let session = &desk.session;
    let mut out = format!("{:?}\n", session.settings());
    for (name, node) in session.names().named_nodes() {
        let _ = writeln!(
            out,
            "{name} {} {:x} {} {} {}",
            node.id(),
            node.data().to_bits(),
            node.is_free(),
            session.expression(node),
            session.label(node)
        );
    }
    out
}

#[test]
fn names_aliases_and_beginnings() {
    let found = |word: &str| {
        let found = commands::find(word).map(|command| command.name);
        found.map_err(|error| error.message)
    };
    for (word, name) in [
        ("g", "grad"),
        ("s", "set"),
        ("q", "quit"),
        ("u", "undo"),
        ("h", "help"),
        ("?", "help"),
        ("back", "backward"),
        ("fr", "freeze"),
    ] {
        assert_eq!(found(word), Ok(name), ":{word}");
    }
    for command in COMMANDS {
        for word in std::iter::once(&command.name).chain(command.aliases) {
            assert_eq!(found(word), Ok(command.name), ":{word}");
        }
        for length in 1..command.name.len() {
            let word = &command.name[..length];
            let taken = COMMANDS
                .iter()
                .find(|other| other.name == word || other.aliases.contains(&word));
            let begun: Vec<&str> = COMMANDS
                .iter()
                .map(|other| other.name)
                .filter(|name| name.starts_with(word))
                .collect();
            let expected = match (taken, begun.as_slice()) {
                (Some(taken), _) => Ok(taken.name),
                (None, [_]) => Ok(command.name),
                (None, _) => Err(format!("`:{word}` begins several commands")),
            };
            assert_eq!(found(word), expected, ":{word}");
        }
    }
}

#[test]
fn many_steps_are_single_steps() {
    let (mut once, mut often) = (lecture(), lecture());
    let several = once.answer(":step 0.001 5");
    let mut values = vec![json!(-8)];
    for _ in 0..5 {
        values.push(often.answer(":step 0.001")["after"].clone());
    }
    assert_eq!(several["values"], json!(values));
    assert_eq!(
        (&several["before"], &several["after"]),
        (&json!(-8), &values[5])
    );
    assert_eq!(several["steps"], json!(5));
    for name in ["a", "b", "c", "f", "L"] {
        assert_eq!(
            once.value(name).to_bits(),
            often.value(name).to_bits(),
            "{name}"
        );
        assert_eq!(
            once.grad(name).to_bits(),
            often.grad(name).to_bits(),
            "{name}"
        );
    }
    // The change spans all steps.
    let row = &several["rows"][3];
    assert_eq!(row["node"], "a");
    assert!(close(
        number(&row["change"]),
        once.value("a") - 2.0,
        1e-12,
        0.0
    ));
    assert_eq!(
        once.session.journal().undoable().len(),
        LECTURE.len() + 1,
        "one entry"
    );
}

#[test]
fn only_a_hundred_results_are_kept() {
    let mut desk = Desk::default();
    for count in 1..=101 {
        desk.line(&format!("{count} * 10"));
    }
    assert_eq!((desk.value("$2"), desk.value("$101")), (20.0, 1010.0));
    // Each evaluation adds a result and pushes an old one out.
    assert_eq!(desk.error("$3").message, "there is no `$3`");
    assert_eq!(desk.value("$5"), 50.0);
}

#[test]
fn every_kind_of_change_can_be_taken_back() {
    let before: Vec<&str> = [
        LECTURE,
        &["x = a", "const k = 4", "M = k*x", "a*7", ":grad L"],
    ]
    .concat();
    for line in [
        "y = 3",
        "y, z = 3, a*2",
        "a = 5",
        "x = 5",
        "a, b = 5, 6",
        "a, b = b, a",
        "a += 1",
        "L = L*2",
        "const y = 3",
        "y = a",
        ":set a 3",
        ":set a 3;",
        ":set a 3, b a/2",
        ":set k 9",
        ":step 0.01",
        ":step 0.01 25",
        ":step -0.3 3 of M",
        ":freeze a",
        ":freeze a b f",
        ":thaw k",
        ":del a",
        ":del x",
        ":del a x",
        ":del L a b c f x k M",
        ":reset",
        ":config digits 17",
        ":config digits 3",
    ] {
        let mut desk = Desk::with(&before);
        let (at_first, entries) = (state(&mut desk), desk.session.journal().undoable().len());
        let answers = desk.try_line(line);
        assert!(answers.iter().all(Result::is_ok), "{line}");
        let changed = state(&mut desk);
        assert_ne!(changed, at_first, "{line} changes something");
        assert_eq!(
            desk.session.journal().undoable().len(),
            entries + 1,
            "{line} is one entry"
        );
        for _ in 0..2 {
            let undone = desk.answer(":undo");
            let text = line.trim_end_matches(';');
            assert_eq!(undone["undone"], json!([text]), "{line}");
            assert_eq!(state(&mut desk), at_first, "{line} is undone");
            assert_eq!(desk.answer(":redo")["redone"], json!([text]), "{line}");
            assert_eq!(state(&mut desk), changed, "{line} is done again");
        }
        // Undo everything and redo everything.
        desk.line(&format!(":undo {}", entries + 1));
        assert!(
            desk.session.names().named_nodes().next().is_none(),
            "{line}: nothing is left"
        );
        desk.line(&format!(":redo {}", entries + 1));
        assert_eq!(state(&mut desk), changed, "{line}: and everything again");
    }
}

#[test]
fn a_hundred_changes_can_be_taken_back() {
    let mut desk = Desk::default();
    for count in 1..=150 {
        desk.line(&format!("x = {count}"));
    }
    let log = desk.screen(":log");
    let (first, last) = ("  undo   100   x = 51\n", "  undo     1   x = 150\n");
    let begin = format!("50 older changes can no longer be taken back\n{first}");
    assert!(log.starts_with(&begin) && log.ends_with(last), "{log}");
    desk.line(":undo 100");
    assert_eq!(desk.value("x"), 50.0);
    assert_eq!(desk.error(":undo").message, "nothing to undo");
    desk.line(":redo 100");
    assert_eq!(desk.value("x"), 150.0);
}

#[test]
fn commands_are_told() {
    let mut seen: BTreeMap<&str, &str> = BTreeMap::new();
    for command in COMMANDS {
        let (name, summary) = (command.name, command.summary);
        for word in std::iter::once(&name).chain(command.aliases) {
            assert_eq!(seen.insert(word, name), None, ":{word} has two meanings");
        }
        let is_line =
            !summary.is_empty() && !summary.ends_with('.') && summary.chars().count() <= 78;
        assert!(is_line, ":{name}: a summary is one line without a period");
        let shows = |line: &str| {
            let typed = line.strip_prefix("∂> :").unwrap_or_default();
            let word = typed.split([' ', ';']).next().unwrap_or_default();
            word == name || command.aliases.contains(&word)
        };
        assert!(
            command.example().lines().any(shows),
            ":{name}: its example does not type it"
        );
        // Below the arguments: what it does, in one paragraph, the example, and then the details.
        let (said, _) = command.text.split_once("```session\n").expect("a session");
        assert!(
            said.starts_with(&format!("`:{name}`")) && said.matches("\n\n").count() == 1,
            ":{name}: {said}"
        );
    }
}

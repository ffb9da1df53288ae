//! Commands: their names, undo, and limits. Their answers are recorded in `tests/screens/commands.txt`, their errors in
//! `tests/screens/refused/commands.txt`.

use std::collections::BTreeMap;

use crate::common::Desk;
use chainrule::commands;
use chainrule::commands::COMMANDS;

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

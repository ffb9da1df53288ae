//! Files, ranges and the words of a command may have any order, because their shapes tell them apart.

use chainrule::commands::COMMANDS;
use chainrule_report::diagnostic::Diagnostic;

use crate::common::Desk;

const SESSION: &[&str] = &[
    "a, b = 2, -3",
    "L = a*b + a",
    "s = [1, 2, 3]",
    "M = [[1, 2], [3, 4]]",
    "ragged = [[1, 2], [3]]",
    "locals, all, steps, right = 3, 4, 5, a*b",
    "f(x) = x^2",
];

/// Pairs of lines with the same answer.
const ORDERS: &[(&str, &str)] = &[
    // Flags, keywords and the subject of the command.
    (":graph locals L", ":graph L locals"),
    (":graph right L", ":graph L right"),
    (":graph L wrt a right", ":graph right L wrt a"),
    (":graph (right) locals", ":graph locals (right)"),
    (":walk forward L", ":walk L forward"),
    (":walk ask L", ":walk L ask"),
    (":check all L", ":check L all"),
    // The word after a keyword is its value, even if it has the name of another keyword.
    (":check a*all wrt all", ":check a*all wrt (all)"),
    // Ranges, with or without blanks.
    (":plot logx f x=1..2", ":plot f x=1..2 logx"),
    (":plot x=1..2 f", ":plot f x=1..2"),
    (":plot x=1..2 log f", ":plot f x=1..2 log"),
    (
        ":plot f log x=1..2 size 30x8",
        ":plot f x=1..2 size=30x8 log",
    ),
    (":plot x = 1 .. 2 f", ":plot f x=1..2"),
    (":plot 1 .. 2 f", ":plot f 1..2"),
    (":plot s over s up=0..1", ":plot up=0..1 s over s"),
    (":step k=1..3 0.1 of L", ":step 0.1 k=1..3 of L"),
];

/// Lines that write a file, and its name.
const FILES: &[(&str, &str)] = &[
    (":graph t.svg L", "t.svg"),
    (":graph t.svg a*b down", "t.svg"),
    (":graph L wrt a 't u.svg' right", "t u.svg"),
    (":grad b.md L", "b.md"),
    (":grad L.csv L", "L.csv"),
    (":grad L B.CSV wrt a", "B.CSV"),
    (":plot p.svg f x=1..2", "p.svg"),
    (":plot f p.svg x=1..2 log", "p.svg"),
    (":plot a.csv s over s", "a.csv"),
    (":set t.csv a 3", "t.csv"),
    (":vars t.csv", "t.csv"),
    (":step 0.1 t.csv 3 of L", "t.csv"),
    (":topo t.csv L", "t.csv"),
];

fn desk() -> Desk {
    let mut desk = Desk::with(SESSION);
    desk.line(":grad L;");
    desk
}

#[test]
fn words_may_stand_in_any_order() {
    for &(line, usual) in ORDERS {
        let [one, other] = [line, usual].map(|line| desk().screen(line));
        let [one, other] = [one, other].map(|screen| {
            assert!(!screen.contains("error:"), "{line}: {screen}");
            // The line below a picture repeats the words as they were typed.
            let own = screen.lines().filter(|line| !line.contains("FILE"));
            own.map(String::from).collect::<Vec<_>>()
        });
        assert_eq!(one, other, "{line}");
    }
    for &(line, file) in FILES {
        let written = desk().try_file(line).map(|(path, _)| path);
        assert_eq!(written.as_deref(), Some(file), "{line}");
    }
}

/// No usage is so long that an error would cut it.
#[test]
fn usages_are_whole() {
    for command in COMMANDS {
        let usage = format!("usage: `{}`", command.usage());
        let error = Diagnostic::new("").help(usage.clone());
        assert_eq!(error.help, Some(usage));
    }
}

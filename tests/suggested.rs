//! Files, ranges and the words of a command may stand in any order: what a word is shows in its shape.
#![allow(clippy::unwrap_used)]

use chainrule::commands::COMMANDS;
use chainrule::diagnostic::Diagnostic;
use chainrule::view::Style;

use crate::common::process::{Folder, run};
use crate::common::{self, Desk};

const SESSION: &[&str] = &[
    "a, b = 2, -3",
    "L = a*b + a",
    "s = [1, 2, 3]",
    "M = [[1, 2], [3, 4]]",
    "ragged = [[1, 2], [3]]",
    "locals, bars, steps, right = 3, 4, 5, a*b",
    "f(x) = x^2",
];

/// Lines that run, each with another that has the same answer.
const ORDERS: &[(&str, &str)] = &[
    // Flags, keywords and what the command is about.
    (":graph locals L", ":graph L locals"),
    (":graph right L", ":graph L right"),
    (":graph L wrt a right", ":graph right L wrt a"),
    (":graph (right) locals", ":graph locals (right)"),
    (":walk forward L", ":walk L forward"),
    (":walk ask L", ":walk L ask"),
    (":grad bars L", ":grad L bars"),
    (":grad wrt a bars L", ":grad L bars wrt a"),
    (":check all L", ":check L all"),
    (":nudge central a 0.1 of L", ":nudge a 0.1 central of L"),
    // Behind a keyword stands its value, also if it is called like another keyword.
    (":grad a*bars wrt bars", ":grad a*bars wrt (bars)"),
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
    (":grad b.svg L", "b.svg"),
    (":grad L.csv L", "L.csv"),
    (":grad L bars B.SVG wrt a", "B.SVG"),
    (":plot p.svg f x=1..2", "p.svg"),
    (":plot f p.svg x=1..2 log", "p.svg"),
    (":plot a.csv s over s", "a.csv"),
    (":set t.csv a 3", "t.csv"),
    (":vars t.md", "t.md"),
    (":step 0.1 t.csv 3 of L", "t.csv"),
    (":topo t.md L", "t.md"),
];

/// Lines that are refused, each with its place and what the error says.
const REFUSED: &[(&str, &str, &str)] = &[
    (
        ":graph L locals locals",
        "locals",
        "`:graph` does not take `locals` here",
    ),
    (
        ":plot f x=1..2 log log",
        "log",
        "`:plot` does not take `log` here",
    ),
    (
        ":graph L right down",
        "down",
        "`right` and `down` do not go together",
    ),
    (
        ":graph L locals named",
        "named",
        "`named` and `locals` do not go together",
    ),
    (":graph L grads", "grads", "`grads` needs `named`"),
    (
        ":graph L foo.pdf locals",
        "foo.pdf",
        "`foo.pdf` has no ending that is known here",
    ),
    (
        ":graph L right pic",
        "pic",
        "`:graph` does not take `pic` here",
    ),
    (
        ":graph L t.svg u.SVG",
        "u.SVG",
        "`:graph` takes one file at a time",
    ),
    (":vars a.csv b.csv", "b.csv", "`:vars` takes no arguments"),
    (":zero a.csv", "a.csv", "has no table"),
    (":grad L wrt", "", "`wrt` needs a node"),
    (":plot f x=1..2 y=1..2 z=1..2", "z=1..2", "does not take"),
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

#[test]
fn what_is_refused_has_its_place() {
    for &(line, place, message) in REFUSED {
        let error = desk().error(line);
        assert!(error.message.contains(message), "{line}: {error:?}");
        let span = error.span.unwrap_or_default();
        assert_eq!(&line[span.clone()], place, "{line}");
        let first = line.find(place).unwrap_or_default();
        assert!(span.start >= first, "{line}");
        assert!(error.help.is_some(), "{line}");
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

/// Below a picture of which only a part is drawn stands the line that draws it all, with the words of the user.
#[test]
fn a_part_of_a_picture_tells_how_to_draw_all() {
    let mut desk = Desk::with(SESSION);
    desk.line("big = sum([(k + a)*(k - b) for k in 1..60])");
    desk.line(":set a 3; :grad big;");
    let style = Style {
        width: Some(80),
        ..Style::default()
    };
    for (words, all) in [
        ("big locals right", ":graph big FILE.svg"),
        ("down", ":graph big FILE.svg"),
        ("big + 10000000 + 20000000 + 3 locals", ":graph T FILE.svg"),
    ] {
        desk.line("big;");
        let line = format!(":graph {words}");
        let out = common::shown(&line, &desk.try_line(&line), &style);
        let told = out.lines().find(|line| line.contains("left out; all:"));
        let told = told.unwrap_or_else(|| panic!("{line}: {out}"));
        assert!(told.ends_with(&format!("all: {all}")), "{told}");
        if !all.contains(" T ") {
            desk.line(all);
        }
    }
}

/// Endings may be in capitals, and names may begin with digits.
#[cfg(unix)]
#[test]
fn files_have_the_names_that_were_typed() {
    let folder = Folder::new();
    for (line, begins) in [
        (":graph L 1.svg", "<?xml"),
        (":graph L T.SVG right", "<?xml"),
        (":graph L t.Html", "<!doctype"),
        (":plot a^2 a=0..1 2.CSV", "a,"),
        (":grad L 3.SVG bars", "<?xml"),
        (":grad L G.CSV", "node,"),
    ] {
        let name = line
            .split(' ')
            .find(|word| word.contains('.') && !word.contains(".."))
            .unwrap();
        let path = folder.0.join(name);
        let line = line.replace(name, &path.to_string_lossy());
        let ran = run(&[], format!("a, b = 2, -3\nL = a*b\n{line}\n"));
        assert_eq!(ran.err, "", "{line}");
        let text = std::fs::read_to_string(&path).unwrap();
        assert!(
            text.trim_start().starts_with(begins),
            "{line}: {}",
            &text[..60.min(text.len())]
        );
    }
}

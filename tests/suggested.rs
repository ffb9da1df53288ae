//! Errors of `:graph`, `:plot`, `:grad` and `:walk` say what to type: every line that they suggest works.
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

/// Lines that fail, each with the first line that its error suggests.
const SLIPS: &[(&str, &str)] = &[
    // Words in another order.
    (":graph locals L", ":graph L locals"),
    (":graph right L;", ":graph L right"),
    (":graph t.svg L", ":graph L t.svg"),
    (":graph t.svg a*b down", ":graph a*b t.svg down"),
    (":walk forward L", ":walk L forward"),
    (":walk ask L", ":walk L ask"),
    (":grad bars L", ":grad L bars"),
    (":grad b.svg L", ":grad L b.svg"),
    (":plot logx f x=1..2", ":plot f x=1..2 logx"),
    (":plot p.svg f x=1..2", ":plot f x=1..2 p.svg"),
    // Words that are there twice.
    (":graph L locals locals", ":graph L locals"),
    (
        ":graph L t.svg locals right locals",
        ":graph L t.svg locals right",
    ),
    (":graph locals locals", ":graph locals"),
    (":walk L forward forward", ":walk L forward"),
    (":grad L bars bars", ":grad L bars"),
    (":plot f x=1..2 log log", ":plot f x=1..2 log"),
    (
        ":plot f x=1..2 size 30x8 log size 20x9",
        ":plot f x=1..2 size 30x8 log",
    ),
    (":plot s over s over s t.svg", ":plot s over s t.svg"),
    // Files.
    (":graph L foo.pdf locals", ":graph L foo.svg locals"),
    (":graph L 'a b.pdf' right", ":graph L 'a b.svg' right"),
    (":graph L right pic", ":graph L right pic.svg"),
    (":graph L t.svg right x", ":graph L t.svg right"),
    (":graph L t.svg u.SVG right", ":graph L right t.svg"),
    (":plot f x=1..2 x.pdf log", ":plot f x=1..2 x.svg log"),
    (":grad L bars b.pdf wrt a", ":grad L bars b.svg wrt a"),
    // Lists.
    (":graph s^2 locals", ":graph sum(s^2) locals"),
    (":graph s t.svg down", ":graph sum(s) t.svg down"),
    (":graph M right", ":graph sum(flat(M)) right"),
    (":grad ragged bars", ":grad sum(flat(ragged)) bars"),
    // Words that do not go together. Names that are such words stand in brackets.
    (":graph (right) named grads", ":grad (right)"),
    // After `wrt` a name that is such a word stands in brackets.
    (":grad L wrt bars", ":grad L wrt (bars)"),
    (":grad L bars wrt bars", ":grad L bars wrt (bars)"),
    (":plot (right) steps t.svg", ":step 0.01 100 of (right)"),
    (":plot L steps a=1..2 t.svg", ":plot L steps t.svg"),
    (":plot s x=1..2 over s", ":plot s over s"),
    (":plot s with s, s t.svg", ":plot s t.svg"),
    (":plot s, s over s, s, s", ":plot s, s over s"),
    // Ranges and sizes.
    (":plot L t.svg", ":plot L a=-5..5 t.svg"),
    (":plot L L=0..1 t.svg", ":plot L a=0..1 t.svg"),
    (":plot f x=2..1 log t.svg", ":plot f x=1..2 log t.svg"),
    (":plot f x=1..1 t.svg", ":plot f x=-5..5 t.svg"),
    (":plot f x=3 t.svg", ":plot f x=-5..5 t.svg"),
    (":plot f x=0..inf t.svg", ":plot f x=-5..5 t.svg"),
    (":plot f x=-1..5 log t.svg", ":plot f x=0.005..5 log t.svg"),
    (":plot f x=1..2 logz t.svg", ":plot f x=1..2 logy t.svg"),
    (
        ":plot f x=1..2 size=3 t.svg",
        ":plot f x=1..2 size=800x400 t.svg",
    ),
    (":plot f x=1..2 b", ":plot f x=1..2"),
    (":plot s[1] s=0..1 t.svg", ":plot s[1] s[1]=0..1 t.svg"),
];

/// The lines that an error suggests.
fn suggested(error: &Diagnostic) -> Vec<String> {
    let help = error.help.clone().unwrap_or_default();
    let quoted = help.split('`').skip(1).step_by(2);
    let holds = |line: &&str| line.starts_with(':') && line.len() > 1;
    // `T`, `NODE`, `FILE` stand for something that is not known.
    let is_whole = |line: &&str| {
        let mut words = line.split_whitespace();
        !words.any(|word| ["T", "NODE", "FILE", "FILE.svg"].contains(&word))
    };
    let lines = quoted.filter(holds).filter(is_whole);
    lines.map(str::to_string).collect()
}

#[test]
fn every_suggested_line_works() {
    for &(slip, line) in SLIPS {
        let mut desk = Desk::with(SESSION);
        desk.line(":grad L;");
        // The step makes lines about steps work.
        if slip.contains("steps") && !slip.contains("(right)") {
            desk.line(":step 0.1 3 of L;");
        }
        let error = desk.error(slip);
        let lines = suggested(&error);
        assert_eq!(
            lines.first().map(String::as_str),
            Some(line),
            "{slip}: {error:?}"
        );
        for line in lines {
            if let Some(Err(error)) = desk.try_line(&line).pop() {
                panic!("{slip}: {line}: {}", error.message);
            }
        }
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

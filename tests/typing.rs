//! What is computed while the user types: the live result of a line, and syntax highlighting.

use std::cell::Cell;
use std::rc::Rc;

use crate::common::{Desk, number};
use chainrule::interpret;
use chainrule::interpret::TokenStyle;
use chainrule::session::settings::THEMES;
use chainrule::session::{Host, QuietHost};
use chainrule_view as view;
use chainrule_view::Style;
use chainrule_view::theme::{Role, Theme, paint_text};

const BEFORE: &[&str] = &[
    "a, b, c, f = 2, -3, 10, -2",
    "L = (a*b + c)*f",
    "g(x) = x^2 + 1",
    ":grad L",
];

fn told(desk: &mut Desk, line: &str) -> String {
    let told = interpret::preview(&mut desk.session, line, Rc::new(QuietHost)).answer;
    told.map_or(String::new(), |line| view::plain(&line, &Style::default()))
}

#[test]
fn results_are_shown_while_typing() {
    let mut desk = Desk::with(BEFORE);
    for (line, expected) in [
        ("a*b + c", "= 4"),
        ("a", "= 2"),
        ("d = a*b", "= -6"),
        ("p, q = a, a^2", "= 2, 4"),
        ("a += 1", "= 3"),
        ("g(3)", "= 10"),
        ("g'(3)", "= 6"),
        ("ln(-1)", "= NaN"),
        ("1/0", "= inf"),
        ("a.grad", "= 6"),
        ("t = 7; t*a", "= 14"),
        ("h(x) = x; h(5)", "= 5"),
        (":set a 3", "L = -2"),
        (":se a 3, b 0", "L = -20"),
        ("l = 5 ± 2%", "= 5 ± 0.1"),
        ("l, m = 5 ± 2%, 7 +/- 1", "= 5 ± 0.1, 7 ± 1"),
        ("l = 5 ± 2%; l", "= 5 ± 0.1"),
        (":set a ± 0.1", "L = -8"),
        (":set a 3 ± 0.1", "L = -2"),
        ("  a*b  # a comment", "= -6"),
        // What goes on from the last result.
        ("8; *3", "= 24"),
        // No live result: incomplete, silenced, too expensive, or just what was typed.
        ("", ""),
        ("   ", ""),
        ("a*", ""),
        ("(a*b", ""),
        ("a*b;", ""),
        ("nobody + 1", ""),
        ("1/0 +", ""),
        ("3", ""),
        ("x = 3", ""),
        ("# a comment", ""),
        ("h(x) = x", ""),
        (":grad L", ""),
        (":reset", ""),
        (":reset; a", ""),
        (":set L 3", ""),
        (":set a", ""),
        ("l = 5 ±", ""),
        (":set a ±", ""),
        ("5 ± 0.1", ""),
        ("L.backward()", ""),
        (":load nowhere.calc", ""),
    ] {
        assert_eq!(told(&mut desk, line), expected, "{line}");
    }
    // The session has not changed.
    assert_eq!(desk.value("a + L"), -6.0);
    assert!(desk.session.names().find_node("d").is_none());
    let a = desk.session.names().find_node("a").expect("it was bound");
    assert_eq!(desk.session.uncertainty(a), None);
    assert_eq!(desk.session.journal().redoable().len(), 0);
    assert_eq!(desk.session.journal().undoable().len(), 3);
}

/// What Enter would do: the history offers nothing where it would be an error.
#[test]
fn a_line_is_known_to_run() {
    let mut desk = Desk::with(BEFORE);
    desk.line("5");
    for line in [
        "a",
        "x = 3",
        "a*b;",
        "h(x) = x",
        "*3",
        "1/0",
        ":grad",
        ":grad L wrt a",
        ":set a 3",
        ":explain a",
        ":help grad",
        ":config undo-steps 1",
        ":config theme light",
        ":save lesson.calc",
        ":graph L picture.svg",
        ":reset",
        ":step 0.1",
        ":tour",
        ":quit",
    ] {
        let before = format!("{:?}", desk.session.settings());
        let tried = interpret::preview(&mut desk.session, line, Rc::new(QuietHost));
        assert!(tried.runs, "{line}");
        assert_eq!(before, format!("{:?}", desk.session.settings()), "{line}");
    }
    for line in [
        "",
        "  ",
        "rate",
        "rate =",
        "a*",
        "(a",
        "tanh",
        "nobody + 1",
        ":nope",
        ":grad nobody",
        ":explain",
        ":set a",
        ":config nothing",
        ":save",
        // Whether these run is not known without doing it.
        ":load lesson.calc",
        ":data table.csv",
        // Only the last statement of a line may be a command.
        ":reset; a",
    ] {
        let tried = interpret::preview(&mut desk.session, line, Rc::new(QuietHost));
        assert!(!tried.runs, "{line}");
    }
    assert_eq!(desk.session.journal().undoable().len(), 3);
    assert_eq!(desk.value("L"), -8.0);
}

#[test]
fn a_line_that_begins_with_an_operator_goes_on_from_the_last_result() {
    let mut desk = Desk::with(&["a = 2"]);
    for line in ["*3", "/3", "^2", "**2", "×2", "==2", "<3", "%2"] {
        let error = desk.error(line);
        assert!(
            error.message.starts_with("there is no result yet"),
            "{line}: {}",
            error.message
        );
        assert!(
            error
                .help
                .is_some_and(|help| help.contains("type a value first"))
        );
    }
    desk.line("6");
    for (line, expected) in [
        ("*3", 18.0),
        ("/ 2", 9.0),
        ("^2 - 80", 1.0),
        ("×4", 4.0),
        ("**3 # a comment", 64.0),
        ("%10", 4.0),
        ("÷a", 2.0),
        ("+5", 5.0),
        ("-5", -5.0),
        ("<0", 1.0),
        ("!=0", 1.0),
        ("7; *a", 14.0),
    ] {
        let answers = desk.line(line);
        let data = answers.last().map(|answer| number(&answer["data"]));
        assert_eq!(data, Some(expected), "{line}");
    }
    assert_eq!(desk.line("*2")[0]["translated"], "ans*2");
    assert_eq!(desk.value("ans"), 28.0);
    // An assignment has no name to assign to, and a notebook's line is skipped as before.
    for line in ["*= 2", ")*2", "²"] {
        desk.error(line);
    }
    assert_eq!(desk.line("%matplotlib inline")[0]["kind"], "skipped");
    // The error of what goes on is that of the whole.
    let error = desk.error("*nobody");
    assert_eq!(error.message, "unknown name `nobody`");
    // In a script an indented line belongs to the statement above, which was not continued properly.
    let error = desk.error("  *3");
    assert_eq!(error.message, "expected an expression, found `*`");
}

/// A host that says stop at the n-th question.
struct Stops(Cell<u32>);

impl Host for Stops {
    fn stop(&self) -> bool {
        let left = self.0.get();
        self.0.set(left.saturating_sub(1));
        left == 0
    }
}

#[test]
fn slow_lines_have_no_live_result() {
    let mut desk = Desk::with(&["x = 1", "f0(x) = sin(x)"]);
    for level in 1..10 {
        let inner = format!("f{}", level - 1);
        desk.line(&format!(
            "f{level}(x) = {inner}({inner}({inner}({inner}(x))))"
        ));
    }
    let long = "f9(x)";
    for patience in [0, 1, 2, 5] {
        let host = Rc::new(Stops(Cell::new(patience)));
        let told = interpret::preview(&mut desk.session, long, host);
        assert!(
            !told.runs && told.answer.is_none(),
            "after {patience} questions"
        );
    }
    assert_eq!(told(&mut desk, "x + 1"), "= 2");
    let longer = format!("x{}", " + x".repeat(2_000));
    assert_eq!(told(&mut desk, &longer), "", "lines have a limit");
}

/// The styles of a line's tokens, one letter for each character, `.` for none.
fn letters(desk: &Desk, line: &str, cursor: usize) -> String {
    let mut letters: Vec<char> = line.chars().map(|_| '.').collect();
    for (range, tint) in interpret::highlight(&desk.session, line, cursor) {
        let letter = match tint {
            TokenStyle::Known => 'n',
            TokenStyle::Unknown => '?',
            TokenStyle::Function => 'f',
            TokenStyle::Number => '1',
            TokenStyle::Reference => '@',
            TokenStyle::Operator => '+',
            TokenStyle::Command => ':',
            TokenStyle::Comment => '#',
            TokenStyle::Unpaired => '!',
            TokenStyle::Paired => '=',
        };
        let start = line[..range.start].chars().count();
        let length = line[range].chars().count();
        letters[start..start + length].fill(letter);
    }
    letters.into_iter().collect()
}

#[test]
fn tokens_have_their_styles() {
    let desk = Desk::with(BEFORE);
    // The cursor is at the end, or at the `|`.
    for (line, expected) in [
        ("L = (a*b + z)*2", "n.+..n+n.+.?.+1"),
        ("L = (a*b + z)|*2", "n.+.=n+n.+.?=+1"),
        ("|(a)*(b)", "=n=+.n."),
        ("((a)", "!=n="),
        ("a)", "n!"),
        ("tanh(a) + g(a) + g'(1)", "ffff.n..+.f.n..+.f+=1="),
        ("tanx(a)", "....=n="),
        ("tanx(a)*2", "????.n.+1"),
        ("pi*e + ans", "nn+n.+.nnn"),
        ("p, q = a, 2", "n..n.+.n..1"),
        ("h(u, v) = u*v + w", "n.n..n..+.n+n.+.."),
        // A word that is still being typed, and the same word when the cursor has left it.
        ("tan", "nnn"),
        ("si", ".."),
        ("si + 1", "??.+.1"),
        ("zz + ", "...+."),
        // What may become a binding or a definition has no colour until it is clear that it does not.
        ("ra", ".."),
        ("rate ", "....."),
        ("rate|", "...."),
        ("rate =", "nnnn.+"),
        ("rate*", "....+"),
        ("ra te", "....."),
        ("p, qq", "....."),
        ("p, qq = 1", "n..nn.+.1"),
        ("p, (qq", "...!.."),
        ("ff(u, v", "..!...."),
        ("ff(u, v)", "..=....="),
        ("ff(u, v) +", ".........+"),
        ("ff(2", "..!1"),
        ("const k", ":::::.."),
        ("a = 2; zz", "n.+.1...."),
        ("zz; a", "??..n"),
        // Python, which is translated or refused with the line to type.
        ("def ff(x):", ".........."),
        ("import numpy as np", ".................."),
        ("class Value:", "............"),
        ("return zz", "........."),
        ("definition + 1", "??????????.+.1"),
        (":grad L wrt a b", ":::::.n.:::.n.n"),
        (":gr L", ":::.n"),
        (":grda L", "?????.n"),
        (":", ":"),
        ("a = 2; :grad a", "n.+.1..:::::.n"),
        (":help tanh", ":::::.nnnn"),
        (":help numbers", ":::::........"),
        ("1e-3 + .5 # a + b", "1111.+.11.#######"),
        ("√a · 2²", "+n.+.1+"),
        ("2π*e", "1n+n"),
        ("l = 5 ± 2%", "n.+.1.+.1+"),
        (":set a+/-0.1", "::::.n+++111"),
        ("@3 + $1", "@@.+.@@"),
        ("const k = 3", ":::::.n.+.1"),
        ("[a, b](1|)", ".n..n.=1="),
        ("[a, b]| + 1", "=n..n=.+.1"),
        ("[a)", "!n!"),
        ("[(a]|", "!!n!"),
        ("1..a", "1++n"),
        ("[i^2 for i in a]+1", ".n+1.:::.n.::.n.+1"),
        ("sum(p*q for p, q in b)+1", "fff.n+n.:::.n..n.::.n.+1"),
        ("[a for b]+1", ".n.:::.n.+1"),
        ("for + in + 1", ":::.+.::.+.1"),
    ] {
        let cursor = line.find('|').unwrap_or(line.len());
        let line = line.replace('|', "");
        assert_eq!(letters(&desk, &line, cursor), expected, "{line}");
    }
}

#[test]
fn a_line_is_shown_as_it_was_read() {
    let mut desk = Desk::with(&["a, b = 2, -3", ":config reading on"]);
    for (line, expected) in [
        ("3a^2 - b", "3*a^2 - b = 15\n"),
        ("y = 2a", "y = 2*a = 4\n"),
        ("√a·b²", "sqrt(a)*b^2 = 12.7279220614\n"),
        ("-2^2", "-2^2 = -4\n"),
        ("a", "2\n"),
        ("c = 7", "c = 7\n"),
    ] {
        assert_eq!(desk.screen(line), expected, "{line}");
    }
    assert_eq!(told(&mut desk, "2a + 1"), "= 5");
}

#[test]
fn every_theme_that_can_be_chosen_has_looks_of_its_own() {
    let mut seen: Vec<String> = Vec::new();
    for name in THEMES {
        let theme = Theme::from_name(name);
        let looks: Vec<String> = [Role::Name, Role::Error, Role::Dim]
            .map(|role| paint_text("x", role, Some(theme)))
            .to_vec();
        let looks = looks.concat();
        assert!(!seen.contains(&looks), "`{name}` looks like another");
        seen.push(looks);
    }
}

//! Watches: shown after every statement that changes the watched value, once, and only then.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use crate::common::Desk;
use crate::common::process::{Folder, out, run};
use chainrule::session::watches::MOST_WATCHES;

/// The watched lines in the output of a script.
fn watched(script: &str) -> Vec<String> {
    let shown = out(&[], script);
    let lines = shown
        .lines()
        .filter_map(|line| line.strip_prefix("watch: "));
    lines.map(str::to_string).collect()
}

const START: &str = "a, b, c = 2, -3, 10;\nL = a*b + c;\n";

#[test]
fn what_changes_is_told_after_the_statement() {
    for (script, expected) in [
        (":watch L a\n:set a 3;", &["L  4 → 1   a  2 → 3"][..]),
        (":watch L\nL = a*b*c", &["L  4 → -60"]),
        // `L` still has the same node, whose value did not change.
        (":watch L\na = 5", &[]),
        (":watch a\na = 5", &["a  2 → 5"]),
        (":watch L\n:set a 2", &[]),
        (
            ":watch L\n:set a 3;\n:undo\n:redo",
            &["L  4 → 1", "L  1 → 4", "L  4 → 1"],
        ),
        (":watch L\n:step 0.1 of L;", &["L  4 → 2.54, grad 1"]),
        // A watched node stays the same node, while a watched name is followed.
        ("a + b\n:watch $1\n:set a 3;\na = 7", &["$1  -1 → 0"]),
        (":watch @1\n:set a 3;\na = 7", &["@1  2 → 3"]),
        ("a = 9\n:watch a@1\n:set a@1 1;", &["a@1  2 → 1"]),
        // Grads are shown if they belong to a pass.
        (":watch a\n:grad L;", &["a  grad -3"]),
        (
            ":watch a\n:grad L;\n:grad L;\n:backward L;",
            &["a  grad -3", "a  grad -3 → -6"],
        ),
        (":grad L;\n:watch a\n:zero\n:grad L;", &["a  grad -3"]),
        // Several changes on a line, and a name that is deleted and bound again.
        (":watch a\na = 3; a = 4", &["a  2 → 3", "a  3 → 4"]),
        (":watch a\n:del a\na = 4", &["a  2 → 4"]),
        (":watch a\n:unwatch\na = 4", &[]),
        (":watch a\n:reset\na = 4", &[]),
        (":watch a\n:reset\n:undo\n:set a 4;", &[]),
        (
            "n = nan\n:watch n\nn = 0/0\nn = -0\nn = 0",
            &["n  NaN → -0", "n  -0 → 0"],
        ),
        ("f(x) = x^2\n:watch L\nf(3)\n:vars\n:check L", &[]),
        (":watch L\n:time :set a 3;", &["L  4 → 1"]),
    ] {
        assert_eq!(watched(&format!("{START}{script}\n")), expected, "{script}");
    }
}

/// The line stands below the answer, also if `--quiet` drops that.
#[test]
fn the_line_does_not_depend_on_the_answer() {
    let script = format!("{START}:watch L\n:set a 3\n");
    assert_eq!(watched(&script), ["L  4 → 1"]);
    let quiet = out(&["--quiet"], script);
    assert_eq!(quiet, "watch: L  4 → 1\n");
    // JSON has all changes, in an object of its own.
    let json = out(
        &["--json"],
        format!("{START}:watch L\n:set a 3\n:set a 4;\n"),
    );
    let objects: Vec<serde_json::Value> = json
        .lines()
        .map(|line| serde_json::from_str(line).expect("each line is an object"))
        .collect();
    let kinds: Vec<&str> = objects
        .iter()
        .filter_map(|it| it["kind"].as_str())
        .collect();
    assert_eq!(kinds, ["watches", "set", "watch", "watch"]);
    assert_eq!(objects[2]["line"], 4);
    let change = &objects[2]["changed"][0];
    assert_eq!(change["node"], "L");
    let numbers = ["before", "after"].map(|key| change[key].as_f64());
    assert_eq!(numbers, [Some(4.0), Some(1.0)]);
    assert_eq!(change["grad"], serde_json::Value::Null);
}

#[test]
fn a_file_that_is_loaded_tells_as_it_goes_and_leaves_nothing_if_it_fails() {
    let folder = Folder::new();
    let good = folder.file("good.calc", "L = 5\n:watch b\nb = 7\n");
    let bad = folder.file("bad.calc", "L = 5\n:watch b\n:reset\nq\n");
    let load = |file: &str| format!("{START}:watch L\n:load \"{file}\"\nb = 8\n:set a 3;\nL = 9\n");
    assert_eq!(
        watched(&load(&good)),
        ["L  4 → 5", "b  -3 → 7", "b  7 → 8", "L  5 → 9"]
    );
    let ran = run(&["--keep-going"], load(&bad));
    let after = ran.out.split("b = 8\n").nth(1);
    assert_eq!(
        after,
        Some("watch: L  4 → 1\nL = 9\nwatch: L  1 → 9\n"),
        "{ran:?}"
    );
}

#[test]
fn lists_and_errors() {
    let mut desk = Desk::with(&["a = 2", "b = 3*a"]);
    assert_eq!(
        desk.screen(":watch"),
        "nothing is watched: :watch L shows L after every change\n"
    );
    assert_eq!(desk.screen(":watch b, a b"), "watched: b, a\n");
    desk.line(":del b");
    assert_eq!(desk.screen(":watch"), "watched: b, a\n");
    for (line, message, help) in [
        (
            ":watch q",
            "unknown name `q`",
            "`q = 2` gives it a value; `:vars` lists all names",
        ),
        (
            ":watch pi",
            "`pi` is a constant: it never changes",
            "watch a name or a node that depends on one",
        ),
        (
            ":watch @99",
            "there is no `@99`",
            "`:grad` with `--json` shows all ids",
        ),
        (
            ":watch $7",
            "there is no `$7`",
            "there are no results yet: an expression makes one",
        ),
        (
            ":unwatch c",
            "`c` is not watched",
            "`:watch` lists what is watched, `:unwatch` ends all",
        ),
        (
            ":watch [a, a]",
            "`[a, a]` has no name to watch",
            "give it one: `p = [a, a]`, then `:watch p`",
        ),
        (
            ":watch (3*a)",
            "`(3*a)` has no name to watch",
            "give it one: `p = (3*a)`, then `:watch p`",
        ),
        (":unwatch aa", "`aa` is not watched", "did you mean `a`?"),
    ] {
        let error = desk.error(line);
        assert_eq!(error.message, message, "{line}");
        assert_eq!(error.help.as_deref(), Some(help), "{line}");
        assert!(error.span.is_some(), "{line}");
    }
    assert_eq!(desk.screen(":unwatch b"), "no longer watched: b\n");
    assert_eq!(desk.screen(":unwatch"), "no longer watched: a\n");
    assert_eq!(
        desk.screen(":unwatch"),
        "nothing is watched: :watch L shows L after every change\n"
    );
    // A statement that fails watches nothing.
    desk.error(":watch a q");
    assert!(desk.session.watches().is_empty());
    for place in 0..MOST_WATCHES {
        desk.line(&format!("x{place} = 1; :watch x{place}"));
    }
    desk.line(":watch x0");
    let error = desk.error(":watch a");
    assert_eq!(error.message, format!("more than {MOST_WATCHES} watches"));
}

/// A watch is not a change of the session: it is neither undone nor saved.
#[test]
fn watches_are_no_changes() {
    let mut desk = Desk::with(&["a = 2", ":watch a", "a = 3"]);
    assert_eq!(desk.screen(":undo"), "undone: a = 3\nwatch: a  3 → 2\n");
    assert_eq!(desk.screen(":undo"), "undone: a = 2\n");
    assert_eq!(desk.session.watches().len(), 1);
    desk.error(":undo");
    assert_eq!(desk.screen("a = 7"), "a = 7\nwatch: a  2 → 7\n");
}

#[test]
fn a_long_script_is_watched_in_time() {
    let mut script = String::from("L = 0;\na = 1;\ny = 2*a;\n:watch L y\n");
    for _ in 0..40_000 {
        script.push_str("L = L + a;\n");
    }
    let start = Instant::now();
    let shown = out(&[], &script);
    assert_eq!(shown.lines().count(), 40_001);
    assert!(shown.ends_with("watch: L  39999 → 40000\n"));
    assert!(
        start.elapsed() < Duration::from_mins(1),
        "{:?}",
        start.elapsed()
    );
    // A change at the bottom reaches all nodes.
    let mut doubled = String::from("y = 1;\nx = y;\n");
    for _ in 0..1_000 {
        doubled.push_str("y = y + y;\n");
    }
    let _ = write!(doubled, ":watch y\n:set x 0;\n");
    assert!(out(&[], &doubled).ends_with("watch: y  1.07150860719e301 → 0\n"));
}

/// A list means its items, also when its name goes to another list.
#[test]
fn lists_are_watched() {
    let list = "w = [1, 2, 3];\nL = sum(w^2);\n";
    for (script, expected) in [
        (":watch w\n:set w[2] 5;", &["w[2]  2 → 5"][..]),
        (
            ":watch w\n:set w [1, 0, 0];",
            &["w[2]  2 → 0   w[3]  3 → 0"],
        ),
        (
            ":watch w[2]\n:set w 7;\nw = [1, 4]\nw = 5\nw = [0, 3]",
            &["w[2]  2 → 7", "w[2]  7 → 4", "w[2]  4 → 3"],
        ),
        (":watch w w[1]\n:unwatch w[1]\n:unwatch w\n:set w 0;", &[]),
        (":watch w\nw = [5, 6]", &["w[1]  5   w[2]  6"]),
        (
            ":watch L\n:watch w\n:set w 1;",
            &["L  14 → 3   w[2]  2 → 1   w[3]  3 → 1"],
        ),
        (
            ":watch w\n:grad L;",
            &["w[1]  grad 2   w[2]  grad 4   w[3]  grad 6"],
        ),
    ] {
        assert_eq!(watched(&format!("{list}{script}\n")), expected, "{script}");
    }
}

/// Of many items the line says how many.
#[test]
fn a_long_list_is_told_in_a_line() {
    let list = "w = [k/8 for k in 1..337];\nL = sum(w^2);\n";
    for (script, expected) in [
        (
            ":watch w L\n:set w[9] 9;",
            &["w[9]  1.125 → 9   L  200225.390625 → 200305.125"][..],
        ),
        (":watch w\n:set w 1;", &["w  336 of 337 items changed"]),
        (":watch w\n:grad L;", &["w  337 of 337 items changed"]),
        (
            ":watch w\nw = [k for k in 1..20]",
            &["w  20 of 20 items changed"],
        ),
    ] {
        assert_eq!(watched(&format!("{list}{script}\n")), expected, "{script}");
    }
    let shown = out(&[], format!("{list}:watch w\n:watch\n"));
    assert!(shown.ends_with("watched: w\n"), "{shown}");
    let json = out(&["--json"], format!("{list}:watch w;\n:set w 1;\n"));
    let last = json.lines().last().unwrap_or_default();
    let object: serde_json::Value = serde_json::from_str(last).expect("it is an object");
    assert_eq!(
        object["changed"].as_array().map(Vec::len),
        Some(336),
        "{last}"
    );
}

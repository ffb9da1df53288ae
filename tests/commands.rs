//! Commands as users type them: every error is compared with its place, and what a command does to the session is compared with
//! calculations by hand.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::common::{Desk, close, number};
use chainrule::commands;
use chainrule::commands::COMMANDS;
use chainrule::diagnostic::Diagnostic;
use chainrule::report::Piece;
use serde_json::{Value, json};

/// The lecture's first graph. L is -8; by hand, the gradients of L are a*b + c = 4 for f, f = -2 for c, a*f = -4 for b,
/// and b*f = 6 for a.
const LECTURE: &[&str] = &["a, b, c, f = 2, -3, 10, -2", "L = (a*b + c) * f"];

fn lecture() -> Desk {
    Desk::with(LECTURE)
}

/// The JSON of the last answer to a line.
fn answer(desk: &mut Desk, line: &str) -> Value {
    desk.line(line)
        .pop()
        .unwrap_or_else(|| panic!("{line}: no answer"))
}

/// The notes of a line that must not fail.
fn notes(desk: &mut Desk, line: &str) -> Vec<String> {
    let replies = desk
        .try_line(line)
        .into_iter()
        .map(|answer| answer.unwrap_or_else(|error| panic!("{line}: {}", error.message)));
    replies
        .flat_map(|reply| reply.notes)
        .map(|note| sentence(&note.message))
        .collect()
}

fn sentence(pieces: &[Piece]) -> String {
    pieces
        .iter()
        .map(|piece| match piece {
            Piece::Number(value)
            | Piece::Short(value)
            | Piece::Apart(value, _)
            | Piece::Rounded(value, _) => value.to_string(),
            Piece::Course(_) | Piece::List(_) => String::new(),
            Piece::Plain(text)
            | Piece::Name(text)
            | Piece::Formula(text)
            | Piece::Typed(text)
            | Piece::Heading(text)
            | Piece::Place(text)
            | Piece::Dim(text) => text.clone(),
        })
        .collect()
}

/// Everything in a session that a statement could change: names with the exact data of their nodes, frozen marks,
/// former names, settings, results, the pass and the journal.
fn everything(desk: &mut Desk) -> String {
    let mut out = state(desk);
    let session = &desk.session;
    let pass = session.pass().map(|pass| {
        let grads: Vec<u64> = pass.grads().iter().map(|grad| grad.to_bits()).collect();
        (session.label(pass.root()), pass.roots().len(), grads)
    });
    let target = session
        .default_target()
        .map(|(node, shown)| (node.id(), shown));
    let journal = session.journal();
    let done: Vec<&str> = journal.done().map(|entry| &*entry.text).collect();
    let undone: Vec<&str> = journal.undone().collect();
    let _ = writeln!(
        out,
        "{pass:?} {} {target:?} {done:?} {undone:?}",
        session.is_stale()
    );
    // The numbers of the last result and of the next one are part of it.
    for number in [1, 2, 3] {
        let answer = desk.try_line(&format!("${number}.data;")).pop();
        let _ = writeln!(
            out,
            "${number} {}",
            answer.is_some_and(|answer| answer.is_ok())
        );
    }
    out
}

/// The part of the state that `:undo` restores.
fn state(desk: &mut Desk) -> String {
    let session = &desk.session;
    let mut out = format!("{:?}\n", session.settings());
    for (name, node) in session.names().nodes() {
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

/// The error of a line that must fail and leave the session unchanged.
fn failure(lines: &[&str], line: &str) -> Diagnostic {
    let mut desk = Desk::with(lines);
    // A second desk, because reading the state must not change the session that is tested.
    let before = everything(&mut Desk::with(lines));
    let error = desk.error(line);
    assert_eq!(everything(&mut desk), before, "`{line}` left a trace");
    error
}

fn assert_close(got: f64, want: f64, what: &str) {
    assert!(
        close(got, want, 1e-12, 1e-15),
        "{what} is {got}, not {want}"
    );
}

fn assert_values(desk: &mut Desk, values: &[(&str, f64)], what: &str) {
    for (name, want) in values {
        let got = desk.value(name);
        assert_close(got, *want, &format!("{what}: {name}"));
    }
}

// Examples.

#[test]
fn examples_run_without_a_mistake() {
    let alone = |command: &&&commands::Command| !crate::common::needs_shell(command.example());
    for command in COMMANDS.iter().filter(alone) {
        let mut desk = Desk::default();
        for line in command
            .example()
            .lines()
            .filter_map(|line| line.strip_prefix("∂> "))
        {
            for answer in desk.try_line(line) {
                // An example may contain an error, if it shows the error.
                let refusal = command.example().contains("error:");
                assert!(answer.is_ok() || refusal, ":{}: {line}", command.name);
            }
        }
    }
}

// Words.

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

// Arguments.

// :set

#[test]
fn set_takes_new_values_from_the_old_ones() {
    for (line, a, b) in [
        (":set a 3", 3.0, -3.0),
        (":set a=3", 3.0, -3.0),
        (":set a = 3", 3.0, -3.0),
        (":set a= 3", 3.0, -3.0),
        (":set a =3", 3.0, -3.0),
        (":s a 3", 3.0, -3.0),
        (":set a -3", -3.0, -3.0),
        (":set a = -3", -3.0, -3.0),
        (":set a 1 + 2*3", 7.0, -3.0),
        (":set a = 3, b a/2", 3.0, 1.0),
        (":set a 3, b = a/2", 3.0, 1.0),
        (":set a 3,b a/2", 3.0, 1.0),
        (":set a b, b a", -3.0, 2.0),
        (":set a a + 1, b b - a", 3.0, -5.0),
        (":set a L, b 0", -8.0, 0.0),
        (":set a max(1, 5), b min(2, 3)", 5.0, 2.0),
        (":set a 3;", 3.0, -3.0),
        (":set a.data 3", 3.0, -3.0),
    ] {
        // `a.data` in the last line is the number of a node, not a node, so it cannot be set.
        let mut desk = lecture();
        if line.contains(".data") {
            desk.error(line);
            continue;
        }
        desk.try_line(line)
            .pop()
            .expect("there is an answer")
            .unwrap_or_else(|error| panic!("{line}: {}", error.message));
        assert_values(
            &mut desk,
            &[("a", a), ("b", b), ("L", (a * b + 10.0) * -2.0)],
            line,
        );
    }
}

/// The values of the rows that `:set` shows, in order.
fn changed(set: &Value) -> Vec<Value> {
    let rows = set["changed"].as_array().expect("rows changed");
    rows.iter()
        .map(|row| {
            json!([
                row["node"],
                row["before"],
                row["after"],
                row["grad_before"],
                row["grad"]
            ])
        })
        .collect()
}

#[test]
fn set_shows_what_moved_and_nothing_else() {
    let mut desk = lecture();
    // Without a pass only data is shown.
    let set = answer(&mut desk, ":set a 3");
    assert_eq!(set["root"], Value::Null);
    assert_eq!(
        changed(&set),
        [
            json!(["L", -8, -2, null, null]),
            json!(["a*b + c", 4, 1, null, null]),
            json!(["a*b", -6, -9, null, null]),
            json!(["a", 2, 3, null, null])
        ]
    );
    // With a pass the grads are shown too: those of b and f depend on a, that of c does not.
    desk.line(":set a 2");
    desk.line(":grad L");
    let set = answer(&mut desk, ":set a 3");
    assert_eq!(set["root"], json!("L"));
    assert_eq!(
        changed(&set),
        [
            json!(["L", -8, -2, 1, 1]),
            json!(["a*b + c", 4, 1, -2, -2]),
            json!(["a*b", -6, -9, -2, -2]),
            json!(["f", -2, -2, 4, 1]),
            json!(["b", -3, -3, -4, -6]),
            json!(["a", 2, 3, 6, 6]),
        ]
    );
    // Nodes outside the pass are shown if they have a name.
    desk.line("M = a + 100; a*1000");
    let set = answer(&mut desk, ":set a 2");
    assert!(
        changed(&set).contains(&json!(["M", 103, 102, null, null])),
        "{set}"
    );
    assert_eq!(changed(&set).len(), 7, "{set}");
    let set = answer(&mut desk, ":set a 2");
    assert_eq!(set["changed"], json!([]));
}

#[test]
fn a_silenced_set_leaves_the_gradients_stale() {
    let mut desk = lecture();
    desk.line(":grad L");
    assert!(desk.line(":set a 3;").is_empty());
    assert!(desk.session.is_stale());
    assert!(
        desk.screen(":vars").contains("grad (stale)"),
        "{}",
        desk.screen(":vars")
    );
    assert_eq!((desk.value("L"), desk.grad("f")), (-2.0, 4.0));
    assert_eq!(
        notes(&mut desk, "f.grad"),
        ["the gradient is stale: data changed since the pass; :grad L brings it up to date"]
    );
    assert_eq!(desk.value("f.grad"), 4.0);
    // The next `:set` that is not silenced runs the pass again and compares with the grads at the data just before it,
    // a = 3: dL/df = a*b + c.
    let set = answer(&mut desk, ":set c 11");
    assert!(changed(&set).contains(&json!(["f", -2, -2, 1, 2])), "{set}");
    assert!(!desk.session.is_stale());
    assert_eq!(notes(&mut desk, "f.grad"), Vec::<String>::new());
}

#[test]
fn a_frozen_leaf_can_be_set() {
    let mut desk = Desk::with(&["const x = 2", "y = 3x"]);
    desk.line(":set x 5");
    assert_eq!(desk.value("y"), 15.0);
}

// :step

/// The values after one step of 0.01 from the lecture's values: L is ((2 - 0.06)(-3 + 0.04) + 10.02)(-2.04).
const STEPPED: &[(&str, f64)] = &[
    ("a", 1.94),
    ("b", -2.96),
    ("c", 10.02),
    ("f", -2.04),
    ("L", -8.726_304),
];

#[test]
fn step_goes_down_or_up() {
    for (lines, line, values) in [
        (&[":grad L"][..], ":step 0.01", STEPPED),
        // Without a pass the default target is used.
        (&[], ":step 0.01", STEPPED),
        (&[":grad L"], ":step 0.01;", STEPPED),
        (&[":grad L"], ":step (0.02/2)", STEPPED),
        (&["a^2"], ":step 0.01 of L", STEPPED),
        (&[":grad a^2"], ":step 0.01 of L", STEPPED),
        (
            &[":grad L"],
            ":step -0.01",
            &[
                ("a", 2.06),
                ("b", -3.04),
                ("c", 9.98),
                ("f", -1.96),
                ("L", -7.286_496),
            ],
        ),
        // For another root only its own leaves move: a by 0.1 * 2a.
        (
            &[":grad L"],
            ":step 0.1 of a^2",
            &[("a", 1.6), ("b", -3.0), ("c", 10.0), ("f", -2.0)],
        ),
        // Accumulated gradients are used as they are, so the step is twice as large.
        (
            &[":backward L", ":backward L"],
            ":step 0.01",
            &[("a", 1.88), ("b", -2.92), ("c", 10.04), ("f", -2.08)],
        ),
        // Stale gradients are refreshed first: at a = 3 they are 6, -6, -2, 1.
        (
            &[":grad L", ":set a 3;"],
            ":step 0.01",
            &[
                ("a", 2.94),
                ("b", -2.94),
                ("c", 10.02),
                ("f", -2.01),
                ("L", -2.766_564),
            ],
        ),
        (
            &[":backward L", ":backward L", ":set a 3;"],
            ":step 0.01",
            &[("a", 2.88), ("b", -2.88), ("c", 10.04), ("f", -2.02)],
        ),
        // Frozen leaves do not move.
        (
            &[":freeze a f", ":grad L"],
            ":step 0.01",
            &[("a", 2.0), ("b", -2.96), ("c", 10.02), ("f", -2.0)],
        ),
        (
            &[":freeze a f", ":thaw f", ":grad L"],
            ":step 0.01",
            &[("a", 2.0), ("b", -2.96), ("c", 10.02), ("f", -2.04)],
        ),
    ] {
        let mut desk = lecture();
        for line in lines {
            desk.line(line);
        }
        desk.line(line);
        assert!(
            !desk.session.is_stale(),
            "{line}: it ends with a fresh pass"
        );
        assert_eq!(
            desk.session.pass().map(|pass| pass.roots().len()),
            Some(1),
            "{line}: of one root"
        );
        assert_values(&mut desk, values, &format!("{lines:?} {line}"));
    }
}

#[test]
fn step_says_what_it_did() {
    let mut desk = lecture();
    desk.line(":grad L");
    let step = answer(&mut desk, ":step 0.01");
    for (key, want) in [
        ("root", json!("L")),
        ("rate", json!(0.01)),
        ("steps", json!(1)),
        ("direction", json!("down")),
        ("before", json!(-8)),
    ] {
        assert_eq!(step[key], want, "{key}");
    }
    let rows = step["rows"].as_array().expect("there are rows");
    // By hand, the gradients after the step: 4.2776 for f, -2.04 for c, -2.04 * 1.94 for b, -2.04 * -2.96 for a.
    for (row, (node, before, grad, after, new_grad)) in rows.iter().zip([
        ("f", -2.0, 4.0, -2.04, 4.2776),
        ("c", 10.0, -2.0, 10.02, -2.04),
        ("b", -3.0, -4.0, -2.96, -3.9576),
        ("a", 2.0, 6.0, 1.94, 6.0384),
    ]) {
        assert_eq!(row["node"], json!(node));
        for (key, want) in [
            ("before", before),
            ("grad", grad),
            ("after", after),
            ("new_grad", new_grad),
            ("change", after - before),
        ] {
            assert!(
                close(number(&row[key]), want, 1e-12, 1e-12),
                "{node} {key}: {row}"
            );
        }
    }
    assert_eq!(rows.len(), 4);
    let up = answer(&mut desk, ":step -0.01");
    assert_eq!(
        (up["direction"].as_str(), up["rate"].as_f64()),
        (Some("up"), Some(-0.01))
    );
    assert!(number(&up["after"]) > number(&up["before"]), "{up}");
}

#[test]
fn many_steps_are_single_steps() {
    let (mut once, mut often) = (lecture(), lecture());
    let several = answer(&mut once, ":step 0.001 5");
    let mut values = vec![json!(-8)];
    for _ in 0..5 {
        values.push(answer(&mut often, ":step 0.001")["after"].clone());
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
    let row = &several["rows"].as_array().expect("there are rows")[3];
    assert_eq!((&row["node"], &row["before"]), (&json!("a"), &json!(2)));
    assert_close(
        number(&row["change"]),
        once.value("a") - 2.0,
        "change spans all steps",
    );
    assert_eq!(
        once.session.journal().done().len(),
        LECTURE.len() + 1,
        "one entry"
    );
}

#[test]
fn the_last_root_may_have_lost_its_name() {
    let mut desk = lecture();
    desk.line(":grad L");
    desk.line("L = 1");
    let step = answer(&mut desk, ":step 0.01");
    assert_eq!(step["root"], json!("L@1"));
    assert_close(desk.value("L@1"), -8.726_304, "L@1");
    assert_eq!(desk.value("L"), 1.0);
}

#[test]
fn a_step_into_nowhere_is_refused() {
    // x - 1 * (1/x) is -1.5; the slope of sqrt at 0 is infinite, so the leaf would become infinite.
    for (lines, expected) in [
        (
            ["x = 0.5", "y = ln(x)", ":grad y"],
            "step 1 would make y nan: the rate 1 is too large",
        ),
        (
            ["x = 0", "y = sqrt(x)", ":grad y"],
            "step 1 would make y nan: the rate 1 is too large",
        ),
    ] {
        assert_eq!(failure(&lines, ":step 1").message, expected);
    }
}

// :grad, :backward, :zero

/// The node and the grad of each row.
fn grads(grad: &Value) -> Vec<(String, f64)> {
    let rows = grad["rows"].as_array().expect("there are rows");
    rows.iter()
        .map(|row| {
            (
                row["node"].as_str().unwrap_or("").to_string(),
                number(&row["grad"]),
            )
        })
        .collect()
}

fn pairs(expected: &[(&str, f64)]) -> Vec<(String, f64)> {
    expected
        .iter()
        .map(|(node, grad)| ((*node).to_string(), *grad))
        .collect()
}

#[test]
fn grad_shows_every_node_or_those_asked_for() {
    let all = [
        ("L", 1.0),
        ("a*b + c", -2.0),
        ("a*b", -2.0),
        ("f", 4.0),
        ("c", -2.0),
        ("b", -4.0),
        ("a", 6.0),
    ];
    for (line, expected) in [
        (":grad L", &all[..]),
        (":g L", &all),
        (":grad", &all),
        (":grad L wrt a", &[("a", 6.0)]),
        (":grad L wrt b a", &[("b", -4.0), ("a", 6.0)]),
        (":grad wrt f", &[("f", 4.0)]),
        (":grad L wrt a, b", &[("a", 6.0), ("b", -4.0)]),
        (":grad L wrt (a*b) a", &[("a*b", -2.0), ("a", 6.0)]),
        (":grad L wrt (a * b)", &[("a*b", -2.0)]),
        (":grad L wrt L", &[("L", 1.0)]),
        // Another root: its gradient is 2a at 2, and 0 for b, on which it does not depend.
        (":grad a^2 wrt a", &[("a", 4.0)]),
        (":grad a^2 wrt b", &[("b", 0.0)]),
        (
            ":grad a^2 + 3b",
            &[
                ("a^2 + 3*b", 1.0),
                ("3*b", 1.0),
                ("a^2", 1.0),
                ("b", 3.0),
                ("a", 4.0),
            ],
        ),
    ] {
        let grad = answer(&mut lecture(), line);
        assert_eq!(grads(&grad), pairs(expected), "{line}");
        assert_eq!(grad["passes"], json!(1), "{line}");
    }
}

#[test]
fn grad_starts_anew_and_backward_adds() {
    let mut desk = lecture();
    for (line, passes, a, root) in [
        (":grad L", 1, 6.0, 1.0),
        (":grad L", 1, 6.0, 1.0),
        (":backward L", 2, 12.0, 2.0),
        (":backward L", 3, 18.0, 3.0),
        // Another root is added: its gradient for a is 4, and L is not below it.
        (":backward a^2", 4, 22.0, 3.0),
        (":grad L", 1, 6.0, 1.0),
        (":zero", 0, 0.0, 0.0),
        (":backward L", 1, 6.0, 1.0),
    ] {
        let shown = answer(&mut desk, line);
        if passes > 0 {
            assert_eq!(shown["passes"], json!(passes), "{line}");
        }
        assert_eq!((desk.grad("a"), desk.grad("L")), (a, root), "{line}");
    }
    // If data changes in between, the old contribution stays: 6 from b = -3, and -10 from b = 5 is added.
    let mut desk = lecture();
    desk.line(":grad L");
    desk.line(":set b 5;");
    desk.line(":backward L");
    assert_eq!(desk.grad("a"), -4.0);
    assert!(desk.screen(":backward L").contains("sum of 3 passes"));
    let zero = answer(&mut desk, ":zero");
    assert_eq!(zero["forgotten"], json!(true));
    assert_eq!(answer(&mut desk, ":zero")["forgotten"], json!(false));
    assert!(desk.session.pass().is_none());
}

#[test]
fn a_target_left_out() {
    for (lines, root) in [
        (&["a = 2", "L = a*3"][..], "L"),
        (&["a = 2", "L = a*3", "a^2"], "a^2"),
        // A silenced result is not shown, so it is not the default target.
        (&["a = 2", "L = a*3", "M = a*5;"], "L"),
        (&["a = 2", "L = a*3", "a^2;"], "L"),
        // Of several bindings, the last one counts.
        (&["a = 2", "L, M = a*3, a*4"], "M"),
        // The pass is more recent than the binding.
        (&["a = 2", "L = a*3", "M = a*4", ":grad L"], "L"),
        (&["a = 2", "L = a*3", "M = a*4", ":backward L"], "L"),
        (&["a = 2", "L = a*3", ":grad L", "M = a*4"], "M"),
        // Commands that show something else do not change the default target.
        (&["a = 2", "L = a*3", ":vars", ":log", ":help"], "L"),
        // If nothing was shown, the last binding is used.
        (&["a = 2;", "L = a*3;"], "L"),
        // The node is remembered, not its name.
        (&["a = 2", "L = a*3", "L = a*4;"], "L@1"),
        (&["a = 2", "L = a*3", ":del L"], "L@1"),
    ] {
        let mut desk = Desk::with(lines);
        let shown = desk.screen(":grad");
        assert!(
            shown.starts_with(&format!("of {root}\n")),
            "{lines:?}: {shown}"
        );
        assert_eq!(answer(&mut desk, ":grad")["root"], json!(root), "{lines:?}");
        assert_eq!(
            answer(&mut desk, ":backward")["root"],
            json!(root),
            "{lines:?}"
        );
    }
    let grad = failure(&["x = 3", ":reset"], ":grad");
    assert_eq!(
        grad.message,
        "`:grad` needs a value to start from, and there is none yet"
    );
}

#[test]
fn a_leaf_alone_says_how_to_see_more() {
    let mut desk = Desk::default();
    desk.line("x = 2/3");
    assert_eq!(
        notes(&mut desk, ":grad x"),
        ["x is a leaf: naming the numbers it was made from would show their gradients"]
    );
    assert_eq!(notes(&mut lecture(), ":grad L"), Vec::<String>::new());
}

// Ways to say which node.

#[test]
fn former_names_ids_and_results() {
    for (lines, line, value) in [
        (&["a = 2", "L = a*3", "a = 5"][..], "a@1", 2.0),
        (&["a = 2", "L = a*3", "a = 5"], "L + a", 11.0),
        (&["a = 2", "L = a*3", "a = 5", ":set a@1 4"], "L", 12.0),
        (
            &["a = 2", "L = a*3", "a = 5", "M = a*2", "a = 7"],
            "10*a@1 + a@2",
            25.0,
        ),
        (&["a = 2", "L = a*3", ":del a"], "a@1", 2.0),
        // Numbers of former names increase and are never reused.
        (
            &["a = 2", "L = a*3", ":del a", "a = 5", "M = a*2", "a = 7"],
            "10*a@1 + a@2",
            25.0,
        ),
        // A node that still has another name gets no former name; the first node to lose its last name is the 5.
        (
            &[
                "a = 2", "x = a", "a = 5", "M = a", "N = M*2", ":del M", "a = 6",
            ],
            "a@1",
            5.0,
        ),
        (&["a = 2", "a*3", "a*4"], "$1 + 10*$2", 86.0),
        (&["a = 2", "a*3", "a*4"], "ans", 8.0),
        (&["a = 2", "a*3", "a*4"], "_ + 1", 9.0),
        // Bindings are not results.
        (&["a = 2", "a*3", "b = 7"], "ans", 6.0),
        (&["a = 2", "a*3;"], "ans", 6.0),
    ] {
        assert_eq!(Desk::with(lines).value(line), value, "{lines:?} {line}");
    }
    let mut desk = lecture();
    for row in answer(&mut desk, ":grad L")["rows"]
        .as_array()
        .expect("there are rows")
    {
        let id = format!("@{}", row["id"]);
        assert_eq!(desk.value(&id), number(&row["data"]), "{id}");
        assert_eq!(
            answer(&mut desk, &format!(":grad L wrt {id}"))["rows"][0]["node"],
            row["node"],
            "{id}"
        );
    }
}

#[test]
fn a_former_name_is_shown_in_labels() {
    let mut desk = Desk::with(&["a = 2", "L = a*3 + a", "a = 5"]);
    let grad = answer(&mut desk, ":grad L");
    assert_eq!(
        grads(&grad),
        pairs(&[("L", 1.0), ("a@1*3", 1.0), ("a@1", 4.0)])
    );
    assert_eq!(grad["rows"][0]["expression"], json!("a@1*3 + a@1"));
    // Undo restores the name and also the count of former names.
    desk.line(":undo");
    assert_eq!(
        answer(&mut desk, ":grad L")["rows"][0]["expression"],
        json!("a*3 + a")
    );
    desk.line("a = 6");
    assert_eq!(desk.value("a@1"), 2.0);
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

#[rustfmt::skip]
#[test]
fn as_many_changes_are_kept_as_is_set() {
    let mut desk = Desk::default();
    for count in 1..=10 {
        desk.line(&format!("x = {count}"));
    }
    desk.line(":config undo-steps 3");
    let statements = |desk: &mut Desk| -> Vec<Value> {
        let log = answer(desk, ":log");
        let rows = log["rows"].as_array().expect("there are rows").iter();
        rows.map(|row| row["statement"].clone()).collect()
    };
    assert_eq!(
        statements(&mut desk),
        [json!("x = 9"), json!("x = 10"), json!(":config undo-steps 3")]
    );
    for count in 11..=20 {
        desk.line(&format!("x = {count}"));
    }
    assert_eq!(
        statements(&mut desk),
        [json!("x = 18"), json!("x = 19"), json!("x = 20")]
    );
    desk.line(":undo 3");
    assert_eq!(desk.value("x"), 17.0);
    assert_eq!(desk.error(":undo").message, "nothing to undo");
    desk.line(":redo 3");
    assert_eq!(desk.value("x"), 20.0);
}

#[test]
fn a_node_that_nothing_else_holds_is_kept_by_the_results() {
    let mut desk = Desk::with(&["x = 2", "x*3"]);
    let id = desk.session.made();
    desk.line("x + 1");
    desk.line("x + 2");
    assert_eq!(desk.value(&format!("@{id}")), 6.0);
    desk.line(":set x 5");
    assert_eq!(desk.value(&format!("@{id}")), 15.0);
    assert_eq!(desk.value("$1"), 15.0);
}

#[test]
fn reset_forgets_the_results_and_numbers_begin_anew() {
    let mut desk = Desk::with(&["a = 1", "2 + 3", "7", ":reset"]);
    for line in ["ans", "_", "$1", "$2"] {
        desk.error(line);
    }
    desk.line("4 + 5");
    assert_eq!((desk.value("$1"), desk.value("ans")), (9.0, 9.0));
    desk.line(":undo");
    assert_eq!((desk.value("$1"), desk.value("$2")), (5.0, 7.0));
}

#[test]
fn reading_a_gradient() {
    let passed = [LECTURE, &["z = 3", ":grad L"]].concat();
    let mut desk = Desk::with(&passed);
    for (line, value) in [
        ("a.grad", 6.0),
        ("a.grad + 1", 7.0),
        ("L.grad", 1.0),
        ("z.grad", 0.0),
        ("a.data", 2.0),
    ] {
        assert_eq!(desk.value(line), value, "{line}");
    }
    // `a.grad` is the number at that moment, not a node of the graph.
    desk.line("y = a.grad * a");
    desk.line(":set a 3");
    assert_eq!(desk.value("y"), 18.0);
    assert_eq!(
        grads(&answer(&mut desk, ":grad y")),
        pairs(&[("y", 1.0), ("a", 6.0)])
    );
    desk.line(":zero");
    assert_eq!(desk.error("a.grad").message, "there are no gradients yet");
}

// :undo, :redo, :log

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
        let (at_first, entries) = (state(&mut desk), desk.session.journal().done().len());
        let answers = desk.try_line(line);
        assert!(answers.iter().all(Result::is_ok), "{line}");
        let changed = state(&mut desk);
        assert_ne!(changed, at_first, "{line} changes something");
        assert_eq!(
            desk.session.journal().done().len(),
            entries + 1,
            "{line} is one entry"
        );
        for _ in 0..2 {
            let undone = answer(&mut desk, ":undo");
            let text = line.trim_end_matches(';');
            assert_eq!(undone["undone"], json!([text]), "{line}");
            assert_eq!(state(&mut desk), at_first, "{line} is undone");
            assert_eq!(
                answer(&mut desk, ":redo")["redone"],
                json!([text]),
                "{line}"
            );
            assert_eq!(state(&mut desk), changed, "{line} is done again");
        }
        // Undo everything and redo everything.
        desk.line(&format!(":undo {}", entries + 1));
        assert!(
            desk.session.names().nodes().next().is_none(),
            "{line}: nothing is left"
        );
        desk.line(&format!(":redo {}", entries + 1));
        assert_eq!(state(&mut desk), changed, "{line}: and everything again");
    }
}

#[test]
fn what_changes_nothing_is_no_change() {
    for line in [
        "a + 1",
        "a = a",
        "x = a",
        ":grad L",
        ":backward L",
        ":zero",
        ":vars",
        ":log",
        ":help",
        ":config digits",
        ":config digits 12;",
        ":freeze k",
        ":thaw a",
        ":grad L;",
    ] {
        let mut desk =
            Desk::with(&[LECTURE, &["x = a", "const k = 4", ":config digits 12"]].concat());
        let entries = desk.session.journal().done().len();
        assert!(desk.try_line(line).iter().all(Result::is_ok), "{line}");
        assert_eq!(desk.session.journal().done().len(), entries, "{line}");
    }
}

#[test]
fn undone_changes_make_gradients_stale_and_passes_stay() {
    let mut desk = lecture();
    desk.line(":grad L");
    desk.line(":set a 3");
    assert_eq!(desk.grad("f"), 1.0);
    desk.line(":undo");
    assert!(desk.session.is_stale());
    assert_eq!((desk.value("L"), desk.grad("f")), (-8.0, 1.0));
    desk.line(":step 0.01");
    assert_values(&mut desk, STEPPED, "fresh gradients were used");
    desk.line(":undo");
    assert_eq!(desk.value("a"), 2.0);
    // Undoing a binding changes no data.
    let mut desk = lecture();
    desk.line(":grad L");
    desk.line("y = 3");
    desk.line(":undo");
    assert!(!desk.session.is_stale());
}

#[test]
fn a_new_change_closes_the_way_forward() {
    let mut desk = lecture();
    desk.line(":set a 3");
    desk.line(":undo");
    desk.line("a + 1");
    desk.line(":redo");
    assert_eq!(desk.value("a"), 3.0);
    desk.line(":undo");
    desk.line(":set a 4");
    assert_eq!(desk.error(":redo").message, "nothing to redo");
}

#[test]
fn a_hundred_changes_can_be_taken_back() {
    let mut desk = Desk::default();
    for count in 1..=150 {
        desk.line(&format!("x = {count}"));
    }
    let log = answer(&mut desk, ":log");
    let rows = log["rows"].as_array().expect("there are rows");
    assert_eq!(rows.len(), 100);
    assert_eq!(
        (&rows[0]["number"], &rows[0]["statement"]),
        (&json!(100), &json!("x = 51"))
    );
    assert_eq!(
        (&rows[99]["number"], &rows[99]["statement"]),
        (&json!(1), &json!("x = 150"))
    );
    assert!(
        desk.screen(":log")
            .starts_with("50 older changes can no longer be taken back\n")
    );
    desk.line(":undo 100");
    assert_eq!(desk.value("x"), 50.0);
    assert_eq!(desk.error(":undo").message, "nothing to undo");
    desk.line(":redo 100");
    assert_eq!(desk.value("x"), 150.0);
}

#[test]
fn the_log_has_both_ways() {
    let mut desk = Desk::default();
    assert_eq!(desk.screen(":log"), "no changes yet\n");
    for line in ["a = 2", "L = a*3", ":set a  3", "a + 1", ":grad L"] {
        desk.line(line);
    }
    desk.line(":undo 2");
    let log = answer(&mut desk, ":log");
    assert_eq!(
        log["rows"],
        json!([
            {"way": "undo", "number": 1, "statement": "a = 2"},
            {"way": "redo", "number": 1, "statement": "L = a*3"},
            {"way": "redo", "number": 2, "statement": ":set a  3"},
        ])
    );
    let both = answer(&mut desk, ":redo 2");
    assert_eq!(both["redone"], json!(["L = a*3", ":set a  3"]));
    // More than there are: all of them are undone.
    let all = answer(&mut desk, ":undo 50");
    assert_eq!(all["undone"], json!([":set a  3", "L = a*3", "a = 2"]));
    // Several statements on a line are several changes.
    let mut desk = Desk::with(&["a = 2; b = 3; a, b = b, a"]);
    assert_eq!(desk.session.journal().done().len(), 3);
    desk.line(":undo");
    assert_eq!((desk.value("a"), desk.value("b")), (2.0, 3.0));
}

// Notes.

#[test]
fn a_rebinding_that_may_surprise_is_noted_once() {
    /// The contents of a note: the user of the old node, the old node's new name, and what to type.
    type Told = Option<[&'static str; 3]>;
    let cases: &[(&[&str], &str, Told)] = &[
        (
            &["a = 2", "L = a*3"],
            "a = 5",
            Some(["L", "a@1", ":set a 5"]),
        ),
        (
            &["a = 2", "L = a*3"],
            "a = 5;",
            Some(["L", "a@1", ":set a 5"]),
        ),
        (
            &["a = 2", "L = a*3"],
            "const a = 5",
            Some(["L", "a@1", ":set a 5"]),
        ),
        (
            &["a, b = 2, 7", "L = a*3"],
            "a = b*2",
            Some(["L", "a@1", ":set a "]),
        ),
        // No named node uses it.
        (&["a = 2"], "a = 5", None),
        (&["a = 2", "a*3"], "a = 5", None),
        (&["a = 2", "L = a*3", ":del L"], "a = 5", None),
        // The new node depends on the old one.
        (&["a = 2", "L = a*3"], "a += 1", None),
        (&["a = 2", "L = a*3"], "a = a*2", None),
        // The value does not change.
        (&["a = 2", "L = a*3"], "a = 2", None),
        // Only leaves can be set, so there is nothing to suggest.
        (&["a = 2", "L = a*3", "M = L*2"], "L = a*4", None),
        // The old node still has a name.
        (&["a = 2", "x = a", "L = a*3"], "a = 5", None),
        // Its user is rebound by the same statement.
        (&["a = 2", "L = a*3"], "a, L = 5, 7", None),
        (&["a = 2", "L = a*3"], "L, a = 7, 5", None),
        // The note appears once for each name.
        (&["a = 2", "L = a*3", "a = 5", "M = a*3"], "a = 6", None),
        (
            &["a = 2", "b = 3", "L = a*b", "a = 5"],
            "b = 6",
            Some(["L", "b@1", ":set b 6"]),
        ),
    ];
    for (lines, line, told) in cases {
        let found = notes(&mut Desk::with(lines), line);
        assert_eq!(
            found.len(),
            usize::from(told.is_some()),
            "{lines:?} {line}: {found:?}"
        );
        for (note, words) in found.iter().zip(told) {
            let names_all =
                words.iter().all(|word| note.contains(word)) && note.starts_with(words[0]);
            assert!(names_all, "{lines:?} {line}: {note}");
        }
    }
}

/// Lines pasted together are known in advance, so rebinding within them needs no note.
#[test]
fn a_paste_that_rebinds_everything_needs_no_note() {
    for (paste, surprised) in [
        ("", true),
        ("x = 3\ny = 2*x", false),
        ("x = 3\nz = 1; y = 2*x", false),
        ("x = 3\nz = y", true),
    ] {
        let mut desk = Desk::with(&["x = 1", "y = 2*x"]);
        desk.session.set_paste(paste);
        assert_eq!(!notes(&mut desk, "x = 3").is_empty(), surprised, "{paste}");
    }
}

#[rustfmt::skip]
#[test]
fn what_is_not_finite_is_noted_at_the_first_node_at_fault() {
    let lines = ["z, one, huge = -8, 1, 1e308"];
    let cases: &[(&str, &str, &str, &str)] = &[
        ("ln(-1)",
         "   ^^", "ln(-1) is NaN: ln needs x > 0", "is -1"),
        ("ln(z*one)",
         "   ^^^^^", "ln(-8) is NaN: ln needs x > 0", "is -8"),
        ("y = 1 + ln(z)",
         "           ^", "ln(-8) is NaN: ln needs x > 0", "is -8"),
        ("z.ln()",
         "^", "ln(-8) is NaN: ln needs x > 0", "is -8"),
        ("sqrt(z) + ln(z)",
         "     ^", "sqrt(-8) is NaN: sqrt needs x >= 0", "is -8"),
        ("one + ln(one - 1)",
         "         ^^^^^^^", "ln(0) is -inf: ln needs x > 0", "is 0"),
        ("1/(one - 1)",
         "^^^^^^^^^^^", "1/0 is inf: division needs y != 0", "is inf"),
        ("exp(1000)",
         "    ^^^^", "exp(1000) is inf: the result is beyond the largest number", "is 1000"),
        ("huge*10",
         "^^^^^^^", "1e308*10 is inf: the result is beyond the largest number", "is inf"),
        ("10^400",
         "^^^^^^", "10^400 is inf: the result is beyond the largest number", "is inf"),
        ("inf/inf",
         "^^^^^^^", "inf/inf is NaN: division has no value there", "is NaN"),
        ("polygamma(2.5, -one)",
         "          ^^^^^^^^^", "polygamma(2.5, -1) is NaN: polygamma needs a whole x from 0, and y not 0 or a negative whole number", "is NaN"),
        // The place includes the brackets that belong to the operands, and no others.
        ("(one + (one*(0))/((one) - (1)))",
         "       ^^^^^^^^^^^^^^^^^^^^^^^", "0/0 is NaN: division needs y != 0", "is NaN"),
        ("one*((one)/(one - (1))) + (2)",
         "     ^^^^^^^^^^^^^^^^^", "1/0 is inf: division needs y != 0", "is inf"),
        ("2 + z.data/(one - 1)",
         "    ^^^^^^^^^^^^^^^^", "(-8)/0 is -inf: division needs y != 0", "is -inf"),
        (":grad ln(z)",
         "         ^", "ln(-8) is NaN: ln needs x > 0", "is -8"),
        ("ln(z);",
         "   ^", "ln(-8) is NaN: ln needs x > 0", "is -8"),
    ];
    for (line, place, message, label) in cases {
        let mut desk = Desk::with(&lines);
        let reply = desk.try_line(line).pop().expect("there is an answer").unwrap_or_else(|error| panic!("{line}: {}", error.message));
        let [note] = reply.notes.as_slice() else { panic!("{line}: {:?}", reply.notes) };
        let (span, words) = note.place.clone().unwrap_or_else(|| panic!("{line}: no place"));
        let blanks = line[..span.start].chars().count();
        let shown = format!("{:blanks$}{}", "", "^".repeat(line[span].chars().count()));
        // The message contains a number, which is formatted only by the view.
        let said = sentence(&note.message).replace(&1e308_f64.to_string(), "1e308");
        assert_eq!((shown.as_str(), said.as_str(), sentence(&words).as_str()), (*place, *message, *label), "{line}");
    }
    // A NaN that was passed on gets no note, but one that arises from two infinities does; after a change of data, the
    // note says in which node.
    let mut desk = Desk::with(&lines);
    for line in ["nan + 1", "inf + 1", "x = nan", "max(nan, 1)"] {
        assert_eq!(notes(&mut desk, line), Vec::<String>::new(), "{line}");
    }
    for line in ["inf - inf", "0*inf"] {
        assert!(notes(&mut desk, line)[0].contains(" is NaN: "), "{line}");
    }
    desk.line("y = sqrt(one) * 2");
    assert_eq!(notes(&mut desk, ":set one -1"), ["sqrt(-1) is NaN: sqrt needs x >= 0 (in sqrt(one))"]);
    assert_eq!(notes(&mut desk, ":set one -2"), Vec::<String>::new(), "it was NaN before");
    let cube = notes(&mut desk, "z^(1/3)");
    assert!(cube[0].contains("cbrt"), "{cube:?}");
}

/// Expressions in `:set` are checked like any others.
#[test]
fn a_value_to_set_is_noted_as_any_other() {
    let mut found = Vec::new();
    for (line, note) in [
        (":set one 1/0", "1/0 is inf: division needs y != 0"),
        (":set one ln(z)", "ln(-8) is NaN: ln needs x > 0"),
        (":set one ln(z);", "ln(-8) is NaN: ln needs x > 0"),
    ] {
        let mut desk = Desk::with(&["z, one = -8, 1"]);
        let told = notes(&mut desk, line);
        if told != [note] {
            found.push(format!("{line} tells {told:?}, not {note}"));
        }
    }
    assert!(found.is_empty(), "{found:#?}");
}

// All or nothing.

#[test]
fn the_statement_is_all_or_nothing() {
    for line in [
        "x, y = 1, q",
        "x, x = 1, 2",
        "x, y = 1",
        "a, b = b, a + q",
        "a = 3 +",
        "a += q",
        "a = tanh(1, 2)",
        "a = a(3)",
        "const a = b",
        ":set a 3, b q",
        ":freeze a q",
        ":thaw a L",
        ":del a b q",
        ":grad L wrt a q",
        ":grad a*b*c wrt q",
        ":step 0.01 of a*b*q",
        ":backward a*b*c + q",
        "a b",
        "a = b = c",
        "\u{7}",
        ":nope",
    ] {
        // `failure` compares the state of the session.
        failure(&[LECTURE, &["a*7", ":grad L", ":set b 4;"]].concat(), line);
    }
    // Of several statements on a line, those before the one that fails take effect.
    let mut desk = lecture();
    desk.error("a = 1; b = q; c = 3");
    assert_values(
        &mut desk,
        &[("a", 1.0), ("b", -3.0), ("c", 10.0)],
        "a = 1; b = q; c = 3",
    );
}

/// Ids of nodes built by a failed statement are reused, so that later ids do not depend on errors.
#[test]
fn failed_statements_use_up_no_ids() {
    let mut found = Vec::new();
    for line in [
        "x = a*b*q",
        "x, y = a*b, q",
        "const x = a*b",
        "x = (a*b).grad",
        ":set a b*q",
        ":set a b*c, a b*c",
        ":set pi 3",
        ":set L a*b",
        ":freeze pi",
        ":freeze a (a + b)",
        ":grad 1 + 2",
        ":grad a*b*c wrt q",
        ":backward 1 + 2",
        ":step 1/0",
        ":step 0.01 (1 + 1.5)",
        ":step 0.01 of 1 + 2",
        ":step 0.01 of a*b*q",
        ":config digits (9 + 9)",
        ":undo (100 + 1)",
    ] {
        let mut desk = lecture();
        let made = desk.session.made();
        desk.error(line);
        if desk.session.made() != made {
            found.push(line);
        }
    }
    assert!(
        found.is_empty(),
        "numbers of nodes are lost after {found:#?}"
    );
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
        assert!(
            command.page.starts_with(&format!("# `:{name}`\n\n")),
            ":{name}: another heading"
        );
        let shows = |line: &str| {
            let typed = line.strip_prefix("∂> :").unwrap_or_default();
            let word = typed.split([' ', ';']).next().unwrap_or_default();
            word == name || command.aliases.contains(&word)
        };
        assert!(
            command.example().lines().any(shows),
            ":{name}: its example does not type it"
        );
    }
}

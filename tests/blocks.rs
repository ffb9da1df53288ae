//! Loops and choices over statements, typed or pasted as Python.
//!
//! The losses of the lecture's loop, and of the mistakes that the lecture makes in it, are those that Python 3 printed with
//! micrograd's `Value` and the classes in `tests/screens/cells/networks.txt`.
#![allow(clippy::unreadable_literal)]

use std::cell::Cell;
use std::rc::Rc;

use chainrule_session::Host;
use serde_json::Value;

use crate::common::invariants::sound;
use crate::common::{Desk, Random, number};
use crate::records::Record;

/// The lecture's cells before its loop: classes, a network and data.
fn lecture() -> Desk {
    let record = Record::read("cells/networks");
    let mut desk = Desk::default();
    let classes = (record.lines()).filter(|line| line.text.starts_with("class "));
    for class in classes.take(3) {
        desk.line(&class.text);
    }
    for line in [
        "random.seed(1)",
        "n = MLP(3, [4, 4, 1])",
        "xs = [[2.0, 3.0, -1.0], [3.0, -1.0, 0.5], [0.5, 1.0, 1.0], [1.0, 1.0, -1.0]]",
        "ys = [1.0, -1.0, -1.0, 1.0]",
    ] {
        desk.line(line);
    }
    desk
}

/// The last thing of each line that a block prints.
fn printed_numbers(answer: &Value) -> Vec<f64> {
    let lines = answer["printed"].as_array().expect("it prints").iter();
    lines
        .map(|line| number(line.as_array().and_then(|it| it.last()).expect("a number")))
        .collect()
}

/// A loop, what Python prints, and whether gradients add up from round to round.
type Mistake = (&'static str, &'static [f64], bool);

#[rustfmt::skip]
const MISTAKES: &[Mistake] = &[
    // Right.
    ("for k in range(8):\n  ypred = [n(x) for x in xs]\n  loss = sum((yout - ygt)**2 for ygt, yout in zip(ys, ypred))\n  for p in n.parameters():\n    p.grad = 0.0\n  loss.backward()\n  for p in n.parameters():\n    p.data += -0.1 * p.grad\n  print(k, loss.data)",
     &[6.24427205907587, 3.7396656431187414, 1.8754136694045764, 1.3357430718985905, 1.3966501498813315, 1.5807022112577849, 0.06172970774391761, 0.03065321896672497], false),
    // Never zeroed.
    ("for k in range(8):\n  ypred = [n(x) for x in xs]\n  loss = sum((yout - ygt)**2 for ygt, yout in zip(ys, ypred))\n  loss.backward()\n  for p in n.parameters():\n    p.data += -0.05 * p.grad\n  print(k, loss.data)",
     &[6.24427205907587, 4.9795915934788795, 3.135178094285709, 2.0915534179496404, 0.09642217714448653, 0.30353683277763993, 0.030064264839524017, 0.010419880886245158], true),
    // Zeroed once before.
    ("for p in n.parameters():\n  p.grad = 0.0\nfor k in range(8):\n  ypred = [n(x) for x in xs]\n  loss = sum((yout - ygt)**2 for ygt, yout in zip(ys, ypred))\n  loss.backward()\n  for p in n.parameters():\n    p.data += -0.05 * p.grad\n  print(k, loss.data)",
     &[6.24427205907587, 4.9795915934788795, 3.135178094285709, 2.0915534179496404, 0.09642217714448653, 0.30353683277763993, 0.030064264839524017, 0.010419880886245158], true),
    // Zeroed between pass and step.
    ("for k in range(8):\n  ypred = [n(x) for x in xs]\n  loss = sum((yout - ygt)**2 for ygt, yout in zip(ys, ypred))\n  loss.backward()\n  for p in n.parameters():\n    p.grad = 0.0\n  for p in n.parameters():\n    p.data += -0.1 * p.grad\n  print(k, loss.data)",
     &[6.24427205907587, 6.24427205907587, 6.24427205907587, 6.24427205907587, 6.24427205907587, 6.24427205907587, 6.24427205907587, 6.24427205907587], false),
    // Zeroed after the step.
    ("for k in range(8):\n  ypred = [n(x) for x in xs]\n  loss = sum((yout - ygt)**2 for ygt, yout in zip(ys, ypred))\n  loss.backward()\n  for p in n.parameters():\n    p.data -= 0.1 * p.grad\n  for p in n.parameters():\n    p.grad = 0.0\n  print(k, loss.data)",
     &[6.24427205907587, 3.7396656431187414, 1.8754136694045764, 1.3357430718985905, 1.3966501498813315, 1.5807022112577849, 0.06172970774391761, 0.03065321896672497], false),
    // Uphill.
    ("for k in range(8):\n  ypred = [n(x) for x in xs]\n  loss = sum((yout - ygt)**2 for ygt, yout in zip(ys, ypred))\n  for p in n.parameters():\n    p.grad = 0.0\n  loss.backward()\n  for p in n.parameters():\n    p.data += 0.1 * p.grad\n  print(k, loss.data)",
     &[6.24427205907587, 7.557341138439908, 7.730734330937809, 7.830697622157497, 7.964290105675439, 8.417022105095155, 11.146591976351848, 14.127357953111014], false),
    // Too fast.
    ("for k in range(8):\n  ypred = [n(x) for x in xs]\n  loss = sum((yout - ygt)**2 for ygt, yout in zip(ys, ypred))\n  for p in n.parameters():\n    p.grad = 0.0\n  loss.backward()\n  for p in n.parameters():\n    p.data -= 3 * p.grad\n  print(k, loss.data)",
     &[6.24427205907587, 7.999998850840229, 7.999998850697251, 7.999998850554239, 7.9999988504111945, 7.999998850268116, 7.999998850125005, 7.999998849981861], false),
    // Set, not added.
    ("for k in range(8):\n  ypred = [n(x) for x in xs]\n  loss = sum((yout - ygt)**2 for ygt, yout in zip(ys, ypred))\n  for p in n.parameters():\n    p.grad = 0.0\n  loss.backward()\n  for p in n.parameters():\n    p.data = -0.1 * p.grad\n  print(k, loss.data)",
     &[6.24427205907587, 4.251344567711808, 4.134945308075627, 4.079582812104451, 4.048530150701613, 4.0301577494747525, 4.018950945384573, 4.01198993805464], false),
    // Step before the pass.
    ("for k in range(8):\n  for p in n.parameters():\n    p.data -= 0.1 * p.grad\n  for p in n.parameters():\n    p.grad = 0.0\n  ypred = [n(x) for x in xs]\n  loss = sum((yout - ygt)**2 for ygt, yout in zip(ys, ypred))\n  loss.backward()\n  print(k, loss.data)",
     &[6.24427205907587, 3.7396656431187414, 1.8754136694045764, 1.3357430718985905, 1.3966501498813315, 1.5807022112577849, 0.06172970774391761, 0.03065321896672497], false),
    // No step.
    ("for k in range(8):\n  ypred = [n(x) for x in xs]\n  loss = sum((yout - ygt)**2 for ygt, yout in zip(ys, ypred))\n  for p in n.parameters():\n    p.grad = 0.0\n  loss.backward()\n  print(k, loss.data)",
     &[6.24427205907587, 6.24427205907587, 6.24427205907587, 6.24427205907587, 6.24427205907587, 6.24427205907587, 6.24427205907587, 6.24427205907587], false),
    // Printed before.
    ("for k in range(8):\n  ypred = [n(x) for x in xs]\n  loss = sum((yout - ygt)**2 for ygt, yout in zip(ys, ypred))\n  print(k, loss.data)\n  for p in n.parameters():\n    p.grad = 0.0\n  loss.backward()\n  for p in n.parameters():\n    p.data += -0.1 * p.grad",
     &[6.24427205907587, 3.7396656431187414, 1.8754136694045764, 1.3357430718985905, 1.3966501498813315, 1.5807022112577849, 0.06172970774391761, 0.03065321896672497], false),
    // Decaying rate, inner loop.
    ("for k in range(3):\n  for i in range(2):\n    ypred = [n(x) for x in xs]\n    loss = sum((yout - ygt)**2 for ygt, yout in zip(ys, ypred))\n    for p in n.parameters():\n      p.grad = 0.0\n    loss.backward()\n    for p in n.parameters():\n      p.data -= (0.1 - 0.03*k) * p.grad\n  print(k, loss.data)",
     &[3.7396656431187414, 1.1335621163460257, 0.2877630121348906], false),
    // One sample a time.
    ("for k in range(2):\n  for x, y in zip(xs, ys):\n    loss = (n(x) - y)**2\n    n.zero_grad()\n    loss.backward()\n    for p in n.parameters(): p.data -= 0.1*p.grad\n    print(k, loss.data)",
     &[0.12556237224064828, 3.1430398269147872, 2.6483959508170023, 0.8116714277158301, 0.21809371857609222, 2.7676627109251384, 1.078122951939492, 1.5558478353335559], false),
    // Batches on purpose.
    ("for k in range(3):\n  n.zero_grad()\n  total = 0\n  for x, y in zip(xs, ys):\n    loss = (n(x) - y)**2\n    loss.backward()\n    total += loss.data\n  for p in n.parameters(): p.data -= 0.1*p.grad\n  print(k, total)",
     &[6.24427205907587, 3.7396656431187414, 1.8754136694045762], false),
];

#[test]
fn the_lectures_loop_and_its_mistakes_print_what_python_prints() {
    for &(code, losses, adds_up) in MISTAKES {
        let mut desk = lecture();
        let lines = code.split_inclusive("\nfor k");
        // An unindented line after the first loop is a statement of its own.
        let (first, last) = match lines.collect::<Vec<_>>()[..] {
            [zero, rest] => (zero.strip_suffix("for k"), format!("for k{rest}")),
            _ => (None, code.to_string()),
        };
        desk.try_line(first.unwrap_or("0").trim_end());
        let answer = desk.answer(&last);
        let ours = printed_numbers(&answer);
        assert_eq!(ours.len(), losses.len(), "{code}");
        for (ours, theirs) in ours.iter().zip(losses) {
            assert!(
                (ours - theirs).abs() <= 1e-12 * theirs,
                "{code}: {ours} {theirs}"
            );
        }
        let notes = answer["notes"].to_string();
        assert_eq!(
            notes.contains("add up from round to round"),
            adds_up,
            "{code}: {notes}"
        );
    }
}

/// Statements of which the last moves a leaf, and names with the expressions of their values.
type Moves = (
    &'static [&'static str],
    &'static [(&'static str, &'static str)],
);

#[rustfmt::skip]
const MOVES: &[Moves] = &[
    // In each kind of block, looked at before its end or not.
    (&["for k in range(2):\n  loss = L + 0.1\n  loss.backward()\n  a.data -= 0.25*a.grad\n  a.grad = 0\n  print(k, loss)"], &[("loss", "L + 0.1")]),
    (&["for k in range(2):\n  loss = L + 0.1\n  loss.backward()\n  a.data -= 0.25*a.grad\n  a.grad = 0"], &[("loss", "L + 0.1")]),
    (&["while a < 5: loss = L*1; a.data += 1"], &[("loss", "L*1")]),
    (&["if a > 1:\n  loss = 2*L\n  a.data = 5\n  print('moved')"], &[("loss", "2*L")]),
    (&["for k in range(3):\n  if k == 1:\n    loss = L + k\n  a.data += 1\n  print(L)"], &[("loss", "L + 1")]),
    // In functions that a line calls.
    (&["def f(x):\n  loss = L^2 + x\n  a.data = 2\n  return loss", "y = f(1)"], &[("y", "L^2 + 1")]),
    (&["def f(x):\n  loss = L^2\n  a.data = 2\n  print(L)\n  return [loss, x*loss]", "y = f(3) + L"], &[("y[1]", "3*L^2 + L")]),
    (&["def f():\n  a.data += 1\n  return L", "y = L/2 + f() + f()"], &[("y", "2.5*L")]),
    // Lists, and values of values.
    (&["for k in range(2): v = [L, [2*L, k]]; a.data += k + 1; print(v)"], &[("v[0]", "L"), ("v[1][0]", "2*L")]),
    (&["xs = []", "for k in range(3): xs.append(k*L); a.data -= 0.5; print(xs)"], &[("xs[1]", "L"), ("xs[2]", "2*L")]),
    (&["for k in range(2): p = L - 1; q = p^2; r = q*p; a.data += 1; print(r)"], &[("r", "(L - 1)^3")]),
    // The leaf goes back to where it was.
    (&["if True: a.data = 7; loss = L + 1; a.data = 3; print(L)"], &[("loss", "L + 1")]),
];

/// Within a block, a value keeps the number that it was made with; after it, it has that of its expression.
#[test]
fn values_of_a_block_follow_leaves_after_it() {
    for (statements, values) in MOVES {
        let mut desk = Desk::with(&["a = 3", "L = (a - 1)^2"]);
        for statement in *statements {
            desk.line(statement);
        }
        for (name, expression) in *values {
            let [value, right] = [name, expression].map(|it| number(&desk.answer(it)["data"]));
            assert_eq!(value, right, "{name} after {statements:?}");
            sound(&desk.session);
        }
    }
}

/// A check for a stop that counts its calls, and stops at a given one.
struct Stopping(Cell<usize>);

impl Host for Stopping {
    fn stop(&self) -> bool {
        self.0.set(self.0.get().saturating_sub(1));
        self.0.get() == 0
    }
}

/// After Ctrl-C the finished rounds stay, and are saved.
#[test]
fn an_interrupted_loop_keeps_whole_rounds() {
    // A round that is stopped has also moved a leaf of its own.
    let block = "for k in range(10):\n  s = s + k\n  p = 3\n  p.data = 4\n  for i in range(600):\n    t += 1";
    for asked in 1..60 {
        let mut desk = Desk::with(&["s, t = 0, 0"]);
        let host = desk.session.set_host(Rc::new(Stopping(Cell::new(asked))));
        let reply = desk.try_line(block).remove(0);
        desk.session.set_host(host);
        let Ok(reply) = reply else {
            assert_eq!((desk.value("s"), desk.value("t")), (0.0, 0.0));
            continue;
        };
        let rounds = desk.value("t") / 600.0;
        assert_eq!(rounds.fract(), 0.0);
        assert_eq!(desk.value("s"), rounds * (rounds - 1.0) / 2.0);
        assert_eq!(reply.is_interrupted, rounds < 10.0);
        let script = desk.session.script().text;
        let range = format!("for k in (range(10))[0:{rounds}]:");
        assert_eq!(script.contains(&range), reply.is_interrupted, "{script}");
        desk.line(":undo");
        assert_eq!((desk.value("s"), desk.value("t")), (0.0, 0.0));
    }
}

/// The lines after a stopped loop have not run and are not saved: the saved block gives the same values.
#[test]
fn a_saved_block_ends_where_it_was_stopped() {
    let blocks = [
        "if 1 > 0:\n  for k in range(4):\n    s = s + 1\n  s = s*100\nelse:\n  s = 7",
        "if 1 > 0:\n  while t < 4:\n    t += 1\n    s = s + t\n  s = s*100",
        "if 1 > 0:\n  for k in range(2): s = s + 1\n  for k in range(3):\n    t += 1\n  s = s*100",
    ];
    let mut stopped = 0;
    for (block, asked) in blocks.iter().flat_map(|it| (1..40).map(move |at| (it, at))) {
        let mut desk = Desk::with(&["s, t = 0, 0"]);
        let host = desk.session.set_host(Rc::new(Stopping(Cell::new(asked))));
        let reply = desk.try_line(block).remove(0);
        desk.session.set_host(host);
        let Ok(reply) = reply else { continue };
        stopped += usize::from(reply.is_interrupted);
        let script = desk.session.script().text;
        let (_, saved) = script.split_once("if 1").expect("the block is saved");
        let mut again = Desk::with(&["s, t = 0, 0"]);
        again.line(format!("if 1{saved}").trim_end().trim_end_matches(';'));
        for name in ["s", "t"] {
            assert_eq!(desk.value(name), again.value(name), "{name}: {script}");
        }
    }
    assert!(stopped > 5, "{stopped}");
}

/// The logs for undo do not hold the graphs of all rounds.
#[test]
fn rounds_leave_nothing_behind_but_what_lasts() {
    let mut desk = Desk::with(&["const x = [k/50 for k in 1..50]", "w, b = 0.1, 0.2"]);
    let block = |rounds: usize| {
        format!(
            "for k in range({rounds}):\n  y = [tanh(w*u + b) for u in x]\n  loss = sum((v - 0.5)^2 for v in y)\n  loss.backward()\n  for p in [w, b]: p.data -= 0.001*p.grad"
        )
    };
    desk.line(&block(3));
    let few = chainrule_engine::graph::live_nodes();
    desk.line(&block(300));
    assert!(chainrule_engine::graph::live_nodes() < 3 * few, "{few}");
    desk.line(":undo");
    desk.line(":undo");
    assert_eq!((desk.value("w"), desk.value("b")), (0.1, 0.2));
    desk.line(":redo");
    desk.line(":redo");
    assert_ne!(desk.value("w"), 0.1);
    sound(&desk.session);
}

/// The loop of the manual: stochastic gradient descent over batches in their order. The numbers are those of the same loop
/// in numpy, which are those of `torch.optim.SGD` over `xs[2*k:2*k + 2]`.
#[test]
fn a_loop_takes_steps_over_batches() {
    let mut desk = Desk::default();
    let page = include_str!("../docs/guide/gradients.md");
    let (_, rest) = page.split_once("```python\n").expect("the loop");
    let (loop_of_batches, _) = rest.split_once("```").expect("its end");
    let (lines, rounds) = loop_of_batches.split_once("for epoch").expect("rounds");
    lines.lines().for_each(|line| drop(desk.line(line)));
    desk.line(&format!("for epoch{rounds}"));
    for (name, want) in [("w", 1.2884805550364908), ("b", 0.8931356378032714)] {
        let got = desk.value(name);
        assert!((got - want).abs() < 1e-13, "{name}: {got}");
    }
}

/// The lines of a random block, inside of `depth` others.
fn random_lines(random: &mut Random, depth: usize) -> Vec<String> {
    const NAMES: [&str; 7] = ["a", "b", "c", "s", "t", "act", "p"];
    const LISTS: [&str; 3] = ["w", "v", "[a, b, c]"];
    let [x, y, z] = [(); 3].map(|()| NAMES[random.below(NAMES.len())]);
    let (list, sign) = (LISTS[random.below(3)], ["+", "-", "*"][random.below(3)]);
    let (value, target) = (random.below(5), LISTS[random.below(2)]);
    let line = match random.below(if depth < 3 { 19 } else { 14 }) {
        0 => format!("{x} = {value}"),
        1..=3 => format!("{x} = {x} {sign} {y}*{z}"),
        4 => format!("{x}, q = {y} {sign} {z}, f({y})"),
        5 => format!("{target} = {list}"),
        6 => format!("{x} = {list}[{}]", random.below(3)),
        7 => format!("{x}.backward()"),
        8 => format!("{x} = {x} - 0.1*{x}.grad"),
        9 => format!("{x} = {y}"),
        10 => format!("{x} = g({y}, {z})"),
        11 => format!("print({x})"),
        12 => "p.data = 0.9*p.data".to_string(),
        13 => format!("{x} = grad(act, a)"),
        kind => {
            let head = match kind {
                14 => format!("for {x} in {list}:"),
                15 => format!("for i in range({value}):"),
                16 => format!("for {x}, q in zip({target}, v):"),
                17 => format!("if {x} > {value}:"),
                _ => format!("while {x} > {value}:"),
            };
            let count = 1 + random.below(4);
            let mut lines = vec![head];
            for _ in 0..count {
                let inner = random_lines(random, depth + 1);
                lines.extend(inner.iter().map(|line| format!("    {line}")));
            }
            if kind == 18 {
                lines.push("    break".to_string());
            }
            return lines;
        }
    };
    vec![line]
}

/// What a session shows of its names, also after `:undo` and `:redo`, without the names that only this test has.
fn shown_names(desk: &mut Desk) -> String {
    let mut all = String::new();
    for (change, questions) in [
        ("", &[":vars", ":topo", ":grad"][..]),
        (":undo", &[":vars"]),
        (":redo", &[":vars"]),
    ] {
        desk.json(change);
        all.extend(questions.iter().map(|line| desk.json(line)));
    }
    let is_own = |row: &&str| !row.contains("seen") && !row.contains("mark");
    all.lines().filter(is_own).collect::<Vec<_>>().join("\n")
}

/// A block tells the session its names late. With an act after each line that looks at them, it ends in the same names,
/// former names, ids, target and history.
#[test]
fn names_of_a_block_do_not_depend_on_who_looks() {
    let mut random = Random(42);
    let mut done = 0;
    for _ in 0..400 {
        let mut lines = vec!["for k in range(3):".to_string()];
        while lines.len() < 6 {
            let inner = random_lines(&mut random, 1);
            lines.extend(inner.iter().map(|line| format!("    {line}")));
        }
        let looking = lines.iter().flat_map(|line| {
            let blanks = line.len() - line.trim_start().len();
            let is_head = line.ends_with(':') || line.trim_start() == "break";
            let look = format!("{}seen.append(mark)", " ".repeat(blanks));
            [line.clone()].into_iter().chain((!is_head).then_some(look))
        });
        let blocks = [lines.join("\n"), looking.collect::<Vec<_>>().join("\n")];
        let [(plain, shown), (looked_at, same)] = blocks.each_ref().map(|block| {
            let mut desk = Desk::with(&[
                "a, b, c, p = 2, -3, 0.5, 7",
                "w = [1, 2, 3]",
                "v = w",
                "s, t, act, q = 1, a*b, a + dot(v, w), 3",
                "mark, seen = 4, []",
                "f(x) = x*a",
                "def g(x, y):\n    r = x*y\n    return r + s",
            ]);
            let answers = desk.try_line(&format!("{block}\n"));
            let failed = answers.into_iter().find_map(Result::err);
            (failed.map(|it| it.message), shown_names(&mut desk))
        });
        assert_eq!(plain, looked_at, "{}", blocks[0]);
        assert!(shown == same, "{}\n{shown}\n{same}", blocks[0]);
        done += usize::from(plain.is_none());
    }
    assert!(done > 150, "{done}");
}

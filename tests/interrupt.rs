//! What takes long asks whether to stop: often enough, not at every turn, and what stops leaves nothing behind.
//!
//! A host that counts is enough: signals and deadlines are the shell's.

use std::cell::Cell;
use std::rc::Rc;

use crate::common::Desk;
use chainrule::graph::node::live_nodes;
use chainrule::session::Host;

/// Says stop at one of its questions, and counts them and what it is told of progress.
struct Counting {
    asked: Cell<u32>,
    told: Cell<u64>,
    patience: u32,
}

impl Counting {
    fn new(patience: u32) -> Rc<Counting> {
        Rc::new(Counting {
            asked: Cell::new(0),
            told: Cell::new(0),
            patience,
        })
    }
}

impl Host for Counting {
    fn stop(&self) -> bool {
        self.asked.set(self.asked.get() + 1);
        self.asked.get() > self.patience
    }

    fn progress(&self, done: u64, of: u64, _: f64) {
        assert!(done < of, "{done} of {of}");
        self.told.set(self.told.get() + 1);
    }
}

/// `x + 1 + 1 + …`
fn sum(terms: usize) -> String {
    format!("x{}", " + 1".repeat(terms))
}

/// Functions of which each calls the one before twice: 2^18 nodes.
fn doubling() -> Vec<String> {
    let mut lines = vec!["x = 1;".to_string(), "g0(t) = t + 1;".to_string()];
    for step in 1..18 {
        lines.push(format!("g{step}(t) = g{0}(t) + g{0}(t);", step - 1));
    }
    lines
}

/// What is typed before, the long line, and between how many questions it asks.
fn long_lines() -> Vec<(Vec<String>, String, [u32; 2])> {
    let x = || vec!["x = 0.5;".to_string()];
    let mut chain = x();
    chain.push(format!("y = {};", sum(20_000)));
    let mut curved = x();
    curved.push(format!(
        "y = {}x{};",
        "sin(".repeat(9_000),
        ")".repeat(9_000)
    ));
    let mut body = x();
    body.push(format!(
        "h(t) = grad({}t{}, t);",
        "sin(".repeat(4_000),
        ")".repeat(4_000)
    ));
    let mut leaves: Vec<String> = (0..50).map(|at| format!("a{at} = {at};")).collect();
    let all: Vec<String> = (0..50).map(|at| format!("a{at}^2")).collect();
    leaves.push(format!("y = {};", all.join(" + ")));
    vec![
        // 200,000 items, one question for each 2^14 of them.
        (x(), format!("y = {};", sum(100_000)), [12, 13]),
        (doubling(), "y = g17(x);".into(), [15, 80]),
        // The derivative has some 30,000 nodes of its own.
        (curved, "d = grad(y, x);".into(), [1, 20]),
        (body, "d = h(x);".into(), [1, 20]),
        (chain, ":explain x of y".into(), [3, 10]),
        (leaves, ":check y".into(), [50, 50]),
    ]
}

#[test]
fn it_asks_now_and_then() {
    for (before, line, [least, most]) in long_lines() {
        let host = Counting::new(u32::MAX);
        let mut desk = Desk::with(&before);
        desk.session.set_host(Rc::clone(&host) as Rc<dyn Host>);
        desk.line(&line);
        let asked = host.asked.get();
        let line = &line[..line.len().min(20)];
        assert!((least..=most).contains(&asked), "{line}: {asked}");
    }
}

#[test]
fn a_stop_ends_it_at_once_and_leaves_no_trace() {
    for (before, line, [least, _]) in long_lines() {
        for patience in [0, 2].into_iter().filter(|patience| *patience < least) {
            let host = Counting::new(patience);
            let mut desk = Desk::with(&before);
            let (made, live) = (desk.session.made(), live_nodes());
            desk.session.set_host(Rc::clone(&host) as Rc<dyn Host>);
            let told = &line[..line.len().min(20)];
            let error = desk.error(&line);
            assert!(error.interrupted, "{told}: {}", error.message);
            assert_eq!(host.asked.get(), patience + 1, "{told}");
            assert_eq!((desk.session.made(), live_nodes()), (made, live), "{told}");
        }
    }
}

#[test]
fn saving_asks_too() {
    let mut desk = Desk::with(&["x = 0.5;", &format!("y = {};", sum(40_000))]);
    let host = Counting::new(u32::MAX);
    desk.session.set_host(Rc::clone(&host) as Rc<dyn Host>);
    assert!(desk.session.script().is_ok());
    let asked = host.asked.get();
    assert!((3..=20).contains(&asked), "{asked}");
    for patience in 0..asked {
        desk.session.set_host(Counting::new(patience));
        assert!(desk.session.script().is_err(), "stopped after {patience}");
    }
}

#[test]
fn steps_stop_between_two_of_them() {
    let host = Counting::new(u32::MAX);
    let mut desk = Desk::with(&["x = 8;", "y = x^2;"]);
    desk.session.set_host(Rc::clone(&host) as Rc<dyn Host>);
    // dy/dx = 2x, so a step of 0.25 halves x.
    let steps = desk.line(":step 0.25 5").remove(0);
    let whole = desk.try_line(":step 0.25 2").remove(0).expect("it answers");
    assert!(!whole.interrupted);
    desk.line(":undo");
    assert_eq!((host.asked.get(), host.told.get()), (7, 7));
    assert_eq!(desk.value("x"), 0.25);
    assert_eq!(steps["steps"], 5);
    let mut desk = Desk::with(&["x = 8;", "y = x^2;", "y"]);
    for (patience, steps, interrupted) in [(3, 5, true), (9, 5, false), (9, 1, false)] {
        desk.session.set_host(Counting::new(patience));
        let line = format!(":step 0.25 {steps}");
        let reply = desk.try_line(&line).remove(0).expect("it answers");
        assert_eq!(reply.interrupted, interrupted, "{steps} steps");
        desk.line(":undo");
    }
    desk.session.set_host(Counting::new(3));
    let screen = desk.screen(":step 0.25 5");
    assert!(
        screen.contains("3 of 5 steps, then interrupted"),
        "{screen}"
    );
    assert_eq!(desk.value("x"), 1.0);
    desk.session.set_host(Counting::new(0));
    assert!(desk.error(":step 0.25 5").interrupted);
    assert_eq!(desk.value("x"), 1.0);
    desk.session.set_host(Counting::new(1));
    desk.line(":step 0.25");
    assert_eq!(desk.value("x"), 0.5, "one step is not cut");
}

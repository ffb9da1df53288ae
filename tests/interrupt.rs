//! Long work regularly asks whether to stop, but not at every step, and work that is stopped leaves no trace.
//!
//! A host that counts the questions is enough here; `signals.rs` tests signals and deadlines of the shell.

use std::cell::Cell;
use std::rc::Rc;

use crate::common::invariants::comes_back;
use crate::common::{Desk, Patience, everything};
use chainrule_engine::graph::live_nodes;
use chainrule_session::{Host, Reader};
use chainrule_stop::{Stopped, run_until_stopped};
use chainrule_view as view;
use chainrule_view::{Style, json};

/// The text of a sum with this many terms.
fn sum(terms: usize) -> String {
    format!("x{}", " + 1".repeat(terms))
}

/// Functions that each call the previous one twice, which makes 2^18 nodes.
fn doubling() -> Vec<String> {
    let mut lines = vec!["x = 1;".to_string(), "g0(t) = t + 1;".to_string()];
    for step in 1..18 {
        lines.push(format!("g{step}(t) = g{0}(t) + g{0}(t);", step - 1));
    }
    lines
}

/// Preparatory lines, the long statement, and the least and most questions it may ask.
fn long_lines() -> Vec<(Vec<String>, String, [u32; 2])> {
    let x = || vec!["x = 0.5;".to_string()];
    let mut chain = x();
    chain.push(format!("y = {};", sum(20_000)));
    let mut curved = x();
    curved.push(format!("y = x{};", ".sin()".repeat(9_000)));
    let mut body = x();
    body.push(format!("h(t) = grad(t{}, t);", ".sin()".repeat(9_000)));
    let mut leaves: Vec<String> = (0..600).map(|at| format!("a{at} = {at};")).collect();
    let all: Vec<String> = (0..600).map(|at| format!("a{at}^2")).collect();
    leaves.push(format!("y = {};", all.join(" + ")));
    vec![
        // 200,000 items, with one question for every 2^10 of them.
        (x(), format!("y = {};", sum(100_000)), [190, 200]),
        (doubling(), "y = g17(x);".into(), [240, 1_300]),
        // The derivative has about 30,000 nodes of its own.
        (curved, "d = grad(y, x);".into(), [10, 320]),
        (body, "d = h(x);".into(), [10, 320]),
        (chain, ":explain x of y".into(), [3, 10]),
        // About 100 evaluations for each of the 600 leaves, each of more than 2^10 nodes.
        (leaves, ":check y".into(), [600, 100_000]),
    ]
}

#[test]
fn long_work_asks_regularly_whether_to_stop() {
    for (before, line, [least, most]) in long_lines() {
        let host = Patience::of(u32::MAX);
        let mut desk = Desk::with(&before);
        desk.session.set_host(Rc::clone(&host) as Rc<dyn Host>);
        desk.line(&line);
        let asked = host.questions.get();
        let line = &line[..line.len().min(20)];
        assert!((least..=most).contains(&asked), "{line}: {asked}");
    }
}

#[test]
fn a_stop_ends_it_at_once_and_leaves_no_trace() {
    for (before, line, [least, _]) in long_lines() {
        for patience in [0, 2].into_iter().filter(|patience| *patience < least) {
            let host = Patience::of(patience);
            let mut desk = Desk::with(&before);
            let (made, live) = (desk.session.newest_id(), live_nodes());
            desk.session.set_host(Rc::clone(&host) as Rc<dyn Host>);
            let told = &line[..line.len().min(20)];
            let error = desk.error(&line);
            assert!(error.is_interrupt, "{told}: {}", error.message);
            assert_eq!(host.questions.get(), patience + 1, "{told}");
            assert_eq!(
                (desk.session.newest_id(), live_nodes()),
                (made, live),
                "{told}"
            );
        }
    }
}

#[test]
fn steps_stop_between_two_of_them() {
    let host = Patience::of(u32::MAX);
    let mut desk = Desk::with(&["x = 8;", "y = x^2;"]);
    desk.session.set_host(Rc::clone(&host) as Rc<dyn Host>);
    // dy/dx = 2x, so a step of 0.25 halves x.
    let steps = desk.line(":step 0.25 5").remove(0);
    let whole = desk.try_line(":step 0.25 2").remove(0).expect("it answers");
    assert!(!whole.is_interrupted);
    desk.line(":undo");
    assert_eq!((host.questions.get(), host.passes.get()), (7, 1));
    assert_eq!(desk.value("x"), 0.25);
    assert_eq!(steps["steps"], 5);
    let mut desk = Desk::with(&["x = 8;", "y = x^2;", "y"]);
    for (patience, steps, interrupted) in [(3, 5, true), (9, 5, false), (9, 1, false)] {
        desk.session.set_host(Patience::of(patience));
        let line = format!(":step 0.25 {steps}");
        let reply = desk.try_line(&line).remove(0).expect("it answers");
        assert_eq!(reply.is_interrupted, interrupted, "{steps} steps");
        desk.line(":undo");
    }
    desk.session.set_host(Patience::of(3));
    let screen = desk.screen(":step 0.25 5");
    assert!(
        screen.contains("3 of 5 steps, then interrupted"),
        "{screen}"
    );
    assert_eq!(desk.value("x"), 1.0);
    desk.session.set_host(Patience::of(0));
    assert!(desk.error(":step 0.25 5").is_interrupt);
    assert_eq!(desk.value("x"), 1.0);
    desk.session.set_host(Patience::of(1));
    desk.line(":step 0.25");
    assert_eq!(desk.value("x"), 0.5, "one step is not cut");
    // A saved session has the leaves where the search stopped, even if `all` was typed.
    for range in ["5", "k=2..6"] {
        let mut desk = Desk::with(&["x = 8;", "y = x^2;"]);
        desk.session.set_host(Patience::of(3));
        let reply = desk.try_line(&format!(":step 0.25 {range} of y all"));
        assert!(reply[0].as_ref().is_ok_and(|reply| reply.is_interrupted));
        desk.session.set_host(Patience::of(u32::MAX));
        let saved = comes_back(&mut desk.session);
        let kept =
            format!("\ny = x^2;\n# :step 0.25 {range} of y all\n:set x 1;\n:step 0 of y all;\n");
        assert!(saved.contains(&kept), "{saved}");
    }
    // Steps that go on from there are not repeated, either.
    let mut desk = Desk::with(&["x = 8;", "y = x^2;"]);
    desk.session.set_host(Patience::of(3));
    let reply = desk.try_line(":step 0.25 5 momentum 0.5 of y");
    assert!(reply[0].as_ref().is_ok_and(|reply| reply.is_interrupted));
    desk.session.set_host(Patience::of(u32::MAX));
    desk.line(":step 0.25 momentum 0.5 of y");
    let saved = comes_back(&mut desk.session);
    assert!(!saved.contains("\n:step 0.25"), "{saved}");
}

#[test]
fn a_training_loop_keeps_the_rounds_that_are_done() {
    // The name of the list begins with a keyword.
    let mut desk = Desk::with(&["x = 8;", "whiles = 0..8;"]);
    // dy/dx = 2x, so a round halves x.
    let training = "for k in whiles:\n  y = x*x\n  for p in [x]: p.grad = 0\n  y.backward()\n  for p in [x]: p.data -= 0.25*p.grad";
    desk.session.set_host(Patience::of(8));
    let reply = desk.try_line(training).remove(0).expect("it answers");
    assert!(reply.is_interrupted);
    let rounds = desk.value("k") + 1.0;
    let end = format!("in {rounds} rounds, then interrupted");
    let blocks = reply.report.expect("it shows the rounds").blocks;
    assert!(format!("{blocks:?}").contains(&end), "{blocks:?}");
    let (k, x, y) = (desk.value("k"), desk.value("x"), desk.value("y"));
    assert!((1.0..8.0).contains(&k), "{k}");
    assert_eq!((x, y), (8.0 * 0.5_f64.powf(k + 1.0), x * x));
    desk.line(":undo");
    assert_eq!(desk.value("x"), 8.0);
    desk.session.set_host(Patience::of(0));
    assert!(desk.error(training).is_interrupt);
    assert_eq!(desk.value("x"), 8.0);
    desk.session.set_host(Patience::of(u32::MAX));
    desk.line(":redo");
    assert_eq!(desk.value("x"), x);
    comes_back(&mut desk.session);
}

/// Each step of the factorisation of 40 columns and 1,000 rows asks, and a fit that is stopped in one keeps its point.
#[test]
fn a_fit_asks_while_it_factors() {
    let lines = [
        "const t = 1..1000",
        "const y = [sin(k) for k in 1..1000]",
        "c = [0.0 for k in 1..40]",
        "m = sum(c[k - 1]*cos(k*t/500) for k in 1..40)",
    ];
    let run = |patience: u32| {
        let host = Patience::of(patience);
        let mut desk = Desk::with(&lines);
        desk.session.set_host(Rc::clone(&host) as Rc<dyn Host>);
        let answer = desk.try_line(":fit y ~ m").remove(0);
        (host.questions.get(), host.passes.get(), answer)
    };
    let (asked, passes, _) = run(u32::MAX);
    assert!(u64::from(asked) > 80 * passes, "{asked}, {passes}");
    let (until_stopped, _, answer) = run(asked - 60);
    assert!(until_stopped < asked);
    assert!(answer.expect("it keeps its point").is_interrupted);
}

/// A session in which all answers are long.
fn large() -> Desk {
    let nodes = 5_000;
    let leaves: String = (0..nodes / 4).map(|at| format!("n{at} = {at};")).collect();
    let terms: Vec<String> = (0..nodes / 4).map(|at| format!("n{at}*x")).collect();
    let mut desk = Desk::with(&["x = 0.5;", &leaves, &format!("y = {};", terms.join(" + "))]);
    desk.session.show.reader = Reader::Program;
    desk.line("z = 3*y; :grad z;");
    desk
}

#[test]
fn long_answers_ask_while_they_are_made() {
    let mut desk = large();
    let usual = desk.session.host();
    for line in [
        ":grad y",
        ":backward y",
        ":tree y",
        ":topo y",
        ":graph y",
        ":set x 2",
        ":set n0 2, x 3",
        ":step 0.1 of y",
        ":check y",
        ":vars",
        ":save s.calc",
        ":explain x of y",
        ":freeze n0",
    ] {
        let changes = |desk: &Desk| {
            let journal = desk.session.journal();
            journal.undoable().len() as u64 + journal.forgotten
        };
        let mut questions = 0;
        // The first time, an index of the nodes is made, too.
        for _ in 0..2 {
            let host = Patience::of(u32::MAX);
            desk.session.set_host(Rc::clone(&host) as Rc<dyn Host>);
            let before = changes(&desk);
            desk.try_line(line).remove(0).expect("it answers");
            questions = host.questions.get();
            desk.session.set_host(Rc::clone(&usual));
            if changes(&desk) > before {
                desk.line(":undo");
            }
            desk.line(":grad z;");
        }
        // These end before the first question is due; the rows of `:vars` are made while they are written.
        let short = [":freeze n0", ":save s.calc", ":vars"].contains(&line);
        assert!(short || questions > 0, "{line}");
        let before = everything(&desk.session);
        // Stop at the first question, and in the middle.
        for patience in [0, questions / 2] {
            if questions <= patience {
                continue;
            }
            desk.session.set_host(Patience::of(patience));
            let answer = desk.try_line(line).remove(0);
            desk.session.set_host(Rc::clone(&usual));
            let error = answer.expect_err(line);
            assert!(error.is_interrupt, "{line}: {}", error.message);
            let told = format!("{line}: stopped after {patience}");
            assert!(before == everything(&desk.session), "{told}");
        }
    }
}

#[test]
fn long_answers_ask_while_they_are_written() {
    let mut desk = large();
    // Work that produces text must ask sometimes, and must end if the answer is to stop.
    let written = |what: &str, work: &dyn Fn()| {
        let asked = Rc::new(Cell::new(0));
        let counted = Rc::clone(&asked);
        let count = move || {
            counted.set(counted.get() + 1);
            false
        };
        assert_eq!(run_until_stopped(count, work), Ok(()), "{what}");
        assert!(asked.get() > 1, "{what}: {}", asked.get());
        assert_eq!(run_until_stopped(|| true, work), Err(Stopped), "{what}");
    };
    let style = Style::default();
    for line in [
        ":grad y", ":tree y", ":topo y", ":graph y", ":set x 2", ":vars",
    ] {
        let reply = desk.try_line(line).remove(0).expect("it answers");
        let report = reply.report.expect("it says something");
        written(&format!("{line} as JSON"), &|| {
            json::report(&report, &[], "-", 1, &mut String::new());
        });
        if line != ":graph y" {
            written(&format!("{line} as text"), &|| {
                view::report(&report, &style, &mut String::new());
            });
        }
    }
}

#[test]
fn what_was_taken_back_before_a_stop_stands_and_is_said() {
    let mut desk = Desk::with(&["x = 0"]);
    for count in 1..=10 {
        desk.line(&format!(":set x {count}"));
    }
    for (line, patience, screen, x) in [
        (":undo 8", 0, "1 of 8, then interrupted", 9.0),
        (":undo 8", 3, "4 of 8, then interrupted", 5.0),
        (":undo 4", 9, "undone: :set x 2", 1.0),
        (":redo 6", 2, "3 of 6, then interrupted", 4.0),
        (":redo 9", 9, "that was all there is", 10.0),
    ] {
        desk.session.set_host(Patience::of(patience));
        let shown = desk.screen(line);
        assert!(shown.contains(screen), "{line}: {shown}");
        assert_eq!(desk.value("x"), x, "{line}");
    }
}

/// An unknown name must not be compared with all names of the session if it is long.
#[test]
fn a_long_unknown_name_is_no_slip_of_another() {
    let mut desk = Desk::with(&["alpha = 1"]);
    for letters in [64, 65, 100_000, 1_000_000] {
        let name = "a".repeat(letters);
        for line in [
            name.clone(),
            format!("{name}(1)"),
            format!(":set {name} 2"),
            format!(":del {name}"),
        ] {
            let error = desk.error(&line);
            let help = error.help.unwrap_or_default();
            assert!(
                !help.contains("did you mean"),
                "{}",
                &help[..help.len().min(80)]
            );
        }
    }
    assert_eq!(
        desk.error("alhpa + 1").help.as_deref(),
        Some("did you mean `alpha`?")
    );
}

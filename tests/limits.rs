//! Limits of a statement: one that goes beyond a limit is refused without a trace, and a statement that copies many
//! numbers can be stopped soon.

use std::rc::Rc;

use crate::common::{Desk, Patience};
use chainrule_engine::graph::live_nodes;
use chainrule_report::count_text;
use chainrule_session::limits::Limits;
use chainrule_session::{QuietHost, Session};

/// A list of leaves `w`, and a list `v` of this length that repeats them.
fn desk(thousands: usize) -> Desk {
    let mut desk = Desk::with(&["w = 1..1000;"]);
    let parts = vec!["w"; thousands].join(", ");
    desk.line(&format!("v = flat([{parts}]);"));
    desk
}

/// Types a line that goes beyond a limit, and must leave no trace.
fn refuse(desk: &mut Desk, line: &str, message: &str) {
    let state = |session: &Session| {
        let changes = session.journal().undoable().len();
        (session.newest_id(), live_nodes(), changes)
    };
    let before = state(&desk.session);
    let error = desk.error(line);
    assert!(
        error.message.starts_with(message),
        "{line}: {}",
        error.message
    );
    assert!(error.help.is_some() && error.span.is_some(), "{line}");
    assert_eq!(state(&desk.session), before, "{line}");
}

/// A list has so many numbers, and no more.
fn hold_list_numbers(limits: Limits) {
    let most = limits.list_numbers / 1_000;
    let message = format!("a list holds at most {} numbers", count_text(most * 1_000));
    let loops = 100 * most;
    for (text, is_allowed) in [
        (format!("len([w for k in 1..{most}])"), true),
        (format!("len([w for k in 1..{}])", most + 1), false),
        (format!("len([w for k in 1..{loops}])"), false),
        (format!("len([[w, w] for k in 1..{loops}])"), false),
        (format!("len([f(w) for k in 1..{loops}])"), false),
        ("len([v, v])".into(), true),
        ("len([v, v, w])".into(), false),
        ("len(zip(v, v))".into(), true),
        ("len(zip(v, v, v))".into(), false),
        ("len([v][[0, 0, 0]])".into(), false),
        ("a, b = [[v, w], [v, w]]".into(), false),
    ] {
        let mut desk = desk(most / 2);
        desk.line("f(x) = [x, x];");
        *desk.session.limits_mut() = limits;
        if is_allowed {
            desk.line(&text);
        } else {
            refuse(&mut desk, &text, &message);
        }
    }
}

/// Functions that call each other twice end at a number of nodes.
fn hold_nodes(limits: Limits) {
    let mut desk = Desk::with(&["g0(x) = x + 1;"]);
    for step in 1..30 {
        desk.line(&format!("g{step}(x) = g{0}(x) + g{0}(x);", step - 1));
    }
    desk.line("a = 1");
    *desk.session.limits_mut() = limits;
    let most = count_text(limits.nodes);
    let message = format!("a statement makes at most {most} nodes");
    refuse(&mut desk, "g29(a)", &message);
}

/// The loops of a statement have so many rounds together, and no more.
fn hold_rounds(limits: Limits) {
    let mut desk = Desk::with(&["k = 0"]);
    *desk.session.limits_mut() = limits;
    let most = limits.rounds;
    let message = format!("a statement has at most {} rounds", count_text(most));
    refuse(&mut desk, "while True: k += 1", &message);
    desk.line(&format!("while k < {most}: k += 1"));
    assert_eq!(desk.value("k"), most as f64);
}

/// Steps run again when a session is loaded, unless they visit too many nodes.
fn hold_repeated_work(limits: Limits) {
    let mut desk = Desk::with(&["w = [k/7 for k in 1..1000]", "L = sum(w^2)"]);
    *desk.session.limits_mut() = limits;
    // A step visits some 2,000 nodes.
    let most = limits.repeated_work / 2_000;
    for (steps, is_repeated) in [(most / 2, true), (2 * most, false)] {
        let line = format!(":step 1e-9 {steps} of L");
        desk.line(&line);
        let saved = desk.session.script().text;
        let is_kept = saved.contains(&format!("\n{line}"));
        assert_eq!(is_kept, is_repeated, "{line}");
        assert_eq!(saved.contains(":set w[0] "), !is_repeated, "{line}");
        desk.line(":undo");
    }
}

fn hold(limits: Limits) {
    hold_list_numbers(limits);
    hold_nodes(limits);
    hold_rounds(limits);
    hold_repeated_work(limits);
}

#[test]
fn a_statement_beyond_a_limit_is_refused() {
    hold(Limits {
        nodes: 20_000,
        list_numbers: 20_000,
        rounds: 1_000,
        repeated_work: 80_000,
    });
}

/// `.ci/release` runs it: it takes half a minute.
#[test]
#[ignore = "it takes long"]
fn a_statement_beyond_a_limit_of_a_release_is_refused() {
    hold(Limits::default());
}

#[test]
fn a_statement_that_copies_lists_can_be_stopped_soon() {
    let mut desk = desk(100);
    for text in [
        "len([len([v, v]) for k in 1..1000])",
        "len([len(zip(v, v)) for k in 1..1000])",
        "len([len(v[0..89999]) for k in 1..1000])",
        "len([len(v.data) for k in 1..50])",
    ] {
        desk.session.set_host(Patience::of(20));
        assert!(desk.error(text).is_interrupt, "{text}");
    }
    desk.session.set_host(Rc::new(QuietHost));
    assert_eq!(desk.value("len(v)"), 100_000.0);
}

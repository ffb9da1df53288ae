//! Limits of lists: how many numbers one holds, how soon a statement that copies many of them can be stopped, and how
//! little of that is done while somebody types.

use std::rc::Rc;

use crate::common::{Desk, Patience};
use chainrule_engine::graph::live_nodes;
use chainrule_session::QuietHost;
use chainrule_session::limits::LIST_NUMBERS;

/// A list of leaves `w`, and a list `v` of this length that repeats them.
fn desk(thousands: usize) -> Desk {
    let mut desk = Desk::with(&["w = 1..1000;"]);
    let parts = vec!["w"; thousands].join(", ");
    desk.line(&format!("v = flat([{parts}]);"));
    desk
}

#[test]
fn a_list_holds_so_many_numbers_and_no_more() {
    let most = LIST_NUMBERS / 1_000;
    for (text, allowed) in [
        (format!("len([w for k in 1..{most}])"), true),
        (format!("len([w for k in 1..{}])", most + 1), false),
        ("len([w for k in 1..1000000])".into(), false),
        ("len([[w, w] for k in 1..1000000])".into(), false),
        ("len([f(w) for k in 1..1000000])".into(), false),
        ("len([v, v])".into(), true),
        ("len([v, v, w])".into(), false),
        ("len(zip(v, v))".into(), true),
        ("len(zip(v, v, v))".into(), false),
        ("len([v][[0, 0, 0]])".into(), false),
        ("a, b = [[v, w], [v, w]]".into(), false),
    ] {
        let mut desk = desk(most / 2);
        desk.line("f(x) = [x, x];");
        let before = (
            desk.session.newest_id(),
            live_nodes(),
            desk.session.journal().undoable().len(),
        );
        if allowed {
            desk.line(&text);
            continue;
        }
        let error = desk.error(&text);
        let told = "a list holds at most 10,000,000 numbers";
        assert!(error.message.starts_with(told), "{text}: {}", error.message);
        assert!(error.help.is_some() && error.span.is_some(), "{text}");
        let after = (
            desk.session.newest_id(),
            live_nodes(),
            desk.session.journal().undoable().len(),
        );
        assert_eq!(before, after, "{text}");
    }
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

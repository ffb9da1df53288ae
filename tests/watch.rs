//! Watches: how many there are, and what they cost. What they tell stands in `tests/screens/watch.txt`.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use crate::common::Desk;
use crate::common::process::out;
use chainrule::session::watches::MOST_WATCHES;

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

#[test]
fn as_many_are_watched_as_are_read() {
    let mut desk = Desk::with(&["a = 2"]);
    for place in 0..MOST_WATCHES {
        desk.line(&format!("x{place} = 1; :watch x{place}"));
    }
    desk.line(":watch x0");
    let error = desk.error(":watch a");
    assert_eq!(error.message, format!("more than {MOST_WATCHES} watches"));
    // Programs get every item.
    desk = Desk::with(&["w = [k/8 for k in 1..337];", ":watch w"]);
    let told = &desk.line(":set w 1;")[0];
    assert_eq!(told["changed"].as_array().map(Vec::len), Some(336));
}

//! The tour: done line by line as it asks, in another order, left and resumed, and mixed with other work.
#![allow(clippy::unwrap_used)]

use crate::common::Desk;
use serde_json::Value;

/// How many stops the tour has.
const STOPS: u64 = 21;

/// What the tour says after a line, if anything.
fn said(desk: &mut Desk, line: &str) -> Option<Value> {
    desk.line(line)
        .into_iter()
        .rfind(|object| object["kind"] == "tour")
}

/// The number of the tour's stop after a line.
fn stop(desk: &mut Desk, line: &str) -> u64 {
    let said = said(desk, line).unwrap_or_else(|| panic!("the tour says nothing to `{line}`"));
    said["stop"].as_u64().unwrap()
}

/// The line that a stop asks for, which is the last line of its text.
fn asked(said: &Value) -> String {
    let last = said["text"].as_array().unwrap().last().unwrap();
    let line = last.as_str().unwrap();
    line.strip_prefix("type   ")
        .unwrap_or_else(|| panic!("{said}"))
        .to_string()
}

#[test]
fn it_leads_through_all_of_its_stops() {
    let mut desk = Desk::default();
    let mut now = said(&mut desk, ":tour").unwrap();
    let of = now["of"].as_u64().unwrap();
    assert_eq!(of, STOPS);
    for place in 1..=of {
        assert_eq!(
            (now["stop"].as_u64(), &now["open"]),
            (Some(place), &Value::Bool(true))
        );
        let typed = asked(&now);
        now = said(&mut desk, &typed).unwrap_or_else(|| panic!("not seen: {typed}"));
        assert_eq!(now["done"].as_array().unwrap().len(), 1, "{typed}: {now}");
    }
    assert_eq!(now["open"], false);
    // The tour is over: it says nothing more, and can be started again.
    assert!(said(&mut desk, ":grad L").is_none());
    let over = desk.screen(":tour");
    assert!(over.contains("`:tour 1` begins it anew"), "{over}");
    assert_eq!(stop(&mut desk, ":tour 1"), 1);
}

#[test]
fn a_stop_has_six_lines() {
    let mut desk = Desk::default();
    let of = said(&mut desk, ":tour").unwrap()["of"].as_u64().unwrap();
    for place in 1..=of {
        let mut desk = Desk::with(&[
            "a, b, c, f = 2, -3, 10, -2",
            "L = (a*b + c)*f",
            "g(x) = x",
            ":walk L",
            "w, bias = [0.5, -1, 0.25], 0.1; const x = [1, 2, 3]",
            "y = tanh(dot(w, x) + bias)",
            "loss = (y - 1)^2",
        ]);
        let text = desk.screen(&format!(":tour {place}"));
        assert!(text.lines().count() <= 6, "{text}");
        assert!(
            text.lines().all(|line| line.chars().count() <= 80),
            "{text}"
        );
    }
}

#[test]
fn whatever_is_typed_runs_as_ever() {
    let mut desk = Desk::with(&[":tour"]);
    assert!(said(&mut desk, "x = 5").is_none());
    assert!(said(&mut desk, ":vars").is_none());
    desk.error("y = q");
    assert_eq!(desk.value("x + 1"), 6.0);
    assert_eq!(stop(&mut desk, ":tour"), 1);
}

#[test]
fn it_looks_at_the_session_and_not_at_the_text() {
    let mut desk = Desk::with(&[":tour"]);
    let half = said(&mut desk, "a = 2; b = -3").unwrap();
    assert_eq!(half["text"][0], "tour: still to come: `c`, `f`");
    assert_eq!(
        stop(&mut desk, "c = 10; f = Value(-2.0);"),
        2,
        "silenced, and the lecture's way"
    );
    let wrong = said(&mut desk, "L = 7").unwrap();
    assert!(
        wrong["text"][0]
            .as_str()
            .unwrap()
            .contains("does not depend on `a`"),
        "{wrong}"
    );
    assert_eq!(stop(&mut desk, "L = f*(c + b*a)"), 3);
    let other = said(&mut desk, ":grad a*b").unwrap();
    assert!(
        other["text"][0].as_str().unwrap().contains("another root"),
        "{other}"
    );
    assert_eq!(stop(&mut desk, "L.backward()"), 4);
}

#[test]
fn what_is_there_already_is_not_asked_for() {
    let mut desk = Desk::with(&["a, b, c, f = 2, -3, 10, -2", "L = (a*b + c)*f"]);
    assert_eq!(stop(&mut desk, ":tour"), 3);
}

#[test]
fn the_order_is_free() {
    let mut desk = Desk::with(&[":tour", "a, b, c, f = 2, -3, 10, -2", "L = (a*b + c)*f"]);
    // Two later stops are done before the present one.
    assert!(said(&mut desk, ":explain a").is_none());
    assert!(said(&mut desk, ":nudge a").is_none());
    assert_eq!(stop(&mut desk, ":grad L"), 6);
}

/// From the weights to the trained neuron, and what does not count as done.
#[test]
fn a_neuron_is_trained() {
    let mut desk = Desk::with(&[":tour 15"]);
    let half = said(&mut desk, "w = [0.5, -1, 0.25]").unwrap();
    assert_eq!(half["text"][0], "tour: still to come: `bias`, `x`");
    assert_eq!(stop(&mut desk, "bias = 0.1; const x = [1, 2, 3]"), 16);
    let other = said(&mut desk, "y = bias^2").unwrap();
    assert!(
        other["text"][0]
            .as_str()
            .unwrap()
            .contains("does not depend on `w`")
    );
    assert_eq!(stop(&mut desk, "y = tanh(sum(w*x) + bias)"), 17);
    assert_eq!(stop(&mut desk, ":grad y"), 18);
    let other = said(&mut desk, ":set w[3] 0.3").unwrap();
    assert!(
        other["text"][0]
            .as_str()
            .unwrap()
            .contains("`w[2]` is still -1")
    );
    assert_eq!(stop(&mut desk, ":set w[2] -0.5"), 19);
    // A value is shown, but nothing has been learned yet.
    assert!(said(&mut desk, "y").is_none());
    assert_eq!(stop(&mut desk, "loss = (y - 1)^2"), 20);
    let other = said(&mut desk, ":step 0.001 of loss").unwrap();
    assert!(other["text"][0].as_str().unwrap().contains("still large"));
    assert_eq!(stop(&mut desk, ":step 0.05 20 of loss"), 21);
    assert!(said(&mut desk, "1 + 1").is_none());
    assert!(said(&mut desk, "w").is_some());
    assert!(desk.value("y") > 0.9);
    // The neuron is made anew from where it is missing.
    desk.line(":del y; :del loss");
    let text = desk.screen(":tour 20");
    let first = "  first  y = tanh(dot(w, x) + bias)\n  first  loss = (y - 1)^2\n  type   :step";
    assert!(text.contains(first), "{text}");
}

#[test]
fn it_can_be_left_and_taken_up_again() {
    let mut desk = Desk::with(&[":tour", "a, b, c, f = 2, -3, 10, -2"]);
    let left = desk.screen(":tour end");
    assert_eq!(left, "left at stop 2 of 21; `:tour` goes on there\n");
    assert!(said(&mut desk, "L = (a*b + c)*f").is_none());
    assert_eq!(stop(&mut desk, ":tour"), 2);
    assert_eq!(stop(&mut desk, "L = (a*b + c)*f"), 3);
    assert_eq!(stop(&mut desk, ":tour next"), 4);
    assert_eq!(stop(&mut desk, ":tour back"), 3);
    assert_eq!(stop(&mut desk, ":tour 9"), 9);
    // What a stop requires is requested first.
    desk.line(":del L");
    let text = desk.screen(":tour");
    assert!(
        text.contains("first  a, b, c, f = 2, -3, 10, -2; L = (a*b + c)*f"),
        "{text}"
    );
    for word in ["0", "22", "-1", "99999999999999999999", "nowhere", "1.5"] {
        let error = desk.error(&format!(":tour {word}"));
        assert_eq!(
            error.help.as_deref(),
            Some("`next`, `back`, `end` or a number from 1 to 21")
        );
    }
}

#[test]
fn skipping_all_of_it_ends_it() {
    let mut desk = Desk::with(&[":tour"]);
    for _ in 1..STOPS {
        assert_eq!(said(&mut desk, ":tour next").unwrap()["open"], true);
    }
    assert_eq!(said(&mut desk, ":tour next").unwrap()["open"], false);
}

#[test]
fn it_is_no_change_and_reset_forgets_it() {
    let mut desk = Desk::with(&[":tour", "a, b, c, f = 2, -3, 10, -2"]);
    assert_eq!(desk.session.journal().done().len(), 1);
    desk.line(":reset");
    assert!(said(&mut desk, "a, b, c, f = 2, -3, 10, -2").is_none());
    assert_eq!(stop(&mut desk, ":tour"), 2);
}

#[test]
fn a_preview_does_not_go_on() {
    use std::rc::Rc;
    let mut desk = Desk::with(&[":tour"]);
    let line = "a, b, c, f = 2, -3, 10, -2";
    let host = Rc::new(chainrule::session::Undisturbed);
    chainrule::interpret::preview(&mut desk.session, line, host).unwrap();
    assert_eq!(stop(&mut desk, ":tour"), 1);
    assert_eq!(stop(&mut desk, line), 2);
}

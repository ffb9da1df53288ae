//! `:check` of large graphs: right gradients pass at every scale. `tests/screens/checks.txt` has the verdicts for small
//! graphs.

use crate::common::Desk;
use chainrule_session::Reader;

/// A session with the leaves `n1 = 1` to `ncount = count`.
fn numbered_leaves(count: usize) -> Desk {
    let leaves: String = (1..=count).map(|at| format!("n{at} = {at};")).collect();
    let mut desk = Desk::with(&[leaves]);
    desk.session.show.reader = Reader::Program;
    desk
}

fn join_terms(count: usize, between: &str, one: impl Fn(usize) -> String) -> String {
    let all: Vec<String> = (1..=count).map(one).collect();
    all.join(between)
}

/// Each gradient is small beside the sum that it is a part of; that must not make the verdict wrong or unclear.
#[test]
fn right_gradients_of_large_graphs_pass() {
    let squares = |count| join_terms(count, " + ", |at| format!("n{at}^2"));
    let hypots = |count: usize| {
        let parts = (0..count / 500).map(|part| {
            let of = join_terms(500, ", ", |at| format!("n{}", part * 500 + at));
            format!("hypot({of})")
        });
        parts.collect::<Vec<_>>().join("*")
    };
    let most = |count| format!("max({})^2", join_terms(count, ", ", |at| format!("n{at}")));
    for (count, function) in [
        (100, squares(100)),
        (600, squares(600)),
        (1_000, hypots(1_000)),
        (600, most(600)),
        (600, join_terms(600, "*", |at| format!("(n{at}/n{at})"))),
    ] {
        let mut desk = numbered_leaves(count);
        desk.line(&format!("S = {function};"));
        let check = &desk.line(":check S")[0];
        let told = &function[..30];
        let rows = check["rows"].as_array().expect("it has rows");
        assert_eq!(rows.len(), count, "{told}");
        for row in rows {
            assert_eq!(row["verdict"], "ok", "{count} of {told}: {row}");
            let error = row["error"].as_f64().expect("a number");
            assert!(
                error < 1e-6 || row["grad"].as_f64().expect("a number").abs() < 1e-9,
                "{row}"
            );
        }
        assert_eq!(check["ok"], true);
    }
}

/// If there are many leaves, 200 of them are checked, and one direction in which all move.
#[test]
fn very_large_graphs_are_sampled() {
    let mut desk = numbered_leaves(3_000);
    desk.line(&format!(
        "S = {};",
        join_terms(3_000, " + ", |at| format!("sin(n{at})"))
    ));
    let check = &desk.line(":check S")[0];
    let number = |key: &str| check[key].as_u64();
    assert_eq!((number("sampled"), number("of")), (Some(200), Some(3_000)));
    assert_eq!(check["rows"].as_array().map(Vec::len), Some(201));
    assert_eq!(check["rows"][200]["node"], "all leaves at once");
    assert_eq!(check["rows"][200]["verdict"], "ok");
    assert_eq!(check["ok"], true);
    let screen = desk.screen(":check S");
    assert!(
        screen.contains("a sample of 3,000 nodes, and a direction in which all leaves move\n"),
        "{screen}"
    );
}

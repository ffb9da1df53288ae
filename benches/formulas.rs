//! The time that the formula of a second derivative takes, for the functions of `tests/reference/functions.txt`.
//!
//! `cargo bench --bench formulas`

mod common;

use chainrule::interpret;
use chainrule_language as language;
use chainrule_session::Session;
use common::{row, table, time};

/// The most that nine of ten may take, in milliseconds.
const WANTED: f64 = 5.0;

fn main() {
    let functions = include_str!("../tests/reference/functions.txt");
    let mut times: Vec<f64> = (functions.lines())
        .filter(|line| !line.starts_with('#'))
        .map(milliseconds)
        .collect();
    times.sort_by(f64::total_cmp);
    let at = |part: f64| times[((times.len() - 1) as f64 * part).round() as usize];
    let cell = |ms: f64| format!("{ms:.2}");
    let verdict = if at(0.9) > WANTED { "MORE" } else { "" };
    table(
        "the formula of f''",
        &[
            row(["ms", "median", "nine in ten", "worst", "wanted"]),
            vec![
                format!("{} functions", times.len()),
                cell(at(0.5)),
                cell(at(0.9)),
                cell(at(1.0)),
                format!("{WANTED} {verdict}"),
            ],
        ],
    );
}

fn milliseconds(function: &str) -> f64 {
    let mut session = Session::new();
    run(&mut session, &format!("f(x) = {function}"));
    time(|| run(&mut session, "f''")) / 1e6
}

fn run(session: &mut Session, line: &str) {
    let cut = language::StatementSpan::whole(line);
    if let Err(error) = interpret::statement(session, line, &cut) {
        panic!("{}: {line}", error.message);
    }
}

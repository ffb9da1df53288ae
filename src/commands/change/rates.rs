//! The rates of `:step`: RATE for N steps, or RATE as an expression over `k`, for each `k` of a range.
//!
//! `k` is a leaf for as long as the rates are computed. A `k` of the session keeps its meaning in the bodies of
//! functions that RATE calls.

use std::rc::Rc;

use crate::commands::args::{Arguments, range};
use crate::diagnostic::Diagnostic;
use crate::graph::Plan;
use crate::session::{Rates, Session};
use crate::stop;
use crate::syntax::{self, ItemKind, Span};

/// The most steps of one statement: JSON writes all their values, so all are kept.
pub const MOST_STEPS: u64 = 10_000_000;
/// What counts the steps.
const COUNTER: &str = "k";
/// The argument that says from where to where.
pub(super) const RANGE: &str = "k=A..B";
/// Stands for `k` if the session has a name `k`. It cannot be typed.
const HIDDEN: &str = "the k of :step";

/// The rates that the arguments ask for.
pub(super) fn asked(session: &mut Session, arguments: &Arguments) -> Result<Rates, Diagnostic> {
    if let Some((word, span)) = arguments.word("RATE")
        && range::start(&[span], arguments.text) == Some(0)
    {
        let message = format!("`:step` needs a rate, and `{word}` is a range");
        let help = format!("the rate comes first: `:step 0.1 {word}`");
        return Err(Diagnostic::new(message).at(span).help(help));
    }
    let range = arguments.whole_range(session, RANGE, COUNTER, MOST_STEPS)?;
    let (Some(range), Some((_, span))) = (range, arguments.word("RATE")) else {
        let rate = one(session, arguments)?;
        let steps = arguments.count(session, "N", MOST_STEPS)?.unwrap_or(1);
        return Ok(Rates::Same(rate, steps));
    };
    if let Some((count, surplus)) = arguments.word("N") {
        return Err(Diagnostic::new(format!(
            "`{count}` and the range both say how many steps there are"
        ))
        .at(surplus)
        .help("leave one of the two out"));
    }
    let made = session.made();
    let rates = each(session, arguments.text, span, range);
    session.rewind(made);
    Ok(Rates::Each(Rc::new(rates?)))
}

fn one(session: &mut Session, arguments: &Arguments) -> Result<f64, Diagnostic> {
    match arguments.number(session, "RATE")? {
        Some((rate, _)) if is_rate(rate) => Ok(rate),
        found => {
            let span = found.map_or(arguments.word, |(_, span)| span);
            Err(Diagnostic::new(format!("`{}` is not a rate", span.of(arguments.text)))
                .at(span)
                .help("a number other than 0 is expected, as in `:step 0.01`; a negative one climbs"))
        }
    }
}

fn is_rate(rate: f64) -> bool {
    rate.is_finite() && rate != 0.0
}

/// The rate for each number of the range.
fn each(
    session: &mut Session,
    text: &str,
    span: Span,
    range: std::ops::RangeInclusive<i64>,
) -> Result<Vec<f64>, Diagnostic> {
    let mut expression = syntax::expression(text, span).map_err(|error| session.explain(error))?;
    let mut called = COUNTER;
    if session.names().find(COUNTER).is_some() {
        called = HIDDEN;
        for item in &mut expression.items {
            if item.kind == ItemKind::Name(COUNTER) {
                item.kind = ItemKind::Name(HIDDEN);
            }
        }
    }
    session.with_variable(called, *range.start() as f64, |session, counter| {
        let (rate, _) = session.evaluate_number(text, &expression)?;
        let mut plan = rate.varies().then(|| Plan::of(&rate));
        let place = plan
            .as_ref()
            .and_then(|plan| plan.order().position(counter));
        let mut rates = Vec::new();
        for k in stop::asking(range) {
            let mut value = rate.data();
            if let (Some(plan), Some(place)) = (&mut plan, place) {
                plan.set(place, k as f64);
                plan.forward();
                value = plan.root_data();
            }
            if !is_rate(value) {
                return Err(no_rate(span.of(text), value, k).at(span));
            }
            rates.push(value);
        }
        Ok(rates)
    })
}

fn no_rate(typed: &str, value: f64, k: i64) -> Diagnostic {
    let value = syntax::literal(value, false);
    Diagnostic::new(format!(
        "`{typed}` is {value} at {COUNTER} = {k}, which is not a rate"
    ))
    .help("a number other than 0 is expected for each step; a negative one climbs")
}

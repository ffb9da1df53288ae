//! The rates of `:step`: RATE for N steps, or RATE as an expression of `k`, for each `k` of a range.
//!
//! `k` is a leaf while the rates are computed. A `k` of the session keeps its meaning in functions that RATE calls.

use std::rc::Rc;

use crate::commands::prelude::*;
use crate::commands::signatures::step::{K, N, OF, RATE};
use crate::session::Setting;
use chainrule_language::{self as language, ItemKind, Span};
use chainrule_report::count_text;
use chainrule_stop as stop;

/// The most steps of one statement: JSON writes all their values, so all are kept.
pub const MOST_STEPS: u64 = 10_000_000;
/// Up to here every whole number is a 64-bit float.
const LARGEST: f64 = (1_u64 << 53) as f64;
/// The name that counts the steps.
const COUNTER: &str = "k";
/// The name of the counter if the session has a name `k`. Nobody can type it.
const HIDDEN: &str = "the k of :step";

/// The rate of each step that the arguments ask for.
pub(super) fn step_rates(
    session: &mut Session,
    arguments: &Arguments,
) -> Result<Vec<f64>, Diagnostic> {
    let range = counter_range(session, arguments)?;
    let (Some(range), Some((_, span))) = (range, arguments.word(RATE)) else {
        let rate = single_rate(session, arguments)?;
        check_count(session, arguments)?;
        let steps = arguments.count(session, N, MOST_STEPS)?.unwrap_or(1);
        return Ok(vec![rate; steps as usize]);
    };
    rates_over_counter(session, arguments.text, span, range)
}

/// The whole numbers of the range, if there is one.
fn counter_range(
    session: &mut Session,
    arguments: &Arguments,
) -> Result<Option<std::ops::RangeInclusive<i64>>, Diagnostic> {
    let Some(range) = arguments.range(session, K)? else {
        return Ok(None);
    };
    let (first, last) = range.ends;
    let is_whole = |end: f64| end.fract() == 0.0 && end.abs() <= LARGEST;
    let variable = range.variable.map(|variable| variable.of(arguments.text));
    let message = if variable != Some(COUNTER) {
        format!("what counts the steps is called `{COUNTER}`")
    } else if !(is_whole(first) && is_whole(last)) {
        format!("`{COUNTER}` counts from one whole number to another")
    } else if last - first >= MOST_STEPS as f64 {
        format!(
            "at most {} steps are possible at once",
            count_text(MOST_STEPS)
        )
    } else {
        return Ok(Some(first as i64..=last as i64));
    };
    let help = format!("as in `{COUNTER}=0..99`");
    Err(Diagnostic::new(message).at(range.place).help(help))
}

/// Refuses a computed node as N: in `:step 0.01 L` it is mostly meant as the root.
fn check_count(session: &Session, arguments: &Arguments) -> Result<(), Diagnostic> {
    let named = arguments.word(N).filter(|_| !arguments.has(OF));
    let is_computed = |name| {
        let node = session.names().find_node(name);
        node.is_some_and(|node| node.varies() && !node.is_leaf())
    };
    let Some((name, span)) = named.filter(|(name, _)| is_computed(name)) else {
        return Ok(());
    };
    let (before, behind) = arguments.text[..arguments.end()].split_at(span.start as usize);
    let before = &before[arguments.word.start as usize..];
    let message = format!("`{name}` is computed, and no count of steps");
    let help = format!("to move the leaves below it, write `{before}of {behind}`");
    Err(Diagnostic::new(message).at(span).help(help))
}

fn single_rate(session: &mut Session, arguments: &Arguments) -> Result<f64, Diagnostic> {
    match arguments.number(session, RATE)? {
        Some((rate, _)) if rate.is_finite() => Ok(rate),
        found => {
            let span = found.map_or(arguments.word, |(_, span)| span);
            let message = format!("`{}` is not a rate", span.of(arguments.text));
            let help = "a finite number is expected, as in `:step 0.01`; a negative one climbs";
            Err(Diagnostic::new(message).at(span).help(help))
        }
    }
}

/// The rate for each number of the range.
fn rates_over_counter(
    session: &mut Session,
    text: &str,
    span: Span,
    range: std::ops::RangeInclusive<i64>,
) -> Result<Vec<f64>, Diagnostic> {
    let mut expression =
        language::expression(text, span).map_err(|error| session.explain(error))?;
    let mut counter = COUNTER;
    if session.names().find(COUNTER).is_some() {
        counter = HIDDEN;
        for item in &mut expression.items {
            if item.kind == ItemKind::Name(COUNTER) {
                item.kind = ItemKind::Name(HIDDEN);
            }
        }
    }
    session.look(|session| {
        let counting = session.bind_leaf(counter, 0.0);
        let mut rates = Vec::new();
        for k in stop::with_checks(range) {
            let (leaf, data) = (Rc::clone(&counting), k as f64);
            let measure = |session: &mut Session| session.measure(text, &expression);
            let (rate, _) = session.look_with(&[Setting { leaf, data }], measure)?;
            if !rate.is_finite() {
                let (typed, rate) = (span.of(text), language::literal(rate, false));
                let message =
                    format!("`{typed}` is {rate} at {COUNTER} = {k}, which is not a rate");
                let help = "a finite number is expected for each step; a negative one climbs";
                return Err(Diagnostic::new(message).at(span).help(help));
            }
            rates.push(rate);
        }
        Ok(rates)
    })
}

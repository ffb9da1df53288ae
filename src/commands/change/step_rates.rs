//! Reads the rates of `:step`: one RATE for N steps, or an expression RATE that is computed for each `k` of a range.
//!
//! `k` is a leaf while the rates are computed. Functions that RATE calls still see the `k` of the session.

use crate::commands::prelude::*;
use crate::commands::signatures::step::{K, N, OF, RATE};
use crate::session::Setting;
use chainrule_language::{self as language, Expression, ItemKind, Span};
use chainrule_report::count_text;
use chainrule_stop as stop;

/// The most steps of one statement. JSON writes the value of the root at each step, so memory has to hold all values.
pub const MOST_STEPS: u64 = 10_000_000;
/// A 64-bit float can represent every whole number up to this one.
const LARGEST_WHOLE: f64 = (1_u64 << 53) as f64;
/// The name of the number of a step.
const COUNTER: &str = "k";
/// The name of the counter if the session has a name `k`. It has blanks, so that nobody can type it.
const HIDDEN_COUNTER: &str = "the k of :step";

/// Computes the rate of each step.
pub(super) fn step_rates(
    session: &mut Session,
    arguments: &Arguments,
) -> Result<Vec<f64>, Diagnostic> {
    let range = counter_range(session, arguments)?;
    if let (Some(range), Some((_, span))) = (range, arguments.first_word(RATE)) {
        return rates_over_counter(session, arguments.text, span, range);
    }
    let found = arguments.number(session, RATE)?;
    let Some((rate, _)) = found.filter(|(rate, _)| rate.is_finite()) else {
        let span = arguments.place(RATE);
        let message = format!("`{}` is not a rate", span.of(arguments.text));
        let help = "a finite number is expected, as in `:step 0.01`; a negative one climbs";
        return Err(Diagnostic::new(message).at(span).help(help));
    };
    check_count(session, arguments)?;
    let steps = arguments.count(session, N, MOST_STEPS)?.unwrap_or(1);
    Ok(vec![rate; steps as usize])
}

/// Reads the range of `k`, whose ends are whole numbers.
fn counter_range(
    session: &mut Session,
    arguments: &Arguments,
) -> Result<Option<std::ops::RangeInclusive<i64>>, Diagnostic> {
    let Some(range) = arguments.range(session, K)? else {
        return Ok(None);
    };
    let (first, last) = range.ends;
    let is_whole = |end: f64| end.fract() == 0.0 && end.abs() <= LARGEST_WHOLE;
    let variable = range.variable.map(|variable| variable.of(arguments.text));
    let message = if variable != Some(COUNTER) {
        format!("the number of the step is called `{COUNTER}`")
    } else if !is_whole(first) || !is_whole(last) {
        format!("`{COUNTER}` counts from one whole number to another")
    } else if last - first >= MOST_STEPS as f64 {
        let most = count_text(MOST_STEPS);
        format!("at most {most} steps are possible at once")
    } else {
        return Ok(Some(first as i64..=last as i64));
    };
    let help = format!("as in `{COUNTER}=0..99`");
    Err(Diagnostic::new(message).at(range.place).help(help))
}

/// Refuses a computed node as N. A user who types `:step 0.01 L` usually means `of L`.
fn check_count(session: &Session, arguments: &Arguments) -> Result<(), Diagnostic> {
    let word = arguments.first_word(N).filter(|_| !arguments.has(OF));
    let is_computed = |name| {
        let node = session.names().find_node(name);
        node.is_some_and(|node| node.varies() && !node.is_leaf())
    };
    let Some((name, span)) = word.filter(|(name, _)| is_computed(name)) else {
        return Ok(());
    };
    let (text, start) = (arguments.text, span.start as usize);
    let before = &text[arguments.name_span.start as usize..start];
    let rest = &text[start..arguments.end()];
    let message = format!("`{name}` is computed, so it is not a number of steps");
    let help = format!("to move the leaves below it, write `{before}of {rest}`");
    Err(Diagnostic::new(message).at(span).help(help))
}

/// Computes the rate for each number of the range.
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
        // Only the expression itself means the counter by `k`. A function that it calls means the user's `k`.
        counter = HIDDEN_COUNTER;
        for item in &mut expression.items {
            if item.kind == ItemKind::Name(COUNTER) {
                item.kind = ItemKind::Name(HIDDEN_COUNTER);
            }
        }
    }
    session.look(|looking| {
        let leaf = looking.bind_leaf(counter, 0.0);
        let numbers = stop::with_checks(range);
        let rates = numbers.map(|k| rate_at(looking, text, &expression, &leaf, k));
        rates.collect()
    })
}

/// Computes the rate of step `k`, which must be finite.
fn rate_at(
    session: &mut Session,
    text: &str,
    expression: &Expression,
    counter: &Rc<Node>,
    k: i64,
) -> Result<f64, Diagnostic> {
    let (leaf, data) = (Rc::clone(counter), k as f64);
    let (rate, _) = session.look_with(&[Setting { leaf, data }], |looking| {
        looking.measure(text, expression)
    })?;
    if rate.is_finite() {
        return Ok(rate);
    }
    let (typed, number) = (expression.span.of(text), language::literal(rate, false));
    let message = format!("`{typed}` is {number} at {COUNTER} = {k}, which is not a rate");
    let help = "a finite number is expected for each step; a negative one climbs";
    Err(Diagnostic::new(message).at(expression.span).help(help))
}

//! What is wrong with a text that looks like a derivative, `dL/dx`, and means none.
//!
//! A name in it is unknown or is no value, or it can be read in two ways. `derivative` has what means one.

use std::ops::Range;

use super::Meaning;
use super::derivative::{Fraction, fraction, places, raised, word_at};
use super::line::Foreign;
use crate::diagnostic::suggest::{did_you_mean, nearest};
use crate::syntax::{self, Span};

/// What is wrong with something that looks like a derivative.
pub(super) fn complaint(foreign: &Foreign) -> Option<Meaning> {
    let line = foreign.line;
    let first_order = (foreign.words()).find_map(|(at, word)| complaint_at(foreign, at, word));
    if first_order.is_some() || line.starts_with(':') {
        return first_order;
    }
    places(line).find_map(|at| unknown(foreign, at))
}

/// What is wrong with the derivative at `at`, if it can be nothing else: `∂L/∂x`, `d²L/dx²`.
fn unknown(foreign: &Foreign, at: usize) -> Option<Meaning> {
    let line = foreign.line;
    let Fraction { order, of, by, end } = fraction(line, at)?;
    if order == 1 && !line[at..].starts_with('∂') {
        return None;
    }
    let names = foreign.session.names();
    let is_unknown = |name: &Span| names.find(word_at(name.of(line))).is_none();
    let missing = by.iter().copied().chain([of]).find(is_unknown);
    let first = by[0];
    if let Some(place) = missing {
        let name = word_at(place.of(line));
        let mut words = foreign.words();
        if words.any(|(at, word)| word == name && at != place.start as usize) {
            // It may be the parameter of a function, or the name behind a `for`.
            return None;
        }
        if foreign.session.is_function(name) {
            let by = (place == of).then(|| first.of(line));
            return Some(of_function(foreign, place.into(), order, by));
        }
        if foreign.is_known(name) {
            let message = format!("`{name}` is a constant");
            let error = foreign.error(place.into(), message, VALUES.to_string());
            return Some(Meaning::Refused(error));
        }
        return Some(unknown_name(foreign, place.into()));
    }
    if order == 1 && by.len() == 2 {
        let fraction = at..first.end as usize;
        return Some(in_two_ways(foreign, fraction, of.of(line), first.of(line)));
    }
    let message = format!("the power above is {order}, below it is {}", by.len());
    let help = format!(
        "the second derivative is `∂²{0}/∂{1}²`",
        of.of(line),
        first.of(line)
    );
    (order != by.len()).then(|| Meaning::Refused(foreign.error(at..end, message, help)))
}

/// The help where a derivative is of or by something else.
const VALUES: &str = "a derivative is of a value by a value: `:vars` lists them";

fn unknown_name(foreign: &Foreign, place: Range<usize>) -> Meaning {
    let name = word_at(&foreign.line[place.clone()]);
    let bound = foreign.session.names().bound().map(|(name, _)| name);
    let all = || "`:vars` lists all names".to_string();
    let help = did_you_mean(nearest(name, bound), all);
    Meaning::Refused(foreign.error(place, format!("unknown name `{name}`"), help))
}

/// A function of one argument, differentiated by `by`, has primes.
fn of_function(foreign: &Foreign, place: Range<usize>, order: usize, by: Option<&str>) -> Meaning {
    let name = &foreign.line[place.clone()];
    let own = foreign.session.functions().get(name);
    let help = match by.filter(|_| own.is_some_and(|own| own.parameters.len() == 1)) {
        Some(by) => {
            let primed = format!("{name}{}", "'".repeat(order));
            format!("write `{primed}({by})`; as a function it is `{primed}`")
        }
        None => VALUES.to_string(),
    };
    Meaning::Refused(foreign.error(place, format!("`{name}` is a function"), help))
}

/// `dL/da²`: `fraction` is the place without the power.
fn in_two_ways(foreign: &Foreign, fraction: Range<usize>, of: &str, by: &str) -> Meaning {
    let text = &foreign.line[fraction.clone()];
    let message = format!("`{text}` with a power can be read in two ways");
    let help =
        format!("the square is `({text})^2`, the second derivative `grad(grad({of}, {by}), {by})`");
    Meaning::Refused(foreign.error(fraction, message, help))
}

fn complaint_at(foreign: &Foreign, at: usize, word: &str) -> Option<Meaning> {
    let line = foreign.line;
    let refused = |place: Range<usize>, message: String, help: String| {
        Some(Meaning::Refused(foreign.error(place, message, help)))
    };
    let of = word.strip_prefix('d')?;
    let mut rest = line[at + word.len()..].trim_start();
    if of.is_empty() && rest.starts_with("()") {
        let message = "a derivative says of what, and by what".to_string();
        return refused(
            at..at + word.len(),
            message,
            "write `d(L)/d(a)`".to_string(),
        );
    }
    rest = rest.strip_prefix('/')?.trim_start();
    let below = line.len() - rest.len();
    let by = word_at(rest).trim_end_matches('²');
    let name = by.strip_prefix('d')?;
    let end = below + by.len();
    if !syntax::is_name(of) || !syntax::is_name(name) {
        return None;
    }
    let names = foreign.session.names();
    let [top, bottom] = [of, name].map(|name| names.find(name).is_some());
    let [top_taken, bottom_taken] = [word, by].map(|name| foreign.is_taken(name));
    if foreign.session.functions().get(of).is_some() && !top && !top_taken && !bottom_taken {
        let place = at + 1..at + word.len();
        return Some(of_function(foreign, place, 1, Some(name)));
    }
    match (top, bottom) {
        (true, true) if top_taken != bottom_taken => {
            let (own, place) = if top_taken {
                (word, at..at + word.len())
            } else {
                (by, below..end)
            };
            let message = format!("`{own}` is a value of yours, so this is a quotient");
            refused(
                place,
                message,
                format!("the derivative is `∂{of}/∂{name}` or `grad({of}, {name})`"),
            )
        }
        (true, true) if !top_taken && raised(&line[end..]) => {
            Some(in_two_ways(foreign, at..end, of, name))
        }
        (true, false) if !top_taken && !bottom_taken => Some(unknown_name(foreign, below + 1..end)),
        (false, true) if !top_taken && !bottom_taken && at + word.len() < below => {
            Some(unknown_name(foreign, at + 1..at + word.len()))
        }
        _ => None,
    }
}

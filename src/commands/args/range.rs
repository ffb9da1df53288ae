//! The ranges among the words of a command, `x=-5..5` or `-pi .. 2*pi`, and their values, for `:plot` and `:step`.

use super::evaluate;
use super::{Argument, Arguments};
use crate::session::Session;
use chainrule_language::{self as language, Expression, RangeSides, Span};
use chainrule_report::diagnostic::Diagnostic;

#[derive(Clone, Copy, Debug)]
pub(crate) struct Range {
    /// What stands before `=`.
    pub variable: Option<Span>,
    /// The ends: finite, the second not below the first.
    pub ends: (f64, f64),
    /// The place of the first end.
    pub from: Span,
    /// The place of both ends.
    pub place: Span,
}

/// Whether a word looks like a range, `0..pi` or `x=0..2pi`: it has a `..` that belongs neither to a path nor to a list.
pub(crate) fn is_range(word: &str) -> bool {
    let is_of_path = |at: usize| word[at + 2..].starts_with('/') || word[..at].ends_with('/');
    let mut places = language::outside_brackets(word).map(|(at, _)| at);
    places.any(|at| word[at..].starts_with("..") && !is_of_path(at))
}

impl Arguments<'_> {
    /// The range given for an argument, if there is one.
    pub(crate) fn range(
        &self,
        session: &mut Session,
        argument: &Argument,
    ) -> Result<Option<Range>, Diagnostic> {
        let Some(all) = self.span_of(argument) else {
            return Ok(None);
        };
        let read = language::range(self.text, all).map_err(|error| self.explain(session, error))?;
        let RangeSides { mover, ends } = read;
        let mut end = |side: &Expression| {
            let value = evaluate::number_of(session, self.text, side)?;
            if value.is_finite() {
                return Ok(value);
            }
            let typed = side.span.of(self.text);
            let message = format!("`{typed}` cannot be the end of a range: it is not finite");
            let help = "both ends are finite numbers, as in `-5..5`";
            Err(Diagnostic::new(message).at(side.span).help(help))
        };
        let [from, to] = [&ends[0], &ends[1]].map(|side| side.span);
        let range = Range {
            variable: mover.map(|mover| mover.span),
            ends: (end(&ends[0])?, end(&ends[1])?),
            from,
            place: from.to(to),
        };
        if range.ends.0 <= range.ends.1 {
            return Ok(Some(range));
        }
        let (low, high) = (to.of(self.text), from.of(self.text));
        let named = range.variable.map(|it| format!("{}=", it.of(self.text)));
        let named = named.unwrap_or_default();
        let message = format!("the range goes down, from `{high}` to `{low}`");
        let help = format!("a range goes up: `{named}{low}..{high}`");
        Err(Diagnostic::new(message).at(range.place).help(help))
    }

    /// The same for a range along which something moves: its ends must differ.
    pub(crate) fn nonempty_range(
        &self,
        session: &mut Session,
        argument: &Argument,
    ) -> Result<Option<Range>, Diagnostic> {
        let range = self.range(session, argument)?;
        match range {
            Some(range) if range.ends.0 == range.ends.1 => {
                let message = format!("the range `{}` is empty", range.place.of(self.text));
                let help = "a range goes from one number to a larger one, as in `-5..5`";
                Err(Diagnostic::new(message).at(range.place).help(help))
            }
            range => Ok(range),
        }
    }
}

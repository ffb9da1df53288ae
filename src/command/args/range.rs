//! The ranges among the words of a command, `x=-5..5` or `-pi .. 2*pi`, and their values, for `:plot` and `:step`.

use super::evaluate;
use super::{Argument, Arguments};
use chainrule_language::{self as language, Expression, Span};
use chainrule_report::Direction;
use chainrule_report::diagnostic::{Diagnostic, Result};
use chainrule_session::Session;

/// The values of a range.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Range {
    /// The leaf or the parameter that moves: the part before `=`.
    pub variable: Option<Span>,
    /// The ends. They are finite, and the second is not below the first.
    pub ends: (f64, f64),
    /// Which end was typed first: descending if it was the larger one.
    pub direction: Direction,
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
    /// Reads the range of an argument, if one is given. Its second end must not be below the first.
    pub(crate) fn range(
        &self,
        session: &mut Session,
        argument: &Argument,
    ) -> Result<Option<Range>> {
        match self.any_range(session, argument)? {
            Some(range) if range.direction == Direction::Descending => {
                Err(self.falling_range_error(range))
            }
            range => Ok(range),
        }
    }

    /// Reads the range of an axis, which may run down: its ends must differ.
    pub(crate) fn axis_range(
        &self,
        session: &mut Session,
        argument: &Argument,
    ) -> Result<Option<Range>> {
        let range = self.any_range(session, argument)?;
        let Some(empty) = range.filter(|range| range.ends.0 == range.ends.1) else {
            return Ok(range);
        };
        let message = format!("the range `{}` is empty", empty.place.of(self.text));
        let help = "a range goes from one number to another, as in `… -5..5`";
        Err(Diagnostic::new(message).at(empty.place).help(help))
    }

    fn any_range(&self, session: &mut Session, argument: &Argument) -> Result<Option<Range>> {
        let Some(all) = self.span_of(argument) else {
            return Ok(None);
        };
        let sides =
            language::range(self.text, all).map_err(|error| self.explain(session, error))?;
        let [first, second] = &sides.ends;
        let from = self.finite_end(session, first)?;
        let to = self.finite_end(session, second)?;
        Ok(Some(Range {
            variable: sides.mover.map(|mover| mover.span),
            ends: (from.min(to), from.max(to)),
            direction: if from <= to {
                Direction::Ascending
            } else {
                Direction::Descending
            },
            from: first.span,
            place: first.span.to(second.span),
        }))
    }

    fn falling_range_error(&self, range: Range) -> Diagnostic {
        let high = range.from.of(self.text);
        let both = range.place.of(self.text);
        let low = both[high.len()..].trim().trim_start_matches("..").trim();
        let variable = match &range.variable {
            Some(mover) => format!("{}=", mover.of(self.text)),
            None => String::new(),
        };
        Diagnostic::new(format!("the range goes down, from `{high}` to `{low}`"))
            .at(range.place)
            .help(format!("a range goes up: `… {variable}{low}..{high}`"))
    }

    /// Evaluates an end of a range.
    fn finite_end(&self, session: &mut Session, end: &Expression) -> Result<f64> {
        let value = evaluate::number_of(session, self.text, end)?;
        if value.is_finite() {
            return Ok(value);
        }
        let typed = end.span.of(self.text);
        let message = format!("`{typed}` cannot be the end of a range: it is not finite");
        let help = "both ends are finite numbers, as in `… -5..5`";
        Err(Diagnostic::new(message).at(end.span).help(help))
    }
}

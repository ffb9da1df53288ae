//! The ranges among the words of a command, `x=-5..5` or `-pi .. 2*pi`, and their values, for `:plot` and `:step`.

use super::resolve;
use super::resolve::trim;
use super::{Argument, Arguments};
use crate::session::Session;
use chainrule_language as language;
use chainrule_language::Span;
use chainrule_report::diagnostic::Diagnostic;

#[derive(Clone, Copy, Debug)]
pub(crate) struct Range {
    /// The words before `=`.
    pub variable: Option<Span>,
    /// The ends: finite, the second not below the first.
    pub ends: (f64, f64),
    /// The place of the first end.
    pub from: Span,
    /// The place of both ends.
    pub place: Span,
}

/// The places of the sides of a range.
pub(super) struct Sides {
    /// The words before `=`.
    pub variable: Option<Span>,
    pub from: Span,
    pub to: Span,
}

/// Whether a word looks like a range, `0..pi` or `x=0..2pi`: it has a `..` that belongs neither to a path nor to a list.
pub(crate) fn is_range(word: &str) -> bool {
    let is_of_path = |at: usize| word[at + 2..].starts_with('/') || word[..at].ends_with('/');
    let mut places = language::outside_brackets(word).map(|(at, _)| at);
    places.any(|at| word[at..].starts_with("..") && !is_of_path(at))
}

impl Arguments<'_> {
    /// The sides of the range given for an argument, if there is one.
    pub(super) fn range_sides(&self, argument: &Argument) -> Result<Option<Sides>, Diagnostic> {
        let Some(all) = self.span_of(argument) else {
            return Ok(None);
        };
        let text = all.of(self.text);
        let (variable, ends) = match text.split_once('=') {
            Some((before, after)) => {
                let start = all.start as usize;
                let end = all.end as usize;
                let variable = Span::new(start, start + before.trim_end().len());
                (Some(variable), Span::new(end - after.len(), end))
            }
            None => (None, all),
        };
        let sides = language::split_range(self.text, ends);
        let blank = |side: &Span| side.of(self.text).trim().is_empty();
        let Some((from, to)) = sides.filter(|(from, to)| !blank(from) && !blank(to)) else {
            let typed = text.trim();
            let usual = argument.name.split('=').next().unwrap_or("x");
            let shown = variable.map_or(usual, |variable| variable.of(self.text));
            return Err(Diagnostic::new(format!(
                "`{typed}` is not a range: write two ends with `..` between them"
            ))
            .at(all)
            .help(format!("as in `{shown}=-5..5`")));
        };
        Ok(Some(Sides { variable, from, to }))
    }

    /// The range given for an argument, if there is one.
    pub(crate) fn range(
        &self,
        session: &mut Session,
        argument: &Argument,
    ) -> Result<Option<Range>, Diagnostic> {
        let Some(Sides { variable, from, to }) = self.range_sides(argument)? else {
            return Ok(None);
        };
        let (from, to) = (trim(self.text, from), trim(self.text, to));
        let mut end = |span: Span| {
            let value = resolve::number_at(session, self.text, span)?;
            if value.is_finite() {
                return Ok(value);
            }
            Err(Diagnostic::new(format!(
                "`{}` cannot be the end of a range: it is not finite",
                span.of(self.text)
            ))
            .at(span)
            .help("both ends are finite numbers, as in `-5..5`"))
        };
        let ends = (end(from)?, end(to)?);
        if ends.0 <= ends.1 {
            return Ok(Some(Range {
                variable,
                ends,
                from,
                place: from.to(to),
            }));
        }
        let (low, high) = (to.of(self.text), from.of(self.text));
        let named = variable.map_or(String::new(), |it| format!("{}=", it.of(self.text)));
        Err(
            Diagnostic::new(format!("the range goes down, from `{high}` to `{low}`"))
                .at(from.to(to))
                .help(format!("a range goes up: `{named}{low}..{high}`")),
        )
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

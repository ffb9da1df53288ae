//! Ranges among the words of a command: `x=-5..5`, `-pi .. 2*pi`. Which words they are, and their values.
//!
//! The command decides what varies along the range.

use super::Arguments;
use super::resolve;
use super::resolve::trimmed;
use crate::diagnostic::Diagnostic;
use crate::session::Session;
use crate::syntax;
use crate::syntax::Span;

#[derive(Clone, Copy, Debug)]
pub(crate) struct Range {
    /// The words before `=`.
    pub variable: Option<Span>,
    /// The ends: finite, none below the one before.
    pub ends: (f64, f64),
    /// The first end as it was typed.
    pub from: Span,
    /// Both ends as they were typed.
    pub place: Span,
}

/// The sides of a range as they were typed.
pub(super) struct Sides {
    /// The words before `=`.
    pub variable: Option<Span>,
    pub from: Span,
    pub to: Span,
}

/// Does a word look like a range, that is, contain a `..` that belongs neither to a path nor to a list: `0..pi`,
/// `x=0..2pi`?
pub(crate) fn is_range(word: &str) -> bool {
    let leads_on = |at: usize| word[at + 2..].starts_with('/') || word[..at].ends_with('/');
    let mut places = syntax::outside_brackets(word).map(|(at, _)| at);
    places.any(|at| word[at..].starts_with("..") && !leads_on(at))
}

impl Arguments<'_> {
    /// The sides of the range given for an argument, if there is one.
    pub(super) fn sides(&self, name: &str) -> Result<Option<Sides>, Diagnostic> {
        let Some(all) = self.stretch(name) else {
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
        let sides = syntax::split_range(self.text, ends);
        let blank = |side: &Span| side.of(self.text).trim().is_empty();
        let Some((from, to)) = sides.filter(|(from, to)| !blank(from) && !blank(to)) else {
            let typed = text.trim();
            let usual = name.split('=').next().unwrap_or("x");
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
        name: &str,
    ) -> Result<Option<Range>, Diagnostic> {
        let Some(Sides { variable, from, to }) = self.sides(name)? else {
            return Ok(None);
        };
        let (from, to) = (trimmed(self.text, from), trimmed(self.text, to));
        let mut end = |span: Span| {
            let value = resolve::measured_number(session, self.text, span)?;
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

    /// A range along which something moves: its ends differ.
    pub(crate) fn stretched_range(
        &self,
        session: &mut Session,
        name: &str,
    ) -> Result<Option<Range>, Diagnostic> {
        let range = self.range(session, name)?;
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

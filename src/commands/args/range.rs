//! Ranges among the words of a command: `x=-5..5`, `-pi .. 2*pi`. Which words they are, and their values.
//!
//! The command decides what varies along the range.

use super::resolve;
use super::resolve::trimmed;
use super::suggestions::Offers;
use super::{ArgumentKind, Arguments};
use crate::diagnostic::Diagnostic;
use crate::session::Session;
use crate::syntax;
use crate::syntax::Span;

#[derive(Clone, Copy, Debug)]
pub(crate) struct Range {
    /// The words before `=`.
    pub variable: Option<Span>,
    /// The ends: finite, the smaller one first.
    pub ends: (f64, f64),
    /// The first end as it was typed.
    pub from: Span,
}

/// The sides of a range as they were typed.
pub(super) struct Sides {
    /// The words before `=`.
    pub variable: Option<Span>,
    pub from: Span,
    pub to: Span,
}

/// Does a word look like a range, that is, contain a `..` that belongs neither to a path nor to a list: `0..pi`,
/// `x=0..tau`?
pub(crate) fn is_range(word: &str) -> bool {
    let leads_on = |at: usize| word[at + 2..].starts_with('/') || word[..at].ends_with('/');
    let mut depth = 0_usize;
    word.char_indices().any(|(at, c)| {
        match c {
            '(' | '[' => depth += 1,
            ')' | ']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth == 0 && word[at..].starts_with("..") && !leads_on(at)
    })
}

/// The index of the word that begins a range: `x` in `x = -5 .. 5`, `x=-5..5`, `-5` in `-5 .. 5`.
pub(crate) fn start(words: &[Span], text: &str) -> Option<usize> {
    let named = (0..words.len()).find(|&at| begins(words, at, text));
    let dots = (0..words.len()).find(|&at| is_range(words[at].of(text)));
    let bare = dots.map(|dots| {
        let before = usize::from(words[dots].of(text).starts_with("..") && dots > 0);
        dots - before
    });
    named.into_iter().chain(bare).min()
}

/// The indices of the words that begin ranges, at most `most`. All but the first say what moves: `x=0..1 y=0..2`.
pub(super) fn starts(words: &[Span], text: &str, most: usize) -> Vec<usize> {
    let first = start(words, text);
    let behind = first.map_or(words.len(), |first| first + 1);
    let others = (behind..words.len()).filter(|&at| begins(words, at, text));
    first.into_iter().chain(others).take(most).collect()
}

/// Does this word begin a range that says what moves?
fn begins(words: &[Span], at: usize, text: &str) -> bool {
    let is_sign = |word: &str| word.starts_with('=') && !word.starts_with("==");
    let next = words.get(at + 1).map_or("", |word| word.of(text));
    syntax::key_value(text, words[at]).is_some()
        || is_sign(next)
        || is_reference(words[at].of(text))
}

/// A range of a node without a name of its own: `a@1=0..1`, `@9=0..1`, `w[2]=0..1`
fn is_reference(word: &str) -> bool {
    word.split_once('=').is_some_and(|(node, rest)| {
        let is_item = node.ends_with(']') && !node.starts_with('[');
        (node.contains('@') || is_item) && !rest.starts_with('=') && rest.contains("..")
    })
}

/// `x=`, if the range says what moves.
fn named(variable: Option<Span>, text: &str) -> String {
    variable.map_or(String::new(), |it| format!("{}=", it.of(text)))
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
        let sides = syntax::range(self.text, ends);
        let blank = |side: &Span| side.of(self.text).trim().is_empty();
        let Some((from, to)) = sides.filter(|(from, to)| !blank(from) && !blank(to)) else {
            let typed = text.trim();
            let usual = name.split('=').next().unwrap_or("x");
            let shown = variable.map_or(usual, |variable| variable.of(self.text));
            return Err(Diagnostic::new(format!(
                "`{typed}` is not a range: write two ends with `..` between them"
            ))
            .at(all)
            .help(format!(
                "as in `{}`",
                self.retyped(&[(all, &format!("{shown}=-5..5"))])
            )));
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
        let mut end = |span: Span| {
            let value = resolve::measured_number(session, self.text, span)?;
            if value.is_finite() {
                return Ok(value);
            }
            let typed = span.of(self.text).trim();
            let (place, shown) = (trimmed(self.text, span), named(variable, self.text));
            let range = format!("{shown}-5..5");
            let line = self.retyped(&[(self.stretch(name).unwrap_or(place), &range)]);
            Err(Diagnostic::new(format!(
                "`{typed}` cannot be the end of a range: it is not finite"
            ))
            .at(place)
            .help(format!("both ends are finite numbers, as in `{line}`")))
        };
        let found = (end(from)?, end(to).map_err(|error| self.behind(error, to))?);
        if found.0 < found.1 {
            return Ok(Some(Range {
                variable,
                ends: found,
                from: trimmed(self.text, from),
            }));
        }
        let (from, to) = (trimmed(self.text, from), trimmed(self.text, to));
        let shown = named(variable, self.text);
        let (one, other) = (from.of(self.text), to.of(self.text));
        let (what, low, high) = if found.0 > found.1 {
            let what = format!("the range goes down, from `{one}` to `{other}`");
            (what, other, one)
        } else {
            let what = format!("the range is empty: `{one}` and `{other}` are equal");
            (what, "-5", "5")
        };
        let range = format!("{shown}{low}..{high}");
        let line = self.retyped(&[(self.stretch(name).unwrap_or(from), &range)]);
        let help = format!("a range goes from one number to a larger one: `{line}`");
        Err(Diagnostic::new(what).at(from.to(to)).help(help))
    }

    /// The error for words after a range: they were parsed as part of its second end, which rarely makes sense.
    pub(super) fn behind(&self, error: Diagnostic, to: Span) -> Diagnostic {
        let Some(last) = syntax::words(self.text, to).pop() else {
            return error;
        };
        let place = std::ops::Range::from(last);
        if last.start == to.start || error.span.as_ref().is_none_or(|at| at.start < place.start) {
            return error;
        }
        let signature = self.command.arguments.iter();
        let mut files = signature.filter(|argument| argument.kind == ArgumentKind::File);
        let may = match files.next().map(|file| file.offers) {
            Some(Offers::Tables(_)) => "`of` or a file",
            Some(_) => "a file or another range",
            None => "`of`",
        };
        Diagnostic::new(format!(
            "`{}` comes after the range, where only {may} can",
            last.of(self.text)
        ))
        .at(last)
        .help(format!("leave it out: `{}`", self.retyped(&[(last, "")])))
    }
}

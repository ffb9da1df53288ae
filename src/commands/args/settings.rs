//! Leaves and what they become: `a 3, b a/2`, `w [1, 2, 3]`, `x ± 0.1`, `x 3 ± 2%`.
//!
//! All values are computed before any leaf changes.

use std::rc::Rc;

use super::Arguments;
use super::resolve::{numbers, split_at_commas, trimmed, value};
use crate::diagnostic::Diagnostic;
use crate::graph::Node;
use crate::report::Note;
use crate::session::Session;
use crate::session::values::{ListShape, Value};
use crate::syntax;
use crate::syntax::{Expression, Span, Width};

/// A request to set a leaf.
#[derive(Debug)]
pub struct LeafRequest {
    pub leaf: Rc<Node>,
    /// Its new data, if it gets any.
    pub data: Option<f64>,
    /// Its new uncertainty, if it gets one.
    pub width: Option<f64>,
    /// The word for the leaf.
    pub word: Span,
    /// Notes from evaluating the new value.
    pub notes: Vec<Note>,
}

impl Arguments<'_> {
    /// The leaves and new values of `a 3, b a/2`. All values are computed before any leaf changes.
    pub fn settings(
        &self,
        session: &mut Session,
        name: &str,
    ) -> Result<Vec<LeafRequest>, Diagnostic> {
        let Some(all) = self.stretch(name) else {
            return Ok(Vec::new());
        };
        let mut requests = Vec::new();
        for part in split_at_commas(self.text, all) {
            requests.extend(self.setting(session, part)?);
        }
        Ok(requests)
    }

    /// The requests of one part, such as `a 3`, `w [1, 2, 3]` or `w 0.5`, which sets all items.
    fn setting(&self, session: &mut Session, part: Span) -> Result<Vec<LeafRequest>, Diagnostic> {
        let part = trimmed(self.text, part);
        let (text, start) = (part.of(self.text), part.start as usize);
        let end = end_of_word(text);
        let word = Span::new(start, start + end);
        if text.is_empty() || end == 0 {
            return Err(Diagnostic::new("a leaf and its new value are expected")
                .at(word)
                .help("as in `:set a 3, b a/2`"));
        }
        let leaves = value(session, self.text, word)?;
        let after = &text[end..];
        let new = after.trim_start();
        let new = new
            .strip_prefix('=')
            .filter(|rest| !rest.starts_with('='))
            .unwrap_or(new)
            .trim_start();
        if new.is_empty() {
            let at = start + text.len();
            return Err(
                Diagnostic::new(format!("`{}` needs a new value", word.of(self.text)))
                    .at(at..at)
                    .help(format!("as in `:set {} 3`", word.of(self.text))),
            );
        }
        let begin = start + text.len() - new.len();
        let span = Span::new(begin, begin + new.len());
        let read = match syntax::width(self.text, span) {
            Some(width) => width.map(|width| (None, Some(width))),
            None => syntax::uncertain(self.text, span).map(|(value, width)| (Some(value), width)),
        };
        let (expression, width) = read.map_err(|error| session.explain(error))?;
        let mut notes = Vec::new();
        let new = match &expression {
            Some(expression) => {
                Some(self.new_data(session, word, &leaves, expression, &mut notes)?)
            }
            None => None,
        };
        let widths = match &width {
            Some(width) => {
                Some(self.new_widths(session, &leaves, new.as_deref(), width, &mut notes)?)
            }
            None => None,
        };
        let of = |numbers: &Option<Vec<f64>>, at: usize| numbers.as_ref().map(|all| all[at]);
        let request = |(at, leaf): (usize, &Rc<Node>)| LeafRequest {
            leaf: Rc::clone(leaf),
            data: of(&new, at),
            width: of(&widths, at),
            word,
            notes: std::mem::take(&mut notes),
        };
        Ok(leaves.nodes().iter().enumerate().map(request).collect())
    }

    /// The new data of each leaf; one number holds for all.
    fn new_data(
        &self,
        session: &mut Session,
        word: Span,
        leaves: &Value,
        expression: &Expression,
        notes: &mut Vec<Note>,
    ) -> Result<Vec<f64>, Diagnostic> {
        let (data, shape, found) = numbers(session, self.text, expression)?;
        if !shape.is_number() && shape != *leaves.shape() {
            let error = other_shape(word.of(self.text), leaves.shape(), &shape);
            return Err(error.at(expression.span));
        }
        notes.extend(found);
        let each = leaves.nodes().iter().zip(data.into_iter().cycle());
        Ok(each.map(|(_, data)| data).collect())
    }

    /// The uncertainty of each leaf, whose data `new` has, or the leaf itself.
    fn new_widths(
        &self,
        session: &mut Session,
        leaves: &Value,
        new: Option<&[f64]>,
        width: &Width,
        notes: &mut Vec<Note>,
    ) -> Result<Vec<f64>, Diagnostic> {
        let data: Vec<f64> = match new {
            Some(new) => new.to_vec(),
            None => leaves.nodes().iter().map(|leaf| leaf.data()).collect(),
        };
        let (widths, found) = session.widths(self.text, width, &data, leaves.shape())?;
        notes.extend(found);
        Ok(widths)
    }
}

/// `:set w [1, 2]` for a list of three
fn other_shape(word: &str, leaves: &ListShape, new: &ListShape) -> Diagnostic {
    let message = format!("`{word}` is {leaves}, and this is {new}");
    let help = if leaves.is_number() {
        format!("as in `:set {word} 3`")
    } else {
        format!("one number sets all items: `:set {word} 0`")
    };
    Diagnostic::new(message).help(help)
}

/// Where the first word of a text ends: at a blank, `=` or `±` outside of brackets.
fn end_of_word(text: &str) -> usize {
    let mut depth = 0_i32;
    let ends = |(at, c): &(usize, char)| {
        depth += i32::from(matches!(c, '(' | '[')) - i32::from(matches!(c, ')' | ']'));
        let sign = matches!(c, '=' | '±') || text[*at..].starts_with("+/-");
        depth == 0 && (c.is_whitespace() || sign)
    };
    text.char_indices()
        .find(ends)
        .map_or(text.len(), |(at, _)| at)
}

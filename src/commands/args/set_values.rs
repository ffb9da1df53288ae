//! Reads the argument of `:set`, leaves and their new values: `a 3, b a/2`, `w [1, 2, 3]`, `x ± 0.1`, `x 3 ± 2%`.

use std::collections::HashMap;
use std::rc::Rc;

use super::resolve::{not_a_leaf_error, numbers_of, split_at_commas, trim, value};
use super::{Argument, Arguments};
use crate::session::uncertainty::Uncertainty;
use crate::session::values::{ListShape, Value};
use crate::session::{Session, Setting, Widths};
use chainrule_language as language;
use chainrule_language::Span;
use chainrule_report::Note;
use chainrule_report::diagnostic::Diagnostic;

/// New data and uncertainties of leaves.
#[derive(Debug, Default)]
pub struct LeafChanges {
    pub settings: Vec<Setting>,
    pub widths: Widths,
    /// Notes from evaluating the new values.
    pub notes: Vec<Note>,
}

/// One part of the argument: the leaves, their place, and their new data and uncertainties, if they get any.
struct Part {
    word: Span,
    leaves: Value,
    data: Option<Vec<f64>>,
    widths: Option<Vec<f64>>,
}

impl Arguments<'_> {
    /// The leaves and new values of `a 3, b a/2`. All values are computed before any leaf changes. No leaf may get two
    /// different values.
    pub fn settings(
        &self,
        session: &mut Session,
        argument: &Argument,
    ) -> Result<LeafChanges, Diagnostic> {
        let mut changes = LeafChanges::default();
        let mut seen = HashMap::new();
        let all = self.span_of(argument);
        for part in all.map_or_else(Vec::new, |all| split_at_commas(self.text, all)) {
            let part = self.setting(session, part, &mut changes.notes)?;
            for (at, leaf) in part.leaves.nodes().iter().enumerate() {
                if !leaf.is_leaf() {
                    return Err(not_a_leaf_error(session, self.command, leaf).at(part.word));
                }
                let new = |numbers: &Option<Vec<f64>>| numbers.as_ref().map(|all| all[at]);
                let new = [&part.data, &part.widths].map(new);
                let typed = (part.word, new.map(|new| new.map(f64::to_bits)));
                if let Some(before) = seen.insert(leaf.id(), typed) {
                    if before == typed {
                        continue;
                    }
                    let word = part.word.of(self.text);
                    return Err(Diagnostic::new(format!("`{word}` is set twice")).at(part.word));
                }
                let leaf = || Rc::clone(leaf);
                let [data, width] = new;
                let setting = data.map(|data| Setting { leaf: leaf(), data });
                changes.settings.extend(setting);
                let width = width.map(|width| (leaf(), Uncertainty::of_typed(width)));
                changes.widths.extend(width);
            }
        }
        Ok(changes)
    }

    /// One part, such as `a 3`, `w [1, 2, 3]` or `w 0.5`, which sets all items.
    fn setting(
        &self,
        session: &mut Session,
        part: Span,
        notes: &mut Vec<Note>,
    ) -> Result<Part, Diagnostic> {
        let part = trim(self.text, part);
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
        let read = match language::width(self.text, span) {
            Some(width) => width.map(|width| (None, Some(width))),
            None => language::value_and_width(self.text, span)
                .map(|(value, width)| (Some(value), width)),
        };
        let (expression, width) = read.map_err(|error| session.explain(error))?;
        let count = leaves.nodes().len();
        let mut data: Option<Vec<f64>> = None;
        if let Some(expression) = &expression {
            let (new, shape, found) = numbers_of(session, self.text, expression)?;
            if !shape.is_number() && shape != *leaves.shape() {
                let error = shape_error(word.of(self.text), leaves.shape(), &shape);
                return Err(error.at(expression.span));
            }
            notes.extend(found);
            // One number holds for all.
            data = Some(new.into_iter().cycle().take(count).collect());
        }
        let mut widths = None;
        if let Some(width) = &width {
            let now = || leaves.nodes().iter().map(|leaf| leaf.data()).collect();
            let of = data.clone().unwrap_or_else(now);
            let (new, found) = session.widths(self.text, width, &of, leaves.shape())?;
            notes.extend(found);
            widths = Some(new);
        }
        Ok(Part {
            word,
            leaves,
            data,
            widths,
        })
    }
}

/// `:set w [1, 2]` for a list of three
fn shape_error(word: &str, leaves: &ListShape, new: &ListShape) -> Diagnostic {
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

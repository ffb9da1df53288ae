//! Reads the argument of `:set`, leaves and their new values: `a 3, b a/2`, `w [1, 2, 3]`, `x ± 0.1`, `x 3 ± 2%`.

use std::collections::HashMap;
use std::rc::Rc;

use super::evaluate::not_a_leaf_error;
use super::existing::value_of;
use super::{Argument, Arguments};
use chainrule_language::{self as language, LeafSetting, Span};
use chainrule_program::values::Value;
use chainrule_report::Note;
use chainrule_report::diagnostic::{Diagnostic, Result};
use chainrule_session::uncertainty::Uncertainty;
use chainrule_session::{Session, Setting, Widths, evaluate_widths};

/// New data and uncertainties of leaves.
#[derive(Debug, Default)]
pub struct LeafChanges {
    pub settings: Vec<Setting>,
    pub widths: Widths,
    /// Notes from evaluating the new values.
    pub notes: Vec<Note>,
}

/// One part of the argument, such as `a 3`: leaves with their new data and uncertainties, if they get any.
struct Part {
    leaves: Value,
    data: Option<Vec<f64>>,
    widths: Option<Vec<f64>>,
}

/// The new numbers of one leaf. A list may have a leaf twice, and then sets it twice to the same numbers; another part of
/// the argument, at another place, may not set it again.
#[derive(Clone, Copy, PartialEq)]
struct NewNumbers {
    /// The place of the leaf.
    word: Span,
    data: Option<f64>,
    width: Option<f64>,
}

impl Arguments<'_> {
    /// Reads the leaves and new values of `a 3, b a/2`. All values are computed before any leaf changes. No leaf may get
    /// two values.
    pub fn settings(&self, session: &mut Session, argument: &Argument) -> Result<LeafChanges> {
        let mut changes = LeafChanges::default();
        let mut seen = HashMap::new();
        let parsed = language::settings(self.text, self.place(argument));
        for setting in parsed.map_err(|error| self.explain(session, error))? {
            let part = self.part(session, &setting, &mut changes.notes)?;
            let word = setting.leaf.span;
            let typed_width = setting.width.as_ref();
            let is_per_cent = typed_width.is_some_and(|it| !it.per_cent.is_empty());
            for (at, leaf) in part.leaves.nodes().iter().enumerate() {
                if !leaf.is_leaf() {
                    return Err(not_a_leaf_error(session, self.command, leaf).at(word));
                }
                let new = NewNumbers {
                    word,
                    data: part.data.as_ref().map(|data| data[at]),
                    width: part.widths.as_ref().map(|widths| widths[at]),
                };
                if let Some(earlier) = seen.insert(leaf.id(), new) {
                    if new == earlier {
                        continue;
                    }
                    let message = format!("`{}` is set twice", word.of(self.text));
                    return Err(Diagnostic::new(message).at(word));
                }
                if let Some(data) = new.data {
                    let leaf = Rc::clone(leaf);
                    changes.settings.push(Setting { leaf, data });
                }
                if let Some(width) = new.width {
                    let uncertainty = Uncertainty::of_typed(width, is_per_cent);
                    changes.widths.push((Rc::clone(leaf), uncertainty));
                }
            }
        }
        Ok(changes)
    }

    /// Reads one part, such as `a 3`, `w [1, 2, 3]` or `w 0.5`, which sets all items.
    fn part(
        &self,
        session: &mut Session,
        setting: &LeafSetting,
        notes: &mut Vec<Note>,
    ) -> Result<Part> {
        let word = setting.leaf.span;
        let leaves = value_of(session, self.text, &setting.leaf)?;
        if setting.value.is_none() && setting.width.is_none() {
            let (typed, end) = (word.of(self.text), word.end as usize);
            return Err(Diagnostic::new(format!("`{typed}` needs a new value"))
                .at(end..end)
                .help(format!("as in `:set {typed} 3`")));
        }
        let (nodes, shape) = (leaves.nodes(), leaves.shape());
        let mut data = None;
        if let Some(expression) = &setting.value {
            let new = session.evaluate_numbers(self.text, expression)?;
            if !new.shape.is_number() && new.shape != *shape {
                let typed = word.of(self.text);
                let help = if shape.is_number() {
                    format!("as in `:set {typed} 3`")
                } else {
                    format!("one number sets all items: `:set {typed} NUMBER`")
                };
                let message = format!("`{typed}` is {shape}, and this is {}", new.shape);
                return Err(Diagnostic::new(message).at(expression.span).help(help));
            }
            notes.extend(new.notes);
            // One number holds for all.
            let numbers = new.numbers.into_iter().cycle().take(nodes.len());
            data = Some(numbers.collect::<Vec<f64>>());
        }
        let mut widths = None;
        if let Some(width) = &setting.width {
            let now = || nodes.iter().map(|leaf| leaf.data()).collect();
            let values = data.clone().unwrap_or_else(now);
            let (found, more) = evaluate_widths(session, self.text, width, &values, shape)?;
            notes.extend(more);
            widths = Some(found);
        }
        Ok(Part {
            leaves,
            data,
            widths,
        })
    }
}

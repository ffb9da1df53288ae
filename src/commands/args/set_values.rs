//! Reads the argument of `:set`, leaves and their new values: `a 3, b a/2`, `w [1, 2, 3]`, `x ± 0.1`, `x 3 ± 2%`.

use std::collections::HashMap;
use std::rc::Rc;

use super::evaluate::{not_a_leaf_error, value_of};
use super::{Argument, Arguments};
use crate::session::uncertainty::Uncertainty;
use crate::session::values::{ListShape, Value};
use crate::session::{Session, Setting, Widths};
use chainrule_language::{self as language, LeafSetting, Span};
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

/// Leaves, their place, and their new data and uncertainties, if they get any.
struct Part {
    word: Span,
    leaves: Value,
    data: Option<Vec<f64>>,
    widths: Option<Vec<f64>>,
    /// The widths were typed in per cent.
    per_cent: bool,
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
        let read = language::settings(self.text, self.place(argument));
        for setting in read.map_err(|error| self.explain(session, error))? {
            let part = self.part(session, &setting, &mut changes.notes)?;
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
                let width = width.map(|it| (leaf(), Uncertainty::of_typed(it, part.per_cent)));
                changes.widths.extend(width);
            }
        }
        Ok(changes)
    }

    /// One part, such as `a 3`, `w [1, 2, 3]` or `w 0.5`, which sets all items.
    fn part(
        &self,
        session: &mut Session,
        setting: &LeafSetting,
        notes: &mut Vec<Note>,
    ) -> Result<Part, Diagnostic> {
        let word = setting.leaf.span;
        let leaves = value_of(session, self.text, &setting.leaf)?;
        if setting.value.is_none() && setting.width.is_none() {
            let (typed, at) = (word.of(self.text), word.end as usize);
            return Err(Diagnostic::new(format!("`{typed}` needs a new value"))
                .at(at..at)
                .help(format!("as in `:set {typed} 3`")));
        }
        let count = leaves.nodes().len();
        let mut data: Option<Vec<f64>> = None;
        if let Some(expression) = &setting.value {
            let new = session.evaluate_numbers(self.text, expression)?;
            if !new.shape.is_number() && new.shape != *leaves.shape() {
                let error = shape_error(word.of(self.text), leaves.shape(), &new.shape);
                return Err(error.at(expression.span));
            }
            notes.extend(new.notes);
            // One number holds for all.
            data = Some(new.numbers.into_iter().cycle().take(count).collect());
        }
        let mut widths = None;
        if let Some(width) = &setting.width {
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
            per_cent: (setting.width.as_ref()).is_some_and(|it| !it.per_cent.is_empty()),
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

//! Numbers with their deviations, as dots of a plot, and the classes of their items.

use crate::command::prelude::*;
use chainrule_report::{ClassWord, Curve};

/// Numbers with their standard deviations. A number without one has 0; if none has one, there are no deviations.
pub(crate) struct Measured {
    pub numbers: Vec<f64>,
    pub deviations: Vec<f64>,
}

impl Measured {
    pub(crate) fn of(session: &Session, nodes: &[Rc<Node>]) -> Measured {
        Measured {
            numbers: values(nodes),
            deviations: session.names().uncertain.deviations(nodes),
        }
    }

    /// Numbers without deviations.
    pub(crate) fn exact(numbers: impl IntoIterator<Item = f64>) -> Measured {
        Measured {
            numbers: numbers.into_iter().collect(),
            deviations: Vec::new(),
        }
    }

    /// Returns the given items as dots over the same items of another list. A single number is drawn over each item.
    pub(crate) fn over(
        &self,
        across: &Measured,
        label: &str,
        items: impl IntoIterator<Item = usize>,
    ) -> Curve {
        let mut dots = Curve {
            label: label.to_string(),
            has_dots: true,
            ..Curve::default()
        };
        for at in items {
            // A single number has only the index 0.
            let up = at.min(self.numbers.len() - 1);
            dots.points.push((across.numbers[at], self.numbers[up]));
            dots.deviations.extend(self.deviations.get(up));
            dots.deviations_across.extend(across.deviations.get(at));
        }
        dots
    }
}

/// A class of a list: a label (its word, or `state = 1`) and the indices of its items.
#[derive(Clone)]
pub(crate) struct ListClass {
    pub label: String,
    pub items: Vec<usize>,
}

/// Finds the classes in a list of numbers, in ascending order. If there are more than `most`, the error is the number of
/// classes.
pub(crate) fn classes_of(
    numbers: &[f64],
    words: &[ClassWord],
    name: &str,
    most: usize,
) -> Result<Vec<ListClass>, usize> {
    // Adding 0 turns -0 into 0, so that both are one class.
    let mut kinds: Vec<f64> = numbers.iter().map(|it| it + 0.0).collect();
    kinds.sort_by(f64::total_cmp);
    let is_same = |a: f64, b: f64| a == b || a.is_nan() && b.is_nan();
    kinds.dedup_by(|a, b| is_same(*a, *b));
    if kinds.len() > most {
        return Err(kinds.len());
    }
    let mut classes = Vec::new();
    for kind in kinds {
        let label = match words.iter().find(|it| it.number == kind) {
            Some(known) => known.word.clone(),
            None => format!("{name} = {}", language::literal(kind, false)),
        };
        let is_of_class = |at: &usize| is_same(numbers[*at], kind);
        classes.push(ListClass {
            label,
            items: (0..numbers.len()).filter(is_of_class).collect(),
        });
    }
    Ok(classes)
}

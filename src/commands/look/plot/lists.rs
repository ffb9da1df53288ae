//! Reads the lists that `:plot` draws: their numbers with deviations, the words and dates of their columns, their classes.

use super::PlotRequest;
use super::parts::check_count;
use crate::command::prelude::*;
use crate::session::values::{ListShape, Value};
use chainrule_report::{Calendar, ClassWord, Curve};

/// A list of the command line.
pub(super) struct TypedList {
    pub label: String,
    /// The heading of the column that the list was read from. A list that was not read from a file has its label here.
    pub heading: String,
    /// The start of its dates.
    pub dates: Option<Calendar>,
    /// The words for which its numbers stand.
    pub words: Vec<ClassWord>,
    pub items: Measured,
    pub shape: ListShape,
    pub span: Span,
}

/// Numbers with their standard deviations. A number without one has 0; if none has one, there are no deviations.
pub(crate) struct Measured {
    pub numbers: Vec<f64>,
    pub deviations: Vec<f64>,
}

impl Measured {
    pub(crate) fn of(session: &Session, nodes: &[Rc<Node>]) -> Measured {
        Measured {
            numbers: nodes.iter().map(|node| node.data()).collect(),
            deviations: session.names().uncertain.deviations(nodes),
        }
    }

    /// Numbers without deviations.
    pub(crate) fn exact(numbers: impl Iterator<Item = f64>) -> Measured {
        Measured {
            numbers: numbers.collect(),
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

/// Reads the lists between commas.
pub(super) fn read_lists(request: &mut PlotRequest, span: Span) -> Result<Vec<TypedList>> {
    let text = request.arguments.text;
    let session = &mut *request.session;
    let read = language::items(text, span).map_err(|error| session.explain(error))?;
    check_count(read.len(), span)?;
    let mut lists = Vec::with_capacity(read.len());
    for expression in read {
        let (value, notes) = session.evaluate(text, &expression)?;
        request.notes.extend(notes);
        lists.push(TypedList::of(session, text, expression.span, &value));
    }
    Ok(lists)
}

impl TypedList {
    fn of(session: &Session, text: &str, span: Span, value: &Value) -> TypedList {
        let label = language::one_line(span.of(text));
        let heading = session.heading(value.nodes());
        let (title, words) = match heading {
            None => (&*label, Vec::new()),
            Some(heading) => heading.classes().unwrap_or((&*heading.text, Vec::new())),
        };
        TypedList {
            heading: title.to_string(),
            words,
            dates: heading.and_then(|heading| heading.dates),
            items: Measured::of(session, value.nodes()),
            shape: value.shape().clone(),
            span,
            label,
        }
    }

    /// Refuses a number.
    pub(super) fn check_list(&self) -> Result<()> {
        if !self.shape.is_number() {
            return Ok(());
        }
        let message = format!("`{}` is a number, and a list is expected", self.label);
        let help =
            "as in `… over LIST` or `… with LIST, LIST`; a leaf moves through a range: `… x=-5..5`";
        Err(Diagnostic::new(message).at(self.span).help(help))
    }

    /// Refuses a list with another shape.
    pub(super) fn check_same_shape(&self, other: &TypedList) -> Result<()> {
        if self.shape == other.shape {
            return Ok(());
        }
        let (label, shape) = (&self.label, &self.shape);
        let (other_label, other_shape) = (&other.label, &other.shape);
        let message = format!("`{label}` is {shape}, and `{other_label}` is {other_shape}");
        let help = "lists that are drawn together have one shape";
        Err(Diagnostic::new(message).at(self.span).help(help))
    }

    /// All items over those of another list.
    pub(super) fn dots(&self, label: &str, across: &TypedList) -> Curve {
        let all = 0..across.items.numbers.len();
        self.items.over(&across.items, label, all)
    }

    /// The positions of the items in the first of these lists that is not a number.
    pub(super) fn of_positions(lists: &[TypedList], span: Span) -> TypedList {
        let first = lists.iter().find(|list| !list.shape.is_number());
        let count = first.map_or(0, |list| list.items.numbers.len());
        TypedList {
            label: "item".to_string(),
            heading: "item".to_string(),
            dates: None,
            words: Vec::new(),
            items: Measured::exact((0..count).map(|at| at as f64)),
            shape: first.map_or(ListShape::NUMBER, |list| list.shape.clone()),
            span,
        }
    }
}

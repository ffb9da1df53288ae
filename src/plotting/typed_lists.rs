//! Reads the lists that are typed in `:plot` and after `over` in `:fit`: their numbers with deviations, and the words and
//! dates of their columns.

use super::lists::Measured;
use super::{MOST_CURVES, check_count};
use crate::command::prelude::*;
use chainrule_program::values::{ListShape, Value};
use chainrule_report::{Calendar, ClassWord, Curve};
use chainrule_session::explain;

/// A list of the command line.
pub(crate) struct TypedList {
    pub label: String,
    /// The heading of the column that the list was read from. A list that was not read from a file has its label here.
    pub heading: String,
    /// The start of its dates.
    pub dates: Option<Calendar>,
    /// The words for which its numbers stand.
    pub words: Vec<ClassWord>,
    pub items: Measured,
    /// The nodes of its items. Positions have none.
    pub nodes: Vec<Rc<Node>>,
    pub shape: ListShape,
    pub span: Span,
}

/// Reads the lists between commas.
pub(crate) fn read_lists(
    session: &mut Session,
    text: &str,
    span: Span,
    notes: &mut Vec<Note>,
) -> Result<Vec<TypedList>> {
    let read = language::items(text, span).map_err(|error| explain(session, error))?;
    check_count(read.len(), MOST_CURVES, span)?;
    let mut lists = Vec::with_capacity(read.len());
    for expression in read {
        let (value, value_notes) = session.evaluate(text, &expression)?;
        notes.extend(value_notes);
        lists.push(TypedList::of(session, text, expression.span, &value));
    }
    Ok(lists)
}

impl TypedList {
    /// Reads the one list after `over`.
    pub(crate) fn read_over(
        session: &mut Session,
        arguments: &Arguments,
        span: Span,
        notes: &mut Vec<Note>,
    ) -> Result<TypedList> {
        let mut lists = read_lists(session, arguments.text, span, notes)?;
        if lists.len() > 1 {
            let message = format!("`over` takes one list, and here are {}", lists.len());
            let help = "it is the horizontal axis; `:plot … with LIST, LIST` adds points over another list";
            return Err(Diagnostic::new(message).at(span).help(help));
        }
        let list = lists.remove(0);
        list.check_list()?;
        Ok(list)
    }

    pub(crate) fn of(session: &Session, text: &str, span: Span, value: &Value) -> TypedList {
        let label = language::one_line(span.of(text));
        let heading = session.heading(value.nodes());
        TypedList {
            heading: heading.map_or(&*label, |it| &*it.title).to_owned(),
            words: heading.map_or_else(Vec::new, |it| it.classes.clone()),
            dates: heading.and_then(|heading| heading.dates),
            items: Measured::of(session, value.nodes()),
            nodes: value.nodes().to_vec(),
            shape: value.shape().clone(),
            span,
            label,
        }
    }

    /// Refuses a number.
    pub(crate) fn check_list(&self) -> Result<()> {
        if !self.shape.is_number() {
            return Ok(());
        }
        let message = format!("`{}` is a number, and a list is expected", self.label);
        let help =
            "as in `… over LIST` or `… with LIST, LIST`; a leaf moves through a range: `… x=-5..5`";
        Err(Diagnostic::new(message).at(self.span).help(help))
    }

    /// Refuses a list with another shape.
    pub(crate) fn check_same_shape(&self, other: &TypedList) -> Result<()> {
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
    pub(crate) fn dots(&self, label: &str, across: &TypedList) -> Curve {
        let all = 0..across.items.numbers.len();
        self.items.over(&across.items, label, all)
    }

    /// The positions of the items in the first of these lists that is not a number.
    pub(crate) fn of_positions(lists: &[TypedList], span: Span) -> TypedList {
        let first = lists.iter().find(|list| !list.shape.is_number());
        let count = first.map_or(0, |list| list.items.numbers.len());
        TypedList {
            label: "item".to_string(),
            heading: "item".to_string(),
            dates: None,
            words: Vec::new(),
            items: Measured::exact((0..count).map(|at| at as f64)),
            nodes: Vec::new(),
            shape: first.map_or(ListShape::NUMBER, |list| list.shape.clone()),
            span,
        }
    }
}

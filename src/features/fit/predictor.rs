//! Finds the lists of data that the picture of a fit shows: the predictor on the horizontal axis, and classes of points.

use std::ops::Range;

use super::sources::FitPoints;
use crate::command::prelude::*;
use crate::plotting::MOST_CURVES;
use crate::plotting::lists::{ListClass, classes_of};
use crate::search::checks::index_of;
use chainrule_language::ModelSides;
use chainrule_program::values::Value;
use chainrule_session::Heading;

/// The most classes with a curve of their own. Each has dots, too.
const MOST_CLASSES: usize = MOST_CURVES / 2;

/// The list that the horizontal axis shows, or the list of each set of data.
pub(super) struct Predictor {
    /// Its name, or the names of all lists.
    pub(super) name: String,
    /// The leaf of each point.
    pub(super) leaves: Vec<Rc<Node>>,
}

/// Finds the list that the fit does not move and that has a leaf for each point, or such a list for each set of data.
pub(super) fn find_predictor(session: &Session, points: &FitPoints) -> Option<Predictor> {
    let all = find_list(session, points, &points.order, 0..points.model.len());
    if all.is_some() || points.sets.len() == 1 {
        return all;
    }
    let find = |set: &Range<usize>| {
        let order = Order::below(&points.model[set.clone()]);
        find_list(session, points, &order, set.clone())
    };
    let lists: Vec<Predictor> = points.sets.iter().map(find).collect::<Option<_>>()?;
    let mut names: Vec<&str> = lists.iter().map(|it| &*it.name).collect();
    names.dedup();
    Some(Predictor {
        name: names.join(", "),
        leaves: lists.into_iter().flat_map(|it| it.leaves).collect(),
    })
}

/// Finds the only list of leaves below the model of a set, in this order, that the fit does not move and that has a leaf for
/// each of its points.
fn find_list(
    session: &Session,
    points: &FitPoints,
    order: &Order,
    set: Range<usize>,
) -> Option<Predictor> {
    let is_data = |node: &Rc<Node>| is_fixed(points, node) && order.slot(node).is_some();
    let is_predictor = |value: &Value| {
        value.nodes().len() == set.len()
            && matches!(value, Value::List(_))
            && value.nodes().iter().all(is_data)
    };
    let mut found: Vec<(&str, &Value)> = (session.names().bound_values())
        .filter(|(_, value)| is_predictor(value))
        .collect();
    // A list of numbers takes precedence over classes.
    let is_class = |value: &Value| {
        let heading = session.heading(value.nodes());
        heading.is_some_and(|it| it.classes().is_some())
    };
    if found.iter().any(|(_, value)| !is_class(value)) {
        found.retain(|(_, value)| !is_class(value));
    }
    let (name, value) = found.first()?;
    // The same list may have a second name.
    let is_only_list = found.iter().all(|(_, other)| other.is(value));
    is_only_list.then(|| Predictor {
        name: name.to_string(),
        leaves: value.nodes().to_vec(),
    })
}

fn is_fixed(points: &FitPoints, node: &Node) -> bool {
    node.is_leaf() && index_of(node, &points.leaves).is_none()
}

/// Divides the points into the sets of the data, or into the classes of the first list in the model that has some. Without
/// both, one class without a label has all points.
pub(super) fn classes_of_points(
    session: &Session,
    points: &FitPoints,
    predictor: Option<&Predictor>,
    sides: &ModelSides,
    text: &str,
) -> Vec<ListClass> {
    let sets = &points.sets;
    if predictor.is_some() && (2..=MOST_CLASSES).contains(&sets.len()) {
        let labels = set_labels(text, sides.data.span, sets.len());
        let class = |(label, set): (String, &Range<usize>)| ListClass {
            label,
            items: set.clone().collect(),
        };
        return labels.into_iter().zip(sets).map(class).collect();
    }
    let names = sides.model.names().into_iter().map(|(name, _)| name);
    let mut found = names.filter_map(|name| classes_in(session, points, predictor, name));
    found.next().unwrap_or_else(|| vec![all_points(points)])
}

/// The texts of the sets of a side of the fit: `y1` and `y2` for `[y1, y2]`, otherwise `y[0]` and `y[1]`.
pub(super) fn set_labels(text: &str, side: Span, count: usize) -> Vec<String> {
    let typed = side.of(text);
    let is_bracketed = typed.starts_with('[') && typed.ends_with(']');
    let inside = Span::new(side.start as usize + 1, side.end as usize - 1);
    let items = is_bracketed
        .then(|| language::items(text, inside).ok())
        .flatten();
    match items.filter(|items| items.len() == count) {
        Some(items) => items
            .iter()
            .map(|it| language::one_line(it.span.of(text)))
            .collect(),
        None => (0..count)
            .map(|at| format!("{}[{at}]", language::one_line(typed)))
            .collect(),
    }
}

/// Divides the points into the classes of the list with this name. Returns `None` if the list is no constant list as long
/// as the data, is the predictor, or has one class or too many.
fn classes_in(
    session: &Session,
    points: &FitPoints,
    predictor: Option<&Predictor>,
    name: &str,
) -> Option<Vec<ListClass>> {
    let nodes = session.names().find(name)?.nodes();
    let is_constant =
        nodes.len() == points.model.len() && nodes.iter().all(|it| is_fixed(points, it));
    if !is_constant || predictor.is_some_and(|it| Rc::ptr_eq(&it.leaves[0], &nodes[0])) {
        return None;
    }
    let heading = session.heading(nodes).and_then(Heading::classes);
    let words = heading.map_or_else(Vec::new, |(_, words)| words);
    let numbers: Vec<f64> = nodes.iter().map(|node| node.data()).collect();
    let classes = classes_of(&numbers, &words, name, MOST_CLASSES).ok()?;
    (classes.len() > 1).then_some(classes)
}

pub(super) fn all_points(points: &FitPoints) -> ListClass {
    ListClass {
        label: String::new(),
        items: (0..points.model.len()).collect(),
    }
}

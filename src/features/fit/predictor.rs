//! Finds the lists of data that the picture of a fit shows: the predictor on the horizontal axis, and classes of points.

use std::ops::Range;

use rustc_hash::FxHashSet;

use super::sources::FitPoints;
use crate::command::prelude::*;
use crate::plotting::MOST_CURVES;
use crate::plotting::lists::{ListClass, classes_of};
use crate::search::checks::index_of;
use crate::search::depends_on_leaves;
use chainrule_language::{Expression, ModelSides};
use chainrule_program::values::Value;

/// The most classes with a curve of their own. Each has dots, too.
const MOST_CLASSES: usize = MOST_CURVES / 2;

/// The list that the horizontal axis shows, or the list of each set of data.
pub(super) struct Predictor {
    /// Its name, or the names of all lists.
    pub(super) name: String,
    /// The node of each point. It may be computed, as in `x = 1000/T`.
    pub(super) nodes: Vec<Rc<Node>>,
}

/// Finds the lists of data in a model that have a node for each point. If each set of data has one such list, these are one.
pub(super) fn find_predictors(
    session: &Session,
    points: &FitPoints,
    model: &Expression,
) -> Vec<Predictor> {
    let all = find_lists(session, points, model, 0..points.model.len());
    if !all.is_empty() || points.sets.len() == 1 {
        return all;
    }
    let find = |set: &Range<usize>| {
        let [list] = find_lists(session, points, model, set.clone())
            .try_into()
            .ok()?;
        Some(list)
    };
    let found: Option<Vec<Predictor>> = points.sets.iter().map(find).collect();
    let lists = found.unwrap_or_default();
    let mut names: Vec<&str> = lists.iter().map(|it| &*it.name).collect();
    names.dedup();
    let name = names.join(", ");
    let nodes: Vec<Rc<Node>> = lists.into_iter().flat_map(|it| it.nodes).collect();
    let joined = (!nodes.is_empty()).then_some(Predictor { name, nodes });
    joined.into_iter().collect()
}

/// Finds the lists below the model of a set that have a node for each of its points, and that the fit does not move. If the
/// model names some of them, these alone count: `x` and not T if `x = 1000/T`. A list that is only an index is not below it.
fn find_lists(
    session: &Session,
    points: &FitPoints,
    model: &Expression,
    set: Range<usize>,
) -> Vec<Predictor> {
    let order = Order::below(&points.model[set.clone()]);
    let is_moved = depends_on_leaves(&order, |node| index_of(node, &points.leaves).is_some());
    let is_data = |node: &Rc<Node>| order.slot(node).is_some_and(|slot| !is_moved[slot]);
    let is_predictor = |value: &Value| {
        value.nodes().len() == set.len()
            && matches!(value, Value::List(_))
            && value.nodes().iter().all(is_data)
    };
    let mut found: Vec<(&str, &Value)> = (session.names().bound_values())
        .filter(|(_, value)| is_predictor(value))
        .collect();
    let names: FxHashSet<&str> = model.names().into_iter().map(|(name, _)| name).collect();
    keep_if_any(&mut found, |(name, _)| names.contains(name));
    // A list of numbers takes precedence over classes.
    keep_if_any(&mut found, |(_, value)| {
        let heading = session.heading(value.nodes());
        heading.is_none_or(|it| it.classes.is_empty())
    });
    // The same list may have a second name.
    if found.iter().all(|(_, other)| other.is(found[0].1)) {
        found.truncate(1);
    }
    let predictor = |(name, value): (&str, &Value)| Predictor {
        name: name.to_string(),
        nodes: value.nodes().to_vec(),
    };
    found.into_iter().map(predictor).collect()
}

/// Keeps the items with a property, if there are any.
fn keep_if_any<T>(items: &mut Vec<T>, has_property: impl Fn(&T) -> bool) {
    if items.iter().any(&has_property) {
        items.retain(has_property);
    }
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
    if (2..=MOST_CLASSES).contains(&sets.len()) {
        let labels = set_labels(text, sides.data.span, sets.len());
        let class = |(label, set): (String, &Range<usize>)| ListClass {
            label,
            items: set.clone().collect(),
        };
        return labels.into_iter().zip(sets).map(class).collect();
    }
    let names = sides.model.names().into_iter().map(|(name, _)| name);
    let mut found = names.filter_map(|name| classes_in(session, points, predictor, name));
    found.next().unwrap_or_else(|| {
        vec![ListClass {
            label: String::new(),
            items: (0..points.model.len()).collect(),
        }]
    })
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
    if !is_constant || predictor.is_some_and(|it| Rc::ptr_eq(&it.nodes[0], &nodes[0])) {
        return None;
    }
    let heading = session.heading(nodes);
    let words = heading.map_or(&[][..], |it| &it.classes);
    let numbers: Vec<f64> = nodes.iter().map(|node| node.data()).collect();
    let classes = classes_of(&numbers, words, name, MOST_CLASSES).ok()?;
    // Numbers that hardly repeat are no classes.
    (2..=nodes.len() / 2)
        .contains(&classes.len())
        .then_some(classes)
}

//! Finds the lists of data that the picture of a fit shows: the predictor on the horizontal axis, and classes of points.

use super::sources::FitPoints;
use crate::command::prelude::*;
use crate::plotting::MOST_CURVES;
use crate::plotting::lists::{ListClass, classes_of};
use crate::search::checks::index_of;
use chainrule_language::Expression;
use chainrule_program::values::Value;
use chainrule_session::Heading;

/// The most classes with a curve of their own. Each has dots, too.
const MOST_CLASSES: usize = MOST_CURVES / 2;

/// The list that the horizontal axis shows.
pub(super) struct Predictor {
    pub(super) name: String,
    pub(super) leaves: Vec<Rc<Node>>,
}

/// Finds the only list of leaves below the model that the fit does not move and that has a leaf for each point.
pub(super) fn find_predictor(session: &Session, points: &FitPoints) -> Option<Predictor> {
    let is_data = |node: &Rc<Node>| is_fixed(points, node) && points.order.slot(node).is_some();
    let is_predictor = |value: &Value| {
        value.nodes().len() == points.model.len()
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

/// Divides the points into the classes of the first list in the model that has some. Without classes, one class without a
/// label has all points.
pub(super) fn classes_of_points(
    session: &Session,
    points: &FitPoints,
    predictor: Option<&Predictor>,
    model: &Expression,
) -> Vec<ListClass> {
    let names = model.names().into_iter().map(|(name, _)| name);
    let mut found = names.filter_map(|name| classes_in(session, points, predictor, name));
    found.next().unwrap_or_else(|| vec![all_points(points)])
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

//! Finds the closed form of a derivative: one expression, `b*f`, that the user can type and that evaluates to the gradient.
//!
//! The closed form is the derivative from a textbook, `1 - o^2`, if that gives the same number at the present data, or else
//! the computed derivative. Names stay names. The nodes that are built for the closed form are dropped again.

use std::rc::Rc;

use crate::session::Session;
use chainrule_engine::graph::{Node, PathSubgraph};
use chainrule_language as language;

/// The most characters of a closed form: about five lines of a terminal.
pub const LONGEST: usize = 400;
/// The most edges between root and node for which a closed form is built. A closed form that is short enough has far fewer.
const MOST_EDGES: usize = 10_000;
/// The largest difference of the closed form from the gradient, relative to the larger one of the gradient and the largest
/// path.
const TOLERANCE: f64 = 1e-12;

/// Returns the closed form of the derivative at the end of a subgraph of paths, if it is short enough to be read. `largest`
/// is the product of the largest path: digits are lost if paths cancel.
pub(crate) fn closed_form(
    session: &mut Session,
    subgraph: &PathSubgraph,
    grads: &[f64],
    largest: f64,
) -> Option<String> {
    if subgraph.edges.len() > MOST_EDGES {
        return None;
    }
    let grad = grads[subgraph.end];
    let is_grad = |value: f64| {
        let size = grad.abs().max(largest.abs());
        value.is_nan() && grad.is_nan()
            || value == grad
            || (value - grad).abs() <= TOLERANCE * size && size.is_finite()
    };
    let (root, node) = (subgraph.node(subgraph.root), subgraph.node(subgraph.end));
    let forms = [Session::textbook_derivatives, Session::derivatives];
    forms.into_iter().find_map(|derivatives| {
        session.look(|session| {
            let derivative = derivatives(session, root, std::slice::from_ref(node)).ok()?;
            typeable_text(session, &derivative[0], is_grad)
        })
    })
}

/// Returns the label of a derivative, if it is short and evaluates to the same number. The label may evaluate to another
/// number if it calls a function that calls another function, which has changed since.
fn typeable_text(
    session: &mut Session,
    derivative: &Rc<Node>,
    is_grad: impl Fn(f64) -> bool,
) -> Option<String> {
    let text = session.label(derivative);
    let is_short = !text.contains('…') && text.chars().count() <= LONGEST;
    if !is_short || !is_grad(derivative.data()) {
        return None;
    }
    let expression = language::as_expression(&text)?;
    let (value, _) = session.measure(&text, &expression).ok()?;
    is_grad(value).then_some(text)
}

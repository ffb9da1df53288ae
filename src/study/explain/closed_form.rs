//! The closed form of a derivative: one expression, `b*f`, that can be typed and evaluates to the gradient.
//!
//! It is written as people learn it, `1 - o^2`, if that gives the same number here, and otherwise as it is computed.
//! Names stay names. The nodes that this requires are dropped again.

use std::rc::Rc;

use crate::session::Session;
use chainrule_engine::graph::{Node, PathSubgraph};
use chainrule_language as language;

/// The longest closed form that is shown, in characters.
pub const LONGEST: usize = 400;
/// The most edges between root and node for which a closed form is looked for.
const MOST_EDGES: usize = 10_000;
/// How far its number may be from the gradient, relative to the largest path.
const TOLERANCE: f64 = 1e-12;

/// The closed form of the derivative at the end of a subgraph of paths, if it is short enough to be read. `largest` is
/// the product of the largest path: where paths cancel, digits are lost.
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

/// The label of a derivative, if it is short, and gives the same number when it is typed. It may give another one: a
/// function that the label calls may call one that has changed since.
fn typeable_text(
    session: &mut Session,
    derivative: &Rc<Node>,
    is_grad: impl Fn(f64) -> bool,
) -> Option<String> {
    let text = session.label(derivative);
    let short = !text.contains('…') && text.chars().count() <= LONGEST;
    if !short || !is_grad(derivative.data()) {
        return None;
    }
    let read = language::as_expression(&text)?;
    let (typed, _) = session.measure(&text, &read).ok()?;
    is_grad(typed).then_some(text)
}

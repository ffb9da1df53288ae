//! Explains the gradient of a root with respect to a node, for `:explain`: as a sum over the paths between the two,
//! with the largest paths listed, by a closed form, and by the reason if it is 0, NaN or infinite.
//!
//! The gradient is that of a backward pass, and the paths come from the graph. The session's pass, walk and data do not
//! change. The closed form is one expression, `b*f`, that the user can type and that evaluates to the gradient: the
//! derivative from a textbook, `1 - o^2`, if that gives the same number at the present data, or else the computed
//! derivative. Names stay names. The nodes that are built for the closed form are dropped again.

mod reasons;

pub use self::reasons::convention_at;

use std::rc::Rc;

use self::reasons::{independence_line, reason};
use crate::session::Session;
use chainrule_engine::graph::structure::paths::{self, Path};
use chainrule_engine::graph::{Node, PathSubgraph, Paths, gradients};
use chainrule_language as language;
use chainrule_report::Line;
use chainrule_stop as stop;

/// The most paths that are listed.
pub const MOST_PATHS: usize = 100;
/// Up to this many paths are listed in the order of the pass. If there are more, the largest comes first.
pub const FEW_PATHS: usize = 5;

/// The most characters of a closed form: about five lines of a terminal.
pub const LONGEST: usize = 400;
/// The most edges between root and node for which a closed form is built. A closed form that is short enough has far fewer.
const MOST_EDGES: usize = 10_000;
/// The largest difference of the closed form from the gradient, relative to the larger one of the gradient and the largest
/// path.
const TOLERANCE: f64 = 1e-12;

/// A gradient, explained.
#[derive(Debug, Default)]
pub struct Explanation {
    /// The gradient.
    pub grad: f64,
    /// The derivative as an expression of the language that evaluates to the gradient, if it is short enough.
    pub closed: Option<String>,
    /// The nodes and edges on the paths; `None` if there is no path.
    pub subgraph: Option<PathSubgraph>,
    /// The largest paths, at most [`MOST_PATHS`]: all paths if there are few.
    pub listed: Vec<Path>,
    /// The number of all paths: exact up to 2^53.
    pub count: f64,
    /// The total of the paths that are not listed: exactly 0 if there are none.
    pub rest: f64,
    /// The reason for a gradient that is 0, tiny, infinite, NaN, or taken by convention.
    pub reason: Option<Line>,
}

/// Explains the gradient of a root by a node.
pub fn explain(session: &mut Session, root: &Rc<Node>, node: &Rc<Node>) -> Explanation {
    let Some(subgraph) = PathSubgraph::between(root, node) else {
        return Explanation {
            closed: Some("0".to_string()),
            reason: Some(independence_line(session, root, node)),
            ..Explanation::default()
        };
    };
    stop::ask_now();
    let grads = gradients(&subgraph.order, root, |_| {});
    let mut paths = Paths::largest(&subgraph, MOST_PATHS);
    stop::ask_now();
    let reason = reason(session, &subgraph, &grads, &paths.listed[0]);
    let closed = closed_form(session, &subgraph, &grads, paths.listed[0].product);
    if paths.listed.len() <= FEW_PATHS {
        paths.sort_in_pass_order();
    }
    Explanation {
        grad: grads[subgraph.end],
        closed,
        listed: paths.listed,
        count: subgraph.path_count(),
        rest: paths.rest,
        reason,
        subgraph: Some(subgraph),
    }
}

impl Explanation {
    /// Returns the total of all paths but the first `shown` ones.
    pub fn rest_after(&self, shown: usize) -> f64 {
        let listed = self.listed.iter().skip(shown).map(|path| path.product);
        paths::compensated_sum(listed.chain([self.rest]))
    }
}

/// Returns the closed form of the derivative at the end of a subgraph of paths, if it is short enough to be read. `largest`
/// is the product of the largest path: digits are lost if paths cancel.
fn closed_form(
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

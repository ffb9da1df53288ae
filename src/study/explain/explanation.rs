//! `:explain`: the gradient of a root with respect to a node, as the sum over the paths between them, with the largest
//! ones listed.
//!
//! The gradient is the pass's own number; the paths are the graph's. Nothing is changed: no pass, no walk, no data. Why
//! a gradient is 0, NaN or infinite is found in `reasons`.

use std::rc::Rc;

use super::closed_form::closed_form;
use super::reasons::{independence_line, reason};
use crate::session::Session;
use chainrule_engine::graph::structure::paths::{self, Path};
use chainrule_engine::graph::{Node, PathSubgraph, Paths, gradients};
use chainrule_report::Line;
use chainrule_stop as stop;

/// The most paths that are listed.
pub const MOST_PATHS: usize = 100;
/// The most paths that stand in the order of the pass: more of them come largest first.
pub const FEW_PATHS: usize = 5;
/// The most steps of one path that are kept.
const MOST_STEPS: usize = 100;

/// A gradient, explained.
#[derive(Debug)]
pub struct Explanation {
    /// What is differentiated.
    pub root: Rc<Node>,
    /// By what.
    pub node: Rc<Node>,
    /// The gradient, as a pass has it.
    pub grad: f64,
    /// The derivative as a text of the language that evaluates to the gradient, if it is short enough.
    pub closed: Option<String>,
    /// The largest paths; all of them, in the order of the pass, if they are few.
    pub ways: Vec<ExplainedPath>,
    /// How many there are: exact up to 2^53.
    pub count: f64,
    /// The total of those that are not listed: exactly 0 if there are none.
    pub rest: f64,
    /// Why it is 0, tiny, infinite or no number, or taken by convention.
    pub reason: Option<Line>,
}

/// One path.
#[derive(Clone, Debug)]
pub struct ExplainedPath {
    /// Its first steps, from the root on.
    pub steps: Vec<ExplainedStep>,
    /// How many further steps it has.
    pub left_out: usize,
    /// The product of its locals.
    pub product: f64,
}

/// One step of a path.
#[derive(Clone, Debug)]
pub struct ExplainedStep {
    /// The user.
    pub from: Rc<Node>,
    /// The operand.
    pub to: Rc<Node>,
    /// Which operand it is.
    pub operand: usize,
    /// The user's derivative by it.
    pub local: f64,
    /// The product of the locals so far, this one included.
    pub so_far: f64,
}

/// Explains the gradient of a root by a node.
pub fn explain(session: &mut Session, root: &Rc<Node>, node: &Rc<Node>) -> Explanation {
    let Some(subgraph) = PathSubgraph::between(root, node) else {
        return Explanation {
            root: Rc::clone(root),
            node: Rc::clone(node),
            grad: 0.0,
            closed: Some("0".to_string()),
            ways: Vec::new(),
            count: 0.0,
            rest: 0.0,
            reason: Some(independence_line(session, root, node)),
        };
    };
    stop::ask_now();
    let grads = gradients(&subgraph.order, root, |_| {});
    let mut paths = Paths::largest(&subgraph, MOST_PATHS);
    stop::ask_now();
    let reason = reason(session, &subgraph, &grads, &paths.listed[0]);
    let closed = closed_form(session, &subgraph, &grads, paths.listed[0].product);
    let way_of = |path: &Path| explained_path(&subgraph, path);
    if paths.listed.len() <= FEW_PATHS {
        paths.sort_in_pass_order();
    }
    Explanation {
        root: Rc::clone(root),
        node: Rc::clone(node),
        grad: grads[subgraph.end],
        closed,
        ways: paths.listed.iter().map(way_of).collect(),
        count: subgraph.path_count(),
        rest: paths.rest,
        reason,
    }
}

impl Explanation {
    /// The total of all paths but the first `shown` ones.
    pub fn rest_after(&self, shown: usize) -> f64 {
        let listed = self.ways.iter().skip(shown).map(|way| way.product);
        paths::compensated_sum(listed.chain([self.rest]))
    }
}

fn explained_path(subgraph: &PathSubgraph, path: &Path) -> ExplainedPath {
    let mut so_far = 1.0;
    let step = |&at: &u32| {
        let edge = &subgraph.edges[at as usize];
        so_far = subgraph.multiply_along(so_far, edge);
        ExplainedStep {
            from: Rc::clone(subgraph.node(edge.from as usize)),
            to: Rc::clone(subgraph.node(edge.to as usize)),
            operand: edge.position as usize,
            local: edge.local,
            so_far,
        }
    };
    ExplainedPath {
        steps: path.edges.iter().take(MOST_STEPS).map(step).collect(),
        left_out: path.edges.len().saturating_sub(MOST_STEPS),
        product: path.product,
    }
}

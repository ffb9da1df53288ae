//! `:explain`: the gradient of a root by a node, as the sum over the paths between them, the largest ones listed.
//!
//! The gradient is the pass's own number; the paths are the graph's. Nothing is changed: no pass, no walk, no data. Why
//! a gradient is 0, NaN or infinite is found in `reasons`.

use std::rc::Rc;

use super::closed_form::closed;
use super::reasons::{reason, unconnected};
use crate::graph::structure::paths::{self, Path};
use crate::graph::{Node, PathSubgraph, Paths, Plan, gradients};
use crate::report::Line;
use crate::session::Session;
use crate::stop;

/// The most paths that are listed.
pub const MOST_PATHS: usize = 100;
/// The most paths that stand in the order of the pass: more of them come largest first.
pub const FEW_PATHS: usize = 5;
/// The most steps of one path that are told, to programs and to people; of a longer one the middle is left out.
const MOST_STEPS: [usize; 2] = [100, 12];

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
    pub ways: Vec<Way>,
    /// How many there are: exact up to 2^53.
    pub count: f64,
    /// The total of those that are not listed: exactly 0 if there are none.
    pub rest: f64,
    /// Why it is 0, tiny, infinite or no number, or taken by convention.
    pub reason: Option<Line>,
    /// How much more the node was tried, and by how much the gradient says that the root changes, which it did.
    pub raised: Option<(f64, f64)>,
}

/// One path.
#[derive(Clone, Debug)]
pub struct Way {
    /// Its steps, from the root on.
    pub steps: Vec<Step>,
    /// How many steps are left out, and before which of `steps`.
    pub left_out: Option<(usize, usize)>,
    /// The product of its locals.
    pub product: f64,
}

/// One step of a path.
#[derive(Clone, Debug)]
pub struct Step {
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
pub fn explanation(session: &mut Session, root: &Rc<Node>, node: &Rc<Node>) -> Explanation {
    let mut explanation = Explanation {
        root: Rc::clone(root),
        node: Rc::clone(node),
        grad: 0.0,
        closed: None,
        ways: Vec::new(),
        count: 0.0,
        rest: 0.0,
        reason: None,
        raised: None,
    };
    let Some(web) = PathSubgraph::between(root, node) else {
        explanation.reason = Some(unconnected(session, root, node));
        explanation.closed = Some("0".to_string());
        return explanation;
    };
    stop::ask_now();
    let grads = gradients(&web.order, root, |_| {});
    explanation.grad = grads[web.end];
    explanation.count = web.count();
    let mut paths = Paths::largest(&web, MOST_PATHS);
    stop::ask_now();
    explanation.rest = paths.rest;
    explanation.reason = reason(session, &web, &grads, &paths.listed[0]);
    explanation.closed = closed(session, &web, &grads, paths.listed[0].product);
    if paths.listed.len() <= FEW_PATHS {
        paths.in_pass_order();
    }
    let most = MOST_STEPS[usize::from(!session.all_rows)];
    let ways = paths.listed.iter().map(|path| way(&web, path, most));
    explanation.ways = ways.collect();
    explanation.raised = raised(root, node, explanation.grad);
    stop::ask_now();
    explanation
}

impl Explanation {
    /// The total of all paths but the first so many listed ones.
    pub fn rest_after(&self, shown: usize) -> f64 {
        let listed = self.ways.iter().skip(shown).map(|way| way.product);
        paths::total(listed.chain([self.rest]))
    }
}

fn way(web: &PathSubgraph, path: &Path, most: usize) -> Way {
    let all = path.edges.len();
    let half = most / 2;
    let cut = if all > most + 1 {
        half..all - half
    } else {
        0..0
    };
    let mut steps = Vec::new();
    let mut so_far = 1.0;
    for (place, &at) in path.edges.iter().enumerate() {
        let edge = &web.edges[at as usize];
        so_far = web.along(so_far, edge);
        if !cut.contains(&place) {
            steps.push(Step {
                from: Rc::clone(web.node(edge.from as usize)),
                to: Rc::clone(web.node(edge.to as usize)),
                operand: edge.operand as usize,
                local: edge.local,
                so_far,
            });
        }
    }
    Way {
        steps,
        left_out: (!cut.is_empty()).then_some((cut.start, cut.len())),
        product: path.product,
    }
}

/// How far the change may be from what the gradient says, for "about" to be true.
const ABOUT: f64 = 0.05;
/// How many sizes of a change are tried, each a tenth of the one before.
const TRIES: usize = 4;

/// A change of the node that is small enough for the gradient to tell what the root does, by trying it out.
fn raised(root: &Rc<Node>, node: &Rc<Node>, grad: f64) -> Option<(f64, f64)> {
    let (at, here) = (node.data(), root.data());
    if !(grad.is_finite() && at.is_finite() && here.is_finite()) {
        return None;
    }
    let mut plan = Plan::of(root);
    let place = plan.order().position(node)?;
    // A hundredth; of small numbers a hundredth of their power of ten.
    let power = if at == 0.0 {
        0
    } else {
        at.abs().log10().floor().clamp(-300.0, 0.0) as i32
    };
    // Parsed, not computed: 10^-2 times something is 0.010000000000000002.
    let sizes =
        (0..TRIES as i32).filter_map(|times| format!("1e{}", power - 2 - times).parse().ok());
    sizes.into_iter().find_map(|more: f64| {
        plan.set(place, at + more);
        plan.forward_but(place);
        let (moved, said) = (plan.root_data() - here, more * grad);
        ((moved - said).abs() <= ABOUT * said.abs()).then_some((more, said))
    })
}

//! Explains the gradient of a root with respect to a node, for `:explain`: as a sum over the paths between the two,
//! with the largest paths listed, by a closed form, and by the reason if it is 0, NaN or infinite.
//!
//! The gradient is that of a backward pass, and the paths come from the graph. The session's pass, walk and data do not
//! change. The closed form is one expression, `b*f`, that the user can type and that evaluates to the gradient: the
//! derivative from a textbook, `1 - o^2`, if that gives the same number at the present data, or else the computed
//! derivative. Names stay names. The nodes that are built for the closed form are dropped again.
//!
//! The reason for a gradient that is 0, NaN or infinite, or that depends on a convention, is the first node of the pass at
//! which the gradient becomes special. The words on an operation come from its row in the table: its domain, kinks, flat
//! stretches and the text of its derivative.

use std::rc::Rc;

use chainrule_engine::graph::structure::Edge;
use chainrule_engine::graph::structure::paths::{self, Path};
use chainrule_engine::graph::{Node, Order, PathSubgraph, Paths, gradients, values};
use chainrule_engine::ops::{Flat, OPERAND_NAMES};
use chainrule_formulas::{derivative_formulas, local_formula};
use chainrule_language as language;
use chainrule_program::Environment as _;
use chainrule_program::fault_line;
use chainrule_report::{Line, list_with_and, say};
use chainrule_session::Session;
use chainrule_session::naming::labels::fraction;
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
/// The most contributions that a sentence lists.
const MOST_AMOUNTS: usize = 4;

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
    // There is a path, and the largest one is always listed.
    let largest = &paths.listed[0];
    let reason = reason(session, &subgraph, &grads, largest);
    let closed = closed_form(session, &subgraph, &grads, largest.product);
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
    let formulas = derivative_formulas(session, root, std::slice::from_ref(node), true);
    let textbook = formulas.map(|it| language::infix(&it[0]));
    let found = textbook.filter(|text| measure(session, text).is_some_and(is_grad));
    found.or_else(|| session.look(|session| computed_form(session, root, node, is_grad)))
}

/// Returns the text of the derivative as it is computed, if it is short and evaluates to the gradient.
fn computed_form(
    session: &mut Session,
    root: &Rc<Node>,
    node: &Rc<Node>,
    is_grad: impl Fn(f64) -> bool,
) -> Option<String> {
    let computed = &session
        .program_mut()
        .derivatives(root, std::slice::from_ref(node))
        .ok()?[0];
    let text = session.label(computed);
    let is_right = is_grad(computed.data()) && is_grad(measure(session, &text)?);
    is_right.then_some(text)
}

/// Returns the number to which a formula evaluates, if the formula is short. It may not be the gradient if the formula
/// calls a function that calls another function, which has changed since.
fn measure(session: &mut Session, formula: &str) -> Option<f64> {
    if formula.contains('…') || formula.chars().count() > LONGEST {
        return None;
    }
    let expression = language::as_expression(formula)?;
    let (value, _) = session.measure(formula, &expression).ok()?;
    Some(value)
}

/// Returns the sentence that a root does not depend on a node, and whether the node depends on the root.
fn independence_line(session: &Session, root: &Rc<Node>, node: &Rc<Node>) -> Line {
    let (top, label) = (&session.label(root), &session.label(node));
    let line = say!("{:name} does not depend on {:name}", top, label);
    if Order::below([node]).slot(root).is_none() {
        return line;
    }
    let converse = say!("it is {:name} that depends on {:name}", label, top);
    say!("{}; {}", line, converse)
}

/// Returns the reason for the gradient at the end of a subgraph of paths, if it is special.
fn reason(
    session: &Session,
    subgraph: &PathSubgraph,
    grads: &[f64],
    largest: &Path,
) -> Option<Line> {
    if subgraph.end == subgraph.root {
        let label = session.label(subgraph.node(subgraph.end));
        return Some(say!(
            "a node follows itself: {:formula} is 1 by definition",
            fraction(&label, &label)
        ));
    }
    let grad = grads[subgraph.end];
    if grad == 0.0 {
        // The cause is the first edge from a node with a gradient to a node whose gradient is 0.
        let has_grad = |slot: u32| grads[slot as usize] != 0.0;
        let is_lost = |edge: &&Edge| has_grad(edge.from) && !has_grad(edge.to);
        let edge = subgraph.edges.iter().find(is_lost)?;
        Some(cause(session, subgraph, grads, edge))
    } else if grad.is_finite() {
        convention(session, subgraph, grads).or_else(|| saturation(session, subgraph, largest))
    } else {
        why_not_finite(session, subgraph, grads)
    }
}

/// Returns why a gradient is not finite: the cause is an edge to the first node of the pass whose gradient is not finite.
fn why_not_finite(session: &Session, subgraph: &PathSubgraph, grads: &[f64]) -> Option<Line> {
    let is_on_path = |slot: &usize| *slot == subgraph.end || !subgraph.edges_from(*slot).is_empty();
    let mut slots = (0..=subgraph.end).filter(is_on_path);
    let first = slots.find(|&slot| !grads[slot].is_finite())?;
    let edges = subgraph.edges.iter();
    let mut edges_to_first = edges.filter(|edge| edge.to as usize == first);
    let amount = |edge: &Edge| subgraph.multiply_along(grads[edge.from as usize], edge);
    let is_cause = |edge: &&Edge| !amount(edge).is_finite();
    // If each contribution is finite, their sum has overflowed.
    let special_edge = edges_to_first.clone().find(is_cause);
    let edge = special_edge.or_else(|| edges_to_first.next())?;
    Some(cause(session, subgraph, grads, edge))
}

/// Returns the sentence on the cause at an edge of a gradient that is 0 or not finite: the local derivative, its product
/// with the upstream gradient, or the sum of all contributions.
fn cause(session: &Session, subgraph: &PathSubgraph, grads: &[f64], edge: &Edge) -> Line {
    let is_ordinary = |number: f64| number != 0.0 && number.is_finite();
    let upstream = grads[edge.from as usize];
    let amount = subgraph.multiply_along(upstream, edge);
    let node = subgraph.node(edge.from as usize);
    // A node that is NaN makes all contributions NaN.
    if !is_ordinary(edge.local) || node.data().is_nan() {
        return local_cause(session, node, edge);
    }
    if !is_ordinary(amount) {
        let product = say!("{:short} * {:short}", upstream, edge.local);
        return say!("{} is {} in a 64-bit number", product, amount);
    }
    let edges = subgraph.edges.iter().filter(|other| other.to == edge.to);
    let contributions = edges.map(|it| subgraph.multiply_along(grads[it.from as usize], it));
    let amounts: Vec<f64> = contributions.filter(|it| *it != 0.0).collect();
    let terms = amounts.iter().map(|&it| say!("{:short}", it));
    say!(
        "the contributions {} add up to {} at {:name}",
        list_with_and(terms, MOST_AMOUNTS),
        grads[edge.to as usize],
        session.label(subgraph.node(edge.to as usize))
    )
}

/// Returns why a local derivative is 0 or not finite.
fn local_cause(session: &Session, node: &Rc<Node>, edge: &Edge) -> Line {
    if let Some(line) = flat(session, node, edge).or_else(|| convention_at(session, node)) {
        return line;
    }
    if !node.data().is_finite() {
        return fault(session, node);
    }
    let formula = local_formula(session, node, edge.position as usize);
    let learned = node.op().map(|op| op.learned_text(edge.position as usize));
    if learned == Some("0") {
        return slope(session, node, edge, "moves in steps");
    }
    let operand = &node.operands()[edge.position as usize];
    let name = fraction(&session.label(node), &session.label(operand));
    let local = edge.local;
    if formula.parse::<f64>().is_ok() {
        return say!("{:formula} is {:short}", name, local);
    }
    say!("{:formula} = {:formula} is {:short}", name, formula, local)
}

/// Returns the sentence on the lowest node that made this node not finite, and why.
fn fault(session: &Session, node: &Rc<Node>) -> Line {
    let mut lowest = node;
    let is_not_finite = |below: &&Rc<Node>| !below.data().is_finite();
    while let Some(below) = lowest.operands().iter().find(is_not_finite) {
        lowest = below;
    }
    fault_line(session, lowest)
}

/// Returns the sentence on the first kink that a gradient passes through.
fn convention(session: &Session, subgraph: &PathSubgraph, grads: &[f64]) -> Option<Line> {
    let is_passed = |slot: &usize| !subgraph.edges_from(*slot).is_empty() && grads[*slot] != 0.0;
    let mut passed = (0..subgraph.end).filter(is_passed);
    passed.find_map(|slot| convention_at(session, subgraph.node(slot)))
}

/// Returns the sentence that the smallest factor on the largest path is on a flat stretch.
fn saturation(session: &Session, subgraph: &PathSubgraph, largest: &Path) -> Option<Line> {
    let indices = largest.edges.iter();
    let edges = indices.map(|&index| &subgraph.edges[index as usize]);
    let edge = edges.min_by(|one, other| one.local.abs().total_cmp(&other.local.abs()))?;
    flat(session, subgraph.node(edge.from as usize), edge)
}

/// Returns the sentence on a flat stretch: `tanh(n) is saturated: its slope is 0.000181583`.
fn flat(session: &Session, node: &Rc<Node>, edge: &Edge) -> Option<Line> {
    let values = values(node.operands());
    let holds = |flat: &&Flat| (flat.holds)(&values, edge.position as usize, node.data());
    let flat = node.op()?.flats.iter().find(holds)?;
    Some(slope(session, node, edge, flat.phrase))
}

/// Returns the sentence on a small slope; `phrase` says what the operation does: `is saturated`.
fn slope(session: &Session, node: &Rc<Node>, edge: &Edge, phrase: &str) -> Line {
    let by = match node.operands() {
        [_] => Line::new(),
        several => {
            let label = session.label(&several[edge.position as usize]);
            say!("by {:name} ", label)
        }
    };
    say!(
        "{:formula} {}: its slope {}is {:short}",
        session.expression(node),
        phrase,
        by,
        edge.local
    )
}

/// Returns the sentence on a kink at a node: `at relu(x), x = 0: the derivative is taken as 0`.
pub fn convention_at(session: &Session, node: &Rc<Node>) -> Option<Line> {
    let (op, values) = (node.op()?, values(node.operands()));
    let kink = op.kinks.iter().find(|kink| (kink.holds)(&values))?;
    let expression = session.expression(node);
    let [at, convention] = [kink.at, kink.convention].map(|it| in_labels(session, it, node));
    Some(say!("at {:formula}, {}: {}", expression, at, convention))
}

/// Returns the words of a row with labels in place of `x`, `y` and `z`, which may mean something else in the session.
fn in_labels(session: &Session, words: &str, node: &Node) -> String {
    let operand = |word: &str| {
        let index = OPERAND_NAMES.iter().position(|name| *name == word)?;
        let operand = node.operands().get(index)?;
        Some(session.label(operand))
    };
    let labelled = words.split(' ').map(|word| {
        let name = word.trim_end_matches(',');
        operand(name).map_or_else(|| word.to_string(), |label| label + &word[name.len()..])
    });
    labelled.collect::<Vec<_>>().join(" ")
}

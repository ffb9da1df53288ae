//! Why a gradient is 0, NaN, infinite or tiny, or what convention it rests on: the cause is where the pass met it
//! first.
//!
//! What it says about an operation comes from the row of the operation: its domain, kinks, flat stretches and the text
//! of its derivative.

use std::rc::Rc;

use rustc_hash::FxHashSet;

use crate::graph::structure::Edge;
use crate::graph::structure::paths::Path;
use crate::graph::{Node, Order, PathSubgraph, values};
use crate::ops::Flat;
use crate::report::{Line, join, list, say};
use crate::session::Session;
use crate::session::naming::formulas::fraction;
use crate::syntax;

/// How many causes are named.
const MOST_CAUSES: usize = 3;
/// How many contributions that cancel are named.
const MOST_AMOUNTS: usize = 4;
/// A gradient below this, and a factor that is to blame for it.
const TINY: (f64, f64) = (1e-6, 1e-3);

/// That a root does not depend on a node, and whether it is the other way round.
pub(crate) fn unconnected(session: &Session, root: &Rc<Node>, node: &Rc<Node>) -> Line {
    let (top, label) = (&session.label(root), &session.label(node));
    let line = say!("{:name} does not depend on {:name}", top, label);
    if Order::below([node]).position(root).is_none() {
        return line;
    }
    say!(
        "{}; it is {:name} that depends on {:name}",
        line,
        label,
        top
    )
}

/// Why the gradient at the end of a path subgraph is what it is, if there is something to tell.
pub(crate) fn reason(
    session: &Session,
    web: &PathSubgraph,
    grads: &[f64],
    largest: &Path,
) -> Option<Line> {
    let grad = grads[web.end];
    if web.end == web.root {
        let label = session.label(web.node(web.end));
        return Some(say!(
            "a node follows itself: {:formula} is 1 by definition",
            fraction(&label, &label)
        ));
    }
    if grad == 0.0 {
        Some(why_zero(session, web, grads))
    } else if grad.is_finite() {
        convention(session, web, grads).or_else(|| why_tiny(session, web, grad, largest))
    } else {
        why_not_finite(session, web, grads)
    }
}

/// The edges that lead from a node with a gradient to one without are where it was lost.
fn why_zero(session: &Session, web: &PathSubgraph, grads: &[f64]) -> Line {
    let mut causes: Vec<Line> = Vec::new();
    let mut known: FxHashSet<String> = FxHashSet::default();
    let mut cancelled: FxHashSet<u32> = FxHashSet::default();
    for edge in &web.edges {
        let (upstream, below) = (grads[edge.from as usize], grads[edge.to as usize]);
        if upstream == 0.0 || below != 0.0 {
            continue;
        }
        let cause = if edge.local == 0.0 {
            blocked(session, web.node(edge.from as usize), edge)
        } else if web.along(upstream, edge) == 0.0 {
            say!(
                "{:short} * {:short} is too small for a 64-bit number",
                upstream,
                edge.local
            )
        } else if cancelled.insert(edge.to) {
            cancel(session, web, grads, edge.to)
        } else {
            continue;
        };
        if known.insert(format!("{cause:?}")) {
            causes.push(cause);
        }
    }
    let left_out = causes.len().saturating_sub(MOST_CAUSES);
    let more = (left_out > 0).then(|| say!("and {} more", left_out));
    join(causes.into_iter().take(MOST_CAUSES).chain(more), "; ")
}

/// A local that is exactly 0.
fn blocked(session: &Session, node: &Rc<Node>, edge: &Edge) -> Line {
    let position = edge.operand as usize;
    if let Some(line) = flat(session, node, edge).or_else(|| kink(session, node)) {
        return line;
    }
    let text = node.op().map_or("", |op| op.shown(position));
    let mut others = node.operands().iter().enumerate();
    // Operations of many operands have other texts.
    let zero = is_operand(text)
        .then(|| others.find(|(at, other)| *at != position && other.data() == 0.0))
        .flatten()
        .map(|(_, other)| session.label(other));
    let formula = match zero {
        _ if text == "0" => return slope(session, node, edge, "moves in steps"),
        Some(zero) => zero,
        None => return say!("{} is 0", local_line(session, node, edge)),
    };
    if formula.parse() == Ok(0.0) {
        // The literal 0 needs no "= 0".
        say!("{:formula} multiplies everything above", formula)
    } else {
        say!("{:formula} = 0 multiplies everything above", formula)
    }
}

/// `3 and -3 cancel at x`
fn cancel(session: &Session, web: &PathSubgraph, grads: &[f64], at: u32) -> Line {
    let edges = web.edges.iter().filter(|edge| edge.to == at);
    let amounts: Vec<f64> = edges
        .map(|edge| web.along(grads[edge.from as usize], edge))
        .filter(|amount| *amount != 0.0)
        .collect();
    let said = amounts.iter().map(|&amount| say!("{:short}", amount));
    say!(
        "the contributions {} cancel at {:name}",
        list(said, MOST_AMOUNTS),
        session.label(web.node(at as usize))
    )
}

/// Why the first node in pass order whose gradient is not finite got no finite number.
fn why_not_finite(session: &Session, web: &PathSubgraph, grads: &[f64]) -> Option<Line> {
    let on_a_path = |place: &usize| *place == web.end || !web.leaving(*place).is_empty();
    let mut places = (0..=web.end).filter(on_a_path);
    let first = places.find(|&place| !grads[place].is_finite())?;
    let grad = grads[first];
    let comes = web.edges.iter().filter(|edge| edge.to as usize == first);
    let strange = |edge: &&Edge| {
        let amount = web.along(grads[edge.from as usize], edge);
        amount.is_nan() || grad.is_infinite() && amount.is_infinite()
    };
    let Some(edge) = comes.clone().find(strange) else {
        let label = session.label(web.node(first));
        let amounts: Vec<f64> = comes
            .map(|edge| web.along(grads[edge.from as usize], edge))
            .collect();
        let opposite = amounts.contains(&f64::INFINITY) && amounts.contains(&-f64::INFINITY);
        return Some(if opposite {
            say!("inf and -inf have no numeric sum at {:name}", label)
        } else {
            say!("the sum is beyond the largest number at {:name}", label)
        });
    };
    let node = web.node(edge.from as usize);
    if node.data().is_nan() {
        return Some(fault(session, node, f64::is_nan));
    }
    if edge.local.is_finite() {
        let upstream = grads[edge.from as usize];
        return Some(say!(
            "{:short} * {:short} is beyond the largest number",
            upstream,
            edge.local
        ));
    }
    if let Some(line) = kink(session, node) {
        return Some(line);
    }
    if node.data().is_infinite() {
        return Some(fault(session, node, f64::is_infinite));
    }
    let local = local_line(session, node, edge);
    Some(say!("{} is {:short}", local, edge.local))
}

/// The lowest node that is NaN (or infinite) already, and why.
fn fault(session: &Session, node: &Rc<Node>, strange: fn(f64) -> bool) -> Line {
    let mut at = node;
    while let Some(below) = at.operands().iter().find(|below| strange(below.data())) {
        at = below;
    }
    if at.op().is_some() {
        return session.fault_line(at);
    }
    say!("{:name} is {}", session.label(at), at.data())
}

/// A kink through which a gradient passes.
fn convention(session: &Session, web: &PathSubgraph, grads: &[f64]) -> Option<Line> {
    let passed = |place: &usize| !web.leaving(*place).is_empty() && grads[*place] != 0.0;
    (0..web.end)
        .filter(passed)
        .find_map(|place| kink(session, web.node(place)))
}

/// The smallest factor on the largest path, if it is on a flat stretch or the gradient is tiny because of it.
fn why_tiny(session: &Session, web: &PathSubgraph, grad: f64, largest: &Path) -> Option<Line> {
    let edges = largest.edges.iter().map(|&at| &web.edges[at as usize]);
    let edge = edges.min_by(|one, other| one.local.abs().total_cmp(&other.local.abs()))?;
    let node = web.node(edge.from as usize);
    if let Some(line) = flat(session, node, edge) {
        return Some(line);
    }
    if grad.abs() >= TINY.0 || edge.local.abs() >= TINY.1 {
        return None;
    }
    let local = local_line(session, node, edge);
    Some(say!(
        "the smallest factor is {} = {:short}",
        local,
        edge.local
    ))
}

/// `tanh(n) is saturated: its slope is 0.000181583`
fn flat(session: &Session, node: &Rc<Node>, edge: &Edge) -> Option<Line> {
    let values = values(node.operands());
    let holds = |flat: &&Flat| (flat.holds)(&values, edge.operand as usize, node.data());
    let flat = node.op()?.flats.iter().find(holds)?;
    Some(slope(session, node, edge, flat.said))
}

fn slope(session: &Session, node: &Rc<Node>, edge: &Edge, said: &str) -> Line {
    let by = match node.operands() {
        [_] => Line::new(),
        several => say!(
            "by {:name} ",
            session.label(&several[edge.operand as usize])
        ),
    };
    say!(
        "{:formula} {}: its slope {}is {:short}",
        session.expression(node),
        said,
        by,
        edge.local
    )
}

/// `at relu(x), x = 0: the derivative is taken as 0`
pub(in crate::study) fn kink(session: &Session, node: &Rc<Node>) -> Option<Line> {
    let (op, values) = (node.op()?, values(node.operands()));
    let kink = op.kinks.iter().find(|kink| (kink.holds)(&values))?;
    Some(say!(
        "at {:formula}, {}: {}",
        session.expression(node),
        in_labels(session, kink.at, node),
        in_labels(session, kink.convention, node)
    ))
}

/// The words of a row with labels in place of `x`, `y` and `z`, which may mean something else in the session.
fn in_labels(session: &Session, words: &str, node: &Node) -> String {
    let operand = |word: &str| {
        let place = ["x", "y", "z"].iter().position(|name| *name == word)?;
        node.operands()
            .get(place)
            .map(|operand| session.label(operand))
    };
    let labelled = words.split(' ').map(|word| {
        let bare = word.trim_end_matches(',');
        operand(bare).map_or_else(|| word.to_string(), |label| label + &word[bare.len()..])
    });
    labelled.collect::<Vec<_>>().join(" ")
}

/// `d(x^2)/dx = 2*x`; only the name of the derivative if it is a number.
fn local_line(session: &Session, node: &Rc<Node>, edge: &Edge) -> Line {
    let formula = session.local_formula(node, edge.operand as usize);
    let operand = &node.operands()[edge.operand as usize];
    let name = fraction(&session.label(node), &session.label(operand));
    if formula.parse::<f64>().is_ok() {
        return say!("{:formula}", name);
    }
    say!("{:formula} = {:formula}", name, formula)
}

/// Is the text of a derivative just one of the operands?
fn is_operand(text: &str) -> bool {
    syntax::is_name(text) && text != "out"
}

//! Why a gradient is 0, NaN, infinite or tiny, or what convention it rests on: found where the pass met it first.
//!
//! What is said of an operation is what its row says: its domain, its kinks, its flat stretches, its derivative's text.

use std::rc::Rc;

use crate::graph::structure::Edge;
use crate::graph::structure::paths::Path;
use crate::graph::{Node, Order, PathSubgraph};
use crate::ops::Flat;
use crate::report::{Line, Piece, say};
use crate::session::Session;
use crate::session::naming::formulas::fraction;
use crate::syntax;

/// How many causes are told.
const MOST_CAUSES: usize = 3;
/// How many contributions that cancel are told.
const MOST_AMOUNTS: usize = 4;
/// A gradient below this, and a factor that is to blame for it.
const TINY: (f64, f64) = (1e-6, 1e-3);

/// What a root that does not depend on a node has to say about it.
pub(crate) fn unconnected(session: &Session, root: &Rc<Node>, node: &Rc<Node>) -> Line {
    let (top, label) = (session.label(root), session.label(node));
    let mut line = say!("{:name} does not depend on {:name}", &top, &label);
    if Order::below([node]).position(root).is_some() {
        line.extend(say!(
            "; it is {:name} that depends on {:name}",
            &label,
            &top
        ));
    }
    line
}

/// Why the gradient at the end of a web is what it is, if there is something to tell.
pub(crate) fn reason(
    session: &Session,
    web: &PathSubgraph,
    grads: &[f64],
    largest: &Path,
) -> Option<Line> {
    let grad = grads[web.end()];
    if web.end() == web.root() {
        let label = session.label(web.node(web.end()));
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

/// Where nodes that something reaches pass on to nodes that nothing reaches.
fn why_zero(session: &Session, web: &PathSubgraph, grads: &[f64]) -> Line {
    let mut causes: Vec<Line> = Vec::new();
    let mut cancelled: Vec<u32> = Vec::new();
    for edge in web.edges() {
        let (upstream, below) = (grads[edge.from as usize], grads[edge.to as usize]);
        if upstream == 0.0 || below != 0.0 {
            continue;
        }
        let cause = if edge.local == 0.0 {
            blocked(session, web, edge)
        } else if web.along(upstream, edge) == 0.0 {
            say!(
                "{:short} * {:short} is too small for a 64-bit number",
                upstream,
                edge.local
            )
        } else if cancelled.contains(&edge.to) {
            continue;
        } else {
            cancelled.push(edge.to);
            cancel(session, web, grads, edge.to)
        };
        if !causes.contains(&cause) {
            causes.push(cause);
        }
    }
    let left_out = causes.len().saturating_sub(MOST_CAUSES);
    let mut line = Line::new();
    for (place, cause) in causes.into_iter().take(MOST_CAUSES).enumerate() {
        if place > 0 {
            line.push(Piece::plain("; "));
        }
        line.extend(cause);
    }
    if left_out > 0 {
        line.push(Piece::plain(format!("; and {left_out} more")));
    }
    line
}

/// A local that is exactly 0.
fn blocked(session: &Session, web: &PathSubgraph, edge: &Edge) -> Line {
    let node = web.node(edge.from as usize);
    if let Some(line) = flat(session, node, edge).or_else(|| kink(session, node)) {
        return line;
    }
    let text = node.op().map_or("", |op| op.shown(edge.operand as usize));
    let formula = session.local_formula(node, edge.operand as usize);
    if text == "0" {
        return slope(session, node, edge, "moves in steps");
    }
    if is_operand(text) {
        // The literal 0 needs no "= 0".
        let factor = if formula.parse() == Ok(0.0) {
            say!("{:formula}", formula)
        } else {
            say!("{:formula} = 0", formula)
        };
        let said = Piece::plain(" multiplies everything above");
        return factor.into_iter().chain([said]).collect();
    }
    let mut line = local_line(session, node, edge, &formula);
    line.push(Piece::plain(" is 0"));
    line
}

/// `3 and -3 cancel at x`
fn cancel(session: &Session, web: &PathSubgraph, grads: &[f64], at: u32) -> Line {
    let edges = web.edges().iter().filter(|edge| edge.to == at);
    let amounts: Vec<f64> = edges
        .map(|edge| web.along(grads[edge.from as usize], edge))
        .filter(|amount| *amount != 0.0)
        .collect();
    let mut line = say!("the contributions ");
    for (place, amount) in amounts.iter().take(MOST_AMOUNTS).enumerate() {
        let last = place + 1 == amounts.len();
        line.extend((place > 0).then(|| Piece::plain(if last { " and " } else { ", " })));
        line.push(Piece::Short(*amount));
    }
    if amounts.len() > MOST_AMOUNTS {
        let more = amounts.len() - MOST_AMOUNTS;
        line.push(Piece::plain(format!(" and {more} more")));
    }
    line.extend(say!(
        " cancel at {:name}",
        session.label(web.node(at as usize))
    ));
    line
}

/// The first node, users first, whose grad is no finite number, and what came to it.
fn why_not_finite(session: &Session, web: &PathSubgraph, grads: &[f64]) -> Option<Line> {
    let on_a_path = |place: &usize| *place == web.end() || !web.leaving(*place).is_empty();
    let mut places = (0..=web.end()).filter(on_a_path);
    let first = places.find(|&place| !grads[place].is_finite())?;
    let grad = grads[first];
    let comes = web.edges().iter().filter(|edge| edge.to as usize == first);
    let strange = |edge: &&Edge| {
        let amount = web.along(grads[edge.from as usize], edge);
        amount.is_nan() || grad.is_infinite() && amount.is_infinite()
    };
    let Some(edge) = comes.clone().find(strange) else {
        let infinite = Piece::plain(" have no sum that is a number at ");
        let label = Piece::name(session.label(web.node(first)));
        let amounts: Vec<f64> = comes
            .map(|edge| web.along(grads[edge.from as usize], edge))
            .collect();
        let opposite = amounts.contains(&f64::INFINITY) && amounts.contains(&-f64::INFINITY);
        return Some(if opposite {
            vec![Piece::plain("inf and -inf"), infinite, label]
        } else {
            vec![
                Piece::plain("the sum is beyond the largest number at "),
                label,
            ]
        });
    };
    let node = web.node(edge.from as usize);
    if node.data().is_nan() {
        return Some(fault(session, node, f64::is_nan));
    }
    if edge.local.is_finite() {
        return Some(say!(
            "{:short} * {:short} is beyond the largest number",
            grads[edge.from as usize],
            edge.local
        ));
    }
    if let Some(line) = kink(session, node) {
        return Some(line);
    }
    if node.data().is_infinite() {
        return Some(fault(session, node, f64::is_infinite));
    }
    let formula = session.local_formula(node, edge.operand as usize);
    let mut line = local_line(session, node, edge, &formula);
    line.extend(say!(" is {:short}", edge.local));
    Some(line)
}

/// The lowest node that is no number (or infinite) already, and why.
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

/// A kink on the way that something passes through.
fn convention(session: &Session, web: &PathSubgraph, grads: &[f64]) -> Option<Line> {
    let passed = |place: &usize| !web.leaving(*place).is_empty() && grads[*place] != 0.0;
    (0..web.end())
        .filter(passed)
        .find_map(|place| kink(session, web.node(place)))
}

/// The smallest slope of a flat stretch on the largest path; else its smallest factor.
fn why_tiny(session: &Session, web: &PathSubgraph, grad: f64, largest: &Path) -> Option<Line> {
    let edges = largest.edges.iter().map(|&at| &web.edges()[at as usize]);
    let smallest = |edges: &mut dyn Iterator<Item = &Edge>| {
        let by_size = |one: &&Edge, other: &&Edge| {
            let (one, other) = (one.local.abs(), other.local.abs());
            one.total_cmp(&other)
        };
        edges.min_by(by_size).copied()
    };
    let is_flat = |edge: &&Edge| {
        let node = web.node(edge.from as usize);
        flat(session, node, edge).is_some()
    };
    if let Some(edge) = smallest(&mut edges.clone().filter(is_flat)) {
        return flat(session, web.node(edge.from as usize), &edge);
    }
    let edge = smallest(&mut edges.clone())?;
    if grad.abs() >= TINY.0 || edge.local.abs() >= TINY.1 {
        return None;
    }
    let node = web.node(edge.from as usize);
    let formula = session.local_formula(node, edge.operand as usize);
    let mut line = say!("the smallest factor is ");
    line.extend(local_line(session, node, &edge, &formula));
    line.extend(say!(" = {:short}", edge.local));
    Some(line)
}

/// `tanh(n) is saturated: its slope is 0.000181583`
fn flat(session: &Session, node: &Rc<Node>, edge: &Edge) -> Option<Line> {
    let (op, values) = (node.op()?, values(node));
    let holds = |flat: &&Flat| (flat.holds)(&values, edge.operand as usize);
    let flat = op.flats.iter().find(holds)?;
    Some(slope(session, node, edge, flat.said))
}

fn slope(session: &Session, node: &Rc<Node>, edge: &Edge, said: &str) -> Line {
    let mut line = say!("{:formula} {}: its slope ", session.expression(node), said);
    if let [_, _, ..] = node.operands() {
        line.extend(say!(
            "by {:name} ",
            session.label(&node.operands()[edge.operand as usize])
        ));
    }
    line.extend(say!("is {:short}", edge.local));
    line
}

/// `at relu(x), x = 0: the derivative is taken as 0`
fn kink(session: &Session, node: &Rc<Node>) -> Option<Line> {
    let (op, values) = (node.op()?, values(node));
    let kink = op.kinks.iter().find(|kink| (kink.holds)(&values))?;
    Some(say!(
        "at {:formula}, {}: {}",
        session.expression(node),
        in_labels(session, kink.at, node),
        in_labels(session, kink.convention, node)
    ))
}

/// The words of a row with labels for its `x`, `y` and `z`: the user may have an x of another kind.
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

/// `d(x^2)/dx = 2*x`; of a number the name of the derivative alone.
fn local_line(session: &Session, node: &Rc<Node>, edge: &Edge, formula: &str) -> Line {
    let operand = &node.operands()[edge.operand as usize];
    let mut line = say!(
        "{:formula}",
        fraction(&session.label(node), &session.label(operand),)
    );
    if formula.parse::<f64>().is_err() {
        line.extend(say!(" = {:formula}", formula));
    }
    line
}

fn values(node: &Node) -> Vec<f64> {
    let operands = node.operands().iter();
    operands.map(|operand| operand.data()).collect()
}

/// Is the text of a derivative one of the operands, and nothing more?
fn is_operand(text: &str) -> bool {
    syntax::is_name(text) && text != "out"
}

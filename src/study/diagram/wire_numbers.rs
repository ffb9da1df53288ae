//! Puts numbers on the wires of a diagram: local derivatives, or the contributions of an open backward walk.
//!
//! A wire from a constant has no number, and a wire that the walk has not reached has none.

use std::cell::LazyCell;
use std::mem::take;
use std::rc::Rc;

use crate::session::Session;
use crate::session::by_hand::walk::{Direction, Walk};
use crate::session::naming::labels::partial;
use chainrule_engine::graph::{FullGraph, Node};
use chainrule_engine::ops::chain;
use chainrule_language as language;
use chainrule_report::{Diagram, Line, OnWire, Stage, dim, join, say};
use chainrule_stop as stop;

/// Puts numbers on the wires of a diagram whose vertices are the nodes of this graph, and explains the numbers in the
/// caption. If lists are boxes, the caption adds that the wires of lists have no numbers.
pub(crate) fn put_on_wires(
    session: &Session,
    walk: Option<&Walk>,
    whole: &FullGraph,
    has_lists: bool,
    diagram: &mut Diagram,
) {
    for (vertex, node) in stop::with_checks(diagram.vertices.iter_mut().zip(&whole.nodes)) {
        vertex.on_wires = on_wires(session, walk, node);
    }
    let mut numbers = diagram.vertices.iter().flat_map(|vertex| &vertex.on_wires);
    if numbers.all(Option::is_none) {
        return;
    }
    let meaning = match walk.map(|walk| walk.direction) {
        Some(Direction::Backward) => say!("on the wires: contributions, local times upstream"),
        _ => say!("on the wires: local derivatives"),
    };
    let lists = say!("wires of lists have no numbers: `wrt` and a list draw its items");
    let about_lists = if has_lists { dim(lists) } else { Line::new() };
    let captions = [dim(meaning), about_lists, take(&mut diagram.caption)].into_iter();
    diagram.caption = join(captions.filter(|line| !line.is_empty()), "; ");
}

/// Returns the numbers on the wires from a node's operands; nothing for a node that the walk has not reached.
fn on_wires(session: &Session, walk: Option<&Walk>, node: &Rc<Node>) -> Vec<Option<OnWire>> {
    if !node.varies() {
        return Vec::new();
    }
    match walk {
        Some(walk) if walk.stage(node).is_none_or(|stage| stage == Stage::Coming) => Vec::new(),
        Some(walk) if walk.direction == Direction::Backward => contributions(session, walk, node),
        _ => locals(session, node),
    }
}

/// Returns the local derivatives of a node, with `None` for those by constants.
pub(super) fn locals(session: &Session, node: &Rc<Node>) -> Vec<Option<OnWire>> {
    let label = session.label(node);
    let formulas = session.local_formulas(node);
    let mut locals = Vec::with_capacity(node.operands().len());
    let operands = node.operands().iter().zip(node.locals());
    for (position, (operand, number)) in operands.enumerate() {
        if !operand.varies() {
            locals.push(None);
            continue;
        }
        let mut formula = formulas(position);
        // A formula that is only the number would be shown twice.
        if formula.parse() == Ok(number) {
            formula.clear();
        }
        locals.push(Some(OnWire {
            number,
            name: partial(&label, &session.label(operand)),
            formula,
        }));
    }
    locals
}

/// Returns the contributions of a node to its operands.
fn contributions(session: &Session, walk: &Walk, node: &Rc<Node>) -> Vec<Option<OnWire>> {
    let [label, root] = [node, &walk.root].map(|node| session.label(node));
    let upstream = partial(&root, &label);
    let grad = walk.grad(node).unwrap_or(0.0);
    let literal = |number| language::literal(number, false);
    let mut on_wires = vec![None; node.operands().len()];
    // Computed at most once: a sum may have a million operands.
    let has_nan = LazyCell::new(|| node.operands().iter().any(|below| below.data().is_nan()));
    let contribution = |operand: &Rc<Node>, slope: f64| OnWire {
        number: chain(grad, slope, node.data(), || *has_nan),
        name: format!("{} × {upstream}", partial(&label, &session.label(operand))),
        formula: format!("{} × {}", literal(slope), literal(grad)),
    };
    node.each_local(|position, operand, slope| {
        on_wires[position] = Some(contribution(operand, slope));
    });
    on_wires
}

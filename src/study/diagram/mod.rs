//! Prepares a graph for drawing: labels, numbers at nodes and on wires, and the state of a walk.
//!
//! The nodes come from the graph, labels from the names, and grads from the last pass or the walk. Nothing changes.

mod boxes;
mod network_roles;
mod network_view;

pub use self::boxes::list_boxes;
pub use self::network_view::diagram_of_network;

use std::cell::LazyCell;
use std::mem::take;
use std::rc::Rc;

use chainrule_engine::graph::{FullGraph, Node, Pass, first_not_finite};
use chainrule_engine::ops::{Op, chain};
use chainrule_formulas::local_formulas;
use chainrule_language as language;
use chainrule_report::{Diagram, Line, OnWire, Stage, Vertex, dim, join, say};
use chainrule_session::by_hand::walk::{Direction, Walk};
use chainrule_session::naming::labels::long_lists::Fold;
use chainrule_session::naming::labels::partial;
use chainrule_session::{Session, captions, kind_of};
use chainrule_stop as stop;

/// The most boxes of a picture. A box is a node or a long list.
pub const MOST_DRAWN: usize = 2_000;
/// The most wires of a picture.
pub const MOST_WIRES: usize = 50_000;

/// Returns the diagram of everything at and below a root, in which these long lists are one box each. The wires can show
/// numbers: local derivatives, or the contributions in a walk.
pub fn diagram_of_lists(
    session: &Session,
    whole: &FullGraph,
    lists: &[Fold],
    shows_locals: bool,
) -> Diagram {
    let mut diagram = diagram(session, whole, walk_of(session, whole));
    if shows_locals {
        let walk = walk_of(session, whole);
        put_on_wires(session, whole, walk, !lists.is_empty(), &mut diagram);
    }
    boxes::merge_lists(diagram, whole, lists)
}

/// Returns the diagram of the graph of an open walk, in which these long lists are one box each. In a backward walk all
/// wires have their local derivatives from the beginning, so the picture keeps its shape from stop to stop.
#[cfg(not(feature = "terminal"))]
pub fn diagram_of_walk(
    session: &Session,
    walk: &Walk,
    whole: &FullGraph,
    lists: &[Fold],
) -> Diagram {
    let mut diagram = diagram(session, whole, Some(walk));
    if walk.direction == Direction::Backward {
        put_on_wires(session, whole, None, !lists.is_empty(), &mut diagram);
    }
    boxes::merge_lists(diagram, whole, lists)
}

/// Returns the open walk, if it is a walk of the root of this graph.
fn walk_of<'s>(session: &'s Session, whole: &FullGraph) -> Option<&'s Walk> {
    let root = &whole.nodes[0];
    session.walk().filter(|walk| Rc::ptr_eq(&walk.root, root))
}

/// Returns the diagram of a graph, with the state of this walk.
fn diagram(session: &Session, whole: &FullGraph, walk: Option<&Walk>) -> Diagram {
    // Two literals with the same text need no ids to tell them apart, so literals get no captions.
    let varying = whole.nodes.iter().filter(|node| node.spelling().is_none());
    let mut all_captions = captions(session.names(), varying).into_iter();
    let first_broken = first_not_finite(&whole.nodes).map(|node| node.id());
    let mut vertices = Vec::with_capacity(whole.nodes.len());
    for (place, node) in stop::with_checks(whole.nodes.iter().enumerate()) {
        let mut vertex = vertex(session, whole, place);
        vertex.is_first_not_finite = first_broken == Some(node.id());
        if node.spelling().is_none()
            && let Some(caption) = all_captions.next()
        {
            vertex.label = caption.label;
            if caption.has_expression {
                vertex.formula = caption.expression;
            }
        } else {
            vertex.label = session.label(node);
        }
        if let Some(walk) = walk {
            vertex.stage = walk.stage(node);
            vertex.grad = walk.grad(node);
            // A forward walk hides the data of nodes to come.
            if walk.direction == Direction::Forward && vertex.stage == Some(Stage::Coming) {
                vertex.data = None;
                vertex.is_first_not_finite = false;
            }
        }
        vertices.push(vertex);
    }
    Diagram {
        vertices,
        caption: diagram_caption(session, whole, walk),
        ..Diagram::default()
    }
}

/// Returns a node as a vertex, without its label.
fn vertex(session: &Session, whole: &FullGraph, place: usize) -> Vertex {
    let node = &whole.nodes[place];
    let operands = node.operands().iter().filter_map(|it| whole.place(it));
    Vertex {
        id: node.id(),
        kind: kind_of(node),
        operation: node.op().map(|op| (op.spelling, op.name)),
        operands: operands.collect(),
        is_commutative: node.op().is_some_and(Op::takes_any_order),
        data: Some(node.data()),
        grad: session.grads_to_show()(node),
        level: whole.levels[place],
        ..Vertex::default()
    }
}

/// Returns a note on the pass or the walk that the grads come from.
fn diagram_caption(session: &Session, whole: &FullGraph, walk: Option<&Walk>) -> Line {
    // A constant has no grad.
    if !whole.nodes[0].varies() {
        return Line::new();
    }
    if let Some(walk) = walk {
        let (word, position, of) = (walk.direction.word(), walk.position, walk.stop_count());
        return dim(say!("{} walk, {} of {} stops", word, position, of));
    }
    match session.pass() {
        Some(pass) => dim(pass_caption(session, whole, pass)),
        None if session.guesses().root().is_some() => dim(say!(
            "grads are those that you have set: `:grad` computes them"
        )),
        None => Line::new(),
    }
}

/// Returns a note on the last pass, if the grads of a diagram may surprise: of another root, of several passes, or stale.
fn pass_caption(session: &Session, whole: &FullGraph, pass: &Pass) -> Line {
    let root = &whole.nodes[0];
    let label = session.label(pass.root());
    if !whole.nodes.iter().any(|node| pass.grad(node).is_some()) {
        return say!("the last pass, of {:name}, does not reach this", label);
    }
    let own_label = session.label(root);
    let other_root = if Rc::ptr_eq(pass.root(), root) {
        None
    } else if pass.grad(root).is_some() {
        Some(say!("grads of {:name}", label))
    } else if own_label == label {
        Some(say!("grads of another {:name}", label))
    } else {
        Some(say!("grads of {:name}, not of {:name}", label, own_label))
    };
    let sweeps = whole.nodes.iter().map(|node| pass.sweeps_at(node));
    let passes = sweeps.max().unwrap_or(0);
    let stale = say!("grads are stale: data has changed since, `:grad` refreshes them");
    let remarks = [
        other_root,
        (passes > 1).then(|| say!("grads are the sum of {} passes", passes)),
        session.is_stale().then_some(stale),
    ];
    join(remarks.into_iter().flatten(), "; ")
}

/// Puts numbers on the wires of a diagram whose vertices are the nodes of this graph, and explains the numbers in the
/// caption. If lists are boxes, the caption adds that the wires of lists have no numbers. A wire from a constant, and a wire
/// that the walk has not reached, have none either.
fn put_on_wires(
    session: &Session,
    whole: &FullGraph,
    walk: Option<&Walk>,
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
    let session_caption = take(&mut diagram.caption);
    diagram.caption = join([dim(meaning), about_lists, session_caption], "; ");
}

/// Returns the numbers on the wires from a node's operands; nothing for a node that the walk has not reached.
fn on_wires(session: &Session, walk: Option<&Walk>, node: &Rc<Node>) -> Vec<Option<OnWire>> {
    match walk {
        _ if !node.varies() => Vec::new(),
        Some(walk) if walk.stage(node).is_none_or(|stage| stage == Stage::Coming) => Vec::new(),
        Some(walk) if walk.direction == Direction::Backward => contributions(session, walk, node),
        _ => locals(session, node),
    }
}

/// Returns the local derivatives of a node, with `None` for those by constants.
fn locals(session: &Session, node: &Rc<Node>) -> Vec<Option<OnWire>> {
    let label = session.label(node);
    let formulas = local_formulas(session, node);
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

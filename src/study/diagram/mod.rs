//! Prepares a graph for drawing: labels, numbers, and the state of a walk.
//!
//! The nodes come from the graph, labels from the names, and gradients from the last pass or the walk. No pass is run
//! and nothing changes.

mod lists;
mod named;
mod network_roles;
mod page_program;
mod page_script;

pub use self::lists::boxes;
pub use self::named::diagram_of_network;
pub use self::page_program::diagram_with_program;
pub use self::page_script::page_operation;

use std::rc::Rc;

use crate::graph::{FullGraph, Node, first_not_finite};
use crate::report::{Connections, Diagram, Kind, Line, Stage, Vertex, dim, join, say};
use crate::session::Session;
use crate::session::by_hand::walk::Direction;
use crate::session::naming::folds::Fold;
use crate::stop;

/// The diagram of everything at and below a root, in which these long lists are one box each.
pub fn diagram_of_lists(
    session: &Session,
    root: &Rc<Node>,
    whole: &FullGraph,
    lists: &[Fold],
) -> Diagram {
    lists::merged(diagram(session, root, whole), whole, lists)
}

/// The diagram of everything at and below a root.
pub fn diagram(session: &Session, root: &Rc<Node>, whole: &FullGraph) -> Diagram {
    let walk = session.walk().filter(|walk| Rc::ptr_eq(walk.root(), root));
    // Two literals with the same text need no ids to tell them apart, so literals get no captions.
    let varying = whole.nodes.iter().filter(|node| node.spelling().is_none());
    let mut captions = session.captions(varying).into_iter();
    let first = first_not_finite(&whole.nodes).map(|node| node.id());
    let vertex = |(place, node): (usize, &Rc<Node>)| {
        let varies = node.spelling().is_none();
        let caption = varies.then(|| captions.next()).flatten();
        let (label, formula) = caption.map_or_else(
            || (session.label(node), String::new()),
            |caption| {
                let formula = Some(caption.expression).filter(|_| caption.more);
                (caption.label, formula.unwrap_or_default())
            },
        );
        let stage = walk.and_then(|walk| walk.stage(node));
        let forward = walk.is_some_and(|walk| walk.direction == Direction::Forward);
        let hidden = forward && stage == Some(Stage::Coming);
        let operands = node.operands().iter();
        Vertex {
            id: node.id(),
            label,
            formula,
            kind: kind(node),
            operation: node.op().map(|op| (op.spelling, op.name)),
            operands: operands
                .filter_map(|operand| whole.place(operand))
                .collect(),
            data: (!hidden).then(|| node.data()),
            grad: match walk {
                Some(walk) => walk.grad(node),
                None => session.grad_to_show(node),
            },
            level: whole.levels[place],
            first: !hidden && first == Some(node.id()),
            stage,
            list: None,
            connections: Connections::default(),
        }
    };
    Diagram {
        vertices: stop::asking(whole.nodes.iter().enumerate())
            .map(vertex)
            .collect(),
        caption: diagram_caption(session, root),
        flow: None,
        program: None,
        network: None,
    }
}

/// A note on where the gradients come from.
fn diagram_caption(session: &Session, root: &Rc<Node>) -> Line {
    if let Some(walk) = session.walk().filter(|walk| Rc::ptr_eq(walk.root(), root)) {
        let direction = match walk.direction {
            Direction::Backward => "backward",
            Direction::Forward => "forward",
        };
        let (position, of) = (walk.position(), walk.of());
        return dim(say!("{} walk, {} of {} stops", direction, position, of));
    }
    let Some(pass) = session.pass() else {
        if session.guesses().root().is_some() {
            return dim(say!(
                "grads are those that you have set: `:grad` computes them"
            ));
        }
        return dim(say!("no gradients yet: `:grad`"));
    };
    let label = session.label(pass.root());
    if pass.grad(root).is_none() {
        return dim(say!(
            "the last pass, of {:name}, does not reach this",
            label
        ));
    }
    let other = !Rc::ptr_eq(pass.root(), root);
    let passes = pass.roots().len();
    let remarks = [
        other.then(|| say!("grads of {:name}", label)),
        (passes > 1).then(|| say!("grads are the sum of {} passes", passes)),
        session
            .is_stale()
            .then(|| say!("grads are stale: data has changed since, `:grad` refreshes them")),
    ];
    dim(join(remarks.into_iter().flatten(), "; "))
}

fn kind(node: &Node) -> Kind {
    if node.is_frozen() {
        Kind::Frozen
    } else if node.is_leaf() {
        Kind::Leaf
    } else if node.varies() {
        Kind::Computed
    } else {
        Kind::Constant
    }
}

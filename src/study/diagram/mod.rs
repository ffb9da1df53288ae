//! A graph made ready to be drawn: what each node is called, its numbers, and where a walk is.
//!
//! The graph says what there is, the names how it is called, the last pass or the walk what the gradients are. Nothing
//! is run and nothing changes.

mod page_program;
mod page_script;

pub use self::page_program::diagram_with_program;
pub use self::page_script::page_operation;

use std::rc::Rc;

use crate::graph::first_not_finite;
use crate::graph::{FullGraph, Node};
use crate::report::{Diagram, Line, Piece};
use crate::report::{Kind, Stage, Vertex};
use crate::session::Session;
use crate::session::by_hand::walk::Direction;
use crate::stop;

/// Everything at and below a root.
pub fn diagram(session: &Session, root: &Rc<Node>, whole: &FullGraph) -> Diagram {
    let walk = session.walk().filter(|walk| Rc::ptr_eq(walk.root(), root));
    // A literal is called what it is: two that read alike need no numbers to tell them apart.
    let varying = whole.nodes.iter().filter(|node| node.spelling().is_none());
    let mut captions = session.captions(varying).into_iter();
    let first = first_not_finite(&whole.nodes).map(|node| node.id());
    let vertex = |(place, node): (usize, &Rc<Node>)| {
        let caption = match node.spelling() {
            Some(_) => None,
            None => captions.next(),
        };
        let (label, formula) = caption.map_or_else(
            || (session.label(node), String::new()),
            |caption| {
                let formula = if caption.more {
                    caption.expression
                } else {
                    String::new()
                };
                (caption.label, formula)
            },
        );
        let stage = walk.and_then(|walk| walk.stage(node));
        let forward = walk.is_some_and(|walk| walk.direction() == Direction::Forward);
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
                None => session.pass().and_then(|pass| pass.grad(node)),
            },
            level: whole.levels[place],
            first: !hidden && first == Some(node.id()),
            stage,
        }
    };
    Diagram {
        vertices: stop::asking(whole.nodes.iter().enumerate())
            .map(vertex)
            .collect(),
        caption: diagram_caption(session, root),
        program: None,
    }
}

/// What is to be known of the gradients.
fn diagram_caption(session: &Session, root: &Rc<Node>) -> Line {
    if let Some(walk) = session.walk().filter(|walk| Rc::ptr_eq(walk.root(), root)) {
        let direction = match walk.direction() {
            Direction::Backward => "backward",
            Direction::Forward => "forward",
        };
        return vec![Piece::dim(format!(
            "{direction} walk, {} of {} stops",
            walk.position(),
            walk.of()
        ))];
    }
    let Some(pass) = session.pass() else {
        return vec![Piece::dim("no gradients yet: "), Piece::typed(":grad")];
    };
    if pass.grad(root).is_none() {
        return vec![
            Piece::dim("the last pass, of "),
            Piece::name(session.label(pass.root())),
            Piece::dim(", does not reach this"),
        ];
    }
    let mut caption = Line::new();
    let mut say = |pieces: Line| {
        if !caption.is_empty() {
            caption.push(Piece::dim("; "));
        }
        caption.extend(pieces);
    };
    if !Rc::ptr_eq(pass.root(), root) {
        say(vec![
            Piece::dim("grads of "),
            Piece::name(session.label(pass.root())),
        ]);
    }
    if pass.roots().len() > 1 {
        say(vec![Piece::dim(format!(
            "grads are the sum of {} passes",
            pass.roots().len()
        ))]);
    }
    if session.is_stale() {
        say(vec![
            Piece::dim("grads are stale: data has changed since, "),
            Piece::typed(":grad"),
            Piece::dim(" refreshes them"),
        ]);
    }
    caption
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

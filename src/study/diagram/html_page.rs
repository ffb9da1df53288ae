//! Makes the diagram of an HTML page for `:graph L x.html`, with the gradients of a fresh pass, and the local derivatives
//! on the wires.
//!
//! The page shows the passes stop by stop, with the texts that `commands::by_hand::page_walks`
//! records.

use std::rc::Rc;

use super::{diagram, wire_numbers};
use crate::session::Session;
use chainrule_engine::graph::{FullGraph, Node, Order, first_not_finite, gradients};
use chainrule_report::{Diagram, Line, say};
use chainrule_stop as stop;

/// Returns the diagram of everything at and below a root after a fresh pass, and a note on the caption of the
/// session's own grads, if there is one. An open walk of the root gets no note.
pub fn diagram_of_page(session: &Session, root: &Rc<Node>, whole: &FullGraph) -> (Diagram, Line) {
    let mut diagram = diagram(session, root, whole);
    let order = Order::below([root]);
    let grads = gradients(&order, root, |_| {});
    let first = first_not_finite(&whole.nodes).map(|node| node.id());
    let nodes = diagram.vertices.iter_mut().zip(&whole.nodes);
    for (vertex, node) in stop::with_checks(nodes) {
        vertex.data = Some(node.data());
        vertex.grad = order.slot(node).map(|slot| grads[slot]);
        vertex.is_first_not_finite = first == Some(vertex.id);
        vertex.stage = None;
        if node.varies() {
            vertex.on_wires = wire_numbers::locals(session, node);
        }
    }
    let session_caption = std::mem::take(&mut diagram.caption);
    let walk = session.walk().filter(|walk| Rc::ptr_eq(&walk.root, root));
    if walk.is_some() || session_caption.is_empty() {
        return (diagram, Line::new());
    }
    let label = diagram.vertices[0].label.as_str();
    let note = say!(
        "grads here are of one fresh pass from {:name}; in the session, {}",
        label,
        session_caption
    );
    (diagram, note)
}

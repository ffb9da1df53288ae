//! Records the stops of both walks of a graph, as `:walk` shows them, for the page that `:graph` writes.
//!
//! The walks are separate from the open one. A stop has its own words and the grads that it changes, never the state of the
//! whole graph, so that the page grows only with the number of stops.

use std::rc::Rc;

use crate::commands::by_hand::walk::WalkWords;
use crate::session::Session;
use crate::session::by_hand::walk::Direction;
use crate::study;
use chainrule_engine::graph::{FullGraph, Node};
use chainrule_report::{Diagram, PassStop, Passes};
use chainrule_stop as stop;

/// The diagram of everything at and below a root, with the stops of its passes.
pub(crate) fn diagram_with_passes(
    session: &Session,
    root: &Rc<Node>,
    whole: &FullGraph,
) -> Diagram {
    let (mut diagram, note) = study::diagram_of_page(session, root, whole);
    let stops = |direction| stops(session, root, whole, direction);
    let open = session.walk().filter(|walk| Rc::ptr_eq(&walk.root, root));
    diagram.passes = Some(Passes {
        backward: stops(Direction::Backward),
        forward: stops(Direction::Forward),
        is_forward: open.is_some_and(|walk| walk.direction == Direction::Forward),
        made: open.map_or(0, |walk| walk.position),
        note,
    });
    diagram
}

/// The beginning of a walk and all its stops.
fn stops(
    session: &Session,
    root: &Rc<Node>,
    whole: &FullGraph,
    direction: Direction,
) -> Vec<PassStop> {
    let mut walk = session.walk_of(root, direction);
    let vertex = |node: &Rc<Node>| whole.place(node);
    // Each label is made once, however many users the node has.
    let labels = whole.nodes.iter().map(|node| session.label_in(&walk, node));
    let labels: Vec<String> = stop::with_checks(labels).collect();
    let label = |node: &Rc<Node>| vertex(node).map_or_else(String::new, |at| labels[at].clone());
    let count = walk.stop_count();
    let stop = |position| {
        walk.position = position;
        let words = WalkWords {
            session,
            walk: &walk,
            label: &label,
            most: usize::MAX,
        };
        // The root has its grad from the beginning.
        let first = walk.grad(root).filter(|_| position == 0);
        let shares = walk.shares().iter().map(|share| (&share.to, share.after));
        let grads = first.map(|grad| (root, grad)).into_iter().chain(shares);
        let grads = grads.filter_map(|(node, grad)| Some((vertex(node)?, grad)));
        PassStop {
            vertex: walk.current().and_then(vertex),
            blocks: words.stop_blocks(),
            grads: grads.collect(),
        }
    };
    stop::with_checks(0..=count).map(stop).collect()
}

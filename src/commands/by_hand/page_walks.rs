//! The page that `:graph` writes: a diagram with all stops of both walks of a graph, as `:walk` shows them.
//!
//! These walks are separate from the open one. A stop has its own words and the grads that it changes, never the state of
//! the whole graph, so that the page grows only with the number of stops.

use crate::commands::by_hand::walk::WalkWords;
use crate::commands::prelude::*;
use crate::session::by_hand::walk::{Direction, Walk};
use crate::study;
use chainrule_engine::graph::FullGraph;
use chainrule_report::{Diagram, PassStop, Passes};
use chainrule_stop as stop;

/// The diagram of everything at and below a root, with the stops of its passes.
pub(crate) fn diagram_with_passes(
    session: &Session,
    root: &Rc<Node>,
    graph: &FullGraph,
) -> Diagram {
    let (mut diagram, note) = study::diagram_of_page(session, root, graph);
    let open = session.walk().filter(|walk| Rc::ptr_eq(&walk.root, root));
    diagram.passes = Some(Passes {
        backward: stops(session, root, graph, Direction::Backward),
        forward: stops(session, root, graph, Direction::Forward),
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
    graph: &FullGraph,
    direction: Direction,
) -> Vec<PassStop> {
    let mut walk = session.walk_of(root, direction);
    // Each label is made once, however many users the node has.
    let labels = graph.nodes.iter().map(|node| session.label_in(&walk, node));
    let labels: Vec<String> = stop::with_checks(labels).collect();
    let label = |node: &Rc<Node>| {
        let place = graph.place(node);
        place.map_or_else(String::new, |at| labels[at].clone())
    };
    let mut stops = Vec::new();
    for position in stop::with_checks(0..=walk.stop_count()) {
        walk.position = position;
        let words = WalkWords {
            session,
            walk: &walk,
            label: &label,
            most: usize::MAX,
        };
        stops.push(PassStop {
            vertex: walk.current().and_then(|node| graph.place(node)),
            blocks: words.stop_blocks(),
            grads: changed_grads(&walk, graph),
        });
    }
    stops
}

/// The grads that a stop changes, each with its vertex. The root has its grad from the beginning.
fn changed_grads(walk: &Walk, graph: &FullGraph) -> Vec<(usize, f64)> {
    let root_grad = walk.grad(&walk.root).filter(|_| walk.position == 0);
    let first = root_grad.map(|grad| (&walk.root, grad)).into_iter();
    let shares = walk.shares();
    let grads = first.chain(shares.iter().map(|share| (&share.to, share.after)));
    let places = grads.map(|(node, grad)| Some((graph.place(node)?, grad)));
    places.flatten().collect()
}

//! A walk as a film: every stop of it, worked out without opening the walk.
//!
//! A stop changes few nodes: its own, that of the stop before, and its operands. Only these are looked at again.

use crate::graph::{FullGraph, first_not_finite};
use crate::report::{Diagram, Line, WalkFilm, WalkFrame};
use crate::session::Session;
use crate::session::by_hand::walk::Walk;
use crate::session::naming::folds::Fold;
use crate::stop;

use super::lists::Merging;
use super::{diagram_in_walk, show_walk};

/// The film of a walk that is at its beginning. What is said at each stop comes from `told`; long lists are one box each.
pub fn film(
    session: &Session,
    mut walk: Walk,
    whole: &FullGraph,
    lists: &[Fold],
    told: impl Fn(&Walk) -> Vec<Line>,
) -> WalkFilm {
    let merging = Merging::new(whole, lists);
    let first = first_not_finite(&whole.nodes).map(|node| node.id());
    // The vertices of all nodes, those in lists too.
    let mut all = diagram_in_walk(session, whole, Some(&walk)).vertices;
    let mut film = WalkFilm {
        diagram: Diagram {
            vertices: merging.vertices(&all),
            ..Diagram::default()
        },
        lines: told(&walk),
        ..WalkFilm::default()
    };
    let mut turns = stop::asking(0..walk.of());
    while turns.next().is_some() {
        let before = walk.stop().map(|stop| stop.node);
        walk.advance();
        let now = walk.stop().map(|stop| stop.node);
        let operands = now.iter().flat_map(|node| node.operands());
        let touched = before.iter().chain(&now).chain(operands);
        let mut changed = Vec::new();
        for node in touched {
            if let Some(place) = whole.place(node) {
                show_walk(&walk, node, first, &mut all[place]);
                changed.push(merging.place(place));
            }
        }
        changed.sort_unstable();
        changed.dedup();
        film.frames.push(WalkFrame {
            lines: told(&walk),
            changes: changed
                .into_iter()
                .map(|place| (place, merging.vertex(&all, place)))
                .collect(),
        });
    }
    film
}

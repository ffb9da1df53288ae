//! A walk as a film: one graph, and what changes on it from stop to stop.
//!
//! The first picture is complete, of the others only what differs is kept, so a film grows with its graph and not with
//! the product of nodes and stops.

use super::Line;
use super::diagram::{Diagram, Vertex};

/// A walk that plays itself.
#[derive(Clone, Debug, Default)]
pub struct WalkFilm {
    /// What the film is of: `backward walk of L, 3 stops`.
    pub title: String,
    /// The graph before the first stop.
    pub diagram: Diagram,
    /// What is said of it there.
    pub lines: Vec<Line>,
    /// The stops.
    pub frames: Vec<WalkFrame>,
}

/// A stop of a film.
#[derive(Clone, Debug)]
pub struct WalkFrame {
    /// What happens, the most important line first.
    pub lines: Vec<Line>,
    /// The vertices that are no longer what they were, with their places. Their labels and operands are the same.
    pub changes: Vec<(usize, Vertex)>,
}

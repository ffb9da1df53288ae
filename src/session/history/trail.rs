//! The values that a root has taken by `:step`, and where its leaves were, for `:plot L steps`.
//!
//! A statement adds its values to the end of a trail, so `:undo` only has to shorten it. Long trails are thinned out.

use std::rc::{Rc, Weak};

use rustc_hash::FxHashMap;

use crate::graph::{Node, NodeId};
use crate::session::logged::{Grown, Growth, Keyed};

/// The least number of values kept of a long trail: at twice as many, every second one is dropped.
pub(crate) const TRAIL_VALUES: usize = 10_000;

/// The trails, by root.
#[derive(Debug, Default)]
pub struct Trails {
    by_root: FxHashMap<NodeId, Trail>,
    /// At this many trails those of dropped roots are removed.
    clean_at: usize,
}

/// The trail of one root: its points by the number of steps, ascending. A number occurs twice if data was changed between
/// two steps by other means.
#[derive(Debug, Default)]
struct Trail {
    root: Weak<Node>,
    points: Grown<TrailPoint>,
}

/// Where the leaves of a root are after each step.
#[derive(Clone, Debug)]
pub(crate) struct StepPlaces {
    /// The leaves that move.
    pub leaves: Rc<[NodeId]>,
    /// Their data before the first step and after each, one step after the other.
    pub data: Vec<f64>,
}

/// Leaves with their data.
type LeafData = (Rc<[NodeId]>, Box<[f64]>);

/// A value of a root, and where its leaves were.
#[derive(Clone, Debug)]
pub struct TrailPoint {
    /// The number of steps taken so far.
    pub step: u64,
    pub value: f64,
    /// The leaves with their data; none if there are too many to keep.
    place: Option<LeafData>,
}

impl TrailPoint {
    /// The data of a leaf then, if it was kept.
    pub(crate) fn data(&self, leaf: NodeId) -> Option<f64> {
        let (leaves, data) = self.place.as_ref()?;
        let at = leaves.iter().position(|known| *known == leaf)?;
        data.get(at).copied()
    }

    /// Whether it is known where the leaves were.
    pub(crate) fn has_place(&self) -> bool {
        self.place.is_some()
    }
}

impl Trails {
    /// The change by which the trail of a root gets the values of one statement, beginning with the value before its
    /// first step.
    pub(crate) fn longer(
        &self,
        root: &Rc<Node>,
        values: &[f64],
        places: Option<&StepPlaces>,
    ) -> Growth<TrailPoint> {
        let known = self.of(root).unwrap_or_default();
        let last = known.last();
        let first = last.map_or(0, |last| last.step);
        let place = |at: usize| {
            let StepPlaces { leaves, data } = places?;
            let row = data.chunks_exact(leaves.len().max(1)).nth(at)?;
            Some((Rc::clone(leaves), row.into()))
        };
        let mut points: Vec<TrailPoint> = thinned(values.len())
            .map(|at| TrailPoint {
                step: first + at as u64,
                value: values[at],
                place: place(at),
            })
            .collect();
        if last.is_some_and(|last| last.value.to_bits() == points[0].value.to_bits()) {
            points.remove(0);
        }
        let count = known.len() + points.len();
        if count <= 2 * TRAIL_VALUES {
            return Growth::Add(points);
        }
        let all: Vec<&TrailPoint> = known.iter().chain(&points).collect();
        Growth::All(thinned(count).map(|at| all[at].clone()).collect())
    }

    /// The points of a root's trail, if it has one.
    pub(crate) fn of(&self, root: &Rc<Node>) -> Option<&[TrailPoint]> {
        let trail = self.by_root.get(&root.id())?;
        let points = &trail.points.0;
        (trail.root.as_ptr() == Rc::as_ptr(root) && !points.is_empty()).then_some(points)
    }
}

impl Keyed for Trails {
    type Key = (NodeId, Weak<Node>);
    type Value = Growth<TrailPoint>;

    fn swap(&mut self, (id, root): &Self::Key, change: Growth<TrailPoint>) -> Growth<TrailPoint> {
        if self.by_root.len() >= self.clean_at {
            self.by_root
                .retain(|_, trail| trail.root.strong_count() > 0);
            self.clean_at = (self.by_root.len() * 2).max(64);
        }
        let trail = self.by_root.entry(*id).or_default();
        if !trail.root.ptr_eq(root) {
            *trail = Trail {
                root: Weak::clone(root),
                points: Grown::default(),
            };
        }
        trail.points.swap(&(), change)
    }
}

/// The indices of so many values; of too many only every second, fourth, eighth and so on, and the last.
fn thinned(count: usize) -> impl Iterator<Item = usize> {
    let last = count.saturating_sub(1);
    let mut apart = 1;
    while last / apart + 1 + usize::from(!last.is_multiple_of(apart)) > 2 * TRAIL_VALUES {
        apart *= 2;
    }
    let ends_between = (!last.is_multiple_of(apart)).then_some(last);
    (0..count).step_by(apart).chain(ends_between)
}

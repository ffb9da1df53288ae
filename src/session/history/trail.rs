//! The values that a root has taken by `:step`, and where its leaves were, for `:plot L steps`.
//!
//! A trail is a linked list of segments, newest first, each with the values of one statement. Segments are immutable
//! and shared, so `:undo` only has to restore which one is the newest. Long trails are thinned out.

use std::rc::Rc;

use crate::graph::{Node, NodeId};
use crate::session::naming::Tags;

/// The least number of values kept of a long trail: at twice as many, every second one is dropped.
pub(crate) const TRAIL_VALUES: usize = 10_000;

/// The trail of one root, by its newest segment.
#[derive(Clone, Debug)]
pub struct Trail(Rc<TrailSegment>);

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
pub(crate) struct TrailPoint {
    /// The number of steps taken so far.
    step: u64,
    value: f64,
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

/// The values of one statement, or those left of several statements after thinning out.
#[derive(Debug)]
struct TrailSegment {
    before: Option<Rc<TrailSegment>>,
    /// The points by the number of steps, ascending.
    points: Vec<TrailPoint>,
    /// How many values this segment and all before it hold.
    count: usize,
}

impl Tags<Trail> {
    /// The trail of a root with the values of one statement more, beginning with the value before its first step.
    pub(crate) fn longer(
        &self,
        root: &Rc<Node>,
        values: &[f64],
        places: Option<&StepPlaces>,
    ) -> Trail {
        let trail = self.of(root).cloned();
        let taken = |trail: &Trail| trail.0.points.last().map_or(0, |point| point.step);
        let first = trail.as_ref().map_or(0, taken);
        let place = |at: usize| {
            let StepPlaces { leaves, data } = places?;
            let row = data.chunks_exact(leaves.len().max(1)).nth(at)?;
            Some((Rc::clone(leaves), row.into()))
        };
        let points = thinned(values.len()).map(|at| TrailPoint {
            step: first + at as u64,
            value: values[at],
            place: place(at),
        });
        let before = trail.map(|trail| trail.0);
        let trail = Trail(TrailSegment::after(before, points.collect()));
        if trail.0.count <= 2 * TRAIL_VALUES {
            return trail;
        }
        let all = trail.points();
        let fewer = thinned(all.len()).map(|at| all[at].clone()).collect();
        Trail(TrailSegment::after(None, fewer))
    }
}

impl Trail {
    /// All values with the number of steps taken, first to last. A number occurs twice if data was changed between two
    /// steps by other means.
    pub(crate) fn values(&self) -> Vec<(u64, f64)> {
        let points = self.points();
        points
            .iter()
            .map(|point| (point.step, point.value))
            .collect()
    }

    /// The same with where the leaves were.
    pub(crate) fn points(&self) -> Vec<TrailPoint> {
        let mut segments = Vec::new();
        let mut at = Some(&self.0);
        while let Some(segment) = at {
            segments.push(&segment.points);
            at = segment.before.as_ref();
        }
        let mut points: Vec<TrailPoint> = Vec::with_capacity(self.0.count);
        for point in segments.into_iter().rev().flatten() {
            let known = points.last().is_some_and(|last| {
                last.step == point.step && last.value.to_bits() == point.value.to_bits()
            });
            if !known {
                points.push(point.clone());
            }
        }
        points
    }
}

impl TrailSegment {
    fn after(before: Option<Rc<TrailSegment>>, points: Vec<TrailPoint>) -> Rc<TrailSegment> {
        let count = points.len() + before.as_ref().map_or(0, |segment| segment.count);
        Rc::new(TrailSegment {
            before,
            points,
            count,
        })
    }
}

impl Drop for TrailSegment {
    /// Drops the segments before in a loop, since the derived drop would recurse once for each of them.
    fn drop(&mut self) {
        let mut next = self.before.take();
        while let Some(mut segment) = next.and_then(Rc::into_inner) {
            next = segment.before.take();
        }
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

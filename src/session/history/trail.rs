//! The values that a root has taken by `:step`, for `:plot L steps`.
//!
//! A trail is a linked list of segments, newest first, each with the values of one statement. Segments are immutable
//! and shared, so `:undo` only has to restore which one is the newest. Long trails are thinned out.

use std::rc::{Rc, Weak};

use rustc_hash::FxHashMap;

use crate::graph::{Node, NodeId};

/// The least number of values kept of a long trail: at twice as many, every second one is dropped.
pub(crate) const TRAIL_VALUES: usize = 10_000;

/// The newest segment of each trail, by root.
#[derive(Clone, Debug, Default)]
pub struct Trails {
    newest: FxHashMap<NodeId, Trail>,
    /// At this many trails those of dropped roots are removed.
    clean_at: usize,
}

/// The trail of one root.
#[derive(Clone, Debug)]
pub struct Trail {
    root: Weak<Node>,
    newest: Rc<TrailSegment>,
}

/// The values of one statement, or those left of several statements after thinning out.
#[derive(Debug)]
struct TrailSegment {
    before: Option<Rc<TrailSegment>>,
    /// The number of steps taken so far and the value then, ascending.
    values: Vec<(u64, f64)>,
    /// How many values this segment and all before it hold.
    count: usize,
}

impl Trails {
    /// Sets or removes a root's trail, and returns the one before.
    pub fn swap(&mut self, root: NodeId, trail: Option<Trail>) -> Option<Trail> {
        match trail {
            Some(trail) => self.newest.insert(root, trail),
            None => self.newest.remove(&root),
        }
    }

    /// Adds the values of one statement, beginning with the value before its first step. Returns the trail from before.
    pub(crate) fn add(&mut self, root: &Rc<Node>, values: &[f64]) -> Option<Trail> {
        let trail = self.of(root).cloned();
        let taken = |trail: &Trail| trail.newest.values.last().map_or(0, |(step, _)| *step);
        let first = trail.as_ref().map_or(0, taken);
        let values = thinned(values).map(|(at, value)| (first + at as u64, value));
        let before = trail.map(|trail| trail.newest);
        let mut trail = Trail {
            root: Rc::downgrade(root),
            newest: TrailSegment::after(before, values.collect()),
        };
        if trail.newest.count > 2 * TRAIL_VALUES {
            let fewer = thinned(&trail.values()).map(|(_, value)| value).collect();
            trail.newest = TrailSegment::after(None, fewer);
        }
        if self.newest.len() >= self.clean_at {
            self.newest.retain(|_, trail| trail.root.strong_count() > 0);
            self.clean_at = (self.newest.len() * 2).max(64);
        }
        self.swap(root.id(), Some(trail))
    }

    pub(crate) fn of(&self, root: &Rc<Node>) -> Option<&Trail> {
        let trail = self.newest.get(&root.id())?;
        std::ptr::eq(trail.root.as_ptr(), Rc::as_ptr(root)).then_some(trail)
    }

    /// The roots that have a trail.
    pub(crate) fn roots(&self) -> impl Iterator<Item = Rc<Node>> {
        self.newest
            .values()
            .filter_map(|trail| trail.root.upgrade())
    }
}

impl Trail {
    /// All values with the number of steps taken, first to last. A number occurs twice if data was changed between two
    /// steps by other means.
    pub(crate) fn values(&self) -> Vec<(u64, f64)> {
        let mut segments = Vec::new();
        let mut at = Some(&self.newest);
        while let Some(segment) = at {
            segments.push(&segment.values);
            at = segment.before.as_ref();
        }
        let mut values: Vec<(u64, f64)> = Vec::with_capacity(self.newest.count);
        for (step, value) in segments.into_iter().rev().flatten().copied() {
            let known = values
                .last()
                .is_some_and(|&(last, known)| last == step && known.to_bits() == value.to_bits());
            if !known {
                values.push((step, value));
            }
        }
        values
    }
}

impl TrailSegment {
    fn after(before: Option<Rc<TrailSegment>>, values: Vec<(u64, f64)>) -> Rc<TrailSegment> {
        let count = values.len() + before.as_ref().map_or(0, |segment| segment.count);
        Rc::new(TrailSegment {
            before,
            values,
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

/// The values with their indices; of too many only every second, fourth, eighth and so on, and the last.
fn thinned<T: Copy>(values: &[T]) -> impl Iterator<Item = (usize, T)> {
    let last = values.len().saturating_sub(1);
    let mut apart = 1;
    while last / apart + 1 + usize::from(!last.is_multiple_of(apart)) > 2 * TRAIL_VALUES {
        apart *= 2;
    }
    let ends_between = (!last.is_multiple_of(apart)).then_some(last);
    let places = (0..values.len()).step_by(apart).chain(ends_between);
    places.map(|at| (at, values[at]))
}

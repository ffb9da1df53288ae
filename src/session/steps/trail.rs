//! The values of a target after each `:step` and each round of a loop that moves leaves, with the data of its leaves, for
//! `:plot L steps`.
//!
//! A statement adds its values to the end of a trail, so `:undo` only has to shorten it. Long trails are thinned out.

use std::rc::{Rc, Weak};

use rustc_hash::FxHashMap;

use crate::session::Growth;
use crate::session::limits::TRAIL_VALUES;
use crate::session::target::TargetKey;
use chainrule_engine::graph::{Node, NodeId};

/// The trails, by target.
#[derive(Debug, Default)]
pub struct Trails {
    by_target: FxHashMap<TargetKey, Trail>,
    /// At this many trails those of dropped nodes are removed.
    clean_at: usize,
}

/// The trail of one target: its points by the number of steps, ascending. A number occurs twice if other statements have
/// changed data between two steps.
#[derive(Debug, Default)]
struct Trail {
    /// The root of its last steps.
    root: Weak<Node>,
    points: Vec<TrailPoint>,
}

/// A change of a trail.
#[derive(Debug)]
pub(in crate::session) struct TrailWrite {
    target: TargetKey,
    /// The root of its last steps.
    root: Weak<Node>,
    points: Growth<TrailPoint>,
}

/// The data of the leaves of a root after each step.
#[derive(Clone, Debug)]
pub(crate) struct StepPlaces {
    /// The leaves that move.
    pub leaves: Rc<[NodeId]>,
    /// Their data before the first step and after each, one step after the other.
    pub data: Vec<f64>,
}

/// Leaves with their data.
type LeafData = (Rc<[NodeId]>, Box<[f64]>);

/// A value of a root, and the data of its leaves.
#[derive(Clone, Debug)]
pub struct TrailPoint {
    /// The number of steps taken so far.
    pub step: u64,
    /// The value of the root.
    pub value: f64,
    /// Whether a step of a loop began here. Such a step has no point after it.
    is_begin: bool,
    /// The leaves with their data; `None` if there are too many to keep.
    place: Option<LeafData>,
}

impl TrailPoint {
    /// The number of steps taken by the end of the trail, if this is its last point.
    pub fn steps_taken(&self) -> u64 {
        self.step + u64::from(self.is_begin)
    }

    /// The data of a leaf then, if it was kept.
    pub(crate) fn data(&self, leaf: NodeId) -> Option<f64> {
        let (leaves, data) = self.place.as_ref()?;
        let at = leaves.iter().position(|known| *known == leaf)?;
        data.get(at).copied()
    }
}

impl Trails {
    /// The change by which the trail of a target gets the values of one statement: the value before each step and after
    /// the last, or only those before each step.
    pub(super) fn growth_by(
        &self,
        target: TargetKey,
        root: Weak<Node>,
        values: &[f64],
        places: Option<&StepPlaces>,
        is_begin: bool,
    ) -> TrailWrite {
        let known = self.of(&target).unwrap_or_default();
        let last = known.last();
        let first = last.map_or(0, TrailPoint::steps_taken);
        let leaf_data = |at: usize| {
            let StepPlaces { leaves, data } = places?;
            let row = data.chunks_exact(leaves.len().max(1)).nth(at)?;
            Some((Rc::clone(leaves), row.into()))
        };
        let point = |at: usize| TrailPoint {
            step: first + at as u64,
            value: values[at],
            is_begin,
            place: leaf_data(at),
        };
        let mut points: Vec<TrailPoint> = kept_places(values.len()).map(point).collect();
        let is_same = |end: &TrailPoint| {
            !(end.is_begin || is_begin) && end.value.to_bits() == points[0].value.to_bits()
        };
        if last.is_some_and(is_same) {
            points.remove(0);
        }
        let count = known.len() + points.len();
        let growth = if count <= 2 * TRAIL_VALUES {
            Growth::Add(points)
        } else {
            let all: Vec<&TrailPoint> = known.iter().chain(&points).collect();
            Growth::All(kept_places(count).map(|at| all[at].clone()).collect())
        };
        TrailWrite {
            target,
            root,
            points: growth,
        }
    }

    /// The points of a target's trail, if it has one.
    pub(crate) fn of(&self, target: &TargetKey) -> Option<&[TrailPoint]> {
        let points = &self.by_target.get(target)?.points;
        (!points.is_empty()).then_some(points)
    }

    /// Changes a trail, and returns the change that takes this back.
    pub(in crate::session) fn swap(&mut self, write: TrailWrite) -> TrailWrite {
        if self.by_target.len() >= self.clean_at {
            self.by_target.retain(|target, trail| {
                matches!(target, TargetKey::Name(_)) || trail.root.strong_count() > 0
            });
            self.clean_at = (self.by_target.len() * 2).max(64);
        }
        let trail = self.by_target.entry(write.target.clone()).or_default();
        trail.root = Weak::clone(&write.root);
        TrailWrite {
            points: write.points.swap_in(&mut trail.points),
            ..write
        }
    }
}

/// The indices of `count` values. If these are too many, only those of every second, fourth, eighth and so on, and of the
/// last one.
fn kept_places(count: usize) -> impl Iterator<Item = usize> {
    let last = count.saturating_sub(1);
    let mut apart = 1;
    while last / apart + 1 + usize::from(!last.is_multiple_of(apart)) > 2 * TRAIL_VALUES {
        apart *= 2;
    }
    let ends_between = (!last.is_multiple_of(apart)).then_some(last);
    (0..count).step_by(apart).chain(ends_between)
}

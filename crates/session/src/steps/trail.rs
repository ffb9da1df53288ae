//! The values of a target over its steps, with the data of its leaves, for `:plot L steps`.
//!
//! `:step` adds the value before its first step and after each one; a loop adds the value before each of its steps.
//! Values are added to the end of a trail, so `:undo` only has to shorten it. Long trails are thinned out.

use std::rc::Weak;

use rustc_hash::FxHashMap;

use crate::growth::Growth;
use crate::limits::TRAIL_VALUES;
use crate::target::TargetKey;
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
pub(crate) struct TrailWrite {
    target: TargetKey,
    /// The root of its last steps.
    root: Weak<Node>,
    points: Growth<TrailPoint>,
}

/// Leaves, and the data of each; empty if there are too many leaves to keep.
pub(crate) type LeafData = Box<[(NodeId, f64)]>;

/// A value of a root, and the data of its leaves.
#[derive(Clone, Debug)]
pub struct TrailPoint {
    /// The number of steps taken so far.
    pub step: u64,
    /// The value of the root.
    pub value: f64,
    /// Whether the value is the one before a step of a loop. No point has the value after that step.
    is_before_step: bool,
    place: LeafData,
}

impl TrailPoint {
    /// The number of steps taken by the end of the trail, if this is its last point.
    pub fn steps_taken(&self) -> u64 {
        self.step + u64::from(self.is_before_step)
    }

    /// The data of a leaf at this point, if it was kept.
    pub(crate) fn data(&self, leaf: NodeId) -> Option<f64> {
        let kept = self.place.iter().find(|(known, _)| *known == leaf);
        kept.map(|(_, data)| *data)
    }
}

impl Trails {
    /// The change by which the trail of a target gets the values of one statement: the value before each step and after
    /// the last or, if `is_before_step`, only those before each step. `place` returns the data of the leaves after a number
    /// of steps of the statement.
    pub(crate) fn growth_by(
        &self,
        target: TargetKey,
        root: Weak<Node>,
        values: &[f64],
        place: impl Fn(usize) -> LeafData,
        is_before_step: bool,
    ) -> TrailWrite {
        let known = self.of(&target).unwrap_or_default();
        let steps_before = known.last().map_or(0, TrailPoint::steps_taken);
        let point = |at: usize| TrailPoint {
            step: steps_before + at as u64,
            value: values[at],
            is_before_step,
            place: place(at),
        };
        let mut points: Vec<TrailPoint> = kept_indices(values.len()).map(point).collect();
        // A second `:step` begins with the value with which the first has ended, which the trail has already.
        if let Some(end) = known.last()
            && !(end.is_before_step || is_before_step)
            && end.value.to_bits() == values[0].to_bits()
        {
            points.remove(0);
        }
        let count = known.len() + points.len();
        let growth = if count <= 2 * TRAIL_VALUES {
            Growth::Add(points)
        } else {
            let all: Vec<&TrailPoint> = known.iter().chain(&points).collect();
            Growth::All(kept_indices(count).map(|at| all[at].clone()).collect())
        };
        TrailWrite {
            target,
            root,
            points: growth,
        }
    }

    /// The points of a target's trail, if it has one.
    pub fn of(&self, target: &TargetKey) -> Option<&[TrailPoint]> {
        let points = &self.by_target.get(target)?.points;
        (!points.is_empty()).then_some(points)
    }

    /// Changes a trail, and turns the write into the one that takes this back.
    pub(crate) fn swap(&mut self, write: &mut TrailWrite) {
        if self.by_target.len() >= self.clean_at {
            self.by_target.retain(|target, trail| {
                matches!(target, TargetKey::Name(_)) || trail.root.strong_count() > 0
            });
            self.clean_at = (self.by_target.len() * 2).max(64);
        }
        let trail = self.by_target.entry(write.target.clone()).or_default();
        trail.root = Weak::clone(&write.root);
        write.points.swap_in(&mut trail.points);
    }
}

/// The indices of those of `count` values that a trail keeps: of all if these are not too many, else of every second,
/// fourth, eighth and so on, and of the last one. There is at least one value.
fn kept_indices(count: usize) -> impl Iterator<Item = usize> {
    let last = count - 1;
    let mut apart = 1;
    while last.div_ceil(apart) + 1 > 2 * TRAIL_VALUES {
        apart *= 2;
    }
    (0..last).step_by(apart).chain([last])
}

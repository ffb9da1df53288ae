//! The way a root has come by `:step`: its values, for `:plot L steps`.
//!
//! A trail is a list of stretches, newest first, each with the values of one statement. Stretches never change and are
//! shared, so `:undo` only puts back which one is the newest. A long trail is thinned out now and then.

use std::rc::{Rc, Weak};

use rustc_hash::FxHashMap;

use crate::graph::{Node, NodeId};

/// So many values of a trail are kept at least; from twice as many on every other one goes.
pub(crate) const TRAIL_VALUES: usize = 10_000;

/// The newest stretch of the trail of each root that was stepped.
#[derive(Clone, Debug, Default)]
pub struct Trails {
    newest: FxHashMap<NodeId, Trail>,
    /// How many there may be before those of dead nodes are cleared away.
    tidy_at: usize,
}

/// The trail of a root.
#[derive(Clone, Debug)]
pub struct Trail {
    root: Weak<Node>,
    newest: Rc<Stretch>,
}

/// The values of one statement, or what is left of many after thinning out.
#[derive(Debug)]
struct Stretch {
    before: Option<Rc<Stretch>>,
    /// How many steps had been taken, and the value then; ascending.
    values: Vec<(u64, f64)>,
    /// How many values there are, in the stretches before too.
    count: usize,
}

impl Trails {
    /// Puts a trail, or none, in the place of a root's; returns what was there.
    pub fn swap(&mut self, root: NodeId, trail: Option<Trail>) -> Option<Trail> {
        match trail {
            Some(trail) => self.newest.insert(root, trail),
            None => self.newest.remove(&root),
        }
    }

    /// Adds the values of one statement, the one before its first step included; returns the trail there was.
    pub(crate) fn add(&mut self, root: &Rc<Node>, values: &[f64]) -> Option<Trail> {
        let trail = self.of(root).cloned();
        let taken = |trail: &Trail| trail.newest.values.last().map_or(0, |(step, _)| *step);
        let first = trail.as_ref().map_or(0, taken);
        let mut values: Vec<(u64, f64)> = thinned(values)
            .map(|(at, value)| (first + at as u64, value))
            .collect();
        let mut before = trail.map(|trail| trail.newest);
        let mut count = values.len() + before.as_ref().map_or(0, |stretch| stretch.count);
        if count > 2 * TRAIL_VALUES {
            let whole = Trail {
                root: Rc::downgrade(root),
                newest: Rc::new(Stretch {
                    before: before.take(),
                    values,
                    count,
                }),
            };
            values = thinned(&whole.values()).map(|(_, value)| value).collect();
            count = values.len();
        }
        let newest = Rc::new(Stretch {
            before,
            values,
            count,
        });
        if self.newest.len() >= self.tidy_at {
            self.newest.retain(|_, trail| trail.root.strong_count() > 0);
            self.tidy_at = (self.newest.len() * 2).max(64);
        }
        let root_now = Rc::downgrade(root);
        self.swap(
            root.id(),
            Some(Trail {
                root: root_now,
                newest,
            }),
        )
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
    /// The values with the number of steps taken, first to last. Where data was changed between two steps by other
    /// means there are two values at one number.
    pub(crate) fn values(&self) -> Vec<(u64, f64)> {
        let mut stretches = Vec::new();
        let mut at = Some(&self.newest);
        while let Some(stretch) = at {
            stretches.push(&stretch.values);
            at = stretch.before.as_ref();
        }
        let mut values: Vec<(u64, f64)> = Vec::with_capacity(self.newest.count);
        for (step, value) in stretches.into_iter().rev().flatten().copied() {
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

impl Drop for Stretch {
    /// A loop over what would be the last reference: there may be one stretch for each of many thousand steps.
    fn drop(&mut self) {
        let mut next = self.before.take();
        while let Some(mut stretch) = next.and_then(Rc::into_inner) {
            next = stretch.before.take();
        }
    }
}

/// The values with their places; where they are too many every second, fourth, eighth…, and the last.
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

//! Watches: what was typed after `:watch` is read again after every statement, and its changes are reported.
//!
//! So a watch on a name or on an item, `w[2]`, follows the name when it is rebound, while `@9`, `$3` and `a@1` stay
//! with their node. A watch on a list watches all its items. Watches are not part of the undo history: `:undo` leaves
//! them alone, and `:reset` removes all of them. The command `:watch` formats the reports.

use std::rc::Rc;

use super::Session;
use super::values::{ListShape, Value};
use crate::graph::Node;
use crate::ops::same_number;
use crate::syntax::{self, Span};

/// The most watches at a time: each is checked after every statement.
pub const MOST_WATCHES: usize = 64;

/// A watch.
#[derive(Clone, Debug)]
pub struct Watch {
    /// What is watched, as it was typed.
    pub typed: Rc<str>,
    /// The state that was reported last; none if the name stood for nothing yet.
    seen: Option<Rc<WatchedState>>,
}

/// The numbers of what is watched, each with its grad.
#[derive(Debug)]
struct WatchedState {
    shape: ListShape,
    numbers: Vec<(f64, Option<f64>)>,
}

/// A change of something watched since the last report.
#[derive(Clone, Debug)]
pub struct Change {
    /// What is watched: a number, or the list in which this one has changed.
    pub typed: Rc<str>,
    /// The shape of what is watched.
    pub shape: ListShape,
    /// The place of the number in the list, counted from 0.
    pub place: usize,
    /// The node it is now.
    pub node: Rc<Node>,
    /// Its data at the last report.
    pub before: Option<f64>,
    /// Its grad at the last report.
    pub grad_before: Option<f64>,
    /// Its grad now.
    pub grad: Option<f64>,
}

impl Change {
    /// Whether the data has changed.
    pub fn of_data(&self) -> bool {
        self.before
            .is_none_or(|before| !same_number(before, self.node.data()))
    }

    /// Whether there is a grad, and it is new or has changed.
    pub fn of_grad(&self) -> bool {
        let had = |grad| self.grad_before.is_some_and(|it| same_number(it, grad));
        self.grad.is_some_and(|grad| !had(grad))
    }
}

impl Session {
    /// All watches, in the order in which they were set.
    pub fn watches(&self) -> &[Watch] {
        &self.recent.watches
    }

    /// Adds a watch. The caller has checked that there is room ([`MOST_WATCHES`]).
    pub fn watch(&mut self, typed: &str) {
        if self.watches().iter().any(|watch| *watch.typed == *typed) {
            return;
        }
        let seen = self.see(typed).map(|(_, seen)| Rc::new(seen));
        let typed = typed.into();
        Rc::make_mut(&mut self.recent.watches).push(Watch { typed, seen });
    }

    /// Keeps only the watches that satisfy `keep`.
    pub fn keep_watches(&mut self, mut keep: impl FnMut(&str) -> bool) {
        Rc::make_mut(&mut self.recent.watches).retain(|watch| keep(&watch.typed));
    }

    /// What has changed since the last call, or since the watch was set.
    pub fn take_watched_changes(&mut self) -> Vec<Change> {
        let mut changes = Vec::new();
        for place in 0..self.recent.watches.len() {
            let Watch { typed, seen } = self.recent.watches[place].clone();
            let Some((value, now)) = self.see(&typed) else {
                // Its last state is kept, and compared once the name stands for something again.
                continue;
            };
            // A list of another shape is another list.
            let before = seen.as_ref().filter(|seen| seen.shape == now.shape);
            for (place, (node, (_, grad))) in value.nodes().iter().zip(&now.numbers).enumerate() {
                let before = before.map(|before| before.numbers[place]);
                let change = Change {
                    typed: Rc::clone(&typed),
                    shape: now.shape.clone(),
                    place,
                    node: Rc::clone(node),
                    before: before.map(|(data, _)| data),
                    grad_before: before.and_then(|(_, grad)| grad),
                    grad: *grad,
                };
                if change.of_data() || change.of_grad() {
                    changes.push(change);
                }
            }
            Rc::make_mut(&mut self.recent.watches)[place].seen = Some(Rc::new(now));
        }
        changes
    }

    /// The value of what is watched, and its state; none if it stands for nothing, or for nothing that exists already.
    fn see(&mut self, typed: &str) -> Option<(Value, WatchedState)> {
        let expression = syntax::expression(typed, Span::new(0, typed.len())).ok()?;
        let made = self.newest_id();
        let built = self.evaluate(typed, &expression).ok();
        let exists = |value: &Value| value.nodes().iter().all(|node| node.id() <= made);
        let value = built.map(|(value, _)| value).filter(exists);
        self.rewind(made);
        let value = value?;
        let pass = self.recent.pass.as_ref();
        let number = |node: &Rc<Node>| (node.data(), pass.and_then(|pass| pass.grad(node)));
        let seen = WatchedState {
            shape: value.shape().clone(),
            numbers: value.nodes().iter().map(number).collect(),
        };
        Some((value, seen))
    }
}

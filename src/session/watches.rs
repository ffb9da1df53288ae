//! Watches: names and nodes whose changes are reported after every statement.
//!
//! A watch on a name or on an item, `w[2]`, follows the name when it is rebound; one on an unnamed node (`@9`, `$3`,
//! `a@1`) stays with the node. A watch on a list watches all its items. Watches are not part of the undo history: `:undo` leaves them alone, `:reset` removes all. The command
//! `:watch` formats the reports.

use std::rc::Rc;

use super::Session;
use super::values::{ListShape, Value};
use crate::graph::Node;

/// The most watches at a time: each is checked after every statement.
pub const MOST_WATCHES: usize = 64;

/// What is watched.
#[derive(Clone, Debug)]
pub enum Subject {
    /// What the name stands for at the moment, or the item of it at these positions, counted from 0.
    Name(Rc<str>, Vec<usize>),
    /// This node.
    Node(Rc<Node>),
}

/// A watch.
#[derive(Clone, Debug)]
pub struct Watch {
    /// What is watched.
    pub subject: Subject,
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
    pub subject: Subject,
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
            .is_none_or(|before| !same(before, self.node.data()))
    }

    /// Whether there is a grad, and it is new or has changed.
    pub fn of_grad(&self) -> bool {
        let had = |grad| self.grad_before.is_some_and(|before| same(before, grad));
        self.grad.is_some_and(|grad| !had(grad))
    }
}

impl Subject {
    /// Whether both are the same name or the same node.
    pub fn is(&self, other: &Subject) -> bool {
        match (self, other) {
            (Subject::Name(one, item), Subject::Name(other, other_item)) => {
                one == other && item == other_item
            }
            (Subject::Node(one), Subject::Node(other)) => Rc::ptr_eq(one, other),
            _ => false,
        }
    }
}

impl Session {
    /// All watches, in the order in which they were set.
    pub fn watches(&self) -> &[Watch] {
        &self.recent.watches
    }

    /// What is watched; none if the name stands for nothing or has no such item.
    pub fn watched(&self, subject: &Subject) -> Option<Value> {
        match subject {
            Subject::Name(name, path) => {
                let mut value = self.names.find(name)?.clone();
                for &at in path {
                    let Value::List(list) = value else {
                        return None;
                    };
                    value = list.item(at)?;
                }
                Some(value)
            }
            Subject::Node(node) => Some(Value::Node(Rc::clone(node))),
        }
    }

    /// The name or label of what is watched.
    pub fn watched_as(&self, subject: &Subject) -> String {
        match subject {
            Subject::Name(name, path) => {
                let indices = path.iter().map(|at| format!("[{}]", at + 1));
                std::iter::once(name.to_string()).chain(indices).collect()
            }
            Subject::Node(node) => self.label(node),
        }
    }

    /// Adds a watch. The caller has checked that there is room ([`MOST_WATCHES`]).
    pub fn watch(&mut self, subject: Subject) {
        if self
            .recent
            .watches
            .iter()
            .any(|watch| watch.subject.is(&subject))
        {
            return;
        }
        let seen = self.see(&subject).map(|(_, seen)| Rc::new(seen));
        Rc::make_mut(&mut self.recent.watches).push(Watch { subject, seen });
    }

    /// Keeps only the watches that satisfy `keep`.
    pub fn keep_watches(&mut self, mut keep: impl FnMut(&Subject) -> bool) {
        Rc::make_mut(&mut self.recent.watches).retain(|watch| keep(&watch.subject));
    }

    /// What has changed since the last call, or since the watch was set.
    pub fn changes_watched(&mut self) -> Vec<Change> {
        let mut changes = Vec::new();
        for place in 0..self.recent.watches.len() {
            let Watch { subject, seen } = &self.recent.watches[place];
            let Some((value, now)) = self.see(subject) else {
                // Its last state is kept, and compared once the name stands for something again.
                continue;
            };
            // A list of another shape is another list.
            let before = seen.as_ref().filter(|seen| seen.shape == now.shape);
            let (mut news, mut lost) = (false, false);
            for (place, (node, (_, grad))) in value.nodes().iter().zip(&now.numbers).enumerate() {
                let before = before.map(|before| before.numbers[place]);
                let change = Change {
                    subject: subject.clone(),
                    shape: now.shape.clone(),
                    place,
                    node: Rc::clone(node),
                    before: before.map(|(data, _)| data),
                    grad_before: before.and_then(|(_, grad)| grad),
                    grad: *grad,
                };
                lost |= change.grad.is_none() && change.grad_before.is_some();
                if change.of_data() || change.of_grad() {
                    news = true;
                    changes.push(change);
                }
            }
            if news || lost {
                Rc::make_mut(&mut self.recent.watches)[place].seen = Some(Rc::new(now));
            }
        }
        changes
    }

    fn see(&self, subject: &Subject) -> Option<(Value, WatchedState)> {
        let value = self.watched(subject)?;
        let pass = self.recent.pass.as_ref();
        let number = |node: &Rc<Node>| (node.data(), pass.and_then(|pass| pass.grad(node)));
        let seen = WatchedState {
            shape: value.shape().clone(),
            numbers: value.nodes().iter().map(number).collect(),
        };
        Some((value, seen))
    }
}

/// Whether two values are equal; all NaNs are.
fn same(one: f64, other: f64) -> bool {
    one.to_bits() == other.to_bits() || one.is_nan() && other.is_nan()
}

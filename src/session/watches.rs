//! Watches: names and nodes whose changes are reported after every statement.
//!
//! A watch on a name follows the name when it is rebound; one on an unnamed node (`@9`, `$3`, `a@1`) stays with the
//! node. Watches are not part of the undo history: `:undo` leaves them alone, `:reset` removes all. The command
//! `:watch` formats the reports.

use std::rc::Rc;

use super::Session;
use crate::graph::Node;

/// The most watches at a time: each is checked after every statement.
pub const MOST_WATCHES: usize = 64;

/// What is watched.
#[derive(Clone, Debug)]
pub enum Subject {
    /// The node that the name stands for at the moment.
    Name(Rc<str>),
    /// This node.
    Node(Rc<Node>),
}

/// A watch.
#[derive(Clone, Debug)]
pub struct Watch {
    /// What is watched.
    pub subject: Subject,
    /// The state that was reported last; none if the name stood for nothing yet.
    seen: Option<WatchedState>,
}

#[derive(Clone, Copy, Debug)]
struct WatchedState {
    data: f64,
    grad: Option<f64>,
}

/// A change of something watched since the last report.
#[derive(Clone, Debug)]
pub struct Change {
    /// What is watched.
    pub subject: Subject,
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
            (Subject::Name(one), Subject::Name(other)) => one == other,
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

    /// The node that is watched; none if the name stands for nothing.
    pub fn watched(&self, subject: &Subject) -> Option<Rc<Node>> {
        match subject {
            Subject::Name(name) => self.names.get(name).map(Rc::clone),
            Subject::Node(node) => Some(Rc::clone(node)),
        }
    }

    /// The name or label of what is watched.
    pub fn watched_as(&self, subject: &Subject) -> String {
        match subject {
            Subject::Name(name) => name.to_string(),
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
        let seen = self.see(&subject).map(|(_, seen)| seen);
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
            let Some((node, now)) = self.see(subject) else {
                // Its last state is kept, and compared once the name stands for something again.
                continue;
            };
            let change = Change {
                subject: subject.clone(),
                node,
                before: seen.map(|seen| seen.data),
                grad_before: seen.and_then(|seen| seen.grad),
                grad: now.grad,
            };
            let news = change.of_data() || change.of_grad();
            if news || change.grad.is_none() && change.grad_before.is_some() {
                Rc::make_mut(&mut self.recent.watches)[place].seen = Some(now);
            }
            if news {
                changes.push(change);
            }
        }
        changes
    }

    fn see(&self, subject: &Subject) -> Option<(Rc<Node>, WatchedState)> {
        let node = self.watched(subject)?;
        let seen = WatchedState {
            data: node.data(),
            grad: self.recent.pass.as_ref().and_then(|pass| pass.grad(&node)),
        };
        Some((node, seen))
    }
}

/// Whether two values are equal; all NaNs are.
fn same(one: f64, other: f64) -> bool {
    one.to_bits() == other.to_bits() || one.is_nan() && other.is_nan()
}

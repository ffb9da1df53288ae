//! Watches: what is looked at after every statement, and what was seen last.
//!
//! A watch on a name follows the name through rebinding, one on an unnamed node (`@9`, `$3`, `a@1`) stays with the node.
//! They are a way of looking and no part of the way back: `:undo` takes none away, `:reset` all. What a change looks
//! like is the command's affair.

use std::rc::Rc;

use super::Session;
use crate::graph::Node;

/// The most things watched at a time: each of them is looked at after every statement.
pub const MOST_WATCHES: usize = 64;

/// What is watched.
#[derive(Clone, Debug)]
pub enum Subject {
    /// Whatever the name stands for.
    Name(Rc<str>),
    /// This node.
    Node(Rc<Node>),
}

/// A watch.
#[derive(Clone, Debug)]
pub struct Watch {
    /// What is watched.
    pub subject: Subject,
    /// What was seen last; nothing as long as the name stands for nothing.
    seen: Option<WatchedState>,
}

#[derive(Clone, Copy, Debug)]
struct WatchedState {
    data: f64,
    grad: Option<f64>,
}

/// Something watched that is not as it was seen last.
#[derive(Clone, Debug)]
pub struct Change {
    /// What is watched.
    pub subject: Subject,
    /// The node it is now.
    pub node: Rc<Node>,
    /// Its data when it was seen last.
    pub before: Option<f64>,
    /// Its grad then.
    pub grad_before: Option<f64>,
    /// Its grad now.
    pub grad: Option<f64>,
}

impl Change {
    /// Is the data another?
    pub fn of_data(&self) -> bool {
        self.before
            .is_none_or(|before| !same(before, self.node.data()))
    }

    /// Is there a grad that was not there so?
    pub fn of_grad(&self) -> bool {
        let had = |grad| self.grad_before.is_some_and(|before| same(before, grad));
        self.grad.is_some_and(|grad| !had(grad))
    }
}

impl Subject {
    /// The same name, or the same node?
    pub fn is(&self, other: &Subject) -> bool {
        match (self, other) {
            (Subject::Name(one), Subject::Name(other)) => one == other,
            (Subject::Node(one), Subject::Node(other)) => Rc::ptr_eq(one, other),
            _ => false,
        }
    }
}

impl Session {
    /// What is watched, in the order in which it was asked for.
    pub fn watches(&self) -> &[Watch] {
        &self.watches
    }

    /// The node that is watched; none if the name stands for nothing.
    pub fn watched(&self, subject: &Subject) -> Option<Rc<Node>> {
        match subject {
            Subject::Name(name) => self.names.get(name).map(Rc::clone),
            Subject::Node(node) => Some(Rc::clone(node)),
        }
    }

    /// What it is called.
    pub fn watched_as(&self, subject: &Subject) -> String {
        match subject {
            Subject::Name(name) => name.to_string(),
            Subject::Node(node) => self.label(node),
        }
    }

    /// Watches this too, from now on. The caller has made sure that there is room ([`MOST_WATCHES`]).
    pub fn watch(&mut self, subject: Subject) {
        if self.watches.iter().any(|watch| watch.subject.is(&subject)) {
            return;
        }
        let seen = self.see(&subject).map(|(_, seen)| seen);
        Rc::make_mut(&mut self.watches).push(Watch { subject, seen });
    }

    /// Keeps the watches for which this holds.
    pub fn keep_watches(&mut self, mut keep: impl FnMut(&Subject) -> bool) {
        Rc::make_mut(&mut self.watches).retain(|watch| keep(&watch.subject));
    }

    /// What changed since this was asked last, or since it is watched.
    pub fn changes_watched(&mut self) -> Vec<Change> {
        let mut changes = Vec::new();
        for place in 0..self.watches.len() {
            let Watch { subject, seen } = &self.watches[place];
            let Some((node, now)) = self.see(subject) else {
                // What it was is told when it is something again.
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
                Rc::make_mut(&mut self.watches)[place].seen = Some(now);
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
            grad: self.pass.as_ref().and_then(|pass| pass.grad(&node)),
        };
        Some((node, seen))
    }
}

/// Any NaN is the same as any NaN.
fn same(one: f64, other: f64) -> bool {
    one.to_bits() == other.to_bits() || one.is_nan() && other.is_nan()
}

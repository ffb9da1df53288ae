//! Finds the likely reason for a wrong guess: computes the numbers that known mistakes lead to, likely ones first.
//!
//! The mistakes are those at the node itself and at its direct users. All numbers are computed from the graph and the
//! rows of the table, without naming an operation. A mistake that leads to the correct number is ignored.

use std::rc::Rc;

use super::{Incoming, Question, same};
use crate::graph::{Node, values};

/// A mistake that explains a wrong number.
#[derive(Clone, Debug)]
pub(crate) enum Slip {
    /// The sign is wrong: of the whole number, or (if true) of one of several contributions.
    Sign(bool),
    /// The upstream is missing: the number is the derivative of this node with respect to the one asked about; for
    /// several users, the sum of the local derivatives.
    Upstream(Option<Rc<Node>>),
    /// The local derivative is missing: the number is the grad of this node; for several users, the sum of their grads.
    Local(Option<Rc<Node>>),
    /// The operand is wrong: the number belongs to another operand of this user. For data: the operands are swapped, or
    /// the number is that of one operand.
    Operand(Rc<Node>),
    /// Only some contributions were counted: all but that of this user, or one alone.
    Path(Option<Rc<Node>>),
    /// This user has the node as an operand several times, and not every time was counted.
    Accumulation(Rc<Node>),
    /// The number is the node's data.
    Value,
    /// The number is near, but has too few digits or wrong ones.
    Digits,
}

impl Slip {
    /// The word for it in JSON, which never changes.
    pub(crate) fn word(&self) -> &'static str {
        match self {
            Slip::Sign(_) => "sign",
            Slip::Upstream(_) => "upstream",
            Slip::Local(_) => "local",
            Slip::Operand(_) => "operand",
            Slip::Path(_) => "path",
            Slip::Accumulation(_) => "accumulation",
            Slip::Value => "value",
            Slip::Digits => "digits",
        }
    }
}

/// Up to this many contributions are tried: each alone, and all but each.
const ARRIVALS: usize = 64;
/// Up to this many operands of a user are tried in place of the right one.
const OPERANDS: usize = 8;

/// The numbers that mistakes lead to, likely ones first.
pub(super) type Candidates = Vec<(f64, Slip)>;

/// The numbers that mistakes in a gradient lead to.
pub(super) fn wrong_grads(question: &Question) -> Candidates {
    let Question {
        truth, arrivals, ..
    } = question;
    let mut found = vec![(-truth, Slip::Sign(false))];
    selections(question, &mut found);
    let few = &arrivals[..arrivals.len().min(ARRIVALS)];
    let only = match few {
        [only] => Some(Rc::clone(&only.user)),
        _ => None,
    };
    if !few.is_empty() {
        let locals = arrivals.iter().map(|arrival| arrival.local).sum();
        found.push((locals, Slip::Upstream(only.clone())));
    }
    for arrival in few {
        other_operands(truth - arrival.amount, arrival, &mut found);
    }
    if !few.is_empty() {
        let upstreams = arrivals.iter().map(|arrival| arrival.upstream).sum();
        found.push((upstreams, Slip::Local(only)));
    }
    found.push((question.node.data(), Slip::Value));
    for arrival in few {
        found.push((truth - 2.0 * arrival.amount, Slip::Sign(true)));
    }
    found
}

/// Sums of some contributions but not all: all but one, or one alone.
fn selections(question: &Question, found: &mut Candidates) {
    let arrivals = &question.arrivals;
    if arrivals.len() < 2 {
        return;
    }
    // The contributions of one user follow each other.
    let is_of = |user: &Rc<Node>, other: Option<&Incoming>| {
        other.is_some_and(|other| Rc::ptr_eq(&other.user, user))
    };
    let mut singles = Vec::new();
    for (place, arrival) in arrivals.iter().enumerate().take(ARRIVALS) {
        let user = &arrival.user;
        let before = place.checked_sub(1).and_then(|place| arrivals.get(place));
        let is_again = is_of(user, before) || is_of(user, arrivals.get(place + 1));
        let but_one = if is_again {
            Slip::Accumulation(Rc::clone(user))
        } else {
            Slip::Path(Some(Rc::clone(user)))
        };
        found.push((question.truth - arrival.amount, but_one));
        let alone = if is_of(user, arrivals.first()) && is_of(user, arrivals.last()) {
            Slip::Accumulation(Rc::clone(user))
        } else {
            Slip::Path(None)
        };
        singles.push((arrival.amount, alone));
    }
    found.append(&mut singles);
}

/// The user's derivative with respect to another of its operands.
fn other_operands(rest: f64, arrival: &Incoming, found: &mut Candidates) {
    let (operands, locals) = (arrival.user.operands(), arrival.user.locals());
    for other in (0..operands.len().min(OPERANDS)).filter(|&other| other != arrival.operand) {
        let amount = arrival.upstream * locals[other];
        // A minus that was taken for a plus.
        let slip = if same(amount, -arrival.amount) {
            Slip::Sign(true)
        } else {
            Slip::Operand(Rc::clone(&arrival.user))
        };
        found.push((rest + amount, slip));
    }
}

/// The numbers that mistakes in a value lead to: its sign, swapped operands, one operand alone.
pub(super) fn wrong_values(question: &Question) -> Candidates {
    let node = &question.node;
    let mut found = vec![(-question.truth, Slip::Sign(false))];
    let values = values(node.operands());
    if let (Some(op), [x, y]) = (node.op(), &values[..]) {
        found.push((op.value(&[*y, *x]), Slip::Operand(Rc::clone(node))));
    }
    for value in values.into_iter().take(ARRIVALS) {
        found.push((value, Slip::Operand(Rc::clone(node))));
    }
    found
}

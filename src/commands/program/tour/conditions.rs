//! How it is recognized that a stop of the tour is done, and what must exist before it makes sense.
//!
//! Whether a stop is done depends on the session, not on what was typed, because there are many ways to do the same
//! thing.

use std::rc::Rc;

use crate::diagnostic::listed;
use crate::graph::{Node, Order};
use crate::session::Session;
use crate::session::by_hand::walk::Direction;
use crate::session::values::Value;

/// Whether the condition of a stop is met, by the session and the last answer.
pub(crate) enum TourCondition {
    /// It is met.
    Done,
    /// It is nearly met. Says what is missing.
    Nearly(String),
    /// It is not met.
    Not,
}

impl TourCondition {
    fn done(done: bool) -> TourCondition {
        if done {
            TourCondition::Done
        } else {
            TourCondition::Not
        }
    }
}

/// What must exist before a stop makes sense.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Needs {
    Nothing,
    /// `L`, depending on `a`
    Graph,
    /// An open walk.
    Walk,
    /// A function of the user.
    Function,
    /// The lists `w` and `x`, and `bias`.
    Weights,
    /// `y`, depending on `w`.
    Neuron,
    /// `loss`, depending on `y`.
    Loss,
}

type Seen = fn(&Session) -> TourCondition;

/// What makes a neuron and its loss, and how it is seen that it is there.
const NEURON: [(Seen, &str); 3] = [
    (
        weights,
        "w, bias = [0.5, -1, 0.25], 0.1; const x = [1, 2, 3]",
    ),
    (neuron, "y = tanh(dot(w, x) + bias)"),
    (loss, "loss = (y - 1)^2"),
];

/// The lines that must be typed before a stop makes sense.
pub(crate) fn missing(session: &Session, needs: Needs) -> impl Iterator<Item = &'static str> {
    let lines: &[(Seen, &str)] = match needs {
        Needs::Nothing => &[],
        Needs::Graph => &[(expression, "a, b, c, f = 2, -3, 10, -2; L = (a*b + c)*f")],
        Needs::Walk => &[(walk, ":walk L")],
        Needs::Function => &[(function, "g(x) = 3x^2 - 4x + 5")],
        Needs::Weights => &NEURON[..1],
        Needs::Neuron => &NEURON[..2],
        Needs::Loss => &NEURON,
    };
    let is_done = |(seen, _): &&(Seen, _)| matches!(seen(session), TourCondition::Done);
    let done = lines.iter().take_while(is_done).count();
    lines[done..].iter().map(|(_, line)| *line)
}

fn named<'s>(session: &'s Session, name: &str) -> Option<&'s Rc<Node>> {
    session.names().get(name)
}

/// The items of a list.
fn items<'s>(session: &'s Session, name: &str) -> &'s [Rc<Node>] {
    match session.names().find(name) {
        Some(list @ Value::List(_)) => list.nodes(),
        _ => &[],
    }
}

/// Which of these names are still missing.
fn to_come(names: &[&str], is_there: impl Fn(&str) -> bool) -> TourCondition {
    let missing: Vec<&&str> = names.iter().filter(|name| !is_there(name)).collect();
    match missing.len() {
        0 => TourCondition::Done,
        count if count == names.len() => TourCondition::Not,
        _ => TourCondition::Nearly(format!("still to come: {}", listed(missing))),
    }
}

/// Whether `root` is an expression over `below`, as the stop wants by this line.
fn depends(
    session: &Session,
    (root, below): (&str, &str),
    node: Option<&Rc<Node>>,
    line: &str,
) -> TourCondition {
    let Some(root_node) = named(session, root) else {
        return TourCondition::Not;
    };
    let above = |node: &Rc<Node>| Order::below([root_node]).position(node).is_some();
    if !root_node.is_leaf() && node.is_some_and(above) {
        TourCondition::Done
    } else {
        TourCondition::Nearly(format!(
            "`{root}` does not depend on `{below}`: the stop wants `{line}`"
        ))
    }
}

fn pass_from(session: &Session, root: &str) -> TourCondition {
    let (Some(pass), Some(node)) = (session.pass(), named(session, root)) else {
        return TourCondition::Not;
    };
    if Rc::ptr_eq(pass.root(), node) {
        TourCondition::Done
    } else {
        TourCondition::Nearly(format!(
            "that pass has another root; the stop wants the one from {root}: `:grad {root}`"
        ))
    }
}

pub(crate) fn leaves(session: &Session) -> TourCondition {
    let is_leaf = |name: &str| named(session, name).is_some_and(|node| node.is_leaf());
    to_come(&["a", "b", "c", "f"], is_leaf)
}

pub(crate) fn expression(session: &Session) -> TourCondition {
    depends(session, ("L", "a"), named(session, "a"), "L = (a*b + c)*f")
}

pub(crate) fn pass(session: &Session) -> TourCondition {
    pass_from(session, "L")
}

pub(crate) fn walk(session: &Session) -> TourCondition {
    let backward = |direction| direction == Direction::Backward;
    TourCondition::done(session.walk().is_some_and(|walk| backward(walk.direction)))
}

pub(crate) fn walked(session: &Session) -> TourCondition {
    let ended = session
        .walk()
        .is_some_and(|walk| walk.position() > 0 && walk.next().is_none());
    TourCondition::done(ended)
}

pub(crate) fn function(session: &Session) -> TourCondition {
    TourCondition::done(session.functions().iter().next().is_some())
}

/// Checks the last value: that of `g'(3)`, or of `g(3)` if the prime was forgotten.
pub(crate) fn prime(session: &Session) -> TourCondition {
    const SLOPE: f64 = 14.0;
    const VALUE: f64 = 20.0;
    let data = session
        .results()
        .last()
        .and_then(Value::node)
        .map(|node| node.data());
    if data == Some(SLOPE) {
        TourCondition::Done
    } else if data == Some(VALUE) {
        TourCondition::Nearly("that is the value; a prime asks for the slope: `g'(3)`".to_string())
    } else {
        TourCondition::Not
    }
}

pub(crate) fn weights(session: &Session) -> TourCondition {
    let is_there = |name: &str| match name {
        "bias" => named(session, name).is_some(),
        list => items(session, list).len() == 3,
    };
    to_come(&["w", "bias", "x"], is_there)
}

pub(crate) fn neuron(session: &Session) -> TourCondition {
    let weight = items(session, "w").get(1);
    depends(session, ("y", "w"), weight, "y = tanh(dot(w, x) + bias)")
}

pub(crate) fn neuron_pass(session: &Session) -> TourCondition {
    pass_from(session, "y")
}

/// Whether `w[2]` is no longer what the tour made it.
pub(crate) fn weight(session: &Session) -> TourCondition {
    match items(session, "w").get(1) {
        Some(weight) if weight.data() == -1.0 => {
            TourCondition::Nearly("`w[2]` is still -1; the stop wants `:set w[2] -0.5`".to_string())
        }
        weight => TourCondition::done(weight.is_some()),
    }
}

pub(crate) fn loss(session: &Session) -> TourCondition {
    depends(
        session,
        ("loss", "y"),
        named(session, "y"),
        "loss = (y - 1)^2",
    )
}

pub(crate) fn trained(session: &Session) -> TourCondition {
    const SMALL: f64 = 0.1;
    match named(session, "loss") {
        Some(loss) if loss.data() >= SMALL => TourCondition::Nearly(
            "the loss is still large; the stop wants `:step 0.05 20 of loss`".to_string(),
        ),
        loss => TourCondition::done(loss.is_some()),
    }
}

/// Whether the last value is a part of the trained neuron.
pub(crate) fn learned(session: &Session) -> TourCondition {
    let shown = session.results().last().map_or(&[][..], Value::nodes);
    let neuron = || items(session, "w").iter().chain(named(session, "y"));
    let is_part = |shown: &Rc<Node>| neuron().any(|node| Rc::ptr_eq(node, shown));
    match trained(session) {
        TourCondition::Done => TourCondition::done(shown.iter().any(is_part)),
        _ => TourCondition::Not,
    }
}

//! The stops of the tour: their texts, what to type, and how it is recognized that a stop is done.
//!
//! The logic of the tour is in the parent module. Whether a stop is done depends on the session, not on what was typed,
//! because there are many ways to do the same thing.

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
}

pub(crate) struct TourStop {
    pub title: &'static str,
    /// The explanation before the line to type.
    pub text: &'static str,
    pub typed: &'static str,
    pub needs: Needs,
    /// The kinds of reports that may fulfil the stop; a silenced statement has none.
    pub kinds: &'static [&'static str],
    /// Checks the session; `None` if the stop leaves no trace there, so that the kind of the report must suffice.
    pub seen: Option<fn(&Session) -> TourCondition>,
    /// Shown when the stop is done.
    pub well: &'static str,
}

/// The leaves of the tour's expression.
const LEAVES: [&str; 4] = ["a", "b", "c", "f"];

/// Recreates the tour's graph.
const GRAPH: &str = "a, b, c, f = 2, -3, 10, -2; L = (a*b + c)*f";

/// All stops, in order.
pub(crate) const STOPS: &[TourStop] = &[
    TourStop {
        title: "numbers with names",
        text: "A binding with nothing but numbers makes leaves: the numbers that you can turn later. Several fit on a \
               line. While you type, the answer is shown dim behind the line.",
        typed: "a, b, c, f = 2, -3, 10, -2",
        needs: Needs::Nothing,
        kinds: &["binding"],
        seen: Some(leaves),
        well: "Good: four leaves.",
    },
    TourStop {
        title: "an expression",
        text: "An expression over names is computed, and the graph behind it is kept: which node was made from which. \
               That is what a calculator usually throws away.",
        typed: "L = (a*b + c)*f",
        needs: Needs::Nothing,
        kinds: &["binding"],
        seen: Some(expression),
        well: "Right: L is a node now, with a*b + c and a*b below it.",
    },
    TourStop {
        title: "gradients",
        text: "One pass backwards through the graph, from L down to the leaves, tells for every node how much L moves when \
               that node moves.",
        typed: ":grad L",
        needs: Needs::Graph,
        kinds: &["grad", "backward", "walk"],
        seen: Some(pass),
        well: "There they are, output first: each row got its grad from the rows above it.",
    },
    TourStop {
        title: "what a gradient says",
        text: "The grad of a says: raise a by a little, and L rises by so many times that. No need to believe it: a nudge \
               bumps a, computes L anew, and compares. Nothing is changed by it.",
        typed: ":nudge a 0.001",
        needs: Needs::Graph,
        kinds: &["nudge"],
        seen: None,
        well: "You see: the slope that was measured is the grad that was computed.",
    },
    TourStop {
        title: "why it is so",
        text: "The chain rule: along a path from L down to a, the local derivatives are multiplied. Where there are several \
               paths, their products are added.",
        typed: ":explain a",
        needs: Needs::Graph,
        kinds: &["explain"],
        seen: None,
        well: "That is it: one factor for each edge on the way. There is no more to backpropagation.",
    },
    TourStop {
        title: "another value",
        text: "`:set` changes a leaf under the graph: what is above it follows, and the pass runs again. (`a = 3` would make \
               a new leaf called a, and L would stay on the old one.)",
        typed: ":set a 3",
        needs: Needs::Graph,
        kinds: &["set"],
        seen: None,
        well: "Good: everything that moved is shown, before and after.",
    },
    TourStop {
        title: "a step downhill",
        text: "Gradient descent: each leaf moves against its grad, a little. 0.01 is how much of the grad is taken. L should \
               come out smaller, and that is how networks learn.",
        typed: ":step 0.01",
        needs: Needs::Graph,
        kinds: &["step"],
        seen: None,
        well: "Smaller, as promised. `:step 0.01 20` makes twenty of them.",
    },
    TourStop {
        title: "back",
        text: "Every change can be taken back, and done again with `:redo`. `:log` lists them. Try without fear.",
        typed: ":undo",
        needs: Needs::Nothing,
        kinds: &["undo"],
        seen: None,
        well: "Good: as if it had not been.",
    },
    TourStop {
        title: "the pass by hand",
        text: "Now the same pass slowly: one node at a time, each passing on upstream times local to its operands. A walk \
               stands still until you go on.",
        typed: ":walk L",
        needs: Needs::Graph,
        kinds: &["walk"],
        seen: Some(walk),
        well: "Good: the walk begins at L, with dL/dL = 1.",
    },
    TourStop {
        title: "stop by stop",
        text: "An empty line (or `:next`) is the next stop, `:prev` goes back. Before a number is shown you may say what it \
               will be, as in `:guess b -6`. Go on to the end:",
        typed: ":next all",
        needs: Needs::Walk,
        kinds: &["walk"],
        seen: Some(walked),
        well: "Well walked: a finished walk is the pass of `:grad L`, to the bit.",
    },
    TourStop {
        title: "the graph",
        text: "All of it as a picture, values and grads in the boxes. With a file name at the end, as in `:graph L \
               lesson.svg`, it becomes a picture to keep.",
        typed: ":graph L",
        needs: Needs::Graph,
        kinds: &["graph"],
        seen: None,
        well: "Good. `:tree L` shows the same as a list.",
    },
    TourStop {
        title: "functions",
        text: "A function of your own is one line. 3x is 3 times x: a number right before a name multiplies.",
        typed: "g(x) = 3x^2 - 4x + 5",
        needs: Needs::Nothing,
        kinds: &["function"],
        seen: Some(function),
        well: "Good: it can be called like any other.",
    },
    TourStop {
        title: "their derivatives",
        text: "A prime is the derivative: exact, of any order, of built-in functions too. `grad(L, a)` does the same for an \
               expression.",
        typed: "g'(3)",
        needs: Needs::Function,
        kinds: &["value"],
        seen: Some(prime),
        well: "Right: 6*3 - 4, without rounding a difference.",
    },
    TourStop {
        title: "trust",
        text: "`:check` compares every gradient with differences, and says so when one is off. Do it whenever you doubt.",
        typed: ":check L",
        needs: Needs::Graph,
        kinds: &["check"],
        seen: None,
        well: "All right, and that was the tour. Well done.",
    },
];

/// What must be typed before a stop makes sense, if anything.
pub(crate) fn missing(session: &Session, needs: Needs) -> Option<&'static str> {
    let there = match needs {
        Needs::Nothing => true,
        Needs::Graph => matches!(expression(session), TourCondition::Done),
        Needs::Walk => matches!(walk(session), TourCondition::Done),
        Needs::Function => matches!(function(session), TourCondition::Done),
    };
    let line = match needs {
        Needs::Walk => ":walk L",
        Needs::Function => "g(x) = 3x^2 - 4x + 5",
        Needs::Graph | Needs::Nothing => GRAPH,
    };
    (!there).then_some(line)
}

fn named<'s>(session: &'s Session, name: &str) -> Option<&'s Rc<Node>> {
    session.names().get(name)
}

fn leaves(session: &Session) -> TourCondition {
    let is_leaf = |name: &str| named(session, name).is_some_and(|node| node.is_leaf());
    let missing: Vec<&&str> = LEAVES.iter().filter(|name| !is_leaf(name)).collect();
    match missing.len() {
        0 => TourCondition::Done,
        4 => TourCondition::Not,
        _ => TourCondition::Nearly(format!("still to come: {}", listed(missing))),
    }
}

fn expression(session: &Session) -> TourCondition {
    let Some(node) = named(session, "L") else {
        return TourCondition::Not;
    };
    let above = |leaf: &Rc<Node>| Order::below([node]).position(leaf).is_some();
    if !node.is_leaf() && named(session, "a").is_some_and(above) {
        TourCondition::Done
    } else {
        TourCondition::Nearly(
            "`L` does not depend on `a`: the stop wants `L = (a*b + c)*f`".to_string(),
        )
    }
}

fn pass(session: &Session) -> TourCondition {
    let (Some(pass), Some(node)) = (session.pass(), named(session, "L")) else {
        return TourCondition::Not;
    };
    if Rc::ptr_eq(pass.root(), node) {
        TourCondition::Done
    } else {
        TourCondition::Nearly(
            "that pass has another root; the stop wants the one from L: `:grad L`".to_string(),
        )
    }
}

fn walk(session: &Session) -> TourCondition {
    let backward = session
        .walk()
        .is_some_and(|walk| walk.direction == Direction::Backward);
    if backward {
        TourCondition::Done
    } else {
        TourCondition::Not
    }
}

fn walked(session: &Session) -> TourCondition {
    let ended = session
        .walk()
        .is_some_and(|walk| walk.position() > 0 && walk.next().is_none());
    if ended {
        TourCondition::Done
    } else {
        TourCondition::Not
    }
}

fn function(session: &Session) -> TourCondition {
    let own = session.functions().iter().next().is_some();
    if own {
        TourCondition::Done
    } else {
        TourCondition::Not
    }
}

/// Checks the last value: that of `g'(3)`, or of `g(3)` if the prime was forgotten.
fn prime(session: &Session) -> TourCondition {
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

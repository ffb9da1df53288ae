//! The stops of the tour: their texts, and what to type.
//!
//! The logic of the tour is in the parent module, and `conditions` recognizes that a stop is done.

use super::conditions::{
    Needs, TourCondition, expression, function, learned, leaves, loss, neuron, neuron_pass, pass,
    prime, trained, walk, walked, weight, weights,
};
use crate::session::Session;

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
        well: "All right: every gradient is what was measured.",
    },
    TourStop {
        title: "lists",
        text: "A list is one name for several leaves: w[1], w[2] and w[3]. These will be the weights of a neuron, with a \
               bias. `const` makes x data: `:step` does not move it.",
        typed: "w, bias = [0.5, -1, 0.25], 0.1; const x = [1, 2, 3]",
        needs: Needs::Nothing,
        kinds: &["binding"],
        seen: Some(weights),
        well: "Good: three weights, and data that stay.",
    },
    TourStop {
        title: "a neuron",
        text: "Each weight times its input, all added up, and squeezed between -1 and 1. `dot(w, x)` is \
               w[1]*x[1] + w[2]*x[2] + w[3]*x[3].",
        typed: "y = tanh(dot(w, x) + bias)",
        needs: Needs::Weights,
        kinds: &["binding"],
        seen: Some(neuron),
        well: "Right: a list is no node, so y is made from its items.",
    },
    TourStop {
        title: "the gradients of a neuron",
        text: "The same pass as before, for items are nodes like any other: it tells which weight moves y the most.",
        typed: ":grad y",
        needs: Needs::Neuron,
        kinds: &["grad", "backward"],
        seen: Some(neuron_pass),
        well: "There: the larger an input, the more its weight counts.",
    },
    TourStop {
        title: "one weight",
        text: "An item stands wherever a leaf does. (`w[2] = -0.5` is refused: it would bind a name, not move a leaf.)",
        typed: ":set w[2] -0.5",
        needs: Needs::Neuron,
        kinds: &["set"],
        seen: Some(weight),
        well: "Good: y rose with its weight, by about 2 for each 1 of it at first.",
    },
    TourStop {
        title: "a loss",
        text: "Say y should be 1. How far it is off is a number, too, and a smaller one is better: so this is what to go \
               downhill on.",
        typed: "loss = (y - 1)^2",
        needs: Needs::Neuron,
        kinds: &["binding"],
        seen: Some(loss),
        well: "Good: loss is 0 when y is 1, and never below.",
    },
    TourStop {
        title: "training",
        text: "Twenty times a pass from loss and a step against it. All weights move, and the bias; the data do not.",
        typed: ":step 0.05 20 of loss",
        needs: Needs::Loss,
        kinds: &["step"],
        seen: Some(trained),
        well: "That is how networks learn: before and after, leaf by leaf.",
    },
    TourStop {
        title: "what it has learned",
        text: "The names stand for the same nodes as before. Look at one: y, w, or w[2].",
        typed: "y",
        needs: Needs::Loss,
        kinds: &["value"],
        seen: Some(learned),
        well: "Close to 1. `[tanh(dot(v, x)) for v in W]` would be a whole layer; `:help lists` says how. That was the \
               tour. Well done.",
    },
];

//! Topics of gradients: passes and their staleness, and the words of the graph.
//!
//! Prose; what a pass does is decided in `graph`.

use super::{Part, Topic};

pub(super) const PASSES: Topic = Topic {
    name: "passes",
    also: &[
        "pass",
        "gradients",
        "gradient",
        "stale",
        "staleness",
        "zeroing",
        "accumulate",
        "backprop",
        "backpropagation",
    ],
    summary: "passes, staleness, exact zeros, NaN",
    parts: &[
        Part::Says(
            "A pass belongs to its root: `:grad L` goes backwards from L and computes how L moves when a node below it \
             moves. The root has grad 1; every other node sums what its users pass on, upstream times local.",
        ),
        Part::Rows(&[
            (":grad L", "forget what was there, then one pass"),
            (
                ":backward L",
                "one more pass, added: what a forgotten zero does",
            ),
            (":zero", "forget it"),
            ("a.grad", "the number of the last pass, as a constant"),
            (":walk L", "the same pass by hand, node by node"),
        ]),
        Part::Says(
            "Grads are stale as soon as data changes, and tables say so; `:set` and `:step` run the pass again. Before any \
             pass the column shows `·`, not 0.",
        ),
        Part::Says(
            "A NaN passes on NaN, never a plausible number; an exact 0 cuts it off. At a kink the page of the operation \
             says what is taken (`:help relu`), `:help conventions` lists all of them. `:explain a` says why a gradient is \
             what it is.",
        ),
    ],
};

pub(super) const WORDS: Topic = Topic {
    name: "words",
    also: &[
        "word",
        "glossary",
        "vocabulary",
        "node",
        "nodes",
        "operand",
        "operands",
        "user",
        "users",
        "root",
        "data",
        "local",
        "upstream",
        "contribution",
    ],
    summary: "node, leaf, operand, user, root, local, upstream, …",
    parts: &[
        Part::Says(
            "They mean the same in answers, table heads, help and JSON. In L = (a*b + c)*f:",
        ),
        Part::Rows(&[
            (
                "node",
                "a number in the graph: a leaf, or an operation with its operands",
            ),
            (
                "leaf",
                "a node with no operands: a, b, c, f. Only its data can be changed",
            ),
            ("operand", "what an operation takes: `a*b` has a and b"),
            ("user", "the other way round: `a*b` is the user of a"),
            ("root", "where a pass starts: L"),
            ("data", "the value of a node"),
            ("grad", "how the root moves with the node: dL/da"),
            (
                "local",
                "the derivative of an operation by one operand: of `a*b` by a it is b",
            ),
            (
                "upstream",
                "the grad of the user, which comes down to its operands",
            ),
            (
                "contribution",
                "upstream times local: what one user passes on. A grad is their sum",
            ),
            ("pass", "all grads below a root, computed in one sweep"),
            ("stale", "older than the last change of data"),
            ("free, frozen", "a leaf that `:step` moves, or leaves alone"),
            (
                "constant",
                "a node with no leaf below it: a literal, `a.data`",
            ),
        ]),
    ],
};

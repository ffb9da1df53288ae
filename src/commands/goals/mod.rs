//! Gradients at work: commands that put derivatives to use for a goal outside the session.
//!
//! They find what is wanted by exact derivatives, or write model and gradients down for other programs.

pub(crate) mod budget;
mod columns;
pub(crate) mod export;
pub(crate) mod fit;
pub(crate) mod minimize;
mod moved;
pub(crate) mod solve;

use std::rc::Rc;

use crate::diagnostic::{Diagnostic, listed};
use crate::graph::{Node, Order};
use crate::report::{Line, join, say};
use crate::session::Session;
use crate::syntax::literal;

/// The most names or equations in a message.
const MOST_NAMED: usize = 4;

/// A number with six digits, as it can be typed.
fn rounded(value: f64) -> String {
    let shorter = format!("{value:.5e}").parse();
    literal(shorter.unwrap_or(value), false)
}

/// Nodes by their names: `a, b, …`
fn named<'n>(session: &Session, nodes: impl ExactSizeIterator<Item = &'n Rc<Node>>) -> Line {
    let more = if nodes.len() > MOST_NAMED {
        ", …"
    } else {
        ""
    };
    let names = nodes
        .take(MOST_NAMED)
        .map(|node| say!("{:name}", session.label(node)));
    say!("{}{}", join(names, ", "), more)
}

/// Leaves with data: `x = 3, y = 0.5, …`
fn placed<'n>(
    session: &Session,
    leaves: impl ExactSizeIterator<Item = (&'n Rc<Node>, f64)>,
) -> String {
    let more = if leaves.len() > MOST_NAMED {
        ", …"
    } else {
        ""
    };
    let place =
        |(leaf, data): (&Rc<Node>, f64)| format!("{} = {}", session.label(leaf), rounded(data));
    let places: Vec<String> = leaves.take(MOST_NAMED).map(place).collect();
    places.join(", ") + more
}

/// The error for what was typed without a free leaf below it; `constant` helps if there is no leaf at all.
fn no_free_leaf(
    session: &Session,
    typed: &str,
    [purpose, constant]: [&str; 2],
    below: &Order,
) -> Diagnostic {
    let frozen = below.nodes().iter().filter(|node| node.is_leaf());
    let frozen: Vec<String> = frozen
        .take(MOST_NAMED)
        .map(|leaf| session.label(leaf))
        .collect();
    let help = if frozen.is_empty() {
        constant.to_string()
    } else {
        format!("`:thaw` frees a frozen leaf: {}", listed(frozen))
    };
    Diagnostic::new(format!("`{typed}` has no free leaf to {purpose}")).help(help)
}

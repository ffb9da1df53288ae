//! The search for leaves, which `:fit`, `:solve` and `:minimize` share, and in part `:budget` and `:step`.
//!
//! `linear`, `least_squares` and `bfgs` are mathematics on lists of numbers, and know nothing of graphs. `differences`,
//! `penalties` and `second_order` give them the numbers of nodes, and `implicit` tells how the leaves that were found follow
//! others. `checks` comes before a search, `leaf_search` runs it and moves the leaves, and `leaf_texts` writes leaves into
//! messages. This file has what several of them need: the watch over a search, formulas that the user has not typed, and
//! kinks.

pub(crate) mod bfgs;
pub(crate) mod checks;
pub(crate) mod differences;
pub(crate) mod implicit;
pub(crate) mod leaf_search;
pub(crate) mod leaf_texts;
pub(crate) mod least_squares;
pub(crate) mod linear;
#[cfg(test)]
mod nist_tests;
pub(crate) mod penalties;
pub(crate) mod second_order;
pub(crate) mod zeros;

use std::rc::Rc;

use chainrule_engine::graph::{Node, Order, gradients, values};
use chainrule_engine::ops::{self, Kink, Shape};
use chainrule_language::Span;
use chainrule_program::Environment as _;
use chainrule_program::values::{List, Value};
use chainrule_report::diagnostic::Result;
use chainrule_session::Session;
use chainrule_stop as stop;

/// The most leaves of a fit. Its time grows with their square.
pub const MOST_FITTED: usize = 500;
/// The most sources of a found leaf.
pub const MOST_SOURCES: usize = 2_000;
/// The most derivatives that one pass of a search may compute. Their number is the points (or equations) times the leaves.
pub const MOST_FIT_DERIVATIVES: usize = 20_000_000;

/// A function that a search calls for each pass with the number of the pass, a value to watch, and the point. It returns
/// whether the search goes on. A long pass calls it more than once.
pub(crate) type SearchWatch<'w> = &'w mut dyn FnMut(u64, f64, &[f64]) -> bool;

/// The progress of searches that follow one another.
pub(crate) struct Progress<'w> {
    watch: SearchWatch<'w>,
    /// The passes of the searches that have ended.
    pub(crate) passes: u64,
    pub(crate) is_stopped: bool,
}

impl Progress<'_> {
    pub(crate) fn watched_by(watch: SearchWatch) -> Progress {
        Progress {
            watch,
            passes: 0,
            is_stopped: false,
        }
    }

    /// Asks whether to go on after this pass of the present search. Once stopped, no search goes on.
    pub(crate) fn goes_on(&mut self, pass: u64, value: f64, point: &[f64]) -> bool {
        self.is_stopped = self.is_stopped || !(self.watch)(self.passes + pass, value, point);
        !self.is_stopped
    }
}

/// Returns the list of these nodes.
pub(crate) fn list_of(nodes: &[Rc<Node>]) -> Value {
    let items = nodes.iter().cloned().map(Value::from);
    List::from_items(items.collect()).into()
}

/// Applies an operator or a function, by its name, to these operands.
pub(crate) fn apply(session: &mut Session, name: &str, operands: Vec<Value>) -> Result<Value> {
    let count = operands.iter().map(|value| value.nodes().len()).sum();
    let op = ops::operator(name, Shape::Infix).or_else(|| ops::function(name, count));
    let known = op.expect("callers name known operations");
    let applied = session.program_mut().operation(known, operands);
    applied.map_err(|error| error.at(Span::default()))
}

/// Returns for each node of an order whether it is one of these leaves or depends on one.
pub(crate) fn depends_on_leaves(order: &Order, is_leaf: impl Fn(&Rc<Node>) -> bool) -> Vec<bool> {
    let mut depends = vec![false; order.nodes().len()];
    // Operands come after their users.
    for (slot, node) in stop::with_checks(order.nodes().iter().enumerate().rev()) {
        let mut operands = node.operands().iter();
        depends[slot] = is_leaf(node)
            || operands.any(|operand| order.slot(operand).is_some_and(|below| depends[below]));
    }
    depends
}

/// Returns an operation below the root that is at a kink now, if the moved leaves can move it and its grad is not 0.
pub(crate) fn kink_below(
    root: &Rc<Node>,
    is_moved: impl Fn(&Rc<Node>) -> bool,
) -> Option<Rc<Node>> {
    let order = Order::below([root]);
    let grads = gradients(&order, root, |_| {});
    let moves = depends_on_leaves(&order, is_moved);
    // From the operands up, so that the cause comes before its effects.
    let mut nodes = order.nodes().iter().enumerate().rev();
    let is_at_kink = |(slot, node): &(usize, &Rc<Node>)| {
        let holds = |kink: &Kink| (kink.holds)(&values(node.operands()));
        let has_kink = || node.op().is_some_and(|op| op.kinks.iter().any(holds));
        moves[*slot] && grads[*slot] != 0.0 && has_kink()
    };
    nodes.find(is_at_kink).map(|(_, node)| Rc::clone(node))
}

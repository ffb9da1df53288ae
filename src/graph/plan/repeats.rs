//! Memoization for orders that are swept again and again: their graphs in flat arrays, and a copy of the data.
//!
//! There is a memo for each order, for as long as the order is alive. The first passes go through the nodes; from the
//! third on, making the arrays pays off.

use std::cell::{Cell, OnceCell, RefCell};
use std::rc::Rc;

use super::lowered::FlatGraph;
use super::run::DataCopy;
use crate::graph::order::{Identity, Order};

/// The first pass over an order that goes through flat arrays.
const PAYS_FROM: u32 = 3;

#[derive(Debug)]
struct Memo {
    order: Identity,
    lowered: OnceCell<Rc<FlatGraph>>,
    passes: Cell<u32>,
    copy: RefCell<Option<DataCopy>>,
}

impl Memo {
    fn lowered(&self, order: &Order) -> Rc<FlatGraph> {
        Rc::clone(self.lowered.get_or_init(|| Rc::new(FlatGraph::of(order))))
    }
}

thread_local! {
    /// The memos of the orders that are alive, mostly a few, so a search through all of them is fast.
    static MEMOS: RefCell<Vec<Rc<Memo>>> = const { RefCell::new(Vec::new()) };
}

/// The memo of an order. Also drops the memos of orders that are no longer alive.
fn memo(order: &Order) -> Rc<Memo> {
    MEMOS.with_borrow_mut(|memos| {
        memos.retain(|memo| !memo.order.is_gone());
        if let Some(found) = memos.iter().find(|memo| memo.order.is_of(order)) {
            return Rc::clone(found);
        }
        let memo = Rc::new(Memo {
            order: order.identity(),
            lowered: OnceCell::new(),
            passes: Cell::new(0),
            copy: RefCell::default(),
        });
        memos.push(Rc::clone(&memo));
        memo
    })
}

/// The graph of an order in flat arrays.
pub(super) fn lowered(order: &Order) -> Rc<FlatGraph> {
    memo(order).lowered(order)
}

/// Calls `work` with the copy of an order's data, or returns `None` if the order has not had enough passes for that.
pub(in crate::graph) fn copy<T>(order: &Order, work: impl FnOnce(&mut DataCopy) -> T) -> Option<T> {
    let memo = memo(order);
    let passes = memo.passes.get() + 1;
    memo.passes.set(passes.min(PAYS_FROM));
    if passes < PAYS_FROM {
        return None;
    }
    let mut copy = memo.copy.borrow_mut();
    Some(work(copy.get_or_insert_with(|| {
        DataCopy::of(order, memo.lowered(order))
    })))
}

/// Whether the copy of an order's data, if there is one, is up to date.
pub(in crate::graph) fn copy_is_good(order: &Order) -> bool {
    let memo = memo(order);
    let copy = memo.copy.borrow();
    copy.as_ref().is_none_or(|copy| copy.is_good(order))
}

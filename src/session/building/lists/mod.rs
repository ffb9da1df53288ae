//! Lists in expressions: their items, ranges, and operations item by item.
//!
//! Only numbers become nodes. An operation on lists is applied to the first numbers of its operands, then to the second
//! ones, and so on; a number goes with every item.

pub(crate) mod errors;
mod functions;

use std::rc::Rc;

use self::errors as list_errors;
use crate::graph::{Node, NodeId, Spelling};
use crate::ops::{Op, Rule};
use crate::session::Session;
use crate::session::building::items::IndexSite;
use crate::session::building::terms::{CallSite, LIST_NUMBERS, STATEMENT_NODES};
use crate::session::error::Error;
use crate::session::values::{LIST_DEPTH, List, ListShape, Value};
use crate::syntax::Span;

/// How many items are made between two checks whether to stop.
const ITEMS_PER_QUESTION: usize = 1 << 14;

impl Session {
    /// `[a, b]`
    pub(crate) fn list_of(&self, items: Vec<Value>, span: Span) -> Result<Value, Error> {
        let size = |item: &Value| item.shape().size();
        self.room_in_list(items.iter().map(size).sum(), span)?;
        let list = List::from_items(items);
        if list.shape().depth() > LIST_DEPTH {
            return Err(list_errors::lists_too_deep(span));
        }
        Ok(Value::List(Rc::new(list)))
    }

    /// `w[2]`, `w[[3, 1]]`
    pub(crate) fn item_of(
        &self,
        value: &Value,
        position: &Value,
        site: IndexSite,
    ) -> Result<Value, Error> {
        let Value::List(list) = value else {
            return Err(list_errors::index_of_number(site));
        };
        if site.is_condition() {
            return Err(list_errors::index_by_condition(site));
        }
        let item = |node: &Rc<Node>| {
            let number = node.data();
            if number.fract() != 0.0 || !number.is_finite() {
                return Err(list_errors::position_not_whole(number, site));
            }
            if number < 1.0 || number > list.count() as f64 {
                return Err(list_errors::no_item(number, list.count(), site));
            }
            let item = list.item(number as usize - 1);
            item.ok_or_else(|| list_errors::no_item(number, list.count(), site))
        };
        match position {
            Value::Node(node) => item(node),
            Value::List(positions) if positions.shape().depth() == 1 => {
                let items: Result<Vec<Value>, Error> = positions.nodes().iter().map(item).collect();
                self.list_of(items?, site.span())
            }
            Value::List(positions) => Err(list_errors::index_by_table(positions.shape(), site)),
        }
    }

    /// `A..B`
    pub(crate) fn range(&mut self, start: &Value, end: &Value, span: Span) -> Result<Value, Error> {
        let whole = |value: &Value| {
            let Value::Node(node) = value else {
                return Err(list_errors::range_end_is_list(value.shape(), span));
            };
            let number = node.data();
            if number.fract() != 0.0 || number.abs() > MAX_WHOLE {
                return Err(list_errors::range_end(number, span));
            }
            Ok(number)
        };
        let (start, end) = (whole(start)?, whole(end)?);
        if start > end {
            return Err(list_errors::range_down(start, end, span));
        }
        if end - start >= f64::from(STATEMENT_NODES) {
            return Err(list_errors::too_many_items(span, STATEMENT_NODES));
        }
        let count = (end - start) as usize + 1;
        self.ask_before(count)?;
        let mut nodes = Vec::with_capacity(count);
        for at in 0..count {
            self.ask(at)?;
            nodes.push(self.graph.constant(start + at as f64, Spelling::Plain));
        }
        Ok(Value::shaped(
            nodes,
            &ListShape::rows(count, ListShape::NUMBER),
        ))
    }

    /// An operation on operands of which at least one is a list.
    pub(crate) fn item_by_item(
        &mut self,
        op: &'static Op,
        operands: &[Value],
        span: Span,
        started: NodeId,
    ) -> Result<Value, Error> {
        if let ([Value::List(list)], Rule::Many { .. }) = (operands, op.rule) {
            return self.reduced(op, list, span, started);
        }
        let shape = common_shape(op, operands, span)?;
        let count = shape.size();
        self.room_for(count, span, started)?;
        let mut nodes = Vec::with_capacity(count);
        let mut taken: Vec<Rc<Node>> = Vec::with_capacity(operands.len());
        for at in 0..count {
            self.ask(at)?;
            taken.clear();
            taken.extend(operands.iter().map(|operand| match operand {
                Value::Node(node) => Rc::clone(node),
                Value::List(list) => Rc::clone(&list.nodes()[at]),
            }));
            nodes.push(self.graph.apply(op, &taken));
        }
        Ok(Value::shaped(nodes, &shape))
    }

    /// An operation on numbers or lists.
    pub(crate) fn operation(
        &mut self,
        op: &'static Op,
        mut operands: Vec<Value>,
        place: CallSite,
    ) -> Result<Value, Error> {
        let count = operands.len();
        self.operation_on(op, &mut operands, count, place)
    }

    /// An operation on the last `count` values of a stack, which are taken from it.
    pub(crate) fn operation_on(
        &mut self,
        op: &'static Op,
        stack: &mut Vec<Value>,
        count: usize,
        place: CallSite,
    ) -> Result<Value, Error> {
        if let Some(node) = self.applied(op, stack, count) {
            return Ok(node.into());
        }
        let operands = stack.split_off(stack.len() - count);
        self.item_by_item(op, &operands, place.span, place.started)
    }

    /// `sum(w)`: what stands between the items of a list. Items that are lists of one shape give a list.
    pub(crate) fn reduced(
        &mut self,
        op: &'static Op,
        list: &List,
        span: Span,
        started: NodeId,
    ) -> Result<Value, Error> {
        let Some(row) = list.shape().row() else {
            return Err(list_errors::ragged(op.spelling, list.shape(), span));
        };
        if row.lengths().is_none() {
            return Err(list_errors::ragged(op.spelling, row, span));
        }
        let (size, nodes) = (row.size(), list.nodes());
        self.room_for(size, span, started)?;
        self.ask_before(nodes.len())?;
        let mut made = Vec::with_capacity(size);
        for at in 0..size {
            self.ask(at)?;
            let operands: Vec<Rc<Node>> = nodes[at..].iter().step_by(size).cloned().collect();
            made.push(self.graph.apply(op, &operands));
        }
        Ok(Value::shaped(made, row))
    }

    /// An error if a statement that has begun at node `started` may not make so many further nodes.
    pub(crate) fn room_for(&self, count: usize, span: Span, started: NodeId) -> Result<(), Error> {
        let made = (self.graph.made() - started) as usize;
        if made + count > STATEMENT_NODES as usize {
            return Err(list_errors::too_many_items(span, STATEMENT_NODES));
        }
        self.ask_before(count)
    }

    /// An error if a list may not hold so many numbers, or if the statement should stop before they are put together.
    pub(crate) fn room_in_list(&self, numbers: usize, span: Span) -> Result<(), Error> {
        if numbers > LIST_NUMBERS {
            return Err(list_errors::list_too_long(span, LIST_NUMBERS));
        }
        self.ask_before(numbers)
    }

    /// Counts the numbers of lists that are about to be copied, and asks now and then whether to stop.
    pub(crate) fn ask_before(&self, numbers: usize) -> Result<(), Error> {
        let copied = self.copied.get() + numbers;
        if copied < ITEMS_PER_QUESTION {
            self.copied.set(copied);
            return Ok(());
        }
        self.copied.set(0);
        if self.host.stop_before(copied) {
            return Err(Error::Interrupted);
        }
        Ok(())
    }

    /// Asks now and then whether to stop.
    pub(crate) fn ask(&self, at: usize) -> Result<(), Error> {
        if at % ITEMS_PER_QUESTION == ITEMS_PER_QUESTION - 1 && self.host.stop() {
            return Err(Error::Interrupted);
        }
        Ok(())
    }
}

/// The largest whole number below which all whole numbers are exact.
const MAX_WHOLE: f64 = 9_007_199_254_740_992.0;

/// The shape of the lists among the operands, which must be the same and regular.
fn common_shape(op: &'static Op, operands: &[Value], span: Span) -> Result<ListShape, Error> {
    let mut lists = operands.iter().filter(|value| value.node().is_none());
    let first = lists
        .next()
        .map(|list| list.shape().clone())
        .unwrap_or_default();
    if let Some(other) = lists.find(|list| *list.shape() != first) {
        return Err(list_errors::unlike_shapes(op, &first, other.shape(), span));
    }
    if first.lengths().is_none() {
        return Err(list_errors::ragged(op.spelling, &first, span));
    }
    Ok(first)
}

//! Lists in expressions: their items, ranges, and operations item by item.
//!
//! Only numbers become nodes. An operation on lists is applied to the first numbers of its operands, then to the second
//! ones, and so on; a number goes with every item.

pub(crate) mod errors;
mod functions;
mod items;

use std::rc::Rc;

use self::errors as list_errors;
pub(crate) use self::items::{item_of, list_of};
use crate::graph::{Node, NodeId, Spelling};
use crate::ops::{Op, Rule};
use crate::session::Session;
use crate::session::building::terms::{CallSite, STATEMENT_NODES};
use crate::session::error::Error;
use crate::session::values::{List, ListShape, Value};
use crate::stop;
use crate::syntax::Span;

impl Session {
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
        stop::before(count);
        let mut nodes = Vec::with_capacity(count);
        for at in 0..count {
            stop::ask(at);
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
            stop::ask(at);
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
        stop::before(nodes.len());
        let mut made = Vec::with_capacity(size);
        for at in 0..size {
            stop::ask(at);
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
        stop::before(count);
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

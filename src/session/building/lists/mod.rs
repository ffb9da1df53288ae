//! Lists in expressions: their items, ranges, and operations item by item.
//!
//! Only numbers become nodes. An operation on lists is applied to the first numbers of its operands, then to the second
//! ones, and so on; a number goes with every item.

mod functions;
mod items;

use std::rc::Rc;

pub(crate) use self::items::{item_of, list_of};
use crate::graph::{Node, NodeId, Spelling};
use crate::ops::{Op, Rule};
use crate::report::plural;
use crate::session::Session;
use crate::session::building::terms::{CallSite, STATEMENT_NODES};
use crate::session::error::{Error, fail, too_many_nodes};
use crate::session::values::{List, ListShape, Value};
use crate::stop;
use crate::syntax::{self, Span};

impl Session {
    /// `A..B`
    pub(crate) fn range(&mut self, start: &Value, end: &Value, span: Span) -> Result<Value, Error> {
        let whole = |value: &Value| {
            let Value::Node(node) = value else {
                let shape = value.shape();
                let message =
                    format!("a range goes from a number to a number, and this is {shape}");
                let help = "up to the length of a list: `1..len(w)`";
                return Err(fail(span, message, help));
            };
            let number = node.data();
            if number.fract() != 0.0 || number.abs() > MAX_WHOLE {
                let number = syntax::literal(number, false);
                let message =
                    format!("a range goes from one whole number to another, and this is {number}");
                let help = "other grids are computed from a range: `(0..10)/10`";
                return Err(fail(span, message, help));
            }
            Ok(number)
        };
        let (start, end) = (whole(start)?, whole(end)?);
        if start > end {
            let message = format!("a range counts up, and {start} is more than {end}");
            let turned = format!("{end}..{start}");
            let help = format!("`{turned}`, or backwards `{start} + {end} - ({turned})`");
            return Err(fail(span, message, help));
        }
        if end - start >= f64::from(STATEMENT_NODES) {
            return Err(too_many_nodes(span, "statement", STATEMENT_NODES));
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
            return Err(ragged(op, list.shape(), span));
        };
        if row.lengths().is_none() {
            return Err(ragged(op, row, span));
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
            return Err(too_many_nodes(span, "statement", STATEMENT_NODES));
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
        let (sign, other) = (op.spelling, other.shape());
        let told = match (first.lengths().as_deref(), other.lengths().as_deref()) {
            (Some([one]), Some([other])) => format!("{} and {other}", plural(*one, "item")),
            _ => format!("{first} and {other}"),
        };
        let message = format!("`{sign}` works item by item: {told} do not match");
        let help = match sign {
            "*" if first.depth() != other.depth() => "rows times a list is `dot(W, x)`",
            _ => {
                "both sides are lists of one shape, or one is a number; row by row: `[row + x for row in W]`"
            }
        };
        return Err(fail(span, message, help));
    }
    if first.lengths().is_none() {
        return Err(ragged(op, &first, span));
    }
    Ok(first)
}

/// `[[1, 2], 3] + 1`, `sum([[1, 2], [3]])`
fn ragged(op: &'static Op, shape: &ListShape, span: Span) -> Error {
    let message = format!(
        "`{}` needs items of one shape, and this is {shape}",
        op.spelling
    );
    let help = "all numbers as one list: `flat(v)`; item by item: `[f(x) for x in v]`";
    fail(span, message, help)
}

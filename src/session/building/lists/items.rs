//! Lists made of items, and items of lists.
//!
//! Both take nodes that exist; nothing is made here.

use std::rc::Rc;

use super::errors as list_errors;
use crate::graph::Node;
use crate::session::building::items::IndexSite;
use crate::session::building::terms::LIST_NUMBERS;
use crate::session::error::Error;
use crate::session::values::{LIST_DEPTH, List, Value};
use crate::stop;
use crate::syntax::Span;

/// `[a, b]`
pub(crate) fn list_of(items: Vec<Value>, span: Span) -> Result<Value, Error> {
    let size = |item: &Value| item.shape().size();
    room_in_list(items.iter().map(size).sum(), span)?;
    let list = List::from_items(items);
    if list.shape().depth() > LIST_DEPTH {
        return Err(list_errors::lists_too_deep(span));
    }
    Ok(Value::List(Rc::new(list)))
}

/// `w[2]`, `w[[3, 1]]`
pub(crate) fn item_of(value: &Value, position: &Value, site: IndexSite) -> Result<Value, Error> {
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
            list_of(items?, site.span())
        }
        Value::List(positions) => Err(list_errors::index_by_table(positions.shape(), site)),
    }
}

/// An error if a list may not hold so many numbers, or if the statement should stop before they are put together.
pub(crate) fn room_in_list(numbers: usize, span: Span) -> Result<(), Error> {
    if numbers > LIST_NUMBERS {
        return Err(list_errors::list_too_long(span, LIST_NUMBERS));
    }
    stop::before(numbers);
    Ok(())
}

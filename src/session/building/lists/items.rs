//! Lists made of items, and items of lists.
//!
//! Both take nodes that exist; nothing is made here.

use std::rc::Rc;

use crate::graph::Node;
use crate::session::building::terms::LIST_NUMBERS;
use crate::session::error::{self, Error, fail};
use crate::session::values::{LIST_DEPTH, List, Value};
use crate::stop;
use crate::syntax::{self, Span};

/// `[a, b]`
pub(crate) fn list_of(items: Vec<Value>, span: Span) -> Result<Value, Error> {
    let size = |item: &Value| item.shape().size();
    room_in_list(items.iter().map(size).sum(), span)?;
    let list = List::from_items(items);
    if list.shape().depth() > LIST_DEPTH {
        return Err(too_deep(span));
    }
    Ok(Value::List(Rc::new(list)))
}

/// Brackets, or `a = [a]` again and again
pub(super) fn too_deep(span: Span) -> Error {
    let message = format!("lists are nested at most {LIST_DEPTH} deep");
    fail(span, message, "`flat(v)` is all numbers as one list")
}

/// `w[2]`, `w[[3, 1]]`. `site` is what was typed for the list, if that is short and its text at hand, and where the position stands.
pub(crate) fn item_of<'t>(
    value: &Value,
    position: &Value,
    is_condition: bool,
    site: &dyn Fn() -> (Option<&'t str>, Span),
) -> Result<Value, Error> {
    let Value::List(list) = value else {
        let (name, span) = site();
        let what = name.map_or("this".to_string(), |name| format!("`{name}`"));
        let help = "a list is written `[1, 2, 3]`; a product is written with `*`";
        return Err(fail(
            span,
            format!("{what} is a number and has no items"),
            help,
        ));
    };
    if is_condition {
        let (name, span) = site();
        let name = name.unwrap_or("w");
        let message = "an item is chosen by its position, not by a condition";
        let help = format!("`if({name} > 0, {name}, 0)` keeps the shape");
        return Err(fail(span, message, help));
    }
    let item = |node: &Rc<Node>| {
        let (number, count) = (node.data(), list.count());
        // A negative number and NaN become 0, and there is no item before the first.
        let item = (number.fract() == 0.0).then(|| list.item((number as usize).wrapping_sub(1)));
        item.flatten().ok_or_else(|| {
            let (name, span) = site();
            let told = syntax::literal(number, false);
            let message = if number == 0.0 {
                "items are counted from 1".to_string()
            } else if number.fract() == 0.0 {
                let list = name.map_or("the list".to_string(), |name| format!("`{name}`"));
                format!("there is no item {told}: {list} has {count}")
            } else {
                format!("a position is a whole number, and this is {told}")
            };
            let name = name.unwrap_or("w");
            let help = format!("the first is `{name}[1]`, the last `{name}[{count}]`");
            fail(span, message, help)
        })
    };
    match position {
        Value::Node(node) => item(node),
        Value::List(positions) if positions.shape().depth() == 1 => {
            let items: Result<Vec<Value>, Error> = positions.nodes().iter().map(item).collect();
            list_of(items?, site().1)
        }
        Value::List(positions) => {
            let message = format!("positions are one list, and this is {}", positions.shape());
            let help = "several items are `w[[3, 1]]` or `w[2..3]`";
            Err(fail(site().1, message, help))
        }
    }
}

/// An error if a list may not hold so many numbers, or if the statement should stop before they are put together.
pub(crate) fn room_in_list(numbers: usize, span: Span) -> Result<(), Error> {
    if numbers > LIST_NUMBERS {
        return Err(error::list_too_long(span, LIST_NUMBERS));
    }
    stop::before(numbers);
    Ok(())
}

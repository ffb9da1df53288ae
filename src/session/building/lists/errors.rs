//! What can be wrong with lists in an expression, and the diagnostic for each of these errors.
//!
//! Only the words and the way out are here; `lists` and `list_functions` find the errors.

use crate::session::building::items::IndexSite;

use crate::diagnostic::Diagnostic;
use crate::ops::Op;
use crate::report::plural;
use crate::session::error::{Error, grouped};
use crate::session::values::{LIST_DEPTH, ListShape};
use crate::syntax::{self, Span};

/// `:step 0.1 of w`, where a number is needed
pub(crate) fn list_for_number(shape: &ListShape, span: Span) -> Error {
    Diagnostic::new(format!("a number is expected here, and this is {shape}"))
        .at(span)
        .help("a list becomes a number by `sum(w)`, `mean(w)` or an item of it, `w[1]`")
        .into()
}

/// `len(3)`, `dot(a, w)`
pub(crate) fn number_for_list(function: &str, span: Span) -> Error {
    Diagnostic::new(format!("`{function}` takes a list, and this is a number"))
        .at(span)
        .help("a list is written `[a, b]`")
        .into()
}

/// `w + [1, 2]`, `W*x`
pub(crate) fn unlike_shapes(op: &Op, one: &ListShape, other: &ListShape, span: Span) -> Error {
    let sign = op.spelling;
    let lengths = (one.lengths(), other.lengths());
    let (told, row) =
        if let (Some([one]), Some([other])) = (lengths.0.as_deref(), lengths.1.as_deref()) {
            (format!("{} and {other}", plural(*one, "item")), false)
        } else {
            let is_row = one.row() == Some(other) || other.row() == Some(one);
            (format!("{one} and {other}"), is_row)
        };
    let help = if row && sign == "*" {
        "rows times a list is `dot(W, x)`"
    } else if row {
        "to go row by row: `[row + x for row in W]`"
    } else {
        "both sides are lists of one shape, or one of them is a number"
    };
    let message = format!("`{sign}` works item by item: {told} do not match");
    Diagnostic::new(message).at(span).help(help).into()
}

/// `dot([1, 2], [1, 2, 3])`
pub(crate) fn unlike_in_dot(one: &ListShape, other: &ListShape, span: Span) -> Error {
    let help = if one.depth() == 2 && other.depth() == 2 {
        "the product of two tables is `[[dot(r, [q[k] for q in B]) for k in 1..len(B[1])] for r in A]`"
    } else {
        "`dot(a, b)` takes two lists of one length, or rows and a list as long as each of them"
    };
    Diagnostic::new(format!("`dot` of {one} and {other}: they do not match"))
        .at(span)
        .help(help)
        .into()
}

/// `zip([1, 2], [3])`
pub(crate) fn unlike_in_zip(one: usize, other: usize, span: Span) -> Error {
    let items = plural(one, "item");
    let message = format!("`zip` takes lists of one length: {items} and {other} do not match");
    let help = "as many as the shorter has: `zip(w[1..2], v)`";
    Diagnostic::new(message).at(span).help(help).into()
}

/// `zip([1, 2])`
pub(crate) fn no_table(shape: &ListShape, span: Span) -> Error {
    let message = format!("`zip` of one list gives the columns of a table, and this is {shape}");
    let help = "several lists go side by side: `zip(a, b)`";
    Diagnostic::new(message).at(span).help(help).into()
}

/// `[[1, 2], 3] + 1`, `sum([[1, 2], [3]])`
pub(crate) fn ragged(name: &str, shape: &ListShape, span: Span) -> Error {
    let items = match (shape.item(0), shape.count()) {
        (Some((first, _)), Some(count)) => {
            let item = |at| shape.item(at).map(|(item, _)| item);
            let unlike = (1..count).filter_map(item).find(|item| *item != first);
            unlike.map(|other| format!("{first} and {other}"))
        }
        _ => None,
    };
    let told = items.unwrap_or_else(|| shape.to_string());
    let message = format!("`{name}` needs items of one shape, and here are {told}");
    let help = "all numbers as one list: `flat(v)`; item by item: `[f(x) for x in v]`";
    Diagnostic::new(message).at(span).help(help).into()
}

/// Brackets, or `a = [a]` again and again
pub(crate) fn lists_too_deep(span: Span) -> Error {
    let message = format!("lists are nested at most {LIST_DEPTH} deep");
    let help = "`flat(v)` is all numbers as one list";
    Diagnostic::new(message).at(span).help(help).into()
}

/// `1..100000000`
pub(crate) fn too_many_items(span: Span, most: u32) -> Error {
    let message = format!("a statement makes at most {} nodes", grouped(most as usize));
    let help = "do a part of it in each statement, or take fewer items";
    Diagnostic::new(message).at(span).help(help).into()
}

/// `[w for k in 1..1000000]`
pub(crate) fn list_too_long(span: Span, most: usize) -> Error {
    let message = format!("a list holds at most {} numbers", grouped(most));
    let help = "work on a part of it, such as `w[1..1000]`, or on one number for each item: `[sum(x) for x in W]`";
    Diagnostic::new(message).at(span).help(help).into()
}

/// `1..2.5`, `1..1e300`
pub(crate) fn range_end(number: f64, span: Span) -> Error {
    let number = syntax::literal(number, false);
    Diagnostic::new(format!(
        "a range goes from one whole number to another, and this is {number}"
    ))
    .at(span)
    .help("other grids are computed from a range: `(0..10)/10`")
    .into()
}

/// `1..w`
pub(crate) fn range_end_is_list(shape: &ListShape, span: Span) -> Error {
    let message = format!("a range goes from a number to a number, and this is {shape}");
    let help = "up to the length of a list: `1..len(w)`";
    Diagnostic::new(message).at(span).help(help).into()
}

/// `3..1`
pub(crate) fn range_down(start: f64, end: f64, span: Span) -> Error {
    let turned = format!("`{end}..{start}`");
    Diagnostic::new(format!("a range counts up, and {start} is more than {end}"))
        .at(span)
        .help(format!(
            "{turned}, or backwards `{start} + {end} - ({end}..{start})`"
        ))
        .into()
}

/// `a[1]`
pub(crate) fn index_of_number(site: IndexSite) -> Error {
    let name = site.list();
    let message = match name {
        Some(name) => format!("`{name}` is a number and has no items"),
        None => "a number has no items".to_string(),
    };
    let help = "a list is written `[1, 2, 3]`; a product is written with `*`";
    Diagnostic::new(message).at(site.span()).help(help).into()
}

/// `w[w > 0]`
pub(crate) fn index_by_condition(site: IndexSite) -> Error {
    let name = site.list().unwrap_or("w");
    Diagnostic::new("an item is chosen by its position, not by a condition")
        .at(site.span())
        .help(format!("`if({name} > 0, {name}, 0)` keeps the shape"))
        .into()
}

/// `w[1.5]`
pub(crate) fn position_not_whole(number: f64, site: IndexSite) -> Error {
    let number = syntax::literal(number, false);
    Diagnostic::new(format!(
        "a position is a whole number, and this is {number}"
    ))
    .at(site.span())
    .help(match site.list() {
        Some(list) => format!("the first item is `{list}[1]`"),
        None => "the first item has the position 1".to_string(),
    })
    .into()
}

/// `w[0]`, `w[4]`, `w[-1]`
pub(crate) fn no_item(number: f64, count: usize, site: IndexSite) -> Error {
    let name = site.list();
    let told = |number| syntax::literal(number, false);
    // An item of a list without a name is told by its position alone.
    let item = |position: &str| match name {
        Some(name) => format!("`{name}[{position}]`"),
        None => format!("item {position}"),
    };
    if number == 0.0 {
        let last = match count {
            1 => String::new(),
            _ => format!(", the last {}", item(&count.to_string())),
        };
        return Diagnostic::new("items are counted from 1")
            .at(site.span())
            .help(format!("the first is {}{last}", item("1")))
            .into();
    }
    let has = match (name, count) {
        (Some(name), _) => format!("`{name}` has {count}"),
        (None, 1) => "there is 1".to_string(),
        (None, _) => format!("there are {count}"),
    };
    let help = match (number, name) {
        (..0.0, Some(list)) => format!("the last item is `{list}[len({list})]`"),
        _ => format!("the last one is {}", item(&count.to_string())),
    };
    Diagnostic::new(format!("there is no item {}: {has}", told(number)))
        .at(site.span())
        .help(help)
        .into()
}

/// `w[[[1, 2], [3, 4]]]`
pub(crate) fn index_by_table(shape: &ListShape, site: IndexSite) -> Error {
    Diagnostic::new(format!(
        "positions are numbers in one list, and this is {shape}"
    ))
    .at(site.span())
    .help("several items are `w[[3, 1]]` or `w[2..3]`")
    .into()
}

/// `[x for x in 3]`
pub(crate) fn loop_over_number(span: Span) -> Error {
    Diagnostic::new("`for` goes over a list, and this is a number")
        .at(span)
        .help("over the numbers up to n: `for k in 1..n`")
        .into()
}

/// `[a for a, b in [1, 2]]`
pub(crate) fn loop_variables(count: usize, item: &ListShape, span: Span) -> Error {
    let message = format!("`for` has {count} names, and an item is {item}");
    let help = "one name takes the whole item; `zip(a, b)` makes pairs";
    Diagnostic::new(message).at(span).help(help).into()
}

/// `a, b = [1, 2, 3]`
pub(crate) fn not_taken_apart(names: usize, shape: &ListShape, span: Span) -> Error {
    let message = match shape.count() {
        Some(count) => format!("{names} names for a list of {count}"),
        None => format!("{names} names for one number"),
    };
    let help = "as many names as there are items: `a, b = [1, 2]`, or `a, b = 1, 2`";
    Diagnostic::new(message).at(span).help(help).into()
}

/// `grad(w, x)`
pub(crate) fn grad_of_list(shape: &ListShape, span: Span) -> Error {
    Diagnostic::new(format!(
        "`grad` takes the derivative of one number, and the first argument is {shape}"
    ))
    .at(span)
    .help("of each item: `[grad(y, a) for y in w]`; of their sum: `grad(sum(w), a)`")
    .into()
}

/// `std([[1, 2], [3, 4]])`
pub(crate) fn std_of_lists(shape: &ListShape, span: Span) -> Error {
    let message = format!("`std` takes a list of numbers, and this is {shape}");
    let help = "row by row: `[std(row) for row in W]`; of all numbers: `std(flat(W))`";
    Diagnostic::new(message).at(span).help(help).into()
}

//! Errors of statements that parse.
//!
//! Most errors are made by [`fail`] where they are found. This file has those that are found in several places.

use crate::values::ListShape;
use chainrule_language::Span;
use chainrule_report::count_text;
use chainrule_report::diagnostic::Diagnostic;

/// An error of this layer, boxed so that results stay small.
pub type Error = Box<Diagnostic>;

/// An error at a place in the text, and what to type instead.
pub fn fail(span: Span, message: impl Into<String>, help: impl Into<String>) -> Error {
    Diagnostic::new(message).at(span).help(help).into()
}

/// An error of the instruction that runs, and what to type instead. The machine adds the place.
pub fn fail_here(message: impl Into<String>, help: impl Into<String>) -> Error {
    Diagnostic::new(message).help(help).into()
}

/// The error for too many nodes, as of a chain of thirty functions that call each other twice. `maker` is a statement or a
/// derivative.
pub(crate) fn too_many_nodes(maker: &str, most: u32) -> Error {
    let message = format!("a {maker} makes at most {} nodes", count_text(most));
    let help = "take fewer items or a lower order, or do a part of it in each statement";
    fail_here(message, help)
}

/// The error of `[w for k in 1..1000000]`.
pub(crate) fn list_too_long(most: usize) -> Error {
    let most = count_text(most);
    let message = format!("a list holds at most {most} numbers");
    let help =
        "work on a part of it, `w[:1000]`, or on one number for each item: `[sum(x) for x in W]`";
    fail_here(message, help)
}

/// The error of `max([])`.
pub(crate) fn empty_list(function: &str) -> Error {
    let message = format!("`{function}` takes at least one item, and this list is empty");
    let help = "`LIST.append(2)` gives a list an item; the sum of nothing is 0, its product 1";
    fail_here(message, help)
}

/// The error of an expression after four billion nodes.
pub fn no_numbers_left(span: Span, made: u32) -> Error {
    let nodes = count_text(made);
    let message = format!("this session has made {nodes} nodes, and there are no numbers for more");
    let help = "`:save work.calc`, start the program again and `:load work.calc`: the nodes are then numbered from 1";
    fail(span, message, help)
}

/// The error of `:step 0.1 of w`, if `w` is a list.
pub fn list_for_number(shape: &ListShape, span: Span) -> Error {
    let message = format!("a number is expected here, and this is {shape}");
    let help = "a list becomes a number by `sum(LIST)`, `mean(LIST)` or an item of it, `LIST[0]`";
    fail(span, message, help)
}

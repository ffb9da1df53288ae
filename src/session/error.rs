//! What can be wrong with a statement that parses.
//!
//! An error is written where it is found, by [`fail`]; here stand those that are found in several places.

use std::rc::Rc;

use super::functions::Function;
use super::functions::LibraryFunction;
use super::values::ListShape;
use crate::diagnostic::Diagnostic;
use crate::syntax::Span;

/// An error of this layer. It is boxed, so that a result takes no more room for it.
pub type Error = Box<Diagnostic>;

/// An error at a place in the text, and what to type instead.
pub(crate) fn fail(span: Span, message: impl Into<String>, help: impl Into<String>) -> Error {
    Diagnostic::new(message).at(span).help(help).into()
}

/// `tanh(1, 2)`
pub(crate) fn wrong_count(
    name: &str,
    span: Span,
    takes: &str,
    given: usize,
    example: &str,
) -> Error {
    let is = if given == 1 { "is" } else { "are" };
    let message = format!("`{name}` takes {takes}, {given} {is} given");
    fail(span, message, format!("as in `{example}`"))
}

/// `grad(L, 3)`, `grad(L, pi)`
pub(crate) fn grad_by_constant(constant: &str, span: Span) -> Error {
    let message = format!("`{constant}` is a constant, and nothing changes with it");
    let help = "the second argument is the name to differentiate by, as in `grad(L, a)`";
    fail(span, message, help)
}

/// `grad(a + b, a*b)`
pub(crate) fn grad_by_stranger(by: &str, root: &str, span: Span) -> Error {
    let message = format!("`{by}` does not occur in `{root}`");
    let help = "the second argument is a name, or a part of the first, written the same way";
    fail(span, message, help)
}

/// `grad(w, x)`
pub(crate) fn grad_of_list(typed: Option<&str>, shape: &ListShape, span: Span) -> Error {
    let short = typed.filter(|typed| typed.len() <= 60);
    let what = short.map_or("this".to_string(), |typed| format!("`{typed}`"));
    let message = format!("`grad` takes the derivative of one number, and {what} is {shape}");
    let help = "of each item: `[grad(g, w) for g in y]`; of their sum: `grad(sum(y), w)`";
    fail(span, message, help)
}

/// `(a*b).grad`
pub(crate) fn grad_of_expression(span: Span) -> Error {
    let message = "only a named node has a `.grad` to read";
    fail(
        span,
        message,
        "give the expression a name and run `:grad` first",
    )
}

/// `ans = 3`, `const _ = 2`
pub(crate) fn reserved(name: &str, span: Span) -> Error {
    let message = format!("`{name}` cannot be bound");
    fail(
        span,
        message,
        "it is always the last result: choose another name",
    )
}

/// `f(x) = x + @9`
pub(crate) fn reference_in_body(text: &str, span: Span) -> Error {
    let message = format!("`{text}` is not allowed in a function's body");
    fail(span, message, "give the node a name and use that")
}

/// `f(x) = x*a.grad`
pub(crate) fn grad_in_body(span: Span) -> Error {
    let message = "a function's body has no `.grad`: it would mean another pass at each call";
    let help = "give the gradient a name and use that: `g = a.grad`; or use `grad(L, a)`";
    fail(span, message, help)
}

/// `f(x) = g(x)`, then `g(x) = f(x)`: `chain` leads from the function being defined back to itself.
pub(crate) fn recursion(span: Span, chain: &[Rc<str>]) -> Error {
    let calls = chain.join(" calls ");
    let help = format!("{calls}: write the steps out, or choose another name");
    fail(span, "a function cannot call itself", help)
}

/// `f(x) = a*x`, `:del a`, then `f(3)`
pub(crate) fn in_body(function: &Function, call: Span, inner: Diagnostic) -> Error {
    let anew = || "define the function again".to_string();
    let (message, head, body) = (inner.message, function.head(), &function.body);
    Diagnostic {
        interrupted: inner.interrupted,
        ..Diagnostic::new(format!("{message}, in `{head} = {body}`")).at(call)
    }
    .help(inner.help.unwrap_or_else(anew))
    .into()
}

/// Functions that call each other twice, in a chain of thirty. `what` was being made: a statement or a derivative.
pub(crate) fn too_many_nodes(span: Span, what: &str, most: u32) -> Error {
    // The limits are whole millions.
    let message = format!("a {what} makes at most {},000,000 nodes", most / 1_000_000);
    let help = "take fewer items or a lower order, or do a part of it in each statement";
    fail(span, message, help)
}

/// `[w for k in 1..1000000]`
pub(crate) fn list_too_long(span: Span) -> Error {
    // This is `LIST_NUMBERS`.
    let message = "a list holds at most 10,000,000 numbers";
    let help =
        "work on a part of it, `w[1..1000]`, or on one number for each item: `[sum(x) for x in W]`";
    fail(span, message, help)
}

/// An expression after four billion nodes
pub(crate) fn no_numbers_left(span: Span, made: u32) -> Error {
    let message = format!("this session has made {made} nodes, and there are no numbers for more");
    let help = "`:save work.calc`, start the program again and `:load work.calc`: the nodes are then numbered from 1";
    fail(span, message, help)
}

/// `f'(w)`, `dot'(w)`
pub(crate) fn prime_of_list(name: &str, span: Span) -> Error {
    let message =
        format!("a prime differentiates by one number, and `{name}` is called with a list");
    let help =
        "`grad(f(w), w)` is a list of derivatives; if `f(w)` is a list, `grad(sum(f(w)), w)`";
    fail(span, message, help)
}

/// `uniform(w, 1)`
pub(crate) fn draw_of_list(draw: &LibraryFunction, span: Span) -> Error {
    let message = format!("`{}` takes two numbers, and a list is given", draw.name);
    let help = format!("one for each item: `[{} for k in 1..len(w)]`", draw.example);
    fail(span, message, help)
}

/// `:step 0.1 of w`, where a number is needed
pub(crate) fn list_for_number(shape: &ListShape, span: Span) -> Error {
    let message = format!("a number is expected here, and this is {shape}");
    let help = "a list becomes a number by `sum(w)`, `mean(w)` or an item of it, `w[1]`";
    fail(span, message, help)
}

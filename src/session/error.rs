//! What can be wrong with a statement that parses, and the diagnostic for each of these errors.
//!
//! Code elsewhere decides whether something is an error; this file holds only the words and the suggested way out.

use std::rc::Rc;

use super::functions::{Function, GRAD};
use super::random::{self, Draw};
use crate::diagnostic::Diagnostic;
use crate::syntax::Span;

/// An error of this layer: a diagnostic, and what a caller may ask about its cause.
#[derive(Clone, Debug)]
pub enum Error {
    /// This name is not known, and no other is near.
    UnknownName(String, Box<Diagnostic>),
    /// There is no function with this name.
    UnknownFunction(String, Box<Diagnostic>),
    /// A function got a wrong number of arguments; a correct call of it.
    WrongCount(String, Box<Diagnostic>),
    /// Anything else.
    Other(Box<Diagnostic>),
    /// Ctrl-C
    Interrupted,
}

impl From<Diagnostic> for Error {
    fn from(diagnostic: Diagnostic) -> Error {
        Error::Other(Box::new(diagnostic))
    }
}

impl From<Error> for Diagnostic {
    fn from(error: Error) -> Diagnostic {
        match error {
            Error::UnknownName(_, diagnostic)
            | Error::UnknownFunction(_, diagnostic)
            | Error::WrongCount(_, diagnostic)
            | Error::Other(diagnostic) => *diagnostic,
            Error::Interrupted => Diagnostic {
                interrupted: true,
                ..Diagnostic::new("interrupted")
            },
        }
    }
}

fn did_you_mean(near: &str) -> String {
    format!("did you mean `{near}`?")
}

/// `alpha = 2`, then `alhpa + 1`. `any` says whether any name is defined.
pub(crate) fn unknown_name(name: &str, span: Span, near: Option<&str>, any: bool) -> Error {
    let help = match near {
        Some(near) => did_you_mean(near),
        None if any => "`:vars` lists all names".to_string(),
        None => format!("nothing has a name yet: `{name} = 2` makes one"),
    };
    let unknown = Diagnostic::new(format!("unknown name `{name}`"));
    let unknown = unknown.at(span).help(help);
    if near.is_some() {
        return unknown.into();
    }
    Error::UnknownName(name.to_string(), Box::new(unknown))
}

/// `sin + 1`
pub(crate) fn function_as_value(name: &str, span: Span) -> Error {
    let takes = match random::draw(name) {
        Some(draw) => draw.takes,
        None if name == GRAD => "L, a",
        None => "x",
    };
    Diagnostic::new(format!("`{name}` is a function"))
        .at(span)
        .label("a value is expected here")
        .help(format!("call it: `{name}({takes})`"))
        .into()
}

/// `tahn(1)`
pub(crate) fn unknown_function(name: &str, span: Span, near: Option<&str>) -> Error {
    let all = || "`:ops` lists all functions".to_string();
    let unknown = Diagnostic::new(format!("unknown function `{name}`"))
        .at(span)
        .help(near.map_or_else(all, did_you_mean));
    Error::UnknownFunction(name.to_string(), Box::new(unknown))
}

/// `a = 2`, then `a(3)`. `product` is what to type to multiply.
pub(crate) fn value_as_function(name: &str, span: Span, product: &str) -> Error {
    Diagnostic::new(format!("`{name}` is a value, not a function"))
        .at(span)
        .help(format!("to multiply, write `{product}`"))
        .into()
}

/// `w = [1, 2]`, then `w(1)`.
pub(crate) fn list_as_function(name: &str, span: Span) -> Error {
    Diagnostic::new(format!("`{name}` is a list, not a function"))
        .at(span)
        .help(format!("the first item is `{name}[1]`"))
        .into()
}

/// `tanh(1, 2)`
pub(crate) fn wrong_count(
    name: &str,
    span: Span,
    takes: &str,
    given: usize,
    example: &str,
) -> Error {
    let given = match given {
        1 => "1 is given".to_string(),
        more => format!("{more} are given"),
    };
    let wrong = Diagnostic::new(format!("`{name}` takes {takes}, {given}"))
        .at(span)
        .help(format!("as in `{example}`"));
    Error::WrongCount(example.to_string(), Box::new(wrong))
}

/// `f(x, y) = x*y`, then `f'(2, 3)`
pub(crate) fn prime_of_several(name: &str, parameters: &[String], span: Span) -> Error {
    let first = parameters.first().map_or("x", String::as_str);
    let call = format!("{name}({})", parameters.join(", "));
    Diagnostic::new(format!(
        "`{call}` takes several arguments, and a prime does not say which one moves"
    ))
    .at(span)
    .help(format!(
        "`grad({call}, {first})` is its derivative by `{first}`"
    ))
    .into()
}

/// `grad'(L, a)`
pub(crate) fn grad_primed(span: Span) -> Error {
    Diagnostic::new("`grad` takes no prime")
        .at(span)
        .help("nest it: `grad(grad(L, a), b)` is a second derivative")
        .into()
}

/// `uniform'(0, 1)`
pub(crate) fn draw_primed(draw: &Draw, span: Span) -> Error {
    let Draw { name, takes, .. } = draw;
    Diagnostic::new(format!("`{name}` has no derivative: its value is random"))
        .at(span)
        .help(format!("without the prime it is `{name}({takes})`"))
        .into()
}

/// `grad(L, 3)`, `grad(L, pi)`
pub(crate) fn grad_by_constant(constant: &str, span: Span) -> Error {
    Diagnostic::new(format!(
        "`{constant}` is a constant, and nothing changes with it"
    ))
    .at(span)
    .help("the second argument is the name to differentiate by, as in `grad(L, a)`")
    .into()
}

/// `grad(a + b, a*b)`
pub(crate) fn grad_by_stranger(by: &str, root: &str, span: Span) -> Error {
    Diagnostic::new(format!("`{by}` does not occur in `{root}`"))
        .at(span)
        .help("the second argument is a name, or a part of the first, written the same way")
        .into()
}

/// `a@7`, `@99`, `$3`. `help` says which there are of its kind.
pub(crate) fn gone(text: &str, span: Span, help: String) -> Error {
    Diagnostic::new(format!("there is no `{text}`"))
        .at(span)
        .help(help)
        .into()
}

/// `ans` before any value
pub(crate) fn no_answer(name: &str, span: Span) -> Error {
    Diagnostic::new(format!("`{name}` has no value yet"))
        .at(span)
        .help("it is the last result: type an expression first")
        .into()
}

/// `a.grad` before any pass. `target` is what a pass could start from, if it is short enough to be typed.
pub(crate) fn no_pass(span: Span, target: Option<&str>) -> Error {
    let target = target.map_or(String::new(), |target| format!(" {target}"));
    Diagnostic::new("there are no gradients yet")
        .at(span)
        .help(format!("run a backward pass first: `:grad{target}`"))
        .into()
}

/// `(a*b).grad`
pub(crate) fn grad_of_expression(span: Span) -> Error {
    Diagnostic::new("only a named node has a `.grad` to read")
        .at(span)
        .help("give the expression a name and run `:grad` first")
        .into()
}

/// `pi.grad`
pub(crate) fn grad_of_constant(constant: &str, span: Span) -> Error {
    let message = format!("`{constant}` is a constant and has no gradient");
    Diagnostic::new(message).at(span).into()
}

/// `ans = 3`, `const _ = 2`
pub(crate) fn reserved(name: &str, span: Span) -> Error {
    Diagnostic::new(format!("`{name}` cannot be bound"))
        .at(span)
        .label("always the last result")
        .help("choose another name")
        .into()
}

/// `const y = a*2`, which depends on a leaf
pub(crate) fn const_of_variable(target: &str, span: Span, leaf: &str) -> Error {
    Diagnostic::new(format!(
        "a `const` holds a number, but this depends on `{leaf}`"
    ))
    .at(span)
    .help(format!(
        "`{target} = …` without `const` keeps the expression; `.data` takes its number"
    ))
    .into()
}

/// `f(x) = x + @9`
pub(crate) fn reference_in_body(text: &str, span: Span) -> Error {
    Diagnostic::new(format!("`{text}` is not allowed in a function's body"))
        .at(span)
        .help("give the node a name and use that")
        .into()
}

/// `f(x) = x*a.grad`
pub(crate) fn grad_in_body(span: Span) -> Error {
    Diagnostic::new("a function's body has no `.grad`: it would mean another pass at each call")
        .at(span)
        .help("give the gradient a name and use that: `g = a.grad`; or use `grad(L, a)`")
        .into()
}

/// `$3` in a loaded file, where there were results before
pub(crate) fn of_own_session(text: &str, span: Span) -> Error {
    Diagnostic::new(format!(
        "`{text}` in a file means a result or node of its own session"
    ))
    .at(span)
    .help("load the file into an empty session: `:reset` first")
    .into()
}

/// `f(x) = g(x)`, then `g(x) = f(x)`: `chain` leads from the function being defined back to itself.
pub(crate) fn recursion(span: Span, chain: &[Rc<str>]) -> Error {
    let chain: Vec<String> = chain.iter().map(|name| format!("`{name}`")).collect();
    Diagnostic::new("a function cannot call itself")
        .at(span)
        .label(format!("calls {}", chain.join(", which calls ")))
        .help("write the steps out, or choose another name")
        .into()
}

/// `f(x) = a*x`, `:del a`, then `f(3)`
pub(crate) fn in_body(function: &Function, call: Span, error: Error) -> Error {
    let inner = Diagnostic::from(error);
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
    let most = grouped(most as usize);
    Diagnostic::new(format!("a {what} makes at most {most} nodes"))
        .at(span)
        .help("choose a lower order, or share an argument: pass `f(x)` on instead of calling it again")
        .into()
}

/// `[grad(k, w) for k in g]` of a thousand items
pub(crate) fn too_many_derivatives(span: Span, most: u32) -> Error {
    Diagnostic::new(format!("a statement makes at most {} nodes", grouped(most as usize)))
        .at(span)
        .help("do a part of it in each statement: `[grad(k, w) for k in g[1..100]]`; or a product with a direction v, `grad(dot(g, v), w)`")
        .into()
}

/// A count with commas: `10,000,000`
pub(crate) fn grouped(count: usize) -> String {
    let digits = count.to_string();
    let mut grouped = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

/// An expression after four billion nodes
pub(crate) fn no_numbers_left(span: Span, made: u32) -> Error {
    Diagnostic::new(format!(
        "this session has made {made} nodes, and there are no numbers for more"
    ))
    .at(span)
    .help(
        "`:save work.calc`, start the program again and `:load work.calc`: the nodes are then numbered from 1",
    )
    .into()
}

/// `w@1`, some items of which are gone
pub(crate) fn parts_gone(text: &str, span: Span) -> Error {
    Diagnostic::new(format!(
        "`{text}` is incomplete: only items that something uses are kept"
    ))
    .at(span)
    .help(format!("the others are typed one by one: `{text}[1]`"))
    .into()
}

/// `f'(w)`, `dot'(w)`
pub(crate) fn prime_of_list(name: &str, span: Span) -> Error {
    Diagnostic::new(format!(
        "a prime differentiates by one number, and `{name}` is called with a list"
    ))
    .at(span)
    .help(format!(
        "`grad({name}(w), w)` is a list of derivatives; if `{name}(w)` is a list, `grad(sum({name}(w)), w)`"
    ))
    .into()
}

/// `uniform(w, 1)`
pub(crate) fn draw_of_list(draw: &Draw, span: Span) -> Error {
    Diagnostic::new(format!(
        "`{}` takes two numbers, and a list is given",
        draw.name
    ))
    .at(span)
    .help(format!(
        "one for each item: `[{} for k in 1..len(w)]`",
        draw.example
    ))
    .into()
}

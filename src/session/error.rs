//! What can be wrong with a statement that parses, and the diagnostic for each of these errors.
//!
//! Code elsewhere decides whether something is an error; this file holds only the words and the suggested way out.

use std::rc::Rc;

use super::building::IndexSite;
use super::functions::{Function, GRAD};
use super::naming::Shape;
use crate::diagnostic::Diagnostic;
use crate::ops::Op;
use crate::syntax::{self, MAX_NESTING, Span};

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
        None if any => "`:vars` lists the names there are".to_string(),
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
    let takes = if name == GRAD { "L, a" } else { "x" };
    Diagnostic::new(format!("`{name}` is a function"))
        .at(span)
        .label("a value is expected here")
        .help(format!("call it: `{name}({takes})`"))
        .into()
}

/// `tahn(1)`
pub(crate) fn unknown_function(name: &str, span: Span, near: Option<&str>) -> Error {
    let all = || "`:ops` lists the functions there are".to_string();
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
    Diagnostic::new("`grad` is no function to differentiate")
        .at(span)
        .help("nest it: `grad(grad(L, a), b)` is a second derivative")
        .into()
}

/// `grad(L, 3)`, `grad(L, pi)`
pub(crate) fn grad_by_constant(constant: &str, span: Span) -> Error {
    Diagnostic::new(format!("`{constant}` is a constant: nothing moves with it"))
        .at(span)
        .help("the second argument is what moves: a name, as in `grad(L, a)`")
        .into()
}

/// `grad(a + b, a*b)`
pub(crate) fn grad_by_stranger(by: &str, root: &str, span: Span) -> Error {
    Diagnostic::new(format!("`{by}` does not stand in `{root}`"))
        .at(span)
        .help("the second argument is a name, or a part of the first as it stands there")
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
    Diagnostic::new(format!("`{text}` cannot stand in a function's body"))
        .at(span)
        .help("give the node a name and use that")
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
    let anew = || "define the function anew".to_string();
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
    Diagnostic::new(format!("a {what} makes at most {most} nodes"))
        .at(span)
        .help("a lower order, or a shared argument: pass `f(x)` on instead of calling it again")
        .into()
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

/// `:step 0.1 of w`, where a number is needed
pub(crate) fn list_for_number(shape: &Shape, span: Span) -> Error {
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
pub(crate) fn unlike_shapes(op: &Op, one: &Shape, other: &Shape, span: Span) -> Error {
    let sign = op.spelling;
    let lengths = (one.lengths(), other.lengths());
    let (told, row) =
        if let (Some([one]), Some([other])) = (lengths.0.as_deref(), lengths.1.as_deref()) {
            (format!("{one} items and {other}"), false)
        } else {
            let is_row = one.row() == Some(other) || other.row() == Some(one);
            (format!("{one} and {other}"), is_row)
        };
    let help = if row && sign == "*" {
        "rows times a list is `dot(W, x)`"
    } else if row {
        "to go row by row: `[row + x for row in W]`"
    } else {
        "lists of one shape go together, and a number goes with any list"
    };
    let message = format!("`{sign}` goes item by item: {told} do not match");
    Diagnostic::new(message).at(span).help(help).into()
}

/// `dot([1, 2], [1, 2, 3])`
pub(crate) fn unlike_in_dot(one: &Shape, other: &Shape, span: Span) -> Error {
    let help = if one.depth() == 2 && other.depth() == 2 {
        "row by row: `[dot(a, b) for a, b in zip(A, B)]`"
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
    let message = format!("`zip` takes lists of one length: {one} items and {other} do not match");
    let help = "as many as the shorter has: `zip(w[1..2], v)`";
    Diagnostic::new(message).at(span).help(help).into()
}

/// `zip([1, 2])`
pub(crate) fn no_table(shape: &Shape, span: Span) -> Error {
    let message = format!("`zip` of one list gives the columns of a table, and this is {shape}");
    let help = "several lists go side by side: `zip(a, b)`";
    Diagnostic::new(message).at(span).help(help).into()
}

/// `[[1, 2], 3] + 1`, `sum([[1, 2], [3]])`
pub(crate) fn ragged(name: &str, shape: &Shape, span: Span) -> Error {
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
    let message = format!("lists are nested at most {MAX_NESTING} deep");
    let help = "`flat(v)` is all numbers as one list";
    Diagnostic::new(message).at(span).help(help).into()
}

/// `1..100000000`
pub(crate) fn too_many_items(span: Span, most: u32) -> Error {
    let message = format!("a statement makes at most {} nodes", grouped(most));
    Diagnostic::new(message).at(span).into()
}

/// `1..2.5`, `1..1e300`
pub(crate) fn range_end(number: f64, span: Span) -> Error {
    let number = syntax::literal(number, false);
    Diagnostic::new(format!(
        "a range goes from a whole number to another, and this is {number}"
    ))
    .at(span)
    .help("other grids are computed from one: `(0..10)/10`")
    .into()
}

/// `1..w`
pub(crate) fn range_end_is_list(shape: &Shape, span: Span) -> Error {
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
    .help(format!(
        "the first item is `{}[1]`",
        site.list().unwrap_or("w")
    ))
    .into()
}

/// `w[0]`, `w[4]`, `w[-1]`
pub(crate) fn no_item(number: f64, count: usize, site: IndexSite) -> Error {
    let name = site.list();
    let list = name.unwrap_or("w");
    let told = |number| syntax::literal(number, false);
    if number == 0.0 {
        let last = match count {
            1 => String::new(),
            _ => format!(", the last `{list}[{count}]`"),
        };
        return Diagnostic::new("items are counted from 1")
            .at(site.span())
            .help(format!("the first is `{list}[1]`{last}"))
            .into();
    }
    let has = match name {
        Some(name) => format!("`{name}` has {count}"),
        None => format!("there are {count}"),
    };
    let help = match number {
        ..0.0 => format!("the last item is `{list}[len({list})]`"),
        _ => format!("the last one is `{list}[{count}]`"),
    };
    Diagnostic::new(format!("there is no item {}: {has}", told(number)))
        .at(site.span())
        .help(help)
        .into()
}

/// `w[[[1, 2], [3, 4]]]`
pub(crate) fn index_by_table(shape: &Shape, site: IndexSite) -> Error {
    Diagnostic::new(format!(
        "positions are numbers in one list, and this is {shape}"
    ))
    .at(site.span())
    .help("several items are `w[[3, 1]]` or `w[2..3]`")
    .into()
}

/// `w@1`, some items of which are gone
pub(crate) fn parts_gone(text: &str, span: Span) -> Error {
    Diagnostic::new(format!(
        "`{text}` is not whole any more: only items that are used last"
    ))
    .at(span)
    .help(format!(
        "those that are left are typed one by one: `{text}[1]`"
    ))
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
pub(crate) fn loop_variables(count: usize, item: &Shape, span: Span) -> Error {
    let message = format!("`for` has {count} names, and an item is {item}");
    let help = "one name takes the whole item; `zip(a, b)` makes pairs";
    Diagnostic::new(message).at(span).help(help).into()
}

/// `a, b = [1, 2, 3]`
pub(crate) fn not_taken_apart(names: usize, shape: &Shape, span: Span) -> Error {
    let message = match shape.count() {
        Some(count) => format!("{names} names for a list of {count}"),
        None => format!("{names} names for one number"),
    };
    let help = "as many names as there are items: `a, b = [1, 2]`, or `a, b = 1, 2`";
    Diagnostic::new(message).at(span).help(help).into()
}

/// `f'(w)`, `dot'(w)`
pub(crate) fn prime_of_list(name: &str, span: Span) -> Error {
    Diagnostic::new(format!(
        "a prime differentiates by one number, and `{name}` is called with a list"
    ))
    .at(span)
    .help(format!("`grad({name}(w), w)` is a list of derivatives"))
    .into()
}

/// `grad(w, x)`
pub(crate) fn grad_of_list(shape: &Shape, span: Span) -> Error {
    Diagnostic::new(format!(
        "`grad` takes the derivative of one number, and this is {shape}"
    ))
    .at(span)
    .help("of each item: `[grad(g, w) for g in …]`; of their sum: `grad(sum(y), w)`")
    .into()
}

/// A count with commas: `10,000,000`
fn grouped(count: u32) -> String {
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

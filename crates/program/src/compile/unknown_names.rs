//! Finds the names without a value that a line uses, so that one error asks for all of them. The lookups of the machine
//! stop at the first one. `function` finds those of a formula.

use std::slice;

use rustc_hash::{FxHashMap, FxHashSet};

use super::compiler;
use crate::environment::Environment;
use crate::error::{Error, fail};
use crate::functions::{Code, Function, Instruction, Variable};
use crate::names;
use chainrule_language::{self as language, Expression, Span, TextPart};
use chainrule_report::characters::is_letter_name;
use chainrule_report::{Note, list_with_and, say};

/// A name without a value.
struct UnknownName<'c> {
    name: &'c str,
    /// The place of the name; in a called formula, the place of the call.
    span: Span,
    /// The called formula that uses the name, unless the line itself does.
    formula: Option<&'c Function>,
}

/// The instructions of a line, or of a formula that the line calls, that are not searched yet.
struct OpenSearch<'c> {
    rest: slice::Iter<'c, Instruction>,
    /// The formula, and the place of its call in the line.
    formula: Option<(&'c Function, Span)>,
}

/// The error of a line with all its unknown names, if `error` is about the first of them. An error in a function of
/// several lines stays as it is, because these lines may bind names.
pub fn with_all_unknown_names(
    session: &dyn Environment,
    error: Error,
    code: &[Instruction],
) -> Error {
    if error.unknown.is_empty() || error.inside.is_some() {
        return error;
    }
    if let Err(unknown_function) = check_calls(session, code, "") {
        return unknown_function;
    }
    let unknown = unknown_names(session, code);
    if let Some(product) = product_in_called(session, &unknown) {
        return product;
    }
    let [first, _, ..] = &unknown[..] else {
        return error;
    };
    let mut whole = names::unknown_names_error(session, &name_texts(&unknown), first.span);
    if let Some(formula) = first.formula
        && unknown
            .iter()
            .all(|it| it.formula.is_some_and(|other| std::ptr::eq(other, formula)))
    {
        let (head, body) = (formula.head(), &formula.body);
        whole.message = format!("{}, in `{head} = {body}`", whole.message);
    }
    whole
}

/// Refuses unknown functions, and calls with a wrong number of arguments. The function `own` is being defined.
pub(super) fn check_calls(
    session: &dyn Environment,
    code: &[Instruction],
    own: &str,
) -> Result<(), Error> {
    for instruction in code {
        if let Code::Call {
            function: Variable::Name(name),
            primes,
            count,
            ..
        } = &instruction.code
            && **name != *own
        {
            names::callee(session, (name, *primes), *count, instruction.span)?;
        }
    }
    Ok(())
}

/// Refuses to differentiate an expression by these letters if a name without a number in it, or in a formula that it
/// calls, is rather a product, such as `ax`: its derivative would be 0. The statement begins at `start`.
pub fn check_products(
    session: &mut dyn Environment,
    text: &str,
    typed: &Expression,
    letters: &[&str],
    start: usize,
) -> Result<(), Error> {
    let names = typed.names().into_iter();
    let products = products_among(session, names.map(|(name, _)| name), letters);
    let own = product_error(text, &products, start);
    // What does not compile is refused when it runs.
    let code = compiler::expression(session, text, typed).unwrap_or_default();
    let found = own.or_else(|| product_in_called(session, &unknown_names(session, &code)));
    found.map_or(Ok(()), Err)
}

/// The error for a name that is rather a product, in a called formula.
fn product_in_called(session: &dyn Environment, unknown: &[UnknownName]) -> Option<Error> {
    let formulas: Vec<(&Function, Span)> = (unknown.iter())
        .filter_map(|it| Some((it.formula?, it.span)))
        .collect();
    let mut searched = FxHashSet::default();
    let mut first_uses = formulas
        .into_iter()
        .filter(|(it, _)| searched.insert(&*it.name));
    first_uses.find_map(|(formula, span)| {
        let error = product_in_definition(session, formula)?;
        Some(error.at(span).into())
    })
}

/// The error for a name that is rather a product, with the definition to type. One with assignments has several lines, so
/// only the product is shown.
fn product_in_definition(session: &dyn Environment, formula: &Function) -> Option<Error> {
    let products = products_among(session, formula.names(), &formula.parameters);
    let has_assignments = formula.slots > formula.parameters.len();
    let definition = match products.keys().min() {
        Some(name) if has_assignments => format!("… {name} …"),
        _ => format!("{} = {}", formula.head(), formula.body),
    };
    product_error(&definition, &products, 0)
}

/// What those of some names probably mean that are products of these letters.
fn products_among<'n>(
    session: &dyn Environment,
    names: impl Iterator<Item = &'n str>,
    letters: &[impl AsRef<str>],
) -> FxHashMap<&'n str, String> {
    let product = |name| Some((name, names::product(session, name, letters)?));
    names.filter_map(product).collect()
}

/// The error for the first name in a text that is rather a product. The line to type begins at `start`.
fn product_error(text: &str, products: &FxHashMap<&str, String>, start: usize) -> Option<Error> {
    let is_product = |(part, place): &(TextPart, Span)| {
        *part == TextPart::Name && products.contains_key(place.of(text))
    };
    let parts = language::parts(text).into_iter();
    let places: Vec<Span> = parts.filter(is_product).map(|(_, place)| place).collect();
    let first = *places.first()?;
    let name = first.of(text);
    // Whether the product stood in brackets, as in `(ax)^2`, is not known any more.
    let [line, other] = [false, true].map(|has_brackets| {
        let (mut line, mut end) = (String::new(), start);
        for place in &places {
            line.push_str(&text[end..place.start as usize]);
            end = place.end as usize;
            let is_divided = line.trim_end().ends_with('/');
            let is_power =
                line.trim_end().ends_with('^') || text[end..].starts_with(['^', '!', '²', '³']);
            let [open, close] = if is_divided || has_brackets && is_power {
                ["(", ")"]
            } else {
                ["", ""]
            };
            line.extend([open, &products[place.of(text)], close]);
        }
        line + &text[end..]
    });
    let lines = if line == other {
        format!("`{line}`")
    } else {
        format!("`{line}` or `{other}`")
    };
    let message = format!("`{name}` is one name, and it has no number");
    let help = format!("write {lines}, or give `{name}` a number: `{name} = 2`");
    Some(fail(first, message, help))
}

/// Accepts the names without a value in a formula, because they may get their numbers later, and returns a note that
/// lists them. Refuses a single one that looks like a typing error, and is no product.
pub(super) fn accept_unknown_names(
    session: &dyn Environment,
    formula: &Function,
) -> Result<Option<Note>, Error> {
    let own = formula
        .code
        .iter()
        .filter_map(|it| unknown_name(session, it, None));
    let unknown = first_of_each(own.collect());
    let Some(first) = unknown.first() else {
        return Ok(None);
    };
    let unknown_texts = name_texts(&unknown);
    let product = product_in_definition(session, formula);
    let is_mistyped = product.is_none() && names::numbers_line(session, &unknown_texts).is_none();
    // `2πr` is read with its signs.
    let is_product = |name: &&str| {
        let factors = language::greek_factors(name);
        factors.is_some_and(|[_, letter]| is_letter_name(letter))
    };
    if is_mistyped || unknown_texts.iter().any(is_product) {
        return Err(names::unknown_names_error(
            session,
            &unknown_texts,
            first.span,
        ));
    }
    let have = match unknown_texts.len() {
        1 => "has no number",
        _ => "have no numbers",
    };
    let listed = list_with_and(
        unknown_texts.iter().map(|name| say!("{:name}", *name)),
        usize::MAX,
    );
    let mut note = say!(
        "{:name} uses {}, which {} yet",
        &*formula.name,
        listed,
        have
    );
    if let Some(help) = product.and_then(|it| it.help) {
        note.extend(say!("; {}", help));
    }
    let unknown_names = unknown_texts.iter().map(ToString::to_string).collect();
    Ok(Some(Note {
        unknown_names,
        ..Note::new(note)
    }))
}

/// The names without a value in a line and in the formulas that it calls, in the order of their places.
fn unknown_names<'c>(
    session: &'c dyn Environment,
    code: &'c [Instruction],
) -> Vec<UnknownName<'c>> {
    let (mut found, mut called) = (Vec::new(), FxHashSet::default());
    let mut open = vec![OpenSearch {
        rest: code.iter(),
        formula: None,
    }];
    while let Some(innermost) = open.last_mut() {
        let Some(instruction) = innermost.rest.next() else {
            open.pop();
            continue;
        };
        let around = innermost.formula;
        found.extend(unknown_name(session, instruction, around));
        let called_name = match &instruction.code {
            Code::Get(Variable::Name(name)) => Some(&**name),
            other => other.callee(),
        };
        let own = called_name.and_then(|name| session.program().functions.get(name));
        let formula = own.filter(|it| it.lines.is_none());
        if let Some(formula) = formula.filter(|it| called.insert(&*it.name)) {
            let call = around.map_or(instruction.span, |(_, call)| call);
            open.push(OpenSearch {
                rest: formula.code.iter(),
                formula: Some((formula, call)),
            });
        }
    }
    first_of_each(found)
}

/// The name without a value that an instruction reads. `formula` is the formula of the instruction, and the place of
/// its call.
fn unknown_name<'c>(
    session: &dyn Environment,
    instruction: &'c Instruction,
    formula: Option<(&'c Function, Span)>,
) -> Option<UnknownName<'c>> {
    let Code::Get(Variable::Name(name)) = &instruction.code else {
        return None;
    };
    names::is_unknown(session, name).then(|| UnknownName {
        name,
        span: formula.map_or(instruction.span, |(_, call)| call),
        formula: formula.map(|(formula, _)| formula),
    })
}

/// The names in the order of their places, each once.
fn first_of_each(mut names: Vec<UnknownName>) -> Vec<UnknownName> {
    // The sort is stable: the names of a formula keep their order.
    names.sort_by_key(|it| it.span.start);
    let mut seen = FxHashSet::default();
    names.retain(|it| seen.insert(it.name));
    names
}

fn name_texts<'c>(unknown: &[UnknownName<'c>]) -> Vec<&'c str> {
    unknown.iter().map(|it| it.name).collect()
}

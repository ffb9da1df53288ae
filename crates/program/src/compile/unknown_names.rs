//! Finds the names without a value that a line uses, so that one error asks for all of them. The lookups of the machine
//! stop at the first one. `function` finds those of a formula.

use std::slice;

use rustc_hash::FxHashSet;

use crate::environment::Environment;
use crate::error::Error;
use crate::functions::{Code, Function, Instruction, Variable};
use crate::names;
use chainrule_language::Span;
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

/// Accepts the names without a value in a formula, because they may get their numbers later, and returns a note that
/// lists them. Refuses a single one that looks like a typing error, and a product such as `ax` of a parameter, because the
/// derivative would be 0.
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
    let is_product = |name| names::product(session, name, &formula.parameters).is_some();
    if names::numbers_line(session, &unknown_texts).is_none()
        || unknown_texts.iter().copied().any(is_product)
    {
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
    let note = say!(
        "{:name} uses {}, which {} yet",
        &*formula.name,
        listed,
        have
    );
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

//! Writes the formulas of functions, `f'(x) = 6*x - 4`, and of gradients as textbooks print them.
//!
//! Leaves with the names of the parameters stand for the arguments of a function. The derivative of a function with an
//! operation on many numbers, which the textbooks do not have, is read from its nodes.

use std::rc::Rc;

use rustc_hash::FxHashSet;

use crate::letters::{SAMPLE_DATA, SAMPLE_STEP, look_at_call, with_letters};
use crate::shapes::too_long_error;
use crate::terms::{FormulaParts, FormulaTerms};
use chainrule_engine::graph::Node;
use chainrule_engine::graph::structure::reachable;
use chainrule_language::{self as language, ItemKind, Span};
use chainrule_program::Environment as _;
use chainrule_program::derive::goes_item_by_item;
use chainrule_program::error::Error;
use chainrule_program::functions::{Callee, Function, primed_name};
use chainrule_program::names;
use chainrule_program::notes::rounded_result_note;
use chainrule_program::values::{ListShape, Value};
use chainrule_report::{Note, say};
use chainrule_session::Session;
use chainrule_session::naming::labels::{self, Label};
use chainrule_stop as stop;

/// The formula of a function.
#[derive(Debug)]
pub struct Formula {
    /// The function with its primes: `f'`.
    pub function: Rc<str>,
    /// The names of its arguments.
    pub parameters: Vec<Rc<str>>,
    /// The body. A body that was cut has `…`.
    pub body: String,
}

/// The formula of `f''`, which was typed at `span`. Refuses an unknown function and a function of several numbers.
/// Letters in it need no numbers.
pub fn formula(
    session: &mut Session,
    name: &str,
    primes: u8,
    span: Span,
) -> Result<Formula, Error> {
    with_letters(session, |session, _| {
        formula_of_numbers(session, name, primes, span)
    })
}

fn formula_of_numbers(
    session: &mut Session,
    name: &str,
    primes: u8,
    span: Span,
) -> Result<Formula, Error> {
    let parameters = match names::callee(session, (name, primes), 1, span)? {
        Callee::Own(function) => function.parameters.clone(),
        _ => vec!["x".into()],
    };
    Ok(Formula {
        body: body_of(session, name, &parameters, primes, span)?,
        function: primed_name(name, primes),
        parameters,
    })
}

/// A note if a function of one list mixes its items, so that a formula for one number is not that for each item.
pub fn note_on_mixed_items(session: &mut Session, name: &str, span: Span) -> Option<Note> {
    let takes_one = session.functions().get(name)?.parameters.len() == 1;
    let is_mixed = |look: &mut Session| mixes_items(look, name, span);
    let found = with_letters(session, |session, _| session.look(is_mixed));
    if !takes_one || !found.unwrap_or(false) {
        return None;
    }
    let gradient = format!("grad({name}(LIST), LIST)");
    Some(Note::new(say!(
        "{:name} mixes the items of a list: this is for one number, `{}` is for a list",
        name,
        gradient
    )))
}

/// Whether a function makes a number of a list from other items of it, too. Leaves nodes behind.
fn mixes_items(session: &mut Session, name: &str, span: Span) -> Result<bool, Error> {
    let data = [SAMPLE_DATA, SAMPLE_DATA + SAMPLE_STEP];
    let leaves = data.map(|it| session.program_mut().graph.leaf(it, false));
    let list = Value::of_shape(leaves.to_vec(), &ListShape::rows(2, ListShape::NUMBER));
    let built = session.call((name, 0), vec![list.clone()], span)?;
    let value = built.into_numbers(span)?;
    let is_item = |it: &Rc<Node>| leaves.iter().any(|leaf| Rc::ptr_eq(leaf, it));
    let uses_list = reachable(value.nodes(), 0).iter().any(is_item);
    Ok(uses_list && !goes_item_by_item(&list, &value))
}

/// The body of a function in which the derivatives of called functions, such as `f'`, are worked out. `None` if no
/// derivative is called.
pub fn expanded_body(session: &mut Session, function: &Function) -> Option<String> {
    if !function.calls_derivative() {
        return None;
    }
    let body = body_of(
        session,
        &function.name,
        &function.parameters,
        0,
        Span::default(),
    );
    body.ok().filter(|it| **it != *function.body)
}

/// The body of the derivative with this many primes: for `f''`, the first derivative by the first parameter, twice.
fn body_of(
    session: &mut Session,
    name: &str,
    parameters: &[Rc<str>],
    primes: u8,
    span: Span,
) -> Result<String, Error> {
    look_at_call(
        session,
        (name, span),
        parameters,
        |session, value, leaves| derived_body(session, span, value, leaves, primes),
    )?
}

/// The text of a derivative by the first leaf, or of the value itself: in its shortest shape, or that of its nodes if
/// the textbooks do not have it.
fn derived_body(
    session: &mut Session,
    span: Span,
    value: &Rc<Node>,
    leaves: &[Rc<Node>],
    primes: u8,
) -> Result<String, Error> {
    let names = session.names();
    if let Some(formula) = FormulaTerms::of(names, value, leaves, FormulaParts::Names, true) {
        let by = leaves.first().unwrap_or(value);
        let derivative = formula.derivative_of_order(by, primes.into());
        let items = derivative.and_then(|it| formula.items(&it));
        let text = language::infix(&items.map_err(|error| too_long_error(error).at(span))?);
        note_rounded_numbers(session, value, &text);
        return Ok(text);
    }
    let derived = (0..primes).try_fold(Rc::clone(value), |derived, _| {
        (session.program_mut().derivatives(&derived, leaves)).map(|mut them| them.swap_remove(0))
    });
    Ok(labels::operations(session.names(), &derived?))
}

/// Notes the first whole number of a formula that is too large to be exact and that nobody has typed.
pub fn note_rounded_numbers(session: &mut Session, root: &Rc<Node>, formula: &str) {
    let nodes = reachable(std::slice::from_ref(root), 0);
    let leaves = nodes.iter().filter(|it| it.is_leaf());
    let typed: FxHashSet<u64> = leaves.map(|it| it.data().to_bits()).collect();
    let items = language::as_expression(formula).map_or_else(Vec::new, |it| it.items);
    let first = items.iter().find_map(|item| match item.kind {
        ItemKind::Number(number) if !typed.contains(&number.value.to_bits()) => {
            rounded_result_note(number.value)
        }
        _ => None,
    });
    if let Some(note) = first {
        session.add_note(note);
    }
}

/// The derivatives of a root by some nodes, as a textbook writes them. Names stay names; if `has_lists`, those of lists,
/// too. `None` if they are too large.
pub fn derivative_formulas<'s>(
    session: &'s Session,
    root: &Rc<Node>,
    by: &[Rc<Node>],
    has_lists: bool,
) -> Option<Vec<Label<'s>>> {
    let is_item = |it: &Rc<Node>| session.names().list_name_of(it).is_some();
    let formula = FormulaTerms::of(
        session.names(),
        root,
        by,
        FormulaParts::Names,
        has_lists && !by.iter().any(is_item),
    )?;
    let each = stop::with_checks(by.iter());
    let items = each.map(|it| formula.items(&formula.derivative(it)?));
    items.collect::<Result<_, _>>().ok()
}

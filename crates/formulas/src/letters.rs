//! Lends names a number while a formula is looked at: letters without numbers, and the parameters of a function.

use std::borrow::Borrow;
use std::rc::Rc;

use chainrule_engine::graph::Node;
use chainrule_language::{self as language, Span, Statement, StatementSpan};
use chainrule_program::error::{Error, fail};
use chainrule_program::names;
use chainrule_program::values::Value;
use chainrule_program::{Environment as _, Purpose};
use chainrule_report::diagnostic::Diagnostic;
use chainrule_session::{Session, Waiting};

/// The data of the leaves. It is neither 0 nor 1, because some operations simplify differently there.
pub(crate) const SAMPLE_DATA: f64 = 0.7;
/// The difference between the leaves that stand for letters without numbers.
pub(crate) const SAMPLE_STEP: f64 = 0.137;

/// Runs `work`. If names without a number stop it, runs it again with a leaf for each of them, which is not left behind.
/// The flag says whether all names have numbers of their own.
pub fn with_letters<T, E: Borrow<Diagnostic>>(
    session: &mut Session,
    work: impl Fn(&mut Session, bool) -> Result<T, E>,
) -> Result<T, E> {
    with_more_letters(session, &work, true)
}

fn with_more_letters<T, E: Borrow<Diagnostic>>(
    session: &mut Session,
    work: &impl Fn(&mut Session, bool) -> Result<T, E>,
    has_numbers: bool,
) -> Result<T, E> {
    let done = work(session, has_numbers);
    let error = done.as_ref().err().map(Borrow::borrow);
    let missing = error.map_or(&[][..], |error| &error.unknown);
    let lent = session.waited_for(missing.iter().map(String::as_str));
    let is_waiting = !lent.bindings.is_empty();
    if lent.letters.is_empty() || !is_waiting && names::numbers_line(session, missing).is_none() {
        return done;
    }
    let before = session.savepoint();
    session.program_mut().purpose = Purpose::Formula;
    give_sample_leaves(session, &lent.letters);
    for binding in &lent.bindings {
        bind_waiting(session, binding);
    }
    let seen = with_more_letters(session, work, false);
    session.go_back(before);
    seen
}

/// Gives a waiting name its value, if that can be computed.
fn bind_waiting(session: &mut Session, waiting: &Waiting) {
    let text = &*waiting.text;
    if let Ok(Statement::Binding(binding)) = language::statement(text, &StatementSpan::whole(text))
        && let Ok((node, _)) = session.evaluate_number(text, &binding.values[0].expression)
    {
        session.name_node(&waiting.name, &node);
    }
}

/// Gives each of these names a leaf with a number, for a look at a formula.
pub fn give_sample_leaves(session: &mut Session, names: &[Rc<str>]) -> Vec<Rc<Node>> {
    // No two letters are equal, as their difference may be below a line.
    let data = |nth: usize| SAMPLE_DATA + SAMPLE_STEP * (nth + 1) as f64;
    let numbered = names.iter().enumerate();
    numbered
        .map(|(nth, name)| session.bind_leaf(name, data(nth)))
        .collect()
}

/// Calls a function with leaves that have the names of its parameters, for a formula unless the program has another purpose.
/// Returns the result of `look` on the value and the leaves. Leaves no node and no name behind.
pub fn look_at_call<T>(
    session: &mut Session,
    (name, span): (&str, Span),
    parameters: &[Rc<str>],
    look: impl FnOnce(&mut Session, &Rc<Node>, &[Rc<Node>]) -> T,
) -> Result<T, Error> {
    session.look(|session| {
        let purpose = &mut session.program_mut().purpose;
        let data = match purpose {
            // If an exported program runs by itself, it shows the function at 1.
            Purpose::Samples => 1.0,
            _ => SAMPLE_DATA,
        };
        if *purpose == Purpose::Numbers {
            *purpose = Purpose::Formula;
        }
        let leaf = |_: &Rc<str>| session.program_mut().graph.leaf(data, false);
        let leaves: Vec<Rc<Node>> = parameters.iter().map(leaf).collect();
        let value = call_on_leaves(session, (name, span), parameters, &leaves)?;
        Ok(look(session, &value, &leaves))
    })
}

/// Refuses to look at a function that uses a name such as `ax`, beside its parameter x: its derivative would be 0. Only a
/// `def` may use names that get their values later.
fn check_products(
    session: &Session,
    function: &str,
    parameters: &[Rc<str>],
    span: Span,
) -> Result<(), Error> {
    let own = session.functions().get(function);
    let mut names = own.into_iter().flat_map(|it| it.names());
    let product = |name| Some((name, names::product(session, name, parameters)?));
    let Some((name, product)) = names.find_map(product) else {
        return Ok(());
    };
    let message = format!("`{name}` is one name, and it has no number");
    let help =
        format!("write `… {product} …` in `{function}`, or give `{name}` a number: `{name} = 2`");
    Err(fail(span, message, help))
}

/// Calls a function with these leaves, and gives them the names of its parameters.
fn call_on_leaves(
    session: &mut Session,
    (name, span): (&str, Span),
    parameters: &[Rc<str>],
    leaves: &[Rc<Node>],
) -> Result<Rc<Node>, Error> {
    check_products(session, name, parameters, span)?;
    let arguments = leaves.iter().cloned().map(Value::Node).collect();
    let watched: Vec<&Rc<Node>> = leaves.iter().collect();
    let (built, has_decided) =
        session.watch_leaves(&watched, |session| session.call((name, 0), arguments, span));
    if has_decided {
        let message = format!(
            "what `{name}` computes depends on the number of an argument: it is a position, an end of a range, or read by `.data`"
        );
        let ones = vec!["1"; parameters.len()].join(", ");
        let help = format!(
            "at one number it is one formula: `{name}({ones})`, or `:export {name}({ones}) FILE`"
        );
        return Err(fail(span, message, help));
    }
    let value = built?.into_number(span)?;
    // The body may use a node with the name of a parameter, so the leaves get their names after it is built.
    for (parameter, leaf) in parameters.iter().zip(leaves) {
        session.name_node(parameter, leaf);
    }
    Ok(value)
}

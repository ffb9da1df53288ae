//! Writes the user's function into an exported program, with its own parameters as arguments. The function calls the
//! leaves function, which every program has and which takes all leaves.

use std::rc::Rc;

use super::computation::{Computation, FunctionCall};
use super::dialect::Dialect;
use super::identifiers::Identifiers;
use super::{bare, join_items, quote, variable_name};
use crate::session::Session;
use chainrule_engine::graph::Node;

/// The name of the leaves function in a program without a function of the user's.
const ALONE: &str = "f";
/// The name of the leaves function beside a function of the user's.
const OF_LEAVES: &str = "of_leaves";

/// The first line of the user's function.
struct FunctionHead<'c> {
    call: &'c FunctionCall,
    name: String,
    /// The identifiers of the parameters.
    arguments: Vec<String>,
}

impl FunctionHead<'_> {
    /// Returns the argument for a leaf, or `None` if the leaf is no parameter.
    fn argument_for(&self, leaf: &Rc<Node>) -> Option<String> {
        let mut parameters = self.call.parameters.iter();
        let index = parameters.position(|it| Rc::ptr_eq(it, leaf))?;
        Some(self.arguments[index].clone())
    }
}

/// Returns the name of the leaves function, and the definition of the user's function, which is empty if the root is no
/// call of one. The leaves function takes `more_arguments` after the leaves: nothing, or text that begins with a comma.
pub(super) fn user_function(
    session: &Session,
    computation: &Computation,
    dialect: Dialect,
    more_arguments: &str,
) -> (&'static str, String) {
    let Some(call) = &computation.function else {
        return (ALONE, String::new());
    };
    // The leaves function is called `of_leaves` here, so the user's function may be called `f`.
    let reserved_words = dialect.reserved_words().filter(|word| *word != ALONE);
    let mut identifiers = Identifiers::except(dialect, reserved_words);
    let name = identifiers.of_function(&call.name);
    let names = call.parameters.iter().map(|it| variable_name(session, it));
    let head = FunctionHead {
        call,
        name,
        arguments: names.map(|it| identifiers.of(&it)).collect(),
    };
    let text = match dialect {
        Dialect::C => c_function(&head, &computation.leaves),
        Dialect::Python => python_function(session, head, &computation.leaves, &mut identifiers),
        Dialect::Jax => jax_function(session, &head, more_arguments),
    };
    (OF_LEAVES, text)
}

/// Returns the function in C. C has no default arguments, so leaves that are no parameters are numbers in the function.
fn c_function(head: &FunctionHead, leaves: &[Rc<Node>]) -> String {
    let number = |leaf: &Rc<Node>| bare(Dialect::C, leaf.data());
    let argument_or_number = |leaf| head.argument_for(leaf).unwrap_or_else(|| number(leaf));
    let point: Vec<String> = leaves.iter().map(argument_or_number).collect();
    let (name, items) = (&head.name, join_items(&point));
    let parameters = head.arguments.join(", double ");
    format!(
        "
double {name}(double {parameters})
{{
    const double leaves[LEAVES] = {{{items}}};
    double grad[LEAVES];
    return {OF_LEAVES}(leaves, grad);
}}
"
    )
}

/// Returns the function in Python. Leaves that are no parameters are arguments with default values, so that a call can
/// change them.
fn python_function(
    session: &Session,
    head: FunctionHead,
    leaves: &[Rc<Node>],
    identifiers: &mut Identifiers,
) -> String {
    let mut defaults = Vec::new();
    let mut point = Vec::new();
    for leaf in leaves {
        point.push(head.argument_for(leaf).unwrap_or_else(|| {
            let variable = identifiers.of(&variable_name(session, leaf));
            let number = bare(Dialect::Python, leaf.data());
            defaults.push(format!("{variable}={number}"));
            variable
        }));
    }
    let (name, items) = (&head.name, join_items(&point));
    let arguments = [head.arguments, defaults].concat().join(", ");
    format!("\ndef {name}({arguments}):\n    return {OF_LEAVES}([{items}])[0]\n")
}

/// Returns the function in JAX: its arguments replace some of the `params`.
fn jax_function(session: &Session, head: &FunctionHead, more_arguments: &str) -> String {
    let entry = |(leaf, argument): (&Rc<Node>, &String)| {
        format!("{}: {argument}", quote(&variable_name(session, leaf)))
    };
    let pairs = head.call.parameters.iter().zip(&head.arguments);
    let entries = pairs.map(entry).collect::<Vec<_>>().join(", ");
    let (name, arguments) = (&head.name, head.arguments.join(", "));
    let call = format!("{OF_LEAVES}({{**params, {entries}}}{more_arguments})");
    format!("\ndef {name}({arguments}):\n    return {call}\n\n")
}

//! Writes the user's function into an exported program, with its own parameters as arguments. It calls the function that
//! every program has, which takes all leaves.

use std::rc::Rc;

use super::computation::{Computation, FunctionCall};
use super::dialect::Dialect;
use super::identifiers::Identifiers;
use super::names_and_numbers::{bare, join_items, quote, variable_name};
use crate::session::Session;
use chainrule_engine::graph::Node;

/// The name of the function of all leaves if it is the only one.
const ALONE: &str = "f";
/// Its name beside a function of the user's.
const OF_LEAVES: &str = "of_leaves";

/// Returns the name of the function of all leaves, and the text of the user's function. The former takes `more` after
/// the leaves.
pub(super) fn wrapper(
    session: &Session,
    computation: &Computation,
    dialect: Dialect,
    more: &str,
) -> (&'static str, String) {
    let Some(call) = &computation.function else {
        return (ALONE, String::new());
    };
    let is_free = |word: &&str| *word != ALONE;
    let words = dialect.reserved_words().filter(is_free);
    let mut identifiers = Identifiers::except(dialect, words);
    let name = identifiers.of_function(&call.name);
    let mut argument = |leaf: &Rc<Node>| identifiers.of(&variable_name(session, leaf));
    let mut arguments: Vec<String> = call.parameters.iter().map(&mut argument).collect();
    if dialect == Dialect::Jax {
        let text = jax_function(session, call, &name, &arguments, more);
        return (OF_LEAVES, text);
    }
    // The data of all leaves: the arguments, and numbers for leaves that are no parameters.
    let mut point = Vec::new();
    for leaf in &computation.leaves {
        let number = bare(dialect, leaf.data());
        let position = call.parameters.iter().position(|it| Rc::ptr_eq(it, leaf));
        point.push(match position {
            Some(position) => arguments[position].clone(),
            None if dialect == Dialect::Python => {
                let variable = argument(leaf);
                arguments.push(format!("{variable}={number}"));
                variable
            }
            None => number,
        });
    }
    let items = join_items(&point);
    let text = match dialect {
        Dialect::C => format!(
            "\ndouble {name}(double {})\n{{\n    const double leaves[LEAVES] = {{{items}}};\n    double grad[LEAVES];\n    \
             return {OF_LEAVES}(leaves, grad);\n}}\n",
            arguments.join(", double ")
        ),
        _ => format!(
            "\ndef {name}({}):\n    return {OF_LEAVES}([{items}])[0]\n",
            arguments.join(", ")
        ),
    };
    (OF_LEAVES, text)
}

/// Returns the function in JAX: it replaces some of the `params`.
fn jax_function(
    session: &Session,
    call: &FunctionCall,
    name: &str,
    arguments: &[String],
    more: &str,
) -> String {
    let entry = |(leaf, argument): (&Rc<Node>, &String)| {
        format!("{}: {argument}", quote(&variable_name(session, leaf)))
    };
    let pairs = call.parameters.iter().zip(arguments);
    let entries: Vec<String> = pairs.map(entry).collect();
    format!(
        "\ndef {name}({}):\n    return {OF_LEAVES}({{**params, {}}}{more})\n\n",
        arguments.join(", "),
        entries.join(", ")
    )
}

//! Writes the user's function into an exported program, with its own parameters as arguments.
//!
//! The exported text calls the function that every program has, which takes all leaves.

use std::rc::Rc;

use super::computation::Computation;
use super::dialect::Dialect;
use super::identifiers::Identifiers;
use super::names_and_numbers::{bare, join_items, quote, variable_name};
use crate::session::Session;
use chainrule_engine::graph::Node;

/// What the function of all leaves is called if it is the only one.
const ALONE: &str = "f";
/// What it is called beside a function of the user's.
const OF_LEAVES: &str = "of_leaves";

/// The name of the function of all leaves, and the text of the user's function. The former takes `more` after the leaves.
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
        let pairs = call.parameters.iter().zip(&arguments);
        let item = |(leaf, argument): (&Rc<Node>, &String)| {
            format!("{}: {argument}", quote(&variable_name(session, leaf)))
        };
        let items = pairs.map(item).collect::<Vec<_>>().join(", ");
        let text = format!(
            "\ndef {name}({}):\n    return {OF_LEAVES}({{**params, {items}}}{more})\n\n",
            arguments.join(", ")
        );
        return (OF_LEAVES, text);
    }
    let mut point = Vec::new();
    for leaf in &computation.leaves {
        let number = bare(dialect, leaf.data());
        let place = call.parameters.iter().position(|it| Rc::ptr_eq(it, leaf));
        point.push(match place {
            Some(place) => arguments[place].clone(),
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

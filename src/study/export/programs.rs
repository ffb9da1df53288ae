//! Writes a root and its gradient as a program in C, in Python, or in Python with JAX.
//!
//! In C it is a function without branches. The derivatives are nodes, as `grad()` builds them, so the program is a list of
//! nodes, operands before users. If a factor of the chain rule is infinite or NaN at present, an exact zero absorbs it, as
//! in a backward pass; all other factors are simply multiplied.
//!
//! Python needs no library: a loop over a list is a function that `map` calls, and each operation is recorded on a tape
//! that one sweep reads backward.
//!
//! In JAX a list is an array, and a loop over a list is a function that `jax.vmap` maps. JAX computes the gradient itself,
//! so only values are written. Leaves are the arrays of two dictionaries: `params` has the free leaves, and `data` has the
//! lists of frozen leaves.

use std::rc::Rc;

use super::arrays::{list_of, nested_list, numbers_text};
use super::frame::{file, fill_frame};
use super::inline::inline;
use super::writer::{PROGRAM, Phrase, ProgramArray, Writer};
use super::{Computation, Dialect, bare};
use crate::session::Session;
use chainrule_engine::graph::Node;
use chainrule_stop as stop;

/// The most arrays that one line takes from the argument.
const MOST_ARRAYS_IN_LINE: usize = 4;

/// Returns the program in C for a root; `slopes` are the derivatives by its leaves.
pub fn c(session: &Session, computation: &Computation, slopes: &[Rc<Node>]) -> Phrase {
    let whole = Computation::of(&computation.root, slopes, Node::is_free);
    let mut writer = Writer::new(session, Dialect::C);
    writer.moving = whole.moving;
    for (place, leaf) in whole.leaves.iter().enumerate() {
        writer.declare_leaf(leaf, &format!("leaves[{place}]"))?;
    }
    for node in stop::with_checks(whole.computed.iter()) {
        writer.write_node(node)?;
    }
    for (place, slope) in slopes.iter().enumerate() {
        let text = writer.write_node(slope)?;
        writer.write_line(PROGRAM, &format!("grad[{place}] = {text}"))?;
    }
    let value = writer.write_node(&computation.root)?;
    let parts = [("value", &*value)];
    let code = writer.statements();
    Ok(file(session, computation, Dialect::C, code, &parts))
}

/// Returns the program in Python for a root.
pub fn python(session: &Session, computation: &Computation) -> Phrase {
    let writer = Writer::with_arrays(session, Dialect::Python, &computation.root, "root = ")?;
    let (params, data) = writer.leaf_arrays();
    let leaves = &computation.leaves;
    let mut code = Vec::new();
    for arrays in params.chunks(MOST_ARRAYS_IN_LINE) {
        let names: Vec<&str> = arrays.iter().map(|array| &*array.text).collect();
        let texts = arrays.iter().map(|array| array_text(leaves, array));
        let all_texts = texts.collect::<Vec<_>>().join(", ");
        code.push(format!("    {} = {all_texts}", names.join(", ")));
    }
    code.extend(inline(writer.statements().to_vec()));
    let definition = |array: &&ProgramArray| {
        let numbers = numbers_text(Dialect::Python, array);
        format!("{} = {numbers}\n", array.text)
    };
    let definitions: String = data.iter().map(definition).collect();
    let parts = [("data", &*definitions)];
    Ok(file(session, computation, Dialect::Python, &code, &parts))
}

/// Returns the text that takes an array from the argument `leaves` of the function: the free leaves below the root, in the
/// order of creation. A row of leaves that are side by side in the argument, too, is a slice. A leaf on which the root does
/// not depend is a number.
fn array_text(leaves: &[Rc<Node>], array: &ProgramArray) -> String {
    let place = |leaf: &Rc<Node>| leaves.binary_search_by_key(&leaf.id(), |it| it.id()).ok();
    let leaf_text = |leaf: &Rc<Node>| match place(leaf) {
        Some(place) => format!("leaves[{place}]"),
        None => bare(Dialect::Python, leaf.data()),
    };
    let row_text = |row: &[Rc<Node>]| {
        let places: Option<Vec<usize>> = row.iter().map(place).collect();
        let in_steps = places.filter(|it| it.is_sorted_by(|one, next| one + 1 == *next));
        let slice = in_steps.map(|it| format!("leaves[{}:{}]", it[0], it[0] + row.len()));
        slice.unwrap_or_else(|| list_of(row.iter().map(leaf_text)))
    };
    nested_list(&array.leaves, &array.shape, &leaf_text, &row_text)
}

/// Returns the program in JAX for a root.
pub fn jax(session: &Session, computation: &Computation) -> Phrase {
    let writer = Writer::with_arrays(session, Dialect::Jax, &computation.root, "return ")?;
    let (params, data) = writer.leaf_arrays();
    let mut tables = String::new();
    let mut code = Vec::new();
    for (dictionary, arrays) in [("params", &params), ("data", &data)] {
        if !arrays.is_empty() {
            let entry = |it: &&ProgramArray| {
                let numbers = numbers_text(Dialect::Jax, it);
                format!("    {}: jnp.array({numbers}),\n", it.key)
            };
            let entries: String = arrays.iter().map(entry).collect();
            tables.extend([dictionary, " = {\n", &entries, "}\n\n"]);
            let line = |it: &&ProgramArray| format!("    {} = {dictionary}[{}]", it.text, it.key);
            code.extend(arrays.iter().map(line));
        }
    }
    code.extend(inline(writer.statements().to_vec()));
    let mut more_arguments = "";
    if !data.is_empty() {
        more_arguments = ", data";
        // The longest arrays are split among devices. Shorter ones have no item for each observation.
        let longest = data.iter().map(|array| array.shape[0]).max();
        let batch = data.iter().filter(|array| Some(array.shape[0]) == longest);
        let keys: Vec<&str> = batch.map(|array| &*array.key).collect();
        let sharding = include_str!("sharding.jax.py");
        tables += &fill_frame(sharding, &[("keys", &keys.join(", "))]);
    }
    let parts = [("more", more_arguments), ("tables", &tables)];
    Ok(file(session, computation, Dialect::Jax, &code, &parts))
}

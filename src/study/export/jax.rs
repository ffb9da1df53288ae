//! Writes a root as a program of JAX: a list is an array, and a loop over a list is a function that `jax.vmap` maps.
//!
//! JAX computes the gradient itself, so only values are written. Leaves are the arrays of two dictionaries: `params` has
//! the free leaves, and `data` has the lists of frozen leaves.

use super::Refusal;
use super::arrays::numbers_text;
use super::computation::Computation;
use super::dialect::Dialect;
use super::frame::{file, fill_frame};
use super::inline::inline;
use super::writer::{ProgramArray, Writer};
use crate::session::Session;

/// Returns the program for a root.
pub fn jax(session: &Session, computation: &Computation) -> Result<String, Refusal> {
    let writer = Writer::with_arrays(session, Dialect::Jax, &computation.root, "return ")?;
    let (params, data) = writer.leaf_arrays();
    let mut tables = String::new();
    let mut code = Vec::new();
    for (dictionary, arrays) in [("params", &params), ("data", &data)] {
        if !arrays.is_empty() {
            tables += &dictionary_text(dictionary, arrays);
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

/// Returns the definition of a dictionary with the numbers of these arrays.
fn dictionary_text(dictionary: &str, arrays: &[&ProgramArray]) -> String {
    let entry = |array: &&ProgramArray| {
        let numbers = numbers_text(Dialect::Jax, array);
        format!("    {}: jnp.array({numbers}),\n", array.key)
    };
    let entries: String = arrays.iter().map(entry).collect();
    format!("{dictionary} = {{\n{entries}}}\n\n")
}

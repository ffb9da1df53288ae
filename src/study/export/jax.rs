//! A root as a program of JAX: a list is an array, and a loop over a list is a function that `jax.vmap` maps.
//!
//! JAX computes the gradient itself, so only values are written. Leaves are the arrays of two dictionaries: `params`,
//! and `data` for lists of frozen ones.

use super::Refusal;
use super::arrays::numbers_text;
use super::computation::Computation;
use super::dialect::Dialect;
use super::frame::{file, fill_frame};
use super::inline::inline;
use super::writer::{ProgramArray, Writer};
use crate::session::Session;

/// The program for a root.
pub fn jax(session: &Session, computation: &Computation) -> Result<String, Refusal> {
    let writer = Writer::with_arrays(session, Dialect::Jax, &computation.root, "return ")?;
    let (params, data) = writer.leaf_arrays();
    let (mut tables, mut code) = (Vec::new(), Vec::new());
    for (dictionary, arrays) in [("params", params), ("data", data.clone())] {
        if arrays.is_empty() {
            continue;
        }
        let entry = |array: &&ProgramArray| {
            let numbers = numbers_text(Dialect::Jax, array);
            format!("    {}: jnp.array({numbers}),\n", array.key)
        };
        let entries: String = arrays.iter().map(entry).collect();
        tables.push(format!("{dictionary} = {{\n{entries}}}\n\n"));
        let taken =
            |array: &&ProgramArray| format!("    {} = {dictionary}[{}]", array.text, array.key);
        code.extend(arrays.iter().map(taken));
    }
    let mut more = "";
    // The batch is the longest lists of data.
    if let Some(longest) = data.iter().map(|array| array.shape[0]).max() {
        more = ", data";
        let batch = data.iter().filter(|array| array.shape[0] == longest);
        let keys: Vec<&str> = batch.map(|array| &*array.key).collect();
        let keys = [("keys", &*keys.join(", "))];
        tables.push(fill_frame(include_str!("sharding.jax.py"), &keys));
    }
    code.extend(inline(writer.statements().to_vec()));
    let parts = [("more", more), ("tables", &*tables.concat())];
    Ok(file(session, computation, Dialect::Jax, &code, &parts))
}

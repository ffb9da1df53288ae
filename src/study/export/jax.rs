//! A root as a program of JAX: a list is an array, and a loop over a list is a function that `jax.vmap` maps.
//!
//! JAX computes the gradient itself, so only values are written. Leaves are the arrays of two dictionaries: `params`,
//! and `data` for lists of frozen ones.

use std::rc::Rc;

use super::Refusal;
use super::computation::Computation;
use super::dialect::{Dialect, library};
use super::frame::{bare, file, fill_frame, join_items};
use super::inline::inline;
use super::user_function::wrapper;
use super::writer::{ProgramArray, Writer};
use crate::session::Session;
use chainrule_engine::graph::Node;

/// The program for a root.
pub fn jax(session: &Session, computation: &Computation) -> Result<String, Refusal> {
    let writer = Writer::with_arrays(session, Dialect::Jax, &computation.root, "return ")?;
    Ok(writer.jax_file(computation))
}

impl Writer<'_> {
    fn jax_file(&self, computation: &Computation) -> String {
        let arrays = self
            .arrays
            .iter()
            .filter_map(|array| Some((array, array.leaves.as_ref()?)));
        let (data, params): (Vec<_>, Vec<_>) =
            arrays.partition(|(_, (_, leaves))| leaves[0].is_frozen());
        let mut arguments = "params";
        let (mut tables, mut code) = (Vec::new(), Vec::new());
        for (dictionary, arrays) in [("params", params), ("data", data.clone())] {
            if arrays.is_empty() {
                continue;
            }
            let entry = |(array, (key, leaves)): &(&ProgramArray, &(String, Vec<Rc<Node>>))| {
                format!("    {key}: {},\n", numbers(leaves, &array.shape))
            };
            let entries: String = arrays.iter().map(entry).collect();
            let taken = arrays.iter().map(|(array, (key, _))| (&array.text, key));
            code.extend(taken.map(|(text, key)| format!("    {text} = {dictionary}[{key}]")));
            tables.push(format!("{dictionary} = {{\n{entries}}}\n\n"));
        }
        if !data.is_empty() {
            arguments = "params, data";
            // The batch is the longest lists of data.
            let longest = data.iter().map(|(array, _)| array.shape[0]).max();
            let batch = data
                .iter()
                .filter(|(array, _)| Some(array.shape[0]) == longest);
            let keys: Vec<&str> = batch.map(|(_, (key, _))| &**key).collect();
            let keys = [("keys", &*keys.join(", "))];
            tables.push(fill_frame(include_str!("sharding.jax.py"), &keys));
        }
        code.extend(inline(self.statements().to_vec()));
        let (name, function) = wrapper(
            self.session,
            computation,
            Dialect::Jax,
            &arguments["params".len()..],
        );
        let code = code.join("\n");
        let parts = [
            ("arguments", arguments),
            ("tables", &tables.concat()),
            ("name", name),
            ("function", &function),
            ("library", &library(Dialect::Jax, [&*code])),
        ];
        file(self.session, &computation.root, Dialect::Jax, &code, &parts)
    }
}

/// The present numbers of leaves.
fn numbers(leaves: &[Rc<Node>], shape: &[usize]) -> String {
    let numbers: Vec<String> = leaves
        .iter()
        .map(|leaf| bare(Dialect::Jax, leaf.data()))
        .collect();
    let list = join_items(&numbers);
    match shape {
        [] => format!("jnp.array({list})"),
        [_] => format!("jnp.array([{list}])"),
        shape => format!("jnp.array([{list}]).reshape({shape:?})"),
    }
}

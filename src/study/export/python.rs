//! A root and its gradient as a program in Python without modules: lists are lists, a loop over a list is a
//! comprehension, and each operation is recorded on a tape that one sweep reads backward.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::Refusal;
use super::arrays::{list_of, nested_list, numbers_text};
use super::computation::Computation;
use super::dialect::Dialect;
use super::frame::file;
use super::inline::inline;
use super::names_and_numbers::bare;
use super::writer::{ProgramArray, Writer};
use crate::session::Session;
use chainrule_engine::graph::Node;

/// How many arrays a line takes from the argument.
const TAKEN: usize = 4;

/// The program for a root.
pub fn python(session: &Session, computation: &Computation) -> Result<String, Refusal> {
    let writer = Writer::with_arrays(session, Dialect::Python, &computation.root, "root = ")?;
    let places = computation.leaves.iter().enumerate();
    let places: FxHashMap<_, usize> = places.map(|(place, leaf)| (leaf.id(), place)).collect();
    let place = |leaf: &Rc<Node>| places.get(&leaf.id()).copied();
    // What the root does not depend on is no argument.
    let item = |leaf: &Rc<Node>| match place(leaf) {
        Some(place) => format!("leaves[{place}]"),
        None => bare(Dialect::Python, leaf.data()),
    };
    let (params, data) = writer.leaf_arrays();
    let taken = |array: &&ProgramArray| {
        nested_list(&array.leaves, &array.shape, &|row| {
            let first = place(&row[0]).unwrap_or_default();
            let mut places = row.iter().map(place).zip(first..);
            match () {
                () if array.shape.is_empty() => item(&row[0]),
                () if places.all(|(place, next)| place == Some(next)) => {
                    format!("leaves[{first}:{}]", first + row.len())
                }
                () => list_of(row.iter().map(item)),
            }
        })
    };
    let mut code: Vec<String> = Vec::new();
    for arrays in params.chunks(TAKEN) {
        let names: Vec<&str> = arrays.iter().map(|array| &*array.text).collect();
        let texts: Vec<String> = arrays.iter().map(taken).collect();
        code.push(format!("    {} = {}", names.join(", "), texts.join(", ")));
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

//! Writes a root and its gradient as a program in Python that needs no library: a loop over a list is a function that
//! `map` calls, and each operation is recorded on a tape that one sweep reads backward.

use std::rc::Rc;

use super::arrays::{list_of, nested_list, numbers_text};
use super::computation::Computation;
use super::dialect::Dialect;
use super::frame::file;
use super::inline::inline;
use super::writer::{ProgramArray, Writer};
use super::{Refusal, bare};
use crate::session::Session;
use chainrule_engine::graph::Node;

/// The most arrays that one line takes from the argument.
const MOST_ARRAYS_IN_LINE: usize = 4;

/// Returns the program for a root.
pub fn python(session: &Session, computation: &Computation) -> Result<String, Refusal> {
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

//! Writes a root and its gradient as a program in Python that needs no library: a loop over a list is a function that
//! `map` calls, and each operation is recorded on a tape that one sweep reads backward.

use std::rc::Rc;

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

/// The most arrays that one line takes from the argument.
const MOST_ARRAYS_IN_LINE: usize = 4;

/// Returns the program for a root.
pub fn python(session: &Session, computation: &Computation) -> Result<String, Refusal> {
    let writer = Writer::with_arrays(session, Dialect::Python, &computation.root, "root = ")?;
    let (params, data) = writer.leaf_arrays();
    let leaves = &computation.leaves;
    let argument = LeafArgument { leaves };
    let mut code = Vec::new();
    for arrays in params.chunks(MOST_ARRAYS_IN_LINE) {
        let names: Vec<&str> = arrays.iter().map(|array| &*array.text).collect();
        let texts = arrays.iter().map(|array| argument.array_text(array));
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

/// The argument `leaves` of the function: the free leaves below the root, in the order of creation.
struct LeafArgument<'c> {
    leaves: &'c [Rc<Node>],
}

impl LeafArgument<'_> {
    /// Returns the index of a leaf in the argument.
    fn place(&self, leaf: &Node) -> Option<usize> {
        let found = self.leaves.binary_search_by_key(&leaf.id(), |it| it.id());
        found.ok()
    }

    /// Returns the text that takes an array from the argument.
    fn array_text(&self, array: &ProgramArray) -> String {
        nested_list(&array.leaves, &array.shape, &|row| match array.shape[..] {
            [] => self.leaf_text(&row[0]),
            _ => self.row_text(row),
        })
    }

    /// Returns the text for a row of leaves: a slice if the leaves are side by side in the argument, too.
    fn row_text(&self, row: &[Rc<Node>]) -> String {
        let places: Option<Vec<usize>> = row.iter().map(|leaf| self.place(leaf)).collect();
        match places {
            Some(places) if places.is_sorted_by(|one, next| one + 1 == *next) => {
                format!("leaves[{}:{}]", places[0], places[0] + row.len())
            }
            _ => list_of(row.iter().map(|leaf| self.leaf_text(leaf))),
        }
    }

    /// Returns the text for a leaf. A leaf on which the root does not depend is a number.
    fn leaf_text(&self, leaf: &Rc<Node>) -> String {
        match self.place(leaf) {
            Some(place) => format!("leaves[{place}]"),
            None => bare(Dialect::Python, leaf.data()),
        }
    }
}

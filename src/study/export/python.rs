//! A root and its gradient as a program in Python without modules: lists are lists, a loop over a list is a
//! comprehension, and each operation is recorded on a tape that one sweep reads backward.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::Refusal;
use super::computation::Computation;
use super::dialect::{Dialect, library};
use super::frame::{bare, file, names_and_start};
use super::inline::inline;
use super::user_function::wrapper;
use super::writer::Writer;
use crate::session::Session;
use chainrule_engine::graph::Node;

/// How many leaves a line takes from the argument.
const TAKEN: usize = 4;

/// The program for a root.
pub fn python(session: &Session, computation: &Computation) -> Result<String, Refusal> {
    let root = &computation.root;
    let writer = Writer::with_arrays(session, Dialect::Python, root, "root = ")?;
    let leaves = computation.leaves.iter();
    let places = leaves.enumerate().map(|(place, leaf)| (leaf.id(), place));
    let places: FxHashMap<_, usize> = places.collect();
    let (mut data, mut taken) = (Vec::new(), Vec::new());
    for array in &writer.arrays {
        let Some((_, leaves)) = &array.leaves else {
            continue;
        };
        if leaves[0].is_frozen() {
            let number = |leaf: &Rc<Node>| bare(Dialect::Python, leaf.data());
            let numbers = |row: &[Rc<Node>]| list_of(row.iter().map(number));
            let numbers = list_text(leaves, &array.shape, &numbers);
            data.push(format!("{} = {numbers}\n", array.text));
        } else {
            // What the root does not depend on is no argument.
            let item = |leaf: &Rc<Node>| match places.get(&leaf.id()) {
                Some(place) => format!("leaves[{place}]"),
                None => bare(Dialect::Python, leaf.data()),
            };
            let row = |row: &[Rc<Node>]| {
                let first = places.get(&row[0].id()).copied().unwrap_or_default();
                let mut pairs = row.iter().zip(first..);
                if array.shape.is_empty() {
                    item(&row[0])
                } else if pairs.all(|(leaf, place)| places.get(&leaf.id()) == Some(&place)) {
                    format!("leaves[{first}:{}]", first + row.len())
                } else {
                    list_of(row.iter().map(item))
                }
            };
            taken.push((&*array.text, list_text(leaves, &array.shape, &row)));
        }
    }
    let mut code: Vec<String> = Vec::new();
    for arrays in taken.chunks(TAKEN) {
        let (names, texts): (Vec<&str>, Vec<&str>) =
            arrays.iter().map(|(name, text)| (*name, &**text)).unzip();
        code.push(format!("    {} = {}", names.join(", "), texts.join(", ")));
    }
    code.extend(inline(writer.statements().to_vec()));
    let code = code.join("\n");
    let (names, start) = names_and_start(session, Dialect::Python, &computation.leaves);
    let (name, function) = wrapper(session, computation, Dialect::Python, "");
    let parts = [
        ("name", name),
        ("function", &function),
        ("names", &names),
        ("start", &start),
        ("data", &data.concat()),
        ("library", &library(Dialect::Python, [&*code])),
    ];
    Ok(file(session, root, Dialect::Python, &code, &parts))
}

/// A list of this shape; `row` writes the numbers that stand side by side.
fn list_text(leaves: &[Rc<Node>], shape: &[usize], row: &impl Fn(&[Rc<Node>]) -> String) -> String {
    match shape {
        [count, inner @ ..] if !inner.is_empty() => {
            let rows = leaves.chunks((leaves.len() / count).max(1));
            list_of(rows.map(|leaves| list_text(leaves, inner, row)))
        }
        _ => row(leaves),
    }
}

fn list_of(items: impl Iterator<Item = String>) -> String {
    format!("[{}]", items.collect::<Vec<_>>().join(", "))
}

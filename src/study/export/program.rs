//! A root and its gradient as a program in C or Python: a function without branches, in Python with comprehensions for
//! lists, and the code that prints its result.
//!
//! The derivatives are nodes, as `grad()` builds them, so the program is a list of nodes, operands before users.
//! `operation_text` writes the operations. Where a factor of the chain rule is infinite or NaN at present, the product
//! is the one of a backward pass, in which an exact zero absorbs it; anywhere else it is a plain product.

use std::rc::Rc;

use super::Refusal;
use super::computation::Computation;
use super::dialect::Dialect;
use super::frame::{bare, file, join_items, quote, variable_name};
use super::python_lists::Columns;
use super::user_function::wrapper;
use super::writer::Writer;
use crate::session::Session;
use chainrule_engine::graph::Node;
use chainrule_stop as stop;

/// The program for a root with these derivatives by its leaves.
pub fn program(
    session: &Session,
    straight: &Computation,
    slopes: &[Rc<Node>],
    dialect: Dialect,
) -> Result<String, Refusal> {
    let root = &straight.root;
    let whole = Computation::of(root, slopes, Node::is_free);
    let mut writer = Writer::new(session, dialect);
    writer.moving.clone_from(&whole.moving);
    let mut variables = Vec::new();
    for (at, leaf) in whole.leaves.iter().enumerate() {
        variables.push(writer.leaf(leaf, &format!("leaves[{at}]"))?);
    }
    if dialect == Dialect::Python {
        writer.write_lines(&Columns::of(&whole, slopes))?;
    } else {
        for node in stop::with_checks(whole.computed.iter()) {
            writer.node(node)?;
        }
    }
    for (at, slope) in slopes.iter().enumerate() {
        let slope = writer.node(slope)?;
        writer.line(0, &format!("grad[{at}] = {slope}"))?;
    }
    let names = whole
        .leaves
        .iter()
        .map(|leaf| quote(&variable_name(session, leaf)));
    let start = whole.leaves.iter().map(|leaf| bare(dialect, leaf.data()));
    let (name, function) = wrapper(session, straight, dialect, &variables, "");
    let parts = [
        ("name", name),
        ("function", &function),
        ("count", &*whole.leaves.len().to_string()),
        ("names", &join_items(&names.collect::<Vec<_>>())),
        ("start", &join_items(&start.collect::<Vec<_>>())),
        ("value", &writer.node(root)?),
    ];
    let code = writer.statements().join("\n");
    Ok(file(session, root, dialect, &code, &parts))
}

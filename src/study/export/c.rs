//! A root and its gradient as a program in C: a function without branches, and the code that prints its result.
//!
//! The derivatives are nodes, as `grad()` builds them, so the program is a list of nodes, operands before users. Where a
//! factor of the chain rule is infinite or NaN at present, the product is the one of a backward pass, in which an exact
//! zero absorbs it; anywhere else it is a plain product.

use std::rc::Rc;

use super::Refusal;
use super::computation::Computation;
use super::dialect::Dialect;
use super::frame::file;
use super::writer::Writer;
use crate::session::Session;
use chainrule_engine::graph::Node;
use chainrule_stop as stop;

/// The program for a root with these derivatives by its leaves.
pub fn c(
    session: &Session,
    computation: &Computation,
    slopes: &[Rc<Node>],
) -> Result<String, Refusal> {
    let whole = Computation::of(&computation.root, slopes, Node::is_free);
    let mut writer = Writer::new(session, Dialect::C);
    writer.moving = whole.moving;
    for (at, leaf) in whole.leaves.iter().enumerate() {
        writer.leaf(leaf, &format!("leaves[{at}]"))?;
    }
    for node in stop::with_checks(whole.computed.iter()) {
        writer.node(node)?;
    }
    for (at, slope) in slopes.iter().enumerate() {
        let slope = writer.node(slope)?;
        writer.line(0, &format!("grad[{at}] = {slope}"))?;
    }
    let value = writer.node(&computation.root)?;
    let parts = [("value", &*value)];
    let code = writer.statements();
    Ok(file(session, computation, Dialect::C, code, &parts))
}

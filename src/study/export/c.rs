//! Writes a root and its gradient as a program in C: a function without branches, and the code that prints its result.
//!
//! The derivatives are nodes, as `grad()` builds them, so the program is a list of nodes, operands before users. If a
//! factor of the chain rule is infinite or NaN at present, an exact zero absorbs it, as in a backward pass; all other
//! factors are simply multiplied.

use std::rc::Rc;

use super::Refusal;
use super::computation::Computation;
use super::dialect::Dialect;
use super::frame::file;
use super::writer::{PROGRAM, Writer};
use crate::session::Session;
use chainrule_engine::graph::Node;
use chainrule_stop as stop;

/// Returns the program for a root; `slopes` are the derivatives by its leaves.
pub fn c(
    session: &Session,
    computation: &Computation,
    slopes: &[Rc<Node>],
) -> Result<String, Refusal> {
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

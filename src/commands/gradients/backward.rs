//! `:backward T`: runs a backward pass and adds its gradients to the existing ones, as happens when zeroing is
//! forgotten.
//!
//! The table is that of `:grad`.

use std::rc::Rc;

use super::grad::{self, NodeSelection};
use crate::commands::args::Arguments;
use crate::commands::signatures::backward::{SIGNATURE, T};
use crate::commands::{Command, Reply};
use crate::session::Session;
use chainrule_engine::graph::{Node, Order};
use chainrule_report::diagnostic::Diagnostic;

pub(crate) static COMMAND: Command = Command::new(SIGNATURE, run, &[]);

fn run(session: &mut Session, arguments: &Arguments) -> Result<Reply, Diagnostic> {
    let target = arguments.pass_target(session, T)?;
    session.accumulate(&target.node);
    let elsewhere = |root: &Rc<Node>| !Rc::ptr_eq(root, &target.node);
    // A silenced statement does not ask for the sum, which may take long.
    let pass = session.pass().filter(|_| !arguments.silenced);
    if pass.is_some_and(|pass| pass.roots().iter().any(elsewhere)) {
        // Running a cell again creates new nodes; the old ones were reached by an earlier pass only and are not listed.
        let below = Order::below([&target.node]);
        return Ok(grad::show(
            session,
            arguments,
            &target,
            NodeSelection::Part(below),
        ));
    }
    Ok(grad::show(session, arguments, &target, NodeSelection::Pass))
}

//! `:zero`: forgets the gradients, or sets those of some nodes to 0.

use crate::commands::node_table;
use crate::commands::prelude::*;
use crate::commands::signatures::zero::{NODE, SIGNATURE};

pub(crate) static COMMAND: Command = Command::new(SIGNATURE, run, &[]);

fn run(session: &mut Session, arguments: &Arguments) -> Result<Reply, Diagnostic> {
    let nodes = arguments.nodes(session, NODE)?;
    let picked = (!nodes.is_empty()).then_some(&nodes[..]);
    let had_grads = session.zero_grads(picked);
    let line = if !had_grads {
        say!("there were no gradients")
    } else if nodes.is_empty() {
        say!("gradients forgotten")
    } else {
        say!("gradient 0: {}", node_table::labels_line(session, &nodes))
    };
    let mut facts = vec![("forgotten", Fact::Flag(had_grads))];
    if !nodes.is_empty() {
        facts.push(("nodes", node_table::labels_fact(session, &nodes)));
    }
    Ok(Reply::show(Report::confirming("zero", facts, line)))
}

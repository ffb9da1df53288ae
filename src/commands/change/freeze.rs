//! `:freeze a b`: marks leaves that `:step` must not move. Also contains the function shared with `:thaw`.
//!
//! The mark is kept in the leaf; only `:step` looks at it.

use std::rc::Rc;

use crate::commands::args::suggestions::Offers;
use crate::commands::args::{Argument, ArgumentKind, Arguments};
use crate::commands::{Command, Group, Reply, rows};
use crate::diagnostic::Diagnostic;
use crate::graph::Node;
use crate::report::{Fact, Report, say};
use crate::session::Session;

pub(crate) const COMMAND: Command = Command {
    name: "freeze",
    aliases: &[],
    group: Group::Change,
    entry: (":freeze a", "keep it fixed"),
    arguments: &[
        Argument::needed("LEAF", ArgumentKind::Nodes).offering(Offers::Nodes(Node::is_free))
    ],
    summary: "freeze leaves: `:step` does not move them",
    details: "A frozen leaf still gets a grad, and `:set` can still change it. `const x = 2` makes a leaf that is \
              frozen from the start.",
    example: "
∂> w, x = 3, 2
w = 3, x = 2
∂> y = w*x
y = 6
∂> :freeze x
frozen: x
∂> :grad y
  node   expression   data   grad
  y      w*x             6      1
  x      frozen          2      3
  w      leaf            3      2
∂> :step 0.1
  leaf   before   grad   change   after   new grad
  w           3      2     -0.2     2.8          2
y: 6 → 5.6   (down, rate 0.1)
",
    run: |session, arguments| mark(session, arguments, true),
};

/// Freezes or frees the leaves that were named.
pub(crate) fn mark(
    session: &mut Session,
    arguments: &Arguments,
    freeze: bool,
) -> Result<Reply, Diagnostic> {
    let mut leaves: Vec<Rc<Node>> = Vec::new();
    for (node, word) in arguments.nodes(session, "LEAF")? {
        if !node.is_leaf() {
            let label = session.label(&node);
            return Err(Diagnostic::new(format!("`{label}` is not a leaf"))
                .at(word)
                .help("only leaves are moved by `:step`; `:vars` shows which names are leaves"));
        }
        leaves.push(node);
    }
    let changed = session.freeze(&leaves, freeze);
    let state = if freeze { "frozen" } else { "free" };
    let line = if changed.is_empty() {
        say!("already {}: {}", state, rows::enumerated(session, &leaves))
    } else {
        say!("{}: {}", state, rows::enumerated(session, &changed))
    };
    Ok(Reply::show(Report::done(
        arguments.command.name,
        vec![
            ("leaves", rows::listed(session, &leaves)),
            ("changed", Fact::Count(changed.len() as u64)),
        ],
        line,
    )))
}

//! `:thaw a b`: lets `:step` move frozen leaves again.
//!
//! The function is shared with `:freeze` and is in `freeze`.

use super::freeze;
use crate::commands::args::suggestions::Offers;
use crate::commands::args::{Argument, ArgumentKind};
use crate::commands::{Command, Group};
use crate::graph::Node;

pub(crate) const COMMAND: Command = Command {
    name: "thaw",
    aliases: &[],
    group: Group::Change,
    entry: (":thaw a", "let it move"),
    arguments: &[
        Argument::needed("LEAF", ArgumentKind::Nodes).offering(Offers::Nodes(Node::is_frozen))
    ],
    summary: "free frozen leaves: `:step` moves them again",
    details: "The counterpart of `:freeze`; it also frees the leaves that `const` made.",
    example: "
∂> const x = 2
x = 2
∂> y = x^2
y = 4
∂> :thaw x
free: x
∂> :step 0.25 of y
  leaf   before   grad   change   after   new grad
  x           2      4       -1       1          2
y: 4 → 1   (down, rate 0.25)
",
    run: |session, arguments| freeze::mark(session, arguments, false),
};

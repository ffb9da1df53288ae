//! The words `named` and `grads` of `:graph`, which ask for the network view.
//!
//! `study` finds the boxes and the wires; here is what can be wrong with asking for them.

use std::rc::Rc;

use crate::commands::FileRequest;
use crate::commands::args::Arguments;
use crate::commands::args::retyped::typed_node;
use crate::diagnostic::Diagnostic;
use crate::graph::{FullGraph, Node};
use crate::report::Diagram;
use crate::session::Session;
use crate::session::naming::folds::Fold;
use crate::study;
use crate::syntax::Span;

/// What the words ask for.
pub(super) struct NetworkWords {
    named: Span,
    grads: Option<Span>,
}

impl NetworkWords {
    /// The words, if the network view is asked for.
    pub(super) fn new(
        arguments: &Arguments,
        file: Option<&FileRequest>,
    ) -> Result<Option<NetworkWords>, Diagnostic> {
        let word = |name| arguments.word(name).map(|(_, span)| span);
        let others = ["locals", "changed"].map(|name| Some((name, word(name)?)));
        let others = || others.into_iter().flatten();
        // The line for a network, without the words of other pictures.
        let network = |more: &[(Span, &'static str)]| {
            let left_out = others().map(|(_, other)| (other, ""));
            let changes: Vec<_> = left_out.chain(more.iter().copied()).collect();
            arguments.retyped(&changes)
        };
        let (named, grads) = match (word("named"), word("grads")) {
            (Some(named), grads) => (named, grads),
            (None, None) => return Ok(None),
            (None, Some(grads)) => {
                let network = network(&[(grads, "named grads")]);
                let help = if others().next().is_some() {
                    let picture = arguments.retyped(&[(grads, "")]);
                    format!("write `{picture}` or `{network}`")
                } else {
                    format!("write `{network}`")
                };
                return Err(Diagnostic::new("`grads` is for the wires of a network")
                    .at(grads)
                    .help(help));
            }
        };
        if let Some((name, other)) = others().next() {
            let later = if other.start > named.start {
                other
            } else {
                named
            };
            // `grads` goes with `named`.
            let grads = grads.unwrap_or(named);
            let network = network(&[]);
            let picture = arguments.retyped(&[(named, ""), (grads, "")]);
            return Err(
                Diagnostic::new(format!("`named` and `{name}` are two pictures"))
                    .at(later)
                    .help(format!("write `{network}` or `{picture}`")),
            );
        }
        if let Some(page) = file.filter(|file| file.ending() == "html") {
            let picture = arguments.with_ending(page.word(), "svg");
            let without = arguments.retyped(&[(named, ""), (grads.unwrap_or(named), "")]);
            return Err(Diagnostic::new("a page shows every node, not a network")
                .at(named)
                .help(format!("write `{picture}` or `{without}`")));
        }
        Ok(Some(NetworkWords { named, grads }))
    }

    /// The network below a root, in which these lists are boxes.
    pub(super) fn diagram(
        &self,
        session: &Session,
        root: &Rc<Node>,
        whole: &FullGraph,
        lists: &[Fold],
    ) -> Result<Diagram, Diagnostic> {
        let label = session.label(root);
        if let Some(grads) = self.grads
            && session.grad_to_show(root).is_none()
        {
            return Err(Diagnostic::new(format!("`{label}` has no gradients yet"))
                .at(grads)
                .help(format!("`:grad {}` computes them", typed_node(&label))));
        }
        study::diagram_of_network(session, root, whole, lists, self.grads.is_some()).ok_or_else(
            || {
                Diagnostic::new(format!("the boxes of `{label}` have too many connections"))
                    .at(self.named)
                    .help(
                        "name what many nodes use, such as a sum; `:graph NODE named` draws a part",
                    )
            },
        )
    }
}

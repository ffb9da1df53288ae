//! The answers to single lines in Python's spelling that are no expression, binding or definition.
//!
//! `L.backward()` is `:backward L`, `a.data = 3` is `:set a 3` except that it keeps the gradients, and `print(L)` is
//! `L`. Only `n.label = 'n'` has no other spelling. `block` runs these lines as it does in blocks.

use std::rc::Rc;

use super::StatementRun;
use super::answers::{exact_value, result};
use super::print::printed_lines;
use crate::commands::Reply;
use crate::commands::args::existing;
use crate::session::Session;
use crate::session::values::Value;
use chainrule_engine::graph::Node;
use chainrule_language::Span;
use chainrule_report::diagnostic::Diagnostic;
use chainrule_report::{Block, Fact, Line, Report, Values, plural, say};

impl StatementRun<'_, '_> {
    /// Replaces the table of a pass through a network, whose rows are too many to read, by one line.
    pub(super) fn without_rows_of_network(&self, mut reply: Reply, target: Span) -> Reply {
        let session = &*self.session;
        let Some(pass) = session.pass().filter(|_| !session.show.shows_all_rows) else {
            return reply;
        };
        let nodes = pass.order().nodes().iter();
        let leaves: Vec<_> = nodes.filter(|it| it.is_leaf() && it.is_free()).collect();
        let network = leaves.iter().find_map(|leaf| network_of(session, leaf));
        if let (Some(report), Some(network)) = (&mut reply.report, network) {
            let command = format!(":grad {} wrt {network}", target.of(self.text));
            let line = say!("{} leaves have grads; {:typed}", leaves.len(), command);
            report.blocks = vec![Block::Line(line)];
        }
        reply
    }

    /// The answer to `n.label = 'n'`.
    pub(super) fn answer_label(&mut self, node: Span) -> Result<Reply, Diagnostic> {
        let found = existing::node(self.session, self.text, node)?;
        Ok(self.reply(|session| label_report(session, &found)))
    }

    /// The answer to `x.append(3)`. It takes no longer for a long list.
    pub(super) fn answer_append(&self, name: &str) -> Reply {
        let list = self.session.names().find(name);
        let count = list.and_then(|list| list.shape().count()).unwrap_or(0);
        self.reply(|_| {
            let facts = vec![("name", Fact::from(name)), ("items", count.into())];
            let line = say!("{:name} has {}", name, plural(count, "item"));
            Report::confirming("append", facts, line)
        })
    }

    /// The answer to `print(L)`, `print('L', L)`, `print(f"L is {L}")`. Its values become results.
    pub(super) fn answer_print(&mut self, values: &[Value], printed: (Line, Fact)) -> Reply {
        for value in values.iter().filter(|value| value.word().is_none()) {
            self.session.answer(value.clone());
        }
        self.reply(|_| print_report(values, printed))
    }
}

/// The name of the network whose weights include a leaf: `n` for a leaf in the list `n_0`.
fn network_of(session: &Session, leaf: &Rc<Node>) -> Option<String> {
    let names = session.names();
    let list = names.name_without_place(names.list_name_of(leaf)?);
    if !session.functions().is_weight_list(&list) {
        return None;
    }
    let (network, _) = list.rsplit_once('_')?;
    Some(network.to_owned())
}

fn label_report(session: &Session, node: &Rc<Node>) -> Report {
    let name = session.label(node);
    let shown = session.shown_label(node);
    // The lecture labels every value with its own name, which needs no confirmation.
    let is_news = shown != name;
    let line = || Block::Line(say!("{:name} is shown as {:name}", &name, &shown));
    Report {
        kind: "label",
        blocks: Vec::from_iter(is_news.then(line)),
        facts: vec![("node", Fact::Text(name)), ("label", Fact::Text(shown))],
        is_confirmation: true,
    }
}

fn print_report(values: &[Value], (line, items): (Line, Fact)) -> Report {
    let mut blocks = printed_lines([line]);
    let mut kind = "print";
    if let [only] = values
        && only.word().is_none()
    {
        kind = "value";
        blocks.push(Block::Values(Values {
            values: vec![result(Line::new(), exact_value(only))],
            is_hidden: true,
            ..Values::default()
        }));
    }
    Report::new(kind, vec![("items", items)], blocks)
}

//! Lines of Python that are no expression, binding or definition, as in the lecture that the calculator accompanies.
//!
//! `L.backward()` is `:backward L`, `a.data = 3` is `:set a 3` except that it keeps the gradients, and `print(L)` is `L`.
//! Only `n.label = 'n'` has no other spelling. `block` runs them as it does in blocks, and here they are answered.

use std::rc::Rc;

use super::StatementRun;
use super::answers::{data_facts, value_block};
use super::block::BlockRun;
use super::print::{printed_lines, whole_list};
use crate::commands::Reply;
use crate::commands::args::resolve;
use crate::commands::gradients::backward;
use crate::session::values::Value;
use chainrule_engine::graph::Node;
use chainrule_language::{PrintPiece, Printing, Span, Step, StepKind};
use chainrule_report::diagnostic::Diagnostic;
use chainrule_report::{Block, Fact, Line, Report, plural, say};

impl<'t> StatementRun<'_, 't> {
    /// Runs a line that is no expression, binding, definition or block.
    pub(super) fn run_step(&mut self, kind: StepKind<'t>) -> Result<Reply, Diagnostic> {
        if let StepKind::Backward(root) = kind {
            let reply = self.carry_out(&backward::COMMAND, (root.span, root.span))?;
            return Ok(self.without_rows_of_network(reply, root.span));
        }
        let made = self.session.newest_id();
        let mut run = BlockRun::of_line(self.cut.silenced);
        let step = Step {
            span: self.cut.span,
            kind,
        };
        self.run_steps(std::slice::from_ref(&step), &mut run)?;
        let took_part = self.session.in_block();
        let moved = run.end_block(self.session);
        let own = run.line.take().unwrap_or_default();
        let reply = match step.kind {
            StepKind::Print(printing) => return self.answer_print(&printing, own.values, run),
            StepKind::Label { node, .. } => self.answer_label(node.span)?,
            StepKind::Append { list, .. } => self.answer_append(list.name),
            _ if took_part => return Ok(run.reply(self, moved)),
            _ => {
                // The numbers of its nodes are given again.
                self.session.rewind(made);
                Reply {
                    report: own.report,
                    ..Reply::default()
                }
            }
        };
        Ok(run.put_above(reply))
    }

    /// One line in place of the table of a pass through a network, whose rows are too many to read. Python says nothing.
    fn without_rows_of_network(&self, mut reply: Reply, target: Span) -> Reply {
        let names = self.session.names();
        let network = |leaf: &Rc<Node>| {
            let list = names.name_without_place(names.list_of(leaf)?);
            let is_weight = self.session.functions().is_weight_list(&list);
            let name = list.rsplit_once('_').filter(|_| is_weight)?.0;
            Some(name.to_owned())
        };
        let Some(pass) = self.session.pass().filter(|_| !self.session.all_rows) else {
            return reply;
        };
        let nodes = pass.order().nodes().iter();
        let leaves: Vec<_> = nodes.filter(|it| it.is_leaf() && it.is_free()).collect();
        let network = leaves.iter().find_map(|leaf| network(leaf));
        if let (Some(report), Some(network)) = (&mut reply.report, network) {
            let command = format!(":grad {} wrt {network}", target.of(self.text));
            let line = say!("{} leaves have grads; {:typed}", leaves.len(), command);
            report.blocks = vec![Block::Line(line)];
        }
        reply
    }

    /// The answer to `n.label = 'n'`.
    fn answer_label(&mut self, node: Span) -> Result<Reply, Diagnostic> {
        let found = resolve::node(self.session, self.text, node)?;
        Ok(self.reply(Vec::new(), |session| {
            let name = session.label(&found);
            let shown = session.shown_label(&found);
            // The lecture labels every value with its own name, which needs no confirmation.
            let is_news = shown != name;
            let line = || Block::Line(say!("{:name} is shown as {:name}", &name, &shown));
            Report {
                kind: "label",
                blocks: Vec::from_iter(is_news.then(line)),
                facts: vec![("node", Fact::Text(name)), ("label", Fact::Text(shown))],
                confirmation: true,
            }
        }))
    }

    /// The answer to `x.append(3)`. It takes no longer for a long list.
    fn answer_append(&self, name: &str) -> Reply {
        let list = self.session.names().find(name);
        let count = list.and_then(|list| list.shape().count());
        let count = count.unwrap_or_default();
        self.reply(Vec::new(), |_| {
            let facts = vec![("name", Fact::from(name)), ("items", count.into())];
            let line = say!("{:name} has {}", name, plural(count, "item"));
            Report::confirming("append", facts, line)
        })
    }

    /// The answer to `print(L)`, `print('L', L)`, `print(f"L is {L}")`: its values are results.
    fn answer_print(
        &mut self,
        printing: &Printing,
        values: Vec<Value>,
        mut run: BlockRun,
    ) -> Result<Reply, Diagnostic> {
        let pieces = printing.arguments.iter().flatten();
        let expressions = pieces.filter_map(|piece| match piece {
            PrintPiece::Value(expression, _) => Some(expression),
            PrintPiece::Text(_) => None,
        });
        for (expression, value) in expressions.zip(&values) {
            if let Value::Node(node) = value {
                self.session.aim_at(node, expression.span.of(self.text));
            }
        }
        let mut numbers = values;
        numbers.retain(|value| value.word().is_none());
        if let ([argument], [only]) = (&*printing.arguments, &*numbers)
            && let [PrintPiece::Value(_, None)] = &**argument
        {
            run.printed.pop();
            let notes = self.session.stale_guard_notes(only.nodes());
            let number = self.session.answer(only.clone());
            let reply = self.show_value(only, number, notes, |session, line| {
                match whole_list(&only.numbers()) {
                    Some(whole) => Block::Line([line, whole].concat()),
                    None => value_block(session, line, only),
                }
            });
            return Ok(run.put_above(reply));
        }
        let (lines, mut printed): (Vec<Line>, Vec<Fact>) = run.printed.drain(..).unzip();
        let (kind, mut facts) = match numbers.as_slice() {
            [only] => ("value", data_facts(only)),
            _ => ("print", Vec::new()),
        };
        facts.extend(printed.pop().map(|items| ("items", items)));
        if !printed.is_empty() {
            facts.push(("printed", Fact::List(printed)));
        }
        for value in numbers {
            self.session.answer(value);
        }
        Ok(self.reply(run.notes, |_| {
            Report::new(kind, facts, printed_lines(lines))
        }))
    }
}

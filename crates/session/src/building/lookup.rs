//! Finds the values of references, `a@1`, `@9`, `$3`, and of properties, `a.grad`, and the leaves that stand for parameters.
//!
//! Those of `:grad f(1, 2)` belong to the answer, or to the walk. Their names are bound nowhere, but while a command runs
//! that is about them, they come before those of the session.

use std::rc::Rc;

use crate::results::range_sentence;
use crate::state::Session;
use chainrule_engine::graph::{Node, Order, Spelling};
use chainrule_language::{Item, ItemKind, Name, Property, Span};
use chainrule_program::error::{Error, fail};
use chainrule_program::values::Value;
use chainrule_report::diagnostic::Diagnostic;
use chainrule_report::{Note, say};
use chainrule_stop as stop;

impl Session {
    /// The value of the reference at `at`: `a@1`, `@9`, `$3`.
    pub(crate) fn value_of_reference(
        &mut self,
        text: &str,
        items: &[Item<Name>],
        at: usize,
    ) -> Result<Value, Error> {
        let item = &items[at];
        if matches!(item.kind, ItemKind::Result(_) | ItemKind::Id(_)) && self.numbers_differ() {
            let reference = item.span.of(text);
            let message =
                format!("`{reference}` in a file means a result or node of its own session");
            let help = "load the file into an empty session: `:reset` first";
            return Err(fail(item.span, message, help));
        }
        let (found, help) = match item.kind {
            ItemKind::Former(name, count) => {
                let loss = self.names.loss(name, count);
                let help = match loss {
                    Some(_) => "some of its items are gone, because nothing uses them",
                    None => "former names last as long as something uses their node",
                };
                (loss.and_then(|it| it.value.upgrade()), help.into())
            }
            ItemKind::Result(number) => (
                self.results.get(u64::from(number)),
                range_sentence(self.results.range()),
            ),
            ItemKind::Id(id) => {
                // Constants are not listed, and no table shows their ids. In a file that is loaded, the numbers count
                // the nodes of the file.
                let own = id.saturating_add(self.newest_id_before_file());
                let found = self.program.graph.living().node(own);
                let help = "`:grad` with `--json` shows all ids".to_string();
                // A command with this number might move the leaf of a parameter.
                let is_lent = |node: &Node| self.names.parameters.of(node).is_some();
                let node = found.filter(|node| self.is_in_use(own) && !is_lent(node));
                (node.map(Value::Node), help)
            }
            _ => unreachable!("all other items have a value by themselves"),
        };
        found.ok_or_else(|| {
            let message = format!("there is no `{}`", item.span.of(text));
            fail(item.span, message, help)
        })
    }

    /// `.data`, `.grad` or `.sigma` of a value, as constants, and whether a stale gradient was read.
    pub(crate) fn property(
        &mut self,
        property: Property,
        value: &Value,
        span: Span,
    ) -> Result<(Value, bool), Error> {
        let mut is_stale = false;
        stop::check_before(value.nodes().len());
        let mut constants = Vec::with_capacity(value.nodes().len());
        for node in value.nodes() {
            let number = match property {
                Property::Data => node.data(),
                Property::Grad => {
                    is_stale = self.is_stale() && !self.program.in_block();
                    self.read_grad(node, span)?
                }
                Property::Sigma => self.names.uncertain.node_deviation(node),
            };
            constants.push(self.program.graph.constant(number, Spelling::Plain));
        }
        Ok((Value::of_shape(constants, value.shape()), is_stale))
    }

    /// The grad that the last pass gave to a node, or that the user has claimed since.
    fn read_grad(&mut self, node: &Rc<Node>, span: Span) -> Result<f64, Error> {
        if !node.varies() {
            let message = format!("`{}` is a constant and has no gradient", self.label(node));
            return Err(Diagnostic::new(message).at(span).into());
        }
        self.program.has_read_grad = true;
        let in_block = self.grad_in_block(node);
        if let Some(grad) = in_block.or_else(|| self.grad_to_show(node)) {
            if !self.program.in_block() {
                self.note_shown_of_pass(std::slice::from_ref(node));
            }
            return Ok(grad);
        }
        if self.recent.pass.is_none() {
            // A saved session does not know when its walk has ended.
            let may_be_over = self.loads_saved_session() && self.reads_missing_grads;
            if self.walk().is_some() && !may_be_over {
                let help = "`:next all` ends the walk, or read them in its table";
                return Err(fail(span, "an open walk has its own gradients", help));
            }
            let target = self.target().and_then(|it| self.target_node(it));
            let label = target.map(|root| self.label(&root));
            // A label that was cut cannot be typed.
            let typed = label.filter(|text| !text.contains('…'));
            let pass = format!(
                ":grad{}",
                typed.map_or(String::new(), |root| format!(" {root}"))
            );
            if self.reads_missing_grads {
                let grad = format!("{}.grad", self.label(node));
                self.add_note(Note::new(say!(
                    "{:name} is 0 until a pass has run, as in micrograd: {:typed}",
                    grad,
                    pass
                )));
                return Ok(0.0);
            }
            let help = format!("run a backward pass first: `{pass}`");
            return Err(fail(span, "there are no gradients yet", help));
        }
        // The pass does not contain the node, so that the root does not depend on it.
        Ok(0.0)
    }

    /// The leaves below a root that stand for parameters.
    pub fn parameters_below(&self, root: &Rc<Node>) -> Vec<(Rc<str>, Value)> {
        let all = self.names.parameters.living();
        let below = all.filter(|(leaf, _)| Order::below([root]).slot(leaf).is_some());
        (below.map(|(leaf, name)| (Rc::clone(name), leaf.into()))).collect()
    }

    /// Lets the parameters below a target come before the names of the session, as long as the statement runs.
    pub fn lend_names(&mut self, target: Option<&Rc<Node>>) {
        self.program.makes_parameter_leaves = false;
        self.running.lent = target.map(|root| self.parameters_below(root));
    }

    /// Lets those below the root of the open walk do so, unless the statement has a target.
    pub fn lend_names_of_walk(&mut self) {
        if self.running.lent.is_none() {
            let root = self.walk().map(|it| Rc::clone(&it.root));
            self.lend_names(root.as_ref());
        }
    }
}

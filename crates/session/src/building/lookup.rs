//! Finds the values of references, `a@1`, `@9`, `$3`, and of properties, `a.grad`.

use std::rc::{Rc, Weak};

use crate::naming::NameLoss;
use crate::results::range_sentence;
use crate::state::Session;
use chainrule_engine::graph::{Node, Spelling};
use chainrule_language::{Head, Item, ItemKind, Literal, Name, Property, Span};
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
                if let Some(loss) = self.names.loss(name, count) {
                    return remaining_items(text, items, at, loss);
                }
                (
                    None,
                    "former names last as long as something uses their node".into(),
                )
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
                let node = found.filter(|_| self.is_in_use(own));
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
}

/// The value with a former name, whose item is at `at`. If some items of a list are gone, the indices that follow must
/// select one that is left: `w@1[2]`.
fn remaining_items(
    text: &str,
    items: &[Item<Name>],
    at: usize,
    loss: &NameLoss,
) -> Result<Value, Error> {
    let shape = loss.value.shape();
    let weak_nodes = loss.value.nodes().iter();
    let nodes: Vec<Option<Rc<Node>>> = weak_nodes.map(Weak::upgrade).collect();
    if let Some(all) = nodes.iter().cloned().collect() {
        return Ok(Value::of_shape(all, shape));
    }
    // In postfix order, `w@1[2][0]` is `w@1 2 [] 0 []`.
    let (mut selected, mut first, mut next) = (shape.clone(), 0, at + 1);
    while let Some([position, index]) = items.get(next..next + 2)
        && index.kind == ItemKind::Apply(Head::Index, 2)
        && let ItemKind::Number(Literal { value, .. }) = position.kind
        && let Some(place) = selected.place_of(value)
        && let Some((item, start)) = selected.item(place)
    {
        (selected, first, next) = (item, first + start, next + 2);
    }
    let has_index = next > at + 1;
    let mut wanted = nodes[first..first + selected.size()].iter();
    match nodes.iter().flatten().next() {
        // Any node can take the places of those that are not selected, because they are not used.
        Some(any) if has_index && wanted.all(Option::is_some) => {
            let filled = nodes.iter().map(|node| node.as_ref().unwrap_or(any));
            Ok(Value::of_shape(filled.cloned().collect(), shape))
        }
        _ => {
            let list = items[at].span.of(text);
            let message =
                format!("`{list}` is incomplete: only items that something uses are kept");
            let help = format!("the others are typed one by one: `{list}[0]`");
            Err(fail(items[at].span, message, help))
        }
    }
}

//! Differentiates what is built: by leaves, and calls by their arguments, for which placeholders stand in.
//!
//! A prime differentiates with respect to the argument alone, even if the body also reaches the argument's node by its
//! name: with `f(x) = a*x` the derivative `f'(a)` is `a`. Therefore the body is built on placeholder leaves and
//! differentiated with respect to these. Then the arguments replace the placeholders, and `f'(3)` becomes a plain
//! number.
//!
//! A body that contains `grad(…)` differentiates along all paths, as if the arguments were written into the body. In
//! such a body only constants get placeholders, because `grad` cannot differentiate by a constant.

use std::rc::Rc;

use crate::derive::{Builder, NodesBefore, goes_item_by_item};
use crate::environment::Environment;
use crate::error::{Error, fail_here};
use crate::functions::{AnyValue, Function, GRAD};
use crate::program::Program;
use crate::values::Value;
use chainrule_engine::graph::Node;
use chainrule_engine::graph::structure::{find_alike, reachable};
use chainrule_language::Span;

/// The placeholders for the arguments of a call.
pub(crate) struct StandIns {
    /// The placeholders: the values of the parameters while the body runs.
    pub(crate) parameters: Vec<Value>,
    /// The real arguments.
    pub(crate) arguments: Vec<Value>,
    /// The number of times that the body is differentiated with respect to the first placeholder.
    pub(crate) primes: u8,
}

impl StandIns {
    /// Whether each number of `body` depends only on the number of the first argument in its place, or that argument is one
    /// number. Several arguments are numbers, and so is `body`.
    pub(crate) fn are_used_item_by_item(&self, body: &Value) -> bool {
        let are_numbers = || (self.parameters.iter().chain([body])).all(|it| it.node().is_some());
        goes_item_by_item(&self.parameters[0], body)
            && (self.parameters.len() == 1 || are_numbers())
    }
}

impl Program {
    /// A builder that does not build again the nodes at and below `roots`.
    pub fn builder(&mut self, roots: &[Rc<Node>]) -> Builder<'_> {
        if !self.before.indexed.is_of(roots) {
            self.before = Rc::new(NodesBefore::below(roots));
        }
        let before = Rc::clone(&self.before);
        let mut builder = Builder::new(&mut self.graph, before, self.started, self.limits.nodes);
        builder.purpose = self.purpose;
        builder
    }

    /// The derivatives of `root` with respect to each of these nodes, as nodes: exact, and 0 if `root` does not depend
    /// on it. They share nodes, so that all of them cost little more than one. Changes neither names nor passes.
    pub fn derivatives(
        &mut self,
        root: &Rc<Node>,
        by: &[Rc<Node>],
    ) -> Result<Vec<Rc<Node>>, Error> {
        self.started = self.graph.last_id();
        let roots = std::slice::from_ref(root);
        let mut builder = self.builder(roots);
        let derivatives = builder.derivatives(roots, by);
        let finished = builder.finish();
        finished.map_err(|error| error.at(Span::default()))?;
        Ok(derivatives)
    }
}

impl Program {
    /// The placeholders for the arguments of a call, if it has primes or differentiates in its body. They replace the
    /// arguments in the slots of the call.
    pub(crate) fn stand_ins_for_call(
        &mut self,
        function: &Function,
        primes: u8,
        slots: &mut [Option<AnyValue>],
    ) -> Result<Option<StandIns>, Error> {
        let calls_grad = function.has_grad && self.functions.get(GRAD).is_none();
        if primes == 0 && !calls_grad {
            return Ok(None);
        }
        let filled = slots.iter_mut().flatten();
        let numbers = filled.filter_map(|value| match value {
            AnyValue::Numbers(value) => Some(value),
            _ => None,
        });
        let values: Vec<&mut Value> = numbers.collect();
        let arguments: Vec<Value> = values.iter().map(|value| Value::clone(value)).collect();
        let mut nodes = arguments.iter().flat_map(Value::nodes);
        if primes == 0 && nodes.all(|node| node.varies()) {
            return Ok(None);
        }
        let stand_ins = self.stand_ins(primes, arguments);
        for (value, placeholder) in values.into_iter().zip(&stand_ins.parameters) {
            value.clone_from(placeholder);
        }
        Ok(Some(stand_ins))
    }

    /// Placeholders for these arguments.
    pub(crate) fn stand_ins(&mut self, primes: u8, arguments: Vec<Value>) -> StandIns {
        let mut leaf = |node: &Rc<Node>| match primes {
            0 if node.varies() => Rc::clone(node),
            _ => self.graph.leaf(node.data(), true),
        };
        let parameter = |argument: &Value| argument.clone().map_nodes(&mut leaf);
        StandIns {
            parameters: arguments.iter().map(parameter).collect(),
            arguments,
            primes,
        }
    }
}

/// The nodes to differentiate by. A node that this statement has made was typed as a formula; the node below `root`
/// with the same formula replaces it. Every other node has a name and stays.
pub(crate) fn parts_of(
    session: &dyn Environment,
    root: &Rc<Node>,
    by: &Value,
) -> Result<Vec<Rc<Node>>, Error> {
    let started = session.program().started;
    let is_typed = |node: &Rc<Node>| node.id() > started && !node.is_leaf();
    let mut parts = by.nodes().to_vec();
    let typed: Vec<Rc<Node>> = parts.iter().filter(|it| is_typed(it)).cloned().collect();
    if typed.is_empty() {
        return Ok(parts);
    }
    let below = reachable(std::slice::from_ref(root), 0);
    let mut alike = find_alike(&below, &typed).into_iter();
    for node in parts.iter_mut().filter(|it| is_typed(it)) {
        let Some(same) = alike.next().flatten() else {
            let (part, whole) = (session.label(node), session.label(root));
            let message = format!("`{part}` does not occur in `{whole}`");
            let help =
                "the second argument is a name, or a part of the first, written the same way";
            return Err(fail_here(message, help));
        };
        *node = same;
    }
    Ok(parts)
}

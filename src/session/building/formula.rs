//! Writes formulas for people: of a function or its derivative, `f'(x) = 6*x - 4`, and of a local derivative,
//! `1 - tanh(n)^2`.
//!
//! The derivative of a function is brought into its shortest shape by the algebra, or built by the formulas that people
//! learn and read from the graph if it is too large for that. Leaves with the names of the parameters stand for the
//! arguments of a function, and leaves with labels for the operands of an operation.

use std::cell::LazyCell;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::builder::Builder;
use super::local_derivatives::{LocalDerivatives, has_learned_text};
use super::terms::derivative_text;
use crate::session::Session;
use crate::session::error::{Error, fail};
use crate::session::functions::{Callee, Code, Function, Instruction};
use crate::session::naming::Names;
use crate::session::naming::labels::{
    self, Label, label_items, name_item, operation_item, unnamed_item,
};
use crate::session::values::Value;
use chainrule_engine::graph::{Graph, Node, NodeId};
use chainrule_engine::ops::Op;
use chainrule_language::{self as language, ItemKind, Span};

/// The data of the leaves. It is neither 0 nor 1, because some operations simplify differently there.
const SAMPLE_DATA: f64 = 0.7;

/// The most operands that the formula of a local derivative lists.
const MAX_LISTED_OPERANDS: usize = 3;

/// The formula of a function.
#[derive(Debug)]
pub struct Formula {
    /// The function with its primes: `f'`.
    pub function: Rc<str>,
    /// The names of its arguments.
    pub parameters: Vec<Rc<str>>,
    /// The body. A body that was cut has `…`.
    pub body: String,
}

impl Session {
    /// The formula of `f''`, which was typed at `span`. Refuses an unknown function and a function of several numbers.
    pub fn formula(&mut self, name: &str, primes: u8, span: Span) -> Result<Formula, Error> {
        let parameters = match self.callee((name, primes), 1, span)? {
            Callee::Own(function) => function.parameters.clone(),
            _ => vec!["x".into()],
        };
        Ok(Formula {
            body: self.body_of(name, &parameters, primes, span)?,
            function: primed_name(name, primes),
            parameters,
        })
    }

    /// The body of a function in which the derivatives of called functions, such as `f'`, are worked out. `None` if no
    /// derivative is called.
    pub fn expanded_body(&mut self, function: &Function) -> Option<String> {
        let calls_derivative = |it: &Instruction| matches!(it.code, Code::Call { primes: 1.., .. });
        if function.lines.is_some() || !function.code.iter().any(calls_derivative) {
            return None;
        }
        let body = self.body_of(&function.name, &function.parameters, 0, Span::default());
        body.ok().filter(|it| **it != *function.body)
    }

    /// The body of the derivative with this many primes: for `f''`, the first derivative by the first parameter, twice.
    fn body_of(
        &mut self,
        name: &str,
        parameters: &[Rc<str>],
        primes: u8,
        span: Span,
    ) -> Result<String, Error> {
        let call = (name, span);
        self.look_at_call(call, parameters, SAMPLE_DATA, |session, value, leaves| {
            session.derived_body(value, leaves, primes)
        })?
    }

    /// The text of a derivative by the first leaf: in its shortest shape or, if that takes too long, of its nodes.
    fn derived_body(
        &mut self,
        value: &Rc<Node>,
        leaves: &[Rc<Node>],
        primes: u8,
    ) -> Result<String, Error> {
        if primes > 0
            && let Some(text) = derivative_text(&self.names, value, &leaves[0], primes.into())
        {
            return Ok(text);
        }
        let derived = (0..primes).try_fold(Rc::clone(value), |derived, _| {
            (self.derivatives(&derived, leaves, true)).map(|mut them| them.swap_remove(0))
        });
        Ok(labels::operations(&self.names, &derived?))
    }

    /// Calls a function with leaves that have the names of its parameters and this data. Returns the result of `look`
    /// on the value and the leaves. Leaves no node and no name behind.
    pub fn look_at_call<T>(
        &mut self,
        (name, span): (&str, Span),
        parameters: &[Rc<str>],
        data: f64,
        look: impl FnOnce(&mut Session, &Rc<Node>, &[Rc<Node>]) -> T,
    ) -> Result<T, Error> {
        self.look(|session| {
            let leaf = |_: &Rc<str>| session.graph.leaf(data, false);
            let leaves: Vec<Rc<Node>> = parameters.iter().map(leaf).collect();
            let value = session.call_on_leaves((name, span), parameters, &leaves)?;
            Ok(look(session, &value, &leaves))
        })
    }

    /// Calls a function with these leaves, and gives them the names of its parameters.
    fn call_on_leaves(
        &mut self,
        (name, span): (&str, Span),
        parameters: &[Rc<str>],
        leaves: &[Rc<Node>],
    ) -> Result<Rc<Node>, Error> {
        let arguments = leaves.iter().cloned().map(Value::Node).collect();
        let watched: Vec<&Rc<Node>> = leaves.iter().collect();
        let (built, has_decided) =
            self.watch_leaves(&watched, |session| session.call((name, 0), arguments, span));
        if has_decided {
            let message = format!(
                "what `{name}` computes depends on the number of an argument: it is a position, an end of a range, or read by `.data`"
            );
            let ones = vec!["1"; parameters.len()].join(", ");
            let help = format!(
                "at one number it is one formula: `{name}({ones})`, or `:export {name}({ones}) FILE`"
            );
            return Err(fail(span, message, help));
        }
        let value = built?;
        // The body may use a node with the name of a parameter, so the leaves get their names after it is built.
        for (parameter, leaf) in parameters.iter().zip(leaves) {
            let id = self.names_mut().intern(parameter);
            self.give_name(id, Rc::clone(leaf).into());
        }
        Ok(value)
    }

    /// The local derivative of a node with respect to an operand, as textbooks write it.
    pub fn local_formula(&self, node: &Rc<Node>, operand: usize) -> String {
        self.local_formulas(node)(operand)
    }

    /// Returns a function from the position of an operand to the local derivative. The label of the node is made once
    /// for all operands.
    pub fn local_formulas(&self, node: &Rc<Node>) -> impl Fn(usize) -> String {
        let names = self.names();
        let own_label = LazyCell::new(|| label_items(names, node));
        move |operand| {
            textbook_local(names, node, operand, || own_label.clone()).unwrap_or_default()
        }
    }
}

/// The local derivative of a node with respect to the operand at `position`. `own_label` is the label of the node.
/// `None` for a leaf or a constant.
fn textbook_local<'n>(
    names: &'n Names,
    node: &Node,
    position: usize,
    own_label: impl FnOnce() -> Label<'n>,
) -> Option<String> {
    let (op, operands) = (node.op()?, node.operands());
    let mut graph = Graph::default();
    let mut builder = Builder::new(&mut graph, Rc::default(), 0);
    (builder.is_textbook, builder.is_alone) = (true, true);
    let mut scratch = Scratch {
        names,
        builder,
        labels: FxHashMap::default(),
    };
    // The operation is applied to leaves with labels. `wanted` is the position of the leaf by which it is derived.
    let (leaves, wanted) = if has_learned_text(op, operands.len()) {
        let leaf = |operand| scratch.operand(operand);
        (operands.iter().map(leaf).collect(), position)
    } else {
        let x = scratch.operand(&operands[position]);
        (vec![x, scratch.others(op, operands, position)], 0)
    };
    let out = scratch.builder.make(op, &leaves);
    let mut locals = LocalDerivatives::of(&out).expect("it is an operation");
    let local = scratch.builder.local(&mut locals, wanted);
    // The label of a large node takes long, so it is made only for a derivative that uses the node, as `1 - out^2`.
    if is_or_uses(&local, &out) {
        scratch.labels.insert(out.id(), own_label());
    }
    let mut items = Label::new();
    scratch.push_formula(&local, &mut items);
    Some(language::infix(&items))
}

/// Whether a formula is the node `part` or uses it. Formulas are shallow, as in [`Scratch::push_formula`].
fn is_or_uses(formula: &Rc<Node>, part: &Rc<Node>) -> bool {
    let mut operands = formula.operands().iter();
    Rc::ptr_eq(formula, part) || operands.any(|operand| is_or_uses(operand, part))
}

/// A temporary graph in which leaves stand for labels.
struct Scratch<'n, 'g> {
    names: &'n Names,
    builder: Builder<'g>,
    labels: FxHashMap<NodeId, Label<'n>>,
}

impl<'n> Scratch<'n, '_> {
    /// A leaf with a label, or a constant if the label is a literal.
    fn leaf(&mut self, label: Label<'n>) -> Rc<Node> {
        if let [only] = &label[..]
            && let ItemKind::Number(literal) = only.kind
        {
            return self.builder.constant(literal.value);
        }
        let leaf = self.builder.graph.leaf(SAMPLE_DATA, false);
        self.labels.insert(leaf.id(), label);
        leaf
    }

    fn operand(&mut self, node: &Rc<Node>) -> Rc<Node> {
        self.leaf(label_items(self.names, node))
    }

    /// A node for all operands of an operation on many, except the operand at `position`. The table has texts for two
    /// operands only, so one node stands for all the others. The derivative of a product is just this node, so it is
    /// written out: `a*b*c*…`. In other operations it is a leaf with dots.
    fn others(&mut self, op: &'static Op, operands: &[Rc<Node>], position: usize) -> Rc<Node> {
        if !op.is_product() {
            return self.leaf(dots());
        }
        let (before, rest) = operands.split_at(position);
        let listed = before.iter().chain(&rest[1..]).take(MAX_LISTED_OPERANDS);
        let mut factors: Vec<Rc<Node>> = listed.map(|node| self.operand(node)).collect();
        if operands.len() - 1 > MAX_LISTED_OPERANDS {
            factors.push(self.leaf(dots()));
        }
        self.builder.simplify(op, &factors)
    }

    /// Adds the formula of a node. The recursion is shallow: the nodes come from one short text in the table of
    /// operations.
    fn push_formula(&self, node: &Rc<Node>, items: &mut Label<'n>) {
        if let Some(label) = self.labels.get(&node.id()) {
            return items.extend(label.iter().cloned());
        }
        let Some(op) = node.op() else {
            return items.push(unnamed_item(self.names, node).into());
        };
        for operand in node.operands() {
            self.push_formula(operand, items);
        }
        items.push(operation_item(op, node.operands().len()).into());
    }
}

/// The label of operands that are left out.
fn dots<'n>() -> Label<'n> {
    vec![name_item("…").into()]
}

/// The name of a function with primes: `f''`.
pub(crate) fn primed_name(name: &str, primes: u8) -> Rc<str> {
    format!("{name}{}", "'".repeat(primes.into())).into()
}

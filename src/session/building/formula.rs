//! Formulas for people: of a function or of its derivative, `f'(x) = 6*x - 4`, and of a local derivative, `1 - tanh(n)^2`.
//!
//! What is differentiated is built on leaves, by the formulas that people learn, and read from the graph: a body on leaves
//! that are named after the parameters, and an operation on leaves that are labelled like its operands.

use std::cell::LazyCell;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::builder::Builder;
use super::derivative::primed_name;
use super::local_derivatives::LocalDerivatives;
use crate::session::Session;
use crate::session::error::{Error, fail};
use crate::session::functions::{Callee, Code, Function, Instruction};
use crate::session::naming::Names;
use crate::session::naming::labels::{
    self, Label, label_items, name_item, operation_item, unnamed_item,
};
use chainrule_engine::graph::{Graph, Node, NodeId};
use chainrule_engine::ops::{Op, Rule};
use chainrule_language::{self as language, ItemKind, Span};

/// The data of the leaves: not 0 or 1, at which some operations simplify differently.
const SAMPLE: f64 = 0.7;
/// What the argument of a built-in function is called.
const ARGUMENT: &str = "x";

/// The most operands that the formula of a local derivative lists.
const LISTED: usize = 3;

/// What a function computes.
#[derive(Debug)]
pub struct Formula {
    /// The function with its primes: `f'`.
    pub function: Rc<str>,
    /// What its arguments are called.
    pub parameters: Vec<Rc<str>>,
    /// The body; it may be cut, and then holds `…`.
    pub body: String,
}

impl Session {
    /// The formula of `f''`, which stands at `span`; an error if there is no such function of one number.
    pub fn formula(&mut self, name: &str, primes: u8, span: Span) -> Result<Formula, Error> {
        let parameters = match self.callee((name, primes), 1, span)? {
            Callee::Own(function, _) => function.parameters.clone(),
            _ => vec![ARGUMENT.into()],
        };
        Ok(Formula {
            body: self.body_of(name, &parameters, primes)?,
            function: primed_name(name, primes),
            parameters,
        })
    }

    /// The body of a function that calls derivatives such as `f'`, with these worked out; none for any other function.
    pub fn expanded_body(&mut self, function: &Function) -> Option<String> {
        let differentiates =
            |it: &&Instruction| matches!(it.code, Code::Call { primes, .. } if primes > 0);
        function
            .code
            .iter()
            .find(differentiates)
            .filter(|_| function.lines.is_none())?;
        let body = self.body_of(&function.name, &function.parameters, 0).ok();
        body.filter(|body| **body != *function.body)
    }

    fn body_of(&mut self, name: &str, parameters: &[Rc<str>], primes: u8) -> Result<String, Error> {
        self.look_at_call(name, parameters, SAMPLE, |session, value, leaves| {
            let mut value = Rc::clone(value);
            for _ in 0..primes {
                value = session.textbook_derivatives(&value, leaves)?.swap_remove(0);
            }
            Ok(labels::operations(&session.names, &value))
        })?
    }

    /// Calls a function with leaves that are named like its parameters and have this value, and returns what `look`
    /// sees. It leaves no node and no name behind.
    pub fn look_at_call<T>(
        &mut self,
        name: &str,
        parameters: &[Rc<str>],
        value: f64,
        look: impl FnOnce(&mut Session, &Rc<Node>, &[Rc<Node>]) -> T,
    ) -> Result<T, Error> {
        self.look(|session| {
            let leaves: Vec<Rc<Node>> = parameters
                .iter()
                .map(|_| session.graph.leaf(value, false))
                .collect();
            let operands = leaves.iter().map(|leaf| format!("@{}", leaf.id()));
            let call = format!("{name}({})", operands.collect::<Vec<_>>().join(", "));
            let read = language::expression(&call, Span::new(0, call.len()));
            let watched: Vec<&Rc<Node>> = leaves.iter().collect();
            let (built, decides) = session.watch_leaves(&watched, |session| {
                read.map_err(|error| session.explain(error))
                    .and_then(|read| Ok(session.evaluate_number(&call, &read)?.0))
            });
            if decides {
                return Err(decided_error(name, parameters.len()));
            }
            let value = built?;
            // A name may stand for something that the body uses, so the leaves have none until it is built.
            for (parameter, leaf) in parameters.iter().zip(&leaves) {
                let id = session.names_mut().intern(parameter);
                session.give_name(id, Rc::clone(leaf).into());
            }
            Ok(look(session, &value, &leaves))
        })
    }
}

impl Session {
    /// The local derivative of a node with respect to an operand, as textbooks write it.
    pub fn local_formula(&self, node: &Rc<Node>, operand: usize) -> String {
        self.local_formulas(node)(operand)
    }

    /// The local derivatives of a node, by the position of the operand. The label of the node is made once for all.
    pub fn local_formulas(&self, node: &Rc<Node>) -> impl Fn(usize) -> String {
        let names = self.names();
        let own_label = LazyCell::new(|| label_items(names, node));
        move |position| {
            let Some(op) = node.op() else {
                return String::new();
            };
            let mut graph = Graph::default();
            let mut builder = Builder::new(&mut graph, &[], 0, Span::default());
            (builder.textbook, builder.is_alone) = (true, true);
            let mut sketch = Sketch {
                names,
                builder,
                labels: FxHashMap::default(),
            };
            let operands = node.operands();
            let is_long = matches!(op.rule, Rule::Many { .. }) && operands.len() != 2;
            let (operands, position) = if is_long {
                let x = sketch.operand(&operands[position]);
                (vec![x, sketch.others(op, operands, position)], 0)
            } else {
                let leaf = |operand| sketch.operand(operand);
                (operands.iter().map(leaf).collect(), position)
            };
            let out = sketch.builder.make(op, &operands);
            if op.learned_text(position).contains("out") {
                sketch.labels.insert(out.id(), own_label.clone());
            }
            let mut locals = LocalDerivatives::of(&out);
            let local = sketch.builder.local(&mut locals, position);
            let mut items = Label::new();
            sketch.push_formula(&local, &mut items);
            language::infix(&items)
        }
    }
}

/// A graph of its own, whose leaves stand for labels.
struct Sketch<'n, 'g> {
    names: &'n Names,
    builder: Builder<'g>,
    labels: FxHashMap<NodeId, Label<'n>>,
}

impl<'n> Sketch<'n, '_> {
    /// A leaf with a label; a number for a literal.
    fn leaf(&mut self, label: Label<'n>) -> Rc<Node> {
        if let [only] = &label[..]
            && let ItemKind::Number(literal) = only.kind
        {
            return self.builder.constant(literal.value);
        }
        let leaf = self.builder.graph.leaf(SAMPLE, false);
        self.labels.insert(leaf.id(), label);
        leaf
    }

    fn operand(&mut self, node: &Rc<Node>) -> Rc<Node> {
        self.leaf(label_items(self.names, node))
    }

    /// All operands of an operation on many but one, together: the first of a product, else only dots.
    fn others(&mut self, op: &'static Op, operands: &[Rc<Node>], position: usize) -> Rc<Node> {
        if op.learned_text(position) != "y" {
            return self.leaf(dots());
        }
        let (before, rest) = operands.split_at(position);
        let others = before.iter().chain(&rest[1..]).take(LISTED);
        let mut others: Vec<Rc<Node>> = others.map(|node| self.operand(node)).collect();
        if operands.len() - 1 > LISTED {
            others.push(self.leaf(dots()));
        }
        self.builder.simplify(op, &others)
    }

    /// Adds the formula of a node. A row's text is short, so nothing is deep here.
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

/// Stands for operands that are left out.
fn dots<'n>() -> Label<'n> {
    vec![name_item("…").into()]
}

/// The error for a function of which the number of an argument decides what it computes.
fn decided_error(name: &str, parameters: usize) -> Error {
    let message = format!(
        "what `{name}` computes depends on the number of an argument: it is a position, an end of a range, or read by `.data`"
    );
    let ones = vec!["1"; parameters].join(", ");
    let help = format!(
        "at one number it is one formula: `{name}({ones})`, or `:export {name}({ones}) FILE`"
    );
    fail(Span::new(0, 0), message, help)
}

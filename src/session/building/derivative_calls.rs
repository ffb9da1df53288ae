//! Derivatives within expressions: `f'(3)` and `grad(L, a)`.
//!
//! A prime differentiates with respect to the argument alone, even if the body also reaches the argument's node by its
//! name: with `f(x) = a*x` the derivative `f'(a)` is `a`. So the body is built on placeholder leaves and differentiated
//! with respect to them; then the arguments replace the placeholders, and `f'(3)` becomes a plain number. A body that
//! contains `grad(…)` is what one gets by writing the arguments into it, and all paths count; there only constants have
//! placeholders, so that one can differentiate by them. `derivative` does the differentiation.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::notes::Fault;
use super::terms::{Builder, CallSite};
use crate::graph::structure::{leads, reachable};
use crate::graph::{Node, NodeId, Spelling, is_at_fault};
use crate::ops::Op;
use crate::ops::algebra::Terms as _;
use crate::session::Session;
use crate::session::error::{self, Error};
use crate::session::functions::{Callee, Function, GRAD};
use crate::session::values::Value;
use crate::stop;

/// The result of a call that may be a derivative.
pub(crate) struct Derived {
    /// The value.
    pub value: Value,
    /// The first node at fault, if the result is not finite.
    pub fault: Option<Fault>,
    /// It is 0 because the first argument does not depend on the second.
    pub apart: bool,
}

impl Derived {
    /// A result that is no derivative.
    pub(crate) fn plain(value: Value, fault: Option<Fault>) -> Derived {
        Derived {
            value,
            fault,
            apart: false,
        }
    }
}

/// The first of the nodes of a call that is at fault and that the call has made.
fn first_at_fault<'n>(
    nodes: impl IntoIterator<Item = &'n Rc<Node>>,
    place: CallSite,
) -> Option<Fault> {
    let mut made = nodes.into_iter().filter(|node| node.id() > place.started);
    made.find(|node| is_at_fault(node)).map(|node| Fault {
        node: Rc::clone(node),
        place: None,
    })
}

/// The placeholders for the arguments of a call.
pub(crate) struct StandIns {
    /// What the parameters stand for while the body runs.
    pub(crate) parameters: Vec<Value>,
    /// The real arguments.
    pub(crate) arguments: Vec<Value>,
    /// How often the body is differentiated with respect to the first placeholder.
    pub(crate) primes: u8,
}

impl StandIns {
    /// The placeholders for a call that needs them: one with primes, or of a function that differentiates in its body.
    pub(crate) fn of(
        session: &mut Session,
        function: &Function,
        primes: u8,
        arguments: &[Value],
        place: CallSite,
    ) -> Result<Option<StandIns>, Error> {
        if let (1.., Some(Value::List(_))) = (primes, arguments.first()) {
            return Err(error::prime_of_list(&function.name, place.span));
        }
        let constant = |argument: &Value| argument.nodes().iter().any(|node| !node.varies());
        let in_body = function.differentiates
            && session.functions.get(GRAD).is_none()
            && arguments.iter().any(constant);
        let wanted = primes > 0 || in_body;
        Ok(wanted.then(|| session.stand_ins(primes, arguments.to_vec())))
    }
}

/// Whether the value is a node that depends on all arguments. If not, an argument may be dropped while the node lives,
/// and the node cannot be labelled as a call with it.
pub(crate) fn uses_all(value: &Value, arguments: &[Value]) -> bool {
    let mut arguments = arguments.iter().flat_map(Value::nodes);
    value
        .node()
        .is_some_and(|node| arguments.all(|argument| leads(node, argument)))
}

impl Session {
    fn stand_ins(&mut self, primes: u8, arguments: Vec<Value>) -> StandIns {
        let mut leaf = |node: &Rc<Node>| match primes {
            0 if node.varies() => Rc::clone(node),
            _ => self.graph.leaf(node.data(), true),
        };
        let parameter = |argument: &Value| {
            let leaves = argument.nodes().iter().map(&mut leaf).collect();
            Value::shaped(leaves, argument.shape())
        };
        StandIns {
            parameters: arguments.iter().map(parameter).collect(),
            arguments,
            primes,
        }
    }

    /// Differentiates a body that was built on placeholders, and replaces these by the arguments.
    pub(crate) fn differentiate_body(
        &mut self,
        body: &Value,
        stand_ins: &StandIns,
        place: CallSite,
    ) -> Result<Derived, Error> {
        let all = |values: &[Value]| -> Vec<Rc<Node>> {
            values.iter().flat_map(Value::nodes).cloned().collect()
        };
        let pairs = all(&stand_ins.parameters).into_iter();
        let (leaves, arguments): (Vec<_>, Vec<_>) = pairs
            .zip(all(&stand_ins.arguments))
            .filter(|(leaf, argument)| !Rc::ptr_eq(leaf, argument))
            .unzip();
        let Some(first) = leaves.first() else {
            return Ok(Derived::plain(body.clone(), None));
        };
        let before = first.id() - 1;
        let mut builder = self.builder(place);
        builder.learn(body.nodes());
        let mut results = Vec::with_capacity(body.nodes().len());
        for result in body.nodes() {
            let mut result = Rc::clone(result);
            let mut slopes = FxHashMap::default();
            for order in 1..=stand_ins.primes {
                result = if order == 1 {
                    builder.derivative(&result, first)
                } else {
                    builder.derivative_again(&result, first, &mut slopes)
                };
                if builder.has_stopped() {
                    break;
                }
            }
            results.push(result);
        }
        let results = builder.replaced(&results, &leaves, &arguments);
        finished(
            builder,
            Value::shaped(results, body.shape()),
            body.nodes(),
            before,
        )
    }

    /// Runs a call of what is built in.
    pub(crate) fn callee_made(
        &mut self,
        callee: &Callee,
        mut arguments: Vec<Value>,
        place: CallSite,
    ) -> Result<Derived, Error> {
        match *callee {
            Callee::Derived(op, primes) => {
                let argument = arguments.pop().expect("it has one argument");
                self.built_in_derivative(op, primes, &argument, place)
            }
            Callee::Lists(function) => {
                let value = self.list_function(function, &arguments, place)?;
                let fault = first_at_fault(value.nodes(), place);
                Ok(Derived::plain(value, fault))
            }
            Callee::Logarithm(op) => {
                let (logarithms, value) = self.logarithm_to_base(op, arguments, place)?;
                let nodes = logarithms.iter().chain([&value]).flat_map(Value::nodes);
                let fault = first_at_fault(nodes, place);
                Ok(Derived::plain(value, fault))
            }
            Callee::Draw(draw) => {
                let [Value::Node(first), Value::Node(second)] = &arguments[..] else {
                    return Err(error::draw_of_list(draw, place.span));
                };
                let given = (first.data(), second.data());
                drop(arguments);
                let number = self.draw(draw, given);
                let node = self.graph.constant(number, Spelling::Plain);
                Ok(Derived::plain(node.into(), None))
            }
            Callee::Built(_) | Callee::Own(..) | Callee::Grad => {
                unreachable!("the machine runs these")
            }
        }
    }

    /// `tanh'(x)`; of a list, item by item.
    fn built_in_derivative(
        &mut self,
        op: &'static Op,
        primes: u8,
        argument: &Value,
        place: CallSite,
    ) -> Result<Derived, Error> {
        let mut nodes = Vec::with_capacity(argument.nodes().len());
        let mut fault = None;
        for (at, node) in argument.nodes().iter().enumerate() {
            stop::ask(at);
            let made = self.graph.made();
            let stand_ins = self.stand_ins(primes, vec![node.clone().into()]);
            let leaf = stand_ins.parameters[0].nodes();
            let body = self.graph.apply(op, leaf).into();
            let derived = self.differentiate_body(&body, &stand_ins, place)?;
            fault = fault.or(derived.fault);
            if let Value::Node(node) = &derived.value
                && node.id() > made
                && uses_all(&derived.value, &stand_ins.arguments)
            {
                let name = primed(op.spelling, primes);
                (self.names).remember_call(node, &name, &stand_ins.arguments);
            }
            nodes.extend_from_slice(derived.value.nodes());
        }
        Ok(Derived::plain(
            Value::shaped(nodes, argument.shape()),
            fault,
        ))
    }

    /// `grad(L, a)`. If `L` does not depend on `a`, the result is 0 for a node that there was and an error for a formula
    /// of the statement itself, which was meant to match a part of `L`. For a list of nodes, it is the list of their
    /// derivatives.
    pub(super) fn gradient(
        &mut self,
        arguments: &[Value],
        place: CallSite,
    ) -> Result<Derived, Error> {
        let [Value::Node(root), by] = arguments else {
            unreachable!("a call of it has a number and what to differentiate it by")
        };
        if let Some(constant) = by.nodes().iter().find(|by| !by.varies()) {
            return Err(error::grad_by_constant(&self.label(constant), place.span));
        }
        let made = self.graph.made();
        let mut builder = self.builder(place);
        builder.learn(std::slice::from_ref(root));
        let found: Vec<Option<Rc<Node>>> = by.nodes().iter().map(|by| builder.alike(by)).collect();
        let is_formula = |by: &Rc<Node>| by.id() > place.started && !by.is_leaf();
        let stranger =
            (by.nodes().iter().zip(&found)).find(|(by, found)| found.is_none() && is_formula(by));
        if let Some((by, _)) = stranger {
            drop(builder);
            let (by, root) = (self.label(by), self.label(root));
            return Err(error::grad_by_stranger(&by, &root, place.span));
        }
        let known: Vec<Rc<Node>> = found.iter().flatten().cloned().collect();
        let mut derivatives = builder.derivatives(root, &known).into_iter();
        let grads = found.iter().map(|found| {
            let derivative = found.as_ref().and_then(|_| derivatives.next());
            derivative.unwrap_or_else(|| builder.constant(0.0))
        });
        let grads = Value::shaped(grads.collect(), by.shape());
        // The result is labelled by its expression, `b*f`, not as a call: it need not contain the first argument, which
        // may be dropped.
        let mut derived = finished(builder, grads, std::slice::from_ref(root), made)?;
        // What was found is at or below the root.
        derived.apart = by.shape().is_number() && found.iter().all(Option::is_none);
        Ok(derived)
    }
}

/// `f''`
pub(crate) fn primed(name: &str, primes: u8) -> Rc<str> {
    let mut primed = name.to_string();
    primed.extend(std::iter::repeat_n('\'', primes.into()));
    primed.into()
}

/// Ends the construction of a derivative. If the result is not finite, finds the first node at fault, among the nodes
/// of what was differentiated (`of`) and those newer than `before`. So the note on `ln'(-1)` is about the domain of
/// `ln`, not about a node of the derivative.
fn finished(
    builder: Builder,
    result: Value,
    of: &[Rc<Node>],
    before: NodeId,
) -> Result<Derived, Error> {
    let folded = builder.finish()?;
    if result.nodes().iter().all(|node| node.data().is_finite()) {
        return Ok(Derived::plain(result, None));
    }
    let mut suspects = reachable(of, 0);
    suspects.extend(reachable(result.nodes(), before + 1));
    let at_fault = suspects.into_iter().filter(|node| is_at_fault(node));
    let first = at_fault.min_by_key(|node| node.id()).or(folded);
    let fault = first.map(|node| Fault { node, place: None });
    Ok(Derived::plain(result, fault))
}

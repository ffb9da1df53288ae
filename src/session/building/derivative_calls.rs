//! Derivatives within expressions: `f'(3)` and `grad(L, a)`.
//!
//! A prime differentiates with respect to the argument alone, even if the body also reaches the argument's node by its
//! name: with `f(x) = a*x` the derivative `f'(a)` is `a`. So the body is built on placeholder leaves and differentiated
//! with respect to them; then the arguments replace the placeholders, and `f'(3)` becomes a plain number. The same is
//! done for a body that contains `grad(…, x)`. `derivative` does the differentiation.

use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::notes::Fault;
use super::terms::{Builder, CallSite};
use crate::graph::structure::{leads, reachable};
use crate::graph::{Node, NodeId, Spelling, is_at_fault};
use crate::ops::Op;
use crate::ops::algebra::Terms as _;
use crate::session::Session;
use crate::session::error::{self, Error};
use crate::session::functions::{Callee, Function, GRAD};

/// The result of a call that may be a derivative.
pub(crate) struct Derived {
    /// The node.
    pub node: Rc<Node>,
    /// The first node at fault, if the result is not finite.
    pub fault: Option<Fault>,
    /// It is 0 because the first argument does not depend on the second.
    pub apart: bool,
}

impl Derived {
    /// A result that is no derivative.
    pub(crate) fn plain(node: Rc<Node>, fault: Option<Fault>) -> Derived {
        Derived {
            node,
            fault,
            apart: false,
        }
    }
}

/// The placeholders for the arguments of a call.
pub(crate) struct StandIns {
    /// The nodes of the parameters while the body runs.
    pub(crate) leaves: Vec<Rc<Node>>,
    /// The real arguments.
    pub(crate) arguments: Vec<Rc<Node>>,
    /// How often the body is differentiated with respect to the first placeholder.
    pub(crate) primes: u8,
}

impl StandIns {
    /// The placeholders for a call that needs them: one with primes, or of a function that differentiates by its
    /// parameters.
    pub(crate) fn of(
        session: &mut Session,
        function: &Function,
        primes: u8,
        arguments: &[Rc<Node>],
    ) -> Option<StandIns> {
        let by_parameters = function.differentiates && session.functions.get(GRAD).is_none();
        (primes > 0 || by_parameters).then(|| session.stand_ins(primes, arguments.to_vec()))
    }

    /// Whether the node depends on all arguments. If not, an argument may be dropped while the node lives, and the node
    /// cannot be labelled as a call with it.
    pub(crate) fn are_in(&self, node: &Rc<Node>) -> bool {
        self.arguments.iter().all(|argument| leads(node, argument))
    }
}

impl Session {
    fn stand_ins(&mut self, primes: u8, arguments: Vec<Rc<Node>>) -> StandIns {
        let leaf = |argument: &Rc<Node>| self.graph.leaf(argument.data(), true);
        StandIns {
            leaves: arguments.iter().map(leaf).collect(),
            arguments,
            primes,
        }
    }

    /// Differentiates a body that was built on placeholders, and replaces these by the arguments. `ruled` collects the
    /// nodes generated so far.
    pub(crate) fn differentiate_body(
        &mut self,
        body: &Rc<Node>,
        stand_ins: &StandIns,
        ruled: &mut FxHashSet<NodeId>,
        place: CallSite,
    ) -> Result<Derived, Error> {
        let Some(first) = stand_ins.leaves.first() else {
            return Ok(Derived::plain(Rc::clone(body), None));
        };
        let before = first.id() - 1;
        let mut builder = self.builder(place);
        builder.ruled = std::mem::take(ruled);
        builder.learn(body);
        let mut result = Rc::clone(body);
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
        drop(slopes);
        let result = builder.replaced(&result, &stand_ins.leaves, &stand_ins.arguments);
        *ruled = std::mem::take(&mut builder.ruled);
        finished(builder, result, body, before)
    }

    /// Runs a call. `by_name` says that its last argument is a name; `ruled` collects the nodes generated so far.
    pub(crate) fn callee_made(
        &mut self,
        callee: Callee,
        mut arguments: Vec<Rc<Node>>,
        by_name: bool,
        ruled: &mut FxHashSet<NodeId>,
        place: CallSite,
    ) -> Result<Derived, Error> {
        match callee {
            Callee::Own(function, primes) => self.call((function, primes), arguments, place),
            Callee::Grad => self.gradient(&arguments, by_name, ruled, place),
            Callee::Derived(op, primes) => {
                let argument = arguments.pop().expect("it has one argument");
                self.built_in_derivative(op, primes, argument, ruled, place)
            }
            Callee::Draw(draw) => {
                let given = (arguments[0].data(), arguments[1].data());
                drop(arguments);
                let number = self.draw(draw, given);
                let node = self.graph.constant(number, Spelling::Plain);
                Ok(Derived::plain(node, None))
            }
            Callee::Built(op) => {
                let count = arguments.len();
                let node = self.graph.apply(op, &mut arguments, count);
                Ok(Derived::plain(node, None))
            }
        }
    }

    /// `tanh'(x)`
    fn built_in_derivative(
        &mut self,
        op: &'static Op,
        primes: u8,
        argument: Rc<Node>,
        ruled: &mut FxHashSet<NodeId>,
        place: CallSite,
    ) -> Result<Derived, Error> {
        let made = self.graph.made();
        let stand_ins = self.stand_ins(primes, vec![argument]);
        let mut stack = stand_ins.leaves.clone();
        let body = self.graph.apply(op, &mut stack, 1);
        let derived = self.differentiate_body(&body, &stand_ins, ruled, place)?;
        if derived.node.id() > made && stand_ins.are_in(&derived.node) {
            let name = primed(op.spelling, primes);
            let _ = (self.names).remember_call(&derived.node, &name, &stand_ins.arguments);
        }
        Ok(derived)
    }

    /// `grad(L, a)`. If `L` does not depend on `a`, the result is 0 for a name and an error for an expression, which
    /// was meant to match a part of `L`.
    fn gradient(
        &mut self,
        arguments: &[Rc<Node>],
        by_name: bool,
        ruled: &mut FxHashSet<NodeId>,
        place: CallSite,
    ) -> Result<Derived, Error> {
        let [root, by] = arguments else {
            unreachable!("a call of it has two arguments")
        };
        if !by.varies() {
            return Err(error::grad_by_constant(&self.label(by), place.span));
        }
        let made = self.graph.made();
        let mut builder = self.builder(place);
        builder.ruled = std::mem::take(ruled);
        builder.learn(root);
        let found = builder.alike(by);
        let derivative = match &found {
            Some(by) => Some(builder.derivative(root, by)),
            None => by_name.then(|| builder.constant(0.0)),
        };
        *ruled = std::mem::take(&mut builder.ruled);
        let Some(derivative) = derivative else {
            drop(builder);
            let (by, root) = (self.label(by), self.label(root));
            return Err(error::grad_by_stranger(&by, &root, place.span));
        };
        // The result is labelled by its expression, `b*f`, not as a call: it need not contain the first argument, which
        // may be dropped.
        let mut derived = finished(builder, derivative, root, made)?;
        derived.apart = found.is_none_or(|by| !leads(root, &by));
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
    result: Rc<Node>,
    of: &Rc<Node>,
    before: NodeId,
) -> Result<Derived, Error> {
    let folded = builder.finish()?;
    if result.data().is_finite() {
        return Ok(Derived::plain(result, None));
    }
    let mut suspects = reachable(of, 0);
    suspects.extend(reachable(&result, before + 1));
    let at_fault = suspects.into_iter().filter(|node| is_at_fault(node));
    let first = at_fault.min_by_key(|node| node.id()).or(folded);
    let fault = first.map(|node| Fault { node, place: None });
    Ok(Derived::plain(result, fault))
}

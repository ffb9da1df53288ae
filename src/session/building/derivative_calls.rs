//! `f'(3)` and `grad(L, a)` in an expression: what is differentiated, and by what.
//!
//! A prime differentiates by the argument alone, though the body may reach the argument's node by a name too: with
//! `f(x) = a*x` the slope `f'(a)` is `a`. So a body is built on stand-ins, leaves of their own, is differentiated by
//! them, and then the arguments take their places; `f'(3)` comes out as the plain number 14. The same is done in a
//! body that has a `grad(…, x)` of its own. How a derivative is built is the affair of `derivative`.

use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::notes::Fault;
use super::terms::Builder;
use crate::graph::structure::{leads, reachable};
use crate::graph::{Node, NodeId, is_at_fault};
use crate::ops::Op;
use crate::ops::algebra::Terms as _;
use crate::session::Session;
use crate::session::error::Error;
use crate::session::functions::{Callee, Function, GRAD};
use crate::syntax::Span;

/// What was made.
pub(crate) struct Derived {
    /// The node.
    pub node: Rc<Node>,
    /// The first node at fault, if it is not finite.
    pub fault: Option<Fault>,
    /// It is 0 because nothing leads from one argument to the other.
    pub apart: bool,
}

impl Derived {
    /// As it is.
    pub(crate) fn plain(node: Rc<Node>, fault: Option<Fault>) -> Derived {
        Derived {
            node,
            fault,
            apart: false,
        }
    }
}

/// The statement that something is derived for.
#[derive(Clone, Copy)]
pub(crate) struct CallSite {
    /// What was typed for it.
    pub span: Span,
    /// The last node that was made before the statement.
    pub started: NodeId,
}

/// What stands in for the arguments of a call.
pub(crate) struct StandIns {
    /// The leaves, and the arguments they stand for.
    pairs: Vec<(Rc<Node>, Rc<Node>)>,
    /// How often the body is differentiated by the first of them.
    primes: u8,
}

impl StandIns {
    /// For a call that needs them: one with primes, or of a function that differentiates by its parameters.
    pub(crate) fn of(
        session: &mut Session,
        function: &Function,
        primes: u8,
        arguments: &[Rc<Node>],
    ) -> Option<StandIns> {
        let by_parameters = function.differentiates && session.functions.get(GRAD).is_none();
        (primes > 0 || by_parameters).then(|| session.stand_ins(primes, arguments))
    }

    /// What the parameters are while the body runs.
    pub(crate) fn leaves(&self) -> Vec<Rc<Node>> {
        self.pairs.iter().map(|(leaf, _)| Rc::clone(leaf)).collect()
    }

    /// What they are when it has run.
    pub(crate) fn arguments(&self) -> Vec<Rc<Node>> {
        let arguments = self.pairs.iter().map(|(_, argument)| Rc::clone(argument));
        arguments.collect()
    }

    /// Are all arguments in what was made? One that is not may be gone by and by, and nothing is called by it.
    pub(crate) fn are_in(&self, node: &Rc<Node>) -> bool {
        let mut arguments = self.pairs.iter().map(|(_, argument)| argument);
        arguments.all(|argument| leads(node, argument))
    }

    /// How often the body is differentiated.
    pub(crate) fn primes(&self) -> u8 {
        self.primes
    }
}

impl Session {
    fn stand_ins(&mut self, primes: u8, arguments: &[Rc<Node>]) -> StandIns {
        let leaf = |argument: &Rc<Node>| {
            let leaf = self.graph.leaf(argument.data(), true);
            (leaf, Rc::clone(argument))
        };
        StandIns {
            pairs: arguments.iter().map(leaf).collect(),
            primes,
        }
    }

    /// The body of a call has run on stand-ins: it is differentiated, and the arguments take their places. `ruled`
    /// are the nodes that were made by rule so far.
    pub(crate) fn settle(
        &mut self,
        body: &Rc<Node>,
        stand_ins: &StandIns,
        ruled: &mut FxHashSet<NodeId>,
        place: CallSite,
    ) -> Result<Derived, Error> {
        let Some((first, _)) = stand_ins.pairs.first() else {
            return Ok(Derived::plain(Rc::clone(body), None));
        };
        let before = first.id() - 1;
        let mut builder = self.builder(place.started);
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
        let result = builder.replaced(&result, &stand_ins.pairs);
        *ruled = std::mem::take(&mut builder.ruled);
        finished(builder, result, (body, before), place)
    }

    /// What a call makes that is no plain operation; `by_name`: its last argument is a name.
    pub(crate) fn callee_made(
        &mut self,
        callee: Callee,
        mut arguments: Vec<Rc<Node>>,
        by_name: bool,
        place: CallSite,
    ) -> Result<Derived, Error> {
        let ruled = &mut FxHashSet::default();
        match callee {
            Callee::Own(function, primes) => self.call((function, primes), arguments, place),
            Callee::Grad => self.gradient(&arguments, by_name, ruled, place),
            Callee::Derived(op, primes) => {
                let argument = arguments.pop().expect("it has one argument");
                self.built_in_derivative(op, primes, argument, ruled, place)
            }
            Callee::Built(op) => {
                let count = arguments.len();
                let node = self.graph.apply(op, &mut arguments, count);
                Ok(Derived::plain(node, None))
            }
        }
    }

    /// `tanh'(x)`
    pub(crate) fn built_in_derivative(
        &mut self,
        op: &'static Op,
        primes: u8,
        argument: Rc<Node>,
        ruled: &mut FxHashSet<NodeId>,
        place: CallSite,
    ) -> Result<Derived, Error> {
        let made = self.graph.made();
        let stand_ins = self.stand_ins(primes, &[argument]);
        let mut stack = stand_ins.leaves();
        let body = self.graph.apply(op, &mut stack, 1);
        let derived = self.settle(&body, &stand_ins, ruled, place)?;
        if derived.node.id() > made && stand_ins.are_in(&derived.node) {
            let name = primed(op.spelling, primes);
            let arguments = stand_ins.arguments();
            let _ = self.names.remember_call(&derived.node, &name, &arguments);
        }
        Ok(derived)
    }

    /// `grad(L, a)`. What is named but not below the first argument moves nothing there, while an expression was meant
    /// to be found there.
    pub(crate) fn gradient(
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
            return Err(Error::GradByConstant {
                text: self.label(by),
                span: place.span,
            });
        }
        let made = self.graph.made();
        let mut builder = self.builder(place.started);
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
            return Err(Error::GradByStranger {
                text: self.label(by),
                root: self.label(root),
                span: place.span,
            });
        };
        // It reads as what it is made of, `b*f`: the first argument need not be in it, and may be gone by and by.
        let mut derived = finished(builder, derivative, (root, made), place)?;
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

/// The derivative, and if it is not finite the first node at fault: one of what was differentiated, or one that is newer
/// than `before`. So `ln'(-1)` is told what `ln` needs, not what its derivative is built from.
fn finished(
    builder: Builder,
    result: Rc<Node>,
    (of, before): (&Rc<Node>, NodeId),
    place: CallSite,
) -> Result<Derived, Error> {
    let folded = builder.finish(place.span)?;
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

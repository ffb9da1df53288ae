//! Calls of the user's own functions, which build the nodes of the functions' bodies.
//!
//! Calls run on an explicit stack of frames, so a chain of a hundred thousand functions does not recurse, and the nodes
//! they build are counted. `define` compiles bodies and rejects recursion; `derivative_calls` handles primes.

use std::rc::Rc;

use rustc_hash::FxHashSet;

use super::derivative_calls::{Derived, StandIns, primed};
use super::notes::Fault;
use super::terms::{CallSite, STATEMENT_NODES};
use crate::graph::{Node, NodeId, Spelling, is_at_fault};
use crate::session::Session;
use crate::session::error::{self, Error};
use crate::session::functions::{Callee, Code, Function};

/// Up to this depth of nested calls a node is labelled by the call that produced it; deeper ones by their expressions.
const NAMED_DEPTH: usize = 8;

/// How many instructions run between two checks whether to stop.
const STEPS_PER_QUESTION: usize = 1 << 14;

/// A call that is running.
struct Frame {
    function: Rc<Function>,
    /// The nodes that the parameters stand for.
    arguments: Vec<Rc<Node>>,
    /// Set if the parameters are bound to placeholders in place of the real arguments.
    stand_ins: Option<StandIns>,
    /// The next instruction.
    at: usize,
    /// The newest node from before the call.
    made: u32,
}

impl Session {
    /// Runs a call: builds the nodes of the body with the arguments in place of the parameters.
    pub(crate) fn call(
        &mut self,
        (function, primes): (Rc<Function>, u8),
        arguments: Vec<Rc<Node>>,
        place: CallSite,
    ) -> Result<Derived, Error> {
        let span = place.span;
        let mut frames = vec![self.frame(function, primes, arguments)];
        let mut stack: Vec<Rc<Node>> = Vec::new();
        let mut fault = None;
        let mut ruled = FxHashSet::default();
        let mut steps = 0_usize;
        while let Some(frame) = frames.last_mut() {
            steps += 1;
            if steps.is_multiple_of(STEPS_PER_QUESTION) && self.host.stop() {
                return Err(Error::Interrupted);
            }
            if self.graph.made() - place.started > STATEMENT_NODES {
                return Err(error::too_many_nodes(span, "statement", STATEMENT_NODES));
            }
            let function = Rc::clone(&frame.function);
            let within = |error: Error| error::in_body(&function, span, error);
            let Some(code) = function.code.get(frame.at) else {
                let named = frames.len() <= NAMED_DEPTH;
                let frame = frames.pop().expect("the loop has just seen it");
                let result = stack.pop().expect("a body leaves its value");
                let derived = self.finish(frame, named, result, &mut ruled, place)?;
                if is_plain(&frames) {
                    fault = fault.or(derived.fault);
                }
                stack.push(derived.node);
                continue;
            };
            frame.at += 1;
            let mut found = None;
            let node = match code {
                Code::Number(value, spelling) => self.graph.constant(*value, *spelling),
                Code::Parameter(at) => Rc::clone(&frame.arguments[*at]),
                Code::Name(name) => self.named(name, span).map_err(within)?,
                Code::Operator(operator, count) => self.graph.apply(
                    crate::session::naming::operation(operator),
                    &mut stack,
                    *count,
                ),
                Code::Call(name, primes, count) => {
                    let callee = self.callee("", (name, *primes), *count, span);
                    let callee = callee.map_err(within)?;
                    if let Callee::Built(op) = callee {
                        self.graph.apply(op, &mut stack, *count)
                    } else {
                        let arguments = stack.split_off(stack.len() - count);
                        if let Callee::Own(function, primes) = callee {
                            frames.push(self.frame(function, primes, arguments));
                            continue;
                        }
                        let by_name = frame.at >= 2 && function.code[frame.at - 2].is_name();
                        let is_grad = matches!(callee, Callee::Grad);
                        let derived =
                            self.callee_made(callee, arguments, by_name, &mut ruled, place);
                        let derived = match derived {
                            Err(error) if is_grad => return Err(within(error)),
                            derived => derived?,
                        };
                        found = derived.fault;
                        derived.node
                    }
                }
                Code::Property(property) => {
                    let operand = stack.pop().expect("a property follows its operand");
                    let (value, _) = self
                        .property(*property, &operand, true, span)
                        .map_err(within)?;
                    self.graph.constant(value, Spelling::Plain)
                }
            };
            // Nodes built on placeholders are not part of the final result.
            if fault.is_none() && is_plain(&frames) {
                fault = found.or_else(|| {
                    is_at_fault(&node).then(|| Fault {
                        node: Rc::clone(&node),
                        place: None,
                    })
                });
            }
            stack.push(node);
        }
        let result = stack.pop().expect("a body leaves its value");
        Ok(Derived::plain(result, fault))
    }

    fn frame(&mut self, function: Rc<Function>, primes: u8, arguments: Vec<Rc<Node>>) -> Frame {
        let made = self.graph.made();
        let stand_ins = StandIns::of(self, &function, primes, &arguments);
        let arguments = match &stand_ins {
            Some(stand_ins) => stand_ins.leaves.clone(),
            None => arguments,
        };
        Frame {
            function,
            arguments,
            stand_ins,
            at: 0,
            made,
        }
    }

    /// Ends a call: differentiates its result if there are primes, and records the call as the node's label, `f(a)`.
    fn finish(
        &mut self,
        frame: Frame,
        mut named: bool,
        result: Rc<Node>,
        ruled: &mut FxHashSet<NodeId>,
        place: CallSite,
    ) -> Result<Derived, Error> {
        let mut name = Rc::clone(&frame.function.name);
        let mut arguments = frame.arguments;
        let mut derived = Derived::plain(result, None);
        if let Some(stand_ins) = frame.stand_ins {
            derived = self.differentiate_body(&derived.node, &stand_ins, ruled, place)?;
            named &= stand_ins.are_in(&derived.node);
            name = primed(&name, stand_ins.primes);
            arguments = stand_ins.arguments;
        }
        if named && derived.node.id() > frame.made {
            let _ = self.names.remember_call(&derived.node, &name, &arguments);
        }
        Ok(derived)
    }
}

/// Whether none of these calls runs on placeholders.
fn is_plain(frames: &[Frame]) -> bool {
    frames.iter().all(|frame| frame.stand_ins.is_none())
}

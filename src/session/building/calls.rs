//! Calls of the user's own functions, which build the nodes of the functions' bodies, and loops (`for`).
//!
//! Calls run on an explicit stack of frames, so a chain of a hundred thousand functions does not recurse, and the nodes
//! they build are counted. `define` compiles bodies and rejects recursion; `derivative_calls` handles primes.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::build::Built;
use super::derivative_calls::{Derived, StandIns, primed, uses_all};
use super::items::IndexSite;
use super::items::fault_at;
use super::lists::errors as list_errors;
use super::lists::{item_of, list_of};
use super::notes::Fault;
use super::terms::{CallSite, LIST_NUMBERS, STATEMENT_NODES};
use crate::graph::{NodeId, is_at_fault};
use crate::report::Note;
use crate::session::Session;
use crate::session::error::{self, Error};
use crate::session::functions::operation;
use crate::session::functions::{Callee, Code, Function};
use crate::session::values::{List, Value};
use crate::stop;
use crate::syntax::{Expression, Span};

/// Up to this depth of nested calls a node is labelled by the call that produced it; deeper ones by their expressions.
const NAMED_DEPTH: usize = 8;

/// A call that is running.
struct Frame {
    function: Rc<Function>,
    /// What the parameters stand for, then the variables of the loops that run.
    variables: Vec<Value>,
    /// The arguments, and set if the parameters are bound to placeholders in place of them.
    stand_ins: Option<StandIns>,
    loops: Vec<Loop>,
    /// The literals in loops, by instruction.
    literals: FxHashMap<usize, Value>,
    /// The next instruction.
    at: usize,
    /// The newest node from before the call.
    made: NodeId,
}

/// A `for` that is running.
struct Loop {
    list: Rc<List>,
    /// The next item of the list.
    next: usize,
    /// How many variables it has; they are the last ones of the frame.
    variables: usize,
    /// The first instruction of its body.
    start: usize,
    /// How many values the stack had at its beginning; the results of its rounds are above.
    height: usize,
    /// How many numbers these results have.
    numbers: usize,
}

/// What a run of the machine has found besides its value.
#[derive(Default)]
pub(crate) struct RunFindings {
    /// The instruction of the statement that made the first node at fault.
    pub fault_at: Option<usize>,
    pub stale: bool,
    pub remarks: Vec<Note>,
}

impl Session {
    /// Runs a call: builds the nodes of the body with the arguments in place of the parameters.
    pub(crate) fn call(
        &mut self,
        (function, primes): (Rc<Function>, u8),
        arguments: Vec<Value>,
        place: CallSite,
    ) -> Result<Derived, Error> {
        let frame = self.frame(function, primes, arguments, place)?;
        self.run(frame, place, &mut RunFindings::default())
    }

    /// Builds an expression with `for`: compiled like a function's body, it runs as a call without arguments.
    pub(crate) fn build_in_loops(
        &mut self,
        text: &str,
        expression: &Expression,
    ) -> Result<Built, Error> {
        let started = self.graph.made();
        let items = &expression.items;
        let code = self.compile(text, items, &[], None)?;
        // Drops the constants that the lookups created.
        self.graph.rewind(started);
        let statement = Function {
            name: Rc::default(),
            parameters: Vec::new(),
            body: Rc::default(),
            differentiates: false,
            code,
            spans: items.iter().map(|item| item.span).collect(),
        };
        let place = CallSite {
            span: expression.span,
            started,
        };
        let frame = self.frame(Rc::new(statement), 0, Vec::new(), place)?;
        let mut findings = RunFindings::default();
        let derived = self.run(frame, place, &mut findings)?;
        let fault = derived.fault.map(|fault| match findings.fault_at {
            Some(at) => fault_at(text, items, at, &fault.node),
            None => fault,
        });
        Ok(Built {
            value: derived.value,
            fault,
            stale: findings.stale,
            remarks: findings.remarks,
        })
    }

    fn run(
        &mut self,
        frame: Frame,
        place: CallSite,
        findings: &mut RunFindings,
    ) -> Result<Derived, Error> {
        // How many of the calls run on placeholders.
        let mut on_placeholders = usize::from(frame.stand_ins.is_some());
        let mut frames = vec![frame];
        let mut stack: Vec<Value> = Vec::new();
        let mut fault = None;
        let mut steps = 0_usize;
        while let Some(frame) = frames.last_mut() {
            steps += 1;
            stop::ask(steps);
            if self.graph.made() - place.started > STATEMENT_NODES {
                return Err(error::too_many_nodes(
                    place.span,
                    "statement",
                    STATEMENT_NODES,
                ));
            }
            let function = Rc::clone(&frame.function);
            let Some(code) = function.code.get(frame.at) else {
                let named = frames.len() <= NAMED_DEPTH;
                let frame = frames.pop().expect("the loop has just seen it");
                on_placeholders -= usize::from(frame.stand_ins.is_some());
                let result = stack.pop().expect("a body leaves its value");
                let derived = self.finish(frame, named, result, place)?;
                if on_placeholders == 0 {
                    fault = fault.or(derived.fault);
                }
                stack.push(derived.value);
                continue;
            };
            // A statement points at the instruction, a function's body at the call.
            let is_statement = !function.spans.is_empty();
            let span = function.spans.get(frame.at).copied().unwrap_or(place.span);
            let within = |error: Error| match error {
                error if is_statement => error,
                error => error::in_body(&function, span, error),
            };
            let here = CallSite { span, ..place };
            frame.at += 1;
            let mut found = None;
            let value = match code {
                // The rounds of a loop share the literals of its body.
                Code::Number(value, spelling) if frame.loops.is_empty() => {
                    self.graph.constant(*value, *spelling).into()
                }
                Code::Number(value, spelling) => {
                    let make = || self.graph.constant(*value, *spelling).into();
                    frame.literals.entry(frame.at).or_insert_with(make).clone()
                }
                Code::Parameter(at) => frame.variables[*at].clone(),
                Code::Name(name) => self.named(name, span).map_err(within)?,
                Code::Value(value) => value.clone(),
                Code::Operator(operator, count) => {
                    let op = operation(operator);
                    self.operation_on(op, &mut stack, *count, here)
                        .map_err(within)?
                }
                Code::List(count) => {
                    let items = stack.split_off(stack.len() - count);
                    list_of(items, span).map_err(within)?
                }
                Code::Index => {
                    let position = stack.pop().expect("an index has a position");
                    let list = stack.pop().expect("an index has a list");
                    let site = IndexSite {
                        text: "",
                        items: &[],
                        at: 0,
                        call: Some(span),
                    };
                    item_of(&list, &position, site).map_err(within)?
                }
                Code::Range => {
                    let end = stack.pop().expect("a range has an end");
                    let start = stack.pop().expect("a range has a start");
                    self.range(&start, &end, span).map_err(within)?
                }
                Code::Variable(_) => continue,
                Code::Each(first, count) => {
                    let list = match stack.pop().expect("`for` goes over a value") {
                        Value::List(list) => list,
                        Value::Node(_) => return Err(within(list_errors::loop_over_number(span))),
                    };
                    debug_assert_eq!(frame.variables.len(), *first, "loops end in order");
                    frame.loops.push(Loop {
                        list,
                        next: 0,
                        variables: *count,
                        start: frame.at,
                        height: stack.len(),
                        numbers: 0,
                    });
                    frame.next_round(span).map_err(within)?;
                    continue;
                }
                Code::Collect => {
                    let running = frame.loops.last_mut().expect("`Collect` ends a loop");
                    // What the rounds give becomes one list.
                    running.numbers += stack.last().map_or(0, |made| made.shape().size());
                    if running.numbers > LIST_NUMBERS {
                        return Err(within(list_errors::list_too_long(span, LIST_NUMBERS)));
                    }
                    let kept = frame.variables.len() - running.variables;
                    frame.variables.truncate(kept);
                    if running.next < running.list.count() {
                        frame.next_round(span).map_err(within)?;
                        continue;
                    }
                    let items = stack.split_off(running.height);
                    frame.loops.pop();
                    list_of(items, span).map_err(within)?
                }
                Code::Call {
                    name,
                    primes,
                    count,
                } => {
                    let callee = self.callee("", (name, *primes), *count, span);
                    let callee = callee.map_err(within)?;
                    let mut take = || stack.split_off(stack.len() - count);
                    match callee {
                        Callee::Own(function, primes) => {
                            let arguments = take();
                            let frame = self.frame(function, primes, arguments, here)?;
                            on_placeholders += usize::from(frame.stand_ins.is_some());
                            frames.push(frame);
                            continue;
                        }
                        Callee::Built(op) => self
                            .operation_on(op, &mut stack, *count, here)
                            .map_err(within)?,
                        callee => {
                            let is_derivative = matches!(callee, Callee::Derived(..));
                            let arguments = take();
                            let derived = self.callee_made(callee, arguments, here);
                            let derived = match derived {
                                Err(error) if !is_derivative => return Err(within(error)),
                                derived => derived?,
                            };
                            found = derived.fault;
                            derived.value
                        }
                    }
                }
                Code::Property(property, plain) => {
                    let operand = stack.pop().expect("a property follows its operand");
                    let read = self.property(*property, &operand, *plain, span);
                    let (value, old) = read.map_err(within)?;
                    findings.stale |= old && is_statement;
                    value
                }
            };
            // Nodes built on placeholders are not part of the final result.
            if fault.is_none() && on_placeholders == 0 {
                fault = found.or_else(|| {
                    let nodes = match code {
                        Code::Operator(..) | Code::Call { .. } => value.nodes(),
                        // The items of a list that is only passed on are not looked at again and again.
                        _ => value.node().map_or(&[][..], std::slice::from_ref),
                    };
                    let at_fault = nodes.iter().find(|node| is_at_fault(node))?;
                    findings.fault_at = match frames.as_slice() {
                        [only] if is_statement => Some(only.at - 1),
                        _ => None,
                    };
                    Some(Fault {
                        node: Rc::clone(at_fault),
                        place: None,
                    })
                });
            }
            stack.push(value);
        }
        let value = stack.pop().expect("a body leaves its value");
        Ok(Derived::plain(value, fault))
    }

    fn frame(
        &mut self,
        function: Rc<Function>,
        primes: u8,
        arguments: Vec<Value>,
        place: CallSite,
    ) -> Result<Frame, Error> {
        let made = self.graph.made();
        let stand_ins = StandIns::of(self, &function, primes, &arguments, place)?;
        let variables = match &stand_ins {
            Some(stand_ins) => stand_ins.parameters.clone(),
            None => arguments,
        };
        Ok(Frame {
            function,
            variables,
            stand_ins,
            loops: Vec::new(),
            literals: FxHashMap::default(),
            at: 0,
            made,
        })
    }

    /// Ends a call: differentiates its result if there are primes, and records the call as the node's label, `f(a)`.
    fn finish(
        &mut self,
        frame: Frame,
        mut named: bool,
        result: Value,
        place: CallSite,
    ) -> Result<Derived, Error> {
        let mut name = Rc::clone(&frame.function.name);
        let mut arguments = frame.variables;
        let mut derived = Derived::plain(result, None);
        let derives = frame.function.differentiates || frame.stand_ins.is_some();
        if let Some(stand_ins) = frame.stand_ins {
            derived = self.differentiate_body(&derived.value, &stand_ins, place)?;
            name = primed(&name, stand_ins.primes);
            arguments = stand_ins.arguments;
        }
        named &= !derives || uses_all(&derived.value, &arguments);
        if let (true, Value::Node(node)) = (named && !name.is_empty(), &derived.value)
            && node.id() > frame.made
        {
            self.names.remember_call(node, &name, &arguments);
        }
        Ok(derived)
    }
}

impl Frame {
    /// Sets the variables of the innermost loop to its next item, and goes to the beginning of its body.
    fn next_round(&mut self, span: Span) -> Result<(), Error> {
        let running = self.loops.last_mut().expect("a loop runs");
        let item = running.list.item(running.next);
        let item = item.expect("the rounds end with the items");
        running.next += 1;
        self.at = running.start;
        match item {
            item if running.variables == 1 => self.variables.push(item),
            Value::List(list) if list.count() == running.variables => {
                self.variables.extend(list.items());
            }
            item => {
                return Err(list_errors::loop_variables(
                    running.variables,
                    item.shape(),
                    span,
                ));
            }
        }
        Ok(())
    }
}

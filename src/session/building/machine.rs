//! Runs statements and the bodies of the user's functions, which build nodes: operations, calls and loops (`for`).
//!
//! Calls run on an explicit stack of frames, so a chain of a hundred thousand functions does not recurse, and the nodes
//! they build are counted. `define` compiles bodies and rejects recursion; `derivative_calls` handles primes.

use std::borrow::Cow;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::build::Built;
use super::derivative_calls::{Derived, StandIns, primed, uses_all};
use super::items::{fault_at, is_comparison, two_operands};
use super::lists::{item_of, list_of};
use super::notes::{self, Fault};
use super::terms::{CallSite, LIST_NUMBERS, STATEMENT_NODES};
use crate::graph::{NodeId, is_at_fault};
use crate::session::Session;
use crate::session::error::{self, Error, fail};
use crate::session::functions::operation;
use crate::session::functions::{Callee, Code, Function};
use crate::session::values::{List, Value};
use crate::stop;
use crate::syntax::{Expression, Item, Span};

/// Up to this depth of nested calls a node is labelled by the call that produced it; deeper ones by their expressions.
const NAMED_DEPTH: usize = 8;

/// The statement that runs.
struct StatementCode<'t> {
    text: &'t str,
    items: &'t [Item<'t>],
    code: Vec<Code<'t>>,
}

/// What a frame runs.
#[derive(Clone)]
enum Running<'t> {
    Statement(&'t StatementCode<'t>),
    /// With the place of the call in the statement.
    Function(Rc<Function>, Span),
}

/// A statement or a call that is running.
struct Frame<'t> {
    body: Running<'t>,
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

impl Session {
    /// Builds the nodes of an expression.
    pub(super) fn run(&mut self, text: &str, expression: &Expression) -> Result<Built, Error> {
        let items = &expression.items;
        let statement = StatementCode {
            text,
            items,
            code: self.compile(text, items, &[], None, Cow::Borrowed)?,
        };
        let place = CallSite {
            span: expression.span,
            started: self.graph.made(),
        };
        let (mut fault, mut stale, mut remarks) = (None, false, Vec::new());
        // How many of the calls run on placeholders. Nodes built on them are not part of the final result.
        let mut on_placeholders = 0;
        let mut frames = vec![Frame::of(
            Running::Statement(&statement),
            Vec::new(),
            place.started,
        )];
        let mut stack: Vec<Value> = Vec::new();
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
            let body = frame.body.clone();
            let Some(code) = body.code().get(frame.at) else {
                let frame = frames.pop().expect("the loop has just seen it");
                if let Running::Function(function, span) = body {
                    on_placeholders -= usize::from(frame.stand_ins.is_some());
                    let named = frames.len() <= NAMED_DEPTH;
                    let result = stack.pop().expect("a body leaves its value");
                    let place = CallSite { span, ..place };
                    let derived = self.finish(&function, frame, named, result, place)?;
                    if on_placeholders == 0 {
                        fault = fault.or(derived.fault);
                    }
                    stack.push(derived.value);
                }
                continue;
            };
            let at = frame.at;
            frame.at += 1;
            let in_loop = !frame.loops.is_empty();
            // A statement points at the instruction, a function's body at the call.
            let (text, span) = match &body {
                Running::Statement(statement) => (statement.text, statement.items[at].span),
                Running::Function(_, call) => ("", *call),
            };
            let within = |error: Error| match &body {
                Running::Statement(_) => error,
                Running::Function(function, _) => error::in_body(function, span, error),
            };
            let here = CallSite { span, ..place };
            let mut found = None;
            let value = match code {
                // The rounds of a loop share the literals of its body.
                Code::Number(value, spelling) if !in_loop => {
                    self.graph.constant(*value, *spelling).into()
                }
                Code::Number(value, spelling) => {
                    let make = || self.graph.constant(*value, *spelling).into();
                    frame.literals.entry(at).or_insert_with(make).clone()
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
                    let (list, position) = two_popped(&mut stack);
                    let condition = match body {
                        Running::Statement(typed) => is_comparison(&typed.items[at - 1]),
                        Running::Function(..) => false,
                    };
                    let site = || match body {
                        Running::Statement(typed) => {
                            let (list, position) = two_operands(text, typed.items, at);
                            let name = list.of(text);
                            (Some(name).filter(|name| name.len() <= 40), position)
                        }
                        Running::Function(..) => (None, span),
                    };
                    item_of(&list, &position, condition, &site).map_err(within)?
                }
                Code::Range => {
                    let (start, end) = two_popped(&mut stack);
                    self.range(&start, &end, span).map_err(within)?
                }
                Code::Variable(_) => continue,
                Code::Each(first, count) => {
                    let list = match stack.pop().expect("`for` goes over a value") {
                        Value::List(list) => list,
                        Value::Node(_) => {
                            let help = "over the numbers up to n: `for k in 1..n`";
                            let message = "`for` goes over a list, and this is a number";
                            return Err(within(fail(span, message, help)));
                        }
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
                        return Err(within(error::list_too_long(span, LIST_NUMBERS)));
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
                    let callee = self.callee((name, *primes), *count, span);
                    let first = stack.len() - count;
                    match callee.map_err(within)? {
                        Callee::Own(function, primes) => {
                            let arguments = stack.split_off(first);
                            let frame = self.frame(function, primes, arguments, here)?;
                            on_placeholders += usize::from(frame.stand_ins.is_some());
                            frames.push(frame);
                            continue;
                        }
                        Callee::Built(op) => self
                            .operation_on(op, &mut stack, *count, here)
                            .map_err(within)?,
                        Callee::Grad => {
                            let arguments = stack.split_off(first);
                            let (root, by) = match body {
                                Running::Statement(typed) => two_operands(text, typed.items, at),
                                Running::Function(..) => (span, span),
                            };
                            if let Value::List(list) = &arguments[0] {
                                let typed = text.get(root.start as usize..root.end as usize);
                                let error = error::grad_of_list(typed, list.shape(), root);
                                return Err(within(error));
                            }
                            let by = CallSite { span: by, ..place };
                            let derived = self.gradient(&arguments, by).map_err(within)?;
                            if let (true, [Value::Node(root), Value::Node(by)]) =
                                (derived.apart && !in_loop, &arguments[..])
                            {
                                let remark = notes::apart(&self.label(root), &self.label(by));
                                remarks.push(remark);
                            }
                            found = derived.fault;
                            derived.value
                        }
                        callee => {
                            let is_derivative = matches!(callee, Callee::Derived(..));
                            let arguments = stack.split_off(first);
                            let derived = self.callee_made(&callee, arguments, here);
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
                    stale |= old;
                    value
                }
            };
            if fault.is_none() && on_placeholders == 0 {
                fault = found.or_else(|| {
                    let made = matches!(code, Code::Operator(..) | Code::Call { .. });
                    let nodes = if made { value.nodes() } else { &[] };
                    let node = nodes.iter().find(|node| is_at_fault(node))?;
                    Some(match body {
                        Running::Statement(typed) => fault_at(text, typed.items, at, node),
                        Running::Function(..) => Fault {
                            node: Rc::clone(node),
                            place: None,
                        },
                    })
                });
            }
            stack.push(value);
        }
        Ok(Built {
            value: stack.pop().expect("an expression has a value"),
            fault,
            stale,
            remarks,
        })
    }

    fn frame<'t>(
        &mut self,
        function: Rc<Function>,
        primes: u8,
        arguments: Vec<Value>,
        place: CallSite,
    ) -> Result<Frame<'t>, Error> {
        let made = self.graph.made();
        let stand_ins = StandIns::of(self, &function, primes, &arguments, place)?;
        let variables = match &stand_ins {
            Some(stand_ins) => stand_ins.parameters.clone(),
            None => arguments,
        };
        let body = Running::Function(function, place.span);
        Ok(Frame {
            stand_ins,
            ..Frame::of(body, variables, made)
        })
    }

    /// Ends a call: differentiates its result if there are primes, and records the call as the node's label, `f(a)`.
    fn finish(
        &mut self,
        function: &Function,
        frame: Frame,
        mut named: bool,
        result: Value,
        place: CallSite,
    ) -> Result<Derived, Error> {
        let mut name = Rc::clone(&function.name);
        let mut arguments = frame.variables;
        let mut derived = Derived::plain(result, None);
        let derives = function.differentiates || frame.stand_ins.is_some();
        if let Some(stand_ins) = frame.stand_ins {
            derived = self.differentiate_body(&derived.value, &stand_ins, place)?;
            name = primed(&name, stand_ins.primes);
            arguments = stand_ins.arguments;
        }
        named &= !derives || uses_all(&derived.value, &arguments);
        if let (true, Value::Node(node)) = (named, &derived.value)
            && node.id() > frame.made
        {
            self.names.remember_call(node, &name, &arguments);
        }
        Ok(derived)
    }
}

impl<'t> Running<'t> {
    fn code(&self) -> &[Code<'t>] {
        match self {
            Running::Statement(statement) => &statement.code,
            Running::Function(function, _) => &function.code,
        }
    }
}

impl<'t> Frame<'t> {
    fn of(body: Running<'t>, variables: Vec<Value>, made: NodeId) -> Frame<'t> {
        Frame {
            body,
            variables,
            stand_ins: None,
            loops: Vec::new(),
            literals: FxHashMap::default(),
            at: 0,
            made,
        }
    }

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
                let (count, item) = (running.variables, item.shape());
                let message = format!("`for` has {count} names, and an item is {item}");
                let help = "one name takes the whole item; `zip(a, b)` makes pairs";
                return Err(fail(span, message, help));
            }
        }
        Ok(())
    }
}

fn two_popped(stack: &mut Vec<Value>) -> (Value, Value) {
    let mut pop = || stack.pop().expect("it has two operands");
    let second = pop();
    (pop(), second)
}

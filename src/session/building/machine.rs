//! Runs statements and the bodies of the user's functions, which build nodes: operations, calls and loops (`for`).
//!
//! Calls run on an explicit stack of frames, so a chain of a hundred thousand functions does not recurse, and the nodes
//! they build are counted. `compile` makes the code and refuses recursion; `derivative_calls` handles primes.

use std::borrow::Cow;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::builder::{LIST_NUMBERS, STATEMENT_NODES};
use super::derivative_calls::{Derivative, StandIns, first_at_fault, primed_name, uses_all};
use super::evaluate::BuiltExpression;
use super::items::{index_parts, operand_spans, operands_span};
use super::lists::{item_of, list_of, slice_of};
use super::notes::{self, Fault};
use crate::session::Session;
use crate::session::error::{self, Error, fail};
use crate::session::functions::{Callee, Code, Function, Work, operation};
use crate::session::values::{List, Maker, Value};
use chainrule_engine::graph::structure::depends_on;
use chainrule_engine::graph::{Node, NodeId};
use chainrule_engine::ops::Op;
use chainrule_language::{Expression, Item, Span};
use chainrule_report::Note;
use chainrule_stop as stop;

/// Up to this depth of nested calls a node is labelled by the call that produced it; deeper ones by their expressions.
const NAMED_DEPTH: usize = 8;

/// A statement that runs.
struct Machine<'s> {
    session: &'s mut Session,
    text: &'s str,
    items: &'s [Item<'s>],
    /// The statement, then the calls that run.
    frames: Vec<Frame>,
    stack: Vec<Value>,
    fault: Option<Fault>,
    /// Whether a search for the fault below a derivative was made.
    has_searched: bool,
    stale: bool,
    remarks: Vec<Note>,
    /// The values whose numbers decided what is built, if somebody wants to know.
    read: Vec<Value>,
}

/// A statement or a call that is running.
struct Frame {
    /// What was called; none for the statement.
    function: Option<Rc<Function>>,
    /// The place of the call in the statement.
    call: Span,
    /// What the parameters and the function's other names stand for, then the variables of the loops that run.
    variables: Vec<Value>,
    /// Set if the parameters are bound to placeholders: these, and the real arguments.
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
    /// Its variables, which are the last ones of the frame.
    variables: Rc<[Rc<str>]>,
    /// The newest node from before the loop, and whether what the first round gives holds the first item.
    made: NodeId,
    holds: bool,
    /// The first instruction of its body.
    start: usize,
    /// How many values the stack had at its beginning; the results of its rounds are above.
    height: usize,
    /// How many numbers these results have.
    numbers: usize,
}

impl Session {
    /// Builds the nodes of an expression.
    pub(super) fn run(
        &mut self,
        text: &str,
        expression: &Expression,
    ) -> Result<BuiltExpression, Error> {
        let items = &expression.items;
        let code = self.compile(text, items, &[], None, Cow::Borrowed)?;
        self.started = self.graph.last_id();
        let mut machine = Machine {
            session: self,
            text,
            items,
            frames: Vec::new(),
            stack: Vec::new(),
            fault: None,
            has_searched: false,
            stale: false,
            remarks: Vec::new(),
            read: Vec::new(),
        };
        machine.enter(None, expression.span, Vec::new(), None);
        let done = machine.run(&code);
        machine.session.note_deciding(&machine.read);
        done?;
        Ok(BuiltExpression {
            value: machine.pop(),
            fault: machine.fault,
            stale: machine.stale,
            remarks: machine.remarks,
        })
    }
}

impl Machine<'_> {
    fn run(&mut self, statement: &[Code]) -> Result<(), Error> {
        let mut steps = 0_usize;
        while let Some(frame) = self.frames.last_mut() {
            steps += 1;
            stop::ask(steps);
            let function = frame.function.clone();
            let code = (function.as_ref()).map_or(statement, |function| &function.code);
            let at = frame.at;
            let Some(code) = code.get(at) else {
                self.leave()?;
                continue;
            };
            frame.at += 1;
            // A statement points at the instruction, a function's body at the call.
            let span = match function {
                None => self.items[at].span,
                Some(_) => frame.call,
            };
            let value = self.instruction(code, at, span);
            let value = value.map_err(|error| match &function {
                None => error,
                Some(function) => error::in_body(function, span, *error),
            })?;
            self.stack.extend(value);
            if self.session.graph.last_id() - self.session.started > STATEMENT_NODES {
                return Err(error::too_many_nodes(span, "statement", STATEMENT_NODES));
            }
        }
        Ok(())
    }

    /// Runs one instruction. The result is what it leaves on the stack.
    fn instruction(&mut self, code: &Code, at: usize, span: Span) -> Result<Option<Value>, Error> {
        let frame = self.frames.last_mut().expect("it runs the instruction");
        Ok(Some(match code {
            // The rounds of a loop share the literals of its body.
            Code::Number(value, spelling) if !frame.loops.is_empty() => {
                let make = || self.session.graph.constant(*value, *spelling).into();
                frame.literals.entry(at).or_insert_with(make).clone()
            }
            Code::Number(value, spelling) => self.session.graph.constant(*value, *spelling).into(),
            Code::Parameter(at) => frame.variables[*at].clone(),
            Code::Name(name) => self.session.value_of_name(name, span)?,
            Code::Value(value) => value.clone(),
            Code::Operator(operator, count) => {
                return self.operation(operation(operator), *count, at, span);
            }
            Code::List(count) => list_of(self.stack.split_off(self.stack.len() - count), span)?,
            Code::Index => {
                let (position, list) = (self.pop(), self.pop());
                self.note_read(std::slice::from_ref(&position));
                item_of(&list, &position, &|| self.index_parts(at, span))?
            }
            Code::Slice => {
                let (end, begin, list) = (self.pop(), self.pop(), self.pop());
                self.note_read(&[begin.clone(), end.clone()]);
                slice_of(&list, [&begin, &end], &|| self.index_parts(at, span))?
            }
            Code::Range => {
                let (end, start) = (self.pop(), self.pop());
                self.note_read(&[end.clone(), start.clone()]);
                self.session.range(&start, &end, span)?
            }
            Code::Uncertain(per_cent) => {
                let (width, number) = (self.pop(), self.pop());
                self.session
                    .uncertain_leaf(&number, &width, *per_cent, span)?
            }
            Code::Assign(count) => {
                let values = self.stack.split_off(self.stack.len() - count);
                frame.variables.extend(values);
                return Ok(None);
            }
            Code::Variable => return Ok(None),
            Code::Each(first, variables, length) => {
                let Some(Value::List(list)) = self.stack.pop() else {
                    let help = "over the numbers up to n: `for k in 1..n`";
                    let message = "`for` goes over a list, and this is a number";
                    return Err(fail(span, message, help));
                };
                if list.count() == 0 {
                    frame.at += length;
                    return list_of(Vec::new(), span).map(Some);
                }
                debug_assert_eq!(frame.variables.len(), *first, "loops end in order");
                frame.loops.push(Loop {
                    list,
                    next: 0,
                    variables: Rc::clone(variables),
                    made: self.session.graph.last_id(),
                    holds: false,
                    start: frame.at,
                    height: self.stack.len(),
                    numbers: 0,
                });
                frame.next_round(span)?;
                return Ok(None);
            }
            Code::Collect => {
                let running = frame.loops.last_mut().expect("`Collect` ends a loop");
                // What the rounds give becomes one list.
                running.numbers += self.stack.last().map_or(0, |made| made.shape().size());
                if running.numbers > LIST_NUMBERS {
                    return Err(error::list_too_long(span));
                }
                let item = frame.variables.len() - running.variables.len();
                if let (1, [first]) = (running.next, &self.stack[running.height..]) {
                    running.holds = uses_all(first, &frame.variables[item..], running.made);
                }
                frame.variables.truncate(item);
                if running.next < running.list.count() {
                    frame.next_round(span)?;
                    return Ok(None);
                }
                let items = self.stack.split_off(running.height);
                let ended = frame.loops.pop().expect("it has just ended");
                let over = ended.holds.then_some(Value::List(ended.list));
                let maker = Maker::Each(ended.variables);
                list_of(items, span)?.with_origin(maker, over.into_iter().collect())
            }
            Code::Call {
                name,
                primes,
                count,
            } => return self.call((name, *primes), *count, at, span),
            Code::Property(property) => {
                let operand = self.pop();
                self.note_read(std::slice::from_ref(&operand));
                let (value, old) = self.session.property(*property, &operand, span)?;
                self.stale |= old;
                value
            }
        }))
    }

    /// An operation on the last values of the stack.
    fn operation(
        &mut self,
        op: &'static Op,
        count: usize,
        at: usize,
        span: Span,
    ) -> Result<Option<Value>, Error> {
        let made = self.session.graph.last_id();
        let value = self
            .session
            .operation_on(op, &mut self.stack, count, span)?;
        if let Some(fault) = first_at_fault(value.nodes(), made) {
            let typed = self.is_statement();
            let place = typed.then(|| operands_span(self.text, self.items, at));
            self.note_fault(Some(fault), place);
        }
        Ok(Some(value))
    }

    fn call(
        &mut self,
        called: (&str, u8),
        count: usize,
        at: usize,
        span: Span,
    ) -> Result<Option<Value>, Error> {
        let callee = self.session.callee(called, count, span)?;
        if let Callee::Built(op) = callee {
            let has_list = |stack: &[Value]| stack.iter().any(|value| value.node().is_none());
            let first = self.stack.len() - count;
            if count > 1 && called == ("sum", 0) && has_list(&self.stack[first..]) {
                let operands = self.stack.split_off(first);
                return self.session.sum_from_start(&operands, span).map(Some);
            }
            return self.operation(op, count, at, span);
        }
        let mut arguments = self.stack.split_off(self.stack.len() - count);
        let made = self.session.graph.last_id();
        let value = match callee {
            Callee::Own(function, primes) => {
                let stand_ins =
                    (self.session).stand_ins_for_call(&function, primes, &arguments, span)?;
                if let Some(stand_ins) = &stand_ins {
                    arguments.clone_from(&stand_ins.parameters);
                }
                self.enter(Some(function), span, arguments, stand_ins);
                return Ok(None);
            }
            Callee::Derived(op, primes) => {
                let argument = arguments.remove(0);
                let derived = (self.session).built_in_derivative(op, primes, argument, span)?;
                self.derivative_value(derived)
            }
            Callee::Library(function) if matches!(function.work, Work::Grad) => {
                let derived = self.gradient(&arguments, at, span)?;
                self.derivative_value(derived)
            }
            Callee::Library(function) => {
                match function.work {
                    Work::Draw(_) | Work::Range => self.note_read(&arguments),
                    Work::Std => self.note_read(&arguments[1..]),
                    _ => {}
                }
                (self.session).library_function(function, &arguments, span)?
            }
            Callee::Logarithm(op) => self.session.logarithm_to_base(op, arguments, span)?,
            Callee::Built(_) => unreachable!("it has been applied"),
        };
        self.note_fault(first_at_fault(value.nodes(), made), None);
        Ok(Some(value))
    }

    /// Notes that the numbers of these values decide what is built.
    fn note_read(&mut self, values: &[Value]) {
        if self.session.watches_leaves() {
            self.read.extend_from_slice(values);
        }
    }

    /// `grad(L, a)`
    fn gradient(
        &mut self,
        arguments: &[Value],
        at: usize,
        span: Span,
    ) -> Result<Derivative, Error> {
        let (root, by) = self.operand_spans(at, span);
        let node = match &arguments[0] {
            Value::Node(node) => node,
            Value::List(list) => {
                let shape = list.shape();
                let message =
                    format!("`grad` takes the derivative of one number, and this is {shape}");
                let typed = self
                    .is_statement()
                    .then(|| [root, by].map(|it| it.of(self.text)));
                let [y, x] = typed.unwrap_or(["y", "x"]);
                let help = format!(
                    "of each item: `[grad(g, {x}) for g in {y}]`; of their sum: `grad(sum({y}), {x})`"
                );
                return Err(fail(root, message, help));
            }
        };
        let derived = self.session.gradient(node, &arguments[1], by)?;
        let frame = self.frames.last().expect("it runs the instruction");
        if let (Value::Node(by), Value::Node(derivative)) = (&arguments[1], &derived.0)
            && frame.loops.is_empty()
            && !derivative.varies()
            && derivative.data() == 0.0
            && !depends_on(node, by)
        {
            let (root, by) = (self.session.label(node), self.session.label(by));
            self.remarks.push(notes::independence_note(&root, &by));
        }
        Ok(derived)
    }

    /// The value of a derivative. Notes the first node at fault, unless a search for one was made before.
    fn derivative_value(&mut self, (value, suspects): Derivative) -> Value {
        if let Some(suspects) = suspects
            && !self.has_searched
            && self.fault.is_none()
            && !self.has_stand_ins()
        {
            self.has_searched = true;
            self.note_fault(suspects.find_fault(), None);
        }
        value
    }

    fn has_stand_ins(&self) -> bool {
        self.frames.iter().any(|frame| frame.stand_ins.is_some())
    }

    /// Notes the first node at fault. Nodes built on placeholders are not part of the final result.
    fn note_fault(&mut self, node: Option<Rc<Node>>, place: Option<Span>) {
        let Some(node) = node.filter(|_| self.fault.is_none()) else {
            return;
        };
        if !self.has_stand_ins() {
            self.fault = Some(Fault { node, place });
        }
    }

    fn enter(
        &mut self,
        function: Option<Rc<Function>>,
        call: Span,
        variables: Vec<Value>,
        stand_ins: Option<StandIns>,
    ) {
        self.frames.push(Frame {
            function,
            call,
            variables,
            stand_ins,
            loops: Vec::new(),
            literals: FxHashMap::default(),
            at: 0,
            made: self.session.graph.last_id(),
        });
    }

    /// Ends a call: differentiates its result if there are primes, and records the call as the node's label, `f(a)`.
    fn leave(&mut self) -> Result<(), Error> {
        let frame = self.frames.pop().expect("it runs");
        let Some(function) = frame.function else {
            return Ok(());
        };
        let mut value = self.pop();
        let mut name = Rc::clone(&function.name);
        let mut arguments = frame.variables;
        arguments.truncate(function.parameters.len());
        let derives = function.differentiates || frame.stand_ins.is_some();
        if let Some(stand_ins) = frame.stand_ins {
            let derived = self
                .session
                .differentiate_body(value, &stand_ins, frame.call)?;
            value = self.derivative_value(derived);
            name = primed_name(&name, stand_ins.primes);
            arguments = stand_ins.arguments;
        }
        if let Value::Node(node) = &value
            && self.frames.len() <= NAMED_DEPTH
            && node.id() > frame.made
            && (!derives || uses_all(&value, &arguments, frame.made))
        {
            self.session
                .names_mut()
                .remember_call(node, &name, Some(&function), &arguments);
        }
        self.stack.push(value);
        Ok(())
    }

    fn is_statement(&self) -> bool {
        self.frames.len() == 1
    }

    /// What was typed for the two operands of the instruction at `at`; in a function's body, the call.
    fn operand_spans(&self, at: usize, call: Span) -> (Span, Span) {
        if self.is_statement() {
            operand_spans(self.text, self.items, at)
        } else {
            (call, call)
        }
    }

    /// What was typed for the list of an index, and its positions; in a function's body, the call.
    fn index_parts(&self, at: usize, call: Span) -> (&str, Span) {
        if self.is_statement() {
            index_parts(self.text, self.items, at)
        } else {
            ("", call)
        }
    }

    fn pop(&mut self) -> Value {
        self.stack
            .pop()
            .expect("operands come before what takes them")
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
            item if running.variables.len() == 1 => self.variables.push(item),
            Value::List(list) if list.count() == running.variables.len() => {
                self.variables.extend(list.items());
            }
            item => {
                let (count, item) = (running.variables.len(), item.shape());
                let message = format!("`for` has {count} names, and an item is {item}");
                let help = "one name takes the whole item; `zip(a, b)` makes pairs";
                return Err(fail(span, message, help));
            }
        }
        Ok(())
    }
}

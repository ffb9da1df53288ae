//! Runs statements, blocks and the bodies of the user's functions, which build nodes: operations, calls and loops.
//!
//! Calls run on an explicit stack of frames, so a chain of a hundred thousand functions does not recurse, and the nodes
//! they build are counted. `compile` and `compile_block` make the code, `block_instructions` runs what only blocks have,
//! and `derivative` handles primes.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::Evaluated;
use super::compile::{index_parts, operand_span, operands_span};
use super::derivative::{Derivative, StandIns, first_at_fault, uses_all};
use super::formula::primed_name;
use super::guards::{Guard, GuardKind};
use super::lists::{MAX_WHOLE, item_of, list_of, slice_of};
use super::notes::{self, Fault};
use crate::session::Session;
use crate::session::error::{self, Error, fail};
use crate::session::functions::{
    Act, Callee, Code, Function, Instruction, Target, Work, operation,
};
use crate::session::limits::{LIST_NUMBERS, MOST_CALLS, STATEMENT_NODES};
use crate::session::naming::labels::label_items;
use crate::session::values::{CodeWord, List, Maker, Value};
use chainrule_engine::graph::structure::depends_on;
use chainrule_engine::graph::{Node, NodeId};
use chainrule_engine::ops::Op;
use chainrule_language::{self as language, ItemKind, Property, Span};
use chainrule_report::diagnostic::Diagnostic;
use chainrule_report::{Note, count_text};
use chainrule_stop as stop;

/// Up to this depth of nested calls a node is labelled by the call that produced it; deeper ones by their expressions.
const NAMED_DEPTH: usize = 8;

/// The most notes that a statement collects.
const MOST_NOTES: usize = 10;

/// The values of a line, perhaps words, and what is to be said of them.
pub(super) struct BuiltLine {
    pub(super) values: Vec<Value>,
    pub(super) notes: Vec<Note>,
    /// Whether a stale gradient was read (`a.grad` after data changed).
    pub(super) stale: bool,
}

/// A statement or a block that runs.
pub(crate) struct Machine<'s> {
    pub(crate) session: &'s mut Session,
    pub(super) text: &'s str,
    pub(super) code: &'s [Instruction<'s>],
    /// The statement, then the calls that run.
    pub(super) frames: Vec<Frame>,
    pub(super) stack: Vec<Value>,
    pub(super) fault: Option<Fault>,
    /// Whether a search for the fault below a derivative was made.
    pub(super) has_searched: bool,
    pub(crate) stale: bool,
    pub(crate) remarks: Vec<Note>,
    /// The numbers that decided what is built.
    pub(super) read: Vec<Guard>,
    /// How many of them had been read when a list of the session grew.
    pub(super) appended: usize,
    /// How many of the calls that run are those of functions with several lines.
    depth: usize,
    /// How many rounds of loops in blocks have begun, and how many nodes were alive before the statement.
    pub(super) rounds: usize,
    pub(super) living: usize,
    /// The newest node from before the expression that a block evaluates.
    pub(super) made: NodeId,
    /// Whether a text or a function may be on the stack, and the names of the block that stand for such.
    pub(super) has_words: bool,
    pub(super) words: FxHashMap<Rc<str>, Value>,
    /// Whether the host wants to know of each round of the outermost loop of a block, and what it is told.
    pub(crate) rounds_told: RoundsTold,
    pub(super) pause: Option<Pause>,
}

/// Whether the host is told of the rounds of the outermost loop of a block.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum RoundsTold {
    Never,
    /// Before each.
    Before,
    /// It was told of the one that begins now.
    Now,
}

/// Why a machine has stopped.
#[derive(Clone, Debug)]
pub(crate) enum Pause {
    /// A round of the outermost loop of a block comes next.
    Round {
        /// How many rounds of the loop are done, and of how many if that is known.
        done: usize,
        total: Option<usize>,
        /// Its list or its condition.
        head: Span,
        /// Where its text ends.
        end: u32,
    },
    /// The outermost loop has ended.
    LoopEnded,
    /// Everything is done.
    Ended,
}

/// What lines and blocks do outside of expressions.
pub(crate) trait Acts {
    /// Does it in a line that is at this place, in so many calls.
    fn act(
        &mut self,
        session: &mut Session,
        act: &Act,
        values: Vec<Value>,
        place: (Span, usize),
    ) -> Result<(), Error>;
}

/// The expression of a command computes a value and does nothing else.
pub(super) struct NoActs;

impl Acts for NoActs {
    fn act(
        &mut self,
        _: &mut Session,
        act: &Act,
        _: Vec<Value>,
        _: (Span, usize),
    ) -> Result<(), Error> {
        let does = match act {
            Act::Print(_) => "prints",
            Act::Backward(_) => "runs a pass",
            Act::Data(_) => "moves leaves",
            Act::Zero(_) => "sets gradients to 0",
            Act::Append(..) => "makes a list of the session longer",
        };
        let message = format!("a function that {does} is called in a statement");
        Err(Diagnostic::new(message).help("as in `y = f(2)`").into())
    }
}

/// A statement or a call that is running.
#[derive(Default)]
pub(super) struct Frame {
    /// What was called; none for the statement.
    pub(super) function: Option<Rc<Function>>,
    /// The place of the call in the text around it.
    call: Span,
    /// What the parameters and the function's other names stand for, then the variables of the loops that run.
    pub(super) variables: Vec<Option<Value>>,
    /// Set if the parameters are bound to placeholders: these, and the real arguments.
    stand_ins: Option<StandIns>,
    /// The frame of the function in which this one is defined.
    pub(super) around: usize,
    loops: Vec<Loop>,
    /// The loops of its block, in each other.
    pub(super) rounds: Vec<Rounds>,
    /// The literals in loops, by instruction.
    pub(super) literals: FxHashMap<usize, Value>,
    /// The next instruction.
    pub(super) at: usize,
    /// How many values the stack had at its beginning.
    height: usize,
    /// The newest node from before the call.
    made: NodeId,
}

/// A loop of a block that is running.
#[derive(Default)]
pub(super) struct Rounds {
    /// The list that it goes through.
    pub(super) list: Option<Rc<List>>,
    /// How many rounds have begun.
    pub(super) begun: usize,
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
    /// Builds the values of a line. If that fails, the nodes are dropped and their ids taken back.
    pub(super) fn run(
        &mut self,
        text: &str,
        code: &[Instruction],
        span: Span,
        acts: &mut dyn Acts,
    ) -> Result<BuiltLine, Error> {
        let made = self.graph.last_id();
        if (self.graph.numbers_left() as usize) < code.len() {
            return Err(error::no_numbers_left(span, made));
        }
        let built = match self.run_code(text, code, span, acts) {
            // What its functions have done goes back with the line.
            Err(error) if self.in_block() => return Err(error),
            built => built.inspect_err(|_| self.rewind(made))?,
        };
        // To bind, show and keep a long list takes time, too.
        stop::check_before(built.values.iter().map(|value| value.nodes().len()).sum());
        Ok(built)
    }

    fn run_code(
        &mut self,
        text: &str,
        code: &[Instruction],
        span: Span,
        acts: &mut dyn Acts,
    ) -> Result<BuiltLine, Error> {
        self.running.started = self.graph.last_id();
        self.guards.last = None;
        let mut machine = self.machine(text, code);
        let done = machine.run(acts);
        let value = machine.stack.pop();
        let value = machine.guard(value, span);
        machine.stack.extend(value);
        done?;
        machine.note_last_fault();
        Ok(BuiltLine {
            values: machine.stack,
            notes: machine.remarks,
            stale: machine.stale,
        })
    }

    /// The values of a line with all notes on them.
    pub(super) fn with_stale_note(&self, built: BuiltLine) -> Evaluated<Vec<Value>> {
        let mut notes = built.notes;
        notes.extend(built.stale.then(|| self.stale_note()).flatten());
        (built.values, notes)
    }

    /// A machine for the code of a text.
    pub(crate) fn machine<'s>(
        &'s mut self,
        text: &'s str,
        code: &'s [Instruction<'s>],
    ) -> Machine<'s> {
        let (made, living) = (self.graph.last_id(), self.graph.living().len_with_dropped());
        let statement = Frame {
            made,
            ..Frame::default()
        };
        Machine {
            session: self,
            text,
            code,
            frames: vec![statement],
            stack: Vec::new(),
            fault: None,
            has_searched: false,
            stale: false,
            remarks: Vec::new(),
            read: Vec::new(),
            appended: 0,
            depth: 0,
            rounds: 0,
            living,
            made,
            has_words: false,
            words: FxHashMap::default(),
            rounds_told: RoundsTold::Never,
            pause: None,
        }
    }
}

impl Machine<'_> {
    /// Runs until everything is done, or until the host is to know something.
    pub(crate) fn run(&mut self, acts: &mut dyn Acts) -> Result<Pause, Error> {
        let mut steps = 0_usize;
        while let Some(frame) = self.frames.last_mut() {
            steps += 1;
            stop::ask(steps);
            let function = frame.function.clone();
            let code = (function.as_ref()).map_or(self.code, |function| &function.code);
            let at = frame.at;
            let Some(Instruction { code, span }) = code.get(at) else {
                self.leave()?;
                continue;
            };
            frame.at += 1;
            // A formula points at the call.
            let span = match &function {
                Some(function) if function.lines.is_none() => frame.call,
                _ => *span,
            };
            if self.session.has_waiting_moves() && self.reads_older_nodes(code) {
                let note = self.session.follow_moves();
                self.add_notes(note);
            }
            let value = match self
                .has_words
                .then(|| self.words_instruction(code, (at, span)))
            {
                Some(Ok(None)) | None => self.instruction(code, at, span, acts),
                Some(done) => done,
            };
            let value = value.map_err(|error| self.error_in_calls(*error, span))?;
            self.stack.extend(value);
            let made = self.session.graph.last_id() - self.session.running.started;
            let most_of_calls = self.session.running.most_nodes_of_calls;
            if made > STATEMENT_NODES && self.has_too_many_nodes()
                || self.depth > 0 && most_of_calls.is_some_and(|most| made > most)
            {
                let error = error::too_many_nodes(span, "statement", STATEMENT_NODES);
                return Err(self.error_in_calls(*error, span));
            }
            if let Some(pause) = self.pause.take() {
                return Ok(pause);
            }
        }
        Ok(Pause::Ended)
    }

    /// Whether the statement holds more nodes than it may. What the rounds of a block have dropped does not count.
    fn has_too_many_nodes(&self) -> bool {
        let living = self.session.graph.living().len_with_dropped();
        self.rounds == 0 || living.saturating_sub(self.living) > STATEMENT_NODES as usize
    }

    /// The error of an instruction at its place in the statement, with the line of the function where it happened.
    fn error_in_calls(&self, error: Diagnostic, span: Span) -> Error {
        let mut error = error;
        if error.span.is_none() {
            error.span = Some(span.into());
        }
        let mut frames = self.frames.iter().rev();
        while let Some(frame) = frames.next()
            && let Some(function) = &frame.function
        {
            error = error::in_call(function, frame.call, error);
        }
        error.into()
    }

    /// Runs one instruction. The result is what it leaves on the stack.
    fn instruction(
        &mut self,
        code: &Code,
        at: usize,
        span: Span,
        acts: &mut dyn Acts,
    ) -> Result<Option<Value>, Error> {
        let frame = self.frames.last_mut().expect("it runs the instruction");
        Ok(Some(match code {
            // The rounds of a loop share the literals of its body.
            Code::Number(value, spelling) if !frame.loops.is_empty() => {
                let make = || self.session.graph.constant(*value, *spelling).into();
                frame.literals.entry(at).or_insert_with(make).clone()
            }
            Code::Number(value, spelling) => self.session.graph.constant(*value, *spelling).into(),
            Code::Get(target) => match self.value_of(target, span) {
                Err(_) if self.asks_for_none(at) => self.word(CodeWord::None),
                found => found?,
            },
            Code::Word(word) => self.word(word.clone()),
            Code::Value(value) => value.clone(),
            Code::Operator(operator, count) => {
                return self.operation(operation(operator), *count, at, span);
            }
            Code::List(count) => list_of(self.stack.split_off(self.stack.len() - count), span)?,
            Code::Index => {
                let (position, list) = (self.pop(), self.pop());
                self.note_read(std::slice::from_ref(&position), GuardKind::Position, span);
                item_of(&list, &position, &|| self.index_parts(at, span))?
            }
            Code::Slice => {
                let (end, begin, list) = (self.pop(), self.pop(), self.pop());
                self.note_read(&[begin.clone(), end.clone()], GuardKind::Position, span);
                slice_of(&list, [&begin, &end], &|| self.index_parts(at, span))?
            }
            Code::Range => {
                let (end, start) = (self.pop(), self.pop());
                self.note_read(&[end.clone(), start.clone()], GuardKind::Position, span);
                self.session.range(&start, &end, span)?
            }
            Code::Uncertain(per_cent) => {
                let (width, number) = (self.pop(), self.pop());
                self.session
                    .uncertain_leaf(&number, &width, *per_cent, span)?
            }
            Code::Variable => return Ok(None),
            Code::Each(first, variables, length) => {
                let Some(Value::List(list)) = self.stack.pop() else {
                    let help = "over the numbers up to n: `for k in 1..n`";
                    return Err(loop_over_number(span, help));
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
                    let items = frame.variables[item..].iter().flatten();
                    let items: Vec<Value> = items.cloned().collect();
                    running.holds = uses_all(first, &items, running.made);
                }
                frame.variables.truncate(item);
                if running.next < running.list.count() {
                    frame.next_round(span)?;
                    return Ok(None);
                }
                let items = self.stack.split_off(running.height);
                let ended = frame.loops.pop().expect("it has just ended");
                if frame.loops.is_empty() {
                    frame.literals.clear();
                }
                let over = ended.holds.then_some(Value::List(ended.list));
                let maker = Maker::Each(ended.variables);
                list_of(items, span)?.with_origin(maker, over.into_iter().collect())
            }
            Code::Call {
                function,
                primes,
                count,
                named,
            } => {
                let named = named.as_deref().unwrap_or_default();
                return self.call((function, *primes), (*count, named), (at, span));
            }
            Code::Property(property) => {
                let operand = self.pop();
                let is_primed = |it: &StandIns| it.primes > 0;
                let mut calls = self.frames.iter().filter_map(|it| it.stand_ins.as_ref());
                if *property == Property::Sigma && calls.any(is_primed) {
                    let message = "`.sigma` has no derivative: it is a constant";
                    let help = "call the function without primes, or differentiate by `grad(L, a)`";
                    return Err(fail(span, message, help));
                }
                let kind = match property {
                    Property::Sigma => GuardKind::Sigma,
                    Property::Data | Property::Grad => GuardKind::Data,
                };
                self.note_read(std::slice::from_ref(&operand), kind, span);
                let (value, old) = self.session.property(*property, &operand, span)?;
                self.stale |= old;
                value
            }
            code => return self.block_instruction(code, span, acts),
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
        if op.name == "modulo" {
            let operands = &self.stack[self.stack.len() - count..];
            let mut numbers = operands.iter().flat_map(Value::nodes).map(|it| it.data());
            if numbers.any(|it| it.is_finite() && it.abs() > MAX_WHOLE) {
                self.add_note(notes::remainder_note());
            }
        }
        let value = self
            .session
            .operation_on(op, &mut self.stack, count, span)?;
        if let Some(fault) = first_at_fault(value.nodes(), made) {
            let typed = self.typed_code().filter(|_| self.frames.len() == 1);
            let place = typed.map(|(text, code)| operands_span(text, code, at));
            self.note_fault(Some(fault), place);
        }
        Ok(Some(value))
    }

    fn call(
        &mut self,
        (function, primes): (&Target, u8),
        (count, named): (usize, &[Rc<str>]),
        (at, span): (usize, Span),
    ) -> Result<Option<Value>, Error> {
        let word = match function {
            // A formula calls what the session defines, so that it ends.
            Target::Name(_) if self.typed_code().is_none() => None,
            Target::Name(name) => self.words.get(&**name).cloned(),
            Target::Local(_) => Some(self.value_of(function, span)?),
        };
        let name = match (function, word.as_ref().map(Value::word)) {
            (Target::Name(name), None) => &**name,
            (_, Some(Some(CodeWord::Function(name, Some(own))))) => {
                let function = Rc::clone(&own.function).downcast::<Function>();
                let function = function.expect("code calls functions");
                if primes > 0 && function.parameters.len() != 1 {
                    let message = format!(
                        "a prime is for functions of one number, and `{name}` takes others"
                    );
                    let help = "its derivative by one of several: `grad(f(x, y), x)`";
                    return Err(fail(span, message, help));
                }
                self.call_own(function, primes, (count, named), (own.frame, span))?;
                return Ok(None);
            }
            (_, Some(Some(CodeWord::Function(name, None)))) => &**name,
            _ => {
                let name = self.typed_at(span);
                let message = format!("`{name}` is no function here, and so is not called");
                let help = "give the argument another name than the function";
                return Err(fail(span, message, help));
            }
        };
        let callee = self.session.callee((name, primes), count, span)?;
        if let Callee::Own(function, primes) = callee {
            self.call_own(function, primes, (count, named), (0, span))?;
            return Ok(None);
        }
        if self.has_words {
            self.check_operands(count, (at, span))?;
        }
        if !named.is_empty() {
            let message = format!("`{name}` is built in, and its arguments have no names");
            return Err(fail(span, message, "give the values in their order"));
        }
        if let Callee::Built(op) = callee {
            let has_list = |stack: &[Value]| stack.iter().any(|value| value.node().is_none());
            let first = self.stack.len() - count;
            if count > 1 && name == "sum" && has_list(&self.stack[first..]) {
                let operands = self.stack.split_off(first);
                return self.session.sum_from_start(&operands, span).map(Some);
            }
            return self.operation(op, count, at, span);
        }
        let mut arguments = self.stack.split_off(self.stack.len() - count);
        let made = self.session.graph.last_id();
        let value = match callee {
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
                    Work::Draw(_) => self.note_read(&arguments, GuardKind::Data, span),
                    Work::Range | Work::Arange => {
                        self.note_read(&arguments, GuardKind::Position, span);
                    }
                    Work::Linspace => self.note_read(&arguments[2..], GuardKind::Position, span),
                    Work::Std => self.note_read(&arguments[1..], GuardKind::Data, span),
                    _ => {}
                }
                (self.session).library_function(function, &arguments, span)?
            }
            Callee::Logarithm => {
                let names = [("x", &arguments[0]), ("b", &arguments[1])];
                self.session.apply_text("ln(x)/ln(b)", &names, span)?
            }
            Callee::Built(_) | Callee::Own(..) => unreachable!("they have been applied"),
        };
        self.note_fault(first_at_fault(value.nodes(), made), None);
        Ok(Some(value))
    }

    /// Notes that the numbers of these values decide what is built. In a block, its own lines are run once, as typed; only
    /// the functions that they call may be meant to follow their leaves.
    pub(super) fn note_read(&mut self, values: &[Value], kind: GuardKind, span: Span) {
        let is_wanted = match kind {
            GuardKind::Data => false,
            _ => !self.session.in_block() || self.frames.len() > 1,
        };
        if !is_wanted && self.session.running.watched.leaves.is_empty() {
            return;
        }
        let nodes = values.iter().flat_map(Value::nodes);
        let varying: Vec<Rc<Node>> = nodes.filter(|node| node.varies()).cloned().collect();
        for node in varying {
            let is_known = |guard: &Guard| Rc::ptr_eq(&guard.node, &node) && guard.kind == kind;
            if self.read.last().is_some_and(is_known) {
                continue;
            }
            let function = self.frames.last().and_then(|frame| frame.function.clone());
            let typed: Rc<str> = match (kind, self.typed_code()) {
                (GuardKind::Condition, Some((text, _))) => span.of(text).into(),
                (GuardKind::Sigma, _) => {
                    let mut label = label_items(&self.session.names, &node);
                    label.push(ItemKind::Property(Property::Sigma).into());
                    language::infix(&label).into()
                }
                _ => self.session.label(&node).into(),
            };
            self.read.push(Guard {
                data: self.session.guarded_number(&node, kind),
                node,
                kind,
                typed,
                function: function.map(|it| Rc::clone(&it.name)),
            });
        }
    }

    /// `grad(L, a)`
    fn gradient(
        &mut self,
        arguments: &[Value],
        at: usize,
        span: Span,
    ) -> Result<Derivative, Error> {
        let [root, by] = [1, 0].map(|before_last| self.operand_span(at, before_last, span));
        let node = match &arguments[0] {
            Value::Node(node) => node,
            Value::List(list) => {
                let shape = list.shape();
                let message =
                    format!("`grad` takes the derivative of one number, and this is {shape}");
                let typed = self
                    .typed_code()
                    .map(|(text, _)| [root, by].map(|it| it.of(text)));
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
            self.add_note(notes::independence_note(&root, &by));
        }
        Ok(derived)
    }

    /// The value of a derivative. Notes the first node at fault, unless a search for one was made before.
    fn derivative_value(&mut self, (value, suspects): Derivative) -> Value {
        if !suspects.is_empty()
            && !self.has_searched
            && self.fault.is_none()
            && !self.has_stand_ins()
        {
            self.has_searched = true;
            self.note_fault(first_at_fault(&suspects, 0), None);
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

    /// Adds a note, once.
    pub(super) fn add_note(&mut self, note: Note) {
        let mut known = self.remarks.iter();
        if known.all(|known| known.message != note.message) && self.remarks.len() < MOST_NOTES {
            self.remarks.push(note);
        }
    }

    pub(super) fn add_notes(&mut self, notes: impl IntoIterator<Item = Note>) {
        for note in notes {
            self.add_note(note);
        }
    }

    /// Calls a function of the user's own with the last values of the stack, of which the call may have said more.
    /// `around` is the frame of the function in which it is defined.
    pub(super) fn call_own(
        &mut self,
        function: Rc<Function>,
        primes: u8,
        (count, named): (usize, &[Rc<str>]),
        (around, call): (usize, Span),
    ) -> Result<(), Error> {
        if function.lines.is_some() && self.depth >= MOST_CALLS {
            let name = &function.name;
            let message = format!(
                "more than {} calls would run at once, this one of `{name}`",
                count_text(MOST_CALLS)
            );
            let help = "calls are at most this deep; the rounds of a loop may be ten million";
            return Err(fail(call, message, help));
        }
        let values = self.stack.split_off(self.stack.len() - count);
        let mut slots = Self::bind_arguments(&function, values, named, call)?;
        let given: Vec<Value> = match function.parameters.len() {
            all if primes > 0 || function.differentiates => {
                let values = slots[..all].iter().flatten();
                values.filter(|it| it.word().is_none()).cloned().collect()
            }
            _ => Vec::new(),
        };
        let stand_ins = (self.session).stand_ins_for_call(&function, primes, &given, call)?;
        if let Some(stand_ins) = &stand_ins {
            let is_number = |slot: &&mut Option<Value>| {
                let value = slot.as_ref();
                value.is_some_and(|value| value.word().is_none())
            };
            let filled = slots.iter_mut().filter(is_number);
            for (slot, value) in filled.zip(&stand_ins.parameters) {
                *slot = Some(value.clone());
            }
        }
        let is_word = |value: &Value| value.word().is_some();
        let has_word = slots.iter().flatten().any(is_word);
        if function.lines.is_none() {
            (self.session).check_no_words(slots.iter().flatten(), call)?;
        }
        self.has_words |= has_word;
        self.depth += usize::from(function.lines.is_some());
        self.frames.push(Frame {
            function: Some(function),
            call,
            variables: slots,
            stand_ins,
            around,
            height: self.stack.len(),
            made: self.session.graph.last_id(),
            ..Frame::default()
        });
        Ok(())
    }

    /// Ends a call: differentiates its result if there are primes, and records the call as the node's label, `f(a)`.
    pub(super) fn leave(&mut self) -> Result<(), Error> {
        let frame = self.frames.pop().expect("it runs");
        let Some(function) = frame.function else {
            return Ok(());
        };
        self.depth -= usize::from(function.lines.is_some());
        let mut value = self.pop();
        self.stack.truncate(frame.height);
        let mut name = Rc::clone(&function.name);
        let arguments = frame.variables.into_iter().flatten();
        let mut arguments: Vec<Value> = arguments.take(function.parameters.len()).collect();
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
            && function.lines.is_none()
            && self.frames.len() <= NAMED_DEPTH
            && node.id() > frame.made
            && (!derives || uses_all(&value, &arguments, frame.made))
        {
            let names = self.session.names_mut();
            names.remember_call(node, &name, Some(&function), &arguments);
        }
        self.stack.push(value);
        Ok(())
    }

    /// The text and the code of what runs; none for a formula, of which only the call is typed.
    pub(super) fn typed_code(&self) -> Option<(&str, &[Instruction<'_>])> {
        match self.frames.last()?.function.as_deref() {
            None => Some((self.text, self.code)),
            Some(function) => Some((function.lines.as_deref()?, &function.code)),
        }
    }

    /// What was typed for the list of an index, and its positions; in a function's body, the call.
    fn index_parts(&self, at: usize, call: Span) -> (&str, Span) {
        self.typed_code()
            .map_or(("", call), |(text, code)| index_parts(text, code, at))
    }

    /// What was typed for an operand of the instruction at `at`, the last or one so many places before; in a formula, the
    /// call.
    pub(super) fn operand_span(&self, at: usize, before_last: usize, call: Span) -> Span {
        let typed = self.typed_code();
        typed.map_or(call, |(text, code)| {
            operand_span(text, code, at, before_last)
        })
    }

    pub(super) fn pop(&mut self) -> Value {
        self.stack
            .pop()
            .expect("operands come before what takes them")
    }
}

/// What an item of a list gives to the names after a `for`.
pub(super) fn split_item(item: Value, count: usize, span: Span) -> Result<Vec<Value>, Error> {
    match item {
        item if count == 1 => Ok(vec![item]),
        Value::List(list) if list.count() == count => Ok(list.items().collect()),
        item => {
            let message = format!("`for` has {count} names, and an item is {}", item.shape());
            let help = "one name takes the whole item; `zip(a, b)` makes pairs";
            Err(fail(span, message, help))
        }
    }
}

/// The error for a loop over a number.
pub(super) fn loop_over_number(span: Span, help: impl Into<String>) -> Error {
    fail(span, "`for` goes over a list, and this is a number", help)
}

impl Frame {
    /// The lists that its names stand for, or that its loops go over.
    pub(super) fn lists(&self) -> impl Iterator<Item = &Rc<List>> {
        let variables = self.variables.iter().flatten();
        let named = variables.filter_map(Value::list);
        let rounds = self.rounds.iter().filter_map(|rounds| rounds.list.as_ref());
        // `enumerate(xs)` and `zip(xs, ys)` go through their lists.
        let origins = rounds.clone().filter_map(|list| list.origin());
        let behind = origins.flat_map(|origin| origin.operands.iter().filter_map(Value::list));
        let each = self.loops.iter().map(|it| &it.list);
        named.chain(rounds).chain(behind).chain(each)
    }

    /// Sets the variables of the innermost loop to its next item, and goes to the beginning of its body.
    fn next_round(&mut self, span: Span) -> Result<(), Error> {
        let running = self.loops.last_mut().expect("a loop runs");
        let item = running.list.item(running.next);
        let item = item.expect("the rounds end with the items");
        running.next += 1;
        self.at = running.start;
        if running.variables.len() == 1 {
            self.variables.push(Some(item));
            return Ok(());
        }
        let values = split_item(item, running.variables.len(), span)?;
        self.variables.extend(values.into_iter().map(Some));
        Ok(())
    }
}

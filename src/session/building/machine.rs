//! Runs the code of statements, blocks and the user's functions, and so builds nodes.
//!
//! The running calls are an explicit stack of frames, so that a chain of a hundred thousand functions does not recurse.
//! The machine limits the number of nodes. `compile` and `compile_block` make the code, `block_instructions` runs the
//! instructions that only blocks have, and `derivative` handles primes.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::Evaluated;
use super::derivative::{Derivative, StandIns, first_at_fault, uses_all};
use super::formula::primed_name;
use super::guards::{Guard, GuardKind};
use super::lists::{MAX_WHOLE, item_of, list_of, slice_of};
use super::notes::{self, Fault};
use super::postfix::{index_parts, operand_span, operands_span};
use crate::session::Session;
use crate::session::error::{self, Error, fail};
use crate::session::functions::{
    Act, Callee, Code, Function, Instruction, LibraryFunction, Target, Work, operation,
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

/// Up to this depth of nested calls a node is labelled by the call that produced it: `f(g(x))`. Deeper nodes are
/// labelled by their expressions.
const NAMED_DEPTH: usize = 8;

/// The most notes that a statement collects.
const MOST_NOTES: usize = 10;

/// The values of a line and the notes about them. The values may be words.
pub(super) struct BuiltLine {
    pub(super) values: Vec<Value>,
    pub(super) notes: Vec<Note>,
    /// Whether a stale gradient was read (`a.grad` after data changed).
    pub(super) has_read_stale: bool,
}

/// The place of an instruction in the code and in the text.
#[derive(Clone, Copy)]
pub(super) struct Site {
    pub(super) at: usize,
    pub(super) span: Span,
}

/// The arguments of a call: the last `count` values of the stack. The last of these arguments have the names `names`.
#[derive(Clone, Copy)]
pub(super) struct ArgumentList<'c> {
    count: usize,
    names: &'c [Rc<str>],
}

/// A statement or a block that runs. The first fields are the machine itself; the others record what the statement has
/// done so far, for notes, limits and guards.
pub(crate) struct Machine<'s> {
    pub(crate) session: &'s mut Session,
    pub(super) text: &'s str,
    pub(super) code: &'s [Instruction<'s>],
    /// The statement, then the running calls, the innermost last.
    pub(super) frames: Vec<Frame>,
    pub(super) stack: Vec<Value>,
    /// Whether a word may be on the stack or in a slot. Without words, instructions need no check of their operands.
    pub(super) has_words: bool,
    /// The names of the block that stand for words.
    pub(super) words: FxHashMap<Rc<str>, Value>,
    /// Whether the machine pauses before rounds.
    pub(crate) round_pauses: RoundPauses,
    /// The pause that the last instruction asks for.
    pub(super) pause: Option<Pause>,
    /// The first fault of the statement.
    pub(super) fault: Option<Fault>,
    /// Whether the first fault below a derivative was searched for.
    pub(super) has_searched: bool,
    /// Whether a stale gradient was read.
    pub(crate) has_read_stale: bool,
    pub(crate) remarks: Vec<Note>,
    /// The numbers that have decided what is built, such as conditions and indices.
    pub(super) read: Vec<Guard>,
    /// The number of guards in `read` when a list of the session last grew.
    pub(super) appended: usize,
    /// The number of running functions of several lines.
    depth: usize,
    /// The number of rounds of loops in blocks so far.
    pub(super) rounds: usize,
    /// The number of living nodes before the statement.
    pub(super) living: usize,
    /// The newest node before the expression that runs.
    pub(super) newest_before: NodeId,
}

/// Whether the machine pauses before the rounds of the outermost loop of a block.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum RoundPauses {
    Never,
    /// The machine pauses before the next round.
    Before,
    /// The machine has paused, and the next round begins without a pause.
    Over,
}

/// Why a machine has stopped.
#[derive(Clone, Debug)]
pub(crate) enum Pause {
    /// A round of the outermost loop of a block comes next.
    Round(NextRound),
    /// The outermost loop has ended.
    LoopEnded,
    /// Everything is done.
    Ended,
}

/// A round of a loop that comes next.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NextRound {
    /// The number of rounds that are done.
    pub(crate) done: usize,
    /// The number of all rounds, if it is known.
    pub(crate) total: Option<usize>,
    /// The span of the list or the condition of the loop.
    pub(crate) head: Span,
    /// The end of the loop in the text.
    pub(crate) end: u32,
}

/// Performs the acts of lines and blocks, such as `print`. `interpret/block` implements it.
pub(crate) trait Acts {
    /// Performs an act of the line at `place`. `calls` is the number of running calls.
    fn act(
        &mut self,
        session: &mut Session,
        act: &Act,
        values: Vec<Value>,
        place: Span,
        calls: usize,
    ) -> Result<(), Error>;
}

/// Refuses all acts: the expression of a command only computes a value.
pub(super) struct NoActs;

impl Acts for NoActs {
    fn act(
        &mut self,
        _: &mut Session,
        act: &Act,
        _: Vec<Value>,
        _: Span,
        _: usize,
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
    /// The called function; `None` for the statement.
    pub(super) function: Option<Rc<Function>>,
    /// The place of the call in the text around it.
    call: Span,
    /// The slots: the values of the parameters and of the function's other names, then of the variables of the running
    /// `for` loops in expressions.
    pub(super) variables: Vec<Option<Value>>,
    /// The placeholders and the real arguments, if the call differentiates.
    stand_ins: Option<StandIns>,
    /// The frame of the function in which the called function is defined.
    pub(super) around: usize,
    /// The running `for` loops in expressions, the innermost last.
    loops: Vec<Loop>,
    /// The running loops of blocks, the innermost last.
    pub(super) rounds: Vec<Rounds>,
    /// The nodes of literals in loops, by instruction: the rounds share them.
    pub(super) literals: FxHashMap<usize, Value>,
    /// The next instruction.
    pub(super) at: usize,
    /// The height of the stack before the call.
    height: usize,
    /// The newest node before the call.
    newest_before: NodeId,
}

/// A loop of a block that is running.
#[derive(Default)]
pub(super) struct Rounds {
    /// The list of a `for`; `None` for a `while`.
    pub(super) list: Option<Rc<List>>,
    /// The number of rounds that have begun.
    pub(super) begun: usize,
}

/// A `for` in an expression that is running.
struct Loop {
    list: Rc<List>,
    /// The index of the next item.
    next: usize,
    /// The loop variables. Their values are the last ones in the frame.
    variables: Rc<[Rc<str>]>,
    /// The newest node before the loop.
    newest_before: NodeId,
    /// Whether the value of the first round uses the first item.
    has_item: bool,
    /// The first instruction of the body.
    start: usize,
    /// The height of the stack before the loop. The results of its rounds are above.
    height: usize,
    /// The number of all numbers in the results so far.
    numbers: usize,
}

impl Session {
    /// Builds the values of a line. After an error, drops the new nodes and frees their ids.
    pub(super) fn run(
        &mut self,
        text: &str,
        code: &[Instruction],
        span: Span,
        acts: &mut dyn Acts,
    ) -> Result<BuiltLine, Error> {
        let newest_before = self.graph.last_id();
        if (self.graph.ids_left() as usize) < code.len() {
            return Err(error::no_numbers_left(span, newest_before));
        }
        let built = match self.run_code(text, code, span, acts) {
            // A block undoes the line itself, together with the acts of the functions that the line called.
            Err(error) if self.in_block() => return Err(error),
            built => built.inspect_err(|_| self.rewind(newest_before))?,
        };
        // It also takes time to bind, show and keep a long list.
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
        let last = machine.stack.pop();
        // After an error, too: the numbers that were read may belong to watched leaves.
        let guarded = machine.guard(last, span);
        machine.stack.extend(guarded);
        done?;
        machine.note_last_fault();
        Ok(BuiltLine {
            values: machine.stack,
            notes: machine.remarks,
            has_read_stale: machine.has_read_stale,
        })
    }

    /// The values of a line with all notes on them, including the note on stale gradients.
    pub(super) fn with_stale_note(&self, built: BuiltLine) -> Evaluated<Vec<Value>> {
        let mut notes = built.notes;
        if built.has_read_stale {
            notes.extend(self.stale_note());
        }
        (built.values, notes)
    }

    /// A machine for the code of a text.
    pub(crate) fn machine<'s>(
        &'s mut self,
        text: &'s str,
        code: &'s [Instruction<'s>],
    ) -> Machine<'s> {
        let (newest_before, living) =
            (self.graph.last_id(), self.graph.living().len_with_dropped());
        let statement = Frame {
            newest_before,
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
            has_read_stale: false,
            remarks: Vec::new(),
            read: Vec::new(),
            appended: 0,
            depth: 0,
            rounds: 0,
            living,
            newest_before,
            has_words: false,
            words: FxHashMap::default(),
            round_pauses: RoundPauses::Never,
            pause: None,
        }
    }
}

impl Machine<'_> {
    /// Runs until everything is done, or until a pause.
    pub(crate) fn run(&mut self, acts: &mut dyn Acts) -> Result<Pause, Error> {
        let mut steps = 0_usize;
        while let Some(frame) = self.frames.last_mut() {
            steps += 1;
            stop::ask(steps);
            let function = frame.function.clone();
            let code = (function.as_ref()).map_or(self.code, |function| &function.code);
            let at = frame.at;
            let Some(instruction) = code.get(at) else {
                self.leave()?;
                continue;
            };
            frame.at += 1;
            // An error in a formula points at the call, because only the call was typed in this statement.
            let span = match &function {
                Some(formula) if formula.lines.is_none() => frame.call,
                _ => instruction.span,
            };
            let done = self.step(&instruction.code, Site { at, span }, acts);
            let value = done.map_err(|error| self.error_in_calls(*error, span))?;
            self.stack.extend(value);
            self.check_node_count(span)?;
            if let Some(pause) = self.pause.take() {
                return Ok(pause);
            }
        }
        Ok(Pause::Ended)
    }

    /// Runs one instruction. Returns the value that it leaves on the stack.
    fn step(
        &mut self,
        code: &Code,
        site: Site,
        acts: &mut dyn Acts,
    ) -> Result<Option<Value>, Error> {
        if self.session.has_waiting_moves() && self.reads_older_nodes(code) {
            let note = self.session.follow_moves();
            self.add_notes(note);
        }
        if self.has_words
            && let Some(value) = self.words_instruction(code, site)?
        {
            return Ok(Some(value));
        }
        self.instruction(code, site, acts)
    }

    /// Refuses more nodes than a statement may make. While a statement is only tried, its calls have a smaller limit.
    fn check_node_count(&self, span: Span) -> Result<(), Error> {
        let new_nodes = self.session.graph.last_id() - self.session.running.started;
        let most_of_calls = self.session.running.most_nodes_of_calls;
        let are_calls_too_large =
            self.depth > 0 && most_of_calls.is_some_and(|most| new_nodes > most);
        if !are_calls_too_large && (new_nodes <= STATEMENT_NODES || !self.has_too_many_nodes()) {
            return Ok(());
        }
        let error = error::too_many_nodes(span, "statement", STATEMENT_NODES);
        Err(self.error_in_calls(*error, span))
    }

    /// Whether the statement holds more nodes than it may. Nodes that the rounds of a block have dropped do not count.
    fn has_too_many_nodes(&self) -> bool {
        let living = self.session.graph.living().len_with_dropped();
        self.rounds == 0 || living.saturating_sub(self.living) > STATEMENT_NODES as usize
    }

    /// Completes the error of an instruction with its place, and with the running calls around it.
    fn error_in_calls(&self, mut error: Diagnostic, span: Span) -> Error {
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

    /// Runs an instruction on values that are numbers or lists. Returns the value that it leaves on the stack.
    fn instruction(
        &mut self,
        code: &Code,
        site: Site,
        acts: &mut dyn Acts,
    ) -> Result<Option<Value>, Error> {
        let span = site.span;
        let frame = self.frames.last_mut().expect("it runs the instruction");
        Ok(Some(match code {
            // The rounds of a loop share the literals of its body.
            Code::Number(value, spelling) if !frame.loops.is_empty() => {
                let make = || self.session.graph.constant(*value, *spelling).into();
                frame.literals.entry(site.at).or_insert_with(make).clone()
            }
            Code::Number(value, spelling) => self.session.graph.constant(*value, *spelling).into(),
            Code::Get(target) => match self.value_of(target, span) {
                Err(_) if self.asks_for_none(site.at) => self.word(CodeWord::None),
                found => found?,
            },
            Code::Word(word) => self.word(word.clone()),
            Code::Value(value) => value.clone(),
            Code::Operator(operator, count) => {
                return self.operation(operation(operator), *count, site);
            }
            Code::List(count) => list_of(self.stack.split_off(self.stack.len() - count), span)?,
            Code::Index => {
                let (position, list) = (self.pop(), self.pop());
                self.note_read(std::slice::from_ref(&position), GuardKind::Position, span);
                item_of(&list, &position, &|| self.index_parts(site))?
            }
            Code::Slice => {
                let (end, begin, list) = (self.pop(), self.pop(), self.pop());
                self.note_read(&[begin.clone(), end.clone()], GuardKind::Position, span);
                slice_of(&list, [&begin, &end], &|| self.index_parts(site))?
            }
            Code::Range => {
                let (end, start) = (self.pop(), self.pop());
                self.note_read(&[end.clone(), start.clone()], GuardKind::Position, span);
                self.session.range(&start, &end, span)?
            }
            Code::Uncertain(is_per_cent) => {
                let (width, number) = (self.pop(), self.pop());
                self.session
                    .uncertain_leaf(&number, &width, *is_per_cent, span)?
            }
            Code::Variable => return Ok(None),
            Code::Each(first, variables, length) => {
                debug_assert_eq!(frame.variables.len(), *first, "loops end in order");
                return self.begin_loop(variables, *length, span);
            }
            Code::Collect => return self.end_round(span),
            Code::Call {
                function,
                primes,
                count,
                named,
            } => {
                let names = named.as_deref().unwrap_or_default();
                let arguments = ArgumentList {
                    count: *count,
                    names,
                };
                return self.call((function, *primes), arguments, site);
            }
            Code::Property(property) => self.property(*property, span)?,
            code => return self.block_instruction(code, span, acts),
        }))
    }

    /// Begins a `for` in an expression over the list on the stack. The body has `length` instructions. For an empty
    /// list, skips the body and returns the empty list.
    fn begin_loop(
        &mut self,
        variables: &Rc<[Rc<str>]>,
        length: usize,
        span: Span,
    ) -> Result<Option<Value>, Error> {
        let Some(Value::List(list)) = self.stack.pop() else {
            let help = "over the numbers up to n: `for k in 1..n`";
            return Err(loop_over_number(span, help));
        };
        let frame = self.frames.last_mut().expect("it runs the instruction");
        if list.count() == 0 {
            frame.at += length;
            return list_of(Vec::new(), span).map(Some);
        }
        frame.loops.push(Loop {
            list,
            next: 0,
            variables: Rc::clone(variables),
            newest_before: self.session.graph.last_id(),
            has_item: false,
            start: frame.at,
            height: self.stack.len(),
            numbers: 0,
        });
        frame.next_round(span)?;
        Ok(None)
    }

    /// Ends a round of a `for`, and begins the next one. After the last round, returns the list of all values.
    fn end_round(&mut self, span: Span) -> Result<Option<Value>, Error> {
        let frame = self.frames.last_mut().expect("it runs the instruction");
        let running = frame.loops.last_mut().expect("`Collect` ends a loop");
        running.numbers += self.stack.last().map_or(0, |value| value.shape().size());
        if running.numbers > LIST_NUMBERS {
            return Err(error::list_too_long(span));
        }
        let outer_variables = frame.variables.len() - running.variables.len();
        if let (1, [first]) = (running.next, &self.stack[running.height..]) {
            let variables = frame.variables[outer_variables..].iter().flatten();
            let item: Vec<Value> = variables.cloned().collect();
            running.has_item = uses_all(first, &item, running.newest_before);
        }
        frame.variables.truncate(outer_variables);
        if running.next < running.list.count() {
            frame.next_round(span)?;
            return Ok(None);
        }
        let items = self.stack.split_off(running.height);
        let ended = frame.loops.pop().expect("it has just ended");
        if frame.loops.is_empty() {
            frame.literals.clear();
        }
        let over = ended.has_item.then_some(Value::List(ended.list));
        let maker = Maker::Each(ended.variables);
        let list = list_of(items, span)?;
        Ok(Some(list.with_origin(maker, over.into_iter().collect())))
    }

    /// `.data`, `.grad` or `.sigma` of the last value of the stack.
    fn property(&mut self, property: Property, span: Span) -> Result<Value, Error> {
        let operand = self.pop();
        let is_primed = |it: &StandIns| it.primes > 0;
        let mut stand_ins = self.frames.iter().filter_map(|it| it.stand_ins.as_ref());
        if property == Property::Sigma && stand_ins.any(is_primed) {
            let message = "`.sigma` has no derivative: it is a constant";
            let help = "call the function without primes, or differentiate by `grad(L, a)`";
            return Err(fail(span, message, help));
        }
        let kind = match property {
            Property::Sigma => GuardKind::Sigma,
            Property::Data | Property::Grad => GuardKind::Data,
        };
        self.note_read(std::slice::from_ref(&operand), kind, span);
        let (value, is_stale) = self.session.property(property, &operand, span)?;
        self.has_read_stale |= is_stale;
        Ok(value)
    }

    /// Applies an operation to the last values of the stack.
    fn operation(
        &mut self,
        op: &'static Op,
        count: usize,
        site: Site,
    ) -> Result<Option<Value>, Error> {
        let newest_before = self.session.graph.last_id();
        if op.name == "modulo" {
            let operands = &self.stack[self.stack.len() - count..];
            let mut numbers = operands.iter().flat_map(Value::nodes).map(|it| it.data());
            if numbers.any(|it| it.is_finite() && it.abs() > MAX_WHOLE) {
                self.add_note(notes::remainder_note());
            }
        }
        let value = self
            .session
            .operation_on(op, &mut self.stack, count, site.span)?;
        if let Some(fault) = first_at_fault(value.nodes(), newest_before) {
            let typed = self.typed_code().filter(|_| self.frames.len() == 1);
            let place = typed.map(|(text, code)| operands_span(text, code, site.at));
            self.note_fault(Some(fault), place);
        }
        Ok(Some(value))
    }

    /// Calls a function of a block, one of the session, or a built-in one.
    fn call(
        &mut self,
        (function, primes): (&Target, u8),
        arguments: ArgumentList,
        site: Site,
    ) -> Result<Option<Value>, Error> {
        let span = site.span;
        let value = match function {
            // A formula calls only functions of the session, so that it ends.
            Target::Name(_) if self.typed_code().is_none() => None,
            Target::Name(name) => self.words.get(&**name).cloned(),
            Target::Local(_) => Some(self.value_of(function, span)?),
        };
        let name = match (function, value.as_ref().map(Value::word)) {
            (Target::Name(name), None) => &**name,
            // A built-in function that was passed as an argument.
            (_, Some(Some(CodeWord::Function(name, None)))) => &**name,
            (_, Some(Some(CodeWord::Function(name, Some(own))))) => {
                let called = Rc::clone(&own.function).downcast::<Function>();
                let called = called.expect("code calls functions");
                if primes > 0 && called.parameters.len() != 1 {
                    return Err(several_parameters_error(name, span));
                }
                self.call_own(called, primes, arguments, own.frame, span)?;
                return Ok(None);
            }
            (_, Some(Some(CodeWord::Text(_) | CodeWord::None) | None))
            | (Target::Local(_), None) => {
                let typed = self.typed_at(span);
                let message = format!("`{typed}` is no function here, and so is not called");
                let help = "give the argument another name than the function";
                return Err(fail(span, message, help));
            }
        };
        match self.session.callee((name, primes), arguments.count, span)? {
            Callee::Own(own) => {
                self.call_own(own, primes, arguments, 0, span)?;
                Ok(None)
            }
            built_in => {
                let result = self.call_built_in(name, &built_in, arguments, site)?;
                Ok(Some(result))
            }
        }
    }

    /// Calls a built-in function.
    fn call_built_in(
        &mut self,
        name: &str,
        callee: &Callee,
        ArgumentList { count, names }: ArgumentList,
        site: Site,
    ) -> Result<Value, Error> {
        let span = site.span;
        if self.has_words {
            self.check_operands(count, site)?;
        }
        if !names.is_empty() {
            let message = format!("`{name}` is built in, and its arguments have no names");
            return Err(fail(span, message, "give the values in their order"));
        }
        let first = self.stack.len() - count;
        if let Callee::Built(op) = callee {
            // `sum(xs, start)`, as in Python. With numbers alone, `sum(a, b)` adds all of them.
            let is_list = |value: &Value| value.node().is_none();
            if count > 1 && name == "sum" && self.stack[first..].iter().any(is_list) {
                let operands = self.stack.split_off(first);
                return self.session.sum_from_start(&operands, span);
            }
            let value = self.operation(op, count, site)?;
            return Ok(value.expect("an operation has a value"));
        }
        let mut arguments = self.stack.split_off(first);
        let newest_before = self.session.graph.last_id();
        let value = match callee {
            Callee::Derived(op, primes) => {
                let argument = arguments.remove(0);
                let derived = (self.session).built_in_derivative(op, *primes, argument, span)?;
                self.derivative_value(derived)
            }
            Callee::Library(function) if matches!(function.work, Work::Grad) => {
                let derived = self.gradient(&arguments, site)?;
                self.derivative_value(derived)
            }
            Callee::Library(function) => self.call_library(function, &arguments, span)?,
            Callee::Logarithm => {
                let operands = [("x", &arguments[0]), ("b", &arguments[1])];
                self.session.apply_text("ln(x)/ln(b)", &operands, span)?
            }
            Callee::Built(_) | Callee::Own(..) => unreachable!("they have been called"),
        };
        self.note_fault(first_at_fault(value.nodes(), newest_before), None);
        Ok(value)
    }

    /// Calls a function of the library. Notes the arguments whose numbers decide what the function builds.
    fn call_library(
        &mut self,
        function: &LibraryFunction,
        arguments: &[Value],
        span: Span,
    ) -> Result<Value, Error> {
        match function.work {
            Work::Draw(_) => self.note_read(arguments, GuardKind::Data, span),
            Work::Range | Work::Arange => self.note_read(arguments, GuardKind::Position, span),
            Work::Linspace => self.note_read(&arguments[2..], GuardKind::Position, span),
            Work::Std => self.note_read(&arguments[1..], GuardKind::Data, span),
            _ => {}
        }
        self.session.library_function(function, arguments, span)
    }

    /// Notes that the numbers of these values decide what is built. The lines of a block itself run once, as typed, and
    /// need no guards. A function that such a line calls may be meant to follow its leaves.
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
            // A loop reads the same number again and again.
            let is_same = |guard: &Guard| Rc::ptr_eq(&guard.node, &node) && guard.kind == kind;
            if self.read.last().is_some_and(is_same) {
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

    /// The derivative `grad(L, a)`, with a note if `L` does not depend on `a`.
    fn gradient(&mut self, arguments: &[Value], site: Site) -> Result<Derivative, Error> {
        let root = match &arguments[0] {
            Value::Node(node) => node,
            Value::List(list) => return Err(self.gradient_of_list_error(list, site)),
        };
        let by_span = self.operand_span(site, 0);
        let derived = self.session.gradient(root, &arguments[1], by_span)?;
        let frame = self.frames.last().expect("it runs the instruction");
        if let (Value::Node(by), Value::Node(derivative)) = (&arguments[1], &derived.0)
            && frame.loops.is_empty()
            && !derivative.varies()
            && derivative.data() == 0.0
            && !depends_on(root, by)
        {
            let labels = [root, by].map(|node| self.session.label(node));
            self.add_note(notes::independence_note(&labels[0], &labels[1]));
        }
        Ok(derived)
    }

    /// The error of `grad([y, z], a)`.
    fn gradient_of_list_error(&self, list: &List, site: Site) -> Error {
        let [root, by] = [1, 0].map(|before_last| self.operand_span(site, before_last));
        let shape = list.shape();
        let message = format!("`grad` takes the derivative of one number, and this is {shape}");
        let typed = self.typed_code();
        let operands = typed.map(|(text, _)| [root, by].map(|it| it.of(text)));
        let [y, x] = operands.unwrap_or(["y", "x"]);
        let help = format!(
            "of each item: `[grad(g, {x}) for g in {y}]`; of their sum: `grad(sum({y}), {x})`"
        );
        fail(root, message, help)
    }

    /// The value of a derivative. Searches its suspects for the first node at fault, unless this statement has done so.
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

    /// Notes the first node at fault. Ignores nodes that were built on placeholders, because the result will not have
    /// them.
    fn note_fault(&mut self, node: Option<Rc<Node>>, place: Option<Span>) {
        if let Some(node) = node
            && self.fault.is_none()
            && !self.has_stand_ins()
        {
            self.fault = Some(Fault { node, place });
        }
    }

    /// Adds a note, unless it has been added before or there are too many.
    pub(super) fn add_note(&mut self, note: Note) {
        let is_known = self.remarks.iter().any(|it| it.message == note.message);
        if !is_known && self.remarks.len() < MOST_NOTES {
            self.remarks.push(note);
        }
    }

    pub(super) fn add_notes(&mut self, notes: impl IntoIterator<Item = Note>) {
        for note in notes {
            self.add_note(note);
        }
    }

    /// Begins a call of a function of the user's own. `around` is the frame of the function in which it is defined.
    pub(super) fn call_own(
        &mut self,
        function: Rc<Function>,
        primes: u8,
        arguments: ArgumentList,
        around: usize,
        call: Span,
    ) -> Result<(), Error> {
        let has_lines = function.lines.is_some();
        if has_lines && self.depth >= MOST_CALLS {
            let name = &function.name;
            let most = count_text(MOST_CALLS);
            let message = format!("more than {most} calls would run at once, this one of `{name}`");
            let help = "calls are at most this deep; the rounds of a loop may be ten million";
            return Err(fail(call, message, help));
        }
        let values = self.stack.split_off(self.stack.len() - arguments.count);
        let mut slots = Self::bind_arguments(&function, values, arguments.names, call)?;
        let stand_ins = self.stand_ins_for(&function, primes, &mut slots, call)?;
        if has_lines {
            let is_word = |value: &Value| value.word().is_some();
            self.has_words |= slots.iter().flatten().any(is_word);
        } else {
            (self.session).check_no_words(slots.iter().flatten(), call)?;
        }
        self.depth += usize::from(has_lines);
        self.frames.push(Frame {
            function: Some(function),
            call,
            variables: slots,
            stand_ins,
            around,
            height: self.stack.len(),
            newest_before: self.session.graph.last_id(),
            ..Frame::default()
        });
        Ok(())
    }

    /// Makes the placeholders of a call that differentiates, and puts them in place of the arguments in `slots`.
    fn stand_ins_for(
        &mut self,
        function: &Function,
        primes: u8,
        slots: &mut [Option<Value>],
        call: Span,
    ) -> Result<Option<StandIns>, Error> {
        let is_number = |value: &Value| value.word().is_none();
        let mut numbers: Vec<Value> = Vec::new();
        if primes > 0 || function.has_grad {
            let parameters = slots[..function.parameters.len()].iter().flatten();
            numbers.extend(parameters.filter(|it| is_number(it)).cloned());
        }
        let stand_ins = (self.session).stand_ins_for_call(function, primes, &numbers, call)?;
        if let Some(stand_ins) = &stand_ins {
            let filled = slots.iter_mut().flatten().filter(|it| is_number(it));
            for (value, placeholder) in filled.zip(&stand_ins.parameters) {
                value.clone_from(placeholder);
            }
        }
        Ok(stand_ins)
    }

    /// Ends a call or the statement. Differentiates the result of a call with primes, and records the call as the label
    /// of the result, `f(a)`.
    pub(super) fn leave(&mut self) -> Result<(), Error> {
        let frame = self.frames.pop().expect("it runs");
        let Some(function) = frame.function else {
            return Ok(());
        };
        self.depth -= usize::from(function.lines.is_some());
        let mut value = self.pop();
        self.stack.truncate(frame.height);
        let mut name = Rc::clone(&function.name);
        let variables = frame.variables.into_iter().flatten();
        let mut arguments: Vec<Value> = variables.take(function.parameters.len()).collect();
        let is_derivative = function.has_grad || frame.stand_ins.is_some();
        if let Some(stand_ins) = frame.stand_ins {
            let derived = self
                .session
                .differentiate_body(value, &stand_ins, frame.call)?;
            value = self.derivative_value(derived);
            name = primed_name(&name, stand_ins.primes);
            arguments = stand_ins.arguments;
        }
        // A derivative may not hold its arguments, which then may be dropped and cannot be in its label.
        if let Value::Node(node) = &value
            && function.lines.is_none()
            && self.frames.len() <= NAMED_DEPTH
            && node.id() > frame.newest_before
            && (!is_derivative || uses_all(&value, &arguments, frame.newest_before))
        {
            let names = self.session.names_mut();
            names.remember_call(node, &name, Some(&function), &arguments);
        }
        self.stack.push(value);
        Ok(())
    }

    /// The text and the code of the statement or the function that runs. `None` for a formula: only its call was typed.
    pub(super) fn typed_code(&self) -> Option<(&str, &[Instruction<'_>])> {
        match self.frames.last()?.function.as_deref() {
            None => Some((self.text, self.code)),
            Some(function) => Some((function.lines.as_deref()?, &function.code)),
        }
    }

    /// The text of the list of an index, and the place of its positions; in a formula, the place of the call.
    fn index_parts(&self, Site { at, span }: Site) -> (&str, Span) {
        let typed = self.typed_code();
        typed.map_or(("", span), |(text, code)| index_parts(text, code, at))
    }

    /// The span of the last operand of an instruction, or of the one `before_last` operands before; in a formula, the
    /// span of the call.
    pub(super) fn operand_span(&self, Site { at, span }: Site, before_last: usize) -> Span {
        match self.typed_code() {
            Some((text, code)) => operand_span(text, code, at, before_last),
            None => span,
        }
    }

    /// Removes the last value of the stack, which an instruction uses as its operand.
    pub(super) fn pop(&mut self) -> Value {
        let top = self.stack.pop();
        top.expect("the operands of an instruction are on the stack")
    }
}

/// The values that an item of a list gives to the `count` names after a `for`.
pub(super) fn split_item(item: Value, count: usize, span: Span) -> Result<Vec<Value>, Error> {
    if count == 1 {
        return Ok(vec![item]);
    }
    if let Some(list) = item.list().filter(|list| list.count() == count) {
        return Ok(list.items().collect());
    }
    let message = format!("`for` has {count} names, and an item is {}", item.shape());
    let help = "one name takes the whole item; `zip(a, b)` makes pairs";
    Err(fail(span, message, help))
}

/// The error of `f'(1, 2)` for a function of several numbers.
fn several_parameters_error(name: &str, span: Span) -> Error {
    let message = format!("a prime is for functions of one number, and `{name}` takes others");
    let help = "its derivative by one of several: `grad(f(x, y), x)`";
    fail(span, message, help)
}

/// The error for a loop over a number.
pub(super) fn loop_over_number(span: Span, help: impl Into<String>) -> Error {
    fail(span, "`for` goes over a list, and this is a number", help)
}

impl Frame {
    /// The lists of the names and of the loops of this call.
    pub(super) fn lists(&self) -> impl Iterator<Item = &Rc<List>> {
        let variables = self.variables.iter().flatten();
        let named = variables.filter_map(Value::list);
        let looped = self.rounds.iter().filter_map(|rounds| rounds.list.as_ref());
        // `enumerate(xs)` and `zip(xs, ys)` go through their lists.
        let origins = looped.clone().filter_map(|list| list.origin());
        let operands = origins.flat_map(|origin| origin.operands.iter().filter_map(Value::list));
        let in_expressions = self.loops.iter().map(|it| &it.list);
        named.chain(looped).chain(operands).chain(in_expressions)
    }

    /// Sets the variables of the innermost loop to its next item, and goes to the beginning of its body.
    fn next_round(&mut self, span: Span) -> Result<(), Error> {
        let running = self.loops.last_mut().expect("a loop runs");
        let item = running
            .list
            .item(running.next)
            .expect("the rounds end with the items");
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

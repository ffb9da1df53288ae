//! Runs the code of statements, blocks and the user's functions, and so builds nodes.
//!
//! The running calls are an explicit stack of frames, so that a chain of a hundred thousand functions does not recurse.
//! The machine limits the number of nodes. `compile` makes the code. `calls`, `loops`, `words` and
//! `block_instructions` run some of the instructions, and `reads` notes the numbers that decide what is built.
//!
//! An error of an instruction needs no place: the machine adds that of the instruction, and the running calls.

use std::collections::BTreeMap;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::frames::{CallForm, Choice, Frame, Site, in_call, wrong_inputs};
use super::passing_names::PassingNames;
use crate::derive::first_at_fault;
use crate::environment::Environment;
use crate::error::{self, Error, fail_here};
use crate::faults::Fault;
use crate::functions::{Act, AnyValue, Code, Instruction};
use crate::guards::{Guard, GuardKind, LineConditions};
use crate::limits::{Limits, MAX_WHOLE};
use crate::lists::{item_of, list_of, slice_of};
use crate::notes::{BEYOND_WHOLE, add_new};
use crate::postfix::{index_parts, operand_span, operands_span};
use crate::program::Program;
use crate::values::Value;
use chainrule_engine::graph::{Node, NodeId, Spelling};
use chainrule_engine::ops::Op;
use chainrule_language::{Printing, Property, Span};
use chainrule_report::diagnostic::Diagnostic;
use chainrule_report::{Note, say};
use chainrule_stop as stop;

/// Runs a statement or a block until the session has to do something.
pub(super) struct Machine<'m, 't> {
    pub(super) session: &'m mut dyn Environment,
    pub(super) state: &'m mut MachineState<'t>,
}

/// The state of a statement or a block that runs.
pub struct MachineState<'t> {
    pub(super) text: &'t str,
    pub(super) code: &'t [Instruction],
    /// The statement, then the running calls, the innermost last.
    pub(super) frames: Vec<Frame>,
    pub(super) stack: Vec<AnyValue>,
    /// The running choices of which both branches are wanted, the innermost last.
    pub(super) choices: Vec<Choice>,
    /// The number of branches that are tried, one inside the other.
    pub(super) trials: usize,
    /// The number of instructions that have run.
    steps: usize,
    /// The place of the instruction that runs.
    pub(super) site: Site,
    /// The names of the block that stand for no numbers.
    pub(super) words: FxHashMap<Rc<str>, AnyValue>,
    /// The values of names that the session does not know yet.
    pub(super) names: PassingNames,
    /// What the session has to do before the next instruction.
    pub(super) event: Option<Event>,
    /// The newest node before the running round of the outermost loop.
    newest_before_round: NodeId,
    pub(super) record: Record,
}

/// What a statement has done so far, for notes, guards and limits.
#[derive(Default)]
pub struct Record {
    /// The notes.
    pub notes: Vec<Note>,
    /// Whether a stale gradient was read (`a.grad` after data changed).
    pub has_read_stale: bool,
    /// The first node that is NaN or infinite.
    pub(super) fault: Option<Fault>,
    /// The numbers that have decided what is built, such as conditions and indices.
    pub(super) read: Vec<Guard>,
    /// The conditions of each `if` and `while` of a block, by instruction.
    pub(super) line_conditions: BTreeMap<usize, LineConditions>,
    /// The number of guards in `read` when a list of the session last grew.
    pub(super) read_before_append: usize,
    /// The newest node before the expression that runs.
    pub(super) newest_before: NodeId,
    /// The number of living nodes before the statement.
    living_before: usize,
    /// The number of running functions of several lines.
    pub(super) depth: usize,
    /// The number of rounds of loops in blocks.
    pub(super) rounds: usize,
}

/// What the session has to do before the machine goes on.
#[derive(Debug)]
pub enum Event {
    /// A `print`, with its values.
    Print(Rc<Printing>, Vec<AnyValue>),
    /// Another act, with its values.
    Act(Rc<Act>, Vec<Value>),
    /// A round of the outermost loop of a block begins.
    Round(NextRound),
    /// The outermost loop has ended.
    LoopEnded,
}

/// A round of a loop that begins.
#[derive(Clone, Copy, Debug)]
pub struct NextRound {
    /// The number of rounds that are done.
    pub done: usize,
    /// The number of all rounds; `None` for a `while`.
    pub total: Option<usize>,
    /// The span of the list of a `for`, or of the whole head of a `while`.
    pub head: Span,
    /// The end of the loop in the text.
    pub end: u32,
}

/// The place of an act.
#[derive(Clone, Copy, Debug)]
pub struct ActPlace {
    /// The line or the part of it that acts.
    pub span: Span,
    /// The number of running calls.
    pub calls: usize,
}

/// What running a line has made.
pub struct BuiltLine {
    /// The values of the line.
    pub values: Vec<AnyValue>,
    /// What the line has done.
    pub record: Record,
}

impl Record {
    /// Whether the value that is bound next needs neither guards nor a note.
    pub(super) fn has_nothing_to_add(&self) -> bool {
        self.read.is_empty() && self.fault.is_none()
    }
}

impl<'t> MachineState<'t> {
    /// The state before the first instruction.
    pub fn new(program: &Program, text: &'t str, code: &'t [Instruction]) -> MachineState<'t> {
        let newest_before = program.graph.last_id();
        let record = Record {
            newest_before,
            living_before: program.graph.living().len_with_dropped(),
            ..Record::default()
        };
        let statement = Frame {
            newest_before,
            ..Frame::default()
        };
        MachineState {
            text,
            code,
            frames: vec![statement],
            stack: Vec::new(),
            choices: Vec::new(),
            trials: 0,
            steps: 0,
            site: Site::default(),
            words: FxHashMap::default(),
            names: PassingNames::default(),
            event: None,
            newest_before_round: newest_before,
            record,
        }
    }

    /// Runs the code until the session has to do something. `None` means that everything is done.
    pub fn run(&mut self, session: &mut dyn Environment) -> Result<Option<Event>, Error> {
        let state = self;
        let mut machine = Machine { session, state };
        let ran = machine.run();
        machine.give_names();
        ran
    }

    /// The place of the act that the session has to do.
    pub fn act_place(&self) -> ActPlace {
        ActPlace {
            span: self.site.span,
            calls: self.frames.len() - 1,
        }
    }

    /// Goes on after an act.
    pub fn end_act(&mut self, session: &dyn Environment) {
        // A node that the act refers to keeps its number.
        self.record.newest_before = session.program().graph.last_id();
    }

    /// Goes on after an act that has moved a leaf.
    pub fn end_move(&mut self) {
        // `a.data -= 0.1*a.grad`, leaf after leaf, is meant to use the gradients of one pass.
        self.record.has_read_stale = false;
    }

    /// Goes on into a round of the outermost loop. [`MachineState::drop_round`] goes back here.
    pub fn enter_round(&mut self, session: &dyn Environment) {
        self.newest_before_round = session.program().graph.last_id();
        stop::ask_now();
    }

    /// Ends a line, which was typed at `span`, and gives its last value its guards.
    pub fn end_line(mut self, session: &mut dyn Environment, span: Span) -> BuiltLine {
        let state = &mut self;
        let mut machine = Machine { session, state };
        let last = match machine.pop() {
            AnyValue::Numbers(value) => machine.guard(value, span).into(),
            other => other,
        };
        machine.note_last_fault();
        self.stack.push(last);
        // It also takes time to bind, show and keep a long list.
        stop::check_before(self.stack.iter().map(|value| value.nodes().len()).sum());
        BuiltLine {
            values: self.stack,
            record: self.record,
        }
    }

    /// Ends a block, and gives the names that it has bound their guards.
    pub fn end_block(mut self, session: &mut dyn Environment) -> Record {
        let state = &mut self;
        let mut machine = Machine { session, state };
        machine.note_last_fault();
        machine.guard_names();
        self.record
    }

    /// Ends code that has failed. The numbers that it has read may belong to watched leaves.
    pub fn end_failed(self, session: &mut dyn Environment) {
        session.program_mut().watched.note(&self.record.read);
    }

    /// Drops the nodes of the running round, so that their ids can be given again.
    pub fn drop_round(&mut self) {
        self.frames.clear();
        self.stack.clear();
        self.choices.clear();
        self.words.clear();
        self.names.clear();
        self.record.read.clear();
        self.record.fault = None;
        for conditions in self.record.line_conditions.values_mut() {
            let newest = self.newest_before_round;
            conditions.last.retain(|guard| guard.node.id() <= newest);
        }
    }

    /// Completes the error of an instruction with its place, and with the running calls around it.
    pub fn error_in_calls(&self, session: &dyn Environment, mut error: Diagnostic) -> Error {
        if error.span.is_none() {
            error.span = Some(self.site.span.into());
        }
        let mut frames = self.frames.iter().rev();
        while let Some(frame) = frames.next()
            && let Some(function) = &frame.function
        {
            error = wrong_inputs(session, frame)
                .unwrap_or_else(|| in_call(function, frame.call_span, error));
        }
        error.into()
    }
}

impl Machine<'_, '_> {
    /// Runs until the session has to do something. `None` means that everything is done.
    fn run(&mut self) -> Result<Option<Event>, Error> {
        while !self.state.frames.is_empty() {
            self.state.steps += 1;
            stop::ask(self.state.steps);
            self.run_instruction()?;
            if let Some(event) = self.state.event.take() {
                return Ok(Some(event));
            }
        }
        Ok(None)
    }

    /// Runs the next instruction of the innermost call, or ends this call.
    #[inline]
    pub(super) fn run_instruction(&mut self) -> Result<(), Error> {
        let frame = self.state.frames.last_mut().expect("it runs");
        let function = frame.function.clone();
        let all = (function.as_ref()).map_or(self.state.code, |function| &function.code);
        let at = frame.at;
        let Some(instruction) = all.get(at) else {
            return self.leave();
        };
        frame.at += 1;
        // An error in a formula points at the call, because only the call was typed in this statement.
        let span = match &function {
            Some(formula) if formula.lines.is_none() => frame.call_span,
            _ => instruction.span,
        };
        self.state.site = Site { at, span };
        let code = &instruction.code;
        let needs_update = !code.needs_no_update();
        if needs_update {
            self.bring_up_to_date(code);
        }
        self.instruction(code)
            .map_err(|error| self.state.error_in_calls(self.session, *error))?;
        if needs_update {
            self.check_node_count()?;
        }
        Ok(())
    }

    /// Brings up to date what an instruction reads: the numbers of older nodes, and the names that the session knows.
    #[inline]
    fn bring_up_to_date(&mut self, code: &Code) {
        if self.session.program().has_waiting_moves() && self.reads_older_nodes(code) {
            self.give_names();
            let note = self.session.follow_moves();
            self.add_notes(note);
        }
        if !self.state.names.is_empty() && self.reads_names(code) {
            self.give_names();
        }
    }

    /// How large the statement may get.
    #[inline]
    pub(super) fn limits(&self) -> &Limits {
        &self.session.program().limits
    }

    /// Refuses more nodes than a statement may make. While a statement is only tried, its calls have a smaller limit.
    #[inline]
    fn check_node_count(&self) -> Result<(), Error> {
        let program = self.session.program();
        let new_nodes = program.graph.last_id() - program.started;
        let most_of_calls = program.most_nodes_of_calls;
        let are_calls_too_large =
            self.state.record.depth > 0 && most_of_calls.is_some_and(|most| new_nodes > most);
        // Nodes that the rounds of a block have dropped do not count.
        let most_nodes = program.limits.nodes;
        let most_living = self.state.record.living_before + most_nodes as usize;
        let living = || program.graph.living().len_with_dropped();
        let holds_too_many = || self.state.record.rounds == 0 || living() > most_living;
        if are_calls_too_large || new_nodes > most_nodes && holds_too_many() {
            let error = error::too_many_nodes("statement", most_nodes);
            return Err(self.state.error_in_calls(self.session, *error));
        }
        Ok(())
    }

    /// Runs an instruction.
    fn instruction(&mut self, code: &Code) -> Result<(), Error> {
        let Site { at, span } = self.state.site;
        let frame = self.state.frames.last_mut();
        let frame = frame.expect("it runs the instruction");
        let value = match code {
            Code::Number(value, spelling) => self.literal(at, *value, *spelling),
            Code::Get(target) => {
                let value = match self.value_of(target) {
                    Err(_) if self.asks_for_none() => AnyValue::None,
                    found => found?,
                };
                self.state.stack.push(value);
                return Ok(());
            }
            Code::Value(value) => {
                self.state.stack.push(value.clone());
                return Ok(());
            }
            Code::Operator(op, count) => self.operation(op, *count)?,
            Code::List(count) => {
                let items = self.pop_values(*count)?;
                list_of(items, self.limits())?
            }
            Code::Index => {
                let position = self.pop_value(0)?;
                let list = self.pop_value(1)?;
                self.note_read(std::slice::from_ref(&position), GuardKind::Position);
                item_of(&list, &position, self.limits(), &|| self.index_parts())?
            }
            Code::Slice(count) => {
                let operands = self.pop_values(*count)?;
                self.note_read(&operands[1..], GuardKind::Position);
                slice_of(&operands[0], &operands[1..], self.limits(), &|| {
                    self.index_parts()
                })?
            }
            Code::Range => {
                let end = self.pop_value(0)?;
                let start = self.pop_value(1)?;
                self.note_read(&[end.clone(), start.clone()], GuardKind::Position);
                self.session.program_mut().range(&start, &end)?
            }
            Code::Uncertain(is_per_cent) => {
                let width = self.pop_value(0)?;
                let number = self.pop_value(1)?;
                (self.session).uncertain_leaf(&number, &width, *is_per_cent, span)?
            }
            Code::Each(first, variables, length) => {
                debug_assert_eq!(frame.slots.len(), *first, "loops end in order");
                return self.begin_expression_loop(variables, *length);
            }
            Code::Collect => return self.end_expression_round(),
            Code::Unknown { letter, numbers } => return self.begin_equation(letter, *numbers),
            Code::Solve => self.end_equation()?,
            Code::Call {
                function,
                primes,
                count,
                named,
                spread,
            } => {
                let count = match spread {
                    Some(places) => self.spread_arguments(*count, places)?,
                    None => *count,
                };
                let call = CallForm {
                    primes: *primes,
                    count,
                    names: named.as_deref().unwrap_or_default(),
                };
                return self.call(function, call);
            }
            Code::Property(property) => self.property(*property)?,
            code => return self.block_instruction(code),
        };
        self.state.stack.push(value.into());
        Ok(())
    }

    /// The node of a literal. The rounds of a `for` in an expression share the literals of its body.
    pub(super) fn literal(&mut self, at: usize, number: f64, spelling: Spelling) -> Value {
        let frame = self.state.frames.last_mut();
        let frame = frame.expect("it runs the instruction");
        let graph = &mut self.session.program_mut().graph;
        let mut make = || graph.constant(number, spelling).into();
        if frame.expression_loops.is_empty() {
            make()
        } else {
            frame.literals.entry(at).or_insert_with(make).clone()
        }
    }

    /// `.data`, `.grad` or `.sigma` of the last value of the stack.
    fn property(&mut self, property: Property) -> Result<Value, Error> {
        let operand = self.pop_value(0)?;
        let is_primed = |frame: &Frame| (frame.stand_ins.as_ref()).is_some_and(|it| it.primes > 0);
        if property == Property::Sigma && self.state.frames.iter().any(is_primed) {
            let message = "`.sigma` has no derivative: it is a constant";
            let help = "call the function without primes, or differentiate by `grad(L, a)`";
            return Err(fail_here(message, help));
        }
        let kind = match property {
            Property::Sigma => GuardKind::Sigma,
            Property::Data | Property::Grad => GuardKind::Data,
        };
        self.note_read(std::slice::from_ref(&operand), kind);
        let span = self.state.site.span;
        let (value, is_stale) = self.session.property(property, &operand, span)?;
        self.state.record.has_read_stale |= is_stale;
        if let (Property::Data, Value::Node(node)) = (property, &operand) {
            self.session.note_moved_root(node);
        }
        Ok(value)
    }

    /// Applies an operation to the last values of the stack.
    pub(super) fn operation(&mut self, op: &'static Op, count: usize) -> Result<Value, Error> {
        let newest_before = self.session.program().graph.last_id();
        if let Some(truth) = self.compare_others(op) {
            return Ok(truth);
        }
        let first = self.state.stack.len() - count;
        if op.name == "modulo" {
            self.note_rounded_remainder(first);
        }
        let value = if let [
            AnyValue::Numbers(Value::Node(x)),
            AnyValue::Numbers(Value::Node(y)),
        ] = &self.state.stack[first..]
        {
            let (left, right) = (Rc::clone(x), Rc::clone(y));
            self.state.stack.truncate(first);
            (self.session.program_mut().graph.apply_2(op, left, right)).into()
        } else {
            let operands = self.pop_values(count)?;
            self.session.program_mut().operation(op, operands)?
        };
        if let Some(fault) = first_at_fault(value.nodes(), newest_before) {
            let typed = self.typed_code().filter(|_| self.state.frames.len() == 1);
            let place = typed.map(|(text, code)| operands_span(text, code, self.state.site.at));
            self.note_fault(Some(fault), place);
        }
        Ok(value)
    }

    /// Notes that an operand of a remainder, one of the values of the stack from `first` on, is too large to be whole.
    fn note_rounded_remainder(&mut self, first: usize) {
        let operands = self.state.stack[first..].iter();
        let mut numbers = operands.flat_map(AnyValue::nodes).map(|it| it.data());
        if numbers.any(|it| it.is_finite() && it.abs() > MAX_WHOLE) {
            let message = say!(
                "{}, and a remainder is that of the rounded one",
                BEYOND_WHOLE
            );
            self.add_note(Note::new(message));
        }
    }

    /// Whether nodes are built on placeholders, because a call that differentiates or an equation is running.
    pub(super) fn has_stand_ins(&self) -> bool {
        let mut frames = self.state.frames.iter();
        self.has_equation() || frames.any(|frame| frame.stand_ins.is_some())
    }

    /// Whether the sides of an equation are being built.
    pub(super) fn has_equation(&self) -> bool {
        let mut frames = self.state.frames.iter();
        frames.any(|frame| !frame.equations.is_empty())
    }

    /// Notes the first node at fault. Ignores nodes that were built on placeholders, because the result will not have
    /// them.
    pub(super) fn note_fault(&mut self, node: Option<Rc<Node>>, place: Option<Span>) {
        if let Some(node) = node
            && self.state.record.fault.is_none()
            && !self.has_stand_ins()
        {
            self.state.record.fault = Some(Fault { node, place });
        }
    }

    /// Adds a note, unless it has been added before or there are too many.
    pub(super) fn add_note(&mut self, note: Note) {
        add_new(&mut self.state.record.notes, note);
    }

    pub(super) fn add_notes(&mut self, notes: impl IntoIterator<Item = Note>) {
        for note in notes {
            self.add_note(note);
        }
    }

    /// The text and the code of the statement or the function that runs. `None` for a formula: only its call was typed.
    pub(super) fn typed_code(&self) -> Option<(&str, &[Instruction])> {
        match self.state.frames.last()?.function.as_deref() {
            None => Some((self.state.text, self.state.code)),
            Some(function) => Some((function.lines.as_deref()?, &function.code)),
        }
    }

    /// The text of the list of an index, and the place of its positions; in a formula, the place of the call.
    fn index_parts(&self) -> (&str, Span) {
        let Site { at, span } = self.state.site;
        let typed = self.typed_code();
        typed.map_or(("", span), |(text, code)| index_parts(text, code, at))
    }

    /// The span of the last operand of an instruction, or of the one `before_last` operands before; in a formula, the
    /// span of the call.
    pub(super) fn operand_span(&self, before_last: usize) -> Span {
        let Site { at, span } = self.state.site;
        let typed = self.typed_code();
        typed.map_or(span, |(text, code)| {
            operand_span(text, code, at, before_last)
        })
    }

    /// Removes the last value of the stack, which an instruction uses as its operand.
    pub(super) fn pop(&mut self) -> AnyValue {
        let top = self.state.stack.pop();
        top.expect("the operands of an instruction are on the stack")
    }
}

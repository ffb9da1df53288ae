//! Blocks: loops and choices over statements, written as in Python and run as one statement.
//!
//! `read` divides the text into steps, and this file runs them on the session. Each line is translated once, however
//! often it runs. Everything that a block prints is one answer. Ctrl-C keeps the finished rounds of the outermost loop.

mod call;
mod read;

use std::rc::Rc;

use rustc_hash::FxHashMap;

use self::call::Procedure;
pub(super) use self::call::{find_call as call_of, is_definition};
use self::read::{BlockCode, BlockStep, Repetition};
use super::{StatementRun, python};
use crate::commands::Reply;
use crate::commands::goals::leaf_search::leaf_count;
use crate::interpret::answers;
use crate::session::values::{List, Value};
use crate::session::{BlockEnd, Session, Setting, Widths};
use chainrule_language::{self as language, Lecture, PrintPiece, Span, Statement, StatementSpan};
use chainrule_report::diagnostic::Diagnostic;
use chainrule_report::{Block, Fact, Line, Note, Report, plural, say};
use chainrule_stop as stop;

/// The most leaves that the note on summed gradients names.
const FEW_LEAVES: usize = 4;

/// The most notes of a block. Equal ones are kept once.
const MOST_NOTES: usize = 10;

/// What comes after a step.
#[derive(Clone, Copy, PartialEq)]
enum AfterStep {
    GoesOn,
    /// Ctrl-C.
    Stopped,
    /// `return`.
    Returned,
}

/// A block that runs.
struct BlockRun<'r> {
    session: &'r mut Session,
    /// Its lines are read as Python.
    is_python: bool,
    printed: Vec<(Block, Fact)>,
    notes: Vec<Note>,
    /// How many rounds of outermost loops have run, the root's value in each, and its value in the present round.
    rounds: usize,
    values: Vec<f64>,
    value: Option<f64>,
    /// Whether a loop or a function runs already. A loop inside it is not the outermost one, so Ctrl-C does not keep
    /// its rounds.
    is_inner: bool,
    /// The functions that were called, and how many of them run.
    procedures: FxHashMap<String, Rc<Procedure>>,
    depth: usize,
    /// What the last function has returned.
    returned: Option<Value>,
    zeroes: bool,
    /// The list of the last update of leaves, as it was typed.
    updated: Option<String>,
    /// The last pass, as typed.
    passed: Option<String>,
    /// A part of the block's text, and the text that a saved session has instead.
    instead: Option<(std::ops::Range<usize>, String)>,
}

impl StatementRun<'_, '_> {
    /// Runs a block; the places of errors are in its text.
    pub(super) fn run_block(&mut self) -> Result<Reply, Diagnostic> {
        let text = self.statement();
        let steps = read::read_steps(self.session, text, 0, false)?;
        let is_python = python::is_python(self.session, text);
        let mut run = BlockRun::new(self.session, is_python);
        let flow = run.run_steps(&steps)?;
        Ok(stop::run_to_end(|| run.end(self.cut, flow)))
    }
}

impl<'r> BlockRun<'r> {
    fn new(session: &'r mut Session, is_python: bool) -> BlockRun<'r> {
        session.begin_block();
        BlockRun {
            session,
            is_python,
            printed: Vec::new(),
            notes: Vec::new(),
            rounds: 0,
            values: Vec::new(),
            value: None,
            is_inner: false,
            procedures: FxHashMap::default(),
            depth: 0,
            returned: None,
            zeroes: false,
            updated: None,
            passed: None,
            instead: None,
        }
    }

    fn end(mut self, cut: &StatementSpan, flow: AfterStep) -> Reply {
        if let Some((place, instead)) = self.instead.take() {
            let start = cut.span.start as usize;
            let place = Span::new(start + place.start, start + place.end);
            self.session.keep_part(place, instead);
        }
        let end = self.session.end_block();
        if let Some(end) = &end {
            self.notes.extend(self.sum_note(end));
            self.notes.extend(end.note.clone());
        }
        let moved = end.map_or(0, |end| end.moved.len());
        Reply {
            report: (!cut.silenced).then(|| self.report(moved)),
            notes: self.notes,
            interrupted: flow == AfterStep::Stopped,
            ..Reply::default()
        }
    }

    /// The note that gradients have added up from round to round.
    fn sum_note(&self, end: &BlockEnd) -> Option<Note> {
        let first = self.session.label(end.summed.first()?);
        let nodes = end.summed.iter().take(FEW_LEAVES);
        let leaves: Vec<String> = nodes.map(|node| self.session.label(node)).collect();
        let line = match (&self.updated, leaves.as_slice()) {
            (Some(over), _) => format!("for p in {over}: p.grad = 0"),
            (None, [leaf]) => format!("{leaf}.grad = 0"),
            (None, leaves) => format!("for p in [{}]: p.grad = 0", leaves.join(", ")),
        };
        let pass = self.passed.as_deref().unwrap_or("L.backward()");
        Some(Note::new(say!(
            "gradients add up from round to round: `{:name}` is the sum of several passes; `{:typed}` before `{:typed}` zeroes them",
            format!("{first}.grad"),
            line,
            pass
        )))
    }

    /// What the block has printed, or else what it has done.
    fn report(&mut self, moved: usize) -> Report {
        let (blocks, printed): (Vec<Block>, Vec<Fact>) = self.printed.drain(..).unzip();
        let rounds = self.rounds.to_string();
        let root = self.session.pass().map(|pass| Rc::clone(pass.root()));
        let root = root.map_or(String::new(), |root| self.session.label(&root));
        let line = match self.values.as_slice() {
            [first, .., last] => {
                say!("{:name}: {} → {} in {} rounds", root, *first, *last, rounds)
            }
            [only] => say!("{:name}: {} in one round", root, *only),
            [] if moved > 0 => say!("moved: {}", leaf_count(moved)),
            [] if self.zeroes => say!("gradients forgotten"),
            [] if self.rounds > 0 => say!("done: {}", plural(self.rounds, "round")),
            [] => say!("done"),
        };
        let facts = vec![
            ("rounds", self.rounds.into()),
            ("values", self.values.iter().copied().collect()),
            ("moved", moved.into()),
            ("printed", Fact::List(printed)),
        ];
        if blocks.is_empty() {
            return Report::confirming("block", facts, line);
        }
        Report::new("block", facts, blocks)
    }

    fn run_steps(&mut self, steps: &[BlockStep]) -> Result<AfterStep, Diagnostic> {
        for step in steps {
            let flow = match step {
                BlockStep::Line(line) => self.run_line(line).map(|()| AfterStep::GoesOn),
                BlockStep::Zero(node) => self.zero_grads(node.as_ref()).map(|()| AfterStep::GoesOn),
                BlockStep::For(repeated) => self.run_loop(repeated),
                BlockStep::If(arms) => self.run_choice(arms),
                BlockStep::Return(value) => self
                    .keep_returned(value.as_ref())
                    .map(|()| AfterStep::Returned),
            }?;
            if flow != AfterStep::GoesOn {
                return Ok(flow);
            }
        }
        Ok(AfterStep::GoesOn)
    }

    fn run_choice(
        &mut self,
        arms: &[(Option<BlockCode>, Vec<BlockStep>)],
    ) -> Result<AfterStep, Diagnostic> {
        for (condition, steps) in arms {
            let holds = match condition {
                None => true,
                Some(code) if let Some(holds) = is_missing(self.session, &code.text) => holds,
                Some(code) => match self.evaluate(code)? {
                    Value::Node(node) => node.data() != 0.0,
                    list @ Value::List(_) => {
                        let message =
                            format!("a condition is a number, and this is {}", list.shape());
                        let help = "as in `if k % 10 == 0:`";
                        return Err(Diagnostic::new(message).at(code.place.clone()).help(help));
                    }
                },
            };
            if holds {
                return self.run_steps(steps);
            }
        }
        Ok(AfterStep::GoesOn)
    }

    fn run_loop(&mut self, repeated: &Repetition) -> Result<AfterStep, Diagnostic> {
        let over = &repeated.over;
        let Value::List(list) = self.evaluate(over)? else {
            let message = "`for` goes over a list, and this is a number";
            let (names, count) = (repeated.names.join(", "), &over.text);
            let help = format!("over as many numbers: `for {names} in range({count}):`");
            return Err(Diagnostic::new(message).at(over.place.clone()).help(help));
        };
        if let Some(update) = &repeated.update
            && self.update_leaves(&list, update, over)?
        {
            return Ok(AfterStep::GoesOn);
        }
        let is_outer = !std::mem::replace(&mut self.is_inner, true);
        let host = self.session.host();
        let total = list.count() as u64;
        for (item, done) in list.items().zip(0_u64..) {
            if !is_outer {
                stop::ask_now();
                let flow = self.run_round(repeated, item)?;
                self.session.end_inner_round();
                if flow != AfterStep::GoesOn {
                    return Ok(flow);
                }
                continue;
            }
            let before = self.session.begin_round();
            let lengths = (self.printed.len(), self.notes.len());
            let stop = Rc::clone(&host);
            let work = || {
                stop::ask_now();
                self.run_round(repeated, item)
            };
            match stop::run_until_stopped(move || stop.stop(), work) {
                Ok(Ok(_)) => {}
                Ok(Err(error)) if !error.interrupted => return Err(error),
                _ if done == 0 => return Err(Diagnostic::of_interrupt()),
                _ => {
                    self.session.go_back(before);
                    self.printed.truncate(lengths.0);
                    self.notes.truncate(lengths.1);
                    let own = over.own.get().map_or("", String::as_str);
                    self.instead = Some((over.place.clone(), format!("({own})[:{done}]")));
                    host.end_progress();
                    return Ok(AfterStep::Stopped);
                }
            }
            self.session.end_round();
            self.rounds += 1;
            if let Some(value) = self.value.take() {
                self.values.push(value);
                host.progress(done + 1, total, value);
            }
        }
        if is_outer {
            host.end_progress();
            self.is_inner = false;
        }
        Ok(AfterStep::GoesOn)
    }

    /// Runs a loop's body with an item.
    fn run_round(&mut self, repeated: &Repetition, item: Value) -> Result<AfterStep, Diagnostic> {
        let at_head = |error: Diagnostic| error.at(repeated.over.place.clone());
        let values = match (repeated.names.len(), item) {
            (1, item) => vec![item],
            (count, Value::List(list)) if list.count() == count => list.items().collect(),
            (count, item) => {
                let message = format!("`for` has {count} names, and an item is {}", item.shape());
                let help = "one name takes the whole item; `zip(a, b)` makes pairs";
                return Err(at_head(Diagnostic::new(message).help(help)));
            }
        };
        for (name, value) in repeated.names.iter().zip(values) {
            self.session.bind_item(name, value, true);
        }
        self.run_steps(&repeated.body)
    }

    /// Moves and zeroes all leaves of a list at once. Returns false, and does nothing, if the list has a leaf twice or
    /// other nodes than leaves: then the order of the changes matters.
    fn update_leaves(
        &mut self,
        list: &List,
        update: &[Option<BlockCode>],
        over: &BlockCode,
    ) -> Result<bool, Diagnostic> {
        let leaves = list.nodes();
        let mut seen = std::collections::HashSet::new();
        if !leaves
            .iter()
            .all(|leaf| leaf.is_leaf() && seen.insert(leaf.id()))
        {
            return Ok(false);
        }
        for line in update {
            let Some(line) = line else {
                self.session.zero_grads(Some(leaves));
                self.zeroes = true;
                continue;
            };
            let moved = self.evaluate(line)?;
            let pairs = leaves.iter().zip(moved.nodes());
            let settings: Vec<Setting> = pairs
                .map(|(leaf, moved)| Setting {
                    leaf: Rc::clone(leaf),
                    data: moved.data(),
                })
                .collect();
            let note = self.session.set(&settings, Widths::new(), |_, _| {});
            self.add_notes(note);
            self.updated = Some(over.text.clone());
        }
        Ok(true)
    }

    fn zero_grads(&mut self, code: Option<&BlockCode>) -> Result<(), Diagnostic> {
        let nodes = code.map(|code| self.evaluate(code)).transpose()?;
        self.session.zero_grads(nodes.as_ref().map(Value::nodes));
        self.zeroes = true;
        Ok(())
    }

    /// Translates a piece of the block into this language.
    fn translate<'c>(&self, code: &'c BlockCode) -> Result<&'c str, Diagnostic> {
        if code.own.get().is_none() {
            let locals: Option<&[&str]> = self.is_python.then_some(&[]);
            let own = python::translate_line(self.session, &code.text, locals);
            let own = own.map_err(|error| error.at(code.place.clone()))?;
            let _ = code.own.set(own);
        }
        Ok(code.own.get().map_or("", String::as_str))
    }

    /// An error of a line at its place in the block.
    fn error_in_line(&self, error: Diagnostic, line: &str, code: &BlockCode) -> Diagnostic {
        let error = python::advice_or(self.session, line, error);
        if line == code.text {
            return error.behind(code.place.start);
        }
        Diagnostic {
            label: String::new(),
            others: Vec::new(),
            ..error.at(code.place.clone())
        }
    }

    /// The value of an expression.
    fn evaluate(&mut self, code: &BlockCode) -> Result<Value, Diagnostic> {
        let line = self.translate(code)?;
        let read = language::expression(line, Span::new(0, line.len()));
        let read = read.map_err(|error| self.session.explain(error));
        let value = read.and_then(|read| Ok(self.session.evaluate(line, &read)?));
        let (value, notes) = value.map_err(|error| self.error_in_line(error, line, code))?;
        self.add_notes(notes);
        Ok(value)
    }

    /// Runs a line.
    fn run_line(&mut self, code: &BlockCode) -> Result<(), Diagnostic> {
        if let Some(call) = call::find_call(self.session, &code.text) {
            let done = self.run_call(&call);
            return done.map(drop).map_err(|error| error.at(code.place.clone()));
        }
        for line in self.translate(code)?.lines() {
            self.run_statement(line, code)
                .map_err(|error| self.error_in_line(error, line, code))?;
        }
        Ok(())
    }

    fn run_statement(&mut self, line: &str, code: &BlockCode) -> Result<(), Diagnostic> {
        let cut = StatementSpan {
            silenced: true,
            ..StatementSpan::whole(line)
        };
        let read = language::statement(line, &cut).map_err(|error| self.session.explain(error))?;
        let mut run = StatementRun {
            session: self.session,
            text: line,
            cut: &cut,
        };
        let lecture = match read {
            Statement::Empty => return Ok(()),
            Statement::Binding(binding) => {
                let reply = run.bind(&binding)?;
                self.add_notes(reply.notes);
                return Ok(());
            }
            Statement::Lecture(lecture) => lecture,
            Statement::Expression(expression) => {
                let Some(lecture) = run.python_statement(&expression)? else {
                    let message = "a value that stands alone in a block is not shown";
                    let text = &*code.text;
                    let help =
                        format!("`print({text})` shows it, and `y = {text}` gives it a name");
                    return Err(Diagnostic::new(message).at(expression.span).help(help));
                };
                lecture
            }
            Statement::Definition(_) | Statement::Command(_) => {
                let message = "a block has no commands, and defines no function";
                let error = Diagnostic::new(message).at(0..line.len());
                return Err(error.help("type it by itself, before or after the block"));
            }
        };
        match lecture {
            Lecture::Print(arguments) => {
                let printed = run.print_line(&arguments)?;
                let block = match (arguments.as_slice(), printed.values.as_slice()) {
                    ([only], [value]) if matches!(only[..], [PrintPiece::Value(_, None)]) => {
                        answers::value_block(self.session, Line::new(), value)
                    }
                    _ => Block::Line(printed.line),
                };
                self.printed.push((block, Fact::List(printed.items)));
                self.add_notes(printed.notes);
            }
            Lecture::Backward { target } => {
                self.passed = Some(format!("{}.backward()", target.of(line)));
                let reply = run.run_lecture(Lecture::Backward { target })?;
                self.value = self.session.pass().map(|pass| pass.root().data());
                self.add_notes(reply.notes);
            }
            lecture => {
                let reply = run.run_lecture(lecture)?;
                self.add_notes(reply.notes);
            }
        }
        Ok(())
    }

    /// Adds the notes that are new, without their places, which are in a translated line.
    fn add_notes(&mut self, notes: impl IntoIterator<Item = Note>) {
        for Note { message, .. } in notes {
            let is_known = self.notes.iter().any(|note| note.message == message);
            if !is_known && self.notes.len() < MOST_NOTES {
                self.notes.push(Note::new(message));
            }
        }
    }
}

/// Whether the condition `x is None` or `x is not None` holds; none for any other condition. A parameter without a
/// value is bound to nothing.
fn is_missing(session: &Session, condition: &str) -> Option<bool> {
    let (name, is) = condition.strip_suffix("None")?.split_once(" is ")?;
    let is_bound = session.names().find(name.trim()).is_some();
    match is.trim() {
        "" => Some(!is_bound),
        "not" => Some(is_bound),
        _ => None,
    }
}

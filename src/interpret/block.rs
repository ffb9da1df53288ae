//! Blocks: loops, choices and functions over several lines, written as in Python and run as one statement.
//!
//! The session compiles the statements and runs them, and this file does what they do outside of expressions, as it does for
//! lines and for the functions that they call. Everything that a block prints is one answer. Ctrl-C keeps the finished rounds of the outermost loop.

use std::rc::{Rc, Weak};

use super::answers::definition_report;
use super::print::{printed_lines, write_printed};
use super::{StatementRun, python};
use crate::commands::Reply;
use crate::commands::args::resolve;
use crate::commands::change::set;
use crate::commands::goals::leaf_search::leaf_count;
use crate::commands::gradients::grad::BACKWARD;
use crate::session::values::Value;
use crate::session::{Act, Acts, BlockEnd, Pause, RoundsTold, Session, TargetKey};
use chainrule_engine::graph::Node;
use chainrule_language::{self as language, Span, StatementSpan, Step, StepKind};
use chainrule_report::diagnostic::Diagnostic;
use chainrule_report::{Fact, Line, Note, Report, count_text, plural, say};
use chainrule_stop as stop;

/// The most leaves that the note on summed gradients names.
const FEW_LEAVES: usize = 4;

/// The most notes of a block. Equal ones are kept once.
const MOST_NOTES: usize = 10;

/// What a line or a block that runs has done outside of expressions.
#[derive(Default)]
pub(super) struct BlockRun {
    pub(super) printed: Vec<(Line, Fact)>,
    notes: Vec<Note>,
    /// The line outside of blocks that it is, if it is one.
    line: Option<StatementSpan>,
    /// What the line itself, and no function, has moved and printed.
    report: Option<Report>,
    shown: Vec<Value>,
    /// How many rounds of outermost loops have run, the root's value in each, and its value in the present round.
    rounds: usize,
    values: Vec<f64>,
    value: Option<f64>,
    /// The steps of roots, and whether a leaf has moved in the present round.
    steps: Vec<RootSteps>,
    has_moved: bool,
    zeroes: bool,
    /// The list of the last update of leaves, as it was typed.
    updated: Option<Rc<str>>,
    /// The last pass, as typed.
    passed: Option<Rc<str>>,
    /// Parts of the text, and the texts that a saved session has instead.
    instead: Vec<(Span, String)>,
    /// Whether Ctrl-C has ended it.
    is_stopped: bool,
}

/// The steps that a block takes with a root: passes from it, after which leaves move.
struct RootSteps {
    typed: Rc<str>,
    target: TargetKey,
    root: Weak<Node>,
    /// Its value in the last pass, if no leaf has moved since.
    value: Option<f64>,
    /// Its value in the pass of each step, and how many of them are those of rounds that have ended.
    values: Vec<f64>,
    kept: usize,
}

impl<'t> StatementRun<'_, 't> {
    /// Runs a block.
    pub(super) fn run_block(&mut self, steps: &[Step<'t>]) -> Result<Reply, Diagnostic> {
        if let Some(name) = defined_name(steps) {
            return self.define(steps, name);
        }
        self.session.begin_block();
        let mut run = BlockRun::default();
        self.run_steps(steps, &mut run)?;
        let moved = run.end_block(self.session);
        Ok(run.reply(self, moved))
    }

    /// Runs a line that is no expression, binding, definition or block.
    pub(super) fn run_line(&mut self, kind: StepKind<'t>) -> Result<Reply, Diagnostic> {
        if let StepKind::Backward(root) = kind {
            let reply = self.carry_out(&BACKWARD, (root.span, root.span))?;
            return Ok(self.without_rows_of_network(reply, root.span));
        }
        let mut run = BlockRun {
            line: Some(*self.cut),
            ..BlockRun::default()
        };
        let span = self.cut.span;
        let step = Step { span, kind };
        self.run_steps(std::slice::from_ref(&step), &mut run)?;
        run.end_block(self.session);
        let shown = std::mem::take(&mut run.shown);
        let mut reply = match step.kind {
            StepKind::Print { values, .. } => {
                for (typed, value) in values.iter().zip(&shown) {
                    if let Value::Node(node) = value {
                        self.session.aim_at(node, typed.span.of(self.text));
                    }
                }
                let nodes = shown.iter().flat_map(Value::nodes).cloned();
                let nodes: Vec<Rc<Node>> = nodes.collect();
                let notes = self.session.stale_guard_notes(&nodes);
                let printed = run.printed.pop().expect("it has printed");
                self.answer_print(&shown, printed).with_notes(notes)
            }
            StepKind::Label { node, .. } => self.answer_label(node.span)?,
            StepKind::Append { list, .. } => self.answer_append(list.name),
            _ => Reply {
                report: run.report.take(),
                ..Reply::default()
            },
        };
        run.put_above(&mut reply);
        Ok(reply)
    }

    /// The error of a text that cannot be read, or better advice if it is a block.
    pub(super) fn advice_on_block(&self, error: Diagnostic) -> Diagnostic {
        let statement = self.statement();
        if !language::begins_block(statement) || is_class(statement) {
            return error;
        }
        self.with_advice(error)
    }

    /// Defines a function.
    fn define(&mut self, steps: &[Step<'t>], name: &str) -> Result<Reply, Diagnostic> {
        let mut run = BlockRun::default();
        self.run_steps(steps, &mut run)?;
        run.end_block(self.session);
        let function = self.session.functions().get(name).cloned();
        let Some(function) = function else {
            return Ok(Reply::default());
        };
        let expanded = self.session.expanded_body(&function);
        let mut reply = self.reply(Vec::new(), |_| definition_report(&function, expanded));
        run.put_above(&mut reply);
        Ok(reply)
    }

    /// Runs steps, which do outside of expressions what `run` collects.
    pub(super) fn run_steps(
        &mut self,
        steps: &[Step<'t>],
        run: &mut BlockRun,
    ) -> Result<(), Diagnostic> {
        let is_line = run.line.is_some();
        let code = (self.session).compile_block(self.text, steps, is_line)?;
        let (host, text) = (self.session.host(), self.text);
        let mut machine = self.session.machine(self.text, &code);
        machine.rounds_told = RoundsTold::Before;
        // The state before the round of the outermost loop that runs.
        let mut round = None;
        let mut lengths = (0, 0);
        let mut head = None;
        loop {
            let done = if round.is_some() {
                let host = Rc::clone(&host);
                stop::run_until_stopped(move || host.stop(), || machine.run(run))
            } else {
                Ok(machine.run(run))
            };
            let is_interrupt = |error: &Diagnostic| error.is_interrupt;
            let pause = match (done, round.take(), head.take()) {
                (Ok(Ok(pause)), before, _) => {
                    if before.is_some() {
                        machine.session.end_round();
                        run.end_round();
                    }
                    pause
                }
                // Advice on a line is found when all of it has failed.
                (Ok(Err(error)), None, _) if is_line => return Err(*error),
                (Ok(Err(error)), before, _) if before.is_none() || !is_interrupt(&error) => {
                    return Err(self.with_advice(*error));
                }
                (_, Some(before), Some((done, head, end))) if done > 0 || run.rounds > 0 => {
                    machine.session.go_back(before);
                    run.printed.truncate(lengths.0);
                    run.notes.truncate(lengths.1);
                    for steps in &mut run.steps {
                        steps.values.truncate(steps.kept);
                    }
                    let behind = Span::new(end as usize, self.cut.span.end as usize);
                    run.instead = vec![shorten_loop(text, head, done), (behind, String::new())];
                    run.is_stopped = true;
                    break;
                }
                _ => return Err(Diagnostic::of_interrupt()),
            };
            match pause {
                Pause::Ended => break,
                Pause::LoopEnded => host.end_progress(),
                Pause::Round {
                    done,
                    total,
                    head: place,
                    end,
                } => {
                    if let Some(value) = run.value.take() {
                        run.values.push(value);
                        host.progress(done as u64, total.unwrap_or(done) as u64, value);
                    }
                    round = Some(machine.session.begin_round());
                    lengths = (run.printed.len(), run.notes.len());
                    head = Some((done, place, end));
                }
            }
        }
        if run.rounds > 0 && !run.is_stopped {
            run.values.extend(run.value.take());
        }
        host.end_progress();
        machine.note_last_fault();
        let (notes, stale) = (std::mem::take(&mut machine.remarks), machine.has_read_stale);
        run.add_notes(notes);
        run.notes
            .extend(stale.then(|| self.session.stale_note()).flatten());
        Ok(())
    }

    /// The error of a line, or better advice on it.
    fn with_advice(&self, error: Diagnostic) -> Diagnostic {
        if let Some(inside) = error.inside.clone() {
            // The head of a function stands for all of its lines.
            if language::begins_definition(&inside.line) {
                return error;
            }
            let span = error.span.clone();
            let code = inside.line.trim_start_matches("return ").to_owned();
            return Diagnostic {
                inside: Some(inside),
                span,
                ..python::advice_or(self.session, (&code, 0), error)
            };
        }
        let Some(span) = error.span.clone() else {
            return error;
        };
        let start = self.cut.span.start as usize;
        let text = &self.text[..self.cut.span.end as usize];
        let code_lines = language::code_lines(text, start);
        let mut lines = code_lines.iter();
        let Some(line) = lines.rfind(|line| line.span.start as usize <= span.start) else {
            return error;
        };
        let code = line.span.of(text);
        let row = python::row(self.session, code, "blocks");
        if let Some(python::Meaning::Refused(advice)) = row {
            return advice.at(line.span);
        }
        let (word, rest) = code.split_once([' ', ':']).unwrap_or((code, ""));
        let is_about_line = span.start == line.span.start as usize;
        // Of a line that begins with a word of blocks, only the expression may be what other languages write otherwise.
        let code = match word {
            _ if language::head_end(code).is_none() && word != "return" => code,
            _ if is_about_line => return error,
            "for" => rest.split_once(" in ").map_or(rest, |(_, over)| over),
            _ => rest,
        };
        let code = code.trim_end_matches(':');
        if code.is_empty() {
            return error;
        }
        let start = code.as_ptr() as usize - text.as_ptr() as usize;
        python::advice_or(self.session, (code, start), error)
    }
}

/// The name of the function that these steps define, if they do nothing else.
pub(super) fn defined_name<'t>(steps: &[Step<'t>]) -> Option<&'t str> {
    match steps {
        [only] => match &only.kind {
            StepKind::Define(definition) => Some(definition.name.name),
            _ => None,
        },
        _ => None,
    }
}

/// The head of a loop that was stopped after so many rounds, as a loop of these rounds.
fn shorten_loop(text: &str, head: Span, done: usize) -> (Span, String) {
    let typed = head.of(text);
    match typed.strip_prefix("while") {
        Some(_) => (head, format!("for _ in range({done}):")),
        None => (head, format!("({typed})[0:{done}]")),
    }
}

/// Whether a text is a class of Python.
pub(super) fn is_class(text: &str) -> bool {
    text.trim_start().starts_with("class")
}

impl Acts for BlockRun {
    fn act(
        &mut self,
        session: &mut Session,
        act: &Act,
        values: Vec<Value>,
        (place, calls): (Span, usize),
    ) -> Result<(), Box<Diagnostic>> {
        if calls > 0 {
            // What a function does in a line, it does as in a block.
            session.begin_block();
        }
        let own = self.line.filter(|_| calls == 0);
        match act {
            Act::Print(printing) => {
                self.printed.push(write_printed(printing, &values, place)?);
                if own.is_some() {
                    self.shown = values;
                }
            }
            Act::Backward(typed) => {
                let Some(root) = values[0].node() else {
                    let message = "a pass starts from a number, and this is a list";
                    return Err(Diagnostic::new(message).at(place).into());
                };
                if !root.varies() {
                    return Err(resolve::no_leaf_error(session, root).at(place).into());
                }
                session.accumulate(root);
                self.passed = Some(Rc::clone(typed));
                self.value = Some(root.data());
                self.add_pass(session.moved_key(root), root, typed);
            }
            Act::Data(over) => {
                let [Value::Node(leaf), Value::Node(data)] = &*values else {
                    let message = "the data of a node is a number, and this is a list";
                    let help = "for each of a list: `for p in [a, b]: p.data -= 0.1*p.grad`";
                    return Err(Diagnostic::new(message).at(place).help(help).into());
                };
                let setting = (Rc::clone(leaf), data.data());
                if own.is_some() {
                    // The functions are done, and everything follows the leaf.
                    self.end_block(session);
                }
                let silenced = own.is_none_or(|line| line.is_silenced);
                // What has computed the number is none of the nodes that move.
                drop(values);
                let reply = set::assign(session, silenced, setting, place)?;
                self.report = reply.report;
                self.add_notes(reply.notes);
                self.has_moved = true;
                self.take_steps();
                if over.is_some() {
                    self.updated.clone_from(over);
                }
            }
            Act::Append(name, each) => {
                let value = values.into_iter().next().expect("it takes one value");
                let (made, mut notes) = (session.newest_id(), Vec::new());
                session.append_value((name, place), value, *each, made, &mut notes)?;
                self.add_notes(notes);
            }
            Act::Zero(one) => {
                session.zero_grads(one.then(|| values[0].nodes()));
                self.zeroes = true;
            }
        }
        Ok(())
    }
}

impl BlockRun {
    /// A pass, which becomes a step when a leaf moves.
    fn add_pass(&mut self, target: TargetKey, root: &Rc<Node>, typed: &Rc<str>) {
        let (value, weak) = (Some(root.data()), Rc::downgrade(root));
        match self.steps.iter_mut().find(|it| it.typed == *typed) {
            Some(steps) => (steps.target, steps.root, steps.value) = (target, weak, value),
            None => self.steps.push(RootSteps {
                typed: Rc::clone(typed),
                target,
                root: weak,
                value,
                values: Vec::new(),
                kept: 0,
            }),
        }
    }

    fn take_steps(&mut self) {
        for steps in &mut self.steps {
            steps.values.extend(steps.value.take());
        }
    }

    fn end_round(&mut self) {
        self.rounds += 1;
        if std::mem::take(&mut self.has_moved) {
            self.take_steps();
        }
        for steps in &mut self.steps {
            steps.kept = steps.values.len();
        }
    }

    /// Ends the block if one runs, and returns how many leaves it has moved. What it has made follows them from now on.
    pub(super) fn end_block(&mut self, session: &mut Session) -> usize {
        if !session.in_block() {
            return 0;
        }
        stop::run_to_end(|| {
            for (place, instead) in self.instead.drain(..) {
                session.keeping().replace_part(place, instead);
            }
            let end = session.end_block();
            if let Some(end) = &end {
                self.notes.extend(self.sum_note(session, end));
                self.notes.extend(end.note.clone());
            }
            for steps in self.steps.drain(..).filter(|it| !it.values.is_empty()) {
                session.add_steps(steps.target, steps.root, &steps.values);
            }
            end.map_or(0, |end| end.moved.len())
        })
    }

    /// Puts what functions have printed above the answer of the line that has called them.
    pub(super) fn put_above(self, reply: &mut Reply) {
        reply.notes.extend(self.notes);
        if self.printed.is_empty() {
            return;
        }
        if let Some(report) = &mut reply.report {
            let (lines, printed): (Vec<Line>, Vec<Fact>) = self.printed.into_iter().unzip();
            report.blocks.splice(0..0, printed_lines(lines));
            report.facts.push(("printed", Fact::List(printed)));
            report.is_confirmation = false;
        }
    }

    pub(super) fn reply(mut self, run: &mut StatementRun, moved: usize) -> Reply {
        stop::run_to_end(|| Reply {
            report: (!run.cut.is_silenced).then(|| self.report(run.session, moved)),
            notes: std::mem::take(&mut self.notes),
            interrupted: self.is_stopped,
            ..Reply::default()
        })
    }

    /// The note that gradients have added up from round to round.
    fn sum_note(&self, session: &Session, end: &BlockEnd) -> Option<Note> {
        let first = session.label(end.summed.first()?);
        let nodes = end.summed.iter().take(FEW_LEAVES);
        let leaves: Vec<String> = nodes.map(|node| session.label(node)).collect();
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
    fn report(&mut self, session: &Session, moved: usize) -> Report {
        let (lines, printed): (Vec<Line>, Vec<Fact>) = self.printed.drain(..).unzip();
        let blocks = printed_lines(lines);
        let rounds = count_text(self.rounds);
        let pass = session.pass();
        let root = pass.map_or(String::new(), |pass| session.label(pass.root()));
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

    /// Adds the notes that are new. Those of a block have no places, because it is not shown again.
    fn add_notes(&mut self, notes: impl IntoIterator<Item = Note>) {
        for note in notes {
            let is_known = self.notes.iter().any(|known| known.message == note.message);
            if !is_known && self.notes.len() < MOST_NOTES {
                self.notes.push(match self.line {
                    Some(_) => note,
                    None => Note::new(note.message),
                });
            }
        }
    }
}

//! Runs blocks as one statement: loops, choices and functions over several lines, written as in Python.
//!
//! The session compiles and runs the code. This file performs the acts that no expression has, such as `print`, for
//! blocks, for single lines and for the functions that they call. All that a block prints is one answer. Ctrl-C keeps
//! the finished rounds of the outermost loop.

use std::rc::{Rc, Weak};

use super::StatementRun;
use super::answers::definition_report;
use super::print::{printed_lines, write_printed};
use crate::commands::Reply;
use crate::commands::args::evaluate;
use crate::commands::change::set;
use crate::commands::goals::leaf_texts::leaf_count;
use crate::commands::gradients::grad::BACKWARD;
use crate::session::values::Value;
use crate::session::{
    Act, Acts, BlockEnd, NextRound, Pause, RoundPauses, Savepoint, Session, TargetKey,
};
use chainrule_engine::graph::Node;
use chainrule_language::{Span, StatementSpan, Step, StepKind};
use chainrule_report::diagnostic::Diagnostic;
use chainrule_report::{Fact, Line, Note, Report, count_text, plural, say};
use chainrule_stop as stop;

/// The most leaves that the note on summed gradients names.
const MAX_NAMED_LEAVES: usize = 4;

/// The most notes of a block. Equal notes count once.
const MAX_NOTES: usize = 10;

/// The acts that a running line or block has performed so far.
#[derive(Default)]
pub(super) struct BlockRun {
    pub(super) printed: Vec<(Line, Fact)>,
    notes: Vec<Note>,
    /// The single line that runs; `None` for a block.
    line: Option<StatementSpan>,
    /// The report on the leaf that the single line has moved. Functions that the line calls do not report.
    report: Option<Report>,
    /// The values that the single line has printed.
    shown: Vec<Value>,
    /// The number of finished rounds of outermost loops.
    rounds: usize,
    /// The value of the root in each finished round.
    values: Vec<f64>,
    /// The value of the root in the present round.
    value: Option<f64>,
    /// The steps with each root.
    steps: Vec<RootSteps>,
    /// Whether a leaf has moved in the present round.
    has_moved: bool,
    /// Whether gradients were set to 0.
    has_zeroed: bool,
    /// The list of the last update of leaves, as typed.
    updated: Option<Rc<str>>,
    /// The last pass, as typed.
    passed: Option<Rc<str>>,
    /// Spans of the text, each with the text that replaces it in a saved session.
    replacements: Vec<(Span, String)>,
    /// Whether Ctrl-C has ended the block.
    is_stopped: bool,
}

/// The steps that a block takes with a root. A step is a pass from the root after which leaves move.
struct RootSteps {
    typed: Rc<str>,
    target: TargetKey,
    root: Weak<Node>,
    /// The value of the root in the last pass, if no leaf has moved since.
    value: Option<f64>,
    /// The value of the root in the pass of each step.
    values: Vec<f64>,
    /// The number of steps in finished rounds. Ctrl-C drops the others.
    finished: usize,
}

/// The running round of the outermost loop, and the state before the round. Ctrl-C goes back to that state.
struct RunningRound {
    round: NextRound,
    before: Savepoint,
    /// The number of printed lines before the round.
    printed: usize,
    /// The number of notes before the round.
    notes: usize,
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
            let reply = self.carry_out(&BACKWARD, root.span, root.span)?;
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
                let mut nodes: Vec<Rc<Node>> = Vec::new();
                for (typed, value) in values.iter().zip(&shown) {
                    nodes.extend_from_slice(value.nodes());
                    if let Value::Node(node) = value {
                        self.session.aim_at(node, typed.span.of(self.text));
                    }
                }
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

    /// Defines a function.
    fn define(&mut self, steps: &[Step<'t>], name: &str) -> Result<Reply, Diagnostic> {
        let mut run = BlockRun::default();
        self.run_steps(steps, &mut run)?;
        run.end_block(self.session);
        let Some(function) = self.session.functions().get(name).cloned() else {
            return Ok(Reply::default());
        };
        let expanded = self.session.expanded_body(&function);
        let mut reply = self.reply(|_| definition_report(&function, expanded));
        run.put_above(&mut reply);
        Ok(reply)
    }

    /// Runs steps, pausing before each round of an outermost loop. `run` collects their acts.
    fn run_steps(&mut self, steps: &[Step<'t>], run: &mut BlockRun) -> Result<(), Diagnostic> {
        let is_line = run.line.is_some();
        let code = (self.session).compile_block(self.text, steps, is_line)?;
        let host = self.session.host();
        let mut machine = self.session.machine(self.text, &code);
        machine.round_pauses = RoundPauses::Before;
        let mut running: Option<RunningRound> = None;
        loop {
            let done = if running.is_some() {
                let host = Rc::clone(&host);
                stop::run_until_stopped(move || host.stop(), || machine.run(run))
                    .unwrap_or_else(|_| Err(Diagnostic::of_interrupt().into()))
            } else {
                machine.run(run)
            };
            let pause = match (done, running.take()) {
                (Ok(pause), None) => pause,
                (Ok(pause), Some(_)) => {
                    machine.session.end_round();
                    run.end_round();
                    pause
                }
                (Err(error), Some(stopped)) if error.is_interrupt => {
                    // Ctrl-C in a later round keeps the finished ones; in the first round it undoes all.
                    if stopped.round.done == 0 && run.rounds == 0 {
                        return Err(Diagnostic::of_interrupt());
                    }
                    run.drop_round(&stopped, self.text, self.cut.span);
                    machine.session.go_back(stopped.before);
                    break;
                }
                // Advice on a line is found when all of it has failed.
                (Err(error), None) if is_line => return Err(*error),
                (Err(error), _) => return Err(self.with_advice(*error)),
            };
            match pause {
                Pause::Ended => break,
                Pause::LoopEnded => host.end_progress(),
                Pause::Round(round) => {
                    if let Some(value) = run.value.take() {
                        run.values.push(value);
                        let total = round.total.unwrap_or(round.done);
                        host.progress(round.done as u64, total as u64, value);
                    }
                    running = Some(RunningRound {
                        round,
                        before: machine.session.begin_round(),
                        printed: run.printed.len(),
                        notes: run.notes.len(),
                    });
                }
            }
        }
        if run.rounds > 0 && !run.is_stopped {
            run.values.extend(run.value.take());
        }
        host.end_progress();
        machine.note_last_fault();
        let (notes, is_stale) = (
            std::mem::take(&mut machine.record.notes),
            machine.record.has_read_stale,
        );
        run.add_notes(notes);
        if is_stale {
            run.notes.extend(self.session.stale_note());
        }
        Ok(())
    }
}

/// The name of the function that these steps define, if they do nothing else.
pub(super) fn defined_name<'t>(steps: &[Step<'t>]) -> Option<&'t str> {
    let [only] = steps else { return None };
    match &only.kind {
        StepKind::Define(definition) => Some(definition.name.name),
        _ => None,
    }
}

impl Acts for BlockRun {
    fn act(
        &mut self,
        session: &mut Session,
        act: &Act,
        values: Vec<Value>,
        place: Span,
        calls: usize,
    ) -> Result<(), Box<Diagnostic>> {
        if calls > 0 {
            // A function in a line acts as in a block.
            session.begin_block();
        }
        let own_line = self.line.filter(|_| calls == 0);
        match act {
            Act::Print(printing) => {
                self.printed.push(write_printed(printing, &values, place)?);
                if own_line.is_some() {
                    self.shown = values;
                }
            }
            Act::Backward(typed) => self.run_pass(session, &values[0], typed, place)?,
            Act::Data(list) => {
                self.move_leaf(session, values, own_line, place)?;
                if list.is_some() {
                    self.updated.clone_from(list);
                }
            }
            Act::Append(name, each) => {
                let value = values.into_iter().next().expect("it takes one value");
                let (made, mut notes) = (session.newest_id(), Vec::new());
                session.append_value(name, value, *each, made, &mut notes)?;
                self.add_notes(notes);
            }
            Act::Zero(one) => {
                session.zero_grads(one.then(|| values[0].nodes()));
                self.has_zeroed = true;
            }
        }
        Ok(())
    }
}

impl BlockRun {
    /// Runs `L.backward()`.
    fn run_pass(
        &mut self,
        session: &mut Session,
        root: &Value,
        typed: &Rc<str>,
        place: Span,
    ) -> Result<(), Diagnostic> {
        let Some(root) = root.node() else {
            let message = "a pass starts from a number, and this is a list";
            return Err(Diagnostic::new(message).at(place));
        };
        if !root.varies() {
            return Err(evaluate::no_leaf_error(session, root).at(place));
        }
        session.accumulate(root);
        self.passed = Some(Rc::clone(typed));
        self.value = Some(root.data());
        self.add_pass(session.moved_key(root), root, typed);
        Ok(())
    }

    /// Runs `a.data = 3`, whose values are the leaf and its new data.
    fn move_leaf(
        &mut self,
        session: &mut Session,
        values: Vec<Value>,
        own_line: Option<StatementSpan>,
        place: Span,
    ) -> Result<(), Diagnostic> {
        let [Value::Node(leaf), Value::Node(data)] = &*values else {
            let message = "the data of a node is a number, and this is a list";
            let help = "for each of a list: `for p in [a, b]: p.data -= 0.1*p.grad`";
            return Err(Diagnostic::new(message).at(place).help(help));
        };
        let setting = (Rc::clone(leaf), data.data());
        if own_line.is_some() {
            // The functions that the line called are done. Ending the block lets their nodes follow the leaf.
            self.end_block(session);
        }
        let is_silenced = own_line.is_none_or(|line| line.is_silenced);
        // Drops the nodes that computed the number: they need not follow the leaf.
        drop(values);
        let reply = set::assign(session, is_silenced, setting, place)?;
        self.report = reply.report;
        self.add_notes(reply.notes);
        self.has_moved = true;
        self.take_steps();
        Ok(())
    }

    /// Adds a pass. It becomes a step when a leaf moves.
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
                finished: 0,
            }),
        }
    }

    /// Turns the passes since the last step into steps.
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
            steps.finished = steps.values.len();
        }
    }

    /// Drops the round that was stopped. In a saved session, the loop then has only the earlier rounds, and the block
    /// ends with the loop.
    fn drop_round(&mut self, stopped: &RunningRound, text: &str, block: Span) {
        self.printed.truncate(stopped.printed);
        self.notes.truncate(stopped.notes);
        for steps in &mut self.steps {
            steps.values.truncate(steps.finished);
        }
        let NextRound { done, head, .. } = stopped.round;
        let typed = head.of(text);
        let shorter = if typed.starts_with("while") {
            format!("for _ in range({done}):")
        } else {
            format!("({typed})[0:{done}]")
        };
        let after_loop = Span::new(stopped.round.end as usize, block.end as usize);
        self.replacements = vec![(head, shorter), (after_loop, String::new())];
        self.is_stopped = true;
    }

    /// Ends the block if one runs, and returns the number of leaves that the block has moved. From now on, its nodes
    /// follow these leaves.
    pub(super) fn end_block(&mut self, session: &mut Session) -> usize {
        if !session.in_block() {
            return 0;
        }
        stop::run_to_end(|| self.end_running_block(session))
    }

    fn end_running_block(&mut self, session: &mut Session) -> usize {
        for (place, text) in self.replacements.drain(..) {
            session.keeping().replace_part(place, text);
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
    }

    /// Puts the output of functions above the answer of the line that has called them.
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

    /// The reply to a block that has moved this number of leaves.
    pub(super) fn reply(mut self, run: &mut StatementRun, moved: usize) -> Reply {
        stop::run_to_end(|| Reply {
            report: (!run.cut.is_silenced).then(|| self.report(run.session, moved)),
            notes: std::mem::take(&mut self.notes),
            is_interrupted: self.is_stopped,
            ..Reply::default()
        })
    }

    /// The note that gradients have added up from round to round.
    fn sum_note(&self, session: &Session, end: &BlockEnd) -> Option<Note> {
        let first = session.label(end.summed.first()?);
        let nodes = end.summed.iter().take(MAX_NAMED_LEAVES);
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

    /// The output of the block, or a line about its acts if it has printed nothing.
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
            [] if self.has_zeroed => say!("gradients forgotten"),
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

    /// Adds the notes that are new. In a block, drops their spans, because the text of a block is not shown again.
    fn add_notes(&mut self, notes: impl IntoIterator<Item = Note>) {
        for note in notes {
            let is_known = self.notes.iter().any(|known| known.message == note.message);
            if !is_known && self.notes.len() < MAX_NOTES {
                self.notes.push(match self.line {
                    Some(_) => note,
                    None => Note::new(note.message),
                });
            }
        }
    }
}

//! Performs the acts that no expression has, such as `print`, for blocks, for single lines and for the functions that they
//! call.
//!
//! `run` runs blocks: loops, choices and functions over several lines, written as in Python. A [`BlockRun`] collects what a
//! running block has done. All that a block prints is one answer.

mod run;

pub(super) use self::run::{defined_name, is_class};

use std::rc::{Rc, Weak};

use super::StatementRun;
use super::print::{printed_lines, write_printed};
use crate::command::Reply;
use crate::command::args::evaluate;
use crate::commands::change::set;
use chainrule_engine::graph::Node;
use chainrule_language::{Printing, Span, StatementSpan};
use chainrule_program::Environment as _;
use chainrule_program::add_new;
use chainrule_program::functions::{Act, AnyValue};
use chainrule_program::run::{ActPlace, NextRound};
use chainrule_program::values::Value;
use chainrule_report::diagnostic::{Diagnostic, Result};
use chainrule_report::{Block, Fact, Line, Note, Report, ReportKind, count_text, plural, say};
use chainrule_session::{Acts, BlockEnd, Savepoint, Session, Setting, TargetKey};
use chainrule_stop as stop;

/// The most leaves that the note on summed gradients names.
const MAX_NAMED_LEAVES: usize = 4;

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
    shown: Vec<AnyValue>,
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
    /// The round that runs.
    running: Option<RunningRound>,
    /// The round in which Ctrl-C has ended the block.
    stopped: Option<NextRound>,
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

/// What replaces parts of a block in a saved session if Ctrl-C has stopped it in a round of the outermost loop. The loop
/// then has only the earlier rounds, and the block ends with the loop.
fn replacements_after_stop(stopped: NextRound, text: &str, block: Span) -> Vec<(Span, String)> {
    let NextRound {
        done,
        total,
        head,
        end,
    } = stopped;
    let shorter = if total.is_some() {
        format!("({})[0:{done}]", head.of(text))
    } else {
        format!("for _ in range({done}):")
    };
    let after_loop = Span::new(end as usize, block.end as usize);
    vec![(head, shorter), (after_loop, String::new())]
}

impl Acts for BlockRun {
    fn print(
        &mut self,
        session: &mut Session,
        printing: &Printing,
        values: Vec<AnyValue>,
        place: ActPlace,
    ) -> Result<(), Box<Diagnostic>> {
        BlockRun::begin_act(session, place);
        for node in values.iter().flat_map(AnyValue::nodes) {
            session.note_moved_root(node);
        }
        let written = write_printed(session, printing, &values, place.span)?;
        self.printed.push(written);
        if self.is_own_line(place) {
            self.shown = values;
        }
        Ok(())
    }

    fn act(
        &mut self,
        session: &mut Session,
        act: &Act,
        values: Vec<Value>,
        place: ActPlace,
    ) -> Result<(), Box<Diagnostic>> {
        BlockRun::begin_act(session, place);
        let span = place.span;
        match act {
            Act::Backward(typed) => self.run_pass(session, &values[0], typed, span)?,
            Act::Data(list) => {
                self.move_leaf(session, values, place)?;
                if list.is_some() {
                    self.updated.clone_from(list);
                }
            }
            Act::ChangeList(name, change) => {
                let value = values.into_iter().next().expect("it takes one value");
                let (made, mut notes) = (session.newest_id(), Vec::new());
                session.change_list(name, value, *change, made, &mut notes)?;
                self.add_notes(notes);
            }
            Act::Grad => {
                let Some(grad) = values[1].node() else {
                    let message = "the grad of a node is a number, and this is a list";
                    return Err(Diagnostic::new(message).at(span).into());
                };
                if grad.data() == 0.0 {
                    self.has_zeroed = true;
                } else {
                    check_no_walk(session, span)?;
                }
                session.set_grads(values[0].nodes(), grad.data());
            }
            Act::PassOn => {
                check_no_walk(session, span)?;
                for node in values[0].nodes() {
                    session.pass_on_grad(node);
                }
            }
            Act::Zero => {
                session.zero_grads(None);
                self.has_zeroed = true;
            }
        }
        Ok(())
    }

    fn begin_round(&mut self, session: &mut Session, round: NextRound) {
        self.end_round(session);
        if let Some(value) = self.value.take() {
            self.values.push(value);
            let total = round.total.unwrap_or(round.done);
            let host = session.host();
            host.progress(round.done as u64, total as u64, value, None);
        }
        self.running = Some(RunningRound {
            round,
            before: session.begin_round(),
            printed: self.printed.len(),
            notes: self.notes.len(),
        });
    }

    fn end_loop(&mut self, session: &mut Session) {
        self.end_round(session);
        session.host().end_progress();
    }

    fn keep_finished_rounds(&mut self, session: &mut Session) -> bool {
        // In the first round, Ctrl-C undoes all.
        let running = self.running.take();
        let Some(stopped) = running.filter(|it| it.round.done > 0 || self.rounds > 0) else {
            return false;
        };
        self.drop_round(&stopped);
        session.go_back(stopped.before);
        true
    }
}

/// Refuses to set grads in a walk, which adds up its own and is not saved.
fn check_no_walk(session: &Session, place: Span) -> Result<(), Box<Diagnostic>> {
    if session.pass().is_some() || session.walk().is_none_or(|walk| walk.position == 0) {
        return Ok(());
    }
    let error = Diagnostic::new("a walk is open, and a block does not know its grads");
    Err(error.at(place).help("`:walk end` closes it").into())
}

impl BlockRun {
    /// Begins a block if a function of a line acts: it does so as in a block.
    fn begin_act(session: &mut Session, place: ActPlace) {
        if place.calls > 0 {
            session.begin_block();
        }
    }

    /// Whether the single line itself acts, and not a function that it calls.
    fn is_own_line(&self, place: ActPlace) -> bool {
        self.line.is_some() && place.calls == 0
    }

    /// Runs `L.backward()`.
    fn run_pass(
        &mut self,
        session: &mut Session,
        root: &Value,
        typed: &Rc<str>,
        place: Span,
    ) -> Result<()> {
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
        // The pass becomes a step when a leaf moves.
        let (target, value, weak) = (
            session.targets().moved_key(root),
            self.value,
            Rc::downgrade(root),
        );
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
        Ok(())
    }

    /// Runs `a.data = 3`, whose values are the leaf and its new data.
    fn move_leaf(
        &mut self,
        session: &mut Session,
        values: Vec<Value>,
        place: ActPlace,
    ) -> Result<()> {
        let [Value::Node(leaf), Value::Node(data)] = &*values else {
            let message = "the data of a node is a number, and this is a list";
            let help = "for each of a list: `for p in [a, b]: p.data -= 0.1*p.grad`";
            return Err(Diagnostic::new(message).at(place.span).help(help));
        };
        let setting = Setting {
            leaf: Rc::clone(leaf),
            data: data.data(),
        };
        let own_line = self.line.filter(|_| place.calls == 0);
        if own_line.is_some() {
            // The functions that the line called are done. Ending the block lets their nodes follow the leaf.
            self.end_block(session);
        }
        let is_silenced = own_line.is_none_or(|line| line.is_silenced);
        // Drops the nodes that computed the number: they need not follow the leaf.
        drop(values);
        let reply = set::assign(session, is_silenced, setting, place.span)?;
        self.report = reply.report;
        self.add_notes(reply.notes);
        self.has_moved = true;
        self.take_steps();
        Ok(())
    }

    /// Turns the passes since the last step into steps.
    fn take_steps(&mut self) {
        for steps in &mut self.steps {
            steps.values.extend(steps.value.take());
        }
    }

    /// Ends the running round of the outermost loop, if there is one.
    fn end_round(&mut self, session: &mut Session) {
        if self.running.take().is_none() {
            return;
        }
        session.end_round();
        self.rounds += 1;
        if std::mem::take(&mut self.has_moved) {
            self.take_steps();
        }
        for steps in &mut self.steps {
            steps.finished = steps.values.len();
        }
    }

    /// Drops the round that was stopped.
    fn drop_round(&mut self, stopped: &RunningRound) {
        self.printed.truncate(stopped.printed);
        self.notes.truncate(stopped.notes);
        for steps in &mut self.steps {
            steps.values.truncate(steps.finished);
        }
        self.stopped = Some(stopped.round);
    }

    /// Ends the block if one runs, and returns the number of leaves that the block has moved. From now on, its nodes
    /// follow these leaves.
    pub(super) fn end_block(&mut self, session: &mut Session) -> usize {
        stop::run_to_end(|| self.end_running_block(session))
    }

    fn end_running_block(&mut self, session: &mut Session) -> usize {
        let Some(end) = session.end_block() else {
            return 0;
        };
        for (place, text) in self.replacements.drain(..) {
            session.keeping().replace_part(place, text);
        }
        self.notes.extend(self.sum_note(session, &end));
        self.notes.extend(end.notes);
        for steps in self.steps.drain(..).filter(|it| !it.values.is_empty()) {
            session.add_steps(steps.target, steps.root, &steps.values);
        }
        end.moved.len()
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
            is_interrupted: self.stopped.is_some(),
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
        let mut blocks = printed_lines(lines);
        let pass = session.pass();
        let root = pass.map_or(String::new(), |pass| session.label(pass.root()));
        let is_stopped = self.stopped.is_some();
        let end = if is_stopped { ", then interrupted" } else { "" };
        let line = match *self.values.as_slice() {
            [first, .., last] => {
                let rounds = format!("{} rounds{end}", count_text(self.rounds));
                say!("{:name}: {} → {} in {}", root, first, last, rounds)
            }
            [only] => say!("{:name}: {} in one round{}", root, only, end),
            [] if is_stopped => say!("done: {}{}", plural(self.rounds, "round"), end),
            [] if moved > 0 => say!("moved: {}", plural(moved, "leaf")),
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
        if is_stopped {
            blocks.push(Block::Line(line));
        } else if blocks.is_empty() {
            return Report::confirming(ReportKind::Block, facts, line);
        }
        Report::new(ReportKind::Block, facts, blocks)
    }

    /// Adds the notes that are new. In a block, drops their spans, because the text of a block is not shown again.
    fn add_notes(&mut self, notes: impl IntoIterator<Item = Note>) {
        for note in notes {
            let shown = match self.line {
                Some(_) => note,
                None => Note {
                    place: None,
                    ..note
                },
            };
            add_new(&mut self.notes, shown);
        }
    }
}

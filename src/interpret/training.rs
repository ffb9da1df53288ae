//! A training loop of Python as one statement: `for k in range(20):` with its forward lines, the pass back, the update of
//! the parameters and `print`.
//!
//! Each round runs the forward lines anew, and leaves nothing behind but the parameters that it has moved. When the loop
//! ends, the lines are run once more, so that all names have the values that belong to the trained parameters. A loop over
//! the parameters alone is one round without forward lines.

use std::ops::Range;
use std::rc::Rc;

use super::python::{self, PythonLine, is_assignment, python_lines};
use super::{StatementRun, run_lines};
use crate::commands::Reply;
use crate::diagnostic::Diagnostic;
use crate::report::{Report, say};
use crate::session::values::Value;
use crate::session::{Setting, Widths};
use crate::stop;
use crate::syntax::{self, Span};

const NOT_ZEROED: &str = "gradients that are not zeroed add up from round to round";
const ZERO_FIRST: &str =
    "zero them before the pass: `for p in n.parameters(): p.grad = 0`, or `n.zero_grad()`";
const MAY_HOLD: &str = "it holds, in this order, `loss = …`, `p.grad = 0` for all parameters, `loss.backward()`, `p.data += -0.1 * p.grad`; anywhere `print`, and `if k % 10 == 0:` before `print`";

/// A loop, and where its head stands.
pub(super) struct TrainingLoop<'t> {
    /// The variable and the `range` that it goes through; nothing for a loop over the parameters alone.
    counter: Option<(&'t str, &'t str)>,
    head: Range<usize>,
    /// The steps of a round, and where they stand.
    steps: Vec<(LoopStep<'t>, Range<usize>)>,
}

/// What a line of the body does.
enum LoopStep<'t> {
    /// `loss = …`
    Assign(String),
    /// `print(k, loss.data)`, perhaps only where a condition holds.
    Print(Option<&'t str>, &'t str),
    /// `p.grad = 0` for all parameters, `n.zero_grad()`
    Zero,
    /// `loss.backward()`
    Backward(&'t str),
    /// `p.data += -0.1 * p.grad` for all parameters: their name, their list, and the formula of their new data.
    Update(&'t str, &'t str, String),
}

/// How far a round is.
#[derive(Clone, Copy, PartialEq, PartialOrd)]
enum RoundStage {
    Forward,
    Zeroed,
    PassRun,
    Moved,
}

/// The variable of `for p in n.parameters():`, and what it goes through.
fn loop_head(code: &str) -> Option<(&str, &str)> {
    let head = code.strip_prefix("for ")?.strip_suffix(':')?;
    let (variable, over) = head.split_once(" in ")?;
    let (variable, over) = (variable.trim(), over.trim());
    syntax::is_name(variable).then_some((variable, over))
}

/// The training loop that a text is, or the line that none can hold; `None` if it is another loop.
pub(super) fn read(text: &str) -> Option<Result<TrainingLoop<'_>, Diagnostic>> {
    let mut lines = python_lines(text, 0).into_iter();
    let head = lines.next()?;
    let counter = loop_head(head.code).filter(|(_, over)| over.starts_with("range("));
    let is_training = match counter {
        Some(_) => text.contains(".backward()"),
        None => loop_head(head.code).is_some() && text.contains(".grad"),
    };
    is_training.then(|| {
        let steps = steps(&head, counter.is_some(), lines)?;
        let head = head.place;
        Ok(TrainingLoop {
            counter,
            head,
            steps,
        })
    })
}

/// The steps of a body, which come in the order that makes a round depend on no other.
fn steps<'t>(
    head: &PythonLine<'t>,
    has_rounds: bool,
    lines: impl Iterator<Item = PythonLine<'t>>,
) -> Result<Vec<(LoopStep<'t>, Range<usize>)>, Diagnostic> {
    let mut steps = Vec::new();
    // The head below which a line stands, and how far that is indented.
    let mut open = (!has_rounds).then_some((head.code, head.indent));
    let mut stage = if has_rounds {
        RoundStage::Forward
    } else {
        RoundStage::PassRun
    };
    for line in lines {
        let code = line.code;
        open = open.filter(|(_, outer)| line.indent > *outer);
        if open.is_none() && (code.starts_with("if ") || loop_head(code).is_some()) {
            open = Some((code, line.indent));
            continue;
        }
        let step = match open {
            Some((head, _)) => step_below(head, code),
            None => step_alone(code),
        };
        stage = match step {
            Some(LoopStep::Assign(_)) if stage < RoundStage::Moved => stage,
            Some(LoopStep::Print(..)) => stage,
            Some(LoopStep::Zero) if stage < RoundStage::PassRun || !has_rounds => {
                RoundStage::Zeroed
            }
            Some(LoopStep::Backward(_)) if stage == RoundStage::Zeroed => RoundStage::PassRun,
            Some(LoopStep::Update(..)) if stage >= RoundStage::PassRun => RoundStage::Moved,
            step => {
                let (message, help) = match step {
                    Some(LoopStep::Backward(root)) if stage == RoundStage::Forward => {
                        let shown =
                            format!("`:backward {root}`, typed twice, shows how they add up");
                        (NOT_ZEROED, format!("{ZERO_FIRST}; {shown}"))
                    }
                    _ => (
                        "a training loop has no such line here",
                        MAY_HOLD.to_string(),
                    ),
                };
                return Err(Diagnostic::new(message).at(line.place).help(help));
            }
        };
        steps.extend(step.map(|step| (step, line.place)));
    }
    Ok(steps)
}

/// What a line does.
fn step_alone(code: &str) -> Option<LoopStep<'_>> {
    if let Some(root) = code.strip_suffix(".backward()") {
        Some(LoopStep::Backward(root))
    } else if code.ends_with(".zero_grad()") {
        Some(LoopStep::Zero)
    } else if code.starts_with("print(") {
        Some(LoopStep::Print(None, code))
    } else {
        is_assignment(code).then(|| LoopStep::Assign(syntax::one_line(code)))
    }
}

/// What a line does below `for p in n.parameters():` or `if k % 10 == 0:`.
fn step_below<'t>(head: &'t str, code: &'t str) -> Option<LoopStep<'t>> {
    let Some((p, parameters)) = loop_head(head) else {
        let condition = head.strip_prefix("if ")?.strip_suffix(':');
        return code
            .starts_with("print(")
            .then_some(LoopStep::Print(condition, code));
    };
    let (target, value) = code.split_once('=')?;
    let (data, grad) = (format!("{p}.data"), format!("{p}.grad"));
    if target.trim() == grad {
        let is_zero = value.trim() == "None" || value.trim().parse() == Ok(0.0);
        return is_zero.then_some(LoopStep::Zero);
    }
    let formula = match target.strip_prefix(&data)?.trim() {
        "" => value.to_string(),
        operator @ ("+" | "-" | "*" | "/") => format!("{p} {operator} ({value})"),
        _ => return None,
    };
    let formula = formula
        .replace(&data, p)
        .replace(&grad, &format!("{p}_grad"));
    Some(LoopStep::Update(p, parameters, formula))
}

/// What one round has shown and led to.
#[derive(Default)]
struct Round {
    shown: Vec<Report>,
    value: Option<f64>,
    moved: Vec<Setting>,
    /// The lines that a saved session keeps.
    kept: String,
}

impl StatementRun<'_, '_> {
    /// Runs a loop; the places of errors are in its text.
    pub(super) fn train(&mut self, training: &TrainingLoop) -> Result<Reply, Diagnostic> {
        let host = self.session.host();
        let start = self.session.savepoint();
        let at_head = |error: Diagnostic| error.at(training.head.clone());
        let rounds: Vec<Option<f64>> = match training.counter {
            Some((_, range)) => {
                let numbers = self.found(range).map_err(at_head)?;
                numbers.nodes().iter().map(|it| Some(it.data())).collect()
            }
            None => vec![None],
        };
        let total = rounds.len() as u64;
        let mut moved: Vec<Setting> = Vec::new();
        let mut reports = Vec::new();
        let mut values = Vec::new();
        let mut last = None;
        let mut interrupted = false;
        for (done, k) in (0..).zip(rounds) {
            let stop = Rc::clone(&host);
            let work = || {
                stop::ask_now();
                self.round(training, k, false)
            };
            let round = match stop::interruptible(move || stop.stop(), work) {
                Ok(Err(error)) if !error.interrupted => return Err(error),
                done => done.ok().and_then(Result::ok),
            };
            if self.session.drew_since(&start) {
                let message =
                    "a training loop draws no random numbers: each round would draw the same ones";
                let help = "draw them before the loop: `noise = [uniform(-1, 1) for i in 1..9]`";
                return Err(at_head(Diagnostic::new(message).help(help)));
            }
            self.session.go_back(start.clone());
            interrupted = round.is_none();
            if let Some(round) = round {
                reports.extend(round.shown);
                values.extend(round.value);
                moved = round.moved;
                last = Some(k);
            }
            stop::undisturbed(|| self.session.set(&moved, Widths::new(), |_, _| {}));
            if interrupted {
                break;
            }
            host.progress(done, total, values.last().copied().unwrap_or_default());
        }
        host.over();
        let k = last.ok_or_else(Diagnostic::interrupted)?;
        let end = stop::undisturbed(|| self.round(training, k, true))?;
        self.session.keep_as(end.kept);
        self.session.keep_moved();
        if reports.is_empty() {
            reports.push(summary(&values, moved.len()));
        }
        let mut reports = reports.into_iter().filter(|_| !self.cut.silenced);
        Ok(Reply {
            report: reports.next(),
            more: reports.collect(),
            interrupted,
            ..Reply::default()
        })
    }

    /// Runs a round. After the last one names get their values, and nothing is shown or moved.
    fn round(
        &mut self,
        training: &TrainingLoop,
        k: Option<f64>,
        is_over: bool,
    ) -> Result<Round, Diagnostic> {
        let mut round = Round::default();
        if let (Some((variable, _)), Some(k)) = (training.counter, k) {
            self.run(&format!("const {variable} = {k}"), &mut round)?;
        }
        for (step, place) in &training.steps {
            if !(is_over && matches!(step, LoopStep::Print(..) | LoopStep::Update(..))) {
                let done = self.step(step, &mut round);
                done.map_err(|error| error.at(place.clone()))?;
            }
        }
        Ok(round)
    }

    fn step(&mut self, step: &LoopStep, round: &mut Round) -> Result<(), Diagnostic> {
        match step {
            LoopStep::Assign(line) => {
                self.run(line, round)?;
            }
            LoopStep::Print(condition, line) => {
                let holds = condition.map(|it| self.found(it)).transpose()?;
                if holds.is_none_or(|it| it.nodes().iter().all(|node| node.data() != 0.0)) {
                    let reply = self.run(line, round)?;
                    round.shown.extend(reply.report);
                }
            }
            LoopStep::Zero => drop(self.session.forget_pass()),
            LoopStep::Backward(text) => {
                let root = self.found(text)?;
                let [root] = root.nodes() else {
                    return Err(Diagnostic::new("a pass starts from one number"));
                };
                self.session.aim_at(root, text);
                self.session.backward(root);
                round.value = Some(root.data());
            }
            LoopStep::Update(p, parameters, formula) => {
                self.run(&format!("{p} = {parameters}"), round)?;
                let leaves = self.found(p)?;
                if leaves.nodes().iter().any(|leaf| !leaf.is_leaf()) {
                    let message = format!("`{parameters}` are not all leaves");
                    return Err(Diagnostic::new(message));
                }
                let list = format!("[{formula} for {p}, {p}_grad in zip({p}.data, {p}.grad)]");
                let moved = self.found(&list)?;
                let pairs = leaves.nodes().iter().zip(moved.nodes());
                round.moved.extend(pairs.map(|(leaf, moved)| Setting {
                    leaf: Rc::clone(leaf),
                    data: moved.data(),
                }));
            }
        }
        Ok(())
    }

    /// Runs a line, or what it means in Python.
    fn run(&mut self, line: &str, round: &mut Round) -> Result<Reply, Diagnostic> {
        let lines = python::expression(self.session, line);
        let done = run_lines(self.session, &lines)
            .map_err(|error| python::advised(self.session, &lines, error))?;
        round.kept += &(lines.replace('\n', ";\n") + ";\n");
        Ok(done)
    }

    /// The value of an expression, in Python's spelling or our own.
    fn found(&mut self, expression: &str) -> Result<Value, Diagnostic> {
        let line = python::expression(self.session, expression);
        let read = syntax::expression(&line, Span::new(0, line.len()));
        let read = read.map_err(|error| self.session.explain(error))?;
        let (value, _) = self.session.evaluate(&line, &read)?;
        Ok(value)
    }
}

/// Where a loop has led that prints nothing.
fn summary(values: &[f64], moved: usize) -> Report {
    let (facts, line) = match values {
        [first, ..] => (
            vec![("values", values.iter().copied().collect())],
            say!(
                "{} → {} in {} rounds",
                *first,
                *values.last().unwrap_or(first),
                values.len().to_string()
            ),
        ),
        [] if moved == 0 => (vec![("moved", moved.into())], say!("gradients forgotten")),
        [] => (
            vec![("moved", moved.into())],
            say!("moved: {} parameters", moved.to_string()),
        ),
    };
    Report::done("train", facts, line)
}

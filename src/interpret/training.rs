//! A training loop of Python as one statement: `for k in range(20):` with its forward lines, the pass back, the update of
//! the parameters and `print`.
//!
//! Each round runs the forward lines anew, and leaves nothing behind but the parameters that it has moved. When the loop
//! ends, the lines are run once more, so that all names have the values that belong to the trained parameters.

use std::ops::Range;
use std::rc::Rc;

use super::python::{self, Meaning, PythonLine, is_assignment, lines};
use super::{StatementRun, read_and_run, run_lines};
use crate::commands::Reply;
use crate::diagnostic::Diagnostic;
use crate::report::{Report, say};
use crate::session::values::Value;
use crate::session::{Setting, SummedGradients, Widths};
use crate::stop;
use crate::syntax::precedence::level;
use crate::syntax::{self, Cut, Head, ItemKind, Span};

/// A loop, or the body of one.
pub(super) struct TrainingLoop<'t> {
    /// The variable and the `range` that it goes through; nothing for a loop over the parameters alone.
    counter: Option<(&'t str, &'t str)>,
    body: Vec<LoopStep<'t>>,
}

/// A line of the body.
enum LoopStep<'t> {
    /// Any statement, and where it stands.
    Line(String, Range<usize>),
    /// `p.grad = 0` for all parameters, `n.zero_grad()`
    Zero,
    /// `loss.backward()`
    Backward(&'t str, Range<usize>),
    /// `p.data += -0.1 * p.grad` for all parameters
    Update(Update<'t>),
    /// `if k % 10 == 0:` before `print`
    If(&'t str, Range<usize>, Vec<LoopStep<'t>>),
}

/// How the parameters move.
struct Update<'t> {
    parameters: &'t str,
    sign: f64,
    rate: &'t str,
    place: Range<usize>,
}

/// What is wrong with a line, in place of the text.
type Read<T> = Result<T, Diagnostic>;

/// The training loop that a text is; `None` if it is another one.
pub(super) fn read(text: &str) -> Option<Read<TrainingLoop<'_>>> {
    let (variable, over, inside) = head(text)?;
    let range = over
        .strip_prefix("range(")
        .and_then(|it| it.strip_suffix(')'));
    let is_training = text.contains(".backward()");
    if range.is_none() && !inside.contains(".grad") || range.is_some() && !is_training {
        return None;
    }
    let mut reader = LoopReader {
        text,
        lines: lines(inside),
        next: 0,
        updated: false,
    };
    let body = match range {
        Some(_) => reader.body(0),
        None => reader.over_parameters(variable, over, 0),
    };
    let counter = range.map(|_| (variable, over));
    Some(body.map(|body| TrainingLoop { counter, body }))
}

/// The variable of `for p in n.parameters():`, what it goes through, and what follows.
fn head(text: &str) -> Option<(&str, &str, &str)> {
    let rest = text.trim_start().strip_prefix("for ")?;
    let (variable, rest) = rest.split_once(" in ")?;
    let end = rest.find(':')?;
    let variable = variable.trim();
    syntax::is_name(variable).then(|| (variable, rest[..end].trim(), &rest[end + 1..]))
}

struct LoopReader<'t> {
    text: &'t str,
    lines: Vec<PythonLine<'t>>,
    next: usize,
    /// The parameters have been moved in this round.
    updated: bool,
}

impl<'t> LoopReader<'t> {
    fn place(&self, line: &str) -> Range<usize> {
        let start = line.as_ptr() as usize - self.text.as_ptr() as usize;
        start..start + line.len()
    }

    /// The next line, if it is indented so far.
    fn line(&mut self, least: usize) -> Option<PythonLine<'t>> {
        let line = self
            .lines
            .get(self.next)
            .filter(|(indent, _)| *indent >= least)?;
        self.next += 1;
        Some(*line)
    }

    fn body(&mut self, least: usize) -> Read<Vec<LoopStep<'t>>> {
        let mut body = Vec::new();
        while let Some((indent, line)) = self.line(least) {
            let place = self.place(line);
            if let Some((variable, over, _)) = head(line) {
                body.extend(self.over_parameters(variable, over, indent + 1)?);
            } else if let Some(condition) = line.strip_prefix("if ") {
                let condition = condition.split(':').next().unwrap_or_default();
                let mut inside = Vec::new();
                while let Some((_, line)) = self.line(indent + 1) {
                    if !line.starts_with("print(") {
                        return Err(self.unknown(line));
                    }
                    inside.push(LoopStep::Line(line.to_string(), self.place(line)));
                }
                body.push(LoopStep::If(condition, place, inside));
            } else if let Some(root) = line.strip_suffix(".backward()") {
                body.push(LoopStep::Backward(root, place));
            } else if line.ends_with(".zero_grad()") {
                body.push(LoopStep::Zero);
            } else if line.starts_with("print(") {
                body.push(LoopStep::Line(line.to_string(), place));
            } else if is_assignment(line) && !self.updated {
                body.push(LoopStep::Line(syntax::one_line(line), place));
            } else if line != "pass" {
                return Err(self.unknown(line));
            }
        }
        Ok(body)
    }

    /// `p.grad = 0` and `p.data += -0.1 * p.grad`, for each parameter `p`.
    fn over_parameters(
        &mut self,
        p: &str,
        parameters: &'t str,
        least: usize,
    ) -> Read<Vec<LoopStep<'t>>> {
        let mut body = Vec::new();
        while let Some((_, line)) = self.line(least) {
            let code = line.split('#').next().unwrap_or_default().trim();
            body.push(match update(p, code) {
                Some((sign, rate)) => {
                    self.updated = true;
                    LoopStep::Update(Update {
                        parameters,
                        sign,
                        rate,
                        place: self.place(line),
                    })
                }
                None if is_zeroing(p, code) => LoopStep::Zero,
                None => return Err(self.unknown(line)),
            });
        }
        Ok(body)
    }

    fn unknown(&self, line: &str) -> Diagnostic {
        let message = if self.updated && is_assignment(line) {
            "the parameters are moved at the end of a round, behind the forward lines"
        } else {
            "a training loop has no such line here"
        };
        let help = "it may hold `loss = …`, `p.grad = 0` for all parameters, `loss.backward()`, `p.data += -0.1 * p.grad`, `print`, and `if k % 10 == 0:` before `print`";
        Diagnostic::new(message).at(self.place(line)).help(help)
    }
}

/// `p.grad = 0.0`, `p.grad = None`
fn is_zeroing(p: &str, line: &str) -> bool {
    let value = line
        .strip_prefix(p)
        .and_then(|rest| rest.strip_prefix(".grad"));
    let value = value
        .and_then(|rest| rest.trim_start().strip_prefix('='))
        .map(str::trim);
    value.is_some_and(|value| value == "None" || value.parse() == Ok(0.0))
}

/// The sign and the rate of `p.data += -0.1 * p.grad`, `p.data -= rate * p.grad`.
fn update<'t>(p: &str, line: &'t str) -> Option<(f64, &'t str)> {
    let rest = line.strip_prefix(p)?.strip_prefix(".data")?.trim_start();
    let (sign, value) = match rest.get(..2)? {
        "+=" => (1.0, &rest[2..]),
        "-=" => (-1.0, &rest[2..]),
        _ => {
            let value = rest.strip_prefix('=')?.trim_start();
            let value = value.strip_prefix(p)?.strip_prefix(".data")?.trim_start();
            let sign = if value.starts_with('+') { 1.0 } else { -1.0 };
            (sign, value.strip_prefix(['+', '-'])?)
        }
    };
    let grad = format!("{p}.grad");
    let value = value.trim();
    if value == grad {
        return Some((sign, "1"));
    }
    let before = value
        .strip_suffix(&grad)
        .and_then(|it| it.trim_end().strip_suffix('*'));
    let behind = || {
        value
            .strip_prefix(&grad)
            .and_then(|it| it.trim_start().strip_prefix('*'))
    };
    let rate = before.or_else(behind)?.trim();
    let last = syntax::as_expression(rate)?.items.last()?.kind;
    // `p.data += 1 - 0.1 * p.grad` moves by more than a rate times the gradient.
    let is_factor = match last {
        ItemKind::Apply(Head::Operator(operator), 2) => operator.level > level::SUM,
        _ => true,
    };
    (is_factor && !rate.contains(&format!("{p}."))).then_some((sign, rate))
}

/// What one round has shown and led to.
#[derive(Default)]
struct Round {
    shown: Vec<Report>,
    value: Option<f64>,
    moved: Vec<Setting>,
}

impl StatementRun<'_, '_> {
    /// Runs a loop; the places of errors are in its text.
    pub(super) fn train(&mut self, training: &TrainingLoop) -> Result<Reply, Diagnostic> {
        let (variable, rounds) = match training.counter {
            Some((variable, range)) => (variable, self.rounds(range)?),
            None => return self.once(&training.body),
        };
        let host = self.session.host();
        let start = self.session.savepoint();
        let total = rounds.len() as u64;
        let mut grads = SummedGradients::present(self.session);
        let mut moved: Vec<Setting> = Vec::new();
        let mut reports = Vec::new();
        let mut values = Vec::new();
        let mut last = None;
        let mut interrupted = false;
        for (done, k) in (0..).zip(rounds) {
            let stop = Rc::clone(&host);
            let round = stop::interruptible(
                move || stop.stop(),
                || {
                    stop::ask_now();
                    let mut round = Round::default();
                    self.run(&count(variable, k))?;
                    self.steps(&training.body, &mut grads, &mut round)?;
                    Ok::<Round, Diagnostic>(round)
                },
            );
            let round = match round {
                Ok(Ok(round)) => Some(round),
                Ok(Err(error)) if !error.interrupted => return Err(error),
                _ => None,
            };
            if self.session.drew_since(&start) {
                let message =
                    "a training loop draws no random numbers: each round would draw the same ones";
                let error = Diagnostic::new(message).at(0..self.statement().len());
                return Err(error
                    .help("draw them before the loop: `noise = [uniform(-1, 1) for i in 1..9]`"));
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
        let Some(k) = last else {
            return Err(Diagnostic::interrupted());
        };
        let mut kept = vec![count(variable, k)];
        stop::undisturbed(|| {
            self.run(&kept[0])?;
            self.end(&training.body, &mut kept)
        })?;
        self.session
            .keep_as(kept.join("\n").replace('\n', ";\n") + ";\n");
        self.session.keep_moved();
        Ok(self.trained(reports, &values, interrupted))
    }

    /// `for p in n.parameters(): p.data += -0.1 * p.grad`
    fn once(&mut self, body: &[LoopStep]) -> Result<Reply, Diagnostic> {
        let mut grads = SummedGradients::present(self.session);
        let mut round = Round::default();
        self.steps(body, &mut grads, &mut round)?;
        if body.iter().any(|step| matches!(step, LoopStep::Zero)) {
            self.session.forget_pass();
        }
        self.session.set(&round.moved, Widths::new(), |_, _| {});
        self.session.keep_as("");
        self.session.keep_moved();
        let count = round.moved.len();
        Ok(self.reply(Vec::new(), |_| {
            let line = match count {
                0 => say!("gradients forgotten"),
                count => say!("moved: {} parameters", count.to_string()),
            };
            Report::done("train", vec![("moved", count.into())], line)
        }))
    }

    /// The numbers of `range(20)`, `range(5, 20)`, `range(0, 20, 2)`.
    fn rounds(&mut self, range: &str) -> Result<Vec<f64>, Diagnostic> {
        let made = self.session.made();
        let at = 0..self.statement().find(':').unwrap_or_default();
        let numbers = self.found(range).map_err(|error| error.at(at))?;
        let rounds = numbers.nodes().iter().map(|number| number.data()).collect();
        drop(numbers);
        self.session.rewind(made);
        Ok(rounds)
    }

    fn steps(
        &mut self,
        steps: &[LoopStep],
        grads: &mut SummedGradients,
        round: &mut Round,
    ) -> Result<(), Diagnostic> {
        for step in steps {
            match step {
                LoopStep::Line(line, place) => {
                    let (reply, _) = self.run(line).map_err(|error| error.at(place.clone()))?;
                    round
                        .shown
                        .extend(reply.report.filter(|_| line.starts_with("print")));
                }
                LoopStep::Zero => grads.clear(),
                LoopStep::Backward(root, place) => {
                    let root = self.found(root).map_err(|error| error.at(place.clone()))?;
                    let [root] = root.nodes() else {
                        return Err(
                            Diagnostic::new("a pass starts from one number").at(place.clone())
                        );
                    };
                    grads.add(self.session, root);
                    round.value = Some(root.data());
                }
                LoopStep::Update(update) => {
                    let moved = self.moved(update, grads);
                    round
                        .moved
                        .extend(moved.map_err(|error| error.at(update.place.clone()))?);
                }
                LoopStep::If(condition, place, inside) => {
                    let holds = self.number(condition);
                    if holds.map_err(|error| error.at(place.clone()))? != 0.0 {
                        self.steps(inside, grads, round)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// Where the parameters go.
    fn moved(
        &mut self,
        update: &Update,
        grads: &SummedGradients,
    ) -> Result<Vec<Setting>, Diagnostic> {
        let rate = update.sign * self.number(update.rate)?;
        let parameters = self.found(update.parameters)?;
        if parameters.nodes().iter().any(|leaf| !leaf.is_leaf()) {
            let message = format!("`{}` are not all leaves", update.parameters);
            return Err(Diagnostic::new(message));
        }
        Ok(grads.moved(parameters.nodes(), rate))
    }

    /// Runs the assignments once more, and notes them.
    fn end(&mut self, steps: &[LoopStep], kept: &mut Vec<String>) -> Result<(), Diagnostic> {
        let mut root = None;
        for step in steps {
            match step {
                LoopStep::Line(line, place) if !line.starts_with("print") => {
                    let (_, line) = self.run(line).map_err(|error| error.at(place.clone()))?;
                    kept.push(line);
                }
                LoopStep::Backward(name, _) => root = Some(*name),
                _ => {}
            }
        }
        if let Some(root) = root
            && let [root] = self.found(root)?.nodes()
        {
            self.session.backward(root);
        }
        Ok(())
    }

    /// Runs a line, or what it means in Python, and returns what was run.
    fn run(&mut self, line: &str) -> Result<(Reply, String), Diagnostic> {
        let cut = Cut {
            span: Span::new(0, line.len()),
            silenced: false,
        };
        let before = self.session.savepoint();
        let error = match read_and_run(self.session, line, &cut) {
            Err(error) if !error.interrupted => error,
            done => return Ok((done?, line.to_string())),
        };
        self.session.go_back(before);
        match python::meaning(self.session, line, &cut) {
            Some(Meaning::Line(lines)) => Ok((run_lines(self.session, &lines)?, lines)),
            Some(Meaning::Refused(advice)) => Err(advice),
            _ => Err(error),
        }
    }

    /// The value of an expression, in Python's spelling or our own.
    fn found(&mut self, expression: &str) -> Result<Value, Diagnostic> {
        let line = python::expression(self.session, expression);
        let read = syntax::expression(&line, Span::new(0, line.len()));
        let read = read.map_err(|error| self.session.explain(error))?;
        let (value, _) = self.session.evaluate(&line, &read)?;
        Ok(value)
    }

    fn number(&mut self, expression: &str) -> Result<f64, Diagnostic> {
        match self.found(expression)?.nodes() {
            [node] => Ok(node.data()),
            _ => Err(Diagnostic::new(format!(
                "`{}` is not one number",
                expression.trim()
            ))),
        }
    }

    /// What the loop answers: what it has printed, or where it has led.
    fn trained(&self, mut reports: Vec<Report>, values: &[f64], interrupted: bool) -> Reply {
        if reports.is_empty()
            && let (Some(first), Some(last)) = (values.first(), values.last())
        {
            let facts = vec![("values", values.iter().copied().collect())];
            let line = say!(
                "{} → {} in {} rounds",
                *first,
                *last,
                values.len().to_string()
            );
            reports.push(Report::done("train", facts, line));
        }
        let mut reports = reports.into_iter().filter(|_| !self.cut.silenced);
        Reply {
            report: reports.next(),
            more: reports.collect(),
            interrupted,
            ..Reply::default()
        }
    }
}

/// `const k = 3`
fn count(variable: &str, k: f64) -> String {
    format!("const {variable} = {k}")
}

//! Runs blocks and single lines as one statement. The session compiles and runs the code. Ctrl-C keeps the finished
//! rounds of the outermost loop. For the line at which an error of a block points, `python` is asked for advice.
//!
//! Single lines in Python's spelling have answers of other statements: `L.backward()` is `:backward L`, `a.data = 3` is
//! `:set a 3` except that it keeps the gradients, and `print(L)` is `L`. Only `n.label = 'n'` has no other spelling.

use std::rc::Rc;

use super::{BlockRun, replacements_after_stop};
use crate::command::Reply;
use crate::command::args::existing;
use crate::commands::gradients::grad::BACKWARD;
use crate::interpret::answers::{definition_report, result};
use crate::interpret::print::printed_lines;
use crate::interpret::{StatementRun, python, shows_grad};
use chainrule_engine::graph::Node;
use chainrule_formulas::expanded_body;
use chainrule_language::{self as language, BindingTarget, ListChange, Span, Step, StepKind};
use chainrule_program::compile;
use chainrule_program::functions::AnyValue;
use chainrule_program::values::Value;
use chainrule_report::diagnostic::{Diagnostic, LineInside, Result};
use chainrule_report::{Block, Fact, Line, Report, ReportKind, Values, plural, say};
use chainrule_session::{Reader, Session};

impl StatementRun<'_, '_> {
    /// Runs a block, or defines a function.
    pub(in crate::interpret) fn run_block(&mut self, steps: &[Step]) -> Result<Reply> {
        let name = defined_name(steps);
        if name.is_none() {
            self.session.begin_block();
        }
        let mut run = BlockRun::default();
        self.run_steps(steps, &mut run)?;
        let moved = run.end_block(self.session);
        let functions = self.session.functions();
        let Some(function) = name.and_then(|name| functions.get(name)).cloned() else {
            return Ok(run.reply(self, moved));
        };
        let expanded = expanded_body(self.session, &function);
        let mut reply = self.reply(|session| definition_report(session, &function, expanded));
        run.put_above(&mut reply);
        Ok(reply)
    }

    /// Runs a line that is no expression, binding, definition or block.
    pub(in crate::interpret) fn run_line(&mut self, kind: StepKind) -> Result<Reply> {
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
        self.session.reads_missing_grads = match &step.kind {
            StepKind::Print { values, .. } => values.iter().any(shows_grad),
            _ => false,
        };
        let done = self.run_steps(std::slice::from_ref(&step), &mut run);
        self.session.reads_missing_grads = false;
        done?;
        run.end_block(self.session);
        let shown = std::mem::take(&mut run.shown);
        let mut reply = match step.kind {
            StepKind::Print { values, .. } => {
                for (typed, value) in values.iter().zip(&shown) {
                    if let AnyValue::Numbers(Value::Node(node)) = value {
                        self.session.aim_at(node, typed.span.of(self.text));
                    }
                }
                // The values become results.
                for value in shown.iter().filter_map(AnyValue::numbers) {
                    self.session.answer(value.clone());
                }
                let printed = run.printed.pop().expect("it has printed");
                self.reply(|session| print_report(session, &shown, printed))
            }
            StepKind::Label { node, .. } => {
                let found = existing::node(self.session, self.text, node.span)?;
                self.reply(|session| label_report(session, &found))
            }
            StepKind::ChangeList { list, change, .. } => self.answer_list(&list, change),
            _ => Reply {
                report: run.report.take(),
                ..Reply::default()
            },
        };
        run.put_above(&mut reply);
        Ok(reply)
    }

    /// Runs steps. `run` performs their acts.
    fn run_steps(&mut self, steps: &[Step], run: &mut BlockRun) -> Result<()> {
        let is_line = run.line.is_some();
        let code = compile::block(self.session, self.text, steps, is_line)?;
        let done = self.session.run_block(self.text, &code, run);
        self.session.host().end_progress();
        let notes = match done {
            Ok(notes) => notes,
            // Advice on a line is found when all of it has failed.
            Err(error) if is_line => return Err(*error),
            Err(error) => return Err(self.with_advice(*error)),
        };
        if let Some(stopped) = run.stopped {
            run.replacements = replacements_after_stop(stopped, self.text, self.cut.span);
        } else if run.rounds > 0 {
            run.values.extend(run.value.take());
        }
        run.add_notes(notes);
        Ok(())
    }
}

impl StatementRun<'_, '_> {
    /// The error of a text that cannot be read, or better advice if it is a block.
    pub(in crate::interpret) fn advice_on_block(&self, error: Diagnostic) -> Diagnostic {
        let statement = self.statement();
        if !language::begins_block(statement) || is_class(statement) {
            return error;
        }
        self.with_advice(error)
    }

    /// The error of a line, or better advice on it.
    pub(in crate::interpret) fn with_advice(&self, error: Diagnostic) -> Diagnostic {
        if let Some(inside) = error.inside.clone() {
            return self.with_advice_in_function(error, inside);
        }
        let Some(span) = error.span.clone() else {
            return error;
        };
        let text = &self.text[..self.cut.span.end as usize];
        let lines = language::code_lines(text, self.cut.span.start as usize);
        let is_before = |start: u32| start as usize <= span.start;
        let Some(line) = lines.iter().rfind(|line| is_before(line.span.start)) else {
            return error;
        };
        let code = line.span.of(text);
        let by_row = python::meaning_by_row(self.session, code, "blocks");
        if let Some(python::OtherMeaning::Refused(advice)) = by_row {
            return advice.at(line.span);
        }
        let behind = expression_behind_keyword(code);
        let is_about_line = behind.is_some() && span.start == line.span.start as usize;
        let bare = behind.unwrap_or(code).trim_end_matches(':');
        if is_about_line || bare.is_empty() {
            return error;
        }
        let bare_start = bare.as_ptr() as usize - text.as_ptr() as usize;
        python::advice_or(self.session, (bare, bare_start), error)
    }

    /// The error of a line in a function, or better advice on that line.
    fn with_advice_in_function(&self, error: Diagnostic, inside: Box<LineInside>) -> Diagnostic {
        // An error at the head of a function is about all of its lines.
        if language::begins_definition(&inside.line) {
            return error;
        }
        let span = error.span.clone();
        let code = inside.line.trim_start_matches("return ").to_owned();
        Diagnostic {
            inside: Some(inside),
            span,
            ..python::advice_or(self.session, (&code, 0), error)
        }
    }

    /// Replaces the table of a pass through a network, whose rows are too many to read, by one line.
    fn without_rows_of_network(&self, mut reply: Reply, target: Span) -> Reply {
        let session = &*self.session;
        let Some(pass) = session
            .pass()
            .filter(|_| session.show.reader == Reader::Person)
        else {
            return reply;
        };
        let nodes = pass.order().nodes().iter();
        let leaves: Vec<_> = nodes.filter(|it| it.is_leaf() && it.is_free()).collect();
        let network = leaves.iter().find_map(|leaf| network_of(session, leaf));
        if let (Some(report), Some(network)) = (&mut reply.report, network) {
            let command = format!(":grad {} wrt {network}", target.of(self.text));
            let line = say!("{} leaves have grads; {:typed}", leaves.len(), command);
            report.blocks = vec![Block::Line(line)];
        }
        reply
    }

    /// The answer to a change of a list. That to `x.append(3)` takes no longer for a long list.
    fn answer_list(&mut self, target: &BindingTarget, change: ListChange) -> Reply {
        let name = target.name;
        let list = self.session.names().find(name);
        if change == ListChange::Replace {
            let values: Vec<Value> = list.cloned().into_iter().collect();
            return self.answer_names(std::slice::from_ref(target), &values, Vec::new());
        }
        let count = list.and_then(|list| list.shape().count()).unwrap_or(0);
        self.reply(|_| {
            let facts = vec![("name", Fact::from(name)), ("items", count.into())];
            let line = say!("{:name} has {}", name, plural(count, "item"));
            Report::confirming(ReportKind::Append, facts, line)
        })
    }
}

/// The name of the network whose weights include a leaf: `n` for a leaf in the list `n_0`.
fn network_of(session: &Session, leaf: &Rc<Node>) -> Option<String> {
    let names = session.names();
    let list = names.name_without_place(names.list_name_of(leaf)?);
    let (network, _) = list.rsplit_once('_')?;
    (session.functions().is_weight_list(&list)).then(|| network.to_owned())
}

fn label_report(session: &Session, node: &Rc<Node>) -> Report {
    let name = session.label(node);
    let given = session.names().labels.of(node);
    let shown = given.map_or_else(|| name.clone(), ToString::to_string);
    // The lecture labels every value with its own name, which needs no confirmation.
    let is_news = shown != name;
    let line = || Block::Line(say!("{:name} is shown as {:name}", &name, &shown));
    let blocks = Vec::from_iter(is_news.then(line));
    let facts = vec![("node", Fact::Text(name)), ("label", Fact::Text(shown))];
    Report::new(ReportKind::Label, facts, blocks).as_confirmation()
}

/// The answer to `print(L)`, `print('L', L)`, `print(f"L is {L}")`.
fn print_report(session: &Session, values: &[AnyValue], (line, items): (Line, Fact)) -> Report {
    let mut blocks = printed_lines([line]);
    let mut kind = ReportKind::Print;
    if let [AnyValue::Numbers(only)] = values {
        kind = ReportKind::PrintedValue;
        blocks.push(Block::Values(Values {
            values: vec![result(Line::new(), Rc::new(session.numbers(only)))],
            is_hidden: true,
            ..Values::default()
        }));
    }
    Report::new(kind, vec![("items", items)], blocks)
}

/// The name of the function that these steps define, if they do nothing else.
pub(in crate::interpret) fn defined_name<'t>(steps: &[Step]) -> Option<&'t str> {
    let [only] = steps else { return None };
    match &only.kind {
        StepKind::Define(definition) => Some(definition.name.name),
        _ => None,
    }
}

/// Whether a text is a class of Python.
pub(in crate::interpret) fn is_class(text: &str) -> bool {
    text.trim_start().starts_with("class")
}

/// The expression of a line that begins with a keyword: `x > 0:` in `if x > 0:`, and `xs:` in `for x in xs:`. `None` for a
/// line without a keyword.
fn expression_behind_keyword(code: &str) -> Option<&str> {
    let (word, rest) = code.split_once([' ', ':']).unwrap_or((code, ""));
    if language::head_end(code).is_none() && word != "return" {
        return None;
    }
    let list = rest.split_once(" in ").filter(|_| word == "for");
    Some(list.map_or(rest, |(_variables, list)| list))
}

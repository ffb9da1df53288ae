//! Runs one statement: text in, a reply or a diagnostic out.
//!
//! [`statement`] calls `StatementRun::run_statement` in `other_meanings`, which tries the statement as typed and, if that
//! fails, with other meanings. Each try is one step of undo and calls `parse_and_run`. That parses the text, passes commands
//! to `commands` and everything else to the session, and makes a report of the result. `completion`, `highlight` and
//! `preview` help while a statement is typed.

mod answers;
mod block;
mod completion;
mod equations;
mod highlight;
mod implied_signs;
mod letters;
mod looks;
mod meaning;
mod other_meanings;
mod preview;
mod print;
mod python;
mod waiting;

pub use self::completion::{Candidate, Completions, Files, MOST_CANDIDATES, completions};
pub use self::highlight::{MOST_BYTES as MOST_HIGHLIGHTED, highlight};
pub(crate) use self::meaning::{Again, Meaning};
pub use self::preview::{Preview, preview};
pub use self::print::MOST_PRINTED;
pub use self::waiting::MOST_WAITING;

use self::answers::{
    bound_value, reading_line, repeats, result, short_derivative, short_formula, shown_value,
    text_report,
};
use self::block::{BlockRun, defined_name};
use self::print::write_value;
use crate::command::args::Arguments;
use crate::command::{Command, CommandTrait, Reply};
use crate::commands;
use crate::commands::by_hand::guess;
use chainrule_engine::ops;
use chainrule_language::{
    self as language, Binding, BindingTarget, CommandLine, Expression, Head, Item, ItemKind, Name,
    Property, Span, Statement, StatementSpan, StepKind,
};
use chainrule_program::Environment as _;
use chainrule_program::compile::sides_of_derivative;
use chainrule_program::functions::AnyValue;
use chainrule_program::names::has_letters;
use chainrule_program::values::Value;
use chainrule_report::diagnostic::{Diagnostic, Result};
use chainrule_report::{
    Block, Fact, Line, NamedValue, Note, Piece, Report, ReportKind, Role, ValueFormula, Values, say,
};
use chainrule_session::{NoteOnce, Reader, Session, explain};

/// Runs one statement of a text. A statement that fails leaves no trace, not even in the ids of later nodes.
pub fn statement(session: &mut Session, text: &str, cut: &StatementSpan) -> Result<Reply> {
    session.program_mut().has_read_grad = false;
    let mut done = StatementRun { session, text, cut }.run_statement();
    if let Ok(reply) = &mut done {
        reply.notes.extend(note_on_log(session, cut.span.of(text)));
    }
    // The comments above a statement are saved with it, unless it is empty or the shell goes on with its effect.
    let is_empty = cut.span.of(text).trim().is_empty();
    let keeps_comments = |reply: &Reply| reply.effect.is_some() || is_empty;
    if !done.as_ref().is_ok_and(keeps_comments) {
        session.forget_remarks();
    }
    done
}

/// The note for a person who types `log`, which has base 10 in books. `math.log` of Python is ln, too.
fn note_on_log(session: &mut Session, statement: &str) -> Option<Note> {
    if !session.show.reads_letters {
        return None;
    }
    let ln = ops::function("ln", 1);
    let is_log = |name: &String| {
        let is_own = session.functions().get(name).is_some();
        name != "ln" && !is_own && ops::function(name, 1) == ln
    };
    // `:log` is a command.
    let words = usize::from(language::begins_command(statement));
    let log = meaning::names_in(statement).skip(words).find(is_log)?;
    let note = || Note::new(say!("{} is ln; lg and log10 have base 10", log));
    session.is_first(NoteOnce::Log).then(note)
}

/// Parses a statement and runs it. In a walk that asks a question, `?` and expressions are answers.
fn parse_and_run(run: &mut StatementRun) -> Result<Reply> {
    let walk = run.session.walk();
    let has_question = walk.is_some_and(|walk| walk.question().is_some());
    if has_question && run.statement().trim() == "?" {
        return guess::answer_in_walk(run.session, run.text, None);
    }
    let parsed = match language::statement(run.text, run.cut) {
        Ok(parsed) => parsed,
        Err(error) => return Err(run.advice_on_block(explain(run.session, error))),
    };
    if run.session.replay.results.is_some() {
        return run.answer_again(parsed);
    }
    match parsed {
        Statement::Empty => Ok(Reply::default()),
        Statement::Command(command) => run.run_command(&command),
        Statement::Binding(binding) => run.bind(&binding),
        Statement::Step(step) => run.run_line(step),
        Statement::Block(steps) => {
            run.refuse_equation(&steps)?;
            run.run_block(&steps)
        }
        Statement::Expression(expression) => match run.python_statement(&expression)? {
            Some(step) => run.run_line(step),
            None if has_question => guess::answer_in_walk(run.session, run.text, Some(&expression)),
            None => run.evaluate(&expression),
        },
    }
}

/// Runs a statement that the program has written.
fn run_line(session: &mut Session, text: &str) -> Result<Reply> {
    let cut = &StatementSpan::whole(text);
    parse_and_run(&mut StatementRun { session, text, cut })
}

/// Runs several statements, one in each line, and joins their reports.
fn run_lines(session: &mut Session, lines: &str) -> Result<Reply> {
    let mut reply = Reply::default();
    for line in lines.lines() {
        let done = run_line(session, line)?;
        reply.notes.extend(done.notes);
        match (&mut reply.report, done.report) {
            (_, Some(report)) if repeats(&report, line) => {}
            (Some(first), Some(report)) => first.blocks.extend(report.blocks),
            (first, report) => *first = first.take().or(report),
        }
    }
    Ok(reply)
}

/// A statement that is being run: its text, its place in the text, and the session that it changes.
struct StatementRun<'r, 't> {
    session: &'r mut Session,
    text: &'t str,
    cut: &'r StatementSpan,
}

impl<'t> StatementRun<'_, 't> {
    /// Runs the statement as typed, as one step of undo.
    fn run_as_typed(&mut self) -> Result<Reply> {
        self.run_in_one_step(|run| {
            let mut reply = parse_and_run(run)?;
            run.run_what_waited(&mut reply);
            Ok(reply)
        })
    }

    /// Does the work of the statement as one step of undo. If the work fails, undoes all of it.
    fn run_in_one_step(
        &mut self,
        work: impl FnOnce(&mut StatementRun<'_, 't>) -> Result<Reply>,
    ) -> Result<Reply> {
        let (text, cut) = (self.text, self.cut);
        let mut notes = Vec::new();
        // The reply changes in place, because it is large and would otherwise be moved for every statement.
        let mut done = (self.session).transact(text, cut, &mut notes, |session| {
            work(&mut StatementRun { session, text, cut })
        });
        if let Ok(reply) = &mut done {
            reply.notes.append(&mut notes);
            if reply.report.is_some() || reply.effect.is_some() {
                self.session.keep_shown();
            }
            if self.session.loads_saved_session() {
                reply.notes.clear();
                reply.report.take_if(|report| report.is_confirmation);
            }
        }
        done
    }

    fn statement(&self) -> &'t str {
        self.cut.span.of(self.text)
    }

    /// The reply of a statement that is done. A silenced statement makes no report.
    fn reply(&self, report: impl FnOnce(&Session) -> Report) -> Reply {
        Reply {
            report: (!self.cut.is_silenced).then(|| report(self.session)),
            ..Reply::default()
        }
    }

    /// Recognizes an expression that is a statement in Python's spelling, `L.backward()` or `print(L)`, unless the user
    /// has defined a function of that name.
    fn python_statement(&self, expression: &Expression) -> Result<Option<StepKind>> {
        match expression.items.last().map(|item| item.kind) {
            Some(ItemKind::Apply(Head::Function(name, 0), _))
                if !self.session.is_function(name) =>
            {
                let step = language::called_step(self.text, expression).transpose();
                step.map_err(|error| explain(self.session, error))
            }
            _ => Ok(None),
        }
    }

    /// Binds names to values and answers with them.
    fn bind(&mut self, binding: &Binding) -> Result<Reply> {
        let mut run = BlockRun::default();
        let (values, notes) = self.session.bind(self.text, binding, &mut run)?;
        let moved = run.end_block(self.session);
        if !self.session.host().shows_confirmations() {
            return Ok(run.reply(self, moved).with_notes(notes));
        }
        if let (true, [target]) = (values.is_empty(), &binding.targets[..])
            && let Some(text) = self.session.text(target.name).cloned()
        {
            return Ok(self
                .reply(|_| text_report(target.name, &text))
                .with_notes(notes));
        }
        if values.is_empty() {
            // A function without a value has done something, and the answer says what. `x = None` has done nothing.
            let has_acted = !run.printed.is_empty() || moved > 0;
            let reply = has_acted.then(|| run.reply(self, moved));
            return Ok(reply.unwrap_or_default().with_notes(notes));
        }
        let mut reply = self.answer_names(&binding.targets, &values, notes);
        // The output of a function is shown above the answer.
        run.put_above(&mut reply);
        Ok(reply)
    }

    /// Answers with names and their values.
    fn answer_names(
        &mut self,
        targets: &[BindingTarget],
        values: &[Value],
        mut notes: Vec<Note>,
    ) -> Reply {
        if self.cut.is_silenced {
            return Reply::default().with_notes(notes);
        }
        let mut named_values = Vec::with_capacity(values.len());
        for (target, value) in targets.iter().zip(values) {
            named_values.push(bound_value(self.session, target.name, value, &mut notes));
        }
        let block = Block::Values(Values {
            values: named_values,
            ..Values::default()
        });
        let report = Report::new(ReportKind::Binding, Vec::new(), vec![block]);
        Reply::show(report.as_confirmation()).with_notes(notes)
    }

    /// Answers a statement again, with the present data of leaves. Binds no name and adds no result: an expression has
    /// the next of the replayed results. Refuses a statement that would move leaves, or whose names are not bound.
    fn answer_again(&mut self, parsed: Statement) -> Result<Reply> {
        let refusal = || Diagnostic::new("this is not answered again");
        match parsed {
            Statement::Empty => Ok(Reply::default()),
            Statement::Command(command) => {
                let found = commands::find(command.word)?;
                if !found.is_answered_again() {
                    return Err(refusal());
                }
                self.run_command(&command)
            }
            Statement::Binding(binding) => {
                let names = self.session.names();
                let mut values = Vec::with_capacity(binding.targets.len());
                for target in &binding.targets {
                    values.push(names.find(target.name).cloned().ok_or_else(refusal)?);
                }
                Ok(self.answer_names(&binding.targets, &values, Vec::new()))
            }
            Statement::Expression(expression) => {
                let mut own = self.session.replay.results.iter_mut().flatten();
                let number = own.next().ok_or_else(refusal)?;
                let value = self.session.results().get(number).ok_or_else(refusal)?;
                let formula = self.formula_behind(&expression);
                Ok(self.answer_value(&value, number, formula, Vec::new()))
            }
            Statement::Block(steps) if defined_name(&steps).is_some() => Ok(Reply {
                notes: Vec::new(),
                ..self.run_block(&steps)?
            }),
            Statement::Block(_) | Statement::Step(_) => Err(refusal()),
        }
    }

    /// Evaluates an expression and answers with its value, which becomes a result if it is numbers.
    fn evaluate(&mut self, expression: &Expression) -> Result<Reply> {
        let mut run = BlockRun::default();
        self.session.reads_missing_grads = shows_grad(expression);
        let done = (self.session).evaluate_line(self.text, expression, &mut run);
        self.session.reads_missing_grads = false;
        let (any, notes) = done?;
        let moved = run.end_block(self.session);
        let value = match any {
            AnyValue::Numbers(value) => value,
            // A function without a value has done something, and the answer says what.
            AnyValue::None => return Ok(run.reply(self, moved).with_notes(notes)),
            AnyValue::Text(_) => {
                let (mut line, item) = write_value(self.session, &any, None, expression.span)?;
                line.push(Piece::plain("\n"));
                run.printed.push((line, Fact::List(vec![item])));
                return Ok(run.reply(self, moved).with_notes(notes));
            }
            function => return Err(*function.refusal(expression.span)),
        };
        if let Value::Node(node) = &value {
            self.session.aim_at(node, expression.span.of(self.text));
        }
        let formula = self.formula_behind(expression);
        let number = self.session.answer(value.clone());
        let mut reply = self.answer_value(&value, number, formula, notes);
        run.put_above(&mut reply);
        Ok(reply)
    }

    /// The formula of `dL/da`, `grad(L, a)`, `f'(x)` or `f(pi/3)`, typed alone, if it is short.
    fn formula_behind(&mut self, expression: &Expression) -> Option<ValueFormula> {
        let text = self.text;
        if (expression.is_primed_call() || self.calls_formula(expression)) && !self.cut.is_silenced
        {
            return (self.session).look(|session| short_formula(session, text, expression));
        }
        let may_be_derivative = expression.span.of(text).starts_with(['d', '∂', 'g']);
        if self.cut.is_silenced || !may_be_derivative {
            return None;
        }
        let sides = sides_of_derivative(self.session, text, expression)?;
        let found = (self.session).look(|session| short_derivative(session, text, &sides));
        found.map(ValueFormula::Derivative)
    }

    /// Whether a person has typed a call of one of the user's functions with numbers, and no loop runs in it.
    fn calls_formula(&self, expression: &Expression) -> bool {
        let called = expression.called();
        let function = called.and_then(|name| self.session.functions().get(name));
        self.session.show.reads_letters
            && function.is_some_and(|it| it.lines.is_none())
            && !has_letters(expression)
    }

    /// Answers with the value of an expression, the result with this number. `formula` is that of a derivative.
    fn answer_value(
        &mut self,
        value: &Value,
        number: u64,
        formula: Option<ValueFormula>,
        mut notes: Vec<Note>,
    ) -> Reply {
        if self.cut.is_silenced {
            return Reply::default().with_notes(notes);
        }
        let shown = shown_value(self.session, value, &mut notes);
        let mut before = Line::new();
        if self.session.show.shows_numbers {
            before.push(Piece::Words(Role::Place, format!("${number}")));
            before.push(Piece::dim(" = "));
        }
        before.extend(reading_line(self.session, value));
        let answer = NamedValue {
            formula,
            ..result(before, shown)
        };
        let block = Block::Values(Values {
            values: vec![answer],
            rows: self.session.table_rows(),
            ..Values::default()
        });
        let facts = vec![("statement", self.statement().trim().into())];
        Reply::show(Report::new(ReportKind::Value, facts, vec![block])).with_notes(notes)
    }

    fn run_command(&mut self, command: &CommandLine) -> Result<Reply> {
        let found = commands::find(command.word).map_err(|error| error.at(command.span))?;
        let mut reply = self.carry_out(found, command.span, command.rest)?;
        if self.cut.is_silenced {
            // What was handed in as a saved session has a `;` behind each guess, and its reader wants the verdicts.
            let shows_verdicts = self.session.show.shows_verdicts;
            reply.report = reply.report.filter(|it| shows_verdicts && it.is_verdict);
            reply.more.clear();
        }
        Ok(reply)
    }

    /// Runs a command. The spans are those of its name and of the rest of its line.
    fn carry_out(
        &mut self,
        command: &'static Command,
        name_span: Span,
        rest: Span,
    ) -> Result<Reply> {
        let mut arguments = Arguments::parse(command, self.text, self.cut, name_span, rest)?;
        if let Some(file) = arguments.file_word() {
            // A saved session repeats the command without the file, because loading must not write files.
            self.session.keeping().replace_part(file, "");
        }
        let table = arguments.table_file();
        let reader = self.session.show.reader;
        if table.is_some() {
            // A file gets the whole table, even after `;`.
            arguments.is_silenced = false;
            self.session.show.reader = Reader::Program;
        }
        let run = |session: &mut Session| (command.run)(session, &arguments);
        let mut done = if command.has(CommandTrait::ReadOnly) {
            self.session.look(run)
        } else {
            run(self.session)
        };
        if let Some(file) = table {
            done = done.and_then(|reply| reply.write_tables(self.session, &file));
        }
        self.session.show.reader = reader;
        let reply = done?;
        match reply.definition.as_deref() {
            Some(definition) => run_line(self.session, definition),
            None => Ok(reply),
        }
    }
}

/// Whether an expression that is shown is a grad, or a list of grads: `a.grad, b.grad`.
fn shows_grad(shown: &Expression) -> bool {
    let is_grad = |item: &Item<Name>| item.kind == ItemKind::Property(Property::Grad);
    let is_last_grad = shown.items.last().is_some_and(is_grad);
    let is_list = shown
        .items
        .last()
        .is_some_and(|item| item.kind.is_written_list());
    is_last_grad || is_list && shown.items.iter().any(is_grad)
}

/// The names that the statements of a text bind.
pub fn bound_names(text: &str) -> Vec<String> {
    Meaning::all_in(text).flat_map(|it| it.bound).collect()
}

/// The command of a statement; `None` for any other statement.
fn command_of(statement: &Statement) -> Option<&'static Command> {
    match statement {
        Statement::Command(command) => commands::find(command.word).ok(),
        _ => None,
    }
}

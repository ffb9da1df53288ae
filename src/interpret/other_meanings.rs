//! Runs a statement as typed or, if that fails, as a line with the same meaning, such as a translation from Python.
//!
//! This file and `python` look for another meaning only after a statement has failed. Therefore the user's own names
//! always win, and a statement of this language takes no longer.

use super::answers::{formula_report, repeats, shows};
use super::block::is_class;
use super::implied_signs::with_signs;
use super::python::{self, OtherMeaning};
use super::{Meaning, StatementRun, run_lines};
use crate::command::{CommandTrait, Reply};
use crate::commands::check_line;
use chainrule_formulas::{formula, note_on_mixed_items};
use chainrule_language::{self as language, Span, StatementSpan, TextPart, precedence};
use chainrule_program::ANSWERS;
use chainrule_program::Environment as _;
use chainrule_program::compile::weight_lists;
use chainrule_report::diagnostic::{Diagnostic, Result, Translation};
use chainrule_report::{Block, Fact, Line, Report, ReportKind, list_with_and, plural, say};
use chainrule_session::{NoteOnce, Reader, Session, explain, syntax_diagnostic};

/// The number of bytes that are read to find the operator at the beginning of a line. No operator is longer.
const MAX_OPERATOR_BYTES: usize = 16;

/// The most lists of a network that an answer names. It counts the others.
const MAX_NAMED_LISTS: usize = 4;

/// When an arrow shows the line that has run in place of a statement.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Arrow {
    Always,
    UnlessShown,
}

impl StatementRun<'_, '_> {
    /// Runs the statement as typed, or a line of this language with the same meaning.
    pub(super) fn run_statement(&mut self) -> Result<Reply> {
        let nesting = language::check_nesting(self.text, self.cut.span);
        nesting.map_err(|error| explain(self.session, error))?;
        let statement = self.statement();
        if let Some(line) = python::data_line(self.session, statement) {
            let reply = self.run_translated(format!("const {line}"), Arrow::Always)?;
            self.session.remember_data();
            return Ok(reply);
        }
        // A definition of something that is built in is not run: its meaning, found below, is that it is skipped.
        let mut error = Diagnostic::default();
        if !is_built_in(self.session, statement) {
            match self.run_or_look() {
                Err(failure) if !failure.is_interrupt && !self.is_in_block(&failure) => {
                    error = failure;
                }
                done => return done,
            }
        }
        if let Some((name, primes)) = primed_function(self.session, statement) {
            return self.answer_formula(name, primes);
        }
        if let Some(line) = check_line(self.session, statement) {
            return self.run_translated(line, Arrow::Always);
        }
        if let Some(meaning) = python::claimed_by_head(self.session, statement) {
            return self.run_meaning(meaning);
        }
        let written = with_signs(self.session, statement);
        if let Ok(Some(line)) = written {
            return self.run_translated(line, Arrow::UnlessShown);
        }
        let python = python::meaning(self.session, statement);
        match (python.or_else(|| self.continue_last_result()), written) {
            (Some(meaning), _) => self.run_meaning(meaning),
            (None, Err(refusal)) => {
                let start = self.cut.span.start as usize;
                Err(syntax_diagnostic(refusal).behind(start))
            }
            (None, Ok(_)) => Err(self.explain_unknown(error)),
        }
    }

    /// Runs the statement as typed. If only letters without numbers are in its way, answers by a formula.
    fn run_or_look(&mut self) -> Result<Reply> {
        self.run_as_typed().or_else(|error| {
            let looked = self.look_at_letters(&error);
            let looked = looked.or_else(|| self.answer_equation());
            let waits = looked.or_else(|| self.wait_for_letters(&error));
            waits.unwrap_or(Err(error))
        })
    }

    /// An error about names without numbers has the line to type if they are products, such as `ax`, or says for what they
    /// wait.
    fn explain_unknown(&self, error: Diagnostic) -> Diagnostic {
        let statement = self.statement();
        let whole = Span::new(0, statement.len());
        let is_about_names =
            !error.unknown.is_empty() || language::statement(self.text, self.cut).is_err();
        let products = || self.session.products_error(statement, whole);
        match is_about_names.then(products).flatten() {
            Some(products) => products.behind(self.cut.span.start as usize),
            None => self.explain_waiting(error),
        }
    }

    /// Answers `f'` with the formula of the derivative, or with those by all parameters.
    pub(super) fn answer_formula(&mut self, name: &str, primes: u8) -> Result<Reply> {
        let own = self.session.functions().get(name);
        if primes == 1 && own.is_some_and(|it| it.parameters.len() > 1) {
            return self.run_translated(format!(":formula {name}"), Arrow::Always);
        }
        self.run_in_one_step(|run| {
            let found = formula(run.session, name, primes, run.cut.span)?;
            let note = note_on_mixed_items(run.session, name, run.cut.span);
            let reply = run.reply(|_| formula_report(&found));
            Ok(reply.with_notes(note))
        })
    }

    /// Does what a statement means that is not a statement of this language.
    fn run_meaning(&mut self, meaning: OtherMeaning) -> Result<Reply> {
        let start = self.cut.span.start as usize;
        match meaning {
            OtherMeaning::Line(line) => match primed_function(self.session, &line) {
                Some((name, primes)) => self.answer_formula(name, primes),
                None => self.run_translated(line, Arrow::Always),
            },
            OtherMeaning::Refused(advice) => Err(advice.behind(start)),
            OtherMeaning::RefusedClass(class, advice) => {
                self.session.refuse_class(class);
                Err(advice.behind(start))
            }
            OtherMeaning::Known {
                network,
                accepted,
                sentence,
            } => self.run_in_one_step(|run| {
                run.session.set_network_classes(network, accepted);
                Ok(run.notice(ReportKind::Known, sentence))
            }),
            OtherMeaning::Skipped {
                reason,
                is_told_once,
            } => {
                // A notebook begins with several imports, and only the first is answered. A program gets an answer to each.
                let is_news = !is_told_once || self.session.is_first(NoteOnce::Imports);
                if !is_news && self.session.show.reader == Reader::Person {
                    return Ok(Reply::default());
                }
                Ok(self.notice(ReportKind::Skipped, reason))
            }
        }
    }

    /// Whether an error is in a line of a block. `with_advice` has looked for advice on such a line already.
    fn is_in_block(&self, error: &Diagnostic) -> bool {
        let statement = self.statement();
        // `if x > 0: y = 1` has its block on the same line.
        if language::head_end(statement).is_some() {
            return true;
        }
        if !language::begins_block(statement) || is_class(statement) {
            return false;
        }
        let lines = language::code_lines(statement, 0);
        let head_length = lines.first().map_or(0, |head| head.span.end);
        let place = error.span.as_ref().map_or(0, |span| span.start);
        let is_in_head = place < (self.cut.span.start + head_length) as usize;
        !is_in_head || language::statement(self.text, self.cut).is_ok()
    }

    /// The meaning of `*3`, which continues from the last result: `ans*3`. In a line that begins with `+` or `-`, that is
    /// a sign.
    fn continue_last_result(&self) -> Option<OtherMeaning> {
        let (session, statement) = (&*self.session, self.statement());
        let sign = leading_operator(statement)?;
        // In a script, an indented line is more likely the rest of the statement above it.
        let before = self.text[..self.cut.span.start as usize]
            .rsplit('\n')
            .next();
        let is_indented = before.is_some_and(|it| !it.is_empty() && it.trim().is_empty());
        if is_indented && !session.show.shows_numbers {
            return None;
        }
        let is_bound = session.names().find(ANSWERS[0]).is_some();
        if is_bound || session.results().last().is_some() {
            let last = ANSWERS[usize::from(is_bound)];
            return Some(OtherMeaning::Line(format!("{last}{statement}")));
        }
        let operator = sign.of(statement);
        let message = format!("there is no result yet from which `{operator}` could go on");
        let help =
            "a line that begins with an operator goes on from the last result: type a value first";
        Some(OtherMeaning::Refused(
            Diagnostic::new(message).at(sign).help(help),
        ))
    }

    /// Runs the translation of the statement.
    pub(super) fn run_translated(&mut self, line: String, arrow: Arrow) -> Result<Reply> {
        // In Python a `;` does not silence a picture.
        let draws = || Meaning::all_in(&line).any(|it| it.has(CommandTrait::Draws));
        let is_silenced = self.cut.is_silenced && !draws();
        let done = if line.contains('\n') {
            self.run_in_one_step(|run| run_lines(run.session, &line))
        } else {
            let (session, text) = (&mut *self.session, &*line);
            let cut = &StatementSpan {
                is_silenced,
                ..StatementSpan::whole(text)
            };
            let mut translated = StatementRun { session, text, cut };
            let done = translated.run_or_look();
            done.map_err(|error| translated.explain_unknown(error))
        };
        let advised = done.map_err(|error| python::advice_or(self.session, (&line, 0), error));
        let translation = Translation {
            from: self.cut.span.into(),
            line,
            is_silenced,
        };
        match advised {
            Ok(reply) if arrow == Arrow::UnlessShown && shows(&reply, &translation.line) => {
                Ok(reply)
            }
            Ok(reply) => Ok(with_translation(self.session, reply, translation)),
            Err(mut error) => {
                error.translated = Some(Box::new(translation));
                Err(error)
            }
        }
    }

    /// The reply to a statement that changes nothing.
    fn notice(&self, kind: ReportKind, reason: String) -> Reply {
        let line = say!("{:dim}", format!("→ {}: {reason}", kind.word()));
        let facts = vec![("reason", Fact::Text(reason))];
        self.reply(|_| Report::confirming(kind, facts, line))
    }
}

/// Whether a statement defines something that is built in, such as `def draw_dot(root):`.
fn is_built_in(session: &Session, statement: &str) -> bool {
    let head = statement.lines().next().unwrap_or_default();
    let is_loop = statement.contains('\n') && language::begins_loop(head);
    // Most statements have no colon, and a block is a longer search.
    statement.contains(':')
        && language::begins_block(statement)
        && (is_loop || language::begins_definition(head))
        && python::meaning_by_row(session, head, "definitions").is_some()
}

/// The name and the number of primes of `f'`, a statement that asks for a formula.
fn primed_function<'t>(session: &Session, statement: &'t str) -> Option<(&'t str, u8)> {
    let name = statement.trim_end_matches(['\'', '’']);
    if !session.is_function(name) || session.names().find(name).is_some() {
        return None;
    }
    let primes = statement[name.len()..].chars().count();
    let count = u8::try_from(primes).ok().filter(|count| *count > 0)?;
    Some((name, count))
}

/// The span of the operator with which a statement begins. `None` if there is none, or it may be a sign.
pub(super) fn leading_operator(statement: &str) -> Option<Span> {
    let begin = &statement[..statement.floor_char_boundary(MAX_OPERATOR_BYTES)];
    let (part, sign) = *language::parts(begin).first()?;
    let operator = precedence::infix_operator(sign.of(statement))?;
    let is_sign = operator.level == precedence::level::SUM;
    (part == TextPart::Operator && !is_sign).then_some(sign)
}

/// Adds the translation to a reply, whose report need not repeat it.
fn with_translation(session: &Session, mut reply: Reply, translation: Translation) -> Reply {
    if let Some(report) = &mut reply.report {
        let line = Fact::Text(translation.line.clone());
        report.facts.push(("translated", line));
        if repeats(report, &translation.line) {
            match &mut report.blocks[..] {
                [Block::Values(values)] => values.is_hidden = true,
                _ => report.blocks.clear(),
            }
        }
    }
    match network_line(session, &translation) {
        Some(line) if session.show.reader == Reader::Person => {
            if let Some(report) = &mut reply.report {
                report.blocks = vec![Block::Line(line)];
            }
        }
        _ => reply.translated = Some(Box::new(translation)),
    }
    reply
}

/// The line about a network in place of the long lines that have built it: `n(x): 3 layers, 41 numbers in n_0, n_1 and
/// n_2`. `None` for any other translation.
fn network_line(session: &Session, translation: &Translation) -> Option<Line> {
    let lines = Some(&translation.line).filter(|line| line.contains('\n'))?;
    let (first_list, _) = lines.split_once(" = ")?;
    let name = first_list.strip_suffix("_0")?;
    let function = session.functions().get(name)?;
    let lists = weight_lists(session, name);
    let values = lists.iter().filter_map(|list| session.names().find(list));
    let numbers = values.map(|value| value.shape().size()).sum();
    let names = lists.iter().map(|list| say!("{:name}", list));
    Some(say!(
        "{:formula}: {}, {} in {}",
        function.head(),
        plural(lists.len(), "layer"),
        plural(numbers, "number"),
        list_with_and(names, MAX_NAMED_LISTS)
    ))
}

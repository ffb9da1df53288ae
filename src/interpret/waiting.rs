//! Keeps a binding whose letters have no numbers, and runs it as soon as they have.

use std::rc::Rc;

use super::StatementRun;
use super::letters::{is_formula, is_free_letter};
use crate::command::Reply;
use chainrule_language::{self as language, Binding, Statement};
use chainrule_program::Environment as _;
use chainrule_program::{compile, names};
use chainrule_report::diagnostic::{Diagnostic, Result, backtick_list};
use chainrule_report::{Note, Report, ReportKind, say};
use chainrule_session::{Session, Waiting};

/// The most names that wait at once. All are looked through after each statement.
pub const MOST_WAITING: usize = 1_000;

impl StatementRun<'_, '_> {
    /// Keeps a binding whose only fault is that letters have no numbers. `None` for any other statement.
    pub(super) fn wait_for_letters(&mut self, error: &Diagnostic) -> Option<Result<Reply>> {
        let session = &*self.session;
        if !session.may_wait() {
            return None;
        }
        let Ok(Statement::Binding(binding)) = language::statement(self.text, self.cut) else {
            return None;
        };
        let name = name_that_can_wait(session, &binding)?;
        let expression = &binding.values[0].expression;
        if let Err(function) = compile::check_operands(session, expression, |_| false) {
            return Some(Err(function.into()));
        }
        let letters = &error.unknown;
        let can_wait = |letter: &String| {
            is_free_letter(session, letter) || session.waiting_for(letter).is_some()
        };
        let needed = session.waited_for(letters.iter().map(String::as_str));
        let is_circle = needed.includes(name);
        if letters.is_empty() || !letters.iter().all(can_wait) || is_circle {
            return None;
        }
        let waiting = Waiting {
            name: name.into(),
            text: self.statement().trim().into(),
            letters: letters.clone(),
        };
        Some(self.run_in_one_step(|run| {
            let reply = run.reply(|_| waiting_report(&waiting));
            run.session.wait(waiting);
            Ok(reply)
        }))
    }

    /// An error about names that wait says for what.
    pub(super) fn explain_waiting(&self, mut error: Diagnostic) -> Diagnostic {
        let mut unknown = error.unknown.iter();
        let Some(binding) = unknown.find_map(|name| self.session.waiting_for(name)) else {
            return error;
        };
        let letters = self.session.waited_for([&*binding.name]).letters;
        error.message = format!("`{}` waits for {}", binding.name, backtick_list(&letters));
        error.help = names::numbers_line(self.session, &letters).map(|it| format!("type `{it}`"));
        error.unknown = letters.iter().map(ToString::to_string).collect();
        error
    }

    /// Runs the bindings that have waited for what the statement has bound, the oldest first, and adds their answers. One
    /// that fails goes on waiting, with a note.
    pub(super) fn run_what_waited(&mut self, reply: &mut Reply) {
        let mut failed: Vec<Rc<str>> = Vec::new();
        while let Some(binding) = next_to_run(self.session, &failed) {
            let text = &*binding.text;
            let cut = &language::StatementSpan {
                is_silenced: self.cut.is_silenced,
                ..language::StatementSpan::whole(text)
            };
            let session = &mut *self.session;
            let before = session.savepoint();
            match super::parse_and_run(&mut StatementRun { session, text, cut }) {
                Ok(ran) => {
                    self.session.keep_behind(text);
                    reply.more.extend(ran.report);
                    // Their places are in a line that was typed before.
                    let notes = ran.notes.into_iter();
                    let notes = notes.map(|it| Note { place: None, ..it });
                    reply.notes.extend(notes);
                }
                Err(error) => {
                    self.session.go_back(before);
                    failed.push(Rc::clone(&binding.name));
                    reply.notes.push(Note::new(say!(
                        "{:name} goes on waiting: {}",
                        &*binding.name,
                        error.message
                    )));
                }
            }
        }
    }
}

/// The oldest binding that waits for nothing any more, of those that have not failed.
fn next_to_run(session: &Session, failed: &[Rc<str>]) -> Option<Rc<Waiting>> {
    let is_ready = |it: &&Rc<Waiting>| {
        it.letters.iter().all(|letter| session.knows(letter)) && !failed.contains(&it.name)
    };
    session.waiting().iter().find(is_ready).cloned()
}

/// The name of a binding that can wait: `NAME = EXPRESSION` of a name that means nothing yet.
fn name_that_can_wait<'b>(session: &Session, binding: &'b Binding) -> Option<&'b str> {
    let ([target], [value]) = (&binding.targets[..], &binding.values[..]) else {
        return None;
    };
    let is_plain = !binding.is_frozen
        && target.heading.is_none()
        && value.width.is_none()
        && binding.bounds.is_none();
    let is_free = !session.knows(target.name) && !session.is_function(target.name);
    let may_wait = session.waiting().len() < MOST_WAITING && is_formula(&value.expression.items);
    (is_plain && is_free && may_wait).then_some(target.name)
}

pub(super) fn waiting_report(waiting: &Waiting) -> Report {
    Report::confirming(ReportKind::Waiting, waiting.facts(), waiting.line())
}

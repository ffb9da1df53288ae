//! The dialogue of the prompt and of the page: what an entry does, with the statement of a lesson in the line, and in a
//! walk.
//!
//! The lesson goes on when its statement, or one that binds the same names, has run. Anything else is the user's own,
//! and the lesson waits.

use super::lesson::{command_at_cursor, how_to_guess, is_of_lesson, keep_comments, lacks_guess};
use super::lines::Lines;
use super::runner::{Job, LineOrigin, Runner};
use super::transcript;
use super::typed_line;
use crate::shell::process::interrupt;
use crate::shell::{RunEnd, script};
use chainrule_report::{Report, say};

/// The place of a dialogue.
#[derive(Default)]
pub(crate) struct Dialogue {
    /// The statement of the lesson that stands in the line.
    pub statement: Option<String>,
    /// How many lines were entered so far.
    lines: usize,
    /// A note has said that the walk is at its end.
    is_end_noted: bool,
}

impl Dialogue {
    /// Puts the next statement of the lesson into the line. Shows what is said before it, once. While a walk asks for a
    /// number, the line is free for the answer.
    pub(crate) fn prepare_line(&mut self, runner: &mut Runner) -> Result<(), RunEnd> {
        self.statement = None;
        let walk = runner.session.walk();
        let is_asked = walk.is_some_and(|walk| walk.question().is_some());
        if !runner.lesson.is_open || is_asked {
            return Ok(());
        }
        if !std::mem::replace(&mut runner.lesson.is_shown, true) {
            let report = runner.lesson.report();
            runner.set_lesson_open(runner.lesson.at < runner.lesson.count());
            runner.show_step(&report)?;
        }
        let lesson = &runner.lesson;
        self.statement = (lesson.is_open).then(|| lesson.steps[lesson.at].statement.clone());
        Ok(())
    }

    /// Runs what was entered. `origin` says how its answers are shown.
    pub(crate) fn enter(
        &mut self,
        text: &str,
        origin: LineOrigin,
        runner: &mut Runner,
    ) -> Result<(), RunEnd> {
        if let Some(statement) = &self.statement {
            if let Some(command) = command_at_cursor(text, statement) {
                return self.run(command, origin, runner);
            }
            if lacks_guess(text, statement) {
                return runner.show_note(how_to_guess());
            }
            if is_of_lesson(text, statement) {
                return self.run_lesson(text, origin, runner);
            }
        }
        if !text.trim().is_empty() {
            return self.run(text, origin, runner);
        }
        if self.statement.is_some() {
            // The statement of the lesson comes back into the line.
            return Ok(());
        }
        let walk = runner.session.walk();
        match walk.map(|walk| walk.next_node().is_some()) {
            // As in debuggers, an empty line repeats the last step.
            Some(true) => {
                self.is_end_noted = false;
                self.run(":next", origin, runner)
            }
            Some(false) if !std::mem::replace(&mut self.is_end_noted, true) => runner.show_note(
                say!("the walk is at its end; `:prev` goes back, `:walk end` closes it"),
            ),
            _ => Ok(()),
        }
    }

    /// Runs what was entered for the statement of a lesson, and goes on if that succeeds and is no wrong guess.
    fn run_lesson(
        &mut self,
        text: &str,
        origin: LineOrigin,
        runner: &mut Runner,
    ) -> Result<(), RunEnd> {
        keep_comments(&runner.lesson, &mut runner.session);
        let wrong = |runner: &Runner| {
            let guesses = runner.session.guesses();
            guesses.tried - guesses.right
        };
        let (before, tried) = (wrong(runner), runner.session.guesses().tried);
        let failures = runner.failures;
        let path = runner.lesson.path.clone();
        let origin = LineOrigin {
            path: path.as_deref(),
            ..origin
        };
        let ran = self.run(text, origin, runner);
        // `:reset` begins the score anew.
        let is_wrong = wrong(runner) > before;
        if runner.session.guesses().tried > tried {
            runner.lesson.note_guess(!is_wrong);
        }
        if is_wrong || runner.failures > failures {
            if let Some(hint) = runner.lesson.hint().filter(|_| is_wrong) {
                runner.show_note(hint)?;
            }
            if runner.lesson.misses_again() {
                runner.show_note(how_to_guess())?;
            }
        } else {
            runner.lesson.go_on();
        }
        ran
    }

    /// Runs statements. After a failure the rest of a block is not run, because it may depend on what failed.
    fn run(&mut self, text: &str, origin: LineOrigin, runner: &mut Runner) -> Result<(), RunEnd> {
        let first = self.lines;
        self.lines += text.lines().count();
        let plain = transcript::without_prompts(text);
        runner.session.show.paste = plain.as_str().into();
        let mut lines = Lines::of(text.as_bytes(), first + 1);
        let ran = script::read(runner, origin, &mut lines);
        if let Err(RunEnd::Failed | RunEnd::Interrupted) = ran {
            interrupt::forget();
            let rest = text.lines().skip(runner.last_line - first);
            let rest: Vec<&str> = rest.filter(|line| !line.trim().is_empty()).collect();
            if !rest.is_empty() {
                runner.show_note(say!("what comes after it was not run:"))?;
                runner.show_message(|style, out| typed_line::write_unrun(&rest, style, out))?;
            }
        }
        ran
    }

    /// Leaves the lesson, and says so.
    pub(crate) fn leave_lesson(&mut self, runner: &mut Runner) -> Result<(), RunEnd> {
        self.statement = None;
        let report = runner.leave_lesson();
        runner.show_step(&report)
    }
}

impl Runner {
    pub(super) fn show_step(&mut self, report: &Report) -> Result<(), RunEnd> {
        let job = Job::of(LineOrigin::prompt(), None);
        self.show_reply(Some(report), &[], &[], job)
    }
}

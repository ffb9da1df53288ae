//! Decides what an entry does at the prompt, in a page and for another program. An entry may take the place of the
//! statement that a lesson has put into the line, go on with a walk, or just run.
//!
//! The lesson goes on when its statement, or one that binds the same names, has run. After any other entry the lesson
//! stays at its statement.

use super::job::{Job, LineOrigin};
use super::lesson::{how_to_guess, keep_comments};
use super::lesson_line::{Gap, LessonEntry};
use super::runner::Runner;
use super::typed_line;
use crate::interpret::bound_names;
use crate::shell::process::interrupt;
use crate::shell::{RunEnd, RunResult};
use chainrule_program::Environment as _;
use chainrule_report::say;

/// The state of a dialogue between two entries.
#[derive(Default)]
pub(crate) struct Dialogue {
    /// The user has seen the note that the walk is at its end.
    is_end_noted: bool,
}

impl Dialogue {
    /// Shows the comments before the next statement of the lesson, if they have not been shown. The statement is then in the
    /// line.
    pub(crate) fn prepare_line(runner: &mut Runner) -> RunResult {
        if !runner.lesson.is_open || runner.has_walk_question() {
            return Ok(());
        }
        if !std::mem::replace(&mut runner.lesson.is_shown, true) {
            let report = runner.lesson.report(runner.has_keys());
            // After the last statement the lesson ends.
            runner.set_lesson_open(runner.lesson.at < runner.lesson.count());
            runner.show_report(report)?;
        }
        Ok(())
    }

    /// Runs an entry. `origin` decides how its answers are shown.
    pub(crate) fn enter(
        &mut self,
        text: &str,
        origin: LineOrigin,
        runner: &mut Runner,
    ) -> RunResult {
        if let Some(statement) = runner.lesson_statement() {
            // The answer to `:answer ?` is the hint itself.
            let is_guess = Gap::of(statement).is_some_and(|gap| !gap.is_answer);
            match LessonEntry::of(text, statement) {
                LessonEntry::Own => {}
                LessonEntry::Statement => return Dialogue::run_lesson(text, origin, runner),
                LessonEntry::Command(command) => return Dialogue::run(command, origin, runner),
                LessonEntry::Empty => return runner.show_note(how_to_guess(runner.has_keys())),
                LessonEntry::Several(guesses) => {
                    let message = say!("one guess is asked for, and {:typed} is more", guesses);
                    return runner.show_note(message);
                }
                LessonEntry::Hint => {
                    keep_comments(runner.lesson.comments(), &mut runner.session);
                    Dialogue::run(text, origin, runner)?;
                    let hint = runner.lesson.hint().filter(|_| is_guess);
                    return hint.map_or(Ok(()), |hint| runner.show_note(hint));
                }
            }
        }
        if !text.trim().is_empty() {
            return Dialogue::run(text, origin, runner);
        }
        if runner.lesson_statement().is_some() {
            // The statement of the lesson comes back into the line.
            return Ok(());
        }
        let walk_goes_on = (runner.session.walk()).map(|walk| walk.next_node().is_some());
        match walk_goes_on {
            // As in debuggers, an empty line repeats the last step.
            Some(true) => {
                self.is_end_noted = false;
                Dialogue::run(":next", origin, runner)
            }
            // The note appears once, although the user may press Enter several times.
            Some(false) if !std::mem::replace(&mut self.is_end_noted, true) => runner.show_note(
                say!("the walk is at its end; `:prev` goes back, `:walk end` closes it"),
            ),
            Some(false) | None => Ok(()),
        }
    }

    /// Runs an entry that takes the place of the lesson's statement. The lesson goes on if the entry succeeds and is no
    /// wrong guess.
    fn run_lesson(text: &str, origin: LineOrigin, runner: &mut Runner) -> RunResult {
        let lesson = &runner.lesson;
        let is_known = |name: &String| runner.session.names().find(name).is_some();
        let names = bound_names(text);
        if lesson.has_drawn_for(text) && !names.is_empty() && names.iter().all(is_known) {
            runner.lesson.go_on();
            return runner.show_note(say!("it has run before, and its random numbers stay"));
        }
        keep_comments(lesson.comments(), &mut runner.session);
        let path = lesson.path.clone();
        let in_lesson = LineOrigin {
            path: path.as_deref(),
            ..origin
        };
        let (before, failures_before) = (runner.session.guesses().clone(), runner.tally.failures);
        let random_before = runner.session.program().random.clone();
        let ran = Dialogue::run(text, in_lesson, runner);
        let score = runner.session.guesses();
        // `:reset` sets the score to 0, so both numbers may have become smaller.
        let is_wrong = score.missed > before.missed;
        let is_right = (score.tried > before.tried).then_some(!is_wrong);
        let has_drawn = runner.session.program().random != random_before;
        runner.lesson.note_run(is_right, has_drawn);
        if is_wrong || runner.tally.failures > failures_before {
            if let Some(hint) = runner.lesson.hint().filter(|_| is_wrong) {
                runner.show_note(hint)?;
            }
            if runner.lesson.count_miss() {
                runner.show_note(how_to_guess(runner.has_keys()))?;
            }
        } else {
            runner.lesson.go_on();
        }
        ran
    }

    /// Runs statements. After a failure the rest of a block is not run, because it may depend on the failed statement.
    fn run(text: &str, origin: LineOrigin, runner: &mut Runner) -> RunResult {
        runner.tally.unknown.clear();
        let ran = runner.run_text(origin, text);
        if let Err(RunEnd::Failed | RunEnd::Interrupted) = ran {
            interrupt::forget();
            let later_lines = text.lines().skip(runner.tally.last_line);
            let unrun: Vec<&str> = later_lines.filter(|line| !line.trim().is_empty()).collect();
            if !unrun.is_empty() && !runner.writes_objects() {
                runner.show_note(say!("what comes after it was not run:"))?;
                runner.show_message(Job::nowhere(), |_, style, out| {
                    typed_line::write_unrun(&unrun, style, out);
                })?;
            }
        }
        ran
    }
}

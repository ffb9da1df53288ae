//! Carries out `:play`: begins a lesson, moves in it, and leaves it.
//!
//! At the prompt and in a page, `dialogue` puts the statements of a lesson into the line one by one. In a script or a
//! loaded file, `:play` runs the whole lesson.

use super::job::{Job, LineOrigin};
use super::lesson::{self, PlayedLesson};
use super::lesson_line::Gap;
use super::runner::Runner;
use crate::command::{FileRequest, LessonMove};
use crate::commands::help;
use crate::commands::program::play;
use crate::shell::{RunEnd, RunResult, files, script};
use chainrule_language::Span;
use chainrule_report::diagnostic::{Diagnostic, Result};
use chainrule_report::{Fact, Report, characters, say};
use chainrule_session::Session;
use chainrule_session::settings::PROMPT;

impl Runner {
    /// Carries out `:play`. Returns the report that remains to be shown: `list` if there is no lesson to go on with.
    pub(super) fn play(
        &mut self,
        to: &LessonMove,
        words: Span,
        list: Option<Report>,
        job: Job,
    ) -> RunResult<Option<Report>> {
        // The statements of a loaded file are one change of the session that is in use.
        let can_move = !self.host.is_loading();
        let can_go_on = can_move && self.lesson.at < self.lesson.count();
        let begun = match to {
            LessonMove::On if !can_go_on => return Ok(list),
            LessonMove::Stop if can_go_on && self.lesson.is_open => {
                return Ok(Some(self.leave_lesson()));
            }
            LessonMove::Show if can_go_on && self.lesson.is_open => {
                match self.lesson.shown_answer(&mut self.session) {
                    Ok(report) => {
                        self.leave_unanswered(job)?;
                        self.lesson.go_to(self.lesson.at + 1);
                        return Ok(Some(report));
                    }
                    Err(error) => Err(error),
                }
            }
            LessonMove::Next if can_go_on && self.lesson.is_open => {
                self.leave_unanswered(job)?;
                self.lesson.move_to(to).map(|()| None)
            }
            LessonMove::BuiltIn(built_in) => {
                (self.check_can_begin()).map(|()| Some(PlayedLesson::of_built_in(built_in)))
            }
            LessonMove::File(file) => {
                (self.check_can_begin()).and_then(|()| self.lesson_in(file).map(Some))
            }
            _ if can_move && *to != LessonMove::Stop => self.lesson.move_to(to).map(|()| None),
            _ => Err(lesson::no_lesson_error()),
        };
        match begun {
            Ok(None) => self.open_lesson()?,
            Ok(Some(lesson)) if self.steps_through_lessons() => self.begin_lesson(lesson)?,
            Ok(Some(lesson)) => self.play_whole(lesson)?,
            Err(error) => self.fail(&error.at(words), job)?,
        }
        Ok(None)
    }

    /// Keeps that the user has given no answer to what the present statement asks.
    fn leave_unanswered(&mut self, job: Job) -> RunResult {
        let Some(comments) = self.lesson.unanswered() else {
            return Ok(());
        };
        self.lesson.note_run(Some(false), false);
        lesson::keep_comments(&comments, &mut self.session);
        self.run_silently(|runner| runner.run(job.origin, job.line(), ":answer"))
    }

    /// Runs all statements of a lesson.
    fn play_whole(&mut self, mut lesson: PlayedLesson) -> RunResult {
        self.lesson.is_whole = true;
        let script_before = self.host.script.replace(lesson.path.clone());
        let played = (0..lesson.steps.len()).try_for_each(|at| {
            lesson.at = at;
            self.play_step(&lesson)
        });
        self.host.script.replace(script_before);
        self.lesson.is_whole = false;
        match played {
            // `:quit` ends only the lesson.
            Err(RunEnd::Quit) => Ok(()),
            ended => ended,
        }
    }

    /// Begins a lesson, whose first statement is put into the line next. A built-in lesson gets a session of its own.
    fn begin_lesson(&mut self, lesson: PlayedLesson) -> RunResult {
        let was_apart = self.lesson.runs_apart();
        if self.lesson.is_open {
            let (name, place) = (self.lesson.name.clone(), self.lesson.place());
            self.show_note(say!("{:typed} ends at {}", &*name, place))?;
        }
        self.set_lesson_open(false);
        let is_built_in = lesson.built_in.is_some();
        self.lesson = PlayedLesson {
            aside: is_built_in.then(|| self.session.empty_beside()),
            ..lesson
        };
        if was_apart && !is_built_in {
            self.show_note(say!("your own session is back"))?;
        }
        self.open_lesson()
    }

    /// Opens the lesson that was begun last. A note tells the user if this puts a session aside that is not empty.
    fn open_lesson(&mut self) -> RunResult {
        let was_open = self.lesson.is_open;
        self.set_lesson_open(true);
        let own = self.lesson.aside.as_ref();
        if was_open || own.is_none_or(Session::is_empty) {
            return Ok(());
        }
        self.show_note(say!(
            "the lesson has a session of its own; `:play stop` brings yours back"
        ))
    }

    /// Leaves the lesson. Returns the report that says so.
    pub(crate) fn leave_lesson(&mut self) -> Report {
        self.set_lesson_open(false);
        self.lesson.left_report()
    }

    /// Opens or closes the lesson that was begun last. Its own session, if it has one, is in use while it is open.
    pub(super) fn set_lesson_open(&mut self, is_open: bool) {
        let was_open = std::mem::replace(&mut self.lesson.is_open, is_open);
        if let Some(aside) = &mut self.lesson.aside
            && was_open != is_open
        {
            std::mem::swap(&mut self.session, aside);
        }
    }

    /// The session of the lesson if `is_of_lesson`, or else the user's own. `None` if there is no lesson with a session.
    #[cfg(not(feature = "terminal"))]
    pub(crate) fn session_of(&self, is_of_lesson: bool) -> Option<&Session> {
        if is_of_lesson == self.lesson.runs_apart() {
            return Some(&self.session);
        }
        self.lesson.aside.as_ref()
    }

    /// Goes to a place from [`PlayedLesson::place_to_keep`].
    #[cfg(not(feature = "terminal"))]
    pub(crate) fn take_up_lesson(&mut self, place: &str) {
        self.lesson.take_up(place);
    }

    /// Does a lesson put its statements into the line of a prompt, which has keys to leave it?
    pub(super) fn has_keys(&self) -> bool {
        cfg!(feature = "terminal") && !self.writes_objects()
    }

    /// The statement that a lesson has put into the line. While a walk asks for a number, the line is empty for the answer.
    pub(crate) fn lesson_statement(&self) -> Option<&str> {
        let is_in_line = self.lesson.is_open && self.lesson.is_shown && !self.has_walk_question();
        let step = self.lesson.steps.get(self.lesson.at);
        step.filter(|_| is_in_line).map(|it| &*it.statement)
    }

    /// Does a walk ask for a number?
    pub(crate) fn has_walk_question(&self) -> bool {
        let walk = self.session.walk();
        walk.is_some_and(|it| it.question().is_some())
    }

    /// Does a lesson put its statements into the line one by one? In a script or a loaded file it runs as a whole.
    fn steps_through_lessons(&self) -> bool {
        self.is_at_prompt && !self.host.is_loading()
    }

    /// Fails if no lesson can begin here.
    fn check_can_begin(&self) -> Result<()> {
        if self.writes_document() && !self.is_at_prompt {
            let help = "the statements of a script are run by `:load`; `chainrule --echo=html lesson.calc` writes a lesson as a page";
            return Err(Diagnostic::new("a document plays no lesson").help(help));
        }
        if self.lesson.is_whole {
            let help = "where all of a lesson runs, it cannot play another one";
            return Err(Diagnostic::new("a lesson is being played already").help(help));
        }
        Ok(())
    }

    /// The lesson in a file.
    fn lesson_in(&self, file: &FileRequest) -> Result<PlayedLesson> {
        let path = self.host.path(&file.path)?;
        let name = path.to_string_lossy();
        let unreadable = |error| self.host.unreadable(&name, &error);
        let bytes = files::read(&path).map_err(unreadable)?;
        let lesson = PlayedLesson {
            steps: lesson::steps(script::lesson_text(&name, &bytes)?),
            name: file.path.clone(),
            path: Some(path.clone()),
            ..PlayedLesson::default()
        };
        if lesson.count() == 0 {
            return Err(Diagnostic::new(format!("`{name}` has no statements"))
                .help("a lesson is a script: its statements are run one at a time"));
        }
        Ok(lesson)
    }

    /// Shows the comments and the statement of the present step, and runs the statement.
    fn play_step(&mut self, played: &PlayedLesson) -> RunResult {
        let step = &played.steps[played.at];
        let blocks = step.blocks();
        if !blocks.is_empty() {
            let text = help::text_lines(&blocks);
            let report = Report::new(&play::COMMAND, vec![("text", Fact::List(text))], blocks);
            self.show_report(report)?;
        }
        if step.statement.is_empty() {
            return Ok(());
        }
        let answer = step.answer(&mut self.session);
        let is_question = Gap::of(&step.statement).is_some_and(|gap| gap.is_answer);
        let statement = match answer.filter(|_| is_question) {
            Some(answer) => format!(":answer {answer}"),
            None => step.statement.clone(),
        };
        if !(self.is_for_programs() || self.is_silent) {
            // Control characters must not reach the terminal.
            let shown = characters::clean_except(&statement, &['\n']);
            self.show_text(&format!("{PROMPT}{shown}\n"))?;
        }
        let origin = LineOrigin::script(&played.name, played.path.as_deref());
        lesson::keep_comments(&step.comments, &mut self.session);
        self.run(origin, step.line, &statement)
    }
}

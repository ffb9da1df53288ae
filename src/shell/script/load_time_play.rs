//! Carries out `:load`, `:time` and `:play`. Only the shell can do so, because these commands run statements.
//!
//! A loaded file runs like a script, but as one change: its statements run in a trial that is kept or undone as a
//! whole. Without a prompt, `:play` runs the whole lesson.

use std::path::PathBuf;

use super::comments;
use super::host::LoadedFile;
use super::lesson::{self, PlayedLesson};
use super::lines::Lines;
use super::runner::{Job, LineOrigin, Runner};
use crate::commands;
use crate::commands::help::page_parts;
use crate::commands::{Effect, FileRequest, LessonMove};
use crate::session::settings::PROMPT;
use crate::session::{Session, TrialOf};
use crate::shell::process::{self, world};
use crate::shell::{RunEnd, files, script};
use chainrule_language::{Span, StatementSpan};
use chainrule_report::diagnostic::Diagnostic;
use chainrule_report::{Fact, Report, say};

/// The number of files that may be loaded inside one another. The limit keeps the stack of the process small.
pub const MAX_NESTED_LOADS: usize = 64;

impl Runner {
    /// Carries out the effect of a command. Returns the report that remains to be shown.
    pub(super) fn carry_out(
        &mut self,
        effect: Effect,
        report: Option<Report>,
        job: Job,
    ) -> Result<Option<Report>, RunEnd> {
        match effect {
            Effect::Quit => Ok(report),
            Effect::Load(file) => self.load(&file, job),
            Effect::Time(statement) => self.time(statement, job),
            Effect::Play(to, words) => self.play(to, words, report, job),
        }
    }

    /// Runs a file as one change.
    fn load(&mut self, file: &FileRequest, job: Job) -> Result<Option<Report>, RunEnd> {
        let loads_before = self.host.loads.borrow().len();
        let (path, mut lines) = match self.open_load(file, job.origin) {
            Ok(opened) => opened,
            Err(error) => {
                self.fail(&error.at(file.span), job)?;
                return Ok(None);
            }
        };
        // A file that another file loads is a part of the trial of that file.
        let is_outermost = loads_before == 0;
        // The comments before `:load` are no comments of the file.
        self.session.forget_remarks();
        if is_outermost {
            self.session.begin_trial(TrialOf::File);
        }
        let statements_before = self.statements;
        let last_line = self.last_line;
        let name = path.to_string_lossy();
        let ran = script::read(self, LineOrigin::script(&name, Some(&path)), &mut lines);
        self.last_line = last_line;
        self.session.forget_remarks();
        self.host.loads.borrow_mut().truncate(loads_before);
        match ran {
            // `:quit` ends only the file that contains it.
            Ok(()) | Err(RunEnd::Quit) => {}
            Err(end) if is_outermost => return self.undo_load(end, &name),
            Err(end) => return Err(end),
        }
        if is_outermost {
            self.session.end_trial(Some(job.cut.span.of(job.text)));
        }
        let count = self.statements - statements_before;
        Ok(Some(commands::load_report(&file.path, count)))
    }

    /// Undoes the statements of a file that did not run to its end.
    fn undo_load(&mut self, end: RunEnd, name: &str) -> Result<Option<Report>, RunEnd> {
        self.session.end_trial(None);
        // The error itself has been shown. In JSON it says everything.
        if matches!(end, RunEnd::Failed | RunEnd::Interrupted) && !self.format.is_json() {
            self.show_note(say!("nothing of {:typed} was kept", name))?;
        }
        if end == RunEnd::Failed && self.keeps_going() {
            return Ok(None);
        }
        Err(end)
    }

    /// Opens a file that may be loaded, and records that it runs.
    fn open_load(
        &mut self,
        file: &FileRequest,
        origin: LineOrigin,
    ) -> Result<(PathBuf, Lines<'static>), Diagnostic> {
        let path = self.host.path(&file.path)?;
        let name = path.to_string_lossy().into_owned();
        let unreadable = |error| self.host.unreadable(&name, &error);
        let real = files::canonical(&path).map_err(unreadable)?;
        let lines = Lines::new(files::open(&path).map_err(unreadable)?);
        let mut loads = self.host.loads.borrow_mut();
        // A file that the running script loads must not load the script.
        let mut running_script = None;
        if loads.is_empty()
            && let Some(script) = origin.path
            && let Ok(real_script) = files::canonical(script)
        {
            running_script = Some(LoadedFile {
                real: real_script,
                name: origin.name().to_owned(),
            });
        }
        if (loads.iter().chain(&running_script)).any(|running| running.real == real) {
            return Err(Diagnostic::new(format!("`{name}` is running already"))
                .help("a file loads neither itself nor a file that loads it"));
        }
        if loads.len() >= MAX_NESTED_LOADS {
            return Err(Diagnostic::new(format!(
                "files load one another more than {MAX_NESTED_LOADS} deep"
            ))
            .help("load them one after the other from one file"));
        }
        loads.extend(running_script);
        loads.push(LoadedFile { real, name });
        Ok((path, lines))
    }

    /// Runs a statement and reports how long it took.
    fn time(&mut self, statement: Span, job: Job) -> Result<Option<Report>, RunEnd> {
        let cut = StatementSpan {
            span: statement,
            ..job.cut
        };
        let newest_before = self.session.newest_id();
        let start = world::now();
        let reply = match self.interpret(job.text, &cut) {
            Ok(reply) => reply,
            Err(error) => {
                self.fail(&error, job)?;
                return Ok(None);
            }
        };
        let mut took = process::since(start);
        let has_effect = reply.effect.is_some();
        self.reply(reply, Job { cut, ..job })?;
        if has_effect {
            // The shell did the actual work, such as running a loaded file. The time to show an answer is not counted.
            took = process::since(start);
        }
        let nodes = u64::from(self.session.newest_id().saturating_sub(newest_before));
        let report = commands::time_report(took.as_secs_f64(), nodes);
        // The timing is shown even after `;`, which silences only the answer of the timed statement.
        self.show_reply(Some(&report), &[], &[], job)?;
        Ok(None)
    }

    /// Carries out `:play`. Returns the report that remains to be shown: `list` if there is no lesson to go on with.
    fn play(
        &mut self,
        to: LessonMove,
        words: Span,
        list: Option<Report>,
        job: Job,
    ) -> Result<Option<Report>, RunEnd> {
        // The statements of a loaded file are one change of the session that is in use.
        let can_move = !self.host.is_loading();
        let can_go_on = can_move && self.lesson.at < self.lesson.count();
        let begun = match to {
            LessonMove::On if !can_go_on => return Ok(list),
            LessonMove::Stop if can_go_on && self.lesson.is_open => {
                return Ok(Some(self.leave_lesson()));
            }
            LessonMove::BuiltIn(built_in) => self
                .check_can_begin()
                .map(|()| PlayedLesson::of_built_in(built_in)),
            LessonMove::File(file) => self.check_can_begin().and_then(|()| self.lesson_in(&file)),
            LessonMove::Stop => Err(lesson::no_lesson_error()),
            LessonMove::Next | LessonMove::Back | LessonMove::Step(_) if !can_move => {
                Err(lesson::no_lesson_error())
            }
            to => match self.lesson.move_to(&to) {
                Ok(()) => return self.open_lesson().map(|()| None),
                Err(error) => Err(error),
            },
        };
        match begun {
            Ok(lesson) if self.steps_through_lessons() => self.begin_lesson(lesson)?,
            Ok(lesson) => self.play_whole(lesson)?,
            Err(error) => self.fail(&error.at(words), job)?,
        }
        Ok(None)
    }

    /// Runs all statements of a lesson.
    fn play_whole(&mut self, mut lesson: PlayedLesson) -> Result<(), RunEnd> {
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
    fn begin_lesson(&mut self, lesson: PlayedLesson) -> Result<(), RunEnd> {
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
    fn open_lesson(&mut self) -> Result<(), RunEnd> {
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
    pub(super) fn leave_lesson(&mut self) -> Report {
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

    /// Does a lesson put its statements into the line one by one? In a script or a loaded file it runs as a whole.
    fn steps_through_lessons(&self) -> bool {
        self.is_at_prompt && !self.host.is_loading()
    }

    /// Fails if no lesson can begin here.
    fn check_can_begin(&self) -> Result<(), Diagnostic> {
        let (message, help) = if self.writes_document() && !self.is_at_prompt {
            (
                "a document plays no lesson",
                "the statements of a script are run by `:load`; `chainrule --echo=html lesson.calc` writes a lesson as a page",
            )
        } else if self.lesson.is_whole && !self.steps_through_lessons() {
            (
                "a lesson is being played already",
                "where all of a lesson runs, it cannot play another one",
            )
        } else {
            return Ok(());
        };
        Err(Diagnostic::new(message).help(help))
    }

    /// The lesson in a file.
    fn lesson_in(&self, file: &FileRequest) -> Result<PlayedLesson, Diagnostic> {
        let path = self.host.path(&file.path)?;
        let name = path.to_string_lossy();
        let unreadable = |error| self.host.unreadable(&name, &error);
        let bytes = files::read(&path).map_err(unreadable)?;
        let Ok(text) = String::from_utf8(bytes) else {
            return Err(Diagnostic::new(format!("`{name}` is not UTF-8")).help("save it in UTF-8"));
        };
        let lesson = PlayedLesson {
            steps: lesson::steps(text.trim_start_matches('\u{feff}')),
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
    fn play_step(&mut self, played: &PlayedLesson) -> Result<(), RunEnd> {
        let step = &played.steps[played.at];
        let blocks = comments::blocks(&step.comments);
        if !blocks.is_empty() {
            let text = page_parts::lines(&blocks);
            let report = Report::new(lesson::KIND, vec![("text", Fact::List(text))], blocks);
            self.show_step(&report)?;
        }
        if step.statement.is_empty() {
            return Ok(());
        }
        if !(self.format.is_for_programs() || self.is_silent) {
            self.show_statement(&format!("{PROMPT}{}", step.statement))?;
        }
        let origin = LineOrigin::script(&played.name, played.path.as_deref());
        lesson::keep_comments(played, &mut self.session);
        self.run(origin, step.line, &step.statement)
    }
}

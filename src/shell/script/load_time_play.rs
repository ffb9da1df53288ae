//! What only the shell can do after a command, because it runs statements: `:load`, `:time` and `:play`.
//!
//! A loaded file runs like a script, but as one change: its statements run in a trial that is kept or undone as a
//! whole. Where there is no prompt, the whole lesson runs.

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

/// How deeply loaded files may load other files.
pub const MOST_LOADS: usize = 64;

impl Runner {
    /// Does what a command leaves to the shell. Returns what remains to be shown.
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
        let loads = self.host.loads.borrow().len();
        let (path, mut lines) = match self.open_load(file, job.origin) {
            Ok(opened) => opened,
            Err(error) => {
                self.fail(&error.at(file.span), job)?;
                return Ok(None);
            }
        };
        let first = loads == 0;
        // The comments before `:load` are no comments of the file.
        self.session.forget_remarks();
        if first {
            self.session.begin_trial(TrialOf::File);
        }
        let before = self.statements;
        let name = path.to_string_lossy();
        let origin = LineOrigin::script(&name, Some(&path));
        let last_line = self.last_line;
        let ran = script::read(self, origin, &mut lines);
        self.last_line = last_line;
        self.session.forget_remarks();
        self.host.loads.borrow_mut().truncate(loads);
        match ran {
            // `:quit` ends only the file it stands in.
            Ok(()) | Err(RunEnd::Quit) => {}
            Err(end) if !first => return Err(end),
            Err(end) => {
                self.session.end_trial(None);
                // The error itself has been shown. In JSON it says everything.
                if matches!(end, RunEnd::Failed | RunEnd::Interrupted) && !self.format.is_json() {
                    self.show_note(say!("nothing of {:typed} was kept", &*name))?;
                }
                return match end {
                    RunEnd::Failed if self.keeps_going() => Ok(None),
                    end => Err(end),
                };
            }
        }
        if first {
            self.session.end_trial(Some(job.cut.span.of(job.text)));
        }
        let count = self.statements - before;
        Ok(Some(commands::load_report(&file.path, count)))
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
        // What the running script loads must not load the script.
        let script = origin.path.filter(|_| loads.is_empty());
        let script = script.and_then(|path| files::canonical(path).ok());
        let script = script.map(|real| LoadedFile {
            real,
            name: origin.name().to_owned(),
        });
        if loads.iter().chain(&script).any(|file| file.real == real) {
            return Err(Diagnostic::new(format!("`{name}` is running already"))
                .help("a file loads neither itself nor a file that loads it"));
        }
        if loads.len() >= MOST_LOADS {
            return Err(Diagnostic::new(format!(
                "files load one another more than {MOST_LOADS} deep"
            ))
            .help("load them one after the other from one file"));
        }
        loads.extend(script);
        loads.push(LoadedFile { real, name });
        Ok((path, lines))
    }

    /// Runs a statement and reports how long it took.
    fn time(&mut self, statement: Span, job: Job) -> Result<Option<Report>, RunEnd> {
        let cut = StatementSpan {
            span: statement,
            ..job.cut
        };
        let made = self.session.newest_id();
        let start = world::now();
        let answered = self.interpret(job.text, &cut);
        let mut took = process::since(start);
        let succeeded = answered.is_ok();
        let ran = match answered {
            Ok(reply) => {
                let goes_on = reply.effect.is_some();
                let replied = self.reply(reply, Job { cut, ..job });
                if goes_on {
                    // The shell did the actual work.
                    took = process::since(start);
                }
                replied
            }
            Err(error) => self.fail(&error, job),
        };
        ran?;
        if succeeded {
            let nodes = u64::from(self.session.newest_id().saturating_sub(made));
            let report = commands::time_report(took.as_secs_f64(), nodes);
            // The timing is shown even after `;`, which silences only the answer of the timed statement.
            self.show_reply(Some(&report), &[], &[], job)?;
        }
        Ok(None)
    }

    /// Carries out `:play`. Returns what remains to be shown: `list` if there is no lesson to go on with.
    fn play(
        &mut self,
        to: LessonMove,
        words: Span,
        list: Option<Report>,
        job: Job,
    ) -> Result<Option<Report>, RunEnd> {
        // The statements of a loaded file are one change of the session that is in use.
        let may_move = !self.host.is_loading();
        let goes_on = may_move && self.lesson.at < self.lesson.count();
        let begun = match to {
            LessonMove::On if !goes_on => return Ok(list),
            LessonMove::Stop if goes_on && self.lesson.is_open => {
                return Ok(Some(self.leave_lesson()));
            }
            LessonMove::BuiltIn(built_in) => self.may_begin().map(|()| PlayedLesson {
                name: built_in.name.to_owned(),
                // Where its table is a part of the program, unless there is a file of that name.
                path: Some(PathBuf::from(format!("examples/{}.calc", built_in.name))),
                steps: lesson::steps(built_in.text),
                built_in: Some(built_in),
                ..PlayedLesson::default()
            }),
            LessonMove::File(file) => self.may_begin().and_then(|()| self.lesson_in(&file)),
            LessonMove::Stop => Err(lesson::no_lesson_error()),
            _ if !may_move => Err(lesson::no_lesson_error()),
            to => match self.lesson.move_to(&to) {
                Ok(()) => return self.open_lesson().map(|()| None),
                Err(error) => Err(error),
            },
        };
        let mut lesson = match begun {
            Ok(lesson) => lesson,
            Err(error) => {
                self.fail(&error.at(words), job)?;
                return Ok(None);
            }
        };
        if self.steps_through_lessons() {
            return self.begin_lesson(lesson).map(|()| None);
        }
        self.lesson.is_whole = true;
        let script = self.host.script.replace(lesson.path.clone());
        let ran = (0..lesson.steps.len()).try_for_each(|at| {
            lesson.at = at;
            self.play_step(&lesson)
        });
        self.host.script.replace(script);
        self.lesson.is_whole = false;
        match ran {
            // `:quit` ends only the lesson.
            Ok(()) | Err(RunEnd::Quit) => Ok(None),
            Err(end) => Err(end),
        }
    }

    /// Begins a lesson, whose first statement is in the line next. One of the program gets a session of its own.
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

    /// Opens the lesson that was begun last. Says so if the user has anything in the session that is put aside.
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

    /// Leaves the lesson, and returns what is shown.
    pub(super) fn leave_lesson(&mut self) -> Report {
        self.set_lesson_open(false);
        self.lesson.left_report()
    }

    /// Opens or closes the lesson that was begun last. If it has a session of its own, that is in use while it is open.
    pub(super) fn set_lesson_open(&mut self, is_open: bool) {
        let was_open = std::mem::replace(&mut self.lesson.is_open, is_open);
        if let Some(aside) = &mut self.lesson.aside
            && was_open != is_open
        {
            std::mem::swap(&mut self.session, aside);
        }
    }

    /// The user's own session, or that of the lesson; none if no lesson has one.
    #[cfg(not(feature = "terminal"))]
    pub(crate) fn session_of(&self, is_of_lesson: bool) -> Option<&Session> {
        if is_of_lesson == self.lesson.runs_apart() {
            return Some(&self.session);
        }
        self.lesson.aside.as_ref()
    }

    /// Does a lesson wait in the line? Elsewhere all of it runs.
    fn steps_through_lessons(&self) -> bool {
        self.is_at_prompt && !self.host.is_loading()
    }

    /// May a lesson begin?
    fn may_begin(&self) -> Result<(), Diagnostic> {
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
        let bytes = files::read(&path).map_err(|error| self.host.unreadable(&name, &error))?;
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

    /// Shows the comments of a step and its statement after the prompt, and runs it.
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

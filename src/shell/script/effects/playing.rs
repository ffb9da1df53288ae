//! `:play`: which lesson is played, where it is, and what is shown of it.
//!
//! The prompt puts the statements into the line. In a script or a pipe there is no line, so there the whole lesson runs.

use std::path::Path;

use super::{failed, unreadable_here};
use crate::commands::help::prose;
use crate::commands::{FileRequest, LessonMove};
use crate::diagnostic::Diagnostic;
use crate::report::{Block, Fact, Line, Piece, Prose, Report, plural, say};
use crate::shell::script::job::{ErrorPlace, Job, LineOrigin, Outcome};
use crate::shell::script::reading::comments;
use crate::shell::script::reading::kept_comments::KeptComments;
use crate::shell::script::reading::lesson::{LessonStatement, LessonStep, PlayedLesson, steps};
use crate::shell::script::runner::Runner;
use crate::shell::{RunEnd, files};

/// The `kind` of what is shown.
const KIND: &str = "play";

impl Runner {
    /// Carries out `:play`.
    pub(super) fn play(
        &mut self,
        to: LessonMove,
        span: &std::ops::Range<usize>,
        list: Option<Report>,
        job: Job,
    ) -> Result<Outcome, RunEnd> {
        let lesson = match to {
            LessonMove::BuiltIn(lesson) => Ok(PlayedLesson {
                name: lesson.name.to_owned(),
                steps: steps(lesson.text),
                next: lesson.next().map(|next| next.name),
                ..PlayedLesson::default()
            }),
            LessonMove::File(file) => Runner::lesson_of(&file, job),
            to => {
                let moved = self.move_in_lesson(&to, list);
                return Ok(moved.map_or_else(|error| failed(error, span), Outcome::Done));
            }
        };
        if self.writes_document() {
            let error = Diagnostic::new("a document plays no lesson");
            let help = "the statements of a script are run by `:load`; `chainrule --echo lesson.calc` writes a lesson as a document";
            return Ok(failed(error.help(help), span));
        }
        let mut lesson = match lesson {
            Ok(lesson) => lesson,
            Err(error) => return Ok(failed(error, span)),
        };
        if !self.at_prompt || !self.loads.is_empty() {
            return self.play_whole(&lesson);
        }
        lesson.moves = self.lesson.moves;
        lesson.go_to(0);
        self.lesson = lesson;
        Ok(Outcome::Done(None))
    }

    /// The lesson in a file.
    fn lesson_of(file: &FileRequest, job: Job) -> Result<PlayedLesson, Diagnostic> {
        let origin = job.spot.origin;
        let path = files::typed(&file.path, origin.path.and_then(Path::parent))?;
        let name = path.to_string_lossy();
        let bytes = files::read(&path).map_err(|error| unreadable_here(&name, &error, origin))?;
        let Ok(text) = String::from_utf8(bytes) else {
            return Err(Diagnostic::new(format!("`{name}` is not UTF-8")).help("save it in UTF-8"));
        };
        let lesson = PlayedLesson {
            steps: steps(text.trim_start_matches('\u{feff}')),
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

    fn move_in_lesson(
        &mut self,
        to: &LessonMove,
        list: Option<Report>,
    ) -> Result<Option<Report>, Diagnostic> {
        let lesson = &mut self.lesson;
        let count = lesson.count();
        if count == 0 || lesson.at >= count {
            return match to {
                LessonMove::On => Ok(list),
                _ => Err(
                    Diagnostic::new("no lesson is open").help(if self.at_prompt {
                        "`:play` lists the lessons"
                    } else {
                        "`:play` goes through a lesson at the prompt; a script runs all of it"
                    }),
                ),
            };
        }
        match to {
            LessonMove::Next => lesson.go_to(lesson.at + 1),
            LessonMove::Back => lesson.go_to(lesson.at.saturating_sub(1)),
            LessonMove::Step(step) if (1..=count).contains(step) => lesson.go_to(step - 1),
            LessonMove::Step(step) => {
                return Err(Diagnostic::new(format!(
                    "the lesson has no statement {step}: it has {count}"
                ))
                .help(format!("a number from 1 to {count}")));
            }
            LessonMove::Stop => return Ok(Some(self.leave_lesson())),
            LessonMove::On | LessonMove::BuiltIn(_) | LessonMove::File(_) => {
                lesson.go_to(lesson.at);
            }
        }
        Ok(None)
    }

    /// Leaves the lesson, which can be taken up again.
    fn leave_lesson(&mut self) -> Report {
        self.lesson.is_open = false;
        self.lesson.moves += 1;
        let place = self.lesson.place();
        let line = say!(
            "{:typed} left at {}; `:play` goes on there",
            &*self.lesson.name,
            place
        );
        let facts = vec![("left", Fact::Text(self.lesson.name.clone()))];
        Report::new(KIND, facts, vec![Block::Line(line)])
    }

    /// Leaves the lesson, and says so.
    pub(crate) fn show_lesson_left(&mut self) -> Result<(), RunEnd> {
        let report = self.leave_lesson();
        self.show_step(&report)
    }

    pub(crate) fn has_open_lesson(&self) -> bool {
        self.lesson.is_open
    }

    /// The statement that stands in the line next. Shows what is said before it, once. While a walk asks for a number,
    /// the line is free for the answer.
    pub(crate) fn next_of_lesson(&mut self) -> Result<Option<LessonStatement>, RunEnd> {
        let walk = self.session.walk();
        let is_asked = walk.is_some_and(|walk| walk.question().is_some());
        if !self.lesson.is_open || is_asked {
            return Ok(None);
        }
        let lesson = &mut self.lesson;
        if lesson.shown != Some(lesson.moves) {
            let keys = lesson.shown.replace(lesson.moves).is_none();
            let report = step_report(lesson, keys);
            let ended = lesson.at >= lesson.count();
            lesson.is_open = !ended;
            self.show_step(&report)?;
        }
        let lesson = &self.lesson;
        Ok(lesson.is_open.then(|| LessonStatement {
            text: lesson.steps[lesson.at].statement.clone(),
            path: lesson.path.clone(),
            moves: lesson.moves,
        }))
    }

    /// Lets the comments before a statement of the lesson wait for it, so that `:save` keeps them.
    pub(crate) fn keep_comments_of_lesson(&mut self) {
        let lesson = &self.lesson;
        if let Some(step) = lesson.steps.get(lesson.at) {
            self.comments = comments_of(step, lesson.at == 0);
        }
    }

    /// Goes on after a statement of the lesson has run, unless it has moved in the lesson itself.
    pub(crate) fn lesson_goes_on(&mut self, statement: &LessonStatement) {
        if self.lesson.is_open && self.lesson.moves == statement.moves {
            self.lesson.go_to(self.lesson.at + 1);
        }
    }

    fn show_step(&mut self, report: &Report) -> Result<(), RunEnd> {
        let spot = ErrorPlace {
            origin: LineOrigin::prompt(),
            place: None,
            line: 1,
        };
        self.present(Some(report), &[], &[], spot)
    }

    /// Runs all of a lesson: its comments are shown, and its statements behind the prompt.
    fn play_whole(&mut self, lesson: &PlayedLesson) -> Result<Outcome, RunEnd> {
        if std::mem::replace(&mut self.lesson.is_whole, true) {
            let error = Diagnostic::new("a lesson is being played already");
            return Ok(Outcome::Failed(
                error.help("where all of a lesson runs, it cannot play another one"),
            ));
        }
        let waiting = std::mem::take(&mut self.comments);
        let ran = (lesson.steps.iter().enumerate()).try_for_each(|(at, step)| {
            self.comments = comments_of(step, at == 0);
            self.play_step(lesson, step)
        });
        self.comments = waiting;
        self.lesson.is_whole = false;
        match ran {
            // `:quit` ends only the lesson.
            Ok(()) | Err(RunEnd::Quit) => Ok(Outcome::Done(None)),
            Err(end) => Err(end),
        }
    }

    fn play_step(&mut self, lesson: &PlayedLesson, step: &LessonStep) -> Result<(), RunEnd> {
        let blocks = comments::blocks(step.comments.iter().map(String::as_str));
        if !blocks.is_empty() {
            let text = prose::lines(&blocks);
            let report = Report::new(KIND, vec![("text", Fact::List(text))], blocks);
            self.show_step(&report)?;
        }
        if step.statement.is_empty() {
            return Ok(());
        }
        if !(self.options.for_programs() || self.unshown) {
            let sign = self.session.settings().prompt.clone();
            self.say(&format!("{sign}{}\n", step.statement))?;
        }
        let origin = LineOrigin::script(&lesson.name, lesson.path.as_deref());
        self.run(origin, step.line, &step.statement)
    }
}

/// The comments before a statement, as if they had just been read.
fn comments_of(step: &LessonStep, first: bool) -> KeptComments {
    let mut comments = if first {
        KeptComments::at_top()
    } else {
        KeptComments::default()
    };
    for comment in &step.comments {
        comments.take(comment);
    }
    comments
}

/// What is shown before the statement of a step, or at the end.
fn step_report(lesson: &PlayedLesson, keys: bool) -> Report {
    let (at, count) = (lesson.at, lesson.count());
    let comments = lesson.steps.get(at).map_or(&[][..], |step| &step.comments);
    let said = comments::blocks(comments.iter().map(String::as_str));
    let text = prose::lines(&said);
    let statement = lesson.steps.get(at).map_or("", |step| &step.statement);
    let facts = vec![
        ("lesson", Fact::Text(lesson.name.clone())),
        ("step", Fact::Count(at.min(count) as u64 + 1)),
        ("of", Fact::Count(count as u64)),
        ("text", Fact::List(text)),
        ("statement", Fact::Text(statement.to_owned())),
    ];
    let mut blocks = Vec::new();
    if at > 0 || !said.is_empty() {
        blocks.push(Block::Line(Line::new()));
    }
    blocks.extend(said);
    let mut place = if at < count {
        say!("{:dim}", lesson.place())
    } else {
        let count = plural(count, "statement");
        let end = format!("the end of {}, {count}", lesson.name);
        let next = lesson
            .next
            .map(|next| format!("; `:play {next}` is the next lesson"));
        say!("{:dim}", end + &next.unwrap_or_default())
    };
    if keys && at < count {
        place.push(Piece::dim(
            ": Enter runs the line, Ctrl-C empties it, Ctrl-D leaves the lesson",
        ));
    }
    blocks.push(Block::Prose(Prose::paragraph(place)));
    Report::new(KIND, facts, blocks)
}

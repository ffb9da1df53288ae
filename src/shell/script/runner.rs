//! The runner: splits a text into statements, interprets each, shows the reply, and decides whether to go on.
//!
//! It is the same for scripts and for the prompt; a [`LineOrigin`] says where the text comes from. How answers look is
//! decided in `view`, where they go in `output`.

use std::cell::RefCell;
use std::io::Stdin;
use std::rc::Rc;

use super::host::HostWatch;
use super::job::{EchoDocument, ErrorPlace, Job, LineOrigin, Loading, Outcome};
use super::output::Output;
use super::progress::Meter;
use super::reading::kept_comments::KeptComments;
use super::reading::lesson::PlayedLesson;
use super::reading::line_numbers::LineAt;
use crate::commands::look::watched;
use crate::commands::{Effect, Reply};
use crate::diagnostic::Diagnostic;
use crate::diagnostic::suggest::nearest;
use crate::interpret;
use crate::report::{Block, Report, dim, say};
use crate::session;
use crate::session::{GivenValue, Session};
use crate::shell::RunEnd;
use crate::shell::options::Options;
use crate::shell::process::terminal::{Stream, StreamLook};
use crate::shell::process::{interrupt, panics};
use crate::shell::script::block::Echo;
use crate::syntax;
use crate::syntax::{Cut, Span};
use crate::view::{StatementPlace, json};

/// The session, the options and the output.
pub(crate) struct Runner {
    pub(crate) session: Session,
    pub(crate) output: Rc<RefCell<Output>>,
    pub(crate) options: Options,
    pub(crate) answers: StreamLook,
    pub(crate) messages: StreamLook,
    pub(crate) at_prompt: bool,
    /// Whether a long answer may be shown in the pager: never in scripts, pipes and blocks of several statements.
    pub(crate) pages: bool,
    /// Only errors are shown, no answers, as in the init script.
    pub(crate) unshown: bool,
    /// Set while a pasted block runs: how its statements are shown again.
    pub(crate) echo: Option<Echo>,
    /// With `--echo`: the document that is written instead of the answers alone. The init script has no part in it.
    pub(crate) document: Option<EchoDocument>,
    /// How many statements succeeded.
    pub(crate) statements: usize,
    /// How many failed, for the exit status.
    pub(crate) failures: usize,
    /// The files that are being loaded, each by the one before it.
    pub(crate) loads: Vec<Loading>,
    /// The comments that wait for the next statement.
    pub(crate) comments: KeptComments,
    /// The lesson that `:play` has begun, at the prompt.
    pub(crate) lesson: PlayedLesson,
    /// Standard input, if no statements are read from it, so that data may be. The init script reads none.
    pub(crate) data_input: Option<Stdin>,
    /// After a table was written as comma-separated values: its titles if values may go on in it, else none.
    pub(crate) sheet_above: Option<Vec<String>>,
}

impl Runner {
    /// A new session whose answers go to this output.
    pub(crate) fn new(options: Options, output: Output) -> Runner {
        let output = Rc::new(RefCell::new(output));
        let mut session = Session::new();
        let look = StreamLook::of(Stream::Messages, options.color);
        let meter = (!options.quiet).then(|| Meter::new(look));
        let watch = HostWatch::new(Rc::clone(&output), meter);
        session.set_host(Rc::new(watch));
        if options.for_programs() {
            // Programs read the tables, so they are not shortened.
            session.all_rows = true;
        }
        let mut runner = Runner {
            session,
            output,
            answers: StreamLook::of(Stream::Answers, options.color),
            messages: StreamLook::of(Stream::Messages, options.color),
            options,
            at_prompt: false,
            pages: false,
            unshown: false,
            echo: None,
            document: None,
            statements: 0,
            failures: 0,
            loads: Vec::new(),
            comments: KeptComments::default(),
            lesson: PlayedLesson::default(),
            data_input: None,
            sheet_above: None,
        };
        runner.apply_options();
        runner
    }

    /// Applies the options that override settings, including those in the init script.
    fn apply_options(&mut self) {
        if let Some(digits) = self.options.digits {
            self.session.settings_mut().set_digits(digits);
        }
    }

    /// Runs `work` without showing answers.
    pub(crate) fn unshown<T>(&mut self, work: impl FnOnce(&mut Runner) -> T) -> T {
        self.unshown = true;
        let done = work(self);
        self.unshown = false;
        done
    }

    /// Makes the present state the beginning of the session: undo and the exit status do not reach further back.
    pub(crate) fn begin_here(&mut self) {
        self.session.begin_here();
        self.apply_options();
        self.failures = 0;
    }

    /// Does the run go on after a failing statement? Never in a loaded file, which is undone as a whole.
    pub(crate) fn keeps_going(&self) -> bool {
        self.options.keep_going && self.loads.is_empty()
    }

    /// Writes the buffered answers.
    pub(crate) fn flush(&mut self) -> Result<(), RunEnd> {
        self.output.borrow_mut().flush()
    }

    /// Runs the statements of a text whose first line has this number.
    pub(crate) fn run(
        &mut self,
        origin: LineOrigin,
        line: usize,
        text: &str,
    ) -> Result<(), RunEnd> {
        let echoed = self.echo(line, text)?;
        let has_statements = self.comments.offer(&mut self.session, text);
        let ran = self.run_statements(origin, line, text, echoed);
        if has_statements {
            self.comments.settle(&mut self.session);
        }
        ran
    }

    fn run_statements(
        &mut self,
        origin: LineOrigin,
        line: usize,
        text: &str,
        echoed: bool,
    ) -> Result<(), RunEnd> {
        // A statement that stands just above needs no place in a file.
        let shown = if echoed { LineOrigin::prompt() } else { origin };
        let place = Some(StatementPlace {
            is_flush: echoed && self.writes_document(),
            ..shown.place(line, text)
        });
        let mut lines = LineAt::new(text, line);
        for cut in syntax::statements(text) {
            if interrupt::pending() {
                return Err(RunEnd::Interrupted);
            }
            let mut spot = |start| ErrorPlace {
                origin,
                place,
                line: lines.at(start),
            };
            match cut {
                Ok(cut) => {
                    let spot = spot(cut.span.start as usize);
                    match self.interpret(text, &cut) {
                        Ok(reply) => self.reply(reply, Job { text, cut, spot })?,
                        Err(error) => self.fail(&error, spot)?,
                    }
                }
                Err(error) => {
                    let error = Diagnostic::from(error);
                    let start = error.span.as_ref().map_or(0, |span| span.start);
                    self.fail(&error, spot(start))?;
                }
            }
            if self.at_prompt {
                self.flush()?;
            }
        }
        Ok(())
    }

    /// Reports a failure that is not a statement's: a missing file, a line that cannot be used.
    pub(crate) fn complain(
        &mut self,
        error: &Diagnostic,
        origin: LineOrigin,
        place: Option<StatementPlace>,
    ) -> Result<(), RunEnd> {
        let line = place.map_or(1, |place| place.line);
        let spot = ErrorPlace {
            origin,
            place,
            line,
        };
        self.fail(error, spot)
    }

    /// Reports values of `--set` for names that no statement has bound.
    pub(crate) fn complain_of_untaken(&mut self, untaken: &[GivenValue]) -> Result<(), RunEnd> {
        let mut done = Ok(());
        for GivenValue { name, value } in untaken {
            let names = self.session.names().bound().map(|(name, _)| name);
            let message = format!("`--set {name}={value}`: no statement binds `{name}`");
            let help = match nearest(name, names) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("it takes the place of the value in a statement `{name} = …`"),
            };
            let error = Diagnostic::new(message).help(help);
            done = done.and(self.complain(&error, LineOrigin::script("--set", None), None));
        }
        done
    }

    pub(crate) fn interpret(&mut self, text: &str, cut: &Cut) -> Result<Reply, Diagnostic> {
        let session = &mut self.session;
        panics::guarded(|| interpret::statement(session, text, cut))
            .unwrap_or_else(|said| Err(internal_error(&said, cut)))
    }

    /// Answers a statement, or the line that was run instead of it.
    pub(crate) fn reply(&mut self, mut reply: Reply, job: Job) -> Result<(), RunEnd> {
        let Some(translated) = reply.translated.take() else {
            return self.answer(reply, job);
        };
        let shown = |report: &Report| !report.repeats(&translated.line);
        if let Some(report) = reply.report.as_mut().filter(|_| !self.options.quiet) {
            let line = dim(say!("→ {}", &translated.line));
            if shown(report) {
                report.blocks.insert(0, Block::Line(line));
            } else {
                report.blocks = vec![Block::Line(line)];
            }
        }
        let spot = job.spot;
        let place = spot.place;
        self.answer(
            reply,
            Job {
                text: &translated.line,
                cut: Cut {
                    span: Span::new(0, translated.line.len()),
                    silenced: translated.silenced,
                },
                spot: ErrorPlace {
                    place: place.map(|place| place.translated(Some(&translated))),
                    ..spot
                },
            },
        )
    }

    pub(crate) fn answer(&mut self, reply: Reply, job: Job) -> Result<(), RunEnd> {
        let Reply {
            report,
            more,
            mut watched,
            mut notes,
            effect,
            failed,
            interrupted,
            mark,
            translated: _,
        } = reply;
        self.failures += usize::from(failed);
        if interrupted {
            // The statement keeps its partial result, which is now shown; only another Ctrl-C may prevent that.
            interrupt::forget();
        }
        if interrupted && self.at_prompt {
            // The terminal has written `^C` at the cursor, so start a new line.
            self.say("\n")?;
        }
        let quit = matches!(effect.as_deref(), Some(Effect::Quit));
        let report = match self.carry_out(effect, report, job)? {
            Outcome::Done(report) => report,
            Outcome::Bound(report, found) => {
                notes.extend(found);
                watched = watched::watched(&mut self.session, Some(&report));
                Some(report)
            }
            Outcome::Failed(error) => {
                // A command that could not write its file has not happened.
                if let Some(mark) = mark {
                    self.session.return_to(*mark);
                }
                return self.fail(&error, job.spot);
            }
            Outcome::Told => return Ok(()),
        };
        self.statements += usize::from(!job.cut.span.of(job.text).is_empty());
        let quiet = self.options.quiet;
        let report = report.filter(|report| !(job.cut.silenced || quiet && report.confirmation));
        // The rows of long tables are made while they are written.
        let presented = panics::guarded(|| self.present(report.as_ref(), &more, &notes, job.spot));
        match presented {
            Err(said) => return self.fail(&internal_error(&said, &job.cut), job.spot),
            Ok(Err(RunEnd::Interrupted)) => {
                if let Some(mark) = mark {
                    self.session.return_to(*mark);
                }
                return self.fail(&session::Error::Interrupted.into(), job.spot);
            }
            Ok(presented) => presented?,
        }
        if let Some(watched) = watched {
            self.watched(&watched, report.is_some(), job.spot)?;
        }
        match (interrupted, quit) {
            (true, _) => Err(RunEnd::Interrupted),
            (false, true) => Err(RunEnd::Quit),
            (false, false) => Ok(()),
        }
    }

    fn fail(&mut self, error: &Diagnostic, spot: ErrorPlace) -> Result<(), RunEnd> {
        // If the statement was stopped because answers cannot be written, its error is not reported.
        self.output.borrow().still_open()?;
        self.failures += 1;
        let ErrorPlace {
            origin,
            place,
            line,
        } = spot;
        if self.options.json {
            self.show(|_, out| json::diagnostic(error, place.as_ref(), origin.name, line, out))?;
        } else {
            self.show_error(error, origin, place)?;
        }
        match (error.interrupted, self.keeps_going()) {
            (true, _) => Err(RunEnd::Interrupted),
            (false, true) => Ok(()),
            (false, false) => Err(RunEnd::Failed),
        }
    }
}

fn internal_error(said: &str, cut: &Cut) -> Diagnostic {
    let help =
        "this is a bug in chainrule, not in the statement; it may have been carried out in part";
    Diagnostic::new(format!("internal error: {said}"))
        .at(cut.span)
        .help(help)
}

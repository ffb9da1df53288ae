//! The runner: splits a text into statements, interprets each, shows the reply, and decides whether to go on.
//!
//! It is the same for scripts and for the prompt; a [`LineOrigin`] says where the text comes from. How answers look is
//! decided in `view`, where they go in `output`.

use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::path::Path;
use std::rc::Rc;

use super::chunk::without_indent;
use super::document::EchoDocument;
use super::host::ShellHost;
use super::lesson::PlayedLesson;
use super::output::Output;
use super::progress::Meter;
use crate::commands::{Effect, Reply};
use crate::interpret;
use crate::session;
use crate::session::Session;
use crate::session::naming::syntax_diagnostic;
use crate::shell::RunEnd;
use crate::shell::process::terminal::{Stream, StreamLook, When};
use crate::shell::process::{interrupt, panics};
use chainrule_language as language;
use chainrule_language::{Span, StatementSpan};
use chainrule_report::characters;
use chainrule_report::diagnostic::Diagnostic;
use chainrule_report::diagnostic::suggest::nearest;
use chainrule_report::{Block, dim, say};
use chainrule_view::{Movement, StatementPlace};

/// How a run goes on and how its answers look, whatever they are written as.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct RunOptions {
    pub color: When,
    pub digits: Option<u8>,
    pub quiet: bool,
    pub keep_going: bool,
}

/// What answers are written as.
pub(crate) enum AnswerFormat {
    Text,
    Json,
    /// Comma-separated tables. It has the titles of the last one if values may go on in it, else none; `None` before the
    /// first one.
    Csv(Option<Vec<String>>),
    /// A document that has the statements too.
    Document(Box<EchoDocument>),
}

/// The session, the options and the output.
pub(crate) struct Runner {
    pub(crate) session: Session,
    pub(crate) host: Rc<ShellHost>,
    pub(crate) output: Rc<RefCell<Output>>,
    pub(crate) options: RunOptions,
    pub(crate) format: AnswerFormat,
    pub(crate) answers: StreamLook,
    pub(crate) messages: StreamLook,
    pub(crate) is_at_prompt: bool,
    /// The pixels that pictures have across on a narrow page.
    pub(crate) picture_width: Option<usize>,
    /// Only errors are shown, no answers, as in the init script.
    pub(crate) is_silent: bool,
    /// Whether sliders may move the numbers of pictures, or one does.
    pub(crate) movement: Movement,
    /// The lesson that `:play` has begun.
    pub(crate) lesson: PlayedLesson,
    /// How many statements were run.
    pub(super) statements: usize,
    /// The last line of the source that was run.
    pub(crate) last_line: usize,
    /// How many failed, for the exit status.
    pub(crate) failures: usize,
    /// What `--set` gives names that no statement has bound yet.
    pub(crate) given: Vec<GivenValue>,
}

/// A value for a name: `--set a=9`.
#[derive(Clone, Debug)]
pub(crate) struct GivenValue {
    pub(crate) name: String,
    /// The value, as `:set` takes it.
    pub(crate) value: String,
}

/// Where a text comes from.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct LineOrigin<'o> {
    /// `-e`, `-`, or the path as given. `None` at the prompt, where the line is visible just above.
    pub file: Option<&'o str>,
    /// The path, if the text is from a file: relative paths in the text start at its folder.
    pub path: Option<&'o Path>,
    /// The statements of a pasted block are shown again.
    pub is_echoed: bool,
    /// A long answer may be shown in the pager: only that of a single statement at the prompt.
    pub pages: bool,
}

impl<'o> LineOrigin<'o> {
    pub(crate) fn script(name: &'o str, path: Option<&'o Path>) -> LineOrigin<'o> {
        LineOrigin {
            file: Some(name),
            path,
            ..LineOrigin::prompt()
        }
    }

    pub(crate) fn prompt() -> LineOrigin<'static> {
        LineOrigin::default()
    }

    /// The name of the source.
    pub(crate) fn name(self) -> &'o str {
        self.file.unwrap_or("-")
    }

    /// A text of this origin whose first line has this number.
    pub(crate) fn place(self, line: usize, text: &'o str) -> StatementPlace<'o> {
        StatementPlace::new(self.file, line, text)
    }
}

/// A statement whose answer is shown, or a line that could not be read.
#[derive(Clone, Copy)]
pub(crate) struct Job<'t> {
    /// The source of the text.
    pub origin: LineOrigin<'t>,
    /// The text that contains the statement, with its place in the source; `None` for a file as a whole.
    pub place: Option<StatementPlace<'t>>,
    /// The text that the statement is a part of: `place` has it, too, unless another line was run instead.
    pub text: &'t str,
    /// The part of the text that is the statement.
    pub cut: StatementSpan,
}

impl<'t> Job<'t> {
    /// Something without a statement.
    pub(super) fn of(origin: LineOrigin<'t>, place: Option<StatementPlace<'t>>) -> Job<'t> {
        Job {
            origin,
            place,
            text: "",
            cut: StatementSpan {
                span: Span::default(),
                is_silenced: false,
            },
        }
    }

    /// The line on which the statement begins; 1 for a file as a whole.
    pub(super) fn line(&self) -> usize {
        self.place.map_or(1, |place| place.known_line())
    }
}

impl AnswerFormat {
    /// Are the answers for a program?
    pub(crate) fn is_for_programs(&self) -> bool {
        matches!(self, AnswerFormat::Json | AnswerFormat::Csv(_))
    }

    pub(super) fn is_json(&self) -> bool {
        matches!(self, AnswerFormat::Json)
    }
}

impl Runner {
    /// A new session whose answers go to this output.
    pub(crate) fn new(options: RunOptions, format: AnswerFormat, output: Output) -> Runner {
        let output = Rc::new(RefCell::new(output));
        let mut session = Session::new();
        let look = StreamLook::of(Stream::Messages, options.color);
        let host = Rc::new(ShellHost {
            output: Rc::clone(&output),
            meter: (!options.quiet).then(|| RefCell::new(Meter::new(look))),
            script: RefCell::default(),
            loads: RefCell::default(),
            data_from_input: Cell::default(),
            pasted: RefCell::default(),
            pictures: RefCell::default(),
            leaves_gaps: Cell::default(),
        });
        session.set_host(Rc::clone(&host) as Rc<dyn session::Host>);
        // Programs read the tables, so they are not shortened.
        session.show.shows_all_rows = format.is_for_programs();
        let mut runner = Runner {
            session,
            host,
            output,
            answers: StreamLook::of(Stream::Answers, options.color),
            messages: StreamLook::of(Stream::Messages, options.color),
            options,
            format,
            is_at_prompt: false,
            picture_width: None,
            is_silent: false,
            movement: Movement::None,
            lesson: PlayedLesson::default(),
            statements: 0,
            last_line: 0,
            failures: 0,
            given: Vec::new(),
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

    /// Makes the present state the beginning of the session: undo and the exit status do not reach further back.
    pub(crate) fn begin_here(&mut self) {
        self.session.begin_here();
        self.apply_options();
        self.failures = 0;
    }

    /// Does the run go on after a failing statement? Never in a loaded file, which is undone as a whole.
    pub(super) fn keeps_going(&self) -> bool {
        self.options.keep_going && !self.host.is_loading()
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
        // In a document statements begin at the margin.
        let text = if self.writes_document() {
            without_indent(text)
        } else {
            Cow::Borrowed(text)
        };
        let text = &*text;
        let echoed = self.echo_statement(origin, text)?;
        // A statement that stands just above needs no place in a file.
        let shown = if echoed { LineOrigin::prompt() } else { origin };
        self.run_statements(origin, shown.place(line, text))?;
        if text.trim().is_empty() || text.trim_start().starts_with('#') {
            self.session.add_remark(text);
        }
        Ok(())
    }

    fn run_statements(
        &mut self,
        origin: LineOrigin,
        mut place: StatementPlace,
    ) -> Result<(), RunEnd> {
        let text = place.text;
        for cut in language::statements(text) {
            if interrupt::pending() {
                return Err(RunEnd::Interrupted);
            }
            match cut {
                Ok(cut) => {
                    place = place.counted_from(cut.span.start as usize);
                    let job = Job {
                        text,
                        cut,
                        ..Job::of(origin, Some(place))
                    };
                    match self.interpret(text, &cut) {
                        Ok(reply) => {
                            self.statements += usize::from(!cut.span.of(text).is_empty());
                            self.reply(reply, job)?;
                            self.set_given_values(cut.is_silenced)?;
                        }
                        Err(error) => self.fail(&help_with_table(error, text), job)?,
                    }
                }
                Err(error) => {
                    let error = help_with_table(syntax_diagnostic(error), text);
                    let start = error.span.as_ref().map(|span| span.start);
                    place = start.map_or(place, |start| place.counted_from(start));
                    self.fail(&error, Job::of(origin, Some(place)))?;
                }
            }
            if self.is_at_prompt {
                self.flush()?;
            }
        }
        Ok(())
    }

    /// Sets the names that have been bound to the values that `--set` gives them.
    fn set_given_values(&mut self, silenced: bool) -> Result<(), RunEnd> {
        let is_bound = |given: &GivenValue| self.session.names().find(&given.name).is_some();
        let Some(place) = self.given.iter().position(is_bound) else {
            return Ok(());
        };
        let GivenValue { name, value } = self.given.remove(place);
        let end = if silenced || self.options.quiet {
            ";"
        } else {
            ""
        };
        let statement = format!(":set {name} {value}{end}");
        let origin = LineOrigin::script("--set", None);
        let count = self.statements;
        // The next one is set after this statement.
        let done = self.run_statements(origin, origin.place(1, &statement));
        self.statements = count;
        done
    }

    /// Reports a failure that is not a statement's: a missing file, a line that cannot be used.
    pub(crate) fn report_failure(
        &mut self,
        error: &Diagnostic,
        origin: LineOrigin,
        place: Option<StatementPlace>,
    ) -> Result<(), RunEnd> {
        self.fail(error, Job::of(origin, place))
    }

    /// Reports values of `--set` for names that no statement has bound.
    pub(crate) fn report_unbound_names(&mut self) -> Result<(), RunEnd> {
        let mut done = Ok(());
        for GivenValue { name, value } in std::mem::take(&mut self.given) {
            let names = self.session.names().bound_values().map(|(name, _)| name);
            let message = format!("`--set {name}={value}`: no statement binds `{name}`");
            let help = match nearest(&name, names) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("it takes the place of the value in a statement `{name} = …`"),
            };
            let error = Diagnostic::new(message).help(help);
            done = done.and(self.report_failure(&error, LineOrigin::script("--set", None), None));
        }
        done
    }

    pub(super) fn interpret(
        &mut self,
        text: &str,
        cut: &StatementSpan,
    ) -> Result<Reply, Diagnostic> {
        let session = &mut self.session;
        panics::catch_panic(|| interpret::statement(session, text, cut))
            .unwrap_or_else(|said| Err(internal_error(&said, cut)))
    }

    /// Answers a statement, or the line that was run instead of it.
    pub(super) fn reply(&mut self, mut reply: Reply, job: Job) -> Result<(), RunEnd> {
        let Some(translated) = reply.translated.take() else {
            return self.answer(reply, job);
        };
        if let Some(report) = reply.report.as_mut().filter(|_| !self.options.quiet) {
            // A line that wraps at the prompt hides the answer below it: that of a network has hundreds of signs.
            let columns = self
                .style(Stream::Answers)
                .width
                .filter(|_| self.is_at_prompt);
            let room = columns.map_or(usize::MAX, |columns| columns.saturating_sub(2));
            let lines = translated.line.lines();
            let lines = lines.map(|line| characters::shorten_end(line, room));
            let shown = lines.map(|line| Block::Line(dim(say!("→ {}", &*line))));
            report.blocks.splice(0..0, shown);
        }
        let job = Job {
            place: job
                .place
                .map(|place| place.with_translation(Some(&translated))),
            text: &translated.line,
            cut: StatementSpan {
                span: Span::new(0, translated.line.len()),
                is_silenced: translated.is_silenced,
            },
            ..job
        };
        self.answer(reply, job)
    }

    fn answer(&mut self, mut reply: Reply, job: Job) -> Result<(), RunEnd> {
        self.failures += usize::from(reply.has_failed);
        if reply.is_interrupted {
            // The statement keeps its partial result, which is now shown; only another Ctrl-C may prevent that.
            interrupt::forget();
            if self.is_at_prompt {
                // The terminal has written `^C` at the cursor, so start a new line.
                self.show_text("\n")?;
            }
        }
        let effect = reply.effect.take();
        let quits = matches!(effect.as_deref(), Some(Effect::Quit));
        if let Some(effect) = effect {
            reply.report = self.carry_out(*effect, reply.report.take(), job)?;
        }
        let quiet = self.options.quiet;
        let report = reply.report.as_ref();
        let report =
            report.filter(|report| !(job.cut.is_silenced || quiet && report.is_confirmation));
        // The rows of long tables are made while they are written.
        match panics::catch_panic(|| self.show_reply(report, &reply.more, &reply.notes, job)) {
            Err(said) => return self.fail(&internal_error(&said, &job.cut), job),
            Ok(Err(RunEnd::Interrupted)) => {
                return self.fail(&Diagnostic::of_interrupt(), job);
            }
            Ok(presented) => presented?,
        }
        match (reply.is_interrupted, quits) {
            (true, _) => Err(RunEnd::Interrupted),
            (false, true) => Err(RunEnd::Quit),
            (false, false) => Ok(()),
        }
    }

    pub(super) fn fail(&mut self, error: &Diagnostic, job: Job) -> Result<(), RunEnd> {
        // If the statement was stopped because answers cannot be written, its error is not reported.
        self.output.borrow().still_open()?;
        self.failures += 1;
        self.show_error(error, job)?;
        match (error.is_interrupt, self.keeps_going()) {
            (true, _) => Err(RunEnd::Interrupted),
            (false, true) => Ok(()),
            (false, false) => Err(RunEnd::Failed),
        }
    }
}

/// The error, with the line to type where the statement is a row of a table: cells between tabs.
fn help_with_table(error: Diagnostic, text: &str) -> Diagnostic {
    let row = text.trim();
    if !row.contains('\t') || row.contains(['=', '#']) || row.starts_with(':') {
        return error;
    }
    error.help(
        "a table is read from a file: save these lines as `t.txt`, and `:data t.txt` reads them",
    )
}

fn internal_error(said: &str, cut: &StatementSpan) -> Diagnostic {
    let help =
        "this is a bug in chainrule, not in the statement; it may have been carried out in part";
    Diagnostic::new(format!("internal error: {said}"))
        .at(cut.span)
        .help(help)
}

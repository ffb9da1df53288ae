//! The runner: splits a text into statements, interprets each, shows the reply, and decides whether to go on.
//!
//! Scripts, the prompt and pages use the same runner; a [`LineOrigin`] says where the text comes from. [`Runner::answer`]
//! makes the reports of a reply, for which `effects` and `play` carry out the commands that run statements, and `show`
//! writes them.

use std::borrow::Cow;
use std::rc::Rc;

use super::answer_format::{AnswerFormat, AnswerLook};
use super::chunk::without_indent;
use super::host::ShellHost;
use super::job::{Job, LineOrigin};
use super::lesson::PlayedLesson;
use super::lines::Lines;
use super::output::Output;
use super::progress::Meter;
use crate::command::{CommandTrait, Effect, Reply};
use crate::commands::tell_lexer;
use crate::interpret::{self, Meaning};
use crate::shell::process::terminal::{Stream, StreamLook, When};
use crate::shell::process::{interrupt, panics};
use crate::shell::{RunEnd, RunResult, script};
use chainrule_language::{self as language, StatementSpan};
use chainrule_report::diagnostic::suggest::nearest;
use chainrule_report::diagnostic::{Diagnostic, Result};
use chainrule_report::{Block, Fact, Report, characters, dim, say};
use chainrule_session as session;
use chainrule_session::{Reader, Session, syntax_diagnostic};
use chainrule_view::{Movement, StatementPlace};

/// The options of the command line that hold for all formats of answers.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct RunOptions {
    pub color: When,
    pub digits: Option<u8>,
    pub is_quiet: bool,
    pub must_keep_going: bool,
    /// Whether a NaN, an infinite number or a row that is left out is a failure.
    pub is_strict: bool,
}

/// Runs statements in a session, and shows their answers in one format.
pub(crate) struct Runner {
    pub(super) session: Session,
    /// The same host as that of the session. It has the output.
    pub(super) host: Rc<ShellHost>,
    /// The lesson that `:play` has begun.
    pub(super) lesson: PlayedLesson,
    pub(super) options: RunOptions,
    pub(super) format: AnswerFormat,
    pub(super) look: AnswerLook,
    /// The statements come from the prompt or from a page, not from a script.
    pub(super) is_at_prompt: bool,
    /// Only errors are shown, no answers, as in the init script.
    pub(super) is_silent: bool,
    pub(super) tally: Tally,
    /// The values of `--set` whose names no statement has bound yet.
    given: Vec<GivenValue>,
}

/// What a runner has run so far.
#[derive(Default)]
pub(super) struct Tally {
    /// The number of statements that were run.
    pub(super) statements: usize,
    /// The number of statements that failed, for the exit status.
    pub(super) failures: usize,
    /// The number of the line of the source that was run last.
    pub(super) last_line: usize,
    /// The names without a value that the last error of an entry was about.
    pub(super) unknown: Vec<String>,
}

/// A value for a name: `--set a=9`.
#[derive(Clone, Debug)]
pub(crate) struct GivenValue {
    pub name: String,
    /// The value, as `:set` takes it.
    pub value: String,
}

impl Runner {
    /// A new session whose answers go to this output.
    pub(crate) fn new(options: RunOptions, format: AnswerFormat, output: Output) -> Runner {
        let messages = StreamLook::of(Stream::Messages, options.color);
        let meter = (!options.is_quiet).then(|| Meter::new(messages));
        let host = Rc::new(ShellHost::new(output, meter));
        let mut session = Session::new();
        session.set_host(Rc::clone(&host) as Rc<dyn session::Host>);
        tell_lexer();
        let mut runner = Runner {
            session,
            host,
            lesson: PlayedLesson::default(),
            look: AnswerLook {
                answers: StreamLook::of(Stream::Answers, options.color),
                messages,
                movement: Movement::None,
                picture_width: None,
            },
            options,
            format,
            is_at_prompt: false,
            is_silent: false,
            tally: Tally::default(),
            given: Vec::new(),
        };
        // Programs read the tables, so they are not shortened.
        if runner.is_for_programs() {
            runner.session.show.reader = Reader::Program;
        }
        runner.session.show.shows_verdicts = runner.is_json();
        runner.apply_options();
        runner
    }

    pub(crate) fn session(&self) -> &Session {
        &self.session
    }

    pub(crate) fn session_mut(&mut self) -> &mut Session {
        &mut self.session
    }

    pub(crate) fn host(&self) -> &Rc<ShellHost> {
        &self.host
    }

    pub(crate) fn lesson(&self) -> &PlayedLesson {
        &self.lesson
    }

    /// Has a statement failed?
    pub(crate) fn has_failures(&self) -> bool {
        self.tally.failures > 0
    }

    /// Forgets the failures, so that the exit status ignores them.
    pub(crate) fn forget_failures(&mut self) {
        self.tally.failures = 0;
    }

    /// Takes the values of `--set`.
    pub(crate) fn take_values(&mut self, given: &[GivenValue]) {
        self.given = given.to_vec();
    }

    /// From now on the statements come from a prompt: answers appear at once, and the window is measured before each.
    pub(crate) fn open_prompt(&mut self) {
        self.is_at_prompt = true;
        self.session.show.shows_numbers = true;
        self.session.show.reads_letters = true;
        self.host.output.borrow_mut().is_at_prompt = true;
    }

    /// Says whether sliders can move the numbers of pictures, and whether one moves them now.
    #[cfg(not(feature = "terminal"))]
    pub(crate) fn set_movement(&mut self, movement: Movement) {
        self.look.movement = movement;
    }

    /// Sets the width of pictures in pixels on a narrow page.
    #[cfg(not(feature = "terminal"))]
    pub(crate) fn set_picture_width(&mut self, pixels: Option<usize>) {
        self.look.picture_width = pixels;
    }

    /// The names without a value that the last error of an entry was about.
    #[cfg(not(feature = "terminal"))]
    pub(crate) fn unknown_names(&self) -> &[String] {
        &self.tally.unknown
    }

    /// Runs something of which only errors are shown.
    pub(crate) fn run_silently(&mut self, run: impl FnOnce(&mut Runner) -> RunResult) -> RunResult {
        self.is_silent = true;
        let ran = run(self);
        self.is_silent = false;
        ran
    }

    /// Applies the options that override settings, including those in the init script.
    fn apply_options(&mut self) {
        if let Some(digits) = self.options.digits {
            for key in ["digits", "table-digits"] {
                self.session.settings_mut().set(key, digits.into());
            }
        }
    }

    /// Makes the present state the beginning of the session: neither `:undo` nor the exit status reaches further back.
    pub(crate) fn begin_here(&mut self) {
        self.session.begin_here();
        self.apply_options();
        self.forget_failures();
    }

    /// Does the run go on after a failing statement? Never in a loaded file, which is undone as a whole.
    pub(super) fn keeps_going(&self) -> bool {
        self.options.must_keep_going && !self.host.is_loading()
    }

    /// Writes the buffered answers.
    pub(crate) fn flush(&mut self) -> RunResult {
        self.host.output.borrow_mut().flush()
    }

    /// Runs all lines of a text.
    pub(crate) fn run_text(&mut self, origin: LineOrigin, text: &str) -> RunResult {
        script::read(self, origin, &mut Lines::of(text.as_bytes(), 1))
    }

    /// Runs the statements of a text whose first line has this number.
    pub(crate) fn run(&mut self, origin: LineOrigin, line: usize, text: &str) -> RunResult {
        // In a document statements begin at the margin.
        let statements = if self.writes_document() {
            without_indent(text)
        } else {
            Cow::Borrowed(text)
        };
        let mut shown_origin = origin;
        if self.echo_statement(origin.is_echoed, &statements)? {
            // An error needs no place in a file if the statement is just above it.
            shown_origin = LineOrigin::prompt();
        }
        self.run_statements(origin, shown_origin.place(line, &statements))?;
        let typed = statements.trim_end_matches([' ', '\t', '\r']);
        if typed.trim_start().starts_with('#') {
            self.session.add_remark(&statements);
        } else if typed.is_empty() || typed.ends_with('\n') {
            // The line is blank, or ends a block.
            self.session.add_remark("");
        }
        Ok(())
    }

    /// Runs the statements of the text at a place.
    fn run_statements(&mut self, origin: LineOrigin, mut place: StatementPlace) -> RunResult {
        let text = place.text;
        for statement in language::statements(text) {
            if interrupt::pending() {
                return Err(RunEnd::Interrupted);
            }
            match statement {
                Ok(cut) => {
                    place = place.counted_from(cut.span.start as usize);
                    let job = Job::at(origin, Some(place));
                    self.run_statement(Job { text, cut, ..job })?;
                }
                Err(syntax_error) => {
                    let error = help_with_table(syntax_diagnostic(syntax_error), text);
                    if let Some(span) = &error.span {
                        place = place.counted_from(span.start);
                    }
                    self.fail(&error, Job::at(origin, Some(place)))?;
                }
            }
            if self.is_at_prompt {
                self.flush()?;
            }
        }
        Ok(())
    }

    fn run_statement(&mut self, job: Job) -> RunResult {
        let statement = job.cut.span.of(job.text);
        if !self.given.is_empty() && Meaning::of(job.text, &job.cut).has(CommandTrait::MakesLeaves)
        {
            self.set_given_values(statement, job.cut.is_silenced)?;
        }
        match self.interpret(job.text, &job.cut) {
            Ok(reply) => {
                self.tally.statements += usize::from(!statement.is_empty());
                self.answer(reply, job)?;
                self.set_given_values("", job.cut.is_silenced)
            }
            Err(error) => self.fail(&help_with_table(error, job.text), job),
        }
    }

    /// Sets names that have been bound to their values of `--set`. Binds those of which the statement `search` would make
    /// leaves, so that the search begins at these values.
    fn set_given_values(&mut self, search: &str, is_silenced: bool) -> RunResult {
        if self.given.is_empty() {
            return Ok(());
        }
        let parts = language::parts(search).into_iter();
        let words: Vec<&str> = parts.map(|(_, span)| span.of(search)).collect();
        loop {
            let is_bound = |given: &GivenValue| self.session.names().find(&given.name).is_some();
            let is_due = |given: &GivenValue| is_bound(given) || words.contains(&&*given.name);
            let Some(index) = self.given.iter().position(is_due) else {
                return Ok(());
            };
            let must_bind = !is_bound(&self.given[index]);
            let GivenValue { name, value } = self.given.remove(index);
            let mut statement = if must_bind {
                format!("{name} = {value}")
            } else {
                format!(":set {name} {value}")
            };
            if is_silenced || self.options.is_quiet {
                statement.push(';');
            }
            let origin = LineOrigin::script("--set", None);
            let statements_before = self.tally.statements;
            self.run_statements(origin, origin.place(1, &statement))?;
            // Only the user's own statements are counted.
            self.tally.statements = statements_before;
        }
    }

    /// Reports the values of `--set` whose names no statement has bound.
    pub(crate) fn report_unbound_names(&mut self) -> RunResult {
        let mut done = Ok(());
        for GivenValue { name, value } in std::mem::take(&mut self.given) {
            let bound_names = self.session.names().bound_values().map(|(bound, _)| bound);
            let message = format!("`--set {name}={value}`: no statement binds `{name}`");
            let help = match nearest(&name, bound_names) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("it takes the place of the value in a statement `{name} = …`"),
            };
            let error = Diagnostic::new(message).help(help);
            let job = Job::at(LineOrigin::script("--set", None), None);
            done = done.and(self.fail(&error, job));
        }
        done
    }

    /// Interprets a statement. A panic becomes an error.
    pub(crate) fn interpret(&mut self, text: &str, cut: &StatementSpan) -> Result<Reply> {
        let session = &mut self.session;
        panics::catch_panic(|| interpret::statement(session, text, cut))
            .unwrap_or_else(|message| Err(internal_error(&message, cut)))
    }

    /// The lines that were run instead of a statement, each with an arrow.
    fn translation_blocks(&mut self, lines: &str) -> Vec<Block> {
        // A line that wraps at the prompt hides the answer below it: that of a network has hundreds of signs.
        let window = self.style(Stream::Answers).width;
        let columns = window.filter(|_| self.is_at_prompt);
        // The arrow and its blank take two columns.
        let room = columns.map_or(usize::MAX, |count| count.saturating_sub(2));
        let row = |line| Block::Line(dim(say!("→ {}", &*characters::shorten_end(line, room))));
        lines.lines().map(row).collect()
    }

    /// Answers a statement: makes the reports of the reply, and shows them with its notes.
    pub(super) fn answer(&mut self, mut reply: Reply, typed: Job) -> RunResult {
        let translated = reply.translated.take();
        let job = match &translated {
            Some(it) => typed.of_translation(it),
            None => typed,
        };
        if let (Some(it), Some(report)) = (&translated, &mut reply.report)
            && !self.options.is_quiet
        {
            report
                .blocks
                .splice(0..0, self.translation_blocks(&it.line));
        }
        let must_quit = matches!(reply.effect.as_deref(), Some(Effect::Quit));
        self.make_reports(&mut reply, job)?;
        let has_fault = self.options.is_strict && reply.notes.iter().any(|note| note.is_fault);
        // The rows of long tables are computed while they are written, so this may panic or be interrupted, too.
        match panics::catch_panic(|| self.show_reply(&reply, job)) {
            Err(message) => self.fail(&internal_error(&message, &job.cut), job),
            Ok(Err(RunEnd::Interrupted)) => self.fail(&Diagnostic::of_interrupt(), job),
            Ok(Ok(())) if reply.is_interrupted => Err(RunEnd::Interrupted),
            Ok(Ok(())) if must_quit => Err(RunEnd::Quit),
            Ok(Ok(())) if has_fault => self.fail(&strict_error(), job),
            Ok(written) => written,
        }
    }

    /// Makes the reports of a reply as they are shown: carries out its effect, and drops the report if it is hidden.
    fn make_reports(&mut self, reply: &mut Reply, job: Job) -> RunResult {
        self.tally.failures += usize::from(reply.has_failed);
        if reply.is_interrupted {
            // The partial result of the statement is kept and now shown. Another Ctrl-C would prevent that.
            interrupt::forget();
            if let Some(report) = &mut reply.report {
                report.facts.push(("interrupted", Fact::Flag(true)));
            }
            if self.is_at_prompt && !self.writes_objects() {
                // The terminal has written `^C` at the cursor, so start a new line.
                self.show_text("\n")?;
            }
        }
        if let Some(effect) = reply.effect.take() {
            let report = reply.report.take();
            let made = match *effect {
                Effect::Quit => report,
                Effect::Load(file) => self.load(&file, job)?,
                Effect::Play(to, words) => self.play(&to, words, report, job)?,
            };
            reply.report = made.filter(|_| !job.cut.is_silenced);
        }
        let is_quiet = self.options.is_quiet;
        let is_hidden = |report: &Report| is_quiet && report.is_confirmation;
        reply.report = reply.report.take().filter(|report| !is_hidden(report));
        Ok(())
    }

    /// Shows an error. Returns why the run ends, unless it goes on.
    pub(crate) fn fail(&mut self, error: &Diagnostic, job: Job) -> RunResult {
        // If the statement was stopped because answers cannot be written, its error is not reported.
        self.host.output.borrow().still_open()?;
        self.tally.failures += 1;
        if job.origin.file.is_none() {
            self.tally.unknown.clone_from(&error.unknown);
        }
        self.show_error(error, job)?;
        if error.is_interrupt {
            Err(RunEnd::Interrupted)
        } else if self.keeps_going() {
            Ok(())
        } else {
            Err(RunEnd::Failed)
        }
    }
}

/// The error for a note that is a failure with `--strict`.
fn strict_error() -> Diagnostic {
    let help = "without `--strict` this is only a note";
    Diagnostic::new("the note above is a failure").help(help)
}

/// Adds a line to type to an error if the statement is a row of a table: cells between tabs.
fn help_with_table(error: Diagnostic, text: &str) -> Diagnostic {
    let row = text.trim();
    if !row.contains('\t') || row.contains(['=', '#']) || row.starts_with(':') {
        return error;
    }
    error.help(
        "a table is read from a file: save these lines as `t.txt`, and `:data t.txt` reads them",
    )
}

/// The error for a panic.
fn internal_error(message: &str, cut: &StatementSpan) -> Diagnostic {
    let help =
        "this is a bug in chainrule, not in the statement; it may have been carried out in part";
    Diagnostic::new(format!("internal error: {message}"))
        .at(cut.span)
        .help(help)
}

//! Runs text: cuts it into statements, has each interpreted, shows what comes back, says whether to go on.
//!
//! The same for a script and for the prompt; where the text came from is an [`LineOrigin`]. How answers look is the
//! view's, where they go the output's.

use std::cell::RefCell;
use std::rc::Rc;

use super::host::HostWatch;
use super::job::{ErrorPlace, Job, LineOrigin, Loading, Outcome};
use super::output::Output;
use super::progress::Meter;
use crate::commands::{Reply, Then};
use crate::diagnostic::Diagnostic;
use crate::interpret;
use crate::session;
use crate::session::Session;
use crate::shell::RunEnd;
use crate::shell::options::Options;
use crate::shell::process::terminal::{Look, Stream};
use crate::shell::process::{EACH_WORD, Memory};
use crate::shell::process::{interrupt, panics};
use crate::shell::script::block::Echo;
use crate::shell::script::pager::Paging;
use crate::syntax;
use crate::syntax::Cut;
use crate::view;
use crate::view::{StatementPlace, json};

/// A statement of less bytes than this needs no memory to speak of.
const SHORT: usize = 64 * 1024;

/// The session and the way it is shown.
pub(crate) struct Runner {
    pub(crate) session: Session,
    pub(crate) output: Rc<RefCell<Output>>,
    memory: Rc<Memory>,
    pub(crate) options: Options,
    pub(crate) answers: Look,
    pub(crate) messages: Look,
    pub(crate) at_prompt: bool,
    /// Somebody who typed one statement may page through its answer.
    pub(crate) paging: Paging,
    failed: bool,
    /// Answers are not shown, only what goes wrong.
    pub(crate) unshown: bool,
    /// How the statements of a block that was entered are shown again.
    pub(crate) echo: Option<Echo>,
    /// How many statements went well.
    pub(crate) statements: usize,
    /// The files that are being loaded, each by the one before it.
    pub(crate) loads: Vec<Loading>,
}

impl Runner {
    /// A new session that answers to this output.
    pub(crate) fn new(options: Options, output: Output) -> Runner {
        let output = Rc::new(RefCell::new(output));
        let mut session = Session::new();
        let memory = Rc::new(Memory::of_process());
        let look = Look::of(Stream::Messages, options.color);
        let meter = (!options.quiet).then(|| Meter::new(look, options.ascii));
        let watch = HostWatch::new(Rc::clone(&output), Rc::clone(&memory), meter);
        session.set_host(Rc::new(watch));
        if options.json {
            // Nobody scrolls through JSON: all rows.
            session.all_rows = true;
        }
        let mut runner = Runner {
            session,
            output,
            memory,
            answers: Look::of(Stream::Answers, options.color),
            messages: Look::of(Stream::Messages, options.color),
            options,
            at_prompt: false,
            paging: Paging::Never,
            failed: false,
            unshown: false,
            echo: None,
            statements: 0,
            loads: Vec::new(),
        };
        runner.obey_options();
        runner
    }

    /// What the options say of settings holds over what an init script says.
    fn obey_options(&mut self) {
        if let Some(digits) = self.options.digits {
            self.session.settings_mut().set_digits(digits);
        }
    }

    /// Does something without showing answers.
    pub(crate) fn unshown<T>(&mut self, work: impl FnOnce(&mut Runner) -> T) -> T {
        self.unshown = true;
        let done = work(self);
        self.unshown = false;
        done
    }

    /// What was done so far, well or not, is where the session begins.
    pub(crate) fn begin_here(&mut self) {
        self.session.begin_here();
        self.obey_options();
        self.failed = false;
    }

    /// Does a run go on after a failing statement? Not in a file that is loaded: it is taken back.
    pub(crate) fn keeps_going(&self) -> bool {
        self.options.keep_going && self.loads.is_empty()
    }

    /// Has anything failed so far?
    pub(crate) fn failed(&self) -> bool {
        self.failed
    }

    /// What failed at a prompt, or before it, was seen: the exit status is not about it.
    pub(crate) fn forgive(&mut self) {
        self.failed = false;
    }

    /// Do answers get colour?
    pub(crate) fn color(&mut self) -> bool {
        self.answers.color()
    }

    /// Writes what is pending.
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
        self.echo(text)?;
        let place = Some(origin.place(line, text));
        let mut lines = LineAt {
            text,
            seen: 0,
            line,
        };
        for cut in syntax::statements(text) {
            if interrupt::pending() {
                return Err(RunEnd::Interrupted);
            }
            match cut {
                Ok(cut) => {
                    let spot = ErrorPlace {
                        origin,
                        place,
                        line: lines.at(cut.span.start as usize),
                    };
                    match self.interpret(text, &cut) {
                        Ok(reply) => self.answer(reply, Job { text, cut, spot })?,
                        Err(error) => self.fail(&error, spot)?,
                    }
                }
                Err(error) => {
                    let error = interpret::cut_error(error);
                    let start = error.span.as_ref().map_or(0, |span| span.start);
                    self.fail(
                        &error,
                        ErrorPlace {
                            origin,
                            place,
                            line: lines.at(start),
                        },
                    )?;
                }
            }
            if self.at_prompt {
                self.flush()?;
            }
        }
        Ok(())
    }

    /// Something failed that is no statement: a file that is not there, a line that is none.
    pub(crate) fn complain(
        &mut self,
        error: &Diagnostic,
        origin: LineOrigin,
        place: Option<StatementPlace>,
    ) -> Result<(), RunEnd> {
        self.fail(
            error,
            ErrorPlace {
                origin,
                place,
                line: place.map_or(1, |place| place.line),
            },
        )
    }

    pub(crate) fn interpret(&mut self, text: &str, cut: &Cut) -> Result<Reply, Diagnostic> {
        let statement = cut.span.of(text);
        if self.memory.is_limited() {
            let command = statement.starts_with(':');
            self.memory.in_command(command);
            if !command && self.memory.is_short_of(EACH_WORD * needed(statement)) {
                return Err(self.memory.complaint());
            }
        }
        let session = &mut self.session;
        let mut done = Ok(Reply::default());
        let went = panics::guarded(|| done = interpret::statement(session, text, cut));
        let ran_short = self.memory.ran_short();
        if let Err(said) = went {
            done = Err(Diagnostic::new(format!("internal error: {said}"))
                .at(cut.span)
                .help("this is a mistake in chainrule, not in the statement; how much of it was done is uncertain"));
        } else if ran_short && done.as_ref().is_err_and(|error| error.interrupted) {
            done = Err(self.memory.complaint());
        }
        done
    }

    pub(crate) fn answer(&mut self, reply: Reply, job: Job) -> Result<(), RunEnd> {
        let Reply {
            report,
            more,
            watched,
            notes,
            then,
            failed,
            interrupted,
            mark,
        } = reply;
        self.failed |= failed;
        if interrupted {
            // What stands is said, unless Ctrl-C comes again.
            interrupt::forget();
        }
        if interrupted && self.at_prompt {
            // The terminal has written `^C` where the cursor was.
            self.say("\n")?;
        }
        let quit = matches!(then, Then::Quit);
        let report = match self.errand(then, report, job)? {
            Outcome::Done(report) => report,
            Outcome::Failed(error) => return self.fail(&error, job.spot),
            Outcome::Told => return Ok(()),
        };
        self.statements += usize::from(!job.cut.span.of(job.text).is_empty());
        let quiet = self.options.quiet;
        let report = report.filter(|report| !(job.cut.silenced || quiet && report.confirmation));
        match self.present(report.as_ref(), &more, &notes, job.spot) {
            Err(RunEnd::Interrupted) => {
                if let Some(mark) = mark {
                    self.session.return_to(*mark);
                }
                return self.fail(&session::Error::Interrupted.into(), job.spot);
            }
            presented => presented?,
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
        // A statement that was stopped because its answers reach nobody has nothing to say.
        self.output.borrow().still_open()?;
        self.failed = true;
        let ErrorPlace {
            origin,
            place,
            line,
        } = spot;
        if self.options.json {
            self.show(|_, out| json::diagnostic(error, place.as_ref(), origin.name, line, out))?;
        } else {
            // The terminal has written `^C` where the cursor was.
            let at_caret = self.at_prompt && error.interrupted;
            self.tell(|style, out| {
                out.push_str(if at_caret { "\n" } else { "" });
                view::diagnostic(error, place.as_ref(), style, out);
            })?;
        }
        match (error.interrupted, self.keeps_going()) {
            (true, _) => Err(RunEnd::Interrupted),
            (false, true) => Ok(()),
            (false, false) => Err(RunEnd::Failed),
        }
    }
}

/// How many words of a statement need to be thought of before it is read; of a short one none.
fn needed(statement: &str) -> u64 {
    if statement.len() < SHORT {
        return 0;
    }
    syntax::count_words(statement) as u64
}

/// Finds the lines of ascending places in a text: a line of a million statements is walked once.
struct LineAt<'t> {
    text: &'t str,
    seen: usize,
    line: usize,
}

impl LineAt<'_> {
    /// The line of the first thing at or after this place that is no blank.
    fn at(&mut self, place: usize) -> usize {
        let rest = self.text.get(place..).unwrap_or_default();
        let place = self.text.len() - rest.trim_start().len();
        if place > self.seen
            && let Some(passed) = self.text.get(self.seen..place)
        {
            self.line += passed.matches('\n').count();
            self.seen = place;
        }
        self.line
    }
}

#[cfg(test)]
mod tests {
    use super::LineAt;

    #[test]
    fn statements_know_their_lines() {
        let text = "a = (1 +\n2); b = 3;\n\n  c = 4";
        let mut lines = LineAt {
            text,
            seen: 0,
            line: 10,
        };
        let found: Vec<usize> = [0, 12, 20]
            .into_iter()
            .map(|place| lines.at(place))
            .collect();
        assert_eq!(found, [10, 11, 13]);
        // Nothing but blanks to the end, and a place beyond it.
        let mut lines = LineAt {
            text: "a;\n",
            seen: 0,
            line: 1,
        };
        assert_eq!((lines.at(2), lines.at(99)), (2, 2));
    }
}

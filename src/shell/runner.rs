//! Runs text: cuts it into statements, has each interpreted, shows what comes back, says whether to go on.
//!
//! The same for a script and for the prompt; where the text came from is an [`Origin`]. How answers look is the
//! view's, where they go the output's.

use std::cell::RefCell;
use std::rc::Rc;

use super::host::Watch;
use super::options::Options;
use super::output::Output;
use super::terminal::{Look, Stream};
use super::{Stop, interrupt, panics};
use crate::commands::{Reply, Then};
use crate::diagnostic::Diagnostic;
use crate::interpret;
use crate::report::{Line, Note};
use crate::session::Session;
use crate::syntax::{self, Cut};
use crate::view::{self, Place, Style, json};

/// Where a text came from.
#[derive(Clone, Copy, Debug)]
pub struct Origin<'o> {
    /// As JSON says it: `-e`, `-`, the path as given.
    pub name: &'o str,
    /// The same before the place of an error; nothing at the prompt, where the line stands just above.
    pub file: Option<&'o str>,
}

/// The session and the way it is shown.
pub struct Runner {
    session: Session,
    output: Rc<RefCell<Output>>,
    options: Options,
    answers: Look,
    messages: Look,
    at_prompt: bool,
    failed: bool,
}

/// Where a statement stands, or a line that is none.
#[derive(Clone, Copy)]
struct Spot<'t> {
    origin: Origin<'t>,
    place: Option<Place<'t>>,
    /// The line the statement begins on; 1 for what concerns a file as a whole.
    line: usize,
}

impl<'o> Origin<'o> {
    /// A script of this name.
    pub fn script(name: &'o str) -> Origin<'o> {
        Origin {
            name,
            file: Some(name),
        }
    }

    /// The prompt.
    pub fn prompt() -> Origin<'static> {
        Origin {
            name: "-",
            file: None,
        }
    }

    /// A text from there, its first line having this number.
    pub fn place(self, line: usize, text: &'o str) -> Place<'o> {
        Place {
            file: self.file,
            line,
            text,
        }
    }
}

impl Runner {
    /// A new session that answers to this output.
    pub fn new(options: Options, output: Output) -> Runner {
        let output = Rc::new(RefCell::new(output));
        let mut session = Session::new();
        session.set_host(Rc::new(Watch::new(Rc::clone(&output))));
        if let Some(digits) = options.digits {
            session.settings_mut().set_digits(digits);
        }
        if options.json {
            // Nobody scrolls through JSON: all rows.
            session.settings_mut().table_rows = usize::MAX;
        }
        Runner {
            session,
            output,
            answers: Look::of(Stream::Answers, options.color),
            messages: Look::of(Stream::Messages, options.color),
            options,
            at_prompt: false,
            failed: false,
        }
    }

    /// From here on somebody is watching: answers appear at once, and the terminal is asked for its size each time.
    pub fn at_prompt(&mut self, plain: bool) {
        self.at_prompt = true;
        self.options.ascii |= plain;
        self.output.borrow_mut().at_prompt();
    }

    /// These lines were entered at once.
    pub fn pasted(&mut self, text: &str) {
        self.session.set_paste(text);
    }

    /// Is a walk open that has a next stop?
    pub fn is_walking(&self) -> bool {
        self.session
            .walk()
            .is_some_and(|walk| walk.next().is_some())
    }

    /// Has anything failed so far?
    pub fn failed(&self) -> bool {
        self.failed
    }

    /// What failed at a prompt, or before it, was seen: the exit status is not about it.
    pub fn forgive(&mut self) {
        self.failed = false;
    }

    /// Do answers get colour?
    pub fn color(&mut self) -> bool {
        self.answers.color()
    }

    /// Writes what is pending.
    pub fn flush(&mut self) -> Result<(), Stop> {
        self.output.borrow_mut().flush()
    }

    /// Shows a text of the shell's own as an answer is shown.
    pub fn say(&mut self, text: &str) -> Result<(), Stop> {
        self.show(|_, out| out.push_str(text))
    }

    /// Shows a note of the shell's own.
    pub fn note(&mut self, message: Line) -> Result<(), Stop> {
        self.tell(|style, out| {
            let nowhere = Origin::prompt().place(1, "");
            view::note(&Note::new(message), &nowhere, style, out);
        })
    }

    /// Runs the statements of a text whose first line has this number.
    pub fn run(&mut self, origin: Origin, line: usize, text: &str) -> Result<(), Stop> {
        let place = Some(origin.place(line, text));
        let mut lines = LineAt {
            text,
            seen: 0,
            line,
        };
        for cut in syntax::statements(text) {
            if interrupt::pending() {
                return Err(Stop::Interrupted);
            }
            match cut {
                Ok(cut) => {
                    let spot = Spot {
                        origin,
                        place,
                        line: lines.at(cut.span.start as usize),
                    };
                    match self.interpret(text, &cut) {
                        Ok(reply) => self.answer(reply, cut.silenced, spot)?,
                        Err(error) => self.fail(&error, spot)?,
                    }
                }
                Err(error) => {
                    let error = interpret::cut_error(error);
                    let start = error.span.as_ref().map_or(0, |span| span.start);
                    self.fail(
                        &error,
                        Spot {
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
    pub fn complain(
        &mut self,
        error: &Diagnostic,
        origin: Origin,
        place: Option<Place>,
    ) -> Result<(), Stop> {
        self.fail(
            error,
            Spot {
                origin,
                place,
                line: place.map_or(1, |place| place.line),
            },
        )
    }

    fn interpret(&mut self, text: &str, cut: &Cut) -> Result<Reply, Diagnostic> {
        let session = &mut self.session;
        panics::guarded(|| interpret::statement(session, text, cut)).unwrap_or_else(|said| {
            Err(Diagnostic::new(format!("internal error: {said}"))
                .at(cut.span)
                .help("this is a mistake in chainrule, not in the statement; how much of it was done is uncertain"))
        })
    }

    fn answer(&mut self, reply: Reply, silenced: bool, spot: Spot) -> Result<(), Stop> {
        let Reply {
            report,
            more,
            notes,
            then,
            failed,
            interrupted,
        } = reply;
        self.failed |= failed;
        if interrupted && self.at_prompt {
            // The terminal has written `^C` where the cursor was.
            self.say("\n")?;
        }
        let quiet = self.options.quiet;
        let report = report.filter(|report| !(silenced || quiet && report.confirmation));
        if self.options.json {
            let Spot {
                origin: Origin { name, .. },
                line,
                ..
            } = spot;
            if let Some(report) = report {
                self.show(|_, out| json::report(&report, &notes, name, line, out))?;
                for report in more {
                    self.show(|_, out| json::report(&report, &[], name, line, out))?;
                }
            } else if !notes.is_empty() {
                self.show(|_, out| json::notes(&notes, name, line, out))?;
            }
        } else {
            if let Some(report) = report {
                self.show(|style, out| view::report(&report, style, out))?;
                for report in more {
                    self.say("\n")?;
                    self.show(|style, out| view::report(&report, style, out))?;
                }
            }
            if let Some(place) = spot.place
                && !notes.is_empty()
            {
                self.tell(|style, out| {
                    for note in &notes {
                        view::note(note, &place, style, out);
                    }
                })?;
            }
        }
        match then {
            _ if interrupted => Err(Stop::Interrupted),
            Then::GoOn => Ok(()),
            Then::Quit => Err(Stop::Quit),
        }
    }

    fn fail(&mut self, error: &Diagnostic, spot: Spot) -> Result<(), Stop> {
        // A statement that was stopped because its answers reach nobody has nothing to say.
        self.output.borrow().still_open()?;
        self.failed = true;
        let Spot {
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
        match (error.interrupted, self.options.keep_going) {
            (true, _) => Err(Stop::Interrupted),
            (false, true) => Ok(()),
            (false, false) => Err(Stop::Failed),
        }
    }

    /// To standard output.
    fn show(&mut self, lay_out: impl FnOnce(&Style, &mut String)) -> Result<(), Stop> {
        // JSON has no looks, and nothing needs to be asked for it.
        let style = if self.options.json {
            Style::default()
        } else {
            self.style(Stream::Answers)
        };
        self.output.borrow_mut().answer(|out| lay_out(&style, out))
    }

    /// To standard error.
    fn tell(&mut self, lay_out: impl FnOnce(&Style, &mut String)) -> Result<(), Stop> {
        let style = self.style(Stream::Messages);
        let mut text = String::new();
        lay_out(&style, &mut text);
        self.output.borrow_mut().message(&text)
    }

    fn style(&mut self, stream: Stream) -> Style {
        let look = match stream {
            Stream::Answers => &mut self.answers,
            Stream::Messages => &mut self.messages,
        };
        if self.at_prompt {
            look.forget_width();
        }
        let settings = self.session.settings();
        Style {
            digits: settings.digits,
            table_digits: settings.table_digits,
            width: look.width(),
            color: look.color(),
            ascii: self.options.ascii,
        }
    }
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
        if let Some(passed) = self.text.get(self.seen..place) {
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

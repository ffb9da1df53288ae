//! How the answers and messages of a run are formatted and written to their stream.
//!
//! `view` decides what a report looks like and `output` where it goes; this file connects the two.

mod document;

use crate::commands::look::watched::Watched;
use crate::diagnostic::Diagnostic;
use crate::report::{DataSheet, Line, Note, Report, dim, plural, say};
use crate::shell::RunEnd;
use crate::shell::process::interrupt;
use crate::shell::process::terminal::Stream;
use crate::shell::script::block;
use crate::shell::script::block::Echo;
use crate::shell::script::job::{ErrorPlace, LineOrigin};
use crate::shell::script::pager;
use crate::shell::script::runner::Runner;
use crate::stop;
use crate::view;
use crate::view::theme::Theme;
use crate::view::{AnswerSink, StatementPlace, Style, json};

impl Runner {
    /// Shows a text of the shell itself like an answer.
    pub(crate) fn say(&mut self, text: &str) -> Result<(), RunEnd> {
        self.show(|_, out| out.push_str(text))
    }

    /// Shows a note of the shell itself.
    pub(crate) fn note(&mut self, message: Line) -> Result<(), RunEnd> {
        self.remark(|style, out| {
            let nowhere = LineOrigin::prompt().place(1, "");
            view::note(&Note::new(message), &nowhere, style, out);
        })
    }

    /// Starts a pasted block: removes it from the screen. Each of its statements is shown again before it is run.
    pub(crate) fn echo_block(&mut self, text: &str, echo: Echo) -> Result<(), RunEnd> {
        if self.options.for_programs() {
            // The output contains answers only.
            return Ok(());
        }
        let columns = self.style(Stream::Answers).width;
        let wiped = block::wiped(text, &echo.sign, columns);
        self.echo = Some(echo);
        self.say(&wiped.unwrap_or_default())
    }

    /// Shows a statement of a pasted block again, or a line of a script in its document. Says whether the statement now
    /// stands above its answer.
    pub(crate) fn echo(&mut self, line: usize, text: &str) -> Result<bool, RunEnd> {
        // The statements of a loaded file were not pasted, so they are not shown.
        if !self.loads.is_empty() {
            return Ok(false);
        }
        if self.writes_document() {
            return self.echo_in_document(line, text);
        }
        let Some(echo) = self.echo.take() else {
            return Ok(false);
        };
        let style = self.style(Stream::Answers);
        let mut shown = String::new();
        echo.write(&self.session, text, &style, &mut shown);
        self.echo = Some(echo);
        self.say(&shown)?;
        Ok(true)
    }

    /// Says how many lines of a transcript were taken for answers.
    pub(crate) fn tell_answers(&mut self, count: usize) -> Result<(), RunEnd> {
        if count == 0 || self.options.quiet || self.options.json {
            return Ok(());
        }
        let lines = plural(count, "line");
        let note = Note::new(dim(say!("{} without a prompt skipped", lines)));
        // It is about the script as a whole, so it has no place in a document.
        self.tell(|style, out| {
            view::note(&note, &LineOrigin::prompt().place(1, ""), style, out);
        })
    }

    /// Shows which lines of a block were not run.
    pub(crate) fn tell_unrun(&mut self, lines: &[&str]) -> Result<(), RunEnd> {
        self.note(say!("{}", block::unrun(lines)))?;
        self.tell(|style, out| block::write_unrun(lines, style, out))
    }

    /// Shows an answer, further reports and notes.
    pub(crate) fn present(
        &mut self,
        report: Option<&Report>,
        more: &[Report],
        notes: &[Note],
        spot: ErrorPlace,
    ) -> Result<(), RunEnd> {
        let report = report.filter(|_| !self.unshown);
        let more = if self.unshown { &[] } else { more };
        if report.is_none() && more.is_empty() && notes.is_empty() {
            return self.output.borrow().still_open();
        }
        if self.options.json {
            let ErrorPlace {
                origin: LineOrigin { name, .. },
                line,
                ..
            } = spot;
            if let Some(report) = report {
                self.show_long(|_, out| json::report(report, notes, name, line, out))?;
            } else if !notes.is_empty() {
                self.show(|_, out| json::notes(notes, name, line, out))?;
            }
            for report in more {
                self.show_long(|_, out| json::report(report, &[], name, line, out))?;
            }
        } else if self.options.csv {
            for report in report.into_iter().chain(more) {
                match report.values() {
                    Some(values) => self.csv(&values, true)?,
                    None => report
                        .sheets()
                        .iter()
                        .try_for_each(|sheet| self.csv(sheet, false))?,
                }
            }
            self.tell_notes(notes, spot)?;
        } else {
            // Further reports (such as a step of the tour) are shown even after a silenced statement.
            let reports: Vec<&Report> = report.into_iter().chain(more).collect();
            self.tell_all(&reports)?;
            self.tell_notes(notes, spot)?;
        }
        Ok(())
    }

    /// Shows notes to people.
    fn tell_notes(&mut self, notes: &[Note], spot: ErrorPlace) -> Result<(), RunEnd> {
        let Some(place) = spot.place.filter(|_| !notes.is_empty()) else {
            return Ok(());
        };
        self.remark(|style, out| {
            for note in notes {
                view::note(note, &place, style, out);
            }
        })
    }

    /// Shows an error. One in a document is repeated on standard error, unless the document is on the terminal.
    pub(crate) fn show_error(
        &mut self,
        error: &Diagnostic,
        origin: LineOrigin,
        place: Option<StatementPlace>,
    ) -> Result<(), RunEnd> {
        // The terminal has written `^C` at the cursor, so start a new line.
        let at_caret = self.at_prompt && error.interrupted;
        self.remark(|style, out| {
            out.push_str(if at_caret { "\n" } else { "" });
            view::diagnostic(error, place.as_ref(), style, out);
        })?;
        if self.writes_document() && !Stream::Answers.is_terminal() {
            let file = origin.file;
            let is_flush = false;
            let place = place.map(|place| StatementPlace {
                file,
                is_flush,
                ..place
            });
            self.tell(|style, out| view::diagnostic(error, place.as_ref(), style, out))?;
        }
        Ok(())
    }

    /// Writes a table as comma-separated values, a blank line after the one before. Values that follow one another are
    /// one table.
    fn csv(&mut self, sheet: &DataSheet, values: bool) -> Result<(), RunEnd> {
        let goes_on = values && self.sheet_above.as_ref() == Some(&sheet.header);
        let apart = self.sheet_above.is_some() && !goes_on;
        self.show_long(|style, sink| {
            sink.text().push_str(if apart { "\r\n" } else { "" });
            view::csv(sheet, !goes_on, style, sink);
        })?;
        let header = if values { &sheet.header[..] } else { &[] };
        self.sheet_above = Some(header.to_vec());
        Ok(())
    }

    /// Shows which watched values changed. Values that the answer itself shows are repeated only in JSON, or if the
    /// answer is not shown.
    pub(crate) fn watched(
        &mut self,
        watched: &Watched,
        answered: bool,
        spot: ErrorPlace,
    ) -> Result<(), RunEnd> {
        let all = self.options.for_programs() || !answered;
        let Some(report) = watched.report(all).filter(|_| !self.unshown) else {
            return Ok(());
        };
        if self.options.json {
            let (name, line) = (spot.origin.name, spot.line);
            self.show(|_, out| json::report(&report, &[], name, line, out))
        } else if self.options.csv {
            let sheets = report.sheets_for_machines();
            sheets.iter().try_for_each(|sheet| self.csv(sheet, false))
        } else {
            self.show(|style, out| view::report(&report, style, out))
        }
    }

    /// Shows reports as one answer; at the prompt, a long one is shown in the pager.
    fn tell_all(&mut self, reports: &[&Report]) -> Result<(), RunEnd> {
        let style = self.style(Stream::Answers);
        let lay_out = |out: &mut String| {
            for (place, report) in reports.iter().enumerate() {
                out.push_str(if place > 0 { "\n" } else { "" });
                view::report(report, &style, out);
            }
        };
        // A loaded file has many answers, so they are not paged.
        if !self.pages || !self.loads.is_empty() {
            return self.write_answer(lay_out);
        }
        let mut text = String::new();
        let laid_out = || lay_out(&mut text);
        stop::interruptible(interrupt::pending, laid_out).map_err(|_| RunEnd::Interrupted)?;
        let size = Stream::Answers.size();
        let is_long = size.is_some_and(|size| size.1 > 0 && pager::is_long(&text, size));
        if is_long {
            self.flush()?;
            if pager::show(&text) {
                return Ok(());
            }
        }
        self.say(&text)
    }

    /// Writes an answer to standard output.
    pub(crate) fn show(&mut self, lay_out: impl FnOnce(&Style, &mut String)) -> Result<(), RunEnd> {
        let style = self.answer_style();
        self.write_answer(|out| lay_out(&style, out))
    }

    /// Writes an answer that may be long to standard output, while it is laid out.
    fn show_long(
        &mut self,
        lay_out: impl FnOnce(&Style, &mut dyn AnswerSink),
    ) -> Result<(), RunEnd> {
        let style = self.answer_style();
        if self.writes_document() {
            return self.answer_in_document(|out| lay_out(&style, out));
        }
        let mut output = self.output.borrow_mut();
        output.long_answer(|output| lay_out(&style, output))
    }

    fn answer_style(&mut self) -> Style {
        // JSON has no style, so the terminal need not be asked for one.
        if self.options.json {
            Style::default()
        } else {
            self.style(Stream::Answers)
        }
    }

    /// Writes a text to standard output, or into the document.
    fn write_answer(&mut self, lay_out: impl FnOnce(&mut String)) -> Result<(), RunEnd> {
        if self.writes_document() {
            return self.answer_in_document(lay_out);
        }
        self.output.borrow_mut().answer(lay_out)
    }

    /// Writes a note or an error: to standard error, or into the document.
    fn remark(&mut self, lay_out: impl FnOnce(&Style, &mut String)) -> Result<(), RunEnd> {
        if self.writes_document() {
            return self.show(lay_out);
        }
        self.tell(lay_out)
    }

    /// Writes a message to standard error.
    pub(crate) fn tell(&mut self, lay_out: impl FnOnce(&Style, &mut String)) -> Result<(), RunEnd> {
        let style = self.style(Stream::Messages);
        let mut text = String::new();
        lay_out(&style, &mut text);
        self.output.borrow_mut().message(&text)
    }

    pub(crate) fn style(&mut self, stream: Stream) -> Style {
        let look = match stream {
            Stream::Answers => &mut self.answers,
            Stream::Messages => &mut self.messages,
        };
        if self.at_prompt {
            look.forget_width();
        }
        let settings = self.session.settings();
        let style = Style {
            digits: settings.digits,
            table_digits: settings.table_digits,
            width: look.width(),
            color: look.color().then(|| Theme::named(settings.theme)),
            ascii: self.options.ascii,
            dark: Theme::named(settings.theme) == Theme::Dark,
        };
        match &self.document {
            Some(document) if stream == Stream::Answers => document.style(style),
            _ => style,
        }
    }
}

//! How the answers and messages of a run are formatted and written to their stream.
//!
//! `view` decides what a report looks like and `output` where it goes; this file connects the two.

use super::comments;
use super::document::EchoDocument;
use super::host::style_of;
use super::pager;
use super::runner::{AnswerFormat, Job, LineOrigin, Runner};
use super::typed_line;
use super::worksheet;
use crate::shell::RunEnd;
use crate::shell::process::terminal::Stream;
use crate::shell::process::{interrupt, world};
use chainrule_report::characters;
use chainrule_report::diagnostic::Diagnostic;
use chainrule_report::{DataSheet, Line, Note, Report, dim, plural, say};
use chainrule_stop as stop;
use chainrule_view as view;
use chainrule_view::theme::Theme;
use chainrule_view::{AnswerSink, Document, Style, json};

impl Runner {
    /// Shows a text of the shell itself like an answer.
    pub(crate) fn show_text(&mut self, text: &str) -> Result<(), RunEnd> {
        self.show_answer(|_, out| out.text().push_str(text))
    }

    /// Shows statements, of which nothing reaches the terminal but characters.
    pub(crate) fn show_statement(&mut self, text: &str) -> Result<(), RunEnd> {
        let text = characters::clean_except(text, &['\n']);
        self.show_text(&(text + "\n"))
    }

    /// Shows a note of the shell itself.
    pub(crate) fn show_note(&mut self, message: Line) -> Result<(), RunEnd> {
        self.show_message(|style, out| {
            let nowhere = LineOrigin::prompt().place(1, "");
            view::note(&Note::new(message), &nowhere, style, out);
        })
    }

    /// Shows a statement of a pasted block again, or a line of a script in its document. Says whether the statement now
    /// stands above its answer.
    pub(super) fn echo_statement(
        &mut self,
        origin: LineOrigin,
        text: &str,
    ) -> Result<bool, RunEnd> {
        // The statements of a loaded file are not shown.
        if self.writes_document() && !self.host.is_loading() {
            return self.echo_in_document(text);
        }
        if !origin.is_echoed {
            return Ok(false);
        }
        let style = self.style(Stream::Answers);
        let mut shown = String::new();
        typed_line::write_line(&self.session, text, &style, &mut shown);
        self.show_text(&shown)?;
        Ok(true)
    }

    /// Says how many lines of a transcript were taken for answers.
    pub(super) fn note_skipped_lines(&mut self, count: usize) -> Result<(), RunEnd> {
        if count == 0 || self.options.quiet || self.format.is_json() {
            return Ok(());
        }
        let lines = plural(count, "line");
        let note = Note::new(dim(say!("{} without a prompt skipped", lines)));
        let lay_out = |style: &Style, out: &mut String| {
            view::note(&note, &LineOrigin::prompt().place(1, ""), style, out);
        };
        // About a script as a whole it has no place in a document. What is entered in a page is a part of one.
        if self.is_at_prompt {
            self.show_message(lay_out)
        } else {
            self.write_message(lay_out)
        }
    }

    /// Shows an answer, further reports and notes.
    pub(super) fn show_reply(
        &mut self,
        report: Option<&Report>,
        more: &[Report],
        notes: &[Note],
        job: Job,
    ) -> Result<(), RunEnd> {
        let report = report.filter(|_| !self.is_silent);
        let more = if self.is_silent { &[] } else { more };
        if report.is_none() && more.is_empty() && notes.is_empty() {
            return self.output.borrow().still_open();
        }
        if self.format.is_json() {
            let (name, line) = (job.origin.name(), job.line());
            self.show_answer(|_, out| match report {
                Some(report) => json::report(report, notes, name, line, out),
                None if notes.is_empty() => {}
                None => json::notes(notes, name, line, out.text()),
            })?;
            return more.iter().try_for_each(|report| {
                self.show_answer(|_, out| json::report(report, &[], name, line, out))
            });
        }
        // Further reports (such as a step of the tour) are shown even after a silenced statement.
        let reports: Vec<&Report> = report.into_iter().chain(more).collect();
        if let AnswerFormat::Csv(_) = self.format {
            self.write_tables(&reports)?;
        } else if self.host.leaves_gaps.get() {
            self.show_on_worksheet(&reports, job.cut.span.of(job.text))?;
        } else {
            self.show_reports(&reports, job.origin.pages)?;
        }
        let Some(place) = job.place.filter(|_| !notes.is_empty()) else {
            return Ok(());
        };
        let mut last = place;
        let lay_out = |style: &Style, out: &mut String| {
            for note in notes {
                let place = match &note.place {
                    Some((span, _)) if place.translated.is_none() => {
                        last = last.counted_from(span.start);
                        &last
                    }
                    _ => &place,
                };
                view::note(note, place, style, out);
            }
        };
        // Notes are for who writes a worksheet, not for who fills it in.
        if self.host.leaves_gaps.get() {
            self.write_message(lay_out)
        } else {
            self.show_message(lay_out)
        }
    }

    /// Shows an error.
    pub(super) fn show_error(&mut self, error: &Diagnostic, job: Job) -> Result<(), RunEnd> {
        let place = job.place.as_ref();
        if self.format.is_json() {
            let (name, line) = (job.origin.name(), job.line());
            return self
                .show_answer(|_, out| json::diagnostic(error, place, name, line, out.text()));
        }
        // The terminal has written `^C` at the cursor, so start a new line.
        let at_caret = self.is_at_prompt && error.is_interrupt;
        self.show_message(|style, out| {
            out.push_str(if at_caret { "\n" } else { "" });
            view::diagnostic(error, place, style, out);
        })
    }

    /// Writes the values or the tables of reports as comma-separated values.
    fn write_tables(&mut self, reports: &[&Report]) -> Result<(), RunEnd> {
        for report in reports {
            if let Some(values) = report.value_sheet() {
                self.write_table(&values, true)?;
                continue;
            }
            for sheet in report.sheets() {
                self.write_table(&sheet, false)?;
            }
        }
        Ok(())
    }

    /// Writes a table, a blank line after the one before. Values that follow one another are one table.
    fn write_table(&mut self, sheet: &DataSheet, values: bool) -> Result<(), RunEnd> {
        let AnswerFormat::Csv(above) = &mut self.format else {
            return Ok(());
        };
        let goes_on = values && above.as_ref() == Some(&sheet.header);
        let apart = above.is_some() && !goes_on;
        let header = if values { &sheet.header[..] } else { &[] };
        *above = Some(header.to_vec());
        self.show_answer(|_, sink| {
            sink.text().push_str(if apart { "\r\n" } else { "" });
            view::csv(sheet, !goes_on, sink);
        })
    }

    /// Shows reports as one answer. A long one is shown in the pager if it `pages`.
    fn show_reports(&mut self, reports: &[&Report], pages: bool) -> Result<(), RunEnd> {
        let is_page = match &self.format {
            AnswerFormat::Document(echo) => echo.document.is_page(),
            _ => false,
        };
        let write = if is_page {
            view::report_html
        } else {
            view::report
        };
        let lay_out = |style: &Style, out: &mut String| {
            for (place, report) in reports.iter().enumerate() {
                // What a loop prints stands line below line, as in Python.
                let apart = place > 0 && report.kind != "print";
                out.push_str(if apart { "\n" } else { "" });
                write(report, style, out);
            }
        };
        if is_page {
            let style = self.style(Stream::Answers);
            let write = |document: &mut Document, text: &str, out: &mut String| {
                document.elements(text, text, out);
            };
            return self.answer_in_document(|out| lay_out(&style, out), write);
        }
        if !pages {
            return self.show_answer(|style, out| lay_out(style, out.text()));
        }
        let style = self.style(Stream::Answers);
        let mut text = String::new();
        let laid_out = || lay_out(&style, &mut text);
        stop::run_until_stopped(interrupt::pending, laid_out).map_err(|_| RunEnd::Interrupted)?;
        // Together with the next prompt it takes more rows than there are.
        let rows = world::size(Stream::Answers).rows;
        if rows > 0 && text.lines().count() >= rows {
            self.flush()?;
            if pager::show(&text) {
                return Ok(());
            }
        }
        self.show_text(&text)
    }

    /// Writes an answer to standard output or into the document.
    pub(crate) fn show_answer(
        &mut self,
        lay_out: impl FnOnce(&Style, &mut dyn AnswerSink),
    ) -> Result<(), RunEnd> {
        // JSON has no style, so the terminal need not be asked for one.
        let style = if self.format.is_json() {
            Style::default()
        } else {
            self.style(Stream::Answers)
        };
        if self.has_document() {
            return self.answer_in_document(|out| lay_out(&style, out), Document::answer);
        }
        let mut output = self.output.borrow_mut();
        output.answer(|output| lay_out(&style, output))
    }

    /// Writes a note or an error: to standard error, or into the document.
    pub(super) fn show_message(
        &mut self,
        lay_out: impl FnOnce(&Style, &mut String),
    ) -> Result<(), RunEnd> {
        if self.has_document() {
            return self.show_answer(|style, out| lay_out(style, out.text()));
        }
        self.write_message(lay_out)
    }

    /// Writes a message to standard error.
    pub(crate) fn write_message(
        &mut self,
        lay_out: impl FnOnce(&Style, &mut String),
    ) -> Result<(), RunEnd> {
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
        if self.is_at_prompt {
            look.measure();
        }
        let settings = self.session.settings();
        let style = Style {
            width: look.width,
            color: look.color.then(|| Theme::from_name(settings.word("theme"))),
            movement: self.movement,
            picture_width: self.picture_width,
            ..style_of(settings)
        };
        match &self.format {
            AnswerFormat::Document(echo) if stream == Stream::Answers => echo.style(&style),
            _ => style,
        }
    }

    /// Writes a document from now on.
    pub(crate) fn begin_document(&mut self, document: EchoDocument) {
        self.host.leaves_gaps.set(document.document.has_gaps());
        self.format = AnswerFormat::Document(Box::new(document));
        self.host.pictures.replace(Some(Vec::new()));
    }

    fn has_document(&self) -> bool {
        matches!(self.format, AnswerFormat::Document(_))
    }

    /// Is what is shown now part of a document?
    pub(super) fn writes_document(&self) -> bool {
        self.has_document() && !self.is_silent
    }

    /// A file, a pipe or a `-e` begins.
    pub(crate) fn begin_source(&mut self) -> Result<(), RunEnd> {
        self.write_document(|echo, out| {
            echo.catch_up(out);
            echo.is_top = true;
        })
    }

    /// Ends a part of the document, which goes on later.
    #[cfg(not(feature = "terminal"))]
    pub(crate) fn end_part(&mut self) -> Result<(), RunEnd> {
        self.write_document(|echo, out| {
            echo.catch_up(out);
            echo.document.end_block(out);
        })
    }

    /// Ends the document.
    pub(crate) fn end_document(&mut self) -> Result<(), RunEnd> {
        self.write_document(|echo, out| {
            echo.catch_up(out);
            echo.document.end(out);
        })
    }

    /// Puts a line of a script into the document. Says whether it is a statement.
    pub(super) fn echo_in_document(&mut self, text: &str) -> Result<bool, RunEnd> {
        let style = self.style(Stream::Answers);
        let AnswerFormat::Document(document) = &mut self.format else {
            return Ok(false);
        };
        if let Some(words) = comments::words(text) {
            document.words(words);
            return Ok(false);
        }
        if !document.prepare_statement(text) {
            return Ok(true);
        }
        // The margin stands before what the author has aligned.
        let text = text
            .trim_end()
            .replace('\n', &format!("\n{}", typed_line::INDENT));
        let written = |text: &str| {
            let mut out = String::new();
            typed_line::write_line(&self.session, text, &style, &mut out);
            out
        };
        let whole = written(&text);
        let shown = if style.has_gaps {
            written(&worksheet::with_gap(&text))
        } else {
            whole.clone()
        };
        self.write_document(|echo, out| {
            echo.catch_up(out);
            echo.document.statement(&shown, &whole, out);
        })?;
        Ok(true)
    }

    /// Puts an answer, a note or an error into the document, which writes it.
    pub(super) fn answer_in_document(
        &mut self,
        lay_out: impl FnOnce(&mut String),
        write: impl FnOnce(&mut Document, &str, &mut String),
    ) -> Result<(), RunEnd> {
        let mut text = String::new();
        stop::run_until_stopped(interrupt::pending, || lay_out(&mut text))
            .map_err(|_| RunEnd::Interrupted)?;
        self.write_document(|echo, out| {
            if !echo.prose.is_empty() {
                echo.catch_up(out);
            }
            write(&mut echo.document, &text, out);
        })
    }

    /// Writes a part of the document, if there is one.
    fn write_document(
        &mut self,
        write: impl FnOnce(&mut EchoDocument, &mut String),
    ) -> Result<(), RunEnd> {
        let AnswerFormat::Document(echo) = &mut self.format else {
            return Ok(());
        };
        if let Some(drawn) = &mut *self.host.pictures.borrow_mut() {
            echo.pictures.append(drawn);
        }
        let mut output = self.output.borrow_mut();
        output.answer(|out| stop::run_to_end(|| write(echo, out.text())))
    }
}

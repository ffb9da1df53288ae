//! Formats the answers and messages of a run and writes them to their stream.
//!
//! `view` decides what a report looks like, and `output` writes it; this file connects the two.

use super::host::style_of;
use super::job::{Job, LineOrigin};
use super::runner::{AnswerFormat, Runner};
use super::{pager, typed_line};
use crate::command::Reply;
use crate::shell::process::terminal::{Stream, When};
use crate::shell::process::{interrupt, world};
use crate::shell::{RunEnd, RunResult};
use chainrule_report::diagnostic::Diagnostic;
use chainrule_report::{DataSheet, Line, Note, Report, dim, plural, say};
use chainrule_stop as stop;
use chainrule_view::theme::Theme;
use chainrule_view::{self as view, AnswerSink, Document, StatementPlace, Style, json};

impl Runner {
    /// Shows a text like an answer.
    pub(crate) fn show_text(&mut self, text: &str) -> RunResult {
        self.show_answer(|_, out| out.text().push_str(text))
    }

    /// Shows a note of the shell.
    pub(crate) fn show_note(&mut self, message: Line) -> RunResult {
        let note = Note::new(message);
        self.show_message(Job::nowhere(), |_, style, out| {
            write_note(&note, style, out);
        })
    }

    /// Shows a statement of a pasted block again, or a line of a script in its document. Returns whether the statement now
    /// stands above its answer.
    pub(super) fn echo_statement(&mut self, is_echoed: bool, text: &str) -> RunResult<bool> {
        // The statements of a loaded file are not shown.
        if self.writes_document() && !self.host.is_loading() {
            return self.echo_in_document(text);
        }
        if !is_echoed {
            return Ok(false);
        }
        let style = self.style(Stream::Answers);
        let shown = typed_line::line_at_prompt(&self.session, text, &style);
        self.show_text(&shown)?;
        Ok(true)
    }

    /// Notes how many lines of a transcript were skipped as answers.
    pub(super) fn note_skipped_lines(&mut self, count: usize) -> RunResult {
        if count == 0 || self.options.is_quiet || self.format.is_json() {
            return Ok(());
        }
        let message = dim(say!("{} without a prompt skipped", plural(count, "line")));
        if self.is_at_prompt {
            return self.show_note(message);
        }
        // The note is about a whole script, so a document does not show it.
        self.write_message(|style, out| write_note(&Note::new(message), style, out))
    }

    /// Shows the reports and notes of a reply.
    pub(super) fn show_reply(&mut self, reply: &Reply, job: Job) -> RunResult {
        let notes = &reply.notes;
        // A statement that ends with `;` has no report, but the reports that follow, such as a step of the tour, are
        // shown. A silent runner shows none.
        let reports: Vec<&Report> = if self.is_silent {
            Vec::new()
        } else {
            reply.report.iter().chain(&reply.more).collect()
        };
        if reports.is_empty() && notes.is_empty() {
            return self.host.output.borrow().still_open();
        }
        if self.format.is_json() {
            return self.show_json(&reports, reply, job);
        }
        if let AnswerFormat::Csv(_) = self.format {
            self.write_tables(&reports)?;
        } else if self.host.leaves_gaps.get() {
            self.show_on_worksheet(&reports, job.cut.span.of(job.text))?;
        } else {
            self.show_reports(&reports, job.origin.can_page)?;
        }
        if notes.is_empty() {
            return Ok(());
        }
        self.show_notes(notes, job)
    }

    /// Writes an object for each report. The first report, which answers the statement, contains the notes. Without an
    /// answer, the notes are an object of their own.
    fn show_json(&mut self, reports: &[&Report], reply: &Reply, job: Job) -> RunResult {
        let (name, line) = (job.origin.name(), job.line());
        let has_answer = reply.report.is_some() && !self.is_silent;
        let mut notes_to_write = &reply.notes[..];
        if !has_answer && !notes_to_write.is_empty() {
            self.show_answer(|_, out| json::notes(notes_to_write, name, line, out.text()))?;
            notes_to_write = &[];
        }
        for report in reports {
            let its_notes = std::mem::take(&mut notes_to_write);
            self.show_answer(|_, out| json::report(report, its_notes, name, line, out))?;
        }
        Ok(())
    }

    /// Shows the notes about a statement.
    fn show_notes(&mut self, notes: &[Note], job: Job) -> RunResult {
        // Notes are for the author of a worksheet, not for the reader who fills it in.
        if self.host.leaves_gaps.get() {
            let place = job.place_in_source();
            return self.write_message(|style, out| write_notes(notes, place, style, out));
        }
        self.show_message(job, |place, style, out| {
            write_notes(notes, place, style, out);
        })
    }

    /// Shows an error.
    pub(super) fn show_error(&mut self, error: &Diagnostic, job: Job) -> RunResult {
        if self.format.is_json() {
            let place = job.place.as_ref();
            let (name, line) = (job.origin.name(), job.line());
            return self
                .show_answer(|_, out| json::diagnostic(error, place, name, line, out.text()));
        }
        // The terminal has written `^C` at the cursor, so start a new line.
        let at_caret = self.is_at_prompt && error.is_interrupt;
        self.show_message(job, |place, style, out| {
            out.push_str(if at_caret { "\n" } else { "" });
            view::diagnostic(error, place.as_ref(), style, out);
        })
    }

    /// Writes the values or the tables of reports as comma-separated values.
    fn write_tables(&mut self, reports: &[&Report]) -> RunResult {
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

    /// Writes a table, after a blank line if there is a table above. Values with the same titles as the values above become
    /// rows of that table.
    fn write_table(&mut self, sheet: &DataSheet, is_of_values: bool) -> RunResult {
        let AnswerFormat::Csv(titles_above) = &mut self.format else {
            return Ok(());
        };
        let joins_above = is_of_values && titles_above.as_ref() == Some(&sheet.header);
        let mut above_rows = String::new();
        if !joins_above {
            above_rows.push_str(if titles_above.is_some() { "\r\n" } else { "" });
            view::write_csv_header(sheet, &mut above_rows);
        }
        // No values may follow in a table of another kind.
        let titles = if is_of_values { &sheet.header[..] } else { &[] };
        *titles_above = Some(titles.to_vec());
        self.show_answer(|_, sink| {
            sink.text().push_str(&above_rows);
            view::write_csv_rows(sheet, sink);
        })
    }

    /// Shows reports as one answer.
    fn show_reports(&mut self, reports: &[&Report], can_page: bool) -> RunResult {
        if let AnswerFormat::Document(echo) = &self.format
            && echo.document.is_page()
        {
            let style = self.style(Stream::Answers);
            let write = |document: &mut Document, text: &str, out: &mut String| {
                document.elements(text, text, out);
            };
            let lay_out = |out: &mut String| join_reports(reports, view::report_html, &style, out);
            return self.answer_in_document(lay_out, write);
        }
        if can_page {
            return self.show_in_pager(reports);
        }
        self.show_answer(|style, out| join_reports(reports, view::report, style, out.text()))
    }

    /// Shows reports as one answer, in the pager if they do not fit into the window.
    fn show_in_pager(&mut self, reports: &[&Report]) -> RunResult {
        let style = self.style(Stream::Answers);
        let text = lay_out_text(|out| join_reports(reports, view::report, &style, out))?;
        // The next prompt takes a row, too.
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
    ) -> RunResult {
        // JSON has no style, so the terminal need not be asked for one.
        let style = if self.format.is_json() {
            Style::default()
        } else {
            self.style(Stream::Answers)
        };
        if self.has_document() {
            return self.answer_in_document(|out| lay_out(&style, out), Document::answer);
        }
        let mut output = self.host.output.borrow_mut();
        output.answer(|sink| lay_out(&style, sink))
    }

    /// Writes notes or an error about a statement to standard error, and into the document if there is one.
    pub(super) fn show_message(
        &mut self,
        job: Job,
        lay_out: impl Fn(Option<StatementPlace>, &Style, &mut String),
    ) -> RunResult {
        if !self.has_document() {
            return self.write_message(|style, out| lay_out(job.place, style, out));
        }
        self.show_answer(|style, out| lay_out(job.place, style, out.text()))?;
        // A page in a browser has one stream.
        if self.is_at_prompt {
            return Ok(());
        }
        self.write_message(|style, out| lay_out(job.place_in_source(), style, out))
    }

    /// Writes a message to standard error.
    pub(crate) fn write_message(&mut self, lay_out: impl FnOnce(&Style, &mut String)) -> RunResult {
        let style = self.style(Stream::Messages);
        let mut text = String::new();
        lay_out(&style, &mut text);
        self.host.output.borrow_mut().message(&text)
    }

    /// Returns the style for a stream. At the prompt it measures the window again, because the user may have resized it.
    pub(crate) fn style(&mut self, stream: Stream) -> Style {
        let look = match stream {
            Stream::Answers => &mut self.answers,
            Stream::Messages => &mut self.messages,
        };
        if self.is_at_prompt {
            look.measure();
        }
        let settings = self.session.settings();
        let theme = || Theme::from_name(settings.word("theme"));
        let style = Style {
            width: look.width,
            theme: look.has_color.then(theme),
            movement: self.movement,
            picture_width: self.picture_width,
            ..style_of(settings)
        };
        match &self.format {
            AnswerFormat::Document(echo) if stream == Stream::Answers => {
                let in_document = echo.document.style(&style);
                Style {
                    theme: (in_document.theme).filter(|_| self.options.color != When::Never),
                    ..in_document
                }
            }
            _ => style,
        }
    }
}

/// Lays out a text before any of it is written. Ctrl-C stops this.
pub(super) fn lay_out_text(lay_out: impl FnOnce(&mut String)) -> RunResult<String> {
    let mut text = String::new();
    stop::run_until_stopped(interrupt::pending, || lay_out(&mut text))
        .map_err(|_| RunEnd::Interrupted)?;
    Ok(text)
}

/// Writes a note that is not about a statement.
fn write_note(note: &Note, style: &Style, out: &mut String) {
    let nowhere = LineOrigin::prompt().place(1, "");
    view::note(note, &nowhere, style, out);
}

/// Writes the notes about the statement at `place`.
fn write_notes(notes: &[Note], place: Option<StatementPlace>, style: &Style, out: &mut String) {
    let Some(place) = place else { return };
    // Lines are counted on from the place of the note before.
    let mut last = place;
    for note in notes {
        let span = note.place.as_ref().map(|(span, _)| span);
        match span.filter(|_| place.translated.is_none()) {
            Some(span) => {
                last = last.counted_from(span.start);
                view::note(note, &last, style, out);
            }
            None => view::note(note, &place, style, out),
        }
    }
}

/// Writes reports with `write`, and blank lines between them.
fn join_reports(
    reports: &[&Report],
    write: fn(&Report, &Style, &mut String),
    style: &Style,
    out: &mut String,
) {
    for (index, report) in reports.iter().enumerate() {
        // Like Python, a loop prints its lines without blank lines between them.
        let needs_blank_line = index > 0 && report.kind != "print";
        out.push_str(if needs_blank_line { "\n" } else { "" });
        write(report, style, out);
    }
}

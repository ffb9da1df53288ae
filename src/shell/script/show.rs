//! Shows replies, notes and errors: lays them out in the format of answers, and passes them to the output.
//!
//! All answers take one way: [`Runner::show_reply`] calls the writer of the format, and that calls `output`. `view` decides
//! what a report looks like. `write_document` writes documents, and `answer_format` the tables of `--csv`.

use super::answer_format::AnswerFormat;
use super::host::style_of;
use super::job::Job;
use super::runner::Runner;
use crate::command::Reply;
use crate::shell::process::interrupt;
use crate::shell::process::terminal::{Stream, When};
use crate::shell::{RunEnd, RunResult};
use chainrule_report::diagnostic::Diagnostic;
use chainrule_report::{Line, Note, Report, ReportKind, dim, plural, say};
use chainrule_stop as stop;
use chainrule_view::theme::Theme;
use chainrule_view::{self as view, AnswerSink, StatementPlace, Style, json};

impl Runner {
    /// Do programs read the answers?
    pub(crate) fn is_for_programs(&self) -> bool {
        self.is_json() || matches!(self.format, AnswerFormat::Csv(_))
    }

    pub(super) fn is_json(&self) -> bool {
        matches!(self.format, AnswerFormat::Json)
    }

    /// Shows the reports and notes of a reply.
    pub(super) fn show_reply(&mut self, reply: &Reply, job: Job) -> RunResult {
        // A statement that ends with `;` has no report, but the reports that follow, such as a step of the tour, are
        // shown. A silent runner shows none.
        let reports: Vec<&Report> = if self.is_silent {
            Vec::new()
        } else {
            reply.report.iter().chain(&reply.more).collect()
        };
        if reports.is_empty() && reply.notes.is_empty() {
            return self.host.output.borrow().still_open();
        }
        match &mut self.format {
            AnswerFormat::Json => return self.write_json(&reports, reply, job),
            AnswerFormat::Csv(above) => above.write_tables(&reports, &self.host)?,
            AnswerFormat::Document(_) => self.write_in_document(&reports, job)?,
            AnswerFormat::Objects(_) => self.write_answer_objects(&reports, job)?,
            AnswerFormat::Text => self.write_text(&reports)?,
        }
        self.show_notes(&reply.notes, job)
    }

    /// Shows a report that answers no statement.
    pub(crate) fn show_report(&mut self, report: Report) -> RunResult {
        self.show_reply(&Reply::show(report), Job::nowhere())
    }

    /// Shows a text like an answer.
    pub(crate) fn show_text(&mut self, text: &str) -> RunResult {
        if self.has_document() {
            return self.add_to_document(|document, out| document.answer(text, out));
        }
        let mut output = self.host.output.borrow_mut();
        output.answer_text(false, |out| out.push_str(text))
    }

    /// Writes reports as text.
    fn write_text(&mut self, reports: &[&Report]) -> RunResult {
        let style = self.style(Stream::Answers);
        let is_at_prompt = self.is_at_prompt;
        let mut output = self.host.output.borrow_mut();
        output.answer_text(reports.iter().all(|it| it.kind.is_output()), |out| {
            join_reports(reports, view::report, &style, out);
            if is_at_prompt {
                end_line(out);
            }
        })
    }

    /// Writes an object for each report. The first report, which answers the statement, contains the notes. Without an
    /// answer, the notes are an object of their own.
    fn write_json(&mut self, reports: &[&Report], reply: &Reply, job: Job) -> RunResult {
        let (name, line) = (job.origin.name(), job.line());
        let mut output = self.host.output.borrow_mut();
        let has_answer = reply.report.is_some() && !self.is_silent;
        let mut notes_to_write = &reply.notes[..];
        if !has_answer && !notes_to_write.is_empty() {
            output.answer(|out| json::notes(notes_to_write, name, line, out.text()))?;
            notes_to_write = &[];
        }
        for report in reports {
            let its_notes = std::mem::take(&mut notes_to_write);
            output.answer(|out| json::report(report, its_notes, name, line, out))?;
        }
        Ok(())
    }

    /// Shows the notes about a statement.
    fn show_notes(&mut self, notes: &[Note], job: Job) -> RunResult {
        if notes.is_empty() {
            return Ok(());
        }
        if self.writes_objects() {
            return self.write_note_objects(notes, job);
        }
        // Notes are for the author of a worksheet, not for the reader who fills it in.
        if self.host.worksheet.get().is_some() {
            let place = job.place_in_source();
            return self.write_message(|style, out| write_notes(notes, place, style, out));
        }
        self.show_message(job, |place, style, out| {
            write_notes(notes, place, style, out);
        })
    }

    /// Shows an error.
    pub(super) fn show_error(&mut self, error: &Diagnostic, job: Job) -> RunResult {
        if self.is_json() {
            let place = job.place.as_ref();
            let (name, line) = (job.origin.name(), job.line());
            let mut output = self.host.output.borrow_mut();
            return output.answer(|out| json::diagnostic(error, place, name, line, out.text()));
        }
        if self.writes_objects() {
            return self.write_error_object(error, job);
        }
        // The terminal has written `^C` at the cursor, so start a new line.
        let at_caret = self.is_at_prompt && error.is_interrupt;
        self.show_message(job, |place, style, out| {
            out.push_str(if at_caret { "\n" } else { "" });
            view::diagnostic(error, place.as_ref(), style, out);
        })
    }

    /// Shows a note of the shell.
    pub(crate) fn show_note(&mut self, message: Line) -> RunResult {
        self.show_notes(&[Note::new(message)], Job::nowhere())
    }

    /// Notes how many lines of a transcript were skipped as answers.
    pub(super) fn note_skipped_lines(&mut self, count: usize) -> RunResult {
        if count == 0 || self.options.is_quiet || self.is_json() || self.writes_objects() {
            return Ok(());
        }
        let message = dim(say!("{} without a prompt skipped", plural(count, "line")));
        if self.is_at_prompt {
            return self.show_note(message);
        }
        // The note is about a whole script, so a document does not show it.
        let (notes, place) = ([Note::new(message)], Job::nowhere().place);
        self.write_message(|style, out| write_notes(&notes, place, style, out))
    }

    /// Shows notes or an error about a statement: on standard error, and in the document if there is one.
    pub(super) fn show_message(
        &mut self,
        job: Job,
        lay_out: impl Fn(Option<StatementPlace>, &Style, &mut String),
    ) -> RunResult {
        if self.has_document() {
            let style = self.style(Stream::Answers);
            let text = lay_out_text(|out| lay_out(job.place, &style, out))?;
            self.show_text(&text)?;
            // A page in a browser has one stream.
            if self.is_at_prompt {
                return Ok(());
            }
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
            Stream::Answers => &mut self.look.answers,
            Stream::Messages => &mut self.look.messages,
        };
        if self.is_at_prompt {
            look.measure();
        }
        let settings = self.session.settings();
        let theme = || Theme::from_name(settings.word("theme"));
        let style = Style {
            width: look.width,
            theme: look.has_color.then(theme),
            movement: self.look.movement,
            picture_width: self.look.picture_width,
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
            AnswerFormat::Objects(format) => Style {
                width: format.width.or(style.width),
                ..style
            },
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

/// Ends the last line of a text, unless it has an end.
pub(super) fn end_line(text: &mut String) {
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
}

/// Writes the notes about the statement at `place`.
pub(super) fn write_notes(
    notes: &[Note],
    place: Option<StatementPlace>,
    style: &Style,
    out: &mut String,
) {
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
pub(super) fn join_reports(
    reports: &[&Report],
    write: fn(&Report, &Style, &mut String),
    style: &Style,
    out: &mut String,
) {
    for (index, report) in reports.iter().enumerate() {
        // Like Python, a loop prints its lines without blank lines between them. So do names that have waited.
        let goes_on = report.kind == ReportKind::Print || report.is_confirmation;
        let needs_blank_line = index > 0 && !goes_on;
        out.push_str(if needs_blank_line { "\n" } else { "" });
        write(report, style, out);
    }
}

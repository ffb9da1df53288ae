//! Writes the statements and the answers of a run into the document of `--echo`.

use super::answer_format::AnswerFormat;
use super::document::EchoDocument;
use super::job::Job;
use super::lesson_line::code_before_question;
use super::runner::Runner;
use super::show::{end_line, join_reports, lay_out_text};
use super::worksheet::{self, part_to_show};
use super::{comments, typed_line};
use crate::shell::RunResult;
use crate::shell::process::terminal::Stream;
use chainrule_report::Report;
use chainrule_stop as stop;
use chainrule_view::{self as view, AnswerSink, Document};

impl Runner {
    /// Makes a document the format of the answers that follow.
    pub(crate) fn begin_document(&mut self, document: Document) {
        self.host.worksheet.set(document.worksheet);
        self.host.pictures.replace(Some(Vec::new()));
        self.format = AnswerFormat::Document(Box::new(EchoDocument {
            document,
            comments: Vec::new(),
            is_top: false,
            pictures: Vec::new(),
        }));
    }

    pub(super) fn has_document(&self) -> bool {
        matches!(self.format, AnswerFormat::Document(_))
    }

    /// Do statements and answers go into a document now?
    pub(super) fn writes_document(&self) -> bool {
        self.has_document() && !self.is_silent
    }

    /// Begins a file, a pipe or a `-e` in the document.
    pub(crate) fn begin_source(&mut self) -> RunResult {
        self.with_document(|echo, out| {
            echo.write_waiting(out);
            echo.is_top = true;
        })
    }

    /// Ends a part of the document, and returns whether it has a picture. A page runs one part at a time; a terminal has no
    /// parts.
    #[cfg(not(feature = "terminal"))]
    pub(crate) fn end_part(&mut self) -> RunResult<bool> {
        let mut has_picture = false;
        self.with_document(|echo, out| {
            echo.write_waiting(out);
            echo.document.end_block(out);
            has_picture = std::mem::take(&mut echo.document.has_picture);
        })?;
        Ok(has_picture)
    }

    /// Ends the document.
    pub(crate) fn end_document(&mut self) -> RunResult {
        self.with_document(|echo, out| {
            echo.write_waiting(out);
            echo.document.end(out);
        })
    }

    /// Shows a statement again, above its answer: one of a pasted block, or one of a script in its document. Returns whether
    /// it does.
    pub(super) fn echo_statement(&mut self, is_echoed: bool, text: &str) -> RunResult<bool> {
        // The statements of a loaded file are not shown.
        if self.writes_document() && !self.host.is_loading() {
            return self.echo_in_document(text);
        }
        if is_echoed {
            let style = self.style(Stream::Answers);
            self.show_text(&typed_line::line_at_prompt(&self.session, text, &style))?;
        }
        Ok(is_echoed)
    }

    /// Puts a line of a script into the document. Returns whether it is a statement.
    fn echo_in_document(&mut self, text: &str) -> RunResult<bool> {
        let style = self.style(Stream::Answers);
        let AnswerFormat::Document(document) = &mut self.format else {
            return Ok(false);
        };
        if let Some(words) = comments::words(text) {
            document.add_comment(words);
            return Ok(false);
        }
        if !document.prepare_statement(text) {
            return Ok(true);
        }
        // The mark `# ?` is for worksheets and lessons.
        let statement_text = code_before_question(text).unwrap_or(text).trim_end();
        let gaps = worksheet::statements_with_gaps;
        let (shown, is_asked) = part_to_show(document.document.worksheet, statement_text, gaps);
        let typed = typed_line::line_at_prompt(&self.session, &shown, &style);
        self.with_document(|echo, out| {
            echo.write_waiting(out);
            echo.document.statement(&typed, is_asked, out);
        })?;
        Ok(true)
    }

    /// Writes the reports of a statement into the document.
    pub(super) fn write_in_document(&mut self, reports: &[&Report], job: Job) -> RunResult {
        let style = self.style(Stream::Answers);
        let is_page = matches!(&self.format, AnswerFormat::Document(it) if it.document.is_page());
        if !is_page {
            let mut text = lay_out_text(|out| join_reports(reports, view::report, &style, out))?;
            end_line(&mut text);
            return self.add_to_document(|document, out| document.answer(&text, out));
        }
        // The comment `# ?` is in the user's text, and not in a translation.
        let typed = job.place.map_or(job.text, |place| place.text);
        let asks_all = code_before_question(typed).is_some();
        let gaps = |it: &Report| worksheet::report_with_gaps(it, &self.session, asks_all);
        let worksheet = self.host.worksheet.get();
        let all = reports.iter();
        let parts: Vec<_> = all.map(|it| part_to_show(worksheet, *it, gaps)).collect();
        let is_asked = parts.iter().any(|(_, is_asked)| *is_asked);
        let shown: Vec<&Report> = parts.iter().map(|(report, _)| &**report).collect();
        let html = lay_out_text(|out| join_reports(&shown, view::report_html, &style, out))?;
        self.add_to_document(|document, out| {
            document.has_picture |= shown.iter().any(|it| it.has_picture());
            document.elements(&html, is_asked, out);
        })
    }

    /// Writes an answer, a note or an error into the document.
    pub(super) fn add_to_document(
        &mut self,
        write: impl FnOnce(&mut Document, &mut String),
    ) -> RunResult {
        // Comments come before the answer. Without them, its pictures wait until it is written.
        self.with_document(|echo, out| {
            if !echo.comments.is_empty() {
                echo.write_waiting(out);
            }
            write(&mut echo.document, out);
        })
    }

    /// Writes into the document with `write`, if there is a document.
    fn with_document(&mut self, write: impl FnOnce(&mut EchoDocument, &mut String)) -> RunResult {
        let AnswerFormat::Document(echo) = &mut self.format else {
            return Ok(());
        };
        if let Some(drawn) = &mut *self.host.pictures.borrow_mut() {
            echo.pictures.append(drawn);
        }
        let mut text = String::new();
        stop::run_to_end(|| write(echo, &mut text));
        let mut output = self.host.output.borrow_mut();
        output.answer(|out| out.text().push_str(&text))
    }
}

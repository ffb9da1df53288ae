//! Writes the statements and the answers of a run into the document of `--echo`.

use super::document::EchoDocument;
use super::runner::{AnswerFormat, Runner};
use super::show::lay_out_text;
use super::{comments, typed_line, worksheet};
use crate::shell::RunResult;
use crate::shell::process::terminal::Stream;
use chainrule_stop as stop;
use chainrule_view::{AnswerSink, Document};

impl Runner {
    /// Makes a document the format of the answers that follow.
    pub(crate) fn begin_document(&mut self, document: Document) {
        self.host.leaves_gaps.set(document.has_gaps());
        self.host.pictures.replace(Some(Vec::new()));
        self.format = AnswerFormat::Document(Box::new(EchoDocument {
            document,
            prose: String::new(),
            is_top: false,
            pictures: Vec::new(),
        }));
    }

    pub(super) fn has_document(&self) -> bool {
        matches!(self.format, AnswerFormat::Document(_))
    }

    /// Do answers go into a document now?
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

    /// Ends a part of the document. A page runs one part at a time; a terminal has no parts.
    #[cfg(not(feature = "terminal"))]
    pub(crate) fn end_part(&mut self) -> RunResult {
        self.with_document(|echo, out| {
            echo.write_waiting(out);
            echo.document.end_block(out);
        })
    }

    /// Ends the document.
    pub(crate) fn end_document(&mut self) -> RunResult {
        self.with_document(|echo, out| {
            echo.write_waiting(out);
            echo.document.end(out);
        })
    }

    /// Puts a line of a script into the document. Returns whether it is a statement.
    pub(super) fn echo_in_document(&mut self, text: &str) -> RunResult<bool> {
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
        // Continuation lines stay below the first one, which gets a prompt.
        let indent = format!("\n{}", typed_line::INDENT);
        let indented = text.trim_end().replace('\n', &indent);
        let painted =
            |statement: &str| typed_line::line_at_prompt(&self.session, statement, &style);
        let whole = painted(&indented);
        let shown = if style.has_gaps {
            painted(&worksheet::with_gaps(&indented))
        } else {
            whole.clone()
        };
        self.with_document(|echo, out| {
            echo.write_waiting(out);
            echo.document.statement(&shown, &whole, out);
        })?;
        Ok(true)
    }

    /// Lays out an answer, a note or an error, and lets `write` put it into the document.
    pub(super) fn answer_in_document(
        &mut self,
        lay_out: impl FnOnce(&mut String),
        write: impl FnOnce(&mut Document, &str, &mut String),
    ) -> RunResult {
        let text = lay_out_text(lay_out)?;
        // Comments come before the answer. Without them, its pictures wait until it is written.
        self.with_document(|echo, out| {
            if !echo.prose.is_empty() {
                echo.write_waiting(out);
            }
            write(&mut echo.document, &text, out);
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
        let mut output = self.host.output.borrow_mut();
        output.answer(|out| stop::run_to_end(|| write(echo, out.text())))
    }
}

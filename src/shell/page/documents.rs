//! Writes documents of a page: a worksheet of a lesson, and a page around answers.

use std::io;

use super::{Page, Written, files};
use crate::command::CommandTrait;
use crate::shell::PROGRAM;
use crate::shell::script::answer_format::AnswerFormat;
use crate::shell::script::job::LineOrigin;
use crate::shell::script::output::Output;
use crate::shell::script::runner::{RunOptions, Runner};
use crate::shell::server::entry::Entry;
use chainrule_view::{Document, DocumentFormat, Worksheet};

impl Page {
    /// Writes a worksheet of the lesson that is open, or its answers. If no lesson is open, takes these statements.
    pub(super) fn worksheet(&mut self, title: &str, statements: &str, is_key: bool) -> String {
        let plays_lesson = |line: &&str| Entry::of(line).has(CommandTrait::PlaysALesson);
        let mut text = self.lesson_text().unwrap_or_else(|| {
            let lines = statements.lines().filter(|line| !plays_lesson(line));
            lines.collect::<Vec<_>>().join("\n")
        });
        text.push('\n');
        let written = Written::default();
        let output = Output::new(Box::new(written.clone()), Box::new(io::sink()));
        let options = RunOptions {
            must_keep_going: true,
            ..RunOptions::default()
        };
        let mut runner = Runner::new(options, AnswerFormat::Text, output);
        let mut document = Document::new(DocumentFormat::Html, title, PROGRAM);
        document.worksheet = Some(Worksheet { is_key, seed: None });
        runner.begin_document(document);
        // The document shows failures, and writing into memory does not fail.
        let _ = runner.begin_source();
        let _ = runner.run_text(LineOrigin::script(title, None), &text);
        let _ = runner.end_document();
        let _ = runner.flush();
        // The page does not offer the files that the worksheet has written.
        files::take_news();
        written.take()
    }

    /// Writes a complete page of HTML around the answers.
    pub(super) fn document(title: &str, answers: &str) -> String {
        let mut document = Document::new(DocumentFormat::Html, title, PROGRAM);
        let mut out = String::new();
        document.elements(answers, false, &mut out);
        document.end(&mut out);
        out
    }

    /// The text of the lesson that is open.
    pub(super) fn lesson_text(&self) -> Option<String> {
        let lesson = self.server.runner.lesson();
        let path = lesson.path.as_ref().filter(|_| lesson.is_open)?;
        match lesson.built_in {
            Some(built_in) => Some(built_in.text.to_owned()),
            None => files::read_text(path),
        }
    }
}

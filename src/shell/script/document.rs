//! The document that `--echo` writes: orders comments, statements, answers and pictures. `view` decides what a document
//! looks like.
//!
//! Comments wait for the next statement, and pictures follow the answer of the line that drew them.

use super::lesson_line::asks;
use crate::command::CommandTrait;
use crate::command::lesson_question::{HINT, LessonQuestion};
use crate::interpret::Meaning;
use chainrule_view::{Document, DocumentPicture};

/// The document that `--echo` writes, and the comments and pictures that are not written yet.
pub(crate) struct EchoDocument {
    pub(super) document: Document,
    /// The words of the comments since the last statement, by lines.
    pub(super) comments: Vec<String>,
    /// The comments began where a script begins, so their first line may be a title.
    pub(super) is_top: bool,
    /// The pictures that were drawn since the last answer.
    pub(super) pictures: Vec<DocumentPicture>,
}

impl EchoDocument {
    /// Takes the words of a comment, or a blank line. Blank lines before the first comment are dropped.
    pub(super) fn add_comment(&mut self, words: &str) {
        if !(words.is_empty() && self.comments.is_empty()) {
            self.comments.push(words.to_owned());
        }
    }

    fn questions(&self) -> Vec<LessonQuestion> {
        LessonQuestion::all_in(self.comments.iter().map(String::as_str))
    }

    /// Drops comments that are not for readers: the author's hint for a guess, which a lesson shows after a wrong guess. A
    /// worksheet also leaves out `:reset;` with the paragraph about it. Returns whether it shows the statement itself.
    pub(super) fn prepare_statement(&mut self, statement: &str) -> bool {
        let empties = |it: &Meaning| it.is_silenced && it.has(CommandTrait::EmptiesTheSession);
        let is_reset =
            self.document.worksheet.is_some() && Meaning::all_in(statement).any(|it| empties(&it));
        if is_reset {
            let end = self.comments.iter().rposition(|line| !line.is_empty());
            let paragraph = &self.comments[..end.unwrap_or(0)];
            if let Some(gap) = paragraph.iter().rposition(String::is_empty) {
                self.comments.truncate(gap + 1);
            }
        } else if asks(statement) {
            // The hint of a question belongs to its answers.
            let begin = self.questions().last().map_or(0, |it| it.lines.end);
            let mut own = self.comments[begin..].iter();
            if let Some(hint) = own.rposition(|line| line.starts_with(HINT)) {
                self.comments.truncate(begin + hint);
            }
        }
        !is_reset
    }

    /// Writes the pictures and comments that are not written yet. If the first line of a script has an empty line below it,
    /// it becomes the title.
    pub(super) fn write_waiting(&mut self, out: &mut String) {
        for picture in self.pictures.drain(..) {
            self.document.picture(&picture, out);
        }
        let questions = self.questions();
        let mut lines = std::mem::take(&mut self.comments);
        if std::mem::take(&mut self.is_top)
            && let [title, below, ..] = &mut lines[..]
            && below.is_empty()
            && !title.starts_with('#')
        {
            title.insert_str(0, "# ");
        }
        let mut begin = 0;
        for LessonQuestion {
            lines: own,
            text,
            answers,
            ..
        } in questions
        {
            self.write_prose(&lines[begin..own.start], out);
            self.document.question(&text, &answers.join(" or "), out);
            begin = own.end;
        }
        self.write_prose(&lines[begin..], out);
    }

    fn write_prose(&mut self, lines: &[String], out: &mut String) {
        let words = lines.join("\n");
        if !words.trim().is_empty() {
            self.document.prose(words.trim_matches('\n'), out);
        }
    }
}

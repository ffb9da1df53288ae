//! The document that `--echo` writes: orders comments, statements, answers and pictures. `view` decides what a document
//! looks like.
//!
//! Comments wait for the next statement, and pictures follow the answer of the line that drew them.

use super::lesson_line::asks;
use crate::command::lesson_question::{LessonQuestion, question_places};
use chainrule_view::{Document, DocumentPicture};

/// The document that `--echo` writes, and the comments and pictures that are not written yet.
pub(crate) struct EchoDocument {
    pub(super) document: Document,
    /// The comments since the last statement.
    pub(super) prose: String,
    /// The comments began where a script begins, so their first line may be a title.
    pub(super) is_top: bool,
    /// The pictures that were drawn since the last answer.
    pub(super) pictures: Vec<DocumentPicture>,
    /// Only the answers of a worksheet are written, when the document ends.
    pub(super) writes_answers: bool,
}

impl EchoDocument {
    /// Takes the words of a comment, or a blank line. Blank lines before the first comment are dropped.
    pub(super) fn add_comment(&mut self, words: &str) {
        if !(words.is_empty() && self.prose.is_empty()) {
            self.prose.push_str(words);
            self.prose.push('\n');
        }
    }

    /// Drops comments that are not for readers: the author's hint for a guess, which a lesson shows after a wrong guess. A
    /// worksheet also leaves out `:reset;` with the paragraph about it. Returns whether it shows the statement itself.
    pub(super) fn prepare_statement(&mut self, statement: &str) -> bool {
        let is_reset = self.document.has_gaps() && statement.trim() == ":reset;";
        // Each comment ends its line: `Words.\n\nhint: think of b.\n`
        let begin = if is_reset {
            self.prose.trim_end().rfind("\n\n").map(|at| at + 2)
        } else if asks(statement) {
            let is_first = self.prose.starts_with("hint:").then_some(0);
            let place = self.prose.rfind("\nhint:").map(|at| at + 1).or(is_first);
            // The hint below the answers to a question belongs to them.
            place.filter(|at| {
                let last_line = self.prose[..*at].lines().next_back();
                !last_line.is_some_and(|line| line.starts_with("answer:"))
            })
        } else {
            None
        };
        if let Some(begin) = begin {
            self.prose.truncate(begin);
        }
        !is_reset
    }

    /// Writes the pictures and comments that are not written yet. If the first line of a script has an empty line below it,
    /// it becomes the title.
    pub(super) fn write_waiting(&mut self, out: &mut String) {
        for picture in self.pictures.drain(..) {
            self.document.picture(&picture, out);
        }
        let mut text = std::mem::take(&mut self.prose);
        let is_title =
            |(line, rest): (&str, &str)| !line.starts_with('#') && rest.starts_with('\n');
        if std::mem::take(&mut self.is_top) && text.split_once('\n').is_some_and(is_title) {
            text.insert_str(0, "# ");
        }
        let lines: Vec<&str> = text.trim_end().split_inclusive('\n').collect();
        let mut begin = 0;
        for place in question_places(lines.iter().copied()) {
            self.write_prose(&lines[begin..place.start].concat(), out);
            if let Some(question) = LessonQuestion::last_in(lines[place.clone()].iter().copied()) {
                let answers = question.answers.join(" or ");
                self.document.question(&question.text, &answers, out);
            }
            begin = place.end;
        }
        self.write_prose(&lines[begin..].concat(), out);
    }

    fn write_prose(&mut self, words: &str, out: &mut String) {
        if !words.trim().is_empty() {
            self.document.prose(words.trim_matches('\n'), out);
        }
    }
}

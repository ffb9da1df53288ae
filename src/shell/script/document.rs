//! `--echo`: the lines of a script and their results go into a document.
//!
//! `view` says what a document looks like; this file tells it what comes when. Pictures follow the answers of the line
//! that drew them.

use super::lesson;

use chainrule_view::{Document, DocumentPicture, Style};

/// The document that `--echo` writes, and what waits for its place in it.
pub(crate) struct EchoDocument {
    pub(crate) document: Document,
    /// Answers have colours, if the format has any.
    colors: bool,
    /// The comments since the last statement.
    pub(super) prose: String,
    /// They began where a script begins, so their first line may be a title.
    pub(super) is_top: bool,
    pub(super) pictures: Vec<DocumentPicture>,
}

impl EchoDocument {
    /// A document that nothing stands in yet.
    pub(crate) fn new(document: Document, colors: bool) -> EchoDocument {
        EchoDocument {
            document,
            colors,
            prose: String::new(),
            is_top: false,
            pictures: Vec::new(),
        }
    }

    /// Takes the words of a comment, or a blank line.
    pub(super) fn words(&mut self, words: &str) {
        if !(words.is_empty() && self.prose.is_empty()) {
            self.prose.push_str(words);
            self.prose.push('\n');
        }
    }

    /// Leaves out what is not for readers: the author's hint for a guess, which is printed for those who guess wrong. On a
    /// worksheet also `:reset;` with the paragraph about it. Says whether the statement itself is to be shown.
    pub(super) fn prepare_statement(&mut self, statement: &str) -> bool {
        let is_reset = self.document.has_gaps() && statement.trim() == ":reset;";
        let begin = if is_reset {
            self.prose.trim_end().rfind("\n\n").map(|at| at + 2)
        } else if lesson::asks(statement) {
            let is_first = self.prose.starts_with("hint:").then_some(0);
            self.prose.rfind("\nhint:").map(|at| at + 1).or(is_first)
        } else {
            None
        };
        self.prose.truncate(begin.unwrap_or(self.prose.len()));
        !is_reset
    }

    /// The style of answers in it.
    pub(super) fn style(&self, style: &Style) -> Style {
        let style = self.document.style(style);
        Style {
            color: style.color.filter(|_| self.colors),
            ..style
        }
    }

    /// Writes what waits.
    pub(super) fn catch_up(&mut self, out: &mut String) {
        for picture in self.pictures.drain(..) {
            self.document.picture(&picture, out);
        }
        let mut text = std::mem::take(&mut self.prose);
        let is_title =
            |(line, rest): (&str, &str)| !line.starts_with('#') && rest.starts_with('\n');
        if std::mem::take(&mut self.is_top) && text.split_once('\n').is_some_and(is_title) {
            text.insert_str(0, "# ");
        }
        let text = text.trim_end();
        if !text.is_empty() {
            self.document.prose(text, out);
        }
    }
}

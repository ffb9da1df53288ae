//! `--echo`: the lines of a script and their results go into a document.
//!
//! `view` says what a document looks like; this file tells it what comes when. Pictures follow the answers of the line
//! that drew them.

use std::borrow::Cow;

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

/// The text without the indentation of its first line, which is taken from all lines.
pub(super) fn dedented(text: &str) -> Cow<'_, str> {
    let indent = |line: &str| line.len() - line.trim_start_matches(' ').len();
    let first = indent(text);
    if first == 0 {
        return Cow::Borrowed(text);
    }
    let lines = text
        .split('\n')
        .map(|line| &line[indent(line).min(first)..]);
    Cow::Owned(lines.collect::<Vec<_>>().join("\n"))
}

#[cfg(test)]
mod tests {
    use super::dedented;

    #[test]
    fn further_lines_lose_as_many_blanks_as_the_first() {
        for (text, expected) in [
            ("a = 1", "a = 1"),
            ("a = (1 +\n     2)", "a = (1 +\n     2)"),
            ("   a = (1 +\n        2)\n 3", "a = (1 +\n     2)\n3"),
        ] {
            assert_eq!(dedented(text), expected, "{text}");
        }
    }
}

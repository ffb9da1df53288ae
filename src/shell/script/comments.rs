//! The comments of a script: their words for readers, and the comments themselves for `:save`.
//!
//! Words are Markdown: lines that follow one another are a paragraph, a blank line or an empty comment ends it, and
//! `## Words` is a heading as it stands. The comments that `:save` writes again wait for the next statement. Those at the
//! top of a script are its heading if an empty line or a statement that binds nothing follows; those before any other
//! statement that binds nothing are dropped.

use crate::commands::help::prose;
use crate::report::{Block, Line, Piece};
use crate::session::Session;
use crate::session::saving::header;
use crate::session::values::Comment;
use crate::syntax;
use crate::syntax::Cut;

/// The words of a comment, and of a blank line, which has none; `None` for a statement.
pub(super) fn words(line: &str) -> Option<&str> {
    let line = line.trim();
    if line.is_empty() {
        return Some(line);
    }
    let words = line.strip_prefix('#')?;
    if words.starts_with('#') {
        return Some(line);
    }
    Some(words.strip_prefix(' ').unwrap_or(words))
}

/// What an item of a list begins with.
const ITEMS: [&str; 3] = ["- ", "* ", "+ "];

/// The heading that a comment is.
fn heading(words: &str) -> Option<&str> {
    let heading = words.trim_start_matches('#');
    (heading.len() < words.len() && heading.starts_with(' ')).then(|| heading.trim())
}

/// The blocks that show these comments. An empty line ends a paragraph, as `#` alone does.
pub(super) fn blocks(comments: &[String]) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut lines = (comments.iter())
        .map(|comment| words(comment).unwrap_or_default())
        .peekable();
    let goes_on = |words: &&str| {
        let is_apart = words.is_empty() || words.starts_with(' ') || heading(words).is_some();
        !is_apart && !ITEMS.iter().any(|item| words.starts_with(item))
    };
    while let Some(words) = lines.next() {
        let block = if let Some(heading) = heading(words) {
            Block::Line(vec![Piece::Heading(heading.to_owned())])
        } else if words.starts_with(' ') {
            Block::Line(vec![Piece::plain(words)])
        } else if words.is_empty() {
            // One empty line below a paragraph, or below a line that was kept as it is.
            let is_below = match blocks.last() {
                Some(Block::Line(line)) => matches!(line.as_slice(), [Piece::Plain(_)]),
                last => last.is_some(),
            };
            if !is_below || lines.peek().is_none() {
                continue;
            }
            Block::Line(Line::new())
        } else {
            let mut paragraph = words.to_owned();
            while let Some(words) = lines.next_if(goes_on) {
                paragraph.push(' ');
                paragraph.push_str(words);
            }
            prose::paragraph(&paragraph)
        };
        blocks.push(block);
    }
    blocks
}

/// The comments read so far that no statement has taken.
#[derive(Default)]
pub(crate) struct KeptComments {
    heading: Vec<Box<str>>,
    before: Vec<Box<str>>,
    /// No statement and no heading was read yet.
    at_top: bool,
}

impl KeptComments {
    /// At the beginning of a script.
    pub(crate) fn at_top() -> KeptComments {
        KeptComments {
            at_top: true,
            ..KeptComments::default()
        }
    }

    /// Takes the text if it is a comment or empty. Otherwise offers the comments to the session, before the statements
    /// of the text run. Returns whether it has statements.
    pub(super) fn offer(&mut self, session: &mut Session, text: &str) -> bool {
        let line = text.trim_start();
        if line.is_empty() || line.starts_with('#') {
            // A comment that was refused would be refused again when it is loaded.
            if syntax::statements(text).all(|cut| cut.is_ok()) {
                self.take(line.trim_end());
            }
            return false;
        }
        let behind = if text.contains('#') {
            comment_behind(text)
        } else {
            None
        };
        if behind.is_some() || !(self.heading.is_empty() && self.before.is_empty()) {
            session.offer_comment(Comment {
                heading: std::mem::take(&mut self.heading),
                before: std::mem::take(&mut self.before),
                behind: behind.map(Into::into),
            });
        }
        true
    }

    /// Takes a comment or an empty line.
    pub(super) fn take(&mut self, line: &str) {
        if !line.is_empty() {
            let is_first = self.at_top && self.before.is_empty();
            if !(is_first && header::opens(line.as_bytes())) {
                self.before.push(line.into());
            }
        } else if !self.before.is_empty() {
            if self.at_top {
                self.heading = std::mem::take(&mut self.before);
                self.at_top = false;
            } else {
                self.before.push(Box::default());
            }
        }
    }

    /// Takes back what no binding took: only a heading waits on.
    pub(super) fn settle(&mut self, session: &mut Session) {
        let at_top = std::mem::replace(&mut self.at_top, false);
        let Some(comment) = session.take_comment_back() else {
            return;
        };
        self.heading = comment.heading;
        if at_top {
            self.heading.extend(comment.before);
        }
    }
}

/// The comment behind the last statement of a text.
fn comment_behind(text: &str) -> Option<&str> {
    let cuts: Result<Vec<Cut>, _> = syntax::statements(text).collect();
    let end = cuts.ok()?.last()?.span.end as usize;
    let rest = text.get(end..)?.trim_start_matches([' ', '\t', ';']);
    rest.starts_with('#').then(|| rest.trim_end())
}

#[cfg(test)]
mod tests {
    use super::{blocks, comment_behind, words};
    use crate::report::{Block, Piece};

    fn shown(text: &str) -> Vec<String> {
        let words = |line: &[Piece]| line.iter().map(Piece::words).collect::<String>();
        let block = |block: &Block| match block {
            Block::Line(line) => words(line),
            Block::Prose(prose) => format!("P {}", words(&prose.line)),
            other => panic!("{other:?}"),
        };
        let comments: Vec<String> = text.lines().map(str::to_owned).collect();
        blocks(&comments).iter().map(block).collect()
    }

    #[test]
    fn comments_are_paragraphs_headings_and_lines() {
        for (text, expected) in [
            ("", &[][..]),
            ("#", &[]),
            ("# one\n# two", &["P one two"]),
            ("#one\n\n#two", &["P one", "", "P two"]),
            (
                "# one\n#\n#   code  x\n#\n# two\n#",
                &["P one", "", "  code  x", "", "P two"],
            ),
            ("## 1. A slope\n# y", &["1. A slope", "P y"]),
            ("### A part\n#a = 2", &["A part", "P a = 2"]),
            (
                "# surely\n# - one\n# item\n# - two",
                &["P surely", "P - one item", "P - two"],
            ),
            ("# `:grad L` is it", &["P `:grad L` is it"]),
        ] {
            assert_eq!(shown(text), expected, "{text}");
        }
    }
    #[test]
    fn words_of_comments() {
        for (line, expected) in [
            ("", Some("")),
            ("  \t", Some("")),
            ("a = 2 # two", None),
            ("# words", Some("words")),
            ("   #words ", Some("words")),
            ("#   - an item in an item", Some("  - an item in an item")),
            ("#", Some("")),
            ("# # A title", Some("# A title")),
            ("## A part", Some("## A part")),
        ] {
            assert_eq!(words(line), expected, "{line}");
        }
    }

    #[test]
    fn comments_behind_statements() {
        for (text, expected) in [
            ("a = 2", None),
            ("a = 2;", None),
            ("a = 2  # two ", Some("# two")),
            ("a = 2;# two", Some("# two")),
            ("a = 2; b = 3 ; # both", Some("# both")),
            (":graph L 'a # b.svg'", None),
            ("a = [1, # one\n2] # two", Some("# two")),
        ] {
            assert_eq!(comment_behind(text), expected, "{text}");
        }
    }
}

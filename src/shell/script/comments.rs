//! Turns the comments of a script into text for readers.
//!
//! The text is Markdown. A line such as `## Words` is a heading and keeps its signs.

use crate::command::lesson_question::ASK;
use chainrule_report::{Block, markdown_blocks};

/// The words of a comment; empty for a blank line, `None` for a statement.
pub(super) fn words(line: &str) -> Option<&str> {
    let code = line.trim();
    if code.is_empty() {
        return Some(code);
    }
    let words = code.strip_prefix('#')?;
    if words.starts_with('#') {
        return Some(code);
    }
    Some(words.strip_prefix(' ').unwrap_or(words))
}

/// The blocks of a report that show these comments. A question is shown without the `ask:` before it.
pub(super) fn blocks(comments: &[String]) -> Vec<Block> {
    let lines = comments.iter().filter_map(|comment| words(comment));
    let shown = lines.map(|line| line.strip_prefix(ASK).map_or(line, str::trim));
    markdown_blocks(&shown.collect::<Vec<_>>().join("\n"))
}

#[cfg(test)]
mod tests {
    use super::words;

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
}

//! The comments of a script as words for readers.
//!
//! Words are Markdown: lines that follow one another are a paragraph, a blank line or an empty comment ends it, and
//! `## Words` is a heading as it stands.

use crate::commands::help::prose;
use crate::report::{Block, Line, Piece, Role};

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

/// Whether an item of a list begins here, `- one` or `2. two`.
fn begins_item(words: &str) -> bool {
    let number = words.split_once(". ").map_or("", |(number, _)| number);
    let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    is_number || ITEMS.iter().any(|item| words.starts_with(item))
}

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
        !is_apart && !begins_item(words)
    };
    while let Some(words) = lines.next() {
        let block = if let Some(heading) = heading(words) {
            Block::Line(vec![Piece::Words(Role::Heading, heading.to_owned())])
        } else if words.starts_with(' ') {
            Block::Line(vec![Piece::plain(words)])
        } else if words.is_empty() {
            // One empty line below a paragraph, or below a line that was kept as it is.
            let is_below = match blocks.last() {
                Some(Block::Line(line)) => {
                    matches!(line.as_slice(), [Piece::Words(Role::Plain, _)])
                }
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

#[cfg(test)]
mod tests {
    use super::{blocks, words};
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
            (
                "# 1. one\n# goes on\n# 2. two, **bold**",
                &["P 1. one goes on", "P 2. two, bold"],
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
}

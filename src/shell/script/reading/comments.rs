//! Comments of a script as text for people: paragraphs, headings and lines that are kept as they are.
//!
//! A comment is kept as its line, from `#` on; `prose` says what its words are. Lines that follow one another are one
//! paragraph, and an item of a list begins with a sign of its own.

use super::prose::ReadersLine;
use crate::commands::help::prose;
use crate::report::{Block, Line, Piece};

/// Is this line a comment and nothing else?
pub(crate) fn is_comment(line: &str) -> bool {
    line.trim_start().starts_with('#')
}

/// What an item of a list begins with.
const ITEMS: [&str; 3] = ["- ", "* ", "+ "];

/// The blocks that show these comments. An empty line ends a paragraph, as `#` alone does.
pub(crate) fn blocks<'c>(comments: impl IntoIterator<Item = &'c str>) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut paragraph = String::new();
    for comment in comments {
        // Only the first line of a script can be `#!…`, and that is no comment of a lesson.
        let ReadersLine::Prose(words) = ReadersLine::of(usize::MAX, comment) else {
            end(&mut paragraph, &mut blocks);
            space(&mut blocks);
            continue;
        };
        let heading = words.trim_start_matches('#');
        if heading.len() < words.len() && heading.starts_with(' ') {
            end(&mut paragraph, &mut blocks);
            blocks.push(Block::Line(vec![Piece::Heading(heading.trim().to_owned())]));
        } else if words.starts_with(' ') {
            end(&mut paragraph, &mut blocks);
            blocks.push(Block::Line(vec![Piece::plain(words.trim_end())]));
        } else if words.is_empty() {
            end(&mut paragraph, &mut blocks);
            space(&mut blocks);
        } else {
            if ITEMS.iter().any(|item| words.starts_with(item)) {
                end(&mut paragraph, &mut blocks);
            }
            paragraph.push_str(if paragraph.is_empty() { "" } else { " " });
            paragraph.push_str(words.trim_end());
        }
    }
    end(&mut paragraph, &mut blocks);
    if matches!(blocks.last(), Some(Block::Line(line)) if line.is_empty()) {
        blocks.pop();
    }
    blocks
}

/// An empty line below a paragraph or a line that was kept as it is.
fn space(blocks: &mut Vec<Block>) {
    let below = match blocks.last() {
        Some(Block::Line(line)) => matches!(line.as_slice(), [Piece::Plain(_)]),
        last => last.is_some(),
    };
    if below {
        blocks.push(Block::Line(Line::new()));
    }
}

/// Ends a paragraph.
fn end(paragraph: &mut String, blocks: &mut Vec<Block>) {
    if !paragraph.is_empty() {
        blocks.push(prose::paragraph(paragraph));
        paragraph.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::blocks;
    use crate::report::{Block, Piece};

    fn shown(text: &str) -> Vec<String> {
        let words = |line: &[Piece]| line.iter().map(Piece::words).collect::<String>();
        let block = |block: &Block| match block {
            Block::Line(line) => words(line),
            Block::Prose(prose) => format!("P {}", words(&prose.line)),
            other => panic!("{other:?}"),
        };
        blocks(text.lines()).iter().map(block).collect()
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
            ("#####\n# words\n#####", &["P words"]),
            ("### A part\n##a = 2", &["A part", "P a = 2"]),
            (
                "# surely\n# - one\n# item\n# - two",
                &["P surely", "P - one item", "P - two"],
            ),
            ("# `:grad L` is it", &["P `:grad L` is it"]),
        ] {
            assert_eq!(shown(text), expected, "{text}");
        }
    }
}

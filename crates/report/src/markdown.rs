//! Reads Markdown into blocks: pages of the manual, sentences of the help, comments of scripts.
//!
//! `` `:grad L` `` is something to type, `` `a*b` `` is a formula, and `**this**` stands out. The backticks stay,
//! dimmed, for terminals without colours. The asterisks and underscores of emphasis stay too, because `a*b*c` is
//! usually a product. Pictures, HTML comments and the heads of tables are for the book only. The view breaks lines, so
//! line breaks within a paragraph are blanks.

use std::mem::take;

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

use super::{Block, Line, Piece, Prose, Role, join, push_words, say};

/// The most columns of a term that has its meaning beside it.
const TERM: usize = 30;

/// A sentence in Markdown as a line.
pub fn markdown_line(text: &str) -> Line {
    match markdown(text).into_iter().next() {
        Some(Block::Prose(prose)) => prose.whole(),
        _ => say!("{}", text),
    }
}

/// Terms with their meanings, aligned in one column.
pub fn term_rows(rows: Vec<(String, Line)>) -> Vec<Block> {
    let widths = rows.iter().map(|(term, _)| term.chars().count());
    let column = widths.max().unwrap_or(0).min(TERM) + 5;
    let row = |(term, line): (String, Line)| {
        let term = say!("{:typed}", term);
        Block::Prose(Prose { term, column, line })
    };
    rows.into_iter().map(row).collect()
}

/// The blocks of a text, with an empty line between parts.
pub fn markdown(text: &str) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut add = |new: Vec<Block>, is_apart: bool| {
        if is_apart && !blocks.is_empty() {
            blocks.push(Block::Line(Line::new()));
        }
        blocks.extend(new);
    };
    let (mut line, mut role) = (Line::new(), Role::Plain);
    let (mut cells, mut rows) = (Vec::new(), Vec::new());
    // The mark before an item, `-` or `2.`; empty outside of lists.
    let (mut mark, mut is_first) = ("", true);
    let mut events = Parser::new_ext(text, Options::ENABLE_TABLES).into_offset_iter();
    while let Some((event, range)) = events.next() {
        let ends_line = match &event {
            Event::Start(Tag::List(_)) => true,
            Event::End(end) => matches!(end, TagEnd::Paragraph | TagEnd::HtmlBlock | TagEnd::Item),
            _ => false,
        };
        if ends_line && !line.is_empty() {
            let prose = Prose {
                term: say!("{}", mark),
                column: if mark.is_empty() { 0 } else { mark.len() + 4 },
                line: take(&mut line),
            };
            add(vec![Block::Prose(prose)], mark.is_empty() || is_first);
            is_first = false;
        }
        match event {
            Event::Html(text) | Event::InlineHtml(text) if text.starts_with("<!--") => {}
            Event::Text(text) | Event::Html(text) | Event::InlineHtml(text) => {
                push_words(&mut line, role, &text);
            }
            Event::Code(code) if code.starts_with(':') => {
                line.extend(say!("{:dim}{:typed}{:dim}", "`", &*code, "`"));
            }
            Event::Code(code) => line.extend(say!("{:dim}{:formula}{:dim}", "`", &*code, "`")),
            Event::SoftBreak | Event::HardBreak => push_words(&mut line, role, " "),
            Event::Start(Tag::Emphasis) | Event::End(TagEnd::Emphasis) => {
                push_words(&mut line, role, &text[range][..1]);
            }
            Event::Start(Tag::Strong) => role = Role::Heading,
            Event::End(TagEnd::Strong) => role = Role::Plain,
            Event::Start(skipped @ (Tag::Image { .. } | Tag::TableHead)) => {
                let end = Event::End(skipped.to_end());
                events.find(|(event, _)| *event == end);
            }
            Event::Start(Tag::List(_)) => is_first = mark.is_empty(),
            Event::Start(Tag::Item) => {
                mark = text[range].split_whitespace().next().unwrap_or_default();
            }
            Event::End(TagEnd::List(_)) => mark = "",
            Event::End(TagEnd::Heading(_)) => {
                let heading = say!("{:heading}", text_of(&take(&mut line)));
                add(vec![Block::Line(heading)], true);
            }
            Event::End(TagEnd::CodeBlock) => {
                let code = text_of(&take(&mut line)).trim_end().to_owned();
                add(vec![Block::Code(code)], true);
            }
            Event::End(TagEnd::TableCell) => cells.push(take(&mut line)),
            Event::End(TagEnd::TableRow) => {
                let term = text_of(&cells.remove(0)).replace('`', "");
                cells.retain(|cell| !cell.is_empty());
                rows.push((term, join(take(&mut cells), " · ")));
            }
            Event::End(TagEnd::Table) => add(term_rows(take(&mut rows)), true),
            _ => {}
        }
    }
    blocks
}

fn text_of(line: &[Piece]) -> String {
    line.iter().map(Piece::words).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markdown_becomes_blocks() {
        let page = "Words, `a*b`\nand [more](x.md).\n\n![a picture](x.svg)\n\n<!-- for the book -->\n\n\
                    - an item\n  that goes on\n- another\n\n3. three\n4. four\n\n\
                    | a | b | c |\n| --- | --- | --- |\n| `:n [N\\|all]` | | said |\n\n\
                    ```session\n## no heading\n\n∂> 1\n```\n## `A` part\na*b*c, **bold**\n";
        let gap = || Block::Line(Line::new());
        let (dim, code) = (Piece::dim("`"), Piece::formula("a*b"));
        let item = |term: &str, column, words: &str| {
            let (term, line) = (say!("{}", term), say!("{}", words));
            Block::Prose(Prose { term, column, line })
        };
        let row = Prose {
            term: say!("{:typed}", ":n [N|all]"),
            column: 15,
            line: say!("said"),
        };
        let expected = [
            Block::Prose(Prose::paragraph(say!(
                "Words, {}{}{} and more.",
                dim.clone(),
                code,
                dim
            ))),
            gap(),
            item("-", 5, "an item that goes on"),
            item("-", 5, "another"),
            gap(),
            item("3.", 6, "three"),
            item("4.", 6, "four"),
            gap(),
            Block::Prose(row),
            gap(),
            Block::Code("## no heading\n\n∂> 1".into()),
            gap(),
            Block::Line(say!("{:heading}", "`A` part")),
            gap(),
            Block::Prose(Prose::paragraph(say!("a*b*c, {:heading}", "bold"))),
        ];
        assert_eq!(format!("{:?}", markdown(page)), format!("{expected:?}"));
    }
}

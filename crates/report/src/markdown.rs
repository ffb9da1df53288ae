//! Reads Markdown into blocks: pages of the manual, sentences of the help, comments of scripts.
//!
//! `` `:grad L` `` is a command, `` `a*b` `` is a formula, and `**this**` stands out. The backticks stay, dimmed, for
//! terminals without colours. The asterisks and underscores of emphasis stay too, because `a*b*c` is usually a product.
//! Pictures, HTML comments and the heads of tables are for the book only. Line breaks within a paragraph become blanks,
//! because the view breaks lines.

use std::mem::take;

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

use super::{Block, Line, Piece, Prose, Role, join, push_words, say};

/// The longest term whose meaning stands beside it, in columns.
const TERM: usize = 30;

/// A sentence in Markdown as a line.
pub fn markdown_line(text: &str) -> Line {
    match markdown_blocks(text).into_iter().next() {
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
pub fn markdown_blocks(text: &str) -> Vec<Block> {
    let mut reader = MarkdownReader::default();
    let mut events = Parser::new_ext(text, Options::ENABLE_TABLES).into_offset_iter();
    while let Some((event, range)) = events.next() {
        if ends_prose(&event) {
            reader.end_prose();
        }
        match event {
            Event::Start(skipped @ (Tag::Image { .. } | Tag::TableHead)) => {
                let end = Event::End(skipped.to_end());
                events.find(|(next, _)| *next == end);
            }
            event => reader.read(event, &text[range]),
        }
    }
    reader.blocks
}

/// Whether an event ends a paragraph or the words of an item.
fn ends_prose(event: &Event) -> bool {
    match event {
        Event::Start(Tag::List(_)) => true,
        Event::End(end) => matches!(end, TagEnd::Paragraph | TagEnd::HtmlBlock | TagEnd::Item),
        _ => false,
    }
}

/// Collects the blocks of a text.
#[derive(Default)]
struct MarkdownReader<'t> {
    blocks: Vec<Block>,
    /// The words of the present paragraph, item, cell or heading.
    line: Line,
    role: Role,
    /// The cells of the present row of a table, and the rows before it.
    cells: Vec<Line>,
    rows: Vec<(String, Line)>,
    /// The mark before an item, `-` or `2.`; empty outside of lists.
    mark: &'t str,
    /// Whether the list has an item already.
    has_item: bool,
}

impl<'t> MarkdownReader<'t> {
    /// Reads an event, whose source is given.
    fn read(&mut self, event: Event, source: &'t str) {
        match event {
            Event::Html(html) | Event::InlineHtml(html) if html.starts_with("<!--") => {}
            Event::Text(words) | Event::Html(words) | Event::InlineHtml(words) => {
                push_words(&mut self.line, self.role, &words);
            }
            Event::Code(code) => {
                let is_command = code.starts_with(':');
                let role = if is_command {
                    Role::Typed
                } else {
                    Role::Formula
                };
                let [begin, end] = [Piece::dim("`"), Piece::dim("`")];
                self.line
                    .extend([begin, Piece::Words(role, code.into()), end]);
            }
            Event::SoftBreak | Event::HardBreak => push_words(&mut self.line, self.role, " "),
            Event::Start(Tag::Emphasis) | Event::End(TagEnd::Emphasis) => {
                push_words(&mut self.line, self.role, &source[..1]);
            }
            Event::Start(Tag::Strong) => self.role = Role::Heading,
            Event::End(TagEnd::Strong) => self.role = Role::Plain,
            // A list within an item continues the outer list.
            Event::Start(Tag::List(_)) => self.has_item = !self.mark.is_empty(),
            Event::Start(Tag::Item) => {
                self.mark = source.split_whitespace().next().unwrap_or_default();
            }
            Event::End(end) => self.end(end),
            _ => {}
        }
    }

    /// Ends an element.
    fn end(&mut self, end: TagEnd) {
        match end {
            TagEnd::List(_) => self.mark = "",
            TagEnd::Heading(_) => {
                let heading = say!("{:heading}", text_of(&take(&mut self.line)));
                self.add(vec![Block::Line(heading)]);
            }
            TagEnd::CodeBlock => {
                let code = text_of(&take(&mut self.line)).trim_end().to_owned();
                self.add(vec![Block::Code(code)]);
            }
            TagEnd::TableCell => self.cells.push(take(&mut self.line)),
            TagEnd::TableRow => {
                let term = text_of(&self.cells.remove(0)).replace('`', "");
                let meaning = join(take(&mut self.cells), " · ");
                self.rows.push((term, meaning));
            }
            TagEnd::Table => {
                let rows = term_rows(take(&mut self.rows));
                self.add(rows);
            }
            _ => {}
        }
    }

    /// Ends a paragraph or the words of an item, if there are some. An empty line stands before a list, but not between its
    /// items.
    fn end_prose(&mut self) {
        if self.line.is_empty() {
            return;
        }
        let is_paragraph = self.mark.is_empty();
        let prose = Block::Prose(Prose {
            term: say!("{}", self.mark),
            column: if is_paragraph { 0 } else { self.mark.len() + 4 },
            line: take(&mut self.line),
        });
        if is_paragraph || !self.has_item {
            self.add(vec![prose]);
        } else {
            self.blocks.push(prose);
        }
        self.has_item = true;
    }

    /// Adds blocks after an empty line.
    fn add(&mut self, new: Vec<Block>) {
        if !self.blocks.is_empty() {
            self.blocks.push(Block::Line(Line::new()));
        }
        self.blocks.extend(new);
    }
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
        assert_eq!(
            format!("{:?}", markdown_blocks(page)),
            format!("{expected:?}")
        );
    }
}

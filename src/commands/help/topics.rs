//! The topics of `:help`: sections of the manual in `docs/`, which is part of the executable, turned into blocks.
//!
//! A section is a topic if the line below its heading says so: `<!-- topic NAME: OTHER, WORDS | SUMMARY -->`. Pages of
//! commands are read by the same reader. Pictures, comments and the heads of tables are for the book only. Line breaks
//! within a paragraph do not matter: the view breaks lines itself.

use std::mem::take;
use std::sync::LazyLock;

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

use super::prose;
use crate::report::{Block, Prose, say};

/// The pages with topics in the order of `:help`, each below the heading that it has there.
const PAGES: &[(&str, &str)] = &[
    ("language", page!("language")),
    ("language", page!("commands")),
    ("lists", page!("lists")),
    ("lists", page!("random")),
    ("gradients", page!("derivatives")),
    ("gradients", page!("gradients")),
    ("gradients", page!("by_hand")),
    ("gradients", page!("operations")),
    ("goals", page!("goals")),
    ("goals", page!("your_data")),
    ("pictures", page!("pictures")),
    ("pictures", page!("export")),
    ("prompt", page!("prompt")),
    ("prompt", page!("errors")),
    ("files", page!("settings")),
    ("files", page!("files")),
    ("files", page!("scripts")),
    ("files", page!("limits")),
];

/// All topics, in the order of `:help`.
pub static TOPICS: LazyLock<Vec<Topic>> = LazyLock::new(|| {
    let pages = PAGES.iter();
    pages
        .flat_map(|(group, page)| topics(group, page))
        .collect()
});

/// The beginning and the end of the line that makes a section a topic.
const MARK: (&str, &str) = ("<!-- topic ", " -->");

/// The column in which the text of a list item begins.
const ITEM: usize = 5;

/// A section of the manual that `:help` shows.
#[derive(Debug)]
pub struct Topic {
    /// The heading in `:help` below which it stands.
    pub group: &'static str,
    /// Its name: `:help numbers`.
    pub name: &'static str,
    /// Other names.
    pub also: Vec<&'static str>,
    /// A description of one line.
    pub summary: &'static str,
    /// The section in Markdown.
    text: &'static str,
}

fn topics(group: &'static str, page: &'static str) -> impl Iterator<Item = Topic> {
    sections(page).into_iter().filter_map(move |section| {
        let (_, below) = section.split_once('\n')?;
        let (mark, text) = below.split_once('\n')?;
        let mark = mark.strip_prefix(MARK.0)?.strip_suffix(MARK.1)?;
        let (words, summary) = mark.split_once(" | ")?;
        let (name, also) = words.split_once(": ").unwrap_or((words, ""));
        Some(Topic {
            group,
            name,
            also: also.split(", ").filter(|word| !word.is_empty()).collect(),
            summary,
            text,
        })
    })
}

/// The sections of a page, each with its `## ` heading.
fn sections(page: &'static str) -> Vec<&'static str> {
    let mut starts = Vec::new();
    let (mut at, mut fenced) = (0, false);
    for line in page.split_inclusive('\n') {
        fenced ^= line.starts_with("```");
        if !fenced && line.starts_with("## ") {
            starts.push(at);
        }
        at += line.len();
    }
    let ends = starts.iter().skip(1).copied().chain([page.len()]);
    let bounds = starts.iter().copied().zip(ends);
    bounds.map(|(start, end)| &page[start..end]).collect()
}

impl Topic {
    /// The text as blocks.
    pub(in crate::commands) fn blocks(&self) -> Vec<Block> {
        blocks(self.text)
    }
}

/// Markdown as blocks, with an empty line between parts.
pub(super) fn blocks(text: &'static str) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut part = |new: Vec<Block>| {
        if !blocks.is_empty() && !new.is_empty() {
            blocks.push(prose::gap());
        }
        blocks.extend(new);
    };
    let (mut words, mut items) = (String::new(), Vec::new());
    let (mut cells, mut rows) = (Vec::new(), Vec::new());
    let mut before_image = 0;
    for event in Parser::new_ext(text, Options::ENABLE_TABLES) {
        match event {
            Event::Text(text) => words.push_str(&text),
            Event::Code(code) => words.extend(["`", &code, "`"]),
            Event::SoftBreak => words.push(' '),
            // Pictures are for the book only.
            Event::Start(Tag::Image { .. }) => before_image = words.len(),
            Event::End(TagEnd::Image) => words.truncate(before_image),
            Event::End(TagEnd::Paragraph) if words.is_empty() => {}
            Event::End(TagEnd::Paragraph) => part(vec![prose::paragraph(&take(&mut words))]),
            Event::End(TagEnd::Heading(_)) => {
                part(vec![Block::Line(say!("{:heading}", take(&mut words)))]);
            }
            Event::End(TagEnd::CodeBlock) => {
                part(vec![Block::Code(take(&mut words).trim_end().to_string())]);
            }
            Event::End(TagEnd::Item) => items.push(Block::Prose(Prose {
                term: say!("-"),
                column: ITEM,
                line: prose::line(&take(&mut words)),
            })),
            Event::End(TagEnd::List(_)) => part(take(&mut items)),
            Event::End(TagEnd::TableCell) => cells.push(take(&mut words)),
            // The head of a table is for the book, too.
            Event::End(TagEnd::TableHead) => cells.clear(),
            Event::End(TagEnd::TableRow) => {
                let term = cells.remove(0).replace('`', "");
                cells.retain(|cell| !cell.is_empty());
                rows.push((term, take(&mut cells).join(" · ")));
            }
            Event::End(TagEnd::Table) => part(prose::rows(&take(&mut rows))),
            _ => {}
        }
    }
    blocks
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::COMMANDS;

    #[test]
    fn pages_use_what_the_reader_knows() {
        let sections = PAGES.iter().flat_map(|(_, page)| sections(page));
        let commands = COMMANDS.iter().map(|command| command.text());
        for text in sections.chain(commands) {
            for event in Parser::new_ext(text, Options::ENABLE_TABLES) {
                let unknown = match &event {
                    Event::Start(tag) => matches!(
                        tag,
                        Tag::Emphasis | Tag::Strong | Tag::BlockQuote(_) | Tag::List(Some(_))
                    ),
                    Event::HardBreak | Event::Rule => true,
                    _ => false,
                };
                assert!(!unknown, "help would not show {event:?} of {text}");
            }
        }
    }

    #[test]
    fn every_mark_makes_a_topic() {
        for (group, page) in PAGES {
            let marks = page.matches("<!-- topic").count();
            let head = page.lines().next().unwrap_or("");
            assert_eq!(topics(group, page).count(), marks, "{head}");
            for topic in topics(group, page) {
                assert!(
                    !topic.summary.is_empty() && !topic.blocks().is_empty(),
                    "{topic:?}"
                );
            }
        }
    }

    #[test]
    fn markdown_becomes_blocks() {
        let page = "# Page\n\n## One\n<!-- topic one: uno, $1 | the first -->\n\nWords, `a*b`\nand [more](x.md).\n\n\
                    ![a picture](x.svg)\n\n- an item\n  that goes on\n- another\n\n\
                    | a | b | c |\n| --- | --- | --- |\n| `:n [N\\|all]` | | said |\n\n\
                    ```session\n## no heading\n\n∂> 1\n```\n\n## Two\n\nNo topic.\n";
        let topics: Vec<Topic> = topics("", page).collect();
        let [topic] = topics.as_slice() else {
            panic!("{topics:?}")
        };
        assert_eq!((topic.name, topic.summary), ("one", "the first"));
        assert_eq!(topic.also, ["uno", "$1"]);
        let term = |term: &str, column, line| {
            let term = say!("{:typed}", term);
            Block::Prose(Prose { term, column, line })
        };
        let item = |words: &str| {
            let (term, line) = (say!("-"), prose::line(words));
            Block::Prose(Prose {
                term,
                column: ITEM,
                line,
            })
        };
        let expected = [
            prose::paragraph("Words, `a*b` and more."),
            prose::gap(),
            item("an item that goes on"),
            item("another"),
            prose::gap(),
            term(":n [N|all]", 15, prose::line("said")),
            prose::gap(),
            Block::Code("## no heading\n\n∂> 1".into()),
        ];
        assert_eq!(format!("{:?}", topic.blocks()), format!("{expected:?}"));
    }
}

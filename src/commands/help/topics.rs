//! The topics of `:help`: sections of the manual in `docs/`, which is part of the executable, turned into blocks.
//!
//! A section is a topic if the line below its heading says so: `<!-- topic NAME: OTHER, WORDS | SUMMARY -->`. Pages of
//! commands are read by the same reader. Of Markdown it knows paragraphs, tables, lists, fenced code, `###` headings,
//! code spans and links; a test fails if a page uses anything else. Comments and pictures are for the book only. Line
//! breaks within a paragraph do not matter: the view breaks lines itself.

use std::sync::LazyLock;

use super::prose;
use crate::report::{Block, Prose, say};

/// The pages with topics, in the order of `:help`.
const PAGES: &[&str] = &[
    page!("language"),
    page!("lists"),
    page!("random"),
    page!("derivatives"),
    page!("gradients"),
    page!("goals"),
    page!("by_hand"),
    page!("operations"),
    page!("commands"),
    page!("pictures"),
    page!("export"),
    page!("prompt"),
    page!("errors"),
    page!("settings"),
    page!("files"),
    page!("scripts"),
    page!("limits"),
];

/// All topics, in the order of `:help`.
pub static TOPICS: LazyLock<Vec<Topic>> =
    LazyLock::new(|| PAGES.iter().flat_map(|page| topics(page)).collect());

/// The beginning and the end of the line that makes a section a topic.
const MARK: (&str, &str) = ("<!-- topic ", " -->");

/// The column in which the text of a list item begins.
const ITEM: usize = 5;

/// A section of the manual that `:help` shows.
#[derive(Debug)]
pub struct Topic {
    /// Its name: `:help numbers`.
    pub name: &'static str,
    /// Other names.
    pub also: Vec<&'static str>,
    /// A description of one line.
    pub summary: &'static str,
    /// The section in Markdown.
    text: &'static str,
}

fn topics(page: &'static str) -> impl Iterator<Item = Topic> {
    sections(page).into_iter().filter_map(|section| {
        let (_, below) = section.split_once('\n')?;
        let (mark, text) = below.split_once('\n')?;
        let mark = mark.strip_prefix(MARK.0)?.strip_suffix(MARK.1)?;
        let (words, summary) = mark.split_once(" | ")?;
        let (name, also) = words.split_once(": ").unwrap_or((words, ""));
        Some(Topic {
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

/// A part of a section.
enum SectionPart {
    Paragraph(String),
    Heading(&'static str),
    Items(Vec<String>),
    Table(Vec<&'static str>),
    Code(Vec<&'static str>),
}

fn parts(text: &'static str) -> Vec<SectionPart> {
    let mut parts = Vec::new();
    // The part that the next line may continue; `None` after an empty line.
    let mut open: Option<SectionPart> = None;
    for line in text.lines() {
        if let Some(SectionPart::Code(code)) = &mut open {
            if line.starts_with("```") {
                parts.extend(open.take());
            } else {
                code.push(line);
            }
            continue;
        }
        let skipped = line.starts_with("<!--") || line.starts_with("![");
        let goes_on = match &mut open {
            _ if line.is_empty() || skipped || line.starts_with("```") => false,
            Some(SectionPart::Paragraph(words)) => {
                words.push(' ');
                words.push_str(line);
                true
            }
            Some(SectionPart::Items(items)) => {
                match (line.strip_prefix("- "), items.last_mut()) {
                    (None, Some(item)) => {
                        item.push(' ');
                        item.push_str(line.trim_start());
                    }
                    (words, _) => items.push(words.unwrap_or(line).to_string()),
                }
                true
            }
            Some(SectionPart::Table(rows)) => {
                rows.push(line);
                true
            }
            _ => false,
        };
        if goes_on {
            continue;
        }
        parts.extend(open.take());
        if line.is_empty() || skipped {
            continue;
        }
        open = Some(if line.starts_with("```") {
            SectionPart::Code(Vec::new())
        } else if line.starts_with('|') {
            SectionPart::Table(vec![line])
        } else if let Some(item) = line.strip_prefix("- ") {
            SectionPart::Items(vec![item.to_string()])
        } else if let Some(heading) = line.strip_prefix("### ") {
            SectionPart::Heading(heading)
        } else {
            SectionPart::Paragraph(line.to_string())
        });
    }
    parts.extend(open);
    parts
}

/// The cells of a table row.
fn cells(row: &str) -> Vec<String> {
    let row = row.trim_matches('|').replace("\\|", "\u{0}");
    let cell = |cell: &str| linkless(&cell.trim().replace('\u{0}', "|"));
    row.split('|').map(cell).collect()
}

/// Removes links, which only work in the book: `[words](page.md)` becomes `words`.
fn linkless(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(middle) = rest.find("](") {
        let (before, target) = rest.split_at(middle);
        let (Some(open), Some(close)) = (before.rfind('['), target.find(')')) else {
            break;
        };
        out.push_str(&before[..open]);
        out.push_str(&before[open + 1..]);
        rest = &target[close + 1..];
    }
    out + rest
}

impl Topic {
    /// Is this the topic's name or another name of it?
    pub(in crate::commands) fn answers(&self, word: &str) -> bool {
        self.name == word || self.also.contains(&word)
    }

    /// The text as blocks.
    pub(in crate::commands) fn blocks(&self) -> Vec<Block> {
        blocks(self.text)
    }
}

/// Markdown as blocks, with an empty line between parts.
pub(super) fn blocks(text: &'static str) -> Vec<Block> {
    let mut blocks = Vec::new();
    for part in parts(text) {
        if !blocks.is_empty() {
            blocks.push(prose::gap());
        }
        match part {
            SectionPart::Paragraph(words) => blocks.push(prose::paragraph(&linkless(&words))),
            SectionPart::Heading(words) => {
                blocks.push(Block::Line(say!("{:heading}", words)));
            }
            SectionPart::Items(items) => blocks.extend(items.iter().map(|item| {
                Block::Prose(Prose {
                    term: say!("-"),
                    column: ITEM,
                    line: prose::line(&linkless(item)),
                })
            })),
            SectionPart::Table(rows) => blocks.extend(table(&rows)),
            SectionPart::Code(lines) => blocks.push(Block::Code(lines.join("\n"))),
        }
    }
    blocks
}

/// A table as terms and descriptions: the first column is the term, and the others are joined. The head of the table is
/// left out.
fn table(rows: &[&str]) -> Vec<Block> {
    let row = |row: &&str| {
        let mut cells = cells(row);
        let words = cells.split_off(1).join(" · ");
        (cells.concat().replace('`', ""), words)
    };
    let rows: Vec<(String, String)> = rows.iter().skip(2).map(row).collect();
    prose::rows(&rows)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::COMMANDS;

    /// The text without code spans. Fails if Markdown would find anything but words and links in it.
    fn words(text: &str) -> String {
        let parts: Vec<String> = linkless(text).split('`').map(str::to_string).collect();
        assert!(
            parts.len() % 2 == 1,
            "a code span that does not end: {text}"
        );
        let words: Vec<String> = parts.into_iter().step_by(2).collect();
        let words = words.join("CODE");
        let markup = ["*", "_", "[", "]", "\\", "~", "&", "</", "<!", "](", "!["];
        let tag = |(at, _): (usize, &str)| words[at + 1..].starts_with(char::is_alphabetic);
        assert!(
            !markup.iter().any(|sign| words.contains(sign)) && !words.match_indices('<').any(tag),
            "help would show this as it stands: {text}"
        );
        words
    }

    #[test]
    fn pages_use_what_the_reader_knows() {
        let sections = PAGES.iter().flat_map(|page| sections(page));
        let commands = COMMANDS.iter().map(|command| command.text());
        for part in sections.chain(commands).flat_map(parts) {
            match part {
                // The heading of a section.
                SectionPart::Paragraph(text) if text.starts_with("## ") => {}
                SectionPart::Paragraph(text) => {
                    let words = words(&text);
                    let known = !words.starts_with(['#', '>', '+', '=', '-', ' ', '\t'])
                        && ![" - ", " | ", "  "].iter().any(|sign| words.contains(sign));
                    assert!(known, "help would show this as words: {text}");
                }
                SectionPart::Items(items) => {
                    for item in &items {
                        assert!(!words(item).contains(" - "), "an item in an item: {item}");
                    }
                }
                SectionPart::Table(rows) => {
                    for row in &rows {
                        assert_eq!(cells(row).len(), cells(rows[0]).len(), "{row}");
                        for cell in cells(row) {
                            words(&cell);
                        }
                    }
                }
                SectionPart::Heading(text) => {
                    words(text);
                }
                SectionPart::Code(lines) => assert!(!lines.is_empty()),
            }
        }
    }

    #[test]
    fn every_mark_makes_a_topic() {
        for page in PAGES {
            let marks = page.matches("<!-- topic").count();
            assert_eq!(
                topics(page).count(),
                marks,
                "{}",
                page.lines().next().unwrap_or("")
            );
            for topic in topics(page) {
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
                    - an item\n  that goes on\n- another\n\n| a | b |\n| --- | --- |\n| `:n [N\\|all]` | said |\n\n\
                    ```session\n## no heading\n\n∂> 1\n```\n\n## Two\n\nNo topic.\n";
        let topics: Vec<Topic> = topics(page).collect();
        let [topic] = topics.as_slice() else {
            panic!("{topics:?}")
        };
        assert_eq!((topic.name, topic.summary), ("one", "the first"));
        assert_eq!(topic.also, ["uno", "$1"]);
        let report = prose::report("help", "one", topic.blocks());
        let shown: Vec<String> = report
            .facts
            .iter()
            .filter_map(|(key, fact)| (*key == "text").then_some(format!("{fact:?}")))
            .collect();
        for part in [
            "\"Words, \"",
            "\"a*b\"",
            "\" and more.\"",
            "an item that goes on",
            "\"another\"",
            ":n [N|all]",
            "said",
            "## no heading",
        ] {
            assert!(shown[0].contains(part), "{part}: {shown:?}");
        }
        assert!(!shown[0].contains("No topic"));
    }
}

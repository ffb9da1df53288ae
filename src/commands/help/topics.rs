//! The topics of `:help`: sections of the manual in `docs/`. The executable contains their text.
//!
//! A section is a topic if the line below its heading says so: `<!-- topic NAME: OTHER, WORDS | SUMMARY -->`.

use std::sync::LazyLock;

use chainrule_report::{Block, markdown_blocks};

/// The pages with topics, in the order of `:help`, each with its heading there.
const PAGES: &[(&str, &str)] = &[
    ("language", page!("reference/language")),
    ("language", page!("commands/README")),
    ("lists", page!("guide/lists")),
    ("lists", page!("guide/data")),
    ("lists", page!("reference/random")),
    ("gradients", page!("guide/derivatives")),
    ("gradients", page!("reference/glossary")),
    ("gradients", page!("guide/gradients")),
    ("gradients", page!("tutorial/by_hand")),
    ("gradients", page!("reference/operations")),
    ("goals", page!("guide/goals")),
    ("goals", page!("guide/your_data")),
    ("pictures", page!("guide/pictures")),
    ("pictures", page!("guide/export")),
    ("prompt", page!("guide/prompt")),
    ("prompt", page!("reference/errors")),
    ("files", page!("reference/settings")),
    ("files", page!("guide/files")),
    ("files", page!("guide/scripts")),
    ("files", page!("reference/limits")),
];

/// All topics, in the order of `:help`.
pub static TOPICS: LazyLock<Vec<Topic>> = LazyLock::new(|| {
    let topics = PAGES.iter().flat_map(|(group, page)| topics(group, page));
    topics.collect()
});

/// The beginning and the end of the line that makes a section a topic.
const MARK: (&str, &str) = ("<!-- topic ", " -->");

/// A section of the manual that `:help` shows.
#[derive(Debug)]
pub struct Topic {
    /// Its heading in `:help`.
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
    let sections = sections(page).into_iter();
    sections.filter_map(move |section| Topic::of_section(group, section))
}

/// The sections of a page, each with its `## ` heading.
fn sections(page: &'static str) -> Vec<&'static str> {
    let mut starts = Vec::new();
    let (mut at, mut is_code) = (0, false);
    for line in page.split_inclusive('\n') {
        is_code ^= line.starts_with("```");
        if !is_code && line.starts_with("## ") {
            starts.push(at);
        }
        at += line.len();
    }
    let ends = starts.iter().skip(1).copied().chain([page.len()]);
    let bounds = starts.iter().zip(ends);
    bounds.map(|(start, end)| &page[*start..end]).collect()
}

impl Topic {
    /// Returns the topic of a section if the line below its heading has a mark.
    fn of_section(group: &'static str, section: &'static str) -> Option<Topic> {
        let (_, below) = section.split_once('\n')?;
        let (line, text) = below.split_once('\n')?;
        let mark = line.strip_prefix(MARK.0)?.strip_suffix(MARK.1)?;
        let (words, summary) = mark.split_once(" | ")?;
        let (name, also) = words.split_once(": ").unwrap_or((words, ""));
        Some(Topic {
            group,
            name,
            also: also.split(", ").filter(|word| !word.is_empty()).collect(),
            summary,
            text,
        })
    }

    /// The text as blocks.
    pub(in crate::commands) fn blocks(&self) -> Vec<Block> {
        markdown_blocks(self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
}

//! The topics of `:help`: sections of the manual in `docs/`. The executable contains their text.
//!
//! A section is a topic if the line below its heading says so: `<!-- topic NAME: OTHER, WORDS | SUMMARY -->`.

use std::sync::LazyLock;

/// A page of the manual as text.
macro_rules! page {
    ($name:literal) => {
        include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/", $name, ".md"))
    };
}

/// The pages with topics, in the order of `:help`, each with its heading there.
const PAGES: &[(&str, &str)] = &[
    ("language", page!("reference/language")),
    ("language", page!("commands/README")),
    ("lists", page!("guide/lists")),
    ("lists", page!("guide/data")),
    ("lists", page!("reference/random")),
    ("gradients", page!("guide/derivatives")),
    ("gradients", page!("guide/formulas")),
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
    let all = PAGES.iter().flat_map(|(group, page)| topics(group, page));
    all.collect()
});

/// A section of the manual that `:help` shows.
#[derive(Debug)]
pub struct Topic {
    /// The heading above the topic in `:help topics`.
    pub group: &'static str,
    /// The word after `:help`: `numbers`.
    pub name: &'static str,
    /// Other words that mean the topic.
    pub also: Vec<&'static str>,
    /// A description of one line.
    pub summary: &'static str,
    /// The section in Markdown, without its heading and its mark.
    pub(super) text: &'static str,
}

/// The topics of a page.
fn topics(group: &'static str, page: &'static str) -> impl Iterator<Item = Topic> {
    let sections = sections(page).into_iter();
    sections.filter_map(move |section| Topic::of_section(group, section))
}

/// Returns the sections of a page, each from its `## ` heading to the next one. In a block of code, `## ` is a comment.
fn sections(page: &'static str) -> Vec<&'static str> {
    let mut sections = Vec::new();
    let (mut start, mut at) = (0, 0);
    let mut is_code = false;
    for line in page.split_inclusive('\n') {
        is_code ^= line.starts_with("```");
        if !is_code && line.starts_with("## ") {
            sections.push(&page[start..at]);
            start = at;
        }
        at += line.len();
    }
    sections.push(&page[start..]);
    sections
}

impl Topic {
    /// Returns the topic of a section if the line below its heading is a mark. The text above the first section has none.
    fn of_section(group: &'static str, section: &'static str) -> Option<Topic> {
        let (_, below) = section.split_once('\n')?;
        let (line, text) = below.split_once('\n')?;
        let mark = line.strip_prefix("<!-- topic ")?.strip_suffix(" -->")?;
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
                    !topic.summary.is_empty() && !topic.text.trim().is_empty(),
                    "{topic:?}"
                );
            }
        }
    }
}

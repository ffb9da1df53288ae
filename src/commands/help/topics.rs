//! The topics of `:help`: sections of the manual in `docs/`. The executable contains their text.
//!
//! A section is a topic if the line below its heading says so: `<!-- topic NAME: OTHER, WORDS | SUMMARY -->`.

use std::sync::LazyLock;

/// The sections of the manual that are topics, page by page. `build.rs` writes them.
const SECTIONS: &[(&str, &[&str])] = include!(concat!(env!("OUT_DIR"), "/topics.rs"));

/// The pages with topics, in the order of `:help`, each with its heading there.
const PAGES: &[(&str, &str)] = &[
    ("language", "reference/language"),
    ("language", "commands/README"),
    ("lists", "guide/lists"),
    ("lists", "guide/data"),
    ("lists", "reference/random"),
    ("gradients", "guide/derivatives"),
    ("gradients", "guide/formulas"),
    ("gradients", "reference/glossary"),
    ("gradients", "guide/gradients"),
    ("gradients", "tutorial/by_hand"),
    ("gradients", "reference/operations"),
    ("goals", "guide/goals"),
    ("goals", "guide/your_data"),
    ("pictures", "guide/pictures"),
    ("pictures", "guide/export"),
    ("prompt", "guide/prompt"),
    ("prompt", "reference/errors"),
    ("files", "reference/settings"),
    ("files", "guide/files"),
    ("files", "guide/scripts"),
    ("files", "reference/limits"),
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
fn topics(group: &'static str, page: &str) -> impl Iterator<Item = Topic> {
    let found = SECTIONS.iter().find(|(name, _)| *name == page);
    let sections = found.map_or(&[][..], |(_, sections)| sections);
    let read = move |section: &&'static str| Topic::of_section(group, section);
    sections.iter().filter_map(read)
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
        let mut listed: Vec<&str> = PAGES.iter().map(|(_, page)| *page).collect();
        listed.sort_unstable();
        let written: Vec<&str> = SECTIONS.iter().map(|(page, _)| *page).collect();
        assert_eq!(listed, written);
        for (group, page) in PAGES {
            let path = format!("{}/docs/{page}.md", env!("CARGO_MANIFEST_DIR"));
            let text = std::fs::read_to_string(path).expect("the page is there");
            let marks = text.matches("<!-- topic").count();
            assert_eq!(topics(group, page).count(), marks, "{page}");
            for topic in topics(group, page) {
                assert!(
                    !topic.summary.is_empty() && !topic.text.trim().is_empty(),
                    "{topic:?}"
                );
            }
        }
    }
}

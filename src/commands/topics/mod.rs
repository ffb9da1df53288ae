//! Topics that `:help` knows besides commands and operations: the language, gradients, the program.
//!
//! Prose for people, in parts; where a part can be made from a table of the code, it is. A topic is found by its name
//! and by other words that ask for the same.

mod conventions;
mod gradients;
mod language;
mod program;

use super::prose;
use crate::report::Block;

/// One topic.
#[derive(Debug)]
pub struct Topic {
    /// The word: `:help numbers`.
    pub name: &'static str,
    /// Other words for it.
    pub also: &'static [&'static str],
    /// One line.
    pub summary: &'static str,
    /// The text.
    parts: &'static [Part],
}

/// A part of a text.
#[derive(Debug)]
enum Part {
    /// A paragraph.
    Says(&'static str),
    /// What is typed, or a word, and what it means.
    Rows(&'static [(&'static str, &'static str)]),
    /// Made from what the code knows.
    Made(fn() -> Vec<Block>),
}

/// Every topic, in the order of `:help`.
pub const TOPICS: &[Topic] = &[
    language::STATEMENTS,
    language::LINES,
    language::NUMBERS,
    language::OPERATORS,
    language::NAMES,
    language::RESULTS,
    language::LEAVES,
    language::REBINDING,
    language::FUNCTIONS,
    language::DERIVATIVES,
    language::PYTHON,
    gradients::PASSES,
    gradients::WORDS,
    conventions::CONVENTIONS,
    program::ERRORS,
    program::FILES,
    program::SCRIPTS,
    program::KEYS,
];

impl Topic {
    /// Does it answer to this word?
    pub(super) fn answers(&self, word: &str) -> bool {
        self.name == word || self.also.contains(&word)
    }

    /// The text as blocks.
    pub(super) fn blocks(&self) -> Vec<Block> {
        let mut blocks = Vec::new();
        for (place, part) in self.parts.iter().enumerate() {
            if place > 0 {
                blocks.push(prose::gap());
            }
            match part {
                Part::Says(text) => blocks.push(prose::paragraph(text)),
                Part::Rows(rows) => blocks.extend(prose::rows(rows)),
                Part::Made(make) => blocks.extend(make()),
            }
        }
        blocks
    }
}

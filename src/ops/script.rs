//! How the script of a page computes an operation: what a row spells in JavaScript.
//!
//! A spelling that is longer than a line calls a function of the folder `script`; a page contains those functions that
//! its operations call. `study/diagram/page_script.rs` puts a page's texts together, and `tests/spelling.rs` runs all
//! of them against the program's own numbers.

use std::collections::BTreeSet;

/// The spelling of a row in JavaScript: expressions over `x`, `y`, `z`, or over the list `a` where there may be any
/// number of operands. A derivative may also use the value `out`.
#[derive(Clone, Copy, Debug)]
pub struct ScriptSpelling {
    /// The value.
    pub value: &'static str,
    /// Derivatives with the place of their operand, where the row's own text does not give the same number. Where there
    /// may be any number of operands it is one, and gives the list of all derivatives.
    pub slopes: &'static [(usize, &'static str)],
}

/// The functions that spellings call.
const LIBRARY: &str = concat!(
    include_str!("script/elementary.js"),
    "\n",
    include_str!("script/special.js")
);

impl ScriptSpelling {
    /// All its texts.
    pub fn texts(&self) -> impl Iterator<Item = &'static str> {
        let slopes = self.slopes.iter().map(|slope| slope.1);
        std::iter::once(self.value).chain(slopes)
    }
}

/// The part of the library that texts need: what they call, and what that calls in turn.
pub fn library<'t>(texts: impl IntoIterator<Item = &'t str>) -> String {
    // A paragraph is one function or constant with its comment; the first of a file is about the file.
    let paragraphs: Vec<(&str, &str)> = LIBRARY
        .split("\n\n")
        .filter_map(|paragraph| Some((declared(paragraph)?, paragraph.trim_end())))
        .collect();
    let mut needed: BTreeSet<usize> = BTreeSet::new();
    let mut waiting: Vec<&str> = texts.into_iter().collect();
    while let Some(text) = waiting.pop() {
        for (place, (name, paragraph)) in paragraphs.iter().enumerate() {
            if words(text).any(|word| word == *name) && needed.insert(place) {
                waiting.push(paragraph);
            }
        }
    }
    let taken: Vec<&str> = needed.iter().map(|&place| paragraphs[place].1).collect();
    taken.join("\n\n")
}

/// What a paragraph declares.
fn declared(paragraph: &str) -> Option<&str> {
    paragraph.lines().find_map(|line| {
        let rest = line
            .strip_prefix("function ")
            .or_else(|| line.strip_prefix("const "))?;
        words(rest).next()
    })
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_'))
        .filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ops::{Rule, TABLE};

    #[test]
    fn a_derivative_is_by_an_operand_of_the_row() {
        for op in TABLE {
            for (place, text) in op.script.iter().flat_map(|script| script.slopes) {
                let operands = match op.rule {
                    Rule::Many { .. } => 1,
                    _ => op.arity().0,
                };
                assert!(*place < operands, "{}: {text}", op.name);
            }
        }
    }

    #[test]
    fn what_a_row_calls_is_there() {
        let known: BTreeSet<&str> = LIBRARY.split("\n\n").filter_map(declared).collect();
        for op in TABLE {
            for text in op.script.iter().flat_map(ScriptSpelling::texts) {
                for (at, _) in text.match_indices('(') {
                    let called = text[..at]
                        .rsplit(|c: char| !(c.is_ascii_alphanumeric() || c == '.'))
                        .next()
                        .unwrap_or_default();
                    let fine = called.is_empty()
                        || called.starts_with("Math.")
                        || called.starts_with("Number.")
                        || known.contains(called);
                    assert!(fine, "{}: `{called}` of `{text}`", op.name);
                }
            }
        }
    }

    #[test]
    fn a_library_holds_what_is_needed() {
        assert_eq!(library(["x * y"]), "");
        let sigmoid = library(["sigmoid(x)"]);
        assert!(sigmoid.contains("function sigmoid(x)") && !sigmoid.contains("function silu"));
        let silu = library(["silu(x)"]);
        assert!(silu.contains("function sigmoid(x)") && silu.contains("function silu(x)"));
        // Each function is called somewhere.
        let rows = TABLE.iter().filter_map(|op| op.script.as_ref());
        let all = library(rows.flat_map(ScriptSpelling::texts));
        for paragraph in LIBRARY
            .split("\n\n")
            .filter(|paragraph| declared(paragraph).is_some())
        {
            assert!(
                all.contains(paragraph.trim_end()),
                "never called:\n{paragraph}"
            );
        }
    }
}

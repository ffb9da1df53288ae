//! Operations as a page's script has them: the spelling of a row's value and derivatives in JavaScript.
//!
//! The spellings stand in the rows. Where one is longer than a line it calls a function of the folder `script`,
//! which is handed out function by function: whoever writes a page takes those that its operations call, and no others.
//! Nothing is run here; a test runs every row against the program's own numbers.

use std::collections::BTreeSet;

use super::{Op, Rule};

/// The spelling of a row in JavaScript: expressions over `x`, `y`, `z` and `out`, or over the operands `a`, the place
/// `at` of the one in question, and `out`, where there may be any number of them.
#[derive(Clone, Copy, Debug)]
pub struct ScriptSpelling {
    /// The value.
    pub value: &'static str,
    /// The derivative by each operand; one for all where there may be any number of them.
    pub partials: &'static [&'static str],
}

/// The functions that spellings call.
const LIBRARY: &str = concat!(
    include_str!("script/elementary.js"),
    "\n",
    include_str!("script/special.js")
);

impl ScriptSpelling {
    /// The value as a function of the list of operands.
    pub fn value(&self, op: &Op) -> String {
        format!("({}) => {}", operands(op), self.value)
    }

    /// The derivatives as functions of the list of operands, `out` and the place of the operand.
    pub fn partials(&self, op: &Op) -> Vec<String> {
        let of = |text: &&str| format!("({}, out, at) => {text}", operands(op));
        self.partials.iter().map(of).collect()
    }
}

/// What the list of operands is called, or taken apart as.
fn operands(op: &Op) -> &'static str {
    match op.rule {
        Rule::Unary { .. } => "[x]",
        Rule::Binary { .. } => "[x, y]",
        Rule::Ternary { .. } => "[x, y, z]",
        Rule::Many { .. } => "a",
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
    use crate::ops::TABLE;

    #[test]
    fn a_row_has_as_many_derivatives_as_operands() {
        for op in TABLE {
            let Some(script) = &op.script else {
                continue;
            };
            let count = match op.rule {
                Rule::Many { .. } => 1,
                _ => op.arity().0,
            };
            assert_eq!(script.partials.len(), count, "{}", op.name);
        }
    }

    #[test]
    fn what_a_row_calls_is_there() {
        let known: BTreeSet<&str> = LIBRARY.split("\n\n").filter_map(declared).collect();
        for op in TABLE {
            let texts = op.script.iter().flat_map(|script| {
                script
                    .partials
                    .iter()
                    .copied()
                    .chain(std::iter::once(script.value))
            });
            for text in texts {
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
        // Everything is called by somebody.
        let texts = TABLE.iter().filter_map(|op| op.script).flat_map(|script| {
            let partials = script.partials.iter().copied();
            partials.chain(std::iter::once(script.value))
        });
        let all = library(texts);
        for paragraph in LIBRARY
            .split("\n\n")
            .filter(|paragraph| declared(paragraph).is_some())
        {
            assert!(
                all.contains(paragraph.trim_end()),
                "nobody calls\n{paragraph}"
            );
        }
    }
}

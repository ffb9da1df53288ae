//! The topic of conventions: what is taken where a derivative is a matter of choice.
//!
//! The rules are prose, the points come from the kinks and domains of the table of operations.

use std::fmt::Write as _;

use super::{Part, Topic};
use crate::commands::prose;
use crate::ops::{Domain, TABLE};
use crate::report::Block;

pub(super) const CONVENTIONS: Topic = Topic {
    name: "conventions",
    also: &["convention", "kinks", "kink", "infinity", "subgradient"],
    summary: "what is taken at kinks, zeros, infinities, outside a domain",
    parts: &[
        Part::Says(
            "The rule, in this order: the derivative where there is one; where a function bends, the slope nearest to 0 \
             that it has there; else the limit from inside, which may be infinite. Outside its domain value and \
             derivative of an operation are NaN.",
        ),
        Part::Says(
            "In the chain rule an exact 0, upstream or local, absorbs infinity and NaN: `0*sqrt(x)` at 0 has the \
             gradient 0. Any other gradient through a NaN is NaN, never a plausible number. Values are those of IEEE \
             arithmetic: `1/0` is inf, `0/0` is NaN, with a note that says which node it came from. `pow(0, 0)` is 1. \
             A literal has no gradient, so in `x^3` nobody asks for the logarithm of x.",
        ),
        Part::Says(
            "At these points a choice is made; `:explain` and `:check` name it where it counts:",
        ),
        Part::Made(kinks),
        Part::Says("Defined only for:"),
        Part::Made(domains),
        Part::Says(
            "Comparisons and `floor`, `round`, `sign` and the like have the derivative 0 everywhere. `if(c, a, b)` \
             passes its gradient to the chosen side alone. A value that is clamped at its bound has slope 1: it can move \
             back.",
        ),
    ],
};

/// Operations with what they have in common, in the order of the table.
fn gathered(said: impl Iterator<Item = (&'static str, String)>) -> Vec<(String, String)> {
    let mut rows: Vec<(Vec<&str>, String)> = Vec::new();
    for (operation, words) in said {
        match rows.iter_mut().find(|(_, known)| *known == words) {
            Some((operations, _)) => operations.push(operation),
            None => rows.push((vec![operation], words)),
        }
    }
    rows.into_iter()
        .map(|(operations, words)| (operations.join(" "), words))
        .collect()
}

fn kinks() -> Vec<Block> {
    let said = TABLE.iter().flat_map(|op| {
        op.kinks.iter().map(|kink| {
            (
                op.spelling,
                match kink.at.strip_prefix("a ") {
                    Some(_) => format!("{}: {}", kink.at, kink.convention),
                    None => format!("at {}: {}", kink.at, kink.convention),
                },
            )
        })
    });
    prose::rows(&gathered(said))
}

fn domains() -> Vec<Block> {
    let said = TABLE.iter().filter_map(|op| match op.domain {
        Domain::Everywhere => None,
        Domain::Where { text, hint, .. } => {
            let mut words = text.to_string();
            if let Some(hint) = hint {
                // Writing into a string cannot fail.
                let _ = write!(words, "; {hint}");
            }
            Some((op.spelling, words))
        }
    });
    prose::rows(&gathered(said))
}

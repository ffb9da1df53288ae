//! Gradients at work: commands that put derivatives to use for a goal outside the session.
//!
//! They find what is wanted by exact derivatives, or write model and gradients down for other programs.

pub(crate) mod budget;
mod columns;
pub(crate) mod export;
pub(crate) mod fit;
pub(crate) mod minimize;
mod moved;
pub(crate) mod solve;

use crate::syntax::literal;

/// A number with six digits, as it can be typed.
fn rounded(value: f64) -> String {
    let shorter = format!("{value:.5e}").parse();
    literal(shorter.unwrap_or(value), false)
}

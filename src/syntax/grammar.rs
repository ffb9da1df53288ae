//! The parser that pest makes of `grammar/calculator.pest`.
//!
//! Everything derived is in this one module, private to `syntax`: its items are pest's, without documentation of
//! their own. The grammar explains the rules.
#![allow(missing_docs)]

/// Makes tokens of text, by the rules of the grammar.
#[derive(pest_derive::Parser)]
#[grammar = "grammar/calculator.pest"]
pub(super) struct Grammar;

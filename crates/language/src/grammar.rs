//! The parser that pest makes of `grammar/calculator.pest` and `grammar/python.pest`.
//!
//! The derived items have no documentation, so they are alone in this module; the grammar explains the rules.
#![allow(missing_docs)]

/// Reads text by the rules of the grammar.
#[derive(pest_derive::Parser)]
#[grammar = "grammar/calculator.pest"]
#[grammar = "grammar/python.pest"]
pub(super) struct Grammar;

//! The parser that pest makes of `grammar/former.pest`.
//!
//! The derived items have no documentation, so they are alone in this module; the grammar explains the rules.
#![allow(missing_docs)]

/// The tokenizer: it cuts text into tokens by the rules of the grammar.
#[derive(pest_derive::Parser)]
#[grammar = "grammar/former.pest"]
pub(in crate::syntax) struct Grammar;

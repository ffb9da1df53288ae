//! The parser that pest makes from the files in `grammar/`.
//!
//! pest writes no documentation for the parser, so it is alone in this module. The grammar explains the rules.
#![allow(missing_docs)]

/// Reads text by the rules of the grammar.
#[derive(pest_derive::Parser)]
#[grammar = "grammar/calculator.pest"]
#[grammar = "grammar/python.pest"]
#[grammar = "grammar/arguments.pest"]
pub(super) struct Grammar;

/// A part of a text that a rule has read.
pub(super) type Pair<'i> = pest::iterators::Pair<'i, Rule>;

/// Parts of a text, one after the other.
pub(super) type Pairs<'i> = pest::iterators::Pairs<'i, Rule>;

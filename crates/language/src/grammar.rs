//! The parser that pest makes from the files in `grammar/`. `build.rs` says whether the crate's own folder has them.
//!
//! pest writes no documentation for the parser, so it is alone in this module. The grammar explains the rules.
#![allow(missing_docs)]

/// Reads text by the rules of the grammar.
#[derive(pest_derive::Parser)]
#[cfg_attr(
    has_grammar_folder,
    grammar = "grammar/calculator.pest",
    grammar = "grammar/python.pest",
    grammar = "grammar/arguments.pest"
)]
#[cfg_attr(
    not(has_grammar_folder),
    grammar = "../../grammar/calculator.pest",
    grammar = "../../grammar/python.pest",
    grammar = "../../grammar/arguments.pest"
)]
pub(super) struct Grammar;

/// A part of a text that a rule has read.
pub(super) type Pair<'i> = pest::iterators::Pair<'i, Rule>;

/// Parts of a text, one after the other.
pub(super) type Pairs<'i> = pest::iterators::Pairs<'i, Rule>;

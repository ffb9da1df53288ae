//! The signatures of commands: `build.rs` makes a module for each, with a constant for each argument, from the heads of
//! the pages in `docs/commands/`.

use super::args::{Argument, ArgumentKind, NodeCondition};

/// The head of a page.
#[derive(Debug)]
pub struct Signature {
    /// The word after the colon.
    pub name: &'static str,
    /// Other names for the command. They take precedence over prefixes of names.
    pub aliases: &'static [&'static str],
    /// A description of one line.
    pub summary: &'static str,
    /// The key of the group in which `:help` lists it.
    pub group: &'static str,
    /// Whether it changes nothing. The random numbers that it draws are given back.
    pub is_read_only: bool,
    /// Its entry on the first screen of `:help`: a line to type, and a few words.
    pub entry: (&'static str, &'static str),
    /// Its arguments.
    pub arguments: &'static [&'static Argument],
    /// The page below the head, which `:help NAME` shows: a description, and a session that a test replays.
    pub text: &'static str,
}

include!(concat!(env!("OUT_DIR"), "/signatures.rs"));

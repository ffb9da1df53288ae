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
    /// The key of the group in which `:help all` lists it.
    pub group: &'static str,
    /// What the rest of the program must know about it.
    pub traits: &'static [CommandTrait],
    /// Its entry in `:help` and `:help all`: a line to type, and a few words.
    pub entry: (&'static str, &'static str),
    /// Its arguments.
    pub arguments: &'static [&'static Argument],
    /// The page below the head, which `:help NAME` shows: a description, and a session that a test replays.
    pub text: &'static str,
}

/// What the rest of the program must know about a command, so that nobody asks for its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CommandTrait {
    /// It changes nothing. The random numbers that it draws are given back.
    ReadOnly,
    /// It is answered again while a slider moves, although it changes more than the answer.
    AnsweredAgain,
    /// It shows the last pass.
    ShowsThePass,
    /// It shows all names.
    ShowsAllNames,
    /// Its first argument is a formula, in which signs may be left out as in books.
    TakesAFormula,
    /// It gives leaves numbers, and takes so little time that the prompt can show their effect.
    SetsLeaves,
    /// It makes leaves of unknown names.
    MakesLeaves,
    /// It draws a picture, which Python shows even if the statement ends with `;`.
    Draws,
    /// Its answer is one of before as soon as leaves have moved, and is not answered again.
    ARecord,
    /// It forgets what the statements before it have done.
    EmptiesTheSession,
    /// It writes the session into a file.
    SavesTheSession,
    /// It runs the statements of a file.
    RunsAScript,
    /// It plays a lesson.
    PlaysALesson,
    /// It reads a table.
    ReadsATable,
    /// It runs even if its word is typed without the colon.
    RunsWithoutAColon,
    /// Its word without the colon begins a statement of Python.
    AlsoAStatementOfPython,
}

impl Signature {
    /// Whether it has a trait.
    pub fn has(&self, wanted: CommandTrait) -> bool {
        self.traits.contains(&wanted)
    }
}

include!(concat!(env!("OUT_DIR"), "/signatures.rs"));

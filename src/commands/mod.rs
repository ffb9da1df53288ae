//! The list of commands: `:word …`.
//!
//! Dispatch, prefixes, aliases, "did you mean", `:help`, completion and the table in the manual all read [`COMMANDS`].
//! The table "How to add things" on the first page of the crate says what to edit for a command.

mod back;
pub(crate) mod by_hand;
pub(crate) mod change;
pub(crate) mod gradients;
pub mod help;
pub(crate) mod look;
pub(crate) mod program;
mod understand;

pub(crate) use self::by_hand::answer::number_of;
pub(crate) use self::by_hand::asked_call::{asked_formula, check_line};
pub use self::change::MOST_STEPS;
pub use self::look::tree::{DEEPEST_JSON, DEEPEST_TEXT};
pub(crate) use self::program::data::pasted_names;
pub(crate) use self::program::play::LESSON_TABLES;
pub use self::program::save::load_report;
pub(crate) use crate::features::formula::{COMMAND as FORMULA, look_at_letters, slopes_along};

use crate::command::{Command, CommandTrait};
use crate::features;
use chainrule_language as language;
use chainrule_report::diagnostic::suggest::nearest;
use chainrule_report::diagnostic::{Diagnostic, Result, backtick_list};

/// Every command, in the order of `:help all`.
pub static COMMANDS: &[&Command] = &[
    &gradients::grad::COMMAND,
    &gradients::grad::BACKWARD,
    &gradients::grad::ZERO,
    &by_hand::walk::COMMAND,
    &by_hand::next::COMMAND,
    &by_hand::next::PREV,
    &by_hand::guess::COMMAND,
    &by_hand::answer::COMMAND,
    &understand::explain::COMMAND,
    &features::formula::COMMAND,
    &understand::nudge::COMMAND,
    &understand::check::COMMAND,
    &understand::assert::COMMAND,
    &understand::wrong::COMMAND,
    &understand::topo::COMMAND,
    &look::graph::COMMAND,
    &look::plot::COMMAND,
    &look::tree::COMMAND,
    &change::set::COMMAND,
    &change::step::COMMAND,
    &change::freeze::COMMAND,
    &change::freeze::THAW,
    &look::vars::COMMAND,
    &features::budget::COMMAND,
    &features::solve::COMMAND,
    &features::fit::COMMAND,
    &features::minimize::COMMAND,
    &features::export::COMMAND,
    &back::undo::COMMAND,
    &back::undo::REDO,
    &back::undo::LOG,
    &back::del::COMMAND,
    &back::del::RESET,
    &program::save::COMMAND,
    &program::save::LOAD,
    &program::data::COMMAND,
    &program::config::COMMAND,
    &help::COMMAND,
    &program::play::COMMAND,
    &program::quit::COMMAND,
];

/// The groups of commands in the order of `:help all`, each with its key on pages and in JSON, and its heading in text.
pub(crate) const GROUPS: [(&str, &str); 8] = [
    ("differentiate", "gradients"),
    ("understand", "examine"),
    ("walk", "by hand"),
    ("change", "change"),
    ("look", "look"),
    ("goals", "at work"),
    ("back", "undo"),
    ("session", "session"),
];

/// Finds the command for a word: a name, an alias, or the beginning of exactly one name.
pub fn find(word: &str) -> Result<&'static Command> {
    let mut all = COMMANDS.iter().copied();
    let by_name = all.clone().find(|command| command.name == word);
    let by_alias = || all.find(|command| command.aliases.contains(&word));
    if let Some(command) = by_name.or_else(by_alias) {
        return Ok(command);
    }
    let mut begun = COMMANDS.to_vec();
    begun.retain(|command| command.name.starts_with(word));
    match begun.as_slice() {
        [only] if !word.is_empty() => Ok(only),
        [] => {
            let help = match nearest(word, COMMANDS.iter().map(|command| command.name)) {
                Some(near) => format!("did you mean `:{near}`?"),
                None => "`:help all` lists all commands".to_string(),
            };
            Err(Diagnostic::new(format!("unknown command `:{word}`")).help(help))
        }
        several => {
            let listed = backtick_list(several.iter().map(|command| format!(":{}", command.name)));
            let message = format!("`:{word}` begins several commands");
            Err(Diagnostic::new(message).help(format!("which one: {listed}?")))
        }
    }
}

/// The command that runs even if its word is typed without the colon: `quit`.
pub(crate) fn find_without_colon(word: &str) -> Option<&'static Command> {
    // A letter is more likely a name without a value than `:q`.
    let is_word = |it: &&&Command| it.name == word || word.len() > 1 && it.aliases.contains(&word);
    let mut commands = COMMANDS.iter();
    let found = commands.find(|it| it.has(CommandTrait::RunsWithoutAColon) && is_word(it));
    found.copied()
}

/// Tells the lexer after which commands words follow, in which only a comment and a `;` at their end have a meaning.
pub(crate) fn tell_lexer() {
    language::set_commands_of_words(|word| find(word).is_ok_and(Command::takes_rest));
}

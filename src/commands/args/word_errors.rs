//! Errors about the words of a command as a whole: a word too many, an argument that is missing.
//!
//! Errors about a single argument are in the code that evaluates it.

use super::paths::is_path;
use super::split::WordError;
use super::{Argument, ArgumentKind, Arguments};
use crate::session::Session;
use chainrule_language::{Span, SyntaxError};
use chainrule_report::diagnostic::Diagnostic;
use chainrule_report::diagnostic::suggest::{did_you_mean, nearest};

impl Arguments<'_> {
    pub(super) fn word_error(&self, refused: WordError) -> Diagnostic {
        match refused {
            WordError::Surplus(word) => self.surplus_word(word),
            WordError::Bare(begun, word) => {
                let what = format!("`{}`", word.of(self.text));
                self.missing_argument(&what, self.command.arguments[begun], word.end as usize)
            }
        }
    }

    pub(super) fn missing_argument(
        &self,
        what: &str,
        argument: &Argument,
        at: usize,
    ) -> Diagnostic {
        let (usage, name) = (self.command.usage(), self.command.name);
        let help = format!("usage: `{usage}`; `:help {name}` has an example");
        Diagnostic::new(format!("{what} needs `{}`", argument.name))
            .at(at..at)
            .help(help)
    }

    /// The error of an argument with signs of its own. One without a help shows a line of the command.
    pub(crate) fn explain(&self, session: &Session, error: SyntaxError) -> Diagnostic {
        let error = session.explain(error);
        match error.help {
            Some(_) => error,
            None => error.help(format!("as in `{}`", self.command.entry.0)),
        }
    }

    /// The error of an argument that does not parse. A word after an expression is mostly not part of it, but something
    /// that the command does not take.
    pub(crate) fn syntax_error(
        &self,
        session: &Session,
        argument: &Argument,
        error: SyntaxError,
    ) -> Diagnostic {
        let words = self.words(argument);
        let at = words.iter().position(|word| word.start == error.span.start);
        let Some(at) = at.filter(|&at| at > 0) else {
            return session.explain(error);
        };
        let command = self.command;
        let usage = format!("usage: `{}`", command.usage());
        match (words[at].of(self.text), error.juxtaposed.as_deref()) {
            (",", None) => Diagnostic::new(format!(
                "`:{}` takes one expression at a time",
                command.name
            ))
            .at(words[at])
            .help(usage),
            (_, Some(beside)) if !session.is_function(&beside.left) => self.surplus_word(words[at]),
            _ => session.explain(error),
        }
    }

    /// The error of a word that the command does not take.
    pub(super) fn surplus_word(&self, word: Span) -> Diagnostic {
        let mut all = self.command.arguments.iter();
        let has_file = all.any(|argument| argument.kind == ArgumentKind::File);
        let ends_path = is_path(word.of(self.text));
        let what = if self.command.arguments.is_empty() {
            "takes no arguments".to_string()
        } else if ends_path && has_file {
            "takes one file at a time".to_string()
        } else {
            format!("does not take `{}` here", word.of(self.text))
        };
        let keywords = self.command.arguments.iter();
        let keywords = keywords.filter_map(|argument| argument.keyword);
        let others = keywords.filter(|keyword| *keyword != word.of(self.text));
        let near = nearest(word.of(self.text), others);
        let usage = || {
            if ends_path && !has_file {
                return "a table goes into a file that ends in `.csv` or `.md`".to_string();
            }
            let starts_with_file =
                matches!(self.command.arguments, [first, ..] if first.kind == ArgumentKind::File);
            let path = self.text[self.word.end as usize..word.end as usize].trim();
            let first = path.split_whitespace().next().unwrap_or_default();
            if ends_path && starts_with_file && !is_path(first) {
                let name = self.command.name;
                return format!("a path with a blank goes in quotes: `:{name} \"{path}\"`");
            }
            format!("usage: `{}`", self.command.usage())
        };
        Diagnostic::new(format!("`:{}` {what}", self.command.name))
            .at(word)
            .help(did_you_mean(near, usage))
    }
}

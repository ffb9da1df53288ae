//! Errors about the words of a command as a whole: a word too many, an argument that is missing.
//!
//! Errors about a single argument are in the code that evaluates it.

use super::assignment::WordError;
use super::paths::is_path;
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
            (",", None) => {
                let message = format!("`:{}` takes one expression at a time", command.name);
                Diagnostic::new(message).at(words[at]).help(usage)
            }
            (_, Some(beside)) if !session.is_function(&beside.left) => self.surplus_word(words[at]),
            _ => session.explain(error),
        }
    }

    /// The error of a word that the command does not take.
    pub(crate) fn surplus_word(&self, word: Span) -> Diagnostic {
        let (typed, name, all) = (
            word.of(self.text),
            self.command.name,
            self.command.arguments,
        );
        let has_file = all.iter().any(|it| it.kind == ArgumentKind::File);
        let ends_path = is_path(typed);
        let what = match all {
            [] => "takes no arguments".to_string(),
            _ if ends_path && has_file => "takes one file at a time".to_string(),
            _ => format!("does not take `{typed}` here"),
        };
        let keywords = all.iter().filter_map(|argument| argument.keyword);
        let near = nearest(typed, keywords.filter(|keyword| *keyword != typed));
        let usage = || {
            if ends_path && !has_file {
                return "a table goes into a file that ends in `.csv` or `.md`".to_string();
            }
            let starts_with_file = all.first().is_some_and(|it| it.kind == ArgumentKind::File);
            let path = self.text[self.word.end as usize..word.end as usize].trim();
            let first = path.split_whitespace().next().unwrap_or_default();
            if ends_path && starts_with_file && !is_path(first) {
                return format!("a path with a blank goes in quotes: `:{name} \"{path}\"`");
            }
            format!("usage: `{}`", self.command.usage())
        };
        let message = format!("`:{name}` {what}");
        let help = did_you_mean(near, usage);
        Diagnostic::new(message).at(word).help(help)
    }
}

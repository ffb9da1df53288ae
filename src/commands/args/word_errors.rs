//! Makes the errors about the words of a command as a whole: a word too many, or an argument that is missing.
//!
//! Errors about a single argument are in the code that evaluates it.

use super::paths::is_path;
use super::{Argument, ArgumentKind, Arguments};
use crate::session::Session;
use chainrule_language::{Span, SyntaxError};
use chainrule_report::diagnostic::Diagnostic;
use chainrule_report::diagnostic::suggest::{did_you_mean, nearest};

impl Arguments<'_> {
    /// The error that the command, or a keyword, needs an argument. `asker` is the command or the keyword in backticks.
    pub(super) fn missing_argument(
        &self,
        asker: &str,
        argument: &Argument,
        at: usize,
    ) -> Diagnostic {
        let (usage, name) = (self.command.usage(), self.command.name);
        let help = format!("usage: `{usage}`; `:help {name}` has an example");
        Diagnostic::new(format!("{asker} needs `{}`", argument.name))
            .at(at..at)
            .help(help)
    }

    /// The error for an argument with a grammar of its own. If the error has no help, the help is an example of the
    /// command.
    pub(crate) fn explain(&self, session: &Session, error: SyntaxError) -> Diagnostic {
        let error = session.explain(error);
        match error.help {
            Some(_) => error,
            None => error.help(format!("as in `{}`", self.command.entry.0)),
        }
    }

    /// The error for an expression that does not parse. If the error is at a later word, the expression before the word is
    /// usually complete, and the command does not take the word.
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

    /// The error for a word that the command does not take.
    pub(crate) fn surplus_word(&self, word: Span) -> Diagnostic {
        let typed = word.of(self.text);
        let arguments = self.command.arguments;
        let is_file = |argument: &&Argument| argument.kind == ArgumentKind::File;
        let problem = if arguments.is_empty() {
            "takes no arguments".to_string()
        } else if is_path(typed) && arguments.iter().any(is_file) {
            "takes one file at a time".to_string()
        } else {
            format!("does not take `{typed}` here")
        };
        let keywords = arguments.iter().filter_map(|argument| argument.keyword);
        let near = nearest(typed, keywords.filter(|keyword| *keyword != typed));
        let help = did_you_mean(near, || self.surplus_word_help(word));
        Diagnostic::new(format!("`:{}` {problem}", self.command.name))
            .at(word)
            .help(help)
    }

    fn surplus_word_help(&self, word: Span) -> String {
        let usage = format!("usage: `{}`", self.command.usage());
        if !is_path(word.of(self.text)) {
            return usage;
        }
        let kinds: Vec<ArgumentKind> = self.command.arguments.iter().map(|it| it.kind).collect();
        if !kinds.contains(&ArgumentKind::File) {
            return "a table goes into a file that ends in `.csv` or `.md`".to_string();
        }
        // `:load my file.calc`: everything after the command's name is perhaps one path.
        let path = self.text[self.name_span.end as usize..word.end as usize].trim();
        let first = path.split_whitespace().next().unwrap_or_default();
        if kinds[0] == ArgumentKind::File && !is_path(first) {
            let name = self.command.name;
            return format!("a path with a blank goes in quotes: `:{name} \"{path}\"`");
        }
        usage
    }
}

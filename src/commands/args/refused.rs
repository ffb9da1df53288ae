//! What is wrong with the words of a command, and what to type instead.
//!
//! Errors of a single argument stand where that is evaluated.

use super::split::WordError;
use super::{Argument, ArgumentKind, Arguments};
use crate::diagnostic::Diagnostic;
use crate::diagnostic::suggest::{did_you_mean, nearest};
use crate::session::Session;
use crate::syntax::{Span, SyntaxError};

impl Arguments<'_> {
    pub(super) fn refused(&self, refused: WordError) -> Diagnostic {
        match refused {
            WordError::Surplus(word) => self.surplus(word),
            WordError::Bare(begun, word) => {
                let what = format!("`{}`", word.of(self.text));
                self.missing(&what, &self.command.arguments[begun], word.end as usize)
            }
            WordError::Twice(begun, word) => {
                if let Some((before, argument)) = self.begun_before(word) {
                    let what = format!("`{}`", before.of(self.text));
                    return self.missing(&what, argument, before.end as usize);
                }
                let is_flag = self.command.arguments[begun].kind == ArgumentKind::Flag;
                let line = self.without_repeated(word, is_flag);
                Diagnostic::new(format!("`{}` is given twice", word.of(self.text)))
                    .at(word)
                    .help(format!("once is enough: `{line}`"))
            }
        }
    }

    pub(super) fn missing(&self, what: &str, argument: &Argument, at: usize) -> Diagnostic {
        let command = self.command;
        let mut words = self.all_words().into_iter();
        let next = words.find(|word| word.start as usize >= at);
        let takes_names = matches!(argument.kind, ArgumentKind::Node | ArgumentKind::Nodes);
        let help = match next.filter(|next| takes_names && self.keyword(*next).is_some()) {
            Some(next) => {
                let name = next.of(self.text);
                let line = self.retyped(&[(next, &format!("({name})"))]);
                format!("write `{line}` for a node called `{name}`")
            }
            None => format!(
                "usage: `{}`; `:help {}` has an example",
                command.usage(),
                command.name
            ),
        };
        Diagnostic::new(format!("{what} needs {}", describe(argument)))
            .at(at..at)
            .help(help)
    }

    /// The word before this one, if it begins an argument that still needs its words.
    fn begun_before(&self, word: Span) -> Option<(Span, &Argument)> {
        let mut words = self.all_words().into_iter().rev();
        let before = words.find(|before| before.end <= word.start)?;
        let mut all = self.command.arguments.iter();
        let begun = all.find(|argument| argument.keyword == Some(before.of(self.text)))?;
        (begun.kind != ArgumentKind::Flag).then_some((before, begun))
    }

    /// The error of an argument that does not parse. A word behind an expression is mostly none of it, but something that
    /// the command does not take.
    pub(crate) fn unread(&self, session: &Session, name: &str, error: SyntaxError) -> Diagnostic {
        let words = self.words(name);
        if let Some(&first) = words.first().filter(|first| self.is_file(**first))
            && let Some(disorder) = self.disorder(first)
        {
            return disorder;
        }
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
            (word, Some([left, _])) if !session.is_function(left) => {
                // Behind a file another word is too many.
                let surplus = words.get(at + 1).filter(|_| ends_like_file(word));
                self.surplus(*surplus.unwrap_or(&words[at]))
            }
            _ => session.explain(error),
        }
    }

    /// The error of a word that the command does not take.
    pub(super) fn surplus(&self, word: Span) -> Diagnostic {
        let what = if self.command.arguments.is_empty() {
            "takes no arguments".to_string()
        } else {
            format!("does not take `{}` here", word.of(self.text))
        };
        let near = self.near(word);
        if let Some(disorder) = self.disorder(word).filter(|_| near.is_none()) {
            return disorder;
        }
        Diagnostic::new(format!("`:{}` {what}", self.command.name))
            .at(word)
            .help(did_you_mean(near, || {
                format!("usage: `{}`", self.command.usage())
            }))
    }

    /// The error of a word that stands where only a file can, and looks like none; none if it may be meant as one.
    pub(super) fn no_file(&self, word: Span) -> Option<Diagnostic> {
        if let Some(disorder) = self.disorder(word) {
            return Some(disorder);
        }
        let mut others = self.all_words().into_iter();
        let is_other = |other: Span| other != word && self.is_file(other);
        let surplus = self.surplus(word);
        if self.near(word).is_some() {
            return Some(surplus);
        }
        let help = || format!("leave it out: `{}`", self.retyped(&[(word, "")]));
        others.any(is_other).then(|| surplus.help(help()))
    }

    /// The error of words that are all understood in another order.
    fn disorder(&self, word: Span) -> Option<Diagnostic> {
        let line = self.in_order()?;
        let error = Diagnostic::new(format!(
            "`:{}` takes its words in another order",
            self.command.name
        ));
        Some(error.at(word).help(format!("write `{line}`")))
    }

    /// The keyword that may have been meant.
    fn near(&self, word: Span) -> Option<&'static str> {
        let keywords = self.command.arguments.iter();
        nearest(
            word.of(self.text),
            keywords.filter_map(|argument| argument.keyword),
        )
    }
}

/// `L.svg`
fn ends_like_file(word: &str) -> bool {
    let ending = word.rsplit_once('.').map_or("", |(_, ending)| ending);
    ending.starts_with(|c: char| c.is_ascii_alphabetic())
}

fn describe(argument: &Argument) -> &'static str {
    match argument.kind {
        ArgumentKind::Expression => "an expression",
        ArgumentKind::Node | ArgumentKind::Nodes => "a node",
        ArgumentKind::Names if argument.name == "WORD" => "a word",
        ArgumentKind::Names => "a name",
        ArgumentKind::Number => "a number",
        ArgumentKind::Count => "a count",
        ArgumentKind::Settings => "a leaf and its new value",
        ArgumentKind::Relations => "an equation",
        ArgumentKind::Model => "data and a model",
        ArgumentKind::Correlations => "two leaves and a number",
        ArgumentKind::Range => "a range",
        ArgumentKind::Topic | ArgumentKind::Flag => "a word",
        ArgumentKind::File => "a file",
        ArgumentKind::Statement => "a statement",
    }
}

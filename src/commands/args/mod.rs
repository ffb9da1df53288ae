//! Arguments of commands: cut into words before anything in them is read as an expression.
//!
//! Keywords (`wrt`, `of`) and words are found at bracket depth 0. A node, a number or a count is one word, a
//! bracketed expression among them; the last argument before a keyword may be a free expression. What the words mean is
//! not known here; see `meaning`, `range` and `paths`.

mod paths;
pub(crate) mod range;
pub(crate) mod resolve;
pub(crate) mod signature;
pub(crate) mod split;
pub mod suggestions;

use self::paths::is_path;
use self::split::{Cutting, Refused};
use self::suggestions::Offers;
use super::Command;
use crate::diagnostic::Diagnostic;
use crate::syntax;
use crate::syntax::Span;

/// One argument of a command's signature.
#[derive(Debug)]
pub struct Argument {
    /// What it is called in usage lines: `T`, `NODE`, `RATE`.
    pub name: &'static str,
    /// What it is.
    pub kind: Takes,
    /// The word that begins it: `wrt`, `of`.
    pub keyword: Option<&'static str>,
    /// Must it be there?
    pub needed: bool,
    /// What it means to its command, where that does not follow from its kind.
    pub meaning: Option<&'static str>,
    /// What is offered for it while it is typed.
    pub offers: Offers,
}

/// What an argument is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Takes {
    /// A free expression, up to the next keyword.
    Expression,
    /// One node: a word.
    Node,
    /// One or more nodes, a word each.
    Nodes,
    /// One or more names, a word each.
    Names,
    /// A number: a word that is evaluated.
    Number,
    /// A count: a word that is evaluated to a whole number.
    Count,
    /// `a 3, b a/2`
    Settings,
    /// A word that is looked up as it is.
    Topic,
    /// `x=-5..5`, `-5..5`: the last words before a file.
    Range,
    /// Nothing but its keyword.
    Flag,
    /// A path, in quotes if it holds blanks, `;` or `#`.
    File,
    /// All that is left, a statement of its own.
    Statement,
}

impl Argument {
    /// One that may be left out.
    pub const fn optional(name: &'static str, kind: Takes) -> Argument {
        Argument {
            name,
            kind,
            keyword: None,
            needed: false,
            meaning: None,
            offers: Offers::Usual,
        }
    }

    /// A needed one.
    pub const fn needed(name: &'static str, kind: Takes) -> Argument {
        Argument {
            needed: true,
            ..Argument::optional(name, kind)
        }
    }

    /// One that a keyword begins and that may be left out.
    pub const fn after(keyword: &'static str, name: &'static str, kind: Takes) -> Argument {
        Argument {
            keyword: Some(keyword),
            ..Argument::optional(name, kind)
        }
    }

    /// A keyword that says all: `forward`.
    pub const fn flag(keyword: &'static str) -> Argument {
        Argument::after(keyword, keyword, Takes::Flag)
    }

    /// With what it means to its command, as `:help` says it.
    #[must_use]
    pub const fn means(self, meaning: &'static str) -> Argument {
        Argument {
            meaning: Some(meaning),
            ..self
        }
    }

    /// With something of its own to offer.
    #[must_use]
    pub const fn offering(self, offers: Offers) -> Argument {
        Argument { offers, ..self }
    }

    /// `[wrt NODE…]`
    pub fn usage(&self) -> String {
        let many = if matches!(self.kind, Takes::Nodes | Takes::Names) {
            "…"
        } else {
            ""
        };
        let text = match self.keyword {
            Some(keyword) if self.kind == Takes::Flag => keyword.to_string(),
            Some(keyword) => format!("{keyword} {}{many}", self.name),
            None => format!("{}{many}", self.name),
        };
        if self.needed {
            text
        } else {
            format!("[{text}]")
        }
    }
}

/// The arguments a command was given.
#[derive(Debug)]
pub struct Arguments<'t> {
    /// The text that spans count in.
    pub text: &'t str,
    /// The whole statement, for `:log`.
    pub statement: &'t str,
    /// The command's word.
    pub word: Span,
    /// The command.
    pub command: &'static Command,
    /// The statement ended with `;`.
    pub silenced: bool,
    /// The words of each argument of the signature.
    given: Vec<Vec<Span>>,
}

impl<'t> Arguments<'t> {
    /// Cuts a command's tail by its signature.
    pub fn cut(
        command: &'static Command,
        text: &'t str,
        statement: &'t str,
        words: (Span, Span),
        silenced: bool,
    ) -> Result<Arguments<'t>, Diagnostic> {
        let (word, rest) = words;
        let signature = command.arguments;
        let mut arguments = Arguments {
            text,
            statement,
            word,
            command,
            silenced,
            given: signature.iter().map(|_| Vec::new()).collect(),
        };
        if let [
            Argument {
                kind: Takes::Statement,
                ..
            },
        ] = signature
        {
            // Not cut: what is in it is for whoever runs it.
            if rest.start < rest.end {
                arguments.given[0].push(rest);
            }
            return arguments.complete();
        }
        let words = syntax::words(text, rest);
        if let Some(several) = arguments.several_files(&words) {
            return Err(several);
        }
        let mut cutting = Cutting::new(signature);
        for found in words {
            cutting
                .take(text, found)
                .map_err(|refused| arguments.refused(refused))?;
        }
        cutting
            .end()
            .map_err(|refused| arguments.refused(refused))?;
        arguments.given = cutting.given;
        arguments.find_file();
        arguments.find_range();
        arguments.complete()
    }

    /// A free expression takes up all words; where a file may follow, the last one is it if it is written like one.
    fn find_file(&mut self) {
        let signature = self.command.arguments;
        let file = signature
            .iter()
            .position(|argument| argument.kind == Takes::File);
        let Some(place) = file.filter(|&place| self.given[place].is_empty()) else {
            return;
        };
        for words in self.given[..place].iter_mut().rev() {
            if let Some(last) = words.pop_if(|last| is_path(last.of(self.text))) {
                self.given[place].push(last);
                return;
            }
        }
    }

    /// Where a range may follow a free expression, the last words are it: from `x=` on, or those around `..`.
    fn find_range(&mut self) {
        let signature = self.command.arguments;
        let of = |kind: Takes| signature.iter().position(|argument| argument.kind == kind);
        let (Some(range), Some(expression)) = (of(Takes::Range), of(Takes::Expression)) else {
            return;
        };
        let words = &mut self.given[expression];
        if let Some(start) = range::start(words, self.text) {
            self.given[range] = words.split_off(start);
            // `:plot x^2 parabola.svg x=-5..5`
            self.find_file();
        }
    }

    /// Is everything there that is needed?
    fn complete(self) -> Result<Arguments<'t>, Diagnostic> {
        let missing =
            |(argument, words): &(&Argument, &Vec<Span>)| argument.needed && words.is_empty();
        let signature = self.command.arguments;
        if let Some((argument, _)) = signature.iter().zip(&self.given).find(missing) {
            return Err(self.missing(&format!("`:{}`", self.command.name), argument, self.end()));
        }
        Ok(self)
    }

    fn refused(&self, refused: Refused) -> Diagnostic {
        match refused {
            Refused::Surplus(word) => self.surplus(word),
            Refused::Bare(begun, word) => {
                let what = format!("`{}`", word.of(self.text));
                self.missing(&what, &self.command.arguments[begun], word.end as usize)
            }
        }
    }

    fn missing(&self, what: &str, argument: &Argument, at: usize) -> Diagnostic {
        let command = self.command;
        Diagnostic::new(format!("{what} needs {}", describe(argument)))
            .at(at..at)
            .help(format!(
                "it is typed `{}`; `:help {}` has an example",
                command.usage(),
                command.name
            ))
    }

    /// Where the statement ends, blanks left out.
    fn end(&self) -> usize {
        let statement = self.statement.trim_end();
        statement.as_ptr() as usize + statement.len() - self.text.as_ptr() as usize
    }

    fn surplus(&self, word: Span) -> Diagnostic {
        let what = if self.command.arguments.is_empty() {
            "takes no arguments"
        } else {
            "does not take this"
        };
        Diagnostic::new(format!("`:{}` {what}", self.command.name))
            .at(word)
            .help(format!("it is typed `{}`", self.command.usage()))
    }

    /// The words of an argument.
    pub fn words(&self, name: &str) -> &[Span] {
        let place = self
            .command
            .arguments
            .iter()
            .position(|argument| argument.name == name);
        place.map_or(&[], |place| &self.given[place])
    }

    /// The only word of an argument.
    pub fn word(&self, name: &str) -> Option<(&'t str, Span)> {
        self.words(name)
            .first()
            .map(|&span| (span.of(self.text), span))
    }

    /// All words of an argument as one stretch of text.
    pub(super) fn stretch(&self, name: &str) -> Option<Span> {
        self.words(name).iter().copied().reduce(Span::to)
    }
}

fn describe(argument: &Argument) -> &'static str {
    match argument.kind {
        Takes::Expression => "an expression",
        Takes::Node | Takes::Nodes => "a node",
        Takes::Names if argument.name == "WORD" => "a word",
        Takes::Names => "a name",
        Takes::Number => "a number",
        Takes::Count => "a count",
        Takes::Settings => "a leaf and its new value",
        Takes::Range => "a range",
        Takes::Topic | Takes::Flag => "a word",
        Takes::File => "a file",
        Takes::Statement => "a statement",
    }
}

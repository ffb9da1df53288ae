//! Assigns the words of a command to the arguments of its signature, one after the other.
//!
//! Parsing passes all words, completion those before the cursor. The words are not evaluated here.

use super::paths::may_name_file;
use super::range::is_range;
use super::suggestions::Offers;
use super::{Argument, ArgumentKind};
use crate::syntax;
use crate::syntax::Span;

/// The state of assigning words.
#[derive(Debug)]
pub(crate) struct Assignment {
    signature: &'static [Argument],
    /// The argument that gets the next word, unless that is a keyword.
    pub at: Option<usize>,
    /// The last keyword, with the argument it begins.
    keyword: Option<(usize, Span)>,
    /// The words of each argument.
    pub given: Vec<Vec<Span>>,
}

/// Why a word cannot be assigned.
#[derive(Clone, Copy, Debug)]
pub(crate) enum WordError {
    /// There are no arguments left.
    Surplus(Span),
    /// A keyword without anything after it: `:grad L wrt`.
    Bare(usize, Span),
    /// A keyword that was there before: `:graph L locals locals`.
    Twice(usize, Span),
}

impl Assignment {
    /// The state before the first word.
    pub(crate) fn new(signature: &'static [Argument]) -> Assignment {
        Assignment {
            signature,
            at: plain(signature, 0),
            keyword: None,
            given: signature.iter().map(|_| Vec::new()).collect(),
        }
    }

    /// Assigns the next word.
    pub(crate) fn take(&mut self, text: &str, word: Span) -> Result<(), WordError> {
        let signature = self.signature;
        let begun = signature
            .iter()
            .position(|argument| argument.keyword == Some(word.of(text)));
        if let Some(begun) = begun.filter(|&begun| self.is_repeated(text, begun)) {
            return Err(WordError::Twice(begun, word));
        }
        let begun = begun.filter(|&begun| self.may_begin(text, begun));
        if let Some(begun) = begun {
            self.end()?;
            (self.at, self.keyword) = (Some(begun), Some((begun, word)));
            if signature[begun].kind == ArgumentKind::Flag {
                self.given[begun].push(word);
                self.at = self.following(begun);
            }
            return Ok(());
        }
        if let Some((begun, value)) = self.assigned(text, word) {
            self.end()?;
            self.given[begun].push(value);
            (self.at, self.keyword) = (self.following(begun), Some((begun, word)));
            return Ok(());
        }
        // `:freeze a, b` is the same as `:freeze a b`.
        let listed = self.at.is_some_and(|at| {
            matches!(
                signature[at].kind,
                ArgumentKind::Nodes | ArgumentKind::Names
            )
        });
        if listed && word.of(text) == "," {
            return Ok(());
        }
        let Some(mut place) = self.at else {
            return Err(WordError::Surplus(word));
        };
        let is_path = |file: usize| may_name_file(word.of(text), signature[file].offers);
        if let (ArgumentKind::Range, Some(file)) = (signature[place].kind, self.file())
            && is_path(file)
        {
            place = file;
        }
        // A file for a table may follow anything, so what is no path was not meant as one.
        if let Offers::Tables(_) = signature[place].offers
            && !is_path(place)
        {
            return Err(WordError::Surplus(word));
        }
        self.given[place].push(word);
        if matches!(
            signature[place].kind,
            ArgumentKind::Node
                | ArgumentKind::Number
                | ArgumentKind::Count
                | ArgumentKind::Topic
                | ArgumentKind::File
        ) {
            self.at = self.following(place);
        }
        Ok(())
    }

    /// Fails if the last keyword has no value.
    pub(crate) fn end(&self) -> Result<(), WordError> {
        match self.keyword {
            Some((begun, word)) if self.given[begun].is_empty() => {
                Err(WordError::Bare(begun, word))
            }
            _ => Ok(()),
        }
    }

    pub(crate) fn argument(&self, place: usize) -> &'static Argument {
        &self.signature[place]
    }

    /// May the keyword of this argument come next?
    pub(crate) fn may_begin(&self, text: &str, place: usize) -> bool {
        self.given[place].is_empty() && self.is_keyword(text, place)
    }

    /// Is the keyword of this argument one where the next word stands?
    fn is_keyword(&self, text: &str, place: usize) -> bool {
        !self.takes_any_word() && (!self.signature[place].late || self.is_behind_operand(text))
    }

    /// Has this argument been given, if its keyword comes next? A list of nodes may have one of that name.
    fn is_repeated(&self, text: &str, place: usize) -> bool {
        let kind = self.signature[place].kind;
        let takes_names = matches!(kind, ArgumentKind::Nodes | ArgumentKind::Names);
        !self.given[place].is_empty() && !takes_names && self.is_keyword(text, place)
    }

    /// Does the last word end an operand? Behind a comma or an operator `log` is the function.
    fn is_behind_operand(&self, text: &str) -> bool {
        let last = self.given.iter().flatten().max_by_key(|word| word.start);
        last.is_some_and(|word| !word.of(text).ends_with(|c| "+-*/^,=<>(~·×".contains(c)))
    }

    /// The argument and the value of `size=800x400`, the same as `size 800x400`. With `size=0..1` something of that name
    /// moves.
    fn assigned(&self, text: &str, word: Span) -> Option<(usize, Span)> {
        let (key, value) = syntax::key_value(text, word)?;
        let begun = self.signature.iter().position(|argument| {
            argument.keyword == Some(key.of(text)) && argument.kind == ArgumentKind::Topic
        })?;
        let is_one = self.may_begin(text, begun) && !is_range(value.of(text));
        is_one.then_some((begun, value))
    }

    fn file(&self) -> Option<usize> {
        let is_file = |argument: &Argument| argument.kind == ArgumentKind::File;
        self.signature.iter().position(is_file)
    }

    /// Behind `:data FILE as` the word is a name and no keyword.
    fn takes_any_word(&self) -> bool {
        self.at.is_some_and(|at| {
            self.signature[at].kind == ArgumentKind::Names && self.given[at].is_empty()
        })
    }

    /// The file that may still be given.
    pub(crate) fn file_to_come(&self, text: &str) -> Option<&'static Argument> {
        let file = &self.signature[self.file()?];
        let is_path = |word: &Span| may_name_file(word.of(text), file.offers);
        let is_given = self.given.iter().flatten().any(is_path);
        (!is_given).then_some(file)
    }

    /// The argument for the file of a table, if there is one and it is not given yet.
    pub(crate) fn table(&self) -> Option<usize> {
        let is_table = |argument: &Argument| matches!(argument.offers, Offers::Tables(_));
        let place = self.signature.iter().position(is_table)?;
        self.given[place].is_empty().then_some(place)
    }

    /// The argument after this one: the next one without a keyword, or else a range or the file.
    pub(crate) fn following(&self, place: usize) -> Option<usize> {
        if self.signature[place].keyword.is_some() {
            let is_range = |argument: &Argument| argument.kind == ArgumentKind::Range;
            return self.signature.iter().position(is_range).or(self.file());
        }
        let next = plain(self.signature, place + 1);
        next.or_else(|| self.file().filter(|file| *file != place))
    }
}

fn plain(signature: &[Argument], place: usize) -> Option<usize> {
    let argument = signature.get(place)?;
    argument.keyword.is_none().then_some(place)
}

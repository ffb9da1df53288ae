//! How the words of a command are dealt out to the arguments of its signature, one word after the other.
//!
//! Parsing asks it for all words, completion for those before the cursor. What the words mean is not known here.

use super::{Argument, Takes};
use crate::syntax::Span;

/// How far the words have been dealt out.
#[derive(Debug)]
pub(crate) struct Cutting {
    signature: &'static [Argument],
    /// The argument that the next word belongs to, unless a keyword comes.
    pub at: Option<usize>,
    /// The last keyword, and the argument it begins.
    keyword: Option<(usize, Span)>,
    /// The words of each argument.
    pub given: Vec<Vec<Span>>,
}

/// Why a word has no place.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Refused {
    /// It is one too many.
    Surplus(Span),
    /// A keyword with nothing after it: `:grad L wrt`.
    Bare(usize, Span),
}

impl Cutting {
    /// Before the first word.
    pub(crate) fn new(signature: &'static [Argument]) -> Cutting {
        Cutting {
            signature,
            at: plain(signature, 0),
            keyword: None,
            given: signature.iter().map(|_| Vec::new()).collect(),
        }
    }

    /// Deals out the next word.
    pub(crate) fn take(&mut self, text: &str, word: Span) -> Result<(), Refused> {
        let signature = self.signature;
        let begun = signature
            .iter()
            .position(|argument| argument.keyword == Some(word.of(text)))
            .filter(|&begun| self.may_begin(begun));
        if let Some(begun) = begun {
            self.end()?;
            (self.at, self.keyword) = (Some(begun), Some((begun, word)));
            if signature[begun].kind == Takes::Flag {
                self.given[begun].push(word);
                self.at = (signature.iter()).position(|argument| argument.kind == Takes::File);
            }
            return Ok(());
        }
        // `:freeze a, b` is the same as `:freeze a b`.
        let listed = self
            .at
            .is_some_and(|at| matches!(signature[at].kind, Takes::Nodes | Takes::Names));
        if listed && word.of(text) == "," {
            return Ok(());
        }
        let Some(place) = self.at else {
            return Err(Refused::Surplus(word));
        };
        self.given[place].push(word);
        if matches!(
            signature[place].kind,
            Takes::Node | Takes::Number | Takes::Count | Takes::Topic | Takes::File
        ) {
            self.at = self.following(place);
        }
        Ok(())
    }

    /// Is the last keyword followed by something?
    pub(crate) fn end(&self) -> Result<(), Refused> {
        match self.keyword {
            Some((begun, word)) if self.given[begun].is_empty() => Err(Refused::Bare(begun, word)),
            _ => Ok(()),
        }
    }

    /// An argument of the signature.
    pub(crate) fn argument(&self, place: usize) -> &'static Argument {
        &self.signature[place]
    }

    /// May the keyword of this argument come next?
    pub(crate) fn may_begin(&self, place: usize) -> bool {
        // `:del as` forgets the name `as`.
        let first = self
            .at
            .is_some_and(|at| self.signature[at].kind == Takes::Names && self.given[at].is_empty());
        !first && self.given[place].is_empty()
    }

    /// A plain argument is followed by the next plain one; one that a keyword begins goes on to the next keyword.
    pub(crate) fn following(&self, place: usize) -> Option<usize> {
        plain(self.signature, place + 1).filter(|_| self.signature[place].keyword.is_none())
    }
}

fn plain(signature: &[Argument], place: usize) -> Option<usize> {
    let argument = signature.get(place)?;
    argument.keyword.is_none().then_some(place)
}

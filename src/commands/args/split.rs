//! Cuts the words of a command by their shape: each goes to the argument that it looks like.
//!
//! A file is quoted or has an ending that is known, a range has `..` in it or says what moves, `x=`, and a keyword begins
//! its argument. Any other word goes to the open argument: after each of these shapes again the first one without a
//! keyword that has no words yet. Running a command passes all words, completion those before the cursor.

use super::paths::is_path;
use super::range::is_range;
use super::suggestions::is_table_file;
use super::{Argument, ArgumentKind};
use crate::syntax;
use crate::syntax::Span;

/// The state of assigning words.
#[derive(Debug)]
pub(crate) struct Assignment {
    signature: &'static [Argument],
    /// The argument that gets the next word, if that has no shape of its own.
    pub at: Option<usize>,
    /// The last keyword, with the argument that it begins.
    keyword: Option<(usize, Span)>,
    /// The last word.
    last: Option<Span>,
    /// The words of each argument.
    pub given: Vec<Vec<Span>>,
    /// The file for the table of the answer.
    pub table: Option<Span>,
}

/// Why a word cannot be assigned.
#[derive(Clone, Copy, Debug)]
pub(crate) enum WordError {
    /// Nothing that it could be is left.
    Surplus(Span),
    /// A keyword without anything after it: `:grad L wrt`.
    Bare(usize, Span),
}

/// What may come next besides the words of the open argument.
pub(crate) struct Next {
    /// Those that begin with a keyword.
    pub keywords: Vec<&'static Argument>,
    pub ranges: Vec<&'static Argument>,
    /// The file of the command.
    pub file: Option<&'static Argument>,
    /// A file for the table of the answer.
    pub table: bool,
    /// The last word ends an operand.
    pub follows: bool,
}

/// The words of a command. A range is one word, whatever blanks are in it: `x = -5 .. 5`.
pub(crate) fn words(signature: &[Argument], text: &str, rest: Span) -> Vec<Span> {
    let words = syntax::words(text, rest);
    let is_range = |argument: &Argument| argument.kind == ArgumentKind::Range;
    if !signature.iter().any(is_range) {
        return words;
    }
    let is_open = |word: &str| {
        let compares = ["==", "<=", ">=", "!="].iter().any(|it| word.ends_with(it));
        word.ends_with("..") || word.ends_with('=') && !compares
    };
    let goes_on =
        |word: &str| word.starts_with("..") || word.starts_with('=') && !word.starts_with("==");
    let mut joined: Vec<Span> = Vec::with_capacity(words.len());
    for word in words {
        match joined.last_mut() {
            Some(last) if is_open(last.of(text)) || goes_on(word.of(text)) => {
                *last = last.to(word);
            }
            _ => joined.push(word),
        }
    }
    joined
}

impl Assignment {
    /// The state before the first word.
    pub(crate) fn new(signature: &'static [Argument]) -> Assignment {
        let mut cutting = Assignment {
            signature,
            at: None,
            keyword: None,
            last: None,
            given: signature.iter().map(|_| Vec::new()).collect(),
            table: None,
        };
        cutting.at = cutting.open();
        cutting
    }

    /// Assigns the next word.
    pub(crate) fn take(&mut self, text: &str, word: Span) -> Result<(), WordError> {
        let taken = self.assign(text, word);
        self.last = Some(word);
        taken
    }

    fn assign(&mut self, text: &str, word: Span) -> Result<(), WordError> {
        let typed = word.of(text);
        // Directly behind its keyword a word is what it is, also in quotes: `title "a.svg"`.
        if let Some((begun, _)) = self.begun()
            && self.signature[begun].kind == ArgumentKind::Topic
        {
            self.given[begun].push(word);
            self.at = self.open();
            return Ok(());
        }
        if let Some(file) = self.file().filter(|&file| self.is_file(file, text, word)) {
            return self.set_aside(file, word);
        }
        if self.takes_table() && is_table_file(typed) {
            self.close();
            return match self.table.replace(word) {
                None => Ok(()),
                Some(_) => Err(WordError::Surplus(word)),
            };
        }
        let keywords = self.signature.iter();
        let mut begun = keywords.map(|argument| argument.keyword == Some(typed));
        if let Some(begun) = begun.position(|is_begun| is_begun)
            && self.may_begin(text, begun)
        {
            self.keyword = Some((begun, word));
            self.at = Some(begun);
            if self.signature[begun].kind == ArgumentKind::Flag {
                self.given[begun].push(word);
                self.at = self.open();
            }
            return Ok(());
        }
        if let Some((begun, value)) = self.assigned(text, word) {
            return self.set_aside(begun, value);
        }
        let begun = self.begun().map(|(begun, _)| begun);
        let is_range_of = |at: &usize| self.signature[*at].kind == ArgumentKind::Range;
        let begun = begun.filter(is_range_of);
        let mut ranges = begun.into_iter().chain(self.ranges()).peekable();
        if ranges.peek().is_some() && (is_range(typed) || syntax::key_value(text, word).is_some()) {
            let free = ranges.find(|&range| self.given[range].is_empty());
            let range = free.ok_or(WordError::Surplus(word))?;
            drop(ranges);
            return self.set_aside(range, word);
        }
        drop(ranges);
        let at = self.at.ok_or(WordError::Surplus(word))?;
        let kind = self.signature[at].kind;
        // `:freeze a, b` is the same as `:freeze a b`.
        if matches!(kind, ArgumentKind::Nodes | ArgumentKind::Names) && typed == "," {
            return Ok(());
        }
        self.given[at].push(word);
        if matches!(
            kind,
            ArgumentKind::Node
                | ArgumentKind::Number
                | ArgumentKind::Count
                | ArgumentKind::Topic
                | ArgumentKind::File
        ) {
            self.at = self.open();
        }
        Ok(())
    }

    /// Fails if the last keyword has no value.
    pub(crate) fn end(&self) -> Result<(), WordError> {
        match self.begun() {
            Some((begun, word)) => Err(WordError::Bare(begun, word)),
            None => Ok(()),
        }
    }

    /// May the keyword of this argument come next? Directly behind a keyword stands its value, whatever it is called, and
    /// behind an operator `log` is the function.
    pub(crate) fn may_begin(&self, text: &str, place: usize) -> bool {
        let is_possible = match self.last {
            None => !self.signature[place].late,
            Some(_) => self.is_behind_operand(text),
        };
        self.given[place].is_empty() && self.begun().is_none() && is_possible
    }

    /// What may come next, each of which the next word shows by its shape.
    pub(crate) fn next(&self, text: &str) -> Next {
        let free = |place: &usize| self.given[*place].is_empty();
        let all = || 0..self.signature.len();
        let argument = |place: usize| &self.signature[place];
        let needed = |place: &usize| argument(*place).needed && argument(*place).keyword.is_none();
        let is_complete = self.begun().is_none() && !all().filter(needed).any(|it| free(&it));
        let begins = |place: &usize| argument(*place).keyword.is_some();
        let keywords = all().filter(begins).filter(|&it| self.may_begin(text, it));
        Next {
            keywords: keywords.filter(|_| is_complete).map(argument).collect(),
            ranges: self
                .ranges()
                .filter(free)
                .filter(|_| is_complete)
                .map(argument)
                .collect(),
            file: self
                .file()
                .filter(|file| free(file) && self.begun().is_none())
                .map(argument),
            table: self.takes_table() && self.table.is_none() && self.begun().is_none(),
            follows: self.begun().is_none() && self.last.is_some() && self.is_behind_operand(text),
        }
    }

    /// May the answer be a table that goes into a file? Not if the command needs a file of its own.
    fn takes_table(&self) -> bool {
        self.file().is_none_or(|file| !self.signature[file].needed)
    }

    /// Gives a word of a shape of its own to an argument.
    fn set_aside(&mut self, place: usize, word: Span) -> Result<(), WordError> {
        if !self.given[place].is_empty() {
            return Err(WordError::Surplus(word));
        }
        self.given[place].push(word);
        self.close();
        Ok(())
    }

    /// Ends the open argument, if it has words.
    fn close(&mut self) {
        if self.at.is_none_or(|at| !self.given[at].is_empty()) {
            self.at = self.open();
        }
    }

    /// The first argument without a keyword that has no words yet.
    fn open(&self) -> Option<usize> {
        let is_open = |place: &usize| {
            let argument = &self.signature[*place];
            let by_shape = match argument.kind {
                ArgumentKind::Range => true,
                ArgumentKind::File => *place > 0,
                _ => false,
            };
            argument.keyword.is_none() && !by_shape && self.given[*place].is_empty()
        };
        (0..self.signature.len()).find(is_open)
    }

    /// The keyword that has no value yet.
    fn begun(&self) -> Option<(usize, Span)> {
        self.keyword
            .filter(|&(begun, _)| self.given[begun].is_empty())
    }

    fn file(&self) -> Option<usize> {
        let is_file = |argument: &Argument| argument.kind == ArgumentKind::File;
        self.signature.iter().position(is_file)
    }

    /// The ranges that are none of a keyword.
    fn ranges(&self) -> impl Iterator<Item = usize> {
        let is_range = |place: &usize| {
            let argument = &self.signature[*place];
            argument.kind == ArgumentKind::Range && argument.keyword.is_none()
        };
        (0..self.signature.len()).filter(is_range)
    }

    /// Is this word the file of the command? `L.T` may be meant as an attribute, so a word with an unknown ending is one
    /// only behind an operand.
    fn is_file(&self, file: usize, text: &str, word: Span) -> bool {
        let typed = word.of(text);
        let offers = self.signature[file].offers;
        let is_for_table = self.takes_table() && is_table_file(typed);
        let follows = self.last.is_some() && self.is_behind_operand(text);
        let is_quoted = syntax::strip_quotes(typed).is_some();
        let looks_so = is_path(typed) && (follows || is_quoted);
        // Behind the file, a quoted word may be the heading of a column.
        let is_name = is_quoted
            && !self.given[file].is_empty()
            && (self.at).is_some_and(|at| self.signature[at].kind == ArgumentKind::Names);
        offers.is_known_file(typed) || looks_so && !is_for_table && !is_name
    }

    /// Does the last word end an operand?
    fn is_behind_operand(&self, text: &str) -> bool {
        let is_operator = |word: Span| word.of(text).ends_with(|c| "+-*/^,=<>(~·×".contains(c));
        // A path, such as `-`, is none, whatever it ends with.
        let is_path = |word: Span| {
            self.file()
                .is_some_and(|file| self.given[file].contains(&word))
        };
        self.last
            .is_none_or(|word| is_path(word) || !is_operator(word))
    }

    /// The argument and the value of `size=800x400`, the same as `size 800x400`, and of `up=0..1`. With `size=0..1`
    /// something of that name moves.
    fn assigned(&self, text: &str, word: Span) -> Option<(usize, Span)> {
        let (key, value) = syntax::key_value(text, word)?;
        let begun = self.signature.iter().position(|argument| {
            let is_one = match argument.kind {
                ArgumentKind::Topic => !is_range(value.of(text)),
                ArgumentKind::Range => true,
                _ => false,
            };
            is_one && argument.keyword == Some(key.of(text))
        })?;
        Some((begun, value))
    }
}

//! Assigns the words of a command to its arguments by their shape, for running the command and for completion.
//!
//! A file is quoted or has a known ending, a range has `..` or says what moves, `x=`, and a keyword begins its argument.
//! Any other word goes to the open argument. After a word with one of these shapes the open argument is the first one
//! without a keyword that has no words yet. Running a command passes all words, completion those before the cursor.

use super::paths::is_path;
use super::range::is_range;
use super::suggestions::has_ending;
use super::{Argument, ArgumentKind};
use crate::commands::Command;
use chainrule_language as language;
use chainrule_language::Span;
use chainrule_report::TABLE_ENDINGS;

/// The state of assigning words.
#[derive(Debug)]
pub(crate) struct Assignment {
    command: &'static Command,
    /// The open argument, which gets the next word if that has no shape of its own.
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
    /// No argument is left for it.
    Surplus(Span),
    /// A keyword without a value: `:grad L wrt`.
    Bare(usize, Span),
}

/// The arguments that may come next besides the words of the open one.
pub(crate) struct Next {
    /// Those that begin with a keyword.
    pub keywords: Vec<&'static Argument>,
    pub ranges: Vec<&'static Argument>,
    /// The file of the command.
    pub file: Option<&'static Argument>,
    /// A file for the table of the answer.
    pub table: bool,
    /// Whether the last word ends an operand.
    pub follows: bool,
}

/// The words of a command. A range is one word, whatever blanks are in it: `x = -5 .. 5`.
pub(crate) fn words(command: &Command, text: &str, rest: Span) -> Vec<Span> {
    let words = language::words(text, rest);
    let is_range = |argument: &&Argument| argument.kind == ArgumentKind::Range;
    if !command.arguments.iter().any(is_range) {
        return words;
    }
    let is_open = |word: &str| {
        let compares = ["==", "<=", ">=", "!="].iter().any(|it| word.ends_with(it));
        word.ends_with("..") || word.ends_with('=') && !compares
    };
    let continues =
        |word: &str| word.starts_with("..") || word.starts_with('=') && !word.starts_with("==");
    let mut whole: Vec<Span> = Vec::with_capacity(words.len());
    for word in words {
        match whole.last_mut() {
            Some(last) if is_open(last.of(text)) || continues(word.of(text)) => {
                *last = last.to(word);
            }
            _ => whole.push(word),
        }
    }
    whole
}

impl Assignment {
    /// The state before the first word.
    pub(crate) fn new(command: &'static Command) -> Assignment {
        let mut assignment = Assignment {
            command,
            at: None,
            keyword: None,
            last: None,
            given: command.arguments.iter().map(|_| Vec::new()).collect(),
            table: None,
        };
        assignment.at = assignment.open_argument();
        assignment
    }

    /// Assigns the next word.
    pub(crate) fn take(&mut self, text: &str, word: Span) -> Result<(), WordError> {
        let assigned = self.assign(text, word);
        self.last = Some(word);
        assigned
    }

    fn assign(&mut self, text: &str, word: Span) -> Result<(), WordError> {
        let typed = word.of(text);
        // Directly after its keyword a word is the value, even if it looks like a file: `title "a.svg"`.
        if let Some((begun, _)) = self.pending_keyword()
            && let kind = self.command.arguments[begun].kind
            && matches!(kind, ArgumentKind::Word | ArgumentKind::Words)
        {
            self.given[begun].push(word);
            if kind == ArgumentKind::Word {
                self.at = self.open_argument();
            }
            return Ok(());
        }
        if let Some(file) = self.file().filter(|&file| self.is_file(file, text, word)) {
            return self.give_by_shape(file, word);
        }
        if self.takes_table() && has_ending(typed, &TABLE_ENDINGS) {
            self.close();
            return match self.table.replace(word) {
                None => Ok(()),
                Some(_) => Err(WordError::Surplus(word)),
            };
        }
        let keywords = self.command.arguments.iter();
        let mut begun = keywords.map(|argument| argument.keyword == Some(typed));
        if let Some(begun) = begun.position(|is_begun| is_begun)
            && self.may_begin(text, begun)
        {
            self.keyword = Some((begun, word));
            self.at = Some(begun);
            if self.command.arguments[begun].kind == ArgumentKind::Flag {
                self.given[begun].push(word);
                self.at = self.open_argument();
            }
            return Ok(());
        }
        if let Some((begun, value)) = self.keyword_value(text, word) {
            return self.give_by_shape(begun, value);
        }
        let begun = self.pending_keyword().map(|(begun, _)| begun);
        let is_range_of = |at: &usize| self.command.arguments[*at].kind == ArgumentKind::Range;
        let begun = begun.filter(is_range_of);
        let mut ranges = begun.into_iter().chain(self.ranges()).peekable();
        // `where p = 3` is no range.
        let relates = self
            .at
            .is_some_and(|at| self.command.arguments[at].kind == ArgumentKind::Relations);
        let is_setting = || !relates && language::key_value(text, word).is_some();
        if ranges.peek().is_some() && (is_range(typed) || is_setting()) {
            let free = ranges.find(|&range| self.given[range].is_empty());
            let range = free.ok_or(WordError::Surplus(word))?;
            drop(ranges);
            return self.give_by_shape(range, word);
        }
        drop(ranges);
        let at = self.at.ok_or(WordError::Surplus(word))?;
        let kind = self.command.arguments[at].kind;
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
                | ArgumentKind::Word
                | ArgumentKind::File
        ) {
            self.at = self.open_argument();
        }
        Ok(())
    }

    /// Fails if the last keyword has no value.
    pub(crate) fn check_end(&self) -> Result<(), WordError> {
        match self.pending_keyword() {
            Some((begun, word)) => Err(WordError::Bare(begun, word)),
            None => Ok(()),
        }
    }

    /// Whether the keyword of this argument may come next. It may not directly after another keyword, whose value stands
    /// there, or after an operator, where `log` is the function.
    pub(crate) fn may_begin(&self, text: &str, place: usize) -> bool {
        let is_possible = match self.last {
            None => !self.command.arguments[place].late,
            Some(_) => self.is_behind_operand(text),
        };
        self.given[place].is_empty() && self.pending_keyword().is_none() && is_possible
    }

    /// The arguments that may come next, and that a word shows by its shape.
    pub(crate) fn next(&self, text: &str) -> Next {
        let free = |place: &usize| self.given[*place].is_empty();
        let all = || 0..self.command.arguments.len();
        let argument = |place: usize| self.command.arguments[place];
        let needed = |place: &usize| argument(*place).needed && argument(*place).keyword.is_none();
        let is_complete =
            self.pending_keyword().is_none() && !all().filter(needed).any(|it| free(&it));
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
                .filter(|file| free(file) && self.pending_keyword().is_none())
                .map(argument),
            table: self.takes_table() && self.table.is_none() && self.pending_keyword().is_none(),
            follows: self.pending_keyword().is_none()
                && self.last.is_some()
                && self.is_behind_operand(text),
        }
    }

    /// Whether the answer may be a table that goes into a file. It may not if the command needs a file of its own.
    fn takes_table(&self) -> bool {
        self.file()
            .is_none_or(|file| !self.command.arguments[file].needed)
    }

    /// Gives a word with a shape of its own to an argument.
    fn give_by_shape(&mut self, place: usize, word: Span) -> Result<(), WordError> {
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
            self.at = self.open_argument();
        }
    }

    /// The first argument without a keyword that has no words yet.
    fn open_argument(&self) -> Option<usize> {
        let is_open = |place: &usize| {
            let argument = self.command.arguments[*place];
            let by_shape = match argument.kind {
                ArgumentKind::Range => true,
                ArgumentKind::File => *place > 0,
                _ => false,
            };
            argument.keyword.is_none() && !by_shape && self.given[*place].is_empty()
        };
        (0..self.command.arguments.len()).find(is_open)
    }

    /// The keyword that has no value yet.
    fn pending_keyword(&self) -> Option<(usize, Span)> {
        self.keyword
            .filter(|&(begun, _)| self.given[begun].is_empty())
    }

    fn file(&self) -> Option<usize> {
        let is_file = |argument: &&Argument| argument.kind == ArgumentKind::File;
        self.command.arguments.iter().position(is_file)
    }

    /// The ranges without a keyword.
    fn ranges(&self) -> impl Iterator<Item = usize> {
        let is_range = |place: &usize| {
            let argument = self.command.arguments[*place];
            argument.kind == ArgumentKind::Range && argument.keyword.is_none()
        };
        (0..self.command.arguments.len()).filter(is_range)
    }

    /// Whether this word is the file of the command. `L.T` may be meant as an attribute, so a word with an unknown ending is
    /// a file only after an operand.
    fn is_file(&self, file: usize, text: &str, word: Span) -> bool {
        let typed = word.of(text);
        let endings = self.command.arguments[file].endings;
        let is_for_table = self.takes_table() && has_ending(typed, &TABLE_ENDINGS);
        let follows = self.last.is_some() && self.is_behind_operand(text);
        let is_quoted = language::strip_quotes(typed).is_some();
        let looks_so = is_path(typed) && (follows || is_quoted);
        // After the file, a quoted word may be the heading of a column.
        let open = self.at.map(|at| self.command.arguments[at].kind);
        let is_name = is_quoted
            && (open == Some(ArgumentKind::Words)
                || open == Some(ArgumentKind::Names) && !self.given[file].is_empty());
        has_ending(typed, endings) || looks_so && !is_for_table && !is_name
    }

    /// Whether the last word ends an operand.
    fn is_behind_operand(&self, text: &str) -> bool {
        let is_operator = |word: Span| word.of(text).ends_with(|c| "+-*/^,=<>(~·×".contains(c));
        // A path, such as `-`, is not an operator.
        let is_path = |word: Span| {
            self.file()
                .is_some_and(|file| self.given[file].contains(&word))
        };
        self.last
            .is_none_or(|word| is_path(word) || !is_operator(word))
    }

    /// The argument and the value of `size=800x400`, which means `size 800x400`, of `momentum=0.9` and of `up=0..1`. But
    /// `size=0..1` is a range along which a leaf `size` moves.
    fn keyword_value(&self, text: &str, word: Span) -> Option<(usize, Span)> {
        let (key, value) = language::key_value(text, word)?;
        let begun = self.command.arguments.iter().position(|argument| {
            let is_one = match argument.kind {
                ArgumentKind::Word => !is_range(value.of(text)),
                ArgumentKind::Range | ArgumentKind::Number => true,
                _ => false,
            };
            is_one && argument.keyword == Some(key.of(text))
        })?;
        Some((begun, value))
    }
}

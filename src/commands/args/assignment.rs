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
    pub can_be_table: bool,
    /// Whether the last word ends an operand.
    pub is_after_operand: bool,
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
        use ArgumentKind::{Count, File, Node, Number, Word};
        let typed = word.of(text);
        // Directly after its keyword a word is the value, even if it looks like a file: `title "a.svg"`.
        if let Some((begun, _)) = self.pending_keyword()
            && let kind = self.kind(begun)
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
        let begun = self.places(|it| it.keyword == Some(typed)).next();
        if let Some(begun) = begun
            && self.may_begin(text, begun)
        {
            self.keyword = Some((begun, word));
            self.at = Some(begun);
            if self.kind(begun) == ArgumentKind::Flag {
                self.given[begun].push(word);
                self.at = self.open_argument();
            }
            return Ok(());
        }
        if let Some((begun, value)) = self.keyword_value(text, word) {
            return self.give_by_shape(begun, value);
        }
        let begun = self.pending_keyword().map(|(begun, _)| begun);
        let begun = begun.filter(|&begun| self.kind(begun) == ArgumentKind::Range);
        let ranges: Vec<usize> = begun.into_iter().chain(self.ranges()).collect();
        let open = self.at.map(|at| self.kind(at));
        // `where p = 3` is no range.
        let relates = open == Some(ArgumentKind::Relations);
        let is_setting = || !relates && language::key_value(text, word).is_some();
        if !ranges.is_empty() && (is_range(typed) || is_setting()) {
            let is_free = |range: &usize| self.given[*range].is_empty();
            let free = ranges.into_iter().find(is_free);
            return self.give_by_shape(free.ok_or(WordError::Surplus(word))?, word);
        }
        let at = self.at.ok_or(WordError::Surplus(word))?;
        let kind = self.kind(at);
        // `:freeze a, b` is the same as `:freeze a b`.
        if matches!(kind, ArgumentKind::Nodes | ArgumentKind::Names) && typed == "," {
            return Ok(());
        }
        self.given[at].push(word);
        if matches!(kind, Node | Number | Count | Word | File) {
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
            None => !self.command.arguments[place].must_follow_operand,
            Some(_) => self.is_after_operand(text),
        };
        self.given[place].is_empty() && self.pending_keyword().is_none() && is_possible
    }

    /// The arguments that may come next, and that a word shows by its shape.
    pub(crate) fn next(&self, text: &str) -> Next {
        let is_free = |place: &usize| self.given[*place].is_empty();
        let argument = |place: usize| self.command.arguments[place];
        let is_pending = self.pending_keyword().is_some();
        let mut needed = self.places(|it| it.is_required && it.keyword.is_none());
        let is_complete = !is_pending && !needed.any(|place| is_free(&place));
        let keywords = self.places(|it| is_complete && it.keyword.is_some());
        let keywords = keywords.filter(|&place| self.may_begin(text, place));
        let ranges = self.ranges().filter(|it| is_complete && is_free(it));
        let file = self.file().filter(|file| !is_pending && is_free(file));
        Next {
            keywords: keywords.map(argument).collect(),
            ranges: ranges.map(argument).collect(),
            file: file.map(argument),
            can_be_table: !is_pending && self.takes_table() && self.table.is_none(),
            is_after_operand: !is_pending && self.last.is_some() && self.is_after_operand(text),
        }
    }

    /// Whether the answer may be a table that goes into a file. It may not if the command needs a file of its own.
    fn takes_table(&self) -> bool {
        let file = self.file().map(|file| self.command.arguments[file]);
        file.is_none_or(|file| !file.is_required)
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

    /// The first argument without a keyword that has no words yet, and gets words of any shape.
    fn open_argument(&self) -> Option<usize> {
        let mut plain = self.places(|it| it.keyword.is_none() && it.kind != ArgumentKind::Range);
        plain.find(|&place| {
            let by_shape = place > 0 && self.kind(place) == ArgumentKind::File;
            !by_shape && self.given[place].is_empty()
        })
    }

    /// The keyword that has no value yet.
    fn pending_keyword(&self) -> Option<(usize, Span)> {
        self.keyword
            .filter(|&(begun, _)| self.given[begun].is_empty())
    }

    fn kind(&self, place: usize) -> ArgumentKind {
        self.command.arguments[place].kind
    }

    /// The places of the arguments that satisfy a condition.
    fn places(&self, holds: impl Fn(&Argument) -> bool) -> impl Iterator<Item = usize> {
        let all = self.command.arguments.iter().enumerate();
        all.filter_map(move |(place, argument)| holds(argument).then_some(place))
    }

    fn file(&self) -> Option<usize> {
        self.places(|it| it.kind == ArgumentKind::File).next()
    }

    /// The ranges without a keyword.
    fn ranges(&self) -> impl Iterator<Item = usize> {
        self.places(|it| it.kind == ArgumentKind::Range && it.keyword.is_none())
    }

    /// Whether this word is the file of the command. `L.T` may be meant as an attribute, so a word with an unknown ending is
    /// a file only after an operand.
    fn is_file(&self, file: usize, text: &str, word: Span) -> bool {
        let typed = word.of(text);
        let endings = self.command.arguments[file].endings;
        let is_for_table = self.takes_table() && has_ending(typed, &TABLE_ENDINGS);
        let follows = self.last.is_some() && self.is_after_operand(text);
        let is_quoted = language::strip_quotes(typed).is_some();
        let looks_so = is_path(typed) && (follows || is_quoted);
        // After the file, a quoted word may be the heading of a column.
        let open = self.at.map(|at| self.kind(at));
        let is_name = is_quoted
            && (open == Some(ArgumentKind::Words)
                || open == Some(ArgumentKind::Names) && !self.given[file].is_empty());
        has_ending(typed, endings) || looks_so && !is_for_table && !is_name
    }

    /// Whether the last word ends an operand.
    fn is_after_operand(&self, text: &str) -> bool {
        let is_operator = |word: Span| word.of(text).ends_with(|c| "+-*/^,=<>(~·×".contains(c));
        // A path, such as `-`, is not an operator.
        let file = self.file();
        let is_path = |word: Span| file.is_some_and(|file| self.given[file].contains(&word));
        let last = self.last.filter(|&last| !is_path(last));
        last.is_none_or(|last| !is_operator(last))
    }

    /// The argument and the value of `size=800x400`, which means `size 800x400`, of `momentum=0.9` and of `up=0..1`. But
    /// `size=0..1` is a range along which a leaf `size` moves.
    fn keyword_value(&self, text: &str, word: Span) -> Option<(usize, Span)> {
        let (key, value) = language::key_value(text, word)?;
        let mut begun = self.places(|argument| {
            let is_one = match argument.kind {
                ArgumentKind::Word => !is_range(value.of(text)),
                ArgumentKind::Range | ArgumentKind::Number => true,
                _ => false,
            };
            is_one && argument.keyword == Some(key.of(text))
        });
        Some((begun.next()?, value))
    }
}

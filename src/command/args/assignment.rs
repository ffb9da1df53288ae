//! Assigns the words of a command to its arguments by the shape of each word, for running the command and for completion.
//!
//! A file is quoted or has a known ending, a range has `..` or begins as `x=`, and a keyword begins its argument.
//! Any other word goes to the open argument. After a file, a range or a complete argument, the first argument without a
//! keyword and without words is open. To run a command, all its words are assigned; completion assigns the words before
//! the cursor.

use super::paths::{is_other_picture, is_path};
use super::range::is_range;
use super::suggestions::has_ending;
use super::{Argument, ArgumentKind};
use crate::command::Command;
use chainrule_language::{self as language, Span};
use chainrule_report::TABLE_ENDINGS;

/// The state of assigning words.
#[derive(Debug)]
pub(crate) struct Assignment {
    command: &'static Command,
    /// The index of the open argument, which gets the next word if the word has no shape of its own.
    pub open: Option<usize>,
    /// The last keyword, with the index of the argument that it begins.
    keyword: Option<(usize, Span)>,
    /// The last word.
    last: Option<Span>,
    /// The words of each argument. If its keyword is typed again, the keyword stands between its words.
    pub given: Vec<Vec<Span>>,
    /// The file into which the table of the answer goes.
    pub table: Option<Span>,
}

/// The arguments that may come next besides the words of the open one.
pub(crate) struct Next {
    /// The arguments that begin with a keyword.
    pub keywords: Vec<&'static Argument>,
    pub ranges: Vec<&'static Argument>,
    /// The file of the command.
    pub file: Option<&'static Argument>,
    /// Whether a file for the table of the answer may come next.
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
    // A range begins as `x=` or `-5..`, and `=-5..5` and `..5` go on with it.
    let is_comparison = |it: &str| {
        ["==", "<=", ">=", "!="]
            .iter()
            .any(|sign| it.ends_with(sign))
    };
    let begins = |it: &str| it.ends_with("..") || it.ends_with('=') && !is_comparison(it);
    let goes_on = |it: &str| it.starts_with("..") || it.starts_with('=') && !it.starts_with("==");
    let mut whole: Vec<Span> = Vec::with_capacity(words.len());
    for word in words {
        match whole.last_mut() {
            Some(last) if begins(last.of(text)) || goes_on(word.of(text)) => {
                *last = last.to(word);
            }
            _ => whole.push(word),
        }
    }
    whole
}

impl Assignment {
    /// Begins before the first word.
    pub(crate) fn new(command: &'static Command) -> Assignment {
        let mut assignment = Assignment {
            command,
            open: None,
            keyword: None,
            last: None,
            given: command.arguments.iter().map(|_| Vec::new()).collect(),
            table: None,
        };
        assignment.open = assignment.next_open();
        assignment
    }

    /// Assigns the next word. The error is a word that no argument takes.
    pub(crate) fn take(&mut self, text: &str, word: Span) -> Result<(), Span> {
        let result = self.assign(text, word);
        self.last = Some(word);
        result
    }

    /// Assigns a word to the argument that its shape selects: a value after its keyword, a file, a table, a keyword,
    /// `keyword=value`, or a range. The first shape in this order counts. Any other word goes to the open argument.
    fn assign(&mut self, text: &str, word: Span) -> Result<(), Span> {
        let typed = word.of(text);
        let pending = self.pending_keyword().map(|(place, _)| place);
        // Directly after a keyword, a word is the value of the keyword, even if it looks like a file: `title "a.svg"`.
        if let Some(place) = pending
            && matches!(self.kind(place), ArgumentKind::Word | ArgumentKind::Words)
        {
            self.give(place, word);
            return Ok(());
        }
        if let Some(file) = self.file().filter(|&file| self.is_file(file, text, word)) {
            return self.give_by_shape(file, word);
        }
        if self.takes_table() && has_ending(typed, &TABLE_ENDINGS) {
            self.close();
            return match self.table.replace(word) {
                None => Ok(()),
                Some(_) => Err(word),
            };
        }
        let keyword = self.places(|it| it.keyword == Some(typed)).next();
        if let Some(place) = keyword.filter(|&place| self.may_begin(text, place)) {
            self.keyword = Some((place, word));
            self.open = Some(place);
            if self.kind(place) == ArgumentKind::Flag || !self.given[place].is_empty() {
                self.give(place, word);
            }
            return Ok(());
        }
        if let Some((place, value)) = self.keyword_value(text, word) {
            return self.give_by_shape(place, value);
        }
        let pending_range = pending.filter(|&place| self.kind(place) == ArgumentKind::Range);
        let mut ranges: Vec<usize> = pending_range.into_iter().chain(self.ranges()).collect();
        // If no equation is expected, `x=3` is a range, too.
        let expects_equation =
            (self.open).is_some_and(|open| self.kind(open) == ArgumentKind::Relations);
        let is_equation = !expects_equation && language::key_value(text, word).is_some();
        if !ranges.is_empty() && (is_range(typed) || is_equation) {
            ranges.retain(|&range| self.given[range].is_empty());
            let free = ranges.first().ok_or(word)?;
            return self.give_by_shape(*free, word);
        }
        let open = self.open.ok_or(word)?;
        // `:freeze a, b` is the same as `:freeze a b`, and `wrt a wrt b` as `wrt a b`.
        let is_repeated = pending.is_none() && keyword == Some(open);
        let has_many = matches!(self.kind(open), ArgumentKind::Nodes | ArgumentKind::Names);
        if has_many && (typed == "," || is_repeated) {
            return Ok(());
        }
        self.give(open, word);
        Ok(())
    }

    /// Whether the keyword of this argument may come next. A word directly after another keyword is its value, and `log`
    /// after an operator is the function.
    fn may_begin(&self, text: &str, place: usize) -> bool {
        let is_possible = match self.last {
            None => !self.command.arguments[place].must_follow_operand,
            Some(_) => self.is_after_operand(text),
        };
        let is_free = self.given[place].is_empty() || self.kind(place) == ArgumentKind::Expressions;
        is_free && self.pending_keyword().is_none() && is_possible
    }

    /// The arguments that may come next, and that a word selects by its shape.
    pub(crate) fn next(&self, text: &str) -> Next {
        let is_free = |place: &usize| self.given[*place].is_empty();
        let argument = |place: usize| self.command.arguments[place];
        let is_pending = self.pending_keyword().is_some();
        let mut needed = self.places(|it| it.is_required && it.keyword.is_none());
        let is_complete = !is_pending && !needed.any(|place| is_free(&place));
        let with_keyword = self.places(|it| is_complete && it.keyword.is_some());
        let keywords = with_keyword.filter(|&place| self.may_begin(text, place));
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

    /// Whether the answer may be a table that goes into a file. The answer of a command that needs a file of its own may
    /// not.
    fn takes_table(&self) -> bool {
        let file = self.file().map(|file| self.command.arguments[file]);
        file.is_none_or(|file| !file.is_required)
    }

    /// Gives a word to an argument, and closes the argument if it takes a single word.
    fn give(&mut self, place: usize, word: Span) {
        use ArgumentKind::{Count, File, Flag, Node, Number, Word};
        self.given[place].push(word);
        if matches!(self.kind(place), Node | Number | Count | Word | File | Flag) {
            self.open = self.next_open();
        }
    }

    /// Gives a word with a shape of its own to an argument.
    fn give_by_shape(&mut self, place: usize, word: Span) -> Result<(), Span> {
        if !self.given[place].is_empty() {
            return Err(word);
        }
        self.given[place].push(word);
        self.close();
        Ok(())
    }

    /// Closes the open argument, if it has words.
    fn close(&mut self) {
        if self.open.is_none_or(|open| !self.given[open].is_empty()) {
            self.open = self.next_open();
        }
    }

    /// The first argument that has neither a keyword nor words and takes words of any shape. A file takes words of any
    /// shape only if it is the first argument of the command.
    fn next_open(&self) -> Option<usize> {
        let mut plain = self.places(|it| it.keyword.is_none() && it.kind != ArgumentKind::Range);
        plain.find(|&place| {
            let needs_shape = place > 0 && self.kind(place) == ArgumentKind::File;
            !needs_shape && self.given[place].is_empty()
        })
    }

    /// The keyword that has no value yet, with the index of its argument.
    pub(super) fn pending_keyword(&self) -> Option<(usize, Span)> {
        let has_value = |place: usize, word| {
            let last = self.given[place].last();
            last.is_some() && (last != Some(&word) || self.kind(place) == ArgumentKind::Flag)
        };
        self.keyword
            .filter(|&(place, word)| !has_value(place, word))
    }

    fn kind(&self, place: usize) -> ArgumentKind {
        self.command.arguments[place].kind
    }

    /// The indices of the arguments that satisfy a condition.
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

    /// Whether a word is the file of the command. `L.T` may be meant as an attribute, so a word with an unknown ending is
    /// a file only after an operand.
    fn is_file(&self, file: usize, text: &str, word: Span) -> bool {
        let typed = word.of(text);
        let endings = self.command.arguments[file].endings;
        if has_ending(typed, endings) || is_other_picture(typed, endings) {
            return true;
        }
        let is_quoted = language::strip_quotes(typed).is_some();
        let is_after_operand = self.last.is_some() && self.is_after_operand(text);
        let is_for_table = self.takes_table() && has_ending(typed, &TABLE_ENDINGS);
        // A quoted word may be the heading of a column.
        let is_heading = match self.open.map(|open| self.kind(open)) {
            Some(ArgumentKind::Words) => is_quoted,
            Some(ArgumentKind::Names) => is_quoted && !self.given[file].is_empty(),
            _ => false,
        };
        is_path(typed) && (is_quoted || is_after_operand) && !is_for_table && !is_heading
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
        let takes_value = |kind: ArgumentKind| match kind {
            ArgumentKind::Word => !is_range(value.of(text)),
            ArgumentKind::Range | ArgumentKind::Number => true,
            _ => false,
        };
        let mut places = self.places(|it| it.keyword == Some(key.of(text)) && takes_value(it.kind));
        Some((places.next()?, value))
    }
}

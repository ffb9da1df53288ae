//! Completes a command: its name, then its arguments by its signature.
//!
//! The same code splits the words and assigns them to arguments as when the command runs, so that a command needs no code
//! of its own here; only the ranges of `:fit` are an exception.

use super::cursor::CursorPlace;
use super::{CandidateList, Completions, CursorSpot, Files, NameOrder, at_statement, operands};
use crate::command::Command;
use crate::command::args::assignment::{self, Assignment, Next};
use crate::command::args::suggestions::{Offers, Word};
use crate::command::args::{Argument, ArgumentKind, NodeCondition};
use crate::commands::{self, COMMANDS};
use chainrule_language::{self as language, Span, TextPart};
use chainrule_report::{TABLE_ENDINGS, say};
use chainrule_session::Session;

/// The completions in the command with these tokens.
pub(super) fn completions(spot: CursorSpot, parts: &[(TextPart, Span)]) -> Completions {
    let begin = parts[0].1.end as usize;
    let is_end = |c: char| c.is_whitespace() || matches!(c, '(' | '[');
    let Some(length) = spot.text[begin..].find(is_end) else {
        return command_names(spot, begin);
    };
    let end = begin + length;
    match commands::find(&spot.text[begin..end]) {
        Ok(command) => arguments(spot, command, end, parts),
        Err(_) => CandidateList::new(spot, spot.text.len()).into(),
    }
}

/// The names of commands, and those aliases that the typed word begins.
fn command_names(spot: CursorSpot, start: usize) -> Completions {
    let mut found = CandidateList::new(spot, start);
    for command in COMMANDS {
        let mut words = vec![command.name];
        // An alias adds nothing if the name itself matches.
        if !command.name.starts_with(found.word) {
            words.extend(command.aliases.iter().filter(|alias| alias.len() > 1));
        }
        let needs_blank = !command.arguments.is_empty() && !spot.rest.starts_with(' ');
        let blank = if needs_blank { " " } else { "" };
        for word in words {
            found.offer(word, blank, || {
                (format!(":{word}"), say!("{}", command.summary))
            });
        }
    }
    found.into()
}

/// A command line up to the cursor.
struct TypedCommand<'s> {
    spot: CursorSpot<'s>,
    command: &'static Command,
    parts: &'s [(TextPart, Span)],
    /// The words before the current one, assigned to their arguments.
    assigned: Assignment,
    /// The word at the cursor, possibly empty.
    current: Span,
}

/// The completions of the arguments. `begin` is the end of the command's name.
fn arguments(
    spot: CursorSpot,
    command: &'static Command,
    begin: usize,
    parts: &[(TextPart, Span)],
) -> Completions {
    let (words, current) = split_words(command, spot.text, begin);
    let mut typed = TypedCommand {
        spot,
        command,
        parts,
        assigned: Assignment::new(command),
        current,
    };
    if command.takes_rest() {
        return at_statement(spot, typed.parts_from(begin));
    }
    for word in words {
        if typed.assigned.take(spot.text, word).is_err() {
            return typed.no_candidates().into();
        }
    }
    let next = typed.assigned.next(spot.text);
    let endings = typed.file_endings(&next);
    let can_be_file = !endings.is_empty();
    // After a complete operand, a path is a file and not the next part of an expression.
    let is_file = can_be_file && next.is_after_operand && typed.is_path();
    let mut found = match typed.assigned.open {
        Some(at) if !is_file => typed.argument(at),
        _ => typed.no_candidates(),
    };
    let is_within_expression = found.start != current.start as usize;
    if is_within_expression || typed.continues_operand(&next, can_be_file) {
        return found.into();
    }
    typed.add_keywords(&mut found, &next);
    let word = typed.word();
    let path = word.trim_start_matches(['"', '\'']);
    // A path in place of an operand is no file if it has other candidates.
    let is_operand = typed.is_path() && !next.is_after_operand && !found.is_empty();
    Completions {
        files: (can_be_file && !is_operand).then_some(Files {
            typed: path.to_owned(),
            quote: word.chars().next().filter(|_| path != word),
            endings,
        }),
        ..found.into()
    }
}

impl<'s> TypedCommand<'s> {
    /// The tokens from a position on.
    fn parts_from(&self, begin: usize) -> &'s [(TextPart, Span)] {
        let is_before = |(_, span): &(TextPart, Span)| (span.start as usize) < begin;
        &self.parts[self.parts.partition_point(is_before)..]
    }

    /// The word at the cursor.
    fn word(&self) -> &'s str {
        &self.spot.text[self.current.start as usize..]
    }

    /// Whether the word at the cursor looks like a path.
    fn is_path(&self) -> bool {
        self.word().contains(['/', '.', '~', '"', '\''])
    }

    fn texts(&self, words: &[Span]) -> Vec<&'s str> {
        words.iter().map(|word| word.of(self.spot.text)).collect()
    }

    fn no_candidates(&self) -> CandidateList<'s> {
        CandidateList::new(self.spot, self.current.start as usize)
    }

    /// The endings of the file that the word at the cursor may be. Empty if it cannot be a file.
    fn file_endings(&self, next: &Next) -> &'static [&'static str] {
        let is_file_open = (self.assigned.open)
            .is_some_and(|at| self.command.arguments[at].kind == ArgumentKind::File);
        match next.file {
            Some(file) if next.is_after_operand || self.is_path() || is_file_open => file.endings,
            None if next.can_be_table && self.is_path() => &TABLE_ENDINGS,
            _ => &[],
        }
    }

    /// Whether the word at the cursor can only go on with an expression: it begins with an operator behind an operand, or
    /// with a `/` where no file is possible.
    fn continues_operand(&self, next: &Next, can_be_file: bool) -> bool {
        match self.word().chars().next() {
            Some('/') => !can_be_file,
            Some(first) => next.is_after_operand && "+-*^%<>=!.".contains(first),
            None => false,
        }
    }

    /// The completions of the argument with this index.
    fn argument(&self, at: usize) -> CandidateList<'s> {
        let argument = &self.command.arguments[at];
        let given = &self.assigned.given[at];
        let begin = self.current.start as usize;
        let offers = self.command.offers(argument);
        if let Offers::Words(words) = offers {
            return self.fixed_words(argument, words);
        }
        match argument.kind {
            ArgumentKind::File => self.no_candidates(),
            ArgumentKind::Names => {
                let mut found = self.names(&self.texts(given), Offers::Usual);
                operands::fill_functions_to_forget(&mut found);
                found
            }
            ArgumentKind::Node | ArgumentKind::Nodes => self.node(&self.texts(given), offers),
            ArgumentKind::Settings => self.setting(given),
            ArgumentKind::Relations => {
                let side = self.words_behind(given, &[",", "=", "<=", ">="]);
                let first = side.first().unwrap_or(&self.current);
                self.expression(first.start as usize, NameOrder::Defined)
            }
            ArgumentKind::Correlations => {
                let pair = self.words_behind(given, &[","]);
                self.node(&self.texts(pair), Offers::LEAVES)
            }
            ArgumentKind::Expression | ArgumentKind::Expressions | ArgumentKind::Model => {
                self.whole_expression(argument, given)
            }
            _ if self.word().is_empty() => self.no_candidates(),
            _ => self.expression(begin, NameOrder::Defined),
        }
    }

    /// The completions of an expression that may have blanks. The left side of a model is followed by `~`.
    fn whole_expression(&self, argument: &Argument, given: &[Span]) -> CandidateList<'s> {
        let order = match argument.keyword {
            None | Some("of") => NameOrder::RootsFirst,
            Some(_) => NameOrder::Defined,
        };
        let first = given.first().unwrap_or(&self.current);
        let mut found = self.expression(first.start as usize, order);
        let has_sides = self.texts(given).iter().any(|word| word.contains('~'));
        let is_after_operand = self.assigned.next(self.spot.text).is_after_operand;
        if argument.kind == ArgumentKind::Model && is_after_operand && !has_sides {
            found.offer("~", " ", || ("~ MODEL".to_owned(), say!("keyword")));
        }
        found
    }

    /// Adds keywords and the beginnings of ranges.
    fn add_keywords(&self, found: &mut CandidateList<'s>, next: &Next) {
        let ranges = next.ranges.iter().filter(|_| next.is_after_operand);
        let mut can_be_leaf = false;
        for range in ranges {
            let variable = range.name.split('=').next().unwrap_or_default();
            if range.condition == NodeCondition::Leaf {
                can_be_leaf = true;
            } else {
                found.offer(variable, "=", || (range.name.to_owned(), say!("keyword")));
            }
        }
        if can_be_leaf {
            operands::fill_ranges(found);
        }
        for argument in &next.keywords {
            let end = match argument.kind {
                ArgumentKind::Range => "=",
                ArgumentKind::Flag => "",
                _ if self.spot.rest.starts_with(' ') => "",
                _ => " ",
            };
            found.offer(argument.keyword.unwrap_or_default(), end, || {
                let usage = argument.usage.trim_matches(['[', ']']);
                (usage.to_owned(), say!("keyword"))
            });
        }
    }

    /// Candidates within an expression that begins here.
    fn expression(&self, begin: usize, order: NameOrder) -> CandidateList<'s> {
        let (spot, parts) = (self.spot, self.parts_from(begin));
        let mut found = self.no_candidates();
        let (place, start) = CursorPlace::of(spot.text, parts);
        if place != CursorPlace::Elsewhere {
            found = CandidateList::new(spot, start);
        }
        super::fill(&mut found, parts, place, order);
        found
    }

    /// The names of values, except those in `given`.
    fn names(&self, given: &[&str], offers: Offers) -> CandidateList<'s> {
        let mut found = self.no_candidates();
        operands::fill_names(&mut found, NameOrder::Defined, given, offers);
        found
    }

    /// The completions of a node: names, or an expression that leads to an unnamed node.
    fn node(&self, given: &[&str], offers: Offers) -> CandidateList<'s> {
        let begin = self.current.start as usize;
        match CursorPlace::of(self.spot.text, self.parts_from(begin)) {
            (CursorPlace::Operand, start) if start == begin => self.names(given, offers),
            _ => self.expression(begin, NameOrder::Defined),
        }
    }

    /// The completions in `a 3, b = a/2`: a leaf, then its new value.
    fn setting(&self, given: &[Span]) -> CandidateList<'s> {
        let Some((_leaf, words)) = self.words_behind(given, &[","]).split_first() else {
            return self.node(&self.texts(given), Offers::LEAVES);
        };
        let is_value = |word: &&Span| word.of(self.spot.text) != "=";
        let value = words.iter().find(is_value).unwrap_or(&self.current);
        self.expression(value.start as usize, NameOrder::Defined)
    }

    /// The words after the last separator.
    fn words_behind<'w>(&self, words: &'w [Span], separators: &[&str]) -> &'w [Span] {
        let separates = |word: &Span| separators.contains(&word.of(self.spot.text));
        let last = words.iter().rposition(separates);
        &words[last.map_or(0, |last| last + 1)..]
    }

    /// The completions of an argument with a fixed list of words.
    fn fixed_words(
        &self,
        argument: &Argument,
        words: fn(&Session, &[&str]) -> Vec<Word>,
    ) -> CandidateList<'s> {
        // Commands may be written with their colon, as in `:help :grad`.
        let colon = usize::from(self.word().starts_with(':'));
        let mut found = CandidateList::new(self.spot, self.current.start as usize + colon);
        let spans = self.assigned.given.iter();
        let given: Vec<&str> = spans.flat_map(|group| self.texts(group)).collect();
        for word in words(self.spot.session, &given) {
            let is_given = argument.kind == ArgumentKind::Names && given.contains(&&*word.text);
            let is_early = word.is_offered_by_letter && found.word.is_empty();
            if !is_given && !is_early {
                found.offer_word(&word.text, || word.about.clone());
            }
        }
        found
    }
}

/// The complete words before the cursor, and the word at the cursor.
fn split_words(command: &Command, text: &str, begin: usize) -> (Vec<Span>, Span) {
    let end = text.len();
    if let Some(quote) = language::open_quote(&text[begin..]) {
        let quote = begin + quote;
        let before = assignment::words(command, text, Span::new(begin, quote));
        return (before, Span::new(quote, end));
    }
    let mut words = assignment::words(command, text, Span::new(begin, end));
    let last = words.pop_if(|last| last.end as usize == end && last.of(text) != ",");
    (words, last.unwrap_or(Span::new(end, end)))
}

//! Completion inside a command: its name, then for each argument what its signature allows.
//!
//! Words are split and assigned to arguments as when the command runs. No command is named here.

use super::gathering::CandidateList;
use super::place;
use super::place::CursorPlace;
use super::{Completions, CursorSpot, Files, at_statement, items, operands};
use crate::commands;
use crate::commands::args::split::Assignment;
use crate::commands::args::suggestions::Offers;
use crate::commands::args::{Argument, ArgumentKind};
use crate::commands::{COMMANDS, Command};
use crate::report::say;
use crate::syntax;
use crate::syntax::{Span, TextPart};

pub(super) fn completions(spot: CursorSpot, parts: &[(TextPart, Span)]) -> Completions {
    let begin = parts[0].1.end as usize;
    let named = parts.get(1).filter(|(part, _)| *part == TextPart::Name);
    let end = match named {
        Some((_, word)) if word.start as usize == begin => Some(word.end as usize),
        _ => spot.text[begin..]
            .find(char::is_whitespace)
            .map(|length| begin + length),
    };
    let Some(end) = end.filter(|&end| end < spot.text.len()) else {
        return words(spot, begin);
    };
    match commands::find(&spot.text[begin..end]) {
        Ok(command) => arguments(spot, command, end, parts),
        Err(_) => CandidateList::new(spot, spot.text.len()).into(),
    }
}

/// The names of commands, and those aliases that the typed word begins.
fn words(spot: CursorSpot, start: usize) -> Completions {
    let mut found = CandidateList::new(spot, start);
    for command in COMMANDS {
        let aliases = command.aliases.iter().copied();
        // An alias adds nothing if the name itself matches.
        let begun = !command.name.starts_with(found.word());
        let aliases = aliases.filter(|alias| begun && alias.len() > 1);
        let words: Vec<&str> = std::iter::once(command.name).chain(aliases).collect();
        let is_table = |argument: &Argument| matches!(argument.offers, Offers::Tables(_));
        let goes_on = !command.arguments.iter().all(is_table) && !spot.rest.starts_with(' ');
        let blank = if goes_on { " " } else { "" };
        for word in words {
            found.offer(word, blank, || {
                (format!(":{word}"), say!("{}", command.summary))
            });
        }
    }
    found.into()
}

/// A command line up to the cursor.
struct TypedArgument<'s> {
    spot: CursorSpot<'s>,
    parts: &'s [(TextPart, Span)],
    /// The words before the current one, assigned to their arguments.
    cutting: Assignment,
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
    let signature = command.arguments;
    let (words, current) = cut(spot.text, begin);
    let mut typed = TypedArgument {
        spot,
        parts,
        cutting: Assignment::new(signature),
        current,
    };
    if let [argument] = signature
        && argument.kind == ArgumentKind::Statement
    {
        return at_statement(spot, typed.from(begin));
    }
    if let Some(positions) = items::behind(spot, parts) {
        return positions.into();
    }
    let nothing = CandidateList::new(spot, current.start as usize);
    for word in words {
        if typed.cutting.take(spot.text, word).is_err() {
            return nothing.into();
        }
    }
    let at = typed.cutting.at;
    let (mut found, files, followed) = match at {
        Some(at) => {
            let (found, files, followed) = typed.argument(at, &signature[at]);
            let behind = || typed.table_behind(at, &signature[at]);
            (found, files.or_else(behind), followed)
        }
        None => (nothing, None, true),
    };
    // A keyword is offered at the start of a word, after all needed arguments that have none.
    let given = signature.iter().zip(&typed.cutting.given);
    let may_come = followed
        && found.start() == current.start as usize
        && typed.cutting.end().is_ok()
        && given.into_iter().all(|(argument, words)| {
            !argument.needed || argument.keyword.is_some() || !words.is_empty()
        });
    if may_come {
        typed.keywords(&mut found, signature);
    }
    Completions {
        files,
        ..found.into()
    }
}

impl<'s> TypedArgument<'s> {
    /// The tokens from a position on.
    fn from(&self, begin: usize) -> &'s [(TextPart, Span)] {
        let first = self
            .parts
            .iter()
            .position(|(_, span)| span.start as usize >= begin);
        first.map_or(&[], |first| &self.parts[first..])
    }

    fn word(&self) -> &'s str {
        &self.spot.text[self.current.start as usize..]
    }

    fn texts(&self, words: &[Span]) -> Vec<&'s str> {
        words.iter().map(|word| word.of(self.spot.text)).collect()
    }

    /// The completions of an argument, and whether a keyword is possible instead.
    fn argument(&self, at: usize, argument: &Argument) -> (CandidateList<'s>, Option<Files>, bool) {
        let given = &self.cutting.given[at];
        let spot = self.spot;
        let mut found = CandidateList::new(spot, self.current.start as usize);
        let mut files = None;
        match (argument.offers, argument.kind) {
            (Offers::Words(_), _) => found = self.own_words(argument),
            (offers @ (Offers::Files(_) | Offers::Tables(_) | Offers::WordsAndFiles(..)), _) => {
                found = self.own_words(argument);
                files = Some(wanted(self.word(), offers.endings()));
            }
            (_, ArgumentKind::Names) => {
                operands::fill_names(&mut found, spot, false, &self.texts(given), Offers::Usual);
                operands::fill_functions_to_forget(&mut found, spot);
            }
            (offers, ArgumentKind::Node | ArgumentKind::Nodes) => {
                found = self.node(&self.texts(given), offers);
                // A file may follow nodes behind a keyword, too.
                let file = self.cutting.file_to_come(spot.text);
                let file = file.filter(|_| argument.keyword.is_some() && !given.is_empty());
                files = file.map(|file| wanted(self.word(), file.offers.endings()));
            }
            (_, ArgumentKind::Settings) => found = self.setting(given),
            (_, ArgumentKind::Relations) => {
                let behind = self.behind(given, &[",", "=", "<=", ">="]);
                let first = behind.first().unwrap_or(&self.current);
                found = self.expression(first.start as usize, false);
            }
            (_, ArgumentKind::Correlations) => {
                found = self.node(&self.texts(self.behind(given, &[","])), Offers::LEAVES);
            }
            (_, ArgumentKind::Expression | ArgumentKind::Model) => {
                return self.expression_and_file(at, argument);
            }
            _ if self.word().is_empty() => self.range_behind(&mut found, at),
            _ => {
                found = self.expression(self.current.start as usize, false);
                self.range_behind(&mut found, at);
            }
        }
        (found, files, true)
    }

    /// The files for a table that may follow the words of this argument.
    fn table_behind(&self, at: usize, argument: &Argument) -> Option<Files> {
        use ArgumentKind::{Expression, File, Model};
        let place = self.cutting.table()?;
        let decided = matches!(argument.kind, Expression | Model | File);
        (!decided && !self.cutting.given[at].is_empty()).then(|| {
            let endings = self.cutting.argument(place).offers.endings();
            wanted(self.word(), endings)
        })
    }

    /// Candidates within an expression that begins here.
    fn expression(&self, begin: usize, roots: bool) -> CandidateList<'s> {
        let (spot, parts) = (self.spot, self.from(begin));
        let place = CursorPlace::of(spot.text, parts);
        let start = match place {
            CursorPlace::Behind | CursorPlace::Elsewhere => self.current.start as usize,
            _ => place.start(spot.text),
        };
        let mut found = CandidateList::new(spot, start);
        super::fill(&mut found, spot, parts, place, roots);
        found
    }

    /// Adds `k=`, which begins a range that may stand in place of this argument.
    fn range_behind(&self, found: &mut CandidateList<'s>, at: usize) {
        let next = self.cutting.following(at);
        let next = next.map(|next| self.cutting.argument(next));
        let range = next.filter(|next| next.kind == ArgumentKind::Range);
        if let Some((range, (variable, _))) =
            range.and_then(|range| Some((range, range.name.split_once('=')?)))
            && found.start() == self.current.start as usize
        {
            found.offer(variable, "=", || (range.name.to_owned(), say!("keyword")));
        }
    }

    /// The completions of a node: names, or an expression that leads to an unnamed node.
    fn node(&self, given: &[&str], offers: Offers) -> CandidateList<'s> {
        let begin = self.current.start as usize;
        match CursorPlace::of(self.spot.text, self.from(begin)) {
            CursorPlace::Operand { word, sign: None } if word.start == self.current.start => {
                let mut found = CandidateList::new(self.spot, begin);
                operands::fill_names(&mut found, self.spot, false, given, offers);
                found
            }
            _ => self.expression(begin, false),
        }
    }

    /// The completions in `a 3, b a/2`: a leaf, then its new value.
    fn setting(&self, given: &[Span]) -> CandidateList<'s> {
        let (spot, begin) = (self.spot, self.current.start as usize);
        let item = self.behind(given, &[","]);
        let before = &given[..given.len() - item.len()];
        let Some((leaf, value)) = item.split_first() else {
            return self.node(&self.texts(before), Offers::LEAVES);
        };
        let value = value
            .first()
            .filter(|word| word.of(spot.text) != "=")
            .or(value.get(1));
        let first = value.map_or(begin, |word| word.start as usize);
        let mut found = self.expression(first, false);
        let node = spot.session.names().get(leaf.of(spot.text));
        if let (Some(node), true, None) = (node, self.word().is_empty(), value) {
            let data = syntax::literal(node.data(), false);
            found.offer_word(&data, || say!("its present value"));
        }
        found
    }

    /// The words behind the last one that separates.
    fn behind<'w>(&self, words: &'w [Span], separators: &[&str]) -> &'w [Span] {
        let separates = |word: &Span| separators.contains(&word.of(self.spot.text));
        let last = words.iter().rposition(separates);
        &words[last.map_or(0, |last| last + 1)..]
    }

    /// The completions of an argument with a fixed list of words.
    fn own_words(&self, argument: &Argument) -> CandidateList<'s> {
        // Commands may be written with their colon, as in `:help :grad`.
        let colon = usize::from(self.word().starts_with(':'));
        let mut found = CandidateList::new(self.spot, self.current.start as usize + colon);
        let given: Vec<&str> = self
            .cutting
            .given
            .iter()
            .flat_map(|words| self.texts(words))
            .collect();
        for word in argument.offers.words(self.spot.session, &given) {
            let again = argument.kind == ArgumentKind::Names && given.contains(&&*word.text);
            let early = word.begun && found.word().is_empty();
            if !again && !early {
                found.offer_word(&word.text, || word.about.clone());
            }
        }
        found
    }

    /// The completions of an expression that a file name or keyword may follow. After a complete expression, a new word
    /// is one of those unless it begins with an operator.
    fn expression_and_file(
        &self,
        at: usize,
        argument: &Argument,
    ) -> (CandidateList<'s>, Option<Files>, bool) {
        let (spot, word) = (self.spot, self.word());
        let given = &self.cutting.given[at];
        let behind = || {
            std::iter::successors(self.cutting.following(at), |&next| {
                self.cutting.following(next)
            })
        };
        let ended = behind().map(|next| self.cutting.argument(next).offers.endings());
        let endings = ended.into_iter().flatten().collect::<Vec<_>>();
        let ranged = behind().any(|next| self.cutting.argument(next).kind == ArgumentKind::Range);
        let begin = self.current.start as usize;
        let first = given.first().map_or(begin, |first| first.start as usize);
        let before = self
            .parts
            .iter()
            .rfind(|(_, span)| (span.end as usize) <= begin);
        let complete = !given.is_empty()
            && before.is_some_and(|(part, span)| place::ends_operand(*part, span.of(spot.text)));
        let goes_on = match word.chars().next() {
            Some('/') => endings.is_empty(),
            Some(first) => "+-*^%<>=!.".contains(first),
            None => false,
        };
        let mut nothing = CandidateList::new(spot, begin);
        if complete && !goes_on {
            let files = (!endings.is_empty()).then(|| wanted(word, endings));
            if ranged {
                operands::fill_ranges(&mut nothing, spot);
                let names = behind().map(|next| self.cutting.argument(next).name);
                for name in names.filter(|name| name.starts_with("up=")) {
                    nothing.offer("up", "=", || (name.to_owned(), say!("keyword")));
                }
            }
            let has_model = || given.iter().any(|word| word.of(spot.text).contains('~'));
            if argument.kind == ArgumentKind::Model && !has_model() {
                nothing.offer("~", " ", || ("~ MODEL".to_owned(), say!("keyword")));
            }
            return (nothing, files, true);
        }
        let roots = argument.keyword.is_none_or(|keyword| keyword == "of");
        let found = self.expression(first, roots);
        let like_a_path = word.contains(['/', '.', '~', '"', '\'']);
        if found.is_empty() && like_a_path && !endings.is_empty() && given.is_empty() {
            return (nothing, Some(wanted(word, endings)), false);
        }
        (found, None, given.is_empty())
    }

    fn keywords(&self, found: &mut CandidateList<'s>, signature: &[Argument]) {
        for (place, argument) in signature.iter().enumerate() {
            let Some(keyword) = argument
                .keyword
                .filter(|_| self.cutting.may_begin(self.spot.text, place))
            else {
                continue;
            };
            let flag = argument.kind == ArgumentKind::Flag;
            let blank = if flag || self.spot.rest.starts_with(' ') {
                ""
            } else {
                " "
            };
            found.offer(keyword, blank, || {
                let usage = argument.usage();
                (usage.trim_matches(['[', ']']).to_owned(), say!("keyword"))
            });
        }
    }
}

/// The complete words before the cursor, and the word at the cursor.
fn cut(text: &str, begin: usize) -> (Vec<Span>, Span) {
    let end = text.len();
    if let Some(quote) = open_quote(text, begin) {
        let before = syntax::words(text, Span::new(begin, quote));
        return (before, Span::new(quote, end));
    }
    let mut words = syntax::words(text, Span::new(begin, end));
    let last = words.pop_if(|last| last.end as usize == end && last.of(text) != ",");
    (words, last.unwrap_or(Span::new(end, end)))
}

/// The position of a quote that is not closed.
fn open_quote(text: &str, begin: usize) -> Option<usize> {
    let mut open = None;
    let mut before = ' ';
    for (at, character) in text[begin..].char_indices() {
        match open {
            Some((_, quote)) if quote == character => open = None,
            None if matches!(character, '"' | '\'') && before.is_whitespace() => {
                open = Some((begin + at, character));
            }
            _ => {}
        }
        before = character;
    }
    open.map(|(at, _)| at)
}

fn wanted(word: &str, endings: Vec<&'static str>) -> Files {
    let quote = word
        .chars()
        .next()
        .filter(|first| matches!(first, '"' | '\''));
    Files {
        typed: quote
            .map_or(word, |quote| &word[quote.len_utf8()..])
            .to_owned(),
        quote,
        endings,
    }
}

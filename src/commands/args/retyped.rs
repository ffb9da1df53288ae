//! Lines to type: what the user typed, with some of its words replaced, left out, or put in the usual order.
//!
//! Errors suggest such lines, so that nothing that was typed has to be typed again.

use super::resolve::split_at_commas;
use super::{ArgumentKind, Arguments};
use crate::commands::COMMANDS;
use crate::syntax;
use crate::syntax::Span;

impl Arguments<'_> {
    /// The line with other text in place of some of its words, or of parts of a word. An empty text leaves them out.
    pub(crate) fn retyped(&self, changes: &[(Span, &str)]) -> String {
        let mut line = self.called();
        let mut done = None;
        for word in self.all_words() {
            let place = changes.iter().position(|(span, _)| {
                let is_in = span.start <= word.start && word.end <= span.end;
                is_in || word.start <= span.start && span.end <= word.end
            });
            let Some((span, text)) = place.map(|place| changes[place]) else {
                push(word.of(self.text), &mut line);
                continue;
            };
            if std::mem::replace(&mut done, place) == place {
                continue;
            }
            let before = Span::new(word.start as usize, span.start.max(word.start) as usize);
            let behind = Span::new(span.end.min(word.end) as usize, word.end as usize);
            let [before, behind] = [before, behind].map(|part| part.of(self.text));
            push(&format!("{before}{text}{behind}"), &mut line);
        }
        line
    }

    /// The line with some text behind the words of an argument, or behind the command if it has none.
    pub(crate) fn added(&self, name: &str, text: &str) -> String {
        if let Some(words) = self.stretch(name) {
            return self.retyped(&[(words, &format!("{} {text}", words.of(self.text)))]);
        }
        let rest = self.retyped(&[]).split_off(self.called().len());
        format!("{} {text}{rest}", self.called())
    }

    /// The line without an argument and its keyword.
    pub(crate) fn without(&self, name: &str) -> String {
        let mut left_out: Vec<Span> = self.words(name).to_vec();
        let words = self.all_words();
        let first = words.iter().position(|word| Some(word) == left_out.first());
        let argument = self.command.arguments.iter();
        let mut keywords = argument.filter(|argument| argument.name == name);
        let keyword = keywords.find_map(|argument| argument.keyword);
        let before = first.and_then(|first| words.get(first.checked_sub(1)?));
        left_out.extend(before.filter(|word| Some(word.of(self.text)) == keyword));
        self.leaving_out(left_out)
    }

    /// The line without a keyword that is there a second time, and without what belongs to it.
    pub(super) fn without_repeated(&self, keyword: Span, is_flag: bool) -> String {
        let behind = |word: &Span| word.start > keyword.start;
        let words = self.all_words();
        let own = words
            .into_iter()
            .filter(behind)
            .take_while(|word| !is_flag && self.keyword(*word).is_none() && !self.is_file(*word));
        self.leaving_out(own.chain([keyword]).collect())
    }

    fn leaving_out(&self, words: Vec<Span>) -> String {
        let changes: Vec<(Span, &str)> = words.into_iter().map(|word| (word, "")).collect();
        self.retyped(&changes)
    }

    /// The line with what it is about first, then ranges, the file, and the words of the command; none if that is the
    /// order in which it was typed, or if it would not be understood either.
    pub(super) fn in_order(&self) -> Option<String> {
        let first = self.command.arguments.first()?;
        if first.kind != ArgumentKind::Expression || first.keyword.is_some() {
            return None;
        }
        let words = self.all_words();
        let (mut body, mut ranges, mut files, mut flags, mut rest) =
            (vec![], vec![], vec![], vec![], vec![]);
        let mut at = &mut body;
        for &word in &words {
            match self.keyword(word) {
                Some(ArgumentKind::Flag) => {
                    flags.push(word);
                    at = &mut body;
                }
                Some(_) => {
                    rest.push(word);
                    at = &mut rest;
                }
                None if self.is_file(word) => files.push(word),
                None if super::range::is_range(word.of(self.text)) => ranges.push(word),
                None => at.push(word),
            }
        }
        let ordered = [body, ranges, files, flags, rest].concat();
        if ordered == words {
            return None;
        }
        let mut line = self.called();
        for word in &ordered {
            push(word.of(self.text), &mut line);
        }
        let name = Span::new(0, self.called().len());
        let rest = Span::new(name.end as usize, line.len());
        let again = Arguments::cut(self.command, &line, &line, (name, rest), false).ok()?;
        let parts = split_at_commas(&line, again.stretch(first.name)?);
        let is_read = |part: Span| syntax::expression(&line, part).is_ok();
        (parts.into_iter().all(is_read) && again.file("FILE").is_ok()).then_some(line)
    }

    /// What this word begins, if it is a keyword of the command.
    pub(super) fn keyword(&self, word: Span) -> Option<ArgumentKind> {
        let mut all = self.command.arguments.iter();
        let begun = all.find(|argument| argument.keyword == Some(word.of(self.text)));
        begun.map(|argument| argument.kind)
    }

    /// Is this a file with an ending that the command knows?
    pub(super) fn is_file(&self, word: Span) -> bool {
        let mut all = self.command.arguments.iter();
        let file = all.find(|argument| argument.kind == ArgumentKind::File);
        file.is_some_and(|file| file.offers.is_known_file(word.of(self.text)))
    }

    /// The command as it was typed.
    fn called(&self) -> String {
        self.word.of(self.text).to_string()
    }

    pub(super) fn all_words(&self) -> Vec<Span> {
        syntax::words(self.text, Span::new(self.word.end as usize, self.end()))
    }
}

/// A node as it is typed behind a command: in brackets if its name is a word of commands, too.
pub(crate) fn typed_node(label: &str) -> String {
    let mut all = COMMANDS.iter().flat_map(|command| command.arguments);
    if all.any(|argument| argument.keyword == Some(label)) {
        format!("({label})")
    } else {
        label.to_string()
    }
}

fn push(word: &str, line: &mut String) {
    if !word.is_empty() && word != "," {
        line.push(' ');
    }
    line.push_str(word);
}

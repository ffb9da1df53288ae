//! A line that is not the calculator's, and the matcher: whether it looks like a row of the table.
//!
//! The rows are read in `rows`; what stands behind their arrows is filled in by `filled`.

use std::ops::Range;

use super::arguments::{MODULES, RENAMED};
use super::rows::{PatternRow, SECTIONS, ascii};
use super::{Meaning, arguments};
use crate::commands::COMMANDS;
use crate::diagnostic::Diagnostic;
use crate::ops;
use crate::session::Session;
use crate::session::values::Value;
use crate::syntax::{self, SyntaxError};

/// The most of a line that a help repeats, in characters.
const SHOWN: usize = 100;

#[derive(Clone, Copy)]
pub(super) struct Foreign<'s> {
    pub(super) session: &'s Session,
    pub(super) line: &'s str,
    /// Where it begins in the text.
    pub(super) start: usize,
    /// In the body of a function: its name, its parameters and what it assigns.
    pub(super) locals: Option<&'s [&'s str]>,
}

/// What a pattern found: the place to point at, and the parts of the line with their names.
pub(super) struct PatternMatch<'s> {
    pub(super) mark: Range<usize>,
    pub(super) parts: Vec<(&'static str, &'s str)>,
}

impl<'s> PatternMatch<'s> {
    /// A part by its name.
    pub(super) fn part(&self, name: &str) -> &'s str {
        let part = self.parts.iter().find(|part| part.0 == name);
        part.map_or("", |part| part.1.trim())
    }
}

impl<'s> Foreign<'s> {
    /// The same place with another text.
    pub(super) fn with_line<'l>(&self, line: &'l str) -> Foreign<'l>
    where
        's: 'l,
    {
        Foreign { line, ..*self }
    }

    /// Has the user defined this name, or the function whose body it is?
    pub(super) fn is_taken(&self, name: &str) -> bool {
        self.session.names().find(name).is_some()
            || self.session.functions().get(name).is_some()
            || self.is_local(name)
    }

    pub(super) fn is_local(&self, name: &str) -> bool {
        self.locals.is_some_and(|locals| locals.contains(&name))
    }

    /// Is it one of the calculator's functions or constants?
    pub(super) fn is_known(&self, name: &str) -> bool {
        self.session.is_function(name) || ops::constant(name).is_some()
    }

    /// Can nothing but Python be meant, so that positions count from 0?
    pub(super) fn is_python(&self) -> bool {
        let mut python = self.locals.is_some() || is_lambda(self.line);
        for (at, word) in self.words() {
            let rest = &self.line[at + word.len()..];
            python |= MODULES.contains(&word) && rest.starts_with('.') && !self.is_taken(word)
                // `a if c else b`, but not `if (c) a else b`.
                || word == "else" && self.first() != Some("if")
                || word == "range" && rest.starts_with('(') && !self.session.is_function(word);
        }
        python
    }

    /// Can a name be that of a list of lists?
    pub(super) fn may_be_nested(&self, name: &str) -> bool {
        match self.session.names().find(name) {
            _ if self.is_local(name) => true,
            Some(Value::List(list)) => {
                matches!(list.items().next(), Some(Value::List(_)))
            }
            _ => false,
        }
    }

    /// An error about a place in the line.
    pub(super) fn error(&self, place: Range<usize>, message: String, help: String) -> Diagnostic {
        Diagnostic::new(message)
            .at(self.start + place.start..self.start + place.end)
            .help(help)
    }

    /// An error of the parser in the line.
    pub(super) fn misread(&self, error: SyntaxError) -> Diagnostic {
        let mut error = self.session.explain(error);
        if let Some(place) = &mut error.span {
            *place = self.start + place.start..self.start + place.end;
        }
        error
    }

    /// The words of the line with their places, quoted ones left out.
    pub(super) fn words(&self) -> impl Iterator<Item = (usize, &'s str)> + use<'s> {
        let line = self.line;
        let mut at = 0;
        let mut quote = None;
        std::iter::from_fn(move || {
            loop {
                let rest = &line[at..];
                let first = rest.chars().next()?;
                let begin = at;
                at += first.len_utf8();
                if quote == Some(first) {
                    quote = None;
                } else if quote.is_none() && matches!(first, '"' | '\'') {
                    quote = Some(first);
                } else if quote.is_none() && (begins(first) || first.is_ascii_digit()) {
                    let word = word(rest);
                    at = begin + word.len();
                    // The `e` of `2e3` is no word.
                    if begins(first) {
                        return Some((begin, word));
                    }
                }
            }
        })
    }

    /// The first word of the line, if it begins with one.
    pub(super) fn first(&self) -> Option<&'s str> {
        let (at, word) = self.words().next()?;
        (at == 0).then_some(word)
    }

    /// What the first row of a section says that the line looks like.
    pub(super) fn row(&self, section: &str) -> Option<Meaning> {
        let (_, groups) = SECTIONS.iter().find(|(name, _)| *name == section)?;
        // The name of a command is none of its arguments.
        let own_name = |at: &usize| *at == 1 && self.line.starts_with(':');
        let words = || self.words().map(|(at, _)| at);
        let places = || std::iter::once(0).chain(words().filter(|at| !own_name(at)));
        let has = ascii(self.line);
        groups.iter().find_map(|group| {
            let rows = || group.iter().filter(|row| row.needs & !has == 0);
            rows().next()?;
            places().find_map(|at| rows().find_map(|row| self.said(row, at)))
        })
    }

    /// What a row says, if the line looks like it from `at` on.
    fn said(&self, row: &PatternRow, at: usize) -> Option<Meaning> {
        let &PatternRow {
            pattern,
            arrow,
            rest,
            ..
        } = row;
        let found = match pattern.strip_prefix('…') {
            // The point belongs to what is looked for, the word behind it is at `at`.
            Some(word) if word.trim_start_matches('«').starts_with('.') => {
                self.found(word, at.checked_sub(1)?)
            }
            Some(word) => self.found(word, at),
            None if at == 0 => self.found(pattern, 0),
            None => None,
        }?;
        Some(match (arrow, rest.strip_prefix("# ")) {
            ('⇒', Some(reason)) => Meaning::Skipped(reason.to_string()),
            ('⇒', None) => Meaning::Line(self.filled(rest, &found, usize::MAX)?),
            _ => {
                let (message, help) = rest
                    .split_once(" → ")
                    .unwrap_or(("`{mark}` is Python", rest));
                let help = self.filled(help, &found, SHOWN)?;
                let message = self.filled(message, &found, SHOWN)?;
                Meaning::Refused(self.error(found.mark, message, help))
            }
        })
    }

    /// What a pattern finds from `at` on.
    pub(super) fn found(&self, pattern: &'static str, mut at: usize) -> Option<PatternMatch<'s>> {
        let mut mark = None;
        let mut begin = None;
        let mut parts = Vec::new();
        let mut rest = pattern;
        while let Some(sign) = rest.chars().next() {
            rest = &rest[sign.len_utf8()..];
            let line = self.line.get(at..)?;
            match sign {
                ' ' => at += line.len() - line.trim_start().len(),
                '$' if line.is_empty() => {}
                '«' => begin = Some(at),
                '»' => mark = begin.map(|begin| begin..at),
                '<' => {
                    let words;
                    let is_member = pattern[..pattern.len() - rest.len() - 1].ends_with('.');
                    (words, rest) = rest.split_once('>')?;
                    let first = word(line);
                    let found = words.split('|').find(|&known| first == known)?;
                    let owned = if rest.trim_start().starts_with('(') {
                        self.session.functions().get(found).is_some()
                    } else {
                        !is_member && self.is_taken(found)
                    } || arguments::is_word_of(self.line, found);
                    // `math` of `math.exp` begins a path, that of `a.math.exp` does not.
                    let inside =
                        !is_member && rest.starts_with('.') && self.line[..at].ends_with('.');
                    if owned || inside {
                        return None;
                    }
                    if begin.is_none() {
                        mark = Some(at..at + found.len());
                    }
                    at += found.len();
                }
                '{' => {
                    let name;
                    (name, rest) = rest.split_once('}')?;
                    let stop = rest.trim_start_matches([' ', '«', '»']);
                    let end = stop.find([' ', '<', '{', '«', '»', '$']);
                    let stop = &stop[..end.unwrap_or(stop.len())];
                    let part = match name {
                        "called" | "unknown" | "applied" | "command" | "known" | "fold" => {
                            word(line)
                        }
                        "term" | "other" | "low" | "high" | "leaf" => arguments::term(line),
                        "exponent" => {
                            &line[..line.len()
                                - line.trim_start_matches(|c: char| c.is_ascii_digit()).len()]
                        }
                        "blanks" => &line[..line.len() - line.trim_start().len()],
                        "first" | "second" | "third" | "fourth" | "given" => arguments::first(line),
                        "options" | "integers" | "style" => arguments::all(line),
                        "owner" => &line[..line.rfind(stop)?],
                        _ if stop.is_empty() => line,
                        _ => &line[..line.find(stop)?],
                    };
                    if !self.fits(name, part) {
                        return None;
                    }
                    parts.push((name, part));
                    at += part.len();
                }
                _ if line.starts_with(sign) => at += sign.len_utf8(),
                _ => return None,
            }
        }
        let mark = mark.unwrap_or(0..self.line.len());
        Some(PatternMatch { mark, parts })
    }

    /// Is a part of the line what its name in a pattern says?
    fn fits(&self, name: &str, part: &str) -> bool {
        let operators = ['=', '(', '+', '*', '/', '^', '.', ','];
        match name {
            "applied" => self.session.is_function(part) && !self.is_taken(part),
            "command" => COMMANDS.iter().any(|command| command.name == part),
            "blanks" | "exponent" => !part.is_empty(),
            "listed" => part.contains(','),
            "term" | "other" | "low" | "high" | "target" | "right" | "condition" | "otherwise" => {
                arguments::is_expression(part.trim())
                    && !arguments::is_word_of(self.line, word(part.trim()))
            }
            "range" => {
                let before = part.split('=').next().unwrap_or_default().trim();
                let is_word = !before.is_empty() && !before.contains(' ');
                part.contains("..") && !part.contains(',') && is_word
            }
            "leaf" => {
                let words = [
                    "const", "of", "over", "steps", "with", "log", "logx", "logy", "logz",
                ];
                syntax::is_name(part) && !words.contains(&part)
            }
            "sign" => syntax::precedence::between(part.trim()).is_some(),
            "parameter" => part
                .split(',')
                .all(|name| syntax::is_name(name.trim().trim_matches(['(', ')']))),
            "signature" => part.trim().strip_suffix(')').is_some_and(|head| {
                let (name, parameters) = head.split_once('(').unwrap_or_default();
                syntax::is_name(name) && parameters.split(',').all(|it| syntax::is_name(it.trim()))
            }),
            "numbers" => arguments::several_numbers(part).is_some(),
            "pairs" => arguments::pairs(part).is_some(),
            "items" => {
                let name = self.session.names().find(word(part));
                let is_list = matches!(name, Some(Value::List(_)));
                is_list && arguments::list_without_brackets(part).is_some()
            }
            "digits" => part.chars().all(|c| c.is_ascii_digit() || c == ' '),
            "letters" => part.starts_with(char::is_alphabetic),
            "name" => syntax::is_name(part.trim()),
            "stem" => syntax::is_name(part.trim()) && !arguments::is_keyword(part.trim()),
            "node" => {
                let (name, behind) = part.split_at(word(part).len());
                syntax::is_name(name)
                    && behind
                        .chars()
                        .all(|c| c.is_ascii_digit() || "[]@".contains(c))
            }
            "first" | "second" | "third" | "fourth" | "owner" => arguments::is_expression(part),
            "fold" => arguments::FOLDS.contains(&part),
            "integers" => {
                let kinds = ["int", "bool", "long"];
                part.starts_with(',') && kinds.iter().any(|kind| part.contains(kind))
            }
            "style" => arguments::is_style(part),
            "object" => part.contains(" at 0x") && part.trim_start_matches('[').starts_with('<'),
            "quoted" => part.trim().starts_with(['"', '\'']),
            "options" => part.is_empty() || part.starts_with(','),
            "known" if arguments::is_word_of(self.line, part) => false,
            "known" => syntax::is_name(part) && self.session.names().find(part).is_some(),
            "unknown" => !self.is_known(renamed(part)),
            "signs" => part.chars().all(|c| "+-*/ ".contains(c)),
            // With a root to be the gradient of, a gradient of 0 is a claim.
            "0" => {
                let claims = self.session.guesses().root().is_some();
                !(claims && self.session.pass().is_none()) && part.trim().parse() == Ok(0.0)
            }
            "value" => !part.starts_with('='),
            // `if(a, b)` is a call, `with = 3` a binding that failed for another reason.
            "statement" => self.line.ends_with(':') || !part.trim_start().starts_with(operators),
            "parameters" => self.first() != Some("self"),
            "method" => {
                let head = defined(part).0;
                head.contains("self") || head.starts_with('_')
            }
            "empty" => {
                let (head, body) = defined(part);
                let parameters = head.split_once('(').map(|(_, rest)| rest.trim());
                body.is_empty() && parameters == Some(")")
            }
            _ => true,
        }
    }
}

/// Is it `f = lambda x: x**2`?
pub(super) fn is_lambda(line: &str) -> bool {
    let (_, value) = line.split_once('=').unwrap_or_default();
    value
        .trim_start()
        .strip_prefix("lambda")
        .is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_'))
}

/// Can a word begin with it?
fn begins(c: char) -> bool {
    c.is_alphabetic() || c == '_'
}

/// The letters, digits and `_` that a text begins with.
pub(super) fn word(text: &str) -> &str {
    let end = text.find(|c: char| !c.is_alphanumeric() && c != '_');
    &text[..end.unwrap_or(text.len())]
}

/// Name with parameters, and body, of what stands behind `def`.
pub(super) fn defined(text: &str) -> (&str, &str) {
    let (head, body) = text.split_once(':').unwrap_or((text, ""));
    let body = body.trim();
    let body = body.strip_prefix("return ").unwrap_or(body);
    (head.trim_end(), body.trim())
}

/// What the calculator calls a function of Python's.
fn renamed(name: &str) -> &str {
    let pair = RENAMED.iter().find(|pair| pair.0 == name);
    pair.map_or(name, |pair| pair.1)
}

/// A part of the line, short enough for a sentence.
pub(super) fn cut(text: &str) -> String {
    shortened(text, SHOWN)
}

pub(super) fn shortened(text: &str, most: usize) -> String {
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut shown: String = words.chars().take(most).collect();
    if shown.len() < words.len() {
        shown.push('…');
    }
    shown
}

//! A line that is not the calculator's, and the matcher: whether it looks like a row of the table.
//!
//! `patterns.txt` explains how a row is written.

use std::ops::Range;

use super::{Meaning, arguments, definition};
use crate::commands::by_hand::guess::claim;
use crate::diagnostic::Diagnostic;
use crate::session::Session;
use crate::syntax;

/// The table: what lines look like, and what to say of them.
const PATTERNS: &str = include_str!("patterns.txt");

/// Functions that the calculator calls otherwise.
const RENAMED: &[(&str, &str)] = &[
    ("fabs", "abs"),
    ("maximum", "max"),
    ("minimum", "min"),
    ("log", "ln"),
    ("arctan", "atan"),
    ("arcsin", "asin"),
    ("arccos", "acos"),
    ("power", "pow"),
    ("fmod", "rem"),
];

/// The most of a line that a help repeats, in characters.
const SHOWN: usize = 100;

#[derive(Clone, Copy)]
pub(super) struct Foreign<'s> {
    pub(super) session: &'s Session,
    pub(super) line: &'s str,
    /// Where it begins in the text.
    pub(super) start: usize,
}

/// What a pattern found: the place to point at, and the parts of the line with their names.
pub(super) struct PatternMatch<'s> {
    pub(super) mark: Range<usize>,
    parts: Vec<(&'static str, &'s str)>,
    /// Where what it found begins.
    start: usize,
    /// Where what it found ends.
    pub(super) end: usize,
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
    pub(super) fn with_line(self, line: &'s str) -> Foreign<'s> {
        Foreign { line, ..self }
    }

    /// An error about a place in the line.
    pub(super) fn error(&self, place: Range<usize>, message: String, help: String) -> Diagnostic {
        Diagnostic::new(message)
            .at(self.start + place.start..self.start + place.end)
            .help(help)
    }

    /// Has the user defined this name?
    pub(super) fn is_taken(&self, name: &str) -> bool {
        self.session.names().find(name).is_some() || self.session.functions().get(name).is_some()
    }

    /// Is it one of the calculator's functions or constants?
    pub(super) fn is_known(&self, name: &str) -> bool {
        self.session.is_function(name) || matches!(name, "pi" | "e" | "tau" | "inf" | "nan")
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
        let mut sections = PATTERNS.split("\n[");
        let rows = sections.find_map(|rows| rows.strip_prefix(section)?.strip_prefix("]\n"))?;
        let places = || std::iter::once(0).chain(self.words().map(|(at, _)| at));
        rows.split("\n\n").find_map(|group| {
            places().find_map(|at| group.lines().find_map(|row| self.said(row, at)))
        })
    }

    /// What a row says, if the line looks like it from `at` on.
    fn said(&self, row: &'static str, at: usize) -> Option<Meaning> {
        let (pattern, arrow, rest) = columns(row)?;
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
            ('↦', _) => {
                let text = self.filled(rest, &found, usize::MAX)?;
                let (before, behind) = (&self.line[..found.start], &self.line[found.end..]);
                Meaning::Line(format!("{before}{text}{behind}"))
            }
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
        let start = at;
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
                    let found = words.split('|').find(|&known| word(line) == known)?;
                    let owned = if rest.trim_start().starts_with('(') {
                        self.session.functions().get(found).is_some()
                    } else {
                        !is_member && self.is_taken(found)
                    };
                    // `math` of `math.exp` begins a path, that of `a.math.exp` does not.
                    let inside = rest.starts_with('.') && self.line[..at].ends_with('.');
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
                    let stop = rest.trim_start_matches([' ', '»']);
                    let end = stop.find([' ', '<', '{', '«', '»', '$']);
                    let stop = &stop[..end.unwrap_or(stop.len())];
                    let part = match name {
                        "called" | "unknown" => word(line),
                        "first" | "second" | "whole" => arguments::first(line),
                        "options" => arguments::all(line),
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
        let end = at;
        Some(PatternMatch {
            mark,
            parts,
            start,
            end,
        })
    }

    /// Is a part of the line what its name in a pattern says?
    fn fits(&self, name: &str, part: &str) -> bool {
        let operators = ['=', '(', '+', '*', '/', '^', '.', ','];
        match name {
            "digits" => part.chars().all(|c| c.is_ascii_digit() || c == ' '),
            "letters" => part.starts_with(char::is_alphabetic),
            "name" => syntax::is_name(part.trim()),
            "node" => {
                let (name, behind) = part.split_at(word(part).len());
                syntax::is_name(name)
                    && behind
                        .chars()
                        .all(|c| c.is_ascii_digit() || "[]@".contains(c))
            }
            "first" | "second" | "owner" => arguments::is_expression(part),
            "whole" => arguments::whole(part).is_some_and(|count| count > 0),
            "options" => part.is_empty() || part.starts_with(','),
            "known" => syntax::is_name(part) && self.session.names().find(part).is_some(),
            "unknown" => !self.is_known(renamed(part)),
            "signs" => part.chars().all(|c| "+-*/ ".contains(c)),
            "0" | "1" => part.trim().parse::<f64>().ok() == name.parse().ok(),
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

    /// A message or a help with the parts of the line it repeats; `None` if one that it needs is empty.
    /// Of a part no more is repeated than `most` characters.
    fn filled(&self, text: &str, found: &PatternMatch, most: usize) -> Option<String> {
        let mut pieces = text.split('{');
        let mut filled = pieces.next()?.to_string();
        for piece in pieces {
            let (name, rest) = piece.split_once('}')?;
            let (name, needed) = name
                .strip_suffix('!')
                .map_or((name, false), |name| (name, true));
            let part = self.part(name, found, most);
            if needed && part.is_empty() {
                return None;
            }
            filled.push_str(&part);
            filled.push_str(rest);
        }
        Some(filled)
    }

    /// A part of the line as a message or a help repeats it.
    fn part(&self, name: &str, found: &PatternMatch, most: usize) -> String {
        let cut = |text: &str| shortened(text, most);
        let Range { start, end } = found.mark;
        let (before, behind) = (&self.line[..start], &self.line[end..]);
        // What a call is given, up to its last bracket, and what its method belongs to.
        let arguments = behind.trim_start();
        let arguments = arguments.strip_prefix('(').unwrap_or(arguments);
        let (inside, rest) = arguments.rsplit_once(')').unwrap_or((arguments, ""));
        let inside = inside.trim();
        let owner = before.strip_suffix('.').unwrap_or("");
        match name {
            "mark" => self.line[start..end].trim_end().to_string(),
            "lambda" => {
                let [name, parameters, formula] =
                    ["name", "parameters", "formula"].map(|name| found.part(name));
                definition::function(self.session, name, parameters, &[formula]).unwrap_or_default()
            }
            "claim" => claim::guess(self.session, found.part("node"), found.part("value")),
            "steps" => {
                let called = &self.line[found.mark.clone()];
                arguments::steps(called, found.part("first"), found.part("options"))
                    .unwrap_or_default()
            }
            "operand" => arguments::operand(found.part("first")),
            "methods" => {
                "leave the methods out: the operations have their derivatives, `:ops` lists them"
                    .to_string()
            }
            "head" => cut(defined(found.part("")).0),
            "body" => cut(defined(found.part("")).1),
            "title" => {
                let head = defined(found.part("empty")).0;
                head.split_once('(')
                    .map_or(head, |(name, _)| name)
                    .to_string()
            }
            "function" => {
                let name = before.trim_end().strip_suffix('=').map(str::trim);
                name.filter(|name| syntax::is_name(name))
                    .unwrap_or("f")
                    .to_string()
            }
            "number" => {
                let number = self
                    .line
                    .trim_start_matches(|c: char| !c.is_ascii_digit() && c != '-');
                let goes_on = |c: char| c.is_ascii_alphanumeric() || ".-+".contains(c);
                number.chars().take_while(|&c| goes_on(c)).collect()
            }
            "node" if !found.part("node").is_empty() => found.part("node").to_string(),
            "node" => {
                let owner = owner.rsplit(|c: char| c == '=' || c.is_whitespace()).next();
                let candidates = [owner.unwrap_or(""), inside, "L"];
                let node = candidates.into_iter().find(|part| !part.is_empty());
                cut(node.unwrap_or("L"))
            }
            "known" => found.part(name).to_string(),
            _ => match name.strip_prefix("with ") {
                Some(sign) => cut(&format!("{owner} {sign} {inside}{rest}")),
                None => cut(found.part(name)),
            },
        }
    }
}

/// A row as its pattern, its arrow and what follows.
fn columns(row: &str) -> Option<(&str, char, &str)> {
    let at = row.find(['→', '⇒', '↦'])?;
    let (pattern, rest) = row.split_at(at);
    let arrow = rest.chars().next()?;
    let rest = rest[arrow.len_utf8()..].strip_prefix(' ')?;
    Some((pattern.strip_suffix(' ')?, arrow, rest))
}

/// Can a word begin with it?
fn begins(c: char) -> bool {
    c.is_alphabetic() || c == '_'
}

/// The letters, digits and `_` that a text begins with.
fn word(text: &str) -> &str {
    let end = text.find(|c: char| !c.is_alphanumeric() && c != '_');
    &text[..end.unwrap_or(text.len())]
}

/// Name with parameters, and body, of what stands behind `def`.
fn defined(text: &str) -> (&str, &str) {
    let (head, body) = text.split_once(':').unwrap_or((text, ""));
    let body = body.trim();
    let body = body.strip_prefix("return ").unwrap_or(body);
    (head.trim_end(), body.trim())
}

/// What the calculator calls a function of Python's.
pub(super) fn renamed(name: &str) -> &str {
    let pair = RENAMED.iter().find(|pair| pair.0 == name);
    pair.map_or(name, |pair| pair.1)
}

/// A part of the line, short enough for a sentence.
pub(super) fn cut(text: &str) -> String {
    shortened(text, SHOWN)
}

fn shortened(text: &str, most: usize) -> String {
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut shown: String = words.chars().take(most).collect();
    if shown.len() < words.len() {
        shown.push('…');
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::{PATTERNS, columns};

    #[test]
    fn rows_are_well_formed() {
        let sections: Vec<&str> = PATTERNS.split("\n[").skip(1).collect();
        for section in &sections {
            let (name, rows) = section.split_once("]\n").expect("a section has a name");
            let asked = format!("\"{name}\"");
            assert!(include_str!("mod.rs").contains(&asked), "[{name}] is used");
            for row in rows
                .lines()
                .filter(|row| !row.is_empty() && !row.starts_with('#'))
            {
                let (_, arrow, rest) = columns(row).expect("a row has an arrow");
                let further = rest.matches(['→', '⇒', '↦']).count();
                assert!(further == 0 || arrow == '→' && further == 1, "{row}");
                for (open, close) in [('{', '}'), ('«', '»')] {
                    assert_eq!(
                        row.matches(open).count(),
                        row.matches(close).count(),
                        "{row}"
                    );
                }
                assert_eq!(row.matches('`').count() % 2, 0, "{row}");
            }
        }
        assert_eq!(sections.len(), 8);
    }
}

//! Matches lines against the rows of `patterns.txt`. A row describes lines of other languages and their meaning; the
//! table itself explains how to write a row.

use std::ops::Range;
use std::sync::LazyLock;

use super::{Foreign, Meaning, build_network, shorten, word};
use crate::commands;
use crate::commands::COMMANDS;
use crate::commands::args::evaluate::leaves_below;
use crate::commands::by_hand::guess;
use crate::session::values::Value;
use crate::session::{is_python_name, native_name};
use chainrule_language::{self as language, Head, ItemKind};
use chainrule_report::diagnostic::Diagnostic;
use chainrule_report::diagnostic::suggest::nearest;

/// The text of the table.
const PATTERNS: &str = include_str!("patterns.txt");

/// Rows that are tried together, at one word of the line after the other. The first word at which a row fits decides.
type PatternGroup = Vec<PatternRow>;

/// The sections of the table with their groups of rows.
static SECTIONS: LazyLock<Vec<(&str, Vec<PatternGroup>)>> = LazyLock::new(read_sections);

fn read_sections() -> Vec<(&'static str, Vec<PatternGroup>)> {
    let group = |rows: &'static str| rows.lines().filter_map(PatternRow::read).collect();
    let mut sections = Vec::new();
    for text in PATTERNS.split("\n[").skip(1) {
        if let Some((name, rows)) = text.split_once("]\n") {
            sections.push((name, rows.split("\n\n").map(group).collect()));
        }
    }
    sections
}

/// The rows of a section.
fn section(name: &str) -> impl Iterator<Item = &'static PatternGroup> {
    let section = SECTIONS.iter().find(|(known, _)| *known == name);
    section.into_iter().flat_map(|(_, groups)| groups)
}

/// A row of the table.
struct PatternRow {
    pattern: &'static str,
    /// `→` refuses the line, `⇒` translates or skips it.
    arrow: char,
    /// The error text or the translation.
    rest: &'static str,
}

impl PatternRow {
    /// Reads a line of the table; `None` if it is a comment.
    fn read(row: &'static str) -> Option<PatternRow> {
        if row.starts_with('#') {
            return None;
        }
        let (pattern, rest) = row.split_at(row.find(['→', '⇒'])?);
        let arrow = rest.chars().next()?;
        Some(PatternRow {
            pattern: pattern.strip_suffix(' ')?,
            arrow,
            rest: rest[arrow.len_utf8()..].strip_prefix(' ')?,
        })
    }
}

/// A match of a pattern in a line.
struct PatternMatch<'s> {
    /// The place that an error points at.
    mark: Range<usize>,
    /// The parts of the line that the pattern names, with these names.
    parts: Vec<(&'static str, &'s str)>,
}

impl<'s> PatternMatch<'s> {
    /// The part of the line with this name, or an empty text.
    fn part(&self, name: &str) -> &'s str {
        let part = self.parts.iter().find(|part| part.0 == name);
        part.map_or("", |part| part.1)
    }
}

impl<'s> Foreign<'s> {
    /// The meaning of the line by the first fitting row of a section.
    pub(super) fn match_row(&self, name: &str) -> Option<Meaning> {
        // The name of a command is not one of its arguments.
        let is_command_name = |at: usize| at == 1 && self.line.starts_with(':');
        let word_starts = self.words().map(|(start, _)| start);
        let mut starts = vec![0];
        starts.extend(word_starts.filter(|start| !is_command_name(*start)));
        for group in section(name) {
            for &at in &starts {
                if let Some(meaning) = group.iter().find_map(|row| self.row_meaning(row, at)) {
                    return Some(meaning);
                }
            }
        }
        None
    }

    /// The meaning of the line by a row, if the row fits from `at` on.
    fn row_meaning(&self, row: &PatternRow, at: usize) -> Option<Meaning> {
        let found = match row.pattern.strip_prefix('…') {
            // The pattern begins with a point, and the word after it is at `at`.
            Some(word) if word.trim_start_matches('«').starts_with('.') => {
                self.match_pattern(word, at.checked_sub(1)?)
            }
            Some(word) => self.match_pattern(word, at),
            None if at == 0 => self.match_pattern(row.pattern, 0),
            None => None,
        }?;
        Some(match (row.arrow, row.rest.strip_prefix("# ")) {
            ('⇒', Some(reason)) => Meaning::Skipped(reason.to_string()),
            ('⇒', None) => Meaning::Line(self.fill(row.rest, &found, str::to_string)?),
            _ => {
                let both = row.rest.split_once(" → ");
                let (message, help) = both.unwrap_or(("`{mark}` is a word of Python", row.rest));
                let filled_help = self.fill(help, &found, shorten)?;
                let error = Diagnostic::new(self.fill(message, &found, shorten)?);
                Meaning::Refused(error.at(found.mark).help(filled_help))
            }
        })
    }

    /// Fits a pattern to the line from `at` on.
    fn match_pattern(&self, pattern: &'static str, mut at: usize) -> Option<PatternMatch<'s>> {
        let mut mark = None;
        let mut begin = None;
        let mut parts = Vec::new();
        let mut rest = pattern;
        while let Some(sign) = rest.chars().next() {
            let is_member = pattern[..pattern.len() - rest.len()].ends_with('.');
            rest = &rest[sign.len_utf8()..];
            let line = self.line.get(at..)?;
            match sign {
                ' ' => at += line.len() - line.trim_start().len(),
                '$' if line.is_empty() => {}
                '«' => begin = Some(at),
                '»' => mark = begin.map(|begin| begin..at),
                '<' => {
                    let words;
                    (words, rest) = rest.split_once('>')?;
                    let first = word(line);
                    let is_listed = words.split('|').any(|known| first == known);
                    // A word before a point begins a path: the `math` of `math.exp`, but not that of `a.math.exp`.
                    let is_inside =
                        !is_member && rest.starts_with('.') && self.line[..at].ends_with('.');
                    if !is_listed || is_inside || self.is_owned(first, is_member, rest) {
                        return None;
                    }
                    if begin.is_none() {
                        mark = Some(at..at + first.len());
                    }
                    at += first.len();
                }
                '{' => {
                    let name;
                    (name, rest) = rest.split_once('}')?;
                    let part = &line[..part_length(name, line, rest)?];
                    if !self.fits_name(name, part) {
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

    /// Whether a word of a pattern has its own meaning in the line: the user has defined it, or it is a keyword of the
    /// command. `rest` is the pattern after the word.
    fn is_owned(&self, word: &str, is_member: bool, rest: &str) -> bool {
        let is_defined = if rest.trim_start().starts_with('(') {
            self.session.functions().get(word).is_some()
        } else {
            !is_member && self.is_taken(word)
        };
        is_defined || self.is_keyword(word)
    }

    /// Whether a part of the line fits the name in a pattern. The table explains the names.
    fn fits_name(&self, name: &str, part: &str) -> bool {
        let text = part.trim();
        match name {
            "" | "rest" => true,
            "names" => text.split(',').all(|word| language::is_name(word.trim())),
            "value" => !part.starts_with('='),
            "blank" => !part.is_empty(),
            "command" => COMMANDS.iter().any(|command| command.name == text),
            "function" => self.session.is_function(text) && !self.is_taken(text),
            "defined" => self.session.functions().get(text).is_some(),
            "unknown" => !self.is_known(native_name(text)) && !is_python_name(text),
            "list name" => matches!(self.session.names().find(text), Some(Value::List(_))),
            "root name" => {
                let node = self.session.names().find_node(text);
                node.is_some_and(|node| !node.is_leaf())
            }
            "known" => self.session.names().find(text).is_some() && !self.is_keyword(text),
            _ if is_word(name) => {
                language::is_name(text) && text != "const" && !self.is_keyword(text)
            }
            "node" => language::is_name(word(text)),
            // `a.grad = 0` zeroes a gradient. By hand, before the first pass, it claims that the gradient is 0.
            "zero" => {
                let has_claims = self.session.guesses().root().is_some();
                !(has_claims && self.session.pass().is_none()) && text.parse() == Ok(0.0)
            }
            "number" => text.parse::<f64>().is_ok(),
            "numbers" => {
                let mut words = text.split_whitespace();
                text.contains(' ') && words.all(|word| word.parse::<f64>().is_ok())
            }
            "dots" => is_dot_format(text),
            "style" => text
                .split(',')
                .all(|it| it.contains('=') || it.trim().starts_with(['"', '\''])),
            // `f`, `f'` or an expression without blanks.
            _ if name.ends_with("curve") => {
                let bare = text.trim_end_matches(['\'', '’']);
                match name {
                    "function curve" => self.session.is_function(bare),
                    _ if bare.contains("..") => false,
                    _ => !bare.contains(',') && language::as_expression(bare).is_some(),
                }
            }
            // `if(a, b)` is a call, `with = 3` a binding that failed for another reason.
            "statement" => {
                let operators = ['=', '(', '+', '*', '/', '^', '.', ','];
                self.line.ends_with(':') || !text.starts_with(operators)
            }
            _ => language::as_expression(text).is_some() && !self.is_keyword(word(text)),
        }
    }

    /// Whether a word is a keyword, perhaps mistyped, of the command that the line calls.
    fn is_keyword(&self, word: &str) -> bool {
        let called = self.line.strip_prefix(':').map(self::word);
        let command = called.and_then(|called| commands::find(called).ok());
        let arguments = command.map_or(&[][..], |command| command.arguments).iter();
        nearest(word, arguments.filter_map(|argument| argument.keyword)).is_some()
    }

    /// The first name in an expression that has no value. If all names have values, the first name.
    fn variable<'t>(&self, text: &'t str) -> &'t str {
        let names = language::as_expression(text).map_or_else(Vec::new, |read| read.names());
        let unknown = names.iter().find(|(name, _)| !self.session.knows(name));
        unknown.or(names.first()).map_or("x", |(name, _)| name)
    }

    /// A leaf below an expression. If there is none, the variable of the expression.
    fn leaf(&self, text: &str) -> String {
        let names = language::as_expression(text).map_or_else(Vec::new, |read| read.names());
        let leaf_below = |(name, _): &(&str, _)| {
            let value = self.session.names().find(name)?;
            leaves_below(self.session, value.node()?, 1).pop()
        };
        let leaf = names.iter().find_map(leaf_below);
        leaf.unwrap_or_else(|| self.variable(text).to_string())
    }

    /// Fills in the parts of the line that a message, a help or a translation repeats.
    fn fill(&self, text: &str, found: &PatternMatch, shown: fn(&str) -> String) -> Option<String> {
        let mut pieces = text.split('{');
        let mut filled = pieces.next()?.to_string();
        let mark = &self.line[found.mark.clone()];
        for piece in pieces {
            let (name, rest) = piece.split_once('}')?;
            let part = found.part(name).trim();
            let (node, value) = (found.part("node").trim(), found.part("value").trim());
            filled += &match name {
                "mark" => mark.trim_end().to_string(),
                "variable" => self.variable(found.part("x").trim()).to_string(),
                "leaf" => self.leaf(found.part("x").trim()),
                "rest" => shown(found.part(name).trim_end()),
                "numbers" => part.split_whitespace().collect::<Vec<_>>().join(", "),
                "map!" => build_network::map_text(self),
                "claim!" => guess::claim_command(self.session, node, value),
                "claim more!" => guess::claim_command(self.session, node, &format!("+= {value}")),
                name => match name.strip_suffix(" in brackets") {
                    Some(name) => operand_text(found.part(name).trim()),
                    None => shown(part),
                },
            };
            filled += rest;
        }
        Some(filled)
    }
}

/// Whether a name in a pattern stands for a single word.
fn is_word(name: &str) -> bool {
    name.ends_with("name") || matches!(name, "command" | "function" | "known" | "unknown")
}

/// The length of the part of a line that a name in a pattern stands for. `rest` is the pattern after the name.
fn part_length(name: &str, line: &str, rest: &str) -> Option<usize> {
    let following = rest.trim_start_matches([' ', '«', '»']);
    let sign_end = following.find([' ', '<', '{', '«', '»', '$']);
    let sign = &following[..sign_end.unwrap_or(following.len())];
    let ends_part = |&(at, c): &(usize, char)| match sign {
        "" => c.is_whitespace(),
        sign => line[at..].starts_with(sign),
    };
    match name {
        _ if is_word(name) => Some(word(line).len()),
        "blank" => Some(line.len() - line.trim_start().len()),
        "node" => {
            let after_word = &line[word(line).len()..];
            let is_index = |c: char| c.is_ascii_digit() || "[]@".contains(c);
            Some(line.len() - after_word.trim_start_matches(is_index).len())
        }
        _ if following.is_empty() || following.starts_with('$') => Some(line.len()),
        _ if name.ends_with("curve") => line.find(' '),
        "" | "rest" | "names" => line.find(sign),
        "number" if sign.is_empty() => line.find(|c: char| c != '.' && !c.is_ascii_digit()),
        _ => match language::outside_brackets(line).find(ends_part) {
            Some((at, _)) => Some(at),
            None => sign.is_empty().then_some(line.len()),
        },
    }
}

/// Whether a text is a format of matplotlib that draws markers and no line: 'o', 'rx', "k.".
fn is_dot_format(text: &str) -> bool {
    let format = text.split(',').next().unwrap_or_default().trim();
    let inner = format.trim_matches(['"', '\'']);
    let is_sign = |c| ".ox+*sdDv^<>|phHP".contains(c);
    let is_colour = |c| "bgrcmykwC0123456789".contains(c);
    inner != format && inner.contains(is_sign) && inner.chars().all(|c| is_sign(c) || is_colour(c))
}

/// The expression, in brackets if it needs them as an operand.
fn operand_text(text: &str) -> String {
    let read = language::as_expression(text);
    match read.and_then(|read| Some(read.items.last()?.kind)) {
        Some(ItemKind::Apply(Head::Operator(_) | Head::Range, _)) => format!("({text})"),
        _ => text.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::{PATTERNS, PatternRow};

    #[test]
    fn rows_are_well_formed() {
        let sections: Vec<&str> = PATTERNS.split("\n[").skip(1).collect();
        for section in &sections {
            let (name, rows) = section.split_once("]\n").expect("a section has a name");
            let section_name = format!("\"{name}\"");
            let code = [
                include_str!("mod.rs"),
                include_str!("patterns.rs"),
                include_str!("../block.rs"),
            ]
            .concat();
            assert!(code.contains(&section_name), "[{name}] is used");
            for row in rows
                .lines()
                .filter(|row| !row.is_empty() && !row.starts_with('#'))
            {
                let PatternRow { arrow, rest, .. } =
                    PatternRow::read(row).expect("a row has an arrow");
                let further = rest.matches(['→', '⇒']).count();
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
        assert_eq!(sections.len(), 7);
    }
}

//! Matches lines against the rows of `patterns.txt`. A row describes lines of other languages and their meaning; the
//! table itself explains how to write a row. `pattern_names` knows the names in braces.

use std::ops::Range;
use std::sync::LazyLock;

use super::pattern_names::{
    EXPRESSION, FUNCTION_OF_SEVERAL, part_length, without_head_or_brackets,
};
use super::{Foreign, OtherMeaning, build_network, shorten, word};
use crate::command::args::evaluate::leaves_below;
use crate::commands::by_hand::guess;
use chainrule_language::{self as language, Expression, Head, Item, ItemKind, Span};
use chainrule_program::Environment as _;
use chainrule_program::names;
use chainrule_report::characters::is_letter_name;
use chainrule_report::diagnostic::Diagnostic;
use chainrule_session::{explain, syntax_diagnostic};

/// The text of the table.
const PATTERNS: &str = include_str!(concat!(env!("OUT_DIR"), "/patterns.txt"));

/// Rows that are tried together, at one word of the line after the other. The first word at which a row fits decides.
type PatternGroup = Vec<PatternRow>;

/// The sections of the table with their groups of rows.
static SECTIONS: LazyLock<Vec<(&str, Vec<PatternGroup>)>> = LazyLock::new(read_sections);

fn read_sections() -> Vec<(&'static str, Vec<PatternGroup>)> {
    let group = |rows: &'static str| rows.lines().filter_map(PatternRow::read).collect();
    let section = |text: &'static str| {
        let (name, rows) = text.split_once("]\n")?;
        Some((name, rows.split("\n\n").map(group).collect()))
    };
    PATTERNS.split("\n[").skip(1).filter_map(section).collect()
}

/// A row of the table.
struct PatternRow {
    pattern: &'static str,
    /// The arrow and the texts after it. Names in braces repeat parts of the line.
    meaning: &'static str,
}

impl PatternRow {
    /// Reads a line of the table; `None` if it is a comment.
    fn read(row: &'static str) -> Option<PatternRow> {
        let arrow = row.find(['⇒', '→'])?;
        let (pattern, meaning) = (row[..arrow].strip_suffix(' ')?, &row[arrow..]);
        Some(PatternRow { pattern, meaning })
    }
}

/// A match of a pattern in a line. While the pattern is being fitted, from left to right, it is the match of its beginning.
struct PatternMatch<'f, 's> {
    foreign: &'f Foreign<'s>,
    pattern: &'static str,
    /// The end of the pattern, which is not fitted yet.
    pattern_rest: &'static str,
    /// The position in the line up to which the pattern fits.
    at: usize,
    /// The position of `«`.
    mark_start: Option<usize>,
    /// The place that an error points at; `None` for the whole line. It is between `«` and `»`, or a word in `<>`.
    mark: Option<Range<usize>>,
    /// The parts of the line that the pattern names.
    parts: Vec<Part<'s>>,
    /// The part `{expression}` with the signs that it leaves out.
    read: Option<String>,
}

/// A part of the line that a pattern names.
struct Part<'s> {
    name: &'static str,
    start: usize,
    text: &'s str,
}

impl<'f, 's> PatternMatch<'f, 's> {
    /// Fits a pattern to the line from `at` on. `None` if it does not fit.
    fn of(foreign: &'f Foreign<'s>, pattern: &'static str, at: usize) -> Option<Self> {
        let mut fitting = PatternMatch {
            foreign,
            pattern,
            pattern_rest: pattern,
            at,
            mark_start: None,
            mark: None,
            parts: Vec::new(),
            read: None,
        };
        while !fitting.pattern_rest.is_empty() {
            fitting.fit_next()?;
        }
        Some(fitting)
    }

    /// The part of the line with this name, or an empty text.
    fn part(&self, name: &str) -> &'s str {
        let part = self.parts.iter().find(|part| part.name == name);
        part.map_or("", |part| part.text)
    }

    /// The place in the line that an error points at.
    fn marked_place(&self) -> Range<usize> {
        self.mark.clone().unwrap_or(0..self.foreign.line.len())
    }

    /// Fits the next sign, word or name of the pattern. `None` if it does not fit.
    fn fit_next(&mut self) -> Option<()> {
        let line_rest = self.foreign.line.get(self.at..)?;
        let sign = self.pattern_rest.chars().next()?;
        match sign {
            '<' => return self.fit_word(line_rest),
            '{' => return self.fit_name(line_rest),
            ' ' => self.at += line_rest.len() - line_rest.trim_start().len(),
            // The end of the line.
            '$' if line_rest.is_empty() => {}
            '«' => self.mark_start = Some(self.at),
            '»' => self.mark = self.mark_start.map(|start| start..self.at),
            _ if line_rest.starts_with(sign) => self.at += sign.len_utf8(),
            _ => return None,
        }
        self.pattern_rest = &self.pattern_rest[sign.len_utf8()..];
        Some(())
    }

    /// Fits one of the words in `<a|b>` to the beginning of the rest of the line.
    fn fit_word(&mut self, line_rest: &str) -> Option<()> {
        let pattern_before = &self.pattern[..self.pattern.len() - self.pattern_rest.len()];
        let line_before = &self.foreign.line[..self.at];
        let (words, pattern_rest) = self.pattern_rest[1..].split_once('>')?;
        self.pattern_rest = pattern_rest;
        let first = word(line_rest);
        let is_listed = words.split('|').any(|known| first == known);
        let is_member = pattern_before.ends_with('.');
        // A word before a point begins a path: the `math` of `math.exp`, but not that of `a.math.exp`.
        let begins_path = !is_member && pattern_rest.starts_with('.');
        let is_inside_path = begins_path && line_before.ends_with('.');
        if !is_listed || is_inside_path || self.foreign.is_owned(first, is_member, pattern_rest) {
            return None;
        }
        let end = self.at + first.len();
        // Without `«`, the error points at the last word in `<>`.
        if self.mark_start.is_none() {
            self.mark = Some(self.at..end);
        }
        self.at = end;
        Some(())
    }

    /// Fits a name in braces to a part at the beginning of the rest of the line.
    fn fit_name(&mut self, line_rest: &'s str) -> Option<()> {
        let (name, pattern_rest) = self.pattern_rest[1..].split_once('}')?;
        self.pattern_rest = pattern_rest;
        let whole = &line_rest[..part_length(name, line_rest, pattern_rest)?];
        let text = without_head_or_brackets(name, whole);
        if !self.foreign.fits_name(name, text) {
            return None;
        }
        let start = self.at + (text.as_ptr() as usize - whole.as_ptr() as usize);
        self.parts.push(Part { name, start, text });
        self.at += whole.len();
        Some(())
    }
}

impl Foreign<'_> {
    /// The meaning of the line by the first fitting row of a section.
    pub(super) fn match_row(&self, section: &str) -> Option<OtherMeaning> {
        // The name of a command is not one of its arguments.
        let is_command_name = |at: usize| at == 1 && self.line.starts_with(':');
        let word_starts = self.words().map(|(start, _)| start);
        let mut starts = vec![0];
        starts.extend(word_starts.filter(|start| !is_command_name(*start)));
        let (_, groups) = SECTIONS.iter().find(|(known, _)| *known == section)?;
        groups.iter().find_map(|group| {
            let meaning_at = |at: &usize| group.iter().find_map(|row| self.row_meaning(row, *at));
            starts.iter().find_map(meaning_at)
        })
    }

    /// The meaning of the line by a row, if the row fits the line from `at` on, the beginning of the line or of a word.
    fn row_meaning(&self, row: &PatternRow, at: usize) -> Option<OtherMeaning> {
        let mut found = match row.pattern.strip_prefix('…') {
            // The pattern begins with a point, which stands before the word at `at`.
            Some(pattern) if pattern.trim_start_matches('«').starts_with('.') => {
                PatternMatch::of(self, pattern, at.checked_sub(1)?)
            }
            Some(pattern) => PatternMatch::of(self, pattern, at),
            None if at == 0 => PatternMatch::of(self, row.pattern, 0),
            None => None,
        }?;
        match self.read_expression(&found) {
            Ok(read) => found.read = read,
            Err(error) => return Some(OtherMeaning::Refused(error)),
        }
        if let Some(line) = row.meaning.strip_prefix("⇒ ") {
            return Some(match line.split_once("# ") {
                Some((mark @ ("" | "#"), reason)) => OtherMeaning::Skipped {
                    reason: reason.to_string(),
                    is_told_once: mark == "#",
                },
                _ => OtherMeaning::Line(self.fill(line, &found, str::to_string)),
            });
        }
        let texts = row.meaning.strip_prefix("→ ")?;
        let both = texts.split_once(" → ");
        let (message, help) = both.unwrap_or(("`{mark}` is a word of Python", texts));
        let error = Diagnostic::new(self.fill(message, &found, shorten));
        let error_at_mark = error.at(found.marked_place());
        Some(OtherMeaning::Refused(
            error_at_mark.help(self.fill(help, &found, shorten)),
        ))
    }

    /// Whether a word of a pattern has its own meaning in the line: the user has defined it, or it is a keyword of the
    /// command. Before a bracket it is the name of a function, elsewhere that of a value.
    fn is_owned(&self, word: &str, is_member: bool, pattern_rest: &str) -> bool {
        let is_defined = if pattern_rest.trim_start().starts_with('(') {
            self.session.functions().get(word).is_some()
        } else {
            !is_member && self.is_taken(word)
        };
        is_defined || self.is_keyword(word)
    }

    /// The first name in an expression that has no value. If all names have values, the first name. For a name that waits,
    /// the letter for which it does.
    fn variable<'t>(&'t self, text: &'t str) -> &'t str {
        let names = names_in(text);
        let unknown = names.iter().find(|name| !self.session.knows(name));
        let mut found = unknown.or(names.first()).copied().unwrap_or("x");
        // Names do not wait for each other in a circle.
        while let Some(binding) = self.session.waiting_for(found) {
            found = &binding.letters[0];
        }
        found
    }

    /// A leaf below an expression. If there is none, the variable of the expression.
    fn leaf(&self, text: &str) -> String {
        let leaf_below = |name: &&str| {
            let value = self.session.names().find(name)?;
            leaves_below(self.session, value.node()?, 1).pop()
        };
        let leaf = names_in(text).iter().find_map(leaf_below);
        leaf.unwrap_or_else(|| self.variable(text).to_string())
    }

    /// A name that has neither a value nor a function.
    fn new_function(&self) -> &'static str {
        let mut names = ["f", "g", "h", "p", "q"].into_iter();
        let is_free = |name: &&str| !self.session.knows(name) && !self.session.is_function(name);
        names.find(is_free).unwrap_or("new_function")
    }

    /// Reads the expression that a row names: with the signs that it leaves out, `None` if it needs none.
    fn read_expression(&self, found: &PatternMatch) -> Result<Option<String>, Diagnostic> {
        let mut parts = found.parts.iter();
        let Some(part) = parts.find(|it| it.name == EXPRESSION) else {
            return Ok(None);
        };
        let letter = Some(found.part("name")).filter(|it| !it.is_empty());
        let read = self
            .session
            .write_signs(part.text, letter)
            .map_err(|error| syntax_diagnostic(error.behind(part.start as u32)))?;
        if read.is_none() {
            let place = Span::new(part.start, part.start + part.text.len());
            let expression = language::expression(self.line, place);
            let expression = expression.map_err(|error| explain(self.session, error))?;
            // The derivative of a letter alone would be 0 or 1.
            if let [
                Item {
                    kind: ItemKind::Name(name),
                    span,
                },
            ] = expression.items[..]
                && letter.is_none()
                && is_letter_name(name)
                && names::is_unknown(self.session, name)
                && self.session.waiting_for(name).is_none()
            {
                return Err(names::unknown_names_error(self.session, &[name], span).into());
            }
        }
        Ok(read)
    }

    /// Fills the names in braces of a message, a help or a translation. `shown` makes the text of a part: messages
    /// shorten it, a translation does not.
    fn fill(&self, text: &str, found: &PatternMatch, shown: fn(&str) -> String) -> String {
        let defined = ["defined", FUNCTION_OF_SEVERAL].map(|name| found.part(name));
        let own = self.session.functions().get(&defined.concat());
        let mut pieces = text.split('{');
        let mut filled = pieces.next().unwrap_or_default().to_string();
        let part = |name: &str| match (name, &found.read) {
            (EXPRESSION, Some(read)) => read.trim(),
            _ => found.part(name).trim(),
        };
        let claim = |value: &str| guess::claim_command(self.session, part("node"), value);
        for piece in pieces {
            let (name, rest) = piece.split_once('}').expect("the table closes each brace");
            filled += &match name {
                "mark" => self.line[found.marked_place()].trim_end().to_string(),
                "variable" => self
                    .variable(&[part("x"), part(EXPRESSION)].concat())
                    .to_string(),
                "new function" => self.new_function().to_string(),
                "leaf" => self.leaf(&[part("x"), part("waiting")].concat()),
                "head" => own.map_or_else(String::new, |it| it.head()),
                "rest" => shown(found.part(name).trim_end()),
                "numbers" => part(name).split_whitespace().collect::<Vec<_>>().join(", "),
                "map!" => build_network::map_text(self),
                "claim!" => claim(part("value")),
                "claim more!" => claim(&format!("+= {}", part("value"))),
                "claim less!" => claim(&format!("+= -({})", part("value"))),
                _ => match name.strip_suffix(" in brackets") {
                    Some(operand) => operand_text(part(operand)),
                    None => shown(part(name)),
                },
            };
            filled += rest;
        }
        filled
    }
}

/// The names in an expression.
fn names_in(text: &str) -> Vec<&str> {
    let read = language::as_expression(text);
    let names = read.as_ref().map_or_else(Vec::new, Expression::names);
    names.into_iter().map(|(name, _)| name).collect()
}

/// The expression, in brackets if it needs them as an operand.
fn operand_text(text: &str) -> String {
    let read = language::as_expression(text);
    match read.and_then(|read| Some(read.items.last()?.kind)) {
        // What cannot be read gets the brackets that keep it together.
        None | Some(ItemKind::Apply(Head::Operator(_) | Head::Range, _)) => format!("({text})"),
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
                include_str!("../block/run.rs"),
            ]
            .concat();
            assert!(code.contains(&section_name), "[{name}] is used");
            for row in rows.lines().filter(|row| !row.is_empty()) {
                assert!(PatternRow::read(row).is_some(), "{row}");
                let arrows = row.matches(['→', '⇒']).count();
                assert!(arrows == 1 || arrows == 2 && !row.contains('⇒'), "{row}");
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

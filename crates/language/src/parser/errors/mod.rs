//! Makes the error for a text that the grammar refuses, or for a tree that the parser refuses, from a row of `errors.txt`.
//!
//! The row for a text depends on the bracket around the place where the grammar stopped, on the token before the place,
//! and on the token that was found there. `grammar_stop` and `stop_places` find what is around the place, and
//! `table_names` has the names for it that the table uses. The row for a tree is found by its name. The sentences quote
//! the user's own words.

mod grammar_stop;
mod stop_places;
mod table_names;

use std::sync::LazyLock;

use self::grammar_stop::GrammarStop;
pub(crate) use self::grammar_stop::tokens;
use self::table_names::{BracketTest, TableToken};
use crate::error::{Juxtaposed, Juxtaposition, SyntaxError};
use crate::lexer::continues_name;
use crate::tree::Span;

/// The text of the table. Its first lines explain the columns.
const TABLE: &str = include_str!("errors.txt");

static ROWS: LazyLock<Vec<ErrorRow>> = LazyLock::new(|| {
    let is_row = |line: &&str| line.contains(" | ") && !line.starts_with('#');
    TABLE.lines().filter(is_row).map(ErrorRow::read).collect()
});

/// A row of the table: an error, and the condition under which it applies.
struct ErrorRow {
    /// The first cell, which is the name of a row for a tree. Such a row has no brackets and no tokens.
    name: &'static str,
    /// The brackets that may be around the place where the grammar stopped.
    brackets: Vec<BracketTest>,
    /// The tokens that may stand before the place.
    before: Vec<TableToken>,
    /// The tokens that may stand at the place.
    found: Vec<TableToken>,
    /// The name of the place that the error points at, and the words beside it, which may be empty.
    place: (&'static str, &'static str),
    /// Another place that matters, and the words beside it.
    other: Option<(&'static str, &'static str)>,
    message: &'static str,
    help: &'static str,
    /// Whether an operator is missing between the places `left` and `right`, so that the session may find a better message.
    is_juxtaposed: bool,
}

impl ErrorRow {
    /// Reads a row. Panics if the row has an unknown name, because that is a mistake in the table.
    fn read(line: &'static str) -> ErrorRow {
        let cells: Vec<&str> = line.split(" | ").map(str::trim).collect();
        let [condition @ .., places, message, help] = cells.as_slice() else {
            panic!("a row has more cells: {line}");
        };
        // Divides `open: opened here` into the name of the place and the words beside it.
        let divide = |place| str::split_once(place, ": ").unwrap_or((place, ""));
        let mut labelled_places = places.split("; ").map(divide);
        // A row for a tree has one cell, its name.
        let [around, before, found] = <[&str; 3]>::try_from(condition).unwrap_or_default();
        let brackets = around.split_whitespace().map(table_names::bracket);
        let tokens = |cell: &'static str| cell.split_whitespace().map(TableToken::from_name);
        ErrorRow {
            name: condition[0],
            brackets: brackets.collect(),
            before: tokens(before).collect(),
            found: tokens(found).collect(),
            place: labelled_places.next().unwrap_or_default(),
            other: labelled_places.next(),
            message: message.trim_start_matches('~'),
            help: if *help == "-" { "" } else { help },
            is_juxtaposed: message.starts_with('~'),
        }
    }

    /// Whether the row describes the place where the grammar stopped.
    fn fits(&self, stop: &GrammarStop<'_>) -> bool {
        let before = grammar_stop::previous(stop.found);
        self.brackets.iter().any(|is_around| is_around(stop))
            && self.before.iter().any(|it| it.describes(stop, before))
            && self.found.iter().any(|it| it.describes(stop, stop.found))
    }

    /// The error of this row.
    fn error(&self, filling: &Filling<'_>) -> SyntaxError {
        let labelled = |(place, label): (&str, &str)| ((filling.span)(place), label.to_string());
        let (span, label) = labelled(self.place);
        let juxtaposed = self.is_juxtaposed.then(|| filling.juxtaposition());
        let (message, help) = (filling.fill(self.message), filling.fill_help(self.help));
        SyntaxError {
            label,
            other: self.other.map(labelled),
            juxtaposed: juxtaposed.map(Box::new),
            ..SyntaxError::new(span, message, help)
        }
    }
}

/// Fills a row with places of the user's text, and with the words there.
struct Filling<'f> {
    /// Finds the place with a name.
    span: &'f dyn Fn(&str) -> Span,
    /// Quotes the words at the place with a name.
    words: &'f dyn Fn(&str) -> String,
    /// Returns whether a line that a help suggests is a statement.
    is_statement: fn(&str) -> bool,
}

impl Filling<'_> {
    /// A sentence with the user's words in place of the names in braces.
    fn fill(&self, sentence: &str) -> String {
        let mut filled = String::new();
        for (nth, part) in sentence.split(['{', '}']).enumerate() {
            match nth % 2 {
                0 => filled.push_str(part),
                _ => filled.push_str(&(self.words)(part)),
            }
        }
        filled
    }

    /// A help with the user's words. Leaves out the sentences that suggest a line that is not a statement. A `;` separates
    /// the sentences.
    fn fill_help(&self, help: &str) -> String {
        let is_valid = |sentence: &&str| self.suggests_statements(sentence);
        let valid: Vec<&str> = help.split("; ").filter(is_valid).collect();
        self.fill(&valid.join("; "))
    }

    /// Whether each line that a sentence suggests is a statement, or has a `…` for the user to fill in.
    fn suggests_statements(&self, sentence: &str) -> bool {
        let quoted = sentence.split('`').skip(1).step_by(2);
        quoted.filter(|quoted| is_suggestion(quoted)).all(|quoted| {
            let line = self.fill(quoted);
            line.contains('…') || (self.is_statement)(&line)
        })
    }

    /// The operands between which an operator is missing.
    fn juxtaposition(&self) -> Juxtaposed {
        let right = (self.words)("right");
        Juxtaposed {
            left: (self.words)("left"),
            right: match right.as_str() {
                "" => Juxtaposition::NoArguments,
                "'" => Juxtaposition::Prime,
                _ => Juxtaposition::Operand(right),
            },
        }
    }
}

/// Whether a quoted text of a help suggests a line: it has words of its own besides those of the user. `{left}` alone is
/// only a quotation.
fn is_suggestion(quoted: &str) -> bool {
    let is_name_alone = quoted.starts_with('{') && quoted.find('}') == Some(quoted.len() - 1);
    quoted.contains('{') && !is_name_alone
}

/// The error for a tree, from the row with this name. `parts` are the places that the row names.
pub(super) fn tree_error(text: &str, row_name: &str, parts: &[(&str, Span)]) -> SyntaxError {
    let span = |name: &str| {
        let part = parts.iter().find(|(known, _)| *known == name);
        debug_assert!(part.is_some(), "the error has no `{name}`");
        part.map_or(Span::default(), |(_, span)| *span)
    };
    let row = ROWS.iter().find(|row| row.name == row_name);
    row.unwrap_or_else(|| panic!("the table has no row `{row_name}`"))
        .error(&Filling {
            span: &span,
            words: &|name| span(name).quote(text),
            is_statement: |_| true,
        })
}

/// The error for the text of `region`, which the grammar has read up to `stop`. Its help suggests a line only if
/// `is_statement` accepts the line.
pub(super) fn text_error(
    text: &str,
    region: Span,
    stop: u32,
    is_statement: fn(&str) -> bool,
) -> SyntaxError {
    if region.start == region.end {
        return SyntaxError::missing_expression(region);
    }
    let grammar_stop = GrammarStop::new(text, region, stop);
    let row = ROWS.iter().find(|row| row.fits(&grammar_stop));
    let error = row.expect("a row fits everywhere").error(&Filling {
        span: &|name| table_names::place(name)(&grammar_stop),
        words: &|name| table_names::quoted_words(name, &grammar_stop),
        is_statement,
    });
    if error.span.start == error.span.end {
        error.label("an expression is missing")
    } else {
        error
    }
}

/// A number together with the letters, digits and signs directly before and after it. Commas and primes count only if
/// another of these characters follows.
pub(super) fn number_run(text: &str, span: Span) -> Span {
    let (before, rest) = text.split_at(span.start as usize);
    let is_part = |c: char| continues_name(c) || c == '.';
    let is_separator = |c: char| matches!(c, ',' | '\'' | '’');
    let start = before.trim_end_matches(is_part).len();
    let end = rest.find(|c: char| !is_part(c) && !is_separator(c));
    let run = rest[..end.unwrap_or(rest.len())].trim_end_matches(is_separator);
    Span::new(start, before.len() + run.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_has_only_names_that_are_known() {
        for row in ROWS.iter().filter(|row| !row.brackets.is_empty()) {
            let sentences = [row.message, row.help].into_iter();
            let words = sentences.flat_map(|text| text.split(['{', '}']).skip(1).step_by(2));
            let places = [Some(row.place), row.other].into_iter().flatten();
            words.chain(places.map(|it| it.0)).for_each(|name| {
                table_names::place(name);
            });
        }
        assert!(ROWS.len() > 100);
    }

    #[test]
    #[should_panic(expected = "`oprand`")]
    fn an_unknown_class_is_found_when_the_table_is_read() {
        ErrorRow::read("any | oprand | , | next | a message | a help");
    }
}

//! Makes the error for a text that the grammar refuses, or for a tree that the parser refuses, from a row of `errors.txt`.
//!
//! The row depends on the bracket around the place where the grammar stopped, on the token before the place, and on the
//! token that was found there. `grammar_stop` finds the tokens around the place, and `table_names` gives them the names
//! that the table uses. The sentences quote the user's own words.

mod grammar_stop;
mod table_names;

use std::sync::LazyLock;

use self::grammar_stop::GrammarStop;
pub(super) use self::grammar_stop::tokens;
use self::table_names::{BracketTest, TableToken};
use crate::error::{Juxtaposed, Juxtaposition, SyntaxError};
use crate::lexer::continues_name;
use crate::tree::Span;

/// The rows. Its first lines say how to read them.
const TABLE: &str = include_str!("errors.txt");

static ROWS: LazyLock<Vec<ErrorRow>> = LazyLock::new(|| {
    let is_row = |line: &&str| line.contains(" | ") && !line.starts_with('#');
    TABLE.lines().filter(is_row).map(ErrorRow::read).collect()
});

/// A row of the table. A row for a tree is found by its name. A row for a text has the brackets and tokens that may be
/// around the place where the grammar stopped.
struct ErrorRow {
    name: &'static str,
    brackets: Vec<BracketTest>,
    before: Vec<TableToken>,
    found: Vec<TableToken>,
    /// The name of the place that the error points at, and the words beside it, which may be empty.
    place: (&'static str, &'static str),
    /// Another place that matters, and the words beside it.
    other: Option<(&'static str, &'static str)>,
    message: &'static str,
    help: &'static str,
    /// Whether the session may know more about `left` and `right`.
    is_juxtaposed: bool,
}

impl ErrorRow {
    /// Reads a row. A name that nobody knows is a mistake in the table.
    fn read(line: &'static str) -> ErrorRow {
        let cells: Vec<&str> = line.split(" | ").map(str::trim).collect();
        let [around @ .., places, message, help] = cells.as_slice() else {
            panic!("a row has more cells: {line}");
        };
        // `open: opened here`
        let labelled = |place| str::split_once(place, ": ").unwrap_or((place, ""));
        let mut labelled_places = places.split("; ").map(labelled);
        let mut row = ErrorRow {
            name: around[0],
            brackets: Vec::new(),
            before: Vec::new(),
            found: Vec::new(),
            place: labelled_places.next().unwrap_or_default(),
            other: labelled_places.next(),
            message: message.trim_start_matches('~'),
            help: if *help == "-" { "" } else { help },
            is_juxtaposed: message.starts_with('~'),
        };
        if let [brackets, before, found] = around {
            row.brackets = brackets.split(' ').map(table_names::bracket).collect();
            row.before = before.split(' ').map(TableToken::from_name).collect();
            row.found = found.split(' ').map(TableToken::from_name).collect();
        }
        row
    }

    /// Whether the row describes the place where the grammar stopped.
    fn fits(&self, stop: &GrammarStop<'_>) -> bool {
        let before = grammar_stop::before(stop.found);
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
    /// Says whether a line that a help offers is a statement.
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

    /// A help with the user's words. Its sentences are separated by `;`, and those that offer a line that is not a
    /// statement are left out.
    fn fill_help(&self, help: &str) -> String {
        let sentences = help.split("; ");
        let right: Vec<&str> = sentences.filter(|it| self.offers_statements(it)).collect();
        self.fill(&right.join("; "))
    }

    /// Whether all that a sentence offers to type are statements, or have a `…` for the user to fill in.
    fn offers_statements(&self, sentence: &str) -> bool {
        let quoted = sentence.split('`').skip(1).step_by(2);
        quoted.filter(|quoted| is_offer(quoted)).all(|quoted| {
            let offer = self.fill(quoted);
            offer.contains('…') || (self.is_statement)(&offer)
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

/// Whether a quoted text of a help offers a line: it has words of its own beside those of the user. `{left}` alone is
/// only a quotation.
fn is_offer(quoted: &str) -> bool {
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

/// The error for the text of `region`, which the grammar has read up to `stop`. Its help offers a line only
/// if `is_statement` accepts the line.
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

/// A number together with the characters directly before and after it. A comma belongs to it only inside.
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

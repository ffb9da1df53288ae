//! Explains what is wrong with a text that the grammar refuses, or with a tree, by means of a row of `errors.txt`.
//!
//! The row depends on the bracket around the place where the grammar stopped, on the token before the place and on the
//! token that was found there: `grammar_stop` finds the tokens around the place, and `table_names` gives them the names
//! that the table uses. The sentences quote the user's own words.

mod grammar_stop;
mod table_names;

use std::sync::LazyLock;

use self::grammar_stop::GrammarStop;
pub(super) use self::grammar_stop::tokens;
use self::table_names::{Bracket, Token};
use crate::error::{Juxtaposed, Juxtaposition, SyntaxError};
use crate::lexer::continues_name;
use crate::tree::Span;

/// The rows; its first lines say how to read them.
const TABLE: &str = include_str!("errors.txt");

static ROWS: LazyLock<Vec<ErrorRow>> = LazyLock::new(|| {
    let rows = TABLE.lines().filter(|line| line.contains(" | "));
    let rows = rows.filter(|line| !line.starts_with('#'));
    rows.map(ErrorRow::read).collect()
});

/// A row of the table. A row for a tree is found by its name. A row for a text has the brackets and tokens that may be
/// around the place where the grammar stopped.
struct ErrorRow {
    name: &'static str,
    brackets: Vec<Bracket>,
    before: Vec<Token>,
    found: Vec<Token>,
    /// The place that the error points at, and the words beside it.
    place: (&'static str, &'static str),
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
        let mut places = places
            .split("; ")
            .map(|place| place.split_once(": ").unwrap_or((place, "")));
        let mut row = ErrorRow {
            name: around[0],
            brackets: Vec::new(),
            before: Vec::new(),
            found: Vec::new(),
            place: places.next().unwrap_or_default(),
            other: places.next(),
            message: message.trim_start_matches('~'),
            help: if *help == "-" { "" } else { help },
            is_juxtaposed: message.starts_with('~'),
        };
        if let [brackets, before, found] = around {
            row.brackets = brackets.split(' ').map(table_names::bracket).collect();
            row.before = before.split(' ').map(Token::from_name).collect();
            row.found = found.split(' ').map(Token::from_name).collect();
        }
        row
    }

    /// Its error, in which `span` finds the places and `word` the words. Offers in its help are shown if `is_right`.
    fn error(
        &self,
        span: impl Fn(&str) -> Span,
        word: impl Fn(&str) -> String,
        is_right: fn(&str) -> bool,
    ) -> SyntaxError {
        let fill = |sentence: &str| -> String {
            let parts = sentence.split(['{', '}']).enumerate();
            let parts = parts.map(|(count, part)| match count % 2 {
                0 => part.to_string(),
                _ => word(part),
            });
            parts.collect()
        };
        let sides = || {
            let [left, right] = ["left", "right"].map(&word);
            let right = match right.as_str() {
                "" => Juxtaposition::NoArguments,
                "'" => Juxtaposition::Prime,
                _ => Juxtaposition::Operand(right),
            };
            Box::new(Juxtaposed { left, right })
        };
        let (place, label) = self.place;
        SyntaxError {
            label: label.to_string(),
            other: self
                .other
                .map(|(place, label)| (span(place), label.to_string())),
            juxtaposed: self.is_juxtaposed.then(sides),
            ..SyntaxError::new(
                span(place),
                fill(self.message),
                fill(&right_help(self.help, fill, is_right)),
            )
        }
    }
}

/// The sentences of a help, between which there is a `;`, without those with an offer that is not right. An offer has
/// words of the user among its own, which `fill` gives.
fn right_help(help: &str, fill: impl Fn(&str) -> String, is_right: fn(&str) -> bool) -> String {
    let is_offer = |quoted: &&str| {
        let alone = quoted.starts_with('{') && quoted.find('}') == Some(quoted.len() - 1);
        quoted.contains('{') && !alone
    };
    let has_right_offers = |sentence: &&str| {
        let quoted = sentence.split('`').skip(1).step_by(2);
        let mut offers = quoted.filter(is_offer).map(&fill);
        offers.all(|offer| offer.contains('…') || is_right(&offer))
    };
    let sentences: Vec<&str> = help.split("; ").filter(has_right_offers).collect();
    sentences.join("; ")
}

/// The error for a tree, from the row with this name. `parts` are the places and words of the row.
pub(super) fn tree_error(text: &str, name: &str, parts: &[(&str, Span)]) -> SyntaxError {
    let part = |name: &str| {
        let part = parts.iter().find(|(known, _)| *known == name);
        debug_assert!(part.is_some(), "the error has no `{name}`");
        part.map_or(Span::default(), |(_, span)| *span)
    };
    let row = ROWS.iter().find(|row| row.name == name);
    let row = row.unwrap_or_else(|| panic!("the table has no row `{name}`"));
    row.error(part, |name| part(name).quote(text), |_| true)
}

/// The error for the text of `region`, of which the grammar has read everything before `stop`. It offers what `is_right`.
pub(super) fn text_error(
    text: &str,
    region: Span,
    stop: u32,
    is_right: fn(&str) -> bool,
) -> SyntaxError {
    if region.start == region.end {
        return SyntaxError::missing_expression(region);
    }
    let stop = GrammarStop::new(text, region, stop);
    let last = stop.at.wrapping_sub(1);
    let fits = |row: &&ErrorRow| {
        row.brackets.iter().any(|is_around| is_around(&stop))
            && row.before.iter().any(|token| token.is_at(&stop, last))
            && row.found.iter().any(|token| token.is_at(&stop, stop.at))
    };
    let row = ROWS.iter().find(fits).expect("a row fits everywhere");
    let span = |name: &str| table_names::place(name)(&stop);
    let error = row.error(span, |name| table_names::word(name, &stop), is_right);
    if error.span.start == error.span.end {
        error.label("an expression is missing")
    } else {
        error
    }
}

/// A number with the characters directly before and after it; a comma belongs to it only inside.
pub(super) fn number_run(text: &str, span: Span) -> Span {
    let (before, rest) = text.split_at(span.start as usize);
    let belongs = |c: char| continues_name(c) || c == '.';
    let start = before.trim_end_matches(belongs).len();
    let end = rest.find(|c: char| !belongs(c) && !matches!(c, ',' | '\'' | '’'));
    let run = &rest[..end.unwrap_or(rest.len())];
    let run = run.trim_end_matches([',', '\'', '’']);
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
            words
                .chain(places.map(|(place, _)| place))
                .for_each(|name| {
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

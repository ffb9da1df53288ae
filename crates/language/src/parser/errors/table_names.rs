//! Defines the names that `errors.txt` uses. The table `BRACKETS` has the kinds of brackets, `TOKENS` has the classes of
//! tokens, and `PLACES` has the places that a message points at or quotes. Each name stands for a function of a
//! [`GrammarStop`]. The comment above a row is an example, or says when the row applies.

use super::grammar_stop::{BEFORE_FIRST, GrammarStop, previous};
use super::number_run;
use crate::grammar::Rule;
use crate::tree::Span;

/// Whether the place is in a bracket of this kind, or in this part of a statement.
pub(super) type BracketTest = fn(&GrammarStop<'_>) -> bool;

/// Whether a token, given by its index, belongs to a class. There may be no token with this index: it may be
/// [`BEFORE_FIRST`], or the number of tokens.
type TokenClass = fn(&GrammarStop<'_>, usize) -> bool;

/// Finds a place that a message points at or quotes.
pub(super) type StopPlace = fn(&GrammarStop<'_>) -> Span;

/// A token in the table: a class of tokens, or a text.
pub(super) enum TableToken {
    Class(TokenClass),
    Text(&'static str),
}

#[rustfmt::skip]
const BRACKETS: &[(&str, BracketTest)] = &[
    // Always.
    ("any", |_| true),
    // No bracket is open.
    ("outside", |stop| stop.around.open_bracket.is_none()),
    // Some bracket is open.
    ("inside", |stop| stop.around.open_bracket.is_some()),
    // In `(a + b)`.
    ("group", |stop| stop.is_in("group")),
    // In `f(x)`.
    ("call", |stop| stop.is_in("call")),
    // In `[a, b]`.
    ("list", |stop| stop.is_in("list")),
    // In `w[0]`.
    ("index", |stop| stop.is_in("index")),
    // In `w [0]`, with a blank.
    ("index-apart", |stop| stop.is_in("index-apart")),
    // In the second bracket of `[1, 2] [3]`, or in that of `2 [3]`.
    ("list-after-value", |stop| stop.is_in("list-after-value")),
    // After a `for` in the same bracket.
    ("after-for", |stop| stop.around.for_word.is_some() && stop.around.in_word.is_none()),
    // After the `in` of a `for` in the same bracket.
    ("after-in", |stop| stop.around.in_word.is_some()),
    // After a `±`, up to a comma.
    ("width", |stop| stop.around.plus_minus.is_some()),
    // After the `=` of the statement.
    ("binding", |stop| stop.equals.is_some()),
    // After the `=` of the statement, if only one token, its name, stands before the `=`.
    ("binding-of-one", |stop| stop.equals == Some(1)),
    // After the `=` of `f(x) = …`.
    ("definition", |stop| {
        let is_end_of_head = |equals| stop.word(previous(equals)) == ")";
        stop.around.open_bracket.is_none() && stop.equals.is_some_and(is_end_of_head)
    }),
    // Between the brackets of `f(x) = …`. The bracket is the second token.
    ("parameters", |stop| stop.around.open_bracket == Some(1) && stop.word(stop.closing_bracket(1) + 1) == "="),
];

#[rustfmt::skip]
const TOKENS: &[(&str, TokenClass)] = &[
    // Any token, also the missing token at the beginning or end of the text.
    ("any", |_, _| true),
    // Before the first token.
    ("start", |_, token| token == BEFORE_FIRST),
    // After the last token.
    ("end", is_end),
    // After the last token, if `;` follows.
    ("end-before-semicolon", |stop, token| {
        let rest = &stop.text[stop.region.end as usize..];
        is_end(stop, token) && rest.trim_start().starts_with(';')
    }),
    // The end of an operand.
    ("operand", |stop, token| stop.ends_operand(token)),
    // Any token that does not end an operand.
    ("sign", |stop, token| stop.rule(token) != Rule::EOI && !stop.ends_operand(token)),
    // The beginning of an operand.
    ("term", |stop, token| stop.begins_operand(token)),
    // `x1`
    ("name", |stop, token| stop.rule(token) == Rule::name),
    // `2.5`
    ("number", |stop, token| stop.rule(token) == Rule::number),
    // `+`, `<`
    ("infix", is_infix),
    // `+`, `-`, a comparison, or the `%` of per cent.
    ("sum", is_sum),
    // The `+` before another measured number, as in `2 ± 0.1 + 3 ± 0.1`.
    ("measured", |stop, token| {
        let mut part = token..=stop.part_end(token);
        is_infix(stop, token) && part.any(|at| stop.rule(at) == Rule::plus_minus)
    }),
    // `=`, `+=`
    ("equals", |stop, token| stop.rule(token) == Rule::equals),
    // `"a"`
    ("quoted", |stop, token| stop.rule(token) == Rule::quoted),
    // A character that means nothing anywhere.
    ("stray", |stop, token| stop.rule(token) == Rule::stray),
    // A blank that is not one of the usual ones.
    ("blank", |stop, token| stop.rule(token) == Rule::stray && stop.word(token).trim().is_empty()),
    // `²`
    ("superscript", |stop, token| stop.rule(token) == Rule::superscript),
    // `'`
    ("prime", |stop, token| stop.rule(token) == Rule::primes || stop.word(token).starts_with('\'')),
    // The end of an operand after a name.
    ("computed", |stop, token| stop.ends_operand(token) && (0..=token).any(|at| stop.rule(at) == Rule::name)),
    // The name that the text begins with.
    ("alone", |stop, token| token == 0 && stop.rule(token) == Rule::name),
    // A number without a blank before it.
    ("glued", |stop, token| stop.rule(token) == Rule::number && stop.is_adjacent(token)),
    // The `e` of `1.25(3)e-19`.
    ("exponent-after-bracket", |stop, token| {
        let is_glued = (token..token + 3).all(|at| stop.is_adjacent(at));
        matches!(stop.word(token), "e" | "E") && is_glued
    }),
    // The `°` of `20 °C`.
    ("temperature", |stop, token| stop.word(token) == "°" && matches!(stop.word(token + 1), "C" | "F")),
    // The `deg` of `30 deg`.
    ("degree-word", |stop, token| stop.is_in_degrees(previous(token))),
    // The `30` of `30 deg`.
    ("number-of-degrees", |stop, token| stop.is_in_degrees(token)),
    // The `b` of `a, b`.
    ("name-after-comma", |stop, token| stop.rule(token) == Rule::name && stop.rule(previous(token)) == Rule::comma),
    // `.5`
    ("number-from-point", |stop, token| stop.rule(token) == Rule::number && stop.word(token).starts_with('.')),
    // The `000` of `1 000`.
    ("three-digits", |stop, token| stop.rule(token) == Rule::number && stop.word(token).len() == 3),
    // The prime of `1'000`.
    ("prime-then-digits", |stop, token| {
        let next = token + 1;
        stop.rule(token) == Rule::primes
            && stop.rule(next) == Rule::number
            && stop.is_adjacent(next)
    }),
    // `0xff`
    ("based-number", |stop, token| {
        const BASES: [char; 6] = ['x', 'X', 'o', 'O', 'b', 'B'];
        stop.rule(token) == Rule::number && stop.word(token).contains(BASES)
    }),
    // The `_` of `1_`.
    ("underscore", |stop, token| stop.is_adjacent(token) && stop.word(token).starts_with('_')),
    // The `:` of `1:5`.
    ("colon-then-number", |stop, token| stop.word(token) == ":" && stop.rule(token + 1) == Rule::number),
    // A `for` that has its `in`.
    ("whole-for", |stop, token| stop.word(token) == "for" && stop.in_after_found().is_some()),
    // The `in` of the `for` before it.
    ("in-of-for", |stop, token| stop.around.in_word == Some(token)),
    // The end of `[a, b]`.
    ("list", |stop, token| stop.word(token) == "]" && stop.rule(stop.operand_start(token)) == Rule::list_open),
    // The end of `w[2]`, if the text begins with it.
    ("item", |stop, token| {
        let begins_text = stop.operand_start(token) == 0;
        let is_item = stop.word(0) != "[" && stop.rule(1) != Rule::open;
        stop.word(token) == "]" && begins_text && is_item
    }),
    // The `w` of `w[2]`.
    ("name-with-index", |stop, token| {
        let next = token + 1;
        stop.rule(token) == Rule::name && stop.is_adjacent(next) && stop.word(next) == "["
    }),
    // The `=` of `label='a'`.
    ("equals-after-label", |stop, token| {
        stop.word(token) == "=" && matches!(stop.word(previous(token)), ".label" | "label")
    }),
    // The second `=` of `a = b = 1`.
    ("chained", |stop, token| token == 2 && stop.equals == Some(1) && stop.word(1) == "="),
    // The comma of `1,000`.
    ("comma-of-thousands", |stop, _| {
        let number = stop.number_with_commas().unwrap_or_default();
        let digits = |rest: &str| rest.find([',', '.']).unwrap_or(rest.len());
        let parts = number.split_once(',');
        parts.is_some_and(|(whole, rest)| digits(rest) == 3 && !whole.contains('.'))
    }),
    // The comma of `1,5`.
    ("decimal-comma", |stop, _| {
        let number = stop.number_with_commas().unwrap_or_default();
        number.matches([',', '.']).count() == 1
    }),
    // The `f` of `f(x) = …`.
    ("head-of-definition", |stop, token| {
        let open = token + 1;
        stop.rule(open) == Rule::open && stop.rule(stop.closing_bracket(open) + 1) == Rule::equals
    }),
    // The end of `f'(x)`, if the text begins with it.
    ("call-of-derivative", |stop, token| stop.is_call_end(token) && stop.rule(1) == Rule::primes),
    // The end of `f()`, if the text begins with it.
    ("empty-call", |stop, token| stop.is_call_end(token) && token == 2),
    // The end of `f(x, y)`, if the text begins with it.
    ("call-with-names", |stop, token| stop.is_call_end(token) && stop.wrong_parameter().is_none()),
    // The end of any other call, if the text begins with it.
    ("any-call", |stop, token| stop.is_call_end(token)),
];

fn is_end(stop: &GrammarStop<'_>, token: usize) -> bool {
    token == stop.tokens.len()
}

fn is_infix(stop: &GrammarStop<'_>, token: usize) -> bool {
    matches!(stop.rule(token), Rule::operator | Rule::comparison)
}

fn is_sum(stop: &GrammarStop<'_>, token: usize) -> bool {
    let word = stop.word(token);
    let is_per_cent = word == "%" && stop.is_adjacent(token) && !stop.begins_operand(token + 1);
    matches!(word, "+" | "-" | "−") || stop.rule(token) == Rule::comparison || is_per_cent
}

/// Words in the table that are texts of tokens. All other words are names of classes.
const LITERAL_WORDS: [&str; 8] = ["and", "const", "else", "for", "if", "in", "is", "or"];

/// The places by name. If a text has no such place, the function returns some other place of the text.
#[rustfmt::skip]
const PLACES: &[(&str, StopPlace)] = &[
    ("next", |stop| stop.token_span(stop.found)),
    // The same place as `next`. `quoted_words` quotes other words for these three names.
    ("found", |stop| stop.token_span(stop.found)),
    ("grouped", |stop| stop.token_span(stop.found)),
    ("point", |stop| stop.token_span(stop.found)),
    ("before", |stop| stop.token_span(stop.last_read_token())),
    ("both", |stop| stop.span(stop.last_read_token(), stop.found)),
    // The operand before the place.
    ("left", |stop| stop.operand_before(stop.found)),
    ("left-and-next", |stop| stop.span(stop.operand_start(stop.last_read_token()), stop.found)),
    // The operand at the place, and the one after its token.
    ("right", |stop| stop.operand(stop.found)),
    ("behind", |stop| stop.operand(stop.found + 1)),
    // The text from a comma or bracket up to the place, and the text from the place on.
    ("piece", |stop| stop.part_before(stop.found)),
    ("next-piece", |stop| stop.span(stop.found, stop.part_end(stop.found))),
    ("rest", |stop| stop.rest()),
    // The open bracket, what stands before it, and all up to the bracket that closes it.
    ("open", |stop| stop.token_span(stop.open_bracket_or_first())),
    ("list", |stop| stop.operand_before(stop.open_bracket_or_first())),
    ("brackets", |stop| {
        let open = stop.open_bracket_or_first();
        stop.span(open, stop.closing_bracket(open))
    }),
    // Parts of `body for k in list`.
    ("body", |stop| stop.part_before(stop.for_word_or_found())),
    ("loop", |stop| stop.span(stop.for_word_or_found(), stop.last_read_token())),
    ("whole-loop", |stop| stop.span(stop.for_word_or_found(), stop.part_end(stop.for_word_or_found()))),
    ("each", |stop| stop.span(stop.found, stop.in_after_found().unwrap_or(stop.found))),
    // Parts of `value ± operand`.
    ("width", |stop| stop.token_span(stop.plus_minus_or_before())),
    ("measured", |stop| stop.measurement()),
    ("operand", |stop| stop.span(stop.plus_minus_or_before() + 1, stop.part_end(stop.found))),
    // The value of a binding: up to the place, and up to the end.
    ("all", |stop| stop.span(stop.value_start(), stop.last_read_token())),
    ("bodies", |stop| stop.span(stop.value_start(), stop.tokens.len())),
    // The same place as `bodies`, with other words.
    ("values", |stop| stop.span(stop.value_start(), stop.tokens.len())),
    // Parts of a text that begins with `f'(x)` or `w[2]`.
    ("function", |stop| stop.token_span(0)),
    ("primes", |stop| stop.token_span(1)),
    ("parentheses", |stop| stop.span(1, stop.last_read_token())),
    ("parameter", |stop| stop.wrong_parameter().unwrap_or_default()),
    ("item", |stop| stop.span(0, stop.last_read_token())),
    // The number before the place, with the letters, digits and signs directly before and after it.
    ("run", |stop| number_run(stop.text, stop.token_span(stop.last_read_token()))),
];

/// The entry of a table with this name.
fn find<T: Copy>(table: &[(&str, T)], name: &str) -> Option<T> {
    let row = table.iter().find(|(known, _)| *known == name);
    row.map(|(_, entry)| *entry)
}

/// Finds the test for a bracket. An unknown name is a mistake in the table.
pub(super) fn bracket(name: &str) -> BracketTest {
    find(BRACKETS, name).unwrap_or_else(|| panic!("no bracket is called `{name}`"))
}

/// Finds a place. An unknown name is a mistake in the table.
pub(super) fn place(name: &str) -> StopPlace {
    find(PLACES, name).unwrap_or_else(|| panic!("no place is called `{name}`"))
}

/// The words that a message quotes from the place with this name. For some names they differ from the user's text, so that
/// a help can suggest them.
pub(super) fn quoted_words(name: &str, stop: &GrammarStop<'_>) -> String {
    let quoted = place(name)(stop).quote(stop.text);
    let number = || stop.number_with_commas().unwrap_or_default();
    match name {
        "grouped" => number().replace(',', "_"),
        "point" => number().replace(',', "."),
        "values" => separate_bindings(&quoted),
        // numpy's `W[1, 2]` is `W[1][2]` here.
        "item" => quoted.replace(", ", "]["),
        "right" if stop.is_in_degrees(stop.found) => format!("{quoted}*pi/180"),
        "found" if is_end(stop, stop.found) => "the end".to_string(),
        "found" => format!("`{quoted}`"),
        _ => quoted,
    }
}

/// Puts a `;` in place of each comma before a binding: `1, b = 2` becomes `1; b = 2`.
fn separate_bindings(values: &str) -> String {
    let mut separated = String::new();
    for (nth, part) in values.split(',').enumerate() {
        let left_side = part.split_once('=').map(|(name, _)| name.trim());
        let is_binding = left_side.is_some_and(crate::is_name);
        if nth > 0 {
            separated.push(if is_binding { ';' } else { ',' });
        }
        separated.push_str(part);
    }
    separated
}

impl TableToken {
    pub(super) fn from_name(name: &'static str) -> TableToken {
        let names_class = name.contains(char::is_alphabetic) && !LITERAL_WORDS.contains(&name);
        match find(TOKENS, name) {
            Some(class) => TableToken::Class(class),
            None if names_class => panic!("no token is called `{name}`"),
            None => TableToken::Text(name),
        }
    }

    /// Whether this token of the table describes a token of the text.
    pub(super) fn describes(&self, stop: &GrammarStop<'_>, token: usize) -> bool {
        match self {
            TableToken::Class(class) => class(stop, token),
            TableToken::Text(text) => stop.word(token) == *text,
        }
    }
}

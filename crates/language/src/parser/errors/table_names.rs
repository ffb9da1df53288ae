//! The names in `errors.txt` for brackets, classes of tokens and places, and what each means.

use super::grammar_stop::GrammarStop;
use super::number_run;
use crate::grammar::Rule;
use crate::tree::Span;

/// Whether the place is in such a bracket, or in such a part of a statement.
pub(super) type Bracket = fn(&GrammarStop<'_>) -> bool;

/// A token in the table: a class of tokens, or a text.
pub(super) enum Token {
    Class(TokenClass),
    Text(&'static str),
}

type TokenClass = fn(&GrammarStop<'_>, usize) -> bool;

/// Finds a place that a message points at or quotes.
pub(super) type StopPlace = fn(&GrammarStop<'_>) -> Span;

#[rustfmt::skip]
const BRACKETS: &[(&str, Bracket)] = &[
    // Always.
    ("any", |_| true),
    // No bracket is open.
    ("outside", |stop| stop.open.is_none()),
    // Some bracket is open.
    ("inside", |stop| stop.open.is_some()),
    // In `(a + b)`.
    ("group", |stop| stop.bracket() == "group"),
    // In `f(x)`.
    ("call", |stop| stop.bracket() == "call"),
    // In `[a, b]`.
    ("list", |stop| stop.bracket() == "list"),
    // In `w[0]`.
    ("index", |stop| stop.bracket() == "index"),
    // In `w [0]`, with a blank.
    ("index-apart", |stop| stop.bracket() == "index-apart"),
    // In the second of `[1, 2] [3]`, or in `2 [3]`.
    ("list-after-value", |stop| stop.bracket() == "list-after-value"),
    // After a `for` in the same bracket.
    ("after-for", |stop| matches!(stop.each, Some((_, None)))),
    // After its `in`.
    ("after-in", |stop| matches!(stop.each, Some((_, Some(_))))),
    // After a `±`, up to a comma.
    ("width", |stop| stop.width.is_some()),
    // After the `=` of the statement.
    ("binding", |stop| stop.sign.is_some()),
    // The same with one name before it.
    ("binding-of-one", |stop| stop.sign == Some(1)),
    // After the `=` of `f(x) = …`.
    ("definition", |stop| stop.open.is_none() && stop.sign.is_some_and(|sign| stop.of(sign.wrapping_sub(1)) == ")")),
    // Between the brackets of `f(x) = …`.
    ("parameters", |stop| stop.open == Some(1) && stop.of(stop.partner(1) + 1) == "="),
];

#[rustfmt::skip]
const TOKENS: &[(&str, TokenClass)] = &[
    // Any, also none.
    ("any", |_, _| true),
    // Before the first.
    ("start", |_, at| at == usize::MAX),
    // After the last.
    ("end", |stop, at| at == stop.tokens.len()),
    // After the last, where `;` follows.
    ("end-before-semicolon", |stop, at| at == stop.tokens.len() && stop.text[stop.region.end as usize..].trim_start().starts_with(';')),
    // The end of an operand.
    ("operand", |stop, at| stop.ends_operand(at)),
    // Anything else than the end of an operand.
    ("sign", |stop, at| stop.rule(at) != Rule::EOI && !stop.ends_operand(at)),
    // The beginning of an operand.
    ("term", |stop, at| stop.begins_operand(at)),
    // `x1`
    ("name", |stop, at| stop.rule(at) == Rule::name),
    // `2.5`
    ("number", |stop, at| stop.rule(at) == Rule::number),
    // `+`, `<`
    ("infix", |stop, at| matches!(stop.rule(at), Rule::operator | Rule::comparison)),
    // `+`, `-`, a comparison, or the `%` of per cent.
    ("sum", |stop, at| {
        let is_per_cent = stop.of(at) == "%" && stop.is_adjacent(at) && !stop.begins_operand(at + 1);
        matches!(stop.of(at), "+" | "-" | "−") || stop.rule(at) == Rule::comparison || is_per_cent
    }),
    // An operator with another measured number after it.
    ("measured", |stop, at| {
        let mut behind = at..=stop.part_end(at, true);
        matches!(stop.rule(at), Rule::operator | Rule::comparison) && behind.any(|at| stop.rule(at) == Rule::plus_minus)
    }),
    // `=`, `+=`
    ("equals", |stop, at| stop.rule(at) == Rule::equals),
    // `"a"`
    ("quoted", |stop, at| stop.rule(at) == Rule::quoted),
    // What means nothing anywhere.
    ("stray", |stop, at| stop.rule(at) == Rule::stray),
    // A blank that is none of the usual ones.
    ("blank", |stop, at| stop.rule(at) == Rule::stray && stop.of(at).trim().is_empty()),
    // `²`
    ("superscript", |stop, at| stop.rule(at) == Rule::superscript),
    // `'`
    ("prime", |stop, at| stop.rule(at) == Rule::primes || stop.of(at).starts_with('\'')),
    // The end of an operand with a name before it.
    ("computed", |stop, at| stop.ends_operand(at) && (0..=at).any(|at| stop.rule(at) == Rule::name)),
    // The name that the text begins with.
    ("alone", |stop, at| at == 0 && stop.rule(at) == Rule::name),
    // A number without a blank before it.
    ("glued", |stop, at| stop.rule(at) == Rule::number && stop.is_adjacent(at)),
    // The `e` of `1.25(3)e-19`.
    ("exponent-after-bracket", |stop, at| matches!(stop.of(at), "e" | "E") && (at..at + 3).all(|at| stop.is_adjacent(at))),
    // The `°` of `20 °C`.
    ("temperature", |stop, at| stop.of(at) == "°" && matches!(stop.of(at + 1), "C" | "F")),
    // The `deg` of `30 deg`.
    ("degree-word", |stop, at| stop.is_in_degrees(at.wrapping_sub(1))),
    // The `30` of it.
    ("number-of-degrees", |stop, at| stop.is_in_degrees(at)),
    // The `b` of `a, b`.
    ("name-after-comma", |stop, at| stop.rule(at) == Rule::name && stop.rule(at.wrapping_sub(1)) == Rule::comma),
    // `.5`
    ("number-from-point", |stop, at| stop.rule(at) == Rule::number && stop.of(at).starts_with('.')),
    // The `000` of `1 000`.
    ("three-digits", |stop, at| stop.rule(at) == Rule::number && stop.of(at).len() == 3),
    // The prime of `1'000`.
    ("prime-then-digits", |stop, at| stop.rule(at) == Rule::primes && stop.rule(at + 1) == Rule::number && stop.is_adjacent(at + 1)),
    // `0xff`
    ("based-number", |stop, at| stop.rule(at) == Rule::number && stop.of(at).contains(['x', 'X', 'o', 'O', 'b', 'B'])),
    // The `_` of `1_`.
    ("underscore", |stop, at| stop.is_adjacent(at) && stop.of(at).starts_with('_')),
    // The `:` of `1:5`.
    ("colon-then-number", |stop, at| stop.of(at) == ":" && stop.rule(at + 1) == Rule::number),
    // A `for` that has its `in`.
    ("whole-for", |stop, at| stop.of(at) == "for" && stop.in_word().is_some()),
    // The `in` of the `for` before it.
    ("in-of-for", |stop, at| matches!(stop.each, Some((_, Some(over))) if over == at)),
    // The end of `[a, b]`.
    ("list", |stop, at| stop.of(at) == "]" && stop.rule(stop.operand_start(at)) == Rule::list_open),
    // The end of `w[2]` where the text begins with it.
    ("item", |stop, at| stop.of(at) == "]" && stop.operand_start(at) == 0 && stop.of(0) != "[" && stop.rule(1) != Rule::open),
    // The `w` of `w[2]`.
    ("name-with-index", |stop, at| stop.rule(at) == Rule::name && stop.is_adjacent(at + 1) && stop.of(at + 1) == "["),
    // The `=` of `label='a'`.
    ("equals-after-label", |stop, at| stop.of(at) == "=" && matches!(stop.of(at - 1), ".label" | "label")),
    // The second `=` of `a = b = 1`.
    ("chained", |stop, at| at == 2 && stop.sign == Some(1) && stop.of(1) == "="),
    // The comma of `1,000`.
    ("comma-of-thousands", |stop, _| {
        let sides = stop.commas().and_then(|number| number.split_once(','));
        sides.is_some_and(|(whole, rest)| !whole.contains('.') && rest.find([',', '.']).unwrap_or(rest.len()) == 3)
    }),
    // The comma of `1,5`.
    ("decimal-comma", |stop, _| stop.commas().is_some_and(|number| number.matches([',', '.']).count() == 1)),
    // The `f` of `f(x) = …`.
    ("head-of-definition", |stop, at| stop.rule(at + 1) == Rule::open && stop.rule(stop.partner(at + 1) + 1) == Rule::equals),
    // The end of `f'(x)` where the text begins with it.
    ("call-of-derivative", |stop, at| stop.is_call(at) && stop.rule(1) == Rule::primes),
    // The end of `f()` there.
    ("empty-call", |stop, at| stop.is_call(at) && at == 2),
    // The end of `f(x, y)` there.
    ("call-with-names", |stop, at| stop.is_call(at) && stop.parameter().is_none()),
    // The end of any other call there.
    ("any-call", |stop, at| stop.is_call(at)),
];

/// Words that stand for themselves in the table.
const WORDS: [&str; 6] = ["const", "else", "for", "if", "in", "is"];

#[rustfmt::skip]
const PLACES: &[(&str, StopPlace)] = &[
    ("next", |stop| stop.span(stop.at, stop.at)),
    // For these, and for `right`, `values` and `item`, `word` quotes another text.
    ("found", |stop| stop.span(stop.at, stop.at)),
    ("grouped", |stop| stop.span(stop.at, stop.at)),
    ("point", |stop| stop.span(stop.at, stop.at)),
    ("values", |stop| stop.span(stop.value_start(), stop.tokens.len())),
    ("before", |stop| stop.span(stop.last_token(), stop.last_token())),
    ("both", |stop| stop.span(stop.last_token(), stop.at)),
    ("left", |stop| stop.span(stop.operand_start(stop.last_token()), stop.last_token())),
    ("item", |stop| stop.span(0, stop.last_token())),
    ("left-and-next", |stop| stop.span(stop.operand_start(stop.last_token()), stop.at)),
    ("right", |stop| stop.operand(stop.at)),
    ("behind", |stop| stop.operand(stop.at + 1)),
    ("piece", |stop| stop.span(stop.part_start(stop.last_token()), stop.last_token())),
    ("next-piece", |stop| stop.span(stop.at, stop.part_end(stop.at, true))),
    ("rest", |stop| stop.rest()),
    ("list", |stop| stop.span(stop.operand_start(stop.open_bracket().saturating_sub(1)), stop.open_bracket().saturating_sub(1))),
    ("open", |stop| stop.span(stop.open_bracket(), stop.open_bracket())),
    ("brackets", |stop| stop.span(stop.open_bracket(), stop.partner(stop.open_bracket()))),
    ("whole-loop", |stop| stop.span(stop.loop_word(), stop.part_end(stop.loop_word(), true))),
    ("body", |stop| stop.span(stop.part_start(stop.loop_word().saturating_sub(1)), stop.loop_word().saturating_sub(1))),
    ("loop", |stop| stop.span(stop.loop_word(), stop.last_token())),
    ("each", |stop| stop.span(stop.at, stop.in_word().unwrap_or(stop.at))),
    ("width", |stop| stop.span(stop.plus_minus(), stop.plus_minus())),
    ("measured", |stop| stop.measurement()),
    ("operand", |stop| stop.span(stop.plus_minus() + 1, stop.part_end(stop.at, true))),
    ("all", |stop| stop.span(stop.value_start(), stop.last_token())),
    ("bodies", |stop| stop.span(stop.value_start(), stop.tokens.len())),
    ("function", |stop| stop.span(0, 0)),
    ("primes", |stop| stop.span(1, 1)),
    ("parentheses", |stop| stop.span(1, stop.last_token())),
    ("parameter", |stop| stop.parameter().unwrap_or_default()),
    ("run", |stop| number_run(stop.text, stop.span(stop.last_token(), stop.last_token()))),
];

/// The entry of a table with this name.
fn find<T: Copy>(table: &[(&str, T)], name: &str) -> Option<T> {
    let found = table.iter().find(|(known, _)| *known == name);
    found.map(|(_, what)| *what)
}

pub(super) fn bracket(name: &str) -> Bracket {
    find(BRACKETS, name).unwrap_or_else(|| panic!("no bracket is called `{name}`"))
}

pub(super) fn place(name: &str) -> StopPlace {
    find(PLACES, name).unwrap_or_else(|| panic!("no place is called `{name}`"))
}

/// The text that a message quotes at a place.
pub(super) fn word(name: &str, stop: &GrammarStop<'_>) -> String {
    let quoted = place(name)(stop).quote(stop.text);
    match name {
        "grouped" => stop.commas().unwrap_or_default().replace(',', "_"),
        "point" => stop.commas().unwrap_or_default().replace(',', "."),
        // Each binding among them begins a statement.
        "values" => {
            let parts = quoted.split(',').map(|part| match part.split_once('=') {
                Some((name, _)) if crate::is_name(name.trim()) => format!(";{part}"),
                _ => format!(",{part}"),
            });
            parts.collect::<String>()[1..].to_string()
        }
        // `W[1, 2]`, as numpy writes it.
        "item" => quoted.replace(", ", "]["),
        "right" if stop.is_in_degrees(stop.at) => format!("{quoted}*pi/180"),
        "found" if stop.at >= stop.tokens.len() => "the end".to_string(),
        "found" => format!("`{quoted}`"),
        _ => quoted,
    }
}

impl Token {
    pub(super) fn from_name(name: &'static str) -> Token {
        let is_word = name.contains(char::is_alphabetic) && !WORDS.contains(&name);
        match find(TOKENS, name) {
            Some(class) => Token::Class(class),
            None if is_word => panic!("no token is called `{name}`"),
            None => Token::Text(name),
        }
    }

    pub(super) fn is_at(&self, stop: &GrammarStop<'_>, at: usize) -> bool {
        match self {
            Token::Class(class) => class(stop, at),
            Token::Text(text) => stop.of(at) == *text,
        }
    }
}

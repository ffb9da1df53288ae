//! The names that the table of errors has for brackets, for classes of tokens and for places, and what each means.

use super::run;
use super::stop::GrammarStop;
use crate::grammar::Rule;
use crate::tree::Span;

/// What is around the place: an open bracket, or a part of a statement that has begun.
pub(super) type Bracket = fn(&GrammarStop<'_>) -> bool;

/// A token, by what it is or by its text.
pub(super) enum Token {
    Class(TokenClass),
    Text(&'static str),
}

type TokenClass = fn(&GrammarStop<'_>, usize) -> bool;

/// A place that a message points at or quotes.
pub(super) type StopPlace = fn(&GrammarStop<'_>) -> Span;

#[rustfmt::skip]
const BRACKETS: &[(&str, Bracket)] = &[
    ("any", |_| true),
    ("-", |stop| stop.open.is_none()),
    ("()", |stop| stop.open.is_some()),
    ("(", |stop| stop.bracket() == "("),
    ("f(", |stop| stop.bracket() == "f("),
    ("[", |stop| stop.bracket() == "["),
    ("w[", |stop| stop.bracket() == "w["),
    ("x[", |stop| stop.bracket() == "x["),
    ("2[", |stop| stop.bracket() == "2["),
    ("for", |stop| matches!(stop.each, Some((_, None)))),
    ("in", |stop| matches!(stop.each, Some((_, Some(_))))),
    ("±", |stop| stop.width.is_some()),
    ("=", |stop| stop.sign.is_some()),
    ("f=", |stop| stop.open.is_none() && stop.sign.is_some_and(|sign| stop.of(sign.wrapping_sub(1)) == ")")),
    ("f(=", |stop| stop.open == Some(1) && stop.of(stop.partner(1) + 1) == "="),
];

#[rustfmt::skip]
const TOKENS: &[(&str, TokenClass)] = &[
    ("any", |_, _| true),
    ("start", |_, at| at == usize::MAX),
    ("end", |stop, at| at == stop.tokens.len()),
    ("end;", |stop, at| at == stop.tokens.len() && stop.behind_region().starts_with(';')),
    ("operand", |stop, at| stop.ends_operand(at)),
    ("sign", |stop, at| stop.rule(at) != Rule::EOI && !stop.ends_operand(at)),
    ("term", |stop, at| stop.begins_operand(at)),
    ("name", |stop, at| stop.rule(at) == Rule::name),
    ("number", |stop, at| stop.rule(at) == Rule::number),
    ("infix", |stop, at| matches!(stop.rule(at), Rule::operator | Rule::comparison)),
    ("sum", |stop, at| {
        let is_per_cent = stop.of(at) == "%" && stop.is_glued(at) && !stop.begins_operand(at + 1);
        matches!(stop.of(at), "+" | "-" | "−") || stop.rule(at) == Rule::comparison || is_per_cent
    }),
    // An operator with another measured number behind it.
    ("measured", |stop, at| {
        let mut behind = at..=stop.onward(at, true);
        matches!(stop.rule(at), Rule::operator | Rule::comparison) && behind.any(|at| stop.rule(at) == Rule::plus_minus)
    }),
    ("equals", |stop, at| stop.rule(at) == Rule::equals),
    ("quoted", |stop, at| stop.rule(at) == Rule::quoted),
    ("stray", |stop, at| stop.rule(at) == Rule::stray),
    ("blank", |stop, at| stop.rule(at) == Rule::stray && stop.of(at).trim().is_empty()),
    ("superscript", |stop, at| stop.rule(at) == Rule::superscript),
    ("prime", |stop, at| stop.rule(at) == Rule::primes || stop.of(at).starts_with('\'')),
    // The end of an operand with a name before it.
    ("computed", |stop, at| stop.ends_operand(at) && (0..=at).any(|at| stop.rule(at) == Rule::name)),
    // The name that the text begins with.
    ("alone", |stop, at| at == 0 && stop.rule(at) == Rule::name),
    ("glued", |stop, at| stop.rule(at) == Rule::number && stop.is_glued(at)),
    ("degrees", |stop, at| stop.is_in_degrees(at.wrapping_sub(1))),
    ("30°", |stop, at| stop.is_in_degrees(at)),
    (",name", |stop, at| stop.rule(at) == Rule::name && stop.rule(at.wrapping_sub(1)) == Rule::comma),
    (".0", |stop, at| stop.rule(at) == Rule::number && stop.of(at).starts_with('.')),
    ("000", |stop, at| stop.rule(at) == Rule::number && stop.of(at).len() == 3),
    ("'000", |stop, at| stop.rule(at) == Rule::primes && stop.rule(at + 1) == Rule::number && stop.is_glued(at + 1)),
    ("0x", |stop, at| stop.rule(at) == Rule::number && stop.of(at).contains(['x', 'X', 'o', 'O', 'b', 'B'])),
    ("_", |stop, at| stop.is_glued(at) && stop.of(at).starts_with('_')),
    (":5", |stop, at| stop.of(at) == ":" && stop.rule(at + 1) == Rule::number),
    ("for-in", |stop, at| stop.of(at) == "for" && stop.over().is_some()),
    ("loop-in", |stop, at| matches!(stop.each, Some((_, Some(over))) if over == at)),
    // The end of `[a, b]`; that of `w[2]` where the text begins with it.
    ("list", |stop, at| stop.of(at) == "]" && stop.rule(stop.operand_start(at)) == Rule::list_open),
    ("item", |stop, at| stop.of(at) == "]" && stop.operand_start(at) == 0 && stop.of(0) != "[" && stop.rule(1) != Rule::open),
    ("w[]", |stop, at| stop.rule(at) == Rule::name && stop.is_glued(at + 1) && stop.of(at + 1) == "["),
    ("label=", |stop, at| stop.of(at) == "=" && matches!(stop.of(at - 1), ".label" | "label")),
    ("chained", |stop, at| at == 2 && stop.sign == Some(1) && stop.of(1) == "="),
    // The comma in `1,000` and in `1,5`.
    (",000", |stop, _| {
        let sides = stop.commas().and_then(|number| number.split_once(','));
        sides.is_some_and(|(whole, rest)| !whole.contains('.') && rest.find([',', '.']).unwrap_or(rest.len()) == 3)
    }),
    (",5", |stop, _| stop.commas().is_some_and(|number| number.matches([',', '.']).count() == 1)),
    ("f()=", |stop, at| stop.rule(at + 1) == Rule::open && stop.rule(stop.partner(at + 1) + 1) == Rule::equals),
    // The end of a call that the text begins with, by how it is called.
    ("f'()", |stop, at| stop.is_call(at) && stop.rule(1) == Rule::primes),
    ("f()", |stop, at| stop.is_call(at) && at == 2),
    ("f(x)", |stop, at| stop.is_call(at) && stop.parameter().is_none()),
    ("f(2)", |stop, at| stop.is_call(at)),
];

/// The words that the table means as they are written.
const WORDS: [&str; 4] = ["const", "for", "if", "in"];

#[rustfmt::skip]
const PLACES: &[(&str, StopPlace)] = &[
    ("next", |stop| stop.between(stop.at, stop.at)),
    // Where a message quotes them, `word` has other texts for these.
    ("found", |stop| stop.between(stop.at, stop.at)),
    ("grouped", |stop| stop.between(stop.at, stop.at)),
    ("point", |stop| stop.between(stop.at, stop.at)),
    ("values", |stop| stop.between(stop.bound(), stop.tokens.len())),
    ("names", |stop| stop.between(0, stop.sign.unwrap_or_default().saturating_sub(1))),
    ("before", |stop| stop.between(stop.last(), stop.last())),
    ("both", |stop| stop.between(stop.last(), stop.at)),
    ("left", |stop| stop.between(stop.operand_start(stop.last()), stop.last())),
    ("leftnext", |stop| stop.between(stop.operand_start(stop.last()), stop.at)),
    ("right", |stop| stop.operand(stop.at)),
    ("behind", |stop| stop.operand(stop.at + 1)),
    ("piece", |stop| stop.between(stop.back(stop.last()), stop.last())),
    ("nextpiece", |stop| stop.between(stop.at, stop.onward(stop.at, true))),
    ("rest", |stop| stop.rest()),
    ("list", |stop| stop.between(stop.operand_start(stop.opened().saturating_sub(1)), stop.opened().saturating_sub(1))),
    ("open", |stop| stop.between(stop.opened(), stop.opened())),
    ("brackets", |stop| stop.between(stop.opened(), stop.partner(stop.opened()))),
    ("wholeloop", |stop| stop.between(stop.looping(), stop.onward(stop.looping(), true))),
    ("body", |stop| stop.between(stop.back(stop.looping().saturating_sub(1)), stop.looping().saturating_sub(1))),
    ("loop", |stop| stop.between(stop.looping(), stop.last())),
    ("each", |stop| stop.between(stop.at, stop.over().unwrap_or(stop.at))),
    ("width", |stop| stop.between(stop.uncertain(), stop.uncertain())),
    ("measured", |stop| stop.measured()),
    ("operand", |stop| stop.between(stop.uncertain() + 1, stop.onward(stop.at, true))),
    ("all", |stop| stop.between(stop.bound(), stop.last())),
    ("bodies", |stop| stop.between(stop.bound(), stop.tokens.len())),
    ("function", |stop| stop.between(0, 0)),
    ("primes", |stop| stop.between(1, 1)),
    ("parentheses", |stop| stop.between(1, stop.last())),
    ("parameter", |stop| stop.parameter().unwrap_or_default()),
    ("run", |stop| run(stop.text, stop.between(stop.last(), stop.last()))),
];

/// What a table has under a name.
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

/// What a message quotes at a place.
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
        "right" if stop.is_in_degrees(stop.at) => format!("{quoted}*pi/180"),
        "found" if stop.at >= stop.tokens.len() => "the end".to_string(),
        "found" => format!("`{quoted}`"),
        _ => quoted,
    }
}

impl Token {
    pub(super) fn named(name: &'static str) -> Token {
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

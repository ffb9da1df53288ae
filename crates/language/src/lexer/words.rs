//! Divides the text of a command into words, and words into their parts, and decides whether a text is a name.
//!
//! A word ends at a blank or a comma outside brackets and quotes.

use super::characters::{BLANKS, continues_name, is_letter, outside_brackets};
use super::statements::as_grammar_text;
use crate::tree::Span;

/// Whether a text is a name and nothing else.
pub fn is_name(text: &str) -> bool {
    let mut characters = text.chars();
    characters.next().is_some_and(is_letter) && characters.all(continues_name)
}

/// Divides the text of a command into words, which end at blanks outside brackets and quotes. A `,` outside brackets and
/// quotes is a word of its own. `a@1`, `-0.5`, `(a*b + c)`, `f(x, y)`, `x=-5..5` and `"my file.svg"` are one word each.
pub fn words(text: &str, span: Span) -> Vec<Span> {
    let plain = as_grammar_text(span.of(text));
    let next = |last: &Span| word(&plain, last.end as usize);
    let found = std::iter::successors(word(&plain, 0), next);
    found.map(|word| word.shift(span.start)).collect()
}

/// The first of the [`words`] of a text.
pub fn first_word(text: &str, span: Span) -> Option<Span> {
    let plain = as_grammar_text(span.of(text));
    word(&plain, 0).map(|word| word.shift(span.start))
}

/// The word that begins at `at`, or after the blanks there.
fn word(text: &str, at: usize) -> Option<Span> {
    let rest = text[at..].trim_start_matches(BLANKS);
    let start = text.len() - rest.len();
    let is_end = |&(_, c): &(usize, char)| c == ',' || BLANKS.contains(&c);
    let length = match outside_brackets(rest).find(is_end) {
        Some((0, ',')) => 1,
        Some((end, _)) => end,
        None => rest.len(),
    };
    (length > 0).then(|| Span::new(start, start + length))
}

/// The text between the quotes of a word in quotes.
pub fn strip_quotes(word: &str) -> Option<&str> {
    ['"', '\''].into_iter().find_map(|quote| {
        let inner = word.strip_prefix(quote)?.strip_suffix(quote)?;
        (!inner.contains(quote)).then_some(inner)
    })
}

/// The two sides of `name=value`, without the blanks around the sign. Returns `None` for other words, such as `a==b`.
pub fn key_value(text: &str, word: Span) -> Option<(Span, Span)> {
    let (left, right) = word.of(text).split_once('=')?;
    let name = left.trim_end_matches(BLANKS);
    if !is_name(name) || right.starts_with('=') {
        return None;
    }
    let value = right.trim_start_matches(BLANKS);
    let name_end = word.start + name.len() as u32;
    let value_start = word.end - value.len() as u32;
    Some((word.ending_at(name_end), word.starting_at(value_start)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grammar::{Grammar, Rule};
    use pest::Parser;

    #[test]
    fn names_are_what_the_grammar_says() {
        let letters = (0..0x3000)
            .chain(0x1_D400..0x1_D500)
            .filter_map(char::from_u32);
        for letter in letters {
            let grammar = |text: &str| {
                Grammar::parse(Rule::name, text).is_ok_and(|pairs| pairs.as_str() == text)
            };
            for text in [letter.to_string(), format!("a{letter}")] {
                assert_eq!(is_name(&text), grammar(&text), "{text:?}");
            }
        }
        for (text, expected) in [
            ("x1w1", true),
            ("_", true),
            ("α₁", true),
            ("e\u{301}", true),
            ("", false),
            ("1x", false),
            ("a b", false),
            ("a·b", false),
            ("a²", false),
            ("a@1", false),
            ("a-b", false),
        ] {
            assert_eq!(is_name(text), expected, "{text}");
        }
    }

    #[test]
    fn words_are_cut_at_blanks_outside_brackets_and_quotes() {
        let pairs: &[(&str, &[&str])] = &[
            ("", &[]),
            ("  ", &[]),
            ("L wrt a b", &["L", "wrt", "a", "b"]),
            ("a 3, b a/2", &["a", "3", ",", "b", "a/2"]),
            ("a,b", &["a", ",", "b"]),
            ("a = -3", &["a", "=", "-3"]),
            ("(a*b + c) -2", &["(a*b + c)", "-2"]),
            ("f(x, y) of L", &["f(x, y)", "of", "L"]),
            ("a@1 @9 $3", &["a@1", "@9", "$3"]),
            (
                "x=-5..5 \"my file.svg\" 'b c'",
                &["x=-5..5", "\"my file.svg\"", "'b c'"],
            ),
            ("f'(3) g''(a b)", &["f'(3)", "g''(a b)"]),
            ("[a, b] c", &["[a, b]", "c"]),
            (
                "w[2] W[1][ 2 ], w[1..2]",
                &["w[2]", "W[1][ 2 ]", ",", "w[1..2]"],
            ),
            ("[1, 2, 3] (w + 1)[2]", &["[1, 2, 3]", "(w + 1)[2]"]),
            (
                "[x^2 for x in xs] sum(w[1..2]) x=-1..1",
                &["[x^2 for x in xs]", "sum(w[1..2])", "x=-1..1"],
            ),
            ("(\")\" a) b", &["(\")\" a)", "b"]),
            ("a\tb\u{A0}c", &["a", "b", "c"]),
            ("a \\\n b", &["a", "b"]),
            ("alpha \\\n beta", &["alpha", "beta"]),
            ("\"a b\" \"c d\" e", &["\"a b\"", "\"c d\"", "e"]),
            ("(a # ) ,\n b) c # d", &["(a # ) ,\n b)", "c"]),
            ("a) b", &["a)", "b"]),
        ];
        for (text, expected) in pairs {
            let found: Vec<&str> = words(text, Span::new(0, text.len()))
                .iter()
                .map(|word| word.of(text))
                .collect();
            assert_eq!(found, *expected, "{text:?}");
        }
        let text = ":grad (L) x";
        assert_eq!(first_word(text, Span::new(5, 11)), Some(Span::new(6, 9)));
        assert_eq!(first_word(text, Span::new(9, 10)), None);
    }

    #[test]
    fn words_have_parts() {
        let pair = |text: &str| {
            let (name, value) = key_value(text, Span::new(0, text.len()))?;
            Some(format!("{}|{}", name.of(text), value.of(text)))
        };
        for (text, expected) in [
            ("x=-5..5", Some("x|-5..5")),
            ("x = 3", Some("x|3")),
            ("x=", Some("x|")),
            ("x==3", None),
            ("2x=3", None),
            ("x", None),
        ] {
            assert_eq!(pair(text).as_deref(), expected, "{text}");
        }
        for (word, expected) in [
            ("\"a b\"", Some("a b")),
            ("'a'", Some("a")),
            ("''", Some("")),
            ("'", None),
            ("a", None),
            ("'a'b'", None),
        ] {
            assert_eq!(strip_quotes(word), expected, "{word}");
        }
    }
}

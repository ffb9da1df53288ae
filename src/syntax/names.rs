//! Names and words: which characters they are made of, and how the text of a command is cut into arguments.
//!
//! The grammar says the same of names in its rule `name`; a test compares the two. What an argument means, the
//! commands know.

use super::scan::{self, BLANKS};
use super::tree::Span;

/// May a name begin with it?
pub(super) fn is_letter(character: char) -> bool {
    if character.is_ascii() {
        character.is_ascii_alphabetic() || character == '_'
    } else {
        pest::unicode::LETTER(character)
    }
}

/// May a name go on with it?
pub(super) fn goes_on(character: char) -> bool {
    is_letter(character)
        || character.is_ascii_digit()
        || !character.is_ascii()
            && (pest::unicode::MARK(character)
                || pest::unicode::DECIMAL_NUMBER(character)
                || matches!(character, '₀'..='₉'))
}

/// Is this a name, and nothing else?
pub fn is_name(text: &str) -> bool {
    let mut characters = text.chars();
    characters.next().is_some_and(is_letter) && characters.all(goes_on)
}

/// The words of a command's text: what stands between blanks outside brackets and quotes. A `,` outside brackets is a
/// word of its own. `a@1`, `-0.5`, `(a*b + c)`, `f(x, y)`, `x=-5..5` and `"my file.svg"` are one word each.
pub fn words(text: &str, span: Span) -> Vec<Span> {
    let mut found = Vec::new();
    let mut at = span.start as usize;
    let end = span.end as usize;
    while let Some(word) = word(text, at, end) {
        found.push(word);
        at = word.end as usize;
    }
    found
}

/// The first word from `span.start` on, cut as by [`words`].
pub fn first_word(text: &str, span: Span) -> Option<Span> {
    word(text, span.start as usize, span.end as usize)
}

/// The word that begins at `at` or behind the blanks and comments there.
fn word(text: &str, mut at: usize, end: usize) -> Option<Span> {
    let text = &text[..end];
    loop {
        at = end - text.get(at..)?.trim_start_matches(BLANKS).len();
        let rest = &text[at..];
        if rest.starts_with('#') && scan::after_blank(text, at) {
            at += rest.find('\n').unwrap_or(rest.len());
        } else if is_turn(rest) {
            at += 2;
        } else {
            break;
        }
    }
    let start = at;
    let mut depth = 0_usize;
    while let Some(character) = text[at..].chars().next() {
        match character {
            '(' | '[' => depth += 1,
            ')' | ']' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                at += usize::from(at == start);
                break;
            }
            '"' | '\'' if character == '"' || !scan::is_prime(text, at) => {
                // A quote that is never closed has been refused before.
                at += text[at + 1..]
                    .find(character)
                    .map_or(0, |length| length + 1);
            }
            // Inside brackets blanks belong to the word, and so do whole comments, whatever stands in them.
            '#' if depth > 0 && scan::after_blank(text, at) => {
                at += text[at..].find('\n').unwrap_or(end - at) - 1;
            }
            _ if depth == 0 && (BLANKS.contains(&character) || is_turn(&text[at..])) => {
                break;
            }
            _ => {}
        }
        at += text[at..].chars().next().map_or(0, char::len_utf8);
    }
    (start < at).then(|| Span::new(start, at))
}

/// Does a `\` at the end of a line stand here?
fn is_turn(text: &str) -> bool {
    text.starts_with("\\\n")
}

/// What is inside the quotes, if the word is quoted.
pub fn unquoted(word: &str) -> Option<&str> {
    let quote = word
        .chars()
        .next()
        .filter(|first| matches!(first, '"' | '\''))?;
    let inner = word[1..].strip_suffix(quote)?;
    (!inner.contains(quote)).then_some(inner)
}

/// The two sides of `A..B`: `-5..5`, `0...5` (which is 0 to .5), `-pi..2pi`. Neither side is empty.
pub fn range(text: &str, word: Span) -> Option<(Span, Span)> {
    let (left, right) = word.of(text).split_once("..")?;
    let middle = word.start as usize + left.len();
    let two = (!left.is_empty() && !right.is_empty()).then_some(())?;
    let () = two;
    Some((
        Span::new(word.start as usize, middle),
        Span::new(middle + 2, word.end as usize),
    ))
}

/// The two sides of `name=value`, the first being a name; blanks around the sign are left out. (`a==b` is none.)
pub fn key_value(text: &str, word: Span) -> Option<(Span, Span)> {
    let (name, value) = word.of(text).split_once('=')?;
    let trimmed = name.trim_end_matches(BLANKS);
    if !is_name(trimmed) || value.starts_with('=') {
        return None;
    }
    let start = word.start as usize;
    let blanks = value.len() - value.trim_start_matches(BLANKS).len();
    Some((
        Span::new(start, start + trimmed.len()),
        Span::new(start + name.len() + 1 + blanks, word.end as usize),
    ))
}

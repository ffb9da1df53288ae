//! Makes texts safe for a terminal, measures them in columns, and shortens them.
//!
//! Every text that comes from the user (names, paths, messages that quote them) passes through [`clean`] before output:
//! a script must not be able to move the cursor, recolour the screen or reverse the order of a line.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fmt::Write;

pub use chainrule_language::is_unsafe;
use rustc_hash::FxHashMap;
use unicode_width::UnicodeWidthChar;

/// The Greek letters in the order of Unicode, which has a final sigma before the sigma.
pub const GREEK: &[&str] = &[
    "alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "iota", "kappa",
    "lambda", "mu", "nu", "xi", "omicron", "pi", "rho", "sigma", "sigma", "tau", "upsilon", "phi",
    "chi", "psi", "omega",
];

/// The name of a Greek letter: `alpha`, `Omega`.
pub fn greek_name(letter: char) -> Option<String> {
    let (first, is_capital) = match letter {
        'α'..='ω' => ('α', false),
        'Α'..='Ω' => ('Α', true),
        _ => return None,
    };
    let name = GREEK.get((u32::from(letter) - u32::from(first)) as usize)?;
    Some(if is_capital {
        name[..1].to_uppercase() + &name[1..]
    } else {
        (*name).to_owned()
    })
}

/// Whether a name is a letter: one letter or the name of a Greek one, perhaps with digits: `x1`, `λ₂`, `v_0`, `theta`.
pub fn is_letter_name(name: &str) -> bool {
    let is_digit = |c: char| c.is_ascii_digit() || matches!(c, '₀'..='₉');
    let stem = name.trim_end_matches(is_digit);
    let before_digits = stem.strip_suffix('_').filter(|_| stem.len() < name.len());
    let letters = before_digits.unwrap_or(stem);
    let mut characters = letters.chars();
    let first = characters.next();
    let is_single = first.is_some_and(char::is_alphabetic) && characters.next().is_none();
    is_single
        || GREEK.contains(&&*letters.to_ascii_lowercase())
            && !letters[1..].contains(|c: char| c.is_ascii_uppercase())
}

/// The mark for omitted text.
pub const ELLIPSIS: &str = "…";

/// The text in a form that is safe within a line: control characters are escaped, and a tab is one space.
pub fn clean(text: &str) -> Cow<'_, str> {
    if is_printable_ascii(text) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        push_clean(c, &mut out);
    }
    Cow::Owned(out)
}

/// Whether a text has one column for each byte, and nothing to escape. Most texts are such, and the test is fast.
fn is_printable_ascii(text: &str) -> bool {
    text.bytes().all(|byte| (0x20..0x7f).contains(&byte))
}

/// The text in a safe form, except that some characters stay: a line break, a tab.
pub fn clean_except(text: &str, allowed: &[char]) -> String {
    let mut out = String::with_capacity(text.len());
    for part in text.split_inclusive(allowed) {
        let inner = part.trim_end_matches(allowed);
        out.push_str(&clean(inner));
        out.push_str(&part[inner.len()..]);
    }
    out
}

/// Appends a character in a form that is safe: itself, a space for a tab, or an escape such as `\u{202e}`.
pub fn push_clean(c: char, out: &mut String) {
    if c == '\t' {
        out.push(' ');
    } else if is_unsafe(c) {
        let _ = write!(out, "\\u{{{:x}}}", u32::from(c));
    } else {
        out.push(c);
    }
}

/// The number of columns that [`push_clean`] uses for this character.
pub fn char_width(c: char) -> usize {
    if c == '\t' {
        1
    } else if is_unsafe(c) {
        // Four bits are a hexadecimal digit, and even 0 has one. `\u{` and `}` take four columns.
        let digits = (32 - u32::from(c).leading_zeros()).div_ceil(4).max(1);
        4 + digits as usize
    } else {
        c.width().unwrap_or(0)
    }
}

/// The number of columns that a text uses when it is shown.
pub fn width(text: &str) -> usize {
    if is_printable_ascii(text) {
        text.len()
    } else {
        text.chars().map(char_width).sum()
    }
}

/// Shortens a text to at most `room` columns by leaving out its middle, so that beginning and end remain.
pub fn shorten_middle(text: &str, room: usize) -> Cow<'_, str> {
    shorten(text, room, usual_tail(room))
}

/// The columns that the end of a shortened text gets.
fn usual_tail(room: usize) -> usize {
    room.saturating_sub(width(ELLIPSIS)) / 3
}

/// Shortens the texts of a column by leaving out their middles. If the shortened texts of several look the same, each shows
/// the first word or sign in which it differs instead: `dot(W[3]…`.
pub fn shorten_apart<'t>(texts: &[&'t str], room: usize) -> Vec<Cow<'t, str>> {
    let each_shortened = texts.iter().map(|text| shorten_middle(text, room));
    let mut all_shortened: Vec<Cow<str>> = each_shortened.collect();
    // The texts behind each shortened text.
    let mut groups: FxHashMap<String, BTreeSet<&str>> = FxHashMap::default();
    for (text, short) in texts.iter().zip(&all_shortened) {
        // Only a shortened text is a new string.
        if let Cow::Owned(short) = short {
            groups.entry(short.clone()).or_default().insert(text);
        }
    }
    for (text, short) in texts.iter().zip(&mut all_shortened) {
        if let Cow::Owned(shortened) = short
            && let Some(end) = end_of_first_difference(text, &groups[shortened], room)
        {
            *short = shorten_up_to(text, end, room);
        }
    }
    all_shortened
}

/// The end of the first word or sign in which a text differs from all other texts of its group. Returns `None` if there are
/// no others.
fn end_of_first_difference(text: &str, group: &BTreeSet<&str>, room: usize) -> Option<usize> {
    // The group is sorted, so a text shares its longest beginning with a neighbour.
    let before = group.range(..text).next_back();
    // The first text of this range is the text itself.
    let after = group.range(text..).nth(1);
    let neighbours = before.into_iter().chain(after);
    let ends = neighbours.map(|other| end_of_difference(text, other, room));
    ends.max()
}

/// The end of the word in which a text first differs from another, or of the sign if both texts have a sign there. The sign
/// after a word that is shorter than the word of the other text is not needed: `W[1` is not `W[12`.
fn end_of_difference(text: &str, other: &str, room: usize) -> usize {
    let is_sign = |c: char| !c.is_alphanumeric();
    let mut pairs = text.char_indices().zip(other.chars());
    let start = match pairs.find(|((_, own), others)| own != others) {
        Some(((at, own), others)) if is_sign(own) && is_sign(others) => return at + own.len_utf8(),
        Some(((at, _), _)) => at,
        // One text is the beginning of the other.
        None => text.len().min(other.len()),
    };
    let rest = &text[start..];
    let word = &rest[..rest.find(is_sign).unwrap_or(rest.len())];
    // The end of a longer word would push its beginning out, which differs.
    start + bytes_that_fit(word, room.saturating_sub(2 * width(ELLIPSIS)))
}

/// Shortens a text so that the characters before this byte can be seen.
fn shorten_up_to(text: &str, end: usize, room: usize) -> Cow<'_, str> {
    let room_beside = room.checked_sub(width(&text[..end]) + width(ELLIPSIS));
    if let Some(tail) = room_beside {
        return shorten(text, room, tail.min(usual_tail(room)));
    }
    let after = if end < text.len() { ELLIPSIS } else { "" };
    let before = room.saturating_sub(width(ELLIPSIS) + width(after));
    let start = end - bytes_that_fit_back(&text[..end], before);
    Cow::Owned(format!("{ELLIPSIS}{}{after}", &text[start..end]))
}

/// Shortens a text to at most `room` columns by leaving out its end.
pub fn shorten_end(text: &str, room: usize) -> Cow<'_, str> {
    shorten(text, room, 0)
}

/// Shortens a text to at most `room` columns. Its end gets `tail` of them.
fn shorten(text: &str, room: usize, tail: usize) -> Cow<'_, str> {
    if width(text) <= room {
        return Cow::Borrowed(text);
    }
    let Some(rest) = room.checked_sub(width(ELLIPSIS)) else {
        return Cow::Borrowed(&text[..bytes_that_fit(text, room)]);
    };
    let head = text[..bytes_that_fit(text, rest - tail)].trim_end();
    let end = text[text.len() - bytes_that_fit_back(text, tail)..].trim_start();
    Cow::Owned(format!("{head}{ELLIPSIS}{end}"))
}

/// Appends blanks.
pub fn push_blanks(count: usize, out: &mut String) {
    out.extend(std::iter::repeat_n(' ', count));
}

/// The number of bytes from the beginning of the text that fit into `room` columns.
pub fn bytes_that_fit(text: &str, room: usize) -> usize {
    let mut used = 0;
    for (at, c) in text.char_indices() {
        used += char_width(c);
        if used > room {
            return at;
        }
    }
    text.len()
}

/// The number of bytes from the end of the text that fit into `room` columns.
pub fn bytes_that_fit_back(text: &str, room: usize) -> usize {
    let mut used = 0;
    let mut start = text.len();
    for (at, c) in text.char_indices().rev() {
        let columns = char_width(c);
        used += columns;
        if used > room {
            break;
        }
        // A combining mark has no width and belongs to the character before it, so the part must not begin with one.
        if columns > 0 {
            start = at;
        }
    }
    text.len() - start
}

/// The characters with a meaning in Markdown.
const MARKDOWN_CHARACTERS: &str = "\\`*_{}[]<>#|~&$";

/// A text with a backslash before each character with a meaning in Markdown.
pub fn escape_markdown(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in clean(text).chars() {
        if MARKDOWN_CHARACTERS.contains(c) {
            out.push('\\');
        }
        out.push(c);
    }
    out
}

/// A path for an address, with the codes of its bytes in place of characters that have a meaning there.
pub fn escape_address(path: &str) -> String {
    let mut out = String::with_capacity(path.len());
    for c in path.chars() {
        // A colon is not kept, because it could end a scheme.
        if c.is_alphanumeric() || "/.-_~+,=@".contains(c) {
            out.push(c);
        } else {
            out.extend(c.to_string().bytes().map(|byte| format!("%{byte:02X}")));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_cleaned() {
        let cases = [
            ("alpha", "alpha"),
            ("größe π 数", "größe π 数"),
            ("a\u{1b}[31mb", "a\\u{1b}[31mb"),
            ("a\u{9b}b\u{7f}", "a\\u{9b}b\\u{7f}"),
            ("\u{202e}x\u{200b}", "\\u{202e}x\\u{200b}"),
            ("a\tb\nc", "a b\\u{a}c"),
            ("-8 → -2 …", "-8 → -2 …"),
        ];
        for (text, expected) in cases {
            assert_eq!(clean(text), expected, "{text:?}");
            let columns: usize = text.chars().map(char_width).sum();
            assert_eq!(columns, width(&clean(text)), "{text:?}");
        }
    }

    #[test]
    fn texts_that_would_be_cut_alike_show_what_differs() {
        for (room, texts, expected) in [
            (
                14,
                [
                    "tanh(dot(W[1], x))",
                    "tanh(dot(W[12], x))",
                    "tanh(dot(W[2], x))",
                ],
                ["tanh(dot(W[1…)", "tanh(dot(W[12…", "tanh(dot(W[2…)"],
            ),
            (
                12,
                ["x1*w1 + x2*w2 + x3*w3", "x1*w1 + x2*w4 + x3*w3", "x1*w1"],
                ["…w1 + x2*w2…", "…w1 + x2*w4…", "x1*w1"],
            ),
            (
                12,
                [
                    "abcdefghijkl*first(x)*mnopqr",
                    "b",
                    "abcdefghijkl*second(x)*mnopqr",
                ],
                ["…ijkl*first…", "b", "…jkl*second…"],
            ),
            (
                12,
                [
                    "abcdefghijkl*x + 1",
                    "abcdefghijkl+x + 1",
                    "abcdefghijklm + 1",
                ],
                ["…defghijkl*…", "…defghijkl+…", "…defghijklm…"],
            ),
            (
                8,
                ["abcdef1ghijklm + 1", "abcdef2ghijklm + 1", "x"],
                ["…1ghijk…", "…2ghijk…", "x"],
            ),
            (
                6,
                ["one long text", "one long text", ""],
                ["one…t", "one…t", ""],
            ),
        ] {
            let cut = shorten_apart(&texts, room);
            assert_eq!(cut, expected);
            assert!(cut.iter().all(|text| width(text) <= room), "{cut:?}");
        }
    }

    #[test]
    fn texts_are_shortened() {
        let cases = [
            ("alpha", 5, "alpha", "alpha"),
            ("x1*w1 + x2*w2 + b", 10, "x1*w1…+ b", "x1*w1 + x…"),
            ("数数数数", 5, "数…", "数数…"),
            ("数数数数", 8, "数数数数", "数数数数"),
            ("e\u{301}e\u{301}e\u{301}", 2, "e\u{301}…", "e\u{301}…"),
            ("abcdef", 1, "…", "…"),
            ("abcdef", 0, "", ""),
        ];
        for (text, room, middle, end) in cases {
            assert_eq!(shorten_middle(text, room), middle, "{text:?} {room}");
            assert_eq!(shorten_end(text, room), end, "{text:?} {room}");
            assert!(
                width(middle) <= room && width(end) <= room,
                "{text:?} {room}"
            );
        }
    }
}

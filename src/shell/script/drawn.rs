//! Safe drawing of text that is being edited: pasted, recalled or typed, it may contain control characters.
//!
//! The editor computes columns from the text itself, so what is drawn must have exactly the width that the editor
//! assumes. Characters that it counts as zero columns wide (control characters, zero-width marks, escape sequences) are
//! left out, and other unsafe characters become `�`. The text itself keeps them: running it gives an error that names
//! the character.

use std::borrow::Cow;

use unicode_width::UnicodeWidthChar;

use crate::view::characters;

/// Draws a text in parts. The state is needed because an escape sequence may continue in the next part.
#[derive(Debug, Default)]
pub(crate) struct Drawn {
    escape: Escape,
}

/// The position in an escape sequence, by the editor's rules.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Escape {
    #[default]
    Outside,
    /// After the escape character.
    Begun,
    /// After `[`.
    Inside,
}

impl Drawn {
    /// The next part of the text, as it is drawn.
    pub(crate) fn part<'t>(&mut self, text: &'t str) -> Cow<'t, str> {
        let harmless = |c| is_blank(c) || !characters::is_unsafe(c);
        if self.escape == Escape::Outside && text.chars().all(harmless) {
            return Cow::Borrowed(text);
        }
        let mut out = String::with_capacity(text.len());
        for c in text.chars() {
            if is_blank(c) {
                out.push(c);
                continue;
            }
            if self.is_escape(c) {
                continue;
            }
            if characters::is_unsafe(c) {
                out.extend(std::iter::repeat_n('\u{fffd}', c.width().unwrap_or(0)));
            } else {
                out.push(c);
            }
        }
        Cow::Owned(out)
    }

    /// Advances past a character. Is it part of an escape sequence?
    fn is_escape(&mut self, c: char) -> bool {
        let before = self.escape;
        self.escape = match (before, c) {
            (Escape::Outside, '\u{1b}') => Escape::Begun,
            (Escape::Begun, '[') | (Escape::Inside, ';' | '0'..='9') => Escape::Inside,
            _ => Escape::Outside,
        };
        before != Escape::Outside || self.escape != Escape::Outside
    }
}

/// The editor draws line breaks and tabs itself.
fn is_blank(c: char) -> bool {
    c == '\n' || c == '\t'
}

/// A whole text, as it is drawn.
pub(crate) fn drawn(text: &str) -> Cow<'_, str> {
    Drawn::default().part(text)
}

/// Is the last character one that is not drawn unchanged?
pub(crate) fn ends_unsafe(text: &str) -> bool {
    let last = text.chars().next_back();
    last.is_some_and(|c| !is_blank(c) && characters::is_unsafe(c))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_acts_on_the_terminal() {
        for (text, shown) in [
            ("a + b # größe 数", "a + b # größe 数"),
            ("a\tb\nc", "a\tb\nc"),
            ("1\u{7} + \0\u{9b}2\u{7f}\r", "1 + 2"),
            ("\u{202e}a\u{200b}\u{feff}", "a"),
            ("\u{1b}[1;31mred\u{1b}[0m", "red"),
            ("\u{1b}]0;title", "0;title"),
            ("a\u{1b}", "a"),
            ("\u{115f}b", "\u{fffd}\u{fffd}b"),
        ] {
            assert_eq!(drawn(text), shown, "{text:?}");
        }
        let mut parts = Drawn::default();
        assert_eq!(parts.part("a\u{1b}"), "a");
        assert_eq!(parts.part("[3"), "");
        assert_eq!(parts.part("1mb"), "b");
    }

    /// Compares the widths as the editor computes them.
    #[test]
    fn what_is_drawn_is_as_wide_as_what_there_is() {
        for c in '\0'..='\u{ffff}' {
            let counted = if c == '\u{1b}' {
                0
            } else {
                c.width().unwrap_or(0)
            };
            let text = c.to_string();
            let shown = drawn(&text);
            let columns = shown.chars().map(|c| c.width().unwrap_or(0));
            assert_eq!(columns.sum::<usize>(), counted, "{text:?}");
        }
    }
}

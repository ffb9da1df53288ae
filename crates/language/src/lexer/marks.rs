//! Finds the signs of a text that decide where its statements end: brackets, quotes, comments and `;`.
//!
//! It also finds the characters that must never reach a terminal. A statement with one is refused, so no later stage needs
//! to check for them.

use std::sync::OnceLock;

use super::characters::{BLANKS, continues_name, is_prime, is_unsafe};
use crate::error::SyntaxError;
use crate::tree::Span;

/// A sign that can decide where a statement ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SyntaxMark {
    /// `(` or `[`
    Open,
    /// `)` or `]`
    Close,
    /// `;`
    End,
    /// `#`, up to the end of its line
    Comment { end: usize },
    /// `\` at the end of a line
    Backslash { end: usize },
    /// A quote that is not closed on its line
    QuoteOpen,
    /// `#` that begins no comment: `a#b`
    Stray,
    /// A character that is not allowed in any text
    Forbidden(char),
}

impl SyntaxMark {
    /// The error of a mark that no statement may have.
    pub(super) fn error(self, text: &str, at: usize) -> Option<SyntaxError> {
        let length = text[at..].chars().next().map_or(0, char::len_utf8);
        let span = Span::new(at, at + length);
        match self {
            SyntaxMark::QuoteOpen => {
                let quote = span.of(text);
                let message = format!("`{quote}` was never closed");
                let help = format!("a text in quotes ends with `{quote}` on the same line");
                Some(SyntaxError::new(span, message, help).label("opened here"))
            }
            SyntaxMark::Stray => {
                let help = "a comment begins after a blank: `a # so`; a path with `#` is quoted";
                Some(SyntaxError::new(span, "`#` means nothing here", help))
            }
            SyntaxMark::Forbidden(character) => {
                let code = u32::from(character);
                let message =
                    format!("the invisible character U+{code:04X} is not allowed in a line");
                let help = "delete it, or type the line again";
                Some(SyntaxError::new(span, message, help))
            }
            _ => None,
        }
    }
}

/// An iterator over the marks of a text, in order, with their places. Inside quotes and comments it finds only forbidden
/// characters.
#[derive(Clone, Debug)]
pub(crate) struct Marks<'t> {
    pub(super) text: &'t str,
    /// The next byte to read.
    pub(super) at: usize,
    /// The end of the last text in quotes or comment. Characters before it make no marks, unless they are forbidden.
    skip_until: usize,
    /// The text is a command with words: it has no marks but its comment and the `;` at its end.
    has_words: bool,
}

impl<'t> Marks<'t> {
    pub(crate) fn new(text: &'t str) -> Marks<'t> {
        Marks {
            text,
            at: 0,
            skip_until: 0,
            has_words: takes_words(text),
        }
    }

    /// Whether a sign at `at` is a mark, and not one of the words of a command.
    fn is_mark(&self, mark: SyntaxMark, at: usize) -> bool {
        let rest = self.text[at..]
            .trim_start_matches(';')
            .trim_start_matches(BLANKS);
        match mark {
            SyntaxMark::End => !self.has_words || rest.is_empty() || rest.starts_with('#'),
            SyntaxMark::Comment { .. } => true,
            _ => !self.has_words,
        }
    }

    /// The end of the text in quotes that begins at `at`, including the closing quotes. One quote must be closed on the
    /// same line, three quotes anywhere.
    fn end_of_quotes(&self, at: usize) -> Option<usize> {
        let text = &self.text[at..];
        let quotes = three_quotes(text).unwrap_or(&text[..1]);
        let rest = &text[quotes.len()..];
        let length = match quotes.len() {
            1 => {
                let quote = char::from(self.text.as_bytes()[at]);
                rest.find([quote, '\n'])
                    .filter(|&end| !rest[end..].starts_with('\n'))?
            }
            _ => rest.find(quotes)?,
        };
        Some(at + length + 2 * quotes.len())
    }

    /// The mark that a character outside of quotes and comments makes. If the character begins a text in quotes or a
    /// comment, sets `skip_until` to the end of that.
    fn find_mark(&mut self, character: char, at: usize) -> Option<SyntaxMark> {
        match character {
            '(' | '[' => Some(SyntaxMark::Open),
            ')' | ']' => Some(SyntaxMark::Close),
            ';' => Some(SyntaxMark::End),
            '#' if !is_after_blank(self.text, at) => Some(SyntaxMark::Stray),
            '#' => {
                let line = self.text[at..].find('\n');
                let end = line.map_or(self.text.len(), |length| at + length);
                self.skip_until = end;
                Some(SyntaxMark::Comment { end })
            }
            '\'' if is_prime(self.text, at) => None,
            '"' | '\'' => match self.end_of_quotes(at) {
                Some(end) => {
                    self.skip_until = end;
                    None
                }
                None => Some(SyntaxMark::QuoteOpen),
            },
            '\\' if matches!(self.text.as_bytes().get(at + 1), None | Some(b'\n')) => {
                Some(SyntaxMark::Backslash { end: at + 1 })
            }
            _ => None,
        }
    }
}

impl Iterator for Marks<'_> {
    type Item = (SyntaxMark, usize);

    fn next(&mut self) -> Option<(SyntaxMark, usize)> {
        loop {
            let rest = &self.text.as_bytes()[self.at..];
            let plain = rest.iter().position(|&byte| !is_plain(byte));
            let at = self.at + plain.unwrap_or(rest.len());
            self.at = at;
            let character = self.text[at..].chars().next()?;
            self.at += character.len_utf8();
            // A line end is a control character, but it may join the lines of a statement.
            if character != '\n' && is_unsafe(character) {
                return Some((SyntaxMark::Forbidden(character), at));
            }
            if at >= self.skip_until
                && let Some(mark) = self.find_mark(character, at)
                && self.is_mark(mark, at)
            {
                return Some((mark, at));
            }
        }
    }
}

/// Whether words follow the command with this word. This crate knows no commands: the program that has them says so.
static IS_FOLLOWED_BY_WORDS: OnceLock<fn(&str) -> bool> = OnceLock::new();

/// Says which commands are followed by words, once for the whole process.
pub fn set_commands_of_words(is_followed: fn(&str) -> bool) {
    // It is the same function each time.
    let _ = IS_FOLLOWED_BY_WORDS.set(is_followed);
}

/// Whether a text begins with a command that words follow, such as `:answer`. They are words of the user's own, in which
/// no sign but a comment and a `;` at their end has a meaning.
pub fn takes_words(text: &str) -> bool {
    let Some(rest) = text.trim_start_matches(BLANKS).strip_prefix(':') else {
        return false;
    };
    let end = rest.find(|c| !continues_name(c)).unwrap_or(rest.len());
    let is_followed = IS_FOLLOWED_BY_WORDS.get();
    is_followed.is_some_and(|it| it(&rest[..end]))
}

/// The three quotes that a text begins with.
pub(crate) fn three_quotes(text: &str) -> Option<&'static str> {
    let mut quotes = ["\"\"\"", "'''"].into_iter();
    quotes.find(|quotes| text.starts_with(quotes))
}

/// Whether a byte is no mark and never begins one.
fn is_plain(byte: u8) -> bool {
    let is_sign = matches!(
        byte,
        b'(' | b')' | b'[' | b']' | b';' | b'#' | b'"' | b'\'' | b'\\'
    );
    matches!(byte, b'\t' | b' '..=b'~') && !is_sign
}

/// Whether the character before `at` is a blank or a `;`, or there is none.
fn is_after_blank(text: &str, at: usize) -> bool {
    let last = text[..at].chars().next_back();
    last.is_none_or(|before| before == ';' || BLANKS.contains(&before))
}

//! A line of statements as it looks at the prompt: while it is typed, and when it is shown again above its answer.
//!
//! The statements of a pasted block are removed from the screen and shown again one by one, each above its answer, as
//! if they had been typed that way.
//!
//! What is drawn while it is edited may contain control characters: pasted, recalled or typed. The editor computes
//! columns from the text itself, so what is drawn must have the width that the editor assumes. Characters that it counts
//! as zero columns wide (control characters, zero-width marks) are left out, and other unsafe characters become `�`. The
//! text itself keeps them: running it gives an error that names the character.

use std::borrow::Cow;
use std::ops::Range;

use unicode_width::UnicodeWidthChar;

use crate::interpret;
use crate::interpret::TokenStyle;
use crate::session::Session;
use crate::session::settings::PROMPT;
use crate::shell::script;
use chainrule_report::characters;
use chainrule_view::Style;
use chainrule_view::theme::Role;

/// What replaces the blanks before a continuation line on the screen, and these blanks; both are as wide as the prompt.
pub(crate) const MARGIN: &str = " … ";
pub(crate) const INDENT: &str = "   ";

/// Writes a line of statements as it would look at a prompt.
pub(crate) fn write_line(session: &Session, text: &str, style: &Style, out: &mut String) {
    if text.trim().is_empty() {
        return;
    }
    // The blanks that stand for a pasted prompt are not shown again.
    let text = text.trim_start();
    style.paint(PROMPT, Role::Dim, out);
    paint_line(session, text, None, MARGIN, style, out);
    out.push('\n');
}

/// The escape sequence that removes an entry just above the cursor from the screen; `None` if it is uncertain how many
/// rows the entry takes, or if its first ones have left the window of so many rows (0 if that is unknown).
pub(crate) fn erasing_sequence(
    text: &str,
    columns: Option<usize>,
    window: usize,
) -> Option<String> {
    let columns = columns.filter(|&columns| columns > 0)?;
    let simple = |c: char| c == '\n' || !c.is_control() && characters::char_width(c) == 1;
    if !text.chars().all(simple) {
        return None;
    }
    let mut rows = 0;
    let mut lines = text.split('\n').peekable();
    let mut before = characters::width(PROMPT);
    while let Some(line) = lines.next() {
        let width = before + line.chars().count();
        before = 0;
        rows += if lines.peek().is_some() {
            width.div_ceil(columns).max(1)
        } else {
            // If the last line fills its row, the cursor is in the next one.
            width / columns + 1
        };
    }
    (window == 0 || rows < window).then(|| format!("\u{1b}[{rows}A\r\u{1b}[J"))
}

/// How many lines that were not run are shown at most.
const UNRUN_SHOWN: usize = 10;

/// Writes lines that were not run, up to [`UNRUN_SHOWN`] of them.
pub(crate) fn write_unrun(lines: &[&str], style: &Style, out: &mut String) {
    let more = lines.len() > UNRUN_SHOWN;
    let shown = lines.iter().take(UNRUN_SHOWN).copied();
    for line in shown.chain(more.then_some(characters::ELLIPSIS)) {
        let line = characters::clean(line);
        style.paint(&format!("      {line}"), Role::Dim, out);
        out.push('\n');
    }
}

/// Writes a line with colours, replacing the indentation of continuation lines by the margin. Without a cursor the line
/// is shown and not edited: then lines without indentation get a margin too, control characters are shown as symbols, and
/// nothing is marked as wrong, which is for the answer to say.
pub(crate) fn paint_line(
    session: &Session,
    line: &str,
    cursor: Option<usize>,
    margin: &str,
    style: &Style,
    out: &mut String,
) {
    let blanks = margin.chars().count();
    let margins = script::continuation_starts(line)
        .into_iter()
        .filter_map(|start| {
            let begun = &line[start..];
            let indented = begun.len() - begun.trim_start_matches(' ').len() >= blanks;
            let end = start + if indented { blanks } else { 0 };
            (indented || cursor.is_none()).then_some((start..end, None))
        });
    let tints = interpret::highlight(session, line, cursor.unwrap_or(usize::MAX));
    let mut parts: Vec<(Range<usize>, Option<Role>)> = margins
        .chain((tints.into_iter()).map(|(range, tint)| {
            let role = match role(tint) {
                Role::Error if cursor.is_none() => Role::Plain,
                role => role,
            };
            (range, Some(role))
        }))
        .collect();
    parts.sort_by_key(|(range, _)| range.start);
    let mut push = |text: &str, role: Role| match cursor {
        Some(_) => style.paint(&make_drawable(text), role, out),
        None => {
            for part in text.split_inclusive('\n') {
                let words = part.trim_end_matches('\n');
                style.paint(&characters::clean(words), role, out);
                out.push_str(&part[words.len()..]);
            }
        }
    };
    let mut done = 0;
    for (range, role) in parts {
        if range.start < done {
            continue;
        }
        push(&line[done..range.start], Role::Plain);
        done = range.end;
        match role {
            Some(role) => push(&line[range], role),
            None => push(margin, Role::Dim),
        }
    }
    push(&line[done..], Role::Plain);
}

/// The colour of a token; `Plain` is none.
fn role(tint: TokenStyle) -> Role {
    match tint {
        TokenStyle::Known => Role::Name,
        TokenStyle::Function => Role::Formula,
        TokenStyle::Number => Role::Number,
        TokenStyle::Reference => Role::Place,
        TokenStyle::Operator => Role::Plain,
        TokenStyle::Command => Role::Typed,
        TokenStyle::Comment => Role::Dim,
        TokenStyle::Paired => Role::Bracket,
        TokenStyle::Unknown | TokenStyle::Unpaired => Role::Error,
    }
}

/// A text as it is drawn while it is edited.
pub(crate) fn make_drawable(text: &str) -> Cow<'_, str> {
    let harmless = |c| is_blank(c) || !characters::is_unsafe(c);
    if text.chars().all(harmless) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if harmless(c) {
            out.push(c);
        } else {
            out.extend(std::iter::repeat_n('\u{fffd}', c.width().unwrap_or(0)));
        }
    }
    Cow::Owned(out)
}

/// The editor draws line breaks and tabs itself.
fn is_blank(c: char) -> bool {
    c == '\n' || c == '\t'
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
    fn margins_are_as_wide_as_the_prompt() {
        assert_eq!(
            [PROMPT, MARGIN, INDENT].map(characters::width),
            [INDENT.len(); 3]
        );
    }

    #[test]
    fn rows_of_an_entry() {
        for (text, columns, rows) in [
            ("a\nb", 80, Some(2)),
            ("a\nb\n", 80, Some(3)),
            ("a\n\nb", 80, Some(3)),
            // With the prompt's text the first line fills its row; only after the last line the cursor moves to the
            // next row.
            ("1234567\nb", 10, Some(2)),
            ("12345678\nb", 10, Some(3)),
            ("a\n1234567890", 10, Some(3)),
            ("a\n123456789", 10, Some(2)),
            ("a\n\tb", 80, None),
            ("a # 漢\nb", 80, None),
            ("a\nb", 0, None),
        ] {
            let expected = rows.map(|rows| format!("\u{1b}[{rows}A\r\u{1b}[J"));
            assert_eq!(
                erasing_sequence(text, Some(columns), 0),
                expected,
                "{text} {columns}"
            );
        }
        assert_eq!(erasing_sequence("a\nb", None, 0), None);
        assert!(erasing_sequence("a\nb", Some(80), 3).is_some());
        assert_eq!(erasing_sequence("a\nb", Some(80), 2), None);
    }
    #[test]
    fn nothing_acts_on_the_terminal() {
        for (text, shown) in [
            ("a + b # größe 数", "a + b # größe 数"),
            ("a\tb\nc", "a\tb\nc"),
            ("1\u{7} + \0\u{9b}2\u{7f}\r", "1 + 2"),
            ("\u{202e}a\u{200b}\u{feff}", "a"),
            ("\u{1b}]0;title", "]0;title"),
            ("a\u{1b}", "a"),
            ("\u{115f}b", "\u{fffd}\u{fffd}b"),
        ] {
            assert_eq!(make_drawable(text), shown, "{text:?}");
        }
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
            let shown = make_drawable(&text);
            let columns = shown.chars().map(|c| c.width().unwrap_or(0));
            assert_eq!(columns.sum::<usize>(), counted, "{text:?}");
        }
    }
}

//! Draws a line of statements as it looks at the prompt: while it is typed, and when it is shown again above its answer.
//!
//! The statements of a pasted block are removed from the screen and shown again one by one, each above its answer, as
//! if they had been typed that way.
//!
//! A line that is edited may contain control characters: pasted, recalled or typed. The editor computes columns from the
//! text itself, so the drawn line must have the width that the editor assumes. Characters that it counts as zero columns
//! wide (control characters, zero-width marks) are left out, and other unsafe characters become `�`. The text itself
//! keeps them: running it gives an error that names the character.
//!
//! The later lines of an edited entry begin with blanks over which the margin is painted. The functions here take them off
//! and put them on, so that only the keys and the drawing know of them.

use std::borrow::Cow;

use unicode_width::UnicodeWidthChar;

use crate::interpret::{self, Meaning};
use crate::shell::process::terminal::TerminalSize;
use chainrule_language as language;
use chainrule_report::characters;
use chainrule_session::Session;
use chainrule_session::settings::PROMPT;
use chainrule_view::theme::{Role, on_page};
use chainrule_view::{Movement, Style};

/// The margin before the later lines of an entry on the screen. While they are edited, it is painted over an indentation
/// that they have for this. Both are as wide as the prompt.
pub(crate) const MARGIN: &str = " … ";
pub(crate) const INDENT: &str = "   ";

/// How far the lines of a block are indented.
const BLOCK_INDENT: &str = "    ";

/// Whether the later lines of an edited entry have the indentation for the margin.
pub(crate) fn has_margin(entry: &str) -> bool {
    let second = entry.split('\n').nth(1);
    second.is_some_and(|line| line.starts_with(INDENT))
}

/// A text as it is edited.
pub(crate) fn with_margin(text: &str) -> String {
    text.replace('\n', &format!("\n{INDENT}"))
}

/// The text of an edited entry.
pub(crate) fn without_margin(entry: &str) -> Cow<'_, str> {
    if !has_margin(entry) {
        return entry.into();
    }
    let lines = entry.split('\n');
    let texts = lines.enumerate().map(|(at, line)| match at {
        0 => line,
        _ => line.strip_prefix(INDENT).unwrap_or(line),
    });
    texts.collect::<Vec<_>>().join("\n").into()
}

/// The place in the text of an edited entry of a place in the entry.
pub(crate) fn place_in_text(entry: &str, at: usize) -> usize {
    let before = &entry[..at];
    if !has_margin(entry) || !before.contains('\n') {
        return at;
    }
    let line = &before[before.rfind('\n').map_or(0, |end| end + 1)..];
    let above = without_margin(&before[..before.len() - line.len()]);
    let text = match line.strip_prefix(INDENT) {
        Some(text) => text,
        // The place is in the margin.
        None => line.trim_start_matches(' '),
    };
    above.len() + text.len()
}

/// An edited entry with its margin, without colours.
pub(crate) fn show_margin(entry: &str) -> String {
    let (indent, margin) = (format!("\n{INDENT}"), format!("\n{MARGIN}"));
    let shown = if has_margin(entry) { &margin } else { &indent };
    entry.replace(&indent, shown)
}

/// The margins of the later lines of an edited entry.
pub(crate) fn margins_of(entry: &str) -> Vec<&'static str> {
    let has_indent = has_margin(entry);
    let margin_of = |line: &str| {
        let has_own = has_indent && line.starts_with(INDENT);
        if has_own { MARGIN } else { "" }
    };
    entry.split('\n').skip(1).map(margin_of).collect()
}

/// The indentation of a line below this text: more after a colon.
pub(crate) fn next_indent(text: &str) -> String {
    let typed = text.trim_end_matches(['\n', ' ']);
    let line = &typed[typed.rfind('\n').map_or(0, |at| at + 1)..];
    let indent = &line[..line.len() - line.trim_start().len()];
    let code = &line[..language::code_end(line)];
    let opens_block = code.trim_end().ends_with(':');
    indent.to_owned() + if opens_block { BLOCK_INDENT } else { "" }
}

/// Returns a line of statements as it would look at a prompt.
pub(crate) fn line_at_prompt(session: &Session, text: &str, style: &Style) -> String {
    let mut out = String::new();
    if !text.trim().is_empty() {
        style.paint(PROMPT, Role::Dim, &mut out);
        // Blanks may stand for a pasted prompt: they are not shown again.
        let shown = text.trim_start();
        let margins = vec![MARGIN; shown.matches('\n').count()];
        paint_line(session, shown, None, &margins, style, &mut out);
        out.push('\n');
    }
    out
}

/// The escape sequence that removes the entry just above the cursor from the screen. Returns `None` if the number of its
/// rows is uncertain, or if its first ones have left the window.
pub(crate) fn erasing_sequence(text: &str, window: TerminalSize) -> Option<String> {
    let is_simple = |c: char| c == '\n' || !c.is_control() && characters::char_width(c) == 1;
    if window.columns == 0 || !text.chars().all(is_simple) {
        return None;
    }
    // The first line follows the prompt; the text is simple, so each of its characters is one column wide.
    let mut widths: Vec<usize> = text.split('\n').map(|line| line.chars().count()).collect();
    widths[0] += characters::width(PROMPT);
    let last_width = widths.pop()?;
    let rows_of = |width: &usize| width.div_ceil(window.columns).max(1);
    // If the last line fills its row, the cursor is in the next one.
    let rows = widths.iter().map(rows_of).sum::<usize>() + last_width / window.columns + 1;
    (window.rows == 0 || rows < window.rows).then(|| format!("\u{1b}[{rows}A\r\u{1b}[J"))
}

/// At most this many of the lines that were not run are shown.
const MAX_UNRUN_LINES: usize = 10;

/// Writes lines that were not run, up to [`MAX_UNRUN_LINES`] of them.
pub(crate) fn write_unrun(lines: &[&str], style: &Style, out: &mut String) {
    let has_more = lines.len() > MAX_UNRUN_LINES;
    let shown = lines.iter().take(MAX_UNRUN_LINES).copied();
    for line in shown.chain(has_more.then_some(characters::ELLIPSIS)) {
        let indented = format!("      {}", characters::clean(line));
        style.paint(&indented, Role::Dim, out);
        out.push('\n');
    }
}

/// Writes a line with colours, and the margins before its later lines. Without a cursor the line is shown and not edited:
/// then control characters are shown as symbols, and no word is marked as wrong, because the answer says what is wrong.
pub(crate) fn paint_line(
    session: &Session,
    line: &str,
    cursor: Option<usize>,
    margins: &[&str],
    style: &Style,
    out: &mut String,
) {
    // A page shows where the leaves of its statements have gone.
    let is_on_page = cursor.is_none() && style.movement != Movement::None;
    let statements = is_on_page.then(|| Meaning::all_in(line));
    let literals = statements.into_iter().flatten().flat_map(|it| it.literals);
    let mut literals = literals.peekable();
    let mut later_margins = margins.iter();
    let mut push = |text: &str, role: Role, painted: &mut String| {
        for part in text.split_inclusive('\n') {
            match cursor {
                Some(_) => style.paint(&make_drawable(part), role, painted),
                None => paint_clean(part, role, style, painted),
            }
            if part.ends_with('\n')
                && let Some(margin) = later_margins.next()
            {
                style.paint(margin, Role::Dim, painted);
            }
        }
    };
    let mut done = 0;
    for (range, role) in interpret::highlight(session, line, cursor.unwrap_or(usize::MAX)) {
        if range.start < done {
            continue;
        }
        push(&line[done..range.start], Role::Plain, out);
        if let Some(it) = literals.next_if(|it| it.span.start as usize == range.start) {
            on_page::mark_literal(it.span.of(line), &it.leaf, it.number, out);
            done = it.span.end as usize;
            continue;
        }
        done = range.end;
        let is_hidden = role == Role::Error && cursor.is_none();
        push(
            &line[range],
            if is_hidden { Role::Plain } else { role },
            out,
        );
    }
    push(&line[done..], Role::Plain, out);
}

/// Paints a line that is not edited, with symbols for control characters.
fn paint_clean(line: &str, role: Role, style: &Style, out: &mut String) {
    let words = line.trim_end_matches('\n');
    style.paint(&characters::clean(words), role, out);
    out.push_str(&line[words.len()..]);
}

/// Makes a text that is edited safe to draw.
pub(crate) fn make_drawable(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if is_undrawable(c) {
            out.extend(std::iter::repeat_n('\u{fffd}', c.width().unwrap_or(0)));
        } else {
            out.push(c);
        }
    }
    out
}

/// Must a character be drawn as another one? The editor draws line breaks and tabs itself.
fn is_undrawable(c: char) -> bool {
    !matches!(c, '\n' | '\t') && characters::is_unsafe(c)
}

/// Must the last character be drawn as another one?
pub(crate) fn ends_unsafe(text: &str) -> bool {
    text.chars().next_back().is_some_and(is_undrawable)
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
    fn the_text_of_an_entry_has_no_margin() {
        for (entry, text) in [
            ("a = 2", "a = 2"),
            ("f(x):\n       y = x\n   ", "f(x):\n    y = x\n"),
            ("a = [\n   1,\n2]", "a = [\n1,\n2]"),
            // Entries of an earlier version.
            ("f(x):\n  y = x\n    y", "f(x):\n  y = x\n    y"),
        ] {
            assert_eq!(without_margin(entry), text);
            assert_eq!(place_in_text(entry, entry.len()), text.len(), "{entry}");
        }
        assert_eq!(with_margin("a = [\n1]"), "a = [\n   1]");
        // In the margin, behind it, at the `y` and at the ends of both lines.
        for (at, place) in [(5, 5), (6, 6), (8, 6), (9, 6), (13, 10), (18, 15), (22, 16)] {
            let found = place_in_text("f(x):\n       y = x\n   ", at);
            assert_eq!(found, place, "{at}");
        }
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
            let window = TerminalSize { columns, rows: 0 };
            assert_eq!(erasing_sequence(text, window), expected, "{text} {columns}");
        }
        let columns = 80;
        assert!(erasing_sequence("a\nb", TerminalSize { columns, rows: 3 }).is_some());
        assert_eq!(
            erasing_sequence("a\nb", TerminalSize { columns, rows: 2 }),
            None
        );
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
    fn a_drawn_character_is_as_wide_as_the_typed_one() {
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

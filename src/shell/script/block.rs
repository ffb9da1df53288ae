//! A pasted block of statements: removes it from the screen, and shows it again statement by statement, each above its
//! answer.
//!
//! The result looks as if the statements had been typed one by one. This file makes the text; `show` writes it.

use super::colored_line;
use crate::session::Session;
use crate::view::theme::Role;
use crate::view::{Style, characters};

/// How the statements of a block are shown again.
#[derive(Clone, Debug)]
pub(crate) struct Echo {
    /// The text before a statement.
    pub sign: String,
    /// The text before each continuation line, as wide as `sign`.
    pub margin: String,
}

impl Echo {
    /// Writes a line of statements as it would look at a prompt.
    pub(crate) fn write(&self, session: &Session, text: &str, style: &Style, out: &mut String) {
        if text.trim().is_empty() {
            return;
        }
        // The blanks that stand for a pasted prompt are not shown again.
        let text = text.trim_start();
        style.paint(&self.sign, Role::Dim, out);
        colored_line::paint_line(session, text, None, &self.margin, style, out);
        out.push('\n');
    }
}

/// The margin before a continuation line, as wide as the prompt.
pub(crate) fn margin(width: usize, plain: bool) -> String {
    let mark = if plain { ".. " } else { "… " };
    match width.checked_sub(characters::width(mark)) {
        Some(blanks) => " ".repeat(blanks) + mark,
        None => " ".repeat(width),
    }
}

/// The escape sequence that removes an entry just above the cursor from the screen; `None` if it is uncertain how many
/// rows the entry takes.
pub(crate) fn wiped(text: &str, sign: &str, columns: Option<usize>) -> Option<String> {
    let columns = columns.filter(|&columns| columns > 0)?;
    let simple = |c: char| c == '\n' || !c.is_control() && characters::columns(c) == 1;
    if !text.chars().all(simple) {
        return None;
    }
    let mut rows = 0;
    let mut lines = text.split('\n').peekable();
    let mut before = characters::width(sign);
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
    Some(format!("\u{1b}[{rows}A\r\u{1b}[J"))
}

/// How many lines that were not run are shown at most.
const UNRUN_SHOWN: usize = 10;

/// The note about lines that were not run.
pub(crate) fn unrun(lines: &[&str]) -> String {
    match lines.len() {
        1 => "the line after it was not run:".to_string(),
        more => format!("the {more} lines after it were not run:"),
    }
}

/// Writes the lines that were not run, up to [`UNRUN_SHOWN`] of them.
pub(crate) fn write_unrun(lines: &[&str], style: &Style, out: &mut String) {
    let more = lines.len() > UNRUN_SHOWN;
    let shown = lines.iter().take(UNRUN_SHOWN).copied();
    for line in shown.chain(more.then(|| characters::ellipsis(style.ascii))) {
        let line = characters::clean(line, style.ascii);
        style.paint(&format!("      {line}"), Role::Dim, out);
        out.push('\n');
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn margins_are_as_wide_as_signs() {
        for (width, plain, expected) in [
            (3, false, " … "),
            (3, true, ".. "),
            (2, false, "… "),
            (2, true, "  "),
            (0, false, ""),
            (6, false, "    … "),
            (6, true, "   .. "),
        ] {
            assert_eq!(margin(width, plain), expected, "{width} {plain}");
        }
    }

    #[test]
    fn rows_of_an_entry() {
        for (text, columns, rows) in [
            ("a\nb", 80, Some(2)),
            ("a\nb\n", 80, Some(3)),
            ("a\n\nb", 80, Some(3)),
            // With the prompt's text the first line fills its row; only behind the last line the cursor moves to the
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
                wiped(text, "∂> ", Some(columns)),
                expected,
                "{text} {columns}"
            );
        }
        assert_eq!(wiped("a\nb", "∂> ", None), None);
    }
}

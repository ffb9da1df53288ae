//! The keys of statements of several lines: Enter, Backspace and the colon, which know the margin and the blocks.
//!
//! The editor has no prompt for later lines, so the blanks below the prompt are a part of the edited text, and the margin
//! is painted over them: see `typed_line`. What is behind them is the text that runs.

use rustyline::{Cmd, Event, EventContext, KeyCode, KeyEvent, Modifiers};

use super::replacement::NextReplacement;
use crate::shell::script;
use crate::shell::script::typed_line::{self, INDENT};

/// Enter: begins another line if the statement is not complete. It is indented like the line before, and more after a
/// colon.
pub(crate) fn continue_line(context: &EventContext) -> Option<Cmd> {
    let (line, cursor) = (context.line(), context.pos());
    let before = typed_line::without_margin(line.get(..cursor)?);
    // Entries that an earlier version has kept may have no margin, and then a line below them gets none either.
    let has_margin = !line.contains('\n') || typed_line::has_margin(line);
    let margin = if has_margin { INDENT } else { "" };
    let indent = typed_line::next_indent(&before);
    let goes_on = script::wants_more(&typed_line::without_margin(line));
    goes_on.then(|| Cmd::Insert(1, format!("\n{margin}{indent}")))
}

/// A line up to the cursor that begins with the margin.
struct LaterLine<'l> {
    /// The lines above, without the margin.
    above: String,
    /// Where the line break before it is.
    line_break: usize,
    /// The text behind the margin.
    text: &'l str,
}

impl LaterLine<'_> {
    fn at_cursor<'l>(context: &'l EventContext) -> Option<LaterLine<'l>> {
        let before = context.line().get(..context.pos())?;
        let line_break = before.rfind('\n')?;
        Some(LaterLine {
            above: typed_line::without_margin(&before[..line_break]).into_owned(),
            line_break,
            text: before[line_break + 1..].strip_prefix(INDENT)?,
        })
    }

    /// The lines above from the last one to the first, each as its indentation and what follows. Empty lines do not count.
    fn lines_above(&self) -> impl Iterator<Item = (usize, &str)> {
        let lines = self.above.lines().rev();
        let parts = lines.map(|line| (indentation(line), line.trim_start()));
        parts.filter(|(_, words)| !words.is_empty())
    }
}

fn indentation(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

/// Backspace behind the blanks of a later line: goes back to the next smaller indentation above, or joins the lines.
pub(crate) fn delete_indent(context: &EventContext, next: &NextReplacement) -> Option<Cmd> {
    let line = LaterLine::at_cursor(context)?;
    let (cursor, now) = (context.pos(), line.text.len());
    if !line.text.trim_start().is_empty() {
        return None;
    }
    if now == 0 {
        return Some(next.replace(line.line_break..cursor, String::new()));
    }
    let smaller = line.lines_above().map(|(indent, _)| indent);
    let level = smaller.filter(|indent| *indent < now).max().unwrap_or(0);
    Some(next.replace(cursor - (now - level)..cursor, String::new()))
}

/// A colon after `else` or `elif c`: puts the line below its `if`.
pub(crate) fn align_else(
    event: &Event,
    context: &EventContext,
    next: &NextReplacement,
) -> Option<Cmd> {
    let KeyEvent(KeyCode::Char(':'), Modifiers::NONE) = *event.get(0)? else {
        return None;
    };
    let line = LaterLine::at_cursor(context)?;
    let words = line.text.trim_start();
    if words != "else" && !words.starts_with("elif ") {
        return None;
    }
    let now = indentation(line.text);
    // An `if` as deep as a line below it has ended.
    let mut least = now + 1;
    let level = line.lines_above().find_map(|(indent, above)| {
        let is_if = ["if ", "if(", "elif "]
            .iter()
            .any(|it| above.starts_with(it));
        let is_outside = indent < least;
        least = least.min(indent);
        (is_if && is_outside).then_some(indent)
    })?;
    let place = line.line_break + 1 + INDENT.len()..context.pos();
    let aligned = format!("{}{words}:", " ".repeat(level));
    (level != now).then(|| next.replace(place, aligned))
}

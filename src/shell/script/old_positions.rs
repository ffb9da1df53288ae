//! Refuses sessions that were saved when positions counted from 1, if they have a position. `script` calls it.

use super::RunEnd;
use super::job::LineOrigin;
use super::lines::Lines;
use super::runner::Runner;
use chainrule_language::{self as language, Span, TextPart};
use chainrule_report::diagnostic::Diagnostic;

/// Refuses a session that was saved when positions counted from 1, if it has a position. `first_line` is the number of
/// the line that says so, which has been read. Returns the end of the run, or `None` if the session may run.
pub(super) fn refuse_old_positions(
    runner: &mut Runner,
    origin: LineOrigin,
    first_line: usize,
    lines: &mut Lines,
) -> Option<Result<(), RunEnd>> {
    // If the rest cannot be read, reading its next line will report that.
    let rest = lines.peek_rest().ok()?;
    let text = String::from_utf8_lossy(&rest);
    let mut numbered = (first_line + 1..).zip(text.lines());
    let (number, line) = numbered.find(|(_, line)| find_position(line).is_some())?;
    let span = find_position(line)?;
    let message = "this session was saved when positions counted from 1, and they count from 0";
    let help = "nothing of it was run: make each position less by 1, and delete the first line";
    let error = Diagnostic::new(message).at(span).help(help);
    Some(runner.report_failure(&error, origin, Some(origin.place(number, line))))
}

/// Does a text have the position of an item? Links need this.
#[cfg(not(feature = "terminal"))]
pub(in crate::shell) fn has_position(text: &str) -> bool {
    text.lines().any(|line| find_position(line).is_some())
}

/// The first position of an item in a line, or the first function whose value is one.
fn find_position(line: &str) -> Option<Span> {
    let mut operand_end = None;
    for (part, span) in language::parts(line) {
        let word = span.of(line);
        let begins_position = word == "[" && operand_end == Some(span.start);
        if begins_position || ["argmin", "argmax"].contains(&word.trim_start_matches('.')) {
            return Some(span);
        }
        let is_operand = [TextPart::Name, TextPart::Close, TextPart::Reference].contains(&part);
        operand_end = is_operand.then_some(span.end);
    }
    None
}

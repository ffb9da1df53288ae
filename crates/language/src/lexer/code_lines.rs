//! Divides the text of a block into statements and heads of loops, choices and functions, and finds the column in which
//! each begins. The parser makes a tree from them.

use super::continuation::Continuation;
use super::python_block::{begins_definition, colon_end, head_end, indent};
use super::statements::statements;
use crate::tree::Span;

/// A statement of a block, or the head of one.
#[derive(Clone, Copy, Debug)]
pub struct CodeLine {
    /// The column in which its line begins. A statement that follows a head on the same line has one more.
    pub indent: usize,
    /// Its place in the text.
    pub span: Span,
}

/// The statements of the block that begins at `start`, and the heads of its loops, choices and functions. A statement in
/// brackets may go over several lines.
pub fn code_lines(text: &str, start: usize) -> Vec<CodeLine> {
    let mut found = Vec::new();
    let (mut begin, mut end) = (start, start);
    let mut reader = Continuation::default();
    for line in text[start..].split_inclusive('\n') {
        end += line.len();
        if !reader.push_code(line.trim_end_matches('\n')) {
            add_code_lines(text, begin, end, &mut found);
            (begin, reader) = (end, Continuation::default());
        }
    }
    add_code_lines(text, begin, end, &mut found);
    found
}

/// Adds the head and the statements of the text from `begin` to `end`: a line, or several lines that brackets join.
fn add_code_lines(text: &str, begin: usize, end: usize, found: &mut Vec<CodeLine>) {
    let line = &text[begin..end];
    let head_length = if begins_definition(line) {
        colon_end(line)
    } else {
        head_end(line)
    };
    let (head, rest) = line.split_at(head_length.unwrap_or(line.len()));
    let column = indent(line);
    for (indent, part) in [(column, head), (column + 1, rest)] {
        for cut in statements(part) {
            // The parser refuses a part that cannot be cut, so it stays whole.
            let code = cut.map_or(part, |cut| cut.span.of(part)).trim();
            if !code.is_empty() {
                let start = code.as_ptr() as usize - text.as_ptr() as usize;
                let span = Span::new(start, start + code.len());
                found.push(CodeLine { indent, span });
            }
        }
    }
}

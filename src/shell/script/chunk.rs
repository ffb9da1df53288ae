//! Joins lines into chunks: a statement that goes on over several lines is one chunk. Also splits a chunk whose bracket is
//! never closed, and finds the errors that are known before a chunk is parsed.
//!
//! The line editor, the page, lessons and scripts use this file, so that they always agree.

use std::borrow::Cow;

use super::lines::{MAX_SHOWN_BYTES, too_long};
use super::transcript::{LineRole, Transcript};
use chainrule_language::{self as language, Continuation, MAX_CONTINUATION, MAX_LENGTH};
use chainrule_report::count_text;
use chainrule_report::diagnostic::Diagnostic;

/// Joins the lines of a source into chunks.
#[derive(Default)]
pub(crate) struct LineJoiner {
    transcript: Transcript,
    /// The chunk that goes on.
    pub open: Chunk,
    /// The chunks that have ended. The reader takes them out.
    pub ended: Vec<Chunk>,
    /// The number of lines that were answers in a transcript.
    pub answers: usize,
}

impl LineJoiner {
    /// Takes the next line, before which and with which chunks may end.
    pub(crate) fn take(&mut self, number: usize, line: &str) {
        // A script that runs by its own name begins with `#!`.
        if number == 1 && line.starts_with("#!") {
            return;
        }
        let (role, text) = self.transcript.read(line);
        if self.open.ends_before(role, &text) {
            self.end();
        }
        if role == LineRole::Answer {
            self.answers += 1;
        } else if !self.open.has_begun() && is_alone(&text) {
            self.ended.push(Chunk::of_line(number, text.into_owned()));
        } else if !self.open.push(number, &text) {
            self.end();
        }
    }

    /// Ends the open chunk, if there is one. Unindented comments that trail a block follow as chunks of their own, because
    /// they belong to the next statement.
    pub(crate) fn end(&mut self) {
        if !self.open.has_begun() {
            return;
        }
        let mut chunk = std::mem::take(&mut self.open);
        let start = chunk.trailing_comments_start();
        let comments_line = chunk.first_line + chunk.text[..start].matches('\n').count();
        let comments = chunk.text.split_off(start);
        if !comments.is_empty() {
            // The line feed before the comments.
            chunk.text.pop();
        }
        self.ended.push(chunk);
        for (number, text) in (comments_line..).zip(comments.lines()) {
            self.ended.push(Chunk::of_line(number, text.to_owned()));
        }
    }
}

/// Joins the lines of a text. Its last chunk stays open.
fn join_lines(text: &str) -> LineJoiner {
    let mut joiner = LineJoiner::default();
    for (number, line) in (1..).zip(text.lines()) {
        joiner.take(number, line);
    }
    joiner
}

/// The chunks of a text, with its comments and blank lines.
pub(crate) fn chunks(text: &str) -> Vec<Chunk> {
    let mut joiner = join_lines(text);
    joiner.end();
    joiner.ended
}

/// Does the last statement of this text go on in the next line?
pub(crate) fn wants_more(text: &str) -> bool {
    let last_line = text.rsplit('\n').next().unwrap_or_default();
    let open = join_lines(text).open.continuation;
    open.is_some_and(|continuation| !continuation.may_end(last_line))
}

/// The place of a part of a text in the text.
fn place_in(text: &str, part: &str) -> usize {
    part.as_ptr() as usize - text.as_ptr() as usize
}

/// Is the text more than one statement? Answers and comments count as statements.
pub(crate) fn has_several_statements(text: &str) -> bool {
    let mut joiner = join_lines(text);
    joiner.end();
    let is_filled = |chunk: &&Chunk| !chunk.text.trim().is_empty();
    joiner.ended.iter().filter(is_filled).count() + joiner.answers > 1
}

/// The lines of a statement, which may not be complete yet.
#[derive(Default)]
pub(crate) struct Chunk {
    pub text: String,
    /// The number of the first line.
    pub first_line: usize,
    /// The brackets and blocks that are open after the last line. `None` before the first line, and for a line that is
    /// certainly a chunk by itself.
    pub continuation: Option<Continuation>,
    /// Another line would have made the text longer than [`MAX_LENGTH`].
    pub has_too_many_bytes: bool,
}

/// Is the line certainly a chunk by itself? This is a fast path for most lines of a script.
fn is_alone(line: &str) -> bool {
    // `fold` has no early exit, unlike `any`, so the compiler vectorizes the loop (SIMD).
    let has = |is_wanted: fn(u8) -> bool| {
        let bytes = line.bytes();
        bytes.fold(false, |found, byte| found | is_wanted(byte))
    };
    // Without brackets, backslashes, colons and quotes, no statement and no block of Python goes on.
    let is_plain = !has(|byte| matches!(byte, b'(' | b'[' | b'\\' | b':' | b'"' | b'\''));
    is_plain
        || !has(|byte| matches!(byte, b'(' | b'[' | b'\\'))
            && !line.contains("\"\"\"")
            && !line.contains("'''")
            && !language::begins_definition(line)
            && language::head_end(line).is_none()
}

impl Chunk {
    /// A chunk of a single line.
    fn of_line(number: usize, text: String) -> Chunk {
        Chunk {
            text,
            first_line: number,
            ..Chunk::default()
        }
    }

    /// The start of the unindented comments that trail a block, as of `# then` in `def f(x):\n    return x\n# then`.
    /// The end of the text if there are none.
    fn trailing_comments_start(&self) -> usize {
        let end = self.text.len();
        // In an open bracket or string, a line that begins with `#` may be text.
        let is_closed_block = |it: &Continuation| it.is_block() && it.unclosed_bracket().is_none();
        if !self.continuation.as_ref().is_some_and(is_closed_block) {
            return end;
        }
        let mut start = end;
        for line in self.text.rsplit('\n') {
            let code = line.trim_start();
            if line.starts_with('#') {
                start = place_in(&self.text, line);
            } else if !code.is_empty() && !code.starts_with('#') {
                break;
            }
        }
        start
    }

    /// Has the chunk any lines?
    fn has_begun(&self) -> bool {
        self.continuation.is_some()
    }

    /// Does the statement end before a line with this role and text?
    fn ends_before(&self, role: LineRole, text: &str) -> bool {
        let Some(continuation) = &self.continuation else {
            return false;
        };
        match role {
            LineRole::First | LineRole::Answer => true,
            LineRole::Next => false,
            LineRole::Plain if continuation.is_block() => continuation.ends_before(text),
            // A command never continues the statement before it.
            LineRole::Plain => language::begins_command(text),
        }
    }

    /// Returns the lines to run, and the rest, which is read again. If a bracket is never closed, the lines to run end with
    /// the line that opens the bracket, because the error is there.
    pub(crate) fn split(&self) -> (&str, &str) {
        let text = &*self.text;
        if self.has_too_many_bytes {
            // The error shows only the beginning of the text.
            return (&text[..text.floor_char_boundary(MAX_SHOWN_BYTES)], "");
        }
        let open = (self.continuation.as_ref()).and_then(Continuation::unclosed_bracket);
        let Some(start) = open.map(|bracket| bracket.start as usize) else {
            return (text, "");
        };
        match text[start..].find('\n') {
            Some(length) => (&text[..start + length], &text[start + length + 1..]),
            None => (text, ""),
        }
    }

    /// The error in the lines to run, `text`, if it is known before they are parsed.
    pub(crate) fn error(&self, text: &str) -> Option<Diagnostic> {
        if self.has_too_many_bytes {
            return Some(too_long("statement"));
        }
        let continuation = self.continuation.as_ref()?;
        let has_too_many_lines = continuation.is_too_long();
        let max_lines = count_text(MAX_CONTINUATION);
        if let Some(open) = continuation.unclosed_bracket()
            // The parser reports the unclosed bracket of any other statement.
            && (has_too_many_lines || continuation.is_block())
        {
            let bracket = open.of(text);
            let limit = has_too_many_lines.then(|| format!(" within {max_lines} lines"));
            let message = format!("`{bracket}` was never closed{}", limit.unwrap_or_default());
            let error = Diagnostic::new(message).at(open).label("opened here");
            return Some(error.help(format!("close it, or leave `{bracket}` out")));
        }
        if !has_too_many_lines {
            return None;
        }
        let message = format!("a statement goes on over at most {max_lines} lines");
        let error = Diagnostic::new(message).at(text.len() - 1..text.len());
        let help = "give parts of it names in statements of their own";
        Some(error.label("one too many").help(help))
    }

    /// Adds the next line. Returns whether the statement goes on after the line.
    fn push(&mut self, number: usize, line: &str) -> bool {
        if self.continuation.is_none() {
            self.first_line = number;
        } else if self.text.len() + line.len() >= MAX_LENGTH {
            // The line is dropped, because the statement is refused anyway.
            self.has_too_many_bytes = true;
            return false;
        } else {
            self.text.push('\n');
        }
        self.text.push_str(line);
        self.continuation.get_or_insert_default().push(line)
    }
}

/// Removes the indentation of the first line from all lines. A line with less indentation loses all of its own.
pub(super) fn without_indent(text: &str) -> Cow<'_, str> {
    let indent = |line: &str| line.len() - line.trim_start_matches(' ').len();
    let first_indent = indent(text);
    if first_indent == 0 {
        return Cow::Borrowed(text);
    }
    let cut = |line| &line[indent(line).min(first_indent)..];
    let lines: Vec<&str> = text.split('\n').map(cut).collect();
    Cow::Owned(lines.join("\n"))
}

#[cfg(test)]
mod tests {
    use super::{has_several_statements, is_alone, wants_more, without_indent};
    use chainrule_language::Continuation;

    #[test]
    fn a_line_alone_wants_no_more() {
        for (line, expected) in [
            ("", true),
            ("a = 2 * b;", true),
            ("a = 'b", true),
            ("é \u{202e} \u{1} )", true),
            (":grad a # b", true),
            ("class A", true),
            ("def f \"\"\"", false),
            ("a = (2)", false),
            ("a = [2", false),
            ("a = 2 \\", false),
            ("# (", false),
        ] {
            assert_eq!(is_alone(line), expected, "{line}");
            assert!(!expected || !Continuation::default().push(line), "{line}");
        }
    }

    #[test]
    fn the_last_statement_of_a_text_decides_whether_more_is_wanted() {
        for (text, expected) in [
            ("", false),
            ("a = 1", false),
            ("a = (1 +", true),
            ("a = (1 +\n2)", false),
            ("a = 1 + \\", true),
            ("a = 1\nb = (2", true),
            ("a = (1\n)\nb = 2\n", false),
            // A command never continues the statement before it.
            ("a = (1\n:vars", false),
            ("a = (1\n:set a (2", true),
        ] {
            assert_eq!(wants_more(text), expected, "{text}");
        }
    }

    #[test]
    fn texts_of_several_statements() {
        for (text, several) in [
            ("", false),
            ("a = 1", false),
            ("a = (1 +\n2)", false),
            ("a = (1 +\n   2 +\n   3)\n", false),
            ("a = 1 + \\\n2\n\nb = 3", true),
            ("a = 1\n# done\n", true),
            ("\n\na = 1\n\n", false),
            ("a = (1\n:vars", true),
        ] {
            assert_eq!(has_several_statements(text), several, "{text}");
        }
    }

    #[test]
    fn further_lines_lose_as_many_blanks_as_the_first() {
        for (text, expected) in [
            ("a = 1", "a = 1"),
            ("a = (1 +\n     2)", "a = (1 +\n     2)"),
            ("   a = (1 +\n        2)\n 3", "a = (1 +\n     2)\n3"),
        ] {
            assert_eq!(without_indent(text), expected, "{text}");
        }
    }
}

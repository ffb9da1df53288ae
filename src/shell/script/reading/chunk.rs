//! Lines that are read together: a statement that goes on over several lines is one chunk.
//!
//! The line editor, the views and scripts ask here, so that they always agree.

use super::lines::MAX_LINE;
use super::transcript::{SourceLine, Transcript, syntax_reads};
use crate::session::settings::PROMPT;
use crate::syntax;
use crate::syntax::Continuation;

/// Does the last statement of this text go on in the next line?
pub(crate) fn wants_more(text: &str) -> bool {
    follow(text, |_, _| {})
}

/// The positions at which continuation lines begin.
pub(crate) fn continued(text: &str) -> Vec<usize> {
    let mut starts = Vec::new();
    if text.contains('\n') {
        follow(text, |line, goes_on| {
            starts.extend(goes_on.then(|| line.as_ptr() as usize - text.as_ptr() as usize));
        });
    }
    starts
}

/// Does a statement begin on more than one line?
pub(crate) fn is_block(text: &str) -> bool {
    let mut begun = 0;
    follow(text, |line, goes_on| {
        begun += usize::from(!goes_on && !line.trim().is_empty());
    });
    begun > 1
}

/// Calls `each` with every line of a text and whether it continues a statement. Returns whether the text ends
/// unfinished.
fn follow<'t>(text: &'t str, mut each: impl FnMut(&'t str, bool)) -> bool {
    let mut chunk = Chunk::default();
    let mut transcript = Transcript::new(PROMPT);
    for (number, line) in text.lines().enumerate() {
        let source = transcript.read(line, syntax_reads);
        if source == SourceLine::Answer {
            chunk = Chunk::default();
            each(line, false);
            continue;
        }
        let mut goes_on = chunk.open;
        match chunk.add(number, &source) {
            NextLine::Alone | NextLine::Unfinished => {}
            NextLine::Whole | NextLine::TooLong | NextLine::TooManyLines => {
                chunk = Chunk::default();
            }
            NextLine::Next => {
                goes_on = false;
                chunk = Chunk::default();
                chunk.add(number, &source);
            }
        }
        each(line, goes_on);
    }
    let last = text.rsplit('\n').next().unwrap_or_default();
    let ended = chunk
        .continuation
        .as_ref()
        .is_some_and(|lines| lines.may_end(last));
    chunk.open && !ended
}

/// The lines of a statement that is not complete yet.
#[derive(Default)]
pub(crate) struct Chunk {
    pub text: String,
    /// The number of the first line.
    pub first: usize,
    pub open: bool,
    pub continuation: Option<Continuation>,
    /// In the rest of a statement that was given up because it has too many lines.
    pub skips: bool,
}

/// Is the line certainly a chunk by itself? This is a fast path for most lines of a script.
fn is_alone(line: &str) -> bool {
    // Without an early exit the compiler vectorizes the loop (SIMD).
    let has = |any: fn(u8) -> bool| line.bytes().fold(false, |found, byte| found | any(byte));
    // Without a colon, a brace or quotes, no block of Python goes on either.
    !has(|byte| matches!(byte, b'(' | b'[' | b'{' | b'\\' | b':' | b'"' | b'\''))
        || !has(|byte| matches!(byte, b'(' | b'[' | b'\\'))
            && !syntax::begins_definition(line)
            && !syntax::begins_loop(line)
}

/// The first chunk of a text, its state, and whether the text ended before the chunk did.
pub(crate) fn first_chunk(text: &str) -> (&str, Continuation, bool) {
    let mut lines = Continuation::new();
    let mut end = 0;
    for line in text.split('\n') {
        if lines.ends_before(line) {
            return (&text[..end - 1], lines, false);
        }
        end += line.len();
        if !lines.push(line) {
            return (&text[..end], lines, false);
        }
        end += 1;
    }
    (text, lines, true)
}

/// The role of a line in a chunk.
pub(crate) enum NextLine {
    /// A chunk by itself.
    Alone,
    /// Part of the chunk, which continues.
    Unfinished,
    /// The last line of the chunk.
    Whole,
    /// The beginning of another statement, such as a command: the chunk ends before it.
    Next,
    /// The chunk would become longer than [`MAX_LINE`].
    TooLong,
    /// The chunk would have more lines, joined by `\`, than it may.
    TooManyLines,
}

impl Chunk {
    pub(crate) fn add(&mut self, number: usize, source: &SourceLine) -> NextLine {
        let line = source.text();
        if self.skips && !syntax::begins_command(line) {
            self.skips = Continuation::new().push(line);
            return NextLine::Unfinished;
        }
        self.skips = false;
        if !self.open {
            if is_alone(line) {
                return NextLine::Alone;
            }
            let mut continuation = Continuation::new();
            if !continuation.push(line) {
                return NextLine::Alone;
            }
            self.text.push_str(line);
            (self.first, self.open, self.continuation) = (number, true, Some(continuation));
            return NextLine::Unfinished;
        }
        let lines = self.continuation.get_or_insert_default();
        let is_next = match source {
            SourceLine::First(_) => true,
            SourceLine::Next(_) => false,
            _ if lines.in_block() => lines.ends_before(line),
            _ => syntax::begins_command(line),
        };
        if is_next {
            return NextLine::Next;
        }
        if self.text.len() + line.len() >= MAX_LINE {
            return NextLine::TooLong;
        }
        self.text.push('\n');
        self.text.push_str(line);
        if lines.push(line) {
            NextLine::Unfinished
        } else if lines.is_too_long() && !lines.in_brackets() {
            NextLine::TooManyLines
        } else {
            NextLine::Whole
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{continued, is_alone, is_block, wants_more};
    use crate::syntax::Continuation;

    #[test]
    fn a_line_alone_wants_no_more() {
        for (line, expected) in [
            ("", true),
            ("a = 2 * b;", true),
            ("a = 'b", true),
            ("é \u{202e} \u{1} )", true),
            (":grad a # b", true),
            ("class A", true),
            ("class A {", false),
            ("def f \"\"\"", false),
            ("a = (2)", false),
            ("a = [2", false),
            ("a = 2 \\", false),
            ("# (", false),
        ] {
            assert_eq!(is_alone(line), expected, "{line}");
            assert!(!expected || !Continuation::new().push(line), "{line}");
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
    fn lines_that_go_on_and_blocks() {
        for (text, starts, block) in [
            ("", &[][..], false),
            ("a = 1", &[], false),
            ("a = (1 +\n2)", &[9], false),
            ("a = (1 +\n   2 +\n   3)\n", &[9, 16], false),
            ("a = 1 + \\\n2\n\nb = 3", &[10], true),
            ("a = 1\n# done\n", &[], true),
            ("\n\na = 1\n\n", &[], false),
            ("a = (1\n:vars", &[], true),
        ] {
            assert_eq!(continued(text), starts, "{text}");
            assert_eq!(is_block(text), block, "{text}");
        }
    }
}

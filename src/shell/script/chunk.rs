//! Joins lines into chunks: a statement that goes on over several lines is one chunk.
//!
//! The line editor, the page, lessons and scripts use this file, so that they always agree.

use std::borrow::Cow;

use super::lines::{SHOWN, too_long};
use super::transcript::{LineRole, SourceLine, Transcript};
use chainrule_language as language;
use chainrule_language::{Continuation, MAX_CONTINUATION, MAX_LENGTH};
use chainrule_report::count_text;
use chainrule_report::diagnostic::Diagnostic;

/// Joins the lines of a source into chunks.
#[derive(Default)]
pub(crate) struct LineJoiner {
    transcript: Transcript,
    /// The chunk that goes on.
    open: Chunk,
    /// The number of lines that were answers in a transcript.
    pub answers: usize,
}

impl LineJoiner {
    /// Takes the next line. Returns the chunks that end before it and with it.
    pub(crate) fn take(
        &mut self,
        number: usize,
        line: &str,
    ) -> impl Iterator<Item = Chunk> + use<> {
        // A script that runs by its own name begins with `#!`.
        if number == 1 && line.starts_with("#!") {
            return Vec::new().into_iter().chain(None);
        }
        let source = self.transcript.read(line);
        let ends = self.open.ends_before(&source);
        let mut before = if ends { self.end() } else { Vec::new() };
        let is_answer = source.role == LineRole::Answer;
        self.answers += usize::from(is_answer);
        let alone = if is_answer {
            None
        } else if !self.open.is_open() && is_alone(&source.text) {
            Some(Chunk::of_line(number, source.text.into_owned()))
        } else {
            let goes_on = self.open.push(number, &source.text);
            if !goes_on {
                before.extend(self.end());
            }
            None
        };
        before.into_iter().chain(alone)
    }

    /// Ends the chunk that was going on, if there is one, and returns it. Comments without indent below a block are chunks
    /// of their own: they belong to what follows.
    pub(crate) fn end(&mut self) -> Vec<Chunk> {
        if !self.open.is_open() {
            return Vec::new();
        }
        let mut chunk = std::mem::take(&mut self.open);
        let behind = chunk.comments_behind();
        let number = chunk.first + chunk.text[..behind].matches('\n').count();
        let comments = chunk.text.split_off(behind);
        if !comments.is_empty() {
            chunk.text.pop();
        }
        let mut chunks = vec![chunk];
        let numbered = (number..).zip(comments.lines());
        chunks.extend(numbered.map(|(first, text)| Chunk::of_line(first, text.to_owned())));
        chunks
    }
}

/// The chunks of a text, with its comments and blank lines, and how many of its lines are answers.
pub(crate) fn chunks(text: &str) -> (Vec<Chunk>, usize) {
    let mut joiner = LineJoiner::default();
    let mut chunks = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        chunks.extend(joiner.take(number, line));
    }
    chunks.extend(joiner.end());
    (chunks, joiner.answers)
}

/// Does the last statement of this text go on in the next line?
pub(crate) fn wants_more(text: &str) -> bool {
    let mut joiner = LineJoiner::default();
    for (number, line) in (1..).zip(text.lines()) {
        drop(joiner.take(number, line));
    }
    let last = text.rsplit('\n').next().unwrap_or_default();
    let open = joiner.open.lines;
    open.is_some_and(|lines| !lines.may_end(last))
}

/// The positions at which continuation lines begin.
pub(crate) fn continuation_starts(text: &str) -> Vec<usize> {
    if !text.contains('\n') {
        return Vec::new();
    }
    let starts: Vec<usize> = (text.lines())
        .map(|line| line.as_ptr() as usize - text.as_ptr() as usize)
        .collect();
    let (chunks, _) = chunks(text);
    // The numbers of lines begin with 1, so that of the first line is the index of the second.
    let later_rows = |chunk: &Chunk| chunk.first..chunk.first + chunk.text.matches('\n').count();
    let rows = chunks.iter().flat_map(later_rows);
    rows.map(|row| starts[row]).collect()
}

/// Is the text more than one statement?
pub(crate) fn is_block(text: &str) -> bool {
    let (chunks, answers) = chunks(text);
    let filled = chunks.iter().filter(|chunk| !chunk.text.trim().is_empty());
    filled.count() + answers > 1
}

/// The lines of a statement, which may not be complete yet.
#[derive(Default)]
pub(crate) struct Chunk {
    pub text: String,
    /// The number of the first line.
    pub first: usize,
    /// How it goes on; `None` before the first line, and for a line that certainly stands alone.
    pub lines: Option<Continuation>,
    /// Another line would make it longer than [`MAX_LENGTH`].
    pub is_too_long: bool,
}

/// Is the line certainly a chunk by itself? This is a fast path for most lines of a script.
fn is_alone(line: &str) -> bool {
    // Without an early exit the compiler vectorizes the loop (SIMD).
    let has = |any: fn(u8) -> bool| line.bytes().fold(false, |found, byte| found | any(byte));
    // Without a colon or quotes, no block of Python goes on either.
    !has(|byte| matches!(byte, b'(' | b'[' | b'\\' | b':' | b'"' | b'\''))
        || !has(|byte| matches!(byte, b'(' | b'[' | b'\\'))
            && !line.contains("\"\"\"")
            && !line.contains("'''")
            && !language::begins_definition(line)
            && language::head_end(line).is_none()
}

impl Chunk {
    /// A chunk of a single line.
    fn of_line(first: usize, text: String) -> Chunk {
        Chunk {
            text,
            first,
            ..Chunk::default()
        }
    }

    /// Where the comments begin that stand without indent below a block; the end of the text if there are none.
    fn comments_behind(&self) -> usize {
        let end = self.text.len();
        let is_block =
            |lines: &Continuation| lines.is_block() && lines.unclosed_bracket().is_none();
        if !self.lines.as_ref().is_some_and(is_block) {
            return end;
        }
        let mut begin = end;
        for line in self.text.rsplit('\n') {
            let code = line.trim_start();
            if line.starts_with('#') {
                begin = line.as_ptr() as usize - self.text.as_ptr() as usize;
            } else if !code.is_empty() && !code.starts_with('#') {
                break;
            }
        }
        begin
    }

    /// Has it begun?
    fn is_open(&self) -> bool {
        self.lines.is_some()
    }

    /// Does the statement end before this line?
    fn ends_before(&self, source: &SourceLine) -> bool {
        let Some(lines) = &self.lines else {
            return false;
        };
        match source.role {
            LineRole::First | LineRole::Answer => true,
            LineRole::Next => false,
            LineRole::Plain if lines.is_block() => lines.ends_before(&source.text),
            LineRole::Plain => language::begins_command(&source.text),
        }
    }

    /// The lines that are run, and those behind them. If a bracket is never closed, only the lines up to the one that opens
    /// it are run: the error is there, and the lines behind are read once more.
    pub(crate) fn split(&self) -> (&str, &str) {
        let text = &*self.text;
        if self.is_too_long {
            // The error shows only its beginning.
            return (&text[..text.floor_char_boundary(SHOWN)], "");
        }
        let open = self.lines.as_ref().and_then(Continuation::unclosed_bracket);
        let Some(start) = open.map(|bracket| bracket.start as usize) else {
            return (text, "");
        };
        match text[start..].find('\n') {
            Some(length) => (&text[..start + length], &text[start + length + 1..]),
            None => (text, ""),
        }
    }

    /// The error in the lines that are run, if it is known before they are parsed.
    pub(crate) fn error(&self, text: &str) -> Option<Diagnostic> {
        if self.is_too_long {
            return Some(too_long("statement"));
        }
        let lines = self.lines.as_ref()?;
        let is_too_long = lines.is_too_long();
        let is_known = is_too_long || lines.is_block();
        let most = count_text(MAX_CONTINUATION);
        if let Some(open) = lines.unclosed_bracket().filter(|_| is_known) {
            let bracket = open.of(text);
            let message = if is_too_long {
                format!("`{bracket}` was never closed within {most} lines")
            } else {
                format!("`{bracket}` was never closed")
            };
            let error = Diagnostic::new(message).at(open).label("opened here");
            return Some(error.help(format!("close it, or leave `{bracket}` out")));
        }
        is_too_long.then(|| {
            Diagnostic::new(format!("a statement goes on over at most {most} lines"))
                .at(text.len() - 1..text.len())
                .label("one too many")
                .help("give parts of it names in statements of their own")
        })
    }

    /// Takes the next line. Returns whether the statement goes on after it.
    fn push(&mut self, number: usize, line: &str) -> bool {
        if self.lines.is_none() {
            self.first = number;
        } else if self.text.len() + line.len() >= MAX_LENGTH {
            self.is_too_long = true;
            return false;
        } else {
            self.text.push('\n');
        }
        self.text.push_str(line);
        self.lines.get_or_insert_default().push(line)
    }
}

/// Removes the indentation of the first line from all lines.
pub(super) fn without_indent(text: &str) -> Cow<'_, str> {
    let indent = |line: &str| line.len() - line.trim_start_matches(' ').len();
    let first = indent(text);
    if first == 0 {
        return Cow::Borrowed(text);
    }
    let lines = text
        .split('\n')
        .map(|line| &line[indent(line).min(first)..]);
    Cow::Owned(lines.collect::<Vec<_>>().join("\n"))
}

#[cfg(test)]
mod tests {
    use super::{continuation_starts, is_alone, is_block, wants_more, without_indent};
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
            assert_eq!(continuation_starts(text), starts, "{text}");
            assert_eq!(is_block(text), block, "{text}");
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

//! Whether a statement goes on in the next line.
//!
//! It does while a bracket is open, after a `\` at the end of a line, and in a block of Python.

use super::block::PythonBlock;
use super::scan::{Marks, SyntaxMark};
use crate::limits::{MAX_CONTINUATION, MAX_NESTING};
use crate::tree::Span;

/// Whether a statement continues in the next line, found line by line: each line is scanned once.
///
/// A reader pushes a line, and as long as more is wanted reads another one and joins it with `\n`. It stops at the end
/// of its input, and before a line for which [`begins_command`](super::begins_command) holds: a command inside a bracket means that the
/// closing bracket was forgotten. The text so far is then parsed, and the error says which bracket was not closed. It
/// also stops before a line that a block of Python [does not have](Continuation::ends_before).
#[derive(Clone, Debug, Default)]
pub struct Continuation {
    depth: usize,
    lines: usize,
    /// The last line ended with `\`.
    is_joined: bool,
    /// It is a block of Python.
    block: Option<PythonBlock>,
}

impl Continuation {
    /// Before the first line.
    pub fn new() -> Continuation {
        Continuation::default()
    }

    /// Takes a line, without its end; is another one wanted? A `;` ends the statement even inside brackets. No more is
    /// wanted after a line that has forbidden characters or nests too deep, since no next line could make it valid, nor
    /// after [`MAX_CONTINUATION`] lines.
    pub fn push(&mut self, line: &str) -> bool {
        match &mut self.block {
            Some(block) => block.push(line),
            None if self.lines == 0 => self.block = PythonBlock::begun(line),
            None => {}
        }
        if let Some(block) = &self.block {
            self.lines += 1;
            return block.goes_on() && self.lines < MAX_CONTINUATION;
        }
        let mut is_joined = false;
        for (mark, _) in Marks::new(line) {
            match mark {
                SyntaxMark::Open => self.depth += 1,
                SyntaxMark::Close => self.depth = self.depth.saturating_sub(1),
                SyntaxMark::End => self.depth = 0,
                SyntaxMark::Backslash { .. } => is_joined = true,
                SyntaxMark::Comment { .. } => {}
                SyntaxMark::QuoteOpen | SyntaxMark::Stray | SyntaxMark::Forbidden(_) => {
                    return false;
                }
            }
            if self.depth > MAX_NESTING {
                return false;
            }
        }
        self.lines += 1;
        self.is_joined = is_joined;
        (self.depth > 0 || is_joined) && self.lines < MAX_CONTINUATION
    }
}

impl Continuation {
    /// Does the statement end before this line? Only a block of Python ends so, where the indentation does.
    pub fn ends_before(&self, line: &str) -> bool {
        self.block.as_ref().is_some_and(|block| !block.has(line))
    }

    /// Is it a block of Python?
    pub fn in_block(&self) -> bool {
        self.block.is_some()
    }

    /// Is it a block of Python that ends where the user wants it to, with an empty line?
    pub fn may_end(&self, last: &str) -> bool {
        let block = self.block.as_ref().filter(|block| !block.is_inside());
        block.is_some() && last.trim().is_empty()
    }

    /// Is a bracket still open?
    pub fn in_brackets(&self) -> bool {
        self.depth > 0 || self.never_closed().is_some()
    }

    /// What a block of Python opened and never closed: a bracket, or the quotes of a text.
    pub fn never_closed(&self) -> Option<Span> {
        self.block.as_ref().and_then(PythonBlock::never_closed)
    }

    /// Was more wanted than there may be?
    pub fn is_too_long(&self) -> bool {
        let goes_on = self.block.as_ref().is_some_and(PythonBlock::goes_on);
        self.lines >= MAX_CONTINUATION && (self.depth > 0 || self.is_joined || goes_on)
    }
}

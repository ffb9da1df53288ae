//! Decides whether a statement continues on the next line, for everything that reads lines.
//!
//! A statement continues while a bracket is open, after a `\` at the end of a line, and in a block of Python.

use super::characters::BLANKS;
use super::marks::{Marks, SyntaxMark, three_quotes};
use super::python_block::{PythonBlock, is_empty};
use crate::limits::{MAX_CONTINUATION, MAX_NESTING};
use crate::tree::Span;

/// The lines of a statement so far. Each line is scanned once.
///
/// A reader pushes a line. While [`push`](Continuation::push) asks for more, the reader takes another line and joins it
/// with `\n`. It stops at the end of its input, and before a line for which [`begins_command`](super::begins_command)
/// holds: a command inside a bracket means that the closing bracket was forgotten. The text so far is then parsed, and
/// the error names the bracket that was not closed. The reader also stops before a line at which a block of Python
/// [ends](Continuation::ends_before).
#[derive(Clone, Debug, Default)]
pub struct Continuation {
    /// The places of the brackets that no line has closed, in their order, without quotes. A text in three quotes comes
    /// last, with its quotes.
    open: Vec<(usize, Option<&'static str>)>,
    /// Whether the last line ended with `\`.
    is_joined: bool,
    /// Whether the last code ended with a colon.
    has_colon: bool,
    /// The number of lines.
    lines: usize,
    /// The number of bytes, with the end of each line.
    length: usize,
    /// The block of Python that the first line begins.
    block: Option<PythonBlock>,
}

impl Continuation {
    /// Takes a line, without its end, and returns whether the reader should offer another one: because the statement is
    /// not complete, or because it is a block, whose end only [`ends_before`](Continuation::ends_before) or
    /// [`may_end`](Continuation::may_end) can tell.
    ///
    /// A `;` ends the statement even inside brackets. If the line has forbidden characters or nests too deep, no line
    /// follows, because none could make the statement valid. No line follows after [`MAX_CONTINUATION`] lines.
    pub fn push(&mut self, line: &str) -> bool {
        let is_inside = self.is_inside();
        match &mut self.block {
            Some(block) if !is_inside && !is_empty(line) => block.push(line),
            None if self.lines == 0 => self.block = PythonBlock::from_head(line),
            _ => {}
        }
        // Any number of blank lines and comments may follow a one-line `if`, so these do not count. They may belong to the
        // next statement.
        let is_after_block =
            is_empty(line) && self.block.as_ref().is_some_and(PythonBlock::is_whole);
        self.lines += usize::from(!is_after_block || is_inside);
        let can_be_valid = self.scan(line, self.block.is_some());
        can_be_valid && self.needs_more() && self.lines < MAX_CONTINUATION
    }

    /// Takes a line of a block as the beginning or the rest of a statement, and returns whether the statement continues.
    pub(super) fn push_code(&mut self, line: &str) -> bool {
        self.scan(line, true);
        self.is_inside()
    }

    /// Finds the brackets and quotes that a line opens and closes. Returns false if no further line could make it valid. In
    /// a block, the parser finds wrong signs later, in its statements.
    fn scan(&mut self, line: &str, is_in_block: bool) -> bool {
        self.length += line.len() + 1;
        let Some(mut code) = self.after_open_text(line) else {
            return true;
        };
        self.is_joined = false;
        // Both end at the same place, before the end of the line.
        let begin = self.length - 1 - code.len();
        for (mark, at) in Marks::new(code) {
            match mark {
                SyntaxMark::Open => self.open.push((begin + at, None)),
                SyntaxMark::Close => drop(self.open.pop()),
                SyntaxMark::End => self.open.clear(),
                SyntaxMark::Backslash { .. } => self.is_joined = true,
                SyntaxMark::Comment { .. } => code = &code[..at],
                SyntaxMark::QuoteOpen if three_quotes(&code[at..]).is_some() => {
                    self.open.push((begin + at, three_quotes(&code[at..])));
                    break;
                }
                // These could not be part of a statement.
                SyntaxMark::Stray | SyntaxMark::QuoteOpen | SyntaxMark::Forbidden(_)
                    if !is_in_block =>
                {
                    return false;
                }
                // Python's comments need no blank before them.
                SyntaxMark::Stray => {
                    code = &code[..at];
                    break;
                }
                SyntaxMark::QuoteOpen | SyntaxMark::Forbidden(_) => {}
            }
            if self.open.len() > MAX_NESTING && !is_in_block {
                return false;
            }
        }
        let trimmed = code.trim_end_matches(BLANKS);
        self.has_colon = trimmed.ends_with(':') || self.has_colon && trimmed.is_empty();
        true
    }

    /// The part of a line after the text in three quotes that an earlier line has opened. Returns `None` if this line does
    /// not close the text.
    fn after_open_text<'l>(&mut self, line: &'l str) -> Option<&'l str> {
        let Some(&(_, Some(quotes))) = self.open.last() else {
            return Some(line);
        };
        let end = line.find(quotes)?;
        self.open.pop();
        Some(&line[end + quotes.len()..])
    }

    /// A block goes on until a line ends it. Only a head without a body and without a colon does not: `def f(x)` is an
    /// error at once.
    fn needs_more(&self) -> bool {
        let block = self.block.as_ref();
        self.is_inside() || block.is_some_and(|block| !block.awaits_body() || self.has_colon)
    }

    /// Whether the statement is inside a bracket or after a `\`.
    fn is_inside(&self) -> bool {
        !self.open.is_empty() || self.is_joined
    }

    /// Whether the statement ends before this line. Only a block of Python can, if the line is not indented enough.
    pub fn ends_before(&self, line: &str) -> bool {
        let block = self.block.as_ref().filter(|_| !self.is_inside());
        block.is_some_and(|block| !block.contains(line))
    }

    /// Whether the statement is a block of Python.
    pub fn is_block(&self) -> bool {
        self.block.is_some()
    }

    /// Whether the statement is a block of Python that can end after the line `last`: if this line is empty, or if the
    /// block needs no line below its head.
    pub fn may_end(&self, last: &str) -> bool {
        let block = self.block.as_ref().filter(|_| !self.is_inside());
        block.is_some_and(|block| block.is_whole() || last.trim().is_empty())
    }

    /// The first bracket, or the first three quotes, that no line has closed.
    pub fn unclosed_bracket(&self) -> Option<Span> {
        let &(at, quotes) = self.open.first()?;
        Some(Span::new(at, at + quotes.map_or(1, str::len)))
    }

    /// Whether the statement needs more lines than it may have.
    pub fn is_too_long(&self) -> bool {
        self.lines >= MAX_CONTINUATION && self.needs_more()
    }
}

/// The last bracket that a text opens and does not close.
pub fn open_bracket(text: &str) -> Option<Span> {
    let mut reader = Continuation::default();
    for line in text.split('\n') {
        reader.push_code(line);
    }
    let mut open = reader.open.iter().rev();
    let &(at, _) = open.find(|(_, quotes)| quotes.is_none())?;
    Some(Span::new(at, at + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn open_brackets_are_found() {
        for (lines, expected) in [
            ("def f(x): return (x", Some("(")),
            ("def f(x):\n  # (\n  '''a\n[", Some("'''")),
            ("def f(x):\n  y = [(x), '('\n", Some("[")),
            ("def f(x):\n  '''a\n  b\n  '''\n  y = [x", Some("[")),
            ("def f(x):\n  return x", None),
        ] {
            let mut block = Continuation::default();
            for line in lines.split('\n') {
                block.push(line);
            }
            let found = block.unclosed_bracket().map(|span| span.of(lines));
            assert_eq!(found, expected, "{lines}");
        }
    }

    /// How many of these lines make up the definition that the first of them begins.
    fn length(text: &str) -> usize {
        let mut block = Continuation::default();
        let mut goes_on = true;
        let lines = text.split('\n').take_while(|line| {
            let is_part = goes_on && !block.ends_before(line);
            goes_on = is_part && block.push(line);
            is_part
        });
        let length = lines.count();
        if block.is_block() { length } else { 0 }
    }

    #[test]
    fn any_number_of_comments_may_follow_a_choice_of_one_line() {
        let mut lines = Continuation::default();
        assert!(lines.push("if a: b"));
        assert!((0..2 * MAX_CONTINUATION).all(|_| lines.push("# c")));
    }

    #[test]
    fn definitions_end_where_python_ends_them() {
        for (text, expected) in [
            ("a = 2", 0),
            ("def = 2", 0),
            ("definition", 0),
            ("class Value", 1),
            ("def f(x): return x\n  3", 1),
            ("def f(x):\n  return x\nf(3)", 2),
            ("  def f(x):\n    return x\n  f(3)", 2),
            ("\tdef f(x):\n\t\treturn x\n\t3", 2),
            ("def f(x): # a: b\n  return x\n\n  # c\n  y\nz", 5),
            ("def f(x):\n# c\n  return x\n\n# d\n  y\nz", 6),
            ("def f(x,\ny):\n  return (x +\ny)\nz", 4),
            ("class A:\n  '''one\ntwo (\n'''\n  a = 'b: (\\''\nz", 5),
            ("def f(x):\n  y = x + \\\n2\n  return y\nz", 4),
            ("for k in range(3):\n  a\nb", 2),
            ("for k in range(3): a\n  b", 0),
            ("else:\n  a\nb", 2),
            ("if a:\n  b\nelif c:\n  d\nelse:\n  e\nf", 6),
            ("for a in b:\n  c\nelse\n", 2),
            ("if(a, b, c)", 0),
            ("if a: b\nc", 1),
            ("if a: b\n\n# c\nelse: d\n  e", 4),
            ("if a: b\nelif c:\n  d\n  e\nelse: f\ng", 5),
            ("if a:\n  b\nelse: c\nd", 3),
            ("def f(x): return [\n'a', 2\n]\nz", 3),
            ("for k in x:\n  print(f'#{k} (')\nz", 2),
            // The prompt indents every line by its own width.
            ("class A:\n     def f(x):\n       return x\n   z", 3),
            ("def f(x):\n    '''a\n  b'''\n    return x\n  z", 4),
        ] {
            assert_eq!(length(text), expected, "{text}");
        }
    }

    #[test]
    fn what_is_open_at_the_end_of_a_line() {
        for (line, open) in [
            ("(a", Some(0)),
            ("(a + [b]", Some(0)),
            ("a) + (b", Some(5)),
            ("(a + (b", Some(5)),
            ("(a; b", None),
            ("(a; b + (c", Some(8)),
            ("(a) # (", None),
            ("(a # (\n + b # )\n", Some(0)),
            ("a\n# (\nb + (c", Some(10)),
            ("f('(')", None),
        ] {
            let found = open_bracket(line).map(|span| (span.start as usize, span.of(line)));
            assert_eq!(found, open.map(|at| (at, "(")), "{line}");
        }
    }

    /// Whether each line asks for another one.
    fn asks_for_more(lines: &[&str]) -> Vec<bool> {
        let mut continuation = Continuation::default();
        lines.iter().map(|line| continuation.push(line)).collect()
    }

    #[test]
    fn open_brackets_and_backslashes_ask_for_more() {
        let pairs: &[(&[&str], &[bool])] = &[
            (&["a"], &[false]),
            (&["(a"], &[true]),
            (&["f(a,", "b", "", ")"], &[true, true, true, false]),
            (&["[(a", ")", "]"], &[true, true, false]),
            (&["a + \\", "b"], &[true, false]),
            (&["a + \\ ", "b"], &[false, false]),
            (&["a # ( \\"], &[false]),
            (&["'('; \"(\" )"], &[false]),
            (&["f'(a", ")"], &[true, false]),
            (&["(a; b"], &[false]),
            (&["(a; (b", ")"], &[true, false]),
            (&[":grad (a", ")"], &[true, false]),
            (&["(a # )", ")"], &[true, false]),
            (&["(\u{7}"], &[false]),
            (&["('a"], &[false]),
            (&[")(", ")"], &[true, false]),
        ];
        for (lines, expected) in pairs {
            assert_eq!(asks_for_more(lines), *expected, "{lines:?}");
        }
    }

    #[test]
    fn a_continuation_ends_in_the_end() {
        let mut continuation = Continuation::default();
        assert!(continuation.push("("));
        for _ in 2..MAX_CONTINUATION {
            assert!(continuation.push("a +"));
        }
        assert!(!continuation.push("a +"));
        let deep = "(".repeat(MAX_NESTING);
        assert!(Continuation::default().push(&deep));
        assert!(!Continuation::default().push(&(deep + "(")));
    }
}

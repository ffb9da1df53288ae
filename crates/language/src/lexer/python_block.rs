//! Finds the lines of a block of Python: `def f(x):`, `class Value:` or `for k in range(20):`, and the indented lines
//! below.
//!
//! No statement of the calculator's own language begins like this, so such a text is one statement, whatever is in its
//! lines. As in Python, it ends before the first line that is not indented more than its head.

use super::characters::{BLANKS, is_letter, outside_brackets};

/// The number of columns of a tab. (In Python, a tab goes to the next multiple of 8.)
const TAB_COLUMNS: usize = 8;

/// Words that begin a block whose head ends with a colon on the same line.
const HEAD_WORDS: [&str; 10] = [
    "for", "while", "if", "elif", "else", "with", "try", "except", "finally", "match",
];

/// A block, after the lines so far.
#[derive(Clone, Debug)]
pub(super) struct PythonBlock {
    /// The indentation of the head.
    indent: usize,
    /// Whether the head begins with `if`.
    is_choice: bool,
    /// The lines below the last head.
    body: Body,
}

/// The lines below a head.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Body {
    /// Its first line has not come yet.
    Awaited,
    /// Its first line has this indentation.
    Begun(usize),
    /// No line may follow, as below `if x > 0: print(x)`.
    Absent,
}

/// The body below a head, which may have a statement on its own line.
fn body_below(head: &str) -> Body {
    if begins_loop(head) || begins_definition(head) {
        Body::Awaited
    } else {
        Body::Absent
    }
}

/// Divides the code of a line into the letters that it begins with, and the rest.
fn first_word(line: &str) -> (&str, &str) {
    let code = line.trim_start_matches(BLANKS);
    code.split_at(code.find(|c| !is_letter(c)).unwrap_or(code.len()))
}

/// Whether a line is the first one of a Python definition.
pub fn begins_definition(line: &str) -> bool {
    let (word, rest) = first_word(line);
    let name = rest.trim_start_matches(BLANKS);
    matches!(word, "def" | "class") && name.len() < rest.len() && name.starts_with(is_letter)
}

/// Whether a line is the first one of another block of Python, such as a loop: `for k in range(20):`.
pub fn begins_loop(line: &str) -> bool {
    head_end(line).is_some_and(|end| is_empty(&line[end..]))
}

/// Whether a line begins with `elif` or `else`, which belong to an `if` above.
pub fn begins_branch(line: &str) -> bool {
    matches!(first_word(line).0, "elif" | "else")
}

/// The end of the head of a block other than a definition: after the colon of `for k in range(3): print(k)`.
pub fn head_end(line: &str) -> Option<usize> {
    let is_head = HEAD_WORDS.contains(&first_word(line).0);
    is_head.then(|| colon_end(line))?
}

/// The place after the first colon outside of brackets.
pub(super) fn colon_end(line: &str) -> Option<usize> {
    let mut code = outside_brackets(line).take_while(|&(_, c)| c != '#' && c != '\n');
    code.find(|&(_, c)| c == ':').map(|(at, _)| at + 1)
}

/// The width of the blanks that a line begins with, in columns.
pub(super) fn indent(line: &str) -> usize {
    let blanks = line.chars().take_while(|c| BLANKS.contains(c));
    let columns = |c| if c == '\t' { TAB_COLUMNS } else { 1 };
    blanks.map(columns).sum()
}

/// Whether a line has no code.
pub(super) fn is_empty(line: &str) -> bool {
    let code = line.trim_start_matches(BLANKS);
    code.is_empty() || code.starts_with('#')
}

impl PythonBlock {
    /// The block that begins with this line.
    pub(super) fn from_head(line: &str) -> Option<PythonBlock> {
        let is_choice = first_word(line).0 == "if" && head_end(line).is_some();
        let body = body_below(line);
        (is_choice || body == Body::Awaited).then(|| PythonBlock {
            indent: indent(line),
            is_choice,
            body,
        })
    }

    /// Takes a line below the head.
    pub(super) fn push(&mut self, line: &str) {
        if self.is_branch(line) {
            self.body = body_below(line);
        } else if self.awaits_body() {
            self.body = Body::Begun(indent(line));
        }
    }

    /// Whether no line has come below the last head, and one must.
    pub(super) fn awaits_body(&self) -> bool {
        self.body == Body::Awaited
    }

    /// Whether the block needs no further line, and only `elif` or `else` may follow.
    pub(super) fn is_whole(&self) -> bool {
        self.body == Body::Absent
    }

    /// The least indentation of a line of the body.
    fn least_indent(&self) -> usize {
        match self.body {
            Body::Awaited => self.indent + 1,
            Body::Begun(indent) => indent,
            Body::Absent => usize::MAX,
        }
    }

    /// Whether a line is an `elif` or `else` of this block. At the prompt, such a line is indented by the width of the
    /// prompt, but less than the lines of the body.
    fn is_branch(&self, line: &str) -> bool {
        let is_less_than_body = (self.indent..self.least_indent()).contains(&indent(line));
        self.is_choice && is_less_than_body && begins_branch(line)
    }

    /// Whether the next line belongs to the block. The prompt indents every line by its own width, so the block ends
    /// before a line that is indented less than the first line of the body. An empty line or a comment belongs to the
    /// block, because it may stand between two lines of code.
    pub(super) fn contains(&self, line: &str) -> bool {
        is_empty(line) || indent(line) >= self.least_indent() || self.is_branch(line)
    }
}

//! The lines of a block of Python: `def f(x):`, `class Value:` or `for k in range(20):`, and what is indented below it.
//!
//! Nothing of the calculator's own begins in this way, so such a text is one statement, however many lines it has and
//! whatever is in them. As in Python it ends before the first line that is not indented more than its head.

use super::characters::{BLANKS, is_letter, outside};

/// How many columns a tab takes.
const TAB: usize = 8;

/// Words that begin a block whose head ends with a colon on the same line.
const STATEMENTS: [&str; 10] = [
    "for", "while", "if", "elif", "else", "with", "try", "except", "finally", "match",
];

/// A block, as far as it was read.
#[derive(Clone, Debug)]
pub(super) struct PythonBlock {
    /// The indentation of the head.
    indent: usize,
    /// The head begins with `if`.
    is_choice: bool,
    /// The indentation of its first line, once there is one.
    pub(super) body: Option<usize>,
}

/// The letters that a line begins with, and what follows.
fn first_word(line: &str) -> (&str, &str) {
    let code = line.trim_start_matches(BLANKS);
    code.split_at(code.find(|c| !is_letter(c)).unwrap_or(code.len()))
}

/// Is it the first line of a Python definition?
pub fn begins_definition(line: &str) -> bool {
    let (word, rest) = first_word(line);
    let name = rest.trim_start_matches(BLANKS);
    matches!(word, "def" | "class") && name.len() < rest.len() && name.starts_with(is_letter)
}

/// Is it the first line of another block of Python, such as a loop: `for k in range(20):`?
pub fn begins_loop(line: &str) -> bool {
    head_end(line).is_some_and(|end| is_empty(&line[end..]))
}

/// Where the head ends of a block that is no definition: behind the colon of `for k in range(3): print(k)`.
pub fn head_end(line: &str) -> Option<usize> {
    if !STATEMENTS.contains(&first_word(line).0) {
        return None;
    }
    let mut code = outside(line).take_while(|&(_, c)| c != '#' && c != '\n');
    code.find(|&(_, c)| c == ':').map(|(at, _)| at + 1)
}

/// The columns of the blanks that a line begins with.
pub(super) fn indent(line: &str) -> usize {
    let blanks = line.chars().take_while(|c| BLANKS.contains(c));
    blanks.map(|c| if c == '\t' { TAB } else { 1 }).sum()
}

/// Has the line no code?
pub(super) fn is_empty(line: &str) -> bool {
    let code = line.trim_start_matches(BLANKS);
    code.is_empty() || code.starts_with('#')
}

impl PythonBlock {
    /// The block that begins with this line.
    pub(super) fn begun(line: &str) -> Option<PythonBlock> {
        (begins_loop(line) || begins_definition(line)).then(|| PythonBlock {
            indent: indent(line),
            is_choice: line.trim_start_matches(BLANKS).starts_with("if"),
            body: None,
        })
    }

    /// Does the next line belong to it? The prompt indents every line by its own width, so what ends the block is a line
    /// that is indented less than the first one of its body.
    pub(super) fn has(&self, line: &str) -> bool {
        let code = line.trim_start_matches(BLANKS);
        let least = self.body.unwrap_or(self.indent + 1);
        // `elif` and `else` belong to the `if` above them.
        let goes_on = self.is_choice && ["elif ", "else"].iter().any(|it| code.starts_with(it));
        is_empty(line) || indent(line) >= least || goes_on && indent(line) == self.indent
    }
}

//! The lines of a block of Python: `def f(x):`, `class Value:` or `for k in range(20):`, and what is indented below it.
//!
//! Nothing of the calculator's own begins in this way, so such a text is one statement, however many lines it has and
//! whatever is in them. As in Python it ends before the first line that is not indented more than its head.

use super::characters::{BLANKS, is_letter, outside};
use crate::tree::Span;

/// How many columns a tab takes.
const TAB: usize = 8;

/// Words that begin a block whose head ends with a colon on the same line.
const STATEMENTS: [&str; 10] = [
    "for", "while", "if", "elif", "else", "with", "try", "except", "finally", "match",
];

/// A block that is read line by line.
#[derive(Clone, Debug)]
pub(crate) struct PythonBlock {
    /// The indentation of the head.
    indent: usize,
    /// The head begins with `if`.
    is_choice: bool,
    /// The indentation of its first line, once there is one.
    body: Option<usize>,
    /// Where the brackets stand that are open, and what closes them; last a text with three quotes that is open.
    open: Vec<(usize, &'static str)>,
    /// How many bytes were read.
    length: usize,
    /// The last line ended with `\`.
    is_joined: bool,
    /// The last character of code was a colon.
    colon: bool,
}

/// Is it the first line of a Python definition?
pub fn begins_definition(line: &str) -> bool {
    let line = line.trim_start_matches(BLANKS);
    let rest = line
        .strip_prefix("def")
        .or_else(|| line.strip_prefix("class"));
    rest.is_some_and(|rest| {
        let name = rest.trim_start_matches(BLANKS);
        name.len() < rest.len() && name.starts_with(is_letter)
    })
}

/// Does the line begin with the first word of another block of Python?
fn begins_statement(line: &str) -> bool {
    let code = line.trim_start_matches(BLANKS);
    let length = code.find(|c| !is_letter(c)).unwrap_or(code.len());
    STATEMENTS.contains(&&code[..length])
}

/// Is it the first line of another block of Python, such as a loop: `for k in range(20):`?
pub fn begins_loop(line: &str) -> bool {
    begins_statement(line) && {
        let mut block = PythonBlock::new(line);
        block.scan(line);
        block.colon && !block.is_inside()
    }
}

/// Where the head ends of a block that is no definition: behind the colon of `for k in range(3): print(k)`.
pub fn head_end(line: &str) -> Option<usize> {
    if !begins_statement(line) {
        return None;
    }
    let mut code = outside(line).take_while(|&(_, c)| c != '#' && c != '\n');
    code.find(|&(_, c)| c == ':').map(|(at, _)| at + 1)
}

/// The columns of the blanks that a line begins with.
fn indent(line: &str) -> usize {
    let blanks = line.chars().take_while(|c| BLANKS.contains(c));
    blanks.map(|c| if c == '\t' { TAB } else { 1 }).sum()
}

impl PythonBlock {
    fn new(line: &str) -> PythonBlock {
        PythonBlock {
            indent: indent(line),
            is_choice: line.trim_start_matches(BLANKS).starts_with("if"),
            body: None,
            open: Vec::new(),
            length: 0,
            is_joined: false,
            colon: false,
        }
    }

    /// The block that begins with this line.
    pub(crate) fn begun(line: &str) -> Option<PythonBlock> {
        (begins_loop(line) || begins_definition(line)).then(|| {
            let mut block = PythonBlock::new(line);
            block.scan(line);
            block
        })
    }

    /// May another line follow?
    pub(crate) fn goes_on(&self) -> bool {
        self.is_inside() || self.body.is_some() || self.colon
    }

    /// Is a bracket or a text open, so that another line must follow?
    pub(crate) fn is_inside(&self) -> bool {
        !self.open.is_empty() || self.is_joined
    }

    /// What was never closed: a bracket or the quotes of a text.
    pub(crate) fn never_closed(&self) -> Option<Span> {
        let last = self.open.last();
        last.map(|(at, close)| Span::new(*at, at + close.len()))
    }

    /// Does the next line belong to it? The prompt indents every line by its own width, so what ends the block is a line
    /// that is indented less than the first one of its body.
    pub(crate) fn has(&self, line: &str) -> bool {
        let code = line.trim_start_matches(BLANKS);
        let least = self.body.unwrap_or(self.indent + 1);
        // `elif` and `else` belong to the `if` above them.
        let goes_on = self.is_choice && ["elif ", "else"].iter().any(|it| code.starts_with(it));
        self.is_inside()
            || code.is_empty()
            || code.starts_with('#')
            || indent(line) >= least
            || goes_on && indent(line) == self.indent
    }

    /// Takes a line that belongs to it.
    pub(crate) fn push(&mut self, line: &str) {
        // The end of the line before.
        self.length += 1;
        if !self.is_inside() {
            let code = line.trim_start_matches(BLANKS);
            if code.is_empty() || code.starts_with('#') {
                self.length += line.len();
                return;
            }
            self.body.get_or_insert(indent(line));
        }
        self.scan(line);
    }

    fn scan(&mut self, line: &str) {
        let begin = self.length;
        self.length += line.len();
        let mut rest = line;
        loop {
            if let Some((_, quotes @ ("\"\"\"" | "'''"))) = self.open.last() {
                let Some(end) = rest.find(quotes) else { return };
                rest = &rest[end + quotes.len()..];
                self.open.pop();
            }
            self.is_joined = false;
            let Some(first) = rest.chars().next() else {
                return;
            };
            let triple = ["\"\"\"", "'''"]
                .into_iter()
                .find(|quote| rest.starts_with(quote));
            let at = begin + line.len() - rest.len();
            if let Some(quote) = triple {
                self.open.push((at, quote));
                self.colon = false;
                rest = &rest[quote.len()..];
                continue;
            }
            rest = &rest[first.len_utf8()..];
            match first {
                '#' => return,
                '"' | '\'' => rest = behind_text(rest, first),
                '(' | '[' | '{' => self.open.push((at, ")")),
                ')' | ']' | '}' => drop(self.open.pop()),
                '\\' if rest.is_empty() => {
                    self.is_joined = true;
                    return;
                }
                _ => {}
            }
            if !BLANKS.contains(&first) {
                self.colon = first == ':';
            }
        }
    }
}

/// What stands behind a text that ends with this quote, or with the line.
fn behind_text(rest: &str, quote: char) -> &str {
    let mut escaped = false;
    let end = rest.find(|c| {
        let ends = c == quote && !escaped;
        escaped = c == '\\' && !escaped;
        ends
    });
    end.map_or("", |end| &rest[end + quote.len_utf8()..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_never_closed() {
        for (lines, expected) in [
            ("def f(x): return (x", Some("(")),
            ("def f(x):\n  # (\n  '''a\n[", Some("'''")),
            ("def f(x):\n  y = [(x), '('\n", Some("[")),
            ("def f(x):\n  return x", None),
        ] {
            let mut all = lines.split('\n');
            let mut block = all.next().and_then(PythonBlock::begun).expect("a block");
            all.for_each(|line| block.push(line));
            let found = block.never_closed().map(|span| span.of(lines));
            assert_eq!(found, expected, "{lines}");
        }
    }

    /// How many of these lines make up the definition that the first of them begins.
    fn length(text: &str) -> usize {
        let mut lines = text.split('\n');
        let Some(mut block) = lines.next().and_then(PythonBlock::begun) else {
            return 0;
        };
        let mut length = 1;
        for line in lines {
            if !block.goes_on() || !block.has(line) {
                break;
            }
            block.push(line);
            length += 1;
        }
        length
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
            ("def f(x): # a: b\n  return x\n\n  # c\n# d\n  y\nz", 6),
            ("def f(x,\ny):\n  return (x +\ny)\nz", 4),
            ("class A:\n  '''one\ntwo (\n'''\n  a = 'b: (\\''\nz", 5),
            ("def f(x):\n  y = x + \\\n2\n  return y\nz", 4),
            ("for k in range(3):\n  a\nb", 2),
            ("for k in range(3): a\n  b", 0),
            ("else:\n  a\nb", 2),
            ("if a:\n  b\nelif c:\n  d\nelse:\n  e\nf", 6),
            ("for a in b:\n  c\nelse\n", 2),
            ("if(a, b, c)", 0),
            ("def f(x): return {\n'a': 2\n}\nz", 3),
            // The prompt indents every line by its own width.
            ("class A:\n     def f(x):\n       return x\n   z", 3),
            ("def f(x):\n    '''a\n  b'''\n    return x\n  z", 4),
        ] {
            assert_eq!(length(text), expected, "{text}");
        }
    }
}

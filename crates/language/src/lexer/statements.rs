//! Divides a text into [`statements`], and a block into [`code_lines`], before they are parsed. Removes comments and blanks.
//! Checks that brackets are not nested too deep, because pest would overflow the stack.

use std::borrow::Cow;

use super::characters::{BLANKS, is_letter, is_prime};
use super::continuation::Continuation;
use super::marks::{Marks, SyntaxMark};
use super::python_block::{begins_definition, colon_end, head_end, indent};
use crate::error::SyntaxError;
use crate::limits::{MAX_FUNCTIONS, MAX_LENGTH, MAX_NESTING};
use crate::tree::Span;

/// One statement of a chunk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StatementSpan {
    /// Its text, without the comment after it and the blanks around it. It is empty between `;` and `;`.
    pub span: Span,
    /// Whether its answer is hidden: whether a `;` ends it that does more than separate a `print` from another statement.
    pub is_silenced: bool,
}

impl StatementSpan {
    /// A text that is one statement as a whole.
    pub fn whole(text: &str) -> StatementSpan {
        let span = Span::new(0, text.len());
        let is_silenced = false;
        StatementSpan { span, is_silenced }
    }
}

/// Divides a chunk into statements. A chunk is one line, or several joined by `\n` because `Continuation` asked for more.
///
/// A faulty statement is an error, and the iterator continues after its `;`. The text after the last `;` is a statement
/// only if it is not empty, so a blank chunk has none.
pub fn statements(text: &str) -> impl Iterator<Item = Result<StatementSpan, SyntaxError>> {
    let mut marks = Marks::new(text);
    std::iter::from_fn(move || next_statement(&mut marks))
}

fn next_statement(marks: &mut Marks) -> Option<Result<StatementSpan, SyntaxError>> {
    let (text, start) = (marks.text, marks.at);
    if start == 0 && text.len() > MAX_LENGTH {
        marks.at = text.len();
        return Some(Err(SyntaxError::too_long()));
    }
    if start == 0 && begins_block(text) {
        return Some(whole_block(marks));
    }
    let mut semicolon = None;
    let mut error = None;
    for (mark, at) in marks.by_ref() {
        if mark == SyntaxMark::End {
            semicolon = Some(at);
            break;
        }
        error = error.or_else(|| mark.error(text, at));
    }
    if let Some(error) = error {
        return Some(Err(error));
    }
    let end = semicolon.unwrap_or(text.len());
    let (span, _) = trimmed_code(text, Span::new(start, end));
    let is_closed = semicolon.is_some();
    // As in Python, a `;` between a `print` and another statement does not silence the `print`.
    let only_separates = is_print(span.of(text)) && has_statement(&text[end..]);
    let is_silenced = is_closed && !only_separates;
    (span.start < span.end || is_closed).then_some(Ok(StatementSpan { span, is_silenced }))
}

/// Returns a text that is a block as one statement. The parser checks its quotes and `#` later, line by line.
fn whole_block(marks: &mut Marks) -> Result<StatementSpan, SyntaxError> {
    let text = marks.text;
    let mut error = None;
    for (mark, at) in marks {
        if !matches!(mark, SyntaxMark::QuoteOpen | SyntaxMark::Stray) {
            error = error.or_else(|| mark.error(text, at));
        }
    }
    let span = trim(text, Span::new(0, text.len()));
    let is_silenced = text[..code_end(text)].ends_with(';');
    error.map_or(Ok(StatementSpan { span, is_silenced }), Err)
}

/// Whether the rest of a line, from a `;` on, has another statement.
fn has_statement(rest: &str) -> bool {
    let next = rest.trim_start_matches(|c| c == ';' || BLANKS.contains(&c));
    !next.is_empty() && !next.starts_with('#')
}

/// Whether a statement is a call of `print`.
fn is_print(statement: &str) -> bool {
    let arguments = statement.strip_prefix("print");
    arguments.is_some_and(|rest| rest.trim_start_matches(BLANKS).starts_with('('))
}

/// Whether a chunk is a block of Python: a definition, or another head with its colon.
pub fn begins_block(text: &str) -> bool {
    begins_definition(text) || head_end(text).is_some()
}

/// The end of the code of a text: the place before the comments and blanks that follow it.
pub fn code_end(text: &str) -> usize {
    as_grammar_text(text).trim_end().len()
}

/// Joins the lines of a statement into one, without its comments, for messages and labels. Several blanks become one
/// space, even in quotes.
pub fn one_line(text: &str) -> String {
    let plain = as_grammar_text(text);
    plain.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The text as the grammar reads it: with spaces in place of its comments, of each `\` that joins two lines, and of
/// non-breaking spaces. It has the same length in bytes, so a place in it is the same place in the text.
pub(crate) fn as_grammar_text(text: &str) -> Cow<'_, str> {
    // A non-breaking space begins with 0xC2.
    let may_be_replaced = |byte| matches!(byte, b'#' | b'\\' | 0xC2);
    // `fold` reads all bytes, where `any` would stop early, because only then the compiler vectorizes the loop.
    let bytes = text.bytes();
    if !bytes.fold(false, |found, byte| found | may_be_replaced(byte)) {
        return Cow::Borrowed(text);
    }
    let mut plain = String::with_capacity(text.len());
    for (mark, at) in Marks::new(text) {
        let (SyntaxMark::Comment { end } | SyntaxMark::Backslash { end }) = mark else {
            continue;
        };
        plain.push_str(&text[plain.len()..at]);
        plain.extend(std::iter::repeat_n(' ', end - at));
    }
    plain.push_str(&text[plain.len()..]);
    // Two spaces, because a non-breaking space has two bytes.
    Cow::Owned(plain.replace('\u{A0}', "  "))
}

/// The place of a quote that is not closed on its line.
pub fn open_quote(text: &str) -> Option<usize> {
    let mut marks = Marks::new(text);
    marks.find_map(|(mark, at)| (mark == SyntaxMark::QuoteOpen).then_some(at))
}

/// Whether this line begins a command: with `:` and a letter. No line in the middle of a statement begins like this.
pub fn begins_command(line: &str) -> bool {
    let name = line.trim_start_matches(BLANKS).strip_prefix(':');
    name.is_some_and(|name| name.starts_with(is_letter))
}

/// The places of the comments of a text.
pub(crate) fn comments(text: &str) -> impl Iterator<Item = Span> + '_ {
    Marks::new(text).filter_map(|(mark, at)| match mark {
        SyntaxMark::Comment { end } => Some(Span::new(at, end)),
        _ => None,
    })
}

/// Returns a span without the blanks and comments at its ends, and its text as the grammar reads it.
pub(crate) fn trimmed_code(text: &str, span: Span) -> (Span, Cow<'_, str>) {
    let plain = as_grammar_text(span.of(text));
    let inside = trim(&plain, Span::new(0, plain.len()));
    let trimmed = match plain {
        Cow::Borrowed(plain) => Cow::Borrowed(inside.of(plain)),
        Cow::Owned(plain) => Cow::Owned(inside.of(&plain).to_string()),
    };
    (inside.shift(span.start), trimmed)
}

/// Returns a span without the blanks at its ends.
pub(crate) fn trim(text: &str, span: Span) -> Span {
    let without_end = span.of(text).trim_end_matches(BLANKS);
    let trimmed = without_end.trim_start_matches(BLANKS);
    let end = span.start as usize + without_end.len();
    Span::new(end - trimmed.len(), end)
}

/// Refuses a statement, or a part of a statement, if its brackets are nested too deep. Callers check this first.
///
/// # Errors
/// If its brackets are nested too deep.
pub fn check_nesting(text: &str, span: Span) -> Result<(), SyntaxError> {
    // Most statements are too short to be deep.
    if span.of(text).len() <= MAX_NESTING {
        return Ok(());
    }
    let (region, plain) = trimmed_code(text, span);
    check_depth(&plain, region.start)
}

/// Refuses a text that begins at `start` if its brackets or functions are nested too deep. Those in quotes count, too,
/// since an f-string has expressions in it. A closing quote restores the depth before its opening quote.
pub(crate) fn check_depth(text: &str, start: u32) -> Result<(), SyntaxError> {
    if text.len() <= MAX_NESTING {
        return Ok(());
    }
    // For each open bracket, the functions around it.
    let (mut open, mut functions) = (Vec::new(), 0_usize);
    let mut quoted: Option<(u8, [usize; 2])> = None;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'(' | b'[' => open.push(functions),
            b')' | b']' => functions = open.pop().unwrap_or(functions),
            b'l' if text[at..].starts_with("lambda ") => functions += 1,
            b'\n' | b';' if open.is_empty() => functions = 0,
            b'"' | b'\'' => match quoted {
                Some((quote, [brackets, around])) if quote == byte => {
                    open.truncate(brackets);
                    (quoted, functions) = (None, around);
                }
                None if !is_prime(text, at) => quoted = Some((byte, [open.len(), functions])),
                _ => {}
            },
            _ => {}
        }
        if open.len() > MAX_NESTING || functions > MAX_FUNCTIONS {
            let span = Span::new(at, at + 1).shift(start);
            let (what, most) = if functions > MAX_FUNCTIONS {
                ("`lambda`", MAX_FUNCTIONS)
            } else {
                ("brackets", MAX_NESTING)
            };
            let message = format!("{what} can be nested at most {most} deep");
            let help = "give an inner part a name: `p = …`, and use `p`";
            return Err(SyntaxError::new(span, message, help).label("one too many"));
        }
    }
    Ok(())
}

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
                // `code` is a part of `text`, so the distance between their first bytes is its place.
                let start = code.as_ptr() as usize - text.as_ptr() as usize;
                let span = Span::new(start, start + code.len());
                found.push(CodeLine { indent, span });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The statements of a chunk, silenced ones with their `;`, and the place of each error.
    fn statement_texts(text: &str) -> Vec<String> {
        statements(text)
            .map(|cut| match cut {
                Ok(cut) => format!(
                    "{}{}",
                    cut.span.of(text),
                    if cut.is_silenced { ";" } else { "" }
                ),
                Err(error) => format!("{} at {}", error.message, error.span.start),
            })
            .collect()
    }

    #[test]
    fn chunks_are_cut_into_statements() {
        let pairs: &[(&str, &[&str])] = &[
            ("", &[]),
            (" \t\u{A0}", &[]),
            ("a", &["a"]),
            (" a = 1 ; b", &["a = 1;", "b"]),
            ("a;", &["a;"]),
            ("a; ", &["a;"]),
            (";", &[";"]),
            ("a;;b", &["a;", ";", "b"]),
            ("# a; b", &[]),
            ("a # b; c", &["a"]),
            ("a;# b", &["a;"]),
            (
                "print(a); b; print(c); # d",
                &["print(a)", "b;", "print(c);"],
            ),
            ("a\t# b", &["a"]),
            ("a\u{A0}# b", &["a"]),
            ("f(a; b)", &["f(a;", "b)"]),
            (":load 'a;b # c'", &[":load 'a;b # c'"]),
            (":load \"a;b\"; c", &[":load \"a;b\";", "c"]),
            ("f'(3); g''(x) # '", &["f'(3);", "g''(x)"]),
            ("α'(3); f’'(x)", &["α'(3);", "f’'(x)"]),
            ("(a)'; b", &["(a)';", "b"]),
            ("n.label = 'n'; a", &["n.label = 'n';", "a"]),
            ("f(a, # one\n b) # two", &["f(a, # one\n b)"]),
            ("(a) # one\n # two\n", &["(a)"]),
            ("(a # one;\n); b # two", &["(a # one;\n);", "b"]),
            ("a \\", &["a"]),
            ("a \\\n b", &["a \\\n b"]),
        ];
        for (text, expected) in pairs {
            assert_eq!(statement_texts(text), *expected, "{text:?}");
        }
    }

    #[test]
    fn a_statement_that_cannot_be_cut_hides_no_other() {
        let pairs: &[(&str, &[&str])] = &[
            (
                "a = 1; b\u{7} = 2; c",
                &[
                    "a = 1;",
                    "the invisible character U+0007 is not allowed in a line at 8",
                    "c",
                ],
            ),
            ("a \"b; c", &["`\"` was never closed at 2", "c"]),
            ("a 'b", &["`'` was never closed at 2"]),
            ("a; b#c; d", &["a;", "`#` means nothing here at 4", "d"]),
            (
                "a\r",
                &["the invisible character U+000D is not allowed in a line at 1"],
            ),
            (
                "a\u{7F}",
                &["the invisible character U+007F is not allowed in a line at 1"],
            ),
            (
                "a\u{85}",
                &["the invisible character U+0085 is not allowed in a line at 1"],
            ),
            (
                "# \u{1B}[31m",
                &["the invisible character U+001B is not allowed in a line at 2"],
            ),
            (
                ":load '\u{202E}'",
                &["the invisible character U+202E is not allowed in a line at 7"],
            ),
            (
                "a\u{200B}b",
                &["the invisible character U+200B is not allowed in a line at 1"],
            ),
            (
                "a\u{200D}b",
                &["the invisible character U+200D is not allowed in a line at 1"],
            ),
            (
                "a\u{FE0F}",
                &["the invisible character U+FE0F is not allowed in a line at 1"],
            ),
            (
                "\u{3164}",
                &["the invisible character U+3164 is not allowed in a line at 0"],
            ),
            (
                "\u{FEFF}a",
                &["the invisible character U+FEFF is not allowed in a line at 0"],
            ),
            (
                "a\u{2028}b",
                &["the invisible character U+2028 is not allowed in a line at 1"],
            ),
        ];
        for (text, expected) in pairs {
            assert_eq!(statement_texts(text), *expected, "{text:?}");
        }
    }

    #[test]
    fn the_grammar_reads_blanks_in_place_of_comments() {
        for (text, plain) in [
            ("a + b", "a + b"),
            ("(a # one ( α\n+ b)", "(a           \n+ b)"),
            ("a \\\n + b", "a  \n + b"),
            ("a\u{A0}* b", "a  * b"),
            ("print('# a', b)", "print('# a', b)"),
            ("a#b \\ c \\", "a#b \\ c  "),
        ] {
            assert_eq!(as_grammar_text(text), plain);
            assert_eq!(plain.len(), text.len());
        }
    }

    #[test]
    fn statements_have_a_limit_in_length() {
        let at_limit = "-".repeat(MAX_LENGTH);
        assert!(statements(&at_limit).all(|cut| cut.is_ok()));
        let beyond: Vec<_> = statements(&(at_limit + "x")).collect();
        assert_eq!(beyond, [Err(SyntaxError::too_long())]);
    }

    #[test]
    fn a_command_begins_with_a_colon_and_a_letter() {
        for (line, expected) in [
            (":grad L", true),
            ("  :q", true),
            (":", false),
            (": grad", false),
            (":1", false),
            ("a:b", false),
        ] {
            assert_eq!(begins_command(line), expected, "{line}");
        }
    }
}

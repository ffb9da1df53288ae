//! Improves the errors of blocks: finds the line of a block at which an error points, and asks `python` for advice on it.

use crate::interpret::{StatementRun, python};
use chainrule_language as language;
use chainrule_report::diagnostic::{Diagnostic, LineInside};

impl StatementRun<'_, '_> {
    /// The error of a text that cannot be read, or better advice if it is a block.
    pub(in crate::interpret) fn advice_on_block(&self, error: Diagnostic) -> Diagnostic {
        let statement = self.statement();
        if !language::begins_block(statement) || is_class(statement) {
            return error;
        }
        self.with_advice(error)
    }

    /// The error of a line, or better advice on it.
    pub(in crate::interpret) fn with_advice(&self, error: Diagnostic) -> Diagnostic {
        if let Some(inside) = error.inside.clone() {
            return self.with_advice_in_function(error, inside);
        }
        let Some(span) = error.span.clone() else {
            return error;
        };
        let text = &self.text[..self.cut.span.end as usize];
        let lines = language::code_lines(text, self.cut.span.start as usize);
        let is_before = |start: u32| start as usize <= span.start;
        let Some(line) = lines.iter().rfind(|line| is_before(line.span.start)) else {
            return error;
        };
        let code = line.span.of(text);
        let by_row = python::meaning_by_row(self.session, code, "blocks");
        if let Some(python::Meaning::Refused(advice)) = by_row {
            return advice.at(line.span);
        }
        let is_about_line = span.start == line.span.start as usize;
        let expression = match expression_behind_keyword(code) {
            Some(_) if is_about_line => return error,
            Some(expression) => expression,
            None => code,
        };
        let bare = expression.trim_end_matches(':');
        if bare.is_empty() {
            return error;
        }
        let bare_start = bare.as_ptr() as usize - text.as_ptr() as usize;
        python::advice_or(self.session, (bare, bare_start), error)
    }

    /// The error of a line in a function, or better advice on that line.
    fn with_advice_in_function(&self, error: Diagnostic, inside: Box<LineInside>) -> Diagnostic {
        // An error at the head of a function is about all of its lines.
        if language::begins_definition(&inside.line) {
            return error;
        }
        let span = error.span.clone();
        let code = inside.line.trim_start_matches("return ").to_owned();
        Diagnostic {
            inside: Some(inside),
            span,
            ..python::advice_or(self.session, (&code, 0), error)
        }
    }
}

/// Whether a text is a class of Python.
pub(in crate::interpret) fn is_class(text: &str) -> bool {
    text.trim_start().starts_with("class")
}

/// The expression of a line that begins with a keyword: `x > 0:` in `if x > 0:`, and `xs:` in `for x in xs:`. `None` for a
/// line without a keyword.
fn expression_behind_keyword(code: &str) -> Option<&str> {
    let (word, rest) = code.split_once([' ', ':']).unwrap_or((code, ""));
    if language::head_end(code).is_none() && word != "return" {
        return None;
    }
    let list = rest.split_once(" in ").filter(|_| word == "for");
    Some(list.map_or(rest, |(_variables, list)| list))
}

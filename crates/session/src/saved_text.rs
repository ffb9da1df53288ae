//! The text of statements in a saved session: statements as typed, and numbers that read back to the same bits.

use chainrule_language::{self as language, MAX_CONTINUATION, Span, StatementSpan};
use chainrule_program::values::Value;
use chainrule_report::NumberPart;

/// The length of a line, in bytes, beyond which it is broken.
const LINE_WIDTH: usize = 100;

/// Breaks a long text after commas.
pub(super) fn wrap(text: &str) -> String {
    // A statement has a limited number of lines. A very long one gets longer lines.
    let width = LINE_WIDTH.max(text.len() / (MAX_CONTINUATION / 2));
    let mut wrapped = String::with_capacity(text.len() + text.len() / 16);
    let (mut line_start, mut depth) = (0, 0);
    for part in text.split_inclusive(", ") {
        if wrapped.len() - line_start > width + ", ".len() {
            wrapped.truncate(wrapped.trim_end().len());
            // In brackets, a line continues without a backslash.
            wrapped.push_str(if depth > 0 { "\n    " } else { " \\\n    " });
            line_start = wrapped.len();
        }
        wrapped.push_str(part);
        depth += part.matches('[').count();
        depth -= part.matches(']').count();
    }
    wrapped
}

/// Adds numbers in the brackets of a value.
fn push_numbers(text: &mut String, value: &Value, mut numbers: impl Iterator<Item = f64>) {
    let mut is_first = true;
    for part in value.parts() {
        if part != NumberPart::Close && !is_first {
            text.push_str(", ");
        }
        is_first = part == NumberPart::Open;
        match part {
            NumberPart::Open => text.push('['),
            NumberPart::Close => text.push(']'),
            _ => text.extend(numbers.next().map(number_text)),
        }
    }
}

/// A statement as it was typed, but with other texts in place of parts of it, `;` or nothing at its end, and the comment
/// behind it.
pub(super) fn typed_text(
    text: &str,
    cut: &StatementSpan,
    mut parts: Vec<(Span, String)>,
    end: &str,
) -> String {
    let mut typed = String::with_capacity(cut.span.of(text).len() + end.len() + 1);
    let mut at = cut.span.start as usize;
    parts.sort_by_key(|(span, _)| span.start);
    for (span, part) in &parts {
        typed.push_str(&text[at..span.start as usize]);
        typed.push_str(part);
        at = span.end as usize;
    }
    typed.push_str(text[at..cut.span.end as usize].trim_end());
    // A comment may stand behind the last line of a block, and a `;` there is part of that line.
    let last_comment = typed.split_off(language::code_end(&typed));
    typed.truncate(typed.trim_end().trim_end_matches(';').len());
    typed.push_str(end);
    typed.push_str(last_comment.trim_end());
    let rest = text[cut.span.end as usize..].trim_start_matches([' ', '\t', ';']);
    // Many statements may share a line, so only a comment is read to the end of the line.
    if let Some(comment) = rest.strip_prefix('#') {
        typed.push_str("  #");
        typed.push_str(comment.lines().next().unwrap_or_default().trim_end());
    }
    typed.push('\n');
    typed
}

/// The text of a number, which reads back to the same bits. Values that are not finite are written as quotients,
/// because the names `inf` and `nan` may be bound by the user.
pub(super) fn number_text(value: f64) -> String {
    if value.is_nan() {
        "0/0".to_string()
    } else if value.is_infinite() {
        format!("{}1/0", if value < 0.0 { "-" } else { "" })
    } else {
        language::literal(value, false)
    }
}

/// The numbers of some values, with their widths if some are not 0: `3, [1, 2] ± [0.1, 0]`. Long lists go on in further
/// lines.
pub(super) fn numbers_text(values: &[Value], widths: &[Vec<f64>]) -> String {
    let mut text = String::new();
    for (place, (value, of_value)) in values.iter().zip(widths).enumerate() {
        if place > 0 {
            text.push_str(", ");
        }
        let data = value.nodes().iter().map(|node| node.data());
        push_numbers(&mut text, value, data);
        if of_value.iter().any(|width| *width > 0.0) {
            text.push_str(" ± ");
            push_numbers(&mut text, value, of_value.iter().copied());
        }
    }
    wrap(&text)
}

//! Writes the output of `print`: texts and values, joined and split into lines. `fstring` writes the values with a
//! format.

use std::rc::Rc;

use super::fstring::{MAX_COLUMNS, format_number};
use crate::session::values::{CodeWord, Value};
use crate::session::word_error;
use chainrule_language::{PrintPiece, Printing, Span};
use chainrule_report::diagnostic::Diagnostic;
use chainrule_report::{Block, Fact, Line, NumberPart, Numbers, Piece};

/// The most numbers of a list that `print` writes in full.
pub const MOST_PRINTED: usize = 1_000;

/// The text that one `print` writes, with `\n` at the end of each line, and the same for JSON.
pub(super) fn write_printed(
    printing: &Printing,
    values: &[Value],
    span: Span,
) -> Result<(Line, Fact), Diagnostic> {
    let (mut line, mut items) = (Line::new(), Vec::new());
    let mut values = values.iter();
    for (at, parts) in printing.arguments.iter().enumerate() {
        if at > 0 {
            line.push(Piece::plain(&*printing.separator));
        }
        for part in parts {
            let (words, item) = match part {
                PrintPiece::Text(text) => write_text(text),
                PrintPiece::Value(format) => {
                    let Some(value) = values.next() else { continue };
                    let (mut words, item) = write_value(value, span)?;
                    if let Some((format, place)) = format {
                        words = vec![Piece::plain(format_value(format, *place, value)?)];
                    }
                    (words, item)
                }
            };
            line.extend(words);
            items.push(item);
        }
    }
    line.push(Piece::plain(&*printing.end));
    Ok((line, Fact::List(items)))
}

fn write_text(words: &str) -> (Line, Fact) {
    (vec![Piece::plain(words)], Fact::Text(words.to_string()))
}

/// A value as `print` writes it, and in JSON.
pub(super) fn write_value(value: &Value, span: Span) -> Result<(Line, Fact), Diagnostic> {
    match value.word() {
        Some(CodeWord::Text(words)) => return Ok(write_text(words)),
        Some(CodeWord::None) => return Ok(write_text("None")),
        Some(word) => return Err(*word_error(word, None, span)),
        None => {}
    }
    let numbers = Rc::new(value.numbers());
    let line = whole_list(&numbers).unwrap_or_else(|| vec![numbers.piece()]);
    Ok((line, Fact::Value(numbers)))
}

/// A list as `print` writes it. `None` for a number, and for a list with more than [`MOST_PRINTED`] of them.
pub(super) fn whole_list(numbers: &Numbers) -> Option<Line> {
    if numbers.shape.is_empty() || numbers.numbers().count() > MOST_PRINTED {
        return None;
    }
    let mut line = Line::new();
    let mut is_first = true;
    for part in &numbers.parts {
        if !is_first && !matches!(part, NumberPart::Close) {
            line.push(Piece::plain(", "));
        }
        is_first = matches!(part, NumberPart::Open);
        line.push(match part {
            NumberPart::Open => Piece::plain("["),
            NumberPart::Close => Piece::plain("]"),
            number => Piece::Number(number.number().unwrap_or_default()),
        });
    }
    Some(line)
}

/// Splits an output into lines at each `\n`.
pub(super) fn printed_lines(printed: impl IntoIterator<Item = Line>) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut line = Line::new();
    for piece in printed.into_iter().flatten() {
        match piece {
            Piece::Words(role, words) if words.contains('\n') => {
                let mut parts = words.split('\n');
                let last = parts.next_back().unwrap_or_default().to_owned();
                for part in parts {
                    line.push(Piece::Words(role, part.to_owned()));
                    blocks.push(Block::Line(std::mem::take(&mut line)));
                }
                if !last.is_empty() {
                    line.push(Piece::Words(role, last));
                }
            }
            piece => line.push(piece),
        }
    }
    if !line.is_empty() {
        blocks.push(Block::Line(line));
    }
    blocks
}

/// A value in a format of Python: `.4f`.
fn format_value(format: &str, place: Span, value: &Value) -> Result<String, Diagnostic> {
    if let Value::Node(node) = value
        && let Some(text) = format_number(format, node.data())
    {
        return Ok(text);
    }
    let name = match value {
        Value::Node(node) => node.data().to_string(),
        Value::List(_) if value.word().is_some() => "a text".to_string(),
        Value::List(list) => list.shape().to_string(),
    };
    let message = format!("`{format}` is not a format for {name}");
    let help = format!(
        "`{{L:.4f}}` has 4 decimals, `{{L:>10.3e}}` an exponent and 10 columns, of at most {MAX_COLUMNS}; there are also `g`, `%`, `,` and, for whole numbers, `d`"
    );
    Err(Diagnostic::new(message).at(place).help(help))
}

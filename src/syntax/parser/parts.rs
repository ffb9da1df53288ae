//! The kind of each word and sign of a text, complete or not, for colouring and completion.
//!
//! No text is refused, and names need not exist.

use super::trouble::tokens;
use crate::syntax::grammar::Rule;
use crate::syntax::lexer::BLANKS;
use crate::syntax::tree::Span;

/// What a word or sign is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextPart {
    /// A name.
    Name,
    /// A number.
    Number,
    /// A sign that does something: `+`, `=`, `√`, `²`.
    Operator,
    /// `(`, `[`
    Open,
    /// `)`, `]`
    Close,
    /// `,`
    Comma,
    /// `@3`, `$3`, the end of `a@1`
    Reference,
    /// `.tanh`, `.data`
    Member,
    /// `"…"`
    Quoted,
    /// `# …`
    Comment,
    /// Anything else: `:`, `;`, unknown signs.
    Other,
}

/// The words and signs of a text, in their order.
pub fn parts(text: &str) -> Vec<(TextPart, Span)> {
    let mut found = Vec::new();
    let mut at = 0;
    for (rule, span) in tokens(text, Span::new(0, text.len())) {
        gap(text, at, span.start as usize, &mut found);
        at = span.end as usize;
        found.push((part(rule), span));
    }
    gap(text, at, text.len(), &mut found);
    found
}

fn part(rule: Rule) -> TextPart {
    match rule {
        Rule::name => TextPart::Name,
        Rule::number => TextPart::Number,
        Rule::open | Rule::list_open => TextPart::Open,
        Rule::close | Rule::list_close => TextPart::Close,
        Rule::comma => TextPart::Comma,
        Rule::node | Rule::result => TextPart::Reference,
        Rule::method => TextPart::Member,
        Rule::quoted => TextPart::Quoted,
        Rule::operator
        | Rule::comparison
        | Rule::root
        | Rule::factorial
        | Rule::superscript
        | Rule::primes
        | Rule::equals
        | Rule::range
        | Rule::plus_minus
        | Rule::per_cent => TextPart::Operator,
        _ => TextPart::Other,
    }
}

/// Between tokens there are blanks and comments.
fn gap(text: &str, start: usize, end: usize, found: &mut Vec<(TextPart, Span)>) {
    let mut at = start;
    for line in text[start..end].split_inclusive('\n') {
        let comment = line.trim_start_matches(BLANKS);
        if comment.starts_with('#') {
            let begin = at + line.len() - comment.len();
            let length = comment.trim_end_matches('\n').len();
            found.push((TextPart::Comment, Span::new(begin, begin + length)));
        }
        at += line.len();
    }
}

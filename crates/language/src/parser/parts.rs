//! Finds the kind of each word and sign of a text, for colouring and completion. The text may be incomplete or wrong.

use super::errors::tokens;
use crate::grammar::Rule;
use crate::lexer::comments;
use crate::tree::Span;

/// The kind of a word or sign.
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

/// The words, signs and comments of a text, in their order.
pub fn parts(text: &str) -> Vec<(TextPart, Span)> {
    let tokens = tokens(text, Span::new(0, text.len()));
    let with_kinds = (tokens.into_iter()).map(|(rule, span)| (kind_of(rule), span));
    let mut found: Vec<_> = with_kinds.collect();
    found.extend(comments(text).map(|span| (TextPart::Comment, span)));
    found.sort_by_key(|(_, span)| span.start);
    found
}

fn kind_of(rule: Rule) -> TextPart {
    match rule {
        Rule::name => TextPart::Name,
        Rule::number => TextPart::Number,
        Rule::open | Rule::list_open => TextPart::Open,
        Rule::close | Rule::list_close => TextPart::Close,
        Rule::comma => TextPart::Comma,
        Rule::node | Rule::result => TextPart::Reference,
        Rule::method => TextPart::Member,
        Rule::quoted => TextPart::Quoted,
        Rule::stray => TextPart::Other,
        // All other tokens are signs.
        _ => TextPart::Operator,
    }
}

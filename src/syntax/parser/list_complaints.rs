//! What can be wrong with lists, indices, ranges and `for`.
//!
//! As in `complaints`, each function looks at the state of the reader and says what is wrong there.

use super::postfix::{PendingOperator, Reader, Token};
use crate::syntax::error::SyntaxError;
use crate::syntax::grammar::Rule;
use crate::syntax::tree::{ItemKind, Span};

impl Reader<'_> {
    /// `(a`, `[a`: a bracket was never closed.
    pub(crate) fn unclosed(&self, open: Span) -> SyntaxError {
        let bracket = if open.of(self.source.text) == "[" {
            '['
        } else {
            '('
        };
        SyntaxError::unclosed(bracket, open)
    }

    /// A `[` behind an operand is glued to something that may be a list.
    pub(crate) fn check_indexed(&self, open: Token) -> Result<(), SyntaxError> {
        let Some(last) = self.last else {
            return Ok(());
        };
        let glued = last.span.end == open.span.start;
        let indexed = match last.rule {
            Rule::name | Rule::result | Rule::close | Rule::list_close => true,
            Rule::node => !matches!(
                self.items.last().map(|item| item.kind),
                Some(ItemKind::Id(_))
            ),
            _ => false,
        };
        if glued && indexed {
            return Ok(());
        }
        Err(self.readings().juxtaposition(open.span))
    }

    /// A `]` where an expression is expected.
    pub(crate) fn nothing_before_close(&self, close: Token) -> SyntaxError {
        if self.bracket().is_none() {
            return SyntaxError::unopened(']', close.span);
        }
        self.missing(close)
    }

    /// `(a]`, `[a)`
    pub(crate) fn wrong_close(&self, close: Token) -> SyntaxError {
        SyntaxError::unopened(')', close.span)
    }

    /// `1..2..3`
    pub(crate) fn two_ranges(&self, _first: Span, second: Span) -> SyntaxError {
        SyntaxError::unopened(')', second)
    }

    /// `for` behind an operand, without names and `in` behind it.
    pub(crate) fn no_loop(&self, word: Token) -> SyntaxError {
        self.readings().juxtaposition(word.span)
    }

    /// `for x in` where no bracket takes it.
    pub(crate) fn misplaced_loop(&self, word: Token) -> SyntaxError {
        self.readings().juxtaposition(word.span)
    }

    /// `W[1, 2]`, `[x for x in xs, 2]`
    pub(crate) fn misplaced_comma(&self, comma: Token) -> SyntaxError {
        let _ = PendingOperator::Index { open: comma.span };
        SyntaxError::comma(comma.span)
    }
}

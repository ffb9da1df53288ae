//! What stands around a token of a refused line: its operand, its bracket, all up to the next comma.
//!
//! Like `readings`, only for error messages.

use super::readings::Readings;
use crate::syntax::former::grammar::Rule;
use crate::syntax::tree::Span;

impl<'t> Readings<'t> {
    /// The operand that ends directly before a token.
    pub(crate) fn before(&self, span: Span) -> Span {
        let end = self.at(span).saturating_sub(1);
        self.between(self.operand_start(end), end)
    }

    /// All that stands before a token, back to a comma or bracket around it.
    pub(crate) fn piece_before(&self, span: Span) -> Span {
        let end = self.at(span).saturating_sub(1);
        let mut at = end;
        let mut depth = 0_usize;
        loop {
            match self.rule(at) {
                Some(Rule::close | Rule::list_close) => depth += 1,
                Some(Rule::open | Rule::list_open | Rule::comma) if depth == 0 => {
                    at += 1;
                    break;
                }
                Some(Rule::open | Rule::list_open) => depth -= 1,
                _ => {}
            }
            if at == 0 {
                break;
            }
            at -= 1;
        }
        self.between(at.min(end), end)
    }

    /// All from a token on up to a comma or bracket around it.
    pub(crate) fn piece(&self, span: Span) -> Span {
        self.onward(span, true)
    }

    /// All from a token on up to a bracket around it.
    pub(crate) fn rest(&self, span: Span) -> Span {
        self.onward(span, false)
    }

    fn onward(&self, span: Span, comma: bool) -> Span {
        let start = self.at(span);
        let mut end = start;
        let mut depth = 0_usize;
        while let Some(rule) = self.rule(end + 1) {
            match rule {
                Rule::open | Rule::list_open => depth += 1,
                Rule::close | Rule::list_close if depth == 0 => break,
                Rule::close | Rule::list_close => depth -= 1,
                Rule::comma if depth == 0 && comma => break,
                _ => {}
            }
            end += 1;
        }
        self.between(start, end)
    }

    /// The token behind a token, if it is a name.
    pub(crate) fn name_behind(&self, span: Span) -> Option<&'t str> {
        let next = self.token(self.at(span) + 1)?;
        (next.rule == Rule::name).then(|| next.span.of(self.text))
    }

    /// From a bracket to the one that closes it.
    pub(crate) fn bracket(&self, open: Span) -> Span {
        let at = self.at(open);
        self.between(at, self.closing(at))
    }
}

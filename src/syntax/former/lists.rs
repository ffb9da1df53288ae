//! Lists in the loop of `postfix`: `[a, b]`, `w[2]`, `1..n`, `[E for x in xs]`.
//!
//! In the text the body of a `for` stands before what it goes over, in the tree behind it. So the items of the body are
//! moved when the bracket around them closes.

use std::collections::HashMap;

use super::postfix::{PendingLoop, PendingOperator, Reader, Token, name};
use crate::syntax::error::SyntaxError;
use crate::syntax::former::grammar::Rule;
use crate::syntax::limits::MAX_LOOPS;
use crate::syntax::precedence::level;
use crate::syntax::tree::{Head, Item, ItemKind, Span};

impl Reader<'_> {
    /// `[`
    pub(crate) fn list_open(&mut self, token: Token) -> Result<(), SyntaxError> {
        let open = token.span;
        self.stack.push(if self.expected {
            PendingOperator::List {
                open,
                count: 1,
                from: self.items.len(),
            }
        } else {
            self.check_indexed(token)?;
            PendingOperator::Index {
                open,
                from: self.items.len(),
            }
        });
        self.expected = true;
        Ok(())
    }

    /// `]`
    pub(crate) fn list_close(&mut self, token: Token) -> Result<(), SyntaxError> {
        let Token { span, .. } = token;
        let mut comma = false;
        if self.expected {
            comma = self.is_last(Rule::comma)
                && matches!(self.stack.last(), Some(PendingOperator::List { .. }));
            if !comma {
                return Err(self.nothing_before_close(token));
            }
        }
        self.reduce(level::RANGE, false);
        let ranged = matches!(
            self.stack.last(),
            Some(PendingOperator::Apply {
                head: Head::Range,
                ..
            })
        );
        self.reduce(0, false);
        match self.stack.pop() {
            // `[1..3]` is the range itself.
            Some(PendingOperator::List { count: 1, .. }) if ranged => {}
            Some(PendingOperator::List { open, count, .. }) => {
                self.emit(Head::List, count - u32::from(comma), open.to(span));
            }
            Some(PendingOperator::Index { open, from }) => {
                self.check_position(open, from)?;
                self.emit(Head::Index, 2, open.to(span));
            }
            Some(PendingOperator::Each(each)) => match self.stack.pop() {
                Some(PendingOperator::List { open, .. }) => self.collect(each, open.to(span))?,
                waiting => {
                    self.stack.extend(waiting);
                    return Err(self.wrong_close(token));
                }
            },
            Some(waiting) => {
                self.stack.push(waiting);
                return Err(self.wrong_close(token));
            }
            None => return Err(SyntaxError::unopened(']', span)),
        }
        self.expected = false;
        Ok(())
    }

    /// `..`
    pub(crate) fn range(&mut self, token: Token) -> Result<(), SyntaxError> {
        if self.expected {
            return Err(self.missing(token));
        }
        self.reduce(level::RANGE, false);
        if let Some(&PendingOperator::Apply {
            head: Head::Range,
            span: first,
            ..
        }) = self.stack.last()
        {
            return Err(self.two_ranges(first, token.span));
        }
        self.wait(Head::Range, 2, level::RANGE, token.span);
        Ok(())
    }

    /// Is this name the word `for` behind an operand? (`2for` is a product.)
    pub(crate) fn begins_loop(&self, token: Token) -> bool {
        token.span.of(self.source.text) == "for"
            && !self
                .last
                .is_some_and(|last| last.rule == Rule::number && last.span.end == token.span.start)
    }

    /// Takes `a, b in` behind `word`, which is `for`; returns the token after them.
    pub(crate) fn each(
        &mut self,
        word: Token,
        mut next: Option<Token>,
        tokens: &mut impl Iterator<Item = Token>,
    ) -> Result<Option<Token>, SyntaxError> {
        let mut take = |rule| {
            let token = next.filter(|token| token.rule == rule)?;
            next = tokens.next();
            Some(token)
        };
        let text = self.source.text;
        let variables = self.loops.variables.len();
        let open = take(Rule::open);
        let named = loop {
            let Some(Token { span, .. }) = take(Rule::name) else {
                break false;
            };
            self.loops.variables.push(Item {
                kind: ItemKind::Variable(name(span.of(text))),
                span,
            });
            if take(Rule::comma).is_none() {
                break true;
            }
        };
        let closed = open.is_none() || take(Rule::close).is_some();
        let over = take(Rule::name).filter(|over| over.span.of(text) == "in");
        let Some(over) = over.filter(|_| named && closed) else {
            return Err(self.no_loop(word));
        };
        let mut seen = HashMap::new();
        for &Item { kind, span } in &self.loops.variables[variables..] {
            let ItemKind::Variable(known) = kind else {
                continue;
            };
            if let Some(first) = seen.insert(known, span) {
                let message = format!("two items are called `{}`", span.quote(text));
                let help = "give each item a name of its own";
                return Err(SyntaxError::again(span, first, message, help));
            }
        }
        self.reduce(0, false);
        let Some(
            &PendingOperator::List {
                count: 1,
                from: body,
                ..
            }
            | &PendingOperator::Call {
                operands: 1,
                from: body,
                ..
            },
        ) = self.stack.last()
        else {
            return Err(self.misplaced_loop(word.span, over.span));
        };
        self.stack.push(PendingOperator::Each(PendingLoop {
            span: word.span.to(over.span),
            body,
            over: self.items.len(),
            variables,
        }));
        self.expected = true;
        self.last = Some(over);
        Ok(next)
    }

    /// The bracket around a `for` closes: the body is moved behind what it goes over.
    pub(crate) fn collect(&mut self, each: PendingLoop, span: Span) -> Result<(), SyntaxError> {
        let mut nested = 1;
        while let Some((_, inside)) = self.loops.complete.pop_if(|(from, _)| *from >= each.body) {
            nested = nested.max(inside + 1);
        }
        if nested > MAX_LOOPS {
            let message = format!("`for` can be nested at most {MAX_LOOPS} deep");
            let help = "give an inner list a name: `p = [… for …]`, and use `p`";
            return Err(SyntaxError::new(each.span, message, help).label("one too many"));
        }
        self.loops.complete.push((each.body, nested));
        let count = self.loops.variables.len() - each.variables;
        self.items
            .extend(self.loops.variables.drain(each.variables..));
        self.items.push(Item {
            kind: ItemKind::Each(count as u32),
            span: each.span,
        });
        self.items[each.body..].rotate_left(each.over - each.body);
        self.emit(Head::Collect, 2, span);
        Ok(())
    }
}

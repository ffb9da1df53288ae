//! Makes the items of an expression, in postfix order, from pest's pairs.
//!
//! This is the shunting-yard algorithm, which is a loop: an operator waits until its right operand is complete, that is,
//! until an operator follows that does not bind more tightly. `precedence` defines how tightly each operator binds. Only
//! brackets recurse.
//!
//! This file reads single operands, and `brackets` those in brackets. `operators` applies the signs before and between
//! operands, and `postfix` the signs, brackets and members after them.

use std::borrow::Cow;

use super::errors;
use super::name::{kept_name, name_in_tree};
use crate::error::SyntaxError;
use crate::grammar::{Pair, Pairs, Rule};
use crate::lexer::{check_depth, trimmed_code, words};
use crate::number;
use crate::precedence::{self, Grouping};
use crate::tree::{Expression, Head, Item, ItemKind, Literal, Name, Span};

pub(super) type Parsed<T> = Result<T, SyntaxError>;

/// The kind of an operand: that of its loosest operator, or of its only token. Checks depend on it.
#[derive(Clone, Copy, Default, PartialEq)]
pub(super) enum OperandKind {
    Number,
    Negative,
    Name,
    Former,
    Id,
    Result,
    Bracket,
    /// `(x - 0,5)`, a list in round brackets whose comma is rather a decimal point
    DecimalComma,
    /// `[0]`
    Single,
    Property,
    Factorial,
    Superscript,
    Comparison,
    /// A list without its brackets: `1..n`, `x^2 for x in xs`
    Open,
    /// `5%`
    PerCent,
    /// Python's `a > 0 and b > 0`, which is 1 or 0
    Truth,
    /// Python's `a if b > 0`, which `else` follows
    Chosen,
    /// An operand with another operator
    #[default]
    Other,
}

/// An operand that has been read, for checks of what follows it.
#[derive(Clone, Copy, Default)]
pub(super) struct Operand {
    pub(super) kind: OperandKind,
    /// The whole operand.
    pub(super) span: Span,
    pub(super) last_token: Span,
    /// Its loosest operator.
    pub(super) sign: Span,
    /// The sign that divides by the last token, raises to it or takes its root. After such a sign, people may read
    /// `1/2x` as `1/(2x)`, so a coefficient is refused.
    pub(super) dividing_sign: Option<Span>,
    /// The index of its first item.
    pub(super) first_item: usize,
    /// The right side of its last comparison.
    pub(super) compared: ComparedSide,
}

/// The right side of a comparison.
#[derive(Clone, Copy, Default)]
pub(super) struct ComparedSide {
    /// The index of its first item.
    pub(super) from: usize,
    /// The index behind its last item.
    pub(super) to: usize,
    /// The number of comparisons of the chain up to here.
    pub(super) count: usize,
}

/// An operator whose right operand is not read yet.
struct PendingOperator {
    /// The left operand. A sign before an operand has none.
    left: Option<Operand>,
    rule: Rule,
    span: Span,
    /// The lowest level of a later operator that takes the right operand away from this one.
    least: u8,
}

/// Reads a statement, or a part of one.
pub(super) struct Reader<'t> {
    pub(super) text: &'t str,
    pub(super) region: Span,
    /// The region as the grammar reads it.
    pub(super) plain: Cow<'t, str>,
    /// Whether the region is a line of a block. In a block, lists mean what they mean in Python.
    pub(super) is_python: bool,
}

impl<'t> Reader<'t> {
    /// A reader of a text outside of blocks. Every text that pest reads comes through here.
    ///
    /// # Errors
    /// If its brackets are nested too deep: pest would overflow the stack, because it recurses for each of them.
    pub(super) fn new(text: &'t str, span: Span) -> Parsed<Reader<'t>> {
        let (region, plain) = trimmed_code(text, span);
        check_depth(&plain, region.start)?;
        Ok(Reader {
            text,
            region,
            plain,
            is_python: false,
        })
    }

    /// Reads pairs as an expression. Also returns the indices of its literals that have a `%`.
    pub(super) fn read(&self, mut pairs: Pairs<'_>) -> Parsed<(Expression, Vec<usize>)> {
        let start = pairs.peek().map_or(0, |first| self.span(&first).start);
        let mut tree = TreeReader {
            source: self,
            text: self.text,
            is_python: self.is_python,
            items: Vec::with_capacity(pairs.len()),
            waiting: Vec::new(),
            per_cent: Vec::new(),
            label: None,
        };
        let operand = tree.operand(&mut pairs)?;
        let (items, span) = (tree.items, operand.last_token.starting_at(start));
        Ok((Expression { items, span }, tree.per_cent))
    }

    pub(super) fn span(&self, pair: &Pair<'_>) -> Span {
        let span = pair.as_span();
        Span::new(span.start(), span.end()).shift(self.region.start)
    }

    /// The error of a row of the table of errors, which quotes `parts` of the text.
    pub(super) fn error<T>(&self, row: &str, parts: &[(&str, Span)]) -> Parsed<T> {
        Err(errors::tree_error(self.text, row, parts))
    }

    /// The error at a place of the text, as if the grammar had stopped there.
    pub(super) fn error_at(&self, at: u32) -> SyntaxError {
        errors::text_error(self.text, self.region, at, |_| true)
    }
}

/// Makes the items of one expression.
pub(super) struct TreeReader<'r, 't> {
    pub(super) source: &'r Reader<'t>,
    pub(super) text: &'t str,
    /// Whether lists mean what they mean in Python: in blocks, and in the arguments of functions of modules.
    pub(super) is_python: bool,
    pub(super) items: Vec<Item<Name>>,
    /// The operators that wait for their right operands, the innermost last.
    waiting: Vec<PendingOperator>,
    /// The indices of the literals that have a `%`.
    pub(super) per_cent: Vec<usize>,
    /// The option `label` of the call that is read: its text, and the place of its sign.
    pub(super) label: Option<(Name, Span)>,
}

impl TreeReader<'_, '_> {
    pub(super) fn span(&self, pair: &Pair<'_>) -> Span {
        self.source.span(pair)
    }

    pub(super) fn push(&mut self, kind: ItemKind<Name>, span: Span) {
        self.items.push(Item { kind, span });
    }

    pub(super) fn apply(&mut self, head: Head<Name>, operands: u32, span: Span) {
        self.push(ItemKind::Apply(head, operands), span);
    }

    /// The error of an operand together with the text after it. `next` is the sign between two operands, and `right` is the
    /// second operand. An index or another postfix is both `next` and `right`.
    pub(super) fn error_of_both<T>(
        &self,
        row: &str,
        left: Operand,
        next: Span,
        right: Span,
    ) -> Parsed<T> {
        let parts = [
            ("left", left.span),
            ("first", left.span.ending_at(left.sign.start)),
            ("sign", left.sign),
            ("middle", left.span.starting_at(left.sign.end)),
            ("list", left.span.ending_at(left.last_token.start)),
            ("last", left.last_token),
            ("next", next),
            ("right", right),
            ("number", right.ending_at(right.end.saturating_sub(1))),
            ("word", right.starting_at(right.start + 1)),
            ("found", next.to(right)),
            ("all", left.span.to(right)),
        ];
        self.source.error(row, &parts)
    }

    /// Reads an expression: a whole one, or one between brackets or commas.
    pub(super) fn operand(&mut self, pairs: &mut dyn Iterator<Item = Pair<'_>>) -> Parsed<Operand> {
        let outer_operators = self.waiting.len();
        let mut operand = Operand::default();
        for pair in pairs {
            let rule = pair.as_rule();
            let Some((level, grouping)) = precedence::binding(rule) else {
                operand = self.primary(pair)?;
                continue;
            };
            if grouping == Grouping::Postfix {
                let left = self.apply_waiting(outer_operators, level, operand)?;
                operand = self.postfix(left, pair)?;
                continue;
            }
            let left = match grouping {
                Grouping::Prefix => None,
                _ => Some(self.apply_waiting(outer_operators, level, operand)?),
            };
            self.waiting.push(PendingOperator {
                left,
                rule,
                span: self.span(&pair),
                // To the right of `^`, another `^` takes the operand first. To the right of `-`, another `-` does not.
                least: level + u8::from(matches!(grouping, Grouping::Left | Grouping::Alone)),
            });
        }
        let whole = self.apply_waiting(outer_operators, 0, operand)?;
        match whole.kind {
            // Only here it shows that an `if` has no `else`.
            OperandKind::Chosen => Err(self.source.error_at(whole.sign.start)),
            _ => Ok(whole),
        }
    }

    /// Applies the waiting operators that take a right operand before an operator of `level` does: tighter ones, and
    /// equally tight ones that group from the left. The first `outer` operators wait for a bracket to close.
    fn apply_waiting(&mut self, outer: usize, level: u8, right: Operand) -> Parsed<Operand> {
        let mut operand = right;
        while self.waiting.len() > outer
            && let Some(sign) = self.waiting.pop_if(|sign| level < sign.least)
        {
            operand = match sign.left {
                Some(left) => self.infix(left, sign.rule, sign.span, operand)?,
                None => self.prefix(sign.rule, sign.span, operand)?,
            };
        }
        Ok(operand)
    }

    /// Reads a number, a name, a text, a list or a group.
    fn primary(&mut self, pair: Pair<'_>) -> Parsed<Operand> {
        let span = self.span(&pair);
        let first_item = self.items.len();
        let closing_bracket = span.starting_at(span.end.saturating_sub(1));
        let (kind, last_token) = match pair.as_rule() {
            rule @ (Rule::number | Rule::name | Rule::node | Rule::result | Rule::quoted) => {
                (self.lone_token(rule, span)?, span)
            }
            Rule::py_function => {
                let lambda = kept_name(span.of(self.text));
                let inner = pair.into_inner();
                self.source
                    .check_different(&self.source.targets(inner.clone()), "@parameter")?;
                let body = self.source.next_pair(&mut expressions(inner))?;
                self.source.operand_at(self.span(&body))?;
                self.push(ItemKind::Lambda(lambda), span);
                (OperandKind::Bracket, span)
            }
            Rule::list => (self.list(pair, span)?, closing_bracket),
            _ => (self.group(pair, span)?, closing_bracket),
        };
        Ok(Operand {
            kind,
            span,
            last_token,
            sign: last_token,
            dividing_sign: None,
            first_item,
            compared: ComparedSide::default(),
        })
    }

    /// Adds the item of an operand of one token. Returns its kind.
    fn lone_token(&mut self, rule: Rule, span: Span) -> Parsed<OperandKind> {
        let text = span.of(self.text);
        let (kind, item) = match rule {
            Rule::number => {
                let literal = self.literal(text, span)?;
                (OperandKind::Number, ItemKind::Number(literal))
            }
            Rule::name => (OperandKind::Name, ItemKind::Name(name_in_tree(text))),
            Rule::node => (OperandKind::Id, ItemKind::Id(self.id(span)?)),
            Rule::result => (OperandKind::Result, ItemKind::Result(self.id(span)?)),
            // The checks treat a text like an operand in brackets.
            _ => {
                let quoted = words::strip_quotes(text).unwrap_or_default();
                (OperandKind::Bracket, ItemKind::Text(kept_name(quoted)))
            }
        };
        self.push(item, span);
        Ok(kind)
    }

    pub(super) fn literal(&self, text: &str, span: Span) -> Parsed<Literal> {
        number::value(text).or_else(|row| self.source.error(row, &[("next", span)]))
    }

    /// The number after `@` or `$`.
    pub(super) fn id(&self, span: Span) -> Parsed<u32> {
        let digits = &span.of(self.text)[1..];
        let number = digits.parse();
        number.or_else(|_| self.source.error("@id", &[("next", span)]))
    }
}

/// Keeps the pairs that are expressions.
pub(super) fn expressions<'i>(
    pairs: impl Iterator<Item = Pair<'i>>,
) -> impl Iterator<Item = Pair<'i>> {
    pairs.filter(|pair| pair.as_rule() == Rule::expression)
}

//! Makes the items of an expression, in postfix order, from pest's pairs.
//!
//! This is the shunting-yard algorithm, which is a loop: an operator waits until its right operand is complete, that is,
//! until an operator follows that does not bind more tightly. `precedence` defines how tightly each operator binds. Only
//! brackets recurse.
//!
//! This file reads operands. `operators` applies the signs before and between operands, and `postfix` the signs, brackets
//! and members after them.

use std::borrow::Cow;

use super::errors;
use super::name::name_in_tree;
use crate::error::SyntaxError;
use crate::grammar::{Pair, Pairs, Rule};
use crate::lexer::{check_depth, trimmed_code, words};
use crate::number;
use crate::precedence::{self, Grouping};
use crate::tree::{Expression, Head, Item, ItemKind, Literal, Span};

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
    /// The sign that divides by the last token, raises to it or takes its root. After such a sign, people may read `1/2x` as
    /// `1/(2x)`, so a coefficient is refused.
    pub(super) dividing_sign: Option<Span>,
    /// The index of its first item.
    pub(super) first_item: usize,
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
    pub(super) fn read(&self, pairs: Pairs<'_>) -> Parsed<(Expression<'t>, Vec<usize>)> {
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
        let operand = tree.operand(pairs)?;
        let expression = Expression {
            items: tree.items,
            span: operand.last_token.starting_at(start),
        };
        Ok((expression, tree.per_cent))
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
    pub(super) items: Vec<Item<&'t str>>,
    /// The operators that wait for their right operands, the innermost last.
    waiting: Vec<PendingOperator>,
    /// The indices of the literals that have a `%`.
    pub(super) per_cent: Vec<usize>,
    /// The label of the `Value` that is read, and its place.
    pub(super) label: Option<(&'t str, Span)>,
}

impl<'t> TreeReader<'_, 't> {
    pub(super) fn span(&self, pair: &Pair<'_>) -> Span {
        self.source.span(pair)
    }

    pub(super) fn push(&mut self, kind: ItemKind<&'t str>, span: Span) {
        self.items.push(Item { kind, span });
    }

    pub(super) fn apply(&mut self, head: Head<&'t str>, operands: u32, span: Span) {
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
    pub(super) fn operand(&mut self, pairs: Pairs<'_>) -> Parsed<Operand> {
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
            OperandKind::Chosen => Err(self.source.error_at(whole.sign.start)),
            _ => Ok(whole),
        }
    }

    /// Applies the waiting operators that bind more tightly than `level` to a right operand. The first `outer` operators
    /// wait for a bracket to close.
    fn apply_waiting(&mut self, outer: usize, level: u8, right: Operand) -> Parsed<Operand> {
        let mut operand = right;
        while self.waiting.len() > outer
            && let Some(sign) = self.waiting.pop_if(|sign| level < sign.least)
        {
            operand = match sign.left {
                Some(left) => self.infix(left, sign.rule, sign.span, operand)?,
                None => self.prefix(sign.rule, sign.span, operand),
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
            _ => {
                let quoted = words::strip_quotes(text).unwrap_or_default();
                (OperandKind::Bracket, ItemKind::Text(quoted))
            }
        };
        self.push(item, span);
        Ok(kind)
    }

    /// Reads `(a + b)`, or Python's `(a, b)` and `(x^2 for x in xs)`, which are lists.
    fn group(&mut self, pair: Pair<'_>, span: Span) -> Parsed<OperandKind> {
        let inner = pair.into_inner();
        let comma = inner.clone().find(|part| part.as_rule() == Rule::comma);
        if let Some(comma) = &comma
            && !self.is_python
            && has_decimal_comma(span.of(self.text))
        {
            return Err(self.source.error_at(self.span(comma).start));
        }
        let (count, kind) = self.operands(inner, span)?;
        if comma.is_some() {
            self.apply(Head::List, count, span);
        }
        Ok(match kind {
            OperandKind::Truth if count == 1 => OperandKind::Truth,
            _ => OperandKind::Bracket,
        })
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

    /// Reads the operands between brackets. Returns their number, and the kind of the last operand. `E for x in xs` counts
    /// as one operand, a list.
    pub(super) fn operands(
        &mut self,
        pairs: Pairs<'_>,
        brackets: Span,
    ) -> Parsed<(u32, OperandKind)> {
        if let Some((body, each)) = repetition(&pairs) {
            self.comprehension(body, each, brackets)?;
            return Ok((1, OperandKind::Open));
        }
        let mut count = 0;
        let mut last_kind = OperandKind::Other;
        let mut has_named = false;
        for pair in pairs {
            match pair.as_rule() {
                Rule::expression if has_named => {
                    return self.source.error("@unnamed", &[("next", self.span(&pair))]);
                }
                Rule::expression => {
                    last_kind = self.operand(pair.into_inner())?.kind;
                    count += 1;
                }
                Rule::width => {
                    self.uncertainty(pair)?;
                    last_kind = OperandKind::Other;
                }
                Rule::each => return self.source.error("@round", &[("next", self.span(&pair))]),
                Rule::power_of_ten => self.apply_power_of_ten(self.span(&pair))?,
                Rule::py_option | Rule::py_first_option => {
                    has_named = true;
                    count += u32::from(self.option(pair)?);
                }
                _ => {}
            }
        }
        Ok((count, last_kind))
    }

    /// Reads `[1, 2]`, `[]`, `[1..n]` or `[x^2 for x in xs]`.
    fn list(&mut self, pair: Pair<'_>, span: Span) -> Parsed<OperandKind> {
        let (count, last_kind) = self.operands(pair.into_inner(), span)?;
        let only_kind = (count == 1).then_some(last_kind);
        // The brackets of `[1..n]` and `[x^2 for x in xs]` make no list around the list.
        if only_kind != Some(OperandKind::Open) {
            self.apply(Head::List, count, span);
        }
        Ok(match only_kind {
            Some(OperandKind::Number | OperandKind::Negative) => OperandKind::Single,
            _ => OperandKind::Bracket,
        })
    }

    /// Applies `± 0.1` or `± 5%` to the operand that was read last.
    fn uncertainty(&mut self, pair: Pair<'_>) -> Parsed<()> {
        let span = self.span(&pair);
        let mut inner = pair.into_inner();
        let _plus_minus = inner.next();
        let is_per_cent = self.operand(inner)?.kind == OperandKind::PerCent;
        if is_per_cent {
            self.per_cent.pop();
        }
        self.apply(Head::Uncertain { is_per_cent }, 2, span);
        Ok(())
    }

    /// Multiplies both literals of `(1.602 ± 0.002)e-19` by the power of ten.
    fn apply_power_of_ten(&mut self, power: Span) -> Parsed<()> {
        // The items of `1.602 ± 0.002` are `1.602`, `0.002` and `±`.
        let place = self.items.len().saturating_sub(3);
        let sign = ItemKind::Apply(Head::Uncertain { is_per_cent: false }, 2);
        let (number, width) = match self.items[place..] {
            [number, width, root] if root.kind == sign => (number, width),
            _ => return Err(self.source.error_at(power.start)),
        };
        for (index, item) in [(place + 1, width), (place, number)] {
            let ItemKind::Number(literal) = item.kind else {
                return Err(self.source.error_at(power.start));
            };
            let text = format!("{}{}", literal.value, power.of(self.text));
            self.items[index].kind = ItemKind::Number(self.literal(&text, power)?);
        }
        Ok(())
    }

    /// Reads `E for x in xs`. In the tree, the list comes before the body.
    fn comprehension(&mut self, body: Pair<'_>, each: Pair<'_>, brackets: Span) -> Parsed<()> {
        let mut variables: Vec<Item<&'t str>> = Vec::new();
        let mut for_to_in = self.span(&each);
        for pair in each.into_inner() {
            let span = self.span(&pair);
            match pair.as_rule() {
                Rule::name => {
                    let kind = ItemKind::Variable(name_in_tree(span.of(self.text)));
                    if let Some(first) = variables.iter().find(|earlier| earlier.kind == kind) {
                        let parts = [("next", span), ("first", first.span)];
                        return self.source.error("@item", &parts);
                    }
                    variables.push(Item { kind, span });
                }
                Rule::r#in => for_to_in.end = span.end,
                Rule::expression => drop(self.operand(pair.into_inner())?),
                _ => {}
            }
        }
        let count = variables.len() as u32;
        self.items.extend(variables);
        self.push(ItemKind::Each(count), for_to_in);
        self.operand(body.into_inner())?;
        self.apply(Head::Collect, 2, brackets);
        Ok(())
    }
}

/// Whether the text is one like `(1,5)`, which may be meant as 1.5.
fn has_decimal_comma(group: &str) -> bool {
    let inside = &group[1..group.len() - 1];
    let has_only_digits = inside.bytes().all(|it| it.is_ascii_digit() || it == b',');
    has_only_digits && inside.matches(',').count() == 1 && !inside.ends_with(',')
}

/// The body and the `for` of `E for x in xs`, if the pairs begin with them.
pub(super) fn repetition<'i>(pairs: &Pairs<'i>) -> Option<(Pair<'i>, Pair<'i>)> {
    let mut first_two = pairs.clone();
    let (body, each) = (first_two.next()?, first_two.next()?);
    (each.as_rule() == Rule::each).then_some((body, each))
}

/// Keeps the pairs that are expressions.
pub(super) fn expressions<'i>(
    pairs: impl Iterator<Item = Pair<'i>>,
) -> impl Iterator<Item = Pair<'i>> {
    pairs.filter(|pair| pair.as_rule() == Rule::expression)
}

//! Makes the trees of what commands take besides expressions, by the rules of `grammar/arguments.pest`.

use pest::iterators::{Pair, Pairs};

use super::expression::{Done, Reader};
use super::name::name_in_tree;
use super::statement::next_if;
use crate::grammar::Rule;
use crate::tree::{Expression, Head, Item, ItemKind, Span, Width};

/// `-5..5`, `x=-5..5`
#[derive(Debug)]
pub struct RangeSides<'t> {
    /// What moves.
    pub mover: Option<Expression<'t>>,
    /// From where to where.
    pub ends: [Expression<'t>; 2],
}

/// `y = 3`, `x + y <= 10`
#[derive(Debug)]
pub struct RelationSides<'t> {
    /// What stands before the sign.
    pub left: Expression<'t>,
    /// The sign.
    pub sign: RelationSign,
    /// What stands after it.
    pub right: Expression<'t>,
    /// All of it.
    pub span: Span,
}

/// The sign of a relation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RelationSign {
    /// `=`, `==`
    Equal,
    /// `<=`. `<` means the same: a bound may be reached.
    AtMost,
    /// `>=`, `>`
    AtLeast,
}

impl RelationSign {
    /// The usual spelling.
    pub fn spelling(self) -> &'static str {
        match self {
            RelationSign::Equal => "=",
            RelationSign::AtMost => "<=",
            RelationSign::AtLeast => ">=",
        }
    }
}

/// `a 3`, `w [1, 2] ± 0.1`, `a ± 0.1`; `a` has neither, which is for the command to refuse.
#[derive(Debug)]
pub struct LeafSetting<'t> {
    /// The leaf, or a list of leaves.
    pub leaf: Expression<'t>,
    /// The new value.
    pub value: Option<Expression<'t>>,
    /// The new uncertainty.
    pub width: Option<Width<'t>>,
}

/// `y ± 0.1 ~ a + b*x`
#[derive(Debug)]
pub struct ModelSides<'t> {
    /// The data.
    pub data: Expression<'t>,
    /// Their uncertainty.
    pub width: Option<Width<'t>>,
    /// What is to be close to them.
    pub model: Expression<'t>,
}

/// Expressions, and the signs between them.
type Sides<'t> = (Vec<Expression<'t>>, Vec<(Rule, Span)>);

/// Parses a range.
///
/// # Errors
/// If it is no range; the error says what was expected where.
pub fn range(text: &str, span: Span) -> Done<RangeSides<'_>> {
    let source = Reader::new(text, span, false)?;
    let pair = source.next_pair(&mut source.pairs(Rule::range_argument)?)?;
    let (mut sides, signs) = source.sides(pair, Rule::range)?;
    let all = ("all", source.region);
    let mover = match signs[..] {
        [(Rule::defines, _), (Rule::range, _)] => Some(sides.remove(0)),
        [(Rule::range, _)] => None,
        [(Rule::defines, _)] => {
            return source.error("@range of a name", &[all, ("mover", sides[0].span)]);
        }
        _ => return source.error("@range", &[all]),
    };
    let ends = <[Expression; 2]>::try_from(sides).expect("a sign has two sides");
    Ok(RangeSides { mover, ends })
}

/// Parses equations and inequalities between commas.
///
/// # Errors
/// If one of them is none; the error says what was expected where.
pub fn relations(text: &str, span: Span) -> Done<Vec<RelationSides<'_>>> {
    read_each(text, span, Rule::relations, Reader::relation)
}

/// Parses leaves and their new values between commas.
///
/// # Errors
/// If one of them is none; the error says what was expected where.
pub fn settings(text: &str, span: Span) -> Done<Vec<LeafSetting<'_>>> {
    read_each(text, span, Rule::settings, Reader::setting)
}

/// Parses data and their model.
///
/// # Errors
/// If it is none; the error says what was expected where.
pub fn model(text: &str, span: Span) -> Done<ModelSides<'_>> {
    let source = Reader::new(text, span, false)?;
    let all = ("all", source.region);
    // Without its sign, any other error would lead away from that.
    if !source.plain.contains('~') && source.parse(Rule::model).is_err() {
        return source.error("@model", &[all]);
    }
    let mut pairs = source.pairs(Rule::model)?;
    let (data, width) = source.value_and_width(&mut pairs)?;
    if let Some(equals) = next_if(&mut pairs, Rule::defines) {
        let sign = source.span(&equals);
        let left = source.region.ending_at(sign.start);
        let right = source.region.starting_at(sign.end);
        return source.error(
            "@model after =",
            &[("next", sign), ("left", left), ("right", right)],
        );
    }
    let (model, wrong) = source.value_and_width(&mut pairs)?;
    if let Some(Width { span, .. }) = wrong {
        let parts = [("width", span), ("data", data.span), ("model", model.span)];
        return source.error("@width of a model", &parts);
    }
    Ok(ModelSides { data, width, model })
}

/// Parses correlations between commas, `a b 0.5`: two leaves and a number each.
///
/// # Errors
/// If one of them is none; the error says what was expected where.
pub fn correlations(text: &str, span: Span) -> Done<Vec<[Expression<'_>; 3]>> {
    read_each(text, span, Rule::correlations, Reader::correlation)
}

/// Parses expressions between commas. One of them may be `f'`, a function that is not called: it has no operands.
///
/// # Errors
/// If one of them is none; the error says what was expected where.
pub fn items(text: &str, span: Span) -> Done<Vec<Expression<'_>>> {
    read_each(text, span, Rule::items, Reader::item)
}

/// Reads each part of a text by itself.
fn read_each<'t, T>(
    text: &'t str,
    span: Span,
    rule: Rule,
    read: fn(&Reader<'t>, Pair<'_, Rule>) -> Done<T>,
) -> Done<Vec<T>> {
    let source = Reader::new(text, span, false)?;
    let parts = source.pairs(rule)?;
    let parts = parts.filter(|pair| pair.as_rule() != Rule::EOI);
    parts.map(|pair| read(&source, pair)).collect()
}

impl<'t> Reader<'t> {
    /// What stands around the signs of a text, which are `=` and operators of a rule, outside of brackets; and the signs.
    pub(super) fn sides(&self, pair: Pair<'_, Rule>, infix: Rule) -> Done<Sides<'t>> {
        let Span { mut start, end } = self.span(&pair);
        let parts = pair.into_inner().flat_map(|part| match part.as_rule() {
            Rule::expression => part.into_inner(),
            _ => Pairs::single(part),
        });
        let (mut sides, mut signs) = (Vec::new(), Vec::new());
        for part in parts.filter(|part| [Rule::defines, infix].contains(&part.as_rule())) {
            let sign = self.span(&part);
            sides.push(self.operand_at(sign.starting_at(start).ending_at(sign.start))?);
            signs.push((part.as_rule(), sign));
            start = sign.end;
        }
        sides.push(self.operand_at(Span { start, end })?);
        Ok((sides, signs))
    }

    fn relation(&self, pair: Pair<'_, Rule>) -> Done<RelationSides<'t>> {
        let span = self.span(&pair);
        let (sides, signs) = self.sides(pair, Rule::comparison)?;
        if let [left, middle, right, ..] = &sides[..] {
            let [left, right] = [left, right].map(|side| side.span.to(middle.span));
            return self.error(
                "@relations",
                &[("all", span), ("left", left), ("right", right)],
            );
        }
        let Some((_, sign)) = signs.first() else {
            return self.error("@relation", &[("all", span)]);
        };
        let sign = match sign.of(self.text) {
            "=" | "==" => RelationSign::Equal,
            "<=" | "≤" | "<" => RelationSign::AtMost,
            ">=" | "≥" | ">" => RelationSign::AtLeast,
            _ => return self.error("@unequal", &[("next", *sign)]),
        };
        let [left, right] = <[Expression; 2]>::try_from(sides).expect("a sign has two sides");
        Ok(RelationSides {
            left,
            sign,
            right,
            span,
        })
    }

    fn setting(&self, pair: Pair<'_, Rule>) -> Done<LeafSetting<'t>> {
        let mut inner = pair.into_inner();
        let leaf = self.expression(self.next_pair(&mut inner)?)?;
        next_if(&mut inner, Rule::defines);
        let (mut value, mut width) = (None, None);
        if let Some(lone) = next_if(&mut inner, Rule::width) {
            width = Some(self.width(lone)?);
        } else if inner.peek().is_some() {
            let (typed, own) = self.value_and_width(&mut inner)?;
            (value, width) = (Some(typed), own);
        }
        Ok(LeafSetting { leaf, value, width })
    }

    fn correlation(&self, pair: Pair<'_, Rule>) -> Done<[Expression<'t>; 3]> {
        let span = self.span(&pair);
        let words = pair.into_inner().map(|word| self.expression(word));
        let words: Vec<Expression> = words.collect::<Done<_>>()?;
        let words = <[Expression; 3]>::try_from(words);
        words.or_else(|_| self.error("@correlation", &[("all", span)]))
    }

    /// An expression, or `f'`.
    fn item(&self, pair: Pair<'_, Rule>) -> Done<Expression<'t>> {
        if pair.as_rule() == Rule::expression {
            return self.expression(pair);
        }
        let span = self.span(&pair);
        let name = self.span(&self.next_pair(&mut pair.into_inner())?);
        let primes = span.starting_at(name.end);
        let Ok(count) = u8::try_from(primes.of(self.text).chars().count()) else {
            return self.error("@primes", &[("next", primes)]);
        };
        let head = Head::Function(name_in_tree(name.of(self.text)), count);
        let kind = ItemKind::Apply(head, 0);
        Ok(Expression::from(Item { kind, span }))
    }
}

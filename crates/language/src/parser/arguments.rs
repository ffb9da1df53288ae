//! Parses the arguments of commands that are more than an expression: ranges, relations, new values of leaves, models and
//! correlations. The rules are in `grammar/arguments.pest`.

use super::expression::{Parsed, Reader};
use super::name::name_in_tree;
use super::statement::next_if;
use crate::grammar::{Pair, Pairs, Rule};
use crate::tree::{Expression, Head, Item, ItemKind, Span, Width};

/// `-5..5`, `x=-5..5`
#[derive(Debug)]
pub struct RangeSides {
    /// The leaf that moves through the range.
    pub mover: Option<Expression>,
    /// The lower and the upper end.
    pub ends: [Expression; 2],
}

/// `y = 3`, `x + y <= 10`
#[derive(Debug)]
pub struct RelationSides {
    /// The expression before the sign.
    pub left: Expression,
    /// The sign.
    pub sign: RelationSign,
    /// The expression after the sign.
    pub right: Expression,
    /// The whole relation.
    pub span: Span,
}

/// The sign of a relation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RelationSign {
    /// `=`, `==`
    Equal,
    /// `<=`
    AtMost,
    /// `>=`
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

/// `a 3`, `w [1, 2] ± 0.1`, `a ± 0.1`. `a` alone is read, too, so that the command can refuse it.
#[derive(Debug)]
pub struct LeafSetting {
    /// The leaf, or a list of leaves.
    pub leaf: Expression,
    /// The new value.
    pub value: Option<Expression>,
    /// The new uncertainty.
    pub width: Option<Width>,
}

/// `y ± 0.1 ~ a + b*x`
#[derive(Debug)]
pub struct ModelSides {
    /// The data.
    pub data: Expression,
    /// Their uncertainty.
    pub width: Option<Width>,
    /// The expression that is fitted to the data.
    pub model: Expression,
}

/// Expressions, and the signs between them.
type Sides = (Vec<Expression>, Vec<(Rule, Span)>);

/// Parses a range.
///
/// # Errors
/// If it is not a range; the error says what was expected and where.
pub fn range(text: &str, span: Span) -> Parsed<RangeSides> {
    let source = Reader::new(text, span)?;
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
/// If one of them is something else; the error says what was expected and where.
pub fn relations(text: &str, span: Span) -> Parsed<Vec<RelationSides>> {
    read_each(text, span, Rule::relations, Reader::relation)
}

/// Parses leaves and their new values between commas.
///
/// # Errors
/// If one of them is something else; the error says what was expected and where.
pub fn settings(text: &str, span: Span) -> Parsed<Vec<LeafSetting>> {
    read_each(text, span, Rule::settings, Reader::setting)
}

/// Parses data and their model.
///
/// # Errors
/// If it is something else; the error says what was expected and where.
pub fn model(text: &str, span: Span) -> Parsed<ModelSides> {
    let source = Reader::new(text, span)?;
    let all = ("all", source.region);
    // A forgotten `~`, or forgotten brackets after `±`, is the cause, whatever other error the grammar finds.
    if let Err(stop) = source.parse(Rule::model) {
        let Some((before, _)) = source.plain.split_once('~') else {
            return source.error("@model", &[all]);
        };
        let part = |start, end| Span::new(start, end).shift(source.region.start);
        let halves = before.split_once('±').or_else(|| before.split_once("+/-"));
        if let Some((data, width)) = halves
            && let width = part(before.len() - width.len(), before.len())
            && stop < width.end
            && source.operand_at(width).is_ok()
        {
            let model = part(before.len() + 1, source.plain.len());
            let parts = [
                ("data", part(0, data.len())),
                ("width", width),
                ("model", model),
            ];
            return source.error("@width without brackets", &parts);
        }
    }
    let mut pairs = source.pairs(Rule::model)?;
    let measured = source.measured_expression(&mut pairs)?;
    let (data, width) = (measured.expression, measured.width);
    if let Some(equals) = next_if(&mut pairs, Rule::defines) {
        let sign = source.span(&equals);
        let left = source.region.ending_at(sign.start);
        let right = source.region.starting_at(sign.end);
        let parts = [("next", sign), ("left", left), ("right", right)];
        return source.error("@model after =", &parts);
    }
    let typed = source.measured_expression(&mut pairs)?;
    let model = typed.expression;
    if let Some(wrong) = typed.width {
        let parts = [
            ("width", wrong.span),
            ("data", data.span),
            ("model", model.span),
        ];
        return source.error("@width of a model", &parts);
    }
    Ok(ModelSides { data, width, model })
}

/// Parses correlations between commas, `a b 0.5`: two leaves and a number each.
///
/// # Errors
/// If one of them is something else; the error says what was expected and where.
pub fn correlations(text: &str, span: Span) -> Parsed<Vec<[Expression; 3]>> {
    read_each(text, span, Rule::correlations, Reader::correlation)
}

/// Parses expressions between commas. One of them may be `f'`, a function that is not called: it has no operands.
///
/// # Errors
/// If one of them is something else; the error says what was expected and where.
pub fn items(text: &str, span: Span) -> Parsed<Vec<Expression>> {
    read_each(text, span, Rule::items, Reader::item)
}

/// Reads each part of a text by itself with `read`.
fn read_each<'t, T>(
    text: &'t str,
    span: Span,
    rule: Rule,
    read: fn(&Reader<'t>, Pair<'_>) -> Parsed<T>,
) -> Parsed<Vec<T>> {
    let source = Reader::new(text, span)?;
    let pairs = source.pairs(rule)?;
    let parts = pairs.filter(|pair| pair.as_rule() != Rule::EOI);
    parts.map(|pair| read(&source, pair)).collect()
}

/// The parts of the sides of a text that are outside of brackets: signs, and operands.
fn parts(sides: Pair<'_>) -> impl Iterator<Item = Pair<'_>> {
    sides.into_inner().flat_map(|part| match part.as_rule() {
        Rule::expression => part.into_inner(),
        _ => Pairs::single(part),
    })
}

impl Reader<'_> {
    /// The expressions around the signs of a text, and the signs: each `=` and each operator of the rule `infix` that
    /// stands outside of brackets.
    pub(super) fn sides(&self, pair: Pair<'_>, infix: Rule) -> Parsed<Sides> {
        let Span { mut start, end } = self.span(&pair);
        let (mut sides, mut signs) = (Vec::new(), Vec::new());
        for part in parts(pair).filter(|part| [Rule::defines, infix].contains(&part.as_rule())) {
            let sign = self.span(&part);
            sides.push(self.operand_at(sign.starting_at(start).ending_at(sign.start))?);
            signs.push((part.as_rule(), sign));
            start = sign.end;
        }
        sides.push(self.operand_at(Span { start, end })?);
        Ok((sides, signs))
    }

    fn relation(&self, pair: Pair<'_>) -> Parsed<RelationSides> {
        let span = self.span(&pair);
        let words = [Rule::py_and, Rule::py_or, Rule::py_not];
        if let Some(found) = parts(pair.clone()).find(|part| words.contains(&part.as_rule())) {
            let word = self.span(&found);
            let [left, right] = [span.ending_at(word.start), span.starting_at(word.end)];
            let row = format!("@relations {}", word.of(self.text).trim());
            return self.error(&row, &[("next", word), ("left", left), ("right", right)]);
        }
        let (sides, signs) = self.sides(pair, Rule::comparison)?;
        if let ([first, second, third, ..], [(_, sign), (_, other), ..]) = (&sides[..], &signs[..])
        {
            let is_order = |it: &Span| it.of(self.text).starts_with(['<', '>']);
            let are_orders = is_order(sign) && is_order(other);
            // Of `<` and `<=` the parts have `<`: the error proposes the second.
            let end = |it: &Span| if are_orders { it.start + 1 } else { it.end };
            let parts = [
                ("all", span),
                ("first", first.span),
                ("sign", sign.ending_at(end(sign))),
                ("second", second.span),
                ("other", other.ending_at(end(other))),
                ("third", third.span),
            ];
            let row = if are_orders { "@orders" } else { "@relations" };
            return self.error(row, &parts);
        }
        let Some((_, place)) = signs.first() else {
            return self.error("@relation", &[("all", span)]);
        };
        let [left, right] = <[Expression; 2]>::try_from(sides).expect("a sign has two sides");
        let sign = match place.of(self.text) {
            "=" | "==" => RelationSign::Equal,
            "<=" | "≤" => RelationSign::AtMost,
            ">=" | "≥" => RelationSign::AtLeast,
            "<" | ">" => {
                let (left, right) = (("left", left.span), ("right", right.span));
                return self.error("@bound", &[left, right, ("next", *place), ("all", span)]);
            }
            _ => return self.error("@unequal", &[("next", *place)]),
        };
        Ok(RelationSides {
            left,
            sign,
            right,
            span,
        })
    }

    fn setting(&self, pair: Pair<'_>) -> Parsed<LeafSetting> {
        let mut inner = pair.into_inner();
        let leaf = self.expression(self.next_pair(&mut inner)?)?;
        next_if(&mut inner, Rule::defines);
        let (value, width) = if let Some(lone_width) = next_if(&mut inner, Rule::width) {
            (None, Some(self.width(lone_width)?))
        } else if inner.peek().is_some() {
            let typed = self.measured_expression(&mut inner)?;
            (Some(typed.expression), typed.width)
        } else {
            (None, None)
        };
        Ok(LeafSetting { leaf, value, width })
    }

    fn correlation(&self, pair: Pair<'_>) -> Parsed<[Expression; 3]> {
        let span = self.span(&pair);
        let inner = pair.into_inner().map(|word| self.expression(word));
        let words: Vec<Expression> = inner.collect::<Parsed<_>>()?;
        let three = <[Expression; 3]>::try_from(words);
        three.or_else(|_| self.error("@correlation", &[("all", span)]))
    }

    /// An expression, or `f'`.
    fn item(&self, pair: Pair<'_>) -> Parsed<Expression> {
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

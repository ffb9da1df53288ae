//! From pest's pairs of a statement to its tree.
//!
//! What is an expression in it is read by `expression`.

use pest::Parser;
use pest::iterators::{Pair, Pairs};

use super::expression::Reader;
use super::expression::name;
use crate::syntax::error::SyntaxError;
use crate::syntax::former;
use crate::syntax::grammar::{Grammar, Rule};
use crate::syntax::lexer::{BLANKS, Cut, begins_definition, names, unclosed};
use crate::syntax::precedence;
use crate::syntax::tree::{
    Binding, BindingTarget, CommandLine, Definition, Expression, Head, Item, ItemKind, Lecture,
    Printed, Property, Span, Statement, Width,
};

type Done<T> = Result<T, SyntaxError>;

/// Parses a statement that [`statements`](super::super::statements) has cut from `text`.
pub fn statement<'t>(text: &'t str, cut: &Cut) -> Done<Statement<'t>> {
    let source = StatementSource::new(text, cut.span);
    let region = source.region.of(text);
    if region.is_empty() {
        return Ok(Statement::Empty);
    }
    if region.starts_with(':') {
        return source.command().map(Statement::Command);
    }
    if begins_definition(region) {
        return former::statement(text, cut);
    }
    read(&source, cut).or_else(|error| match former::statement(text, cut) {
        Err(error) => Err(error),
        // It takes any text before `.backward()`.
        Ok(Statement::Lecture(Lecture::Backward { target })) => {
            Err(former::expression(text, target).err().unwrap_or(error))
        }
        Ok(_) => Err(error),
    })
}

fn read<'t>(source: &StatementSource<'t>, cut: &Cut) -> Done<Statement<'t>> {
    let region = source.region.of(source.text);
    let rule = if region.contains('=') {
        Rule::statement
    } else {
        Rule::sole
    };
    let pairs = source
        .parse(rule)
        .or_else(|_| source.parse(Rule::lecture))?;
    let pair = pairs
        .into_iter()
        .next()
        .ok_or_else(|| SyntaxError::nothing(cut.span))?;
    Ok(match pair.as_rule() {
        Rule::expression => Statement::Expression(source.expression(pair)?),
        Rule::binding => Statement::Binding(source.binding(pair)?),
        Rule::definition => Statement::Definition(source.definition(pair)?),
        _ => Statement::Lecture(source.lecture(pair)?),
    })
}

/// Parses an expression: the argument of a command.
pub fn expression(text: &str, span: Span) -> Done<Expression<'_>> {
    let source = StatementSource::new(text, span);
    let read = source.parse(Rule::sole).and_then(|mut pairs| {
        let pair = pairs.next().ok_or_else(|| SyntaxError::nothing(span))?;
        source.expression(pair)
    });
    read.or_else(|error| Err(former::expression(text, span).err().unwrap_or(error)))
}

/// Parses `EXPRESSION [± OPERAND]`.
pub fn uncertain(text: &str, span: Span) -> Done<(Expression<'_>, Option<Width<'_>>)> {
    let source = StatementSource::new(text, span);
    let read = source.parse(Rule::measured).and_then(|pairs| {
        let (mut values, mut widths) = source.values(pairs)?;
        let value = values.pop().ok_or_else(|| SyntaxError::nothing(span))?;
        Ok((value, widths.pop().flatten()))
    });
    read.or_else(|error| {
        Err(former::uncertain::uncertain(text, span)
            .err()
            .unwrap_or(error))
    })
}

/// Parses `± OPERAND`, if the text begins so.
pub fn width(text: &str, span: Span) -> Option<Done<Width<'_>>> {
    let source = StatementSource::new(text, span);
    let region = source.region.of(text);
    ["±", "+/-"]
        .iter()
        .find(|sign| region.starts_with(**sign))?;
    let read = source.parse(Rule::widened).and_then(|mut pairs| {
        let pair = pairs.next().ok_or_else(|| SyntaxError::nothing(span))?;
        source.width(pair)
    });
    Some(read.or_else(|error| {
        Err(former::uncertain::width(text, span)
            .and_then(Result::err)
            .unwrap_or(error))
    }))
}

/// What is read, and where it stands.
struct StatementSource<'t> {
    text: &'t str,
    region: Span,
}

impl<'t> StatementSource<'t> {
    fn new(text: &'t str, span: Span) -> StatementSource<'t> {
        let region = trimmed(text, span);
        StatementSource { text, region }
    }

    fn parse(&self, rule: Rule) -> Done<Pairs<'t, Rule>> {
        Grammar::parse(rule, self.region.of(self.text))
            .map_err(|_| SyntaxError::nothing(self.region))
    }

    fn span(&self, pair: &Pair<'_, Rule>) -> Span {
        let span = pair.as_span();
        let start = self.region.start as usize;
        Span::new(start + span.start(), start + span.end())
    }

    fn expression(&self, pair: Pair<'_, Rule>) -> Done<Expression<'t>> {
        let (expression, per_cent) = Reader::new(self.text, self.region).read(pair)?;
        if !per_cent.is_empty() {
            let span = expression.items[per_cent[0]].span.behind();
            return Err(SyntaxError::new(span, "percent", ""));
        }
        Ok(expression)
    }

    /// A name to be bound or defined.
    fn target(&self, pair: &Pair<'_, Rule>) -> BindingTarget<'t> {
        let span = self.span(pair);
        BindingTarget {
            name: name(span.of(self.text)),
            span,
        }
    }

    fn command(&self) -> Done<CommandLine<'t>> {
        let colon = Span {
            end: self.region.start + 1,
            ..self.region
        };
        let word = self
            .parse(Rule::command)
            .ok()
            .and_then(|mut pairs| pairs.next()?.into_inner().next());
        let word = word.ok_or_else(|| {
            let message = "expected a command right after `:`";
            SyntaxError::new(colon, message, "`:help` lists the commands")
        })?;
        let word = self.span(&word);
        let rest = trimmed(self.text, self.region.starting(word.end));
        if let Some(open) = unclosed(rest.of(self.text)) {
            let at = (rest.start + open.start) as usize;
            let bracket = char::from(self.text.as_bytes()[at]);
            return Err(SyntaxError::unclosed(bracket, Span::new(at, at + 1)));
        }
        Ok(CommandLine {
            word: word.of(self.text),
            span: colon.to(word),
            rest,
        })
    }

    fn binding(&self, pair: Pair<'_, Rule>) -> Done<Binding<'t>> {
        let mut inner = pair.into_inner();
        let mut frozen = false;
        let mut targets: Vec<BindingTarget<'t>> = Vec::with_capacity(1);
        let mut compound = None;
        for pair in inner.by_ref() {
            match pair.as_rule() {
                Rule::frozen => frozen = true,
                Rule::name => targets.push(self.target(&pair)),
                _ => {
                    compound = precedence::between(pair.as_str().trim_end_matches('='));
                    break;
                }
            }
        }
        let (values, widths) = self.values(inner)?;
        self.check_different(&targets)?;
        if values.len() != targets.len() && values.len() > 1 {
            return Err(SyntaxError::new(self.region, "values for names", ""));
        }
        Ok(Binding {
            frozen,
            targets,
            compound,
            values,
            widths,
        })
    }

    fn check_different(&self, targets: &[BindingTarget<'t>]) -> Done<()> {
        let mut seen = std::collections::HashMap::new();
        for target in targets.iter().filter(|_| targets.len() > 1) {
            if let Some(first) = seen.insert(target.name, target.span) {
                return Err(SyntaxError::again(
                    target.span,
                    first,
                    "given twice".into(),
                    "",
                ));
            }
        }
        Ok(())
    }

    /// Expressions and what stands behind their `±`; no widths if there is none at all.
    fn values(
        &self,
        pairs: Pairs<'_, Rule>,
    ) -> Done<(Vec<Expression<'t>>, Vec<Option<Width<'t>>>)> {
        let mut values: Vec<Expression<'t>> = Vec::with_capacity(1);
        let mut widths: Vec<Option<Width<'t>>> = Vec::new();
        for pair in pairs {
            match pair.as_rule() {
                Rule::expression => values.push(self.expression(pair)?),
                Rule::width => {
                    widths.resize(values.len() - 1, None);
                    widths.push(Some(self.width(pair)?));
                }
                _ => {}
            }
        }
        if !widths.is_empty() {
            widths.resize(values.len(), None);
        }
        Ok((values, widths))
    }

    fn width(&self, pair: Pair<'_, Rule>) -> Done<Width<'t>> {
        let start = self.span(&pair).start;
        let mut inner = pair.into_inner();
        inner.next();
        let (operand, per_cent) = Reader::new(self.text, self.region).read_pairs(inner)?;
        let plain = |item: &Item| {
            matches!(
                item.kind,
                ItemKind::Number(_) | ItemKind::Apply(Head::List, _)
            )
        };
        if !per_cent.is_empty() && !operand.items.iter().all(plain) {
            return Err(SyntaxError::new(
                operand.span,
                "a percentage stands alone",
                "",
            ));
        }
        let span = operand.span.starting(start);
        Ok(Width {
            operand,
            span,
            per_cent,
        })
    }

    fn definition(&self, pair: Pair<'_, Rule>) -> Done<Definition<'t>> {
        let mut parameters = Vec::new();
        let mut body = None;
        for pair in pair.into_inner() {
            match pair.as_rule() {
                Rule::name => parameters.push(self.target(&pair)),
                Rule::expression => body = Some(self.expression(pair)?),
                _ => {}
            }
        }
        let name = parameters.remove(0);
        self.check_different(&parameters)?;
        let body = body.ok_or_else(|| SyntaxError::nothing(self.region))?;
        Ok(Definition {
            name,
            parameters,
            body,
            span: self.region,
        })
    }

    fn lecture(&self, pair: Pair<'_, Rule>) -> Done<Lecture<'t>> {
        let nothing = || SyntaxError::nothing(self.region);
        let rule = pair.as_rule();
        let mut inner = pair.into_inner();
        if rule == Rule::printed {
            let printed = inner
                .filter(|pair| pair.as_rule() != Rule::close)
                .map(|pair| match pair.as_rule() {
                    Rule::quoted => Ok(Printed::Text(self.inside(&pair))),
                    _ => self.expression(pair).map(Printed::Value),
                });
            return printed.collect::<Done<Vec<_>>>().map(Lecture::Print);
        }
        let first = inner.next().ok_or_else(nothing)?;
        if rule == Rule::made {
            let (mut number, mut label) = (None, None);
            for pair in inner {
                match pair.as_rule() {
                    Rule::quoted => label = Some(self.inside(&pair)),
                    _ if number.is_some() => return Err(nothing()),
                    _ => number = Some(self.expression(pair)?),
                }
            }
            let number = number.ok_or_else(nothing)?;
            return Ok(Lecture::Value {
                target: self.target(&first),
                number,
                label,
            });
        }
        let owner = self.span(&first);
        let second = inner.next().ok_or_else(nothing)?;
        if rule == Rule::labelled {
            return Ok(Lecture::Label {
                node: owner,
                label: self.inside(&second),
            });
        }
        let (mut values, widths) = self.values(inner)?;
        if !widths.is_empty() {
            return Err(SyntaxError::new(
                owner,
                "`.data` is a number without an uncertainty",
                "",
            ));
        }
        Ok(Lecture::Data {
            leaf: owner,
            sign: self.span(&second),
            compound: precedence::between(second.as_str().trim_end_matches('=')),
            value: values.pop().ok_or_else(nothing)?,
        })
    }

    fn inside(&self, quoted: &Pair<'_, Rule>) -> &'t str {
        names::unquoted(self.span(quoted).of(self.text)).unwrap_or_default()
    }
}

/// The line of the lecture that an expression is which calls `print` or `backward`.
pub fn called<'t>(text: &'t str, expression: &Expression<'t>) -> Option<Done<Lecture<'t>>> {
    let root = expression.items.last()?;
    match root.kind {
        ItemKind::Apply(Head::Function("backward", 0), _) => {
            let end = expression.span.end;
            let target = if root.span.start == expression.span.start {
                let open = text[root.span.end as usize..].find('(')?;
                Span {
                    start: root.span.end + open as u32 + 1,
                    end: end - 1,
                }
            } else {
                Span {
                    end: root.span.start - 1,
                    ..expression.span
                }
            };
            Some(Ok(Lecture::Backward {
                target: trimmed(text, target),
            }))
        }
        ItemKind::Apply(Head::Function("print", 0), _) => {
            let source = StatementSource::new(text, expression.span);
            let pair = Grammar::parse(Rule::printed, source.region.of(text))
                .ok()?
                .next()?;
            Some(source.lecture(pair))
        }
        _ => None,
    }
}

/// The same expression with the number of `E` for every `Value(E)`.
#[must_use]
pub fn unwrapped<'t>(expression: &Expression<'t>) -> Expression<'t> {
    let unwrap = |item: &Item<'t>| Item {
        kind: match item.kind {
            ItemKind::Apply(Head::Function("Value", 0), 1) => ItemKind::Property(Property::Data),
            kind => kind,
        },
        ..*item
    };
    Expression {
        items: expression.items.iter().map(unwrap).collect(),
        ..expression.clone()
    }
}

/// Without the blanks around it.
fn trimmed(text: &str, span: Span) -> Span {
    let rest = span.of(text).trim_end_matches(BLANKS);
    let end = span.start as usize + rest.len();
    Span::new(end - rest.trim_start_matches(BLANKS).len(), end)
}

//! Makes the tree of a statement from pest's pairs. `expression` reads the expressions in it.

use std::collections::HashMap;
use std::rc::Rc;

use pest::Parser;
use pest::error::InputLocation;
use pest::iterators::{Pair, Pairs};

use super::errors::{text_error, tree_error};
use super::expression::{Done, Reader, expressions};
use super::name::name_in_tree;
use crate::error::SyntaxError;
use crate::grammar::{Grammar, Rule};
use crate::lexer::{
    StatementSpan, begins_block, open_bracket, statements, three_quotes, trim, words,
};
use crate::number;
use crate::precedence::{self, Operator};
use crate::tree::{
    Binding, BindingTarget, Bounds, CommandLine, Definition, Expression, Head, Item, ItemKind,
    Parameter, PrintPiece, Printing, Span, Statement, Step, StepKind, Width,
};

/// Parses a statement that [`statements`](super::super::statements) has cut from `text`.
///
/// # Errors
/// If it is no statement; the error says what was expected where.
pub fn statement<'t>(text: &'t str, cut: &StatementSpan) -> Done<Statement<'t>> {
    Reader::new(text, cut.span, false)?.statement()
}

/// Parses an expression: the argument of a command.
///
/// # Errors
/// If it is no expression; the error says what was expected where.
pub fn expression(text: &str, span: Span) -> Done<Expression<'_>> {
    Reader::new(text, span, false)?.lone_expression()
}

/// Parses a text that may be an expression. It makes no error, which would take longer.
pub fn as_expression(text: &str) -> Option<Expression<'_>> {
    let whole = Span::new(0, text.len());
    let reader = Reader::new(text, whole, false).ok()?;
    let pair = reader.parse(Rule::lone_expression).ok()?.next()?;
    reader.expression(pair).ok()
}

/// Whether a text has only statements, for an error that offers it. An error of the text itself offers nothing.
fn has_statements(text: &str) -> bool {
    let rules = [Rule::statement, Rule::lone_value, Rule::py_line];
    let reads = |reader: &Reader| {
        let mut read = rules.iter().filter_map(|&rule| reader.parse(rule).ok());
        read.any(|pairs| reader.tree(pairs).is_ok())
    };
    statements(text).all(|cut| {
        let span = cut.map_or(Span::default(), |cut| cut.span);
        let reader = Reader::new(text, span, false);
        span.of(text).starts_with(':') || reader.is_ok_and(|reader| reads(&reader))
    })
}

/// Parses `EXPRESSION [± OPERAND]`: the argument of a command where an uncertainty may stand.
///
/// # Errors
/// If it is no such text; the error says what was expected where.
pub fn value_and_width(text: &str, span: Span) -> Done<(Expression<'_>, Option<Width<'_>>)> {
    let source = Reader::new(text, span, false)?;
    source.value_and_width(&mut source.pairs(Rule::lone_value)?)
}

/// Reads `(5 ± 0.1)`, if it is a whole value, as `5 ± 0.1`.
fn split_width(mut value: Expression<'_>) -> (Expression<'_>, Option<Width<'_>>) {
    let is_number = |item: &Item<&str>| matches!(item.kind, ItemKind::Number(_));
    if let [first, item, of] = value.items[..]
        && let ItemKind::Apply(Head::Uncertain { per_cent }, _) = of.kind
        && is_number(&first)
        && is_number(&item)
    {
        value.items.truncate(1);
        let width = Width {
            operand: item.into(),
            span: of.span,
            per_cent: vec![0; usize::from(per_cent)],
        };
        return (value, Some(width));
    }
    (value, None)
}

/// Reads `1.25(3)`, if it is a whole value, as `1.25 ± 0.03`: tables write it like this.
fn short_width(text: &str, span: Span) -> Option<(Expression<'_>, Option<Width<'_>>)> {
    let (number, digits) = span.of(text).strip_suffix(')')?.split_once('(')?;
    let (whole, places) = number.split_once('.')?;
    let whole = whole.strip_prefix('-').unwrap_or(whole);
    let are_digits = |text: &str| !text.is_empty() && text.bytes().all(|it| it.is_ascii_digit());
    if ![whole, places, digits].into_iter().all(are_digits) {
        return None;
    }
    let literal = |text: &str, span| {
        let kind = ItemKind::Number(number::value(text).ok()?);
        Some(Expression::from(Item { kind, span }))
    };
    let open = span.start + number.len() as u32;
    let value = literal(number, span.ending_at(open))?;
    let brackets = span.starting_at(open);
    let width = Width {
        operand: literal(&format!("{digits}e-{}", places.len()), brackets)?,
        span: brackets,
        per_cent: Vec::new(),
    };
    Some((value, Some(width)))
}

impl<'t> Reader<'t> {
    fn statement(&self) -> Done<Statement<'t>> {
        match self.region.of(self.text).chars().next() {
            None => Ok(Statement::Empty),
            Some(':') => self.command().map(Statement::Command),
            _ => self.line(),
        }
    }

    /// A statement of one line, or a block outside of blocks.
    pub(super) fn line(&self) -> Done<Statement<'t>> {
        let region = self.region.of(self.text);
        let rule = [Rule::lone_value, Rule::statement][usize::from(region.contains('='))];
        let (mut refused, mut furthest) = (None, 0);
        for rule in [rule, Rule::py_line] {
            match self.parse(rule).map(|pairs| self.tree(pairs)) {
                Ok(Ok(statement)) => return Ok(statement),
                Ok(Err(error)) => refused = Some(error),
                // No block can be read as a line.
                Err(_) if !self.in_code && begins_block(region) => {
                    return self.block().map(Statement::Block);
                }
                Err(stop) => furthest = furthest.max(self.furthest_stop(rule, stop)),
            }
        }
        if is_quoted_comment(region) {
            return Ok(Statement::Empty);
        }
        Err(refused.unwrap_or_else(|| text_error(self.text, self.region, furthest, has_statements)))
    }

    fn tree(&self, mut pairs: Pairs<'_, Rule>) -> Done<Statement<'t>> {
        let rule = pairs.peek().map(|pair| pair.as_rule());
        if rule == Some(Rule::expression) {
            return self.lone_value(&mut pairs).map(Statement::Expression);
        }
        let pair = self.next_pair(&mut pairs)?;
        Ok(match pair.as_rule() {
            Rule::binding => Statement::Binding(self.binding(pair)?),
            Rule::definition | Rule::py_lambda => self.definition(pair)?,
            _ => Statement::Step(self.python_line(pair)?),
        })
    }

    /// The pairs that pest finds by a rule, or the place where it stopped.
    pub(super) fn parse(&self, rule: Rule) -> Result<Pairs<'_, Rule>, u32> {
        let read = Grammar::parse(rule, &self.plain);
        read.map_err(|error| {
            let (InputLocation::Pos(at) | InputLocation::Span((at, _))) = error.location;
            self.region.start + at as u32
        })
    }

    /// The same with an error that explains the place.
    pub(super) fn pairs(&self, rule: Rule) -> Done<Pairs<'_, Rule>> {
        let read = self.parse(rule);
        read.map_err(|stop| text_error(self.text, self.region, stop, has_statements))
    }

    /// The next of some pairs.
    pub(super) fn next_pair<'i>(
        &self,
        pairs: &mut impl Iterator<Item = Pair<'i, Rule>>,
    ) -> Done<Pair<'i, Rule>> {
        let nothing = || SyntaxError::missing_expression(self.region);
        pairs.next().ok_or_else(nothing)
    }

    /// Where the grammar stops in a text that is no statement. Unless the text begins like a binding or a definition, it is
    /// read as an expression.
    fn furthest_stop(&self, rule: Rule, stop: u32) -> u32 {
        let begins = |rule| self.parse(rule).is_ok();
        if rule != Rule::statement || begins(Rule::head) || begins(Rule::signature) {
            return stop;
        }
        self.parse(Rule::lone_expression).err().unwrap_or(stop)
    }

    pub(super) fn expression(&self, pair: Pair<'_, Rule>) -> Done<Expression<'t>> {
        let (expression, per_cent) = self.read(pair.into_inner())?;
        match per_cent.first() {
            None => Ok(expression),
            Some(&place) => {
                let number = expression.items[place].span;
                let parts = [("left", number), ("all", number.ending_at(number.end + 1))];
                self.error("@percent", &parts)
            }
        }
    }

    /// A statement without `=`. `5 ± 0.1` is `(5 ± 0.1)` if its value has no names and lists.
    fn lone_value(&self, pairs: &mut Pairs<'_, Rule>) -> Done<Expression<'t>> {
        let (mut value, width) = self.value(pairs)?;
        let Some(width) = width else {
            return Ok(value);
        };
        let is_number = value.items.iter().all(|item| {
            use ItemKind::{Apply, Number};
            matches!(item.kind, Number(_) | Apply(Head::Operator(_), _))
        });
        if !is_number {
            return Err(self.error_at(width.span.start));
        }
        let head = Head::Uncertain {
            per_cent: !width.per_cent.is_empty(),
        };
        value.items.extend(width.operand.items);
        value.items.push(Item {
            kind: ItemKind::Apply(head, 2),
            span: width.span,
        });
        value.span = value.span.to(width.span);
        Ok(value)
    }

    /// The names among some pairs.
    pub(super) fn targets(&self, pairs: Pairs<'_, Rule>) -> Vec<BindingTarget<'t>> {
        let names = pairs.filter(|pair| pair.as_rule() == Rule::name);
        names.map(|pair| self.target(&pair)).collect()
    }

    /// A name that is bound or defined.
    fn target(&self, pair: &Pair<'_, Rule>) -> BindingTarget<'t> {
        let span = self.span(pair);
        BindingTarget {
            name: name_in_tree(span.of(self.text)),
            span,
        }
    }

    fn command(&self) -> Done<CommandLine<'t>> {
        let colon = self.region.ending_at(self.region.start + 1);
        let pairs = self.parse(Rule::command).ok();
        let word = pairs.and_then(|mut pairs| pairs.next()?.into_inner().next());
        let word = word.map_or_else(|| self.error("@command", &[("next", colon)]), Ok)?;
        let word = self.span(&word);
        let rest = trim(self.text, self.region.starting_at(word.end));
        if let Some(open) = open_bracket(rest.of(self.text)) {
            let open = open.shift(rest.start);
            let row = ["@unclosed (", "@unclosed ["][usize::from(open.of(self.text) == "[")];
            return self.error(row, &[("next", open)]);
        }
        Ok(CommandLine {
            word: word.of(self.text),
            span: colon.to(word),
            rest,
        })
    }

    fn binding(&self, pair: Pair<'_, Rule>) -> Done<Binding<'t>> {
        let mut frozen = false;
        let mut targets: Vec<BindingTarget<'t>> = Vec::with_capacity(1);
        let mut compound = None;
        let mut values: Vec<Expression<'t>> = Vec::with_capacity(1);
        let (mut widths, mut headings) = (Vec::new(), Vec::new());
        let mut bounds = None;
        let mut inner = pair.into_inner().peekable();
        while let Some(pair) = inner.next() {
            match pair.as_rule() {
                Rule::frozen => frozen = true,
                Rule::name => targets.push(self.target(&pair)),
                Rule::quoted => {
                    headings.resize(targets.len() - 1, None);
                    headings.push(Some(self.span(&pair)));
                }
                Rule::assign => compound = operator_of(&pair),
                Rule::bounds => bounds = Some(self.bounds(pair)?),
                _ => {
                    let own = inner.next_if(|next| next.as_rule() == Rule::width);
                    let short = short_width(self.text, self.span(&pair));
                    let (value, width) = match (own, short) {
                        (Some(own), _) => (self.expression(pair)?, Some(self.width(own)?)),
                        (None, _) if compound.is_some() => (self.expression(pair)?, None),
                        (None, Some(short)) => short,
                        (None, None) => split_width(self.expression(pair)?),
                    };
                    if width.is_some() {
                        widths.resize_with(values.len(), || None);
                        widths.push(width);
                    }
                    values.push(value);
                }
            }
        }
        if !widths.is_empty() {
            widths.resize_with(values.len(), || None);
        }
        let last = values[0].items.last().map(|last| last.kind);
        if self.in_code
            && compound == precedence::infix_operator("+")
            && last.is_some_and(|it| it.is_written_list())
        {
            let (left, right) = (values[0].span, targets[0].span);
            let parts = [("all", right.to(left)), ("left", left), ("right", right)];
            return self.error("@added", &parts);
        }
        self.check_different(&targets, "@name")?;
        // The session divides one value among several names.
        if values.len() != targets.len() && (values.len() > 1 || compound.is_some()) {
            let found = self.region.starting_at(values[0].span.start);
            let parts = [("name", targets[0].span), ("found", found)];
            let row = ["@values", "@names"][usize::from(targets.len() > 1)];
            return self.error(row, &parts);
        }
        for (target, value) in targets.iter().zip(&mut values) {
            if let Some(operator) = compound {
                *value = value.compound(&[target.item()], operator);
            }
        }
        Ok(Binding {
            frozen,
            targets,
            headings,
            values,
            widths,
            bounds,
        })
    }

    fn bounds(&self, pair: Pair<'_, Rule>) -> Done<Bounds<'t>> {
        let span = self.span(&pair);
        let mut expressions = expressions(pair.into_inner());
        let range = self.next_pair(&mut expressions)?;
        let parts = [("all", self.span(&range))];
        let (ends, _) = self.sides(range, Rule::range)?;
        let Ok(ends) = <[Expression; 2]>::try_from(ends) else {
            return self.error("@range", &parts);
        };
        let step = expressions.next().map(|step| self.expression(step));
        Ok(Bounds {
            ends,
            step: step.transpose()?,
            span,
        })
    }

    /// Refuses a name that stands there twice.
    pub(super) fn check_different(&self, targets: &[BindingTarget<'t>], row: &str) -> Done<()> {
        let mut seen = HashMap::new();
        for target in targets.iter().filter(|_| targets.len() > 1) {
            if let Some(first) = seen.insert(target.name, target.span) {
                let parts = [("next", target.span), ("first", first)];
                return self.error(row, &parts);
            }
        }
        Ok(())
    }

    /// An expression and its uncertainty, also `(5 ± 0.1)`.
    pub(super) fn value_and_width(
        &self,
        pairs: &mut Pairs<'_, Rule>,
    ) -> Done<(Expression<'t>, Option<Width<'t>>)> {
        let (value, width) = self.value(pairs)?;
        let (value, own) = split_width(value);
        Ok((value, width.or(own)))
    }

    /// An expression and the uncertainty after it.
    fn value(&self, pairs: &mut Pairs<'_, Rule>) -> Done<(Expression<'t>, Option<Width<'t>>)> {
        let value = self.expression(self.next_pair(pairs)?)?;
        let width = next_if(pairs, Rule::width);
        Ok((value, width.map(|width| self.width(width)).transpose()?))
    }

    pub(super) fn width(&self, pair: Pair<'_, Rule>) -> Done<Width<'t>> {
        let start = self.span(&pair).start;
        let mut inner = pair.into_inner();
        inner.next();
        let (operand, per_cent) = self.read(inner)?;
        let plain = |item: &Item<&str>| {
            matches!(
                item.kind,
                ItemKind::Number(_) | ItemKind::Apply(Head::List, _)
            )
        };
        if !per_cent.is_empty() && !operand.items.iter().all(plain) {
            let parts = [("operand", operand.span)];
            return self.error("@percent of a value", &parts);
        }
        let span = operand.span.starting_at(start);
        Ok(Width {
            operand,
            span,
            per_cent,
        })
    }

    fn definition(&self, pair: Pair<'_, Rule>) -> Done<Statement<'t>> {
        let inner = pair.into_inner();
        let body = self.next_pair(&mut expressions(inner.clone()))?;
        let mut targets = self.targets(inner);
        let name = targets.remove(0);
        if name.name == "not" {
            return self.error("@not", &[("next", name.span)]);
        }
        self.check_different(&targets, "@parameter")?;
        let value = self.expression(body)?;
        let parameters = targets.into_iter().map(|target| Parameter {
            target,
            default: None,
            is_rest: false,
        });
        let definition = Definition {
            name,
            parameters: parameters.collect(),
            body: vec![Step {
                span: value.span,
                kind: StepKind::Return(Some(value)),
            }],
            is_formula: true,
            span: self.region,
        };
        let span = self.region;
        let kind = StepKind::Define(definition);
        Ok(Statement::Block(vec![Step { span, kind }]))
    }

    /// `n.label = 'n'`, `a.data += 0.1`, `print('L', L)`
    fn python_line(&self, pair: Pair<'_, Rule>) -> Done<StepKind<'t>> {
        let rule = pair.as_rule();
        let mut inner = pair.into_inner();
        if rule == Rule::py_print {
            return self.printing(inner);
        }
        let owner = self.span(&self.next_pair(&mut inner)?);
        let node = self.operand_at(owner)?;
        let second = self.next_pair(&mut inner)?;
        if rule == Rule::py_label {
            let label = self.quoted_text(&second);
            return Ok(StepKind::Label { node, label });
        }
        let (value, width) = self.value(&mut inner)?;
        if let Some(width) = width {
            let parts = [
                ("next", self.span(&second)),
                ("leaf", owner),
                ("value", value.span),
                ("width", width.span),
            ];
            return self.error("@data", &parts);
        }
        let value = match operator_of(&second) {
            Some(operator) => value.compound(&node.items, operator),
            None => value,
        };
        Ok(StepKind::Data { leaf: node, value })
    }

    /// An expression in a part of the text.
    pub(super) fn operand_at(&self, span: Span) -> Done<Expression<'t>> {
        Reader::new(self.text, span, self.in_code)?.lone_expression()
    }

    /// All of the text as an expression.
    fn lone_expression(&self) -> Done<Expression<'t>> {
        self.expression(self.next_pair(&mut self.pairs(Rule::lone_expression)?)?)
    }

    /// `'L', L, sep=';'` in the brackets of `print`
    fn printing(&self, inner: Pairs<'_, Rule>) -> Done<StepKind<'t>> {
        let mut values = Vec::new();
        let mut printing = Printing {
            arguments: Vec::new(),
            separator: " ".into(),
            end: "\n".into(),
        };
        for pair in inner {
            match pair.as_rule() {
                Rule::py_formatted => {
                    let pieces = pair.into_inner();
                    let pieces = pieces.map(|piece| self.print_piece(piece, &mut values));
                    printing.arguments.push(pieces.collect::<Done<_>>()?);
                }
                Rule::py_separator => printing.separator = self.plain_text(pair),
                Rule::py_end => printing.end = self.plain_text(pair),
                _ => {
                    let piece = self.print_piece(pair, &mut values)?;
                    printing.arguments.push(vec![piece]);
                }
            }
        }
        let printing = Rc::new(printing);
        Ok(StepKind::Print { printing, values })
    }

    /// A piece, whose value is added to the others.
    fn print_piece(
        &self,
        piece: Pair<'_, Rule>,
        values: &mut Vec<Expression<'t>>,
    ) -> Done<PrintPiece> {
        Ok(match piece.as_rule() {
            Rule::quoted | Rule::py_text => PrintPiece::Text(self.plain_text(piece)),
            Rule::py_field => {
                let mut inner = piece.into_inner();
                values.push(self.expression(self.next_pair(&mut inner)?)?);
                let place = inner.next().map(|format| self.span(&format));
                let format = place.map(|place| (place.of(self.text).to_string(), place));
                PrintPiece::Value(format.filter(|(format, _)| !format.is_empty()))
            }
            _ => {
                values.push(self.expression(piece)?);
                PrintPiece::Value(None)
            }
        })
    }

    fn quoted_text(&self, quoted: &Pair<'_, Rule>) -> &'t str {
        words::strip_quotes(self.span(quoted).of(self.text)).unwrap_or_default()
    }

    /// A text as Python reads it between quotes, with its `\n` and `\t`, or a piece of a formatted one, with its `{{`. The text
    /// of an option is its last part.
    fn plain_text(&self, piece: Pair<'_, Rule>) -> String {
        let formatted = piece.as_rule() == Rule::py_text;
        let text = if formatted {
            self.span(&piece).of(self.text)
        } else {
            self.quoted_text(&piece.clone().into_inner().last().unwrap_or(piece))
        };
        let mut plain = String::with_capacity(text.len());
        let mut signs = text.chars().peekable();
        while let Some(sign) = signs.next() {
            let next = signs.peek().copied();
            let read = match (sign, next) {
                ('\\', Some('n')) => Some('\n'),
                ('\\', Some('t')) => Some('\t'),
                ('\\', Some('\\' | '\'' | '"')) => next,
                ('{' | '}', next) if formatted && next == Some(sign) => next,
                _ => None,
            };
            plain.push(read.unwrap_or(sign));
            if read.is_some() {
                signs.next();
            }
        }
        plain
    }
}

/// The next pair, if it is of this rule.
pub(super) fn next_if<'i>(pairs: &mut Pairs<'i, Rule>, rule: Rule) -> Option<Pair<'i, Rule>> {
    pairs.peek().filter(|next| next.as_rule() == rule)?;
    pairs.next()
}

/// The operator of `+=`.
fn operator_of(assign: &Pair<'_, Rule>) -> Option<&'static Operator> {
    let sign = assign.as_str().strip_suffix('=')?;
    (!sign.is_empty()).then(|| precedence::infix_operator(sign))?
}

/// Whether it is a text in three quotes, which is a comment where it stands alone.
fn is_quoted_comment(text: &str) -> bool {
    let inside =
        three_quotes(text).and_then(|quotes| text.strip_prefix(quotes)?.split_once(quotes));
    inside.is_some_and(|(_, rest)| rest.is_empty())
}

/// An expression that calls `print`, `backward`, `append` or `extend`, as what its line does.
pub fn called_step<'t>(text: &'t str, expression: &Expression<'t>) -> Option<Done<StepKind<'t>>> {
    let root = expression.items.last()?;
    let before = |items: &[Item<&'t str>], span| Expression {
        items: items.to_vec(),
        span: trim(text, span),
    };
    match root.kind {
        ItemKind::Apply(Head::Function("backward", 0), 1) => {
            let end = expression.span.end;
            let target = if root.span.start == expression.span.start {
                let open = text[root.span.end as usize..].find('(')?;
                let inside = expression.span.ending_at(end - 1);
                inside.starting_at(root.span.end + open as u32 + 1)
            } else {
                expression.span.ending_at(root.span.start - 1)
            };
            let (_, items) = expression.items.split_last()?;
            Some(Ok(StepKind::Backward(before(items, target))))
        }
        ItemKind::Apply(Head::Function(word @ ("append" | "extend"), 0), 2) => {
            let [first, items @ .., _] = expression.items.as_slice() else {
                return None;
            };
            // How many values follow the name; if there is none, the items so far are made of the name.
            let mut following = items.iter().scan(0, |count, item| {
                *count += 1 - i64::from(item.kind.operands());
                Some(*count)
            });
            Some(match first.kind {
                ItemKind::Name(name) if following.all(|count| count > 0) => Ok(StepKind::Append {
                    list: BindingTarget {
                        name,
                        span: first.span,
                    },
                    items: before(items, items.iter().map(|item| item.span).reduce(Span::to)?),
                    each: word == "extend",
                }),
                _ => {
                    let left = expression.span.ending_at(root.span.start - 1);
                    Err(tree_error(text, "@grown", &[("left", left)]))
                }
            })
        }
        ItemKind::Apply(Head::Function("print", 0), _) => {
            let source = Reader::new(text, expression.span, false).ok()?;
            let pair = source.parse(Rule::py_print).ok()?.next()?;
            Some(source.python_line(pair))
        }
        _ => None,
    }
}

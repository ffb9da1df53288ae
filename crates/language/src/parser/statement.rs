//! Makes the tree of a statement from pest's pairs: of a command, a binding, a definition, an expression, or a line that
//! only Python has. `expression` reads the expressions in it, and `block` reads blocks of several lines.

use std::collections::HashMap;
use std::rc::Rc;

use super::errors::{text_error, tree_error};
use super::expression::{Parsed, Reader, expressions};
use super::name::name_in_tree;
use crate::error::SyntaxError;
use crate::grammar::{Grammar, Pair, Pairs, Rule};
use crate::lexer::{
    StatementSpan, begins_block, open_bracket, statements, three_quotes, trim, words,
};
use crate::number;
use crate::precedence::{self, Operator};
use crate::tree::{
    Binding, BindingTarget, Bounds, CommandLine, Definition, Expression, Head, Item, ItemKind,
    Parameter, PrintPiece, Printing, Span, Statement, Step, StepKind, Width,
};
use pest::Parser;
use pest::error::InputLocation;

/// An expression, and the uncertainty after it.
type ValueAndWidth<'t> = (Expression<'t>, Option<Width<'t>>);

/// Parses a statement that [`statements`](super::super::statements) has cut from `text`.
///
/// # Errors
/// If it is not a statement; the error says what was expected and where.
pub fn statement<'t>(text: &'t str, cut: &StatementSpan) -> Parsed<Statement<'t>> {
    Reader::new(text, cut.span)?.statement()
}

/// Parses an expression: the argument of a command.
///
/// # Errors
/// If it is not an expression; the error says what was expected and where.
pub fn expression(text: &str, span: Span) -> Parsed<Expression<'_>> {
    Reader::new(text, span)?.lone_expression()
}

/// Parses a text that may be an expression. Returns `None` if it is not, which saves the time for making an error.
pub fn as_expression(text: &str) -> Option<Expression<'_>> {
    let whole = Span::new(0, text.len());
    let reader = Reader::new(text, whole).ok()?;
    let pair = reader.parse(Rule::lone_expression).ok()?.next()?;
    reader.expression(pair).ok()
}

/// Whether a text that an error suggests consists of valid statements. Commands are not checked, because this crate does
/// not know them.
fn has_only_statements(text: &str) -> bool {
    statements(text).all(|cut| {
        // A text that cannot be cut is read as an empty line, which is no statement here.
        let span = cut.map_or(Span::default(), |cut| cut.span);
        let is_command = span.of(text).starts_with(':');
        is_command || Reader::new(text, span).is_ok_and(|reader| reader.has_line())
    })
}

/// Parses `EXPRESSION [± OPERAND]`: the argument of a command that accepts an uncertainty.
///
/// # Errors
/// If the text is something else; the error says what was expected and where.
pub fn value_and_width(text: &str, span: Span) -> Parsed<ValueAndWidth<'_>> {
    let source = Reader::new(text, span)?;
    source.value_and_width(&mut source.pairs(Rule::lone_value)?)
}

/// Divides `(5 ± 0.1)`, if it is the whole value, into 5 and the uncertainty. Leaves all other values whole.
fn split_width(mut value: Expression<'_>) -> ValueAndWidth<'_> {
    let is_number = |item: &Item<&str>| matches!(item.kind, ItemKind::Number(_));
    if let [first, second, root] = value.items[..]
        && let ItemKind::Apply(Head::Uncertain { is_per_cent }, _) = root.kind
        && is_number(&first)
        && is_number(&second)
    {
        value.items.truncate(1);
        let width = Width {
            operand: second.into(),
            span: root.span,
            per_cent: vec![0; usize::from(is_per_cent)],
        };
        return (value, Some(width));
    }
    (value, None)
}

/// Reads `1.25(3)`, if it is the whole value, as `1.25 ± 0.03`. Tables of measurements use this notation.
fn short_width(text: &str, span: Span) -> Option<(Expression<'_>, Width<'_>)> {
    let (number, digits) = span.of(text).strip_suffix(')')?.split_once('(')?;
    let (signed, decimals) = number.split_once('.')?;
    let whole = signed.strip_prefix('-').unwrap_or(signed);
    let are_digits = |part: &str| !part.is_empty() && part.bytes().all(|it| it.is_ascii_digit());
    if ![whole, decimals, digits].into_iter().all(are_digits) {
        return None;
    }
    let literal = |written: &str, place| {
        let kind = ItemKind::Number(number::value(written).ok()?);
        Some(Expression::from(Item { kind, span: place }))
    };
    let open = span.start + number.len() as u32;
    let brackets = span.starting_at(open);
    let value = literal(number, span.ending_at(open))?;
    let width = Width {
        operand: literal(&format!("{digits}e-{}", decimals.len()), brackets)?,
        span: brackets,
        per_cent: Vec::new(),
    };
    Some((value, width))
}

impl<'t> Reader<'t> {
    fn statement(&self) -> Parsed<Statement<'t>> {
        match self.region.of(self.text).chars().next() {
            None => Ok(Statement::Empty),
            Some(':') => self.command().map(Statement::Command),
            _ => self.line(),
        }
    }

    /// Reads a statement of one line, or a block if this reader is outside of blocks.
    pub(super) fn line(&self) -> Parsed<Statement<'t>> {
        let region = self.region.of(self.text);
        let own_rule = if region.contains('=') {
            Rule::statement
        } else {
            Rule::lone_value
        };
        let mut tree_error = None;
        let mut furthest = 0;
        for rule in [own_rule, Rule::py_line] {
            match self.parse(rule).map(|pairs| self.statement_tree(pairs)) {
                Ok(Ok(statement)) => return Ok(statement),
                Ok(Err(error)) => tree_error = Some(error),
                // No block can be read as a line.
                Err(_) if !self.is_python && begins_block(region) => {
                    return self.block().map(Statement::Block);
                }
                Err(stop) => furthest = furthest.max(self.furthest_stop(rule, stop)),
            }
        }
        if is_quoted_comment(region) {
            return Ok(Statement::Empty);
        }
        Err(tree_error.unwrap_or_else(|| self.refusal(furthest)))
    }

    /// The error for a text that the grammar has read up to `stop`.
    fn refusal(&self, stop: u32) -> SyntaxError {
        text_error(self.text, self.region, stop, has_only_statements)
    }

    /// Whether the region is a statement of one line. Unlike [`Reader::line`], this makes no error for a text that the
    /// grammar refuses: an error calls it for the lines that it suggests, so it could call itself without end.
    fn has_line(&self) -> bool {
        let rules = [Rule::statement, Rule::lone_value, Rule::py_line];
        let mut parsed = rules.iter().filter_map(|&rule| self.parse(rule).ok());
        parsed.any(|pairs| self.statement_tree(pairs).is_ok())
    }

    /// Makes the tree of a statement of one line.
    fn statement_tree(&self, mut pairs: Pairs<'_>) -> Parsed<Statement<'t>> {
        let rule = pairs.peek().map(|pair| pair.as_rule());
        if rule == Some(Rule::expression) {
            return self.lone_value(&mut pairs).map(Statement::Expression);
        }
        let pair = self.next_pair(&mut pairs)?;
        Ok(match pair.as_rule() {
            Rule::binding => Statement::Binding(self.binding(pair)?),
            Rule::definition | Rule::py_lambda => self.definition(pair)?,
            // One of the rules in `py_line` besides `py_lambda`.
            _ => Statement::Step(self.python_line(pair)?),
        })
    }

    /// The pairs that pest finds by a rule, or the place where it stopped.
    pub(super) fn parse(&self, rule: Rule) -> Result<Pairs<'_>, u32> {
        let parsed = Grammar::parse(rule, &self.plain);
        parsed.map_err(|error| {
            let (InputLocation::Pos(at) | InputLocation::Span((at, _))) = error.location;
            self.region.start + at as u32
        })
    }

    /// The pairs that pest finds by a rule, or an error that explains the place where it stopped.
    pub(super) fn pairs(&self, rule: Rule) -> Parsed<Pairs<'_>> {
        self.parse(rule).map_err(|stop| self.refusal(stop))
    }

    /// Takes the next pair. If there is none, returns the error that an expression is missing.
    pub(super) fn next_pair<'i>(
        &self,
        pairs: &mut impl Iterator<Item = Pair<'i>>,
    ) -> Parsed<Pair<'i>> {
        let next = pairs.next();
        next.ok_or_else(|| SyntaxError::missing_expression(self.region))
    }

    /// The place to which an error points in a text that `rule` reads only up to `stop`. If the text begins neither like a
    /// binding nor like a definition, this is the place where it stops being an expression.
    fn furthest_stop(&self, rule: Rule, stop: u32) -> u32 {
        let begins_with = |beginning| self.parse(beginning).is_ok();
        if rule != Rule::statement || begins_with(Rule::head) || begins_with(Rule::signature) {
            return stop;
        }
        self.parse(Rule::lone_expression).err().unwrap_or(stop)
    }

    /// Reads an expression. Refuses a literal with a `%`, which only an uncertainty may have.
    pub(super) fn expression(&self, pair: Pair<'_>) -> Parsed<Expression<'t>> {
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

    /// Reads a statement without `=`. `5 ± 0.1` means `(5 ± 0.1)`; only numbers and operators may stand before its `±`.
    fn lone_value(&self, pairs: &mut Pairs<'_>) -> Parsed<Expression<'t>> {
        let (mut value, width) = self.value(pairs)?;
        let Some(width) = width else {
            return Ok(value);
        };
        let has_only_numbers = value.items.iter().all(|item| {
            use ItemKind::{Apply, Number};
            matches!(item.kind, Number(_) | Apply(Head::Operator(_), _))
        });
        if !has_only_numbers {
            return Err(self.error_at(width.span.start));
        }
        let head = Head::Uncertain {
            is_per_cent: !width.per_cent.is_empty(),
        };
        value.items.extend(width.operand.items);
        value.items.push(Item {
            kind: ItemKind::Apply(head, 2),
            span: width.span,
        });
        value.span = value.span.to(width.span);
        Ok(value)
    }

    /// Reads the names among some pairs.
    pub(super) fn targets(&self, pairs: Pairs<'_>) -> Vec<BindingTarget<'t>> {
        let names = pairs.filter(|pair| pair.as_rule() == Rule::name);
        names.map(|pair| self.target(&pair)).collect()
    }

    /// A name that is bound or defined.
    fn target(&self, pair: &Pair<'_>) -> BindingTarget<'t> {
        let span = self.span(pair);
        BindingTarget {
            name: name_in_tree(span.of(self.text)),
            span,
        }
    }

    fn command(&self) -> Parsed<CommandLine<'t>> {
        let colon = self.region.ending_at(self.region.start + 1);
        let command = self.parse(Rule::command).ok();
        let name = command.and_then(|mut pairs| pairs.next()?.into_inner().next());
        let Some(name) = name else {
            return self.error("@command", &[("next", colon)]);
        };
        let word = self.span(&name);
        let rest = trim(self.text, self.region.starting_at(word.end));
        if let Some(place) = open_bracket(rest.of(self.text)) {
            let bracket = place.shift(rest.start);
            let row = format!("@unclosed {}", bracket.of(self.text));
            return self.error(&row, &[("next", bracket)]);
        }
        Ok(CommandLine {
            word: word.of(self.text),
            span: colon.to(word),
            rest,
        })
    }

    fn binding(&self, pair: Pair<'_>) -> Parsed<Binding<'t>> {
        let mut binding = Binding {
            targets: Vec::with_capacity(1),
            values: Vec::with_capacity(1),
            ..Binding::default()
        };
        let mut operator = None;
        let mut inner = pair.into_inner().peekable();
        while let Some(part) = inner.next() {
            match part.as_rule() {
                Rule::frozen => binding.is_frozen = true,
                Rule::name => binding.targets.push(self.target(&part)),
                Rule::quoted => {
                    binding.headings.resize(binding.targets.len() - 1, None);
                    binding.headings.push(Some(self.span(&part)));
                }
                Rule::assign => operator = operator_of(&part),
                Rule::bounds => binding.bounds = Some(self.bounds(part)?),
                _ => {
                    let typed_width = inner.next_if(|next| next.as_rule() == Rule::width);
                    let (value, width) = self.bound_value(part, typed_width, operator)?;
                    if width.is_some() {
                        binding.widths.resize_with(binding.values.len(), || None);
                        binding.widths.push(width);
                    }
                    binding.values.push(value);
                }
            }
        }
        if !binding.widths.is_empty() {
            binding.widths.resize_with(binding.values.len(), || None);
        }
        self.check_binding(&binding, operator)?;
        if let Some(operator) = operator {
            for (target, value) in binding.targets.iter().zip(&mut binding.values) {
                *value = value.compound(&[target.item()], operator);
            }
        }
        Ok(binding)
    }

    /// Reads a value of a binding and its uncertainty. Without a `width`, the value may be `1.25(3)` or `(5 ± 0.1)`.
    fn bound_value(
        &self,
        value: Pair<'_>,
        width: Option<Pair<'_>>,
        operator: Option<&Operator>,
    ) -> Parsed<ValueAndWidth<'t>> {
        if width.is_some() || operator.is_some() {
            let typed_width = width.map(|width| self.width(width));
            return Ok((self.expression(value)?, typed_width.transpose()?));
        }
        match short_width(self.text, self.span(&value)) {
            Some((number, digits)) => Ok((number, Some(digits))),
            None => Ok(split_width(self.expression(value)?)),
        }
    }

    /// Refuses a binding that has a name twice, or whose numbers of names and of values differ. One value for several names
    /// is accepted: it may be a list, which the session divides among the names.
    fn check_binding(&self, binding: &Binding<'t>, operator: Option<&Operator>) -> Parsed<()> {
        let (names, values) = (&binding.targets, &binding.values);
        let (name, value) = (names[0].span, values[0].span);
        let last_item = values[0].items.last().map(|last| last.kind);
        let adds_list = operator == precedence::infix_operator("+")
            && last_item.is_some_and(|kind| kind.is_written_list());
        // In Python, `x += [1]` would make the list longer.
        if self.is_python && adds_list {
            let parts = [("all", name.to(value)), ("left", value), ("right", name)];
            return self.error("@added", &parts);
        }
        self.check_different(names, "@name")?;
        let can_be_divided = values.len() == 1 && operator.is_none();
        if values.len() == names.len() || can_be_divided {
            return Ok(());
        }
        let row = if names.len() == 1 {
            "@values"
        } else {
            "@names"
        };
        let all_values = self.region.starting_at(value.start);
        self.error(row, &[("name", name), ("found", all_values)])
    }

    /// Reads the range of a binding, and its step if it has one.
    fn bounds(&self, pair: Pair<'_>) -> Parsed<Bounds<'t>> {
        let span = self.span(&pair);
        let mut inner = expressions(pair.into_inner());
        let range = self.next_pair(&mut inner)?;
        let range_span = self.span(&range);
        let (sides, _) = self.sides(range, Rule::range)?;
        let Ok(ends) = <[Expression; 2]>::try_from(sides) else {
            return self.error("@range", &[("all", range_span)]);
        };
        let step = inner.next().map(|step| self.expression(step));
        Ok(Bounds {
            ends,
            step: step.transpose()?,
            span,
        })
    }

    /// Refuses names if two of them are the same.
    pub(super) fn check_different(&self, targets: &[BindingTarget<'t>], row: &str) -> Parsed<()> {
        // Nearly all bindings have one name. Without a map they are read faster.
        if targets.len() < 2 {
            return Ok(());
        }
        let mut seen = HashMap::new();
        for target in targets {
            if let Some(first) = seen.insert(target.name, target.span) {
                let parts = [("next", target.span), ("first", first)];
                return self.error(row, &parts);
            }
        }
        Ok(())
    }

    /// Reads an expression and its uncertainty: `5 ± 0.1` or `(5 ± 0.1)`.
    pub(super) fn value_and_width(&self, pairs: &mut Pairs<'_>) -> Parsed<ValueAndWidth<'t>> {
        let (expression, width) = self.value(pairs)?;
        let (value, inner_width) = split_width(expression);
        Ok((value, width.or(inner_width)))
    }

    /// Reads an expression and the uncertainty after it.
    fn value(&self, pairs: &mut Pairs<'_>) -> Parsed<ValueAndWidth<'t>> {
        let value = self.expression(self.next_pair(pairs)?)?;
        let width = next_if(pairs, Rule::width);
        Ok((value, width.map(|width| self.width(width)).transpose()?))
    }

    /// Reads an uncertainty. Only literals may have a `%`, alone or in a list.
    pub(super) fn width(&self, pair: Pair<'_>) -> Parsed<Width<'t>> {
        let start = self.span(&pair).start;
        let mut inner = pair.into_inner();
        let _plus_minus = inner.next();
        let (operand, per_cent) = self.read(inner)?;
        let has_only_numbers = operand.items.iter().all(|item| {
            use ItemKind::{Apply, Number};
            matches!(item.kind, Number(_) | Apply(Head::List, _))
        });
        if !per_cent.is_empty() && !has_only_numbers {
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

    /// Reads `f(x) = x^2` or `f = lambda x: x**2` as a block of one function.
    fn definition(&self, pair: Pair<'_>) -> Parsed<Statement<'t>> {
        let inner = pair.into_inner();
        let body = self.next_pair(&mut expressions(inner.clone()))?;
        let mut names = self.targets(inner);
        let function = names.remove(0);
        if function.name == "not" {
            return self.error("@not", &[("next", function.span)]);
        }
        self.check_different(&names, "@parameter")?;
        let value = self.expression(body)?;
        let parameters = names.into_iter().map(|target| Parameter {
            target,
            default: None,
            is_rest: false,
        });
        let step = |span, kind| vec![Step { span, kind }];
        let definition = Definition {
            name: function,
            parameters: parameters.collect(),
            body: step(value.span, StepKind::Return(Some(value))),
            is_formula: true,
            span: self.region,
        };
        let steps = step(self.region, StepKind::Define(definition));
        Ok(Statement::Block(steps))
    }

    /// Reads `n.label = 'n'`, `a.data += 0.1` or `print('L', L)`.
    fn python_line(&self, pair: Pair<'_>) -> Parsed<StepKind<'t>> {
        let rule = pair.as_rule();
        let mut inner = pair.into_inner();
        if rule == Rule::py_print {
            return self.printing(inner);
        }
        let owner = self.span(&self.next_pair(&mut inner)?);
        let node = self.operand_at(owner)?;
        let label_or_assign = self.next_pair(&mut inner)?;
        if rule == Rule::py_label {
            let label = self.quoted_text(&label_or_assign);
            return Ok(StepKind::Label { node, label });
        }
        let (typed, width) = self.value(&mut inner)?;
        if let Some(width) = width {
            let parts = [
                ("next", self.span(&label_or_assign)),
                ("leaf", owner),
                ("value", typed.span),
                ("width", width.span),
            ];
            return self.error("@data", &parts);
        }
        let value = match operator_of(&label_or_assign) {
            Some(operator) => typed.compound(&node.items, operator),
            None => typed,
        };
        Ok(StepKind::Data { leaf: node, value })
    }

    /// Reads a part of the text as an expression.
    pub(super) fn operand_at(&self, span: Span) -> Parsed<Expression<'t>> {
        let reader = Reader {
            is_python: self.is_python,
            ..Reader::new(self.text, span)?
        };
        reader.lone_expression()
    }

    /// Reads the whole region as an expression.
    fn lone_expression(&self) -> Parsed<Expression<'t>> {
        let mut pairs = self.pairs(Rule::lone_expression)?;
        self.expression(self.next_pair(&mut pairs)?)
    }

    /// Reads the arguments of `print`, such as `'L', L, sep=';'`.
    fn printing(&self, arguments: Pairs<'_>) -> Parsed<StepKind<'t>> {
        let mut values = Vec::new();
        let mut printing = Printing {
            arguments: Vec::new(),
            separator: " ".into(),
            end: "\n".into(),
        };
        for pair in arguments {
            match pair.as_rule() {
                Rule::py_formatted => {
                    let inner = pair.into_inner();
                    let pieces = inner.map(|piece| self.print_piece(piece, &mut values));
                    printing.arguments.push(pieces.collect::<Parsed<_>>()?);
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

    /// Reads an argument of `print`, or a piece of a formatted text. Adds its value to `values` if it has one.
    fn print_piece(&self, piece: Pair<'_>, values: &mut Vec<Expression<'t>>) -> Parsed<PrintPiece> {
        Ok(match piece.as_rule() {
            Rule::quoted | Rule::py_text => PrintPiece::Text(self.plain_text(piece)),
            Rule::py_field => {
                let mut inner = piece.into_inner();
                values.push(self.expression(self.next_pair(&mut inner)?)?);
                let format = inner.next().map(|format| self.span(&format));
                let typed = format.filter(|place| !place.of(self.text).is_empty());
                PrintPiece::Value(typed.map(|place| (place.of(self.text).to_string(), place)))
            }
            _ => {
                values.push(self.expression(piece)?);
                PrintPiece::Value(None)
            }
        })
    }

    /// The text between quotes.
    fn quoted_text(&self, quoted: &Pair<'_>) -> &'t str {
        words::strip_quotes(self.span(quoted).of(self.text)).unwrap_or_default()
    }

    /// The text that Python prints for a piece in quotes, for an option such as `sep=';'`, or for a text between the fields
    /// of a formatted text. `\n` and `\t` become a line end and a tab, and in a formatted text `{{` becomes `{`.
    fn plain_text(&self, piece: Pair<'_>) -> String {
        let is_formatted = piece.as_rule() == Rule::py_text;
        let text = if is_formatted {
            self.span(&piece).of(self.text)
        } else {
            // An option has its text as its last part. A text in quotes has no parts.
            self.quoted_text(&piece.clone().into_inner().last().unwrap_or(piece))
        };
        let mut plain = String::with_capacity(text.len());
        let mut characters = text.chars().peekable();
        while let Some(character) = characters.next() {
            let next = characters.peek().copied();
            let escaped = match (character, next) {
                ('\\', Some('n')) => Some('\n'),
                ('\\', Some('t')) => Some('\t'),
                ('\\', Some('\\' | '\'' | '"')) => next,
                ('{' | '}', _) if is_formatted && next == Some(character) => next,
                _ => None,
            };
            plain.push(escaped.unwrap_or(character));
            if escaped.is_some() {
                characters.next();
            }
        }
        plain
    }
}

/// The next pair, if it is of this rule.
pub(super) fn next_if<'i>(pairs: &mut Pairs<'i>, rule: Rule) -> Option<Pair<'i>> {
    pairs.peek().filter(|next| next.as_rule() == rule)?;
    pairs.next()
}

/// The operator of `+=`.
fn operator_of(assign: &Pair<'_>) -> Option<&'static Operator> {
    let sign = assign.as_str().strip_suffix('=')?;
    (!sign.is_empty()).then(|| precedence::infix_operator(sign))?
}

/// Whether a text is one text in three quotes, which is a comment if it is a statement of its own.
pub(super) fn is_quoted_comment(text: &str) -> bool {
    three_quotes(text)
        .and_then(|quotes| text[quotes.len()..].split_once(quotes))
        .is_some_and(|(_, rest)| rest.is_empty())
}

/// Reads a call of `print`, `backward`, `append` or `extend` as a step. Returns `None` for all other expressions.
pub fn called_step<'t>(text: &'t str, expression: &Expression<'t>) -> Option<Parsed<StepKind<'t>>> {
    let root = expression.items.last()?;
    match root.kind {
        ItemKind::Apply(Head::Function("backward", 0), 1) => {
            backward_step(text, expression, root.span).map(Ok)
        }
        ItemKind::Apply(Head::Function(word @ ("append" | "extend"), 0), 2) => {
            append_step(text, expression, word)
        }
        ItemKind::Apply(Head::Function("print", 0), _) => {
            let source = Reader::new(text, expression.span).ok()?;
            let pair = source.parse(Rule::py_print).ok()?.next()?;
            Some(source.python_line(pair))
        }
        _ => None,
    }
}

/// Makes the step of `L.backward()` or `backward(L)`.
fn backward_step<'t>(text: &str, call: &Expression<'t>, word: Span) -> Option<StepKind<'t>> {
    let target = if word.start == call.span.start {
        let bracket = text[word.end as usize..].find('(')?;
        let inside = call.span.ending_at(call.span.end - 1);
        inside.starting_at(word.end + bracket as u32 + 1)
    } else {
        call.span.ending_at(word.start - 1)
    };
    let (_, items) = call.items.split_last()?;
    Some(StepKind::Backward(Expression {
        items: items.to_vec(),
        span: trim(text, target),
    }))
}

/// Makes the step of `x.append(3)` or `x.extend([3, 4])`. Refuses a list that is not a name.
fn append_step<'t>(
    text: &'t str,
    call: &Expression<'t>,
    word: &str,
) -> Option<Parsed<StepKind<'t>>> {
    let [first, items @ .., root] = call.items.as_slice() else {
        return None;
    };
    // The number of values that the items so far leave after the list. If the list is a name, each of them leaves at least
    // one. If it is an expression such as `w[0]`, an item consumes the name, and the number falls to 0.
    let mut values = items.iter().scan(0, |count, item| {
        *count += 1 - i64::from(item.kind.operands());
        Some(*count)
    });
    let name = match first.kind {
        ItemKind::Name(name) if values.all(|count| count > 0) => name,
        _ => {
            let list = call.span.ending_at(root.span.start - 1);
            return Some(Err(tree_error(text, "@grown", &[("left", list)])));
        }
    };
    let span = items.iter().map(|item| item.span).reduce(Span::to)?;
    Some(Ok(StepKind::Append {
        list: BindingTarget {
            name,
            span: first.span,
        },
        items: Expression {
            items: items.to_vec(),
            span: trim(text, span),
        },
        is_extend: word == "extend",
    }))
}

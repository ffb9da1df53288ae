//! Makes the tree of a statement from pest's pairs.
//!
//! This file finds the kind of a statement, and reads commands and definitions. `binding`, `python_step` and `block` read
//! the other kinds, and `expression` all expressions.

use super::errors::text_error;
use super::expression::{Parsed, Reader, expressions};
use super::name::kept_name;
use crate::error::SyntaxError;
use crate::grammar::{Grammar, Pair, Pairs, Rule};
use crate::lexer::{
    StatementSpan, begins_block, open_bracket, statements, takes_words, three_quotes, trim,
};
use crate::tree::{
    Binding, CommandLine, Definition, Expression, MeasuredExpression, Name, Parameter, Span,
    Statement, Step, StepKind,
};
use pest::Parser;
use pest::error::InputLocation;

/// Parses a statement that [`statements`](super::super::statements) has cut from `text`.
///
/// # Errors
/// If it is not a statement; the error says what was expected and where.
pub fn statement(text: &str, cut: &StatementSpan) -> Parsed<Statement> {
    let reader = Reader::new(text, cut.span)?;
    match reader.region.of(text).chars().next() {
        None => Ok(Statement::Empty),
        Some(':') => reader.command().map(Statement::Command),
        _ => reader.line(),
    }
}

/// Parses an expression: the argument of a command.
///
/// # Errors
/// If it is not an expression; the error says what was expected and where.
pub fn expression(text: &str, span: Span) -> Parsed<Expression> {
    Reader::new(text, span)?.lone_expression()
}

/// Parses a text that may be an expression. Returns `None` if it is not, which saves the time for making an error.
pub fn as_expression(text: &str) -> Option<Expression> {
    let reader = Reader::new(text, Span::new(0, text.len())).ok()?;
    let pair = reader.parse(Rule::lone_expression).ok()?.next()?;
    reader.expression(pair).ok()
}

/// Python's `lambda x: x**2` as a definition.
pub struct Lambda {
    /// The text of the definition, to which its spans refer.
    pub text: Name,
    /// The definition.
    pub definition: Definition,
}

/// Makes a definition of a [`ItemKind::Lambda`](crate::ItemKind::Lambda), which the parser has read before.
pub fn lambda(typed: &str) -> Lambda {
    let text = kept_name(&format!("lambda = {typed}"));
    let read = statement(text, &StatementSpan::whole(text));
    match read.ok().and_then(Statement::into_definition) {
        Some(definition) => Lambda { text, definition },
        None => unreachable!("the parser has read `{typed}`"),
    }
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

impl Reader<'_> {
    /// Reads a statement of one line, or a block if this reader is outside of blocks.
    pub(super) fn line(&self) -> Parsed<Statement> {
        let region = self.region.of(self.text);
        let own_rule = if region.contains('=') {
            Rule::statement
        } else {
            Rule::lone_value
        };
        let mut tree_error = None;
        let mut furthest = 0;
        for rule in [own_rule, Rule::py_line] {
            match self.parse(rule) {
                Ok(pairs) => match self.statement_tree(pairs) {
                    Ok(statement) => return Ok(statement),
                    Err(error) => tree_error = Some(error),
                },
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
    fn statement_tree(&self, mut pairs: Pairs<'_>) -> Parsed<Statement> {
        if pairs.peek().map(|pair| pair.as_rule()) == Some(Rule::expression) {
            return self.lone_value(&mut pairs).map(Statement::Expression);
        }
        let pair = self.next_pair(&mut pairs)?;
        Ok(match pair.as_rule() {
            Rule::binding => Statement::Binding(self.binding(pair)?),
            Rule::definition | Rule::py_lambda => self.definition(pair)?,
            Rule::py_chain => Statement::Binding(self.chain(pair)?),
            Rule::py_tuple => {
                let list = self.values_as_list(pair)?;
                Statement::Expression(list.expect("it has values"))
            }
            // The other rules in `py_line`.
            _ => Statement::Step(self.python_line(pair)?),
        })
    }

    /// Reads `x = y = 3`.
    fn chain(&self, pair: Pair<'_>) -> Parsed<Binding> {
        let inner = pair.into_inner();
        let value = self.expression(self.next_pair(&mut expressions(inner.clone()))?)?;
        let targets = self.targets(inner);
        self.check_different(&targets, "@name")?;
        Ok(Binding {
            is_chain: true,
            targets,
            values: vec![MeasuredExpression {
                expression: value,
                width: None,
            }],
            ..Binding::default()
        })
    }

    /// The pairs that pest finds by a rule, or the place where it stopped.
    pub(super) fn parse(&self, rule: Rule) -> Result<Pairs<'_>, u32> {
        Grammar::parse(rule, &self.plain).map_err(|error| {
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
    pub(super) fn expression(&self, pair: Pair<'_>) -> Parsed<Expression> {
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

    fn command(&self) -> Parsed<CommandLine> {
        let colon = self.region.ending_at(self.region.start + 1);
        let command = self.parse(Rule::command).ok();
        let name = command.and_then(|mut pairs| pairs.next()?.into_inner().next());
        let Some(name) = name else {
            return self.error("@command", &[("next", colon)]);
        };
        let word = self.span(&name);
        let rest = trim(self.text, self.region.starting_at(word.end));
        if !takes_words(self.region.of(self.text))
            && let Some(place) = open_bracket(rest.of(self.text))
        {
            let bracket = place.shift(rest.start);
            let row = format!("@unclosed {}", bracket.of(self.text));
            return self.error(&row, &[("next", bracket)]);
        }
        Ok(CommandLine {
            word: kept_name(word.of(self.text)),
            span: colon.to(word),
            rest,
        })
    }

    /// Reads `f(x) = x^2` or `f = lambda x: x**2` as a block of one function.
    fn definition(&self, pair: Pair<'_>) -> Parsed<Statement> {
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

    /// Reads a part of the text as an expression.
    pub(super) fn operand_at(&self, span: Span) -> Parsed<Expression> {
        let mut reader = Reader::new(self.text, span)?;
        reader.is_python = self.is_python;
        reader.lone_expression()
    }

    /// Reads the whole region as an expression.
    fn lone_expression(&self) -> Parsed<Expression> {
        let mut pairs = self.pairs(Rule::lone_expression)?;
        self.expression(self.next_pair(&mut pairs)?)
    }
}

/// The next pair, if it is of this rule.
pub(super) fn next_if<'i>(pairs: &mut Pairs<'i>, rule: Rule) -> Option<Pair<'i>> {
    pairs.peek().filter(|next| next.as_rule() == rule)?;
    pairs.next()
}

/// Whether a text is one text in three quotes, which is a comment if it is a statement of its own.
pub(super) fn is_quoted_comment(text: &str) -> bool {
    let parts = three_quotes(text).and_then(|quotes| text[quotes.len()..].split_once(quotes));
    parts.is_some_and(|(_, rest)| rest.is_empty())
}

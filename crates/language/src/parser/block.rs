//! Makes the tree of a block, which is a loop, a choice or a function with the lines below its head.
//!
//! The lexer divides the text into lines, and the grammar reads each line. The indents of the lines say which lines belong
//! together.

use std::iter::Peekable;
use std::vec::IntoIter;

use super::binding::operator_of;
use super::expression::{Parsed, Reader, expressions};
use super::python_step::called_step;
use super::statement::is_quoted_comment;
use crate::error::SyntaxError;
use crate::grammar::{Pair, Pairs, Rule};
use crate::lexer::words::strip_quotes;
use crate::lexer::{CodeLine, begins_block, begins_branch, code_lines};
use crate::limits::MAX_BLOCKS;
use crate::tree::{
    Definition, Expression, Head, Item, ItemKind, Name, Parameter, Property, Span, Statement, Step,
    StepKind,
};

/// The blocks around a line.
#[derive(Clone, Copy, Default)]
struct Surroundings {
    depth: usize,
    has_loop: bool,
    has_function: bool,
}

impl Reader<'_> {
    /// Reads the statements of a text that begins a block.
    pub(super) fn block(&self) -> Parsed<Vec<Step>> {
        let text = &self.text[..self.region.end as usize];
        let start = self.region.start as usize;
        let lines = code_lines(text, start).into_iter().peekable();
        let mut reader = BlockReader { text, lines };
        let indent = reader.lines.peek().map_or(0, |line| line.indent);
        let steps = reader.steps(indent, Surroundings::default())?;
        match reader.lines.next() {
            Some(line) => self.error("@indent", &[("next", line.span)]),
            None => Ok(steps),
        }
    }

    /// Reads a line of a block that is a whole statement.
    fn step(&self, around: Surroundings) -> Parsed<StepKind> {
        if let Ok(mut pairs) = self.parse(Rule::py_step) {
            return self.keyword_step(self.next_pair(&mut pairs)?, around);
        }
        match self.line()? {
            Statement::Binding(binding) => Ok(StepKind::Bind(binding)),
            Statement::Expression(expression) => {
                let last = expression.items.last().map(|item| item.kind);
                match last {
                    Some(ItemKind::Apply(Head::Function("zero_grad", 0), 1)) => Ok(StepKind::Zero),
                    Some(ItemKind::Apply(Head::Function("_backward", 0), 1)) => {
                        let mut node = expression;
                        node.items.pop();
                        Ok(StepKind::PassOn(node))
                    }
                    _ => called_step(self.text, &expression)
                        .unwrap_or(Ok(StepKind::Evaluate(expression))),
                }
            }
            Statement::Step(step) => Ok(step),
            Statement::Command(_) => self.error("@command in a block", &[("next", self.region)]),
            // `f(x) = x^2` is the only line that is a block.
            Statement::Block(mut steps) => Ok(steps.remove(0).kind),
            Statement::Empty => Err(SyntaxError::missing_expression(self.region)),
        }
    }

    /// `return y`, `break`, `continue`, `p.grad = 0`, `p.grad += 1`
    fn keyword_step(&self, pair: Pair<'_>, around: Surroundings) -> Parsed<StepKind> {
        let refusal = |row| self.error(row, &[("next", self.region)]);
        match pair.as_rule() {
            Rule::py_break if around.has_loop => Ok(StepKind::Break),
            Rule::py_continue if around.has_loop => Ok(StepKind::Continue),
            Rule::py_break | Rule::py_continue => refusal("@no loop"),
            Rule::py_return if !around.has_function => refusal("@no function"),
            Rule::py_return => self.values_as_list(pair).map(StepKind::Return),
            Rule::py_grad => {
                let mut inner = pair.into_inner();
                let node = self.operand_at(self.span(&self.next_pair(&mut inner)?))?;
                let Some(assign) = inner.next() else {
                    return Ok(StepKind::Grad { node, value: None });
                };
                let typed = self.expression(self.next_pair(&mut inner)?)?;
                let value = Some(match operator_of(&assign) {
                    Some(operator) => typed.compound(&grad_of(&node), operator),
                    None => typed,
                });
                Ok(StepKind::Grad { node, value })
            }
            Rule::py_item => {
                let list = self.targets(pair.clone().into_inner())[0];
                let assign = pair.clone().into_inner().find_map(|it| operator_of(&it));
                let mut inner = expressions(pair.into_inner());
                let position = self.expression(self.next_pair(&mut inner)?)?;
                let typed = self.expression(self.next_pair(&mut inner)?)?;
                let index = Item::from(ItemKind::Apply(Head::Index, 2));
                let item = || [&[list.item()], &position.items[..], &[index]].concat();
                let value = match assign {
                    Some(operator) => typed.compound(&item(), operator),
                    None => typed,
                };
                Ok(StepKind::SetItem {
                    list,
                    position,
                    value,
                })
            }
            _ => unreachable!("`py_step` has no other rules"),
        }
    }

    /// The value behind `return`, or that of a line `x, y`: several values are a list.
    pub(super) fn values_as_list(&self, pair: Pair<'_>) -> Parsed<Option<Expression>> {
        let inner = expressions(pair.into_inner()).map(|value| self.expression(value));
        let mut values = inner.collect::<Parsed<Vec<Expression>>>()?;
        if values.len() < 2 {
            return Ok(values.pop());
        }
        let span = values[0].span.to(values[values.len() - 1].span);
        let kind = ItemKind::Apply(Head::List, values.len() as u32);
        let mut items: Vec<_> = values.into_iter().flat_map(|value| value.items).collect();
        items.push(Item { kind, span });
        Ok(Some(Expression { items, span }))
    }
}

/// The items of the grad of a node.
fn grad_of(node: &Expression) -> Vec<Item<Name>> {
    let kind = ItemKind::Property(Property::Grad);
    let span = node.span;
    [&node.items[..], &[Item { kind, span }]].concat()
}

/// Whether a line is one text in quotes, like the text that describes a function in Python.
fn is_docstring(code: &str) -> bool {
    if !code.starts_with(['"', '\'']) {
        return false;
    }
    // A quote after `\` does not end the text.
    let plain = code.replace("\\'", "").replace("\\\"", "");
    is_quoted_comment(&plain) || strip_quotes(&plain).is_some()
}

/// The text of a block, and its lines that are not read yet.
struct BlockReader<'t> {
    text: &'t str,
    lines: Peekable<IntoIter<CodeLine>>,
}

impl<'t> BlockReader<'t> {
    /// Reads the next lines that have at least this indent. Refuses a line that has more.
    fn steps(&mut self, indent: usize, around: Surroundings) -> Parsed<Vec<Step>> {
        let mut steps: Vec<Step> = Vec::new();
        while let Some(line) = self.lines.next_if(|line| line.indent >= indent) {
            let code = line.span.of(self.text);
            let mut reader = Reader::new(self.text, line.span)?;
            reader.is_python = true;
            let last = steps.last().map(|step| &step.kind);
            let is_branch = matches!(last, Some(StepKind::If(_))) && begins_branch(code);
            // The prompt indents every line by its own width, so an `else` may have a larger indent than its `if`.
            if line.indent > indent && !is_branch {
                return reader.error("@indent", &[("next", line.span)]);
            }
            if code == "else" {
                return reader.error("@else", &[("next", line.span)]);
            }
            // Neither of them does anything.
            if code == "pass" || is_docstring(code) {
                continue;
            }
            let kind = if begins_block(code) {
                self.head(&reader, line, around, &mut steps)?
            } else {
                Some(reader.step(around)?)
            };
            let span = line.span;
            steps.extend(kind.map(|kind| Step { span, kind }));
        }
        Ok(steps)
    }

    /// Reads the head on `line` and the lines below it. Returns the loop, the choice or the function that begins there.
    /// Returns `None` for an `elif` or `else`, which becomes an arm of the choice at the end of `steps`.
    fn head(
        &mut self,
        reader: &Reader<'t>,
        line: CodeLine,
        around: Surroundings,
        steps: &mut [Step],
    ) -> Parsed<Option<StepKind>> {
        let pair = reader.next_pair(&mut reader.pairs(Rule::py_head)?)?;
        let rule = pair.as_rule();
        let inner = pair.into_inner();
        let expression = || reader.expression(reader.next_pair(&mut expressions(inner.clone()))?);
        let mut inside_loop = around;
        inside_loop.has_loop = true;
        Ok(Some(match rule {
            Rule::py_for => StepKind::For {
                names: reader.targets(inner.clone()),
                over: expression()?,
                body: self.body(reader, line, inside_loop)?,
            },
            Rule::py_while => StepKind::While {
                condition: expression()?,
                body: self.body(reader, line, inside_loop)?,
            },
            Rule::py_def => StepKind::Define(self.definition(reader, line, inner, around)?),
            Rule::py_branch | Rule::py_otherwise => {
                let keyword = reader.next_pair(&mut inner.clone())?;
                let condition = expressions(inner).next().map(|it| reader.expression(it));
                let arm = (condition.transpose()?, self.body(reader, line, around)?);
                match steps.last_mut().map(|step| &mut step.kind) {
                    _ if keyword.as_rule() == Rule::py_if => StepKind::If(vec![arm]),
                    // No arm follows an `else`.
                    Some(StepKind::If(arms))
                        if arms.last().is_some_and(|last| last.0.is_some()) =>
                    {
                        arms.push(arm);
                        return Ok(None);
                    }
                    _ => {
                        let parts = [("next", line.span), ("word", reader.span(&keyword))];
                        return reader.error("@no if", &parts);
                    }
                }
            }
            _ => unreachable!("`py_head` has no other rules"),
        }))
    }

    /// `def f(x, y=2):`
    fn definition(
        &mut self,
        reader: &Reader<'t>,
        line: CodeLine,
        inner: Pairs<'_>,
        around: Surroundings,
    ) -> Parsed<Definition> {
        let name = reader.targets(inner.clone())[0];
        let pairs = inner.filter(|pair| pair.as_rule() == Rule::py_parameter);
        let each = pairs.map(|pair| parameter(reader, pair));
        let parameters = each.collect::<Parsed<Vec<Parameter>>>()?;
        let targets: Vec<_> = parameters.iter().map(|it| it.target).collect();
        reader.check_different(&targets, "@parameter")?;
        let mut inside_function = around;
        // A `break` in the function cannot leave a loop around its definition.
        inside_function.has_loop = false;
        inside_function.has_function = true;
        let body = self.body(reader, line, inside_function)?;
        let start = line.span.start as usize;
        let next_line = self.lines.peek().map(|next| next.span.start as usize);
        let end = next_line.unwrap_or(self.text.len());
        let code = self.text[start..end].trim_end();
        Ok(Definition {
            name,
            parameters,
            body,
            is_formula: false,
            span: Span::new(start, start + code.len()),
        })
    }

    /// Reads the lines below a head.
    fn body(
        &mut self,
        reader: &Reader<'t>,
        head: CodeLine,
        around: Surroundings,
    ) -> Parsed<Vec<Step>> {
        let refusal = |row| reader.error(row, &[("next", head.span)]);
        let mut inside = around;
        inside.depth += 1;
        if inside.depth > MAX_BLOCKS {
            return refusal("@blocks");
        }
        match self.lines.peek().map(|line| line.indent) {
            Some(indent) if indent > head.indent => self.steps(indent, inside),
            _ => refusal("@no lines"),
        }
    }
}

/// `y=2`, `*args`
fn parameter(reader: &Reader<'_>, pair: Pair<'_>) -> Parsed<Parameter> {
    let inner = pair.into_inner();
    let first_rule = inner.peek().map(|first| first.as_rule());
    let default = expressions(inner.clone()).next();
    Ok(Parameter {
        // The names after the first one are the type of the parameter.
        target: reader.targets(inner)[0],
        default: default.map(|value| reader.expression(value)).transpose()?,
        is_rest: first_rule == Some(Rule::py_rest),
    })
}

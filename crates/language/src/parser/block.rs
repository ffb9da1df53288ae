//! Makes the tree of a block: of a loop, a choice or a function, with the lines below it.
//!
//! The lexer divides the text into lines, and the grammar reads each line. Their columns say which lines belong together.

use std::iter::Peekable;
use std::vec::IntoIter;

use super::expression::{Parsed, Reader, expressions};
use super::statement::called_step;
use crate::error::SyntaxError;
use crate::grammar::{Pair, Pairs, Rule};
use crate::lexer::{CodeLine, begins_block, begins_branch, code_lines};
use crate::limits::MAX_BLOCKS;
use crate::tree::{
    Definition, Expression, Head, Item, ItemKind, Literal, Parameter, Span, Statement, Step,
    StepKind,
};

/// The blocks around a line.
#[derive(Clone, Copy, Default)]
struct Surroundings {
    depth: usize,
    has_loop: bool,
    has_function: bool,
}

impl<'t> Reader<'t> {
    /// Reads the statements of a text that begins a block.
    pub(super) fn block(&self) -> Parsed<Vec<Step<'t>>> {
        let text = &self.text[..self.region.end as usize];
        let lines = code_lines(text, self.region.start as usize);
        let mut reader = BlockReader {
            text,
            lines: lines.into_iter().peekable(),
        };
        let indent = reader.lines.peek().map_or(0, |line| line.indent);
        let steps = reader.steps(indent, Surroundings::default())?;
        match reader.lines.next() {
            Some(line) => self.error("@indent", &[("next", line.span)]),
            None => Ok(steps),
        }
    }

    /// Reads a statement of a block that needs no lines below it.
    fn step(&self, around: Surroundings) -> Parsed<StepKind<'t>> {
        if let Ok(mut pairs) = self.parse(Rule::py_step) {
            let pair = self.next_pair(&mut pairs)?;
            return self.block_word(pair, around);
        }
        match self.line()? {
            Statement::Binding(binding) => Ok(StepKind::Bind(binding)),
            Statement::Expression(expression) => self.expression_step(expression),
            Statement::Step(step) => Ok(step),
            Statement::Command(_) => self.error("@command in a block", &[("next", self.region)]),
            // `f(x) = x^2` is the only line that is a block.
            Statement::Block(mut steps) => Ok(steps.remove(0).kind),
            Statement::Empty => Err(SyntaxError::missing_expression(self.region)),
        }
    }

    /// The step that an expression alone on its line stands for.
    fn expression_step(&self, expression: Expression<'t>) -> Parsed<StepKind<'t>> {
        let last = expression.items.last().map(|item| item.kind);
        if let Some(ItemKind::Apply(Head::Function("zero_grad", 0), 1)) = last {
            return Ok(StepKind::Zero(None));
        }
        match called_step(self.text, &expression) {
            Some(step) => step,
            None => Ok(StepKind::Evaluate(expression)),
        }
    }

    /// `return y`, `break`, `continue`, `p.grad = 0`
    fn block_word(&self, pair: Pair<'_>, around: Surroundings) -> Parsed<StepKind<'t>> {
        let refusal = |row| self.error(row, &[("next", self.region)]);
        match pair.as_rule() {
            Rule::py_break if around.has_loop => Ok(StepKind::Break),
            Rule::py_continue if around.has_loop => Ok(StepKind::Continue),
            Rule::py_break | Rule::py_continue => refusal("@no loop"),
            Rule::py_return if !around.has_function => refusal("@no function"),
            Rule::py_return => self.returned_value(pair).map(StepKind::Return),
            _ => {
                let mut inner = pair.into_inner();
                let node = self.span(&self.next_pair(&mut inner)?);
                let value = inner.next().map(|value| self.expression(value));
                match value.transpose()? {
                    Some(value) if !is_zero(&value) => refusal("@grad"),
                    _ => Ok(StepKind::Zero(Some(self.operand_at(node)?))),
                }
            }
        }
    }

    /// The value that `return` gives back: several values are a list.
    fn returned_value(&self, pair: Pair<'_>) -> Parsed<Option<Expression<'t>>> {
        let inner = expressions(pair.into_inner()).map(|value| self.expression(value));
        let mut values = inner.collect::<Parsed<Vec<Expression>>>()?;
        if values.len() < 2 {
            return Ok(values.pop());
        }
        let span = values[0].span.to(values[values.len() - 1].span);
        let list = Item {
            kind: ItemKind::Apply(Head::List, values.len() as u32),
            span,
        };
        let mut items: Vec<_> = values.into_iter().flat_map(|value| value.items).collect();
        items.push(list);
        Ok(Some(Expression { items, span }))
    }
}

/// Whether an expression is the literal 0.
fn is_zero(expression: &Expression<'_>) -> bool {
    match expression.items[..] {
        [only] => matches!(only.kind, ItemKind::Number(Literal { value: 0.0, .. })),
        _ => false,
    }
}

/// Reads the lines of a block.
struct BlockReader<'t> {
    text: &'t str,
    lines: Peekable<IntoIter<CodeLine>>,
}

impl<'t> BlockReader<'t> {
    /// Reads the lines that have this indent.
    fn steps(&mut self, indent: usize, around: Surroundings) -> Parsed<Vec<Step<'t>>> {
        let mut steps: Vec<Step<'t>> = Vec::new();
        while let Some(line) = self.lines.next_if(|line| line.indent >= indent) {
            let code = line.span.of(self.text);
            let reader = Reader {
                is_python: true,
                ..Reader::new(self.text, line.span)?
            };
            let last = steps.last().map(|step| &step.kind);
            let is_branch = matches!(last, Some(StepKind::If(_))) && begins_branch(code);
            if line.indent > indent && !is_branch {
                return reader.error("@indent", &[("next", line.span)]);
            }
            // A text in quotes, alone on its line, is a comment.
            if code == "pass" || code.starts_with(['"', '\'']) {
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

    /// Reads a loop, a choice or a function. A branch is added to the choice before it.
    fn head(
        &mut self,
        reader: &Reader<'t>,
        line: CodeLine,
        around: Surroundings,
        steps: &mut [Step<'t>],
    ) -> Parsed<Option<StepKind<'t>>> {
        let pair = reader.next_pair(&mut reader.pairs(Rule::py_head)?)?;
        let rule = pair.as_rule();
        let inner = pair.into_inner();
        let expression = || reader.expression(reader.next_pair(&mut expressions(inner.clone()))?);
        let around_body = Surroundings {
            has_loop: true,
            ..around
        };
        let arm = match rule {
            Rule::py_for => {
                return Ok(Some(StepKind::For {
                    names: reader.targets(inner.clone()),
                    over: expression()?,
                    body: self.body(reader, line, around_body)?,
                }));
            }
            Rule::py_while => {
                return Ok(Some(StepKind::While {
                    condition: expression()?,
                    body: self.body(reader, line, around_body)?,
                }));
            }
            Rule::py_def => {
                let definition = self.definition(reader, line, inner, around)?;
                return Ok(Some(StepKind::Define(definition)));
            }
            Rule::py_otherwise => (None, self.body(reader, line, around)?),
            _ => (Some(expression()?), self.body(reader, line, around)?),
        };
        let word = reader.next_pair(&mut inner.clone())?;
        if word.as_rule() == Rule::py_if {
            return Ok(Some(StepKind::If(vec![arm])));
        }
        match steps.last_mut().map(|step| &mut step.kind) {
            // An `else` ends a choice.
            Some(StepKind::If(arms)) if arms.last().is_some_and(|last| last.0.is_some()) => {
                arms.push(arm);
                Ok(None)
            }
            _ => {
                let parts = [("next", line.span), ("word", reader.span(&word))];
                reader.error("@no if", &parts)
            }
        }
    }

    /// `def f(x, y=2):`
    fn definition(
        &mut self,
        reader: &Reader<'t>,
        line: CodeLine,
        inner: Pairs<'_>,
        around: Surroundings,
    ) -> Parsed<Definition<'t>> {
        let name = reader.targets(inner.clone())[0];
        let pairs = inner.filter(|pair| pair.as_rule() == Rule::py_parameter);
        let each = pairs.map(|pair| parameter(reader, pair));
        let parameters = each.collect::<Parsed<Vec<Parameter>>>()?;
        let targets: Vec<_> = parameters.iter().map(|it| it.target).collect();
        reader.check_different(&targets, "@parameter")?;
        let around_body = Surroundings {
            has_loop: false,
            has_function: true,
            ..around
        };
        let body = self.body(reader, line, around_body)?;
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
    ) -> Parsed<Vec<Step<'t>>> {
        let refusal = |row| reader.error(row, &[("next", head.span)]);
        let inside = Surroundings {
            depth: around.depth + 1,
            ..around
        };
        match self.lines.peek().map(|line| line.indent) {
            _ if inside.depth > MAX_BLOCKS => refusal("@blocks"),
            Some(indent) if indent > head.indent => self.steps(indent, inside),
            _ => refusal("@no lines"),
        }
    }
}

/// `y=2`, `*args`
fn parameter<'t>(reader: &Reader<'t>, pair: Pair<'_>) -> Parsed<Parameter<'t>> {
    let inner = pair.into_inner();
    let first_rule = inner.peek().map(|first| first.as_rule());
    let default = expressions(inner.clone()).next();
    Ok(Parameter {
        // The names after it are its type.
        target: reader.targets(inner)[0],
        default: default.map(|value| reader.expression(value)).transpose()?,
        is_rest: first_rule == Some(Rule::py_rest),
    })
}

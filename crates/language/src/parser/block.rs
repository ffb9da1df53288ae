//! Makes the tree of a block: of a loop, a choice or a function, with the lines below it.
//!
//! The lexer divides the text into lines, of which each is read by the grammar. Their columns say which belong together.

use std::iter::Peekable;
use std::vec::IntoIter;

use pest::iterators::{Pair, Pairs};

use super::expression::{Done, Reader, expressions};
use super::statement::called_step;
use crate::error::SyntaxError;
use crate::grammar::Rule;
use crate::lexer::{CodeLine, begins_block, begins_branch, code_lines};
use crate::limits::MAX_BLOCKS;
use crate::tree::{
    Definition, Expression, Head, Item, ItemKind, Literal, Parameter, Span, Statement, Step,
    StepKind,
};

/// What stands around a line.
#[derive(Clone, Copy, Default)]
struct Surroundings {
    depth: usize,
    in_loop: bool,
    in_function: bool,
}

impl<'t> Reader<'t> {
    /// The statements of a text that begins a block.
    pub(super) fn block(&self) -> Done<Vec<Step<'t>>> {
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

    /// A statement of a block that no line of its own needs below it.
    fn step(&self, around: Surroundings) -> Done<StepKind<'t>> {
        if let Ok(mut pairs) = self.parse(Rule::py_step) {
            let pair = self.next_pair(&mut pairs)?;
            return self.block_word(pair, around);
        }
        Ok(match self.line()? {
            Statement::Binding(binding) => StepKind::Bind(binding),
            Statement::Expression(expression) => match expression.items.last().map(|it| it.kind) {
                Some(ItemKind::Apply(Head::Function("zero_grad", 0), 1)) => StepKind::Zero(None),
                _ => match called_step(self.text, &expression) {
                    Some(step) => step?,
                    None => StepKind::Evaluate(expression),
                },
            },
            Statement::Step(step) => step,
            Statement::Command(_) => {
                return self.error("@command in a block", &[("next", self.region)]);
            }
            // A line is no block but `f(x) = x^2`.
            Statement::Block(steps) => match steps.into_iter().next() {
                Some(step) => step.kind,
                None => return Err(SyntaxError::missing_expression(self.region)),
            },
            Statement::Empty => return Err(SyntaxError::missing_expression(self.region)),
        })
    }

    /// `return y`, `break`, `continue`, `p.grad = 0`
    fn block_word(&self, pair: Pair<'_, Rule>, around: Surroundings) -> Done<StepKind<'t>> {
        let refused = |row| self.error(row, &[("next", self.region)]);
        match pair.as_rule() {
            Rule::py_break if around.in_loop => Ok(StepKind::Break),
            Rule::py_continue if around.in_loop => Ok(StepKind::Continue),
            Rule::py_break | Rule::py_continue => refused("@no loop"),
            Rule::py_return if !around.in_function => refused("@no function"),
            Rule::py_return => {
                let values = expressions(pair.into_inner()).map(|pair| self.expression(pair));
                let mut values = values.collect::<Done<Vec<Expression>>>()?;
                if values.len() < 2 {
                    return Ok(StepKind::Return(values.pop()));
                }
                let span = values[0].span.to(values[values.len() - 1].span);
                let kind = ItemKind::Apply(Head::List, values.len() as u32);
                let items = values.into_iter().flat_map(|value| value.items);
                let items = items.chain([Item { kind, span }]).collect();
                Ok(StepKind::Return(Some(Expression { items, span })))
            }
            _ => {
                let mut inner = pair.into_inner();
                let node = self.span(&self.next_pair(&mut inner)?);
                let value = inner.next().map(|value| self.expression(value));
                let is_zero = |value: &Expression| match value.items[..] {
                    [only] => matches!(only.kind, ItemKind::Number(Literal { value: 0.0, .. })),
                    _ => false,
                };
                match value.transpose()? {
                    Some(value) if !is_zero(&value) => refused("@grad"),
                    _ => Ok(StepKind::Zero(Some(self.operand_at(node)?))),
                }
            }
        }
    }
}

struct BlockReader<'t> {
    text: &'t str,
    lines: Peekable<IntoIter<CodeLine>>,
}

impl<'t> BlockReader<'t> {
    /// Reads the lines that have this indent.
    fn steps(&mut self, indent: usize, around: Surroundings) -> Done<Vec<Step<'t>>> {
        let mut steps: Vec<Step<'t>> = Vec::new();
        while let Some(line) = self.lines.next_if(|line| line.indent >= indent) {
            let code = line.span.of(self.text);
            let reader = Reader::new(self.text, line.span, true)?;
            let last = steps.last().map(|step| &step.kind);
            let is_branch = matches!(last, Some(StepKind::If(_))) && begins_branch(code);
            if line.indent > indent && !is_branch {
                return reader.error("@indent", &[("next", line.span)]);
            }
            // A text that stands alone is a comment.
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
    ) -> Done<Option<StepKind<'t>>> {
        let pair = reader.next_pair(&mut reader.pairs(Rule::py_head)?)?;
        let rule = pair.as_rule();
        let inner = pair.into_inner();
        let expression = || reader.expression(reader.next_pair(&mut expressions(inner.clone()))?);
        let in_loop = Surroundings {
            in_loop: true,
            ..around
        };
        let arm = match rule {
            Rule::py_for => {
                return Ok(Some(StepKind::For {
                    names: reader.targets(inner.clone()),
                    over: expression()?,
                    body: self.body(reader, line, in_loop)?,
                }));
            }
            Rule::py_while => {
                return Ok(Some(StepKind::While {
                    condition: expression()?,
                    body: self.body(reader, line, in_loop)?,
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
            Some(StepKind::If(arms)) if arms.last().is_some_and(|arm| arm.0.is_some()) => {
                arms.push(arm);
                Ok(None)
            }
            _ => reader.error(
                "@no if",
                &[("next", line.span), ("word", reader.span(&word))],
            ),
        }
    }

    /// `def f(x, y=2):`
    fn definition(
        &mut self,
        reader: &Reader<'t>,
        line: CodeLine,
        inner: Pairs<'_, Rule>,
        around: Surroundings,
    ) -> Done<Definition<'t>> {
        let name = reader.targets(inner.clone())[0];
        let parameters = inner.filter(|pair| pair.as_rule() == Rule::py_parameter);
        let parameters = parameters.map(|pair| {
            let inner = pair.into_inner();
            let first = inner.peek().map(|first| first.as_rule());
            let default = expressions(inner.clone()).next();
            Ok(Parameter {
                // The names after it are its type.
                target: reader.targets(inner)[0],
                default: default.map(|pair| reader.expression(pair)).transpose()?,
                is_rest: first == Some(Rule::py_rest),
            })
        });
        let parameters = parameters.collect::<Done<Vec<Parameter>>>()?;
        let targets: Vec<_> = parameters.iter().map(|it| it.target).collect();
        reader.check_different(&targets, "@parameter")?;
        let inside = Surroundings {
            in_loop: false,
            in_function: true,
            ..around
        };
        let body = self.body(reader, line, inside)?;
        let next = self.lines.peek().map(|next| next.span.start as usize);
        let start = line.span.start as usize;
        let code = self.text[start..next.unwrap_or(self.text.len())].trim_end();
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
    ) -> Done<Vec<Step<'t>>> {
        let refused = |row| reader.error(row, &[("next", head.span)]);
        let around = Surroundings {
            depth: around.depth + 1,
            ..around
        };
        match self.lines.peek().map(|line| line.indent) {
            _ if around.depth > MAX_BLOCKS => refused("@blocks"),
            Some(indent) if indent > head.indent => self.steps(indent, around),
            _ => refused("@no lines"),
        }
    }
}

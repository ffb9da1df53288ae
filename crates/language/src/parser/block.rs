//! Makes the tree of a block: of a loop, a choice or a function, with the lines below it.
//!
//! The lexer divides the text into lines, of which each is read by the grammar. Their columns say which belong together.

use std::iter::Peekable;
use std::vec::IntoIter;

use pest::iterators::{Pair, Pairs};

use super::expression::Reader;
use super::statement::called_step;
use crate::error::SyntaxError;
use crate::grammar::Rule;
use crate::lexer::{CodeLine, begins_definition, code_lines, head_end};
use crate::limits::MAX_BLOCKS;
use crate::tree::{
    Expression, Head, Item, ItemKind, Literal, Parameter, Procedure, Span, Statement, Step,
    StepKind,
};

type Done<T> = Result<T, SyntaxError>;

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
        reader
            .lines
            .next()
            .map_or(Ok(steps), |line| Err(indent_error(line)))
    }

    /// A statement of a block that no line of its own needs below it.
    fn step(&self, around: Surroundings) -> Done<StepKind<'t>> {
        if let Ok(mut pairs) = self.parse(Rule::py_step) {
            let pair = self.next_pair(&mut pairs)?;
            return self.block_word(pair, around);
        }
        Ok(match self.line()? {
            Statement::Binding(mut binding) => {
                binding.resolve_compound();
                StepKind::Bind(binding)
            }
            Statement::Definition(definition) => StepKind::Define(definition),
            Statement::Expression(expression) => match expression.items.last().map(|it| it.kind) {
                Some(ItemKind::Apply(Head::Function("zero_grad", 0), 1)) => StepKind::Zero(None),
                _ => match called_step(self.text, &expression) {
                    Some(step) => step?,
                    None => StepKind::Evaluate(expression),
                },
            },
            Statement::Step(step) => step,
            Statement::Command(_) => {
                let help = "type it by itself, before or after the block";
                return Err(SyntaxError::new(
                    self.region,
                    "a block has no commands",
                    help,
                ));
            }
            Statement::Empty | Statement::Block(_) => {
                return Err(SyntaxError::missing_expression(self.region));
            }
        })
    }

    /// `return y`, `break`, `continue`, `p.grad = 0`
    fn block_word(&self, pair: Pair<'_, Rule>, around: Surroundings) -> Done<StepKind<'t>> {
        let refused = |message: &str, help: &str| Err(SyntaxError::new(self.region, message, help));
        match pair.as_rule() {
            Rule::py_break if around.in_loop => Ok(StepKind::Break),
            Rule::py_continue if around.in_loop => Ok(StepKind::Continue),
            Rule::py_break | Rule::py_continue => {
                refused("there is no loop around this line", "leave it out")
            }
            Rule::py_return if !around.in_function => {
                let help = "only a function that `def` begins returns something";
                refused("there is no function around this `return`", help)
            }
            Rule::py_return => {
                let pairs = pair
                    .into_inner()
                    .filter(|pair| pair.as_rule() == Rule::expression);
                let values: Done<Vec<Expression>> =
                    pairs.map(|pair| self.expression(pair)).collect();
                let mut values = values?;
                if values.len() < 2 {
                    return Ok(StepKind::Return(values.pop()));
                }
                let span = values[0].span.to(values[values.len() - 1].span);
                let list = ItemKind::Apply(Head::List, values.len() as u32);
                let mut items: Vec<Item> =
                    values.into_iter().flat_map(|value| value.items).collect();
                items.push(Item { kind: list, span });
                Ok(StepKind::Return(Some(Expression { items, span })))
            }
            _ => {
                let mut inner = pair.into_inner();
                let node = self.next_pair(&mut inner)?;
                let value = inner
                    .next()
                    .map(|value| self.expression(value))
                    .transpose()?;
                let is_zero = |value: &Expression| {
                    let kind = value.items[0].kind;
                    value.items.len() == 1
                        && matches!(kind, ItemKind::Number(Literal { value: 0.0, .. }))
                };
                if !value.as_ref().is_none_or(is_zero) {
                    let help = "a block sets gradients to 0: `p.grad = 0`; a pass gives the others";
                    return refused("a gradient cannot be set to this", help);
                }
                Ok(StepKind::Zero(Some(self.operand_at(self.span(&node))?)))
            }
        }
    }
}

fn indent_error(line: CodeLine) -> SyntaxError {
    let message = "this line is indented neither as the one above it nor as one before";
    let help = "the lines of a block begin in the same column";
    SyntaxError::new(line.span, message, help)
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
            if line.indent > indent {
                return Err(indent_error(line));
            }
            // A text that stands alone is a comment.
            if code == "pass" || code.starts_with(['"', '\'']) {
                continue;
            }
            let is_head = head_end(code).is_some() || begins_definition(code);
            let reader = Reader::new(self.text, line.span, true)?;
            let kind = if is_head {
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
        let mut inner = pair.into_inner();
        let in_loop = Surroundings {
            in_loop: true,
            ..around
        };
        Ok(Some(match rule {
            Rule::py_for => {
                let names = |pair: &Pair<'_, Rule>| pair.as_rule() == Rule::name;
                inner.next();
                let mut targets = Vec::with_capacity(1);
                while let Some(name) = inner.peek().filter(names) {
                    targets.push(reader.target(&name));
                    inner.next();
                }
                inner.next();
                StepKind::For {
                    names: targets,
                    over: reader.expression(reader.next_pair(&mut inner)?)?,
                    body: self.body(line, in_loop)?,
                }
            }
            Rule::py_while => {
                inner.next();
                StepKind::While {
                    condition: reader.expression(reader.next_pair(&mut inner)?)?,
                    body: self.body(line, in_loop)?,
                }
            }
            Rule::py_def => StepKind::Function(self.procedure(reader, line, inner, around)?),
            _ => {
                let word = reader.next_pair(&mut inner)?;
                let arm = (
                    inner
                        .next()
                        .map(|pair| reader.expression(pair))
                        .transpose()?,
                    self.body(line, around)?,
                );
                if word.as_rule() == Rule::py_if {
                    return Ok(Some(StepKind::If(vec![arm])));
                }
                match steps.last_mut().map(|step| &mut step.kind) {
                    Some(StepKind::If(arms)) if arms.last().is_some_and(|arm| arm.0.is_some()) => {
                        arms.push(arm);
                        return Ok(None);
                    }
                    _ => {
                        let word = word.as_str();
                        let message = format!("there is no `if` above this `{word}`");
                        let help = "put `if` before it; a loop has none: set a name before `break`, as in `found = 1`, and ask it after the loop, `if found == 0:`";
                        return Err(SyntaxError::new(line.span, message, help));
                    }
                }
            }
        }))
    }

    /// `def f(x, y=2):`
    fn procedure(
        &mut self,
        reader: &Reader<'t>,
        line: CodeLine,
        inner: Pairs<'_, Rule>,
        around: Surroundings,
    ) -> Done<Procedure<'t>> {
        let mut name = None;
        let mut parameters = Vec::new();
        for pair in inner {
            match pair.as_rule() {
                Rule::name if name.is_none() => name = Some(reader.target(&pair)),
                Rule::py_parameter => {
                    let mut inner = pair.into_inner();
                    let first = inner.peek().map(|first| first.as_rule());
                    let is_rest = first == Some(Rule::py_rest);
                    if is_rest {
                        inner.next();
                    }
                    let target = reader.target(&reader.next_pair(&mut inner)?);
                    let default = inner.find(|pair| pair.as_rule() == Rule::expression);
                    let default = default.map(|pair| reader.expression(pair)).transpose()?;
                    parameters.push(Parameter {
                        target,
                        default,
                        is_rest,
                    });
                }
                _ => {}
            }
        }
        let name = name.ok_or_else(|| SyntaxError::missing_expression(line.span))?;
        let targets: Vec<_> = parameters.iter().map(|it| it.target).collect();
        reader.check_different(&targets, "@parameter")?;
        let body = self.body(
            line,
            Surroundings {
                in_loop: false,
                in_function: true,
                ..around
            },
        )?;
        let end = self
            .lines
            .peek()
            .map_or(self.text.len(), |next| next.span.start as usize);
        let start = line.span.start as usize;
        let span = Span::new(start, start + self.text[start..end].trim_end().len());
        Ok(Procedure {
            name,
            parameters,
            body,
            span,
        })
    }

    /// Reads the lines below a head.
    fn body(&mut self, head: CodeLine, around: Surroundings) -> Done<Vec<Step<'t>>> {
        if around.depth >= MAX_BLOCKS {
            let message = format!("blocks are nested more than {MAX_BLOCKS} deep");
            let help = "define a function for the inner ones";
            return Err(SyntaxError::new(head.span, message, help));
        }
        let around = Surroundings {
            depth: around.depth + 1,
            ..around
        };
        match self.lines.peek().map(|line| line.indent) {
            Some(indent) if indent > head.indent => self.steps(indent, around),
            _ => {
                let line = format!("{} print(1)", head.span.quote(self.text));
                let help = format!("indent its lines below it, or write one after it: `{line}`");
                Err(SyntaxError::new(
                    head.span,
                    "nothing stands below this line",
                    help,
                ))
            }
        }
    }
}

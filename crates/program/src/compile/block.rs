//! Compiles blocks: the statements of loops and choices, and functions of several lines.
//!
//! In a function, parameters and assigned names are slots of the call's frame. Functions that are defined inside see
//! these slots, too. Every other name is a name of the session and is looked up when the code runs.

use std::rc::Rc;

use super::compiler::{CodeKind, Compiler, LoopPlaces, UNAIMED};
use super::lower::only_name;
use crate::environment::Environment;
use crate::error::{Error, fail};
use crate::functions::{Act, AnyValue, Branches, Code, Instruction, is_built_in};
use crate::names::check_reserved;
use chainrule_engine::graph::Spelling;
use chainrule_language::{
    Binding, BindingTarget, Expression, Head, ItemKind, Span, Step, StepKind,
};

/// Compiles a block, a single definition, or a line outside of blocks.
pub fn block(
    session: &mut dyn Environment,
    text: &str,
    steps: &[Step],
    is_line: bool,
) -> Result<Vec<Instruction>, Error> {
    let alone = match steps {
        [only] => Some(&only.kind),
        _ => None,
    };
    let kind = match alone {
        Some(StepKind::Define(it)) if it.is_formula => CodeKind::Formula,
        _ if is_line => CodeKind::Statement,
        _ => CodeKind::Block,
    };
    let mut compiler = Compiler::new(session, text, kind);
    compiler.is_definition = matches!(alone, Some(StepKind::Define(_)));
    compiler.steps(steps)?;
    Ok(compiler.code)
}

impl Compiler<'_, '_> {
    pub(super) fn steps(&mut self, steps: &[Step]) -> Result<(), Error> {
        let (count, values) = returned_choice(steps);
        steps[..count].iter().try_for_each(|step| self.step(step))?;
        if let Some(first) = steps.get(count) {
            self.push(Code::Begin, first.span);
            self.return_choice(&values, first.span)?;
            self.push(Code::Return, first.span);
        }
        Ok(())
    }

    /// Compiles the choice between values, the last one first: `y if c else z`.
    fn return_choice(&mut self, values: &[ReturnedValue<'_>], span: Span) -> Result<(), Error> {
        let mut choices = Vec::new();
        for (condition, value) in values.iter().rev() {
            let Some(typed) = condition else {
                self.expression(&value.items)?;
                break;
            };
            self.expression(&typed.items)?;
            let then = self.push_jump(Code::Then(Branches::default()), typed.span);
            self.expression(&value.items)?;
            choices.push((then, self.push_jump(Code::Else(0), value.span)));
        }
        for (then, or_else) in choices.into_iter().rev() {
            self.end_choice(then, or_else, span);
        }
        Ok(())
    }

    fn step(&mut self, step: &Step) -> Result<(), Error> {
        let span = step.span;
        self.push(Code::Begin, span);
        match &step.kind {
            StepKind::Bind(binding) => self.bind(binding, span)?,
            StepKind::Evaluate(expression) => self.evaluate(expression)?,
            StepKind::Label { node, label } => {
                self.expression(&node.items)?;
                self.push(Code::Label((*label).into()), node.span);
                self.push(Code::Drop, span);
            }
            StepKind::Data { leaf, value } => self.set_data(leaf, value)?,
            StepKind::ChangeList {
                list,
                items,
                change,
            } => {
                self.expression(&items.items)?;
                let code = match self.find_slot(list.name) {
                    None => Code::Act(Act::ChangeList(list.name.into(), *change).into()),
                    Some(slot) => Code::ChangeList(slot, *change),
                };
                self.push(code, list.span);
            }
            StepKind::SetItem {
                list,
                position,
                value,
            } => {
                self.expression(&position.items)?;
                self.expression(&value.items)?;
                self.push(Code::SetItem(self.target(list.name)), list.span);
            }
            StepKind::Zero => self.push(Code::Act(Act::Zero.into()), span),
            StepKind::Grad { node, value } => {
                self.expression(&node.items)?;
                match value {
                    Some(typed) => self.expression(&typed.items)?,
                    None => self.push(Code::Number(0.0, Spelling::Plain), span),
                }
                self.push(Code::Act(Act::Grad.into()), span);
            }
            StepKind::PassOn(node) => {
                self.expression(&node.items)?;
                self.push(Code::Act(Act::PassOn.into()), span);
            }
            StepKind::Backward(root) => {
                self.expression(&root.items)?;
                let act = Act::Backward(span.of(self.text).into());
                self.push(Code::Act(act.into()), span);
            }
            StepKind::Print { printing, values } => {
                for value in values {
                    self.expression(&value.items)?;
                }
                self.push(Code::Print(Rc::clone(printing)), span);
            }
            StepKind::Return(value) => {
                match value {
                    Some(typed) => self.expression(&typed.items)?,
                    None => self.push(Code::Value(AnyValue::None), span),
                }
                self.push(Code::Return, span);
            }
            StepKind::Break => {
                let jump = self.push_jump(Code::Jump(UNAIMED), span);
                let places = self.loops.last_mut();
                places.expect("it is in a loop").ends.push(jump);
            }
            StepKind::Continue => {
                let head = self.loops.last().expect("it is in a loop").head;
                self.push(Code::Jump(head), span);
            }
            StepKind::For { names, over, body } => self.loop_over(names, over, body)?,
            StepKind::While { condition, body } => self.loop_while(condition, body, span)?,
            StepKind::If(arms) => self.choose(arms, span)?,
            StepKind::Define(definition) => self.define(definition)?,
        }
        Ok(())
    }

    /// Compiles `p.data = 3`.
    fn set_data(&mut self, leaf: &Expression, value: &Expression) -> Result<(), Error> {
        self.expression(&leaf.items)?;
        self.expression(&value.items)?;
        // `for p in xs: p.data = 3` moves all leaves of `xs`, and the act names the list.
        let mut lists = self.loops.iter().rev().filter_map(|it| it.over.as_ref());
        let name = only_name(&leaf.items);
        let around = name.and_then(|name| lists.find(|(variable, _)| **variable == *name));
        let over = around.map(|(_, over)| Rc::clone(over));
        self.push(Code::Act(Act::Data(over).into()), leaf.span);
        Ok(())
    }

    /// Compiles `while c:`.
    fn loop_while(
        &mut self,
        condition: &Expression,
        body: &[Step],
        span: Span,
    ) -> Result<(), Error> {
        self.push(Code::While, span);
        let head = self.code.len();
        let exit = self.condition(condition)?;
        self.push(Code::Round, span);
        self.repeat(head, exit, None, body)
    }

    /// Compiles `if c:`, `elif d:` and `else:`.
    fn choose(
        &mut self,
        arms: &[(Option<Expression>, Vec<Step>)],
        span: Span,
    ) -> Result<(), Error> {
        let mut ends = Vec::new();
        for (condition, body) in arms {
            let typed = condition.as_ref();
            let jump = typed.map(|it| self.condition(it)).transpose()?;
            self.steps(body)?;
            ends.push(self.push_jump(Code::Jump(UNAIMED), span));
            if let Some(jump) = jump {
                self.aim(jump);
            }
        }
        for end in ends {
            self.aim(end);
        }
        Ok(())
    }

    /// Compiles `a, b = 1, 2`.
    fn bind(&mut self, binding: &Binding, span: Span) -> Result<(), Error> {
        check_plain(binding)?;
        if self.scopes.is_empty() {
            check_reserved(&binding.targets)?;
        }
        self.values(binding)?;
        let targets = binding.targets.iter().map(|it| self.target(it.name));
        let bind = Code::Bind(targets.collect());
        self.push(bind, span);
        Ok(())
    }

    /// Compiles a call and drops its value. Refuses any other expression, because a block shows no values.
    fn evaluate(&mut self, expression: &Expression) -> Result<(), Error> {
        let last = expression.items.last().map(|item| item.kind);
        let may_act = |name| self.is_own_function(name) || !is_built_in(name);
        if !matches!(last, Some(ItemKind::Apply(Head::Function(name, 0), _)) if may_act(name)) {
            let text = expression.span.of(self.text);
            let message = "a value that stands alone in a block is not shown";
            let help = format!("`… print({text})` shows it, and `… y = {text}` gives it a name");
            return Err(fail(expression.span, message, help));
        }
        self.expression(&expression.items)?;
        self.push(Code::Drop, expression.span);
        Ok(())
    }

    /// Compiles a condition. Returns the jump that a false condition takes.
    fn condition(&mut self, condition: &Expression) -> Result<usize, Error> {
        self.expression(&condition.items)?;
        Ok(self.push_jump(Code::JumpUnless(UNAIMED), condition.span))
    }

    /// Compiles `for x, y in zip(xs, ys):`.
    fn loop_over(
        &mut self,
        names: &[BindingTarget],
        over: &Expression,
        body: &[Step],
    ) -> Result<(), Error> {
        self.expression(&over.items)?;
        self.push(Code::Loop, over.span);
        let targets = names.iter().map(|name| self.target(name.name)).collect();
        let head = self.push_jump(Code::Next(UNAIMED), over.span);
        self.push(Code::BindItem(targets), over.span);
        let variable = match names {
            [only] => Some((only.name.into(), over.span.of(self.text).into())),
            _ => None,
        };
        // The `Next` at the head is also the jump after the last round.
        self.repeat(head, head, variable, body)
    }

    /// Compiles the body of a loop, the jump back to the first instruction of a round, `head`, and the end of the loop,
    /// to which the jump `exit` leads.
    fn repeat(
        &mut self,
        head: usize,
        exit: usize,
        over: Option<(Rc<str>, Rc<str>)>,
        body: &[Step],
    ) -> Result<(), Error> {
        let ends = vec![exit];
        self.loops.push(LoopPlaces { head, ends, over });
        self.steps(body)?;
        let span = self.code[head].span;
        self.push(Code::Jump(head), span);
        let ended = self.loops.pop().expect("it is in a loop");
        let jumps = ended.ends.into_iter();
        jumps.for_each(|jump| self.aim(jump));
        self.push(Code::EndLoop, span);
        Ok(())
    }
}

/// Refuses a binding with an uncertainty, a heading or a range: in a block, each round would make another one.
fn check_plain(binding: &Binding) -> Result<(), Error> {
    let mut widths = binding
        .values
        .iter()
        .filter_map(|it| Some(it.width.as_ref()?.span));
    let mut headings = binding.targets.iter().filter_map(|it| it.heading);
    let (place, message) = if let Some(width) = widths.next() {
        (
            width,
            "each call or round would make another uncertain leaf",
        )
    } else if let Some(heading) = headings.next() {
        (
            heading,
            "a list gets its heading outside of blocks and functions",
        )
    } else if let Some(bounds) = &binding.bounds {
        (
            bounds.span,
            "each call or round would make another leaf with a range",
        )
    } else {
        return Ok(());
    };
    let help = "bind it in a statement of its own, before the block";
    Err(fail(place, message, help))
}

/// A value that a step returns, and the condition for it; `return z` has none.
type ReturnedValue<'s> = (Option<&'s Expression>, &'s Expression);

/// The values that a step returns, the last one first. None if the step may do anything else.
fn returned_values<'s>(step: &'s Step) -> Option<Vec<ReturnedValue<'s>>> {
    let returned = |body: &'s [Step]| match body.first().map(|first| &first.kind) {
        Some(StepKind::Return(value)) => value.as_ref(),
        _ => None,
    };
    match &step.kind {
        StepKind::If(arms) => {
            let values = arms.iter().rev();
            let value = |(c, body): &'s (_, Vec<_>)| Some((Option::as_ref(c), returned(body)?));
            values.map(value).collect()
        }
        _ => Some(vec![(None, returned(std::slice::from_ref(step))?)]),
    }
}

/// The values of the last steps, the last one first, if these only choose between values and return one: `if c: return y`
/// and `return z` are `y if c else z`. Also returns the number of the steps before.
fn returned_choice(steps: &[Step]) -> (usize, Vec<ReturnedValue<'_>>) {
    let mut count = steps.len();
    let mut values = Vec::new();
    while count > 0
        && let Some(more) = returned_values(&steps[count - 1])
        // Only the last value has no condition.
        && more[0].0.is_none() == values.is_empty()
    {
        values.extend(more);
        count -= 1;
    }
    if values.len() < 2 {
        return (steps.len(), Vec::new());
    }
    (count, values)
}

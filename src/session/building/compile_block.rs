//! Compiles blocks: the statements of loops and choices, and functions of several lines.
//!
//! In a function, parameters and the names that its lines assign are slots of the call's frame; a function in it sees
//! them. All other names are those of the session, which are looked up when the code runs.

use std::borrow::Cow;
use std::rc::Rc;

use super::bind::check_reserved;
use super::compile::{CodeKind, Compiler};
use crate::session::Session;
use crate::session::error::{Error, fail};
use crate::session::functions::{Act, Code, Instruction, is_built_in};
use crate::session::values::CodeWord;
use chainrule_language::{
    Binding, BindingTarget, Expression, Head, ItemKind, Span, Step, StepKind,
};

/// The jumps of a loop that is compiled.
pub(super) struct LoopPlaces {
    /// Where a round begins.
    head: usize,
    /// The jumps to its end.
    ends: Vec<usize>,
    /// Its variable, if it has only one, and what was typed for its list.
    over: Option<(Rc<str>, Rc<str>)>,
}

/// Compiles the statements of a block.
pub(super) struct BlockCompiler<'s, 't> {
    pub(super) inside: Compiler<'s, 't, 'static>,
    pub(super) loops: Vec<LoopPlaces>,
    /// Whether the text is the definition of one function, which may be a formula.
    pub(super) defines: bool,
}

impl Session {
    /// Compiles a block, a definition that stands alone, or a line outside of blocks.
    pub(crate) fn compile_block<'t>(
        &mut self,
        text: &'t str,
        steps: &[Step<'t>],
        is_line: bool,
    ) -> Result<Vec<Instruction<'static>>, Error> {
        let alone = match steps {
            [only] => Some(&only.kind),
            _ => None,
        };
        let kind = match alone {
            Some(StepKind::Define(it)) if it.is_formula => CodeKind::Formula,
            _ if is_line => CodeKind::Statement,
            _ => CodeKind::Block,
        };
        let mut compiler = BlockCompiler {
            inside: self.compiler(text, kind, |name| Cow::Owned(name.to_owned())),
            loops: Vec::new(),
            defines: matches!(alone, Some(StepKind::Define(_))),
        };
        compiler.steps(steps)?;
        Ok(compiler.inside.code)
    }
}

impl<'t> BlockCompiler<'_, 't> {
    pub(super) fn push(&mut self, code: Code<'static>, span: Span) {
        self.inside.push(code, span);
    }

    pub(super) fn expression(&mut self, expression: &Expression<'t>) -> Result<(), Error> {
        self.inside.expression(&expression.items)
    }

    fn text_at(&self, span: Span) -> Rc<str> {
        span.of(self.inside.text).into()
    }

    fn is_in_function(&self) -> bool {
        !self.inside.scopes.is_empty()
    }

    pub(super) fn steps(&mut self, steps: &[Step<'t>]) -> Result<(), Error> {
        steps.iter().try_for_each(|step| self.step(step))
    }

    fn step(&mut self, step: &Step<'t>) -> Result<(), Error> {
        let span = step.span;
        self.push(Code::Begin, span);
        match &step.kind {
            StepKind::Bind(binding) => self.bind(binding, span),
            StepKind::Evaluate(expression) => self.evaluate(expression),
            StepKind::Label { node, label } => {
                self.expression(node)?;
                self.push(Code::Label((*label).into()), node.span);
                self.push(Code::Drop, span);
                Ok(())
            }
            StepKind::Data { leaf, value } => {
                self.expression(leaf)?;
                self.expression(value)?;
                let loops = self.loops.iter().rev().filter_map(|it| it.over.as_ref());
                let is_item = |name: &str| {
                    let items = &leaf.items;
                    items.len() == 1 && matches!(items[0].kind, ItemKind::Name(it) if it == name)
                };
                let over = loops.clone().find(|(name, _)| is_item(name));
                let over = over.map(|(_, over)| Rc::clone(over));
                self.push(Code::Act(Act::Data(over).into()), leaf.span);
                Ok(())
            }
            StepKind::Append { list, items, each } => {
                self.expression(items)?;
                let code = match self.inside.find_slot(list.name) {
                    None => Code::Act(Act::Append(list.name.into(), *each).into()),
                    Some(slot) => Code::Append(slot, *each),
                };
                self.push(code, list.span);
                Ok(())
            }
            StepKind::Zero(node) => {
                if let Some(node) = node {
                    self.expression(node)?;
                }
                self.push(Code::Act(Act::Zero(node.is_some()).into()), span);
                Ok(())
            }
            StepKind::Backward(root) => {
                self.expression(root)?;
                let typed = self.text_at(span);
                self.push(Code::Act(Act::Backward(typed).into()), span);
                Ok(())
            }
            StepKind::Print { printing, values } => {
                for value in values {
                    self.expression(value)?;
                }
                self.push(Code::Act(Act::Print(Rc::clone(printing)).into()), span);
                Ok(())
            }
            StepKind::Return(value) => {
                match value {
                    Some(value) => self.expression(value)?,
                    None => self.push(Code::Word(CodeWord::None), span),
                }
                self.push(Code::Return, span);
                Ok(())
            }
            StepKind::Break => {
                self.push(Code::EndLoop(0), span);
                let jump = self.inside.code.len() - 1;
                self.loops
                    .last_mut()
                    .expect("it is in a loop")
                    .ends
                    .push(jump);
                Ok(())
            }
            StepKind::Continue => {
                let head = self.loops.last().expect("it is in a loop").head;
                self.push(Code::Jump(head), span);
                Ok(())
            }
            StepKind::For { names, over, body } => self.loop_over(names, over, body),
            StepKind::While { condition, body } => {
                self.push(Code::While, span);
                let head = self.inside.code.len();
                self.condition(condition)?;
                let exit = self.inside.code.len() - 1;
                self.push(Code::Round, span);
                self.repeat(head, None, body)?;
                self.inside.aim(exit);
                self.push(Code::EndLoop(0), span);
                let end = self.inside.code.len() - 1;
                self.end_loop(end);
                Ok(())
            }
            StepKind::If(arms) => {
                let mut ends = Vec::new();
                for (condition, body) in arms {
                    let next = match condition {
                        Some(condition) => {
                            self.condition(condition)?;
                            Some(self.inside.code.len() - 1)
                        }
                        None => None,
                    };
                    self.steps(body)?;
                    self.push(Code::Jump(0), span);
                    ends.push(self.inside.code.len() - 1);
                    if let Some(next) = next {
                        self.inside.aim(next);
                    }
                }
                for end in ends {
                    self.inside.aim(end);
                }
                Ok(())
            }
            StepKind::Define(definition) => self.define(definition),
        }
    }

    /// `a, b = 1, 2`
    fn bind(&mut self, binding: &Binding<'t>, span: Span) -> Result<(), Error> {
        if let Some(width) = binding.widths.iter().flatten().next() {
            let message = "each call or round would make another uncertain leaf";
            let help = "bind it in a statement of its own, before the block";
            return Err(fail(width.span, message, help));
        }
        if let Some(heading) = binding.headings.iter().flatten().next() {
            let message = "a list gets its heading outside of blocks and functions";
            let help = "bind it in a statement of its own, before the block";
            return Err(fail(*heading, message, help));
        }
        let targets = &binding.targets;
        if !self.is_in_function() {
            check_reserved(targets)?;
        }
        // Names of a function stand for what their expressions give.
        self.inside.values(binding, !self.is_in_function())?;
        let meanings = targets.iter().map(|it| self.inside.target(it.name));
        let bind = Code::Bind(meanings.collect());
        self.push(bind, span);
        Ok(())
    }

    /// A call whose value is dropped.
    fn evaluate(&mut self, expression: &Expression<'t>) -> Result<(), Error> {
        let last = expression.items.last().map(|item| item.kind);
        let is_call = match last {
            Some(ItemKind::Apply(Head::Function(name, 0), _)) => {
                self.inside.find_slot(name).is_some()
                    || self.inside.session.functions().get(name).is_some()
                    || !is_built_in(name)
            }
            _ => false,
        };
        if !is_call {
            let text = expression.span.of(self.inside.text);
            let message = "a value that stands alone in a block is not shown";
            let help = format!("`print({text})` shows it, and `y = {text}` gives it a name");
            return Err(fail(expression.span, message, help));
        }
        self.expression(expression)?;
        self.push(Code::Drop, expression.span);
        Ok(())
    }

    /// Compiles a condition, with a jump at its end that is made unless it holds.
    fn condition(&mut self, condition: &Expression<'t>) -> Result<(), Error> {
        self.expression(condition)?;
        self.push(Code::JumpUnless(0), condition.span);
        Ok(())
    }

    /// `for x, y in zip(xs, ys):`
    fn loop_over(
        &mut self,
        names: &[BindingTarget<'t>],
        over: &Expression<'t>,
        body: &[Step<'t>],
    ) -> Result<(), Error> {
        self.expression(over)?;
        self.push(Code::Loop, over.span);
        let head = self.inside.code.len();
        let targets = names
            .iter()
            .map(|name| self.inside.target(name.name))
            .collect();
        self.push(Code::Next(targets, 0), over.span);
        let over = match names {
            [only] => Some((only.name.into(), self.text_at(over.span))),
            _ => None,
        };
        self.repeat(head, over, body)?;
        self.end_loop(head);
        Ok(())
    }

    /// Compiles the body of a loop, and the jump back to its head.
    fn repeat(
        &mut self,
        head: usize,
        over: Option<(Rc<str>, Rc<str>)>,
        body: &[Step<'t>],
    ) -> Result<(), Error> {
        let ends = Vec::new();
        self.loops.push(LoopPlaces { head, ends, over });
        self.steps(body)?;
        let span = self.inside.code[head].span;
        self.push(Code::Jump(head), span);
        Ok(())
    }

    /// Lets the jumps out of a loop lead behind it, `exit` among them.
    fn end_loop(&mut self, exit: usize) {
        let ended = self.loops.pop().map(|places| places.ends);
        for jump in ended.into_iter().flatten().chain([exit]) {
            self.inside.aim(jump);
        }
    }
}

//! Compiles blocks: the statements of loops and choices, and functions of several lines.
//!
//! In a function, parameters and the names that its lines assign are slots of the call's frame; a function in it sees
//! them. All other names are those of the session, which are looked up when the code runs.

use std::borrow::Cow;
use std::rc::Rc;

use super::compile::{CodeKind, Compiler, Scope};
use crate::session::Session;
use crate::session::error::{Error, fail};
use crate::session::functions::{
    Act, Code, DefaultValue, Function, Instruction, PrintedText, Target, is_built_in,
};
use crate::session::naming::LAST_RESULT;
use chainrule_language::{
    Binding, BindingTarget, Definition, Expression, Head, ItemKind, Parameter, Printing, Procedure,
    Span, Step, StepKind,
};
use chainrule_report::plural;

/// The jumps of a loop that is compiled.
struct LoopPlaces {
    /// Where a round begins.
    head: usize,
    /// The jumps to its end.
    ends: Vec<usize>,
    /// Its variable, if it has only one, and what was typed for its list.
    over: Option<(Rc<str>, Rc<str>)>,
}

/// Compiles the statements of a block.
struct BlockCompiler<'s, 't> {
    inside: Compiler<'s, 't, 'static>,
    loops: Vec<LoopPlaces>,
}

impl Session {
    /// Compiles a block.
    pub(crate) fn compile_block<'t>(
        &mut self,
        text: &'t str,
        steps: &[Step<'t>],
    ) -> Result<Vec<Instruction<'static>>, Error> {
        let mut compiler = BlockCompiler {
            inside: Compiler {
                session: self,
                text,
                kind: CodeKind::Block,
                keep: |name| Cow::Owned(name.to_owned()),
                scopes: Vec::new(),
                defined: Vec::new(),
                code: Vec::new(),
            },
            loops: Vec::new(),
        };
        if let [
            Step {
                kind: StepKind::Evaluate(alone),
                ..
            },
        ] = steps
        {
            // It stands outside of any block, and is shown.
            compiler.expression(alone)?;
            compiler.push(Code::Drop, alone.span);
        } else {
            compiler.steps(steps)?;
        }
        Ok(compiler.inside.code)
    }
}

impl<'t> BlockCompiler<'_, 't> {
    fn push(&mut self, code: Code<'static>, span: Span) {
        self.inside.push(code, span);
    }

    fn expression(&mut self, expression: &Expression<'t>) -> Result<(), Error> {
        self.inside.expression(&expression.items)
    }

    fn text_at(&self, span: Span) -> Rc<str> {
        span.of(self.inside.text).into()
    }

    fn is_in_function(&self) -> bool {
        !self.inside.scopes.is_empty()
    }

    fn steps(&mut self, steps: &[Step<'t>]) -> Result<(), Error> {
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
                self.push(Code::Label((*label).into()), span);
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
                let code = match self.inside.target(list.name) {
                    Target::Name(name) => Code::Act(Act::Append(name, *each).into()),
                    target => Code::Append(target, *each),
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
            StepKind::Print(printing) => self.print(printing, span),
            StepKind::Return(value) => {
                let value = value.as_ref().filter(|value| !is_none(value));
                if let Some(value) = value {
                    self.expression(value)?;
                }
                self.push(Code::Return(value.is_some()), span);
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
            StepKind::Function(procedure) => self.function(procedure),
            StepKind::Define(definition) => self.formula(definition, span),
        }
    }

    /// `f(x) = x^2` in a block.
    fn formula(&mut self, definition: &Definition<'t>, span: Span) -> Result<(), Error> {
        let parameters = definition.parameters.iter().map(|target| Parameter {
            target: *target,
            default: None,
            is_rest: false,
        });
        self.function(&Procedure {
            name: definition.name,
            parameters: parameters.collect(),
            body: vec![Step {
                span: definition.body.span,
                kind: StepKind::Return(Some(definition.body.clone())),
            }],
            span,
        })
    }

    /// `a, b = 1, 2`
    fn bind(&mut self, binding: &Binding<'t>, span: Span) -> Result<(), Error> {
        if let Some(width) = binding.widths.iter().flatten().next() {
            let message = "each call or round would make another uncertain leaf";
            let help = "bind it in a statement of its own, before the block";
            return Err(fail(width.span, message, help));
        }
        let targets = &binding.targets;
        self.check_reserved(targets)?;
        let pairs = || binding.values.iter().zip(targets);
        for (value, target) in pairs().filter(|(value, _)| !is_none(value)) {
            self.expression(value)?;
            self.leaves(target, binding.frozen);
        }
        if binding.values.len() < targets.len() {
            if is_none(&binding.values[0]) {
                let message = "`None` cannot be divided among several names";
                return Err(fail(
                    span,
                    message,
                    "each name gets one: `x, y = None, None`",
                ));
            }
            self.push(Code::Unpack(targets.len()), binding.values[0].span);
        }
        let is_unpacked = binding.values.len() < targets.len();
        let bound = (targets.iter().enumerate())
            .filter(|(place, _)| is_unpacked || !is_none(&binding.values[*place]))
            .map(|(_, target)| self.inside.target(target.name))
            .collect();
        self.push(Code::Bind(bound), span);
        for (_, target) in pairs().filter(|(value, _)| is_none(value)) {
            self.push(Code::Unbind(self.inside.target(target.name)), target.span);
        }
        Ok(())
    }

    fn check_reserved(&self, targets: &[BindingTarget]) -> Result<(), Error> {
        let is_reserved = |target: &&BindingTarget| target.name == LAST_RESULT;
        match targets.iter().find(is_reserved) {
            Some(reserved) if !self.is_in_function() => {
                let message = format!("`{}` cannot be bound", reserved.name);
                let help = "it is always the last result: choose another name";
                Err(fail(reserved.span, message, help))
            }
            _ => Ok(()),
        }
    }

    /// Names of the session stand for leaves, those of a function for what their expressions give.
    fn leaves(&mut self, target: &BindingTarget, frozen: bool) {
        if !self.is_in_function() {
            self.push(Code::Leaves(target.name.into(), frozen), target.span);
        }
    }

    /// A call whose value is dropped.
    fn evaluate(&mut self, expression: &Expression<'t>) -> Result<(), Error> {
        let last = expression.items.last().map(|item| item.kind);
        let is_call = match last {
            Some(ItemKind::Apply(Head::Function(name, 0), _)) => {
                let inner = &self.inside;
                let mut scopes = inner.scopes.iter().flat_map(|scope| &scope.functions);
                scopes.any(|known| &**known == name)
                    || inner.session.functions().get(name).is_some()
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

    fn print(&mut self, printing: &Printing<'t>, span: Span) -> Result<(), Error> {
        let text = self.inside.text;
        let act = PrintedText::new(printing, text, |value| self.expression(value))?;
        self.push(Code::Act(Act::Print(act).into()), span);
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
        names: &[BindingTarget],
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

    /// `def f(x, y=2):`
    fn function(&mut self, procedure: &Procedure<'t>) -> Result<(), Error> {
        let Procedure {
            name: target,
            parameters,
            body,
            span,
        } = procedure;
        let span = *span;
        let takes_rest = parameters.last().is_some_and(|last| last.is_rest);
        let (defaults, slots) = self.defaults(parameters)?;
        let parameters: Vec<Rc<str>> = parameters.iter().map(|it| it.target.name.into()).collect();
        let mut scope = Scope {
            names: parameters.clone(),
            ..Scope::default()
        };
        let mut hidden = 0;
        collect_names(body, &mut scope, &mut hidden);
        scope.slots = scope.names.len() + hidden;
        scope.inner = vec![None; scope.functions.len()];
        self.inside.scopes.push(scope);
        let code = std::mem::take(&mut self.inside.code);
        let loops = std::mem::take(&mut self.loops);
        let done = self.steps(body);
        self.push(Code::Return(false), span);
        let code = std::mem::replace(&mut self.inside.code, code);
        self.loops = loops;
        let scope = self.inside.scopes.pop().expect("it was pushed");
        done?;
        let text = span.of(self.inside.text);
        let function = Rc::new(Function {
            name: target.name.into(),
            parameters,
            body: plural(text.lines().count().max(2) - 1, "line").into(),
            lines: Some(self.inside.text.into()),
            differentiates: code.iter().any(|it| it.code.is_grad()),
            defaults,
            takes_rest,
            slots: scope.slots,
            inner: scope.inner.into_iter().flatten().collect(),
            code: code.into(),
            ..Function::default()
        });
        if let Some(around) = self.inside.scopes.last_mut() {
            let mut places = (0..)
                .zip(&around.functions)
                .filter(|(_, it)| ***it == *target.name);
            let (first, second) = (places.next(), places.next());
            if let Some((place, _)) = first {
                around.inner[place] = Some(function);
            }
            if second.is_some() {
                let message = format!("`{}` is defined twice in one function", target.name);
                let help = "give the functions two names, or define one with an `if` in it";
                return Err(fail(target.span, message, help));
            }
            if !slots.is_empty() {
                self.push(Code::Bind(slots.into()), span);
            }
        } else {
            self.inside.defined.push(Rc::clone(&function.name));
            self.push(Code::Define(function), span);
        }
        Ok(())
    }

    /// Compiles the defaults of a function. In a function, they are kept in its slots.
    fn defaults(
        &mut self,
        parameters: &[Parameter<'t>],
    ) -> Result<(Vec<DefaultValue>, Vec<Target>), Error> {
        let (mut defaults, mut slots) = (Vec::new(), Vec::new());
        let is_inside =
            |(place, it): &(usize, &Parameter)| it.is_rest && place + 1 < parameters.len();
        if let Some((_, rest)) = parameters.iter().enumerate().find(is_inside) {
            let message = format!(
                "`{}` takes all further arguments, and is not the last",
                rest.target.name
            );
            let help = "write it behind the others: `def f(x, *args):`";
            return Err(fail(rest.target.span, message, help));
        }
        for Parameter {
            target,
            default,
            is_rest,
        } in parameters
        {
            let Some(default) = default else {
                if !defaults.is_empty() {
                    let message = format!(
                        "`{}` has no default, unlike a parameter before it",
                        target.name
                    );
                    let help = "parameters with a default come last";
                    return Err(fail(target.span, message, help));
                }
                continue;
            };
            if *is_rest {
                let message = format!("`{}` takes what is left, and has no default", target.name);
                return Err(fail(target.span, message, "leave the default out: `*args`"));
            }
            if is_none(default) {
                defaults.push(DefaultValue::Missing);
                continue;
            }
            self.inside.expression(&default.items)?;
            let slot = match self.inside.scopes.last_mut() {
                None => slots.len(),
                Some(scope) => scope.take_hidden(),
            };
            slots.push(Target::Local(slot));
            defaults.push(DefaultValue::Slot(slot));
        }
        Ok((defaults, slots))
    }
}

/// Whether it is Python's `None`.
fn is_none(expression: &Expression) -> bool {
    matches!(expression.items.as_slice(), [only] if only.kind == ItemKind::Name("None"))
}

impl Scope {
    /// The next slot that no name has.
    fn take_hidden(&mut self) -> usize {
        self.hidden += 1;
        self.names.len() + self.hidden - 1
    }

    fn add(&mut self, name: &str) {
        if !self.names.iter().any(|known| &**known == name) {
            self.names.push(name.into());
        }
    }
}

/// Adds the names that steps assign and the functions that they define to a scope, and counts the defaults of these.
fn collect_names(steps: &[Step], scope: &mut Scope, hidden: &mut usize) {
    for step in steps {
        match &step.kind {
            StepKind::Bind(binding) => {
                for target in &binding.targets {
                    scope.add(target.name);
                }
            }
            StepKind::For { names, body, .. } => {
                for name in names {
                    scope.add(name.name);
                }
                collect_names(body, scope, hidden);
            }
            StepKind::While { body, .. } => collect_names(body, scope, hidden),
            StepKind::If(arms) => {
                for (_, body) in arms {
                    collect_names(body, scope, hidden);
                }
            }
            StepKind::Function(Procedure {
                name, parameters, ..
            }) => {
                scope.functions.push(name.name.into());
                *hidden += parameters.iter().filter(|it| it.default.is_some()).count();
            }
            StepKind::Define(definition) => scope.functions.push(definition.name.name.into()),
            _ => {}
        }
    }
}

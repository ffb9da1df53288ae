//! Compiles statements and the bodies of functions to postfix code, and defines functions.
//!
//! Everything in a formula is looked up once. A formula that leads back to its function by calls is refused. `machine`
//! runs the code, and `compile_block` compiles blocks.

use std::borrow::Cow;
use std::rc::Rc;

use super::items::{is_reference, subtree_span, subtree_start};
use super::notes;
use crate::session::Session;
use crate::session::error::{self, Error, fail};
use crate::session::functions::{
    CallArgument, Code, Function, Functions, Instruction, Target, is_built_in, passed_values,
};
use crate::session::values::Value;
use chainrule_engine::graph::Spelling;
use chainrule_language::{
    self as language, Binding, Definition, Head, Item, ItemKind, Property, Span,
};
use chainrule_report::Note;

/// What is compiled.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum CodeKind<'t> {
    /// A statement. Its names are looked up when it runs, and it may refer to nodes by ids.
    Statement,
    /// The formula of the function with this name.
    Formula(&'t str),
    /// A block, or a function of several lines.
    Block,
}

/// The names of a function that is compiled.
#[derive(Default)]
pub(super) struct Scope {
    /// Its parameters and the names that it assigns, by slot.
    pub(super) names: Vec<Rc<str>>,
    /// How many slots it has, and how many of those without a name are taken.
    pub(super) slots: usize,
    pub(super) hidden: usize,
    /// The functions that it defines.
    pub(super) functions: Vec<Rc<str>>,
    pub(super) inner: Vec<Option<Rc<Function>>>,
}

/// Compiles one text.
pub(super) struct Compiler<'s, 't, 'c> {
    pub(super) session: &'s mut Session,
    pub(super) text: &'t str,
    pub(super) kind: CodeKind<'t>,
    /// How a name is kept in the code.
    pub(super) keep: fn(&'t str) -> Cow<'c, str>,
    /// The functions around what is compiled, the innermost last.
    pub(super) scopes: Vec<Scope>,
    /// The functions of the session that the block defines.
    pub(super) defined: Vec<Rc<str>>,
    pub(super) code: Vec<Instruction<'c>>,
}

impl Session {
    /// All functions of the user's own.
    pub fn functions(&self) -> &Functions {
        &self.functions
    }

    /// Defines a function. A call of it first gives its own names the values that `assigned` binds. Every other name in
    /// it must exist, and no call in it may lead back to the function.
    pub fn define(
        &mut self,
        text: &str,
        definition: &Definition,
        assigned: &[&Binding],
    ) -> Result<(Rc<Function>, Vec<Note>), Error> {
        let parameters: Vec<Rc<str>> = definition
            .parameters
            .iter()
            .map(|parameter| Rc::from(parameter.name))
            .collect();
        let made = self.graph.last_id();
        let name = definition.name.name;
        let mut assignments = Vec::new();
        let mut compiler = Compiler {
            session: self,
            text,
            kind: CodeKind::Formula(name),
            keep: |name| Cow::Owned(name.to_owned()),
            scopes: vec![Scope {
                names: parameters.clone(),
                slots: parameters.len(),
                ..Scope::default()
            }],
            defined: Vec::new(),
            code: Vec::new(),
        };
        for binding in assigned {
            let mut values = Vec::with_capacity(binding.values.len());
            for value in &binding.values {
                let items = compiler.lower(&value.items)?;
                compiler.lowered_expression(&items)?;
                values.push(language::infix(&items));
            }
            let targets: Vec<&str> = binding.targets.iter().map(|target| target.name).collect();
            assignments.push(format!("{} = {}", targets.join(", "), values.join(", ")));
            compiler.push(Code::Assign(targets.len()), definition.span);
            let scope = compiler.scopes.last_mut().expect("it is in a function");
            scope.names.extend(targets.into_iter().map(Rc::from));
            scope.slots = scope.names.len();
        }
        let items = compiler.lower(&definition.body.items)?;
        compiler.lowered_expression(&items)?;
        let code = compiler.code;
        let mut body = language::infix(&items);
        if !assignments.is_empty() {
            body.extend([" where ", &assignments.join("; ")]);
        }
        // Drops the constants that the lookups created.
        self.rewind(made);
        let name: Rc<str> = Rc::from(definition.name.name);
        let function = Rc::new(Function {
            name: Rc::clone(&name),
            slots: parameters.len(),
            parameters,
            body: Rc::from(body),
            place: self.functions.place(&name),
            differentiates: code.iter().any(|it| it.code.is_grad()),
            code: code.into(),
            ..Function::default()
        });
        let callees = function.callees().map(Rc::from).collect();
        if let Some(caller) = self.functions.caller_of(&name, callees) {
            let help =
                format!("{caller} calls {name}: write the steps out, or choose another name");
            let message = "a function cannot call itself";
            return Err(fail(definition.body.span, message, help));
        }
        Ok((Rc::clone(&function), self.write_function(function)))
    }

    /// Gives a function its name. The note says that this hides a built-in one.
    pub(super) fn write_function(&mut self, function: Rc<Function>) -> Vec<Note> {
        let name = Rc::clone(&function.name);
        let hides = self.functions.get(&name).is_none() && is_built_in(&name);
        let note = hides.then(|| notes::hiding_note(&name));
        self.functions.write(name, Some(function));
        note.into_iter().collect()
    }

    /// Compiles a statement's expression.
    pub(super) fn compile<'c>(
        &mut self,
        text: &'c str,
        items: &[Item<'c>],
    ) -> Result<Vec<Instruction<'c>>, Error> {
        let mut compiler = Compiler {
            session: self,
            text,
            kind: CodeKind::Statement,
            keep: Cow::Borrowed,
            scopes: Vec::new(),
            defined: Vec::new(),
            code: Vec::with_capacity(items.len()),
        };
        compiler.expression(items)?;
        Ok(compiler.code)
    }
}

impl<'t, 'c> Compiler<'_, 't, 'c> {
    pub(super) fn push(&mut self, code: Code<'c>, span: Span) {
        self.code.push(Instruction { code, span });
    }

    /// Compiles the items of an expression.
    pub(super) fn expression(&mut self, items: &[Item<'t>]) -> Result<(), Error> {
        let lowered = self.lower(items)?;
        self.lowered_expression(&lowered)
    }

    /// The same, of calls that mean what they say.
    fn lowered_expression(&mut self, items: &[Item<'t>]) -> Result<(), Error> {
        let base = self.scopes.last().map_or(0, |scope| scope.slots);
        // The loop variables in scope at an item, with their slots; inner ones hide outer ones.
        let mut variables: Vec<(&str, usize)> = Vec::new();
        // The loops around an item: how many variables there were before, and where its code begins.
        let mut loops: Vec<(usize, usize)> = Vec::new();
        // The jumps of the choices around an item, whose ends are not reached yet.
        let mut waiting: Vec<usize> = Vec::new();
        // The items that are `None` as arguments; empty until one is met.
        let mut missing: Option<Vec<usize>> = None;
        let mut has_named = false;
        for (at, item) in items.iter().enumerate() {
            let code = match item.kind {
                ItemKind::Number(literal) if literal.point => {
                    Code::Number(literal.value, Spelling::Point)
                }
                ItemKind::Number(literal) => Code::Number(literal.value, Spelling::Plain),
                ItemKind::Name(name) => {
                    let variable = variables.iter().rev().find(|(known, _)| *known == name);
                    if let Some((_, place)) = variable {
                        Code::Local(*place)
                    } else if let Some((levels, slot)) = self.find_slot(name) {
                        match levels {
                            0 => Code::Local(slot),
                            _ => Code::Outer(levels, slot),
                        }
                    } else if self.has_function(name) {
                        let message = format!("`{name}` is a function within this one");
                        let help = format!(
                            "one that is handed on stands outside: `def {name}` before this `def`"
                        );
                        return Err(fail(item.span, message, help));
                    } else if name == "__name__" {
                        // The lines of a program that is run, and not imported, run.
                        Code::Text("__main__".into())
                    } else {
                        if name == "None" || self.may_be_function(name) {
                            let found =
                                missing.get_or_insert_with(|| self.wordless_arguments(items));
                            if found.contains(&at) {
                                continue;
                            }
                        }
                        if let CodeKind::Formula(_) = self.kind {
                            self.session.value_of_name(name, item.span)?;
                        }
                        Code::Name((self.keep)(name))
                    }
                }
                ItemKind::Former(..) | ItemKind::Id(_) | ItemKind::Result(_) => {
                    // These numbers belong to other nodes later, in particular after a save and a load.
                    let place = match self.kind {
                        CodeKind::Statement => "",
                        CodeKind::Formula(_) => "a function's body",
                        CodeKind::Block => "a block",
                    };
                    if !place.is_empty() {
                        let typed = item.span.of(self.text);
                        let message = format!("`{typed}` is not allowed in {place}");
                        let help = "give the node a name and use that";
                        return Err(fail(item.span, message, help));
                    }
                    Code::Value(self.session.value_of_reference(self.text, items, at)?)
                }
                ItemKind::Apply(Head::Operator(operator), count) => {
                    self.check_repetition(items, at)?;
                    Code::Operator(operator, count as usize)
                }
                ItemKind::Apply(Head::Named(_), _) => {
                    has_named = true;
                    continue;
                }
                ItemKind::Apply(Head::Labelled(label), _) => Code::Label(label.into()),
                ItemKind::Apply(Head::Function(name, primes), count) => {
                    let count = count as usize;
                    let is_special = has_named || missing.is_some();
                    let arguments =
                        is_special.then(|| arguments(items, at, count, missing.as_deref()));
                    let arguments = arguments.flatten();
                    self.call((name, primes), count, arguments, item.span)?
                }
                ItemKind::Apply(Head::Then, _) if self.kind == CodeKind::Block => {
                    waiting.push(self.code.len());
                    Code::JumpUnless(0)
                }
                ItemKind::Apply(Head::Else | Head::Choose, _) if self.kind == CodeKind::Block => {
                    let jump = waiting.pop();
                    if item.kind == ItemKind::Apply(Head::Else, 1) {
                        waiting.push(self.code.len());
                        self.push(Code::Jump(0), item.span);
                    }
                    self.aim(jump.expect("a choice has a condition"));
                    continue;
                }
                ItemKind::Apply(Head::Then | Head::Else, _) => continue,
                ItemKind::Apply(Head::Choose, count) => {
                    self.call(("if", 0), count as usize, None, item.span)?
                }
                ItemKind::Missing(name, is_missing) => {
                    if variables.iter().any(|(known, _)| *known == name) {
                        Code::Number(f64::from(u8::from(!is_missing)), Spelling::Plain)
                    } else {
                        Code::IsMissing(self.target(name), is_missing)
                    }
                }
                ItemKind::Text(words) => Code::Text(words.into()),
                ItemKind::Apply(Head::List, count) => Code::List(count as usize),
                ItemKind::Apply(Head::Index, _) => Code::Index,
                ItemKind::Apply(Head::Slice, _) => Code::Slice,
                ItemKind::Apply(Head::Range, _) => Code::Range,
                ItemKind::Apply(Head::Uncertain { per_cent }, _) => {
                    if self.kind != CodeKind::Statement || !loops.is_empty() {
                        let span = subtree_span(self.text, items, at);
                        let message = "each call or round would make another uncertain leaf";
                        let help = format!("name it before: `x = {}`", span.of(self.text));
                        return Err(fail(span, message, help));
                    }
                    Code::Uncertain(per_cent)
                }
                ItemKind::Variable(_) => Code::Variable,
                ItemKind::Each(count) => {
                    let count = count as usize;
                    let first = base + variables.len();
                    loops.push((variables.len(), self.code.len()));
                    let names = items[at - count..at]
                        .iter()
                        .filter_map(|item| match item.kind {
                            ItemKind::Variable(name) => Some(name),
                            _ => None,
                        });
                    variables.extend(names.clone().zip(first..));
                    Code::Each(first, names.map(Rc::from).collect(), 0)
                }
                ItemKind::Apply(Head::Collect, _) => {
                    if let Some((outer, start)) = loops.pop() {
                        variables.truncate(outer);
                        let here = self.code.len();
                        if let Code::Each(.., length) = &mut self.code[start].code {
                            *length = here - start;
                        }
                    }
                    Code::Collect
                }
                ItemKind::Property(property) => {
                    if property == Property::Grad {
                        self.check_grad(items, at)?;
                    }
                    Code::Property(property)
                }
            };
            self.push(code, item.span);
        }
        Ok(())
    }

    /// Lets a jump lead to the next instruction.
    pub(super) fn aim(&mut self, jump: usize) {
        let here = self.code.len();
        match &mut self.code[jump].code {
            Code::Jump(at) | Code::JumpUnless(at) | Code::Next(_, at) | Code::EndLoop(at) => {
                *at = here;
            }
            _ => {}
        }
    }

    /// The slot of a name of the function, or of one around it, so many levels further out.
    pub(super) fn find_slot(&self, name: &str) -> Option<(usize, usize)> {
        let mut scopes = self.scopes.iter().rev().enumerate();
        scopes.find_map(|(levels, scope)| {
            let slot = scope.names.iter().rposition(|known| &**known == name)?;
            Some((levels, slot))
        })
    }

    /// What a name stands for in code.
    pub(super) fn target(&self, name: &str) -> Target {
        match self.find_slot(name) {
            Some((0, slot)) => Target::Local(slot),
            Some((levels, slot)) => Target::Outer(levels, slot),
            None => Target::Name(name.into()),
        }
    }

    /// Whether a name may be that of a function that is an argument.
    fn may_be_function(&self, name: &str) -> bool {
        let session = &*self.session;
        let is_defined = self.defined.iter().any(|known| &**known == name);
        let has_any = !self.defined.is_empty() || !session.functions.is_empty();
        is_defined || has_any && session.is_function(name) && session.names().find(name).is_none()
    }

    /// The items that are `None` or a function as arguments of the user's own functions, and so no values.
    fn wordless_arguments(&self, items: &[Item]) -> Vec<usize> {
        let mut found = Vec::new();
        for (at, item) in items.iter().enumerate() {
            let ItemKind::Apply(Head::Function(called, 0), count) = item.kind else {
                continue;
            };
            let is_own = match self.session.functions.get(called) {
                Some(own) => own.lines.is_some(),
                None => !is_built_in(called),
            };
            for root in operand_roots(items, at, count as usize) {
                let named = matches!(items[root].kind, ItemKind::Apply(Head::Named(_), _));
                let value = root - usize::from(named);
                if let ItemKind::Name(name) = items[value].kind
                    && (name == "None" || is_own && !named && self.may_be_function(name))
                    && self.find_slot(name).is_none()
                {
                    found.push(value);
                }
            }
        }
        found
    }

    fn call(
        &self,
        (name, primes): (&'t str, u8),
        count: usize,
        arguments: Option<Rc<[CallArgument]>>,
        span: Span,
    ) -> Result<Code<'c>, Error> {
        let has_local = |scope: &Scope| scope.functions.iter().rposition(|known| &**known == name);
        let slot = self
            .find_slot(name)
            .filter(|_| self.kind == CodeKind::Block);
        let scopes = self.scopes.iter().rev().enumerate();
        let mut functions = scopes.filter_map(|(levels, scope)| Some((levels, has_local(scope)?)));
        let inner = functions.next().filter(|_| primes == 0);
        // A name means what the nearest function around the call says.
        let nearer = slot.filter(|slot| inner.is_none_or(|inner| slot.0 <= inner.0));
        if let Some((levels, number)) = nearer.or(inner) {
            return Ok(Code::CallInner {
                levels,
                is_slot: nearer.is_some(),
                number,
                count,
                arguments,
            });
        }
        let is_own = self.session.functions().get(name).is_some();
        if name == "round" && self.kind == CodeKind::Block && !is_own {
            let message = "Python rounds halves to the even number, `round` away from 0";
            let help = "whole numbers below are `floor(x)`, halves rounded up `floor(x + 0.5)`";
            return Err(fail(span, message, help));
        }
        if name == "Value" && count == 1 && !is_own {
            if passed_values(count, arguments.as_deref()) == 0 {
                let message = "a `Value` holds a number";
                return Err(fail(span, message, "as in `Value(2.0)`"));
            }
            return Ok(Code::Leaf);
        }
        // A call of itself is reported as recursion, even if the name means another function until now.
        if let CodeKind::Formula(function) = self.kind
            && function != name
        {
            self.session.callee((name, primes), count, span)?;
        }
        Ok(Code::Call {
            name: (self.keep)(name),
            primes,
            count,
            arguments,
        })
    }

    /// Refuses `[0]*n` where `n` is a number or may be one.
    fn check_repetition(&mut self, items: &[Item<'t>], at: usize) -> Result<(), Error> {
        let Some((list, name)) = repeated_list(self.text, items, at) else {
            return Ok(());
        };
        let may_be_number = match self.code.last().map(|last| &last.code) {
            Some(Code::Name(_)) => {
                let value = self.session.value_of_name(name, items[at].span);
                matches!(value, Ok(Value::Node(_)))
            }
            _ => true,
        };
        if may_be_number {
            return Err(error::list_repetition(self.text, list, name));
        }
        Ok(())
    }

    /// Refuses `.grad` where it cannot be read.
    fn check_grad(&self, items: &[Item], at: usize) -> Result<(), Error> {
        if let CodeKind::Formula(_) = self.kind {
            let message =
                "a function's body has no `.grad`: it would mean another pass at each call";
            let help = "give the gradient a name and use that: `g = a.grad`; or use `grad(L, a)`";
            return Err(fail(items[at].span, message, help));
        }
        if !is_reference(items, at - 1) {
            let message = "only a named node has a `.grad` to read";
            let help = "give the expression a name and run `:grad` first";
            return Err(fail(items[at].span, message, help));
        }
        Ok(())
    }
}

/// The last items of the operands of an item.
fn operand_roots(items: &[Item], at: usize, count: usize) -> Vec<usize> {
    let mut roots = Vec::with_capacity(count);
    let mut end = at;
    for _ in 0..count {
        roots.push(end - 1);
        end = subtree_start(items, end - 1);
    }
    roots.reverse();
    roots
}

/// What a call says of its arguments; none if it says nothing.
fn arguments(
    items: &[Item],
    at: usize,
    count: usize,
    missing: Option<&[usize]>,
) -> Option<Rc<[CallArgument]>> {
    let is_missing = |at: usize| {
        missing
            .as_ref()
            .is_some_and(|missing| missing.contains(&at))
    };
    let roots = operand_roots(items, at, count).into_iter();
    let arguments: Vec<CallArgument> = roots
        .map(|root| match items[root].kind {
            ItemKind::Apply(Head::Named(name), _) if is_missing(root - 1) => {
                CallArgument::NamedMissing(name.into())
            }
            ItemKind::Apply(Head::Named(name), _) => CallArgument::Named(name.into()),
            ItemKind::Name(name) if name != "None" && is_missing(root) => {
                CallArgument::Function(name.into())
            }
            _ if is_missing(root) => CallArgument::Missing,
            _ => CallArgument::Plain,
        })
        .collect();
    let says_something = arguments.iter().any(|it| *it != CallArgument::Plain);
    says_something.then(|| arguments.into())
}

/// The list and the name of `[0]*n`, which Python would repeat if `n` is a number.
fn repeated_list<'t>(text: &str, items: &[Item<'t>], at: usize) -> Option<(Span, &'t str)> {
    let [before @ .., list, right] = &items[..at] else {
        return None;
    };
    let (ItemKind::Apply(Head::List, 1), ItemKind::Name(name)) = (list.kind, right.kind) else {
        return None;
    };
    let number = match before {
        [before @ .., sign] if matches!(sign.kind, ItemKind::Apply(Head::Operator(_), 1)) => before,
        before => before,
    };
    let is_number = |item: &Item| matches!(item.kind, ItemKind::Number(_));
    let sign = text.get(list.span.end as usize..right.span.start as usize)?;
    (number.last().is_some_and(is_number) && sign.trim() == "*").then_some((list.span, name))
}

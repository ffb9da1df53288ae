//! Compiles statements and the bodies of functions to postfix code, and defines functions.
//!
//! Everything in a body is looked up once. A body that leads back to its function by calls is refused. `machine` runs
//! the code.

use std::borrow::Cow;
use std::cell::Cell;
use std::rc::Rc;

use super::items::{is_reference, subtree_span};
use super::notes;
use crate::session::Session;
use crate::session::error::{self, Error, fail};
use crate::session::functions::{Code, Function, Functions, is_built_in};
use crate::session::values::Value;
use chainrule_engine::graph::Spelling;
use chainrule_language::{
    self as language, Binding, Definition, Head, Item, ItemKind, Property, Span,
};
use chainrule_report::{Note, plural};

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
        assigned: &[Binding],
    ) -> Result<(Rc<Function>, Vec<Note>), Error> {
        let parameters: Vec<Rc<str>> = definition
            .parameters
            .iter()
            .map(|parameter| Rc::from(parameter.name))
            .collect();
        let made = self.graph.last_id();
        let owned = |name: &str| Cow::Owned(name.to_owned());
        let name = definition.name.name;
        let (mut code, mut known, mut assignments) = (Vec::new(), parameters.clone(), Vec::new());
        for binding in assigned {
            let mut values = Vec::with_capacity(binding.values.len());
            for value in &binding.values {
                code.extend(self.compile(text, &value.items, &known, Some(name), owned)?);
                values.push(language::infix(&value.items));
            }
            let targets: Vec<&str> = binding.targets.iter().map(|target| target.name).collect();
            assignments.push(format!("{} = {}", targets.join(", "), values.join(", ")));
            code.push(Code::Assign(targets.len()));
            known.extend(targets.into_iter().map(Rc::from));
        }
        let items = &definition.body.items;
        code.extend(self.compile(text, items, &known, Some(name), owned)?);
        let mut body = language::infix(items);
        if !assignments.is_empty() {
            body.extend([" where ", &assignments.join("; ")]);
        }
        // Drops the constants that the lookups created.
        self.rewind(made);
        let name: Rc<str> = Rc::from(definition.name.name);
        let function = Rc::new(Function {
            name: Rc::clone(&name),
            parameters,
            body: Rc::from(body),
            lines: None,
            place: self.functions.place(&name),
            is_current: Cell::default(),
            differentiates: code.iter().any(Code::is_grad),
            code,
        });
        let callees = function.callees().map(Rc::from).collect();
        if let Some(caller) = self.functions.caller_of(&name, callees) {
            let help =
                format!("{caller} calls {name}: write the steps out, or choose another name");
            let message = "a function cannot call itself";
            return Err(fail(definition.body.span, message, help));
        }
        let mut found = Vec::new();
        if self.functions.get(&name).is_none() && is_built_in(&name) {
            found.push(notes::hiding_note(&name));
        }
        self.functions.write(name, Some(Rc::clone(&function)));
        Ok((function, found))
    }

    /// Defines a function of several lines, which `text` defines.
    pub(crate) fn define_lines(
        &mut self,
        name: &str,
        parameters: Vec<Rc<str>>,
        text: &str,
    ) -> Rc<Function> {
        let name: Rc<str> = language::canonical_name(name).into();
        let function = Rc::new(Function {
            name: Rc::clone(&name),
            parameters,
            body: plural(text.lines().count().max(2) - 1, "line").into(),
            lines: Some(text.into()),
            place: self.functions.place(&name),
            is_current: Cell::default(),
            differentiates: false,
            code: Vec::new(),
        });
        self.functions.write(name, Some(Rc::clone(&function)));
        function
    }

    /// Compiles the items of a function's body, after looking up what they refer to, or of a statement, for which
    /// `function` is missing: its names are looked up when it runs, and it may refer to nodes by ids.
    pub(crate) fn compile<'t, 'c>(
        &mut self,
        text: &str,
        items: &[Item<'t>],
        parameters: &[Rc<str>],
        function: Option<&str>,
        keep: impl Fn(&'t str) -> Cow<'c, str>,
    ) -> Result<Vec<Code<'c>>, Error> {
        let mut code = Vec::with_capacity(items.len());
        // The loop variables in scope at an item, with their slots; inner ones hide outer ones.
        let mut variables: Vec<(&str, usize)> = Vec::new();
        // The loops around an item: how many variables there were before, and where it begins.
        let mut loops: Vec<(usize, usize)> = Vec::new();
        for (at, item) in items.iter().enumerate() {
            if let (ItemKind::Apply(Head::Collect, _), Some(&(outer, start))) =
                (item.kind, loops.last())
                && let Code::Each(.., length) = &mut code[start]
            {
                *length = at - start;
                variables.truncate(outer);
                loops.pop();
            }
            code.push(match item.kind {
                ItemKind::Number(literal) if literal.point => {
                    Code::Number(literal.value, Spelling::Point)
                }
                ItemKind::Number(literal) => Code::Number(literal.value, Spelling::Plain),
                ItemKind::Name(name) => {
                    let variable = variables.iter().rev().find(|(known, _)| *known == name);
                    let parameter = || parameters.iter().rposition(|known| &**known == name);
                    if let Some(place) = variable.map(|(_, place)| *place).or_else(parameter) {
                        Code::Parameter(place)
                    } else {
                        if function.is_some() {
                            self.value_of_name(name, item.span)?;
                        }
                        Code::Name(keep(name))
                    }
                }
                ItemKind::Former(..) | ItemKind::Id(_) | ItemKind::Result(_) => {
                    // These numbers belong to other nodes later, in particular after a save and a load.
                    if function.is_some() {
                        let typed = item.span.of(text);
                        let message = format!("`{typed}` is not allowed in a function's body");
                        let help = "give the node a name and use that";
                        return Err(fail(item.span, message, help));
                    }
                    Code::Value(self.value_of_reference(text, items, at)?)
                }
                ItemKind::Apply(Head::Operator(operator), count) => {
                    if let Some((list, name)) = repeated_list(text, items, at) {
                        let may_be_number = match code.last() {
                            Some(Code::Name(_)) => {
                                matches!(self.value_of_name(name, item.span), Ok(Value::Node(_)))
                            }
                            _ => true,
                        };
                        if may_be_number {
                            return Err(error::list_repetition(text, list, name));
                        }
                    }
                    Code::Operator(operator, count as usize)
                }
                ItemKind::Apply(Head::Function(name, primes), count) => {
                    // A call of itself is reported as recursion, even if the name means another function until now.
                    if function.is_some_and(|function| function != name) {
                        self.callee((name, primes), count as usize, item.span)?;
                    }
                    Code::Call {
                        name: keep(name),
                        primes,
                        count: count as usize,
                    }
                }
                ItemKind::Apply(Head::List, count) => Code::List(count as usize),
                ItemKind::Apply(Head::Index, _) => Code::Index,
                ItemKind::Apply(Head::Slice, _) => Code::Slice,
                ItemKind::Apply(Head::Range, _) => Code::Range,
                ItemKind::Apply(Head::Uncertain { per_cent }, _) => {
                    if function.is_some() || !loops.is_empty() {
                        let span = subtree_span(text, items, at);
                        let message = "each call or round would make another uncertain leaf";
                        let help = format!("name it before: `x = {}`", span.of(text));
                        return Err(fail(span, message, help));
                    }
                    Code::Uncertain(per_cent)
                }
                ItemKind::Variable(_) => Code::Variable,
                ItemKind::Each(count) => {
                    let count = count as usize;
                    let first = parameters.len() + variables.len();
                    loops.push((variables.len(), at));
                    let names = items[at - count..at].iter().filter_map(|item| match item.kind {
                        ItemKind::Variable(name) => Some(name),
                        _ => None,
                    });
                    variables.extend(names.clone().zip(first..));
                    Code::Each(first, names.map(Rc::from).collect(), 0)
                }
                ItemKind::Apply(Head::Collect, _) => Code::Collect,
                ItemKind::Property(property) => {
                    if property == Property::Grad && function.is_some() {
                        let message =
                            "a function's body has no `.grad`: it would mean another pass at each call";
                        let help =
                            "give the gradient a name and use that: `g = a.grad`; or use `grad(L, a)`";
                        return Err(fail(item.span, message, help));
                    }
                    if property == Property::Grad && !is_reference(items, at - 1) {
                        let message = "only a named node has a `.grad` to read";
                        let help = "give the expression a name and run `:grad` first";
                        return Err(fail(item.span, message, help));
                    }
                    Code::Property(property)
                }
            });
        }
        Ok(code)
    }
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

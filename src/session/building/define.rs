//! Function definitions: a body is compiled to postfix code, and everything in it is looked up once.
//!
//! Recursion is rejected with the chain of calls that leads back to the function. `calls` runs the code.

use std::rc::Rc;

use super::notes;
use crate::graph::Spelling;
use crate::report::Note;
use crate::session::Session;
use crate::session::error::{self, Error};
use crate::session::functions::{Code, Function, Functions, is_built_in};
use crate::session::history::Change;
use crate::syntax::{self, Definition, Head, Item, ItemKind, Property};

impl Session {
    /// All functions of the user's own.
    pub fn functions(&self) -> &Functions {
        &self.functions
    }

    /// Defines a function. Every name in its body must exist, and no call in it may lead back to the function.
    pub fn define(
        &mut self,
        text: &str,
        statement: &str,
        definition: &Definition,
    ) -> Result<(Rc<Function>, Vec<Note>), Error> {
        let parameters: Vec<Rc<str>> = definition
            .parameters
            .iter()
            .map(|parameter| Rc::from(parameter.name))
            .collect();
        let items = &definition.body.items;
        let made = self.graph.made();
        let mut code = Vec::with_capacity(items.len());
        for (at, item) in items.iter().enumerate() {
            let of_name = at.checked_sub(1).map(|before| items[before].kind);
            if item.kind == ItemKind::Property(Property::Grad)
                && !matches!(of_name, Some(ItemKind::Name(_)))
            {
                return Err(error::grad_of_expression(item.span));
            }
            code.push(self.compile(text, item, &parameters, definition)?);
        }
        // Drops the constants that the lookups created.
        self.graph.rewind(made);
        let name: Rc<str> = Rc::from(definition.name.name);
        let function = Rc::new(Function {
            name: Rc::clone(&name),
            parameters,
            body: Rc::from(syntax::infix(items)),
            differentiates: code.iter().any(Code::is_grad),
            code,
        });
        // A name that was never a function is called by no other body, so only direct recursion is possible. The full
        // search is needed for redefinitions and for names of built-in functions.
        let called = self.functions.knows(&name) || is_built_in(&name);
        let callees = function
            .callees()
            .filter(|callee| called || **callee == name);
        let callees = callees.map(Rc::clone).collect();
        if let Some(mut chain) = self.functions.chain_to(&name, callees) {
            chain.insert(0, Rc::clone(&name));
            return Err(error::recursion(definition.body.span, &chain));
        }
        let mut found: Vec<Note> = notes::vanished(text, &definition.body).collect();
        let old = self.functions.swap(&name, Some(Rc::clone(&function)));
        if old.is_none() && is_built_in(&name) {
            found.push(notes::hides_built_in(&name));
        }
        self.record(statement, &mut vec![Change::Function(name, old)]);
        Ok((function, found))
    }

    /// Compiles one item of a body, after looking up what it refers to.
    fn compile(
        &mut self,
        text: &str,
        item: &Item,
        parameters: &[Rc<str>],
        definition: &Definition,
    ) -> Result<Code, Error> {
        Ok(match item.kind {
            ItemKind::Number(literal) if literal.point => {
                Code::Number(literal.value, Spelling::Point)
            }
            ItemKind::Number(literal) => Code::Number(literal.value, Spelling::Plain),
            ItemKind::Name(name) => {
                if let Some(place) = parameters.iter().position(|known| &**known == name) {
                    return Ok(Code::Parameter(place));
                }
                self.named(name, item.span)?;
                Code::Name(Rc::from(name))
            }
            // Former names, ids and result numbers mean something else later, in particular after a save and a load.
            ItemKind::Former(..) | ItemKind::Id(_) | ItemKind::Result(_) => {
                return Err(error::reference_in_body(item.span.of(text), item.span));
            }
            ItemKind::Apply(Head::Operator(operator), count) => {
                Code::Operator(operator, count as usize)
            }
            ItemKind::Apply(Head::Function(name, primes), count) => {
                // A call of itself is reported as recursion, even if the name means another function until now.
                if name != definition.name.name {
                    self.callee(text, (name, primes), count as usize, item.span)?;
                }
                Code::Call(Rc::from(name), primes, count as usize)
            }
            ItemKind::Apply(..) | ItemKind::Variable(_) | ItemKind::Each(_) => unreachable!(),
            ItemKind::Property(property) => Code::Property(property),
        })
    }
}

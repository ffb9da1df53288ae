//! Functions of the user's own: `f(x) = 3x^2 - 4x + 5`.
//!
//! A body is kept as postfix code with its parameters told apart; every other name and function in it is looked up at
//! each call. Recursion is refused when a function is defined, by the chain that leads back to it. How a call runs is
//! `calls`' affair.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::notes;
use crate::graph::Spelling;
use crate::ops::Op;
use crate::report::Note;
use crate::session::Session;
use crate::session::error::Error;
use crate::session::history::Change;
use crate::session::naming::GRAD;
use crate::syntax;
use crate::syntax::{Definition, Head, Item, Kind, Operator, Property};

/// The most nodes one statement may make: without it, thirty lines of functions that call each other twice fill any
/// memory.
pub const STATEMENT_NODES: u32 = 10_000_000;

/// A function.
#[derive(Debug)]
pub struct Function {
    /// Its name.
    pub name: Rc<str>,
    /// Its parameters, in order.
    pub parameters: Vec<Rc<str>>,
    /// Its body, as the calculator prints it.
    pub body: Rc<str>,
    /// A `grad(…)` stands in it.
    pub(crate) differentiates: bool,
    pub(crate) code: Vec<Code>,
}

/// One step of a body.
#[derive(Debug)]
pub(crate) enum Code {
    Number(f64, Spelling),
    Parameter(usize),
    Name(Rc<str>),
    Operator(&'static Operator, usize),
    Call(Rc<str>, u8, usize),
    Property(Property),
}

/// The functions of a session, in order of definition.
#[derive(Debug, Default)]
pub struct Functions {
    index: FxHashMap<Rc<str>, usize>,
    entries: Vec<Option<Rc<Function>>>,
}

/// What a function name means at a call.
pub(crate) enum Callee {
    /// A row of the table.
    Built(&'static Op),
    /// A function of the user's own, with so many primes.
    Own(Rc<Function>, u8),
    /// `tanh'`, with so many primes.
    Derived(&'static Op, u8),
    /// `grad(…, …)`
    Grad,
}

impl Function {
    /// `f(x, y)`
    pub fn head(&self) -> String {
        format!("{}({})", self.name, self.parameters.join(", "))
    }

    /// The names in its body that are no parameters.
    pub fn names(&self) -> impl Iterator<Item = &Rc<str>> {
        self.code.iter().filter_map(|code| match code {
            Code::Name(name) => Some(name),
            _ => None,
        })
    }

    /// The functions its body calls, and with how many arguments.
    pub fn calls(&self) -> impl Iterator<Item = (&Rc<str>, usize)> {
        self.code.iter().filter_map(|code| match code {
            Code::Call(name, _, count) => Some((name, *count)),
            _ => None,
        })
    }

    /// The functions its body calls, by name.
    fn callees(&self) -> impl Iterator<Item = &Rc<str>> {
        self.code.iter().filter_map(|code| match code {
            Code::Call(name, ..) => Some(name),
            _ => None,
        })
    }
}

impl Code {
    fn is_grad(&self) -> bool {
        matches!(self, Code::Call(name, 0, _) if **name == *GRAD)
    }

    /// Is it one of a node's names?
    pub(crate) fn is_name(&self) -> bool {
        matches!(self, Code::Parameter(_) | Code::Name(_))
    }
}

impl Functions {
    /// A function by name.
    pub fn get(&self, name: &str) -> Option<&Rc<Function>> {
        self.entries[*self.index.get(name)?].as_ref()
    }

    /// Was there ever a function of this name?
    fn knows(&self, name: &str) -> bool {
        self.index.contains_key(name)
    }

    /// All of them, in order of first definition.
    pub fn iter(&self) -> impl Iterator<Item = &Rc<Function>> {
        self.entries.iter().flatten()
    }

    /// Puts a function, or none, under a name; returns what was there.
    pub fn swap(&mut self, name: &Rc<str>, function: Option<Rc<Function>>) -> Option<Rc<Function>> {
        let next = self.entries.len();
        let place = *self.index.entry(Rc::clone(name)).or_insert(next);
        if place == next {
            self.entries.push(None);
        }
        std::mem::replace(&mut self.entries[place], function)
    }

    /// How a function leads back to the name, if it does: `g`, `h`, `f`.
    fn chain_to(&self, name: &str, callees: Vec<Rc<str>>) -> Option<Vec<Rc<str>>> {
        let mut came_from: FxHashMap<Rc<str>, Option<Rc<str>>> = FxHashMap::default();
        let mut waiting: Vec<(Rc<str>, Option<Rc<str>>)> =
            callees.into_iter().map(|callee| (callee, None)).collect();
        while let Some((callee, from)) = waiting.pop() {
            if &*callee == name {
                let mut chain = vec![callee];
                let mut at = from;
                while let Some(function) = at {
                    at = came_from.get(&function).cloned().flatten();
                    chain.push(function);
                }
                chain.reverse();
                return Some(chain);
            }
            if came_from.contains_key(&callee) {
                continue;
            }
            came_from.insert(Rc::clone(&callee), from);
            if let Some(function) = self.get(&callee) {
                let further = function
                    .callees()
                    .map(|next| (Rc::clone(next), Some(Rc::clone(&callee))));
                waiting.extend(further);
            }
        }
        None
    }
}

impl Session {
    /// The functions there are.
    pub fn functions(&self) -> &Functions {
        &self.functions
    }

    /// Defines a function; every name in its body must exist, and no call may lead back to it.
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
            if item.kind == Kind::Property(Property::Grad)
                && !matches!(of_name, Some(Kind::Name(_)))
            {
                return Err(Error::GradOfExpression { span: item.span });
            }
            code.push(self.compile(text, item, &parameters, definition)?);
        }
        // Constants that were looked up are gone again.
        self.graph.rewind(made);
        let name: Rc<str> = Rc::from(definition.name.name);
        let function = Rc::new(Function {
            name: Rc::clone(&name),
            parameters,
            body: Rc::from(syntax::infix(items)),
            differentiates: code.iter().any(Code::is_grad),
            code,
        });
        // What never had this name is called by nobody, itself excepted: the search is for what is defined anew, and
        // for what takes a built-in's name, which other bodies may call.
        let called = self.functions.knows(&name) || crate::session::naming::is_built_in(&name);
        let callees = function
            .callees()
            .filter(|callee| called || **callee == name);
        let callees = callees.map(Rc::clone).collect();
        if let Some(mut chain) = self.functions.chain_to(&name, callees) {
            chain.insert(0, Rc::clone(&name));
            return Err(Error::Recursion {
                span: definition.body.span,
                chain,
            });
        }
        let mut found: Vec<Note> = definition
            .body
            .vanished
            .iter()
            .map(|span| notes::vanished(text, *span))
            .collect();
        let old = self.functions.swap(&name, Some(Rc::clone(&function)));
        if old.is_none() && crate::session::naming::is_built_in(&name) {
            found.push(notes::hides_built_in(&name));
        }
        self.record(statement, vec![Change::Function(name, old)]);
        Ok((function, found))
    }

    /// One item of a body, with everything in it looked up once to see that it exists.
    fn compile(
        &mut self,
        text: &str,
        item: &Item,
        parameters: &[Rc<str>],
        definition: &Definition,
    ) -> Result<Code, Error> {
        Ok(match item.kind {
            Kind::Number(literal) if literal.point => Code::Number(literal.value, Spelling::Point),
            Kind::Number(literal) => Code::Number(literal.value, Spelling::Plain),
            Kind::Name(name) => {
                if let Some(place) = parameters.iter().position(|known| &**known == name) {
                    return Ok(Code::Parameter(place));
                }
                self.named(name, item.span)?;
                Code::Name(Rc::from(name))
            }
            // What these mean changes under the function's feet, and is not what it was after a save and a load.
            Kind::Former(..) | Kind::Id(_) | Kind::Result(_) => {
                let text = item.span.of(text).to_string();
                return Err(Error::ReferenceInBody {
                    text,
                    span: item.span,
                });
            }
            Kind::Apply(Head::Operator(operator), count) => {
                Code::Operator(operator, count as usize)
            }
            Kind::Apply(Head::Function(name, primes), count) => {
                // Calling itself is told as recursion, whatever it was before.
                if name != definition.name.name {
                    self.callee(text, (name, primes), count as usize, item.span)?;
                }
                Code::Call(Rc::from(name), primes, count as usize)
            }
            Kind::Property(property) => Code::Property(property),
        })
    }
}

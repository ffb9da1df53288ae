//! What the functions of a file share, and a function before it has a name.
//!
//! `body` fills it in; functions with one text are one function.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::formula::{Formula, Templates};
use super::scope::{Array, ItemId, Scope, Structure};
use crate::graph::Node;
use crate::ops::{Dialect, Op};
use crate::session::Session;
use crate::study::export::identifiers::Identifiers;
use crate::study::export::program::{called, has_name};

/// Lines end before this column where they can.
pub(super) const WIDTH: usize = 100;

/// What all functions of a file share.
pub(super) struct Module<'s> {
    pub session: &'s Session,
    /// The functions, each after those that it calls.
    pub functions: Vec<String>,
    /// Their names, by everything else of their text.
    names: FxHashMap<String, String>,
    pub taken: Vec<String>,
    /// What nodes of the user are called.
    own: Vec<String>,
    /// How each operation is written.
    pub templates: Templates,
    /// The operations that are written.
    pub operations: usize,
    /// An operation that the language lacks.
    pub missing: Option<&'static Op>,
}

impl<'s> Module<'s> {
    pub(super) fn new(session: &'s Session, own: Vec<String>) -> Module<'s> {
        Module {
            session,
            functions: Vec::new(),
            names: FxHashMap::default(),
            taken: Vec::new(),
            own,
            templates: Templates::new(),
            operations: 0,
            missing: None,
        }
    }

    /// Can a formula stand where it is used?
    pub(super) fn is_hidden(&self, place: ItemId, scope: &Scope, structure: &Structure) -> bool {
        let is_named = has_name(self.session, &scope.item(place).node);
        structure.uses[place as usize] == 1 && !is_named
    }

    /// What some items are called in common: the name of their list, or what their names begin with.
    pub(super) fn name(&self, scope: &Scope, items: &[ItemId]) -> Option<String> {
        let mut names = [items.first()?, items.last()?].map(|&place| {
            let node = &scope.item(place).node;
            let is_named = has_name(self.session, node) && node.varies();
            let name = is_named.then(|| called(self.session, node))?;
            Some(match name.split_once('[') {
                Some((list, _)) => list.to_string(),
                None => name,
            })
        });
        let (first, last) = (names[0].take()?, names[1].take()?);
        if first == last {
            return Some(first);
        }
        let common = first.chars().zip(last.chars());
        let common: String = common.take_while(|(a, b)| a == b).map(|(a, _)| a).collect();
        let stem = common.trim_end_matches(|c: char| !c.is_alphabetic());
        (!stem.is_empty()).then(|| stem.to_string())
    }

    /// Adds a function, unless there is one like it, and returns its name.
    pub(super) fn function(
        &mut self,
        stem: &str,
        body: &ArrayFunction,
        of: (&Rc<Node>, usize),
    ) -> String {
        let arguments: Vec<&str> = body.arguments.iter().map(|(_, name)| &**name).collect();
        let mut text = format!("({}):\n", arguments.join(", "));
        for line in &body.lines {
            text.extend(["    ", line, "\n"]);
        }
        text.extend(["    return ", &body.formula.text]);
        if let Some(name) = self.names.get(&text) {
            return name.clone();
        }
        let taken = Dialect::Jax.reserved().map(|word| -> &str { word });
        let taken = taken.chain(self.taken.iter().map(String::as_str));
        let taken = taken.chain(self.own.iter().map(String::as_str));
        let name = Identifiers::except(taken).of(stem);
        let expression = self.session.expression(of.0);
        let is_short =
            expression.chars().count() < WIDTH - 30 && !expression.contains(['\n', '\r']);
        let about = if is_short {
            format!("# {expression} and {} more like it\n", of.1 - 1)
        } else {
            format!("# One of {} that are alike\n", of.1)
        };
        self.functions.push(format!("{about}def {name}{text}"));
        self.taken.push(name.clone());
        self.names.insert(text, name.clone());
        name
    }
}

/// A function without its name.
#[derive(Debug)]
pub(super) struct ArrayFunction {
    pub lines: Vec<String>,
    pub formula: Formula,
    pub arguments: Vec<(Array, String)>,
    /// Does the formula also hold with arrays in place of the numbers that are mapped?
    pub broadcasts: bool,
    pub operations: usize,
}

//! Constants that a call made, as a saved session writes them: `f(2)` in `f(a) + f(2)`.
//!
//! A constant has no name, so the file cannot say afterwards what it is shown as: it is written as the call. What the
//! function was then may not be what it is now, so before the statement the file defines it by what the call made:
//! `f(x0) = x0^2 + 1`. The definitions proper come at the end, as ever, and replace these.

use std::fmt::Write as _;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::definitions::parameters;
use super::literals::{item, push_constant};
use super::save_order::Outline;
use crate::graph::{Node, Spelling};
use crate::session::Session;
use crate::session::functions::is_built_in;
use crate::session::naming::Call;
use crate::syntax;
use crate::syntax::{Item, ItemKind};

/// A call whose body has more items is written out instead.
const ITEMS: usize = 200;

/// The calls of a script's constants.
pub(crate) struct ConstantCalls<'s> {
    /// Nothing if calls are not to be written.
    session: Option<&'s Session>,
    /// What each function is at this place of the file.
    defined: FxHashMap<&'s str, String>,
    /// What this statement needs; which of them are to be defined before it.
    needed: Vec<(&'s str, bool)>,
}

impl<'s> ConstantCalls<'s> {
    /// Of this script. The statements mean the built-in functions, so where one of the user's has the name of one
    /// no calls are written. Several functions are introduced first, so that they keep their order.
    pub(crate) fn introduced(
        session: &'s Session,
        outline: &Outline,
        text: &mut String,
    ) -> ConstantCalls<'s> {
        let mut constants = outline.constants.iter();
        let any = constants.any(|node| session.names.call_of(node).is_some());
        let hidden = || (session.functions.iter()).any(|function| is_built_in(&function.name));
        let written = any && !hidden();
        if written && session.functions.iter().nth(1).is_some() {
            for function in session.functions.iter() {
                let _ = writeln!(text, "{} = 0;", function.head());
            }
        }
        ConstantCalls {
            session: written.then_some(session),
            defined: FxHashMap::default(),
            needed: Vec::new(),
        }
    }

    /// The function and the arguments that a constant is written with, if it is written as a call. The definition is
    /// noted down as one that the statement needs.
    pub(crate) fn call(&mut self, node: &Rc<Node>) -> Option<(&'s str, Vec<Rc<Node>>)> {
        let session = self.session?;
        let (function, arguments) = known(session, node)?;
        let text = definition(function, node, &arguments)?;
        let same = self.defined.get(function) == Some(&text);
        if !self.needed.iter().any(|(name, _)| *name == function) {
            self.needed.push((function, !same));
            self.defined.insert(function, text);
        } else if !same {
            // Two calls of one function in a statement, between which it was defined anew.
            return None;
        }
        Some((function, arguments))
    }

    /// Writes the definitions that the statement needs.
    pub(crate) fn define(&mut self, text: &mut String) {
        for (function, new) in self.needed.drain(..) {
            if let (true, Some(definition)) = (new, self.defined.get(function)) {
                let _ = writeln!(text, "{definition};");
            }
        }
    }
}

/// The call that made a constant, of a function that there is, with constants that are still there.
fn known<'s>(session: &'s Session, node: &Rc<Node>) -> Option<(&'s str, Vec<Rc<Node>>)> {
    let Call {
        function,
        arguments,
        ..
    } = session.names.call_of(node)?;
    let function = &*session.functions.get(function)?.name;
    let arguments: Option<Vec<Rc<Node>>> = arguments.iter().map(std::rc::Weak::upgrade).collect();
    let arguments = arguments.filter(|given| !given.iter().any(|given| given.varies()))?;
    Some((function, arguments))
}

/// `f(x0, x1) = x0^2 + x1`: a function that makes this node of these arguments.
fn definition(function: &str, root: &Rc<Node>, arguments: &[Rc<Node>]) -> Option<String> {
    let names: Vec<String> = parameters(arguments.len()).collect();
    let mut items: Vec<Item> = Vec::new();
    // A node is taken up twice: first its operands go before it, then it stands itself.
    let mut waiting = vec![(root, false)];
    while let Some((node, ready)) = waiting.pop() {
        if items.len() + waiting.len() > ITEMS {
            return None;
        }
        let argument = arguments.iter().position(|given| Rc::ptr_eq(given, node));
        match (argument, node.op()) {
            (Some(place), _) => items.push(item(ItemKind::Name(&names[place]))),
            (None, None) => {
                let spelling = node.spelling().unwrap_or(Spelling::Plain);
                push_constant(node.data(), spelling, &mut items);
            }
            (None, Some(op)) if ready => {
                let count = node.operands().len() as u32;
                items.push(item(ItemKind::Apply(
                    crate::session::naming::labels::head(op),
                    count,
                )));
            }
            (None, Some(_)) => {
                waiting.push((node, true));
                waiting.extend(node.operands().iter().rev().map(|below| (below, false)));
            }
        }
    }
    Some(format!(
        "{function}({}) = {}",
        names.join(", "),
        syntax::infix(&items)
    ))
}

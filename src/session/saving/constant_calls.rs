//! Constants that were produced by a function call, such as `f(2)` in `f(a) + f(2)`, in a saved session.
//!
//! A constant has no name by which the file could set its label later, so it is written as the call. The function may
//! have changed since, so the file first defines it by what the call produced: `f(x0) = x0^2 + 1`. The real definitions
//! come at the end of the file and replace these.

use std::fmt::Write as _;
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::definitions::parameters;
use super::literals::push_constant;
use super::save_order::SaveOrder;
use crate::graph::{Node, NodeId};
use crate::session::Session;
use crate::session::functions::is_built_in;
use crate::session::naming::atoms::{self, item};
use crate::session::values::WeakValue;
use crate::syntax::{self, Item, ItemKind};

/// How many items of constants may be written in addition to one copy of each. Constants used again and again are
/// written as numbers once this is used up.
const BUDGET_ITEMS: usize = 100_000;
/// A call with a body of more items is saved as its expression.
const ITEMS: usize = 200;

/// The constants in a script, and their calls.
pub(crate) struct ConstantCalls<'s> {
    /// How many items of constants may still be written out.
    pub budget: usize,
    /// The constants that are written as numbers.
    pub numbers: FxHashSet<NodeId>,
    /// `None` if calls are not written.
    session: Option<&'s Session>,
    /// The definition that each function has at this place of the file.
    defined: FxHashMap<&'s str, String>,
    /// The functions that the current statement calls, and whether each must be defined first.
    needed: Vec<(&'s str, bool)>,
}

impl<'s> ConstantCalls<'s> {
    /// For this script. Statements use the built-in functions, so no calls are written if the user has redefined one of
    /// those. If there are several functions, all are introduced first so that their order is kept.
    pub(crate) fn introduced(
        session: &'s Session,
        outline: &SaveOrder,
        text: &mut String,
    ) -> ConstantCalls<'s> {
        let mut constants = outline.constants.iter();
        let any = constants.any(|node| session.names.calls.of(node).is_some());
        let hidden = || (session.functions.iter()).any(|function| is_built_in(&function.name));
        let written = any && !hidden();
        if written && session.functions.iter().nth(1).is_some() {
            for function in session.functions.iter() {
                let _ = writeln!(text, "{} = 0;", function.head());
            }
        }
        ConstantCalls {
            budget: BUDGET_ITEMS + 4 * outline.constants.len(),
            numbers: FxHashSet::default(),
            session: written.then_some(session),
            defined: FxHashMap::default(),
            needed: Vec::new(),
        }
    }

    /// The function and the arguments of the call as which a constant is written, if it is. Notes that the statement
    /// needs the definition.
    pub(crate) fn call(&mut self, node: &Rc<Node>) -> Option<(&'s str, Vec<Rc<Node>>)> {
        let session = self.session?;
        let (function, arguments) = known(session, node)?;
        let text = definition(function, node, &arguments)?;
        let same = self.defined.get(function) == Some(&text);
        if !self.needed.iter().any(|(name, _)| *name == function) {
            self.needed.push((function, !same));
            self.defined.insert(function, text);
        } else if !same {
            // The statement contains two calls of one function that was redefined between them.
            return None;
        }
        Some((function, arguments))
    }

    /// Writes the definitions that the current statement needs.
    pub(crate) fn define(&mut self, text: &mut String) {
        for (function, new) in self.needed.drain(..) {
            if let (true, Some(definition)) = (new, self.defined.get(function)) {
                let _ = writeln!(text, "{definition};");
            }
        }
    }
}

/// The call that produced a constant, if the function still exists and all arguments are living constants.
fn known<'s>(session: &'s Session, node: &Rc<Node>) -> Option<(&'s str, Vec<Rc<Node>>)> {
    let call = session.names.calls.of(node)?;
    let function = &*session.functions.get(&call.function)?.name;
    let argument = |argument: &WeakValue| argument.upgrade()?.node().cloned();
    let arguments: Option<Vec<Rc<Node>>> = call.arguments.iter().map(argument).collect();
    let arguments = arguments.filter(|given| !given.iter().any(|given| given.varies()))?;
    Some((function, arguments))
}

/// The definition of a function that produces `root` from these arguments: `f(x0, x1) = x0^2 + x1`.
fn definition(function: &str, root: &Rc<Node>, arguments: &[Rc<Node>]) -> Option<String> {
    let names: Vec<String> = parameters(arguments.len()).collect();
    let mut items: Vec<Item> = Vec::new();
    // Each node is visited twice: first to put its operands before it, then to put the node itself.
    let mut waiting = vec![(root, false)];
    while let Some((node, ready)) = waiting.pop() {
        if items.len() + waiting.len() > ITEMS {
            return None;
        }
        let argument = arguments.iter().position(|given| Rc::ptr_eq(given, node));
        match (argument, node.op()) {
            (Some(place), _) => items.push(item(ItemKind::Name(&names[place]))),
            (None, None) => push_constant(node.data(), node.spelling(), &mut items),
            (None, Some(op)) if ready => {
                let count = node.operands().len() as u32;
                items.push(item(ItemKind::Apply(atoms::typed_head(op), count)));
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

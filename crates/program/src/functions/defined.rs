//! Stores the functions that the user has defined, `f(x) = 3x^2 - 4x + 5`.

use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::built_in::is_built_in;
use super::function::Function;
use chainrule_language::canonical_name;

/// The functions of a session.
#[derive(Debug, Default)]
pub struct Functions {
    /// The functions by name; `None` for a function that was forgotten.
    by_name: FxHashMap<Rc<str>, Option<Rc<Function>>>,
    /// The number of definitions so far.
    defined: usize,
    /// The names that a body has ever called.
    called: FxHashSet<Rc<str>>,
    /// Whether a function has ever called one that comes after it in the order of definition.
    has_called_later: bool,
    /// The number of functions that are networks.
    networks: usize,
}

impl Functions {
    /// The function with this name.
    pub fn get(&self, name: &str) -> Option<&Rc<Function>> {
        self.by_name.get(&*canonical_name(name))?.as_ref()
    }

    /// Whether this is the name of one of them and of a built-in function.
    pub fn hide_built_in(&self, name: &str) -> bool {
        is_built_in(name) && self.get(name).is_some()
    }

    /// Whether no function was ever defined.
    pub fn is_empty(&self) -> bool {
        self.by_name.is_empty()
    }

    /// All functions, in the order of definition.
    pub fn iter(&self) -> impl Iterator<Item = &Rc<Function>> {
        let mut all: Vec<&Rc<Function>> = self.by_name.values().flatten().collect();
        all.sort_unstable_by_key(|function| function.place);
        all.into_iter()
    }

    /// Whether a function is a network that the program has built.
    pub fn has_network(&self) -> bool {
        self.networks > 0
    }

    /// Whether a list holds the weights of a layer of such a network.
    pub fn is_weight_list(&self, list: &str) -> bool {
        let network = list.rsplit_once('_').and_then(|(name, _)| self.get(name));
        network.is_some_and(|it| it.is_network() && it.names().any(|used| used == list))
    }

    /// The position of a function in the order of definition. A new definition keeps the position of the old one.
    pub fn place(&self, name: &str) -> usize {
        self.get(name).map_or(self.defined, |known| known.place)
    }

    /// Looks for a cycle if `name` calls the functions `callees`. Returns the function that calls `name`: itself, or one
    /// below the called ones.
    pub(crate) fn caller_of(&self, name: &Rc<str>, callees: Vec<Rc<str>>) -> Option<Rc<str>> {
        if callees.contains(name) {
            return Some(Rc::clone(name));
        }
        // If all functions call only older ones, there is no cycle, and no search is needed.
        let calls_older = |own: &Rc<Function>| callees.iter().all(|it| self.is_before(it, own));
        let is_in_order = !self.has_called_later && self.get(name).is_some_and(calls_older);
        if is_in_order || !self.called.contains(name) {
            return None;
        }
        // The stack is explicit, because the chain of calls may be long.
        let mut waiting = callees;
        let mut seen: FxHashSet<Rc<str>> = FxHashSet::default();
        while let Some(caller) = waiting.pop() {
            let next = || self.get(&caller).into_iter().flat_map(|it| it.callees());
            if next().any(|callee| *callee == **name) {
                return Some(caller);
            }
            if seen.insert(Rc::clone(&caller)) {
                waiting.extend(next().map(Rc::from));
            }
        }
        None
    }

    /// Whether the function with this name, if there is one, comes before another one in the order of definition.
    fn is_before(&self, name: &str, other: &Function) -> bool {
        self.get(name).is_none_or(|it| it.place < other.place)
    }

    /// Exchanges the function of a name.
    pub fn swap(&mut self, name: &Rc<str>, function: &mut Option<Rc<Function>>) {
        if let Some(function) = function {
            self.defined += 1;
            self.networks += usize::from(function.is_network());
            function.is_current.set(true);
            // Another function may have called this name while it was built in, or before it was forgotten.
            let comes_late = self.get(name).is_none() && self.called.contains(name);
            let is_in_order = function.callees().all(|it| self.is_before(it, function));
            self.has_called_later |= comes_late || !is_in_order;
            self.called.extend(function.callees().map(Rc::from));
        }
        std::mem::swap(self.by_name.entry(Rc::clone(name)).or_default(), function);
        if let Some(before) = function {
            self.networks -= usize::from(before.is_network());
            before.is_current.set(false);
        }
    }
}

//! The functions that the user has defined: `f(x) = 3x^2 - 4x + 5`.
//!
//! A body is stored as postfix code in which parameters are marked. Other names and functions in it are looked up at
//! each call.

mod library;
mod operators;

pub(crate) use self::library::Work;
pub use self::library::{GRAD, LIBRARY, LibraryFunction};
pub(crate) use self::operators::operation;

use std::borrow::Cow;
use std::cell::Cell;
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::session::logged::Keyed;
use crate::session::values::Value;
use chainrule_engine::graph::Spelling;
use chainrule_engine::ops::{self, Op};
use chainrule_language::{Operator, Property, canonical_name};

/// A function of the user's own.
#[derive(Debug)]
pub struct Function {
    /// Its name.
    pub name: Rc<str>,
    /// Its parameters, in order.
    pub parameters: Vec<Rc<str>>,
    /// Its body, as the calculator prints it.
    pub body: Rc<str>,
    /// What was typed for a function of several lines, which are run at each call.
    pub lines: Option<Rc<str>>,
    /// Its place in the order of definition.
    pub(crate) place: usize,
    /// Whether its name stands for it now, and not for a later definition or none.
    pub(crate) is_current: Cell<bool>,
    /// Whether `grad(…)` occurs in it.
    pub(crate) differentiates: bool,
    pub(crate) code: Vec<Code<'static>>,
}

/// One instruction of a statement or of a function's body, in postfix order: each item of the syntax tree is one.
/// Operators and calls take that many values from the stack.
#[derive(Debug)]
pub(crate) enum Code<'t> {
    Number(f64, Spelling),
    /// A parameter, a name that the function assigns, or a variable of a `for`, by its number among them.
    Parameter(usize),
    /// Gives this many further names of the function the values on the stack.
    Assign(usize),
    Name(Cow<'t, str>),
    /// What a former name, an id or a result number referred to when the code was compiled.
    Value(Value),
    Operator(&'static Operator, usize),
    /// A call with primes and arguments.
    Call {
        name: Cow<'t, str>,
        primes: u8,
        count: usize,
    },
    List(usize),
    Index,
    Slice,
    Range,
    /// `(5 ± 0.1)`; whether the width is per cent.
    Uncertain(bool),
    /// A variable, which is an operand of the next `Each` and no value.
    Variable,
    /// Begins a loop over the list on the stack, with the number of its first variable and the names of all. Its end is so
    /// many instructions away.
    Each(usize, Rc<[Rc<str>]>, usize),
    /// Ends a loop, or begins its next round.
    Collect,
    /// `.data` or `.grad`.
    Property(Property),
}

/// The functions of a session.
#[derive(Debug, Default)]
pub struct Functions {
    /// By name; none for a function that was forgotten.
    by_name: FxHashMap<Rc<str>, Option<Rc<Function>>>,
    /// How many definitions there have been.
    defined: usize,
    /// The names that a body has ever called.
    called: FxHashSet<Rc<str>>,
    /// Whether a function has ever called one that comes after it in the order of definition.
    calls_later: bool,
    /// How many of the functions are networks.
    networks: usize,
}

/// What a function's name means at a call.
pub(crate) enum Callee {
    /// A built-in function: a row of the table.
    Built(&'static Op),
    /// A function of the user's own, with this many primes.
    Own(Rc<Function>, u8),
    /// A built-in function with this many primes: `tanh'`.
    Derived(&'static Op, u8),
    /// The quotient of two of these logarithms: `log(x, b)`.
    Logarithm(&'static Op),
    /// A function of the library: `dot`, `uniform`, `grad`.
    Library(&'static LibraryFunction),
}

impl Function {
    /// `f(x, y)`
    pub fn head(&self) -> String {
        format!("{}({})", self.name, self.parameters.join(", "))
    }

    /// The names in its body that are not parameters.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.code.iter().filter_map(|code| match code {
            Code::Name(name) => Some(&**name),
            _ => None,
        })
    }

    /// The functions its body calls, each with its number of arguments.
    pub fn calls(&self) -> impl Iterator<Item = (&str, usize)> {
        self.code.iter().filter_map(|code| match code {
            Code::Call { name, count, .. } => Some((&**name, *count)),
            _ => None,
        })
    }

    /// Whether it is a network that the program has built: a function `n` of the lists `n_0`, `n_1`, ….
    fn is_network(&self) -> bool {
        self.names()
            .any(|name| name.strip_suffix("_0") == Some(&self.name))
    }

    /// The names of the functions its body calls.
    pub(crate) fn callees(&self) -> impl Iterator<Item = &str> {
        self.calls().map(|(name, _)| name)
    }
}

impl Code<'_> {
    pub(crate) fn is_grad(&self) -> bool {
        matches!(self, Code::Call { name, primes: 0, .. } if **name == *GRAD)
    }
}

impl Functions {
    /// The function with this name.
    pub fn get(&self, name: &str) -> Option<&Rc<Function>> {
        self.by_name.get(&*canonical_name(name))?.as_ref()
    }

    /// Whether there never was a function.
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
    pub(crate) fn has_network(&self) -> bool {
        self.networks > 0
    }

    /// Whether a list holds the weights of a layer of such a network.
    pub(crate) fn is_weight_list(&self, list: &str) -> bool {
        let network = list.rsplit_once('_').and_then(|(name, _)| self.get(name));
        network.is_some_and(|it| it.is_network() && it.names().any(|used| used == list))
    }

    /// The place of a function in that order. One that is defined anew keeps it.
    pub(crate) fn place(&self, name: &str) -> usize {
        self.get(name).map_or(self.defined, |known| known.place)
    }

    /// Which function would call this one, if it called the waiting ones: itself, or one that they call. Finds recursion,
    /// with an explicit stack since the chain may be long.
    pub(crate) fn caller_of(&self, name: &Rc<str>, mut waiting: Vec<Rc<str>>) -> Option<Rc<str>> {
        if waiting.contains(name) {
            return Some(Rc::clone(name));
        }
        let are_before = |own| waiting.iter().all(|callee| self.is_before(callee, own));
        let is_in_order = !self.calls_later && self.get(name).is_some_and(|own| are_before(own));
        if is_in_order || !self.called.contains(name) {
            return None;
        }
        let mut seen: FxHashSet<Rc<str>> = FxHashSet::default();
        while let Some(caller) = waiting.pop() {
            let Some(function) = self.get(&caller) else {
                continue;
            };
            if seen.insert(Rc::clone(&caller)) {
                if function.callees().any(|callee| *callee == **name) {
                    return Some(caller);
                }
                waiting.extend(function.callees().map(Rc::from));
            }
        }
        None
    }

    /// Whether the function with this name, if there is one, comes before another one in the order of definition.
    fn is_before(&self, name: &str, other: &Function) -> bool {
        self.get(name).is_none_or(|it| it.place < other.place)
    }
}

impl Keyed for Functions {
    type Key = Rc<str>;
    type Value = Option<Rc<Function>>;

    fn swap(&mut self, name: &Rc<str>, function: Option<Rc<Function>>) -> Option<Rc<Function>> {
        self.defined += usize::from(function.is_some());
        let is_current = |function: &Option<Rc<Function>>, now| {
            if let Some(function) = function {
                function.is_current.set(now);
            }
        };
        let networks = |function: &Option<Rc<Function>>| {
            usize::from(function.as_ref().is_some_and(|it| it.is_network()))
        };
        is_current(&function, true);
        if let Some(function) = &function {
            // Another one may have called it while it was built in, or before it was forgotten.
            let comes_late = self.get(name).is_none() && self.called.contains(name);
            let is_in_order = function.callees().all(|it| self.is_before(it, function));
            self.calls_later |= comes_late || !is_in_order;
            self.called.extend(function.callees().map(Rc::from));
        }
        self.networks += networks(&function);
        let before = self.by_name.insert(Rc::clone(name), function).flatten();
        self.networks -= networks(&before);
        is_current(&before, false);
        before
    }
}

/// Whether a built-in function has this name.
pub(crate) fn is_built_in(name: &str) -> bool {
    !ops::functions(name).is_empty() || LibraryFunction::find(name).is_some()
}

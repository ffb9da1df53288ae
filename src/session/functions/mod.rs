//! Stores the functions that the user has defined, `f(x) = 3x^2 - 4x + 5`, and finds the operations of operators.
//!
//! A body is postfix [`Code`] in which parameters and assigned names are slots. Each call looks up the other names and
//! functions.

mod any_value;
mod code;
mod library;

pub(crate) use self::any_value::{AnyValue, OwnFunction, function_error};
pub(crate) use self::code::{Act, Branches, Code, Instruction, Slot, Target};
pub(crate) use self::library::Work;
pub use self::library::{GRAD, LIBRARY, LibraryFunction, is_python_name, native_name};

use std::cell::Cell;
use std::rc::Rc;
use std::sync::LazyLock;

use rustc_hash::{FxHashMap, FxHashSet};

use chainrule_engine::ops::{self, Op, Shape as Notation};
use chainrule_language::precedence::{self, Grouping};
use chainrule_language::{Operator, canonical_name};

/// A function of the user's own.
#[derive(Clone, Debug, Default)]
pub struct Function {
    /// The name of the function.
    pub name: Rc<str>,
    /// The parameters, in order.
    pub parameters: Vec<Rc<str>>,
    /// The body, as the calculator prints it.
    pub body: Rc<str>,
    /// The text that contains a function of several lines; `None` for a formula.
    pub lines: Option<Rc<str>>,
    /// The position in the order of definition.
    pub(crate) place: usize,
    /// Whether the name still stands for this function. A later definition or `:del` ends this.
    pub(crate) is_current: Cell<bool>,
    /// Whether the body calls `grad(…)`.
    pub(crate) has_grad: bool,
    /// The values of the last parameters in a call that leaves them out.
    pub(crate) defaults: Vec<AnyValue>,
    /// Whether the last parameter takes all further arguments as a list.
    pub(crate) has_rest: bool,
    /// The number of slots: the parameters and the names that the body assigns.
    pub(crate) slots: usize,
    pub(crate) code: Rc<[Instruction]>,
}

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

/// The meaning of a function's name at a call.
pub(crate) enum Callee {
    /// A built-in function: a row of the table.
    Built(&'static Op),
    /// A function of the user's own.
    Own(Rc<Function>),
    /// A built-in function with this many primes: `tanh'`.
    Derived(&'static Op, u8),
    /// The quotient of two logarithms: `log(x, b)`.
    Logarithm,
    /// A function of the library: `dot`, `uniform`, `grad`.
    Library(&'static LibraryFunction),
}

impl Function {
    /// The head of the definition: `f(x, y)`.
    pub fn head(&self) -> String {
        let mut parameters = self.parameters.join(", ");
        if self.has_rest {
            let last = self.parameters.last().map_or(0, |last| last.len());
            parameters.insert(parameters.len() - last, '*');
        }
        format!("{}({parameters})", self.name)
    }

    /// The names of the session in the body.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.code.iter().filter_map(|it| match &it.code {
            Code::Get(Target::Name(name)) => Some(&**name),
            _ => None,
        })
    }

    /// Whether the function is a network that the program has built: a function `n` of the lists `n_0`, `n_1`, ….
    fn is_network(&self) -> bool {
        self.names()
            .any(|name| name.strip_suffix("_0") == Some(&self.name))
    }

    /// The names of the functions that a formula calls. None for a function of several lines, which may call itself.
    pub(crate) fn callees(&self) -> impl Iterator<Item = &str> {
        let code = self.code.iter().filter(|_| self.lines.is_none());
        code.filter_map(|it| it.code.callee())
    }

    /// Whether a call may run in a branch that is not taken: a formula that draws no random number and has no condition.
    /// With conditions, the work for both branches would double with each call.
    pub(crate) fn is_plain(&self) -> bool {
        let is_plain = |it: &Instruction| it.code.is_plain() && !matches!(it.code, Code::Then(_));
        self.lines.is_none() && self.code.iter().all(is_plain)
    }

    /// The fewest and the most arguments of a call.
    pub(crate) fn counts(&self) -> (usize, usize) {
        let most = self.parameters.len();
        if self.has_rest {
            return (most - 1, usize::MAX);
        }
        (most - self.defaults.len(), most)
    }
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
    pub(crate) fn has_network(&self) -> bool {
        self.networks > 0
    }

    /// Whether a list holds the weights of a layer of such a network.
    pub(crate) fn is_weight_list(&self, list: &str) -> bool {
        let network = list.rsplit_once('_').and_then(|(name, _)| self.get(name));
        network.is_some_and(|it| it.is_network() && it.names().any(|used| used == list))
    }

    /// The position of a function in the order of definition. A new definition keeps the position of the old one.
    pub(crate) fn place(&self, name: &str) -> usize {
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

    /// Changes the function of a name, and returns the old one.
    pub(in crate::session) fn swap(
        &mut self,
        name: Rc<str>,
        function: Option<Rc<Function>>,
    ) -> Option<Rc<Function>> {
        if let Some(function) = &function {
            self.defined += 1;
            self.networks += usize::from(function.is_network());
            function.is_current.set(true);
            // Another function may have called this name while it was built in, or before it was forgotten.
            let comes_late = self.get(&name).is_none() && self.called.contains(&name);
            let is_in_order = function.callees().all(|it| self.is_before(it, function));
            self.has_called_later |= comes_late || !is_in_order;
            self.called.extend(function.callees().map(Rc::from));
        }
        let before = self.by_name.insert(name, function).flatten();
        if let Some(before) = &before {
            self.networks -= usize::from(before.is_network());
            before.is_current.set(false);
        }
        before
    }
}

/// Whether a built-in function has this name.
pub(crate) fn is_built_in(name: &str) -> bool {
    !ops::functions(name).is_empty() || LibraryFunction::find(name).is_some()
}

/// The row of an operator in the table of operations.
fn row_of(operator: &Operator) -> &'static Op {
    let shape = match operator.grouping {
        Grouping::Prefix => Notation::Prefix,
        Grouping::Postfix => Notation::Postfix,
        Grouping::Left | Grouping::Right | Grouping::Alone => Notation::Infix,
    };
    let row = ops::operator(operator.spelling, shape);
    row.expect("a test checks that each operator has a row")
}

/// The operation of an operator. The rows are looked up once, for all operators of the language.
pub(crate) fn operation(operator: &'static Operator) -> &'static Op {
    static OPERATIONS: LazyLock<Vec<&'static Op>> =
        LazyLock::new(|| precedence::OPERATORS.iter().map(row_of).collect());
    let mut pairs = precedence::OPERATORS.iter().zip(&*OPERATIONS);
    let found = pairs.find(|(known, _)| std::ptr::eq(*known, operator));
    found.expect("each operator is one of the language").1
}

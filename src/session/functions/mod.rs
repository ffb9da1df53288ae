//! Stores the functions that the user has defined, `f(x) = 3x^2 - 4x + 5`, and defines the instructions of their code,
//! [`Code`].
//!
//! A body is postfix code in which parameters and assigned names are slots. Each call looks up the other names and
//! functions.

mod library;

pub(crate) use self::library::Work;
pub use self::library::{GRAD, LIBRARY, LibraryFunction, is_python_name, native_name};

use std::borrow::Cow;
use std::cell::Cell;
use std::rc::Rc;
use std::sync::LazyLock;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::session::values::{CodeWord, Value};
use chainrule_engine::graph::Spelling;
use chainrule_engine::ops::{self, Op, Shape as Notation};
use chainrule_language::precedence::{self, Grouping};
use chainrule_language::{Operator, PrintPiece, Printing, Property, Span, canonical_name};

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
    pub(crate) defaults: Vec<Value>,
    /// Whether the last parameter takes all further arguments as a list.
    pub(crate) has_rest: bool,
    /// The number of slots: the parameters and the names that the body assigns.
    pub(crate) slots: usize,
    pub(crate) code: Rc<[Instruction<'static>]>,
}

/// An instruction and its place in the text.
#[derive(Clone, Debug)]
pub(crate) struct Instruction<'t> {
    pub(crate) code: Code<'t>,
    pub(crate) span: Span,
}

/// An instruction of a statement or of a function's body, in postfix order. Most items of an expression become one
/// instruction. Operators, lists and calls say how many values they take from the stack. From `Leaf` on, most
/// instructions occur only in blocks.
#[derive(Clone, Debug)]
pub(crate) enum Code<'t> {
    Number(f64, Spelling),
    /// The value of a name.
    Get(Target<'t>),
    /// The value to which a former name, an id or a result number referred when the code was compiled.
    Value(Value),
    /// A word: `'OK'`, `None`.
    Word(CodeWord),
    Operator(&'static Operator, usize),
    /// A call with primes and arguments. The last arguments have these names: `f(2, b=3)`.
    Call {
        function: Target<'t>,
        primes: u8,
        count: usize,
        named: Option<Rc<[Rc<str>]>>,
    },
    List(usize),
    Index,
    Slice,
    Range,
    /// `(5 ± 0.1)`. `true` means that the width is per cent.
    Uncertain(bool),
    /// A variable: an operand of the next `Each`, but no value.
    Variable,
    /// Begins a loop over the list on the stack, with the slot of its first variable, the names of all variables, and
    /// the number of instructions to its end.
    Each(usize, Rc<[Rc<str>]>, usize),
    /// Ends a loop, or begins its next round.
    Collect,
    /// `.data`, `.grad` or `.sigma`.
    Property(Property),
    /// `Value(2.0)`: a new leaf.
    Leaf,
    /// Jumps to an instruction.
    Jump(usize),
    /// Jumps to an instruction if the number on the stack is 0.
    JumpUnless(usize),
    /// Begins a statement of a block.
    Begin,
    /// Makes leaves of the numbers that depend on no leaf.
    Leaves {
        is_frozen: bool,
    },
    /// Replaces a list by its items, which must be this many.
    Unpack(usize),
    /// Gives names the values on the stack.
    Bind(Rc<[Target<'t>]>),
    /// Adds the value on the stack to the list of a function's name. `true` means `extend`, which adds the items of the
    /// value.
    Append(Slot, bool),
    /// Labels the node on the stack.
    Label(Rc<str>),
    /// Drops a value.
    Drop,
    /// Begins the loop of a block over the list on the stack.
    Loop,
    /// Begins the loop of a block that a condition ends.
    While,
    /// Begins the next round of a loop over a list. After the last round, jumps to an instruction.
    Next(Rc<[Target<'t>]>, usize),
    /// Begins the next round of a loop with a condition.
    Round,
    /// Ends the loop and jumps to an instruction.
    EndLoop(usize),
    /// Ends the call with the value on the stack.
    Return,
    /// Defines a function. This number of values on the stack are the defaults of its last parameters.
    Define(Rc<Function>, usize, Target<'t>),
    /// Lets the interpreter perform an act.
    Act(Rc<Act>),
}

/// The meaning of a name in code.
#[derive(Clone, Debug)]
pub(crate) enum Target<'t> {
    /// A parameter of a function, a name that it assigns, or a variable of a `for`.
    Local(Slot),
    /// A name of the session.
    Name(Cow<'t, str>),
}

/// The index of a value in the frame of a function, and the number of functions between that function and the running
/// one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Slot {
    pub(crate) levels: usize,
    pub(crate) place: usize,
}

/// An act of a statement outside of expressions. Its values are on the stack.
#[derive(Debug)]
pub(crate) enum Act {
    /// `print(k, L)`
    Print(Rc<Printing>),
    /// `L.backward()`, with the text of this line.
    Backward(Rc<str>),
    /// `p.data = 3`. If `p` is the variable of a loop, also the text of its list.
    Data(Option<Rc<str>>),
    /// `true` for `p.grad = 0`, `false` for `n.zero_grad()`.
    Zero(bool),
    /// `x.append(3)` for a list of the session, or with `true` `x.extend([3, 4])`.
    Append(Rc<str>, bool),
}

impl Act {
    /// The number of values that it takes from the stack.
    pub(crate) fn operands(&self) -> usize {
        match self {
            Act::Print(printed) => {
                let pieces = printed.arguments.iter().flatten();
                pieces
                    .filter(|it| matches!(it, PrintPiece::Value(_)))
                    .count()
            }
            Act::Backward(_) | Act::Append(..) => 1,
            Act::Data(_) => 2,
            Act::Zero(one) => usize::from(*one),
        }
    }
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

    /// The fewest and the most arguments of a call.
    pub(crate) fn counts(&self) -> (usize, usize) {
        let most = self.parameters.len();
        if self.has_rest {
            return (most - 1, usize::MAX);
        }
        (most - self.defaults.len(), most)
    }
}

impl Code<'_> {
    /// The number of values on the stack that the instruction uses. Values that it only passes on do not count.
    pub(super) fn operands(&self) -> usize {
        match self {
            Code::Operator(_, count) | Code::List(count) => *count,
            Code::Slice => 3,
            Code::Index | Code::Range | Code::Uncertain(_) => 2,
            Code::Each(..)
            | Code::Collect
            | Code::Property(_)
            | Code::Leaf
            | Code::JumpUnless(_)
            | Code::Unpack(_)
            | Code::Append(..)
            | Code::Label(_)
            | Code::Loop => 1,
            Code::Act(act) if !matches!(**act, Act::Print(_)) => act.operands(),
            _ => 0,
        }
    }

    /// The name in a call of a function of the session.
    fn callee(&self) -> Option<&str> {
        match self {
            Code::Call {
                function: Target::Name(name),
                ..
            } => Some(name),
            _ => None,
        }
    }

    /// Whether it is a call of `grad`.
    pub(crate) fn is_grad(&self) -> bool {
        self.callee() == Some(GRAD) && matches!(self, Code::Call { primes: 0, .. })
    }
}

impl Functions {
    /// The function with this name.
    pub fn get(&self, name: &str) -> Option<&Rc<Function>> {
        self.by_name.get(&*canonical_name(name))?.as_ref()
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

    /// Looks for a cycle if `name` calls the functions `waiting`. Returns the function that calls `name`: itself, or
    /// one below the called ones. The stack is explicit, because the chain may be long.
    pub(crate) fn caller_of(&self, name: &Rc<str>, mut waiting: Vec<Rc<str>>) -> Option<Rc<str>> {
        if waiting.contains(name) {
            return Some(Rc::clone(name));
        }
        let are_before = |own| waiting.iter().all(|callee| self.is_before(callee, own));
        // If all functions call only older ones, there is no cycle, and no search is needed.
        let is_in_order =
            !self.has_called_later && self.get(name).is_some_and(|own| are_before(own));
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
    let place = std::ptr::from_ref(operator) as usize - precedence::OPERATORS.as_ptr() as usize;
    OPERATIONS[place / size_of::<Operator>()]
}

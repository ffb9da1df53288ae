//! Defines the functions of the user, the instructions of their bodies and of statements, and the values of both.
//!
//! A body is postfix [`Code`] in which parameters and assigned names are slots. Each call looks up the other names and
//! functions. The types here contain each other.

use std::cell::Cell;
use std::rc::Rc;

use super::library::{GRAD, LibraryFunction};
use crate::error::{Error, fail, list_for_number};
use crate::values::Value;
use chainrule_engine::graph::{Node, Spelling};
use chainrule_engine::ops::Op;
use chainrule_language::{ListChange, Name, Printing, Property, Span};

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
    pub place: usize,
    /// Whether the name still stands for this function. A later definition or `:del` ends this.
    pub is_current: Cell<bool>,
    /// Whether the body calls `grad(…)`.
    pub has_grad: bool,
    /// The values of the last parameters in a call that leaves them out.
    pub defaults: Vec<AnyValue>,
    /// Whether the last parameter takes all further arguments as a list.
    pub has_rest: bool,
    /// The number of slots: the parameters and the names that the body assigns.
    pub slots: usize,
    pub(crate) code: Rc<[Instruction]>,
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
            Code::Get(Variable::Name(name)) => Some(&**name),
            _ => None,
        })
    }

    /// Whether the function is a network that the program has built: a function `n` of the lists `n_0`, `n_1`, ….
    pub(crate) fn is_network(&self) -> bool {
        self.names()
            .any(|name| name.strip_suffix("_0") == Some(&self.name))
    }

    /// Whether a formula calls the derivative of a function: `f'`.
    pub fn calls_derivative(&self) -> bool {
        let is_primed = |it: &Instruction| matches!(it.code, Code::Call { primes: 1.., .. });
        self.lines.is_none() && self.code.iter().any(is_primed)
    }

    /// The names of the functions that it calls. A function of several lines may call itself.
    pub fn called(&self) -> impl Iterator<Item = &str> {
        self.code.iter().filter_map(|it| it.code.callee())
    }

    /// The functions without a name in the body: `lambda t: a*t`.
    pub fn lambdas(&self) -> impl Iterator<Item = &Rc<Function>> {
        self.code.iter().filter_map(|it| match &it.code {
            Code::Lambda(function) => Some(function),
            _ => None,
        })
    }

    /// The names of the functions that a formula calls. None for a function of several lines.
    pub fn callees(&self) -> impl Iterator<Item = &str> {
        self.called().filter(|_| self.lines.is_none())
    }

    /// Whether a call may run in a branch that is not taken: a formula that draws no random number and has no condition.
    /// With conditions, the work for both branches would double with each call.
    pub fn is_plain(&self) -> bool {
        let is_plain = |it: &Instruction| it.code.is_plain() && !matches!(it.code, Code::Then(_));
        self.lines.is_none() && self.code.iter().all(is_plain)
    }

    /// The fewest and the most arguments of a call.
    pub fn counts(&self) -> (usize, usize) {
        let most = self.parameters.len();
        if self.has_rest {
            return (most - 1, usize::MAX);
        }
        (most - self.defaults.len(), most)
    }
}

/// An instruction and its place in the text.
#[derive(Clone, Debug)]
pub struct Instruction {
    pub(crate) code: Code,
    pub(crate) span: Span,
}

/// An instruction of a statement or of a function's body, in postfix order. Most items of an expression become one
/// instruction. Operators, lists and calls say how many values they take from the stack. From `Leaf` on, most
/// instructions occur only in blocks.
#[derive(Clone, Debug)]
pub(crate) enum Code {
    Number(f64, Spelling),
    /// The value of a name.
    Get(Variable),
    /// The value to which a former name, an id or a result number referred when the code was compiled, a text or `None`.
    Value(AnyValue),
    Operator(&'static Op, usize),
    /// A call with primes and arguments. The last arguments have these names: `f(2, b=3)`.
    Call {
        function: Variable,
        primes: u8,
        count: usize,
        named: Option<Rc<[Rc<str>]>>,
        /// The places of the arguments that are lists of arguments.
        spread: Option<Rc<[usize]>>,
    },
    List(usize),
    Index,
    /// A part of a list, by a begin, an end and perhaps a step.
    Slice(usize),
    Range,
    /// `(5 ± 0.1)`. `true` means that the width is per cent.
    Uncertain(bool),
    /// Begins a loop over the list on the stack, with the slot of its first variable, the names of all variables, and
    /// the number of instructions to its end.
    Each(usize, Rc<[Rc<str>]>, usize),
    /// Ends a loop, or begins its next round.
    Collect,
    /// Begins an equation: makes a leaf for the unknown, in the next slot. The numbers at which the search begins are on the
    /// stack.
    Unknown {
        letter: Rc<str>,
        numbers: usize,
    },
    /// Ends an equation whose difference of the sides is on the stack.
    Solve,
    /// `.data`, `.grad` or `.sigma`.
    Property(Property),
    /// `Value(2.0)`: a new leaf.
    Leaf,
    /// Begins a choice by the condition on the stack.
    Then(Branches),
    /// Ends the first branch of a choice. The second one has this many instructions.
    Else(usize),
    /// Ends a choice.
    Choose,
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
    /// Repeats a value, for this many names.
    Repeat(usize),
    /// Gives names the values on the stack.
    Bind(Rc<[Variable]>),
    /// Adds the value on the stack to the list of a function's name. `true` means `extend`, which adds the items of the
    /// value.
    ChangeList(Slot, ListChange),
    /// Replaces an item of the list of a name. Its position and its new value are on the stack.
    SetItem(Variable),
    /// Labels the node on the stack.
    Label(Rc<str>),
    /// Drops a value.
    Drop,
    /// Begins the loop of a block over the list on the stack.
    Loop,
    /// Begins the loop of a block that a condition ends.
    While,
    /// Begins the next round of a loop over a list. After the last round, jumps to an instruction, the `EndLoop`.
    Next(usize),
    /// Gives names the item of the round.
    BindItem(Rc<[Variable]>),
    /// Begins the next round of a loop with a condition.
    Round,
    /// Ends the loop of a block. All jumps out of the loop lead here.
    EndLoop,
    /// Ends the call with the value on the stack.
    Return,
    /// Defines a function. This number of values on the stack are the defaults of its last parameters.
    Define(Rc<Function>, usize, Variable),
    /// A function without a name.
    Lambda(Rc<Function>),
    /// Lets the session print values on the stack.
    Print(Rc<Printing>),
    /// Lets the session perform an act.
    Act(Rc<Act>),
}

/// The numbers of instructions in the branches of a choice, and whether all of these are plain.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Branches {
    pub(crate) first: usize,
    pub(crate) second: usize,
    pub(crate) is_plain: bool,
}

/// The meaning of a name in code.
#[derive(Clone, Debug)]
pub(crate) enum Variable {
    /// A parameter of a function, a name that it assigns, or a variable of a `for`.
    Local(Slot),
    /// A name of the session.
    Name(Name),
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
pub enum Act {
    /// `L.backward()`, with the text of this line.
    Backward(Rc<str>),
    /// `p.data = 3`. If `p` is the variable of a loop, also the text of its list.
    Data(Option<Rc<str>>),
    /// `p.grad = 1`
    Grad,
    /// `o._backward()`
    PassOn,
    /// `n.zero_grad()`
    Zero,
    /// `x.append(3)` for a list of the session.
    ChangeList(Rc<str>, ListChange),
}

impl Act {
    /// The number of values that it takes from the stack.
    pub(crate) fn operands(&self) -> usize {
        match self {
            Act::Backward(_) | Act::PassOn | Act::ChangeList(..) => 1,
            Act::Data(_) | Act::Grad => 2,
            Act::Zero => 0,
        }
    }
}

impl Code {
    /// The number of values on the stack that the instruction uses. Values that it only passes on do not count.
    pub(crate) fn operands(&self) -> usize {
        match self {
            Code::Operator(_, count)
            | Code::List(count)
            | Code::Slice(count)
            | Code::Unknown { numbers: count, .. } => *count,
            Code::Index | Code::SetItem(_) | Code::Range | Code::Uncertain(_) => 2,
            Code::Each(..)
            | Code::Collect
            | Code::Solve
            | Code::Property(_)
            | Code::Leaf
            | Code::Then(..)
            | Code::JumpUnless(_)
            | Code::Unpack(_)
            | Code::ChangeList(..)
            | Code::Label(_)
            | Code::Loop => 1,
            Code::Act(act) => act.operands(),
            _ => 0,
        }
    }

    /// The instruction to which it jumps, or may jump.
    pub(crate) fn jump_end(&self) -> Option<usize> {
        match self {
            Code::Jump(at) | Code::JumpUnless(at) | Code::Next(at) => Some(*at),
            _ => None,
        }
    }

    /// Whether older nodes need not follow their leaves before it, and the number of nodes need not be checked after it: it
    /// reads no number of an older node, and makes at most a constant.
    pub(crate) fn needs_no_update(&self) -> bool {
        matches!(
            self,
            Code::Number(..)
                | Code::Get(_)
                | Code::Begin
                | Code::Jump(_)
                | Code::Else(_)
                | Code::Next(_)
                | Code::Round
                | Code::EndLoop
        )
    }

    /// Whether it may run in a branch that is not taken: it computes numbers and changes nothing. The machine looks at
    /// functions of the user's own when they are called.
    pub(crate) fn is_plain(&self) -> bool {
        match self {
            Code::Number(..)
            | Code::Get(_)
            | Code::Value(AnyValue::Numbers(_))
            | Code::Operator(..)
            | Code::List(_)
            | Code::Index
            | Code::Slice(_)
            | Code::Range
            | Code::Each(..)
            | Code::Collect
            | Code::Unknown { .. }
            | Code::Solve
            | Code::Then(..)
            | Code::Else(_)
            | Code::Choose => true,
            _ => self.callee().is_some_and(|name| {
                !LibraryFunction::find(name).is_some_and(LibraryFunction::is_draw)
            }),
        }
    }

    /// The name in a call of a function of the session.
    pub(crate) fn callee(&self) -> Option<&str> {
        match self {
            Code::Call {
                function: Variable::Name(name),
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

/// A value in a block or a function. A block can assign, compare, print and pass all of them. Everything else takes numbers,
/// by [`AnyValue::into_numbers`]. Only numbers outlive their block.
#[derive(Clone, Debug)]
pub enum AnyValue {
    /// A number or a list.
    Numbers(Value),
    /// `'OK'`
    Text(Rc<str>),
    /// A built-in function, by its name.
    BuiltIn(Rc<str>),
    /// A function of the user's own.
    Own(OwnFunction),
    /// `None`
    None,
}

/// A function of the user's own as a value.
#[derive(Clone, Debug)]
pub struct OwnFunction {
    /// The function.
    pub(crate) function: Rc<Function>,
    /// The frame of the call that has defined the function; 0 for a function of the session. The function ends with the
    /// call.
    pub(crate) frame: usize,
}

impl AnyValue {
    /// The numbers of the value, which was typed at `span`. Refuses all other values.
    pub fn into_numbers(self, span: Span) -> Result<Value, Error> {
        match self {
            AnyValue::Numbers(value) => Ok(value),
            other => Err(other.refusal(span)),
        }
    }

    /// The number of the value, which was typed at `span`. Refuses lists, too.
    pub fn into_number(self, span: Span) -> Result<Rc<Node>, Error> {
        match self.into_numbers(span)? {
            Value::Node(node) => Ok(node),
            Value::List(list) => Err(list_for_number(list.shape(), span)),
        }
    }

    /// The value itself, if it is numbers.
    pub(crate) fn into_value(self) -> Option<Value> {
        match self {
            AnyValue::Numbers(value) => Some(value),
            _ => None,
        }
    }

    /// The error for a value in place of a number or a list.
    pub fn refusal(&self, span: Span) -> Error {
        match self {
            AnyValue::BuiltIn(name) => function_error(name, span),
            AnyValue::Own(own) => function_error(&own.function.name, span),
            AnyValue::None => {
                let help = "a function gives a value by `return …`, and `NAME is None` asks whether a name has one";
                let message = "this is `None`, and a number is needed here";
                fail(span, message, help)
            }
            AnyValue::Text(_) | AnyValue::Numbers(_) => {
                let help = "`==` compares texts, and `print` shows them: `print('L is', …)`";
                let message = "this is a text, and a number is needed here";
                fail(span, message, help)
            }
        }
    }

    /// The value, if it is numbers.
    pub fn numbers(&self) -> Option<&Value> {
        match self {
            AnyValue::Numbers(value) => Some(value),
            _ => None,
        }
    }

    /// The nodes of its numbers.
    pub fn nodes(&self) -> &[Rc<Node>] {
        self.numbers().map_or(&[], Value::nodes)
    }

    /// Whether `==` holds for two values, at least one of which is no number.
    pub fn equals(&self, other: &AnyValue) -> bool {
        match (self, other) {
            (AnyValue::Text(own), AnyValue::Text(its))
            | (AnyValue::BuiltIn(own), AnyValue::BuiltIn(its)) => own == its,
            (AnyValue::Own(own), AnyValue::Own(its)) => {
                Rc::ptr_eq(&own.function, &its.function) && own.frame == its.frame
            }
            (AnyValue::None, AnyValue::None) => true,
            _ => false,
        }
    }

    /// Marks a list as part of something besides its name.
    pub(crate) fn mark_as_shared(&self) {
        if let AnyValue::Numbers(value) = self {
            value.mark_as_shared();
        }
    }
}

impl From<Value> for AnyValue {
    fn from(value: Value) -> AnyValue {
        AnyValue::Numbers(value)
    }
}

impl From<Rc<Node>> for AnyValue {
    fn from(node: Rc<Node>) -> AnyValue {
        AnyValue::Numbers(node.into())
    }
}

/// The error for a function in place of a number.
pub(crate) fn function_error(name: &str, span: Span) -> Error {
    let help = format!("call it: `{name}(…)`");
    fail(span, format!("`{name}` is a function"), help)
}

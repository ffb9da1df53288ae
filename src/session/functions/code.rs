//! The instructions of a statement or of a function's body.

use std::rc::Rc;

use super::{AnyValue, Function, GRAD, LibraryFunction};
use chainrule_engine::graph::Spelling;
use chainrule_engine::ops::Op;
use chainrule_language::{Name, Printing, Property, Span};

/// An instruction and its place in the text.
#[derive(Clone, Debug)]
pub(crate) struct Instruction {
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
    Get(Target),
    /// The value to which a former name, an id or a result number referred when the code was compiled, a text or `None`.
    Value(AnyValue),
    Operator(&'static Op, usize),
    /// A call with primes and arguments. The last arguments have these names: `f(2, b=3)`.
    Call {
        function: Target,
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
    /// Begins a loop over the list on the stack, with the slot of its first variable, the names of all variables, and
    /// the number of instructions to its end.
    Each(usize, Rc<[Rc<str>]>, usize),
    /// Ends a loop, or begins its next round.
    Collect,
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
    /// Gives names the values on the stack.
    Bind(Rc<[Target]>),
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
    /// Begins the next round of a loop over a list. After the last round, jumps to an instruction, the `EndLoop`.
    Next(usize),
    /// Gives names the item of the round.
    BindItem(Rc<[Target]>),
    /// Begins the next round of a loop with a condition.
    Round,
    /// Ends the loop of a block. All jumps out of the loop lead here.
    EndLoop,
    /// Ends the call with the value on the stack.
    Return,
    /// Defines a function. This number of values on the stack are the defaults of its last parameters.
    Define(Rc<Function>, usize, Target),
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
pub(crate) enum Target {
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
pub(crate) enum Act {
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
    /// `x.append(3)` for a list of the session, or with `true` `x.extend([3, 4])`.
    Append(Rc<str>, bool),
}

impl Act {
    /// The number of values that it takes from the stack.
    pub(crate) fn operands(&self) -> usize {
        match self {
            Act::Backward(_) | Act::PassOn | Act::Append(..) => 1,
            Act::Data(_) | Act::Grad => 2,
            Act::Zero => 0,
        }
    }
}

impl Code {
    /// The number of values on the stack that the instruction uses. Values that it only passes on do not count.
    pub(in crate::session) fn operands(&self) -> usize {
        match self {
            Code::Operator(_, count) | Code::List(count) => *count,
            Code::Slice => 3,
            Code::Index | Code::Range | Code::Uncertain(_) => 2,
            Code::Each(..)
            | Code::Collect
            | Code::Property(_)
            | Code::Leaf
            | Code::Then(..)
            | Code::JumpUnless(_)
            | Code::Unpack(_)
            | Code::Append(..)
            | Code::Label(_)
            | Code::Loop => 1,
            Code::Act(act) => act.operands(),
            _ => 0,
        }
    }

    /// The instruction to which it jumps, or may jump.
    pub(in crate::session) fn jump_end(&self) -> Option<usize> {
        match self {
            Code::Jump(at) | Code::JumpUnless(at) | Code::Next(at) => Some(*at),
            _ => None,
        }
    }

    /// Whether it may run in a branch that is not taken: it computes numbers and changes nothing. The machine looks at
    /// functions of the user's own when they are called.
    pub(in crate::session) fn is_plain(&self) -> bool {
        match self {
            Code::Number(..)
            | Code::Get(_)
            | Code::Value(AnyValue::Numbers(_))
            | Code::Operator(..)
            | Code::List(_)
            | Code::Index
            | Code::Slice
            | Code::Range
            | Code::Each(..)
            | Code::Collect
            | Code::Then(..)
            | Code::Else(_)
            | Code::Choose => true,
            _ => self.callee().is_some_and(|name| {
                !LibraryFunction::find(name).is_some_and(LibraryFunction::is_draw)
            }),
        }
    }

    /// The name in a call of a function of the session.
    pub(in crate::session) fn callee(&self) -> Option<&str> {
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

//! Defines the frames of a machine: the statement and the running calls, with their slots and loops, and the choices.
//! [`CallForm`] becomes a frame if the function is the user's own.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use crate::environment::Environment;
use crate::functions::{AnyValue, Function, Instruction};
use crate::stand_ins::StandIns;
use crate::values::{List, Value};
use chainrule_engine::graph::{Node, NodeId};
use chainrule_language::Span;
use chainrule_report::diagnostic::{Diagnostic, LineInside};

/// The place of an instruction in the code and in the text.
#[derive(Clone, Copy, Default)]
pub(super) struct Site {
    pub(super) at: usize,
    pub(super) span: Span,
}

/// A call without its function. The arguments are the last `count` values of the stack, and the last of these have the
/// names `names`.
#[derive(Clone, Copy)]
pub(super) struct CallForm<'c> {
    pub(super) primes: u8,
    pub(super) count: usize,
    pub(super) names: &'c [Rc<str>],
}

/// A statement or a call that is running.
#[derive(Default)]
pub(super) struct Frame {
    /// The called function; `None` for the statement.
    pub(super) function: Option<Rc<Function>>,
    /// The place of the call in the text around it.
    pub(super) call_span: Span,
    /// The values of the parameters and of the function's other names, then of the variables of the running `for`
    /// loops in expressions.
    pub(super) slots: Vec<Option<AnyValue>>,
    /// The placeholders and the real arguments, if the call differentiates.
    pub(super) stand_ins: Option<StandIns>,
    /// The index of the frame of the function in which the called function is defined.
    pub(super) around: usize,
    /// The running `for` loops in expressions, the innermost last.
    pub(super) expression_loops: Vec<ExpressionLoop>,
    /// The running equations, the innermost last.
    pub(super) equations: Vec<OpenEquation>,
    /// The running loops of blocks, the innermost last.
    pub(super) block_loops: Vec<BlockLoop>,
    /// The nodes of literals in `for` loops in expressions, by instruction: the rounds share them.
    pub(super) literals: FxHashMap<usize, Value>,
    /// The next instruction.
    pub(super) at: usize,
    /// The height of the stack before the call.
    pub(super) height: usize,
    /// The newest node before the call.
    pub(super) newest_before: NodeId,
}

/// A loop of a block that is running.
#[derive(Default)]
pub(super) struct BlockLoop {
    /// The list of a `for`; `None` for a `while`.
    pub(super) list: Option<Rc<List>>,
    pub(super) rounds_begun: usize,
}

/// A `for` in an expression that is running.
pub(super) struct ExpressionLoop {
    pub(super) list: Rc<List>,
    pub(super) next_item: usize,
    /// The names of the loop variables. Their values are in the last slots of the frame.
    pub(super) variables: Rc<[Rc<str>]>,
    /// The newest node before the loop.
    pub(super) newest_before: NodeId,
    /// Whether the value of the first round uses the first item.
    pub(super) has_item: bool,
    /// The first instruction of the body.
    pub(super) start: usize,
    /// The height of the stack before the loop. The results of its rounds are above.
    pub(super) height: usize,
    /// The number of all numbers in the results so far.
    pub(super) result_size: usize,
}

/// An equation whose sides are being built.
pub(super) struct OpenEquation {
    /// The leaf that stands for the unknown. It is in the last slot of the frame.
    pub(super) unknown: Rc<Node>,
    pub(super) letter: Rc<str>,
    /// Where the search begins.
    pub(super) start: Box<[f64]>,
    /// The number of guards before the equation.
    pub(super) read_before: usize,
}

impl BlockLoop {
    /// The list of a `for`.
    pub(super) fn list(&self) -> &Rc<List> {
        self.list.as_ref().expect("it goes over a list")
    }
}

impl Frame {
    /// The code that runs here, if that of the statement is `statement`.
    pub(super) fn code<'c>(&'c self, statement: &'c [Instruction]) -> &'c [Instruction] {
        self.function.as_ref().map_or(statement, |it| &it.code)
    }

    /// The lists of the names and of the loops of this call.
    pub(super) fn lists(&self) -> impl Iterator<Item = &Rc<List>> {
        let numbers = self.slots.iter().flatten().filter_map(AnyValue::numbers);
        let named = numbers.filter_map(Value::list);
        let looped = self.block_loops.iter().filter_map(|it| it.list.as_ref());
        // `enumerate(xs)` and `zip(xs, ys)` go through their lists.
        let origins = looped.clone().filter_map(|list| list.origin());
        let operands = origins.flat_map(|origin| origin.operands.iter().filter_map(Value::list));
        let in_expressions = self.expression_loops.iter().map(|it| &it.list);
        named.chain(looped).chain(operands).chain(in_expressions)
    }
}

/// A choice of which both branches are wanted, while the one that Python takes runs.
pub(super) struct Choice {
    pub(super) condition: Value,
    pub(super) is_first_taken: bool,
    /// The value of the other branch.
    pub(super) other: AnyValue,
    /// The place of the condition.
    pub(super) site: Site,
    /// The number of frames, and the instruction that ends the choice.
    pub(super) end: (usize, usize),
}

/// The error of a call of a network with another number of inputs than its neurons have weights. Its formula, which nobody
/// has typed, does not matter.
pub(super) fn wrong_inputs(session: &dyn Environment, call: &Frame) -> Option<Diagnostic> {
    let network = call.function.as_ref().filter(|it| it.is_network())?;
    let layer = session.find(&format!("{}_0", network.name))?;
    let count = layer.list()?.item(0)?.list()?.item(0)?.list()?.count();
    let inputs = call.slots.first()?.as_ref()?.numbers()?.list();
    let given = match inputs.map(|it| it.count()) {
        Some(given) if given == count => return None,
        Some(given) => format!("not of {given}"),
        None => "and this is a number".to_owned(),
    };
    let name = &network.name;
    let message = format!("`{name}` takes a list of {count} numbers, {given}");
    let help = format!("as in `{name}([{}])`", vec!["…"; count.min(4)].join(", "));
    Some(Diagnostic::new(message).at(call.call_span).help(help))
}

/// An error in a function that was called. The message names the formula, `f(x) = a*x`. For a function of several
/// lines, its line is shown above the call.
pub(super) fn in_call(function: &Function, call: Span, inner: Diagnostic) -> Diagnostic {
    let mut outer = Diagnostic::new(inner.message).at(call);
    (outer.is_interrupt, outer.help) = (inner.is_interrupt, inner.help);
    outer.unknown = inner.unknown;
    match &function.lines {
        None => {
            let (head, body) = (function.head(), &function.body);
            outer.message = format!("{}, in `{head} = {body}`", outer.message);
            (outer.help).get_or_insert_with(|| "define the function again".into());
        }
        Some(text) => {
            let line = |span| LineInside::around(&function.name, text, span);
            outer.inside = inner.inside.or_else(|| inner.span.map(line).map(Box::new));
        }
    }
    outer
}

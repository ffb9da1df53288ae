//! Local derivatives as nodes: a row's derivative text such as `y*x^(y - 1)`, with a node and its operands for `out`,
//! `x`, `y`.
//!
//! Each text is parsed once. Functions and constants in it are always the built-in ones, even if the user has redefined
//! `sin` or `pi`. `derivative` decides which local derivatives are needed.

use std::rc::Rc;
use std::sync::{LazyLock, OnceLock};

use super::terms::Builder;
use crate::graph::Node;
use crate::ops;
use crate::ops::{Op, Rule, TABLE, algebra};
use crate::session::naming::operation;
use crate::syntax;
use crate::syntax::{Head, Item, ItemKind, Span};

/// One instruction of a text, in postfix order.
#[derive(Clone, Copy, Debug)]
pub(crate) enum SlopeStep {
    /// A number.
    Number(f64),
    /// What the text is about.
    Variable(Variable),
    /// An operation on the last results, as many as it says.
    Apply(&'static Op, usize),
}

/// What a variable of a text stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Variable {
    /// `x`, `y`, `z`: the operand at this position.
    Operand(usize),
    /// `out`
    Out,
    /// `ties`
    Ties,
    /// `rest`
    Rest,
}

/// The text of a local derivative, parsed.
#[derive(Debug)]
struct Slope {
    steps: Vec<SlopeStep>,
}

/// The parsed texts of one row: with respect to the first, second and third operand, and to one of many; then the same
/// four in textbook form.
type Slopes = [OnceLock<Slope>; 8];

static SLOPES: LazyLock<Vec<Slopes>> =
    LazyLock::new(|| TABLE.iter().map(|_| Slopes::default()).collect());

/// The text from which the derivative of an operation by an operand is built, step by step.
pub(crate) fn slope_steps(op: &'static Op, position: usize) -> &'static [SlopeStep] {
    &slope(op, position, op.arity().0).steps
}

/// The derivative of an operation with respect to one of `count` operands.
fn slope(op: &'static Op, position: usize, count: usize) -> &'static Slope {
    read(op, position, count, false)
}

fn read(op: &'static Op, position: usize, count: usize, learned: bool) -> &'static Slope {
    let many = matches!(op.rule, Rule::Many { .. });
    let place = match (many, count) {
        (false, _) => position,
        (true, 2) => 0,
        (true, _) => 3,
    };
    // Textbook forms exist for up to two operands of a function of many.
    let learned = learned && place < 3;
    SLOPES[op.index()][place + if learned { 4 } else { 0 }].get_or_init(|| {
        let text = if learned {
            op.shown(position)
        } else {
            op.built_among(position, count)
        };
        let read = syntax::expression(text, Span::new(0, text.len()));
        let read = read.expect("the lock test reads every text of the table");
        Slope {
            steps: read.items.iter().map(step).collect(),
        }
    })
}

fn step(item: &Item) -> SlopeStep {
    match item.kind {
        ItemKind::Number(literal) => SlopeStep::Number(literal.value),
        ItemKind::Name("x") => SlopeStep::Variable(Variable::Operand(0)),
        ItemKind::Name("y") => SlopeStep::Variable(Variable::Operand(1)),
        ItemKind::Name("z") => SlopeStep::Variable(Variable::Operand(2)),
        ItemKind::Name("out") => SlopeStep::Variable(Variable::Out),
        ItemKind::Name("ties") => SlopeStep::Variable(Variable::Ties),
        ItemKind::Name("rest") => SlopeStep::Variable(Variable::Rest),
        ItemKind::Name(name) => {
            SlopeStep::Number(ops::constant(name).expect("texts name nothing else"))
        }
        ItemKind::Apply(Head::Operator(operator), count) => {
            SlopeStep::Apply(operation(operator), count as usize)
        }
        ItemKind::Apply(Head::Function(name, _), count) => {
            let op = ops::function(name, count as usize);
            SlopeStep::Apply(op.expect("texts call rows of the table"), count as usize)
        }
        _ => unreachable!("texts have numbers, names and operations"),
    }
}

impl Slope {
    /// Whether the text depends on this variable, so that a NaN there makes the derivative NaN.
    fn sees(&self, wanted: Variable) -> bool {
        self.steps.iter().any(|step| match step {
            SlopeStep::Variable(Variable::Out | Variable::Rest) => true,
            SlopeStep::Variable(found) => *found == wanted,
            _ => false,
        })
    }
}

/// The variable by which a text refers to an operand. In a function of many, `x` is the operand in question and `y` the
/// other one.
fn variable(op: &Op, position: usize, operand: usize) -> Variable {
    match op.rule {
        Rule::Many { .. } => Variable::Operand(usize::from(operand != position)),
        _ => Variable::Operand(operand),
    }
}

impl Builder<'_> {
    /// The local derivative of a node with respect to an operand.
    pub(crate) fn local(&mut self, node: &Rc<Node>, position: usize) -> Rc<Node> {
        self.term(node, position, false)
    }

    /// The same in textbook form: `1 - out^2`, which may lose digits that [`Builder::local`] keeps.
    pub(crate) fn learned(&mut self, node: &Rc<Node>, position: usize) -> Rc<Node> {
        self.term(node, position, true)
    }

    fn term(&mut self, node: &Rc<Node>, position: usize, learned: bool) -> Rc<Node> {
        let Some(op) = node.op() else {
            return algebra::Terms::constant(self, 0.0);
        };
        let operands = node.operands();
        let place = |wanted: usize| match (&op.rule, wanted) {
            (Rule::Many { .. }, 0) => position,
            (Rule::Many { .. }, _) => 1 - position.min(1),
            _ => wanted,
        };
        let mut stack: Vec<Rc<Node>> = Vec::new();
        for step in &read(op, position, operands.len(), learned).steps {
            let term = match *step {
                SlopeStep::Number(value) => algebra::Terms::constant(self, value),
                SlopeStep::Variable(Variable::Operand(wanted)) => {
                    Rc::clone(&operands[place(wanted)])
                }
                SlopeStep::Variable(Variable::Out) => Rc::clone(node),
                SlopeStep::Variable(Variable::Ties) => algebra::ties(self, operands, node),
                SlopeStep::Variable(Variable::Rest) => {
                    let mut rest = operands.to_vec();
                    rest.remove(position);
                    algebra::simplified(self, op, &rest)
                }
                SlopeStep::Apply(op, count) => {
                    let taken = stack.split_off(stack.len() - count);
                    algebra::simplified(self, op, &taken)
                }
            };
            stack.push(term);
        }
        stack.pop().expect("a text has a value")
    }

    /// Whether the node can be NaN because of an operand that the local derivative does not depend on. In `ln(-1) + c`
    /// the local derivative with respect to `c` is 1, although the sum is NaN and does not follow c. NaNs on the path
    /// to `by` are handled further down.
    pub(crate) fn hides_nan(
        &mut self,
        node: &Rc<Node>,
        position: usize,
        by: &Rc<Node>,
        local: &Rc<Node>,
    ) -> bool {
        let Some(op) = node.op() else { return false };
        let operands = node.operands();
        if node.data().is_nan() && !local.data().is_nan() {
            let broken = operands.iter().any(|operand| operand.data().is_nan());
            return broken || local.data().is_finite();
        }
        let slope = slope(op, position, operands.len());
        let hidden = |(at, operand): (usize, &Rc<Node>)| {
            (at != position || Rc::ptr_eq(operand, by))
                && algebra::Terms::is_wild(self, operand)
                && !slope.sees(variable(op, position, at))
        };
        operands.iter().enumerate().any(hidden)
    }
}

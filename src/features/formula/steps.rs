//! Differentiates a formula rule by rule, for `:formula f steps`: for each part that depends on a letter, the rule, the
//! part, and its derivative from those of its operands.
//!
//! Parts come before the whole. A line is the sum of the local derivatives, each times the derivative of its operand, or a
//! quotient as textbooks write it. The derivatives of the operands are in their shortest shape, with which their own lines
//! end.

use std::borrow::Cow;
use std::rc::Rc;

use rustc_hash::FxHashSet;

use chainrule_engine::graph::structure::reachable;
use chainrule_engine::graph::{Node, NodeId};
use chainrule_engine::ops::{self, Op};
use chainrule_formulas::{local_items, over_leaves};
use chainrule_language::{self as language, Item, ItemKind, precedence};
use chainrule_session::Session;
use chainrule_session::naming::labels::{Label, label_items, number_item, operation_item};

const ADD: &Op = ops::row("addition");
const SUBTRACT: &Op = ops::row("subtraction");
const MULTIPLY: &Op = ops::row("multiplication");
const DIVIDE: &Op = ops::row("division");
const NEGATE: &Op = ops::row("negation");
const POWER: &Op = ops::row("power");

/// The most rules that are listed, and the most operands of one of them.
pub(crate) const MOST_STEPS: usize = 100;

/// The name of the last step, if that is the derivative in its shortest shape.
pub(crate) const SIMPLIFY: &str = "simplify";

/// A rule that is applied to a part of a formula.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct FormulaStep {
    /// What the rule is called: `product`, `chain`.
    pub rule: &'static str,
    /// The part.
    pub part: String,
    /// The derivative of the part, as the rule gives it.
    pub derivative: String,
    /// The derivative in its shortest shape, in which the rules of larger parts use it, if that is another.
    pub shortest: Option<String>,
}

/// Why the rules of a formula are not listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MissingSteps {
    /// There are more rules or operands than [`MOST_STEPS`]: this many.
    TooMany(usize),
    /// A derivative is too long, or no rule gives it.
    NoFormula,
}

/// The steps from a letter to the root. The last one has the derivative in its shortest shape.
pub(crate) fn formula_steps(
    session: &Session,
    root: &Rc<Node>,
    by: &Rc<Node>,
) -> Result<Vec<FormulaStep>, MissingSteps> {
    let parts = changing_parts(root, by);
    let operands = parts.iter().map(|part| part.operands().len());
    let most = parts.len().max(operands.max().unwrap_or(0));
    if most > MOST_STEPS {
        return Err(MissingSteps::TooMany(most));
    }
    steps_of_parts(session, root, by, &parts).ok_or(MissingSteps::NoFormula)
}

fn steps_of_parts(
    session: &Session,
    root: &Rc<Node>,
    by: &Rc<Node>,
    parts: &[Rc<Node>],
) -> Option<Vec<FormulaStep>> {
    let formula = over_leaves(session, root, std::slice::from_ref(by)).ok()?;
    let slope = |node: &Rc<Node>| formula.slope(node, by);
    let whole = |label: String, part: &Rc<Node>| {
        // A label is cut if its expression is long.
        let is_cut = label.contains('…');
        let items = formula.whole(part).filter(|_| is_cut);
        items.map_or(label, |items| language::infix(&items))
    };
    let mut steps = Vec::new();
    for part in parts {
        let slopes: Option<Vec<Label>> = part.operands().iter().map(slope).collect();
        let slopes = slopes?;
        let derivative = language::infix(&derivative_by_rule(session, part, &slopes)?);
        let shortest = language::infix(&slope(part)?);
        let is_inner = !Rc::ptr_eq(part, root);
        steps.push(FormulaStep {
            rule: rule(part, by, &slopes),
            part: whole(session.expression(part), part),
            shortest: Some(shortest).filter(|it| is_inner && *it != derivative),
            derivative,
        });
    }
    let derivative = language::infix(&slope(root)?);
    if steps
        .last()
        .is_none_or(|last| last.derivative != derivative)
    {
        steps.push(FormulaStep {
            rule: SIMPLIFY,
            part: whole(session.label(root), root),
            derivative,
            shortest: None,
        });
    }
    Some(steps)
}

/// The computed nodes that depend on a letter, operands before their users.
fn changing_parts(root: &Rc<Node>, by: &Rc<Node>) -> Vec<Rc<Node>> {
    let mut changing = FxHashSet::from_iter([by.id()]);
    let mut parts = reachable(std::slice::from_ref(root), by.id());
    parts.retain(|part| {
        let mut operands = part.operands().iter();
        operands.any(|it| changing.contains(&it.id())) && changing.insert(part.id())
    });
    let of_sums = inner_sums(&parts);
    parts.retain(|part| !of_sums.contains(&part.id()) && !is_comparison(part));
    parts
}

/// The sums that are used only as terms of other sums. A sum of several terms is one step.
fn inner_sums(parts: &[Rc<Node>]) -> FxHashSet<NodeId> {
    let (mut terms, mut others) = (FxHashSet::default(), FxHashSet::default());
    for part in parts {
        let used = if is_sum(part) {
            &mut terms
        } else {
            &mut others
        };
        used.extend(part.operands().iter().map(|it| it.id()));
    }
    let sums = parts
        .iter()
        .filter(|part| is_sum(part))
        .map(|part| part.id());
    sums.filter(|id| terms.contains(id) && !others.contains(id))
        .collect()
}

/// Whether it is 1 or 0, such as `x > 0`, and has no slope.
fn is_comparison(part: &Node) -> bool {
    let operator = part
        .op()
        .and_then(|op| precedence::infix_operator(op.spelling));
    operator.is_some_and(|it| it.level == precedence::level::COMPARISON)
}

fn is_sum(part: &Node) -> bool {
    let name = part.op().map_or("", |op| op.name);
    matches!(name, "addition" | "subtraction" | "sum")
}

/// What the rule for a part is called.
fn rule(part: &Node, by: &Rc<Node>, slopes: &[Label]) -> &'static str {
    let op = part.op().expect("it is computed");
    let changing: Vec<bool> = slopes.iter().map(|it| number_of(it) != Some(0.0)).collect();
    let is_of_letter = part.operands().iter().any(|it| Rc::ptr_eq(it, by));
    let count = changing.iter().filter(|it| **it).count();
    match (op.name, &changing[..]) {
        _ if is_sum(part) => "sum",
        ("multiplication" | "chain" | "prod", _) if count > 1 => "product",
        ("negation" | "multiplication" | "chain" | "prod", _) | ("division", [_, false]) => {
            "constant factor"
        }
        ("division", _) => "quotient",
        ("power", [_, false]) if is_of_letter => "power",
        ("power", [_, false]) => "power, chain",
        ("power", _) if is_of_letter => "exponential",
        ("power", _) => "exponential, chain",
        _ if is_of_letter || op.name == "if" => op.name,
        _ => "chain",
    }
}

/// The derivative of a part from those of its operands.
fn derivative_by_rule<'s>(
    session: &'s Session,
    part: &Rc<Node>,
    slopes: &[Label<'s>],
) -> Option<Label<'s>> {
    if let ("division", [_, below]) = (part.op()?.name, slopes)
        && number_of(below) != Some(0.0)
    {
        return Some(quotient_rule(session, part, slopes));
    }
    if part.op()?.name == "if" {
        let condition = label_items(session.names(), &part.operands()[0]);
        return Some(apply(part.op()?, &[&[condition], &slopes[1..]].concat()));
    }
    let mut sum: Option<Label> = None;
    for (position, slope) in slopes.iter().enumerate() {
        if number_of(slope) == Some(0.0) {
            continue;
        }
        let term = times(local_items(session, part, position)?, slope.clone());
        sum = Some(match sum {
            Some(before) => plus(before, term),
            None => term,
        });
    }
    Some(sum.unwrap_or_else(|| number(0.0)))
}

/// `(u'*v - u*v')/v^2`
fn quotient_rule<'s>(session: &'s Session, part: &Node, slopes: &[Label<'s>]) -> Label<'s> {
    let [above, below] = [0, 1].map(|at| label_items(session.names(), &part.operands()[at]));
    let taken = times(above, slopes[1].clone());
    let numerator = if number_of(&slopes[0]) == Some(0.0) {
        negative(taken)
    } else {
        minus(times(slopes[0].clone(), below.clone()), taken)
    };
    apply(DIVIDE, &[numerator, apply(POWER, &[below, number(2.0)])])
}

/// A product, without factors of 1, and with the sign of a factor in front.
fn times<'s>(one: Label<'s>, other: Label<'s>) -> Label<'s> {
    if number_of(&one) == Some(-1.0) {
        return negative(other);
    }
    if let Some(positive) = positive(&other) {
        return negative(times(one, positive));
    }
    if number_of(&one) == Some(1.0) {
        return other;
    }
    if number_of(&other) == Some(1.0) {
        return one;
    }
    apply(MULTIPLY, &[one, other])
}

fn negative(label: Label) -> Label {
    let negated = |factor: &[Item<_>]| number_of(factor).map(|value| number(-value));
    let changed = without_minus(&label).or_else(|| with_first_factor(&label, negated));
    changed.unwrap_or_else(|| apply(NEGATE, &[label]))
}

/// A difference, or a sum if the second term begins with a minus.
fn minus<'s>(one: Label<'s>, other: Label<'s>) -> Label<'s> {
    match without_minus(&other) {
        Some(positive) => apply(ADD, &[one, positive]),
        None => apply(SUBTRACT, &[one, other]),
    }
}

/// A sum, or a difference if the second term begins with a minus.
fn plus<'s>(one: Label<'s>, other: Label<'s>) -> Label<'s> {
    match without_minus(&other) {
        Some(positive) => apply(SUBTRACT, &[one, positive]),
        None => apply(ADD, &[one, other]),
    }
}

/// A negative number without its sign, or the operand of a negation.
fn positive<'s>(label: &[Item<Cow<'s, str>>]) -> Option<Label<'s>> {
    let (last, before) = label.split_last()?;
    match &last.kind {
        ItemKind::Number(it) if before.is_empty() && it.value < 0.0 => Some(number(-it.value)),
        kind if *kind == operation_item(NEGATE, 1) => Some(before.to_vec()),
        _ => None,
    }
}

/// The term `6/x` for `-6/x`: one that begins with a minus, without it.
fn without_minus<'s>(term: &[Item<Cow<'s, str>>]) -> Option<Label<'s>> {
    with_first_factor(term, positive)
}

/// A term with another first factor.
fn with_first_factor<'s>(
    term: &[Item<Cow<'s, str>>],
    change: fn(&[Item<Cow<'s, str>>]) -> Option<Label<'s>>,
) -> Option<Label<'s>> {
    let (last, operands) = term.split_last()?;
    if ![MULTIPLY, DIVIDE]
        .map(|op| operation_item(op, 2))
        .contains(&last.kind)
    {
        return change(term);
    }
    let first = first_operand(operands);
    let others = &term[first.len()..];
    Some([with_first_factor(first, change)?, others.to_vec()].concat())
}

/// The items of the first of two operands, which end one after the other.
fn first_operand<'l, 's>(operands: &'l [Item<Cow<'s, str>>]) -> &'l [Item<Cow<'s, str>>] {
    let mut missing = 1;
    let mut start = operands.len();
    while missing > 0 && start > 0 {
        start -= 1;
        missing += operands[start].kind.operands() as usize;
        missing -= 1;
    }
    &operands[..start]
}

fn apply<'s>(op: &'static Op, operands: &[Label<'s>]) -> Label<'s> {
    let mut items = operands.concat();
    items.push(operation_item(op, operands.len()).into());
    items
}

fn number<'s>(value: f64) -> Label<'s> {
    vec![number_item(value).into()]
}

/// The number that a label consists of.
fn number_of(label: &[Item<Cow<'_, str>>]) -> Option<f64> {
    match label {
        [only] if let ItemKind::Number(it) = &only.kind => Some(it.value),
        _ => None,
    }
}

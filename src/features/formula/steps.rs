//! Differentiates a formula rule by rule, for `:formula f steps`: for each part that depends on a letter, the rule, the
//! part, and its derivative from those of its operands.
//!
//! Parts come before the whole. A line is the sum of the local derivatives, each times the derivative of its operand, or
//! what textbooks write for `u/v`, `c/u^n` and `u^v`. The derivatives of the operands are in their shortest shape, with
//! which their own lines end. If the formula is simplified first, the rules are those of its shortest shape.

use std::borrow::Cow;
use std::rc::Rc;

use rustc_hash::FxHashSet;

use chainrule_engine::graph::structure::reachable;
use chainrule_engine::graph::{Node, NodeId};
use chainrule_engine::ops::{self, Op};
use chainrule_formulas::{FormulaTerms, derivative_in_shape, local_items, over_leaves};
use chainrule_language::{self as language, Item, ItemKind, precedence};
use chainrule_program::postfix::subtree_start;
use chainrule_session::Session;
use chainrule_session::naming::labels::{Label, label_items, number_item, operation_item};

const ADD: &Op = ops::row("addition");
const SUBTRACT: &Op = ops::row("subtraction");
const MULTIPLY: &Op = ops::row("multiplication");
const DIVIDE: &Op = ops::row("division");
const NEGATE: &Op = ops::row("negation");
const POWER: &Op = ops::row("power");
const LN: &Op = ops::row("ln");

/// The most rules that are listed, and the most operands of one of them.
const MOST_STEPS: usize = 100;

/// A formula with the rules that differentiate it.
#[derive(Clone, Debug)]
pub(crate) struct FormulaSteps {
    /// The formula in its shortest shape, if the rules are for that.
    pub simplified: Option<String>,
    /// The formula that the rules are for.
    pub whole: String,
    pub steps: Vec<FormulaStep>,
}

/// A rule that is applied to a part of a formula.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct FormulaStep {
    /// What the rule is called: `product`, `power, chain`.
    pub rule: String,
    /// The inner function, if the chain rule is applied: `3*x^2 + 1` in `(3*x^2 + 1)^5`.
    pub inner: Option<String>,
    /// The part.
    pub part: String,
    /// The derivative of the part, as the rule gives it.
    pub derivative: String,
    /// The derivative in its shortest shape, in which the rules of larger parts use it, if that is another.
    pub shortest: Option<String>,
}

/// The rules from a letter to the root. An error says what is wrong with the formula.
pub(crate) fn formula_steps(
    session: &mut Session,
    root: &Rc<Node>,
    by: &Rc<Node>,
) -> Result<FormulaSteps, String> {
    let simplified = simplified_first(session, root, by);
    session.look(|look| {
        let shortest = simplified.as_ref().and_then(|formula| {
            let expression = language::as_expression(formula)?;
            look.evaluate_number(formula, &expression).ok()
        });
        let root = shortest.as_ref().map_or(root, |(node, _)| node);
        let no_formula = || "has a derivative that is too long, or that no rule gives".to_string();
        let derivation = Derivation::new(look, root, by).ok_or_else(no_formula)?;
        let parts = derivation.parts();
        let operands = parts.iter().map(|part| part.operands().len());
        let most = parts.len().max(operands.max().unwrap_or(0));
        if most > MOST_STEPS {
            return Err(format!(
                "takes {most} rules or terms, and at most {MOST_STEPS} are shown"
            ));
        }
        let mut steps: Vec<FormulaStep> = Vec::new();
        for part in &parts {
            let step = derivation.step(part).ok_or_else(no_formula)?;
            if !steps.contains(&step) {
                steps.push(step);
            }
        }
        if let Some(last) = steps.last_mut() {
            last.shortest = None;
        }
        Ok(FormulaSteps {
            simplified,
            whole: derivation.text(root),
            steps,
        })
    })
}

/// The formula in its shortest shape, if the derivative of that has a shorter shape than that of the formula itself.
fn simplified_first(session: &Session, root: &Rc<Node>, by: &Rc<Node>) -> Option<String> {
    let formula = over_leaves(session, root, std::slice::from_ref(by)).ok()?;
    let of_typed = language::infix(&formula.slope(root, by)?);
    let answer = derivative_in_shape(session, root, by, None).ok()?;
    let shortest = formula.shortest(root).filter(|_| of_typed != answer)?;
    Some(language::infix(&shortest))
}

/// A kind of rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Rule {
    Sum,
    Product,
    ConstantFactor,
    Quotient,
    /// Of `u^n`, or of `c/u^n`.
    Power,
    /// Of `c^u`.
    Exponential,
    /// Of `u^v`, whose logarithm is `v*ln(u)`.
    Logarithms,
    /// Of the solution of an equation.
    Implicit,
    /// Of a function.
    Function,
}

impl Rule {
    fn of(part: &Node, slopes: &[Label]) -> Rule {
        let changing: Vec<bool> = slopes.iter().map(|it| number_of(it) != Some(0.0)).collect();
        let count = changing.iter().filter(|it| **it).count();
        match (name(part), &changing[..]) {
            _ if is_sum(part) => Rule::Sum,
            _ if part.carried().is_some() => Rule::Implicit,
            ("multiplication" | "chain" | "prod", _) if count > 1 => Rule::Product,
            ("negation" | "multiplication" | "chain" | "prod", _) | ("division", [_, false]) => {
                Rule::ConstantFactor
            }
            ("division", [true, _]) => Rule::Quotient,
            ("division", _) | ("power", [_, false]) => Rule::Power,
            ("power", [false, _]) => Rule::Exponential,
            ("power", _) => Rule::Logarithms,
            _ => Rule::Function,
        }
    }

    /// What it is called for a part, of a letter itself or of an inner function.
    fn name(self, part: &Node, has_inner: bool) -> String {
        let rule = match self {
            Rule::Sum => "sum",
            Rule::Product => "product",
            Rule::ConstantFactor => "constant factor",
            Rule::Quotient => "quotient",
            Rule::Power => "power",
            Rule::Exponential => "exponential",
            Rule::Logarithms => "logarithms",
            Rule::Implicit => "implicit",
            Rule::Function if has_inner => return "chain".into(),
            Rule::Function => name(part),
        };
        if has_inner {
            return format!("{rule}, chain");
        }
        rule.into()
    }
}

/// What stands below a line as a power: `u^n`, and u itself as `u^1`.
struct PowerBelow {
    base: Rc<Node>,
    exponent: f64,
}

/// The derivation of a formula by a letter.
struct Derivation<'s> {
    session: &'s Session,
    formula: FormulaTerms<'s>,
    by: &'s Rc<Node>,
    /// The letter, and the nodes that depend on it.
    changing: FxHashSet<NodeId>,
    /// The nodes that depend on the letter, operands before their users.
    users: Vec<Rc<Node>>,
}

impl<'s> Derivation<'s> {
    fn new(session: &'s Session, root: &Rc<Node>, by: &'s Rc<Node>) -> Option<Derivation<'s>> {
        let mut changing = FxHashSet::from_iter([by.id()]);
        let mut users = reachable(std::slice::from_ref(root), by.id());
        users.retain(|node| {
            let mut operands = node.operands().iter();
            operands.any(|it| changing.contains(&it.id())) && changing.insert(node.id())
        });
        Some(Derivation {
            formula: over_leaves(session, root, std::slice::from_ref(by)).ok()?,
            session,
            by,
            changing,
            users,
        })
    }

    /// The parts that have lines of their own: the whole, and the operands that no user differentiates in its own line.
    fn parts(&self) -> Vec<Rc<Node>> {
        let mut alone = FxHashSet::from_iter(self.users.last().map(|it| it.id()));
        for user in &self.users {
            let power_below = self.power_below(user);
            if power_below.is_none_or(|it| it.exponent == 1.0) {
                let operands = user.operands().iter();
                let others = operands.filter(|it| !(is_sum(user) && is_sum(it)));
                alone.extend(others.map(|it| it.id()));
            }
        }
        let has_line = |it: &&Rc<Node>| alone.contains(&it.id()) && !is_comparison(it);
        self.users.iter().filter(has_line).cloned().collect()
    }

    fn changes(&self, node: &Node) -> bool {
        self.changing.contains(&node.id())
    }

    /// What stands below the line, if it changes and what stands above does not.
    fn power_below(&self, part: &Node) -> Option<PowerBelow> {
        let [above, below] = part.operands() else {
            return None;
        };
        if name(part) != "division" || self.changes(above) || !self.changes(below) {
            return None;
        }
        let (base, exponent) = match below.operands() {
            [base] if name(below) == "sqrt" => (base, Some(0.5)),
            [base, exponent] if name(below) == "power" => (base, number_of(&self.label(exponent))),
            _ => (below, None),
        };
        Some(PowerBelow {
            base: Rc::clone(if exponent.is_some() { base } else { below }),
            exponent: exponent.unwrap_or(1.0),
        })
    }

    fn label(&self, node: &Rc<Node>) -> Label<'s> {
        label_items(self.session.names(), node)
    }

    fn slope(&self, node: &Node) -> Option<Label<'s>> {
        self.formula.slope(node, self.by)
    }

    /// The text of a part with its operation.
    fn text(&self, part: &Rc<Node>) -> String {
        let label = self.session.expression(part);
        // A label is cut if its expression is long.
        let items = self.formula.whole(part).filter(|_| label.contains('…'));
        items.map_or(label, |items| language::infix(&items))
    }

    fn step(&self, part: &Rc<Node>) -> Option<FormulaStep> {
        let slopes: Option<Vec<Label>> = part.operands().iter().map(|it| self.slope(it)).collect();
        let slopes = slopes?;
        let rule = Rule::of(part, &slopes);
        let inner = self.inner(part, rule);
        let derivative = language::infix(&self.derivative(part, rule, &slopes)?);
        let shortest = language::infix(&self.slope(part)?);
        Some(FormulaStep {
            rule: rule.name(part, inner.is_some()),
            inner: inner.map(|it| self.text(&it)),
            part: self.text(part),
            shortest: Some(shortest).filter(|it| *it != derivative),
            derivative,
        })
    }

    /// The inner function, unless that is the letter itself.
    fn inner(&self, part: &Node, rule: Rule) -> Option<Rc<Node>> {
        let mut changing = part.operands().iter().filter(|it| self.changes(it));
        let only = match rule {
            Rule::Power if name(part) == "division" => Some(self.power_below(part)?.base),
            Rule::Power | Rule::Exponential | Rule::Function => changing.next().cloned(),
            _ => None,
        };
        only.filter(|it| !Rc::ptr_eq(it, self.by) && name(part) != "if")
    }

    /// The derivative of a part from those of its operands.
    fn derivative(&self, part: &Rc<Node>, rule: Rule, slopes: &[Label<'s>]) -> Option<Label<'s>> {
        let operands = part.operands();
        match (rule, slopes) {
            (Rule::Quotient, [above, below]) => Some(self.quotient(part, above, below)),
            (Rule::Power, _) if name(part) == "division" => {
                let PowerBelow { base, exponent } = self.power_below(part)?;
                let outer = self.power_in_front(&operands[0], &base, exponent);
                Some(times(outer, self.slope(&base)?))
            }
            (Rule::Exponential, [_, slope]) if self.formula.is_euler(&operands[0]) => {
                Some(times(self.label(part), slope.clone()))
            }
            (Rule::Logarithms, [of_base, of_exponent]) => {
                let [base, exponent] = [0, 1].map(|at| self.label(&operands[at]));
                let quotient = apply(DIVIDE, &[of_base.clone(), base.clone()]);
                let by_exponent = times(of_exponent.clone(), apply(LN, &[base]));
                let sum = plus(by_exponent, times(exponent, quotient));
                Some(times(self.label(part), sum))
            }
            (Rule::Function, [_, branches @ ..]) if name(part) == "if" => {
                let condition = self.label(&operands[0]);
                Some(apply(part.op()?, &[&[condition], branches].concat()))
            }
            _ => self.sum_of_locals(part, rule, slopes),
        }
    }

    /// The sum of the local derivatives, each times the derivative of its operand.
    fn sum_of_locals(
        &self,
        part: &Rc<Node>,
        rule: Rule,
        slopes: &[Label<'s>],
    ) -> Option<Label<'s>> {
        let mut terms = Vec::new();
        for (position, slope) in slopes.iter().enumerate() {
            if number_of(slope) != Some(0.0) {
                let local = local_items(self.session, part, position)?;
                // The product rule is `u'*v + u*v'`.
                terms.push(if rule == Rule::Product && position == 0 {
                    times(slope.clone(), local)
                } else {
                    times(local, slope.clone())
                });
            }
        }
        Some(
            terms
                .into_iter()
                .reduce(plus)
                .unwrap_or_else(|| number(0.0)),
        )
    }

    /// `(u'*v - u*v')/v^2`
    fn quotient(&self, part: &Node, of_above: &Label<'s>, of_below: &Label<'s>) -> Label<'s> {
        let [above, below] = [0, 1].map(|at| self.label(&part.operands()[at]));
        let taken = times(above, of_below.clone());
        let numerator = plus(times(of_above.clone(), below.clone()), negative(taken));
        apply(DIVIDE, &[numerator, apply(POWER, &[below, number(2.0)])])
    }

    /// `-n*c*u^(-n - 1)`, the outer derivative of `c/u^n`.
    fn power_in_front(&self, above: &Rc<Node>, base: &Rc<Node>, exponent: f64) -> Label<'s> {
        let constant = self.label(above);
        let factor = match number_of(&constant) {
            Some(value) => half_number(-exponent * value),
            None => times(half_number(-exponent), constant),
        };
        let lower = half_number(-exponent - 1.0);
        times(factor, apply(POWER, &[self.label(base), lower]))
    }
}

fn name(part: &Node) -> &'static str {
    part.op().map_or("", |op| op.name)
}

/// Whether it is 1 or 0, such as `x > 0`, and has no slope.
fn is_comparison(part: &Node) -> bool {
    let operator = part
        .op()
        .and_then(|op| precedence::infix_operator(op.spelling));
    operator.is_some_and(|it| it.level == precedence::level::COMPARISON)
}

fn is_sum(part: &Node) -> bool {
    matches!(name(part), "addition" | "subtraction" | "sum")
}

/// A product, without factors of 1.
fn times<'s>(one: Label<'s>, other: Label<'s>) -> Label<'s> {
    match [number_of(&one), number_of(&other)] {
        [Some(-1.0), _] => negative(other),
        [Some(1.0), _] => other,
        [_, Some(1.0)] => one,
        _ => apply(MULTIPLY, &[one, other]),
    }
}

fn negative(label: Label) -> Label {
    let negated = |factor: &[Item<_>]| number_of(factor).map(|value| number(-value));
    let changed = without_minus(&label).or_else(|| with_first_factor(&label, negated));
    changed.unwrap_or_else(|| apply(NEGATE, &[label]))
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
    let (first, _) = operands.split_at(subtree_start(operands, operands.len() - 1));
    let others = &term[first.len()..];
    Some([with_first_factor(first, change)?, others.to_vec()].concat())
}

fn apply<'s>(op: &'static Op, operands: &[Label<'s>]) -> Label<'s> {
    let mut items = operands.concat();
    items.push(operation_item(op, operands.len()).into());
    items
}

fn number<'s>(value: f64) -> Label<'s> {
    vec![number_item(value).into()]
}

/// A number, as a quotient if it is half of an odd one.
fn half_number<'s>(value: f64) -> Label<'s> {
    if value.fract() != 0.0 && (2.0 * value).fract() == 0.0 {
        return apply(DIVIDE, &[number(2.0 * value), number(2.0)]);
    }
    number(value)
}

/// The number that a label consists of.
fn number_of(label: &[Item<Cow<'_, str>>]) -> Option<f64> {
    match label {
        [only] if let ItemKind::Number(it) = &only.kind => Some(it.value),
        _ => None,
    }
}

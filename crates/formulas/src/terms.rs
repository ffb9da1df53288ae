//! Formulas of nodes as terms of the algebra, and back as the items of a label.
//!
//! A node with a name is a letter, and so is a leaf. Derivatives follow the texts that people learn, and the algebra finds
//! their shortest shape. A node stands in its own derivative by its name, if that is a function of itself: `1 - o^2`.

use std::borrow::Cow;
use std::convert::Infallible;
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::letter_order::letter_places;
use chainrule_algebra::{
    self as algebra, Letter, NamedFunction, Number, Rules, Term, TermKind, TooLarge, WrittenItem,
};
use chainrule_engine::graph::structure::reachable;
use chainrule_engine::graph::{Body, Node, NodeId};
use chainrule_engine::ops::{self, Op, Rule, TABLE};
use chainrule_language::ItemKind;
use chainrule_program::derive::has_learned_text;
use chainrule_program::postfix::subtree_start;
use chainrule_program::texts::{TextItem, value_of_text};
use chainrule_session::naming::Names;
use chainrule_session::naming::labels::{
    self, Label, label_items, name_item, number_item, operation_item, unnamed_item,
};

const POWER: &Op = ops::row("power");
const EXP: &Op = ops::row("exp");

/// The most operands of a sum that stand as terms with signs between them.
const MOST_WRITTEN_OUT: usize = 4;

/// A whole value of a function of numbers is written out up to this.
const LARGEST_VALUE: f64 = 1e6;

thread_local! {
    /// The functions of the rows of the table.
    static FUNCTIONS: Vec<Rc<NamedFunction>> = TABLE.iter().map(|op| Rc::new(describe(op))).collect();
}

/// Tells the algebra what it has to know about an operation.
fn describe(op: &'static Op) -> NamedFunction {
    match op.rule {
        Rule::Unary { value, .. } => NamedFunction::of_one(op.name, value),
        _ => NamedFunction::of_name(op.name),
    }
}

pub(crate) fn apply(op: &'static Op, operands: Vec<Term>) -> Term {
    if let Some(known) = value_of_numbers(op, &operands) {
        return known;
    }
    FUNCTIONS.with(|all| algebra::call(&all[op.row as usize], operands))
}

/// The value of a function or comparison of numbers if it is whole, such as `max(1, 0)`, and the branch that a number
/// chooses.
fn value_of_numbers(op: &Op, operands: &[Term]) -> Option<Term> {
    const BY_RULES: [&str; 6] = [
        "addition",
        "subtraction",
        "multiplication",
        "division",
        "power",
        "negation",
    ];
    let number = |term: &Term| term.number().map(|it| it.value);
    if let ("if", [condition, yes, no]) = (op.name, operands) {
        let chosen = if number(condition)? == 0.0 { no } else { yes };
        return Some(chosen.clone());
    }
    // The first one tells for nearly all terms that there is a letter.
    number(operands.first()?)?;
    let numbers: Option<Vec<f64>> = operands.iter().map(number).collect();
    let value = op.value(&numbers?);
    let is_short = value.fract() == 0.0 && value.abs() < LARGEST_VALUE;
    (is_short && !BY_RULES.contains(&op.name)).then(|| Number::from_data(value).into())
}

fn row(name: &str) -> &'static Op {
    let found = TABLE.iter().find(|op| op.name == name);
    found.expect("each function of a term is a row of the table")
}

fn constant(name: &str) -> Option<Term> {
    match name {
        "e" => Some(Term::euler()),
        "pi" => Some(Term::letter(name, Letter::PI)),
        _ => None,
    }
}

/// The derivatives of functions by the texts that people learn, and those of letters that stand for computed nodes.
#[derive(Default)]
pub(crate) struct LearnedSlopes {
    /// The derivatives of letters by their places. Others are 0.
    of_letters: FxHashMap<i64, Term>,
}

impl Rules for LearnedSlopes {
    fn slope(&self, call: &Term, position: usize) -> Term {
        let TermKind::Call(function) = call.kind() else {
            unreachable!("only calls have slopes");
        };
        let op = row(&function.name);
        let make = |part| match part {
            TextItem::Number(number) => Ok(Number::from_data(number).into()),
            TextItem::Name(name) => Ok(named_part(op, call, position, name)),
            TextItem::Operation(inner, operands) => Ok(apply(inner, operands)),
        };
        let Ok(term) = value_of_text::<_, Infallible>(op.learned_text(position), make);
        term
    }

    fn slope_of_letter(&self, letter: &Letter) -> Term {
        let known = self.of_letters.get(&letter.place);
        known.cloned().unwrap_or_else(|| Term::whole(0))
    }
}

/// What a name stands for in the text of the derivative by the argument at `position`.
fn named_part(op: &Op, call: &Term, position: usize, name: &str) -> Term {
    match op.operand_of_text(name, position) {
        Some(operand) => call.parts()[operand].clone(),
        None if name == "out" => call.clone(),
        None => constant(name).expect("texts name no other constants"),
    }
}

/// What a formula is made of.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum FormulaParts {
    Leaves,
    /// The leaves, and the computed nodes with names.
    Names,
}

/// The nodes of a formula as terms.
pub struct FormulaTerms<'n> {
    pub(crate) names: &'n Names,
    /// The nodes, operands before their users, and the root last.
    nodes: Vec<Rc<Node>>,
    /// The places of the nodes among letters.
    places: FxHashMap<NodeId, i64>,
    /// The nodes that are letters, by their places.
    pub(crate) letters: FxHashMap<i64, Rc<Node>>,
    /// The operation of each node on the terms of its operands, or the letter of a leaf or of a solution.
    definitions: FxHashMap<NodeId, Term>,
    /// The left side minus the right side of the equation of each solution.
    equations: FxHashMap<NodeId, Term>,
    /// The names of lists that stand for their items in sums, by the places of their letters. `None` if items are letters
    /// of their own.
    pub(crate) lists: Option<FxHashMap<i64, String>>,
    /// What [`Letter::SUM`] stands for.
    pub(crate) difference: Option<Label<'n>>,
    /// Whether `exp(u)` is written `e^u`, because only that was typed.
    has_powers_of_e: bool,
}

impl<'n> FormulaTerms<'n> {
    /// The formula of a root, in which the leaves and `by` are letters, and also the nodes with names if these are its
    /// parts. If `has_lists`, lists of leaves are letters in sums over all their items. `None` if it has an operation on
    /// many operands whose derivative is not in the textbooks.
    pub(crate) fn of(
        names: &'n Names,
        root: &Rc<Node>,
        by: &[Rc<Node>],
        parts: FormulaParts,
        has_lists: bool,
    ) -> Option<FormulaTerms<'n>> {
        let ids: FxHashSet<NodeId> = by.iter().map(|node| node.id()).collect();
        let has_names = parts == FormulaParts::Names;
        let is_letter = |node: &Rc<Node>| {
            ids.contains(&node.id())
                || node.carried().is_some()
                || has_names && labels::name(names, node).is_some()
        };
        let nodes = reachable(std::slice::from_ref(root), 0);
        let mut formula = FormulaTerms {
            names,
            places: letter_places(names, &nodes, &is_letter),
            nodes: Vec::new(),
            letters: FxHashMap::default(),
            definitions: FxHashMap::default(),
            equations: FxHashMap::default(),
            lists: has_lists.then(FxHashMap::default),
            difference: None,
            has_powers_of_e: false,
        };
        for node in &nodes {
            let definition = formula.define(node)?;
            formula.definitions.insert(node.id(), definition);
            if is_letter(node) {
                let place = formula.place(node);
                formula.letters.insert(place, Rc::clone(node));
            }
        }
        let is_power_of_e =
            |it: &Node| it.op() == Some(POWER) && formula.is_euler(&it.operands()[0]);
        formula.has_powers_of_e = nodes.iter().any(|it| is_power_of_e(it))
            && !nodes.iter().any(|it| it.op() == Some(EXP));
        formula.nodes = nodes;
        Some(formula)
    }

    /// The place of a node among letters. One that is not below the root has a place after all others.
    pub(crate) fn place(&self, node: &Node) -> i64 {
        let found = self.places.get(&node.id());
        found
            .copied()
            .unwrap_or_else(|| self.places.len() as i64 + i64::from(node.id()))
    }

    fn define(&mut self, node: &Rc<Node>) -> Option<Term> {
        let Some(op) = node.op() else {
            return Some(self.leaf(node));
        };
        if let Some(body) = Body::of(node) {
            let own = letter(self.place(node));
            let operands: Vec<Term> = node
                .operands()
                .iter()
                .map(|it| self.reference(it))
                .collect();
            let equation = equation_term(self.names, body, &operands, &own)?;
            self.equations.insert(node.id(), equation);
            return Some(own);
        }
        if op.is_sum()
            && let Some(sum) = self.sum_over_lists(node)
        {
            return Some(sum);
        }
        let operands = node.operands().iter().map(|it| self.reference(it));
        applied(op, operands.collect())
    }

    fn leaf(&mut self, node: &Rc<Node>) -> Term {
        let is_unnamed = labels::name(self.names, node).is_none();
        let found = is_unnamed
            .then(|| constant_term(self.names, node))
            .flatten();
        found.unwrap_or_else(|| {
            let place = self.place(node);
            self.letters.insert(place, Rc::clone(node));
            letter(place)
        })
    }

    /// The term by which users of a node refer to it.
    pub(crate) fn reference(&self, node: &Node) -> Term {
        if self.letters.contains_key(&self.place(node)) {
            return letter(self.place(node));
        }
        self.definitions[&node.id()].clone()
    }

    /// A node over its letters.
    pub(crate) fn definition(&self, node: &Node) -> &Term {
        &self.definitions[&node.id()]
    }

    /// The items of a node over its letters. `None` if there are too many.
    pub fn whole(&self, node: &Node) -> Option<Label<'n>> {
        self.items(self.definition(node)).ok()
    }

    /// The items of a node over its letters, in its shortest shape.
    pub fn shortest(&self, node: &Node) -> Option<Label<'n>> {
        self.items(&algebra::shortest(self.definition(node))).ok()
    }

    /// Whether a node is the constant e.
    pub fn is_euler(&self, node: &Node) -> bool {
        *self.definition(node) == Term::euler()
    }

    /// The computed nodes below the root that are letters, the newest first.
    pub(crate) fn named_parts(&self) -> Vec<Rc<Node>> {
        let below = self.nodes.iter().rev().skip(1);
        let is_named =
            |node: &&Rc<Node>| !node.is_leaf() && self.letters.contains_key(&self.place(node));
        below.filter(is_named).cloned().collect()
    }

    /// The items of the derivative of a node by a letter on which no other letter depends. `None` if it is too large.
    pub fn slope(&self, node: &Node, by: &Node) -> Option<Label<'n>> {
        let definition = self.definition(node);
        let slopes = self.slopes_of_letters(by).ok()?;
        let slope = algebra::derivative(definition, &letter_at(self.place(by)), &slopes);
        self.items(&algebra::shortest(&slope.ok()?)).ok()
    }

    /// A term with a number in place of a letter.
    pub(crate) fn at(&self, term: &Term, by: &Node, number: &Term) -> Term {
        replace(term, &letter(self.place(by)), number)
    }

    pub(crate) fn root(&self) -> &Rc<Node> {
        self.nodes.last().expect("the root is there")
    }

    /// The derivative of this order of the root by a letter on which no other letter depends.
    pub(crate) fn derivative_of_order(&self, by: &Node, order: usize) -> Result<Term, TooLarge> {
        let slopes = self.slopes_of_letters(by)?;
        let by = letter_at(self.place(by));
        algebra::shortest_derivative(self.definition(self.root()), &by, order, &slopes)
    }

    /// The derivative of the root by a letter.
    pub(crate) fn derivative(&self, by: &Node) -> Result<Term, TooLarge> {
        let (root, letter) = (self.root(), letter_at(self.place(by)));
        let slopes = self.slopes_of_letters(by)?;
        let derivative = if self.letters.contains_key(&self.place(root)) {
            slopes.slope_of_letter(&letter_at(self.place(root)))
        } else {
            algebra::derivative(&algebra::shortest(self.definition(root)), &letter, &slopes)?
        };
        Ok(algebra::shortest(&derivative))
    }

    /// The derivatives of all letters by one of them.
    fn slopes_of_letters(&self, by: &Node) -> Result<LearnedSlopes, TooLarge> {
        let mut slopes = LearnedSlopes::default();
        let by_letter = letter_at(self.place(by));
        slopes.of_letters.insert(by_letter.place, Term::whole(1));
        let newer = self.nodes.iter().filter(|node| node.id() > by.id());
        for node in newer.filter(|node| self.letters.contains_key(&self.place(node))) {
            let definition = &self.definitions[&node.id()];
            let own = letter_at(self.place(node));
            let slope = if let Some(equation) = self.equations.get(&node.id()) {
                slope_of_solution(equation, &own, &by_letter, &slopes)?
            } else {
                algebra::derivative(definition, &by_letter, &slopes)?
            };
            if slope == Term::whole(0) {
                continue;
            }
            let with_name = if is_function(definition) {
                replace(&slope, definition, &letter(self.place(node)))
            } else {
                slope
            };
            slopes.of_letters.insert(own.place, with_name);
        }
        Ok(slopes)
    }

    /// The items of a term, in which letters are the labels of their nodes.
    pub(crate) fn items(&self, term: &Term) -> Result<Label<'n>, TooLarge> {
        let items = written_items(self.names, term, |place| {
            if place == Letter::SUM {
                return self.difference.clone();
            }
            if let Some(list) = self.lists.as_ref().and_then(|lists| lists.get(&place)) {
                return Some(vec![name_item(list.clone()).into()]);
            }
            Some(label_items(self.names, self.letters.get(&place)?))
        })?;
        Ok(if self.has_powers_of_e {
            with_powers_of_e(self.names, items)
        } else {
            items
        })
    }
}

/// The term of a constant.
fn constant_term(names: &Names, node: &Rc<Node>) -> Option<Term> {
    match unnamed_item(names, node) {
        ItemKind::Number(it) => Some(Number::from_data(it.value).into()),
        ItemKind::Name(name) => constant(&name),
        _ => None,
    }
}

/// The left side minus the right side of an equation, on terms for the operands and a letter for the solution.
pub(crate) fn equation_term(
    names: &Names,
    body: &Body,
    operands: &[Term],
    solution: &Term,
) -> Option<Term> {
    let leaves = body.stand_ins.iter().map(|leaf| leaf.id());
    let mut terms: FxHashMap<NodeId, Term> = leaves.zip(operands.iter().cloned()).collect();
    terms.insert(body.unknown.id(), solution.clone());
    for part in reachable(std::slice::from_ref(&body.root), 0) {
        if !terms.contains_key(&part.id()) {
            let parts = part.operands().iter().map(|it| terms[&it.id()].clone());
            let term = match part.op() {
                None => constant_term(names, &part)?,
                Some(op) => applied(op, parts.collect())?,
            };
            terms.insert(part.id(), term);
        }
    }
    terms.remove(&body.root.id())
}

/// `-F_x/F_y`: the derivative of the solution `y` of an equation by a letter. `slopes` are those of the letters in it.
pub(crate) fn slope_of_solution(
    equation: &Term,
    solution: &Letter,
    by: &Letter,
    slopes: &LearnedSlopes,
) -> Result<Term, TooLarge> {
    // The letter of the solution has no slope yet, so it counts as a constant.
    let by_operands = algebra::derivative(equation, by, slopes)?;
    let by_solution = algebra::derivative(equation, solution, &LearnedSlopes::default())?;
    let below = algebra::power(&by_solution, &Term::whole(-1));
    let slope = algebra::product([Term::whole(-1), by_operands, below]);
    Ok(algebra::shortest(&slope))
}

/// An operation on terms. `None` if it is on many operands and its derivative is not in the textbooks.
fn applied(op: &'static Op, operands: Vec<Term>) -> Option<Term> {
    let count = operands.len();
    if op.is_sum() && count <= MOST_WRITTEN_OUT {
        return Some(algebra::sum(operands));
    }
    let is_known = op.is_sum() || op.is_product() || has_learned_text(op, count);
    is_known.then(|| apply(op, operands))
}

pub(crate) fn letter(place: i64) -> Term {
    Term::letter("", place)
}

pub(crate) fn letter_at(place: i64) -> Letter {
    let name = "".into();
    Letter { place, name }
}

/// Whether a term is a function or an exponential, which may occur in its own derivative.
fn is_function(term: &Term) -> bool {
    match term.kind() {
        TermKind::Call(_) => true,
        TermKind::Power => term.parts()[0] == Term::euler(),
        _ => false,
    }
}

/// A term with another one in place of a part.
pub(crate) fn replace(term: &Term, part: &Term, new: &Term) -> Term {
    if term == part {
        return new.clone();
    }
    if term.tokens() < part.tokens() {
        return term.clone();
    }
    let parts: Vec<Term> = (term.parts().iter())
        .map(|it| replace(it, part, new))
        .collect();
    match term.kind() {
        TermKind::Number(_) | TermKind::Letter(_) | TermKind::TooLarge => term.clone(),
        TermKind::Call(function) if function.items.is_some() => algebra::call(function, parts),
        TermKind::Call(function) => apply(row(&function.name), parts),
        TermKind::Power => algebra::power(&parts[0], &parts[1]),
        TermKind::Product => algebra::product(parts),
        TermKind::Sum => algebra::sum(parts),
    }
}

/// A constant of a text or a term: its name, or its number if the user has bound the name.
pub(crate) fn constant_item<'n>(names: &Names, name: &'static str) -> ItemKind<Cow<'n, str>> {
    match (names.find(name), ops::constant(name)) {
        (Some(_), Some(value)) => number_item(value),
        _ => name_item(name),
    }
}

/// The items of a term. `label` returns what the letter at a place stands for; the others are constants.
pub(crate) fn written_items<'n>(
    names: &'n Names,
    term: &Term,
    label: impl Fn(i64) -> Option<Label<'n>>,
) -> Result<Label<'n>, TooLarge> {
    let mut items = Label::new();
    for item in algebra::write(term)? {
        items.push(match item {
            WrittenItem::Number(value) => number_item(value).into(),
            WrittenItem::Letter(it) => match label(it.place) {
                Some(label) => {
                    items.extend(label);
                    continue;
                }
                None if it.place == Letter::EULER => constant_item(names, "e").into(),
                None => constant_item(names, "pi").into(),
            },
            WrittenItem::Operation(name) => operation_item(row(name), row(name).arity().0).into(),
            WrittenItem::Call(function, count) => operation_item(row(&function.name), count).into(),
        });
    }
    Ok(items)
}

/// The items with `e^u` for `exp(u)`.
fn with_powers_of_e<'n>(names: &'n Names, items: Label<'n>) -> Label<'n> {
    let mut written = Label::new();
    for item in items {
        if item.kind != operation_item(EXP, 1) {
            written.push(item);
            continue;
        }
        let exponent = subtree_start(&written, written.len() - 1);
        written.insert(exponent, constant_item(names, "e").into());
        written.push(operation_item(POWER, 2).into());
    }
    written
}

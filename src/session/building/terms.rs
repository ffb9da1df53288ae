//! Formulas as terms of the algebra: from the nodes of a graph, and back to the items of a label.

use std::borrow::Cow;
use std::convert::Infallible;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::local_derivatives::has_learned_text;
use super::texts::{TextItem, value_of_text};
use crate::session::naming::Names;
use crate::session::naming::labels::{self, Label, name_item, operation_item, unnamed_item};
use chainrule_algebra::{
    self as algebra, Letter, MAX_DEPTH, NamedFunction, Number, Rules, Term, TermKind, WrittenItem,
};
use chainrule_engine::graph::structure::reachable;
use chainrule_engine::graph::{Node, NodeId};
use chainrule_engine::ops::{Op, Rule, TABLE};
use chainrule_language::{self as language, ItemKind, Literal};

/// The most nodes of a formula that is written in its shortest shape.
const MAX_NODES: usize = 1000;

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

fn apply(op: &'static Op, operands: Vec<Term>) -> Term {
    FUNCTIONS.with(|all| algebra::call(&all[op.row as usize], operands))
}

fn row(name: &str) -> &'static Op {
    let found = TABLE.iter().find(|op| op.name == name);
    found.expect("each function of a term is a row of the table")
}

fn constant(name: &str) -> Option<Term> {
    match name {
        "e" => Some(Term::euler()),
        "pi" => Some(Term::letter(name, -1)),
        _ => None,
    }
}

/// The derivatives by the texts that people learn.
struct LearnedSlopes;

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
}

/// What a name stands for in the text of the derivative by the argument at `position`.
fn named_part(op: &Op, call: &Term, position: usize, name: &str) -> Term {
    let arguments = call.parts();
    let is_of_many = matches!(op.rule, Rule::Many { .. });
    match name {
        "x" if is_of_many => arguments[position].clone(),
        "y" if is_of_many => arguments[1 - position].clone(),
        "x" => arguments[0].clone(),
        "y" => arguments[1].clone(),
        "z" => arguments[2].clone(),
        "out" => call.clone(),
        other => constant(other).expect("texts name no other constants"),
    }
}

/// The text of a derivative of `root` by a leaf, in its shortest shape. `None` if it is too large, or if the algebra
/// cannot express a node.
pub(super) fn derivative_text(
    names: &Names,
    root: &Rc<Node>,
    by: &Rc<Node>,
    order: usize,
) -> Option<String> {
    let nodes = reachable(std::slice::from_ref(root), 0);
    let mut terms: FxHashMap<NodeId, Term> = FxHashMap::default();
    for node in nodes.iter().take(MAX_NODES) {
        let operands = || -> Option<Vec<Term>> {
            let each = node.operands().iter();
            each.map(|it| terms.get(&it.id()).cloned()).collect()
        };
        let term = match (labels::name(names, node), node.op()) {
            (Some(name), _) => Term::letter(&name, node.id() as i32),
            (None, None) => leaf_term(names, node)?,
            (None, Some(op)) => {
                let is_known = op.is_sum() || op.is_product();
                let count = node.operands().len();
                apply(
                    op,
                    operands().filter(|_| is_known || has_learned_text(op, count))?,
                )
            }
        };
        if term.depth() > MAX_DEPTH {
            return None;
        }
        terms.insert(node.id(), term);
    }
    let letter = Letter {
        place: by.id() as i32,
        name: "".into(),
    };
    let term = terms.get(&root.id())?;
    let derivative = algebra::shortest_derivative(term, &letter, order, &LearnedSlopes)?;
    Some(text(&derivative))
}

/// A leaf without a name, if it is a number.
fn leaf_term(names: &Names, node: &Rc<Node>) -> Option<Term> {
    match unnamed_item(names, node) {
        ItemKind::Number(it) => Some(Number::from_data(it.value).into()),
        ItemKind::Name(name) => constant(&name),
        _ => None,
    }
}

fn text(term: &Term) -> String {
    let items = algebra::write(term).into_iter();
    let items: Label = items.map(|it| label_item(it).into()).collect();
    language::infix(&items)
}

fn label_item<'n>(item: WrittenItem) -> ItemKind<Cow<'n, str>> {
    match item {
        WrittenItem::Number(value) => {
            let has_point = false;
            ItemKind::Number(Literal { value, has_point })
        }
        WrittenItem::Letter(it) => name_item(it.name.to_string()),
        WrittenItem::Operation(name) => operation_item(row(name), row(name).arity().0),
        WrittenItem::Call(function, count) => operation_item(row(&function.name), count),
    }
}

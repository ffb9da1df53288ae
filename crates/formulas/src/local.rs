//! Writes the local derivative of a node with respect to an operand, as textbooks print it: `1 - tanh(n)^2`.

use std::cell::LazyCell;
use std::convert::Infallible;
use std::rc::Rc;

use crate::terms::{
    LearnedSlopes, apply, constant_item, equation_term, letter, letter_at, slope_of_solution,
    written_items,
};
use chainrule_algebra::{self as algebra, Number, Term, TermKind};
use chainrule_engine::graph::{Body, Node};
use chainrule_engine::ops::{Op, Shape};
use chainrule_language::{self as language, ItemKind};
use chainrule_program::derive::has_learned_text;
use chainrule_program::texts::{TextItem, value_of_text};
use chainrule_session::Session;
use chainrule_session::naming::Names;
use chainrule_session::naming::labels::{
    self, Label, label_items, name_item, number_item, operation_item,
};

/// The most operands that the formula of a local derivative lists.
const MAX_LISTED_OPERANDS: usize = 3;

/// The local derivative of a node with respect to the operand at a position.
pub fn local_formula(session: &Session, node: &Rc<Node>, operand: usize) -> String {
    local_formulas(session, node)(operand)
}

/// Returns a function from the position of an operand to the local derivative. The label of the node is made once for all
/// operands.
pub fn local_formulas(session: &Session, node: &Rc<Node>) -> impl Fn(usize) -> String {
    let names = session.names();
    let own_label = LazyCell::new(|| label_items(names, node));
    move |operand| {
        let items = local_derivative(names, node, operand, || own_label.clone());
        items.map_or_else(String::new, |it| language::infix(&it))
    }
}

/// The items of the local derivative of a node with respect to the operand at a position.
pub fn local_items<'s>(session: &'s Session, node: &Rc<Node>, operand: usize) -> Option<Label<'s>> {
    let names = session.names();
    local_derivative(names, node, operand, || label_items(names, node))
}

/// The local derivative of a node with respect to the operand at `position`. `own_label` is the label of the node. `None`
/// for a leaf or a constant.
fn local_derivative<'n>(
    names: &'n Names,
    node: &Node,
    position: usize,
    own_label: impl Fn() -> Label<'n>,
) -> Option<Label<'n>> {
    let op = node.op()?;
    if let Some(body) = Body::of(node) {
        return local_of_solution(names, node, body, position, own_label);
    }
    if op.shape == Shape::Call && !op.is_sum() && !op.is_product() {
        return Some(learned_derivative(names, node, op, position, own_label));
    }
    let mut operation = LabelledOperation {
        names,
        labels: Vec::new(),
    };
    let by = operation.letter(label_items(names, &node.operands()[position]));
    let others = (0..node.operands().len()).filter(|at| *at != position);
    let mut arguments: Vec<Term> = Vec::new();
    // The derivative of a product is that of its other factors, so they are written out.
    for at in others.clone().take(MAX_LISTED_OPERANDS) {
        arguments.push(operation.operand(&node.operands()[at]));
    }
    if others.count() > MAX_LISTED_OPERANDS {
        arguments.push(operation.letter(vec![name_item("…").into()]));
    }
    arguments.insert(position.min(arguments.len()), by.clone());
    let TermKind::Letter(by) = by.kind() else {
        unreachable!("the operand is a letter");
    };
    let slope = algebra::derivative(&apply(op, arguments), by, &LearnedSlopes::default()).ok()?;
    operation.items(&algebra::shortest(&slope))
}

/// The derivative of a node that carries an equation by the operand at `position`.
fn local_of_solution<'n>(
    names: &'n Names,
    node: &Node,
    body: &Body,
    position: usize,
    own_label: impl Fn() -> Label<'n>,
) -> Option<Label<'n>> {
    let mut operation = LabelledOperation {
        names,
        labels: Vec::new(),
    };
    let labels = node.operands().iter().map(|it| label_items(names, it));
    let operands: Vec<Term> = labels.map(|it| operation.letter(it)).collect();
    let solution = operation.letter(own_label());
    let equation = equation_term(names, body, &operands, &solution)?;
    let [own, by] = [operands.len(), position].map(|place| letter_at(place as i64));
    let slope = slope_of_solution(&equation, &own, &by, &LearnedSlopes::default()).ok()?;
    operation.items(&slope)
}

/// The derivative of a function by the operand at `position`: the text that people learn, with labels in place of its
/// names. A text for many operands is one for two, so the others of more than two are `…`.
fn learned_derivative<'n>(
    names: &'n Names,
    node: &Node,
    op: &Op,
    position: usize,
    own_label: impl Fn() -> Label<'n>,
) -> Label<'n> {
    let operands = node.operands();
    let has_text = has_learned_text(op, operands.len());
    let named = |name| match op.operand_of_text(name, position) {
        Some(place) if place == position || has_text => label_items(names, &operands[place]),
        Some(_) => vec![name_item("…").into()],
        None if name == "out" => own_label(),
        None => vec![constant_item(names, name).into()],
    };
    let make = |part| match part {
        TextItem::Number(number) => Ok(vec![number_item(number).into()]),
        TextItem::Name(name) => Ok(named(name)),
        TextItem::Operation(inner, parts) => {
            let item = operation_item(inner, parts.len()).into();
            Ok([parts.concat(), vec![item]].concat())
        }
    };
    let Ok(label) = value_of_text::<_, Infallible>(op.learned_text(position), make);
    label
}

/// An operation on letters that stand for labels.
struct LabelledOperation<'n> {
    names: &'n Names,
    /// The labels by the places of their letters.
    labels: Vec<Label<'n>>,
}

impl<'n> LabelledOperation<'n> {
    fn letter(&mut self, label: Label<'n>) -> Term {
        self.labels.push(label);
        letter(self.labels.len() as i64 - 1)
    }

    /// The items of a term on the letters.
    fn items(&self, term: &Term) -> Option<Label<'n>> {
        let label = |place: i64| self.labels.get(usize::try_from(place).ok()?).cloned();
        written_items(self.names, term, label).ok()
    }

    /// A letter, or the number of a constant, with the minus of a node without a name in front.
    fn operand(&mut self, node: &Rc<Node>) -> Term {
        let is_negation = node.op().is_some_and(|op| op.name == "negation");
        if is_negation && labels::name(self.names, node).is_none() {
            let positive = self.letter(label_items(self.names, &node.operands()[0]));
            return algebra::product([Term::whole(-1), positive]);
        }
        let label = label_items(self.names, node);
        match &label[..] {
            [only] if let ItemKind::Number(literal) = only.kind => {
                Number::from_data(literal.value).into()
            }
            _ => self.letter(label),
        }
    }
}

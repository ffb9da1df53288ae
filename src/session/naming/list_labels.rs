//! Labels that name lists instead of their items: `sum(relu(1 - y*score))`, `dot(w, x)`, `f(W[2])`.
//!
//! No text is kept for a list or its items. That a hundred operands of a sum are the items of `relu(1 - y*score)` is
//! seen from the graph: each is made by the same operations, and where they differ, there stand the items of a list with
//! a name, one after the other.

use std::rc::Rc;

use super::atoms::{LABEL_NODES, atom, head, item, name};
use super::names::Names;
use super::shape::Shape;
use super::value::{ListPart, Value};
use crate::graph::Node;
use crate::ops::{Op, Rule};
use crate::syntax::{self, ItemKind};

/// The label of a node that was made from all items of lists with names: a sum or another operation of any number of
/// operands, a mean, or a sum of products (`dot`).
pub(crate) fn reduction(names: &Names, node: &Node) -> Option<String> {
    let op = node.op()?;
    if let ("/", [sum, count]) = (op.spelling, node.operands())
        && is_sum(sum)
        && !count.varies()
        && count.data() == sum.operands().len() as f64
        && name(names, sum).is_none()
    {
        let mut terms = Terms::new(names);
        let is_list = terms.column(sum.operands())?;
        return is_list.then(|| format!("mean({})", terms.text()));
    }
    if !matches!(op.rule, Rule::Many { .. }) {
        return None;
    }
    if let Some([one, other]) = products(names, node) {
        let text = |factor: &[Rc<Node>]| {
            let mut terms = Terms::new(names);
            terms.column(factor)?.then(|| terms.text())
        };
        if let (Some(one), Some(other)) = (text(&one), text(&other)) {
            return Some(format!("dot({one}, {other})"));
        }
    }
    let mut terms = Terms::new(names);
    let is_list = terms.column(node.operands())?;
    is_list.then(|| format!("{}({})", op.spelling, terms.text()))
}

fn is_sum(node: &Node) -> bool {
    node.op().is_some_and(|op| op.spelling == "sum")
}

/// The first and the second factors of a sum of products.
fn products(names: &Names, node: &Node) -> Option<[Vec<Rc<Node>>; 2]> {
    let product = |node: &Rc<Node>| match (node.op()?.spelling, node.operands()) {
        ("*", [one, other]) if !is_known(names, node) => Some((Rc::clone(one), Rc::clone(other))),
        _ => None,
    };
    if !is_sum(node) {
        return None;
    }
    let factors: Option<(Vec<_>, Vec<_>)> = node.operands().iter().map(product).collect();
    factors.map(|(one, other)| [one, other])
}

fn are_equal_constants(one: &Node, other: &Node) -> bool {
    let is_constant = one.spelling().is_some() && one.spelling() == other.spelling();
    is_constant && one.data().to_bits() == other.data().to_bits()
}

/// Whether a node is shown by a name or as a call.
fn is_known(names: &Names, node: &Node) -> bool {
    names.calls.of(node).is_some() || name(names, node).is_some()
}

/// What is typed for a list: the name of the list that has these nodes in this shape, or the part of one.
pub(crate) fn list_name(names: &Names, nodes: &[Rc<Node>], shape: &Shape) -> Option<String> {
    let first = nodes.first()?;
    let same = |(one, other): (&Rc<Node>, &Rc<Node>)| Rc::ptr_eq(one, other);
    names.lists_of(first).find_map(|(name, list, place)| {
        let there = list.nodes().get(place..place + nodes.len())?;
        if !there.iter().zip(nodes).all(same) {
            return None;
        }
        part_name(name, list.shape(), place, shape)
    })
}

/// How a part of a list is selected from it.
pub(crate) enum ListPiece {
    /// `[2]`; counted from 0.
    Item(usize),
    /// `[2..3]`; counted from 1.
    Range(usize, usize),
    /// `flat(W)`
    Flat,
}

/// `W`, `W[2]`, `w[2..3]`, `flat(W)`: the part of a list that begins at the number `place` and has this shape.
fn part_name(list: &str, whole: &Shape, place: usize, part: &Shape) -> Option<String> {
    let mut name = list.to_string();
    for piece in part_pieces(whole, place, part)? {
        name = match piece {
            ListPiece::Item(at) => format!("{name}[{}]", at + 1),
            ListPiece::Range(first, last) => format!("{name}[{first}..{last}]"),
            ListPiece::Flat => format!("flat({name})"),
        };
    }
    Some(name)
}

/// The steps from a list to the part that begins at the number `place` and has this shape.
pub(crate) fn part_pieces(whole: &Shape, place: usize, part: &Shape) -> Option<Vec<ListPiece>> {
    let is_flat = part.depth() == 1 && part.row().is_some();
    if is_flat && whole.depth() > 1 && part.size() == whole.size() {
        return Some(vec![ListPiece::Flat]);
    }
    let (mut pieces, mut shape, mut start) = (Vec::new(), whole.clone(), 0);
    loop {
        if start == place && shape == *part {
            return Some(pieces);
        }
        let inside = place - start;
        if is_flat && shape.depth() == 1 {
            let (first, last) = (inside + 1, inside + part.size());
            pieces.push(ListPiece::Range(first, last));
            return (last <= shape.size()).then_some(pieces);
        }
        let at = *shape.path(inside).first()?;
        let (item, begins) = shape.item(at)?;
        (shape, start) = (item, start + begins);
        pieces.push(ListPiece::Item(at));
    }
}

/// A list of more numbers is not written out in a label.
const LONG_LIST: usize = 8;

/// A term over lists that is being written, in postfix order.
struct Terms<'n> {
    names: &'n Names,
    terms: Vec<Term>,
}

enum Term {
    Name(String),
    Atom(ItemKind<'static>),
    Apply(&'static Op, u32),
}

impl Terms<'_> {
    fn new(names: &Names) -> Terms<'_> {
        let terms = Vec::new();
        Terms { names, terms }
    }

    /// Adds the expression of which these nodes are the items. Returns whether it is a list: a number goes with every
    /// item. None if the nodes have no expression in common. (At most [`LABEL_NODES`] calls are nested.)
    fn column(&mut self, nodes: &[Rc<Node>]) -> Option<bool> {
        let first = nodes.first()?;
        if self.terms.len() > LABEL_NODES {
            return None;
        }
        let shape = Shape::rows(nodes.len(), Shape::NUMBER);
        if let Some(list) = list_name(self.names, nodes, &shape) {
            self.terms.push(Term::Name(list));
            return Some(true);
        }
        let same = |node: &Rc<Node>| Rc::ptr_eq(node, first) || are_equal_constants(node, first);
        if nodes.iter().all(same) {
            let label = name(self.names, first);
            if label.is_some() || first.operands().is_empty() {
                let atom = || Term::Atom(atom(self.names, first));
                self.terms.push(label.map_or_else(atom, Term::Name));
                return Some(false);
            }
        }
        let op = first.op()?;
        let count = first.operands().len();
        let alike = |node: &Rc<Node>| {
            node.op().is_some_and(|other| std::ptr::eq(other, op))
                && node.operands().len() == count
                && !is_known(self.names, node)
        };
        if !nodes.iter().all(alike) || count > LABEL_NODES {
            return None;
        }
        let mut is_list = false;
        for operand in 0..count {
            let column: Vec<Rc<Node>> = nodes
                .iter()
                .map(|node| Rc::clone(&node.operands()[operand]))
                .collect();
            is_list |= self.column(&column)?;
        }
        self.terms.push(Term::Apply(op, count as u32));
        Some(is_list)
    }

    fn text(&self) -> String {
        let items: Vec<_> = (self.terms.iter())
            .map(|term| {
                item(match term {
                    Term::Name(name) => ItemKind::Name(name),
                    Term::Atom(kind) => *kind,
                    Term::Apply(op, count) => ItemKind::Apply(head(op), *count),
                })
            })
            .collect();
        syntax::infix(&items)
    }
}

/// The label of an argument that is a list: its name, or its items in brackets. `label` is that of a number.
pub(crate) fn list_label(
    names: &Names,
    list: &Value,
    label: impl Fn(&Rc<Node>) -> String,
) -> String {
    if let Some(name) = list_name(names, list.nodes(), list.shape()) {
        return name;
    }
    if list.nodes().len() > LONG_LIST {
        return "[…]".to_string();
    }
    let mut text = String::new();
    list.walk(|part| {
        if !matches!(part, ListPart::Close) && !text.is_empty() && !text.ends_with('[') {
            text.push_str(", ");
        }
        match part {
            ListPart::Open => text.push('['),
            ListPart::Close => text.push(']'),
            ListPart::Item(node) => text.push_str(&label(node)),
        }
    });
    text
}

//! What a node is called in tables, notes and JSON: its name, its former name, or its text in operand labels.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::names::Names;
use crate::graph::{Node, NodeId, Spelling};
use crate::ops::{Op, Shape};
use crate::syntax::{self, Head, Item, Kind, Literal, Operator, levels};

/// The most nodes one label visits; what is deeper is `…`.
pub const LABEL_NODES: usize = 64;

/// The label of a node: `L`, `a@1`, `a*b + c`.
pub fn label(names: &Names, node: &Rc<Node>) -> String {
    name(names, node).unwrap_or_else(|| text(names, node))
}

/// A node's name or former name, if it has one.
pub fn name(names: &Names, node: &Node) -> Option<String> {
    if let Some(name) = names.of(node).next() {
        return Some(name.to_string());
    }
    names
        .former(node)
        .map(|former| format!("{}@{}", names.name(former.name), former.count))
}

/// A node's own expression in operand labels, whatever it is called: `(a*b + c)*f`. Empty for a leaf.
pub fn expression(names: &Names, node: &Rc<Node>) -> String {
    if node.is_leaf() {
        String::new()
    } else {
        text(names, node)
    }
}

/// Labels for the rows of one table: where two rows would read the same, the later node is `a*b @9`.
#[derive(Debug, Default)]
pub struct Labels {
    taken: FxHashMap<String, NodeId>,
}

impl Labels {
    /// Takes note of what the nodes of a table would be called. Named nodes need none of this: names are unique.
    pub fn of<'n>(names: &Names, nodes: impl Iterator<Item = &'n Rc<Node>>) -> Labels {
        let mut taken = FxHashMap::default();
        for node in nodes.filter(|node| name(names, node).is_none()) {
            let first = taken.entry(text(names, node)).or_insert(node.id());
            *first = node.id().min(*first);
        }
        Labels { taken }
    }

    /// The label of one of these nodes.
    pub fn label(&self, names: &Names, node: &Rc<Node>) -> String {
        if let Some(name) = name(names, node) {
            return name;
        }
        let text = text(names, node);
        match self.taken.get(&text) {
            Some(&first) if first != node.id() => format!("{text} @{}", node.id()),
            _ => text,
        }
    }
}

/// A node of the label in the making.
struct Part<'n> {
    node: &'n Rc<Node>,
    /// Where its operands stand among the parts, and how many are shown; `None`: it is shown by what it is called.
    below: Option<(usize, usize)>,
    cut: bool,
}

/// Nearest nodes first, so that in a long sum the end that is near is shown and the far one is cut.
fn text(names: &Names, root: &Rc<Node>) -> String {
    let mut parts = vec![Part {
        node: root,
        below: None,
        cut: false,
    }];
    let mut next = 0;
    while next < parts.len() {
        let node = parts[next].node;
        let operands = node.operands();
        let atom = operands.is_empty() || (next > 0 && name(names, node).is_some());
        if !atom {
            if parts.len() + operands.len() > LABEL_NODES {
                parts[next].cut = true;
            } else {
                parts[next].below = Some((parts.len(), operands.len()));
                parts.extend(operands.iter().map(|node| Part {
                    node,
                    below: None,
                    cut: false,
                }));
            }
        }
        next += 1;
    }
    print(names, &parts)
}

fn print(names: &Names, parts: &[Part]) -> String {
    let called: Vec<Option<String>> = parts
        .iter()
        .enumerate()
        .map(|(at, part)| if at > 0 { name(names, part.node) } else { None })
        .collect();
    let mut items = Vec::with_capacity(parts.len());
    // A part is taken up twice: first its operands go before it, then it stands itself.
    let mut waiting = vec![(0, false)];
    while let Some((at, ready)) = waiting.pop() {
        let part = &parts[at];
        let kind = match (&called[at], part.below, part.node.op()) {
            _ if part.cut => Kind::Name("…"),
            (_, Some((_, count)), Some(op)) if ready => Kind::Apply(head(op), count as u32),
            (_, Some((first, count)), Some(_)) => {
                waiting.push((at, true));
                waiting.extend((first..first + count).rev().map(|below| (below, false)));
                continue;
            }
            (Some(name), ..) => Kind::Name(name),
            _ => atom(names, part.node),
        };
        items.push(Item {
            kind,
            span: syntax::Span::default(),
        });
    }
    syntax::infix(&items)
}

/// A leaf or literal without a name.
fn atom(names: &Names, node: &Node) -> Kind<'static> {
    match node.spelling() {
        // A predefined constant is shown by its name, unless the user's name hides it.
        Some(Spelling::Named(name)) if names.get(name).is_none() => Kind::Name(name),
        Some(Spelling::Point) => Kind::Number(Literal {
            value: node.data(),
            point: true,
        }),
        _ => Kind::Number(Literal {
            value: node.data(),
            point: false,
        }),
    }
}

/// How an operation is written.
fn head(op: &'static Op) -> Head<'static> {
    let operator: Option<&'static Operator> = match op.shape {
        Shape::Infix => levels::between(op.spelling),
        Shape::Prefix => Some(levels::minus()),
        Shape::Postfix => Some(levels::factorial()),
        Shape::Call => None,
    };
    operator.map_or(Head::Function(op.spelling, 0), Head::Operator)
}

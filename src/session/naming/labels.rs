//! What a node is called in tables, notes and JSON: its name, its former name, or its text in operand labels.
//!
//! Nothing here changes a name; numbers in labels are those of the language, in shortest form.

use std::rc::{Rc, Weak};

use rustc_hash::{FxHashMap, FxHashSet};

use super::names::Names;
use crate::graph::{Node, NodeId, Spelling};
use crate::ops::{Op, Shape};
use crate::stop;
use crate::syntax;
use crate::syntax::{Head, Item, ItemKind, Literal, Operator, precedence};

/// The most nodes one label visits; what is deeper is `…`.
pub const LABEL_NODES: usize = 64;

/// The label of a node: `L`, `a@1`, `a*b + c`.
pub fn label(names: &Names, node: &Rc<Node>) -> String {
    name(names, node).unwrap_or_else(|| text(names, node, true))
}

/// What a node is shown as in tables and pictures: the label it was given, else what it is called.
pub fn shown(names: &Names, node: &Rc<Node>) -> String {
    names
        .label(node)
        .map_or_else(|| label(names, node), ToString::to_string)
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

/// A node's own expression in operand labels, whatever it is called: `(a*b + c)*f`. Empty for a leaf. A named node is
/// `f(a)` if it was made so; a node that is called `f(a)` is what the body made of it.
pub fn expression(names: &Names, node: &Rc<Node>) -> String {
    if node.is_leaf() {
        String::new()
    } else {
        text(names, node, name(names, node).is_some())
    }
}

/// What a row says of its node.
#[derive(Clone, Debug)]
pub struct Caption {
    /// What it is shown as: the label it was given, else what it is called; where two rows would read the same, the
    /// later node is `a*b @9`.
    pub label: String,
    /// Its own expression; empty for a leaf.
    pub expression: String,
    /// The expression says more than the label: a name, a former name, a call of the user's own function.
    pub more: bool,
    /// It is a name or a former name: nothing else is called so.
    named: bool,
}

/// Captions for the rows of one table. Each text is made once: with a million rows nothing else costs as much.
pub fn captions<'n>(
    names: &Names,
    nodes: impl Iterator<Item = &'n Rc<Node>> + Clone,
) -> Vec<Caption> {
    let caption = |node| {
        let expression = expression(names, node);
        let given = names.label(node).map(ToString::to_string);
        let is_given = given.is_some();
        let name = given.or_else(|| name(names, node));
        let named = name.is_some() && !is_given;
        let is_call = names.call_of(node).is_some();
        let label = name.unwrap_or_else(|| match expression.as_str() {
            text if !text.is_empty() && !is_call => text.to_string(),
            _ => text(names, node, true),
        });
        Caption {
            more: label != expression,
            named,
            label,
            expression,
        }
    };
    let mut captions: Vec<Caption> = stop::asking(nodes.clone()).map(caption).collect();
    let mut oldest: FxHashMap<&str, NodeId> = FxHashMap::default();
    if names.has_labels() {
        // A label may be what another node is really called: then it is the label that gets its number.
        for caption in captions.iter().filter(|caption| caption.named) {
            oldest.insert(&caption.label, 0);
        }
    }
    for (caption, node) in captions.iter().zip(nodes.clone()) {
        if !caption.named {
            let id = oldest.entry(&caption.label).or_insert(node.id());
            *id = node.id().min(*id);
        }
    }
    let is_later = |(caption, node): (&Caption, &Rc<Node>)| {
        !caption.named && oldest[caption.label.as_str()] != node.id()
    };
    let later: Vec<bool> = captions.iter().zip(nodes.clone()).map(is_later).collect();
    for ((caption, node), later) in captions.iter_mut().zip(nodes).zip(later) {
        if later {
            caption.label = format!("{} @{}", caption.label, node.id());
        }
    }
    captions
}

/// The labels of those among some nodes that would read like an older one of them: `a*b @9`.
pub fn twins<'n>(
    names: &Names,
    nodes: impl Iterator<Item = &'n Rc<Node>>,
) -> FxHashMap<NodeId, String> {
    let unnamed = nodes.filter(|node| name(names, node).is_none());
    let mut read: Vec<(NodeId, String)> =
        (unnamed.map(|node| (node.id(), label(names, node)))).collect();
    read.sort_unstable_by_key(|(id, _)| *id);
    let mut seen: FxHashSet<String> = FxHashSet::default();
    let mut later = FxHashMap::default();
    for (id, label) in read {
        if seen.contains(&label) {
            later.insert(id, format!("{label} @{id}"));
        } else {
            seen.insert(label);
        }
    }
    later
}

/// A node of the label in the making.
struct LabelPart {
    node: Rc<Node>,
    /// The user's function whose call it is.
    call: Option<Rc<str>>,
    /// Where what it is applied to stands among the parts, and how many are shown; `None`: it is shown by what it is
    /// called.
    below: Option<(usize, usize)>,
    cut: bool,
}

impl LabelPart {
    fn new(node: &Rc<Node>, cut: bool) -> LabelPart {
        LabelPart {
            node: Rc::clone(node),
            call: None,
            below: None,
            cut,
        }
    }
}

/// Nearest nodes first, so that in a long sum the end that is near is shown and the far one is cut.
fn text(names: &Names, root: &Rc<Node>, as_call: bool) -> String {
    let mut parts = vec![LabelPart::new(root, false)];
    let mut next = 0;
    while next < parts.len() {
        let node = Rc::clone(&parts[next].node);
        let atom = node.operands().is_empty() || (next > 0 && name(names, &node).is_some());
        if !atom && !parts[next].cut {
            let (call, below) = if next > 0 || as_call {
                applied_to(names, &node)
            } else {
                (None, node.operands().to_vec())
            };
            let written = call.is_some() || node.op().is_some_and(|op| op.shape == Shape::Call);
            let first = parts.len();
            if first + below.len() <= LABEL_NODES {
                parts[next].below = Some((first, below.len()));
                parts.extend(below.iter().map(|node| LabelPart::new(node, false)));
            } else if written && first < LABEL_NODES {
                // `max(…)` says more than `…`.
                parts[next].below = Some((first, 1));
                parts.push(LabelPart::new(&node, true));
            } else {
                parts[next].cut = true;
            }
            parts[next].call = call;
        }
        next += 1;
    }
    print(names, &parts)
}

/// The arguments of the call that made a node, as long as they are there; else the operands of its operation.
fn applied_to(names: &Names, node: &Rc<Node>) -> (Option<Rc<str>>, Vec<Rc<Node>>) {
    if let Some(call) = names.call_of(node) {
        let arguments: Option<Vec<Rc<Node>>> = call.arguments.iter().map(Weak::upgrade).collect();
        if let Some(arguments) = arguments {
            return (Some(Rc::clone(&call.function)), arguments);
        }
    }
    (None, node.operands().to_vec())
}

fn print(names: &Names, parts: &[LabelPart]) -> String {
    let called: Vec<Option<String>> = parts
        .iter()
        .enumerate()
        .map(|(at, part)| {
            if at > 0 {
                name(names, &part.node)
            } else {
                None
            }
        })
        .collect();
    let mut items = Vec::with_capacity(parts.len());
    // A part is taken up twice: first what it is applied to goes before it, then it stands itself.
    let mut waiting = vec![(0, false)];
    while let Some((at, ready)) = waiting.pop() {
        let part = &parts[at];
        let kind = match (&called[at], part.below, part.node.op()) {
            _ if part.cut => ItemKind::Name("…"),
            (_, Some((_, count)), Some(op)) if ready => {
                let head = part
                    .call
                    .as_ref()
                    .map_or_else(|| head(op), |call| Head::Function(call, 0));
                ItemKind::Apply(head, count as u32)
            }
            (_, Some((first, count)), Some(_)) => {
                waiting.push((at, true));
                waiting.extend((first..first + count).rev().map(|below| (below, false)));
                continue;
            }
            (Some(name), ..) => ItemKind::Name(name),
            _ => atom(names, &part.node),
        };
        items.push(Item {
            kind,
            span: syntax::Span::default(),
        });
    }
    syntax::infix(&items)
}

/// A leaf or literal without a name.
fn atom(names: &Names, node: &Node) -> ItemKind<'static> {
    match node.spelling() {
        // A predefined constant is shown by its name, unless the user's name hides it.
        Some(Spelling::Named(name)) if names.get(name).is_none() => ItemKind::Name(name),
        Some(Spelling::Point) => ItemKind::Number(Literal {
            value: node.data(),
            point: true,
        }),
        // `a.data` was taken when it was not finite: read back it is a name, and should look the same before.
        _ if node.data() == f64::INFINITY => ItemKind::Name("inf"),
        _ if node.data().is_nan() => ItemKind::Name("nan"),
        _ => ItemKind::Number(Literal {
            value: node.data(),
            point: false,
        }),
    }
}

/// How an operation is written.
pub(crate) fn head(op: &'static Op) -> Head<'static> {
    let operator: Option<&'static Operator> = match op.shape {
        Shape::Infix => precedence::between(op.spelling),
        Shape::Prefix => Some(precedence::minus()),
        Shape::Postfix => Some(precedence::factorial()),
        Shape::Call => None,
    };
    operator.map_or(Head::Function(op.spelling, 0), Head::Operator)
}

//! How a node is referred to in tables, notes and JSON: by its name, its former name, or its expression.
//!
//! Numbers in labels are in the shortest form that the language reads back. Nothing here changes a name.

use std::fmt::Write;
use std::hash::BuildHasher;
use std::rc::Rc;

use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};

use super::atoms::{LABEL_NODES, atom, head, item, name};
use super::folds::FEW_ITEMS;
use super::list_labels::{list_label, reduction};
use super::names::Names;
use crate::graph::{Node, NodeId};
use crate::ops::Shape;
use crate::session::values::{Value, WeakValue};
use crate::stop;
use crate::syntax::{self, Head, ItemKind};

/// Most labels have at most so many parts.
const FEW_PARTS: usize = 8;

/// So many operands of a long sum are shown.
const FEW_TERMS: usize = 2;

/// The label of a node: `L`, `a@1`, `a*b + c`.
pub fn label(names: &Names, node: &Rc<Node>) -> String {
    name(names, node).unwrap_or_else(|| text(names, node, true))
}

/// How a node is shown in tables and pictures: by the label it was given, else by [`label`].
pub fn shown(names: &Names, node: &Rc<Node>) -> String {
    names
        .labels
        .of(node)
        .map_or_else(|| label(names, node), ToString::to_string)
}

/// A node's own expression in terms of its operands' labels, even if the node has a name: `(a*b + c)*f`. Empty for a
/// leaf. A named node that was made by a call is shown as the call, `f(a)`; a node that is itself labelled `f(a)` is
/// shown as its operation.
pub fn expression(names: &Names, node: &Rc<Node>) -> String {
    if node.is_leaf() {
        String::new()
    } else {
        let is_called = names.calls.of(node).is_some();
        text(names, node, is_called && name(names, node).is_some())
    }
}

/// The label and the expression in one row of a table.
#[derive(Clone, Debug)]
pub struct Caption {
    /// How the node is shown. If two rows would be shown alike, the newer node gets its id: `a*b @9`.
    pub label: String,
    /// Its own expression; empty for a leaf.
    pub expression: String,
    /// Whether the expression adds something to the label, which is then a name, a former name or a call.
    pub more: bool,
}

/// What distinguishes the rows of one table that would be shown alike.
#[derive(Clone, Debug, Default)]
pub struct Captions {
    /// The nodes that would be shown like an older one.
    later: FxHashSet<NodeId>,
}

impl Captions {
    /// For a table of these nodes.
    pub fn of<'n>(names: &Names, nodes: impl Iterator<Item = &'n Rc<Node>>) -> Captions {
        // A label may equal the name of another node. Then the labelled node gets its id, because names count as older.
        let all = !names.labels.is_empty();
        let mut known: Vec<(u64, &Rc<Node>)> = Vec::new();
        for node in stop::asking(nodes) {
            if all || !is_unique(names, node) {
                let label = caption(names, node).label;
                known.push((FxBuildHasher.hash_one(&label), node));
            }
        }
        known.sort_unstable_by_key(|(hash, _)| *hash);
        let mut later = FxHashSet::default();
        let mut turns = 0..;
        for alike in known.chunk_by(|(one, _), (other, _)| one == other) {
            let mut rest: Vec<&Rc<Node>> = alike.iter().map(|(_, node)| *node).collect();
            // One turn, unless different labels have the same hash.
            while let [_, _, ..] = rest[..] {
                rest.sort_by_cached_key(|node| (!is_unique(names, node), node.id()));
                let oldest = rest[0];
                let label = caption(names, oldest).label;
                rest.retain(|node| {
                    turns.next().into_iter().for_each(stop::ask);
                    let same = caption(names, node).label == label;
                    if same && node.id() != oldest.id() && !is_unique(names, node) {
                        later.insert(node.id());
                    }
                    !same
                });
            }
        }
        Captions { later }
    }

    /// The caption of one of these nodes.
    pub fn caption(&self, names: &Names, node: &Rc<Node>) -> Caption {
        let mut caption = caption(names, node);
        if self.later.contains(&node.id()) {
            // Writing into a string cannot fail.
            let _ = write!(caption.label, " @{}", node.id());
        }
        caption
    }
}

/// The captions of all rows of one table.
pub fn captions<'n>(
    names: &Names,
    nodes: impl Iterator<Item = &'n Rc<Node>> + Clone,
) -> Vec<Caption> {
    let captions = Captions::of(names, nodes.clone());
    stop::asking(nodes)
        .map(|node| captions.caption(names, node))
        .collect()
}

/// Whether a node is shown by its name or a former name, which no other has.
fn is_unique(names: &Names, node: &Node) -> bool {
    let is_named = names.has_any(node) || names.former_of(node).is_some();
    is_named && names.labels.of(node).is_none()
}

/// The caption of a node that need not be distinguished from others.
fn caption(names: &Names, node: &Rc<Node>) -> Caption {
    let expression = expression(names, node);
    let given = names.labels.of(node).map(ToString::to_string);
    let is_call = names.calls.of(node).is_some();
    let label = given
        .or_else(|| name(names, node))
        .unwrap_or_else(|| match expression.as_str() {
            text if !text.is_empty() && !is_call => text.to_string(),
            _ => text(names, node, true),
        });
    Caption {
        more: label != expression,
        label,
        expression,
    }
}

/// The labels of those nodes that would be labelled like an older one among them, with ids: `a*b @9`.
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

/// A node or an argument in a label that is being made, and how it is shown.
struct LabelPart {
    value: Value,
    shown: ShownPart,
}

/// How a part of a label is shown.
enum ShownPart {
    /// By a name, or by another text.
    Text(String),
    /// A leaf or constant without a name.
    Atom,
    /// The operation or the call that has made it, applied to other parts: the index of the first, and how many.
    Applied(Option<Rc<str>>, usize, usize),
}

/// The expression of a node. Searches breadth first, so that a long sum is cut at the far end, where it began.
fn text(names: &Names, root: &Rc<Node>, as_call: bool) -> String {
    let cut = || ShownPart::Text("…".to_string());
    let part = |value| LabelPart {
        value,
        shown: ShownPart::Atom,
    };
    let mut parts = Vec::with_capacity(FEW_PARTS);
    parts.push(part(root.clone().into()));
    let mut next = 0;
    while let Some(LabelPart { value, shown }) = parts.get(next) {
        let is_root = next == 0;
        next += 1;
        let Value::Node(node) = value else {
            let item = |node: &Rc<Node>| name(names, node).unwrap_or_else(|| short(names, node));
            parts[next - 1].shown = ShownPart::Text(list_label(names, value, item));
            continue;
        };
        if matches!(shown, ShownPart::Text(_)) {
            continue;
        }
        if let Some(name) = name(names, node).filter(|_| !is_root) {
            parts[next - 1].shown = ShownPart::Text(name);
            continue;
        }
        let Some(op) = node.op() else { continue };
        let call = call_of(names, node).filter(|_| !is_root || as_call);
        if call.is_none()
            && let Some(text) = reduction(names, node)
        {
            parts[next - 1].shown = ShownPart::Text(text);
            continue;
        }
        let first = parts.len();
        let is_sum = call.is_none() && matches!(op.spelling, "sum" | "prod");
        let is_written = call.is_some() || op.shape == Shape::Call;
        let (function, mut below) = match call {
            Some((function, arguments)) => (Some(function), arguments),
            None => (
                None,
                node.operands().iter().cloned().map(Value::Node).collect(),
            ),
        };
        let node = Value::Node(Rc::clone(node));
        // A list without a name: the first of its items say what it is made of.
        let is_long = is_sum && below.len() > FEW_ITEMS && first + FEW_TERMS < LABEL_NODES;
        let is_cut = is_long || first + below.len() > LABEL_NODES;
        if is_long {
            below.truncate(FEW_TERMS);
        } else if is_cut && is_written && first < LABEL_NODES {
            // `max(…)` says more than `…`.
            below.clear();
        } else if is_cut {
            parts[next - 1].shown = cut();
            continue;
        }
        let count = below.len() + usize::from(is_cut);
        parts[next - 1].shown = ShownPart::Applied(function, first, count);
        parts.extend(below.into_iter().map(part));
        if is_cut {
            parts.push(LabelPart {
                value: node,
                shown: cut(),
            });
        }
    }
    print(names, &parts)
}

/// A number without a name in a list: a literal, or that there is more.
fn short(names: &Names, node: &Node) -> String {
    if node.operands().is_empty() {
        syntax::infix(&[item(atom(names, node))])
    } else {
        "…".to_string()
    }
}

/// The function and the arguments of the call that produced a node, if they are alive.
fn call_of(names: &Names, node: &Rc<Node>) -> Option<(Rc<str>, Vec<Value>)> {
    let call = names.calls.of(node)?;
    let arguments: Option<Vec<Value>> = call.arguments.iter().map(WeakValue::upgrade).collect();
    Some((Rc::clone(&call.function), arguments?))
}

fn print(names: &Names, parts: &[LabelPart]) -> String {
    let mut items = Vec::with_capacity(parts.len());
    // Each part is visited twice: first to put its operands before it, then to put the part itself.
    let mut waiting = vec![(0, false)];
    while let Some((at, ready)) = waiting.pop() {
        let LabelPart { value, shown } = &parts[at];
        let op = value.node().and_then(|node| node.op());
        let kind = match (shown, value.node(), op) {
            (ShownPart::Text(text), ..) => ItemKind::Name(text),
            (ShownPart::Applied(function, first, count), _, Some(op)) => {
                if !ready {
                    waiting.push((at, true));
                    waiting.extend((*first..first + count).rev().map(|below| (below, false)));
                    continue;
                }
                let function = function.as_ref();
                let head = function.map_or_else(|| head(op), |name| Head::Function(name, 0));
                ItemKind::Apply(head, *count as u32)
            }
            (_, Some(node), _) => atom(names, node),
            (_, None, _) => ItemKind::Name("…"),
        };
        items.push(item(kind));
    }
    syntax::infix(&items)
}

//! How a node is referred to in tables, notes and JSON: by its name, its former name, or its expression.
//!
//! Numbers in labels are in the shortest form that the language reads back. Nothing here changes a name.

use std::borrow::Cow;
use std::fmt::Write;
use std::hash::BuildHasher;
use std::rc::Rc;

use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};

use super::atoms::{LABEL_NODES, atom, head, item, name, name_or_former};
use super::folds::FEW_ITEMS;
use super::list_labels::{list_label, reduction};
use super::names::Names;
use crate::graph::{Node, NodeId};
use crate::ops::{Rule, Shape};
use crate::session::values::{Value, WeakValue};
use crate::stop;
use crate::syntax::{self, Head, ItemKind};

/// An expression of fewer parts is short.
const FEW_PARTS: usize = 12;

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

/// A node or an argument in a label that is being made.
struct LabelPart {
    value: Value,
    /// The function, if the node is shown as a call of one.
    call: Option<Rc<str>>,
    /// The operands or arguments to be shown: the index of the first among the parts, and how many. `None` for a part
    /// that is shown by its name.
    below: Option<(usize, usize)>,
    /// What is shown for a part whose operands are not: a list, or what is made of all items of one.
    text: Option<String>,
    cut: bool,
}

impl LabelPart {
    fn new(value: Value, cut: bool) -> LabelPart {
        LabelPart {
            value,
            call: None,
            below: None,
            text: None,
            cut,
        }
    }
}

/// The expression of a node. Searches breadth first, so that a long sum is cut at the far end, where it began.
fn text(names: &Names, root: &Rc<Node>, as_call: bool) -> String {
    if let Some(text) = short_text(names, root, as_call) {
        return text;
    }
    let mut parts = vec![LabelPart::new(root.clone().into(), false)];
    let mut next = 0;
    while next < parts.len() {
        let Value::Node(node) = parts[next].value.clone() else {
            parts[next].text = Some(list_label(names, &parts[next].value, |node| {
                name(names, node).unwrap_or_else(|| short(names, node))
            }));
            next += 1;
            continue;
        };
        let atom = node.operands().is_empty() || (next > 0 && name(names, &node).is_some());
        if !atom && !parts[next].cut {
            let call = (next > 0 || as_call)
                .then(|| call_of(names, &node))
                .flatten();
            parts[next].text = match call {
                None => reduction(names, &node),
                Some(_) => None,
            };
            if parts[next].text.is_some() {
                next += 1;
                continue;
            }
            let (call, below) = match call {
                Some((function, arguments)) => (Some(function), arguments),
                None => (
                    None,
                    node.operands().iter().cloned().map(Value::Node).collect(),
                ),
            };
            let written = call.is_some() || node.op().is_some_and(|op| op.shape == Shape::Call);
            let first = parts.len();
            let is_long = node
                .op()
                .is_some_and(|op| matches!(op.spelling, "sum" | "prod"));
            if call.is_none()
                && is_long
                && below.len() > FEW_ITEMS
                && first + FEW_TERMS < LABEL_NODES
            {
                // A list without a name: the first of its items say what it is made of.
                parts[next].below = Some((first, FEW_TERMS + 1));
                let shown = below.into_iter().take(FEW_TERMS);
                parts.extend(shown.map(|value| LabelPart::new(value, false)));
                parts.push(LabelPart::new(Value::Node(node), true));
            } else if first + below.len() <= LABEL_NODES {
                parts[next].below = Some((first, below.len()));
                parts.extend(below.into_iter().map(|value| LabelPart::new(value, false)));
            } else if written && first < LABEL_NODES {
                // `max(…)` says more than `…`.
                parts[next].below = Some((first, 1));
                parts.push(LabelPart::new(Value::Node(node), true));
            } else {
                parts[next].cut = true;
            }
            parts[next].call = call;
        }
        next += 1;
    }
    print(names, &parts)
}

/// A node in a short expression.
struct ShortPart<'n> {
    node: &'n Node,
    name: Option<Cow<'n, str>>,
    /// Its operands stand before it.
    applied: bool,
}

/// The expression of a node above few others, as most are, unless there are calls or lists in it.
fn short_text(names: &Names, root: &Rc<Node>, as_call: bool) -> Option<String> {
    let mut parts: Vec<ShortPart> = Vec::with_capacity(FEW_PARTS);
    // Each node is visited twice: first to put its operands before it, then to put the node itself.
    let mut waiting: Vec<(&Node, bool)> = Vec::with_capacity(FEW_PARTS);
    waiting.push((root, false));
    let mut is_root = true;
    while let Some((node, applied)) = waiting.pop() {
        let is_root = std::mem::take(&mut is_root);
        let may_be_named = !applied && !is_root;
        let name = may_be_named.then(|| name_or_former(names, node)).flatten();
        if applied || name.is_some() || node.operands().is_empty() {
            parts.push(ShortPart {
                node,
                name,
                applied,
            });
            continue;
        }
        let is_called = (as_call || !is_root) && names.calls.of(node).is_some();
        let is_long = parts.len() + waiting.len() + node.operands().len() >= FEW_PARTS;
        if is_called || is_long || matches!(node.op()?.rule, Rule::Many { .. }) {
            return None;
        }
        waiting.push((node, true));
        waiting.extend(node.operands().iter().rev().map(|below| (&**below, false)));
    }
    let items: Vec<_> = parts
        .iter()
        .map(|part| match (&part.name, part.node.op()) {
            (Some(name), _) => ItemKind::Name(name),
            (None, Some(op)) if part.applied => {
                ItemKind::Apply(head(op), part.node.operands().len() as u32)
            }
            _ => atom(names, part.node),
        })
        .map(item)
        .collect();
    Some(syntax::infix(&items))
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
    // The label's own node, the first part, is shown by its expression.
    let named = parts[1..]
        .iter()
        .map(|part| name(names, part.value.node()?));
    let called: Vec<Option<String>> = std::iter::once(None).chain(named).collect();
    let mut items = Vec::with_capacity(parts.len());
    // Each part is visited twice: first to put its operands before it, then to put the part itself.
    let mut waiting = vec![(0, false)];
    while let Some((at, ready)) = waiting.pop() {
        let part = &parts[at];
        let node = part.value.node();
        let op = node.and_then(|node| node.op());
        let kind = match (&called[at], part.below, op) {
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
            _ => match (&part.text, node) {
                (Some(text), _) => ItemKind::Name(text),
                (None, Some(node)) => atom(names, node),
                (None, None) => ItemKind::Name("…"),
            },
        };
        items.push(item(kind));
    }
    syntax::infix(&items)
}

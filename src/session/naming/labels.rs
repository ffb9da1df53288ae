//! How a node is referred to in tables, notes and JSON: by its name, its former name, or its expression.
//!
//! Numbers in labels are in the shortest form that the language reads back. Nothing here changes a name.

use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::atoms::{LABEL_NODES, atom, head, item, name};
use super::folds::FEW_ITEMS;
use super::list_labels::{list_label, reduction};
use super::names::Names;
use crate::graph::{Node, NodeId};
use crate::ops::Shape;
use crate::session::values::{Value, WeakValue};
use crate::stop;
use crate::syntax::{self, Head, ItemKind};

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
        text(names, node, name(names, node).is_some())
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
    /// Whether the label is a name or a former name, and thus unique.
    named: bool,
}

/// The captions for the rows of one table. Each text is made only once, which is most of the work for a million rows.
pub fn captions<'n>(
    names: &Names,
    nodes: impl Iterator<Item = &'n Rc<Node>> + Clone,
) -> Vec<Caption> {
    let caption = |node| {
        let expression = expression(names, node);
        let given = names.labels.of(node).map(ToString::to_string);
        let is_given = given.is_some();
        let name = given.or_else(|| name(names, node));
        let named = name.is_some() && !is_given;
        let is_call = names.calls.of(node).is_some();
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
    if !names.labels.is_empty() {
        // A label may equal the name of another node. Then the labelled node gets its id, because names count as older.
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

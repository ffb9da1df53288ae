//! How a node is referred to in tables, notes and JSON: by its name, its former name, or its expression.
//!
//! Numbers in labels are in the shortest form that the language reads back. Nothing here changes a name.

use std::collections::VecDeque;
use std::fmt::Write;
use std::hash::BuildHasher;
use std::rc::Rc;

use rustc_hash::{FxBuildHasher, FxHashSet};

use super::atoms::{FEW_ITEMS, LABEL_NODES, Term, name, unnamed, written};
use super::list_labels::{list_label, reduction};
use super::names::Names;
use crate::graph::{Node, NodeId};
use crate::ops::Shape;
use crate::session::values::{Value, WeakValue};
use crate::stop;

/// Most labels have at most so many parts.
const FEW_PARTS: usize = 8;

/// So many operands of a long sum are shown.
const FEW_TERMS: usize = 2;

/// The label of a node: `L`, `a@1`, `a*b + c`.
pub fn label(names: &Names, node: &Rc<Node>) -> String {
    name(names, node).unwrap_or_else(|| written(&terms(names, node, true)))
}

/// A node's own expression in terms of its operands' labels, even if the node has a name: `(a*b + c)*f`. Empty for a
/// leaf. A named node that was made by a call is shown as the call, `f(a)`; a node that is itself labelled `f(a)` is
/// shown as its operation.
pub fn expression(names: &Names, node: &Rc<Node>) -> String {
    if node.is_leaf() {
        String::new()
    } else {
        let is_called = names.calls.of(node).is_some();
        written(&terms(
            names,
            node,
            is_called && name(names, node).is_some(),
        ))
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
        let mut known: Vec<(u64, bool, NodeId)> = Vec::new();
        for node in stop::asking(nodes) {
            // Shown by a name or a former name, which no other node has.
            let unique = names.naming(node).is_some() && names.labels.of(node).is_none();
            if all || !unique {
                let label = caption(names, node).label;
                known.push((FxBuildHasher.hash_one(&label), !unique, node.id()));
            }
        }
        known.sort_unstable();
        known.dedup();
        // (Should two hashes of 64 bits ever coincide, a label has an id that it need not have.)
        let alike = known.chunk_by(|(one, ..), (other, ..)| one == other);
        let later = alike.flat_map(|alike| &alike[1..]);
        let later = later.filter(|(_, told_apart, _)| *told_apart);
        let later = later.map(|(.., id)| *id).collect();
        Captions { later }
    }

    /// The caption of one of these nodes.
    pub fn caption(&self, names: &Names, node: &Rc<Node>) -> Caption {
        let mut caption = caption(names, node);
        self.tell_apart(node, &mut caption.label);
        caption
    }

    /// Adds its id to the label of one of these nodes that would be shown like an older one.
    pub(crate) fn tell_apart(&self, node: &Node, label: &mut String) {
        if self.later.contains(&node.id()) {
            // Writing into a string cannot fail.
            let _ = write!(label, " @{}", node.id());
        }
    }
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
            _ => written(&terms(names, node, true)),
        });
    Caption {
        more: label != expression,
        label,
        expression,
    }
}

/// The label of a node in postfix order.
pub(crate) fn label_terms(names: &Names, node: &Rc<Node>) -> Vec<Term> {
    name(names, node).map_or_else(|| terms(names, node, true), |name| vec![Term::Name(name)])
}

/// The expression of a node in postfix order. Searches breadth first, so that a long sum is cut at the far end, where it
/// began.
fn terms(names: &Names, root: &Rc<Node>, as_call: bool) -> Vec<Term> {
    let call = call_of(names, root).filter(|_| as_call);
    let (term, below) = part(names, root, call, LABEL_NODES - 1);
    // The parts, each with the place of its first operand.
    let mut parts = Vec::with_capacity(FEW_PARTS);
    parts.push((Some(term), 1));
    let mut waiting = VecDeque::from(below);
    while let Some(value) = waiting.pop_front() {
        let first = parts.len() + 1 + waiting.len();
        let (term, below) = match value {
            None => (cut(), Vec::new()),
            Some(Value::Node(node)) => {
                if let Some(name) = name(names, &node) {
                    (Term::Name(name), Vec::new())
                } else {
                    let room = LABEL_NODES.saturating_sub(first);
                    part(names, &node, call_of(names, &node), room)
                }
            }
            Some(list) => (Term::Name(list_label(names, &list)), Vec::new()),
        };
        parts.push((Some(term), first));
        waiting.extend(below);
    }
    // From the root, the last operands first, which is the postfix order backwards.
    let mut terms = Vec::with_capacity(parts.len());
    let mut waiting = vec![0];
    while let Some(at) = waiting.pop() {
        let (term, first) = std::mem::take(&mut parts[at]);
        waiting.extend(first..first + term.as_ref().map_or(0, Term::count));
        terms.extend(term);
    }
    terms.reverse();
    terms
}

/// A node without a name in a label, and what it is applied to, of which there is room for so many; none for what is cut.
fn part(
    names: &Names,
    node: &Rc<Node>,
    call: Option<(Rc<str>, Vec<Value>)>,
    room: usize,
) -> (Term, Vec<Option<Value>>) {
    let Some(op) = node.op() else {
        return (unnamed(names, node), Vec::new());
    };
    if call.is_none()
        && let Some(text) = reduction(names, node)
    {
        return (Term::Name(text), Vec::new());
    }
    let is_sum = call.is_none() && matches!(op.spelling, "sum" | "prod");
    let is_written = call.is_some() || op.shape == Shape::Call;
    let (function, below) = call.unzip();
    let operands = || node.operands().iter().cloned().map(Value::Node).collect();
    let below: Vec<Value> = below.unwrap_or_else(operands);
    // A list without a name: the first of its items say what it is made of.
    let is_long = is_sum && below.len() > FEW_ITEMS && room > FEW_TERMS;
    let is_cut = is_long || below.len() > room;
    if is_cut && !is_long && (!is_written || room == 0) {
        return (cut(), Vec::new());
    }
    // `max(…)` says more than `…`.
    let shown = match (is_long, is_cut) {
        (true, _) => FEW_TERMS,
        (false, true) => 0,
        (false, false) => below.len(),
    };
    let mut below: Vec<Option<Value>> = below.into_iter().take(shown).map(Some).collect();
    below.extend(is_cut.then_some(None));
    let term = match function {
        Some(function) => Term::Call(function, below.len() as u32),
        None => Term::operation(op, below.len()),
    };
    (term, below)
}

/// In the place of what is not shown.
fn cut() -> Term {
    Term::Name("…".to_string())
}

/// The function and the arguments of the call that produced a node, if they are alive.
fn call_of(names: &Names, node: &Rc<Node>) -> Option<(Rc<str>, Vec<Value>)> {
    let call = names.calls.of(node)?;
    let arguments: Option<Vec<Value>> = call.arguments.iter().map(WeakValue::upgrade).collect();
    Some((Rc::clone(&call.function), arguments?))
}

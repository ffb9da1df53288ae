//! The text of expressions, constants and helper names in a saved session.
//!
//! Everything reads back to the same bits. `script` decides which statements there are.

use std::rc::Rc;

use super::called::Called;
use super::constant_calls::ConstantCalls;
use super::literals::push_constant;
use super::save_order::{NESTING, SaveOrder};
use crate::graph::Node;
use crate::session::naming::atoms::{self, item};
use crate::syntax::{Head, Item, ItemKind};

/// Appends the items of a statement's expression, in postfix order.
pub(crate) fn expression<'p, 's: 'p>(
    outline: &SaveOrder,
    called: &'p Called,
    at: usize,
    calls: &mut ConstantCalls<'s>,
    items: &mut Vec<Item<'p>>,
) {
    // Each node is visited twice: first to put its operands before it, then to put the node itself.
    let mut waiting = vec![(outline.nodes[at], false)];
    while let Some((node, ready)) = waiting.pop() {
        let below = outline.index.get(&node.id()).copied();
        let kind = match (below, node.op()) {
            (None, _) => {
                constant_items(node, calls, items);
                continue;
            }
            (Some(below), _) if below != at && called.push(outline, below, items) => continue,
            (_, Some(op)) if !ready && called.push_all(outline, node, items) => {
                ItemKind::Apply(atoms::typed_head(op), 1)
            }
            (_, Some(op)) if ready => {
                ItemKind::Apply(atoms::typed_head(op), node.operands().len() as u32)
            }
            _ => {
                waiting.push((node, true));
                waiting.extend(node.operands().iter().rev().map(|below| (below, false)));
                continue;
            }
        };
        items.push(item(kind));
    }
}

/// A function or operator, and the number of its operands.
type Applied<'p> = (Head<'p>, usize);

/// Appends a constant as it was typed, or as its number if that would be too long.
fn constant_items<'p, 's: 'p>(
    root: &Rc<Node>,
    calls: &mut ConstantCalls<'s>,
    items: &mut Vec<Item<'p>>,
) {
    let start = items.len();
    let as_number = |items: &mut Vec<Item>| {
        items.truncate(start);
        push_constant(root.data(), None, items);
    };
    if calls.numbers.contains(&root.id()) {
        return as_number(items);
    }
    let most = calls.budget;
    let mut depths: Vec<usize> = Vec::new();
    // Each node is visited twice: first to put its operands before it, then to put the node itself.
    let mut waiting: Vec<(Rc<Node>, Option<Applied<'p>>)> = vec![(Rc::clone(root), None)];
    while let Some((node, ready)) = waiting.pop() {
        let count = ready.map_or(0, |(_, count)| count);
        match (ready, node.op()) {
            (Some((head, count)), _) => items.push(item(ItemKind::Apply(head, count as u32))),
            (None, None) => push_constant(node.data(), node.spelling(), items),
            (None, Some(op)) => {
                let call = calls.call(&node);
                let (head, below) = call.map_or_else(
                    || (atoms::typed_head(op), node.operands().to_vec()),
                    |(function, arguments)| (Head::Function(function, 0), arguments),
                );
                waiting.push((node, Some((head, below.len()))));
                waiting.extend(below.into_iter().rev().map(|below| (below, None)));
                continue;
            }
        }
        let depth = depths.drain(depths.len() - count..).max();
        let depth = depth.map_or(0, |depth| depth + 1);
        depths.push(depth);
        if depth > 0 && (items.len() - start > most || depth >= NESTING) {
            calls.numbers.insert(root.id());
            return as_number(items);
        }
    }
    // Literals are part of the budget already, one item each.
    if !root.operands().is_empty() {
        calls.budget -= (items.len() - start).min(most);
    }
}

/// Names for unnamed nodes: `_₁`, `_₂`, …, with more `_` in front if such names are in use.
pub(crate) struct Helpers {
    prefix: String,
    count: u32,
}

impl Helpers {
    /// Helper names that differ from all of these.
    pub(crate) fn beside<'n>(names: impl Iterator<Item = &'n str>) -> Helpers {
        let lines = names.filter_map(|name| {
            let rest = name.trim_start_matches('_');
            is_subscript(rest).then_some(name.len() - rest.len())
        });
        let longest = lines.max().unwrap_or(0);
        Helpers {
            prefix: "_".repeat(longest + 1),
            count: 0,
        }
    }

    /// The next helper name.
    pub(crate) fn next(&mut self) -> Rc<str> {
        self.count += 1;
        let mut name = self.prefix.clone();
        for digit in self.count.to_string().bytes() {
            name.extend(char::from_u32('₀' as u32 + u32::from(digit - b'0')));
        }
        name.into()
    }

    /// Whether a name is one of these helpers.
    pub(crate) fn has(&self, name: &str) -> bool {
        let rest = name.strip_prefix(self.prefix.as_str());
        rest.is_some_and(is_subscript)
    }
}

fn is_subscript(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| ('₀'..='₉').contains(&c))
}

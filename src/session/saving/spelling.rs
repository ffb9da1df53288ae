//! How a saved session spells expressions, numbers, constants and the names of helpers.
//!
//! What is written reads back as what it was, to the bit; which statements there are is `script`'s affair.

use std::rc::Rc;

use rustc_hash::FxHashSet;

use super::constant_calls::ConstantCalls;
use super::literals::{constant, item, push_constant};
use super::save_order::{NESTING, Outline};
use crate::graph::{Node, NodeId, Spelling};
use crate::session::naming::labels;
use crate::syntax::{Head, Item, ItemKind};

/// So many items of constants are written out beside those that are there once; what is more, because one is used again
/// and again, is written as its number.
const SPARE_ITEMS: usize = 100_000;

/// The predefined constants that the constants of a script are spelled with.
pub(crate) fn spelled_constants(outline: &Outline) -> FxHashSet<&'static str> {
    let spelled = outline.constants.iter().filter_map(|node| constant(node));
    spelled.collect()
}

/// The items of a statement's expression, in postfix order.
pub(crate) fn expression<'p, 's: 'p>(
    outline: &Outline,
    called: &'p [Option<Rc<str>>],
    at: usize,
    (spare, calls): (&mut Spare, &mut ConstantCalls<'s>),
    items: &mut Vec<Item<'p>>,
) {
    // A node is taken up twice: first its operands go before it, then it stands itself.
    let mut waiting = vec![(outline.nodes[at], false)];
    while let Some((node, ready)) = waiting.pop() {
        let below = outline.index.get(&node.id()).copied();
        let kind = match (below, node.op()) {
            (None, _) => {
                constant_items(node, spare, calls, items);
                continue;
            }
            (Some(below), _) if below != at && called[below].is_some() => {
                ItemKind::Name(called[below].as_deref().unwrap_or_default())
            }
            (_, Some(op)) if ready => {
                ItemKind::Apply(labels::head(op), node.operands().len() as u32)
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

/// How much of constants is still written out, and which ones are not.
pub(crate) struct Spare {
    items: usize,
    numbers: FxHashSet<NodeId>,
}

impl Spare {
    /// For this script.
    pub(crate) fn of(outline: &Outline) -> Spare {
        Spare {
            items: SPARE_ITEMS + 4 * outline.constants.len(),
            numbers: FxHashSet::default(),
        }
    }
}

/// What is applied, and to how many.
type Applied<'p> = (Head<'p>, usize);

/// A constant as it was written; as its number where that is too much.
fn constant_items<'p, 's: 'p>(
    root: &Rc<Node>,
    spare: &mut Spare,
    calls: &mut ConstantCalls<'s>,
    items: &mut Vec<Item<'p>>,
) {
    let start = items.len();
    let as_number = |items: &mut Vec<Item>| {
        items.truncate(start);
        push_constant(root.data(), Spelling::Plain, items);
    };
    if spare.numbers.contains(&root.id()) {
        return as_number(items);
    }
    let most = spare.items;
    let mut depths: Vec<usize> = Vec::new();
    // A node is taken up twice: first what it is applied to goes before it, then it stands itself.
    let mut waiting: Vec<(Rc<Node>, Option<Applied<'p>>)> = vec![(Rc::clone(root), None)];
    while let Some((node, ready)) = waiting.pop() {
        let count = ready.map_or(0, |(_, count)| count);
        match (ready, node.op()) {
            (Some((head, count)), _) => items.push(item(ItemKind::Apply(head, count as u32))),
            (None, None) => push_constant(
                node.data(),
                node.spelling().unwrap_or(Spelling::Plain),
                items,
            ),
            (None, Some(op)) => {
                let call = calls.call(&node);
                let (head, below) = call.map_or_else(
                    || (labels::head(op), node.operands().to_vec()),
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
            spare.numbers.insert(root.id());
            return as_number(items);
        }
    }
    // Literals as such are paid for by being there.
    if !root.operands().is_empty() {
        spare.items -= (items.len() - start).min(most);
    }
}

/// Names for nodes that have none: `_₁`, `_₂`, …, or with more `_` before where such names are in use.
pub(crate) struct Helpers {
    prefix: String,
    count: u32,
}

impl Helpers {
    /// Names that are not among these.
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

    /// The next one.
    pub(crate) fn next(&mut self) -> Rc<str> {
        self.count += 1;
        let mut name = self.prefix.clone();
        for digit in self.count.to_string().bytes() {
            name.extend(char::from_u32('₀' as u32 + u32::from(digit - b'0')));
        }
        name.into()
    }

    /// Is this one of them?
    pub(crate) fn has(&self, name: &str) -> bool {
        let rest = name.strip_prefix(self.prefix.as_str());
        rest.is_some_and(is_subscript)
    }
}

fn is_subscript(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| ('₀'..='₉').contains(&c))
}

//! What nodes and lists are called in the statements of a saved session: by names, helper names, or as items of lists.
//!
//! Nothing is decided here: `save_order` says where each node is written.

use std::rc::Rc;

use super::save_order::{SaveOrder, Written};
use crate::graph::Node;
use crate::ops::Rule;
use crate::session::naming::atoms::item;
use crate::session::naming::list_labels::{ListPiece, part_pieces};
use crate::session::values::ListShape;
use crate::syntax::{self, Head, Item, ItemKind, Literal};

/// What nodes and lists are called.
#[derive(Default)]
pub(crate) struct Called {
    /// The name to which each statement binds its node; none for nodes that are written elsewhere.
    pub nodes: Vec<Option<Rc<str>>>,
    /// The names of the lists: their own, or helper names of former lists.
    pub lists: Vec<Rc<str>>,
}

impl Called {
    /// Appends what a node is called, in postfix order. Returns whether it is called something.
    pub(crate) fn push<'p>(
        &'p self,
        outline: &SaveOrder,
        at: usize,
        items: &mut Vec<Item<'p>>,
    ) -> bool {
        match outline.written[at] {
            Written::Inside => false,
            Written::Stated => {
                let name = self.nodes[at].as_deref().unwrap_or_default();
                items.push(item(ItemKind::Name(name)));
                true
            }
            Written::Item => {
                let Some((list, place)) = outline.home_place(at) else {
                    return false;
                };
                items.push(item(ItemKind::Name(&self.lists[list])));
                for at in outline.names.lists[list].shape.path(place) {
                    push_index(at, items);
                }
                true
            }
        }
    }

    /// What a node is called: `a`, `w[2]`.
    pub(crate) fn text(&self, outline: &SaveOrder, at: usize) -> String {
        let mut items = Vec::new();
        self.push(outline, at, &mut items);
        syntax::infix(&items)
    }

    /// Appends a list that has all operands of a node as items, as in `sum(w)`.
    pub(crate) fn push_all<'p>(
        &'p self,
        outline: &SaveOrder,
        node: &Node,
        items: &mut Vec<Item<'p>>,
    ) -> bool {
        let operands = node.operands();
        let of_many = node
            .op()
            .is_some_and(|op| matches!(op.rule, Rule::Many { .. }));
        if !of_many || operands.len() < 2 {
            return false;
        }
        let index = |operand: &Rc<Node>| outline.index.get(&operand.id()).copied();
        let shape = ListShape::rows(operands.len(), ListShape::NUMBER);
        self.push_part(outline, operands.iter().map(index), &shape, None, items)
    }

    /// Appends what the items of a list are called together, `w`, `W[2]`, `w[2..3]`, if they were written one after
    /// another in a list other than `within`.
    pub(crate) fn push_part<'p>(
        &'p self,
        outline: &SaveOrder,
        nodes: impl ExactSizeIterator<Item = Option<usize>> + Clone,
        shape: &ListShape,
        within: Option<usize>,
        items: &mut Vec<Item<'p>>,
    ) -> bool {
        let first = nodes.clone().next().flatten();
        let home = first.and_then(|first| outline.home_place(first));
        let Some((list, place)) = home.filter(|(list, _)| Some(*list) != within) else {
            return false;
        };
        let saved = &outline.names.lists[list];
        let there = saved.items.get(place..place + nodes.len());
        if !there.is_some_and(|there| nodes.eq(there.iter().copied())) {
            return false;
        }
        let Some(pieces) = part_pieces(&saved.shape, place, shape) else {
            return false;
        };
        items.push(item(ItemKind::Name(&self.lists[list])));
        for piece in pieces {
            match piece {
                ListPiece::Item(at) => push_index(at, items),
                ListPiece::Range(first, last) => {
                    items.push(number(first));
                    items.push(number(last));
                    items.push(item(ItemKind::Apply(Head::Range, 2)));
                    items.push(item(ItemKind::Apply(Head::Index, 2)));
                }
                ListPiece::Flat => {
                    items.push(item(ItemKind::Apply(Head::Function("flat", 0), 1)));
                }
            }
        }
        true
    }
}

fn push_index(at: usize, items: &mut Vec<Item>) {
    items.push(number(at + 1));
    items.push(item(ItemKind::Apply(Head::Index, 2)));
}

fn number(value: usize) -> Item<'static> {
    let value = value as f64;
    item(ItemKind::Number(Literal {
        value,
        point: false,
    }))
}

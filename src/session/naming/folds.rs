//! Long lists among nodes: which of the nodes are items of one list and are shown together.
//!
//! A table of 337 weights or a picture of them says less than `W1   16 × 2   -0.98 … 0.97`. Nodes belong together if
//! their names say so, or if they have no names and were made in the same way from items of such lists: `1 - y*score`.
//! All of this is linear in the number of nodes and their operands.

use std::borrow::Cow;
use std::collections::hash_map::Entry;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::atoms::{atom, name};
use super::formers::FormerItems;
use super::list_labels::{Term, written};
use super::names::{NameId, Names};
use crate::graph::{Node, NodeId};
use crate::ops::Op;
use crate::session::values::ListShape;
use crate::session::values::Value;
use crate::stop;

/// A list of at most so many items is shown item by item.
pub const FEW_ITEMS: usize = 8;

/// The deepest operations of a label, and how many terms it has.
const DEEPEST: usize = 12;
const MOST_TERMS: usize = 40;

/// Stands for the number of a pattern that has still to be found.
const NOT_FOUND: u32 = u32::MAX;

/// Items of one list that are shown together.
#[derive(Clone, Debug, PartialEq)]
pub struct Fold {
    /// The list: `W1`, `w@1`, or what its items are made of, `1 - y*score`.
    pub label: String,
    /// Whether the label is the name or the former name of a list.
    pub named: bool,
    /// How the list is built, and how many of its items there are if not all: `16 × 2`, `20 of 16 × 2`.
    pub shape: String,
    /// The indices of the items among the nodes, in ascending order; there are more than [`FEW_ITEMS`].
    pub places: Vec<usize>,
}

/// The list that a node is shown as an item of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Owner {
    name: NameId,
    /// The number of the former name; 0 if the list still has the name.
    count: u32,
}

/// The long lists among these nodes, each node in at most one, ordered by their first nodes.
pub fn folds(names: &Names, nodes: &[Rc<Node>]) -> Vec<Fold> {
    if nodes.len() <= FEW_ITEMS || !names.has_lists() {
        return Vec::new();
    }
    let mut patterns = Recipes {
        names,
        known: FxHashMap::default(),
        all: Vec::new(),
        of_node: FxHashMap::default(),
    };
    patterns.add_all(nodes);
    let mut alike: FxHashMap<u32, Vec<usize>> = FxHashMap::default();
    for (place, node) in stop::asking(nodes.iter().enumerate()) {
        if let Some(number) = patterns.found(node)
            && patterns.all[number as usize].of_list
            && names.labels.of(node).is_none()
        {
            alike.entry(number).or_default().push(place);
        }
    }
    alike.retain(|_, places| places.len() > FEW_ITEMS);
    let mut folds: Vec<Fold> = alike
        .into_iter()
        .map(|(number, places)| {
            let here = places.len();
            let (named, label, shape) = match patterns.list(number) {
                Some((label, shape)) if here == shape.size() => (true, label, shape.to_short()),
                Some((label, shape)) => (true, label, format!("{here} of {}", shape.to_short())),
                None => (false, patterns.text(number), here.to_string()),
            };
            Fold {
                label,
                named,
                shape,
                places,
            }
        })
        .collect();
    folds.sort_unstable_by_key(|fold| fold.places[0]);
    folds
}

/// How nodes are made, where all items of a long list count as the same.
struct Recipes<'n> {
    names: &'n Names,
    known: FxHashMap<Recipe, u32>,
    all: Vec<Specimen>,
    of_node: FxHashMap<NodeId, u32>,
}

/// A pattern and a node that is made so.
struct Specimen {
    pattern: Recipe,
    node: Rc<Node>,
    /// Whether items of a list are part of it.
    of_list: bool,
}

/// How a node is made.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Recipe {
    /// An item of a long list.
    Item(Owner),
    /// A number that was typed, by its bits.
    Literal(u64),
    /// Any other node that has a name or no operands.
    Node(NodeId),
    /// An operation, by its name: how many operands it has, and their patterns; only the first if all are the same.
    Made(&'static str, usize, Rc<[u32]>),
}

impl Recipes<'_> {
    /// Finds the patterns of nodes and of what they are made of.
    fn add_all(&mut self, nodes: &[Rc<Node>]) {
        let mut all: Vec<&Rc<Node>> = nodes.iter().collect();
        // Until its pattern is found, a node has none of the numbers of patterns.
        (self.of_node).extend(nodes.iter().map(|node| (node.id(), NOT_FOUND)));
        let mut next = 0;
        while let Some(node) = all.get(next).copied() {
            stop::ask(next);
            next += 1;
            let of_node = &mut self.of_node;
            let fresh = |operand: &&Rc<Node>| match of_node.entry(operand.id()) {
                Entry::Vacant(place) => {
                    place.insert(NOT_FOUND);
                    true
                }
                Entry::Occupied(_) => false,
            };
            all.extend(node.operands().iter().filter(fresh));
        }
        // Operands are older than what they make.
        all.sort_unstable_by_key(|node| node.id());
        for node in stop::asking(all.into_iter()) {
            if let Some(owner) = self.long_list(node) {
                self.add(Recipe::Item(owner), node, true);
            } else if node.operands().iter().any(|it| self.is_of_list(it))
                && let Some(op) = self.shown_op(node)
            {
                node.operands().iter().for_each(|it| self.add_below(it));
                self.add_made(op, node);
            }
        }
    }

    /// Finds the patterns of a node that lists are made with, and of what it is made of. Most nodes that have nothing to
    /// do with lists need none, and there may be many.
    fn add_below(&mut self, root: &Rc<Node>) {
        if self.found(root).is_some() {
            return;
        }
        let mut waiting = vec![root];
        let mut steps = 0;
        while let Some(node) = waiting.last().copied() {
            stop::ask(steps);
            steps += 1;
            let unknown = waiting.len();
            if self.found(node).is_none() {
                if let Some(op) = self.shown_op(node) {
                    let operands = node.operands().iter();
                    waiting.extend(operands.filter(|it| self.found(it).is_none()));
                    if waiting.len() == unknown {
                        self.add_made(op, node);
                    }
                } else {
                    let pattern = match node.spelling() {
                        Some(_) => Recipe::Literal(node.data().to_bits()),
                        None => Recipe::Node(node.id()),
                    };
                    self.add(pattern, node, false);
                }
            }
            if waiting.len() == unknown {
                waiting.pop();
            }
        }
    }

    /// The number of a node's pattern, if it has been found.
    fn found(&self, node: &Node) -> Option<u32> {
        let number = self.of_node.get(&node.id()).copied()?;
        (number != NOT_FOUND).then_some(number)
    }

    fn is_of_list(&self, node: &Node) -> bool {
        (self.found(node)).is_some_and(|number| self.all[number as usize].of_list)
    }

    /// The operation by which a node without a name is shown.
    fn shown_op(&self, node: &Node) -> Option<&'static Op> {
        node.op().filter(|_| name(self.names, node).is_none())
    }

    /// The list that an item belongs to, if it is long.
    fn long_list(&self, node: &Node) -> Option<Owner> {
        let owner = self.names.owner(node)?;
        let (_, shape) = self.names.owned_by(owner)?;
        (shape.size() > FEW_ITEMS).then_some(owner)
    }

    /// The name and the shape of the list whose items have this pattern.
    fn list(&self, number: u32) -> Option<(String, &ListShape)> {
        match self.all[number as usize].pattern {
            Recipe::Item(owner) => {
                let (name, shape) = self.names.owned_by(owner)?;
                Some((name.to_string(), shape))
            }
            _ => None,
        }
    }

    /// Adds the pattern of an operation, whose operands have theirs.
    fn add_made(&mut self, op: &'static Op, node: &Rc<Node>) {
        let operands = node.operands().iter();
        let of_list = operands.clone().any(|operand| self.is_of_list(operand));
        let mut operands: Vec<u32> = operands
            .map(|operand| self.of_node[&operand.id()])
            .collect();
        let count = operands.len();
        if count > 2 && operands.iter().all(|operand| *operand == operands[0]) {
            operands.truncate(1);
        }
        self.add(Recipe::Made(op.name, count, operands.into()), node, of_list);
    }

    fn add(&mut self, pattern: Recipe, node: &Rc<Node>, of_list: bool) {
        let number = *self.known.entry(pattern.clone()).or_insert_with(|| {
            self.all.push(Specimen {
                pattern,
                node: Rc::clone(node),
                of_list,
            });
            self.all.len() as u32 - 1
        });
        self.of_node.insert(node.id(), number);
    }

    /// A pattern as it would be typed for whole lists: `relu(1 - y*score)`.
    fn text(&self, pattern: u32) -> String {
        let mut terms = Vec::new();
        self.write(pattern, 0, &mut terms);
        written(&terms)
    }

    /// Adds a pattern in postfix order. It is nested at most [`DEEPEST`] times.
    fn write(&self, pattern: u32, depth: usize, terms: &mut Vec<Term>) {
        let Specimen { pattern, node, .. } = &self.all[pattern as usize];
        let (count, operands) = match pattern {
            Recipe::Item(owner) => {
                let list = self
                    .names
                    .owned_by(*owner)
                    .map(|(list, _)| list.into_owned());
                return terms.push(Term::Name(list.unwrap_or_default()));
            }
            Recipe::Literal(_) => return terms.push(Term::Atom(atom(self.names, node))),
            Recipe::Node(_) => {
                let known = name(self.names, node).unwrap_or_else(|| "…".to_string());
                return terms.push(Term::Name(known));
            }
            Recipe::Made(_, count, operands) => (*count, operands),
        };
        let Some(op) = node
            .op()
            .filter(|_| depth < DEEPEST && terms.len() < MOST_TERMS)
        else {
            return terms.push(Term::Name("…".to_string()));
        };
        if let [only] = operands[..]
            && count > 1
        {
            // A function of a list, or a sum of products.
            let product = match &self.all[only as usize].pattern {
                Recipe::Made("multiplication", _, factors) => Some(factors),
                _ => None,
            };
            if let ("sum", Some(factors)) = (op.spelling, product) {
                for &factor in factors.iter() {
                    self.write(factor, depth + 1, terms);
                }
                return terms.push(Term::Dot);
            }
            self.write(only, depth + 1, terms);
            return terms.push(Term::Apply(op, 1));
        }
        for &operand in operands.iter() {
            self.write(operand, depth + 1, terms);
        }
        terms.push(Term::Apply(op, operands.len() as u32));
    }
}

impl Names {
    /// The list that a node is shown as an item of, if its oldest name or its former name is that of an item.
    pub(crate) fn owner(&self, node: &Node) -> Option<Owner> {
        let own = self.namings(node).next().map(|it| (it.place, it.name, 0));
        let former = || self.former_of(node).map(|it| (it.place, it.name, it.count));
        let (place, name, count) = own.or_else(former)?;
        (place > 0).then_some(Owner { name, count })
    }

    /// The name of such a list, and its shape.
    pub(crate) fn owned_by(&self, owner: Owner) -> Option<(Cow<'_, str>, &ListShape)> {
        let name = self.name(owner.name);
        if owner.count == 0 {
            return Some((name.into(), self.value(owner.name)?.shape()));
        }
        let list = self.bindings.formers.get(&(owner.name, owner.count))?;
        Some((format!("{name}@{}", owner.count).into(), &list.shape))
    }

    /// Whether any name stands for a list, or did.
    pub(crate) fn has_lists(&self) -> bool {
        let is_list = |value: &Option<Value>| matches!(value, Some(Value::List(_)));
        let former = |it: &FormerItems| !it.shape.is_number();
        self.bindings.formers.values().any(former) || self.bindings.values.iter().any(is_list)
    }
}

//! What one function computes: items in order, operands before users, and how they hang together.
//!
//! The outermost scope is the graph below the root. Its leaves are holes, its constants numbers. The scope of a mapped
//! function holds one term for all, and its holes are what differs between the terms or comes from outside.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::formula::{Templates, delicate};
use crate::graph::{Node, NodeId, Order};
use crate::ops::Op;
use crate::stop;

/// The place of an item in its scope.
pub(super) type ItemId = u32;

/// What an item is.
#[derive(Debug)]
pub(super) enum HowMade {
    Number(f64),
    /// It comes from outside.
    Hole,
    Op(&'static Op, Vec<ItemId>),
}

/// A node, or a term's node that stands for those of all terms.
#[derive(Debug)]
pub(super) struct ScopeItem {
    pub node: Rc<Node>,
    pub kind: HowMade,
    /// Does it come from outside and differ between the terms?
    pub is_mapped: bool,
}

/// The items of a function. The last one is the result.
#[derive(Debug, Default)]
pub(super) struct Scope {
    pub items: Vec<ScopeItem>,
}

impl Scope {
    /// The graph below a root.
    pub(super) fn below(root: &Rc<Node>) -> Scope {
        let order = Order::below([root]);
        let mut scope = Scope::default();
        let mut places: FxHashMap<NodeId, ItemId> = FxHashMap::default();
        for node in stop::asking(order.nodes().iter().rev()) {
            let mut operands = Vec::with_capacity(node.operands().len());
            for operand in node.operands() {
                let known = places.get(&operand.id()).copied();
                operands.push(known.unwrap_or_else(|| {
                    let place = scope.push(operand, HowMade::Number(operand.data()));
                    places.insert(operand.id(), place);
                    place
                }));
            }
            let kind = node
                .op()
                .map_or(HowMade::Hole, |op| HowMade::Op(op, operands));
            let place = scope.push(node, kind);
            places.insert(node.id(), place);
        }
        scope
    }

    /// Adds an item.
    pub(super) fn push(&mut self, node: &Rc<Node>, kind: HowMade) -> ItemId {
        self.items.push(ScopeItem {
            node: Rc::clone(node),
            kind,
            is_mapped: false,
        });
        self.items.len() as ItemId - 1
    }

    pub(super) fn item(&self, place: ItemId) -> &ScopeItem {
        &self.items[place as usize]
    }

    pub(super) fn root(&self) -> ItemId {
        self.items.len() as ItemId - 1
    }

    /// The operands of an item that is computed.
    pub(super) fn operands(&self, place: ItemId) -> &[ItemId] {
        match &self.item(place).kind {
            HowMade::Op(_, operands) => operands,
            _ => &[],
        }
    }

    pub(super) fn is_computed(&self, place: ItemId) -> bool {
        matches!(self.item(place).kind, HowMade::Op(..))
    }
}

/// Items in an array; without a length it is one item.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Array {
    pub shape: Vec<usize>,
    /// Row by row.
    pub items: Vec<ItemId>,
}

/// How the items of a scope hang together.
#[derive(Debug)]
pub(super) struct Structure {
    /// The longest way down to what is not computed.
    pub heights: Vec<u32>,
    /// How often each is an operand.
    pub uses: Vec<u32>,
    /// The item through which every way from the root to this one goes last (its immediate dominator).
    pub gates: Vec<ItemId>,
    /// How many computed items can be reached through this one only, itself included.
    pub sizes: Vec<u32>,
    /// On which side of which conditions an item is of use, where it has to know.
    pub guards: FxHashMap<ItemId, Vec<Guard>>,
}

/// A side of a condition.
#[derive(Clone, Copy, Debug)]
pub(super) struct Guard {
    pub condition: ItemId,
    /// Is it the side for a condition that holds?
    pub holds: bool,
}

impl Structure {
    pub(super) fn of(scope: &Scope, templates: &Templates) -> Structure {
        let count = scope.items.len();
        let mut structure = Structure {
            heights: Vec::new(),
            uses: vec![0; count],
            gates: Gates::of(scope).nearest,
            sizes: vec![1; count],
            guards: FxHashMap::default(),
        };
        for place in stop::asking(0..count) {
            for &operand in scope.operands(place as ItemId) {
                structure.uses[operand as usize] += 1;
            }
        }
        structure.guard(scope, templates);
        structure.heights = structure.measured(scope);
        for place in stop::asking(0..count.saturating_sub(1)) {
            if scope.is_computed(place as ItemId) {
                let gate = structure.gates[place] as usize;
                structure.sizes[gate] += structure.sizes[place];
            }
        }
        structure
    }

    /// Finds what is used on one side of a condition only, as far as it could be infinite there.
    fn guard(&mut self, scope: &Scope, templates: &Templates) {
        /// So many conditions are kept in mind, the innermost ones.
        const DEEPEST: usize = 8;
        let mut sides: FxHashMap<ItemId, Vec<Guard>> = FxHashMap::default();
        for place in stop::asking((0..scope.items.len() as ItemId).rev()) {
            let HowMade::Op(op, operands) = &scope.item(place).kind else {
                continue;
            };
            let gate = self.gates[place as usize];
            let side = sides.get(&place).or_else(|| sides.get(&gate)).cloned();
            let template = templates.of(op).unwrap_or_default();
            if let ([condition, sides_of @ ..], true) = (&operands[..], templates.chooses(op)) {
                for (&operand, holds) in sides_of.iter().zip([true, false]) {
                    if self.uses[operand as usize] == 1 && scope.is_computed(operand) {
                        let mut guards = side.clone().unwrap_or_default();
                        if guards.len() == DEEPEST {
                            guards.remove(0);
                        }
                        let condition = *condition;
                        guards.push(Guard { condition, holds });
                        sides.insert(operand, guards);
                    }
                }
            }
            let Some(side) = side else { continue };
            if delicate(template).is_some() {
                self.guards.insert(place, side.clone());
            }
            sides.insert(place, side);
        }
    }

    /// The heights. What is guarded comes after its conditions, which are never computed from it.
    fn measured(&self, scope: &Scope) -> Vec<u32> {
        let mut heights = vec![None; scope.items.len()];
        // Each item comes twice: first to put what it needs before it, then to be measured.
        let mut waiting = vec![(scope.root(), false)];
        while let Some((place, ready)) = waiting.pop() {
            if heights[place as usize].is_some() {
                continue;
            }
            let guards = self.guards.get(&place).into_iter().flatten();
            let operands = scope.operands(place).iter().copied();
            let needed = operands.chain(guards.map(|guard| guard.condition));
            if ready {
                let height = needed.filter_map(|needed| heights[needed as usize]);
                let height = height.map(|height: u32| height + 1).max();
                heights[place as usize] = Some(height.unwrap_or(0));
            } else {
                waiting.push((place, true));
                waiting.extend(needed.map(|needed| (needed, false)));
            }
        }
        heights.into_iter().map(Option::unwrap_or_default).collect()
    }
}

/// The tree of gates while it grows. Links that jump over several gates make a search take logarithmic time.
struct Gates {
    nearest: Vec<ItemId>,
    jumps: Vec<ItemId>,
    depths: Vec<u32>,
}

const NOT_YET: ItemId = ItemId::MAX;

impl Gates {
    fn of(scope: &Scope) -> Gates {
        let count = scope.items.len();
        let root = scope.root();
        let mut gates = Gates {
            nearest: vec![NOT_YET; count],
            jumps: vec![root; count],
            depths: vec![0; count],
        };
        gates.nearest[root as usize] = root;
        for user in stop::asking((0..=root).rev()) {
            if user != root && scope.is_computed(user) {
                gates.link(user);
            }
            for &operand in scope.operands(user) {
                let before = gates.nearest[operand as usize];
                gates.nearest[operand as usize] = match before {
                    // Only computed items are asked for.
                    _ if !scope.is_computed(operand) => root,
                    NOT_YET => user,
                    _ => gates.common(before, user),
                };
            }
        }
        gates
    }

    /// Fixes the place of an item in the tree: all its users are known.
    fn link(&mut self, place: ItemId) {
        let gate = self.nearest[place as usize];
        let jump = self.jumps[gate as usize];
        let beyond = self.jumps[jump as usize];
        let [from, to, end] = [gate, jump, beyond].map(|at| self.depths[at as usize]);
        self.depths[place as usize] = from + 1;
        self.jumps[place as usize] = if from - to == to - end { beyond } else { gate };
    }

    /// The lowest item above both.
    fn common(&self, mut a: ItemId, mut b: ItemId) -> ItemId {
        let depth = |place: ItemId| self.depths[place as usize];
        if depth(a) < depth(b) {
            std::mem::swap(&mut a, &mut b);
        }
        while depth(a) > depth(b) {
            let jump = self.jumps[a as usize];
            a = if depth(jump) >= depth(b) {
                jump
            } else {
                self.nearest[a as usize]
            };
        }
        while a != b {
            let jumps = [a, b].map(|at| self.jumps[at as usize]);
            [a, b] = if jumps[0] == jumps[1] {
                [a, b].map(|at| self.nearest[at as usize])
            } else {
                jumps
            };
        }
        a
    }
}

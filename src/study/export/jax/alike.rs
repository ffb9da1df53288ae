//! Which terms are alike but for what they are given, and the one function that computes them all.
//!
//! A term's own items are those that nothing else uses. Read in a fixed order, with everything else as a hole, they spell
//! a code; terms with one code are alike. Each item is read once for each function it ends up in, and functions
//! within functions are few: each holds at most half of the items of the one around it.

use rustc_hash::{FxHashMap, FxHashSet};

use super::scope::{HowMade, ItemId, Scope, Structure};

/// A term: its own items, and what it is given, in the order of reading.
pub(super) struct AlikeTerm {
    pub root: ItemId,
    own: Vec<ItemId>,
    holes: Vec<ItemId>,
}

/// One function for several terms.
pub(super) struct Common {
    pub scope: Scope,
    /// For each hole of the function, what each term is given there.
    pub given: FxHashMap<ItemId, Vec<ItemId>>,
}

/// Reads terms.
pub(super) struct TermReader<'s> {
    scope: &'s Scope,
    structure: &'s Structure,
    /// The term that an item was last read for, and its number there.
    seen: Vec<(ItemId, u32)>,
}

/// Stands for what is not a term's own.
const HOLE: u32 = 0;

impl<'s> TermReader<'s> {
    pub(super) fn new(scope: &'s Scope, structure: &'s Structure) -> TermReader<'s> {
        TermReader {
            scope,
            structure,
            seen: vec![(ItemId::MAX, 0); scope.items.len()],
        }
    }

    /// Sorts terms into groups that are alike, in the order of their first ones.
    pub(super) fn groups(&mut self, roots: &[ItemId]) -> Vec<Vec<AlikeTerm>> {
        let mut groups: Vec<Vec<AlikeTerm>> = Vec::new();
        let mut known: FxHashMap<Vec<u32>, usize> = FxHashMap::default();
        for &root in roots {
            let (term, code) = self.read(root);
            let group = *known.entry(code).or_insert(groups.len());
            if group == groups.len() {
                groups.push(Vec::new());
            }
            groups[group].push(term);
        }
        groups
    }

    fn read(&mut self, root: ItemId) -> (AlikeTerm, Vec<u32>) {
        let mut term = AlikeTerm {
            root,
            own: vec![root],
            holes: Vec::new(),
        };
        let mut code = Vec::new();
        self.seen[root as usize] = (root, 0);
        let mut next = 0;
        while let Some(&place) = term.own.get(next) {
            next += 1;
            let HowMade::Op(op, operands) = &self.scope.item(place).kind else {
                continue;
            };
            code.extend([op.index() as u32, operands.len() as u32]);
            for &operand in operands {
                let gate = self.structure.gates[operand as usize];
                // An item's gate is read before it.
                let is_own = self.scope.is_computed(operand)
                    && operand != gate
                    && self.seen[gate as usize].0 == root;
                if !is_own {
                    code.push(HOLE);
                    term.holes.push(operand);
                    continue;
                }
                if self.seen[operand as usize].0 != root {
                    self.seen[operand as usize] = (root, term.own.len() as u32);
                    term.own.push(operand);
                }
                code.push(self.seen[operand as usize].1 + 1);
            }
        }
        (term, code)
    }
}

/// The function that computes terms that are alike.
pub(super) fn common(outer: &Scope, terms: &[AlikeTerm]) -> Common {
    let mut scope = Scope::default();
    let mut given: FxHashMap<ItemId, Vec<ItemId>> = FxHashMap::default();
    let mut columns: FxHashMap<Vec<ItemId>, ItemId> = FxHashMap::default();
    let mut places: FxHashMap<ItemId, ItemId> = FxHashMap::default();
    let first = &terms[0];
    let mut holes = Vec::with_capacity(first.holes.len());
    for (at, &hole) in first.holes.iter().enumerate() {
        let column: Vec<ItemId> = terms.iter().map(|term| term.holes[at]).collect();
        if let Some(&place) = columns.get(&column) {
            holes.push(place);
            continue;
        }
        let item = outer.item(hole);
        let number = |place: ItemId| match outer.item(place).kind {
            HowMade::Number(number) => Some(number.to_bits()),
            _ => None,
        };
        let same =
            number(hole).filter(|_| column.iter().all(|&other| number(other) == number(hole)));
        let kind = same.map_or(HowMade::Hole, |bits| HowMade::Number(f64::from_bits(bits)));
        let place = scope.push(&item.node, kind);
        scope.items[place as usize].is_mapped = column.iter().any(|&other| other != hole);
        holes.push(place);
        given.insert(place, column.clone());
        columns.insert(column, place);
    }
    // Each own item's operands, in the order of reading; then the items in their order in the outer scope.
    let own: FxHashSet<ItemId> = first.own.iter().copied().collect();
    let mut holes = holes.into_iter();
    let mut wiring: Vec<(ItemId, Vec<Option<ItemId>>)> = Vec::with_capacity(first.own.len());
    for &place in &first.own {
        let operands = outer.operands(place).iter();
        let wires = operands.map(|operand| {
            if own.contains(operand) {
                None
            } else {
                holes.next()
            }
        });
        wiring.push((place, wires.collect()));
    }
    wiring.sort_unstable_by_key(|(place, _)| *place);
    for (place, wires) in wiring {
        let item = outer.item(place);
        let HowMade::Op(op, operands) = &item.kind else {
            continue;
        };
        let wired = operands.iter().zip(wires);
        let operands = wired.map(|(operand, wire)| wire.unwrap_or_else(|| places[operand]));
        let kind = HowMade::Op(op, operands.collect());
        let inner = scope.push(&item.node, kind);
        places.insert(place, inner);
    }
    Common { scope, given }
}

//! What becomes an array: which items of a function are computed together, by one function mapped over arrays.
//!
//! Items are planned from the root down, level by level, so that all that asks for an item is known when its turn comes.
//! What is planned later is written earlier.

use rustc_hash::{FxHashMap, FxHashSet};

use super::alike::{AlikeTerm, TermReader, common};
use super::formula::pair;
use super::module::{ArrayFunction, Module};
use super::scope::{Array, Guard, HowMade, ItemId, Scope, Structure};
use crate::ops::Rule;
use crate::stop;

/// What a mapped function is given for one of its arguments.
#[derive(Debug)]
pub(super) struct GivenArray {
    pub array: Array,
    pub is_mapped: bool,
}

/// Items that one function computes.
#[derive(Debug)]
pub(super) struct Family {
    pub members: Vec<ItemId>,
    pub body: ArrayFunction,
    pub arguments: Vec<GivenArray>,
    /// Are they the terms of a sum that nothing else uses?
    pub are_terms: bool,
}

/// How an item is computed.
#[derive(Debug)]
pub(super) enum Manner {
    /// From its operands, one by one.
    Plain,
    /// As the sum of these.
    Sum(Vec<ItemId>),
    /// As the sum of products of these.
    Dot(Vec<ItemId>, Vec<ItemId>),
    /// From an array of its operands.
    Whole,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum PlanStep {
    Single(ItemId),
    Family(usize),
}

/// The items that an array asked for, and how small their terms may be.
struct AskedItem {
    request: usize,
    item: ItemId,
    least: u32,
    are_terms: bool,
}

/// So many terms of a chain of `+` are worth an array even if they are small.
const LONG_CHAIN: usize = 8;

/// A smaller term of a chain of `+` stays as it was typed.
const SMALL_TERM: u32 = 3;

/// Writes the function that computes a scope.
type WriteFunction = fn(&Scope, &mut Module) -> ArrayFunction;

/// The plan of a function.
pub(super) struct ArrayPlan {
    /// What is computed, users before operands.
    pub steps: Vec<PlanStep>,
    pub manners: FxHashMap<ItemId, Manner>,
    pub families: Vec<Family>,
    /// The family of an item, and its number there.
    pub members: FxHashMap<ItemId, (usize, usize)>,
    /// Is it asked for by itself?
    pub needed: Vec<bool>,
    /// How often it is asked for.
    pub uses: Vec<u32>,
    /// The conditions under which a single item is of use.
    pub guards: FxHashMap<ItemId, Vec<Guard>>,
    write: WriteFunction,
    requests: usize,
    /// Those asked for by arrays, by level.
    asked: Vec<Vec<AskedItem>>,
    known: FxHashSet<ItemId>,
}

impl ArrayPlan {
    pub(super) fn of(scope: &Scope, module: &mut Module, write: WriteFunction) -> ArrayPlan {
        let structure = Structure::of(scope, &module.templates);
        let root = scope.root();
        let height = structure.heights[root as usize] as usize;
        let count = scope.items.len();
        let mut plan = ArrayPlan {
            steps: Vec::new(),
            manners: FxHashMap::default(),
            families: Vec::new(),
            members: FxHashMap::default(),
            needed: vec![false; count],
            uses: vec![0; count],
            guards: FxHashMap::default(),
            write,
            requests: 0,
            asked: (0..=height).map(|_| Vec::new()).collect(),
            known: FxHashSet::default(),
        };
        let mut levels: Vec<Vec<ItemId>> = vec![Vec::new(); height + 1];
        for place in (0..count as ItemId).filter(|&place| scope.is_computed(place)) {
            levels[structure.heights[place as usize] as usize].push(place);
        }
        let mut reader = TermReader::new(scope, &structure);
        plan.need(root);
        for level in stop::asking((1..=height).rev()) {
            plan.group(level, scope, &structure, &mut reader, module);
            for &place in levels[level].iter().rev() {
                if plan.needed[place as usize] && !plan.members.contains_key(&place) {
                    plan.single(place, scope, &structure, module);
                }
            }
        }
        plan
    }

    fn need(&mut self, place: ItemId) {
        self.needed[place as usize] = true;
        self.uses[place as usize] += 1;
    }

    /// Asks for items in an array; small terms only if it may have them. `from` is the level of who asks.
    fn ask(
        &mut self,
        items: &[ItemId],
        scope: &Scope,
        structure: &Structure,
        (least, from): (u32, Option<u32>),
    ) {
        self.requests += 1;
        for &item in items.iter().filter(|&&item| scope.is_computed(item)) {
            self.uses[item as usize] += 1;
            if !self.known.insert(item) {
                continue;
            }
            // What only the sum uses is computed right before it, so its terms may be of different height.
            let above = from.filter(|_| structure.uses[item as usize] == 1);
            let level = above.map_or(structure.heights[item as usize], |above| above - 1);
            self.asked[level as usize].push(AskedItem {
                request: self.requests,
                item,
                least,
                are_terms: above.is_some(),
            });
        }
    }

    /// Makes families of what arrays ask for.
    fn group(
        &mut self,
        level: usize,
        scope: &Scope,
        structure: &Structure,
        reader: &mut TermReader,
        module: &mut Module,
    ) {
        let mut similar: Vec<Vec<AskedItem>> = Vec::new();
        let mut known: FxHashMap<(usize, usize, u32), usize> = FxHashMap::default();
        for asked in std::mem::take(&mut self.asked[level]) {
            let HowMade::Op(op, _) = &scope.item(asked.item).kind else {
                continue;
            };
            // Only terms of one size can be alike; what has no equal need not be read.
            let size = structure.sizes[asked.item as usize];
            let key = (asked.request, op.index(), size);
            let group = *known.entry(key).or_insert(similar.len());
            if group == similar.len() {
                similar.push(Vec::new());
            }
            similar[group].push(asked);
        }
        for asked in similar {
            let size = structure.sizes[asked[0].item as usize];
            let may = asked.len() > 1 && (size >= asked[0].least || asked.len() >= LONG_CHAIN);
            if !may {
                for asked in asked {
                    self.fall_back(asked.item);
                }
                continue;
            }
            let roots: Vec<ItemId> = asked.iter().map(|asked| asked.item).collect();
            for terms in reader.groups(&roots) {
                if let [single] = terms.as_slice() {
                    self.fall_back(single.root);
                } else {
                    let are_terms = asked[0].are_terms;
                    self.family(&terms, are_terms, scope, structure, module);
                }
            }
        }
    }

    /// An item of an array that has no equals is computed by itself.
    fn fall_back(&mut self, item: ItemId) {
        self.needed[item as usize] = true;
    }

    /// The depth of the recursion is the logarithm of the number of items: each family has at least two terms.
    fn family(
        &mut self,
        terms: &[AlikeTerm],
        are_terms: bool,
        scope: &Scope,
        structure: &Structure,
        module: &mut Module,
    ) {
        let common = common(scope, terms);
        let body = (self.write)(&common.scope, module);
        let mut arguments = Vec::with_capacity(body.arguments.len());
        for (inner, _) in &body.arguments {
            let columns: Vec<&Vec<ItemId>> =
                inner.items.iter().map(|hole| &common.given[hole]).collect();
            let is_mapped = inner
                .items
                .iter()
                .any(|&hole| common.scope.item(hole).is_mapped);
            let count = if is_mapped { terms.len() } else { 1 };
            let items = (0..count).flat_map(|term| columns.iter().map(move |column| column[term]));
            let outer = is_mapped.then_some(terms.len()).into_iter();
            let array = Array {
                shape: outer.chain(inner.shape.iter().copied()).collect(),
                items: items.collect(),
            };
            if let [item] = array.items[..] {
                self.need(item);
            } else {
                self.ask(&array.items, scope, structure, (1, None));
            }
            arguments.push(GivenArray { array, is_mapped });
        }
        let number = self.families.len();
        for (at, term) in terms.iter().enumerate() {
            self.members.insert(term.root, (number, at));
        }
        self.families.push(Family {
            members: terms.iter().map(|term| term.root).collect(),
            body,
            arguments,
            are_terms,
        });
        self.steps.push(PlanStep::Family(number));
    }

    fn single(&mut self, place: ItemId, scope: &Scope, structure: &Structure, module: &mut Module) {
        let HowMade::Op(op, operands) = &scope.item(place).kind else {
            return;
        };
        let height = structure.heights[place as usize];
        let chain = chain(place, scope, structure, module);
        let is_long = chain.len() >= LONG_CHAIN;
        let manner = if op.adds() || chain.len() > 2 {
            let terms = if op.adds() { operands.clone() } else { chain };
            match factors(&terms, scope, structure, module) {
                Some((left, right)) if op.adds() || is_long => {
                    self.ask(&left, scope, structure, (1, None));
                    self.ask(&right, scope, structure, (1, None));
                    Manner::Dot(left, right)
                }
                _ => {
                    let least = if op.adds() { 1 } else { SMALL_TERM };
                    self.ask(&terms, scope, structure, (least, Some(height)));
                    Manner::Sum(terms)
                }
            }
        } else if matches!(op.rule, Rule::Many { .. }) && pair(op, operands.len()).is_none() {
            self.ask(operands, scope, structure, (1, None));
            Manner::Whole
        } else {
            for &operand in operands {
                self.need(operand);
            }
            if let Some(guards) = structure.guards.get(&place) {
                for guard in guards {
                    self.need(guard.condition);
                }
                self.guards.insert(place, guards.clone());
            }
            Manner::Plain
        };
        self.manners.insert(place, manner);
        self.steps.push(PlanStep::Single(place));
    }
}

/// The terms of `a + b + c`, from left to right.
fn chain(place: ItemId, scope: &Scope, structure: &Structure, module: &Module) -> Vec<ItemId> {
    let is_sum = |place: ItemId| match &scope.item(place).kind {
        HowMade::Op(op, _) => module.templates.of(op) == Some("x + y"),
        _ => false,
    };
    let mut terms = Vec::new();
    let mut next = place;
    while is_sum(next) && (next == place || module.is_hidden(next, scope, structure)) {
        terms.push(scope.operands(next)[1]);
        next = scope.operands(next)[0];
    }
    terms.push(next);
    terms.reverse();
    terms
}

/// Both factors of each term, if all terms are products of something given, such as weights, and of something else.
fn factors(
    terms: &[ItemId],
    scope: &Scope,
    structure: &Structure,
    module: &Module,
) -> Option<(Vec<ItemId>, Vec<ItemId>)> {
    let is_product = |&place: &ItemId| match &scope.item(place).kind {
        HowMade::Op(op, _) => {
            module.templates.of(op) == Some("x * y") && module.is_hidden(place, scope, structure)
        }
        _ => false,
    };
    if terms.len() < 2 || !terms.iter().all(is_product) {
        return None;
    }
    let side =
        |at: usize| -> Vec<ItemId> { terms.iter().map(|&term| scope.operands(term)[at]).collect() };
    let (left, right) = (side(0), side(1));
    let is_given = |side: &[ItemId]| !side.iter().any(|&place| scope.is_computed(place));
    let same = |a: ItemId, b: ItemId| match (&scope.item(a).kind, &scope.item(b).kind) {
        (HowMade::Number(a), HowMade::Number(b)) => a.to_bits() == b.to_bits(),
        _ => a == b,
    };
    let differ = |side: &[ItemId]| side.iter().any(|&place| !same(place, side[0]));
    let may = (is_given(&left) || is_given(&right)) && differ(&left) && differ(&right);
    may.then_some((left, right))
}

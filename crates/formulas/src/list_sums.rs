//! Sums over the items of lists as one term: the sum of `a*xs[0]`, `a*xs[1]` and so on is `sum(a*xs)`.

use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::terms::{FormulaTerms, LearnedSlopes, letter, letter_at, replace};
use chainrule_algebra::{self as algebra, Letter, NamedFunction, Term, TermKind, TooLarge};
use chainrule_engine::graph::{Node, NodeId};

/// What is the same in all operands of a sum, and what differs by the item of a list.
#[derive(Default)]
struct OperandComparison {
    /// The nodes that all operands share.
    shared: FxHashMap<NodeId, Rc<Node>>,
    /// The items of the first operand that are other items in the other operands.
    items: FxHashMap<NodeId, Rc<Node>>,
}

impl FormulaTerms<'_> {
    /// Whether the derivative by a node can be made: it is a letter, and no list stands for it.
    pub(crate) fn can_differentiate(&self, node: &Node) -> bool {
        let naming = self.names.list_name_of(node);
        let is_list = |known: &String| {
            naming.is_some_and(|it| self.names.name_without_place(it) == known.as_str())
        };
        let mut lists = self.lists.iter().flat_map(FxHashMap::values);
        self.letters.contains_key(&self.place(node)) && !lists.any(is_list)
    }

    /// The derivative of the root by each item of a list. `None` if the formula depends on the place of the item.
    pub(crate) fn derivative_by_list(&self, items: &[Rc<Node>]) -> Option<Result<Term, TooLarge>> {
        let list = Letter::FIRST_LIST + self.place(items.first()?);
        self.lists.as_ref()?.get(&list)?;
        let whole = self.definition(self.root());
        let is_alone = |item: &Rc<Node>| whole.has_letter(self.place(item));
        if items.iter().any(is_alone) || has_sum_in_sum(whole, list, false) {
            return None;
        }
        let derivative = algebra::derivative(whole, &letter_at(list), &LearnedSlopes::default());
        Some(derivative.map(|it| algebra::shortest(&it)))
    }

    /// The sum whose operands differ only by the items of whole lists of leaves. `None` for any other sum.
    pub(crate) fn sum_over_lists(&mut self, node: &Node) -> Option<Term> {
        self.lists.as_ref()?;
        let [first, others @ ..] = node.operands() else {
            return None;
        };
        let mut found = OperandComparison::default();
        for (at, other) in others.iter().enumerate() {
            let is_alike = self.compare(first, other, at + 1, &mut found);
            is_alike.then_some(())?;
        }
        let (mut term, mut lists) = (self.reference(first), Vec::new());
        let count = node.operands().len();
        for item in found.items.values() {
            let naming = self.names.list_name_of(item)?;
            let is_shared = |it: &Rc<Node>| self.reference(it).has_letter(self.place(item));
            let is_whole = naming.shape.lengths() == Some(vec![count]);
            if !is_whole || found.shared.values().any(is_shared) {
                return None;
            }
            // An inner sum would go over the items of this list, too.
            if has_sum_in_sum(&term, self.place(item), true) {
                return None;
            }
            let list = Letter::FIRST_LIST + self.place(item);
            term = replace(&term, &letter(self.place(item)), &letter(list));
            let name = self.names.name_without_place(naming).into_owned();
            lists.push((list, name));
        }
        let sum = Rc::new(NamedFunction::sum_over_items("sum", count as i64));
        if lists.is_empty() {
            return None;
        }
        self.lists.as_mut()?.extend(lists);
        Some(algebra::call(&sum, vec![term]))
    }

    /// Whether this operand is the first one with the item `at` of each list in place of item 0.
    fn compare(
        &self,
        first: &Rc<Node>,
        later: &Rc<Node>,
        at: usize,
        found: &mut OperandComparison,
    ) -> bool {
        let mut known = FxHashSet::default();
        let mut waiting = vec![(first, later)];
        while let Some((one, other)) = waiting.pop() {
            if !known.insert((one.id(), other.id())) {
                continue;
            }
            if Rc::ptr_eq(one, other) {
                found.shared.insert(one.id(), Rc::clone(one));
            } else if self.are_items(one, other, at) {
                found.items.insert(one.id(), Rc::clone(one));
            } else if self.have_same_operation(one, other) {
                waiting.extend(one.operands().iter().zip(other.operands()));
            } else {
                return false;
            }
        }
        true
    }

    /// Whether these are the first leaf of a list and the one at a position.
    fn are_items(&self, one: &Node, other: &Node, at: usize) -> bool {
        let namings = [one, other].map(|it| self.names.list_name_of(it));
        let [Some(of_one), Some(of_other)] = namings else {
            return false;
        };
        one.is_leaf()
            && other.is_leaf()
            && of_one.key() == of_other.key()
            && [of_one.place, of_other.place] == [Some(0), Some(at as u32)]
    }

    /// Whether two nodes are the same operation of their operands, or the same number, and neither has a letter.
    fn have_same_operation(&self, one: &Rc<Node>, other: &Rc<Node>) -> bool {
        let has_letter = |it: &Node| self.letters.contains_key(&self.place(it));
        if has_letter(one) || has_letter(other) || one.operands().len() != other.operands().len() {
            return false;
        }
        match [one.op(), other.op()] {
            [Some(op), Some(same)] => std::ptr::eq(op, same),
            [None, None] => one.data().to_bits() == other.data().to_bits(),
            _ => false,
        }
    }
}

/// Whether a sum over a list is a part of another one and has a letter.
fn has_sum_in_sum(term: &Term, letter: i64, is_in_sum: bool) -> bool {
    let is_sum = matches!(term.kind(), TermKind::Call(it) if it.items.is_some());
    if is_sum && is_in_sum && term.has_letter(letter) {
        return true;
    }
    let is_in_one = is_in_sum || is_sum;
    term.parts()
        .iter()
        .any(|it| has_sum_in_sum(it, letter, is_in_one))
}

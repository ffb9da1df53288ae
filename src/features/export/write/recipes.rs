//! Finds the recipe of a column: the operation that computes it, and the columns of the operands.
//!
//! A graph has no loops. `[sin(x) for x in xs]` is one node for each item of `xs`, and the list remembers how it was
//! made. A *column* holds the values that one part of the body has, one for each round: the column of `x` is the items
//! of `xs`, and the column of `sin(x)` is their sines. If one operation made all values of a column, the writer writes
//! this operation once, on the columns of its operands. Outside of loops a column has one value.

use std::rc::Rc;

use super::dialect::Dialect;
use super::writer::{ColumnKey, ColumnRecipe, LoopColumn, PROGRAM, Writer};
use chainrule_engine::graph::Node;
use chainrule_engine::ops::Op;
use chainrule_program::values::{List, ListOrigin, Maker, Value};

/// The most loops inside one another. The lists of deeper loops are written item by item, because the writer recurses into
/// loops.
const MOST_NESTED_LOOPS: usize = 24;

impl Writer<'_> {
    /// Finds the recipe of a column. It depends on the arrays and columns that are already written. What needs no statement
    /// comes first; a loop takes from outside what it can.
    pub(super) fn find_recipe(&self, in_loop: usize, column: &LoopColumn) -> ColumnRecipe {
        if let Some(number) = self.constant_number(column) {
            return ColumnRecipe::Text(self.dialect.literal(number));
        }
        if in_loop == PROGRAM {
            if let Some(text) = self.text_in_array(column[0].nodes(), column[0].shape()) {
                return ColumnRecipe::Text(text);
            }
        } else if self.is_invariant(in_loop, column) {
            return ColumnRecipe::Invariant;
        } else if self.is_parameter(in_loop, column) {
            return ColumnRecipe::Parameter;
        }
        match &column[0] {
            Value::Node(first) => self.recipe_of_numbers(column, first),
            Value::List(first) => self.recipe_of_lists(column, first),
        }
    }

    /// Returns the number that a column has in all rounds, to the bit, if the program has no variable for it.
    pub(super) fn constant_number(&self, column: &LoopColumn) -> Option<f64> {
        let first = column[0].node()?.data();
        let is_first = |node: &Rc<Node>| {
            !self.moving.contains(&node.id()) && node.data().to_bits() == first.to_bits()
        };
        let mut nodes = column.iter().flat_map(Value::nodes);
        nodes.all(is_first).then_some(first)
    }

    /// Returns whether a column has the same value in all rounds that belong to one round of the outer loop.
    fn is_invariant(&self, in_loop: usize, column: &LoopColumn) -> bool {
        let mut outer_rounds = column.chunks(self.loops[in_loop].rounds);
        outer_rounds.all(|rounds| rounds.iter().all(|value| value.is(&rounds[0])))
    }

    /// Returns whether a column is taken from the outer loop, as the items of a list that needs no computation there: the
    /// list is already written, or a part of an array, or made of constants and of numbers in arrays.
    fn is_parameter(&self, in_loop: usize, column: &LoopColumn) -> bool {
        let outer = self.loops[in_loop].outer;
        let outer_column = self.outer_column(in_loop, column);
        let outer_texts = &self.loops[outer].texts;
        if outer_texts.contains_key(&ColumnKey::of(&outer_column)) {
            return true;
        }
        if let (Value::List(_), Value::List(list)) = (&column[0], &outer_column[0]) {
            return match outer {
                PROGRAM => self.text_in_array(list.nodes(), list.shape()).is_some(),
                _ => self.is_parameter(outer, &outer_column),
            };
        }
        let needs_no_line = |node: &Rc<Node>| {
            !self.moving.contains(&node.id()) || self.array_places.contains_key(&node.id())
        };
        column.iter().flat_map(Value::nodes).all(needs_no_line)
    }

    /// Finds the recipe of a column of numbers; `first` is its first number. Leaves, and numbers that
    /// different operations made, can only come from outside of the loop.
    fn recipe_of_numbers(&self, column: &LoopColumn, first: &Rc<Node>) -> ColumnRecipe {
        let nodes = || column.iter().flat_map(Value::nodes);
        let operand_count = first.operands().len();
        let is_like_first =
            |node: &Rc<Node>| node.op() == first.op() && node.operands().len() == operand_count;
        let Some(op) = first.op().filter(|_| nodes().all(is_like_first)) else {
            return ColumnRecipe::Parameter;
        };
        if let Some(lists) = self.operand_lists(column) {
            let dot = self.recipe_of_dot(op, &lists);
            return dot.unwrap_or(ColumnRecipe::Reduce(op, lists));
        }
        let operand = |index: usize| -> LoopColumn {
            let operands = nodes().map(|node| Rc::clone(&node.operands()[index]).into());
            operands.collect()
        };
        ColumnRecipe::Apply(op, (0..operand_count).map(operand).collect())
    }

    /// Returns the lists whose items are the operands of a column's numbers, if the program has or can compute these lists.
    fn operand_lists(&self, column: &LoopColumn) -> Option<LoopColumn> {
        // C has no lists to compute with.
        if self.dialect == Dialect::C {
            return None;
        }
        let nodes = column.iter().flat_map(Value::nodes);
        let list = |node: &Rc<Node>| Some(List::operand_of(node)?.into());
        let lists: Option<LoopColumn> = nodes.map(list).collect();
        let is_writable = |it: &Rc<List>| {
            it.origin().is_some() || self.text_in_array(it.nodes(), it.shape()).is_some()
        };
        lists.filter(|lists| lists.iter().filter_map(Value::list).all(is_writable))
    }

    /// Returns the recipe of a scalar product, if the operation is a sum and the lists are products of two lists.
    fn recipe_of_dot(&self, op: &'static Op, lists: &LoopColumn) -> Option<ColumnRecipe> {
        let first = lists[0].list()?;
        // Products that the program has already are only added.
        if !op.is_sum() || self.text_in_array(first.nodes(), first.shape()).is_some() {
            return None;
        }
        match self.recipe_of_lists(lists, first) {
            ColumnRecipe::Apply(product, factors) if product.spelling == "*" => {
                let are_lists = factors.iter().all(|factor| factor[0].node().is_none());
                are_lists.then_some(ColumnRecipe::Call("dot", factors))
            }
            _ => None,
        }
    }

    /// Finds the recipe of a column of lists; `first` is its first list. Without a common origin, each list is made of its
    /// items.
    fn recipe_of_lists(&self, column: &LoopColumn, first: &Rc<List>) -> ColumnRecipe {
        let lists = || column.iter().filter_map(Value::list);
        let item = |index: usize| lists().filter_map(|list| list.item(index)).collect();
        let by_items = || ColumnRecipe::Items((0..first.count()).map(item).collect());
        let Some(origin) = common_origin(column) else {
            return by_items();
        };
        // The list is another one with its brackets removed.
        if origin.shape != *first.shape() {
            let in_first_shape = lists().map(|list| list.in_shape(&origin.shape).into());
            return ColumnRecipe::Call("flat", vec![in_first_shape.collect()]);
        }
        let operand = |index: usize| -> LoopColumn {
            let origins = lists().filter_map(|list| list.origin());
            origins.map(|it| it.operands[index].clone()).collect()
        };
        let mut operands: Vec<LoopColumn> = (0..origin.operands.len()).map(operand).collect();
        match &origin.maker {
            Maker::Operation(op) => match &origin.operands[..] {
                // One list of lists: the operation joins its items, see `Maker::Operation`.
                [only] if *only.shape() != origin.shape => {
                    ColumnRecipe::Reduce(op, operands.remove(0))
                }
                _ => ColumnRecipe::Apply(op, operands),
            },
            Maker::Function(function @ "dot") => ColumnRecipe::Call(function, operands),
            Maker::Each(_) if self.nested_loops < MOST_NESTED_LOOPS => ColumnRecipe::Loop,
            _ => by_items(),
        }
    }
}

/// Returns the origin of the first list of a column if all lists of the column were made in the same way, from values of
/// the same shapes. Only regular lists become arrays, so other lists have no common origin.
fn common_origin(column: &LoopColumn) -> Option<&ListOrigin> {
    let first = column[0].list()?;
    let origin = first.origin()?;
    if !origin.shape.is_regular() || !first.shape().is_regular() {
        return None;
    }
    let lists = column.iter().filter_map(Value::list);
    let mut origins = lists.map(|list| list.origin());
    let shapes = || origin.operands.iter().map(Value::shape);
    let is_like_first = |other: &ListOrigin| {
        other.maker == origin.maker
            && other.shape == origin.shape
            && shapes().eq(other.operands.iter().map(Value::shape))
    };
    let are_like_first = origins.all(|other| other.is_some_and(is_like_first));
    are_like_first.then_some(origin)
}

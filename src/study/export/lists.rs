//! Writes lists in Python and JAX: as an array that the program already has, as a part of an array, or as a new list.
//!
//! Numbers that are side by side in an array are written as one slice, `w[2:5]`, and not one by one.

use std::rc::Rc;

use super::dialect::Dialect;
use super::join_items;
use super::writer::{ArrayPlace, LoopColumn, Writer};
use crate::session::values::{ListShape, Value};
use chainrule_engine::graph::Node;

/// At least this many numbers that are side by side in an array are written as a slice: two are as short one by one.
const LEAST_IN_SLICE: usize = 3;

impl Writer<'_> {
    /// Returns the text for numbers that are in one array at equal distances: the array `w`, the part `w[1]`, or the slice
    /// `w[0:7:2]` of its numbers. Returns `None` for all other numbers, and for numbers in descending order.
    pub(super) fn text_in_array(&self, nodes: &[Rc<Node>], shape: &ListShape) -> Option<String> {
        let start = self.array_place(nodes.first()?)?;
        let step = self.step_in_array(nodes, start)?;
        let whole = &self.arrays[start.array];
        let lengths = shape.lengths()?;
        let outer_dimensions = whole.shape.len().checked_sub(lengths.len())?;
        let (outer_lengths, part_lengths) = whole.shape.split_at(outer_dimensions);
        // In an array of 2 × 3 numbers, the numbers 3, 4 and 5 are the part `w[1]`: 3 numbers that begin at 1·3.
        if step == 1 && part_lengths == lengths && start.place % nodes.len() == 0 {
            let indices = indices_text(start.place / nodes.len(), outer_lengths);
            return Some(format!("{}{indices}", whole.text));
        }
        // A slice is a list of numbers, not of lists.
        if lengths.len() != 1 {
            return None;
        }
        let numbers = match whole.shape.len() {
            1 => whole.text.clone(),
            _ => format!("{}({})", self.dialect.name("flat"), whole.text),
        };
        let end = start.place + (nodes.len() - 1) * step + 1;
        Some(format!("{numbers}[{}:{end}:{step}]", start.place))
    }

    /// Returns the distance between neighbours, if the nodes are in one array in ascending order and at equal distances.
    /// The first node is at `start`.
    fn step_in_array(&self, nodes: &[Rc<Node>], start: ArrayPlace) -> Option<usize> {
        let Some(second) = nodes.get(1) else {
            return Some(1);
        };
        let step = self.array_place(second)?.place.checked_sub(start.place)?;
        let is_at = |node, place| self.array_place(node) == Some(ArrayPlace { place, ..start });
        let are_in_steps = |distance| {
            let places = (start.place..).step_by(distance);
            nodes.iter().zip(places).all(|(node, at)| is_at(node, at))
        };
        (step > 0 && are_in_steps(step)).then_some(step)
    }

    /// Returns the place of a node in an array of the program.
    fn array_place(&self, node: &Node) -> Option<ArrayPlace> {
        self.array_places.get(&node.id()).copied()
    }

    /// Returns the text of a list with these items. `texts` has the text of each item, and `shape` is the shape of the
    /// list.
    pub(super) fn items_text(
        &self,
        items: &[LoopColumn],
        texts: &[String],
        shape: &ListShape,
    ) -> String {
        if shape.depth() > 1 {
            return self.array_text("jnp.stack", &format!("[{}]", join_items(texts)));
        }
        if let Some(range) = self.range_text(items) {
            return range;
        }
        let parts = self.parts_of_list(items, texts);
        match &parts[..] {
            [only] => only.clone(),
            parts => {
                let join = self.dialect.name("joined");
                format!("{join}([{}])", join_items(parts))
            }
        }
    }

    /// Returns the text of a list whose items are numbers that increase by 1.
    fn range_text(&self, items: &[LoopColumn]) -> Option<String> {
        let constants = items.iter().map(|item| self.constant_number(item));
        let numbers: Vec<f64> = constants.collect::<Option<_>>()?;
        let [first, .., last] = numbers[..] else {
            return None;
        };
        let mut indexed = numbers.iter().zip(0..);
        let is_range = indexed.all(|(number, index)| *number == first + f64::from(index));
        let range = self.dialect.name("range");
        is_range.then(|| format!("{range}({first:?}, {:?})", last + 1.0))
    }

    /// Returns the texts of the arrays that make a list when joined: slices of arrays, and lists of the items between the
    /// slices.
    fn parts_of_list(&self, items: &[LoopColumn], texts: &[String]) -> Vec<String> {
        let items_with_texts: Vec<(&LoopColumn, &String)> = items.iter().zip(texts).collect();
        let mut parts = Vec::new();
        let mut singles = Vec::new();
        for run in items_with_texts.chunk_by(|one, next| self.is_next(one.0, next.0)) {
            let nodes = run.iter().filter_map(|(item, _)| item[0].node().cloned());
            let shape = ListShape::rows(run.len(), ListShape::NUMBER);
            if run.len() >= LEAST_IN_SLICE
                && let Some(slice) = self.text_in_array(&nodes.collect::<Vec<_>>(), &shape)
            {
                parts.extend(self.numbers_text(&singles));
                singles.clear();
                parts.push(slice);
            } else {
                singles.extend(run.iter().map(|(_, text)| (*text).clone()));
            }
        }
        parts.extend(self.numbers_text(&singles));
        parts
    }

    /// Returns whether two items are side by side in an array.
    fn is_next(&self, item: &LoopColumn, next: &LoopColumn) -> bool {
        let (Some(place), Some(next_place)) = (self.item_place(item), self.item_place(next)) else {
            return false;
        };
        place.array == next_place.array && place.place + 1 == next_place.place
    }

    /// Returns the place of an item in an array. In a loop an item is another node in each round, and has no place.
    fn item_place(&self, item: &LoopColumn) -> Option<ArrayPlace> {
        match &item[..] {
            [Value::Node(node)] => self.array_place(node),
            _ => None,
        }
    }

    /// Returns the text of an array of numbers, or `None` if there are none.
    fn numbers_text(&self, numbers: &[String]) -> Option<String> {
        let list = format!("[{}]", join_items(numbers));
        (!numbers.is_empty()).then(|| self.array_text("jnp.array", &list))
    }

    /// Returns the text of a list in which one item is repeated.
    pub(super) fn repeated_text(&self, item: &str, times: usize) -> String {
        self.array_text("jnp.array", &format!("[{item}] * {times}"))
    }

    /// Returns a list in Python unchanged, and in JAX as an array that `function` makes of the list.
    fn array_text(&self, function: &str, list: &str) -> String {
        match self.dialect {
            Dialect::Jax => format!("{function}({list})"),
            _ => list.to_string(),
        }
    }
}

/// Returns the indices of a part of an array: `[1][0]` for part 2 in an array of the shape 2 × 2.
fn indices_text(mut part: usize, shape: &[usize]) -> String {
    let mut text = String::new();
    for length in shape.iter().rev() {
        text = format!("[{}]{text}", part % length);
        part /= length;
    }
    text
}

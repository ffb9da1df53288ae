//! Writes lists in Python and JAX: as an array that the program already has, as a part of an array, or as a new list.
//!
//! Numbers that are side by side in an array are written as one slice, `w[2:5]`, and not one by one.

use std::rc::Rc;

use super::column::LoopColumn;
use super::dialect::Dialect;
use super::names_and_numbers::join_items;
use super::writer::{ArrayPlace, Writer};
use crate::session::values::{ListShape, Value};
use chainrule_engine::graph::Node;

/// At least this many numbers that are side by side in an array are written as a slice: two are as short one by one.
const LEAST_IN_SLICE: usize = 3;

impl Writer<'_> {
    /// Returns the text for numbers that are in one array at equal distances: the array `w`, the part `w[1]`, or the slice
    /// `w[0:7:2]` of its numbers. Returns `None` for all other numbers, and for numbers in descending order.
    pub(super) fn text_in_array(&self, nodes: &[Rc<Node>], shape: &ListShape) -> Option<String> {
        let start = self.array_place(nodes.first()?)?;
        let second = match nodes.get(1) {
            Some(node) => self.array_place(node)?,
            None => start.next(),
        };
        let step = second.place.checked_sub(start.place)?;
        if step == 0 {
            return None;
        }
        let mut places = nodes.iter().zip((start.place..).step_by(step));
        let is_at = |node, place| self.array_place(node) == Some(ArrayPlace { place, ..start });
        if !places.all(|(node, place)| is_at(node, place)) {
            return None;
        }

        // The numbers are the whole array, or one of its rows.
        let whole = &self.arrays[start.array];
        let lengths = shape.lengths()?;
        let outer_dimensions = whole.shape.len().checked_sub(lengths.len())?;
        let (outer_lengths, inner_lengths) = whole.shape.split_at(outer_dimensions);
        if step == 1 && inner_lengths == lengths && start.place % nodes.len() == 0 {
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

    /// Returns the place of a node in an array of the program.
    fn array_place(&self, node: &Node) -> Option<ArrayPlace> {
        self.array_places.get(&node.id()).copied()
    }

    /// Returns the text of a list with these items. `texts` has the text of each item, and `shape` is the shape of the list.
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
        let place = |item: &LoopColumn| match &item[..] {
            [Value::Node(node)] => self.array_place(node),
            // The item is another node in each round, so no slice is the same in all rounds.
            _ => None,
        };
        let is_next = |item: &LoopColumn, next: &LoopColumn| {
            place(item).is_some_and(|it| place(next) == Some(it.next()))
        };
        let (mut parts, mut singles) = (Vec::new(), Vec::new());
        let mut rest = texts;
        for run in items.chunk_by(is_next) {
            let (run_texts, later) = rest.split_at(run.len());
            rest = later;
            let nodes: Vec<Rc<Node>> = run.iter().filter_map(|it| it[0].node().cloned()).collect();
            let shape = ListShape::rows(run.len(), ListShape::NUMBER);
            let slice = self.text_in_array(&nodes, &shape);
            match slice.filter(|_| run.len() >= LEAST_IN_SLICE) {
                Some(slice) => {
                    parts.extend(self.numbers_text(&std::mem::take(&mut singles)));
                    parts.push(slice);
                }
                None => singles.extend_from_slice(run_texts),
            }
        }
        parts.extend(self.numbers_text(&singles));
        parts
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

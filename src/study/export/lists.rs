//! The texts of lists in Python and JAX: a list that a program has already, a part of one, or a new one.
//!
//! Numbers that stand side by side in an array of the program are taken at once, `w[2:5]`, and not one by one.

use std::rc::Rc;

use super::column::LoopColumn;
use super::dialect::Dialect;
use super::names_and_numbers::join_items;
use super::writer::{ArrayPlace, Writer};
use crate::session::values::{ListShape, Value};
use chainrule_engine::graph::Node;

/// At least this many numbers that stand side by side in an array are taken as a slice: two are as short one by one.
const LEAST_IN_SLICE: usize = 3;

impl Writer<'_> {
    /// Returns the text for numbers that stand in one array at equal distances: `w`, `w[1]` or `w[0:7:2]`.
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

        let whole = &self.arrays[start.array];
        let lengths = shape.lengths()?;
        let outer_dimensions = whole.shape.len().checked_sub(lengths.len())?;
        let (outer_lengths, inner_lengths) = whole.shape.split_at(outer_dimensions);
        if step == 1 && inner_lengths == lengths && start.place % nodes.len() == 0 {
            let indices = indices_text(start.place / nodes.len(), outer_lengths);
            return Some(format!("{}{indices}", whole.text));
        }
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

    fn array_place(&self, node: &Node) -> Option<ArrayPlace> {
        self.array_places.get(&node.id()).copied()
    }

    /// Returns the text of a list with these items.
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
        let mut steps = numbers.iter().zip(0..);
        let is_range = steps.all(|(number, step)| *number == first + f64::from(step));
        let range = self.dialect.name("range");
        is_range.then(|| format!("{range}({first:?}, {:?})", last + 1.0))
    }

    /// Returns the texts of the arrays that make a list when joined: slices of arrays, and lists of the items between.
    fn parts_of_list(&self, items: &[LoopColumn], texts: &[String]) -> Vec<String> {
        let place = |item: &LoopColumn| match &item[..] {
            [Value::Node(node)] => self.array_place(node),
            // It has other nodes in other rounds.
            _ => None,
        };
        let is_next = |one: &LoopColumn, other: &LoopColumn| {
            place(one).is_some_and(|it| place(other) == Some(it.next()))
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

    /// Returns a list as it is in Python, and as an array that this function makes in JAX.
    fn array_text(&self, function: &str, list: &str) -> String {
        match self.dialect {
            Dialect::Jax => format!("{function}({list})"),
            _ => list.to_string(),
        }
    }
}

/// Returns the indices of the part at a place in an array of this shape: `[1][0]`.
fn indices_text(mut place: usize, shape: &[usize]) -> String {
    let mut text = String::new();
    for length in shape.iter().rev() {
        text = format!("[{}]{text}", place % length);
        place /= length;
    }
    text
}

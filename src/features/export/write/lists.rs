//! Writes lists in Python and JAX: as an array that the program already has, as a part of an array, or as a new list.
//!
//! Numbers that are side by side in an array are written as one slice, `w[2:5]`, and not one by one.
//!
//! A loop `[E for x in xs]` becomes a function of `x` that the program maps over the items of `xs`. The body is written
//! like the program, once, on columns that have a value for each round. Values that the body takes from outside are
//! parameters of the function, and values that are the same in all rounds stay in the outer loop.

use std::rc::Rc;

use super::identifiers::is_identifier;
use super::inline::inline;
use super::writer::{ArrayPlace, LoopColumn, Phrase, ProgramLoop, Writer};
use super::{Dialect, join_items};
use chainrule_engine::graph::Node;
use chainrule_program::values::{ListShape, Value};

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

    /// Returns the text of a list of lists with these texts.
    pub(super) fn rows_text(&self, rows: &[String]) -> String {
        self.array_text("jnp.stack", &format!("[{}]", join_items(rows)))
    }

    /// Returns the text of a list of numbers. `texts` has the text of each item.
    pub(super) fn items_text(&self, items: &[LoopColumn], texts: &[String]) -> String {
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
    fn repeated_text(&self, item: &str, times: usize) -> String {
        self.array_text("jnp.array", &format!("[{item}] * {times}"))
    }

    /// Returns a list in Python unchanged, and in JAX as an array that `function` makes of the list.
    fn array_text(&self, function: &str, list: &str) -> String {
        match self.dialect {
            Dialect::Jax => format!("{function}({list})"),
            _ => list.to_string(),
        }
    }

    /// Writes `[E for x in xs]` in each round of a loop, and returns the text of the list. The body becomes a function; a
    /// body that is the same in all rounds becomes a repeated item.
    pub(super) fn write_loop(&mut self, in_loop: usize, column: &LoopColumn) -> Phrase {
        let lists = column.iter().filter_map(Value::list);
        let body: LoopColumn = lists.flat_map(|list| list.items()).collect();
        // All lists of a column have the same shape.
        let rounds = body.len() / column.len();
        let inner = self.loops.len();
        self.loops.push(ProgramLoop {
            outer: in_loop,
            rounds,
            ..ProgramLoop::default()
        });
        self.nested_loops += 1;
        let item = self.write_column(inner, body)?;
        self.nested_loops -= 1;
        let mut written = std::mem::take(&mut self.loops[inner]);
        if written.parameters.is_empty() && written.lines.is_empty() {
            return Ok(self.repeated_text(&item, rounds));
        }
        let arguments = written.arguments.join(", ");
        let parameters = written.parameters.join(", ");
        let function = self.identifiers.of("term");
        self.write_line(in_loop, &format!("def {function}({parameters}):"))?;
        written.lines.push(format!("    return {item}"));
        let lines = inline(written.lines).into_iter();
        let indented = lines.map(|line| format!("    {line}"));
        self.loops[in_loop].lines.extend(indented);
        Ok(match self.dialect {
            _ if arguments.is_empty() => self.repeated_text(&format!("{function}()"), rounds),
            Dialect::Jax => format!("jax.vmap({function})({arguments})"),
            _ => format!("list(map({function}, {arguments}))"),
        })
    }

    /// Writes a column that is the same in all rounds into the outer loop, and returns its text there.
    pub(super) fn write_invariant(&mut self, in_loop: usize, column: &LoopColumn) -> Phrase {
        let ProgramLoop { outer, rounds, .. } = self.loops[in_loop];
        let of_each_outer_round = column.iter().step_by(rounds).cloned();
        self.write_column(outer, of_each_outer_round.collect())
    }

    /// Adds a parameter whose argument is a list of the outer loop, and returns the name of the parameter.
    pub(super) fn write_parameter(&mut self, in_loop: usize, column: &LoopColumn) -> Phrase {
        let outer_column = self.outer_column(in_loop, column);
        let argument = self.write_column(self.loops[in_loop].outer, outer_column)?;
        let variable = Some(&*argument).filter(|text| is_identifier(text));
        let name = self.identifiers.of(variable.unwrap_or("item"));
        self.loops[in_loop].parameters.push(name.clone());
        self.loops[in_loop].arguments.push(argument);
        Ok(name)
    }

    /// Returns the column of the outer loop whose lists have the values of all rounds.
    pub(super) fn outer_column(&self, in_loop: usize, column: &LoopColumn) -> LoopColumn {
        let rounds = self.loops[in_loop].rounds;
        let shape = ListShape::rows(rounds, column[0].shape().clone());
        let list_of_rounds = |values: &[Value]| {
            let nodes = values.iter().flat_map(Value::nodes).cloned();
            Value::of_shape(nodes.collect(), &shape)
        };
        column.chunks(rounds).map(list_of_rounds).collect()
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

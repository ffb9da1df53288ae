//! Shapes of values: a number, a list of so many items, a list of lists.
//!
//! The numbers of a list stand in one array, however deep the list; its shape says which of them belong together. Lists
//! may be nested as deep as brackets, so nothing here recurses.

use std::fmt;
use std::rc::Rc;

use crate::report::plural;

/// Of a list with more levels only the first [`FIRST_LEVELS`] are told.
const MOST_LEVELS: usize = 6;
const FIRST_LEVELS: usize = 3;

/// How the numbers of a value belong together.
#[derive(Clone, Default)]
pub struct ListShape(Option<Rc<ListLayout>>);

/// The shape of a list.
struct ListLayout {
    /// How many items it has.
    count: usize,
    /// How many numbers it has in all.
    size: usize,
    /// How deep its brackets are nested.
    depth: usize,
    items: Items,
}

enum Items {
    /// All items have this shape.
    Alike(ListShape),
    /// The shape of each item, and the place of its first number.
    Mixed(Vec<(ListShape, usize)>),
}

impl ListShape {
    /// The shape of a number.
    pub const NUMBER: ListShape = ListShape(None);

    /// The shape of a list of `count` items of one shape.
    pub fn rows(count: usize, item: ListShape) -> ListShape {
        ListShape(Some(Rc::new(ListLayout {
            count,
            size: count * item.size(),
            depth: item.depth() + 1,
            items: Items::Alike(item),
        })))
    }

    /// The shape of a list of items with these shapes, of which there is at least one.
    pub fn list<'s>(items: impl Iterator<Item = &'s ListShape> + Clone) -> ListShape {
        let mut others = items.clone();
        let first = others.next().cloned().unwrap_or_default();
        let mut count = 1;
        if others.all(|item| {
            count += 1;
            *item == first
        }) {
            return ListShape::rows(count, first);
        }
        let mut size = 0;
        let mut depth = 0;
        let place = |item: &ListShape| {
            let start = size;
            size += item.size();
            depth = depth.max(item.depth());
            (item.clone(), start)
        };
        let items: Vec<(ListShape, usize)> = items.map(place).collect();
        ListShape(Some(Rc::new(ListLayout {
            count: items.len(),
            size,
            depth: depth + 1,
            items: Items::Mixed(items),
        })))
    }

    /// Whether it is the shape of a number.
    pub fn is_number(&self) -> bool {
        self.0.is_none()
    }

    /// How many items a list has; none for a number.
    pub fn count(&self) -> Option<usize> {
        self.0.as_ref().map(|layout| layout.count)
    }

    /// How many numbers there are in all.
    pub fn size(&self) -> usize {
        self.0.as_ref().map_or(1, |layout| layout.size)
    }

    /// How deep lists are nested: 0 for a number, 1 for a list of numbers.
    pub fn depth(&self) -> usize {
        self.0.as_ref().map_or(0, |layout| layout.depth)
    }

    /// The shape of an item of a list, counted from 0, and the place of its first number.
    pub fn item(&self, at: usize) -> Option<(ListShape, usize)> {
        let layout = self.0.as_ref().filter(|layout| at < layout.count)?;
        Some(match &layout.items {
            Items::Alike(item) => (item.clone(), at * item.size()),
            Items::Mixed(items) => items[at].clone(),
        })
    }

    /// The shape that all items have, if they have one.
    pub fn row(&self) -> Option<&ListShape> {
        match &self.0.as_ref()?.items {
            Items::Alike(item) => Some(item),
            Items::Mixed(_) => None,
        }
    }

    /// The lengths on each level, if the list is regular at all levels: `[16, 2]` for 16 rows of 2 numbers.
    pub fn lengths(&self) -> Option<Vec<usize>> {
        let mut lengths = Vec::new();
        let mut shape = self;
        while let Some(layout) = &shape.0 {
            lengths.push(layout.count);
            shape = shape.row()?;
        }
        Some(lengths)
    }

    /// `16 × 2` for 16 rows of 2 numbers; for lists of different lengths `4 items, 16 numbers`. Of many levels the first
    /// few are told: `1 × 1 × 1 × … (9990 deep)`.
    pub fn to_short(&self) -> String {
        let Some(lengths) = self.lengths() else {
            let items = plural(self.count().unwrap_or(0), "item");
            return format!("{items}, {}", plural(self.size(), "number"));
        };
        let told = told_levels(lengths.len());
        let mut short: Vec<String> = lengths[..told].iter().map(ToString::to_string).collect();
        if told < lengths.len() {
            short.push(format!("… ({} deep)", lengths.len()));
        }
        short.join(" × ")
    }

    /// The positions, counted from 0, that lead to the number at `place`: 1, 0 for the first number of the second row.
    pub fn path(&self, mut place: usize) -> Vec<usize> {
        let mut path = Vec::new();
        let mut shape = self;
        while let Some(layout) = &shape.0 {
            let (at, start) = match &layout.items {
                Items::Alike(item) => {
                    shape = item;
                    let at = place / shape.size();
                    (at, at * shape.size())
                }
                Items::Mixed(items) => {
                    let at = items.partition_point(|(_, start)| *start <= place) - 1;
                    shape = &items[at].0;
                    (at, items[at].1)
                }
            };
            path.push(at);
            place -= start;
        }
        path
    }
}

impl PartialEq for ListShape {
    fn eq(&self, other: &ListShape) -> bool {
        if self.is_number() || other.is_number() {
            return self.is_number() && other.is_number();
        }
        let mut waiting = vec![(self, other)];
        while let Some((one, other)) = waiting.pop() {
            let (one, other) = match (&one.0, &other.0) {
                (None, None) => continue,
                (Some(one), Some(other)) => (one, other),
                _ => return false,
            };
            if Rc::ptr_eq(one, other) {
                continue;
            }
            if one.count != other.count || one.size != other.size || one.depth != other.depth {
                return false;
            }
            match (&one.items, &other.items) {
                (Items::Alike(one), Items::Alike(other)) => waiting.push((one, other)),
                (Items::Mixed(one), Items::Mixed(other)) => {
                    waiting.extend(one.iter().zip(other).map(|(one, other)| (&one.0, &other.0)));
                }
                _ => return false,
            }
        }
        true
    }
}

impl Drop for ListLayout {
    /// Drops nested shapes in a loop.
    fn drop(&mut self) {
        let mut waiting = Vec::new();
        self.items.release(&mut waiting);
        while let Some(shape) = waiting.pop() {
            if let Some(mut layout) = shape.0.and_then(Rc::into_inner) {
                layout.items.release(&mut waiting);
            }
        }
    }
}

impl Items {
    /// Moves nested shapes out.
    fn release(&mut self, waiting: &mut Vec<ListShape>) {
        match std::mem::replace(self, Items::Alike(ListShape::NUMBER)) {
            Items::Alike(ListShape(None)) => {}
            Items::Alike(item) => waiting.push(item),
            Items::Mixed(items) => waiting.extend(items.into_iter().map(|(item, _)| item)),
        }
    }
}

/// How many of a list's levels are told: all of them, or the first few of many.
fn told_levels(levels: usize) -> usize {
    if levels > MOST_LEVELS {
        FIRST_LEVELS
    } else {
        levels
    }
}

impl fmt::Display for ListShape {
    /// `a number`, `a list of 3`, `a list of 2 lists of 3`, `a list of 3, numbers and lists`
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Some(layout) = &self.0 else {
            return f.write_str("a number");
        };
        write!(f, "a list of {}", layout.count)?;
        if let Items::Mixed(items) = &layout.items {
            let numbers = items.iter().any(|(item, _)| item.is_number());
            return f.write_str(if numbers {
                ", numbers and lists"
            } else {
                " lists of different shapes"
            });
        }
        let told = told_levels(layout.depth);
        let mut shape = self;
        let mut levels = 1;
        while let Some(item) = shape.row().filter(|item| !item.is_number()) {
            if levels == told {
                return write!(f, " … ({} deep)", layout.depth);
            }
            levels += 1;
            match item.count() {
                Some(count) if item.row().is_some() => write!(f, " lists of {count}")?,
                _ => return f.write_str(" lists"),
            }
            shape = item;
        }
        Ok(())
    }
}

impl fmt::Debug for ListShape {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_has_a_path() {
        let table = ListShape::rows(2, ListShape::rows(3, ListShape::NUMBER));
        assert_eq!((table.size(), table.depth()), (6, 2));
        assert_eq!(table.path(4), [1, 1]);
        assert_eq!(table.lengths(), Some(vec![2, 3]));
        let pair = ListShape::rows(2, ListShape::NUMBER);
        let neuron = ListShape::list([&pair, &ListShape::NUMBER].into_iter());
        assert_eq!((neuron.size(), neuron.lengths()), (3, None));
        assert_eq!(neuron.path(1), [0, 1]);
        assert_eq!(neuron.path(2), [1]);
        let layer = ListShape::list([&neuron, &neuron].into_iter());
        assert_eq!(layer.path(5), [1, 1]);
        assert_eq!(layer.item(1), Some((neuron, 3)));
    }

    #[test]
    fn shapes_alike_are_equal() {
        let pair = || {
            let two = ListShape::rows(2, ListShape::NUMBER);
            ListShape::list([&two, &ListShape::NUMBER].into_iter())
        };
        assert_eq!(pair(), pair());
        let four = ListShape::rows(4, ListShape::NUMBER);
        assert_ne!(
            ListShape::rows(2, ListShape::rows(2, ListShape::NUMBER)),
            four
        );
        assert_eq!(ListShape::list([ListShape::NUMBER; 4].iter()), four);
        assert_eq!(four.to_string(), "a list of 4");
        assert_eq!(
            ListShape::rows(2, four).to_string(),
            "a list of 2 lists of 4"
        );
    }

    #[test]
    fn deep_shapes_are_compared_and_dropped_in_a_loop() {
        let deep = || {
            (0..1_000_000).fold(ListShape::NUMBER, |shape, _| {
                ListShape::list([&shape, &ListShape::NUMBER].into_iter())
            })
        };
        assert!(deep() == deep());
    }
}

//! Shapes of values: a number, a list of some length, a list of lists.
//!
//! The numbers of a list are in one array, even if the list is deep. Its shape says which of them belong together.

use std::fmt;
use std::rc::Rc;

use chainrule_report::{count_text, plural};

/// The shape of a value. A number has no layout.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ListShape(Option<Rc<ListLayout>>);

/// The shape of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
struct ListLayout {
    /// The number of its items.
    count: usize,
    /// The number of its numbers, at all depths.
    size: usize,
    /// The depth of its brackets.
    depth: usize,
    items: Items,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Items {
    /// All items have this shape.
    Alike(ListShape),
    /// The shape of each item, and the place of its first number.
    Mixed(Vec<(ListShape, usize)>),
}

impl ListShape {
    /// The shape of a number.
    pub const NUMBER: ListShape = ListShape(None);

    /// The shape of a list of `count` items of one shape. All empty lists have the same shape.
    pub fn rows(count: usize, item: ListShape) -> ListShape {
        let item = if count == 0 { ListShape::NUMBER } else { item };
        ListShape(Some(Rc::new(ListLayout {
            count,
            size: count * item.size(),
            depth: item.depth() + 1,
            items: Items::Alike(item),
        })))
    }

    /// The shape of a list of items with these shapes.
    pub fn list<'s>(items: impl Iterator<Item = &'s ListShape>) -> ListShape {
        let mut shape = ListShape::rows(0, ListShape::NUMBER);
        items.for_each(|item| shape.push(item));
        shape
    }

    /// Adds an item at the end. The shape must be that of a list.
    pub fn push(&mut self, item: &ListShape) {
        let shared = self.0.as_mut().expect("only a list grows");
        let layout = Rc::make_mut(shared);
        let place = layout.size;
        match &mut layout.items {
            Items::Alike(row) if layout.count == 0 => row.clone_from(item),
            Items::Alike(row) if row == item => {}
            Items::Alike(row) => {
                let rows = (0..layout.count).map(|at| (row.clone(), at * row.size()));
                layout.items = Items::Mixed(rows.chain([(item.clone(), place)]).collect());
            }
            Items::Mixed(items) => items.push((item.clone(), place)),
        }
        layout.count += 1;
        layout.size += item.size();
        layout.depth = layout.depth.max(item.depth() + 1);
    }

    /// Whether it is the shape of a number.
    pub fn is_number(&self) -> bool {
        self.0.is_none()
    }

    /// The number of items of a list; `None` for a number.
    pub fn count(&self) -> Option<usize> {
        self.0.as_ref().map(|layout| layout.count)
    }

    /// The number of numbers, at all depths.
    pub fn size(&self) -> usize {
        self.0.as_ref().map_or(1, |layout| layout.size)
    }

    /// The depth of nested lists: 0 for a number, 1 for a list of numbers.
    pub fn depth(&self) -> usize {
        self.0.as_ref().map_or(0, |layout| layout.depth)
    }

    /// The place of a position. A negative position counts from the end. `None` before the beginning.
    pub(crate) fn place_of(&self, position: f64) -> Option<usize> {
        let end = self.count().unwrap_or(0) as f64;
        let start = if position < 0.0 { end } else { 0.0 };
        let place = start + position;
        (place >= 0.0).then_some(place as usize)
    }

    /// The shape of an item of a list, counted from 0, and the place of its first number.
    pub fn item(&self, at: usize) -> Option<(ListShape, usize)> {
        let layout = self.0.as_ref().filter(|layout| at < layout.count)?;
        Some(match &layout.items {
            Items::Alike(item) => (item.clone(), at * item.size()),
            Items::Mixed(items) => items[at].clone(),
        })
    }

    /// The shape of all items, if they have the same.
    pub fn row(&self) -> Option<&ListShape> {
        match &self.0.as_ref()?.items {
            Items::Alike(item) => Some(item),
            Items::Mixed(_) => None,
        }
    }

    /// Whether it is the shape of a list whose only item has this shape, or of a list around one.
    pub(crate) fn is_around_one(&self, item: &ListShape) -> bool {
        let mut shape = self;
        while let Some(row) = shape.row().filter(|_| shape.count() == Some(1)) {
            if row == item {
                return true;
            }
            shape = row;
        }
        false
    }

    /// Whether a list is regular at all levels, and so has [`ListShape::lengths`].
    pub fn is_regular(&self) -> bool {
        let mut shape = self;
        while shape.0.is_some() {
            let Some(row) = shape.row() else { return false };
            shape = row;
        }
        true
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

    /// `16 × 2` for 16 rows of 2 numbers; for lists of different lengths `4 items, 16 numbers`.
    pub fn to_short(&self) -> String {
        let Some(lengths) = self.lengths() else {
            let items = plural(self.count().unwrap_or(0), "item");
            return format!("{items}, {}", plural(self.size(), "number"));
        };
        let texts: Vec<String> = lengths.iter().map(ToString::to_string).collect();
        texts.join(" × ")
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

impl fmt::Display for ListShape {
    /// `a number`, `a list of 3`, `a list of 2 lists of 3`, `a list of 3, numbers and lists`
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Some(layout) = &self.0 else {
            return f.write_str("a number");
        };
        if layout.count == 0 {
            return f.write_str("an empty list");
        }
        write!(f, "a list of {}", count_text(layout.count))?;
        if let Items::Mixed(items) = &layout.items {
            let numbers = items.iter().any(|(item, _)| item.is_number());
            return f.write_str(if numbers {
                ", numbers and lists"
            } else {
                " lists of different shapes"
            });
        }
        let mut shape = self;
        while let Some(item) = shape.row().filter(|item| !item.is_number()) {
            match item.count() {
                Some(count) if item.row().is_some() => {
                    write!(f, " lists of {}", count_text(count))?;
                }
                _ => return f.write_str(" lists"),
            }
            shape = item;
        }
        Ok(())
    }
}

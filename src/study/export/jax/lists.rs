//! Parameters and data as they were named: a list is an array of its shape, a number by itself a scalar.
//!
//! Free leaves are parameters, frozen ones data. What functions are mapped over is picked from these arrays.

use std::fmt::Write as _;
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::scope::{Array, HowMade, ItemId, Scope};
use crate::graph::Node;
use crate::ops::Dialect;
use crate::session::Session;
use crate::study::export::files::listed;
use crate::study::export::identifiers::Identifiers;
use crate::study::export::program::called;

/// An array or a number.
#[derive(Debug)]
pub(super) struct NamedArray {
    /// The user's name.
    pub name: String,
    /// The variable of the program.
    pub variable: String,
    pub shape: Vec<usize>,
    pub numbers: Vec<f64>,
    pub is_free: bool,
}

/// All of them.
#[derive(Debug)]
pub(super) struct Lists {
    pub arrays: Vec<NamedArray>,
    places: FxHashMap<ItemId, (usize, usize)>,
    identifiers: Identifiers,
    /// The data that the largest mapped function goes over, and how many there are.
    batch: (usize, Vec<usize>),
}

/// `W` and 1, 2 of `W[1][2]`.
fn taken_apart(name: &str) -> (&str, Vec<usize>) {
    let (list, positions) = name.split_at(name.find('[').unwrap_or(name.len()));
    let positions = positions.split(['[', ']']);
    (list, positions.filter_map(|at| at.parse().ok()).collect())
}

impl Lists {
    /// The leaves of the graph.
    pub(super) fn of(session: &Session, scope: &Scope) -> Lists {
        type LeafItems = Vec<(Vec<usize>, ItemId, Rc<Node>)>;
        let mut found: Vec<(String, bool, LeafItems)> = Vec::new();
        let mut known: FxHashMap<(String, bool), usize> = FxHashMap::default();
        let mut leaves: Vec<(ItemId, &Rc<Node>)> = (0..)
            .zip(&scope.items)
            .filter(|(_, item)| matches!(item.kind, HowMade::Hole))
            .map(|(place, item)| (place, &item.node))
            .collect();
        leaves.sort_unstable_by_key(|(_, node)| node.id());
        for (place, node) in leaves {
            let name = called(session, node);
            let (list, positions) = taken_apart(&name);
            let key = (list.to_string(), node.is_free());
            let at = *known.entry(key.clone()).or_insert(found.len());
            if at == found.len() {
                found.push((key.0, key.1, Vec::new()));
            }
            found[at].2.push((positions, place, Rc::clone(node)));
        }
        let mut lists = Lists {
            arrays: Vec::new(),
            places: FxHashMap::default(),
            identifiers: Identifiers::except(Dialect::Jax.reserved()),
            batch: (0, Vec::new()),
        };
        for (name, is_free, mut items) in found {
            items.sort_by(|one, other| one.0.cmp(&other.0));
            let shape = shape(items.iter().map(|(positions, ..)| positions.as_slice()));
            // Of data that are used in part, the part is a list; parameters keep their positions.
            let shape = shape.or_else(|| (!is_free).then(|| vec![items.len()]));
            if let Some(shape) = shape {
                let numbers = items.iter().map(|(.., node)| node.data()).collect();
                let list = lists.push(name, shape, numbers, is_free);
                for (at, (_, place, _)) in items.into_iter().enumerate() {
                    lists.places.insert(place, (list, at));
                }
                continue;
            }
            for (_, place, node) in items {
                let name = called(session, &node);
                let list = lists.push(name, Vec::new(), vec![node.data()], is_free);
                lists.places.insert(place, (list, 0));
            }
        }
        lists
    }

    fn push(&mut self, name: String, shape: Vec<usize>, numbers: Vec<f64>, is_free: bool) -> usize {
        self.arrays.push(NamedArray {
            variable: self.identifiers.of(&name),
            name,
            shape,
            numbers,
            is_free,
        });
        self.arrays.len() - 1
    }

    /// Their variables.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.arrays.iter().map(|list| list.variable.as_str())
    }

    /// The list of a leaf, and its place there.
    pub(super) fn place(&self, leaf: ItemId) -> (usize, usize) {
        self.places.get(&leaf).copied().unwrap_or_default()
    }

    /// An array of items of a list.
    pub(super) fn gathered(&self, list: usize, shape: &[usize], places: &[usize]) -> String {
        let NamedArray {
            variable,
            shape: all,
            ..
        } = &self.arrays[list];
        picked(variable, variable, all, shape, places)
    }

    /// An array of constants: a short one as it is, a long one among the data.
    pub(super) fn numbers(
        &mut self,
        identifiers: &mut Identifiers,
        shape: &[usize],
        numbers: Vec<f64>,
    ) -> String {
        const SHORT: usize = 8;
        let text = literal(shape, &numbers, 8);
        if numbers.len() <= SHORT || !text.starts_with("jnp.array") {
            return text;
        }
        let variable = identifiers.of("numbers");
        self.arrays.push(NamedArray {
            name: variable.clone(),
            variable: variable.clone(),
            shape: shape.to_vec(),
            numbers,
            is_free: false,
        });
        variable
    }

    /// Remembers the data that the largest mapped function goes over.
    pub(super) fn batch<'a>(&mut self, count: usize, arrays: impl Iterator<Item = &'a Array>) {
        if count <= self.batch.0 {
            return;
        }
        let items = arrays.flat_map(|array| &array.items);
        let lists: FxHashSet<usize> = items
            .filter_map(|item| self.places.get(item))
            .map(|&(list, _)| list)
            .filter(|&list| {
                !self.arrays[list].is_free && self.arrays[list].shape.first() == Some(&count)
            })
            .collect();
        if !lists.is_empty() {
            let mut lists: Vec<usize> = lists.into_iter().collect();
            lists.sort_unstable();
            self.batch = (count, lists);
        }
    }

    /// The names of these data.
    pub(super) fn batched(&self) -> Vec<&str> {
        let lists = self.batch.1.iter();
        lists.map(|&list| self.arrays[list].name.as_str()).collect()
    }
}

/// The shape of a list of which these positions are there, sorted, if none is missing.
fn shape<'p>(positions: impl Iterator<Item = &'p [usize]> + Clone) -> Option<Vec<usize>> {
    let last = positions.clone().last()?.to_vec();
    let mut expected = vec![1; last.len()];
    for found in positions {
        if found != expected {
            return None;
        }
        // Counts on, the last position first.
        for at in (0..last.len()).rev() {
            expected[at] += 1;
            if expected[at] <= last[at] {
                break;
            }
            expected[at] = 1;
        }
    }
    // After the last one every position begins again.
    (expected.iter().all(|&at| at == 1)).then_some(last)
}

/// An array as a text.
pub(super) fn literal(shape: &[usize], numbers: &[f64], indent: usize) -> String {
    let text = |&number: &f64| bare(number);
    let [first, ..] = numbers else {
        return "jnp.array([])".to_string();
    };
    let sizes: Vec<String> = shape.iter().map(usize::to_string).collect();
    if shape.is_empty() {
        return bare(*first);
    }
    if numbers.len() > 2
        && numbers
            .iter()
            .all(|number| number.to_bits() == first.to_bits())
    {
        let comma = if sizes.len() == 1 { "," } else { "" };
        let shape = format!("({}{comma})", sizes.join(", "));
        return if first.to_bits() == 0 {
            format!("jnp.zeros({shape})")
        } else {
            format!("jnp.full({shape}, {})", bare(*first))
        };
    }
    if shape.len() == 1
        && numbers
            .iter()
            .zip(0..)
            .all(|(number, at)| *number == f64::from(at))
    {
        return format!("jnp.arange({})", bare(numbers.len() as f64));
    }
    let mut items: Vec<String> = numbers.iter().map(text).collect();
    for &size in shape.iter().rev() {
        let inner = indent + 4 * usize::from(size < items.len());
        let groups = items.chunks(size);
        items = groups
            .map(|group| listed(group, ["[", "]"], inner))
            .collect();
    }
    format!("jnp.array({})", items.concat())
}

/// A number without brackets.
fn bare(number: f64) -> String {
    Dialect::Jax
        .literal(number)
        .trim_matches(['(', ')'])
        .to_string()
}

/// An array of items of a variable, by their places in it.
pub(super) fn picked(
    name: &str,
    bare: &str,
    all: &[usize],
    shape: &[usize],
    places: &[usize],
) -> String {
    let count: usize = all.iter().product();
    let (first, size) = (places[0], places.len());
    let is_run = places.iter().zip(first..).all(|(&place, at)| place == at);
    let sizes = |shape: &[usize]| -> String {
        let sizes: Vec<String> = shape.iter().map(usize::to_string).collect();
        sizes.join(", ")
    };
    if shape == all && is_run {
        return bare.to_string();
    }
    if shape.is_empty() {
        let mut text = String::new();
        let (mut rest, mut left) = (first, count);
        for &length in all {
            left /= length;
            let comma = if text.is_empty() { "" } else { ", " };
            // Writing into a string cannot fail.
            let _ = write!(text, "{comma}{}", rest / left);
            rest %= left;
        }
        return format!("{name}[{text}]");
    }
    let slice = |from: usize, to: usize, end: usize| {
        let from = if from == 0 {
            String::new()
        } else {
            from.to_string()
        };
        let to = if to == end {
            String::new()
        } else {
            to.to_string()
        };
        format!("[{from}:{to}]")
    };
    let is_back = places.iter().rev().zip(0..).all(|(&place, at)| place == at);
    if is_back && all == shape && all.len() == 1 {
        return format!("{name}[::-1]");
    }
    if let [rows, columns] = *all {
        if is_run && shape == [columns] && first % columns == 0 {
            return format!("{name}[{}]", first / columns);
        }
        let is_column = places
            .iter()
            .enumerate()
            .all(|(at, &place)| place == first + at * columns);
        if is_column && shape == [rows] {
            return format!("{name}[:, {first}]");
        }
        if is_run && shape.len() == 2 && shape[1] == columns && first % columns == 0 {
            let row = first / columns;
            return format!("{name}{}", slice(row, row + shape[0], rows));
        }
        let is_turned = places
            .iter()
            .enumerate()
            .all(|(at, &place)| place == at % rows * columns + at / rows);
        if is_turned && shape == [columns, rows] {
            return format!("{name}.T");
        }
    }
    let flat = if all.len() == 1 {
        name.to_string()
    } else {
        format!("{name}.ravel()")
    };
    if is_run {
        let part = if size == count {
            String::new()
        } else {
            slice(first, first + size, count)
        };
        let shaped = match shape {
            [_] => String::new(),
            _ => format!(".reshape({})", sizes(shape)),
        };
        return format!("{flat}{part}{shaped}");
    }
    let mut items: Vec<String> = places.iter().map(usize::to_string).collect();
    for &size in shape.iter().rev() {
        items = items
            .chunks(size)
            .map(|group| listed(group, ["[", "]"], 8))
            .collect();
    }
    format!("{flat}[jnp.array({})]", items.concat())
}

//! Finds the names of lists and of parts of lists in labels: `W`, `W[2]`, `w[2..3]`, `flat(W)`.

use std::rc::Rc;

use crate::session::naming::{Names, NodeName};
use crate::session::values::ListShape;
use chainrule_engine::graph::Node;

/// The name of the list, or of the part of a list, that consists of these nodes in this shape.
pub(crate) fn list_name(names: &Names, nodes: &[Rc<Node>], shape: &ListShape) -> Option<String> {
    let mut lists = names.list_names_with(nodes.first()?);
    lists.find_map(|list| name_in_list(names, list, nodes, shape))
}

/// The name of the part of a list that consists of these nodes in this shape, if it can be typed.
fn name_in_list(
    names: &Names,
    list: NodeName,
    nodes: &[Rc<Node>],
    shape: &ListShape,
) -> Option<String> {
    let place = list.place?;
    let first = place as usize;
    // Usually the list and its name share the nodes in memory. Then the items need not be compared.
    let value = names.value(list.name).filter(|_| list.loss == 0);
    let part = value.and_then(|it| it.nodes().get(first..));
    let is_shared = part.is_some_and(|it| std::ptr::eq(it.as_ptr(), nodes.as_ptr()));
    let mut places = nodes.iter().zip(place..);
    if !is_shared && !places.all(|(node, at)| names.is_at(list, at, node)) {
        return None;
    }
    let typed = part_name(&names.name_without_place(list), list.shape, first, shape)?;
    // Items of a former list may be gone. Then a range of its other items cannot be typed, as `w@1[2..3]`.
    let is_range = typed.contains("..");
    let has_all_items = list.loss == 0 || nodes.len() == list.shape.size();
    (has_all_items || !is_range).then_some(typed)
}

/// The text of the part of a list that begins at the number `place` and has the shape `part`: `W`, `W[2]`, `w[2..3]`,
/// `flat(W)`.
///
/// Steps into the item around the number `place`, again and again, until that item is the part, or a list of numbers
/// that has the part as a range. Example: in a table `W` with rows of three numbers, the numbers 4 and 5 are in `W[1]`,
/// which begins at the number 3, so they are its items 1 and 2: `W[1][1..2]`.
fn part_name(list: &str, whole: &ListShape, place: usize, part: &ListShape) -> Option<String> {
    let is_flat = part.depth() == 1;
    if is_flat && whole.depth() > 1 && part.size() == whole.size() {
        return Some(format!("flat({list})"));
    }
    let mut name = list.to_string();
    let mut shape = whole.clone();
    // Where `shape` begins in the whole list: at most at `place`, because each step goes to the item around it.
    let mut begin = 0;
    while begin != place || shape != *part {
        let first = place - begin;
        if is_flat && shape.depth() == 1 {
            let last = first + part.size() - 1;
            return (last < shape.size()).then(|| format!("{name}[{first}..{last}]"));
        }
        // The path is empty if `shape` is a number. Then the list has no such part.
        let index = *shape.path(first).first()?;
        let (item, item_begin) = shape.item(index)?;
        shape = item;
        begin += item_begin;
        name = format!("{name}[{index}]");
    }
    Some(name)
}

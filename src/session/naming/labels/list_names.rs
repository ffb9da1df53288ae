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
    // A part of a former list can be typed only as an item, because other items may be gone.
    let is_whole = list.loss == 0 || nodes.len() == list.shape.size();
    (is_whole || !typed.contains("..")).then_some(typed)
}

/// The text of the part of a list that begins at the number `place` and has the shape `part`: `W`, `W[2]`, `w[2..3]`,
/// `flat(W)`.
///
/// Goes from the list to the item that holds the part, until only the part is left. The numbers 4 and 5 of a table of
/// rows of three numbers are in `W[1]`, which begins at 3, and there `W[1][1..2]`.
fn part_name(list: &str, whole: &ListShape, place: usize, part: &ListShape) -> Option<String> {
    let is_flat = part.depth() == 1 && part.row().is_some();
    if is_flat && whole.depth() > 1 && part.size() == whole.size() {
        return Some(format!("flat({list})"));
    }
    let mut name = list.to_string();
    let mut shape = whole.clone();
    let mut begin = 0;
    while begin != place || shape != *part {
        let inside = place - begin;
        if is_flat && shape.depth() == 1 {
            let last = inside + part.size() - 1;
            return (last < shape.size()).then(|| format!("{name}[{inside}..{last}]"));
        }
        let at = *shape.path(inside).first()?;
        let (item, item_begin) = shape.item(at)?;
        shape = item;
        begin += item_begin;
        name = format!("{name}[{at}]");
    }
    Some(name)
}

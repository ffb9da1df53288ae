//! Finds the text that one types for a list or for a part of one: `W`, `W[2]`, `w[2..3]`, `flat(W)`.

use std::rc::Rc;

use crate::session::naming::names::Names;
use crate::session::values::ListShape;
use chainrule_engine::graph::Node;

/// The name of the list that has these nodes in this shape, or the part of one.
pub(crate) fn list_name(names: &Names, nodes: &[Rc<Node>], shape: &ListShape) -> Option<String> {
    names.lists_with_item(nodes.first()?).find_map(|list| {
        let place = list.place?;
        let first = place as usize;
        // Most lists are shared, so that no item needs to be looked at.
        let is_shared = names.value(list.name).is_some_and(|value| {
            let at = value.nodes().get(first..);
            list.count == 0 && at.is_some_and(|at| std::ptr::eq(at.as_ptr(), nodes.as_ptr()))
        });
        let mut places = nodes.iter().zip(place..);
        if !is_shared && !places.all(|(node, place)| names.is_at(list, place, node)) {
            return None;
        }
        let typed = part_name(&names.name_without_place(list), list.shape, first, shape)?;
        // A part of a former list can be typed only as an item, because other items may be gone.
        let is_whole = list.count == 0 || nodes.len() == list.shape.size();
        (is_whole || !typed.contains("..")).then_some(typed)
    })
}

/// `W`, `W[2]`, `w[2..3]`, `flat(W)`: the part of a list that begins at the number `place` and has this shape.
fn part_name(list: &str, whole: &ListShape, place: usize, part: &ListShape) -> Option<String> {
    let is_flat = part.depth() == 1 && part.row().is_some();
    if is_flat && whole.depth() > 1 && part.size() == whole.size() {
        return Some(format!("flat({list})"));
    }
    let (mut name, mut shape, mut start) = (list.to_string(), whole.clone(), 0);
    while start != place || shape != *part {
        let inside = place - start;
        if is_flat && shape.depth() == 1 {
            let (first, last) = (inside, inside + part.size() - 1);
            return (last < shape.size()).then(|| format!("{name}[{first}..{last}]"));
        }
        let at = *shape.path(inside).first()?;
        let (item, begins) = shape.item(at)?;
        (shape, start) = (item, start + begins);
        name = format!("{name}[{at}]");
    }
    Some(name)
}

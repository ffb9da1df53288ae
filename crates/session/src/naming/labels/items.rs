//! The items of which labels consist: names, numbers, operations, and parts of lists.

use std::borrow::Cow;
use std::rc::Rc;

use crate::naming::Names;
use crate::naming::NodeName;
use chainrule_engine::graph::{Node, Spelling};
use chainrule_engine::ops::{Op, Shape};
use chainrule_language as language;
use chainrule_language::{Head, Item, ItemKind, Literal, Operator, precedence};
use chainrule_program::values::ListShape;

/// A list of at most this many items is shown item by item: about a line.
pub const FEW_ITEMS: usize = 8;

/// A node's name, former name, or name as a parameter, if it has one.
pub fn name(names: &Names, node: &Node) -> Option<String> {
    let naming = names.first_name_or_former(node);
    let text = naming.map(|it| names.node_name_text(it).into_owned());
    text.or_else(|| names.parameters.of(node).map(ToString::to_string))
}

/// A label in postfix order.
pub type Label<'n> = Vec<Item<Cow<'n, str>>>;

/// An item of a label.
pub type LabelItem<'n> = ItemKind<Cow<'n, str>>;

/// The item of a name, or of `…`.
pub fn name_item<'n>(name: impl Into<Cow<'n, str>>) -> LabelItem<'n> {
    ItemKind::Name(name.into())
}

/// The item of a number.
pub fn number_item<'n>(value: f64) -> LabelItem<'n> {
    let has_point = false;
    ItemKind::Number(Literal { value, has_point })
}

/// A call of a function.
pub(super) fn call_item<'n>(function: impl Into<Cow<'n, str>>, count: usize) -> LabelItem<'n> {
    ItemKind::Apply(Head::Function(function.into(), 0), count as u32)
}

/// An operation on the last `count` items. The products of a derivative, `chain`, are shown as products.
pub fn operation_item<'n>(op: &'static Op, count: usize) -> LabelItem<'n> {
    let operator: Option<&'static Operator> = match op.shape {
        _ if op.name == "chain" => precedence::infix_operator("*"),
        Shape::Infix => precedence::infix_operator(op.spelling),
        Shape::Prefix => Some(precedence::minus_sign()),
        Shape::Postfix => Some(precedence::factorial()),
        Shape::Call => None,
    };
    match operator {
        Some(known) => ItemKind::Apply(Head::Operator(known), count as u32),
        None => call_item(op.spelling, count),
    }
}

/// A leaf or constant without a name: `2`, `pi`, `(2 ± 0.1)`.
pub fn unnamed_item<'n>(names: &Names, node: &Rc<Node>) -> LabelItem<'n> {
    let (value, spelling) = (node.data(), node.spelling());
    if let Some(width) = names.uncertain.width(node) {
        let typed = [value, width].map(|number| language::literal(number, false));
        return name_item(format!("({} ± {})", typed[0], typed[1]));
    }
    let has_point = spelling == Some(Spelling::Point);
    match spelling {
        // A predefined constant is shown by its name, unless the user has bound that name.
        Some(Spelling::Named(name)) if names.find(name).is_none() => name_item(name),
        // A value that is not finite, such as that of `a.data`, is written as a name, which the language reads back.
        _ if !has_point && value == f64::INFINITY => name_item("inf"),
        _ if !has_point && value.is_nan() => name_item("nan"),
        _ => ItemKind::Number(Literal { value, has_point }),
    }
}

/// The name of the list, or of the part of a list, that consists of these nodes in this shape.
pub(crate) fn list_name(names: &Names, nodes: &[Rc<Node>], shape: &ListShape) -> Option<String> {
    let mut lists = names.list_names_with(nodes.first()?);
    lists.find_map(|list| name_in_list(names, list, nodes, shape))
}

/// The name of the part of a list that consists of these nodes in this shape.
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
    part_name(&names.name_without_place(list), list.shape, first, shape)
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

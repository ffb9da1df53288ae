//! The text of lists in a saved session: `[0.5, -1, 0.25]`, `[a, w[2], x*y]`, `flat([W, b])`.
//!
//! Nothing recurses, because lists are nested as deep as brackets may be.

use std::fmt::Write as _;

use super::called::Called;
use super::constant_calls::ConstantCalls;
use super::literals::number;
use super::save_order::{CallArgument, SaveOrder, Written};
use super::spelling::expression;
use crate::session::values::ListShape;
use crate::syntax;

/// Up to this depth a list in a list is looked for among the lists that are written already.
const PARTS_DEPTH: usize = 8;
/// A list of arguments with more numbers is not written.
const LONGEST_ARGUMENT: usize = 64;

/// Writes the brackets and numbers of a list. `number` writes the number at a place; `part` may write a list in it,
/// given its first place, its shape and its depth, and returns whether it did.
pub(super) fn write_list(
    text: &mut String,
    shape: &ListShape,
    mut number: impl FnMut(&mut String, usize),
    mut part: impl FnMut(&mut String, usize, &ListShape, usize) -> bool,
) {
    // The lists that are open: their shape, first place and next item.
    let mut open: Vec<(ListShape, usize, usize)> = Vec::new();
    let (mut shape, mut start) = (shape.clone(), 0);
    loop {
        if shape.is_number() {
            number(text, start);
        } else if !part(text, start, &shape, open.len()) {
            text.push('[');
            open.push((shape, start, 0));
        }
        loop {
            let Some((list, first, next)) = open.last_mut() else {
                return;
            };
            if let Some((item, place)) = list.item(*next) {
                if *next > 0 {
                    text.push_str(", ");
                }
                *next += 1;
                (shape, start) = (item, *first + place);
                break;
            }
            text.push(']');
            open.pop();
        }
    }
}

impl Called {
    /// The expression to which a list is bound, and whether it makes all its nodes anew as leaves.
    pub(crate) fn list_text(
        &self,
        outline: &SaveOrder,
        list: usize,
        calls: &mut ConstantCalls,
    ) -> (String, bool) {
        let saved = &outline.names.lists[list];
        let is_own = |at: usize| matches!(outline.home_place(at), Some((home, _)) if home == list);
        let is_new =
            |at: &Option<usize>| at.is_some_and(|at| is_own(at) && outline.nodes[at].is_leaf());
        let all_new = saved.items.iter().all(is_new);
        let mut text = String::new();
        if !all_new && self.flat_text(outline, list, &mut text) {
            return (text, false);
        }
        write_list(
            &mut text,
            &saved.shape,
            |text, place| match saved.items[place] {
                // Nothing uses it, and it is gone again with the name of the list.
                None => text.push('0'),
                Some(at) if is_own(at) && outline.nodes[at].is_leaf() => {
                    text.push_str(&number(outline.nodes[at].data()));
                }
                Some(at) => {
                    let mut items = Vec::new();
                    if is_own(at) {
                        expression(outline, self, at, calls, &mut items);
                    } else {
                        self.push(outline, at, &mut items);
                    }
                    syntax::write_infix(text, &items);
                }
            },
            |text, start, shape, depth| {
                if all_new || depth > PARTS_DEPTH {
                    return false;
                }
                let nodes = saved.items[start..start + shape.size()].iter().copied();
                let mut items = Vec::new();
                let is_part = self.push_part(outline, nodes, shape, Some(list), &mut items);
                syntax::write_infix(text, &items);
                is_part
            },
        );
        (text, all_new)
    }

    /// Writes a list of numbers as `flat([W, b[2..5]])`, if it consists of long parts of other lists.
    fn flat_text(&self, outline: &SaveOrder, list: usize, text: &mut String) -> bool {
        let saved = &outline.names.lists[list];
        if saved.shape.depth() != 1 || saved.items.len() < 4 {
            return false;
        }
        let mut parts: Vec<(usize, usize)> = Vec::new();
        let mut start = 0;
        while start < saved.items.len() {
            let home = saved.items[start].and_then(|at| outline.home_place(at));
            let Some((home, place)) = home.filter(|(home, _)| *home != list) else {
                return false;
            };
            let there = &outline.names.lists[home];
            let same = (saved.items[start..].iter().zip(&there.items[place..]))
                .take_while(|(one, other)| one == other)
                .count();
            // Of nested lists only whole ones have a short name.
            if there.shape.depth() > 1 && (place > 0 || same < there.items.len()) {
                return false;
            }
            parts.push((start, same));
            start += same;
        }
        if parts.len() < 2 || 2 * parts.len() > saved.items.len() {
            return false;
        }
        text.push_str("flat([");
        for (number, &(start, count)) in parts.iter().enumerate() {
            if number > 0 {
                text.push_str(", ");
            }
            let first = saved.items[start].and_then(|at| outline.home_place(at));
            let Some((home, place)) = first else { continue };
            let name = &self.lists[home];
            text.push_str(name);
            if count < outline.names.lists[home].items.len() {
                let _ = write!(text, "[{}..{}]", place + 1, place + count);
            }
        }
        text.push_str("])");
        true
    }

    /// The arguments of a call; none if one of them is a long list without a name.
    pub(crate) fn arguments(
        &self,
        outline: &SaveOrder,
        arguments: &[CallArgument],
    ) -> Option<String> {
        let one = |argument: &CallArgument| match argument {
            CallArgument::Node(at) => Some(self.text(outline, *at)),
            CallArgument::Constant(text) => Some(text.clone()),
            CallArgument::List(numbers, shape) => {
                let node = |argument: &CallArgument| match argument {
                    CallArgument::Node(at) => Some(*at),
                    _ => None,
                };
                let mut items = Vec::new();
                if self.push_part(outline, numbers.iter().map(node), shape, None, &mut items) {
                    return Some(syntax::infix(&items));
                }
                let mut text = String::new();
                write_list(
                    &mut text,
                    shape,
                    |text, place| match &numbers[place] {
                        CallArgument::Node(at) => text.push_str(&self.text(outline, *at)),
                        CallArgument::Constant(constant) => text.push_str(constant),
                        CallArgument::List(..) => {}
                    },
                    |_, _, _, _| false,
                );
                (numbers.len() <= LONGEST_ARGUMENT).then_some(text)
            }
        };
        let texts: Option<Vec<String>> = arguments.iter().map(one).collect();
        Some(texts?.join(", "))
    }

    /// Writes which of the leaves that a list makes are frozen, where they differ from the list.
    pub(crate) fn write_marks(
        &self,
        outline: &SaveOrder,
        list: usize,
        frozen: bool,
        text: &mut String,
    ) {
        let items = outline.names.lists[list].items.iter().flatten().copied();
        let differs = |at: &usize| {
            let node = outline.nodes[*at];
            outline.written[*at] == Written::Item
                && node.is_leaf()
                && node.is_frozen() != frozen
                && outline
                    .home_place(*at)
                    .is_some_and(|(home, _)| home == list)
        };
        let differing: Vec<usize> = items.filter(differs).collect();
        for some in differing.chunks(super::script::NAMES_A_LINE) {
            let names: Vec<String> = some.iter().map(|at| self.text(outline, *at)).collect();
            let command = if frozen { "thaw" } else { "freeze" };
            let _ = writeln!(text, ":{command} {};", names.join(" "));
        }
    }
}

//! Checks that `:solve`, `:fit`, `:minimize` and `:step` make before they move leaves, and the bounds of leaves that a
//! search must respect.

use super::leaf_texts::name_leaves;
use super::{MOST_FIT_DERIVATIVES, MOST_FITTED, depends_on_leaves};
use crate::command::args::Argument;
use crate::command::args::relations::Relation;
use crate::command::prelude::*;
use chainrule_language::{RelationSign, literal};

/// The index of a node among these leaves, which are in the order of their ids.
pub(crate) fn index_of(node: &Node, leaves: &[Rc<Node>]) -> Option<usize> {
    let found = leaves.binary_search_by_key(&node.id(), |leaf| leaf.id());
    found.ok()
}

/// Refuses a root without a free leaf below it.
pub(crate) fn check_free(session: &Session, root: &Rc<Node>, span: Span) -> Result<()> {
    let order = Order::below([root]);
    if order.nodes().iter().any(|node| node.is_free()) {
        return Ok(());
    }
    let frozen = name_leaves(session, order.nodes().iter().filter(|node| node.is_leaf()));
    let help = if frozen.is_empty() {
        "only a leaf can move, such as one of `NAME = 2`".to_string()
    } else {
        format!("`:thaw` frees a frozen leaf: {frozen}")
    };
    let label = session.label(root);
    let message = if root.is_leaf() {
        format!("`{label}` is frozen, and does not move")
    } else {
        format!("`{label}` has no free leaf to move")
    };
    Err(Diagnostic::new(message).at(span).help(help))
}

/// Returns those of the free leaves that a search moves: the leaves after `wrt`, or all without a typed `±`, which are data.
pub(crate) fn leaves_to_move(
    session: &mut Session,
    arguments: &Arguments,
    wrt: &Argument,
    free: Vec<Rc<Node>>,
) -> Result<Vec<Rc<Node>>> {
    if !arguments.has(wrt) {
        let is_datum = |leaf: &Rc<Node>| session.names().uncertain.is_typed(leaf);
        let (data, moved): (Vec<_>, Vec<_>) = free.into_iter().partition(is_datum);
        if !moved.is_empty() || data.is_empty() {
            return Ok(moved);
        }
        let label = session.label(&data[0]);
        let message = format!("`{label}` has a typed ±, so it is a datum and does not move");
        let help = format!("`… wrt {label}` moves it anyway");
        return Err(Diagnostic::new(message).at(arguments.name_span).help(help));
    }
    let mut chosen = arguments.nodes(session, wrt)?;
    for leaf in &chosen {
        check_free(session, leaf, arguments.place(wrt))?;
        if index_of(leaf, &free).is_none() {
            let message = format!("nothing here depends on `{}`", session.label(leaf));
            let help = format!(
                "leaves that can move: {}",
                name_leaves(session, free.iter())
            );
            return Err(Diagnostic::new(message).at(arguments.place(wrt)).help(help));
        }
    }
    // As everywhere, the leaves are in the order of their ids.
    chosen.sort_by_key(|leaf| leaf.id());
    Ok(chosen)
}

/// Refuses a search with too many leaves or with too many derivatives. `noun` is the word for what is compared.
pub(crate) fn check_size(leaves: usize, count: usize, noun: &str, search: &str) -> Result<()> {
    if leaves <= MOST_FITTED && leaves.saturating_mul(count) <= MOST_FIT_DERIVATIVES {
        return Ok(());
    }
    let (counted, named) = (plural(count, noun), plural(leaves, "leaf"));
    let message = format!("{counted} and {named} are too many for {search}");
    let (most, derivatives) = (
        plural(MOST_FITTED, "leaf"),
        count_text(MOST_FIT_DERIVATIVES),
    );
    Err(Diagnostic::new(message).help(format!(
        "at most {most}, and {derivatives} as {noun}s times leaves; `:minimize` has no such limit"
    )))
}

/// Refuses to move several lists if some may be data and the user has not typed `all`.
pub(crate) fn check_lists(
    session: &mut Session,
    arguments: &Arguments,
    all_argument: &Argument,
    target: &Rc<Node>,
    order: &Order,
) -> Result<()> {
    if arguments.has(all_argument) {
        session.let_all_move(target);
        return Ok(());
    }
    let lists = session.lists_in_doubt(target, &order.leaves(Node::is_leaf));
    if lists.is_empty() {
        return Ok(());
    }
    let named = backtick_list(&lists);
    let message = format!("nothing says which of these lists are data: {named}");
    let (all, command) = (lists.join(" "), arguments.statement.trim());
    let help = format!("`:freeze {all}` keeps data as they are; `{command} all` moves all of them");
    Err(Diagnostic::new(message).at(arguments.name_span).help(help))
}

/// Refuses a side that is not finite at the point where the search begins.
pub(crate) fn check_finite(session: &Session, side: &Rc<Node>, span: Span) -> Result<()> {
    if side.data().is_finite() {
        return Ok(());
    }
    let (label, number) = (session.label(side), literal(side.data(), false));
    let message = format!("`{label}` is {number} here, and the search cannot begin");
    let help = "begin where it is a number: `:set` a leaf, or write another number";
    Err(Diagnostic::new(message).at(span).help(help))
}

/// Refuses a relation that depends on none of these leaves, and a relation with a side that is not finite.
pub(crate) fn check_relations(
    session: &Session,
    relations: &[Relation],
    leaves: &[Rc<Node>],
) -> Result<()> {
    let all = relations.iter().flat_map(|it| [&it.left, &it.right]);
    let order = Order::below(all);
    let moves = depends_on_leaves(&order, |node| index_of(node, leaves).is_some());
    for relation in relations {
        let sides = [&relation.left, &relation.right];
        let mut places = sides.into_iter().filter_map(|side| order.slot(side));
        if !places.any(|place| moves[place]) {
            let names = name_leaves(session, leaves.iter());
            let message = format!("`{}` does not depend on {names}", relation.left_text);
            let help = "each relation needs one of the leaves that may change";
            return Err(Diagnostic::new(message).at(relation.left_span).help(help));
        }
        for side in sides {
            check_finite(session, side, relation.span)?;
        }
    }
    Ok(())
}

/// Reads relations as bounds, and returns the least and the greatest number of each leaf.
pub(crate) fn bounds(
    session: &Session,
    relations: &[Relation],
    leaves: &[Rc<Node>],
) -> Result<Vec<(f64, f64)>> {
    check_relations(session, relations, leaves)?;
    let mut bounds = vec![(f64::NEG_INFINITY, f64::INFINITY); leaves.len()];
    let sides = relations.iter().flat_map(|it| [&it.left, &it.right]);
    let order = Order::below(sides);
    let is_free = depends_on_leaves(&order, |leaf| leaf.is_free());
    // A bound that moves with free leaves would change during the search.
    let is_fixed = |side: &Rc<Node>| order.slot(side).is_none_or(|slot| !is_free[slot]);
    for relation in relations {
        let Relation { left, right, .. } = relation;
        let is_reversed = is_fixed(left);
        let (leaf, bound) = if is_reversed {
            (right, left)
        } else {
            (left, right)
        };
        let is_least = is_reversed != (relation.sign == RelationSign::AtLeast);
        let is_equation = relation.sign == RelationSign::Equal;
        let index = index_of(leaf, leaves).filter(|_| is_fixed(bound) && !is_equation);
        let (low, high) = &mut bounds[index.ok_or_else(|| bound_error(relation))?];
        if is_least {
            *low = low.max(bound.data());
        } else {
            *high = high.min(bound.data());
        }
        if low > high {
            return Err(bound_error(relation));
        }
    }
    Ok(bounds)
}

fn bound_error(relation: &Relation) -> Diagnostic {
    let message = format!("`{}` cannot be a bound", relation.text);
    let help = "a leaf that moves beside a number that leaves room for it, as in `… where LEAF >= 0`; `:freeze LEAF` keeps it as it is, and `:minimize` takes other constraints";
    Diagnostic::new(message).at(relation.span).help(help)
}

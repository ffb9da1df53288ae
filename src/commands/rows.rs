//! Table rows about nodes, for the commands that list nodes: which rows are shown, and the cells of a node.
//!
//! A cell says what it contains; the views decide how it looks.

use std::borrow::Cow;
use std::rc::Rc;

use crate::graph::Node;
use crate::report::{Cell, Fact, Line, name_list};
use crate::session::naming::atoms;
use crate::session::{Caption, Session};
use crate::stop;

/// The rows that a text table shows: named nodes first, in their order; others fill the rest.
pub(crate) fn chosen(session: &Session, nodes: &[Rc<Node>]) -> Vec<usize> {
    let most = session.table_rows();
    if nodes.len() <= most {
        return (0..nodes.len()).collect();
    }
    let named = |place: &usize| session.is_named(&nodes[*place]);
    let (named, unnamed): (Vec<usize>, Vec<usize>) = (0..nodes.len()).partition(named);
    let mut chosen: Vec<usize> = named.into_iter().chain(unnamed).take(most).collect();
    chosen.sort_unstable();
    chosen
}

/// How many rows are not shown, and what to type to see them.
pub(crate) fn omitted(session: &Session, all: usize) -> Option<(usize, String)> {
    let most = session.table_rows();
    (all > most).then(|| {
        (
            all - most,
            "`wrt` picks rows, --json writes all".to_string(),
        )
    })
}

/// The kind of a node: `leaf`, `frozen`, or its expression if its label is something else.
pub(crate) fn kind(node: &Node, caption: &Caption) -> Cell {
    leaf(node).unwrap_or_else(|| {
        if caption.more {
            Cell::Formula(caption.expression.clone())
        } else {
            Cell::Empty
        }
    })
}

/// `leaf` or `frozen`; `None` for a computed node.
pub(crate) fn leaf(node: &Node) -> Option<Cell> {
    let word = if node.is_frozen() { "frozen" } else { "leaf" };
    node.is_leaf().then(|| Cell::Dim(word.to_string()))
}

/// The data of a node, marked where the first NaN or infinity began.
pub(crate) fn data(node: &Rc<Node>, first: Option<&Rc<Node>>) -> Cell {
    if first.is_some_and(|first| Rc::ptr_eq(first, node)) {
        Cell::First(node.data())
    } else {
        Cell::Number(node.data())
    }
}

pub(crate) fn op(node: &Node) -> Cell {
    Cell::Text(node.op().map_or("", |op| op.spelling).to_string())
}

pub(crate) fn operands(node: &Node) -> Cell {
    Cell::Counts(
        node.operands()
            .iter()
            .map(|operand| u64::from(operand.id()))
            .collect(),
    )
}

/// All names of a node, if it has several or is shown by a label: these can be typed.
pub(crate) fn names(session: &Session, node: &Node) -> Cell {
    let mut names: Vec<String> = session.names().of(node).map(Cow::into_owned).collect();
    let labelled = session.names().labels.of(node).is_some();
    if labelled && names.is_empty() {
        let former = atoms::name(session.names(), node);
        names.push(former.unwrap_or_else(|| format!("@{}", node.id())));
    }
    if names.len() > 1 || labelled {
        Cell::Names(names)
    } else {
        Cell::Empty
    }
}

pub(crate) fn listed(session: &Session, nodes: &[Rc<Node>]) -> Fact {
    Fact::List(
        stop::asking(nodes.iter())
            .map(|node| Fact::Text(session.label(node)))
            .collect(),
    )
}

/// A list of labels with commas.
pub(crate) fn enumerated(session: &Session, nodes: &[Rc<Node>]) -> Line {
    name_list(stop::asking(nodes.iter()).map(|node| session.label(node)))
}

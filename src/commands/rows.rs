//! Rows about nodes, shared by the commands that list them: which rows a table shows, and what a node's cells are.

use std::rc::Rc;

use crate::graph::Node;
use crate::report::{Cell, Fact, Line, Piece};
use crate::session::{Labels, Session};

/// Which of so many rows a text table shows: named nodes first, in the order they come; the others fill the rest.
pub fn chosen(session: &Session, nodes: &[Rc<Node>]) -> Vec<usize> {
    let most = session.settings().table_rows;
    if nodes.len() <= most {
        return (0..nodes.len()).collect();
    }
    let named = |place: &usize| session.names().of(&nodes[*place]).next().is_some();
    let (named, unnamed): (Vec<usize>, Vec<usize>) = (0..nodes.len()).partition(named);
    let mut chosen: Vec<usize> = named.into_iter().chain(unnamed).take(most).collect();
    chosen.sort_unstable();
    chosen
}

/// What is said of the rows that are not shown.
pub fn omitted(session: &Session, all: usize) -> Option<(usize, String)> {
    let most = session.settings().table_rows;
    (all > most).then(|| {
        (
            all - most,
            "`wrt` picks rows, --json writes all".to_string(),
        )
    })
}

/// What a node is: `leaf`, `frozen`, or its expression where it has a name.
pub fn kind(session: &Session, node: &Rc<Node>) -> Cell {
    if node.is_frozen() {
        Cell::Dim("frozen".to_string())
    } else if node.is_leaf() {
        Cell::Dim("leaf".to_string())
    } else if session.is_named(node) {
        Cell::Formula(session.expression(node))
    } else {
        Cell::Empty
    }
}

/// The spelling of a node's operation; empty for a leaf.
pub fn op(node: &Node) -> Cell {
    Cell::Text(node.op().map_or("", |op| op.spelling).to_string())
}

/// The ids of a node's operands.
pub fn operands(node: &Node) -> Cell {
    Cell::Counts(
        node.operands()
            .iter()
            .map(|operand| u64::from(operand.id()))
            .collect(),
    )
}

/// All names of a node, where it has several.
pub fn names(session: &Session, node: &Node) -> Cell {
    let names: Vec<String> = session.names().of(node).map(ToString::to_string).collect();
    if names.len() > 1 {
        Cell::Names(names)
    } else {
        Cell::Empty
    }
}

/// Labels for the nodes of a table.
pub fn labels<'n>(session: &Session, nodes: impl Iterator<Item = &'n Rc<Node>>) -> Labels {
    Labels::of(session.names(), nodes)
}

/// A list of labels as a fact.
pub fn listed(session: &Session, nodes: &[Rc<Node>]) -> Fact {
    Fact::List(
        nodes
            .iter()
            .map(|node| Fact::Text(session.label(node)))
            .collect(),
    )
}

/// Labels with commas between.
pub fn enumerated(session: &Session, nodes: &[Rc<Node>]) -> Line {
    let mut line = Line::new();
    for (place, node) in nodes.iter().enumerate() {
        if place > 0 {
            line.push(Piece::plain(", "));
        }
        line.push(Piece::name(session.label(node)));
    }
    line
}

//! Table rows about nodes, for the commands that list nodes: which rows are shown, and the cells of a node.
//!
//! A cell says what it contains; the views decide how it looks.

use std::borrow::Cow;
use std::collections::HashSet;
use std::rc::Rc;

use crate::graph::Node;
use crate::report::{Cell, Fact, Line, name_list};
use crate::session::naming::atoms;
use crate::session::naming::folds::{Fold, folds};
use crate::session::{Caption, Session};
use crate::stop;

/// A row of a text table.
pub(crate) enum Row {
    /// A node: its place among the nodes of the table.
    Node(usize),
    /// The items of a long list.
    List(Box<Fold>),
}

impl Row {
    /// The place of its node among the nodes of the table; of a list that of its first item.
    pub(crate) fn place(&self) -> usize {
        match self {
            Row::Node(place) => *place,
            Row::List(fold) => fold.places[0],
        }
    }
}

/// All rows of these nodes in their order; the items of a long list are one row, except for programs.
pub(crate) fn all(session: &Session, nodes: &[Rc<Node>]) -> Vec<Row> {
    let mut rows = arranged(nodes.len(), folds_for(session, nodes));
    rows.sort_by_key(Row::place);
    rows
}

/// The lists that get a row each: none for programs, which want the nodes.
fn folds_for(session: &Session, nodes: &[Rc<Node>]) -> Vec<Fold> {
    if session.all_rows {
        return Vec::new();
    }
    folds(session.names(), nodes)
}

/// The rows of nodes and then those of lists.
fn arranged(count: usize, folds: Vec<Fold>) -> Vec<Row> {
    let mut folded = vec![false; if folds.is_empty() { 0 } else { count }];
    for &place in folds.iter().flat_map(|fold| &fold.places) {
        folded[place] = true;
    }
    let single = |place: &usize| !folded.get(*place).is_some_and(|folded| *folded);
    let mut rows: Vec<Row> = (0..count).filter(single).map(Row::Node).collect();
    rows.extend(folds.into_iter().map(|fold| Row::List(Box::new(fold))));
    rows
}

/// The rows that a text table shows, with their captions, and how many more there are.
pub(crate) struct Rows {
    shown: Vec<Row>,
    captions: std::vec::IntoIter<Caption>,
    /// How many rows are left out.
    pub(crate) left: usize,
}

impl Rows {
    /// The rows of these nodes: the items of a long list are one row. Names and lists come first, each in their order;
    /// others fill the rest. Programs get a row for each node.
    pub(crate) fn of(session: &Session, nodes: &[Rc<Node>]) -> Rows {
        Rows::with(session, nodes, folds_for(session, nodes))
    }

    /// The rows of nodes that the user has asked for: each has its own.
    pub(crate) fn each(session: &Session, nodes: &[Rc<Node>]) -> Rows {
        Rows::with(session, nodes, Vec::new())
    }

    fn with(session: &Session, nodes: &[Rc<Node>], folds: Vec<Fold>) -> Rows {
        let mut rows = arranged(nodes.len(), folds);
        let (all, most) = (rows.len(), session.table_rows());
        if all > most {
            let first = |row: &Row| match row {
                Row::Node(place) => session.is_named(&nodes[*place]),
                Row::List(_) => true,
            };
            let (named, unnamed): (Vec<Row>, Vec<Row>) = rows.into_iter().partition(first);
            rows = named.into_iter().chain(unnamed).take(most).collect();
        }
        rows.sort_by_key(Row::place);
        let shown: Vec<&Rc<Node>> = rows
            .iter()
            .filter_map(|row| match row {
                Row::Node(place) => Some(&nodes[*place]),
                Row::List(_) => None,
            })
            .collect();
        let captions = session.captions(shown.iter().copied()).into_iter();
        Rows {
            left: all - rows.len(),
            shown: rows,
            captions,
        }
    }

    /// The cells of each row: those of a node, or those of a list.
    pub(crate) fn cells(
        self,
        mut node: impl FnMut(usize, Caption) -> Vec<Cell>,
        list: impl Fn(&Fold) -> Vec<Cell>,
    ) -> Vec<Vec<Cell>> {
        let mut captions = self.captions;
        stop::asking(self.shown.iter())
            .filter_map(|row| match row {
                Row::Node(place) => Some(node(*place, captions.next()?)),
                Row::List(fold) => Some(list(fold)),
            })
            .collect()
    }

    /// How many rows are not shown, and what to type to see them.
    pub(crate) fn omitted(&self) -> Option<(usize, String)> {
        let typed = || "`wrt` picks rows, --json writes all".to_string();
        (self.left > 0).then(|| (self.left, typed()))
    }
}

/// The name of a list in its row.
pub(crate) fn list_name(fold: &Fold) -> Cell {
    if fold.named {
        Cell::Name(fold.label.clone())
    } else {
        Cell::Formula(fold.label.clone())
    }
}

/// The shape of a list, in the column of kinds and expressions.
pub(crate) fn shape(fold: &Fold) -> Cell {
    Cell::Dim(fold.shape.clone())
}

/// The range of the data of a list, or the first NaN or infinity if it began there.
pub(crate) fn data_range(items: &[&Rc<Node>], first: Option<&Rc<Node>>) -> Cell {
    let began = first.filter(|first| items.iter().any(|item| Rc::ptr_eq(item, first)));
    match began {
        Some(first) => Cell::First(first.data()),
        None => Cell::range(items.iter().map(|item| item.data())),
    }
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

/// A list of labels with commas. Of a long list it has the name and the shape: `W1 (16 × 2)`.
pub(crate) fn enumerated(session: &Session, nodes: &[Rc<Node>]) -> Line {
    let mut folds = folds(session.names(), nodes).into_iter().peekable();
    let mut folded: HashSet<usize> = HashSet::new();
    let mut labels = Vec::new();
    for (place, node) in stop::asking(nodes.iter().enumerate()) {
        if let Some(fold) = folds.next_if(|fold| fold.places[0] == place) {
            labels.push(format!("{} ({})", fold.label, fold.shape));
            folded.extend(fold.places);
        }
        if !folded.contains(&place) {
            labels.push(session.label(node));
        }
    }
    name_list(labels)
}

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
use crate::session::naming::{Names, Uncertainty};
use crate::session::{Caption, Captions, Session, SharedNames};
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

/// The rows that a text table shows, and how many more there are.
pub(crate) struct Rows {
    pub(crate) names: SharedNames,
    captions: Captions,
    /// How many rows are shown.
    pub(crate) count: usize,
    /// Which ones; none if each node has its row.
    chosen: Option<Vec<Row>>,
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
        let most = session.table_rows();
        let mut rows = Rows {
            names: session.names().clone(),
            captions: Captions::default(),
            count: nodes.len(),
            chosen: None,
            left: 0,
        };
        if !folds.is_empty() || nodes.len() > most {
            let mut chosen = arranged(nodes.len(), folds);
            rows.count = chosen.len().min(most);
            rows.left = chosen.len() - rows.count;
            if rows.left > 0 {
                let first = |row: &Row| match row {
                    Row::Node(place) => session.is_named(&nodes[*place]),
                    Row::List(_) => true,
                };
                let (named, unnamed): (Vec<Row>, Vec<Row>) = chosen.into_iter().partition(first);
                chosen = named.into_iter().chain(unnamed).take(most).collect();
            }
            chosen.sort_by_key(Row::place);
            rows.chosen = Some(chosen);
        }
        rows.captions = Captions::of(&rows.names, rows.nodes(nodes));
        rows
    }

    /// The place of the node of a row, or the list.
    fn row(&self, at: usize) -> Result<usize, &Fold> {
        match self.chosen.as_ref().map(|rows| &rows[at]) {
            None => Ok(at),
            Some(Row::Node(place)) => Ok(*place),
            Some(Row::List(fold)) => Err(fold),
        }
    }

    /// Those of the nodes that have rows of their own.
    pub(crate) fn nodes<'n>(&self, nodes: &'n [Rc<Node>]) -> impl Iterator<Item = &'n Rc<Node>> {
        (0..self.count).filter_map(|at| Some(&nodes[self.row(at).ok()?]))
    }

    /// The cells of each row: those of a node, or those of a list.
    pub(crate) fn cells(
        &self,
        nodes: &[Rc<Node>],
        mut node: impl FnMut(usize, Caption) -> Vec<Cell>,
        list: impl Fn(&Fold) -> Vec<Cell>,
    ) -> impl Iterator<Item = Vec<Cell>> {
        stop::asking(0..self.count).map(move |at| match self.row(at) {
            Ok(place) => node(place, self.captions.caption(&self.names, &nodes[place])),
            Err(fold) => list(fold),
        })
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

/// The uncertainty of a leaf, if it has one.
pub(crate) fn sigma(names: &Names, node: &Node) -> Cell {
    let known = names.uncertain.of(node).map(Uncertainty::width);
    known.map_or(Cell::Empty, Cell::Number)
}

/// The range of the uncertainties of a list, if any of its items has one.
pub(crate) fn sigma_range(names: &Names, items: &[&Rc<Node>]) -> Cell {
    let known = items.iter().filter_map(|item| names.uncertain.of(item));
    match Cell::range(known.map(Uncertainty::width)) {
        Cell::Missing => Cell::Empty,
        range => range,
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
pub(crate) fn names(names: &Names, node: &Node) -> Cell {
    let labelled = names.labels.of(node).is_some();
    if !labelled && names.of(node).nth(1).is_none() {
        return Cell::Empty;
    }
    let mut all: Vec<String> = names.of(node).map(Cow::into_owned).collect();
    if all.is_empty() {
        let former = atoms::name(names, node);
        all.push(former.unwrap_or_else(|| format!("@{}", node.id())));
    }
    Cell::Names(all)
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

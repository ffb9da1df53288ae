//! Tables of nodes: which nodes have rows, and columns as data, each with what a node has in it.
//!
//! A cell says what it contains; the views decide how it looks.

use std::borrow::Cow;
use std::cell::LazyCell;
use std::collections::HashSet;
use std::rc::Rc;

use crate::graph::Node;
use crate::report::{Audience, Cell, Column, Fact, Line, RowSource, Table, TableRows, name_list};
use crate::session::naming::atoms::FEW_ITEMS;
use crate::session::naming::folds::{Fold, folds};
use crate::session::naming::{Names, Uncertainty, atoms, item_name, labels};
use crate::session::values::Value;
use crate::session::{Caption, Captions, Session, SharedNames};
use crate::stop;

/// A table with a row for each node. Its columns are data: a heading, and what a node has there. The row of a list
/// follows from the cells of its items.
pub(crate) struct NodeTable<'t> {
    subjects: Box<dyn RowSubjects + 't>,
    columns: Vec<NodeColumn<'t>>,
    omitted: Option<(usize, String)>,
}

/// A column, and the cell that a node has in it.
struct NodeColumn<'t> {
    column: Column,
    cell: Box<dyn Fn(&TableNode) -> Cell + 't>,
    of_list: ListCell,
}

/// What the row of a list has in a column.
enum ListCell {
    Name,
    Shape,
    /// What the cells of its items come to: see [`folded`].
    Items,
}

/// What the rows are about, each worked out when its turn comes.
pub(crate) trait RowSubjects {
    /// How many rows there are.
    fn count(&self) -> usize;
    /// The subjects, from top to bottom.
    fn subjects(&self) -> Box<dyn Iterator<Item = RowSubject<'_>> + '_>;
}

/// What a row is about.
pub(crate) enum RowSubject<'r> {
    Node(TableNode<'r>),
    /// The items of a long list, its name and its shape.
    List(Cell, Cell, Vec<TableNode<'r>>),
}

/// A node of a table.
pub(crate) struct TableNode<'r> {
    /// Its place among all nodes that were given.
    pub(crate) place: usize,
    pub(crate) node: &'r Rc<Node>,
    caption: LazyCell<Caption, Box<dyn FnOnce() -> Caption + 'r>>,
}

impl<'r> TableNode<'r> {
    pub(crate) fn new(
        place: usize,
        node: &'r Rc<Node>,
        caption: impl FnOnce() -> Caption + 'r,
    ) -> TableNode<'r> {
        let caption = LazyCell::new(Box::new(caption) as Box<dyn FnOnce() -> Caption + 'r>);
        TableNode {
            place,
            node,
            caption,
        }
    }
}

impl TableNode<'_> {
    pub(crate) fn label(&self) -> String {
        self.caption.label.clone()
    }
}

impl<'t> NodeTable<'t> {
    /// The items of a long list are one row. Names and lists come first, each in their order; others fill the rest.
    /// Programs get a row for each node.
    pub(crate) fn of(session: &Session, nodes: impl AsRef<[Rc<Node>]> + 't) -> NodeTable<'t> {
        let most = session.table_rows();
        if session.all_rows {
            return NodeTable::each(most, session, nodes);
        }
        let folds = folds(session.names(), nodes.as_ref());
        NodeTable::chosen(most, session, nodes, folds)
    }

    /// A table of nodes that the user has asked for: each has its own row, up to so many.
    pub(crate) fn each(
        most: usize,
        session: &Session,
        nodes: impl AsRef<[Rc<Node>]> + 't,
    ) -> NodeTable<'t> {
        NodeTable::chosen(most, session, nodes, Vec::new())
    }

    fn chosen(
        most: usize,
        session: &Session,
        nodes: impl AsRef<[Rc<Node>]> + 't,
        folds: Vec<Fold>,
    ) -> NodeTable<'t> {
        let (chosen, left) = choose(session, nodes.as_ref(), folds, most);
        let own = |row: &Row| match row {
            Row::Node(place) => Some(&nodes.as_ref()[*place]),
            Row::List(_) => None,
        };
        let names = session.names().clone();
        let captions = match &chosen {
            Some(rows) => Captions::of(&names, rows.iter().filter_map(own)),
            None => Captions::of(&names, nodes.as_ref().iter()),
        };
        let subjects = ChosenNodes {
            nodes,
            chosen,
            names,
            captions,
        };
        NodeTable::about(subjects, left)
    }

    /// A table about anything else, and how many rows of it are left out.
    pub(crate) fn about(subjects: impl RowSubjects + 't, left: usize) -> NodeTable<'t> {
        NodeTable {
            subjects: Box::new(subjects),
            columns: Vec::new(),
            omitted: (left > 0).then(|| (left, "--json writes all".to_string())),
        }
    }

    /// What to type to see the rows that are left out.
    pub(crate) fn more_by(mut self, typed: &str) -> NodeTable<'t> {
        if let Some(omitted) = &mut self.omitted {
            omitted.1 = typed.to_string();
        }
        self
    }

    /// A column with these cells.
    pub(crate) fn column(
        mut self,
        column: Column,
        cell: impl Fn(&TableNode) -> Cell + 't,
    ) -> NodeTable<'t> {
        self.columns.push(NodeColumn {
            column,
            cell: Box::new(cell),
            of_list: ListCell::Items,
        });
        self
    }

    /// A column that is there on a condition.
    pub(crate) fn column_if(
        self,
        condition: bool,
        column: Column,
        cell: impl Fn(&TableNode) -> Cell + 't,
    ) -> NodeTable<'t> {
        if condition {
            self.column(column, cell)
        } else {
            self
        }
    }

    /// The id, for programs.
    pub(crate) fn id(self) -> NodeTable<'t> {
        let id = |row: &TableNode| Cell::Count(u64::from(row.node.id()));
        self.column(Column::machines("id"), id)
    }

    /// The label of a node, the name of a list.
    pub(crate) fn label(mut self, column: Column) -> NodeTable<'t> {
        self = self.column(column, |row| Cell::Name(row.label()));
        self.lists(ListCell::Name)
    }

    /// The shape of a list; of a node nothing.
    pub(crate) fn shape(mut self) -> NodeTable<'t> {
        self = self.column(Column::people(""), |_| Cell::Empty);
        self.lists(ListCell::Shape)
    }

    /// The kind of a node, the shape of a list.
    pub(crate) fn kind(mut self, rank: u8) -> NodeTable<'t> {
        let column = Column::people("expression").rank(rank);
        self = self.column(column, |row| kind(row.node, &row.caption));
        self.lists(ListCell::Shape)
    }

    fn lists(mut self, of_list: ListCell) -> NodeTable<'t> {
        if let Some(column) = self.columns.last_mut() {
            column.of_list = of_list;
        }
        self
    }

    /// The expression, for programs.
    pub(crate) fn expression(self) -> NodeTable<'t> {
        self.column(Column::machines("expression"), |row| {
            Cell::Formula(row.caption.expression.clone())
        })
    }

    /// The data, marked where the first NaN or infinity began.
    pub(crate) fn data(self, column: Column, first: Option<Rc<Node>>) -> NodeTable<'t> {
        self.column(column, move |row| match &first {
            Some(first) if Rc::ptr_eq(first, row.node) => Cell::First(first.data()),
            _ => Cell::Number(row.node.data()),
        })
    }

    /// Whether it is a leaf, and one that `:step` moves, for programs.
    pub(crate) fn leaf(self) -> NodeTable<'t> {
        self.column(Column::machines("leaf"), |row| {
            Cell::Fact(row.node.is_leaf().into())
        })
        .column(Column::machines("free"), |row| {
            Cell::Fact(row.node.is_free().into())
        })
    }

    /// All names, for programs.
    pub(crate) fn names(self, session: &Session) -> NodeTable<'t> {
        let known = session.names().clone();
        self.column(Column::machines("names"), move |row| {
            names(&known, row.node)
        })
    }

    /// The nodes that have rows of their own.
    pub(crate) fn nodes(&self) -> impl Iterator<Item = TableNode<'_>> {
        self.subjects.subjects().filter_map(|row| match row {
            RowSubject::Node(node) => Some(node),
            RowSubject::List(..) => None,
        })
    }

    fn cells(&self, subject: &RowSubject) -> Vec<Cell> {
        let cell = |column: &NodeColumn| match (subject, &column.of_list) {
            (RowSubject::Node(node), _) => (column.cell)(node),
            (RowSubject::List(name, ..), ListCell::Name) => name.clone(),
            (RowSubject::List(_, shape, _), ListCell::Shape) => shape.clone(),
            (RowSubject::List(_, _, items), ListCell::Items) => match column.column.audience {
                Audience::Machines => Cell::Empty,
                _ => folded(items.iter().map(&column.cell).collect()),
            },
        };
        self.columns.iter().map(cell).collect()
    }

    /// The table, its rows made now.
    pub(crate) fn table(self, key: &'static str) -> Table {
        let rows = self.rows().collect();
        self.with_rows(key, |_| rows)
    }

    fn with_rows(
        mut self,
        key: &'static str,
        rows: impl FnOnce(NodeTable<'t>) -> TableRows,
    ) -> Table {
        Table {
            key,
            columns: self.columns.iter().map(|it| it.column.clone()).collect(),
            omitted: self.omitted.take(),
            rows: rows(self),
        }
    }
}

impl NodeTable<'static> {
    /// The table, its rows made one after the other while they are written.
    pub(crate) fn streamed(self, key: &'static str) -> Table {
        self.with_rows(key, |table| TableRows(Rc::new(table)))
    }
}

impl RowSource for NodeTable<'_> {
    fn count(&self) -> usize {
        self.subjects.count()
    }

    fn rows(&self) -> Box<dyn Iterator<Item = Vec<Cell>> + '_> {
        let subjects = stop::asking(self.subjects.subjects());
        Box::new(subjects.map(|subject| self.cells(&subject)))
    }
}

/// What the cells of a list's items come to: the first NaN or infinity if it began there, the sum of shares, the range
/// of other numbers; of words the first.
fn folded(cells: Vec<Cell>) -> Cell {
    let is_first = |cell: &&Cell| matches!(cell, Cell::First(_));
    if let Some(first) = cells.iter().find(is_first) {
        return first.clone();
    }
    let share = |cell: &Cell| match cell {
        Cell::Share(share) => Some(*share),
        _ => None,
    };
    if cells.iter().any(|cell| share(cell).is_some()) {
        return Cell::Share(cells.iter().filter_map(share).sum());
    }
    match Cell::range(cells.iter().filter_map(Cell::as_number)) {
        Cell::Missing => {
            let blank = cells.first().cloned().unwrap_or(Cell::Missing);
            let words = cells.into_iter().find(|cell| *cell != blank);
            words.unwrap_or(blank)
        }
        range => range,
    }
}

/// A row of the nodes that were given: the place of one, or the items of a long list.
enum Row {
    Node(usize),
    List(Box<Fold>),
}

impl Row {
    fn place(&self) -> usize {
        match self {
            Row::Node(place) => *place,
            Row::List(fold) => fold.places[0],
        }
    }
}

/// The rows that a table shows, none if each node has one, and how many are left out.
fn choose(
    session: &Session,
    nodes: &[Rc<Node>],
    folds: Vec<Fold>,
    most: usize,
) -> (Option<Vec<Row>>, usize) {
    if folds.is_empty() && nodes.len() <= most {
        return (None, 0);
    }
    let mut folded = vec![false; nodes.len()];
    for &place in folds.iter().flat_map(|fold| &fold.places) {
        folded[place] = true;
    }
    let single = (0..nodes.len()).filter(|place| !folded[*place]);
    let mut rows: Vec<Row> = single.map(Row::Node).collect();
    rows.extend(folds.into_iter().map(|fold| Row::List(Box::new(fold))));
    let left = rows.len().saturating_sub(most);
    if left > 0 {
        // Those that are not to be left out come first.
        rows.sort_by_cached_key(|row| match row {
            Row::Node(place) => !session.is_named(&nodes[*place]),
            Row::List(_) => false,
        });
        rows.truncate(most);
    }
    rows.sort_by_key(Row::place);
    (Some(rows), left)
}

/// Nodes, and which of them have rows.
struct ChosenNodes<N> {
    nodes: N,
    chosen: Option<Vec<Row>>,
    names: SharedNames,
    captions: Captions,
}

impl<N: AsRef<[Rc<Node>]>> ChosenNodes<N> {
    fn node(&self, place: usize) -> TableNode<'_> {
        let node = &self.nodes.as_ref()[place];
        TableNode::new(place, node, || self.captions.caption(&self.names, node))
    }
}

impl<N: AsRef<[Rc<Node>]>> RowSubjects for ChosenNodes<N> {
    fn count(&self) -> usize {
        let all = self.nodes.as_ref().len();
        self.chosen.as_ref().map_or(all, Vec::len)
    }

    fn subjects(&self) -> Box<dyn Iterator<Item = RowSubject<'_>> + '_> {
        let at = |at: usize| match self.chosen.as_ref().map(|rows| &rows[at]) {
            None => RowSubject::Node(self.node(at)),
            Some(Row::Node(place)) => RowSubject::Node(self.node(*place)),
            Some(Row::List(fold)) => {
                let name = if fold.named {
                    Cell::Name(fold.label.clone())
                } else {
                    Cell::Formula(fold.label.clone())
                };
                let items = fold.places.iter().map(|&place| self.node(place));
                RowSubject::List(name, Cell::Dim(fold.shape.clone()), items.collect())
            }
        };
        Box::new((0..self.count()).map(at))
    }
}

/// The rows about a value with a name: one for each number, unless it is a long list and not each is asked for.
pub(crate) fn named_value<'r>(
    names: &'r Names,
    label: Cow<'r, str>,
    value: &'r Value,
    each: bool,
) -> impl Iterator<Item = RowSubject<'r>> {
    let nodes = value.nodes();
    let whole = !each && nodes.len() > FEW_ITEMS;
    let name = Cell::Name(label.to_string());
    let mut rows = nodes.iter().enumerate().map(move |(place, node)| {
        let label = label.clone();
        TableNode::new(place, node, move || Caption {
            label: match value {
                Value::Node(_) => label.into_owned(),
                Value::List(list) => item_name(&label, list.shape(), place as u32 + 1),
            },
            // Each name of a node shows the node's expression, not the node's other name.
            expression: labels::expression(names, node),
            more: true,
        })
    });
    let list = whole.then(|| {
        let shape = Cell::Dim(value.shape().to_short());
        RowSubject::List(name, shape, rows.by_ref().collect())
    });
    list.into_iter().chain(rows.map(RowSubject::Node))
}

/// The kind of a node: `leaf`, `frozen`, or its expression if its label is something else.
fn kind(node: &Node, caption: &Caption) -> Cell {
    match (node.is_leaf(), node.is_frozen()) {
        (true, true) => Cell::Dim("frozen".to_string()),
        (true, false) => Cell::Dim("leaf".to_string()),
        (false, _) if caption.more => Cell::Formula(caption.expression.clone()),
        (false, _) => Cell::Empty,
    }
}

/// The uncertainty of a leaf, if it has one.
pub(crate) fn sigma(names: &Names, node: &Node) -> Cell {
    let known = names.uncertain.at(node).map(Uncertainty::width);
    known.map_or(Cell::Empty, Cell::Number)
}

/// All names of a node, if it has several or is shown by a label: these can be typed.
fn names(names: &Names, node: &Node) -> Cell {
    let labelled = names.labels.of(node).is_some();
    if !labelled && names.of(node).nth(1).is_none() {
        return Cell::Empty;
    }
    let mut all: Vec<String> = names.of(node).map(Cow::into_owned).collect();
    if all.is_empty() {
        let former = atoms::name(names, node);
        all.push(former.unwrap_or_else(|| format!("@{}", node.id())));
    }
    Cell::Fact(all.into_iter().collect())
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

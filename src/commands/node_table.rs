//! Tables of nodes, for all commands that show nodes in rows: this file chooses the rows and makes the cells.

use std::borrow::Cow;
use std::collections::HashSet;
use std::rc::Rc;

use crate::session::naming::labels::long_lists::{Fold, folds};
use crate::session::naming::{Names, labels};
use crate::session::uncertainty::answer_value;
use crate::session::{Caption, Captions, Session, SharedNames};
use crate::study::kind_of;
use chainrule_engine::graph::Node;
use chainrule_report::{
    Audience, Cell, Column, Fact, Kind, Line, Measurement, Table, TableRows, name_list,
};
use chainrule_stop as stop;

/// A table with a row for each node, or for the items of a long list. A column has a heading and a function that gives a
/// node's cell. The cell of a list follows from those of its items.
pub(crate) struct NodeTable<'t> {
    names: SharedNames,
    captions: Captions,
    count: usize,
    row: Box<dyn Fn(usize) -> TableRow + 't>,
    columns: Vec<(Column, NodeCell<'t>)>,
    omitted: Option<(usize, String)>,
    /// The uncertainty of a node that has one to show.
    measure: fn(&Names, &Rc<Node>) -> Option<Measurement>,
}

/// What a row is about.
pub(crate) enum TableRow {
    Node(TableNode),
    /// The items of a long list, its name and its shape.
    List(Cell, Cell, Vec<TableNode>),
}

/// A node of a table.
pub(crate) struct TableNode {
    /// Its place among all nodes of the table.
    pub(crate) place: usize,
    pub(crate) node: Rc<Node>,
    /// The label of the row, if that is not the label of the node.
    pub(crate) label: Option<String>,
}

/// What a column shows about a node. A list shows its name as its label, and its shape as its kind and as its shape.
enum NodeCell<'t> {
    Label,
    Kind,
    Shape,
    Expression,
    /// A number or a word. [`fold_cells`] makes one cell of those of a list's items.
    Own(Box<dyn Fn(&TableNode) -> Cell + 't>),
}

impl<'t> NodeTable<'t> {
    /// The items of a long list are one row. Names and lists come first, each in their order; others fill the rest.
    /// Programs get a row for each node.
    pub(crate) fn of(session: &Session, nodes: impl AsRef<[Rc<Node>]> + 't) -> NodeTable<'t> {
        let most = session.table_rows();
        if session.show.shows_all_rows {
            return NodeTable::each(most, session, nodes);
        }
        let folds = folds(session.names(), nodes.as_ref());
        NodeTable::of_rows(most, session, nodes, folds)
    }

    /// A table of nodes that the user has asked for: each has its own row, at most `most`.
    pub(crate) fn each(
        most: usize,
        session: &Session,
        nodes: impl AsRef<[Rc<Node>]> + 't,
    ) -> NodeTable<'t> {
        NodeTable::of_rows(most, session, nodes, Vec::new())
    }

    fn of_rows(
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
        let captions = match &chosen {
            Some(rows) => Captions::of(session.names(), rows.iter().filter_map(own)),
            None => Captions::of(session.names(), nodes.as_ref().iter()),
        };
        let count = chosen.as_ref().map_or(nodes.as_ref().len(), Vec::len);
        let node = move |place: usize| TableNode {
            place,
            node: Rc::clone(&nodes.as_ref()[place]),
            label: None,
        };
        let row = move |at: usize| match chosen.as_ref().map(|rows| &rows[at]) {
            None => TableRow::Node(node(at)),
            Some(Row::Node(place)) => TableRow::Node(node(*place)),
            Some(Row::List(fold)) => {
                let cell = if fold.has_name {
                    Cell::Name
                } else {
                    Cell::Formula
                };
                let name = cell(fold.label.clone());
                let items = fold.places.iter().map(|&place| node(place));
                TableRow::List(name, Cell::Dim(fold.shape.clone()), items.collect())
            }
        };
        let table = NodeTable::of_other_rows(session, (count, left), row);
        NodeTable { captions, ..table }
    }

    /// A table with other rows: their number, how many more are left out, and a function that gives each row.
    pub(crate) fn of_other_rows(
        session: &Session,
        (count, left): (usize, usize),
        row: impl Fn(usize) -> TableRow + 't,
    ) -> NodeTable<'t> {
        NodeTable {
            names: session.names().clone(),
            captions: Captions::default(),
            count,
            row: Box::new(row),
            columns: Vec::new(),
            omitted: (left > 0).then(|| (left, "--json writes all".to_string())),
            measure: leaf_measurement,
        }
    }

    /// Sets the hint how to see the rows that are left out.
    pub(crate) fn with_hint(mut self, typed: &str) -> NodeTable<'t> {
        if let Some(omitted) = &mut self.omitted {
            omitted.1 = typed.to_string();
        }
        self
    }

    /// Adds a column with these cells.
    pub(crate) fn column(
        self,
        column: Column,
        cell: impl Fn(&TableNode) -> Cell + 't,
    ) -> NodeTable<'t> {
        self.add_column(column, NodeCell::Own(Box::new(cell)))
    }

    fn add_column(mut self, column: Column, cell: NodeCell<'t>) -> NodeTable<'t> {
        self.columns.push((column, cell));
        self
    }

    /// The id, for programs.
    pub(crate) fn id(self) -> NodeTable<'t> {
        let id = |row: &TableNode| Cell::Count(u64::from(row.node.id()));
        self.column(Column::machines("id"), id)
    }

    /// The label of a node, the name of a list.
    pub(crate) fn label(self, column: Column) -> NodeTable<'t> {
        self.add_column(column, NodeCell::Label)
    }

    /// The shape of a list; of a node nothing.
    pub(crate) fn shape(self) -> NodeTable<'t> {
        self.add_column(Column::people(""), NodeCell::Shape)
    }

    /// The kind of a node, the shape of a list.
    pub(crate) fn kind(self, rank: u8) -> NodeTable<'t> {
        self.add_column(Column::people("expression").rank(rank), NodeCell::Kind)
    }

    /// The expression, for programs.
    pub(crate) fn expression(self) -> NodeTable<'t> {
        self.add_column(Column::machines("expression"), NodeCell::Expression)
    }

    /// The data, marked where the first NaN or infinity began.
    pub(crate) fn data(self, column: Column, first: Option<Rc<Node>>) -> NodeTable<'t> {
        let (known, measure) = (self.names.clone(), self.measure);
        self.column(column, move |row| match &first {
            Some(first) if Rc::ptr_eq(first, &row.node) => Cell::FirstNotFinite(first.data()),
            _ => measure(&known, &row.node).map_or(Cell::Number(row.node.data()), Cell::Value),
        })
    }

    /// Shows the uncertainties of computed nodes, too, if they are wanted.
    pub(crate) fn with_computed_sigmas(mut self, wanted: bool) -> NodeTable<'t> {
        if wanted {
            self.measure = |names, node| measurement(names, node).ok().flatten();
        }
        self
    }

    /// The uncertainties; this cell where there is none.
    pub(crate) fn sigma(self, none: Cell) -> NodeTable<'t> {
        let (known, measure) = (self.names.clone(), self.measure);
        self.column(Column::new("sigma", "±"), move |row| {
            measure(&known, &row.node).map_or(none.clone(), Cell::Sigma)
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
            names(&known, &row.node)
        })
    }

    /// The nodes that have rows of their own.
    pub(crate) fn nodes(&self) -> impl Iterator<Item = TableNode> {
        stop::with_checks(0..self.count).filter_map(|at| match (self.row)(at) {
            TableRow::Node(node) => Some(node),
            TableRow::List(..) => None,
        })
    }

    pub(crate) fn caption(&self, row: &TableNode) -> Caption {
        match &row.label {
            None => self.captions.caption(&self.names, &row.node),
            Some(label) => Caption {
                label: label.clone(),
                expression: labels::expression(&self.names, &row.node),
                has_expression: true,
            },
        }
    }

    fn cells(&self, at: usize) -> Vec<Cell> {
        stop::ask(at);
        match (self.row)(at) {
            TableRow::Node(row) => {
                let caption = self.caption(&row);
                let cell = |(_, cell): &(Column, NodeCell)| match cell {
                    NodeCell::Label => Cell::Name(caption.label.clone()),
                    NodeCell::Kind => kind(&row.node, &caption),
                    NodeCell::Shape => Cell::Empty,
                    NodeCell::Expression => Cell::Formula(caption.expression.clone()),
                    NodeCell::Own(cell) => cell(&row),
                };
                self.columns.iter().map(cell).collect()
            }
            TableRow::List(name, shape, items) => {
                let cell = |(column, cell): &(Column, NodeCell)| match cell {
                    NodeCell::Label => name.clone(),
                    NodeCell::Kind | NodeCell::Shape => shape.clone(),
                    NodeCell::Own(cell) if column.audience != Audience::Machines => {
                        fold_cells(items.iter().map(cell).collect())
                    }
                    _ => Cell::Empty,
                };
                self.columns.iter().map(cell).collect()
            }
        }
    }

    fn headings(&self) -> Vec<Column> {
        let heads = self.columns.iter().map(|(column, _)| column.clone());
        heads.collect()
    }

    /// The table. Its rows are made now.
    pub(crate) fn table(mut self, key: &'static str) -> Table {
        Table {
            key,
            columns: self.headings(),
            omitted: self.omitted.take(),
            rows: (0..self.count).map(|at| self.cells(at)).collect(),
        }
    }
}

impl NodeTable<'static> {
    /// The table. Its rows are made one after the other while they are written, so that a million rows need no memory.
    pub(crate) fn stream(mut self, key: &'static str) -> Table {
        Table {
            key,
            columns: self.headings(),
            omitted: self.omitted.take(),
            rows: TableRows::new(self.count, move |at| self.cells(at)),
        }
    }
}

/// The cell of a list from the cells of its items: the first NaN or infinity if it began there, the sum of shares, the
/// range of other numbers, or the first word.
fn fold_cells(cells: Vec<Cell>) -> Cell {
    let is_first = |cell: &&Cell| matches!(cell, Cell::FirstNotFinite(_));
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

/// A row before it is made: the place of a node, or the items of a long list.
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

/// The rows that a table shows, or `None` if each node has one, and how many are left out.
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
        // Names and lists come first, so that others are left out.
        rows.sort_by_cached_key(|row| match row {
            Row::Node(place) => !session.is_named(&nodes[*place]),
            Row::List(_) => false,
        });
        rows.truncate(most);
    }
    rows.sort_by_key(Row::place);
    (Some(rows), left)
}

/// The kind of a node: `leaf`, `frozen`, or its expression if its label is something else.
fn kind(node: &Node, caption: &Caption) -> Cell {
    match kind_of(node) {
        kind @ (Kind::Leaf | Kind::Frozen) => Cell::Dim(kind.word().to_owned()),
        _ if caption.has_expression => Cell::Formula(caption.expression.clone()),
        _ => Cell::Empty,
    }
}

/// A node with its uncertainty, if anything below it has one; the error is that too many nodes are below it.
pub(crate) fn measurement(names: &Names, node: &Rc<Node>) -> Result<Option<Measurement>, ()> {
    let sigma = names.uncertain.answer_deviation(node)?;
    Ok(sigma.map(|sigma| Measurement {
        value: answer_value(node, sigma),
        sigma,
        is_typed: node.is_leaf() && names.uncertain.has_typed_digits(node),
    }))
}

/// A leaf with its uncertainty, if it has one.
pub(crate) fn leaf_measurement(names: &Names, node: &Rc<Node>) -> Option<Measurement> {
    let leaf = Some(node).filter(|node| node.is_leaf());
    leaf.and_then(|leaf| measurement(names, leaf).ok().flatten())
}

/// All names of a node, if it has several, or has a label that cannot be typed.
fn names(names: &Names, node: &Node) -> Cell {
    let labelled = names.labels.of(node).is_some();
    if !labelled && names.of(node).nth(1).is_none() {
        return Cell::Empty;
    }
    let mut all: Vec<String> = names.of(node).map(Cow::into_owned).collect();
    if all.is_empty() {
        let former = labels::name(names, node);
        all.push(former.unwrap_or_else(|| format!("@{}", node.id())));
    }
    Cell::Fact(all.into_iter().collect())
}

pub(crate) fn labels_fact(session: &Session, nodes: &[Rc<Node>]) -> Fact {
    let labels = stop::with_checks(nodes.iter()).map(|node| session.label(node));
    labels.collect()
}

/// The labels with commas. A long list is one entry with its name and shape: `W1 (16 × 2)`.
pub(crate) fn labels_line(session: &Session, nodes: &[Rc<Node>]) -> Line {
    let mut folds = folds(session.names(), nodes).into_iter().peekable();
    let mut folded: HashSet<usize> = HashSet::new();
    let mut labels = Vec::new();
    for (place, node) in stop::with_checks(nodes.iter().enumerate()) {
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

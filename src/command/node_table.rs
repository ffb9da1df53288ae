//! Makes tables of nodes: chooses the rows, one for each node or long list, and makes the cells.
//!
//! A command begins a table with `NodeTable::of`, `of_labels`, `each` or `of_other_rows`, adds its columns, and ends with
//! `table` or `stream`.

use std::borrow::Cow;
use std::collections::HashSet;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use chainrule_engine::graph::Node;
use chainrule_report::{
    Audience, Cell, Column, Fact, Kind, Line, Measurement, Table, TableRows, extent, name_list,
};
use chainrule_session::naming::labels::long_lists::{Fold, folds};
use chainrule_session::naming::{Names, labels};
use chainrule_session::uncertainty::{TooManyNodes, answer_value};
use chainrule_session::{Caption, Captions, Outdated, Reader, Session, SharedNames, kind_of};
use chainrule_stop as stop;

/// A table with a row for each node or long list. A column has a heading and a function that makes the cell of a node. The
/// cell of a list follows from the cells of its items.
pub(crate) struct NodeTable<'t> {
    names: SharedNames,
    captions: Captions,
    /// The number of rows.
    count: usize,
    /// Makes the row with this index.
    row: Box<dyn Fn(usize) -> TableRow + 't>,
    columns: Vec<(Column, NodeCell<'t>)>,
    /// How many rows are left out, and how to see them.
    omitted: Option<(usize, String)>,
    outdated: Outdated,
    /// Returns the uncertainty that is shown for a node.
    measure: fn(&Names, &Rc<Node>) -> Option<Measurement>,
}

/// The subject of a row.
pub(crate) enum TableRow {
    Node(TableNode),
    /// A long list.
    List {
        name: Cell,
        shape: Cell,
        items: Vec<TableNode>,
    },
}

/// A node of a table.
pub(crate) struct TableNode {
    /// Its index among all nodes that the table was given, with or without a row.
    pub(crate) place: usize,
    pub(crate) node: Rc<Node>,
    /// The label of the row, if that is not the label of the node.
    pub(crate) label: Option<String>,
}

/// Makes the cell of a list from its items, or the cell of a single node.
type CellOfItems<'t> = dyn Fn(&[TableNode]) -> Cell + 't;

/// The contents of a column. In the row of a list the label is its name, and its kind is its shape.
enum NodeCell<'t> {
    Label,
    Kind,
    Shape,
    Expression,
    /// A number or a word. [`fold_cells`] makes the cell of a list from those of its items.
    Own(Box<dyn Fn(&TableNode) -> Cell + 't>),
    /// A number or a word that a node or a list has.
    OfItems(Box<CellOfItems<'t>>),
}

impl<'t> NodeTable<'t> {
    /// Begins a table in which a long list has one row. If there are too many rows, nodes without a name are left out
    /// first. Programs get a row for each node.
    pub(crate) fn of(session: &Session, nodes: impl AsRef<[Rc<Node>]> + 't) -> NodeTable<'t> {
        let lists = if session.show.reader == Reader::Program {
            Vec::new()
        } else {
            folds(session.names(), nodes.as_ref())
        };
        NodeTable::of_rows(session, nodes, lists)
    }

    /// Begins such a table with the ids, the labels below this heading, and the shapes of lists.
    pub(crate) fn of_labels(
        session: &Session,
        nodes: impl AsRef<[Rc<Node>]> + 't,
        heading: &'static str,
    ) -> NodeTable<'t> {
        NodeTable::of(session, nodes).with_labels(heading)
    }

    /// Adds the ids, the labels below this heading, and the shapes of lists.
    pub(crate) fn with_labels(self, heading: &'static str) -> NodeTable<'t> {
        self.id().label(Column::new("node", heading)).shape()
    }

    /// Begins a table in which each node has its own row: the user has picked these nodes.
    pub(crate) fn each(session: &Session, nodes: impl AsRef<[Rc<Node>]> + 't) -> NodeTable<'t> {
        NodeTable::of_rows(session, nodes, Vec::new())
    }

    /// Begins a table in which each of these lists has one row.
    pub(crate) fn of_rows(
        session: &Session,
        nodes: impl AsRef<[Rc<Node>]> + 't,
        lists: Vec<Fold>,
    ) -> NodeTable<'t> {
        let outdated = session.find_outdated(nodes.as_ref());
        let lists_by_place: FxHashMap<usize, Fold> = lists
            .into_iter()
            .map(|list| (list.places[0], list))
            .collect();
        let (places, left_out) = choose_rows(session, nodes.as_ref(), &lists_by_place).unzip();
        let count = places.as_ref().map_or(nodes.as_ref().len(), Vec::len);
        let place = move |at: usize| places.as_ref().map_or(at, |it: &Vec<usize>| it[at]);
        let singles = (0..count)
            .map(&place)
            .filter(|it| !lists_by_place.contains_key(it));
        let captions = Captions::of(session.names(), singles.map(|at| &nodes.as_ref()[at]));
        let left_out = left_out.unwrap_or(0);
        let row = move |at: usize| table_row(nodes.as_ref(), place(at), &lists_by_place);
        let table = NodeTable::of_other_rows(session, outdated, count, left_out, row);
        NodeTable { captions, ..table }
    }

    /// Begins a table with any rows: the outdated nodes, the number of rows, how many more are left out, and a function
    /// that makes each row.
    pub(crate) fn of_other_rows(
        session: &Session,
        outdated: Outdated,
        count: usize,
        left_out: usize,
        row: impl Fn(usize) -> TableRow + 't,
    ) -> NodeTable<'t> {
        NodeTable {
            names: session.names().clone(),
            captions: Captions::default(),
            count,
            row: Box::new(row),
            columns: Vec::new(),
            omitted: (left_out > 0).then(|| (left_out, "--json writes all".to_string())),
            outdated,
            measure: leaf_measurement,
        }
    }

    /// Sets the hint that says how to see the rows that are left out.
    pub(crate) fn with_hint(mut self, hint: &str) -> NodeTable<'t> {
        if let Some(omitted) = &mut self.omitted {
            omitted.1 = hint.to_string();
        }
        self
    }

    /// Adds a column whose cells `cell` makes.
    pub(crate) fn column(
        self,
        column: Column,
        cell: impl Fn(&TableNode) -> Cell + 't,
    ) -> NodeTable<'t> {
        self.add_column(column, NodeCell::Own(Box::new(cell)))
    }

    /// Adds a column whose cells `cell` makes for the items of a list, or for a single node.
    pub(crate) fn column_of_items(
        self,
        column: Column,
        cell: impl Fn(&[TableNode]) -> Cell + 't,
    ) -> NodeTable<'t> {
        self.add_column(column, NodeCell::OfItems(Box::new(cell)))
    }

    /// Adds a column with the values of the nodes, and columns with the decisions of which the outdated ones are.
    pub(crate) fn values(
        mut self,
        column: Column,
        value: impl Fn(&TableNode) -> Cell + 't,
    ) -> NodeTable<'t> {
        let outdated = Rc::new(std::mem::take(&mut self.outdated));
        if outdated.is_empty() {
            return self.column(column, value);
        }
        let marked = Rc::clone(&outdated);
        let words = move |row: &TableNode| {
            let decision = outdated.get(&row.node.id());
            decision.map_or(Cell::Empty, |decision| Cell::Dim(decision.to_string()))
        };
        let mark = move |row: &TableNode| match marked.get(&row.node.id()) {
            Some(_) => Cell::Fact(true.into()),
            None => Cell::Empty,
        };
        self.column(column, value)
            .column(Column::people("as of"), words)
            .column(Column::machines("outdated"), mark)
    }

    fn add_column(mut self, column: Column, cell: NodeCell<'t>) -> NodeTable<'t> {
        self.columns.push((column, cell));
        self
    }

    /// Adds the id, for programs.
    pub(crate) fn id(self) -> NodeTable<'t> {
        let id = |row: &TableNode| Cell::Count(u64::from(row.node.id()));
        self.column(Column::machines("id"), id)
    }

    /// Adds the label of a node, or the name of a list.
    pub(crate) fn label(self, column: Column) -> NodeTable<'t> {
        self.add_column(column, NodeCell::Label)
    }

    /// Adds the shape of a list.
    pub(crate) fn shape(self) -> NodeTable<'t> {
        self.add_column(Column::new("shape", "").for_people(), NodeCell::Shape)
    }

    /// Adds the kind of a node, or the shape of a list.
    pub(crate) fn kind(self, rank: u8) -> NodeTable<'t> {
        self.add_column(Column::people("expression").rank(rank), NodeCell::Kind)
    }

    /// Adds the expression, for programs.
    pub(crate) fn expression(self) -> NodeTable<'t> {
        self.add_column(Column::machines("expression"), NodeCell::Expression)
    }

    /// Adds the data. A marker shows the node `first_broken`, where the first NaN or infinity appeared.
    pub(crate) fn data(self, column: Column, first_broken: Option<Rc<Node>>) -> NodeTable<'t> {
        let (known, measure) = (self.names.clone(), self.measure);
        self.values(column, move |row| match &first_broken {
            Some(first) if Rc::ptr_eq(first, &row.node) => Cell::FirstNotFinite(first.data()),
            _ => measure(&known, &row.node).map_or(Cell::Number(row.node.data()), Cell::Value),
        })
    }

    /// Sets whether computed nodes show their uncertainties, too. Must come before `data` and `sigma`, which read it.
    pub(crate) fn with_computed_sigmas(mut self, shows_them: bool) -> NodeTable<'t> {
        if shows_them {
            self.measure = |names, node| measurement(names, node).ok().flatten();
        }
        self
    }

    /// Adds the uncertainties, and the cell `none` for a node without one.
    pub(crate) fn sigma(self, none: Cell) -> NodeTable<'t> {
        let (known, measure) = (self.names.clone(), self.measure);
        self.column(Column::new("sigma", "±"), move |row| {
            measure(&known, &row.node).map_or(none.clone(), Cell::Sigma)
        })
    }

    /// Adds, for programs, whether a node is a leaf, and whether `:step` moves it.
    pub(crate) fn leaf(self) -> NodeTable<'t> {
        let leaf = |row: &TableNode| Cell::Fact(row.node.is_leaf().into());
        let free = |row: &TableNode| Cell::Fact(row.node.is_free().into());
        self.column(Column::machines("leaf"), leaf)
            .column(Column::machines("free"), free)
    }

    /// Adds all names, for programs.
    pub(crate) fn names(self, session: &Session) -> NodeTable<'t> {
        let known = session.names().clone();
        let cell = move |row: &TableNode| names(&known, &row.node);
        self.column(Column::machines("names"), cell)
    }

    /// Returns the nodes that have rows of their own.
    pub(crate) fn nodes(&self) -> impl Iterator<Item = TableNode> {
        stop::with_checks(0..self.count).filter_map(|at| match (self.row)(at) {
            TableRow::Node(node) => Some(node),
            TableRow::List { .. } => None,
        })
    }

    /// Returns the caption of a row.
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
        let columns = self.columns.iter();
        match (self.row)(at) {
            TableRow::Node(row) => {
                let caption = self.caption(&row);
                let node = std::slice::from_ref(&row);
                columns
                    .map(|(_, cell)| cell.of_node(node, &caption))
                    .collect()
            }
            TableRow::List { name, shape, items } => {
                let mut cells = Vec::new();
                for (column, cell) in columns {
                    cells.push(match cell {
                        NodeCell::Label => name.clone(),
                        NodeCell::Kind | NodeCell::Shape => shape.clone(),
                        // Programs get a row for each item instead.
                        _ if column.audience == Audience::Machines => Cell::Empty,
                        NodeCell::Own(cell) => fold_cells(items.iter().map(cell).collect()),
                        NodeCell::OfItems(cell) => cell(&items),
                        NodeCell::Expression => Cell::Empty,
                    });
                }
                cells
            }
        }
    }

    fn headings(&self) -> Vec<Column> {
        let columns = self.columns.iter();
        columns.map(|(column, _)| column.clone()).collect()
    }

    /// Makes the table with all its rows.
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
    /// Makes a table that makes each row only when the row is written, so a million rows need no memory.
    pub(crate) fn stream(mut self, key: &'static str) -> Table {
        Table {
            key,
            columns: self.headings(),
            omitted: self.omitted.take(),
            rows: TableRows::new(self.count, move |at| self.cells(at)),
        }
    }
}

impl NodeCell<'_> {
    /// The cell of a single node.
    fn of_node(&self, row: &[TableNode], caption: &Caption) -> Cell {
        match self {
            NodeCell::Label => Cell::Name(caption.label.clone()),
            NodeCell::Kind => kind(&row[0].node, caption),
            NodeCell::Shape => Cell::Empty,
            NodeCell::Expression => Cell::Formula(caption.expression.clone()),
            NodeCell::Own(cell) => cell(&row[0]),
            NodeCell::OfItems(cell) => cell(row),
        }
    }
}

/// Makes the cell of a list from the cells of its items, by the first of these rules that applies:
///
/// - the cell with the first NaN or infinity of the graph,
/// - the range of the numbers,
/// - the first cell with words,
/// - the first cell.
///
/// A list without items has no number.
fn fold_cells(cells: Vec<Cell>) -> Cell {
    let is_first = |cell: &&Cell| matches!(cell, Cell::FirstNotFinite(_));
    if let Some(first) = cells.iter().find(is_first) {
        return first.clone();
    }
    let number = |cell: &Cell| match cell {
        // Two digits, as a single uncertainty has.
        Cell::Sigma(of) if !of.is_typed => format!("{:.1e}", of.sigma).parse().ok(),
        _ => cell.as_number(),
    };
    if let Some((least, most)) = extent(cells.iter().filter_map(number)) {
        return Cell::Range(least, most);
    }
    let with_words = cells.iter().position(|cell| !cell.words().is_empty());
    let shown = cells.into_iter().nth(with_words.unwrap_or(0));
    shown.unwrap_or(Cell::Absent)
}

/// Makes the row of a node, or of the list whose first item the node is.
fn table_row(nodes: &[Rc<Node>], place: usize, lists: &FxHashMap<usize, Fold>) -> TableRow {
    let node = |at: usize| TableNode {
        place: at,
        node: Rc::clone(&nodes[at]),
        label: None,
    };
    let Some(list) = lists.get(&place) else {
        return TableRow::Node(node(place));
    };
    let name = if list.has_name {
        Cell::Name
    } else {
        Cell::Formula
    };
    TableRow::List {
        name: name(list.label.clone()),
        shape: Cell::Dim(list.shape.clone()),
        items: list.places.iter().map(|&at| node(at)).collect(),
    }
}

/// Chooses the rows that a table shows. Returns the indices of their nodes, in ascending order, and how many are left out.
/// A list has the index of its first item. `None` if each node has its row: then a table of a million nodes needs no list
/// of its rows.
fn choose_rows(
    session: &Session,
    nodes: &[Rc<Node>],
    lists: &FxHashMap<usize, Fold>,
) -> Option<(Vec<usize>, usize)> {
    let most = session.table_rows();
    if lists.is_empty() && nodes.len() <= most {
        return None;
    }
    let mut is_later_item = vec![false; nodes.len()];
    for &place in lists.values().flat_map(|list| &list.places[1..]) {
        is_later_item[place] = true;
    }
    let mut rows: Vec<usize> = (0..nodes.len())
        .filter(|place| !is_later_item[*place])
        .collect();
    let left_out = rows.len().saturating_sub(most);
    if left_out > 0 {
        // Sorts named nodes and then lists to the front, so that `truncate` leaves out the others.
        rows.sort_by_cached_key(|place| {
            let is_list = lists.contains_key(place);
            (
                !is_list && !session.names().has_any(&nodes[*place]),
                is_list,
            )
        });
        rows.truncate(most);
        rows.sort_unstable();
    }
    Some((rows, left_out))
}

/// The cell of the kind of a node: `leaf`, `frozen`, or the expression of a computed node, unless its label is that.
fn kind(node: &Node, caption: &Caption) -> Cell {
    match kind_of(node) {
        kind @ (Kind::Leaf | Kind::Frozen) => Cell::Dim(kind.word().to_owned()),
        _ if caption.has_expression => Cell::Formula(caption.expression.clone()),
        _ => Cell::Empty,
    }
}

/// Returns a node with its uncertainty, if anything below it has one.
pub(crate) fn measurement(
    names: &Names,
    node: &Rc<Node>,
) -> Result<Option<Measurement>, TooManyNodes> {
    let sigma = names.uncertain.answer_deviation(node)?;
    Ok(sigma.map(|sigma| Measurement {
        value: answer_value(node, sigma),
        sigma,
        is_typed: node.is_leaf() && names.uncertain.has_typed_digits(node),
    }))
}

/// Returns a leaf with its uncertainty, if it has one.
pub(crate) fn leaf_measurement(names: &Names, node: &Rc<Node>) -> Option<Measurement> {
    if !node.is_leaf() {
        return None;
    }
    measurement(names, node).ok().flatten()
}

/// The cell with all names of a node, for a node that has several names or a label that cannot be typed.
fn names(names: &Names, node: &Node) -> Cell {
    let labelled = names.labels.of(node).is_some();
    if !labelled && names.texts_of_node(node).nth(1).is_none() {
        return Cell::Empty;
    }
    let mut all: Vec<String> = names.texts_of_node(node).map(Cow::into_owned).collect();
    if all.is_empty() {
        let former = labels::name(names, node);
        all.push(former.unwrap_or_else(|| format!("@{}", node.id())));
    }
    Cell::Fact(all.into_iter().collect())
}

/// The labels of nodes, for programs.
pub(crate) fn labels_fact(session: &Session, nodes: &[Rc<Node>]) -> Fact {
    let labels = stop::with_checks(nodes.iter()).map(|node| session.label(node));
    labels.collect()
}

/// Lists the labels of nodes with commas. A long list is one entry with its name and shape, in the place of its first item:
/// `W1 (16 × 2)`.
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

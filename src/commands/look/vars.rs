//! `:vars`: lists every name with its expression, data and gradient, and the user's functions.
//!
//! A node with two names has two rows, and a node without a name has none. A long list and a list of data have one row.

use crate::command::node_table::{NodeTable, TableNode, TableRow};
use crate::command::prelude::*;
use crate::command::signatures::vars::SIGNATURE;
use chainrule_engine::graph::first_not_finite;
use chainrule_program::values::Value;
use chainrule_session::naming::labels::FEW_ITEMS;
use chainrule_session::naming::{NameId, item_name};
use chainrule_session::{LeafRange, SharedNames};

pub(crate) static COMMAND: Command = Command::new(SIGNATURE, run, &[]);

fn run(session: &mut Session, _: &Arguments) -> Result<Reply> {
    session.note_shown_of_pass(&[]);
    let session = &*session;
    let names = session.names();
    let values = names.bound_values().map(|(_, value)| value);
    let nodes: Vec<_> = values.flat_map(|it| it.nodes().iter().cloned()).collect();
    let is_stale = session.is_stale();
    let rows = NameRows::of(session);
    let has_rows = rows.count > 0;
    let functions = functions_table(session);
    let mut blocks = Vec::new();
    if !has_rows && functions.is_none() && session.waiting().is_empty() {
        blocks.push(Block::Line(say!("no names yet: `a = 2` makes one")));
    }
    blocks.push(names_table(session, rows, &nodes));
    blocks.extend(class_lines(session));
    blocks.extend(functions);
    let waiting = session.waiting().iter();
    blocks.extend(waiting.clone().map(|it| Block::Line(it.line())));
    let root = session.pass().map(|it| session.label(it.root()));
    if let Some(root) = root.as_ref().filter(|_| is_stale && has_rows) {
        blocks.push(Block::Line(say!(
            "data changed since the pass: `:grad {}` brings the grads up to date",
            &**root
        )));
    }
    let waiting = waiting.map(|it| Fact::Record(it.facts())).collect();
    let facts = vec![
        ("root", root.into()),
        ("stale", is_stale.into()),
        ("waiting", waiting),
    ];
    Ok(Reply::show(Report::new(&COMMAND, facts, blocks)))
}

/// The table of names, which stand for these nodes.
fn names_table(session: &Session, rows: NameRows, nodes: &[Rc<Node>]) -> Block {
    let grad_of = session.grads_to_show();
    let grad = move |row: &TableNode| Cell::number(grad_of(&row.node));
    let heading = if session.is_stale() {
        "grad (stale)"
    } else {
        "grad"
    };
    let shown = rows.count.min(session.table_rows());
    let left_out = rows.count - shown;
    let row_at = move |at| rows.row(at);
    let outdated = session.find_outdated(nodes);
    let mut table = NodeTable::of_other_rows(session, outdated, shown, left_out, row_at)
        .with_computed_sigmas(session.settings().is_on("uncertainty"))
        .id()
        .label(Column::new("name", "name"))
        .kind(2)
        .expression()
        .data(
            Column::new("data", "data"),
            first_not_finite(nodes).cloned(),
        )
        .sigma(Cell::Empty)
        .column(Column::grads(heading).rank(1), grad)
        .leaf();
    if session.names().ranges.has_living() {
        let names = session.names().clone();
        let cell = move |row: &TableNode| {
            let range = names.ranges.of(&row.node).map(range_text);
            range.map_or(Cell::Empty, Cell::Text)
        };
        table = table.column(Column::new("range", "range").rank(3), cell);
    }
    Block::Table(table.stream("rows"))
}

/// The rows of all names: a long list and a list of data have one row, another list has a row for each item. Programs get
/// a row for each item.
struct NameRows {
    names: SharedNames,
    /// The index of the first row of each name, in ascending order.
    starts: Vec<(usize, NameId)>,
    /// Whether long lists have a row for each item, too.
    shows_items: bool,
    count: usize,
}

impl NameRows {
    fn of(session: &Session) -> NameRows {
        let mut rows = NameRows {
            names: session.names().clone(),
            starts: Vec::new(),
            shows_items: session.show.reader == Reader::Program,
            count: 0,
        };
        for id in 0..rows.names.name_count() as NameId {
            let Some(value) = rows.names.value(id) else {
                continue;
            };
            rows.starts.push((rows.count, id));
            rows.count += if rows.is_whole(value) {
                1
            } else {
                value.nodes().len()
            };
        }
        rows
    }

    /// Whether a value is one row: a list that is empty, long, or consists of data.
    fn is_whole(&self, value: &Value) -> bool {
        let nodes = value.nodes();
        let is_data = || value.list().is_some() && nodes.iter().all(|node| node.is_frozen());
        nodes.is_empty() || !self.shows_items && (nodes.len() > FEW_ITEMS || is_data())
    }

    /// Makes the row with this index, which must be below `count`.
    fn row(&self, at: usize) -> TableRow {
        let next_name = self.starts.partition_point(|(start, _)| *start <= at);
        let (start, id) = self.starts[next_name - 1];
        let name = self.names.name(id);
        let value = self.names.value(id).expect("a name with rows has a value");
        let node = |place: usize, label| TableNode {
            place,
            node: Rc::clone(&value.nodes()[place]),
            label,
        };
        if self.is_whole(value) {
            let items = (0..value.nodes().len()).map(|place| node(place, None));
            return TableRow::List {
                name: Cell::Name(name.to_owned()),
                shape: Cell::Dim(value.shape().to_short()),
                items: items.collect(),
            };
        }
        let place = at - start;
        let label = match value {
            Value::Node(_) => name.to_owned(),
            Value::List(list) => item_name(name, list.shape(), place as u32),
        };
        TableRow::Node(node(place, Some(label)))
    }
}

/// Returns the headings of data that has classes: `species: 0 setosa, 1 versicolor`.
fn class_lines(session: &Session) -> impl Iterator<Item = Block> {
    let values = session.names().bound_values();
    let headings = values.filter_map(|(_, value)| session.heading(value.nodes()));
    let of_classes = headings.filter(|it| !it.classes.is_empty());
    of_classes.map(|it| Block::Line(say!("{}", it.text())))
}

/// Writes a range as it is typed: `0..10 by 0.5`.
fn range_text(range: &LeafRange) -> String {
    let LeafRange { low, high, step } = range;
    match step {
        Some(step) => format!("{low}..{high} by {step}"),
        None => format!("{low}..{high}"),
    }
}

/// The user's functions, if there are any.
fn functions_table(session: &Session) -> Option<Block> {
    let mut rows = Vec::new();
    for function in session.functions().iter() {
        let parameters = function.parameters.iter().map(ToString::to_string);
        rows.push(vec![
            Cell::Text(function.name.to_string()),
            Cell::Fact(parameters.collect()),
            Cell::Name(function.head()),
            Cell::Formula(function.body.to_string()),
        ]);
    }
    let columns = vec![
        Column::machines("name"),
        Column::machines("parameters"),
        Column::people("function"),
        Column::new("body", "body"),
    ];
    (!rows.is_empty()).then(|| Block::Table(Table::new("functions", columns, rows)))
}

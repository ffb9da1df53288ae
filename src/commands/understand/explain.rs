//! `:explain a of L`: shows the chain rule along the paths from L to a, the sum of their products, and the reason for its
//! value.
//!
//! `study::explain` finds the paths and the reason; this file lays them out. Each step of a path is a row of the table.
//! People see the paths that fit on a screen, programs get all listed paths.

use crate::command::prelude::*;
use crate::command::signatures::explain::{NODE, OF, SIGNATURE};
use crate::study::{self, Explanation, FEW_PATHS};
use chainrule_engine::graph::PathSubgraph;
use chainrule_engine::graph::structure::paths::Path;
use chainrule_formulas::local_formula;
use chainrule_report::{Piece, ask_numbers};
use chainrule_session::naming::labels::fraction;

pub(crate) static COMMAND: Command = Command::new(SIGNATURE, run, &[]);

/// The most rows of the table, each a step of a path, so that the whole answer fits on a screen of 24 lines.
const MOST_ROWS: usize = 16;
/// The most rows of a path that is shown alone, for the same reason: a line below it tells how many steps are left out, and
/// another one what all the other paths add.
const MOST_ROWS_ALONE: usize = 12;
/// The most steps of a path that programs get.
const MOST_STEPS_IN_JSON: usize = 100;

fn run(session: &mut Session, arguments: &Arguments) -> Result<Reply> {
    let (node, target) = arguments.node_and_root(session, [NODE, OF])?;
    session.note_shown(&target.node, std::slice::from_ref(&node));
    let explanation = study::explain(session, &target.node, &node);
    let [root, label] = [&target.node, &node].map(|node| session.label(node));
    let report = report(session, &explanation, root, label);
    Ok(Reply::show(report).with_notes(target.notes))
}

fn report(session: &Session, explanation: &Explanation, root: String, node: String) -> Report {
    let derivative = fraction(&root, &node);
    let shown = paths_that_fit(&explanation.listed);
    let mut blocks = vec![Block::Line(heading(explanation, &derivative))];
    let mut paths = Vec::new();
    if let Some(subgraph) = &explanation.subgraph {
        blocks.push(Block::Table(step_table(session, subgraph, shown)));
        let listed = explanation.listed.iter();
        paths.extend(listed.map(|path| path_fact(session, subgraph, path)));
    }
    blocks.extend(sum_line(explanation, shown.len()).map(Block::Line));
    // `closed   dL/da = 2*a`
    let mut closed = line_with_label("closed");
    match &explanation.closed {
        Some(text) => {
            closed.extend(say!("{:math} = ", derivative));
            closed.push(Piece::Asked(Box::new(Piece::math(text.as_str()))));
        }
        None => closed.extend(say!("no short form comes to this number")),
    }
    blocks.push(Block::Line(closed));
    let reason = explanation.reason.as_ref();
    if let Some(reason) = reason {
        let mut line = line_with_label("why");
        line.extend(ask_numbers(reason.clone()));
        blocks.push(Block::Line(line));
    }
    let facts = vec![
        ("root", root.into()),
        ("node", node.into()),
        ("grad", explanation.grad.into()),
        ("closed", explanation.closed.clone().into()),
        ("paths", Fact::List(paths)),
        ("path_count", explanation.count.into()),
        ("rest", explanation.rest.into()),
        ("reason", reason.cloned().map(Fact::Sentence).into()),
    ];
    Report::new(&COMMAND, facts, blocks)
}

/// Begins a line below the table with its label, and blanks so that the texts of the lines are in one column.
fn line_with_label(label: &str) -> Line {
    say!("{:dim}", format!("{label:<9}"))
}

/// The first paths whose steps fit into the table together. The first path is shown even if it is too long.
fn paths_that_fit(paths: &[Path]) -> &[Path] {
    let few = &paths[..paths.len().min(FEW_PATHS)];
    let mut rows = 0;
    for (place, path) in few.iter().enumerate() {
        rows += path.edges.len();
        if place > 0 && rows > MOST_ROWS {
            return &few[..place];
        }
    }
    few
}

/// The heading: `dL/da = 6   the sum over 3 paths`
fn heading(explanation: &Explanation, derivative: &str) -> Line {
    // The number of paths may exceed any integer, so it is a float; small numbers are exact.
    let paths = match explanation.count {
        0.0 => say!("no path"),
        1.0 => say!("one path"),
        count => say!("the sum over {:short} paths", count),
    };
    let grad = ask_numbers(say!("{}", explanation.grad));
    say!("{:formula} = {}   {}", derivative, grad, dim(paths))
}

/// `3 + 3 + 1 = 7`. If not all paths are shown, the last term is the sum of the others.
fn sum_line(explanation: &Explanation, shown: usize) -> Option<Line> {
    let shows_all = explanation.count == shown as f64;
    if shown < 2 && shows_all {
        return None;
    }
    let mut line = line_with_label("sum");
    for (place, path) in explanation.listed[..shown].iter().enumerate() {
        line.extend(term(place, path.product));
    }
    if !shows_all {
        line.extend(term(shown, explanation.rest_after(shown)));
        line.extend(dim(say!(" (all the others)")));
    }
    line.extend(say!(" = {:short}", explanation.grad));
    Some(ask_numbers(line))
}

/// A term of a sum. If it is not the first one, its sign stands before it.
fn term(place: usize, amount: f64) -> Line {
    if place == 0 {
        say!("{:short}", amount)
    } else if amount < 0.0 {
        say!(" - {:short}", -amount)
    } else {
        say!(" + {:short}", amount)
    }
}

/// A path for JSON.
fn path_fact(session: &Session, subgraph: &PathSubgraph, path: &Path) -> Fact {
    let root = session.label(subgraph.node(subgraph.root));
    let mut nodes: Vec<Fact> = vec![root.into()];
    let (mut formulas, mut locals): (Vec<Fact>, Vec<Fact>) = (Vec::new(), Vec::new());
    for &at in path.edges.iter().take(MOST_STEPS_IN_JSON) {
        let edge = &subgraph.edges[at as usize];
        let [user, operand] = [edge.from, edge.to].map(|slot| subgraph.node(slot as usize));
        nodes.push(session.label(operand).into());
        formulas.push(local_formula(session, user, edge.position as usize).into());
        locals.push(edge.local.into());
    }
    let mut record = vec![
        ("nodes", Fact::List(nodes)),
        ("formulas", Fact::List(formulas)),
        ("locals", Fact::List(locals)),
        ("product", path.product.into()),
    ];
    if path.edges.len() > MOST_STEPS_IN_JSON {
        record.push(("left_out", (path.edges.len() - MOST_STEPS_IN_JSON).into()));
    }
    Fact::Record(record)
}

/// The table with one row per step: the edge, the local derivative, and the product so far.
fn step_table(session: &Session, subgraph: &PathSubgraph, paths: &[Path]) -> Table {
    let mut rows = Vec::new();
    // Several paths fit as a whole. A path that is shown alone may have any length.
    let is_alone = paths.len() == 1;
    let most_steps = if is_alone { MOST_ROWS_ALONE } else { MOST_ROWS };
    for (number, path) in (1..).zip(paths) {
        // If there are several paths, the first row of each shows its number.
        let mut number_cell = Some(Cell::Count(number)).filter(|_| !is_alone);
        let mut so_far = 1.0;
        for &at in path.edges.iter().take(most_steps) {
            let edge = &subgraph.edges[at as usize];
            let [user, operand] = [edge.from, edge.to].map(|slot| subgraph.node(slot as usize));
            so_far = subgraph.multiply_along(so_far, edge);
            rows.push(vec![
                number_cell.take().unwrap_or(Cell::Empty),
                Cell::Name([user, operand].map(|it| session.label(it)).join(" → ")),
                Cell::Formula(local_formula(session, user, edge.position as usize)),
                Cell::Number(edge.local),
                Cell::Number(so_far),
            ]);
        }
    }
    let all: usize = paths.iter().map(|path| path.edges.len()).sum();
    let left_out = all - rows.len();
    let columns = vec![
        Column::people("path"),
        Column::people("step"),
        Column::new("formula", "local").rank(1).for_people(),
        Column::new("local", "=").for_people(),
        Column::people("product").with_sign(),
    ];
    Table {
        key: "",
        columns,
        rows: rows.into(),
        omitted: (left_out > 0).then(|| (left_out, "--json writes more".to_string())),
    }
}

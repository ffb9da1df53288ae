//! `:explain a of L`: the chain rule along every path from L to a, the sum, and why it has this value.
//!
//! `study::explain` finds the paths and the reason; this file lays them out. Each step of a path is a row of the table, for
//! as many paths as fit on a screen. Programs get all listed paths.

use crate::commands::args::target::PassTarget;
use crate::commands::prelude::*;
use crate::commands::signatures::explain::{NODE, OF, SIGNATURE};
use crate::session::naming::labels::fraction;
use crate::study;
use crate::study::{Explanation, FEW_PATHS};
use chainrule_engine::graph::PathSubgraph;
use chainrule_engine::graph::structure::paths::Path;
use chainrule_report::{Block, Cell, Column, Fact, Line, Piece, Report, Table, dim, grads, say};

pub(crate) static COMMAND: Command = Command::new(SIGNATURE, run, &[]);

/// The most rows of the table, so that the whole answer fits on a screen of 24 lines.
const MOST_ROWS: usize = 16;
/// The most steps of a path that are shown, and that are told to programs.
const MOST_STEPS: usize = 12;
const MOST_TOLD: usize = 100;

fn run(session: &mut Session, arguments: &Arguments) -> Result<Reply, Diagnostic> {
    let node = arguments.node(session, NODE)?;
    let target = arguments.target_above(session, OF, &node)?;
    let explanation = study::explain(session, &target.node, &node);
    let labels = [&target.node, &node].map(|node| session.label(node));
    Ok(answer(session, &explanation, labels, target))
}

fn answer(
    session: &Session,
    explanation: &Explanation,
    [root, node]: [String; 2],
    target: PassTarget,
) -> Reply {
    let name = fraction(&root, &node);
    let shown = paths_that_fit(&explanation.listed);
    let closed = match &explanation.closed {
        Some(text) => {
            let mut line = say!("{:dim}{:formula} = ", "closed   ", &name);
            line.push(Piece::Grad(Box::new(Piece::formula(text))));
            line
        }
        None => say!("{:dim}no short form comes to this number", "closed   "),
    };
    let why = explanation.reason.as_ref();
    let lines = [
        sum_line(explanation, shown.len()),
        Some(closed),
        why.map(|reason| say!("{:dim}{}", "why      ", grads(reason.clone()))),
    ];
    let mut blocks = vec![Block::Line(heading(explanation, &name))];
    let mut paths = Vec::new();
    if let Some(subgraph) = &explanation.subgraph {
        blocks.push(Block::Table(steps(session, subgraph, shown)));
        let listed = explanation.listed.iter();
        paths.extend(listed.map(|path| path_fact(session, subgraph, path)));
    }
    blocks.extend(lines.into_iter().flatten().map(Block::Line));
    let facts = vec![
        ("root", root.into()),
        ("node", node.into()),
        ("grad", explanation.grad.into()),
        ("closed", explanation.closed.clone().into()),
        ("paths", Fact::List(paths)),
        ("path_count", explanation.count.into()),
        ("rest", explanation.rest.into()),
        ("reason", why.cloned().map(Fact::Sentence).into()),
    ];
    Reply::show(Report::new("explain", facts, blocks)).with_notes(target.notes)
}

/// The first paths whose steps fit into the table, one at least.
fn paths_that_fit(paths: &[Path]) -> &[Path] {
    let mut rows = 0;
    let fits = |path: &&Path| {
        rows += path.edges.len();
        rows <= MOST_ROWS
    };
    let count = paths.iter().take(FEW_PATHS).take_while(fits).count();
    &paths[..count.max(1).min(paths.len())]
}

/// The heading: `dL/da = 6   the sum over 3 paths`
fn heading(explanation: &Explanation, name: &str) -> Line {
    let paths = match explanation.count {
        0.0 => say!("no path"),
        1.0 => say!("one path"),
        count => say!("the sum over {:short} paths", count),
    };
    let grad = grads(say!("{}", explanation.grad));
    say!("{:formula} = {}   {}", name, grad, dim(paths))
}

/// `3 + 3 + 1 = 7`; with more paths than are shown, the sum of the others stands behind.
fn sum_line(explanation: &Explanation, shown: usize) -> Option<Line> {
    let all = explanation.count == shown as f64;
    if shown < 2 && all {
        return None;
    }
    let mut line = say!("{:dim}", "sum      ");
    for (place, path) in explanation.listed[..shown].iter().enumerate() {
        line.extend(term(place, path.product));
    }
    if !all {
        line.extend(term(shown, explanation.rest_after(shown)));
        line.extend(dim(say!(" (all the others)")));
    }
    line.extend(say!(" = {:short}", explanation.grad));
    Some(grads(line))
}

/// A product in a sum, with its sign before it if it is not the first.
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
    for &at in path.edges.iter().take(MOST_TOLD) {
        let edge = &subgraph.edges[at as usize];
        let [user, operand] = [edge.from, edge.to].map(|slot| subgraph.node(slot as usize));
        nodes.push(session.label(operand).into());
        formulas.push(session.local_formula(user, edge.position as usize).into());
        locals.push(edge.local.into());
    }
    let mut record = vec![
        ("nodes", Fact::List(nodes)),
        ("formulas", Fact::List(formulas)),
        ("locals", Fact::List(locals)),
        ("product", path.product.into()),
    ];
    if path.edges.len() > MOST_TOLD {
        record.push(("left_out", (path.edges.len() - MOST_TOLD).into()));
    }
    Fact::Record(record)
}

/// The table with one row per step: the edge, the local derivative, and the product so far.
fn steps(session: &Session, subgraph: &PathSubgraph, paths: &[Path]) -> Table {
    let mut rows = Vec::new();
    for (number, path) in (1..).zip(paths) {
        let mut first = Cell::Count(number);
        if paths.len() == 1 {
            first = Cell::Empty;
        }
        let mut so_far = 1.0;
        for &at in path.edges.iter().take(MOST_STEPS) {
            let edge = &subgraph.edges[at as usize];
            let [user, operand] = [edge.from, edge.to].map(|slot| subgraph.node(slot as usize));
            so_far = subgraph.multiply_along(so_far, edge);
            rows.push(vec![
                std::mem::replace(&mut first, Cell::Empty),
                Cell::Name([user, operand].map(|it| session.label(it)).join(" → ")),
                Cell::Formula(session.local_formula(user, edge.position as usize)),
                Cell::Number(edge.local),
                Cell::Number(so_far),
            ]);
        }
    }
    // Steps are left out only if there is a single path.
    let more = paths.iter().map(|path| path.edges.len()).sum::<usize>() - rows.len();
    let columns = vec![
        Column::people("path"),
        Column::people("step"),
        Column::people("local").rank(1),
        Column::people("="),
        Column::people("product").with_sign(),
    ];
    Table {
        key: "",
        columns,
        rows: rows.into(),
        omitted: (more > 0).then(|| (more, "--json writes more".to_string())),
    }
}

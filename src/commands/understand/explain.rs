//! `:explain a of L`: the chain rule along every path from L to a, the sum, and why it has this value.
//!
//! `study::explain` finds the paths and the reason; this file lays them out. Each step of a path is a row of the table, for
//! as many paths as fit on a screen. Programs get all listed paths.

use std::rc::Rc;

use crate::commands::args::Arguments;
use crate::commands::args::resolve::PassTarget;
use crate::commands::{Command, Reply};
use crate::session::Session;
use crate::session::naming::labels::notation::fraction;
use crate::study;
use crate::study::{ExplainedPath, Explanation, FEW_PATHS};
use chainrule_engine::graph::Node;
use chainrule_report::diagnostic::Diagnostic;
use chainrule_report::{Block, Cell, Column, Fact, Line, Report, Table, dim, say};

pub(crate) static COMMAND: Command = Command::new("explain", page!("commands/explain"), run, &[]);

/// The most rows of the table, so that the whole answer fits on a screen of 24 lines.
const MOST_ROWS: usize = 16;
/// The most steps of a path that are shown.
const MOST_STEPS: usize = 12;

fn run(session: &mut Session, arguments: &Arguments) -> Result<Reply, Diagnostic> {
    let nodes = arguments.nodes(session, "NODE")?;
    let Some((node, _)) = nodes.into_iter().next() else {
        return Ok(Reply::default());
    };
    let target = arguments.target_above(session, "T", &node)?;
    let explanation = study::explain(session, &target.node, &node);
    Ok(answer(session, &explanation, target))
}

fn answer(session: &Session, explanation: &Explanation, target: PassTarget) -> Reply {
    let (root, node) = (
        session.label(&explanation.root),
        session.label(&explanation.node),
    );
    let name = fraction(&root, &node);
    let shown = ways_that_fit(&explanation.ways);
    let closed = match &explanation.closed {
        Some(text) => say!("{:dim}{:formula} = {:formula}", "closed   ", &name, text),
        None => say!("{:dim}no short form comes to this number", "closed   "),
    };
    let why = explanation.reason.as_ref();
    let lines = [
        sum_line(explanation, shown.len()),
        Some(closed),
        why.map(|reason| say!("{:dim}{}", "why      ", reason)),
    ];
    let mut blocks = vec![Block::Line(heading(explanation, &name))];
    if !explanation.ways.is_empty() {
        blocks.push(Block::Table(steps(session, shown)));
    }
    blocks.extend(lines.into_iter().flatten().map(Block::Line));
    let ways = explanation.ways.iter();
    let paths = ways.map(|way| path(session, way, &explanation.root));
    let facts = vec![
        ("root", root.into()),
        ("node", node.into()),
        ("grad", explanation.grad.into()),
        ("closed", explanation.closed.clone().into()),
        ("paths", Fact::List(paths.collect())),
        ("path_count", explanation.count.into()),
        ("rest", explanation.rest.into()),
        ("reason", why.cloned().map(Fact::Sentence).into()),
    ];
    Reply::show(Report::new("explain", facts, blocks)).with_notes(target.notes)
}

/// The first paths whose steps fit into the table, one at least.
fn ways_that_fit(ways: &[ExplainedPath]) -> &[ExplainedPath] {
    let mut rows = 0;
    let fits = |way: &&ExplainedPath| {
        rows += way.steps.len();
        rows <= MOST_ROWS
    };
    let count = ways.iter().take(FEW_PATHS).take_while(fits).count();
    &ways[..count.max(1).min(ways.len())]
}

/// The heading: `dL/da = 6   the sum over 3 paths`
fn heading(explanation: &Explanation, name: &str) -> Line {
    let paths = match explanation.count {
        0.0 => say!("no path"),
        1.0 => say!("one path"),
        count => say!("the sum over {:short} paths", count),
    };
    say!("{:formula} = {}   {}", name, explanation.grad, dim(paths))
}

/// `3 + 3 + 1 = 7`; with more paths than are shown, the sum of the others stands behind.
fn sum_line(explanation: &Explanation, shown: usize) -> Option<Line> {
    let all = explanation.count == shown as f64;
    if shown < 2 && all {
        return None;
    }
    let mut line = say!("{:dim}", "sum      ");
    for (place, way) in explanation.ways[..shown].iter().enumerate() {
        line.extend(term(place, way.product));
    }
    if !all {
        line.extend(term(shown, explanation.rest_after(shown)));
        line.extend(dim(say!(" (all the others)")));
    }
    line.extend(say!(" = {:short}", explanation.grad));
    Some(line)
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
fn path(session: &Session, way: &ExplainedPath, root: &Rc<Node>) -> Fact {
    let mut nodes: Vec<Fact> = vec![session.label(root).into()];
    let (mut formulas, mut locals): (Vec<Fact>, Vec<Fact>) = (Vec::new(), Vec::new());
    for step in &way.steps {
        nodes.push(session.label(&step.to).into());
        formulas.push(session.local_formula(&step.from, step.operand).into());
        locals.push(step.local.into());
    }
    let mut record = vec![
        ("nodes", Fact::List(nodes)),
        ("formulas", Fact::List(formulas)),
        ("locals", Fact::List(locals)),
        ("product", way.product.into()),
    ];
    if way.left_out > 0 {
        record.push(("left_out", way.left_out.into()));
    }
    Fact::Record(record)
}

/// The table with one row per step: the edge, the local derivative, and the product so far.
fn steps(session: &Session, ways: &[ExplainedPath]) -> Table {
    let mut rows = Vec::new();
    for (number, way) in (1..).zip(ways) {
        let mut path = if ways.len() > 1 {
            Cell::Count(number)
        } else {
            Cell::Empty
        };
        for step in way.steps.iter().take(MOST_STEPS) {
            let [from, to] = [&step.from, &step.to].map(|node| session.label(node));
            rows.push(vec![
                std::mem::replace(&mut path, Cell::Empty),
                Cell::Name(format!("{from} → {to}")),
                Cell::Formula(session.local_formula(&step.from, step.operand)),
                Cell::Number(step.local),
                Cell::Number(step.so_far),
            ]);
        }
    }
    // Steps are left out only if there is a single path.
    let more = ways
        .iter()
        .map(|way| way.steps.len() + way.left_out)
        .sum::<usize>()
        - rows.len();
    let columns = vec![
        Column::people("path"),
        Column::people("step"),
        Column::people("local").rank(1),
        Column::people("="),
        Column::people("product"),
    ];
    Table {
        key: "",
        columns,
        rows: rows.into(),
        omitted: (more > 0).then(|| (more, "--json writes more".to_string())),
    }
}

//! `:explain a of L`: the chain rule along every path from L to a, the sum, and why it has this value.
//!
//! `study::explain` finds what there is to tell; this file lays it out. The steps are rows of a table if they fit on a
//! screen; otherwise each path is one row. Long paths show only their ends.

use std::collections::HashMap;
use std::rc::Rc;

use crate::commands::args::resolve::PassTarget;
use crate::commands::args::{Argument, ArgumentKind, Arguments};
use crate::commands::{Command, Group, Reply};
use crate::diagnostic::Diagnostic;
use crate::graph::structure::paths::total;
use crate::graph::{Node, NodeId, Order};
use crate::report::{Block, Cell, Column, Fact, Line, Report, Table, dim, say};
use crate::session::Session;
use crate::session::by_hand::guesses::Quantity;
use crate::session::naming::formulas::{fraction, has_outside_brackets};
use crate::study;
use crate::study::{Explanation, FEW_PATHS, Step, Way};

pub(crate) const COMMAND: Command = Command {
    name: "explain",
    aliases: &[],
    group: Group::Understand,
    looks: true,
    entry: (":explain a", "how its grad arises"),
    arguments: &[
        Argument::needed("NODE", ArgumentKind::Node)
            .means("the node whose gradient to explain: a name, or `(a*b)`")
            .varying(),
        Argument::after("of", "T", ArgumentKind::Expression).varying(),
    ],
    summary: "a gradient as chains of local derivatives",
    page: page!("commands/explain"),
    run,
};

/// The most products that a sum on one line of 80 columns shows.
const MOST_TERMS: usize = 5;
/// The most steps shown as rows, so that the whole answer fits on a screen of 24 lines.
const MOST_ROWS: usize = 16;
/// The most steps shown of a path that has one row.
const LONGEST: usize = 8;

fn run(session: &mut Session, arguments: &Arguments) -> Result<Reply, Diagnostic> {
    let nodes = arguments.nodes(session, "NODE")?;
    let Some((node, word)) = nodes.into_iter().next() else {
        return Ok(Reply::default());
    };
    let target = arguments.target_above(session, "T", &node)?;
    if target.taken && Order::below([&target.node]).position(&node).is_none() {
        let (root, label) = (session.label(&target.node), word.of(arguments.text));
        return Err(
            Diagnostic::new(format!("`{root}` does not depend on `{label}`"))
                .at(word)
                .help(format!(
                    "say what is to be differentiated, as in `:explain {label} of T`"
                )),
        );
    }
    let explanation = study::explanation(session, &target.node, &node);
    if !arguments.silenced {
        let shown = [(node.id(), explanation.grad)];
        session.answers_shown(&target.node, Quantity::Grad, shown);
    }
    Ok(answer(session, &explanation, target))
}

fn answer(session: &Session, explanation: &Explanation, target: PassTarget) -> Reply {
    let mut words = Words::of(session);
    let (root, node) = (
        words.label(&explanation.root),
        words.label(&explanation.node),
    );
    let name = fraction(&root, &node);
    let mut blocks = vec![Block::Line(heading(explanation, &name))];
    blocks.extend(chains(&mut words, explanation));
    blocks.extend(sum(explanation).map(Block::Line));
    blocks.push(Block::Line(closed(explanation, &name)));
    blocks.extend(why(explanation).map(Block::Line));
    blocks.extend(raised(explanation, &root, &node).map(Block::Line));
    let closed = explanation.closed.clone();
    let reason = explanation.reason.clone();
    let facts = vec![
        ("root", root.into()),
        ("node", node.into()),
        ("grad", explanation.grad.into()),
        ("closed", closed.into()),
        (
            "paths",
            Fact::List(
                explanation
                    .ways
                    .iter()
                    .map(|way| words.fact(way, &explanation.root))
                    .collect(),
            ),
        ),
        ("path_count", count_fact(explanation.count)),
        ("rest", explanation.rest.into()),
        ("reason", reason.map_or(Fact::Null, Fact::Sentence)),
    ];
    let report = Report::new("explain", facts, blocks);
    Reply::show(report).notes(target.notes)
}

/// The heading: `dL/da = 6   the sum over 3 paths`
fn heading(explanation: &Explanation, name: &str) -> Line {
    let paths = match explanation.count {
        0.0 => say!("no path"),
        1.0 => say!("one path"),
        count if count < INEXACT => say!("the sum over {} paths", count as u64),
        count if count.is_finite() => say!("the sum over about {:short} paths", count),
        _ => say!("the sum over more than 1e308 paths"),
    };
    say!("{:formula} = {}   {}", name, explanation.grad, dim(paths))
}

/// From here on a double is not exact as a count.
const INEXACT: f64 = 9_007_199_254_740_992.0;

fn count_fact(count: f64) -> Fact {
    if count < INEXACT {
        Fact::Count(count as u64)
    } else {
        Fact::Number(count)
    }
}

/// `3 + 3 + 1 = 7`; with many paths the sum of those shown, and the sum of the others.
fn sum(explanation: &Explanation) -> Option<Line> {
    let shown = explanation.ways.len().min(FEW_PATHS);
    let all = explanation.count == shown as f64;
    if shown < 2 && all {
        return None;
    }
    let mut line = say!("{:dim}", "sum      ");
    let products = explanation.ways[..shown].iter().map(|way| way.product);
    if shown <= MOST_TERMS {
        for (place, product) in products.enumerate() {
            line.extend(term(place, product));
        }
    } else {
        line.extend(dim(say!("{:short} (these {})", total(products), shown)));
    }
    if !all {
        line.extend(term(shown, explanation.rest_after(shown)));
        line.extend(dim(say!(" (all the others)")));
    }
    if shown <= MOST_TERMS || !all {
        line.extend(say!(" = {:short}", explanation.grad));
    }
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

/// The closed form: `closed   dL/da = b*f`
fn closed(explanation: &Explanation, name: &str) -> Line {
    let form = match &explanation.closed {
        Some(text) => say!("{:formula} = {:formula}", name, text),
        None => say!("no short form comes to this number"),
    };
    say!("{:dim}{}", "closed   ", form)
}

fn why(explanation: &Explanation) -> Option<Line> {
    let reason = explanation.reason.as_ref()?;
    Some(say!("{:dim}{}", "why      ", reason))
}

/// The interpretation: `raising a by 0.01 raises L by about 0.06`
fn raised(explanation: &Explanation, root: &str, node: &str) -> Option<Line> {
    let (more, change) = explanation.raised?;
    let outcome = if change == 0.0 {
        say!("leaves {:name} as it is", root)
    } else {
        let verb = if change > 0.0 { "raises" } else { "lowers" };
        say!("{} {:name} by about {:short}", verb, root, change.abs())
    };
    let raising = say!("raising {:name} by {:short}", node, more);
    Some(say!("{:dim}{} {}", "so       ", raising, outcome))
}

/// Labels of nodes and formulas of local derivatives, cached because many paths share their steps.
struct Words<'s> {
    session: &'s Session,
    labels: HashMap<NodeId, String>,
    formulas: HashMap<(NodeId, usize), String>,
}

impl<'s> Words<'s> {
    fn of(session: &'s Session) -> Words<'s> {
        Words {
            session,
            labels: HashMap::new(),
            formulas: HashMap::new(),
        }
    }

    fn label(&mut self, node: &Rc<Node>) -> String {
        let label = self.labels.entry(node.id());
        label.or_insert_with(|| self.session.label(node)).clone()
    }

    fn formula(&mut self, step: &Step) -> String {
        let formula = self.formulas.entry((step.from.id(), step.operand));
        formula
            .or_insert_with(|| self.session.local_formula(&step.from, step.operand))
            .clone()
    }

    /// A path for JSON. Omitted steps are replaced by `…`, with their number in `left_out`.
    fn fact(&mut self, way: &Way, root: &Rc<Node>) -> Fact {
        let dots = || Fact::Text("…".to_string());
        let mut nodes = vec![Fact::Text(self.label(root))];
        let (mut formulas, mut locals) = (Vec::new(), Vec::new());
        for (place, step) in way.steps.iter().enumerate() {
            if way.left_out.is_some_and(|(at, _)| at == place) {
                nodes.extend([dots(), Fact::Text(self.label(&step.from))]);
                formulas.push(dots());
                locals.push(Fact::Null);
            }
            nodes.push(Fact::Text(self.label(&step.to)));
            formulas.push(Fact::Text(self.formula(step)));
            locals.push(Fact::Number(step.local));
        }
        let mut record = vec![
            ("nodes", Fact::List(nodes)),
            ("formulas", Fact::List(formulas)),
            ("locals", Fact::List(locals)),
            ("product", way.product.into()),
        ];
        if let Some((_, count)) = way.left_out {
            record.push(("left_out", count.into()));
        }
        Fact::Record(record)
    }
}

/// The table of paths: one row per step if that fits on a screen, otherwise one row per path.
fn chains(words: &mut Words, explanation: &Explanation) -> Option<Block> {
    let shown = &explanation.ways[..explanation.ways.len().min(FEW_PATHS)];
    let kept: Vec<Vec<Kept>> = match shown {
        [only] => vec![kept(only, MOST_ROWS)],
        several => several.iter().map(|way| kept(way, usize::MAX)).collect(),
    };
    let rows: usize = kept.iter().map(Vec::len).sum();
    if rows == 0 {
        return None;
    }
    Some(Block::Table(if rows <= MOST_ROWS {
        steps(words, &kept)
    } else {
        ways(words, shown)
    }))
}

/// A step that is shown, or the number of steps omitted at this place.
enum Kept<'w> {
    Step(&'w Step),
    LeftOut(usize),
}

/// The steps of a path that are shown: all of them if they fit in `rows`, otherwise those at both ends.
fn kept(way: &Way, rows: usize) -> Vec<Kept<'_>> {
    let (steps, (at, more)) = (&way.steps, way.left_out.unwrap_or_default());
    let (first, last) = if steps.len() + more <= rows {
        (steps.len(), steps.len())
    } else if steps.len() <= rows {
        (at, at)
    } else {
        (rows / 2, steps.len() - (rows - 1) / 2)
    };
    let left_out = last - first + more;
    let dots = (left_out > 0).then_some(Kept::LeftOut(left_out));
    let ends = [&steps[..first], &steps[last..]].map(|steps| steps.iter().map(Kept::Step));
    let [first, last] = ends;
    first.chain(dots).chain(last).collect()
}

/// The table with one row per step: the edge, the local derivative, and the product so far.
fn steps(words: &mut Words, ways: &[Vec<Kept>]) -> Table {
    let mut rows = Vec::new();
    for (place, way) in ways.iter().enumerate() {
        for (nth, kept) in way.iter().enumerate() {
            let path = if nth == 0 {
                Cell::Count(place as u64 + 1)
            } else {
                Cell::Empty
            };
            rows.push(match kept {
                Kept::Step(step) => vec![
                    path,
                    Cell::Name(format!(
                        "{} → {}",
                        words.label(&step.from),
                        words.label(&step.to)
                    )),
                    Cell::Formula(words.formula(step)),
                    Cell::Number(step.local),
                    Cell::Number(step.so_far),
                ],
                Kept::LeftOut(count) => vec![
                    path,
                    Cell::Dim(format!("… {count} more steps")),
                    Cell::Empty,
                    Cell::Empty,
                    Cell::Empty,
                ],
            });
        }
    }
    let mut columns = vec![
        Column::people("path"),
        Column::people("step"),
        Column::people("local").rank(1),
        Column::people("="),
        Column::people("product"),
    ];
    if ways.len() == 1 {
        columns.remove(0);
        for row in &mut rows {
            row.remove(0);
        }
    }
    Table {
        key: "",
        columns,
        rows: rows.into(),
        omitted: None,
    }
}

/// The table with one row per path: `y → x*x → x`, `1 * x`, 3.
fn ways(words: &mut Words, ways: &[Way]) -> Table {
    let mut rows = Vec::new();
    for (place, way) in ways.iter().enumerate() {
        let (mut nodes, mut factors) = (String::new(), Vec::new());
        for kept in kept(way, LONGEST) {
            match kept {
                Kept::Step(step) => {
                    if nodes.is_empty() || nodes.ends_with("… → ") {
                        nodes.push_str(&words.label(&step.from));
                    }
                    nodes.push_str(" → ");
                    nodes.push_str(&words.label(&step.to));
                    factors.push(factor(words.formula(step)));
                }
                Kept::LeftOut(_) => {
                    nodes.push_str(" → … → ");
                    factors.push("…".to_string());
                }
            }
        }
        rows.push(vec![
            Cell::Count(place as u64 + 1),
            Cell::Name(nodes),
            Cell::Formula(factors.join(" * ")),
            Cell::Number(way.product),
        ]);
    }
    Table {
        key: "",
        columns: vec![
            Column::people("path"),
            Column::people("nodes"),
            Column::people("locals").rank(1),
            Column::people("product"),
        ],
        rows: rows.into(),
        omitted: None,
    }
}

/// A local derivative as a factor: in brackets if it is a sum.
fn factor(formula: String) -> String {
    // Operators that bind less tightly than a product are written with blanks (operator precedence).
    if has_outside_brackets(&formula, " ") {
        format!("({formula})")
    } else {
        formula
    }
}

//! The paths of `:explain` as chains of local derivatives: tables for text, records for JSON.
//!
//! The steps are rows of a table if they fit on a screen; otherwise each path is one row. Long paths show only their
//! ends.

use std::collections::HashMap;
use std::rc::Rc;

use crate::graph::{Node, NodeId};
use crate::report::{Block, Cell, Column, Fact, Table};
use crate::session::Session;
use crate::session::naming::formulas::has_outside_brackets;
use crate::study::{Explanation, FEW_PATHS, Step, Way};

/// The most steps shown as rows, so that the whole answer fits on a screen of 24 lines.
const MOST_ROWS: usize = 16;
/// The most steps shown of a path that has one row.
const LONGEST: usize = 8;

/// Labels of nodes and formulas of local derivatives, cached because many paths share their steps.
pub(crate) struct Words<'s> {
    session: &'s Session,
    labels: HashMap<NodeId, String>,
    formulas: HashMap<(NodeId, usize), String>,
}

impl<'s> Words<'s> {
    pub(crate) fn of(session: &'s Session) -> Words<'s> {
        Words {
            session,
            labels: HashMap::new(),
            formulas: HashMap::new(),
        }
    }

    pub(crate) fn label(&mut self, node: &Rc<Node>) -> String {
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
    pub(crate) fn fact(&mut self, way: &Way, root: &Rc<Node>) -> Fact {
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
            ("product", Fact::Number(way.product)),
        ];
        if let Some((_, count)) = way.left_out {
            record.push(("left_out", Fact::Count(count as u64)));
        }
        Fact::Record(record)
    }
}

/// The table of paths: one row per step if that fits on a screen, otherwise one row per path.
pub(crate) fn chains(words: &mut Words, explanation: &Explanation) -> Option<Block> {
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

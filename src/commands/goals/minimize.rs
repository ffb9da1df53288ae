//! `:minimize T [where C, …]`: sets the free leaves to where T is least.
//!
//! `study::goals` searches; this file checks what is asked, and tells what kind of point was found.

use std::rc::Rc;

use super::search::{FoundPoint, check_finite, check_relations, free_leaves, missed, watched};
use super::solve::whole;
use crate::commands::args::Arguments;
use crate::commands::args::relations::{Relation, Sign};
use crate::commands::{Command, Reply};
use crate::diagnostic::Diagnostic;
use crate::graph::{Node, Order};
use crate::ops::{self, Shape};
use crate::report::{Block, Cell, Column, Fact, Line, Report, change, dim, say};
use crate::session::Session;
use crate::session::values::Value;
use crate::study::goals::{Constraint, Goal, MOST_MINIMIZE_PASSES, Verdict, kink_below, minimize};

const CONSTRAINTS: &str = "C, …";

pub(crate) static COMMAND: Command = Command::new("minimize", page!("commands/minimize"), run, &[]);

fn run(session: &mut Session, arguments: &Arguments) -> Result<Reply, Diagnostic> {
    let target = arguments.moved_target(session, "T")?;
    let (relations, more) =
        arguments.relations(session, CONSTRAINTS, ":minimize T where x + y = 3")?;
    let goal = goal(session, arguments, &target.node, &relations)?;
    // A long expression that was just typed is not repeated.
    let is_said = target.taken || session.is_named(&target.node);
    let before = target.node.data();
    let mut found = watched(session, MOST_MINIMIZE_PASSES, |session, watch| {
        minimize(session, &goal, watch)
    })?;
    let Some(mut verdict) = found.verdict else {
        let at = missed(session, &goal.leaves, &found.point, &relations);
        let message = format!("no point found where the constraints hold: nearest is {at}");
        return Err(Diagnostic::new(message)
            .at(whole(&relations))
            .help("they may contradict each other; `:set` a leaf to begin elsewhere"));
    };
    let mut notes = target.notes;
    notes.extend(more);
    notes.extend(session.moved_lists(&goal.target, &goal.leaves));
    let point = std::mem::take(&mut found.point);
    let outcome = FoundPoint {
        leaves: &goal.leaves,
        point: &point,
        interrupted: found.interrupted,
        widths: None,
        notes,
    };
    Ok(outcome.settle(session, |session, moved| {
        // At a kink small slopes say nothing of the kind of point.
        if matches!(verdict, Verdict::Minimum | Verdict::Flat)
            && kink_below(&goal.target, Node::is_free).is_some()
        {
            verdict = Verdict::Kink;
        }
        let mut line = if is_said {
            say!("{:name}: ", session.label(&goal.target))
        } else {
            Line::new()
        };
        line.extend(change(before, found.value));
        if relations.is_empty() || verdict != Verdict::Minimum {
            line.extend(dim(say!("   ({})", told(verdict).1)));
        }
        let slopes: Vec<Cell> = found.slopes.iter().copied().map(Cell::Number).collect();
        let table = moved.table(session, Some((Column::new("grad", "grad"), &slopes)));
        let mut blocks = vec![Block::Table(table), Block::Line(line)];
        let prices = relations.iter().zip(&found.multipliers);
        let prices: Vec<f64> = prices
            .map(|(relation, press)| price(relation, *press))
            .collect();
        let rows = constraints(&relations, &prices);
        blocks.extend(rows.into_iter().map(Block::Line));
        let constraint = |(relation, price): (&Relation, &f64)| {
            Fact::Record(vec![
                ("constraint", Fact::Text(relation.said.clone())),
                ("sign", Fact::Text(relation.sign.spelling().to_owned())),
                ("value", Fact::Number(relation.left.data())),
                ("limit", Fact::Number(relation.right.data())),
                ("price", Fact::Number(*price)),
            ])
        };
        let constraints = relations.iter().zip(&prices).map(constraint);
        let facts = vec![
            ("root", Fact::Text(session.label(&goal.target))),
            ("before", Fact::Number(before)),
            ("after", Fact::Number(found.value)),
            ("verdict", Fact::Text(told(verdict).0.to_owned())),
            ("steepest", Fact::Number(found.steepest)),
            ("passes", Fact::Count(found.passes)),
            ("constraints", Fact::List(constraints.collect())),
        ];
        Report::new(COMMAND.name, facts, blocks)
    }))
}

/// What is asked for; an error if there can be no answer.
fn goal(
    session: &mut Session,
    arguments: &Arguments,
    target: &Rc<Node>,
    relations: &[Relation],
) -> Result<Goal, Diagnostic> {
    let word = arguments.stretch("T").unwrap_or(arguments.word);
    let below = Order::below([target]);
    free_leaves(session, &below, &session.label(target)).map_err(|error| error.at(word))?;
    let sides = relations.iter().flat_map(|it| [&it.left, &it.right]);
    let all = Order::below(std::iter::once(target).chain(sides));
    let leaves = free_leaves(session, &all, "")?;
    check_finite(session, target, word)?;
    check_relations(session, relations, &leaves)?;
    let minus = ops::operator("-", Shape::Infix).expect("there is subtraction");
    let mut constraints = Vec::new();
    for relation in relations {
        let (mut larger, mut smaller) = (&relation.left, &relation.right);
        if relation.sign == Sign::AtLeast {
            std::mem::swap(&mut larger, &mut smaller);
        }
        let sides = [larger, smaller].map(|side| Value::from(Rc::clone(side)));
        let excess = session.operation(minus, sides.to_vec(), relation.span)?;
        constraints.push(Constraint {
            excess: excess.nodes()[0].clone(),
            is_equation: relation.sign == Sign::Equal,
        });
    }
    Ok(Goal {
        target: Rc::clone(target),
        leaves,
        constraints,
    })
}

/// What one more of the right side of a relation adds to the target, given what one less of its excess adds.
fn price(relation: &Relation, press: f64) -> f64 {
    match relation.sign {
        _ if press == 0.0 => 0.0,
        Sign::AtLeast => press,
        Sign::Equal | Sign::AtMost => -press,
    }
}

/// A line for each constraint; of many only those that press.
fn constraints(relations: &[Relation], prices: &[f64]) -> Vec<Line> {
    let mut rows: Vec<(&Relation, f64)> = relations.iter().zip(prices.iter().copied()).collect();
    let presses =
        |(relation, price): &(&Relation, f64)| relation.sign == Sign::Equal || *price != 0.0;
    if rows.len() > MOST_ROWS {
        rows.retain(presses);
        rows.truncate(MOST_ROWS);
    }
    let width = rows
        .iter()
        .map(|(relation, _)| relation.said.chars().count())
        .max();
    let mut lines: Vec<Line> = Vec::new();
    for row in &rows {
        let (relation, price) = row;
        let name = format!("{:<1$}", relation.said, width.unwrap_or(0));
        lines.push(if presses(row) {
            say!("  {:typed}   holds, price {:short}", name, *price)
        } else {
            let slack = (relation.left.data() - relation.right.data()).abs();
            say!("  {:typed}   holds, slack {:short}", name, slack)
        });
    }
    if relations.len() > rows.len() {
        lines.push(say!("  … and {} more hold", relations.len() - rows.len()));
    }
    lines
}

/// The most constraints that are told one by one.
const MOST_ROWS: usize = 8;

/// A verdict in JSON and in words.
fn told(verdict: Verdict) -> (&'static str, &'static str) {
    match verdict {
        Verdict::Minimum => ("minimum", "a minimum"),
        Verdict::Flat => (
            "flat",
            "level, and perhaps no minimum: a saddle or a flat point",
        ),
        Verdict::Kink => ("kink", "at a kink, where slopes jump"),
        Verdict::Edge => ("edge", "at the edge of where it is defined"),
        Verdict::Endless => ("endless", "no minimum: it falls without end"),
        Verdict::Stopped => ("stopped", "stopped: slopes remain"),
    }
}

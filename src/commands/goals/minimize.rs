//! `:minimize T [where C, …] [likelihood]`: sets the free leaves to the values at which T is smallest.
//!
//! `study::goals` searches; this file reads the problem and describes the point that was found.

use std::rc::Rc;

use super::leaf_search::{
    FoundPoint, check_finite, check_free, check_lists, check_relations, describe_miss,
    describe_point, found_widths, free_leaves, measured_note, moved_table, run_search,
    sigma_column, six_digits, unknown_effect_note,
};
use crate::commands::args::relations::Relation;
use crate::commands::prelude::*;
use crate::commands::signatures::minimize::{ALL, LIKELIHOOD, SIGNATURE, T, WHERE};
use crate::session::Widths;
use crate::session::values::Value;
use crate::study::goals::{
    Goal, MOST_MINIMIZE_PASSES, Minimum, PointKind, apply, kink_below, minimize, of_likelihood,
    slopes_of_minimum, unmoved_leaves,
};
use chainrule_engine::graph::{Node, Order};
use chainrule_language::RelationSign;
use chainrule_report::{Block, Cell, Column, Fact, Line, Note, Report, change, dim, say};

pub(crate) static COMMAND: Command = Command::new(SIGNATURE, run, &[]);

fn run(session: &mut Session, arguments: &Arguments) -> Result<Reply, Diagnostic> {
    let target = arguments.moved_target(session, T)?;
    let (relations, more) = arguments.relations(session, WHERE)?;
    let sides = relations.iter().flat_map(|it| [&it.left, &it.right]);
    let order = Order::below(std::iter::once(&target.node).chain(sides));
    check_lists(session, arguments, ALL, (&target.node, &order))?;
    let goal = goal(session, arguments, &target.node, &relations, &order)?;
    // The answer does not repeat a long expression that was just typed.
    let is_said = target.is_default || session.is_named(&target.node);
    let before = target.node.data();
    let found = run_search(
        session,
        &goal.roots,
        &goal.leaves,
        MOST_MINIMIZE_PASSES,
        |session, watch| minimize(session, &goal, watch),
    )?;
    let mut verdict = match found.verdict {
        Some(PointKind::Endless) => return Err(endless_error(session, arguments, &goal, &found)),
        Some(verdict) => verdict,
        None => {
            let at = describe_miss(session, &goal.leaves, &found.point.x, &relations);
            let message = format!("no point found where the constraints hold: nearest is {at}");
            return Err(Diagnostic::new(message)
                .at(arguments.place(WHERE))
                .help("they may contradict each other; `:set` a leaf to begin elsewhere"));
        }
    };
    let mut notes = target.notes;
    notes.extend(more);
    notes.extend(measured_note(session, &goal.leaves));
    let mut widths = Widths::new();
    if arguments.has(LIKELIHOOD) {
        let is_minimum = verdict == PointKind::Minimum;
        let known = is_minimum.then(|| of_likelihood(session, &goal, &found));
        let unknown = "no ±: the second derivatives do not show a minimum here";
        match known.flatten() {
            Some(known) => {
                widths = known;
                let below = unmoved_leaves(&goal.roots, &goal.leaves);
                notes.extend(unknown_effect_note(session, &below));
            }
            None => notes.push(Note::new(say!("{}", unknown))),
        }
    } else if verdict == PointKind::Minimum {
        let at = (&goal.leaves[..], &found.point.x[..]);
        widths = found_widths(session, &goal.roots, at, &mut notes, |session, sources| {
            slopes_of_minimum(session, &goal, &found, sources)
        });
    }
    let outcome = FoundPoint {
        leaves: &goal.leaves,
        point: &found.point.x,
        is_interrupted: found.is_interrupted,
        widths,
        notes,
    };
    let (value, slopes) = (found.point.value, &found.point.slopes);
    let reply = outcome.move_leaves(session, |session, starts| {
        // At a kink small slopes say nothing about the kind of point.
        if matches!(verdict, PointKind::Minimum | PointKind::Flat)
            && kink_below(&goal.roots[0], Node::is_free).is_some()
        {
            verdict = PointKind::Kink;
        }
        let (word, meaning) = verdict_words(verdict);
        let said = is_said.then(|| say!("{:name}: ", session.label(&goal.roots[0])));
        let mut line = said.unwrap_or_default();
        line.extend(change(before, value));
        if relations.is_empty() || verdict != PointKind::Minimum {
            line.extend(dim(say!("   ({})", meaning)));
        }
        let slopes: Vec<Cell> = slopes.iter().copied().map(Cell::Number).collect();
        let more = sigma_column(session, &goal.leaves).into_iter();
        let more = more.chain([(Column::new("grad", "grad"), slopes)]);
        let table = moved_table(session, &goal.leaves, starts, more);
        let mut blocks = vec![Block::Table(table), Block::Line(line)];
        let prices = relations.iter().zip(&found.multipliers);
        let prices: Vec<f64> = prices
            .map(|(relation, press)| price(relation, *press))
            .collect();
        let rows = constraint_lines(&relations, &prices);
        blocks.extend(rows.into_iter().map(Block::Line));
        let constraint = |(relation, price): (&Relation, &f64)| {
            vec![
                ("constraint", Fact::Text(relation.text.clone())),
                ("sign", relation.sign.spelling().into()),
                ("value", relation.left.data().into()),
                ("limit", relation.right.data().into()),
                ("price", (*price).into()),
            ]
        };
        let constraints = relations.iter().zip(&prices).map(constraint);
        let facts = vec![
            ("root", session.label(&goal.roots[0]).into()),
            ("before", before.into()),
            ("after", value.into()),
            ("verdict", Fact::Text(word.to_owned())),
            ("steepest", found.steepest.into()),
            ("passes", Fact::Count(found.passes)),
            ("constraints", constraints.collect()),
        ];
        Report::new(COMMAND.name, facts, blocks)
    });
    if target.is_default {
        session.save_target(arguments.word.end as usize, "", &target.node);
    }
    Ok(reply)
}

/// The error for a target that falls without end. It proposes a bound for the leaf that went farthest.
fn endless_error(
    session: &Session,
    arguments: &Arguments,
    goal: &Goal,
    found: &Minimum,
) -> Diagnostic {
    let label = session.label(&goal.roots[0]);
    let value = six_digits(found.point.value);
    let at = describe_point(session, &goal.leaves, &found.point.x);
    let ways = goal.leaves.iter().zip(&found.point.x);
    let ways = ways.map(|(leaf, end)| (leaf, end - leaf.data()));
    let farthest = ways.max_by(|one, other| one.1.abs().total_cmp(&other.1.abs()));
    let (leaf, way) = farthest.expect("there is a leaf to move");
    let most = 10.0 * leaf.data().abs().max(1.0);
    let bound = six_digits(leaf.data() + (0.5 * way).clamp(-most, most));
    let sign = if way > 0.0 { "<=" } else { ">=" };
    let [typed, constraints] = [T, WHERE].map(|name| arguments.span_of(name));
    let target = typed.map_or(&*label, |typed| typed.of(arguments.text));
    let constraints = constraints.map(|typed| format!("{}, ", typed.of(arguments.text)));
    let message = format!("no smallest value found: `{label}` is {value} at {at}, and still falls");
    let all = if arguments.has(ALL) { " all" } else { "" };
    let help = format!(
        "as in `:minimize {target} where {}{} {sign} {bound}{all}`",
        constraints.unwrap_or_default(),
        session.label(leaf)
    );
    Diagnostic::new(message)
        .at(typed.unwrap_or(arguments.word))
        .help(help)
}

/// The problem; an error if it can have no answer. `order` is that of the target and the relations.
fn goal(
    session: &mut Session,
    arguments: &Arguments,
    target: &Rc<Node>,
    relations: &[Relation],
    order: &Order,
) -> Result<Goal, Diagnostic> {
    let word = arguments.place(T);
    check_free(session, target, word)?;
    let leaves = free_leaves(order);
    check_finite(session, target, word)?;
    check_relations(session, relations, &leaves)?;
    let mut roots = vec![Rc::clone(target)];
    for relation in relations {
        let (mut larger, mut smaller) = (&relation.left, &relation.right);
        if relation.sign == RelationSign::AtLeast {
            std::mem::swap(&mut larger, &mut smaller);
        }
        let sides = [larger, smaller].map(|side| Value::from(Rc::clone(side)));
        let excess = apply(session, "-", sides.to_vec())?;
        roots.extend_from_slice(excess.nodes());
    }
    let equations = relations.iter().map(|it| it.sign == RelationSign::Equal);
    Ok(Goal {
        leaves,
        roots,
        equations: equations.collect(),
    })
}

/// How much the target grows with the right side of a relation. `press` is how much it grows as the excess shrinks.
fn price(relation: &Relation, press: f64) -> f64 {
    match relation.sign {
        _ if press == 0.0 => 0.0,
        RelationSign::AtLeast => press,
        RelationSign::Equal | RelationSign::AtMost => -press,
    }
}

/// A line for each constraint, or if they are many for those that press.
fn constraint_lines(relations: &[Relation], prices: &[f64]) -> Vec<Line> {
    let mut rows: Vec<(&Relation, f64)> = relations.iter().zip(prices.iter().copied()).collect();
    let presses = |(relation, price): &(&Relation, f64)| {
        relation.sign == RelationSign::Equal || *price != 0.0
    };
    if rows.len() > MOST_ROWS {
        rows.retain(presses);
        rows.truncate(MOST_ROWS);
    }
    let lengths = rows
        .iter()
        .map(|(relation, _)| relation.text.chars().count());
    let width = lengths.max().unwrap_or(0);
    let line = |row: &(&Relation, f64)| {
        let slack = (row.0.left.data() - row.0.right.data()).abs();
        let (what, number) = if presses(row) {
            ("price", row.1)
        } else {
            ("slack", slack)
        };
        let name = format!("{:<width$}", row.0.text);
        say!("  {:typed}   holds, {} {:short}", name, what, number)
    };
    let mut lines: Vec<Line> = rows.iter().map(line).collect();
    if relations.len() > rows.len() {
        lines.push(say!("  … and {} more hold", relations.len() - rows.len()));
    }
    lines
}

/// The most constraints that have a line each.
const MOST_ROWS: usize = 8;

/// A verdict in JSON and in words.
fn verdict_words(verdict: PointKind) -> (&'static str, &'static str) {
    match verdict {
        PointKind::Minimum => ("minimum", "a minimum"),
        PointKind::Flat => (
            "flat",
            "level, and perhaps no minimum: a saddle or a flat point",
        ),
        PointKind::Kink => ("kink", "at a kink, where slopes jump"),
        PointKind::Edge => ("edge", "at the edge of where it is defined"),
        PointKind::Stopped | PointKind::Endless => ("stopped", "stopped: slopes remain"),
    }
}

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

/// The most constraints that have a line each.
const MOST_ROWS: usize = 8;

pub(crate) static COMMAND: Command = Command::new(SIGNATURE, run, &[]);

fn run(session: &mut Session, arguments: &Arguments) -> Result<Reply, Diagnostic> {
    let target = arguments.moved_target(session, T)?;
    let (relations, relation_notes) = arguments.relations(session, WHERE)?;
    let sides = relations.iter().flat_map(|it| [&it.left, &it.right]);
    let order = Order::below(std::iter::once(&target.node).chain(sides));
    check_lists(session, arguments, ALL, &target.node, &order)?;
    let goal = goal(session, arguments, &target.node, &relations, &order)?;
    // The answer does not repeat a long expression that was just typed.
    let is_labelled = target.is_default || session.is_named(&target.node);
    let before = target.node.data();
    let (roots, leaves) = (&goal.roots, &goal.leaves);
    let found = run_search(
        session,
        roots,
        leaves,
        MOST_MINIMIZE_PASSES,
        |session, watch| minimize(session, &goal, watch),
    )?;
    let verdict = match found.verdict {
        Some(PointKind::Endless) => return Err(endless_error(session, arguments, &goal, &found)),
        Some(verdict) => verdict,
        None => {
            let nearest = describe_miss(session, leaves, &found.point.x, &relations);
            let message =
                format!("no point found where the constraints hold: nearest is {nearest}");
            return Err(Diagnostic::new(message)
                .at(arguments.place(WHERE))
                .help("they may contradict each other; `:set` a leaf to begin elsewhere"));
        }
    };
    let mut notes = target.notes;
    notes.extend(relation_notes);
    notes.extend(measured_note(session, leaves));
    let widths = if arguments.has(LIKELIHOOD) {
        likelihood_widths(session, &goal, &found, &mut notes)
    } else if verdict == PointKind::Minimum {
        let slopes = |current: &mut Session, sources: &[Rc<Node>]| {
            slopes_of_minimum(current, &goal, &found, sources)
        };
        found_widths(session, roots, leaves, &found.point.x, &mut notes, slopes)
    } else {
        Widths::new()
    };
    let outcome = FoundPoint {
        leaves,
        point: &found.point.x,
        is_interrupted: found.is_interrupted,
        widths,
        notes,
    };
    let mut answer = Answer {
        goal: &goal,
        relations: &relations,
        found: &found,
        verdict,
        before,
        is_labelled,
    };
    let reply = outcome.move_leaves(session, |session, starts| {
        answer.verdict = verdict_at_kinks(&goal, verdict);
        answer.report(session, starts)
    });
    if target.is_default {
        session.save_target(arguments.name_span.end as usize, "", &target.node);
    }
    Ok(reply)
}

/// The uncertainties of leaves at the minimum of a negative log-likelihood, with notes on the `±` that they leave out.
fn likelihood_widths(
    session: &mut Session,
    goal: &Goal,
    found: &Minimum,
    notes: &mut Vec<Note>,
) -> Widths {
    let is_minimum = found.verdict == Some(PointKind::Minimum);
    let widths = is_minimum.then(|| of_likelihood(session, goal, found));
    let Some(widths) = widths.flatten() else {
        let unknown = "no ±: the second derivatives do not show a minimum here";
        notes.push(Note::new(say!("{}", unknown)));
        return Widths::new();
    };
    let others = unmoved_leaves(&goal.roots, &goal.leaves);
    notes.extend(unknown_effect_note(session, &others));
    widths
}

/// The verdict once the leaves have moved: at a kink small slopes say nothing about the kind of point.
fn verdict_at_kinks(goal: &Goal, verdict: PointKind) -> PointKind {
    let has_small_slopes = matches!(verdict, PointKind::Minimum | PointKind::Flat);
    if has_small_slopes && kink_below(&goal.roots[0], Node::is_free).is_some() {
        return PointKind::Kink;
    }
    verdict
}

/// The point that was found, for the report.
struct Answer<'a> {
    goal: &'a Goal,
    relations: &'a [Relation],
    found: &'a Minimum,
    verdict: PointKind,
    /// The target before.
    before: f64,
    is_labelled: bool,
}

impl Answer<'_> {
    fn report(&self, session: &Session, starts: &[f64]) -> Report {
        let (found, leaves) = (self.found, &self.goal.leaves);
        let root = session.label(&self.goal.roots[0]);
        let (word, meaning) = verdict_words(self.verdict);
        let mut line = Line::new();
        if self.is_labelled {
            line.extend(say!("{:name}: ", &root));
        }
        line.extend(change(self.before, found.point.value));
        if self.relations.is_empty() || self.verdict != PointKind::Minimum {
            line.extend(dim(say!("   ({})", meaning)));
        }
        let slopes = found.point.slopes.iter().copied().map(Cell::Number);
        let slopes = (Column::new("grad", "grad"), slopes.collect());
        let columns = sigma_column(session, leaves).into_iter().chain([slopes]);
        let table = moved_table(session, leaves, starts, columns);
        let prices = self.relations.iter().zip(&found.multipliers);
        let prices: Vec<f64> = prices
            .map(|(relation, press)| price(relation, *press))
            .collect();
        let mut blocks = vec![Block::Table(table), Block::Line(line)];
        let lines = constraint_lines(self.relations, &prices);
        blocks.extend(lines.into_iter().map(Block::Line));
        let constraints = self.relations.iter().zip(&prices);
        let facts = vec![
            ("root", root.into()),
            ("before", self.before.into()),
            ("after", found.point.value.into()),
            ("verdict", Fact::Text(word.to_owned())),
            ("steepest", found.steepest.into()),
            ("passes", Fact::Count(found.passes)),
            ("constraints", constraints.map(constraint_facts).collect()),
        ];
        Report::new(COMMAND.name, facts, blocks)
    }
}

fn constraint_facts((relation, price): (&Relation, &f64)) -> Vec<(&'static str, Fact)> {
    vec![
        ("constraint", Fact::Text(relation.text.clone())),
        ("sign", relation.sign.spelling().into()),
        ("value", relation.left.data().into()),
        ("limit", relation.right.data().into()),
        ("price", (*price).into()),
    ]
}

/// The error for a target that is unbounded below. It proposes a bound for the leaf that went farthest.
fn endless_error(
    session: &Session,
    arguments: &Arguments,
    goal: &Goal,
    found: &Minimum,
) -> Diagnostic {
    let label = session.label(&goal.roots[0]);
    let value = six_digits(found.point.value);
    let at = describe_point(session, &goal.leaves, &found.point.x);
    let leaves = goal.leaves.iter().zip(&found.point.x);
    let ways = leaves.map(|(leaf, end)| (leaf, end - leaf.data()));
    let farthest = ways.max_by(|one, other| one.1.abs().total_cmp(&other.1.abs()));
    let (leaf, way) = farthest.expect("there is a leaf to move");
    let most = 10.0 * leaf.data().abs().max(1.0);
    let bound = six_digits(leaf.data() + (0.5 * way).clamp(-most, most));
    let sign = if way > 0.0 { "<=" } else { ">=" };
    let typed = arguments.span_of(T);
    let target = typed.map_or(&*label, |span| span.of(arguments.text));
    let constraints = arguments.span_of(WHERE);
    let constraints = constraints.map_or(String::new(), |span| {
        format!("{}, ", span.of(arguments.text))
    });
    let all = if arguments.has(ALL) { " all" } else { "" };
    let message = format!("no smallest value found: `{label}` is {value} at {at}, and still falls");
    let help = format!(
        "as in `:minimize {target} where {constraints}{} {sign} {bound}{all}`",
        session.label(leaf)
    );
    Diagnostic::new(message)
        .at(typed.unwrap_or(arguments.name_span))
        .help(help)
}

/// Makes the goal, and refuses one without an answer. `order` is that of the target and the relations.
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

/// Returns how much the target grows with the right side of a relation. `press` is how much it grows as the excess
/// shrinks.
fn price(relation: &Relation, press: f64) -> f64 {
    match relation.sign {
        _ if press == 0.0 => 0.0,
        RelationSign::AtLeast => press,
        RelationSign::Equal | RelationSign::AtMost => -press,
    }
}

/// A line for each constraint; if there are many, for those that press.
fn constraint_lines(relations: &[Relation], prices: &[f64]) -> Vec<Line> {
    let mut rows: Vec<(&Relation, &f64)> = relations.iter().zip(prices).collect();
    let presses = |(relation, price): &(&Relation, &f64)| {
        relation.sign == RelationSign::Equal || **price != 0.0
    };
    if rows.len() > MOST_ROWS {
        rows.retain(presses);
        rows.truncate(MOST_ROWS);
    }
    let lengths = rows
        .iter()
        .map(|(relation, _)| relation.text.chars().count());
    let width = lengths.max().unwrap_or(0);
    let mut lines = Vec::new();
    for row in &rows {
        let (relation, price) = *row;
        let slack = (relation.left.data() - relation.right.data()).abs();
        let (word, number) = if presses(row) {
            ("price", *price)
        } else {
            ("slack", slack)
        };
        let text = format!("{:<width$}", relation.text);
        lines.push(say!("  {:typed}   holds, {} {:short}", text, word, number));
    }
    if relations.len() > rows.len() {
        lines.push(say!("  … and {} more hold", relations.len() - rows.len()));
    }
    lines
}

/// The word for a verdict in JSON, and its meaning in the answer.
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

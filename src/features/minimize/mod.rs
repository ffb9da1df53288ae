//! `:minimize T [where C, …] [likelihood]`: sets the free leaves to the values at which T is smallest.
//!
//! `search` searches. This file reads the problem, refuses one without an answer, and reports the point that was
//! found, with the prices of its constraints. The page is `docs/commands/minimize.md`.

mod search;

use self::search::{MOST_PASSES, Minimum, minimize, of_likelihood, slopes_of_minimum};
use crate::command::args::relations::Relation;
use crate::command::node_table::TableNode;
use crate::command::prelude::*;
use crate::command::signatures::minimize::{ALL, LIKELIHOOD, SIGNATURE, T, WHERE, WRT};
use crate::search::bfgs::PointKind;
use crate::search::checks::{
    check_finite, check_free, check_lists, check_relations, index_of, leaves_to_move,
};
use crate::search::implicit::unmoved_leaves;
use crate::search::leaf_search::{
    FoundPoint, bind_new_leaves, found_widths, moved_rows, new_leaves_note, run_search, with_sigmas,
};
use crate::search::leaf_texts::{
    describe_miss, describe_point, held_data_note, unknown_effect_note, with_digits,
    with_table_digits,
};
use crate::search::penalties::Goal;
use crate::search::{SearchWatch, apply, kink_below};
use chainrule_language::RelationSign;
use chainrule_program::values::Value;
use chainrule_report::characters::is_letter_name;
use chainrule_report::{ask_numbers, change};
use chainrule_session::Widths;

/// The most constraints that have a line each.
const MOST_ROWS: usize = 8;

pub(crate) static COMMAND: Command = Command::new(SIGNATURE, run, &[]);

fn run(session: &mut Session, arguments: &Arguments) -> Result<Reply> {
    // What cannot be read is refused below. The letters of an expression become leaves.
    let typed = language::expression(arguments.text, arguments.place(T)).unwrap_or_default();
    let names = typed.names().into_iter().map(|(name, _)| name);
    let is_letter = |name: &&str| typed.items.len() > 1 && is_letter_name(name);
    let letters: Vec<&str> = names.filter(is_letter).collect();
    let new_leaves = bind_new_leaves(session, &letters);
    let target = arguments.moved_target(session, T)?;
    let mut notes = target.notes;
    notes.extend(new_leaves_note(session, &new_leaves, "1"));
    let relations = arguments.relations(session, WHERE, &mut notes)?;
    let goal = read_goal(session, arguments, &target.node, &relations)?;
    // The answer does not repeat a long expression that was just typed.
    let is_labelled = target.is_default || session.names().has_any(&target.node);
    let before = target.node.data();
    let search = |of: &mut Session, watch: SearchWatch| minimize(of, &goal, watch);
    let (roots, leaves) = (&goal.roots, &goal.leaves);
    let found = run_search(session, roots, leaves, MOST_PASSES, search)?;
    let verdict = match found.verdict {
        Some(PointKind::Endless) => return Err(endless_error(session, arguments, &goal, &found)),
        Some(verdict) => verdict,
        None => {
            let nearest = describe_miss(session, leaves, &found.point.x, &relations);
            let message =
                format!("no point found where the constraints hold: nearest is {nearest}");
            let help = "they may contradict each other; `:set` a leaf to begin elsewhere";
            let span = arguments.place(WHERE);
            return Err(Diagnostic::new(message).at(span).help(help));
        }
    };
    if !arguments.has(WRT) {
        notes.extend(held_data_note(session, &unmoved_leaves(roots, leaves)));
    }
    let widths = widths_of(session, arguments, &goal, &found, &mut notes);
    let outcome = FoundPoint {
        leaves,
        point: &found.point.x,
        is_interrupted: found.is_interrupted,
        widths,
        notes,
    };
    let answer = Answer {
        goal: &goal,
        relations: &relations,
        found: &found,
        verdict_of_search: verdict,
        before,
        is_labelled,
    };
    let reply = outcome.move_leaves(session, |session, starts| answer.report(session, starts));
    session.note_shown(&target.node, leaves);
    if target.is_default {
        session.save_target(arguments.name_span.end as usize, "", &target.node);
    }
    Ok(reply)
}

/// Returns the uncertainties of the leaves that were found. Only those at a minimum are known, unless the target is a
/// likelihood: then a note says why they are missing.
fn widths_of(
    session: &mut Session,
    arguments: &Arguments,
    goal: &Goal,
    found: &Minimum,
    notes: &mut Vec<Note>,
) -> Widths {
    if arguments.has(LIKELIHOOD) {
        return likelihood_widths(session, goal, found, notes);
    }
    if found.verdict != Some(PointKind::Minimum) {
        return Widths::new();
    }
    let slopes = |current: &mut Session, sources: &[Rc<Node>]| {
        slopes_of_minimum(current, goal, found, sources)
    };
    let (roots, leaves) = (&goal.roots, &goal.leaves);
    found_widths(session, roots, leaves, &found.point.x, notes, slopes)
}

/// Returns the uncertainties of leaves at the minimum of a negative log-likelihood, which follow from its second
/// derivatives. Adds a note if they show no minimum, and one on other leaves whose `±` does not count.
fn likelihood_widths(
    session: &mut Session,
    goal: &Goal,
    found: &Minimum,
    notes: &mut Vec<Note>,
) -> Widths {
    let is_minimum = found.verdict == Some(PointKind::Minimum);
    let widths = is_minimum.then(|| of_likelihood(session, goal, found));
    let Some(widths) = widths.flatten() else {
        let line = say!("no ±: the second derivatives do not show a minimum here");
        notes.push(Note::new(line));
        return Widths::new();
    };
    let others = unmoved_leaves(&goal.roots, &goal.leaves);
    notes.extend(unknown_effect_note(session, &others));
    widths
}

/// The data of the report.
struct Answer<'a> {
    goal: &'a Goal,
    relations: &'a [Relation],
    found: &'a Minimum,
    verdict_of_search: PointKind,
    /// The value of the target before the leaves moved.
    before: f64,
    /// Whether the answer names the target.
    is_labelled: bool,
}

impl Answer<'_> {
    /// Makes the report after the leaves have moved from `starts`.
    fn report(&self, session: &Session, starts: &[f64]) -> Report {
        let (found, leaves) = (self.found, &self.goal.leaves);
        let root = session.label(&self.goal.roots[0]);
        let mut verdict = self.verdict_of_search;
        let has_small_slopes = matches!(verdict, PointKind::Minimum | PointKind::Flat);
        // Small slopes do not show a minimum then: the slopes on the other side of the kink may be large.
        let moves = |leaf: &Rc<Node>| index_of(leaf, leaves).is_some();
        if has_small_slopes && kink_below(&self.goal.roots[0], moves).is_some() {
            verdict = PointKind::Kink;
        }
        let (word, meaning) = verdict_words(verdict);
        let rows = moved_rows(session, leaves, starts);
        let grad = |row: &TableNode| Cell::Number(found.point.slopes[row.place]);
        let table = with_sigmas(rows, session, leaves)
            .column(Column::new("grad", "grad").as_asked(), grad)
            .names(session)
            .table("rows");
        let mut line = Line::new();
        if self.is_labelled {
            line.extend(say!("{:name}: ", &root));
        }
        line.extend(change(self.before, found.point.value));
        if self.relations.is_empty() || verdict != PointKind::Minimum {
            line.extend(dim(say!("   ({})", meaning)));
        }
        let mut blocks = vec![Block::Table(table), Block::Line(line)];
        let constraints = PricedConstraint::all(self.relations, &found.multipliers);
        blocks.extend(price_lines(&constraints).into_iter().map(Block::Line));
        let facts = vec![
            ("root", root.into()),
            ("before", self.before.into()),
            ("after", found.point.value.into()),
            ("verdict", word.into()),
            ("steepest", found.steepest.into()),
            ("passes", found.passes.into()),
            (
                "constraints",
                constraints.iter().map(PricedConstraint::facts).collect(),
            ),
        ];
        Report::new(&COMMAND, facts, blocks)
    }
}

/// The error for a target that is unbounded below. Its help repeats the command with a bound on the leaf that went
/// farthest.
fn endless_error(
    session: &Session,
    arguments: &Arguments,
    goal: &Goal,
    found: &Minimum,
) -> Diagnostic {
    let label = session.label(&goal.roots[0]);
    let value = with_table_digits(session, found.point.value);
    let point = describe_point(session, &goal.leaves, &found.point.x);
    let typed = arguments.span_of(T);
    let target = typed.map_or(&*label, |span| span.of(arguments.text));
    let constraints = arguments
        .span_of(WHERE)
        .map_or("", |it| it.of(arguments.text));
    let comma = if constraints.is_empty() { "" } else { ", " };
    let bound = proposed_bound(session, goal, found);
    let all = if arguments.has(ALL) { " all" } else { "" };
    let wrt = arguments.span_of(WRT).map_or_else(String::new, |leaves| {
        format!(" wrt {}", leaves.of(arguments.text))
    });
    let message =
        format!("no smallest value found: `{label}` is {value} at {point}, and still falls");
    let help = format!("as in `:minimize {target}{wrt} where {constraints}{comma}{bound}{all}`");
    Diagnostic::new(message)
        .at(typed.unwrap_or(arguments.name_span))
        .help(help)
}

/// Returns a bound on the leaf that went farthest in a search without an end: `x <= 10`.
fn proposed_bound(session: &Session, goal: &Goal, found: &Minimum) -> String {
    let leaves = goal.leaves.iter().zip(&found.point.x);
    let displacements = leaves.map(|(leaf, end)| (leaf, end - leaf.data()));
    let farthest = displacements.max_by(|(_, one), (_, other)| one.abs().total_cmp(&other.abs()));
    let (leaf, displacement) = farthest.expect("there is a leaf to move");
    // The bound lies halfway to the end of the search. But a search without an end may go to 1e100, so the bound is at
    // most ten times the leaf's data away, or 10 for small data.
    let farthest_bound = 10.0 * leaf.data().abs().max(1.0);
    let step = (0.5 * displacement).clamp(-farthest_bound, farthest_bound);
    let bound = with_digits(leaf.data() + step, 6);
    let sign = if displacement > 0.0 { "<=" } else { ">=" };
    format!("{} {sign} {bound}", session.label(leaf))
}

/// Makes the goal of a search. Refuses a target or a relation that no free leaf moves or that is not finite, and lists
/// that may be data. The first root of the goal is the target, the others are the excesses of the relations: by how much
/// the side that should be smaller is larger. [`PricedConstraint::all`] relies on this.
fn read_goal(
    session: &mut Session,
    arguments: &Arguments,
    target: &Rc<Node>,
    relations: &[Relation],
) -> Result<Goal> {
    let all_sides = relations.iter().flat_map(|it| [&it.left, &it.right]);
    let order = Order::below(std::iter::once(target).chain(all_sides));
    if !arguments.has(WRT) {
        check_lists(session, arguments, ALL, target, &order)?;
    }
    let target_span = arguments.place(T);
    check_free(session, target, target_span)?;
    let leaves = leaves_to_move(session, arguments, WRT, order.leaves(Node::is_free))?;
    check_finite(session, target, target_span)?;
    check_relations(session, relations, &leaves)?;
    let mut roots = vec![Rc::clone(target)];
    for relation in relations {
        let mut sides = [&relation.left, &relation.right].map(|side| Value::from(Rc::clone(side)));
        if relation.sign == RelationSign::AtLeast {
            sides.reverse();
        }
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

/// The word for a verdict in JSON, and its meaning in the answer.
fn verdict_words(verdict: PointKind) -> (&'static str, &'static str) {
    match verdict {
        PointKind::Minimum => ("minimum", "a minimum"),
        PointKind::Flat => (
            "flat",
            "level, and perhaps no minimum: a saddle or a flat point",
        ),
        PointKind::Kink => ("kink", "at a kink; perhaps not the minimum"),
        PointKind::Edge => ("edge", "at the edge of where it is defined"),
        PointKind::Stopped | PointKind::Endless => ("stopped", "stopped: slopes remain"),
    }
}

/// A constraint at the point that was found, with its price: the derivative of the smallest target by the right side of
/// the relation. It says how much more the target costs if that side becomes larger by 1.
struct PricedConstraint<'r> {
    relation: &'r Relation,
    price: f64,
}

impl<'r> PricedConstraint<'r> {
    /// The constraints of these relations. The slopes of the target plus each multiplier times its excess are 0, so a price
    /// is the multiplier times the slope of the excess by the right side. The excess is `right - left` for `>=`, and
    /// `left - right` otherwise.
    fn all(relations: &'r [Relation], multipliers: &[f64]) -> Vec<PricedConstraint<'r>> {
        let mut constraints = Vec::new();
        for (relation, &multiplier) in relations.iter().zip(multipliers) {
            let price = match relation.sign {
                // `-multiplier` would be printed as -0.
                _ if multiplier == 0.0 => 0.0,
                RelationSign::AtLeast => multiplier,
                RelationSign::Equal | RelationSign::AtMost => -multiplier,
            };
            constraints.push(PricedConstraint { relation, price });
        }
        constraints
    }

    fn is_active(&self) -> bool {
        self.relation.sign == RelationSign::Equal || self.price != 0.0
    }

    fn line(&self, width: usize) -> Line {
        let relation = self.relation;
        let slack = (relation.left.data() - relation.right.data()).abs();
        let (word, number) = if self.is_active() {
            ("price", ask_numbers(say!("{:short}", self.price)))
        } else {
            ("slack", say!("{:short}", slack))
        };
        let text = format!("{:<width$}", relation.text);
        say!("  {:typed}   holds, {} {}", text, word, number)
    }

    fn facts(&self) -> Vec<(&'static str, Fact)> {
        let relation = self.relation;
        vec![
            ("constraint", Fact::Text(relation.text.clone())),
            ("sign", relation.sign.spelling().into()),
            ("value", relation.left.data().into()),
            ("limit", relation.right.data().into()),
            ("price", self.price.into()),
        ]
    }
}

/// Returns a line for each constraint. If there are many, only active constraints have one.
fn price_lines(constraints: &[PricedConstraint]) -> Vec<Line> {
    let mut shown: Vec<&PricedConstraint> = constraints.iter().collect();
    if shown.len() > MOST_ROWS {
        shown.retain(|constraint| constraint.is_active());
        shown.truncate(MOST_ROWS);
    }
    let lengths = shown.iter().map(|it| it.relation.text.chars().count());
    let width = lengths.max().unwrap_or(0);
    let mut lines: Vec<Line> = shown.iter().map(|it| it.line(width)).collect();
    if constraints.len() > shown.len() {
        let others = constraints.len() - shown.len();
        lines.push(say!("  … and {} more hold", others));
    }
    lines
}

//! `:minimize T [where C, …]`: sets the free leaves to where T is least.
//!
//! `study::goals` searches; this file checks what is asked, and tells what kind of point was found.

use std::rc::Rc;

use super::search::{FoundPoint, check_finite, free_leaves, missed, watched};
use super::solve::whole;
use crate::commands::args::relations::{Relation, Sign};
use crate::commands::args::{Argument, ArgumentKind, Arguments};
use crate::commands::{Command, Group, Reply};
use crate::diagnostic::Diagnostic;
use crate::graph::{Node, Order};
use crate::report::{Block, Column, Fact, Line, Report, change, dim, say};
use crate::session::Session;
use crate::study::goals::{
    Constraint, FEW_LEAVES, Goal, MOST_MINIMIZE_PASSES, Minimum, Verdict, at_kink, minimize,
};
use crate::syntax::literal;

const CONSTRAINTS: &str = "C, …";

pub(crate) const COMMAND: Command = Command {
    name: "minimize",
    aliases: &["minimise"],
    group: Group::Goals,
    looks: false,
    entry: (":minimize L", "find the lowest point"),
    arguments: &[
        Argument::optional("T", ArgumentKind::Expression),
        Argument::after("where", CONSTRAINTS, ArgumentKind::Relations).means(
            "the constraints: `=`, `<=` or `>=` between two expressions, separated by commas",
        ),
    ],
    summary: "move the free leaves to where T is least",
    page: page!("commands/minimize"),
    run,
};

fn run(session: &mut Session, arguments: &Arguments) -> Result<Reply, Diagnostic> {
    let target = arguments.target(session, "T")?;
    let (relations, more) =
        arguments.relations(session, CONSTRAINTS, ":minimize T where x + y = 3")?;
    let goal = goal(session, arguments, &target.node, &relations)?;
    let is_named = session.is_named(&target.node);
    let before = target.node.data();
    let mut found = watched(session, MOST_MINIMIZE_PASSES, |session, watch| {
        minimize(session, &goal, watch)
    })?;
    let Some(mut verdict) = found.verdict else {
        let at = missed(
            session,
            &goal.leaves,
            &found.point,
            &relations,
            &found.sides,
        );
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
        if matches!(verdict, Verdict::Minimum | Verdict::Flat) && at_kink(&goal) {
            verdict = Verdict::Kink;
        }
        let mut line = if is_named {
            say!("{:name}: ", session.label(&goal.target))
        } else {
            Line::new()
        };
        line.extend(change(before, found.value));
        if relations.is_empty() || verdict != Verdict::Minimum {
            line.extend(dim(say!("   ({})", kind(verdict, &found))));
        }
        let slopes: Vec<Option<f64>> = found.slopes.iter().copied().map(Some).collect();
        let table = moved.table(session, Some((Column::new("grad", "grad"), &slopes)));
        let mut blocks = vec![Block::Table(table), Block::Line(line)];
        let rows = constraints(&relations, arguments.text, &found);
        blocks.extend(rows.into_iter().map(Block::Line));
        let facts = facts(session, &goal, &relations, before, &found, verdict);
        Report::new(COMMAND.name, facts, blocks)
    }))
}

/// What is asked for; an error if there can be no answer.
fn goal(
    session: &Session,
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
    check_finite(session, target, word, &leaves)?;
    for relation in relations {
        let sides = [&relation.left, &relation.right];
        for side in sides {
            check_finite(session, side, relation.span, &leaves)?;
        }
        free_leaves(session, &Order::below(sides), &relation.said)
            .map_err(|error| error.at(relation.span))?;
    }
    let constraint = |relation: &Relation| Constraint {
        left: Rc::clone(&relation.left),
        right: Rc::clone(&relation.right),
        direction: match relation.sign {
            Sign::Equal => None,
            Sign::AtMost => Some(1.0),
            Sign::AtLeast => Some(-1.0),
        },
    };
    Ok(Goal {
        target: Rc::clone(target),
        leaves,
        constraints: relations.iter().map(constraint).collect(),
    })
}

fn facts(
    session: &Session,
    goal: &Goal,
    relations: &[Relation],
    before: f64,
    found: &Minimum,
    verdict: Verdict,
) -> Vec<(&'static str, Fact)> {
    let constraint = |(place, relation): (usize, &Relation)| {
        let [value, limit] = found.sides[place];
        Fact::Record(vec![
            ("constraint", Fact::Text(relation.said.clone())),
            ("sign", Fact::Text(relation.sign.spelling().to_owned())),
            ("value", Fact::Number(value)),
            ("limit", Fact::Number(limit)),
            ("price", Fact::Number(found.prices[place])),
        ])
    };
    vec![
        ("root", Fact::Text(session.label(&goal.target))),
        ("before", Fact::Number(before)),
        ("after", Fact::Number(found.value)),
        ("verdict", Fact::Text(word(verdict).to_owned())),
        ("steepest", Fact::Number(found.steepest)),
        ("passes", Fact::Count(found.passes)),
        (
            "constraints",
            Fact::List(relations.iter().enumerate().map(constraint).collect()),
        ),
    ]
}

/// A line for each constraint, but only one for a long list of them.
fn constraints(relations: &[Relation], text: &str, found: &Minimum) -> Vec<Line> {
    let each = relations.iter().zip(&found.prices).zip(&found.sides);
    let each: Vec<_> = each.collect();
    let groups = each.chunk_by(|one, next| one.0.0.span == next.0.0.span);
    let mut rows: Vec<(&str, Line)> = Vec::new();
    for group in groups {
        if group.len() > MOST_ROWS {
            let prices = group.iter().map(|((_, price), _)| **price);
            let (least, most) = (prices.clone().reduce(f64::min), prices.reduce(f64::max));
            let said = say!(
                "all {} hold, at prices from {:short} to {:short}",
                group.len(),
                least.unwrap_or(0.0),
                most.unwrap_or(0.0)
            );
            rows.push((group[0].0.0.span.of(text), said));
            continue;
        }
        for ((relation, price), [left, right]) in group {
            let said = if relation.sign == Sign::Equal || **price != 0.0 {
                say!("holds, price {:short}", **price)
            } else {
                say!("holds, slack {:short}", (left - right).abs())
            };
            rows.push((&relation.said, said));
        }
    }
    let width = rows.iter().map(|(name, _)| name.chars().count()).max();
    let row = |(name, said): (&str, Line)| {
        let name = format!("{name:<0$}", width.unwrap_or(0));
        say!("  {:typed}   {}", name, said)
    };
    rows.into_iter().map(row).collect()
}

/// More items of a list are told together.
const MOST_ROWS: usize = 8;

/// The word for a verdict in JSON.
fn word(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Minimum => "minimum",
        Verdict::Flat => "flat",
        Verdict::Kink => "kink",
        Verdict::Edge => "edge",
        Verdict::Endless => "endless",
        Verdict::Stopped => "stopped",
    }
}

/// What kind of point was found.
fn kind(verdict: Verdict, found: &Minimum) -> String {
    let slopes = power_above(found.steepest);
    match verdict {
        Verdict::Minimum => format!("a minimum: every slope is below {slopes}"),
        Verdict::Flat => {
            let perhaps = if found.slopes.len() > FEW_LEAVES {
                "perhaps "
            } else {
                ""
            };
            format!(
                "{perhaps}a saddle or a flat point: every slope is below {slopes}, but no second derivatives show a minimum"
            )
        }
        Verdict::Kink => "at a kink, where slopes jump".to_string(),
        Verdict::Edge => "at the edge of where it is defined".to_string(),
        Verdict::Endless => "no minimum: it falls without end".to_string(),
        Verdict::Stopped => format!(
            "stopped after {} passes: slopes up to {slopes} remain",
            found.passes
        ),
    }
}

/// The power of ten above a slope, at least that of the search.
fn power_above(slope: f64) -> String {
    let exponent = slope.log10().floor() + 1.0;
    literal(10_f64.powf(exponent.max(-10.0)), false)
}

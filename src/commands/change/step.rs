//! `:step RATE`: gradient descent, which moves the free leaves below a root against their gradients, once or many
//! times, plain, with momentum or by Adam.
//!
//! The session does the descent; this file checks the arguments and makes the report.

use std::cmp::Ordering;
use std::rc::Rc;

use super::step_rates;
use crate::commands::goals::leaf_search::{check_free, check_lists, free_leaves, measured_note};
use crate::commands::node_table::{NodeTable, TableNode};
use crate::commands::prelude::*;
use crate::commands::signatures::step::{ADAM, ALL, K, MOMENTUM, OF, RATE, SIGNATURE};
use crate::session::{Descent, Mover, StepRule};
use chainrule_engine::graph::{Node, Order};
use chainrule_language::literal;
use chainrule_report::{
    Block, Cell, Column, Line, Note, Report, Table, change, count_text, dim, join, say,
};
use chainrule_stop as stop;

/// The most values along the way that people see.
const VALUES_SHOWN: usize = 5;

pub(crate) static COMMAND: Command = Command::new(SIGNATURE, run, &[]);

fn run(session: &mut Session, arguments: &Arguments) -> Result<Reply, Diagnostic> {
    let rates = step_rates::step_rates(session, arguments)?;
    let target = arguments.moved_target(session, OF)?;
    let (root, mut notes) = (target.node, target.notes);
    check_free(session, &root, arguments.word)?;
    let order = Order::below([&root]);
    check_lists(session, arguments, ALL, &root, &order)?;
    let moved = free_leaves(&order);
    session.check_guards(&[Rc::clone(&root)], Some(&moved), arguments.word)?;
    notes.extend(measured_note(session, &free_leaves(&order)));
    let rule = rule(session, arguments)?;
    let descent = session.descend(&root, &rates, rule);
    let too_far = too_far_sentence(session, &rates, &descent);
    if descent.steps == 0 {
        let span = arguments.word(RATE).map(|(_, span)| span);
        return Err(Diagnostic::new(too_far.unwrap_or_default())
            .at(span.unwrap_or(arguments.word))
            .help("a smaller rate takes shorter steps"));
    }
    if target.is_default {
        session.save_target(arguments.end(), " of", &root);
    }
    notes.extend(descent.note.clone());
    notes.extend(too_far.map(|it| Note::new(say!("{}", it))));
    let is_range = arguments.has(K);
    let report = || report(session, &rates, is_range, rule, &descent);
    // The steps already taken are kept after Ctrl-C, so their report is not interrupted again.
    let report = (!arguments.is_silenced).then(|| {
        if descent.is_interrupted {
            stop::run_to_end(report)
        } else {
            report()
        }
    });
    Ok(Reply {
        report,
        notes,
        is_interrupted: descent.is_interrupted,
        ..Reply::default()
    })
}

/// How the steps are made.
fn rule(session: &mut Session, arguments: &Arguments) -> Result<StepRule, Diagnostic> {
    match arguments.number(session, MOMENTUM)? {
        Some((share, _)) if (0.0..1.0).contains(&share) => Ok(StepRule::Momentum(share)),
        Some((_, span)) => {
            let message = format!("`{}` is no momentum", span.of(arguments.text));
            let help = "a number from 0 to 1, less than 1, is expected, as in `momentum 0.9`";
            Err(Diagnostic::new(message).at(span).help(help))
        }
        None if arguments.has(ADAM) => Ok(StepRule::Adam),
        None => Ok(StepRule::Plain),
    }
}

/// The sentence about a step that was not taken, because it would make a number NaN or infinite.
fn too_far_sentence(session: &Session, rates: &[f64], descent: &Descent) -> Option<String> {
    let (node, data) = descent.too_far.as_ref()?;
    let rate = literal(rates[descent.steps as usize], false);
    let (label, data) = (session.label(node), literal(*data, false));
    let step = descent.steps + 1;
    Some(format!(
        "step {step} would make {label} {data}: the rate {rate} is too large"
    ))
}

fn report(
    session: &Session,
    rates: &[f64],
    is_range: bool,
    rule: StepRule,
    descent: &Descent,
) -> Report {
    let (before, after) = (descent.values[0], descent.root.data());
    let wanted = rates.len() as u64;
    let taken = &rates[..descent.steps as usize];
    let rate = if is_range {
        taken.iter().copied().collect()
    } else {
        taken[0].into()
    };
    let direction = direction(before, after);
    let rule_text = match rule {
        StepRule::Plain => String::new(),
        StepRule::Momentum(share) => format!("momentum {share}"),
        StepRule::Adam => "adam".to_string(),
    };
    let is_plain = rule_text.is_empty();
    let mut facts = vec![
        ("root", session.label(&descent.root).into()),
        ("rate", rate),
        ("steps", descent.steps.into()),
        ("direction", direction.into()),
        ("before", before.into()),
        ("after", after.into()),
        ("values", descent.values.iter().copied().collect()),
    ];
    let remembered = match descent.earlier {
        _ if is_plain => String::new(),
        None => format!(", {rule_text}"),
        Some(0) => format!(", {rule_text} begins anew"),
        Some(earlier) => format!(", {rule_text} goes on after step {earlier}"),
    };
    if !is_plain {
        let earlier = descent.earlier.unwrap_or(0);
        facts.extend([("rule", rule_text.into()), ("earlier", earlier.into())]);
    }
    let count = match descent.steps {
        1 if wanted == 1 => String::new(),
        steps => {
            let [done, all] = [steps, wanted].map(count_text);
            match () {
                () if descent.is_interrupted => {
                    format!(", {done} of {all} steps, then interrupted")
                }
                () if steps < wanted => format!(", {done} of {all} steps"),
                () => format!(", {done} steps"),
            }
        }
    };
    let summary = say!(
        "{:name}: {}{}",
        session.label(&descent.root),
        change(before, after),
        dim(say!(
            "   ({}, rate {}{}{})",
            direction,
            rate_line(taken),
            remembered,
            count
        ))
    );
    let mut blocks = vec![
        Block::Table(table(session, taken, is_plain, descent)),
        Block::Line(summary),
    ];
    if descent.steps > 1 {
        blocks.push(Block::Line(values_line(&descent.values)));
    }
    Report {
        is_confirmation: true,
        ..Report::new("step", facts, blocks)
    }
}

/// The table of the leaves.
fn table(session: &Session, rates: &[f64], is_plain: bool, descent: &Descent) -> Table {
    let grad = if descent.steps > 1 {
        "first grad"
    } else {
        "grad"
    };
    let movers = &descent.movers;
    let leaves: Vec<Rc<Node>> = movers.iter().map(|it| Rc::clone(&it.leaf)).collect();
    let mover = |row: &TableNode| &movers[row.place];
    let moved = |mover: &Mover| match rates {
        [rate] if is_plain => -(rate * mover.grad),
        _ => mover.after - mover.before,
    };
    NodeTable::of(session, leaves)
        .id()
        .label(Column::new("node", "leaf"))
        .shape()
        // On a narrow screen the grad stays, since `before` follows from it.
        .column(Column::new("before", "before").rank(2), |row| {
            Cell::Distinct(mover(row).before, mover(row).after)
        })
        .column(Column::grads(grad), |row| Cell::Number(mover(row).grad))
        .column(Column::new("change", "change").rank(1), |row| {
            Cell::Number(moved(mover(row)))
        })
        .column(Column::new("after", "after"), |row| {
            Cell::Distinct(mover(row).after, mover(row).before)
        })
        .column(
            Column::new("new_grad", "new grad").with_sign().rank(3),
            |row| Cell::Number(mover(row).new_grad),
        )
        .names(session)
        .table("rows")
}

/// The direction in which the root went.
fn direction(before: f64, after: f64) -> &'static str {
    match before.partial_cmp(&after) {
        Some(Ordering::Less) => "up",
        Some(Ordering::Greater) => "down",
        // NaN is neither above nor below.
        _ => "unchanged",
    }
}

/// The rate, or the first and the last one.
fn rate_line(rates: &[f64]) -> Line {
    let (first, last) = (rates[0], rates[rates.len() - 1]);
    if rates.iter().any(|rate| *rate != first) {
        say!("{} … {}", first, last)
    } else {
        say!("{}", first)
    }
}

/// Some of the root's values along the way, evenly spread, the first and the last among them.
fn values_line(values: &[f64]) -> Line {
    let last = values.len() - 1;
    let count = values.len().min(VALUES_SHOWN);
    let between = if values.len() > count { " … " } else { ", " };
    let shown = (0..count).map(|place| values[place * last / (count - 1).max(1)]);
    let shown = shown.map(|value| say!("{:short}", value));
    dim(say!("along the way: {}", join(shown, between)))
}

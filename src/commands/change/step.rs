//! `:step RATE`: gradient descent. It moves the free leaves below a root against their gradients, once or many times,
//! plain, with momentum or by Adam.
//!
//! The session does the descent. This file checks the arguments and makes the report.

use std::cmp::Ordering;

use super::step_rates::step_rates;
use crate::commands::goals::leaf_texts::measured_note;
use crate::commands::goals::search_checks::{check_free, check_lists, free_leaves};
use crate::commands::node_table::{NodeTable, TableNode};
use crate::commands::prelude::*;
use crate::commands::signatures::step::{ADAM, ALL, K, MOMENTUM, OF, RATE, SIGNATURE};
use crate::session::{Descent, Mover, StepRule};
use chainrule_engine::graph::Order;
use chainrule_language::literal;
use chainrule_report::{change, count_text, dim, join};
use chainrule_stop as stop;

/// The most values of the root between the first and the last step that people see.
const VALUES_SHOWN: usize = 5;

pub(crate) static COMMAND: Command = Command::new(SIGNATURE, run, &[]);

fn run(session: &mut Session, arguments: &Arguments) -> Result<Reply, Diagnostic> {
    let asked_rates = step_rates(session, arguments)?;
    let target = arguments.moved_target(session, OF)?;
    let (root, mut notes) = (target.node, target.notes);
    check_free(session, &root, arguments.name_span)?;
    let order = Order::below([&root]);
    check_lists(session, arguments, ALL, &root, &order)?;
    let leaves = free_leaves(&order);
    session.check_guards(&[Rc::clone(&root)], Some(&leaves), arguments.name_span)?;
    notes.extend(measured_note(session, &leaves));
    let rule = read_rule(session, arguments)?;
    let descent = session.descend(&root, &asked_rates, rule);
    let too_far = too_far_sentence(session, &asked_rates, &descent);
    if descent.steps == 0 {
        // An interruption ends the steps only after the first one. So if there is none, it would have led too far.
        let span = arguments.first_word(RATE).map(|(_, span)| span);
        return Err(Diagnostic::new(too_far.unwrap_or_default())
            .at(span.unwrap_or(arguments.name_span))
            .help("a smaller rate takes shorter steps"));
    }
    if target.is_default {
        session.save_target(arguments.end(), " of", &root);
    }
    notes.extend(descent.note.clone());
    notes.extend(too_far.map(|it| Note::new(say!("{}", it))));
    let answer = StepAnswer {
        session,
        descent: &descent,
        wanted: asked_rates.len() as u64,
        rates: &asked_rates[..descent.steps as usize],
        is_range: arguments.has(K),
        rule,
    };
    // After Ctrl-C the session keeps the steps already taken, so the pending interruption must not stop the report.
    let report = || stop::run_to_end(|| answer.report());
    Ok(Reply {
        report: (!arguments.is_silenced).then(report),
        notes,
        is_interrupted: descent.is_interrupted,
        ..Reply::default()
    })
}

/// Reads how the steps are made.
fn read_rule(session: &mut Session, arguments: &Arguments) -> Result<StepRule, Diagnostic> {
    match arguments.number(session, MOMENTUM)? {
        Some((share, _)) if (0.0..1.0).contains(&share) => Ok(StepRule::Momentum(share)),
        Some((_, span)) => {
            let message = format!("`{}` is not a momentum", span.of(arguments.text));
            let help = "a number from 0 to 1, less than 1, is expected, as in `momentum 0.9`";
            Err(Diagnostic::new(message).at(span).help(help))
        }
        None if arguments.has(ADAM) => Ok(StepRule::Adam),
        None => Ok(StepRule::Plain),
    }
}

/// The sentence about a step that was not taken because it would make a number NaN or infinite.
fn too_far_sentence(session: &Session, rates: &[f64], descent: &Descent) -> Option<String> {
    let (node, data) = descent.too_far.as_ref()?;
    let rate = literal(rates[descent.steps as usize], false);
    let (label, data) = (session.label(node), literal(*data, false));
    let step = descent.steps + 1;
    Some(format!(
        "step {step} would make {label} {data}: the rate {rate} is too large"
    ))
}

/// The answer to one or more steps that were taken.
struct StepAnswer<'s> {
    session: &'s Session,
    descent: &'s Descent,
    /// The number of steps that were asked for.
    wanted: u64,
    /// The rates of the steps that were taken.
    rates: &'s [f64],
    /// Whether the rates follow from a range of `k`.
    is_range: bool,
    rule: StepRule,
}

impl StepAnswer<'_> {
    fn report(&self) -> Report {
        let descent = self.descent;
        let (before, after) = (descent.values[0], descent.root.data());
        let rate = if self.is_range {
            self.rates.iter().copied().collect()
        } else {
            self.rates[0].into()
        };
        let label = self.session.label(&descent.root);
        let mut facts = vec![
            ("root", label.clone().into()),
            ("rate", rate),
            ("steps", descent.steps.into()),
            ("direction", direction(before, after).into()),
            ("before", before.into()),
            ("after", after.into()),
            ("values", descent.values.iter().copied().collect()),
        ];
        if let Some(rule) = self.rule_text() {
            let earlier = descent.earlier.unwrap_or(0);
            facts.extend([("rule", rule.into()), ("earlier", earlier.into())]);
        }
        // `L: 4 → 3.9   (down, rate 0.01, momentum 0.9, 10 steps)`
        let details = say!(
            "   ({}, rate {}{}{})",
            direction(before, after),
            rates_line(self.rates),
            self.memory_text(),
            self.count_text()
        );
        let summary = say!("{:name}: {}{}", label, change(before, after), dim(details));
        let mut blocks = vec![Block::Table(self.table()), Block::Line(summary)];
        if descent.steps > 1 {
            blocks.push(Block::Line(values_line(&descent.values)));
        }
        Report {
            is_confirmation: true,
            ..Report::new("step", facts, blocks)
        }
    }

    /// The words for momentum or Adam.
    fn rule_text(&self) -> Option<String> {
        match self.rule {
            StepRule::Plain => None,
            StepRule::Momentum(share) => Some(format!("momentum {share}")),
            StepRule::Adam => Some("adam".to_string()),
        }
    }

    /// Momentum or Adam, and whether it remembers earlier steps: `, adam goes on after step 10`.
    fn memory_text(&self) -> String {
        let Some(rule) = self.rule_text() else {
            return String::new();
        };
        match self.descent.earlier {
            // The session has no steps by momentum or Adam yet, so there is nothing to begin anew.
            None => format!(", {rule}"),
            Some(0) => format!(", {rule} begins anew"),
            Some(earlier) => format!(", {rule} goes on after step {earlier}"),
        }
    }

    /// The number of steps, unless one was asked for: `, 7 of 10 steps`.
    fn count_text(&self) -> String {
        let [done, all] = [self.descent.steps, self.wanted].map(count_text);
        if self.wanted == 1 {
            String::new()
        } else if self.descent.is_interrupted {
            format!(", {done} of {all} steps, then interrupted")
        } else if self.descent.steps < self.wanted {
            format!(", {done} of {all} steps")
        } else {
            format!(", {done} steps")
        }
    }

    /// The table of the leaves.
    fn table(&self) -> Table {
        let has_several = self.descent.steps > 1;
        let grad = if has_several { "first grad" } else { "grad" };
        let movers = &self.descent.movers;
        let leaves: Vec<Rc<Node>> = movers.iter().map(|it| Rc::clone(&it.leaf)).collect();
        let mover = |row: &TableNode| &movers[row.place];
        NodeTable::of(self.session, leaves)
            .id()
            .label(Column::new("node", "leaf"))
            .shape()
            // On a narrow screen the grad stays, since `before` follows from it.
            .column(Column::new("before", "before").rank(2), |row| {
                Cell::Distinct(mover(row).before, mover(row).after)
            })
            .column(Column::grads(grad), |row| Cell::Number(mover(row).grad))
            .column(Column::new("change", "change").rank(1), |row| {
                Cell::Number(self.change_of(mover(row)))
            })
            .column(Column::new("after", "after"), |row| {
                Cell::Distinct(mover(row).after, mover(row).before)
            })
            .column(
                Column::new("new_grad", "new grad").with_sign().rank(3),
                |row| Cell::Number(mover(row).new_grad),
            )
            .names(self.session)
            .table("rows")
    }

    /// The change of a leaf. One plain step subtracts exactly the rate times the gradient before the data is rounded;
    /// the difference of the rounded data would be less exact.
    fn change_of(&self, mover: &Mover) -> f64 {
        match (self.rates, self.rule) {
            ([rate], StepRule::Plain) => -(rate * mover.grad),
            _ => mover.after - mover.before,
        }
    }
}

/// The direction in which the root has moved.
fn direction(before: f64, after: f64) -> &'static str {
    match before.partial_cmp(&after) {
        Some(Ordering::Less) => "up",
        Some(Ordering::Greater) => "down",
        // NaN is neither above nor below.
        _ => "unchanged",
    }
}

/// The rate, or the first and the last one if not all rates are equal.
fn rates_line(rates: &[f64]) -> Line {
    let (first, last) = (rates[0], rates[rates.len() - 1]);
    if rates.iter().any(|rate| *rate != first) {
        say!("{} … {}", first, last)
    } else {
        say!("{}", first)
    }
}

/// Evenly spaced values of the root, with the first and the last one. There must be at least one value.
fn values_line(values: &[f64]) -> Line {
    let last = values.len() - 1;
    let count = values.len().min(VALUES_SHOWN);
    let between = if values.len() > count { " … " } else { ", " };
    // A single value has no intervals, and `max` prevents a division by 0.
    let intervals = (count - 1).max(1);
    let indices = (0..count).map(|nth| nth * last / intervals);
    let shown = indices.map(|index| say!("{:short}", values[index]));
    dim(say!("along the way: {}", join(shown, between)))
}

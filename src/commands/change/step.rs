//! `:step RATE`: gradient descent. It moves the free leaves below a root against their gradients, once or many times,
//! plain, with momentum or by Adam.
//!
//! The session does the descent. This file checks the arguments and makes the report. The rates are one RATE for N steps,
//! or an expression RATE that is computed for each `k` of a range. `k` is a leaf while the rates are computed. Functions
//! that RATE calls still see the `k` of the session.

use std::cmp::Ordering;

use crate::command::args::existing::expression_at;
use crate::command::node_table::{NodeTable, TableNode};
use crate::command::prelude::*;
use crate::command::signatures::step::{ADAM, ALL, K, MOMENTUM, N, OF, RATE, SIGNATURE};
use crate::search::checks::{check_free, check_lists};
use crate::search::leaf_texts::moved_data_note;
use chainrule_language::{Expression, Head, Item, ItemKind, Literal, literal};
use chainrule_report::{ask_numbers, join, telling_change};
use chainrule_session::{Descent, Mover, StepRule};

/// The most steps of one statement. JSON writes the value of the root at each step, so memory has to hold all values.
pub const MOST_STEPS: u64 = 10_000_000;
/// A 64-bit float can represent every whole number up to this one.
const LARGEST_WHOLE: f64 = (1_u64 << 53) as f64;
/// The name of the number of a step.
const COUNTER: &str = "k";
/// The most values of the root between the first and the last step that people see.
const VALUES_SHOWN: usize = 5;

pub(crate) static COMMAND: Command = Command::new(SIGNATURE, run, &[]);

fn run(session: &mut Session, arguments: &Arguments) -> Result<Reply> {
    let asked_rates = step_rates(session, arguments)?;
    let target = arguments.moved_target(session, OF)?;
    let (root, mut notes) = (target.node, target.notes);
    check_free(session, &root, arguments.name_span)?;
    let order = Order::below([&root]);
    check_lists(session, arguments, ALL, &root, &order)?;
    let leaves = order.leaves(Node::is_free);
    session.check_guards(&[Rc::clone(&root)], Some(&leaves), arguments.name_span)?;
    notes.extend(moved_data_note(session, &leaves));
    let rule = read_rule(session, arguments)?;
    let descent = session.descend(&root, &asked_rates, rule);
    let too_far = too_far_sentence(session, &asked_rates, &descent);
    if descent.steps == 0 {
        // An interruption ends the steps only after the first one. So if there is none, it would have led too far.
        let span = arguments.first_word(RATE).map(|(_, span)| span);
        let help = match faulty_grad(&descent) {
            Some(mover) => format!(
                "`:explain {} of {}` shows where it comes from",
                session.label(&mover.leaf),
                session.label(&root)
            ),
            None => "a smaller rate takes shorter steps".to_string(),
        };
        return Err(Diagnostic::new(too_far.unwrap_or_default())
            .at(span.unwrap_or(arguments.name_span))
            .help(help));
    }
    if target.is_default {
        session.save_target(arguments.end(), " of", &root);
    }
    session.note_shown(&root, &leaves);
    notes.extend(descent.note.clone());
    notes.extend(too_far.map(|it| Note::new(say!("{}", it))));
    // After Ctrl-C the session keeps the steps already taken, so the pending interruption must not stop the report.
    let is_range = arguments.has(K);
    let report = || stop::run_to_end(|| report(session, &descent, &asked_rates, is_range, rule));
    Ok(Reply {
        report: (!arguments.is_silenced).then(report),
        notes,
        is_interrupted: descent.is_interrupted,
        ..Reply::default()
    })
}

/// Reads how the steps are made.
fn read_rule(session: &mut Session, arguments: &Arguments) -> Result<StepRule> {
    match arguments.number(session, MOMENTUM)? {
        Some((share, _)) if (0.0..1.0).contains(&share) => Ok(StepRule::Momentum(share)),
        Some((_, span)) => {
            let message = format!("`{}` is not a momentum", span.of(arguments.text));
            let help = "a number from 0 to 1, less than 1, is expected, as in `… momentum 0.9`";
            Err(Diagnostic::new(message).at(span).help(help))
        }
        None if arguments.has(ADAM) => Ok(StepRule::Adam),
        None => Ok(StepRule::Plain),
    }
}

/// The first leaf whose grad before the next step is NaN or infinite. No rate makes such a step possible.
fn faulty_grad(descent: &Descent) -> Option<&Mover> {
    let mut movers = descent.movers.iter();
    movers.find(|mover| !mover.new_grad.is_finite())
}

/// The sentence about a step that was not taken because it would make a number NaN or infinite.
fn too_far_sentence(session: &Session, rates: &[f64], descent: &Descent) -> Option<String> {
    let (node, data) = descent.too_far.as_ref()?;
    let rate = literal(rates[descent.steps as usize], false);
    let (label, data) = (session.label(node), literal(*data, false));
    let step = descent.steps + 1;
    let why = match faulty_grad(descent) {
        Some(mover) => {
            let grad = literal(mover.new_grad, false);
            format!("the grad of {} is {grad}", session.label(&mover.leaf))
        }
        None => format!("the rate {rate} is too large"),
    };
    Some(format!("step {step} would make {label} {data}: {why}"))
}

/// The report of one or more steps that were taken. `is_range` says whether the rates follow from a range of `k`.
fn report(
    session: &Session,
    descent: &Descent,
    asked_rates: &[f64],
    is_range: bool,
    rule: StepRule,
) -> Report {
    let rates = &asked_rates[..descent.steps as usize];
    let (before, after) = (descent.values[0], descent.root.data());
    let rate = if is_range {
        rates.iter().copied().collect()
    } else {
        rates[0].into()
    };
    let label = session.label(&descent.root);
    let mut facts = vec![
        ("root", label.clone().into()),
        ("rate", rate),
        ("steps", descent.steps.into()),
        ("direction", direction(before, after).into()),
        ("before", before.into()),
        ("after", after.into()),
        ("values", descent.values.iter().copied().collect()),
    ];
    let rule_text = match rule {
        StepRule::Plain => None,
        StepRule::Momentum(share) => Some(format!("momentum {share}")),
        StepRule::Adam => Some("adam".to_string()),
    };
    let memory = memory_text(rule_text.as_deref(), descent.earlier);
    if let Some(text) = rule_text {
        let earlier = descent.earlier.unwrap_or(0);
        facts.extend([("rule", text.into()), ("earlier", earlier.into())]);
    }
    // `L: 4 → 3.9   (down, rate 0.01, momentum 0.9, 10 steps)`
    let details = say!(
        "   ({}, rate {}{}{})",
        direction(before, after),
        rates_line(rates),
        memory,
        steps_text(descent, asked_rates.len() as u64)
    );
    // The new value of the root tells the grad of a leaf that has moved alone.
    let summary = say!(
        "{:name}: {}{}",
        label,
        telling_change(before, after),
        dim(details)
    );
    let mut blocks = vec![
        Block::Table(table(session, descent, rates, rule)),
        Block::Line(summary),
    ];
    if descent.steps > 1 {
        blocks.push(Block::Line(values_line(&descent.values)));
    }
    Report::new(&COMMAND, facts, blocks).as_confirmation()
}

/// Momentum or Adam, and whether it remembers earlier steps: `, adam goes on after step 10`.
fn memory_text(rule: Option<&str>, earlier: Option<u64>) -> String {
    match (rule, earlier) {
        (None, _) => String::new(),
        // The session has no steps by momentum or Adam yet, so there is nothing to begin anew.
        (Some(rule), None) => format!(", {rule}"),
        (Some(rule), Some(0)) => format!(", {rule} begins anew"),
        (Some(rule), Some(earlier)) => format!(", {rule} goes on after step {earlier}"),
    }
}

/// The number of steps, unless one was asked for: `, 7 of 10 steps`.
fn steps_text(descent: &Descent, wanted: u64) -> String {
    let [done, all] = [descent.steps, wanted].map(count_text);
    if wanted == 1 {
        String::new()
    } else if descent.is_interrupted {
        format!(", {done} of {all} steps, then interrupted")
    } else if descent.steps < wanted {
        format!(", {done} of {all} steps")
    } else {
        format!(", {done} steps")
    }
}

/// The table of the leaves.
fn table(session: &Session, descent: &Descent, rates: &[f64], rule: StepRule) -> Table {
    let has_several = descent.steps > 1;
    let grad = if has_several { "first grad" } else { "grad" };
    let movers = &descent.movers;
    let leaves: Vec<Rc<Node>> = movers.iter().map(|it| Rc::clone(&it.leaf)).collect();
    let mover = |row: &TableNode| &movers[row.place];
    let before = |row: &TableNode| Cell::Distinct(mover(row).before, mover(row).after);
    let after = |row: &TableNode| Cell::Distinct(mover(row).after, mover(row).before);
    let change = |row: &TableNode| Cell::Number(change_of(mover(row), rates, rule));
    let new_grad = Column::new("new_grad", "new grad").with_sign().rank(3);
    NodeTable::of_labels(session, leaves, "leaf")
        // On a narrow screen the grad stays, since `before` follows from it.
        .column(Column::new("before", "before").rank(2), before)
        .column(Column::grads(grad), |row| Cell::Number(mover(row).grad))
        .column(Column::new("change", "change").rank(1).as_asked(), change)
        .column(Column::new("after", "after").as_asked(), after)
        .column(new_grad, |row| Cell::Number(mover(row).new_grad))
        .names(session)
        .table("rows")
}

/// The change of a leaf. One plain step subtracts exactly the rate times the gradient before the data is rounded; the
/// difference of the rounded data would be less exact.
fn change_of(mover: &Mover, rates: &[f64], rule: StepRule) -> f64 {
    match (rates, rule) {
        ([rate], StepRule::Plain) => -(rate * mover.grad),
        _ => mover.after - mover.before,
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
    dim(say!("along the way: {}", ask_numbers(join(shown, between))))
}

/// Computes the rate of each step.
fn step_rates(session: &mut Session, arguments: &Arguments) -> Result<Vec<f64>> {
    let range = counter_range(session, arguments)?;
    if let (Some(range), Some((_, span))) = (range, arguments.first_word(RATE)) {
        let expression = expression_at(session, arguments.text, span)?;
        let numbers = stop::with_checks(range);
        let rates = numbers.map(|k| rate_at(session, arguments.text, &expression, k));
        return rates.collect();
    }
    let found = arguments.number(session, RATE)?;
    let Some((rate, _)) = found.filter(|(rate, _)| rate.is_finite()) else {
        let span = arguments.place(RATE);
        let message = format!("`{}` is not a rate", span.of(arguments.text));
        let help = "a finite number is expected, as in `:step 0.01`; a negative one climbs";
        return Err(Diagnostic::new(message).at(span).help(help));
    };
    check_count(session, arguments)?;
    let steps = arguments.count(session, N, MOST_STEPS)?.unwrap_or(1);
    Ok(vec![rate; steps as usize])
}

/// Reads the range of `k`, whose ends are whole numbers.
fn counter_range(
    session: &mut Session,
    arguments: &Arguments,
) -> Result<Option<std::ops::RangeInclusive<i64>>> {
    let Some(range) = arguments.range(session, K)? else {
        return Ok(None);
    };
    let (first, last) = range.ends;
    let is_whole = |end: f64| end.fract() == 0.0 && end.abs() <= LARGEST_WHOLE;
    let variable = range.variable.map(|variable| variable.of(arguments.text));
    let message = if variable != Some(COUNTER) {
        format!("the number of the step is called `{COUNTER}`")
    } else if !is_whole(first) || !is_whole(last) {
        format!("`{COUNTER}` counts from one whole number to another")
    } else if last - first >= MOST_STEPS as f64 {
        let most = count_text(MOST_STEPS);
        format!("at most {most} steps are possible at once")
    } else {
        return Ok(Some(first as i64..=last as i64));
    };
    let help = format!("as in `… {COUNTER}=0..99`");
    Err(Diagnostic::new(message).at(range.place).help(help))
}

/// Refuses a computed node as N. A user who types `:step 0.01 L` usually means `of L`.
fn check_count(session: &Session, arguments: &Arguments) -> Result<()> {
    let word = arguments.first_word(N).filter(|_| !arguments.has(OF));
    let is_computed = |name| {
        let node = session.names().find_node(name);
        node.is_some_and(|node| node.is_computed())
    };
    let Some((name, span)) = word.filter(|(name, _)| is_computed(name)) else {
        return Ok(());
    };
    let (text, start) = (arguments.text, span.start as usize);
    let before = &text[arguments.name_span.start as usize..start];
    let rest = &text[start..arguments.end()];
    let message = format!("`{name}` is computed, so it is not a number of steps");
    let help = format!("to move the leaves below it, write `{before}of {rest}`");
    Err(Diagnostic::new(message).at(span).help(help))
}

/// Computes the rate of step `k`, which must be finite. The rate of step 3 is the item of `[RATE for k in [3]]`. So only
/// RATE itself means the counter by `k`, and a function that it calls means the `k` of the session.
fn rate_at(session: &mut Session, text: &str, expression: &Expression, k: i64) -> Result<f64> {
    let literal_item = |value| {
        let has_point = false;
        ItemKind::Number(Literal { value, has_point })
    };
    let list = [literal_item(k as f64), ItemKind::Apply(Head::List, 1)];
    let counter = [ItemKind::Variable(COUNTER), ItemKind::Each(1)];
    let item = [
        ItemKind::Apply(Head::Collect, 2),
        literal_item(0.0),
        ItemKind::Apply(Head::Index, 2),
    ];
    let before = list.into_iter().chain(counter).map(Item::from);
    let of_rate = expression.items.iter().copied();
    let items = before.chain(of_rate).chain(item.map(Item::from)).collect();
    let counted = Expression {
        items,
        span: expression.span,
    };
    let (rate, _) = session.look(|looking| looking.measure(text, &counted))?;
    if rate.is_finite() {
        return Ok(rate);
    }
    let (typed, number) = (expression.span.of(text), literal(rate, false));
    let message = format!("`{typed}` is {number} at {COUNTER} = {k}, which is not a rate");
    let help = "a finite number is expected for each step; a negative one climbs";
    Err(Diagnostic::new(message).at(expression.span).help(help))
}

//! `:budget [T] [corr a b 0.5, …]`: shows how uncertain T is and which leaves matter most.
//!
//! `effects` computes; this file reads the correlations and makes the table of shares. The page is
//! `docs/commands/budget.md`.

mod effects;

use self::effects::{Budget, Correlations, LeafEffect, SecondOrder, budget};
use crate::command::args::{evaluate, existing};
use crate::command::node_table::{NodeTable, TableNode};
use crate::command::prelude::*;
use crate::command::signatures::budget::{CORR, SIGNATURE, T};
use crate::search::leaf_texts::name_lists;
use chainrule_language::Expression;
use chainrule_report::{Measurement, Piece, join};
use chainrule_session::uncertainty::answer_value;

/// The report has a line on the second order if that changes the uncertainty by more than this part. Less hardly
/// changes the two digits that are shown.
const VISIBLE_CHANGE: f64 = 0.05;

pub(crate) static COMMAND: Command = Command::new(SIGNATURE, run, &[]);

fn run(session: &mut Session, arguments: &Arguments) -> Result<Reply> {
    let target = arguments.target(session, T)?;
    let correlations = correlations(session, arguments)?;
    let Some(found) = budget(session, &target.node, &correlations) else {
        let span = arguments.place(CORR);
        let help = "no errors can be correlated so: two that follow a third follow each other";
        return Err(Diagnostic::new("these correlations contradict each other")
            .at(span)
            .help(help));
    };
    // Ctrl-C may have cut the second derivatives short.
    stop::ask_now();
    session.note_shown(&target.node, &[]);
    let report = report(session, &target.node, &found);
    Ok(Reply::show(report).with_notes(target.notes))
}

/// Reads the correlations that are given: `a b 0.5, a c -0.2`.
fn correlations(session: &mut Session, arguments: &Arguments) -> Result<Correlations> {
    let mut correlations = Correlations::default();
    let Some(all) = arguments.span_of(CORR) else {
        return Ok(correlations);
    };
    let text = arguments.text;
    let parsed = language::correlations(text, all);
    for [one, other, number] in parsed.map_err(|error| arguments.explain(session, error))? {
        let entry = one.span.to(number.span);
        let leaf = uncertain_leaf(session, text, &one)?;
        let partner = uncertain_leaf(session, text, &other)?;
        let correlation = evaluate::number_of(session, text, &number)?;
        if !(-1.0..=1.0).contains(&correlation) {
            let message = format!("`{}` is not a correlation", number.span.of(text));
            let help = "a number from -1 to 1 is expected";
            return Err(Diagnostic::new(message).at(number.span).help(help));
        }
        if Rc::ptr_eq(&leaf, &partner) {
            return Err(Diagnostic::new("a leaf is always correlated with itself").at(entry));
        }
        // Each pair has an entry in both orders, so `before` is also found if the pair was given in the other order.
        correlations.insert((partner.id(), leaf.id()), correlation);
        let before = correlations.insert((leaf.id(), partner.id()), correlation);
        if before.is_some() {
            return Err(Diagnostic::new("this correlation is given twice").at(entry));
        }
    }
    Ok(correlations)
}

/// Returns the leaf that a word names. It must have a `±` of its own.
fn uncertain_leaf(session: &mut Session, text: &str, word: &Expression) -> Result<Rc<Node>> {
    let leaf = existing::node_of(session, text, word)?;
    if session.names().uncertain.own_width(&leaf) == 0.0 {
        let typed = word.span.of(text);
        let message = format!("`{typed}` has no ± of its own");
        let help = format!("as in `:set {typed} ± 0.1`; only leaves have one of their own");
        return Err(Diagnostic::new(message).at(word.span).help(help));
    }
    Ok(leaf)
}

/// The table of leaves, the total, and the lines on what the table does not show.
fn report(session: &Session, root: &Rc<Node>, found: &Budget) -> Report {
    let parts = |it: SecondOrder| vec![("shift", it.shift.into()), ("sigma", it.sigma.into())];
    let facts = vec![
        ("root", session.label(root).into()),
        ("data", root.data().into()),
        ("sigma", found.sigma.into()),
        ("worst", found.worst.into()),
        ("kink", found.kink.is_some().into()),
        ("second", found.second.map(parts).into()),
    ];
    let kink = found.kink.as_ref();
    let lines = [
        second_order_line(session, root, found),
        found_leaves_line(session, found),
        moved_leaves_line(session, found),
        kink.map(|kink| say!("{}; at a kink the first order says nothing", kink.clone())),
    ];
    let mut blocks = vec![
        Block::Table(table(session, found)),
        Block::Line(total_line(session, root, found)),
    ];
    blocks.extend(lines.into_iter().flatten().map(Block::Line));
    Report::new(COMMAND.name, facts, blocks)
}

/// A line about the second order, if it changes the uncertainty visibly.
fn second_order_line(session: &Session, root: &Rc<Node>, found: &Budget) -> Option<Line> {
    let second = found.second?;
    let change = (second.sigma - found.sigma).abs();
    let value = Measurement::of_result(root.data() + second.shift, second.sigma);
    let (label, value) = (session.label(root), Piece::Measurement(value));
    let line = say!("with second derivatives: {:name} = {}", label, value);
    (change > VISIBLE_CHANGE * found.sigma).then_some(line)
}

/// A line about leaves that `:solve`, `:fit` or `:minimize` found from other leaves: only those have an effect. `None`
/// if there are no such leaves.
fn found_leaves_line(session: &Session, found: &Budget) -> Option<Line> {
    let is_found = |entry: &&LeafEffect| entry.width.is_some() && entry.effect.is_none();
    let found_leaves = found.entries.iter().filter(is_found);
    Some(say!(
        "found leaves count through what they follow from: {}",
        name_lists(session, found_leaves.map(|entry| &entry.leaf))?
    ))
}

/// A line about leaves that have moved since other leaves were found from them, with the share of the variance that is
/// due to the errors that they had then. `None` if no leaf has moved.
fn moved_leaves_line(session: &Session, found: &Budget) -> Option<Line> {
    let share: f64 = found.moved.iter().filter_map(|(_, share)| *share).sum();
    Some(say!(
        "{} % come from what has moved since leaves were found from it: {}",
        two_digits(100.0 * share),
        name_lists(session, found.moved.iter().map(|(leaf, _)| leaf))?
    ))
}

/// Shows a number in per cent with two digits, or with all digits before the point if it is above 99: `0.42`, `17`, `240`.
fn two_digits(per_cent: f64) -> Piece {
    let digits = Measurement::of_result(per_cent, per_cent.min(99.0));
    Piece::LikeMeasurement(per_cent, digits)
}

/// `g = 9.801 ± 0.099   (1.0 %; at worst ± 0.108)`
fn total_line(session: &Session, root: &Rc<Node>, found: &Budget) -> Line {
    let label = session.label(root);
    let sigma = found.sigma;
    let value = answer_value(root, sigma);
    if found.entries.iter().all(|entry| entry.width.is_none()) {
        let first = found.entries.first();
        let leaf = first.map_or_else(String::new, |entry| session.label(&entry.leaf));
        let hint = say!("   (no leaf has a ±: `:set {} ± 1%` gives one)", leaf);
        return say!("{:name} = {}{}", label, value, dim(hint));
    }
    let measurement = Measurement::of_result(value, sigma);
    let mut line = say!("{:name} = {}", label, Piece::Measurement(measurement));
    let mut remarks: Vec<Line> = Vec::new();
    if value != 0.0 && sigma > 0.0 {
        remarks.push(say!("{} %", two_digits(100.0 * (sigma / value.abs()))));
    }
    if !found.is_correlated {
        let worst = Piece::LikeMeasurement(found.worst, measurement);
        remarks.push(say!("at worst ± {}", worst));
    }
    if !remarks.is_empty() {
        line.extend(dim(say!("   ({})", join(remarks, "; "))));
    }
    line
}

/// A row for each leaf, in the order of the entries.
fn table(session: &Session, found: &Budget) -> Table {
    let entries = &found.entries;
    let leaves: Vec<Rc<Node>> = entries.iter().map(|entry| Rc::clone(&entry.leaf)).collect();
    // The place of a row is the index of its leaf in `leaves`.
    let entry = |row: &TableNode| &entries[row.place];
    NodeTable::of_labels(session, leaves, "leaf")
        .data(Column::new("data", "data"), None)
        .sigma(Cell::Absent)
        .column(Column::grads("grad"), |row| Cell::Number(entry(row).grad))
        .column(
            Column::new("elasticity", "elasticity").rank(1).with_gaps(),
            |row| entry(row).elasticity.map_or(Cell::Absent, Cell::Number),
        )
        .column(Column::new("effect", "effect").with_gaps(), |row| {
            // As many digits as a ± has.
            let rounded = |effect: f64| Cell::Value(Measurement::of_result(effect, effect.abs()));
            entry(row).effect.map_or(Cell::Absent, rounded)
        })
        .column(Column::new("share", "share").with_gaps(), |row| {
            entry(row).share.map_or(Cell::Absent, Cell::Share)
        })
        .names(session)
        .table("rows")
}

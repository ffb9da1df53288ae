//! `:budget [T] [corr a b 0.5, …]`: shows how uncertain T is and which leaves matter most.
//!
//! `effects` computes; this file reads the correlations and makes the table of shares. The page is
//! `docs/commands/budget.md`.

mod effects;

use self::effects::{Budget, Correlations, LeafEffect, SecondOrder, budget};
use crate::command::args::{evaluate, existing};
use crate::command::node_table::{NodeTable, TableNode};
use crate::command::prelude::*;
use crate::command::signatures::budget::{CORR, ITEMS, SIGNATURE, T};
use crate::search::leaf_texts::name_lists;
use crate::search::linear::norm;
use chainrule_language::Expression;
use chainrule_report::{Measurement, Piece, join};
use chainrule_session::naming::labels::long_lists::{Fold, folds_above};
use chainrule_session::uncertainty::answer_value;

/// The report has a line on the second order if that changes the uncertainty by more than this part. Less hardly
/// changes the two digits that are shown.
const VISIBLE_CHANGE: f64 = 0.05;
/// A share is said to be correlated if it differs by this much from the share of the effect alone.
const VISIBLE_SHARE: f64 = 0.005;

pub(crate) static COMMAND: Command = Command::new(SIGNATURE, run, &[]);

fn run(session: &mut Session, arguments: &Arguments) -> Result<Reply> {
    let target = arguments.typed_target(session, T)?;
    let correlations = correlations(session, arguments)?;
    let Some(mut found) = budget(session, &target.node, &correlations) else {
        let span = arguments.place(CORR);
        let help = "no errors can be correlated so: two that follow a third follow each other";
        return Err(Diagnostic::new("these correlations contradict each other")
            .at(span)
            .help(help));
    };
    // Ctrl-C may have cut the second derivatives short.
    stop::ask_now();
    session.note_shown(&target.node, &[]);
    let has_items = arguments.has(ITEMS) || session.show.reader == Reader::Program;
    let mut lists = Vec::new();
    if !has_items {
        sort_by_lists(session, &mut found);
        lists = folds_above(1, session.names(), &leaves(&found));
    }
    let report = report(session, &target.node, &found, lists);
    let note_on_corr = arguments
        .has(CORR)
        .then(|| Note::new(say!("{:typed} holds for this answer only", "corr")));
    let notes: Vec<Note> = target.notes.into_iter().chain(note_on_corr).collect();
    Ok(Reply::show(report).with_notes(notes))
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
fn report(session: &Session, root: &Rc<Node>, found: &Budget, lists: Vec<Fold>) -> Report {
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
        Block::Table(table(session, found, lists)),
        Block::Line(total_line(session, root, found)),
    ];
    blocks.extend(lines.into_iter().flatten().map(Block::Line));
    Report::new(&COMMAND, facts, blocks)
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

fn leaves(found: &Budget) -> Vec<Rc<Node>> {
    let entries = found.entries.iter();
    entries.map(|entry| Rc::clone(&entry.leaf)).collect()
}

/// The effect of several leaves together: the root of the sum of the squares. `None` if none of them has one.
fn joint_effect(found: &Budget, places: &[usize]) -> Option<f64> {
    let effects = places.iter().filter_map(|&at| found.entries[at].effect);
    let effects: Vec<f64> = effects.collect();
    match effects[..] {
        [] => None,
        [only] => Some(only),
        _ => Some(norm(&effects)),
    }
}

/// Sorts the entries by the effects of the lists to which they belong.
fn sort_by_lists(session: &Session, found: &mut Budget) {
    let places: Vec<usize> = (0..found.entries.len()).collect();
    let size = |these: &[usize]| joint_effect(found, these).map_or(-1.0, f64::abs);
    let mut sizes: Vec<f64> = places.chunks(1).map(size).collect();
    for list in folds_above(1, session.names(), &leaves(found)) {
        let of_list = size(&list.places);
        list.places.iter().for_each(|&at| sizes[at] = of_list);
    }
    let entries = std::mem::take(&mut found.entries);
    let mut sorted: Vec<(f64, LeafEffect)> = sizes.into_iter().zip(entries).collect();
    sorted.sort_by(|one, other| other.0.total_cmp(&one.0));
    found.entries = sorted.into_iter().map(|(_, entry)| entry).collect();
}

/// A row for each leaf or list, in the order of the entries.
fn table(session: &Session, found: &Budget, lists: Vec<Fold>) -> Table {
    // The place of a row is the index of its leaf among the entries.
    let entry = |row: &TableNode| &found.entries[row.place];
    let effect = |rows: &[TableNode]| {
        let places: Vec<usize> = rows.iter().map(|row| row.place).collect();
        joint_effect(found, &places)
    };
    let share = move |rows: &[TableNode]| {
        let shares: Vec<f64> = rows.iter().filter_map(|row| entry(row).share).collect();
        let own = (effect(rows)? / found.sigma).powi(2);
        let share: f64 = shares.iter().sum();
        let is_correlated = (share - own).abs() > VISIBLE_SHARE;
        let cell = if is_correlated {
            Cell::CorrelatedShare
        } else {
            Cell::Share
        };
        (!shares.is_empty()).then(|| cell(share))
    };
    NodeTable::of_rows(session, leaves(found), lists)
        .with_labels("leaf")
        .data(Column::new("data", "data"), None)
        .sigma(Cell::Absent)
        .column(Column::grads("grad"), move |row| {
            Cell::Number(entry(row).grad)
        })
        .column(
            Column::new("elasticity", "elasticity").rank(1).as_asked(),
            move |row| entry(row).elasticity.map_or(Cell::Absent, Cell::Number),
        )
        .column_of_items(Column::new("effect", "effect").as_asked(), move |rows| {
            // As many digits as a ± has.
            let rounded = |change: f64| Cell::Value(Measurement::of_result(change, change.abs()));
            effect(rows).map_or(Cell::Absent, rounded)
        })
        .column_of_items(Column::new("share", "share").as_asked(), move |rows| {
            share(rows).unwrap_or(Cell::Absent)
        })
        .names(session)
        .table("rows")
}

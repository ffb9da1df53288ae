//! `:budget [T] [corr a b 0.5, …]`: how uncertain T is, and which leaves matter most.
//!
//! `study::goals` computes; this file reads the correlations and makes the table of shares.

use std::rc::Rc;

use super::leaf_search::name_lists;
use crate::commands::args::evaluate;
use crate::commands::node_table::{self, NodeTable, TableNode};
use crate::commands::prelude::*;
use crate::commands::signatures::budget::{CORR, SIGNATURE, T};
use crate::session::NoteOnce;
use crate::session::limits::MOST_ANSWERED;
use crate::session::uncertainty::answer_value;
use crate::study::goals::{Budget, Correlations, LeafEffect, SecondOrder, budget};
use chainrule_engine::graph::Node;
use chainrule_language::{self as language, Expression};
use chainrule_report::{
    Block, Cell, Column, Line, Measurement, Note, Piece, Report, Table, dim, say,
};
use chainrule_stop as stop;

/// The second order gets a line if it changes the uncertainty by more than this part.
const WORTH_TELLING: f64 = 0.05;

pub(crate) static COMMAND: Command = Command::new(SIGNATURE, run, &[]);

fn run(session: &mut Session, arguments: &Arguments) -> Result<Reply, Diagnostic> {
    let target = arguments.target(session, T)?;
    let correlations = correlations(session, arguments)?;
    let Some(found) = budget(session, &target.node, &correlations) else {
        let span = arguments.place(CORR);
        return Err(Diagnostic::new("these correlations contradict each other")
            .at(span)
            .help("no errors can be correlated so: two that follow a third follow each other"));
    };
    // The second derivatives may not be finished.
    stop::ask_now();
    let report = report(session, &target.node, &found);
    let reply = Reply {
        report: (!arguments.is_silenced).then_some(report),
        ..Reply::default()
    };
    Ok(reply.with_notes(target.notes))
}

/// The given correlations.
fn correlations(session: &mut Session, arguments: &Arguments) -> Result<Correlations, Diagnostic> {
    let mut correlations = Correlations::default();
    let Some(all) = arguments.span_of(CORR) else {
        return Ok(correlations);
    };
    let text = arguments.text;
    let read =
        language::correlations(text, all).map_err(|error| arguments.explain(session, error))?;
    for [one, other, number] in read {
        let span = one.span.to(number.span);
        let one = uncertain_leaf(session, text, &one)?;
        let other = uncertain_leaf(session, text, &other)?;
        let correlation = evaluate::number_of(session, text, &number)?;
        if !(-1.0..=1.0).contains(&correlation) {
            let message = format!("`{}` is not a correlation", number.span.of(text));
            let help = "a number from -1 to 1 is expected";
            return Err(Diagnostic::new(message).at(number.span).help(help));
        }
        if Rc::ptr_eq(&one, &other) {
            return Err(Diagnostic::new("a leaf is always correlated with itself").at(span));
        }
        correlations.insert((other.id(), one.id()), correlation);
        if (correlations.insert((one.id(), other.id()), correlation)).is_some() {
            return Err(Diagnostic::new("this correlation is given twice").at(span));
        }
    }
    Ok(correlations)
}

fn uncertain_leaf(
    session: &mut Session,
    text: &str,
    word: &Expression,
) -> Result<Rc<Node>, Diagnostic> {
    let leaf = evaluate::node_of(session, text, word)?;
    let uncertain = &session.names().uncertain;
    if uncertain.own_width(&leaf) == 0.0 {
        let typed = word.span.of(text);
        let message = format!("`{typed}` has no ± of its own");
        let help = format!("as in `:set {typed} ± 0.1`; only leaves have one of their own");
        return Err(Diagnostic::new(message).at(word.span).help(help));
    }
    Ok(leaf)
}

/// An answer with its `±`; none if no leaf below has one, or the setting is off. The error is that too many nodes are
/// below it, of which the first such answer gets a note.
pub(crate) fn answer_measurement(
    session: &mut Session,
    node: &Rc<Node>,
    notes: &mut Vec<Note>,
) -> Result<Option<Measurement>, ()> {
    if !node.is_leaf() && !session.settings().is_on("uncertainty") {
        return Ok(None);
    }
    let found = node_table::measurement(session.names(), node);
    found.inspect_err(|()| {
        let command = format!(":budget {}", session.label(node));
        let is_first = session.is_first(NoteOnce::TooManyNodes);
        notes.extend(is_first.then(|| {
            Note::new(say!(
                "an answer of more than {} nodes is shown without ±: {:typed} says how sure it is",
                MOST_ANSWERED,
                &*command
            ))
        }));
    })
}

fn report(session: &Session, root: &Rc<Node>, found: &Budget) -> Report {
    let both = |it: SecondOrder| vec![("shift", it.shift.into()), ("sigma", it.sigma.into())];
    let second = found.second.map(both);
    let facts = vec![
        ("root", session.label(root).into()),
        ("data", root.data().into()),
        ("sigma", found.sigma.into()),
        ("worst", found.worst.into()),
        ("kink", found.kink.is_some().into()),
        ("second", second.into()),
    ];
    let mut blocks = vec![
        Block::Table(table(session, found)),
        Block::Line(total_line(session, root, found)),
    ];
    if let Some(second) = found.second
        && (second.sigma - found.sigma).abs() > WORTH_TELLING * found.sigma
    {
        let mean = root.data() + second.shift;
        blocks.push(Block::Line(say!(
            "with second derivatives: {:name} = {}",
            session.label(root),
            Piece::Measurement(Measurement::of_result(mean, second.sigma))
        )));
    }
    let is_found = |entry: &&LeafEffect| entry.width.is_some() && entry.effect.is_none();
    let leaves = found
        .entries
        .iter()
        .filter(is_found)
        .map(|entry| Rc::clone(&entry.leaf));
    let leaves: Vec<Rc<Node>> = leaves.collect();
    if !leaves.is_empty() {
        let names = name_lists(session, &leaves);
        blocks.push(Block::Line(say!(
            "found leaves count through what they follow from: {}",
            names
        )));
    }
    if !found.moved.is_empty() {
        let (leaves, shares): (Vec<_>, Vec<_>) = found.moved.iter().cloned().unzip();
        let shares: f64 = shares.into_iter().flatten().sum();
        blocks.push(Block::Line(say!(
            "{} % come from what has moved since leaves were found from it: {}",
            two_digits(100.0 * shares),
            name_lists(session, &leaves)
        )));
    }
    let warned = |kink| Block::Line(say!("{}; at a kink the first order says nothing", kink));
    blocks.extend(found.kink.clone().map(warned));
    Report::new(COMMAND.name, facts, blocks)
}

/// A part in per cent. More than 99 per cent has all digits before the point.
fn two_digits(part: f64) -> Piece {
    Piece::LikeMeasurement(part, Measurement::of_result(part, part.min(99.0)))
}

/// `g = 9.801 ± 0.099   (1.0 %; at worst ± 0.108)`
fn total_line(session: &Session, root: &Rc<Node>, found: &Budget) -> Line {
    let label = session.label(root);
    let sigma = found.sigma;
    let value = answer_value(root, sigma);
    if found.entries.iter().all(|entry| entry.width.is_none()) {
        let first = found.entries.first();
        let first = first.map_or_else(String::new, |entry| session.label(&entry.leaf));
        let hint = dim(say!(
            "   (no leaf has a ±: `:set {} ± 1%` gives one)",
            first
        ));
        return say!("{:name} = {}{}", label, value, hint);
    }
    let measurement = Measurement::of_result(value, sigma);
    let mut line = say!("{:name} = {}", label, Piece::Measurement(measurement));
    let mut more: Vec<Line> = Vec::new();
    if value != 0.0 && sigma > 0.0 {
        more.push(say!("{} %", two_digits(100.0 * (sigma / value.abs()))));
    }
    if !found.is_correlated {
        more.push(say!(
            "at worst ± {}",
            Piece::LikeMeasurement(found.worst, measurement)
        ));
    }
    if !more.is_empty() {
        line.extend(dim(say!("   ({})", chainrule_report::join(more, "; "))));
    }
    line
}

fn table(session: &Session, found: &Budget) -> Table {
    let entries = &found.entries;
    let leaves: Vec<Rc<Node>> = entries.iter().map(|entry| Rc::clone(&entry.leaf)).collect();
    let entry = |row: &TableNode| &entries[row.place];
    NodeTable::of(session, leaves)
        .id()
        .label(Column::new("node", "leaf"))
        .shape()
        .data(Column::new("data", "data"), None)
        .sigma(Cell::Absent)
        .column(Column::grads("grad"), |row| Cell::Number(entry(row).grad))
        .column(Column::new("elasticity", "elasticity").rank(1), |row| {
            entry(row).elasticity.map_or(Cell::Absent, Cell::Number)
        })
        .column(Column::new("effect", "effect"), |row| {
            // As many digits as a ± has.
            let rounded = |effect: f64| Cell::Value(Measurement::of_result(effect, effect.abs()));
            entry(row).effect.map_or(Cell::Absent, rounded)
        })
        .column(Column::new("share", "share"), |row| {
            entry(row).share.map_or(Cell::Absent, Cell::Share)
        })
        .names(session)
        .table("rows")
}

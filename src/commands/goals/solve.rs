//! `:solve LEAF, … for T = V, … [where C, …]`: sets leaves to values at which equations hold.
//!
//! `study::goals` searches; this file reads the problem, describes the solution, and changes the session.

use rustc_hash::FxHashSet;

use super::leaf_search::{FoundPoint, found_widths, moved_rows, run_search, with_sigmas};
use super::leaf_texts::{describe_miss, leaf_count, name_leaves};
use super::search_checks::{bounds, check_relations};
use crate::commands::args::relations::Relation;
use crate::commands::prelude::*;
use crate::commands::signatures::solve::{FOR, LEAF, SIGNATURE, WHERE};
use crate::session::Widths;
use crate::study::goals::{MOST_SOLVE_PASSES, NearestPoint, SearchEnd, slopes_of_solution, solve};
use chainrule_language::{RelationSign, TextPart};
use chainrule_report::{change, count_text, name_list, plural};

pub(crate) static COMMAND: Command = Command::new(SIGNATURE, run, &[]);

fn run(session: &mut Session, arguments: &Arguments) -> Result<Reply, Diagnostic> {
    let new = bind_new_leaves(session, arguments);
    let mut leaves = arguments.nodes(session, LEAF)?;
    leaves.sort_by_key(|leaf| leaf.id());
    let mut notes = Vec::new();
    let relations = arguments.relations(session, FOR, &mut notes)?;
    if !new.is_empty() {
        let names = name_list(new.iter().map(|name| (*name).to_owned()));
        notes.push(Note::new(say!("new leaves, from 1: {}", names)));
    }
    check_equations(session, arguments.name_span, &leaves, &relations)?;
    let limits = arguments.relations(session, WHERE, &mut notes)?;
    let example = "`:solve k for k^2 = 4 where k > 0`";
    let bounds = bounds(session, &limits, &leaves, example)?;
    let left: Vec<Rc<Node>> = relations.iter().map(|it| Rc::clone(&it.left)).collect();
    let right: Vec<Rc<Node>> = relations.iter().map(|it| Rc::clone(&it.right)).collect();
    let roots = [&left[..], &right].concat();
    let found = run_search(session, &roots, &leaves, MOST_SOLVE_PASSES, |_, watch| {
        solve([&left, &right], &leaves, bounds, watch)
    })?;
    let is_stopped = found.end == SearchEnd::Stopped;
    if found.end != SearchEnd::Settled && !is_stopped {
        let error = no_solution_error(session, &leaves, &relations, &found);
        return Err(error.at(arguments.place(FOR)));
    }
    let mut widths = Widths::new();
    if !is_stopped {
        let slopes = |current: &mut Session, sources: &[Rc<Node>]| {
            slopes_of_solution(current, [&left, &right], &leaves, &found.point, sources)
        };
        widths = found_widths(session, &roots, &leaves, &found.point, &mut notes, slopes);
    }
    let before = relations[0].left.data();
    let outcome = FoundPoint {
        leaves: &leaves,
        point: &found.point,
        is_interrupted: is_stopped,
        widths,
        notes,
    };
    Ok(outcome.move_leaves(session, |session, starts| {
        let rows = moved_rows(session, &leaves, starts);
        let table = with_sigmas(rows, session, &leaves).names(session);
        report(table.table("rows"), &relations, before, &found)
    }))
}

/// Makes leaves of the names that have no value and stand in an equation, and returns them.
fn bind_new_leaves<'t>(session: &mut Session, arguments: &Arguments<'t>) -> Vec<&'t str> {
    let equations = arguments.place(FOR).of(arguments.text);
    let parts = language::parts(equations).into_iter();
    let names = parts.filter(|(part, _)| *part == TextPart::Name);
    let used: FxHashSet<&str> = names.map(|(_, span)| span.of(equations)).collect();
    let mut new = Vec::new();
    for word in arguments.words(LEAF) {
        let name = word.of(arguments.text);
        let is_new = used.contains(name) && !session.knows(name) && !session.is_function(name);
        if is_new {
            session.bind_leaf(name, 1.0);
            new.push(name);
        }
    }
    new
}

/// Refuses inequalities, leaves in no equation, and more or fewer leaves than equations.
fn check_equations(
    session: &Session,
    word: Span,
    leaves: &[Rc<Node>],
    relations: &[Relation],
) -> Result<(), Diagnostic> {
    let is_bound = |it: &&Relation| it.sign != RelationSign::Equal;
    if let Some(bound) = relations.iter().find(is_bound) {
        let help = "bounds follow `where`, as in `:solve k for k^2 = 4 where k > 0`";
        return Err(Diagnostic::new("`:solve` takes equations")
            .at(bound.span)
            .help(help));
    }
    check_relations(session, relations, leaves)?;
    let sides = relations.iter().flat_map(|it| [&it.left, &it.right]);
    let order = Order::below(sides);
    if let Some(idle) = leaves.iter().find(|leaf| order.slot(leaf).is_none()) {
        let message = format!("no equation depends on `{}`", session.label(idle));
        let help = "leave it out, or add an equation with it";
        return Err(Diagnostic::new(message).at(word).help(help));
    }
    if leaves.len() != relations.len() {
        let equations = plural(relations.len(), "equation");
        let message = format!("{equations} for {}", leaf_count(leaves.len()));
        let help = "as many leaves as equations are expected";
        return Err(Diagnostic::new(message).at(word).help(help));
    }
    Ok(())
}

/// The report of a solution, or of the nearest point if the search was stopped.
fn report(table: Table, relations: &[Relation], before: f64, found: &NearestPoint) -> Report {
    let mut blocks = vec![Block::Table(table)];
    if let [only] = relations {
        let changed = change(before, only.left.data());
        blocks.push(Block::Line(say!("{:name}: {}", &only.left_text, changed)));
    }
    if found.end == SearchEnd::Stopped {
        blocks.push(Block::Line(say!(
            "interrupted after {} passes: this is the nearest so far",
            found.passes
        )));
    }
    let equation = |it: &Relation| {
        let [data, wanted] = [&it.left, &it.right].map(|side| side.data().into());
        let left = Fact::Text(it.left_text.clone());
        vec![("left", left), ("data", data), ("wanted", wanted)]
    };
    let facts = vec![
        ("passes", found.passes.into()),
        ("solved", (found.end == SearchEnd::Settled).into()),
        ("equations", relations.iter().map(equation).collect()),
    ];
    Report::new(COMMAND.name, facts, blocks)
}

/// The error for a search without a solution. It describes the nearest point.
fn no_solution_error(
    session: &Session,
    leaves: &[Rc<Node>],
    relations: &[Relation],
    found: &NearestPoint,
) -> Diagnostic {
    let nearest = describe_miss(session, leaves, &found.point, relations);
    let message = match &found.end {
        SearchEnd::Undetermined(places) if places.len() > 1 => {
            let names = name_leaves(session, places.iter().map(|&place| &leaves[place]));
            format!("the equations do not tell {names} apart at {nearest}")
        }
        _ => format!(
            "no solution found in {} passes: nearest is {nearest}",
            count_text(found.passes)
        ),
    };
    Diagnostic::new(message).help("`:set` a leaf to begin the search elsewhere")
}

//! `:solve LEAF, … for T = V, … [where C, …]`: sets leaves to values at which equations hold.
//!
//! `study::goals` searches; this file reads the problem, describes the solution, and changes the session.

use std::rc::Rc;

use rustc_hash::FxHashSet;

use super::leaf_search::{
    FoundPoint, bounds, check_relations, describe_miss, found_widths, leaf_count, moved_table,
    name_leaves, run_search, sigma_column,
};
use crate::commands::args::relations::Relation;
use crate::commands::prelude::*;
use crate::commands::signatures::solve::{FOR, LEAF, SIGNATURE, WHERE};
use crate::session::Widths;
use crate::study::goals::{MOST_SOLVE_PASSES, NearestPoint, SearchEnd, slopes_of_solution, solve};
use chainrule_engine::graph::{Node, Order};
use chainrule_language::{self as language, RelationSign, Span, TextPart};
use chainrule_report::{
    Block, Fact, Note, Report, Table, change, count_text, name_list, plural, say,
};

pub(crate) static COMMAND: Command = Command::new(SIGNATURE, run, &[]);

fn run(session: &mut Session, arguments: &Arguments) -> Result<Reply, Diagnostic> {
    let new = new_leaves(session, arguments);
    let mut leaves = arguments.nodes(session, LEAF)?;
    leaves.sort_by_key(|leaf| leaf.id());
    let (relations, mut notes) = arguments.relations(session, FOR)?;
    if !new.is_empty() {
        let names = name_list(new.iter().map(|name| (*name).to_owned()));
        notes.push(Note::new(say!("new leaves, from 1: {}", names)));
    }
    check_equations(session, arguments.word, &leaves, &relations)?;
    let (limits, more) = arguments.relations(session, WHERE)?;
    notes.extend(more);
    let bounds = bounds(
        session,
        &limits,
        &leaves,
        "`:solve k for k^2 = 4 where k > 0`",
    )?;
    let sides = relations.iter();
    let sides = sides.map(|it| (Rc::clone(&it.left), Rc::clone(&it.right)));
    let (left, right): (Vec<_>, Vec<_>) = sides.unzip();
    let roots = [&left[..], &right].concat();
    let found = run_search(session, &roots, &leaves, MOST_SOLVE_PASSES, |_, watch| {
        solve([&left, &right], &leaves, bounds, watch)
    })?;
    let stopped = found.end == SearchEnd::Stopped;
    if found.end != SearchEnd::Settled && !stopped {
        let error = no_solution_error(session, &leaves, &relations, &found);
        return Err(error.at(arguments.place(FOR)));
    }
    let mut widths = Widths::new();
    if !stopped {
        let at = (&leaves[..], &found.point[..]);
        widths = found_widths(session, &roots, at, &mut notes, |session, sources| {
            slopes_of_solution(session, [&left, &right], &leaves, &found.point, sources)
        });
    }
    let before = relations[0].left.data();
    let outcome = FoundPoint {
        leaves: &leaves,
        point: &found.point,
        is_interrupted: stopped,
        widths,
        notes,
    };
    Ok(outcome.move_leaves(session, |session, starts| {
        let sigma = sigma_column(session, &leaves);
        let table = moved_table(session, &leaves, starts, sigma);
        report(table, &relations, before, &found)
    }))
}

/// Makes leaves of the names to solve for that have no value and stand in an equation.
fn new_leaves<'t>(session: &mut Session, arguments: &Arguments<'t>) -> Vec<&'t str> {
    let equations = arguments.place(FOR);
    let equations = equations.of(arguments.text);
    let used = language::parts(equations)
        .into_iter()
        .filter(|(part, _)| *part == TextPart::Name);
    let used: FxHashSet<&str> = used.map(|(_, span)| span.of(equations)).collect();
    let mut new = Vec::new();
    for word in arguments.words(LEAF) {
        let name = word.of(arguments.text);
        let is_new = used.contains(name) && !session.knows(name) && !session.is_function(name);
        if is_new && session.names().find(name).is_none() {
            session.bind_leaf(name, 1.0);
            new.push(name);
        }
    }
    new
}

/// Refuses problems that can have no answer.
fn check_equations(
    session: &Session,
    word: Span,
    leaves: &[Rc<Node>],
    relations: &[Relation],
) -> Result<(), Diagnostic> {
    for relation in relations {
        if relation.sign != RelationSign::Equal {
            return Err(Diagnostic::new("`:solve` takes equations")
                .at(relation.span)
                .help("bounds follow `where`, as in `:solve k for k^2 = 4 where k > 0`"));
        }
    }
    check_relations(session, relations, leaves)?;
    let sides = relations.iter().flat_map(|it| [&it.left, &it.right]);
    let all = Order::below(sides);
    if let Some(idle) = leaves.iter().find(|leaf| all.slot(leaf).is_none()) {
        let message = format!("no equation depends on `{}`", session.label(idle));
        return Err(Diagnostic::new(message)
            .at(word)
            .help("leave it out, or add an equation with it"));
    }
    if leaves.len() != relations.len() {
        let equations = plural(relations.len(), "equation");
        let message = format!("{equations} for {}", leaf_count(leaves.len()));
        return Err(Diagnostic::new(message)
            .at(word)
            .help("as many leaves as equations are expected"));
    }
    Ok(())
}

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
    let equation = |relation: &Relation| {
        vec![
            ("left", Fact::Text(relation.left_text.clone())),
            ("data", relation.left.data().into()),
            ("wanted", relation.right.data().into()),
        ]
    };
    let facts = vec![
        ("passes", found.passes.into()),
        ("solved", (found.end == SearchEnd::Settled).into()),
        ("equations", relations.iter().map(equation).collect()),
    ];
    Report::new(COMMAND.name, facts, blocks)
}

/// The error for a search without a solution. It has the nearest point.
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

//! `:solve LEAF, … for T = V, …`: sets leaves to where equations hold.
//!
//! `study::goals` searches; this file checks what is asked, tells what was found, and changes the session.

use std::rc::Rc;

use rustc_hash::FxHashSet;

use super::search::{FoundPoint, MovedLeaves, check_relations, missed, named, watched};
use crate::commands::args::relations::{Relation, Sign};
use crate::commands::args::{Argument, ArgumentKind, Arguments};
use crate::commands::{Command, Group, Reply};
use crate::diagnostic::Diagnostic;
use crate::graph::{Node, Order};
use crate::report::{Block, Fact, Report, change, plural, say};
use crate::session::Session;
use crate::study::goals::{MOST_SOLVE_PASSES, NearestPoint, SearchEnd, solve};
use crate::syntax::Span;

const EQUATIONS: &str = "T = V, …";

pub(crate) const COMMAND: Command = Command {
    name: "solve",
    aliases: &[],
    group: Group::Goals,
    looks: false,
    entry: (":solve x for y = 3", "what must x be"),
    arguments: &[
        Argument::needed("LEAF, …", ArgumentKind::Nodes)
            .means("the leaves to change, as many as there are equations")
            .leaves(),
        Argument::after("for", EQUATIONS, ArgumentKind::Relations)
            .required()
            .means("the equations: two expressions with `=` between them, separated by commas"),
    ],
    summary: "set leaves so that equations hold",
    page: page!("commands/solve"),
    run,
};

fn run(session: &mut Session, arguments: &Arguments) -> Result<Reply, Diagnostic> {
    let leaves = leaves(session, arguments)?;
    let (relations, notes) = arguments.relations(session, EQUATIONS, ":solve x for y = 3")?;
    check(session, arguments.word, &leaves, &relations)?;
    let equations: Vec<[Rc<Node>; 2]> = (relations.iter())
        .map(|relation| [&relation.left, &relation.right].map(Rc::clone))
        .collect();
    let found = watched(session, MOST_SOLVE_PASSES, |_, watch| {
        solve(&equations, &leaves, watch)
    })?;
    let stopped = found.end == SearchEnd::Stopped;
    if found.end != SearchEnd::Settled && !stopped {
        let error = not_solved(session, &leaves, &relations, &found);
        return Err(error.at(whole(&relations)));
    }
    let before = relations[0].left.data();
    let outcome = FoundPoint {
        leaves: &leaves,
        point: &found.point,
        interrupted: stopped,
        widths: None,
        notes,
    };
    Ok(outcome.settle(session, |session, moved| {
        report(session, moved, &relations, before, &found)
    }))
}

/// Where all relations stand.
pub(super) fn whole(relations: &[Relation]) -> Span {
    relations[0].span.to(relations[relations.len() - 1].span)
}

/// The leaves to change, in the order of creation.
fn leaves(session: &mut Session, arguments: &Arguments) -> Result<Vec<Rc<Node>>, Diagnostic> {
    let mut leaves: Vec<Rc<Node>> = Vec::new();
    let mut known = FxHashSet::default();
    for (leaf, word) in arguments.nodes(session, "LEAF, …")? {
        let typed = word.of(arguments.text);
        if !known.insert(leaf.id()) {
            return Err(Diagnostic::new(format!("`{typed}` is given twice")).at(word));
        }
        leaves.push(leaf);
    }
    leaves.sort_by_key(|leaf| leaf.id());
    Ok(leaves)
}

/// Whether there can be an answer at all.
fn check(
    session: &Session,
    word: Span,
    leaves: &[Rc<Node>],
    relations: &[Relation],
) -> Result<(), Diagnostic> {
    for relation in relations {
        if relation.sign != Sign::Equal {
            return Err(Diagnostic::new("`:solve` takes equations")
                .at(relation.span)
                .help("bounds belong to `:minimize T where …`"));
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
        let message = match leaves.len() {
            1 => format!("{equations} for 1 leaf"),
            count => format!("{equations} for {count} leaves"),
        };
        return Err(Diagnostic::new(message)
            .at(word)
            .help("as many leaves as equations are expected"));
    }
    Ok(())
}

fn report(
    session: &Session,
    moved: &MovedLeaves,
    relations: &[Relation],
    before: f64,
    found: &NearestPoint,
) -> Report {
    let mut blocks = vec![Block::Table(moved.table(session, None))];
    if let [only] = relations {
        let changed = change(before, only.left.data());
        blocks.push(Block::Line(say!("{:name}: {}", &only.left_said, changed)));
    }
    if found.end == SearchEnd::Stopped {
        blocks.push(Block::Line(say!(
            "interrupted after {} passes: this is the nearest so far",
            found.passes
        )));
    }
    let equation = |relation: &Relation| {
        Fact::Record(vec![
            ("left", Fact::Text(relation.left_said.clone())),
            ("data", Fact::Number(relation.left.data())),
            ("wanted", Fact::Number(relation.right.data())),
        ])
    };
    let facts = vec![
        ("passes", Fact::Count(found.passes)),
        ("solved", Fact::Flag(found.end == SearchEnd::Settled)),
        ("equations", relations.iter().map(equation).collect()),
    ];
    Report::new(COMMAND.name, facts, blocks)
}

/// The error for a search without success. It tells the nearest point.
fn not_solved(
    session: &Session,
    leaves: &[Rc<Node>],
    relations: &[Relation],
    found: &NearestPoint,
) -> Diagnostic {
    let nearest = missed(session, leaves, &found.point, relations);
    let message = match &found.end {
        SearchEnd::Undetermined(places) if places.len() > 1 => {
            let names = named(session, places.iter().map(|&place| &leaves[place]));
            format!("the equations do not tell {names} apart at {nearest}")
        }
        _ => format!(
            "no solution found in {} passes: nearest is {nearest}",
            found.passes
        ),
    };
    Diagnostic::new(message).help("`:set` a leaf to begin the search elsewhere")
}

//! `:solve LEAF, … for T = V, … [where C, …]`: sets leaves to values at which equations hold.
//!
//! `search` searches; this file reads the problem, describes the solution, and changes the session. The page is
//! `docs/commands/solve.md`.

mod search;

use rustc_hash::FxHashSet;

use self::search::{MOST_PASSES, slopes_of_solution, solve};
use crate::command::args::relations::Relation;
use crate::command::prelude::*;
use crate::command::signatures::solve::{FOR, LEAF, SIGNATURE, WHERE};
use crate::search::checks::{bounds, check_free, check_relations, check_size};
use crate::search::implicit::{counted_sources, unmoved_leaves};
use crate::search::leaf_search::{
    FoundPoint, bind_new_leaves, found_widths, moved_rows, new_leaves_note, run_search, with_sigmas,
};
use crate::search::leaf_texts::{describe_miss, name_leaves};
use crate::search::least_squares::{NearestPoint, SearchEnd};
use crate::search::zeros::Zeros;
use crate::search::{apply, depends_on_leaves};
use chainrule_language::TextPart;
use chainrule_report::change;
use chainrule_session::Widths;

pub(crate) static COMMAND: Command = Command::new(SIGNATURE, run, &[]);

fn run(session: &mut Session, arguments: &Arguments) -> Result<Reply> {
    let new_leaves = bind_new_leaves(session, &new_names(arguments));
    let mut leaves = arguments.nodes(session, LEAF)?;
    for leaf in &leaves {
        check_free(session, leaf, arguments.place(LEAF))?;
    }
    // `bounds` finds a leaf by its id.
    leaves.sort_by_key(|leaf| leaf.id());

    check_signs(arguments)?;
    let mut notes = Vec::new();
    let equations = arguments.relations(session, FOR, &mut notes)?;
    notes.extend(new_leaves_note(session, &new_leaves, "1"));
    check_equations(session, arguments.name_span, &leaves, &equations)?;
    // The leaves are about to follow what has moved.
    let outdated = session.outdated_notes(&leaves);
    notes.retain(|note| !outdated.contains(note));
    let limits = arguments.relations(session, WHERE, &mut notes)?;
    let bounds = bounds(session, &limits, &leaves)?;

    let left: Vec<Rc<Node>> = equations.iter().map(|it| Rc::clone(&it.left)).collect();
    let right: Vec<Rc<Node>> = equations.iter().map(|it| Rc::clone(&it.right)).collect();
    let roots = [&left[..], &right].concat();
    let (found, poles) = run_search(session, &roots, &leaves, MOST_PASSES, |_, watch| {
        solve([&left, &right], &leaves, bounds.clone(), watch)
    })?;
    let is_stopped = found.end == SearchEnd::Stopped;
    if found.end != SearchEnd::Settled && !is_stopped {
        let error = no_solution_error(session, &leaves, &equations, &found);
        return Err(error.at(arguments.place(FOR)));
    }

    let also = match (&leaves[..], &equations[..]) {
        ([leaf], [equation]) if !is_stopped => {
            other_solutions(session, equation, leaf, bounds[0], found.point[0])
        }
        _ => None,
    };
    if also.as_ref().is_some_and(|it| it.are_none) {
        // The search has followed the sides to where they differ by a rounding error.
        let message = "no real number solves this equation";
        let help = "`:plot LEFT, RIGHT` shows how near its sides come";
        return Err(Diagnostic::new(message).at(arguments.place(FOR)).help(help));
    }
    let node = binding_of_node(session, arguments, &equations, &leaves);
    notes.extend(pole_note(&leaves, &found, &poles));
    let mut widths = Widths::new();
    if !is_stopped {
        let slopes = |current: &mut Session, sources: &[Rc<Node>]| {
            slopes_of_solution(current, [&left, &right], &leaves, &found.point, sources)
        };
        widths = found_widths(session, &roots, &leaves, &found.point, &mut notes, slopes);
        let typed = arguments.place(FOR).of(arguments.text);
        let unmoved = unmoved_leaves(&roots, &leaves);
        let others = counted_sources(session, unmoved).unwrap_or_default();
        for (leaf, width) in &mut widths {
            width.tie(leaf, &others, typed, arguments.statement);
        }
    }
    // Only the report of a single equation shows this.
    let first_left_before = equations[0].left.data();
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
        let mut report = report(table.table("rows"), &equations, first_left_before, &found);
        add_solutions(&mut report, session, &leaves[0], also);
        if let Some(line) = node.filter(|_| !is_stopped) {
            report
                .blocks
                .push(Block::Line(say!("a node that follows: {:typed}", &*line)));
            report.facts.push(("node", line.into()));
        }
        report
    }))
}

/// The solutions of an equation of a single leaf within bounds, except for one. `None` if the equation is too long.
fn other_solutions(
    session: &mut Session,
    equation: &Relation,
    leaf: &Rc<Node>,
    bounds: (f64, f64),
    found: f64,
) -> Option<Zeros> {
    let sides = [&equation.left, &equation.right].map(|it| Rc::clone(it).into());
    session.look(|look| {
        let difference = apply(look, "-", sides.to_vec()).ok()?;
        let mut solutions = Zeros::of(look, difference.node()?, leaf, bounds)?;
        solutions.leave_out(found);
        Some(solutions)
    })
}

/// Adds the line about other solutions of the leaf.
fn add_solutions(report: &mut Report, session: &Session, leaf: &Rc<Node>, also: Option<Zeros>) {
    if let Some(zeros) = also {
        let line = zeros.line(&session.label(leaf), true);
        report.blocks.push(Block::Line(line));
        report.facts.push(("also", zeros.numbers()));
    }
}

/// The line that makes the solution of the only equation a node which follows the other leaves, before the leaf moves.
/// `None` if there are no others, or a name in the equation stands for what is computed from the leaf.
fn binding_of_node(
    session: &Session,
    arguments: &Arguments,
    equations: &[Relation],
    leaves: &[Rc<Node>],
) -> Option<String> {
    let ([equation], [leaf], false) = (equations, leaves, arguments.has(WHERE)) else {
        return None;
    };
    let roots = [Rc::clone(&equation.left), Rc::clone(&equation.right)];
    if unmoved_leaves(&roots, leaves).is_empty() {
        return None;
    }
    let order = Order::below(&roots);
    let depends = depends_on_leaves(&order, |it| Rc::ptr_eq(it, leaf));
    let mut moved = order.nodes().iter().zip(depends).filter(|it| it.1);
    let is_hidden = moved.any(|(node, _)| !node.is_leaf() && session.names().has_any(node));
    let name = session.label(leaf);
    let typed = arguments.place(FOR).of(arguments.text).trim();
    let start = match leaf.data() {
        1.0 => String::new(),
        near => format!(", {near}"),
    };
    (!is_hidden).then(|| format!("{name} = solve({typed}, {name}{start})"))
}

/// A note on the pole between the start and the solution of a single leaf that is nearest to the start.
fn pole_note(leaves: &[Rc<Node>], found: &NearestPoint, poles: &[f64]) -> Option<Note> {
    let start = leaves[0].data();
    let is_between = |pole: &&f64| (*pole - start) * (found.point[0] - *pole) > 0.0;
    let distance = |pole: &f64| (pole - start).abs();
    let between = poles.iter().filter(is_between);
    let nearest = between.min_by(|one, other| distance(one).total_cmp(&distance(other)))?;
    let line = say!("the solution lies beyond a pole at {:short}", *nearest);
    (found.end == SearchEnd::Settled).then(|| Note::new(line))
}

/// The names before `for` that stand in an equation. They become leaves if they have no value.
fn new_names<'t>(arguments: &Arguments<'t>) -> Vec<&'t str> {
    let equations = arguments.place(FOR).of(arguments.text);
    let parts = language::parts(equations).into_iter();
    let names = parts.filter(|(part, _)| *part == TextPart::Name);
    let used: FxHashSet<&str> = names.map(|(_, span)| span.of(equations)).collect();
    let words = arguments.words(LEAF).iter();
    let typed = words.map(|word| word.of(arguments.text));
    typed.filter(|name| used.contains(name)).collect()
}

/// Refuses inequalities.
fn check_signs(arguments: &Arguments) -> Result<()> {
    let place = arguments.place(FOR);
    let mut signs = language::outside_brackets(place.of(arguments.text));
    if !signs.any(|(_, sign)| "<>≤≥".contains(sign)) {
        return Ok(());
    }
    let help = "bounds follow `where`, as in `:solve k for k^2 = 4 where k >= 0`";
    let message = "`:solve` takes equations";
    Err(Diagnostic::new(message).at(place).help(help))
}

/// Refuses leaves in no equation, and more or fewer leaves than equations. `command_name` is the place of
/// the word `:solve`, for errors about the whole problem.
fn check_equations(
    session: &Session,
    command_name: Span,
    leaves: &[Rc<Node>],
    relations: &[Relation],
) -> Result<()> {
    check_relations(session, relations, leaves)?;
    let sides = relations.iter().flat_map(|it| [&it.left, &it.right]);
    let order = Order::below(sides);
    if let Some(idle) = leaves.iter().find(|leaf| order.slot(leaf).is_none()) {
        let message = format!("no equation depends on `{}`", session.label(idle));
        let help = "leave it out, or add an equation with it";
        return Err(Diagnostic::new(message).at(command_name).help(help));
    }
    if leaves.len() != relations.len() {
        let equations = plural(relations.len(), "equation");
        let message = format!("{equations} for {}", plural(leaves.len(), "leaf"));
        let help = "as many leaves as equations are expected";
        return Err(Diagnostic::new(message).at(command_name).help(help));
    }
    let checked = check_size(leaves.len(), relations.len(), "equation", "`:solve`");
    checked.map_err(|error| error.at(command_name))
}

/// The report of a solution, or of the nearest point if the search was stopped. `first_left_before` is the value of the
/// first left side before the leaves moved.
fn report(
    table: Table,
    equations: &[Relation],
    first_left_before: f64,
    found: &NearestPoint,
) -> Report {
    let mut blocks = vec![Block::Table(table)];
    if let [only] = equations {
        let changed = change(first_left_before, only.left.data());
        blocks.push(Block::Line(say!("{:name}: {}", &only.left_text, changed)));
    }
    if found.end == SearchEnd::Stopped {
        blocks.push(Block::Line(say!(
            "interrupted after {} passes: this is the nearest so far",
            found.passes
        )));
    }
    let equation_facts = |it: &Relation| {
        let [data, wanted] = [&it.left, &it.right].map(|side| side.data().into());
        let left = Fact::Text(it.left_text.clone());
        vec![("left", left), ("data", data), ("wanted", wanted)]
    };
    let facts = vec![
        ("passes", found.passes.into()),
        ("solved", (found.end == SearchEnd::Settled).into()),
        ("equations", equations.iter().map(equation_facts).collect()),
    ];
    Report::new(&COMMAND, facts, blocks)
}

/// The error for a search without a solution. It describes the nearest point.
fn no_solution_error(
    session: &Session,
    leaves: &[Rc<Node>],
    equations: &[Relation],
    found: &NearestPoint,
) -> Diagnostic {
    let nearest = describe_miss(session, leaves, &found.point, equations);
    let message = match &found.end {
        // A single such leaf has no effect on the equations at this point, so no other leaf can be confused with it.
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

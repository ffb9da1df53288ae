//! `:solve LEAF, … for T = V, …`: sets leaves to where equations hold.
//!
//! `study::goals` searches; this file checks what is asked, tells what was found, and changes the session.

use std::rc::Rc;

use super::moved::{FoundPoint, MovedLeaves, check_finite, watched};
use super::{MOST_NAMED, placed, rounded};
use crate::commands::args::relations::{Relation, Sign};
use crate::commands::args::{Argument, ArgumentKind, Arguments};
use crate::commands::{Command, Group, Reply};
use crate::diagnostic::{Diagnostic, listed};
use crate::graph::{Node, Order};
use crate::report::{Block, Fact, Note, Report, change, say};
use crate::session::{Error, Session};
use crate::study::goals::{Equation, MOST_SOLVE_PASSES, Solution, SolutionEnd, solve};

const EQUATIONS: &str = "T = V, …";

pub(crate) const COMMAND: Command = Command {
    name: "solve",
    aliases: &[],
    group: Group::Goals,
    looks: false,
    entry: (":solve x for y = 3", "what must x be"),
    arguments: &[
        Argument::needed("LEAF, …", ArgumentKind::Nodes)
            .means("the leaves to change, as many as there are equations"),
        Argument::needed_after("for", EQUATIONS, ArgumentKind::Relations)
            .means("the equations: two expressions with `=` between them, separated by commas"),
    ],
    summary: "set leaves so that equations hold",
    page: page!("commands/solve"),
    run,
};

fn run(session: &mut Session, arguments: &Arguments) -> Result<Reply, Diagnostic> {
    let leaves = leaves(session, arguments)?;
    let made = session.made();
    let asked = Asked::of(session, arguments, leaves);
    let done = asked.and_then(|asked| asked.answer(session, arguments));
    if done.is_err() {
        session.rewind(made);
    }
    done
}

/// The leaves to change, in the order of creation.
fn leaves(session: &mut Session, arguments: &Arguments) -> Result<Vec<Rc<Node>>, Diagnostic> {
    let mut leaves: Vec<Rc<Node>> = Vec::new();
    for (leaf, word) in arguments.nodes(session, "LEAF, …")? {
        let typed = word.of(arguments.text);
        if !leaf.is_leaf() {
            return Err(Diagnostic::new(format!("`{typed}` is not a leaf"))
                .at(word)
                .help("only leaves can be changed; what is computed follows"));
        }
        if leaves.iter().any(|known| Rc::ptr_eq(known, &leaf)) {
            return Err(Diagnostic::new(format!("`{typed}` is given twice")).at(word));
        }
        leaves.push(leaf);
    }
    leaves.sort_by_key(|leaf| leaf.id());
    Ok(leaves)
}

/// What is to be solved.
struct Asked {
    leaves: Vec<Rc<Node>>,
    relations: Vec<Relation>,
    notes: Vec<Note>,
}

impl Asked {
    fn of(
        session: &mut Session,
        arguments: &Arguments,
        leaves: Vec<Rc<Node>>,
    ) -> Result<Asked, Diagnostic> {
        let (relations, notes) = arguments.relations(session, EQUATIONS, ":solve x for y = 3")?;
        if let Some(other) = relations
            .iter()
            .find(|relation| relation.sign != Sign::Equal)
        {
            return Err(Diagnostic::new("`:solve` takes equations")
                .at(other.span)
                .help("bounds belong to `:minimize T where …`"));
        }
        let asked = Asked {
            leaves,
            relations,
            notes,
        };
        asked.check(session, arguments)?;
        Ok(asked)
    }

    /// Whether there can be an answer at all.
    fn check(&self, session: &Session, arguments: &Arguments) -> Result<(), Diagnostic> {
        let (leaves, equations) = (self.leaves.len(), self.relations.len());
        for relation in &self.relations {
            let sides = Order::below([&relation.left, &relation.right]);
            let reaches = |leaf: &&Rc<Node>| sides.position(leaf).is_some();
            if !self.leaves.iter().any(|leaf| reaches(&leaf)) {
                let names = self.leaves.iter().map(|leaf| session.label(leaf));
                let left = &relation.left_said;
                return Err(Diagnostic::new(format!(
                    "`{left}` does not depend on {}",
                    listed(names)
                ))
                .at(relation.left_span)
                .help(depends_on(session, relation)));
            }
        }
        let all = Order::below(
            self.relations
                .iter()
                .flat_map(|relation| [&relation.left, &relation.right]),
        );
        if let Some(idle) = (self.leaves.iter()).find(|leaf| all.position(leaf).is_none()) {
            let name = session.label(idle);
            return Err(Diagnostic::new(format!("no equation depends on `{name}`"))
                .at(arguments.word)
                .help("leave it out, or add an equation with it"));
        }
        if leaves != equations {
            let count = |count: usize, [one, more]: [&str; 2]| match count {
                1 => format!("one {one}"),
                _ => format!("{count} {more}"),
            };
            let (given, wanted) = (
                count(leaves, ["leaf", "leaves"]),
                count(equations, ["equation", "equations"]),
            );
            let message = if leaves > equations {
                format!("{wanted} cannot determine {given}")
            } else {
                format!("{given} cannot meet {wanted}")
            };
            return Err(Diagnostic::new(message)
                .at(arguments.word)
                .help("as many leaves as equations are expected"));
        }
        for relation in &self.relations {
            for side in [&relation.left, &relation.right] {
                check_finite(session, side, relation.span, &self.leaves)?;
            }
        }
        Ok(())
    }

    fn answer(self, session: &mut Session, arguments: &Arguments) -> Result<Reply, Diagnostic> {
        let equations: Vec<Equation> = self.relations.iter().map(equation).collect();
        let solution = watched(session, MOST_SOLVE_PASSES, |_, watch| {
            solve(&equations, &self.leaves, watch)
        });
        let stopped = solution.end == SolutionEnd::Stopped;
        if stopped && solution.passes <= 1 {
            return Err(Error::Interrupted.into());
        }
        if solution.end != SolutionEnd::Solved && !stopped {
            return Err(self.not_solved(session, &solution));
        }
        let first = self.relations[0].left.data();
        let outcome = FoundPoint {
            leaves: &self.leaves,
            point: &solution.point,
            interrupted: stopped,
            runs_again: false,
            notes: self.notes.clone(),
        };
        Ok(outcome.settle(
            session,
            arguments,
            |session, settings| session.set(settings).1,
            |session, moved| self.report(session, moved, first, &solution),
        ))
    }

    fn report(
        &self,
        session: &Session,
        moved: &MovedLeaves,
        first: f64,
        solution: &Solution,
    ) -> Report {
        let mut blocks = vec![Block::Table(moved.table(session, &[]))];
        if let [only] = &self.relations[..] {
            let line = say!(
                "{:name}: {}",
                &only.left_said,
                change(first, only.left.data())
            );
            blocks.push(Block::Line(line));
        }
        if solution.end == SolutionEnd::Stopped {
            blocks.push(Block::Line(say!(
                "interrupted after {} passes: this is the nearest so far",
                solution.passes
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
            ("passes", Fact::Count(solution.passes)),
            ("solved", Fact::Flag(solution.end == SolutionEnd::Solved)),
            (
                "equations",
                Fact::List(self.relations.iter().map(equation).collect()),
            ),
        ];
        Report {
            confirmation: true,
            ..Report::new(COMMAND.name, facts, blocks)
        }
    }

    /// The error for a search without success. It tells the nearest point.
    fn not_solved(&self, session: &Session, solution: &Solution) -> Diagnostic {
        let at = placed(
            session,
            self.leaves.iter().zip(solution.point.iter().copied()),
        );
        let distances: Vec<f64> = (solution.sides.iter())
            .map(|[left, right]| (left - right).abs())
            .collect();
        let far = |place: usize| {
            let [left, right] = solution.sides[place].map(rounded);
            let typed = &self.relations[place].left_said;
            format!("`{typed}` is {left} and not {right}")
        };
        let nearest = if let [distance] = distances[..] {
            let typed = &self.relations[0].left_said;
            let [left, _] = solution.sides[0].map(rounded);
            format!(
                "the least distance is {}, at {at}, where `{typed}` is {left}",
                rounded(distance)
            )
        } else {
            let missed = (0..distances.len()).filter(|&place| distances[place] > 0.0);
            let missed: Vec<String> = missed.take(MOST_NAMED).map(far).collect();
            format!("nearest is {at}, where {}", missed.join(", "))
        };
        let first = session.label(&self.leaves[0]);
        let another = format!("`:set {first} VALUE` begins the search elsewhere");
        let (message, help) = match &solution.end {
            SolutionEnd::Undetermined(places) if places.len() > 1 => {
                let together = places
                    .iter()
                    .take(MOST_NAMED)
                    .map(|&place| session.label(&self.leaves[place]));
                (
                    format!(
                        "the equations do not tell {} apart there: {nearest}",
                        listed(together)
                    ),
                    format!("an equation may repeat another, or contradict it; {another}"),
                )
            }
            SolutionEnd::Undefined => (
                format!("no solution found: {nearest}; beyond it a side is not a finite number"),
                another,
            ),
            _ if solution.passes >= MOST_SOLVE_PASSES => (
                format!("no solution found in {MOST_SOLVE_PASSES} passes: {nearest}"),
                another,
            ),
            _ => (format!("no solution found: {nearest}"), another),
        };
        Diagnostic::new(message)
            .at(self.relations[0]
                .span
                .to(self.relations[self.relations.len() - 1].span))
            .help(help)
    }
}

fn equation(relation: &Relation) -> Equation {
    Equation {
        left: Rc::clone(&relation.left),
        right: Rc::clone(&relation.right),
    }
}

/// The way out if no leaf has an effect: the leaves that have one.
fn depends_on(session: &Session, relation: &Relation) -> String {
    let sides = Order::below([&relation.left, &relation.right]);
    let leaves = sides.nodes().iter().rev().filter(|node| node.is_leaf());
    let names: Vec<String> = leaves
        .take(MOST_NAMED)
        .map(|leaf| session.label(leaf))
        .collect();
    if names.is_empty() {
        "there is no leaf in it".to_string()
    } else {
        format!("it depends on {}", listed(names))
    }
}

//! `:minimize T [where C, …]`: sets the free leaves to where T is least.
//!
//! `study::goals` searches; this file checks what is asked, and tells what kind of point was found.

use std::rc::Rc;

use super::moved::{FoundPoint, MovedLeaves, check_finite, watched};
use super::{MOST_NAMED, no_free_leaf, placed, rounded};
use crate::commands::args::relations::{Relation, Sign};
use crate::commands::args::{Argument, ArgumentKind, Arguments};
use crate::commands::{Command, Group, Reply};
use crate::diagnostic::Diagnostic;
use crate::graph::{Node, Order};
use crate::report::{Block, Fact, Line, Note, Report, change, dim, say};
use crate::session::{Error, Session};
use crate::study::goals::{
    Constraint, FEW_LEAVES, Goal, MOST_MINIMIZE_PASSES, Minimum, Verdict, at_kink, minimize,
};
use crate::syntax::literal;

const CONSTRAINTS: &str = "C, …";

pub(crate) const COMMAND: Command = Command {
    name: "minimize",
    aliases: &["minimise"],
    group: Group::Goals,
    looks: false,
    entry: (":minimize L", "find the lowest point"),
    arguments: &[
        Argument::optional("T", ArgumentKind::Expression),
        Argument::after("where", CONSTRAINTS, ArgumentKind::Relations).means(
            "the constraints: `=`, `<=` or `>=` between two expressions, separated by commas",
        ),
    ],
    summary: "move the free leaves to where T is least",
    page: page!("commands/minimize"),
    run,
};

fn run(session: &mut Session, arguments: &Arguments) -> Result<Reply, Diagnostic> {
    let made = session.made();
    let asked = Asked::of(session, arguments);
    let done = asked.and_then(|asked| asked.answer(session, arguments));
    if done.is_err() {
        session.rewind(made);
    }
    done
}

struct Asked {
    goal: Goal,
    relations: Vec<Relation>,
    notes: Vec<Note>,
    /// The target is one that has a name.
    label: Option<String>,
}

impl Asked {
    fn of(session: &mut Session, arguments: &Arguments) -> Result<Asked, Diagnostic> {
        let target = arguments.target(session, "T")?;
        let (relations, more) =
            arguments.relations(session, CONSTRAINTS, ":minimize T where x + y = 3")?;
        let constraint = |relation: &Relation| Constraint {
            left: Rc::clone(&relation.left),
            right: Rc::clone(&relation.right),
            direction: match relation.sign {
                Sign::Equal => None,
                Sign::AtMost => Some(1.0),
                Sign::AtLeast => Some(-1.0),
            },
        };
        let constraints: Vec<Constraint> = relations.iter().map(constraint).collect();
        let sides = constraints.iter().flat_map(|it| [&it.left, &it.right]);
        let all = Order::below(std::iter::once(&target.node).chain(sides));
        let free = all.nodes().iter().filter(|node| node.is_free());
        let mut leaves: Vec<Rc<Node>> = free.map(Rc::clone).collect();
        leaves.sort_by_key(|leaf| leaf.id());
        let label = session
            .is_named(&target.node)
            .then(|| session.label(&target.node));
        let mut notes = target.notes;
        notes.extend(more);
        let asked = Asked {
            goal: Goal {
                target: target.node,
                leaves,
                constraints,
            },
            relations,
            notes,
            label,
        };
        asked.check(session, arguments)?;
        Ok(asked)
    }

    /// Whether there can be an answer at all.
    fn check(&self, session: &Session, arguments: &Arguments) -> Result<(), Diagnostic> {
        let Goal { target, leaves, .. } = &self.goal;
        let word = arguments.stretch("T").unwrap_or(arguments.word);
        let named = session.label(target);
        let below = Order::below([target]);
        if !below.nodes().iter().any(|node| node.is_free()) {
            let words = ["move", "it is a constant"];
            return Err(no_free_leaf(session, &named, words, &below).at(word));
        }
        check_finite(session, target, word, leaves)?;
        for relation in &self.relations {
            for side in [&relation.left, &relation.right] {
                check_finite(session, side, relation.span, leaves)?;
            }
            let sides = Order::below([&relation.left, &relation.right]);
            if !sides.nodes().iter().any(|node| node.is_free()) {
                return Err(Diagnostic::new(format!(
                    "`{}` has no free leaf to move",
                    relation.said
                ))
                .at(relation.span)
                .help("a constraint has to depend on a leaf that moves"));
            }
        }
        Ok(())
    }

    fn answer(self, session: &mut Session, arguments: &Arguments) -> Result<Reply, Diagnostic> {
        let before = self.goal.target.data();
        let mut found = watched(session, MOST_MINIMIZE_PASSES, |session, watch| {
            minimize(session, &self.goal, watch)
        });
        if found.interrupted && found.passes <= 1 {
            return Err(Error::Interrupted.into());
        }
        let Some(mut verdict) = found.verdict else {
            return Err(self.impossible(session, &found));
        };
        let point = std::mem::take(&mut found.point);
        let mut notes = self.notes.clone();
        notes.extend(session.moved_lists(&self.goal.target, &self.goal.leaves));
        let outcome = FoundPoint {
            leaves: &self.goal.leaves,
            point: &point,
            interrupted: found.interrupted,
            runs_again: false,
            notes,
        };
        Ok(outcome.settle(
            session,
            arguments,
            |session, settings| session.set(settings).1,
            |session, moved| {
                // At a kink small slopes say nothing of the kind of point.
                let level = matches!(verdict, Verdict::Minimum | Verdict::Flat);
                if level && at_kink(&self.goal) {
                    verdict = Verdict::Kink;
                }
                self.report(session, arguments.text, moved, before, &found, verdict)
            },
        ))
    }

    fn report(
        &self,
        session: &Session,
        text: &str,
        moved: &MovedLeaves,
        before: f64,
        found: &Minimum,
        verdict: Verdict,
    ) -> Report {
        let slopes: Vec<Option<f64>> = found.slopes.iter().copied().map(Some).collect();
        let table = moved.table(session, &[("grad", &slopes)]);
        let mut line = self
            .label
            .as_ref()
            .map_or_else(Line::new, |label| say!("{:name}: ", label));
        line.extend(change(before, found.value));
        if self.relations.is_empty() || verdict != Verdict::Minimum {
            line.extend(dim(say!("   ({})", kind(verdict, found))));
        }
        let mut blocks = vec![Block::Table(table), Block::Line(line)];
        blocks.extend(self.constraints(text, found).into_iter().map(Block::Line));
        let constraint = |(place, relation): (usize, &Relation)| {
            let [value, limit] = found.sides[place];
            Fact::Record(vec![
                ("constraint", Fact::Text(relation.said.clone())),
                ("sign", Fact::Text(relation.sign.spelling().to_owned())),
                ("value", Fact::Number(value)),
                ("limit", Fact::Number(limit)),
                ("price", Fact::Number(found.prices[place])),
            ])
        };
        let facts = vec![
            ("root", Fact::Text(session.label(&self.goal.target))),
            ("before", Fact::Number(before)),
            ("after", Fact::Number(found.value)),
            ("verdict", Fact::Text(word(verdict).to_owned())),
            ("steepest", Fact::Number(found.steepest)),
            ("passes", Fact::Count(found.passes)),
            (
                "constraints",
                Fact::List(self.relations.iter().enumerate().map(constraint).collect()),
            ),
        ];
        Report {
            confirmation: true,
            ..Report::new(COMMAND.name, facts, blocks)
        }
    }

    /// A line for each constraint, but only one for a long list of them.
    fn constraints(&self, text: &str, found: &Minimum) -> Vec<Line> {
        let groups = self.relations.chunk_by(|one, next| one.span == next.span);
        let mut rows: Vec<(&str, Line)> = Vec::new();
        let mut from = 0;
        for group in groups {
            let places = from..from + group.len();
            from = places.end;
            if group.len() > MOST_ROWS {
                let prices = places.map(|place| found.prices[place]);
                rows.push((group[0].span.of(text), all_hold(prices)));
                continue;
            }
            for (relation, place) in group.iter().zip(places) {
                let price = found.prices[place];
                let [left, right] = found.sides[place];
                let said = if relation.sign == Sign::Equal || price != 0.0 {
                    say!("holds; each more costs {:short}", price)
                } else if left == right {
                    say!("holds exactly, at no cost")
                } else {
                    say!("holds, with {:short} to spare", (left - right).abs())
                };
                rows.push((&relation.said, said));
            }
        }
        let width = rows.iter().map(|(name, _)| name.chars().count()).max();
        let row = |(name, said): (&str, Line)| {
            let name = format!("{name:<0$}", width.unwrap_or(0));
            say!("  {:typed}   {}", name, said)
        };
        rows.into_iter().map(row).collect()
    }

    /// The error for constraints that were never met.
    fn impossible(&self, session: &Session, found: &Minimum) -> Diagnostic {
        let missed = |(relation, [left, right]): (&Relation, &[f64; 2])| {
            let over = match relation.sign {
                Sign::Equal => (left - right).abs(),
                Sign::AtMost => left - right,
                Sign::AtLeast => right - left,
            };
            (over > 1e-6 * left.abs().max(right.abs())).then(|| {
                let [left, right] = [left, right].map(|side| rounded(*side));
                let sign = match relation.sign {
                    Sign::Equal => String::new(),
                    other => format!("{} ", other.spelling()),
                };
                format!("`{}` is {left} and not {sign}{right}", relation.left_said)
            })
        };
        let missed: Vec<String> = self
            .relations
            .iter()
            .zip(&found.sides)
            .filter_map(missed)
            .take(MOST_NAMED)
            .collect();
        let at = self.goal.leaves.iter().zip(found.point.iter().copied());
        let message = format!(
            "no point found where the constraints hold: at {} {}",
            placed(session, at),
            missed.join(", ")
        );
        Diagnostic::new(message)
            .at(self.relations[0]
                .span
                .to(self.relations[self.relations.len() - 1].span))
            .help("they may contradict each other; `:set` a leaf to begin elsewhere")
    }
}

/// More items of a list are told together.
const MOST_ROWS: usize = 8;

/// What is said of the constraints of a list.
fn all_hold(prices: impl ExactSizeIterator<Item = f64>) -> Line {
    let count = prices.len();
    let pressing: Vec<f64> = prices.filter(|price| *price != 0.0).collect();
    let least = pressing.iter().copied().reduce(f64::min);
    let most = pressing.iter().copied().reduce(f64::max);
    let (Some(least), Some(most)) = (least, most) else {
        return say!("all {} hold, at no cost", count);
    };
    let number = pressing.len();
    if least == most {
        return say!(
            "all {} hold; each more of {} costs {:short}",
            count,
            number,
            least
        );
    }
    say!(
        "all {} hold; each more of {} costs {:short} … {:short}",
        count,
        number,
        least,
        most
    )
}

/// The word for a verdict in JSON.
fn word(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Minimum => "minimum",
        Verdict::Flat => "flat",
        Verdict::Kink => "kink",
        Verdict::Edge => "edge",
        Verdict::Endless => "endless",
        Verdict::Stopped => "stopped",
    }
}

/// What kind of point was found.
fn kind(verdict: Verdict, found: &Minimum) -> String {
    let slopes = power_above(found.steepest);
    match verdict {
        Verdict::Minimum => format!("a minimum: every slope is below {slopes}"),
        Verdict::Flat => {
            let perhaps = if found.slopes.len() > FEW_LEAVES {
                "perhaps "
            } else {
                ""
            };
            format!(
                "{perhaps}a saddle or a flat point: every slope is below {slopes}, but no second derivatives show a minimum"
            )
        }
        Verdict::Kink => "at a kink, where slopes jump".to_string(),
        Verdict::Edge => "at the edge of where it is defined".to_string(),
        Verdict::Endless => "no minimum: it falls without end".to_string(),
        Verdict::Stopped => format!(
            "stopped after {} passes: slopes up to {slopes} remain",
            found.passes
        ),
    }
}

/// The power of ten above a slope, at least that of the search.
fn power_above(slope: f64) -> String {
    let exponent = slope.log10().floor() + 1.0;
    literal(10_f64.powf(exponent.max(-10.0)), false)
}

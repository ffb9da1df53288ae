//! `:tour`: a guided introduction, with the expression that the lecture begins with and a neuron.
//!
//! Statements run as always; after each the tour looks at the session and the answer, and moves on once they meet the
//! condition of the stop. The stops are a table; the session remembers the position.

mod conditions;
mod steps;

use self::conditions::{TourCondition, missing};
use self::steps::{STOPS, TourStop};
use crate::commands::args::suggestions::{Offers, Word};
use crate::commands::args::{Argument, ArgumentKind, Arguments};
use crate::commands::help::prose;
use crate::commands::{Command, Group, Reply};
use crate::diagnostic::Diagnostic;
use crate::report::{Block, Fact, Prose, Report, say};
use crate::session::Session;
use crate::session::by_hand::tour::Tour;

pub(crate) const COMMAND: Command = Command {
    name: "tour",
    aliases: &[],
    group: Group::Session,
    entry: (":tour", "a guided first walk"),
    arguments: &[Argument::optional("WHERE", ArgumentKind::Topic)
        .means("`next`, `back`, `end` or the number of a stop; left out, where you are")
        .offering(Offers::Words(words))],
    summary: "a first walk around, in small steps",
    details: "Shows what to type and why, and goes on when it is done; whatever else is typed runs as ever. Alone it shows \
              the present stop, and comes back to it after `:tour end`. `:tour next` skips a stop, `:tour back` goes \
              back, `:tour 5` goes to a stop. `:reset` forgets how far it has come.",
    example: "
∂> a, b, c, f = 2, -3, 10, -2
a = 2, b = -3, c = 10, f = -2
∂> :tour
tour 2 of 21: an expression
  An expression over names is computed, and the graph behind it is kept: which
  node was made from which. That is what a calculator usually throws away.
  type   L = (a*b + c)*f
∂> L = (a*b + c)*f
L = -8

Right: L is a node now, with a*b + c and a*b below it.
tour 3 of 21: gradients
  One pass backwards through the graph, from L down to the leaves, tells for
  every node how much L moves when that node moves.
  type   :grad L
∂> :tour end
left at stop 3 of 21; `:tour` goes on there
",
    run,
};

/// The bit set in which every stop is done.
const ALL: u64 = (1 << STOPS.len()) - 1;

/// The text at the end of the tour.
const END: &str = "More: `:wrong` shows famous mistakes beside the right pass, `:help` everything on one screen, `:help \
                   search WORD` finds the rest. `:reset` clears the desk.";

/// Completions: the ways to move, and the numbers of stops.
fn words(_: &Session, _: &[&str]) -> Vec<Word> {
    let ways = [
        ("next", "skip this stop"),
        ("back", "the stop before"),
        ("end", "leave; `:tour` goes on there"),
    ];
    let ways = ways.map(|(way, about)| Word::new(way, prose::line(about)));
    let stop = |(place, stop): (usize, &TourStop)| {
        Word::new((place + 1).to_string(), say!("{}", stop.title)).begun()
    };
    ways.into_iter()
        .chain(STOPS.iter().enumerate().map(stop))
        .collect()
}

fn run(session: &mut Session, arguments: &Arguments) -> Result<Reply, Diagnostic> {
    let mut tour = session.tour();
    let last = STOPS.len() - 1;
    let Some((word, span)) = arguments.word("WHERE") else {
        if tour.done == ALL {
            let line = "the tour is done; `:tour 1` begins it anew, `:tour 9` goes to a stop of it";
            let block = Block::Prose(Prose::paragraph(prose::line(line)));
            return Ok(Reply::show(report(tour, vec![block], &[])));
        }
        if !tour.open && tour.done == 0 && tour.at == 0 {
            // Stops whose condition is met already need not be done again.
            for (place, stop) in STOPS.iter().enumerate() {
                let there = |seen: fn(&Session) -> TourCondition| {
                    matches!(seen(session), TourCondition::Done)
                };
                tour.mark(place, stop.seen.is_some_and(there));
            }
            tour.at = (0..last).find(|&at| !tour.has_done(at)).unwrap_or(0);
        }
        tour.open = true;
        session.set_tour(tour);
        return Ok(Reply::show(present(session, tour, &[])));
    };
    match word {
        "end" | "stop" | "quit" => {
            let at = tour.at + 1;
            let was_open = tour.open;
            tour.open = false;
            session.set_tour(tour);
            let line = if was_open {
                prose::line(&format!(
                    "left at stop {at} of {}; `:tour` goes on there",
                    STOPS.len()
                ))
            } else {
                prose::line("the tour is not open; `:tour` begins it")
            };
            return Ok(Reply::show(report(tour, vec![Block::Line(line)], &[])));
        }
        "next" => {
            // A stop that was skipped is not shown again at the end.
            tour.mark(tour.at, true);
            let Some(next) = next(tour) else {
                tour.open = false;
                session.set_tour(tour);
                let blocks = vec![prose::paragraph(END)];
                return Ok(Reply::show(report(tour, blocks, &[])));
            };
            tour.at = next;
        }
        "back" => tour.at = tour.at.saturating_sub(1),
        number => {
            let stop = number
                .parse()
                .ok()
                .filter(|number| (1..=STOPS.len()).contains(number));
            let Some(stop) = stop else {
                return Err(Diagnostic::new(format!("the tour has no stop `{word}`"))
                    .at(span)
                    .help(format!(
                        "`next`, `back`, `end` or a number from 1 to {}",
                        STOPS.len()
                    )));
            };
            tour.at = stop - 1;
            // The stops before it count as done.
            tour.done = (1 << tour.at) - 1;
        }
    }
    // The stop that is shown counts as not done.
    tour.mark(tour.at, false);
    tour.open = true;
    session.set_tour(tour);
    Ok(Reply::show(present(session, tour, &[])))
}

/// Looks at what a statement has done, and moves on if it met the condition of a stop.
pub(crate) fn look(session: &mut Session, reply: &mut Reply) {
    let mut tour = session.tour();
    let kind = reply.report.as_ref().map(|report| report.kind);
    if !tour.open || kind == Some(COMMAND.name) {
        return;
    }
    let mut nearly = None;
    let mut done = Vec::new();
    for (place, stop) in STOPS.iter().enumerate() {
        if tour.has_done(place) {
            continue;
        }
        let fits = kind.map_or(stop.seen.is_some(), |kind| stop.kinds.contains(&kind));
        let seen = match stop.seen {
            _ if !fits => TourCondition::Not,
            Some(seen) => seen(session),
            None => TourCondition::Done,
        };
        match seen {
            TourCondition::Done => {
                tour.mark(place, true);
                done.push(place);
            }
            TourCondition::Nearly(what) if place == tour.at => nearly = Some(what),
            TourCondition::Nearly(_) | TourCondition::Not => {}
        }
    }
    if !tour.has_done(tour.at) {
        session.set_tour(tour);
        if let Some(what) = nearly {
            let line = say!("{:dim}{}", "tour: ", prose::line(&what));
            reply.more.push(report(
                tour,
                vec![Block::Prose(Prose::paragraph(line))],
                &[],
            ));
        }
        return;
    }
    let well = STOPS[tour.at].well;
    let next = next(tour);
    let mut blocks = vec![prose::paragraph(well)];
    if let Some(next) = next {
        tour.at = next;
        session.set_tour(tour);
        let shown = present(session, tour, &done);
        blocks.extend(shown.blocks);
        reply.more.push(report(tour, blocks, &done));
    } else {
        tour.open = false;
        session.set_tour(tour);
        blocks.push(prose::paragraph(END));
        reply.more.push(report(tour, blocks, &done));
    }
}

/// The next stop that is not done, from the present one on and then from the beginning.
fn next(tour: Tour) -> Option<usize> {
    (tour.at..STOPS.len())
        .chain(0..tour.at)
        .find(|&at| !tour.has_done(at))
}

/// The report of the present stop.
fn present(session: &Session, tour: Tour, done: &[usize]) -> Report {
    let stop = &STOPS[tour.at];
    let heading = format!("tour {} of {}: {}", tour.at + 1, STOPS.len(), stop.title);
    let mut blocks = vec![
        Block::Line(say!("{:heading}", heading)),
        Block::Prose(Prose {
            column: 2,
            line: prose::line(stop.text),
            ..Prose::default()
        }),
    ];
    let mut row = |term: &str, typed: &str| {
        blocks.push(Block::Prose(Prose {
            term: say!("{:dim}", term),
            column: 9,
            line: say!("{:typed}", typed),
        }));
    };
    for first in missing(session, stop.needs) {
        row("first", first);
    }
    row("type", stop.typed);
    report(tour, blocks, done)
}

fn report(tour: Tour, blocks: Vec<Block>, done: &[usize]) -> Report {
    let titles = done
        .iter()
        .map(|&place| Fact::Text(STOPS[place].title.to_string()));
    Report::new(
        COMMAND.name,
        vec![
            ("open", Fact::Flag(tour.open)),
            ("stop", Fact::Count(tour.at as u64 + 1)),
            ("of", Fact::Count(STOPS.len() as u64)),
            ("done", Fact::List(titles.collect())),
            ("text", Fact::List(prose::lines(&blocks))),
        ],
        blocks,
    )
}

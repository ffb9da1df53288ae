//! `:next [N|all]`: goes to the next stop of the walk, or several stops further.
//!
//! Each stop is a report of its own, and so an object of its own in JSON.

use super::walk;
use crate::commands::args::Arguments;
use crate::commands::args::suggestions::{Offers, Word};
use crate::commands::{Command, Reply};
use crate::session::Session;
use chainrule_report::diagnostic::Diagnostic;
use chainrule_report::{Block, Report, say};

pub(crate) static COMMAND: Command = Command::new(
    "next",
    page!("commands/next"),
    run,
    &[("N|all", Offers::Words(words))],
);

fn words(session: &Session, _: &[&str]) -> Vec<Word> {
    let left = session
        .walk()
        .map_or(0, |walk| walk.stop_count() - walk.position);
    vec![Word::new("all", say!("the stops that are left: {}", left))]
}

fn run(session: &mut Session, arguments: &Arguments) -> Result<Reply, Diagnostic> {
    let left = walk::open_walk(session, arguments).map(|walk| walk.stop_count() - walk.position)?;
    let wanted = match arguments.word("N|all") {
        Some(("all", _)) => left as u64,
        _ => arguments
            .count(session, "N|all", u64::from(u32::MAX))?
            .unwrap_or(1),
    };
    if left == 0 {
        return Err(Diagnostic::new("the walk is at its end")
            .at(arguments.word)
            .help("`:prev` goes back, `:walk end` closes it"));
    }
    let wanted = wanted.min(left as u64);
    // Nobody reads a thousand screens: people see the last stops, as many as a table has rows.
    let skipped = wanted.saturating_sub(session.table_rows() as u64);
    let mut stops: Vec<Report> = Vec::new();
    for stop in 0..wanted {
        session.make_next_stop();
        if !arguments.silenced && stop >= skipped {
            stops.push(walk::place_report(session));
        }
    }
    if let Some(first) = stops.first_mut().filter(|_| skipped > 0) {
        let hint = format!("… {skipped} stops before: --json writes all");
        first.blocks.insert(0, Block::Line(say!("{:dim}", hint)));
    }
    let mut stops = stops.into_iter();
    Ok(Reply {
        report: stops.next(),
        more: stops.collect(),
        ..Reply::default()
    })
}

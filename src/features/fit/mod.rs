//! `:fit Y [± S] ~ MODEL`: sets the free leaves of a model to the values at which it is closest to the data.
//!
//! `problem` reads the line, and `sources` finds the `±` that count. `search` knows numbers and no nodes, and `widths` finds
//! the uncertainties of the leaves. `report` moves them and describes the result, and `picture` draws it. The page is
//! `docs/commands/fit.md`.

mod picture;
mod predictor;
mod problem;
mod report;
mod search;
mod sources;
mod widths;

use self::picture::FitPicture;
use self::problem::{FitProblem, read_problem};
use self::report::{check_end, report};
use self::search::{FoundFit, MOST_PASSES, fit_once_or_twice};
use self::widths::FinishedFit;
use crate::command::prelude::*;
use crate::command::signatures::fit::SIGNATURE;
use crate::plotting::picture_options;
use crate::search::leaf_search::run_search;
use crate::search::leaf_texts::describe_point;

pub(crate) static COMMAND: Command =
    Command::new(SIGNATURE, run, picture_options::OFFERS.split_at(1).1);

fn run(session: &mut Session, arguments: &Arguments) -> Result<Reply> {
    let mut notes = Vec::new();
    let problem = read_problem(session, arguments, &mut notes)?;
    let picture = FitPicture::read(session, arguments, &problem, &mut notes)?;
    let found = search(session, &problem, &mut notes)?;
    let mut fit = FinishedFit::of(session, &problem, found, &mut notes);
    let reply = report(session, arguments, &mut fit, notes)?;
    picture.add_to(session, arguments, reply, &fit)
}

/// Runs one search or two. Adds a note if the starts of the result are not the data of the leaves. Refuses an end that is
/// nothing to report.
fn search(session: &mut Session, problem: &FitProblem, notes: &mut Vec<Note>) -> Result<FoundFit> {
    let (model, leaves) = (&problem.points.model, &problem.points.leaves);
    let (given, across) = (values(leaves), problem.across());
    let (found, other_starts) = run_search(session, model, leaves, MOST_PASSES, |_, watch| {
        // The program's own starts are suggested by the data already.
        fit_once_or_twice(problem, &given, !problem.has_own_starts, &across, watch)
    })?;
    if let Some(starts) = other_starts {
        notes.push(Note::new(say!(
            "the search from the given starts failed: this one began at {}, as the data suggest",
            describe_point(session, leaves, &starts)
        )));
    }
    check_end(session, problem, &found)?;
    Ok(found)
}

//! `:fit Y [± S] ~ MODEL`: sets the free leaves of a model to the values at which it is closest to the data.
//!
//! `problem` reads the line, makes leaves of names without a value, and refuses what cannot be fitted; `sources` finds the
//! `±` that count. `search` searches, `report` describes the result, and `picture` draws it.

mod picture;
mod predictor;
mod problem;
mod read;
mod report;
mod search;
mod sources;
mod widths;

use self::picture::FitPicture;
use self::predictor::predictor_data;
use self::problem::FitProblem;
use self::read::read_problem;
use self::report::{check_end, doubt_note, misfit_note, report};
use self::search::{FoundFit, MOST_PASSES, fit, fit_again};
use self::widths::{certainty_now, of_fit};
use crate::command::prelude::*;
use crate::command::signatures::fit::{CORR, FILE, PLOT, SIGNATURE, Y};
use crate::plotting::picture_options;
use crate::search::leaf_search::{FoundPoint, run_search};
use crate::search::leaf_texts::{describe_point, measured_note, name_lists, unknown_effect_note};
use crate::search::least_squares::SearchEnd;
use crate::search::{MOST_SOURCES, SearchWatch};
use crate::session::{Contents, Widths};
use chainrule_report::{Picture, Plot};

pub(crate) static COMMAND: Command =
    Command::new(SIGNATURE, run, picture_options::OFFERS.split_at(1).1);

fn run(session: &mut Session, arguments: &Arguments) -> Result<Reply> {
    let parsed = language::model(arguments.text, arguments.place(Y));
    let sides = parsed.map_err(|error| arguments.explain(session, error))?;
    let mut notes = Vec::new();
    let mut problem = read_problem(session, arguments, &sides, &mut notes)?;
    let file = arguments.file_if_given(FILE)?;
    let picture = FitPicture::read(session, arguments, &problem, &sides)?;
    notes.extend(picture.unseen_note(&problem));
    let mut found = search(session, &problem, &mut notes)?;
    check_end(session, &problem, &found, &sides).map_err(|error| error.at(sides.model.span))?;
    let widths = found_uncertainties(session, &mut problem, &found, &mut notes);
    let doubt = doubt_note(session, &problem, &found);
    let is_doubtful = doubt.is_some();
    notes.extend(doubt);
    notes.extend(misfit_note(&found));
    notes.extend(measured_note(session, &problem.leaves));
    let outcome = FoundPoint {
        leaves: &problem.leaves,
        point: &found.nearest.point.clone(),
        is_interrupted: found.nearest.end == SearchEnd::Stopped,
        widths,
        notes,
    };
    let has_matrix = arguments.has(CORR);
    let reply = outcome.move_leaves(session, |session, before| {
        if !problem.constants.is_empty() {
            found.certainty = Some(certainty_now(session, &problem.leaves));
        }
        report(session, &problem, before, &found, is_doubtful, has_matrix)
    });
    if file.is_none() && !arguments.has(PLOT) {
        return Ok(reply);
    }
    let plot = stop::run_to_end(|| picture.plot(session, &problem, &found));
    add_plot(session, reply, plot, file)
}

/// Runs one search or two. Adds a note if the starts of the result are not the data of the leaves.
fn search(session: &mut Session, problem: &FitProblem, notes: &mut Vec<Note>) -> Result<FoundFit> {
    let (roots, leaves) = (&problem.model, &problem.leaves);
    let across = predictor_data(session, problem);
    let (found, other_starts) = run_search(session, roots, leaves, MOST_PASSES, |_, watch| {
        fit_once_or_twice(problem, &across, watch)
    })?;
    if let Some(starts) = other_starts {
        notes.push(Note::new(say!(
            "the search from the given starts failed: this one began at {}, as the data suggest",
            describe_point(session, leaves, &starts)
        )));
    }
    Ok(found)
}

/// Fits from the data of the leaves. If that fails, fits from starts that the data suggest, and returns these with the
/// fit if it is better.
fn fit_once_or_twice(
    problem: &FitProblem,
    across: &[f64],
    watch: SearchWatch,
) -> (FoundFit, Option<Vec<f64>>) {
    let given: Vec<f64> = problem.leaves.iter().map(|leaf| leaf.data()).collect();
    let first = fit(problem, &given, watch);
    // The program's own starts are suggested by the data already.
    if problem.has_own_starts {
        return (first, None);
    }
    let again = fit_again(problem, &first, across, watch);
    again.map_or((first, None), |(starts, better)| (better, Some(starts)))
}

/// Returns the uncertainties of the leaves that were found, and adds a note for each effect that they leave out. Of the
/// constants of the problem, only those with a `±` that counts remain, for the report.
fn found_uncertainties(
    session: &mut Session,
    problem: &mut FitProblem,
    found: &FoundFit,
    notes: &mut Vec<Note>,
) -> Widths {
    let counted = of_fit(session, problem, found).unwrap_or_default();
    if counted.constants.is_empty() {
        notes.extend(unknown_effect_note(session, &problem.constants));
    }
    if counted.weighting.is_empty() && problem.weighting.len() > MOST_SOURCES {
        notes.push(Note::new(say!(
            "the leaves found count as independent of {}: more than {} leaves",
            name_lists(session, &problem.weighting).unwrap_or_default(),
            MOST_SOURCES
        )));
    }
    problem.constants = counted.constants;
    (problem.constants).retain(|leaf| session.is_uncertain(leaf));
    counted.widths
}

/// Shows a picture above the report, or writes it into the file.
fn add_plot(
    session: &Session,
    mut reply: Reply,
    plot: Plot,
    file: Option<FileRequest>,
) -> Result<Reply> {
    let blocks = &mut reply.report.get_or_insert_default().blocks;
    let Some(file) = file else {
        blocks.insert(0, Block::Plot(plot));
        return Ok(reply);
    };
    let line = say!("drew the fit into {:typed}", &*file.path);
    blocks.push(Block::Line(line));
    let contents = Contents::Picture(Box::new(Picture::Plot(plot)));
    reply.write(session, &file, contents)
}

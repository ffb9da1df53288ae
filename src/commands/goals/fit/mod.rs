//! `:fit Y [± S] ~ MODEL`: sets the free leaves of a model to the values at which it is closest to the data.
//!
//! `problem` reads the line and refuses what cannot be fitted, `study::goals` searches, `report` describes the result,
//! and `picture` draws it.

mod picture;
mod problem;
mod report;
mod widths;

use std::rc::Rc;

use self::picture::{FitPicture, Predictor};
use self::problem::{ReadProblem, read_problem};
use self::report::{doubt_note, misfit_note, report, search_error};
use super::leaf_search::{FoundPoint, run_search};
use super::leaf_texts::{describe_point, measured_note, name_lists, unknown_effect_note};
use crate::commands::args::suggestions::Offers;
use crate::commands::look::plot::picture_options::{sizes, titles};
use crate::commands::prelude::*;
use crate::commands::signatures::fit::{
    CORR, FILE, LEGEND, PLOT, SIGNATURE, SIZE, TITLE, XLABEL, Y, YLABEL,
};
use crate::session::{Contents, Widths};
use crate::study::goals::{
    FitProblem, FoundFit, MOST_FIT_PASSES, MOST_SOURCES, SearchEnd, certainty_now, fit, fit_again,
    of_fit,
};
use chainrule_engine::graph::Node;
use chainrule_language as language;
use chainrule_report::{Block, Note, Picture, say};
use chainrule_stop as stop;

pub(crate) static COMMAND: Command = Command::new(
    SIGNATURE,
    run,
    &[
        (XLABEL, Offers::Words(titles)),
        (YLABEL, Offers::Words(titles)),
        (LEGEND, Offers::Words(titles)),
        (TITLE, Offers::Words(titles)),
        (SIZE, Offers::Words(sizes)),
    ],
);

fn run(session: &mut Session, arguments: &Arguments) -> Result<Reply, Diagnostic> {
    let parsed = language::model(arguments.text, arguments.place(Y));
    let sides = parsed.map_err(|error| arguments.explain(session, error))?;
    let ReadProblem {
        mut problem,
        mut notes,
        has_own_starts,
    } = read_problem(session, arguments, &sides)?;
    let file = arguments.file_if_given(FILE)?;
    let picture = FitPicture::read(session, arguments, &problem, &sides)?;
    notes.extend(picture.unseen_note(session, &problem));
    let predictor = picture.predictor.as_ref();
    let across = predictor.map_or(Vec::new(), Predictor::data);
    let SearchResult { mut found, starts } = search(session, &problem, &across, has_own_starts)?;
    if let Some(starts) = starts {
        notes.push(Note::new(say!(
            "the search from the given starts failed: this one began at {}, as the data suggest",
            describe_point(session, &problem.leaves, &starts)
        )));
    }
    if let Some(error) = search_error(session, &problem, &found, &sides) {
        return Err(error.at(sides.model.span));
    }
    let widths = found_uncertainties(session, &mut problem, &found, &mut notes);
    let doubt = doubt_note(session, &problem, &found, has_own_starts);
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
    let mut reply = outcome.move_leaves(session, |session, before| {
        if !problem.constants.is_empty() {
            found.certainty = Some(certainty_now(session, &problem.leaves));
        }
        report(session, &problem, before, &found, is_doubtful, has_matrix)
    });
    if file.is_none() && !arguments.has(PLOT) {
        return Ok(reply);
    }
    let plot = stop::run_to_end(|| picture.plot(session, &problem, &found));
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

/// The result of one or two searches.
struct SearchResult {
    found: FoundFit,
    /// The starts that the data suggest, if the search from the given ones failed.
    starts: Option<Vec<f64>>,
}

/// Searches from the data of the leaves. If that fails, searches again from starts that the data suggest. The second
/// result does not count if the program has suggested the first starts, too (`has_own_starts`).
fn search(
    session: &mut Session,
    problem: &FitProblem,
    across: &[f64],
    has_own_starts: bool,
) -> Result<SearchResult, Diagnostic> {
    let (roots, leaves) = (&problem.model, &problem.leaves);
    let given: Vec<f64> = leaves.iter().map(|leaf| leaf.data()).collect();
    run_search(session, roots, leaves, MOST_FIT_PASSES, |_, watch| {
        let first = fit(problem, &given, watch);
        let again = fit_again(problem, &first, across, watch).filter(|_| !has_own_starts);
        let (starts, found) = again.map_or((None, first), |(starts, it)| (Some(starts), it));
        SearchResult { found, starts }
    })
}

/// Returns the uncertainties of the leaves that were found, with notes on the `±` that they leave out. Removes constants
/// without a `±` from the problem.
fn found_uncertainties(
    session: &mut Session,
    problem: &mut FitProblem,
    found: &FoundFit,
    notes: &mut Vec<Note>,
) -> Widths {
    let (constants, weighting) = (problem.constants.clone(), problem.weighting.clone());
    let widths = of_fit(session, problem, found).unwrap_or_default();
    if problem.constants.is_empty() {
        notes.extend(unknown_effect_note(session, &constants));
    }
    let is_uncertain = |leaf: &Rc<Node>| session.uncertainty(leaf) > Some(0.0);
    problem.constants.retain(is_uncertain);
    if problem.weighting.is_empty() && weighting.len() > MOST_SOURCES {
        notes.push(Note::new(say!(
            "the leaves found count as independent of {}: more than {} leaves",
            name_lists(session, &weighting),
            MOST_SOURCES
        )));
    }
    widths
}

//! `:fit Y [± S] ~ MODEL`: sets the free leaves of a model to the values at which it is closest to the data.
//!
//! `problem` reads the line and refuses what cannot be fitted, `study::goals` searches, and `report` describes the
//! result.

mod picture;
mod problem;
mod report;
mod widths;

use std::rc::Rc;

use self::problem::read_problem;
use self::report::{doubt_note, misfit_note, report, search_error};
use super::leaf_search::{
    FoundPoint, describe_point, measured_note, name_lists, run_search, unknown_effect_note,
};
use crate::commands::args::suggestions::Offers;
use crate::commands::look::plot::picture_options::{PictureOptions, sizes, titles};
use crate::commands::prelude::*;
use crate::commands::signatures::fit::{
    CORR, FILE, LEGEND, PLOT, SIGNATURE, SIZE, TITLE, XLABEL, Y, YLABEL,
};
use crate::session::Contents;
use crate::study::goals::{
    MOST_FIT_PASSES, MOST_SOURCES, SearchEnd, SearchWatch, certainty_now, fit, fit_again, of_fit,
};
use chainrule_engine::graph::Node;
use chainrule_language as language;
use chainrule_report::{Block, Note, Picture, say};

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
    let typed = arguments.place(Y);
    let parts = language::model(arguments.text, typed);
    let parts = parts.map_err(|error| arguments.explain(session, error))?;
    let (mut problem, mut notes, has_own_starts) = read_problem(session, arguments, &parts)?;
    let file = arguments.file_if_given(FILE)?;
    let asked = PictureOptions::of(session, arguments)?;
    let names = parts.model.names().into_iter().map(|(name, _)| name);
    let predictor = picture::predictor(session, &problem);
    let predictor = predictor.as_ref();
    let groups = picture::groups(session, &problem, predictor, names);
    asked.check_legend(2 * groups.len())?;
    asked.check_axis(arguments, predictor.map_or("point", |it| &it.name))?;
    let labels = [&parts.data, &parts.model].map(|part| part.span.of(arguments.text));
    let (data, logarithmic) = (labels[0], asked.logarithmic);
    notes.extend(picture::unseen_note(
        session,
        &problem,
        predictor,
        data,
        logarithmic,
    ));
    let (roots, leaves) = (&problem.model, &problem.leaves);
    let start: Vec<f64> = leaves.iter().map(|leaf| leaf.data()).collect();
    let across = predictor.map_or(Vec::new(), picture::Predictor::data);
    let search = |_: &mut Session, watch: SearchWatch| {
        let found = fit(&problem, &start, watch);
        let again = fit_again(&problem, &found, &across, watch).filter(|_| !has_own_starts);
        again.map_or((None, found), |(starts, found)| (Some(starts), found))
    };
    let (other_starts, mut found) = run_search(session, roots, leaves, MOST_FIT_PASSES, search)?;
    if let Some(starts) = other_starts {
        notes.push(Note::new(say!(
            "the search from the given starts failed: this one began at {}, as the data suggest",
            describe_point(session, leaves, &starts)
        )));
    }
    let stopped = found.nearest.end == SearchEnd::Stopped;
    if let Some(error) = search_error(session, &problem, &found, &parts) {
        return Err(error.at(parts.model.span));
    }
    let (constants, weighting) = (problem.constants.clone(), problem.weighting.clone());
    let widths = of_fit(session, &mut problem, &found).unwrap_or_default();
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
    let doubt = doubt_note(session, &problem, &found, has_own_starts);
    let is_doubtful = doubt.is_some();
    notes.extend(doubt);
    notes.extend(misfit_note(&found));
    notes.extend(measured_note(session, &problem.leaves));
    let outcome = FoundPoint {
        leaves: &problem.leaves,
        point: &found.nearest.point.clone(),
        is_interrupted: stopped,
        widths,
        notes,
    };
    let mut drawn = None;
    let reply = outcome.move_leaves(session, |session, starts| {
        if !problem.constants.is_empty() {
            found.certainty = Some(certainty_now(session, &problem.leaves));
        }
        let has_corr = arguments.has(CORR);
        let mut report = report(session, &problem, starts, &found, is_doubtful, has_corr);
        let picture = || {
            let fit = Some(&found).filter(|_| !asked.plain);
            picture::plot(session, labels, (&problem, predictor), &groups, fit, &asked)
        };
        if let Some(file) = file {
            let line = say!("drew the fit into {:typed}", &*file.path);
            report.blocks.push(Block::Line(line));
            drawn = Some((file, Picture::Plot(picture())));
        } else if arguments.has(PLOT) {
            report.blocks.insert(0, Block::Plot(picture()));
        }
        report
    });
    match drawn {
        Some((file, picture)) => reply.write(session, &file, Contents::Picture(Box::new(picture))),
        None => Ok(reply),
    }
}

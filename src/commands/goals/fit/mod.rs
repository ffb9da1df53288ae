//! `:fit Y [± S] ~ MODEL`: sets the free leaves of a model to where it is nearest to the data.
//!
//! `parts` reads the line, `asked` refuses what cannot be fitted, `study::goals` searches, `told` says what was found.

mod asked;
mod deviations;
mod parts;
mod picture;
mod told;

use self::asked::Asked;
use self::parts::Parts;
use super::moved::{FoundPoint, watched};
use crate::commands::args::suggestions::Offers;
use crate::commands::args::{Argument, ArgumentKind, Arguments};
use crate::commands::look::plot::ENDINGS;
use crate::commands::{Command, FileRequest, Group, Reply};
use crate::diagnostic::Diagnostic;
use crate::report::{Block, Picture, say};
use crate::session::{Contents, Error, Session, Widths};
use crate::study::goals::{FitEnd, MOST_FIT_PASSES, fit};

const MODEL: &str = "Y [± S] ~ MODEL";

pub(crate) const COMMAND: Command = Command {
    name: "fit",
    aliases: &[],
    group: Group::Goals,
    looks: false,
    entry: (":fit y ~ a + b*x", "what do the data say"),
    arguments: &[
        Argument::needed(MODEL, ArgumentKind::Model)
            .means("the data, optionally with their uncertainty, and the model"),
        Argument::optional("FILE", ArgumentKind::File)
            .means("a picture of data, curve and residuals, or its numbers: `.svg .png .csv`; the table: `.md`")
            .offering(Offers::Files(|| ENDINGS.to_vec())),
        Argument::flag("plot").means("draw the same picture here"),
    ],
    summary: "fit the free leaves of a model to data",
    page: page!("commands/fit"),
    run,
};

fn run(session: &mut Session, arguments: &Arguments) -> Result<Reply, Diagnostic> {
    let parts = parts::read(session, arguments)?;
    let mut new = Vec::new();
    for name in parts::new_names(session, &parts.model) {
        // Two spellings may be one name.
        if session.names().find(name).is_none() {
            new.push(session.bind_leaf(name, 1.0));
        }
    }
    let asked = Asked::of(session, arguments, &parts, new)?;
    let (reply, drawn) = answer(session, arguments, &parts, &asked)?;
    match drawn {
        Some((file, picture)) => reply.write(session, &file, Contents::Picture(picture)),
        None => Ok(reply),
    }
}

/// A picture and the file that it is drawn into.
type DrawnPicture = (FileRequest, Picture);

fn answer(
    session: &mut Session,
    arguments: &Arguments,
    parts: &Parts,
    asked: &Asked,
) -> Result<(Reply, Option<DrawnPicture>), Diagnostic> {
    let file = arguments.file("FILE")?;
    let problem = &asked.problem;
    let found = watched(session, MOST_FIT_PASSES, |_, watch| fit(problem, watch));
    let stopped = found.end == FitEnd::Stopped;
    if stopped && found.passes <= 1 {
        return Err(Error::Interrupted.into());
    }
    if let Some(error) = asked.impossible(session, &found) {
        return Err(error);
    }
    let certain = found.certainty.as_ref();
    let known = certain.and_then(|it| Some((it.deviations.clone()?, it.correlations.clone())));
    let widths = known.map_or_else(Widths::default, |(deviations, correlations)| Widths {
        leaves: problem.leaves.iter().cloned().zip(deviations).collect(),
        correlations: Some(correlations),
    });
    let outcome = FoundPoint {
        leaves: &problem.leaves,
        point: &found.point,
        interrupted: stopped,
        runs_again: true,
        notes: asked.notes.clone(),
    };
    let mut drawn = None;
    let reply = outcome.settle(
        session,
        arguments,
        |session, settings| session.set_uncertain(settings, widths).1,
        |session, moved| {
            let mut report = told::report(session, problem, moved, &found);
            if let Some(file) = file {
                let line = say!("drew the fit into {:typed}", &*file.path);
                report.blocks.push(Block::Line(line));
                let plot = picture::plot(session, arguments.text, parts, problem);
                drawn = Some((file, Picture::Plot(plot)));
            } else if !arguments.words("plot").is_empty() && !arguments.silenced {
                let plot = picture::plot(session, arguments.text, parts, problem);
                report.blocks.insert(0, Block::Plot(plot));
            }
            report
        },
    );
    Ok((reply, drawn))
}

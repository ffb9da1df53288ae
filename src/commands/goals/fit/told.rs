//! What a fit has found, as a report.
//!
//! A table of the leaves, a line on how good the fit is, and the strongest correlation.

use std::rc::Rc;

use super::COMMAND;
use crate::commands::goals::moved::MovedLeaves;
use crate::report::{Block, Fact, Line, Piece, Report, plural, say};
use crate::session::Session;
use crate::study::goals::{FitEnd, FitProblem, FoundFit};

/// Two leaves are worth a line if they are correlated more than this.
const CORRELATED: f64 = 0.9;

/// The report of a fit.
pub(super) fn report(
    session: &Session,
    problem: &FitProblem,
    moved: &MovedLeaves,
    found: &FoundFit,
) -> Report {
    let n = problem.leaves.len();
    let deviations = found
        .certainty
        .as_ref()
        .and_then(|it| it.deviations.as_ref());
    let sigma: Vec<Option<f64>> = match deviations {
        Some(deviations) => deviations.iter().copied().map(Some).collect(),
        None => vec![None; n],
    };
    let mut blocks = vec![
        Block::Table(moved.table(session, &[("sigma", &sigma)])),
        Block::Line(quality(problem, found)),
    ];
    blocks.extend(most_correlated(session, problem, found).map(Block::Line));
    match found.end {
        FitEnd::Stuck => blocks.push(Block::Line(say!(
            "not settled: the slopes are not 0 here, but no step fits better; begin elsewhere"
        ))),
        FitEnd::Exhausted => blocks.push(Block::Line(say!(
            "not done after {} passes: the same `:fit` goes on from here",
            found.passes
        ))),
        FitEnd::Stopped => blocks.push(Block::Line(say!(
            "interrupted after {} passes: this is the best so far",
            found.passes
        ))),
        _ => {}
    }
    Report {
        confirmation: true,
        ..Report::new(COMMAND.name, facts(problem, found), blocks)
    }
}

/// `21 points, 17 to spare, rms 0.146592, R² 0.984801; ± from the scatter`
fn quality(problem: &FitProblem, found: &FoundFit) -> Line {
    let points = problem.model.len();
    let freedom = points - problem.leaves.len();
    let spare = if freedom == 0 {
        "none".to_string()
    } else {
        freedom.to_string()
    };
    let mut line = say!(
        "{}, {} to spare, rms {:short}",
        plural(points, "point"),
        spare,
        found.rms
    );
    if let Some(r2) = found.r2 {
        line.extend(say!(", R² {:short}", r2));
    }
    if let Some(chi2) = found.chi2 {
        line.extend(say!(", χ² {:short}", chi2));
        if freedom > 0 {
            line.extend(say!(
                " ({:short} per point to spare)",
                chi2 / freedom as f64
            ));
        }
    }
    let from = match (&problem.deviations, freedom) {
        _ if found.certainty.is_none() => "",
        (Some(_), _) => "; ± from those of the data",
        (None, 0) => "; no scatter to estimate ± from",
        (None, _) => "; ± from the scatter",
    };
    line.push(Piece::plain(from));
    line
}

/// `most correlated: c[2] and c[4], -0.92`
fn most_correlated(session: &Session, problem: &FitProblem, found: &FoundFit) -> Option<Line> {
    let n = problem.leaves.len();
    let correlations = &found.certainty.as_ref()?.correlations;
    let pairs = (0..n).flat_map(|row| (row + 1..n).map(move |column| (row, column)));
    let (row, column) = pairs.max_by(|one, other| {
        let size = |(row, column): &(usize, usize)| correlations[row * n + column].abs();
        // Of equal ones the first.
        size(one).total_cmp(&size(other)).then(other.cmp(one))
    })?;
    let most = correlations[row * n + column];
    (most.abs() > CORRELATED).then(|| {
        say!(
            "most correlated: {:name} and {:name}, {}",
            session.label(&problem.leaves[row]),
            session.label(&problem.leaves[column]),
            digits(most)
        )
    })
}

/// A correlation with two decimals, or with as many more as it takes to tell it from 1.
fn digits(correlation: f64) -> String {
    let left = 1.0 - correlation.abs();
    let places = if left > 0.0 {
        (-left.log10()).ceil().max(2.0) as usize
    } else {
        2
    };
    format!("{correlation:.places$}")
}

fn facts(problem: &FitProblem, found: &FoundFit) -> Vec<(&'static str, Fact)> {
    let (points, n) = (problem.model.len(), problem.leaves.len());
    let number = |value: Option<f64>| value.map_or(Fact::Null, Fact::Number);
    let correlations = found.certainty.as_ref().map_or(Fact::Null, |certainty| {
        let rows = certainty.correlations.chunks(n);
        Fact::List(
            rows.map(|row| Fact::Numbers(Rc::new(row.to_vec())))
                .collect(),
        )
    });
    let deviations = found
        .certainty
        .as_ref()
        .is_some_and(|it| it.deviations.is_some());
    let end = match found.end {
        FitEnd::Stuck => "stuck",
        FitEnd::Exhausted => "exhausted",
        FitEnd::Stopped => "stopped",
        _ => "settled",
    };
    vec![
        ("points", Fact::Count(points as u64)),
        ("freedom", Fact::Count((points - n) as u64)),
        ("sum_of_squares", Fact::Number(found.sum_of_squares)),
        ("rms", Fact::Number(found.rms)),
        ("r2", number(found.r2)),
        ("chi2", number(found.chi2)),
        (
            "scatter",
            Fact::Flag(deviations && problem.deviations.is_none()),
        ),
        ("correlations", correlations),
        ("passes", Fact::Count(found.passes)),
        ("end", Fact::Text(end.to_string())),
    ]
}

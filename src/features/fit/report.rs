//! The report of `:fit`: the quality of the fit, its correlations, and errors and notes on a fit that failed or is
//! doubtful.

use rustc_hash::FxHashSet;

use super::problem::FitProblem;
use super::search::{FoundFit, curved_leaves};
use crate::command::node_table::TableNode;
use crate::command::prelude::*;
use crate::search::leaf_search::moved_rows;
use crate::search::leaf_texts::{MOST_NAMED, describe_point, name_leaves, name_lists, with_digits};
use crate::search::least_squares::{NearestPoint, SearchEnd};
use crate::session::values::Value;
use chainrule_language::{Expression, ModelSides};
use chainrule_report::{Measurement, Piece, count_text, name_list, plural};

/// Two leaves have a line if they are correlated more than this: then each `±` is more than twice what it would be with the
/// other leaf fixed.
const CORRELATED: f64 = 0.9;
/// Above this reduced χ² the `±` of the leaves are worthless: they are off by more than a factor of three.
const MISFIT: f64 = 10.0;

/// Refuses the end of a search that found no point to report.
pub(super) fn check_end(
    session: &Session,
    problem: &FitProblem,
    found: &FoundFit,
    sides: &ModelSides,
) -> Result<()> {
    let end = describe_point(session, &problem.leaves, &found.nearest.point);
    match &found.nearest.end {
        SearchEnd::Undetermined(places) => {
            let leaves = places.iter().map(|&place| &problem.leaves[place]);
            let names = name_leaves(session, leaves);
            let problem_with_data = match places.len() {
                1 => format!("the data say nothing about {names}"),
                _ => format!("the data do not tell {names} apart"),
            };
            let idle = idle_data(session, problem, sides)
                .map_or_else(String::new, |idle| format!("; the fit does not use {idle}"));
            let message = format!("{problem_with_data} where the search ended, at {end}");
            Err(Diagnostic::new(message).help(format!(
                "leave one of them out, fix one with `:freeze` or `const`, or `:set` another start{idle}"
            )))
        }
        SearchEnd::Exhausted => {
            let passes = count_text(found.nearest.passes);
            let message = format!("the fit is not done after {passes} passes, at {end}");
            let help = "`:set` another start, or fix a leaf with `:freeze` or `const`";
            Err(Diagnostic::new(message).help(help))
        }
        SearchEnd::Undefined { point, leaf } => {
            let label = session.label(&problem.leaves[*leaf]);
            let number = point + 1;
            let message = format!(
                "the derivative of the model by `{label}` is not a number at point {number}"
            );
            let help = "`:set` the leaf first, to a value where it is a number";
            Err(Diagnostic::new(message).help(help))
        }
        _ => Ok(()),
    }
}

/// The names of lists as long as the data that the fit does not use. A leaf may be such a name misspelled.
fn idle_data(session: &Session, problem: &FitProblem, sides: &ModelSides) -> Option<String> {
    let width = sides.width.as_ref().map(|it| &it.operand);
    let typed = [Some(&sides.model), Some(&sides.data), width];
    let words = typed.into_iter().flatten().flat_map(Expression::names);
    let used: FxHashSet<&str> = words.map(|(name, _)| name).collect();
    let is_idle = |(name, value): &(&str, &Value)| {
        matches!(value, Value::List(_))
            && value.nodes().len() == problem.data.len()
            && !used.contains(name)
            && value.nodes().iter().all(|node| node.is_frozen())
    };
    let idle = session.names().bound_values().filter(is_idle);
    let names = backtick_list(idle.map(|(name, _)| name).take(MOST_NAMED));
    (!names.is_empty()).then_some(names)
}

/// A note on a doubtful fit: it explains little from starts that the program chose, or some leaves can take any value if
/// others follow. A model that is linear in all leaves has a single best point, so it gets no note.
pub(super) fn doubt_note(
    session: &Session,
    problem: &FitProblem,
    found: &FoundFit,
) -> Option<Note> {
    let starts: Vec<f64> = problem.leaves.iter().map(|leaf| leaf.data()).collect();
    let loose = found.loose_leaf();
    let r2 = found.low_r2().filter(|_| problem.has_own_starts);
    if found.nearest.end != SearchEnd::Settled || loose.is_none() && r2.is_none() {
        return None;
    }
    let curved = curved_leaves(problem, &[starts.clone(), found.nearest.point.clone()]);
    if curved.is_empty() {
        return None;
    }
    let setting = |&place: &usize| {
        let label = session.label(&problem.leaves[place]);
        format!("{label} {}", with_digits(starts[place], 6))
    };
    let settings: Vec<String> = curved.iter().take(MOST_NAMED).map(setting).collect();
    let reason = match loose {
        Some(place) => say!(
            "the data hardly determine {:name}: its ± is more than ten times its value",
            session.label(&problem.leaves[place])
        ),
        None => say!("the model explains little of the data, {}", r2_line(r2?)),
    };
    Some(Note::new(say!(
        "{}; begin elsewhere, with other numbers in {:typed}",
        reason,
        format!(":set {}", settings.join(", "))
    )))
}

/// A note on a χ² that is too large for the model.
pub(super) fn misfit_note(found: &FoundFit) -> Option<Note> {
    let reduced = found.chi2? / found.freedom as f64;
    (found.freedom > 0 && reduced > MISFIT).then(|| {
        Note::new(say!(
            "reduced χ² is {}: the model is wrong, or the ± of the data are too small; the ± of the leaves are, too",
            with_digits(reduced, 2)
        ))
    })
}

/// The report of a fit.
pub(super) fn report(
    session: &Session,
    problem: &FitProblem,
    starts: &[f64],
    found: &FoundFit,
    is_doubtful: bool,
    has_matrix: bool,
) -> Report {
    let sigma = |row: &TableNode| {
        let sigma = |deviation| Cell::Sigma(Measurement::of_result(row.node.data(), deviation));
        found.deviation(row.place).map_or(Cell::Missing, sigma)
    };
    let rows = moved_rows(session, &problem.leaves, starts)
        .column(Column::new("sigma", "±"), sigma)
        .names(session);
    let mut blocks = vec![
        Block::Table(rows.table("rows")),
        Block::Line(quality_line(session, problem, found)),
    ];
    blocks.extend(correlation_line(session, problem, found).map(Block::Line));
    if has_matrix {
        blocks.extend(correlation_table(session, problem, found).map(Block::Table));
    }
    let (end, remark) = outcome(session, problem, &found.nearest, is_doubtful);
    blocks.extend(remark.clone().map(Block::Line));
    let mut facts = facts(problem, found);
    facts.push(("end", end.into()));
    facts.push(("remark", remark.map(Fact::Sentence).into()));
    Report::new("fit", facts, blocks)
}

/// How a search ended that found a point to report: the word in JSON, and the sentence below the table. A fit that has
/// settled within the bounds needs none, and a doubtful one has a note.
fn outcome(
    session: &Session,
    problem: &FitProblem,
    nearest: &NearestPoint,
    is_doubtful: bool,
) -> (&'static str, Option<Line>) {
    let held = nearest.held.iter().map(|&at| &problem.leaves[at]);
    let names = name_list(held.map(|leaf| session.label(leaf)));
    let held_line = say!("held at a bound: {}; the other ± take that as given", names);
    let held_remark = (!nearest.held.is_empty()).then_some(held_line);
    match nearest.end {
        SearchEnd::Stuck => {
            let remark = say!(
                "not settled: no step fits better, though the slopes are not 0 here; try other starting values"
            );
            ("stuck", Some(remark))
        }
        SearchEnd::Stopped => {
            let passes = count_text(nearest.passes);
            let remark = say!(
                "interrupted after {} passes: this is the best so far",
                passes
            );
            ("stopped", Some(remark))
        }
        _ if is_doubtful => ("doubtful", held_remark),
        _ => ("settled", held_remark),
    }
}

/// The facts of a fit for JSON.
fn facts(problem: &FitProblem, found: &FoundFit) -> Vec<(&'static str, Fact)> {
    let certainty = found.certainty.as_ref();
    let has_deviations = certainty.is_some_and(|it| !it.deviations.is_empty());
    let row = |row: &[f64]| row.iter().copied().collect::<Fact>();
    let table = |all: &[f64]| all.chunks(problem.leaves.len()).map(row).collect::<Fact>();
    vec![
        ("points", problem.model.len().into()),
        ("freedom", found.freedom.into()),
        ("sum_of_squares", found.sum_of_squares.into()),
        ("rms", found.rms.into()),
        ("r2", found.r2.into()),
        ("chi2", found.chi2.into()),
        ("p", found.chance.into()),
        ("aic", found.aic.into()),
        (
            "scatter",
            (has_deviations && problem.deviations.is_none()).into(),
        ),
        (
            "correlations",
            certainty.map(|it| table(&it.correlations)).into(),
        ),
        ("passes", found.nearest.passes.into()),
    ]
}

/// `21 points, 17 degrees of freedom, rms 0.146592, R² 0.984801, AIC -72.6; ± from the scatter`
fn quality_line(session: &Session, problem: &FitProblem, found: &FoundFit) -> Line {
    let (points, freedom) = (problem.model.len(), found.freedom);
    let mut line = say!(
        "{}, {} of freedom, rms {:short}",
        plural(points, "point"),
        plural(freedom, "degree"),
        found.rms
    );
    if let Some(r2) = found.r2 {
        line.extend(say!(", {}", r2_line(r2)));
    }
    if let Some(chi2) = found.chi2 {
        line.extend(say!(", χ² {:short}", chi2));
        if let Some(chance) = found.chance {
            let reduced = chi2 / freedom as f64;
            let chance = with_digits(chance, 2);
            line.extend(say!(", p = {}, reduced χ² {:short}", chance, reduced));
        }
    }
    if let Some(aic) = found.aic {
        line.extend(say!(", AIC {:short}", aic));
    }
    let has_weights = problem.deviations.is_some();
    if found.certainty.is_some() {
        line.push(Piece::plain(match freedom {
            _ if has_weights => "; ± from those of the data",
            0 => "; no scatter to estimate ± from",
            _ => "; ± from the scatter",
        }));
    }
    if let Some(constants) = name_lists(session, &problem.constants) {
        // `± from those of the data and of c`, `± from the scatter and those of c`
        let those = if has_weights { "" } else { "those " };
        line.extend(say!(" and {}of {}", those, constants));
    }
    if let Some(of_model) = name_lists(session, &problem.uncertain_predictors) {
        line.extend(say!("; the weights count the ± of {}", of_model));
    }
    line
}

/// `R² 0.984801`. The size of a negative R² means nothing.
fn r2_line(r2: f64) -> Line {
    if r2 < 0.0 {
        say!("R² below 0 (the mean of the data fits better)")
    } else {
        say!("R² {:short}", r2)
    }
}

/// The table of the correlations of each leaf with each.
fn correlation_table(session: &Session, problem: &FitProblem, found: &FoundFit) -> Option<Table> {
    let correlations = &found.certainty.as_ref()?.correlations;
    let leaves = problem.leaves.iter();
    let labels: Vec<String> = leaves.map(|leaf| session.label(leaf)).collect();
    let titles = std::iter::once("correlation").chain(labels.iter().map(String::as_str));
    let columns = titles.map(Column::people).collect();
    let mut rows = Vec::new();
    for (label, row) in labels.iter().zip(correlations.chunks(labels.len())) {
        let rounded = |number: &f64| Cell::Number((number * 1e4).round() / 1e4);
        let mut cells = vec![Cell::Name(label.clone())];
        cells.extend(row.iter().map(rounded));
        rows.push(cells);
    }
    Some(Table::new("", columns, rows))
}

/// `most correlated: c[2] and c[4], -0.917264`
fn correlation_line(session: &Session, problem: &FitProblem, found: &FoundFit) -> Option<Line> {
    let n = problem.leaves.len();
    let correlations = &found.certainty.as_ref()?.correlations;
    // The row and the column of the largest correlation in the upper half of the matrix; of equal ones, the first.
    let pairs = (0..n).flat_map(|row| (row + 1..n).map(move |column| [row, column]));
    let size = |[row, column]: &[usize; 2]| correlations[row * n + column].abs();
    let high = pairs.rev().filter(|pair| size(pair) > CORRELATED);
    let [row, column] = high.max_by(|one, other| size(one).total_cmp(&size(other)))?;
    Some(say!(
        "most correlated: {:name} and {:name}, {:short}",
        session.label(&problem.leaves[row]),
        session.label(&problem.leaves[column]),
        correlations[row * n + column]
    ))
}

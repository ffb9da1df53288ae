//! The report of `:fit`: the quality of the fit, its correlations, and errors and notes on a fit that failed or is
//! doubtful.

use rustc_hash::FxHashSet;

use crate::commands::goals::leaf_search::moved_table;
use crate::commands::goals::leaf_texts::{
    MOST_NAMED, describe_point, name_leaves, name_lists, six_digits, with_digits,
};
use crate::session::Session;
use crate::session::values::Value;
use crate::study::goals::{FitProblem, FoundFit, SearchEnd, curved_leaves};
use chainrule_language::ModelSides;
use chainrule_report::diagnostic::{Diagnostic, backtick_list};
use chainrule_report::{
    Block, Cell, Column, Fact, Line, Measurement, Note, Piece, Report, Table, TableRows,
    count_text, name_list, plural, say,
};

/// Two leaves have a line if they are correlated more than this: then each `±` is more than twice what it would be with the
/// other leaf fixed.
const CORRELATED: f64 = 0.9;
/// Above this reduced χ² the `±` of the leaves are worthless: they are off by more than a factor of three.
const MISFIT: f64 = 10.0;

/// The error for a search that could not end well.
pub(super) fn search_error(
    session: &Session,
    problem: &FitProblem,
    found: &FoundFit,
    sides: &ModelSides,
) -> Option<Diagnostic> {
    let leaves = &problem.leaves;
    let (message, help) = match &found.nearest.end {
        SearchEnd::Undetermined(places) => {
            let names = name_leaves(session, places.iter().map(|&place| &leaves[place]));
            let end = describe_point(session, leaves, &found.nearest.point);
            let message = match &places[..] {
                [_] => format!("the data say nothing about {names}"),
                _ => format!("the data do not tell {names} apart"),
            };
            let mut help =
                "leave one of them out, fix one with `:freeze` or `const`, or `:set` another start"
                    .to_string();
            if let Some(idle) = idle_data(session, problem, sides) {
                help = format!("{help}; the fit does not use {idle}");
            }
            (format!("{message} where the search ended, at {end}"), help)
        }
        SearchEnd::Undefined { point, leaf } => (
            format!(
                "the derivative of the model by `{}` is not a number at point {}",
                session.label(&leaves[*leaf]),
                point + 1
            ),
            "`:set` the leaf first, to a value where it is a number".to_string(),
        ),
        _ => return None,
    };
    Some(Diagnostic::new(message).help(help))
}

/// The names of lists as long as the data that the fit does not use. A leaf may be such a name misspelled.
fn idle_data(session: &Session, problem: &FitProblem, sides: &ModelSides) -> Option<String> {
    let words = [sides.model.names(), sides.data.names()].concat();
    let used: FxHashSet<&str> = words.into_iter().map(|(name, _)| name).collect();
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
    has_own_starts: bool,
) -> Option<Note> {
    let starts: Vec<f64> = problem.leaves.iter().map(|leaf| leaf.data()).collect();
    let loose = found.loose_leaf();
    let r2 = found.low_r2().filter(|_| has_own_starts);
    if found.nearest.end != SearchEnd::Settled || loose.is_none() && r2.is_none() {
        return None;
    }
    let curved = curved_leaves(problem, &[starts.clone(), found.nearest.point.clone()]);
    if curved.is_empty() {
        return None;
    }
    let setting = |&place: &usize| {
        let label = session.label(&problem.leaves[place]);
        format!("{label} {}", six_digits(starts[place]))
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
    let certain = found.certainty.as_ref();
    let deviations = certain.and_then(|it| it.deviations.as_ref());
    let mut sigmas = Vec::new();
    for (place, leaf) in problem.leaves.iter().enumerate() {
        let is_held = found.nearest.held.contains(&place);
        sigmas.push(match deviations.filter(|_| !is_held) {
            Some(all) => Cell::Sigma(Measurement::of_result(leaf.data(), all[place])),
            None => Cell::Missing,
        });
    }
    let sigma = [(Column::new("sigma", "±"), sigmas)];
    let mut blocks = vec![
        Block::Table(moved_table(session, &problem.leaves, starts, sigma)),
        Block::Line(quality_line(session, problem, found)),
    ];
    blocks.extend(correlation_line(session, problem, found).map(Block::Line));
    if has_matrix {
        blocks.extend(correlation_table(session, problem, found).map(Block::Table));
    }
    if !found.nearest.held.is_empty() {
        let held = found.nearest.held.iter().map(|&at| &problem.leaves[at]);
        let names = name_list(held.map(|leaf| session.label(leaf)));
        blocks.push(Block::Line(say!(
            "held at a bound: {}; the other ± take that as given",
            names
        )));
    }
    let (word, remark) = match found.nearest.end {
        SearchEnd::Settled if is_doubtful => ("doubtful", String::new()),
        ref end => end_words(end, found.nearest.passes),
    };
    if !remark.is_empty() {
        blocks.push(Block::Line(say!("{}", remark)));
    }
    let points = problem.model.len();
    let correlations = certain.map(|certainty| -> Fact {
        let rows = certainty.correlations.chunks(problem.leaves.len());
        rows.map(|row| row.iter().copied().collect::<Fact>())
            .collect()
    });
    let is_from_scatter = deviations.is_some() && problem.deviations.is_none();
    let facts = vec![
        ("points", Fact::Count(points as u64)),
        ("freedom", Fact::Count(found.freedom as u64)),
        ("sum_of_squares", Fact::Number(found.sum_of_squares)),
        ("rms", Fact::Number(found.rms)),
        ("r2", found.r2.into()),
        ("chi2", found.chi2.into()),
        ("p", found.chance.into()),
        ("aic", found.aic.into()),
        ("scatter", Fact::Flag(is_from_scatter)),
        ("correlations", correlations.into()),
        ("passes", Fact::Count(found.nearest.passes)),
        ("end", Fact::Text(word.to_string())),
    ];
    Report::new("fit", facts, blocks)
}

/// The end of a search as a word for JSON, and a remark on it for the answer.
fn end_words(end: &SearchEnd, passes: u64) -> (&'static str, String) {
    let count = count_text(passes);
    match end {
        SearchEnd::Stuck => (
            "stuck",
            "not settled: no step fits better, though the slopes are not 0 here; try other starting values".to_string(),
        ),
        SearchEnd::Exhausted => (
            "exhausted",
            format!("not done after {count} passes: the same `:fit` goes on from here"),
        ),
        SearchEnd::Stopped => (
            "stopped",
            format!("interrupted after {count} passes: this is the best so far"),
        ),
        _ => ("settled", String::new()),
    }
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
            line.extend(say!(
                ", p = {}, reduced χ² {:short}",
                with_digits(chance, 2),
                reduced
            ));
        }
    }
    if let Some(aic) = found.aic {
        line.extend(say!(", AIC {:short}", aic));
    }
    let from = match (&problem.deviations, freedom) {
        _ if found.certainty.is_none() => "",
        (Some(_), _) => "; ± from those of the data",
        (None, 0) => "; no scatter to estimate ± from",
        (None, _) => "; ± from the scatter",
    };
    line.push(Piece::plain(from));
    if !problem.constants.is_empty() {
        let those = problem.deviations.as_ref().map_or("those ", |_| "");
        let constants = name_lists(session, &problem.constants);
        line.extend(say!(" and {}of {}", those, constants));
    }
    if !problem.uncertain_predictors.is_empty() {
        let of_model = name_lists(session, &problem.uncertain_predictors);
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
    let n = problem.leaves.len();
    let correlations = found.certainty.as_ref()?.correlations.clone();
    let labels: Vec<String> = problem
        .leaves
        .iter()
        .map(|leaf| session.label(leaf))
        .collect();
    let titles = std::iter::once("correlation").chain(labels.iter().map(String::as_str));
    let columns = titles.map(Column::people).collect();
    let number = |part: &f64| Cell::Number((part * 1e4).round() / 1e4);
    let row = move |at: usize| {
        let numbers = correlations[at * n..][..n].iter().map(number);
        let label = Cell::Name(labels[at].clone());
        std::iter::once(label).chain(numbers).collect()
    };
    Some(Table::new("", columns, TableRows::new(n, row)))
}

/// `most correlated: c[2] and c[4], -0.917264`
fn correlation_line(session: &Session, problem: &FitProblem, found: &FoundFit) -> Option<Line> {
    let n = problem.leaves.len();
    let correlations = &found.certainty.as_ref()?.correlations;
    let pairs = (0..n).flat_map(|row| (row + 1..n).map(move |column| (row, column)));
    let correlation = |(row, column): (usize, usize)| correlations[row * n + column];
    let size = |pair: &(usize, usize)| correlation(*pair).abs();
    // The first of equal ones.
    let largest = pairs
        .rev()
        .max_by(|one, other| size(one).total_cmp(&size(other)))?;
    let line = say!(
        "most correlated: {:name} and {:name}, {:short}",
        session.label(&problem.leaves[largest.0]),
        session.label(&problem.leaves[largest.1]),
        correlation(largest)
    );
    (size(&largest) > CORRELATED).then_some(line)
}

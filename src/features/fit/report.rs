//! The report of `:fit`: the quality of the fit, its correlations, and errors and notes on a fit that failed or is
//! doubtful.

use rustc_hash::FxHashSet;

use super::problem::FitProblem;
use super::search::{FoundFit, curved_leaves};
use super::widths::FinishedFit;
use crate::command::node_table::TableNode;
use crate::command::prelude::*;
use crate::command::signatures::fit::{CORR, LEVEL, WRT};
use crate::search::leaf_search::{FoundPoint, moved_rows};
use crate::search::leaf_texts::{
    MOST_NAMED, describe_point, held_data_note, name_leaves, name_lists, with_digits,
};
use crate::search::least_squares::SearchEnd;
use chainrule_engine::ops;
use chainrule_language::Expression;
use chainrule_program::values::Value;
use chainrule_report::{BandLevel, Measurement, Piece, name_list};
use chainrule_session::uncertainty::JointErrors;

/// Two leaves have a line if they are correlated more than this: then each `±` is more than twice what it would be with the
/// other leaf fixed.
const CORRELATED: f64 = 0.9;
/// The facts that `--csv` has, too, as rows. People read them in the line below the table.
const QUALITY: &[&str] = &["points", "freedom", "rms", "r2", "chi2", "p", "aic", "aicc"];
/// Above this reduced χ² the `±` of the leaves are worthless: they are off by more than a factor of three.
const MISFIT: f64 = 10.0;

/// Moves the leaves to where the search ended, and reports the fit.
pub(super) fn report(
    session: &mut Session,
    arguments: &Arguments,
    fit: &mut FinishedFit,
    mut notes: Vec<Note>,
) -> Result<Reply> {
    let leaves = &fit.problem.points.leaves;
    fit.level = read_level(session, arguments, &fit.found)?;
    let doubt = fit.doubt_note(session);
    let is_doubtful = doubt.is_some();
    notes.extend(doubt);
    notes.extend(misfit_note(&fit.found));
    if !arguments.has(WRT) {
        notes.extend(held_data_note(session, &fit.problem.sources.constants));
    }
    let outcome = FoundPoint {
        leaves,
        point: &fit.found.nearest.point.clone(),
        is_interrupted: fit.found.nearest.end == SearchEnd::Stopped,
        widths: fit.widths.clone(),
        notes,
    };
    Ok(outcome.move_leaves(session, |session, before| {
        if !fit.constants.is_empty() {
            let covariance = session.names().uncertain.covariance(leaves);
            fit.found.certainty = Some(JointErrors::of_covariance(&covariance, leaves.len()));
        }
        let mut report = fit.report(session, before, is_doubtful, arguments.has(CORR));
        let level = fit.level.map(|level| level.per_cent);
        report.facts.push(("level", level.into()));
        report
    }))
}

/// Reads the confidence of the intervals, in per cent. Refuses a fit whose scatter is not known.
fn read_level(
    session: &mut Session,
    arguments: &Arguments,
    found: &FoundFit,
) -> Result<Option<BandLevel>> {
    let Some((level, span)) = arguments.number(session, LEVEL)? else {
        return Ok(None);
    };
    // Whoever types 0.95 means 95 per cent.
    if !(1.0 < level && level < 100.0) {
        let message = format!("`{}` is not a level in per cent", span.of(arguments.text));
        let help = "a number between 1 and 100 is expected, as in `level 95`";
        return Err(Diagnostic::new(message).at(span).help(help));
    }
    if found.freedom == 0 {
        let message = "an interval needs degrees of freedom, and there are none";
        let help = "a fit needs more points than leaves; leave `level` out, or `:freeze` a leaf";
        return Err(Diagnostic::new(message).at(span).help(help));
    }
    Ok(Some(BandLevel {
        per_cent: level,
        quantile: -ops::student(0.5 - level / 200.0, found.freedom as f64),
    }))
}

/// Refuses the end of a search that found no point to report.
pub(super) fn check_end(session: &Session, problem: &FitProblem, found: &FoundFit) -> Result<()> {
    let all = &problem.points.leaves;
    let end = describe_point(session, all, &found.nearest.point);
    let error = match &found.nearest.end {
        SearchEnd::Undetermined(places) => {
            let names = name_leaves(session, places.iter().map(|&place| &all[place]));
            let problem_with_data = match places.len() {
                1 => format!("the data say nothing about {names}"),
                _ => format!("the data do not tell {names} apart"),
            };
            let idle = idle_data(session, problem)
                .map_or_else(String::new, |idle| format!("; the fit does not use {idle}"));
            let message = format!("{problem_with_data} where the search ended, at {end}");
            Diagnostic::new(message).help(format!(
                "leave one of them out, fix one with `:freeze` or `const`, or `:set` another start{idle}"
            ))
        }
        SearchEnd::Exhausted => {
            let passes = count_text(found.nearest.passes);
            let message = format!("the fit is not done after {passes} passes, at {end}");
            Diagnostic::new(message)
                .help("`:set` another start, or fix a leaf with `:freeze` or `const`")
        }
        SearchEnd::Undefined { point, leaf } => {
            let (label, number) = (session.label(&all[*leaf]), point + 1);
            let message = format!(
                "the derivative of the model by `{label}` is not a number at point {number}"
            );
            Diagnostic::new(message).help("`:set` the leaf first, to a value where it is a number")
        }
        _ => return Ok(()),
    };
    Err(error.at(problem.sides.model.span))
}

/// The names of lists as long as the data that the fit does not use. A leaf may be such a name misspelled.
fn idle_data(session: &Session, problem: &FitProblem) -> Option<String> {
    let sides = &problem.sides;
    let width = sides.width.as_ref().map(|it| &it.operand);
    let typed = [Some(&sides.model), Some(&sides.data), width];
    let words = typed.into_iter().flatten().flat_map(Expression::names);
    let used: FxHashSet<&str> = words.map(|(name, _)| name).collect();
    let is_idle = |(name, value): &(&str, &Value)| {
        matches!(value, Value::List(_))
            && value.nodes().len() == problem.points.data.len()
            && !used.contains(name)
            && value.nodes().iter().all(|node| node.is_frozen())
    };
    let idle = session.names().bound_values().filter(is_idle);
    let names = backtick_list(idle.map(|(name, _)| name).take(MOST_NAMED));
    (!names.is_empty()).then_some(names)
}

/// A note on a χ² that is too large for the model.
fn misfit_note(found: &FoundFit) -> Option<Note> {
    let reduced = found.chi2? / found.freedom as f64;
    (found.freedom > 0 && reduced > MISFIT).then(|| {
        Note::new(say!(
            "reduced χ² is {}: the model is wrong, or the ± of the data are too small; the ± of the leaves are, too",
            with_digits(reduced, 2)
        ))
    })
}

impl FinishedFit<'_> {
    /// A note on a doubtful fit: it is no better than a constant from starts that the program chose, or some leaves can take
    /// any value if others follow. A model that is linear in all leaves has a single best point, so it gets no note.
    fn doubt_note(&self, session: &Session) -> Option<Note> {
        let (problem, found) = (self.problem, &self.found);
        let leaves = &problem.points.leaves;
        let starts = values(leaves);
        let loose = found.loose_leaf();
        let low = found.low_r2().filter(|_| problem.has_own_starts);
        let r2 = low.filter(|r2| !found.is_better_than_constant(*r2));
        if found.nearest.end != SearchEnd::Settled || loose.is_none() && r2.is_none() {
            return None;
        }
        let curved = curved_leaves(problem, &[starts.clone(), found.nearest.point.clone()]);
        if curved.is_empty() {
            return None;
        }
        let setting = |&place: &usize| {
            let label = self.label(session, place);
            format!("{label} {}", with_digits(starts[place], 6))
        };
        let settings: Vec<String> = curved.iter().take(MOST_NAMED).map(setting).collect();
        let reason = match loose {
            Some(place) => say!(
                "the data hardly determine {:name}: its ± is more than ten times its value",
                self.label(session, place)
            ),
            None => say!(
                "the model is hardly better than a constant, {}",
                r2_line(r2?)
            ),
        };
        Some(Note::new(say!(
            "{}; begin elsewhere, with other numbers in {:typed}",
            reason,
            format!(":set {}", settings.join(", "))
        )))
    }

    /// The report of the fit, whose leaves had the data `starts` before.
    fn report(
        &self,
        session: &Session,
        starts: &[f64],
        is_doubtful: bool,
        has_matrix: bool,
    ) -> Report {
        let found = &self.found;
        let sigma = |row: &TableNode| {
            let sigma = |deviation| Cell::Sigma(Measurement::of_result(row.node.data(), deviation));
            found.deviation(row.place).map_or(Cell::Missing, sigma)
        };
        let mut rows = moved_rows(session, &self.problem.points.leaves, starts)
            .column(Column::new("sigma", "±"), sigma);
        if let Some(level) = self.level {
            let half_width = move |row: &TableNode| {
                let half = found.deviation(row.place).map(|one| level.quantile * one);
                half.map_or(Cell::Missing, |half| {
                    Cell::Sigma(Measurement::of_result(row.node.data(), half))
                })
            };
            rows = rows.column(Column::new("half_width", level.to_string()), half_width);
        }
        let mut blocks = vec![
            Block::Table(rows.names(session).table("rows")),
            Block::Line(self.quality_line(session)),
        ];
        blocks.extend(self.correlation_line(session).map(Block::Line));
        if has_matrix {
            blocks.extend(self.correlation_table(session).map(Block::Table));
        }
        let (end, remark) = self.outcome(session, is_doubtful);
        blocks.extend(remark.clone().map(Block::Line));
        let mut facts = self.facts();
        facts.push(("end", end.into()));
        facts.push(("remark", remark.map(Fact::Sentence).into()));
        Report {
            sheet_facts: QUALITY,
            ..Report::new(&super::COMMAND, facts, blocks)
        }
    }

    /// How a search ended that found a point to report: the word in JSON, and the sentence below the table. A fit that has
    /// settled within the bounds needs none, and a doubtful one has a note.
    fn outcome(&self, session: &Session, is_doubtful: bool) -> (&'static str, Option<Line>) {
        let nearest = &self.found.nearest;
        let names = name_list(nearest.held.iter().map(|&place| self.label(session, place)));
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
    fn facts(&self) -> Vec<(&'static str, Fact)> {
        let (points, found) = (&self.problem.points, &self.found);
        let certainty = found.certainty.as_ref();
        let has_deviations = certainty.is_some_and(|it| !it.deviations.is_empty());
        let row = |row: &[f64]| row.iter().copied().collect::<Fact>();
        let table = |all: &[f64]| all.chunks(points.leaves.len()).map(row).collect::<Fact>();
        vec![
            ("points", points.model.len().into()),
            ("freedom", found.freedom.into()),
            ("sum_of_squares", found.sum_of_squares.into()),
            ("rms", found.rms.into()),
            ("r2", found.r2.into()),
            ("chi2", found.chi2.into()),
            ("p", found.chance.into()),
            ("aic", found.aic.filter(|_| found.chi2.is_some()).into()),
            ("aicc", found.aic.filter(|_| found.chi2.is_none()).into()),
            ("scatter", (has_deviations && found.chi2.is_none()).into()),
            (
                "correlations",
                certainty.map(|it| table(&it.correlations)).into(),
            ),
            ("passes", found.nearest.passes.into()),
        ]
    }

    /// `21 points, 17 degrees of freedom, rms 0.146592, R² 0.984801, AIC -72.6; ± from the scatter`
    fn quality_line(&self, session: &Session) -> Line {
        let (problem, found) = (self.problem, &self.found);
        let (points, freedom) = (problem.points.model.len(), found.freedom);
        let has_weights = found.chi2.is_some();
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
            let name = if has_weights { "AIC" } else { "AICc" };
            line.extend(say!(", {} {:short}", name, aic));
        }
        if found.certainty.is_some() {
            line.push(Piece::plain(match freedom {
                _ if has_weights => "; ± from those of the data",
                0 => "; no scatter to estimate ± from",
                _ => "; ± from the scatter",
            }));
        }
        if let Some(constants) = name_lists(session, &self.constants) {
            // `± from those of the data and of c`, `± from the scatter and those of c`
            let those = if has_weights { "" } else { "those " };
            line.extend(say!(" and {}of {}", those, constants));
        }
        let predictors = problem.sources.predictors.iter().map(|(_, leaf)| leaf);
        if problem.sources.moving.is_some()
            && let Some(of_model) = name_lists(session, predictors)
        {
            line.extend(say!("; the weights count the ± of {}", of_model));
        }
        line
    }

    /// The table of the correlations of each leaf with each.
    fn correlation_table(&self, session: &Session) -> Option<Table> {
        let correlations = &self.found.certainty.as_ref()?.correlations;
        let places = 0..self.problem.points.leaves.len();
        let labels: Vec<String> = places.map(|place| self.label(session, place)).collect();
        let titles = std::iter::once("correlation").chain(labels.iter().map(String::as_str));
        let columns = titles.map(Column::people).collect();
        let mut rows = Vec::new();
        for (label, row) in labels.iter().zip(correlations.chunks(labels.len())) {
            // Four decimals on the screen, and all of them for other programs.
            let rounded = |number: &f64| Cell::Value(Measurement::of_result(*number, 1e-3));
            let mut cells = vec![Cell::Name(label.clone())];
            cells.extend(row.iter().map(rounded));
            rows.push(cells);
        }
        Some(Table::new("", columns, rows))
    }

    /// `most correlated: c[2] and c[4], -0.917264`
    fn correlation_line(&self, session: &Session) -> Option<Line> {
        let n = self.problem.points.leaves.len();
        let correlations = &self.found.certainty.as_ref()?.correlations;
        // The row and the column of the largest correlation in the upper half of the matrix; of equal ones, the first.
        let pairs = (0..n).flat_map(|row| (row + 1..n).map(move |column| [row, column]));
        let size = |[row, column]: &[usize; 2]| correlations[row * n + column].abs();
        let high = pairs.rev().filter(|pair| size(pair) > CORRELATED);
        let [row, column] = high.max_by(|one, other| size(one).total_cmp(&size(other)))?;
        Some(say!(
            "most correlated: {:name} and {:name}, {:short}",
            self.label(session, row),
            self.label(session, column),
            correlations[row * n + column]
        ))
    }

    fn label(&self, session: &Session, place: usize) -> String {
        session.label(&self.problem.points.leaves[place])
    }
}

/// `R² 0.984801`. The size of a negative R² means nothing.
fn r2_line(r2: f64) -> Line {
    if r2 < 0.0 {
        say!("R² below 0 (the mean of the data fits better)")
    } else {
        say!("R² {:short}", r2)
    }
}

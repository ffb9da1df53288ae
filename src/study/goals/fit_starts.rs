//! Finds starting values for the leaves of a fit that have no value yet.
//!
//! Leaves in which the model is linear are solved for. For the others, some values that the data suggest are tried:
//! places and widths along the horizontal axis, rates, and the frequency that stands out most. A sum of several terms
//! is built term by term: each term starts from what the terms before it leave of the data. The fit begins at the model
//! that is nearest to the data.

use std::f64::consts::TAU;
use std::rc::Rc;

use super::differences::Differences;
use super::fit::{FitProblem, FoundFit, fit};
use super::goal::SearchWatch;
use super::least_squares::{NearestPoint, Residuals, in_trust_region};
use super::linear::{Factors, divide_columns, lengths, norm};
use chainrule_engine::graph::Node;
use chainrule_stop as stop;

/// The most points that are looked at.
const MOST_POINTS: usize = 200;
/// The most models that are tried for a term.
const MOST_TRIALS: f64 = 2_000.0;
/// The most terms that a model is built of.
const MOST_TERMS: usize = 6;
/// How many of the nearest models get the next term.
const MOST_KEPT: usize = 6;
/// The most leaves of a failed fit for which starts are looked for.
const MOST_SUGGESTED: usize = 30;
/// The most steps of a search from a guess, and how far they go at first.
const MOST_STEPS: u64 = 200;
const FIRST_RADIUS: f64 = 0.3;
/// From this ratio of the largest to the smallest x on, x spans decades.
const DECADES: f64 = 30.0;
/// Distances from the data are alike if they differ by less than this part.
const ALIKE: f64 = 1e-7;
/// A distance of this part of the data is rounding.
const ROUNDING: f64 = 1e-12;

/// Starts for some leaves of a fit, by place; none if the model is linear in all of them. Searches from the best few
/// guesses, and from ones last, go to their end on some of the points; the lowest end is the start. `across` has a number for
/// each point, or is empty.
pub(crate) fn starts(problem: &FitProblem, places: &[usize], across: &[f64]) -> Option<Vec<f64>> {
    let mut search = StartSearch::of(problem, places, across);
    if search.terms.is_empty() {
        return None;
    }
    let mut guesses = search.guesses();
    let mut found = search.nearest(&guesses)?;
    if search.negative_factors(&found) > 0 {
        for at in search.factors() {
            let (low, _) = &mut search.system.bounds[at];
            *low = low.max(0.0);
        }
        guesses.extend(search.guesses());
        found = search.nearest(&guesses)?;
    }
    search.sort_peaks(&mut found);
    Some(found)
}

/// Fits again from starts that the data suggest, where a fit from other starts has failed; these starts and the new fit if
/// it is better.
pub(crate) fn fit_again(
    problem: &FitProblem,
    failed: &FoundFit,
    across: &[f64],
    watch: SearchWatch,
) -> Option<(Vec<f64>, FoundFit)> {
    let places: Vec<usize> = (0..problem.leaves.len()).collect();
    if !failed.has_failed() || places.len() > MOST_SUGGESTED {
        return None;
    }
    let found = stop::run_stoppable(|| starts(problem, &places, across));
    let starts = found.ok().flatten()?;
    let passes = failed.nearest.passes;
    let mut watch = |pass, value, point: &[f64]| watch(passes + pass, value, point);
    let found = fit(problem, &starts, &mut watch);
    found.is_better_than(failed).then_some((starts, found))
}

/// A term of a model, by places of leaves: the one in which the model is linear, if there is one, and those on which the
/// derivative by it depends, less those of terms before.
struct ModelTerm {
    factor: Option<usize>,
    curved: Vec<usize>,
}

/// Leaves with which a model is this far from the data.
#[derive(Clone)]
struct Guess {
    length: f64,
    point: Vec<f64>,
}

impl Guess {
    fn nowhere(point: Vec<f64>) -> Guess {
        Guess {
            length: f64::INFINITY,
            point,
        }
    }
}

/// The search for starts of a model, on some of the points.
struct StartSearch {
    system: Differences,
    /// A number for each point, or none.
    x: Vec<f64>,
    /// The leaves, by place, in which the model is linear.
    linear: Vec<usize>,
    terms: Vec<ModelTerm>,
    /// For each curved leaf whether the derivatives by each leaf stay when it moves.
    kept: Vec<Vec<bool>>,
}

impl StartSearch {
    fn of(problem: &FitProblem, places: &[usize], across: &[f64]) -> StartSearch {
        let (mut system, x) = (system(problem, places), some(across));
        let (_, sizes) = scales(&x, &system.right);
        let bases: Vec<Vec<f64>> = sizes.iter().map(|size| vec![*size; places.len()]).collect();
        let kept = kept_slopes(&mut system, &bases);
        let linear = linear(&kept);
        let mut curved: Vec<usize> = (0..places.len())
            .filter(|at| !linear.contains(at))
            .collect();
        let mut terms = Vec::new();
        for &factor in &linear {
            let own: Vec<usize> = curved.extract_if(.., |at| !kept[*at][factor]).collect();
            if !own.is_empty() {
                terms.push(ModelTerm {
                    factor: Some(factor),
                    curved: own,
                });
            }
        }
        // Leaves without a factor are tried together.
        if !curved.is_empty() {
            terms.push(ModelTerm {
                factor: None,
                curved,
            });
        }
        StartSearch {
            system,
            x,
            linear,
            terms,
            kept,
        }
    }

    /// The factors of terms, by place.
    fn factors(&self) -> Vec<usize> {
        self.terms.iter().filter_map(|term| term.factor).collect()
    }

    /// Ends of searches from the best few guesses and from ones.
    fn guesses(&mut self) -> Vec<Guess> {
        let n = self.system.leaves;
        // A term whose factor is 0 is 0. Leaves that are no factor of a term are there from the start.
        let mut free = self.linear.clone();
        free.retain(|at| !self.factors().contains(at));
        let mut ones = vec![1.0; n];
        self.system.clamp(&mut ones);
        let mut first = ones.clone();
        for &at in &self.linear {
            first[at] = 0.0;
        }
        self.system.clamp(&mut first);
        let mut nearest = vec![Guess::nowhere(first)];
        // More terms would take time with the square of their number.
        for number in 0..self.terms.len().min(MOST_TERMS) {
            let term = &self.terms[number];
            free.extend(term.factor.iter().chain(&term.curved));
            let curved = term.curved.clone();
            let mut next: Vec<Guess> = Vec::new();
            for guess in &nearest {
                next.extend(self.add_term(&guess.point, &curved, &free));
            }
            next.sort_by(|one, other| one.length.total_cmp(&other.length));
            // Of values that differ in nothing one is enough.
            next.dedup_by(|one, other| one.length <= other.length * (1.0 + ALIKE));
            next.truncate(MOST_KEPT);
            for guess in &mut next {
                self.improve(guess, &free);
            }
            nearest = next;
        }
        nearest.push(Guess::nowhere(ones));
        let all: Vec<usize> = (0..n).collect();
        for guess in &mut nearest {
            self.improve(guess, &all);
        }
        nearest
    }

    /// The nearest points with one more term, for each start of its first leaf.
    fn add_term(&mut self, from: &[f64], curved: &[usize], free: &[usize]) -> Vec<Guess> {
        let scales = self.scales_left(from);
        let most = MOST_TRIALS.powf(1.0 / curved.len() as f64).max(1.0) as usize;
        let inside = |at: &usize| -> Vec<f64> {
            let values = inside(&scales, self.system.bounds[*at]);
            values.into_iter().take(most).collect()
        };
        let candidates: Vec<Vec<f64>> = curved.iter().map(inside).collect();
        let mut nearest = vec![Guess::nowhere(Vec::new()); candidates[0].len()];
        for trial in 0..candidates.iter().map(Vec::len).product() {
            stop::ask_now();
            let mut point = from.to_vec();
            let mut rest = trial;
            for (&at, candidates) in curved.iter().zip(&candidates) {
                point[at] = candidates[rest % candidates.len()];
                rest /= candidates.len();
            }
            let found = self.solve_factors(point, free);
            let best = &mut nearest[trial % candidates[0].len()];
            if found.length < best.length {
                *best = found;
            }
        }
        nearest.retain(|guess| guess.length.is_finite());
        nearest
    }

    /// The values to try, as what the model leaves of the data at a point suggests them.
    fn scales_left(&mut self, point: &[f64]) -> Vec<f64> {
        self.system.values(point);
        let sides = self.system.right.iter().zip(&self.system.left);
        let left: Vec<f64> = sides.map(|(data, model)| data - model).collect();
        scales(&self.x, &left).0
    }

    /// Moves the free leaves in which the model is linear to where it is nearest to the data, as far as their bounds allow.
    fn solve_factors(&mut self, mut point: Vec<f64>, free: &[usize]) -> Guess {
        let residuals = self.system.values(&point);
        let slopes = self.system.rows();
        let mut numbers = residuals.iter().chain(&slopes);
        if !numbers.all(|number| number.is_finite()) {
            return Guess::nowhere(point);
        }
        let mut factors = free.to_vec();
        factors.retain(|at| self.linear.contains(at));
        let rows = slopes.chunks(point.len());
        let columns = rows.flat_map(|row| factors.iter().map(|&at| row[at]));
        let columns: Vec<f64> = columns.collect();
        let units = lengths(&columns, factors.len());
        let scaled = divide_columns(&columns, &units);
        let solved = Factors::of(&scaled, factors.len(), &residuals);
        let step = solved.solve(solved.rank(f64::EPSILON));
        for (&at, less) in factors.iter().zip(divide_columns(&step, &units)) {
            point[at] -= less;
        }
        self.system.clamp(&mut point);
        Guess {
            length: norm(&self.system.values(&point)),
            point,
        }
    }

    /// Moves these leaves to where the model is nearer to the data.
    fn improve(&mut self, guess: &mut Guess, free: &[usize]) {
        let before = self.system.bounds.clone();
        for (at, data) in guess.point.iter().enumerate() {
            if !free.contains(&at) {
                self.system.bounds[at] = (*data, *data);
            }
        }
        let start = NearestPoint::at(&mut self.system, &guess.point);
        if start.is_finite() {
            let watch = &mut |_, _, _: &[f64]| {
                stop::ask_now();
                true
            };
            let system = &mut self.system;
            let found = in_trust_region(system, &start, FIRST_RADIUS, MOST_STEPS, watch);
            *guess = Guess {
                length: norm(&found.residuals),
                point: found.point,
            };
        }
        self.system.bounds = before;
    }

    /// The lowest guess. Of those that are as low, one with few negative factors and small leaves, such as phases.
    fn nearest(&mut self, guesses: &[Guess]) -> Option<Vec<f64>> {
        // Leaves that the data do not tell apart may have run away.
        let mut sure = guesses.to_vec();
        sure.retain(|guess| !NearestPoint::at(&mut self.system, &guess.point).is_degenerate());
        let guesses = if sure.is_empty() { guesses } else { &sure };
        let lengths = guesses.iter().map(|guess| guess.length);
        let least = lengths.fold(f64::INFINITY, f64::min);
        let sides = self.system.right.iter().zip(&self.system.units);
        let size = norm(&sides.map(|(data, unit)| data / unit).collect::<Vec<f64>>());
        let low = least * (1.0 + ALIKE) + ROUNDING * size;
        let size = |point: &[f64]| point.iter().map(|x| x.abs().ln()).sum::<f64>();
        let ends = guesses.iter().filter(|guess| guess.length <= low);
        let found = ends.map(|guess| &guess.point).min_by(|one, other| {
            let negative = self
                .negative_factors(one)
                .cmp(&self.negative_factors(other));
            negative.then(size(one).total_cmp(&size(other)))
        });
        found.cloned()
    }

    fn negative_factors(&self, point: &[f64]) -> usize {
        let factors = self.factors().into_iter();
        factors.filter(|at| point[*at] < 0.0).count()
    }

    /// Exchanges peaks of one kind, so that they come in the order of their positions, where the derivatives by their
    /// factors are largest. A peak has a factor and curved leaves of its own.
    fn sort_peaks(&mut self, point: &mut Vec<f64>) {
        let factors = self.factors();
        for (place, &one) in factors.iter().enumerate() {
            for &other in &factors[place + 1..] {
                stop::ask_now();
                let own = |peak: usize, from: usize| -> Vec<usize> {
                    let own =
                        (0..point.len()).filter(|at| !self.kept[*at][peak] && self.kept[*at][from]);
                    own.chain([peak]).collect()
                };
                let mut exchanged = point.clone();
                for (at, with) in own(one, other).into_iter().zip(own(other, one)) {
                    exchanged.swap(at, with);
                }
                let after = self.system.values(&exchanged);
                let NearestPoint {
                    residuals, rows, ..
                } = NearestPoint::at(&mut self.system, point);
                let off = residuals.iter().zip(after).map(|(one, other)| one - other);
                let is_same = norm(&off.collect::<Vec<f64>>()) <= ALIKE * norm(&self.system.left);
                let position = |peak: usize| {
                    let slopes = rows.iter().skip(peak).step_by(point.len());
                    let pairs = slopes.map(|slope| slope.abs()).zip(&self.x);
                    let largest = pairs.max_by(|one, other| one.0.total_cmp(&other.0));
                    largest.map(|(_, x)| *x)
                };
                if is_same && position(one) > position(other) {
                    *point = exchanged;
                }
            }
        }
    }
}

/// The values that are within bounds and not at one, where a model may be degenerate. One that is beyond a bound is as far
/// from it on the other side.
fn inside(values: &[f64], (low, high): (f64, f64)) -> Vec<f64> {
    let values = values.iter().map(|value| match value {
        value if *value < low => 2.0 * low - value,
        value if *value > high => 2.0 * high - value,
        value => *value,
    });
    values
        .filter(|value| low < *value && *value < high)
        .collect()
}

/// The leaves, by place, in which the model is not linear, as far as derivatives at these points show it.
pub(crate) fn curved_leaves(problem: &FitProblem, points: &[Vec<f64>]) -> Vec<usize> {
    let all: Vec<usize> = (0..problem.leaves.len()).collect();
    let linear = linear(&kept_slopes(&mut system(problem, &all), points));
    all.into_iter().filter(|at| !linear.contains(at)).collect()
}

/// Some of the items of a list with one for each point.
fn some<T: Clone>(all: &[T]) -> Vec<T> {
    let step = all.len().div_ceil(MOST_POINTS).max(1);
    all.iter().step_by(step).cloned().collect()
}

/// The residuals at some of the points, as functions of some leaves.
fn system(problem: &FitProblem, places: &[usize]) -> Differences {
    let (model, data) = (some(&problem.model), some(&problem.data));
    let leaf = |&place: &usize| Rc::clone(&problem.leaves[place]);
    let leaves: Vec<Rc<Node>> = places.iter().map(leaf).collect();
    // Where x has a ±, that of the data may be 0.
    let units = problem.deviations.as_ref();
    let units = units.filter(|units| units.iter().all(|unit| *unit > 0.0));
    let units = units.map_or_else(|| vec![1.0; data.len()], |units| some(units));
    let mut system = Differences::of(&model, &data, &leaves, units, &[]);
    system.bounds = places.iter().map(|place| problem.bounds[*place]).collect();
    system
}

/// The leaves, by place, in which the model is linear all together: when one moves, the derivatives by all of them stay.
fn linear(kept: &[Vec<bool>]) -> Vec<usize> {
    let mut linear: Vec<usize> = Vec::new();
    for (at, own) in kept.iter().enumerate() {
        linear.push(at);
        if !linear.iter().all(|&other| own[other] && kept[other][at]) {
            linear.pop();
        }
    }
    linear
}

/// For each leaf whether the derivatives by each stay when it moves from any of these points.
fn kept_slopes(system: &mut Differences, bases: &[Vec<f64>]) -> Vec<Vec<bool>> {
    let n = system.leaves;
    let mut rows = |point: &[f64]| {
        system.values(point);
        system.rows()
    };
    let before: Vec<Vec<f64>> = bases.iter().map(|base| rows(base)).collect();
    let mut kept = vec![vec![true; n]; n];
    for (at, kept) in kept.iter_mut().enumerate() {
        stop::ask_now();
        for (base, before) in bases.iter().zip(&before) {
            let mut point = base.clone();
            point[at] = 1.5 * base[at] + 0.5;
            let after = rows(&point);
            for (place, (one, other)) in before.iter().zip(after).enumerate() {
                // Where a number overflows, the derivatives say nothing.
                let is_finite = one.is_finite() && other.is_finite();
                let moves = (one - other).abs() > 1e-9 * (one.abs() + other.abs());
                kept[place % n] &= !(is_finite && moves);
            }
        }
    }
    kept
}

/// The values to try, the likeliest first, and the sizes that leaves may have.
fn scales(across: &[f64], data: &[f64]) -> (Vec<f64>, Vec<f64>) {
    let least = across.iter().copied().fold(f64::INFINITY, f64::min);
    let most = across.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let span = most - least;
    if !(span > 0.0 && span.is_finite()) {
        return (vec![1.0, -1.0, 0.0, 0.1, 10.0, 0.01, 100.0], vec![1.0]);
    }
    let pairs = || across.iter().zip(data);
    let by_data = |one: &(&f64, &f64), other: &(&f64, &f64)| one.1.total_cmp(other.1);
    let [top, bottom] = [pairs().max_by(by_data), pairs().min_by(by_data)]
        .map(|pair| pair.map_or(least, |(x, _)| *x));
    let frequency = frequency(across, data, span);
    // Where x spans decades, places are apart by a factor.
    let is_wide = least > 0.0 && most > DECADES * least;
    let place = |part: f64| {
        if is_wide {
            least * (most / least).powf(part)
        } else {
            least + part * span
        }
    };
    let middle = place(0.5);
    let scales = vec![
        1.0,
        top,
        frequency,
        span / 10.0,
        3.0 / span,
        -3.0 / span,
        span / 3.0,
        bottom,
        0.0,
        frequency / TAU,
        TAU / frequency,
        -1.0,
        span / 30.0,
        middle,
        1.0 / span,
        10.0 / span,
        -10.0 / span,
        2.0,
        -2.0,
        0.5,
        place(1.0 / 6.0),
        place(1.0 / 3.0),
        place(1.0 / 1.5),
        place(1.0 / 1.2),
        1.0 / middle,
    ];
    (scales, vec![1.0, span, 1.0 / span, middle])
}

/// The angular frequency of the sine that goes best with the data, of a quarter of a period across and more.
fn frequency(across: &[f64], data: &[f64], span: f64) -> f64 {
    let mean = data.iter().sum::<f64>() / data.len() as f64;
    let power = |quarter: usize| {
        let frequency = 0.25 * TAU * quarter as f64 / span;
        let pairs = across.iter().zip(data);
        let (sine, cosine) = pairs.fold((0.0, 0.0), |(sine, cosine), (x, y)| {
            let (s, c) = (frequency * x).sin_cos();
            (sine + s * (y - mean), cosine + c * (y - mean))
        });
        (sine.hypot(cosine), frequency)
    };
    let all = (1..=2 * data.len()).map(power);
    let best = all.max_by(|one, other| one.0.total_cmp(&other.0));
    best.map_or(TAU / span, |(_, frequency)| frequency)
}

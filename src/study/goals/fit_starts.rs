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
use super::linear::{Factors, norm};
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
    let (mut system, x) = (system(problem, places), some(across));
    let (_, sizes) = scales(&x, &system.right);
    let bases: Vec<Vec<f64>> = sizes.iter().map(|size| vec![*size; places.len()]).collect();
    let linear = linear(&mut system, &bases);
    let terms = terms(&mut system, &linear, &bases);
    if terms.is_empty() {
        return None;
    }
    let mut guesses = build(&mut system, &linear, &terms, &x);
    let mut ones = vec![1.0; places.len()];
    system.clamp(&mut ones);
    guesses.push((f64::INFINITY, ones));
    let all: Vec<usize> = (0..places.len()).collect();
    for (length, point) in &mut guesses {
        improve(&mut system, length, point, &all);
    }
    let mut sure = guesses.clone();
    sure.retain(|(_, point)| !NearestPoint::at(&mut system, point).is_degenerate());
    if !sure.is_empty() {
        guesses = sure;
    }
    let lengths = guesses.iter().map(|(length, _)| *length);
    let least = lengths.fold(f64::INFINITY, f64::min);
    // Of ends that are as low, the one of the best guess.
    let mut ends = guesses.into_iter();
    let (_, mut point) = ends.find(|(length, _)| *length <= least * (1.0 + ALIKE))?;
    for term in &terms {
        prefer_positive(&mut system, &mut point, term, &linear, &x);
    }
    sort_peaks(&mut system, &mut point, &linear, &x);
    Some(point)
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

/// The nearest points of a model that is built term by term, perhaps improved after each, and how far the model is from
/// the data there.
fn build(
    system: &mut Differences,
    linear: &[usize],
    terms: &[ModelTerm],
    across: &[f64],
) -> Vec<(f64, Vec<f64>)> {
    // A term whose factors are 0 is 0. Leaves that are no factor of a term are there from the start.
    let is_factor = |at: &usize| terms.iter().any(|term| term.factors.contains(at));
    let mut factors: Vec<usize> = linear.iter().copied().filter(|at| !is_factor(at)).collect();
    let mut free = factors.clone();
    let mut first = vec![1.0; system.leaves];
    for &at in linear {
        first[at] = 0.0;
    }
    system.clamp(&mut first);
    let mut nearest = vec![(f64::INFINITY, first)];
    // More terms would take time with the square of their number.
    for term in terms.iter().take(MOST_TERMS) {
        factors.extend(&term.factors);
        free.extend(term.factors.iter().chain(&term.curved));
        let mut next = Vec::new();
        for (_, point) in &nearest {
            next.extend(add_term(system, point, term, &factors, across));
        }
        next.sort_by(|(one, _), (other, _)| one.total_cmp(other));
        // Of values that differ in nothing one is enough.
        next.dedup_by(|one, other| one.0 <= other.0 * (1.0 + ALIKE));
        next.truncate(MOST_KEPT);
        if let Some((mut length, mut point)) = next.first().cloned() {
            sweep(system, &mut length, &mut point, term, &factors, across);
            next.push((length, point));
        }
        for (length, point) in &mut next {
            // The search from the last term goes to its end.
            if terms.len() > 1 {
                improve(system, length, point, &free);
            }
        }
        nearest = next;
    }
    nearest
}

/// A term of a model, by places of leaves: those in which the model is linear, and those on which its derivatives by
/// these depend.
struct ModelTerm {
    factors: Vec<usize>,
    curved: Vec<usize>,
}

/// The terms of a model, in the order of their leaves. Terms that share a leaf are one.
fn terms(system: &mut Differences, linear: &[usize], bases: &[Vec<f64>]) -> Vec<ModelTerm> {
    let mut terms: Vec<ModelTerm> = Vec::new();
    for at in (0..system.leaves).filter(|at| !linear.contains(at)) {
        stop::ask_now();
        let mut factors: Vec<usize> = Vec::new();
        for base in bases {
            let kept = kept_slopes(system, base, &[at]);
            factors.extend(linear.iter().filter(|factor| !kept[**factor]));
        }
        let mut term = ModelTerm {
            factors,
            curved: vec![at],
        };
        // Leaves without a factor are tried together.
        let shares = |other: &mut ModelTerm| {
            let mut factors = other.factors.iter();
            factors.any(|factor| term.factors.contains(factor))
                || other.factors.is_empty() && term.factors.is_empty()
        };
        for other in terms.extract_if(.., shares).collect::<Vec<ModelTerm>>() {
            term.factors.extend(other.factors);
            term.curved.extend(other.curved);
        }
        for places in [&mut term.factors, &mut term.curved] {
            places.sort_unstable();
            places.dedup();
        }
        terms.push(term);
    }
    terms.sort_by_key(|term| term.curved[0]);
    terms
}

/// The nearest points with one more term, for each start of its first leaf, and how far the model is from the data there.
fn add_term(
    system: &mut Differences,
    from: &[f64],
    term: &ModelTerm,
    factors: &[usize],
    across: &[f64],
) -> Vec<(f64, Vec<f64>)> {
    let scales = scales_left(system, from, across);
    let most = MOST_TRIALS.powf(1.0 / term.curved.len() as f64) as usize;
    let candidates: Vec<Vec<f64>> = (term.curved.iter())
        .map(|&at| {
            inside(&scales, system.bounds[at])
                .into_iter()
                .take(most.max(1))
                .collect()
        })
        .collect();
    let firsts = candidates[0].len();
    let mut nearest: Vec<(f64, Vec<f64>)> = vec![(f64::INFINITY, Vec::new()); firsts];
    for trial in 0..candidates.iter().map(Vec::len).product() {
        stop::ask_now();
        let mut point = from.to_vec();
        let mut rest = trial;
        for (&at, candidates) in term.curved.iter().zip(&candidates) {
            point[at] = candidates[rest % candidates.len()];
            rest /= candidates.len();
        }
        let length = solve_factors(system, &mut point, factors);
        let best = &mut nearest[trial % firsts];
        if length < best.0 {
            *best = (length, point);
        }
    }
    nearest.retain(|(length, _)| length.is_finite());
    nearest
}

/// Moves the factors to where the model is nearest to the data, as far as their bounds allow, and tells how far that is;
/// infinity if a number is not finite.
fn solve_factors(system: &mut Differences, point: &mut [f64], factors: &[usize]) -> f64 {
    let tried = NearestPoint::at(system, point);
    if !tried.is_finite() {
        return f64::INFINITY;
    }
    let rows = tried.rows.chunks(point.len());
    let columns = rows.flat_map(|row| factors.iter().map(|&at| row[at]));
    let columns: Vec<f64> = columns.collect();
    let solved = Factors::of(&columns, factors.len(), &tried.residuals);
    for (&at, less) in factors.iter().zip(solved.solve(solved.rank(f64::EPSILON))) {
        point[at] -= less;
    }
    system.clamp(point);
    Some(norm(&system.values(point)))
        .filter(|length| length.is_finite())
        .unwrap_or(f64::INFINITY)
}

/// Moves the curved leaves of a term one by one to the values, suggested by what the model leaves of the data, with which
/// it is nearest. That finds the second of two peaks that share a width.
fn sweep(
    system: &mut Differences,
    length: &mut f64,
    point: &mut Vec<f64>,
    term: &ModelTerm,
    factors: &[usize],
    across: &[f64],
) {
    for &at in &term.curved {
        stop::ask_now();
        for value in inside(&scales_left(system, point, across), system.bounds[at]) {
            let mut moved = point.clone();
            moved[at] = value;
            let found = solve_factors(system, &mut moved, factors);
            if found < *length {
                (*length, *point) = (found, moved);
            }
        }
    }
}

/// The values to try, as what the model leaves of the data at a point suggests them.
fn scales_left(system: &mut Differences, point: &[f64], across: &[f64]) -> Vec<f64> {
    system.values(point);
    let sides = system.right.iter().zip(&system.left);
    let left: Vec<f64> = sides.map(|(data, model)| data - model).collect();
    scales(across, &left).0
}

/// The values that are within bounds and not at one, where a model may be degenerate. One that is beyond a bound is as far
/// from it on the other side.
fn inside(values: &[f64], (low, high): (f64, f64)) -> Vec<f64> {
    let parts = [0.5, 0.1, 0.9, 0.3, 0.7].map(|part| low + part * (high - low));
    let values = values.iter().map(|value| match value {
        value if *value < low => 2.0 * low - value,
        value if *value > high => 2.0 * high - value,
        value => *value,
    });
    let all = parts.into_iter().chain(values);
    all.filter(|value| low < *value && *value < high).collect()
}

/// Turns negative factors of a term to positive ones, where that changes the model in nothing once curved leaves, such as
/// a phase, have followed.
fn prefer_positive(
    system: &mut Differences,
    point: &mut Vec<f64>,
    term: &ModelTerm,
    linear: &[usize],
    across: &[f64],
) {
    let all: Vec<usize> = (0..point.len()).collect();
    for &at in &term.factors {
        let before = system.bounds[at];
        if point[at] >= 0.0 || before.1 <= 0.0 {
            continue;
        }
        let length = norm(&system.values(point));
        let sides = system.right.iter().zip(&system.units);
        let size = norm(&sides.map(|(data, unit)| data / unit).collect::<Vec<f64>>());
        system.bounds[at] = (before.0.max(0.0), before.1);
        let mut turned = point.clone();
        turned[at] = -turned[at];
        let mut found = f64::INFINITY;
        sweep(system, &mut found, &mut turned, term, linear, across);
        improve(system, &mut found, &mut turned, &all);
        system.bounds[at] = before;
        if found <= length * (1.0 + ALIKE) + ROUNDING * size {
            *point = turned;
        }
    }
}

/// Exchanges peaks of one kind, so that they come in the order of their positions. A peak has a factor of its own, by which
/// the derivative is largest at its position, and curved leaves.
fn sort_peaks(system: &mut Differences, point: &mut Vec<f64>, linear: &[usize], x: &[f64]) {
    let n = point.len();
    let curved = (0..n).filter(|at| !linear.contains(at));
    let kept: Vec<(usize, Vec<bool>)> = curved
        .map(|at| (at, kept_slopes(system, point, &[at])))
        .collect();
    for (place, &one) in linear.iter().enumerate() {
        for &other in &linear[place + 1..] {
            stop::ask_now();
            let own = |peak: usize, from: usize| -> Vec<usize> {
                let own = kept.iter().filter(|(_, kept)| !kept[peak] && kept[from]);
                own.map(|(at, _)| *at).chain([peak]).collect()
            };
            let mut exchanged = point.clone();
            for (at, with) in own(one, other).into_iter().zip(own(other, one)) {
                exchanged.swap(at, with);
            }
            let after = system.values(&exchanged);
            let before = NearestPoint::at(system, point);
            let off = before
                .residuals
                .iter()
                .zip(after)
                .map(|(one, other)| one - other);
            let is_same = norm(&off.collect::<Vec<f64>>()) <= ALIKE * norm(&system.left);
            let position = |peak: usize| {
                let slopes = before
                    .rows
                    .iter()
                    .skip(peak)
                    .step_by(n)
                    .map(|slope| slope.abs());
                let largest = slopes.zip(x).max_by(|one, other| one.0.total_cmp(&other.0));
                largest.map(|(_, x)| *x)
            };
            if is_same && position(one) > position(other) {
                *point = exchanged;
            }
        }
    }
}

/// Moves these leaves to where the model is nearer to the data.
fn improve(system: &mut Differences, length: &mut f64, point: &mut Vec<f64>, free: &[usize]) {
    let before = system.bounds.clone();
    for (at, data) in point.iter().enumerate() {
        if !free.contains(&at) {
            system.bounds[at] = (*data, *data);
        }
    }
    let start = NearestPoint::at(system, point);
    if start.is_finite() {
        let watch = &mut |_, _, _: &[f64]| {
            stop::ask_now();
            true
        };
        let found = in_trust_region(system, &start, FIRST_RADIUS, MOST_STEPS, watch);
        (*length, *point) = (norm(&found.residuals), found.point);
    }
    system.bounds = before;
}

/// The leaves, by place, in which the model is not linear, as far as derivatives at these points show it.
pub(crate) fn curved_leaves(problem: &FitProblem, points: &[Vec<f64>]) -> Vec<usize> {
    let all: Vec<usize> = (0..problem.leaves.len()).collect();
    let linear = linear(&mut system(problem, &all), points);
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

/// The leaves, by place, in which the model is linear all together: their derivatives stay when they move, wherever the
/// others are.
fn linear(system: &mut Differences, bases: &[Vec<f64>]) -> Vec<usize> {
    let mut linear: Vec<usize> = Vec::new();
    for at in 0..system.leaves {
        stop::ask_now();
        linear.push(at);
        let stays = bases.iter().all(|base| {
            let kept = kept_slopes(system, base, &linear);
            linear.iter().all(|&at| kept[at])
        });
        if !stays {
            linear.pop();
        }
    }
    linear
}

/// Whether the derivatives by each leaf stay when some of the leaves move.
fn kept_slopes(system: &mut Differences, base: &[f64], moved: &[usize]) -> Vec<bool> {
    let mut point = base.to_vec();
    for &at in moved {
        point[at] = 1.5 * base[at] + 0.5;
    }
    let mut rows = |point: &[f64]| {
        system.values(point);
        system.rows()
    };
    let [before, after] = [rows(base), rows(&point)];
    // Where a number overflows, the derivatives say nothing.
    let keeps = |at: usize| {
        let mut pairs = before.iter().zip(&after).skip(at).step_by(base.len());
        pairs.all(|(one, other)| {
            let is_finite = one.is_finite() && other.is_finite();
            !is_finite || (one - other).abs() <= 1e-9 * (one.abs() + other.abs())
        })
    };
    (0..base.len()).map(keeps).collect()
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

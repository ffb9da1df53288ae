//! Finds starting values for the leaves of a fit that have no value yet.
//!
//! Leaves in which the model is linear are solved for. For the others, some values that the data suggest are tried:
//! places and widths along the horizontal axis, rates, and the frequency that stands out most. A sum of several terms
//! is built term by term: each term starts from what the terms before it leave of the data. The fit begins at the model
//! that is nearest to the data.

use std::f64::consts::TAU;
use std::rc::Rc;

use super::differences::Differences;
use super::fit::FitProblem;
use super::least_squares::{NearestPoint, Residuals, in_trust_region};
use super::linear::{Factors, norm};
use chainrule_engine::graph::Node;
use chainrule_stop as stop;

/// The most points that are looked at.
const MOST_POINTS: usize = 200;
/// The most models that are tried for a term.
const MOST_TRIALS: f64 = 2_000.0;
/// A model of more terms is not built term by term: that takes time with the square of their number.
const MOST_TERMS: usize = 6;
/// How many of the nearest models get the next term.
const MOST_KEPT: usize = 6;
/// The most steps that bring a model of several terms nearer, and how far they go at first.
const MOST_STEPS: u64 = 60;
const FIRST_RADIUS: f64 = 0.3;

/// The starts of new leaves, with three digits unless a sum was brought near the data; none if the model is linear in
/// all of them, or no start is better than another. `across` has a number for each point, or is empty.
pub(crate) fn starts(problem: &FitProblem, new: &[Rc<Node>], across: &[f64]) -> Option<Vec<f64>> {
    let (across, data) = (some(across), some(&problem.data));
    let data: Vec<f64> = data.iter().map(|node| node.data()).collect();
    let mut system = system(problem, new);
    let (_, sizes) = scales(&across, &data);
    let bases: Vec<Vec<f64>> = sizes.iter().map(|size| vec![*size; new.len()]).collect();
    let linear = linear(&mut system, &bases);
    let terms = terms(&mut system, &linear, &bases);
    if terms.is_empty() {
        return None;
    }
    let whole = ModelTerm {
        factors: terms.iter().flat_map(|term| term.factors.clone()).collect(),
        curved: terms.iter().flat_map(|term| term.curved.clone()).collect(),
    };
    let is_sum = (2..=MOST_TERMS).contains(&terms.len());
    let mut nearest = build(&mut system, &linear, &[whole], is_sum, &across);
    if is_sum {
        nearest.extend(build(&mut system, &linear, &terms, is_sum, &across));
    }
    let nearest = nearest.into_iter();
    let (_, mut point) = nearest.min_by(|(one, _), (other, _)| one.total_cmp(other))?;
    if !is_sum {
        let short = |number: f64| format!("{number:.2e}").parse().unwrap_or(number);
        point = point.into_iter().map(short).collect();
    }
    Some(point)
}

/// The nearest points of a model that is built term by term, perhaps improved after each, and how far the model is from
/// the data there.
fn build(
    system: &mut Differences,
    linear: &[usize],
    terms: &[ModelTerm],
    improves: bool,
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
    let mut nearest = vec![(f64::INFINITY, first)];
    for term in terms {
        factors.extend(&term.factors);
        free.extend(term.factors.iter().chain(&term.curved));
        let mut next = Vec::new();
        for (_, point) in &nearest {
            next.extend(add_term(system, point, term, &factors, across));
        }
        next.sort_by(|(one, _), (other, _)| one.total_cmp(other));
        next.truncate(MOST_KEPT);
        if improves {
            for (length, point) in &mut next {
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
    system.values(from);
    let sides = system.right.iter().zip(&system.left);
    let left: Vec<f64> = sides.map(|(data, model)| data - model).collect();
    let (scales, _) = scales(across, &left);
    let most = MOST_TRIALS.powf(1.0 / term.curved.len() as f64) as usize;
    let scales = &scales[..scales.len().min(most)];
    let mut nearest: Vec<(f64, Vec<f64>)> = vec![(f64::INFINITY, Vec::new()); scales.len()];
    for trial in 0..scales.len().pow(term.curved.len() as u32) {
        stop::ask_now();
        let mut point = from.to_vec();
        let mut rest = trial;
        for &at in &term.curved {
            point[at] = scales[rest % scales.len()];
            rest /= scales.len();
        }
        let tried = NearestPoint::at(system, &point);
        if !tried.is_finite() {
            continue;
        }
        let rows = tried.rows.chunks(point.len());
        let columns = rows.flat_map(|row| factors.iter().map(|&at| row[at]));
        let columns: Vec<f64> = columns.collect();
        let solved = Factors::of(&columns, factors.len(), &tried.residuals);
        for (&at, less) in factors.iter().zip(solved.solve(solved.rank(f64::EPSILON))) {
            point[at] -= less;
        }
        let length = norm(&system.values(&point));
        let best = &mut nearest[trial % scales.len()];
        if length < best.0 {
            *best = (length, point);
        }
    }
    nearest.retain(|(length, _)| length.is_finite());
    nearest
}

/// Moves these leaves to where the model is nearer to the data.
fn improve(system: &mut Differences, length: &mut f64, point: &mut Vec<f64>, free: &[usize]) {
    let range = |(at, &data): (usize, &f64)| {
        if free.contains(&at) {
            (f64::NEG_INFINITY, f64::INFINITY)
        } else {
            (data, data)
        }
    };
    let bounds = point.iter().enumerate().map(range);
    system.bounds = bounds.collect();
    let start = NearestPoint::at(system, point);
    if start.is_finite() {
        let watch = &mut |_, _, _: &[f64]| {
            stop::ask_now();
            true
        };
        let found = in_trust_region(system, &start, FIRST_RADIUS, MOST_STEPS, watch);
        (*length, *point) = (norm(&found.residuals), found.point);
    }
    system.bounds.clear();
}

/// The leaves, by place, in which the model is not linear, as far as derivatives at these points show it.
pub(crate) fn curved_leaves(problem: &FitProblem, points: &[Vec<f64>]) -> Vec<usize> {
    let linear = linear(&mut system(problem, &problem.leaves), points);
    let all = 0..problem.leaves.len();
    all.filter(|at| !linear.contains(at)).collect()
}

/// Some of the items of a list with one for each point.
fn some<T: Clone>(all: &[T]) -> Vec<T> {
    let step = all.len().div_ceil(MOST_POINTS).max(1);
    all.iter().step_by(step).cloned().collect()
}

/// The residuals at some of the points, as functions of these leaves.
fn system(problem: &FitProblem, leaves: &[Rc<Node>]) -> Differences {
    let (model, data) = (some(&problem.model), some(&problem.data));
    let units = problem.deviations.as_ref();
    let units = units.map_or_else(|| vec![1.0; data.len()], |units| some(units));
    Differences::of(&model, &data, leaves, units)
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
    let [before, after] = [base, &point].map(|point| NearestPoint::at(system, point).rows);
    let keeps = |at: usize| {
        let mut pairs = before.iter().zip(&after).skip(at).step_by(base.len());
        pairs.all(|(one, other)| (one - other).abs() <= 1e-9 * (one.abs() + other.abs()))
    };
    (0..base.len()).map(keeps).collect()
}

/// The values to try, the likeliest first, and the sizes that leaves may have.
fn scales(across: &[f64], data: &[f64]) -> (Vec<f64>, Vec<f64>) {
    let least = across.iter().copied().fold(f64::INFINITY, f64::min);
    let span = across.iter().copied().fold(f64::NEG_INFINITY, f64::max) - least;
    if !(span > 0.0 && span.is_finite()) {
        return (vec![1.0, -1.0, 0.0, 0.1, 10.0, 0.01, 100.0], vec![1.0]);
    }
    let pairs = || across.iter().zip(data);
    let by_data = |one: &(&f64, &f64), other: &(&f64, &f64)| one.1.total_cmp(other.1);
    let [top, bottom] = [pairs().max_by(by_data), pairs().min_by(by_data)]
        .map(|pair| pair.map_or(least, |(x, _)| *x));
    let frequency = frequency(across, data, span);
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
        least + span / 2.0,
        1.0 / span,
        10.0 / span,
        -10.0 / span,
        2.0,
        -2.0,
        0.5,
        least + span / 6.0,
        least + span / 3.0,
        least + span / 1.5,
        least + span / 1.2,
    ];
    (scales, vec![1.0, span, 1.0 / span, least + span / 2.0])
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

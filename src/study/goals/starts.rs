//! Where a fit begins with leaves that have no value yet.
//!
//! Leaves in which the model is linear are solved for. For the others some values are tried that the data suggest: places
//! and widths on the way across, rates, the frequency that stands out most. The nearest model is where the fit begins.

use std::f64::consts::TAU;
use std::rc::Rc;

use super::differences::Differences;
use super::fit::FitProblem;
use super::least_squares::NearestPoint;
use super::linear::{Factors, norm};
use crate::graph::Node;
use crate::stop;

/// The most points that are looked at.
const MOST_POINTS: usize = 200;
/// The most models that are tried.
const MOST_TRIALS: f64 = 2_000.0;

/// The starts of new leaves, with three digits; none if the model is linear in all of them, or no start is better than
/// another. `across` has a number for each point, or none.
pub(crate) fn starts(problem: &FitProblem, new: &[Rc<Node>], across: &[f64]) -> Option<Vec<f64>> {
    let data = some(&problem.data);
    let values: Vec<f64> = data.iter().map(|node| node.data()).collect();
    let mut system = system(problem, new);
    let (scales, bases) = scales(&some(across), &values);
    let bases = bases.iter().map(|base| vec![*base; new.len()]);
    let linear = linear(&mut system, &bases.collect::<Vec<_>>());
    let curved: Vec<usize> = (0..new.len()).filter(|at| !linear.contains(at)).collect();
    if curved.is_empty() {
        return None;
    }
    let most = MOST_TRIALS.powf(1.0 / curved.len() as f64) as usize;
    let scales = &scales[..scales.len().min(most)];
    let mut best: Option<(f64, Vec<f64>)> = None;
    for trial in 0..scales.len().pow(curved.len() as u32) {
        stop::ask_now();
        let mut point = vec![1.0; new.len()];
        let mut rest = trial;
        for &at in &curved {
            point[at] = scales[rest % scales.len()];
            rest /= scales.len();
        }
        let tried = NearestPoint::at(&mut system, &point);
        if !tried.is_finite() {
            continue;
        }
        let rows = tried.rows.chunks(new.len());
        let columns = rows.flat_map(|row| linear.iter().map(|&at| row[at]));
        let columns: Vec<f64> = columns.collect();
        let factors = Factors::of(&columns, linear.len(), &tried.residuals);
        let solved = factors.solve(factors.rank(f64::EPSILON));
        for (&at, less) in linear.iter().zip(solved) {
            point[at] -= less;
        }
        let length = norm(&system.values(&point));
        if length.is_finite() && best.as_ref().is_none_or(|(least, _)| length < *least) {
            best = Some((length, point));
        }
    }
    let short = |number: f64| format!("{number:.2e}").parse().unwrap_or(number);
    best.map(|(_, point)| point.into_iter().map(short).collect())
}

/// The leaves, by place, in which the model is not linear, as far as derivatives at these points show it.
pub(crate) fn curved(problem: &FitProblem, points: &[Vec<f64>]) -> Vec<usize> {
    let linear = linear(&mut system(problem, &problem.leaves), points);
    let all = 0..problem.leaves.len();
    all.filter(|at| !linear.contains(at)).collect()
}

/// Some of what there is one of for each point.
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
    let count = bases.first().map_or(0, Vec::len);
    let mut linear: Vec<usize> = Vec::new();
    for at in 0..count {
        stop::ask_now();
        linear.push(at);
        let stays = bases.iter().all(|base| {
            let before = NearestPoint::at(system, base).rows;
            let mut point = base.clone();
            for &at in &linear {
                point[at] = 1.5 * base[at] + 0.5;
            }
            let after = NearestPoint::at(system, &point).rows;
            linear.iter().all(|&at| {
                let mut pairs = before.iter().zip(&after).skip(at).step_by(count);
                pairs.all(|(one, other)| (one - other).abs() <= 1e-9 * (one.abs() + other.abs()))
            })
        });
        if !stays {
            linear.pop();
        }
    }
    linear
}

/// What is tried, the likeliest first, and of what size the leaves may be.
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
    ];
    (scales, vec![1.0, span, 1.0 / span])
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

//! Finds starting values for the leaves of a fit that have no value yet.
//!
//! The search solves for the leaves in which the model is linear. For the other leaves, which are called curved here, it
//! tries values that the data suggest: positions and widths along the horizontal axis, rates, and the strongest frequency.
//! It builds a sum of several terms one by one: each term begins with the residuals of the terms before it. The fit begins
//! at the model that is nearest to the data. `linear_leaves` finds the terms, and `values_to_try` suggests the values.
//!
//! On 818 fits without given starts, further radii and further starts within bounds found no better fits.

use super::FitModel;
use super::linear_leaves::{KeptSlopes, ModelTerm, every_nth};
use super::signs::{is_same_model, tidy_signs};
use super::values_to_try::{sizes, values_to_try, within};
use crate::search::differences::Differences;
use crate::search::least_squares::{NearestPoint, Residuals, in_trust_region};
use crate::search::linear::{Factors, divide_columns, lengths, norm};
use chainrule_stop as stop;

/// The most models that are tried for a term. With three curved leaves, each of them gets twelve values.
const MOST_TRIALS: f64 = 2_000.0;
/// The most terms that are added one by one. The time grows with the square of their number.
const MOST_TERMS: usize = 6;
/// The number of nearest models to which the next term is added.
const MOST_MODELS: usize = 6;
/// The most passes of a search from a guess.
const MOST_PASSES: u64 = 200;
/// The first step of a search from a guess is no longer than this fraction of the guess, so that the search stays near it.
const FIRST_RADIUS: f64 = 0.3;
/// Two distances from the data are equal if they differ by less than this fraction: half of the digits of the sum of
/// squares.
const SAME_LENGTH: f64 = 1e-7;
/// A distance below this fraction of the size of the data is rounding.
const ROUNDING: f64 = 1e-12;

/// Returns starts for the leaves with these indices, or `None` if the model is linear in all of them. Searches from the best
/// few guesses, and from 1 for all leaves, on some of the points, and returns the end of the best search. `across` has the
/// horizontal position of each point, or is empty.
pub(crate) fn starts(model: &impl FitModel, places: &[usize], across: &[f64]) -> Option<Vec<f64>> {
    let mut search = StartSearch::of(model.some_residuals(places), across);
    if search.terms.is_empty() {
        return None;
    }
    let mut guesses = search.guesses();
    let mut found = search.nearest(&guesses)?;
    // A sum with terms of both signs often fits as well as a sum of positive terms, which is usually meant. So the
    // second search allows no negative factors.
    if search.negative_factors(&found) > 0 {
        for factor in search.factors() {
            let (low, _) = &mut search.system.bounds[factor];
            *low = low.max(0.0);
        }
        guesses.extend(search.guesses());
        found = search.nearest(&guesses)?;
    }
    search.sort_peaks(&mut found);
    let positive = vec![1.0; found.len()];
    tidy_signs(&mut search.system, &positive, &found).or(Some(found))
}

/// Values of the leaves.
#[derive(Clone)]
struct Guess {
    point: Vec<f64>,
    /// The distance of the model from the data at the point; infinite while it is not known.
    length: f64,
}

impl Guess {
    /// Returns a guess whose distance is not known.
    fn without_length(point: Vec<f64>) -> Guess {
        Guess {
            length: f64::INFINITY,
            point,
        }
    }
}

/// The search for starts of a model, on some of the points.
struct StartSearch {
    system: Differences,
    /// The horizontal positions of the points; empty if the points have none.
    x: Vec<f64>,
    /// The indices of the leaves in which the model is linear.
    linear: Vec<usize>,
    terms: Vec<ModelTerm>,
    kept_slopes: KeptSlopes,
}

impl StartSearch {
    fn of(mut system: Differences, across: &[f64]) -> StartSearch {
        let x = every_nth(across);
        let of_sizes = sizes(&x).into_iter().map(|size| vec![size; system.leaves]);
        let bases: Vec<Vec<f64>> = of_sizes.collect();
        let kept_slopes = KeptSlopes::of(&mut system, &bases);
        let linear = kept_slopes.linear_leaves();
        StartSearch {
            terms: kept_slopes.terms(&linear),
            system,
            x,
            linear,
            kept_slopes,
        }
    }

    /// Returns the indices of the factors of terms.
    fn factors(&self) -> Vec<usize> {
        self.terms.iter().filter_map(|term| term.factor).collect()
    }

    /// Returns the ends of searches from the best few guesses, and from 1 for all leaves.
    fn guesses(&mut self) -> Vec<Guess> {
        let n = self.system.leaves;
        let mut ones = vec![1.0; n];
        self.system.clamp(&mut ones);
        let mut nearest = self.build_terms(&ones);
        nearest.push(Guess::without_length(ones));
        let all: Vec<usize> = (0..n).collect();
        for guess in &mut nearest {
            self.improve(guess, &all);
        }
        nearest
    }

    /// Builds models term by term, and returns the best few. Curved leaves begin with the numbers `first`.
    fn build_terms(&mut self, first: &[f64]) -> Vec<Guess> {
        // At first all terms are 0, because their factors are. Linear leaves that are no factor of a term may move from
        // the start.
        let mut without_terms = first.to_vec();
        for &leaf in &self.linear {
            without_terms[leaf] = 0.0;
        }
        self.system.clamp(&mut without_terms);
        let factors = self.factors();
        let mut free = self.linear.clone();
        free.retain(|leaf| !factors.contains(leaf));
        let mut nearest = vec![Guess::without_length(without_terms)];
        for index in 0..self.terms.len().min(MOST_TERMS) {
            let term = &self.terms[index];
            free.extend(term.factor.iter().chain(&term.curved));
            let curved = term.curved.clone();
            let mut next: Vec<Guess> = Vec::new();
            for guess in &nearest {
                next.extend(self.add_term(&guess.point, &curved, &free));
            }
            next.sort_by(|one, other| one.length.total_cmp(&other.length));
            // Guesses that are equally near are most likely the same model.
            next.dedup_by(|one, other| one.length <= other.length * (1.0 + SAME_LENGTH));
            next.truncate(MOST_MODELS);
            for guess in &mut next {
                self.improve(guess, &free);
            }
            nearest = next;
        }
        nearest
    }

    /// Adds a term to the model at a point. Tries all combinations of values for the term's curved leaves, and returns the
    /// nearest model for each value of the first curved leaf.
    fn add_term(&mut self, from: &[f64], curved: &[usize], free: &[usize]) -> Vec<Guess> {
        // The data, less the model at this point, suggest values.
        self.system.values(from);
        let sides = self.system.right.iter().zip(&self.system.left);
        let rest: Vec<f64> = sides.map(|(data, model)| data - model).collect();
        let suggested = values_to_try(&self.x, &rest);
        let most_values = MOST_TRIALS.powf(1.0 / curved.len() as f64).max(1.0) as usize;
        let values_of_leaf = |leaf: &usize| -> Vec<f64> {
            let mut values = within(&suggested, self.system.bounds[*leaf]);
            values.truncate(most_values);
            values
        };
        let candidates: Vec<Vec<f64>> = curved.iter().map(values_of_leaf).collect();
        let first_count = candidates[0].len();
        let mut nearest = vec![Guess::without_length(Vec::new()); first_count];
        for trial in 0..candidates.iter().map(Vec::len).product() {
            stop::ask_now();
            let mut point = from.to_vec();
            // The trials count through the values like digits: with 3 values of the first leaf and 2 of the second, trial 4
            // has value 1 of both, because 4 = 1 + 3·1.
            let mut digits = trial;
            for (&leaf, values) in curved.iter().zip(&candidates) {
                point[leaf] = values[digits % values.len()];
                digits /= values.len();
            }
            let guess = self.solve_factors(point, free);
            let best = &mut nearest[trial % first_count];
            if guess.length < best.length {
                *best = guess;
            }
        }
        nearest.retain(|guess| guess.length.is_finite());
        nearest
    }

    /// Solves for the free leaves in which the model is linear, as far as their bounds allow.
    fn solve_factors(&mut self, mut point: Vec<f64>, free: &[usize]) -> Guess {
        let residuals = self.system.values(&point);
        let slopes = self.system.rows();
        let mut numbers = residuals.iter().chain(&slopes);
        if !numbers.all(|number| number.is_finite()) {
            return Guess::without_length(point);
        }
        let mut unknowns = free.to_vec();
        unknowns.retain(|leaf| self.linear.contains(leaf));
        let rows = slopes.chunks(point.len());
        // The columns of the unknowns, row by row.
        let entries = rows.flat_map(|row| unknowns.iter().map(|&leaf| row[leaf]));
        let columns: Vec<f64> = entries.collect();
        let units = lengths(&columns, unknowns.len());
        let scaled = divide_columns(&columns, &units);
        let factors = Factors::of(&scaled, unknowns.len(), &residuals);
        let step = factors.solve(factors.rank(f64::EPSILON));
        for (&leaf, part) in unknowns.iter().zip(divide_columns(&step, &units)) {
            point[leaf] -= part;
        }
        self.system.clamp(&mut point);
        Guess {
            length: norm(&self.system.values(&point)),
            point,
        }
    }

    /// Moves the free leaves of a guess to make the model nearer to the data.
    fn improve(&mut self, guess: &mut Guess, free: &[usize]) {
        let bounds_before = self.system.bounds.clone();
        for (leaf, data) in guess.point.iter().enumerate() {
            if !free.contains(&leaf) {
                self.system.bounds[leaf] = (*data, *data);
            }
        }
        let start = NearestPoint::at(&mut self.system, &guess.point);
        if start.is_finite() {
            let watch = &mut |_, _, _: &[f64]| {
                stop::ask_now();
                true
            };
            let system = &mut self.system;
            let found = in_trust_region(system, &start, FIRST_RADIUS, MOST_PASSES, watch);
            guess.length = norm(&found.residuals);
            guess.point = found.point;
        }
        self.system.bounds = bounds_before;
    }

    /// Returns the nearest guess. Of guesses that are equally near, it prefers few negative factors, then small leaves:
    /// phases may differ by whole turns.
    fn nearest(&mut self, guesses: &[Guess]) -> Option<Vec<f64>> {
        // If the data do not tell leaves apart, the search may have moved them far away, so such guesses count only if
        // there are no others.
        let system = &mut self.system;
        let mut candidates = guesses.to_vec();
        candidates.retain(|guess| !NearestPoint::at(system, &guess.point).is_degenerate());
        if candidates.is_empty() {
            candidates = guesses.to_vec();
        }
        let lengths = candidates.iter().map(|guess| guess.length);
        let least = lengths.fold(f64::INFINITY, f64::min);
        let data = self.system.right.iter().zip(&self.system.units);
        let size_of_data = norm(&data.map(|(data, unit)| data / unit).collect::<Vec<f64>>());
        let most = least * (1.0 + SAME_LENGTH) + ROUNDING * size_of_data;
        let nearest = candidates.iter().filter(|guess| guess.length <= most);
        let size = |point: &[f64]| point.iter().map(|x| x.abs().ln()).sum::<f64>();
        let best = nearest.min_by(|one, other| {
            let [count, other_count] = [one, other].map(|it| self.negative_factors(&it.point));
            let by_sign = count.cmp(&other_count);
            by_sign.then_with(|| size(&one.point).total_cmp(&size(&other.point)))
        });
        best.map(|guess| guess.point.clone())
    }

    fn negative_factors(&self, point: &[f64]) -> usize {
        let factors = self.factors().into_iter();
        factors.filter(|factor| point[*factor] < 0.0).count()
    }

    /// Sorts peaks of one kind by their positions, so that the first one in the formula is the first one on the axis: the
    /// order of equal terms does not matter to the fit, and the search may find them in any order. A peak is a term with
    /// curved leaves of its own, and peaks are of one kind if the model stays the same when their leaves are exchanged.
    fn sort_peaks(&mut self, point: &mut Vec<f64>) {
        let factors = self.factors();
        for (index, &one) in factors.iter().enumerate() {
            for &other in &factors[index + 1..] {
                stop::ask_now();
                let exchanged = self.exchange(point, one, other);
                if is_same_model(&mut self.system, point, &exchanged)
                    && self.peak_position(point, one) > self.peak_position(point, other)
                {
                    *point = exchanged;
                }
            }
        }
    }

    /// Returns a point with the leaves of two terms, which are given by their factors, exchanged.
    fn exchange(&self, point: &[f64], one: usize, other: usize) -> Vec<f64> {
        let mut exchanged = point.to_vec();
        let leaves = self.leaves_of_peak(one, other);
        for (leaf, counterpart) in leaves.zip(self.leaves_of_peak(other, one)) {
            exchanged.swap(leaf, counterpart);
        }
        exchanged
    }

    /// Returns the leaves of one term without those that it shares with another term, and its factor last.
    fn leaves_of_peak(&self, factor: usize, other_factor: usize) -> impl Iterator<Item = usize> {
        let slopes = &self.kept_slopes;
        let is_own =
            move |leaf: &usize| !slopes.keeps(*leaf, factor) && slopes.keeps(*leaf, other_factor);
        (0..slopes.leaf_count()).filter(is_own).chain([factor])
    }

    /// Returns the position at which a peak is highest, because the derivative by its factor is largest there.
    fn peak_position(&mut self, point: &[f64], factor: usize) -> Option<f64> {
        let rows = NearestPoint::at(&mut self.system, point).rows;
        let slopes = rows.iter().skip(factor).step_by(point.len());
        let heights = slopes.map(|slope| slope.abs()).zip(&self.x);
        let highest = heights.max_by(|one, other| one.0.total_cmp(&other.0));
        highest.map(|(_, x)| *x)
    }
}

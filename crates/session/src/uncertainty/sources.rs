//! The sources of uncertainties: the leaves with errors of their own, from which the errors of found leaves and of computed
//! nodes follow, and the statistics of several sources.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::{CANCELLED, OwnError, Uncertainty};
use crate::tags::Tags;
use chainrule_engine::graph::{Node, NodeId};
use chainrule_stop as stop;

/// A leaf with an error of its own, and the data that it had when another leaf was found from it.
#[derive(Clone, Debug)]
pub struct Source {
    /// The leaf.
    pub leaf: Rc<Node>,
    pub(super) data: f64,
    /// Its own error.
    pub own: OwnError,
}

/// A derivative below this part of the sum of its terms' sizes is rounding: the terms cancel. A derivative that a search
/// returns has about twelve right digits.
const ROUNDING: f64 = 1e-12;

/// The sources of the uncertainties of some leaves. A leaf with an error of its own is a source of itself.
#[derive(Default)]
pub struct Sources {
    /// The sources, each once.
    pub list: Vec<Source>,
    /// The places by leaf. A source whose tie is cut counts with the data and the width that it had.
    places: FxHashMap<(NodeId, Option<[u64; 2]>), usize>,
    /// For each of the leaves in question the places of its sources, and its derivatives by them.
    slopes: Vec<Vec<(usize, f64)>>,
}

impl Sources {
    /// The place of a source, which is added if it is new. `tied_error` is its error now.
    fn place(&mut self, source: &Source, tied_error: Option<OwnError>) -> usize {
        let was = [source.data, source.own.width()].map(f64::to_bits);
        let key = (source.leaf.id(), tied_error.is_none().then_some(was));
        let place = *self.places.entry(key).or_insert(self.list.len());
        if place == self.list.len() {
            self.list.push(Source {
                leaf: Rc::clone(&source.leaf),
                data: source.data,
                own: tied_error.unwrap_or_else(|| source.own.clone()),
            });
        }
        place
    }

    /// The derivatives of a node by the sources, given those by the leaves in question.
    pub fn slopes(&self, by_leaves: &[f64]) -> Vec<f64> {
        let mut sums = vec![0.0; self.list.len()];
        let mut sizes = vec![0.0_f64; self.list.len()];
        for (slopes, by_leaf) in self.slopes.iter().zip(by_leaves) {
            for (place, slope) in slopes {
                let term = slope * by_leaf;
                sums[*place] += term;
                sizes[*place] += term.abs();
            }
        }
        for (sum, size) in sums.iter_mut().zip(sizes) {
            if sum.abs() < ROUNDING * size {
                *sum = 0.0;
            }
        }
        sums
    }

    /// The standard deviation of a node with these derivatives by the leaves in question.
    pub fn deviation(&self, by_leaves: &[f64]) -> f64 {
        let slopes = self.slopes(by_leaves).into_iter().zip(&self.list);
        let effects = slopes.map(|(slope, source)| slope * source.own.width());
        deviation(&effects.collect::<Vec<_>>(), &partners(&self.list)).0
    }
}

impl Tags<Uncertainty> {
    /// The present error of a source. `None` if the tie to it is cut, because its leaf has moved or was found by another
    /// search. Then the old error counts.
    pub fn tied_error(&self, source: &Source) -> Option<OwnError> {
        let is_at = |data: f64| data.to_bits() == source.data.to_bits();
        if !is_at(source.leaf.data()) {
            return None;
        }
        let Some(now) = self.of(&source.leaf) else {
            return Some(OwnError::NONE);
        };
        let are_joint = now.own.is_joint() && source.own.is_joint();
        let is_tied = (now.found.as_ref()).is_none_or(|found| is_at(found.end) && are_joint);
        is_tied.then(|| now.own.clone())
    }

    /// The sources of these leaves, also those that are certain now, with the errors that count.
    pub fn sources(&self, leaves: &[Rc<Node>]) -> Sources {
        let mut sources = Sources::default();
        for leaf in leaves {
            let now = self.now(leaf);
            let own = now.map_or(OwnError::NONE, |it| it.own.clone());
            let found = now.and_then(|it| it.found.as_ref());
            let mut of_leaf = Vec::new();
            for (source, slope) in found.map_or(&[][..], |it| &it.slopes) {
                let place = sources.place(source, self.tied_error(source));
                of_leaf.push((place, *slope));
            }
            if found.is_none() || !own.is_none() {
                let itself = Source {
                    leaf: Rc::clone(leaf),
                    data: leaf.data(),
                    own,
                };
                let place = sources.place(&itself, self.tied_error(&itself));
                of_leaf.push((place, 1.0));
            }
            sources.slopes.push(of_leaf);
        }
        sources
    }

    /// The covariance of leaves, row by row.
    pub fn covariance(&self, leaves: &[Rc<Node>]) -> Vec<f64> {
        let sources = self.sources(leaves);
        let partners = partners(&sources.list);
        let width = |source: &Source| source.own.width();
        let widths: Vec<f64> = sources.list.iter().map(width).collect();
        let mut effects = vec![vec![0.0; widths.len()]; leaves.len()];
        for (row, slopes) in effects.iter_mut().zip(&sources.slopes) {
            for (place, slope) in slopes {
                row[*place] += slope * widths[*place];
            }
        }
        let mut covariance = Vec::with_capacity(leaves.len() * leaves.len());
        for row in &effects {
            stop::ask_now();
            let related = with_partners(row, &partners);
            for other in &effects {
                let products = related.iter().zip(other).map(|(x, y)| x * y);
                covariance.push(products.sum());
            }
        }
        covariance
    }
}

/// For each source the others with which it is correlated, because they were found together.
pub fn partners(sources: &[Source]) -> Vec<Vec<(usize, f64)>> {
    let mut partners = vec![Vec::new(); sources.len()];
    let is_joint = |place: &usize| sources[*place].own.is_joint();
    let joint: Vec<usize> = (0..sources.len()).filter(is_joint).collect();
    for &source in &joint {
        for &other in joint.iter().filter(|other| **other != source) {
            let correlation = sources[source].own.correlation(&sources[other].own);
            if correlation != 0.0 {
                partners[source].push((other, correlation));
            }
        }
    }
    partners
}

/// The standard deviation that follows from the effects of sources: the square root of the sum of
/// `effect[i] * correlation[i][j] * effect[j]`. Also returns the part of each source in that sum, the variance; `None`
/// for each if it is 0.
pub fn deviation(effects: &[f64], partners: &[Vec<(usize, f64)>]) -> (f64, Vec<Option<f64>>) {
    let unit = unit(effects);
    let parts: Vec<f64> = effects.iter().map(|effect| effect / unit).collect();
    let related = with_partners(&parts, partners);
    let mut terms = Vec::with_capacity(parts.len());
    let (mut sum, mut size) = (0.0, 0.0);
    for (source, part) in parts.iter().enumerate() {
        let of_partner = |&(other, correlation): &(usize, f64)| (correlation * parts[other]).abs();
        let of_partners: f64 = partners[source].iter().map(of_partner).sum();
        size += part.abs() * (part.abs() + of_partners);
        sum += part * related[source];
        terms.push(part * related[source]);
    }
    // Terms that cancel leave rounding, perhaps below 0; a NaN stays one.
    let variance = if sum < CANCELLED * size { 0.0 } else { sum };
    let part_of_variance = |term| (variance > 0.0).then(|| term / variance);
    let shares = terms.into_iter().map(part_of_variance);
    (unit * variance.sqrt(), shares.collect())
}

/// The effect of each source plus those of its partners times the correlations: a row of the covariance matrix times the
/// effects.
fn with_partners(effects: &[f64], partners: &[Vec<(usize, f64)>]) -> Vec<f64> {
    let mut sums = Vec::with_capacity(effects.len());
    for (effect, correlated) in effects.iter().zip(partners) {
        let product = |&(other, correlation): &(usize, f64)| correlation * effects[other];
        sums.push(effect + correlated.iter().map(product).sum::<f64>());
    }
    sums
}

/// A divisor of numbers, after which their squares neither overflow nor vanish.
pub fn unit(numbers: &[f64]) -> f64 {
    let largest = numbers.iter().fold(0.0_f64, |most, it| most.max(it.abs()));
    if largest.is_normal() { largest } else { 1.0 }
}

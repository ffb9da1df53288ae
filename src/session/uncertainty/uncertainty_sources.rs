//! Where uncertainties come from: a leaf that a search has found gets its uncertainty from other leaves, its sources.
//! Code that adds up uncertainties asks here for the sources first, so that a source that leaves share counts once.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::{Fit, Uncertainty};
use crate::session::tags::Tags;
use chainrule_engine::graph::{Node, NodeId};

/// A sum below this part of its terms is rounding: the terms cancel.
const ROUNDING: f64 = 1e-12;

/// The sources of the uncertainties of some leaves.
pub(crate) struct Sources {
    /// Leaves with uncertainties of their own.
    pub(crate) leaves: Vec<Rc<Node>>,
    pub(crate) widths: Vec<f64>,
    /// For each of the leaves in question the places of its sources, and its derivatives by them.
    slopes: Vec<Vec<(usize, f64)>>,
}

impl Sources {
    /// The derivatives of something by the sources, given those by the leaves in question.
    pub(crate) fn slopes(&self, by_leaves: &[f64]) -> Vec<f64> {
        let mut sums = vec![(0.0, 0.0_f64); self.leaves.len()];
        for (slopes, by_leaf) in self.slopes.iter().zip(by_leaves) {
            for (place, slope) in slopes {
                let (sum, size) = &mut sums[*place];
                let part = slope * by_leaf;
                *sum += part;
                *size += part.abs();
            }
        }
        let is_rounding = |(sum, size): &(f64, f64)| sum.abs() < ROUNDING * size;
        let sums = sums.into_iter();
        sums.map(|sum| if is_rounding(&sum) { 0.0 } else { sum.0 })
            .collect()
    }

    /// By how much something changes if each source changes by its width, given its derivatives by the leaves in
    /// question.
    pub(crate) fn effects(&self, by_leaves: &[f64]) -> Vec<f64> {
        let slopes = self.slopes(by_leaves).into_iter().zip(&self.widths);
        slopes.map(|(slope, width)| slope * width).collect()
    }
}

impl Tags<Uncertainty> {
    /// The sources of these leaves that are uncertain. A leaf with an uncertainty of its own is its own source.
    pub(crate) fn sources(&self, leaves: &[Rc<Node>]) -> Sources {
        self.sources_with(leaves, |leaf| self.own(leaf).map(Uncertainty::width))
    }

    /// The sources of these leaves, also those that are certain now.
    pub(crate) fn possible_sources(&self, leaves: &[Rc<Node>]) -> Sources {
        self.sources_with(leaves, |leaf| {
            Some(self.own(leaf).map_or(0.0, Uncertainty::width))
        })
    }

    fn sources_with(&self, leaves: &[Rc<Node>], width: impl Fn(&Node) -> Option<f64>) -> Sources {
        let mut places: FxHashMap<NodeId, usize> = FxHashMap::default();
        let (mut sources, mut widths) = (Vec::new(), Vec::new());
        let mut source = |leaf: &Rc<Node>, slope: f64| {
            let width = width(leaf)?;
            let place = *places.entry(leaf.id()).or_insert_with(|| {
                sources.push(Rc::clone(leaf));
                widths.push(width);
                widths.len() - 1
            });
            Some((place, slope))
        };
        let each = leaves.iter().map(|leaf| match self.search_sources(leaf) {
            Some(slopes) => {
                let slopes = slopes.iter();
                slopes
                    .filter_map(|(leaf, slope)| source(leaf, *slope))
                    .collect()
            }
            None => source(leaf, 1.0).into_iter().collect(),
        });
        Sources {
            slopes: each.collect(),
            leaves: sources,
            widths,
        }
    }

    /// The width of a leaf: the standard deviation after its `±`; none if it has no `±`.
    pub(crate) fn width(&self, leaf: &Node) -> Option<f64> {
        let Some(slopes) = self.search_sources(leaf) else {
            return self.own(leaf).map(Uncertainty::width);
        };
        // These are sources already: what they are found from now does not matter.
        let effect = |(leaf, slope): &(Rc<Node>, f64)| {
            Some((Rc::clone(leaf), slope * self.own(leaf)?.width()))
        };
        let (leaves, effects): (Vec<_>, Vec<f64>) = slopes.iter().filter_map(effect).unzip();
        (!leaves.is_empty()).then(|| deviation(&effects, &self.partners(&leaves)).0)
    }

    /// The standard deviation of something with these derivatives by some leaves.
    pub(crate) fn deviation(&self, leaves: &[Rc<Node>], slopes: &[f64]) -> f64 {
        let sources = self.sources(leaves);
        deviation(&sources.effects(slopes), &self.partners(&sources.leaves)).0
    }

    /// For each source the others that it is correlated with: only leaves of one fit are.
    pub(crate) fn partners(&self, sources: &[Rc<Node>]) -> Vec<Vec<(usize, f64)>> {
        let mut partners = vec![Vec::new(); sources.len()];
        let mut fits: FxHashMap<*const Fit, Vec<usize>> = FxHashMap::default();
        for (place, leaf) in sources.iter().enumerate() {
            if let Some(fit) = self.own(leaf).and_then(Uncertainty::fit) {
                fits.entry(Rc::as_ptr(fit)).or_default().push(place);
            }
        }
        for places in fits.values() {
            let pairs = places
                .iter()
                .flat_map(|one| places.iter().map(move |it| (*one, *it)));
            for (one, other) in pairs.filter(|(one, other)| one != other) {
                let correlation = self.correlation(&sources[one], &sources[other]);
                if correlation != 0.0 {
                    partners[one].push((other, correlation));
                }
            }
        }
        partners
    }
}

/// The standard deviation that follows from the effects of sources, and each one's part of the variance.
pub(crate) fn deviation(
    effects: &[f64],
    partners: &[Vec<(usize, f64)>],
) -> (f64, Vec<Option<f64>>) {
    let unit = unit(effects);
    let parts: Vec<f64> = effects.iter().map(|effect| effect / unit).collect();
    let share = |(effect, partners): (&f64, &Vec<(usize, f64)>)| {
        let others = partners.iter().map(|&(other, part)| part * parts[other]);
        effect * (effect + others.sum::<f64>())
    };
    let shares: Vec<f64> = parts.iter().zip(partners).map(share).collect();
    // Rounding may leave a little less than 0; a NaN stays one.
    let variance = shares.iter().fold(0.0, |sum, share| sum + share);
    let variance = variance.clamp(0.0, f64::INFINITY);
    let shares = shares.iter();
    let shares = shares.map(|share| (variance > 0.0).then(|| share / variance));
    (unit * variance.sqrt(), shares.collect())
}

/// A divisor of numbers, after which their squares neither overflow nor vanish.
pub(crate) fn unit(numbers: &[f64]) -> f64 {
    let largest = numbers.iter().fold(0.0_f64, |most, it| most.max(it.abs()));
    if largest.is_normal() { largest } else { 1.0 }
}

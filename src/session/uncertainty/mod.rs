//! The uncertainties of leaves: widths that were typed after `±`, and those of leaves that a search has found.
//!
//! An uncertainty belongs to a leaf and not to a name, so it is a tag like a label. A typed one stays until a new one is
//! typed. One that `:fit`, `:solve` or `:minimize` has found is valid only while the leaf has the value at which the search
//! ended. It has two parts: an error of its own, joint with the leaves that were found together, and the derivatives by its
//! sources.

mod propagation;
mod typed_widths;

use std::rc::Rc;

use rustc_hash::FxHashMap;

use self::propagation::CANCELLED;
pub(crate) use self::propagation::{answer_value, certain, certain_grads};
use crate::session::tags::{TagWrite, Tags};
use crate::session::{Session, Write};
use chainrule_engine::graph::{Node, NodeId};
use chainrule_stop as stop;

/// The uncertainty of a leaf.
#[derive(Clone, Debug)]
pub struct Uncertainty {
    own: OwnError,
    /// The search that found the leaf; `None` if the uncertainty was typed.
    found: Option<FoundLeaf>,
    /// Whether the width was typed in per cent of the value, so that its digits were computed.
    is_per_cent: bool,
}

/// The error of a leaf that follows from no other leaf.
#[derive(Clone, Debug)]
pub(crate) enum OwnError {
    /// An independent error, by its standard deviation: finite and not negative.
    Width(f64),
    /// The error of a leaf that was found together with others, by its place among them.
    Joint(Rc<JointErrors>, usize),
}

/// The errors that leaves have because they were found together: in a fit, from the scatter or the weights of the points.
#[derive(Debug)]
pub(crate) struct JointErrors {
    pub(crate) deviations: Vec<f64>,
    /// The correlation matrix, row by row.
    pub(crate) correlations: Vec<f64>,
}

/// The value at which a search has left a leaf, and its derivatives by its sources. No source was found from others, so the
/// sources of a chain of searches are those of its first one.
#[derive(Clone, Debug)]
struct FoundLeaf {
    end: f64,
    slopes: Rc<[(Source, f64)]>,
}

/// A leaf with an error of its own, and the data that it had when another leaf was found from it.
#[derive(Clone, Debug)]
pub(crate) struct Source {
    pub(crate) leaf: Rc<Node>,
    data: f64,
    pub(crate) own: OwnError,
}

/// The new uncertainties of leaves, no leaf twice.
pub type Widths = Vec<(Rc<Node>, Uncertainty)>;

impl OwnError {
    /// The standard deviation.
    pub(crate) fn width(&self) -> f64 {
        match self {
            OwnError::Width(width) => *width,
            OwnError::Joint(joint, place) => joint.deviations[*place],
        }
    }

    fn is_none(&self) -> bool {
        matches!(self, OwnError::Width(0.0))
    }

    /// The correlation of two errors of different leaves.
    fn correlation(&self, other: &OwnError) -> f64 {
        match (self, other) {
            (OwnError::Joint(joint, row), OwnError::Joint(same, column))
                if Rc::ptr_eq(joint, same) =>
            {
                joint.correlations[row * joint.deviations.len() + column]
            }
            _ => 0.0,
        }
    }
}

impl Uncertainty {
    /// A typed uncertainty. A width of 0 removes the uncertainty of a leaf.
    pub fn of_typed(width: f64, is_per_cent: bool) -> Uncertainty {
        Uncertainty {
            own: OwnError::Width(width),
            found: None,
            is_per_cent,
        }
    }

    /// The width, if it was typed.
    fn typed_width(&self) -> Option<f64> {
        self.found.is_none().then(|| self.own.width())
    }
}

impl Tags<Uncertainty> {
    /// The uncertainty of a leaf. One that a search has found is valid only while the leaf has the value of the search.
    fn now(&self, leaf: &Node) -> Option<&Uncertainty> {
        let is_there = |found: &FoundLeaf| found.end.to_bits() == leaf.data().to_bits();
        self.of(leaf)
            .filter(|it| it.found.as_ref().is_none_or(is_there))
    }

    /// The width of the leaf's own error, without its sources.
    pub(crate) fn own_width(&self, leaf: &Node) -> f64 {
        self.now(leaf).map_or(0.0, |it| it.own.width())
    }

    /// Whether the width of a leaf was typed.
    pub(crate) fn is_typed(&self, leaf: &Node) -> bool {
        self.now(leaf).is_none_or(|it| it.found.is_none())
    }

    /// Whether the digits of the width of a leaf were typed.
    pub(crate) fn has_typed_digits(&self, leaf: &Node) -> bool {
        self.is_typed(leaf) && !self.of(leaf).is_some_and(|it| it.is_per_cent)
    }
}

impl Session {
    /// The width of a leaf: the standard deviation after its `±`; `None` without `±`.
    pub fn uncertainty(&self, leaf: &Node) -> Option<f64> {
        self.names.uncertain.width(leaf)
    }

    /// Whether any leaf has an uncertainty.
    pub(crate) fn has_uncertain(&self) -> bool {
        !self.names.uncertain.is_empty()
    }

    /// Sets uncertainties. A typed 0 removes one.
    pub(crate) fn widen(&mut self, widths: Widths) {
        for (leaf, uncertainty) in widths {
            let old_width = self.names.uncertain.of(&leaf).map(Uncertainty::typed_width);
            let new = match uncertainty.typed_width() {
                Some(0.0) => None,
                _ => Some(uncertainty),
            };
            let is_found = new.as_ref().is_some_and(|it| it.found.is_some());
            if is_found || old_width != new.as_ref().map(Uncertainty::typed_width) {
                let write = TagWrite::new(&leaf, new);
                self.write(Write::Uncertainty(Box::new(write)));
            }
        }
    }
}

/// A derivative below this part of the sum of its terms' sizes is rounding: the terms cancel. A derivative that a search
/// returns has about twelve right digits.
const ROUNDING: f64 = 1e-12;

/// The sources of the uncertainties of some leaves. A leaf with an error of its own is a source of itself.
pub(crate) struct Sources {
    pub(crate) list: Vec<Source>,
    /// For each of the leaves in question the places of its sources, and its derivatives by them.
    slopes: Vec<Vec<(usize, f64)>>,
}

/// Sources, each once.
#[derive(Default)]
struct SourceIndex {
    list: Vec<Source>,
    /// The places by leaf. A source whose tie is cut counts with the data and the width that it had.
    places: FxHashMap<(NodeId, Option<[u64; 2]>), usize>,
}

impl SourceIndex {
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
}

impl Sources {
    /// The derivatives of a node by the sources, given those by the leaves in question.
    pub(crate) fn slopes(&self, by_leaves: &[f64]) -> Vec<f64> {
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

    /// The changes of a node if each source changes by its width, given its derivatives by the leaves in question.
    pub(crate) fn effects(&self, by_leaves: &[f64]) -> Vec<f64> {
        let slopes = self.slopes(by_leaves).into_iter().zip(&self.list);
        slopes
            .map(|(slope, source)| slope * source.own.width())
            .collect()
    }

    /// The standard deviation of a node with these derivatives by the leaves in question.
    pub(crate) fn deviation(&self, by_leaves: &[f64]) -> f64 {
        deviation(&self.effects(by_leaves), &partners(&self.list)).0
    }
}

impl Tags<Uncertainty> {
    /// The present error of a source. `None` if the tie to it is cut, because its leaf has moved or was found by another
    /// search. Then the old error counts.
    pub(crate) fn tied_error(&self, source: &Source) -> Option<OwnError> {
        let is_at = |data: f64| data.to_bits() == source.data.to_bits();
        let is_joint = |own: &OwnError| matches!(own, OwnError::Joint(..));
        match self.of(&source.leaf) {
            _ if !is_at(source.leaf.data()) => None,
            None => Some(OwnError::Width(0.0)),
            Some(Uncertainty {
                own, found: None, ..
            }) => Some(own.clone()),
            Some(Uncertainty {
                own,
                found: Some(found),
                ..
            }) => (is_at(found.end) && is_joint(own) && is_joint(&source.own)).then(|| own.clone()),
        }
    }

    /// The sources of these leaves, also those that are certain now, with the errors that count.
    pub(crate) fn sources(&self, leaves: &[Rc<Node>]) -> Sources {
        let mut index = SourceIndex::default();
        let mut slopes = Vec::with_capacity(leaves.len());
        for leaf in leaves {
            let (own, found) = match self.now(leaf) {
                Some(it) => (it.own.clone(), it.found.as_ref()),
                None => (OwnError::Width(0.0), None),
            };
            let mut of_leaf = Vec::new();
            for (source, slope) in found.map_or(&[][..], |it| &it.slopes) {
                let place = index.place(source, self.tied_error(source));
                of_leaf.push((place, *slope));
            }
            if found.is_none() || !own.is_none() {
                let itself = Source {
                    leaf: Rc::clone(leaf),
                    data: leaf.data(),
                    own,
                };
                let place = index.place(&itself, self.tied_error(&itself));
                of_leaf.push((place, 1.0));
            }
            slopes.push(of_leaf);
        }
        let list = index.list;
        Sources { list, slopes }
    }

    /// The uncertainties of leaves that were found together and end at `ends`. `slopes` are the derivatives of all of them,
    /// for each of `sources`.
    pub(crate) fn of_found(
        &self,
        ends: &[f64],
        joint: Option<JointErrors>,
        sources: &[Rc<Node>],
        slopes: &[Vec<f64>],
    ) -> Vec<Uncertainty> {
        let shared = joint.map(Rc::new);
        let known = self.sources(sources);
        let mut uncertainties = Vec::with_capacity(ends.len());
        for (place, &end) in ends.iter().enumerate() {
            let by_sources: Vec<f64> = slopes.iter().map(|column| column[place]).collect();
            let all = known.list.iter().cloned().zip(known.slopes(&by_sources));
            let own = match &shared {
                Some(errors) => OwnError::Joint(Rc::clone(errors), place),
                None => OwnError::Width(0.0),
            };
            uncertainties.push(Uncertainty {
                own,
                found: Some(FoundLeaf {
                    end,
                    slopes: all.filter(|(_, slope)| *slope != 0.0).collect(),
                }),
                is_per_cent: false,
            });
        }
        uncertainties
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
            let product = |other: &Vec<f64>| -> f64 {
                let products = related.iter().zip(other).map(|(x, y)| x * y);
                products.sum()
            };
            covariance.extend(effects.iter().map(product));
        }
        covariance
    }

    /// Whether a leaf has an uncertain source other than itself.
    pub(crate) fn follows_others(&self, leaf: &Rc<Node>) -> bool {
        let own = self.own_width(leaf);
        self.width(leaf).is_some_and(|width| width != own)
    }

    /// The width of a leaf: the standard deviation after its `±`; `None` without `±`.
    pub(crate) fn width(&self, leaf: &Node) -> Option<f64> {
        let uncertainty = self.now(leaf)?;
        if uncertainty.found.is_none() {
            return Some(uncertainty.own.width());
        }
        let sources = self.sources(&[self.node_with_id(leaf.id())?.0]);
        let is_uncertain = |source: &Source| !source.own.is_none();
        (sources.list.iter().any(is_uncertain)).then(|| sources.deviation(&[1.0]))
    }
}

/// For each source the others with which it is correlated, because they were found together.
pub(crate) fn partners(sources: &[Source]) -> Vec<Vec<(usize, f64)>> {
    let mut partners = vec![Vec::new(); sources.len()];
    let is_joint = |place: &usize| matches!(sources[*place].own, OwnError::Joint(..));
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

/// The standard deviation that follows from the effects of sources, and the part of each in the variance.
pub(crate) fn deviation(
    effects: &[f64],
    partners: &[Vec<(usize, f64)>],
) -> (f64, Vec<Option<f64>>) {
    let unit = unit(effects);
    let parts: Vec<f64> = effects.iter().map(|effect| effect / unit).collect();
    let related = with_partners(&parts, partners);
    let products = parts.iter().zip(related).map(|(part, all)| part * all);
    let shares: Vec<f64> = products.collect();
    let term_size = |(part, others): (&f64, &Vec<(usize, f64)>)| {
        let of_other = |&(other, correlation): &(usize, f64)| (correlation * parts[other]).abs();
        part.abs() * (part.abs() + others.iter().map(of_other).sum::<f64>())
    };
    let size: f64 = parts.iter().zip(partners).map(term_size).sum();
    let sum = shares.iter().fold(0.0, |sum, share| sum + share);
    // Terms that cancel leave rounding, perhaps below 0; a NaN stays one.
    let variance = if sum < CANCELLED * size { 0.0 } else { sum };
    let part_of_variance = |share| (variance > 0.0).then(|| share / variance);
    let parts_of_variance = shares.into_iter().map(part_of_variance);
    (unit * variance.sqrt(), parts_of_variance.collect())
}

/// The effect of each source plus those of its partners times the correlations: a row of the covariance matrix times the
/// effects.
fn with_partners(effects: &[f64], partners: &[Vec<(usize, f64)>]) -> Vec<f64> {
    let with_own = |(effect, correlated): (&f64, &Vec<(usize, f64)>)| {
        let others = correlated
            .iter()
            .map(|&(other, part)| part * effects[other]);
        effect + others.sum::<f64>()
    };
    effects.iter().zip(partners).map(with_own).collect()
}

/// A divisor of numbers, after which their squares neither overflow nor vanish.
pub(crate) fn unit(numbers: &[f64]) -> f64 {
    let largest = numbers.iter().fold(0.0_f64, |most, it| most.max(it.abs()));
    if largest.is_normal() { largest } else { 1.0 }
}

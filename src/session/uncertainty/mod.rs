//! The uncertainties of leaves: the width after `±`, and what is known of leaves that were found.
//!
//! An uncertainty belongs to a leaf and not to a name, so it is a tag like a label. A typed one stays until a new one
//! is typed. One that `:fit`, `:solve` or `:minimize` has found holds only while the leaf has the value at which the
//! search ended: it has a joint covariance of its own with the leaves that were found together, and derivatives by its
//! sources.

mod propagation;
mod typed_widths;

use std::rc::Rc;

use rustc_hash::FxHashMap;

use self::propagation::CANCELLED;
pub(crate) use self::propagation::{answer_value, certain, certain_grads};
use crate::session::tags::{TagWrite, Tags};
use crate::session::{Session, Write};
use chainrule_engine::graph::Node;
use chainrule_stop as stop;

/// The uncertainty of a leaf.
#[derive(Clone, Debug)]
pub struct Uncertainty {
    own: OwnError,
    /// How the leaf was found; none if the uncertainty was typed.
    found: Option<FoundLeaf>,
    /// The width was typed as a part of the value, so its digits were not.
    per_cent: bool,
}

/// The error of a leaf that follows from no other leaf.
#[derive(Clone, Debug)]
pub(crate) enum OwnError {
    /// One that is independent of others, by its standard deviation: finite and not negative.
    Width(f64),
    /// One of those of leaves that were found together, by its place.
    Joint(Rc<JointErrors>, usize),
}

/// The errors that leaves have because they were found together: in a fit, from the scatter or the weights of the points.
#[derive(Debug)]
pub(crate) struct JointErrors {
    pub(crate) deviations: Vec<f64>,
    /// The correlation of each with each, row by row.
    pub(crate) correlations: Vec<f64>,
}

/// Where a search has left a leaf, and its derivatives by its sources. None of these has found sources itself, so that a
/// chain of searches stays short.
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

    /// How two errors of different leaves are correlated.
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
    /// A typed uncertainty; 0 takes an uncertainty away.
    pub fn of_typed(width: f64, per_cent: bool) -> Uncertainty {
        Uncertainty {
            own: OwnError::Width(width),
            found: None,
            per_cent,
        }
    }
}

impl Tags<Uncertainty> {
    /// The uncertainty that a leaf has now: what a search has found holds only where it left the leaf.
    fn now(&self, leaf: &Node) -> Option<&Uncertainty> {
        let is_there = |found: &FoundLeaf| found.end.to_bits() == leaf.data().to_bits();
        self.of(leaf)
            .filter(|it| it.found.as_ref().is_none_or(is_there))
    }

    /// The width that a leaf has of its own, not from its sources.
    pub(crate) fn own_width(&self, leaf: &Node) -> f64 {
        self.now(leaf).map_or(0.0, |it| it.own.width())
    }

    /// Whether the width of a leaf stands as it was typed.
    pub(crate) fn is_typed(&self, leaf: &Node) -> bool {
        self.now(leaf).is_none_or(|it| it.found.is_none())
    }

    /// Whether the digits of the width of a leaf were typed.
    pub(crate) fn has_typed_digits(&self, leaf: &Node) -> bool {
        self.is_typed(leaf) && !self.of(leaf).is_some_and(|it| it.per_cent)
    }
}

impl Session {
    /// The width of a leaf: the standard deviation after its `±`; none if it has no `±`.
    pub fn uncertainty(&self, leaf: &Node) -> Option<f64> {
        self.names.uncertain.width(leaf)
    }

    /// Whether any leaf has an uncertainty; to spare the search for one.
    pub(crate) fn has_uncertain(&self) -> bool {
        !self.names.uncertain.is_empty()
    }

    /// Sets uncertainties. A typed 0 takes an uncertainty away.
    pub(crate) fn widen(&mut self, widths: Widths) {
        for (leaf, width) in widths {
            let typed = |it: &Uncertainty| it.found.is_none().then(|| it.own.width());
            let width = Some(width).filter(|width| typed(width) != Some(0.0));
            let before = self.names.uncertain.of(&leaf);
            if width.as_ref().is_some_and(|width| width.found.is_some())
                || before.map(typed) != width.as_ref().map(typed)
            {
                let width = Box::new(TagWrite::new(&leaf, width));
                self.write(Write::Uncertainty(width));
            }
        }
    }
}

/// A sum below this part of its terms is rounding: the terms cancel.
const ROUNDING: f64 = 1e-12;

/// The sources of the uncertainties of some leaves. A leaf with an error of its own is a source of itself.
pub(crate) struct Sources {
    pub(crate) list: Vec<Source>,
    /// For each of the leaves in question the places of its sources, and its derivatives by them.
    slopes: Vec<Vec<(usize, f64)>>,
}

impl Sources {
    /// The derivatives of something by the sources, given those by the leaves in question.
    pub(crate) fn slopes(&self, by_leaves: &[f64]) -> Vec<f64> {
        let mut sums = vec![(0.0, 0.0_f64); self.list.len()];
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
        let slopes = self.slopes(by_leaves).into_iter().zip(&self.list);
        slopes
            .map(|(slope, source)| slope * source.own.width())
            .collect()
    }

    /// The standard deviation of something with these derivatives by the leaves in question.
    pub(crate) fn deviation(&self, by_leaves: &[f64]) -> f64 {
        deviation(&self.effects(by_leaves), &partners(&self.list)).0
    }
}

impl Tags<Uncertainty> {
    /// The error of a source now. None if the tie to it is cut, because its leaf has moved or was found otherwise: then
    /// the error that it had counts.
    pub(crate) fn tied(&self, source: &Source) -> Option<OwnError> {
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
        let mut places = FxHashMap::default();
        let mut list = Vec::new();
        let mut add = |(source, slope): (Source, f64)| {
            let tied = self.tied(&source);
            let was = [source.data, source.own.width()].map(f64::to_bits);
            let key = (source.leaf.id(), tied.is_none().then_some(was));
            let place = *places.entry(key).or_insert_with(|| {
                let own = tied.unwrap_or(source.own);
                list.push(Source { own, ..source });
                list.len() - 1
            });
            (place, slope)
        };
        let each = leaves.iter().map(|leaf| {
            let it = self.now(leaf);
            let own = it.map_or(OwnError::Width(0.0), |it| it.own.clone());
            let found = it.and_then(|it| it.found.as_ref());
            let itself = (found.is_none() || !own.is_none()).then(|| Source {
                leaf: Rc::clone(leaf),
                data: leaf.data(),
                own,
            });
            let slopes = found.map_or(&[][..], |found| &found.slopes);
            let slopes = slopes.iter().cloned();
            let all = slopes.chain(itself.map(|source| (source, 1.0)));
            all.map(&mut add).collect()
        });
        Sources {
            slopes: each.collect(),
            list,
        }
    }

    /// The uncertainties of leaves that were found together and end at `ends`: `slopes` are for each of `sources` the
    /// derivatives of all of them.
    pub(crate) fn of_found(
        &self,
        ends: &[f64],
        joint: Option<JointErrors>,
        sources: &[Rc<Node>],
        slopes: &[Vec<f64>],
    ) -> Vec<Uncertainty> {
        let (joint, known) = (joint.map(Rc::new), self.sources(sources));
        let of_leaf = |(place, &end): (usize, &f64)| {
            let by_sources: Vec<f64> = slopes.iter().map(|column| column[place]).collect();
            let each = known.list.iter().cloned().zip(known.slopes(&by_sources));
            let slopes = each.filter(|(_, slope)| *slope != 0.0).collect();
            let own = joint
                .as_ref()
                .map(|joint| OwnError::Joint(Rc::clone(joint), place));
            Uncertainty {
                own: own.unwrap_or(OwnError::Width(0.0)),
                found: Some(FoundLeaf { end, slopes }),
                per_cent: false,
            }
        };
        ends.iter().enumerate().map(of_leaf).collect()
    }

    /// The covariance of leaves, row by row.
    pub fn covariance(&self, leaves: &[Rc<Node>]) -> Vec<f64> {
        let sources = self.sources(leaves);
        let partners = partners(&sources.list);
        let width = |source: &Source| source.own.width();
        let widths: Vec<f64> = sources.list.iter().map(width).collect();
        let effects = |slopes: &Vec<(usize, f64)>| {
            let mut effects = vec![0.0; widths.len()];
            for (place, slope) in slopes {
                effects[*place] += slope * widths[*place];
            }
            effects
        };
        let effects: Vec<Vec<f64>> = sources.slopes.iter().map(effects).collect();
        let row = |one: &Vec<f64>| -> Vec<f64> {
            stop::ask_now();
            let related = with_partners(one, &partners);
            let product = |other: &Vec<f64>| related.iter().zip(other).map(|(x, y)| x * y).sum();
            effects.iter().map(product).collect()
        };
        effects.iter().flat_map(row).collect()
    }

    /// Whether a leaf has an uncertain source other than itself.
    pub(crate) fn follows_others(&self, leaf: &Rc<Node>) -> bool {
        let own = self.own_width(leaf);
        self.width(leaf).is_some_and(|width| width != own)
    }

    /// The width of a leaf: the standard deviation after its `±`; none if it has no `±`.
    pub(crate) fn width(&self, leaf: &Node) -> Option<f64> {
        let it = self.now(leaf)?;
        if it.found.is_none() {
            return Some(it.own.width());
        }
        let sources = self.sources(&[self.numbered(leaf.id())?.0]);
        let is_uncertain = |source: &Source| !source.own.is_none();
        (sources.list.iter().any(is_uncertain)).then(|| sources.deviation(&[1.0]))
    }
}

/// For each source the others that it is correlated with: only those that were found together are.
pub(crate) fn partners(sources: &[Source]) -> Vec<Vec<(usize, f64)>> {
    let mut partners = vec![Vec::new(); sources.len()];
    let is_joint = |place: &usize| matches!(sources[*place].own, OwnError::Joint(..));
    let joint: Vec<usize> = (0..sources.len()).filter(is_joint).collect();
    for &one in &joint {
        for &other in joint.iter().filter(|other| **other != one) {
            let correlation = sources[one].own.correlation(&sources[other].own);
            if correlation != 0.0 {
                partners[one].push((other, correlation));
            }
        }
    }
    partners
}

/// The standard deviation that follows from the effects of sources, and each one's part of the variance.
pub(crate) fn deviation(
    effects: &[f64],
    partners: &[Vec<(usize, f64)>],
) -> (f64, Vec<Option<f64>>) {
    let unit = unit(effects);
    let parts: Vec<f64> = effects.iter().map(|effect| effect / unit).collect();
    let related = with_partners(&parts, partners);
    let shares = parts.iter().zip(related).map(|(part, all)| part * all);
    let shares: Vec<f64> = shares.collect();
    let size = |(part, partners): (&f64, &Vec<(usize, f64)>)| {
        let of_other = |&(other, correlation): &(usize, f64)| (correlation * parts[other]).abs();
        part.abs() * (part.abs() + partners.iter().map(of_other).sum::<f64>())
    };
    let size: f64 = parts.iter().zip(partners).map(size).sum();
    let sum = shares.iter().fold(0.0, |sum, share| sum + share);
    // What cancels leaves rounding, perhaps below 0; a NaN stays one.
    let variance = if sum < CANCELLED * size { 0.0 } else { sum };
    let part_of_variance = |share| (variance > 0.0).then(|| share / variance);
    let parts_of_variance = shares.into_iter().map(part_of_variance);
    (unit * variance.sqrt(), parts_of_variance.collect())
}

/// The effect of each source, with those of the others as far as they are correlated with it.
fn with_partners(effects: &[f64], partners: &[Vec<(usize, f64)>]) -> Vec<f64> {
    let each = effects.iter().zip(partners);
    each.map(|(effect, partners)| {
        let others = partners.iter().map(|&(other, part)| part * effects[other]);
        effect + others.sum::<f64>()
    })
    .collect()
}

/// A divisor of numbers, after which their squares neither overflow nor vanish.
pub(crate) fn unit(numbers: &[f64]) -> f64 {
    let largest = numbers.iter().fold(0.0_f64, |most, it| most.max(it.abs()));
    if largest.is_normal() { largest } else { 1.0 }
}

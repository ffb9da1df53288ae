//! The uncertainties of leaves: the width after `±`, and the correlations of leaves that were fitted together.
//!
//! An uncertainty belongs to a leaf and not to a name, so it is a tag like a label. A typed one stays until a new one
//! is typed; one that a fit or a search has produced holds only while the leaf has the value at which the search ended.

mod propagation;
mod typed_widths;

use std::rc::Rc;

use rustc_hash::FxHashMap;

use self::propagation::CANCELLED;
pub(crate) use self::propagation::{MOST_ANSWERED, certain, certain_grads};
use crate::session::tags::{TagWrite, Tags};
use crate::session::{Session, Write};
use chainrule_engine::graph::{Node, NodeId};

/// Leaves, and the derivatives of something by them.
type Slopes = Rc<[(Rc<Node>, f64)]>;

/// The uncertainty of a leaf.
#[derive(Clone, Debug)]
pub struct Uncertainty {
    /// The width of its own: one standard deviation. Finite and not negative; 0 without a fit means none.
    width: f64,
    /// The fit that left that width, and the place of the leaf in that fit.
    fit: Option<(Rc<Fit>, usize)>,
    /// Where a search has left the leaf, and its derivatives by its sources. While the leaf is there, they count
    /// instead of the width.
    search: Option<(f64, Slopes)>,
    /// The width was typed as a part of the value, so its digits were not.
    per_cent: bool,
}

/// The new uncertainties of leaves, no leaf twice.
pub type Widths = Vec<(Rc<Node>, Uncertainty)>;

/// The leaves that were fitted together.
#[derive(Debug)]
pub(crate) struct Fit {
    /// Where each leaf ended.
    ends: Vec<f64>,
    /// The correlation of each leaf with each, row by row.
    correlations: Vec<f64>,
}

impl Uncertainty {
    /// A typed uncertainty; 0 takes an uncertainty away.
    pub fn of_typed(width: f64, per_cent: bool) -> Uncertainty {
        Uncertainty {
            width,
            fit: None,
            search: None,
            per_cent,
        }
    }

    /// The uncertainty of a leaf that a search has moved to `end`, with the leaf's derivatives by its sources. Its own
    /// width stays, because other found leaves may have it as a source.
    pub(crate) fn of_search(before: Option<&Uncertainty>, end: f64, slopes: Slopes) -> Uncertainty {
        Uncertainty {
            search: Some((end, slopes)),
            ..before
                .cloned()
                .unwrap_or_else(|| Uncertainty::of_typed(0.0, false))
        }
    }

    /// The uncertainties of leaves that were fitted together and ended at `ends`. `correlations` are as many rows as
    /// leaves, one after the other.
    pub fn of_fit(
        ends: &[f64],
        widths: &[f64],
        correlations: Vec<f64>,
    ) -> impl Iterator<Item = Uncertainty> {
        debug_assert_eq!(
            correlations.len(),
            widths.len() * widths.len(),
            "each leaf is correlated with each"
        );
        let ends = ends.to_vec();
        let fit = Rc::new(Fit { ends, correlations });
        widths
            .iter()
            .enumerate()
            .map(move |(at, &width)| Uncertainty {
                width,
                fit: Some((Rc::clone(&fit), at)),
                search: None,
                per_cent: false,
            })
    }

    /// The width of its own.
    pub(crate) fn width(&self) -> f64 {
        self.width
    }

    /// Whether it was typed.
    pub(crate) fn is_typed(&self) -> bool {
        self.fit.is_none() && self.search.is_none()
    }

    /// The fit that left it.
    pub(crate) fn fit(&self) -> Option<&Rc<Fit>> {
        self.fit.as_ref().map(|(fit, _)| fit)
    }

    /// How the leaves of two uncertainties are correlated: as the fit says that left both.
    fn correlation(&self, other: &Uncertainty) -> Option<f64> {
        let ((fit, row), (same, column)) = (self.fit.as_ref()?, other.fit.as_ref()?);
        let both = Rc::ptr_eq(fit, same).then_some(fit)?;
        (both.correlations.get(row * both.ends.len() + column)).copied()
    }

    /// Whether a leaf with this data has a width of its own.
    fn is_own_at(&self, data: f64) -> bool {
        match &self.fit {
            Some((fit, at)) => fit.ends[*at].to_bits() == data.to_bits(),
            None => self.width > 0.0,
        }
    }
}

impl Tags<Uncertainty> {
    /// The uncertainty of its own that a leaf has now.
    pub(crate) fn own(&self, leaf: &Node) -> Option<&Uncertainty> {
        self.of(leaf).filter(|it| it.is_own_at(leaf.data()))
    }

    /// The sources of a leaf, with its derivatives by them, if it is where a search has left it.
    pub(crate) fn search_sources(&self, leaf: &Node) -> Option<&[(Rc<Node>, f64)]> {
        let (end, slopes) = self.of(leaf)?.search.as_ref()?;
        (end.to_bits() == leaf.data().to_bits()).then_some(slopes)
    }

    /// Whether the width of a leaf stands as it was typed.
    pub(crate) fn is_typed(&self, leaf: &Node) -> bool {
        let is_fitted = |it: &Uncertainty| it.fit.is_some();
        self.search_sources(leaf).is_none() && !self.own(leaf).is_some_and(is_fitted)
    }

    /// Whether the digits of the width of a leaf were typed.
    pub(crate) fn has_typed_digits(&self, leaf: &Node) -> bool {
        self.is_typed(leaf) && !self.own(leaf).is_some_and(|it| it.per_cent)
    }

    /// The correlation of two leaves: 1 of a leaf with itself, what a fit has left for two of its leaves whose
    /// uncertainties are both still those of that fit, else 0.
    pub fn correlation(&self, one: &Node, other: &Node) -> f64 {
        if std::ptr::eq(one, other) {
            return 1.0;
        }
        let both = self.own(one).zip(self.own(other));
        both.and_then(|(one, other)| one.correlation(other))
            .unwrap_or(0.0)
    }

    /// Checks that only leaves are uncertain, and that their widths are finite and not negative.
    pub(crate) fn audit(&self) -> Result<(), String> {
        let wrong = |(node, uncertainty): &(Rc<Node>, &Uncertainty)| {
            !node.is_leaf() || !uncertainty.width.is_finite() || uncertainty.width < 0.0
        };
        match self.living().find(wrong) {
            Some((node, uncertainty)) => {
                Err(format!("@{} ± {} cannot be", node.id(), uncertainty.width))
            }
            None => Ok(()),
        }
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
            let typed = |it: &Uncertainty| it.is_typed().then(|| it.width());
            let width = Some(width).filter(|width| typed(width) != Some(0.0));
            let before = self.names.uncertain.of(&leaf);
            if width.as_ref().is_some_and(|width| !width.is_typed())
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
    let mut size = 0.0;
    let share = |(effect, partners): (&f64, &Vec<(usize, f64)>)| {
        let others = partners.iter().map(|&(other, part)| part * parts[other]);
        let (sum, of_others) =
            others.fold((0.0, 0.0), |(sum, size), it| (sum + it, size + it.abs()));
        size += effect.abs() * (effect.abs() + of_others);
        effect * (effect + sum)
    };
    let shares: Vec<f64> = parts.iter().zip(partners).map(share).collect();
    let variance = shares.iter().fold(0.0, |sum, share| sum + share);
    // What cancels leaves rounding, perhaps below 0; a NaN stays one.
    let is_rounding = variance < CANCELLED * size;
    let variance = if is_rounding { 0.0 } else { variance };
    let shares = shares.iter();
    let shares = shares.map(|share| (variance > 0.0).then(|| share / variance));
    (unit * variance.sqrt(), shares.collect())
}

/// A divisor of numbers, after which their squares neither overflow nor vanish.
pub(crate) fn unit(numbers: &[f64]) -> f64 {
    let largest = numbers.iter().fold(0.0_f64, |most, it| most.max(it.abs()));
    if largest.is_normal() { largest } else { 1.0 }
}

//! The uncertainties of leaves: widths that were typed after `±`, and those of leaves that a search has found.
//!
//! An uncertainty belongs to a leaf and not to a name, so it is a tag like a label. A typed one stays until a new one is
//! typed. One that `:fit`, `:solve` or `:minimize` has found is valid only while the leaf has the value at which the search
//! ended. It has two parts: an error of its own, joint with the leaves that were found together, and the derivatives by its
//! sources.

mod propagation;
mod sources;
mod typed_widths;

use std::rc::Rc;

pub(crate) use self::propagation::{TooManyNodes, answer_value, certain, certain_grads};
pub(crate) use self::sources::{Source, Sources, deviation, partners, unit};
use crate::session::tags::{TagWrite, Tags};
use crate::session::{Session, Write};
use chainrule_engine::graph::Node;

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

/// The new uncertainties of leaves, no leaf twice.
pub type Widths = Vec<(Rc<Node>, Uncertainty)>;

impl OwnError {
    const NONE: OwnError = OwnError::Width(0.0);

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

    fn is_joint(&self) -> bool {
        matches!(self, OwnError::Joint(..))
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
                None => OwnError::NONE,
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

impl Session {
    /// The width of a leaf: the standard deviation after its `±`; `None` without `±`.
    pub fn uncertainty(&self, leaf: &Node) -> Option<f64> {
        self.names.uncertain.width(leaf)
    }

    /// Whether a leaf has a `±` other than 0.
    pub(crate) fn is_uncertain(&self, leaf: &Node) -> bool {
        self.uncertainty(leaf).is_some_and(|width| width > 0.0)
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

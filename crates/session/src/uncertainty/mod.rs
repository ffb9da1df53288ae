//! The uncertainties of leaves: widths that were typed after `±`, and those of leaves that a search has found.
//!
//! An uncertainty belongs to a leaf and not to a name, so it is a tag like a label. A typed one stays until a new one is
//! typed. One that `:fit`, `:solve` or `:minimize` has found is valid only while the leaf has the value at which the search
//! ended. It has two parts: an error of its own, joint with the leaves that were found together, and the derivatives by its
//! sources. The `±` of computed nodes follows from those of the leaves below, to first order. Answers and `.sigma` ask for it;
//! `:budget` makes budgets of the same grads.

mod sources;

pub use self::sources::{Source, Sources, deviation, partners, unit};

use std::cell::Cell;
use std::rc::Rc;

use rustc_hash::FxHashSet;

use crate::limits::MOST_ANSWERED;
use crate::tags::Tags;
use chainrule_engine::graph::structure::nodes_below;
use chainrule_engine::graph::{Node, Order, sweep_one_node};
use chainrule_program::guards::{Guard, GuardKind, GuardedValue, StatementGuards};
use chainrule_program::values::is_truth;
use chainrule_stop as stop;

/// The uncertainty of a leaf.
#[derive(Clone, Debug)]
pub struct Uncertainty {
    own: OwnError,
    /// The search that found the leaf; `None` if the uncertainty was typed.
    pub(crate) found: Option<FoundLeaf>,
    /// Whether the width was typed in per cent of the value, so that its digits were computed.
    is_per_cent: bool,
}

/// The error of a leaf that follows from no other leaf.
#[derive(Clone, Debug)]
pub enum OwnError {
    /// An independent error, by its standard deviation: finite and not negative.
    Width(f64),
    /// The error of a leaf that was found together with others, by its place among them.
    Joint(Rc<JointErrors>, usize),
}

/// The errors that leaves have because they were found together: in a fit, from the scatter or the weights of the points.
#[derive(Clone, Debug)]
pub struct JointErrors {
    /// The width of each.
    pub deviations: Vec<f64>,
    /// The correlation matrix, row by row.
    pub correlations: Vec<f64>,
}

impl JointErrors {
    /// The standard deviations of a matrix of covariances, and its correlations, row by row.
    pub fn of_covariance(covariance: &[f64], n: usize) -> JointErrors {
        let deviations: Vec<f64> = (0..n).map(|at| covariance[at * n + at].sqrt()).collect();
        let mut correlations = vec![1.0; n * n];
        for row in 0..n {
            for column in row + 1..n {
                let correlation = match covariance[row * n + column] {
                    0.0 => 0.0,
                    entry => (entry / (deviations[row] * deviations[column])).clamp(-1.0, 1.0),
                };
                // Only the upper half is read, so that rounding leaves the matrix symmetric.
                correlations[row * n + column] = correlation;
                correlations[column * n + row] = correlation;
            }
        }
        JointErrors {
            deviations,
            correlations,
        }
    }
}

/// The value at which a search has left a leaf, and its derivatives by its sources. No source was found from others, so the
/// sources of a chain of searches are those of its first one.
#[derive(Clone, Debug)]
pub(crate) struct FoundLeaf {
    end: f64,
    slopes: Rc<[(Source, f64)]>,
    /// The equations that tie the leaf to its sources, if `:solve` has found it.
    solution: Option<Rc<Solution>>,
}

/// The equations that tie a leaf to others.
#[derive(Debug)]
pub(crate) struct Solution {
    /// The leaf, with these others as guards.
    pub(crate) value: GuardedValue,
    /// The text of the equations.
    pub(crate) equations: Rc<str>,
}

/// The new uncertainties of leaves, no leaf twice.
pub type Widths = Vec<(Rc<Node>, Uncertainty)>;

/// A sum below this part of the sizes of its terms is rounding. A grad is a sum over paths, each rounded a few times.
const CANCELLED: f64 = 32.0 * f64::EPSILON;

/// More than [`MOST_ANSWERED`] nodes are below a node, so its uncertainty is not computed for an answer.
pub struct TooManyNodes;

impl OwnError {
    const NONE: OwnError = OwnError::Width(0.0);

    /// The standard deviation.
    pub fn width(&self) -> f64 {
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

    /// Ties a found leaf to the other leaves of the equations of a statement, and to their sources.
    pub fn tie(&mut self, leaf: &Rc<Node>, others: &[Rc<Node>], equations: &str, statement: &str) {
        let Some(found) = &mut self.found else { return };
        let direct = others.iter().map(|other| (other, other.data()));
        let sources = found.slopes.iter().map(|(it, _)| (&it.leaf, it.data));
        let mut seen = FxHashSet::from_iter([leaf.id()]);
        let first = direct
            .chain(sources)
            .filter(|(other, _)| seen.insert(other.id()));
        let guard = |(other, data): (&Rc<Node>, f64)| Guard {
            node: Rc::clone(other),
            data,
            kind: GuardKind::Position,
            typed: None,
        };
        let guards = first.map(guard).collect();
        let value = GuardedValue {
            nodes: vec![Rc::downgrade(leaf)],
            decided: StatementGuards {
                guards,
                statement: statement.trim().into(),
            },
            is_noted: Cell::default(),
            newest: leaf.id(),
        };
        found.solution = Some(Rc::new(Solution {
            value,
            equations: equations.trim().into(),
        }));
    }

    /// The width, if it was typed.
    pub(crate) fn typed_width(&self) -> Option<f64> {
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

    /// The equations that tie a leaf to its sources.
    pub(crate) fn solution(&self, leaf: &Node) -> Option<&Solution> {
        self.now(leaf)?.found.as_ref()?.solution.as_deref()
    }

    /// The equations of all leaves.
    pub(crate) fn solutions(&self) -> impl Iterator<Item = &Solution> {
        self.living().filter_map(|(leaf, _)| self.solution(&leaf))
    }

    /// The width of the leaf's own error, without its sources.
    pub fn own_width(&self, leaf: &Node) -> f64 {
        self.now(leaf).map_or(0.0, |it| it.own.width())
    }

    /// Whether a leaf has a width other than 0 that was typed, and not one that a search gave.
    pub fn is_typed(&self, leaf: &Node) -> bool {
        let is_own = |it: &Uncertainty| it.found.is_none() && it.own.width() > 0.0;
        self.now(leaf).is_some_and(is_own)
    }

    /// Whether the digits of the width of a leaf were typed.
    pub fn has_typed_digits(&self, leaf: &Node) -> bool {
        self.is_typed(leaf) && !self.of(leaf).is_some_and(|it| it.is_per_cent)
    }

    /// The uncertainties of leaves that were found together and end at `ends`. `slopes` are the derivatives of all of them,
    /// for each of `sources`.
    pub fn of_found(
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
            let joined = |errors: &Rc<_>| OwnError::Joint(Rc::clone(errors), place);
            let own = shared.as_ref().map_or(OwnError::NONE, joined);
            uncertainties.push(Uncertainty {
                own,
                found: Some(FoundLeaf {
                    end,
                    slopes: all.filter(|(_, slope)| *slope != 0.0).collect(),
                    solution: None,
                }),
                is_per_cent: false,
            });
        }
        uncertainties
    }

    /// Whether a leaf has an uncertain source other than itself.
    pub fn follows_others(&self, leaf: &Rc<Node>) -> bool {
        let own = self.own_width(leaf);
        self.width(leaf).is_some_and(|width| width != own)
    }

    /// The width of a leaf: the standard deviation after its `±`; `None` without `±`.
    pub fn width(&self, leaf: &Rc<Node>) -> Option<f64> {
        let uncertainty = self.now(leaf)?;
        if uncertainty.found.is_none() {
            return Some(uncertainty.own.width());
        }
        let sources = self.sources(std::slice::from_ref(leaf));
        let is_uncertain = |source: &Source| !source.own.is_none();
        (sources.list.iter().any(is_uncertain)).then(|| sources.deviation(&[1.0]))
    }

    /// Whether a leaf has a `±` other than 0.
    pub fn has_width(&self, leaf: &Rc<Node>) -> bool {
        self.width(leaf).is_some_and(|width| width > 0.0)
    }

    /// The standard deviation of a node for an answer; `None` if no leaf below it is uncertain.
    pub fn answer_deviation(&self, node: &Rc<Node>) -> Result<Option<f64>, TooManyNodes> {
        if node.is_leaf() {
            return Ok(self.width(node));
        }
        let nodes = nodes_below(node, MOST_ANSWERED).ok_or(TooManyNodes)?;
        // A condition is not measured.
        let is_uncertain = !is_truth(node) && nodes.iter().any(|it| self.width(it).is_some());
        Ok(is_uncertain.then(|| self.node_deviation(node)))
    }

    /// The standard deviation of each of these nodes; empty if all are certain.
    pub fn deviations(&self, nodes: &[Rc<Node>]) -> Vec<f64> {
        if self.is_empty() {
            return Vec::new();
        }
        let checked = stop::with_checks(nodes.iter());
        let deviations: Vec<f64> = checked.map(|node| self.node_deviation(node)).collect();
        let is_certain = deviations.iter().all(|deviation| *deviation == 0.0);
        if is_certain { Vec::new() } else { deviations }
    }

    /// The standard deviation of a node: 0 if no leaf below it is uncertain.
    pub(crate) fn node_deviation(&self, node: &Rc<Node>) -> f64 {
        if node.is_leaf() || self.is_empty() {
            return self.width(node).unwrap_or(0.0);
        }
        let order = Order::below([node]);
        let (mut leaves, mut grads) = (Vec::new(), Vec::new());
        for (below, grad) in order.nodes().iter().zip(certain_grads(&order)) {
            if self.of(below).is_some() {
                leaves.push(Rc::clone(below));
                grads.push(grad);
            }
        }
        certain(node, self.sources(&leaves).deviation(&grads))
    }
}

/// The value of a node for an answer with this deviation: 0 if all effects cancel and only rounding is left of the terms.
pub fn answer_value(node: &Node, deviation: f64) -> f64 {
    let is_sum = node.op().is_some_and(|op| matches!(op.spelling, "+" | "-"));
    let size: f64 = node.operands().iter().map(|it| it.data().abs()).sum();
    if deviation == 0.0 && is_sum && node.data().abs() < CANCELLED * size {
        return 0.0;
    }
    node.data()
}

/// The grads below a root. A grad is 0 if its contributions cancel except for rounding.
pub fn certain_grads(order: &Order) -> Vec<f64> {
    let mut grads = vec![0.0_f64; order.nodes().len()];
    let mut sizes = grads.clone();
    // Slot 0 is that of the root.
    grads.iter_mut().take(1).for_each(|root| *root = 1.0);
    for slot in stop::with_checks(0..grads.len()) {
        if grads[slot].abs() < CANCELLED * sizes[slot] {
            grads[slot] = 0.0;
        }
        sweep_one_node(order, slot, &mut grads, |_, it| {
            sizes[it.operand_slot] += it.amount.abs();
        });
    }
    grads
}

/// The deviation, or NaN for a node whose value is not finite, even if an exact zero absorbs every gradient.
pub fn certain(node: &Node, deviation: f64) -> f64 {
    let is_finite = node.data().is_finite();
    if is_finite { deviation } else { f64::NAN }
}

//! Error budgets: how uncertain a node is, and how much of that comes from each leaf.
//!
//! To first order the variance is gᵀCg, with the gradient g and the covariance matrix C of the leaves. The exact matrix
//! of second derivatives says how far that can be trusted.

use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::differences::derivatives;
use super::goal::kink_below;
use super::linear::{dot, is_positive, norm};
use crate::session::Session;
use crate::session::uncertainty::{self, certain, certain_grads};
use crate::study::explain;
use chainrule_engine::graph::{Node, NodeId, Order};
use chainrule_report::Line;

/// The most uncertain leaves for which second derivatives are computed.
pub(crate) const MOST_SECOND: usize = 200;
/// By this much a matrix of correlations may be less than positive, from rounding.
const NEGATIVE: f64 = 1e-9;

/// What the leaves of a node contribute to its uncertainty.
#[derive(Debug)]
pub(crate) struct Budget {
    /// All leaves below the node, the largest effect first, then those without an uncertainty.
    pub(crate) entries: Vec<LeafEffect>,
    /// The standard deviation, to first order.
    pub(crate) sigma: f64,
    /// The sum of all effects, as if all errors had their full size and the worst signs.
    pub(crate) worst: f64,
    /// Some of the leaves are correlated.
    pub(crate) correlated: bool,
    /// Where there is a kink that the uncertain leaves can move through: the first order says nothing there.
    pub(crate) kink: Option<Line>,
    pub(crate) second: Option<SecondOrder>,
}

/// A leaf and what it contributes.
#[derive(Debug)]
pub(crate) struct LeafEffect {
    pub(crate) leaf: Rc<Node>,
    pub(crate) grad: f64,
    /// By how many per cent the node changes if the leaf changes by one; none if either is 0.
    pub(crate) elasticity: Option<f64>,
    /// The standard deviation of the leaf.
    pub(crate) width: Option<f64>,
    /// By how much the node changes if the leaf changes by its width; none of a found leaf, which counts through its
    /// sources.
    pub(crate) effect: Option<f64>,
    /// The part of the variance; none if that is 0.
    pub(crate) share: Option<f64>,
}

/// What second derivatives add.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SecondOrder {
    /// By how much the mean differs from the present value.
    pub(crate) shift: f64,
    pub(crate) sigma: f64,
}

/// Correlations of pairs of leaves, each in both orders.
pub(crate) type Correlations = FxHashMap<(NodeId, NodeId), f64>;

/// The budget of a node; none if the correlations contradict each other.
pub(crate) fn budget(
    session: &mut Session,
    root: &Rc<Node>,
    correlations: &Correlations,
) -> Option<Budget> {
    let order = Order::below([root]);
    let leaves = order.nodes().iter().zip(certain_grads(&order));
    let leaves = leaves.filter(|(node, _)| node.is_leaf());
    let (leaves, grads): (Vec<Rc<Node>>, Vec<f64>) =
        leaves.map(|(leaf, grad)| (Rc::clone(leaf), grad)).unzip();
    let uncertain = &session.names().uncertain;
    let sources = uncertain.sources(&leaves);
    let entry = |leaf: &Rc<Node>, grad: f64, own: Option<f64>| {
        // Adding 0 makes a -0 a 0.
        let elasticity = grad * leaf.data() / root.data() + 0.0;
        LeafEffect {
            leaf: Rc::clone(leaf),
            grad,
            elasticity: Some(elasticity).filter(|_| root.data() != 0.0),
            width: own.or_else(|| uncertain.width(leaf)),
            effect: own.map(|width| grad * width + 0.0),
            share: None,
        }
    };
    let counted = sources
        .leaves
        .iter()
        .zip(&sources.widths)
        .zip(sources.slopes(&grads));
    let mut entries: Vec<LeafEffect> = counted
        .map(|((leaf, width), grad)| entry(leaf, grad, Some(*width)))
        .collect();
    let known: FxHashSet<NodeId> = sources.leaves.iter().map(|leaf| leaf.id()).collect();
    let others = leaves
        .iter()
        .zip(grads)
        .filter(|(leaf, _)| !known.contains(&leaf.id()));
    entries.extend(others.map(|(leaf, grad)| entry(leaf, grad, None)));
    let is_found = leaves
        .iter()
        .any(|leaf| uncertain.search_sources(leaf).is_some() && uncertain.width(leaf).is_some());
    let size = |entry: &LeafEffect| entry.effect.map_or(-1.0, f64::abs);
    entries.sort_by(|one, other| size(other).total_cmp(&size(one)));
    let effects: Vec<f64> = entries.iter().filter_map(|entry| entry.effect).collect();
    let uncertain = effects.len();
    let leaves = entries[..uncertain].iter();
    let leaves: Vec<Rc<Node>> = leaves.map(|entry| Rc::clone(&entry.leaf)).collect();
    let partners = partners(session, &leaves, correlations);
    let correlated = partners.iter().any(|partners| !partners.is_empty());
    let is_matrix = || is_positive(&matrix(&partners, 1.0 + NEGATIVE), uncertain);
    if correlated && uncertain <= MOST_SECOND && !is_matrix() {
        return None;
    }
    let (sigma, shares) = uncertainty::deviation(&effects, &partners);
    let sigma = certain(root, sigma);
    for (entry, share) in entries.iter_mut().zip(shares) {
        entry.share = share;
    }
    let kink = kink_below(root, |leaf| session.uncertainty(leaf) > Some(0.0));
    let widths = entries[..uncertain].iter().filter_map(|entry| entry.width);
    let widths: Vec<f64> = widths.collect();
    // How a found leaf curves with its sources is not known.
    let second = (!is_found).then(|| second(session, root, &leaves, &widths, &partners, sigma));
    Some(Budget {
        second: second.flatten(),
        worst: certain(root, effects.iter().fold(0.0, |sum, it| sum + it.abs())),
        kink: kink.and_then(|node| explain::convention_at(session, &node)),
        sigma,
        correlated,
        entries,
    })
}

/// For each leaf the others that it is correlated with.
fn partners(
    session: &Session,
    leaves: &[Rc<Node>],
    correlations: &Correlations,
) -> Vec<Vec<(usize, f64)>> {
    let mut partners = session.names().uncertain.partners(leaves);
    if !correlations.is_empty() {
        let places = leaves.iter().enumerate();
        let places: FxHashMap<NodeId, usize> = places.map(|(at, leaf)| (leaf.id(), at)).collect();
        for ((one, other), correlation) in correlations {
            if let (Some(&one), Some(&other)) = (places.get(one), places.get(other)) {
                partners[one].retain(|(place, _)| *place != other);
                let counts = *correlation != 0.0;
                partners[one].extend(counts.then_some((other, *correlation)));
            }
        }
        for partners in &mut partners {
            partners.sort_by_key(|(other, _)| *other);
        }
    }
    partners
}

/// The matrix of correlations with this diagonal, row by row.
fn matrix(partners: &[Vec<(usize, f64)>], diagonal: f64) -> Vec<f64> {
    let n = partners.len();
    let mut matrix = vec![0.0; n * n];
    for (row, partners) in partners.iter().enumerate() {
        matrix[row * n + row] = diagonal;
        for &(column, correlation) in partners {
            matrix[row * n + column] = correlation;
        }
    }
    matrix
}

/// Mean and variance to second order, for normally distributed errors.
fn second(
    session: &mut Session,
    root: &Rc<Node>,
    leaves: &[Rc<Node>],
    widths: &[f64],
    partners: &[Vec<(usize, f64)>],
    sigma: f64,
) -> Option<SecondOrder> {
    let n = leaves.len();
    if n == 0 || n > MOST_SECOND {
        return None;
    }
    let mut curves = session.look(|session| {
        let slopes = session.derivatives(root, leaves).ok()?;
        let data: Vec<f64> = leaves.iter().map(|leaf| leaf.data()).collect();
        Some(derivatives(&slopes, leaves, &data).concat())
    })?;
    for (at, curve) in curves.iter_mut().enumerate() {
        *curve = *curve * widths[at / n] * widths[at % n];
    }
    // With C the correlations and H in units of the widths: ½ tr(HC) and ½ tr((HC)²).
    let correlations = matrix(partners, 1.0);
    // The correlations are symmetric, so a row is a column.
    let product: Vec<f64> = (0..n * n)
        .map(|at| dot(&curves[at / n * n..][..n], &correlations[at % n * n..][..n]))
        .collect();
    let trace: f64 = (0..n).map(|at| product[at * n + at]).sum();
    let unit = uncertainty::unit(&product);
    let squares: f64 = (0..n * n)
        .map(|at| product[at] / unit * (product[at % n * n + at / n] / unit))
        .sum();
    let more = unit * (0.5 * squares).clamp(0.0, f64::INFINITY).sqrt();
    let second = SecondOrder {
        shift: 0.5 * trace,
        sigma: norm(&[sigma, more]),
    };
    (second.shift.is_finite() && second.sigma.is_finite()).then_some(second)
}

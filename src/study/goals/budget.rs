//! Error budgets: how uncertain a node is, and how much of that comes from each leaf.
//!
//! To first order the variance is gᵀCg, with the gradient g and the covariance matrix C of the leaves. The exact matrix
//! of second derivatives says how far that can be trusted.

use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::goal::kink_below;
use super::linear::{dot, is_positive, norm};
use crate::session::Session;
use crate::session::uncertainty::{self, Source, answer_value, certain, certain_grads};
use crate::study::explain;
use chainrule_engine::graph::{Jacobian, Node, NodeId, Order};
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
    /// The sources of found leaves that have moved since: they count with the errors that they had, and with this part of
    /// the variance.
    pub(crate) moved: Vec<(Rc<Node>, Option<f64>)>,
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
    let value = answer_value(root, sources.deviation(&grads));
    let entry = |leaf: &Rc<Node>, grad: f64, own: Option<f64>, share: Option<f64>| {
        // Adding 0 makes a -0 a 0.
        let elasticity = grad * leaf.data() / value + 0.0;
        LeafEffect {
            leaf: Rc::clone(leaf),
            grad,
            elasticity: Some(elasticity).filter(|_| value != 0.0),
            width: own.or_else(|| uncertain.width(leaf)),
            effect: own.map(|width| grad * width + 0.0),
            share,
        }
    };
    let slopes = sources.slopes(&grads);
    let pairs = sources.list.into_iter().zip(slopes);
    let mut pairs: Vec<(Source, f64)> = pairs
        .filter(|(source, _)| source.own.width() > 0.0)
        .collect();
    let effect = |(source, slope): &(Source, f64)| slope * source.own.width();
    pairs.sort_by(|one, other| effect(other).abs().total_cmp(&effect(one).abs()));
    let effects: Vec<f64> = pairs.iter().map(effect).collect();
    let (counted, slopes): (Vec<Source>, Vec<f64>) = pairs.into_iter().unzip();
    let partners = partners(session, &counted, correlations);
    let correlated = partners.iter().any(|partners| !partners.is_empty());
    let is_matrix = || is_positive(&matrix(&partners, 1.0 + NEGATIVE), counted.len());
    if correlated && counted.len() <= MOST_SECOND && !is_matrix() {
        return None;
    }
    let (sigma, shares) = uncertainty::deviation(&effects, &partners);
    let sigma = certain(root, sigma);
    let (mut entries, mut moved) = (Vec::new(), Vec::new());
    for ((source, slope), share) in counted.iter().zip(slopes).zip(shares) {
        let (leaf, width) = (&source.leaf, source.own.width());
        if uncertain.tied_error(source).is_some() {
            entries.push(entry(leaf, slope, Some(width), share));
        } else {
            moved.push((Rc::clone(leaf), share));
        }
    }
    let known: FxHashSet<NodeId> = entries.iter().map(|entry| entry.leaf.id()).collect();
    let others = leaves
        .iter()
        .zip(grads)
        .filter(|(leaf, _)| !known.contains(&leaf.id()));
    entries.extend(others.map(|(leaf, grad)| entry(leaf, grad, None, None)));
    let is_found = leaves.iter().any(|leaf| uncertain.follows_others(leaf));
    let kink = kink_below(root, |leaf| session.uncertainty(leaf) > Some(0.0));
    let moving = counted
        .iter()
        .map(|it| (Rc::clone(&it.leaf), it.own.width()));
    let (moving, widths): (Vec<Rc<Node>>, Vec<f64>) = moving.unzip();
    // How a found leaf curves with its sources is not known.
    let second = (!is_found).then(|| second(session, root, &moving, &widths, &partners, sigma));
    Some(Budget {
        second: second.flatten(),
        worst: certain(root, effects.iter().fold(0.0, |sum, it| sum + it.abs())),
        kink: kink.and_then(|node| explain::convention_at(session, &node)),
        sigma,
        correlated,
        entries,
        moved,
    })
}

/// For each source the others that it is correlated with.
fn partners(
    session: &Session,
    sources: &[Source],
    correlations: &Correlations,
) -> Vec<Vec<(usize, f64)>> {
    let mut partners = uncertainty::partners(sources);
    if !correlations.is_empty() {
        let uncertain = &session.names().uncertain;
        let places = sources.iter().enumerate();
        let places = places.filter(|(_, it)| uncertain.tied_error(it).is_some());
        let places: FxHashMap<NodeId, usize> = places.map(|(at, it)| (it.leaf.id(), at)).collect();
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
        let mut jacobian = Jacobian::of(&slopes, leaves);
        jacobian.values(&data);
        Some(jacobian.rows())
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

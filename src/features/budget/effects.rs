//! Computes error budgets: the uncertainty of a node, and the share of each leaf in it.
//!
//! To first order the variance is gᵀCg, with the gradient g and the covariance matrix C of the leaves. The exact matrix
//! of second derivatives shows how far the first order can be trusted.

use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::search::kink_below;
use crate::search::linear::{dot, is_positive, norm};
use crate::study::convention_at;
use chainrule_engine::graph::{Jacobian, Node, NodeId, Order};
use chainrule_program::Environment as _;
use chainrule_report::Line;
use chainrule_session::Session;
use chainrule_session::uncertainty::{self, Source, Sources, answer_value, certain, certain_grads};

/// The most uncertain leaves for which second derivatives are computed.
pub(crate) const MOST_SECOND: usize = 200;
/// A matrix of correlations may be negative by this amount, because of rounding.
const CORRELATION_TOLERANCE: f64 = 1e-9;

/// The contributions of leaves to the uncertainty of a node.
pub(crate) struct Budget {
    /// All leaves below the node: first the uncertain ones, the largest effect first, then all others.
    pub(crate) entries: Vec<LeafEffect>,
    /// The sources of found leaves that have moved since, with their parts of the variance. These sources count with the
    /// errors that they had when the leaves were found.
    pub(crate) moved: MovedLeaves,
    /// The standard deviation, to first order.
    pub(crate) sigma: f64,
    /// The sum of all effects, as if all errors had their full size and the worst signs.
    pub(crate) worst: f64,
    /// Whether some of the leaves are correlated.
    pub(crate) is_correlated: bool,
    /// The line on a kink that the uncertain leaves can move through: the first order says nothing there.
    pub(crate) kink: Option<Line>,
    pub(crate) second: Option<SecondOrder>,
}

/// A leaf and its contribution.
pub(crate) struct LeafEffect {
    pub(crate) leaf: Rc<Node>,
    pub(crate) grad: f64,
    /// The change of the node in per cent if the leaf changes by one per cent; `None` if the node is 0.
    pub(crate) elasticity: Option<f64>,
    /// The standard deviation of the leaf.
    pub(crate) width: Option<f64>,
    /// The change of the node if the leaf changes by its width; `None` for a found leaf, which counts through its sources.
    pub(crate) effect: Option<f64>,
    /// The part of the variance; `None` if that is 0.
    pub(crate) share: Option<f64>,
}

/// Mean and uncertainty to second order.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SecondOrder {
    /// The mean less the present value.
    pub(crate) shift: f64,
    pub(crate) sigma: f64,
}

/// Leaves that have moved since they were sources, with the parts of their old errors in the variance.
type MovedLeaves = Vec<(Rc<Node>, Option<f64>)>;

/// Correlations of pairs of leaves, each in both orders.
pub(crate) type Correlations = FxHashMap<(NodeId, NodeId), f64>;

/// Computes the budget of a node; `None` if the correlations contradict each other, because their matrix is not positive.
pub(crate) fn budget(
    session: &mut Session,
    root: &Rc<Node>,
    correlations: &Correlations,
) -> Option<Budget> {
    let order = Order::below([root]);
    let nodes = order.nodes().iter().zip(certain_grads(&order));
    let of_leaves = nodes.filter(|(node, _)| node.is_leaf());
    let leaves_with_grads = of_leaves.map(|(leaf, grad)| (Rc::clone(leaf), grad));
    let (leaves, grads): (Vec<Rc<Node>>, Vec<f64>) = leaves_with_grads.unzip();
    let uncertain = &session.names().uncertain;
    let sources = uncertain.sources(&leaves);
    let value = answer_value(root, sources.deviation(&grads));
    let counted = CountedSources::of(session, sources, &grads, correlations);
    let count = counted.list.len();
    let matrix = || counted.correlation_matrix(1.0 + CORRELATION_TOLERANCE);
    // The correlations of too many sources are not checked.
    let is_correlated = counted.partners.iter().any(|it| !it.is_empty());
    if is_correlated && count <= MOST_SECOND && !is_positive(&matrix(), count) {
        return None;
    }
    let sigma = certain(root, counted.deviation);
    let (mut entries, moved) = counted.entries(session, value);
    let known: FxHashSet<NodeId> = entries.iter().map(|entry| entry.leaf.id()).collect();
    let others = leaves.iter().zip(grads);
    for (leaf, grad) in others.filter(|(leaf, _)| !known.contains(&leaf.id())) {
        entries.push(LeafEffect {
            width: uncertain.width(leaf),
            ..leaf_entry(leaf, grad, value)
        });
    }

    let kink = kink_below(root, |leaf| session.names().uncertain.has_width(leaf));
    // How a found leaf curves with its sources is not known.
    let has_found_leaf = leaves.iter().any(|leaf| uncertain.follows_others(leaf));
    let second = (!has_found_leaf).then(|| second_order(session, root, &counted, sigma));
    let effect_sizes = counted.effects.iter().map(|effect| effect.abs());
    Some(Budget {
        second: second.flatten(),
        worst: certain(root, effect_sizes.fold(0.0, |sum, size| sum + size)),
        kink: kink.and_then(|node| convention_at(session, &node)),
        sigma,
        is_correlated,
        entries,
        moved,
    })
}

/// The uncertain sources of the leaves below a node, the largest effect first. All lists have an item for each source.
struct CountedSources {
    list: Vec<Source>,
    /// The derivatives of the node by the sources.
    slopes: Vec<f64>,
    /// The change of the node if a source changes by its width.
    effects: Vec<f64>,
    /// The indices of the sources with which each source is correlated, and the correlations.
    partners: Vec<Vec<(usize, f64)>>,
    /// The standard deviation of the node that follows from all sources.
    deviation: f64,
    /// The parts of the sources in the variance; `None` if that is 0.
    shares: Vec<Option<f64>>,
}

impl CountedSources {
    fn of(
        session: &Session,
        sources: Sources,
        grads: &[f64],
        correlations: &Correlations,
    ) -> CountedSources {
        let all_slopes = sources.slopes(grads);
        let pairs = sources.list.into_iter().zip(all_slopes);
        let uncertain = pairs.filter(|(source, _)| source.own.width() > 0.0);
        let mut sorted: Vec<(Source, f64)> = uncertain.collect();
        let effect = |(source, slope): &(Source, f64)| slope * source.own.width();
        sorted.sort_by(|one, other| effect(other).abs().total_cmp(&effect(one).abs()));
        let effects: Vec<f64> = sorted.iter().map(effect).collect();
        let (list, slopes): (Vec<Source>, Vec<f64>) = sorted.into_iter().unzip();
        let partners = partners(session, &list, correlations);
        let (deviation, shares) = uncertainty::deviation(&effects, &partners);
        CountedSources {
            list,
            slopes,
            effects,
            partners,
            deviation,
            shares,
        }
    }

    /// Returns the entries of the leaves that still have the errors of the sources, below a node with this value, and the
    /// leaves that have moved since.
    fn entries(&self, session: &Session, value: f64) -> (Vec<LeafEffect>, MovedLeaves) {
        let (mut entries, mut moved) = (Vec::new(), Vec::new());
        for (place, source) in self.list.iter().enumerate() {
            let (leaf, share) = (&source.leaf, self.shares[place]);
            if session.names().uncertain.tied_error(source).is_none() {
                moved.push((Rc::clone(leaf), share));
                continue;
            }
            entries.push(LeafEffect {
                width: Some(source.own.width()),
                // Adding 0 makes a -0 a 0.
                effect: Some(self.effects[place] + 0.0),
                share,
                ..leaf_entry(leaf, self.slopes[place], value)
            });
        }
        (entries, moved)
    }

    /// Returns the matrix of correlations with this diagonal, row by row.
    fn correlation_matrix(&self, diagonal: f64) -> Vec<f64> {
        let n = self.list.len();
        let mut matrix = vec![0.0; n * n];
        for (row, partners) in self.partners.iter().enumerate() {
            matrix[row * n + row] = diagonal;
            for &(column, correlation) in partners {
                matrix[row * n + column] = correlation;
            }
        }
        matrix
    }
}

/// Returns the entry of a leaf without an uncertainty, below a node with this value.
fn leaf_entry(leaf: &Rc<Node>, grad: f64, value: f64) -> LeafEffect {
    // Adding 0 makes a -0 a 0.
    let elasticity = grad * leaf.data() / value + 0.0;
    LeafEffect {
        leaf: Rc::clone(leaf),
        grad,
        elasticity: (value != 0.0).then_some(elasticity),
        width: None,
        effect: None,
        share: None,
    }
}

/// Returns for each source the indices of the sources with which it is correlated, and the correlations. Correlations that
/// the user has typed replace known ones.
fn partners(session: &Session, sources: &[Source], typed: &Correlations) -> Vec<Vec<(usize, f64)>> {
    let mut partners = uncertainty::partners(sources);
    let uncertain = &session.names().uncertain;
    let all = sources.iter().enumerate();
    let tied = all.filter(|(_, source)| uncertain.tied_error(source).is_some());
    let places: FxHashMap<NodeId, usize> = tied.map(|(place, it)| (it.leaf.id(), place)).collect();
    for ((one, other), correlation) in typed {
        if let (Some(&one), Some(&other)) = (places.get(one), places.get(other)) {
            partners[one].retain(|(place, _)| *place != other);
            if *correlation != 0.0 {
                partners[one].push((other, *correlation));
            }
        }
    }
    for partners_of_one in &mut partners {
        partners_of_one.sort_by_key(|(other, _)| *other);
    }
    partners
}

/// Computes mean and uncertainty to second order, for normally distributed errors. With H the second derivatives in units
/// of the widths, and C the correlations, the mean is shifted by ½ tr(HC), and ½ tr((HC)²) is added to the variance.
fn second_order(
    session: &mut Session,
    root: &Rc<Node>,
    sources: &CountedSources,
    sigma: f64,
) -> Option<SecondOrder> {
    let n = sources.list.len();
    if n == 0 || n > MOST_SECOND {
        return None;
    }
    let leaves: Vec<Rc<Node>> = sources.list.iter().map(|it| Rc::clone(&it.leaf)).collect();
    let data: Vec<f64> = leaves.iter().map(|leaf| leaf.data()).collect();
    // The matrix of second derivatives, row by row.
    let mut curves = session.look(|session| {
        let slopes = session.program_mut().derivatives(root, &leaves).ok()?;
        let mut jacobian = Jacobian::of(&slopes, &leaves);
        jacobian.values(&data);
        Some(jacobian.rows())
    })?;
    let widths: Vec<f64> = sources.list.iter().map(|it| it.own.width()).collect();
    for (index, curve) in curves.iter_mut().enumerate() {
        *curve = *curve * widths[index / n] * widths[index % n];
    }
    let correlations = sources.correlation_matrix(1.0);
    // The correlations are symmetric, so their rows are their columns.
    let columns = || correlations.chunks_exact(n);
    let rows = curves.chunks_exact(n);
    let product: Vec<f64> = rows
        .flat_map(|row| columns().map(|it| dot(row, it)))
        .collect();
    let trace: f64 = (0..n).map(|at| product[at * n + at]).sum();
    let unit = uncertainty::unit(&product);
    let transposed = |index: usize| product[index % n * n + index / n];
    let squares = (0..n * n).map(|index| product[index] / unit * (transposed(index) / unit));
    let trace_of_square = squares.sum::<f64>().clamp(0.0, f64::INFINITY);
    let added_sigma = unit * (0.5 * trace_of_square).sqrt();
    let second = SecondOrder {
        shift: 0.5 * trace,
        sigma: norm(&[sigma, added_sigma]),
    };
    (second.shift.is_finite() && second.sigma.is_finite()).then_some(second)
}

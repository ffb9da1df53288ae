//! Finds the largest paths from a root to a node, up to a given number, and the sum of all others. This is a k-best-paths
//! search, as in Eppstein's algorithm.
//!
//! Every path but the best leaves a listed path at some edge. The edge taken instead is a sidetrack. An entry of the heap
//! is a sidetrack; it represents all paths that share the listed path up to the sidetrack and then take it. The best of
//! these paths follows the best path from the sidetrack to the end. When an entry is taken out of the heap, this best path
//! is listed, and its own sidetracks enter the heap. So each unlisted path belongs to exactly one entry, and the sum over
//! all unlisted paths takes one product for each entry.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::path_subgraph::{Edge, PathSubgraph};
use crate::ops::chain;

/// The search for further paths ends after this number of edges. A path may be a million edges long.
const MAX_EDGES: usize = 1_000_000;

/// The largest paths, and the sum of the others.
#[derive(Debug)]
pub struct Paths {
    /// The paths that are listed, sorted by size: NaN, then infinite products, then finite ones down to 0.
    pub listed: Vec<Path>,
    /// The sum of the products of all other paths: exactly 0 if there are none.
    pub rest: f64,
}

/// One path.
#[derive(Clone, Debug)]
pub struct Path {
    /// The edges from the root on, as indices into [`PathSubgraph::edges`].
    pub edges: Vec<u32>,
    /// The product of the local derivatives along the path.
    pub product: f64,
}

/// The size of a product, as whole numbers that add up over the factors. A product with fewer zeros is larger, because
/// zero absorbs everything. If the zeros are equal, a product with more NaN or infinite factors is larger, and then the
/// product with the larger logarithm. Whole numbers add without rounding, so the same factors in another sequence have
/// the same size.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct ProductSize {
    /// Minus the number of factors that are 0.
    zeros: i32,
    /// The number of factors that are NaN or infinite.
    not_finite: i32,
    /// In units of 2^-60.
    log: i128,
}

impl ProductSize {
    fn of(subgraph: &PathSubgraph, edge: &Edge) -> ProductSize {
        let data = subgraph.node(edge.from as usize).data();
        let is_zero = edge.local == 0.0;
        let is_not_finite = !is_zero && (data.is_nan() || !edge.local.is_finite());
        let factor = if is_zero || is_not_finite {
            1.0
        } else {
            edge.local
        };
        ProductSize {
            zeros: -i32::from(is_zero),
            not_finite: i32::from(is_not_finite),
            log: (factor.abs().ln() * (1_u64 << 60) as f64) as i128,
        }
    }

    fn plus(self, other: ProductSize) -> ProductSize {
        ProductSize {
            zeros: self.zeros + other.zeros,
            not_finite: self.not_finite + other.not_finite,
            log: self.log + other.log,
        }
    }

    fn minus(self, other: ProductSize) -> ProductSize {
        ProductSize {
            zeros: self.zeros - other.zeros,
            not_finite: self.not_finite - other.not_finite,
            log: self.log - other.log,
        }
    }
}

/// The edge at which a path leaves a listed path. Ordered by loss, then by age.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Sidetrack {
    /// The difference in size between the best path and this one.
    loss: ProductSize,
    /// The number of sidetracks found before this one.
    age: usize,
    /// The index of the listed path that is left.
    parent: usize,
    /// The number of edges before the sidetrack, which both paths share.
    shared: usize,
    /// The edge taken instead.
    edge: u32,
}

/// The best path from each slot to the end: its size and its first edge.
struct BestPaths {
    sizes: Vec<ProductSize>,
    edges: Vec<u32>,
}

impl BestPaths {
    fn of(subgraph: &PathSubgraph) -> BestPaths {
        let mut sizes = vec![ProductSize::default(); subgraph.end + 1];
        let mut edges = vec![u32::MAX; subgraph.end + 1];
        for slot in (0..subgraph.end).rev() {
            for index in subgraph.edges_from(slot) {
                let edge = &subgraph.edges[index];
                let size = ProductSize::of(subgraph, edge).plus(sizes[edge.to as usize]);
                // Among equally good edges the first one wins: operands from left to right.
                if edges[slot] == u32::MAX || size > sizes[slot] {
                    (sizes[slot], edges[slot]) = (size, index as u32);
                }
            }
        }
        BestPaths { sizes, edges }
    }
}

impl Paths {
    /// The largest paths of a subgraph, at most `most`, but always the best one.
    pub fn largest(subgraph: &PathSubgraph, most: usize) -> Paths {
        let mut search = Search {
            subgraph,
            best: BestPaths::of(subgraph),
            totals: subgraph.derivatives(),
            waiting: BinaryHeap::new(),
            behind_sidetracks: Vec::new(),
            edges_seen: 0,
        };
        let mut listed = vec![search.follow(Vec::new(), ProductSize::default(), 0)];
        while listed.len() < most && search.edges_seen <= MAX_EDGES {
            let Some(Reverse(next)) = search.waiting.pop() else {
                break;
            };
            let mut edges = listed[next.parent].edges[..next.shared].to_vec();
            edges.push(next.edge);
            listed.push(search.follow(edges, next.loss, listed.len()));
        }
        let left = search.waiting.iter();
        let rest = compensated_sum(left.map(|Reverse(left)| search.behind_sidetracks[left.age]));
        // Without its sign, a NaN is the largest number in the total order, so it comes first.
        listed.sort_by(|one, other| other.product.abs().total_cmp(&one.product.abs()));
        Paths { listed, rest }
    }

    /// Sorts the paths in the order of a backward pass: operands from left to right.
    pub fn sort_in_pass_order(&mut self) {
        self.listed
            .sort_by(|one, other| one.edges.cmp(&other.edges));
    }
}

/// A search in progress.
struct Search<'s> {
    subgraph: &'s PathSubgraph,
    best: BestPaths,
    /// For each slot, the derivative of its node with respect to the end.
    totals: Vec<f64>,
    waiting: BinaryHeap<Reverse<Sidetrack>>,
    /// For each sidetrack, by age, the sum of all paths that begin with it.
    behind_sidetracks: Vec<f64>,
    edges_seen: usize,
}

impl Search<'_> {
    /// Continues from these edges along the best path, and puts its sidetracks into the heap. Returns the whole path.
    fn follow(&mut self, mut edges: Vec<u32>, loss: ProductSize, parent: usize) -> Path {
        let subgraph = self.subgraph;
        self.edges_seen += edges.len();
        let (mut product, mut slot) = (1.0, subgraph.root);
        for &index in &edges {
            let edge = &subgraph.edges[index as usize];
            product = subgraph.multiply_along(product, edge);
            slot = edge.to as usize;
        }
        while slot != subgraph.end {
            let taken = self.best.edges[slot];
            for index in subgraph.edges_from(slot) {
                self.edges_seen += 1;
                if index as u32 == taken {
                    continue;
                }
                let edge = &subgraph.edges[index];
                let size = ProductSize::of(subgraph, edge).plus(self.best.sizes[edge.to as usize]);
                self.waiting.push(Reverse(Sidetrack {
                    loss: loss.plus(self.best.sizes[slot].minus(size)),
                    age: self.behind_sidetracks.len(),
                    parent,
                    shared: edges.len(),
                    edge: index as u32,
                }));
                let upper = subgraph.multiply_along(product, edge);
                let lower = self.totals[edge.to as usize];
                // The product of two parts of a path belongs to no node, so the rule for a node that is NaN must not apply.
                self.behind_sidetracks
                    .push(chain(upper, lower, 0.0, || false));
            }
            edges.push(taken);
            let edge = &subgraph.edges[taken as usize];
            product = subgraph.multiply_along(product, edge);
            slot = edge.to as usize;
        }
        Path { edges, product }
    }
}

/// The sum of some numbers by Neumaier's compensated summation, which adds the rounding errors at the end. The sum of many
/// paths may be small compared with its terms, so a plain sum would lose digits.
pub fn compensated_sum(amounts: impl IntoIterator<Item = f64>) -> f64 {
    let (mut sum, mut lost) = (0.0_f64, 0.0_f64);
    for amount in amounts {
        let next = sum + amount;
        if next.is_finite() {
            lost += if sum.abs() >= amount.abs() {
                (sum - next) + amount
            } else {
                (amount - next) + sum
            };
        }
        sum = next;
    }
    sum + lost
}

//! The paths from a root to a node, the largest ones first; never more of them than asked for.
//!
//! A path that is not the best one follows the best way from where it left it last (its sidetrack). What waits in the
//! heap is a sidetrack each: it stands for all paths that begin so, and the best of them is known. Taking one out puts
//! in the sidetracks of the path it stands for, so all paths that are not listed are in the heap, each in one place,
//! and their total takes one product for each.

use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;
use std::ops::Sub;

use super::path_subgraph::{Edge, PathSubgraph};

/// The most edges that are looked at for all paths but the first: a path may be a million steps long.
const MOST_LOOKED_AT: usize = 1_000_000;

/// Some paths, and what the others come to.
#[derive(Debug)]
pub struct Paths {
    /// The largest ones, largest first: NaN, then infinite ones, those that are 0 last.
    pub listed: Vec<Path>,
    /// The total of the others: exactly 0 where there are none.
    pub rest: f64,
}

/// One path.
#[derive(Clone, Debug)]
pub struct Path {
    /// Its edges, by their places in the web, from the root on.
    pub edges: Vec<u32>,
    /// The product of the locals.
    pub product: f64,
}

/// How large a product is, so that the largest path is one of largest parts, whatever zeros and infinities are on it.
/// A zero absorbs everything, so fewer zeros come first; then more factors that are not finite; then the size.
#[derive(Clone, Copy, Debug, Default)]
struct ProductSize {
    zeros: i32,
    broken: i32,
    log: f64,
}

/// By how much a path is smaller than the largest one. Kept as a difference of whole suffixes, not as a size of its
/// own, since the sizes of two ways to the same product may differ by rounding.
type Loss = ProductSize;

impl ProductSize {
    fn of(web: &PathSubgraph, edge: &Edge) -> ProductSize {
        let (local, data) = (edge.local, web.node(edge.from as usize).data());
        match local {
            0.0 => ProductSize {
                zeros: -1,
                ..ProductSize::default()
            },
            _ if data.is_nan() || !local.is_finite() => ProductSize {
                broken: 1,
                ..ProductSize::default()
            },
            _ => ProductSize {
                log: local.abs().ln(),
                ..ProductSize::default()
            },
        }
    }

    fn plus(self, other: ProductSize) -> ProductSize {
        ProductSize {
            zeros: self.zeros + other.zeros,
            broken: self.broken + other.broken,
            log: self.log + other.log,
        }
    }
}

impl Sub for ProductSize {
    type Output = Loss;
    fn sub(self, other: ProductSize) -> Loss {
        ProductSize {
            zeros: self.zeros - other.zeros,
            broken: self.broken - other.broken,
            log: self.log - other.log,
        }
    }
}

impl Ord for ProductSize {
    fn cmp(&self, other: &ProductSize) -> Ordering {
        let counts = (self.zeros, self.broken).cmp(&(other.zeros, other.broken));
        counts.then(self.log.total_cmp(&other.log))
    }
}

impl PartialOrd for ProductSize {
    fn partial_cmp(&self, other: &ProductSize) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for ProductSize {
    fn eq(&self, other: &ProductSize) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for ProductSize {}

/// Where a path leaves a listed one. Ordered by loss, then by age.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Sidetrack {
    loss: Loss,
    age: usize,
    /// Which listed path it leaves.
    parent: usize,
    /// How many of its edges are shared.
    shared: usize,
    /// The edge taken instead.
    edge: u32,
}

/// The best way from each position to the end.
struct Best {
    sizes: Vec<ProductSize>,
    edges: Vec<u32>,
}

impl Best {
    fn of(web: &PathSubgraph) -> Best {
        let mut sizes = vec![ProductSize::default(); web.end() + 1];
        let mut edges = vec![u32::MAX; web.end() + 1];
        for place in (0..web.end()).rev() {
            for at in web.leaving(place) {
                let edge = &web.edges()[at];
                let size = ProductSize::of(web, edge).plus(sizes[edge.to as usize]);
                // The first of equal ones: operands from left to right.
                if edges[place] == u32::MAX || size > sizes[place] {
                    (sizes[place], edges[place]) = (size, at as u32);
                }
            }
        }
        Best { sizes, edges }
    }
}

impl Paths {
    /// The largest paths of a web, at most so many of them, at least one.
    pub fn largest(web: &PathSubgraph, most: usize) -> Paths {
        let mut search = Search {
            web,
            best: Best::of(web),
            totals: web.derivatives(),
            waiting: BinaryHeap::new(),
            masses: Vec::new(),
            looked_at: 0,
        };
        let mut listed = vec![search.follow(Vec::new(), Loss::default(), 0)];
        while listed.len() < most && search.looked_at <= MOST_LOOKED_AT {
            let Some(Reverse(next)) = search.waiting.pop() else {
                break;
            };
            let mut edges = listed[next.parent].edges[..next.shared].to_vec();
            edges.push(next.edge);
            listed.push(search.follow(edges, next.loss, listed.len()));
        }
        let left = search.waiting.iter();
        let rest = total(left.map(|Reverse(left)| search.masses[left.age]));
        listed.sort_by(|one, other| rank(other.product).total_cmp(&rank(one.product)));
        Paths { listed, rest }
    }

    /// In the order in which a pass would come along them: operands from left to right.
    pub fn in_pass_order(&mut self) {
        self.listed
            .sort_by(|one, other| one.edges.cmp(&other.edges));
    }
}

/// A search for the largest paths in the middle of its way.
struct Search<'w> {
    web: &'w PathSubgraph,
    best: Best,
    /// The derivative of each position's node by the end.
    totals: Vec<f64>,
    waiting: BinaryHeap<Reverse<Sidetrack>>,
    /// What all paths behind each sidetrack come to, by its age.
    masses: Vec<f64>,
    looked_at: usize,
}

impl Search<'_> {
    /// Goes on from these edges along the best way, and puts every sidetrack on it into the heap.
    fn follow(&mut self, mut edges: Vec<u32>, loss: Loss, parent: usize) -> Path {
        let web = self.web;
        self.looked_at += edges.len();
        let begun = edges.iter();
        let mut product = begun.fold(1.0, |product, &at| along(web, product, at));
        let mut place = edges
            .last()
            .map_or(web.root(), |&at| web.edges()[at as usize].to as usize);
        while place != web.end() {
            let taken = self.best.edges[place];
            for at in web.leaving(place) {
                self.looked_at += 1;
                if at as u32 == taken {
                    continue;
                }
                let edge = &web.edges()[at];
                let size = ProductSize::of(web, edge).plus(self.best.sizes[edge.to as usize]);
                self.waiting.push(Reverse(Sidetrack {
                    loss: loss.plus(self.best.sizes[place] - size),
                    age: self.masses.len(),
                    parent,
                    shared: edges.len(),
                    edge: at as u32,
                }));
                let upper = web.along(product, edge);
                self.masses
                    .push(joined(upper, self.totals[edge.to as usize]));
            }
            edges.push(taken);
            product = along(web, product, taken);
            place = web.edges()[taken as usize].to as usize;
        }
        Path { edges, product }
    }
}

fn along(web: &PathSubgraph, amount: f64, at: u32) -> f64 {
    web.along(amount, &web.edges()[at as usize])
}

/// Two parts of a path: an exact zero absorbs.
fn joined(upper: f64, lower: f64) -> f64 {
    if upper == 0.0 || lower == 0.0 {
        0.0
    } else {
        upper * lower
    }
}

/// NaN is shown before everything else.
fn rank(product: f64) -> f64 {
    if product.is_nan() {
        f64::NAN
    } else {
        product.abs()
    }
}

/// A sum that carries what rounding would lose: the rest of many paths is small beside what makes it up.
pub(crate) fn total(amounts: impl IntoIterator<Item = f64>) -> f64 {
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

//! Where everything is in the picture of a graph, and how large the picture is.
//!
//! A plan knows two directions: along the picture, rank after rank, and across it. A long picture is cut between ranks
//! into strips, one behind the other across the picture, like the lines of a text.

use super::Sizes;
use super::columns;
use super::wires::WirePath;
use crate::report::Flow;
use crate::view::picture::layout::layers::Layers;

/// Around the picture.
pub(crate) const MARGIN: f64 = 16.0;
/// From an operation to the box of its value.
const NEAR: f64 = 30.0;
/// The size of a slide or a page: a picture that fits is not made smaller.
const SLIDE: (f64, f64) = (1600.0, 900.0);
/// Between the wires that go from one strip to the next.
const LANE: f64 = 12.0;
/// Between strips, beside the room of their wires.
const APART: f64 = 24.0;
/// The most strips.
const MOST_STRIPS: usize = 200;

/// Where something begins along the picture, and where it ends.
pub(crate) type Stretch = (f64, f64);

/// Where everything is.
#[derive(Clone)]
pub(crate) struct NetworkPlan<'a> {
    pub layers: &'a Layers,
    pub sizes: Sizes,
    /// The middle of every point, across the picture.
    pub across: Vec<f64>,
    /// Width and height.
    pub size: (f64, f64),
    /// Where the operations of every rank stand, and where its values do.
    ranks: Vec<[Stretch; 2]>,
    strips: Vec<Strip>,
    /// The strip of every rank.
    strip_of: Vec<usize>,
}

/// Successive ranks.
#[derive(Clone, Copy, Debug, Default)]
struct Strip {
    /// The first of them.
    first: usize,
    /// Where it ends along the picture.
    end: f64,
    /// Where it ends across the picture.
    bottom: f64,
    /// How far it was moved across the picture.
    shift: f64,
    /// The wires that go on in the next strip.
    leaving: usize,
}

/// What is known of a rank before it has a place.
#[derive(Clone, Copy, Debug)]
struct RankSize {
    /// The wires before it, its operations, the wires to its values, and its values.
    lengths: [f64; 4],
    /// What it reaches across the picture.
    reach: (f64, f64),
    /// How many of its points have wires to the next rank, and what these reach.
    leaving: usize,
    leaving_reach: (f64, f64),
}

impl<'a> NetworkPlan<'a> {
    /// A plan in one strip, with wires that are longer by so much than they must be.
    pub(crate) fn new(layers: &'a Layers, sizes: Sizes, longer: f64) -> NetworkPlan<'a> {
        let across = columns::settled(layers, &sizes);
        let mut plan = NetworkPlan {
            layers,
            sizes,
            across,
            size: (0.0, 0.0),
            ranks: Vec::new(),
            strips: Vec::new(),
            strip_of: vec![0; layers.ranks.len()],
        };
        let ranks = plan.measured(plan.sizes.wires.0 + longer);
        plan.arrange(&ranks, &[0]);
        plan.shift();
        plan
    }

    /// The same in several strips, as large as possible; `None` if it has too few ranks.
    pub(crate) fn in_strips(&self) -> Option<NetworkPlan<'a>> {
        let mut plan = self.clone();
        let ranks = plan.measured(plan.sizes.wires.0);
        let mut best: Option<(f64, Vec<usize>)> = None;
        let mut count = 2;
        while count <= MOST_STRIPS && count * 2 <= ranks.len() {
            let cuts = cuts(&ranks, count);
            plan.arrange(&ranks, &cuts);
            let scale = plan.scale();
            if best.as_ref().is_none_or(|(most, _)| scale > *most) {
                best = Some((scale, cuts));
            }
            count += 1 + count / 8;
        }
        let (_, cuts) = best?;
        plan.arrange(&ranks, &cuts);
        plan.shift();
        Some(plan)
    }

    /// Moves every point across the picture, to its strip.
    fn shift(&mut self) {
        for (point, across) in self.layers.points.iter().zip(&mut self.across) {
            *across += self.strips[self.strip_of[point.rank]].shift;
        }
    }

    /// How large it is on a slide.
    pub(crate) fn scale(&self) -> f64 {
        self.scale_in(SLIDE)
    }

    /// How large it is in a window of this size.
    pub(crate) fn scale_in(&self, (width, height): (f64, f64)) -> f64 {
        (width / self.size.0).min(height / self.size.1).min(1.0)
    }

    /// Where a point's operation may stand, and where its value may.
    pub(crate) fn rank(&self, point: usize) -> [Stretch; 2] {
        self.ranks[self.layers.points[point].rank]
    }

    /// An operation stands in the middle of its rank's, with the numbers on its wires before it.
    pub(crate) fn operation(&self, vertex: usize) -> Stretch {
        let ([(begin, end), _], [length, _]) = (self.rank(vertex), self.sizes.along(vertex));
        let begin = begin + (end - begin - length) / 2.0;
        (begin + self.sizes.before(vertex), begin + length)
    }

    /// A leaf stands close to what uses it, another value close to its operation.
    pub(crate) fn value(&self, vertex: usize) -> Stretch {
        let ([_, (begin, end)], [_, length]) = (self.rank(vertex), self.sizes.along(vertex));
        if self.sizes.is_made(vertex) {
            (begin, begin + length)
        } else {
            (end - length, end)
        }
    }

    /// The left edge and the middle height of what a vertex has at this stretch.
    pub(crate) fn corner(
        &self,
        (begin, _): Stretch,
        vertex: usize,
        (width, height): (f64, f64),
    ) -> (f64, f64) {
        let across = self.across[vertex];
        match self.sizes.flow {
            Flow::Right => (begin, across),
            Flow::Down => (across - width / 2.0, begin + height / 2.0),
        }
    }

    /// Leads a wire that has come to the end of a point's rank to the next rank's strip, if that is another. Lanes are
    /// nested, so that no two wires cross on the way.
    pub(crate) fn turn(&self, point: usize, path: &mut WirePath) {
        let rank = self.layers.points[point].rank;
        let here = self.strip_of[rank];
        let next = here + 1;
        if self
            .strips
            .get(next)
            .is_none_or(|strip| strip.first != rank + 1)
        {
            return;
        }
        let (strip, behind) = (self.strips[here], self.strips[next]);
        let points = &self.layers.ranks[rank];
        let before = points[..self.layers.places[point]].iter();
        let lane = before.filter(|&&point| self.leaves(point)).count();
        let outer = (strip.leaving - lane) as f64 * LANE;
        path.around(
            strip.end + outer,
            strip.bottom + outer,
            MARGIN + outer - LANE,
            self.across[point] + behind.shift - strip.shift,
        );
    }

    fn leaves(&self, point: usize) -> bool {
        !self.layers.points[point].right.is_empty()
    }

    /// Measures the ranks.
    fn measured(&self, least: f64) -> Vec<RankSize> {
        let ranks = self.layers.ranks.iter().enumerate();
        ranks
            .map(|(rank, points)| {
                let [operations, values] = [0, 1].map(|side| {
                    let lengths = points.iter().map(|&point| self.sizes.along(point)[side]);
                    lengths.fold(0.0, f64::max)
                });
                let [wires, near] = match rank {
                    0 => [0.0; 2],
                    // The boxes of a network have no operations before them.
                    _ if operations == 0.0 => [self.room(points, least), 0.0],
                    _ => [self.room(points, least), NEAR],
                };
                let reach = |points: &mut dyn Iterator<Item = usize>| {
                    points.fold(
                        (f64::INFINITY, f64::NEG_INFINITY),
                        |(top, bottom), point| {
                            let half = self.sizes.across(point) / 2.0;
                            let middle = self.across[point];
                            (top.min(middle - half), bottom.max(middle + half))
                        },
                    )
                };
                let leaving = || points.iter().copied().filter(|&point| self.leaves(point));
                let entries = |(top, bottom), point: usize| {
                    let middle = self.across[point];
                    (f64::min(top, middle), f64::max(bottom, middle))
                };
                RankSize {
                    lengths: [wires, operations, near, values],
                    reach: reach(&mut points.iter().copied()),
                    leaving: leaving().count(),
                    leaving_reach: leaving().fold((f64::INFINITY, f64::NEG_INFINITY), entries),
                }
            })
            .collect()
    }

    /// How much room the wires before a rank have: the steeper, the more.
    fn room(&self, points: &[usize], least: f64) -> f64 {
        let steep = points.iter().flat_map(|&point| {
            let left = self.layers.points[point].left.iter();
            left.map(move |&from| (self.across[from] - self.across[point]).abs())
        });
        (least + steep.fold(0.0, f64::max) * 0.16).min(self.sizes.wires.1)
    }

    /// Puts the ranks into strips that begin with these, one behind the other.
    fn arrange(&mut self, ranks: &[RankSize], cuts: &[usize]) {
        self.ranks.clear();
        self.strips.clear();
        let (mut longest, mut below) = (0.0_f64, MARGIN);
        for (strip, &first) in cuts.iter().enumerate() {
            let end = cuts.get(strip + 1).copied().unwrap_or(ranks.len());
            let inside = &ranks[first..end];
            let before = first.checked_sub(1).map(|rank| &ranks[rank]);
            let lanes = before.map_or(0.0, |rank| rank.leaving as f64 * LANE);
            let mut along = MARGIN + lanes;
            let (mut top, mut bottom) = before.map_or((f64::INFINITY, f64::NEG_INFINITY), |rank| {
                rank.leaving_reach
            });
            for (rank, size) in (first..).zip(inside) {
                self.strip_of[rank] = strip;
                let [wires, operations, near, values] = size.lengths;
                let operations = (along + wires, along + wires + operations);
                let values = (operations.1 + near, operations.1 + near + values);
                self.ranks.push([operations, values]);
                along = values.1;
                (top, bottom) = (top.min(size.reach.0), bottom.max(size.reach.1));
            }
            let last = inside.last().filter(|_| end < ranks.len());
            let leaving = last.map_or(0, |rank| rank.leaving);
            let extent = (bottom - top).max(0.0);
            self.strips.push(Strip {
                first,
                end: along,
                bottom: below + extent,
                shift: if extent > 0.0 { below - top } else { below },
                leaving,
            });
            longest = longest.max(along + leaving as f64 * LANE);
            below += extent;
            if end < ranks.len() {
                below += leaving as f64 * LANE + APART;
            }
        }
        let (along, across) = (longest + MARGIN, below + MARGIN);
        self.size = match self.sizes.flow {
            Flow::Right => (along, across),
            Flow::Down => (across, along),
        };
    }
}

/// The ranks where strips begin: about so many strips of about one length, cut where few wires run.
fn cuts(ranks: &[RankSize], count: usize) -> Vec<usize> {
    let length = |rank: &RankSize| rank.lengths.iter().sum::<f64>();
    let total: f64 = ranks.iter().map(length).sum();
    let target = total / count as f64;
    let mut cuts = vec![0];
    let mut used = 0.0;
    // The best place so far to end the strip: how many wires leave it there, and where.
    let mut best: Option<(usize, usize)> = None;
    let mut rank = 0;
    while rank < ranks.len() {
        used += length(&ranks[rank]);
        let begun = cuts.last().copied().unwrap_or(0);
        if used > target * 1.05 && rank > begun {
            let next = best.take().map_or(rank, |(_, at)| at);
            cuts.push(next);
            (used, rank) = (0.0, next);
            continue;
        }
        let leaving = ranks[rank].leaving;
        if used > target * 0.8 && best.is_none_or(|(least, _)| leaving <= least) {
            best = Some((leaving, rank + 1));
        }
        rank += 1;
    }
    // A root alone in the last strip: the break before it moves back, to where the fewest wires run.
    if let [.., begun, last] = cuts[..]
        && last + 1 == ranks.len()
        && last - begun > 2
    {
        let breaks = begun + (last - begun) / 2..last;
        let fewest = breaks.rev().min_by_key(|&at| ranks[at - 1].leaving);
        cuts.pop();
        cuts.extend(fewest);
    }
    cuts
}

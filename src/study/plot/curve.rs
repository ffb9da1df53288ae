//! Samples expressions as curves over one leaf, for `:plot`. This works on plans, so nothing is changed.
//!
//! Each expression is turned into a plan once, and the plan runs for each place. `sampling` chooses the places, which
//! are the same for all curves.

use std::rc::Rc;

use super::axis::SampleAxis;
use super::sampling::{self, Sample, Scale};
use chainrule_engine::graph::{Node, Order, Plan, gradients};
use chainrule_report::Curve;
use chainrule_stop as stop;

/// The most places of a plot.
pub(crate) const MOST_SAMPLES: usize = 4_096;
/// The intervals of the first grid, and the fewest, however large the graph is.
const INTERVALS: usize = 500;
const LEAST: usize = 64;
/// About how many nodes are evaluated for one plot: large graphs get fewer places.
const WORK: usize = 1 << 24;
/// How often the grid is refined.
const ROUNDS: usize = 6;
/// How often an interval is halved in the search for a jump or a pole.
const HALVINGS: usize = 48;
/// A peak that rises to this many times the usual range is a pole.
const POLE: f64 = 1e8;

/// A root's data, and its derivatives with respect to leaves; `None` if it depends on none of them.
pub fn gradient<const LEAVES: usize>(
    root: &Rc<Node>,
    leaves: [&Rc<Node>; LEAVES],
) -> Option<(f64, [f64; LEAVES])> {
    let order = Order::below([root]);
    let places = leaves.map(|leaf| order.slot(leaf));
    if places == [None; LEAVES] {
        return None;
    }
    let grads = gradients(&order, root, |_| {});
    Some((root.data(), places.map(|it| it.map_or(0.0, |it| grads[it]))))
}

/// The curves of the roots, without labels, while a leaf moves along an axis. The grid is refined on the axis, so a curve
/// gets the most places where it bends in the picture.
pub fn sample_curves(roots: &[Rc<Node>], leaf: &Rc<Node>, axis: SampleAxis) -> Vec<Curve> {
    let mut sampler = Sampler::of(roots, leaf, axis);
    let mut rows = Vec::new();
    for place in axis.places(sampler.grid) {
        rows.push(sampler.row(place));
    }
    let scales: Vec<Scale> = (0..roots.len())
        .map(|curve| Scale::of(&rows, curve))
        .collect();
    for _ in 0..ROUNDS {
        let split = sampling::intervals_to_split(&rows, &scales);
        if split.is_empty() || rows.len() + split.len() > sampler.most {
            break;
        }
        rows = sampler.refine(rows, &split);
    }
    let (found, gaps) = sampler.search(&rows, &scales);
    rows.extend(found);
    for row in &mut rows {
        row.place = axis.data(row.place);
    }
    rows.sort_by(|one, other| one.place.total_cmp(&other.place));
    rows.dedup_by(|next, last| next.place <= last.place);
    let curve = |number: usize| {
        let own = gaps.iter().filter(|(curve, _)| *curve == number);
        let breaks = own.map(|(_, gap)| rows.partition_point(|row| row.place < axis.data(*gap)));
        let mut breaks: Vec<usize> = breaks.collect();
        breaks.sort_unstable();
        breaks.dedup();
        let points = rows.iter().map(|row| (row.place, row.values[number]));
        Curve {
            points: points.collect(),
            usual: (!breaks.is_empty()).then_some(scales[number].range),
            breaks,
            ..Curve::default()
        }
    };
    (0..roots.len()).map(curve).collect()
}

/// The curve of what is built anew for each place. One that has values at whole numbers alone is drawn as dots.
pub fn built_curve(axis: SampleAxis, mut value: impl FnMut(f64) -> f64) -> Curve {
    let even = axis.places(INTERVALS).into_iter();
    let even = even.map(|place| axis.data(place));
    let whole = |place: f64| place.round().clamp(axis.range.0, axis.range.1);
    let mut places: Vec<f64> = even.flat_map(|place| [place, whole(place)]).collect();
    places.sort_by(f64::total_cmp);
    places.dedup();
    let mut points = Vec::new();
    for place in places {
        stop::ask_now();
        points.push((place, value(place)));
    }
    let is_whole = |point: &(f64, f64)| point.0.fract() == 0.0;
    let dots = points.iter().all(|it| is_whole(it) || it.1.is_nan());
    points.retain(|it| !dots || is_whole(it));
    Curve {
        has_dots: dots,
        points,
        ..Curve::default()
    }
}

struct Sampler {
    axis: SampleAxis,
    /// The present value of each curve, and its plan with the leaf's slot if it depends on the leaf.
    sources: Vec<(f64, Option<(Plan, usize)>)>,
    /// The intervals of the first grid, and the most places of the finest.
    grid: usize,
    most: usize,
    /// How many more places the search for jumps may evaluate.
    tries: usize,
}

/// The result of a search: more samples, and the breaks, each as a curve and a place not joined to the one before.
type Refinement = (Vec<Sample>, Vec<(usize, f64)>);

impl Sampler {
    fn of(roots: &[Rc<Node>], leaf: &Rc<Node>, axis: SampleAxis) -> Sampler {
        let mut nodes = 1;
        let source = |root: &Rc<Node>| {
            let plan = Plan::of(root);
            let slot = plan.order().slot(leaf);
            nodes += slot.map_or(0, |_| plan.order().nodes().len());
            (root.data(), slot.map(|slot| (plan, slot)))
        };
        let sources = roots.iter().map(source).collect();
        let affordable = WORK / nodes;
        Sampler {
            axis,
            sources,
            grid: affordable.clamp(LEAST, INTERVALS),
            most: affordable.min(MOST_SAMPLES),
            tries: affordable.saturating_sub(MOST_SAMPLES),
        }
    }

    fn row(&mut self, place: f64) -> Sample {
        stop::ask_now();
        let data = self.axis.data(place);
        let sources = self.sources.iter_mut();
        let values = sources.map(|(value, moving)| match moving {
            None => *value,
            Some((plan, slot)) => {
                plan.set(*slot, data);
                plan.forward(None);
                plan.root_data()
            }
        });
        let values = values.collect();
        Sample { place, values }
    }

    /// The same samples with one more in the middle of each of these intervals.
    fn refine(&mut self, mut rows: Vec<Sample>, split: &[usize]) -> Vec<Sample> {
        for &at in split {
            if let Some(place) = sampling::middle(rows[at].place, rows[at + 1].place) {
                rows.push(self.row(place));
            }
        }
        rows.sort_by(|one, other| one.place.total_cmp(&other.place));
        rows
    }

    /// Searches for jumps, poles and the ends of where there are values.
    fn search(&mut self, rows: &[Sample], scales: &[Scale]) -> Refinement {
        let mut found = Refinement::default();
        for (curve, scale) in scales.iter().enumerate() {
            for pair in rows.windows(2) {
                if self.tries < HALVINGS || !scale.suspects(&pair[0], &pair[1], curve) {
                    continue;
                }
                if let Some(gap) = self.find_break((curve, scale), pair, &mut found.0) {
                    found.1.push((curve, gap));
                }
            }
            for three in rows.windows(3) {
                if self.tries < 2 * HALVINGS || !scale.peaks(three, curve) {
                    continue;
                }
                if let Some(top) = self.find_pole(curve, three, scale) {
                    found.1.push((curve, top.place));
                    found.0.push(top);
                }
            }
        }
        found
    }

    /// Bisects an interval towards what happens in it. At a jump or an end of values it returns the place after the
    /// break, and adds to `found` the places on both sides and those on the way where the curve was elsewhere. Returns
    /// `None` if the curve is only steep.
    fn find_break(
        &mut self,
        (curve, scale): (usize, &Scale),
        pair: &[Sample],
        found: &mut Vec<Sample>,
    ) -> Option<f64> {
        let [mut left, mut right] = [0, 1].map(|at| pair[at].clone());
        let apart =
            |left: &Sample, right: &Sample| (right.values[curve] - left.values[curve]).abs();
        let first = apart(&left, &right);
        let mut passed = Vec::new();
        for _ in 0..HALVINGS {
            let Some(place) = sampling::middle(left.place, right.place) else {
                break;
            };
            self.tries = self.tries.saturating_sub(1);
            let row = self.row(place);
            let finite = [&left, &row, &right].map(|row| row.values[curve].is_finite());
            if finite == [true, false, true] {
                found.extend([left, row, right]);
                return Some(place);
            }
            let go_left = match finite {
                [true, true, true] => apart(&left, &row) > apart(&row, &right),
                // The values begin or end on one side.
                [before, here, _] => before != here,
            };
            let side = if go_left { &mut right } else { &mut left };
            let last = std::mem::replace(side, row);
            if scale.bends(apart(&last, side)) {
                passed.push(last);
            }
            // A steep curve changes less and less as the interval shrinks.
            if finite == [true; 3] && apart(&left, &right) < 0.3 * first {
                return None;
            }
        }
        let gap = right.place;
        // A curve that jumps everywhere has no shape to show.
        let room = MOST_SAMPLES.saturating_sub(found.len());
        found.extend(passed.into_iter().take(room));
        found.extend([left, right]);
        Some(gap)
    }

    /// Searches for the top of a peak, and returns the highest place if the peak has none because it is a pole.
    fn find_pole(&mut self, curve: usize, three: &[Sample], scale: &Scale) -> Option<Sample> {
        let [mut left, mut top, mut right] = [0, 1, 2].map(|at| three[at].clone());
        let size = |row: &Sample| row.values[curve].abs();
        for _ in 0..HALVINGS {
            for on_left in [true, false] {
                let side = if on_left { left.place } else { right.place };
                let Some(place) = sampling::middle(side.min(top.place), side.max(top.place)) else {
                    continue;
                };
                self.tries = self.tries.saturating_sub(1);
                let row = self.row(place);
                if !row.values[curve].is_finite() {
                    return Some(row);
                }
                match (size(&row) > size(&top), on_left) {
                    (true, true) => right = std::mem::replace(&mut top, row),
                    (true, false) => left = std::mem::replace(&mut top, row),
                    (false, true) => left = row,
                    (false, false) => right = row,
                }
            }
        }
        (size(&top) > POLE * scale.spread).then_some(top)
    }
}

//! Samples expressions as curves over one leaf, for `:plot`. It works on plans, so nothing changes.
//!
//! Each expression becomes a plan once, and the plan runs for each place. `sampling` chooses the places, which are the
//! same for all curves. At a jump or a pole, bisection finds the place at which a curve breaks.

use std::rc::Rc;

use super::axis::SampleAxis;
use super::sampling::{self, Sample, Scale};
use chainrule_engine::graph::{Node, Order, Plan, gradients};
use chainrule_report::Curve;
use chainrule_stop as stop;

/// The most places of a plot: several for each pixel across.
pub(crate) const MOST_SAMPLES: usize = 4_096;
/// The intervals of the first grid.
const INTERVALS: usize = 500;
/// The fewest intervals, even for a large graph: a curve of fewer looks like a polygon.
const FEWEST_INTERVALS: usize = 64;
/// About the most evaluations of nodes for one plot. Large graphs get fewer places.
const MOST_EVALUATIONS: usize = 1 << 24;
/// The most refinements of the grid. Each halves intervals, so that the last ones are 64 times finer.
const MOST_REFINEMENTS: usize = 6;
/// The most halvings of an interval in the search for a jump or a pole: 48 lead to neighbouring numbers, or nearly.
const MOST_HALVINGS: usize = 48;
/// A peak that rises to this many times the usual range is a pole.
const POLE: f64 = 1e8;
/// A curve is only steep, and does not jump, if its change falls below this part while the interval shrinks.
const STEEP: f64 = 0.3;

/// Returns a root's data, and its derivatives with respect to leaves; `None` if it depends on none of them.
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

/// Returns the curves of the roots, without labels, while a leaf moves along an axis. The grid is refined on the axis, so a
/// curve gets the most places where it bends in the picture.
pub fn sample_curves(roots: &[Rc<Node>], leaf: &Rc<Node>, axis: SampleAxis) -> Vec<Curve> {
    let mut sampler = Sampler::of(roots, leaf, axis);
    let mut rows = Vec::new();
    for place in axis.places(sampler.intervals) {
        rows.push(sampler.row(place));
    }
    let scales: Vec<Scale> = (0..roots.len())
        .map(|curve| Scale::of(&rows, curve))
        .collect();
    for _ in 0..MOST_REFINEMENTS {
        let split = sampling::intervals_to_split(&rows, &scales);
        if split.is_empty() || rows.len() + split.len() > sampler.most_samples {
            break;
        }
        rows = sampler.refine(rows, &split);
    }
    let (samples, breaks) = sampler.find_breaks(&rows, &scales);
    rows.extend(samples);
    for row in &mut rows {
        row.place = axis.data(row.place);
    }
    rows.sort_by(|one, other| one.place.total_cmp(&other.place));
    rows.dedup_by(|next, last| next.place <= last.place);
    let mut curves = Vec::with_capacity(scales.len());
    for (curve, (scale, places)) in scales.iter().zip(breaks).enumerate() {
        let break_places = places.into_iter().map(|place| axis.data(place));
        curves.push(sampled_curve(&rows, curve, break_places, scale));
    }
    curves
}

/// Returns a curve through samples, which is interrupted before these places.
fn sampled_curve(
    rows: &[Sample],
    curve: usize,
    break_places: impl Iterator<Item = f64>,
    scale: &Scale,
) -> Curve {
    let first_after = |place: f64| rows.partition_point(|row| row.place < place);
    let mut breaks: Vec<usize> = break_places.map(first_after).collect();
    breaks.sort_unstable();
    breaks.dedup();
    let points = rows.iter().map(|row| (row.place, row.values[curve]));
    Curve {
        points: points.collect(),
        usual: (!breaks.is_empty()).then_some(scale.range),
        breaks,
        ..Curve::default()
    }
}

/// Returns the curve of an expression that is built anew for each place. One with values at whole numbers only is drawn as
/// dots.
pub fn built_curve(axis: SampleAxis, mut value: impl FnMut(f64) -> f64) -> Curve {
    let grid = axis.places(INTERVALS).into_iter();
    let numbers = grid.map(|place| axis.data(place));
    let nearest_whole = |number: f64| number.round().clamp(axis.range.0, axis.range.1);
    let with_whole = numbers.flat_map(|number| [number, nearest_whole(number)]);
    let mut places: Vec<f64> = with_whole.collect();
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

/// The expression of a curve.
enum CurveSource {
    /// It does not depend on the leaf.
    Constant(f64),
    /// A plan, and the slot of the leaf in it.
    Moving(Plan, usize),
}

struct Sampler {
    axis: SampleAxis,
    sources: Vec<CurveSource>,
    /// The intervals of the first grid.
    intervals: usize,
    /// The most places of the finest grid.
    most_samples: usize,
    /// The number of places that the search for breaks may still evaluate.
    tries: usize,
}

impl Sampler {
    fn of(roots: &[Rc<Node>], leaf: &Rc<Node>, axis: SampleAxis) -> Sampler {
        let mut node_count = 1;
        let mut sources = Vec::with_capacity(roots.len());
        for root in roots {
            let plan = Plan::of(root);
            sources.push(match plan.order().slot(leaf) {
                None => CurveSource::Constant(root.data()),
                Some(slot) => {
                    node_count += plan.order().nodes().len();
                    CurveSource::Moving(plan, slot)
                }
            });
        }
        let affordable = MOST_EVALUATIONS / node_count;
        Sampler {
            axis,
            sources,
            intervals: affordable.clamp(FEWEST_INTERVALS, INTERVALS),
            most_samples: affordable.min(MOST_SAMPLES),
            tries: affordable.saturating_sub(MOST_SAMPLES),
        }
    }

    /// Evaluates all curves at a place.
    fn row(&mut self, place: f64) -> Sample {
        stop::ask_now();
        let data = self.axis.data(place);
        let mut values = Vec::with_capacity(self.sources.len());
        for source in &mut self.sources {
            values.push(match source {
                CurveSource::Constant(value) => *value,
                CurveSource::Moving(plan, slot) => {
                    plan.set(*slot, data);
                    plan.forward(None);
                    plan.root_data()
                }
            });
        }
        Sample { place, values }
    }

    /// Adds a sample in the middle of each of these intervals.
    fn refine(&mut self, mut rows: Vec<Sample>, split: &[usize]) -> Vec<Sample> {
        for &at in split {
            if let Some(place) = sampling::middle(rows[at].place, rows[at + 1].place) {
                rows.push(self.row(place));
            }
        }
        rows.sort_by(|one, other| one.place.total_cmp(&other.place));
        rows
    }

    /// Searches for jumps, poles and the ends of stretches with values. Returns further samples, and for each curve the
    /// places that are not joined to those before them.
    fn find_breaks(&mut self, rows: &[Sample], scales: &[Scale]) -> (Vec<Sample>, Vec<Vec<f64>>) {
        let (mut samples, mut breaks) = (Vec::new(), vec![Vec::new(); scales.len()]);
        for (curve, scale) in scales.iter().enumerate() {
            for pair in rows.windows(2) {
                if self.tries >= MOST_HALVINGS && scale.may_jump(&pair[0], &pair[1], curve) {
                    breaks[curve].extend(self.find_jump(curve, scale, pair, &mut samples));
                }
            }
            for three in rows.windows(3) {
                if self.tries >= 2 * MOST_HALVINGS
                    && scale.may_have_pole(three, curve)
                    && let Some(top) = self.find_pole(curve, three, scale)
                {
                    breaks[curve].push(top.place);
                    samples.push(top);
                }
            }
        }
        (samples, breaks)
    }

    /// Bisects an interval towards a jump, or towards the place where values begin or end. Returns the place after the
    /// break, and adds to `found` the samples on both sides of it, and those on the way where the curve was elsewhere.
    /// Returns `None` if the curve is only steep.
    fn find_jump(
        &mut self,
        curve: usize,
        scale: &Scale,
        pair: &[Sample],
        found: &mut Vec<Sample>,
    ) -> Option<f64> {
        let [mut left, mut right] = [0, 1].map(|at| pair[at].clone());
        let change = |one: &Sample, other: &Sample| (other.values[curve] - one.values[curve]).abs();
        let first_change = change(&left, &right);
        let mut passed = Vec::new();
        for _ in 0..MOST_HALVINGS {
            let Some(place) = sampling::middle(left.place, right.place) else {
                break;
            };
            self.tries = self.tries.saturating_sub(1);
            let row = self.row(place);
            let are_finite = [&left, &row, &right].map(|row| row.values[curve].is_finite());
            if are_finite == [true, false, true] {
                found.extend([left, row, right]);
                return Some(place);
            }
            let is_on_left = match are_finite {
                [true, true, true] => change(&left, &row) > change(&row, &right),
                // The values begin or end on one side.
                [before, here, _] => before != here,
            };
            let side = if is_on_left { &mut right } else { &mut left };
            let last = std::mem::replace(side, row);
            if scale.is_visible(change(&last, side)) {
                passed.push(last);
            }
            // A steep curve changes less and less as the interval shrinks.
            if are_finite == [true; 3] && change(&left, &right) < STEEP * first_change {
                return None;
            }
        }
        let place_after = right.place;
        // A curve that jumps everywhere has no shape to show.
        let room = MOST_SAMPLES.saturating_sub(found.len());
        found.extend(passed.into_iter().take(room));
        found.extend([left, right]);
        Some(place_after)
    }

    /// Searches for the top of a peak, and returns the highest place if the peak has none because it is a pole.
    fn find_pole(&mut self, curve: usize, three: &[Sample], scale: &Scale) -> Option<Sample> {
        let [mut left, mut top, mut right] = [0, 1, 2].map(|at| three[at].clone());
        let size = |row: &Sample| row.values[curve].abs();
        for _ in 0..MOST_HALVINGS {
            for is_on_left in [true, false] {
                let side = if is_on_left { left.place } else { right.place };
                let Some(place) = sampling::middle(side.min(top.place), side.max(top.place)) else {
                    continue;
                };
                self.tries = self.tries.saturating_sub(1);
                let row = self.row(place);
                if !row.values[curve].is_finite() {
                    return Some(row);
                }
                match (size(&row) > size(&top), is_on_left) {
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

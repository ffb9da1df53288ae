//! Samples expressions as curves over one leaf, for `:plot`, and finds the places at which a curve breaks.
//!
//! Each expression becomes a plan once, and the plan runs for each place; the graph does not change. All curves are sampled
//! at the same places: those of a regular grid whose intervals are halved at bends. Bisection finds jumps and poles.
//! Thresholds are relative to a curve's usual range of values, which leaves out poles.

use std::rc::Rc;

use super::{MOST_EVALUATIONS, SampleAxis};
use chainrule_engine::graph::{Node, Order, Plan, gradients};
use chainrule_report::{Curve, usual_range};
use chainrule_stop as stop;

/// The most places of a plot: several for each pixel across.
pub(crate) const MOST_SAMPLES: usize = 4_096;
/// The intervals of the first grid.
const INTERVALS: usize = 500;
/// The fewest intervals of the first grid, even for a large graph: a curve of fewer looks like a polygon.
const FEWEST_INTERVALS: usize = 64;
/// The most refinements of the grid. Each halves intervals, so that the last ones are 64 times finer.
const MOST_REFINEMENTS: usize = 6;
/// The most halvings of an interval in the search for a jump or a pole: 48 lead to neighbouring numbers, or nearly.
const MOST_HALVINGS: usize = 48;
/// A peak that rises to this many times the usual range is a pole.
const POLE_RANGES: f64 = 1e8;
/// A curve is steep, and does not jump, if its change falls below this fraction of the first change while the interval
/// shrinks.
const STEEP_FRACTION: f64 = 0.3;

/// Returns a root's data, and its derivatives with respect to leaves; `None` if the root depends on none of the leaves.
pub(crate) fn gradient<const LEAVES: usize>(
    root: &Rc<Node>,
    leaves: [&Rc<Node>; LEAVES],
) -> Option<(f64, [f64; LEAVES])> {
    let order = Order::below([root]);
    let slots = leaves.map(|leaf| order.slot(leaf));
    if slots == [None; LEAVES] {
        return None;
    }
    let grads = gradients(&order, root, |_| {});
    let slopes = slots.map(|slot| slot.map_or(0.0, |slot| grads[slot]));
    Some((root.data(), slopes))
}

/// Returns the curves of the roots, without labels, while a leaf, or a computed node as if it were one, moves along an
/// axis. The grid is refined on the axis, so a curve gets the most places where it bends in the picture.
pub(crate) fn sample_curves(roots: &[Rc<Node>], leaf: &Rc<Node>, axis: SampleAxis) -> Vec<Curve> {
    let mut sampler = Sampler::of(roots, leaf, axis);
    let grid = axis.places(sampler.intervals).into_iter();
    let mut rows: Vec<Sample> = grid.map(|place| sampler.row(place)).collect();
    let scale = |curve: usize| CurveScale::of(&rows, curve);
    let scales: Vec<CurveScale> = (0..roots.len()).map(scale).collect();
    for _ in 0..MOST_REFINEMENTS {
        let split = intervals_to_split(&rows, &scales);
        if split.is_empty() || rows.len() + split.len() > sampler.most_samples {
            break;
        }
        // The middle of each interval, which is given by its left sample.
        for left in split {
            if let Some(place) = middle(rows[left].place, rows[left + 1].place) {
                rows.push(sampler.row(place));
            }
        }
        rows.sort_by(|one, other| one.place.total_cmp(&other.place));
    }
    let break_places = sampler.add_breaks(&mut rows, &scales);
    for row in &mut rows {
        row.place = axis.number_at(row.place);
    }
    rows.sort_by(|one, other| one.place.total_cmp(&other.place));
    // Different places may round to the same number on a logarithmic axis.
    rows.dedup_by(|next, last| next.place <= last.place);
    let curves = scales.iter().zip(&break_places).enumerate();
    curves
        .map(|(curve, (range, places))| sampled_curve(&rows, curve, places, range))
        .collect()
}

/// Returns the curve with this index through all samples. It is interrupted before the first sample at or after each of
/// these places.
fn sampled_curve(rows: &[Sample], curve: usize, break_places: &[f64], scale: &CurveScale) -> Curve {
    let index_at = |place: &f64| rows.partition_point(|row| row.place < *place);
    let mut breaks: Vec<usize> = break_places.iter().map(index_at).collect();
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

/// Returns the curve of an expression that `value` builds again for each place, because the expression takes decisions by
/// the leaf. A curve whose values are all at whole numbers is drawn as dots.
pub(crate) fn built_curve(axis: SampleAxis, mut value: impl FnMut(f64) -> f64) -> Curve {
    let grid = axis.places(INTERVALS).into_iter();
    let numbers = grid.map(|place| axis.number_at(place));
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
    let has_dots = points.iter().all(|it| is_whole(it) || it.1.is_nan());
    points.retain(|it| !has_dots || is_whole(it));
    Curve {
        has_dots,
        points,
        ..Curve::default()
    }
}

/// The expression of a curve.
enum CurveSource {
    /// The value of an expression that does not depend on the leaf.
    Constant(f64),
    /// The plan of an expression, and the slot of the leaf in the plan.
    Moving { plan: Plan, slot: usize },
}

/// A place at which a curve jumps, begins or ends.
struct Jump {
    /// The samples on both sides of the break. The second one is the first after it.
    sides: Vec<Sample>,
    /// The samples on the way to it that differ visibly from those.
    passed: Vec<Sample>,
}

/// Evaluates the curves at places.
struct Sampler {
    axis: SampleAxis,
    sources: Vec<CurveSource>,
    /// The intervals of the first grid.
    intervals: usize,
    /// The most places of the finest grid.
    most_samples: usize,
    /// The number of places that the search for breaks may still evaluate.
    remaining_evaluations: usize,
}

impl Sampler {
    fn of(roots: &[Rc<Node>], leaf: &Rc<Node>, axis: SampleAxis) -> Sampler {
        // At least 1, because constants have no nodes to evaluate.
        let mut node_count = 1;
        let mut sources = Vec::with_capacity(roots.len());
        for root in roots {
            let plan = Plan::of(root);
            if let Some(slot) = plan.order().slot(leaf) {
                node_count += plan.order().nodes().len();
                sources.push(CurveSource::Moving { plan, slot });
            } else {
                sources.push(CurveSource::Constant(root.data()));
            }
        }
        let affordable = MOST_EVALUATIONS / node_count;
        Sampler {
            axis,
            sources,
            intervals: affordable.clamp(FEWEST_INTERVALS, INTERVALS),
            most_samples: affordable.min(MOST_SAMPLES),
            remaining_evaluations: affordable.saturating_sub(MOST_SAMPLES),
        }
    }

    /// Evaluates all curves at a place.
    fn row(&mut self, place: f64) -> Sample {
        stop::ask_now();
        let data = self.axis.number_at(place);
        let mut values = Vec::with_capacity(self.sources.len());
        for source in &mut self.sources {
            values.push(match source {
                CurveSource::Constant(value) => *value,
                CurveSource::Moving { plan, slot } => {
                    plan.set(*slot, data);
                    plan.forward(Some(*slot));
                    plan.root_data()
                }
            });
        }
        Sample { place, values }
    }

    /// Searches for jumps, poles and the ends of stretches with values, and adds samples there. Returns for each curve the
    /// numbers that are not joined to the number before them.
    fn add_breaks(&mut self, rows: &mut Vec<Sample>, scales: &[CurveScale]) -> Vec<Vec<f64>> {
        let (mut samples, mut places) = (Vec::new(), vec![Vec::new(); scales.len()]);
        for (curve, scale) in scales.iter().enumerate() {
            for pair in rows.windows(2) {
                if self.remaining_evaluations >= MOST_HALVINGS
                    && scale.may_jump(&pair[0], &pair[1], curve)
                    && let Some(jump) = self.find_jump(curve, scale, pair)
                {
                    places[curve].push(self.axis.number_at(jump.sides[1].place));
                    // A curve that jumps everywhere has no shape to show, and its samples would fill the memory.
                    let room = MOST_SAMPLES.saturating_sub(samples.len());
                    samples.extend(jump.passed.into_iter().take(room));
                    samples.extend(jump.sides);
                }
            }
            for three in rows.windows(3) {
                // A halving of the search for a pole evaluates one place on each side.
                if self.remaining_evaluations >= 2 * MOST_HALVINGS
                    && scale.may_have_pole(three, curve)
                    && let Some(top) = self.find_pole(curve, three, scale)
                {
                    places[curve].push(self.axis.number_at(top.place));
                    samples.push(top);
                }
            }
        }
        rows.extend(samples);
        places
    }

    /// Bisects an interval towards a jump, or towards the place where values begin or end. Returns `None` if the curve is
    /// steep and does not jump.
    fn find_jump(&mut self, curve: usize, scale: &CurveScale, pair: &[Sample]) -> Option<Jump> {
        let (mut left, mut right) = (pair[0].clone(), pair[1].clone());
        let change = |one: &Sample, other: &Sample| (other.values[curve] - one.values[curve]).abs();
        let first_change = change(&left, &right);
        let mut passed = Vec::new();
        for _ in 0..MOST_HALVINGS {
            let Some(place) = middle(left.place, right.place) else {
                break;
            };
            self.remaining_evaluations = self.remaining_evaluations.saturating_sub(1);
            let row = self.row(place);
            let are_finite = [&left, &row, &right].map(|row| row.values[curve].is_finite());
            if are_finite == [true, false, true] {
                passed.clear();
                let sides = vec![left, row, right];
                return Some(Jump { sides, passed });
            }
            let is_on_left = match are_finite {
                // The break is where the values change more.
                [true, true, true] => change(&left, &row) > change(&row, &right),
                // The break is where the values begin or end.
                [before, here, _] => before != here,
            };
            let side = if is_on_left { &mut right } else { &mut left };
            let last = std::mem::replace(side, row);
            if scale.is_visible(change(&last, side)) {
                passed.push(last);
            }
            // A steep curve changes less and less as the interval shrinks.
            if are_finite == [true; 3] && change(&left, &right) < STEEP_FRACTION * first_change {
                return None;
            }
        }
        let sides = vec![left, right];
        Some(Jump { sides, passed })
    }

    /// Searches for the top of a peak, and returns the highest place if the peak has none because it is a pole.
    fn find_pole(&mut self, curve: usize, three: &[Sample], scale: &CurveScale) -> Option<Sample> {
        let mut top = three[1].clone();
        let mut sides = [three[0].clone(), three[2].clone()];
        let size = |row: &Sample| row.values[curve].abs();
        for _ in 0..MOST_HALVINGS {
            for side in [0, 1] {
                let end = sides[side].place;
                let Some(place) = middle(end.min(top.place), end.max(top.place)) else {
                    continue;
                };
                self.remaining_evaluations = self.remaining_evaluations.saturating_sub(1);
                let row = self.row(place);
                if !row.values[curve].is_finite() {
                    return Some(row);
                }
                if size(&row) > size(&top) {
                    // The top before lies between the new top and the other side.
                    sides[1 - side] = std::mem::replace(&mut top, row);
                } else {
                    sides[side] = row;
                }
            }
        }
        (size(&top) > POLE_RANGES * scale.spread).then_some(top)
    }
}

/// A bend of more than this fraction of the usual range is refined: in a picture of some 400 pixels, half a pixel.
const VISIBLE_CHANGE: f64 = 1.0 / 800.0;
/// A change of more than this fraction of the usual range between neighbours may be a jump: between one and two pixels.
const JUMP_CHANGE: f64 = 1.0 / 250.0;
/// A bend this many ranges away from the usual range is not refined, because the picture cuts it off.
const FAR_RANGES: f64 = 20.0;

/// The values of all curves at a place.
#[derive(Clone, Debug)]
struct Sample {
    /// The place on the axis.
    pub place: f64,
    /// The value of each curve.
    pub values: Vec<f64>,
}

/// The usual range of a curve's values.
#[derive(Clone, Copy, Debug)]
struct CurveScale {
    /// The lower and the upper end.
    pub(crate) range: (f64, f64),
    /// The distance between them.
    pub spread: f64,
}

impl CurveScale {
    /// Returns the usual range of a curve on a regular grid. The range of a curve without finite values is 0 to 0.
    fn of(rows: &[Sample], curve: usize) -> CurveScale {
        let values = rows.iter().map(|row| row.values[curve]);
        let range = usual_range(values).unwrap_or_default();
        let spread = range.1 - range.0;
        CurveScale { range, spread }
    }

    /// Returns whether the curve may jump, or its values begin or end, between two neighbours.
    fn may_jump(&self, left: &Sample, right: &Sample, curve: usize) -> bool {
        let [before, after] = [left, right].map(|sample| sample.values[curve]);
        match (before.is_finite(), after.is_finite()) {
            (true, true) => (after - before).abs() > JUMP_CHANGE * self.spread,
            (has_left, has_right) => has_left != has_right,
        }
    }

    /// Returns whether there may be a pole at the middle one of three samples: its value is more than one range away
    /// from the usual range, and farther from 0 than the values of its neighbours, which have the same sign.
    fn may_have_pole(&self, three: &[Sample], curve: usize) -> bool {
        let [left, top, right] = [0, 1, 2].map(|at| three[at].values[curve]);
        let are_finite = left.is_finite() && top.is_finite() && right.is_finite();
        // Of two equal values the right one is the peak, so that a pole is not found twice.
        let is_peak = top.abs() >= left.abs() && top.abs() > right.abs();
        let have_one_sign = left.signum() == top.signum() && right.signum() == top.signum();
        are_finite && is_peak && have_one_sign && self.ranges_away(top) > 1.0
    }

    /// Returns whether a change can be seen in the picture.
    fn is_visible(&self, change: f64) -> bool {
        change > VISIBLE_CHANGE * self.spread && change.is_finite()
    }

    /// Returns the distance of a value from the usual range, in units of the range. It is negative within the range.
    fn ranges_away(&self, value: f64) -> f64 {
        let fraction = (value - self.range.0) / self.spread;
        (-fraction).max(fraction - 1.0)
    }
}

/// Returns the intervals to halve: those on both sides of a bend of some curve. Interval 0 begins at the first sample.
fn intervals_to_split(rows: &[Sample], scales: &[CurveScale]) -> Vec<usize> {
    let mut must_split = vec![false; rows.len()];
    for (left, three) in rows.windows(3).enumerate() {
        let bends = |(curve, scale): (usize, &CurveScale)| has_visible_bend(three, curve, scale);
        if scales.iter().enumerate().any(bends) {
            must_split[left] = true;
            must_split[left + 1] = true;
        }
    }
    (0..rows.len()).filter(|left| must_split[*left]).collect()
}

/// Returns whether a curve bends visibly at the middle one of three samples, and is not far outside of the picture.
fn has_visible_bend(three: &[Sample], curve: usize, scale: &CurveScale) -> bool {
    let fraction = (three[1].place - three[0].place) / (three[2].place - three[0].place);
    let values = [0, 1, 2].map(|at| three[at].values[curve]);
    let [left, middle, right] = values;
    let on_line = left * (1.0 - fraction) + right * fraction;
    let is_near = |value: &f64| scale.ranges_away(*value) < FAR_RANGES;
    values.iter().any(is_near) && scale.is_visible((middle - on_line).abs())
}

/// Returns the number halfway between two, or `None` if they are neighbouring doubles.
fn middle(left: f64, right: f64) -> Option<f64> {
    // The sum of both may overflow.
    let middle = left / 2.0 + right / 2.0;
    (left < middle && middle < right).then_some(middle)
}

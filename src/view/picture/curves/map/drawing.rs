//! A map in the making: where its numbers are in a picture for files, and where no number may stand on a line.
//!
//! What is drawn there is not known here.

use super::{ContourField, MapLevels};
use crate::report::{MapAxis, PlotMap, PresentPoint};
use crate::view::picture::curves::window::{PlotArea, Window, inside, logarithm};
use crate::view::picture::shapes::PathStep;

/// How long the arrow downhill is.
const ARROW: f64 = 64.0;
/// Numbers keep away from at most so many points.
const MOST_AVOIDED: usize = 500;

pub(super) struct MapDrawing<'m> {
    pub map: &'m PlotMap,
    pub levels: &'m MapLevels,
    pub field: ContourField,
    pub window: &'m Window,
    pub room: &'m PlotArea,
}

impl MapDrawing<'_> {
    /// Points where the axes have them.
    pub(super) fn on_axes(&self, points: &[(f64, f64)]) -> Vec<(f64, f64)> {
        let map = self.map;
        let place = |&(x, y): &(f64, f64)| (on_axis(&map.across, x), on_axis(&map.up, y));
        points.iter().map(place).collect()
    }

    /// Where no number may stand: around the present point and its arrow, on the path and on points of data.
    pub(super) fn reserved(&self) -> Vec<[f64; 4]> {
        let around = |(x, y): (f64, f64), size: f64| [x - size, y - size, 2.0 * size, 2.0 * size];
        let point = self.present_place().map(|(_, place)| around(place, 14.0));
        let tip = self.arrow().map(|[_, place]| around(place, 10.0));
        let points = self.map.series.iter().map(|series| &series.points);
        let points = points.chain([&self.map.path]).flat_map(|points| {
            let places = self.window.places(&self.on_axes(points));
            places.into_iter().filter(|place| inside(*place))
        });
        let points = points.take(MOST_AVOIDED);
        let points = points.map(|place| around(self.room.place(place), 4.0));
        point.into_iter().chain(tip).chain(points).collect()
    }

    /// A place for a number on a line: where the line is straight, within the map, and no other number is near.
    pub(super) fn spot(
        &self,
        line: &[(f64, f64)],
        (wide, high): (f64, f64),
        taken: &[[f64; 4]],
    ) -> Option<[f64; 4]> {
        let room = self.room;
        let candidates = line.iter().enumerate().filter_map(|(at, &(x, y))| {
            let spot = [x - wide / 2.0, y - high / 2.0, wide, high];
            let fits = spot[0] > room.left + 2.0
                && spot[0] + wide < room.left + room.width - 2.0
                && spot[1] > room.top + 2.0
                && spot[1] + high < room.top + room.height - 2.0;
            let free = taken.iter().all(|other| {
                spot[0] > other[0] + other[2] + 6.0
                    || other[0] > spot[0] + wide + 6.0
                    || spot[1] > other[1] + other[3] + 4.0
                    || other[1] > spot[1] + high + 4.0
            });
            if !(fits && free) {
                return None;
            }
            // How far the line leads from one side of the number to the other, of how long it is there.
            let (before, after) = (at.saturating_sub(3), (at + 3).min(line.len() - 1));
            let (one, other) = (line[before], line[after]);
            let direct = (one.0 - other.0).hypot(one.1 - other.1);
            let bend = length(&line[before..=after]) / direct.max(1e-9);
            let middle = (at as f64 / line.len() as f64 - 0.5).abs();
            Some((bend + 0.2 * middle, spot))
        });
        let best = candidates.min_by(|one, other| one.0.total_cmp(&other.0));
        best.map(|(_, spot)| spot)
    }

    /// The present point in the picture, if it is there.
    pub(super) fn present_place(&self) -> Option<(&PresentPoint, (f64, f64))> {
        let present = self.map.present.as_ref()?;
        let (x, y) = present.at;
        let place = (on_axis(&self.map.across, x), on_axis(&self.map.up, y));
        let place = self.window.place(place);
        inside(place).then(|| (present, self.room.place(place)))
    }

    /// The arrow downhill, from the present point.
    pub(super) fn arrow(&self) -> Option<[(f64, f64); 2]> {
        let (present, from) = self.present_place()?;
        let (right, up) = downhill(self.map, present);
        let (dx, dy) = (right * self.room.width, -up * self.room.height);
        // Divided by the larger one first: squares of small gradients vanish.
        let size = dx.abs().max(dy.abs());
        let length = (dx / size).hypot(dy / size);
        let (dx, dy) = (dx / size / length, dy / size / length);
        if !(dx.is_finite() && dy.is_finite()) {
            return None;
        }
        let room = self.room;
        let until = |from: f64, by: f64, low: f64, wide: f64| {
            let end = if by > 0.0 { low + wide } else { low };
            if by == 0.0 { ARROW } else { (end - from) / by }
        };
        let long = ARROW
            .min(until(from.0, dx, room.left, room.width))
            .min(until(from.1, dy, room.top, room.height));
        (long > 16.0).then_some([from, (from.0 + long * dx, from.1 + long * dy)])
    }
}

/// The part of the plane that a map shows, in logarithms where an axis has them.
pub(super) fn window(map: &PlotMap) -> Window {
    let ends = |axis: &MapAxis| {
        let (from, to) = axis.range;
        (on_axis(axis, from), on_axis(axis, to))
    };
    Window {
        across: ends(&map.across),
        up: ends(&map.up),
    }
}

/// A number as a place of an axis.
pub(super) fn on_axis(axis: &MapAxis, number: f64) -> f64 {
    if axis.logarithmic {
        logarithm(number)
    } else {
        number
    }
}

/// How far a small step against the gradient leads, in parts of width and height; its length means nothing.
pub(super) fn downhill(map: &PlotMap, present: &PresentPoint) -> (f64, f64) {
    let along = |axis: &MapAxis, at: f64, slope: f64| {
        let (from, to) = (on_axis(axis, axis.range.0), on_axis(axis, axis.range.1));
        let scale = if axis.logarithmic { at } else { 1.0 };
        -slope / scale / (to - from)
    };
    (
        along(&map.across, present.at.0, present.grad.0),
        along(&map.up, present.at.1, present.grad.1),
    )
}

pub(super) fn steps_of(line: &[(f64, f64)]) -> Vec<PathStep> {
    let step = |(at, &(x, y)): (usize, &(f64, f64))| {
        if at == 0 {
            PathStep::Move(x, y)
        } else {
            PathStep::Line(x, y)
        }
    };
    line.iter().enumerate().map(step).collect()
}

pub(super) fn length(line: &[(f64, f64)]) -> f64 {
    let pairs = line.windows(2);
    pairs
        .map(|two| (two[0].0 - two[1].0).hypot(two[0].1 - two[1].1))
        .sum()
}

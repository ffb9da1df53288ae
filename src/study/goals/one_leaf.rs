//! Solving one equation with one leaf: Newton's method, kept between two values as soon as the sides differ to opposite
//! directions at them.
//!
//! Where Newton's steps get stuck, values at growing distances are tried. Without a solution the search ends where the
//! sides come closest.

use super::equations::{Equations, MOST_PASSES, Solution, SolutionEnd, Start};
use super::least_squares::Residuals;

/// A point of a single leaf, with the difference of the sides there and its slope.
#[derive(Clone, Copy, Debug)]
struct Probe {
    x: f64,
    off: f64,
    slope: f64,
}

impl Probe {
    fn is_on_other_side_of(&self, other: &Probe) -> bool {
        self.off.signum() != other.off.signum()
    }
}

/// A search.
struct OneLeaf<'s> {
    system: &'s mut Equations,
    passes: u64,
    /// The nearest point so far.
    nearest: Probe,
    /// Where the next step begins.
    here: Probe,
    /// Two points on both sides, if some were found, the nearer one first.
    bracket: Option<[Probe; 2]>,
    /// How often the bracket has become smaller by less than half since the last time it did.
    slow: u32,
    /// A step led to where something is not finite.
    went_out: bool,
}

pub(super) fn one(
    system: &mut Equations,
    from: &Start,
    start: f64,
    watch: &mut impl FnMut(u64, f64) -> bool,
) -> Solution {
    let mut search = OneLeaf::at(system, start);
    let mut looked_around = false;
    let end = loop {
        if search.here.off == 0.0 {
            break SolutionEnd::Solved;
        }
        if !watch(search.passes, search.nearest.off.abs()) {
            break SolutionEnd::Stopped;
        }
        let moves = match search.bracket {
            _ if search.passes >= MOST_PASSES => false,
            Some(bracket) => search.narrow(bracket),
            None => {
                search.descend()
                    || !std::mem::replace(&mut looked_around, true) && search.look_around(start)
            }
        };
        if !moves {
            break search.end(from);
        }
    };
    if end == SolutionEnd::NotFound {
        search.settle(start);
    }
    let (point, passes) = (vec![search.nearest.x], search.passes);
    system.values(&point);
    Solution {
        sides: system.pairs(),
        point,
        passes,
        end,
    }
}

impl<'s> OneLeaf<'s> {
    fn at(system: &'s mut Equations, start: f64) -> OneLeaf<'s> {
        let off = system.values(&[start])[0];
        let here = Probe {
            x: start,
            off,
            slope: system.rows()[0],
        };
        OneLeaf {
            system,
            passes: 1,
            nearest: here,
            here,
            bracket: None,
            slow: 0,
            went_out: false,
        }
    }

    /// The difference at a point, if both sides are finite there.
    fn off(&mut self, x: f64) -> Option<f64> {
        let off = self.system.values(&[x])[0];
        self.went_out |= !self.system.finite;
        self.system.finite.then_some(off)
    }

    /// The point at which `off` was asked for last.
    fn point(&mut self, x: f64, off: f64) -> Probe {
        self.passes += 1;
        let point = Probe {
            x,
            off,
            slope: self.system.rows()[0],
        };
        if off.abs() < self.nearest.off.abs() {
            self.nearest = point;
        }
        point
    }

    /// Newton's step from here, halved until the difference falls or changes its sign.
    fn descend(&mut self) -> bool {
        let from = self.here;
        let mut step = from.off / from.slope;
        while step.is_finite() && from.x - step != from.x {
            let x = from.x - step;
            if let Some(off) = self.off(x)
                && (off.abs() < from.off.abs() || off.signum() != from.off.signum())
            {
                let to = self.point(x, off);
                self.take(from, to);
                return true;
            }
            step /= 2.0;
        }
        false
    }

    /// Continues from `to`, between it and `from` if they are on both sides.
    fn take(&mut self, from: Probe, to: Probe) {
        let [near, far] = if to.off.abs() < from.off.abs() {
            [to, from]
        } else {
            [from, to]
        };
        self.here = near;
        self.bracket = to.is_on_other_side_of(&from).then_some([near, far]);
    }

    /// Newton's step within the bracket; its middle if the step leaves it or the bracket shrinks slowly.
    fn narrow(&mut self, [near, far]: [Probe; 2]) -> bool {
        let middle = middle(near.x, far.x);
        let newton = near.x - near.off / near.slope;
        let (least, most) = (near.x.min(far.x), near.x.max(far.x));
        let inside = |x: f64| least < x && x < most;
        let x = if inside(newton) && self.slow < 2 {
            newton
        } else {
            middle
        };
        if !inside(x) {
            // The two points are neighbours. At a pole the difference changes its sign without being 0 anywhere.
            return near.off.abs() > self.nearest.off.abs() && {
                (self.here, self.bracket) = (self.nearest, None);
                true
            };
        }
        let Some(off) = self.off(x) else { return false };
        let to = self.point(x, off);
        let other = if to.is_on_other_side_of(&near) {
            near
        } else {
            far
        };
        self.slow = if (to.x - other.x).abs() > (most - least) / 2.0 {
            self.slow + 1
        } else {
            0
        };
        if off == 0.0 {
            self.here = to;
            return true;
        }
        self.take(other, to);
        true
    }

    /// Looks for a point on the other side, or for one that is clearly nearer, at ever larger distances.
    fn look_around(&mut self, start: f64) -> bool {
        let from = self.here;
        let mut distance = 1e-3 * from.x.abs().max(start.abs()).max(1.0);
        let mut ends = [from.x, from.x];
        let mut nearest = None;
        for _ in 0..DISTANCES {
            for (end, sign) in ends.iter_mut().zip([1.0, -1.0]) {
                let x = from.x + sign * distance;
                let Some(off) = self.off(x) else { continue };
                if off.signum() != from.off.signum() {
                    let beyond = self.point(x, off);
                    let Some(off) = self.off(*end) else {
                        return false;
                    };
                    let before = self.point(*end, off);
                    self.take(before, beyond);
                    return true;
                }
                *end = x;
                if off.abs() < 0.9 * nearest.map_or(from.off, |(_, off): (f64, f64)| off).abs() {
                    nearest = Some((x, off));
                }
            }
            distance *= 2.0;
        }
        let Some((x, _)) = nearest else { return false };
        if let Some(off) = self.off(x) {
            self.here = self.point(x, off);
        }
        true
    }

    /// How a search ends that cannot go on.
    fn end(&mut self, from: &Start) -> SolutionEnd {
        let Probe { x, off, slope } = self.nearest;
        self.off(x);
        if self
            .system
            .is_solved(from, &[x], || slope.is_finite().then(|| vec![off / slope]))
        {
            SolutionEnd::Solved
        } else if self.went_out && self.bracket.is_none() {
            SolutionEnd::Undefined
        } else {
            SolutionEnd::NotFound
        }
    }

    /// Moves to where the difference is least, if its slope changes sign close to the nearest point.
    fn settle(&mut self, start: f64) {
        let nearest = self.nearest;
        let around = 1e-3 * nearest.x.abs().max(start.abs()).max(1e-3);
        let (mut low, mut high) = (nearest.x - around, nearest.x + around);
        // How the distance of the sides changes to the right.
        let mut rises = |x: f64| {
            let off = self.off(x)?;
            Some(self.system.rows()[0] * off.signum() > 0.0)
        };
        if (rises(low), rises(high)) != (Some(false), Some(true)) {
            return;
        }
        for _ in 0..HALVINGS {
            let middle = low + (high - low) / 2.0;
            match rises(middle) {
                Some(true) => high = middle,
                Some(false) => low = middle,
                None => return,
            }
        }
        let round = if low.abs() < 1e-9 * around { 0.0 } else { low };
        if let Some(off) = self.off(round)
            && off.abs() <= nearest.off.abs()
        {
            self.nearest = self.point(round, off);
        }
    }
}

/// The middle between two numbers. If they are of very different sizes it is the one that has as many doubles on each
/// side.
fn middle(one: f64, other: f64) -> f64 {
    if (one - other).abs() < 1e3 * one.abs().min(other.abs()).max(1.0) {
        return one + (other - one) / 2.0;
    }
    let place = |x: f64| {
        if x < 0.0 {
            -(x.abs().to_bits() as i64)
        } else {
            x.to_bits() as i64
        }
    };
    let middle = i64::midpoint(place(one), place(other));
    let size = f64::from_bits(middle.unsigned_abs());
    if middle < 0 { -size } else { size }
}

/// How often the way to the nearest point is halved: until the numbers have no digits left.
const HALVINGS: u32 = 64;
/// How many distances are tried, each twice the one before.
const DISTANCES: u32 = 40;

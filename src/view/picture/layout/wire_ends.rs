//! Where the wires of the points of a rank end, and what that says of their order.
//!
//! `crossings` decides which points move; here is counted what a move changes.

use super::layers::Layers;

/// Where a wire ends: the place of a point, and which of its operands the wire brings.
type WireEnd = (usize, usize);

/// Where the wires of the points of a rank end, on either side in order.
#[derive(Default)]
pub(super) struct WireEnds {
    all: Vec<WireEnd>,
    /// For each point, where its ends on the left begin in `all`, where those on the right do, and where they are over.
    pub(super) bounds: Vec<[usize; 3]>,
}

impl WireEnds {
    /// The ends of one point on the left and on the right.
    pub(super) fn of(&self, place: usize) -> [&[WireEnd]; 2] {
        let [left, right, over] = self.bounds[place];
        [&self.all[left..right], &self.all[right..over]]
    }
}

impl Layers {
    /// Where the wires of these points end.
    pub(super) fn ends(&self, points: &[usize]) -> WireEnds {
        let mut ends = WireEnds::default();
        let WireEnds { all, bounds } = &mut ends;
        for &point in points {
            let point = &self.points[point];
            let left = all.len();
            all.extend(point.left.iter().map(|&from| (self.places[from], 0)));
            let right = all.len();
            let users = point.right.iter();
            all.extend(users.map(|&(to, position)| (self.places[to], position)));
            all[left..right].sort_unstable();
            all[right..].sort_unstable();
            bounds.push([left, right, all.len()]);
        }
        ends
    }
}

/// How many crossings more the wires of two adjacent points have when the points change places.
pub(super) fn change_by_swap(above: [&[WireEnd]; 2], below: [&[WireEnd]; 2]) -> isize {
    let side = |above: &[WireEnd], below: &[WireEnd]| {
        // The ends below that stand before the present end above, and those not behind it.
        let (mut before, mut not_behind) = (0, 0);
        let mut change = 0;
        for end in above {
            while below.get(before).is_some_and(|below| below < end) {
                before += 1;
            }
            not_behind = before.max(not_behind);
            while below.get(not_behind).is_some_and(|below| below <= end) {
                not_behind += 1;
            }
            change += (below.len() - not_behind) as isize - before as isize;
        }
        change
    };
    side(above[0], below[0]) + side(above[1], below[1])
}

/// Where a point of a rank should stand so that least wires cross, if not where it does. A place is counted among the
/// other points.
pub(super) fn best_place(ends: &WireEnds, here: usize) -> Option<usize> {
    let own = ends.of(here);
    // How many crossings more there are at each place than at the first.
    let mut change = 0;
    let (mut least, mut best, mut now) = (0, 0, 0);
    for place in 0..ends.bounds.len() {
        if place == here {
            now = change;
            continue;
        }
        change += change_by_swap(own, ends.of(place));
        if change < least {
            least = change;
            best = place + usize::from(place < here);
        }
    }
    (least < now).then_some(best)
}

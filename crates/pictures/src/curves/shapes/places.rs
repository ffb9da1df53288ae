//! Finds the places of a chart on its picture in pixels, and the lines through them.

use super::LETTERS;
use crate::curves::chart::ChartPlace;
use crate::curves::plan::{PlanCell, PlanFrame};
use crate::curves::window::clip;
use crate::shapes::{PathStep, letters, straight_path};

/// The empty edge around what is drawn.
pub(super) const EDGE: f64 = 14.0;
/// The width and the height of a cell of the plan.
pub(super) const CELL: (f64, f64) = (letters::MONO_ADVANCE * LETTERS, 21.0);
/// A line with more places than this loses the places that cannot be seen.
const MOST_PLACES: usize = 5_000;

/// The place on the picture of a place of the plan.
pub(super) fn place((column, row): PlanCell) -> (f64, f64) {
    (EDGE + column * CELL.0, EDGE + row * CELL.1)
}

impl PlanFrame<'_> {
    /// Its width and height on the picture.
    pub(super) fn size(&self) -> (f64, f64) {
        (self.columns * CELL.0, self.rows * CELL.1)
    }

    /// The place on the picture of a place in the frame.
    pub(super) fn place(&self, (x, y): ChartPlace) -> (f64, f64) {
        let column = self.left + x * self.columns;
        let row = self.top + (1.0 - y) * self.rows;
        place((column, row))
    }

    /// A closed line through corners.
    pub(super) fn outline(&self, corners: impl IntoIterator<Item = ChartPlace>) -> Vec<PathStep> {
        closed_path(corners.into_iter().map(|corner| self.place(corner)))
    }

    /// Lines through places, without the parts outside the window.
    pub(super) fn polylines(&self, lines: &[Vec<ChartPlace>]) -> Vec<PathStep> {
        lines.iter().flat_map(|line| self.polyline(line)).collect()
    }

    fn polyline(&self, places: &[ChartPlace]) -> Vec<PathStep> {
        let mut steps = Vec::new();
        let mut end = None;
        for pair in self.thin_out(places).windows(2) {
            let Some([from, to]) = clip(pair[0], pair[1]) else {
                end = None;
                continue;
            };
            let piece = straight_path([from, to].map(|place| self.place(place)));
            // A piece that begins where the last one ended goes on without a move.
            let is_continued = end == Some(from);
            steps.extend(piece.into_iter().skip(usize::from(is_continued)));
            end = Some(to);
        }
        steps
    }

    /// Leaves out places that cannot be seen if there are many. Of the places in one column of pixels only the [`ends`]
    /// stay. If there are still too many, as in a line that goes to and fro, longer runs keep only their ends.
    pub(super) fn thin_out(&self, places: &[ChartPlace]) -> Vec<ChartPlace> {
        if places.len() <= MOST_PLACES {
            return places.to_vec();
        }
        let column = |place: &ChartPlace| (place.0 * self.size().0).floor();
        let columns = places.chunk_by(|one, other| column(one) == column(other));
        let mut visible: Vec<ChartPlace> = columns.flat_map(ends).collect();
        visible.dedup();
        if visible.len() > MOST_PLACES {
            let runs = visible.chunks(visible.len().div_ceil(MOST_PLACES / 4));
            visible = runs.flat_map(ends).collect();
        }
        visible
    }
}

/// A closed line through corners, which are places on the picture.
pub(super) fn closed_path(corners: impl Iterator<Item = (f64, f64)>) -> Vec<PathStep> {
    let mut path = straight_path(corners);
    path.push(PathStep::Close);
    path
}

/// The first, the lowest, the highest and the last of some places, in their order.
fn ends(run: &[ChartPlace]) -> [ChartPlace; 4] {
    let height = |one: &usize, other: &usize| run[*one].1.total_cmp(&run[*other].1);
    let last = run.len() - 1;
    let [low, high] = [(0..=last).min_by(height), (0..=last).max_by(height)];
    let mut ends = [0, low.unwrap_or(0), high.unwrap_or(0), last];
    ends.sort_unstable();
    ends.map(|at| run[at])
}

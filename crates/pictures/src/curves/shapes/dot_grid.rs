//! The cells of a grid that contain dots, which a chart with very many dots shows instead of them.

use crate::curves::chart::ChartPlace;
use crate::curves::window::inside;

/// The least side of a cell in pixels.
const LEAST_SIDE: f64 = 2.0;
/// The most cells of the grids of all series together, which decides the size of the cells.
const MOST_CELLS: f64 = 36_000.0;

/// The grid of a series.
pub(super) struct DotGrid {
    pub columns: usize,
    rows: usize,
    /// Whether each cell contains a dot: column by column, each from top to bottom.
    has_dots: Vec<bool>,
}

impl DotGrid {
    /// An empty grid for a frame of this size in pixels, in which `series` grids lie on top of each other.
    pub(super) fn new((width, height): (f64, f64), series: usize) -> DotGrid {
        let cell_area = width * height * series as f64 / MOST_CELLS;
        let side = cell_area.sqrt().max(LEAST_SIDE);
        let [columns, rows] = [width, height].map(|length| (length / side).ceil() as usize);
        DotGrid {
            columns,
            rows,
            has_dots: vec![false; columns * rows],
        }
    }

    /// Marks the cells that an upright bar meets. A dot is a bar whose two ends are the same.
    pub(super) fn add(&mut self, [lower, upper]: [ChartPlace; 2]) {
        if upper.1 < 0.0 || !inside((lower.0, lower.1.max(0.0))) {
            return;
        }
        let cell = |part: f64, count: usize| ((part * count as f64) as usize).min(count - 1);
        let begin = cell(lower.0, self.columns) * self.rows;
        let first = begin + cell(1.0 - upper.1, self.rows);
        let last = begin + cell(1.0 - lower.1, self.rows);
        self.has_dots[first..=last].fill(true);
    }

    /// The lines that cover the marked cells. Adjacent cells of a column are one line from top to bottom.
    pub(super) fn lines(&self) -> Vec<[ChartPlace; 2]> {
        let mut lines = Vec::new();
        for (column, cells) in self.has_dots.chunks(self.rows).enumerate() {
            let x = (column as f64 + 0.5) / self.columns as f64;
            let mut row = 0;
            for run in cells.chunk_by(|one, other| one == other) {
                let end = row + run.len();
                if run[0] {
                    lines.push([row, end].map(|row| (x, 1.0 - row as f64 / self.rows as f64)));
                }
                row = end;
            }
        }
        lines
    }
}

//! Chooses the size of the picture of a chart, and plans the chart for it.

use super::places::{CELL, EDGE, place};
use crate::curves::chart::Chart;
use crate::curves::plan::{ChartPlan, PlanRoom};
use chainrule_report::PlotSize;

/// The usual width of a picture in pixels, before it is zoomed.
const USUAL_WIDTH: f64 = 800.0;
/// The rows of a frame in a picture of the usual width. A frame below it has half as many.
const USUAL_ROWS: usize = 19;
/// The least rows of a frame on a narrow page.
const NARROW_ROWS: usize = 12;
/// The least width of a picture in pixels, before it is zoomed. A narrower picture is planned for this width, and shown
/// smaller.
const LEAST_WIDTH: f64 = 360.0;
/// The least rows of a frame in a picture of a typed size. A lower picture is planned with these rows, and shown smaller.
const LEAST_ROWS: usize = 6;
/// The least rows of a frame below another one.
const LEAST_ROWS_BELOW: usize = 3;

/// A plan and the size of its picture.
pub(super) struct SizedPlan<'c> {
    pub plan: ChartPlan<'c>,
    /// The factor by which the picture is shown smaller or larger.
    pub zoom: f64,
    /// The size of the picture before it is zoomed.
    pub width: f64,
    pub height: f64,
}

impl<'c> SizedPlan<'c> {
    /// The plan of a chart for a file, or for a page of this width in pixels.
    pub(super) fn of(chart: &'c Chart<'c>, page_width: Option<usize>) -> SizedPlan<'c> {
        let width = page_width.map_or(USUAL_WIDTH, |pixels| {
            (pixels as f64).clamp(LEAST_WIDTH, USUAL_WIDTH)
        });
        let rows = ((USUAL_ROWS as f64 * width / USUAL_WIDTH) as usize).max(NARROW_ROWS);
        match chart.size {
            Some(size) => SizedPlan::of_size(chart, size, rows),
            None => SizedPlan::of_width(chart, width, rows),
        }
    }

    /// The plan of a chart that is as high as it needs. Its frame has this many rows.
    fn of_width(chart: &'c Chart<'c>, shown_width: f64, rows: usize) -> SizedPlan<'c> {
        let zoom = (shown_width / LEAST_WIDTH).min(1.0);
        let width = shown_width / zoom;
        let room = PlanRoom {
            columns: cells(width, CELL.0),
            rows,
            rows_below: rows / 2,
            is_file: true,
        };
        let plan = ChartPlan::of(chart, &room);
        let (_, lower) = place((0.0, plan.rows as f64));
        SizedPlan {
            plan,
            zoom,
            width,
            height: lower + EDGE,
        }
    }

    /// The plan of a chart that fills this size. The frames get the rows that all other parts leave. A second frame gets a
    /// third of them.
    fn of_size(chart: &'c Chart<'c>, size: PlotSize, usual_rows: usize) -> SizedPlan<'c> {
        let usual = SizedPlan::of_width(chart, size.width, usual_rows);
        let frame_rows: usize = usual.plan.frames.iter().map(|frame| frame.rows).sum();
        let other_rows = usual.plan.rows - frame_rows;
        let frames_below = usual.plan.frames.len() - 1;
        // A low picture is made small enough that the least rows of its frames fit.
        let least_rows = other_rows + LEAST_ROWS + LEAST_ROWS_BELOW * frames_below;
        let zoom = zoom_of_rows(size.height, least_rows).min(usual.zoom);
        let all_rows = cells(size.height / zoom, CELL.1);
        // The zoom leaves the frames their least rows, or one less because of rounding.
        let free_rows = all_rows - other_rows;
        let rows_below = frames_below * (free_rows / 3).max(LEAST_ROWS_BELOW);
        let mut room = PlanRoom {
            columns: cells(size.width / zoom, CELL.0),
            rows: free_rows - rows_below,
            rows_below,
            is_file: true,
        };
        // The other parts were measured at the usual zoom. A smaller zoom has more columns, so the words above the frame
        // may take fewer rows. The frame gets the rows that they leave.
        let needed_rows = ChartPlan::of(chart, &room).rows;
        room.rows += all_rows.saturating_sub(needed_rows);
        let plan = ChartPlan::of(chart, &room);
        SizedPlan::with_zoom(plan, size, zoom).fill_height(chart, size, &room)
    }

    /// A plan whose picture has this size at this zoom.
    fn with_zoom(plan: ChartPlan<'c>, shown: PlotSize, zoom: f64) -> SizedPlan<'c> {
        SizedPlan {
            plan,
            zoom,
            width: shown.width / zoom,
            height: shown.height / zoom,
        }
    }

    /// Enlarges the picture until its rows fill the height, because a part of a row may be left over. A larger picture
    /// has fewer columns, so its words may need more rows. Then the picture stays as it is.
    fn fill_height(self, chart: &'c Chart<'c>, size: PlotSize, room: &PlanRoom) -> SizedPlan<'c> {
        let zoom = zoom_of_rows(size.height, self.plan.rows);
        let columns = cells(size.width / zoom, CELL.0);
        let plan = ChartPlan::of(chart, &PlanRoom { columns, ..*room });
        if plan.rows == self.plan.rows {
            SizedPlan::with_zoom(plan, size, zoom)
        } else {
            self
        }
    }
}

/// The zoom at which this many rows have the height.
fn zoom_of_rows(height: f64, rows: usize) -> f64 {
    height / (2.0 * EDGE + rows as f64 * CELL.1)
}

/// The number of whole cells between the two edges of a length, at least 1.
fn cells(length: f64, cell: f64) -> usize {
    ((length - 2.0 * EDGE) / cell).max(1.0) as usize
}

//! Chooses the size of the picture of a chart, and plans the chart for it.

use super::places::{CELL, EDGE, place};
use crate::curves::chart::Chart;
use crate::curves::plan::{ChartPlan, PlanRoom};
use chainrule_report::PlotSize;

/// The usual width of the picture in pixels.
const WIDE: f64 = 800.0;
/// The usual rows of its frame; a frame below it has half as many.
const ROWS: usize = 19;
/// The least rows of the frame on a narrow page.
const NARROW_ROWS: usize = 12;
/// The least width of a picture in pixels. A smaller picture is drawn larger and shown smaller, and so is a lower one.
const LEAST_WIDE: f64 = 360.0;
/// The least rows of a frame.
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
        let width = page_width.map_or(WIDE, |pixels| (pixels as f64).clamp(LEAST_WIDE, WIDE));
        let rows = ((ROWS as f64 * width / WIDE) as usize).max(NARROW_ROWS);
        match chart.size {
            Some(size) => SizedPlan::of_size(chart, size, rows),
            None => SizedPlan::of_width(chart, width, rows),
        }
    }

    /// The plan of a chart that is as high as it needs.
    fn of_width(chart: &'c Chart<'c>, shown_width: f64, rows: usize) -> SizedPlan<'c> {
        let zoom = (shown_width / LEAST_WIDE).min(1.0);
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

    /// The plan of a chart that fills this size. The frames get the rows that all other parts leave, the lower one a third
    /// of them.
    fn of_size(chart: &'c Chart<'c>, size: PlotSize, usual_rows: usize) -> SizedPlan<'c> {
        let free = SizedPlan::of_width(chart, size.width, usual_rows);
        let frame_rows: usize = free.plan.frames.iter().map(|frame| frame.rows).sum();
        let other_rows = free.plan.rows - frame_rows;
        let frames_below = free.plan.frames.len() - 1;
        let least_rows = other_rows + LEAST_ROWS + LEAST_ROWS_BELOW * frames_below;
        let least_zoom = free.zoom.min(zoom_of_rows(size.height, least_rows));
        let all_rows = cells(size.height / least_zoom, CELL.1);
        let rest = all_rows.saturating_sub(other_rows);
        let rows_below = frames_below * (rest / 3).max(LEAST_ROWS_BELOW);
        let mut room = PlanRoom {
            columns: cells(size.width / least_zoom, CELL.0),
            rows: rest.saturating_sub(rows_below).max(2),
            rows_below,
            is_file: true,
        };
        // In a wider picture the words above may take fewer rows.
        room.rows += all_rows.saturating_sub(ChartPlan::of(chart, &room).rows);
        let mut plan = ChartPlan::of(chart, &room);
        let mut zoom = least_zoom;
        // The rest of the height makes everything a little larger, unless that takes more rows.
        let larger_zoom = zoom_of_rows(size.height, plan.rows);
        room.columns = cells(size.width / larger_zoom, CELL.0);
        let larger = ChartPlan::of(chart, &room);
        if larger.rows == plan.rows {
            (plan, zoom) = (larger, larger_zoom);
        }
        SizedPlan {
            plan,
            zoom,
            width: size.width / zoom,
            height: size.height / zoom,
        }
    }
}

/// The zoom at which this many rows have the height.
fn zoom_of_rows(height: f64, rows: usize) -> f64 {
    height / (2.0 * EDGE + rows as f64 * CELL.1)
}

/// The number of cells in a length without the edges.
fn cells(length: f64, cell: f64) -> usize {
    ((length - 2.0 * EDGE) / cell).max(1.0) as usize
}

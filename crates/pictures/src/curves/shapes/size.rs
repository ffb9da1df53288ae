//! Chooses the size of the picture of a chart, and plans the chart for it.

use super::LETTERS;
use super::places::{CELL, EDGE, place};
use crate::curves::chart::Chart;
use crate::curves::plan::ChartPlan;
use crate::curves::room::PlanRoom;
use chainrule_report::PlotSize;

/// The usual width of a picture in pixels, before it is zoomed.
const USUAL_WIDTH: f64 = 800.0;
/// The rows of a frame in a picture of the usual width. A frame below it has half as many.
const USUAL_ROWS: f64 = 19.0;
/// The least rows of a frame on a narrow page.
const NARROW_ROWS: f64 = 12.0;
/// The least width of a picture in pixels, before it is zoomed. A narrower picture is planned for this width, and shown
/// smaller.
const LEAST_WIDTH: f64 = 360.0;
/// The least rows of a frame in a picture of a typed size, and of one below another one. A lower picture of pixels is
/// planned with these rows, and shown smaller; one for print is refused.
const LEAST_ROWS: f64 = 4.0;
const LEAST_ROWS_BELOW: f64 = 2.6;
/// The least columns of a frame for print.
const LEAST_PRINTED_COLUMNS: f64 = 16.0;
/// The empty edge of a picture for print: a millimetre.
const PRINTED_EDGE: f64 = 96.0 / 25.4;
/// The most sizes that are tried for one that has room.
const MOST_SIZES: usize = 20;
/// The pixels of a point, of which an inch has 72, and of a centimetre.
const POINT: f64 = 96.0 / 72.0;
const CENTIMETRE: f64 = 96.0 / 2.54;

/// A plan and the size of its picture.
pub(super) struct SizedPlan<'c> {
    pub plan: ChartPlan<'c>,
    /// The factor by which the picture is shown smaller or larger.
    pub zoom: f64,
    /// The part of the usual edge that is cut off at each side.
    pub cut_edge: f64,
    /// The size of the picture before it is zoomed.
    pub width: f64,
    pub height: f64,
}

impl<'c> SizedPlan<'c> {
    /// The plan of a chart for a file, or for a page of this width in pixels. A size for print that is too small is
    /// refused with one that is not.
    pub(super) fn of(
        chart: &'c Chart<'c>,
        page_width: Option<usize>,
    ) -> Result<SizedPlan<'c>, String> {
        let width = page_width.map_or(USUAL_WIDTH, |pixels| {
            (pixels as f64).clamp(LEAST_WIDTH, USUAL_WIDTH)
        });
        let rows = (USUAL_ROWS * width / USUAL_WIDTH).floor().max(NARROW_ROWS);
        match (chart.size, chart.letters()) {
            (Some(size), Some(letters)) => SizedPlan::for_print(chart, size, letters),
            (Some(size), None) => Ok(SizedPlan::of_size(chart, size, rows)),
            (None, _) => Ok(SizedPlan::of_width(chart, width, rows)),
        }
    }

    /// The plan of a chart that is as high as it needs. Its frame has this many rows.
    fn of_width(chart: &'c Chart<'c>, shown_width: f64, rows: f64) -> SizedPlan<'c> {
        let zoom = (shown_width / LEAST_WIDTH).min(1.0);
        let width = shown_width / zoom;
        let room = PlanRoom {
            rows,
            rows_below: (rows / 2.0).floor(),
            ..least_room(chart, width, EDGE)
        };
        let plan = ChartPlan::of(chart, &room);
        let (_, lower) = place((0.0, plan.rows));
        SizedPlan {
            plan,
            zoom,
            cut_edge: 0.0,
            width,
            height: lower + EDGE,
        }
    }

    /// The plan of a chart that fills this size in pixels. The frames get the rows that all other parts leave.
    fn of_size(chart: &'c Chart<'c>, size: PlotSize, usual_rows: f64) -> SizedPlan<'c> {
        let usual = SizedPlan::of_width(chart, size.width, usual_rows);
        let least = least_room(chart, usual.width, EDGE);
        // A low picture is made small enough that the least rows of its frames fit.
        let rows = usual.plan.rows_beside_frames() + least.rows + least.rows_below;
        let zoom = (size.height / (2.0 * EDGE + rows * CELL.1)).min(usual.zoom);
        let room = least_room(chart, size.width / zoom, EDGE);
        SizedPlan::filling(chart, size, zoom, EDGE, room)
    }

    /// The plan of a chart that fills this size in letters of so many points.
    fn for_print(
        chart: &'c Chart<'c>,
        size: PlotSize,
        letters: f64,
    ) -> Result<SizedPlan<'c>, String> {
        let zoom = letters * POINT / LETTERS;
        if larger_size(chart, size, zoom).is_some() {
            // Labels may be longer in a larger picture, so each size is tried, too.
            let larger = |tried: &PlotSize| larger_size(chart, *tried, zoom);
            let sizes = std::iter::successors(Some(rounded(size)), larger);
            let fitting = sizes.take(MOST_SIZES).last().unwrap_or(size);
            let [wide, high] =
                [fitting.width, fitting.height].map(|side| half_centimetres(side) / 2.0);
            let advice = if chart.points_in_words.is_empty() {
                ""
            } else {
                ", and `plain` needs less"
            };
            return Err(format!(
                "this size has no room for the picture with letters of {letters} pt: `size {wide}x{high}cm` has{advice}"
            ));
        }
        let edge = PRINTED_EDGE / zoom;
        let room = least_room(chart, size.width / zoom, edge);
        Ok(SizedPlan::filling(chart, size, zoom, edge, room))
    }

    /// The plan of a chart that fills a size at this zoom. A second frame gets a third of the rows that the other parts
    /// leave.
    fn filling(
        chart: &'c Chart<'c>,
        size: PlotSize,
        zoom: f64,
        edge: f64,
        least: PlanRoom,
    ) -> SizedPlan<'c> {
        let rows = (size.height / zoom - 2.0 * edge) / CELL.1;
        let mut plan = ChartPlan::of(chart, &least);
        // A higher frame may have other ticks, whose factor takes a row.
        for _ in 0..2 {
            let free_rows = rows - plan.rows_beside_frames();
            let rows_below = match plan.frames.len() {
                1 => 0.0,
                _ => (free_rows / 3.0).max(least.rows_below),
            };
            let room = PlanRoom {
                rows: (free_rows - rows_below).max(1.0),
                rows_below,
                ..least
            };
            plan = ChartPlan::of(chart, &room);
        }
        SizedPlan {
            plan,
            zoom,
            cut_edge: EDGE - edge,
            width: size.width / zoom,
            height: size.height / zoom,
        }
    }
}

/// The room of a picture of this width, before it is zoomed, with the least frames.
fn least_room(chart: &Chart, width: f64, edge: f64) -> PlanRoom {
    PlanRoom {
        columns: ((width - 2.0 * edge) / CELL.0).max(1.0),
        rows: LEAST_ROWS,
        rows_below: LEAST_ROWS_BELOW * chart.below.iter().count() as f64,
        is_file: true,
    }
}

/// A larger size for print, if the chart has no room in this one: a wider one first, which may need fewer rows above its
/// frame.
fn larger_size(chart: &Chart, size: PlotSize, zoom: f64) -> Option<PlotSize> {
    let room = least_room(chart, size.width / zoom, PRINTED_EDGE / zoom);
    let plan = ChartPlan::of(chart, &room);
    let columns = LEAST_PRINTED_COLUMNS - plan.inner_columns;
    let height = plan.rows * CELL.1 * zoom + 2.0 * PRINTED_EDGE;
    if columns > 0.0 {
        let width = size.width + columns * CELL.0 * zoom;
        Some(rounded(PlotSize { width, ..size }))
    } else {
        (height > size.height).then(|| rounded(PlotSize { height, ..size }))
    }
}

/// The next size of whole half centimetres.
fn rounded(size: PlotSize) -> PlotSize {
    let next = |side: f64| half_centimetres(side) * CENTIMETRE / 2.0;
    PlotSize {
        width: next(size.width),
        height: next(size.height),
        ..size
    }
}

/// The number of half centimetres that a length needs.
fn half_centimetres(length: f64) -> f64 {
    const ROUNDING: f64 = 1e-9;
    (2.0 * length / CENTIMETRE - ROUNDING).ceil()
}

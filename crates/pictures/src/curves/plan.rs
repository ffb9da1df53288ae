//! Plans a chart: finds the places of the title, the legend, the frames with their ticks, and the bar of shades.
//!
//! The terminal and files draw the same plan. A place is a column and a row, which need not be whole numbers: the
//! terminal uses the cell that contains the place.

use super::chart::{Chart, Mark, MarkShape};
use super::field::MapLevels;
use super::room::{
    BAR, FramedChart, GAP, InnerColumns, NAME_COLUMNS, PlanRoom, WITHIN, fractions, upright_columns,
};
use super::ticks::AxisTicks;
use crate::shapes::Anchor;
use chainrule_report::characters;
use chainrule_style::theme::Role;

/// The columns of a sample of a line in the legend.
pub(super) const SAMPLE: f64 = 5.0;
/// The columns of the samples of a line, of a point and of dots, each with an empty column before the text.
const LINE_LEAD: f64 = SAMPLE + 1.0;
const POINT_LEAD: f64 = 4.0;
const DOTS_LEAD: f64 = 2.0;
/// The rows that keep a frame of a file apart from what is above it.
const GAP_ABOVE: f64 = 0.5;
/// The column of the middle of an upright name.
const UPRIGHT_MIDDLE: f64 = 0.7;
/// Half the height of a digit, in rows.
const HALF_DIGIT: f64 = 0.25;
/// The middle of a label of the horizontal axis, as a fraction of its row. It is below the middle of the row, so that
/// the label does not touch points at the lower edge.
const LABEL_MIDDLE: f64 = 0.65;

/// A column and a row.
pub(super) type PlanCell = (f64, f64);

/// The places of the parts of a chart.
#[derive(Default)]
pub(super) struct ChartPlan<'c> {
    pub texts: Vec<PlanText>,
    /// The places where samples of marks begin.
    pub samples: Vec<(PlanCell, &'c Mark)>,
    pub frames: Vec<PlanFrame<'c>>,
    /// The levels of the map in the first frame.
    pub levels: Option<MapLevels>,
    /// The number of rows. While the chart is planned, it counts the rows so far: each part is placed below them.
    pub rows: f64,
    /// The texts that had to be shortened.
    pub cut: Vec<String>,
    /// The columns inside the frames.
    pub inner_columns: f64,
    /// The column of the last row where the next entry of the head begins.
    next_column: f64,
}

/// A line of text.
pub(super) struct PlanText {
    /// The place of its anchor, halfway down its row.
    pub at: PlanCell,
    pub anchor: Anchor,
    pub role: Role,
    pub text: String,
    /// Whether it runs upwards.
    pub is_upright: bool,
}

/// The area inside a frame, and the ticks of its axes.
pub(super) struct PlanFrame<'c> {
    pub chart: &'c Chart<'c>,
    /// The first column and the first row.
    pub left: f64,
    pub top: f64,
    pub columns: f64,
    pub rows: f64,
    /// The ticks of the horizontal axis, as fractions of the width.
    pub across: Vec<f64>,
    /// The ticks of the vertical axis, as fractions of the height.
    pub up: Vec<f64>,
}

impl PlanFrame<'_> {
    /// The column where the bar begins that explains the shades of a map.
    pub(super) fn bar(&self) -> f64 {
        self.left + self.columns + 1.0
    }
}

impl<'c> ChartPlan<'c> {
    /// Plans a chart in this room, from top to bottom. The ticks of the vertical axes are chosen before any frame is
    /// placed, because the frames begin to the right of the widest label.
    pub(super) fn of(chart: &'c Chart<'c>, room: &PlanRoom) -> ChartPlan<'c> {
        let mut plan = ChartPlan {
            // No column is left in the last row, so the first entry begins a row.
            next_column: room.columns,
            ..ChartPlan::default()
        };
        plan.place_head(chart, room);
        let with_frame = |each: &'c Chart<'c>, rows| FramedChart {
            chart: each,
            rows,
            ticks: room.ticks_up(each, rows),
            name: room.name_up(each, rows),
        };
        let mut framed = vec![with_frame(chart, room.rows)];
        let below = chart.below.as_deref();
        framed.extend(below.map(|it| with_frame(it, room.rows_below)));
        let levels = chart.map.map(|map| room.levels(map));
        let name = plan.fit(&chart.across, room.columns, room);
        let inner = room.inner_columns(&framed, levels.as_ref(), &name);
        plan.inner_columns = inner.count;
        for each in framed {
            plan.place_frame(each, inner, room);
        }
        let common = plan.place_ticks_across(chart, inner, room);
        plan.place_name_across(name, common, inner, room);
        // The row of the labels, or of the name below them, which in a file has no room below its letters.
        plan.rows += room.length(0.88, 1.0);
        if let Some(levels) = levels {
            plan.place_bar(levels, room);
        }
        plan
    }

    /// The rows of all parts but the frames.
    pub(super) fn rows_beside_frames(&self) -> f64 {
        self.rows - self.frames.iter().map(|frame| frame.rows).sum::<f64>()
    }

    /// The text, shortened to at most this many columns.
    fn fit(&mut self, text: &str, columns: f64, room: &PlanRoom) -> String {
        let short = room.shorten(text, columns);
        if *short != *characters::clean(text) {
            self.cut.push(text.to_owned());
        }
        short
    }

    /// Adds the name of the horizontal axis, and to its right the factor of the labels.
    fn place_name_across(
        &mut self,
        name: String,
        common: String,
        inner: InnerColumns,
        room: &PlanRoom,
    ) {
        if room.stands_beside_axis(&name) {
            let axis_row = self.rows - room.lower_side();
            let at = (inner.end() + 1.0, axis_row + 0.5);
            self.add_text(at, Anchor::Start, Role::Name, name);
        } else if room.width(&name) + room.width(&common) > 0.0 {
            // In a row below the labels, in the middle of the frame if it fits there.
            self.rows += 1.0;
            let row = self.rows + 0.5;
            let end = match &*common {
                "" => room.columns,
                _ => inner.end() - room.width(&common) - 1.0,
            };
            let short_name = self.fit(&name, end, room);
            let half = room.width(&short_name) / 2.0;
            let middle = (inner.left + inner.count / 2.0).min(end - half).max(half);
            self.add_text((inner.end(), row), Anchor::End, Role::Dim, common);
            self.add_text((middle, row), Anchor::Middle, Role::Name, short_name);
        }
    }

    /// Adds a frame with the labels of its vertical axis.
    fn place_frame(&mut self, framed: FramedChart<'c>, inner: InnerColumns, room: &PlanRoom) {
        let FramedChart {
            chart,
            rows,
            ticks,
            name,
        } = framed;
        self.place_name_above(chart, inner.left, room);
        let up = fractions(&ticks.ticks, chart.window.up);
        if !ticks.common.is_empty() {
            // The factor of the labels is above the axis, beside a mark at the corner.
            self.rows += if self.rows > 0.0 {
                1.0 - GAP_ABOVE
            } else {
                room.row_after(0.0)
            };
            let at = (inner.left + 1.0, self.rows - 0.5);
            self.add_text(at, Anchor::Start, Role::Dim, ticks.common);
        } else if room.is_file && self.rows == 0.0 {
            // The uppermost label may stand half above the frame.
            let above = up
                .iter()
                .map(|fraction| HALF_DIGIT - (1.0 - fraction) * rows);
            self.rows = above.fold(0.0, f64::max);
        }
        let top = self.rows;
        for (line, text) in name.iter().enumerate() {
            let column = UPRIGHT_MIDDLE + NAME_COLUMNS * line as f64;
            self.add_upright(column, (top, rows), text, room);
        }
        let label_end = inner.left - room.side_columns();
        for (fraction, tick) in up.iter().zip(ticks.ticks) {
            let down = (rows * (1.0 - fraction)).min(rows - WITHIN);
            let at = (label_end, top + down);
            self.add_text(at, Anchor::End, Role::Dim, tick.label);
        }
        self.rows += rows + room.lower_side();
        self.frames.push(PlanFrame {
            chart,
            left: inner.left,
            top,
            columns: inner.count,
            rows,
            across: Vec::new(),
            up,
        });
    }

    /// Adds a text that is not upright, unless it is empty.
    fn add_text(&mut self, at: PlanCell, anchor: Anchor, role: Role, text: String) {
        if !text.is_empty() {
            self.texts.push(PlanText {
                at,
                anchor,
                role,
                text,
                is_upright: false,
            });
        }
    }

    /// Adds a name that runs upwards beside a frame with this upper side and this many rows.
    fn add_upright(&mut self, column: f64, (top, rows): (f64, f64), name: &str, room: &PlanRoom) {
        let text = self.fit(name, upright_columns(rows), room);
        self.texts.push(PlanText {
            at: (column, top + rows / 2.0),
            anchor: Anchor::Middle,
            role: Role::Name,
            text,
            is_upright: true,
        });
    }

    /// Adds a text to the last row.
    fn add_to_row(&mut self, column: f64, role: Role, text: String) {
        self.add_text((column, self.rows - 0.5), Anchor::Start, role, text);
    }

    /// Adds an entry of the head: to the last row if it fits there, or else to new rows. `lead` columns before its text
    /// stay empty for a sample. Returns the place of the sample.
    fn add_entry(&mut self, lead: f64, role: Role, text: &str, room: &PlanRoom) -> PlanCell {
        let most = (room.columns - lead).max(0.0);
        let mut sample = None;
        for line in room.lines(text, most) {
            let short_line = self.fit(&line, most, room);
            let width = lead + room.width(&short_line);
            if sample.is_some() || self.next_column + width > room.columns {
                self.rows += room.row_after(self.rows);
                self.next_column = 0.0;
            }
            let begin = self.next_column;
            sample = sample.or(Some((begin, self.rows - 0.5)));
            self.next_column += width + GAP;
            self.add_to_row(begin + lead, role, short_line);
        }
        sample.unwrap_or_default()
    }

    /// Adds the title, the legend and the remarks.
    fn place_head(&mut self, chart: &'c Chart, room: &PlanRoom) {
        // In a file the name of the vertical axis is always there, and may contain the title.
        let is_left_out = room.is_file && chart.has_title_in_name;
        if !chart.title.is_empty() && !is_left_out {
            self.add_entry(0.0, Role::Heading, &chart.title, room);
            if room.is_file {
                // A title beside the legend would look like one of its entries.
                self.next_column = room.columns;
            }
        }
        for mark in chart.legend() {
            let lead = match mark.shape {
                MarkShape::Line(..) => LINE_LEAD,
                MarkShape::Point(..) => POINT_LEAD,
                MarkShape::Dots(_) => DOTS_LEAD,
            };
            let at = self.add_entry(lead, Role::Formula, &mark.label, room);
            self.samples.push((at, mark));
        }
        if room.is_file {
            // The remarks begin in a row of their own.
            self.next_column = room.columns;
            for remark in &chart.points_in_words {
                // The numbers of a point change while it is dragged on a page, and must not move its frame to another row.
                let line = match chart.letters() {
                    Some(_) => remark.clone(),
                    None => self.fit(remark, room.columns, room),
                };
                self.add_entry(0.0, Role::Dim, &line, room);
            }
        }
    }

    /// Adds a row above a frame: on the terminal for the name of its vertical axis, if the head does not have the name;
    /// in a file an empty row, which keeps the frame apart from what is above it.
    fn place_name_above(&mut self, chart: &Chart, left: f64, room: &PlanRoom) {
        if room.is_file {
            if self.rows > 0.0 {
                self.rows += GAP_ABOVE;
            }
        } else if !chart.has_name_in_head && !chart.up.is_empty() {
            self.rows += 1.0;
            let name = room.shorten(&chart.up, room.columns);
            // The name is above the side of the frame, which is to the left of its first column.
            let column = (left - 1.0 - (room.width(&name) / 2.0).floor()).max(0.0);
            self.add_to_row(column, Role::Name, name);
        }
    }

    /// Adds the ticks of the horizontal axis to all frames, and their labels below the last frame. Returns their factor.
    fn place_ticks_across(
        &mut self,
        chart: &Chart,
        inner: InnerColumns,
        room: &PlanRoom,
    ) -> String {
        let axis = chart.window.across;
        let AxisTicks { ticks, common } = room.ticks_across(chart, inner);
        for frame in &mut self.frames {
            frame.across = fractions(&ticks, axis);
        }
        for tick in ticks {
            let word = chart.words[0].iter().find(|it| it.number == tick.number);
            let cut_word = word.filter(|it| it.word != tick.label);
            self.cut.extend(cut_word.map(|it| it.word.clone()));
            let middle = room.label_middle(&tick, axis, inner);
            let at = (middle, self.rows + LABEL_MIDDLE);
            self.add_text(at, Anchor::Middle, Role::Dim, tick.label);
        }
        common
    }

    /// Adds the levels with the labels beside their bar: each level between its two shades. In a file, the name of the bar
    /// runs upwards beside them.
    fn place_bar(&mut self, levels: MapLevels, room: &PlanRoom) {
        let frame = &self.frames[0];
        let column = frame.bar() + BAR + 1.0;
        let (top, rows) = (frame.top, frame.rows);
        if let Some(map) = frame.chart.map.filter(|_| room.is_file) {
            let name_column = column + 1.0 + room.widest(&levels.ticks) + UPRIGHT_MIDDLE;
            let name = format!("{} {}", &map.label, levels.common);
            self.add_upright(name_column, (top, rows), name.trim_end(), room);
        }
        let shades = levels.shade_count() as f64;
        for (tick, level) in levels.ticks.iter().zip(1..) {
            // The first shade is at the bottom, and the first level is at its upper end.
            let down = rows * (1.0 - f64::from(level) / shades) - WITHIN;
            let at = (column, top + down);
            self.add_text(at, Anchor::Start, Role::Dim, tick.label.clone());
        }
        self.levels = Some(levels);
    }
}

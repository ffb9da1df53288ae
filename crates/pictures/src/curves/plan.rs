//! Plans a chart: finds the places of the title, the legend, the frames with their ticks, and the bar of shades.
//!
//! The terminal and files draw the same plan. A place is a column and a row, which need not be whole numbers: the
//! terminal uses the cell that contains the place.

use super::chart::{Chart, Mark, MarkShape};
use super::field::MapLevels;
use super::ticks::{Tick, axis_ticks};
use super::window::ChartAxis;
use crate::shapes::Anchor;
use crate::shapes::letters::{Font, MONO_ADVANCE};
use chainrule_report::{PlotMap, characters};
use chainrule_style::theme::Role;

/// The columns of a sample of a line in the legend.
pub(super) const SAMPLE: usize = 5;
/// The columns of the samples of a line, of a point and of dots, each with an empty column before the text.
const LINE_LEAD: usize = SAMPLE + 1;
const POINT_LEAD: usize = 4;
const DOTS_LEAD: usize = 2;
/// The columns between two entries of the legend, and at least between two labels of an axis.
const GAP: usize = 3;
/// The name of the horizontal axis is beside the axis, even in a narrow window, if it has at most this many columns:
/// `t [min]`.
const SHORT_NAME_COLUMNS: usize = 7;
/// The most levels of a map.
const MAX_LEVELS: usize = 11;
/// The columns of the bar that explains the shades.
pub(super) const BAR: usize = 2;
/// In a file, the height of a row as a number of columns.
const COLUMNS_PER_ROW: f64 = 2.4;
/// In a file, the columns that the upright name of a vertical axis takes.
const NAME_COLUMNS: usize = 2;
/// The column of the middle of an upright name.
const UPRIGHT_MIDDLE: f64 = 0.7;
/// The rows by which an upright name may be longer than its frame is high.
const UPRIGHT_EXCESS: f64 = 1.5;
/// The columns between the labels of a vertical axis and the inside of its frame: an empty one and the side of the
/// frame.
const SIDE_COLUMNS: usize = 2;
/// The horizontal axis has at most about one label in this many columns.
const COLUMNS_PER_LABEL: usize = 8;
/// A vertical axis in a file may have this many ticks even if the frame is low, if each has a row.
const LOW_FRAME_TICKS: usize = 5;
/// The most letters that fit in a column of a file, which is enough for narrow letters such as `i`.
const LETTERS_PER_COLUMN: usize = 3;
/// The middle of a label of the horizontal axis, as a fraction of its row. It is below the middle of the row, so that
/// the label does not touch points at the lower edge.
const LABEL_MIDDLE: f64 = 0.65;
/// The end of an axis or of a shade moves back by this fraction of a cell, because its exact place is in the next cell.
const WITHIN: f64 = 0.01;
/// In a file, a text may be wider than its columns by this fraction of one.
const TEXT_EXCESS: f64 = 0.01;

/// A column and a row.
pub(super) type PlanCell = (f64, f64);

/// The room for a chart.
pub(super) struct PlanRoom {
    pub columns: usize,
    /// The rows of the frame.
    pub rows: usize,
    /// The rows of a second frame below.
    pub rows_below: usize,
    /// Whether it is for a file. In a file the font is proportional, the name of the vertical axis is upright beside
    /// the frame, and the remarks are in rows above the frame.
    pub is_file: bool,
}

impl PlanRoom {
    /// The number of columns that a text takes.
    fn width(&self, text: &str) -> usize {
        if self.is_file {
            (Font::Sans.width(text, 1.0) / MONO_ADVANCE - TEXT_EXCESS).ceil() as usize
        } else {
            characters::width(text)
        }
    }

    /// The text, shortened to at most this many columns.
    fn shorten(&self, text: &str, columns: usize) -> String {
        let clean = characters::clean(text);
        let most = characters::width(&clean).min(LETTERS_PER_COLUMN * columns);
        let shortened = |letters| characters::shorten_end(&clean, letters);
        let mut longest_first = (0..=most).rev().map(shortened);
        let fitting = longest_first.find(|it| self.width(it) <= columns);
        fitting.unwrap_or_default().into_owned()
    }

    /// The number of columns of the widest label.
    fn widest<'l>(&self, ticks: impl IntoIterator<Item = &'l Tick>) -> usize {
        let widths = ticks.into_iter().map(|tick| self.width(&tick.label));
        widths.max().unwrap_or(0)
    }

    /// Empties labels that are too long, because a part of a number would be misleading.
    fn clear_long_labels(&self, columns: usize, ticks: &mut [Tick]) {
        for tick in ticks {
            if self.width(&tick.label) > columns {
                tick.label.clear();
            }
        }
    }

    /// The number of rows that the lower side of a frame takes. In a file the side is a line between two rows.
    fn lower_side(&self) -> usize {
        usize::from(!self.is_file)
    }

    /// The ticks of a vertical axis of this many rows, about one tick in three rows.
    fn ticks_up(&self, chart: &Chart, rows: usize) -> Vec<Tick> {
        let fewest = if self.is_file {
            LOW_FRAME_TICKS.min(rows)
        } else {
            1
        };
        // One tick does not show a scale, so more ticks are tried until there are two.
        let mut choices = (fewest.max(rows / 3 + 1)..=rows).map(|most| chart.ticks_up(most));
        let at_least_two = choices.find(|ticks| ticks.len() > 1);
        // The ticks of twice the rows are too dense: one of two has a row.
        let every_second = || chart.ticks_up(2 * rows).into_iter().step_by(2).collect();
        let mut ticks = at_least_two.unwrap_or_else(every_second);
        self.clear_long_labels(self.columns / 2, &mut ticks);
        ticks
    }

    /// The levels of a map.
    fn levels(&self, map: &PlotMap) -> MapLevels {
        let mut levels = MapLevels::of(map, MAX_LEVELS.min(self.rows - 1));
        self.clear_long_labels(self.columns / 4, &mut levels.ticks);
        levels
    }

    /// The columns that are left between the labels of the vertical axes and what is to the right of the frames.
    fn inner_columns(
        &self,
        framed: &[FramedChart],
        levels: Option<&MapLevels>,
        name_across: &str,
    ) -> InnerColumns {
        let name_up_columns = if self.is_file { NAME_COLUMNS } else { 0 };
        let label_columns = self.widest(framed.iter().flat_map(|each| &each.ticks));
        let left = name_up_columns + label_columns + SIDE_COLUMNS;
        let mut right = if self.stands_beside_axis(name_across) {
            1 + self.width(name_across)
        } else {
            // The last label below the frame may end to the right of the frame.
            2
        };
        if let Some(levels) = levels {
            // An empty column is on each side of the bar.
            let bar_columns = 1 + BAR + 1 + self.widest(&levels.ticks);
            right = right.max(bar_columns);
        }
        InnerColumns {
            left,
            count: self.columns.saturating_sub(left + right).max(1),
        }
    }

    /// Whether this name of the horizontal axis is at the end of the axis, as a short name is on the terminal. Other
    /// names are below the labels.
    fn stands_beside_axis(&self, name: &str) -> bool {
        let most = (self.columns / 8).max(SHORT_NAME_COLUMNS);
        !self.is_file && self.width(name) <= most
    }

    /// The column of the middle of a label, below its tick. A label at an end moves so that it does not leave the
    /// chart.
    fn label_middle(&self, tick: &Tick, axis: ChartAxis, inner: InnerColumns) -> f64 {
        let half = self.width(&tick.label) as f64 / 2.0;
        let wide = inner.count as f64;
        let below_tick =
            inner.left as f64 + (axis.fraction_before(tick.number) * wide).min(wide - WITHIN);
        below_tick.min(inner.label_end() - half).max(half)
    }

    /// The ticks of the horizontal axis: the largest number for which their labels have room beside each other.
    fn ticks_across(&self, chart: &Chart, inner: InnerColumns) -> Vec<Tick> {
        let axis = chart.window.across;
        let most_first = (2..=inner.count / COLUMNS_PER_LABEL + 2).rev();
        let mut choices = most_first.map(|most| axis_ticks(axis, chart.words[0], most));
        // Words may be too long to be beside each other, so they are shortened to equal parts of the columns.
        if axis.has_words {
            let mut ticks = choices.next().unwrap_or_default();
            // On the terminal an empty column is between them.
            let gap = usize::from(!self.is_file);
            let most = (inner.count / ticks.len().max(1)).saturating_sub(gap);
            for tick in &mut ticks {
                tick.label = self.shorten(&tick.label, most);
            }
            return ticks;
        }
        (choices.find(|ticks| self.has_room_for(ticks, axis, inner))).unwrap_or_default()
    }

    /// Whether the labels of all ticks have room beside each other.
    fn has_room_for(&self, ticks: &[Tick], axis: ChartAxis, inner: InnerColumns) -> bool {
        let mut next_free = 0.0;
        for tick in ticks {
            let half = self.width(&tick.label) as f64 / 2.0;
            let middle = self.label_middle(tick, axis, inner);
            if middle - half < next_free || middle + half > inner.label_end() {
                return false;
            }
            next_free = middle + half + GAP as f64;
        }
        true
    }
}

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
    pub rows: usize,
    /// The column of the last row where the next entry of the head begins.
    next_column: usize,
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
    pub left: usize,
    pub top: usize,
    pub columns: usize,
    pub rows: usize,
    /// The ticks of the horizontal axis, as fractions of the width.
    pub across: Vec<f64>,
    /// The ticks of the vertical axis, as fractions of the height.
    pub up: Vec<f64>,
}

impl PlanFrame<'_> {
    /// The column where the bar begins that explains the shades of a map.
    pub(super) fn bar(&self) -> usize {
        self.left + self.columns + 1
    }
}

/// The columns inside all frames.
#[derive(Clone, Copy)]
struct InnerColumns {
    /// The first column.
    left: usize,
    count: usize,
}

impl InnerColumns {
    /// The column after the last one.
    fn end(self) -> usize {
        self.left + self.count
    }

    /// The column where labels below the frame must end: half a column to the right of the frame.
    fn label_end(self) -> f64 {
        self.end() as f64 + 0.5
    }
}

/// A chart that gets a frame, and the ticks of its vertical axis.
struct FramedChart<'c> {
    chart: &'c Chart<'c>,
    rows: usize,
    ticks: Vec<Tick>,
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
        };
        let mut framed = vec![with_frame(chart, room.rows)];
        let below = chart.below.as_deref();
        framed.extend(below.map(|it| with_frame(it, room.rows_below)));
        let levels = chart.map.map(|map| room.levels(map));
        let name = room.shorten(&chart.across, room.columns);
        let inner = room.inner_columns(&framed, levels.as_ref(), &name);
        for each in framed {
            plan.place_frame(each, inner, room);
        }
        plan.place_ticks_across(chart, inner, room);
        if room.stands_beside_axis(&name) {
            let axis_row = plan.rows - room.lower_side();
            let at = (inner.end() as f64 + 1.0, axis_row as f64 + 0.5);
            plan.add_text(at, Anchor::Start, Role::Name, name);
        } else if room.width(&name) > 0 {
            // In a row below the labels, in the middle of the frame if it fits there.
            plan.rows += 1;
            let half = room.width(&name) as f64 / 2.0;
            let middle_of_frame = inner.left as f64 + inner.count as f64 / 2.0;
            let middle = middle_of_frame.min(room.columns as f64 - half).max(half);
            let at = (middle, plan.rows as f64 + 0.5);
            plan.add_text(at, Anchor::Middle, Role::Name, name);
        }
        // The row of the labels, or of the name below them.
        plan.rows += 1;
        if let Some(levels) = levels {
            plan.place_bar(levels);
        }
        plan
    }

    /// Adds a frame with the labels of its vertical axis.
    fn place_frame(&mut self, framed: FramedChart<'c>, inner: InnerColumns, room: &PlanRoom) {
        let FramedChart { chart, rows, ticks } = framed;
        self.place_name_above(chart, inner.left, room);
        let top = self.rows;
        let height = rows as f64;
        if room.is_file {
            let most = (height + UPRIGHT_EXCESS) * COLUMNS_PER_ROW;
            self.texts.push(PlanText {
                at: (UPRIGHT_MIDDLE, top as f64 + height / 2.0),
                anchor: Anchor::Middle,
                role: Role::Name,
                text: room.shorten(&chart.up, most as usize),
                is_upright: true,
            });
        }
        let up = fractions(&ticks, chart.window.up);
        let label_end = (inner.left - SIDE_COLUMNS) as f64;
        for (fraction, tick) in up.iter().zip(ticks) {
            let down = (height * (1.0 - fraction)).min(height - WITHIN);
            let at = (label_end, top as f64 + down);
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

    /// Adds a text to the last row.
    fn add_to_row(&mut self, column: usize, role: Role, text: String) {
        let at = (column as f64, self.rows as f64 - 0.5);
        self.add_text(at, Anchor::Start, role, text);
    }

    /// Adds an entry of the head: to the last row if it fits there, or else to a new row. `lead` columns before its
    /// text stay empty for a sample. Returns the column where the entry begins.
    fn add_entry(&mut self, lead: usize, role: Role, text: &str, room: &PlanRoom) -> usize {
        let short_text = room.shorten(text, room.columns.saturating_sub(lead));
        let width = lead + room.width(&short_text);
        if self.next_column + width > room.columns {
            self.rows += 1;
            self.next_column = 0;
        }
        let begin = self.next_column;
        self.next_column += width + GAP;
        self.add_to_row(begin + lead, role, short_text);
        begin
    }

    /// Adds the title, the legend and the remarks.
    fn place_head(&mut self, chart: &'c Chart, room: &PlanRoom) {
        // In a file the name of the vertical axis is always there, and may contain the title.
        let is_repeated = room.is_file && chart.has_title_in_name;
        if !chart.title.is_empty() && !is_repeated {
            self.add_entry(0, Role::Heading, &chart.title, room);
        }
        for mark in chart.legend() {
            let lead = match mark.shape {
                MarkShape::Line(..) => LINE_LEAD,
                MarkShape::Point(..) => POINT_LEAD,
                MarkShape::Dots(_) => DOTS_LEAD,
            };
            let column = self.add_entry(lead, Role::Formula, &mark.label, room);
            let at = (column as f64, self.rows as f64 - 0.5);
            self.samples.push((at, mark));
        }
        if room.is_file {
            // The remarks begin in a row of their own.
            self.next_column = room.columns;
            for remark in &chart.points_in_words {
                self.add_entry(0, Role::Dim, remark, room);
            }
        }
    }

    /// Adds a row above a frame: on the terminal for the name of its vertical axis, if the head does not have the name;
    /// in a file an empty row, which keeps the frame apart from what is above it.
    fn place_name_above(&mut self, chart: &Chart, left: usize, room: &PlanRoom) {
        if room.is_file {
            if self.rows > 0 {
                self.rows += 1;
            }
        } else if !chart.has_name_in_head && !chart.up.is_empty() {
            self.rows += 1;
            let name = room.shorten(&chart.up, room.columns);
            // The name is above the side of the frame, which is to the left of its first column.
            let column = (left - 1).saturating_sub(room.width(&name) / 2);
            self.add_to_row(column, Role::Name, name);
        }
    }

    /// Adds the ticks of the horizontal axis to all frames, and their labels below the last frame.
    fn place_ticks_across(&mut self, chart: &Chart, inner: InnerColumns, room: &PlanRoom) {
        let axis = chart.window.across;
        let ticks = room.ticks_across(chart, inner);
        for frame in &mut self.frames {
            frame.across = fractions(&ticks, axis);
        }
        for tick in ticks {
            let middle = room.label_middle(&tick, axis, inner);
            let at = (middle, self.rows as f64 + LABEL_MIDDLE);
            self.add_text(at, Anchor::Middle, Role::Dim, tick.label);
        }
    }

    /// Adds the levels with the labels beside their bar: each level between its two shades.
    fn place_bar(&mut self, levels: MapLevels) {
        let frame = &self.frames[0];
        let column = (frame.bar() + BAR + 1) as f64;
        let (top, rows) = (frame.top as f64, frame.rows as f64);
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

/// The places of ticks, as fractions of their axis.
fn fractions(ticks: &[Tick], axis: ChartAxis) -> Vec<f64> {
    (ticks.iter().map(|tick| axis.fraction_before(tick.number))).collect()
}

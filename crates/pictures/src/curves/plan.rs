//! Plans a chart: finds the places of the title, the legend, the frames with their ticks, and the bar of shades.
//!
//! The terminal and files draw the same plan. A place is a column and a row, which need not be whole numbers: the
//! terminal uses the cell that contains the place.

use super::chart::{Chart, Mark, MarkShape};
use super::field::MapLevels;
use super::ticks::{AxisTicks, Tick, choose_ticks, tick_choices};
use super::window::ChartAxis;
use crate::shapes::letters::MONO_ADVANCE;
use crate::shapes::{Anchor, typeset};
use chainrule_report::{PlotMap, Scale, characters};
use chainrule_style::theme::Role;

/// The columns of a sample of a line in the legend.
pub(super) const SAMPLE: f64 = 5.0;
/// The columns of the samples of a line, of a point and of dots, each with an empty column before the text.
const LINE_LEAD: f64 = SAMPLE + 1.0;
const POINT_LEAD: f64 = 4.0;
const DOTS_LEAD: f64 = 2.0;
/// The most lines of the name of a vertical axis.
const MOST_NAME_LINES: usize = 3;
/// The columns between two entries of the legend, and at least between two labels of an axis.
const GAP: f64 = 3.0;
/// The columns between two labels of an axis that has no room for more.
const TIGHT_GAP: f64 = 1.2;
/// The name of the horizontal axis is beside the axis, even in a narrow window, if it has at most this many columns:
/// `t [min]`.
const SHORT_NAME_COLUMNS: f64 = 7.0;
/// The columns of the bar that explains the shades.
pub(super) const BAR: f64 = 2.0;
/// In a file, the height of a row as a number of columns.
const COLUMNS_PER_ROW: f64 = 2.4;
/// In a file, the columns that the upright name of a vertical axis takes.
const NAME_COLUMNS: f64 = 2.0;
/// The rows by which an upright name may exceed its frame.
const NAME_EXCESS: f64 = 0.8;
/// The rows that keep a frame of a file apart from what is above it.
const GAP_ABOVE: f64 = 0.5;
/// The column of the middle of an upright name.
const UPRIGHT_MIDDLE: f64 = 0.7;
/// On the terminal, the horizontal axis has at most about one label in this many columns.
const COLUMNS_PER_LABEL: f64 = 8.0;
/// The most ticks of an axis in a file.
const MOST_TICKS: usize = 7;
/// The rows of a file from a label of a vertical axis to the next one, and if there is no room for more.
const PITCH: f64 = 1.25;
const TIGHT_PITCH: f64 = 0.85;
/// Half the height of a digit, in rows.
const HALF_DIGIT: f64 = 0.25;
/// The most letters that fit in a column of a file, which is enough for narrow letters such as `i`.
const LETTERS_PER_COLUMN: f64 = 3.0;
/// The middle of a label of the horizontal axis, as a fraction of its row. It is below the middle of the row, so that
/// the label does not touch points at the lower edge.
const LABEL_MIDDLE: f64 = 0.65;
/// The end of an axis or of a shade moves back by this fraction of a cell, because its exact place is in the next cell.
const WITHIN: f64 = 0.01;
/// A column and a row.
pub(super) type PlanCell = (f64, f64);

/// The room for a chart.
#[derive(Clone, Copy)]
pub(super) struct PlanRoom {
    pub columns: f64,
    /// The rows of the frame.
    pub rows: f64,
    /// The rows of a second frame below.
    pub rows_below: f64,
    /// Whether it is in a file, where the font is proportional and the names of vertical axes run upwards, and not on the
    /// terminal.
    pub is_file: bool,
}

impl PlanRoom {
    /// The number of columns that a text takes.
    fn width(&self, text: &str) -> f64 {
        if self.is_file {
            typeset::width(text, 1.0) / MONO_ADVANCE
        } else {
            characters::width(text) as f64
        }
    }

    /// The text, shortened to at most this many columns. A unit at its end stays if there is room for it.
    fn shorten(&self, text: &str, columns: f64) -> String {
        let clean = characters::clean(text);
        let (name, unit) = split_unit(&clean);
        for (begin, end) in [(name, unit), (&*clean, "")] {
            let most = characters::width(begin).min((LETTERS_PER_COLUMN * columns) as usize);
            let shortened = |letters| characters::shorten_end(begin, letters) + end;
            let mut longest_first = (0..=most).rev().map(shortened);
            if let Some(fitting) = longest_first.find(|it| self.width(it) <= columns) {
                return fitting.into_owned();
            }
        }
        String::new()
    }

    /// The lines of a text, broken between words, but not within a unit. On the terminal it is one line.
    fn lines(&self, text: &str, columns: f64) -> Vec<String> {
        let clean = characters::clean(text);
        let mut lines: Vec<String> = Vec::new();
        let (name, unit) = split_unit(&clean);
        let words = name.split(' ').chain(unit.strip_prefix(' '));
        for word in words {
            match lines.last_mut() {
                Some(line) if !self.is_file || self.width(&format!("{line} {word}")) <= columns => {
                    line.extend([" ", word]);
                }
                _ => lines.push(word.to_owned()),
            }
        }
        lines
    }

    /// The number of columns of the widest label.
    fn widest<'l>(&self, ticks: impl IntoIterator<Item = &'l Tick>) -> f64 {
        let widths = ticks.into_iter().map(|tick| self.width(&tick.label));
        widths.fold(0.0, f64::max)
    }

    /// Empties labels that are too long, because a part of a number would be misleading.
    fn clear_long_labels(&self, columns: f64, ticks: &mut [Tick]) {
        for tick in ticks {
            if self.width(&tick.label) > columns {
                tick.label.clear();
            }
        }
    }

    /// The number of rows that the lower side of a frame takes. In a file the side is a line between two rows.
    fn lower_side(&self) -> f64 {
        if self.is_file { 0.0 } else { 1.0 }
    }

    /// A length in a file, which wastes no room, and on the terminal, which has whole cells.
    fn length(&self, in_file: f64, on_terminal: f64) -> f64 {
        if self.is_file { in_file } else { on_terminal }
    }

    /// The columns between the labels of a vertical axis and the inside of its frame: an empty one and the side of the
    /// frame.
    fn side_columns(&self) -> f64 {
        self.length(1.2, 2.0)
    }

    /// The height of a row of text after so many rows. The first one in a file has no room above its letters.
    fn row_after(&self, rows: f64) -> f64 {
        if rows > 0.0 {
            1.0
        } else {
            self.length(0.78, 1.0)
        }
    }

    /// The number of ticks that an axis should have at least. One does not show a scale, and two not a logarithmic one.
    fn fewest_ticks(&self, axis: ChartAxis) -> usize {
        match axis.scale {
            _ if self.is_file => 4,
            Scale::Linear => 2,
            Scale::Logarithmic => 3,
        }
    }

    /// The ticks of a vertical axis of this many rows.
    fn ticks_up(&self, chart: &Chart, rows: f64) -> AxisTicks {
        let usual = (rows / 3.0) as usize + 1;
        let most = if self.is_file {
            MOST_TICKS
        } else {
            rows as usize
        };
        let axis = chart.window.up;
        // A frame below another one is low, and three ticks show its scale.
        let fewest = if self.is_file && rows < self.rows {
            3
        } else {
            self.fewest_ticks(axis)
        };
        let has_room = |ticks: &[Tick], is_tight: bool| {
            let pitch = self.length(if is_tight { TIGHT_PITCH } else { PITCH }, 1.0);
            // A label of a terminal takes a row of the drawing.
            let are_many = !self.is_file && ticks.len() > usual;
            if are_many && !is_tight {
                return false;
            }
            let places = fractions(ticks, axis);
            let is_apart = |two: &[f64]| (two[1] - two[0]).abs() * rows >= pitch - WITHIN;
            places.windows(2).all(is_apart) && self.widest(ticks) <= self.columns / 2.0
        };
        let mut chosen = choose_ticks(chart.choices_up(most, self.is_file), fewest, has_room);
        if !self.is_file {
            self.clear_long_labels((self.columns / 2.0).floor(), &mut chosen.ticks);
        }
        chosen
    }

    /// The lines of the upright name of a vertical axis of this many rows. If the frame is too low for the word, the
    /// residuals are abbreviated. Names that are in the legend, too, are left out if they are too long.
    fn name_up(&self, chart: &Chart, rows: f64) -> Vec<String> {
        let columns = upright_columns(rows);
        let is_long = self.width(&chart.up) > columns;
        match &*chart.up {
            name if !self.is_file || name.is_empty() => Vec::new(),
            "residuals" | "residuals/σ" if is_long => vec![chart.up.replace("iduals", ".")],
            _ if is_long && chart.has_name_in_head && chart.legend().len() > 1 => Vec::new(),
            name => {
                let lines = self.lines(name, columns);
                if lines.len() > MOST_NAME_LINES {
                    vec![name.to_owned()]
                } else {
                    lines
                }
            }
        }
    }

    /// The levels of a map. In a low frame only some have labels, and 0 is one of them.
    fn levels(&self, map: &PlotMap) -> MapLevels {
        let mut levels = MapLevels::of(map, self.is_file);
        self.clear_long_labels((self.columns / 4.0).floor(), &mut levels.ticks);
        let levels_per_label = (levels.ticks.len() + 1).div_ceil((self.rows as usize).max(1));
        let zero = levels.ticks.iter().position(|level| level.number == 0.0);
        for (at, tick) in levels.ticks.iter_mut().enumerate() {
            if at % levels_per_label != zero.unwrap_or(0) % levels_per_label {
                tick.label.clear();
            }
        }
        levels
    }

    /// The columns that are left between the labels of the vertical axes and what is to the right of the frames.
    fn inner_columns(
        &self,
        framed: &[FramedChart],
        levels: Option<&MapLevels>,
        name_across: &str,
    ) -> InnerColumns {
        let name_lines = framed.iter().map(|each| each.name.len()).max();
        let name_up_columns = NAME_COLUMNS * name_lines.unwrap_or(0) as f64;
        let label_columns = self.widest(framed.iter().flat_map(|each| &each.ticks.ticks));
        let left = name_up_columns + label_columns + self.side_columns();
        let mut right = if self.stands_beside_axis(name_across) {
            1.0 + self.width(name_across)
        } else {
            // The last label below the frame may end to the right of the frame.
            self.length(0.0, 2.0)
        };
        if let Some(levels) = levels {
            // An empty column is on each side of the bar, and before its name, which a file has.
            let name_columns = self.length(0.8 + NAME_COLUMNS, 0.0);
            let bar_columns = 1.0 + BAR + 1.0 + self.widest(&levels.ticks) + name_columns;
            right = right.max(bar_columns);
        }
        let inner = |right_columns: f64| InnerColumns {
            left,
            count: (self.columns - left - right_columns).max(1.0),
        };
        if self.is_file {
            // The ticks depend on the width, which depends on the last label: twice is enough for a label of one more
            // digit.
            for _ in 0..2 {
                let found = inner(right);
                let ticks = self.ticks_across(framed[0].chart, found).ticks;
                let axis = framed[0].chart.window.across;
                let beyond = ticks.iter().map(|tick| {
                    let end = axis.fraction_before(tick.number) * found.count;
                    end + self.width(&tick.label) / 2.0 - found.count
                });
                right = beyond.fold(right, f64::max);
            }
        }
        inner(right)
    }

    /// Whether this name of the horizontal axis is at the end of the axis, as a short name is on the terminal. Other
    /// names are below the labels.
    fn stands_beside_axis(&self, name: &str) -> bool {
        let most = (self.columns / 8.0).floor().max(SHORT_NAME_COLUMNS);
        !self.is_file && self.width(name) <= most
    }

    /// The column of the middle of a label, below its tick. On the terminal a label at an end moves so that it does not
    /// leave the chart.
    fn label_middle(&self, tick: &Tick, axis: ChartAxis, inner: InnerColumns) -> f64 {
        let half = self.width(&tick.label) / 2.0;
        let place = axis.fraction_before(tick.number) * inner.count;
        if self.is_file {
            return (inner.left + place).max(half);
        }
        let below_tick = inner.left + place.min(inner.count - WITHIN);
        below_tick.min(inner.label_end() - half).max(half)
    }

    /// The ticks of the horizontal axis, whose labels have room beside each other.
    fn ticks_across(&self, chart: &Chart, inner: InnerColumns) -> AxisTicks {
        let axis = chart.window.across;
        let most = if self.is_file {
            MOST_TICKS
        } else {
            (inner.count / COLUMNS_PER_LABEL) as usize + 2
        };
        let mut choices = tick_choices(axis, chart.words[0], most, self.is_file);
        // Words may be too long to be beside each other, so they are shortened to equal parts of the columns.
        if axis.has_words {
            let mut ticks = choices.swap_remove(0).axis_ticks;
            // On the terminal an empty column is between them.
            let gap = if self.is_file { 0.0 } else { 1.0 };
            let columns = (inner.count / ticks.ticks.len().max(1) as f64).floor() - gap;
            for tick in &mut ticks.ticks {
                tick.label = self.shorten(&tick.label, columns.max(0.0));
            }
            return ticks;
        }
        let has_room = |ticks: &[Tick], is_tight| self.has_room_for(ticks, is_tight, axis, inner);
        choose_ticks(choices, self.fewest_ticks(axis), has_room)
    }

    /// Whether the labels of all ticks have room beside each other.
    fn has_room_for(
        &self,
        ticks: &[Tick],
        is_tight: bool,
        axis: ChartAxis,
        inner: InnerColumns,
    ) -> bool {
        let gap = if is_tight && self.is_file {
            TIGHT_GAP
        } else {
            GAP
        };
        let mut next_free = 0.0;
        for tick in ticks {
            let half = self.width(&tick.label) / 2.0;
            let middle = self.label_middle(tick, axis, inner);
            let is_outside = !self.is_file && middle + half > inner.label_end();
            if middle - half < next_free || is_outside {
                return false;
            }
            next_free = middle + half + gap;
        }
        true
    }
}

/// A name and the unit at its end: `U`, ` [V]`.
fn split_unit(text: &str) -> (&str, &str) {
    let begin = match text.chars().last() {
        Some(')') => text.rfind(" ("),
        Some(']') => text.rfind(" ["),
        _ => text.rfind(" / "),
    };
    text.split_at(begin.unwrap_or(text.len()))
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

/// The columns inside all frames.
#[derive(Clone, Copy)]
struct InnerColumns {
    /// The first column.
    left: f64,
    count: f64,
}

impl InnerColumns {
    /// The column after the last one.
    fn end(self) -> f64 {
        self.left + self.count
    }

    /// The column where labels on the terminal must end: half a column to the right of the frame.
    fn label_end(self) -> f64 {
        self.end() + 0.5
    }
}

/// A chart that gets a frame, and the ticks of its vertical axis.
struct FramedChart<'c> {
    chart: &'c Chart<'c>,
    rows: f64,
    ticks: AxisTicks,
    /// The lines of the upright name of the vertical axis of a file.
    name: Vec<String>,
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
            let name = format!(
                "{} {}",
                map.name.as_ref().unwrap_or(&map.label),
                levels.common
            );
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

/// The columns of an upright text beside a frame of this many rows, which it may exceed a little.
fn upright_columns(rows: f64) -> f64 {
    ((rows + NAME_EXCESS) * COLUMNS_PER_ROW).floor()
}

/// The places of ticks, as fractions of their axis.
fn fractions(ticks: &[Tick], axis: ChartAxis) -> Vec<f64> {
    (ticks.iter().map(|tick| axis.fraction_before(tick.number))).collect()
}

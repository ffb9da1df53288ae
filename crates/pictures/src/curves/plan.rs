//! Plans a chart: the places, in cells, of the title and the legend, the frames with their ticks, and the bar of shades.
//!
//! The terminal and files draw the same plan. A place is a column and a row, which need not be whole numbers; the
//! terminal takes the cell that contains it.

use super::chart::{Chart, Mark, MarkShape};
use super::field::MapLevels;
use super::ticks::{Tick, axis_ticks};
use crate::shapes::Anchor;
use crate::shapes::letters::{ADVANCE, Font};
use chainrule_report::characters;
use chainrule_style::theme::Role;

/// The columns of a sample of a line in the legend.
pub(super) const SAMPLE: usize = 5;
/// Columns between two entries of the legend, and at least between two labels of an axis.
const GAP: usize = 3;
/// The columns that the name of the horizontal axis may take even in a narrow window: `t [min]`.
const NAME: usize = 7;
/// The most levels of a ground.
const LEVELS: usize = 11;
/// The columns of the bar that explains the shades.
pub(super) const BAR: usize = 2;
/// In a file: the columns that are as wide as a row is high, and the columns that the name of a vertical axis takes.
const HIGH: f64 = 2.4;
const UPRIGHT: usize = 2;
/// The most ticks of the vertical axis of a small file, if they have a row each.
const FEWEST: usize = 5;
/// The most letters that take a column.
const NARROW: usize = 3;
/// The part of its row above a label of the horizontal axis. It keeps the label off points at the lower edge.
const BELOW: f64 = 0.65;
/// The end of an axis or of a shade is moved back by this part of a cell; otherwise it would fall into the next cell.
const WITHIN: f64 = 0.01;

/// A column and a row.
pub(super) type PlanCell = (f64, f64);

/// The room for a chart.
pub(super) struct PlanRoom {
    pub columns: usize,
    /// The rows of the frame, and of a second one below.
    pub rows: usize,
    pub rows_below: usize,
    /// Whether it is for a file. There letters have their own widths, names of axes stand upright, and the remarks stand
    /// above the frame with a row between.
    pub in_file: bool,
}

impl PlanRoom {
    /// The columns that a text takes.
    fn wide(&self, text: &str) -> usize {
        if self.in_file {
            (Font::Sans.width(text, 1.0) / ADVANCE - WITHIN).ceil() as usize
        } else {
            characters::width(text)
        }
    }

    /// A text that takes at most so many columns.
    fn shorten(&self, text: &str, columns: usize) -> String {
        let clean = characters::clean(text);
        let most = characters::width(&clean).min(NARROW * columns);
        let mut cut = (0..=most)
            .rev()
            .map(|it| characters::shorten_end(&clean, it));
        let found = cut.find(|it| self.wide(it) <= columns);
        found.unwrap_or_default().into_owned()
    }

    /// The columns of the widest label.
    fn widest<'l>(&self, ticks: impl IntoIterator<Item = &'l Tick>) -> usize {
        let lengths = ticks.into_iter().map(|tick| self.wide(&tick.label));
        lengths.max().unwrap_or(0)
    }

    /// Empties labels that are too long, because a part of a number would be misleading.
    fn clear_beyond(&self, columns: usize, ticks: &mut [Tick]) {
        for tick in ticks.iter_mut().filter(|it| self.wide(&it.label) > columns) {
            tick.label.clear();
        }
    }
}

pub(super) struct ChartPlan<'c> {
    pub texts: Vec<PlanText>,
    /// The places where samples of marks begin.
    pub samples: Vec<(PlanCell, &'c Mark)>,
    pub frames: Vec<PlanFrame<'c>>,
    /// The levels of the first frame's ground, and the column where their bar begins.
    pub levels: Option<(MapLevels, usize)>,
    pub columns: usize,
    pub rows: usize,
}

/// A line of text. Its place is halfway down its row, at its begin, middle or end.
pub(super) struct PlanText {
    pub at: PlanCell,
    pub anchor: Anchor,
    pub role: Role,
    pub text: String,
    /// Whether it runs upwards.
    pub upright: bool,
}

/// The inner room of a frame, and its ticks in parts of width and height.
pub(super) struct PlanFrame<'c> {
    pub chart: &'c Chart<'c>,
    pub left: usize,
    pub top: usize,
    pub columns: usize,
    pub rows: usize,
    pub across: Vec<f64>,
    pub up: Vec<f64>,
}

impl<'c> ChartPlan<'c> {
    pub(super) fn of(chart: &'c Chart<'c>, room: &PlanRoom) -> ChartPlan<'c> {
        let mut plan = ChartPlan {
            texts: Vec::new(),
            samples: Vec::new(),
            frames: Vec::new(),
            levels: None,
            columns: room.columns,
            rows: 0,
        };
        plan.place_head(chart, room);
        let below = chart.below.as_deref();
        let below = below.map(|below| (below, room.rows_below));
        let charts: Vec<_> = std::iter::once((chart, room.rows)).chain(below).collect();
        let ticks = charts.iter().map(|(chart, rows)| {
            let fewest = if room.in_file { FEWEST.min(*rows) } else { 1 };
            // At least two ticks make a scale.
            let mut each = (fewest.max(rows / 3 + 1)..=*rows).map(|most| chart.ticks_up(most));
            let found = each.find(|found| found.len() > 1);
            let every_second = || chart.ticks_up(2 * rows).into_iter().step_by(2).collect();
            let mut ticks = found.unwrap_or_else(every_second);
            room.clear_beyond(room.columns / 2, &mut ticks);
            ticks
        });
        let ticks: Vec<Vec<Tick>> = ticks.collect();
        let upright = if room.in_file { UPRIGHT } else { 0 };
        let left = upright + 2 + room.widest(ticks.iter().flatten());
        let name = room.shorten(&chart.across, room.columns);
        let wide = room.wide(&name);
        // On the terminal a short name ends its axis; others stand below the labels.
        let is_beside = !room.in_file && wide <= (room.columns / 8).max(NAME);
        let mut right = if is_beside { 1 + wide } else { 2 };
        let levels = chart.map.map(|map| {
            let mut levels = MapLevels::of(map, LEVELS.min(room.rows - 1));
            room.clear_beyond(room.columns / 4, &mut levels.ticks);
            right = right.max(BAR + 2 + room.widest(&levels.ticks));
            levels
        });
        let columns = room.columns.saturating_sub(left + right).max(1);
        // On the terminal the lower side of a frame takes a row.
        let side = usize::from(!room.in_file);
        for ((chart, rows), ticks) in charts.into_iter().zip(ticks) {
            plan.above(chart, left, room);
            let (top, axis) = (plan.rows, chart.window.up);
            let up: Vec<f64> = ticks.iter().map(|tick| axis.at(tick.number)).collect();
            let height = rows as f64;
            if room.in_file {
                // The name may reach a little above and below its frame.
                let most = (height + 1.5) * HIGH;
                plan.texts.push(PlanText {
                    at: (0.7, top as f64 + height / 2.0),
                    anchor: Anchor::Middle,
                    role: Role::Name,
                    text: room.shorten(&chart.up, most as usize),
                    upright: true,
                });
            }
            for (part, tick) in up.iter().zip(ticks) {
                let down = (height * (1.0 - part)).min(height - WITHIN);
                let at = (left as f64 - 2.0, top as f64 + down);
                plan.text(at, Anchor::End, Role::Dim, tick.label);
            }
            plan.rows += rows + side;
            plan.frames.push(PlanFrame {
                chart,
                left,
                top,
                columns,
                rows,
                across: Vec::new(),
                up,
            });
        }
        plan.across(chart, (left, columns), room);
        if is_beside {
            let row = (plan.rows - side) as f64 + 0.5;
            let at = ((left + columns + 1) as f64, row);
            plan.text(at, Anchor::Start, Role::Name, name);
        } else if wide > 0 {
            plan.rows += 1;
            let (half, whole) = (wide as f64 / 2.0, room.columns as f64);
            let middle = (left as f64 + columns as f64 / 2.0).min(whole - half);
            let at = (middle.max(half), plan.rows as f64 + 0.5);
            plan.text(at, Anchor::Middle, Role::Name, name);
        }
        plan.rows += 1;
        plan.levels = levels.map(|levels| (levels, left + columns + 1));
        plan.bar();
        plan
    }

    fn text(&mut self, at: PlanCell, anchor: Anchor, role: Role, text: String) {
        if !text.is_empty() {
            self.texts.push(PlanText {
                at,
                anchor,
                role,
                text,
                upright: false,
            });
        }
    }

    /// Adds a text to the last row.
    fn word(&mut self, column: usize, role: Role, text: String) {
        let at = (column as f64, self.rows as f64 - 0.5);
        self.text(at, Anchor::Start, role, text);
    }

    /// Adds a text after the others of its row, with room before it, or where a new row begins; returns where it begins.
    fn flow(
        &mut self,
        (next, room): (&mut usize, &PlanRoom),
        lead: usize,
        (role, text): (Role, &str),
    ) -> usize {
        let text = room.shorten(text, self.columns.saturating_sub(lead));
        let wide = lead + room.wide(&text);
        if *next + wide > self.columns {
            self.rows += 1;
            *next = 0;
        }
        let begin = *next;
        *next += wide + GAP;
        self.word(begin + lead, role, text);
        begin
    }

    /// Adds the title, the legend and the remarks.
    fn place_head(&mut self, chart: &'c Chart, room: &PlanRoom) {
        let mut next = self.columns;
        let is_said = room.in_file && chart.is_title_said;
        if !chart.title.is_empty() && !is_said {
            self.flow((&mut next, room), 0, (Role::Heading, &chart.title));
        }
        for mark in chart.legend() {
            let lead = match mark.shape {
                MarkShape::Line(..) => SAMPLE + 1,
                MarkShape::Point(..) => 4,
                MarkShape::Dots(_) => 2,
            };
            let column = self.flow((&mut next, room), lead, (Role::Formula, &mark.label));
            let at = (column as f64, self.rows as f64 - 0.5);
            self.samples.push((at, mark));
        }
        next = self.columns;
        for said in chart.points_in_words.iter().filter(|_| room.in_file) {
            self.flow((&mut next, room), 0, (Role::Dim, said));
        }
    }

    /// Adds the name of the vertical axis above a frame, unless it stands upright beside it.
    fn above(&mut self, chart: &Chart, left: usize, room: &PlanRoom) {
        let is_named = !room.in_file && !chart.is_up_said && !chart.up.is_empty();
        self.rows += usize::from(is_named || room.in_file && self.rows > 0);
        if !is_named {
            return;
        }
        let name = room.shorten(&chart.up, self.columns);
        let column = (left - 1).saturating_sub(room.wide(&name) / 2);
        self.word(column, Role::Name, name);
    }

    /// The ticks of the horizontal axis, and their labels below the last frame. There are as many as have room.
    fn across(&mut self, chart: &Chart, (left, columns): (usize, usize), room: &PlanRoom) {
        let axis = chart.window.across;
        let (begin, wide) = (left as f64, columns as f64);
        let end = begin + wide + 0.5;
        // A label stands below its tick, but a label at an end is moved so that it does not leave the chart.
        let half = |tick: &Tick| room.wide(&tick.label) as f64 / 2.0;
        let middle = |tick: &Tick| {
            let middle = begin + (axis.at(tick.number) * wide).min(wide - WITHIN);
            middle.min(end - half(tick)).max(half(tick))
        };
        let fits = |ticks: &Vec<Tick>| {
            let mut free = 0.0;
            axis.has_words
                || ticks.iter().all(|tick| {
                    let (middle, half) = (middle(tick), half(tick));
                    let fits = middle - half >= free && middle + half <= end;
                    free = middle + half + GAP as f64;
                    fits
                })
        };
        let choices = (2..=columns / 8 + 2).rev();
        let mut choices = choices.map(|most| axis_ticks(axis, chart.words[0], most));
        let mut ticks = choices.find(fits).unwrap_or_default();
        if axis.has_words {
            // Words are cut where there is no room for all.
            let gap = usize::from(!room.in_file);
            let most = (columns / ticks.len().max(1)).saturating_sub(gap);
            for tick in &mut ticks {
                tick.label = room.shorten(&tick.label, most);
            }
        }
        for frame in &mut self.frames {
            frame.across = ticks.iter().map(|tick| axis.at(tick.number)).collect();
        }
        for tick in ticks {
            let at = (middle(&tick), self.rows as f64 + BELOW);
            self.text(at, Anchor::Middle, Role::Dim, tick.label);
        }
    }

    /// The labels of the bar: each level between its two shades.
    fn bar(&mut self) {
        let Some(((levels, column), frame)) = self.levels.as_ref().zip(self.frames.first()) else {
            return;
        };
        let (top, rows, bands) = (frame.top as f64, frame.rows as f64, levels.bands() as f64);
        let column = (column + BAR + 1) as f64;
        let labels = levels.ticks.iter().map(|tick| tick.label.clone());
        for (label, at) in labels.collect::<Vec<_>>().into_iter().zip(1..) {
            let at = (column, top + rows * (1.0 - f64::from(at) / bands) - WITHIN);
            self.text(at, Anchor::Start, Role::Dim, label);
        }
    }
}

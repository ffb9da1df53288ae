//! The room for a chart: which texts, labels and ticks fit, and how wide the frames are.

use super::chart::Chart;
use super::field::MapLevels;
use super::ticks::{AxisTicks, Tick, choose_ticks, tick_choices};
use super::window::ChartAxis;
use crate::shapes::letters::MONO_ADVANCE;
use crate::shapes::typeset;
use chainrule_report::{PlotMap, Scale, characters};

/// The most lines of the name of a vertical axis.
const MOST_NAME_LINES: usize = 3;
/// The columns between two entries of the legend, and at least between two labels of an axis.
pub(super) const GAP: f64 = 3.0;
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
pub(super) const NAME_COLUMNS: f64 = 2.0;
/// The rows by which an upright name may exceed its frame.
const NAME_EXCESS: f64 = 0.8;
/// On the terminal, the horizontal axis has at most about one label in this many columns.
const COLUMNS_PER_LABEL: f64 = 8.0;
/// The most ticks of an axis in a file.
const MOST_TICKS: usize = 7;
/// The rows of a file from a label of a vertical axis to the next one, and if there is no room for more.
const PITCH: f64 = 1.25;
const TIGHT_PITCH: f64 = 0.85;
/// The most letters that fit in a column of a file, which is enough for narrow letters such as `i`.
const LETTERS_PER_COLUMN: f64 = 3.0;
/// The end of an axis or of a shade moves back by this fraction of a cell, because its exact place is in the next cell.
pub(super) const WITHIN: f64 = 0.01;

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
    pub(super) fn width(&self, text: &str) -> f64 {
        if self.is_file {
            typeset::width(text, 1.0) / MONO_ADVANCE
        } else {
            characters::width(text) as f64
        }
    }

    /// The text, shortened to at most this many columns. A unit at its end stays if there is room for it.
    pub(super) fn shorten(&self, text: &str, columns: f64) -> String {
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
    pub(super) fn lines(&self, text: &str, columns: f64) -> Vec<String> {
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
    pub(super) fn widest<'l>(&self, ticks: impl IntoIterator<Item = &'l Tick>) -> f64 {
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
    pub(super) fn lower_side(&self) -> f64 {
        if self.is_file { 0.0 } else { 1.0 }
    }

    /// A length in a file, which wastes no room, and on the terminal, which has whole cells.
    pub(super) fn length(&self, in_file: f64, on_terminal: f64) -> f64 {
        if self.is_file { in_file } else { on_terminal }
    }

    /// The columns between the labels of a vertical axis and the inside of its frame: an empty one and the side of the
    /// frame.
    pub(super) fn side_columns(&self) -> f64 {
        self.length(1.2, 2.0)
    }

    /// The height of a row of text after so many rows. The first one in a file has no room above its letters.
    pub(super) fn row_after(&self, rows: f64) -> f64 {
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
    pub(super) fn ticks_up(&self, chart: &Chart, rows: f64) -> AxisTicks {
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
    pub(super) fn name_up(&self, chart: &Chart, rows: f64) -> Vec<String> {
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
    pub(super) fn levels(&self, map: &PlotMap) -> MapLevels {
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
    pub(super) fn inner_columns(
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
    pub(super) fn stands_beside_axis(&self, name: &str) -> bool {
        let most = (self.columns / 8.0).floor().max(SHORT_NAME_COLUMNS);
        !self.is_file && self.width(name) <= most
    }

    /// The column of the middle of a label, below its tick. On the terminal a label at an end moves so that it does not
    /// leave the chart.
    pub(super) fn label_middle(&self, tick: &Tick, axis: ChartAxis, inner: InnerColumns) -> f64 {
        let half = self.width(&tick.label) / 2.0;
        let place = axis.fraction_before(tick.number) * inner.count;
        if self.is_file {
            return (inner.left + place).max(half);
        }
        let below_tick = inner.left + place.min(inner.count - WITHIN);
        below_tick.min(inner.label_end() - half).max(half)
    }

    /// The ticks of the horizontal axis, whose labels have room beside each other.
    pub(super) fn ticks_across(&self, chart: &Chart, inner: InnerColumns) -> AxisTicks {
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

/// The columns inside all frames.
#[derive(Clone, Copy)]
pub(super) struct InnerColumns {
    /// The first column.
    pub left: f64,
    pub count: f64,
}

impl InnerColumns {
    /// The column after the last one.
    pub(super) fn end(self) -> f64 {
        self.left + self.count
    }

    /// The column where labels on the terminal must end: half a column to the right of the frame.
    pub(super) fn label_end(self) -> f64 {
        self.end() + 0.5
    }
}

/// A chart that gets a frame, and the ticks of its vertical axis.
pub(super) struct FramedChart<'c> {
    pub chart: &'c Chart<'c>,
    pub rows: f64,
    pub ticks: AxisTicks,
    /// The lines of the upright name of the vertical axis of a file.
    pub name: Vec<String>,
}

/// The columns of an upright text beside a frame of this many rows, which it may exceed a little.
pub(super) fn upright_columns(rows: f64) -> f64 {
    ((rows + NAME_EXCESS) * COLUMNS_PER_ROW).floor()
}

/// The places of ticks, as fractions of their axis.
pub(super) fn fractions(ticks: &[Tick], axis: ChartAxis) -> Vec<f64> {
    (ticks.iter().map(|tick| axis.fraction_before(tick.number))).collect()
}

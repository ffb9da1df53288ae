//! Where everything of a chart is, in cells: the title and the legend, the frames with their ticks, the bar of the shades.
//!
//! The terminal and files draw the same plan. Places in it are columns and rows that may be parts of a cell: where
//! something stands in the middle of, the terminal takes the cell that holds it.

use super::chart::{Chart, Mark, MarkShape};
use super::field::MapLevels;
use super::ticks;
use super::window::ChartAxis;
use crate::view::characters;
use crate::view::picture::shapes::Anchor;
use crate::view::theme::Role;

/// How long the sample of a line in the legend is.
pub(super) const SAMPLE: usize = 5;
/// Columns between two entries of the legend, and at least between two labels of an axis.
const GAP: usize = 3;
/// The most levels of a ground.
const LEVELS: usize = 11;
/// The columns of the bar that explains the shades.
pub(super) const BAR: usize = 2;
/// So little keeps the end of an axis, or of a shade, in its last cell.
const WITHIN: f64 = 0.01;

/// A column and a row.
pub(super) type PlanCell = (f64, f64);

/// The room for a chart.
pub(super) struct PlanRoom {
    pub columns: usize,
    /// The rows of the frame; a second one below has half as many.
    pub rows: usize,
    /// The rows that the lower side of a frame takes for itself.
    pub side: usize,
    /// Above the frame stands what is said of the present points, and there is always a row between.
    pub says: bool,
    pub ascii: bool,
}

pub(super) struct ChartPlan<'c> {
    pub texts: Vec<PlanText>,
    /// Where samples of marks begin.
    pub samples: Vec<(PlanCell, &'c Mark)>,
    pub frames: Vec<PlanFrame<'c>>,
    /// The levels of the first frame's ground, and the column where their bar begins.
    pub levels: Option<(MapLevels, usize)>,
    pub columns: usize,
    pub rows: usize,
}

/// A line of text: where it begins, has its middle, or ends, halfway down its row.
pub(super) struct PlanText {
    pub at: PlanCell,
    pub anchor: Anchor,
    pub role: Role,
    pub text: String,
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
        plan.head(chart, room);
        let below = chart.below.as_deref().map(|below| (below, room.rows / 2));
        let charts: Vec<_> = std::iter::once((chart, room.rows)).chain(below).collect();
        let ticks = charts.iter().map(|(chart, rows)| {
            let (ticks, mut labels) = ticks::along(chart.window.up, rows / 3 + 1);
            clear_beyond(room.columns / 2, &mut labels);
            (ticks, labels)
        });
        let ticks: Vec<ticks::Ticks> = ticks.collect();
        let left = 2 + widest(ticks.iter().flat_map(|(_, labels)| labels));
        let name = characters::clean(chart.across, room.ascii);
        let name = characters::shorten_middle(&name, room.columns / 8, room.ascii).into_owned();
        let mut right = 1 + characters::width(&name);
        let levels = chart.ground.map(|map| {
            let mut levels = MapLevels::of(map, LEVELS.min(room.rows - 1));
            clear_beyond(room.columns / 4, &mut levels.labels);
            clear_beyond(room.columns / 4, levels.only.as_mut_slice());
            right = right.max(BAR + 2 + widest(levels.labels.iter().chain(&levels.only)));
            levels
        });
        let columns = room.columns.saturating_sub(left + right).max(1);
        for ((chart, rows), (ticks, labels)) in charts.into_iter().zip(ticks) {
            plan.above(chart, left, room);
            let (top, axis) = (plan.rows, chart.window.up);
            let up: Vec<f64> = ticks.iter().map(|tick| axis.part(*tick)).collect();
            let height = rows as f64;
            for (part, label) in up.iter().zip(labels) {
                let down = (height * (1.0 - part)).min(height - WITHIN);
                let at = (left as f64 - 2.0, top as f64 + down);
                plan.text(at, Anchor::End, Role::Dim, label);
            }
            plan.rows += rows + room.side;
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
        plan.across(chart.window.across, (left, columns));
        let below = (plan.rows - room.side) as f64 + 0.5;
        let at = ((left + columns + 1) as f64, below);
        plan.text(at, Anchor::Start, Role::Name, name);
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
            });
        }
    }

    /// Adds a text to the last row.
    fn word(&mut self, column: usize, role: Role, text: String) {
        let at = (column as f64, self.rows as f64 - 0.5);
        self.text(at, Anchor::Start, role, text);
    }

    /// The title, and a legend where that says more; what is said.
    fn head(&mut self, chart: &'c Chart, room: &PlanRoom) {
        let short = |text: &str, columns| shortened(text, columns, room.ascii);
        let mut column = self.columns;
        if !chart.title.is_empty() {
            let beside = GAP + chart.scale.len();
            let beside = if chart.scale.is_empty() { 0 } else { beside };
            let title = short(&chart.title, self.columns.saturating_sub(beside));
            column = characters::width(&title);
            self.rows += 1;
            self.word(0, Role::Heading, title);
            self.word(column + GAP, Role::Dim, short(chart.scale, self.columns));
        }
        let scale = Some((None, chart.scale)).filter(|(_, scale)| !scale.is_empty());
        let legend = chart.legend().into_iter();
        let legend = legend.map(|mark| (Some(mark), mark.label.as_str()));
        let entries: Vec<(Option<&Mark>, &str)> = match (&*chart.title, chart.ground) {
            ("", _) => legend.chain(scale).collect(),
            (_, Some(_)) => legend.collect(),
            (_, None) => Vec::new(),
        };
        column += self.columns;
        for (mark, label) in entries {
            let lead = match mark.map(|mark| &mark.shape) {
                None => 0,
                Some(MarkShape::Line(..)) => SAMPLE + 1,
                Some(_) => 2,
            };
            let label = short(label, self.columns.saturating_sub(lead));
            let wide = lead + characters::width(&label);
            if column + wide > self.columns {
                self.rows += 1;
                column = 0;
            }
            let middle = self.rows as f64 - 0.5;
            let sample = mark.map(|mark| ((column as f64, middle), mark));
            self.samples.extend(sample);
            let role = mark.map_or(Role::Dim, |_| Role::Formula);
            self.word(column + lead, role, label);
            column += wide + GAP;
        }
        for said in chart.said.iter().filter(|_| room.says) {
            self.rows += 1;
            self.word(0, Role::Dim, short(said, self.columns));
        }
    }

    /// What stands above a frame: the name of its axis, or the names of all that is in a second one.
    fn above(&mut self, chart: &Chart, left: usize, room: &PlanRoom) {
        let is_first = self.frames.is_empty();
        if is_first && chart.up.is_empty() && !room.says {
            return;
        }
        self.rows += 1;
        if is_first {
            let name = shortened(chart.up, self.columns, room.ascii);
            let wide = characters::width(&name);
            self.word((left - 1).saturating_sub(wide / 2), Role::Name, name);
        } else {
            let names = shortened(
                &chart.names(),
                self.columns.saturating_sub(left),
                room.ascii,
            );
            self.word(left, Role::Dim, names);
        }
    }

    /// The ticks of the horizontal axis, and their labels below the last frame: as many as have room.
    fn across(&mut self, axis: ChartAxis, (left, columns): (usize, usize)) {
        let (begin, wide) = (left as f64, columns as f64);
        let end = begin + wide + 0.5;
        // A label stands below its tick, that at the right end below the frame.
        let middle = |tick: f64, label: &str| {
            let half = label.len() as f64 / 2.0;
            let middle = begin + (axis.part(tick) * wide).min(wide - WITHIN);
            middle.min(end - half).max(half)
        };
        let fits = |(ticks, labels): &ticks::Ticks| {
            let mut free = 0.0;
            ticks.iter().zip(labels).all(|(tick, label)| {
                let (middle, half) = (middle(*tick, label), label.len() as f64 / 2.0);
                let fits = middle - half >= free && middle + half <= end;
                free = middle + half + GAP as f64;
                fits
            })
        };
        let choices = (2..=columns / 8 + 2).rev();
        let mut choices = choices.map(|most| ticks::along(axis, most));
        let (ticks, labels) = choices.find(fits).unwrap_or_else(|| {
            let first = ticks::along(axis, 2);
            let first = first.0.into_iter().zip(first.1).take(1);
            first
                .filter(|(_, label)| label.len() <= self.columns)
                .unzip()
        });
        for frame in &mut self.frames {
            frame.across = ticks.iter().map(|tick| axis.part(*tick)).collect();
        }
        for (tick, label) in ticks.into_iter().zip(labels) {
            let at = (middle(tick, &label), self.rows as f64 + 0.5);
            self.text(at, Anchor::Middle, Role::Dim, label);
        }
    }

    /// The labels of the bar: each level between its two shades.
    fn bar(&mut self) {
        let Some(((levels, column), frame)) = self.levels.as_ref().zip(self.frames.first()) else {
            return;
        };
        let (top, rows) = (frame.top as f64, frame.rows as f64);
        let bands = (levels.values.len() + 1) as f64;
        let labels = levels.labels.iter().zip(1..);
        let labels = labels.map(|(label, at)| (label.clone(), f64::from(at) / bands));
        let labels = labels.chain(levels.only.clone().map(|only| (only, 0.5)));
        let column = (column + BAR + 1) as f64;
        let labels: Vec<(String, f64)> = labels.collect();
        for (label, part) in labels {
            let at = (column, top + rows * (1.0 - part) - WITHIN);
            self.text(at, Anchor::Start, Role::Dim, label);
        }
    }
}

fn shortened(text: &str, columns: usize, ascii: bool) -> String {
    let clean = characters::clean(text, ascii);
    characters::shorten_end(&clean, columns, ascii).into_owned()
}

/// No number is better than a part of one.
fn clear_beyond(columns: usize, labels: &mut [String]) {
    for label in labels.iter_mut().filter(|label| label.len() > columns) {
        label.clear();
    }
}

fn widest<'l>(labels: impl Iterator<Item = &'l String>) -> usize {
    labels.map(String::len).max().unwrap_or(0)
}

//! Draws a chart as shapes, for files: its texts, its axes, the map with its bar, and the marks.
//!
//! Lines and points on a map are black and white, so they can be seen on every shade.

use std::borrow::Cow;
use std::collections::HashSet;

use super::chart::{Chart, ChartPlace, LineLook, Mark, MarkShape};
use super::field::{ContourField, ContourPoint, MapLevels, level_parts};
use super::plan::{BAR, ChartPlan, PlanCell, PlanFrame, PlanRoom, PlanText, SAMPLE};
use super::ticks::{Tick, small_ticks};
use super::window::{ChartAxis, clip, inside};
use crate::shapes::letters::Font;
use crate::shapes::{
    Contour, Ink, PathStep, Scene, SceneGroup, SceneText, Sketch, Stroke, corners, letters,
};
use chainrule_report::{PlotMap, PlotSize};
use chainrule_style::theme::Role;

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
/// The empty edge around what is drawn.
pub(super) const EDGE: f64 = 14.0;
/// The height of letters.
pub(super) const LETTERS: f64 = 14.0;
/// The width and the height of a cell of the plan.
pub(super) const CELL: (f64, f64) = (letters::MONO_ADVANCE * LETTERS, 21.0);
/// The width of a curve.
const WIDTH: f64 = 2.5;
/// The size of the signs of dots.
const MARK: f64 = 4.5;
/// The dashes by which curves differ without colours.
const DASHES: [&[f64]; 6] = [
    &[],
    &[3.0, 1.5],
    &[0.6, 1.0],
    &[5.0, 1.2, 0.6, 1.2],
    &[7.0, 2.0],
    &[3.0, 1.2, 0.6, 1.2, 0.6, 1.2],
];
/// The length of a tick.
const TICK: f64 = 5.0;
/// The length of a small tick of a logarithmic axis.
const SMALL_TICK: f64 = 3.0;
/// The least length of a power of ten that has small ticks.
const DECADE: f64 = 30.0;
/// The length of the arrow downhill.
const ARROW: f64 = 64.0;
/// The least length of that arrow; a shorter one would lie under its point.
const LEAST_ARROW: f64 = 16.0;
/// The radius of the present point.
const POINT: f64 = 6.0;
/// A path of at most this many steps has a dot for each.
const MOST_DOTTED_STEPS: usize = 60;
/// A chart with more dots than this shows the cells of a grid that contain dots instead.
const MOST_DOTS: usize = 2_000;
/// The least side of a cell of that grid.
const GRID: f64 = 2.0;
/// The most cells of the grids of all series together, which decides the size of the cells.
const MOST_CELLS: f64 = 36_000.0;
/// A map whose areas have more corners than this becomes coarser.
const MOST_CORNERS: usize = 30_000;
/// A line with more places than this loses the places that cannot be seen.
const MOST_PLACES: usize = 5_000;
const AXIS: Stroke = Stroke::solid(Ink::Wire, 1.25);
/// White and black on the shades of a map.
const WHITE: Ink = Ink::OnShade(0);
const BLACK: Ink = Ink::OnShade(255);
/// The strokes of lines on a map, the lower one first.
const BOUNDARY: [(Ink, f64); 2] = [(WHITE, 6.0), (BLACK, 3.0)];
const PATH: [(Ink, f64); 2] = [(BLACK, 4.0), (WHITE, 2.0)];

/// A plan, and the factor by which its picture is shown smaller or larger.
struct ZoomedPlan<'c> {
    plan: ChartPlan<'c>,
    zoom: f64,
}

/// The picture of a chart. Readers who do not see it get the title. `page_width` is the width of a narrow page in pixels.
pub(super) fn scene(chart: &Chart, title: String, page_width: Option<usize>) -> Scene {
    let usual = page_width.map_or(WIDE, |pixels| (pixels as f64).clamp(LEAST_WIDE, WIDE));
    let usual_rows = ((ROWS as f64 * usual / WIDE) as usize).max(NARROW_ROWS);
    let shown_width = chart.size.map_or(usual, |size| size.width);
    let ZoomedPlan { plan, zoom } = match chart.size {
        Some(size) => plan_of_size(chart, size, usual_rows),
        None => plan_of_width(chart, shown_width, usual_rows),
    };
    let mut sketch = Sketch::default();
    for text in &plan.texts {
        sketch.plan_text(place(text.at), text);
    }
    for (at, mark) in &plan.samples {
        sketch.sample(mark, place(*at));
    }
    for frame in &plan.frames {
        sketch.frame(frame, plan.levels.as_ref());
    }
    let remarks = chart
        .points_in_words
        .iter()
        .map(|remark| format!(" {remark}."));
    let (_, lower) = place((0.0, plan.rows as f64));
    Scene {
        width: shown_width / zoom,
        height: chart.size.map_or(lower + EDGE, |size| size.height / zoom),
        zoom: Some(zoom),
        is_for_print: chart.size.is_some_and(|size| size.is_for_print),
        font: Font::Sans,
        title,
        description: chart.description.clone() + &remarks.collect::<String>(),
        shapes: sketch.shapes,
    }
}

/// The number of cells in a length without the edges.
fn cells(length: f64, cell: f64) -> usize {
    ((length - 2.0 * EDGE) / cell).max(1.0) as usize
}

/// The plan of a chart that is as high as it needs.
fn plan_of_width<'c>(chart: &'c Chart<'c>, width: f64, rows: usize) -> ZoomedPlan<'c> {
    let zoom = (width / LEAST_WIDE).min(1.0);
    let room = PlanRoom {
        columns: cells(width / zoom, CELL.0),
        rows,
        rows_below: rows / 2,
        is_file: true,
    };
    ZoomedPlan {
        plan: ChartPlan::of(chart, &room),
        zoom,
    }
}

/// The plan of a chart that fills this size. The frames get the rows that all other parts leave, the lower one a third of
/// them.
fn plan_of_size<'c>(chart: &'c Chart<'c>, size: PlotSize, rows: usize) -> ZoomedPlan<'c> {
    let PlotSize { width, height, .. } = size;
    let free = plan_of_width(chart, width, rows);
    let frame_rows: usize = free.plan.frames.iter().map(|frame| frame.rows).sum();
    let other_rows = free.plan.rows - frame_rows;
    let frames_below = free.plan.frames.len() - 1;
    let least_rows = other_rows + LEAST_ROWS + LEAST_ROWS_BELOW * frames_below;
    let zoom = free
        .zoom
        .min(height / (2.0 * EDGE + least_rows as f64 * CELL.1));
    let all_rows = cells(height / zoom, CELL.1);
    let rest = all_rows.saturating_sub(other_rows);
    let rows_below = frames_below * (rest / 3).max(LEAST_ROWS_BELOW);
    let mut room = PlanRoom {
        columns: cells(width / zoom, CELL.0),
        rows: rest.saturating_sub(rows_below).max(2),
        rows_below,
        is_file: true,
    };
    let first = ChartPlan::of(chart, &room);
    // In a wider picture the words above may take fewer rows.
    room.rows += all_rows.saturating_sub(first.rows);
    let plan = ChartPlan::of(chart, &room);
    // The rest of the height makes everything a little larger, unless that takes more rows.
    let larger_zoom = height / (2.0 * EDGE + plan.rows as f64 * CELL.1);
    room.columns = cells(width / larger_zoom, CELL.0);
    let larger = ChartPlan::of(chart, &room);
    if larger.rows == plan.rows {
        ZoomedPlan {
            plan: larger,
            zoom: larger_zoom,
        }
    } else {
        ZoomedPlan { plan, zoom }
    }
}

/// The place on the picture of a place of the plan.
fn place((column, row): PlanCell) -> (f64, f64) {
    (EDGE + column * CELL.0, EDGE + row * CELL.1)
}

/// The strokes of a line, the lowest first.
fn strokes(look: LineLook, series: u8) -> Vec<Stroke> {
    let curve = |width| Stroke::solid(Ink::Curve(series), width);
    let on_map = |widths: [(Ink, f64); 2]| widths.map(|(ink, width)| Stroke::solid(ink, width));
    match look {
        LineLook::Curve(before) => vec![Stroke {
            dashes: DASHES[before % DASHES.len()],
            ..curve(WIDTH)
        }],
        LineLook::Band => Vec::new(),
        LineLook::Thin => vec![Stroke::of(Ink::Curve(series), 1.25, true)],
        LineLook::ErrorBar | LineLook::Bars => vec![curve(1.5)],
        LineLook::Boundary => on_map(BOUNDARY).to_vec(),
        LineLook::Path => on_map(PATH).to_vec(),
    }
}

impl PlanFrame<'_> {
    /// Its width and height on the picture.
    fn size(&self) -> (f64, f64) {
        (self.columns as f64 * CELL.0, self.rows as f64 * CELL.1)
    }

    /// The place on the picture of a place in parts of width and height.
    fn place(&self, (x, y): ChartPlace) -> (f64, f64) {
        let right = self.left as f64 + x * self.columns as f64;
        place((right, self.top as f64 + (1.0 - y) * self.rows as f64))
    }

    /// Leaves out places that cannot be seen if there are many. Of the places in one column of pixels only the [`ends`]
    /// stay. If there are still too many, as in a line that goes to and fro, longer runs keep only their ends.
    fn thin_out<'p>(&self, places: &'p [ChartPlace]) -> Cow<'p, [ChartPlace]> {
        if places.len() <= MOST_PLACES {
            return Cow::Borrowed(places);
        }
        let column = |place: &ChartPlace| (place.0 * self.size().0).floor();
        let columns = places.chunk_by(|one, other| column(one) == column(other));
        let mut visible: Vec<ChartPlace> = columns.flat_map(ends).collect();
        visible.dedup();
        if visible.len() > MOST_PLACES {
            let runs = visible.chunks(visible.len().div_ceil(MOST_PLACES / 4));
            visible = runs.flat_map(ends).collect();
        }
        Cow::Owned(visible)
    }

    /// Lines through places, without the parts outside the window.
    fn polylines(&self, lines: &[Vec<ChartPlace>]) -> Vec<PathStep> {
        lines.iter().flat_map(|line| self.polyline(line)).collect()
    }

    /// A line through places, without the parts outside the window.
    fn polyline(&self, places: &[ChartPlace]) -> Vec<PathStep> {
        let mut steps = Vec::new();
        let mut end = None;
        for pair in self.thin_out(places).windows(2) {
            let Some([from, to]) = clip(pair[0], pair[1]) else {
                end = None;
                continue;
            };
            if end != Some(from) {
                let (x, y) = self.place(from);
                steps.push(PathStep::Move(x, y));
            }
            let (x, y) = self.place(to);
            steps.push(PathStep::Line(x, y));
            end = Some(to);
        }
        steps
    }
}

/// An axis of a frame.
struct FrameAxis<'p> {
    frame: &'p PlanFrame<'p>,
    is_up: bool,
    scale: ChartAxis,
    /// The ticks, in parts of the axis.
    ticks: &'p [f64],
    /// The length in pixels.
    length: f64,
}

impl<'p> FrameAxis<'p> {
    fn both(frame: &'p PlanFrame<'p>) -> [FrameAxis<'p>; 2] {
        let (width, height) = frame.size();
        [(true, height), (false, width)].map(|(is_up, length)| FrameAxis::of(frame, is_up, length))
    }

    fn of(frame: &'p PlanFrame<'p>, is_up: bool, length: f64) -> FrameAxis<'p> {
        let window = &frame.chart.window;
        FrameAxis {
            frame,
            is_up,
            scale: if is_up { window.up } else { window.across },
            ticks: if is_up { &frame.up } else { &frame.across },
            length,
        }
    }

    /// The place at a part of the axis, and at a part of the other axis.
    fn place(&self, part: f64, aside: f64) -> (f64, f64) {
        let place = if self.is_up {
            (aside, part)
        } else {
            (part, aside)
        };
        self.frame.place(place)
    }

    /// The small ticks, if there is room for them.
    fn small_ticks(&self) -> Vec<f64> {
        let (from, to) = self.scale.range;
        let has_room = self.length / (to - from) >= DECADE;
        if !has_room {
            return Vec::new();
        }
        let places = small_ticks(self.scale).into_iter();
        places.map(|place| self.scale.fraction(place)).collect()
    }
}

impl Sketch {
    /// Adds a line of text. The place is halfway down the line.
    fn plan_text(&mut self, (x, y): (f64, f64), text: &PlanText) {
        let is_faint = text.role == Role::Dim;
        let ink = if is_faint { Ink::Faint } else { Ink::Words };
        let half = LETTERS * letters::CAPITAL / 2.0;
        let at = if text.is_upright {
            (x + half, y)
        } else {
            (x, y + half)
        };
        self.text(SceneText {
            anchor: text.anchor,
            is_bold: text.role == Role::Heading,
            is_upright: text.is_upright,
            ..SceneText::new(at, LETTERS, ink, &text.text)
        });
    }

    fn rectangle(&mut self, sides: [f64; 4], fill: Ink) {
        self.area(Contour::Rectangle { sides, radius: 0.0 }, fill);
    }

    fn circle(&mut self, middle: (f64, f64), radius: f64, fill: Ink, line: Stroke) {
        self.figure(Contour::Circle { middle, radius }, Some(fill), Some(line));
    }

    /// Adds the sign of a series, by which it differs from others without colours.
    fn sign(&mut self, series: u8, (x, y): (f64, f64), size: f64) {
        let corners: &[(f64, f64)] = match series % 6 {
            0 => &[],
            1 => &[(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)],
            2 => &[(0.0, -1.3), (1.2, 0.9), (-1.2, 0.9)],
            3 => &[(0.0, -1.4), (1.4, 0.0), (0.0, 1.4), (-1.4, 0.0)],
            4 => &[(0.0, 1.3), (1.2, -0.9), (-1.2, -0.9)],
            _ => &[(-0.5, -1.4), (0.5, -1.4), (0.5, 1.4), (-0.5, 1.4)],
        };
        let line = Stroke::solid(Ink::Curve(series), 2.0 * size / MARK);
        if corners.is_empty() {
            return self.circle((x, y), size, Ink::Ground, line);
        }
        let places = corners
            .iter()
            .map(|(right, down)| (x + right * size, y + down * size));
        let outline = Contour::Path(closed_path(places));
        self.figure(outline, Some(Ink::Ground), Some(line));
    }

    /// Adds a sample of a mark for the legend.
    fn sample(&mut self, mark: &Mark, (x, y): (f64, f64)) {
        let long = SAMPLE as f64 * CELL.0;
        match mark.shape {
            MarkShape::Point(..) => self.arrow((x, y), (x + 3.0 * CELL.0, y)),
            MarkShape::Dots(_) => self.sign(mark.series, (x + CELL.0 / 2.0, y), MARK),
            MarkShape::Line(LineLook::Band | LineLook::Bars, _) => {
                self.rectangle([x, y - MARK, long, 2.0 * MARK], Ink::Grid);
            }
            MarkShape::Line(look, _) => {
                for stroke in strokes(look, mark.series) {
                    self.line((x, y), (x + long, y), stroke);
                }
            }
        }
    }

    /// Adds a frame with its map, the bar that explains the shades, and all marks.
    fn frame(&mut self, frame: &PlanFrame, levels: Option<&(MapLevels, usize)>) {
        let chart = frame.chart;
        let (left, top) = frame.place((0.0, 1.0));
        let (width, height) = frame.size();
        self.axes(frame);
        if let Some((map, (levels, column))) = chart.map.zip(levels) {
            self.map(map, levels, frame);
            let (bar_left, _) = place((*column as f64, 0.0));
            self.bar(levels, [bar_left, top, BAR as f64 * CELL.0, height]);
        }
        // A page finds what is under the pointer.
        let mut key = axis_key(&chart.window.across, &chart.across);
        if chart.map.is_some() {
            key = format!("{key}, {}", axis_key(&chart.window.up, &chart.up));
        }
        let outline = Contour::Rectangle {
            sides: [left, top, width, height],
            radius: 0.0,
        };
        self.group(SceneGroup::new("frame", key, String::new()), |sketch| {
            sketch.figure(outline, None, Some(AXIS));
        });
        for mark in &chart.marks {
            if mark.tip.is_empty() {
                self.mark(frame, mark);
                continue;
            }
            let group = SceneGroup::new(class(&mark.shape), String::new(), mark.tip.clone());
            self.group(group, |sketch| sketch.mark(frame, mark));
        }
    }

    /// Adds the grid, the lines through 0, and the ticks of both axes.
    fn axes(&mut self, frame: &PlanFrame) {
        let axes = FrameAxis::both(frame);
        let thin = Stroke::solid(Ink::Grid, 1.0);
        for axis in &axes {
            for part in axis.ticks {
                self.line(axis.place(*part, 0.0), axis.place(*part, 1.0), thin);
            }
        }
        for axis in &axes {
            if let Some(zero) = axis.scale.zero() {
                self.line(axis.place(zero, 0.0), axis.place(zero, 1.0), AXIS);
            }
        }
        for axis in &axes {
            for part in axis.ticks {
                self.tick(axis, *part, TICK);
            }
            for part in axis.small_ticks() {
                self.tick(axis, part, SMALL_TICK);
            }
        }
    }

    fn tick(&mut self, axis: &FrameAxis, part: f64, length: f64) {
        let (x, y) = axis.place(part, 0.0);
        if axis.is_up {
            self.line((x - length, y), (x, y), AXIS);
        } else {
            self.line((x, y), (x, y + length), AXIS);
        }
    }

    /// Adds the shades of a map, each on top of the lower ones, and the lines at the levels.
    fn map(&mut self, map: &PlotMap, levels: &MapLevels, frame: &PlanFrame) {
        let mut field = ContourField::of(map, &frame.chart.window);
        let mut bounds = vec![f64::NEG_INFINITY];
        bounds.extend(levels.ticks.iter().map(|level| level.number));
        let bands = loop {
            let bands: Vec<_> = bounds.iter().map(|level| field.lines(*level)).collect();
            if bands.iter().flatten().map(Vec::len).sum::<usize>() <= MOST_CORNERS {
                break bands;
            }
            field = field.halve();
        };
        for (band, lines) in bands.iter().enumerate() {
            let area = |line: &Vec<ContourPoint>| {
                let corners = corners(line.iter().map(|point| point.place), 1e-12);
                closed_path(corners.into_iter().map(|it| frame.place(it)))
            };
            let steps: Vec<PathStep> = lines.iter().flat_map(area).collect();
            if !steps.is_empty() {
                self.area(Contour::Path(steps), Ink::Shade(levels.shade(band)));
            }
        }
        for (at, Tick { label, .. }) in levels.ticks.iter().enumerate() {
            let tip = format!("{} = {label}", map.label);
            let stroke = Stroke::solid(Ink::OnShade(levels.shade_at(at)), 0.8);
            let steps = frame.polylines(&level_parts(&bands[at + 1]));
            self.group(SceneGroup::new("contour", label.clone(), tip), |sketch| {
                if !steps.is_empty() {
                    sketch.path(steps, stroke);
                }
            });
        }
    }

    /// Adds the bar that explains the shades.
    fn bar(&mut self, levels: &MapLevels, [left, top, width, height]: [f64; 4]) {
        let bands = levels.shade_count();
        let high = height / bands as f64;
        for band in 0..bands {
            let upper = top + height - (band + 1) as f64 * high;
            self.rectangle([left, upper, width, high], Ink::Shade(levels.shade(band)));
        }
    }

    fn mark(&mut self, frame: &PlanFrame, mark: &Mark) {
        let is_crowded = frame.chart.dots() > MOST_DOTS;
        match &mark.shape {
            MarkShape::Line(LineLook::Band, lines) => self.band(lines, frame),
            MarkShape::Line(LineLook::Bars, bars) => self.bars(bars, mark.series, frame),
            MarkShape::Line(LineLook::ErrorBar, bars) if is_crowded => {
                let upright = bars.iter().filter(|bar| bar[0].0 == bar[1].0);
                let upright = upright.map(|bar| [bar[0], bar[1]]);
                self.cells(upright, mark.series, Some(1.0), frame);
            }
            MarkShape::Line(look, lines) => self.lines(*look, lines, mark.series, frame),
            MarkShape::Dots(places) if is_crowded => {
                let inside = places.iter().filter(|place| inside(**place));
                self.cells(inside.map(|&place| [place; 2]), mark.series, None, frame);
            }
            MarkShape::Dots(places) => self.dots(places, mark.series, frame),
            MarkShape::Point(place, downhill) => {
                self.point(*place, *downhill, mark.series, frame);
            }
        }
    }

    /// Adds a band: the area between each pair of lines.
    fn band(&mut self, lines: &[Vec<ChartPlace>], frame: &PlanFrame) {
        for edges in lines.chunks_exact(2) {
            let [upper, lower] = [0, 1].map(|at| frame.thin_out(&edges[at]));
            let around = upper.iter().chain(lower.iter().rev());
            let inside = around.map(|(x, y)| (x.clamp(0.0, 1.0), y.clamp(0.0, 1.0)));
            let area = closed_path(inside.map(|place| frame.place(place)));
            self.area(Contour::Path(area), Ink::Grid);
        }
    }

    /// Adds the bars of a histogram, given by their corners.
    fn bars(&mut self, bars: &[Vec<ChartPlace>], series: u8, frame: &PlanFrame) {
        let bar = |corners: &Vec<ChartPlace>| {
            let inside = corners.iter().map(|(x, y)| (*x, y.clamp(0.0, 1.0)));
            closed_path(inside.map(|place| frame.place(place)))
        };
        let steps = bars.iter().flat_map(bar).collect();
        let line = strokes(LineLook::Bars, series).pop();
        self.figure(Contour::Path(steps), Some(Ink::Grid), line);
    }

    /// Adds lines, and a dot for each step of a short path.
    fn lines(&mut self, look: LineLook, lines: &[Vec<ChartPlace>], series: u8, frame: &PlanFrame) {
        let steps = frame.polylines(lines);
        for stroke in strokes(look, series) {
            self.path(steps.clone(), stroke);
        }
        let places: Vec<ChartPlace> = lines.iter().flatten().copied().collect();
        if look == LineLook::Path && places.len() <= MOST_DOTTED_STEPS + 1 {
            for place in places.into_iter().filter(|place| inside(*place)) {
                self.circle(frame.place(place), 3.0, WHITE, Stroke::solid(BLACK, 1.0));
            }
        }
    }

    /// Adds the present point, and on a map the arrow downhill.
    fn point(
        &mut self,
        place: ChartPlace,
        downhill: Option<(f64, f64)>,
        series: u8,
        frame: &PlanFrame,
    ) {
        let (fill, line) = match downhill {
            None => (Ink::Curve(series), Ink::Ground),
            Some(downhill) => {
                self.downhill(place, downhill, frame);
                (WHITE, BLACK)
            }
        };
        let middle = frame.place(place);
        self.circle(middle, POINT, fill, Stroke::solid(line, 2.0));
        // On a page the user drags the point by this invisible circle.
        let handle = Contour::Circle {
            middle,
            radius: POINT,
        };
        self.figure(handle, None, None);
    }

    /// Adds a sign for each place. If signs would cover each other, only one of them is drawn.
    fn dots(&mut self, places: &[ChartPlace], series: u8, frame: &PlanFrame) {
        // Many dots are smaller, so that a cloud shows where they are dense.
        let size = match places.len() {
            0..=40 => MARK,
            41..=500 => 0.7 * MARK,
            _ => 0.4 * MARK,
        };
        let mut drawn = HashSet::new();
        for place in places.iter().filter(|place| inside(**place)) {
            let (x, y) = frame.place(*place);
            if drawn.insert(((2.0 * x).round() as i64, (2.0 * y).round() as i64)) {
                self.sign(series, (x, y), size);
            }
        }
    }

    /// Adds the cells of a grid that these bars meet. Adjacent cells of a column are one line from top to bottom, which
    /// is as wide as a cell if no width is given.
    fn cells(
        &mut self,
        bars: impl Iterator<Item = [ChartPlace; 2]>,
        series: u8,
        width: Option<f64>,
        frame: &PlanFrame,
    ) {
        let (wide, high) = frame.size();
        let marks = frame.chart.marks.iter();
        let all_series = marks.filter(|mark| matches!(mark.shape, MarkShape::Dots(_)));
        let area = wide * high * all_series.count() as f64 / MOST_CELLS;
        let side = area.sqrt().max(GRID);
        let [columns, rows] = [wide, high].map(|length| (length / side).ceil() as usize);
        let cell = |part: f64, count: usize| ((part * count as f64) as usize).min(count - 1);
        // Column by column, each from top to bottom.
        let mut is_met = vec![false; columns * rows];
        for [lower, upper] in bars {
            if inside((lower.0, lower.1.max(0.0))) && upper.1 >= 0.0 {
                let begin = cell(lower.0, columns) * rows;
                let (first, last) = (cell(1.0 - upper.1, rows), cell(1.0 - lower.1, rows));
                is_met[begin + first..=begin + last].fill(true);
            }
        }
        let mut steps = Vec::new();
        for (column, are_met) in is_met.chunks(rows).enumerate() {
            let x = (column as f64 + 0.5) / columns as f64;
            let mut row = 0;
            for run in are_met.chunk_by(|one, other| one == other) {
                let ends = [row, row + run.len()].map(|row| 1.0 - row as f64 / rows as f64);
                let [from, to] = ends.map(|y| frame.place((x, y)));
                if run[0] {
                    steps.extend([PathStep::Move(from.0, from.1), PathStep::Line(to.0, to.1)]);
                }
                row += run.len();
            }
        }
        let stroke_width = width.unwrap_or(wide / columns as f64);
        self.path(steps, Stroke::solid(Ink::Curve(series), stroke_width));
    }

    /// Adds the arrow downhill from the present point, as far as there is room.
    fn downhill(&mut self, point: ChartPlace, downhill: (f64, f64), frame: &PlanFrame) {
        let (width, height) = frame.size();
        let (dx, dy) = (downhill.0 * width, -downhill.1 * height);
        // Both are divided by the larger one first, because the squares of small gradients would be 0.
        let size = dx.abs().max(dy.abs());
        let length = (dx / size).hypot(dy / size);
        let (unit_x, unit_y) = (dx / size / length, dy / size / length);
        let tip = (
            point.0 + ARROW * unit_x / width,
            point.1 - ARROW * unit_y / height,
        );
        let Some([_, end]) = clip(point, tip).filter(|_| length.is_finite()) else {
            return;
        };
        let (from, to) = (frame.place(point), frame.place(end));
        if (to.0 - from.0).hypot(to.1 - from.1) > LEAST_ARROW {
            self.arrow(from, to);
        }
    }

    fn arrow(&mut self, from: (f64, f64), (x, y): (f64, f64)) {
        let length = (x - from.0).hypot(y - from.1);
        let (dx, dy) = ((x - from.0) / length, (y - from.1) / length);
        let barb = |side: f64| {
            let (back, aside) = (12.0, 6.0 * side);
            PathStep::Line(x - back * dx - aside * dy, y - back * dy + aside * dx)
        };
        let (begin, tip) = (PathStep::Move(from.0, from.1), PathStep::Line(x, y));
        let steps = vec![begin, tip, barb(1.0), tip, barb(-1.0)];
        for (ink, width) in [(BLACK, 5.0), (WHITE, 2.5)] {
            self.path(steps.clone(), Stroke::solid(ink, width));
        }
    }
}

/// The ends and the name of an axis: `-5 5 a`, `0 2 a (log)`.
fn axis_key(axis: &ChartAxis, name: &str) -> String {
    let (from, to) = axis.range;
    let scale = if axis.scale.is_logarithmic() {
        " (log)"
    } else {
        ""
    };
    format!("{from} {to} {name}{scale}")
}

fn class(shape: &MarkShape) -> &'static str {
    match shape {
        MarkShape::Line(LineLook::Boundary, _) => "boundary",
        MarkShape::Line(LineLook::Path, _) => "path",
        MarkShape::Line(..) => "curve",
        MarkShape::Dots(_) => "dots",
        MarkShape::Point(..) => "present",
    }
}

/// A closed line through corners.
pub(super) fn closed_path(corners: impl Iterator<Item = (f64, f64)>) -> Vec<PathStep> {
    let step = |(at, (x, y)): (usize, (f64, f64))| match at {
        0 => PathStep::Move(x, y),
        _ => PathStep::Line(x, y),
    };
    let steps = corners.enumerate().map(step);
    steps.chain([PathStep::Close]).collect()
}

/// The first, the lowest, the highest and the last of some places, in their order.
fn ends(run: &[ChartPlace]) -> [ChartPlace; 4] {
    let height = |one: &usize, other: &usize| run[*one].1.total_cmp(&run[*other].1);
    let last = run.len() - 1;
    let [low, high] = [(0..=last).min_by(height), (0..=last).max_by(height)];
    let mut ends = [0, low.unwrap_or(0), high.unwrap_or(0), last];
    ends.sort_unstable();
    ends.map(|at| run[at])
}

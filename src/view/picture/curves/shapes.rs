//! A chart as a picture for files: the title and the legend, axes with round ticks, the ground with its bar, the marks.
//!
//! What is on a map is black and white, whatever the ground.

use std::collections::HashSet;

use super::chart::{Chart, ChartPlace, LineLook, Mark, MarkShape};
use super::field::{ContourField, ContourPoint, MapLevels};
use super::ticks::{self, LabelRow, Ticks};
use super::window::{Window, clipped, inside};
use crate::report::PlotMap;
use crate::view::characters;
use crate::view::picture::shapes::{
    Anchor, Contour, Ink, PathStep, Scene, SceneGroup, SceneShape, SceneText, Stroke, letters,
};

/// The size of the picture if none was asked for.
const SIZE: (f64, f64) = (800.0, 520.0);
/// The empty edge around what is drawn.
pub(super) const EDGE: f64 = 24.0;
/// The least empty space between two labels of an axis.
const GAP: f64 = 16.0;
/// Room for labels and the name below the lowest axis.
const FOOT: f64 = 62.0;
/// The heights of letters: of the title, of the legend, of the ticks.
pub(super) const LETTERS: (f64, f64, f64) = (18.0, 15.0, 13.0);
/// How much room a line of the title, of the legend and of the numbers takes.
const LINE: f64 = 24.0;
/// The most ticks across and up, and the most levels of a ground.
const TICKS: (usize, usize) = (13, 8);
const LEVELS: usize = 11;
/// The height of a second chart below, and its most ticks up.
const BELOW: f64 = 120.0;
const TICKS_BELOW: usize = 4;
/// How wide a curve is.
const WIDTH: f64 = 2.5;
/// How many marks a curve has, and how large they are.
const MARKS: usize = 6;
const MARK: f64 = 4.5;
/// How wide the bar beside the ground is, and how far from it.
const BAR: (f64, f64) = (16.0, 18.0);
/// How long the arrow downhill is.
const ARROW: f64 = 64.0;
/// A path of at most so many steps has a dot for each.
const DOTTED: usize = 60;
const AXIS: Stroke = Stroke {
    ink: Ink::Wire,
    width: 1.25,
    dashed: false,
};
/// Black and white on a ground.
const WHITE: Ink = Ink::OnShade(0);
const BLACK: Ink = Ink::OnShade(255);
/// The strokes of lines on a ground, the lower one first.
const BOUNDARY: [(Ink, f64); 2] = [(WHITE, 6.0), (BLACK, 3.0)];
const PATH: [(Ink, f64); 2] = [(BLACK, 4.0), (WHITE, 2.0)];

/// The picture of a chart, with this title for those who do not see it.
pub(super) fn scene(chart: &Chart, title: String) -> Scene {
    let asked = chart
        .size
        .map(|(width, height)| (width.into(), height.into()));
    let (width, mut height) = asked.unwrap_or(SIZE);
    let below = chart.below.as_deref();
    let mut sheet = ShapeSheet::default();
    let mut top = head(chart, width, &mut sheet);
    let up_at = top + 2.0;
    if !chart.up.is_empty() {
        top += LETTERS.1;
    }
    // A second chart is added below, unless that makes the picture larger than it was asked to be.
    let more = match below {
        Some(_) if asked.is_some() => LINE + 10.0 + BELOW,
        _ => 0.0,
    };
    let room_down = (height - top - FOOT - more).max(1.0);
    let fitting = |most: usize| most.min((room_down / LETTERS.1) as usize);
    let upwards = ticks::along(chart.window.up, fitting(TICKS.1));
    let upwards_below = below.map(|below| ticks::along(below.window.up, TICKS_BELOW));
    let labels = upwards_below.as_ref().map_or(0.0, |ticks| widest(&ticks.1));
    let left = EDGE + widest(&upwards.1).max(labels) + 10.0;
    let ground = chart
        .ground
        .map(|map| Ground::of(map, &chart.window, fitting(LEVELS)));
    let beside = ground.as_ref().map_or(0.0, Ground::beside);
    // In the middle above its axis, if that is within the picture.
    let name = shortened(chart.up, width - 2.0 * EDGE, LETTERS.1);
    let name_at = (left - letters::width(&name, LETTERS.1) / 2.0).max(EDGE);
    sheet.text((name_at, up_at), Anchor::Start, LETTERS.1, &name);
    let mut room = PlotArea {
        left,
        top,
        width: (width - left - EDGE - beside).max(1.0),
        height: room_down,
    };
    let is_last = below.is_none();
    sheet.chart(chart, (&upwards, is_last), ground.as_ref(), &room);
    if let Some((below, upwards)) = below.zip(upwards_below) {
        room.top += room.height + LINE + 10.0;
        room.height = BELOW;
        let names = shortened(&below.names(), room.width, LETTERS.2);
        sheet.faint((left, room.top - 8.0), Anchor::Start, &names);
        sheet.chart(below, (&upwards, true), None, &room);
        height = height.max(room.top + BELOW + FOOT);
    }
    let levels = ground.as_ref().map(|ground| ground.levels.description());
    let marks = chart.legend().into_iter();
    let marks = marks.filter(|mark| !matches!(mark.shape, MarkShape::Line(LineLook::Curve(_), _)));
    let sentences = marks.map(|mark| match &mark.shape {
        MarkShape::Dots(places) => format!(" {}: {} points.", mark.tip, places.len()),
        _ => format!(" {}.", mark.tip),
    });
    let said = chart.said.iter().map(|said| format!(" {said}."));
    let sentences = levels.into_iter().chain(sentences).chain(said);
    Scene {
        width,
        height,
        title,
        description: chart.description.clone() + &sentences.collect::<String>(),
        shapes: sheet.0,
    }
}

/// The title or the legend, then the present point. Says where it ends.
fn head(chart: &Chart, width: f64, sheet: &mut ShapeSheet) -> f64 {
    let mut y = EDGE + LETTERS.0 / 2.0;
    let room = width - 2.0 * EDGE;
    let has_title = !chart.title.is_empty();
    if has_title {
        let beside = letters::width(chart.scale, LETTERS.2);
        sheet.title(&shortened(&chart.title, room - beside, LETTERS.0));
        sheet.faint((width - EDGE, y + 4.0), Anchor::End, chart.scale);
    }
    if !has_title || chart.ground.is_some() && !chart.legend().is_empty() {
        y += if has_title { LINE } else { 0.0 };
        y = legend(chart, (y, room), sheet);
    }
    let scale = Some(chart.scale).filter(|scale| !has_title && !scale.is_empty());
    for line in scale
        .into_iter()
        .chain(chart.said.iter().map(String::as_str))
    {
        y += LINE;
        let line = shortened(line, room, LETTERS.2);
        sheet.faint((EDGE, y + 4.0), Anchor::Start, &line);
    }
    y + LINE
}

/// The signs and the names of what is drawn, in as many lines as it takes. Says where the last one is.
fn legend(chart: &Chart, (mut y, room): (f64, f64), sheet: &mut ShapeSheet) -> f64 {
    let mut x = EDGE;
    for named in chart.legend() {
        let label = shortened(&named.label, room - 50.0, LETTERS.1);
        let wide = 40.0 + letters::width(&label, LETTERS.1);
        if x > EDGE && x + wide > EDGE + room {
            x = EDGE;
            y += LINE;
        }
        let mut is_marked = true;
        if let MarkShape::Line(look, _) = named.shape {
            for stroke in strokes(look, named.series) {
                sheet.line((x, y), (x + 30.0, y), stroke);
            }
            is_marked = matches!(look, LineLook::Curve(_)) && chart.has_several_curves();
        }
        if is_marked {
            sheet.sign(named.series, (x + 15.0, y), MARK);
        }
        sheet.text((x + 38.0, y + 5.0), Anchor::Start, LETTERS.1, &label);
        x += wide + 26.0;
    }
    y
}

/// The strokes of a line, the lowest first.
fn strokes(look: LineLook, series: u8) -> Vec<Stroke> {
    let curve = |width| Stroke::solid(Ink::Curve(series), width);
    let on_ground = |widths: [(Ink, f64); 2]| widths.map(|(ink, width)| Stroke::solid(ink, width));
    match look {
        LineLook::Curve(_) => vec![curve(WIDTH)],
        LineLook::Thin => vec![Stroke::dashed(Ink::Curve(series), 1.5)],
        LineLook::ErrorBar => vec![curve(1.5)],
        LineLook::Boundary => on_ground(BOUNDARY).to_vec(),
        LineLook::Path => on_ground(PATH).to_vec(),
    }
}

/// The room for curves, within the picture.
struct PlotArea {
    left: f64,
    top: f64,
    width: f64,
    height: f64,
}

impl PlotArea {
    /// Where a place is, given in parts of width and height.
    fn place(&self, (x, y): ChartPlace) -> (f64, f64) {
        (
            self.left + x * self.width,
            self.top + (1.0 - y) * self.height,
        )
    }

    /// A line through places of the window, without what is outside of it.
    fn polyline(&self, places: &[ChartPlace]) -> Vec<PathStep> {
        let mut steps = Vec::new();
        let mut end = None;
        for pair in places.windows(2) {
            let Some([from, to]) = clipped(pair[0], pair[1]) else {
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

/// The shapes of a picture, from back to front.
#[derive(Default)]
pub(super) struct ShapeSheet(pub Vec<SceneShape>);

impl ShapeSheet {
    pub(super) fn title(&mut self, words: &str) {
        let at = (EDGE, EDGE + LETTERS.0 / 2.0 + 4.0);
        self.0.push(SceneShape::Text(SceneText {
            bold: true,
            ..SceneText::new(at, LETTERS.0, Ink::Words, words)
        }));
    }

    pub(super) fn text(&mut self, at: (f64, f64), anchor: Anchor, size: f64, words: &str) {
        self.words(SceneText::new(at, size, Ink::Words, words), anchor);
    }

    pub(super) fn faint(&mut self, at: (f64, f64), anchor: Anchor, words: &str) {
        self.words(SceneText::new(at, LETTERS.2, Ink::Faint, words), anchor);
    }

    fn words(&mut self, text: SceneText, anchor: Anchor) {
        if !text.text.is_empty() {
            self.0.push(SceneShape::Text(SceneText { anchor, ..text }));
        }
    }

    pub(super) fn line(&mut self, from: (f64, f64), to: (f64, f64), stroke: Stroke) {
        self.0.push(SceneShape::line(from, to, stroke));
    }

    /// Something filled.
    pub(super) fn area(&mut self, contour: Contour, fill: Ink, line: Option<Stroke>) {
        self.0.push(SceneShape::Figure {
            contour,
            fill: Some(fill),
            line,
        });
    }

    fn circle(&mut self, middle: (f64, f64), radius: f64, fill: Ink, line: Stroke) {
        self.area(Contour::Circle { middle, radius }, fill, Some(line));
    }

    /// The sign of a series, by which it can be told from others without colours.
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
        let corners = corners.iter();
        let corners = corners.map(|(right, down)| (x + right * size, y + down * size));
        self.area(Contour::Path(closed(corners)), Ink::Ground, Some(line));
    }

    /// The axes with the ground and all marks; labels to the right only if `named`.
    fn chart(
        &mut self,
        chart: &Chart,
        (upwards, named): (&Ticks, bool),
        ground: Option<&Ground>,
        room: &PlotArea,
    ) {
        self.axes(chart, (upwards, named), room);
        if let Some(ground) = ground {
            ground.draw(room, self);
        }
        let sides = [room.left, room.top, room.width, room.height];
        self.0.push(SceneShape::Figure {
            contour: Contour::Rectangle { sides, radius: 0.0 },
            fill: None,
            line: Some(AXIS),
        });
        for mark in &chart.marks {
            if mark.tip.is_empty() {
                self.mark(chart, mark, room);
                continue;
            }
            self.0.push(SceneShape::Open(SceneGroup {
                class: class(&mark.shape).to_string(),
                key: String::new(),
                tip: mark.tip.clone(),
            }));
            self.mark(chart, mark, room);
            self.0.push(SceneShape::Close);
        }
    }

    /// The ticks of two axes with a line through the room for each, and their labels; those to the right only if `named`.
    fn axes(&mut self, chart: &Chart, (upwards, named): (&Ticks, bool), room: &PlotArea) {
        let window = &chart.window;
        let row = LabelRow {
            place: &|part| room.place((part, 0.0)).0,
            width: &|label| letters::width(label, LETTERS.2),
            ends: (4.0, room.left + room.width + EDGE - 4.0),
            gap: GAP,
        };
        let across = row.ticks(window.across, TICKS.0);
        let thin = Stroke::solid(Ink::Grid, 1.0);
        for (tick, label) in upwards.0.iter().zip(&upwards.1) {
            let (x, y) = room.place((0.0, window.up.part(*tick)));
            self.line((x - 5.0, y), (x + room.width, y), thin);
            self.faint((x - 8.0, y + 4.5), Anchor::End, label);
        }
        let bottom = room.top + room.height;
        for (tick, label) in across.0.iter().zip(&across.1) {
            let part = window.across.part(*tick);
            let (x, _) = room.place((part, 0.0));
            self.line((x, room.top), (x, bottom + 5.0), thin);
            if named {
                let middle = row.start(part, label) + (row.width)(label) / 2.0;
                self.faint((middle, bottom + 19.0), Anchor::Middle, label);
            }
        }
        let level = window.up.zero().map(|up| [(0.0, up), (1.0, up)]);
        let side = window.across.zero();
        let side = side.map(|right| [(right, 0.0), (right, 1.0)]);
        for ends in level.into_iter().chain(side) {
            let [from, to] = ends.map(|end| room.place(end));
            self.line(from, to, AXIS);
        }
        if named {
            let name = shortened(chart.across, room.width, LETTERS.1);
            let at = (room.left + room.width / 2.0, bottom + 43.0);
            self.text(at, Anchor::Middle, LETTERS.1, &name);
        }
    }

    fn mark(&mut self, chart: &Chart, mark: &Mark, room: &PlotArea) {
        match &mark.shape {
            MarkShape::Line(look, lines) => {
                let steps = lines.iter().flat_map(|line| room.polyline(line));
                let steps: Vec<PathStep> = steps.collect();
                for stroke in strokes(*look, mark.series) {
                    self.0.push(SceneShape::path(steps.clone(), stroke));
                }
                let places: Vec<ChartPlace> = lines.iter().flatten().copied().collect();
                let is_curve = matches!(look, LineLook::Curve(_));
                if is_curve && chart.has_several_curves() {
                    self.signs(mark.series, &places, room);
                } else if *look == LineLook::Path && places.len() <= DOTTED + 1 {
                    for place in places.into_iter().filter(|place| inside(*place)) {
                        self.circle(room.place(place), 3.0, WHITE, Stroke::solid(BLACK, 1.0));
                    }
                }
            }
            MarkShape::Dots(places) => self.dots(places, mark.series, room),
            MarkShape::Point(place, downhill) => {
                let (fill, line) = match downhill {
                    None => (Ink::Curve(mark.series), Ink::Ground),
                    Some(downhill) => {
                        self.arrow(*place, *downhill, room);
                        (WHITE, BLACK)
                    }
                };
                self.circle(room.place(*place), 6.0, fill, Stroke::solid(line, 2.0));
            }
        }
    }

    /// Adds a few signs along a curve, beside those of the other curves.
    fn signs(&mut self, series: u8, places: &[ChartPlace], room: &PlotArea) {
        for at in 0..MARKS {
            let part = (at as f64 + 0.3 + 0.13 * f64::from(series)) / MARKS as f64;
            let off = |place: &ChartPlace| (place.0 - part).abs();
            let nearest = places.iter().copied();
            let nearest = nearest.min_by(|one, other| off(one).total_cmp(&off(other)));
            if let Some(place) = nearest.filter(|place| inside(*place) && off(place) < 0.02) {
                self.sign(series, room.place(place), MARK);
            }
        }
    }

    /// Adds a sign for each place. Of those that would cover each other one is drawn.
    fn dots(&mut self, places: &[ChartPlace], series: u8, room: &PlotArea) {
        let size = match places.len() {
            0..=60 => MARK,
            61..=500 => 0.7 * MARK,
            _ => 0.4 * MARK,
        };
        let mut drawn = HashSet::new();
        for place in places.iter().filter(|place| inside(**place)) {
            let (x, y) = room.place(*place);
            if drawn.insert(((2.0 * x).round() as i64, (2.0 * y).round() as i64)) {
                self.sign(series, (x, y), size);
            }
        }
    }

    /// The arrow downhill from the present point, as far as there is room.
    fn arrow(&mut self, from: ChartPlace, downhill: (f64, f64), room: &PlotArea) {
        let (dx, dy) = (downhill.0 * room.width, -downhill.1 * room.height);
        // Divided by the larger one first: squares of small gradients vanish.
        let size = dx.abs().max(dy.abs());
        let length = (dx / size).hypot(dy / size);
        let (dx, dy) = (dx / size / length, dy / size / length);
        let most = (
            from.0 + ARROW * dx / room.width,
            from.1 - ARROW * dy / room.height,
        );
        let Some([_, end]) = clipped(from, most).filter(|_| length.is_finite()) else {
            return;
        };
        let (from, (x, y)) = (room.place(from), room.place(end));
        if (x - from.0).hypot(y - from.1) <= 16.0 {
            return;
        }
        let barb = |side: f64| {
            let (back, aside) = (12.0, 6.0 * side);
            PathStep::Line(x - back * dx - aside * dy, y - back * dy + aside * dx)
        };
        let (begin, tip) = (PathStep::Move(from.0, from.1), PathStep::Line(x, y));
        let steps = vec![begin, tip, barb(1.0), tip, barb(-1.0)];
        for (ink, width) in [(BLACK, 5.0), (WHITE, 2.5)] {
            let stroke = Stroke::solid(ink, width);
            self.0.push(SceneShape::path(steps.clone(), stroke));
        }
    }
}

fn class(shape: &MarkShape) -> &'static str {
    match shape {
        MarkShape::Line(LineLook::Curve(_), _) => "curve",
        MarkShape::Line(LineLook::Thin, _) => "thin",
        MarkShape::Line(LineLook::ErrorBar, _) => "bars",
        MarkShape::Line(LineLook::Boundary, _) => "boundary",
        MarkShape::Line(LineLook::Path, _) => "path",
        MarkShape::Dots(_) => "dots",
        MarkShape::Point(..) => "present",
    }
}

/// A closed line through corners.
pub(super) fn closed(corners: impl Iterator<Item = (f64, f64)>) -> Vec<PathStep> {
    let step = |(at, (x, y)): (usize, (f64, f64))| match at {
        0 => PathStep::Move(x, y),
        _ => PathStep::Line(x, y),
    };
    let steps = corners.enumerate().map(step);
    steps.chain([PathStep::Close]).collect()
}

/// The ground of a map, with its levels.
struct Ground<'m> {
    map: &'m PlotMap,
    levels: MapLevels,
    field: ContourField,
}

impl Ground<'_> {
    fn of<'m>(map: &'m PlotMap, window: &Window, most: usize) -> Ground<'m> {
        Ground {
            map,
            levels: MapLevels::of(map, most),
            field: ContourField::of(map, window),
        }
    }

    /// How much room the bar and its labels take.
    fn beside(&self) -> f64 {
        let labels = widest(&self.levels.labels).max(widest(self.levels.only.as_slice()));
        BAR.0 + BAR.1 + 8.0 + labels
    }

    /// The shades, each on top of those below it, the lines at the levels, and the bar that explains them.
    fn draw(&self, room: &PlotArea, sheet: &mut ShapeSheet) {
        let levels = &self.levels;
        let bands = levels.values.len() + 1;
        let left = room.left + room.width + BAR.1;
        let high = room.height / bands as f64;
        let bottom = std::iter::once(f64::NEG_INFINITY);
        for (band, level) in bottom.chain(levels.values.iter().copied()).enumerate() {
            let shade = Ink::Shade(levels.shade(band));
            let lines = self.field.lines(level);
            let corners =
                |line: &Vec<ContourPoint>| bent(line).into_iter().map(|it| room.place(it));
            let steps: Vec<PathStep> = lines
                .iter()
                .flat_map(|line| closed(corners(line)))
                .collect();
            if !steps.is_empty() {
                sheet.area(Contour::Path(steps), shade, None);
            }
            let top = room.top + room.height - (band + 1) as f64 * high;
            let sides = [left, top, BAR.0, high];
            sheet.area(Contour::Rectangle { sides, radius: 0.0 }, shade, None);
            let (x, y) = (left + BAR.0 + 6.0, top + 4.5);
            if let Some(label) = levels.labels.get(band) {
                sheet.faint((x, y), Anchor::Start, label);
            }
            if let Some(label) = &levels.only {
                sheet.faint((x, y + high / 2.0), Anchor::Start, label);
            }
        }
        for (at, (level, label)) in levels.values.iter().zip(&levels.labels).enumerate() {
            sheet.0.push(SceneShape::Open(SceneGroup {
                class: "contour".to_string(),
                key: label.clone(),
                tip: format!("{} = {label}", self.map.label),
            }));
            let stroke = Stroke::solid(Ink::OnShade(levels.shade_at(at)), 0.8);
            for line in self.field.contours(*level) {
                sheet.0.push(SceneShape::path(room.polyline(&line), stroke));
            }
            sheet.0.push(SceneShape::Close);
        }
    }
}

/// The places of a closed line without those on the straight way between two others.
fn bent(line: &[ContourPoint]) -> Vec<ChartPlace> {
    let mut found: Vec<ChartPlace> = Vec::with_capacity(line.len());
    for point in line {
        if let [.., one, last] = found[..] {
            let turn = (last.0 - one.0) * (point.place.1 - last.1)
                - (last.1 - one.1) * (point.place.0 - last.0);
            if turn.abs() < 1e-12 {
                found.pop();
            }
        }
        found.push(point.place);
    }
    found
}

/// How wide the widest of some labels is.
fn widest(labels: &[String]) -> f64 {
    let widths = labels.iter().map(|label| letters::width(label, LETTERS.2));
    widths.fold(0.0, f64::max)
}

/// As much of a text as has room.
pub(super) fn shortened(text: &str, room: f64, size: f64) -> String {
    let places = letters::places(room, size);
    characters::shorten_end(text, places, false).into_owned()
}

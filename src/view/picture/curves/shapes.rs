//! A chart as a picture for files: the title and the legend, axes with round ticks, the ground with its bar, the marks.
//!
//! What is on a map is black and white, whatever the ground.

use std::collections::HashSet;
use std::fmt::Write as _;

use super::chart::{Chart, ChartPlace, LineLook, Mark, MarkShape};
use super::field::{ContourField, ContourPoint, MapLevels};
use super::ticks::{self, LabelRow, Ticks};
use super::window::{clipped, inside};
use crate::report::PlotMap;
use crate::view::characters;
use crate::view::picture::shapes::{
    Anchor, Contour, Ink, PathStep, Scene, SceneGroup, SceneShape, SceneText, Stroke, letters,
};

/// The size of the picture if none was asked for.
const SIZE: (f64, f64) = (800.0, 520.0);
/// The empty edge around what is drawn.
const EDGE: f64 = 24.0;
/// The least empty space between two labels of an axis.
const GAP: f64 = 16.0;
/// Room for labels and the name below the lowest axis.
const FOOT: f64 = 62.0;
/// The heights of letters: of the title, of the legend, of the ticks.
const LETTERS: (f64, f64, f64) = (18.0, 15.0, 13.0);
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
/// Black and white on a ground.
const WHITE: Ink = Ink::OnShade(0);
const BLACK: Ink = Ink::OnShade(255);
/// The strokes of lines on a ground, the lower one first.
const BOUNDARY: [(Ink, f64); 2] = [(WHITE, 6.0), (BLACK, 3.0)];
const PATH: [(Ink, f64); 2] = [(BLACK, 4.0), (WHITE, 2.0)];

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
}

/// The picture of a chart, with this title for those who do not see it.
pub(super) fn scene(chart: &Chart, title: String) -> Scene {
    let asked = chart
        .size
        .map(|(width, height)| (width.into(), height.into()));
    let (width, mut height) = asked.unwrap_or(SIZE);
    let below = chart.below.as_deref();
    let upwards = ticks::along(chart.window.up, TICKS.1);
    let upwards_below = below.map(|below| ticks::along(below.window.up, TICKS_BELOW));
    let labels = upwards_below.as_ref().map_or(0.0, |ticks| widest(&ticks.1));
    let left = EDGE + widest(&upwards.1).max(labels) + 10.0;
    let ground = chart.ground.map(|map| Ground::of(map));
    let beside = ground.as_ref().map_or(0.0, Ground::beside);
    let mut shapes = Vec::new();
    let mut top = head(chart, width, &mut shapes);
    if !chart.up.is_empty() {
        // In the middle above its axis, if that is within the picture.
        let name = shortened(chart.up, width - 2.0 * EDGE, LETTERS.1);
        let at = (left - letters::width(&name, LETTERS.1) / 2.0).max(EDGE);
        shapes.push(text(
            (at, top + 2.0),
            Anchor::Start,
            LETTERS.1,
            Ink::Words,
            &name,
        ));
        top += LETTERS.1;
    }
    // A second chart is added below, unless that makes the picture larger than it was asked to be.
    let more = match below {
        Some(_) if asked.is_some() => LINE + 10.0 + BELOW,
        _ => 0.0,
    };
    let room = PlotArea {
        left,
        top,
        width: (width - left - EDGE - beside).max(1.0),
        height: (height - top - FOOT - more).max(1.0),
    };
    draw(
        chart,
        (&upwards, below.is_none()),
        ground.as_ref(),
        &room,
        &mut shapes,
    );
    if let Some((below, upwards)) = below.zip(upwards_below) {
        let top = room.top + room.height + LINE + 10.0;
        let names = shortened(&below.names(), room.width, LETTERS.2);
        shapes.push(faint((left, top - 8.0), Anchor::Start, &names));
        let room = PlotArea {
            top,
            height: BELOW,
            ..room
        };
        draw(below, (&upwards, true), None, &room, &mut shapes);
        height = height.max(top + BELOW + FOOT);
    }
    Scene {
        width,
        height,
        title,
        description: description(chart, ground.as_ref()),
        shapes,
    }
}

/// The title or the legend, then the present point. Says where it ends.
fn head(chart: &Chart, width: f64, shapes: &mut Vec<SceneShape>) -> f64 {
    let mut y = EDGE + LETTERS.0 / 2.0;
    let room = width - 2.0 * EDGE;
    let has_title = !chart.title.is_empty();
    if has_title {
        let beside = letters::width(chart.scale, LETTERS.2);
        let title = shortened(&chart.title, room - beside, LETTERS.0);
        shapes.push(SceneShape::Text(SceneText {
            bold: true,
            ..SceneText::new((EDGE, y + 4.0), LETTERS.0, Ink::Words, &title)
        }));
        shapes.push(faint((width - EDGE, y + 4.0), Anchor::End, chart.scale));
    }
    if !has_title || chart.ground.is_some() && !chart.legend().is_empty() {
        y += if has_title { LINE } else { 0.0 };
        y = legend(chart, (y, room), shapes);
    }
    let scale = Some(chart.scale).filter(|scale| !has_title && !scale.is_empty());
    for line in scale
        .into_iter()
        .chain(chart.said.iter().map(String::as_str))
    {
        y += LINE;
        let line = shortened(line, room, LETTERS.2);
        shapes.push(faint((EDGE, y + 4.0), Anchor::Start, &line));
    }
    y + LINE
}

/// The signs and the names of what is drawn, in as many lines as it takes. Says where the last one is.
fn legend(chart: &Chart, (mut y, room): (f64, f64), shapes: &mut Vec<SceneShape>) -> f64 {
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
                shapes.push(SceneShape::line((x, y), (x + 30.0, y), stroke));
            }
            is_marked = matches!(look, LineLook::Curve(_)) && chart.has_several_curves();
        }
        if is_marked {
            shapes.push(sign(named.series, (x + 15.0, y), MARK));
        }
        let at = (x + 38.0, y + 5.0);
        shapes.push(text(at, Anchor::Start, LETTERS.1, Ink::Words, &label));
        x += wide + 26.0;
    }
    y
}

/// The axes with the ground and all marks; labels to the right only if `named`.
fn draw(
    chart: &Chart,
    (upwards, named): (&Ticks, bool),
    ground: Option<&Ground>,
    room: &PlotArea,
    shapes: &mut Vec<SceneShape>,
) {
    axes(chart, (upwards, named), room, shapes);
    if let Some(ground) = ground {
        ground.draw(room, shapes);
    }
    shapes.push(SceneShape::Figure {
        contour: Contour::Rectangle {
            sides: [room.left, room.top, room.width, room.height],
            radius: 0.0,
        },
        fill: None,
        line: Some(Stroke::solid(Ink::Wire, 1.25)),
    });
    for mark in &chart.marks {
        let is_named = !mark.tip.is_empty();
        if is_named {
            let is_series = matches!(
                mark.shape,
                MarkShape::Line(LineLook::Curve(_), _) | MarkShape::Dots(_)
            );
            let key = if is_series {
                mark.series.to_string()
            } else {
                String::new()
            };
            shapes.push(SceneShape::Open(SceneGroup {
                class: class(&mark.shape).to_string(),
                key,
                tip: mark.tip.clone(),
            }));
        }
        match &mark.shape {
            MarkShape::Line(look, lines) => line(chart, mark, (*look, lines), room, shapes),
            MarkShape::Dots(places) => dots(places, mark.series, room, shapes),
            MarkShape::Point(place, None) => {
                let line = Stroke::solid(Ink::Ground, 2.0);
                shapes.push(circle(
                    room.place(*place),
                    6.0,
                    Ink::Curve(mark.series),
                    line,
                ));
            }
            MarkShape::Point(place, Some(downhill)) => {
                arrow(*place, *downhill, room, shapes);
                let line = Stroke::solid(BLACK, 2.0);
                shapes.push(circle(room.place(*place), 6.0, WHITE, line));
            }
        }
        if is_named {
            shapes.push(SceneShape::Close);
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

/// The strokes of a line, the lowest first.
fn strokes(look: LineLook, series: u8) -> Vec<Stroke> {
    let solid = |strokes: [(Ink, f64); 2]| strokes.map(|(ink, width)| Stroke::solid(ink, width));
    match look {
        LineLook::Curve(_) => vec![Stroke::solid(Ink::Curve(series), WIDTH)],
        LineLook::Thin => vec![Stroke::dashed(Ink::Curve(series), 1.5)],
        LineLook::ErrorBar => vec![Stroke::solid(Ink::Curve(series), 1.5)],
        LineLook::Boundary => solid(BOUNDARY).to_vec(),
        LineLook::Path => solid(PATH).to_vec(),
    }
}

/// A line, with the signs of a curve or the steps of a path on it.
fn line(
    chart: &Chart,
    mark: &Mark,
    (look, lines): (LineLook, &[Vec<ChartPlace>]),
    room: &PlotArea,
    shapes: &mut Vec<SceneShape>,
) {
    let mut steps = Vec::new();
    for places in lines {
        if let [place] = places[..]
            && inside(place)
        {
            // A value without neighbours is a dot.
            let (x, y) = room.place(place);
            steps.extend([PathStep::Move(x - 1.25, y), PathStep::Line(x + 1.25, y)]);
        }
        steps.extend(polyline(places, room));
    }
    for stroke in strokes(look, mark.series) {
        shapes.push(SceneShape::path(steps.clone(), stroke));
    }
    let places = lines.iter().flatten();
    match look {
        LineLook::Curve(_) if chart.has_several_curves() => signs(chart, mark, lines, room, shapes),
        LineLook::Path if places.clone().count() <= DOTTED + 1 => {
            for place in places.filter(|place| inside(**place)) {
                let line = Stroke::solid(BLACK, 1.0);
                shapes.push(circle(room.place(*place), 3.0, WHITE, line));
            }
        }
        _ => {}
    }
}

/// A line through places of the window, without what is outside of it.
fn polyline(places: &[ChartPlace], room: &PlotArea) -> Vec<PathStep> {
    let mut steps = Vec::new();
    let mut end = None;
    for pair in places.windows(2) {
        let Some([from, to]) = clipped(pair[0], pair[1]) else {
            end = None;
            continue;
        };
        if end != Some(from) {
            let (x, y) = room.place(from);
            steps.push(PathStep::Move(x, y));
        }
        let (x, y) = room.place(to);
        steps.push(PathStep::Line(x, y));
        end = Some(to);
    }
    steps
}

/// Adds a few signs along a curve: beside those of the other curves, and beside the present point.
fn signs(
    chart: &Chart,
    mark: &Mark,
    lines: &[Vec<ChartPlace>],
    room: &PlotArea,
    shapes: &mut Vec<SceneShape>,
) {
    let present = chart.marks.iter().find_map(|other| match other.shape {
        MarkShape::Point(place, _) if other.series == mark.series => Some(place.0),
        _ => None,
    });
    for at in 0..MARKS {
        let part = (at as f64 + 0.3 + 0.13 * f64::from(mark.series)) / MARKS as f64;
        let near = |place: &&ChartPlace| (place.0 - part).abs();
        let nearest = lines.iter().flatten();
        let nearest = nearest.min_by(|one, other| near(one).total_cmp(&near(other)));
        let is_beside = |place: &ChartPlace| present.is_none_or(|it| (it - place.0).abs() > 0.02);
        let is_there =
            |place: &&ChartPlace| inside(**place) && near(place) < 0.02 && is_beside(place);
        if let Some(place) = nearest.filter(is_there) {
            shapes.push(sign(mark.series, room.place(*place), MARK));
        }
    }
}

/// Adds a sign for each place. Of those that would cover each other one is drawn.
fn dots(places: &[ChartPlace], series: u8, room: &PlotArea, shapes: &mut Vec<SceneShape>) {
    let size = match places.len() {
        0..=60 => MARK,
        61..=500 => 0.7 * MARK,
        _ => 0.4 * MARK,
    };
    let mut drawn = HashSet::new();
    for place in places.iter().filter(|place| inside(**place)) {
        let (x, y) = room.place(*place);
        if drawn.insert(((2.0 * x).round() as i64, (2.0 * y).round() as i64)) {
            shapes.push(sign(series, (x, y), size));
        }
    }
}

/// The sign of a series, by which it can be told from others without colours.
fn sign(series: u8, (x, y): (f64, f64), size: f64) -> SceneShape {
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
        return circle((x, y), size, Ink::Ground, line);
    }
    let corners = corners.iter();
    SceneShape::Figure {
        contour: closed(corners.map(|(right, down)| (x + right * size, y + down * size))),
        fill: Some(Ink::Ground),
        line: Some(line),
    }
}

fn circle(middle: (f64, f64), radius: f64, fill: Ink, line: Stroke) -> SceneShape {
    SceneShape::Figure {
        contour: Contour::Circle { middle, radius },
        fill: Some(fill),
        line: Some(line),
    }
}

/// A closed line through corners.
fn closed(corners: impl Iterator<Item = (f64, f64)>) -> Contour {
    let step = |(at, (x, y)): (usize, (f64, f64))| match at {
        0 => PathStep::Move(x, y),
        _ => PathStep::Line(x, y),
    };
    let mut steps: Vec<PathStep> = corners.enumerate().map(step).collect();
    steps.push(PathStep::Close);
    Contour::Path(steps)
}

/// The arrow downhill from the present point, as far as there is room.
fn arrow(from: ChartPlace, downhill: (f64, f64), room: &PlotArea, shapes: &mut Vec<SceneShape>) {
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
    let (from, end) = (room.place(from), room.place(end));
    if (end.0 - from.0).hypot(end.1 - from.1) <= 16.0 {
        return;
    }
    let barb = |side: f64| {
        let (back, aside) = (12.0, 6.0 * side);
        PathStep::Line(
            end.0 - back * dx - aside * dy,
            end.1 - back * dy + aside * dx,
        )
    };
    let tip = PathStep::Line(end.0, end.1);
    let steps = vec![
        PathStep::Move(from.0, from.1),
        tip,
        barb(1.0),
        tip,
        barb(-1.0),
    ];
    for (ink, width) in [(BLACK, 5.0), (WHITE, 2.5)] {
        shapes.push(SceneShape::path(steps.clone(), Stroke::solid(ink, width)));
    }
}

/// The ticks of two axes with a line through the room for each, and their labels; those to the right only if `named`.
fn axes(
    chart: &Chart,
    (upwards, named): (&Ticks, bool),
    room: &PlotArea,
    shapes: &mut Vec<SceneShape>,
) {
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
        shapes.push(SceneShape::line((x - 5.0, y), (x + room.width, y), thin));
        shapes.push(faint((x - 8.0, y + 4.5), Anchor::End, label));
    }
    let bottom = room.top + room.height;
    for (tick, label) in across.0.iter().zip(&across.1) {
        let part = window.across.part(*tick);
        let (x, _) = room.place((part, 0.0));
        shapes.push(SceneShape::line((x, room.top), (x, bottom + 5.0), thin));
        if named {
            let middle = row.start(part, label) + (row.width)(label) / 2.0;
            shapes.push(faint((middle, bottom + 19.0), Anchor::Middle, label));
        }
    }
    let level = window.up.zero().map(|up| [(0.0, up), (1.0, up)]);
    let side = window
        .across
        .zero()
        .map(|right| [(right, 0.0), (right, 1.0)]);
    for ends in level.into_iter().chain(side) {
        let [from, to] = ends.map(|end| room.place(end));
        shapes.push(SceneShape::line(from, to, Stroke::solid(Ink::Wire, 1.25)));
    }
    if named {
        let name = shortened(chart.across, room.width, LETTERS.1);
        let at = (room.left + room.width / 2.0, bottom + 43.0);
        shapes.push(text(at, Anchor::Middle, LETTERS.1, Ink::Words, &name));
    }
}

/// The ground of a map, with its levels.
struct Ground<'m> {
    map: &'m PlotMap,
    levels: MapLevels,
    field: ContourField,
}

impl Ground<'_> {
    fn of(map: &PlotMap) -> Ground<'_> {
        Ground {
            map,
            levels: MapLevels::of(map, LEVELS),
            field: ContourField::of(map),
        }
    }

    /// How much room the bar and its labels take.
    fn beside(&self) -> f64 {
        let labels = widest(&self.levels.labels).max(widest(self.levels.only.as_slice()));
        BAR.0 + BAR.1 + 8.0 + labels
    }

    /// The shades, each on top of those below it, the lines at the levels, and the bar that explains them.
    fn draw(&self, room: &PlotArea, shapes: &mut Vec<SceneShape>) {
        let levels = &self.levels;
        let bottom = std::iter::once(f64::NEG_INFINITY);
        for (band, level) in bottom.chain(levels.values.iter().copied()).enumerate() {
            let mut steps = Vec::new();
            for line in self.field.lines(level) {
                if let Contour::Path(more) =
                    closed(bent(&line).into_iter().map(|it| room.place(it)))
                {
                    steps.extend(more);
                }
            }
            if !steps.is_empty() {
                shapes.push(SceneShape::Figure {
                    contour: Contour::Path(steps),
                    fill: Some(Ink::Shade(levels.shade(band))),
                    line: None,
                });
            }
        }
        for (at, (level, label)) in levels.values.iter().zip(&levels.labels).enumerate() {
            shapes.push(SceneShape::Open(SceneGroup {
                class: "contour".to_string(),
                key: label.clone(),
                tip: format!("{} = {label}", self.map.label),
            }));
            let stroke = Stroke::solid(Ink::OnShade(levels.shade_at(at)), 0.8);
            for line in self.field.contours(*level) {
                shapes.push(SceneShape::path(polyline(&line, room), stroke));
            }
            shapes.push(SceneShape::Close);
        }
        let left = room.left + room.width + BAR.1;
        let bands = levels.values.len() + 1;
        let high = room.height / bands as f64;
        for band in 0..bands {
            let top = room.top + room.height - (band + 1) as f64 * high;
            let sides = [left, top, BAR.0, high];
            shapes.push(SceneShape::Figure {
                contour: Contour::Rectangle { sides, radius: 0.0 },
                fill: Some(Ink::Shade(levels.shade(band))),
                line: None,
            });
            let at = (left + BAR.0 + 6.0, top + 4.5);
            if let Some(label) = levels.labels.get(band) {
                shapes.push(faint(at, Anchor::Start, label));
            }
            if let Some(label) = &levels.only {
                shapes.push(faint((at.0, at.1 + high / 2.0), Anchor::Start, label));
            }
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

fn description(chart: &Chart, ground: Option<&Ground>) -> String {
    let mut text = chart.description.clone();
    if let Some(Ground { levels, .. }) = ground {
        if !levels.labels.is_empty() {
            let _ = write!(text, " Contour lines at {}.", levels.labels.join(", "));
        }
        if let Some(only) = &levels.only {
            let _ = write!(text, " It is {only} everywhere.");
        }
    }
    for mark in &chart.marks {
        let _ = match &mark.shape {
            MarkShape::Line(LineLook::Boundary, _) => {
                write!(text, " The heavy line is where {}.", mark.label)
            }
            MarkShape::Line(LineLook::Path, _) => write!(text, " It shows {}.", mark.label),
            MarkShape::Dots(places) => write!(text, " {}: {} points.", mark.label, places.len()),
            _ => Ok(()),
        };
    }
    for said in &chart.said {
        let _ = write!(text, " {said}.");
    }
    text
}

pub(super) fn widest(labels: &[String]) -> f64 {
    let widths = labels.iter().map(|label| letters::width(label, LETTERS.2));
    widths.fold(0.0, f64::max)
}

fn faint(at: (f64, f64), anchor: Anchor, words: &str) -> SceneShape {
    text(at, anchor, LETTERS.2, Ink::Faint, words)
}

fn text(at: (f64, f64), anchor: Anchor, size: f64, ink: Ink, text: &str) -> SceneShape {
    SceneShape::Text(SceneText {
        anchor,
        ..SceneText::new(at, size, ink, text)
    })
}

/// As much of a text as has room.
fn shortened(text: &str, room: f64, size: f64) -> String {
    let places = letters::places(room, size);
    characters::shorten_end(text, places, false).into_owned()
}

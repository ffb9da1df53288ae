//! Draws the marks of a chart in its frame: curves, bands, bars, dots and present points.

use std::collections::HashSet;

use super::places::closed_path;
use super::{FramePen, LETTERS, line_factor, mark_size};
use crate::curves::chart::{self, ChartPlace, LineLook, Mark, MarkShape};
use crate::curves::window::{clip, inside};
use crate::shapes::{
    Anchor, Contour, Ink, PathStep, SceneGroup, SceneText, Sketch, Stroke, letters, straight_path,
};

/// The width of a curve.
pub(super) const WIDTH: f64 = 2.5;
/// The dashes by which curves differ without colours.
const DASHES: [&[f64]; chart::DASHES] = [
    &[],
    &[3.0, 1.5],
    &[0.6, 1.0],
    &[5.0, 1.2, 0.6, 1.2],
    &[7.0, 2.0],
    &[3.0, 1.2, 0.6, 1.2, 0.6, 1.2],
];
/// The length of the arrow downhill.
const ARROW: f64 = 64.0;
/// The length of that arrow at an edge of the frame that it points across. A shorter one would lie under its point.
const LEAST_ARROW: f64 = 24.0;
/// The radius of the present point.
const POINT: f64 = 6.0;
/// The room of letters such as `y` below their line.
const DESCENT: f64 = 3.0;
/// A path of at most this many steps has a dot for each.
const MOST_DOTTED_STEPS: usize = 60;
/// A chart with more dots than this has specks instead of signs, and error bars in a tint of their colour.
const MOST_SIGNS: usize = 2_000;
/// The side of a speck.
const SPECK: f64 = 1.6;
/// The size of the signs of dots.
pub(super) const MARK: f64 = 4.5;
/// White and black on the shades of a map.
const WHITE: Ink = Ink::OnShade(0);
const BLACK: Ink = Ink::OnShade(255);
/// The lengths of the barbs of the arrow, back along it and aside.
const BARB: (f64, f64) = (12.0, 6.0);
/// The strokes of lines on a map, the lower one first.
const BOUNDARY: [Stroke; 2] = [Stroke::solid(WHITE, 6.0), Stroke::solid(BLACK, 3.0)];
const PATH: [Stroke; 2] = [Stroke::solid(BLACK, 4.0), Stroke::solid(WHITE, 2.0)];

/// The strokes of a line, the lowest first.
pub(super) fn strokes(look: LineLook, series: u8) -> Vec<Stroke> {
    let curve = |width| Stroke::solid(Ink::Curve(series), width);
    match look {
        LineLook::Curve(before) => vec![Stroke {
            dashes: DASHES[before % DASHES.len()],
            ..curve(WIDTH)
        }],
        LineLook::Band => Vec::new(),
        LineLook::Thin => vec![Stroke::of(Ink::Curve(series), 1.25, true)],
        LineLook::ErrorBar | LineLook::Bars => vec![curve(1.5)],
        LineLook::Boundary => BOUNDARY.to_vec(),
        LineLook::Path => PATH.to_vec(),
    }
}

/// The class of a mark in a page.
fn class(shape: &MarkShape) -> &'static str {
    match shape {
        MarkShape::Line(LineLook::Boundary, _) => "boundary",
        MarkShape::Line(LineLook::Path, _) => "path",
        MarkShape::Line(..) => "curve",
        MarkShape::Dots(_) => "dots",
        MarkShape::Point(..) => "present",
    }
}

impl FramePen<'_> {
    /// Draws a mark, in a group if it has a tip.
    pub(super) fn draw_mark_with_tip(&mut self, mark: &Mark) {
        if mark.tip.is_empty() {
            return self.draw_mark(mark);
        }
        let frame = self.frame;
        let group = SceneGroup::new(class(&mark.shape), String::new(), mark.tip.clone());
        self.sketch.group(group, |sketch| {
            FramePen { frame, sketch }.draw_mark(mark);
        });
    }

    fn draw_mark(&mut self, mark: &Mark) {
        let series = mark.series;
        let is_crowded = self.is_crowded();
        match &mark.shape {
            MarkShape::Line(LineLook::Band, edges) => self.draw_band(edges, series),
            MarkShape::Line(LineLook::Bars, bars) => self.draw_bars(bars, series),
            MarkShape::Line(LineLook::ErrorBar, bars) if is_crowded => {
                let stroke = Stroke::solid(Ink::Band(series), 1.0);
                self.sketch
                    .path(self.frame.polylines(&self.joined_bars(bars)), stroke);
            }
            MarkShape::Line(look, lines) => {
                self.draw_lines(*look, lines, series);
                for place in mark.places_of_letter() {
                    draw_letter(mark, self.frame.place(place), self.sketch);
                }
            }
            MarkShape::Dots(places) if is_crowded => self.draw_specks(places, series),
            MarkShape::Dots(places) => self.draw_dots(mark, places),
            MarkShape::Point(place, None) => {
                self.draw_point(*place, Ink::Curve(series), Ink::Ground);
                self.draw_value(*place, &mark.value);
            }
            MarkShape::Point(place, Some(downhill)) => {
                self.draw_downhill(*place, *downhill);
                self.draw_point(*place, WHITE, BLACK);
            }
        }
    }

    /// Whether the dots are so many that they are specks.
    pub(super) fn is_crowded(&self) -> bool {
        self.frame.chart.dots() > MOST_SIGNS
    }

    /// Draws a band: the area between each pair of lines.
    fn draw_band(&mut self, lines: &[Vec<ChartPlace>], series: u8) {
        for edges in lines.chunks_exact(2) {
            let [upper, lower] = [&edges[0], &edges[1]].map(|edge| self.frame.thin_out(edge));
            let around = upper.iter().chain(lower.iter().rev());
            let inside = around.map(|(x, y)| (x.clamp(0.0, 1.0), y.clamp(0.0, 1.0)));
            let area = self.frame.outline(inside);
            self.sketch.area(Contour::Path(area), Ink::Band(series));
        }
    }

    /// Draws the bars of a histogram, given by their corners.
    fn draw_bars(&mut self, bars: &[Vec<ChartPlace>], series: u8) {
        let bar = |corners: &Vec<ChartPlace>| {
            let inside = corners.iter().map(|(x, y)| (*x, y.clamp(0.0, 1.0)));
            self.frame.outline(inside)
        };
        let steps = bars.iter().flat_map(bar).collect();
        let line = strokes(LineLook::Bars, series).pop();
        self.sketch
            .figure(Contour::Path(steps), Some(Ink::Grid), line);
    }

    /// Draws lines, and a dot for each step of a short path.
    fn draw_lines(&mut self, look: LineLook, lines: &[Vec<ChartPlace>], series: u8) {
        let steps = self.frame.polylines(lines);
        for stroke in strokes(look, series) {
            self.sketch.path(steps.clone(), stroke);
        }
        let places: Vec<ChartPlace> = lines.iter().flatten().copied().collect();
        if look == LineLook::Path && places.len() <= MOST_DOTTED_STEPS + 1 {
            let edge = Stroke::solid(BLACK, 1.0);
            for place in places.into_iter().filter(|place| inside(*place)) {
                let dot = Contour::Circle(self.frame.place(place), 3.0);
                self.sketch.figure(dot, Some(WHITE), Some(edge));
            }
        }
    }

    /// Draws the present point in these inks.
    fn draw_point(&mut self, place: ChartPlace, fill: Ink, line: Ink) {
        let circle = Contour::Circle(self.frame.place(place), POINT);
        let edge = Stroke::solid(line, 2.0);
        self.sketch.figure(circle.clone(), Some(fill), Some(edge));
        // On a page the user drags the point by this invisible circle.
        self.sketch.figure(circle, None, None);
    }

    /// Writes the value of a present point beside it, inside the frame, where it covers the fewest pieces of lines.
    fn draw_value(&mut self, point: ChartPlace, value: &str) {
        if value.is_empty() {
            return;
        }
        let size = self.frame.size();
        // In some fonts without serifs, digits are wider than in the monospaced one.
        let text_width = letters::width(value, LETTERS + 1.0);
        let (width, height) = (text_width / size.0, (LETTERS + DESCENT) / size.1);
        let (gap_x, gap_y) = (1.5 * POINT / size.0, POINT / size.1);
        // The lower left corners of the text, the best first.
        let [right, left] = [point.0 + gap_x, point.0 - gap_x - width];
        let [above, below] = [point.1 + gap_y, point.1 - gap_y - height];
        // In a bend there is room only straight above or below.
        let (middle, farther) = (point.0 - width / 2.0, 2.0 * gap_y);
        let corners = [
            (right, above),
            (left, above),
            (right, below),
            (left, below),
            (middle, point.1 + farther),
            (middle, point.1 - farther - height),
        ];
        let inside_frame = |(x, y): (f64, f64)| {
            let is_within = |from: f64, length: f64| from > 0.0 && from + length < 1.0;
            is_within(x, width) && is_within(y, height)
        };
        let pieces_below = |(x, y): (f64, f64)| {
            let part = |place: ChartPlace| ((place.0 - x) / width, (place.1 - y) / height);
            let lines = self
                .frame
                .chart
                .marks
                .iter()
                .filter_map(|it| match &it.shape {
                    MarkShape::Line(_, lines) => Some(lines),
                    _ => None,
                });
            let pieces = lines.flatten().flat_map(|line| line.windows(2));
            pieces
                .filter(|pair| clip(part(pair[0]), part(pair[1])).is_some())
                .count()
        };
        let fitting = corners.into_iter().filter(|corner| inside_frame(*corner));
        let Some(corner) = fitting.min_by_key(|corner| pieces_below(*corner)) else {
            return;
        };
        let (x, y) = self.frame.place(corner);
        let text = SceneText::new((x, y - DESCENT), LETTERS, Ink::Words, value);
        self.sketch.text(text);
    }

    /// Draws a sign for each place. If signs would cover each other, only one of them is drawn.
    fn draw_dots(&mut self, mark: &Mark, places: &[ChartPlace]) {
        // Many dots are smaller, so that a cloud shows where they are dense.
        let largest = mark_size(self.frame.chart);
        let is_for_print = self.frame.chart.letters().is_some();
        let size = match places.len() {
            501.. => 0.4 * largest,
            41.. if !is_for_print => 0.7 * largest,
            _ => largest,
        };
        let mut drawn = HashSet::new();
        for place in places.iter().filter(|place| inside(**place)) {
            let (x, y) = self.frame.place(*place);
            let half_pixel = ((2.0 * x).round() as i64, (2.0 * y).round() as i64);
            if drawn.insert(half_pixel) {
                draw_sign(mark, (x, y), size, self.sketch);
            }
        }
    }

    /// The upright bars, of which those in a column of pixels that overlap are one: programs take minutes to draw very many
    /// that lie on each other.
    fn joined_bars(&self, bars: &[Vec<ChartPlace>]) -> Vec<Vec<ChartPlace>> {
        let (width, _) = self.frame.size();
        let upright = bars.iter().filter(|bar| bar[0].0 == bar[1].0);
        // The column of each bar, its lower end and its upper one.
        let mut ends: Vec<(f64, f64, f64)> = upright
            .map(|bar| {
                let (one, other) = (bar[0].1, bar[1].1);
                ((bar[0].0 * width).floor(), one.min(other), one.max(other))
            })
            .collect();
        ends.sort_by(|one, other| one.0.total_cmp(&other.0).then(one.1.total_cmp(&other.1)));
        let mut joined: Vec<Vec<ChartPlace>> = Vec::new();
        for (column, low, high) in ends {
            let x = (column + 0.5) / width;
            match joined.last_mut() {
                Some(last) if last[0].0 == x && low <= last[1].1 => last[1].1 = last[1].1.max(high),
                _ => joined.push(vec![(x, low), (x, high)]),
            }
        }
        joined
    }

    /// Draws a speck for each place: so many signs would cover each other, and specks show where places are dense.
    fn draw_specks(&mut self, places: &[ChartPlace], series: u8) {
        let mut steps = Vec::new();
        // A speck is as long as its line is wide.
        let half = SPECK / 2.0 * line_factor(self.frame.chart);
        for place in places.iter().filter(|place| inside(**place)) {
            let (x, y) = self.frame.place(*place);
            steps.extend(straight_path([(x - half, y), (x + half, y)]));
        }
        let stroke = Stroke::solid(Ink::Curve(series), SPECK);
        self.sketch.path(steps, stroke);
    }

    /// Draws the arrow downhill from the present point, or, if the point is so near an edge of the frame that the arrow
    /// would leave it, towards the point.
    fn draw_downhill(&mut self, point: ChartPlace, downhill: (f64, f64)) {
        let (width, height) = self.frame.size();
        let (dx, dy) = (downhill.0 * width, -downhill.1 * height);
        // Both are divided by the larger one first, because the squares of small gradients would be 0.
        let size = dx.abs().max(dy.abs());
        let length = (dx / size).hypot(dy / size);
        if !length.is_finite() {
            return;
        }
        let (unit_x, unit_y) = (dx / size / length / width, -dy / size / length / height);
        let along = |pixels: f64| (point.0 + pixels * unit_x, point.1 + pixels * unit_y);
        let forwards = clip(point, along(ARROW));
        let tip = -1.5 * POINT;
        let backwards = clip(along(tip - LEAST_ARROW), along(tip));
        let pixels = |[from, to]: [ChartPlace; 2]| {
            let ends = [from, to].map(|place| self.frame.place(place));
            let is_long = (ends[1].0 - ends[0].0).hypot(ends[1].1 - ends[0].1) > LEAST_ARROW - 1.0;
            is_long.then_some(ends)
        };
        if let Some([from, to]) = forwards.and_then(pixels).or(backwards.and_then(pixels)) {
            draw_arrow(from, to, self.sketch);
        }
    }
}

/// Draws the sign of a mark, by which it differs from others without colours: six outlines, which are empty, then full,
/// then empty and full with a spot.
pub(super) fn draw_sign(mark: &Mark, (x, y): (f64, f64), size: f64, sketch: &mut Sketch) {
    let corners: &[(f64, f64)] = match mark.series % 6 {
        0 => &[],
        1 => &[(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)],
        2 => &[(0.0, -1.3), (1.2, 0.9), (-1.2, 0.9)],
        3 => &[(0.0, -1.4), (1.4, 0.0), (0.0, 1.4), (-1.4, 0.0)],
        4 => &[(0.0, 1.3), (1.2, -0.9), (-1.2, -0.9)],
        _ => &[(-0.5, -1.4), (0.5, -1.4), (0.5, 1.4), (-0.5, 1.4)],
    };
    let ink = Ink::Curve(mark.series);
    let line = Stroke::solid(ink, 2.0 * size / MARK);
    let place = |(right, down): &(f64, f64)| (x + right * size, y + down * size);
    let outline = match corners {
        [] => Contour::Circle((x, y), size),
        _ => Contour::Path(closed_path(corners.iter().map(place))),
    };
    let round = mark.series / 6;
    let [fill, spot] = if round.is_multiple_of(2) {
        [Ink::Ground, ink]
    } else {
        [ink, Ink::Ground]
    };
    sketch.figure(outline, Some(fill), Some(line));
    if round > 1 {
        sketch.area(Contour::Circle((x, y), 0.4 * size), spot);
    }
}

/// Draws the letter of a curve in a gap of its line.
pub(super) fn draw_letter(mark: &Mark, (x, y): (f64, f64), sketch: &mut Sketch) {
    let Some(letter) = mark.letter() else { return };
    sketch.area(Contour::Circle((x, y), LETTERS * 0.45), Ink::Ground);
    let ink = Ink::Curve(mark.series);
    sketch.text(SceneText {
        anchor: Anchor::Middle,
        is_bold: true,
        ..SceneText::new((x, y + LETTERS * 0.3), LETTERS, ink, &letter.to_string())
    });
}

/// Draws the arrow downhill, which is white with a black edge.
pub(super) fn draw_arrow(from: (f64, f64), (x, y): (f64, f64), sketch: &mut Sketch) {
    let length = (x - from.0).hypot(y - from.1);
    let (dx, dy) = ((x - from.0) / length, (y - from.1) / length);
    let barb = |side: f64| {
        let (back, aside) = (BARB.0, BARB.1 * side);
        (x - back * dx - aside * dy, y - back * dy + aside * dx)
    };
    let steps: Vec<PathStep> = straight_path([from, (x, y), barb(1.0), (x, y), barb(-1.0)]);
    for (ink, width) in [(BLACK, 5.0), (WHITE, 2.5)] {
        sketch.path(steps.clone(), Stroke::solid(ink, width));
    }
}

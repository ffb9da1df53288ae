//! A map as a picture for files: shades between round levels, contour lines, a bar that explains both; and on it the
//! boundary between classes, the path of the steps, points of data, the present point with an arrow downhill.
//!
//! What is on the map is black and white, whatever the ground.

use std::fmt::Write as _;

use super::{
    ContourField, ContourPoint, MapLevels, downhill, on_axes, on_axis, series_on_axes, window,
};
use crate::report::{MapAxis, PlotMap, PresentPoint};
use crate::view::picture::curves::axes::{
    AxesFrame, EDGE, FOOT, LETTERS, LINE, TICKS, faint, shortened, size, text,
};
use crate::view::picture::curves::chart::{legend, polyline};
use crate::view::picture::curves::marks::dots;
use crate::view::picture::curves::ticks;
use crate::view::picture::curves::window::{PlotArea, Window, inside};
use crate::view::picture::curves::words::{boundary_said, map_said, map_title};
use crate::view::picture::shapes::letters;
use crate::view::picture::shapes::{
    Anchor, Contour, Ink, PathStep, Scene, SceneGroup, SceneShape, SceneText, Stroke,
};
use crate::view::{Style, number};

/// The most levels.
const LEVELS: usize = 11;
/// How wide the bar beside the map is, and how far from it.
const BAR: (f64, f64) = (16.0, 18.0);

/// How long the arrow downhill is.
const ARROW: f64 = 64.0;
/// A path of at most so many steps has a dot for each.
const DOTTED: usize = 60;
/// Black and white on a map, whatever the ground.
const WHITE: Ink = Ink::OnShade(0);
const BLACK: Ink = Ink::OnShade(255);

/// The line between two classes, from the lower stroke to the upper one.
const BOUNDARY: [(Ink, f64); 2] = [(WHITE, 6.0), (BLACK, 3.0)];

/// A map in the making.
struct MapDrawing<'m> {
    map: &'m PlotMap,
    levels: &'m MapLevels,
    field: ContourField,
    window: &'m Window,
    room: &'m PlotArea,
}

/// The picture of a map.
pub(crate) fn scene(map: &PlotMap, style: &Style) -> Scene {
    let (width, height) = size(map.size);
    let levels = MapLevels::of(map, LEVELS);
    let window = window(map);
    let upwards = ticks::along(map.up.logarithmic, window.up, TICKS.1);
    let widest = |labels: &[String]| {
        let widths = labels.iter().map(|label| letters::width(label, LETTERS.2));
        widths.fold(0.0, f64::max)
    };
    let left = EDGE + widest(&upwards.1) + 10.0;
    let beside = BAR.0 + BAR.1 + 8.0 + widest(&levels.labels).max(widest(levels.only.as_slice()));
    let mut shapes = Vec::new();
    let top = head(map, width, style, &mut shapes);
    let room = PlotArea {
        left,
        top: top + LETTERS.1,
        width: (width - left - EDGE - beside).max(1.0),
        height: (height - top - LETTERS.1 - FOOT).max(1.0),
    };
    let name = shortened(&map.up.name, width / 2.0, LETTERS.1);
    shapes.push(text(
        (left, top + 4.0),
        Anchor::Middle,
        LETTERS.1,
        Ink::Words,
        &name,
    ));
    let drawing = MapDrawing {
        map,
        levels: &levels,
        field: ContourField::of(map),
        window: &window,
        room: &room,
    };
    drawing.areas(&mut shapes);
    drawing.contours(&mut shapes);
    let axes = AxesFrame {
        across: &map.across.name,
        logarithmic: (map.across.logarithmic, map.up.logarithmic),
        window: &window,
        room: &room,
    };
    axes.draw((&upwards, true), false, &mut shapes);
    drawing.frame(&mut shapes);
    drawing.boundary(&mut shapes);
    drawing.path(&mut shapes);
    for (number, series) in series_on_axes(map).iter().enumerate() {
        shapes.push(SceneShape::Open(SceneGroup {
            class: "dots".to_string(),
            key: number.to_string(),
            tip: series.label.clone(),
        }));
        dots(series, number, (&window, &room), &mut shapes);
        shapes.push(SceneShape::Close);
    }
    drawing.present(style, &mut shapes);
    drawing.bar(&mut shapes);
    Scene {
        width,
        height,
        title: map_title(map),
        description: description(map, &levels, style),
        shapes,
    }
}

/// The title, the signs of the points, the present point. Says where it ends.
fn head(map: &PlotMap, width: f64, style: &Style, shapes: &mut Vec<SceneShape>) -> f64 {
    let mut y = EDGE + LETTERS.0 / 2.0;
    let room = width - 2.0 * EDGE;
    let title = shortened(&map_title_alone(map), room, LETTERS.0);
    shapes.push(SceneShape::Text(SceneText {
        bold: true,
        ..SceneText::new((EDGE, y + 4.0), LETTERS.0, Ink::Words, &title)
    }));
    if !map.series.is_empty() {
        y = legend(&map.series, false, (y + LINE, room), shapes);
    }
    if let Some(said) = boundary_said(map) {
        y += LINE;
        boundary_line(&[(EDGE, y), (EDGE + 30.0, y)], shapes);
        let at = (EDGE + 38.0, y + 5.0);
        shapes.push(text(at, Anchor::Start, LETTERS.1, Ink::Words, &said));
    }
    if let Some(said) = map_said(map, style) {
        y += LINE;
        let said = shortened(&said, room, LETTERS.2);
        shapes.push(faint((EDGE, y + 4.0), Anchor::Start, &said));
    }
    y + LINE
}

/// `L = (x - 2)^2 + y^2`
fn map_title_alone(map: &PlotMap) -> String {
    if map.formula.is_empty() {
        map.label.clone()
    } else {
        format!("{} = {}", map.label, map.formula)
    }
}

impl MapDrawing<'_> {
    /// The shades, each on top of those below it.
    fn areas(&self, shapes: &mut Vec<SceneShape>) {
        let bottom = std::iter::once(f64::NEG_INFINITY);
        for (band, level) in bottom.chain(self.levels.values.iter().copied()).enumerate() {
            let mut steps = Vec::new();
            for line in self.field.lines(level) {
                let corners = bent(&line);
                for (at, place) in corners.into_iter().enumerate() {
                    let (x, y) = self.room.place(place);
                    steps.push(if at == 0 {
                        PathStep::Move(x, y)
                    } else {
                        PathStep::Line(x, y)
                    });
                }
                steps.push(PathStep::Close);
            }
            if !steps.is_empty() {
                shapes.push(SceneShape::Figure {
                    contour: Contour::Path(steps),
                    fill: Some(Ink::Shade(self.levels.shade(band))),
                    line: None,
                });
            }
        }
    }

    /// The lines at the levels.
    fn contours(&self, shapes: &mut Vec<SceneShape>) {
        for (at, level) in self.levels.values.iter().enumerate() {
            let label = &self.levels.labels[at];
            shapes.push(SceneShape::Open(SceneGroup {
                class: "contour".to_string(),
                key: label.clone(),
                tip: format!("{} = {label}", self.map.label),
            }));
            let stroke = Stroke::solid(Ink::OnShade(self.levels.shade_at(at)), 0.8);
            for line in self.contour(*level) {
                shapes.push(SceneShape::path(line, stroke));
            }
            shapes.push(SceneShape::Close);
        }
    }

    /// The lines at a level.
    fn contour(&self, level: f64) -> Vec<Vec<PathStep>> {
        let lines = ContourField::open_lines(&self.field.lines(level));
        let place = |line: &Vec<(f64, f64)>| {
            let places: Vec<_> = line.iter().map(|place| self.room.place(*place)).collect();
            steps_of(&places)
        };
        lines.iter().map(place).collect()
    }

    fn frame(&self, shapes: &mut Vec<SceneShape>) {
        let PlotArea {
            left,
            top,
            width,
            height,
        } = *self.room;
        shapes.push(SceneShape::Figure {
            contour: Contour::Rectangle {
                sides: [left, top, width, height],
                radius: 0.0,
            },
            fill: None,
            line: Some(Stroke::solid(Ink::Wire, 1.25)),
        });
    }

    /// What the shades mean.
    fn bar(&self, shapes: &mut Vec<SceneShape>) {
        let PlotArea {
            left,
            top,
            width,
            height,
        } = *self.room;
        let left = left + width + BAR.1;
        let bands = self.levels.values.len() + 1;
        let high = height / bands as f64;
        for band in 0..bands {
            let top = top + height - (band + 1) as f64 * high;
            shapes.push(SceneShape::Figure {
                contour: Contour::Rectangle {
                    sides: [left, top, BAR.0, high],
                    radius: 0.0,
                },
                fill: Some(Ink::Shade(self.levels.shade(band))),
                line: None,
            });
            if let Some(label) = self.levels.labels.get(band) {
                shapes.push(faint((left + BAR.0 + 6.0, top + 4.5), Anchor::Start, label));
            }
            if let Some(label) = &self.levels.only {
                let middle = top + high / 2.0 + 4.5;
                shapes.push(faint((left + BAR.0 + 6.0, middle), Anchor::Start, label));
            }
        }
    }

    /// The line between two classes.
    fn boundary(&self, shapes: &mut Vec<SceneShape>) {
        let Some(level) = self.map.boundary else {
            return;
        };
        shapes.push(SceneShape::Open(SceneGroup {
            class: "boundary".to_string(),
            key: String::new(),
            tip: boundary_said(self.map).unwrap_or_default(),
        }));
        let lines = self.contour(level);
        for (ink, width) in BOUNDARY {
            for line in &lines {
                shapes.push(SceneShape::path(line.clone(), Stroke::solid(ink, width)));
            }
        }
        shapes.push(SceneShape::Close);
    }

    /// The path of the steps, and a dot for each if they are few.
    fn path(&self, shapes: &mut Vec<SceneShape>) {
        let places = self.window.places(&on_axes(self.map, &self.map.path));
        if places.is_empty() {
            return;
        }
        let steps = polyline(&places, self.room);
        shapes.push(SceneShape::Open(SceneGroup {
            class: "path".to_string(),
            key: String::new(),
            tip: format!("{} steps", places.len() - 1),
        }));
        for (ink, width) in [(BLACK, 4.0), (WHITE, 2.0)] {
            shapes.push(SceneShape::path(steps.clone(), Stroke::solid(ink, width)));
        }
        let is_few = places.len() <= DOTTED + 1;
        for place in places.iter().filter(|place| is_few && inside(**place)) {
            shapes.push(dot(self.room.place(*place), 3.0, WHITE, (BLACK, 1.0)));
        }
        shapes.push(SceneShape::Close);
    }

    fn present(&self, style: &Style, shapes: &mut Vec<SceneShape>) {
        let Some((_, at)) = self.present_place() else {
            return;
        };
        shapes.push(SceneShape::Open(SceneGroup {
            class: "present".to_string(),
            key: String::new(),
            tip: map_said(self.map, style).unwrap_or_default(),
        }));
        if let Some([from, to]) = self.arrow() {
            let long = (to.0 - from.0).hypot(to.1 - from.1);
            let (dx, dy) = ((to.0 - from.0) / long, (to.1 - from.1) / long);
            let corner = |back: f64, aside: f64| {
                (to.0 - back * dx - aside * dy, to.1 - back * dy + aside * dx)
            };
            let (one, other, end) = (corner(12.0, 6.0), corner(12.0, -6.0), corner(9.0, 0.0));
            let head = vec![
                PathStep::Move(to.0, to.1),
                PathStep::Line(one.0, one.1),
                PathStep::Line(other.0, other.1),
                PathStep::Close,
            ];
            for (ink, more) in [(BLACK, 2.5), (WHITE, 0.0)] {
                shapes.push(SceneShape::line(from, end, Stroke::solid(ink, 2.5 + more)));
                shapes.push(SceneShape::Figure {
                    contour: Contour::Path(head.clone()),
                    fill: Some(ink),
                    line: (more > 0.0).then(|| Stroke::solid(ink, more)),
                });
            }
        }
        shapes.push(dot(at, 6.0, WHITE, (BLACK, 2.0)));
        shapes.push(SceneShape::Close);
    }

    /// The present point in the picture, if it is there.
    fn present_place(&self) -> Option<(&PresentPoint, (f64, f64))> {
        let present = self.map.present.as_ref()?;
        let (x, y) = present.at;
        let place = (on_axis(&self.map.across, x), on_axis(&self.map.up, y));
        let place = self.window.place(place);
        inside(place).then(|| (present, self.room.place(place)))
    }

    /// The arrow downhill, from the present point.
    fn arrow(&self) -> Option<[(f64, f64); 2]> {
        let (present, from) = self.present_place()?;
        let (right, up) = downhill(self.map, present);
        let (dx, dy) = (right * self.room.width, -up * self.room.height);
        // Divided by the larger one first: squares of small gradients vanish.
        let size = dx.abs().max(dy.abs());
        let length = (dx / size).hypot(dy / size);
        let (dx, dy) = (dx / size / length, dy / size / length);
        if !(dx.is_finite() && dy.is_finite()) {
            return None;
        }
        let room = self.room;
        let until = |from: f64, by: f64, low: f64, wide: f64| {
            let end = if by > 0.0 { low + wide } else { low };
            if by == 0.0 { ARROW } else { (end - from) / by }
        };
        let long = ARROW
            .min(until(from.0, dx, room.left, room.width))
            .min(until(from.1, dy, room.top, room.height));
        (long > 16.0).then_some([from, (from.0 + long * dx, from.1 + long * dy)])
    }
}

/// A sample of the line between two classes.
fn boundary_line(line: &[(f64, f64)], shapes: &mut Vec<SceneShape>) {
    for (ink, width) in BOUNDARY {
        shapes.push(SceneShape::path(steps_of(line), Stroke::solid(ink, width)));
    }
}

fn dot(middle: (f64, f64), radius: f64, fill: Ink, (ink, width): (Ink, f64)) -> SceneShape {
    SceneShape::Figure {
        contour: Contour::Circle { middle, radius },
        fill: Some(fill),
        line: Some(Stroke::solid(ink, width)),
    }
}

fn steps_of(line: &[(f64, f64)]) -> Vec<PathStep> {
    let step = |(at, &(x, y)): (usize, &(f64, f64))| {
        if at == 0 {
            PathStep::Move(x, y)
        } else {
            PathStep::Line(x, y)
        }
    };
    line.iter().enumerate().map(step).collect()
}

/// The places of a closed line without those on the straight way between two others.
fn bent(line: &[ContourPoint]) -> Vec<(f64, f64)> {
    let mut found: Vec<(f64, f64)> = Vec::with_capacity(line.len());
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

fn description(map: &PlotMap, levels: &MapLevels, style: &Style) -> String {
    let digits = style.table_digits;
    let axis = |axis: &MapAxis| {
        let [from, to] = [axis.range.0, axis.range.1].map(|end| number::text(end, digits));
        let scale = if axis.logarithmic {
            ", logarithmic"
        } else {
            ""
        };
        format!("{} from {from} to {to}{scale}", axis.name)
    };
    let mut text = format!(
        "{} goes to the right, {} upwards.",
        axis(&map.across),
        axis(&map.up)
    );
    if !levels.labels.is_empty() {
        let _ = write!(text, " Contour lines at {}.", levels.labels.join(", "));
    }
    if let Some(only) = &levels.only {
        let _ = write!(text, " It is {only} everywhere.");
    }
    if let Some(said) = boundary_said(map) {
        let _ = write!(text, " The heavy line is where {said}.");
    }
    if let Some(said) = map_said(map, style) {
        let _ = write!(text, " {said}.");
    }
    if map.path.len() > 1 {
        let _ = write!(text, " The path has {} steps.", map.path.len() - 1);
    }
    for series in &map.series {
        let _ = write!(text, " {}: {} points.", series.label, series.points.len());
    }
    text
}

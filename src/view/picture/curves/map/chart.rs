//! A map as a picture for files: shades between round levels, contour lines with their numbers, a bar that explains the
//! shades; and on it the present point with an arrow downhill, the path of the steps, points of data.

use std::fmt::Write as _;

use super::drawing::{MapDrawing, length, steps_of, window};
use super::upon::boundary_line;
use super::{ContourField, ContourPoint, MapLevels};
use crate::report::{MapAxis, PlotMap};
use crate::view::picture::curves::axes::{
    AxesFrame, EDGE, FOOT, LETTERS, LINE, TICKS, faint, shortened, size, text,
};
use crate::view::picture::curves::chart::legend;
use crate::view::picture::curves::marks::dots;
use crate::view::picture::curves::ticks;
use crate::view::picture::curves::window::PlotArea;
use crate::view::picture::curves::words::{boundary_said, map_said, map_title};
use crate::view::picture::shapes::letters;
use crate::view::picture::shapes::{
    Anchor, Contour, Ink, PathStep, Scene, SceneGroup, SceneShape, SceneText, Stroke,
};
use crate::view::{Style, number};

/// The most levels.
const LEVELS: usize = 11;
/// The height of the numbers on the lines.
const NUMBERS: f64 = 11.0;
/// A line has its number if it is at least this many times as long.
const LONG: f64 = 3.0;
/// How wide the bar beside the map is, and how far from it.
const BAR: (f64, f64) = (16.0, 18.0);

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
    for (number, series) in map.series.iter().enumerate() {
        shapes.push(SceneShape::Open(SceneGroup {
            class: "dots".to_string(),
            key: number.to_string(),
            tip: series.label.clone(),
        }));
        let placed = drawing.on_axes(&series.points);
        let series = crate::report::Curve {
            points: placed,
            ..series.clone()
        };
        dots(&series, number, (&window, &room), &mut shapes);
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
    /// The shades, each on top of those below it, and the hatching of what has no value.
    fn areas(&self, shapes: &mut Vec<SceneShape>) {
        let hatched = Stroke::solid(Ink::Faint, 1.0);
        for (from, to) in self.field.hatching() {
            shapes.push(SceneShape::line(
                self.room.place(from),
                self.room.place(to),
                hatched,
            ));
        }
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

    /// The lines at the levels, and on some of them their numbers.
    fn contours(&self, shapes: &mut Vec<SceneShape>) {
        let mut taken = self.reserved();
        let mut numbers = Vec::new();
        for (at, level) in self.levels.values.iter().enumerate() {
            let label = &self.levels.labels[at];
            let shade = self.levels.shade_at(at);
            let lines = ContourField::open_lines(&self.field.lines(*level));
            let mut placed: Vec<Vec<(f64, f64)>> = (lines.iter())
                .map(|line| line.iter().map(|place| self.room.place(*place)).collect())
                .collect();
            shapes.push(SceneShape::Open(SceneGroup {
                class: "contour".to_string(),
                key: label.clone(),
                tip: format!("{} = {label}", self.map.label),
            }));
            let stroke = Stroke::solid(Ink::OnShade(shade), 0.8);
            for line in &placed {
                shapes.push(SceneShape::path(steps_of(line), stroke));
            }
            shapes.push(SceneShape::Close);
            // The boundary says itself what it is.
            if self.map.boundary == Some(*level) {
                continue;
            }
            placed.sort_by(|one, other| length(other).total_cmp(&length(one)));
            let wide = letters::width(label, NUMBERS) + 6.0;
            for line in placed.iter().take(2) {
                if length(line) < LONG * wide {
                    break;
                }
                if let Some(spot) = self.spot(line, (wide, NUMBERS + 4.0), &taken) {
                    taken.push(spot);
                    numbers.push((spot, label, shade));
                }
            }
        }
        for ([left, top, wide, high], label, shade) in numbers {
            shapes.push(SceneShape::Figure {
                contour: Contour::Rectangle {
                    sides: [left, top, wide, high],
                    radius: 2.0,
                },
                fill: Some(Ink::Shade(shade)),
                line: None,
            });
            let at = (
                left + wide / 2.0,
                top + high / 2.0 + NUMBERS * letters::CAPITAL / 2.0,
            );
            shapes.push(text(
                at,
                Anchor::Middle,
                NUMBERS,
                Ink::OnShade(shade),
                label,
            ));
        }
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

//! A picture as shapes, from which `.svg` and the page are written.
//!
//! Lengths are in pixels at scale 1, and y grows downwards. A shape has an [`Ink`], which is its role; `palette.rs` finds
//! the colour of this role on a light and on a dark background.

use super::letters::Font;

/// The role of a shape, which decides its colour.
pub(crate) use chainrule_style::theme::Role as Ink;

/// A picture.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scene {
    pub width: f64,
    pub height: f64,
    /// The place of its upper left corner.
    pub origin: (f64, f64),
    /// The scale at which the file shows it, if it is not 1.
    pub zoom: Option<f64>,
    /// Whether it is for print: the file states its size in centimetres.
    pub is_for_print: bool,
    pub font: Font,
    /// Its description in one sentence: the title of the file, which screen readers speak.
    pub title: String,
    /// Sentences for a reader who cannot see it, about things that the tooltips of its parts do not mention.
    pub description: String,
    /// Texts that had to be shortened.
    pub cut: Vec<String>,
    /// The shapes, from back to front.
    pub shapes: Vec<SceneShape>,
}

/// A shape.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum SceneShape {
    /// A group begins, which ends with [`SceneShape::Close`].
    Open(SceneGroup),
    /// The innermost open group ends.
    Close,
    /// A figure with an area, an outline, or both.
    Figure {
        contour: Contour,
        fill: Option<Ink>,
        line: Option<Stroke>,
    },
    Text(SceneText),
}

/// The shapes of a picture that is being drawn, from back to front.
#[derive(Debug, Default)]
pub(crate) struct Sketch {
    pub shapes: Vec<SceneShape>,
}

impl Sketch {
    /// Draws a group of shapes.
    pub(crate) fn group(&mut self, group: SceneGroup, draw: impl FnOnce(&mut Sketch)) {
        self.shapes.push(SceneShape::Open(group));
        draw(self);
        self.shapes.push(SceneShape::Close);
    }

    /// Draws a line of text.
    pub(crate) fn text(&mut self, text: SceneText) {
        self.shapes.push(SceneShape::Text(text));
    }

    /// Draws a figure.
    pub(crate) fn figure(&mut self, contour: Contour, fill: Option<Ink>, line: Option<Stroke>) {
        self.shapes.push(SceneShape::Figure {
            contour,
            fill,
            line,
        });
    }

    /// Fills a figure.
    pub(crate) fn area(&mut self, contour: Contour, fill: Ink) {
        self.figure(contour, Some(fill), None);
    }

    /// Draws a line.
    pub(crate) fn path(&mut self, steps: Vec<PathStep>, line: Stroke) {
        self.figure(Contour::Path(steps), None, Some(line));
    }

    /// Draws a straight line.
    pub(crate) fn line(&mut self, from: (f64, f64), to: (f64, f64), line: Stroke) {
        self.path(straight_path([from, to]), line);
    }
}

/// The outline of a figure.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Contour {
    Rectangle {
        /// The left edge, the upper edge, the width and the height.
        sides: [f64; 4],
        /// The radius of the corners.
        radius: f64,
    },
    /// Straight and round pieces, beginning with [`PathStep::Move`].
    Path(Vec<PathStep>),
    /// The middle and the radius.
    Circle((f64, f64), f64),
}

/// A line of text in the font of the picture.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct SceneText {
    /// The place of its anchor, on its baseline.
    pub at: (f64, f64),
    pub anchor: Anchor,
    /// The height of the font.
    pub size: f64,
    pub is_bold: bool,
    /// Whether it runs from bottom to top.
    pub is_upright: bool,
    /// Whether it is a part of a line, so that another font must not make it wider.
    pub is_part: bool,
    pub ink: Ink,
    /// Its class in the page, such as `data` or `grad`; empty if it has none.
    pub class: &'static str,
    pub text: String,
}

impl SceneText {
    /// Plain text that begins at this place.
    pub(crate) fn new(at: (f64, f64), size: f64, ink: Ink, text: &str) -> SceneText {
        SceneText {
            at,
            anchor: Anchor::Start,
            size,
            is_bold: false,
            is_upright: false,
            is_part: false,
            ink,
            class: "",
            text: text.to_string(),
        }
    }
}

/// The attributes of a group of shapes: of a node, an edge or a curve.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct SceneGroup {
    /// Its classes in the page and the style sheet: `node leaf`, `operation`, `edge`.
    pub class: String,
    /// The id of a node, or `from-to-position` of an edge. A page finds the group by it.
    pub key: String,
    /// The tooltip.
    pub tip: String,
    /// Wires from one value share a trunk of numbered pieces. For a piece, its own number; for a wire, the number of the
    /// last piece on its way.
    pub trunk: Option<usize>,
}

impl SceneGroup {
    /// A group with this class, key and tooltip. The last two may be empty.
    pub(crate) fn new(class: &str, key: String, tip: String) -> SceneGroup {
        SceneGroup {
            class: class.to_owned(),
            key,
            tip,
            trunk: None,
        }
    }
}

/// A piece of a path.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum PathStep {
    /// Begin here.
    Move(f64, f64),
    /// Straight to here.
    Line(f64, f64),
    /// Round a corner, which is the first point, to the second.
    Round(f64, f64, f64, f64),
    /// Back to where it began.
    Close,
}

/// A length in whole and half pixels, so that lines are sharp and files short.
pub(crate) fn half_pixels(length: f64) -> f64 {
    (2.0 * length).round() / 2.0
}

/// Leaves out the places that lie between their neighbours on a straight line, or nearly: the triangle of the three has
/// less than half of `area`.
pub(crate) fn without_straight_places(
    places: impl IntoIterator<Item = (f64, f64)>,
    area: f64,
) -> Vec<(f64, f64)> {
    let mut corners: Vec<(f64, f64)> = Vec::new();
    for (x, y) in places {
        if let [.., before, at] = corners[..] {
            // The cross product of the two sides is twice the area of the triangle.
            let cross = (at.0 - before.0) * (y - at.1) - (at.1 - before.1) * (x - at.0);
            if cross.abs() < area {
                corners.pop();
            }
        }
        if corners.last() != Some(&(x, y)) {
            corners.push((x, y));
        }
    }
    corners
}

/// A path of straight pieces through these corners.
pub(crate) fn straight_path(corners: impl IntoIterator<Item = (f64, f64)>) -> Vec<PathStep> {
    let mut steps = Vec::new();
    for (x, y) in corners {
        steps.push(if steps.is_empty() {
            PathStep::Move(x, y)
        } else {
            PathStep::Line(x, y)
        });
    }
    steps
}

/// A path through these corners. All corners except the two ends are round.
pub(crate) fn rounded_path(corners: &[(f64, f64)], radius: f64) -> Vec<PathStep> {
    let mut steps = Vec::new();
    steps.extend(corners.first().map(|&(x, y)| PathStep::Move(x, y)));
    for three in corners.windows(3) {
        let [before, (x, y), behind] = [three[0], three[1], three[2]];
        let length = |to: (f64, f64)| (to.0 - x).hypot(to.1 - y);
        // Two corners share the piece between them, so each may take half of it.
        let room = radius.min(length(before) / 2.0).min(length(behind) / 2.0);
        let towards = |to: (f64, f64)| {
            let fraction = room / length(to);
            (x + (to.0 - x) * fraction, y + (to.1 - y) * fraction)
        };
        let (begin, end) = (towards(before), towards(behind));
        steps.push(PathStep::Line(begin.0, begin.1));
        steps.push(PathStep::Round(x, y, end.0, end.1));
    }
    steps.extend(corners.last().map(|&(x, y)| PathStep::Line(x, y)));
    steps
}

/// The look of a line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Stroke {
    pub ink: Ink,
    pub width: f64,
    /// The dashes and the gaps between them, as multiples of its width, each a pixel longer; empty if it is unbroken.
    pub dashes: &'static [f64],
}

impl Stroke {
    /// An unbroken line.
    pub(crate) const fn solid(ink: Ink, width: f64) -> Stroke {
        Stroke {
            ink,
            width,
            dashes: &[],
        }
    }

    /// A line that may have the usual dashes.
    pub(crate) fn of(ink: Ink, width: f64, is_dashed: bool) -> Stroke {
        Stroke {
            dashes: if is_dashed { &[3.0, 2.0] } else { &[] },
            ..Stroke::solid(ink, width)
        }
    }

    pub(crate) fn is_dashed(&self) -> bool {
        !self.dashes.is_empty()
    }

    /// The lengths of its dashes and gaps.
    pub(crate) fn lengths(&self) -> impl Iterator<Item = f64> {
        self.dashes.iter().map(|part| part * self.width + 1.0)
    }
}

/// The point of a text that is at its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Anchor {
    Start,
    Middle,
    End,
}

//! A picture as a PNG file: on white, at twice its size, so that it is sharp on paper and on a screen.
//!
//! The font is part of the program, so the widths are those of the layout whatever fonts a machine has. A letter that
//! the font lacks is drawn as an empty box of its width.

use tiny_skia::{
    FillRule, LineJoin, Paint, Path, PathBuilder, Pixmap, PixmapMut, Rect, StrokeDash, Transform,
};
use ttf_parser::{Face, GlyphId, OutlineBuilder};

use crate::view::characters;
use crate::view::picture::shapes::letters;
use crate::view::picture::shapes::palette;
use crate::view::picture::shapes::palette::{Color, Inks, Use};
use crate::view::picture::shapes::{
    Anchor, Contour, Ink, PathStep, Scene, SceneShape, SceneText, Stroke,
};

/// Pixels of the file for one pixel of the picture: the first scale at which the file is not too large is taken.
pub(crate) const SCALES: [f64; 2] = [2.0, 1.0];

/// The most pixels of a file. Few programs open a larger one, and drawing takes four bytes for each pixel.
pub(crate) const MOST_PIXELS: f64 = 40e6;

/// Pixels of the picture in a metre: 96 in an inch, as on the web.
const DENSITY: f64 = 96.0 / 0.0254;

/// The content of a file, or why there is none.
pub(crate) fn write(scene: &Scene) -> Result<Vec<u8>, String> {
    let scale = scale(scene)?;
    let pixels = drawn(scene, scale)?;
    encoded(&pixels, scale).map_err(|error| format!("the picture cannot be written: {error}"))
}

/// The scale at which the file is not too large.
fn scale(scene: &Scene) -> Result<f64, String> {
    let fits = |scale: &f64| {
        let (width, height) = size(scene, *scale);
        width * height <= MOST_PIXELS
    };
    SCALES.into_iter().find(fits).ok_or_else(|| {
        let (width, height) = size(scene, 1.0);
        format!(
            "the picture is {width} by {height} pixels large, a `.png` has room for {} million of them; \
             a `.svg` has room for any number",
            MOST_PIXELS / 1e6
        )
    })
}

fn size(scene: &Scene, scale: f64) -> (f64, f64) {
    let side = |length: f64| (length * scale).ceil().max(1.0);
    (side(scene.width), side(scene.height))
}

fn drawn(scene: &Scene, scale: f64) -> Result<Pixmap, String> {
    let (width, height) = size(scene, scale);
    let mut pixels = Pixmap::new(width as u32, height as u32)
        .ok_or_else(|| format!("there is no room for a picture of {width} by {height} pixels"))?;
    let Color(red, green, blue) = palette::color(Ink::Ground, Use::Fill, Inks::Light);
    pixels.fill(tiny_skia::Color::from_rgba8(red, green, blue, 255));
    // The font is part of the program: were it broken, every letter would be a box.
    let font = Face::parse(dejavu::sans_mono::regular(), 0).ok();
    let mut canvas = Canvas {
        pixels: pixels.as_mut(),
        transform: Transform::from_scale(scale as f32, scale as f32),
        font,
    };
    for shape in &scene.shapes {
        canvas.draw(shape);
    }
    Ok(pixels)
}

/// The file of opaque pixels, with the size at which to show them.
fn encoded(pixels: &Pixmap, scale: f64) -> Result<Vec<u8>, png::EncodingError> {
    let mut out = Vec::new();
    let mut encoder = png::Encoder::new(&mut out, pixels.width(), pixels.height());
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    let density = (DENSITY * scale).round() as u32;
    encoder.set_pixel_dims(Some(png::PixelDimensions {
        xppu: density,
        yppu: density,
        unit: png::Unit::Meter,
    }));
    let mut colors = Vec::with_capacity(pixels.data().len() / 4 * 3);
    for pixel in pixels.data().chunks_exact(4) {
        colors.extend_from_slice(&pixel[..3]);
    }
    let mut writer = encoder.write_header()?;
    writer.write_image_data(&colors)?;
    writer.finish()?;
    Ok(out)
}

struct Canvas<'p> {
    pixels: PixmapMut<'p>,
    transform: Transform,
    font: Option<Face<'static>>,
}

impl Canvas<'_> {
    fn draw(&mut self, shape: &SceneShape) {
        match shape {
            SceneShape::Open(_) | SceneShape::Close => {}
            SceneShape::Figure {
                contour,
                fill,
                line,
            } => {
                let path = match contour {
                    Contour::Rectangle { sides, radius } => rectangle(*sides, *radius),
                    Contour::Path(steps) => path(steps),
                    Contour::Circle {
                        middle: (x, y),
                        radius,
                    } => PathBuilder::from_circle(*x as f32, *y as f32, *radius as f32),
                };
                if let Some(ink) = fill {
                    self.fill(path.as_ref(), *ink, Use::Fill);
                }
                if let Some(stroke) = line {
                    self.stroke(path.as_ref(), *stroke);
                }
            }
            SceneShape::Text(text) => {
                let (letters, boxes) = self.outlines(text);
                let thick = |share: f64| Stroke::solid(text.ink, share * text.size);
                self.fill(letters.as_ref(), text.ink, Use::Line);
                if text.bold {
                    self.stroke(letters.as_ref(), thick(0.045));
                }
                self.stroke(boxes.as_ref(), thick(0.06));
            }
        }
    }

    fn fill(&mut self, path: Option<&Path>, ink: Ink, used: Use) {
        let Some(path) = path else { return };
        let paint = paint(ink, used);
        self.pixels
            .fill_path(path, &paint, FillRule::Winding, self.transform, None);
    }

    fn stroke(&mut self, path: Option<&Path>, stroke: Stroke) {
        let Some(path) = path else { return };
        let mut pen = tiny_skia::Stroke {
            width: stroke.width as f32,
            line_join: LineJoin::Round,
            ..tiny_skia::Stroke::default()
        };
        if stroke.dashed {
            let dashes = stroke.dashes().map(|length| length as f32);
            pen.dash = StrokeDash::new(dashes.to_vec(), 0.0);
        }
        let paint = paint(stroke.ink, Use::Line);
        self.pixels
            .stroke_path(path, &paint, &pen, self.transform, None);
    }

    /// The outlines of a text, and the boxes of letters that the font does not have.
    fn outlines(&self, text: &SceneText) -> (Option<Path>, Option<Path>) {
        let SceneText { at, size, .. } = *text;
        let width = letters::width(&text.text, size);
        let (mut at, base) = match text.anchor {
            Anchor::Start => at,
            Anchor::Middle => (at.0 - width / 2.0, at.1),
            Anchor::End => (at.0 - width, at.1),
        };
        let units = self.font.as_ref().map_or(1, Face::units_per_em);
        let mut pen = Pen {
            path: PathBuilder::new(),
            scale: (size / f64::from(units)) as f32,
            left: 0.0,
            base: base as f32,
        };
        let mut boxes = PathBuilder::new();
        for c in characters::clean(&text.text, false).chars() {
            let wide = characters::columns(c) as f64 * letters::ADVANCE * size;
            match self.glyph(c) {
                Some((font, glyph)) => {
                    // A combining mark has no width and stands on the letter before it.
                    let back = if wide > 0.0 {
                        0.0
                    } else {
                        font.glyph_hor_advance(glyph).map_or(0.0, f64::from) * f64::from(pen.scale)
                    };
                    pen.left = (at - back) as f32;
                    // A blank has no outline.
                    let _ = font.outline_glyph(glyph, &mut pen);
                }
                None if wide > 0.0 => {
                    let rim = size * 0.08;
                    let high = size * letters::CAPITAL;
                    let (x, y) = (at + rim, base - high);
                    if let Some(rectangle) = bounds([x, y, wide - 2.0 * rim, high]) {
                        boxes.push_rect(rectangle);
                    }
                }
                None => {}
            }
            at += wide;
        }
        (pen.path.finish(), boxes.finish())
    }

    fn glyph(&self, c: char) -> Option<(&Face<'static>, GlyphId)> {
        let font = self.font.as_ref()?;
        let glyph = font.glyph_index(c)?;
        (glyph.0 != 0).then_some((font, glyph))
    }
}

fn paint(ink: Ink, used: Use) -> Paint<'static> {
    let Color(red, green, blue) = palette::color(ink, used, Inks::Light);
    let mut paint = Paint {
        anti_alias: true,
        ..Paint::default()
    };
    paint.set_color_rgba8(red, green, blue, 255);
    paint
}

fn path(steps: &[PathStep]) -> Option<Path> {
    let mut path = PathBuilder::new();
    for step in steps {
        match *step {
            PathStep::Move(x, y) => path.move_to(x as f32, y as f32),
            PathStep::Line(x, y) => path.line_to(x as f32, y as f32),
            PathStep::Curve(a, b, c, d, x, y) => {
                path.cubic_to(a as f32, b as f32, c as f32, d as f32, x as f32, y as f32);
            }
            PathStep::Close => path.close(),
        }
    }
    path.finish()
}

/// From left, top, width and height; none where one of them is NaN or too large.
fn bounds(sides: [f64; 4]) -> Option<Rect> {
    let [x, y, width, height] = sides.map(|side| side as f32);
    Rect::from_xywh(x, y, width, height)
}

/// A rectangle with round corners, each the cubic curve that is closest to a quarter of a circle.
fn rectangle(sides: [f64; 4], radius: f64) -> Option<Path> {
    const ROUND: f64 = 0.552_284_75;
    let rectangle = bounds(sides)?;
    if radius <= 0.0 {
        return Some(PathBuilder::from_rect(rectangle));
    }
    let [left, top, width, height] = sides;
    let (right, bottom) = (left + width, top + height);
    let r = radius.min(width / 2.0).min(height / 2.0);
    let k = r * (1.0 - ROUND);
    path(&[
        PathStep::Move(left + r, top),
        PathStep::Line(right - r, top),
        PathStep::Curve(right - k, top, right, top + k, right, top + r),
        PathStep::Line(right, bottom - r),
        PathStep::Curve(right, bottom - k, right - k, bottom, right - r, bottom),
        PathStep::Line(left + r, bottom),
        PathStep::Curve(left + k, bottom, left, bottom - k, left, bottom - r),
        PathStep::Line(left, top + r),
        PathStep::Curve(left, top + k, left + k, top, left + r, top),
        PathStep::Close,
    ])
}

/// Moves the outline of a letter from the coordinates of the font, where y grows upwards, to those of the picture.
struct Pen {
    path: PathBuilder,
    scale: f32,
    left: f32,
    base: f32,
}

impl Pen {
    fn place(&self, x: f32, y: f32) -> (f32, f32) {
        (self.left + x * self.scale, self.base - y * self.scale)
    }
}

impl OutlineBuilder for Pen {
    fn move_to(&mut self, x: f32, y: f32) {
        let (x, y) = self.place(x, y);
        self.path.move_to(x, y);
    }

    fn line_to(&mut self, x: f32, y: f32) {
        let (x, y) = self.place(x, y);
        self.path.line_to(x, y);
    }

    fn quad_to(&mut self, a: f32, b: f32, x: f32, y: f32) {
        let ((a, b), (x, y)) = (self.place(a, b), self.place(x, y));
        self.path.quad_to(a, b, x, y);
    }

    fn curve_to(&mut self, a: f32, b: f32, c: f32, d: f32, x: f32, y: f32) {
        let ((a, b), (c, d), (x, y)) = (self.place(a, b), self.place(c, d), self.place(x, y));
        self.path.cubic_to(a, b, c, d, x, y);
    }

    fn close(&mut self) {
        self.path.close();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_of_advances_is_that_of_the_font() {
        let font = Face::parse(dejavu::sans_mono::regular(), 0).expect("the font is one");
        let glyph = font.glyph_index('M').expect("it has letters");
        let advance = font.glyph_hor_advance(glyph).expect("they are wide");
        let wide = f64::from(advance) / f64::from(font.units_per_em());
        assert!((wide - letters::ADVANCE).abs() < 1e-12, "{wide}");
        let capital = font.glyph_bounding_box(glyph).expect("they are high");
        let high = f64::from(capital.y_max) / f64::from(font.units_per_em());
        assert!((high - letters::CAPITAL).abs() < 1e-3, "{high}");
    }

    fn scene(width: f64, height: f64, shapes: Vec<SceneShape>) -> Scene {
        Scene {
            width,
            height,
            shapes,
            ..Scene::default()
        }
    }

    fn text(text: &str) -> SceneShape {
        SceneShape::Text(SceneText::new((10.0, 20.0), 12.0, Ink::Words, text))
    }

    /// The columns of pixels that are not white: from, to.
    fn inked(scene: &Scene) -> Option<(u32, u32)> {
        let pixels = drawn(scene, 2.0).expect("it has room");
        let is_white = |x, y| pixels.pixel(x, y).is_some_and(|pixel| pixel.red() > 250);
        let mut columns =
            (0..pixels.width()).filter(|&x| (0..pixels.height()).any(|y| !is_white(x, y)));
        let first = columns.next()?;
        Some((first, columns.next_back().unwrap_or(first)))
    }

    #[test]
    fn letters_stay_in_their_places() {
        for words in ["W", "tanh(x)", "数数", "e\u{301}", "▓▓▓", "😀 ab"] {
            let (from, to) = inked(&scene(200.0, 30.0, vec![text(words)])).expect("it is drawn");
            let end = 2.0 * (10.0 + letters::width(words, 12.0));
            assert!(
                from >= 19 && f64::from(to) <= end + 1.0,
                "{words}: {from} {to} {end}"
            );
        }
        assert_eq!(inked(&scene(200.0, 30.0, vec![text("  ")])), None);
    }

    #[test]
    fn too_many_pixels_are_an_error() {
        let scale = |width, height| scale(&scene(width, height, Vec::new()));
        assert_eq!(scale(1e5, 100.0), Ok(2.0));
        assert_eq!(scale(1e5, 101.0), Ok(1.0));
        assert_eq!(scale(1e5, 400.0), Ok(1.0));
        assert!(scale(1e5, 401.0).is_err());
        let error = write(&scene(1e5, 401.0, Vec::new())).expect_err("it is too large");
        assert!(
            error.contains("100000 by 401") && error.contains(".svg"),
            "{error}"
        );
        assert!(write(&scene(1e300, 1e300, Vec::new())).is_err());
    }

    #[test]
    fn no_shape_is_too_odd() {
        let odd = [0.0, -1.0, f64::NAN, f64::INFINITY, 1e300, -1e300, 5e-324];
        let line = Some(Stroke::dashed(Ink::Wire, 1.0));
        for a in odd {
            for b in odd {
                let contours = [
                    Contour::Rectangle {
                        sides: [a, b, b, a],
                        radius: b,
                    },
                    Contour::Circle {
                        middle: (a, b),
                        radius: a,
                    },
                    Contour::Path(vec![
                        PathStep::Line(a, b),
                        PathStep::Curve(a, a, b, b, a, b),
                        PathStep::Close,
                    ]),
                ];
                let figure = |contour| SceneShape::Figure {
                    contour,
                    fill: Some(Ink::Leaf),
                    line,
                };
                let shapes = contours.map(figure).to_vec();
                assert!(write(&scene(20.0, 20.0, shapes)).is_ok(), "{a} {b}");
            }
        }
    }
}

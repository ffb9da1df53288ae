//! Writes a picture as a PNG file, on a white background, or on a dark one if the theme is dark. It has two pixels for
//! one of the picture in each direction, so that it is sharp on paper and on a screen.
//!
//! Text is drawn from the outlines of a font that is part of the program, so the file is the same on every machine. The
//! font has a box for the letters that it lacks.

use tiny_skia::{
    FillRule, LineJoin, Paint, Path, PathBuilder, Pixmap, PixmapMut, Rect, StrokeDash, Transform,
};
use ttf_parser::{Face, OutlineBuilder};

use crate::shapes::letters::Font;
use crate::shapes::palette::{self, Background, Color, Use};
use crate::shapes::{
    Anchor, Contour, Ink, PathStep, Scene, SceneShape, SceneText, Stroke, rounded_path,
};
use chainrule_report::characters;

/// The pixels of the file for one pixel of a picture for print: 300 in an inch.
const PRINT: f64 = 300.0 / 96.0;
/// The pixels of the file for one pixel of other pictures. The first scale at which the file is not too large counts.
const SCALES: [f64; 2] = [2.0, 1.0];

/// The most pixels of a file. Few programs open a larger one, and drawing takes four bytes for each pixel.
const MOST_PIXELS: f64 = 40e6;

/// The pixels of the picture in a metre. An inch has 96, as on the web.
const DENSITY: f64 = 96.0 / 0.0254;

/// The width of the outline that makes a letter bold, in a font of height 1.
const BOLD: f64 = 0.045;

/// The content of a file, or the reason why there is none.
pub(crate) fn write(scene: &Scene, background: Background) -> Result<Vec<u8>, String> {
    let scale = scale(scene)?;
    let pixels = draw(scene, scale, background)?;
    encode(&pixels, scale).map_err(|error| format!("the picture cannot be written: {error}"))
}

/// The largest scale at which the file is not too large.
fn scale(scene: &Scene) -> Result<f64, String> {
    let fits = |scale: &f64| {
        let (width, height) = size(scene, *scale);
        width * height <= MOST_PIXELS
    };
    let print = scene.is_for_print.then_some(PRINT);
    let mut scales = print.into_iter().chain(SCALES);
    scales.find(fits).ok_or_else(|| too_large(scene))
}

fn too_large(scene: &Scene) -> String {
    let (width, height) = size(scene, 1.0);
    format!(
        "the picture is {width} by {height} pixels large, a `.png` has room for {} million of them; \
         a `.svg` has room for any number",
        MOST_PIXELS / 1e6
    )
}

/// The width and the height of the file in pixels.
fn size(scene: &Scene, scale: f64) -> (f64, f64) {
    let zoom = scale * scene.zoom.unwrap_or(1.0);
    let side = |length: f64| (length * zoom).ceil().max(1.0);
    (side(scene.width), side(scene.height))
}

pub(super) fn draw(scene: &Scene, scale: f64, background: Background) -> Result<Pixmap, String> {
    let (width, height) = size(scene, scale);
    let mut pixels = Pixmap::new(width as u32, height as u32)
        .ok_or_else(|| format!("there is no room for a picture of {width} by {height} pixels"))?;
    let Color(red, green, blue) = palette::color(Ink::Ground, Use::Fill, background);
    pixels.fill(tiny_skia::Color::from_rgba8(red, green, blue, 255));
    let zoom = (scale * scene.zoom.unwrap_or(1.0)) as f32;
    let mut canvas = Canvas {
        pixels: pixels.as_mut(),
        transform: Transform::from_scale(zoom, zoom),
        font: scene.font,
        face: face(scene.font),
        background,
    };
    for shape in &scene.shapes {
        canvas.draw(shape);
    }
    Ok(pixels)
}

/// The file with these opaque pixels and the size at which to show them.
pub(super) fn encode(pixels: &Pixmap, scale: f64) -> Result<Vec<u8>, png::EncodingError> {
    let mut out = Vec::new();
    let mut colors = Vec::with_capacity(pixels.data().len() / 4 * 3);
    for pixel in pixels.data().chunks_exact(4) {
        colors.extend_from_slice(&pixel[..3]);
    }
    let mut encoder = png::Encoder::new(&mut out, pixels.width(), pixels.height());
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    let density = (DENSITY * scale).round() as u32;
    encoder.set_pixel_dims(Some(png::PixelDimensions {
        xppu: density,
        yppu: density,
        unit: png::Unit::Meter,
    }));
    let mut writer = encoder.write_header()?;
    writer.write_image_data(&colors)?;
    writer.finish()?;
    Ok(out)
}

/// Draws shapes on pixels.
struct Canvas<'p> {
    pixels: PixmapMut<'p>,
    transform: Transform,
    font: Font,
    face: Face<'static>,
    background: Background,
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
                let letters = outline(&self.face, self.font, text);
                self.fill(letters.as_ref(), text.ink, Use::Line);
                if text.is_bold {
                    let outline = Stroke::solid(text.ink, BOLD * text.size);
                    self.stroke(letters.as_ref(), outline);
                }
            }
        }
    }

    fn fill(&mut self, path: Option<&Path>, ink: Ink, used: Use) {
        let Some(path) = path else { return };
        let paint = paint(ink, used, self.background);
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
        if stroke.is_dashed() {
            let dashes = stroke.lengths().map(|length| length as f32);
            pen.dash = StrokeDash::new(dashes.collect(), 0.0);
        }
        let paint = paint(stroke.ink, Use::Line, self.background);
        self.pixels
            .stroke_path(path, &paint, &pen, self.transform, None);
    }
}

fn paint(ink: Ink, used: Use, background: Background) -> Paint<'static> {
    let Color(red, green, blue) = palette::color(ink, used, background);
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
            PathStep::Round(a, b, x, y) => {
                path.quad_to(a as f32, b as f32, x as f32, y as f32);
            }
            PathStep::Close => path.close(),
        }
    }
    path.finish()
}

/// A rectangle with round corners; `None` if a side is NaN or too large.
fn rectangle(sides: [f64; 4], radius: f64) -> Option<Path> {
    let [x, y, wide, high] = sides.map(|side| side as f32);
    let rectangle = Rect::from_xywh(x, y, wide, high)?;
    if radius <= 0.0 {
        return Some(PathBuilder::from_rect(rectangle));
    }
    let [left, top, width, height] = sides;
    let (right, bottom) = (left + width, top + height);
    // Once around, and a corner more at each end, so that all four are between two others.
    let corners = [
        (left, bottom),
        (left, top),
        (right, top),
        (right, bottom),
        (left, bottom),
        (left, top),
    ];
    let mut steps = rounded_path(&corners, radius);
    // Without these ends, the path begins and ends on the left edge.
    if let [first, .., last] = &mut steps[..] {
        (*first, *last) = (PathStep::Move(left, top + height / 2.0), PathStep::Close);
    }
    path(&steps)
}

/// The letters of a font of the program.
fn face(font: Font) -> Face<'static> {
    let letters = match font {
        Font::Mono => dejavu::sans_mono::regular(),
        Font::Sans => include_bytes!("../../fonts/DejaVuSans-subset.ttf"),
    };
    Face::parse(letters, 0).expect("the fonts of the program can be read")
}

/// The outlines of a text.
fn outline(face: &Face, font: Font, text: &SceneText) -> Option<Path> {
    let SceneText { at, size, .. } = *text;
    let width = font.width(&text.text, size);
    let mut left = match text.anchor {
        Anchor::Start => at.0,
        Anchor::Middle => at.0 - width / 2.0,
        Anchor::End => at.0 - width,
    };
    let scale = size / f64::from(face.units_per_em());
    let mut pen = Pen::default();
    for c in characters::clean(&text.text).chars() {
        let room = font.advance(c) * size;
        let known_glyph = face.glyph_index(c);
        // A character without a width, such as a joiner, gets no box.
        if known_glyph.is_some() || room > 0.0 {
            // The first glyph of a font is its box.
            let glyph = known_glyph.unwrap_or_default();
            let advance = face.glyph_hor_advance(glyph).map_or(0.0, f64::from) * scale;
            // A letter is centred in its room. A combining mark has no room and stands on the letter before it.
            let offset = if room > 0.0 {
                (room - advance) / 2.0
            } else {
                -advance
            };
            pen.left = ((left + offset) / scale) as f32;
            // A blank has no outline.
            let _ = face.outline_glyph(glyph, &mut pen);
        }
        left += room;
    }
    let (x, y) = (at.0 as f32, at.1 as f32);
    let zoom = scale as f32;
    // In a font y grows upwards.
    let to_line = Transform::from_row(zoom, 0.0, 0.0, -zoom, 0.0, y);
    let angle = if text.is_upright { -90.0 } else { 0.0 };
    let turn = Transform::from_rotate_at(angle, x, y);
    pen.path.finish()?.transform(to_line.post_concat(turn))
}

/// Joins the outlines of letters, in the coordinates of the font, where y grows upwards.
#[derive(Default)]
struct Pen {
    path: PathBuilder,
    /// The x of the next letter's origin.
    left: f32,
}

impl OutlineBuilder for Pen {
    fn move_to(&mut self, x: f32, y: f32) {
        self.path.move_to(self.left + x, y);
    }

    fn line_to(&mut self, x: f32, y: f32) {
        self.path.line_to(self.left + x, y);
    }

    fn quad_to(&mut self, a: f32, b: f32, x: f32, y: f32) {
        let left = self.left;
        self.path.quad_to(left + a, b, left + x, y);
    }

    fn curve_to(&mut self, a: f32, b: f32, c: f32, d: f32, x: f32, y: f32) {
        let left = self.left;
        self.path.cubic_to(left + a, b, left + c, d, left + x, y);
    }

    fn close(&mut self) {
        self.path.close();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shapes::letters;

    const SIZE: f64 = 12.0;

    fn text(text: &str) -> SceneText {
        SceneText::new((10.0, 20.0), SIZE, Ink::Words, text)
    }

    #[test]
    fn the_table_of_advances_is_that_of_the_font() {
        for font in [Font::Mono, Font::Sans] {
            let face = face(font);
            let em = f64::from(face.units_per_em());
            let known = (' '..='~').map(|letter| (letter, 1e-12));
            let others = "·°±×−→…⁻⁰¹²³⁴⁵⁶⁷⁸⁹äöüßéñåφσχπλ".chars();
            for (letter, off) in known.chain(others.map(|letter| (letter, 0.11))) {
                let glyph = face.glyph_index(letter).expect("it has it");
                let wide = f64::from(face.glyph_hor_advance(glyph).expect("it is wide")) / em;
                let told = font.advance(letter);
                assert!(
                    (wide - told).abs() < off,
                    "{font:?} {letter}: {wide} {told}"
                );
            }
            let capital = face
                .glyph_index('M')
                .and_then(|it| face.glyph_bounding_box(it));
            let high = f64::from(capital.expect("it is high").y_max) / em;
            assert!((high - letters::CAPITAL).abs() < 1e-3, "{font:?} {high}");
        }
    }

    /// So do the boxes for letters that the font lacks.
    #[test]
    fn letters_stay_in_their_places() {
        for words in [
            "W",
            "tanh(x)",
            "数数",
            "e\u{301}",
            "▓▓▓",
            "😀 ab",
            "אא",
            "שלום",
        ] {
            // The table of the second font has letters and no blocks.
            let fonts = [Font::Mono, Font::Sans];
            for font in fonts.into_iter().take(if words == "▓▓▓" { 1 } else { 2 }) {
                let drawn = outline(&face(font), font, &text(words)).expect("it is drawn");
                let (from, to) = (drawn.bounds().left(), drawn.bounds().right());
                let end = 10.0 + font.width(words, SIZE) as f32;
                assert!(from >= 9.5 && to <= end + 0.5, "{words}: {from} {to} {end}");
            }
        }
        let outline = |words| outline(&face(Font::Mono), Font::Mono, &text(words));
        let boxes = outline("数\u{10FFFD}").expect("they are drawn");
        assert!(boxes.bounds().width() > SIZE as f32, "{:?}", boxes.bounds());
        assert!(outline("  ").is_none());
    }

    fn scene(width: f64, height: f64, shapes: Vec<SceneShape>) -> Scene {
        Scene {
            width,
            height,
            shapes,
            ..Scene::default()
        }
    }

    #[test]
    fn too_many_pixels_are_an_error() {
        let scale = |width, height| scale(&scene(width, height, Vec::new()));
        assert_eq!(scale(1e5, 100.0), Ok(2.0));
        assert_eq!(scale(1e5, 101.0), Ok(1.0));
        assert_eq!(scale(1e5, 400.0), Ok(1.0));
        assert!(scale(1e5, 401.0).is_err());
        let wrong = |width, height| {
            let scene = scene(width, height, Vec::new());
            write(&scene, Background::Light)
        };
        let error = wrong(1e5, 401.0).expect_err("it is too large");
        assert!(
            error.contains("100000 by 401") && error.contains(".svg"),
            "{error}"
        );
        assert!(wrong(1e300, 1e300).is_err());
    }

    #[test]
    fn no_shape_is_too_odd() {
        let odd = [0.0, -1.0, f64::NAN, f64::INFINITY, 1e300, -1e300, 5e-324];
        let line = Some(Stroke::of(Ink::Wire, 1.0, true));
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
                        PathStep::Round(a, b, b, a),
                        PathStep::Close,
                    ]),
                ];
                let figure = |contour| SceneShape::Figure {
                    contour,
                    fill: Some(Ink::Leaf),
                    line,
                };
                let shapes = contours.map(figure).to_vec();
                assert!(
                    write(&scene(20.0, 20.0, shapes), Background::Light).is_ok(),
                    "{a} {b}"
                );
            }
        }
    }
}

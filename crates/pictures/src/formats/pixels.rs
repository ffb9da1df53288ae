//! Writes a picture as a PNG file, on a white background, or on a dark one if the theme is dark.
//!
//! The file usually has two pixels for one of the picture in each direction, so that it is sharp on a screen. It has
//! more for print, and one if it would be too large otherwise.
//!
//! Text is drawn from the outlines of a font that is part of the program, so the file is the same on every machine. The
//! font has a box for the letters that it lacks.

use tiny_skia::{
    FillRule, LineJoin, Paint, Path, PathBuilder, Pixmap, PixmapMut, Rect, StrokeDash, Transform,
};
use ttf_parser::{Face, OutlineBuilder};

use crate::shapes::letters::Font;
use crate::shapes::palette::{self, Background, Use};
use crate::shapes::{
    Anchor, Contour, Ink, PathStep, Scene, SceneShape, SceneText, Stroke, rounded_path,
};
use chainrule_report::characters;

/// The pixels of a picture in an inch, as on the web.
const PIXELS_PER_INCH: f64 = 96.0;
/// The pixels of the file for one pixel of a picture for print: 300 in an inch.
const PRINT: f64 = 300.0 / PIXELS_PER_INCH;
/// The pixels of the file for one pixel of other pictures. The first scale at which the file is not too large counts.
const SCALES: [f64; 2] = [2.0, 1.0];

/// The most pixels of a file. Few programs open a larger one, and drawing takes four bytes for each pixel.
const MOST_PIXELS: f64 = 40e6;

/// The pixels of a picture in a metre.
const PIXELS_PER_METRE: f64 = PIXELS_PER_INCH / 0.0254;

/// The width of the outline that makes a letter bold, in a font of size 1.
const BOLD: f64 = 0.045;

/// The content of a file, or the reason why there is none. Pixels cannot follow the screen on which they are shown.
pub(crate) fn write(scene: &Scene, is_dark: bool) -> Result<Vec<u8>, String> {
    let scale = largest_scale(scene)?;
    let background = if is_dark {
        Background::Dark
    } else {
        Background::Light
    };
    let pixels = draw(scene, scale, background)?;
    encode(&pixels, scale).map_err(|error| format!("the picture cannot be written: {error}"))
}

/// The largest scale at which the file is not too large.
fn largest_scale(scene: &Scene) -> Result<f64, String> {
    let fits = |scale: &f64| {
        let (width, height) = file_size(scene, *scale);
        width * height <= MOST_PIXELS
    };
    let print = scene.is_for_print.then_some(PRINT);
    let mut scales = print.into_iter().chain(SCALES);
    scales.find(fits).ok_or_else(|| too_large_message(scene))
}

fn too_large_message(scene: &Scene) -> String {
    let (width, height) = file_size(scene, 1.0);
    format!(
        "the picture is {width} by {height} pixels large, a `.png` has room for {} million of them; \
         a `.svg` has room for any number",
        MOST_PIXELS / 1e6
    )
}

/// The width and the height of the file in pixels.
fn file_size(scene: &Scene, scale: f64) -> (f64, f64) {
    let zoom = zoom_to_file(scene, scale);
    let side = |length: f64| (length * zoom).ceil().max(1.0);
    (side(scene.width), side(scene.height))
}

/// The pixels of the file for one unit of the shapes.
fn zoom_to_file(scene: &Scene, scale: f64) -> f64 {
    scale * scene.zoom.unwrap_or(1.0)
}

/// The pixels of the file.
fn draw(scene: &Scene, scale: f64, background: Background) -> Result<Pixmap, String> {
    let (width, height) = file_size(scene, scale);
    let mut pixels = Pixmap::new(width as u32, height as u32)
        .ok_or_else(|| format!("there is no room for a picture of {width} by {height} pixels"))?;
    let [red, green, blue] = palette::color(Ink::Ground, Use::Fill, background);
    pixels.fill(tiny_skia::Color::from_rgba8(red, green, blue, 255));
    let zoom = zoom_to_file(scene, scale) as f32;
    let mut canvas = Canvas {
        pixels: pixels.as_mut(),
        transform: Transform::from_scale(zoom, zoom)
            .pre_translate(-scene.origin.0 as f32, -scene.origin.1 as f32),
        font: scene.font,
        face: face_of(scene.font),
        background,
    };
    for shape in &scene.shapes {
        canvas.draw(shape);
    }
    Ok(pixels)
}

/// A PNG file of these opaque pixels. It contains the size at which to show them.
fn encode(pixels: &Pixmap, scale: f64) -> Result<Vec<u8>, png::EncodingError> {
    // Each pixel has four bytes. The last one, its opacity, is left out.
    let mut colors = Vec::with_capacity(pixels.data().len() / 4 * 3);
    for pixel in pixels.data().chunks_exact(4) {
        colors.extend_from_slice(&pixel[..3]);
    }
    let mut out = Vec::new();
    let mut encoder = png::Encoder::new(&mut out, pixels.width(), pixels.height());
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    let density = (PIXELS_PER_METRE * scale).round() as u32;
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
                let path = path_around(contour);
                if let Some(ink) = fill {
                    self.fill(path.as_ref(), *ink, Use::Fill);
                }
                if let Some(stroke) = line {
                    self.stroke(path.as_ref(), *stroke);
                }
            }
            SceneShape::Text(text) => {
                let letters = outline_of_text(&self.face, self.font, text);
                self.fill(letters.as_ref(), text.ink, Use::Line);
                if text.is_bold {
                    let line = Stroke::solid(text.ink, BOLD * text.size);
                    self.stroke(letters.as_ref(), line);
                }
            }
        }
    }

    fn fill(&mut self, path: Option<&Path>, ink: Ink, used: Use) {
        let Some(path) = path else { return };
        let paint = paint_of(ink, used, self.background);
        self.pixels
            .fill_path(path, &paint, FillRule::Winding, self.transform, None);
    }

    fn stroke(&mut self, path: Option<&Path>, stroke: Stroke) {
        let Some(path) = path else { return };
        let mut line = tiny_skia::Stroke {
            width: stroke.width as f32,
            line_join: LineJoin::Round,
            ..tiny_skia::Stroke::default()
        };
        if stroke.is_dashed() {
            let dashes = stroke.lengths().map(|length| length as f32);
            line.dash = StrokeDash::new(dashes.collect(), 0.0);
        }
        let paint = paint_of(stroke.ink, Use::Line, self.background);
        self.pixels
            .stroke_path(path, &paint, &line, self.transform, None);
    }
}

fn paint_of(ink: Ink, used: Use, background: Background) -> Paint<'static> {
    let [red, green, blue] = palette::color(ink, used, background);
    let mut paint = Paint {
        anti_alias: true,
        ..Paint::default()
    };
    let opacity = (255.0 * palette::opacity(ink)).round() as u8;
    paint.set_color_rgba8(red, green, blue, opacity);
    paint
}

/// The path of a contour; `None` if it is empty, or if a number in it is NaN or too large.
fn path_around(contour: &Contour) -> Option<Path> {
    match contour {
        Contour::Rectangle { sides, radius } => rectangle(*sides, *radius),
        Contour::Path(steps) => path_of(steps),
        Contour::Circle((x, y), radius) => {
            PathBuilder::from_circle(*x as f32, *y as f32, *radius as f32)
        }
    }
}

fn path_of(steps: &[PathStep]) -> Option<Path> {
    let mut builder = PathBuilder::new();
    for step in steps {
        match *step {
            PathStep::Move(x, y) => builder.move_to(x as f32, y as f32),
            PathStep::Line(x, y) => builder.line_to(x as f32, y as f32),
            PathStep::Round(a, b, x, y) => {
                builder.quad_to(a as f32, b as f32, x as f32, y as f32);
            }
            PathStep::Close => builder.close(),
        }
    }
    builder.finish()
}

/// A rectangle with round corners; `None` if a side is NaN or too large.
fn rectangle(sides: [f64; 4], radius: f64) -> Option<Path> {
    let [x, y, wide, high] = sides.map(|side| side as f32);
    let sharp = Rect::from_xywh(x, y, wide, high)?;
    if radius <= 0.0 {
        return Some(PathBuilder::from_rect(sharp));
    }
    let [left, top, width, height] = sides;
    let (right, bottom) = (left + width, top + height);
    // Only corners between two others become round, so the first two come again at the end.
    let corners = [
        (left, bottom),
        (left, top),
        (right, top),
        (right, bottom),
        (left, bottom),
        (left, top),
    ];
    let mut steps = rounded_path(&corners, radius);
    // The path would begin and end at corners; now it begins and ends in the middle of the left edge.
    if let [first, .., last] = &mut steps[..] {
        (*first, *last) = (PathStep::Move(left, top + height / 2.0), PathStep::Close);
    }
    path_of(&steps)
}

/// The letters of a font of the program.
fn face_of(font: Font) -> Face<'static> {
    let letters = match font {
        Font::Mono => dejavu::sans_mono::regular(),
        Font::Sans => include_bytes!("../../fonts/DejaVuSans-subset.ttf"),
    };
    Face::parse(letters, 0).expect("the fonts of the program can be read")
}

/// The outlines of a text at its place; `None` if no letter has an outline.
fn outline_of_text(face: &Face, font: Font, text: &SceneText) -> Option<Path> {
    let (x, y) = (text.at.0 as f32, text.at.1 as f32);
    // The size of a unit of the font on the picture.
    let unit = text.size / f64::from(face.units_per_em());
    let letters = join_letters(face, font, text, unit)?;
    // The letters have their places from left to right, in units of the font. This scales them to the picture, turns
    // them over, because y grows upwards in a font, and moves them down to the line of the text.
    let to_line = Transform::from_row(unit as f32, 0.0, 0.0, -unit as f32, 0.0, y);
    let angle = if text.is_upright { -90.0 } else { 0.0 };
    let turn = Transform::from_rotate_at(angle, x, y);
    letters.transform(to_line.post_concat(turn))
}

/// The outlines of the letters of a text, one after the other on the line y = 0, in units of the font.
fn join_letters(face: &Face, font: Font, text: &SceneText, unit: f64) -> Option<Path> {
    let width = font.width(&text.text, text.size);
    let mut left = match text.anchor {
        Anchor::Start => text.at.0,
        Anchor::Middle => text.at.0 - width / 2.0,
        Anchor::End => text.at.0 - width,
    };
    let mut pen = Pen::default();
    for letter in characters::clean(&text.text).chars() {
        let placed_width = font.advance(letter) * text.size;
        let known_glyph = face.glyph_index(letter);
        // A character without a width, such as a joiner, gets no box.
        if known_glyph.is_some() || placed_width > 0.0 {
            // The first glyph of a font is its box.
            let glyph = known_glyph.unwrap_or_default();
            let glyph_width = face.glyph_hor_advance(glyph).map_or(0.0, f64::from) * unit;
            // A letter is centred in its room. A combining mark has no room and stands on the letter before it.
            let offset = if placed_width > 0.0 {
                (placed_width - glyph_width) / 2.0
            } else {
                -glyph_width
            };
            pen.left = ((left + offset) / unit) as f32;
            // A blank has no outline.
            let _ = face.outline_glyph(glyph, &mut pen);
        }
        left += placed_width;
    }
    pen.path.finish()
}

/// Joins the outlines of letters, in the coordinates of the font, where y grows upwards.
#[derive(Default)]
struct Pen {
    path: PathBuilder,
    /// The left end of the present letter.
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
            let face = face_of(font);
            let em = f64::from(face.units_per_em());
            let known = (' '..='~').chain('\u{a0}'..='ÿ').chain('Α'..='ω');
            let others = "⋅‘’₀₁₂₃₄₅₆₇₈₉–“”∂⁺√−→≤≥≈≠∞…—".chars();
            let exists = |letter: &char| !matches!(letter, '\u{ad}' | '\u{3a2}');
            let all = known.chain(others).filter(exists);
            for (letter, off) in all.map(|letter| (letter, 0.006)) {
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
                let drawn =
                    outline_of_text(&face_of(font), font, &text(words)).expect("it is drawn");
                let (from, to) = (drawn.bounds().left(), drawn.bounds().right());
                let end = 10.0 + font.width(words, SIZE) as f32;
                assert!(from >= 9.5 && to <= end + 0.5, "{words}: {from} {to} {end}");
            }
        }
        let outline = |words| outline_of_text(&face_of(Font::Mono), Font::Mono, &text(words));
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
        let scale = |width, height| largest_scale(&scene(width, height, Vec::new()));
        assert_eq!(scale(1e5, 100.0), Ok(2.0));
        assert_eq!(scale(1e5, 101.0), Ok(1.0));
        assert_eq!(scale(1e5, 400.0), Ok(1.0));
        assert!(scale(1e5, 401.0).is_err());
        let wrong = |width, height| {
            let scene = scene(width, height, Vec::new());
            write(&scene, false)
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
                    Contour::Circle((a, b), a),
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
                assert!(write(&scene(20.0, 20.0, shapes), false).is_ok(), "{a} {b}");
            }
        }
    }
}

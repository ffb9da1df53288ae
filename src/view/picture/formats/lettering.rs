//! Text as outlines, for pictures in pixels.
//!
//! The font is part of the program, so the widths are those of the layout whatever fonts a machine has. Letters that it
//! lacks come from the fonts of the machine, and from those a letter too wide for its place is made smaller. A letter
//! of no font is drawn as an empty box of its width, and the caller is told.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use tiny_skia::{Path, PathBuilder, Rect};
use ttf_parser::{Face, GlyphId, OutlineBuilder};

use crate::view::characters;
use crate::view::picture::PictureFonts;
use crate::view::picture::shapes::letters;
use crate::view::picture::shapes::{Anchor, Scene, SceneShape, SceneText};

/// The content of a font file, and the number of the font in it.
pub(super) type FontFile = (Vec<u8>, u32);

/// The fonts of a picture, the program's own first.
pub(super) struct Lettering<'f> {
    faces: Vec<Face<'f>>,
}

/// The fonts of the machine that have the letters which the program's own font lacks.
pub(super) fn other_fonts(scene: &Scene, fonts: &mut PictureFonts) -> Vec<FontFile> {
    let own = Lettering::new(&[]);
    let texts = scene.shapes.iter().filter_map(|shape| match shape {
        SceneShape::Text(text) => Some(characters::clean(&text.text, false)),
        _ => None,
    });
    let mut lacking = BTreeSet::new();
    for text in texts {
        lacking.extend(text.chars().filter(|&c| own.glyph(c).is_none()));
    }
    // A sign without a width, such as a joiner, is not missed.
    lacking.retain(|&c| characters::columns(c) > 0);
    let mut found = Vec::new();
    if !lacking.is_empty() {
        (fonts.of_machine)(&mut |data, index| {
            let count = lacking.len();
            if let Ok(face) = Face::parse(data, index) {
                lacking.retain(|&c| glyph(&face, c).is_none());
            }
            if lacking.len() < count {
                found.push((data.to_vec(), index));
            }
            if lacking.is_empty() {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        });
    }
    fonts.missing = lacking.into_iter().collect();
    found
}

/// The glyph of a letter, if the font can draw it: some fonts have pictures instead of outlines.
fn glyph(face: &Face, c: char) -> Option<GlyphId> {
    let glyph = face.glyph_index(c).filter(|glyph| glyph.0 != 0)?;
    let is_drawn = c.is_whitespace() || face.outline_glyph(glyph, &mut Pen::default()).is_some();
    is_drawn.then_some(glyph)
}

impl<'f> Lettering<'f> {
    /// The program's own font, then these.
    pub(super) fn new(others: &'f [FontFile]) -> Lettering<'f> {
        // Were our font broken, every letter would be a box.
        let own = Face::parse(dejavu::sans_mono::regular(), 0);
        let others = others.iter().map(|(data, index)| Face::parse(data, *index));
        Lettering {
            faces: std::iter::once(own).chain(others).flatten().collect(),
        }
    }

    fn glyph(&self, c: char) -> Option<(&Face<'f>, GlyphId)> {
        self.faces
            .iter()
            .find_map(|face| Some((face, glyph(face, c)?)))
    }

    /// The outlines of a text, and the boxes of letters that no font has.
    pub(super) fn outlines(&self, text: &SceneText) -> (Option<Path>, Option<Path>) {
        let SceneText { at, size, .. } = *text;
        let width = letters::width(&text.text, size);
        let (mut at, base) = match text.anchor {
            Anchor::Start => at,
            Anchor::Middle => (at.0 - width / 2.0, at.1),
            Anchor::End => (at.0 - width, at.1),
        };
        let mut pen = Pen {
            base: base as f32,
            ..Pen::default()
        };
        let mut boxes = PathBuilder::new();
        for c in characters::clean(&text.text, false).chars() {
            let wide = characters::columns(c) as f64 * letters::ADVANCE * size;
            match self.glyph(c) {
                Some((face, glyph)) => {
                    let scale = size / f64::from(face.units_per_em());
                    let advance = face.glyph_hor_advance(glyph).map_or(0.0, f64::from) * scale;
                    // A combining mark has no width and stands on the letter before it.
                    let shrink = if wide > 0.0 && advance > wide {
                        wide / advance
                    } else {
                        1.0
                    };
                    let free = if wide > 0.0 {
                        (wide - advance * shrink) / 2.0
                    } else {
                        -advance
                    };
                    pen.scale = (scale * shrink) as f32;
                    pen.left = (at + free) as f32;
                    // A blank has no outline.
                    let _ = face.outline_glyph(glyph, &mut pen);
                }
                None if wide > 0.0 => {
                    let rim = size * 0.08;
                    let high = size * letters::CAPITAL;
                    let sides = [at + rim, base - high, wide - 2.0 * rim, high];
                    let [left, top, width, height] = sides.map(|side| side as f32);
                    if let Some(rectangle) = Rect::from_xywh(left, top, width, height) {
                        boxes.push_rect(rectangle);
                    }
                }
                None => {}
            }
            at += wide;
        }
        (pen.path.finish(), boxes.finish())
    }
}

/// Moves the outline of a letter from the coordinates of the font, where y grows upwards, to those of the picture.
#[derive(Default)]
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
    use crate::view::picture::shapes::Ink;

    const SIZE: f64 = 12.0;
    /// A letter of our font, one that only the proportional `dejavu::sans` has, and one of no font.
    const LETTERS: &str = "wא\u{10FFFD}";

    fn text(text: &str) -> SceneText {
        SceneText::new((10.0, 20.0), SIZE, Ink::Words, text)
    }

    /// Fonts in front of a machine that has these files.
    fn drawn(words: &str, of_machine: crate::view::FontsOfMachine) -> (Vec<FontFile>, String) {
        let scene = Scene {
            shapes: vec![SceneShape::Text(text(words))],
            ..Scene::default()
        };
        let mut fonts = PictureFonts {
            of_machine,
            missing: String::new(),
        };
        let found = other_fonts(&scene, &mut fonts);
        (found, fonts.missing)
    }

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

    #[test]
    fn letters_stay_in_their_places() {
        let sans = [(dejavu::sans::regular().to_vec(), 0)];
        let lettering = Lettering::new(&sans);
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
            let (letters, boxes) = lettering.outlines(&text(words));
            let drawn: Vec<Path> = letters.into_iter().chain(boxes).collect();
            let left = drawn.iter().map(|path| path.bounds().left());
            let right = drawn.iter().map(|path| path.bounds().right());
            let end = 10.0 + letters::width(words, SIZE) as f32;
            let (from, to) = (
                left.fold(f32::MAX, f32::min),
                right.fold(f32::MIN, f32::max),
            );
            assert!(from >= 9.5 && to <= end + 0.5, "{words}: {from} {to} {end}");
        }
        let (letters, boxes) = lettering.outlines(&text("  "));
        assert!(letters.is_none() && boxes.is_none());
    }

    #[test]
    fn letters_come_from_other_fonts_where_ours_lacks_them() {
        let (found, missing) = drawn(LETTERS, |_| {});
        assert_eq!((found.len(), &*missing), (0, "א\u{10FFFD}"));
        let (found, missing) = drawn(LETTERS, |visit| {
            for data in [
                b"no font",
                dejavu::sans_mono::bold(),
                dejavu::sans::regular(),
            ] {
                let _ = visit(data, 0);
            }
        });
        // The bold one has none of them.
        assert_eq!((found.len(), &*missing), (1, "\u{10FFFD}"));
        let lettering = Lettering::new(&found);
        let sans = Face::parse(dejavu::sans::regular(), 0).expect("the font is one");
        let mut pen = Pen {
            scale: SIZE as f32 / f32::from(sans.units_per_em()),
            ..Pen::default()
        };
        let glyph = sans.glyph_index('א').expect("it has the letter");
        sans.outline_glyph(glyph, &mut pen).expect("it is drawn");
        let expected = pen.path.finish().expect("it is not empty").bounds();
        let (letter, boxes) = lettering.outlines(&text("א"));
        let letter = letter.expect("it is drawn").bounds();
        assert!(boxes.is_none());
        // It is too wide for its place and made smaller, in height, too.
        let shrunk = letter.width() / expected.width();
        let place = (letters::ADVANCE * SIZE) as f32;
        assert!(shrunk < 1.0 && letter.right() <= 10.0 + place, "{letter:?}");
        let error = letter.height() - shrunk * expected.height();
        assert!(error.abs() < 1e-3, "{letter:?} {expected:?}");
        // Nobody is asked for letters that we have.
        let (found, missing) = drawn("w = tanh(α)", |_| panic!("all letters are ours"));
        assert!(found.is_empty() && missing.is_empty());
        // The first font that has all letters is the last that is looked at.
        let (found, _) = drawn("א", |visit| {
            assert!(visit(dejavu::sans::regular(), 0).is_break());
        });
        assert_eq!(found.len(), 1);
    }
}

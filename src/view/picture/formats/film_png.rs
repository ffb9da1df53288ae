//! A film as an animated PNG (APNG). A program that knows no animations shows the last frame.
//!
//! Of each frame the file has the rectangle that differs from the frame before, in which what is the same is transparent
//! and takes little room; two frames are in memory at a time.

use std::error::Error;

use png::{BlendOp, ColorType, DisposeOp};
use tiny_skia::Pixmap;

use super::lettering::{Lettering, other_fonts};
use super::pixels;
use crate::stop;
use crate::view::picture::PictureFonts;
use crate::view::picture::film::Film;
use crate::view::picture::shapes::palette::Inks;
use crate::view::picture::shapes::{Scene, SceneShape};

/// The most pixels of all frames of a film.
const MOST_PIXELS: f64 = 400e6;

/// What times are counted in: parts of a second.
const TICKS: f64 = 1000.0;

/// The content of a file, or why there is none.
pub(crate) fn write(film: &Film, inks: Inks, fonts: &mut PictureFonts) -> Result<Vec<u8>, String> {
    let scale = scale(film)?;
    let others = other_fonts(&everything(film), fonts);
    let lettering = Lettering::new(&others);
    let draw = |scene: &Scene| {
        stop::ask_now();
        pixels::drawn(scene, scale, inks, &lettering)
    };
    encoded(film, scale, draw).map_err(|error| error.to_string())
}

/// The scale at which the file is not too large.
fn scale(film: &Film) -> Result<f64, String> {
    let frames = film.frames() as f64;
    let fits = |scale: &f64| {
        let (width, height) = pixels::size(&film.first, *scale);
        width * height <= pixels::MOST_PIXELS && width * height * frames <= MOST_PIXELS
    };
    pixels::SCALES.into_iter().find(fits).ok_or_else(|| {
        let (width, height) = pixels::size(&film.first, 1.0);
        format!(
            "the film has {frames} frames of {width} by {height} pixels, an `.apng` has room for {} million pixels; \
             a `.svg` has room for any number",
            MOST_PIXELS / 1e6
        )
    })
}

/// A scene with the shapes of all frames, to find letters in.
fn everything(film: &Film) -> Scene {
    let later = film.changes.iter().flatten().map(|(_, shape)| shape);
    Scene {
        shapes: film.first.shapes.iter().chain(later).cloned().collect(),
        ..Scene::default()
    }
}

fn change(scene: &mut Scene, changes: &[(usize, SceneShape)]) {
    for (place, shape) in changes {
        scene.shapes[*place] = shape.clone();
    }
}

/// The file of frames that are drawn one after the other.
fn encoded(
    film: &Film,
    scale: f64,
    draw: impl Fn(&Scene) -> Result<Pixmap, String>,
) -> Result<Vec<u8>, Box<dyn Error>> {
    let mut scene = film.first.clone();
    for changes in &film.changes {
        change(&mut scene, changes);
    }
    let still = draw(&scene)?;
    let mut out = Vec::new();
    let mut encoder = pixels::encoder(&mut out, &still, scale);
    encoder.set_color(ColorType::Rgba);
    encoder.set_animated(film.frames() as u32, 0)?;
    encoder.set_sep_def_img(true)?;
    let mut writer = encoder.write_header()?;
    writer.write_image_data(still.data())?;
    writer.set_blend_op(BlendOp::Over)?;
    writer.set_dispose_op(DisposeOp::None)?;
    drop(still);
    scene = film.first.clone();
    let mut shown: Option<Pixmap> = None;
    for frame in 0..film.frames() {
        if let Some(changes) = frame.checked_sub(1).and_then(|at| film.changes.get(at)) {
            change(&mut scene, changes);
        }
        let pixels = draw(&scene)?;
        let area = shown
            .as_ref()
            .map_or(whole(&pixels), |before| differing(before, &pixels));
        let [x, y, width, height] = area;
        let last = frame + 1 == film.frames();
        let seconds = if last { film.pause } else { film.frame };
        writer.set_frame_delay((seconds * TICKS).round() as u16, TICKS as u16)?;
        writer.reset_frame_position()?;
        writer.set_frame_dimension(width, height)?;
        writer.set_frame_position(x, y)?;
        writer.write_image_data(&difference(shown.as_ref(), &pixels, area))?;
        shown = Some(pixels);
    }
    writer.finish()?;
    Ok(out)
}

fn whole(pixels: &Pixmap) -> [u32; 4] {
    [0, 0, pixels.width(), pixels.height()]
}

/// The pixels of a rectangle, where they are those of the frame before nothing.
fn difference(before: Option<&Pixmap>, now: &Pixmap, area: [u32; 4]) -> Vec<u8> {
    let [left, top, width, height] = area.map(|side| side as usize);
    let mut out = Vec::with_capacity(width * height * 4);
    for y in top..top + height {
        let begin = (y * now.width() as usize + left) * 4;
        let line = begin..begin + width * 4;
        let pixels = now.data()[line.clone()].chunks_exact(4);
        match before {
            None => out.extend_from_slice(&now.data()[line]),
            Some(before) => {
                for (now, before) in pixels.zip(before.data()[line].chunks_exact(4)) {
                    out.extend_from_slice(if now == before { &[0; 4] } else { now });
                }
            }
        }
    }
    out
}

/// The smallest rectangle outside of which two frames are the same; one pixel if they do not differ.
fn differing(before: &Pixmap, now: &Pixmap) -> [u32; 4] {
    let width = now.width() as usize;
    let (mut left, mut right) = (width, 0);
    let mut rows: Option<(usize, usize)> = None;
    let lines = |pixels| Pixmap::data(pixels).chunks_exact(width * 4);
    for (y, (one, other)) in lines(before).zip(lines(now)).enumerate() {
        if one == other {
            continue;
        }
        let mut places = one.chunks_exact(4).zip(other.chunks_exact(4));
        let first = places.position(|(one, other)| one != other);
        let mut places = one.chunks_exact(4).zip(other.chunks_exact(4));
        let last = places.rposition(|(one, other)| one != other);
        left = left.min(first.unwrap_or(0));
        right = right.max(last.unwrap_or(0) + 1);
        rows = Some((rows.map_or(y, |(top, _)| top), y + 1));
    }
    rows.map_or([0, 0, 1, 1], |(top, bottom)| {
        [left, top, right - left, bottom - top].map(|side| side as u32)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rectangle_that_differs_is_found() {
        let before = Pixmap::new(5, 4).expect("it is small");
        assert_eq!(differing(&before, &before), [0, 0, 1, 1]);
        let mut now = before.clone();
        for (x, y) in [(3, 1), (1, 2)] {
            now.data_mut()[(y * 5 + x) * 4] = 1;
        }
        assert_eq!(differing(&before, &now), [1, 1, 3, 2]);
        let changed = difference(Some(&before), &now, [1, 1, 3, 2]);
        assert_eq!(changed.len(), 24);
        assert_eq!(changed.iter().filter(|part| **part > 0).count(), 2);
    }
}

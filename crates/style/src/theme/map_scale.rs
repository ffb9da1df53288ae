//! The colours of a map, from the lowest value to the highest: dark blue, green, yellow. All steps look equally large,
//! and each is brighter than the one before, even to people who cannot see red or green.
//!
//! On a terminal, twelve of its 256 fixed colours are a scale of the same kind.

use colored::Colorize;

use super::{Role, channels, push};

/// Ten colours of viridis (Smith and van der Walt, 2015), evenly spaced. Colours between them are interpolated.
const SCALE: [u32; 10] = [
    0x44_0154, 0x48_2878, 0x3e_4a89, 0x31_688e, 0x26_828e, 0x1f_9e89, 0x35_b779, 0x6d_cd59,
    0xb4_de2c, 0xfd_e725,
];

/// Codes of the 256 colours that are near the scale, each brighter than the one before.
const CODES: [u8; 12] = [53, 54, 24, 25, 30, 31, 36, 71, 77, 112, 149, 226];

/// Codes of the 256 colours that are black and white on every terminal.
const BLACK: u8 = 16;
const WHITE: u8 = 231;

/// The colour at a place of the scale, 0 being the lowest and 255 the highest, as red, green and blue.
pub fn scale(place: u8) -> [u8; 3] {
    // 2.25 is a quarter of the way from the colour 2 to the colour 3.
    let index = f64::from(place) / 255.0 * (SCALE.len() - 1) as f64;
    let at = (index as usize).min(SCALE.len() - 2);
    let between = index - at as f64;
    [16, 8, 0].map(|shift| {
        let channel = |color: u32| f64::from((color >> shift) as u8);
        let (below, above) = (channel(SCALE[at]), channel(SCALE[at + 1]));
        (below * (1.0 - between) + above * between).round() as u8
    })
}

/// Whether white words are easier to read on this colour than black ones.
pub fn is_dark(color: [u8; 3]) -> bool {
    let [red, green, blue] = color.map(linear_light);
    // At this brightness black and white have the same contrast.
    0.2126 * red + 0.7152 * green + 0.0722 * blue < 0.179
}

/// The light of the red, green or blue of a colour in sRGB, as WCAG defines it.
fn linear_light(channel: u8) -> f64 {
    let encoded = f64::from(channel) / 255.0;
    if encoded <= 0.04045 {
        encoded / 12.92
    } else {
        ((encoded + 0.055) / 1.055).powf(2.4)
    }
}

/// The code of the colour at a place of the scale on a terminal.
fn code(place: u8) -> u8 {
    let last = CODES.len() - 1;
    let at = (f64::from(place) / 255.0 * last as f64).round() as usize;
    CODES[at]
}

/// Appends characters on a colour of the scale. The upper half of a character may have another colour of the scale. A
/// curve has its colour on white, because its colour might look like the scale. Everything else is black or white.
pub fn paint_on(place: u8, text: &str, role: Role, out: &mut String) {
    let shade = code(place);
    let (words, ground) = match (role, super::look_of(role).codes) {
        (Role::Shade(upper), _) => (code(upper), shade),
        (Role::Curve(_), Some([.., color])) => (color, WHITE),
        _ if is_dark(channels(shade)) => (WHITE, shade),
        _ => (BLACK, shade),
    };
    push(&text.ansi_color(words).on_ansi_color(ground), out);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::color_vision;

    #[test]
    fn each_shade_is_brighter_than_the_one_before() {
        const BLACK: [u8; 3] = [0; 3];
        let light = |color| color_vision::contrast(color, BLACK);
        for steps in 2..=11_u32 {
            let shade = |step: u32| (255.0 * f64::from(step) / f64::from(steps)).round() as u8;
            for step in 0..steps {
                let ends = [shade(step), shade(step + 1)];
                let [one, other] = ends.map(scale);
                assert!(light(one) < light(other), "{step} of {steps}");
                let (eye, distance) = color_vision::nearest(one, other);
                assert!(distance > 0.03, "{step} of {steps}, {eye}: {distance}");
                let [one, other] = ends.map(|place| channels(code(place)));
                assert!(light(one) < light(other), "{step} of {steps} on a terminal");
            }
        }
    }

    #[test]
    fn words_can_be_read_on_every_shade() {
        for place in 0..=255 {
            for ground in [scale(place), channels(code(place))] {
                let words = if is_dark(ground) { [255; 3] } else { [0; 3] };
                assert!(color_vision::contrast(ground, words) >= 4.5, "{place}");
            }
        }
    }
}

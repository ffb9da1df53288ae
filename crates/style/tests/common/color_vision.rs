//! Colour vision, for the tests of themes and pictures: contrast, and the distance of colours for people with colour
//! blindness.
//!
//! Colours are given as red, green and blue. The colours of the themes are in `theme`.

type Matrix = [[f64; 3]; 3];

/// Transforms light as it is perceived with all cones, without those for red, and without those for green (Machado,
/// Oliveira and Fernandes, 2009).
const VISIONS: [(&str, Matrix); 3] = [
    (
        "all cones",
        [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
    ),
    (
        "no red",
        [
            [0.152_286, 1.052_583, -0.204_868],
            [0.114_503, 0.786_281, 0.099_216],
            [-0.003_882, -0.048_116, 1.051_998],
        ],
    ),
    (
        "no green",
        [
            [0.367_322, 0.860_646, -0.227_968],
            [0.280_085, 0.672_501, 0.047_413],
            [-0.011_820, 0.042_940, 0.968_881],
        ],
    ),
];

/// The contrast ratio as defined by the Web Content Accessibility Guidelines.
pub(crate) fn contrast(one: [u8; 3], other: [u8; 3]) -> f64 {
    let luminance = |color| {
        let [red, green, blue] = linear(color);
        0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05
    };
    let (one, other) = (luminance(one), luminance(other));
    one.max(other) / one.min(other)
}

/// The smallest distance of two colours over all kinds of colour vision, and the kind for which it is smallest.
pub(crate) fn nearest(one: [u8; 3], other: [u8; 3]) -> (&'static str, f64) {
    let distance = |vision: &Matrix| {
        let (a, b) = (oklab(vision, one), oklab(vision, other));
        let square = |n: usize| (a[n] - b[n]).powi(2);
        (square(0) + square(1) + square(2)).sqrt()
    };
    VISIONS
        .iter()
        .map(|(name, vision)| (*name, distance(vision)))
        .min_by(|one, other| one.1.total_cmp(&other.1))
        .expect("there are kinds of vision")
}

/// Converts sRGB values to linear amounts of light.
fn linear(color: [u8; 3]) -> [f64; 3] {
    color.map(|part| {
        let part = f64::from(part) / 255.0;
        if part <= 0.04045 {
            part / 12.92
        } else {
            ((part + 0.055) / 1.055).powf(2.4)
        }
    })
}

fn times(matrix: &Matrix, vector: [f64; 3]) -> [f64; 3] {
    matrix.map(|row| row[0] * vector[0] + row[1] * vector[1] + row[2] * vector[2])
}

/// The colour in Oklab, a space in which distance matches the perceived difference.
fn oklab(vision: &Matrix, color: [u8; 3]) -> [f64; 3] {
    const CONES: Matrix = [
        [0.412_221_470_8, 0.536_332_536_3, 0.051_445_992_9],
        [0.211_903_498_2, 0.680_699_545_1, 0.107_396_956_6],
        [0.088_302_461_9, 0.281_718_837_6, 0.629_978_700_5],
    ];
    const SPACE: Matrix = [
        [0.210_454_255_3, 0.793_617_785, -0.004_072_046_8],
        [1.977_998_495_1, -2.428_592_205, 0.450_593_709_9],
        [0.025_904_037_1, 0.782_771_766_2, -0.808_675_766],
    ];
    let light = times(vision, linear(color)).map(|part| part.clamp(0.0, 1.0));
    times(&SPACE, times(&CONES, light).map(f64::cbrt))
}

//! Suggests values for the leaves of a model from the positions and the heights of data points: positions, widths,
//! rates and frequencies.

use std::f64::consts::TAU;

/// If the largest x is more than this many times the smallest, x spans decades.
const DECADES: f64 = 30.0;

/// Returns the least and the greatest horizontal position, if the two differ by a finite number.
fn ends(across: &[f64]) -> Option<(f64, f64)> {
    let least = across.iter().copied().fold(f64::INFINITY, f64::min);
    let most = across.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let span = most - least;
    (span > 0.0 && span.is_finite()).then_some((least, most))
}

/// Returns sizes that leaves may have: at these the slopes of a model are compared.
pub(super) fn sizes(across: &[f64]) -> Vec<f64> {
    let Some((least, most)) = ends(across) else {
        return vec![1.0];
    };
    let span = most - least;
    let middle = place_between(least, most, 0.5);
    vec![1.0, span, 1.0 / span, middle]
}

/// Returns the values to try for a leaf, the likeliest first.
pub(super) fn values_to_try(across: &[f64], data: &[f64]) -> Vec<f64> {
    let Some((least, most)) = ends(across) else {
        return vec![1.0, -1.0, 0.0, 0.1, 10.0, 0.01, 100.0];
    };
    let points = || across.iter().zip(data);
    let by_height = |one: &(&f64, &f64), other: &(&f64, &f64)| one.1.total_cmp(other.1);
    let top = points().max_by(by_height).map_or(least, |(x, _)| *x);
    let bottom = points().min_by(by_height).map_or(least, |(x, _)| *x);
    let span = most - least;
    // Widths of one peak of many, of a peak among a few, and of a peak that fills the picture.
    let [narrow, medium, wide] = [30.0, 10.0, 3.0].map(|parts| span / parts);
    // Rates r of exp(r·x): over the span, it grows or decays by e, by e^3 or by e^10.
    let [slow, usual, fast] = [1.0, 3.0, 10.0].map(|exponent| exponent / span);
    // A model may write a wave as sin(a·x), by its frequency, sin(2π·f·x), or by its period, sin(2π·x/p).
    let angular = strongest_frequency(across, data, span);
    let (frequency, period) = (angular / TAU, TAU / angular);
    let place = |fraction: f64| place_between(least, most, fraction);
    let middle = place(0.5);
    // A term with three curved leaves tries only the first twelve. So the kinds come in turn, and the likeliest numbers
    // of each kind come first. At a middle of 0 the last value is infinite, and `within` drops it.
    #[rustfmt::skip]
    let values = vec![
        1.0, top, angular, medium, usual, -usual, wide, bottom, 0.0,
        frequency, period, -1.0, narrow, middle, slow, fast, -fast,
        2.0, -2.0, 0.5, place(1.0 / 6.0), place(1.0 / 3.0), place(2.0 / 3.0), place(5.0 / 6.0), 1.0 / middle,
    ];
    values
}

/// Returns the number at this fraction of the way from `least` to `most`. If they span decades, the way is logarithmic.
fn place_between(least: f64, most: f64, fraction: f64) -> f64 {
    let spans_decades = least > 0.0 && most > DECADES * least;
    if spans_decades {
        least * (most / least).powf(fraction)
    } else {
        least + fraction * (most - least)
    }
}

/// Returns the angular frequency of the sine that fits the data best. Tries multiples of a quarter of a period over the
/// span, up to the frequency at which each period has two points.
fn strongest_frequency(across: &[f64], data: &[f64], span: f64) -> f64 {
    let quarters = 1..=2 * data.len();
    let frequencies = quarters.map(|quarters| 0.25 * TAU * quarters as f64 / span);
    let sines = frequencies.map(|frequency| (amplitude(across, data, frequency), frequency));
    let strongest = sines.max_by(|one, other| one.0.total_cmp(&other.0));
    strongest.map_or(TAU / span, |(_, frequency)| frequency)
}

/// Returns the amplitude of data at a frequency: the size of the Fourier coefficient.
fn amplitude(across: &[f64], data: &[f64], frequency: f64) -> f64 {
    let mean = data.iter().sum::<f64>() / data.len() as f64;
    let (mut sine_sum, mut cosine_sum) = (0.0, 0.0);
    for (x, y) in across.iter().zip(data) {
        let (sine, cosine) = (frequency * x).sin_cos();
        sine_sum += sine * (y - mean);
        cosine_sum += cosine * (y - mean);
    }
    f64::hypot(sine_sum, cosine_sum)
}

/// Returns the values between two bounds, without those at a bound, where a model may be degenerate. A value beyond a
/// bound is first mirrored at that bound.
pub(super) fn within(values: &[f64], (low, high): (f64, f64)) -> Vec<f64> {
    let mirrored = values.iter().map(|&value| match value {
        _ if value < low => 2.0 * low - value,
        _ if value > high => 2.0 * high - value,
        _ => value,
    });
    let is_inside = |value: &f64| low < *value && *value < high;
    mirrored.filter(is_inside).collect()
}

//! Ticks: round numbers along an axis, for the terminal and for files.
//!
//! A tick is a decimal (`-3` times `0.5`) before it is a double, so no label ever shows what adding up steps leaves
//! (`0.30000000000000004`). Where the axis lies on the picture is not known here.

use super::window::ChartAxis;
use crate::view::number;

/// Steps are one of these times a power of ten.
const STEPS: [i64; 3] = [1, 2, 5];

/// Places on an axis, and their labels.
pub(crate) type Ticks = (Vec<f64>, Vec<String>);

/// At most `most` ticks of an axis, ascending. Those of a logarithmic one are logarithms.
pub(crate) fn axis_ticks(axis: ChartAxis, most: usize) -> Ticks {
    let (from, to) = axis.range;
    if axis.logarithmic {
        return logarithmic_ticks(from, to, most);
    }
    let ticks = ticks(from, to, most);
    let labels = labels(&ticks);
    (ticks, labels)
}

/// Ticks between two logarithms: powers of ten, or with 2 and 5 times each where these are few, or round numbers where
/// the range is narrow.
fn logarithmic_ticks(from: f64, to: f64, most: usize) -> Ticks {
    let found = powers(from, to, most);
    if found.0.len() >= 3 || to - from > 3.0 {
        return found;
    }
    let (first, last) = (from.floor() as i32, to.ceil() as i32);
    let steps = (first..=last).flat_map(|power| STEPS.map(|step| number::decimal(step, power)));
    let within = |value: &f64| (from..=to).contains(&value.log10());
    let mut values: Vec<f64> = steps.filter(within).collect();
    if values.len() < 3 {
        let ends = (10_f64.powf(from), 10_f64.powf(to));
        values = ticks(ends.0, ends.1, most);
    }
    values.retain(within);
    if values.len() > most || values.is_empty() {
        return found;
    }
    let labels = labels(&values);
    (values.iter().map(|value| value.log10()).collect(), labels)
}

/// At most `most` round numbers from `from` to `to`, ascending.
fn ticks(from: f64, to: f64, most: usize) -> Vec<f64> {
    let most = most.max(2);
    // Divided first: the difference may be larger than any number.
    let rough = to / most as f64 - from / most as f64;
    let exponent = rough.log10().floor();
    if !(from < to && exponent.is_finite()) {
        return Vec::new();
    }
    let exponent = exponent as i32;
    let steps = (exponent..=exponent + 2)
        .flat_map(|exponent| STEPS.map(|step| (step, exponent)))
        .filter(|(step, exponent)| number::decimal(*step, *exponent) >= 0.5 * rough);
    for (step, exponent) in steps {
        let found = multiples(step, exponent, from, to);
        if found.len() <= most {
            return found;
        }
    }
    Vec::new()
}

/// At most `most` powers of ten between two logarithms, and their labels: every power, every second one, ….
fn powers(from: f64, to: f64, most: usize) -> Ticks {
    let mut found = multiples(1, 0, from, to);
    if found.len() > most {
        found = ticks(from, to, most);
    }
    found.retain(|power| power.fract() == 0.0);
    let values: Vec<f64> = (found.iter())
        .map(|power| number::decimal(1, *power as i32))
        .collect();
    let labels = labels(&values);
    (found, labels)
}

/// The labels of ticks: all of one axis are written in one way.
fn labels(ticks: &[f64]) -> Vec<String> {
    let plain: Vec<String> = ticks.iter().map(|tick| number::shortest(*tick)).collect();
    // Zero has no exponent.
    let short = |tick: &f64| format!("{tick:e}").replace("0e0", "0");
    let short: Vec<String> = ticks.iter().map(short).collect();
    let longest = |texts: &[String]| texts.iter().map(String::len).max().unwrap_or(0);
    if longest(&plain) > 7 && longest(&short) < longest(&plain) {
        short
    } else {
        plain
    }
}

fn multiples(step: i64, exponent: i32, from: f64, to: f64) -> Vec<f64> {
    let size = number::decimal(step, exponent);
    let (first, last) = ((from / size).floor() - 1.0, (to / size).ceil() + 1.0);
    // Beyond 2^53 steps from zero the doubles are farther apart than the steps.
    if !(first.abs() < 9e15 && last.abs() < 9e15 && last - first < 1e4) {
        return Vec::new();
    }
    let mut found: Vec<f64> = (first as i64..=last as i64)
        .map(|count| number::decimal(count * step, exponent))
        .filter(|tick| from <= *tick && *tick <= to)
        .collect();
    found.dedup();
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn well_known_axes() {
        let cases: [(f64, f64, usize, &str); 14] = [
            (-5.0, 5.0, 6, "-4 -2 0 2 4"),
            (-5.0, 5.0, 3, "-5 0 5"),
            (-5.0, 5.0, 11, "-5 -4 -3 -2 -1 0 1 2 3 4 5"),
            (0.0, 0.3, 4, "0 0.1 0.2 0.3"),
            (0.0, 100.0, 6, "0 20 40 60 80 100"),
            (-0.07, 0.07, 7, "-0.06 -0.04 -0.02 0 0.02 0.04 0.06"),
            (0.0, 3e-7, 4, "0 1e-7 2e-7 3e-7"),
            (0.0, 2e300, 5, "0 5e299 1e300 1.5e300 2e300"),
            (-1.7e308, 1.7e308, 3, "-1e308 0 1e308"),
            (0.0, 4e-320, 4, "0 2e-320 4e-320"),
            (1e6, 1e6 + 2e-3, 3, "1000000 1000000.001 1000000.002"),
            (0.0, 40_000_000.0, 5, "0 1e7 2e7 3e7 4e7"),
            (0.0, 400_000.0, 5, "0 100000 200000 300000 400000"),
            (1.0, 1.0, 5, ""),
        ];
        for (from, to, most, expected) in cases {
            let found = labels(&ticks(from, to, most)).join(" ");
            assert_eq!(found, expected, "{from} to {to}");
        }
        assert_eq!(
            powers(-4.2, 1.1, 9).1,
            ["0.0001", "0.001", "0.01", "0.1", "1", "10"]
        );
        assert_eq!(powers(-40.0, 20.0, 4).0, [-40.0, -20.0, 0.0, 20.0]);
    }

    #[test]
    fn ticks_are_round_and_cover_the_range() {
        let mut bits = 0x2545_f491_4f6c_dd1d_u64;
        let mut random = || {
            bits ^= bits << 13;
            bits ^= bits >> 7;
            bits ^= bits << 17;
            (bits >> 11) as f64 / (1_u64 << 53) as f64
        };
        for _ in 0..20_000 {
            let size = 10_f64.powf(600.0 * random() - 300.0);
            let from = (random() - 0.5) * size;
            let to = from + random() * size + size * 1e-6;
            let most = 2 + (random() * 20.0) as usize;
            let found = ticks(from, to, most);
            assert!(!found.is_empty(), "{from:e} to {to:e}, {most}");
            assert!(found.len() <= most && found.windows(2).all(|two| two[0] < two[1]));
            for (tick, label) in found.iter().zip(labels(&found)) {
                assert!((from..=to).contains(tick));
                assert_eq!(label.parse::<f64>().expect("a number"), *tick);
                let digits = format!("{tick:e}");
                let digits = digits.split('e').next().unwrap_or_default().len();
                assert!(digits <= 11, "{tick:e} from {from:e} to {to:e}");
            }
            if let [first, second, ..] = found[..] {
                // Nowhere is there room for one more.
                let step = second - first;
                assert!(
                    first - from < step * 1.000_001
                        && to - found[found.len() - 1] < step * 1.000_001
                );
                let leading = format!("{step:.5e}");
                assert!(
                    ["1.", "2.", "5.", "9.9", "4.9"]
                        .iter()
                        .any(|round| leading.starts_with(round)),
                    "{step:e}"
                );
            }
        }
    }
}

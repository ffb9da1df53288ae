//! Ticks: round numbers or dates along an axis, for the terminal and for files.
//!
//! A tick is computed as a decimal, such as `-3` times `0.5`, and not by adding up steps. So no label shows a rounding
//! error such as `0.30000000000000004`.

use super::window::ChartAxis;
use chainrule_report::{Calendar, MONTHS, date, day_number, time};
use chainrule_style::number;

/// Steps are one of these times a power of ten.
const STEPS: [i64; 3] = [1, 2, 5];

/// A step between dates: a number of seconds, of days counted from the first of the month, or of months.
const SECONDS: [i64; 17] = [
    1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10_800, 21_600, 43_200,
];
const DAYS: [i64; 5] = [1, 2, 3, 7, 14];
const STEPS_OF_MONTHS: [i64; 14] = [
    1, 2, 3, 6, 12, 24, 60, 120, 240, 600, 1200, 2400, 6000, 12_000,
];
const DAY: i64 = 86_400;

/// Places on an axis, and their labels.
pub(crate) type Ticks = (Vec<f64>, Vec<String>);

/// At most `most` ticks of an axis, ascending. On a logarithmic axis they are logarithms.
pub(crate) fn axis_ticks(axis: ChartAxis, most: usize) -> Ticks {
    let (from, to) = axis.range;
    if axis.logarithmic {
        return logarithmic_ticks(from, to, most);
    }
    if let Some(dates) = axis.dates {
        return calendar_ticks(dates, (from, to), most);
    }
    let ticks = ticks(from, to, most);
    let labels = labels(&ticks);
    (ticks, labels)
}

/// Ticks between two logarithms: powers of ten; if these are few, also 2 and 5 times each; in a narrow range, round
/// numbers.
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

/// At most `most` round dates. A step begins with a day, a month or a year, and a label has only the parts that the steps
/// need.
fn calendar_ticks(dates: Calendar, (from, to): (f64, f64), most: usize) -> Ticks {
    let (from, to) = (dates.seconds(from), dates.seconds(to));
    let [first, last] = [from, to].map(|it| (it / DAY as f64).floor() as i64);
    let is_few = |length: i64| to - from < (length * (most as i64 + 1)) as f64;
    let of_seconds = |step: i64| {
        let first = (from / step as f64).ceil() as i64;
        let all = (first..).map(move |at| at * step);
        all.take_while(|at| *at as f64 <= to).collect::<Vec<_>>()
    };
    let of_days = |step: i64| {
        // The last step of a month is left out if it would be shorter than half a step.
        let is_step = |at: &i64| {
            let [_, month, day] = date(*at);
            (day - 1) % step == 0 && date(*at + step / 2)[1] == month
        };
        let days = (first..=last).filter(move |at| is_step(at));
        days.map(|at| at * DAY).collect::<Vec<_>>()
    };
    let of_months = |step: i64| {
        let month = |day| date(day)[0] * 12 + date(day)[1] - 1;
        let all = (month(first) / step..=month(last) / step).map(move |at| at * step);
        let day = |at: i64| day_number([at / 12, at % 12 + 1, 1]) * DAY;
        all.map(day).collect::<Vec<_>>()
    };
    let is_midnight = |at: i64| dates.in_days && at % DAY == 0;
    let seconds = SECONDS.iter().filter(|step| is_few(**step));
    let seconds = seconds.map(|step| (of_seconds(*step), 0));
    let days = DAYS
        .iter()
        .filter(|step| dates.in_days && is_few(**step * DAY));
    let days = days.map(|step| (of_days(*step), 0));
    let months = STEPS_OF_MONTHS
        .iter()
        .filter(|step| dates.in_days && is_few(**step * 31 * DAY));
    let months = months.map(|step| (of_months(*step), *step));
    for (mut found, step) in seconds.chain(days).chain(months) {
        found.retain(|at| (from..=to).contains(&(*at as f64)));
        if found.len() > most {
            continue;
        }
        let label = |at: &i64| {
            let [year, month, day] = date(at.div_euclid(DAY));
            match step {
                0 if is_midnight(*at) => format!("{day} {}", MONTHS[month as usize - 1]),
                0 => time(*at as f64),
                _ if step % 12 == 0 => year.to_string(),
                _ => format!("{year}-{month:02}"),
            }
        };
        let labels = found.iter().map(label).collect();
        return (
            found.iter().map(|at| dates.number(*at as f64)).collect(),
            labels,
        );
    }
    Ticks::default()
}

/// At most `most` round numbers from `from` to `to`, ascending.
fn ticks(from: f64, to: f64, most: usize) -> Vec<f64> {
    let most = most.max(2);
    // Both are divided before they are subtracted, because the difference may overflow.
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

/// The labels of ticks. All labels of an axis have the same form.
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
    fn dates_have_ticks_where_a_calendar_has_them() {
        let day = |at| Calendar::since(Some(at), 0.0);
        let noon = Calendar::since(None, 43_200.0);
        for (dates, to, most, expected) in [
            (
                day([2024, 2, 27]),
                4.0,
                5,
                "27 Feb, 28 Feb, 29 Feb, 1 Mar, 2 Mar",
            ),
            (
                day([2024, 2, 27]),
                9.0,
                5,
                "27 Feb, 1 Mar, 3 Mar, 5 Mar, 7 Mar",
            ),
            (
                day([2024, 2, 27]),
                12.0,
                5,
                "28 Feb, 1 Mar, 4 Mar, 7 Mar, 10 Mar",
            ),
            (day([2024, 2, 20]), 60.0, 6, "1 Mar, 15 Mar, 1 Apr, 15 Apr"),
            (
                day([2023, 11, 30]),
                100.0,
                4,
                "2023-12, 2024-01, 2024-02, 2024-03",
            ),
            (day([2023, 2, 1]), 400.0, 3, "2023-07, 2024-01"),
            (day([1995, 6, 1]), 9000.0, 6, "2000, 2005, 2010, 2015, 2020"),
            (day([2024, 12, 31]), 1.5, 4, "31 Dec, 12:00, 1 Jan, 12:00"),
            (day([2024, 3, 31]), 0.01, 4, "31 Mar, 00:05, 00:10"),
            (noon, 5400.0, 5, "12:00, 12:30, 13:00, 13:30"),
            (noon, 12.0, 4, "12:00, 12:00:05, 12:00:10"),
            (noon, 86_400.0, 3, "12:00, 00:00, 12:00"),
        ] {
            let (places, labels) = calendar_ticks(dates, (0.0, to), most);
            assert_eq!(labels.join(", "), expected);
            assert!(places.iter().all(|place| (0.0..=to).contains(place)));
        }
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
                // There is no room for another tick.
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

//! Chooses the ticks of an axis for the terminal and for files: round numbers, dates or the words of classes.
//!
//! The number of a tick is parsed from a decimal, such as `-3` times `0.5`, and is not a sum of steps. No label shows a
//! rounding error such as `0.30000000000000004` then.

use super::window::ChartAxis;
use chainrule_report::{Calendar, ClassWord, Direction, MONTHS, date, day_number, time};
use chainrule_style::number;

/// A step is one of these numbers times a power of ten.
const STEPS: [i64; 3] = [1, 2, 5];
/// The steps that are less usual, as tenths. Ticks have them only if there would be too few or too many without.
const FINER_STEPS: [i64; 5] = [10, 15, 20, 25, 50];

/// The steps between times of a day, in seconds.
const SECONDS: [i64; 17] = [
    1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10_800, 21_600, 43_200,
];
/// The steps between days, counted from the first of the month.
const DAYS: [i64; 5] = [1, 2, 3, 7, 14];
/// The steps between months.
const MONTH_STEPS: [i64; 14] = [
    1, 2, 3, 6, 12, 24, 60, 120, 240, 600, 1200, 2400, 6000, 12_000,
];
/// Seconds per day.
const DAY: i64 = 86_400;

/// A logarithmic axis has small ticks between powers of ten that are at least this far from each other.
const LEAST_DECADE: f64 = 30.0;
/// It has small ticks at the powers if they are at least this far from each other.
const LEAST_POWER_DISTANCE: f64 = 4.0;
/// The largest power of ten, and negative the smallest, that is written as a number: `1000`, `0.001`. A rounding error of a
/// logarithm must not exclude these.
const MAX_PLAIN_POWER: f64 = 3.0 + 1e-9;
/// Labels may have exponents if the longest one would have more characters than this without.
const MAX_PLAIN_LABEL: usize = 7;
/// The most characters of a number of an axis in a file that has neither a factor nor an offset.
const MAX_FILE_LABEL: usize = 6;
/// The most digits that a double surely has.
const MOST_DIGITS: i32 = 15;
/// An axis in a file should have at least this many ticks.
const FEWEST_TICKS: usize = 4;

/// A labelled number of an axis.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Tick {
    pub number: f64,
    pub label: String,
}

/// The ticks of an axis, and what its labels have in common: `×10⁻⁴²`, `+1234500`.
#[derive(Clone)]
pub(super) struct AxisTicks {
    pub ticks: Vec<Tick>,
    pub remark: String,
}

impl AxisTicks {
    /// Ticks whose labels say all.
    pub(super) fn plain(ticks: Vec<Tick>) -> AxisTicks {
        AxisTicks {
            ticks,
            remark: String::new(),
        }
    }

    /// Ticks whose labels have a factor or an offset in common if they would be long without it.
    fn short(mut ticks: Vec<Tick>) -> AxisTicks {
        let mut remarks = Vec::new();
        if let Some(mut decimals) = Decimals::of(&ticks) {
            let offset = decimals.take_offset();
            let is_long = |text: &String| {
                text.trim_start_matches('-').len() > MAX_FILE_LABEL || text.contains('e')
            };
            let mut texts = decimals.labels(0);
            if texts.iter().any(is_long) {
                let power = decimals.largest_power();
                texts = decimals.labels(power);
                remarks.push(format!("×{}", power_label(number::decimal(1, power))));
            }
            remarks.extend(offset);
            for (tick, text) in ticks.iter_mut().zip(texts) {
                tick.label = text;
            }
        }
        for tick in &mut ticks {
            tick.label = tick.label.replace('-', "−");
        }
        AxisTicks {
            ticks,
            remark: remarks.join(" "),
        }
    }
}

/// Numbers as multiples of a power of ten.
struct Decimals {
    counts: Vec<i64>,
    power: i32,
}

impl Decimals {
    /// The numbers of ticks; `None` if they have more digits together than a double has.
    fn of(ticks: &[Tick]) -> Option<Decimals> {
        // The power of the first digit and that of the last one.
        let ends = |tick: &Tick| {
            let text = format!("{:e}", tick.number);
            let (digits, power) = text.split_once('e')?;
            let count = digits.chars().filter(char::is_ascii_digit).count() as i32;
            let first: i32 = power.parse().ok()?;
            (tick.number != 0.0).then_some((first, first + 1 - count))
        };
        let all_ends: Vec<(i32, i32)> = ticks.iter().filter_map(ends).collect();
        let first = all_ends.iter().map(|it| it.0).max().unwrap_or(0);
        let power = all_ends.iter().map(|it| it.1).min().unwrap_or(0);
        let count = |tick: &Tick| (tick.number / number::decimal(1, power)).round() as i64;
        (first - power < MOST_DIGITS).then(|| Decimals {
            counts: ticks.iter().map(count).collect(),
            power,
        })
    }

    /// The power of the first digit of the largest number.
    fn largest_power(&self) -> i32 {
        let sizes = self.counts.iter().map(|count| count.unsigned_abs());
        self.power + sizes.max().unwrap_or(0).max(1).ilog10() as i32
    }

    /// The numbers as multiples of a power of ten.
    fn labels(&self, power: i32) -> Vec<String> {
        let label = |count: &i64| number::shortest(number::decimal(*count, self.power - power));
        self.counts.iter().map(label).collect()
    }

    /// Subtracts what the numbers have in common, with zeros in place of the digits that differ, if they have many
    /// digits. Returns it: `+1234500`.
    fn take_offset(&mut self) -> Option<String> {
        let (least, most) = (*self.counts.iter().min()?, *self.counts.iter().max()?);
        let zeros = 10_i64.pow((most - least - 1).max(1).ilog10() + 1);
        let offset = least.div_euclid(zeros) * zeros;
        let digits = self.largest_power() - self.power + 1;
        if offset == 0 || digits <= MAX_FILE_LABEL as i32 {
            return None;
        }
        for count in &mut self.counts {
            *count -= offset;
        }
        let sign = if offset < 0 { "−" } else { "+" };
        let size = number::decimal(offset.abs(), self.power);
        let plain = number::shortest(size);
        let is_short = plain.len() <= MAX_FILE_LABEL + 2;
        let text = if is_short { plain } else { power_label(size) };
        Some(format!("{sign}{text}"))
    }
}

/// Chooses the ticks of an axis in a file, of at most `most`: many with ample room, but at least 4, or else the fewest of
/// at least 4 that have room, or else as many as have room. There is one in any case. `ticks_of` makes a number of ticks,
/// also with steps that are less usual. `has_room` tells whether labels have room, also if it is tight.
pub(super) fn choose_ticks(
    axis: ChartAxis,
    most: usize,
    ticks_of: impl Fn(usize, bool) -> Vec<Tick>,
    has_room: impl Fn(&[Tick], bool) -> bool,
) -> AxisTicks {
    let is_linear = !axis.has_words && axis.dates.is_none() && !axis.scale.is_logarithmic();
    let counts = [false, true].map(|is_finer| (1..=most).rev().map(move |it| (it, is_finer)));
    let choices: Vec<AxisTicks> = (counts.into_iter().flatten())
        .map(|(count, is_finer)| ticks_of(count, is_finer))
        .filter(|ticks| !ticks.is_empty())
        .map(if is_linear {
            AxisTicks::short
        } else {
            AxisTicks::plain
        })
        .collect();
    let length = |it: &&AxisTicks| it.ticks.len();
    let enough = || choices.iter().filter(|it| it.ticks.len() >= FEWEST_TICKS);
    let ample = enough().find(|it| has_room(&it.ticks, false));
    let fits = |it: &&AxisTicks| has_room(&it.ticks, true);
    let tight = || enough().filter(fits).min_by_key(length);
    let few = || choices.iter().rev().filter(fits).max_by_key(length);
    if let Some(found) = ample.or_else(tight).or_else(few) {
        return found.clone();
    }
    let mut fewest = choices.into_iter().min_by_key(|it| it.ticks.len());
    if let Some(it) = &mut fewest {
        it.ticks.truncate(1);
    }
    fewest.unwrap_or_else(|| AxisTicks::plain(Vec::new()))
}

/// At most `most` ticks of an axis, from left to right or upwards. An axis of classes has a tick for each word. Finer
/// ticks have steps that are less usual.
pub(super) fn axis_ticks(
    axis: ChartAxis,
    words: &[ClassWord],
    most: usize,
    is_finer: bool,
) -> Vec<Tick> {
    let mut ticks = ascending_ticks(axis, words, most, is_finer);
    if axis.direction == Direction::Descending {
        ticks.reverse();
    }
    ticks
}

fn ascending_ticks(axis: ChartAxis, words: &[ClassWord], most: usize, is_finer: bool) -> Vec<Tick> {
    let (from, to) = axis.range;
    if axis.has_words {
        let visible = words.iter().filter(|it| (from..=to).contains(&it.number));
        let tick = |class: &ClassWord| Tick {
            number: class.number,
            label: class.word.clone(),
        };
        visible.map(tick).collect()
    } else if axis.scale.is_logarithmic() {
        power_labels(logarithmic_ticks(from, to, most, is_finer))
    } else if let Some(dates) = axis.dates {
        calendar_ticks(dates, (from, to), most)
    } else {
        label_numbers(&round_numbers(from, to, most, is_finer))
    }
}

/// The small ticks of a logarithmic axis of this length: the logarithms of 2 to 9 times each power of ten, or if there
/// is no room for them, those of the powers.
pub(super) fn small_ticks(axis: ChartAxis, length: f64) -> Vec<f64> {
    let (from, to) = axis.range;
    let decade = length / (to - from);
    if !axis.scale.is_logarithmic() || decade < LEAST_POWER_DISTANCE {
        return Vec::new();
    }
    let most = if decade < LEAST_DECADE { 1 } else { 9 };
    let powers = from.floor() as i32..=to.floor() as i32;
    let steps = powers.flat_map(|power| (1..=most).map(move |step| number::decimal(step, power)));
    let places = steps.map(f64::log10);
    places.filter(|at| (from..=to).contains(at)).collect()
}

/// Labels all ticks with powers of ten if one of them is far from 1: `10⁻⁹`, `2×10⁻⁹`.
pub(super) fn power_labels(mut ticks: Vec<Tick>) -> Vec<Tick> {
    let is_far = |tick: &Tick| tick.number.log10().abs() > MAX_PLAIN_POWER;
    if ticks.iter().any(is_far) {
        for tick in &mut ticks {
            tick.label = power_label(tick.number);
        }
    }
    ticks
}

fn power_label(number: f64) -> String {
    let text = format!("{number:e}");
    let (digits, power) = text.split_once('e').unwrap_or((&text, "0"));
    let factor = match digits {
        "1" => String::new(),
        _ => format!("{digits}×"),
    };
    let raised = |c: char| match c.to_digit(10) {
        Some(digit) => ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'][digit as usize],
        None => '⁻',
    };
    let superscript: String = power.chars().map(raised).collect();
    format!("{factor}10{superscript}")
}

/// Ticks between two logarithms. These are powers of ten, or if there are fewer than three, also 2 and 5 times each power.
/// If even these are fewer than three, the ticks are round numbers.
fn logarithmic_ticks(from: f64, to: f64, most: usize, is_finer: bool) -> Vec<Tick> {
    let power_ticks = powers(from, to, most, is_finer);
    let steps: &[i64] = if is_finer { &[1, 3] } else { &STEPS };
    if power_ticks.len() >= if is_finer { FEWEST_TICKS } else { 3 } || to - from > 4.0 {
        return power_ticks;
    }
    let (first, last) = (from.floor() as i32, to.ceil() as i32);
    let numbers =
        (first..=last).flat_map(|power| steps.iter().map(move |it| number::decimal(*it, power)));
    let within = |value: &f64| (from..=to).contains(&value.log10());
    let mut values: Vec<f64> = numbers.filter(within).collect();
    if values.len() < 3 {
        values = round_numbers(10_f64.powf(from), 10_f64.powf(to), most, is_finer);
        // The powers round, so a value may be just outside.
        values.retain(within);
    }
    if values.len() > most || values.is_empty() {
        return power_ticks;
    }
    label_numbers(&values)
}

/// A step between dates: a number of seconds, days or months.
#[derive(Clone, Copy)]
enum DateStep {
    Seconds(i64),
    Days(i64),
    Months(i64),
}

/// At most `most` round dates. A step begins with a day, a month or a year, and a label has only the parts that the steps
/// need.
fn calendar_ticks(dates: Calendar, (from, to): (f64, f64), most: usize) -> Vec<Tick> {
    let (begin, end) = (dates.seconds(from), dates.seconds(to));
    let mut steps = SECONDS.map(DateStep::Seconds).to_vec();
    if dates.is_in_days {
        steps.extend(DAYS.map(DateStep::Days));
        steps.extend(MONTH_STEPS.map(DateStep::Months));
    }
    // The dates of short steps in a long range would be too many to list.
    let is_possible = |step: &DateStep| {
        let most_seconds = step.most_seconds() * (most as i64 + 1);
        end - begin < most_seconds as f64
    };
    for step in steps.into_iter().filter(is_possible) {
        let times = step.dates(begin, end);
        if times.len() <= most {
            let tick = |seconds: i64| Tick {
                number: dates.number(seconds as f64),
                label: step.label(seconds, dates.is_in_days),
            };
            return times.into_iter().map(tick).collect();
        }
    }
    Vec::new()
}

impl DateStep {
    /// The seconds of the longest step of this kind: a month may have 31 days.
    fn most_seconds(self) -> i64 {
        match self {
            DateStep::Seconds(step) => step,
            DateStep::Days(step) => step * DAY,
            DateStep::Months(step) => step * 31 * DAY,
        }
    }

    /// The seconds of the dates at such steps, from one time to another.
    fn dates(self, from: f64, to: f64) -> Vec<i64> {
        let counts = |unit: i64| [from, to].map(|end| (end / unit as f64).floor() as i64);
        let [first_day, last_day] = counts(DAY);
        let mut times: Vec<i64> = match self {
            DateStep::Seconds(step) => {
                let [first, last] = counts(step);
                (first..=last).map(|count| count * step).collect()
            }
            DateStep::Days(step) => {
                // The last date of a month is omitted if less than half a step later the next month begins.
                let is_step = |number: &i64| {
                    let [_, month, day] = date(*number);
                    (day - 1) % step == 0 && date(*number + step / 2)[1] == month
                };
                let days = (first_day..=last_day).filter(is_step);
                days.map(|number| number * DAY).collect()
            }
            DateStep::Months(step) => {
                // Months count from the year 0.
                let month_of = |day| date(day)[0] * 12 + date(day)[1] - 1;
                let begin = |month: i64| day_number([month / 12, month % 12 + 1, 1]) * DAY;
                let steps = month_of(first_day) / step..=month_of(last_day) / step;
                steps.map(|count| begin(count * step)).collect()
            }
        };
        times.retain(|time| (from..=to).contains(&(*time as f64)));
        times
    }

    /// The label of a time in seconds.
    fn label(self, at: i64, is_in_days: bool) -> String {
        let [year, month, day] = date(at.div_euclid(DAY));
        match self {
            DateStep::Months(step) if step % 12 == 0 => year.to_string(),
            DateStep::Months(_) => format!("{year}-{month:02}"),
            _ if is_in_days && at % DAY == 0 => format!("{day} {}", MONTHS[month as usize - 1]),
            _ => time(at as f64),
        }
    }
}

/// At most `most` round numbers from `from` to `to`, ascending.
fn round_numbers(from: f64, to: f64, most: usize, is_finer: bool) -> Vec<f64> {
    let count = most.max(2);
    // Both are divided before they are subtracted, because the difference may overflow.
    let rough = to / count as f64 - from / count as f64;
    let power = rough.log10().floor();
    if !(from < to && power.is_finite()) {
        return Vec::new();
    }
    // A step that is a little shorter than the rough one may fit, too, because the range need not begin at a multiple.
    let least = power as i32;
    let (steps, tenths): (&[i64], i32) = if is_finer {
        (&FINER_STEPS, 1)
    } else {
        (&STEPS, 0)
    };
    for exponent in least - tenths..=least - tenths + 2 {
        for &step in steps {
            if number::decimal(step, exponent) >= 0.5 * rough {
                let numbers = multiples(step, exponent, from, to);
                if numbers.len() <= count {
                    return numbers;
                }
            }
        }
    }
    Vec::new()
}

/// At most `most` powers of ten between two logarithms: every power, every second one, …, or finer every third one.
fn powers(from: f64, to: f64, most: usize, is_finer: bool) -> Vec<Tick> {
    let mut exponents = multiples(if is_finer { 3 } else { 1 }, 0, from, to);
    if exponents.len() > most {
        exponents = round_numbers(from, to, most, false);
    }
    // Round numbers may be halves, and `10^0.5` is no power of ten.
    exponents.retain(|exponent| exponent.fract() == 0.0);
    let numbers = exponents.iter().map(|it| number::decimal(1, *it as i32));
    label_numbers(&numbers.collect::<Vec<f64>>())
}

/// The ticks at these numbers. All labels of an axis have the same form.
pub(super) fn label_numbers(numbers: &[f64]) -> Vec<Tick> {
    let plain: Vec<String> = numbers.iter().map(|it| number::shortest(*it)).collect();
    // Zero has no exponent.
    let with_exponent = |number: &f64| format!("{number:e}").replace("0e0", "0");
    let short: Vec<String> = numbers.iter().map(with_exponent).collect();
    let longest = |texts: &[String]| texts.iter().map(String::len).max().unwrap_or(0);
    let is_short = longest(&plain) > MAX_PLAIN_LABEL && longest(&short) < longest(&plain);
    let labels = if is_short { short } else { plain };
    let ticks = numbers.iter().zip(labels);
    let tick = |(&number, label)| Tick { number, label };
    ticks.map(tick).collect()
}

/// The multiples of a step times a power of ten in a range. Returns none if they would be too many or too fine for doubles.
pub(super) fn multiples(step: i64, exponent: i32, from: f64, to: f64) -> Vec<f64> {
    let size = number::decimal(step, exponent);
    // Divisions round, so the counts begin and end a little outside the range.
    let (first, last) = ((from / size).floor() - 1.0, (to / size).ceil() + 1.0);
    // Beyond 2^53 (9e15) steps from zero the doubles are farther apart than the steps.
    if !(first.abs() < 9e15 && last.abs() < 9e15 && last - first < 1e4) {
        return Vec::new();
    }
    let mut numbers: Vec<f64> = (first as i64..=last as i64)
        .map(|count| number::decimal(count * step, exponent))
        .filter(|number| from <= *number && *number <= to)
        .collect();
    numbers.dedup();
    numbers
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(ticks: &[Tick]) -> Vec<&str> {
        ticks.iter().map(|tick| &*tick.label).collect()
    }

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
            let ticks = label_numbers(&round_numbers(from, to, most, false));
            assert_eq!(labels(&ticks).join(" "), expected, "{from} to {to}");
        }
        assert_eq!(
            labels(&powers(-4.2, 1.1, 9, false)),
            ["0.0001", "0.001", "0.01", "0.1", "1", "10"]
        );
        let places: Vec<f64> = (powers(-40.0, 20.0, 4, false).iter())
            .map(|tick| tick.number)
            .collect();
        assert_eq!(places, [1e-40, 1e-20, 1.0, 1e20]);
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
            let ticks = calendar_ticks(dates, (0.0, to), most);
            assert_eq!(labels(&ticks).join(", "), expected);
            assert!(ticks.iter().all(|tick| (0.0..=to).contains(&tick.number)));
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
            let found = round_numbers(from, to, most, false);
            assert!(!found.is_empty(), "{from:e} to {to:e}, {most}");
            assert!(found.len() <= most && found.windows(2).all(|two| two[0] < two[1]));
            for (tick, label) in found.iter().zip(labels(&label_numbers(&found))) {
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

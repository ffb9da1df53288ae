//! Chooses the ticks of an axis for the terminal and for files: round numbers, dates or the words of classes.
//!
//! The number of a tick is parsed from a decimal, such as `-3` times `0.5`, and is not a sum of steps. No label shows a
//! rounding error such as `0.30000000000000004` then.

use std::cmp::Reverse;

use super::window::ChartAxis;
use chainrule_report::{Calendar, ClassWord, MONTHS, Scale, date, day_number, time};
use chainrule_style::number;

/// The steps between round numbers as tenths of a power of ten, the most usual ones first.
const STEPS: [i64; 9] = [10, 20, 50, 25, 40, 30, 15, 60, 80];
/// The number of steps that are equally usual.
const USUAL_STEPS: usize = 3;
/// The first digits of the numbers of a logarithmic axis, the most usual ones first.
const DIGITS: [&[i64]; 5] = [
    &[1],
    &[1, 3],
    &[1, 2, 5],
    &[1, 2, 3, 5],
    &[1, 2, 3, 4, 5, 6, 7, 8, 9],
];
/// The powers of ten from a logarithmic tick to the next, if not every power has one.
const POWER_STEPS: [i64; 7] = [2, 3, 5, 10, 20, 50, 100];
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

/// A labelled number of an axis.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Tick {
    pub number: f64,
    pub label: String,
}

/// The ticks of an axis, and what its labels have in common: `×10⁻⁴²`, `+1234500`.
#[derive(Clone, Default)]
pub(super) struct AxisTicks {
    pub ticks: Vec<Tick>,
    pub common: String,
}

impl AxisTicks {
    /// The ticks at these numbers. Only a file has a place for what its labels have in common.
    pub(super) fn of(numbers: &[f64], scale: Scale, is_file: bool) -> AxisTicks {
        let ticks = label_numbers(numbers, scale);
        if is_file && scale == Scale::Linear {
            AxisTicks::with_common(ticks)
        } else {
            AxisTicks::plain(ticks)
        }
    }

    /// Ticks whose labels say all.
    fn plain(ticks: Vec<Tick>) -> AxisTicks {
        AxisTicks {
            ticks,
            common: String::new(),
        }
    }

    /// Ticks whose labels have a factor or an offset in common if they would be long without it.
    fn with_common(mut ticks: Vec<Tick>) -> AxisTicks {
        let mut parts = Vec::new();
        if let Some(mut decimals) = Decimals::of(&ticks) {
            let offset = decimals.take_offset();
            let is_long = |text: &String| {
                text.trim_start_matches('-').len() > MAX_FILE_LABEL || text.contains('e')
            };
            let mut texts = decimals.labels(0);
            let power = decimals.largest_power();
            if power.abs() > 1 && texts.iter().any(is_long) {
                texts = decimals.labels(power);
                parts.push(format!("×{}", power_label(number::decimal(1, power))));
            }
            parts.extend(offset);
            for (tick, text) in ticks.iter_mut().zip(texts) {
                tick.label = text;
            }
        }
        for tick in &mut ticks {
            tick.label = tick.label.replace('-', "−");
        }
        AxisTicks {
            ticks,
            common: parts.join(" "),
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
        let below = least.div_euclid(zeros) * zeros;
        // The next number may be among them and rounder: 1e12 from 1e12 - 3 to 1e12 + 3.
        let next = below + zeros;
        let is_rounder = next % (10 * zeros) == 0;
        let offset = if below < least && next <= most && is_rounder {
            next
        } else {
            below
        };
        let digits = self.largest_power() - self.power + 1;
        if offset == 0 || digits < MAX_FILE_LABEL as i32 {
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

/// Ticks that an axis may have.
pub(super) struct TickChoice {
    pub axis_ticks: AxisTicks,
    /// The lower, the more usual the numbers are.
    rank: usize,
}

/// Chooses the ticks of an axis: of the most usual numbers of which at least `fewest` have room, many with ample room, or
/// else few. If there are none, it is as many as have room, and one in any case. `has_room` tells whether labels have room,
/// also if it is tight.
pub(super) fn choose_ticks(
    choices: Vec<TickChoice>,
    fewest: usize,
    has_room: impl Fn(&[Tick], bool) -> bool,
) -> AxisTicks {
    // The first choice with the least key is the best.
    let key = |choice: &TickChoice| {
        let ticks = &choice.axis_ticks.ticks;
        let count = ticks.len();
        match (count >= fewest, has_room(ticks, true)) {
            (true, true) if has_room(ticks, false) => (0, choice.rank, 0),
            (true, true) => (0, choice.rank, count),
            (false, true) => (1, 0, usize::MAX - count),
            (_, false) => (2, 0, count),
        }
    };
    let Some(best) = choices.into_iter().min_by_key(key) else {
        return AxisTicks::default();
    };
    let mut chosen = best.axis_ticks;
    if !has_room(&chosen.ticks, true) {
        chosen.ticks.truncate(1);
    }
    chosen
}

/// The choices of at most `most` ticks of an axis, from left to right or upwards: the most usual numbers first, and of
/// equally usual ones the most numbers first. An axis of classes has a tick for each word. `is_file` tells whether there is
/// a place for what labels have in common.
pub(super) fn tick_choices(
    axis: ChartAxis,
    words: &[ClassWord],
    most: usize,
    is_file: bool,
) -> Vec<TickChoice> {
    let (from, to) = axis.limits();
    let usual = |ticks| TickChoice {
        axis_ticks: AxisTicks::plain(ticks),
        rank: 0,
    };
    let mut choices: Vec<TickChoice> = if axis.has_words {
        let visible = words.iter().filter(|it| (from..=to).contains(&it.number));
        let tick = |class: &ClassWord| Tick {
            number: class.number,
            label: class.word.clone(),
        };
        vec![usual(visible.map(tick).collect())]
    } else if let Some(dates) = axis.dates {
        let counts = (1..=most).rev();
        let ticks = counts.map(|count| calendar_ticks(dates, (from, to), count));
        ticks.map(usual).collect()
    } else {
        let mut choices = round_choices((from, to), axis.scale);
        for choice in &mut choices {
            choice
                .numbers
                .retain(|number| (from..=to).contains(&axis.scale.coordinate(*number)));
        }
        choices.retain(|choice| (1..=most).contains(&choice.numbers.len()));
        choices.sort_by_key(|choice| (choice.rank, Reverse(choice.numbers.len())));
        let labelled = |choice: RoundNumbers| TickChoice {
            axis_ticks: AxisTicks::of(&choice.numbers, axis.scale, is_file),
            rank: choice.rank,
        };
        choices.into_iter().map(labelled).collect()
    };
    if axis.range.0 > axis.range.1 {
        for choice in &mut choices {
            choice.axis_ticks.ticks.reverse();
        }
    }
    choices
}

/// Round numbers in a range.
pub(super) struct RoundNumbers {
    /// The lower, the more usual.
    rank: usize,
    pub numbers: Vec<f64>,
}

/// Choices of round numbers between two coordinates, the most usual ones first. Some of a logarithmic axis are outside.
pub(super) fn round_choices((low, high): (f64, f64), scale: Scale) -> Vec<RoundNumbers> {
    if scale == Scale::Linear {
        return linear_choices(low, high, 0);
    }
    let numbers = |digits: &[i64], every| -> Vec<f64> {
        let powers = multiples(every, 0, low.floor(), high.ceil()).into_iter();
        let with_digits = |power: f64| {
            let numbers = digits.iter();
            numbers.map(move |it| number::decimal(*it, power as i32))
        };
        powers.flat_map(with_digits).collect()
    };
    let mut choices: Vec<RoundNumbers> = (0..)
        .zip(DIGITS)
        .map(|(rank, digits)| RoundNumbers {
            rank,
            numbers: numbers(digits, 1),
        })
        .collect();
    choices.extend(POWER_STEPS.map(|every| RoundNumbers {
        rank: 0,
        numbers: numbers(&[1], every),
    }));
    if high - low < 1.0 {
        // Powers round.
        let (from, to) = (
            10_f64.powf(low) * (1.0 - 1e-12),
            10_f64.powf(high) * (1.0 + 1e-12),
        );
        choices.extend(linear_choices(from, to, DIGITS.len()));
    }
    choices
}

/// Multiples of each kind of step, the first of which has this rank.
fn linear_choices(low: f64, high: f64, rank: usize) -> Vec<RoundNumbers> {
    let power = (high / 8.0 - low / 8.0).log10().floor();
    // The steps are tenths, so their power is one or two less.
    let exponents = (-2..=0).map(|more| (power as i32).saturating_add(more));
    let choices = STEPS.into_iter().enumerate().flat_map(|(place, step)| {
        let of_power = move |exponent| RoundNumbers {
            rank: rank + (place + 1).saturating_sub(USUAL_STEPS),
            numbers: multiples(step, exponent, low, high),
        };
        exponents.clone().map(of_power)
    });
    choices.collect()
}

/// The small ticks of a logarithmic axis of this length: the logarithms of 2 to 9 times each power of ten, or if there
/// is no room for them, those of the powers.
pub(super) fn small_ticks(axis: ChartAxis, length: f64) -> Vec<f64> {
    let (from, to) = axis.limits();
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

/// The ticks at these numbers. All labels of an axis have the same form. Those of a logarithmic axis are powers of ten,
/// `10⁻⁹` or `2×10⁻⁹`, if one of them is far from 1.
fn label_numbers(numbers: &[f64], scale: Scale) -> Vec<Tick> {
    let is_far = |number: &f64| number.log10().abs() > MAX_PLAIN_POWER;
    let labels: Vec<String> = if scale.is_logarithmic() && numbers.iter().any(is_far) {
        numbers.iter().map(|it| power_label(*it)).collect()
    } else {
        let plain: Vec<String> = numbers.iter().map(|it| number::shortest(*it)).collect();
        // Zero has no exponent.
        let with_exponent = |number: &f64| format!("{number:e}").replace("0e0", "0");
        let short: Vec<String> = numbers.iter().map(with_exponent).collect();
        let longest = |texts: &[String]| texts.iter().map(String::len).max().unwrap_or(0);
        let is_short = longest(&plain) > MAX_PLAIN_LABEL && longest(&short) < longest(&plain);
        if is_short { short } else { plain }
    };
    let ticks = numbers.iter().zip(labels);
    let tick = |(&number, label)| Tick { number, label };
    ticks.map(tick).collect()
}

/// The multiples of a step times a power of ten in a range. Returns none if they would be too many or too fine for doubles.
fn multiples(step: i64, exponent: i32, from: f64, to: f64) -> Vec<f64> {
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

    /// The most usual ticks of an axis on the terminal.
    fn usual_ticks(range: (f64, f64), scale: Scale, most: usize) -> Vec<Tick> {
        let axis = ChartAxis {
            range,
            scale,
            ..ChartAxis::default()
        };
        let mut choices = tick_choices(axis, &[], most, false).into_iter();
        choices.next().map_or(Vec::new(), |it| it.axis_ticks.ticks)
    }

    /// Random numbers from 0 to 1.
    fn random_numbers() -> impl FnMut() -> f64 {
        let mut bits = 0x2545_f491_4f6c_dd1d_u64;
        move || {
            bits ^= bits << 13;
            bits ^= bits >> 7;
            bits ^= bits << 17;
            (bits >> 11) as f64 / (1_u64 << 53) as f64
        }
    }

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
            let ticks = usual_ticks((from, to), Scale::Linear, most);
            assert_eq!(labels(&ticks).join(" "), expected, "{from} to {to}");
        }
        let logarithmic = |from, to, most| usual_ticks((from, to), Scale::Logarithmic, most);
        for (from, to, most, expected) in [
            (-4.2, 1.1, 9, "10⁻⁴ 10⁻³ 10⁻² 10⁻¹ 10⁰ 10¹"),
            (-40.0, 20.0, 4, "10⁻⁴⁰ 10⁻²⁰ 10⁰ 10²⁰"),
            (-1.0, 2.5, 9, "0.1 1 10 100"),
        ] {
            let ticks = logarithmic(from, to, most);
            assert_eq!(labels(&ticks).join(" "), expected, "{from} to {to}");
        }
    }

    /// Axes of one decade or less have more digits than powers of ten have.
    #[test]
    fn a_file_has_enough_ticks_of_a_short_logarithmic_axis() {
        for (from, to, expected) in [
            (1.0, 6.0, "1 2 3 5"),
            (1.0, 9.0, "1 2 3 5"),
            (1.0, 12.0, "1 2 5 10"),
            (2.0, 5.0, "2 3 4 5"),
            (1.0, 100.0, "1 3 10 30 100"),
            (5.0, 5.6, "5 5.1 5.2 5.3 5.4 5.5 5.6"),
        ] {
            let axis = ChartAxis {
                range: (f64::log10(from), f64::log10(to)),
                scale: Scale::Logarithmic,
                ..ChartAxis::default()
            };
            let choices = tick_choices(axis, &[], 7, true);
            let chosen = choose_ticks(choices, 4, |_, _| true);
            assert_eq!(labels(&chosen.ticks).join(" "), expected, "{from} to {to}");
        }
    }

    /// What labels have in common is a round number, and only where it shortens them.
    #[test]
    fn labels_have_a_factor_and_an_offset_in_common() {
        for (numbers, expected) in [
            (&[0.0, 2e-5, 4e-5][..], "0 2 4 ×10⁻⁵"),
            (&[1_234_500.0, 1_234_500.5, 1_234_501.0], "0 0.5 1 +1234500"),
            (&[1e12 - 2.0, 1e12, 1e12 + 2.0], "−2 0 2 +10¹²"),
            (&[123_452.0, 123_456.0, 123_460.0], "2 6 10 +123450"),
            (&[1.00001, 1.00002, 1.00003], "1 2 3 ×10⁻⁵ +1"),
            (&[0.99998, 1.0, 1.00002], "−2 0 2 ×10⁻⁵ +1"),
            (&[-0.25, 0.0, 0.25], "−0.25 0 0.25"),
            (&[50_000.0, 100_000.0], "50000 100000"),
        ] {
            let found = AxisTicks::with_common(label_numbers(numbers, Scale::Linear));
            let mut words = labels(&found.ticks);
            words.push(&found.common);
            assert_eq!(words.join(" ").trim_end(), expected);
        }
    }

    /// The number that a label of a file means: `5×10⁻³`, `10⁷`, `−0.5`, `2e28`.
    fn meant(text: &str) -> f64 {
        let raised = "⁰¹²³⁴⁵⁶⁷⁸⁹⁻";
        let plain = |c: char| {
            let place = raised.chars().position(|it| it == c);
            place.map_or(c, |at| char::from(b"0123456789-"[at]))
        };
        let begin = text.find(|c| raised.contains(c)).unwrap_or(text.len());
        let (mut number, power) = (text[..begin].replace('−', "-"), &text[begin..]);
        if !power.is_empty() {
            let exponent: String = power.chars().map(plain).collect();
            let digits = number.strip_suffix("×10").map(str::to_owned);
            number = digits.unwrap_or_else(|| number.replace("10", "1")) + "e" + &exponent;
        }
        number.parse().expect(text)
    }

    /// A label times the factor, plus the offset, is its number: to the few last digits that the sum loses.
    #[test]
    fn labels_of_files_mean_their_numbers() {
        let mut random = random_numbers();
        let mut with_offset = 0;
        for _ in 0..5_000 {
            let middle = (random() - 0.5) * 10_f64.powf(60.0 * random() - 30.0);
            let half = middle.abs() * 10_f64.powf(-9.0 * random());
            let axis = ChartAxis {
                range: (middle - half, middle + half),
                ..ChartAxis::default()
            };
            for choice in tick_choices(axis, &[], 7, true) {
                let AxisTicks { ticks, common } = choice.axis_ticks;
                let (mut factor, mut offset) = (1.0, 0.0);
                for part in common.split_whitespace() {
                    match part.strip_prefix('×') {
                        Some(power) => factor = meant(power),
                        None => offset = meant(part),
                    }
                }
                with_offset += u32::from(offset != 0.0);
                for tick in ticks {
                    let number = meant(&tick.label) * factor + offset;
                    let error = (number - tick.number).abs();
                    let is_right = error <= 1e-15 * tick.number.abs().max(offset.abs());
                    assert!(is_right, "{} {common} at {:e}", tick.label, tick.number);
                }
            }
        }
        assert!(with_offset > 1_000);
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
        let mut random = random_numbers();
        for _ in 0..4_000 {
            let size = 10_f64.powf(600.0 * random() - 300.0);
            let from = (random() - 0.5) * size;
            let to = from + random() * size + size * 1e-6;
            let most = 2 + (random() * 20.0) as usize;
            let ticks = usual_ticks((from, to), Scale::Linear, most);
            let found: Vec<f64> = ticks.iter().map(|tick| tick.number).collect();
            assert!(!found.is_empty(), "{from:e} to {to:e}, {most}");
            assert!(found.len() <= most && found.windows(2).all(|two| two[0] < two[1]));
            for (tick, label) in found.iter().zip(labels(&ticks)) {
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

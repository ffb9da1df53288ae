//! Reads dates in tables (`2024-03-01`, `2024-03-01T12:30:05.5Z`, `1.3.24 12:30`, `3/1/2024 1:30 PM`, `Mar 1, 2024`),
//! months (`2024-03`), and times of day (`12:30:05`).

use crate::DateOrder;
use chainrule_report::{self as report, Calendar, MONTHS, day_number};

/// The seconds of a day.
pub(super) const DAY: f64 = 86_400.0;

/// Reads the dates of a column. If the year stands last, after slashes or dashes, the order of day and month is not clear.
#[derive(Debug, Default)]
pub(super) struct DateReader {
    /// That order, as the user gives it, or as the first number above 12 proves it.
    pub(super) order: Option<DateOrder>,
    /// Whether the order in the last date was a guess.
    pub(super) is_guess: bool,
}

/// A day and the seconds since its midnight.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Date {
    /// The day, by the year, the month and the day of the month; `None` for a time of day.
    pub(super) day: Option<[i64; 3]>,
    pub(super) seconds: f64,
    /// The seconds by which its zone is ahead of universal time; `None` without a zone.
    zone: Option<f64>,
}

/// Reads the first date of a column, from which its numbers count. The text must have it in full: `2024-03-15 12:30:05`, or
/// `12:30:05` for a time of day.
pub fn calendar(text: &str) -> Option<Calendar> {
    let is_full = text.matches(':').count() == 2;
    let date = DateReader::default().read(text).filter(|_| is_full)?;
    Some(date.calendar())
}

impl DateReader {
    /// Reads a date or a time of day.
    pub(super) fn read(&mut self, text: &str) -> Option<Date> {
        if let Some(date) = with_numbers(text) {
            return self.read(&date);
        }
        let (day_text, time_text) = match text.split_once([' ', 'T']) {
            Some((day, time)) if !day.contains(':') => (Some(day), time.trim()),
            None if !text.contains(':') => (Some(text), ""),
            _ => (None, text),
        };
        let day = match day_text {
            Some(day) => Some(self.day(day)?),
            None => None,
        };
        let (time, zone) = split_zone(time_text)?;
        let seconds = if time.is_empty() { 0.0 } else { seconds(time)? };
        if day.is_some() && seconds >= DAY {
            return None;
        }
        Some(Date {
            day,
            seconds: seconds - zone.unwrap_or(0.0),
            zone,
        })
    }

    /// The year, the month and the day of a date in three numbers.
    fn day(&mut self, text: &str) -> Option<[i64; 3]> {
        self.is_guess = false;
        let separator = ['-', '/', '.'].into_iter().find(|it| text.contains(*it))?;
        let numbers: Option<Vec<i64>> = text.split(separator).map(whole_number).collect();
        let [first, second, last] = numbers?[..] else {
            return None;
        };
        let has_year_first = first > 31;
        let has_day_first = match self.order {
            _ if separator == '.' => true,
            Some(order) => order == DateOrder::DayFirst,
            None => first > 12,
        };
        let has_short_year = separator != '-' && text.len() - text.rfind(separator)? == 3;
        // As in the C library: `69` is 2069, `70` is 1970.
        let century = match last {
            _ if !has_short_year => 0,
            0..70 => 2000,
            _ => 1900,
        };
        let date = if has_year_first {
            [first, second, last]
        } else if has_day_first {
            [century + last, second, first]
        } else {
            [century + last, first, second]
        };
        if !is_date(date) {
            return None;
        }
        let is_unordered = !has_year_first && separator != '.' && self.order.is_none();
        if is_unordered && first > 12 {
            self.order = Some(DateOrder::DayFirst);
        } else if is_unordered && second > 12 {
            self.order = Some(DateOrder::MonthFirst);
        } else {
            self.is_guess = is_unordered && first != second;
        }
        Some(date)
    }
}

/// A number of digits only.
fn whole_number(text: &str) -> Option<i64> {
    let is_number = text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|_| is_number)
}

/// Whether the calendar has this year, month and day, and the year has four digits.
fn is_date(date: [i64; 3]) -> bool {
    let [year, month, _] = date;
    (1000..=9999).contains(&year)
        && (1..=12).contains(&month)
        && report::date(day_number(date)) == date
}

impl Date {
    /// The text of this date with the day in the order of ISO 8601, and with its time as it is.
    pub(super) fn text(self, text: &str) -> String {
        let Some([year, month, day]) = self.day else {
            return text.to_owned();
        };
        let colon = text.find(':').unwrap_or(0);
        let begin = text[..colon].rfind([' ', 'T']);
        let time = begin.map_or("", |begin| &text[begin..]);
        format!("{year}-{month:02}-{day:02}{time}")
    }

    /// The calendar of a column that begins with this date, in the time of its zone.
    pub(super) fn calendar(self) -> Calendar {
        Calendar::since(self.day, self.seconds + self.zone.unwrap_or(0.0))
    }

    /// The days since the first date, or the seconds if both are times of day. Returns `None` if only one of them is, or if
    /// only one has a zone.
    pub(super) fn since(self, first: Date) -> Option<f64> {
        if self.zone.is_some() != first.zone.is_some() {
            return None;
        }
        let seconds = self.seconds - first.seconds;
        match (self.day, first.day) {
            (Some(day), Some(first)) => {
                Some((day_number(day) - day_number(first)) as f64 + seconds / DAY)
            }
            (None, None) => Some(seconds),
            _ => None,
        }
    }
}

/// The date in numbers, `2024-3-15`, of a date with the name of a month: `Mar 15, 2024`, `15-Mar-2024`,
/// `15 March 2024`. The time after it stays. A month, `2024-03`, becomes its first day.
fn with_numbers(text: &str) -> Option<String> {
    if text.len() == 7 && text.find('-') == Some(4) {
        return Some(format!("{text}-1"));
    }
    let mut parts = text.splitn(4, [' ', '-', '/']);
    let mut date = [parts.next()?, parts.next()?, parts.next()?].map(|it| it.trim_end_matches(','));
    if date[0].starts_with(char::is_alphabetic) {
        date.swap(0, 1);
    }
    let [day, name, year] = date;
    let begin = name.get(..3)?;
    let is_name = |month: &&str| month.eq_ignore_ascii_case(begin);
    let month = MONTHS.iter().position(is_name)? + 1;
    let time = parts.next().unwrap_or_default();
    (year.len() == 4).then(|| format!("{year}-{month}-{day} {time}").trim_end().to_owned())
}

/// A time without its zone, and the seconds by which the zone is ahead of universal time: `Z`, `UTC`, `+01:00`, `-0500`.
fn split_zone(text: &str) -> Option<(&str, Option<f64>)> {
    let mut universal = ["Z", "UTC", "GMT"].iter();
    if let Some(time) = universal.find_map(|zone| text.strip_suffix(zone)) {
        return Some((time.trim_end(), Some(0.0)));
    }
    let Some(place) = text.rfind(['+', '-']) else {
        return Some((text, None));
    };
    let (time, zone) = text.split_at(place);
    let digits = zone[1..].replace(':', "");
    let number: f64 = digits.parse().ok()?;
    let seconds = match digits.len() {
        2 => number * 3600.0,
        4 => (number / 100.0).floor() * 3600.0 + number % 100.0 * 60.0,
        _ => return None,
    };
    let sign = if zone.starts_with('-') { -1.0 } else { 1.0 };
    Some((time.trim_end(), Some(sign * seconds)))
}

/// The seconds of `12:30`, `12:30:05.5`, `12:30:05,5` and `1:30 PM`, and of durations such as `36:30:05`.
fn seconds(text: &str) -> Option<f64> {
    let strip = |ends: [&str; 2]| ends.iter().find_map(|end| text.strip_suffix(end));
    // The hour at which a half of the day begins.
    let (time, half) = match (strip(["AM", "am"]), strip(["PM", "pm"])) {
        (Some(time), _) => (time.trim_end(), Some(0.0)),
        (_, Some(time)) => (time.trim_end(), Some(12.0)),
        _ => (text, None),
    };
    let (hour_text, rest) = time.split_once(':')?;
    let (minute_text, second_text) = match rest.split_once(':') {
        Some((minute, second)) => (minute, Some(second)),
        None => (rest, None),
    };
    // Only a time with seconds may be a duration of more than a day.
    let most_hours = if second_text.is_some() { u32::MAX } else { 24 };
    let hour = match half {
        Some(half) => number_below(hour_text, 13).filter(|hour| *hour > 0.0)? % 12.0 + half,
        None => number_below(hour_text, most_hours)?,
    };
    let minute = number_below(minute_text, 60)?;
    let second = second_text.map_or(Some(0.0), seconds_of_minute)?;
    Some((hour * 60.0 + minute) * 60.0 + second)
}

/// The seconds of `05.5` and `05,5`.
fn seconds_of_minute(text: &str) -> Option<f64> {
    if !text.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let seconds = text.replace(',', ".").parse().ok();
    seconds.filter(|it| *it < 60.0)
}

/// A whole number below a limit.
fn number_below(text: &str, limit: u32) -> Option<f64> {
    let number: u32 = text.parse().ok()?;
    (number < limit).then(|| f64::from(number))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_calendar_is_read_as_it_is_written() {
        for text in [
            "12:30:5.25",
            "2024-03-15 00:00:00",
            "1969-12-31 23:59:59.5",
            "1000-01-01 00:00:00",
        ] {
            let read = calendar(text).map(Calendar::origin);
            assert_eq!(read.as_deref(), Some(text));
        }
        // A heading may end so without being a date in full.
        for text in ["noon", "2024-03-15", "12:30", "2024"] {
            assert_eq!(calendar(text), None, "{text}");
        }
    }

    #[test]
    fn days_between_dates() {
        for (first, later, expected) in [
            ("2024-02-28", "2024-03-01", Some(2.0)),
            ("2023-02-28", "2023-03-01", Some(1.0)),
            ("1900-02-28", "1900-03-01", Some(1.0)),
            ("2000-01-01", "2024-03-01", Some(8826.0)),
            ("1970-01-01", "2024-11-25", Some(20052.0)),
            ("2024/1/1", "2024/12/31", Some(365.0)),
            ("31.12.2023", "1.1.2024", Some(1.0)),
            ("2024-03-01", "2024-03-01 12:00", Some(0.5)),
            (
                "2024-03-01T00:00:00Z",
                "2024-03-01T00:01:26.4Z",
                Some(0.001),
            ),
            ("2024-03-02", "2024-03-01 06:00", Some(-0.75)),
            ("2024-03-01", "2024-02-30", None),
            ("2024-03-01", "2024-13-01", None),
            ("31/3/2024", "1/4/2024", Some(1.0)),
            ("28.02.24", "01.03.24 12:00", Some(2.5)),
            ("12/31/99", "1/1/00", Some(1.0)),
            ("Feb 28, 2024", "Mar 1, 2024", Some(2.0)),
            ("28-FEB-2024", "1 march 2024 06:00", Some(2.25)),
            ("28 Feb 2024", "1 Mar", None),
            ("3/31/2024", "4/1/2024 12:00 AM", Some(1.0)),
            ("3-31-2024", "04-01-2024 1:30 PM", Some(1.5625)),
            ("2024-03-01 12:00Z", "2024-03-01T12:00:00-06:00", Some(0.25)),
            (
                "2024-03-01T12:00+0130",
                "2024-03-01 12:00 UTC",
                Some(0.0625),
            ),
            ("2024-03-01 12:00Z", "2024-03-01 12:00", None),
            ("23:59:58,5", "00:00:01", Some(-86_397.5)),
            ("11:00", "1:30:05.5 pm", Some(9005.5)),
            ("12:00", "24:00", None),
            ("12:00", "T", None),
            ("12:00", "1:30.5", None),
            ("12:00", "2024-03-01", None),
            ("12:00:00", "36:30:05", Some(88_205.0)),
            ("2024-03-01", "2024-03-01 24:00:00", None),
            ("2024-01", "2024-03", Some(60.0)),
            ("2023-12", "2024-01-15", Some(45.0)),
            ("2024-03-01", "2024-13", None),
            ("2024-03-01", "2024-3", None),
            ("2024-03-01", "2024-03 12:00", None),
            ("2024-03-01", "2024-03-01 12", None),
            ("2024-03-01", "2024-03-01 12:60", None),
            ("2024-03-01", "2024-03-01 12:00:00:00", None),
            ("2024-03-01", "2024-03-1a", None),
            ("2024-03-01", "12.5", None),
            ("2024-03-01", "", None),
        ] {
            let mut reader = DateReader::default();
            let first = reader.read(first).expect("it is a date");
            let days = reader.read(later).and_then(|later| later.since(first));
            assert_eq!(days, expected, "{later}");
        }
    }
}

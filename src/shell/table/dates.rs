//! Dates in tables: `2024-03-01`, `2024/3/1 12:30`, `2024-03-01T12:30:05.5Z`, `1.3.2024`.
//!
//! What is written with slashes and does not begin with the year is no date: `3/1/2024` is in March or in January.

/// A day and the seconds since its midnight.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Date {
    /// Days since the first of March of the year 0.
    day: i64,
    seconds: f64,
}

impl Date {
    /// The date that a text is.
    pub(super) fn read(text: &str) -> Option<Date> {
        let (day, time) = text.split_once([' ', 'T']).unwrap_or((text, ""));
        let separator = ['-', '/', '.'].into_iter().find(|it| day.contains(*it))?;
        let mut parts = Vec::with_capacity(3);
        for part in day.split(separator) {
            let is_number = part.bytes().all(|byte| byte.is_ascii_digit());
            parts.push(part.parse::<i64>().ok().filter(|_| is_number)?);
        }
        if separator == '.' {
            parts.reverse();
        }
        let &[year, month, day] = parts.as_slice() else {
            return None;
        };
        let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
        let days = match month {
            2 => 28 + i64::from(is_leap),
            4 | 6 | 9 | 11 => 30,
            _ => 31,
        };
        if !(1000..=9999).contains(&year)
            || !(1..=12).contains(&month)
            || !(1..=days).contains(&day)
        {
            return None;
        }
        // A year that begins with March ends with the day that leap years add.
        let (year, month) = (year - i64::from(month < 3), (month + 9) % 12);
        let leap_days = year / 4 - year / 100 + year / 400;
        Some(Date {
            day: 365 * year + leap_days + (153 * month + 2) / 5 + day - 1,
            seconds: seconds(time.trim())?,
        })
    }

    /// How many days later it is than another.
    pub(super) fn days_since(self, first: Date) -> f64 {
        (self.day - first.day) as f64 + (self.seconds - first.seconds) / 86_400.0
    }
}

/// The seconds of `12:30:05.5`; 0 if there is no time. A `Z` behind it says that it is universal time.
fn seconds(time: &str) -> Option<f64> {
    if time.is_empty() {
        return Some(0.0);
    }
    let (mut seconds, mut unit) = (0.0, 3600.0);
    for part in time.trim_end_matches('Z').split(':') {
        let is_number = part.starts_with(|c: char| c.is_ascii_digit());
        let number: f64 = part.parse().ok().filter(|_| is_number)?;
        if number >= 60.0 || unit < 1.0 {
            return None;
        }
        seconds += number * unit;
        unit /= 60.0;
    }
    // An hour alone is no time.
    (unit < 60.0).then_some(seconds)
}

#[cfg(test)]
mod tests {
    use super::*;

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
            ("2024-03-01", "3/1/2024", None),
            ("2024-03-01", "2024-03", None),
            ("2024-03-01", "2024-03-01 12", None),
            ("2024-03-01", "2024-03-01 12:60", None),
            ("2024-03-01", "2024-03-01 12:00:00:00", None),
            ("2024-03-01", "2024-03-1a", None),
            ("2024-03-01", "12.5", None),
            ("2024-03-01", "", None),
        ] {
            let first = Date::read(first).expect("it is a date");
            let days = Date::read(later).map(|later| later.days_since(first));
            assert_eq!(days, expected, "{later}");
        }
    }
}

//! Converts dates to numbers and back. `:data` reads a column of dates as days since its first date, or a column of times
//! as seconds since its first time. Axes write these numbers as dates and times again.

/// Seconds per day.
const DAY: f64 = 86_400.0;
/// The days from the first of March of the year 0 to the first of January 1970.
const EPOCH: i64 = 719_468;
/// The days of 400 years, after which the calendar repeats.
const ERA: i64 = 146_097;

/// The short names of the months, with which their full names begin.
pub const MONTHS: [&str; 12] = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
];

/// The first date of a column, from which its numbers count, and their unit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Calendar {
    /// The first date in seconds since the beginning of 1970 in its own time zone, or the first time of day in seconds
    /// since midnight.
    pub start: f64,
    /// Whether the numbers are days since the first date. If not, they are seconds since the first time of day.
    pub is_in_days: bool,
}

impl Calendar {
    /// The calendar of a column that begins at this day and these seconds after midnight. A column of times has no day.
    pub fn since(day: Option<[i64; 3]>, seconds: f64) -> Calendar {
        Calendar {
            start: day.map_or(0.0, |day| day_number(day) as f64 * DAY) + seconds,
            is_in_days: day.is_some(),
        }
    }

    /// The first date in full: `2024-03-15 12:30:05`, or the first time of day: `12:30:5.25`.
    pub fn origin(self) -> String {
        if !self.is_in_days {
            return exact_time(self.start);
        }
        let days = (self.start / DAY).floor();
        let [year, month, day] = date(days as i64);
        let time = exact_time(self.start - days * DAY);
        format!("{year:04}-{month:02}-{day:02} {time}")
    }

    fn unit(self) -> f64 {
        if self.is_in_days { DAY } else { 1.0 }
    }

    /// The seconds of a number of the column.
    pub fn seconds(self, number: f64) -> f64 {
        self.start + number * self.unit()
    }

    /// The number of the column for these seconds.
    pub fn number(self, seconds: f64) -> f64 {
        (seconds - self.start) / self.unit()
    }

    /// Whether an axis with this range of numbers can have dates: it spans at least two seconds, and roughly the years 1 to
    /// 9999, so that years have four digits.
    pub fn can_show(self, (from, to): (f64, f64)) -> bool {
        let year = |number| self.seconds(number) / (365.25 * DAY) + 1970.0;
        self.seconds(to) - self.seconds(from) >= 2.0 && year(from) > 1.0 && year(to) < 9999.0
    }

    /// A number as a date, rounded to the minute, `2024-03-15` or `2024-03-15 12:30`, or as a time of day, rounded to the
    /// second, `12:30:05`.
    pub fn text(self, number: f64) -> String {
        let exact = self.seconds(number);
        if !self.is_in_days {
            return time(exact.round());
        }
        let rounded = (exact / 60.0).round() * 60.0;
        let [year, month, day] = date((rounded / DAY).floor() as i64);
        let of_day = match rounded % DAY {
            0.0 => String::new(),
            seconds => format!(" {}", time(seconds)),
        };
        format!("{year:04}-{month:02}-{day:02}{of_day}")
    }
}

/// A time of day with all digits of its seconds. Fractional seconds are not padded: `12:30:5.25`.
fn exact_time(seconds: f64) -> String {
    let whole_minutes = (seconds / 60.0).floor();
    let (hours, minutes) = ((whole_minutes / 60.0).floor(), whole_minutes % 60.0);
    format!("{hours:02}:{minutes:02}:{:02}", seconds % 60.0)
}

/// The time of day: `12:30`, or `12:30:05`.
pub fn time(seconds: f64) -> String {
    let of_day = seconds.rem_euclid(DAY) as u32;
    let (hours, minutes) = (of_day / 3600, of_day / 60 % 60);
    match of_day % 60 {
        0 => format!("{hours:02}:{minutes:02}"),
        rest => format!("{hours:02}:{minutes:02}:{rest:02}"),
    }
}

/// The days from the first of January 1970 to this year, month and day.
pub fn day_number([year, month, day]: [i64; 3]) -> i64 {
    // A year that begins with March ends with the leap day, so no month has to consider it.
    let from_march = year - i64::from(month < 3);
    let month_from_march = (month + 9) % 12;
    let leap_days =
        from_march.div_euclid(4) - from_march.div_euclid(100) + from_march.div_euclid(400);
    // From March on, every five months have 153 days.
    let days_before_month = (153 * month_from_march + 2) / 5;
    365 * from_march + leap_days + days_before_month + day - 1 - EPOCH
}

/// The year, the month and the day that is this many days after the first of January 1970: Howard Hinnant's algorithm
/// `civil_from_days`.
pub fn date(number: i64) -> [i64; 3] {
    let days = number.saturating_add(EPOCH);
    let day_of_era = days.rem_euclid(ERA);
    // Subtract the leap days passed so far, so that every year has 365 days. Every 4 years (1,461 days) have a leap day,
    // every 100 years omit it, and every 400 years keep it.
    let without_leap_days =
        day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / (ERA - 1);
    let year_of_era = without_leap_days / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = (month_from_march + 2) % 12 + 1;
    let year = year_of_era + 400 * days.div_euclid(ERA) + i64::from(month < 3);
    [year, month, day]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_date_is_written_in_full() {
        for (calendar, text) in [
            (Calendar::since(None, 45_005.25), "12:30:5.25"),
            (
                Calendar::since(Some([2024, 3, 15]), 0.0),
                "2024-03-15 00:00:00",
            ),
            (
                Calendar::since(Some([1969, 12, 31]), 86_399.5),
                "1969-12-31 23:59:59.5",
            ),
        ] {
            assert_eq!(calendar.origin(), text);
        }
        let calendar = Calendar::since(Some([2024, 3, 15]), 0.0);
        // Numbers of days saturate: both are the last date that there is.
        let day = |number| calendar.text(number)[..24].to_owned();
        assert_eq!(day(1e300), day(2e300));
    }

    /// The numbers are `datetime.date(…).toordinal() - 719163` of Python.
    #[test]
    fn days_have_the_numbers_that_python_gives_them() {
        for (day, number) in [
            ([1970, 1, 1], 0),
            ([2000, 2, 29], 11_016),
            ([2024, 3, 15], 19_797),
            ([1900, 3, 1], -25_508),
            ([1000, 1, 1], -354_285),
            ([9999, 12, 31], 2_932_896),
        ] {
            assert_eq!((day_number(day), date(number)), (number, day));
        }
        let wrong = (-400_000..3_000_000).find(|number| day_number(date(*number)) != *number);
        assert_eq!(wrong, None);
    }
}

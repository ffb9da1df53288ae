//! Dates as numbers: the columns that `:data` reads as days or seconds since their first date, which axes write as dates.

/// Seconds of a day.
const DAY: f64 = 86_400.0;
/// The days from the first of March of the year 0 to the first of January 1970, and those of 400 years.
const EPOCH: i64 = 719_468;
const ERA: i64 = 146_097;

/// How months are written, and how their names begin.
pub const MONTHS: [&str; 12] = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
];

/// What the numbers of a column of dates count from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Calendar {
    /// The first date: the seconds since 1970 began where it was written down, or since midnight.
    pub start: f64,
    /// The numbers are days; else they are seconds between times of day.
    pub is_in_days: bool,
}

impl Calendar {
    /// The first date or time of day that a column has.
    pub fn since(day: Option<[i64; 3]>, seconds: f64) -> Calendar {
        Calendar {
            start: day.map_or(0.0, |day| day_number(day) as f64 * DAY) + seconds,
            is_in_days: day.is_some(),
        }
    }

    /// The first date in full: `2024-03-15 12:30:05`, or the first time of day, `12:30:5.25`.
    pub fn origin(self) -> String {
        let time = |seconds: f64| {
            let minutes = (seconds / 60.0).floor();
            let (hours, minutes) = ((minutes / 60.0).floor(), minutes % 60.0);
            format!("{hours:02}:{minutes:02}:{:02}", seconds % 60.0)
        };
        if !self.is_in_days {
            return time(self.start);
        }
        let days = (self.start / DAY).floor();
        let [year, month, day] = date(days as i64);
        let seconds = self.start - days * DAY;
        format!("{year:04}-{month:02}-{day:02} {}", time(seconds))
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

    /// Whether a range of numbers is long enough for dates along it, and within the years that have four digits.
    pub fn tells_apart(self, (from, to): (f64, f64)) -> bool {
        let year = |number| self.seconds(number) / (365.25 * DAY) + 1970.0;
        self.seconds(to) - self.seconds(from) >= 2.0 && year(from) > 1.0 && year(to) < 9999.0
    }

    /// A number of the column to the minute: `2024-03-15`, `2024-03-15 12:30` or `12:30:05`.
    pub fn text(self, number: f64) -> String {
        let seconds = self.seconds(number);
        if !self.is_in_days {
            return time(seconds.round());
        }
        let seconds = (seconds / 60.0).round() * 60.0;
        let [year, month, day] = date((seconds / DAY).floor() as i64);
        let time = if seconds % DAY == 0.0 {
            String::new()
        } else {
            format!(" {}", time(seconds))
        };
        format!("{year}-{month:02}-{day:02}{time}")
    }
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
    // A year that begins with March ends with the day that leap years add.
    let (year, month) = (year - i64::from(month < 3), (month + 9) % 12);
    let leap_days = year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400);
    365 * year + leap_days + (153 * month + 2) / 5 + day - 1 - EPOCH
}

/// The year, the month and the day that is so many days after the first of January 1970.
pub fn date(number: i64) -> [i64; 3] {
    let days = number.saturating_add(EPOCH);
    let of_era = days.rem_euclid(ERA);
    // Four, a hundred and four hundred years end with a day more or less.
    let year = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / (ERA - 1)) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let month = (month + 2) % 12 + 1;
    let year = year + 400 * days.div_euclid(ERA) + i64::from(month < 3);
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
        // No date follows the last one that there is.
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

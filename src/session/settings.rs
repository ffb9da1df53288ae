//! Settings: what the user may choose, one row each. Undone like every change.
//!
//! `:config`, its help and its errors, the README's table, a saved session and the init script follow from
//! [`SETTINGS`]. What a setting means for the screen is the views' affair.

use super::undo::UNDO_STEPS;
use crate::suggest::nearest;

/// The settings of a session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Significant digits of a single result.
    pub digits: u8,
    /// Significant digits in tables and pictures.
    pub table_digits: u8,
    /// The most rows a text table shows; named nodes come first. Commands ask [`super::Session::table_rows`].
    pub text_rows: usize,
    /// How many statements can be taken back.
    pub undo_steps: usize,
}

/// One setting: a row of [`SETTINGS`].
#[derive(Debug)]
pub struct Choice {
    /// The word after `:config`.
    pub key: &'static str,
    /// What it is unless set.
    pub default: u64,
    /// The least it can be.
    pub least: u64,
    /// The most it can be.
    pub most: u64,
    /// What it means.
    pub summary: &'static str,
    /// What it is.
    pub get: fn(&Settings) -> u64,
    /// Makes it something else; the caller has checked the range.
    pub put: fn(&mut Settings, u64),
}

/// Significant digits of a single result, unless set.
pub const DIGITS: u8 = 12;
/// Significant digits in tables, unless set.
pub const TABLE_DIGITS: u8 = 6;
/// From this many digits on a number is shown exactly.
pub const MOST_DIGITS: u8 = 17;
/// Rows of a text table, unless set.
pub const TABLE_ROWS: usize = 1_000;
/// The most rows a text table can be made to show.
pub const MOST_TABLE_ROWS: usize = 10_000_000;
/// The most statements `:undo` can be made to remember.
pub const MOST_UNDO_STEPS: usize = 100_000;

/// Every setting, in the order of `:config`.
pub const SETTINGS: &[Choice] = &[
    Choice {
        key: "digits",
        default: DIGITS as u64,
        least: 1,
        most: MOST_DIGITS as u64,
        summary: "digits of a single result; 17 is exact",
        get: |settings| u64::from(settings.digits),
        put: |settings, value| settings.digits = value as u8,
    },
    Choice {
        key: "table-digits",
        default: TABLE_DIGITS as u64,
        least: 1,
        most: MOST_DIGITS as u64,
        summary: "digits in tables and pictures",
        get: |settings| u64::from(settings.table_digits),
        put: |settings, value| settings.table_digits = value as u8,
    },
    Choice {
        key: "table-rows",
        default: TABLE_ROWS as u64,
        least: 1,
        most: MOST_TABLE_ROWS as u64,
        summary: "rows of a text table, named nodes first",
        get: |settings| settings.text_rows as u64,
        put: |settings, value| settings.text_rows = value as usize,
    },
    Choice {
        key: "undo-steps",
        default: UNDO_STEPS as u64,
        least: 0,
        most: MOST_UNDO_STEPS as u64,
        summary: "changes that can be taken back",
        get: |settings| settings.undo_steps as u64,
        put: |settings, value| settings.undo_steps = value as usize,
    },
];

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            digits: DIGITS,
            table_digits: TABLE_DIGITS,
            text_rows: TABLE_ROWS,
            undo_steps: UNDO_STEPS,
        }
    }
}

impl Settings {
    /// `:digits N` and `--digits N`: single results and tables.
    pub fn set_digits(&mut self, digits: u8) {
        self.digits = digits;
        self.table_digits = digits;
    }

    /// The statements that make these settings again: all of them, or those that are not as they come.
    pub fn statements(&self, all: bool) -> String {
        let chosen = SETTINGS
            .iter()
            .filter(|choice| all || (choice.get)(self) != choice.default);
        chosen
            .map(|choice| format!(":config {} {};\n", choice.key, (choice.get)(self)))
            .collect()
    }
}

/// The setting with this key, or the key that is nearest.
pub fn choice(key: &str) -> Result<&'static Choice, Option<&'static str>> {
    let found = SETTINGS.iter().find(|choice| choice.key == key);
    found.ok_or_else(|| nearest(key, SETTINGS.iter().map(|choice| choice.key)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_agree_with_the_settings_they_speak_of() {
        let defaults = Settings::default();
        for row in SETTINGS {
            assert_eq!((row.get)(&defaults), row.default, "{}", row.key);
            assert!((row.least..=row.most).contains(&row.default), "{}", row.key);
            for value in [row.least, row.most] {
                let mut settings = defaults.clone();
                (row.put)(&mut settings, value);
                assert_eq!((row.get)(&settings), value, "{}", row.key);
                let others = SETTINGS.iter().filter(|other| other.key != row.key);
                for other in others {
                    assert_eq!((other.get)(&settings), other.default, "{}", row.key);
                }
            }
        }
        assert_eq!(defaults.statements(false), "");
        assert_eq!(defaults.statements(true).lines().count(), SETTINGS.len());
    }
}

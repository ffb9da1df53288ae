//! The settings, one row each. Changes of settings can be undone like all others.
//!
//! `:config`, its help and errors, the table in the manual, saved sessions and the init script all read [`SETTINGS`].
//! The views decide what a setting looks like on the screen.

use std::borrow::Cow;
use std::fmt;

use super::{Session, Write};
use chainrule_report::diagnostic::backtick_list;
use chainrule_report::diagnostic::suggest::nearest;

/// The default number of statements that can be undone.
pub const UNDO_STEPS: usize = 100;

/// The settings of a session: the value of each row of [`SETTINGS`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings([SettingValue; SETTINGS.len()]);

/// One setting: a row of [`SETTINGS`].
#[derive(Debug)]
pub struct SettingRow {
    /// The word after `:config`.
    pub key: &'static str,
    /// Which values it may have.
    pub kind: SettingKind,
    /// What it means.
    pub summary: &'static str,
}

/// Which values a setting may have, and its default.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SettingKind {
    /// A whole number between two bounds, both included, and the default.
    Count(u64, u64, u64),
    /// One of these words; the first is the default.
    Word(&'static [&'static str]),
}

/// The value of a setting.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SettingValue {
    /// A whole number.
    Count(u64),
    /// A word.
    Word(Cow<'static, str>),
}

impl SettingRow {
    /// Whether it concerns the person at the terminal rather than the session, so that `:save` does not store it: all
    /// settings that are words do.
    pub fn is_personal(&self) -> bool {
        matches!(self.kind, SettingKind::Word(_))
    }

    /// Its default.
    pub fn default(&self) -> SettingValue {
        match self.kind {
            SettingKind::Count(.., default) => SettingValue::Count(default),
            SettingKind::Word(words) => SettingValue::Word(words[0].into()),
        }
    }

    /// Whether this value is allowed.
    pub fn takes(&self, value: &SettingValue) -> bool {
        match (self.kind, value) {
            (SettingKind::Count(least, most, _), SettingValue::Count(count)) => {
                (least..=most).contains(count)
            }
            (SettingKind::Word(words), SettingValue::Word(word)) => words.contains(&&**word),
            _ => false,
        }
    }

    /// The allowed values, in words.
    pub fn allowed_values(&self) -> String {
        match self.kind {
            SettingKind::Count(least, most, _) => format!("a whole number from {least} to {most}"),
            SettingKind::Word(words) => format!("one of {}", backtick_list(words)),
        }
    }
}

impl fmt::Display for SettingValue {
    /// As it is typed.
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        match self {
            SettingValue::Count(count) => count.fmt(out),
            SettingValue::Word(word) => word.fmt(out),
        }
    }
}

const ON: &str = "on";
const OFF: &str = "off";

/// The default theme: colours that can be read on black and on white.
pub const THEME: &str = "terminal";
/// The names of the themes. The view knows their colours.
pub const THEMES: &[&str] = &[THEME, "dark", "light", "plain"];
/// The default keys of the prompt.
pub const EMACS: &str = "emacs";
/// The keys of vi.
pub const VI: &str = "vi";
/// The prompt.
pub const PROMPT: &str = "∂> ";

/// The largest seed: up to here every whole number is a 64-bit float.
pub const LARGEST_SEED: u64 = 1 << 53;
/// The keys of the seeds. [`Session::set_seed`] also goes to a place in the sequence.
pub const SEED: &str = "seed";
/// The key of numpy's seed, of which `moons` draws.
pub const NUMPY_SEED: &str = "numpy-seed";

/// With this many digits a number is shown exactly.
const MOST_DIGITS: u64 = 17;
/// The default number of rows of a text table.
pub const TABLE_ROWS: usize = 1_000;
/// The upper bound for the rows of a text table.
const MOST_TABLE_ROWS: u64 = 10_000_000;
/// The upper bound for the statements that can be undone.
const MOST_UNDO_STEPS: u64 = 100_000;

/// Every setting, in the order of `:config`.
pub const SETTINGS: &[SettingRow] = &[
    SettingRow {
        key: "digits",
        kind: SettingKind::Count(1, MOST_DIGITS, 12),
        summary: "digits of a single result; 17 is exact",
    },
    SettingRow {
        key: "table-digits",
        kind: SettingKind::Count(1, MOST_DIGITS, 6),
        summary: "digits in tables and pictures",
    },
    SettingRow {
        key: "table-rows",
        kind: SettingKind::Count(1, MOST_TABLE_ROWS, TABLE_ROWS as u64),
        summary: "rows of a text table, named nodes first",
    },
    SettingRow {
        key: "uncertainty",
        kind: SettingKind::Word(&[ON, OFF]),
        summary: "show the ± that follows for an answer",
    },
    SettingRow {
        key: "undo-steps",
        kind: SettingKind::Count(0, MOST_UNDO_STEPS, UNDO_STEPS as u64),
        summary: "changes that can be taken back",
    },
    SettingRow {
        key: SEED,
        kind: SettingKind::Count(0, LARGEST_SEED, 0),
        summary: "seed of the random numbers",
    },
    SettingRow {
        key: NUMPY_SEED,
        kind: SettingKind::Count(0, u32::MAX as u64, 0),
        summary: "seed of `moons`, as `np.random.seed`",
    },
    SettingRow {
        key: "theme",
        kind: SettingKind::Word(THEMES),
        summary: "colours; `terminal` suits dark and light",
    },
    SettingRow {
        key: "editing",
        kind: SettingKind::Word(&[EMACS, VI]),
        summary: "key bindings of the prompt",
    },
    SettingRow {
        key: "hint",
        kind: SettingKind::Word(&[ON, OFF]),
        summary: "show the result while you type",
    },
    SettingRow {
        key: "reading",
        kind: SettingKind::Word(&[OFF, ON]),
        summary: "show how a line was read",
    },
    SettingRow {
        key: "pager",
        kind: SettingKind::Word(&[ON, OFF]),
        summary: "show long answers a page at a time",
    },
];

impl Default for Settings {
    fn default() -> Settings {
        Settings(std::array::from_fn(|place| SETTINGS[place].default()))
    }
}

impl Settings {
    /// The value of the setting with this key.
    pub fn value(&self, key: &str) -> &SettingValue {
        &self.0[place(key)]
    }

    /// A setting that is a number.
    pub fn count(&self, key: &str) -> usize {
        match self.value(key) {
            SettingValue::Count(count) => *count as usize,
            SettingValue::Word(_) => 0,
        }
    }

    /// A setting that is a word.
    pub fn word(&self, key: &str) -> &str {
        match self.value(key) {
            SettingValue::Word(word) => word,
            SettingValue::Count(_) => "",
        }
    }

    /// A setting that is on or off.
    pub fn is_on(&self, key: &str) -> bool {
        self.word(key) == ON
    }

    /// Changes a setting to a value that it may have.
    pub fn set(&mut self, key: &str, value: SettingValue) {
        self.0[place(key)] = value;
    }

    /// Changes the setting at a place, and returns what it was.
    pub(super) fn swap(&mut self, place: usize, value: SettingValue) -> SettingValue {
        std::mem::replace(&mut self.0[place], value)
    }

    /// Sets the digits of results and of tables: `--digits N`.
    pub fn set_digits(&mut self, digits: u8) {
        for key in ["digits", "table-digits"] {
            self.set(key, SettingValue::Count(digits.into()));
        }
    }

    /// The statements that restore the settings that differ from their defaults: those of the session only, or all.
    pub fn statements(&self, of_session: bool) -> String {
        let chosen = SETTINGS.iter().filter(|choice| {
            *self.value(choice.key) != choice.default() && !(of_session && choice.is_personal())
        });
        chosen
            .map(|choice| {
                let value = self.value(choice.key);
                format!(":config {} {value};\n", choice.key)
            })
            .collect()
    }
}

impl Session {
    /// Changes a setting to a value that it may have.
    pub fn configure(&mut self, key: &str, value: SettingValue) {
        if *self.settings.value(key) != value {
            self.write(Write::Setting(place(key), value));
        }
    }
}

/// The row of the setting with this key.
fn place(key: &str) -> usize {
    let place = SETTINGS.iter().position(|choice| choice.key == key);
    place.expect("the program asks for settings that there are")
}

/// The setting with this key; the error is the nearest key.
pub fn find_setting(key: &str) -> Result<&'static SettingRow, Option<&'static str>> {
    let found = SETTINGS.iter().find(|choice| choice.key == key);
    found.ok_or_else(|| nearest(key, SETTINGS.iter().map(|choice| choice.key)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(text: &str) -> SettingValue {
        SettingValue::Word(text.to_string().into())
    }

    #[test]
    fn settings_take_what_they_may_be() {
        for row in SETTINGS {
            let (right, wrong) = match row.kind {
                SettingKind::Count(least, most, _) => (
                    vec![SettingValue::Count(least), SettingValue::Count(most)],
                    vec![SettingValue::Count(most + 1), text("on")],
                ),
                SettingKind::Word(words) => (
                    words.iter().map(|word| text(word)).collect(),
                    vec![SettingValue::Count(1), text("perhaps")],
                ),
            };
            for value in right.iter().chain([&row.default()]) {
                assert!(row.takes(value), "{} {value:?}", row.key);
            }
            for value in wrong {
                assert!(!row.takes(&value), "{} {value:?}", row.key);
            }
        }
        assert_eq!(Settings::default().statements(false), "");
    }
}

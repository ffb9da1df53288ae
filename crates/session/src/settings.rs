//! Defines the settings, one row for each, and keeps their values. A change of a setting can be undone.
//!
//! `:config`, its help and errors, the table in the manual, saved sessions and the init script all read [`SETTINGS`].
//! The views decide how a setting changes the screen.

use std::ops::RangeInclusive;

use self::SettingKind::{Count, Word};
use super::limits::{LARGEST_SEED, MOST_TABLE_ROWS, MOST_UNDO_STEPS, TABLE_ROWS, UNDO_STEPS};
use chainrule_program::random::{NUMPY_SEED, SEED};
use chainrule_report::count_text;
use chainrule_report::diagnostic::backtick_list;
use chainrule_report::diagnostic::suggest::nearest;

/// The settings that are seeds of random numbers.
pub const SEEDS: [&str; 2] = [SEED, NUMPY_SEED];

/// The settings of a session: the value of each row of [`SETTINGS`]. The value of a word is its index in the row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings([u64; SETTINGS.len()]);

/// One setting: a row of [`SETTINGS`].
#[derive(Debug)]
pub struct SettingRow {
    /// The word after `:config`.
    pub key: &'static str,
    /// The allowed values, and the default.
    pub kind: SettingKind,
    /// The meaning, in a few words.
    pub summary: &'static str,
}

/// The values that a setting may have, and its default.
#[derive(Debug)]
pub enum SettingKind {
    /// A whole number in this range, and the default.
    Count(RangeInclusive<u64>, u64),
    /// One of these words. The first is the default.
    Word(&'static [&'static str]),
}

impl SettingRow {
    /// Whether the setting belongs to the person at the terminal and not to the session. `:save` does not store such a
    /// setting. All settings that are words are personal.
    pub fn is_personal(&self) -> bool {
        matches!(self.kind, Word(_))
    }

    /// The default value.
    pub fn default(&self) -> u64 {
        match self.kind {
            Count(_, default) => default,
            Word(_) => 0,
        }
    }

    /// A value as typed.
    pub fn text(&self, value: u64) -> String {
        match self.kind {
            Count(..) => value.to_string(),
            Word(words) => words[value as usize].to_string(),
        }
    }

    /// The value that a word means.
    pub fn value_of(&self, word: &str) -> Option<u64> {
        match self.kind {
            Count(..) => None,
            Word(words) => Some(words.iter().position(|known| *known == word)? as u64),
        }
    }

    /// The allowed values, in words.
    pub fn allowed_values(&self) -> String {
        match &self.kind {
            Count(range, _) => {
                let most = count_text(*range.end());
                format!("a whole number from {} to {most}", range.start())
            }
            Word(words) => format!("one of {}", backtick_list(*words)),
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

/// The most digits of a number: 17 show every number exactly.
const MAX_DIGITS: u64 = 17;

const fn row(key: &'static str, kind: SettingKind, summary: &'static str) -> SettingRow {
    SettingRow { key, kind, summary }
}

/// Every setting, in the order of `:config`.
#[rustfmt::skip]
pub const SETTINGS: &[SettingRow] = &[
    row("digits",       Count(1..=MAX_DIGITS, 12),                       "digits of a single result; 17 is exact"),
    row("table-digits", Count(1..=MAX_DIGITS, 6),                        "digits in tables, pictures and errors"),
    row("table-rows",   Count(1..=MOST_TABLE_ROWS, TABLE_ROWS as u64),   "rows of a text table; named nodes come first"),
    row("uncertainty",  Word(&[ON, OFF]),                                "show the uncertainty (±) of a computed answer"),
    row("undo-steps",   Count(0..=MOST_UNDO_STEPS, UNDO_STEPS as u64),   "how many changes `:undo` can take back"),
    row(SEED,           Count(0..=LARGEST_SEED, 0),                      "seed of the random numbers"),
    row(NUMPY_SEED,     Count(0..=u32::MAX as u64, 0),                   "seed of `moons`, like `np.random.seed`"),
    row("theme",        Word(THEMES),                                    "colours; `terminal` suits dark and light"),
    row("editing",      Word(&[EMACS, VI]),                              "key bindings of the prompt"),
    row("hint",         Word(&[ON, OFF]),                                "show the live answer while you type"),
    row("reading",      Word(&[OFF, ON]),                                "show how the calculator read a line"),
];

impl Default for Settings {
    fn default() -> Settings {
        Settings(std::array::from_fn(|index| SETTINGS[index].default()))
    }
}

impl Settings {
    /// The value of the setting with this key.
    pub fn value(&self, key: &str) -> u64 {
        self.0[row_index(key)]
    }

    /// The value of a setting that is a number.
    pub fn count(&self, key: &str) -> usize {
        self.value(key) as usize
    }

    /// The word of a setting that is a word.
    pub fn word(&self, key: &str) -> &'static str {
        let index = row_index(key);
        match SETTINGS[index].kind {
            Count(..) => unreachable!("the program asks for the words of settings that are words"),
            Word(words) => words[self.0[index] as usize],
        }
    }

    /// Whether a setting is on that is on or off.
    pub fn is_on(&self, key: &str) -> bool {
        self.word(key) == ON
    }

    /// Changes a setting to a value that it may have.
    pub fn set(&mut self, key: &str, value: u64) {
        self.0[row_index(key)] = value;
    }

    /// Turns off a setting that is on or off.
    pub fn turn_off(&mut self, key: &str) {
        let found = SETTINGS[row_index(key)].value_of(OFF);
        let off = found.expect("the program turns off settings that have an `off`");
        self.set(key, off);
    }

    /// Exchanges the value of a row.
    pub(super) fn swap(&mut self, row_index: usize, value: &mut u64) {
        std::mem::swap(&mut self.0[row_index], value);
    }

    /// The statements that restore the settings that differ from their defaults: all of them, or only those that belong
    /// to the session and not to the person at the terminal.
    pub fn statements(&self, has_personal: bool) -> String {
        let rows = SETTINGS.iter().zip(self.0);
        rows.filter(|(row, value)| *value != row.default() && (has_personal || !row.is_personal()))
            .map(|(row, value)| format!(":config {} {};\n", row.key, row.text(value)))
            .collect()
    }
}

/// The index of the setting with this key in [`SETTINGS`].
pub(crate) fn row_index(key: &str) -> usize {
    let index = SETTINGS.iter().position(|row| row.key == key);
    index.expect("the program asks for settings that there are")
}

/// The setting with this key. The error is the most similar key, if any key is similar.
pub fn find_setting(key: &str) -> Result<&'static SettingRow, Option<&'static str>> {
    let found = SETTINGS.iter().find(|row| row.key == key);
    found.ok_or_else(|| nearest(key, SETTINGS.iter().map(|row| row.key)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_have_their_defaults() {
        for row in SETTINGS {
            if let Count(range, default) = &row.kind {
                assert!(range.contains(default), "{}", row.key);
            }
        }
        let mut settings = Settings::default();
        assert_eq!(settings.statements(true), "");
        assert_eq!(
            (settings.word("theme"), settings.is_on("reading")),
            (THEME, false)
        );
        settings.set("reading", 1);
        settings.set("seed", 7);
        assert_eq!(
            settings.statements(true),
            ":config seed 7;\n:config reading on;\n"
        );
        assert_eq!(settings.statements(false), ":config seed 7;\n");
    }
}

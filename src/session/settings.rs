//! The settings, one row each. Changes of settings can be undone like all others.
//!
//! `:config` with its help and errors, the table in the manual, saved sessions and the init script all read
//! [`SETTINGS`]. The views decide what a setting looks like on the screen.

use std::borrow::Cow;

use super::random::LARGEST_SEED;
use crate::diagnostic::listed;
use crate::diagnostic::suggest::nearest;

/// The default number of statements that can be undone.
pub const UNDO_STEPS: usize = 100;

/// The settings of a session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Significant digits of a single result.
    pub digits: u8,
    /// Significant digits in tables and pictures.
    pub table_digits: u8,
    /// The most rows a text table shows; named nodes come first. Commands ask [`super::Session::table_rows`].
    pub text_rows: usize,
    /// How many statements can be undone.
    pub undo_steps: usize,
    /// The seed of the random numbers. [`super::Session::set_seed`] also begins their sequence.
    pub seed: u64,
    /// The colours: one of [`THEMES`].
    pub theme: &'static str,
    /// The keys of the prompt: [`EMACS`] or [`VI`].
    pub editing: &'static str,
    /// Whether the result is shown while typing.
    pub hint: bool,
    /// Whether each expression is shown as it was read, before its value.
    pub reading: bool,
    /// Whether answers longer than the window are shown a page at a time.
    pub pager: bool,
    /// The text before the cursor.
    pub prompt: Cow<'static, str>,
}

/// One setting: a row of [`SETTINGS`].
#[derive(Debug)]
pub struct Choice {
    /// The word after `:config`.
    pub key: &'static str,
    /// Which values it may have.
    pub kind: SettingKind,
    /// It concerns the person at the terminal rather than the session, so `:save` does not store it.
    pub personal: bool,
    /// What it means.
    pub summary: &'static str,
    /// Reads it.
    pub get: fn(&Settings) -> SettingValue,
    /// Changes it. [`Choice::takes`] must have accepted the value.
    pub put: fn(&mut Settings, SettingValue),
}

/// Which values a setting may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SettingKind {
    /// A whole number between two bounds, both included.
    Count(u64, u64),
    /// One of these words.
    Word(&'static [&'static str]),
    /// Any text of at most this many characters.
    Text(usize),
}

/// The value of a setting.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SettingValue {
    /// A whole number.
    Count(u64),
    /// A word, or any text.
    Text(Cow<'static, str>),
}

impl SettingValue {
    const fn word(word: &'static str) -> SettingValue {
        SettingValue::Text(Cow::Borrowed(word))
    }

    fn of_flag(flag: bool) -> SettingValue {
        SettingValue::word(if flag { ON } else { OFF })
    }

    fn is_on(&self) -> bool {
        *self == SettingValue::word(ON)
    }

    fn count(&self) -> u64 {
        match self {
            SettingValue::Count(count) => *count,
            SettingValue::Text(_) => 0,
        }
    }

    fn text(self) -> Cow<'static, str> {
        match self {
            SettingValue::Count(count) => count.to_string().into(),
            SettingValue::Text(text) => text,
        }
    }
}

impl Choice {
    /// Its default.
    pub fn default(&self) -> SettingValue {
        (self.get)(&Settings::default())
    }

    /// Whether this value is allowed.
    pub fn takes(&self, value: &SettingValue) -> bool {
        match (self.kind, value) {
            (SettingKind::Count(least, most), SettingValue::Count(count)) => {
                (least..=most).contains(count)
            }
            (SettingKind::Word(words), SettingValue::Text(text)) => words.contains(&&**text),
            (SettingKind::Text(most), SettingValue::Text(text)) => {
                text.chars().count() <= most && !(text.contains('"') && text.contains('\''))
            }
            _ => false,
        }
    }

    /// The allowed values, in words.
    pub fn possible(&self) -> String {
        match self.kind {
            SettingKind::Count(least, most) => format!("a whole number from {least} to {most}"),
            SettingKind::Word(words) => format!("one of {}", listed(words)),
            SettingKind::Text(most) => format!("a text in quotes, of at most {most} characters"),
        }
    }

    /// A value as it is typed; texts stand in quotes.
    pub fn typed(&self, value: &SettingValue) -> String {
        match (self.kind, value) {
            (SettingKind::Text(_), SettingValue::Text(text)) if text.contains('"') => {
                format!("'{text}'")
            }
            (SettingKind::Text(_), SettingValue::Text(text)) => format!("\"{text}\""),
            (_, SettingValue::Text(text)) => text.to_string(),
            (_, SettingValue::Count(count)) => count.to_string(),
        }
    }
}

const ON: &str = "on";
const OFF: &str = "off";
const EDITING: &[&str] = &[EMACS, VI];
const SWITCH: SettingKind = SettingKind::Word(&[ON, OFF]);

/// The default theme: colours that can be read on black and on white.
pub const THEME: &str = "terminal";
/// The names of the themes. The view knows their colours.
pub const THEMES: &[&str] = &[THEME, "dark", "light", "plain"];
/// The default keys of the prompt.
pub const EMACS: &str = "emacs";
/// The keys of vi.
pub const VI: &str = "vi";
/// The default prompt.
pub const PROMPT: &str = "∂> ";
/// The longest prompt, in characters.
pub const LONGEST_PROMPT: usize = 32;

/// The key of the seed.
pub const SEED: &str = "seed";

/// The default number of significant digits of a single result.
pub const DIGITS: u8 = 12;
/// The default number of significant digits in tables.
pub const TABLE_DIGITS: u8 = 6;
/// With this many digits a number is shown exactly.
pub const MOST_DIGITS: u8 = 17;
/// The default number of rows of a text table.
pub const TABLE_ROWS: usize = 1_000;
/// The upper bound for the rows of a text table.
pub const MOST_TABLE_ROWS: usize = 10_000_000;
/// The upper bound for the statements that can be undone.
pub const MOST_UNDO_STEPS: usize = 100_000;

/// Every setting, in the order of `:config`.
pub const SETTINGS: &[Choice] = &[
    Choice {
        key: "digits",
        personal: false,
        kind: SettingKind::Count(1, MOST_DIGITS as u64),
        summary: "digits of a single result; 17 is exact",
        get: |settings| SettingValue::Count(settings.digits.into()),
        put: |settings, value| settings.digits = value.count() as u8,
    },
    Choice {
        key: "table-digits",
        personal: false,
        kind: SettingKind::Count(1, MOST_DIGITS as u64),
        summary: "digits in tables and pictures",
        get: |settings| SettingValue::Count(settings.table_digits.into()),
        put: |settings, value| settings.table_digits = value.count() as u8,
    },
    Choice {
        key: "table-rows",
        personal: false,
        kind: SettingKind::Count(1, MOST_TABLE_ROWS as u64),
        summary: "rows of a text table, named nodes first",
        get: |settings| SettingValue::Count(settings.text_rows as u64),
        put: |settings, value| settings.text_rows = value.count() as usize,
    },
    Choice {
        key: "undo-steps",
        personal: false,
        kind: SettingKind::Count(0, MOST_UNDO_STEPS as u64),
        summary: "changes that can be taken back",
        get: |settings| SettingValue::Count(settings.undo_steps as u64),
        put: |settings, value| settings.undo_steps = value.count() as usize,
    },
    Choice {
        key: SEED,
        personal: false,
        kind: SettingKind::Count(0, LARGEST_SEED),
        summary: "seed of the random numbers",
        get: |settings| SettingValue::Count(settings.seed),
        put: |settings, value| settings.seed = value.count(),
    },
    Choice {
        key: "theme",
        personal: true,
        kind: SettingKind::Word(THEMES),
        summary: "colours; `terminal` suits dark and light",
        get: |settings| SettingValue::word(settings.theme),
        put: |settings, value| settings.theme = known(THEMES, &value),
    },
    Choice {
        key: "editing",
        personal: true,
        kind: SettingKind::Word(EDITING),
        summary: "key bindings of the prompt",
        get: |settings| SettingValue::word(settings.editing),
        put: |settings, value| settings.editing = known(EDITING, &value),
    },
    Choice {
        key: "hint",
        personal: true,
        kind: SWITCH,
        summary: "show the result while you type",
        get: |settings| SettingValue::of_flag(settings.hint),
        put: |settings, value| settings.hint = value.is_on(),
    },
    Choice {
        key: "reading",
        personal: true,
        kind: SWITCH,
        summary: "show how a line was read",
        get: |settings| SettingValue::of_flag(settings.reading),
        put: |settings, value| settings.reading = value.is_on(),
    },
    Choice {
        key: "pager",
        personal: true,
        kind: SWITCH,
        summary: "show long answers a page at a time",
        get: |settings| SettingValue::of_flag(settings.pager),
        put: |settings, value| settings.pager = value.is_on(),
    },
    Choice {
        key: "prompt",
        personal: true,
        kind: SettingKind::Text(LONGEST_PROMPT),
        summary: "the text before the cursor",
        get: |settings| SettingValue::Text(settings.prompt.clone()),
        put: |settings, value| settings.prompt = value.text(),
    },
];

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            digits: DIGITS,
            table_digits: TABLE_DIGITS,
            text_rows: TABLE_ROWS,
            undo_steps: UNDO_STEPS,
            seed: 0,
            theme: THEME,
            editing: EMACS,
            hint: true,
            reading: false,
            pager: true,
            prompt: Cow::Borrowed(PROMPT),
        }
    }
}

/// The word of the list that equals the value.
fn known(words: &[&'static str], value: &SettingValue) -> &'static str {
    let same = |word: &&&'static str| *value == SettingValue::word(word);
    words.iter().find(same).copied().unwrap_or(words[0])
}

impl Settings {
    /// Sets the digits of results and of tables: `--digits N`.
    pub fn set_digits(&mut self, digits: u8) {
        self.digits = digits;
        self.table_digits = digits;
    }

    /// The statements that restore the settings that differ from their defaults: those of the session only, or all.
    pub fn statements(&self, of_session: bool) -> String {
        let chosen = SETTINGS.iter().filter(|choice| {
            (choice.get)(self) != choice.default() && !(of_session && choice.personal)
        });
        chosen
            .map(|choice| {
                let value = choice.typed(&(choice.get)(self));
                format!(":config {} {value};\n", choice.key)
            })
            .collect()
    }
}

/// The setting with this key; the error is the nearest key.
pub fn choice(key: &str) -> Result<&'static Choice, Option<&'static str>> {
    let found = SETTINGS.iter().find(|choice| choice.key == key);
    found.ok_or_else(|| nearest(key, SETTINGS.iter().map(|choice| choice.key)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_agree_with_their_settings() {
        let defaults = Settings::default();
        for row in SETTINGS {
            assert_eq!((row.get)(&defaults), row.default(), "{}", row.key);
            assert!(row.takes(&row.default()), "{}", row.key);
            let values = match row.kind {
                SettingKind::Count(least, most) => {
                    vec![SettingValue::Count(least), SettingValue::Count(most)]
                }
                SettingKind::Word(words) => {
                    words.iter().map(|word| SettingValue::word(word)).collect()
                }
                SettingKind::Text(most) => vec![
                    SettingValue::word(""),
                    SettingValue::Text("é".repeat(most).into()),
                ],
            };
            for value in values {
                assert!(row.takes(&value), "{}", row.key);
                let mut settings = defaults.clone();
                (row.put)(&mut settings, value.clone());
                assert_eq!((row.get)(&settings), value, "{}", row.key);
                let others = SETTINGS.iter().filter(|other| other.key != row.key);
                for other in others {
                    assert_eq!((other.get)(&settings), other.default(), "{}", row.key);
                }
            }
            let wrong = match row.kind {
                SettingKind::Count(_, most) => {
                    vec![SettingValue::Count(most + 1), SettingValue::word("on")]
                }
                SettingKind::Word(_) => vec![SettingValue::Count(1), SettingValue::word("perhaps")],
                SettingKind::Text(most) => {
                    vec![
                        SettingValue::Text("x".repeat(most + 1).into()),
                        SettingValue::word("\"'"),
                    ]
                }
            };
            for value in wrong {
                assert!(!row.takes(&value), "{} {value:?}", row.key);
            }
        }
        assert_eq!(defaults.statements(false), "");
    }
}

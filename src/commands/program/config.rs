//! `:config [KEY [VALUE]]`: lists settings, shows one, or changes one. `:config save` writes them into the init script.

use crate::command::args::suggestions::{Offers, Word};
use crate::command::prelude::*;
use crate::command::signatures::config::{DRAWN, KEY, SIGNATURE, VALUE};
use chainrule_report::diagnostic::suggest::did_you_mean;
use chainrule_session::settings::{SEEDS, SETTINGS, SettingKind, SettingRow, find_setting};

/// The word in place of a key that saves the settings for later sessions.
const SAVE: &str = "save";

/// The word for the default of a setting.
const DEFAULT: &str = "default";

/// The most random numbers that `drawn` skips. Skipping them takes some seconds.
const MOST_DRAWN: f64 = 1e9;

pub(crate) static COMMAND: Command = Command::new(
    SIGNATURE,
    run,
    &[(KEY, Offers::Words(keys)), (VALUE, Offers::Words(values))],
);

fn run(session: &mut Session, arguments: &Arguments) -> Result<Reply> {
    let Some((key, span)) = arguments.first_word(KEY) else {
        return Ok(Reply::show(settings_report(session, SETTINGS)));
    };
    if key == SAVE {
        return match arguments.first_word(VALUE) {
            Some((_, surplus)) => Err(arguments.surplus_word(surplus)),
            None => save(session, span),
        };
    }
    let row = find_setting(key).map_err(|near| {
        let keys = SETTINGS.iter().map(|row| row.key);
        let help = did_you_mean(near, || format!("there are {}", backtick_list(keys)));
        let error = Diagnostic::new(format!("there is no setting `{key}`"));
        error.at(span).help(help)
    })?;
    let Some(value) = value(session, arguments, row)? else {
        let only = std::slice::from_ref(row);
        return Ok(Reply::show(settings_report(session, only)));
    };
    let before = session.settings().value(row.key);
    let (old, new) = (row.text(before), row.text(value));
    let line = if before == value {
        say!("{:name}: {}", row.key, new)
    } else {
        say!("{:name}: {} → {}", row.key, old, new)
    };
    let facts = vec![
        ("key", Fact::Text(row.key.to_string())),
        ("before", cell(row, before).fact().into()),
        ("value", cell(row, value).fact().into()),
    ];
    change(session, arguments, row, value)?;
    Ok(Reply::show(Report::confirming(&COMMAND, facts, line)))
}

/// Changes a setting. A seed may say how many of its numbers are already drawn.
fn change(
    session: &mut Session,
    arguments: &Arguments,
    row: &SettingRow,
    value: u64,
) -> Result<()> {
    // A saved session leaves out the settings of the person at the terminal.
    if row.is_personal() {
        session.keeping().replace("");
    }
    let drawn = arguments.number(session, DRAWN)?;
    let is_seed = SEEDS.contains(&row.key);
    // Normal random numbers are made in pairs. Before the second of a pair, the count is a half more.
    let is_count = |it: f64| (0.0..=MOST_DRAWN).contains(&it) && (2.0 * it).fract() == 0.0;
    match drawn {
        None => session.configure(row.key, value, 0.0),
        Some((count, _)) if is_seed && is_count(count) => session.configure(row.key, value, count),
        Some((_, place)) => {
            let message =
                "`drawn` says how many numbers of a seed have been drawn, at most a billion";
            let help = "as in `:config seed 1 drawn 640`";
            return Err(Diagnostic::new(message).at(place).help(help));
        }
    }
    Ok(())
}

/// The keys, for completion.
fn keys(session: &Session, _: &[&str]) -> Vec<Word> {
    let row = |setting: &SettingRow| {
        let value = setting.text(session.settings().value(setting.key));
        let about = format!("= {value:<8}  {}", setting.summary);
        Word::new(setting.key, say!("{}", about))
    };
    let mut words: Vec<Word> = SETTINGS.iter().map(row).collect();
    let save = "keep the settings for later sessions";
    words.push(Word::new(SAVE, say!("{}", save)));
    words
}

/// The present value of a setting, its possible words, and its default, for completion.
fn values(session: &Session, given: &[&str]) -> Vec<Word> {
    let Some(setting) = given.first().and_then(|key| find_setting(key).ok()) else {
        return Vec::new();
    };
    let present = setting.text(session.settings().value(setting.key));
    let about = say!("the present value; {}", setting.allowed_values());
    let mut words = vec![Word::new(present, about)];
    if let SettingKind::Word(possible) = setting.kind {
        let word = |word: &&'static str| Word::new(*word, say!("{}", setting.summary));
        words.extend(possible.iter().map(word));
    }
    let default = setting.text(setting.default());
    words.push(Word::new(DEFAULT, say!("= {}", default)));
    words
}

/// Reads the new value of a setting, if one is given.
fn value(session: &mut Session, arguments: &Arguments, row: &SettingRow) -> Result<Option<u64>> {
    let Some((word, span)) = arguments.first_word(VALUE) else {
        return Ok(None);
    };
    if word == DEFAULT && session.names().find(DEFAULT).is_none() {
        return Ok(Some(row.default()));
    }
    let error = || {
        let (allowed, default) = (row.allowed_values(), row.text(row.default()));
        let help = format!("{allowed} is expected, or `{DEFAULT}`, which is {default}");
        let error = Diagnostic::new(format!("`{}` cannot be `{word}`", row.key));
        error.at(span).help(help)
    };
    match &row.kind {
        SettingKind::Count(range, _) => {
            // A word that is not even an expression gets the same error as a number that is not allowed.
            language::expression(arguments.text, span).map_err(|_| error())?;
            let number = arguments.number(session, VALUE)?;
            let (number, _) = number.expect("the argument is given");
            let is_allowed = (*range.start() as f64..=*range.end() as f64).contains(&number);
            if number.fract() != 0.0 || !is_allowed {
                return Err(error());
            }
            Ok(Some(number as u64))
        }
        SettingKind::Word(_) => {
            let unquoted = language::strip_quotes(word).unwrap_or(word);
            row.value_of(unquoted).map(Some).ok_or_else(error)
        }
    }
}

/// Makes the table of settings. For a single setting, a line with its allowed values follows.
fn settings_report(session: &Session, shown: &[SettingRow]) -> Report {
    let settings = session.settings();
    let mut rows = Vec::new();
    for setting in shown {
        rows.push(vec![
            Cell::Name(setting.key.to_string()),
            cell(setting, settings.value(setting.key)),
            cell(setting, setting.default()),
            Cell::Text(setting.allowed_values()),
            Cell::Text(setting.summary.to_string()),
        ]);
    }
    let columns = vec![
        Column::new("key", "key"),
        Column::new("value", "value"),
        Column::new("default", "default"),
        Column::machines("possible"),
        Column::new("meaning", "meaning").rank(1),
    ];
    let mut blocks = vec![Block::Table(Table::new("rows", columns, rows))];
    if let [only] = shown {
        blocks.push(Block::Line(say!("{:dim}", only.allowed_values())));
    }
    Report::new(&COMMAND, Vec::new(), blocks)
}

fn cell(row: &SettingRow, value: u64) -> Cell {
    match row.kind {
        SettingKind::Count(..) => Cell::Count(value),
        SettingKind::Word(_) => Cell::Text(row.text(value)),
    }
}

/// Writes the settings that differ from their defaults into the init script.
fn save(session: &Session, span: Span) -> Result<Reply> {
    let text = session.settings().statements(true);
    let kept = session.host().keep_settings(&text);
    let path = kept.map_err(|error| error.at(span))?;
    let count = text.lines().count();
    let subject = match count {
        0 => "all settings are at their defaults: none is".to_owned(),
        _ => plural(count, "setting"),
    };
    let sentence = say!("{} kept in {:typed}", subject, &path);
    let facts = vec![("saved", count.into()), ("path", path.into())];
    Ok(Reply::show(Report::confirming(&COMMAND, facts, sentence)))
}

//! `:config [KEY [VALUE]]`: lists settings, shows one, or changes one. `:config save` keeps them in the init script.

use crate::commands::args::suggestions::{Offers, Word};
use crate::commands::prelude::*;
use crate::commands::signatures::config::{DRAWN, KEY, SIGNATURE, VALUE};
use crate::session::settings::{NUMPY_SEED, SEED, SETTINGS, SettingKind, SettingRow, find_setting};
use chainrule_language::{self as language, Span};
use chainrule_report::diagnostic::backtick_list;
use chainrule_report::diagnostic::suggest::did_you_mean;
use chainrule_report::{Block, Cell, Column, Fact, Report, Table, plural, say};

/// The word for keeping the settings.
const SAVE: &str = "save";
/// The most random numbers that are passed over. That takes some seconds.
const MOST_DRAWN: f64 = 1e9;

/// The word for a setting's default.
const DEFAULT: &str = "default";

pub(crate) static COMMAND: Command = Command::new(
    SIGNATURE,
    run,
    &[(KEY, Offers::Words(keys)), (VALUE, Offers::Words(values))],
);

fn run(session: &mut Session, arguments: &Arguments) -> Result<Reply, Diagnostic> {
    let Some((key, span)) = arguments.word(KEY) else {
        return Ok(Reply::show(settings_report(session, SETTINGS)));
    };
    if key == SAVE {
        return match arguments.word(VALUE) {
            Some((_, surplus)) => Err(arguments.surplus_word(surplus)),
            None => save(session, span),
        };
    }
    let found = find_setting(key).map_err(|near| {
        let keys = SETTINGS.iter().map(|choice| choice.key);
        let help = did_you_mean(near, || format!("there are {}", backtick_list(keys)));
        Diagnostic::new(format!("there is no setting `{key}`"))
            .at(span)
            .help(help)
    })?;
    let Some(value) = value(session, arguments, found)? else {
        let report = settings_report(session, std::slice::from_ref(found));
        return Ok(Reply::show(report));
    };
    let before = session.settings().value(found.key);
    let (old, new) = (found.text(before), found.text(value));
    let line = if before == value {
        say!("{:name}: {}", found.key, new)
    } else {
        say!("{:name}: {} → {}", found.key, old, new)
    };
    let facts = vec![
        ("key", Fact::Text(found.key.to_string())),
        ("before", cell(found, before).fact().into()),
        ("value", cell(found, value).fact().into()),
    ];
    if found.is_personal() {
        session.keeping().replace("");
    }
    let drawn = arguments.number(session, DRAWN)?;
    let is_seed = [SEED, NUMPY_SEED].contains(&found.key);
    let is_count = |drawn| (0.0..=MOST_DRAWN).contains(&drawn) && (2.0 * drawn).fract() == 0.0;
    match drawn {
        None if is_seed => session.set_seed(found.key, value, 0.0),
        None => session.configure(found.key, value),
        Some((drawn, _)) if is_seed && is_count(drawn) => {
            session.set_seed(found.key, value, drawn);
        }
        Some((_, span)) => {
            let message =
                "`drawn` says how many numbers of a seed have been drawn, at most a billion";
            let help = "as in `:config seed 1 drawn 640`";
            return Err(Diagnostic::new(message).at(span).help(help));
        }
    }
    Ok(Reply::show(Report::confirming(COMMAND.name, facts, line)))
}

fn keys(session: &Session, _: &[&str]) -> Vec<Word> {
    let row = |choice: &SettingRow| {
        let value = choice.text(session.settings().value(choice.key));
        let about = format!("= {value:<8}  {}", choice.summary);
        Word::new(choice.key, say!("{}", about))
    };
    let mut words: Vec<Word> = SETTINGS.iter().map(row).collect();
    let save = "keep the settings in the init script";
    words.push(Word::new(SAVE, say!("{}", save)));
    words
}

/// The values of a setting, or a remark on the possible ones, and its default, for completion.
fn values(session: &Session, given: &[&str]) -> Vec<Word> {
    let Some(choice) = given.first().and_then(|key| find_setting(key).ok()) else {
        return Vec::new();
    };
    let present = choice.text(session.settings().value(choice.key));
    let about = say!("the present value; {}", choice.allowed_values());
    let mut words = vec![Word::new(present, about)];
    if let SettingKind::Word(possible) = choice.kind {
        let word = |word: &&'static str| Word::new(*word, say!("{}", choice.summary));
        words.extend(possible.iter().map(word));
    }
    let default = choice.text(choice.default());
    words.push(Word::new(DEFAULT, say!("= {}", default)));
    words
}

/// The requested value; an error if the setting does not allow it.
fn value(
    session: &mut Session,
    arguments: &Arguments,
    choice: &SettingRow,
) -> Result<Option<u64>, Diagnostic> {
    let Some((word, span)) = arguments.word(VALUE) else {
        return Ok(None);
    };
    if word == DEFAULT && session.names().find(DEFAULT).is_none() {
        return Ok(Some(choice.default()));
    }
    let error = || {
        let default = choice.text(choice.default());
        Diagnostic::new(format!("`{}` cannot be `{word}`", choice.key))
            .at(span)
            .help(format!(
                "{} is expected, or `{DEFAULT}`, which is {default}",
                choice.allowed_values()
            ))
    };
    match choice.kind {
        SettingKind::Count(least, most, _) => {
            // A word that is not even an expression gets the same error as a number that is not allowed.
            language::expression(arguments.text, span).map_err(|_| error())?;
            let Some((number, _)) = arguments.number(session, VALUE)? else {
                return Ok(None);
            };
            if number.fract() != 0.0 || !(least as f64..=most as f64).contains(&number) {
                return Err(error());
            }
            Ok(Some(number as u64))
        }
        SettingKind::Word(_) => {
            let word = language::strip_quotes(word).unwrap_or(word);
            choice.value_of(word).map(Some).ok_or_else(error)
        }
    }
}

fn settings_report(session: &Session, choices: &[SettingRow]) -> Report {
    let settings = session.settings();
    let row = |choice: &SettingRow| {
        vec![
            Cell::Name(choice.key.to_string()),
            cell(choice, settings.value(choice.key)),
            cell(choice, choice.default()),
            Cell::Text(choice.allowed_values()),
            Cell::Text(choice.summary.to_string()),
        ]
    };
    let columns = vec![
        Column::new("key", "key"),
        Column::new("value", "value"),
        Column::new("default", "default"),
        Column::machines("possible"),
        Column::new("meaning", "meaning").rank(1),
    ];
    let rows: Vec<_> = choices.iter().map(row).collect();
    let mut blocks = vec![Block::Table(Table::new("rows", columns, rows))];
    if let [one] = choices {
        blocks.push(Block::Line(say!("{:dim}", one.allowed_values())));
    }
    Report::new(COMMAND.name, Vec::new(), blocks)
}

fn cell(row: &SettingRow, value: u64) -> Cell {
    match row.kind {
        SettingKind::Count(..) => Cell::Count(value),
        SettingKind::Word(_) => Cell::Text(row.text(value)),
    }
}

/// Keeps the settings that differ from their defaults for later sessions.
fn save(session: &Session, span: Span) -> Result<Reply, Diagnostic> {
    let text = session.settings().statements();
    let path = session.host().keep_settings(&text);
    let path = path.map_err(|error| error.at(span))?;
    let count = text.lines().count();
    let sentence = match count {
        0 => say!(
            "all settings are at their defaults: none is kept in {:typed}",
            &path
        ),
        _ => say!("{} kept in {:typed}", plural(count, "setting"), &path),
    };
    let facts = vec![("saved", count.into()), ("path", path.into())];
    let report = Report::confirming(COMMAND.name, facts, sentence);
    Ok(Reply::show(report))
}

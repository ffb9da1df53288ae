//! The option `--set a=9`: the statement that first binds the name gets the given value instead of its own.
//!
//! The interpreter calls this after each statement that binds names. The new leaves are set as by `:set`, so a value
//! may be anything that `:set` takes. Later statements run as they are written.

use super::set;
use crate::commands::args::Arguments;
use crate::session::values::Value;
use crate::session::{GivenValue, Session};
use chainrule_language::Span;
use chainrule_report::diagnostic::Diagnostic;
use chainrule_report::{Note, say};

/// Sets the names that a statement has just bound to the values of the option. Nodes newer than `made` are those of the
/// statement.
pub(crate) fn apply_set_options(
    session: &mut Session,
    names: &[&str],
    made: u32,
    statement: Span,
) -> Result<Vec<Note>, Diagnostic> {
    let (mut notes, mut taken) = (Vec::new(), Vec::new());
    for &name in names {
        let Some(given) = session.given_value(name).cloned() else {
            continue;
        };
        let Some(value) = session.names().find(name).cloned() else {
            continue;
        };
        check_settable(session, &given, &value, made)
            .and_then(|()| set(session, &given))
            .map_err(|error| {
                let typed = format!(":set {name} ");
                let option = format!("--set {name}=");
                Diagnostic {
                    message: format!("`{option}{}`: {}", given.value, error.message),
                    help: error.help.map(|help| help.replace(&typed, &option)),
                    ..Diagnostic::default().at(statement)
                }
            })
            .map(|more| {
                notes.push(note_given(&given, &value));
                // The places of these notes are in the text of the option, so they are dropped.
                notes.extend(more.into_iter().map(|note| Note::new(note.message)));
            })?;
        session.save_after(&format!(":set {name} {};\n", given.value));
        taken.push(given);
    }
    for given in &taken {
        session.remove_given_value(given);
    }
    Ok(notes)
}

/// Refuses values whose leaves are not new: a leaf of another name would change with it.
fn check_settable(
    session: &Session,
    given: &GivenValue,
    value: &Value,
    made: u32,
) -> Result<(), Diagnostic> {
    let name = &given.name;
    if let Some(other) = value.nodes().iter().find(|node| node.id() <= made) {
        let label = session.label(other);
        let message = format!("`{name}` is bound to what is there already, `{label}`");
        return Err(Diagnostic::new(message).help(format!("give that a value: `--set {label}=…`")));
    }
    match value.nodes().iter().find(|node| !node.is_leaf()) {
        Some(node) => {
            let expression = session.expression(node);
            let message = format!("`{name}` is computed, from `{expression}`");
            Err(Diagnostic::new(message).help("a value can be given to a leaf, as in `a = 2`"))
        }
        None => Ok(()),
    }
}

/// Runs `:set NAME VALUE`.
fn set(session: &mut Session, given: &GivenValue) -> Result<Vec<Note>, Diagnostic> {
    let before = ":set ";
    let text = format!("{before}{} {}", given.name, given.value);
    let words = (
        Span::new(0, before.len()),
        Span::new(before.len(), text.len()),
    );
    let arguments = Arguments::parse(&set::COMMAND, &text, &text, words, true)?;
    Ok((set::COMMAND.run)(session, &arguments)?.notes)
}

/// The note `a is 9, as --set says`.
fn note_given(given: &GivenValue, value: &Value) -> Note {
    let name = given.name.as_str();
    Note::new(match value {
        Value::Node(node) => say!("{:name} is {}, as `--set` says", name, node.data()),
        Value::List(_) => say!("{:name} has the values that `--set` gives it", name),
    })
}

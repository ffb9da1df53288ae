//! Reads lines that leave signs out, as books do: `3 sin x` is `3*sin(x)`. `chainrule_language` writes the signs in; this
//! file says what the words of a line are.

use crate::command::args::Arguments;
use crate::command::{CommandTrait, signatures};
use crate::commands;
use chainrule_engine::ops;
use chainrule_language::{
    self as language, Statement, StatementSpan, SyntaxError, WordKind, Words,
};
use chainrule_program::Environment as _;
use chainrule_report::characters::is_letter_name;
use chainrule_session::Session;

/// A statement with its signs. `None` if none is missing, or they could be written in two ways.
pub(super) fn with_signs(
    session: &Session,
    statement: &str,
) -> Result<Option<String>, SyntaxError> {
    // The places in a statement of one line stay.
    let line = if statement.contains('\n') {
        language::one_line(statement)
    } else {
        statement.to_string()
    };
    if language::begins_command(&line) {
        return command_with_signs(session, &line);
    }
    write_signs(session, &line, None)
}

/// The line of a command whose first argument is a formula.
fn command_with_signs(session: &Session, line: &str) -> Result<Option<String>, SyntaxError> {
    let cut = StatementSpan::whole(line);
    let Ok(Statement::Command(typed)) = language::statement(line, &cut) else {
        return Ok(None);
    };
    let Some(command) = commands::find(typed.word)
        .ok()
        .filter(|it| it.has(CommandTrait::TakesAFormula))
    else {
        return Ok(None);
    };
    let Ok(arguments) = Arguments::parse(command, line, &cut, typed.span, typed.rest) else {
        return Ok(None);
    };
    let Some(formula) = arguments.span_of(command.arguments[0]) else {
        return Ok(None);
    };
    let letter = arguments
        .first_word(signatures::formula::WRT)
        .map(|(word, _)| word);
    let written = write_signs(session, formula.of(line), letter)
        .map_err(|error| error.behind(formula.start))?;
    Ok(written.map(|formula_with_signs| {
        let (before, after) = (
            &line[..formula.start as usize],
            &line[formula.end as usize..],
        );
        format!("{before}{formula_with_signs}{after}")
    }))
}

/// An expression, or a statement that is no command, with its signs. `letter` is that of a derivative.
pub(super) fn write_signs(
    session: &Session,
    text: &str,
    letter: Option<&str>,
) -> Result<Option<String>, SyntaxError> {
    let kind = |word: &str| kind(session, word);
    language::write_signs(
        text,
        &Words {
            kind: &kind,
            letter,
        },
    )
}

fn kind(session: &Session, word: &str) -> WordKind {
    let has_value = session.names().find(word).is_some();
    if !has_value && session.is_function(word) {
        let is_own = session.functions().get(word).is_some();
        return match ops::function(word, 1) {
            Some(op) if !is_own && op.arity() == (1, Some(1)) => WordKind::Operation(op.inverse()),
            _ => WordKind::Function,
        };
    }
    match word {
        _ if is_letter_name(word) => WordKind::Letter,
        _ if has_value || session.knows(word) => WordKind::Name,
        _ => WordKind::Unknown,
    }
}

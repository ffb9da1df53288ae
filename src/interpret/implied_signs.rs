//! Reads lines that leave signs out, as books do: `3 sin x` is `3*sin(x)`.

use crate::command::args::Arguments;
use crate::command::{CommandTrait, signatures};
use crate::commands;
use chainrule_language::{self as language, Statement, StatementSpan, SyntaxError};
use chainrule_session::Session;

/// A statement with its signs. `None` if none is missing, an error if they could be written in two ways.
pub(super) fn with_signs(
    session: &Session,
    statement: &str,
) -> Result<Option<String>, SyntaxError> {
    // Joining lines moves the places that errors point at, so one line is left as it is.
    let line = if statement.contains('\n') {
        language::one_line(statement)
    } else {
        statement.to_string()
    };
    if language::begins_command(&line) {
        return command_with_signs(session, &line);
    }
    session.write_signs(&line, None)
}

/// The line of a command whose first argument is a formula.
fn command_with_signs(session: &Session, line: &str) -> Result<Option<String>, SyntaxError> {
    let cut = StatementSpan::whole(line);
    if let Ok(Statement::Command(typed)) = language::statement(line, &cut)
        && let Ok(command) = commands::find(typed.word)
        && command.has(CommandTrait::TakesAFormula)
        && let Ok(arguments) = Arguments::parse(command, line, &cut, typed.span, typed.rest)
        && let Some(formula) = arguments.span_of(command.arguments[0])
    {
        let letter = arguments.first_word(signatures::formula::WRT);
        let written = session
            .write_signs(formula.of(line), letter.map(|(word, _)| word))
            .map_err(|error| error.behind(formula.start))?;
        let (before, after) = (
            &line[..formula.start as usize],
            &line[formula.end as usize..],
        );
        return Ok(written.map(|it| format!("{before}{it}{after}")));
    }
    Ok(None)
}

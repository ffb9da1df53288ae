//! Divides the text of an entry into statements and commands, and decides whether it can be answered again.

use crate::interpret::{command_of, is_answered_again};
use crate::shell::script::chunk::chunks;
use chainrule_language::{self as language, Statement, StatementSpan, Step, StepKind};

/// A longer entry is not answered again while a slider moves.
const MAX_STATEMENTS: usize = 200;

/// The statements of a text, which may have several lines.
pub(crate) fn statements(text: &str) -> Vec<String> {
    let all_chunks = chunks(text);
    let cuts = all_chunks.iter().flat_map(|chunk| {
        let cuts = language::statements(&chunk.text).flatten();
        cuts.map(move |cut| cut.span.of(&chunk.text).to_owned())
    });
    cuts.collect()
}

/// The commands in a text, by their full names.
pub(crate) fn commands_in(text: &str) -> Vec<&'static str> {
    let all = statements(text).into_iter();
    let typed = all.filter(|statement| language::begins_command(statement));
    let commands = typed.filter_map(|statement| command_of(&parse(&statement)?));
    commands.map(|command| command.name).collect()
}

/// Does a text only show numbers, so that it can be answered again? A definition shows none, and a loop may move leaves.
pub(crate) fn only_answers(text: &str) -> bool {
    let entered = statements(text);
    let parsed: Vec<Statement> = entered.iter().filter_map(|it| parse(it)).collect();
    let is_definition = |step: &Step| matches!(step.kind, StepKind::Define(_));
    let shows_number = |statement: &Statement| match statement {
        Statement::Command(_) => command_of(statement).is_some_and(is_answered_again),
        Statement::Binding(_) | Statement::Expression(_) => true,
        _ => false,
    };
    let can_be_repeated = |statement: &Statement| match statement {
        Statement::Block(steps) => steps.iter().all(is_definition),
        Statement::Step(step) => matches!(step, StepKind::Print { .. }),
        Statement::Empty => true,
        _ => shows_number(statement),
    };
    entered.len() <= MAX_STATEMENTS
        && parsed.iter().all(can_be_repeated)
        && parsed.iter().any(shows_number)
}

/// Does a text show the last pass?
pub(crate) fn shows_pass(text: &str) -> bool {
    let commands = commands_in(text);
    commands.iter().any(|name| ["graph", "vars"].contains(name))
}

fn parse(statement: &str) -> Option<Statement> {
    language::statement(statement, &StatementSpan::whole(statement)).ok()
}

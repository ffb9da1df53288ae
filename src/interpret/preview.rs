//! The live result: what the line would answer if the user pressed Enter now.
//!
//! The line is really run, in a trial that is undone afterwards, so the preview agrees with the real answer. The
//! caller's host stops it when it takes too long; then, and after an error, there is no answer.

use std::rc::Rc;

use super::answers::is_plain;
use super::implied_signs::with_signs;
use super::other_meanings::leading_operator;
use super::{StatementRun, command_of};
use crate::command::{Command, CommandTrait, Effect, Reply};
use crate::commands::{self, FORMULA};
use chainrule_language::{self as language, Statement, StatementSpan};
use chainrule_program::Environment as _;
use chainrule_report::{Block, Line, Report, ReportKind, join, say};
use chainrule_session::{Host, Session, TrialOf};

/// A longer line has no preview: a preview is computed at each key.
pub(crate) const MOST_BYTES: usize = 4 * 1024;

/// A session with more nodes than this has no preview: copying a list of all of them cannot be stopped half-way.
const MOST_NODES: u32 = 1 << 20;

/// A session with more nodes than this has no preview of commands, which may look at all of them.
const MOST_NODES_OF_COMMANDS: u32 = 20_000;

/// A statement that calls functions of several lines has no preview if it makes more nodes than this: a block may run
/// for long.
const MOST_NODES_OF_CALLS: u32 = 10_000;

/// What Enter would do.
#[derive(Debug, Default)]
pub struct Preview {
    /// Whether every statement of the line has run without an error.
    pub has_run: bool,
    /// The result of the last statement, if it is worth showing.
    pub answer: Option<Line>,
}

/// Tries a line.
pub fn preview(session: &mut Session, text: &str, host: Rc<dyn Host>) -> Preview {
    if text.len() > MOST_BYTES || session.newest_id() > MOST_NODES {
        return Preview::default();
    }
    let spans: Result<Vec<StatementSpan>, _> = language::statements(text).collect();
    let cuts = spans.unwrap_or_default();
    let is_filled = |cut: &&StatementSpan| !cut.span.of(text).trim().is_empty();
    let are_tried =
        |last: &&StatementSpan| cuts.iter().all(|cut| is_tried(session, text, cut, last));
    let Some(last) = cuts.iter().rfind(is_filled).filter(are_tried) else {
        return Preview::default();
    };
    let mut tried = run_in_trial(session, text, &cuts, host);
    if last.is_silenced || is_plain(last.span.of(text)) {
        tried.answer = None;
    }
    tried
}

/// Runs the statements and takes them back.
fn run_in_trial(
    session: &mut Session,
    text: &str,
    cuts: &[StatementSpan],
    host: Rc<dyn Host>,
) -> Preview {
    let usual = session.set_host(host);
    // The `±` of a computed answer would take a pass.
    let uncertainty = session.settings().value("uncertainty");
    session.settings_mut().turn_off("uncertainty");
    session.program_mut().most_nodes_of_calls = Some(MOST_NODES_OF_CALLS);
    session.begin_trial(TrialOf::Lines);
    let mut tried = Preview {
        has_run: true,
        answer: None,
    };
    for statement in cuts {
        // The answer of a command is too long for a preview. After `:set`, the new value of the root is shown.
        let parsed = language::statement(text, statement).ok();
        let command = parsed.as_ref().and_then(command_of);
        let mut silenced = *statement;
        silenced.is_silenced |= command.is_some();
        let cut = &silenced;
        let done = StatementRun { session, text, cut }.run_statement();
        // Whether a file can be loaded shows only when it is.
        let loads = |reply: &Reply| matches!(reply.effect.as_deref(), Some(Effect::Load(_)));
        let Some(reply) = done.ok().filter(|reply| !loads(reply)) else {
            tried = Preview::default();
            break;
        };
        if command.is_some_and(is_set) {
            tried.answer = root_value(session);
        } else if let Some(report) = &reply.report {
            tried.answer = values_line(report).or_else(|| derivatives_line(report));
        }
    }
    session.end_trial(None);
    session.program_mut().most_nodes_of_calls = None;
    session.settings_mut().set("uncertainty", uncertainty);
    session.set_host(usual);
    tried
}

fn is_set(command: &Command) -> bool {
    command.has(CommandTrait::SetsLeaves)
}

/// Whether a statement is cheap to run and to undo.
fn is_tried(session: &Session, text: &str, cut: &StatementSpan, last: &StatementSpan) -> bool {
    match language::statement(text, cut) {
        Ok(Statement::Command(command)) => commands::find(command.word).is_ok_and(|found| {
            session.newest_id() <= MOST_NODES_OF_COMMANDS && (is_set(found) || cut == last)
        }),
        Ok(Statement::Step(_)) => false,
        Ok(_) => true,
        Err(_) => {
            let statement = cut.span.of(text);
            let is_read = || matches!(with_signs(session, statement), Ok(Some(_)));
            leading_operator(statement).is_some() || is_read()
        }
    }
}

/// The preview of values: `= -8`, `= 2, -3`. It has no lists.
fn values_line(report: &Report) -> Option<Line> {
    let values = report.values().filter(|named| !named.value.is_list());
    let numbers = join(values.map(|named| vec![named.value.piece()]), ", ");
    (!numbers.is_empty()).then(|| say!("= {}", numbers))
}

/// The preview of a look at letters: the derivatives below its formula, or `= 3*x^2` for `f'(x)`.
fn derivatives_line(report: &Report) -> Option<Line> {
    let is_look = report.kind == ReportKind::from(&FORMULA);
    let lines = report.blocks.iter().filter_map(|block| match block {
        Block::Line(line) => Some(line.clone()),
        _ => None,
    });
    let lines: Vec<Line> = lines.filter(|_| is_look).collect();
    match &lines[..] {
        [] => None,
        [formula] => Some(say!("= {}", formula.clone())),
        [_, derivatives @ ..] => Some(join(derivatives.iter().cloned(), ", ")),
    }
}

/// The preview of a change: `L = -12`, the value of the root, which depends on the changed leaves.
fn root_value(session: &Session) -> Option<Line> {
    let root = session.target_node(session.targets().moved()?)?;
    Some(say!("{:name} = {}", session.label(&root), root.data()))
}

//! Runs one statement: text in, a reply or a diagnostic out.
//!
//! Parses the statement, passes commands to `commands` and everything else to the session, and reports the result.
//! Knows neither the views nor the shell.

mod completion;
mod highlight;
mod lecture;
mod preview;
mod python;

pub use self::completion::{Candidate, Completions, Files, MOST_CANDIDATES, SIGNS, completions};
pub use self::highlight::{MOST_BYTES as MOST_HIGHLIGHTED, TokenStyle, highlight};
pub use self::lecture::MAX_LABEL;
pub use self::preview::preview;

use crate::commands;
use crate::commands::args::Arguments;
use crate::commands::look::{funcs, watch};
use crate::commands::{Reply, UnknownCommand};
use crate::diagnostic::{Diagnostic, listed};
use crate::report::{Block, Fact, Line, Note, Piece, Report, say};
use crate::session;
use crate::session::{Bound, Session};
use crate::stop;
use crate::syntax;
use crate::syntax::{
    Binding, CommandLine, Cut, Definition, Expression, Head, Item, ItemKind, Lecture, Statement,
};

/// Runs one statement of a text and updates the watched values. A statement that fails leaves no trace, not even in the
/// ids of later nodes.
pub fn statement(session: &mut Session, text: &str, cut: &Cut) -> Result<Reply, Diagnostic> {
    let mut done = run_alone(session, text, cut);
    if let Ok(reply) = &mut done {
        reply.watched = watch::watched(session, reply.report.as_ref());
    }
    if cfg!(debug_assertions) {
        session.audit_in_turn();
    }
    done
}

fn run_alone(session: &mut Session, text: &str, cut: &Cut) -> Result<Reply, Diagnostic> {
    let made = session.made();
    // Modified in place, because a reply is large and would be moved for every statement.
    let mut done = read_and_run(session, text, cut);
    match &mut done {
        Ok(reply) => {
            if session.end_overtaken_walk() {
                reply.notes.push(Note::new(say!(
                    "the walk has ended: data changed under it; `:walk` starts anew"
                )));
            }
            commands::program::tour::look(session, reply);
        }
        Err(error) => {
            session.rewind(made);
            // For a line that is Python, or a command without its colon, that advice helps more than the syntax error.
            if let Some(advice) = python::advice(session, text, cut, error) {
                *error = advice;
            }
        }
    }
    done
}

fn read_and_run(session: &mut Session, text: &str, cut: &Cut) -> Result<Reply, Diagnostic> {
    let parsed = syntax::statement(text, cut).map_err(|error| session.explain(&error))?;
    match parsed {
        Statement::Empty => Ok(Reply::default()),
        Statement::Command(command) => run(session, text, cut, &command),
        Statement::Binding(binding) => bind(session, text, cut, &binding),
        Statement::Definition(definition) => define(session, text, cut, &definition),
        Statement::Lecture(lecture) => lecture::run(session, text, cut, lecture),
        Statement::Expression(expression) => match python_statement(session, text, &expression)? {
            Some(lecture) => lecture::run(session, text, cut, lecture),
            None => evaluate(session, text, cut, &expression),
        },
    }
}

/// Recognizes an expression that is a statement in Python's spelling, `L.backward()` or `print(L)`, unless the user has
/// defined a function of that name.
fn python_statement<'t>(
    session: &Session,
    text: &'t str,
    expression: &Expression<'t>,
) -> Result<Option<Lecture<'t>>, Diagnostic> {
    let Some(Item {
        kind: ItemKind::Apply(Head::Function(name @ ("print" | "backward"), 0), _),
        ..
    }) = expression.items.last()
    else {
        return Ok(None);
    };
    if session.is_function(name) {
        return Ok(None);
    }
    let lecture = syntax::called(text, expression).transpose();
    lecture.map_err(|error| session.explain(&error))
}

/// Did a statement fail only because it calls `Value(2.0)`? It is first run as it is, so that a function `Value` of the
/// user takes precedence, and is run again with `Value` removed only after this error.
fn wants_unwrapping(error: &session::Error) -> bool {
    matches!(error, session::Error::UnknownFunction(name, _) if name == "Value")
}

/// How many bytes after a binding are searched for another binding of the same name.
const LOOKAHEAD: usize = 4_096;

fn bind(
    session: &mut Session,
    text: &str,
    cut: &Cut,
    binding: &Binding,
) -> Result<Reply, Diagnostic> {
    let paste = session.paste();
    let next = |name: &str| {
        let rest = &text[cut.span.end as usize..];
        // Limited, so that a line of a million statements is not read to its end for each of them.
        let rest = &rest[..rest.floor_char_boundary(LOOKAHEAD)];
        binding.targets.iter().any(|target| target.name == name)
            || paste.binds(name, bound_names)
            || bound_names(rest).iter().any(|bound| bound == name)
    };
    let statement = cut.span.of(text);
    let bound = match session.bind(text, statement, binding, next) {
        Err(error) if wants_unwrapping(&error) => {
            let binding = Binding {
                frozen: binding.frozen,
                targets: binding.targets.clone(),
                compound: binding.compound,
                values: binding.values.iter().map(syntax::unwrapped).collect(),
            };
            session.bind(text, statement, &binding, next)
        }
        bound => bound,
    };
    let (nodes, notes) = bound?;
    if let Some(last) = nodes.last() {
        session.point_at(last, !cut.silenced);
    }
    let report = (!cut.silenced).then(|| bindings(session, binding, &nodes));
    Ok(Reply {
        report,
        notes,
        ..Reply::default()
    })
}

fn define(
    session: &mut Session,
    text: &str,
    cut: &Cut,
    definition: &Definition,
) -> Result<Reply, Diagnostic> {
    let (function, notes) = session.define(text, cut.span.of(text), definition)?;
    let report = (!cut.silenced).then(|| funcs::defined(&function));
    Ok(Reply {
        report,
        notes,
        ..Reply::default()
    })
}

fn bound_names(text: &str) -> Vec<String> {
    let mut names = Vec::new();
    for cut in syntax::statements(text).filter_map(Result::ok) {
        match syntax::statement(text, &cut) {
            Ok(Statement::Binding(binding)) => {
                names.extend(binding.targets.iter().map(|target| target.name.to_string()));
            }
            Ok(Statement::Lecture(Lecture::Value { target, .. })) => {
                names.push(target.name.to_string());
            }
            _ => {}
        }
    }
    names
}

/// The report of a binding: `a = 2, b = -3`
fn bindings(session: &Session, binding: &Binding, nodes: &Bound) -> Report {
    let names = session.names();
    let mut line = Line::with_capacity(4 * nodes.len());
    let mut facts = Vec::with_capacity(nodes.len());
    for (target, node) in binding.targets.iter().zip(nodes) {
        // The name as stored, which may differ from the spelling in the text.
        let name = names
            .id(target.name)
            .map_or(target.name, |id| names.name(id));
        if !line.is_empty() {
            line.push(Piece::plain(", "));
        }
        line.extend([Piece::name(name), Piece::plain(" = ")]);
        line.extend(read_as(session.reading(node)));
        line.push(Piece::Number(node.data()));
        facts.push(Fact::Record(vec![
            ("name", Fact::Text(name.to_string())),
            ("data", Fact::Number(node.data())),
        ]));
    }
    Report::done("binding", vec![("bindings", Fact::List(facts))], line)
}

fn evaluate(
    session: &mut Session,
    text: &str,
    cut: &Cut,
    expression: &Expression,
) -> Result<Reply, Diagnostic> {
    let (node, notes) = match session.evaluate(text, expression) {
        Err(error) if wants_unwrapping(&error) => {
            session.evaluate(text, &syntax::unwrapped(expression))
        }
        evaluated => evaluated,
    }?;
    let data = node.data();
    session.point_at(&node, !cut.silenced);
    let reading = read_as(session.reading(&node));
    let number = session.answer(node);
    let report = (!cut.silenced).then(|| {
        Report::new(
            "value",
            vec![("data", Fact::Number(data))],
            vec![Block::Line(result(session, number, reading, data))],
        )
    });
    Ok(Reply {
        report,
        notes,
        ..Reply::default()
    })
}

/// The report of an expression: `14`, or `$3 = 14` if results are numbered.
fn result(session: &Session, number: u64, reading: Line, data: f64) -> Line {
    let mut line = Line::new();
    if session.numbered {
        line.push(Piece::dim(format!("${number} = ")));
    }
    line.extend(reading);
    line.push(Piece::Number(data));
    line
}

/// `3*x^2 = `, if the user wants to see how the line was parsed.
fn read_as(reading: Option<String>) -> Line {
    let pieces = reading.map(|reading| say!("{:formula} = ", reading));
    pieces.unwrap_or_default()
}

fn run(
    session: &mut Session,
    text: &str,
    cut: &Cut,
    command: &CommandLine,
) -> Result<Reply, Diagnostic> {
    let found = commands::find(command.word).map_err(|unanswered| unknown(command, unanswered))?;
    let words = (command.span, command.rest);
    let arguments = Arguments::cut(found, text, cut.span.of(text), words, cut.silenced)?;
    let reply = carry_out(session, found, &arguments)?;
    Ok(if cut.silenced {
        Reply {
            report: None,
            more: Vec::new(),
            ..reply
        }
    } else {
        reply
    })
}

/// Runs a command. If it is interrupted, everything it did is undone.
fn carry_out(
    session: &mut Session,
    command: &commands::Command,
    arguments: &Arguments,
) -> Result<Reply, Diagnostic> {
    let mark = session.mark();
    let host = session.host();
    let work = || (command.run)(session, arguments);
    let Ok(done) = stop::interruptible(move || host.stop(), work) else {
        session.return_to(mark);
        return Err(session::Error::Interrupted.into());
    };
    let mut reply = done?;
    reply.mark = Some(Box::new(mark));
    Ok(reply)
}

fn unknown(command: &CommandLine, unanswered: UnknownCommand) -> Diagnostic {
    let word = command.word;
    match unanswered {
        UnknownCommand::Ambiguous(names) => {
            let listed = listed(names.iter().map(|name| format!(":{name}")));
            Diagnostic::new(format!("`:{word}` begins several commands"))
                .at(command.span)
                .help(format!("which one: {listed}?"))
        }
        UnknownCommand::Unknown(near) => {
            let help = near.map_or_else(
                || "`:help` lists the commands there are".to_string(),
                |near| format!("did you mean `:{near}`?"),
            );
            Diagnostic::new(format!("unknown command `:{word}`"))
                .at(command.span)
                .help(help)
        }
    }
}

/// The error for a text that could not be split into statements.
pub fn cut_error(error: syntax::SyntaxError) -> Diagnostic {
    Diagnostic::from(error)
}

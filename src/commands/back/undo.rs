//! `:undo [N]` undoes changes, the newest first, `:redo [N]` applies undone changes again, and `:log` lists both, each with
//! the N that reaches it.
//!
//! The session's journal keeps the changes and carries out each step; this file counts the steps and reports them.

use crate::command::prelude::*;
use crate::command::signatures::{log, redo, undo};

pub(crate) static COMMAND: Command = Command::new(undo::SIGNATURE, undo_or_redo, &[]);

pub(crate) static REDO: Command = Command::new(redo::SIGNATURE, undo_or_redo, &[]);

pub(crate) static LOG: Command = Command::new(log::SIGNATURE, list, &[]);

/// Undoes or redoes N changes, or all if there are fewer.
fn undo_or_redo(session: &mut Session, arguments: &Arguments) -> Result<Reply> {
    let is_undo = arguments.command.name == COMMAND.name;
    let (number, participle) = if is_undo {
        (undo::N, "undone")
    } else {
        (redo::N, "redone")
    };
    // The setting may be 0, but N is at least 1.
    let most = session.settings().count("undo-steps").max(1);
    let count = arguments.count(session, number, most as u64)?.unwrap_or(1);
    let mut texts = Vec::new();
    let mut is_interrupted = false;
    for _ in 0..count {
        // Ctrl-C counts only after the first change, so an interrupted reply has at least one change to report.
        is_interrupted = !texts.is_empty() && session.host().stop();
        if is_interrupted {
            break;
        }
        let changed = if is_undo {
            session.undo()
        } else {
            session.redo()
        };
        match changed {
            Some(text) => texts.push(text),
            None if texts.is_empty() => {
                let nothing = format!("nothing to {}", arguments.command.name);
                let help = "`:log` lists all changes";
                return Err(Diagnostic::new(nothing).at(arguments.name_span).help(help));
            }
            None => break,
        }
    }
    let line = |text: &str| Block::Line(say!("{}: {:typed}", participle, text));
    let mut blocks: Vec<Block> = texts.iter().map(|text| line(text)).collect();
    if is_interrupted {
        blocks.push(Block::Line(dim(say!(
            "{} of {}, then interrupted: the others stay as they were",
            texts.len(),
            count
        ))));
    } else if (texts.len() as u64) < count {
        blocks.push(Block::Line(dim(say!("that was all there is"))));
    }
    let facts = vec![(participle, texts.iter().map(|text| &**text).collect())];
    let report = Report {
        is_confirmation: !is_interrupted,
        ..Report::new(arguments.command, facts, blocks)
    };
    Ok(Reply {
        is_interrupted,
        ..Reply::show(report)
    })
}

fn list(session: &mut Session, _: &Arguments) -> Result<Reply> {
    let journal = session.journal();
    let count = journal.undoable().len();
    let undoable = journal.undoable().enumerate();
    let undo_rows = undoable.map(|(index, entry)| row("undo", count - index, &entry.text));
    let redoable = journal.redoable().enumerate();
    let redo_rows = redoable.map(|(index, text)| row("redo", index + 1, text));
    let rows: Vec<_> = undo_rows.chain(redo_rows).collect();
    let mut blocks = Vec::new();
    let forgotten = journal.forgotten;
    if forgotten > 0 {
        blocks.push(Block::Line(dim(say!(
            "{} can no longer be taken back",
            plural(forgotten as usize, "older change")
        ))));
    }
    if rows.is_empty() {
        blocks.push(Block::Line(say!("no changes yet")));
    }
    // The keys are for JSON. People see no headings, because each row reads as the command to type: `undo 2`.
    let columns = ["way", "number", "statement"].map(|key| Column::new(key, ""));
    blocks.push(Block::Table(Table::new("rows", columns.into(), rows)));
    Ok(Reply::show(Report::new(&LOG, Vec::new(), blocks)))
}

fn row(command: &str, steps: usize, text: &str) -> Vec<Cell> {
    vec![
        Cell::Dim(command.to_string()),
        Cell::Count(steps as u64),
        Cell::Text(text.to_string()),
    ]
}

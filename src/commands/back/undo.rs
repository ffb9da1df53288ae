//! `:undo [N]` undoes changes, the newest first, and `:redo [N]` applies them again.
//!
//! The session's journal has the changes.

use crate::commands::args::Argument;
use crate::commands::prelude::*;
use crate::commands::signatures::{redo, undo};
use chainrule_report::{Block, Report, dim, say};

pub(crate) static COMMAND: Command = Command::new(
    undo::SIGNATURE,
    |session, arguments| undo_or_redo(session, arguments, undo::N, Session::undo, "undone"),
    &[],
);

pub(crate) static REDO: Command = Command::new(
    redo::SIGNATURE,
    |session, arguments| undo_or_redo(session, arguments, redo::N, Session::redo, "redone"),
    &[],
);

/// Undoes or redoes N changes, or all if there are fewer. `change` does it for one and returns its text.
fn undo_or_redo(
    session: &mut Session,
    arguments: &Arguments,
    number: &Argument,
    change: fn(&mut Session) -> Option<Box<str>>,
    done: &'static str,
) -> Result<Reply, Diagnostic> {
    let most = session.settings().count("undo-steps").max(1);
    let count = arguments.count(session, number, most as u64)?.unwrap_or(1);
    let mut texts = Vec::new();
    let mut interrupted = false;
    for _ in 0..count {
        interrupted = !texts.is_empty() && session.host().stop();
        if interrupted {
            break;
        }
        match change(session) {
            Some(text) => texts.push(text),
            None if texts.is_empty() => {
                let nothing = format!("nothing to {}", arguments.command.name);
                return Err(Diagnostic::new(nothing)
                    .at(arguments.word)
                    .help("`:log` lists all changes"));
            }
            None => break,
        }
    }
    let line = |text: &str| Block::Line(say!("{}: {:typed}", done, text));
    let mut blocks: Vec<Block> = texts.iter().map(|text| line(text)).collect();
    if interrupted {
        blocks.push(Block::Line(dim(say!(
            "{} of {}, then interrupted: the others stay as they were",
            texts.len(),
            count
        ))));
    } else if (texts.len() as u64) < count {
        blocks.push(Block::Line(dim(say!("that was all there is"))));
    }
    let facts = vec![(done, texts.iter().map(|text| &**text).collect())];
    let report = Report {
        is_confirmation: !interrupted,
        ..Report::new(arguments.command.name, facts, blocks)
    };
    Ok(Reply {
        is_interrupted: interrupted,
        ..Reply::show(report)
    })
}

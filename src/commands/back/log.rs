//! `:log`: lists the statements that can be undone or redone, each with the N of `:undo N` or `:redo N` that reaches it.

use crate::commands::prelude::*;
use crate::commands::signatures::log::SIGNATURE;
use chainrule_report::{dim, plural};

pub(crate) static COMMAND: Command = Command::new(SIGNATURE, run, &[]);

fn run(session: &mut Session, _: &Arguments) -> Result<Reply, Diagnostic> {
    let journal = session.journal();
    let count = journal.undoable().len();
    let mut rows = Vec::new();
    for (index, entry) in journal.undoable().enumerate() {
        rows.push(row("undo", count - index, &entry.text));
    }
    for (index, text) in journal.redoable().enumerate() {
        rows.push(row("redo", index + 1, text));
    }
    let mut blocks = Vec::new();
    let forgotten = journal.forgotten_count();
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
    Ok(Reply::show(Report::new("log", Vec::new(), blocks)))
}

fn row(command: &str, steps: usize, text: &str) -> Vec<Cell> {
    vec![
        Cell::Dim(command.to_string()),
        Cell::Count(steps as u64),
        Cell::Text(text.to_string()),
    ]
}

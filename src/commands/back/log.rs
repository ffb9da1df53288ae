//! `:log`: lists the statements that can be undone or redone, and how many steps away each is.

use crate::commands::prelude::*;
use crate::commands::signatures::log::SIGNATURE;
use chainrule_report::{Block, Cell, Column, Report, Table, dim, plural, say};

pub(crate) static COMMAND: Command = Command::new(SIGNATURE, run, &[]);

fn run(session: &mut Session, _: &Arguments) -> Result<Reply, Diagnostic> {
    let journal = session.journal();
    let count = journal.undoable().len();
    let row = |way: &str, number: usize, text: &str| {
        vec![
            Cell::Dim(way.to_string()),
            Cell::Count(number as u64),
            Cell::Text(text.to_string()),
        ]
    };
    let undo = journal.undoable().enumerate();
    let undo = undo.map(|(place, entry)| row("undo", count - place, &entry.text));
    let redo = journal.redoable().enumerate();
    let redo = redo.map(|(place, text)| row("redo", place + 1, text));
    let rows: Vec<Vec<Cell>> = undo.chain(redo).collect();
    let mut blocks = Vec::new();
    if journal.forgotten_count() > 0 {
        let forgotten = journal.forgotten_count();
        blocks.push(Block::Line(dim(say!(
            "{} can no longer be taken back",
            plural(forgotten as usize, "older change")
        ))));
    }
    if rows.is_empty() {
        blocks.push(Block::Line(say!("no changes yet")));
    }
    let columns = ["way", "number", "statement"].map(|key| Column::new(key, ""));
    blocks.push(Block::Table(Table::new("rows", columns.into(), rows)));
    Ok(Reply::show(Report::new("log", Vec::new(), blocks)))
}

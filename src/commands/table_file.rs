//! Writes the tables of an answer into a file: `:grad L FILE.csv` or `FILE.md`.
//!
//! The interpreter calls this after a command that answers with a table. The file gets all rows; `view` makes the text of
//! each format.

use super::{FileRequest, Reply};
use crate::session::{Contents, Session};
use chainrule_report::diagnostic::Diagnostic;
use chainrule_report::{Block, DataSheet, Report, plural, say};

/// Moves the tables of an answer into a file. The lines around them stay.
pub(crate) fn write_tables(
    session: &Session,
    mut reply: Reply,
    file: &FileRequest,
) -> Result<Reply, Diagnostic> {
    let mut report = reply.report.unwrap_or_default();
    let reports = || std::iter::once(&report).chain(&reply.more);
    let sheets: Vec<DataSheet> = reports().flat_map(Report::sheets).collect();
    if sheets.is_empty() {
        let message = "this answer has no table, so nothing was written";
        let help = "without the file the answer is shown";
        return Err(Diagnostic::new(message).at(file.span).help(help));
    }
    let rows = sheets.iter().map(DataSheet::count).sum();
    for part in std::iter::once(&mut report).chain(&mut reply.more) {
        part.blocks
            .retain(|block| !matches!(block, Block::Table(_)));
    }
    let line = say!("wrote {} into {:typed}", plural(rows, "row"), &*file.path);
    report.is_confirmation |= report.blocks.is_empty();
    report.blocks.insert(0, Block::Line(line));
    report
        .facts
        .extend([("path", file.path.clone().into()), ("count", rows.into())]);
    reply.report = Some(report);
    reply.write(session, file, Contents::Tables(sheets))
}

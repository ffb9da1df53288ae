//! Writes the tables of an answer into a file: `:grad L FILE.csv` or `FILE.md`, for every command that answers with a table.
//!
//! The interpreter calls this after the command. The file gets all rows; `view` makes the text of each format.

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
        let error = Diagnostic::new("this answer has no table, so nothing was written");
        return Err(error
            .at(file.span)
            .help("without the file the answer is shown"));
    }
    let rows = sheets.iter().map(DataSheet::count).sum();
    for report in std::iter::once(&mut report).chain(&mut reply.more) {
        let is_table = |block: &Block| matches!(block, Block::Table(_));
        report.blocks.retain(|block| !is_table(block));
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

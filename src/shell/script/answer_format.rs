//! The formats of answers, and how answers look. `show` writes the answers; the tables of `--csv` are written here.

use super::document::EchoDocument;
use super::host::ShellHost;
use crate::shell::RunResult;
use crate::shell::process::terminal::StreamLook;
use chainrule_report::{DataSheet, Report};
use chainrule_view::{self as view, AnswerSink, Movement};

/// The format of answers.
pub(crate) enum AnswerFormat {
    Text,
    Json,
    /// Comma-separated tables. Holds the last one.
    Csv(TableAbove),
    /// A document of statements and their answers.
    Document(Box<EchoDocument>),
    /// The objects of the dialogue.
    Objects(ObjectFormat),
}

/// The table that was written last, to which rows may be added.
#[derive(PartialEq, Eq)]
pub(crate) enum TableAbove {
    /// No table is written yet.
    None,
    /// Values with these titles. Values with the same titles become rows of this table.
    Values(Vec<String>),
    /// A table that is complete.
    Complete,
}

/// How answers and messages look.
pub(super) struct AnswerLook {
    pub(super) answers: StreamLook,
    pub(super) messages: StreamLook,
    /// Whether the sliders of a page can move the numbers of pictures, and whether one moves them now.
    pub(super) movement: Movement,
    /// The width of pictures in pixels on a narrow page.
    pub(super) picture_width: Option<usize>,
}

/// The words for the forms in which requests want answers. They are also the keys of the forms.
pub(crate) const FORMS: [&str; 6] = ["text", "html", "cell", "latex", "svg", "values"];

/// How the objects of a request look.
#[derive(Default)]
pub(crate) struct ObjectFormat {
    /// The forms of an answer.
    pub(crate) forms: Vec<&'static str>,
    /// The columns for text. Without them, lines are not wrapped.
    pub(crate) width: Option<usize>,
}

impl TableAbove {
    /// Writes the values or the tables of reports as comma-separated values.
    pub(super) fn write_tables(&mut self, reports: &[&Report], host: &ShellHost) -> RunResult {
        for report in reports {
            if let Some(values) = report.value_sheet() {
                self.write_table(&values, true, host)?;
                continue;
            }
            for sheet in report.sheets() {
                self.write_table(&sheet, false, host)?;
            }
        }
        Ok(())
    }

    /// Writes a table, after a blank line if there is a table above. Values with the same titles as the values above become
    /// rows of that table.
    fn write_table(
        &mut self,
        sheet: &DataSheet,
        is_of_values: bool,
        host: &ShellHost,
    ) -> RunResult {
        let written = if is_of_values {
            TableAbove::Values(sheet.header.clone())
        } else {
            TableAbove::Complete
        };
        let above = std::mem::replace(self, written);
        let mut begin = String::new();
        if !is_of_values || above != *self {
            let is_first = above == TableAbove::None;
            begin.push_str(if is_first { "" } else { "\r\n" });
            view::write_csv_header(sheet, &mut begin);
        }
        host.output.borrow_mut().answer(|out| {
            out.text().push_str(&begin);
            view::write_csv_rows(sheet, out);
        })
    }
}

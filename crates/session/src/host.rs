//! Connects a running statement with the world outside: a [`Host`] stops it, shows its progress, and reads and writes
//! files.
//!
//! The shell's host watches Ctrl-C and the terminal, and accesses the files. The host of the typing hint watches a
//! deadline. The host of a test stops after a fixed number of calls, or collects the files. No code below the shell
//! uses clocks, signals, terminals or files directly.

use std::fmt::Display;
use std::rc::Rc;

use crate::settings::Settings;
use chainrule_report::diagnostic::Diagnostic;
use chainrule_report::{DataSheet, Picture};
use chainrule_tables::{CellFault, TableError, TableFault};
pub use chainrule_tables::{CellReading, ColumnKind, DateOrder, NumberTable, TableColumn};

/// The world outside of a session.
pub trait Host {
    /// Whether the running statement should stop. Called every few thousand nodes and between steps. After the first
    /// `true`, the result stays `true` until the statement ends.
    fn stop(&self) -> bool;

    /// Reports progress between steps of `:step`: the number of steps done, the number of all steps, and the root's
    /// value. If the work moves leaves, `_setting` returns the `:set` that gives them their present values. A page stores
    /// it, because it stops work by ending the session.
    fn progress(&self, _done: u64, _of: u64, _value: f64, _setting: Option<&dyn Fn() -> String>) {}

    /// Called when the work whose progress was reported has ended, whether it finished or not.
    fn end_progress(&self) {}

    /// Whether answers that only confirm a statement are shown.
    fn shows_confirmations(&self) -> bool {
        true
    }

    /// Writes a file, completely or not at all. A host without files forgets the contents.
    fn write(
        &self,
        _path: &str,
        _contents: Contents,
        _settings: &Settings,
    ) -> Result<WrittenFile, Diagnostic> {
        Ok(WrittenFile::default())
    }

    /// Reads a table of numbers from a file.
    fn read_table(&self, path: &str, _dates: CellReading) -> Result<NumberTable, Diagnostic> {
        Err(Diagnostic::new(format!("there is no file `{path}`")))
    }

    /// Stores the statements that make settings, for later sessions. Returns the file that has them.
    fn keep_settings(&self, _statements: &str) -> Result<String, Diagnostic> {
        Ok(String::new())
    }
}

/// What there is to say about a file that was written.
#[derive(Clone, Debug, Default)]
pub struct WrittenFile {
    /// The name of the copy, if an older file was copied.
    pub backup: Option<String>,
    /// The texts of a picture that had to be shortened.
    pub cut_texts: Vec<String>,
}

/// The contents that a command writes into a file. The ending of the file's name decides the format.
#[derive(Clone, Debug)]
pub enum Contents {
    /// A text.
    Text {
        /// The text.
        text: String,
        /// Whether this program has written a file that begins with these bytes. Any other file is copied first.
        own: fn(&[u8]) -> bool,
    },
    /// Tables. A file that begins with other titles is copied first.
    Tables(Vec<DataSheet>),
    /// A picture, and whether its ground is dark, if the user says so. If not, the settings and the reader's screen decide.
    Picture(Box<Picture>, Option<bool>),
}

/// The host of a session; at first one that never stops and shows nothing.
pub(super) struct SharedHost(pub(super) Rc<dyn Host>);

impl Default for SharedHost {
    fn default() -> SharedHost {
        SharedHost(Rc::new(QuietHost))
    }
}

/// A host that never stops and shows nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct QuietHost;

impl Host for QuietHost {
    fn stop(&self) -> bool {
        false
    }
}

/// `:set a 1.7, w[2] 0.5`: the statement that gives leaves with these names these values, for [`Host::progress`].
pub fn setting_text(leaves: impl Iterator<Item = (impl Display, f64)>) -> String {
    let each = leaves.map(|(name, value)| format!("{name} {value}"));
    format!(":set {}", each.collect::<Vec<_>>().join(", "))
}

/// The error for a table that cannot be read, with a way out. FILE stands for the file as the user has typed it.
pub fn table_diagnostic(error: &TableError) -> Diagnostic {
    let diagnostic = Diagnostic::new(error.to_string());
    let help = match &error.fault {
        TableFault::Empty | TableFault::OnlyHeader | TableFault::NoNumbers => return diagnostic,
        TableFault::NoText => "save it as CSV in the program that wrote it, and read that file",
        TableFault::TooMany { .. } => "read a part of the file, or fewer columns",
        TableFault::RowLength { separator: ',', .. } => {
            "a row has a cell for every column; numbers with decimal commas are separated by `;`"
        }
        TableFault::RowLength { .. } => "a row has a cell for every column",
        TableFault::Cell { fault, .. } => match fault {
            CellFault::NoDate => {
                "a column has dates such as `2024-03-01 12:30:05`, or times of day such as `12:30:05`"
            }
            CellFault::NoOrder => {
                "`:data FILE dmy` if with the day, `:data FILE mdy` if with the month"
            }
            CellFault::TooLarge => "write `inf` for what is beyond every number",
            CellFault::OtherMark => "a file has either decimal points or decimal commas",
            CellFault::Word => {
                "more than a tenth of the column is not a number; leave the cell empty, or write `nan`, for what is missing"
            }
        },
    };
    diagnostic.help(help)
}

//! What a page says about its answers, in place of the options of a command line.

use std::path::PathBuf;

use crate::shell::process::terminal::When;

/// The options that the runner asks for.
#[derive(Clone, Debug, Default)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "they are those of the command line"
)]
pub(crate) struct Options {
    pub json: bool,
    pub csv: Option<PathBuf>,
    pub keep_going: bool,
    pub color: When,
    pub digits: Option<u8>,
    pub ascii: bool,
    pub quiet: bool,
}

impl Options {
    /// Are the answers for a program?
    pub(crate) fn for_programs(&self) -> bool {
        self.json || self.csv.is_some()
    }
}

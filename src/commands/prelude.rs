//! What the file of every command uses.

pub(crate) use super::args::Arguments;
pub(crate) use super::{Command, Reply};
pub(crate) use crate::session::Session;
pub(crate) use chainrule_report::diagnostic::Diagnostic;

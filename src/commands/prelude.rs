//! The imports that the files of all commands share.

pub(crate) use super::args::Arguments;
pub(crate) use super::{Command, Reply};
pub(crate) use crate::session::Session;
pub(crate) use chainrule_report::diagnostic::Diagnostic;

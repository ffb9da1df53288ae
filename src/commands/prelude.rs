//! The imports that the files of all commands share.

pub(crate) use std::rc::Rc;

pub(crate) use super::args::Arguments;
pub(crate) use super::{Command, Reply};
pub(crate) use crate::session::Session;
pub(crate) use chainrule_engine::graph::Node;
pub(crate) use chainrule_report::diagnostic::Diagnostic;
pub(crate) use chainrule_report::{Block, Cell, Column, Fact, Line, Note, Report, Table, say};

//! The imports that the files of all commands share.

pub(crate) use std::rc::Rc;

pub(crate) use super::args::Arguments;
pub(crate) use super::{Command, FileRequest, Reply};
pub(crate) use chainrule_engine::graph::{Node, Order, values};
pub(crate) use chainrule_language::{self as language, Span};
pub(crate) use chainrule_report::diagnostic::{Diagnostic, Result, backtick_list};
pub(crate) use chainrule_report::{Block, Cell, Column, Fact, Line, Note, Report, Table};
pub(crate) use chainrule_report::{count_text, dim, plural, say};
pub(crate) use chainrule_session::{Reader, Session};
pub(crate) use chainrule_stop as stop;

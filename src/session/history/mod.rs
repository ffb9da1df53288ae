//! The history of a session: tables with logs, undo, changes of data, steps, and several statements run as one.
//!
//! Every change of a session goes through a table with a log.

mod block;
mod forget;
mod journal;
mod set_leaves;

pub(crate) use self::block::BlockEnd;
pub(in crate::session) use self::block::RunningBlock;
pub(crate) use self::journal::Savepoint;
pub(in crate::session) use self::journal::Trial;
pub use self::journal::{Journal, UNDO_BYTES};
pub use self::set_leaves::Setting;

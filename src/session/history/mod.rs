//! The history of a session: undo, changes of data, forgotten names, and blocks of statements.
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

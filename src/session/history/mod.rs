//! The history of a session: undo, changes of data, forgotten names, and blocks of statements.
//!
//! Every change of a session goes through its log.

mod block;
mod changes;
mod log;
mod undo;

pub(crate) use self::block::BlockEnd;
pub(in crate::session) use self::block::RunningBlock;
pub use self::changes::Setting;
pub(in crate::session) use self::log::Growth;
use self::log::Log;
pub(crate) use self::undo::Savepoint;
pub(in crate::session) use self::undo::Trial;
pub use self::undo::{Journal, TrialOf, UNDO_BYTES};

/// What has changed, and what of it can be undone.
#[derive(Debug, Default)]
pub(in crate::session) struct History {
    pub(in crate::session) log: Log,
    pub(in crate::session) journal: Journal,
}

//! The state of a session, without what statements do with it.

mod journal;
mod log;
mod recent;
mod running;
mod session;
mod show;
mod waiting;
mod write;

pub(crate) use self::journal::{Entry, Undone};
pub use self::journal::{Journal, Savepoint};
pub(crate) use self::log::CleanUp;
pub(crate) use self::recent::{MovedRoot, Recent};
pub use self::recent::{NoteOnce, NotesGiven};
pub(crate) use self::running::{RunningBlock, Trial};
pub use self::session::Session;
pub use self::show::{Reader, Replay, Show};
pub use self::waiting::Waiting;
pub(crate) use self::write::Write;

//! The history of a session: tables with logs, undo, changes of data, steps, and several statements run as one.
//!
//! Every change of a session goes through a table with a log.

mod block;
mod change;
mod descent;
mod journal;
mod optimizer;
mod setting;
mod trail;
mod uncertain;

pub(crate) use self::block::BlockEnd;
pub(in crate::session) use self::block::RunningBlock;
pub use self::descent::{Descent, MOST_LEAVES_OF_PATH, Mover};
pub(crate) use self::journal::Savepoint;
pub(in crate::session) use self::journal::Trial;
pub use self::journal::{Journal, UNDO_BYTES};
pub(in crate::session) use self::optimizer::Optimizer;
pub use self::optimizer::StepRule;
pub use self::setting::Setting;
pub use self::trail::Trails;
pub use self::uncertain::Widths;

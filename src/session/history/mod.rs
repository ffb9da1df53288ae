//! The history of a session: the undo journal, changes of data, steps, and several statements run as one.
//!
//! Every change of a session goes through this folder.

mod change;
mod descent;
mod drawing;
mod journal;
mod mark;
mod new_leaves;
mod rates;
mod setting;
mod trail;
mod trial;
mod uncertain;

pub use self::change::{Forgotten, Trace};
pub use self::descent::{Descent, MOST_LEAVES_OF_PATH, Mover};
pub use self::journal::{Change, Journal, UNDO_BYTES};
pub use self::mark::Mark;
pub use self::new_leaves::NewLeaves;
pub use self::rates::Rates;
pub use self::setting::{Moved, Setting};
pub use self::trail::Trails;
pub(crate) use self::trial::Before;
pub use self::uncertain::Widths;

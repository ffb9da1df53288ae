//! Keeps everything that lasts from one statement to the next: a [`Session`].
//!
//! A session has the graph, the names and tags of nodes (labels, headings, uncertainties), functions, results,
//! settings, positions in the random numbers, the memory of steps, the classes of networks, and the typed statements,
//! which `:save` writes. Every change of these is a `Write`. The log gets the opposite `Write`, for `:undo`, for a
//! statement that fails, and for a command that only looks. The session also has the last pass, an open walk and the
//! score of `:guess`. These have no log: a statement that fails restores them, and `:undo` only drops the pass. The log
//! has the targets of commands, too, when a statement has ended.
//!
//! `state` has the session and its changes, above the parts of which it consists: `naming`, `uncertainty`, `steps`,
//! `kept`, `settings` and others. Above these, `history`, `building`, `descent` and `save` change it.
//!
//! A session has no answers, files or history of passes, and knows no commands: it returns nodes, numbers and notes.
//! The shell sets `show`, which decides how answers look. A statement builds all its nodes before it binds a name.

#![cfg_attr(test, allow(clippy::shadow_unrelated, clippy::too_many_lines))]

mod building;
pub mod by_hand;
mod descent;
mod environment;
mod growth;
mod history;
mod host;
mod kept;
pub mod limits;
pub mod naming;
pub mod network_classes;
mod results;
mod save;
mod saved_text;
pub mod settings;
mod state;
mod steps;
mod syntax_errors;
mod tags;
mod target;
pub mod uncertainty;

pub use self::building::{Acts, Evaluated, Outdated, evaluate_widths};
pub use self::descent::Descent;
pub use self::history::{BlockEnd, Setting, TrialOf, default_question, walk_of};
pub use self::host::{
    CellReading, ColumnKind, Contents, DateOrder, Host, NumberTable, QuietHost, TableColumn,
    WrittenFile, setting_text, table_diagnostic,
};
pub use self::kept::{Keeping, Script};
pub use self::naming::SharedNames;
pub use self::naming::labels::{Caption, Captions, captions, kind_of};
pub use self::save::{is_saved_session, saved_version};
pub use self::settings::{SEEDS, Settings};
pub use self::state::{Journal, NoteOnce, NotesGiven, Reader, Replay, Savepoint, Session, Show};
pub use self::steps::{Mover, StepRule, TrailPoint};
pub use self::syntax_errors::{explain, syntax_diagnostic};
pub use self::tags::{Heading, LeafRange, Tags};
pub use self::target::{Target, TargetKey, Targets};
pub use self::uncertainty::Widths;

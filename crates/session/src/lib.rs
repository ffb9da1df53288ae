#![doc = include_str!("../README.md")]
#![cfg_attr(test, allow(clippy::shadow_unrelated, clippy::too_many_lines))]

mod building;
pub mod by_hand;
mod descent;
mod environment;
mod growth;
mod history;
mod host;
mod implied_signs;
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
mod waiting;

pub use self::building::{Acts, Evaluated, Outdated, evaluate_widths};
pub use self::descent::Descent;
pub use self::history::{BlockEnd, Setting, TrialOf, default_question};
pub use self::host::{
    CellReading, ColumnKind, Contents, DateOrder, Host, NumberTable, QuietHost, TableColumn,
    WrittenFile, setting_text, table_diagnostic,
};
pub use self::kept::{Keeping, Script};
pub use self::naming::SharedNames;
pub use self::naming::labels::{Caption, Captions, captions, kind_of};
pub use self::save::{is_saved_session, saved_version};
pub use self::settings::{SEEDS, Settings};
pub use self::state::{
    Journal, NoteOnce, NotesGiven, Reader, Replay, Savepoint, Session, Show, Waiting,
};
pub use self::steps::{Mover, StepRule, TrailPoint};
pub use self::syntax_errors::{explain, syntax_diagnostic};
pub use self::tags::{Heading, LeafRange, Tags};
pub use self::target::{Target, TargetKey, Targets};
pub use self::uncertainty::Widths;
pub use self::waiting::WaitedFor;

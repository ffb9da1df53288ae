//! What changes a session and takes changes back. Every change is a `Write`, whose opposite is in the log.
//!
//! `undo` runs statements and takes them back, `trial` runs several statements as one, and `block` runs a block of
//! statements. `changes` has the changes of leaves and `:reset`, `names` those of names, `targets` those of targets, and
//! `by_hand` the walk, the claims and the score of `:guess`.

mod block;
mod by_hand;
mod changes;
mod names;
mod targets;
mod trial;
mod undo;

pub use self::block::BlockEnd;
pub use self::by_hand::default_question;
pub use self::changes::Setting;
pub use self::trial::TrialOf;
pub(crate) use self::undo::short_text;

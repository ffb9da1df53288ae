//! Runs the code of statements, blocks and functions, and so builds nodes.

mod append;
mod bind;
mod block_instructions;
mod calls;
mod choices;
mod equations;
mod frames;
mod loops;
mod machine;
mod passing_names;
mod reads;
mod words;

pub use self::append::{new_items, no_list_error, shared_list_error};
pub use self::machine::{ActPlace, BuiltLine, Event, MachineState, NextRound, Record};
pub use self::reads::guarded_number;

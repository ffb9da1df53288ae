#![doc = include_str!("../README.md")]

pub mod compile;
pub mod derive;
mod environment;
pub mod error;
mod faults;
pub mod functions;
pub mod guards;
pub mod leaves;
pub mod limits;
pub mod lists;
pub mod names;
pub mod notes;
pub mod postfix;
mod program;
pub mod random;
pub mod run;
mod stand_ins;
pub mod texts;
pub mod values;

pub use self::derive::Purpose;
pub use self::environment::{ANSWERS, Environment, LAST_RESULT};
pub use self::faults::{fault_line, fault_note};
pub use self::notes::add_new;
pub use self::program::{Program, RunningNodes};

//! Studies of a session that do not change it: explanations, checks, guesses, mistakes, diagrams.
//!
//! The commands call these functions and report the results. A few of them build nodes and remove them again.

mod check;
pub(crate) mod compare;
mod diagram;
mod explain;
mod finite_differences;
pub(crate) mod formula_guess;
pub(crate) mod guess;
mod slips;
mod wrong;

pub use self::check::{Check, CheckRow, CheckVerdict, check};
#[cfg(not(feature = "terminal"))]
pub use self::diagram::diagram_of_walk;
pub use self::diagram::{MOST_DRAWN, MOST_WIRES, list_boxes};
pub use self::diagram::{diagram_of_lists, diagram_of_network};
pub use self::explain::{Explanation, FEW_PATHS, LONGEST, MOST_PATHS, convention_at, explain};
pub use self::finite_differences::nudge;
pub use self::wrong::{Comparison, FAMOUS_MISTAKES, FamousMistake, compare_with_mistake};

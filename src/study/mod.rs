//! Studies of a session that do not change it: explanations, checks, guesses, mistakes, curves, diagrams, goals.
//!
//! The commands call these functions and report the results. A few of them build nodes and remove them again.

mod check;
mod diagram;
mod explain;
mod finite_differences;
pub(crate) mod formula_guess;
pub(crate) mod formula_steps;
pub(crate) mod goals;
pub(crate) mod guess;
mod plot;
mod wrong;

pub use self::check::{Check, CheckRow, CheckVerdict, check};
pub use self::diagram::{diagram_of_lists, diagram_of_network, diagram_of_page, list_boxes};
pub use self::explain::{Explanation, FEW_PATHS, LONGEST, MOST_PATHS, convention_at, explain};
pub use self::finite_differences::nudge;
pub use self::goals::{MOST_FIT_DERIVATIVES, MOST_FITTED, MOST_SOURCES};
pub use self::plot::{
    FINE_MAP_INTERVALS, FINEST_MAP_INTERVALS, MAP_INTERVALS, SampleAxis, built_curve, built_map,
    gradient, sample_curves, sample_map,
};
pub use self::wrong::{Comparison, FAMOUS_MISTAKES, FamousMistake, compare_with_mistake};

//! What can be found out about a session without changing it: explanations, checks, guesses, mistakes, curves, diagrams.
//!
//! Functions of a session. A few build nodes to find something out, and take them back. Commands show the results.

mod check;
mod diagram;
mod explain;
mod export;
pub(crate) mod goals;
pub(crate) mod guess;
mod nudge;
mod plot;
mod spelling;
mod wrong;

pub use self::check::{Check, Checked, Verdict, check};
pub use self::diagram::{boxes, diagram, diagram_of_lists, diagram_of_network, diagram_of_page};
pub use self::explain::{
    Explanation, FEW_PATHS, LONGEST, MOST_PATHS, Step, Way, convention_at, explanation,
};
pub use self::export::{
    FunctionCall, MOST_LINES, Refusal, Straight, is_exported, jax, program, tex,
};
pub use self::goals::{MOST_FIT_DERIVATIVES, MOST_FITTED};
pub use self::nudge::nudge;
pub use self::plot::{
    FINE_MAP_INTERVALS, FINEST_MAP_INTERVALS, MAP_INTERVALS, SampleAxis, gradient, sample_curves,
    sample_map,
};
pub use self::wrong::{Comparison, FamousMistake, mistaken, rules};

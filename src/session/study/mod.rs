//! What can be found out about a session without changing it: explanations, walks, checks, curves, diagrams.
//!
//! Commands show the results.

mod check;
mod diagram;
mod explain;
pub(crate) mod guess;
mod nudge;
mod plot;
mod walk;
mod wrong;

pub use self::check::{Checked, Verdict};
pub use self::explain::{Explanation, FEW_PATHS, LONGEST, MOST_PATHS, Step, Way};
pub use self::plot::Sampled;
pub use self::walk::{Direction, Share, Stop, Walk};
pub use self::wrong::{Comparison, Given, Giver, Rule, Story, UPSTREAMS, rules};

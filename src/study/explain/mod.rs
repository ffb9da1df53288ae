//! Why a gradient is what it is: the paths, the closed form, the reasons.
//!
//! Behind `:explain`.

mod closed_form;
mod paths;
mod reasons;

pub use self::closed_form::LONGEST;
pub use self::paths::{ExplainedPath, Explanation, FEW_PATHS, MOST_PATHS, PathStep, explain};
pub use self::reasons::convention_at;

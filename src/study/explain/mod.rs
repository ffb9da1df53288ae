//! Why a gradient is what it is: the paths, the closed form, the reasons.
//!
//! The command `:explain` calls it.

mod closed_form;
mod explanation;
mod reasons;

pub use self::closed_form::LONGEST;
pub use self::explanation::{Explanation, FEW_PATHS, MOST_PATHS, explain};
pub use self::reasons::convention_at;

//! Explains a gradient for `:explain`: by paths, by a closed form, and by the reason if it is 0, NaN or infinite.

mod closed_form;
mod explanation;
mod reasons;

pub use self::closed_form::LONGEST;
pub use self::explanation::{Explanation, FEW_PATHS, MOST_PATHS, explain};
pub use self::reasons::convention_at;

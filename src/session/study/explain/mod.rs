//! Why a gradient is what it is: the paths, the closed form, the reasons.
//!
//! Behind `:explain`.

pub mod closed_form;
pub mod paths;
pub(crate) mod reasons;

//! Computes values and derivatives whose formulas take more than a line. The rows of `table.rs` call these functions.

pub(crate) mod choice;
mod double;
pub(crate) mod elementary;
pub(crate) mod gamma;
pub(crate) mod gauss;
pub(crate) mod plane;
pub(crate) mod polygamma;
pub(crate) mod power;
pub(crate) mod reductions;
pub(crate) mod source;
pub(crate) mod student;
pub(crate) mod tanh_and_sigmoid;

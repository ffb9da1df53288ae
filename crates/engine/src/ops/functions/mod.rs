//! Formulas of more than a line: the values and derivatives that rows of the table call.
//!
//! Plain functions of numbers.

pub(crate) mod choice;
mod double;
pub(crate) mod elementary;
pub(crate) mod fraction;
pub(crate) mod gamma;
pub(crate) mod gauss;
pub(crate) mod plane;
pub(crate) mod polygamma;
pub(crate) mod power;
pub(crate) mod reductions;
pub(crate) mod source;

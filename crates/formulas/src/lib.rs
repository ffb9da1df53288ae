#![doc = include_str!("../README.md")]

mod functions;
mod letter_order;
mod letters;
mod list_sums;
mod local;
mod shapes;
mod terms;
mod zeros;

pub use self::functions::{
    Formula, derivative_formulas, expanded_body, formula, note_on_mixed_items, note_rounded_numbers,
};
pub use self::letters::{give_sample_leaves, look_at_call, with_letters};
pub use self::local::{local_formula, local_formulas, local_items};
pub use self::shapes::{
    DerivativeFormula, FormulaShape, are_equal, derivative_in_shape, derivatives_over,
    formula_in_shape, formulas_of_parts, over_leaves, taylor_terms,
};
pub use self::terms::FormulaTerms;
pub use self::zeros::exact_zeros;
pub use chainrule_algebra::RealZero;

//! Uses gradients to find numbers: error budgets, solutions of equations, fits of models to data, and minima.
//!
//! The functions return numbers; the commands report them and change the session. `linear`, `least_squares`, `bfgs`,
//! `statistics` and `values_to_try` are mathematics on lists of numbers, and know nothing of graphs.

mod bfgs;
mod budget;
mod differences;
mod fit;
mod fit_starts;
mod fit_uncertainty;
mod formula;
mod goal;
mod implicit;
mod kinks;
mod least_squares;
mod linear;
mod linear_leaves;
mod minimize;
#[cfg(test)]
mod nist_tests;
mod peaks;
mod penalties;
mod progress;
mod second_order;
mod solve;
mod statistics;
mod values_to_try;

pub(crate) use self::bfgs::PointKind;
pub(crate) use self::budget::{Budget, Correlations, LeafEffect, SecondOrder, budget};
pub use self::fit::MOST_FITTED;
pub(crate) use self::fit::{FitProblem, FoundFit, MOST_PASSES as MOST_FIT_PASSES, fit};
pub(crate) use self::fit_starts::{fit_again, starts};
pub(crate) use self::fit_uncertainty::{certainty_now, of_fit};
pub(crate) use self::formula::{apply, list_of};
pub(crate) use self::goal::Goal;
pub use self::implicit::MOST_SOURCES;
pub(crate) use self::implicit::{
    counted_sources, of_likelihood, slopes_of_minimum, slopes_of_solution, unmoved_leaves,
};
pub(crate) use self::kinks::{depends_on_leaves, kink_below};
pub(crate) use self::least_squares::{NearestPoint, SearchEnd};
pub(crate) use self::linear_leaves::curved_leaves;
pub(crate) use self::minimize::{MOST_PASSES as MOST_MINIMIZE_PASSES, Minimum, minimize};
pub use self::progress::MOST_FIT_DERIVATIVES;
pub(crate) use self::progress::SearchWatch;
pub(crate) use self::solve::{MOST_PASSES as MOST_SOLVE_PASSES, solve};

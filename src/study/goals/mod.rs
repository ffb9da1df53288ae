//! Uses gradients to find numbers: error budgets, solutions of equations, fits of models to data, and minima.
//!
//! The functions return numbers; the commands report them and change the session. `linear`, `least_squares` and `bfgs`
//! are mathematics on lists of numbers, and know nothing of graphs.

mod bfgs;
mod budget;
mod differences;
mod fit;
mod fit_starts;
mod formula;
mod goal;
mod implicit;
mod least_squares;
mod linear;
mod minimize;
#[cfg(test)]
mod nist_tests;
mod penalties;
mod second_order;
mod solve;

pub(crate) use self::bfgs::PointKind;
pub(crate) use self::budget::{Budget, Correlations, LeafEffect, SecondOrder, budget};
pub use self::fit::MOST_FITTED;
pub(crate) use self::fit::{FitProblem, FoundFit, MOST_PASSES as MOST_FIT_PASSES, fit};
pub(crate) use self::fit_starts::{curved_leaves, fit_again, starts};
pub(crate) use self::formula::{apply, list_of};
pub use self::goal::MOST_FIT_DERIVATIVES;
pub(crate) use self::goal::{Goal, SearchWatch, depends_on_leaves, kink_below};
pub use self::implicit::MOST_SOURCES;
pub(crate) use self::implicit::{
    certainty_now, counted_sources, of_fit, of_likelihood, slopes_of_minimum, slopes_of_solution,
    unmoved_leaves,
};
pub(crate) use self::least_squares::{NearestPoint, SearchEnd};
pub(crate) use self::minimize::{MOST_PASSES as MOST_MINIMIZE_PASSES, Minimum, minimize};
pub(crate) use self::solve::{MOST_PASSES as MOST_SOLVE_PASSES, solve};

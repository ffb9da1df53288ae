//! What gradients are for: error budgets, solving equations, fitting models to data, finding minima.
//!
//! Each ends with numbers; commands tell them and change the session. `linear`, `least_squares`, `descent` and
//! `penalties` are mathematics on lists of numbers, which know nothing of graphs.

mod budget;
mod constants;
mod descent;
mod differences;
mod fit;
mod goal;
mod implicit;
mod least_squares;
mod linear;
mod minimize;
mod penalties;
mod second_order;
mod solve;
mod starts;

pub(crate) use self::budget::{
    Budget, Correlations, LeafEffect, MOST_ANSWERED, SecondOrder, answer_deviation, budget,
    deviation,
};
pub(crate) use self::constants::add_constants;
pub(crate) use self::descent::PointKind;
pub(crate) use self::fit::{FitProblem, FoundFit, MOST_PASSES as MOST_FIT_PASSES, fit};
pub use self::fit::{MOST_FIT_DERIVATIVES, MOST_FITTED};
pub(crate) use self::goal::{Goal, kink_below};
pub(crate) use self::implicit::{of_minimum, of_solution, sources_below};
pub(crate) use self::least_squares::{NearestPoint, SearchEnd};
pub(crate) use self::minimize::{MOST_PASSES as MOST_MINIMIZE_PASSES, Minimum, minimize};
pub(crate) use self::solve::{MOST_PASSES as MOST_SOLVE_PASSES, solve};
pub(crate) use self::starts::{curved_leaves, starts};

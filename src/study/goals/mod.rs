//! What gradients are for: solving equations, fitting models to data, finding minima.
//!
//! `linear` and `least_squares` are mathematics on lists of numbers; the other files ask a session's graph.

mod budget;
mod descent;
mod fit;
mod least_squares;
mod linear;
mod minimize;
mod penalties;
mod reach;
mod second_order;
mod solve;

pub(crate) use self::budget::{Budget, Correlations, Entry, budget};
pub(crate) use self::fit::{FitEnd, FitProblem, FoundFit, MOST_PASSES as MOST_FIT_PASSES, fit};
pub use self::fit::{MOST_FIT_DERIVATIVES, MOST_FITTED};
pub(crate) use self::minimize::{
    Constraint, Goal, MOST_PASSES as MOST_MINIMIZE_PASSES, Minimum, Verdict, minimize,
};
pub(crate) use self::reach::{Points, Reach};
pub(crate) use self::solve::{
    Equation, MOST_PASSES as MOST_SOLVE_PASSES, Solution, SolutionEnd, solve,
};

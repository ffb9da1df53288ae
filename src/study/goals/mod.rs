//! What gradients are for: solving equations, fitting models to data, finding minima.
//!
//! `linear` and `least_squares` are mathematics on lists of numbers; the other files ask a session's graph.

mod least_squares;
mod linear;
mod solve;

pub(crate) use self::solve::{Equation, MOST_PASSES, Solution, SolutionEnd, solve};

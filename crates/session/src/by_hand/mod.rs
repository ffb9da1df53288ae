//! What the user works out by hand: claims and guesses, and the open walk.

pub mod guesses;
pub mod walk;

pub use self::guesses::{Guesses, Quantity, SumSoFar};

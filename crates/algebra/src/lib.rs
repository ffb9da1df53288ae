#![doc = include_str!("../README.md")]

mod derivative;
mod identities;
mod number;
mod polynomial;
mod shape;
mod term;
mod work;
mod write;
mod zeros;

pub use self::derivative::Rules;
pub use self::number::Number;
pub use self::shape::{collect_by, derivative, expand, factor, shortest, shortest_derivative};
pub use self::term::function::{NamedFunction, call};
pub use self::term::power::power;
pub use self::term::{Letter, MAX_DEPTH, MAX_TOKENS, Term, TermKind, TooLarge, product, sum};
pub use self::write::{WrittenItem, count_tokens, write};
pub use self::zeros::{RealZero, real_zeros};

//! Numbers, lists of numbers, and numbers with an uncertainty.

use std::rc::Rc;

/// The least and the greatest of some numbers. A NaN among them counts as the least, so that it is seen.
pub fn extent(numbers: impl IntoIterator<Item = f64>) -> Option<(f64, f64)> {
    numbers.into_iter().fold(None, |ends, number| {
        let (low, high) = ends.unwrap_or((number, number));
        let is_least = number < low || number.is_nan();
        Some((if is_least { number } else { low }, number.max(high)))
    })
}

/// A number or a list of numbers. Lists may be deep, so this is a flat sequence, which a view writes without recursion.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Numbers {
    /// Its brackets and numbers, in order.
    pub parts: Vec<NumberPart>,
    /// The shape of a list: `16 × 2`; empty for a number.
    pub shape: String,
    /// The lengths of the lists on each level, if all lists of a level have one length; empty for a number.
    pub lengths: Vec<usize>,
    /// The decision for which it was computed and which has changed since: `x > 0`. `None` if it is up to date.
    pub as_of: Option<Rc<str>>,
}

/// A part of a value as it is written.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum NumberPart {
    /// A list begins.
    Open,
    /// A number.
    Number(f64),
    /// A number with its uncertainty.
    Measurement(Measurement),
    /// A condition: 1 or 0, which texts write as `True` and `False`.
    Truth(bool),
    /// A list ends.
    Close,
}

/// A value and its uncertainty. Typed numbers keep their digits; results end with the second digit of the uncertainty.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Measurement {
    /// The number.
    pub value: f64,
    /// Its standard deviation.
    pub sigma: f64,
    /// Whether the user typed both.
    pub is_typed: bool,
}

impl Measurement {
    /// A computed value and its uncertainty.
    pub fn of_result(value: f64, sigma: f64) -> Measurement {
        Measurement {
            value,
            sigma,
            is_typed: false,
        }
    }
}

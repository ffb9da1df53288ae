//! Operations on any number of operands that are added or multiplied, from left to right.
//!
//! What all derivatives of one node share is computed once.

use super::choice::chain;

/// The operands added up.
pub(crate) fn sum(operands: &[f64]) -> f64 {
    let mut operands = operands.iter();
    let first = operands.next().copied().unwrap_or(0.0);
    operands.fold(first, |sum, operand| sum + operand)
}

/// 1 by each operand of a sum.
pub(crate) fn ones(_: &[f64], _: f64, ones: &mut [f64]) {
    ones.fill(1.0);
}

/// The operands multiplied.
pub(crate) fn prod(operands: &[f64]) -> f64 {
    let mut operands = operands.iter();
    let first = operands.next().copied().unwrap_or(1.0);
    operands.fold(first, |product, operand| product * operand)
}

/// For each operand the product of the others: of those before it times that of those behind it. A quotient would be
/// wrong where an operand is 0.
///
/// These are the numbers of a pass through `a*b*c*…`: the product before an operand is a node there, those behind it are
/// locals on the way down, where an exact zero absorbs infinity and NaN.
pub(crate) fn products_of_others(operands: &[f64], _: f64, products: &mut [f64]) {
    let mut behind = 1.0;
    for (product, operand) in products.iter_mut().zip(operands).rev() {
        *product = behind;
        behind = chain(behind, *operand);
    }
    let mut before = 1.0;
    for (product, operand) in products.iter_mut().zip(operands) {
        *product = chain(*product, before);
        before *= operand;
    }
}

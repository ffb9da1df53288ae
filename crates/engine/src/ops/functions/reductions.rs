//! Computes sums and products of any number of operands, the logarithm of a sum of exponentials, and their derivatives.
//!
//! Sums and products add and multiply from left to right. One call computes all derivatives of a node, so that shared work
//! is done once.

use super::choice::{chain, max};
use super::double::exact_sum;
use super::source::{exp, log1p};

/// The sum of the operands.
pub(crate) fn sum(operands: &[f64]) -> f64 {
    operands.iter().sum()
}

/// The product of the operands.
pub(crate) fn prod(operands: &[f64]) -> f64 {
    operands.iter().product()
}

/// The derivatives of a product. That of an operand is the product of the operands before it times the product of the
/// operands after it. The quotient of the whole product by the operand would be wrong if an operand is 0.
///
/// A pass through `a*b*c*…` gives the same numbers. In that graph the product before an operand is a node, whose value is a
/// plain product. The operands after it are local derivatives, which the pass multiplies with [`chain`]: an exact zero
/// absorbs infinity and NaN.
pub(crate) fn products_of_others(operands: &[f64], _: f64, products: &mut [f64]) {
    let mut after = 1.0;
    for (product, operand) in products.iter_mut().zip(operands).rev() {
        *product = after;
        after = chain(after, *operand);
    }
    let mut before = 1.0;
    for (product, operand) in products.iter_mut().zip(operands) {
        *product = chain(*product, before);
        before *= operand;
    }
}

/// The logarithm of the sum of the exponentials. The exponents are distances from the largest operand, so nothing
/// overflows.
pub(crate) fn logsumexp(operands: &[f64]) -> f64 {
    let largest = max(operands);
    if !largest.is_finite() {
        return largest;
    }
    // The exponential of the largest operand is 1. `log1p` adds this 1, so a small sum of the others keeps its digits.
    let place_of_largest = operands.iter().position(|x| *x == largest);
    let numbered = operands.iter().enumerate();
    let others = numbered.filter(|(place, _)| Some(*place) != place_of_largest);
    largest + log1p(others.map(|(_, x)| exp_of_distance(*x, largest)).sum())
}

/// The derivatives of [`logsumexp`]: `exp(x - out)`, the share of each exponential in the sum. This function computes them
/// from the distances to the largest operand, because a large `out` has lost digits.
pub(crate) fn shares_of_exp(operands: &[f64], out: f64, shares: &mut [f64]) {
    let pairs = shares.iter_mut().zip(operands);
    if !out.is_finite() {
        // The distance of an infinity from itself would be NaN.
        return pairs.for_each(|(share, operand)| *share = exp(operand - out));
    }
    let largest = max(operands);
    pairs.for_each(|(share, operand)| *share = exp_of_distance(*operand, largest));
    let total = sum(shares);
    for share in shares {
        *share /= total;
    }
}

/// `exp(x - largest)`, corrected by the rounding error of the difference.
fn exp_of_distance(x: f64, largest: f64) -> f64 {
    let distance = exact_sum(x, -largest);
    let rough = exp(distance.high);
    if rough == 0.0 {
        // The rounding error of an infinite distance is NaN.
        return rough;
    }
    rough + rough * distance.low
}

//! Applies the chain rule to one operand: multiplies upstream and local, with special rules for exact zeros and NaN.
//!
//! All code that applies the chain rule calls [`chain`], except loops that have checked that neither rule matters.

/// Upstream times local, with two rules that IEEE arithmetic does not have.
///
/// An exact zero absorbs infinity and NaN: `0*sqrt(x)` at 0 has gradient 0. A node that is NaN passes on NaN and no
/// plausible number: in `y = ln(-1) + c` the local by `c` is 1, but a NaN does not change with `c`. If the NaN arises
/// at the node itself (`1/0*0`), a product that is not finite stays that of IEEE arithmetic. `operand_is_nan` returns
/// whether an operand of the node is NaN.
#[inline]
pub fn chain(upstream: f64, local: f64, data: f64, operand_is_nan: impl FnOnce() -> bool) -> f64 {
    // A mask, not a branch: the processor cannot predict which operands of a relu are positive.
    let counts = u64::from(upstream != 0.0) & u64::from(local != 0.0);
    let product = f64::from_bits((upstream * local).to_bits() & counts.wrapping_neg());
    if data.is_nan() && counts == 1 && (product.is_finite() || operand_is_nan()) {
        f64::NAN
    } else {
        product
    }
}

/// The same number, with 0 in place of -0. With this, a contribution that overwrites a grad gives the same bits as a
/// contribution that is added to 0.
#[inline]
pub fn never_minus_zero(contribution: f64) -> f64 {
    contribution + 0.0
}

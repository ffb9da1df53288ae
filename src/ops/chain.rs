//! The chain rule for one operand: upstream times local, where exact zeros and NaN have rules of their own.
//!
//! Everybody multiplies here, but loops that have seen that neither rule applies.

/// Upstream times local, with the two rules that IEEE arithmetic does not have.
///
/// An exact zero absorbs infinity and NaN: `0*sqrt(x)` at 0 has gradient 0. A NaN passes on no plausible number: in
/// `y = ln(-1) + c` the local by `c` is 1, but a y that is not a number does not follow c. What is fresh at the node
/// (`1/0*0`) stays as IEEE arithmetic gives it as long as it is not finite; `broken` says an operand was NaN already.
#[inline]
pub fn chain(upstream: f64, local: f64, data: f64, broken: impl FnOnce() -> bool) -> f64 {
    // A mask, not a branch: whether a relu is open is anybody's guess.
    let counts = u64::from(upstream != 0.0) & u64::from(local != 0.0);
    let product = f64::from_bits((upstream * local).to_bits() & counts.wrapping_neg());
    if data.is_nan() && counts == 1 && (product.is_finite() || broken()) {
        f64::NAN
    } else {
        product
    }
}

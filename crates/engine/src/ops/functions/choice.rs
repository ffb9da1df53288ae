//! Operations that choose or step: comparisons, `if`, minimum and maximum, `clamp`, `relu` and its variants, rounding.
//!
//! NaN needs care here: a NaN operand must not become a plausible number, as it would with the standard `max`, `min`
//! and `signum`.

use super::source::{exp, expm1};

/// 1 if true, 0 if not.
pub(crate) fn truth(holds: bool) -> f64 {
    f64::from(u8::from(holds))
}

/// The derivative of a step: 0, also at the jump; NaN at NaN.
pub(crate) fn flat(x: f64) -> f64 {
    if x.is_nan() { f64::NAN } else { 0.0 }
}

/// -1, 0 or 1. The standard `signum` says 1 at 0.
pub(crate) fn sign(x: f64) -> f64 {
    if x == 0.0 { 0.0 } else { x.signum() }
}

/// `x` where it is positive, else 0.
pub(crate) fn relu(x: f64) -> f64 {
    if x <= 0.0 { 0.0 } else { x }
}

/// 1 where `x` is positive, else 0.
pub(crate) fn relu_dx(x: f64) -> f64 {
    if x.is_nan() { x } else { truth(x > 0.0) }
}

/// `x` where it is positive, else `slope` times it; NaN if the slope is NaN, even where it is not used.
pub(crate) fn leaky(x: f64, slope: f64) -> f64 {
    if x > 0.0 && !slope.is_nan() {
        x
    } else {
        slope * x
    }
}

/// The slope on either side. At 0 the subgradient of least norm: the slope itself between 0 and 1, as usual, and else
/// the nearer of 0 and 1.
pub(crate) fn leaky_dx(x: f64, slope: f64) -> f64 {
    if x > 0.0 {
        1.0
    } else if x < 0.0 {
        slope
    } else if x == 0.0 {
        slope.clamp(0.0, 1.0)
    } else {
        f64::NAN
    }
}

/// The value where the slope applies, else 0.
pub(crate) fn leaky_dslope(x: f64) -> f64 {
    if x > 0.0 { 0.0 } else { x }
}

/// `x` where it is positive, else `exp(x) - 1`.
pub(crate) fn elu(x: f64) -> f64 {
    if x > 0.0 { x } else { expm1(x) }
}

/// 1 where `x` is positive, else `exp(x)`: the two meet at 0.
pub(crate) fn elu_dx(x: f64) -> f64 {
    if x > 0.0 { 1.0 } else { exp(x) }
}

/// The largest operand; NaN if any is.
pub(crate) fn max(operands: &[f64]) -> f64 {
    extreme(operands, |candidate, best| candidate > best)
}

/// The smallest operand; NaN if any is.
pub(crate) fn min(operands: &[f64]) -> f64 {
    extreme(operands, |candidate, best| candidate < best)
}

fn extreme(operands: &[f64], beats: fn(f64, f64) -> bool) -> f64 {
    let mut best = operands.first().copied().unwrap_or(f64::NAN);
    for &operand in operands {
        if operand.is_nan() {
            return operand;
        }
        if beats(operand, best) {
            best = operand;
        }
    }
    best
}

/// 1 to the operand that is the extreme one; operands that tie share it.
pub(crate) fn shares(operands: &[f64], out: f64, shares: &mut [f64]) {
    let tied = operands.iter().filter(|&&operand| operand == out).count();
    for (share, &operand) in shares.iter_mut().zip(operands) {
        *share = match operand {
            _ if out.is_nan() => out,
            operand if operand == out => 1.0 / tied as f64,
            _ => 0.0,
        };
    }
}

/// Is the extreme value reached by two operands or more?
pub(crate) fn tie(operands: &[f64], out: f64) -> bool {
    operands.iter().filter(|&&operand| operand == out).count() > 1
}

/// `x` kept between `low` and `high`; NaN if `low` is above `high`. The standard `clamp` panics there.
pub(crate) fn clamp(x: f64, low: f64, high: f64) -> f64 {
    if x.is_nan() || low.is_nan() || high.is_nan() || low > high {
        f64::NAN
    } else if x < low {
        low
    } else if x > high {
        high
    } else {
        x
    }
}

/// What [`clamp`] took: `x` (0), `low` (1) or `high` (2). At a bound it is `x`, which can move back inside.
pub(crate) fn clamp_local([x, low, high]: [f64; 3], out: f64, position: usize) -> f64 {
    if out.is_nan() {
        return out;
    }
    let taken = if x < low {
        1
    } else if x > high {
        2
    } else {
        0
    };
    truth(position == taken)
}

/// `yes` unless `condition` is 0, then `no`; NaN if the condition is NaN.
pub(crate) fn either(condition: f64, yes: f64, no: f64) -> f64 {
    if condition.is_nan() {
        condition
    } else if condition == 0.0 {
        no
    } else {
        yes
    }
}

/// `x*y`, but 0 if either is exactly 0, whatever the other is.
pub(crate) fn chain(x: f64, y: f64) -> f64 {
    if x == 0.0 || y == 0.0 { 0.0 } else { x * y }
}

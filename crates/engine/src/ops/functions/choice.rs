//! Computes operations that choose one of their operands or have steps: comparisons, `if`, minimum and maximum, median,
//! `clamp`, `relu` and its variants, rounding, `gcd` and `lcm`.
//!
//! A NaN operand must not become a plausible number, as it would with `max`, `min` and `signum` of the standard library.

use super::source::expm1;

/// 1 if true, 0 if not.
pub(crate) fn truth(is_true: bool) -> f64 {
    f64::from(u8::from(is_true))
}

/// The derivative of a step: 0, even at the jump, and NaN at NaN.
pub(crate) fn step_dx(x: f64) -> f64 {
    if x.is_nan() { f64::NAN } else { 0.0 }
}

/// -1, 0 or 1. The standard `signum` returns 1 at 0.
pub(crate) fn sign(x: f64) -> f64 {
    if x == 0.0 { 0.0 } else { x.signum() }
}

/// `x` if it is positive, else 0.
pub(crate) fn relu(x: f64) -> f64 {
    if x <= 0.0 { 0.0 } else { x }
}

/// The most decimals that a double has.
const MOST_DECIMALS: f64 = 1074.0;

/// The most digits behind the first one that a double has.
const MOST_DIGITS: usize = 766;

/// `x` rounded to a number of decimals, or NaN if that number is not whole. As in Python, the exact number is rounded,
/// halves to the even digit, and the result is the double nearest to these decimals.
pub(crate) fn round_to(x: f64, decimals: f64) -> f64 {
    if decimals.fract() != 0.0 {
        f64::NAN
    } else if !x.is_finite() {
        x
    } else if decimals >= 0.0 {
        nearest_double(&format!("{x:.*}", decimals.min(MOST_DECIMALS) as usize))
    } else {
        round_to_power(x, -decimals)
    }
}

/// A finite `x` rounded to tens, hundreds and so on: to multiples of ten to a positive power.
fn round_to_power(x: f64, power: f64) -> f64 {
    let exact = format!("{:.MOST_DIGITS$e}", x.abs());
    let (digits, exponent) = exact.split_once('e').unwrap_or_default();
    let kept = nearest_double(exponent) - power;
    let size = if kept >= 0.0 {
        nearest_double(&format!("{:.*e}", kept as usize, x.abs()))
    } else if kept == -1.0 && *digits > *format!("{:.MOST_DIGITS$}", 5.0) {
        nearest_double(&format!("1e{power}"))
    } else {
        0.0
    };
    size.copysign(x)
}

/// The double nearest to a number in decimals.
fn nearest_double(decimals: &str) -> f64 {
    decimals.parse().unwrap_or(f64::NAN)
}

/// Whether the rounded number jumps at `x`, or next to it.
pub(crate) fn jumps_at(x: f64, decimals: f64) -> bool {
    let [below, rounded, above] = [x.next_down(), x, x.next_up()].map(|it| round_to(it, decimals));
    rounded != x && below != above
}

/// Whether all operands are whole numbers.
pub(crate) fn are_whole(operands: &[f64]) -> bool {
    operands.iter().all(|x| x.fract() == 0.0)
}

/// The greatest common divisor. It is 0 for zeros, and NaN if an operand is not whole.
pub(crate) fn gcd(operands: &[f64]) -> f64 {
    fold_whole(operands, 0.0, common_divisor)
}

/// The least common multiple, or NaN if an operand is not whole.
pub(crate) fn lcm(operands: &[f64]) -> f64 {
    // The division comes first, because the product of both numbers could overflow.
    fold_whole(operands, 1.0, |x, y| match common_divisor(x, y) {
        0.0 => 0.0,
        divisor => (x / divisor * y).abs(),
    })
}

/// Folds the operands with `join`. Returns NaN if an operand is not whole.
fn fold_whole(operands: &[f64], first: f64, join: fn(f64, f64) -> f64) -> f64 {
    if !are_whole(operands) {
        return f64::NAN;
    }
    operands.iter().fold(first, |all, x| join(all, *x))
}

/// The greatest common divisor of two numbers, by Euclid's algorithm.
fn common_divisor(x: f64, y: f64) -> f64 {
    let (mut divisor, mut remainder) = (x.abs(), y.abs());
    // A remainder that is NaN ends the loop, too.
    while remainder > 0.0 {
        (divisor, remainder) = (remainder, divisor % remainder);
    }
    divisor
}

/// The position of the smallest operand, counted from 0, or NaN if any operand is NaN.
pub(crate) fn argmin(operands: &[f64]) -> f64 {
    position(operands, min(operands))
}

/// The position of the largest operand, counted from 0, or NaN if any operand is NaN.
pub(crate) fn argmax(operands: &[f64]) -> f64 {
    position(operands, max(operands))
}

/// The position of the first operand that equals `value`, or NaN if there is none, because `value` is NaN.
fn position(operands: &[f64], value: f64) -> f64 {
    let first = operands.iter().position(|x| *x == value);
    first.map_or(f64::NAN, |position| position as f64)
}

/// The lower of the two middle operands, or NaN if any operand is NaN.
pub(crate) fn median_low(operands: &[f64]) -> f64 {
    nth_smallest(operands, operands.len().saturating_sub(1) / 2)
}

/// The upper of the two middle operands, or NaN if any operand is NaN.
pub(crate) fn median_high(operands: &[f64]) -> f64 {
    nth_smallest(operands, operands.len() / 2)
}

/// The operand with this index in ascending order, or NaN if any operand is NaN.
fn nth_smallest(operands: &[f64], index: usize) -> f64 {
    if operands.is_empty() || operands.iter().any(|x| x.is_nan()) {
        return f64::NAN;
    }
    let mut partly_sorted = operands.to_vec();
    let (_, found, _) = partly_sorted.select_nth_unstable_by(index, f64::total_cmp);
    *found
}

/// `x` if it is positive, else `slope` times `x`. NaN if the slope is NaN, even if the slope is not used.
pub(crate) fn leaky(x: f64, slope: f64) -> f64 {
    if x > 0.0 && !slope.is_nan() {
        x
    } else {
        slope * x
    }
}

/// The derivative of [`leaky`] by `x`. At 0 it is the subgradient of least norm: the slope if it is between 0 and 1, else
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

/// `x` if it is positive, else `exp(x) - 1`.
pub(crate) fn elu(x: f64) -> f64 {
    if x > 0.0 { x } else { expm1(x) }
}

/// The largest operand, or NaN if any operand is NaN.
pub(crate) fn max(operands: &[f64]) -> f64 {
    extreme(operands, |candidate, best| candidate > best)
}

/// The smallest operand, or NaN if any operand is NaN.
pub(crate) fn min(operands: &[f64]) -> f64 {
    extreme(operands, |candidate, best| candidate < best)
}

/// The first operand that no other operand beats, or NaN if any operand is NaN.
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

/// The derivatives of an operation that returns one of its operands: 1 by that operand. Operands that tie share the 1.
pub(crate) fn shares(operands: &[f64], out: f64, shares: &mut [f64]) {
    if out.is_nan() {
        return shares.fill(out);
    }
    let share_of_each = 1.0 / count_equal(operands, out) as f64;
    for (share, &operand) in shares.iter_mut().zip(operands) {
        *share = if operand == out { share_of_each } else { 0.0 };
    }
}

/// Whether two operands or more are equal to the value.
pub(crate) fn has_tie(operands: &[f64], out: f64) -> bool {
    count_equal(operands, out) > 1
}

fn count_equal(operands: &[f64], out: f64) -> usize {
    operands.iter().filter(|&&operand| operand == out).count()
}

/// The number between `low` and `high` that is nearest to `x`. NaN if there is none, because a bound is NaN or `low` is
/// above `high`, where the standard `clamp` panics.
pub(crate) fn clamp(x: f64, low: f64, high: f64) -> f64 {
    if low <= high {
        x.clamp(low, high)
    } else {
        f64::NAN
    }
}

/// The derivative of [`clamp`] by the operand at `position`: 1 if it is the operand that `clamp` returned, else 0. If
/// `x` is equal to a bound, `x` counts as returned, because it can move back inside.
pub(crate) fn clamp_local([x, low, high]: [f64; 3], out: f64, position: usize) -> f64 {
    if out.is_nan() {
        return out;
    }
    let returned = if x < low {
        1
    } else if x > high {
        2
    } else {
        0
    };
    truth(position == returned)
}

/// `no` if `condition` is 0, else `yes`. NaN if the condition is NaN.
pub(crate) fn either(condition: f64, yes: f64, no: f64) -> f64 {
    if condition.is_nan() {
        condition
    } else if condition == 0.0 {
        no
    } else {
        yes
    }
}

/// `x*y`, but 0 if either factor is exactly 0, even if the other is infinite or NaN.
pub(crate) fn chain(x: f64, y: f64) -> f64 {
    if x == 0.0 || y == 0.0 { 0.0 } else { x * y }
}

#[cfg(test)]
mod tests {
    use super::{gcd, lcm};

    #[test]
    fn multiples_that_overflow_end() {
        assert_eq!(gcd(&[12.0, -18.0, 27.0]), 3.0);
        assert_eq!(lcm(&[4.0, 6.0, 10.0]), 60.0);
        assert_eq!(lcm(&[1e300, 9_007_199_254_740_991.0, 3.0]), f64::INFINITY);
        assert!(lcm(&[f64::INFINITY, 2.0]).is_nan());
    }
}

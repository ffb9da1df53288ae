//! Computes with twice the usual precision (double-double arithmetic), for the few formulas in which digits cancel. For
//! example, the logarithm of the gamma function is a small difference of large numbers near its zeros, and so is its
//! derivative.
//!
//! A number is an unevaluated sum of two doubles. The functions are textbook algorithms of Dekker and Knuth; they hold
//! unless a number overflows or is subnormal.

/// The number `high + low`.
///
/// It is normalised if `low` is at most half a unit in the last place of `high`: then `high` is the number rounded to a
/// double, and `low` the rounding error. Functions take normalised numbers, and return such numbers unless their comment
/// says otherwise.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Double {
    pub(crate) high: f64,
    pub(crate) low: f64,
}

impl Double {
    /// Widens an `f64`.
    pub(crate) const fn of(high: f64) -> Double {
        Double { high, low: 0.0 }
    }

    /// The number `high + low`. The caller makes sure that it is normalised.
    pub(crate) const fn new(high: f64, low: f64) -> Double {
        Double { high, low }
    }

    /// The exact product of two doubles.
    pub(crate) fn product(x: f64, y: f64) -> Double {
        let high = x * y;
        Double::new(high, x.mul_add(y, -high))
    }

    /// The sum with another number.
    pub(crate) fn plus(self, other: Double) -> Double {
        let sum = exact_sum(self.high, other.high);
        let rest = exact_sum(self.low, other.low);
        let first = quick_sum(sum.high, sum.low + rest.high);
        quick_sum(first.high, first.low + rest.low)
    }

    /// Adds `x`, which must not be larger than `high` in magnitude. Does not normalise the sum: `low` may exceed half a
    /// unit in the last place of `high`.
    #[inline]
    pub(crate) fn plus_smaller(self, x: f64) -> Double {
        quick_sum(self.high, x).plus_rest(self.low)
    }

    /// Adds a rounding error to `low`. Does not normalise the sum.
    #[inline]
    pub(crate) fn plus_rest(self, x: f64) -> Double {
        Double::new(self.high, self.low + x)
    }

    /// The negative.
    pub(crate) fn negate(self) -> Double {
        Double::new(-self.high, -self.low)
    }

    /// The product with another number.
    pub(crate) fn times(self, other: Double) -> Double {
        let exact = Double::product(self.high, other.high);
        let cross = self.high.mul_add(other.low, self.low * other.high);
        quick_sum(exact.high, exact.low + cross)
    }

    /// The product with an `f64`.
    pub(crate) fn times_plain(self, x: f64) -> Double {
        let exact = Double::product(self.high, x);
        quick_sum(exact.high, self.low.mul_add(x, exact.low))
    }

    /// The quotient by another number.
    pub(crate) fn over(self, other: Double) -> Double {
        // Long division: each quotient of the high parts leaves a smaller remainder.
        let first = self.high / other.high;
        let remainder = self.plus(other.times_plain(-first));
        let second = remainder.high / other.high;
        let last_remainder = remainder.plus(other.times_plain(-second));
        let third = Double::of(last_remainder.high / other.high);
        quick_sum(first, second).plus(third)
    }

    /// The nearest `f64`.
    pub(crate) fn round(self) -> f64 {
        self.high + self.low
    }
}

/// The exact sum of two doubles: Knuth's `TwoSum`.
pub(crate) fn exact_sum(x: f64, y: f64) -> Double {
    let high = x + y;
    let y_in_high = high - x;
    Double::new(high, (x - (high - y_in_high)) + (y - y_in_high))
}

/// The exact sum of two doubles, if `x` is not smaller than `y` in magnitude: Dekker's `FastTwoSum`.
#[inline]
pub(crate) fn quick_sum(x: f64, y: f64) -> Double {
    let high = x + y;
    Double::new(high, y - (high - x))
}
